//! What the commands on positions share: where positions come from, and how they are written.

use std::path::Path;

use clap::{Args, ValueEnum};
use img2fen::position::Epd;
use img2fen::position::links::{self, LinkStyle};
use img2fen::{CastlingStyle, Color, EnPassantStyle, Error, ErrorKind, Fen, FenStyle, Limits};
use serde_json::Value;

use crate::exit::Exit;
use crate::position_files::{self, Entries, Entry, Item, Kind, NoPosition};
use crate::ui::{Ui, excerpt, one_line};

/// By which rules positions are judged.
#[derive(Debug, Clone, Copy, Args)]
pub struct RulesArgs {
    /// Castling by the rules of Chess960; without it only where the castling field names files, or a tag `Variant` or
    /// a link says so
    #[arg(long)]
    pub chess960: bool,
}

/// How positions are written where conventions differ.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct StyleArgs {
    /// How castling rights are written; xfen where nothing is said, in links of Chess960 shredder
    #[arg(long, value_enum)]
    castling_style: Option<CastlingName>,
    /// When the en passant target is written
    #[arg(long, value_enum, default_value_t)]
    en_passant_style: EnPassantName,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CastlingName {
    /// KQkq only; ambiguous in some positions of Chess960
    Standard,
    /// KQkq, and the letter of a file where another rook stands further out
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
    /// Of a FEN, also in an EPD or a game.
    pub fn style(self) -> FenStyle {
        FenStyle {
            castling: self.castling().unwrap_or_default(),
            en_passant: self.en_passant(),
        }
    }

    /// Of links to a position.
    pub fn link_style(self, chess960: bool) -> LinkStyle {
        LinkStyle {
            chess960,
            castling: self.castling(),
            en_passant: self.en_passant(),
        }
    }

    fn castling(self) -> Option<CastlingStyle> {
        self.castling_style.map(|name| match name {
            CastlingName::Standard => CastlingStyle::Standard,
            CastlingName::Xfen => CastlingStyle::Xfen,
            CastlingName::Shredder => CastlingStyle::Shredder,
        })
    }

    fn en_passant(self) -> EnPassantStyle {
        match self.en_passant_style {
            EnPassantName::Always => EnPassantStyle::Always,
            EnPassantName::Legal => EnPassantStyle::Legal,
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

/// The text of a position for a person, with its place: on one line, and not all of one that is no position any more.
pub fn label(item: &Item) -> String {
    const LONGEST: usize = 300;
    let mut short: String = item.text.chars().take(LONGEST).collect();
    if short.len() < item.text.len() {
        short.push('…');
    }
    let short = match short.trim() {
        "" => "(an empty text)".to_owned(),
        _ => replaced(&short),
    };
    match &item.place {
        Some(place) => format!("{}: {short}", one_line(place)),
        None => short,
    }
}

/// Text with another character in place of each that cannot be shown, so that places in it stay.
pub fn replaced(text: &str) -> String {
    let shown = |letter: char| one_line(letter.encode_utf8(&mut [0; 4])).chars().count() == 1;
    text.chars()
        .map(|letter| if shown(letter) { letter } else { '\u{fffd}' })
        .collect()
}

/// Faults of positions as they are said to a person: the first ones, then how many more there are.
pub struct Faults<'a> {
    ui: &'a Ui,
    count: usize,
    exit: Exit,
}

impl<'a> Faults<'a> {
    /// Most that are said one by one.
    const MOST: usize = 100;

    pub fn new(ui: &'a Ui) -> Self {
        let exit = Exit::Success;
        Self { ui, count: 0, exit }
    }

    /// A fault that shows in the output already.
    pub fn note(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// A position that could not be read, or could not be used.
    pub fn say(&mut self, what: &str, hint: Option<&str>, exit: Exit) {
        self.note(exit);
        self.count += 1;
        if self.count <= Self::MOST {
            self.ui.error(what, hint);
        }
    }

    /// What gave no position.
    pub fn say_no_position(&mut self, none: &NoPosition) {
        let what = format!("{}: {}", none.place, none.message);
        self.say(&what, none.hint.as_deref(), none.exit);
    }

    /// How many were not said, and how the program ends.
    pub fn finish(self) -> Exit {
        if self.count > Self::MOST {
            let more = self.count - Self::MOST;
            self.ui.error(&format!("and {more} more"), None);
        }
        self.exit
    }
}

/// The text of an array of JSON that is written one element after the other, so that one of millions needs no memory.
#[derive(Debug, Default)]
pub struct JsonArray {
    has_elements: bool,
}

impl JsonArray {
    /// The next element, on lines of its own, with what separates it from the one before.
    pub fn element(&mut self, value: &Value) -> String {
        let before = if self.has_elements { "," } else { "[" };
        self.has_elements = true;
        // A line end in a text is escaped, so each one here is between lines.
        let lines = format!("{value:#}").replace('\n', "\n  ");
        format!("{before}\n  {lines}")
    }

    /// What follows the last element.
    pub fn end(self) -> &'static str {
        if self.has_elements { "\n]\n" } else { "[]\n" }
    }
}

/// The positions that arguments name: texts, links, `start`, files (see [`Kind`]), `-` for standard input.
///
/// A FEN may be given without quotation marks: arguments that cannot begin a position belong to the board before, until it
/// has its six fields.
///
/// # Errors
/// When an argument names a file that holds no positions by its ending; nothing is read then.
pub fn entries<'a>(
    arguments: &[String],
    limits: &Limits,
    ui: &'a Ui,
) -> Result<Entries<'a>, Error> {
    let texts = inputs(arguments);
    if texts.iter().filter(|text| *text == "-").count() > 1 {
        let message = "standard input can be read once, but `-` is named twice";
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    let sources: Result<Vec<Entries<'a>>, Error> = texts
        .into_iter()
        .map(|text| -> Result<Entries<'a>, Error> {
            if text == "-" {
                return Ok(position_files::of_standard_input(limits, ui));
            }
            match Kind::of(&text) {
                Some(kind) => Ok(position_files::of_file(text, kind, limits, ui)),
                None if is_there(&text) => Err(no_position_file(&text)),
                None => Ok(Box::new(std::iter::once(argument(&text)))),
            }
        })
        .collect();
    Ok(Box::new(sources?.into_iter().flatten()))
}

