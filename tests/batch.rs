//! `batch` and `export` as a user runs them: what is written, resumed, interrupted and refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use img2fen::render::{BoardStyle, RenderOptions, picture};

const POSITIONS: [&str; 4] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1",
    "2kr3r/ppp2ppp/2n5/2b1P3/2B3b1/2N2N2/PPP2PPP/R1B1K2R",
];

/// A folder with a picture for each position, in a margin as on a page.
fn pages(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for number in 0..count {
        let options = RenderOptions {
            square_px: 44,
            style: BoardStyle::Print,
            ..RenderOptions::default()
        };
        let board = picture(
            &POSITIONS[number % POSITIONS.len()].parse().unwrap(),
            &options,
        )
        .unwrap();
        // No two files are alike: a page number of dots.
        let mut page = image::RgbImage::from_pixel(520, 560, image::Rgb([250, 250, 250]));
        image::imageops::replace(&mut page, &board, 60, 80);
        for dot in 0..=number as u32 {
            page.put_pixel(10 + 2 * dot, 10, image::Rgb([0, 0, 0]));
        }
        page.save(folder.path().join(format!("in/page{}.png", number + 1)))
            .unwrap();
    }
    folder
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_img2fen"));
    command.current_dir(folder).args(words);
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const DOCUMENTS: [&str; 7] = [
    "readings.jsonl",
    "positions.fen",
    "positions.epd",
    "positions.pgn",
    "positions.csv",
    "report.html",
    "summary.json",
];
const ALL: &str = "jsonl,fen,epd,pgn,csv,html";

fn documents(folder: &Path) -> Vec<Vec<u8>> {
    DOCUMENTS
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect()
}

#[test]
fn a_folder_gives_its_positions_in_the_order_of_the_names_and_numbers_that_add_up() {
    let folder = pages(11);
    image::RgbImage::from_pixel(400, 400, image::Rgb([255, 255, 255]))
        .save(folder.path().join("in/empty.png"))
        .unwrap();
    fs::write(
        folder.path().join("in/torn.png"),
        b"\x89PNG\r\n\x1a\nnothing",
    )
    .unwrap();
    let output = run(
        folder.path(),
        &["batch", "in", "missing.png", "-o", "out", "--write", ALL],
    );
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let fens = text(folder.path(), "out/positions.fen");
    let placements: Vec<&str> = fens
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    let expected: Vec<&str> = (0..11)
        .map(|number| POSITIONS[number % POSITIONS.len()])
        .collect();
    assert_eq!(placements, expected);
    let summary: serde_json::Value =
        serde_json::from_str(&text(folder.path(), "out/summary.json")).unwrap();
    assert_eq!(
        summary["pages"],
        serde_json::json!({ "done": 11, "no_board": 1, "failed": 1, "total": 13 })
    );
    assert_eq!(
        summary["inputs"],
        serde_json::json!({ "done": 11, "no_board": 1, "failed": 2, "total": 14 })
    );
    let kinds: Vec<String> = text(folder.path(), "out/readings.jsonl")
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["type"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "reading").count(), 11);
    assert_eq!(kinds.last().map(String::as_str), Some("error"));
    assert_eq!(text(folder.path(), "out/positions.epd").lines().count(), 11);
    assert_eq!(
        text(folder.path(), "out/positions.pgn")
            .matches("[SetUp \"1\"]")
            .count(),
        11
    );
}

