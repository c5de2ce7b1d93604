//! The board locator network over a page: a heat map of board centres with four corners for each.
//!
//! The manner is CenterNet's (Zhou, Wang, Krähenbühl 2019, "Objects as Points"): no boxes to match, any number of
//! boards, any rotation.

use ndarray::ArrayD;

use super::Board;
use crate::engine::Network;
use crate::error::{Error, ErrorKind, Result};
use crate::network_input::standardised;
use crate::quad::{Point, Quad};
use crate::rectify::{Pyramid, view};

/// Side in pixels of the window that the network sees.
const WINDOW: usize = 512;
/// Pixels of the window per cell of its output.
const STRIDE: f32 = 8.0;
/// Heat from which a local maximum counts as a proposal. Low on purpose: the refiner judges each one.
const PEAK: f32 = 0.25;
/// Heat from which a small local maximum is looked at more closely. Of the 32 large calibration pictures in which no window
/// but the whole page was searched before, 6 have such a maximum and 15 have one of 0.05: what it costs. Boards of 64 pixels
/// in a page of 1,920 are found with it (`tests/testdata.rs`).
const TRACE: f32 = 0.1;
/// Grey levels added to the deviation when a window is standardised.
const DEVIATION_FLOOR: f32 = 10.0;
/// Boards with a smaller side than this (in window pixels) are searched again in a window twice as fine.
const SMALL_IN_WINDOW: f32 = 72.0;
/// A window with at least this many pixels for one of the page shows all there is.
const FINE_ENOUGH: f32 = 0.75;
/// Windows of a page at most, 7 ms each: enough for a page full of thumbnails.
const MOST_WINDOWS: usize = 24;

/// Finds rough quads of boards.
#[derive(Debug)]
pub struct Proposer(pub Network);

impl Proposer {
    /// Rough quads in page pixels, best first within each window; boards may appear more than once.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the network cannot be run.
    pub fn propose(&self, page: &Pyramid) -> Result<Vec<Board>> {
        let (width, height) = page.size();
        let side = width.max(height);
        let whole = Quad::rectangle(
            (width - side) / 2.0,
            (height - side) / 2.0,
            (width + side) / 2.0,
            (height + side) / 2.0,
        );
        let proposals = self.search(page, vec![whole])?;
        if proposals.is_empty() && WINDOW as f32 / side < FINE_ENOUGH {
            return self.search(page, tiles(width, height));
        }
        Ok(proposals)
    }

    /// Searches windows of the page, and closer ones around what is small in them.
    fn search(&self, page: &Pyramid, mut windows: Vec<Quad>) -> Result<Vec<Board>> {
        let mut proposals = Vec::new();
        let mut searched = 0;
        while let Some(&part) = windows.get(searched) {
            searched += 1;
            let scale = WINDOW as f32 / part.side();
            for board in self.window(page, &part)? {
                let small = board.quad.side() * scale < SMALL_IN_WINDOW;
                if small && scale < FINE_ENOUGH && windows.len() < MOST_WINDOWS {
                    // Finer windows have half the side or less; rounding must not make a window finer than itself.
                    let finer = |window: &Quad| window.side() < 0.9 * part.side();
                    if !windows
                        .iter()
                        .any(|window| finer(window) && holds(window, &board.quad))
                    {
                        windows.push(around(board.quad.centre(), part.side() / 2.0));
                    }
                }
                if board.score >= PEAK {
                    proposals.push(board);
                }
            }
        }
        Ok(proposals)
    }

    /// Runs the network on one square part of the page.
    fn window(&self, page: &Pyramid, part: &Quad) -> Result<Vec<Board>> {
        let place = Quad::rectangle(0.0, 0.0, WINDOW as f32, WINDOW as f32);
        let Some(seen) = window_in_grey(page, part) else {
            return Ok(Vec::new());
        };
        let output = self.0.run(&standardised(&seen, WINDOW, DEVIATION_FLOOR))?;
        let cells = WINDOW / STRIDE as usize;
        if output.shape() != [1, 9, cells, cells] {
            return Err(Error::new(
                ErrorKind::Model,
                "the board locator gave an output of another shape",
            ));
        }
        let Some(to_page) = place.homography_to(part) else {
            return Ok(Vec::new());
        };
        let mut boards = peaks(&output);
        for board in &mut boards {
            board.quad = board.quad.projected(&to_page);
        }
        boards.retain(|board| board.quad.is_convex());
        Ok(boards)
    }
}

/// The part of a window that shows the page, as (left, top, right, bottom) in window pixels.
fn inside_page(page: &Pyramid, part: &Quad) -> [usize; 4] {
    let (width, height) = page.size();
    let [left, top] = part.corners[0];
    let scale = WINDOW as f32 / (part.corners[1][0] - left);
    let at = |value: f32| value.round().clamp(0.0, WINDOW as f32) as usize;
    [
        at(-left * scale),
        at(-top * scale),
        at((width - left) * scale),
        at((height - top) * scale),
    ]
}

