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
    /// A comment before the result; none when empty.
    pub comment: String,
}

impl PgnPosition {
    /// A position of which nothing else is known.
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
        if fen.castling != fen.castling.supported(&fen.placement, false) {
            writeln!(f, "[Variant \"Chess960\"]")?;
        }
        writeln!(f, "[SetUp \"1\"]\n[FEN \"{fen}\"]\n")?;
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
pub fn pgn_positions(text: &str) -> Vec<Result<PgnPosition, FenError>> {
    let mut games: Vec<Vec<(String, String)>> = Vec::new();
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
    games.iter().map(|tags| position(tags)).collect()
}

fn position(tags: &[(String, String)]) -> Result<PgnPosition, FenError> {
    let value = |name: &str| {
        let found = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.clone())
    };
    let fen = value("FEN").map_or_else(|| Ok(Fen::start()), |text| text.parse())?;
    let unknown = PgnPosition::new(fen);
    Ok(PgnPosition {
        event: value("Event").unwrap_or(unknown.event),
        site: value("Site").unwrap_or(unknown.site),
        date: value("Date").unwrap_or(unknown.date),
        round: value("Round").unwrap_or(unknown.round),
        white: value("White").unwrap_or(unknown.white),
        black: value("Black").unwrap_or(unknown.black),
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
            comment: "doubtful {e4}".to_owned(),
            ..PgnPosition::new(fen)
        };
        let text = position.to_string();
        assert_eq!(
            text,
            "[Event \"My \\\"best\\\" \\\\ games\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"12.3\"]\n\
             [White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/8/8/4KR1R w F - 3 9\"]\n\n{doubtful (e4)} *\n"
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
    fn games_without_a_fen_start_as_usual_and_bad_ones_say_so() {
        let text = "[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n[FEN \"8/8 w\"]\n\n*\n";
        let read = pgn_positions(text);
        assert_eq!(read[0].as_ref().unwrap().fen, Fen::start());
        assert!(read[1].is_err());
        assert!(pgn_positions("no games").is_empty());
    }
}
