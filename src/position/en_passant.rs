//! The en passant target: can it be there, and can it be used?

use cozy_chess::BitBoard;

use super::attacks::{Bitboards, color_to_cozy, from_cozy, to_cozy};
use super::{Color, Piece, Placement, Role, Square};

/// Why a square cannot be the en passant target.
///
/// ```
/// use img2fen::position::{EnPassantProblem, GivenFieldError, GivenFields};
/// use img2fen::{Placement, Provenance};
///
/// let given = GivenFields { en_passant: Some("e5".parse().unwrap()), ..GivenFields::default() };
/// let error = given.complete(Placement::start(), Provenance::Read).unwrap_err();
/// assert!(matches!(error, GivenFieldError::EnPassant { problem: EnPassantProblem::Rank, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnPassantProblem {
    /// Not on rank 6 with White to move or rank 3 with Black to move.
    Rank,
    /// No pawn of the side that has just moved stands in front of it.
    NoPawn {
        /// Where the pawn should stand.
        expected: Square,
    },
    /// The target or the square the pawn came from is not empty.
    Occupied {
        /// The square with a piece on it.
        square: Square,
    },
}

/// Why `target` cannot be the en passant square with `turn` to move; `None` when it can.
pub(crate) fn problem(
    placement: &Placement,
    turn: Color,
    target: Square,
) -> Option<EnPassantProblem> {
    let (target_rank, pawn_rank, origin_rank) = match turn {
        Color::White => (5, 4, 6),
        Color::Black => (2, 3, 1),
    };
    if target.rank() != target_rank {
        return Some(EnPassantProblem::Rank);
    }
    let expected = Square::at(target.file(), pawn_rank);
    if placement.get(expected) != Some(Piece::new(turn.opposite(), Role::Pawn)) {
        return Some(EnPassantProblem::NoPawn { expected });
    }
    let origin = Square::at(target.file(), origin_rank);
    [target, origin]
        .into_iter()
        .find(|&square| placement.get(square).is_some())
        .map(|square| EnPassantProblem::Occupied { square })
}

/// Can the side to move capture en passant on `target` without leaving a king in check?
pub(crate) fn has_legal_capture(placement: &Placement, turn: Color, target: Square) -> bool {
    if problem(placement, turn, target).is_some() {
        return false;
    }
    let boards = Bitboards::new(placement);
    let capturers = cozy_chess::get_pawn_attacks(to_cozy(target), color_to_cozy(turn.opposite()))
        & boards.of(turn, Role::Pawn);
    let captured_rank = if turn == Color::White { 4 } else { 3 };
    let captured = BitBoard(1 << Square::at(target.file(), captured_rank).index());
    let arrival = BitBoard(1 << target.index());
    capturers.into_iter().any(|capturer| {
        let occupied = (boards.occupied() ^ capturer.bitboard() ^ captured) | arrival;
        boards.of(turn, Role::King).into_iter().all(|king| {
            let attackers = boards.attackers(turn.opposite(), from_cozy(king), occupied);
            (attackers & !captured).is_empty()
        })
    })
}
