//! What a line of `readings.jsonl` holds about a board.

use serde::{Deserialize, Serialize};

use crate::caption::Caption;
use crate::check::{Variant, check};
use crate::diagnostic::Code;
use crate::position::{FenFields, Piece, Placement, Provenance, Square};
use crate::quad::Quad;
use crate::reading::Reading;

/// One board as documents show it, with the keys of a [`Reading`] in JSON and those that only a batch knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Always `reading`.
    #[serde(rename = "type")]
    pub kind: String,
    /// File, page and number of the board.
    pub source: SourceRecord,
    /// Corners in pixels of the upright page, clockwise from the visual top left.
    pub quad: Quad,
    /// What stands where, in true orientation.
    pub placement: Placement,
    /// The FEN of all six fields.
    pub fen: String,
    /// Who is below, and how that was told.
    pub orientation: OrientationRecord,
    /// The fields with their provenance.
    pub fields: FenFields,
    /// What is printed beside the diagram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<CaptionRecord>,
    /// Calibrated probability that the placement is right, 0 to 1.
    pub board_confidence: f64,
    /// Whether a person should look at it.
    pub doubtful: bool,
    /// The squares to look at first, least sure first.
    pub doubtful_squares: Vec<Square>,
    /// The 64 squares from a8 to h1.
    pub squares: Vec<SquareRecord>,
    /// Problems of the position.
    pub diagnostics: Vec<serde_json::Value>,
    /// Name and version of the engine.
    pub engine: String,
    /// Names and hashes of the networks.
    pub models: Vec<String>,
    /// Version of img2fen.
    pub version: String,
    /// Whether a person looked at the board and decided.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reviewed: bool,
}

/// Where a board came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceRecord {
    /// The path as given.
    pub path: String,
    /// Page of a document, from 1.
    pub page: Option<usize>,
    /// Number of the board on the page in reading order, from 1.
    pub board: usize,
    /// SHA-256 of the file in hexadecimal digits, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Which way up a board is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrientationRecord {
    /// `white` or `black`: who is below.
    pub value: String,
    /// Probability that it is right, 0 to 1.
    pub confidence: f64,
    /// What decided.
    pub evidence: String,
}

/// The print beside a diagram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptionRecord {
    /// Number of the diagram.
    pub number: Option<u32>,
    /// The words or the marker that tell the side to move.
    pub turn: Option<String>,
}

/// One square.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SquareRecord {
    /// Which square.
    pub square: Square,
    /// The piece, `None` for empty.
    pub piece: Option<Piece>,
    /// Calibrated probability that it is right, 0 to 1.
    pub confidence: f64,
    /// The class that comes second.
    pub second: AlternativeRecord,
    /// `given` where a person changed it, `inferred` where other boards of the document decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// A class with its probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AlternativeRecord {
    /// The piece, `None` for empty.
    pub piece: Option<Piece>,
    /// Calibrated probability, 0 to 1.
    pub confidence: f64,
}

impl Record {
    /// The record of a reading.
    ///
    /// # Errors
    /// Never in practice: when the keys of a reading in JSON are not those of a record, which a test rules out.
    pub fn new(reading: &Reading, sha256: Option<String>) -> serde_json::Result<Self> {
        let mut record: Self = serde_json::from_value(serde_json::to_value(reading)?)?;
        record.source.sha256 = sha256;
        record.set_fields(reading.fields);
        Ok(record)
    }

