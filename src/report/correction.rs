//! What a person decided about a board, as a line of `corrections.jsonl`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::record::{Record, SourceRecord};
use crate::position::{FenFields, Placement, Provenance, Square};
use crate::quad::Quad;

/// The whole decision about one board; the last line about a board counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Correction {
    /// Always `correction`.
    #[serde(rename = "type", deserialize_with = "only_correction")]
    pub kind: String,
    /// The board it is about.
    pub source: SourceRecord,
    /// Corners of the board in pixels of its page, which tell it whatever number another run gives it; without them the
    /// number alone tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quad: Option<Quad>,
    /// What stands where, in true orientation.
    pub placement: Placement,
    /// `white` or `black`: who is below in the picture.
    pub below: Below,
    /// Side to move, `w` or `b`.
    pub turn: String,
    /// Castling rights.
    pub castling: String,
    /// Whether `castling` follows from the placement and was not said by the person.
    pub castling_inferred: bool,
    /// En passant target or `-`.
    pub en_passant: String,
    /// Halfmove clock.
    pub halfmove: String,
    /// Fullmove number.
    pub fullmove: String,
    /// Whether the board is left out of the documents: it is no board.
    pub left_out: bool,
    /// The doubtful squares that the person decided.
    pub settled: Vec<Square>,
    /// Whether the person decided, or confirmed, which side is below.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub way_up_settled: bool,
    /// Whether the decision was taken back; the rest is then without meaning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
}

/// Who is below in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Below {
    /// White.
    White,
    /// Black.
    Black,
}

/// A correction that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the correction of {path}, board {board}, is no position: {reason}")]
pub struct CorrectionError {
    path: String,
    board: usize,
    reason: String,
}

/// What a line says of itself, which is nothing but `correction`.
fn only_correction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let kind = String::deserialize(deserializer)?;
    match kind.as_str() {
        "correction" => Ok(kind),
        other => Err(D::Error::unknown_variant(other, &["correction"])),
    }
}

impl Correction {
    /// Whether it is about the board with this number and these corners, as far as they tell. Another run may find the
    /// corners some pixels away, but no two boards of a page lie within half a square of each other.
    #[must_use]
    pub fn is_at(&self, board: usize, quad: &Quad) -> bool {
        match &self.quad {
            Some(own) => own.corner_distance(quad) <= quad.side() / 16.0,
            None => self.source.board == board,
        }
    }

    /// The six fields it stands for.
    ///
    /// # Errors
    /// When a field is not what a FEN can hold.
    pub fn fields(&self) -> Result<FenFields, CorrectionError> {
        let turn = self.turn.as_str();
        let (castling, target) = (&self.castling, &self.en_passant);
        let text = format!(
            "{} {turn} {castling} {target} {} {}",
            self.placement, self.halfmove, self.fullmove
        );
        text.parse().map_err(|error| CorrectionError {
            path: self.source.path.clone(),
            board: self.source.board,
            reason: format!("{error}"),
        })
    }

    /// Applies the decision to the board it is about; what differs from the reading is marked as given.
    ///
    /// # Errors
    /// When a field is not what a FEN can hold; the record is unchanged then.
    pub fn apply(&self, record: &mut Record) -> Result<(), CorrectionError> {
        if self.withdrawn {
            return Ok(());
        }
        let mut fields = self.fields()?;
        let below = match self.below {
            Below::White => "white",
            Below::Black => "black",
        };
        if record.orientation.value != below {
            rotate(record);
            below.clone_into(&mut record.orientation.value);
            record.settle_way_up();
        }
        if self.way_up_settled {
            record.settle_way_up();
        }
        for square in &mut record.squares {
            let piece = self.placement.get(square.square);
            if square.piece != piece {
                square.piece = piece;
                square.confidence = 1.0;
                square.provenance = Some(Provenance::Given);
            }
        }
        let before = record.fields;
        let mark = |same: bool, was: Provenance| if same { was } else { Provenance::Given };
        fields.placement.provenance = mark(
            fields.placement.value == before.placement.value,
            before.placement.provenance,
        );
        fields.turn.provenance = mark(
            fields.turn.value == before.turn.value,
            before.turn.provenance,
        );
        fields.castling.provenance = match self.castling_inferred {
            true => Provenance::Inferred,
            false => mark(
                fields.castling.value == before.castling.value,
                before.castling.provenance,
            ),
        };
        fields.en_passant.provenance = mark(
            fields.en_passant.value == before.en_passant.value,
            before.en_passant.provenance,
        );
        fields.halfmove.provenance = mark(
            fields.halfmove.value == before.halfmove.value,
            before.halfmove.provenance,
        );
        fields.fullmove.provenance = mark(
            fields.fullmove.value == before.fullmove.value,
            before.fullmove.provenance,
        );
        record.set_fields(fields);
        record
            .doubtful_squares
            .retain(|square| !self.settled.contains(square));
        record.doubtful &= !record.doubtful_squares.is_empty() || record.is_way_up_in_doubt();
        record.reviewed = true;
        Ok(())
    }
}

