//! Straightened views of a part of a page: a quad becomes an upright raster without aliasing, whatever its size.
//!
//! The page is kept in halved copies ([`Pyramid`]), made once a page, so that no view ever resamples the whole page: a
//! view samples the copy whose pixels are nearest to its own in size.

use image::RgbImage;

use crate::quad::Quad;

/// Side in pixels of one square of a rectified board.
pub const SQUARE: usize = 32;
/// Pixels kept around the field of a rectified board.
pub const BORDER: usize = 4;
/// Side in pixels of a rectified board: 264.
pub const BOARD: usize = 8 * SQUARE + 2 * BORDER;

/// Halvings stop when the shorter side would fall below this many pixels.
const SMALLEST_SIDE: u32 = 16;
/// A view whose pixel covers more than this many pixels of a copy on each axis is sampled from the next smaller copy. Up
/// to here one bilinear sample blurs as much as the Gaussian before shrinking in the training data does (0.31 to 0.41
/// pixels); from there on the smaller copy has at least 0.65 pixels for each of the view.
const COARSEST: f32 = 1.3;

/// A page and its copies at 1/2, 1/4, 1/8 ... of its size, each pixel the mean of four.
#[derive(Debug, Clone)]
pub struct Pyramid<'page> {
    page: &'page RgbImage,
    halves: Vec<RgbImage>,
}

impl<'page> Pyramid<'page> {
    /// Halves a page until its shorter side is near 16 pixels.
    #[must_use]
    pub fn new(page: &'page RgbImage) -> Self {
        let mut halves: Vec<RgbImage> = Vec::new();
        loop {
            let last = halves.last().unwrap_or(page);
            if last.width().min(last.height()) < 2 * SMALLEST_SIDE {
                return Self { page, halves };
            }
            let half = halved(last);
            halves.push(half);
        }
    }

    /// The copy whose side is 1/2^level of the page's, or the smallest there is, with the level it has.
    fn level(&self, level: usize) -> (&RgbImage, usize) {
        let level = level.min(self.halves.len());
        (
            if level == 0 {
                self.page
            } else {
                &self.halves[level - 1]
            },
            level,
        )
    }

    /// Width and height of the page in pixels.
    #[must_use]
    pub fn size(&self) -> (f32, f32) {
        (self.page.width() as f32, self.page.height() as f32)
    }
}

fn halved(picture: &RgbImage) -> RgbImage {
    let (width, height) = (picture.width() / 2, picture.height() / 2);
    let mut half = RgbImage::new(width, height);
    let stride = picture.width() as usize * 3;
    let rows = picture.as_raw().chunks_exact(stride);
    let pairs = rows.clone().step_by(2).zip(rows.skip(1).step_by(2));
    for ((upper, lower), target) in pairs.zip(half.chunks_exact_mut(width as usize * 3)) {
        for ((a, b), out) in upper
            .chunks_exact(6)
            .zip(lower.chunks_exact(6))
            .zip(target.chunks_exact_mut(3))
        {
            for channel in 0..3 {
                let sum = u16::from(a[channel])
                    + u16::from(a[channel + 3])
                    + u16::from(b[channel])
                    + u16::from(b[channel + 3]);
                out[channel] = ((sum + 2) / 4) as u8;
            }
        }
    }
    half
}

/// Cuts a quad out of the page as an RGB raster, row by row, in which the quad's corners lie at those of `place`.
///
/// Outside the page the nearest edge pixel is repeated. `None` when the quad or the place is degenerate.
#[must_use]
pub fn view(
    pyramid: &Pyramid,
    quad: &Quad,
    place: &Quad,
    width: usize,
    height: usize,
) -> Option<RgbImage> {
    let to_page = place.homography_to(quad)?;
    let scale = quad.side() / place.side();
    let (source, level) = pyramid.level((scale / COARSEST).log2().ceil().max(0.0) as usize);
    let shrink = 1.0 / (1 << level) as f32;
    let mut raster = Vec::with_capacity(width * height * 3);
    for row in 0..height {
        for column in 0..width {
            let (x, y) = to_page * (column as f32 + 0.5, row as f32 + 0.5);
            raster.extend(bilinear(source, x * shrink, y * shrink));
        }
    }
    RgbImage::from_raw(width as u32, height as u32, raster)
}

