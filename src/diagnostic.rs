//! What is worth saying about a reading or a position: a stable code, how bad it is, and a sentence with the cure.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::position::Square;

/// How much a diagnostic matters.
///
/// ```
/// use img2fen::Severity;
///
/// assert!(Severity::Error > Severity::Warning);
/// assert_eq!(Severity::Warning.name(), "warning");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Cannot be in a game of chess, or is no FEN.
    Error,
}

impl Severity {
    /// `info`, `warning` or `error`.
    ///
    /// ```
    /// assert_eq!(img2fen::Severity::Info.name(), "info");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// What a diagnostic is about. `docs/positions.md` lists cause and cure of each.
        ///
        /// ```
        /// use img2fen::{Code, Severity};
        ///
        /// assert_eq!(Code::OpponentInCheck.name(), "opponent-in-check");
        /// assert_eq!(Code::OpponentInCheck.severity(), Severity::Error);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code.
            ///
            /// ```
            /// use img2fen::Code;
            ///
            /// let code = Code::ALL.iter().find(|code| code.name() == "rank-length");
            /// assert_eq!(code, Some(&Code::RankLength));
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name that output carries; it does not change between versions.
            ///
            /// ```
            /// assert_eq!(img2fen::Code::NoWhiteKing.name(), "no-white-king");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// How much it matters.
            ///
            /// ```
            /// use img2fen::{Code, Severity};
            ///
            /// assert_eq!(Code::UpsideDown.severity(), Severity::Warning);
            /// ```
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)*
                }
            }
        }
    };
}

