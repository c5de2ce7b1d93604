//! Which way up a board is: whose side is below, and how far the picture must be turned to stand upright.
//!
//! The edge coordinates decide where they can be read; otherwise the position does, with the knowledge that most
//! diagrams are drawn from White's side, and a page's diagrams mostly from the same one. Eight hypotheses (four turns of
//! the picture, two sides below) are scored by likelihood, and the best one is returned with its probability and the
//! evidence that decided.

pub mod coordinates;
mod prior;

use std::fmt;

pub use self::coordinates::CoordinateReader;
use self::coordinates::Coordinates;
pub use self::prior::OrientationPrior;
use crate::classify::{Probabilities, calibrate};
use crate::error::Result;
use crate::position::Color;
use crate::quad::Quad;
use crate::rectify::{Pyramid, view};

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
    /// The other boards of the page.
    OtherBoards,
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
            Self::OtherBoards => formatter.write_str("as the page's other boards"),
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

/// Looks for what tells which way up boards are; [`orientations`] decides.
#[derive(Debug)]
pub struct Orienter {
    /// Reads the edge coordinates.
    pub coordinates: CoordinateReader,
    /// Judges the position.
    pub prior: OrientationPrior,
}

impl Orienter {
    /// What the edge coordinates and the classes of its squares tell about one board.
    ///
    /// `readings[k]` holds the probabilities of the squares of `quad.turned(k)`. `readings[0]` is always there; the
    /// others only where the caller suspects that the picture is not upright, and then the turn whose pieces are read
    /// with the most certainty has the pieces upright. `others` are the page's other boards: labels between two boards
    /// are those of one of them.
    ///
    /// # Errors
    /// [`Model`](crate::ErrorKind::Model) when the network cannot be run.
    pub fn signs(
        &self,
        page: &Pyramid,
        quad: &Quad,
        others: &[Quad],
        readings: [Option<&Probabilities>; 4],
    ) -> Result<Signs> {
        let mut turns = [const { None }; 4];
        for (turn, squares) in readings.into_iter().enumerate() {
            if let Some(squares) = squares {
                let quad = quad.turned(turn);
                turns[turn] = Some(Seen {
                    certainty: calibrate::mean_certainty(squares),
                    position: self.prior.read(squares)?,
                    coordinates: self.coordinates.read(page, &quad, others)?,
                });
            }
        }
        let habits = if is_grey(page, quad) {
            IN_GREY
        } else {
            IN_COLOUR
        };
        Ok(Signs { turns, habits })
    }
}

/// Decides which way up the boards of one page are, each with what the others show. Where the user gives the side below, only
/// how far the picture must be turned is left to decide.
#[must_use]
pub fn orientations(boards: &[Signs], given: Option<Color>) -> Vec<Orientation> {
    if let Some(below) = given {
        let white_below = if below == Color::White { 1.0 } else { 0.0 };
        let of_board = |board: &Signs| Orientation {
            evidence: Evidence::Given,
            ..board.decide(white_below)
        };
        return boards.iter().map(of_board).collect();
    }
    let of_sides: Vec<[f32; 2]> = boards.iter().map(Signs::of_sides).collect();
    let among = |(index, board): (usize, &Signs)| {
        let others = boards.iter().zip(&of_sides).enumerate();
        // What is read badly tells nothing of others.
        let others = others.filter(|&(other, (signs, _))| other != index && !signs.is_unsure());
        let sides = others.map(|(_, (_, &sides))| sides);
        board.decide(board.habits.white_below(sides))
    };
    boards.iter().enumerate().map(among).collect()
}

/// How the boards of a page are drawn: shares of pages.
#[derive(Debug, Clone, Copy)]
struct Habits {
    /// All with White below.
    white: f32,
    /// All with Black below.
    black: f32,
    /// Some one way and some the other.
    either: f32,
}

/// Of the boards without coordinates on the calibration pictures 63 of 75 in colour show White below, which is what the shares
/// come to for a board that is alone. How many pages have boards both ways is a guess.
const IN_COLOUR: Habits = Habits {
    white: 0.76,
    black: 0.08,
    either: 0.16,
};
/// The same of boards without any colour, which are scans of print for the most part: 26 of 26.
const IN_GREY: Habits = Habits {
    white: 0.95,
    black: 0.01,
    either: 0.04,
};

/// The other boards of a page make a side below no likelier than this, however many they are: positions of one endgame err together,
/// and one diagram of a page may be turned. A board that tells nothing itself stays doubtful, and so does one that tells little (a
/// nat); what a clear position or readable coordinates say, 8 nats and more, is not outvoted.
const OTHERS_LIMIT: f32 = 0.93;

