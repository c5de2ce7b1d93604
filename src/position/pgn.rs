//! Positions in PGN: a game without moves that starts from a set-up position.

use std::collections::HashSet;
use std::fmt;

use super::castling::is_name_of_chess960;
use super::{Fen, FenError, FenStyle};
use crate::wording::{in_quotation_marks, without_controls};

/// A position as a game of PGN with `SetUp` and `FEN` tags and no moves.
///
/// ```
/// use img2fen::{Fen, position::{PgnPosition, pgn_positions}};
///
/// let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
/// let position = PgnPosition { event: "Endings".to_owned(), ..PgnPosition::new(fen) };
/// let text = position.to_string();
/// assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n"));
/// assert_eq!(pgn_positions(&text)[0].as_ref().unwrap().fen, fen);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnPosition {
    /// The position.
    pub fen: Fen,
    /// The tag `Event`: the book, for a diagram. `?` when not known.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// The tag `Date`, as `2024.12.31` or `????.??.??`.
    pub date: String,
    /// The tag `Round`: page and diagram.
    pub round: String,
    /// The tag `White`.
    pub white: String,
    /// The tag `Black`.
    pub black: String,
    /// The tag `Result`: one of `*`, `1-0`, `0-1` and `1/2-1/2`; another one is written as `*`.
    pub result: String,
    /// The tag `Variant`; none when empty. A position that only Chess960 allows is written with that variant where none or
    /// `Standard` stands here.
    pub variant: String,
    /// Other tags as name and value, in their order; they are written after `FEN`.
    pub tags: Vec<(String, String)>,
    /// A comment before the result; none when empty.
    pub comment: String,
}

/// The tags that have fields of their own, or that follow from the position and from there being no moves.
const OWN_TAGS: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "Variant", "SetUp", "FEN",
    "PlyCount",
];

impl PgnPosition {
    /// A position of which nothing else is known.
    ///
    /// ```
    /// use img2fen::{Fen, position::PgnPosition};
    ///
    /// assert_eq!(PgnPosition::new(Fen::start()).date, "????.??.??");
    /// ```
    pub fn new(fen: Fen) -> Self {
        let unknown = || "?".to_owned();
        Self {
            fen,
            event: unknown(),
            site: unknown(),
            date: "????.??.??".to_owned(),
            round: unknown(),
            white: unknown(),
            black: unknown(),
            result: "*".to_owned(),
            variant: String::new(),
            tags: Vec::new(),
            comment: String::new(),
        }
    }

    /// Writes the game with the position in a style.
    ///
    /// ```
    /// use img2fen::{CastlingStyle, Fen, FenStyle, position::PgnPosition};
    ///
    /// let style = FenStyle { castling: CastlingStyle::Shredder, ..FenStyle::default() };
    /// let game = PgnPosition::new(Fen::start()).display(style).to_string();
    /// assert!(game.contains(" w HAha - 0 1\"]\n"));
    /// ```
    pub fn display(&self, style: FenStyle) -> impl fmt::Display {
        DisplayGame {
            position: self,
            style,
        }
    }
}

struct DisplayGame<'a> {
    position: &'a PgnPosition,
    style: FenStyle,
}

impl fmt::Display for PgnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(FenStyle::default()).fmt(f)
    }
}

impl fmt::Display for DisplayGame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let tags = [
            ("Event", &position.event),
            ("Site", &position.site),
            ("Date", &position.date),
            ("Round", &position.round),
            ("White", &position.white),
            ("Black", &position.black),
        ];
        for (name, value) in tags {
            writeln!(f, "[{name} {}]", in_quotation_marks(value))?;
        }
        let result = RESULTS.iter().find(|known| **known == position.result);
        let result = result.unwrap_or(&"*");
        writeln!(f, "[Result \"{result}\"]")?;
        let fen = &position.fen;
        let is_usual =
            position.variant.is_empty() || position.variant.eq_ignore_ascii_case("Standard");
        let variant = if is_usual && fen.needs_chess960() {
            "Chess960"
        } else {
            &position.variant
        };
        if !variant.is_empty() {
            writeln!(f, "[Variant {}]", in_quotation_marks(variant))?;
        }
        writeln!(f, "[SetUp \"1\"]\n[FEN \"{}\"]", fen.display(self.style))?;
        for (name, value) in &position.tags {
            writeln!(f, "[{name} {}]", in_quotation_marks(value))?;
        }
        writeln!(f)?;
        if !position.comment.is_empty() {
            // A comment ends at the first brace.
            let comment = without_controls(&position.comment)
                .replace('{', "(")
                .replace('}', ")");
            write!(f, "{{{comment}}} ")?;
        }
        writeln!(f, "{result}")
    }
}