#[test]
fn documents_do_not_depend_on_the_number_of_threads() {
    let folder = pages(6);
    for (jobs, out) in [("1", "one"), ("5", "five")] {
        let output = run(
            folder.path(),
            &["batch", "in", "-o", out, "-j", jobs, "--write", ALL],
        );
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    assert!(documents(&folder.path().join("one")) == documents(&folder.path().join("five")));
}

/// Keys of the pages that a journal holds whole.
fn finished(folder: &Path) -> BTreeSet<String> {
    let text = fs::read(folder.join("journal.jsonl")).unwrap_or_default();
    text.split_inclusive(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok())
        .map(|entry| entry["key"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_run_killed_at_20_random_moments_loses_no_page_and_ends_with_the_same_documents() {
    const KILLS: usize = 20;
    let folder = pages(12);
    let words = |out| {
        [
            "batch", "in", "-o", out, "-j", "2", "--write", ALL, "--engine", "tract",
        ]
    };
    let started = Instant::now();
    run(folder.path(), &words("whole"));
    let undisturbed = started.elapsed();
    // From the start of the program to the writing of its documents; a run starts over when one ends unharmed.
    let seed = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap()
        .as_nanos() as u64;
    println!("seed {seed}");
    let mut random = seed | 1;
    let (mut kills, mut kills_within_the_pages) = (0, 0);
    let killed = folder.path().join("killed");
    while kills < KILLS {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let delay = undisturbed.mul_f64((random >> 40) as f64 / (1u64 << 24) as f64);
        let before = finished(&killed);
        let mut child = command(folder.path(), &words("killed"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(delay);
        if child.try_wait().unwrap().is_some() {
            assert!(documents(&folder.path().join("whole")) == documents(&killed));
            fs::remove_dir_all(&killed).unwrap();
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        let after = finished(&killed);
        assert!(after.is_superset(&before), "a finished page is gone");
        kills_within_the_pages += usize::from(after.len() < 12);
    }
    assert!(
        kills_within_the_pages >= KILLS / 2,
        "{kills_within_the_pages}"
    );
    let output = run(folder.path(), &words("killed"));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(documents(&folder.path().join("whole")) == documents(&killed));
    assert_eq!(finished(&killed).len(), 12);
}

#[test]
fn a_second_batch_into_the_same_folder_is_refused_and_the_first_is_not_disturbed() {
    let folder = pages(6);
    let mut first = command(folder.path(), &["batch", "in", "-o", "out", "-j", "1"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.path().join("out/journal.jsonl");
    while !journal.exists() {
        assert!(
            first.try_wait().unwrap().is_none(),
            "the first batch ended too early"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    let second = run(folder.path(), &["batch", "in", "-o", "out"]);
    assert_eq!(second.status.code(), Some(4), "{}", said(&second));
    assert!(
        said(&second).contains("another img2fen is writing to out"),
        "{}",
        said(&second)
    );
    assert_eq!(first.wait().unwrap().code(), Some(0));
    assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 6);
}

#[test]
fn inputs_just_over_a_limit_fail_with_its_value_and_flag_and_just_under_are_read() {
    let folder = pages(1);
    let size = fs::metadata(folder.path().join("in/page1.png"))
        .unwrap()
        .len();
    fs::write(folder.path().join("two.pdf"), two_pages()).unwrap();
    let pdf_size = two_pages().len();
    let run_with = |input: &str, flag: &str, value: u64| {
        let out = format!("out{flag}{value}");
        run(
            folder.path(),
            &[
                "batch",
                input,
                "-o",
                &out,
                flag,
                &value.to_string(),
                "--engine",
                "tract",
            ],
        )
    };
    for (input, flag, enough, read_code) in [
        ("in", "--max-file-size", size, 0),
        ("in", "--max-side", 560, 0),
        ("in", "--max-pixels", 520 * 560, 0),
        ("in", "--max-alloc", 520 * 560 * 3, 0),
        ("two.pdf", "--max-pdf-size", pdf_size as u64, 1),
        ("two.pdf", "--max-pages", 2, 1),
    ] {
        let output = run_with(input, flag, enough);
        assert_eq!(
            output.status.code(),
            Some(read_code),
            "{flag} {enough}: {}",
            said(&output)
        );
        let output = run_with(input, flag, enough - 1);
        assert_eq!(
            output.status.code(),
            Some(3),
            "{flag} {}: {}",
            enough - 1,
            said(&output)
        );
        assert!(
            said(&output).contains(&format!("the limit is {}", enough - 1)),
            "{}",
            said(&output)
        );
        assert!(
            said(&output).contains(&format!("`{flag}`")),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn boards_beyond_the_limit_are_left_out_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/printed-page.png");
    fs::copy(page, folder.path().join("page.png")).unwrap();
    for (most, code, boards) in [("4", 0, 4), ("3", 1, 3)] {
        let words = [
            "batch",
            "page.png",
            "-o",
            "out",
            "--max-boards",
            most,
            "--engine",
            "tract",
        ];
        let output = run(folder.path(), &words);
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert_eq!(
            text(folder.path(), "out/positions.fen").lines().count(),
            boards
        );
        assert_eq!(
            said(&output).contains("1 left out"),
            boards == 3,
            "{}",
            said(&output)
        );
        let single = run(
            folder.path(),
            &["page.png", "--max-boards", most, "--engine", "tract"],
        );
        assert_eq!(single.status.code(), Some(code), "{}", said(&single));
        assert_eq!(
            said(&single).contains("1 left out"),
            boards == 3,
            "{}",
            said(&single)
        );
    }
}

/// Runs a script as root of its own mounts; `None` where the system does not allow it.
#[cfg(target_os = "linux")]
fn with_own_mounts(folder: &Path, script: &str) -> Option<Output> {
    let unshare = |script: &str| {
        Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-ec", script])
            .env("IMG2FEN", env!("CARGO_BIN_EXE_img2fen"))
            .current_dir(folder)
            .output()
    };
    fs::create_dir_all(folder.join("out")).unwrap();
    match unshare("mount -t tmpfs none out") {
        Ok(output) if output.status.success() => Some(unshare(script).unwrap()),
        _ => {
            println!("not tested: this system does not allow own mounts");
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_refused_before_any_work() {
    let folder = pages(1);
    // Also one that was writable before: its lock and its journal are there.
    for prepare in ["", "touch out/.lock out/journal.jsonl;"] {
        let script = format!(
            "mount -t tmpfs none out; {prepare} mount -o remount,ro out; exec $IMG2FEN batch in -o out -v"
        );
        let Some(output) = with_own_mounts(folder.path(), &script) else {
            return;
        };
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        assert!(
            said(&output).contains("the output cannot be used: cannot write to the folder out"),
            "{}",
            said(&output)
        );
        // The engine is started later.
        assert!(!said(&output).contains("engine:"), "{}", said(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_found_before_any_work() {
    let folder = pages(1);
    let script = "mount -t tmpfs -o size=64k none out; head -c 60k /dev/zero > out/other; exec $IMG2FEN batch in -o out -v";
    let Some(output) = with_own_mounts(folder.path(), script) else {
        return;
    };
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(
        said(&output).contains("No space left on device"),
        "{}",
        said(&output)
    );
    assert!(!said(&output).contains("engine:"), "{}", said(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_loses_nothing_that_was_finished() {
    let folder = pages(8);
    run(
        folder.path(),
        &["batch", "in", "-o", "whole", "-j", "1", "--write", ALL],
    );
    // Room for the journal of some pages; then for all of them but not for the documents; then for everything.
    let journal = fs::metadata(folder.path().join("whole/journal.jsonl"))
        .unwrap()
        .len();
    let sizes = [(journal / 2).max(100_000), journal + 150_000, 40_000_000];
    let script = format!(
        "run() {{ code=0; $IMG2FEN batch in -o out -j 1 --write {ALL} || code=$?; echo $code $(wc -l < out/journal.jsonl); }}
         mount -t tmpfs -o size={} none out; run
         mount -o remount,size={} out; run; ls out
         mount -o remount,size={} out; run
         mkdir kept; cp out/* kept",
        sizes[0], sizes[1], sizes[2]
    );
    let Some(output) = with_own_mounts(folder.path(), &script) else {
        return;
    };
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = told.lines().collect();
    let codes: Vec<(&str, usize)> = lines
        .iter()
        .filter_map(|line| line.split_once(' '))
        .map(|(code, pages)| (code, pages.parse().unwrap()))
        .collect();
    let said = said(&output);
    assert_eq!(
        [codes[0].0, codes[1].0, codes[2].0],
        ["4", "4", "0"],
        "{told}{said}"
    );
    assert!(0 < codes[0].1 && codes[0].1 < 8, "{told}{said}");
    assert_eq!([codes[1].1, codes[2].1], [8, 8], "{told}{said}");
    // No half document, and nothing that was begun, stays.
    assert!(
        !told.contains("report.html") && !told.contains("unfinished"),
        "{told}{said}"
    );
    assert_eq!(said.matches("No space left on device").count(), 2, "{said}");
    assert!(documents(&folder.path().join("whole")) == documents(&folder.path().join("kept")));
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_leaves_the_machine() {
    let folder = pages(1);
    fs::write(folder.path().join("in/two.pdf"), two_pages()).unwrap();
    let script = "exec $IMG2FEN batch in -o out";
    let output = Command::new("unshare")
        .args(["--map-root-user", "--net", "sh", "-ec", script])
        .env("IMG2FEN", env!("CARGO_BIN_EXE_img2fen"))
        .current_dir(folder.path())
        .output();
    match output {
        // Pages without a board: two.
        Ok(output) if !said(&output).starts_with("unshare:") => {
            assert_eq!(output.status.code(), Some(1), "{}", said(&output));
            assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 1);
        }
        _ => println!("not tested: this system does not allow an own network"),
    }
}

#[test]
fn a_second_run_reads_nothing_again_and_a_changed_file_is_read() {
    let folder = pages(3);
    run(folder.path(), &["batch", "in", "-o", "out"]);
    let plan = run(folder.path(), &["batch", "in", "-o", "out", "--dry-run"]);
    let finished = |plan: &Output| {
        String::from_utf8_lossy(&plan.stdout)
            .matches("finished\t")
            .count()
    };
    assert_eq!(finished(&plan), 3);
    fs::copy(
        folder.path().join("in/page2.png"),
        folder.path().join("in/page1.png"),
    )
    .unwrap();
    assert_eq!(
        finished(&run(
            folder.path(),
            &["batch", "in", "-o", "out", "--dry-run"]
        )),
        2
    );
    assert_eq!(
        finished(&run(
            folder.path(),
            &["batch", "in", "-o", "out", "--dry-run", "-b"]
        )),
        0
    );
    assert_eq!(
        finished(&run(
            folder.path(),
            &["batch", "in", "-o", "out", "--dry-run", "--no-resume"]
        )),
        0
    );
}

#[test]
fn pages_that_failed_are_read_again_only_when_asked() {
    let folder = pages(1);
    fs::write(
        folder.path().join("in/torn.png"),
        b"\x89PNG\r\n\x1a\nnothing",
    )
    .unwrap();
    run(folder.path(), &["batch", "in", "-o", "out"]);
    let open = |words: &[&str]| {
        let plan = run(
            folder.path(),
            &[&["batch", "in", "-o", "out", "--dry-run"], words].concat(),
        );
        String::from_utf8_lossy(&plan.stdout)
            .lines()
            .filter(|line| line.starts_with("read\t"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(open(&[]), Vec::<String>::new());
    assert_eq!(open(&["--retry-failed"]), ["read\tin/torn.png"]);
}

#[test]
fn the_side_to_move_comes_from_the_user_or_the_rule_of_the_book() {
    let folder = pages(2);
    let turns = |words: &[&str]| {
        run(
            folder.path(),
            &[&["batch", "in", "-o", "out"], words].concat(),
        );
        let fens = text(folder.path(), "out/positions.fen");
        fens.lines()
            .map(|fen| fen.split(' ').nth(1).unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(turns(&[]), ["w", "w"]);
    assert_eq!(turns(&["-b"]), ["b", "b"]);
    assert_eq!(turns(&["--turn-rule", "odd=b,even=w"]), ["b", "w"]);
    let line = text(folder.path(), "out/readings.jsonl");
    assert!(
        line.contains("\"turn\":{\"value\":\"b\",\"provenance\":\"given\"}"),
        "{line}"
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_any_work() {
    let folder = pages(1);
    fs::write(folder.path().join("out"), "a file").unwrap();
    let output = run(folder.path(), &["batch", "in", "-o", "out"]);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(
        said(&output).contains("the output cannot be used"),
        "{}",
        said(&output)
    );
}

/// A PDF of one page with this content.
fn pdf(content: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources << /Font << /F << /Type /Font \
         /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
    ];
    let mut bytes = b"%PDF-1.4\n".to_vec();
    for (index, object) in objects.iter().enumerate() {
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).bytes());
    }
    bytes.extend(b"trailer << /Size 5 /Root 1 0 R >>\n%%EOF");
    bytes
}

/// A PDF of two empty pages.
fn two_pages() -> Vec<u8> {
    let second = "5 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>\nendobj\ntrailer";
    String::from_utf8(pdf(""))
        .unwrap()
        .replace("/Kids [3 0 R] /Count 1", "/Kids [3 0 R 5 0 R] /Count 2")
        .replace("trailer", second)
        .into_bytes()
}

#[test]
fn a_pdf_that_takes_too_long_is_a_failed_page_and_the_run_goes_on() {
    let folder = pages(1);
    // Millions of strokes: within any memory, but not within a second.
    let strokes = "0 0 m 400 400 l S 400 0 m 0 400 l S\n".repeat(1_500_000);
    fs::write(folder.path().join("slow.pdf"), pdf(&strokes)).unwrap();
    fs::write(folder.path().join("none.pdf"), b"%PDF-1.4\nnothing").unwrap();
    // The picture is read first, so that the short time holds for the PDFs alone.
    let output = run(folder.path(), &["batch", "in", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = run(
        folder.path(),
        &[
            "batch",
            "slow.pdf",
            "none.pdf",
            "in",
            "-o",
            "out",
            "--timeout",
            "1",
        ],
    );
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(
        said(&output).contains("longer than the limit of 1 s"),
        "{}",
        said(&output)
    );
    let summary: serde_json::Value =
        serde_json::from_str(&text(folder.path(), "out/summary.json")).unwrap();
    assert_eq!(
        summary["inputs"],
        serde_json::json!({ "done": 1, "no_board": 0, "failed": 2, "total": 3 })
    );
    assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 1);
}

#[test]
fn export_applies_corrections_and_leaves_out_what_is_no_board() {
    let folder = pages(3);
    run(folder.path(), &["batch", "in", "-o", "out"]);
    let readings = text(folder.path(), "out/readings.jsonl");
    let source = |index: usize| {
        let line = readings.lines().nth(index).unwrap();
        serde_json::from_str::<serde_json::Value>(line).unwrap()["source"].clone()
    };
    let correction = |index: usize, placement: &str, left_out: bool| {
        serde_json::json!({
            "type": "correction", "source": source(index), "placement": placement, "below": "white", "turn": "b",
            "castling": "-", "castling_inferred": false, "en_passant": "-", "halfmove": "0", "fullmove": "1",
            "left_out": left_out, "settled": [],
        })
        .to_string()
    };
    let lines = [
        correction(0, "4k3/8/8/8/8/8/8/4K3", false),
        correction(1, POSITIONS[1], true),
    ];
    fs::write(
        folder.path().join("out/corrections.jsonl"),
        lines.join("\n"),
    )
    .unwrap();
    let output = run(folder.path(), &["export", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let fens = text(folder.path(), "out/corrected/positions.fen");
    let fens: Vec<&str> = fens.lines().collect();
    assert_eq!(fens[0], "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(fens.len(), 2);
    assert!(fens[1].starts_with(POSITIONS[2]));
    assert!(text(folder.path(), "out/positions.fen").starts_with(POSITIONS[0]));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130_and_the_same_command_goes_on() {
    let folder = pages(8);
    let mut child = command(folder.path(), &["batch", "in", "-o", "out", "-j", "1"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Wait until the first page is in the journal, then interrupt.
    let journal = folder.path().join("out/journal.jsonl");
    while fs::metadata(&journal).map_or(0, |metadata| metadata.len()) == 0 {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the run ended before it was interrupted"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!folder.path().join("out/positions.fen").exists());
    let output = run(folder.path(), &["batch", "in", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 8);
}
