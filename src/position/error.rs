//! What can be wrong with the text of a FEN, and where.

use std::fmt;

use crate::wording::counted;

/// One of the six fields of a FEN.
///
/// ```
/// use img2fen::{Fen, Field};
///
/// let error = "4k3/8/8/8/8/8/8/4K3 x".parse::<Fen>().unwrap_err();
/// assert_eq!(error.field(), Field::Turn);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The board: eight ranks between strokes.
    Placement,
    /// The side to move.
    Turn,
    /// The castling rights.
    Castling,
    /// The en passant target square.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    Halfmove,
    /// The number of the move, from 1.
    Fullmove,
}

impl Field {
    /// The name in words, such as `side to move`.
    ///
    /// ```
    /// assert_eq!(img2fen::Field::EnPassant.name(), "en passant target");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Placement => "placement",
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant target",
            Self::Halfmove => "halfmove clock",
            Self::Fullmove => "fullmove number",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is wrong with the text of a field.
///
/// ```
/// use img2fen::{Fen, position::FenFault};
///
/// let error = "8/8/8".parse::<Fen>().unwrap_err();
/// assert_eq!(*error.fault(), FenFault::RankCount { ranks: 3 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenFault {
    /// There is no text.
    Empty,
    /// A letter in the board field that is neither a piece nor a count.
    UnknownPiece {
        /// The letter.
        letter: char,
    },
    /// A rank does not sum to eight.
    RankLength {
        /// Its number on the board, 1 to 8.
        rank: u8,
        /// Letters plus digits of its text.
        squares: usize,
    },
    /// There are not eight ranks.
    RankCount {
        /// How many there are.
        ranks: usize,
    },
    /// The side to move is neither `w` nor `b`.
    Turn {
        /// The text of the field.
        found: String,
    },
    /// A letter that is no castling right.
    Castling {
        /// The text of the field.
        found: String,
    },
    /// Neither a square nor `-`.
    EnPassant {
        /// The text of the field.
        found: String,
    },
    /// A counter that is not a whole number from 0 to 4294967295.
    Counter {
        /// The text of the field.
        found: String,
    },
    /// Text after the sixth field.
    ExtraField {
        /// The text.
        found: String,
    },
}

/// A text that is not a FEN: which field, where and what was expected.
///
/// ```
/// use img2fen::{Fen, Field};
///
/// let error = "rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse::<Fen>().unwrap_err();
/// assert_eq!(error.field(), Field::Placement);
/// assert_eq!(error.position(), 9);
/// assert_eq!(error.to_string(), "placement, column 10: rank 7 has 7 squares, expected 8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    field: Field,
    position: usize,
    fault: FenFault,
}

impl FenError {
    pub(crate) const fn new(field: Field, position: usize, fault: FenFault) -> Self {
        Self {
            field,
            position,
            fault,
        }
    }

    /// The field with the fault.
    ///
    /// ```
    /// use img2fen::{Fen, Field};
    ///
    /// let error = "8/8/8/8/8/8/8/8 w KQkq e9".parse::<Fen>().unwrap_err();
    /// assert_eq!(error.field(), Field::EnPassant);
    /// ```
    pub const fn field(&self) -> Field {
        self.field
    }

    /// Where the fault begins, in characters from the beginning of the text, 0 for the first.
    ///
    /// ```
    /// let error = "8/8/8/8/8/8/8/8 w KQkq e9".parse::<img2fen::Fen>().unwrap_err();
    /// assert_eq!(error.position(), 23);
    /// ```
    pub const fn position(&self) -> usize {
        self.position
    }

    /// What is wrong.
    ///
    /// ```
    /// use img2fen::{Fen, position::FenFault};
    ///
    /// let error = "8/8/8/8/8/8/8/8 w - - x".parse::<Fen>().unwrap_err();
    /// assert_eq!(*error.fault(), FenFault::Counter { found: "x".to_owned() });
    /// ```
    pub const fn fault(&self) -> &FenFault {
        &self.fault
    }

    /// What should stand there.
    ///
    /// ```
    /// let error = "8/8/8/8/8/8/8/8 x".parse::<img2fen::Fen>().unwrap_err();
    /// assert_eq!(error.expected(), "`w` or `b`");
    /// ```
    pub const fn expected(&self) -> &'static str {
        match self.fault {
            FenFault::Empty => "a FEN",
            FenFault::UnknownPiece { .. } => "one of `PNBRQKpnbrqk` or a digit from 1 to 8",
            FenFault::RankLength { .. } => "8",
            FenFault::RankCount { .. } => "8",
            FenFault::Turn { .. } => "`w` or `b`",
            FenFault::Castling { .. } => {
                "`-` or letters out of `KQkq`, or files `A`-`H` and `a`-`h`"
            }
            FenFault::EnPassant { .. } => "`-` or a square such as `e3`",
            FenFault::Counter { .. } => "a whole number from 0 to 4294967295",
            FenFault::ExtraField { .. } => "the end of the text after six fields",
        }
    }

    /// The sentence without the place.
    ///
    /// ```
    /// let error = "8/8/8/8/8/8/8/8 x".parse::<img2fen::Fen>().unwrap_err();
    /// assert_eq!(error.message(), "found `x`, expected `w` or `b`");
    /// ```
    pub fn message(&self) -> String {
        let found = match &self.fault {
            FenFault::Empty => "there is no text".to_owned(),
            FenFault::UnknownPiece { letter } => format!("`{}` is no piece", letter.escape_debug()),
            FenFault::RankLength { rank, squares } => {
                format!("rank {rank} has {}", counted(*squares, "square"))
            }
            FenFault::RankCount { ranks } => {
                format!("the board has {}", counted(*ranks, "rank"))
            }
            FenFault::Turn { found }
            | FenFault::Castling { found }
            | FenFault::EnPassant { found }
            | FenFault::Counter { found }
            | FenFault::ExtraField { found } => format!("found `{}`", found.escape_debug()),
        };
        format!("{found}, expected {}", self.expected())
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, column {}: {}",
            self.field,
            self.position + 1,
            self.message()
        )
    }
}

impl std::error::Error for FenError {}
