//! Any bytes: a picture within the limits or an error; a picture can be halved, straightened.

#![no_main]

use img2fen::rectify::{Pyramid, rectify};
use img2fen::{Limits, Page, Quad};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut limits = Limits::default();
    limits.max_pixels = 1 << 22;
    limits.max_alloc_bytes = 1 << 26;
    let Ok(page) = Page::from_bytes("fuzz", bytes, &limits) else {
        return;
    };
    let (width, height) = page.picture.dimensions();
    assert!(width > 0 && height > 0 && u64::from(width) * u64::from(height) <= limits.max_pixels);
    let pyramid = Pyramid::new(&page.picture);
    let whole = Quad::rectangle(0.0, 0.0, width as f32, height as f32);
    let board = rectify(&pyramid, &whole).expect("a rectangle with an area is convex");
    assert_eq!(board.dimensions(), (264, 264));
});
