//! Which way up a board is: whose side is below, and how far the picture must be turned to stand upright.
//!
//! The edge coordinates decide where they can be read; otherwise the position does, with the knowledge that most
//! diagrams are drawn from White's side. Eight hypotheses (four turns of the picture, two sides below) are scored by
//! likelihood, and the best one is returned with its probability and the evidence that decided.

pub mod coordinates;
mod prior;

use std::fmt;

pub use self::coordinates::CoordinateReader;
use self::coordinates::Coordinates;
use self::prior::position_score;
use crate::classify::{Probabilities, calibrate};
use crate::error::Result;
use crate::position::Color;
use crate::quad::Quad;
use crate::rectify::Pyramid;

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
            self.below.player(),
            self.evidence
        )
    }
}

/// Tells which way up boards are.
#[derive(Debug)]
pub struct Orienter(pub CoordinateReader);

impl Orienter {
    /// Decides which way up a board is from its edge coordinates and the classes of its squares.
    ///
    /// `readings[k]` holds the probabilities of the squares of `quad.turned(k)`. `readings[0]` is always there; the
    /// others only where the caller suspects that the picture is not upright, and then the turn whose pieces are read
    /// with the most certainty has the pieces upright.
    ///
    /// # Errors
    /// [`Model`](crate::ErrorKind::Model) when the network cannot be run.
    pub fn orient(
        &self,
        page: &Pyramid,
        quad: &Quad,
        readings: [Option<&Probabilities>; 4],
    ) -> Result<Orientation> {
        let mut seen = [const { None }; 4];
        for (turn, squares) in readings.into_iter().enumerate() {
            if let Some(squares) = squares {
                seen[turn] = Some(Seen {
                    squares,
                    coordinates: self.0.read(page, &quad.turned(turn))?,
                });
            }
        }
        Ok(decide(&seen))
    }
}

/// What one turn of the picture shows.
struct Seen<'reading> {
    squares: &'reading Probabilities,
    coordinates: Option<Coordinates>,
}

/// Share of boards without coordinates that show White below: 82 of 94 on the calibration pictures, more in books.
const WHITE_BELOW: f32 = 0.9;
/// Log odds for a turn of the picture per unit of mean certainty with which its pieces are read.
const UPRIGHT_WEIGHT: f32 = 40.0;
/// The position may be misread, or set up by a pupil: its log odds count up to this.
const POSITION_LIMIT: f32 = 8.0;
/// Coordinates may be misread or misprinted: their log odds count up to this, which outvotes position and base rate.
const COORDINATES_LIMIT: f32 = 14.0;
/// Log odds from which coordinates are named as what decided.
const COORDINATES_DECIDE: f32 = 2.0;

/// Scores the eight hypotheses and picks the best.
fn decide(seen: &[Option<Seen>; 4]) -> Orientation {
    // One log likelihood for each turn and side below; what was not seen is impossible.
    let scores = |score: &dyn Fn(&Seen, Color) -> f32| {
        let of = |seen: &Option<Seen>, below| {
            seen.as_ref()
                .map_or(f32::NEG_INFINITY, |seen| score(seen, below))
        };
        [0, 1, 2, 3].map(|turn| Color::ALL.map(|below| of(&seen[turn], below)))
    };
    let position = limited(
        scores(&|seen, below| position_score(seen.squares, below)),
        POSITION_LIMIT,
    );
    let coordinates = limited(
        scores(&|seen, below| {
            seen.coordinates
                .as_ref()
                .map_or(0.0, |coordinates| coordinates.score(below))
        }),
        COORDINATES_LIMIT,
    );
    let others = scores(&|seen, below| {
        let base = if below == Color::White {
            WHITE_BELOW
        } else {
            1.0 - WHITE_BELOW
        };
        base.ln() + UPRIGHT_WEIGHT * calibrate::mean_certainty(seen.squares)
    });
    let hypotheses = || (0..4).flat_map(|turn| [0, 1].map(|side| (turn, side)));
    let total = |(turn, side): (usize, usize)| {
        position[turn][side] + coordinates[turn][side] + others[turn][side]
    };
    let Some(best) = hypotheses().max_by(|&a, &b| total(a).total_cmp(&total(b))) else {
        return Orientation {
            evidence: Evidence::Assumed,
            confidence: 0.0,
            ..Orientation::given(Color::White)
        };
    };
    let confidence = hypotheses()
        .map(|other| (total(other) - total(best)).exp())
        .sum::<f32>()
        .recip();
    let (turn, side) = best;
    let below = Color::ALL[side];
    let labels = seen[turn]
        .as_ref()
        .and_then(|seen| seen.coordinates.as_ref())
        .map_or(0, |read| read.agreeing(below));
    let evidence = if labels > 0
        && coordinates[turn][side] - coordinates[turn][1 - side] > COORDINATES_DECIDE
    {
        Evidence::Coordinates { labels }
    } else if position[turn][side] - position[turn][1 - side] > POSITION_DECIDES {
        Evidence::Position
    } else {
        Evidence::Assumed
    };
    Orientation {
        below,
        quarter_turns: turn,
        confidence,
        evidence,
    }
}