/// Renames the squares of a board that turns out to be seen from the other side.
fn rotate(record: &mut Record) {
    record.squares.reverse();
    for square in &mut record.squares {
        square.square = square.square.rotated();
    }
    for square in &mut record.doubtful_squares {
        *square = square.rotated();
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    fn correction(record: &Record, fen: &str, below: Below) -> Correction {
        let words: Vec<&str> = fen.split(' ').collect();
        Correction {
            kind: "correction".to_owned(),
            source: record.source.clone(),
            quad: None,
            placement: words[0].parse().unwrap(),
            below,
            turn: words[1].to_owned(),
            castling: words[2].to_owned(),
            castling_inferred: false,
            en_passant: words[3].to_owned(),
            halfmove: words[4].to_owned(),
            fullmove: words[5].to_owned(),
            left_out: false,
            settled: Vec::new(),
            way_up_settled: false,
            withdrawn: false,
        }
    }

    #[test]
    fn what_a_person_changes_is_given_and_the_rest_keeps_its_provenance() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        record.fields.placement.provenance = Provenance::Read;
        record.fields.castling.provenance = Provenance::Inferred;
        record.fields.turn.provenance = Provenance::Assumed;
        record.doubtful = true;
        record.doubtful_squares = vec!["a1".parse().unwrap()];
        let mut correction = correction(&record, "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", Below::White);
        correction.settled = vec!["a1".parse().unwrap()];
        correction.apply(&mut record).unwrap();
        assert_eq!(record.fen, "4k3/8/8/8/8/8/8/B3K3 w - - 0 1");
        assert_eq!(record.fields.placement.provenance, Provenance::Given);
        assert_eq!(record.fields.castling.provenance, Provenance::Given);
        assert_eq!(record.fields.turn.provenance, Provenance::Assumed);
        let given: Vec<String> = record
            .squares
            .iter()
            .filter(|square| square.provenance == Some(Provenance::Given))
            .map(|square| square.square.to_string())
            .collect();
        assert_eq!(given, ["a1"]);
        assert!(record.reviewed && !record.doubtful && record.doubtful_squares.is_empty());
    }

    #[test]
    fn a_board_whose_way_up_is_in_doubt_stays_doubtful_until_a_person_settles_it() {
        let uncertain = || {
            let mut record = record("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
            record.doubtful = true;
            record.orientation.confidence = 0.7;
            record.diagnostics = vec![serde_json::json!({"code": "orientation-uncertain"})];
            record
        };
        let same = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let turned = "3K3R/8/8/8/8/8/8/3k4 w - - 0 1";
        for (fen, below, settled, doubtful) in [
            (same, Below::White, false, true),
            (same, Below::White, true, false),
            (turned, Below::Black, false, false),
        ] {
            let mut record = uncertain();
            let mut correction = correction(&record, fen, below);
            correction.way_up_settled = settled;
            correction.apply(&mut record).unwrap();
            assert!(record.reviewed);
            assert_eq!(record.doubtful, doubtful);
            assert_eq!(record.is_way_up_in_doubt(), doubtful);
            assert_eq!(record.orientation.confidence == 1.0, !doubtful);
        }
    }

    #[test]
    fn rotating_renames_the_squares_and_changes_no_piece_in_the_picture() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let correction = correction(&record, "3K3R/8/8/8/8/8/8/3k4 w - - 0 1", Below::Black);
        correction.apply(&mut record).unwrap();
        assert_eq!(record.orientation.value, "black");
        assert!(
            record
                .squares
                .iter()
                .all(|square| square.provenance.is_none())
        );
        assert!(
            record
                .squares
                .iter()
                .zip(Square::all_in_fen_order())
                .all(|(read, square)| read.square == square)
        );
    }

    #[test]
    fn a_board_is_told_by_its_place_within_half_a_square_or_else_by_its_number() {
        let record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let mut correction = correction(&record, &record.fen, Below::White);
        // The board has a side of 80 pixels.
        let moved = |by: f32| Quad::rectangle(10.0 + by, 10.0, 90.0 + by, 90.0);
        assert!(correction.is_at(3, &moved(500.0)));
        assert!(!correction.is_at(4, &record.quad));
        correction.quad = Some(record.quad);
        for (by, is_at) in [
            (0.0, true),
            (5.0, true),
            (-5.0, true),
            (5.5, false),
            (-500.0, false),
        ] {
            assert_eq!(correction.is_at(4, &moved(by)), is_at, "{by}");
        }
        let larger = Quad::rectangle(10.0, 10.0, 170.0, 170.0);
        assert!(!correction.is_at(3, &larger));
    }

    #[test]
    fn only_a_correction_is_taken_for_one() {
        let record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let line = |kind: &str| {
            let mut correction = correction(&record, &record.fen, Below::White);
            correction.kind = kind.to_owned();
            serde_json::to_string(&correction).unwrap()
        };
        assert!(serde_json::from_str::<Correction>(&line("correction")).is_ok());
        for kind in ["", "nonsense", "reading", "Correction"] {
            assert!(serde_json::from_str::<Correction>(&line(kind)).is_err());
        }
    }

    #[test]
    fn a_correction_that_is_no_position_changes_nothing() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let before = record.clone();
        let mut wrong = correction(&record, "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", Below::White);
        wrong.turn = "x".to_owned();
        assert!(wrong.apply(&mut record).is_err());
        assert_eq!(record, before);
    }
}
