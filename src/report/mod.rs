//! Readings as documents: lines of JSON, FEN, EPD, PGN, CSV, and the HTML page on which a person corrects them.
//!
//! Every document is made of [`Record`]s, what a line of `readings.jsonl` holds. A record is made of a
//! [`Reading`](crate::Reading), or read back from such a line, so that documents can be written again at any time, with
//! the [`Correction`]s of a person applied.

mod correction;
mod documents;
mod html;
mod record;

pub use correction::{Correction, CorrectionError};
pub use documents::{
    csv_header, csv_line, csv_row, epd, epd_line, fen_line, pgn_game, pgn_position,
};
pub use html::{Crop, HtmlReport, OtherInput, SavedCorrection, crop};
#[cfg(test)]
pub(crate) use record::tests::record as test_record;
pub use record::{
    AlternativeRecord, CaptionRecord, OrientationRecord, Record, SourceRecord, SquareRecord,
};