/// Each text, link, file or `-` that arguments name.
pub fn inputs(arguments: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut open = false;
    for argument in arguments {
        let is_file = Kind::of(argument).is_some()
            || is_name_of_file(argument)
            || (!open && is_there(argument));
        let starts = is_file || is_start(argument) || argument.contains(['/', ' ']);
        if open && !starts {
            if let Some(text) = texts.last_mut() {
                text.push(' ');
                text.push_str(argument);
                open = !is_whole(text);
            }
        } else {
            texts.push(argument.clone());
            // A lone `-` is standard input; after a board it is a field.
            open = argument.contains('/') && !is_file && !argument.contains(' ');
        }
    }
    texts
}

/// A position given as an argument: a FEN, an EPD, a link, or `start` for the start of a game.
///
/// # Errors
/// When the text is a link without a position, or the name of a file that is not there.
fn argument(text: &str) -> Entry {
    if is_start(text) {
        return Ok(Item::new(None, &Fen::start().to_string()));
    }
    if !links::is_link(text) && is_name_of_file(text) {
        let place = text.to_owned();
        return Err(NoPosition::unusable(
            place,
            "there is no such file",
            "check the name",
        ));
    }
    Item::of_text(None, text)
}

/// The one position of an argument, `start` for the start of a game.
///
/// # Errors
/// When the text is no position, with what to give instead.
pub fn one_fen(text: &str) -> anyhow::Result<Fen> {
    let invalid = |message: String| Error::new(ErrorKind::InvalidArgument, message);
    if Kind::of(text).is_some() && is_there(text) {
        let message = format!("{text}: is a file, and one position is wanted");
        let hint = "`img2fen convert FILE --to fen` shows its positions; give one of them";
        return Err(invalid(message).with_hint(hint).into());
    }
    let item = argument(text).map_err(|none| {
        let error = invalid(format!("{}: {}", none.place, none.message));
        match none.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    })?;
    if !item.text.contains('/') {
        let message = format!("`{}` is no position", excerpt(text));
        let hint = "give a FEN in quotation marks, an EPD, a link, or `start`";
        return Err(invalid(message).with_hint(hint).into());
    }
    let read = if item.is_epd {
        let epd: Result<Epd, _> = item.text.parse();
        epd.map(|epd| epd.fen).map_err(|error| error.to_string())
    } else {
        let fen: Result<Fen, _> = item.text.parse();
        fen.map_err(|error| error.to_string())
    };
    read.map_err(|message| {
        let error = invalid(message).with_hint("`img2fen check` tells more");
        error.into()
    })
}