/// A game of a PGN text, as its tags tell of it. Moves are not read.
///
/// ```
/// use img2fen::position::pgn_games;
///
/// let games = pgn_games("[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n[FEN \"8/8 w\"]\n\n*\n");
/// assert_eq!(games[0].fen(), Ok(None));
/// assert_eq!(games[1].fen(), Ok(Some("8/8 w")));
/// assert_eq!(games[1].line(), 5);
/// assert!(games[1].position().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    line: usize,
    /// Names and values.
    tags: Vec<(String, String)>,
    /// Why its position is not known.
    fault: Option<PgnError>,
}

/// Why a game of PGN gives no position.
///
/// ```
/// use img2fen::position::pgn_games;
///
/// let error = pgn_games("[FEN \"8/8 w")[0].position().unwrap_err();
/// assert_eq!(error.to_string(), "line 1: the tag `FEN` is not whole, expected `[FEN \"...\"]` on one line");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The text of the tag `FEN` is no FEN.
    #[error("{0}")]
    Position(#[from] FenError),
    /// The tag `FEN` has no end on its line, or no quotation marks.
    #[error("line {line}: the tag `FEN` is not whole, expected `[FEN \"...\"]` on one line")]
    BrokenTag {
        /// Number of the line, from 1.
        line: usize,
    },
    /// A game has one position to start from.
    #[error("line {line}: a second tag `FEN` in the same game")]
    SecondFen {
        /// Number of the line, from 1.
        line: usize,
    },
    /// A comment runs to the end of the text, and may hide games.
    #[error("line {line}: the comment has no end `}}`")]
    OpenComment {
        /// Number of the line on which it begins, from 1.
        line: usize,
    },
}

impl PgnGame {
    /// The line of the text on which its tags begin, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The text of its tag `FEN`, unchecked; a game without one starts as usual.
    ///
    /// # Errors
    /// When the tag is not whole or there are two, or a comment has no end.
    pub fn fen(&self) -> Result<Option<&str>, PgnError> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(self.value("FEN")),
        }
    }

    /// The position it starts from, with its tags.
    ///
    /// # Errors
    /// As [`fen`](Self::fen), and when its text is no FEN.
    pub fn position(&self) -> Result<PgnPosition, PgnError> {
        let fen = match self.fen()? {
            Some(text) => text.parse()?,
            None => Fen::start(),
        };
        Ok(self.with_position(fen))
    }

    /// A position with its tags: its own, where the text of its tag `FEN` was read in another way.
    ///
    /// ```
    /// use img2fen::{Fen, position::pgn_games};
    ///
    /// let games = pgn_games("[Event \"A\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;\"]\n\n*\n");
    /// assert!(games[0].position().is_err());
    /// assert_eq!(games[0].with_position(Fen::start()).event, "A");
    /// ```
    #[must_use]
    pub fn with_position(&self, fen: Fen) -> PgnPosition {
        let value = |name: &str, unknown: String| self.value(name).map_or(unknown, str::to_owned);
        let unknown = PgnPosition::new(fen);
        let is_own = |name: &str| OWN_TAGS.iter().any(|own| name.eq_ignore_ascii_case(own));
        let others = self.tags.iter().filter(|(name, _)| !is_own(name));
        PgnPosition {
            event: value("Event", unknown.event),
            site: value("Site", unknown.site),
            date: value("Date", unknown.date),
            round: value("Round", unknown.round),
            white: value("White", unknown.white),
            black: value("Black", unknown.black),
            result: value("Result", unknown.result),
            variant: value("Variant", unknown.variant),
            tags: others.cloned().collect(),
            ..unknown
        }
    }

    /// True when its tag `Variant` names Chess960.
    ///
    /// ```
    /// use img2fen::position::pgn_games;
    ///
    /// assert!(pgn_games("[Variant \"Fischerandom\"]\n\n*\n")[0].is_chess960());
    /// assert!(!pgn_games("[Variant \"Standard\"]\n\n*\n")[0].is_chess960());
    /// ```
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.value("Variant").is_some_and(is_name_of_chess960)
    }

    /// Takes a tag that stands on a line.
    fn add(&mut self, bracket: Bracket<'_>, line: usize) {
        match bracket {
            Bracket::Tag(name, ..) if name.eq_ignore_ascii_case("FEN") && self.has_fen() => {
                self.fault.get_or_insert(PgnError::SecondFen { line });
            }
            Bracket::BrokenFen if self.has_fen() => {
                self.fault.get_or_insert(PgnError::SecondFen { line });
            }
            Bracket::Tag(name, value, _) => self.tags.push((name, value)),
            Bracket::BrokenFen => self.fault = Some(PgnError::BrokenTag { line }),
            Bracket::Broken => {}
        }
    }

    /// Whether there is a tag `FEN`, whole or not.
    fn has_fen(&self) -> bool {
        self.fault.is_some() || self.value("FEN").is_some()
    }

    /// The value of the first tag of that name.
    fn value(&self, name: &str) -> Option<&str> {
        let found = self
            .tags
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Where in a PGN text a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Before the first game, or after one.
    Between,
    /// Among the tags of a game.
    Tags,
    /// After an empty line among or after them.
    TagsAndGap,
    /// Among the moves, where a bracket begins no tag.
    Moves,
}

