//! Every picture in `testdata/` is read exactly as its manifest row says.

use std::fs;
use std::path::Path;

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
