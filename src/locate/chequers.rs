//! The colours of a board's squares: whether they go on beyond its sides, and where something lies over them.
//!
//! Where boards stand side by side, or a game has more squares than chess, any 8 by 8 squares look like a whole board. What
//! stands outside tells: a quad that lies across two boards has further squares on opposite sides.

use image::RgbImage;

use crate::quad::Quad;
use crate::rectify::{Pyramid, view};

/// Squares looked at beyond each side.
const REACH: usize = 9;
/// Pixels of a square in the view.
const CELL: usize = 12;
/// Squares along the view.
const LENGTH: usize = 8 + 2 * REACH;
/// Least difference of the light and the dark squares, in grey levels: less is no pattern.
const LEAST_CONTRAST: f32 = 12.0;
/// Agreement with the pattern of the board (1 is full, 0 none) from which a further rank or file belongs to it.
const GOES_ON: f32 = 0.65;
/// Of the eight squares of a further rank or file as many agree at least; pieces may hide some. Of a plain surface four agree.
const AGREEING: usize = 6;
/// With as many further ranks or files a board is a larger one, of ten files or twelve.
const NO_BOARD: usize = 4;
/// A rank or file of a board that agrees as much shows the pattern clearly; as many have to, that one without it may be covered.
const CLEAR: f32 = 0.8;
const CLEAR_FILES: usize = 5;
/// The squares of a covered rank or file differ from their mean by less than this share of half the difference of light and dark.
const PLAIN: f32 = 0.3;
/// Together two quads side by side have twice eight squares; one less may be told where their boards stand apart.
const TWO_BOARDS: usize = 7;
/// Pixels by which the next rank or file may stand nearer or farther than a square, as it does across a gap between boards.
const SLACK: usize = 2;

/// A quad, or what to look at in its place, as shifts of it in squares (to the right, down): the quad itself, unless it lies
/// across several boards.
pub(super) fn shifts(page: &Pyramid, quad: &Quad) -> Vec<(f32, f32)> {
    let across = ends(beyond(page, quad));
    let down = ends(beyond(page, &quad.turned(1)));
    let pairs = |&x: &f32| down.iter().map(move |&y| (x, y));
    across.iter().flat_map(pairs).collect()
}

/// How far the squares go on beyond one side.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Further {
    /// Ranks or files, [`REACH`] at most.
    lines: usize,
    /// Where they end, in squares of the quad from its side.
    squares: f32,
}

/// Shifts along one axis, given how far squares go on before and after.
fn ends([before, after]: [Further; 2]) -> Vec<f32> {
    match (before.lines, after.lines) {
        (0, 0) => vec![0.0],
        // More squares than eight and fewer than sixteen are no chess board.
        (lines, others) if lines + others <= NO_BOARD => Vec::new(),
        (0, _) | (_, 0) => vec![0.0],
        (lines, others) if lines + others >= TWO_BOARDS => vec![-before.squares, after.squares],
        _ => vec![0.0],
    }
}

/// Squares, in picture order, of ranks and files of a board in which nothing is to be seen of its pattern, because something lies
/// over them; none where the board has no clear pattern.
pub(crate) fn covered(page: &Pyramid, quad: &Quad) -> Vec<usize> {
    let files = covered_files(page, quad).into_iter();
    let of_files = files.flat_map(|file| (0..8).map(move |rank| 8 * rank + file));
    let ranks = covered_files(page, &quad.turned(1)).into_iter();
    let of_ranks = ranks.flat_map(|rank| (0..8).map(move |file| 8 * rank + file));
    of_files.chain(of_ranks).collect()
}

