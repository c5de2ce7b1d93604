//! The positions in files and on standard input, one after the other as they are read.
//!
//! A file is told by its ending; lines of standard input and of `.fen` and `.txt` may turn out to be PGN or JSON. Only
//! regular files are opened: a pipe or a device may have no end, and opening a pipe waits for its writer. What gives no
//! position is no end of the file: it comes out in its place, with the reason.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use img2fen::input::read_limited;
use img2fen::position::{
    Operation, PgnError, PgnGame, is_epd, is_name_of_chess960, links, pgn_games,
};
use img2fen::report::Record;
use img2fen::{Error, ErrorKind, Fen, Limits};
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::exit::Exit;
use crate::ui::{Ui, excerpt, one_line};

/// Bytes of a line; a line of `readings.jsonl` has some ten thousand.
const MAX_LINE_BYTES: usize = 1 << 20;

/// A text that is to be a position, and where it stands.
#[derive(Debug, Clone)]
pub struct Item {
    /// File and line or number of the game; `None` for an argument.
    pub place: Option<String>,
    pub text: String,
    /// Whether operations may follow the first four fields.
    pub is_epd: bool,
    /// Whether a link, a tag or a member says that the rules of Chess960 hold.
    pub chess960: bool,
    /// What else is known of the position.
    pub origin: Origin,
}

/// What an input tells of a position beside the position itself.
#[derive(Debug, Clone)]
pub enum Origin {
    /// Nothing that is not in the text.
    Text,
    /// All that was read from a picture.
    Reading(Box<Record>),
    /// The tags of a game.
    Game(PgnGame),
    /// Operations as of an EPD.
    Operations(Vec<Operation>),
}

impl Item {
    /// A text at a place, or as an argument. A link stands for its position.
    pub fn new(place: Option<String>, text: &str) -> Self {
        let chess960 = links::is_chess960(text);
        let text = links::fen_text(text).unwrap_or_else(|| text.to_owned());
        Self {
            place,
            chess960,
            is_epd: is_epd(&text),
            text,
            origin: Origin::Text,
        }
    }

    /// As [`Item::new`], for a text that a person gave.
    ///
    /// # Errors
    /// When it is a link without a position.
    pub fn of_text(place: Option<String>, text: &str) -> Entry {
        if links::is_link(text) && links::fen_text(text).is_none() {
            let text = excerpt(text);
            let (place, message) = match place {
                Some(place) => (place, format!("the link `{text}` holds no position")),
                None => (text, "the link holds no position".to_owned()),
            };
            let hint = "its FEN stands after /analysis/, /editor/ or ?fen=";
            return Err(NoPosition::none(place, message, hint));
        }
        Ok(Self::new(place, text))
    }

    /// With counters as operations of an EPD, so that whatever reads the text holds them against those that it has.
    ///
    /// # Errors
    /// When fields are missing before them.
    fn with_counters(self, counters: &[Operation]) -> Entry {
        if self.text.split_whitespace().count() < 4 {
            let place = self.place.unwrap_or_default();
            let message = "its `operations` have counters, but its `fen` has no four fields";
            return Err(NoPosition::unusable(place, message, "give the four fields"));
        }
        let mut text = self.text.trim_end().to_owned();
        if self.is_epd && !text.ends_with(';') {
            text.push(';');
        }
        for Operation { opcode, operands } in counters {
            text += &format!(" {opcode} {};", operands.join(" "));
        }
        Ok(Self {
            is_epd: true,
            text,
            ..self
        })
    }
}

/// An input, or an entry of one, that gives no position.
#[derive(Debug)]
pub struct NoPosition {
    /// The file, with the line or the number of the entry.
    pub place: String,
    /// Why there is none.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// How the program ends because of it.
    pub exit: Exit,
}

impl NoPosition {
    /// Of an entry that cannot be used.
    pub fn unusable(place: String, message: impl Into<String>, hint: &str) -> Self {
        Self {
            place,
            message: message.into(),
            hint: Some(hint.to_owned()),
            exit: Exit::InputFailed,
        }
    }

    /// Where all is well but there is no position.
    fn none(place: String, message: impl Into<String>, hint: &str) -> Self {
        Self {
            exit: Exit::NeedsPerson,
            ..Self::unusable(place, message, hint)
        }
    }

