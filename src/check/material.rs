//! Are there too many pieces, and can those that are there have come about?

use cozy_chess::BitBoard;

use super::Variant;
use super::list;
use crate::diagnostic::{Code, Diagnostic};
use crate::position::attacks::{Bitboards, squares};
use crate::position::{Color, Role, Square};
use crate::wording::counted;

const LIGHT: BitBoard = BitBoard(0x55aa_55aa_55aa_55aa);

/// The faults of one side's material.
pub(super) fn faults(
    diagnostics: &mut Vec<Diagnostic>,
    boards: &Bitboards,
    color: Color,
    variant: Variant,
) {
    let player = color.player();
    let pawns = boards.of(color, Role::Pawn).len();
    let all = boards.color(color).len();
    if pawns > 8 {
        let message = format!("{player} has {pawns} pawns; there are 8 at most");
        let diagnostic = Diagnostic::new(Code::TooManyPawns, message);
        diagnostics.push(
            diagnostic
                .hint("one of them is another piece or an empty square")
                .squares(squares(boards.of(color, Role::Pawn))),
        );
    }
    if all > 16 {
        let message = format!("{player} has {all} pieces; there are 16 at most");
        let diagnostic = Diagnostic::new(Code::TooManyPieces, message);
        diagnostics.push(
            diagnostic
                .hint("squares that are empty were taken for pieces, or colours were confused"),
        );
    }
    if pawns > 8 || all > 16 {
        // The rest follows from these.
        return;
    }
    let strays = promotions(diagnostics, boards, color);
    if variant == Variant::Standard {
        impossible_bishops(diagnostics, boards, color, strays);
    }
    pawn_structure(diagnostics, boards, color);
}

/// Pieces beyond those of the start must have been promoted, each from a missing pawn. The bishops that would make too many
/// because none can have left the home squares of standard chess.
fn promotions(diagnostics: &mut Vec<Diagnostic>, boards: &Bitboards, color: Color) -> BitBoard {
    let count = |role| boards.of(color, role).len();
    let missing_pawns = 8 - count(Role::Pawn);
    let bishops = boards.of(color, Role::Bishop);
    let extra_bishops = [bishops & LIGHT, bishops & !LIGHT].map(|set| set.len().saturating_sub(1));
    let promoted = count(Role::Queen).saturating_sub(1)
        + count(Role::Rook).saturating_sub(2)
        + count(Role::Knight).saturating_sub(2)
        + extra_bishops[0]
        + extra_bishops[1];
    if promoted > missing_pawns {
        let pawns = count(Role::Pawn);
        let message = format!(
            "{} has {} beside {}; {missing_pawns} can have been promoted",
            color.player(),
            counted(promoted, "promoted piece"),
            counted(pawns, "pawn")
        );
        let diagnostic = Diagnostic::new(Code::ImpossibleMaterial, message);
        let pieces = boards.color(color) & !boards.role(Role::Pawn) & !boards.role(Role::King);
        diagnostics.push(
            diagnostic
                .hint("one of its pieces is another one; two bishops on squares of one colour count as promoted")
                .squares(squares(pieces)),
        );
        return BitBoard::EMPTY;
    }
    // A bishop whose neighbours have not moved is still at home or was taken there; every other bishop on squares of
    // its colour was promoted.
    let home = color.home_rank();
    let mut needed = promoted;
    let mut strays = BitBoard::EMPTY;
    for file in [2, 5] {
        let square = Square::at(file, home);
        let gates = pawn_gates(color, file);
        if boards.of(color, Role::Pawn) & gates != gates {
            continue;
        }
        let at_home = BitBoard(1 << square.index()) & bishops;
        let same_color = if square.is_light() { LIGHT } else { !LIGHT };
        let outside = bishops & same_color & !at_home;
        if at_home.is_empty() && !outside.is_empty() {
            // Counted so far as the original one.
            needed += 1;
            strays |= outside;
        }
    }
    if needed > missing_pawns {
        strays
    } else {
        BitBoard::EMPTY
    }
}

/// Bishops outside a home that none can have left, and those behind pawns that have not moved; each is named once.
fn impossible_bishops(
    diagnostics: &mut Vec<Diagnostic>,
    boards: &Bitboards,
    color: Color,
    strays: BitBoard,
) {
    let shut_in = shut_in_bishops(boards, color);
    let strays = if (strays & !shut_in).is_empty() {
        BitBoard::EMPTY
    } else {
        strays
    };
    for (bishops, where_to, where_to_all, look) in [
        (
            strays,
            "have left its home",
            "all have left their home",
            "at the pawns of its home",
        ),
        (
            shut_in & !strays,
            "have got",
            "have got",
            "at the pawns in front of it",
        ),
    ] {
        let places = squares(bishops);
        let (bishop, where_to) = match places.len() {
            0 => continue,
            1 => ("bishop", where_to),
            _ => ("bishops", where_to_all),
        };
        let message = format!(
            "the {color} {bishop} on {} cannot {where_to} behind pawns that have not moved",
            list(&places)
        );
        let hint = format!(
            "look at the bishop and {look} again; in Chess960 bishops start elsewhere: say `--chess960`"
        );
        let diagnostic = Diagnostic::new(Code::ImpossibleBishop, message);
        diagnostics.push(diagnostic.hint(hint).squares(places));
    }
}

