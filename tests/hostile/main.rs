//! Files made to harm, and odd ones that do not: each gives a reading or a clear error, within limits of time and
//! memory that the system enforces, and takes nothing away from the files beside it.
#![cfg(target_os = "linux")]

mod pdfs;
mod pictures;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Processor time of a process in seconds.
const MAX_SECONDS: u32 = 2;
/// Memory of a process: 600 MB in KiB.
const MAX_KIB: u32 = 600_000_000 / 1024;
/// By the clock, on a machine that is busy with other tests.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// A file of the set.
#[derive(Debug)]
pub struct Made {
    name: String,
    bytes: Vec<u8>,
}

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

fn board() -> image::DynamicImage {
    image::open(testdata("screenshot.png")).unwrap()
}

fn jpeg_with_exif() -> Vec<u8> {
    fs::read(testdata("turned-by-exif.jpg")).unwrap()
}

/// Runs the program under limits of the system. A process that needs more memory aborts, one that needs more time is
/// killed; either shows in its exit status.
///
/// One runs at a time: processes that share a processor's units count half as much time again.
fn run_limited(folder: &Path, words: &[&str]) -> Output {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -t {MAX_SECONDS}; ulimit -d {MAX_KIB}; exec \"$@\""
        ))
        .args(["sh", env!("CARGO_BIN_EXE_img2fen")])
        .args(words)
        .args(["--engine", "tract"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > MAX_WAIT {
            child.kill().unwrap();
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// What is wrong with how a run over one file ended; `None` when nothing is.
fn fault(name: &str, output: &Output) -> Option<String> {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_clear = match output.status.code() {
        Some(0 | 1) => true,
        Some(3) => said.contains(&format!("error: {name}")) && said.contains("hint: "),
        _ => false,
    };
    (!is_clear || said.contains("panicked")).then(|| format!("{name}: {}: {said}", output.status))
}

/// Runs the program over each file by itself.
fn faults(files: &[Made], run: impl Fn(&Path, &str) -> Output) -> Vec<String> {
    let outcomes = files.iter().filter_map(|file| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(&file.name), &file.bytes).unwrap();
        fault(&file.name, &run(folder.path(), &file.name))
    });
    outcomes.collect()
}

fn assert_no_faults(files: &[Made], run: impl Fn(&Path, &str) -> Output) {
    let faults = faults(files, run);
    assert!(
        faults.is_empty(),
        "{} of {}:\n{}",
        faults.len(),
        files.len(),
        faults.join("\n")
    );
}

#[test]
fn every_hostile_picture_gives_a_reading_or_a_clear_error_within_2_seconds_and_600_megabytes() {
    let files = pictures::all(&board(), &jpeg_with_exif());
    assert!(files.len() >= 60, "{}", files.len());
    assert_no_faults(&files, |folder, name| run_limited(folder, &[name]));
}

#[test]
fn every_hostile_pdf_gives_a_reading_or_a_clear_error_within_2_seconds_and_600_megabytes() {
    assert_no_faults(&pdfs::all(), |folder, name| {
        let words = format!("batch {name} -o out -j 1 --timeout 1 --pdf-memory 400");
        run_limited(folder, &words.split(' ').collect::<Vec<_>>())
    });
}

/// The lines about boards in a folder's `readings.jsonl`, by the name of the file they are about.
fn boards(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut boards: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in fs::read_to_string(folder.join("readings.jsonl"))
        .unwrap()
        .lines()
    {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        if value["type"] == "reading" {
            let name = value["source"]["path"].as_str().unwrap().to_owned();
            boards.entry(name).or_default().push(line.to_owned());
        }
    }
    boards
}

#[test]
fn a_batch_over_all_hostile_files_reads_every_good_file_and_counts_all() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    let write =
        |name: &str, bytes: &[u8]| fs::write(folder.path().join("in").join(name), bytes).unwrap();
    let good = [
        "screenshot.png",
        "photo.jpg",
        "turned-by-exif.jpg",
        "black-below.png",
        "printed-page.png",
    ];
    let run = |out: &str| {
        Command::new(env!("CARGO_BIN_EXE_img2fen"))
            .args([
                "batch",
                "in",
                "-o",
                out,
                "--timeout",
                "30",
                "--write",
                "jsonl",
                "--engine",
                "tract",
            ])
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    for name in good {
        write(name, &fs::read(testdata(name)).unwrap());
    }
    let output = run("good");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let expected = boards(&folder.path().join("good"));
    assert_eq!(expected.len(), good.len());

    let mut all = pictures::all(&board(), &jpeg_with_exif());
    all.extend(pictures::truncations(&board(), &jpeg_with_exif()));
    all.extend(pdfs::all());
    let names: std::collections::BTreeSet<&str> =
        all.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "two files have the same name");
    for file in &all {
        write(&file.name, &file.bytes);
    }
    let output = run("all");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    let read = boards(&folder.path().join("all"));
    for (name, lines) in &expected {
        assert_eq!(read.get(name), Some(lines), "{name}");
    }
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("all/summary.json")).unwrap())
            .unwrap();
    // Endings that a folder is not searched for are left out.
    let taken = |name: &str| {
        ![".svg", ".heic", ".avif", ".ico", ".pam"]
            .iter()
            .any(|ending| name.ends_with(ending))
    };
    let total = good.len() + all.iter().filter(|file| taken(&file.name)).count();
    assert_eq!(summary["inputs"]["total"], total);
}
