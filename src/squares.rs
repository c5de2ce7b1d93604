//! A rectified board becomes the 64 crops that the square classifier reads.

use image::RgbImage;
use ndarray::{Array4, ArrayD};

use crate::rectify::{BOARD, BORDER, SQUARE};

/// Side in pixels of a crop: one square and a border of its neighbours, 40.
pub const CROP: usize = SQUARE + 2 * BORDER;

/// Grey levels added to the deviation, so that a blank picture is not blown up into noise.
const DEVIATION_FLOOR: f32 = 8.0;

/// Cuts a rectified board (264 x 264) into crops `[64, 3, 40, 40]`, row by row from the top left as seen.
///
/// Values are standardised over the whole board, all channels together: whether a piece is white or black shows only
/// in relation to the rest of its board.
///
/// # Panics
/// When the board is not 264 x 264, which [`crate::rectify::rectify`] guarantees.
#[must_use]
pub fn crops(board: &RgbImage) -> ArrayD<f32> {
    assert_eq!(
        board.dimensions(),
        (BOARD as u32, BOARD as u32),
        "a rectified board"
    );
    let (mean, deviation) = mean_and_deviation(board.as_raw());
    let scale = 1.0 / (deviation + DEVIATION_FLOOR);
    let data = board.as_raw();
    Array4::from_shape_fn((64, 3, CROP, CROP), |(square, channel, y, x)| {
        let (row, column) = (square / 8 * SQUARE + y, square % 8 * SQUARE + x);
        (f32::from(data[(row * BOARD + column) * 3 + channel]) - mean) * scale
    })
    .into_dyn()
}

/// Mean and standard deviation of bytes.
pub(crate) fn mean_and_deviation(values: &[u8]) -> (f32, f32) {
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
    use image::Rgb;

    #[test]
    fn each_crop_is_its_square_with_a_border_of_four_pixels() {
        // Each pixel tells which square it lies in: red the column, green the row; the border is square 0 or 7.
        let index = |at: u32| (at.saturating_sub(4) / 32).min(7) as u8;
        let board = RgbImage::from_fn(264, 264, |x, y| Rgb([index(x), index(y), 0]));
        let (mean, deviation) = mean_and_deviation(board.as_raw());
        let crops = crops(&board);
        assert_eq!(crops.shape(), [64, 3, 40, 40]);
        let level = |value: f32| (value * (deviation + 8.0) + mean).round() as usize;
        for square in 0..64 {
            assert_eq!(level(crops[[square, 0, 20, 20]]), square % 8);
            assert_eq!(level(crops[[square, 1, 20, 20]]), square / 8);
            let (column, row) = (square % 8, square / 8);
            assert_eq!(level(crops[[square, 0, 20, 3]]), column.saturating_sub(1));
            assert_eq!(level(crops[[square, 1, 36, 20]]), (row + 1).min(7));
        }
    }

    #[test]
    fn a_blank_board_gives_zeros() {
        let board = RgbImage::from_pixel(264, 264, Rgb([200; 3]));
        assert!(crops(&board).iter().all(|&value| value == 0.0));
    }
}
