//! The coordinate reader: looks into the 96 cells at a board's edge where a rank digit or file letter may stand.
//!
//! 32 cells lie outside, one beside each edge square; 64 inside, two corners of each edge square. They form twelve
//! strips of eight: what one edge would carry outside, in its squares' first corners, or in their second ones. A strip
//! has labels or it has none, and with labels it says whose side is below by the order in which they run.

use ndarray::ArrayD;

use crate::engine::Network;
use crate::error::{Error, ErrorKind, Result};
use crate::position::Color;
use crate::quad::Quad;
use crate::rectify::{Pyramid, view};

/// Side in pixels of a cell.
const CELL: usize = 36;
/// Cells of a board.
const CELLS: usize = 96;
/// Classes of a cell: nothing, `1` to `8`, `a` to `h`.
const CLASSES: usize = 17;
/// Side in squares of a cell beside the board.
const OUTSIDE_SPAN: f32 = 1.2;
/// Side in squares of a cell in a square's corner.
const INSIDE_SPAN: f32 = 0.5;
/// How far a cell beside the board reaches into it, and a corner cell out of its square, in squares.
const OVERLAP: f32 = 0.05;
/// Grey levels added to a cell's deviation when it is standardised.
const DEVIATION_FLOOR: f32 = 8.0;

/// An edge of the board as seen, in the order of the strips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    Top,
    Right,
    Bottom,
    Left,
}

const EDGES: [Edge; 4] = [Edge::Top, Edge::Right, Edge::Bottom, Edge::Left];

/// Where the labels of a strip would stand in their squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    Outside,
    /// In the left corners at the top or bottom edge, in the upper ones at the left or right edge.
    FirstCorner,
    SecondCorner,
}

/// The strips in the order of the network's batch; each holds eight cells from left to right or top to bottom.
fn strips() -> impl Iterator<Item = (Edge, Stand)> {
    let outside = EDGES.into_iter().map(|edge| (edge, Stand::Outside));
    let inside = EDGES
        .into_iter()
        .flat_map(|edge| [(edge, Stand::FirstCorner), (edge, Stand::SecondCorner)]);
    outside.chain(inside)
}

/// Left, top and side of a cell in squares, the board being (0, 0) to (8, 8).
fn window(edge: Edge, stand: Stand, index: usize) -> [f32; 3] {
    let start = index as f32;
    let (along, near, far, span) = match stand {
        Stand::Outside => (
            start + 0.5 - OUTSIDE_SPAN / 2.0,
            OVERLAP - OUTSIDE_SPAN,
            8.0 - OVERLAP,
            OUTSIDE_SPAN,
        ),
        Stand::FirstCorner => (
            start - OVERLAP,
            -OVERLAP,
            8.0 + OVERLAP - INSIDE_SPAN,
            INSIDE_SPAN,
        ),
        Stand::SecondCorner => (
            start + 1.0 + OVERLAP - INSIDE_SPAN,
            -OVERLAP,
            8.0 + OVERLAP - INSIDE_SPAN,
            INSIDE_SPAN,
        ),
    };
    match edge {
        Edge::Top => [along, near, span],
        Edge::Right => [far, along, span],
        Edge::Bottom => [along, far, span],
        Edge::Left => [near, along, span],
    }
}

/// The class a strip's label has at an index, with the given side below.
fn expected_class(edge: Edge, index: usize, below: Color) -> usize {
    match (edge, below) {
        (Edge::Left | Edge::Right, Color::White) => 8 - index,
        (Edge::Left | Edge::Right, Color::Black) => 1 + index,
        (Edge::Top | Edge::Bottom, Color::White) => 9 + index,
        (Edge::Top | Edge::Bottom, Color::Black) => 16 - index,
    }
}

/// The network that reads cells.
#[derive(Debug)]
pub struct CoordinateReader(pub Network);

impl CoordinateReader {
    /// Reads the cells of a board; `None` when the quad is degenerate. Labels between it and one of the page's other boards
    /// are left out where they are that one's.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the network cannot be run.
    pub fn read(
        &self,
        page: &Pyramid,
        quad: &Quad,
        others: &[Quad],
    ) -> Result<Option<Coordinates>> {
        let Some(input) = cells(page, quad) else {
            return Ok(None);
        };
        let output = self.0.run(&input)?;
        if output.shape() != [CELLS, CLASSES] || output.iter().any(|value| !value.is_finite()) {
            return Err(Error::new(
                ErrorKind::Model,
                "the coordinate reader gave no 96 x 17 finite numbers",
            ));
        }
        let mut coordinates = Coordinates {
            cells: [[0.0; CLASSES]; CELLS],
        };
        for (cell, row) in coordinates.cells.iter_mut().enumerate() {
            let highest = (0..CLASSES)
                .map(|class| output[[cell, class]])
                .fold(f32::NEG_INFINITY, f32::max);
            for (class, value) in row.iter_mut().enumerate() {
                *value = (output[[cell, class]] - highest).exp();
            }
            let total: f32 = row.iter().sum();
            row.iter_mut().for_each(|value| *value /= total);
        }
        for (strip, (edge, stand)) in strips().enumerate() {
            if stand == Stand::Outside && others.iter().any(|other| takes(quad, edge, other)) {
                coordinates.leave_out(strip);
            }
        }
        Ok(Some(coordinates))
    }
}

