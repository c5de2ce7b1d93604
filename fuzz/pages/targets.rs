//! What is done to each input: by the fuzz targets with inputs that the fuzzer thinks up, and by `tests/mutations.rs`
//! with damaged seeds. Each function says whether its input was one that can be read, and panics at a fault.

use std::fs;

use img2fen::input::pdf::{PdfDocument, PdfPageOptions};
use img2fen::rectify::{BOARD, BORDER, Pyramid, rectify};
use img2fen::report::{self, Correction, Record};
use img2fen::{Limits, Page, Quad};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[allow(dead_code, reason = "the program has more use for it")]
#[path = "../../src/bin/img2fen/journal.rs"]
mod journal;
#[allow(dead_code, reason = "the program has more use for it")]
#[path = "../../src/bin/img2fen/manifest.rs"]
mod manifest;

use journal::{Entry, Journal, State};

/// Any bytes: a picture within the limits or an error; a picture can be halved, straightened.
pub fn picture(bytes: &[u8]) -> bool {
    let mut limits = Limits::default();
    limits.max_pixels = 1 << 20;
    limits.max_alloc_bytes = 1 << 24;
    let Ok(page) = Page::from_bytes("picture", bytes, &limits) else {
        return false;
    };
    let (width, height) = page.picture.dimensions();
    assert!(width > 0 && height > 0 && u64::from(width) * u64::from(height) <= limits.max_pixels);
    let whole = Quad::rectangle(0.0, 0.0, width as f32, height as f32);
    let board =
        rectify(&Pyramid::new(&page.picture), &whole).expect("a rectangle with an area is convex");
    assert_eq!(board.dimensions(), (264, 264));
    true
}

/// Any four corners, also infinite ones and none: a board is cut out of the page or refused.
pub fn quad(page: (u32, u32), corners: [[f32; 2]; 4]) -> bool {
    let quad = Quad::new(corners);
    for turn in 0..4 {
        let _ = quad
            .turned(turn)
            .from_visual_top_left()
            .corner_distance(&quad);
    }
    match rectify(&Pyramid::new(&image::RgbImage::new(page.0, page.1)), &quad) {
        Some(board) => {
            assert_eq!(board.dimensions(), (BOARD as u32, BOARD as u32));
            true
        }
        None => {
            let (near, far) = (BORDER as f32, (BOARD - BORDER) as f32);
            let field = Quad::rectangle(near, near, far, far);
            assert!(field.homography_to(&quad).is_none());
            false
        }
    }
}

/// Any bytes: a PDF's first pages are drawn within the limit of pixels, or there is an error.
pub fn pdf(bytes: &[u8]) -> bool {
    let options = PdfPageOptions {
        dpi: 36.0,
        max_pixels: 1 << 16,
    };
    let Ok(document) = PdfDocument::parse(bytes.to_vec()) else {
        return false;
    };
    let damage = document.damage();
    assert!(damage.is_none_or(|error| error.hint().is_some()));
    let mut is_drawn = false;
    for number in 1..=document.page_count().min(2) {
        if let Ok(page) = document.page(number, &options) {
            let pixels = u64::from(page.image.width()) * u64::from(page.image.height());
            // The size is rounded to whole pixels after the limit was applied.
            assert!(pixels > 0 && pixels <= 2 * options.max_pixels);
            is_drawn = true;
        }
    }
    is_drawn
}

/// Any bytes as a journal: what is whole is found and read back, and a page can be written behind it.
pub fn journal(bytes: &[u8]) -> bool {
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    fs::write(file.path(), bytes).expect("the file can be written");
    let mut journal = Journal::open(file.path()).expect("any bytes can be opened");
    let keys = journal.keys();
    for key in &keys {
        let entry = journal.read(key).expect("a page that is named can be read");
        assert_eq!(
            (&entry.key, Some(entry.state)),
            (key, journal.index().state(key))
        );
    }
    let entry = Entry {
        key: "new".to_owned(),
        state: State::NoBoard,
        boards: Vec::new(),
        cut: 1,
        left_out: 0,
        message: None,
        limits: Vec::new(),
    };
    journal.append(&entry).expect("a page can be written");
    drop(journal);
    let mut journal = Journal::open(file.path()).expect("the journal can be opened again");
    assert_eq!(journal.read("new").expect("the page is there"), entry);
    assert!(keys.iter().all(|key| journal.index().state(key).is_some()));
    !keys.is_empty()
}

/// Any line of `readings.jsonl` or `corrections.jsonl`: refused, or written and read back the same.
pub fn correction(line: &str) -> bool {
    let correction = read_back::<Correction>(line);
    if let Some(correction) = &correction {
        let _ = correction.fields();
    }
    let record = read_back::<Record>(line);
    if let Some(record) = &record {
        let _ = report::fen_line(record);
        let _ = report::epd_line(record);
        let _ = report::pgn_game(record);
        let _ = report::csv_row(record);
    }
    correction.is_some() || record.is_some()
}

fn read_back<T: Serialize + DeserializeOwned>(line: &str) -> Option<T> {
    let value: T = serde_json::from_str(line).ok()?;
    let text = serde_json::to_string(&value).expect("it can be written");
    let again: T = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(
        serde_json::to_string(&again).expect("it can be written"),
        text
    );
    Some(value)
}

/// Any text as a manifest of labelled pictures: each line is refused or gives boards that are right or refused.
pub fn manifest(text: &str) -> bool {
    let mut is_whole = true;
    for (line, entry) in manifest::entries(text) {
        assert!(line > 0);
        let Ok(entry) = entry else {
            is_whole = false;
            continue;
        };
        for board in &entry.boards {
            if let Ok(placement) = board.placement() {
                assert_eq!(placement.to_string().parse(), Ok(placement));
            }
            if let Ok(quad) = board.quad() {
                let _ = quad.side();
                let _ = quad.corner_distance(&quad);
            }
        }
    }
    is_whole
}