/// The covered files of a board as it is seen, from the left.
fn covered_files(page: &Pyramid, quad: &Quad) -> Vec<usize> {
    let side = 8 * CELL;
    let place = Quad::rectangle(0.0, 0.0, side as f32, side as f32);
    let Some(seen) = view(page, quad, &place, side, side) else {
        return Vec::new();
    };
    let Some(pattern) = Pattern::in_view(&seen, 0) else {
        return Vec::new();
    };
    let files: [[f32; 8]; 8] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|file| pattern.agreements(&seen, file * CELL, file % 2 == 1));
    let mean = |agreements: &[f32; 8]| agreements.iter().sum::<f32>() / 8.0;
    let clear = files.iter().filter(|file| mean(file) >= CLEAR).count();
    if clear < CLEAR_FILES {
        return Vec::new();
    }
    // Of one colour: agreeing where that of one kind of squares is wanted and not where that of the other is.
    let is_plain = |agreements: &[f32; 8]| {
        let colours = [0, 1, 2, 3, 4, 5, 6, 7].map(|rank| {
            if rank % 2 == 0 {
                agreements[rank]
            } else {
                -agreements[rank]
            }
        });
        let middle = colours.iter().sum::<f32>() / 8.0;
        colours.iter().all(|colour| (colour - middle).abs() < PLAIN)
    };
    (0..8).filter(|&file| is_plain(&files[file])).collect()
}

/// How far the files of a quad go on to the left and to the right.
fn beyond(page: &Pyramid, quad: &Quad) -> [Further; 2] {
    let nothing = Further {
        lines: 0,
        squares: 0.0,
    };
    let (near, far) = (REACH * CELL, (REACH + 8) * CELL);
    let place = Quad::rectangle(near as f32, 0.0, far as f32, (8 * CELL) as f32);
    let Some(seen) = view(page, quad, &place, LENGTH * CELL, 8 * CELL) else {
        return [nothing; 2];
    };
    let Some(pattern) = Pattern::in_view(&seen, near) else {
        return [nothing; 2];
    };
    [false, true].map(|is_after| {
        let mut further = nothing;
        let (mut at, end) = if is_after {
            (far, LENGTH * CELL)
        } else {
            (near, 0)
        };
        while further.lines < REACH {
            let starts_odd = further.lines % 2 == usize::from(is_after);
            let nearest = if is_after {
                at - SLACK
            } else {
                at + SLACK - CELL
            };
            let places = (0..=2 * SLACK).map(|slack| {
                let left = if is_after {
                    nearest + slack
                } else {
                    nearest.saturating_sub(slack)
                };
                let is_seen = left + CELL <= LENGTH * CELL;
                (
                    left,
                    if is_seen {
                        pattern.agreement(&seen, left, starts_odd)
                    } else {
                        0.0
                    },
                )
            });
            let Some((left, agreement)) = places.max_by(|a, b| a.1.total_cmp(&b.1)) else {
                break;
            };
            if agreement < GOES_ON {
                break;
            }
            further.lines += 1;
            at = if is_after { left + CELL } else { left };
            if at.abs_diff(end) < CELL + SLACK {
                break;
            }
        }
        let from = if is_after { far } else { near };
        further.squares = at.abs_diff(from) as f32 / CELL as f32;
        further
    })
}

/// The colours of a board's squares.
struct Pattern {
    middle: [f32; 3],
    difference: [f32; 3],
}

