//! What the boards of one book tell about each other: its diagrams are printed with one set of pieces.
//!
//! Squares that were read for sure give a mean picture of each piece (and of the empty square) on light and on dark
//! squares. A doubtful square is compared with the mean pictures of its two candidates; the nearer one gains. What that
//! changes is marked as inferred, never silent.

use std::collections::HashMap;

use image::GrayImage;

use crate::position::{Piece, Placement, Provenance, Square, infer};
use crate::quad::Quad;
use crate::reading::{Alternative, SquareReading, doubtful_squares};
use crate::report::Record;

/// Side of a square's picture in pixels.
const SIDE: usize = 16;
/// Squares at least this sure show what a piece looks like.
const SURE: f64 = 0.9995;
/// Squares less sure than this are looked at again.
const UNSURE: f64 = 0.99;
/// A mean picture is made of at least this many squares.
const ENOUGH: u32 = 3;
/// Log odds a unit of difference in squared distance (in variances of the board's brightness) between the candidates.
/// Fitted on the calibration books of the corpus: from 5 on all of their doubtful squares come out right.
const WEIGHT: f64 = 5.0;
/// No comparison makes a square surer than this.
const SUREST: f64 = 0.9995;

type SquarePicture = [f32; SIDE * SIDE];

/// The 64 squares of a board as small pictures of even brightness, from the visual top left row by row.
#[derive(Debug, Clone)]
pub struct SquarePictures(Vec<SquarePicture>);

impl SquarePictures {
    /// Cuts the squares out of a picture of the board; `None` when the corners make no field.
    #[must_use]
    pub fn new(picture: &GrayImage, quad: &Quad) -> Option<Self> {
        let side = (8 * SIDE) as f32;
        let homography = Quad::rectangle(0.0, 0.0, side, side).homography_to(quad)?;
        let at = |x: f32, y: f32| {
            let inside = |value: f32, end: u32| (value.max(0.0) as u32).min(end.saturating_sub(1));
            f32::from(
                picture
                    .get_pixel(inside(x, picture.width()), inside(y, picture.height()))
                    .0[0],
            )
        };
        let mut squares = vec![[0.0; SIDE * SIDE]; 64];
        for (index, square) in squares.iter_mut().enumerate() {
            for (pixel, value) in square.iter_mut().enumerate() {
                let x = ((index % 8) * SIDE + pixel % SIDE) as f32 + 0.5;
                let y = ((index / 8) * SIDE + pixel / SIDE) as f32 + 0.5;
                let (u, v) = homography * (x, y);
                let (u, v) = (u - 0.5, v - 0.5);
                let (across, down) = (u - u.floor(), v - v.floor());
                let upper = at(u.floor(), v.floor()) * (1.0 - across)
                    + at(u.floor() + 1.0, v.floor()) * across;
                let lower = at(u.floor(), v.floor() + 1.0) * (1.0 - across)
                    + at(u.floor() + 1.0, v.floor() + 1.0) * across;
                *value = upper * (1.0 - down) + lower * down;
            }
        }
        let count = (64 * SIDE * SIDE) as f32;
        let mean = squares.iter().flatten().sum::<f32>() / count;
        let deviation = (squares
            .iter()
            .flatten()
            .map(|value| (value - mean).powi(2))
            .sum::<f32>()
            / count)
            .sqrt();
        for value in squares.iter_mut().flatten() {
            *value = (*value - mean) / (deviation + 1e-3);
        }
        Some(Self(squares))
    }
}

/// Mean pictures of the pieces of a book.
#[derive(Debug, Clone, Default)]
pub struct PieceSet {
    sums: HashMap<(Option<Piece>, bool), (u32, Vec<f32>)>,
}

impl PieceSet {
    /// Learns from the sure squares of a board.
    pub fn learn(&mut self, record: &Record, pictures: &SquarePictures) {
        for square in record
            .squares
            .iter()
            .filter(|square| square.confidence >= SURE)
        {
            let picture = &pictures.0[record.place_of(square.square)];
            let key = (square.piece, square.square.is_light());
            let (count, sum) = self
                .sums
                .entry(key)
                .or_insert_with(|| (0, vec![0.0; SIDE * SIDE]));
            *count += 1;
            for (sum, value) in sum.iter_mut().zip(picture) {
                *sum += value;
            }
        }
    }

    /// Whether a board has squares that another look could settle.
    #[must_use]
    pub fn can_help(record: &Record) -> bool {
        record
            .squares
            .iter()
            .any(|square| square.confidence < UNSURE)
    }

    /// Compares the unsure squares of a board with the book's pieces. `enough` is the confidence from which a board is
    /// not doubtful.
    pub fn settle(&self, record: &mut Record, pictures: &SquarePictures, enough: f32) {
        let mut gain = 1.0;
        let mut placement = record.placement;
        for index in 0..record.squares.len() {
            let place = record.place_of(record.squares[index].square);
            let square = &mut record.squares[index];
            if square.confidence >= UNSURE {
                continue;
            }
            let candidates = [square.piece, square.second.piece];
            let light = square.square.is_light();
            let [Some(first), Some(second)] =
                candidates.map(|piece| self.distance(&pictures.0[place], (piece, light)))
            else {
                continue;
            };
            let before = (square.confidence.max(1e-6) / square.second.confidence.max(1e-6)).ln();
            let odds = before + WEIGHT * (second - first);
            let sure = (1.0 / (1.0 + (-odds.abs()).exp())).min(SUREST);
            gain *= sure / square.confidence.max(1e-6);
            let rounded = |value: f64| (value * 1e4).round() / 1e4;
            if odds < 0.0 {
                square.piece = candidates[1];
                square.second.piece = candidates[0];
                square.provenance = Some(Provenance::Inferred);
                placement.set(square.square, candidates[1]);
            }
            square.confidence = rounded(sure);
            square.second.confidence = rounded(1.0 - sure);
        }
        self.take_over(record, placement, gain, enough);
    }

