//! What the position alone tells about whose side is below.

use ndarray::ArrayD;

use crate::classify::Probabilities;
use crate::engine::Network;
use crate::error::{Error, ErrorKind, Result};

/// Pieces of both colours: the network's planes.
const PIECES: usize = 12;

/// The network that judges positions, `training/orientation_prior.py`.
#[derive(Debug)]
pub struct OrientationPrior(pub Network);

impl OrientationPrior {
    /// Log likelihoods, up to a common constant, of a position seen with White and with Black below.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the network cannot be run.
    pub(super) fn read(&self, squares: &Probabilities) -> Result<[f32; 2]> {
        let plane = |piece: usize| squares.iter().map(move |square| square[1 + piece]);
        let white_below = (0..PIECES).flat_map(plane);
        let black_below = (0..PIECES).flat_map(|piece| plane(piece).rev());
        let both = white_below.chain(black_below).collect();
        let input = ArrayD::from_shape_vec(vec![2, PIECES, 8, 8], both)
            .map_err(|error| Error::new(ErrorKind::Model, error.to_string()))?;
        let output = self.0.run(&input)?;
        match output.as_slice() {
            Some(&[white, black]) if white.is_finite() && black.is_finite() => Ok([white, black]),
            _ => Err(Error::new(
                ErrorKind::Model,
                "the orientation prior gave no two finite numbers",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{START, seen, turned};
    use super::*;
    use crate::engine::{self, EngineOptions};

    fn odds_of_white_below(squares: &Probabilities) -> f32 {
        engine::start(&EngineOptions::default()).unwrap();
        let bytes = include_bytes!("../../models/orientation_prior.onnx");
        let network = Network::load("orientation_prior", bytes).unwrap();
        let [white, black] = OrientationPrior(network).read(squares).unwrap();
        white - black
    }

    #[test]
    fn the_start_position_tells_whose_side_is_below() {
        let odds = odds_of_white_below(&seen(START));
        assert!(odds > 6.0, "{odds}");
        let odds = odds_of_white_below(&turned(seen(START)));
        assert!(odds < -6.0, "{odds}");
    }

    #[test]
    fn a_position_seen_from_the_other_side_has_the_opposite_odds() {
        let position = seen("8/8/4k3/4p3/8/3KP3/8/8");
        let odds = odds_of_white_below(&position);
        assert!(odds > 1.0, "{odds}");
        assert!((odds + odds_of_white_below(&turned(position))).abs() < 1e-4);
    }

    #[test]
    fn an_empty_board_tells_nothing() {
        assert!(odds_of_white_below(&seen("8/8/8/8/8/8/8/8")).abs() < 1e-4);
    }
}
