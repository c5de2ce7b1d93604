//! The fields of a FEN that a picture does not show.
//!
//! What the user gives is checked against the placement and refused with a reason when it cannot be; what follows from
//! the placement is inferred; the rest is assumed. Each field says which of these it is.

use std::str::FromStr;

use super::attacks::Bitboards;
use super::castling::{CastlingProblem, CastlingRights};
use super::en_passant::{self, EnPassantProblem};
use super::known::{FenFields, Known, Provenance};
use super::{Color, FenError, Placement, Role, Square};

/// The castling rights of kings and rooks that stand at home, as if they had never moved.
///
/// ```
/// use img2fen::{CastlingStyle, Placement, position::infer};
///
/// let placement: Placement = "r3k3/8/8/8/8/8/8/R3K1R1".parse().unwrap();
/// let rights = infer::castling(&placement);
/// assert_eq!(rights.display(CastlingStyle::Standard, &placement).to_string(), "Qq");
/// ```
pub fn castling(placement: &Placement) -> CastlingRights {
    CastlingRights::ALL.supported(placement, false)
}

/// The side that must be to move because its king is attacked and the other's is not.
///
/// ```
/// use img2fen::{Color, Placement, position::infer};
///
/// let placement: Placement = "4k3/8/8/8/8/8/8/K3R3".parse().unwrap();
/// assert_eq!(infer::turn_from_check(&placement), Some(Color::Black));
/// ```
pub fn turn_from_check(placement: &Placement) -> Option<Color> {
    let boards = Bitboards::new(placement);
    let one_king = |color| boards.of(color, Role::King).len() == 1;
    if !Color::ALL.into_iter().all(one_king) {
        return None;
    }
    let in_check = Color::ALL.map(|color| !boards.checkers(color).is_empty());
    match in_check {
        [true, false] => Some(Color::White),
        [false, true] => Some(Color::Black),
        _ => None,
    }
}

/// The side to move when nobody says: inferred from an en passant target or a check, else assumed to be White.
pub(crate) fn turn(placement: &Placement, en_passant: Option<Square>) -> Known<Color> {
    let from_target = match en_passant.map(Square::rank) {
        Some(2) => Some(Color::Black),
        Some(5) => Some(Color::White),
        _ => None,
    };
    match from_target.or_else(|| turn_from_check(placement)) {
        Some(turn) => Known::new(turn, Provenance::Inferred),
        None => Known::new(Color::White, Provenance::Assumed),
    }
}

/// What is known of a position besides its placement; everything may be left out.
///
/// ```
/// use img2fen::{Color, Placement, Provenance, position::infer::GivenFields};
///
/// let given = GivenFields { turn: Some(Color::Black), ..GivenFields::default() };
/// let fields = given.complete(Placement::start(), Provenance::Read).unwrap();
/// assert_eq!(fields.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
/// assert_eq!(fields.castling.provenance, Provenance::Inferred);
///
/// let given = GivenFields { en_passant: Some("e5".parse().unwrap()), ..given };
/// let error = given.complete(Placement::start(), Provenance::Read).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "en passant target `e5` is on rank 5; with Black to move it is on rank 3"
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenFields {
    /// The side to move, as the user says.
    pub turn: Option<Color>,
    /// The side to move, as read beside the diagram; the user's word goes first.
    pub turn_read: Option<Color>,
    /// Castling rights. Nothing means: infer them.
    pub castling: Option<GivenCastling>,
    /// The en passant target.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove: Option<u32>,
    /// The number of the move.
    pub fullmove: Option<u32>,
}

