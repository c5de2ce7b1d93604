//! Bytes of a picture become the numbers that a network takes.

use ndarray::{Array4, ArrayD};

/// A square picture, `side` x `side` pixels of as many bytes as it has channels, as network input
/// `[1, channels, side, side]`: less the mean of all bytes, over (their standard deviation + `floor` grey levels, so that
/// a blank picture is not blown up into noise).
///
/// The channels are scaled together: which of two colours is the lighter one stays to be seen.
///
/// # Panics
/// When the bytes are no whole number of channels.
#[must_use]
pub(crate) fn standardised(bytes: &[u8], side: usize, floor: f32) -> ArrayD<f32> {
    let channels = bytes.len() / (side * side);
    assert_eq!(bytes.len(), channels * side * side, "whole channels");
    let (mean, deviation) = mean_and_deviation(bytes);
    let scale = 1.0 / (deviation + floor);
    let mut input = Vec::with_capacity(bytes.len());
    for channel in 0..channels {
        let plane = bytes[channel..].iter().step_by(channels);
        input.extend(plane.map(|&byte| (f32::from(byte) - mean) * scale));
    }
    Array4::from_shape_vec((1, channels, side, side), input)
        .expect("as many values as bytes")
        .into_dyn()
}

/// Mean and standard deviation of bytes.
fn mean_and_deviation(values: &[u8]) -> (f32, f32) {
    let (sum, squares) = values.iter().fold((0u64, 0u64), |(sum, squares), &value| {
        let value = u64::from(value);
        (sum + value, squares + value * value)
    });
    let count = values.len().max(1) as f64;
    let mean = sum as f64 / count;
    let variance = (squares as f64 / count - mean * mean).max(0.0);
    (mean as f32, variance.sqrt() as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_planes_and_are_scaled_together() {
        // Two pixels by two: red 0, 20, 40, 60, green 100 everywhere, blue 200 everywhere.
        let bytes: Vec<u8> = [0, 20, 40, 60]
            .iter()
            .flat_map(|&red| [red, 100, 200])
            .collect();
        let input = standardised(&bytes, 2, 8.0);
        assert_eq!(input.shape(), [1, 3, 2, 2]);
        let mean = 110.0;
        let variance = (110.0f32.powi(2)
            + 90.0f32.powi(2)
            + 70.0f32.powi(2)
            + 50.0f32.powi(2)
            + 4.0 * 10.0f32.powi(2)
            + 4.0 * 90.0f32.powi(2))
            / 12.0;
        for (index, value) in [0.0, 20.0, 40.0, 60.0].into_iter().enumerate() {
            let expected = (value - mean) / (variance.sqrt() + 8.0);
            assert!((input[[0, 0, index / 2, index % 2]] - expected).abs() < 1e-6);
        }
        assert!(input[[0, 1, 0, 0]] < 0.0 && input[[0, 2, 1, 1]] > 0.0);
    }

    #[test]
    fn a_blank_picture_is_all_zeros() {
        assert!(
            standardised(&[90; 64], 8, 10.0)
                .iter()
                .all(|&value| value == 0.0)
        );
    }
}
