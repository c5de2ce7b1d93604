//! Any bytes: a PDF's first pages are drawn within the limit of pixels, or there is an error.

#![no_main]

use img2fen::input::pdf::{PdfDocument, PdfPageOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = PdfPageOptions {
        dpi: 36.0,
        max_pixels: 1 << 18,
    };
    let Ok(document) = PdfDocument::parse(bytes.to_vec()) else {
        return;
    };
    for number in 1..=document.page_count().min(2) {
        if let Ok(page) = document.page(number, &options) {
            let pixels = u64::from(page.image.width()) * u64::from(page.image.height());
            // The size is rounded to whole pixels after the limit was applied.
            assert!(pixels > 0 && pixels <= options.max_pixels + (1 << 16));
        }
    }
});
