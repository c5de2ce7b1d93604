//! Finds every chess board on a page: a network proposes rough quads, a second one fits each to its lattice and judges
//! it, and what remains is put into reading order.
//!
//! Fails on boards smaller than about 24 pixels a side, and on boards whose corners are covered by something else.

mod chequers;
mod propose;
mod refine;

use serde::Serialize;

use crate::error::Result;
use crate::quad::Quad;
use crate::rectify::Pyramid;

pub(crate) use chequers::covered;
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
    /// Number of boards beyond the number wanted: those with the lowest scores.
    pub left_out: usize,
}

/// Boards with a smaller side in pixels are dropped: under 3 pixels a square nothing can be told.
const SMALLEST: f32 = 24.0;
/// Refined quads with a lower probability of being a board are dropped. Low on purpose: the square classifier, which sees
/// the whole board in colour, judges better; on the calibration pictures 0.3 and 0.1 find the same boards, 0.03 one more, twelve
/// white knights in a photo of a green screen.
const IS_BOARD: f32 = 0.03;
/// As many proposals are refined at most for each board wanted, so that a page of hundreds of boards takes no longer than one
/// of [`crate::Limits::max_boards`]: 7 s instead of 16 for 180 boards of 80 pixels with tract beside other work. Of the
/// proposals some lie between boards, so that as many as boards wanted would not do.
const REFINED_FOR_EACH_WANTED: usize = 3;
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
        let mut proposals = self.proposer.propose(page)?;
        proposals.retain(|proposal| proposal.quad.side() >= SMALLEST);
        let mut proposals = without_duplicates(proposals);
        let refined = max_boards.saturating_mul(REFINED_FOR_EACH_WANTED);
        let not_refined = proposals.len().saturating_sub(refined);
        proposals.truncate(refined);
        let mut found: Vec<Board> = Vec::new();
        for proposal in proposals {
            let Some(refined) = self.refiner.refine(page, &proposal.quad)? else {
                continue;
            };
            if refined.score < IS_BOARD {
                continue;
            }
            for shift in chequers::shifts(page, &refined.quad) {
                if let Some(board) = self.shifted(page, &refined, shift)? {
                    found.push(Board {
                        score: board.score * proposal.score.sqrt(),
                        ..board
                    });
                }
            }
        }
        let mut kept = without_duplicates(found);
        let left_out = not_refined + kept.len().saturating_sub(max_boards);
        kept.truncate(max_boards);
        let (whole, cut) = kept
            .into_iter()
            .partition(|board| !is_cut(&board.quad, page.size()));
        Ok(Boards {
            whole: in_reading_order(whole),
            cut: in_reading_order(cut),
            left_out,
        })
    }
}

