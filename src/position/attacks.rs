//! Who attacks what, for any arrangement of pieces.
//!
//! The chess rules library plays only positions that are legal enough; a recognised board need not be. The attack
//! tables are that library's, the rest works on any 64 squares.

use cozy_chess::{
    BitBoard, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use super::{Color, Placement, Role, Square};

/// A placement as sets of squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bitboards {
    roles: [BitBoard; 6],
    colors: [BitBoard; 2],
}

impl Bitboards {
    pub(crate) fn new(placement: &Placement) -> Self {
        let mut boards = Self {
            roles: [BitBoard::EMPTY; 6],
            colors: [BitBoard::EMPTY; 2],
        };
        for (square, piece) in placement.pieces() {
            let bit = BitBoard(1 << square.index());
            boards.roles[piece.role as usize] |= bit;
            boards.colors[piece.color as usize] |= bit;
        }
        boards
    }

    pub(crate) fn role(&self, role: Role) -> BitBoard {
        self.roles[role as usize]
    }

    pub(crate) fn color(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    pub(crate) fn of(&self, color: Color, role: Role) -> BitBoard {
        self.colors[color as usize] & self.roles[role as usize]
    }

    pub(crate) fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of a side that attack a square, with sliders stopped by `occupied`.
    pub(crate) fn attackers(&self, by: Color, square: Square, occupied: BitBoard) -> BitBoard {
        let target = to_cozy(square);
        let queens = self.role(Role::Queen);
        let attackers = get_knight_moves(target) & self.role(Role::Knight)
            | get_king_moves(target) & self.role(Role::King)
            | get_pawn_attacks(target, color_to_cozy(by.opposite())) & self.role(Role::Pawn)
            | get_bishop_moves(target, occupied) & (self.role(Role::Bishop) | queens)
            | get_rook_moves(target, occupied) & (self.role(Role::Rook) | queens);
        attackers & self.color(by)
    }

    /// The pieces that give check to any king of a side.
    pub(crate) fn checkers(&self, color: Color) -> BitBoard {
        let mut checkers = BitBoard::EMPTY;
        for king in self.of(color, Role::King) {
            checkers |= self.attackers(color.opposite(), from_cozy(king), self.occupied());
        }
        checkers
    }
}

pub(crate) fn to_cozy(square: Square) -> cozy_chess::Square {
    cozy_chess::Square::index(square.index())
}

pub(crate) fn from_cozy(square: cozy_chess::Square) -> Square {
    Square::at(square.file() as u8, square.rank() as u8)
}

pub(crate) fn color_to_cozy(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

/// The squares of a set, from a1 to h8.
pub(crate) fn squares(set: BitBoard) -> Vec<Square> {
    set.into_iter().map(from_cozy).collect()
}
