//! What a caller gets for each board: the squares, the position, where every part of it came from, and how sure it is.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::check::{SquareDoubt, Suggestion, check_fields, suggestions};
use crate::classify::{CLASSES, Probabilities, best_two, calibrate};
use crate::diagnostic::{Code, Diagnostic};
use crate::orient::Orientation;
use crate::position::infer::{GivenFieldError, GivenFields};
use crate::position::{FenFields, Piece, Placement, Provenance, Square};
use crate::quad::Quad;
use crate::recognizer::MIN_CONFIDENCE;

/// Where a reading's picture came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceName {
    /// The path as given, or `-` for standard input.
    pub path: String,
    /// The page of a document, from 1; `None` for a picture file.
    pub page: Option<usize>,
    /// The board on the page, from 1, in reading order.
    pub board: usize,
}

/// A class with its probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Alternative {
    /// The piece, `None` for an empty square.
    pub piece: Option<Piece>,
    /// Calibrated probability, 0..=1.
    #[serde(serialize_with = "four_decimals")]
    pub confidence: f32,
}

/// One square as read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SquareReading {
    /// Which square, in true orientation.
    pub square: Square,
    /// The piece read there, `None` for an empty square.
    pub piece: Option<Piece>,
    /// Calibrated probability that it is right, 0..=1.
    #[serde(serialize_with = "four_decimals")]
    pub confidence: f32,
    /// The class that comes second.
    pub second: Alternative,
}

/// The engine and networks behind a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Name and version of the engine, such as `tract 0.23`.
    pub engine: String,
    /// The networks, each with the first eight hexadecimal digits of its SHA-256, such as `squares 1a2b3c4d`.
    pub models: Vec<String>,
}

/// One board of a page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reading {
    /// The picture, page and board number.
    pub source: SourceName,
    /// The corners of the 8 x 8 field in pixels of the upright picture, clockwise from the board's visual top left.
    pub quad: Quad,
    /// What the confidence rests on.
    pub evidence: calibrate::Evidence,
    /// What stands where, in true orientation.
    pub placement: Placement,
    /// The 64 squares in the order of a FEN: a8, b8 ... h1.
    pub squares: Vec<SquareReading>,
    /// Probabilities of the 13 classes ([`CLASSES`]) for the 64 squares in the order of `squares`.
    pub probabilities: Box<Probabilities>,
    /// Whose side is below, and how that was told.
    pub orientation: Orientation,
    /// The six fields of the FEN with their provenance.
    pub fields: FenFields,
    /// Calibrated probability that the whole placement is right, 0..=1.
    pub board_confidence: f32,
    /// Whether a person should look at it: the confidence is below the one asked for.
    pub doubtful: bool,
    /// The squares to look at first when it is doubtful, least sure first.
    pub doubtful_squares: Vec<Square>,
    /// What is noteworthy about the reading or the position.
    pub diagnostics: Vec<Diagnostic>,
    /// Second choices that would cure a fault of the position; offered, never taken unasked.
    pub suggestions: Vec<Suggestion>,
    /// Engine and networks.
    pub provider: Provider,
}

/// Squares with fewer pixels a side make similar pieces hard to tell: on the `dev` pictures boards below it are read
/// exactly four times in five, above it more than nine times in ten.
const LOW_RESOLUTION_PX: f32 = 14.0;
/// Where more squares than this are expected to be wrong a board was hardly met, and no second choice is offered as a cure: of
/// 659 boards that were found on `dev` and `calibration` two have more, with 27 and 32 wrong squares.
const MOST_EXPECTED_WRONG: f32 = 5.0;

/// A way up that is surer is never what makes a board doubtful: coordinates give as much.
const CERTAIN: f32 = 0.999;

impl Reading {
    /// The FEN of all six fields.
    #[must_use]
    pub fn fen(&self) -> String {
        self.fields.to_string()
    }

    /// What was read on a square.
    #[must_use]
    pub fn square(&self, square: Square) -> &SquareReading {
        &self.squares[usize::from(7 - square.rank()) * 8 + usize::from(square.file())]
    }

