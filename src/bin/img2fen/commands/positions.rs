//! What the commands on positions share: where positions come from, and how they are written.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::Context;
use clap::{Args, ValueEnum};
use img2fen::position::{Epd, links, pgn_fens};
use img2fen::{CastlingStyle, Color, EnPassantStyle, Error, ErrorKind, Fen, FenStyle};

use crate::ui::printable;

/// How positions are written where conventions differ.
#[derive(Debug, Clone, Copy, Args)]
pub struct StyleArgs {
    /// How castling rights are written
    #[arg(long, value_enum, default_value_t)]
    castling_style: CastlingName,
    /// When the en passant target is written
    #[arg(long, value_enum, default_value_t)]
    en_passant_style: EnPassantName,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum CastlingName {
    /// KQkq only; ambiguous in some positions of Chess960
    Standard,
    /// KQkq, and the letter of a file where another rook stands further out
    #[default]
    Xfen,
    /// The letters of the rooks' files, HAha
    Shredder,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum EnPassantName {
    /// After every double step of a pawn
    #[default]
    Always,
    /// Only when a legal en passant capture exists
    Legal,
}

impl StyleArgs {
    pub fn style(self) -> FenStyle {
        FenStyle {
            castling: match self.castling_style {
                CastlingName::Standard => CastlingStyle::Standard,
                CastlingName::Xfen => CastlingStyle::Xfen,
                CastlingName::Shredder => CastlingStyle::Shredder,
            },
            en_passant: match self.en_passant_style {
                EnPassantName::Always => EnPassantStyle::Always,
                EnPassantName::Legal => EnPassantStyle::Legal,
            },
        }
    }
}

/// What a position can be written as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum PositionFormat {
    /// One FEN a line
    #[default]
    Fen,
    /// One EPD a line, with what else is known as operations
    Epd,
    /// One game without moves a position, with SetUp and FEN tags
    Pgn,
    /// An array with one object a position
    Json,
    /// One object a line
    Jsonl,
    /// A table
    Csv,
    /// The analysis board of lichess
    Url,
    /// The board editor of lichess
    EditorUrl,
}

/// The side below.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum View {
    #[default]
    White,
    Black,
}

impl From<View> for Color {
    fn from(view: View) -> Self {
        match view {
            View::White => Self::White,
            View::Black => Self::Black,
        }
    }
}

/// A text that is to be a position, and where it stands.
#[derive(Debug, Clone)]
pub struct Item {
    /// File and line or number of the game; `None` for an argument.
    pub place: Option<String>,
    pub text: String,
    /// Whether operations may follow the first four fields.
    pub is_epd: bool,
}

impl Item {
    /// # Errors
    /// When the text is a link without a position.
    fn argument(text: String) -> Result<Self, Error> {
        let is_link = text.starts_with("https://") || text.starts_with("http://");
        let text = match links::fen_text(&text) {
            Some(fen) => fen,
            None if is_link => {
                let message = format!("{text}: the link holds no position");
                return Err(Error::new(ErrorKind::InvalidArgument, message)
                    .with_hint("its FEN stands after /analysis/, /editor/ or ?fen="));
            }
            None if matches!(text.as_str(), "start" | "startpos") => Fen::start().to_string(),
            None => text,
        };
        Ok(Self {
            place: None,
            is_epd: looks_like_epd(&text),
            text,
        })
    }

    /// The text for a person, with its place: on one line, and not all of one that is no position any more.
    pub fn label(&self) -> String {
        const LONGEST: usize = 300;
        let mut short: String = self.text.chars().take(LONGEST).collect();
        if short.len() < self.text.len() {
            short.push('…');
        }
        let short = printable(&short).replace('\n', "\u{fffd}");
        match &self.place {
            Some(place) => format!("{}: {short}", printable(place)),
            None => short,
        }
    }
}

/// What is said when the inputs hold none.
pub const NO_POSITION: &str = "there is no position in what was given";