impl Pattern {
    /// The pattern of a board that begins at a column of a view; `None` when its squares hardly differ.
    fn in_view(seen: &RgbImage, left: usize) -> Option<Self> {
        let of_squares = |parity: usize| {
            let squares = (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank)));
            let squares = squares.filter(|(file, rank)| (file + rank) % 2 == parity);
            median(
                squares
                    .map(|(file, rank)| colour(seen, left + file * CELL, rank))
                    .collect(),
            )
        };
        Self::of(of_squares(0), of_squares(1))
    }

    /// The pattern of two colours; `None` when they hardly differ.
    fn of(even: [f32; 3], odd: [f32; 3]) -> Option<Self> {
        let difference: [f32; 3] = std::array::from_fn(|channel| even[channel] - odd[channel]);
        let contrast: f32 = difference.iter().map(|value| value * value).sum();
        (contrast >= LEAST_CONTRAST * LEAST_CONTRAST).then(|| Self {
            middle: std::array::from_fn(|channel| (even[channel] + odd[channel]) / 2.0),
            difference,
        })
    }

    /// How well the squares of a file agree with the pattern, from -1 (each has the colour of the other squares) to 1; 0 when
    /// too few do. `starts_odd`: whether its first square is one of the odd ones.
    fn agreement(&self, seen: &RgbImage, left: usize, starts_odd: bool) -> f32 {
        let agreements = self.agreements(seen, left, starts_odd);
        let agreeing = agreements.iter().filter(|&&value| value > 0.5).count();
        if agreeing >= AGREEING {
            agreements.iter().sum::<f32>() / 8.0
        } else {
            0.0
        }
    }

    /// How well each square of a file agrees with the pattern, -1 to 1.
    fn agreements(&self, seen: &RgbImage, left: usize, starts_odd: bool) -> [f32; 8] {
        let contrast: f32 = self.difference.iter().map(|value| value * value).sum();
        std::array::from_fn(|rank| {
            let colour = colour(seen, left, rank);
            let along: f32 = (0..3)
                .map(|channel| (colour[channel] - self.middle[channel]) * self.difference[channel])
                .sum();
            let sign = if (rank % 2 == 1) == starts_odd {
                2.0
            } else {
                -2.0
            };
            (sign * along / contrast).clamp(-1.0, 1.0)
        })
    }
}

/// The mean colour of a square's four corners, without its outermost pixels: pieces leave them free. `left` is the square's first
/// column of pixels.
fn colour(seen: &RgbImage, left: usize, rank: usize) -> [f32; 3] {
    let is_near_end = |at: &usize| !(3..CELL - 3).contains(at);
    let mut sum = [0.0; 3];
    let mut count = 0.0;
    for y in (1..CELL - 1).filter(is_near_end) {
        for x in (1..CELL - 1).filter(is_near_end) {
            let pixel = seen.get_pixel((left + x) as u32, (rank * CELL + y) as u32);
            for (sum, &value) in sum.iter_mut().zip(&pixel.0) {
                *sum += f32::from(value);
            }
            count += 1.0;
        }
    }
    sum.map(|sum| sum / count)
}

