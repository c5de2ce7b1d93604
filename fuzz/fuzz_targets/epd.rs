//! Any text: as EPD it is read or refused, and what was read is written and read back the same.

#![no_main]

use img2fen_fuzz::check::check_epd;
use img2fen_fuzz::position::Epd;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = check_epd(text, None);
    if let Ok(epd) = text.parse::<Epd>() {
        let written = epd.to_string();
        let again: Epd = written.parse().expect("what was written can be read");
        assert_eq!(again.fen, epd.fen);
        assert_eq!(again.to_string(), written);
    }
});
