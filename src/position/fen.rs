//! A position as the six fields of a FEN.
//!
//! Reading is lenient where software differs: missing fields, underscores or several spaces between fields, castling in
//! any of the three styles, either en passant convention. Writing is canonical. What the text did not say is filled in
//! and marked, see [`FenFields`](super::FenFields).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::castling::{CastlingRights, CastlingStyle, in_usual_order};
use super::en_passant;
use super::error::{FenError, FenFault, Field};
use super::known::{FenFields, Known, Provenance};
use super::placement::parse_board;
use super::{Color, Placement, Square, infer};

/// When the en passant target is written.
///
/// ```
/// use img2fen::{EnPassantStyle, Fen, FenStyle};
///
/// let fen: Fen = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1".parse().unwrap();
/// let style = FenStyle { en_passant: EnPassantStyle::Legal, ..FenStyle::default() };
/// assert_eq!(fen.display(style).to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EnPassantStyle {
    /// After every double step of a pawn, as the original specification has it. A target that the text did not give
    /// cannot be known and is not made up.
    #[default]
    Always,
    /// Only when a legal en passant capture exists.
    Legal,
}

/// How a FEN is written where conventions differ.
///
/// ```
/// use img2fen::{CastlingStyle, EnPassantStyle, FenStyle};
///
/// let style = FenStyle::default();
/// assert_eq!(style.castling, CastlingStyle::Xfen);
/// assert_eq!(style.en_passant, EnPassantStyle::Always);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FenStyle {
    /// How castling rights are written.
    pub castling: CastlingStyle,
    /// When the en passant target is written.
    pub en_passant: EnPassantStyle,
}

/// A position: the six fields of a FEN.
///
/// The fields may contradict each other; [`check`](crate::check) tells. `Display`, `FromStr` and serde use the text of
/// six fields; [`Fen::display`] writes other conventions.
///
/// ```
/// use img2fen::{Color, Fen};
///
/// let fen: Fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2".parse().unwrap();
/// assert_eq!(fen.turn, Color::Black);
/// assert_eq!((fen.halfmove, fen.fullmove), (1, 2));
///
/// // Lenient in, canonical out.
/// let fen: Fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_HAha_e3".parse().unwrap();
/// assert_eq!(fen.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// What stands where.
    pub placement: Placement,
    /// The side to move.
    pub turn: Color,
    /// Who may castle with which rook.
    pub castling: CastlingRights,
    /// The square that a pawn has just skipped.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove: u32,
    /// The number of the move; it starts at 1 and grows after Black's move.
    pub fullmove: u32,
}

impl Fen {
    /// The start of a game.
    ///
    /// ```
    /// assert_eq!(
    ///     img2fen::Fen::start().to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    /// );
    /// ```
    pub fn start() -> Self {
        Self {
            placement: Placement::start(),
            turn: Color::White,
            castling: CastlingRights::ALL,
            en_passant: None,
            halfmove: 0,
            fullmove: 1,
        }
    }

    /// Writes the six fields in a style.
    ///
    /// ```
    /// use img2fen::{CastlingStyle, EnPassantStyle, Fen, FenStyle};
    ///
    /// let fen: Fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".parse().unwrap();
    /// let style = FenStyle { castling: CastlingStyle::Shredder, en_passant: EnPassantStyle::Legal };
    /// assert_eq!(
    ///     fen.display(style).to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1"
    /// );
    /// ```
    pub fn display(&self, style: FenStyle) -> impl fmt::Display {
        DisplayFen { fen: *self, style }
    }

    /// The first four fields, as they begin an EPD.
    pub(crate) fn position_fields(&self, style: FenStyle) -> String {
        let en_passant = self.en_passant.filter(|&target| {
            style.en_passant == EnPassantStyle::Always
                || en_passant::has_legal_capture(&self.placement, self.turn, target)
        });
        let castling = self.castling.display(style.castling, &self.placement);
        let mut text = format!("{} {} {castling} ", self.placement, self.turn.letter());
        match en_passant {
            Some(target) => text += &target.to_string(),
            None => text.push('-'),
        }
        text
    }

