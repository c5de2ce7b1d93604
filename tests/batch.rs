//! `batch` and `export` as a user runs them: what is written, resumed, interrupted and refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

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

#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_documents() {
    let folder = pages(8);
    run(
        folder.path(),
        &["batch", "in", "-o", "whole", "--write", ALL],
    );
    for delay in [30, 200, 500, 900] {
        let mut child = command(
            folder.path(),
            &["batch", "in", "-o", "killed", "--write", ALL],
        )
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run(
        folder.path(),
        &["batch", "in", "-o", "killed", "--write", ALL],
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(documents(&folder.path().join("whole")) == documents(&folder.path().join("killed")));
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

#[test]
fn a_pdf_that_takes_too_long_is_a_failed_page_and_the_run_goes_on() {
    let folder = pages(1);
    // Millions of strokes: within any memory, but not within a second.
    let strokes = "0 0 m 400 400 l S 400 0 m 0 400 l S\n".repeat(1_500_000);
    fs::write(folder.path().join("slow.pdf"), pdf(&strokes)).unwrap();
    fs::write(folder.path().join("none.pdf"), b"%PDF-1.4\nnothing").unwrap();
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