/// A window in grey, row by row; beyond the page its median.
fn window_in_grey(page: &Pyramid, part: &Quad) -> Option<Vec<u8>> {
    let [left, top, right, bottom] = inside_page(page, part);
    let place = Quad::rectangle(
        -(left as f32),
        -(top as f32),
        (WINDOW - left) as f32,
        (WINDOW - top) as f32,
    );
    let (width, height) = (right - left, bottom - top);
    let inside = view(page, part, &place, width, height)?;
    let grey: Vec<u8> = inside.pixels().map(|pixel| luma(pixel.0)).collect();
    let mut histogram = [0usize; 256];
    for &value in &grey {
        histogram[usize::from(value)] += 1;
    }
    let mut darker = 0;
    let median = histogram.iter().position(|count| {
        darker += count;
        darker > grey.len() / 2
    });
    let mut window = vec![median.unwrap_or(127) as u8; WINDOW * WINDOW];
    for (row, values) in grey.chunks_exact(width.max(1)).enumerate() {
        let start = (top + row) * WINDOW + left;
        window[start..start + width].copy_from_slice(values);
    }
    Some(window)
}

/// Luma of an RGB pixel (ITU-R BT.601).
pub(super) fn luma([red, green, blue]: [u8; 3]) -> u8 {
    (0.299 * f32::from(red) + 0.587 * f32::from(green) + 0.114 * f32::from(blue) + 0.5) as u8
}

/// The upright square of a side around a point.
fn around([x, y]: Point, side: f32) -> Quad {
    let half = side / 2.0;
    Quad::rectangle(x - half, y - half, x + half, y + half)
}

/// Whether an upright window shows a board with a fifth of its side around it.
fn holds(window: &Quad, board: &Quad) -> bool {
    let [[left, top], _, [right, bottom], _] = window.corners;
    let reach = 0.2 * board.side();
    board.corners.iter().all(|&[x, y]| {
        x > left + reach && x < right - reach && y > top + reach && y < bottom - reach
    })
}

/// Local maxima of the heat map in a 3 x 3 neighbourhood with their corners in window pixels, best first.
fn peaks(output: &ArrayD<f32>) -> Vec<Board> {
    let cells = output.shape()[2];
    let heat = |y: usize, x: usize| output[[0, 0, y, x]];
    let threshold = (TRACE / (1.0 - TRACE)).ln();
    let mut boards = Vec::new();
    for y in 0..cells {
        for x in 0..cells {
            let here = heat(y, x);
            let rows = y.saturating_sub(1)..=(y + 1).min(cells - 1);
            let is_peak = rows
                .flat_map(|row| {
                    (x.saturating_sub(1)..=(x + 1).min(cells - 1)).map(move |column| (row, column))
                })
                .all(|(row, column)| heat(row, column) <= here);
            if here > threshold && is_peak {
                let corner = |index: usize| {
                    [
                        (output[[0, 1 + 2 * index, y, x]] + x as f32 + 0.5) * STRIDE,
                        (output[[0, 2 + 2 * index, y, x]] + y as f32 + 0.5) * STRIDE,
                    ]
                };
                let quad = Quad::new([0, 1, 2, 3].map(corner)).from_visual_top_left();
                boards.push(Board {
                    quad,
                    score: 1.0 / (1.0 + (-here).exp()),
                });
            }
        }
    }
    boards.sort_by(|a, b| b.score.total_cmp(&a.score));
    boards
}

/// Square tiles that cover the page at twice the scale, each overlapping the next by at least a third.
fn tiles(width: f32, height: f32) -> Vec<Quad> {
    let side = width.max(height) / 2.0;
    let starts = |length: f32| -> Vec<f32> {
        if length <= side {
            return vec![(length - side) / 2.0];
        }
        let count = ((length - side) / (side * 2.0 / 3.0)).ceil();
        (0..=count as usize)
            .map(|index| (length - side) * index as f32 / count)
            .collect()
    };
    let columns = starts(width);
    starts(height)
        .iter()
        .flat_map(|&top| {
            columns
                .iter()
                .map(move |&left| Quad::rectangle(left, top, left + side, top + side))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_page_and_overlap_by_a_third() {
        let tiles = tiles(1200.0, 1000.0);
        assert_eq!(tiles.len(), 6);
        assert_eq!(tiles[0], Quad::rectangle(0.0, 0.0, 600.0, 600.0));
        assert_eq!(tiles[5], Quad::rectangle(600.0, 400.0, 1200.0, 1000.0));
        assert!(tiles[1].corners[0][0] <= 400.0);
    }

    #[test]
    fn a_peak_becomes_a_quad_around_its_cell() {
        let mut output = ArrayD::from_elem(vec![1, 9, 48, 48], 0.0f32);
        output.slice_mut(ndarray::s![0, 0, .., ..]).fill(-5.0);
        output[[0, 0, 10, 20]] = 2.0;
        output[[0, 0, 10, 21]] = 1.0;
        for (channel, value) in [-4.0, -4.0, 4.0, -4.0, 4.0, 4.0, -4.0, 4.0]
            .into_iter()
            .enumerate()
        {
            output[[0, 1 + channel, 10, 20]] = value;
        }
        let boards = peaks(&output);
        assert_eq!(boards.len(), 1);
        assert_eq!(boards[0].quad, Quad::rectangle(132.0, 52.0, 196.0, 116.0));
        assert!((boards[0].score - 0.880_797).abs() < 1e-5);
    }
}
