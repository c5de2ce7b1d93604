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
    let mut raster = RgbImage::new(width as u32, height as u32);
    let taps = Taps::new(source);
    // Places first, colours second: the first loop then becomes vector instructions, which halves the time.
    let mut places = vec![[0; 2]; width];
    for (row, line) in raster.chunks_exact_mut(3 * width.max(1)).enumerate() {
        for (column, place) in places.iter_mut().enumerate() {
            let (x, y) = to_page * (column as f32 + 0.5, row as f32 + 0.5);
            *place = taps.place(x * shrink, y * shrink);
        }
        for (&place, pixel) in places.iter().zip(line.chunks_exact_mut(3)) {
            pixel.copy_from_slice(&taps.colour(place));
        }
    }
    Some(raster)
}

/// Reads colours between the pixels of a picture, in integers: places in parts of a pixel, the three bytes of a pixel in one
/// word. What lies beyond 65,536 pixels on an axis is not seen. Half the time of floating point, and at most one grey level off.
struct Taps<'picture> {
    bytes: &'picture [u8],
    stride: usize,
    last: [f32; 2],
}

/// A pixel has 128 parts on each axis: as many as leave 16 of the 23 bits of a fraction to the pixel's number.
const PART_BITS: u32 = 7;
const PARTS: u32 = 1 << PART_BITS;

impl<'picture> Taps<'picture> {
    fn new(picture: &'picture RgbImage) -> Self {
        let last = |size: u32| (size.clamp(1, 1 << 16) - 1) as f32 * PARTS as f32;
        Self {
            bytes: picture.as_raw(),
            stride: picture.width() as usize * 3,
            last: [last(picture.width()), last(picture.height())],
        }
    }

    /// A point (pixel middles at .5) in parts of a pixel from the middle of the first pixel on, never outside the last.
    #[inline]
    fn place(&self, x: f32, y: f32) -> [u32; 2] {
        // Added to 2^23 a number up to 2^23 is rounded to a whole one, which then is the fraction's bits.
        const TWO_TO_23: f32 = (1u32 << 23) as f32;
        let axis = |value: f32, last: f32| {
            let parts = (value - 0.5) * PARTS as f32;
            (parts.max(0.0).min(last) + TWO_TO_23).to_bits() - TWO_TO_23.to_bits()
        };
        [axis(x, self.last[0]), axis(y, self.last[1])]
    }

    /// The colour at a place.
    #[inline]
    fn colour(&self, [x, y]: [u32; 2]) -> [u8; 3] {
        let (across, down) = (x % PARTS, y % PARTS);
        let start = (y / PARTS) as usize * self.stride + (x / PARTS) as usize * 3;
        // On the last column and row nothing is mixed in, and nothing lies beyond.
        let right = start + if across == 0 { 0 } else { 3 };
        let below = if down == 0 { 0 } else { self.stride };
        let upper = mixed(self.pixel(start), self.pixel(right), across);
        let lower = mixed(self.pixel(start + below), self.pixel(right + below), across);
        let [red, green, blue, _] = mixed(upper, lower, down).to_le_bytes();
        [red, green, blue]
    }

    /// The three bytes from `start` on as the lower ones of a word.
    #[inline]
    fn pixel(&self, start: usize) -> u32 {
        // The last pixel of a picture has no fourth byte behind it: its word starts a byte before.
        let first = start.min(self.bytes.len().saturating_sub(4));
        match self.bytes[first..] {
            [a, b, c, d, ..] => u32::from_le_bytes([a, b, c, d]) >> (8 * (start - first)),
            [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
            _ => 0,
        }
    }
}

/// Each of the lower three bytes of `one`, `share` parts of a pixel on the way to that of `other`.
#[inline]
fn mixed(one: u32, other: u32, share: u32) -> u32 {
    const OUTER: u32 = 0x00ff_00ff;
    const HALF: u32 = PARTS / 2;
    let rest = PARTS - share;
    let outer = (one & OUTER) * rest + (other & OUTER) * share + (HALF << 16 | HALF);
    let inner = (one >> 8 & 0xff) * rest + (other >> 8 & 0xff) * share + HALF;
    (outer >> PART_BITS & OUTER) | (inner >> PART_BITS & 0xff) << 8
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
    fn a_colour_between_pixels_is_their_mixture_and_beyond_the_edge_that_of_the_edge() {
        let mut page = RgbImage::from_pixel(2, 2, Rgb([0, 40, 255]));
        page.put_pixel(1, 0, Rgb([100, 40, 55]));
        page.put_pixel(1, 1, Rgb([100, 240, 55]));
        let taps = Taps::new(&page);
        let colour = |x, y| taps.colour(taps.place(x, y));
        assert_eq!(colour(0.5, 0.5), [0, 40, 255]);
        assert_eq!(colour(1.0, 0.5), [50, 40, 155]);
        assert_eq!(colour(0.75, 0.5), [25, 40, 205]);
        assert_eq!(colour(1.0, 1.0), [50, 90, 155]);
        assert_eq!(colour(1.5, 1.0), [100, 140, 55]);
        for (x, y) in [(1.5, 1.5), (9.0, 7.0), (f32::INFINITY, 1e30), (1e9, 1.6)] {
            assert_eq!(colour(x, y), [100, 240, 55], "{x} {y}");
        }
        for (x, y) in [(0.0, 0.0), (-5.0, -1e30), (f32::NAN, 0.1)] {
            assert_eq!(colour(x, y), [0, 40, 255], "{x} {y}");
        }
    }

    #[test]
    fn the_smallest_and_the_widest_pictures_are_read_to_their_last_pixel() {
        for (width, height) in [(1, 1), (65_535, 1), (1, 65_535)] {
            let mut page = RgbImage::from_pixel(width, height, Rgb([7, 8, 9]));
            page.put_pixel(width - 1, height - 1, Rgb([1, 2, 3]));
            let taps = Taps::new(&page);
            let last = taps.place(width as f32 - 0.5, height as f32 - 0.5);
            assert_eq!(taps.colour(last), [1, 2, 3]);
        }
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