    fn take_over(&self, record: &mut Record, placement: Placement, gain: f64, enough: f32) {
        if placement != record.placement {
            let mut fields = record.fields;
            fields.placement.value = placement;
            fields.placement.provenance = Provenance::Inferred;
            if fields.castling.provenance == Provenance::Inferred {
                fields.castling.value = infer::castling(&placement);
            }
            record.set_fields(fields);
        }
        record.board_confidence =
            ((record.board_confidence * gain).min(SUREST) * 1e4).round() / 1e4;
        record.doubtful = record.board_confidence < f64::from(enough);
        record.doubtful_squares = if record.doubtful {
            self.open(record, enough)
        } else {
            Vec::new()
        };
    }

    fn open(&self, record: &Record, enough: f32) -> Vec<Square> {
        let squares: Vec<SquareReading> = record
            .squares
            .iter()
            .map(|square| SquareReading {
                square: square.square,
                piece: square.piece,
                confidence: square.confidence as f32,
                second: Alternative {
                    piece: square.second.piece,
                    confidence: square.second.confidence as f32,
                },
            })
            .collect();
        doubtful_squares(&squares, enough)
    }

    /// Mean squared distance of a square from a mean picture, in the best of nine places a pixel apart.
    fn distance(&self, picture: &SquarePicture, key: (Option<Piece>, bool)) -> Option<f64> {
        let (count, sum) = self.sums.get(&key).filter(|(count, _)| *count >= ENOUGH)?;
        let mean = 1.0 / *count as f32;
        let moved = |dx: usize, dy: usize| {
            let mut total = 0.0;
            for y in 1..SIDE - 1 {
                for x in 1..SIDE - 1 {
                    let seen = picture[(y + dy - 1) * SIDE + x + dx - 1];
                    total += (seen - sum[y * SIDE + x] * mean).powi(2);
                }
            }
            f64::from(total) / ((SIDE - 2) * (SIDE - 2)) as f64
        };
        (0..9)
            .map(|place| moved(place % 3, place / 3))
            .min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::test_record;

    const FEN: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";

    /// A board of which every square was read for sure.
    fn sure_board() -> Record {
        let mut record = test_record(FEN);
        for square in &mut record.squares {
            square.confidence = 0.9999;
        }
        record
    }

    /// A board of 128 pixels: each class is a grey of its own.
    fn drawn(record: &Record) -> SquarePictures {
        let picture = GrayImage::from_fn(128, 128, |x, y| {
            let square = &record.squares[(y / 16 * 8 + x / 16) as usize];
            let grey = square
                .piece
                .map_or(128, |piece| piece.letter() as u32 * 37 % 200 + 30);
            // A dot, so that the square is no plain area.
            image::Luma([if x % 16 == 8 && y % 16 == 8 {
                0
            } else {
                grey as u8
            }])
        });
        SquarePictures::new(&picture, &Quad::rectangle(0.0, 0.0, 128.0, 128.0)).unwrap()
    }

    #[test]
    fn a_square_read_wrong_with_little_confidence_is_put_right_and_marked_as_inferred() {
        let truth = sure_board();
        let pictures = drawn(&truth);
        let mut set = PieceSet::default();
        for _ in 0..3 {
            set.learn(&truth, &pictures);
        }
        let mut unsure = truth.clone();
        let a2 = 48;
        unsure.squares[a2].second.piece = unsure.squares[a2].piece;
        unsure.squares[a2].piece = Piece::from_letter('R');
        unsure.squares[a2].confidence = 0.6;
        unsure.squares[a2].second.confidence = 0.4;
        unsure.board_confidence = 0.55;
        unsure.doubtful = true;
        assert!(PieceSet::can_help(&unsure) && !PieceSet::can_help(&truth));
        let mut fields = unsure.fields;
        fields
            .placement
            .value
            .set("a2".parse().unwrap(), Piece::from_letter('R'));
        unsure.set_fields(fields);
        set.settle(&mut unsure, &pictures, 0.9);
        assert_eq!(unsure.placement, truth.placement);
        assert_eq!(unsure.squares[a2].provenance, Some(Provenance::Inferred));
        assert_eq!(unsure.fields.placement.provenance, Provenance::Inferred);
    }

    #[test]
    fn a_right_square_becomes_surer_and_is_not_marked() {
        let truth = sure_board();
        let pictures = drawn(&truth);
        let mut set = PieceSet::default();
        for _ in 0..3 {
            set.learn(&truth, &pictures);
        }
        let mut unsure = truth.clone();
        unsure.squares[48].confidence = 0.6;
        unsure.squares[48].second = crate::report::AlternativeRecord {
            piece: Piece::from_letter('R'),
            confidence: 0.4,
        };
        unsure.board_confidence = 0.59;
        unsure.doubtful = true;
        unsure.doubtful_squares = vec!["a2".parse().unwrap()];
        set.settle(&mut unsure, &pictures, 0.9);
        assert_eq!(unsure.placement, truth.placement);
        assert_eq!(unsure.squares[48].provenance, None);
        assert!(unsure.squares[48].confidence > 0.6 && unsure.board_confidence > 0.59);
    }

    #[test]
    fn pieces_that_the_book_has_not_shown_settle_nothing() {
        let truth = sure_board();
        let mut unsure = truth.clone();
        unsure.squares[48].confidence = 0.6;
        unsure.doubtful = true;
        let before = unsure.squares.clone();
        PieceSet::default().settle(&mut unsure, &drawn(&truth), 0.9);
        assert_eq!(unsure.squares, before);
    }
}
