//! From logits to probabilities that mean what they say, and from squares to the confidence of a board.
//!
//! Every constant here is fitted on the corpus split `calibration` by `training/calibrate.py`, never on `dev`; the
//! figures are in `docs/accuracy.md`.

use serde::Serialize;

use super::{Logits, NONE, Probabilities};

/// Temperature that divides the square classifier's logits (Guo et al. 2017, "On Calibration of Modern Neural
/// Networks").
pub const TEMPERATURE: f32 = 0.704;

/// Softmax of the 13 classes' logits at the calibrated temperature: what a square shows, given that it is one.
#[must_use]
pub fn probabilities(logits: &Logits) -> Probabilities {
    logits.map(|row| {
        let classes: [f32; NONE] = std::array::from_fn(|class| row[class]);
        let highest = classes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let raised = classes.map(|value| ((value - highest) / TEMPERATURE).exp());
        let sum: f32 = raised.iter().sum();
        raised.map(|value| value / sum)
    })
}

/// Takes from a square that is read as empty what was seen there: something hides what it shows.
pub fn doubt(square: &mut [f32; NONE]) {
    let (best, _) = super::best_two(square);
    if best == 0 {
        let rest = (1.0 - COVERED_EMPTY) / (NONE - 1) as f32;
        *square = [rest; NONE];
        square[0] = COVERED_EMPTY;
    }
}

/// Confidence that a covered square is empty, a little less than the share of empty squares in 222,639 positions of games, studies
/// and puzzles (65 %).
const COVERED_EMPTY: f32 = 0.6;

/// How much looks like squares of a chess board, 0..=1: the mean over the squares of the probability of any of the 13
/// classes against [`NONE`].
#[must_use]
pub fn board_evidence(logits: &Logits) -> f32 {
    let evidence = logits.iter().map(|row| {
        let classes: f32 = row[..NONE]
            .iter()
            .map(|value| (value - row[NONE]).exp())
            .sum();
        // Overflows to infinity where no doubt is left.
        1.0 - 1.0 / (1.0 + classes)
    });
    evidence.sum::<f32>() / 64.0
}

/// Confidence that every one of the 64 squares is right, before the board's own calibration: the product of the
/// squares' probabilities.
#[must_use]
pub fn product_of_best(probabilities: &Probabilities) -> f32 {
    let logarithms = probabilities
        .iter()
        .map(|row| row.iter().copied().fold(0.0f32, f32::max).ln());
    logarithms.sum::<f32>().exp()
}

/// The mean over the squares of the probability of the best class, 0..=1: how well a board can be read at all.
#[must_use]
pub fn mean_certainty(probabilities: &Probabilities) -> f32 {
    let best = probabilities
        .iter()
        .map(|row| row.iter().copied().fold(0.0f32, f32::max));
    best.sum::<f32>() / 64.0
}

/// Weight of the squares' product, as a logit, fitted together with [`BIAS`] by `training/calibrate.py` to 152 boards of
/// the calibration pictures: how likely all squares are right, whichever way up the board is.
const WEIGHT: f32 = 0.852;
/// The log odds of a board whose squares are as likely right as not.
const BIAS: f32 = 0.752;

/// What the confidence of a board rests on, all 0..=1.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Evidence {
    /// The product of the squares' probabilities ([`product_of_best`]).
    pub product_of_squares: f32,
    /// How much looks like squares of a board ([`board_evidence`]).
    pub board: f32,
    /// The confidence of the orientation.
    pub orientation: f32,
}

/// Calibrated probability that a whole placement is right: that all squares are (a logistic regression of their
/// product), that it is a board, and that it is this way up.
#[must_use]
pub fn board_confidence(evidence: &Evidence) -> f32 {
    let product = evidence.product_of_squares.clamp(1e-4, 1.0 - 1e-5);
    let log_odds = WEIGHT * (product / (1.0 - product)).ln() + BIAS;
    evidence.board * evidence.orientation / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_even_for_huge_logits() {
        let mut logits = [[0.0; NONE + 1]; 64];
        logits[3] = [
            1e4, -1e4, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 1e4,
        ];
        for row in probabilities(&logits) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn a_board_is_as_sure_as_all_its_squares_together() {
        let mut probabilities = [[0.0; 13]; 64];
        for row in &mut probabilities {
            row[0] = 1.0;
        }
        probabilities[5][0] = 0.9;
        probabilities[60][0] = 0.5;
        assert!((product_of_best(&probabilities) - 0.45).abs() < 1e-6);
    }

    #[test]
    fn a_board_is_never_surer_than_that_it_is_one_and_this_way_up() {
        let sure = Evidence {
            product_of_squares: 1.0,
            board: 1.0,
            orientation: 1.0,
        };
        assert!(board_confidence(&sure) > 0.999);
        let turned = Evidence {
            orientation: 0.7,
            ..sure
        };
        assert!((board_confidence(&turned) - 0.7).abs() < 0.001);
        let draughts = Evidence { board: 0.6, ..sure };
        assert!((board_confidence(&draughts) - 0.6).abs() < 0.001);
        let undecided = Evidence {
            product_of_squares: 0.5,
            ..sure
        };
        assert!((board_confidence(&undecided) - 1.0 / (1.0 + (-0.752f32).exp())).abs() < 1e-5);
    }

    #[test]
    fn squares_that_are_none_take_from_the_evidence_of_a_board_in_proportion() {
        let mut logits = [[0.0; NONE + 1]; 64];
        for (square, row) in logits.iter_mut().enumerate() {
            row[if square < 16 { NONE } else { 5 }] = 200.0;
        }
        assert!((board_evidence(&logits) - 0.75).abs() < 1e-6);
        let undecided = [[0.0; NONE + 1]; 64];
        assert!((board_evidence(&undecided) - 13.0 / 14.0).abs() < 1e-6);
    }
}
