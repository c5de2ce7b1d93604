//! Reads mixed pictures many times in one process and watches its memory, threads and open files.
//!
//!     cargo run --release --example soak -- 20000 testdata
//!
//! Takes the number of readings and a folder of pictures; unreadable ones, cut ones and bytes that are no picture are
//! part of the mix. Prints a line each thousand readings. Fails when the peak of the memory is more than a tenth above
//! that at a twentieth of the readings (1,000 of 20,000), or when threads or open files have become more since.

#![expect(clippy::print_stdout, reason = "an example tells its figures")]

use std::error::Error;
use std::fs;

use img2fen::{Limits, Page, Recognizer};

/// What the system says about this process.
#[derive(Debug, Clone, Copy)]
struct Usage {
    /// Highest resident memory so far in KiB.
    peak_kib: u64,
    threads: u64,
    files: u64,
}

impl Usage {
    fn now() -> Result<Self, Box<dyn Error>> {
        let status = fs::read_to_string("/proc/self/status")?;
        let number = |name: &str| -> Result<u64, Box<dyn Error>> {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let word = line.and_then(|line| line.split_whitespace().next());
            Ok(word.ok_or("the system does not tell")?.parse()?)
        };
        Ok(Self {
            peak_kib: number("VmHWM:")?,
            threads: number("Threads:")?,
            files: fs::read_dir("/proc/self/fd")?.count() as u64,
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: soak READINGS FOLDER";
    let readings: u64 = arguments.next().ok_or(usage)?.parse()?;
    let folder = arguments.next().ok_or(usage)?;
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    let mut names: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    names.sort();
    for name in names.iter().filter(|name| name.is_file()) {
        let bytes = fs::read(name)?;
        inputs.push(bytes[..bytes.len() / 2].to_vec());
        inputs.push(bytes);
    }
    let (recognizer, limits) = (Recognizer::new()?, Limits::default());
    let (mut boards, mut refused, mut first) = (0, 0, None);
    for number in 1..=readings {
        let bytes = &inputs[(number % inputs.len() as u64) as usize];
        match Page::from_bytes("page", bytes, &limits).and_then(|page| recognizer.read(&page)) {
            Ok(found) => boards += found.readings.len(),
            Err(_) => refused += 1,
        }
        if number == readings.div_ceil(20) {
            first = Some(Usage::now()?);
        }
        if number.is_multiple_of(1000) || number == readings {
            println!(
                "{number} readings, {boards} boards, {refused} refused: {:?}",
                Usage::now()?
            );
        }
    }
    let (first, last) = (first.ok_or("no reading")?, Usage::now()?);
    if last.peak_kib * 10 > first.peak_kib * 11 {
        return Err(format!(
            "memory grew from {} to {} KiB",
            first.peak_kib, last.peak_kib
        )
        .into());
    }
    if last.threads > first.threads || last.files > first.files {
        return Err(format!("threads or files grew: {first:?}, {last:?}").into());
    }
    println!("flat: {first:?}, then {last:?}");
    Ok(())
}
