//! Extended Position Description: the first four fields of a FEN and operations such as `id "book p. 12";`.
//!
//! A FEN holds no history and no names; EPD is the format for such extras. The counters are the operations `hmvc` and
//! `fmvn`. A line of six fields, as some programs write into EPD files, is read too; counters that are given in both ways
//! must be the same. In texts between quotation marks `\"`
//! stands for a quotation mark and `\\` for a backslash; before any other character a backslash is itself.

use std::fmt;
use std::str::FromStr;

use super::error::{FenError, FenFault, Field};
use super::fen::{ParsedFen, excerpt, has_leading_zero, parse_counter};
use super::{Fen, FenStyle, Known, Provenance};
use crate::wording::in_quotation_marks;

/// A position with operations.
///
/// ```
/// use img2fen::position::Epd;
///
/// let line = r#"4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id "book.pdf p12 #3"; hmvc 4; fmvn 40;"#;
/// let epd: Epd = line.parse().unwrap();
/// assert_eq!(epd.fen.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 4 40");
/// assert_eq!(epd.operands("bm").unwrap(), ["O-O", "Rh8+"]);
/// assert_eq!(epd.operands("id").unwrap(), ["book.pdf p12 #3"]);
/// assert_eq!(epd.to_string(), line);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position; its counters come from `hmvc` and `fmvn`, else they are 0 and 1.
    pub fen: Fen,
    /// The other operations in their order.
    pub operations: Vec<Operation>,
}

/// An operation of an EPD.
///
/// ```
/// use img2fen::position::Epd;
///
/// let epd: Epd = "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2 Kd2;".parse().unwrap();
/// assert_eq!(epd.operations[0].opcode, "bm");
/// assert_eq!(epd.operations[0].operands, ["Ke2", "Kd2"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name, such as `bm` or `id`.
    pub opcode: String,
    /// What follows it: moves, numbers or texts.
    pub operands: Vec<String>,
}

/// A text that is not an EPD.
///
/// ```
/// use img2fen::position::Epd;
///
/// let error = "4k3/8/8/8/8/8/8/4K3 w - - 7;".parse::<Epd>().unwrap_err();
/// assert!(error.to_string().starts_with("operation, column 27: found `7`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// One of the first fields cannot be read.
    #[error("{0}")]
    Position(#[from] FenError),
    /// An operation cannot be read.
    #[error("operation, column {}: {message}", .position + 1)]
    Operation {
        /// Where it begins, in characters from 0.
        position: usize,
        /// What is wrong and what was expected.
        message: String,
    },
}

impl Epd {
    /// A position without operations.
    ///
    /// ```
    /// use img2fen::{Fen, position::Epd};
    ///
    /// assert!(Epd::new(Fen::start()).operations.is_empty());
    /// ```
    pub const fn new(fen: Fen) -> Self {
        Self {
            fen,
            operations: Vec::new(),
        }
    }

    /// With one more operation. A line break, which EPD has no place for, becomes a space.
    ///
    /// ```
    /// use img2fen::{Fen, position::Epd};
    ///
    /// let epd = Epd::new(Fen::start()).with("id", ["page 3"]);
    /// assert!(epd.to_string().ends_with(r#"KQkq - id "page 3";"#));
    /// ```
    #[must_use]
    pub fn with<'a>(mut self, opcode: &str, operands: impl IntoIterator<Item = &'a str>) -> Self {
        self.operations.push(Operation {
            opcode: opcode.to_owned(),
            operands: operands.into_iter().map(str::to_owned).collect(),
        });
        self
    }

    /// The operands of the first operation of that name.
    ///
    /// ```
    /// use img2fen::{Fen, position::Epd};
    ///
    /// let epd = Epd::new(Fen::start()).with("id", ["page 3"]);
    /// assert_eq!(epd.operands("id").unwrap(), ["page 3"]);
    /// assert_eq!(epd.operands("bm"), None);
    /// ```
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
            .map(|operation| operation.operands.as_slice())
    }

    /// Writes the line in a style.
    ///
    /// ```
    /// use img2fen::{CastlingStyle, Fen, FenStyle, position::Epd};
    ///
    /// let style = FenStyle { castling: CastlingStyle::Shredder, ..FenStyle::default() };
    /// assert!(Epd::new(Fen::start()).display(style).ends_with(" w HAha -"));
    /// ```
    pub fn display(&self, style: FenStyle) -> String {
        let mut line = self.fen.position_fields(style);
        for Operation { opcode, operands } in &self.operations {
            line.push(' ');
            line += opcode;
            for operand in operands {
                line.push(' ');
                line += &written(opcode, operand);
            }
            line.push(';');
        }
        if self.fen.halfmove != 0 || self.fen.fullmove != 1 {
            line += &format!(" hmvc {}; fmvn {};", self.fen.halfmove, self.fen.fullmove);
        }
        line
    }
}