/// What ends the moves of a game.
const RESULTS: [&str; 4] = ["*", "1-0", "0-1", "1/2-1/2"];

/// The games of a PGN text, in order: each begins with a tag. Lines end with LF, CR LF or CR.
///
/// Tags stand before the moves; one in a comment or among the moves is none. The moves end with the result or an empty
/// line, or, where both are missing, before a line that begins with the tag `Event`.
#[must_use]
pub fn pgn_games(text: &str) -> Vec<PgnGame> {
    let mut games: Vec<PgnGame> = Vec::new();
    // The names of the tags of the last game, in small letters.
    let mut names: HashSet<String> = HashSet::new();
    let mut section = Section::Between;
    // The line on which the comment began that is not closed yet.
    let mut comment: Option<usize> = None;
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    for (line, content) in (1..).zip(text.split(['\n', '\r'])) {
        if comment.is_none() && content.starts_with('%') {
            continue;
        }
        let mut rest = content.trim();
        if rest.is_empty() && comment.is_none() {
            section = match section {
                Section::Tags => Section::TagsAndGap,
                Section::Moves => Section::Between,
                other => other,
            };
        }
        let mut is_line_start = true;
        while !rest.is_empty() {
            if comment.is_some() {
                let Some((_, after)) = rest.split_once('}') else {
                    break;
                };
                comment = None;
                rest = after.trim_start();
                continue;
            }
            let bracket = match section {
                Section::Moves if is_line_start => {
                    Bracket::of(rest).filter(|bracket| bracket.is_tag("Event"))
                }
                Section::Moves => None,
                _ => Bracket::of(rest),
            };
            is_line_start = false;
            if let Some(bracket) = bracket {
                rest = bracket.after();
                let is_next = match section {
                    Section::Between => !matches!(bracket, Bracket::Broken),
                    Section::Tags => false,
                    Section::TagsAndGap => bracket
                        .lower_name()
                        .is_some_and(|name| names.contains(&name)),
                    Section::Moves => true,
                };
                if is_next {
                    names.clear();
                    games.push(PgnGame {
                        line,
                        tags: Vec::new(),
                        fault: None,
                    });
                }
                if is_next || section != Section::Between {
                    section = Section::Tags;
                    names.extend(bracket.lower_name());
                    if let Some(game) = games.last_mut() {
                        game.add(bracket, line);
                    }
                }
                continue;
            }
            if rest.starts_with(';') {
                break;
            }
            if let Some(inside) = rest.strip_prefix('{') {
                comment = Some(line);
                rest = inside;
                continue;
            }
            let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '{' | ';');
            let (token, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
            rest = after.trim_start();
            section = match section {
                Section::Between => Section::Between,
                _ if RESULTS.contains(&token) => Section::Between,
                _ => Section::Moves,
            };
        }
    }
    if let (Some(line), Some(game)) = (comment, games.last_mut()) {
        game.fault.get_or_insert(PgnError::OpenComment { line });
    }
    games
}

