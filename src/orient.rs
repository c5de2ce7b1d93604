//! Which way up a board is: whose side is below, and how far the picture must be turned to stand upright.
//!
//! The edge coordinates decide where they can be read; otherwise the position does, with the knowledge that most
//! diagrams are drawn from White's side. Eight hypotheses (four turns of the picture, two sides below) are scored by
//! likelihood, and the best one is returned with its probability and the evidence that decided.

use std::fmt;

use crate::classify::Probabilities;
use crate::position::Color;
use crate::quad::Quad;

/// What decided an orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The caller said so.
    Given,
    /// Edge coordinates, with the number of labels that agree with the orientation.
    Coordinates {
        /// How many labels agree.
        labels: usize,
    },
    /// Where pawns and kings stand.
    Position,
    /// Nothing: most diagrams are drawn from White's side.
    Assumed,
}

/// Which way up a board is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orientation {
    /// Whose side is below once the board stands upright.
    pub below: Color,
    /// Quarter turns of the picture, anticlockwise, 0 to 3, that make the board stand upright; see
    /// [`upright`](Self::upright).
    pub quarter_turns: usize,
    /// Probability that both are right, 0 to 1.
    pub confidence: f32,
    /// What decided.
    pub evidence: Evidence,
}

impl Orientation {
    /// The orientation that the caller gives.
    #[must_use]
    pub fn given(below: Color) -> Self {
        Self {
            below,
            quarter_turns: 0,
            confidence: 1.0,
            evidence: Evidence::Given,
        }
    }

    /// The board's quad as it is once the board stands upright.
    #[must_use]
    pub fn upright(&self, quad: &Quad) -> Quad {
        quad.turned(self.quarter_turns)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => formatter.write_str("as given"),
            Self::Coordinates { labels } => write!(formatter, "from {labels} edge coordinates"),
            Self::Position => formatter.write_str("from the position"),
            Self::Assumed => formatter.write_str("assumed, as in most diagrams"),
        }
    }
}

/// A sentence for people: `White below, from 14 edge coordinates (0.999)`; to be read after `orientation: `.
impl fmt::Display for Orientation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turned = match self.quarter_turns % 4 {
            0 => "",
            1 => " after a quarter turn anticlockwise",
            2 => " after half a turn",
            _ => " after a quarter turn clockwise",
        };
        // Rounded down, so that 1.000 is never said of a guess.
        let confidence = (self.confidence * 1000.0).floor() / 1000.0;
        write!(
            formatter,
            "{} below{turned}, {} ({confidence:.3})",
            self.below, self.evidence
        )
    }
}

/// Decides which way up a board is from the classes of its squares.
///
/// `readings[k]` holds the probabilities of the squares of `quad.turned(k)`.
/// `readings[0]` is always there; the others only where the caller suspects that the picture is not upright, and then
/// the turn whose pieces are read with the most certainty has the pieces upright.
#[must_use]
pub fn orient(readings: [Option<&Probabilities>; 4]) -> Orientation {
    let mut scores = [[f32::NEG_INFINITY; 2]; 4];
    for (turn, reading) in readings.iter().enumerate() {
        if let Some(squares) = reading {
            let upright = UPRIGHT_WEIGHT * mean_certainty(squares);
            scores[turn] = [
                upright + WHITE_BELOW.ln() + position_score(squares, Color::White),
                upright + (1.0 - WHITE_BELOW).ln() + position_score(squares, Color::Black),
            ];
        }
    }
    let highest = scores
        .as_flattened()
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = scores
        .as_flattened()
        .iter()
        .map(|score| (score - highest).exp())
        .sum();
    let best = scores
        .as_flattened()
        .iter()
        .position(|&score| score == highest)
        .unwrap_or(0);
    let confidence = if total > 0.0 { total.recip() } else { 0.0 };
    Orientation {
        below: if best % 2 == 0 {
            Color::White
        } else {
            Color::Black
        },
        quarter_turns: best / 2,
        confidence,
        evidence: if confidence > WHITE_BELOW + 0.05 {
            Evidence::Position
        } else {
            Evidence::Assumed
        },
    }
}

/// Share of boards without coordinates that show White below: 82 of 94 on the calibration pictures, more in books.
const WHITE_BELOW: f32 = 0.9;

/// Log odds for a turn of the picture per unit of mean certainty with which its pieces are read.
const UPRIGHT_WEIGHT: f32 = 40.0;

