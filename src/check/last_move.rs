//! Can one move have given the checks that stand on the board?
//!
//! The last move is taken back in every way there is: moves, captures, promotions, en passant, and castling by the rules
//! of Chess960. Before it the king was in no check, as the other side was to move. Only the board is gone by, not counters
//! or castling rights, so that a doubt speaks for the position.

use cozy_chess::{
    BitBoard, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::position::attacks::{Bitboards, color_to_cozy, from_cozy, to_cozy};
use crate::position::{Color, Role, Square};

/// The only king in check, and the side that gives it.
#[derive(Clone, Copy)]
pub(super) struct Check<'a> {
    pub(super) boards: &'a Bitboards,
    pub(super) by: Color,
    pub(super) king: Square,
}

/// Where the pieces that have moved came from, and what was captured: the squares that were occupied.
struct TakenBack<'a> {
    moved: BitBoard,
    origins: &'a [(Role, Square)],
    captured: BitBoard,
}

impl Check<'_> {
    /// True when some last move gives these checks and no others were there before it.
    pub(super) fn has_last_move(self, checkers: BitBoard) -> bool {
        // Mostly a piece that gives check has just moved.
        let others = self.boards.color(self.by) & !checkers;
        let mut pieces = checkers.into_iter().chain(others);
        pieces.any(|to| self.is_last_move_of_piece(from_cozy(to))) || self.is_last_move_castling()
    }

    /// True when the double step of the pawn on this square gives the checks and no others were there before it.
    pub(super) fn is_last_move_double_step(self, pawn: Square) -> bool {
        self.was_quiet(&TakenBack {
            moved: bit(pawn),
            origins: &[(Role::Pawn, Square::at(pawn.file(), self.rank(1)))],
            captured: BitBoard::EMPTY,
        })
    }

    /// A rank of the board counted from the side that gives check, 0 to 7; and the other way round.
    fn rank(self, rank: u8) -> u8 {
        match self.by {
            Color::White => rank,
            Color::Black => 7 - rank,
        }
    }

    fn is_empty(self, square: Square) -> bool {
        (self.boards.occupied() & bit(square)).is_empty()
    }

    /// Whether the king was in no check before the move.
    fn was_quiet(self, before: &TakenBack<'_>) -> bool {
        let mut occupied = (self.boards.occupied() & !before.moved) | before.captured;
        for &(_, origin) in before.origins {
            occupied |= bit(origin);
        }
        let standing = self.boards.attackers(self.by, self.king, occupied) & !before.moved;
        let king = to_cozy(self.king);
        let attacks = |&(role, origin): &(Role, Square)| {
            let from_king = match role {
                Role::Pawn => get_pawn_attacks(king, color_to_cozy(self.by.opposite())),
                role => reach(role, self.king, occupied),
            };
            from_king.has(to_cozy(origin))
        };
        standing.is_empty() && !before.origins.iter().any(attacks)
    }

    fn is_last_move_of_piece(self, to: Square) -> bool {
        let is_here = |role: &Role| !(self.boards.role(*role) & bit(to)).is_empty();
        let Some(role) = Role::ALL.into_iter().find(is_here) else {
            return false;
        };
        if role == Role::Pawn {
            return self.is_last_move_of_pawn(to);
        }
        let moved = bit(to);
        let occupied = self.boards.occupied();
        let moves = (reach(role, to, occupied) & !occupied)
            .into_iter()
            .any(|origin| {
                let origins = &[(role, from_cozy(origin))];
                [BitBoard::EMPTY, moved].into_iter().any(|captured| {
                    self.was_quiet(&TakenBack {
                        moved,
                        origins,
                        captured,
                    })
                })
            });
        let may_be_promoted = role != Role::King && self.rank(to.rank()) == 7;
        moves || (may_be_promoted && self.is_last_move_of_pawn(to))
    }

    /// Whether a pawn has come to a square, where it may have been promoted.
    fn is_last_move_of_pawn(self, to: Square) -> bool {
        let rank = self.rank(to.rank());
        // A pawn on its home rank, or behind it, has not moved.
        if rank < 2 {
            return false;
        }
        let at = |file, rank| Square::at(file, self.rank(rank));
        let file = to.file();
        let is_quiet_from = |origin: Square, captured| {
            self.is_empty(origin)
                && self.was_quiet(&TakenBack {
                    moved: bit(to),
                    origins: &[(Role::Pawn, origin)],
                    captured,
                })
        };
        let behind = at(file, rank - 1);
        let steps = is_quiet_from(behind, BitBoard::EMPTY)
            || (rank == 3 && self.is_empty(behind) && is_quiet_from(at(file, 1), BitBoard::EMPTY));
        // En passant takes the pawn behind, which has come over this square.
        let en_passant = rank == 5 && self.is_empty(behind) && self.is_empty(at(file, 6));
        let captures = [Some(to), en_passant.then_some(behind)];
        let mut captures = captures.into_iter().flatten().map(bit);
        steps
            || captures.any(|captured| {
                let sides = [file.checked_sub(1), Some(file + 1).filter(|&file| file < 8)];
                let mut origins = sides.into_iter().flatten();
                origins.any(|file| is_quiet_from(at(file, rank - 1), captured))
            })
    }

    fn is_last_move_castling(self) -> bool {
        let home = |file| Square::at(file, self.rank(0));
        let stands = |role, file| !(self.boards.of(self.by, role) & bit(home(file))).is_empty();
        // King and rook as castling leaves them; before it the rook stood further out than the king.
        [(6, 5), (2, 3)].into_iter().any(|(king, rook)| {
            let is_castled = stands(Role::King, king) && stands(Role::Rook, rook);
            let mut origins = (1..7).flat_map(|from| {
                let outside = if king > rook { from + 1..8 } else { 0..from };
                outside.map(move |rook_from| (from, rook_from))
            });
            is_castled
                && origins.any(|(king_from, rook_from)| {
                    let mut path = [king, rook, king_from, rook_from];
                    path.sort_unstable();
                    let mut others =
                        (path[0]..=path[3]).filter(|file| *file != king && *file != rook);
                    others.all(|file| self.is_empty(home(file)))
                        && self.was_quiet(&TakenBack {
                            moved: bit(home(king)) | bit(home(rook)),
                            origins: &[
                                (Role::King, home(king_from)),
                                (Role::Rook, home(rook_from)),
                            ],
                            captured: BitBoard::EMPTY,
                        })
                })
        })
    }
}

/// The squares that a piece reaches over empty ones; not for pawns, which go one way only.
fn reach(role: Role, from: Square, occupied: BitBoard) -> BitBoard {
    let from = to_cozy(from);
    match role {
        Role::Pawn => BitBoard::EMPTY,
        Role::Knight => get_knight_moves(from),
        Role::Bishop => get_bishop_moves(from, occupied),
        Role::Rook => get_rook_moves(from, occupied),
        Role::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Role::King => get_king_moves(from),
    }
}

fn bit(square: Square) -> BitBoard {
    to_cozy(square).bitboard()
}