impl Habits {
    /// The share of boards with White below, given log likelihoods of the other boards of the page with White and with Black below.
    fn white_below(self, others: impl Iterator<Item = [f32; 2]>) -> f32 {
        // How likely the others are on each kind of page, as logarithms.
        let mut pages = [self.white, self.black, self.either].map(f32::ln);
        for [white, black] in others {
            let [all_white, all_black, mixed] = &mut pages;
            *all_white += white;
            *all_black += black;
            *mixed += log_of_sum([white, black]) - 2f32.ln();
        }
        let [white, _, either] = pages.map(|page| (page - log_of_sum(pages)).exp());
        let alone = self.white + self.either / 2.0;
        (white + either / 2.0).clamp(1.0 - OTHERS_LIMIT, OTHERS_LIMIT.max(alone))
    }
}

/// The logarithm of the sum of numbers given by their logarithms.
fn log_of_sum<const N: usize>(logarithms: [f32; N]) -> f32 {
    let highest = logarithms.into_iter().fold(f32::NEG_INFINITY, f32::max);
    if highest == f32::NEG_INFINITY {
        return highest;
    }
    let sum: f32 = logarithms.map(|value| (value - highest).exp()).iter().sum();
    highest + sum.ln()
}

/// Whether a board has no colour at all, as in scans of print.
fn is_grey(page: &Pyramid, quad: &Quad) -> bool {
    const SIDE: usize = 64;
    let place = Quad::rectangle(0.0, 0.0, SIDE as f32, SIDE as f32);
    view(page, quad, &place, SIDE, SIDE).is_some_and(|seen| {
        seen.pixels().all(|pixel| {
            let [red, green, blue] = pixel.0;
            red.max(green).max(blue) - red.min(green).min(blue) <= COLOURLESS
        })
    })
}

/// What tells which way up one board is, whatever the other boards of its page show.
#[derive(Debug)]
pub struct Signs {
    turns: [Option<Seen>; 4],
    habits: Habits,
}

/// What one turn of the picture shows.
#[derive(Debug)]
struct Seen {
    /// How surely the squares are read, 0 to 1.
    certainty: f32,
    /// Log likelihoods of the position with White and with Black below.
    position: [f32; 2],
    coordinates: Option<Coordinates>,
}

/// Red, green and blue of a pixel without colour differ by this at most, which is what compression leaves.
const COLOURLESS: u8 = 4;
/// Share of the boards whose turns are read, because they are read badly, that stand upright all the same. None of the calibration
/// pictures is turned; scans and photos now and then are.
const UPRIGHT: f32 = 0.9;
/// Share of each of the other turns.
const TURNED: f32 = (1.0 - UPRIGHT) / 3.0;
/// Log odds for a turn of the picture per unit of mean certainty with which its pieces are read.
const CERTAINTY_WEIGHT: f32 = 40.0;
/// The position may be misread, or set up by a pupil: its log odds count up to this.
const POSITION_LIMIT: f32 = 8.0;
/// Coordinates may be misread or misprinted: their log odds count up to this, which outvotes position and base rate.
const COORDINATES_LIMIT: f32 = 14.0;
/// Log odds from which coordinates are named as what decided.
const COORDINATES_DECIDE: f32 = 2.0;

/// Log likelihoods for each turn of the picture with White and with Black below.
type Scores = [[f32; 2]; 4];

impl Signs {
    /// What was not seen is impossible.
    fn scores(&self, score: impl Fn(&Seen, Color) -> f32) -> Scores {
        self.turns.each_ref().map(|seen| {
            Color::ALL.map(|below| {
                seen.as_ref()
                    .map_or(f32::NEG_INFINITY, |seen| score(seen, below))
            })
        })
    }

    fn position(&self) -> Scores {
        let scores = self.scores(|seen, below| seen.position[below as usize]);
        limited(scores, POSITION_LIMIT)
    }

    fn coordinates(&self) -> Scores {
        let scores = self.scores(|seen, below| {
            seen.coordinates
                .as_ref()
                .map_or(0.0, |coordinates| coordinates.score(below))
        });
        limited(scores, COORDINATES_LIMIT)
    }

    /// All that tells about this board.
    fn all(&self) -> Scores {
        let (position, coordinates) = (self.position(), self.coordinates());
        let certainty = self.scores(|seen, _| CERTAINTY_WEIGHT * seen.certainty);
        let upright = [UPRIGHT, TURNED, TURNED, TURNED].map(f32::ln);
        std::array::from_fn(|turn| {
            std::array::from_fn(|side| {
                position[turn][side]
                    + coordinates[turn][side]
                    + certainty[turn][side]
                    + upright[turn]
            })
        })
    }

    /// Whether the board is read so badly that its turns were looked at.
    fn is_unsure(&self) -> bool {
        self.turns.iter().flatten().count() > 1
    }