/// Another board that begins within so many squares of an edge may have its labels there.
const BESIDE: f32 = 2.0;

/// Whether the labels beyond an edge are those of another board: labels stand on the left and below for the most part, so
/// that what is between two boards belongs to the right one or the upper one.
fn takes(quad: &Quad, edge: Edge, other: &Quad) -> bool {
    let board = Quad::rectangle(0.0, 0.0, 8.0, 8.0);
    let Some(to_board) = quad.homography_to(&board) else {
        return false;
    };
    let corners = other.projected(&to_board).corners;
    let range = |axis: usize| {
        let values = corners.map(|corner| corner[axis]);
        (
            values.into_iter().fold(f32::INFINITY, f32::min),
            values.into_iter().fold(f32::NEG_INFINITY, f32::max),
        )
    };
    let ((left, right), (top, bottom)) = (range(0), range(1));
    let is_beside = |(low, high): (f32, f32)| low < 7.0 && high > 1.0;
    match edge {
        Edge::Right => (7.0..8.0 + BESIDE).contains(&left) && is_beside((top, bottom)),
        Edge::Top => (-BESIDE..1.0).contains(&bottom) && is_beside((left, right)),
        Edge::Bottom | Edge::Left => false,
    }
}

/// The network's input for a board, [96, 1, 36, 36]: grey cells, each standardised for itself.
fn cells(page: &Pyramid, quad: &Quad) -> Option<ArrayD<f32>> {
    let mut input = Vec::with_capacity(CELLS * CELL * CELL);
    for (edge, stand) in strips() {
        for index in 0..8 {
            let [left, top, span] = window(edge, stand, index);
            let scale = CELL as f32 / span;
            let (x, y, side) = (-left * scale, -top * scale, 8.0 * scale);
            let cell = view(
                page,
                quad,
                &Quad::rectangle(x, y, x + side, y + side),
                CELL,
                CELL,
            )?;
            let greys = cell.pixels().map(|pixel| {
                let [red, green, blue] = pixel.0.map(f32::from);
                0.299 * red + 0.587 * green + 0.114 * blue
            });
            let count = (CELL * CELL) as f32;
            let mean = greys.clone().sum::<f32>() / count;
            let deviation =
                (greys.clone().map(|grey| (grey - mean).powi(2)).sum::<f32>() / count).sqrt();
            input.extend(greys.map(|grey| (grey - mean) / (deviation + DEVIATION_FLOOR)));
        }
    }
    ArrayD::from_shape_vec(vec![CELLS, 1, CELL, CELL], input).ok()
}

/// What was read in the cells of a board: probabilities of the 17 classes of each.
#[derive(Debug, Clone, PartialEq)]
pub struct Coordinates {
    cells: [[f32; CLASSES]; CELLS],
}

/// Share of strips that carry labels: on most boards two of twelve or none. With this and the three constants below,
/// set before measuring, the labels alone decide 167 of the 218 `dev` boards that are noted to have coordinates and 56
/// of the 271 others (true corners, log odds above 2), every one of them rightly.
const STRIP_PRESENT: f32 = 0.06;
/// Share of a strip's labels that are hidden, printed badly or cut.
const LABEL_MISSING: f32 = 0.15;
/// Share of cells in a strip without labels that show something like a label: text beside the board, a piece's edge.
const CLUTTER: f32 = 0.3;
/// Cells of a strip share their font and print, so that their errors are not independent: a strip's log likelihood
/// ratio is multiplied by this.
const STRIP_WEIGHT: f32 = 0.6;

impl Coordinates {
    /// Takes what was read in a strip for nothing.
    fn leave_out(&mut self, strip: usize) {
        for cell in &mut self.cells[8 * strip..8 * strip + 8] {
            *cell = [0.01 / (CLASSES - 1) as f32; CLASSES];
            cell[0] = 0.99;
        }
    }

    /// Log likelihood ratio of the cells between a board with the given side below and one without any labels.
    pub(super) fn score(&self, below: Color) -> f32 {
        (0..12).map(|strip| self.strip_score(strip, below)).sum()
    }

    /// How many labels say that the given side is below: those read as expected in strips that are likely labelled.
    pub(super) fn agreeing(&self, below: Color) -> usize {
        let labelled = strips()
            .enumerate()
            .filter(|&(strip, _)| self.strip_score(strip, below) > 0.0);
        labelled
            .map(|(strip, (edge, _))| {
                let as_expected = |&index: &usize| {
                    self.cells[8 * strip + index][expected_class(edge, index, below)] > 0.5
                };
                (0..8).filter(as_expected).count()
            })
            .sum()
    }