    fn of(place: &str, error: &Error) -> Self {
        Self {
            place: place.to_owned(),
            message: match std::error::Error::source(error) {
                Some(cause) => format!("{error}: {cause}"),
                None => error.to_string(),
            },
            hint: error.hint().map(str::to_owned),
            exit: Exit::of_kind(error.kind()),
        }
    }
}

/// A position or the reason why there is none.
pub type Entry = Result<Item, NoPosition>;

/// Positions as they come, so that a file of millions needs no memory.
pub type Entries<'a> = Box<dyn Iterator<Item = Entry> + 'a>;

/// How positions stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A FEN a line.
    Lines,
    /// An EPD a line.
    Epd,
    /// Games, with their tags `FEN`.
    Pgn,
    /// An array of FENs, or of objects with a `fen`.
    Json,
    /// Such an object a line.
    JsonLines,
}

impl Kind {
    /// Every ending that is read.
    pub const ENDINGS: [(&str, Self); 6] = [
        ("fen", Self::Lines),
        ("txt", Self::Lines),
        ("epd", Self::Epd),
        ("pgn", Self::Pgn),
        ("json", Self::Json),
        ("jsonl", Self::JsonLines),
    ];

    /// What a person may put into an input of this kind that has no position.
    fn hint(self) -> &'static str {
        match self {
            Self::Lines => "give one FEN a line",
            Self::Epd => "give one EPD a line",
            Self::Pgn => "a game begins with a tag such as `[Event \"?\"]`",
            Self::Json => {
                "give an array of FENs in quotation marks, or of objects with one as `fen`"
            }
            Self::JsonLines => "give one object with a `fen` a line",
        }
    }

    /// The kind that the ending of a name tells.
    pub fn of(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?;
        let found = Self::ENDINGS
            .iter()
            .find(|(ending, _)| extension.eq_ignore_ascii_case(ending));
        found.map(|&(_, kind)| kind)
    }
}

/// The positions of a file; it is opened when the first is asked for.
pub fn of_file<'a>(name: String, kind: Kind, limits: &Limits, ui: &'a Ui) -> Entries<'a> {
    let limits = limits.clone();
    let opened = move || -> Entries<'a> {
        match open(&name, &limits) {
            Ok(file) => entries(name, kind, file, &limits, ui),
            Err(error) => Box::new(std::iter::once(Err(NoPosition::of(&name, &error)))),
        }
    };
    Box::new(std::iter::once_with(opened).flatten())
}

/// The positions on standard input; it is read when the first is asked for.
pub fn of_standard_input<'a>(limits: &Limits, ui: &'a Ui) -> Entries<'a> {
    let limits = limits.clone();
    let opened = move || entries("-".to_owned(), Kind::Lines, io::stdin(), &limits, ui);
    Box::new(std::iter::once_with(opened).flatten())
}

fn open(name: &str, limits: &Limits) -> img2fen::Result<File> {
    let failed = |error: io::Error| {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "check the name",
            io::ErrorKind::PermissionDenied => "check the file's permissions",
            _ => "check that the file can be read",
        };
        Error::new(ErrorKind::Io, "cannot open the file")
            .with_hint(hint)
            .with_source(error)
    };
    let metadata = fs::metadata(name).map_err(failed)?;
    if metadata.is_dir() {
        return Err(
            Error::new(ErrorKind::Io, "is a folder, not a file of positions")
                .with_hint("name the files in it"),
        );
    }
    if !metadata.is_file() {
        return Err(Error::new(
            ErrorKind::Io,
            "is a pipe or a device, not a file of positions",
        )
        .with_hint("save it as a file, or give lines of FENs on standard input and `-`"));
    }
    if metadata.len() > limits.max_file_bytes {
        return Err(limits.file_too_large(metadata.len()));
    }
    File::open(name).map_err(failed)
}