/// Positions as they come, so that a file of millions needs no memory.
pub type Items = Box<dyn Iterator<Item = anyhow::Result<Item>>>;

/// The positions that arguments name: texts, links, files (`.fen`, `.epd`, `.pgn`, `.json`, `.jsonl`), `-` for standard input.
///
/// A FEN may be given without quotation marks: arguments that cannot begin a position belong to the one before.
pub fn items(arguments: &[String]) -> anyhow::Result<Items> {
    let mut texts: Vec<String> = Vec::new();
    let mut open = false;
    for argument in arguments {
        let starts = argument.contains('/') || is_file_name(argument) || argument.contains(' ');
        if open && !starts {
            if let Some(text) = texts.last_mut() {
                text.push(' ');
                text.push_str(argument);
            }
        } else {
            texts.push(argument.clone());
            // A lone `-` is standard input; after a board it is a field.
            open = starts && !is_file_name(argument);
        }
    }
    if texts.iter().filter(|text| *text == "-").count() > 1 {
        let message = "standard input can be read once, but `-` is named twice";
        return Err(Error::new(ErrorKind::InvalidArgument, message).into());
    }
    let mut all: Items = Box::new(std::iter::empty());
    for text in texts {
        let more: Items = if text == "-" {
            lines("-".to_owned(), Box::new(BufReader::new(io::stdin())), false)
        } else if is_file_name(&text) {
            file(&text)?
        } else {
            Box::new(std::iter::once(Ok(Item::argument(text)?)))
        };
        all = Box::new(all.chain(more));
    }
    Ok(all)
}

/// The one position of an argument, `start` for the start of a game.
pub fn one_fen(text: &str) -> anyhow::Result<Fen> {
    let item = Item::argument(text.to_owned())?;
    let read = if item.is_epd {
        let epd: Result<Epd, _> = item.text.parse();
        epd.map(|epd| epd.fen).map_err(|error| error.to_string())
    } else {
        let fen: Result<Fen, _> = item.text.parse();
        fen.map_err(|error| error.to_string())
    };
    read.map_err(|message| {
        Error::new(ErrorKind::InvalidArgument, message)
            .with_hint("put the FEN in quotation marks; `img2fen check` tells more")
            .into()
    })
}

fn extension(text: &str) -> Option<String> {
    let extension = Path::new(text).extension()?.to_str()?;
    Some(extension.to_ascii_lowercase())
}

fn is_file_name(text: &str) -> bool {
    let known = ["fen", "epd", "pgn", "json", "jsonl", "txt"];
    !text.contains("://")
        && (extension(text).is_some_and(|found| known.contains(&found.as_str()))
            || Path::new(text).is_file())
}

/// Operations end with `;`; a FEN has no such character.
fn looks_like_epd(text: &str) -> bool {
    text.contains(';')
}