/// The positions that the games of a PGN text start from, in order; a game without `FEN` starts as usual.
///
/// ```
/// use img2fen::{Fen, position::pgn_positions};
///
/// let games = pgn_positions("[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n[FEN \"8/8 w\"]\n\n*\n");
/// assert_eq!(games[0].as_ref().unwrap().fen, Fen::start());
/// assert!(games[1].is_err());
/// ```
pub fn pgn_positions(text: &str) -> Vec<Result<PgnPosition, PgnError>> {
    pgn_games(text).iter().map(PgnGame::position).collect()
}

/// A bracket and a name, as a tag begins.
enum Bracket<'a> {
    /// Name and value of `[Name "value"]`, and what follows it.
    Tag(String, String, &'a str),
    /// A tag `FEN` that is not whole.
    BrokenFen,
    /// Another one.
    Broken,
}

impl<'a> Bracket<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let inside = text.strip_prefix('[')?.trim_start();
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let (name, rest) = inside.split_at(inside.find(|c| !is_name(c)).unwrap_or(inside.len()));
        if name.is_empty() {
            return None;
        }
        Some(match quoted(rest.trim_start()) {
            Some((value, after)) => Self::Tag(name.to_owned(), value, after),
            None if name.eq_ignore_ascii_case("FEN") => Self::BrokenFen,
            None => Self::Broken,
        })
    }

    /// What follows on the line; nothing that could be told after a tag that is not whole.
    fn after(&self) -> &'a str {
        match self {
            Self::Tag(_, _, after) => after.trim_start(),
            Self::BrokenFen | Self::Broken => "",
        }
    }

    fn is_tag(&self, wanted: &str) -> bool {
        match self {
            Self::Tag(name, ..) => name.eq_ignore_ascii_case(wanted),
            Self::BrokenFen => wanted == "FEN",
            Self::Broken => false,
        }
    }

    /// The name in small letters, by which tags are the same; `None` where it is not that of a tag.
    fn lower_name(&self) -> Option<String> {
        match self {
            Self::Tag(name, ..) => Some(name.to_ascii_lowercase()),
            Self::BrokenFen => Some("fen".to_owned()),
            Self::Broken => None,
        }
    }
}

