//! Any bytes: the networks read what they find, and every reading is complete.

#![no_main]

use std::sync::LazyLock;

use img2fen::{Fen, Limits, Page, Recognizer};
use libfuzzer_sys::fuzz_target;

/// With ONNX Runtime where it is installed: it reads twice as many.
static RECOGNIZER: LazyLock<Recognizer> =
    LazyLock::new(|| Recognizer::new().expect("an engine is built in"));

fuzz_target!(|bytes: &[u8]| {
    let mut limits = Limits::default();
    limits.max_pixels = 1 << 20;
    limits.max_alloc_bytes = 1 << 24;
    let Ok(page) = Page::from_bytes("fuzz", bytes, &limits) else {
        return;
    };
    let found = RECOGNIZER
        .read(&page)
        .expect("a page of pixels can be read");
    for reading in found.readings {
        assert_eq!(reading.squares.len(), 64);
        assert!((0.0..=1.0).contains(&reading.board_confidence));
        assert!(reading.fen().parse::<Fen>().is_ok(), "{}", reading.fen());
    }
});
