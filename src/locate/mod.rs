//! Finds every chess board on a page: a network proposes rough quads, a second one fits each to its lattice and judges
//! it, and what remains is put into reading order.
//!
//! Fails on boards smaller than about 24 pixels a side, and on boards whose corners are covered by something else.

mod propose;
mod refine;

use serde::Serialize;

use crate::error::Result;
use crate::quad::Quad;
use crate::rectify::Pyramid;

pub use propose::Proposer;
pub use refine::Refiner;

/// A board found on a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// The corners of its 8 x 8 field.
    pub quad: Quad,
    /// How sure the locator is that this is a whole chess board, 0..=1 (not calibrated).
    pub score: f32,
}

/// What a page shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Boards {
    /// Whole boards, in reading order.
    pub whole: Vec<Board>,
    /// Boards that reach beyond the page's edge by more than a third of a square: their squares cannot all be seen.
    pub cut: Vec<Board>,
}

/// Boards with a smaller side in pixels are dropped: under 3 pixels a square nothing can be told.
const SMALLEST: f32 = 24.0;
/// Refined quads with a lower probability of being a board are dropped. The lab's trial used 0.3.
const IS_BOARD: f32 = 0.3;
/// Two quads whose centres are nearer than this share of the larger side are one board.
const SAME_BOARD: f32 = 0.3;
/// A board is cut when a corner lies further outside the page than this share of a square: more than lattice errors
/// (a few percent of a square) and less than a piece needs to be told.
const CUT: f32 = 0.35;

/// The two networks of this stage.
#[derive(Debug)]
pub struct Locator {
    /// Proposes rough quads.
    pub proposer: Proposer,
    /// Fits a rough quad to the lattice and judges it.
    pub refiner: Refiner,
}

impl Locator {
    /// Finds the boards of a page, at most `max_boards` (the best ones).
    ///
    /// # Errors
    /// [`crate::ErrorKind::Model`] when a network cannot be run.
    pub fn locate(&self, page: &Pyramid, max_boards: usize) -> Result<Boards> {
        let mut found: Vec<Board> = Vec::new();
        for proposal in self.proposer.propose(page)? {
            if proposal.quad.side() < SMALLEST {
                continue;
            }
            let Some(refined) = self.refiner.refine(page, &proposal.quad)? else {
                continue;
            };
            if refined.score >= IS_BOARD {
                found.push(Board {
                    quad: refined.quad,
                    score: refined.score * proposal.score.sqrt(),
                });
            }
        }
        let mut kept = without_duplicates(found);
        kept.truncate(max_boards);
        let (whole, cut) = kept
            .into_iter()
            .partition(|board| !is_cut(&board.quad, page.size()));
        Ok(Boards {
            whole: in_reading_order(whole),
            cut: in_reading_order(cut),
        })
    }
}

/// Of boards that share their centre or most of their field the one with the best score, best first.
fn without_duplicates(mut found: Vec<Board>) -> Vec<Board> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Board> = Vec::new();
    for board in found {
        if !kept.iter().any(|other| overlaps(&board.quad, &other.quad)) {
            kept.push(board);
        }
    }
    kept
}

fn overlaps(a: &Quad, b: &Quad) -> bool {
    let ([ax, ay], [bx, by]) = (a.centre(), b.centre());
    (ax - bx).hypot(ay - by) < SAME_BOARD * a.side().max(b.side())
}

fn is_cut(quad: &Quad, (width, height): (f32, f32)) -> bool {
    let reach = CUT * quad.side() / 8.0;
    quad.corners
        .iter()
        .any(|&[x, y]| x < -reach || y < -reach || x > width + reach || y > height + reach)
}

/// Boards as a person reads a page: by columns where boards stand in columns of text, within a row from left to right.
///
/// Boards whose vertical extents overlap by half form a row; rows go from top to bottom.
#[must_use]
pub fn in_reading_order(mut boards: Vec<Board>) -> Vec<Board> {
    boards.sort_by(|a, b| a.quad.centre()[1].total_cmp(&b.quad.centre()[1]));
    let mut rows: Vec<Vec<Board>> = Vec::new();
    for board in boards {
        let y = board.quad.centre()[1];
        match rows
            .last_mut()
            .filter(|row| y - row[0].quad.centre()[1] < 0.5 * row[0].quad.side())
        {
            Some(row) => row.push(board),
            None => rows.push(vec![board]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.quad.centre()[0].total_cmp(&b.quad.centre()[0]));
    }
    rows.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(x: f32, y: f32, side: f32, score: f32) -> Board {
        Board {
            quad: Quad::rectangle(x, y, x + side, y + side),
            score,
        }
    }

    #[test]
    fn a_slightly_uneven_grid_of_boards_is_read_row_by_row() {
        let places = [
            (10.0, 14.0),
            (220.0, 5.0),
            (430.0, 9.0),
            (12.0, 300.0),
            (225.0, 310.0),
            (428.0, 295.0),
        ];
        let expected: Vec<Board> = places
            .iter()
            .map(|&(x, y)| board(x, y, 180.0, 0.9))
            .collect();
        let shuffled = [4, 2, 0, 5, 1, 3]
            .map(|index: usize| expected[index].clone())
            .to_vec();
        assert_eq!(in_reading_order(shuffled), expected);
    }

    #[test]
    fn of_two_quads_on_one_board_the_better_one_stays() {
        let kept = without_duplicates(vec![
            board(0.0, 0.0, 100.0, 0.5),
            board(3.0, 2.0, 104.0, 0.9),
            board(120.0, 0.0, 100.0, 0.4),
        ]);
        assert_eq!(
            kept,
            [board(3.0, 2.0, 104.0, 0.9), board(120.0, 0.0, 100.0, 0.4)]
        );
    }

    #[test]
    fn a_board_beyond_the_edge_by_half_a_square_is_cut_and_one_that_touches_it_is_whole() {
        let size = (400.0, 400.0);
        assert!(!is_cut(&Quad::rectangle(0.0, 0.0, 400.0, 400.0), size));
        assert!(!is_cut(&Quad::rectangle(-5.0, 0.0, 395.0, 400.0), size));
        assert!(is_cut(&Quad::rectangle(-25.0, 0.0, 375.0, 400.0), size));
        assert!(is_cut(&Quad::rectangle(10.0, 30.0, 410.0, 430.0), size));
    }
}