impl GivenFields {
    /// Completes a placement of the given provenance to the six fields.
    ///
    /// Without a given side to move an en passant target or a check decides; else it is White, assumed. Castling rights
    /// are inferred from kings and rooks at home. En passant target, clock and number default to `- 0 1`, assumed.
    ///
    /// ```
    /// use img2fen::{Placement, Provenance, position::GivenFields};
    ///
    /// let placement: Placement = "4k3/8/8/8/8/8/8/4R1K1".parse().unwrap();
    /// let fields = GivenFields::default().complete(placement, Provenance::Read).unwrap();
    /// assert_eq!(fields.to_string(), "4k3/8/8/8/8/8/8/4R1K1 b - - 0 1");
    /// assert_eq!(fields.turn.provenance, Provenance::Inferred);
    /// ```
    ///
    /// # Errors
    ///
    /// When a given field cannot be: see [`GivenFieldError`].
    pub fn complete(
        &self,
        placement: Placement,
        provenance: Provenance,
    ) -> Result<FenFields, GivenFieldError> {
        let turn = match (self.turn, self.turn_read) {
            (Some(turn), _) => Known::new(turn, Provenance::Given),
            (None, Some(turn)) => Known::new(turn, Provenance::Read),
            (None, None) => turn(&placement, self.en_passant),
        };
        let castling = match &self.castling {
            Some(given) => Known::new(given.rights(&placement)?, Provenance::Given),
            None => Known::new(castling(&placement), Provenance::Inferred),
        };
        if let Some(target) = self.en_passant
            && let Some(problem) = en_passant::problem(&placement, turn.value, target)
        {
            return Err(GivenFieldError::EnPassant {
                target,
                turn: turn.value,
                problem,
            });
        }
        if self.fullmove == Some(0) {
            return Err(GivenFieldError::FullmoveZero);
        }
        Ok(FenFields {
            placement: Known::new(placement, provenance),
            turn,
            castling,
            en_passant: Known::given_or(self.en_passant.map(Some), None),
            halfmove: Known::given_or(self.halfmove, 0),
            fullmove: Known::given_or(self.fullmove, 1),
        })
    }
}

/// Castling rights as a person gives them, in the text of a FEN: `-`, `KQkq`, or files of rooks. Whether king and rooks
/// are there, only a placement can tell.
///
/// ```
/// use img2fen::position::GivenCastling;
///
/// assert_eq!("Qk".parse::<GivenCastling>().unwrap().as_str(), "Qk");
/// assert_eq!(
///     "KK".parse::<GivenCastling>().unwrap_err().to_string(),
///     "castling `KK` holds `K` twice"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenCastling(String);

impl FromStr for GivenCastling {
    type Err = GivenFieldError;

    /// # Errors
    ///
    /// When a letter is no castling right or stands twice, or the text is empty.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        CastlingRights::parse(text, &Placement::EMPTY).map_err(GivenFieldError::Castling)?;
        let mut letters = text.char_indices();
        match letters.find(|&(at, letter)| text[..at].contains(letter)) {
            Some((_, letter)) => Err(GivenFieldError::CastlingTwice {
                text: super::fen::excerpt(text),
                letter,
            }),
            None => Ok(Self(text.to_owned())),
        }
    }
}

impl GivenCastling {
    /// The text as it was given.
    ///
    /// ```
    /// use img2fen::position::GivenCastling;
    ///
    /// assert_eq!("-".parse::<GivenCastling>().unwrap().as_str(), "-");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The rights on a placement that has king and rooks for them.
    fn rights(&self, placement: &Placement) -> Result<CastlingRights, GivenFieldError> {
        let text = &self.0;
        let rights = CastlingRights::parse(text, placement).map_err(GivenFieldError::Castling)?;
        let chess960 = text
            .bytes()
            .any(|byte| matches!(byte.to_ascii_lowercase(), b'a'..=b'h'));
        for (color, file) in rights.iter() {
            if let Some(problem) = rights.problem(placement, color, file, chess960) {
                let rank = color.home_rank();
                let (text, rook) = (text.clone(), Square::at(file, rank));
                return Err(if problem == CastlingProblem::SecondRook {
                    GivenFieldError::CastlingInnerRook { color, text, rook }
                } else {
                    GivenFieldError::CastlingHome {
                        color,
                        text,
                        king: (!chess960).then_some(Square::at(4, rank)),
                        rook,
                        missing_king: problem == CastlingProblem::King,
                    }
                });
            }
        }
        Ok(rights)
    }
}