/// The positions of an input of a kind; one without any says so.
fn entries<'a>(
    name: String,
    kind: Kind,
    input: impl Read + 'a,
    limits: &Limits,
    ui: &'a Ui,
) -> Entries<'a> {
    let (kind, input): (Kind, Box<dyn Read + 'a>) = if kind == Kind::Lines {
        let (kind, input) = told_by_beginning(input, limits.max_file_bytes);
        (kind, Box::new(input))
    } else {
        (kind, Box::new(input))
    };
    let place = name.clone();
    let found = match kind {
        Kind::Lines | Kind::Epd | Kind::JsonLines => of_lines(name, kind, input, limits, ui),
        Kind::Pgn | Kind::Json => of_text(&name, kind, input, limits, ui)
            .unwrap_or_else(|none| Box::new(std::iter::once(Err(none)))),
    };
    let mut found = found.peekable();
    if found.peek().is_some() {
        return Box::new(found);
    }
    let none = NoPosition::none(place, "there is no position in it", kind.hint());
    Box::new(std::iter::once(Err(none)))
}

/// What lines turn out to be by the first that is neither empty nor a remark, and all of the input: no FEN begins with a
/// bracket, a brace or a quotation mark. Where a comment of PGN may begin, or an object of several lines, all is looked at.
fn told_by_beginning(input: impl Read, max_bytes: u64) -> (Kind, impl Read) {
    let mut input = BufReader::new(input);
    let mut beginning = Vec::new();
    let kind = loop {
        let start = beginning.len();
        let mut rest = (&mut input).take(MAX_LINE_BYTES as u64);
        let read = rest.read_until(b'\n', &mut beginning);
        // An error comes again when the rest is read.
        if !read.is_ok_and(|count| count > 0) || beginning.len() > MAX_LINE_BYTES {
            break Kind::Lines;
        }
        let is_line = |line: &&[u8]| !matches!(line, [] | [b'#' | b'%', ..]);
        let Some(line) = lines_of(without_mark(&beginning[start..])).find(is_line) else {
            continue;
        };
        let is_json = || serde_json::from_slice::<IgnoredAny>(line).is_ok();
        break match line {
            [b'[', ..] if is_tag(line) => Kind::Pgn,
            [b'[', ..] => Kind::Json,
            [b'{' | b'"', ..] if is_json() => Kind::JsonLines,
            [b'{' | b';', ..] => {
                // As above.
                let mut rest = (&mut input).take(max_bytes.saturating_add(1));
                let _ = rest.read_to_end(&mut beginning);
                kind_of_text(without_mark(&beginning[start..]).trim_ascii())
            }
            _ => Kind::Lines,
        };
    };
    (kind, Cursor::new(beginning).chain(input))
}

/// The lines of bytes, without the spaces around them; between CR and LF there is an empty one.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
}

/// What begins with a brace or semicolon and no line of JSON: one object on several lines, lines of which the first is
/// broken, or games after a comment.
fn kind_of_text(text: &[u8]) -> Kind {
    let is_object =
        |line: &[u8]| line.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(line).is_ok();
    if is_object(text) {
        Kind::Json
    } else if is_tag(after_comments(text)) {
        Kind::Pgn
    } else if !text.starts_with(b"{") {
        Kind::Lines
    } else if lines_of(text).any(is_object) {
        Kind::JsonLines
    } else {
        Kind::Json
    }
}

/// What follows the comments of PGN at the beginning of a text.
fn after_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let is_end: fn(&u8) -> bool = match text {
            [b'{', ..] => |&byte| byte == b'}',
            [b';' | b'%', ..] => |&byte| matches!(byte, b'\n' | b'\r'),
            _ => return text,
        };
        let end = text.iter().position(is_end).unwrap_or(text.len() - 1);
        text = &text[end + 1..];
    }
}

/// Whether a text begins with a tag of PGN, which JSON has nothing like.
fn is_tag(text: &[u8]) -> bool {
    text.strip_prefix(b"[").is_some_and(|tag| {
        let first = tag.trim_ascii_start().first();
        first.is_some_and(u8::is_ascii_alphabetic)
    })
}

/// The positions of an input that is read as a whole.
fn of_text<'a>(
    name: &str,
    kind: Kind,
    input: impl Read,
    limits: &Limits,
    ui: &Ui,
) -> Result<Entries<'a>, NoPosition> {
    let failed = |error: Error| NoPosition::of(name, &error);
    let bytes = read_limited(input, limits).map_err(failed)?;
    let bytes = text_bytes(&bytes).map_err(failed)?;
    let text = Decoder::new(name, kind, ui).text(bytes.to_owned(), 1)?;
    Ok(match kind {
        Kind::Pgn => of_games(name, &text),
        _ => of_json(name, &text),
    })
}