    /// Log likelihoods with White and with Black below, whatever the turn.
    fn of_sides(&self) -> [f32; 2] {
        let all = self.all();
        [0, 1].map(|side| log_of_sum(all.map(|turn| turn[side])))
    }

    /// Picks the best of the eight hypotheses; `white_below` is the share of such boards that show White below.
    fn decide(&self, white_below: f32) -> Orientation {
        let all = self.all();
        let sides = logarithms(white_below);
        let total = |(turn, side): (usize, usize)| all[turn][side] + sides[side];
        let hypotheses = || (0..4).flat_map(|turn| [0, 1].map(|side| (turn, side)));
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
        let labels = self.turns[turn]
            .as_ref()
            .and_then(|seen| seen.coordinates.as_ref())
            .map_or(0, |read| read.agreeing(below));
        let odds = |sides: [f32; 2]| sides[side] - sides[1 - side];
        let alone = logarithms(self.habits.white_below(std::iter::empty()));
        let evidence = if labels > 0 && odds(self.coordinates()[turn]) > COORDINATES_DECIDE {
            Evidence::Coordinates { labels }
        } else if odds(self.position()[turn]) > POSITION_DECIDES {
            Evidence::Position
        } else if odds(sides) - odds(alone) > OTHERS_DECIDE {
            Evidence::OtherBoards
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
}

/// Log odds from which the position is named as what decided.
const POSITION_DECIDES: f32 = 1.0;
/// The same for what the page's other boards add, which is 0.9 at most with White below in colour.
const OTHERS_DECIDE: f32 = 0.7;

/// Logarithms of the shares of boards with White and with Black below.
fn logarithms(white_below: f32) -> [f32; 2] {
    [white_below, 1.0 - white_below].map(|share| share.max(f32::MIN_POSITIVE).ln())
}

/// Log likelihoods of which none is more than `limit` below the highest.
fn limited(scores: Scores, limit: f32) -> Scores {
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
    pub(super) fn seen(placement: &str) -> Probabilities {
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

    pub(super) fn turned(mut squares: Probabilities) -> Probabilities {
        squares.reverse();
        squares
    }

    pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    /// What a turn of the picture shows whose position favours White below by so many nats.
    fn shown(favour: f32, coordinates: Option<Coordinates>) -> Option<Seen> {
        Some(Seen {
            certainty: 1.0,
            position: [favour / 2.0, -favour / 2.0],
            coordinates,
        })
    }

    /// A board in colour, given what its turns show.
    fn signs(turns: [Option<Seen>; 4]) -> Signs {
        Signs {
            turns,
            habits: IN_COLOUR,
        }
    }

    /// Decides from one upright view.
    fn decided(favour: f32, coordinates: Option<Coordinates>) -> Orientation {
        signs([shown(favour, coordinates), None, None, None]).decide(0.9)
    }

    #[test]
    fn position_tells_whose_side_is_below() {
        let white = decided(9.0, None);
        assert_eq!(
            (white.below, white.quarter_turns, white.evidence),
            (Color::White, 0, Evidence::Position)
        );
        assert!(white.confidence > 0.999);
        let black = decided(-9.0, None);
        assert_eq!(
            (black.below, black.quarter_turns, black.evidence),
            (Color::Black, 0, Evidence::Position)
        );
        assert!((0.99..white.confidence).contains(&black.confidence));
    }

    #[test]
    fn empty_board_without_coordinates_is_assumed_to_be_seen_by_white_and_unsure() {
        let orientation = decided(0.0, Some(nothing()));
        assert_eq!(
            (orientation.below, orientation.evidence),
            (Color::White, Evidence::Assumed)
        );
        assert!((orientation.confidence - 0.9).abs() < 1e-3);
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
        let orientation = decided(9.0, Some(coordinates));
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
        let orientation = decided(0.0, Some(coordinates));
        assert_eq!(
            orientation.to_string(),
            "Black below, from 8 edge coordinates (0.999)"
        );
    }

    #[test]
    fn labels_that_stand_upright_in_a_quarter_turn_turn_the_board() {
        let mut coordinates = nothing();
        label(&mut coordinates, 2, Color::White);
        label(&mut coordinates, 3, Color::White);
        let orientation = signs([
            shown(0.0, Some(nothing())),
            shown(0.0, Some(coordinates)),
            shown(0.0, Some(nothing())),
            shown(0.0, Some(nothing())),
        ])
        .decide(0.9);
        assert_eq!(
            (orientation.below, orientation.quarter_turns),
            (Color::White, 1)
        );
        assert_eq!(orientation.evidence, Evidence::Coordinates { labels: 16 });
        assert!(orientation.confidence > 0.999);
    }

    #[test]
    fn pieces_that_read_better_turned_turn_the_board() {
        let unsure = Seen {
            certainty: 0.5,
            position: [4.5, -4.5],
            coordinates: None,
        };
        let orientation = signs([Some(unsure), None, shown(-9.0, None), None]).decide(0.9);
        assert_eq!(
            (orientation.below, orientation.quarter_turns),
            (Color::Black, 2)
        );
    }

    /// Boards of one page without coordinates, whose positions favour White below by so many nats.
    fn page(favours: &[f32]) -> Vec<Orientation> {
        let of_board = |&favour| signs([shown(favour, None), None, None, None]);
        orientations(&favours.iter().map(of_board).collect::<Vec<_>>(), None)
    }

    #[test]
    fn a_board_alone_is_as_likely_seen_by_white_as_boards_in_colour_are() {
        let [alone] = page(&[0.0])[..] else { panic!() };
        assert_eq!(
            (alone.below, alone.evidence),
            (Color::White, Evidence::Assumed)
        );
        assert!((alone.confidence - 63.0 / 75.0).abs() < 1e-3);
    }

    #[test]
    fn a_board_that_tells_nothing_is_seen_from_the_side_of_the_others() {
        for (favour, below) in [(5.0, Color::White), (-5.0, Color::Black)] {
            let found = page(&[favour, 0.0, favour, favour, favour]);
            assert!(found.iter().all(|orientation| orientation.below == below));
            assert_eq!(
                found[1].to_string(),
                format!(
                    "{} below, as the page's other boards ({:.3})",
                    below.player(),
                    (found[1].confidence * 1000.0).floor() / 1000.0
                )
            );
            assert!((found[1].confidence - OTHERS_LIMIT).abs() < 1e-3);
        }
    }

    #[test]
    fn a_given_side_is_kept_and_leaves_the_turn_to_decide() {
        let clear = |certainty| {
            Some(Seen {
                certainty,
                position: [4.0, -4.0],
                coordinates: None,
            })
        };
        let upright = orientations(&[signs([clear(1.0), None, None, None])], Some(Color::Black));
        assert_eq!(
            upright,
            [Orientation {
                confidence: upright[0].confidence,
                ..Orientation::given(Color::Black)
            }]
        );
        assert!(upright[0].confidence > 0.9999);
        // Black is below in the turned picture only, whatever the pieces look like; both turns are as well read.
        let black_below = Some(Seen {
            position: [-4.0, 4.0],
            ..clear(0.9).unwrap()
        });
        let board = signs([clear(0.9), None, black_below, None]);
        let [turned] = orientations(&[board], Some(Color::Black))[..] else {
            panic!()
        };
        assert_eq!(
            (turned.below, turned.quarter_turns, turned.evidence),
            (Color::Black, 2, Evidence::Given)
        );
        assert!(turned.confidence < 0.999);
    }

    #[test]
    fn a_board_that_tells_for_itself_is_not_outvoted_by_any_number_of_others() {
        for count in [5, 11, 63] {
            for favour in [8.0, -8.0] {
                let mut favours = vec![favour; count];
                favours.push(-favour);
                let odd = page(&favours)[count];
                let below = if favour > 0.0 {
                    Color::Black
                } else {
                    Color::White
                };
                assert_eq!(odd.below, below);
                assert!(odd.confidence > 0.99, "{}", odd.confidence);
            }
        }
    }

    #[test]
    fn what_many_boards_hint_at_makes_none_of_them_sure() {
        for found in page(&[1.0; 64]) {
            assert!(found.confidence < crate::MIN_CONFIDENCE);
        }
    }

    #[test]
    fn on_a_page_with_boards_both_ways_each_board_tells_for_itself() {
        let found = page(&[6.0, -6.0, 0.0, -6.0, 6.0]);
        let below: Vec<Color> = found.iter().map(|found| found.below).collect();
        assert_eq!(
            [below[0], below[1], below[3], below[4]],
            [Color::White, Color::Black, Color::Black, Color::White]
        );
        assert!((found[2].confidence - 0.5).abs() < 0.01);
    }

    #[test]
    fn a_board_is_grey_unless_a_square_has_a_colour() {
        let mut picture = image::RgbImage::from_fn(160, 160, |x, y| {
            let grey = if (x / 20 + y / 20) % 2 == 0 { 230 } else { 120 };
            image::Rgb([grey, grey + 3, grey])
        });
        let quad = Quad::rectangle(0.0, 0.0, 160.0, 160.0);
        assert!(is_grey(&Pyramid::new(&picture), &quad));
        for (x, y) in (60..80).flat_map(|x| (60..80).map(move |y| (x, y))) {
            picture.put_pixel(x, y, image::Rgb([180, 120, 120]));
        }
        assert!(!is_grey(&Pyramid::new(&picture), &quad));
    }
}