    /// Whether it is not certain which side is below.
    #[must_use]
    pub fn is_way_up_in_doubt(&self) -> bool {
        let uncertain = Code::OrientationUncertain.name();
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic["code"] == uncertain)
    }

    /// Takes the way up for certain: a person looked at it.
    pub(super) fn settle_way_up(&mut self) {
        let uncertain = Code::OrientationUncertain.name();
        self.diagnostics
            .retain(|diagnostic| diagnostic["code"] != uncertain);
        "as given".clone_into(&mut self.orientation.evidence);
        self.orientation.confidence = 1.0;
    }

    /// Whether Black is below in the picture.
    #[must_use]
    pub fn black_below(&self) -> bool {
        self.orientation.value == "black"
    }

    /// The place of a square in the picture: 0 for the visual top left to 63, row by row.
    #[must_use]
    pub fn place_of(&self, square: Square) -> usize {
        let place = usize::from(7 - square.rank()) * 8 + usize::from(square.file());
        if self.black_below() {
            63 - place
        } else {
            place
        }
    }

    /// Takes over new fields, and what follows from them.
    pub fn set_fields(&mut self, fields: FenFields) {
        self.placement = fields.placement.value;
        // What was remarked on the picture holds whatever the fields are.
        let of_the_picture = [Code::LowResolution, Code::OrientationUncertain].map(Code::name);
        self.diagnostics.retain(|diagnostic| {
            of_the_picture
                .iter()
                .any(|code| diagnostic["code"] == *code)
        });
        let found = check(&fields.fen(), Variant::Standard);
        self.diagnostics.extend(
            found
                .iter()
                .filter_map(|diagnostic| serde_json::to_value(diagnostic).ok()),
        );
        self.fen = fields.to_string();
        self.fields = fields;
    }

    /// Takes over what is printed beside the diagram; the side to move is used unless the user gave it.
    pub fn set_caption(&mut self, caption: &Caption) {
        if let Some((turn, _)) = &caption.turn
            && self.fields.turn.provenance != Provenance::Given
        {
            let mut fields = self.fields;
            fields.turn.value = *turn;
            fields.turn.provenance = Provenance::Read;
            self.set_fields(fields);
        }
        if *caption != Caption::default() {
            self.caption = Some(CaptionRecord {
                number: caption.number,
                turn: caption.turn.as_ref().map(|(_, words)| words.clone()),
            });
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A sure board of a book, page 12, number 3.
    pub(crate) fn record(fen: &str) -> Record {
        let fields: FenFields = fen.parse().unwrap();
        let placement = fields.placement.value;
        let squares = Square::all_in_fen_order().map(|square| SquareRecord {
            square,
            piece: placement.get(square),
            confidence: 0.999,
            second: AlternativeRecord {
                piece: Piece::from_letter('P'),
                confidence: 0.001,
            },
            provenance: None,
        });
        Record {
            kind: "reading".to_owned(),
            source: SourceRecord {
                path: "book.pdf".to_owned(),
                page: Some(12),
                board: 3,
                sha256: Some("ab".repeat(32)),
            },
            quad: Quad::rectangle(10.0, 10.0, 90.0, 90.0),
            placement,
            fen: fields.to_string(),
            orientation: OrientationRecord {
                value: "white".to_owned(),
                confidence: 0.99,
                evidence: "assumed".to_owned(),
            },
            fields,
            caption: None,
            board_confidence: 0.99,
            doubtful: false,
            doubtful_squares: Vec::new(),
            squares: squares.collect(),
            diagnostics: Vec::new(),
            engine: "tract".to_owned(),
            models: Vec::new(),
            version: "0.1.0".to_owned(),
            reviewed: false,
        }
    }

    #[test]
    fn a_record_comes_back_from_its_line_unchanged() {
        let record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let line = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }

    #[test]
    fn squares_are_placed_as_the_picture_shows_them() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let a8 = "a8".parse().unwrap();
        assert_eq!(record.place_of(a8), 0);
        record.orientation.value = "black".to_owned();
        assert_eq!(record.place_of(a8), 63);
    }

    #[test]
    fn a_caption_decides_the_side_to_move_unless_the_user_gave_it() {
        use crate::position::Color;
        let caption = Caption {
            number: Some(7),
            turn: Some((Color::Black, "Black to move".to_owned())),
        };
        let mut given = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        given.set_caption(&caption);
        assert_eq!(given.fen, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let mut assumed = given.clone();
        assumed.fields.turn.provenance = Provenance::Assumed;
        assumed.set_caption(&caption);
        assert_eq!(assumed.fen, "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1");
        assert_eq!(assumed.fields.turn.provenance, Provenance::Read);
        assert_eq!(
            assumed.caption,
            Some(CaptionRecord {
                number: Some(7),
                turn: Some("Black to move".to_owned())
            })
        );
    }
}