    /// Fills in the diagnostics and suggestions from the other fields.
    pub(crate) fn diagnose(&mut self) {
        let doubts = if self.is_hardly_a_board() {
            Vec::new()
        } else {
            self.doubts()
        };
        let mut found = Vec::new();
        if self.doubtful && !self.doubtful_squares.is_empty() {
            let names: Vec<String> = self
                .doubtful_squares
                .iter()
                .map(Square::to_string)
                .collect();
            let hint = if self.is_hardly_a_board() {
                "see with `--annotate` whether this is the board and these are its corners"
            } else {
                "compare with the picture"
            };
            found.push(
                Diagnostic::new(
                    Code::LowConfidenceSquare,
                    format!("not sure of {}", names.join(", ")),
                )
                .hint(hint)
                .squares(self.doubtful_squares.iter().copied()),
            );
        }
        let square_px = self.quad.side() / 8.0;
        if square_px < LOW_RESOLUTION_PX {
            let message = format!("a square has {square_px:.0} px a side in the picture");
            found.push(
                Diagnostic::new(Code::LowResolution, message).hint("use a larger picture of it"),
            );
        }
        if self.is_way_up_in_doubt() {
            let message = format!(
                "it is not certain which side is below: {}",
                self.orientation
            );
            found.push(
                Diagnostic::new(Code::OrientationUncertain, message)
                    .hint("say it with `--view white` or `--view black`")
                    .suggestion(self.fields.fen().rotated()),
            );
        }
        found.extend(check_fields(&self.fields, &doubts));
        self.diagnostics = found;
        self.suggestions = suggestions(&self.fields, &doubts);
    }

    /// Takes the best suggestion, if there is one: the placement is then marked as inferred, and a diagnostic tells.
    ///
    /// # Errors
    /// When a given field contradicts the corrected position.
    pub(crate) fn accept_suggestion(&mut self, given: &GivenFields) -> Result<(), GivenFieldError> {
        let Some(suggestion) = self.suggestions.first().cloned() else {
            return Ok(());
        };
        let placement = suggestion.fields.placement.value;
        self.fields = given.complete(placement, Provenance::Inferred)?;
        self.placement = placement;
        self.diagnose();
        self.suggestions.clear();
        self.diagnostics.insert(0, suggestion.accepted());
        Ok(())
    }

    /// Whether so many squares are expected to be wrong that the board was hardly met, or is none.
    #[must_use]
    pub fn is_hardly_a_board(&self) -> bool {
        expected_wrong(&self.squares) > MOST_EXPECTED_WRONG
    }

    /// Whether the way up is in doubt: alone less sure than a board must be, or all that there is to look at.
    fn is_way_up_in_doubt(&self) -> bool {
        let enough = if self.doubtful && self.doubtful_squares.is_empty() {
            CERTAIN
        } else {
            MIN_CONFIDENCE
        };
        self.orientation.confidence < enough
    }

    /// The doubtful squares with their second choices, as the check takes them.
    fn doubts(&self) -> Vec<SquareDoubt> {
        let doubt = |square: &Square| {
            let read = self.square(*square);
            SquareDoubt {
                square: *square,
                confidence: read.confidence,
                second: read.second.piece,
                second_confidence: read.second.confidence,
            }
        };
        self.doubtful_squares.iter().map(doubt).collect()
    }
}

/// How many squares are wrong by their own confidences.
fn expected_wrong(squares: &[SquareReading]) -> f32 {
    squares.iter().map(|square| 1.0 - square.confidence).sum()
}

/// The piece of a class index, `None` for an empty square.
#[must_use]
pub(crate) fn piece_of_class(class: usize) -> Option<Piece> {
    Piece::from_letter(CLASSES[class])
}

/// Squares with their best and second-best class, from probabilities in the order of a FEN.
pub(crate) fn square_readings(probabilities: &Probabilities) -> Vec<SquareReading> {
    Square::all_in_fen_order()
        .zip(probabilities)
        .map(|(square, row)| {
            let (first, second) = best_two(row);
            SquareReading {
                square,
                piece: piece_of_class(first),
                confidence: row[first],
                second: Alternative {
                    piece: piece_of_class(second),
                    confidence: row[second],
                },
            }
        })
        .collect()
}

/// The least sure squares, so that all others together are at least as sure as `enough`; least sure first.
pub(crate) fn doubtful_squares(squares: &[SquareReading], enough: f32) -> Vec<Square> {
    let mut order: Vec<&SquareReading> = squares.iter().collect();
    order.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let mut together = 1.0;
    let sure = order.iter().take_while(|square| {
        together *= square.confidence;
        together >= enough
    });
    let sure = sure.count();
    order[sure..]
        .iter()
        .rev()
        .map(|square| square.square)
        .collect()
}

