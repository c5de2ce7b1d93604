//! The corner refiner: sees a rough quad with its surroundings, says how far each corner is off and whether this is a
//! board at all, and is asked again from where it moved the corners to.

use super::Board;
use super::propose::luma;
use crate::engine::Network;
use crate::error::{Error, ErrorKind, Result};
use crate::network_input::standardised;
use crate::quad::Quad;
use crate::rectify::{Pyramid, view};

/// Side in pixels of the view.
const VIEW: usize = 128;
/// Surroundings shown on each side, as a share of the rough quad's side.
const MARGIN: f32 = 0.18;
/// Side in pixels of the rough quad in the view.
const SIDE: f32 = VIEW as f32 / (1.0 + 2.0 * MARGIN);
/// Corner shifts come in tenths of the rough quad's side.
const UNIT: f32 = SIDE / 10.0;
/// How often the corners are moved at most: rough quads of boards at a slant need four or five rounds.
const MOST_ROUNDS: usize = 6;
/// Corners that move by less than this share of the quad's side, 4 % of a square, stand where they belong.
const STILL: f32 = 0.005;
/// A quad whose corners still move by more than this share of its side in the last round has not settled on a lattice.
const SETTLED: f32 = 0.05;
/// Grey levels added to the deviation when a view is standardised.
const DEVIATION_FLOOR: f32 = 10.0;

/// Fits rough quads to lattices.
#[derive(Debug)]
pub struct Refiner(pub Network);

impl Refiner {
    /// Moves a rough quad onto the board it is near; its score is then the probability of being a whole board.
    /// `None` when the corners run into each other or do not settle.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the network cannot be run.
    pub fn refine(&self, page: &Pyramid, rough: &Quad) -> Result<Option<Board>> {
        let inset = (VIEW as f32 - SIDE) / 2.0;
        let place = Quad::rectangle(inset, inset, VIEW as f32 - inset, VIEW as f32 - inset);
        let mut board = Board {
            quad: *rough,
            score: 0.0,
        };
        let mut movement = 0.0f32;
        for _ in 0..MOST_ROUNDS {
            let Some(seen) = view(page, &board.quad, &place, VIEW, VIEW) else {
                return Ok(None);
            };
            let grey: Vec<u8> = seen.pixels().map(|pixel| luma(pixel.0)).collect();
            let output = self.0.run(&standardised(&grey, VIEW, DEVIATION_FLOOR))?;
            if output.shape() != [1, 9] {
                return Err(Error::new(
                    ErrorKind::Model,
                    "the corner refiner gave an output of another shape",
                ));
            }
            let mut moved = place;
            for (index, corner) in moved.corners.iter_mut().enumerate() {
                corner[0] += output[[0, 2 * index]] * UNIT;
                corner[1] += output[[0, 2 * index + 1]] * UNIT;
            }
            let Some(to_page) = place.homography_to(&board.quad) else {
                return Ok(None);
            };
            if !moved.is_convex() {
                return Ok(None);
            }
            board.quad = moved.projected(&to_page);
            board.score = 1.0 / (1.0 + (-output[[0, 8]]).exp());
            movement = (0..8)
                .map(|index| output[[0, index]].abs() / 10.0)
                .fold(0.0, f32::max);
            if movement < STILL {
                break;
            }
        }
        Ok((movement < SETTLED && board.quad.is_convex()).then_some(board))
    }
}