/// The positions that games start from.
fn of_games<'a>(name: &str, text: &str) -> Entries<'a> {
    let name = name.to_owned();
    let numbered = (1..).zip(pgn_games(text));
    Box::new(numbered.map(move |(number, game)| {
        let place = format!("{name}, game {number}");
        match game.fen() {
            Ok(fen) => {
                let start = || Fen::start().to_string();
                let text = fen.map_or_else(start, str::to_owned);
                let item = Item::new(Some(place), &text);
                Ok(Item {
                    chess960: item.chess960 || game.is_chess960(),
                    origin: Origin::Game(game),
                    ..item
                })
            }
            Err(error) => {
                let hint = match error {
                    PgnError::SecondFen { .. } => "leave one of the two; the other games are read",
                    PgnError::OpenComment { .. } => {
                        "close the comment; games after it are not seen"
                    }
                    _ => "close the tag; the other games are read",
                };
                Err(NoPosition::unusable(place, error.to_string(), hint))
            }
        }
    }))
}

fn of_json<'a>(name: &str, text: &str) -> Entries<'a> {
    if text.trim().is_empty() {
        return Box::new(std::iter::empty());
    }
    let values = match serde_json::from_str(text) {
        Ok(Value::Array(values)) => values,
        Ok(value) => vec![value],
        Err(error) => {
            let message = format!("is no JSON: {error}");
            let none = NoPosition::unusable(name.to_owned(), message, "write the file again");
            return Box::new(std::iter::once(Err(none)));
        }
    };
    let name = name.to_owned();
    let numbered = (1..).zip(values);
    Box::new(numbered.map(move |(number, value)| of_value(format!("{name}, item {number}"), value)))
}

/// The position in an object of JSON, or in a text.
fn of_value(place: String, value: Value) -> Entry {
    const HINT: &str = "an entry is a FEN in quotation marks or an object with one as `fen`";
    let source = || {
        let path = value.pointer("/source/path")?.as_str()?;
        Some(
            match value.pointer("/source/page").and_then(Value::as_u64) {
                Some(page) => format!("{path}, page {page}"),
                None => path.to_owned(),
            },
        )
    };
    let fen = match &value {
        Value::String(text) => text,
        Value::Object(object) => match (object.get("fen"), object.get("type")) {
            (Some(Value::String(text)), _) => text,
            (Some(other), _) => {
                let message = format!("its `fen` is no text but {}", kind_of(other));
                return Err(NoPosition::unusable(place, message, HINT));
            }
            (None, Some(kind)) if kind == "no_board" => {
                let source = source().unwrap_or_else(|| "the picture".to_owned());
                let message = format!("no board was found in {source}");
                return Err(NoPosition::none(place, message, "look at the picture"));
            }
            (None, Some(kind)) if kind == "error" => {
                let source = source().unwrap_or_else(|| "the picture".to_owned());
                let cause = object.get("message").and_then(Value::as_str);
                let message = format!("{source} was not read: {}", cause.unwrap_or("no reason"));
                return Err(NoPosition::unusable(place, message, "read it again"));
            }
            (None, _) => return Err(NoPosition::unusable(place, "it has no `fen`", HINT)),
        },
        other => {
            let message = format!("it is {}, no position", kind_of(other));
            return Err(NoPosition::unusable(place, message, HINT));
        }
    };
    let mut item = Item::new(Some(place.clone()), fen);
    let variant = value.get("variant").and_then(Value::as_str);
    let is_reading = value.get("type").is_some_and(|kind| kind == "reading");
    // The rights of a reading were held against the rules when they were given.
    let chess960 = item.chess960
        || variant.is_some_and(is_name_of_chess960)
        || (is_reading && item.text.parse().is_ok_and(|fen: Fen| fen.needs_chess960()));
    let origin = if is_reading {
        serde_json::from_value(value)
            .ok()
            .map_or(Origin::Text, Origin::Reading)
    } else if let Some(found) = value.get("operations") {
        let Some(mut operations) = operations(found) else {
            let message = "its `operations` are no object with a list of texts for each opcode";
            return Err(NoPosition::unusable(
                place,
                message,
                "write `{\"bm\": [\"O-O\"]}`",
            ));
        };
        let is_counter =
            |operation: &mut Operation| matches!(operation.opcode.as_str(), "hmvc" | "fmvn");
        let counters: Vec<_> = operations.extract_if(.., is_counter).collect();
        if !counters.is_empty() {
            item = item.with_counters(&counters)?;
        }
        Origin::Operations(operations)
    } else {
        Origin::Text
    };
    Ok(Item {
        chess960,
        origin,
        ..item
    })
}

