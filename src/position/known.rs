//! Values that say where they come from.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CastlingRights, CastlingStyle, Color, Fen, Placement, Square};

/// Where a value comes from.
///
/// ```
/// use img2fen::{FenFields, Provenance};
///
/// let fields: FenFields = "4k3/8/8/8/8/8/8/4K3 w".parse().unwrap();
/// assert_eq!(fields.turn.provenance, Provenance::Given);
/// assert_eq!(fields.halfmove.provenance, Provenance::Assumed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Read from the picture.
    Read,
    /// Follows from something else that is known, such as a king in check.
    Inferred,
    /// The usual value, for want of better knowledge.
    Assumed,
    /// Said by the user, or by the text of a FEN.
    Given,
}

impl Provenance {
    /// `read`, `inferred`, `assumed` or `given`.
    ///
    /// ```
    /// assert_eq!(img2fen::Provenance::Inferred.name(), "inferred");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Inferred => "inferred",
            Self::Assumed => "assumed",
            Self::Given => "given",
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value with its provenance.
///
/// ```
/// use img2fen::{Color, Known, Provenance};
///
/// let turn = Known::new(Color::White, Provenance::Assumed);
/// assert_eq!(serde_json::to_string(&turn).unwrap(), r#"{"value":"w","provenance":"assumed"}"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Known<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl<T> Known<T> {
    /// A value of this provenance.
    ///
    /// ```
    /// use img2fen::{Known, Provenance};
    ///
    /// assert_eq!(Known::new(3, Provenance::Given).value, 3);
    /// ```
    pub const fn new(value: T, provenance: Provenance) -> Self {
        Self { value, provenance }
    }

    /// The given value, or else the usual one, marked as assumed.
    pub(crate) fn given_or(given: Option<T>, usual: T) -> Self {
        match given {
            Some(value) => Self::new(value, Provenance::Given),
            None => Self::new(usual, Provenance::Assumed),
        }
    }
}

/// The six fields of a FEN, each with its provenance.
///
/// `Display` writes the six fields; `FromStr` reads a FEN and marks as given what the text says and as assumed or
/// inferred what it leaves out.
///
/// ```
/// use img2fen::{FenFields, Provenance};
///
/// let fields: FenFields = "4k3/8/8/8/8/8/4P3/4K2R b".parse().unwrap();
/// assert_eq!(fields.turn.provenance, Provenance::Given);
/// assert_eq!(fields.castling.provenance, Provenance::Inferred);
/// assert_eq!(fields.fullmove.provenance, Provenance::Assumed);
/// assert_eq!(fields.to_string(), "4k3/8/8/8/8/8/4P3/4K2R b K - 0 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "FieldsInJson", into = "FieldsInJson")]
pub struct FenFields {
    /// What stands where.
    pub placement: Known<Placement>,
    /// The side to move.
    pub turn: Known<Color>,
    /// Who may castle with which rook.
    pub castling: Known<CastlingRights>,
    /// The square that a pawn has just skipped.
    pub en_passant: Known<Option<Square>>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove: Known<u32>,
    /// The number of the move, from 1.
    pub fullmove: Known<u32>,
}

impl FenFields {
    /// The fields without their provenance.
    ///
    /// ```
    /// use img2fen::{Fen, FenFields};
    ///
    /// assert_eq!(FenFields::from(Fen::start()).fen(), Fen::start());
    /// ```
    pub const fn fen(&self) -> Fen {
        Fen {
            placement: self.placement.value,
            turn: self.turn.value,
            castling: self.castling.value,
            en_passant: self.en_passant.value,
            halfmove: self.halfmove.value,
            fullmove: self.fullmove.value,
        }
    }
}

impl From<Fen> for FenFields {
    /// Every field given.
    fn from(fen: Fen) -> Self {
        let given = Provenance::Given;
        Self {
            placement: Known::new(fen.placement, given),
            turn: Known::new(fen.turn, given),
            castling: Known::new(fen.castling, given),
            en_passant: Known::new(fen.en_passant, given),
            halfmove: Known::new(fen.halfmove, given),
            fullmove: Known::new(fen.fullmove, given),
        }
    }
}

impl fmt::Display for FenFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fen().fmt(f)
    }
}

/// Castling rights are text in JSON, and their letters need the placement.
#[derive(Clone, Serialize, Deserialize)]
struct FieldsInJson {
    placement: Known<Placement>,
    turn: Known<Color>,
    castling: Known<String>,
    en_passant: Known<Option<Square>>,
    halfmove: Known<u32>,
    fullmove: Known<u32>,
}

impl From<FenFields> for FieldsInJson {
    fn from(fields: FenFields) -> Self {
        let Known { value, provenance } = fields.castling;
        let castling = value.display(CastlingStyle::Xfen, &fields.placement.value);
        Self {
            placement: fields.placement,
            turn: fields.turn,
            castling: Known::new(castling.to_string(), provenance),
            en_passant: fields.en_passant,
            halfmove: fields.halfmove,
            fullmove: fields.fullmove,
        }
    }
}

impl TryFrom<FieldsInJson> for FenFields {
    type Error = super::FenError;

    fn try_from(json: FieldsInJson) -> Result<Self, Self::Error> {
        let castling = CastlingRights::parse(&json.castling.value, &json.placement.value)?;
        Ok(Self {
            placement: json.placement,
            turn: json.turn,
            castling: Known::new(castling, json.castling.provenance),
            en_passant: json.en_passant,
            halfmove: json.halfmove,
            fullmove: json.fullmove,
        })
    }
}