/// The colour at a point (pixel middles at .5), edge pixels repeated outside.
#[inline]
fn bilinear(source: &RgbImage, x: f32, y: f32) -> [u8; 3] {
    let axis = |value: f32, size: u32| {
        let last = size as i32 - 1;
        let at = (value - 0.5).max(0.0).min(last as f32);
        // Not negative: cutting off the fraction rounds down, in one instruction where `floor` is a call.
        let low = at as i32;
        (low as usize, (low + 1).min(last) as usize, at - low as f32)
    };
    let (left, right, across) = axis(x, source.width());
    let (top, bottom, down) = axis(y, source.height());
    let stride = source.width() as usize * 3;
    let data = source.as_raw();
    let mut sum = [0.5; 3];
    for (row, column, weight) in [
        (top, left, (1.0 - across) * (1.0 - down)),
        (top, right, across * (1.0 - down)),
        (bottom, left, (1.0 - across) * down),
        (bottom, right, across * down),
    ] {
        let start = row * stride + column * 3;
        for (sum, &byte) in sum.iter_mut().zip(&data[start..start + 3]) {
            *sum += f32::from(byte) * weight;
        }
    }
    sum.map(|value| value as u8)
}

/// The board inside a quad as an upright raster of 264 x 264 pixels: 32 a square and a border of 4.
#[must_use]
pub fn rectify(pyramid: &Pyramid, quad: &Quad) -> Option<RgbImage> {
    let (near, far) = (BORDER as f32, (BOARD - BORDER) as f32);
    view(
        pyramid,
        quad,
        &Quad::rectangle(near, near, far, far),
        BOARD,
        BOARD,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    /// A page of white and black squares whose lower right square is red.
    fn chequered(square: u32) -> RgbImage {
        RgbImage::from_fn(8 * square, 8 * square, |x, y| {
            let (column, row) = (x / square, y / square);
            match (column, row) {
                (7, 7) => Rgb([255, 0, 0]),
                _ if (column + row) % 2 == 0 => Rgb([255, 255, 255]),
                _ => Rgb([0, 0, 0]),
            }
        })
    }

    #[test]
    fn squares_keep_their_colours_at_every_size() {
        for square in [8, 31, 64, 150] {
            let page = chequered(square);
            let pyramid = Pyramid::new(&page);
            let side = 8.0 * square as f32;
            let board = rectify(&pyramid, &Quad::rectangle(0.0, 0.0, side, side)).unwrap();
            for row in 0..8u32 {
                for column in 0..8u32 {
                    let expected = match (column, row) {
                        (7, 7) => [255, 0, 0],
                        _ if (column + row) % 2 == 0 => [255, 255, 255],
                        _ => [0, 0, 0],
                    };
                    assert_eq!(
                        board.get_pixel(4 + 32 * column + 16, 4 + 32 * row + 16).0,
                        expected,
                        "{square}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_quad_that_starts_at_another_corner_gives_a_turned_board() {
        let page = chequered(40);
        let pyramid = Pyramid::new(&page);
        let quad = Quad::rectangle(0.0, 0.0, 320.0, 320.0).turned(2);
        assert_eq!(
            rectify(&pyramid, &quad).unwrap().get_pixel(20, 20).0,
            [255, 0, 0]
        );
    }

    #[test]
    fn fine_stripes_become_grey_instead_of_moire() {
        let stripes =
            RgbImage::from_fn(
                2048,
                2048,
                |x, _| Rgb([if x % 2 == 0 { 0 } else { 255 }; 3]),
            );
        let board = rectify(
            &Pyramid::new(&stripes),
            &Quad::rectangle(3.0, 3.0, 2041.0, 2041.0),
        )
        .unwrap();
        assert!(
            board
                .pixels()
                .all(|pixel| (120..=136).contains(&pixel.0[0]))
        );
    }
}