/// The operations of an EPD from `{"bm": ["O-O"]}`, with a list of such lists for an opcode that is repeated; `None` when
/// that is not the form, or an opcode is none.
fn operations(value: &Value) -> Option<Vec<Operation>> {
    let mut operations = Vec::new();
    for (opcode, operands) in value.as_object()? {
        let mut letters = opcode.chars();
        let is_opcode = letters
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !is_opcode {
            return None;
        }
        let operands = operands.as_array()?;
        let is_repeated = operands.first().is_some_and(Value::is_array);
        let lists = if is_repeated {
            operands
                .iter()
                .map(Value::as_array)
                .collect::<Option<_>>()?
        } else {
            vec![operands]
        };
        for list in lists {
            let texts = list.iter().map(|text| text.as_str().map(str::to_owned));
            operations.push(Operation {
                opcode: opcode.clone(),
                operands: texts.collect::<Option<_>>()?,
            });
        }
    }
    Some(operations)
}

/// What a value of JSON is, in words.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A position a line. Empty lines are passed over, and in other files than JSON those that begin with `#` or `%`.
fn of_lines<'a>(
    name: String,
    kind: Kind,
    input: impl Read + 'a,
    limits: &Limits,
    ui: &'a Ui,
) -> Entries<'a> {
    let mut lines = Lines::new(input, limits);
    let mut decoder = Decoder::new(&name, kind, ui);
    Box::new(std::iter::from_fn(move || {
        loop {
            let line = match lines.next()? {
                Ok(line) => decoder.text(line, lines.number),
                Err(error) => {
                    let place = format!("{name}:{}", lines.number);
                    Err(NoPosition::of(&place, &error))
                }
            };
            let line = match line {
                Ok(line) => line,
                Err(none) => return Some(Err(none)),
            };
            let text = line.trim();
            let is_remark = kind != Kind::JsonLines && text.starts_with(['#', '%']);
            if text.is_empty() || is_remark {
                continue;
            }
            let place = format!("{name}:{}", lines.number);
            if kind != Kind::JsonLines {
                return Some(Item::of_text(Some(place), text).map(|item| {
                    let is_epd = item.is_epd || kind == Kind::Epd;
                    Item { is_epd, ..item }
                }));
            }
            return Some(match serde_json::from_str(text) {
                Ok(value) => of_value(place, value),
                Err(error) => {
                    let full = error.to_string();
                    let end = format!(" at line {} column {}", error.line(), error.column());
                    let cause = full.strip_suffix(&end).unwrap_or(&full);
                    let message = format!(
                        "is no JSON: {cause} at column {}: `{}`",
                        error.column(),
                        excerpt(text)
                    );
                    let hint = "write one object a line; the other lines are read";
                    Err(NoPosition::unusable(place, message, hint))
                }
            });
        }
    }))
}

/// The lines of a text, which end with LF, CR LF or CR, within the limits.
struct Lines<R> {
    input: BufReader<R>,
    limits: Limits,
    bytes_read: u64,
    /// The line that was read last, from 1.
    number: usize,
    /// The last line ended with CR: an LF that follows belongs to it.
    after_return: bool,
    ended: bool,
}

impl<R: Read> Lines<R> {
    fn new(input: R, limits: &Limits) -> Self {
        Self {
            input: BufReader::new(input),
            limits: limits.clone(),
            bytes_read: 0,
            number: 0,
            after_return: false,
            ended: false,
        }
    }

    /// The next line. One that is too long is an error in its place; after other errors there is none.
    fn next(&mut self) -> Option<img2fen::Result<Vec<u8>>> {
        if self.ended {
            return None;
        }
        let line = match self.read() {
            Ok(Some(line)) if line.len() > MAX_LINE_BYTES => {
                let message = format!(
                    "the line has more than {MAX_LINE_BYTES} bytes; no position is so long"
                );
                return Some(Err(Error::new(ErrorKind::LimitExceeded, message)
                    .with_hint(
                        "give a text with one position a line; the other lines are read",
                    )));
            }
            line => line,
        };
        self.ended = !matches!(line, Ok(Some(_)));
        line.transpose()
    }