/// The median of each channel.
fn median(colours: Vec<[f32; 3]>) -> [f32; 3] {
    std::array::from_fn(|channel| {
        let mut values: Vec<f32> = colours.iter().map(|colour| colour[channel]).collect();
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    })
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// Squares of 20 pixels, so many across and down, with a grey margin of 40 pixels.
    fn squares(across: u32, down: u32) -> RgbImage {
        RgbImage::from_fn(20 * across + 80, 20 * down + 80, |x, y| {
            let is_inside =
                (40..40 + 20 * across).contains(&x) && (40..40 + 20 * down).contains(&y);
            let is_dark = ((x / 20) + (y / 20)) % 2 == 1;
            match (is_inside, is_dark) {
                (false, _) => Rgb([128, 128, 128]),
                (true, true) => Rgb([90, 120, 60]),
                (true, false) => Rgb([220, 220, 190]),
            }
        })
    }

    /// The quad over 8 by 8 squares from a file and a rank on.
    fn quad_from(file: u32, rank: u32) -> Quad {
        let (x, y) = (40.0 + 20.0 * file as f32, 40.0 + 20.0 * rank as f32);
        Quad::rectangle(x, y, x + 160.0, y + 160.0)
    }

    fn shifts_of(picture: &RgbImage, file: u32, rank: u32) -> Vec<[i32; 2]> {
        let found = shifts(&Pyramid::new(picture), &quad_from(file, rank));
        let whole = |(x, y): (f32, f32)| [x, y].map(|shift| shift.round() as i32);
        found.into_iter().map(whole).collect()
    }

    #[test]
    fn a_board_alone_stays_where_it_is() {
        assert_eq!(shifts_of(&squares(8, 8), 0, 0), [[0, 0]]);
        let up_to_the_edge = image::imageops::crop_imm(&squares(8, 8), 40, 40, 160, 160).to_image();
        let whole = Quad::rectangle(0.0, 0.0, 160.0, 160.0);
        assert_eq!(shifts(&Pyramid::new(&up_to_the_edge), &whole), [(0.0, 0.0)]);
    }

    #[test]
    fn a_quad_across_two_boards_is_shifted_to_both_and_one_on_a_board_stays() {
        let (row, column) = (squares(16, 8), squares(8, 16));
        for by in 1..8 {
            let shift = i32::try_from(by).unwrap();
            assert_eq!(shifts_of(&row, by, 0), [[-shift, 0], [8 - shift, 0]]);
            assert_eq!(shifts_of(&column, 0, by), [[0, -shift], [0, 8 - shift]]);
        }
        for end in [0, 8] {
            assert_eq!(shifts_of(&row, end, 0), [[0, 0]]);
            assert_eq!(shifts_of(&column, 0, end), [[0, 0]]);
        }
    }

    #[test]
    fn a_bar_across_a_board_covers_the_squares_of_a_rank_or_a_file() {
        let bar = |at: Quad| {
            let [[left, top], _, [right, bottom], _] = at.corners;
            let mut picture = squares(8, 8);
            for (x, y, pixel) in picture.enumerate_pixels_mut() {
                if (left..right).contains(&(x as f32)) && (top..bottom).contains(&(y as f32)) {
                    *pixel = Rgb([240, 240, 240]);
                }
            }
            covered(&Pyramid::new(&picture), &quad_from(0, 0))
        };
        assert!(bar(Quad::rectangle(0.0, 0.0, 0.0, 0.0)).is_empty());
        let second_rank: Vec<usize> = (8..16).collect();
        assert_eq!(bar(Quad::rectangle(40.0, 60.0, 200.0, 80.0)), second_rank);
        let third_file: Vec<usize> = (0..8).map(|rank| 8 * rank + 2).collect();
        assert_eq!(bar(Quad::rectangle(80.0, 40.0, 100.0, 200.0)), third_file);
    }

    #[test]
    fn a_gap_between_boards_is_stepped_over() {
        // Two boards of 20 pixels a square, 4 pixels apart.
        let row = squares(16, 8);
        let picture = RgbImage::from_fn(row.width() + 4, row.height(), |x, y| match x {
            0..200 => *row.get_pixel(x, y),
            200..204 => Rgb([128, 128, 128]),
            _ => *row.get_pixel(x - 4, y),
        });
        // Laid across both it has squares of 20.5 pixels.
        let across = Quad::rectangle(100.0, 40.0, 264.0, 200.0);
        let found = shifts(&Pyramid::new(&picture), &across);
        let lefts: Vec<f32> = found.iter().map(|(x, _)| 100.0 + x * 20.5).collect();
        assert!(
            (lefts[0] - 40.0).abs() < 5.0 && (lefts[1] - 204.0).abs() < 5.0,
            "{lefts:?}"
        );
    }

    #[test]
    fn a_quad_across_four_boards_is_shifted_to_each() {
        let four = [[-3, -5], [-3, 3], [5, -5], [5, 3]];
        assert_eq!(shifts_of(&squares(16, 16), 3, 5), four);
    }

    #[test]
    fn a_quad_on_a_board_of_ten_files_is_no_chess_board() {
        for from in 0..=2 {
            assert!(shifts_of(&squares(10, 8), from, 0).is_empty());
            assert!(shifts_of(&squares(8, 10), 0, from).is_empty());
        }
    }

    #[test]
    fn boards_that_stand_well_apart_are_not_taken_for_one_pattern() {
        // Eight pixels are two fifths of a square.
        let row = squares(24, 8);
        let picture = RgbImage::from_fn(row.width() + 16, row.height(), |x, y| match x {
            0..200 => *row.get_pixel(x, y),
            200..208 | 368..376 => Rgb([40, 42, 50]),
            208..368 => *row.get_pixel(x - 8, y),
            _ => *row.get_pixel(x - 16, y),
        });
        let middle = Quad::rectangle(208.0, 40.0, 368.0, 200.0);
        assert_eq!(shifts(&Pyramid::new(&picture), &middle), [(0.0, 0.0)]);
    }
}