    /// The share of one strip in [`score`](Self::score).
    fn strip_score(&self, strip: usize, below: Color) -> f32 {
        let Some((edge, _)) = strips().nth(strip) else {
            return 0.0;
        };
        let ratio: f32 = (0..8)
            .map(|index| {
                let cell = &self.cells[8 * strip + index];
                let nothing = cell[0];
                let label = cell[expected_class(edge, index, below)];
                let labelled = (1.0 - LABEL_MISSING) * label + LABEL_MISSING * nothing;
                let unlabelled =
                    (1.0 - CLUTTER) * nothing + CLUTTER * (1.0 - nothing) / (CLASSES - 1) as f32;
                (labelled.max(1e-4) / unlabelled.max(1e-4)).ln()
            })
            .sum();
        let present = STRIP_PRESENT.ln() + STRIP_WEIGHT * ratio;
        let absent = (1.0 - STRIP_PRESENT).ln();
        present.max(absent) + (-(present - absent).abs()).exp().ln_1p()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Cells in which nothing stands.
    pub fn nothing() -> Coordinates {
        let mut cell = [0.01 / 16.0; CLASSES];
        cell[0] = 0.99;
        Coordinates {
            cells: [cell; CELLS],
        }
    }

    /// Puts sure labels into a strip, as they stand with the given side below.
    pub fn label(coordinates: &mut Coordinates, strip: usize, below: Color) {
        let (edge, _) = strips().nth(strip).unwrap();
        for index in 0..8 {
            let mut cell = [0.01 / 16.0; CLASSES];
            cell[expected_class(edge, index, below)] = 0.99;
            coordinates.cells[8 * strip + index] = cell;
        }
    }

    #[test]
    fn labels_between_two_boards_are_those_of_the_right_and_the_upper_one() {
        let at = |x: f32, y: f32| Quad::rectangle(x, y, x + 80.0, y + 80.0);
        let taken = |other: Quad| EDGES.map(|edge| takes(&at(100.0, 100.0), edge, &other));
        assert_eq!(taken(at(195.0, 95.0)), [false, true, false, false]);
        assert_eq!(taken(at(110.0, 5.0)), [true, false, false, false]);
        // Left of it, below, farther away, askew from it, and itself.
        for (x, y) in [
            (5.0, 100.0),
            (100.0, 195.0),
            (202.0, 100.0),
            (195.0, 175.0),
            (100.0, 100.0),
        ] {
            assert_eq!(taken(at(x, y)), [false; 4], "{x}, {y}");
        }
    }

    #[test]
    fn ranks_and_files_run_as_on_a_board() {
        // `1`..`8` are classes 1..8, `a`..`h` are 9..16.
        assert_eq!(expected_class(Edge::Left, 0, Color::White), 8);
        assert_eq!(expected_class(Edge::Right, 7, Color::White), 1);
        assert_eq!(expected_class(Edge::Bottom, 0, Color::White), 9);
        assert_eq!(expected_class(Edge::Top, 0, Color::Black), 16);
        assert_eq!(expected_class(Edge::Left, 0, Color::Black), 1);
    }

    #[test]
    fn cells_lie_where_the_network_was_trained_to_see_them() {
        // The first and last window of each kind, as `cell_windows` of training/coordinates.py gives them.
        let close = |window: [f32; 3], expected: [f32; 3]| {
            window
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-5)
        };
        assert!(close(
            window(Edge::Top, Stand::Outside, 0),
            [-0.1, -1.15, 1.2]
        ));
        assert!(close(
            window(Edge::Left, Stand::Outside, 7),
            [-1.15, 6.9, 1.2]
        ));
        assert!(close(
            window(Edge::Top, Stand::FirstCorner, 0),
            [-0.05, -0.05, 0.5]
        ));
        assert!(close(
            window(Edge::Left, Stand::SecondCorner, 7),
            [-0.05, 7.55, 0.5]
        ));
        assert!(close(
            window(Edge::Right, Stand::FirstCorner, 3),
            [7.55, 2.95, 0.5]
        ));
    }

    #[test]
    fn each_labelled_strip_adds_its_labels() {
        let mut coordinates = nothing();
        assert_eq!(coordinates.agreeing(Color::White), 0);
        label(&mut coordinates, 2, Color::White);
        label(&mut coordinates, 3, Color::White);
        assert_eq!(coordinates.agreeing(Color::White), 16);
        assert_eq!(coordinates.agreeing(Color::Black), 0);
        assert!(coordinates.score(Color::White) - coordinates.score(Color::Black) > 20.0);
    }

    #[test]
    fn a_strip_of_one_repeated_letter_is_no_evidence() {
        let mut coordinates = nothing();
        for index in 0..8 {
            coordinates.cells[index] = [0.01 / 16.0; CLASSES];
            coordinates.cells[index][13] = 0.99;
        }
        assert!((coordinates.score(Color::White) - coordinates.score(Color::Black)).abs() < 0.1);
    }
}
