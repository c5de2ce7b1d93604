//! `batch` and `export` as a user runs them: what is written, resumed, interrupted and refused.

#![allow(
    clippy::print_stdout,
    reason = "a test says what it could not try, and the seed to repeat it with"
)]

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

/// Runs a batch over the folder `in`.
fn batch(folder: &Path, more: &[&str]) -> Output {
    run(folder, &[&["batch", "in", "-o", "out"], more].concat())
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

#[cfg(unix)]
fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
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

/// The lines that a batch says, but those about speed.
fn closing_words(output: &Output) -> Vec<String> {
    let said = said(output);
    let lines = said.lines().filter(|line| !line.contains(" a second"));
    lines.map(str::to_owned).collect()
}

/// Adds a picture without a board, and a damaged one.
fn add_bad_pictures(folder: &Path, blank: &str, torn: &str) {
    image::RgbImage::from_pixel(400, 400, image::Rgb([255, 255, 255]))
        .save(folder.join(blank))
        .unwrap();
    fs::write(folder.join(torn), b"\x89PNG\r\n\x1a\nnothing").unwrap();
}

#[test]
fn the_last_words_name_what_failed_what_has_no_board_what_is_doubtful_and_where_the_report_is() {
    let folder = pages(2);
    add_bad_pictures(folder.path(), "in/empty.png", "in/torn.png");
    fs::write(folder.path().join("blank.pdf"), two_pages()).unwrap();
    let words = [
        "batch",
        "in",
        "blank.pdf",
        "-o",
        "out",
        "--min-confidence",
        "1",
    ];
    let first = run(folder.path(), &words);
    assert_eq!(first.status.code(), Some(3), "{}", said(&first));
    let expected = [
        "5 inputs: 2 with boards, 2 without a board, 1 failed",
        "6 pages: 2 with boards, 3 without a board, 1 failed",
        "2 boards, 2 doubtful",
        "side to move assumed: 2 boards; say it with `-w`, `-b` or `--turn-rule`, see `img2fen batch --help`",
        "failed:",
        "  in/torn.png: is damaged or cut short; copy or save the picture again",
        "without a board:",
        "  in/empty.png: no board found",
        "  blank.pdf: no board found on 2 pages",
        "doubtful:",
        "  in/page1.png",
        "  in/page2.png",
        "report: out/report.html",
        "look it over: `img2fen review out`",
    ];
    let lines = closing_words(&first);
    assert!(lines.ends_with(&expected.map(str::to_owned)), "{lines:#?}");
    // Also when nothing is left to read.
    let again = run(folder.path(), &words);
    assert_eq!(again.status.code(), Some(3), "{}", said(&again));
    let lines = closing_words(&again);
    assert_eq!(lines[0], "finished already: 6 of 6 pages");
    let retry = "1 page failed in an earlier run; `--retry-failed` reads what failed again";
    assert_eq!(lines[1], retry);
    assert_eq!(lines[2..], expected);
}

#[test]
fn the_last_words_and_the_summary_count_the_boards_whose_side_to_move_is_assumed() {
    let folder = pages(3);
    let told = |words: &[&str]| {
        let output = batch(folder.path(), words);
        let lines = closing_words(&output);
        let line = lines.iter().find(|line| line.contains("assumed")).cloned();
        let summary: serde_json::Value =
            serde_json::from_str(&text(folder.path(), "out/summary.json")).unwrap();
        (line, summary["turn_assumed"].as_u64())
    };
    let cure = "say it with `-w`, `-b` or `--turn-rule`, see `img2fen batch --help`";
    let line = format!("side to move assumed: 3 boards; {cure}");
    assert_eq!(told(&[]), (Some(line), Some(3)));
    assert_eq!(told(&["-q"]), (None, Some(3)));
    assert_eq!(told(&["-b"]), (None, Some(0)));
}

#[test]
fn the_last_words_count_what_is_left_to_review_and_name_the_export() {
    let folder = pages(3);
    let words = ["--min-confidence", "1"];
    batch(folder.path(), &words);
    let readings = text(folder.path(), "out/readings.jsonl");
    let correction = |index: usize, more: serde_json::Value| {
        let line = readings.lines().nth(index).unwrap();
        let reading: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut correction = serde_json::json!({
            "type": "correction", "source": reading["source"], "placement": POSITIONS[index], "below": "white",
            "turn": "b", "castling": "-", "castling_inferred": false, "en_passant": "-", "halfmove": "0",
            "fullmove": "1", "left_out": false, "settled": reading["doubtful_squares"],
        });
        for (key, value) in more.as_object().unwrap() {
            correction[key] = value.clone();
        }
        correction.to_string()
    };
    let whole = correction(0, serde_json::json!({}));
    let no_board = correction(1, serde_json::json!({ "left_out": true }));
    let unsettled = correction(2, serde_json::json!({ "settled": [] }));
    let assumed = |boards: &str| {
        format!(
            "side to move assumed: {boards}; say it with `-w`, `-b` or `--turn-rule`, see `img2fen batch --help`"
        )
    };
    let export = "write the documents with the corrections: `img2fen export out`".to_owned();
    for (corrections, counts, doubtful, is_exported) in [
        (
            vec![],
            vec!["3 boards, 3 doubtful".to_owned(), assumed("3 boards")],
            &["page1", "page2", "page3"][..],
            false,
        ),
        (
            vec![&whole],
            vec![
                "3 boards, 1 reviewed by a person, 2 doubtful".to_owned(),
                assumed("2 boards"),
            ],
            &["page2", "page3"],
            true,
        ),
        (
            vec![&whole, &no_board, &unsettled],
            vec!["3 boards, 3 reviewed by a person, 1 doubtful".to_owned()],
            &["page3"],
            true,
        ),
        (
            vec![&whole, &no_board],
            vec![
                "3 boards, 2 reviewed by a person, 1 doubtful".to_owned(),
                assumed("1 board"),
            ],
            &["page3"],
            true,
        ),
    ] {
        let lines: Vec<&str> = corrections.iter().map(|line| line.as_str()).collect();
        let path = folder.path().join("out/corrections.jsonl");
        fs::write(path, lines.join("\n")).unwrap();
        let output = batch(folder.path(), &words);
        let mut expected = vec![
            "finished already: 3 of 3 pages".to_owned(),
            "3 inputs: 3 with boards".to_owned(),
        ];
        expected.extend(counts);
        expected.push("doubtful:".to_owned());
        expected.extend(doubtful.iter().map(|name| format!("  in/{name}.png")));
        expected.push("report: out/report.html".to_owned());
        expected.push("look it over: `img2fen review out`".to_owned());
        expected.extend(is_exported.then(|| export.clone()));
        assert_eq!(closing_words(&output), expected);
        let summary: serde_json::Value =
            serde_json::from_str(&text(folder.path(), "out/summary.json")).unwrap();
        assert_eq!(
            summary["doubtful"], 3,
            "the summary stands for the readings"
        );
    }
    fs::write(folder.path().join("out/corrections.jsonl"), "a note").unwrap();
    let output = batch(folder.path(), &words);
    assert_eq!(output.status.code(), Some(0));
    let lines = closing_words(&output);
    let damaged = "the corrections do not count: out/corrections.jsonl, line 1: is no correction";
    assert_eq!(lines[1], damaged);
    assert_eq!(lines[3], "3 boards, 3 doubtful");
}

#[test]
fn the_last_words_hold_for_one_and_for_a_folder_that_a_shell_would_split() {
    let folder = pages(1);
    let words = ["batch", "in", "-o", "my book's", "--min-confidence", "0"];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(
        closing_words(&output),
        [
            "1 input: 1 with boards",
            "1 board",
            "side to move assumed: 1 board; say it with `-w`, `-b` or `--turn-rule`, see `img2fen batch --help`",
            "report: my book's/report.html",
            "look it over: `img2fen review 'my book'\\''s'`",
        ]
    );
    assert!(
        said(&output).contains("1 board read in "),
        "{}",
        said(&output)
    );
}

#[test]
fn a_quiet_batch_names_whatever_makes_its_exit_code_in_each_run_and_nothing_else() {
    let folder = pages(1);
    let words = ["-q", "--min-confidence", "1"];
    let output = batch(folder.path(), &words);
    assert_eq!(
        (output.status.code(), said(&output).as_str()),
        (Some(0), "")
    );
    add_bad_pictures(folder.path(), "in/empty.png", "in/torn.png");
    let empty = "img2fen: error: in/empty.png: no board found\n";
    let torn = "img2fen: error: in/torn.png: is damaged or cut short";
    for hint in ["\nhint: ", "; "] {
        let output = batch(folder.path(), &words);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        assert_eq!(
            said(&output),
            format!("{torn}{hint}copy or save the picture again\n{empty}")
        );
    }
    fs::remove_file(folder.path().join("in/torn.png")).unwrap();
    let output = batch(folder.path(), &words);
    assert_eq!(
        (output.status.code(), said(&output).as_str()),
        (Some(1), empty)
    );
}

#[test]
fn pages_that_a_document_does_not_have_are_told_by_its_name() {
    let folder = pages(1);
    fs::write(folder.path().join("two.pdf"), two_pages()).unwrap();
    fs::write(folder.path().join("one.pdf"), pdf("")).unwrap();
    for (pages, code, expected) in [
        (
            "99990",
            2,
            [
                "img2fen: error: two.pdf: has 2 pages; `--pages 99990` asks for none of them\n",
                "img2fen: error: one.pdf: has 1 page; `--pages 99990` asks for none of them\n",
                "img2fen: error: there is no page to read, so nothing was written\n",
            ],
        ),
        (
            "2-",
            3,
            [
                "img2fen: error: one.pdf: has 1 page; `--pages 2-` asks for none of them\n",
                "2 inputs: 1 without a board, 1 failed\n",
                "1 page: 1 without a board\n",
            ],
        ),
        (
            "1-2",
            1,
            [
                "one.pdf: has 1 page; `--pages 1-2` asks for more\n",
                "2 inputs: 2 without a board\n",
                "3 pages: 3 without a board\n",
            ],
        ),
    ] {
        let words = ["batch", "two.pdf", "one.pdf", "-o", "out", "--pages", pages];
        let output = run(folder.path(), &words);
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        for line in expected {
            assert!(said(&output).contains(line), "{line}: {}", said(&output));
        }
    }
}

#[test]
fn inputs_that_stand_for_no_file_are_named_and_the_others_are_read() {
    let folder = pages(1);
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (input, reason, hint) in [
        (
            "in/*.gif",
            "the pattern matches no file",
            "check the folder",
        ),
        (
            "empty",
            "there are no pictures, PDF or DjVu files in this folder",
            "`--recursive` looks",
        ),
    ] {
        // Nothing to read at all is wrong usage, and nothing is written.
        let output = run(folder.path(), &["batch", input, "-o", "none"]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        let line = format!("img2fen: error: {input}: {reason}\nhint: {hint}");
        assert!(said(&output).starts_with(&line), "{}", said(&output));
        assert_eq!(said(&output).lines().count(), 2, "{}", said(&output));
        assert!(!folder.path().join("none").exists());

        let output = run(folder.path(), &["batch", input, "in", "-o", "out"]);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        assert!(said(&output).starts_with(&line), "{}", said(&output));
        assert!(
            said(&output).contains("\n2 inputs: 1 with boards, 1 failed\n"),
            "{}",
            said(&output)
        );
        assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 1);
    }
}

#[test]
fn why_finished_pages_are_read_again_is_said() {
    let folder = pages(2);
    let reason = |words: &[&str]| {
        let output = batch(folder.path(), words);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let said = said(&output);
        let mut lines = said.lines().filter(|line| line.contains("read again"));
        lines.next().map(str::to_owned)
    };
    assert_eq!(reason(&[]), None);
    assert_eq!(reason(&[]), None);
    // A rule for the side to move is applied afterwards: nothing is read again.
    assert_eq!(reason(&["--turn-rule", "odd=b"]), None);
    for (words, expected) in [
        (&["-w"][..], "the side to move is white, was auto"),
        (
            &["--view", "white"],
            "the side to move is auto, was white; `--view` is white, was auto",
        ),
        (
            &["--dpi", "150"],
            "`--view` is auto, was white; `--dpi` is 150, was 200",
        ),
    ] {
        let expected = format!("2 finished pages are read again: {expected}");
        let plan = [words, &["--dry-run"]].concat();
        assert_eq!(reason(&plan), Some(expected.clone()));
        assert_eq!(reason(words), Some(expected));
    }
    // What was read with these options before is still there.
    assert_eq!(reason(&["-w"]), None);
}

#[test]
fn a_pdf_without_pages_is_a_failed_input_with_its_name_and_the_cause() {
    let folder = pages(1);
    let whole = String::from_utf8(two_pages()).unwrap();
    for kids in ["[]", "[2 0 R]", "[9 0 R]"] {
        let bytes = whole.replace("[3 0 R 5 0 R]", kids);
        fs::write(folder.path().join("none.pdf"), bytes).unwrap();
        let output = run(folder.path(), &["batch", "none.pdf", "in", "-o", "out"]);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        let line = "img2fen: error: none.pdf: has no pages: the list of pages is empty, damaged or runs in a circle\n";
        assert!(said(&output).contains(line), "{kids}: {}", said(&output));
        assert!(
            said(&output).contains("2 inputs: 1 with boards, 1 failed\n"),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn readings_converted_are_the_documents_that_the_batch_wrote() {
    let folder = pages(4);
    let output = batch(folder.path(), &["--min-confidence", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    for format in ["fen", "epd", "pgn"] {
        let words = ["convert", "out/readings.jsonl", "--to", format];
        let output = run(folder.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            text(folder.path(), &format!("out/positions.{format}"))
        );
    }
    // An array of the same, as the reader writes it.
    let read = run(folder.path(), &["in/page1.png", "--json"]);
    fs::write(folder.path().join("page1.json"), read.stdout).unwrap();
    let output = run(folder.path(), &["convert", "page1.json", "--to", "pgn"]);
    let game = String::from_utf8(output.stdout).unwrap();
    assert!(game.starts_with("[Event \"in/page1.png\"]\n"), "{game}");
    // What a person wrote into `fen` counts.
    let corrected =
        text(folder.path(), "page1.json").replace("\"fen\": \"r1bqkbnr", "\"fen\": \"r1bqkb1r");
    fs::write(folder.path().join("page1.json"), corrected).unwrap();
    let output = run(folder.path(), &["convert", "page1.json", "--to", "pgn"]);
    let game = String::from_utf8(output.stdout).unwrap();
    assert!(game.contains("[FEN \"r1bqkb1r/"), "{game}");
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
        .filter_map(|entry| Some(entry["key"].as_str()?.to_owned()))
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
    let second = batch(folder.path(), &[]);
    assert_eq!(second.status.code(), Some(4), "{}", said(&second));
    assert!(
        said(&second).contains("another `img2fen batch` is writing to out"),
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

/// Holds that a batch into a folder prepared by a script is refused with this reason and cure before the engine starts.
#[cfg(target_os = "linux")]
fn assert_refused_before_any_work(prepare: &str, reason: &str, hint: &str) {
    let folder = pages(1);
    let script = format!("{prepare}; exec $IMG2FEN batch in -o out -v");
    let Some(output) = with_own_mounts(folder.path(), &script) else {
        return;
    };
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(said(&output).contains(reason), "{}", said(&output));
    assert!(said(&output).contains(hint), "{}", said(&output));
    assert!(!said(&output).contains("engine:"), "{}", said(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_refused_before_any_work() {
    // Also one that was writable before: its lock and its journal are there.
    for before in ["true", "touch out/.lock out/journal.jsonl"] {
        assert_refused_before_any_work(
            &format!("mount -t tmpfs none out; {before}; mount -o remount,ro out"),
            "the output cannot be used: cannot write to the folder out",
            "\nhint: name a place where you may write, or change its permissions\n",
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_found_before_any_work() {
    assert_refused_before_any_work(
        "mount -t tmpfs -o size=64k none out; head -c 60k /dev/zero > out/other",
        "No space left on device",
        "\nhint: make room on the disk and give the same command again\n",
    );
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
        "run() {{ code=0; $IMG2FEN batch in -o out -j 1 --write {ALL} || code=$?; echo $code $(grep -c '\"key\"' out/journal.jsonl); }}
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
    batch(folder.path(), &[]);
    let plan = batch(folder.path(), &["--dry-run"]);
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
    assert_eq!(finished(&batch(folder.path(), &["--dry-run"])), 2);
    assert_eq!(finished(&batch(folder.path(), &["--dry-run", "-b"])), 0);
    assert_eq!(
        finished(&batch(folder.path(), &["--dry-run", "--no-resume"])),
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
    batch(folder.path(), &[]);
    let open = |words: &[&str]| {
        let plan = batch(folder.path(), &[&["--dry-run"], words].concat());
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
        batch(folder.path(), words);
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
    let output = batch(folder.path(), &[]);
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
    let output = batch(folder.path(), &[]);
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
    batch(folder.path(), &[]);
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
    let output = batch(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 8);
}

/// The grey picture of a page with a board.
fn page_picture(folder: &Path, number: usize) -> image::GrayImage {
    image::open(folder.join(format!("in/page{number}.png")))
        .unwrap()
        .into_luma8()
}

/// What became of each page of the only document: the placement of its board, or the message of its error.
fn outcome(folder: &Path) -> Vec<(u64, String)> {
    text(folder, "out/readings.jsonl")
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let what = match value["type"].as_str() {
                Some("reading") => &value["placement"],
                _ => &value["message"],
            };
            let page = value["source"]["page"].as_u64().unwrap();
            (page, what.as_str().unwrap().to_owned())
        })
        .collect()
}

/// A TIFF with these pages; the head of each directory says where the next one is. Gives the offsets of the directories.
fn tiff(pages: &[image::GrayImage]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = b"II*\0".to_vec();
    let mut directories = Vec::new();
    for page in pages {
        let pixels = bytes.len() as u32 + 4;
        let length = page.as_raw().len() as u32;
        bytes.extend((pixels + length).to_le_bytes());
        bytes.extend(page.as_raw());
        directories.push(bytes.len());
        let entries = [
            (256, page.width()),
            (257, page.height()),
            (258, 8),
            (259, 1),
            (262, 1),
            (273, pixels),
            (277, 1),
            (278, page.height()),
            (279, length),
        ];
        bytes.extend((entries.len() as u16).to_le_bytes());
        for (tag, value) in entries {
            bytes.extend(u16::to_le_bytes(tag));
            bytes.extend([4, 0, 1, 0, 0, 0]);
            bytes.extend(value.to_le_bytes());
        }
    }
    bytes.extend([0; 4]);
    (bytes, directories)
}

#[test]
fn all_pages_of_a_tiff_are_read_and_a_damaged_one_fails_alone() {
    let folder = pages(3);
    let pictures: Vec<_> = (1..=3)
        .map(|number| page_picture(folder.path(), number))
        .collect();
    let (mut bytes, directories) = tiff(&pictures);
    // The width of the second page: none.
    bytes[directories[1] + 10..directories[1] + 14].fill(0);
    fs::write(folder.path().join("scan.tif"), bytes).unwrap();
    let output = run(folder.path(), &["batch", "scan.tif", "-o", "out"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(
        said(&output).contains("scan.tif, page 2: is damaged"),
        "{}",
        said(&output)
    );
    let found = outcome(folder.path());
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], (1, POSITIONS[0].to_owned()));
    assert_eq!(found[1].0, 2);
    assert!(found[1].1.starts_with("is damaged"), "{found:?}");
    assert_eq!(found[2], (3, POSITIONS[2].to_owned()));

    let output = run(folder.path(), &["scan.tif"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(
        said(&output).contains("scan.tif, page 2: is damaged"),
        "{}",
        said(&output)
    );
    let fens = String::from_utf8_lossy(&output.stdout).into_owned();
    let placements: Vec<&str> = fens
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(placements, [POSITIONS[0], POSITIONS[2]]);
}

#[test]
fn a_tiff_whose_pages_run_in_a_circle_is_refused() {
    let folder = pages(2);
    let pictures = [1, 2].map(|number| page_picture(folder.path(), number));
    let (mut bytes, directories) = tiff(&pictures);
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&(directories[0] as u32).to_le_bytes());
    fs::write(folder.path().join("scan.tif"), bytes).unwrap();
    for words in [&["batch", "scan.tif", "-o", "out"][..], &["scan.tif"]] {
        let output = run(folder.path(), words);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        assert!(
            said(&output).contains("scan.tif: is damaged: the pages of the TIFF run in a circle"),
            "{}",
            said(&output)
        );
    }
}

/// Whether a program can be started.
fn is_installed(program: &str) -> bool {
    let child = Command::new(program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    child.is_ok_and(|mut child| child.wait().is_ok())
}

#[test]
fn pages_of_a_djvu_file_are_read_where_djvulibre_is_installed() {
    if ["ddjvu", "djvused", "c44", "djvm"]
        .iter()
        .any(|program| !is_installed(program))
    {
        return;
    }
    let folder = pages(2);
    let call = |program: &str, words: &[&str]| {
        let mut command = Command::new(program);
        let status = command.args(words).current_dir(folder.path()).status();
        assert!(status.unwrap().success(), "{program} {words:?}");
    };
    for number in [1, 2] {
        let picture = format!("{number}.pgm");
        let page = page_picture(folder.path(), number);
        let head = format!("P5\n{} {}\n255\n", page.width(), page.height());
        fs::write(
            folder.path().join(&picture),
            [head.as_bytes(), page.as_raw()].concat(),
        )
        .unwrap();
        call("c44", &[&picture, &format!("{number}.djvu")]);
    }
    call("djvm", &["-c", "book.djvu", "1.djvu", "2.djvu"]);
    let output = run(folder.path(), &["batch", "book.djvu", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let expected = [(1, POSITIONS[0].to_owned()), (2, POSITIONS[1].to_owned())];
    assert_eq!(outcome(folder.path()), expected);
}

#[test]
fn a_djvu_file_without_djvulibre_fails_with_what_to_install_and_the_others_are_read() {
    let folder = pages(1);
    fs::write(folder.path().join("book.djvu"), b"AT&TFORM\0\0\0\x04DJVM").unwrap();
    let output = command(folder.path(), &["batch", "book.djvu", "in", "-o", "out"])
        .env("PATH", folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(
        said(&output).contains("book.djvu: `djvused` cannot be started"),
        "{}",
        said(&output)
    );
    assert!(
        said(&output).contains("install the package `djvulibre-bin`"),
        "{}",
        said(&output)
    );
    assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 1);
}

/// Draws the board on its page.
const BOARD: &str = "q 400 0 0 400 0 0 cm /Board Do Q";

/// A PDF with a page for each content. `/Board` is a picture with a board, `/Large` one of 7000 x 7000 pixels in colour,
/// `/Form0` takes very long to draw.
fn book(board: &image::GrayImage, contents: &[&str]) -> Vec<u8> {
    let picture = |width: u32, height: u32, space: &str, filter: &str, data: &str| {
        format!(
            "<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /{space} \
             /BitsPerComponent 8 /Filter {filter} /Length {} >>\nstream\n{data}\nendstream",
            data.len()
        )
    };
    let digits: String = board
        .as_raw()
        .iter()
        .map(|grey| format!("{grey:02x}"))
        .collect();
    // Each run is 128 bytes of 0.
    let runs = "8100".repeat(7000 * 7000 * 3 / 128 + 1);
    let kids: Vec<String> = (0..contents.len())
        .map(|page| format!("{} 0 R", 9 + 2 * page))
        .collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Kids [{}] /Count {} >>",
            kids.join(" "),
            kids.len()
        ),
        picture(
            board.width(),
            board.height(),
            "DeviceGray",
            "/ASCIIHexDecode",
            &(digits + ">"),
        ),
        picture(
            7000,
            7000,
            "DeviceRGB",
            "[/ASCIIHexDecode /RunLengthDecode]",
            &(runs + "80>"),
        ),
    ];
    for level in 0..4 {
        let content = match level {
            3 => "0 0 m 400 400 l S\n".repeat(100),
            _ => format!("/Form{} Do\n", level + 1).repeat(100),
        };
        objects.push(format!(
            "<< /Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /XObject << /Form{} {} 0 R >> >> \
             /Length {} >>\nstream\n{content}\nendstream",
            level + 1,
            6 + level,
            content.len()
        ));
    }
    for (page, content) in contents.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents {} 0 R /Resources << /XObject << \
             /Board 3 0 R /Large 4 0 R /Form0 5 0 R >> /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
             /Encoding /WinAnsiEncoding >> >> >> >>",
            10 + 2 * page
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ));
    }
    let mut bytes = b"%PDF-1.4\n".to_vec();
    for (index, object) in objects.iter().enumerate() {
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).bytes());
    }
    bytes.extend(b"trailer << /Root 1 0 R >>\n%%EOF");
    bytes
}

/// Holds that of three pages the second failed with this message and the others were read.
fn assert_second_page_failed(folder: &Path, output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(3), "{}", said(output));
    let found = outcome(folder);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], (1, POSITIONS[0].to_owned()));
    assert!(found[1].0 == 2 && found[1].1.contains(message), "{found:?}");
    assert_eq!(found[2], (3, POSITIONS[0].to_owned()));
    assert!(
        said(output).contains("book.pdf, page 2: ") && said(output).contains(message),
        "{}",
        said(output)
    );
}

/// A folder with `book.pdf`, whose pages have these contents.
fn folder_with_book(contents: &[&str]) -> tempfile::TempDir {
    let folder = pages(1);
    let board = page_picture(folder.path(), 1);
    fs::write(folder.path().join("book.pdf"), book(&board, contents)).unwrap();
    folder
}

/// Draws a form that draws 100 others, and so on: a hundred million strokes.
const SLOW: &str = "/Form0 Do";

#[test]
fn a_page_that_takes_too_long_to_draw_fails_alone() {
    let folder = folder_with_book(&[BOARD, SLOW, BOARD]);
    let words = ["batch", "book.pdf", "-o", "out", "--timeout", "5"];
    let output = run(folder.path(), &words);
    assert_second_page_failed(folder.path(), &output, "longer than the limit of 5 s");
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_that_takes_too_much_memory_to_draw_fails_alone() {
    let large = "q 400 0 0 400 0 0 cm /Large Do Q";
    let folder = folder_with_book(&[BOARD, large, BOARD]);
    let words = ["batch", "book.pdf", "-o", "out", "--pdf-memory", "80"];
    let output = run(folder.path(), &words);
    assert_second_page_failed(folder.path(), &output, "MiB, the limit is ");
}

/// Starts a batch over `book.pdf`; when the first page is in the journal the second one is being drawn.
fn while_second_page_is_drawn(folder: &Path, words: &[&str]) -> std::process::Child {
    let child = command(folder, words)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = folder.join("out/journal.jsonl");
    while !fs::read_to_string(&journal).is_ok_and(|text| text.contains(POSITIONS[0])) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    child
}

/// The process that a process has started and that is still there.
#[cfg(target_os = "linux")]
fn child_of(parent: u32) -> Option<String> {
    let line = format!("PPid:\t{parent}");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut names = processes.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.find(|name| {
        let status = fs::read_to_string(format!("/proc/{name}/status")).unwrap_or_default();
        status.lines().any(|own| own == line)
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_that_crashes_the_drawing_process_fails_alone() {
    let folder = folder_with_book(&[BOARD, SLOW, BOARD]);
    let words = ["batch", "book.pdf", "-o", "out", "-j", "1"];
    for (signal, message, hint) in [
        (
            "KILL",
            "was stopped from outside (signal: 9 (SIGKILL))",
            "out of memory",
        ),
        (
            "XCPU",
            "was stopped from outside (signal: 24 (SIGXCPU)",
            "--retry-failed",
        ),
        ("ABRT", "crashed (signal: 6 (SIGABRT)", "damaged or hostile"),
        ("ILL", "crashed (signal: 4 (SIGILL)", "damaged or hostile"),
    ] {
        let child = while_second_page_is_drawn(folder.path(), &words);
        let worker = child_of(child.id()).expect("the second page is being drawn");
        let status = Command::new("kill")
            .args([&format!("-{signal}"), &worker])
            .status();
        assert!(status.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_second_page_failed(
            folder.path(),
            &output,
            &format!("drawing the page {message}"),
        );
        assert!(said(&output).contains(hint), "{}", said(&output));
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_drawing_process_does_not_outlive_a_batch_however_that_ends() {
    let folder = folder_with_book(&[BOARD, SLOW, BOARD]);
    // Without a limit that would end the page.
    let words = [
        "batch",
        "book.pdf",
        "-o",
        "out",
        "-j",
        "1",
        "--timeout",
        "100000",
    ];
    for signals in [&["KILL"][..], &["TERM"], &["INT", "INT"]] {
        let mut child = while_second_page_is_drawn(folder.path(), &words);
        let worker = child_of(child.id()).expect("the second page is being drawn");
        for signal in signals {
            let status = Command::new("kill")
                .args([&format!("-{signal}"), &child.id().to_string()])
                .status();
            assert!(status.unwrap().success());
            std::thread::sleep(Duration::from_millis(200));
        }
        child.wait().unwrap();
        let ended = Instant::now();
        // A process that has ended and is not waited for by anybody is a zombie at most.
        let is_there = || {
            let status = fs::read_to_string(format!("/proc/{worker}/status")).unwrap_or_default();
            status.contains("img2fen") && !status.contains("State:\tZ")
        };
        while is_there() {
            let seconds = ended.elapsed().as_secs();
            assert!(seconds < 20, "{signals:?}: the process is still there");
            std::thread::sleep(Duration::from_millis(20));
        }
        fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

#[test]
fn a_document_that_changes_while_it_is_read_fails_by_name_and_the_other_inputs_are_read() {
    let overwritten = |book: &Path| fs::write(book, b"").unwrap();
    let rewritten = |book: &Path| {
        let bytes = fs::read(book).unwrap();
        fs::write(book, bytes).unwrap();
    };
    let renamed_over = |book: &Path| {
        fs::write(book.with_extension("new"), two_pages()).unwrap();
        fs::rename(book.with_extension("new"), book).unwrap();
    };
    let removed = |book: &Path| fs::remove_file(book).unwrap();
    let replaced = |book: &Path| {
        fs::remove_file(book).unwrap();
        fs::create_dir(book).unwrap();
    };
    assert_change_is_told(overwritten, "changed while it was read");
    assert_change_is_told(rewritten, "changed while it was read");
    assert_change_is_told(renamed_over, "changed while it was read");
    assert_change_is_told(removed, "was removed while it was read");
    assert_change_is_told(
        replaced,
        "was replaced by something that is no file while it was read",
    );
}

/// Holds that a book whose second page is being drawn when `change` comes over it fails from there on.
fn assert_change_is_told(change: impl Fn(&Path), message: &str) {
    let folder = folder_with_book(&[BOARD, SLOW, BOARD]);
    let words = [
        "batch",
        "book.pdf",
        "in",
        "-o",
        "out",
        "-j",
        "1",
        "--timeout",
        "5",
    ];
    let child = while_second_page_is_drawn(folder.path(), &words);
    change(&folder.path().join("book.pdf"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let summary: serde_json::Value =
        serde_json::from_str(&text(folder.path(), "out/summary.json")).unwrap();
    assert_eq!(summary["pages"]["total"], 4);
    assert_eq!(summary["inputs"]["failed"], 1);
    assert_eq!(summary["inputs"]["done"], 1);
    for page in [2, 3] {
        let line = format!("img2fen: error: book.pdf, page {page}: {message}\n");
        assert!(
            said(&output).contains(&line),
            "{message}: {}",
            said(&output)
        );
    }
    assert!(
        said(&output).contains("hint: run again with `--retry-failed`"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_document_with_more_pages_than_one_process_draws_is_read_whole() {
    let folder = folder_with_book(&[BOARD; 40]);
    let output = run(folder.path(), &["batch", "book.pdf", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let expected: Vec<_> = (1..=40)
        .map(|page| (page, POSITIONS[0].to_owned()))
        .collect();
    assert_eq!(outcome(folder.path()), expected);
}

#[test]
fn a_run_without_a_page_to_read_leaves_the_documents_of_a_finished_batch_alone() {
    let folder = pages(1);
    let first = batch(folder.path(), &["--write", ALL]);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    let before = documents(&folder.path().join("out"));
    fs::write(folder.path().join("torn.pdf"), b"%PDF-1.7\n").unwrap();
    for input in ["missing.pdf", "torn.pdf"] {
        let words = ["batch", input, "-o", "out", "--write", ALL];
        let output = run(folder.path(), &words);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        let expected = "img2fen: error: there is no page to read, so nothing was written\n";
        assert!(said(&output).contains(&format!("img2fen: error: {input}: ")));
        assert!(said(&output).ends_with(expected), "{}", said(&output));
        assert!(documents(&folder.path().join("out")) == before, "{input}");
    }
}

#[test]
fn pages_that_failed_earlier_are_told_from_finished_ones_with_the_way_to_read_them_again() {
    let folder = pages(1);
    fs::write(folder.path().join("in/torn.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let hint = "1 page failed in an earlier run; `--retry-failed` reads what failed again";
    let first = batch(folder.path(), &[]);
    assert_eq!(first.status.code(), Some(3));
    assert!(!said(&first).contains(hint), "{}", said(&first));
    assert!(said(&batch(folder.path(), &[])).contains(hint));
    let planned = batch(folder.path(), &["--dry-run"]);
    assert_eq!(
        String::from_utf8(planned.stdout).unwrap(),
        "finished\tin/page1.png\nfailed\tin/torn.png\n"
    );
    let again = batch(folder.path(), &["--retry-failed"]);
    assert!(!said(&again).contains(hint), "{}", said(&again));
}

/// The numbers of `summary.json`.
fn summary(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&text(folder, "out/summary.json")).unwrap()
}

#[test]
fn a_pdf_that_is_cut_short_is_read_as_far_as_it_goes_and_fails_with_the_pages_that_were_found() {
    let folder = folder_with_book(&[BOARD, BOARD, BOARD]);
    let whole = fs::read(folder.path().join("book.pdf")).unwrap();
    let third = whole.windows(9).position(|window| window == b"13 0 obj\n");
    fs::write(folder.path().join("book.pdf"), &whole[..third.unwrap()]).unwrap();
    let message = "is cut short: 2 of 3 pages could be found";
    let hint = "copy or download the file again; what could be found is read";
    for reads in [true, false] {
        let output = run(folder.path(), &["batch", "book.pdf", "in", "-o", "out"]);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        let error = format!("img2fen: error: book.pdf: {message}\nhint: {hint}\n");
        assert_eq!(
            said(&output).matches(&error).count(),
            1,
            "{}",
            said(&output)
        );
        for line in [
            "2 inputs: 1 with boards, 1 failed\n3 pages: 3 with boards\n",
            &format!("failed:\n  book.pdf: {message}; {hint}\n"),
        ] {
            assert!(said(&output).contains(line), "{line}: {}", said(&output));
        }
        assert_eq!(said(&output).contains("finished already"), !reads);
        assert_eq!(
            summary(folder.path())["input_faults"],
            serde_json::json!([{ "path": "book.pdf", "message": message, "hint": hint }])
        );
        assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 3);
        let readings = text(folder.path(), "out/readings.jsonl");
        let kinds: Vec<serde_json::Value> = readings
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].clone())
            .collect();
        assert_eq!(kinds, ["reading", "reading", "error", "reading"]);
    }
    // That none of the pages found is wanted has the same cause.
    let words = ["batch", "book.pdf", "-o", "other", "--pages", "3"];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let error = format!("img2fen: error: book.pdf: {message}\nhint: {hint}\n");
    assert!(said(&output).starts_with(&error), "{}", said(&output));
    // Whole again, it is no longer at fault.
    fs::write(folder.path().join("book.pdf"), whole).unwrap();
    let output = run(folder.path(), &["batch", "book.pdf", "in", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(
        summary(folder.path())["input_faults"],
        serde_json::json!([])
    );
}

#[test]
fn no_two_documents_of_a_folder_stand_for_different_runs() {
    let folder = folder_with_book(&[BOARD, BOARD, BOARD]);
    let words = |pages, formats| {
        let words = [
            "batch", "book.pdf", "-o", "out", "--pages", pages, "--write", formats,
        ];
        let output = run(folder.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        said(&output)
    };
    let renewed = "written anew too, as earlier runs have left them here: ";
    let first = words("1-3", ALL);
    assert!(!first.contains(renewed) && !first.contains("this run alone"));
    let told = words("2", "fen,jsonl");
    let dropped = "the documents are those of this run alone: 2 boards of an earlier one are no longer in them, such as \
                   from book.pdf, page 1; name all inputs together, or another folder\n";
    assert!(told.contains(dropped), "{told}");
    let names = "positions.epd, positions.pgn, positions.csv, report.html\n";
    assert!(told.contains(&format!("{renewed}{names}")), "{told}");
    let left = documents(&folder.path().join("out"));
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    assert!(!words("2", ALL).contains(renewed));
    assert!(left == documents(&folder.path().join("out")));
    // A document that is not there and not asked for is not written.
    fs::remove_file(folder.path().join("out/positions.csv")).unwrap();
    words("2", "fen");
    assert!(!folder.path().join("out/positions.csv").exists());
}

#[test]
fn an_export_offers_no_report() {
    let help = run(Path::new("."), &["export", "--help"]).stdout;
    let help = String::from_utf8(help).unwrap();
    assert!(help.contains("positions.pgn: one game a board"), "{help}");
    assert!(
        help.contains("`img2fen review` shows it with the corrections"),
        "{help}"
    );
    assert!(!help.contains("html"), "{help}");
    let refused = run(Path::new("."), &["export", "out", "--write", "fen,html"]);
    assert_eq!(refused.status.code(), Some(2));
    let told = said(&refused);
    assert!(
        told.contains("[possible values: jsonl, fen, epd, pgn, csv]"),
        "{told}"
    );
}

#[test]
fn an_export_writes_anew_what_an_earlier_one_has_left() {
    let folder = pages(2);
    batch(folder.path(), &[]);
    for formats in ["fen,csv", "jsonl"] {
        let output = run(folder.path(), &["export", "out", "--write", formats]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        fs::remove_file(folder.path().join("in/page2.png")).ok();
        batch(folder.path(), &[]);
    }
    let output = run(folder.path(), &["export", "out", "--write", "jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    for (name, lines) in [
        ("readings.jsonl", 1),
        ("positions.fen", 1),
        ("positions.csv", 2),
    ] {
        let written = text(folder.path(), &format!("out/corrected/{name}"));
        assert_eq!(written.lines().count(), lines, "{name}");
    }
    assert!(!folder.path().join("out/corrected/positions.pgn").exists());
    // In the folder of the batch it writes what is asked for and leaves the rest to the batch.
    let readings = fs::read(folder.path().join("out/readings.jsonl")).unwrap();
    fs::write(folder.path().join("out/positions.fen"), "old").unwrap();
    fs::write(folder.path().join("out/positions.epd"), "old").unwrap();
    let words = ["export", "out", "-o", "out", "--write", "fen"];
    assert_eq!(run(folder.path(), &words).status.code(), Some(0));
    assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 1);
    assert_eq!(text(folder.path(), "out/positions.epd"), "old");
    assert!(readings == fs::read(folder.path().join("out/readings.jsonl")).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_that_went_over_a_limit_is_read_again_when_the_limit_is_raised() {
    let large = "q 400 0 0 400 0 0 cm /Large Do Q";
    let folder = folder_with_book(&[BOARD, large]);
    let with = |words: &[&str]| {
        run(
            folder.path(),
            &[&["batch", "book.pdf", "-o", "out"], words].concat(),
        )
    };
    let output = with(&["--pdf-memory", "80"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let finished = "finished\tbook.pdf, page 1\n";
    for (words, plan, reason) in [
        (&["--pdf-memory", "80"][..], "failed", None),
        (&["--pdf-memory", "70"], "failed", None),
        (&["--pdf-memory", "80", "--timeout", "30"], "failed", None),
        (&["--pdf-memory", "80", "--retry-failed"], "read", None),
        (
            &["--pdf-memory", "80", "--timeout", "90"],
            "read",
            Some("`--timeout` is 90, was 60"),
        ),
        (&[], "read", Some("`--pdf-memory` is 1024, was 80")),
    ] {
        let output = with(&[words, &["--dry-run"]].concat());
        let planned = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(planned, format!("{finished}{plan}\tbook.pdf, page 2\n"));
        let told = said(&output);
        let line = reason.map(|reason| format!("1 failed page is read again: {reason}\n"));
        assert_eq!(told.contains("read again:"), line.is_some(), "{told}");
        assert!(line.is_none_or(|line| told.contains(&line)), "{told}");
        let way = "`--retry-failed` reads what failed again";
        assert_eq!(told.contains(way), plan == "failed", "{told}");
    }
    let output = with(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(outcome(folder.path())[1], (2, "no board".to_owned()));
}

#[test]
fn a_scan_over_the_limit_of_pixels_is_told_by_its_page_with_the_option() {
    let folder = folder_with_book(&[BOARD]);
    let words = [
        "batch",
        "book.pdf",
        "-o",
        "out",
        "--max-page-pixels",
        "1000",
    ];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let line = "img2fen: error: book.pdf, page 1: is a scan of 520 x 560 pixels, 291200 in all, the limit is 1000\n\
                hint: raise `--max-page-pixels`\n";
    assert!(said(&output).starts_with(line), "{}", said(&output));
}

#[cfg(unix)]
#[test]
fn what_a_folder_holds_that_is_no_file_fails_by_name_and_a_file_of_two_names_is_read_once() {
    let folder = pages(1);
    let inside = folder.path().join("in");
    std::os::unix::fs::symlink("nowhere.png", inside.join("broken.png")).unwrap();
    std::os::unix::fs::symlink("page1.png", inside.join("same.png")).unwrap();
    fs::write(inside.join("notes.txt"), "x").unwrap();
    make_pipe(&inside.join("pipe.png"));
    let output = run(
        folder.path(),
        &["batch", "in", "./in/page1.png", "-o", "out"],
    );
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    for line in [
        "img2fen: error: in/broken.png: cannot read the file: No such file or directory (os error 2)\n\
         hint: the link leads to no file\n",
        "img2fen: error: in/pipe.png: is no regular file\nhint: save what it gives as a file",
        "2 names passed over as read already: in/same.png is in/page1.png, ./in/page1.png is in/page1.png\n",
        "1 file passed over for the ending (read when named): in/notes.txt\n",
        "3 inputs: 1 with boards, 2 failed\n",
        "\n  in/broken.png: cannot read the file: No such file or directory (os error 2); the link leads to no file\n",
    ] {
        assert!(said(&output).contains(line), "{line}: {}", said(&output));
    }
    assert_eq!(text(folder.path(), "out/positions.fen").lines().count(), 1);
    // The plain reader does not wait for a pipe either.
    let output = run(folder.path(), &["in/pipe.png"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let line = "img2fen: error: in/pipe.png: is no regular file\n";
    assert!(said(&output).starts_with(line), "{}", said(&output));
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = pages(1);
    let output = batch(folder.path(), &["--dry-run"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(output.stdout, b"read\tin/page1.png\n");
    assert!(!folder.path().join("out").exists());
    // Nor into a folder that is there, and it does not matter whether it could.
    batch(folder.path(), &[]);
    let names = || {
        let entries = fs::read_dir(folder.path().join("out")).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap())
            .map(|entry| {
                (
                    entry.file_name(),
                    entry.metadata().unwrap().modified().unwrap(),
                )
            })
            .collect();
        names.sort();
        names
    };
    let before = names();
    let output = batch(folder.path(), &["--dry-run", "--no-resume", "--write", ALL]);
    assert_eq!(output.stdout, b"read\tin/page1.png\n");
    assert_eq!(names(), before);
}

#[test]
fn errors_of_folders_and_corrections_come_with_a_cure() {
    let folder = pages(1);
    fs::write(folder.path().join("file"), "x").unwrap();
    for output in ["file", "file/out"] {
        let output = run(folder.path(), &["batch", "in", "-o", output]);
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        let hint = "\nhint: a part of the path is a file: name another place\n";
        assert!(said(&output).ends_with(hint), "{}", said(&output));
    }
    let output = run(folder.path(), &["batch", "-", "-o", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(
        said(&output),
        "img2fen: error: -: a batch reads files, not standard input\n\
         hint: save it as a file; one picture is read by `img2fen -`\n"
    );
    // A batch that has not come to its documents: nothing to export or review yet.
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("out/journal.jsonl"), "").unwrap();
    for command in ["export", "review"] {
        let output = run(folder.path(), &[command, "out"]);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        assert_eq!(
            said(&output),
            "img2fen: error: out: the batch has not written its readings\n\
             hint: let the same `img2fen batch` command come to its end, with `jsonl` among its documents\n"
        );
    }
    batch(folder.path(), &[]);
    for line in ["nonsense", "{}", "{\"type\":\"correction\"}", "[]"] {
        let path = folder.path().join("out/corrections.jsonl");
        fs::write(path, format!("\n{line}\n")).unwrap();
        for command in ["export", "review"] {
            let output = run(folder.path(), &[command, "out"]);
            assert_eq!(output.status.code(), Some(3), "{}", said(&output));
            assert_eq!(
                said(&output),
                "img2fen: error: out/corrections.jsonl, line 2: is no correction\n\
                 hint: remove the line, or save the corrections again from the report\n"
            );
        }
    }
}

#[test]
fn the_last_words_name_the_pages_without_a_board_and_no_report_without_boards() {
    let blank = "";
    let folder = folder_with_book(&[blank, blank, BOARD, blank, BOARD]);
    let closing = |words: &[&str]| {
        let output = run(
            folder.path(),
            &[
                &["batch", "book.pdf", "-o", "out", "--min-confidence", "0"],
                words,
            ]
            .concat(),
        );
        (output.status.code(), closing_words(&output))
    };
    let (code, lines) = closing(&[]);
    assert_eq!(code, Some(0), "{lines:#?}");
    let expected = [
        "1 input: 1 with boards",
        "5 pages: 2 with boards, 3 without a board",
        "2 boards",
        "side to move assumed: 2 boards; say it with `-w`, `-b` or `--turn-rule`, see `img2fen batch --help`",
        "without a board:",
        "  book.pdf: pages 1-2, 4",
        "report: out/report.html",
        "look it over: `img2fen review out`",
    ];
    assert_eq!(lines, expected);
    let (code, lines) = closing(&["-q"]);
    assert_eq!((code, lines.len()), (Some(0), 0), "{lines:#?}");
    let (code, lines) = closing(&["--pages", "1-2"]);
    assert_eq!(code, Some(1), "{lines:#?}");
    let last = lines.last().map(String::as_str);
    assert_eq!(last, Some("  book.pdf: no board found on 2 pages"));
}

#[test]
fn diagrams_behind_a_page_that_was_not_read_have_no_number_for_the_rule() {
    let folder = folder_with_book(&[BOARD, BOARD, BOARD, "0 0 m 9 9 l S", BOARD]);
    let read = |words: &[&str]| -> (Vec<String>, Vec<String>) {
        let start = [
            "batch",
            "book.pdf",
            "-o",
            "out",
            "--turn-rule",
            "odd=b,even=w",
            "--min-confidence",
            "0",
        ];
        let output = run(folder.path(), &[&start, words].concat());
        let turns = text(folder.path(), "out/readings.jsonl")
            .lines()
            .filter(|line| line.contains("\"reading\""))
            .map(|line| {
                let reading: serde_json::Value = serde_json::from_str(line).unwrap();
                let turn = &reading["fields"]["turn"];
                let word = |key: &str| turn[key].as_str().unwrap().to_owned();
                format!("{} {}", word("value"), word("provenance"))
            })
            .collect();
        let lines = closing_words(&output);
        let title = "not by `--turn-rule`, as pages before were not read and no number is printed:";
        let told = lines.iter().skip_while(|line| *line != title).skip(1);
        let told = told.take_while(|line| line.starts_with("  "));
        (turns, told.cloned().collect())
    };
    let (given_b, given_w, assumed) = ("b given", "w given", "w assumed");
    let lines =
        |lines: &[&str]| -> Vec<String> { lines.iter().map(|line| (*line).to_owned()).collect() };
    let place = |pages: &[usize]| -> Vec<String> {
        let line = |page: &usize| format!("  book.pdf, page {page}, board 1");
        pages.iter().map(line).collect()
    };
    // A page without a board is known to have none.
    let all = lines(&[given_b, given_w, given_b, given_w]);
    assert_eq!(read(&[]), (all, place(&[])));
    assert_eq!(
        read(&["--pages", "2-"]),
        (lines(&[assumed; 3]), place(&[2, 3, 5]))
    );
    assert_eq!(
        read(&["--pages", "1-2,5"]),
        (lines(&[given_b, given_w, assumed]), place(&[5]))
    );
    assert_eq!(read(&["--pages", "1"]), (lines(&[given_b]), place(&[])));
    // Nor are those counted that come after a page that failed.
    let board = page_picture(folder.path(), 1);
    let failing = book(&board, &[BOARD, "q 400 0 0 400 0 0 cm /Large Do Q", BOARD]);
    fs::write(folder.path().join("book.pdf"), failing).unwrap();
    assert_eq!(
        read(&["--max-page-pixels", "40000000"]),
        (lines(&[given_b, assumed]), place(&[3]))
    );
    // Where the number is printed it counts, and the count goes on from there.
    let numbered = "q 300 0 0 300 50 80 cm /Board Do Q BT /F 12 Tf 90 130 Td (Diagram 8) Tj ET";
    let numbered = book(&board, &[BOARD, BOARD, numbered, BOARD]);
    fs::write(folder.path().join("book.pdf"), numbered).unwrap();
    assert_eq!(
        read(&["--pages", "2-"]),
        (lines(&[assumed, given_w, given_b]), place(&[2]))
    );
}

#[test]
fn limits_of_any_size_are_taken_or_refused_and_never_overflow() {
    let folder = folder_with_book(&[BOARD]);
    let batch = |flag: &str, value: &str| {
        let words = ["batch", "book.pdf", "-o", "out", "--no-resume", flag, value];
        run(folder.path(), &words)
    };
    let largest = "18446744073709551615";
    for (flag, value) in [
        ("--pdf-memory", largest),
        ("--max-pdf-size", largest),
        ("--max-pages", largest),
        ("--max-pixels", largest),
        ("--max-file-size", largest),
        ("--max-boards", largest),
        ("--timeout", largest),
        ("--max-page-pixels", "4294836225"),
    ] {
        let output = batch(flag, value);
        assert_eq!(output.status.code(), Some(0), "{flag}: {}", said(&output));
    }
    for value in ["4294836226", "6148914691236517206", largest, "0"] {
        let output = batch("--max-page-pixels", value);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        let reason = format!("{value} is not in 1..=4294836225");
        assert!(said(&output).contains(&reason), "{}", said(&output));
    }
}

#[test]
fn pages_that_failed_are_not_called_finished_when_they_are_read_again() {
    let folder = pages(1);
    for name in ["in/torn1.png", "in/torn2.png"] {
        fs::write(folder.path().join(name), b"\x89PNG\r\n\x1a\nnothing").unwrap();
    }
    batch(folder.path(), &[]);
    let output = batch(folder.path(), &["--view", "white"]);
    let said = said(&output);
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("read again"))
        .collect();
    let reason = "read again: `--view` is white, was auto";
    assert_eq!(
        lines,
        [
            format!("1 finished page is {reason}"),
            format!("2 failed pages are {reason}")
        ]
    );
}

#[test]
fn a_tiff_of_one_page_has_no_second_one() {
    let folder = pages(1);
    let one = tiff(&[page_picture(folder.path(), 1)]).0;
    fs::write(folder.path().join("one.tif"), one).unwrap();
    for (pages, code, words) in [
        ("1", 0, None),
        ("1-", 0, None),
        (
            "1-2",
            0,
            Some("one.tif: has 1 page; `--pages 1-2` asks for more\n"),
        ),
        (
            "2",
            2,
            Some("one.tif: has 1 page; `--pages 2` asks for none of them\n"),
        ),
        (
            "2-",
            2,
            Some("one.tif: has 1 page; `--pages 2-` asks for none of them\n"),
        ),
    ] {
        let output = run(
            folder.path(),
            &["batch", "one.tif", "-o", "out", "--pages", pages],
        );
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        let said = said(&output);
        assert_eq!(words.is_some(), said.contains("`--pages"), "{said}");
        assert!(words.is_none_or(|words| said.contains(words)), "{said}");
    }
    let fens = text(folder.path(), "out/positions.fen");
    assert_eq!(fens.lines().count(), 1);
}

#[test]
fn what_stands_in_the_place_of_a_document_is_told_before_any_work() {
    let folder = pages(1);
    for name in [
        "readings.jsonl",
        "positions.csv",
        "report.html",
        "summary.json",
        "journal.jsonl",
    ] {
        let path = folder.path().join("out").join(name);
        fs::create_dir_all(&path).unwrap();
        let output = batch(folder.path(), &["-v"]);
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        let said = said(&output);
        assert!(said.contains(&format!("out/{name}: ")), "{said}");
        assert!(
            said.ends_with("move it away, or name another folder\n"),
            "{said}"
        );
        assert!(!said.contains("engine:"), "{said}");
        fs::remove_dir(&path).unwrap();
    }
    batch(folder.path(), &[]);
    fs::create_dir_all(folder.path().join("out/corrected/positions.fen")).unwrap();
    let output = run(folder.path(), &["export", "out"]);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(!folder.path().join("out/corrected/readings.jsonl").exists());
}

#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_files_are_refused_and_not_waited_for() {
    let folder = pages(1);
    batch(folder.path(), &[]);
    let pipe = |name: &str| {
        let path = folder.path().join(name);
        let _ = fs::remove_file(&path);
        make_pipe(&path);
        path
    };
    let refused = |words: &[&str], code: i32, reason: &str| {
        let output = run(folder.path(), words);
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(said(&output).contains(reason), "{}", said(&output));
    };
    let named = pipe("pipe");
    let reason = "cannot read pipe: it is a pipe, and opening it may wait for ever";
    refused(&["export", "out", "--corrections", "pipe"], 3, reason);
    fs::remove_file(named).unwrap();
    let own = pipe("out/corrections.jsonl");
    let reason = "cannot read out/corrections.jsonl: it is a pipe";
    refused(&["export", "out"], 3, reason);
    refused(&["review", "out"], 3, reason);
    fs::remove_file(own).unwrap();
    let readings = fs::read(folder.path().join("out/readings.jsonl")).unwrap();
    pipe("out/readings.jsonl");
    let reason = "cannot read out/readings.jsonl: it is no regular file";
    refused(&["export", "out"], 3, reason);
    refused(&["review", "out"], 3, reason);
    fs::remove_file(folder.path().join("out/readings.jsonl")).unwrap();
    fs::write(folder.path().join("out/readings.jsonl"), readings).unwrap();
    pipe("out/journal.jsonl");
    let reason = "the journal out/journal.jsonl: it is no regular file";
    refused(&["batch", "in", "-o", "out"], 4, reason);
    refused(&["batch", "in", "-o", "out", "--dry-run"], 4, reason);
    refused(&["review", "out"], 3, reason);
}

#[test]
fn own_documents_in_the_folder_of_the_inputs_are_not_counted() {
    let folder = pages(1);
    fs::write(folder.path().join("in/notes.txt"), "x").unwrap();
    fs::write(folder.path().join("in/corrections.jsonl"), "").unwrap();
    let here = folder.path().join("in");
    for (words, notes) in [
        (&["batch", ".", "-o", "."][..], "./notes.txt"),
        (&["batch", ".", "-o", ".", "-r"], "./notes.txt"),
        (&["batch", "../in", "-o", "."], "../in/notes.txt"),
    ] {
        for _ in 0..2 {
            let output = run(&here, words);
            let said = said(&output);
            let line = format!("1 file passed over for the ending (read when named): {notes}\n");
            assert!(said.contains(&line), "{said}");
        }
        run(&here, &["export", "."]);
        assert!(here.join("corrected/readings.jsonl").exists());
    }
    // Elsewhere a file of this name is a file like others.
    let output = run(folder.path(), &["batch", "in", "-o", "out"]);
    assert!(
        said(&output).contains("9 files passed over"),
        "{}",
        said(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_dry_run_prints_each_page_on_one_line_that_steers_no_terminal() {
    let folder = pages(1);
    let from = folder.path().join("in/page1.png");
    fs::rename(from, folder.path().join("in/a\u{1b}[31m\u{202e}\nb.png")).unwrap();
    let output = batch(folder.path(), &["--dry-run"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "read\tin/a\\u{1b}[31m\\u{202e}\\nb.png\n"
    );
}

#[test]
fn corrections_that_match_no_board_are_counted_with_an_example() {
    let folder = pages(2);
    batch(folder.path(), &[]);
    let readings = text(folder.path(), "out/readings.jsonl");
    let reading: serde_json::Value =
        serde_json::from_str(readings.lines().next().unwrap()).unwrap();
    let correction = |path: &str, board: usize| {
        let mut source = reading["source"].clone();
        source["path"] = path.into();
        source["board"] = board.into();
        serde_json::json!({
            "type": "correction", "source": source, "placement": "4k3/8/8/8/8/8/8/4K3", "below": "white",
            "turn": "w", "castling": "-", "castling_inferred": false, "en_passant": "-", "halfmove": "0",
            "fullmove": "1", "left_out": false, "settled": [],
        })
        .to_string()
    };
    for (lines, corrected, unused) in [
        (vec![correction("./in/../in/page1.png", 1)], 1, None),
        (
            vec![correction("in/page1.png", 9)],
            0,
            Some(
                "1 correction is not used, that of in/page1.png, board 9: the readings have no such file, or no board at this place\n",
            ),
        ),
        (
            vec![
                correction("in/page2.png", 5),
                correction("in/page1.png", 1),
                correction("in/page1.png", 3),
            ],
            1,
            Some(
                "2 corrections are not used, such as that of in/page2.png, board 5: the readings have no such file, or no board at this place\n",
            ),
        ),
    ] {
        fs::write(
            folder.path().join("out/corrections.jsonl"),
            lines.join("\n"),
        )
        .unwrap();
        let output = run(folder.path(), &["export", "out"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let said = said(&output);
        let counted =
            format!("out/corrected: 2 boards, {corrected} reviewed by a person, 0 left out\n");
        assert_eq!(said, unused.unwrap_or_default().to_owned() + &counted);
    }
}

#[test]
fn a_piece_missing_within_the_data_of_a_picture_makes_the_pdf_a_failed_input() {
    let folder = folder_with_book(&[BOARD, BOARD]);
    let path = folder.path().join("book.pdf");
    let mut whole = fs::read(&path).unwrap();
    let trailer = whole.len() - "trailer << /Root 1 0 R >>\n%%EOF".len();
    whole.truncate(trailer);
    let table = "xref\n0 1\n0000000000 65535 f \ntrailer << /Root 1 0 R >>\nstartxref\n";
    whole.extend(format!("{table}{trailer}\n%%EOF").bytes());
    let digits = whole
        .windows(6)
        .position(|window| window == b"stream")
        .unwrap();
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        run(folder.path(), &["batch", "book.pdf", "-o", "out"])
    };
    let output = read(&whole);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let holed = [&whole[..digits + 40_000], &whole[digits + 40_500..]].concat();
    let output = read(&holed);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let message = "is damaged, a piece of it is missing: 2 of 2 pages could be found";
    let faults = summary(folder.path())["input_faults"].clone();
    assert_eq!(faults.as_array().unwrap().len(), 1);
    assert_eq!(faults[0]["message"], message);
    assert_eq!(summary(folder.path())["pages"]["total"], 2);
}