codes! {
    /// There is no text.
    Empty = "empty", Error;
    /// A letter in the board field that is neither a piece nor a count.
    UnknownPiece = "unknown-piece", Error;
    /// A rank does not sum to eight squares.
    RankLength = "rank-length", Error;
    /// There are not eight ranks.
    RankCount = "rank-count", Error;
    /// The side to move is neither `w` nor `b`.
    TurnSyntax = "turn-syntax", Error;
    /// The castling field cannot be read.
    CastlingSyntax = "castling-syntax", Error;
    /// The en passant field cannot be read.
    EnPassantSyntax = "en-passant-syntax", Error;
    /// The halfmove clock or the fullmove number cannot be read.
    CounterSyntax = "counter-syntax", Error;
    /// There is text after the sixth field.
    ExtraField = "extra-field", Error;
    /// An operation of an EPD cannot be read.
    EpdSyntax = "epd-syntax", Error;

    /// No piece stands on the board.
    NoPieces = "no-pieces", Error;
    /// White has no king.
    NoWhiteKing = "no-white-king", Error;
    /// Black has no king.
    NoBlackKing = "no-black-king", Error;
    /// White has more than one king.
    SeveralWhiteKings = "several-white-kings", Error;
    /// Black has more than one king.
    SeveralBlackKings = "several-black-kings", Error;
    /// A pawn stands on rank 1 or 8.
    PawnOnBackRank = "pawn-on-back-rank", Error;
    /// A side has more than eight pawns.
    TooManyPawns = "too-many-pawns", Error;
    /// A side has more than sixteen pieces.
    TooManyPieces = "too-many-pieces", Error;
    /// A side has more pieces than its missing pawns could have been promoted to.
    ImpossibleMaterial = "impossible-material", Error;
    /// A bishop stands where it cannot have got to.
    ImpossibleBishop = "impossible-bishop", Error;
    /// The pawns of a side need more captures than the other side has lost pieces.
    ImpossiblePawns = "impossible-pawns", Error;

    /// The king of the side that has just moved is attacked.
    OpponentInCheck = "opponent-in-check", Error;
    /// More than two pieces give check.
    TooManyCheckers = "too-many-checkers", Error;
    /// The checks cannot have come from one move.
    ImpossibleCheck = "impossible-check", Error;

    /// A castling right without king or rook at home; it is dropped.
    CastlingDropped = "castling-dropped", Error;
    /// The en passant target is not on the rank that fits the side to move.
    EnPassantRank = "en-passant-rank", Error;
    /// No pawn stands in front of the en passant target.
    EnPassantNoPawn = "en-passant-no-pawn", Error;
    /// The en passant target or the square behind it is occupied.
    EnPassantOccupied = "en-passant-occupied", Error;
    /// The halfmove clock is not 0 although a pawn has just double-stepped.
    HalfmoveAfterPawnMove = "halfmove-after-pawn-move", Warning;
    /// The halfmove clock counts more half-moves than the game has had.
    HalfmoveTooLarge = "halfmove-too-large", Info;
    /// The halfmove clock allows a claim of a draw.
    FiftyMoves = "fifty-moves", Info;
    /// The fullmove number is 0.
    FullmoveZero = "fullmove-zero", Warning;

    /// The board seems to be turned by 180°.
    UpsideDown = "upside-down", Warning;
    /// White and Black seem to be exchanged.
    ColorsSwapped = "colors-swapped", Warning;
    /// A field is missing from the text and was filled in.
    MissingField = "missing-field", Info;
    /// The text is readable but not the canonical way of writing.
    NotCanonical = "not-canonical", Info;

    /// The side to move is not known and was assumed.
    TurnAssumed = "turn-assumed", Info;
    /// The side to move follows from a check or an en passant target.
    TurnInferred = "turn-inferred", Info;
    /// Castling rights were inferred from kings and rooks at home.
    CastlingInferred = "castling-inferred", Info;
    /// A square is doubtful.
    LowConfidenceSquare = "low-confidence-square", Warning;
    /// The board is small in the picture.
    LowResolution = "low-resolution", Warning;
    /// It is not certain which side is below.
    OrientationUncertain = "orientation-uncertain", Warning;
    /// The second choice for a doubtful square would cure a fault.
    SecondChoiceCures = "second-choice-cures", Info;
    /// A suggestion was taken, as asked.
    SuggestionAccepted = "suggestion-accepted", Info;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Something worth saying about a reading or a position.
///
/// `Display` writes severity, code and sentence.
///
/// ```
/// use img2fen::{Fen, check};
///
/// let fen: Fen = "4k3/8/8/8/8/8/8/8 w - - 0 1".parse().unwrap();
/// let diagnostic = &check::check(&fen, check::Variant::Standard)[0];
/// assert_eq!(
///     diagnostic.to_string(),
///     "error[no-white-king]: White has no king"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What it is about.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// One plain sentence.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The squares it is about; none when it is about the whole.
    pub squares: Vec<Square>,
    /// Where in the text it is, in characters from 0, when it is about a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// The FEN that would be right if the hint is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

impl Diagnostic {
    /// A diagnostic with the usual severity of its code, about the whole.
    ///
    /// ```
    /// use img2fen::{Code, Diagnostic};
    ///
    /// let diagnostic = Diagnostic::new(Code::TurnAssumed, "White is assumed to be to move")
    ///     .hint("say who is to move with `-w` or `-b`");
    /// assert_eq!(diagnostic.severity.name(), "info");
    /// ```
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            hint: None,
            squares: Vec::new(),
            position: None,
            suggestion: None,
        }
    }

    /// With what to do about it.
    ///
    /// ```
    /// use img2fen::{Code, Diagnostic};
    ///
    /// let diagnostic = Diagnostic::new(Code::Empty, "there is no text").hint("give a FEN");
    /// assert_eq!(diagnostic.hint.as_deref(), Some("give a FEN"));
    /// ```
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With the squares it is about.
    ///
    /// ```
    /// use img2fen::{Code, Diagnostic};
    ///
    /// let diagnostic = Diagnostic::new(Code::PawnOnBackRank, "a pawn stands on a1");
    /// let diagnostic = diagnostic.squares(["a1".parse().unwrap()]);
    /// assert_eq!(diagnostic.squares[0].to_string(), "a1");
    /// ```
    #[must_use]
    pub fn squares(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.squares = squares.into_iter().collect();
        self
    }

    /// With the place in the text, in characters from 0.
    ///
    /// ```
    /// use img2fen::{Code, Diagnostic};
    ///
    /// let diagnostic = Diagnostic::new(Code::TurnSyntax, "neither `w` nor `b`").position(44);
    /// assert_eq!(diagnostic.position, Some(44));
    /// ```
    #[must_use]
    pub fn position(mut self, position: usize) -> Self {
        self.position = Some(position);
        self
    }

    /// With the FEN that would be right.
    ///
    /// ```
    /// use img2fen::{Code, Diagnostic, Fen};
    ///
    /// let diagnostic = Diagnostic::new(Code::UpsideDown, "upside down?").suggestion(Fen::start());
    /// assert!(diagnostic.suggestion.unwrap().starts_with("rnbqkbnr/"));
    /// ```
    #[must_use]
    pub fn suggestion(mut self, fen: impl fmt::Display) -> Self {
        self.suggestion = Some(fen.to_string());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_codes_are_kebab_case_and_differ() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        for name in &names {
            let kebab = name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            assert!(
                kebab && !name.starts_with('-') && !name.ends_with('-'),
                "{name}"
            );
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn what_is_not_known_is_left_out_of_json() {
        let diagnostic = Diagnostic::new(Code::NoWhiteKing, "White has no king");
        assert_eq!(
            serde_json::to_string(&diagnostic).unwrap(),
            r#"{"code":"no-white-king","severity":"error","message":"White has no king","squares":[]}"#
        );
    }
}