/// Log odds from which the position is named as what decided.
const POSITION_DECIDES: f32 = 1.0;

/// Log likelihoods of which none is more than `limit` below the highest.
fn limited(scores: [[f32; 2]; 4], limit: f32) -> [[f32; 2]; 4] {
    let highest = scores
        .as_flattened()
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    scores.map(|turn| {
        turn.map(|score| {
            if score.is_finite() {
                score.max(highest - limit)
            } else {
                score
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::coordinates::tests::{label, nothing};
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

    /// Decides from one upright view.
    fn decided(squares: &Probabilities, coordinates: Option<Coordinates>) -> Orientation {
        decide(&[
            Some(Seen {
                squares,
                coordinates,
            }),
            None,
            None,
            None,
        ])
    }

    #[test]
    fn start_position_tells_whose_side_is_below() {
        let white = decided(&seen(START), None);
        assert_eq!(
            (white.below, white.quarter_turns, white.evidence),
            (Color::White, 0, Evidence::Position)
        );
        assert!(white.confidence > 0.999);
        let black = decided(&turned(seen(START)), None);
        assert_eq!(
            (black.below, black.quarter_turns, black.evidence),
            (Color::Black, 0, Evidence::Position)
        );
        assert!(black.confidence > 0.99);
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
    fn empty_board_without_coordinates_is_assumed_to_be_seen_by_white_and_unsure() {
        let orientation = decided(&seen("8/8/8/8/8/8/8/8"), Some(nothing()));
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
    fn labels_outvote_position_and_base_rate() {
        let mut coordinates = nothing();
        label(&mut coordinates, 2, Color::Black);
        label(&mut coordinates, 3, Color::Black);
        let orientation = decided(&seen(START), Some(coordinates));
        assert_eq!(
            (orientation.below, orientation.evidence),
            (Color::Black, Evidence::Coordinates { labels: 16 })
        );
        assert!(
            (0.9..0.999).contains(&orientation.confidence),
            "{}",
            orientation.confidence
        );
    }

    #[test]
    fn labels_on_one_edge_settle_an_open_position() {
        let mut coordinates = nothing();
        label(&mut coordinates, 9, Color::Black);
        let orientation = decided(&seen("8/8/8/4k3/3K4/8/8/8"), Some(coordinates));
        assert_eq!(
            orientation.to_string(),
            "Black below, from 8 edge coordinates (0.999)"
        );
    }

    #[test]
    fn labels_that_stand_upright_in_a_quarter_turn_turn_the_board() {
        let squares = seen("8/8/4k3/8/8/3K4/8/8");
        let mut coordinates = nothing();
        label(&mut coordinates, 2, Color::White);
        label(&mut coordinates, 3, Color::White);
        let view = |coordinates| {
            Some(Seen {
                squares: &squares,
                coordinates: Some(coordinates),
            })
        };
        let orientation = decide(&[
            view(nothing()),
            view(coordinates),
            view(nothing()),
            view(nothing()),
        ]);
        assert_eq!(
            (orientation.below, orientation.quarter_turns),
            (Color::White, 1)
        );
        assert_eq!(orientation.evidence, Evidence::Coordinates { labels: 16 });
        assert!(orientation.confidence > 0.999);
    }

    #[test]
    fn pieces_that_read_better_turned_turn_the_board() {
        let mut unsure = seen(START);
        unsure
            .iter_mut()
            .for_each(|square| *square = square.map(|p| 0.5 * p + 0.5 / 13.0));
        let sure = turned(seen(START));
        let view = |squares| {
            Some(Seen {
                squares,
                coordinates: None,
            })
        };
        let orientation = decide(&[view(&unsure), None, view(&sure), None]);
        assert_eq!(
            (orientation.below, orientation.quarter_turns),
            (Color::Black, 2)
        );
    }
}
