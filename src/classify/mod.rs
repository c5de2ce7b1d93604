//! Crops of the 64 squares become a probability for each of 13 classes.

pub mod calibrate;

use image::RgbImage;

use crate::engine::Network;
use crate::error::{Error, ErrorKind, Result};
use crate::squares::crops;

/// The 13 classes in the order of the network's outputs: empty, then the FEN letters.
pub const CLASSES: [char; 13] = [
    '.', 'K', 'Q', 'R', 'B', 'N', 'P', 'k', 'q', 'r', 'b', 'n', 'p',
];

/// Logits of the 13 classes for each of the 64 squares, row by row from the top left as seen.
pub type Logits = [[f32; 13]; 64];

/// Probabilities of the 13 classes for each of the 64 squares, row by row from the top left as seen.
pub type Probabilities = [[f32; 13]; 64];

/// Reads the 64 squares of a rectified board. The network is one; tests bring others.
pub trait Classifier: Send + Sync + std::fmt::Debug {
    /// Logits for a rectified board of 264 x 264 pixels ([`crate::rectify::rectify`]).
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the network cannot be run.
    fn logits(&self, board: &RgbImage) -> Result<Logits>;
}

/// The square classifier: a convolutional network over crops of all squares, each seeing the rest of the board.
#[derive(Debug)]
pub struct SquareNetwork(pub Network);

impl Classifier for SquareNetwork {
    fn logits(&self, board: &RgbImage) -> Result<Logits> {
        let output = self.0.run(&crops(board))?;
        if output.shape() != [64, 13] || output.iter().any(|value| !value.is_finite()) {
            return Err(Error::new(
                ErrorKind::Model,
                "the square classifier gave no 64 x 13 finite numbers",
            ));
        }
        let mut logits = [[0.0; 13]; 64];
        for (square, row) in logits.iter_mut().enumerate() {
            for (class, value) in row.iter_mut().enumerate() {
                *value = output[[square, class]];
            }
        }
        Ok(logits)
    }
}

/// Adds up logits of several views of the same board to their mean.
#[must_use]
pub fn mean_logits(views: &[Logits]) -> Logits {
    let mut mean = [[0.0; 13]; 64];
    for view in views {
        for (sum, values) in mean.iter_mut().flatten().zip(view.iter().flatten()) {
            *sum += values / views.len() as f32;
        }
    }
    mean
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
}