/// Score of a piece (`KQRBNP`) on each rank counted from its own side, `training/orientation_prior.py`. With the two
/// pawn scores it tells White's side from Black's on 99.3 % of held-out game positions, 99.1 % of endgames and 98.1 %
/// of tactical puzzles, but only 71 % of composed problems, and is wrong above 0.99 on 0.3 % of the latter only.
const RANK_SCORES: [[f32; 8]; 6] = [
    [0.50, 0.37, 0.22, 0.02, -0.13, -0.20, -0.42, -0.35],
    [0.02, -0.08, -0.07, 0.04, -0.04, 0.05, -0.02, 0.11],
    [0.05, -0.01, -0.10, -0.04, 0.00, 0.02, 0.06, 0.00],
    [0.03, 0.01, -0.05, -0.04, 0.02, -0.04, 0.01, 0.05],
    [0.08, 0.01, 0.00, -0.02, 0.03, -0.05, -0.03, -0.01],
    [-3.09, 1.07, 1.18, 1.34, 1.13, 0.89, 0.30, -2.83],
];
/// Score of each pair of a white and a black pawn on one file that still face each other.
const FACING_SCORE: f32 = 0.64;
/// Score of each pair of a white and a black pawn on one file that have passed each other.
const PASSED_SCORE: f32 = -0.54;

/// Log likelihood, up to a constant, of a position seen with the given side below.
fn position_score(squares: &Probabilities, below: Color) -> f32 {
    let pawns = |row: usize, file: usize| {
        let square = &squares[8 * row + file];
        (square[6], square[12])
    };
    let mut score = 0.0;
    for row in 0..8 {
        // The row's distance from White's side.
        let distance = if below == Color::White { 7 - row } else { row };
        for file in 0..8 {
            let square = &squares[8 * row + file];
            for (piece, ranks) in RANK_SCORES.iter().enumerate() {
                score +=
                    square[1 + piece] * ranks[distance] + square[7 + piece] * ranks[7 - distance];
            }
            let (white, black) = pawns(row, file);
            for lower in row + 1..8 {
                let (white_lower, black_lower) = pawns(lower, file);
                let black_above = black * white_lower;
                let white_above = white * black_lower;
                score += match below {
                    Color::White => FACING_SCORE * black_above + PASSED_SCORE * white_above,
                    Color::Black => FACING_SCORE * white_above + PASSED_SCORE * black_above,
                };
            }
        }
    }
    score
}

/// Mean over the squares of the most probable class's probability.
fn mean_certainty(squares: &Probabilities) -> f32 {
    squares
        .iter()
        .map(|square| square.iter().copied().fold(0.0, f32::max))
        .sum::<f32>()
        / 64.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Certain probabilities of a placement as a picture shows it (rank 8 above).
    fn seen(placement: &str) -> Probabilities {
        let mut squares = [[0.0; 13]; 64];
        let mut square = 0;
        for letter in placement.chars().filter(|&letter| letter != '/') {
            if let Some(empty) = letter.to_digit(10) {
                for _ in 0..empty {
                    squares[square][0] = 1.0;
                    square += 1;
                }
            } else {
                squares[square][".KQRBNPkqrbnp".find(letter).unwrap()] = 1.0;
                square += 1;
            }
        }
        assert_eq!(square, 64);
        squares
    }

    fn turned(mut squares: Probabilities) -> Probabilities {
        squares.reverse();
        squares
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn start_position_tells_whose_side_is_below() {
        let white = orient([Some(&seen(START)), None, None, None]);
        assert_eq!(
            (white.below, white.quarter_turns, white.evidence),
            (Color::White, 0, Evidence::Position)
        );
        assert!(white.confidence > 0.999);
        let black = orient([Some(&turned(seen(START))), None, None, None]);
        assert_eq!(
            (black.below, black.quarter_turns, black.evidence),
            (Color::Black, 0, Evidence::Position)
        );
        assert!(black.confidence > 0.999);
    }

    #[test]
    fn both_views_differ_by_the_base_rate_alone() {
        let position = seen("8/8/4k3/4p3/8/3KP3/8/8");
        let odds = |squares: &Probabilities| {
            position_score(squares, Color::White) - position_score(squares, Color::Black)
        };
        assert!(odds(&position) > 1.0);
        assert!((odds(&position) + odds(&turned(position))).abs() < 1e-4);
    }

    #[test]
    fn empty_board_is_assumed_to_be_seen_by_white_and_unsure() {
        let orientation = orient([Some(&seen("8/8/8/8/8/8/8/8")), None, None, None]);
        assert_eq!(
            (orientation.below, orientation.evidence),
            (Color::White, Evidence::Assumed)
        );
        assert!((orientation.confidence - WHITE_BELOW).abs() < 1e-3);
        assert_eq!(
            orientation.to_string(),
            "White below, assumed, as in most diagrams (0.900)"
        );
    }

    #[test]
    fn pieces_that_read_better_turned_turn_the_board() {
        let mut unsure = seen(START);
        unsure
            .iter_mut()
            .for_each(|square| *square = square.map(|p| 0.5 * p + 0.5 / 13.0));
        let sure = turned(seen(START));
        let orientation = orient([Some(&unsure), None, Some(&sure), None]);
        assert_eq!(
            (orientation.below, orientation.quarter_turns),
            (Color::Black, 2)
        );
    }
}