/// Four decimals are enough for a probability, and keep differences between runs quiet.
pub(crate) fn four_decimals<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((f64::from(*value) * 1e4).round() / 1e4)
}

#[derive(Serialize)]
struct OrientationInJson {
    /// Whose side is below.
    value: &'static str,
    #[serde(serialize_with = "four_decimals")]
    confidence: f32,
    evidence: String,
}

impl Serialize for Reading {
    /// The keys that programs rely on; see `docs/json.md`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tenths = |value: f32| (f64::from(value) * 10.0).round() / 10.0;
        let quad = self.quad.corners.map(|corner| corner.map(tenths));
        let mut object = serializer.serialize_struct("Reading", 18)?;
        object.serialize_field("type", "reading")?;
        object.serialize_field("source", &self.source)?;
        object.serialize_field("quad", &quad)?;
        object.serialize_field("placement", &self.placement)?;
        object.serialize_field("fen", &self.fen())?;
        object.serialize_field(
            "orientation",
            &OrientationInJson {
                value: self.orientation.below.name(),
                confidence: self.orientation.confidence,
                evidence: self.orientation.evidence.to_string(),
            },
        )?;
        object.serialize_field("fields", &self.fields)?;
        object.serialize_field(
            "board_confidence",
            &((f64::from(self.board_confidence) * 1e4).round() / 1e4),
        )?;
        object.serialize_field("doubtful", &self.doubtful)?;
        object.serialize_field("doubtful_squares", &self.doubtful_squares)?;
        object.serialize_field("squares", &self.squares)?;
        object.serialize_field("diagnostics", &self.diagnostics)?;
        object.serialize_field("suggestions", &self.suggestions)?;
        object.serialize_field("engine", &self.provider.engine)?;
        object.serialize_field("models", &self.provider.models)?;
        object.serialize_field("version", env!("CARGO_PKG_VERSION"))?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares_with(confidences: [(usize, f32); 3]) -> Vec<SquareReading> {
        let mut probabilities = [[0.0; 13]; 64];
        for row in &mut probabilities {
            row[0] = 1.0;
        }
        for (index, confidence) in confidences {
            probabilities[index] = [0.0; 13];
            probabilities[index][4] = confidence;
            probabilities[index][6] = 1.0 - confidence;
        }
        square_readings(&probabilities)
    }

    #[test]
    fn squares_carry_their_best_two_classes_in_the_order_of_a_fen() {
        let squares = squares_with([(0, 0.7), (35, 0.8), (63, 0.9)]);
        assert_eq!(squares[0].square.to_string(), "a8");
        assert_eq!(squares[35].square.to_string(), "d4");
        assert_eq!(squares[63].square.to_string(), "h1");
        assert_eq!(squares[35].piece.unwrap().letter(), 'B');
        assert_eq!(squares[35].second.piece.unwrap().letter(), 'P');
        assert_eq!(squares[1].piece, None);
    }

    #[test]
    fn the_squares_in_doubt_are_those_that_keep_the_rest_from_being_sure() {
        let squares = squares_with([(0, 0.7), (35, 0.96), (63, 0.97)]);
        let names = |enough| {
            doubtful_squares(&squares, enough)
                .iter()
                .map(Square::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(0.9), ["a8"]);
        assert_eq!(names(0.95), ["a8", "d4"]);
        assert_eq!(names(0.5), Vec::<String>::new());
    }

    #[test]
    fn many_squares_in_slight_doubt_are_fewer_wrong_ones_than_some_in_great_doubt() {
        let of = |count: usize, confidence: f32| {
            let mut squares = squares_with([(0, 1.0), (1, 1.0), (2, 1.0)]);
            for square in &mut squares[..count] {
                square.confidence = confidence;
            }
            expected_wrong(&squares)
        };
        assert!((of(40, 0.99) - 0.4).abs() < 1e-3);
        assert!((of(12, 0.5) - 6.0).abs() < 1e-3);
        assert!(of(40, 0.99) < MOST_EXPECTED_WRONG && of(12, 0.5) > MOST_EXPECTED_WRONG);
    }
}
