//! Any line of `readings.jsonl` or `corrections.jsonl`: refused, or written and read back the same.

#![no_main]

use img2fen::report::{Correction, Record};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    if let Ok(correction) = serde_json::from_str::<Correction>(line) {
        let _ = correction.fields();
        let text = serde_json::to_string(&correction).expect("it can be written");
        let again: Correction = serde_json::from_str(&text).expect("what was written can be read");
        assert_eq!(
            serde_json::to_string(&again).expect("it can be written"),
            text
        );
    }
    if let Ok(record) = serde_json::from_str::<Record>(line) {
        let text = serde_json::to_string(&record).expect("it can be written");
        let again: Record = serde_json::from_str(&text).expect("what was written can be read");
        assert_eq!(
            serde_json::to_string(&again).expect("it can be written"),
            text
        );
        let _ = img2fen::report::fen_line(&record);
        let _ = img2fen::report::epd_line(&record);
        let _ = img2fen::report::pgn_game(&record);
        let _ = img2fen::report::csv_row(&record);
    }
});