/// Moves and numbers stand bare; texts, by their opcode or their characters, in quotation marks.
fn written(opcode: &str, operand: &str) -> String {
    let is_text =
        opcode == "id" || (opcode.len() == 2 && opcode.starts_with('c') && opcode != "ce");
    let bare = |letter: char| letter.is_ascii_graphic() && !matches!(letter, '"' | ';');
    if !is_text && !operand.is_empty() && operand.chars().all(bare) {
        return operand.to_owned();
    }
    in_quotation_marks(operand)
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display(FenStyle::default()))
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        ParsedEpd::parse(text)
            .map(|parsed| parsed.epd)
            .map_err(|mut errors| errors.swap_remove(0))
    }
}

/// An EPD with what a careful reader notices about its first fields.
#[derive(Clone, Debug)]
pub(crate) struct ParsedEpd {
    pub(crate) epd: Epd,
    pub(crate) position: ParsedFen,
    /// True when the last operation has no `;`.
    pub(crate) unended: bool,
}

impl ParsedEpd {
    /// Reads an EPD, or gives every fault of it.
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<EpdError>> {
        let positions = |errors: Vec<FenError>| {
            errors
                .into_iter()
                .map(EpdError::Position)
                .collect::<Vec<_>>()
        };
        // Underscores may belong to operations, so only white space separates here.
        let mut fields: Vec<(usize, &str)> = Vec::with_capacity(6);
        let mut rest = text;
        let mut consumed = 0;
        while fields.len() < 6 {
            let skipped = rest
                .chars()
                .take_while(|letter| letter.is_whitespace())
                .count();
            let trimmed = rest.trim_start();
            let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
            let field = &trimmed[..end];
            let is_counter = parse_counter(field).is_some() && !field.is_empty();
            if field.is_empty() || (fields.len() >= 4 && !is_counter) {
                break;
            }
            fields.push((consumed + skipped, field));
            consumed += skipped + field.chars().count();
            rest = &trimmed[end..];
        }
        let six = fields.len() > 4;
        let mut position = ParsedFen::parse_fields(&fields, &text[..text.len() - rest.len()], six)
            .map_err(positions)?;
        let unended = !rest.trim_end().is_empty() && !rest.trim_end().ends_with(';');
        let placed = parse_operations(rest, consumed).map_err(|error| vec![error])?;
        let mut operations = Vec::with_capacity(placed.len());
        let mut errors = Vec::new();
        let in_field = |counter: Known<u32>| {
            let is_given = counter.provenance == Provenance::Given;
            is_given.then_some(counter.value)
        };
        let fields = &position.fields;
        let (halfmove_field, fullmove_field) =
            (in_field(fields.halfmove), in_field(fields.fullmove));
        let (mut halfmove, mut fullmove) = (None, None);
        for (place, operation) in placed {
            let (counter, of_field, field) = match operation.opcode.as_str() {
                "hmvc" => (&mut halfmove, halfmove_field, Field::Halfmove),
                "fmvn" => (&mut fullmove, fullmove_field, Field::Fullmove),
                _ => {
                    operations.push(operation);
                    continue;
                }
            };
            let number = match operation.operands.as_slice() {
                [number] if !number.is_empty() => parse_counter(number),
                _ => None,
            };
            let Some(mut number) = number else {
                let found = excerpt(&operation.operands.join(" "));
                let fault = FenFault::Counter { found };
                errors.push(EpdError::Position(FenError::new(field, place, fault)));
                continue;
            };
            if field == Field::Fullmove && number == 0 {
                // As in a FEN, 0 is read as 1.
                position.fullmove_zero = true;
                number = 1;
            }
            let contradicted = of_field.filter(|&of_field| of_field != number);
            if let Some(of_field) = contradicted {
                let opcode = operation.opcode;
                let message =
                    format!("`{opcode}` says {number}, but the {field} before it is {of_field}");
                errors.push(EpdError::Operation {
                    position: place,
                    message,
                });
            } else if counter.is_some() {
                let message = format!("`{}` is given a second time", operation.opcode);
                errors.push(EpdError::Operation {
                    position: place,
                    message,
                });
            } else {
                *counter = Some(number);
            }
            if operation
                .operands
                .iter()
                .any(|number| has_leading_zero(number))
            {
                position.note_leading_zero();
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let fields = &mut position.fields;
        for (counter, field) in [
            (halfmove, &mut fields.halfmove),
            (fullmove, &mut fields.fullmove),
        ] {
            if let Some(number) = counter {
                *field = Known::new(number, Provenance::Given);
            }
        }
        let fen = position.fields.fen();
        Ok(Self {
            epd: Epd { fen, operations },
            position,
            unended,
        })
    }
}

/// The opcodes of the specification, but for the families `c0` to `c9` and `v0` to `v9`.
const OPCODES: [&str; 25] = [
    "acd",
    "acn",
    "acs",
    "am",
    "bm",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
];

/// True for a text that is an EPD and no FEN: it has a `;`, which no FEN has, or after four fields an opcode that the
/// specification knows.
///
/// ```
/// use img2fen::position::is_epd;
///
/// assert!(is_epd("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1"));
/// assert!(is_epd("4k3/8/8/8/8/8/8/4K3 w - - my thoughts;"));
/// assert!(!is_epd("4k3/8/8/8/8/8/8/4K3 w - - x 1"));
/// ```
pub fn is_epd(text: &str) -> bool {
    let is_opcode = |word: &str| {
        let family = word.len() == 2
            && word.starts_with(['c', 'v'])
            && word.ends_with(|last: char| last.is_ascii_digit());
        family || OPCODES.contains(&word)
    };
    text.contains(';') || text.split_whitespace().nth(4).is_some_and(is_opcode)
}

/// Reads `opcode operand ...;` until the end, each operation with the place of its opcode; the last `;` may be missing.
fn parse_operations(text: &str, offset: usize) -> Result<Vec<(usize, Operation)>, EpdError> {
    let fault = |position: usize, message: String| EpdError::Operation { position, message };
    let mut letters = (offset..).zip(text.chars()).peekable();
    let mut operations = Vec::new();
    let mut current: Option<(usize, Operation)> = None;
    while let Some(&(position, letter)) = letters.peek() {
        if letter.is_whitespace() {
            letters.next();
        } else if letter == ';' {
            letters.next();
            // An empty operation between two `;` says nothing.
            operations.extend(current.take());
        } else if letter == '"' {
            letters.next();
            let mut operand = String::new();
            let closed = loop {
                match letters.next() {
                    Some((_, '"')) => break true,
                    Some((_, '\\')) => {
                        let escaped = letters.next_if(|&(_, next)| matches!(next, '"' | '\\'));
                        operand.push(escaped.map_or('\\', |(_, letter)| letter));
                    }
                    Some((_, letter)) => operand.push(letter),
                    None => break false,
                }
            };
            if !closed {
                let message = "the text has no closing `\"`".to_owned();
                return Err(fault(position, message));
            }
            match &mut current {
                Some((_, operation)) => operation.operands.push(operand),
                None => {
                    let message = format!(
                        "found \"{}\", expected an opcode such as `id`",
                        excerpt(&operand)
                    );
                    return Err(fault(position, message));
                }
            }
        } else {
            let mut word = String::new();
            while let Some(&(_, letter)) = letters.peek() {
                if letter.is_whitespace() || letter == ';' || letter == '"' {
                    break;
                }
                word.push(letter);
                letters.next();
            }
            match &mut current {
                Some((_, operation)) => operation.operands.push(word),
                None => {
                    let is_opcode = word.starts_with(|first: char| first.is_ascii_alphabetic())
                        && word
                            .bytes()
                            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                    if !is_opcode {
                        let word = excerpt(&word);
                        let message = format!(
                            "found `{}`, expected an opcode of letters, digits and `_`, such as `id`",
                            word.escape_debug()
                        );
                        return Err(fault(position, message));
                    }
                    let operation = Operation {
                        opcode: word,
                        operands: Vec::new(),
                    };
                    current = Some((position, operation));
                }
            }
        }
    }
    operations.extend(current);
    Ok(operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(text: &str) -> Epd {
        text.parse().unwrap()
    }

    #[test]
    fn four_fields_are_enough_and_six_are_read() {
        let board = "4k3/8/8/8/8/8/8/4K3 w - -";
        assert_eq!(epd(board).to_string(), board);
        assert_eq!(epd(&format!("{board} 7 12")).fen.halfmove, 7);
        assert_eq!(
            epd(&format!("{board} 7 12 id \"x\";")).to_string(),
            format!("{board} id \"x\"; hmvc 7; fmvn 12;")
        );
    }

    #[test]
    fn texts_are_quoted_and_moves_are_not() {
        let line = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; acd 12; c0 \"doubtful: e4; f4\";";
        let read = epd(line);
        assert_eq!(read.operands("c0").unwrap(), ["doubtful: e4; f4"]);
        assert_eq!(read.operands("acd").unwrap(), ["12"]);
        assert_eq!(read.to_string(), line);
        let odd = Epd::new(Fen::start()).with("id", ["a \"b\"\nc"]);
        assert_eq!(
            odd.to_string()
                .parse::<Epd>()
                .unwrap()
                .operands("id")
                .unwrap(),
            ["a \"b\" c"]
        );
    }

    #[test]
    fn quotation_marks_and_backslashes_in_texts_come_back() {
        let board = "4k3/8/8/8/8/8/8/4K3 w - -";
        let line = format!(r#"{board} c0 "a \"quote\"";"#);
        assert_eq!(epd(&line).operands("c0").unwrap(), [r#"a "quote""#]);
        assert_eq!(epd(&line).to_string(), line);
        // Before other characters a backslash is itself.
        let path = epd(&format!(r#"{board} c0 "C:\books\one";"#));
        assert_eq!(path.operands("c0").unwrap(), [r"C:\books\one"]);
        for text in ["\"", "\\", "\\\"", "\"\\", "\\\\", "a\\\"b;", "''", " "] {
            let given = Epd::new(Fen::start()).with("c0", [text]);
            assert_eq!(epd(&given.to_string()), given, "{text}");
        }
    }

    #[test]
    fn the_last_semicolon_may_be_missing() {
        assert_eq!(
            epd("4k3/8/8/8/8/8/8/4K3 w - - id x")
                .operands("id")
                .unwrap(),
            ["x"]
        );
        assert_eq!(epd("4k3/8/8/8/8/8/8/4K3 w - - noop;;").operations.len(), 1);
    }

    #[test]
    fn counters_are_held_to_what_those_of_a_fen_are() {
        let board = "4k3/8/8/8/8/8/8/4K3 w - -";
        let read = epd(&format!("{board} hmvc 3; fmvn 9;"));
        assert_eq!((read.fen.halfmove, read.fen.fullmove), (3, 9));
        assert_eq!(epd(&format!("{board} fmvn 0;")).fen.fullmove, 1);
        for (opcode, field) in [("hmvc", Field::Halfmove), ("fmvn", Field::Fullmove)] {
            for number in ["x", "-1", "99999999999", "+1", "1.5", "1 2", "\"\"", ""] {
                let error = format!("{board} {opcode} {number};").parse::<Epd>();
                let Err(EpdError::Position(error)) = error else {
                    panic!("{opcode} {number}: {error:?}");
                };
                assert_eq!((error.field(), error.position()), (field, 26), "{number}");
                assert!(
                    matches!(error.fault(), FenFault::Counter { .. }),
                    "{number}"
                );
            }
            let error = format!("{board} {opcode} 5; {opcode} 5;").parse::<Epd>();
            assert_eq!(
                error.unwrap_err().to_string(),
                format!("operation, column 35: `{opcode}` is given a second time")
            );
        }
    }

    #[test]
    fn a_counter_that_is_given_in_both_ways_is_the_same_or_an_error() {
        let board = "4k3/8/8/8/8/8/8/4K3 w - -";
        for (counters, operations) in [
            ("7 12", "hmvc 7;"),
            ("7 12", "fmvn 12;"),
            ("7 12", "fmvn 12; hmvc 7;"),
            ("7", "hmvc 7; fmvn 12;"),
            ("7", "fmvn 12;"),
        ] {
            let read = epd(&format!("{board} {counters} {operations}"));
            assert_eq!((read.fen.halfmove, read.fen.fullmove), (7, 12));
            assert_eq!(read.to_string(), format!("{board} hmvc 7; fmvn 12;"));
        }
        assert_eq!(epd(&format!("{board} 0 0 fmvn 1;")).fen.fullmove, 1);
        for (counters, operation, message) in [
            (
                "7 12",
                "hmvc 3;",
                "`hmvc` says 3, but the halfmove clock before it is 7",
            ),
            (
                "7 12",
                "fmvn 3;",
                "`fmvn` says 3, but the fullmove number before it is 12",
            ),
            (
                "7 01",
                "fmvn 3;",
                "`fmvn` says 3, but the fullmove number before it is 1",
            ),
            (
                "0 01",
                "hmvc 3;",
                "`hmvc` says 3, but the halfmove clock before it is 0",
            ),
        ] {
            let error = format!("{board} {counters} {operation}").parse::<Epd>();
            let column = board.len() + counters.len() + 3;
            assert_eq!(
                error.unwrap_err().to_string(),
                format!("operation, column {column}: {message}")
            );
        }
    }

    #[test]
    fn faults_are_placed() {
        let message = |text: &str| text.parse::<Epd>().unwrap_err().to_string();
        assert_eq!(
            message("4k3/8/8/8/8/8/8/4K3 w - - id \"x"),
            "operation, column 30: the text has no closing `\"`"
        );
        assert_eq!(
            message("4k3/8/8/8/8/8/8/4K3 w - - +id x;"),
            "operation, column 27: found `+id`, expected an opcode of letters, digits and `_`, such as `id`"
        );
        assert_eq!(
            message("4k3/8/8/8/8/8/8/4K3 w - e9 id x;"),
            "en passant target, column 25: found `e9`, expected `-` or a square such as `e3`"
        );
    }
}