    /// True when the rules of Chess960 allow castling rights that those of standard chess do not.
    ///
    /// ```
    /// let needs = |text: &str| text.parse::<img2fen::Fen>().unwrap().needs_chess960();
    /// assert!(needs("1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1"));
    /// assert!(!needs("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"));
    /// ```
    pub fn needs_chess960(&self) -> bool {
        let allowed = |chess960| self.castling.supported(&self.placement, chess960);
        allowed(true) != allowed(false)
    }

    /// The position with the board turned by 180°: every square changes, rights and en passant target are dropped
    /// because they belong to squares that hold something else now.
    ///
    /// ```
    /// let fen: img2fen::Fen = "4k3/8/8/8/8/8/7P/8 w - - 0 1".parse().unwrap();
    /// assert_eq!(fen.rotated().to_string(), "8/P7/8/8/8/8/8/3k4 w - - 0 1");
    /// ```
    pub fn rotated(&self) -> Self {
        let placement = self.placement.rotated();
        Self {
            placement,
            castling: infer::castling(&placement),
            en_passant: None,
            ..*self
        }
    }
}

struct DisplayFen {
    fen: Fen,
    style: FenStyle,
}

impl fmt::Display for DisplayFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = &self.fen;
        let position = fen.position_fields(self.style);
        write!(f, "{position} {} {}", fen.halfmove, fen.fullmove)
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(FenStyle::default()).fmt(f)
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<FenFields>().map(|fields| fields.fen())
    }
}

impl FromStr for FenFields {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        ParsedFen::parse(text)
            .map(|parsed| parsed.fields)
            .map_err(|mut errors| errors.swap_remove(0))
    }
}

impl Serialize for Fen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// A FEN as its text gave it, with what a careful reader notices about the text.
#[derive(Clone, Debug)]
pub(crate) struct ParsedFen {
    pub(crate) fields: FenFields,
    /// The castling rights as the text gives them; empty when it does not.
    pub(crate) castling_letters: String,
    /// Fields that the text left out.
    pub(crate) missing: Vec<Field>,
    /// True when the fullmove number was 0; it is read as 1.
    pub(crate) fullmove_zero: bool,
    /// What was read although it is not the canonical way of writing.
    pub(crate) oddities: Vec<&'static str>,
}