/// The value of `"value"]`, and what follows the bracket. A quotation mark ends the value only before the bracket: not
/// every program escapes those inside.
fn quoted(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter == '"'
            && let Some(after) = text[at + 1..].trim_start().strip_prefix(']')
        {
            return Some((value, after));
        }
        value.push(match letter {
            '\\' => letters.next().map_or(letter, |(_, escaped)| escaped),
            _ => letter,
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_survive_writing_and_reading() {
        let fen: Fen = "4k3/8/8/8/8/8/8/4KR1R w F - 3 9".parse().unwrap();
        let position = PgnPosition {
            event: "My \"best\" \\ games".to_owned(),
            round: "12.3".to_owned(),
            tags: vec![("Page".to_owned(), "12".to_owned())],
            comment: "doubtful {e4}".to_owned(),
            ..PgnPosition::new(fen)
        };
        let text = position.to_string();
        assert_eq!(
            text,
            "[Event \"My \\\"best\\\" \\\\ games\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"12.3\"]\n\
             [White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/8/8/4KR1R w F - 3 9\"]\n[Page \"12\"]\n\n{doubtful (e4)} *\n"
        );
        let read = pgn_positions(&format!("{text}\n{text}"));
        assert_eq!(read.len(), 2);
        let comment = String::new();
        assert_eq!(
            read[1],
            Ok(PgnPosition {
                comment,
                // Rooks that do not stand at home say so.
                variant: "Chess960".to_owned(),
                ..position
            })
        );
    }

    #[test]
    fn result_and_variant_are_kept_where_they_can_be_true() {
        let tags = |fen: &str, result: &str, variant: &str| {
            let given = format!(
                "[Result \"{result}\"]\n[Variant \"{variant}\"]\n[PlyCount \"7\"]\n[FEN \"{fen}\"]\n"
            );
            let text = pgn_positions(&given)[0].as_ref().unwrap().to_string();
            assert!(!text.contains("PlyCount"));
            let again = pgn_positions(&text)[0].as_ref().unwrap().to_string();
            assert_eq!(again, text);
            let ending = text.trim_end().rsplit('\n').next().unwrap().to_owned();
            let value = |name: &str| {
                let line = text.lines().find(|line| line.starts_with(name));
                line.map(|line| line.split('"').nth(1).unwrap().to_owned())
            };
            assert_eq!(value("[Result"), Some(ending.clone()));
            (ending, value("[Variant").unwrap_or_default())
        };
        let usual = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let chess960 = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1";
        let pair = |result: &str, variant: &str| (result.to_owned(), variant.to_owned());
        for result in RESULTS {
            assert_eq!(tags(usual, result, "Standard"), pair(result, "Standard"));
        }
        assert_eq!(tags(usual, "White wins", ""), pair("*", ""));
        assert_eq!(tags(usual, "*", "Chess960"), pair("*", "Chess960"));
        assert_eq!(tags(usual, "*", "Atomic"), pair("*", "Atomic"));
        for variant in ["", "Standard", "standard", "Chess960"] {
            assert_eq!(tags(chess960, "1-0", variant), pair("1-0", "Chess960"));
        }
        assert_eq!(
            tags(chess960, "*", "Fischerandom"),
            pair("*", "Fischerandom")
        );
    }

    #[test]
    fn rights_that_no_rules_allow_do_not_make_chess960() {
        let fen: Fen = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1".parse().unwrap();
        assert!(!PgnPosition::new(fen).to_string().contains("Variant"));
    }

    #[test]
    fn games_without_a_fen_start_as_usual_and_bad_ones_say_so() {
        let text = "[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n[FEN \"8/8 w\"]\n\n*\n";
        let read = pgn_positions(text);
        assert_eq!(read[0].as_ref().unwrap().fen, Fen::start());
        assert!(read[1].is_err());
        assert!(pgn_positions("no games").is_empty());
    }

    /// The text of the tag `FEN` of each game.
    fn fens(text: &str) -> Vec<Result<Option<String>, PgnError>> {
        let games = pgn_games(text);
        let fen = |game: &PgnGame| game.fen().map(|fen| fen.map(str::to_owned));
        games.iter().map(fen).collect()
    }

    #[test]
    fn what_looks_like_a_tag_in_a_comment_or_among_the_moves_is_none() {
        for moves in [
            "1. e4 {[FEN \"8/8 w\"]} e5 *",
            "1. e4 {\n[FEN \"8/8 w\"]\n} e5 *",
            "1. e4 {\n\n[Event \"B\"]\n[FEN \"8/8 w\"]\n\n*\n} e5 *",
            "{[FEN \"8/8 w\"]} 1. e4 *",
            "{\n[FEN \"8/8 w\"]\n}\n1. e4 *",
            "1. e4\n[FEN \"8/8 w\"]\ne5 *",
            "1. e4 [FEN \"8/8 w\"] e5 *",
            "1. e4 ; {\n[FEN \"8/8 w\"]\ne5 *",
            "1. e4 ; [FEN \"8/8 w\"]\ne5 *",
            "% [FEN \"8/8 w\"]\n%[FEN \"8/8 w\"]\n1. e4 *",
            "1. e4 {\n[FEN \"8/8 w} e5 *",
        ] {
            let text = format!("[Event \"A\"]\n\n{moves}\n\n[Event \"C\"]\n[FEN \"9\"]\n\n*\n");
            assert_eq!(fens(&text), [Ok(None), Ok(Some("9".to_owned()))], "{moves}");
        }
    }

    #[test]
    fn a_game_ends_with_its_result_an_empty_line_or_the_next_event() {
        for end in [
            "1. e4 *\n",
            "1. e4 1-0 ",
            "1. e4 {good} 1/2-1/2\n",
            "1. e4 {good}0-1\n",
            "1. e4 e5\n\n",
            "1. e4 e5\n",
            "",
            "\n\n",
        ] {
            let text = format!("[Event \"A\"]\n\n{end}[Event \"B\"]\n[FEN \"8\"]\n\n*\n");
            assert_eq!(fens(&text), [Ok(None), Ok(Some("8".to_owned()))], "{end}");
        }
        assert_eq!(
            fens("[FEN \"8\"]\n\n[FEN \"9\"]\n*\n[FEN \"7\"]\n"),
            ["8", "9", "7"].map(|fen| Ok(Some(fen.to_owned())))
        );
    }

    #[test]
    fn a_second_tag_fen_and_a_comment_without_end_are_errors_with_their_line() {
        for second in [
            "[FEN \"9\"]",
            "[fen \"8\"]",
            "[FEN \"9",
            "[Site \"?\"] [FEN \"9\"]",
        ] {
            let text = format!("[FEN \"8\"]\n[Event \"A\"]\n{second}\n\n*\n[FEN \"7\"]\n");
            assert_eq!(
                fens(&text),
                [
                    Err(PgnError::SecondFen { line: 3 }),
                    Ok(Some("7".to_owned()))
                ],
                "{second}"
            );
        }
        assert_eq!(
            fens("[FEN \"8\"]\n\n*\n[FEN \"7\"]\n\n1. e4\n{ good\n\n[FEN \"8\"]\n\n*\n"),
            [
                Ok(Some("8".to_owned())),
                Err(PgnError::OpenComment { line: 7 })
            ]
        );
    }

    #[test]
    fn every_kind_of_line_end_is_read() {
        let text = "[Event \"A\"]\n[FEN \"8/8 w\"]\n\n*\n\n[Event \"B\"]\n\n*\n";
        let games = pgn_games(text);
        assert_eq!(games.iter().map(PgnGame::line).collect::<Vec<_>>(), [1, 6]);
        for end in ["\r\n", "\r"] {
            assert_eq!(pgn_games(&text.replace('\n', end)), games, "{end:?}");
        }
        assert_eq!(pgn_games(&format!("\u{feff}{text}")), games);
    }

    #[test]
    fn tags_may_share_a_line_and_hold_quotation_marks_and_brackets() {
        let games =
            pgn_games("[Event \"My \"best\" [1]\"] [ FEN  \"8/8 w\" ] 1. e4 *\n[Event \"B\"]\n");
        let tags = |game: &PgnGame| game.tags.clone();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            games.iter().map(tags).collect::<Vec<_>>(),
            [
                vec![pair("Event", "My \"best\" [1]"), pair("FEN", "8/8 w")],
                vec![pair("Event", "B")],
            ]
        );
    }

    #[test]
    fn a_tag_fen_that_is_not_whole_is_an_error_with_its_line_and_no_start_position() {
        for broken in [
            "[FEN \"8/8 w",
            "[FEN \"8/8 w\"",
            "[FEN \"8/8 w]",
            "[FEN 8/8 w]",
            "[FEN]",
            "[fen \"8/8 w",
            "[FEN\"8/8\nw\"]",
        ] {
            let text = format!("[Event \"A\"]\n{broken}\n[Site \"?\"]\n\n*\n");
            let games = pgn_games(&text);
            assert_eq!(
                games[0].fen(),
                Err(PgnError::BrokenTag { line: 2 }),
                "{broken}"
            );
            assert!(games[0].position().is_err(), "{broken}");
        }
        // Another tag that is broken does not tear its game in two.
        let games = pgn_games(
            "[Event \"A\"]\n[Site \"B\n[FEN \"8/8 w\"]\n\n1. e4 {\n[%clk 0:01:00]\n[White thinks]} *\n",
        );
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].fen(), Ok(Some("8/8 w")));
    }
}
