//! A rectified board becomes a probability for each of 13 classes for each square, and for being no square at all.

pub mod calibrate;

use image::RgbImage;

use crate::engine::Network;
use crate::error::{Error, ErrorKind, Result};
use crate::network_input::standardised;
use crate::rectify::BOARD;

/// The 13 classes in the order of the network's first outputs: empty, then the FEN letters.
pub const CLASSES: [char; 13] = [
    '.', 'K', 'Q', 'R', 'B', 'N', 'P', 'k', 'q', 'r', 'b', 'n', 'p',
];

/// Index of the network's last output: what is seen is no square of a chess board.
pub const NONE: usize = CLASSES.len();

/// Logits of the 13 classes and of [`NONE`] for each of the 64 squares, row by row from the top left as seen.
pub type Logits = [[f32; NONE + 1]; 64];

/// Probabilities of the 13 classes for each of the 64 squares, row by row from the top left as seen.
pub type Probabilities = [[f32; 13]; 64];

/// Reads the 64 squares of a rectified board. The networks are such; tests bring others.
pub trait Classifier: Send + Sync + std::fmt::Debug {
    /// Logits for a rectified board of 264 x 264 pixels ([`crate::rectify::rectify`]).
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the network cannot be run.
    fn logits(&self, board: &RgbImage) -> Result<Logits>;
}

/// Grey levels added to the deviation when a board is standardised.
const DEVIATION_FLOOR: f32 = 8.0;

/// The square classifier: a convolutional network over the board, in which each square sees the others.
#[derive(Debug)]
pub struct SquareNetwork(pub Network);

impl Classifier for SquareNetwork {
    fn logits(&self, board: &RgbImage) -> Result<Logits> {
        let output = self
            .0
            .run(&standardised(board.as_raw(), BOARD, DEVIATION_FLOOR))?;
        if output.shape() != [64, NONE + 1] || output.iter().any(|value| !value.is_finite()) {
            return Err(Error::new(
                ErrorKind::Model,
                "the square classifier gave no 64 x 14 finite numbers",
            ));
        }
        let mut logits = [[0.0; NONE + 1]; 64];
        for (square, row) in logits.iter_mut().enumerate() {
            for (class, value) in row.iter_mut().enumerate() {
                *value = output[[square, class]];
            }
        }
        Ok(logits)
    }
}

/// The mean of the logits of several views of one board. All zeros when there is none.
#[must_use]
pub fn mean(views: &[Logits]) -> Logits {
    let mut mean = [[0.0; NONE + 1]; 64];
    for view in views {
        for (sum, value) in mean.iter_mut().flatten().zip(view.iter().flatten()) {
            *sum += value / views.len() as f32;
        }
    }
    mean
}

/// What two networks say together: the mean of their logits, in which the second counts for `share` (0 to 1).
#[must_use]
pub fn together(first: &Logits, second: &Logits, share: f32) -> Logits {
    let mut both = *first;
    for (first, second) in both.iter_mut().flatten().zip(second.iter().flatten()) {
        *first += share * (second - *first);
    }
    both
}

/// The index of the largest value and of the second largest.
#[must_use]
pub fn best_two(values: &[f32; 13]) -> (usize, usize) {
    let (mut first, mut second) = if values[1] > values[0] {
        (1, 0)
    } else {
        (0, 1)
    };
    for index in 2..13 {
        if values[index] > values[first] {
            second = first;
            first = index;
        } else if values[index] > values[second] {
            second = index;
        }
    }
    (first, second)
}

/// Which way a lattice was laid beside the board by a whole rank or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missed {
    /// Squares to the right that the quad must move; negative is to the left.
    pub across: i32,
    /// Squares down that the quad must move; negative is up.
    pub down: i32,
}

/// Tells a lattice that lies a rank or a file beside the board: along one edge of what is seen all squares are more
/// likely no squares of a board than any class, and along the opposite edge none is. `None` when it lies right, or so
/// wrong that a step cannot mend it.
#[must_use]
pub fn missed(logits: &Logits) -> Option<Missed> {
    let is_none = |row: usize, column: usize| {
        let values = &logits[8 * row + column];
        values[..NONE].iter().all(|&value| value < values[NONE])
    };
    let count = |along: &dyn Fn(usize) -> bool| (0..8).filter(|&at| along(at)).count();
    let step = |near: usize, far: usize| match (near, far) {
        (8, ..=4) => 1,
        (..=4, 8) => -1,
        _ => 0,
    };
    let found = Missed {
        across: step(count(&|at| is_none(at, 0)), count(&|at| is_none(at, 7))),
        down: step(count(&|at| is_none(0, at)), count(&|at| is_none(7, at))),
    };
    (found.across != 0 || found.down != 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_best_classes_are_found_wherever_they_stand() {
        for first in 0..13 {
            for second in (0..13).filter(|&second| second != first) {
                let mut values = [0.0; 13];
                values[first] = 2.0;
                values[second] = 1.0;
                assert_eq!(best_two(&values), (first, second));
            }
        }
    }

    /// Logits that call the marked squares of a map (`#`) no squares of a board and all others empty.
    fn seen(map: [&str; 8]) -> Logits {
        let mut logits = [[0.0; NONE + 1]; 64];
        for (square, mark) in map.concat().chars().enumerate() {
            logits[square][if mark == '#' { NONE } else { 0 }] = 5.0;
        }
        logits
    }

    #[test]
    fn a_lattice_a_file_or_a_rank_beside_the_board_is_told_from_one_that_lies_right() {
        let empty = "........";
        let (full, left, right) = ("########", "#.......", ".......#");
        let step = |across, down| Some(Missed { across, down });
        assert_eq!(missed(&seen([left; 8])), step(1, 0));
        assert_eq!(missed(&seen([right; 8])), step(-1, 0));
        let mut above = [empty; 8];
        above[0] = full;
        assert_eq!(missed(&seen(above)), step(0, 1));
        let mut corner = [left; 8];
        corner[7] = full;
        assert_eq!(missed(&seen(corner)), step(1, -1));
        assert_eq!(missed(&seen([empty; 8])), None);
        assert_eq!(missed(&seen([full; 8])), None);
        let mut one_less = [left; 8];
        one_less[3] = empty;
        assert_eq!(missed(&seen(one_less)), None);
    }
}