/// A given field that cannot be, mostly because the placement contradicts it.
///
/// ```
/// use img2fen::{Placement, Provenance, position::GivenFields};
///
/// let given = GivenFields { castling: Some("K".parse().unwrap()), ..GivenFields::default() };
/// let error = given.complete(Placement::EMPTY, Provenance::Read).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "castling `K` needs the white king on e1 and a white rook on h1; the king is not there"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GivenFieldError {
    /// The text is no castling field.
    Castling(FenError),
    /// A letter stands twice; the other side's right may be meant.
    CastlingTwice {
        /// The given text.
        text: String,
        /// The letter.
        letter: char,
    },
    /// A right without king and rook at home.
    CastlingHome {
        /// The side whose right it is.
        color: Color,
        /// The given text.
        text: String,
        /// Where the king has to stand; `None` for the rules of Chess960, anywhere on its first rank but in a
        /// corner.
        king: Option<Square>,
        /// Where the rook has to stand.
        rook: Square,
        /// True when the king is not there, else the rook is not.
        missing_king: bool,
    },
    /// A right of a rook that has another named rook further out on the same side of the king.
    CastlingInnerRook {
        /// The side whose right it is.
        color: Color,
        /// The given text.
        text: String,
        /// The inner rook.
        rook: Square,
    },
    /// A target that cannot be.
    EnPassant {
        /// The given square.
        target: Square,
        /// The side to move.
        turn: Color,
        /// Why it cannot be.
        problem: EnPassantProblem,
    },
    /// The fullmove number 0.
    FullmoveZero,
}

impl std::fmt::Display for GivenFieldError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Castling(error) => error.fmt(f),
            Self::CastlingTwice { text, letter } => {
                write!(f, "castling `{text}` holds `{letter}` twice")
            }
            Self::CastlingHome {
                color,
                text,
                king,
                rook,
                missing_king,
            } => {
                let home = match king {
                    Some(king) => format!("on {king}"),
                    None => home_in_chess960(*color),
                };
                write!(
                    f,
                    "castling `{text}` needs the {color} king {home} and a {color} rook on {rook}; the "
                )?;
                f.write_str(if *missing_king { "king" } else { "rook" })?;
                f.write_str(" is not there")
            }
            Self::CastlingInnerRook { color, text, rook } => write!(
                f,
                "castling `{text}` names the {color} rook on {rook} and another further out; only one can castle to that side"
            ),
            Self::EnPassant {
                target,
                turn,
                problem,
            } => write!(f, "{}", en_passant_sentence(*target, *turn, *problem)),
            Self::FullmoveZero => f.write_str("the fullmove number is 0; it starts at 1"),
        }
    }
}

impl std::error::Error for GivenFieldError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Castling(error) => Some(error),
            _ => None,
        }
    }
}

/// Where a king stands that may castle by the rules of Chess960: it starts between its rooks.
pub(crate) fn home_in_chess960(color: Color) -> String {
    let [first, last] = [1, 6].map(|file| Square::at(file, color.home_rank()));
    format!("between {first} and {last}")
}