impl Locator {
    /// The board that lies some squares to the right of a quad and below it; `None` when there is none.
    fn shifted(
        &self,
        page: &Pyramid,
        board: &Board,
        (right, down): (f32, f32),
    ) -> Result<Option<Board>> {
        if (right, down) == (0.0, 0.0) {
            return Ok(Some(board.clone()));
        }
        let Some(quad) = board
            .quad
            .of_squares([right, down, right + 8.0, down + 8.0])
        else {
            return Ok(None);
        };
        // Beside another board the refiner slips, by a rank or a part of one: where it goes further than a fifth of a square the
        // squares that were counted are surer than it.
        let stays = |found: &Board| found.quad.corner_distance(&quad) < quad.side() / 40.0;
        let refined = self.refiner.refine(page, &quad)?;
        let unrefined = Board {
            quad,
            score: board.score,
        };
        Ok(Some(refined.filter(stays).unwrap_or(unrefined)))
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

/// Whether the page's edge cuts a board.
pub(crate) fn is_cut(quad: &Quad, (width, height): (f32, f32)) -> bool {
    let reach = CUT * quad.side() / 8.0;
    quad.corners
        .iter()
        .any(|&[x, y]| x < -reach || y < -reach || x > width + reach || y > height + reach)
}

/// Two boards stand in one row (or column) when their centres differ by less than this share of a side.
const IN_LINE: f32 = 0.5;
/// Boards side by side whose centres differ in height by more than this share of a side were not set in one row:
/// their page is set in columns. Rows of printed diagrams are even to a few percent.
const STAGGERED: f32 = 0.2;

/// A board with its centre across and down the page, measured along the edges of the page's boards.
struct Placed {
    centre: [f32; 2],
    side: f32,
    board: Board,
}

impl Placed {
    /// How far two centres are apart across (axis 0) or down (axis 1), in sides of the larger board.
    fn apart(&self, other: &Self, axis: usize) -> f32 {
        (self.centre[axis] - other.centre[axis]).abs() / self.side.max(other.side)
    }

    /// Whether two boards stand side by side but not in one row.
    fn is_staggered(&self, other: &Self) -> bool {
        self.apart(other, 0) > 1.0 && (STAGGERED..1.0 - STAGGERED).contains(&self.apart(other, 1))
    }
}

/// Boards as a person reads a page: row by row, each from left to right; where boards side by side are not in line,
/// because the page is set in columns of text, column by column, each from top to bottom. A page that lies askew is
/// read along the edges of its boards.
#[must_use]
pub fn in_reading_order(boards: Vec<Board>) -> Vec<Board> {
    // Upper edges of all boards added up: the direction across the page.
    let [x, y] = boards.iter().fold([0.0, 0.0], |[x, y], board| {
        let [from, to, ..] = board.quad.corners;
        [x + to[0] - from[0], y + to[1] - from[1]]
    });
    let length = x.hypot(y).max(f32::MIN_POSITIVE);
    let [x, y] = [x / length, y / length];
    let placed: Vec<Placed> = boards
        .into_iter()
        .map(|board| {
            let [at_x, at_y] = board.quad.centre();
            Placed {
                centre: [at_x * x + at_y * y, at_y * x - at_x * y],
                side: board.quad.side(),
                board,
            }
        })
        .collect();
    let in_columns = placed.iter().enumerate().any(|(index, board)| {
        placed[..index]
            .iter()
            .any(|other| board.is_staggered(other))
    });
    // Lines of boards run along one axis and follow each other along the other.
    let (along, following) = if in_columns { (1, 0) } else { (0, 1) };
    lines(placed, following)
        .into_iter()
        .flat_map(|line| sorted(line, along))
        .map(|placed| placed.board)
        .collect()
}

/// Groups of boards that are in line, one after the other along `axis`.
fn lines(placed: Vec<Placed>, axis: usize) -> Vec<Vec<Placed>> {
    let mut lines: Vec<Vec<Placed>> = Vec::new();
    for board in sorted(placed, axis) {
        match lines
            .last_mut()
            .filter(|line| line[0].apart(&board, axis) < IN_LINE)
        {
            Some(line) => line.push(board),
            None => lines.push(vec![board]),
        }
    }
    lines
}

fn sorted(mut placed: Vec<Placed>, axis: usize) -> Vec<Placed> {
    placed.sort_by(|a, b| a.centre[axis].total_cmp(&b.centre[axis]));
    placed
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
    fn boards_in_columns_of_text_are_read_column_by_column() {
        let places = [
            (10.0, 20.0),
            (14.0, 320.0),
            (8.0, 700.0),
            (310.0, 110.0),
            (305.0, 520.0),
        ];
        let expected: Vec<Board> = places
            .iter()
            .map(|&(x, y)| board(x, y, 180.0, 0.9))
            .collect();
        let shuffled = [3, 1, 4, 0, 2]
            .map(|index: usize| expected[index].clone())
            .to_vec();
        assert_eq!(in_reading_order(shuffled), expected);
    }

    #[test]
    fn a_page_that_lies_askew_is_read_along_its_rows() {
        let (sin, cos) = 0.3f32.sin_cos();
        let askew = |x: f32, y: f32| Board {
            quad: Quad::new(
                Quad::rectangle(x, y, x + 180.0, y + 180.0)
                    .corners
                    .map(|[x, y]| [x * cos - y * sin, x * sin + y * cos]),
            ),
            score: 0.9,
        };
        let expected: Vec<Board> = [0.0, 300.0]
            .iter()
            .flat_map(|&y| [0.0, 210.0, 420.0].map(|x| askew(x, y)))
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