/// The error of a FEN whose fields came as arguments of their own, where only one argument is the position.
pub fn unquoted_fen(board: &str) -> Error {
    let message = format!("{board}: the fields of the FEN stand apart");
    Error::new(ErrorKind::InvalidArgument, message).with_hint("put the FEN in quotation marks")
}

fn is_start(text: &str) -> bool {
    matches!(text, "start" | "startpos")
}

/// True when a text has all six fields, so that nothing more can belong to it.
fn is_whole(text: &str) -> bool {
    let mut fields = text.split_whitespace().skip(4);
    let is_counter = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    let counters = [fields.next(), fields.next()];
    counters.iter().all(|field| field.is_some_and(is_counter))
}

/// True for a text that ends as names of files do, whether there is such a file or not; no position does.
fn is_name_of_file(text: &str) -> bool {
    let extension = Path::new(text).extension();
    let extension = extension.and_then(|extension| extension.to_str());
    !text.contains([' ', '_', ';'])
        && !links::is_board(text)
        && extension.is_some_and(|extension| {
            extension.len() <= 5
                && extension.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// Whether a text names a file, a folder or a device.
fn is_there(text: &str) -> bool {
    text != "-" && Path::new(text).exists()
}

/// The error of something that is there, but whose ending is none of those that are read.
fn no_position_file(name: &str) -> Error {
    let endings = Kind::ENDINGS.map(|(ending, _)| format!(".{ending}"));
    let message = format!(
        "{name}: is no file of positions; those end in {}",
        endings.join(", ")
    );
    Error::new(ErrorKind::InvalidArgument, message)
        .with_hint("lines of FENs are read from standard input with `-`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::Volume;

    fn texts(arguments: &[&str]) -> Vec<String> {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| (*argument).to_owned())
            .collect();
        let ui = Ui::new(Volume::Quiet);
        let entries = entries(&arguments, &Limits::default(), &ui).unwrap();
        entries.map(|entry| entry.unwrap().text).collect()
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
        let whole = format!("{board} w - - 0 1");
        let start = Fen::start().to_string();
        assert_eq!(texts(&[&whole, "start"]), [whole.clone(), start.clone()]);
        assert_eq!(texts(&[&whole, "more"]), [whole.as_str(), "more"]);
        assert_eq!(
            texts(&[board, "w", "-", "-", "0", "1", "startpos"]),
            [whole, start]
        );
    }

    #[test]
    fn a_text_for_a_person_is_short_and_cannot_steer_the_terminal() {
        let label = |text: &str| label(&argument(text).unwrap());
        assert_eq!(label("\x1b[31m8/8\n8"), "\u{fffd}[31m8/8\u{fffd}8");
        assert_eq!(label(&"8".repeat(1000)).chars().count(), 301);
    }

    #[test]
    fn an_array_written_by_elements_is_the_one_written_whole() {
        let values = serde_json::json!([{"a": "x\ny", "b": [], "c": {"d": [1, null]}}, "\n", [{}]]);
        let values = values.as_array().unwrap();
        for count in 0..=values.len() {
            let values = &values[..count];
            let mut array = JsonArray::default();
            let mut text: String = values.iter().map(|value| array.element(value)).collect();
            text += array.end();
            assert_eq!(text, serde_json::to_string_pretty(values).unwrap() + "\n");
        }
    }

    #[test]
    fn links_and_start_are_positions_and_files_are_told_by_their_ending() {
        assert_eq!(
            texts(&["https://lichess.org/editor/4k3/8/8/8/8/8/8/4K3_w_-_-_0_1"]),
            ["4k3/8/8/8/8/8/8/4K3_w_-_-_0_1"]
        );
        for text in ["start", "startpos"] {
            assert_eq!(texts(&[text]), [Fen::start().to_string()]);
        }
        assert_eq!(Kind::of("some/where.epd"), Some(Kind::Epd));
        assert_eq!(Kind::of("x.FEN"), Some(Kind::Lines));
        assert_eq!(Kind::of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), None);
    }
}