    /// The bytes of the next line; of one that is too long one more than are allowed.
    fn read(&mut self) -> img2fen::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        self.number += 1;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(Error::new(ErrorKind::Io, "cannot be read").with_source(error));
                }
            };
            if buffer.is_empty() {
                let is_line = !line.is_empty();
                return if is_line {
                    self.checked(line).map(Some)
                } else {
                    Ok(None)
                };
            }
            let skipped = usize::from(std::mem::take(&mut self.after_return) && buffer[0] == b'\n');
            let rest = &buffer[skipped..];
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let wanted = end.unwrap_or(rest.len());
            line.extend_from_slice(&rest[..wanted.min(MAX_LINE_BYTES + 1 - line.len())]);
            self.after_return = end.is_some_and(|end| rest[end] == b'\r');
            let used = skipped + end.map_or(rest.len(), |end| end + 1);
            self.input.consume(used);
            self.bytes_read += used as u64;
            if self.bytes_read > self.limits.max_file_bytes {
                return Err(self.limits.file_too_large(self.bytes_read));
            }
            if end.is_some() {
                return self.checked(line).map(Some);
            }
        }
    }

    /// The line; the first may begin with a mark, or show that the input is no text.
    fn checked(&self, line: Vec<u8>) -> img2fen::Result<Vec<u8>> {
        if self.number == 1 {
            return text_bytes(&line).map(<[u8]>::to_owned);
        }
        Ok(line)
    }
}

/// The bytes of a text without the mark that says they are UTF-8.
///
/// # Errors
/// When they are UTF-16, by their mark or when they begin with zeros, as no text does.
fn text_bytes(bytes: &[u8]) -> img2fen::Result<&[u8]> {
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if is_utf16 {
        return Err(Error::new(ErrorKind::UnsupportedFormat, "is UTF-16")
            .with_hint("save the file as UTF-8"));
    }
    if bytes.iter().take(1024).any(|&byte| byte == 0) {
        return Err(Error::new(
            ErrorKind::UnsupportedFormat,
            "is no text: it holds zero bytes",
        )
        .with_hint("if it is UTF-16, save it as UTF-8"));
    }
    Ok(without_mark(bytes))
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Makes text of the bytes of an input: UTF-8, and where that fails ISO 8859-1, as the standard of PGN has it and old
/// programs write names and comments. JSON is UTF-8 alone.
struct Decoder<'a> {
    name: String,
    kind: Kind,
    ui: &'a Ui,
    is_said: bool,
}

impl<'a> Decoder<'a> {
    fn new(name: &str, kind: Kind, ui: &'a Ui) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            ui,
            is_said: false,
        }
    }

    /// Bytes as text; the first line of them has this number.
    ///
    /// # Errors
    /// When JSON is not UTF-8, with the line that is not.
    fn text(&mut self, bytes: Vec<u8>, first_line: usize) -> Result<String, NoPosition> {
        let error = match String::from_utf8(bytes) {
            Ok(text) => return Ok(text),
            Err(error) => error,
        };
        let bytes = error.as_bytes();
        let line = first_line + line_ends(&bytes[..error.utf8_error().valid_up_to()]);
        let place = format!("{}:{line}", self.name);
        let hint = match self.kind {
            Kind::Json => "save the file as UTF-8",
            Kind::JsonLines => "save the file as UTF-8; the other lines are read",
            Kind::Lines | Kind::Epd | Kind::Pgn => {
                if !std::mem::replace(&mut self.is_said, true) {
                    let place = one_line(&place);
                    self.ui
                        .note(&format!("{place}: is not UTF-8; read as ISO 8859-1"));
                }
                return Ok(latin_1(bytes));
            }
        };
        Err(NoPosition::unusable(place, "the line is not UTF-8", hint))
    }
}

/// How many lines end in these bytes, with LF, CR LF or CR.
fn line_ends(bytes: &[u8]) -> usize {
    let is_end = |(at, byte): &(usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    bytes.iter().enumerate().filter(is_end).count()
}

/// Bytes as text, each that is not UTF-8 as its letter of ISO 8859-1.
fn latin_1(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(char::from));
    }
    text
}