/// The home squares of the pawns diagonally in front of a square on the first rank.
fn pawn_gates(color: Color, file: u8) -> BitBoard {
    let rank = match color {
        Color::White => 1,
        Color::Black => 6,
    };
    let mut gates = BitBoard::EMPTY;
    if file > 0 {
        gates |= BitBoard(1 << Square::at(file - 1, rank).index());
    }
    if file < 7 {
        gates |= BitBoard(1 << Square::at(file + 1, rank).index());
    }
    gates
}

/// Bishops on their own first rank behind pawns that have not moved: they got there only if they started there.
fn shut_in_bishops(boards: &Bitboards, color: Color) -> BitBoard {
    let pawns = boards.of(color, Role::Pawn);
    let mut squares = BitBoard::EMPTY;
    for file in [0, 1, 3, 4, 6, 7] {
        let gates = pawn_gates(color, file);
        if pawns & gates == gates {
            squares |= BitBoard(1 << Square::at(file, color.home_rank()).index());
        }
    }
    squares & boards.of(color, Role::Bishop)
}

/// A pawn changes its file only by capturing: the pawns of a side need at least so many captures as the cheapest way to
/// bring them from eight files to where they stand.
fn pawn_structure(diagnostics: &mut Vec<Diagnostic>, boards: &Bitboards, color: Color) {
    let pawns = boards.of(color, Role::Pawn);
    let ends = BitBoard(0xff00_0000_0000_00ff);
    if !(pawns & ends).is_empty() {
        return;
    }
    let mut files = 0u8;
    let mut doubled = false;
    for pawn in pawns {
        let file = 1 << pawn.file() as u8;
        doubled |= files & file != 0;
        files |= file;
    }
    if !doubled {
        return;
    }
    let taken = 16 - boards.color(color.opposite()).len().min(16);
    let needed = captures_needed(pawns, color);
    if needed.is_some_and(|needed| needed <= taken) {
        return;
    }
    let other = color.opposite();
    let message = match needed {
        Some(needed) => format!(
            "the {color} pawns need {} to stand so, but {} has lost {}",
            counted(needed, "capture"),
            other.player(),
            counted(taken, "piece")
        ),
        None => format!(
            "the {color} pawns cannot have come from rank {}",
            if color == Color::White { 2 } else { 7 }
        ),
    };
    let diagnostic = Diagnostic::new(Code::ImpossiblePawns, message);
    diagnostics.push(
        diagnostic
            .hint("one of the pawns is another piece or stands on another square")
            .squares(squares(pawns)),
    );
}

/// The fewest captures that bring pawns from distinct files of their home rank to these squares; `None` when no number
/// does. Each pawn takes an origin no further away in files than it has advanced in ranks; the cheapest assignment is
/// found over all sets of origins.
fn captures_needed(pawns: BitBoard, color: Color) -> Option<u32> {
    const IMPOSSIBLE: u8 = u8::MAX;
    let mut cheapest = [IMPOSSIBLE; 256];
    cheapest[0] = 0;
    for (placed, pawn) in pawns.into_iter().enumerate() {
        let file = pawn.file() as i8;
        let advanced = match color {
            Color::White => pawn.rank() as i8 - 1,
            Color::Black => 6 - pawn.rank() as i8,
        };
        // Sets grow, so going down reads only what the pawn before has written.
        for used in (0..256usize).rev() {
            let cost = cheapest[used];
            if cost == IMPOSSIBLE || used.count_ones() as usize != placed {
                continue;
            }
            for origin in 0..8i8 {
                let distance = (file - origin).abs();
                if used >> origin & 1 == 0 && distance <= advanced {
                    let with = used | 1 << origin;
                    cheapest[with] = cheapest[with].min(cost + distance as u8);
                }
            }
        }
    }
    let placed = pawns.len();
    (0..256usize)
        .filter(|used| used.count_ones() == placed)
        .map(|used| cheapest[used])
        .min()
        .filter(|&cost| cost != IMPOSSIBLE)
        .map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Placement;

    fn needed(board: &str) -> Option<u32> {
        let placement: Placement = board.parse().unwrap();
        captures_needed(
            Bitboards::new(&placement).of(Color::White, Role::Pawn),
            Color::White,
        )
    }

    #[test]
    fn captures_are_counted_by_the_cheapest_origins() {
        assert_eq!(needed("8/8/8/8/8/8/PPPPPPPP/8"), Some(0));
        assert_eq!(needed("8/8/8/8/8/P7/P1PPPPPP/8"), Some(1));
        // The b-, c- and d-pawns make 1 + 2 + 3 captures.
        assert_eq!(needed("8/8/8/P7/P7/P7/P3PPPP/8"), Some(6));
        // A pawn on rank 3 can have come one file at most.
        assert_eq!(needed("8/8/8/8/8/P7/PP6/8"), None);
        assert_eq!(needed("8/8/8/8/8/8/8/8"), Some(0));
    }
}
