//! How long a million FENs take to be read and checked on one core: `cargo bench --bench check`.
//!
//! Half of them are positions of random games, half are the same with one to four things wrong.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use img2fen::check::check_text;

const COUNT: usize = 1_000_000;

fn main() {
    let sample = include_str!("../tests/python_chess/sample.tsv");
    let texts: Vec<&str> = sample
        .lines()
        .flat_map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            [columns[3], columns[7]]
        })
        .collect();
    let start = Instant::now();
    let mut wrong = 0;
    for text in texts.iter().cycle().take(COUNT) {
        wrong += usize::from(!check_text(text, None).is_sound());
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{COUNT} FENs checked in {seconds:.2} s, {wrong} of them wrong");
}
