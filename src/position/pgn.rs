//! Positions in PGN: a game without moves that starts from a set-up position.

use std::fmt;

use super::{Fen, FenError};

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
    /// Other tags as name and value, in their order; they are written after `FEN`.
    pub tags: Vec<(String, String)>,
    /// A comment before the result; none when empty.
    pub comment: String,
}

/// The tags that have fields of their own, or that follow from the position.
const OWN_TAGS: [&str; 10] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "Variant", "SetUp", "FEN",
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
            tags: Vec::new(),
            comment: String::new(),
        }
    }
}

impl fmt::Display for PgnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags = [
            ("Event", &self.event),
            ("Site", &self.site),
            ("Date", &self.date),
            ("Round", &self.round),
            ("White", &self.white),
            ("Black", &self.black),
        ];
        for (name, value) in tags {
            writeln!(f, "[{name} \"{}\"]", escaped(value))?;
        }
        writeln!(f, "[Result \"*\"]")?;
        let fen = &self.fen;
        if fen.needs_chess960() {
            writeln!(f, "[Variant \"Chess960\"]")?;
        }
        writeln!(f, "[SetUp \"1\"]\n[FEN \"{fen}\"]")?;
        for (name, value) in &self.tags {
            writeln!(f, "[{name} \"{}\"]", escaped(value))?;
        }
        writeln!(f)?;
        if !self.comment.is_empty() {
            // A comment ends at the first brace.
            let comment = one_line(&self.comment).replace('{', "(").replace('}', ")");
            write!(f, "{{{comment}}} ")?;
        }
        writeln!(f, "*")
    }
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// The value of a tag, with quotation marks and backslashes escaped.
fn escaped(value: &str) -> String {
    one_line(value).replace('\\', "\\\\").replace('"', "\\\"")
}

/// The set-up positions of the games in a PGN text, in order; a game without `FEN` starts as usual. Moves are not read.
///
/// ```
/// use img2fen::{Fen, position::pgn_positions};
///
/// let games = pgn_positions("[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n[FEN \"8/8 w\"]\n\n*\n");
/// assert_eq!(games[0].as_ref().unwrap().fen, Fen::start());
/// assert!(games[1].is_err());
/// ```
pub fn pgn_positions(text: &str) -> Vec<Result<PgnPosition, FenError>> {
    games(text).iter().map(position).collect()
}

/// The text of the `FEN` tag of each game in a PGN text, the start for a game without it. They are not checked.
///
/// ```
/// use img2fen::position::pgn_fens;
///
/// assert_eq!(pgn_fens("[FEN \"8/8 w\"]\n\n*\n"), ["8/8 w"]);
/// ```
pub fn pgn_fens(text: &str) -> Vec<String> {
    let start = || Fen::start().to_string();
    let fen = |tags: &Tags| value(tags, "FEN").unwrap_or_else(start);
    games(text).iter().map(fen).collect()
}

/// Names and values of a game's tags.
type Tags = Vec<(String, String)>;

/// The tags of each game.
fn games(text: &str) -> Vec<Tags> {
    let mut games: Vec<Tags> = Vec::new();
    let mut in_tags = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        match tag(line.trim()) {
            Some(pair) => {
                if !in_tags {
                    games.push(Vec::new());
                }
                in_tags = true;
                if let Some(game) = games.last_mut() {
                    game.push(pair);
                }
            }
            None if !line.trim().is_empty() => in_tags = false,
            None => {}
        }
    }
    games
}

fn value(tags: &Tags, name: &str) -> Option<String> {
    let found = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.clone())
}

fn position(tags: &Tags) -> Result<PgnPosition, FenError> {
    let value = |name| value(tags, name);
    let fen = value("FEN").map_or_else(|| Ok(Fen::start()), |text| text.parse())?;
    let unknown = PgnPosition::new(fen);
    Ok(PgnPosition {
        event: value("Event").unwrap_or(unknown.event),
        site: value("Site").unwrap_or(unknown.site),
        date: value("Date").unwrap_or(unknown.date),
        round: value("Round").unwrap_or(unknown.round),
        white: value("White").unwrap_or(unknown.white),
        black: value("Black").unwrap_or(unknown.black),
        tags: tags
            .iter()
            .filter(|(tag, _)| !OWN_TAGS.iter().any(|own| tag.eq_ignore_ascii_case(own)))
            .cloned()
            .collect(),
        ..unknown
    })
}

/// Name and value of `[Name "value"]`.
fn tag(line: &str) -> Option<(String, String)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, quoted) = inside.split_once(char::is_whitespace)?;
    let value = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut clean = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        clean.push(if letter == '\\' {
            letters.next().unwrap_or(letter)
        } else {
            letter
        });
    }
    Some((name.to_owned(), clean))
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
                ..position
            })
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
}