impl ParsedFen {
    /// True when castling rights were given by letters of files.
    pub(crate) fn names_rook_files(&self) -> bool {
        let is_file = |byte: u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'h');
        self.castling_letters.bytes().any(is_file)
    }

    /// Reads a FEN of one to six fields, or gives every fault of it.
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<FenError>> {
        Self::parse_fields(&split_fields(text), text, true)
    }

    /// Reads given fields; `more` allows the two counters and complains about anything after them.
    pub(crate) fn parse_fields(
        fields: &[(usize, &str)],
        text: &str,
        more: bool,
    ) -> Result<Self, Vec<FenError>> {
        let mut errors = Vec::new();
        let mut missing = Vec::new();
        let mut oddities = Vec::new();
        let spaces = || text.chars().filter(|letter| letter.is_whitespace());
        if more && text.bytes().any(|byte| byte == b'_') {
            oddities.push("underscores between the fields");
        } else if spaces().any(|space| space != ' ') {
            oddities.push("other spaces than plain ones");
        } else if spaces().count() >= fields.len().max(1) {
            oddities.push("extra spaces");
        }

        let (start, board) = fields.first().copied().unwrap_or((0, ""));
        let (placement, split_digits) = parse_board(board, start, &mut errors);
        let board_is_sound = errors.is_empty();
        if split_digits {
            oddities.push("digits side by side for one run of empty squares");
        }

        let mut field = |index: usize, field: Field| {
            let found = fields.get(index).copied();
            // A hyphen for a counter says no more than nothing.
            let is_counter = matches!(field, Field::Halfmove | Field::Fullmove);
            let found = found.filter(|&(_, text)| !(is_counter && text == "-"));
            if found.is_none() {
                missing.push(field);
            }
            found
        };

        let turn = match field(1, Field::Turn) {
            None => None,
            Some((position, text)) => {
                let mut letters = text.chars();
                let color = letters.next().and_then(Color::from_letter);
                if color.is_none() || letters.next().is_some() {
                    let found = excerpt(text);
                    errors.push(FenError::new(
                        Field::Turn,
                        position,
                        FenFault::Turn { found },
                    ));
                } else if text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
                    oddities.push("a capital letter for the side to move");
                }
                color
            }
        };
        let mut castling_letters = String::new();
        let castling = match field(2, Field::Castling) {
            None => None,
            Some((position, text)) => match CastlingRights::parse(text, &placement) {
                Ok(rights) => {
                    if !in_usual_order(text, &placement) {
                        oddities.push("castling rights twice or in an unusual order");
                    }
                    castling_letters = text.to_owned();
                    Some(rights)
                }
                Err(error) => {
                    let position = position + error.position();
                    let fault = error.fault().clone();
                    errors.push(FenError::new(Field::Castling, position, fault));
                    None
                }
            },
        };
        let en_passant = match field(3, Field::EnPassant) {
            None => None,
            Some((_, "-")) => Some(None),
            Some((position, text)) => match text.parse::<Square>() {
                Ok(target) => {
                    if text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
                        oddities.push("a capital letter for the en passant target");
                    }
                    Some(Some(target))
                }
                Err(_) => {
                    let found = excerpt(text);
                    let fault = FenFault::EnPassant { found };
                    errors.push(FenError::new(Field::EnPassant, position, fault));
                    None
                }
            },
        };
        let mut halfmove = None;
        let mut fullmove = None;
        let mut fullmove_zero = false;
        let mut has_zeros = false;
        if more {
            let mut counter = |found: Option<(usize, &str)>, field| match found {
                None => None,
                Some((position, text)) => {
                    has_zeros |= has_leading_zero(text);
                    let number = parse_counter(text);
                    if number.is_none() {
                        let found = excerpt(text);
                        errors.push(FenError::new(field, position, FenFault::Counter { found }));
                    }
                    number
                }
            };
            halfmove = counter(field(4, Field::Halfmove), Field::Halfmove);
            fullmove = counter(field(5, Field::Fullmove), Field::Fullmove);
            if fullmove == Some(0) {
                fullmove_zero = true;
                fullmove = Some(1);
            }
            if let Some(&(position, text)) = fields.get(6) {
                let found = excerpt(text);
                let fault = FenFault::ExtraField { found };
                errors.push(FenError::new(Field::Fullmove, position, fault));
            }
        }
        if !board_is_sound || !errors.is_empty() {
            return Err(errors);
        }

        let fields = FenFields {
            placement: Known::new(placement, Provenance::Given),
            turn: match turn {
                Some(turn) => Known::new(turn, Provenance::Given),
                None => infer::turn(&placement, en_passant.flatten()),
            },
            castling: match castling {
                Some(castling) => Known::new(castling, Provenance::Given),
                None => Known::new(infer::castling(&placement), Provenance::Inferred),
            },
            en_passant: Known::given_or(en_passant, None),
            halfmove: Known::given_or(halfmove, 0),
            fullmove: Known::given_or(fullmove, 1),
        };
        let mut parsed = Self {
            fields,
            castling_letters,
            missing,
            fullmove_zero,
            oddities,
        };
        if has_zeros {
            parsed.note_leading_zero();
        }
        Ok(parsed)
    }

    /// Notes that a counter has zeros before its first digit.
    pub(crate) fn note_leading_zero(&mut self) {
        const ZEROS: &str = "zeros before a counter";
        if !self.oddities.contains(&ZEROS) {
            self.oddities.push(ZEROS);
        }
    }
}

/// Splits a text at white space and underscores; each field with its first character's number.
pub(crate) fn split_fields(text: &str) -> Vec<(usize, &str)> {
    let mut fields = Vec::with_capacity(6);
    let mut start = None;
    for (position, (byte, letter)) in text.char_indices().enumerate() {
        if letter.is_whitespace() || letter == '_' {
            if let Some((position, first)) = start.take() {
                fields.push((position, &text[first..byte]));
            }
        } else if start.is_none() {
            start = Some((position, byte));
        }
    }
    if let Some((position, first)) = start {
        fields.push((position, &text[first..]));
    }
    fields
}

/// A whole number of digits alone: no sign, no overflow.
pub(crate) fn parse_counter(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

/// Whether a number is written with zeros that say nothing, such as `007`.
pub(crate) fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

/// The beginning of a text that may be anything, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
