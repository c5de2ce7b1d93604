//! A picture with the boards found and what was read drawn over it, for comparing by eye.

use image::{Rgb, RgbImage};
use imageproc::drawing::{draw_antialiased_line_segment_mut, draw_filled_circle_mut};
use imageproc::pixelops::interpolate;

use crate::position::Color;
use crate::quad::{Point, Quad};
use crate::reading::Reading;

/// Lattice of a sure board.
const SURE: Rgb<u8> = Rgb([0, 150, 60]);
/// Lattice of a doubtful board, and the squares in doubt.
const DOUBTFUL: Rgb<u8> = Rgb([225, 30, 30]);

/// Six letters as 5 x 7 dots, a row a byte, the leftmost dot in bit 4.
const LETTERS: [(char, [u8; 7]); 6] = [
    (
        'P',
        [
            0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000,
        ],
    ),
    (
        'N',
        [
            0b10001, 0b11001, 0b11001, 0b10101, 0b10011, 0b10011, 0b10001,
        ],
    ),
    (
        'B',
        [
            0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110,
        ],
    ),
    (
        'R',
        [
            0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001,
        ],
    ),
    (
        'Q',
        [
            0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101,
        ],
    ),
    (
        'K',
        [
            0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001,
        ],
    ),
];

/// Draws each board's lattice, the letter of each piece in a corner of its square (white or black as the piece), and
/// thick outlines around squares in doubt. Small pictures are enlarged so that the letters can be read.
#[must_use]
pub fn annotate(picture: &RgbImage, readings: &[Reading]) -> RgbImage {
    let smallest = readings
        .iter()
        .map(|reading| reading.quad.side() / 8.0)
        .fold(f32::INFINITY, f32::min);
    let scale = if smallest.is_finite() {
        (32.0 / smallest.max(4.0)).ceil().clamp(1.0, 4.0)
    } else {
        1.0
    };
    let mut canvas = if scale > 1.0 {
        let (width, height) = (
            picture.width() * scale as u32,
            picture.height() * scale as u32,
        );
        image::imageops::resize(
            picture,
            width,
            height,
            image::imageops::FilterType::Triangle,
        )
    } else {
        picture.clone()
    };
    for reading in readings {
        let quad = Quad::new(
            reading
                .quad
                .corners
                .map(|corner| corner.map(|value| value * scale)),
        );
        draw_reading(&mut canvas, reading, &quad);
    }
    canvas
}

fn draw_reading(canvas: &mut RgbImage, reading: &Reading, quad: &Quad) {
    let field = Quad::rectangle(0.0, 0.0, 8.0, 8.0);
    let Some(homography) = field.homography_to(quad) else {
        return;
    };
    let at = |x: f32, y: f32| {
        let (x, y) = homography * (x, y);
        [x, y]
    };
    let colour = if reading.doubtful { DOUBTFUL } else { SURE };
    for line in 0..=8 {
        let line = line as f32;
        draw_line(canvas, at(line, 0.0), at(line, 8.0), colour);
        draw_line(canvas, at(0.0, line), at(8.0, line), colour);
    }
    let dot = quad.side() / 8.0 / 22.0;
    for read in &reading.squares {
        let (file, rank) = (f32::from(read.square.file()), f32::from(read.square.rank()));
        let (column, row) = if reading.orientation.below == Color::White {
            (file, 7.0 - rank)
        } else {
            (7.0 - file, rank)
        };
        if reading.doubtful_squares.contains(&read.square) {
            for inset in [0.02, 0.05, 0.08] {
                let corners = [
                    [inset, inset],
                    [1.0 - inset, inset],
                    [1.0 - inset, 1.0 - inset],
                    [inset, 1.0 - inset],
                ];
                for index in 0..4 {
                    let ([ax, ay], [bx, by]) = (corners[index], corners[(index + 1) % 4]);
                    draw_line(
                        canvas,
                        at(column + ax, row + ay),
                        at(column + bx, row + by),
                        DOUBTFUL,
                    );
                }
            }
        }
        if let Some(piece) = read.piece {
            let (ink, halo) = match piece.color {
                Color::White => (Rgb([255, 255, 255]), Rgb([20, 60, 160])),
                Color::Black => (Rgb([0, 0, 0]), Rgb([255, 225, 120])),
            };
            let corner = at(column + 0.06, row + 0.06);
            draw_letter(
                canvas,
                piece.letter().to_ascii_uppercase(),
                corner,
                dot.max(1.0),
                ink,
                halo,
            );
        }
    }
}

fn draw_line(canvas: &mut RgbImage, from: Point, to: Point, colour: Rgb<u8>) {
    let point = |[x, y]: Point| (x.round() as i32, y.round() as i32);
    draw_antialiased_line_segment_mut(canvas, point(from), point(to), colour, interpolate);
}

fn draw_letter(
    canvas: &mut RgbImage,
    letter: char,
    [x, y]: Point,
    dot: f32,
    ink: Rgb<u8>,
    halo: Rgb<u8>,
) {
    let Some((_, rows)) = LETTERS.iter().find(|(name, _)| *name == letter) else {
        return;
    };
    let dots: Vec<(i32, i32)> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, bits)| {
            (0..5)
                .filter(move |column| bits >> (4 - column) & 1 == 1)
                .map(move |column| (column, row))
        })
        .map(|(column, row)| {
            (
                (x + (column as f32 + 1.0) * dot) as i32,
                (y + (row as f32 + 1.0) * dot) as i32,
            )
        })
        .collect();
    for (extra, colour) in [(1.0, halo), (0.0, ink)] {
        for &centre in &dots {
            draw_filled_circle_mut(canvas, centre, (dot * 0.5 + extra).round() as i32, colour);
        }
    }
}
