//! Does the board seem to be turned, or the colours exchanged?
//!
//! Pawns tell: hardly any game has many white pawns on rank 7 and black ones on rank 2. In endings both sides' pawns get
//! there, so pieces and kings must stand as at home too, on the wrong side of the board. Which of the two mistakes it is the
//! kings and queens tell, because turning moves them from the e- and d-file to the other, and exchanging colours does not.

use cozy_chess::BitBoard;

use crate::diagnostic::{Code, Diagnostic};
use crate::position::attacks::Bitboards;
use crate::position::{Color, Fen, Piece, Placement, Role, Square, infer};

/// Pawns on the other side's home rank before anything is said. No position of the random games that the comparison with
/// python-chess plays has so many with no more than a third as many at home (`tests/python_chess.rs` would fail).
const FOREIGN_PAWNS: u32 = 4;

/// Pieces but kings and pawns on the other side's first rank before anything is said.
const FOREIGN_PIECES: u32 = 2;

pub(super) fn hints(diagnostics: &mut Vec<Diagnostic>, fen: &Fen, boards: &Bitboards) {
    let rank = |index: u32| BitBoard(0xff << (8 * index));
    let white = boards.of(Color::White, Role::Pawn);
    let black = boards.of(Color::Black, Role::Pawn);
    let at_home = (white & rank(1)).len() + (black & rank(6)).len();
    let foreign = (white & rank(6)).len() + (black & rank(1)).len();
    if foreign < FOREIGN_PAWNS || foreign < 3 * at_home {
        return;
    }
    let pieces = |color: Color| {
        boards.color(color) ^ boards.of(color, Role::Pawn) ^ boards.of(color, Role::King)
    };
    let foreign_pieces =
        (pieces(Color::White) & rank(7)).len() + (pieces(Color::Black) & rank(0)).len();
    if foreign_pieces < FOREIGN_PIECES {
        return;
    }
    let placement = &fen.placement;
    let rotated = placement.rotated();
    let ranks_reversed = reverse_ranks(placement);
    let turned = if plausibility(&rotated) >= plausibility(&ranks_reversed) {
        rotated
    } else {
        ranks_reversed
    };
    let swapped = placement.colors_swapped();
    let cured = plausibility(&turned).max(plausibility(&swapped));
    if cured <= plausibility(placement) {
        return;
    }
    let pawns = format!("{foreign} pawns stand on the home rank of the other side's pawns");
    let upside_down = Diagnostic::new(Code::UpsideDown, format!("upside down? {pawns}"))
        .hint("the board was seen from Black's side, or the ranks were written from 1 to 8; turned it is the suggestion")
        .suggestion(with_placement(fen, turned));
    let colors_swapped = Diagnostic::new(Code::ColorsSwapped, format!("colours swapped? {pawns}"))
        .hint("capital letters are White's; with the colours exchanged it is the suggestion")
        .suggestion(with_placement(fen, swapped));
    match plausibility(&turned).cmp(&plausibility(&swapped)) {
        std::cmp::Ordering::Greater => diagnostics.push(upside_down),
        std::cmp::Ordering::Less => diagnostics.push(colors_swapped),
        std::cmp::Ordering::Equal => diagnostics.extend([upside_down, colors_swapped]),
    }
}

/// The same other fields, with rights as kings and rooks stand now.
fn with_placement(fen: &Fen, placement: Placement) -> Fen {
    Fen {
        placement,
        castling: infer::castling(&placement),
        en_passant: None,
        ..*fen
    }
}

/// Rank 1 for rank 8 and so on, each still from a to h.
fn reverse_ranks(placement: &Placement) -> Placement {
    let mut reversed = Placement::EMPTY;
    for (square, piece) in placement.pieces() {
        reversed.set(Square::at(square.file(), 7 - square.rank()), Some(piece));
    }
    reversed
}

/// How much kings and queens stand where they do in games: at home or castled. Where that does not tell, whether both kings
/// stand on their first ranks at all, and on files where they go from there.
fn plausibility(placement: &Placement) -> (u32, u32) {
    let on = |color: Color, role, file| {
        let square = Square::at(file, color.home_rank());
        u32::from(placement.get(square) == Some(Piece::new(color, role)))
    };
    let sum = |of: &dyn Fn(Color) -> u32| Color::ALL.into_iter().map(of).sum();
    let at_home_or_castled = sum(&|color| {
        3 * on(color, Role::King, 4)
            + 3 * on(color, Role::King, 6)
            + on(color, Role::King, 2)
            + 2 * on(color, Role::Queen, 3)
    });
    let are_both = Color::ALL
        .into_iter()
        .all(|color| (0..8).any(|file| on(color, Role::King, file) > 0));
    let near_by = sum(&|color| {
        [1, 5, 7]
            .map(|file| on(color, Role::King, file))
            .iter()
            .sum()
    });
    (at_home_or_castled, u32::from(are_both) * (1 + near_by))
}
