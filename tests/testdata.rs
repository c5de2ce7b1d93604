//! Every picture in `testdata/` is read exactly as its manifest row says.

use std::fs;
use std::path::Path;

use image::{Rgb, RgbImage};
use img2fen::rectify::{Pyramid, view};
use img2fen::{Limits, Page, Quad, Recognizer};
use serde_json::Value;

#[test]
fn every_picture_shows_the_boards_of_its_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let manifest = fs::read_to_string(folder.join("MANIFEST.jsonl")).unwrap();
    let recognizer = Recognizer::new().unwrap();
    let mut pictures = 0;
    for line in manifest.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let file = row["file"].as_str().unwrap();
        let page = Page::open(folder.join(file), &Limits::default()).unwrap();
        let readings = recognizer.read(&page).unwrap().readings;
        let read: Vec<String> = readings
            .iter()
            .map(|reading| reading.placement.to_string())
            .collect();
        let boards = row["boards"].as_array().unwrap();
        let expected: Vec<&str> = boards
            .iter()
            .map(|board| board["placement"].as_str().unwrap())
            .collect();
        assert_eq!(read, expected, "{file}: {}", row["proves"]);
        for (reading, board) in readings.iter().zip(boards) {
            assert_eq!(
                reading.orientation.below.name(),
                board["bottom"].as_str().unwrap(),
                "{file}"
            );
            let corners: Quad = serde_json::from_value(board["corners"].clone()).unwrap();
            let error = reading.quad.corner_distance(&corners) / corners.side() * 8.0;
            assert!(
                error < 0.12,
                "{file}: the worst corner is off by {error} of a square"
            );
        }
        pictures += 1;
    }
    assert_eq!(pictures, 8);
}

#[test]
fn boards_are_numbered_without_what_turned_out_to_be_none() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut page = RgbImage::from_pixel(1240, 1754, Rgb([255; 3]));
    for (file, left, top) in [("cut.png", 100, 100), ("thumbnail.png", 600, 800)] {
        let picture = Page::open(folder.join(file), &Limits::default()).unwrap();
        image::imageops::overlay(&mut page, &picture.picture, left, top);
    }
    let page = Page::from_image("page.png", &page.into());
    let found = Recognizer::new().unwrap().read(&page).unwrap();
    let numbers: Vec<usize> = found
        .readings
        .iter()
        .map(|reading| reading.source.board)
        .collect();
    assert_eq!(numbers, [1]);
}

#[test]
fn thumbnails_of_64_pixels_are_found_in_a_page_thirty_times_as_wide() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let screenshot = Page::open(folder.join("screenshot.png"), &Limits::default()).unwrap();
    let recognizer = Recognizer::new().unwrap();
    let whole = &recognizer.read(&screenshot).unwrap().readings[0];
    let thumbnail = view(
        &Pyramid::new(&screenshot.picture),
        &whole.quad,
        &Quad::rectangle(0.0, 0.0, 64.0, 64.0),
        64,
        64,
    )
    .unwrap();
    let mut page = RgbImage::from_pixel(1920, 1400, Rgb([250, 250, 250]));
    let places = [(200, 300), (1300, 300), (700, 1100)];
    for (left, top) in places {
        image::imageops::replace(&mut page, &thumbnail, left, top);
    }
    let page = Page::from_image("page", &page.into());
    let readings = recognizer.read(&page).unwrap().readings;
    assert_eq!(readings.len(), places.len());
    for (reading, (left, top)) in readings.iter().zip(places) {
        let (left, top) = (left as f32, top as f32);
        let expected = Quad::rectangle(left, top, left + 64.0, top + 64.0);
        assert!(reading.quad.corner_distance(&expected) < 1.5);
        assert_eq!(reading.placement, whole.placement);
    }
}
