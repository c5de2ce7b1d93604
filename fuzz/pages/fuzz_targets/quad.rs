//! Any four corners, also infinite ones and none: a board is cut out of the page or refused.

#![no_main]

use img2fen::Quad;
use img2fen::rectify::{BOARD, Pyramid, rectify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, [[f32; 2]; 4])| {
    let (width, height, corners) = input;
    let page = image::RgbImage::new(u32::from(width) + 1, u32::from(height) + 1);
    let quad = Quad::new(corners);
    match rectify(&Pyramid::new(&page), &quad) {
        Some(board) => assert_eq!(board.dimensions(), (BOARD as u32, BOARD as u32)),
        None => assert!(
            !quad.is_convex()
                || quad
                    .homography_to(&Quad::rectangle(0.0, 0.0, 8.0, 8.0))
                    .is_none()
        ),
    }
    for turn in 0..4 {
        let _ = quad
            .turned(turn)
            .from_visual_top_left()
            .corner_distance(&quad);
    }
});
