//! The seeds of the fuzz targets, damaged thousands of times in the same way at each run: what a fuzzer finds in its
//! first seconds is found here, without one.

use std::fs;
use std::path::Path;

#[path = "../fuzz/pages/targets.rs"]
mod targets;

/// A source of numbers, the same at each run (Knuth's constants for 64 bits).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// Numbers at which arithmetic turns.
const EDGES: [u8; 6] = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

/// Changes a few places: a bit, a byte, a run of bytes, or a part that is cut out, doubled or cut off.
fn damaged(seed: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=numbers.below(4) {
        if bytes.is_empty() {
            break;
        }
        let place = numbers.below(bytes.len());
        let end = (place + 1 + numbers.below(8)).min(bytes.len());
        match numbers.below(6) {
            0 => bytes[place] ^= 1 << numbers.below(8),
            1 => bytes[place] = EDGES[numbers.below(EDGES.len())],
            2 => bytes[place..end].fill(EDGES[numbers.below(EDGES.len())]),
            3 => drop(bytes.drain(place..end)),
            4 => {
                let part = bytes[place..end].to_vec();
                bytes.splice(place..place, part);
            }
            _ => bytes.truncate(place.max(bytes.len() / 2)),
        }
    }
    bytes
}

/// The seeds of a target, in the order of their names.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/pages/seeds")
        .join(target);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Gives each seed of a target and `count` damaged copies of it to the target; how many of the copies it could read.
fn replay(target: &str, count: usize, run: impl Fn(&[u8]) -> bool) -> usize {
    let mut numbers = Numbers(1);
    let mut read = 0;
    for seed in seeds(target) {
        assert!(run(&seed));
        for _ in 0..count {
            read += usize::from(run(&damaged(&seed, &mut numbers)));
        }
    }
    read
}

#[test]
fn no_damage_to_a_picture_leads_to_a_panic_or_past_the_limits() {
    let read = replay("picture", 300, targets::picture);
    assert!(read > 1000, "the damage leaves too few pictures: {read}");
}

#[test]
fn no_damage_to_a_pdf_leads_to_a_panic() {
    let drawn = replay("pdf", 150, targets::pdf);
    assert!(drawn > 100, "the damage leaves too few pages: {drawn}");
}

#[test]
fn no_damage_to_a_journal_loses_what_is_whole_or_what_comes_after() {
    let read = replay("journal", 300, targets::journal);
    assert!(read > 100, "the damage leaves too few pages: {read}");
}

#[test]
fn no_damage_to_a_correction_leads_to_a_panic() {
    let read = replay("correction", 1000, |bytes| {
        targets::correction(&String::from_utf8_lossy(bytes))
    });
    assert!(read > 10, "the damage leaves too few lines: {read}");
}

#[test]
fn no_damage_to_a_manifest_leads_to_a_panic() {
    let read = replay("manifest", 1000, |bytes| {
        targets::manifest(&String::from_utf8_lossy(bytes))
    });
    assert!(read > 100, "the damage leaves too few manifests: {read}");
}

#[test]
fn any_four_corners_give_a_board_or_nothing() {
    const COORDINATES: [f32; 12] = [
        0.0,
        -0.0,
        0.5,
        7.0,
        50.0,
        99.0,
        -1e3,
        1e-30,
        1e9,
        -1e30,
        f32::INFINITY,
        f32::NAN,
    ];
    let mut numbers = Numbers(3);
    let mut boards = 0;
    for _ in 0..3000 {
        let mut coordinate = || COORDINATES[numbers.below(COORDINATES.len())];
        let corners = [(); 4].map(|()| [coordinate(), coordinate()]);
        boards += usize::from(targets::quad((60, 40), corners));
    }
    assert!(boards > 10, "too few of the quads are convex: {boards}");
}
