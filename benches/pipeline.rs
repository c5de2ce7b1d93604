//! How long each stage takes on one picture: `cargo bench --bench pipeline [-- tract|onnxruntime [PICTURE]]`.
//!
//! Medians of warm runs on one thread. Run it on a machine that does nothing else.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use img2fen::engine::{EngineChoice, EngineOptions};
use img2fen::rectify::{Pyramid, rectify};
use img2fen::{Limits, Page, Recognizer};

const RUNS: usize = 31;

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}

fn main() -> img2fen::Result<()> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let choice = match arguments.first().map(String::as_str) {
        Some("tract") => EngineChoice::Tract,
        Some("onnxruntime") => EngineChoice::OnnxRuntime,
        _ => EngineChoice::Auto,
    };
    let picture = arguments
        .get(1)
        .map_or("testdata/screenshot.png".into(), PathBuf::from);
    let limits = Limits::default();
    let recognizer = Recognizer::builder()
        .engine(EngineOptions {
            choice,
            library: None,
        })
        .build()?;
    let bytes = std::fs::read(&picture).expect("the picture can be read");
    let page = Page::from_bytes("benchmark", &bytes, &limits)?;
    let pyramid = Pyramid::new(&page.picture);
    let boards = recognizer
        .locator()
        .locate(&pyramid, limits.max_boards)?
        .whole;

    println!(
        "{}, {} x {} px, {} boards",
        picture.display(),
        page.picture.width(),
        page.picture.height(),
        boards.len()
    );
    println!("engine {}, median of {RUNS} runs", recognizer.engine());
    let whole = median(|| {
        let page = Page::from_bytes("benchmark", &bytes, &limits).expect("decoded before");
        recognizer.read(&page).expect("read before");
    });
    let row = |name: &str, time: Duration| {
        let share = 100.0 * time.as_secs_f64() / whole.as_secs_f64();
        println!(
            "{name:<36}{:>9.2} ms{share:>7.1} %",
            time.as_secs_f64() * 1000.0
        );
    };
    row(
        "decode",
        median(|| drop(Page::from_bytes("benchmark", &bytes, &limits))),
    );
    row(
        "halve the page",
        median(|| drop(Pyramid::new(&page.picture))),
    );
    row(
        "propose boards",
        median(|| drop(recognizer.locator().proposer.propose(&pyramid))),
    );
    row(
        "propose, refine and judge boards",
        median(|| drop(recognizer.locator().locate(&pyramid, limits.max_boards))),
    );
    let rasters: Vec<_> = boards
        .iter()
        .filter_map(|board| rectify(&pyramid, &board.quad))
        .collect();
    row(
        "rectify the boards",
        median(|| {
            boards
                .iter()
                .for_each(|board| drop(rectify(&pyramid, &board.quad)))
        }),
    );
    let classify = || {
        rasters
            .iter()
            .for_each(|raster| drop(recognizer.classifier().logits(raster)))
    };
    row("classify the squares, once a board", median(classify));
    row("everything", whole);
    Ok(())
}