/// The sentence about an en passant target that cannot be.
pub(crate) fn en_passant_sentence(
    target: Square,
    turn: Color,
    problem: EnPassantProblem,
) -> String {
    let mover = turn.opposite();
    match problem {
        EnPassantProblem::Rank => format!(
            "en passant target `{target}` is on rank {}; with {} to move it is on rank {}",
            target.rank() + 1,
            turn.player(),
            if turn == Color::White { 6 } else { 3 }
        ),
        EnPassantProblem::NoPawn { expected } => format!(
            "en passant target `{target}` needs a {mover} pawn on {expected} that has just double-stepped; there is none"
        ),
        EnPassantProblem::Occupied { square } => format!(
            "en passant target `{target}`: {square} is not empty, so no {mover} pawn can have double-stepped over it"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(text: &str) -> Placement {
        text.parse().unwrap()
    }

    #[test]
    fn the_side_to_move_is_given_read_or_inferred_from_a_target_or_a_check() {
        let pawns = "4k3/8/8/4pP2/4Pp2/8/8/4K3";
        let target = |name: &str| GivenFields {
            en_passant: Some(name.parse().unwrap()),
            ..GivenFields::default()
        };
        let read = GivenFields {
            turn_read: Some(Color::Black),
            ..GivenFields::default()
        };
        let given = GivenFields {
            turn: Some(Color::White),
            ..read.clone()
        };
        for (board, fields, turn, provenance) in [
            (pawns, given, Color::White, Provenance::Given),
            (pawns, read, Color::Black, Provenance::Read),
            (pawns, target("e3"), Color::Black, Provenance::Inferred),
            (pawns, target("e6"), Color::White, Provenance::Inferred),
            (
                "4k3/8/8/8/8/8/4r3/4K3",
                GivenFields::default(),
                Color::White,
                Provenance::Inferred,
            ),
            (
                pawns,
                GivenFields::default(),
                Color::White,
                Provenance::Assumed,
            ),
        ] {
            let fields = fields.complete(placement(board), Provenance::Read).unwrap();
            assert_eq!(fields.turn, Known::new(turn, provenance), "{board}");
        }
    }

    #[test]
    fn the_text_of_castling_rights_is_refused_without_a_placement() {
        for (text, sentence) in [
            (
                "",
                "castling rights, column 1: found ``, expected `-` or letters out of `KQkq`, or files `A`-`H` and `a`-`h`",
            ),
            (
                "KX",
                "castling rights, column 2: found `KX`, expected `-` or letters out of `KQkq`, or files `A`-`H` and `a`-`h`",
            ),
            ("KQK", "castling `KQK` holds `K` twice"),
        ] {
            let error = text.parse::<GivenCastling>().unwrap_err();
            assert_eq!(error.to_string(), sentence);
        }
        for text in ["-", "KQkq", "qkQK", "HAha", "AHah"] {
            assert_eq!(text.parse::<GivenCastling>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn a_given_field_that_cannot_be_is_refused_with_what_is_missing() {
        let castling = |text: &str| GivenFields {
            castling: Some(text.parse().unwrap()),
            ..GivenFields::default()
        };
        let first_move = GivenFields {
            fullmove: Some(0),
            ..GivenFields::default()
        };
        for (board, given, sentence) in [
            (
                "4k3/8/8/8/8/8/8/5K1R",
                castling("K"),
                "castling `K` needs the white king on e1 and a white rook on h1; the king is not there",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3",
                castling("Q"),
                "castling `Q` needs the white king on e1 and a white rook on a1; the rook is not there",
            ),
            (
                "1k6/8/8/8/8/8/8/4K3",
                castling("h"),
                "castling `h` needs the black king between b8 and g8 and a black rook on h8; the rook is not there",
            ),
            (
                "7r/1k6/8/8/8/8/8/4K3",
                castling("h"),
                "castling `h` needs the black king between b8 and g8 and a black rook on h8; the king is not there",
            ),
            (
                "4k3/8/8/8/8/8/8/4K1RR",
                castling("HG"),
                "castling `HG` names the white rook on g1 and another further out; only one can castle to that side",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3",
                first_move,
                "the fullmove number is 0; it starts at 1",
            ),
        ] {
            let error = given
                .complete(placement(board), Provenance::Read)
                .unwrap_err();
            assert_eq!(error.to_string(), sentence);
        }
    }
}