fn file(name: &str) -> anyhow::Result<Items> {
    let file = File::open(name).with_context(|| format!("cannot open {name}"))?;
    let read = |mut file: File| -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)
            .with_context(|| format!("cannot read {name}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let found = |texts: Vec<(String, String)>| -> Items {
        let items = texts.into_iter().map(|(place, text)| {
            let is_epd = looks_like_epd(&text);
            Ok(Item {
                place: Some(place),
                text,
                is_epd,
            })
        });
        Box::new(items)
    };
    Ok(match extension(name).as_deref() {
        Some("pgn") => {
            let games = (1..).zip(pgn_fens(&read(file)?));
            found(
                games
                    .map(|(number, fen)| (format!("{name}, game {number}"), fen))
                    .collect(),
            )
        }
        Some("json") => {
            let value: serde_json::Value =
                serde_json::from_str(&read(file)?).with_context(|| format!("{name} is no JSON"))?;
            let values = match value {
                serde_json::Value::Array(values) => values,
                one => vec![one],
            };
            let fens = (1..).zip(&values).filter_map(|(number, value)| {
                let fen = value.as_str().or_else(|| value.get("fen")?.as_str())?;
                Some((format!("{name}, item {number}"), fen.to_owned()))
            });
            found(fens.collect())
        }
        Some("jsonl") => {
            let name = name.to_owned();
            let items = lines(name.clone(), Box::new(BufReader::new(file)), false);
            Box::new(items.filter_map(move |item| {
                let item = match item {
                    Ok(item) => item,
                    Err(error) => return Some(Err(error)),
                };
                match serde_json::from_str::<serde_json::Value>(&item.text) {
                    Ok(value) => {
                        let text = value.get("fen")?.as_str()?.to_owned();
                        Some(Ok(Item {
                            text,
                            is_epd: false,
                            ..item
                        }))
                    }
                    // No JSON is no position either; the others are.
                    Err(_) => Some(Ok(item)),
                }
            }))
        }
        kind => lines(
            name.to_owned(),
            Box::new(BufReader::new(file)),
            kind == Some("epd"),
        ),
    })
}

/// One position a line; empty lines and lines that begin with `#` or `%` are passed over.
fn lines(name: String, mut reader: Box<dyn BufRead>, is_epd: bool) -> Items {
    let mut number = 0u64;
    let mut buffer = Vec::new();
    Box::new(std::iter::from_fn(move || {
        loop {
            buffer.clear();
            match reader.read_until(b'\n', &mut buffer) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    return Some(Err(
                        anyhow::Error::new(error).context(format!("cannot read {name}"))
                    ));
                }
            }
            number += 1;
            let line = String::from_utf8_lossy(&buffer);
            let text = line.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with(['#', '%']) {
                continue;
            }
            let text = links::fen_text(text).unwrap_or_else(|| text.to_owned());
            return Some(Ok(Item {
                place: Some(format!("{name}:{number}")),
                is_epd: is_epd || looks_like_epd(&text),
                text,
            }));
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(arguments: &[&str]) -> Vec<String> {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| (*argument).to_owned())
            .collect();
        items(&arguments)
            .unwrap()
            .map(|item| item.unwrap().text)
            .collect()
    }

    #[test]
    fn a_fen_may_stand_without_quotation_marks() {
        let board = "4k3/8/8/8/8/8/8/4K3";
        assert_eq!(
            texts(&[board, "w", "-", "-", "0", "1", board, "b"]),
            [format!("{board} w - - 0 1"), format!("{board} b"),]
        );
        assert_eq!(texts(&["8/8 w", "8/8 b"]), ["8/8 w", "8/8 b"]);
        assert_eq!(texts(&["nonsense", "more"]), ["nonsense", "more"]);
    }

    #[test]
    fn a_text_for_a_person_is_short_and_cannot_steer_the_terminal() {
        let label = |text: &str| Item::argument(text.to_owned()).unwrap().label();
        assert_eq!(label("\x1b[31m8/8\n8"), "\u{fffd}[31m8/8\u{fffd}8");
        assert_eq!(label(&"8".repeat(1000)).chars().count(), 301);
    }

    #[test]
    fn links_are_positions_and_files_are_told_by_their_extension() {
        assert_eq!(
            texts(&["https://lichess.org/editor/4k3/8/8/8/8/8/8/4K3_w_-_-_0_1"]),
            ["4k3/8/8/8/8/8/8/4K3_w_-_-_0_1"]
        );
        let no_position = Item::argument("https://lichess.org/training".to_owned());
        assert_eq!(
            no_position.unwrap_err().to_string(),
            "https://lichess.org/training: the link holds no position"
        );
        assert!(is_file_name("some/where.epd") && is_file_name("x.FEN"));
        assert!(is_file_name("Cargo.lock"));
        assert!(!is_file_name("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert!(!is_file_name("https://lichess.org/x.fen"));
    }
}
