//! The command line: what goes where, and how it ends.

mod common;

use std::fs;

use common::{img2fen, img2fen_with_input, stderr, stdout, testdata};
use image::{ImageFormat, RgbImage};
use serde_json::Value;

const SCREENSHOT_PLACEMENT: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR";

fn screenshot() -> String {
    testdata("screenshot.png").display().to_string()
}

#[test]
fn corners_that_meet_no_board_are_told_in_a_dozen_squares_and_without_a_cure() {
    let photo = testdata("photo.jpg").display().to_string();
    let output = img2fen(&[&photo, "--corners", "40,76 480,76 480,516 40,516"]);
    assert_eq!(output.status.code(), Some(0));
    let told = stderr(&output);
    assert!(told.contains("; see with `--annotate` whether this is the board\n"));
    assert_eq!(
        told.lines().filter(|line| line.starts_with("  ")).count(),
        13
    );
    assert!(told.contains(" more, all in `--json`\n"));
    assert!(!told.contains("would cure"));
}

#[test]
fn the_fen_alone_is_on_standard_output() {
    let output = img2fen(&[&screenshot(), "-b"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        format!("{SCREENSHOT_PLACEMENT} b KQkq - 0 1\n")
    );
    assert!(stderr(&output).contains("White below") || stderr(&output).contains("white below"));
}

#[test]
fn the_readme_shows_what_its_first_example_says() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, example) = readme.split_once("```console\n$ img2fen ").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let (command, shown) = example.split_once('\n').unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_img2fen"))
        .args(command.split(' '))
        .current_dir(root)
        .output()
        .unwrap();
    assert_eq!(stderr(&output) + &stdout(&output), shown);
}

#[test]
fn an_assumed_side_to_move_is_said() {
    let output = img2fen(&[&screenshot()]);
    assert!(
        stderr(&output).contains("turn-assumed"),
        "{}",
        stderr(&output)
    );
    let output = img2fen(&[&screenshot(), "-w"]);
    assert!(
        !stderr(&output).contains("turn-assumed"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn given_fields_go_into_the_fen() {
    let output = img2fen(&[
        &screenshot(),
        "-b",
        "--castling",
        "Qk",
        "--halfmove",
        "3",
        "--fullmove",
        "4",
    ]);
    assert_eq!(
        stdout(&output),
        format!("{SCREENSHOT_PLACEMENT} b Qk - 3 4\n")
    );
    let output = img2fen(&[&screenshot(), "-w", "--castling", "-", "--ep", "e6"]);
    assert_eq!(
        stdout(&output),
        format!("{SCREENSHOT_PLACEMENT} w - e6 0 1\n")
    );
}

#[test]
fn the_view_turns_the_board() {
    let output = img2fen(&[&screenshot(), "-w", "--view", "black"]);
    let turned: String = SCREENSHOT_PLACEMENT.chars().rev().collect();
    assert!(stdout(&output).starts_with(&turned), "{}", stdout(&output));
}

#[test]
fn impossible_fields_are_refused_with_the_reason() {
    for (arguments, reason) in [
        (vec!["-w", "--ep", "e5"], "rank 5"),
        (
            vec!["-b", "--ep", "e6"],
            "with Black to move it is on rank 3",
        ),
        (vec!["-w", "--ep", "d6"], "pawn"),
        (vec!["-w", "--ep", "x9"], "--ep"),
        (vec!["-b", "--castling", "XY"], "castling"),
        (vec!["-b", "--castling", "KK"], "holds `K` twice"),
        (vec!["-w", "-b"], "cannot be used with"),
        (vec!["--fullmove", "0"], "--fullmove"),
        (vec!["--min-confidence", "1.5"], "0 to 1"),
        (vec!["--corners", "0,0 1,1 2,2 3,3"], "corners"),
        (
            vec!["--corners", "900,76 1340,76 1340,516 900,516"],
            "the given corners are out of range: 64 of their 64 squares lie outside the picture of ",
        ),
        (
            vec!["--corners", "-300,76 140,76 140,516 -300,516"],
            "squares lie outside the picture of ",
        ),
        (
            vec!["--corners", "-1e30,-1e30 1e30,-1e30 1e30,1e30 -1e30,1e30"],
            "`-1e30,-1e30` is out of range",
        ),
        (
            vec!["--corners", "-1e6,-1e6 1e6,-1e6 1e6,1e6 -1e6,1e6"],
            "the given corners are out of range: they lie outside the picture of ",
        ),
        (
            vec!["--corners", "40,76 480,76 480,NaN 40,516"],
            "`480,NaN` is out of range",
        ),
        (
            vec!["--corners", "40,76 inf,76 480,516 40,516"],
            "`inf,76` is out of range",
        ),
        (
            vec!["--corners", "1,2"],
            "clockwise from the board's top left",
        ),
        (vec!["--board", "2"], "no board 2"),
    ] {
        let mut all = vec![screenshot()];
        all.extend(arguments.iter().map(|&argument| argument.to_owned()));
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let output = img2fen(&all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert!(
            stderr(&output).contains(reason),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn values_that_cannot_be_are_refused_before_anything_is_read() {
    for (arguments, flag) in [
        (&["--castling", "XY"][..], "--castling"),
        (&["--castling", ""], "--castling"),
        (&["--castling", "KK"], "--castling"),
        (&["--ep", "e5"], "--ep"),
        (&["--ep", "x9"], "--ep"),
        (&["-b", "--ep", "e6"], "--ep"),
        (&["-w", "--ep", "e3"], "--ep"),
        (&["--halfmove", "-1"], "--halfmove"),
        (&["--fullmove", "0"], "--fullmove"),
        (&["--board", "0"], "--board"),
        (&["--corners", "1,2"], "--corners"),
        (&["--corners", "0,0 1,1 2,2 3,3"], "--corners"),
        (&["--corners", "0,0 0,9 9,9 9,0"], "--corners"),
        (&["--min-confidence", "1.5"], "--min-confidence"),
        (&["--timeout", "0"], "--timeout"),
        (&["--annotate", "seen.pdf"], "--annotate"),
    ] {
        // Neither file is there: nobody has looked.
        let output = img2fen(&[&["missing.png", "none.png"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.contains(flag), "{arguments:?}: {said}");
        assert!(!said.contains("missing.png"), "{arguments:?}: {said}");
        if arguments[0] == "--castling" && arguments[1] != "KK" {
            assert!(said.contains("expected `auto`, `-`"), "{said}");
        }
    }
}

#[test]
fn bad_inputs_are_named_and_the_good_ones_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let whole = fs::read(testdata("screenshot.png")).unwrap();
    let bad = [
        folder.path().join("missing.png").display().to_string(),
        folder.path().display().to_string(),
        file("empty.png", b""),
        file("text.png", b"1. e4 e5"),
        file("cut.png", &whole[..whole.len() / 2]),
        file("zero.pgm", b"P5 0 10 255\n"),
        file("huge.pgm", b"P5 65535 65535 255\n"),
    ];
    let good = screenshot();
    let mut arguments: Vec<&str> = bad.iter().map(String::as_str).collect();
    arguments.insert(3, &good);
    arguments.push("-b");
    let output = img2fen(&arguments);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        stdout(&output),
        format!("{SCREENSHOT_PLACEMENT} b KQkq - 0 1\n")
    );
    let said = stderr(&output);
    for name in &bad {
        assert!(
            said.contains(&format!("error: {name}: ")),
            "{name} is not named in {said}"
        );
    }
    assert_eq!(said.matches("hint: ").count(), bad.len());
    assert!(!said.contains("panicked"));
}

#[test]
fn pictures_without_a_whole_board_end_with_code_1_and_advice() {
    let folder = tempfile::tempdir().unwrap();
    let dot = folder.path().join("dot.png");
    RgbImage::new(1, 1).save(&dot).unwrap();
    for path in [dot, testdata("cut.png"), testdata("table.png")] {
        let name = path.display().to_string();
        let output = img2fen(&[&name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert_eq!(stdout(&output), "", "{name}");
        assert!(stderr(&output).contains(&name), "{name}");
    }
}

#[test]
fn a_picture_without_a_board_is_named_however_little_is_to_be_said() {
    for file in ["table.png", "cut.png"] {
        let name = testdata(file).display().to_string();
        let output = img2fen(&[&name, "-q"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = stderr(&output);
        assert!(
            said.starts_with(&format!("img2fen: error: {name}: no board found\nhint: ")),
            "{said}"
        );
        assert_eq!(said.lines().count(), 2, "{said}");
    }
    assert_eq!(stderr(&img2fen(&[&screenshot(), "-q"])), "");
}

#[test]
fn help_of_a_command_that_others_call_lists_its_exit_codes() {
    for (command, codes) in [
        ("batch", &["0", "1", "2", "3", "4", "130"][..]),
        ("eval", &["0", "1", "2", "3", "4"]),
        ("check", &["0", "1", "2", "3", "4"]),
        ("explain", &["0", "1", "2", "3", "4"]),
        ("convert", &["0", "1", "2", "3", "4"]),
        ("play", &["0", "2", "4"]),
        ("render", &["0", "2", "4"]),
        ("export", &["0", "2", "3", "4"]),
        ("review", &["0", "2", "3", "4", "130"]),
    ] {
        let help = stdout(&img2fen(&[command, "--help"]));
        let (_, list) = help.split_once("Exit codes:\n").expect("a list");
        let listed: Vec<&str> = list
            .lines()
            .take_while(|line| !line.is_empty())
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        assert_eq!(listed, codes, "{help}");
    }
}

#[test]
fn a_manifest_that_is_not_there_is_named_with_what_to_name() {
    let output = img2fen(&["eval", "missing.jsonl"]);
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(
        said.starts_with("img2fen: error: missing.jsonl: cannot read the manifest: ")
            && said.contains("\nhint: name a file with a line of JSON for each picture"),
        "{said}"
    );
}

#[test]
fn floors_that_cannot_be_read_are_named_before_any_picture_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = folder.path().join("manifest.jsonl");
    let line = "{\"file\": \"missing.png\", \"kind\": \"scan\", \"boards\": []}\n";
    fs::write(&manifest, line).unwrap();
    let broken = folder.path().join("floors.json");
    fs::write(&broken, "[]").unwrap();
    let broken = broken.display().to_string();
    let cases: [(&str, &str); 2] = [
        ("none.json", "`--floors`: cannot read none.json: "),
        (
            &broken,
            &format!("`--floors`: {broken} is no JSON object of numbers: "),
        ),
    ];
    for (floors, reason) in cases {
        let manifest = manifest.display().to_string();
        let output = img2fen(&["eval", &manifest, "--floors", floors]);
        assert_eq!(output.status.code(), Some(3));
        let said = stderr(&output);
        assert!(
            said.contains(&format!("img2fen: error: {reason}")),
            "{said}"
        );
    }
}

#[test]
fn standard_input_is_read() {
    let bytes = fs::read(testdata("screenshot.png")).unwrap();
    for arguments in [vec!["-", "-b"], vec!["-b"]] {
        let output = img2fen_with_input(&arguments, &bytes);
        assert_eq!(
            stdout(&output),
            format!("{SCREENSHOT_PLACEMENT} b KQkq - 0 1\n")
        );
    }
    assert_eq!(
        img2fen_with_input(&["-", "-"], &bytes).status.code(),
        Some(2)
    );
}

#[test]
fn every_format_gives_the_same_fen() {
    let picture = image::open(testdata("screenshot.png")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in [
        ("a.bmp", ImageFormat::Bmp),
        ("a.gif", ImageFormat::Gif),
        ("a.jpg", ImageFormat::Jpeg),
        ("a.ppm", ImageFormat::Pnm),
        ("a.tiff", ImageFormat::Tiff),
        ("a.webp", ImageFormat::WebP),
        // The content counts, not the name.
        ("wrong.png", ImageFormat::Bmp),
    ] {
        let path = folder.path().join(name);
        picture.save_with_format(&path, format).unwrap();
        let output = img2fen(&[&path.display().to_string(), "-b"]);
        assert_eq!(
            stdout(&output),
            format!("{SCREENSHOT_PLACEMENT} b KQkq - 0 1\n"),
            "{name}"
        );
    }
}

#[test]
fn json_holds_the_keys_that_programs_rely_on() {
    let page = testdata("printed-page.png").display().to_string();
    let table = testdata("table.png").display().to_string();
    let output = img2fen(&[&page, &table, "missing.png", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let objects: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let types: Vec<&str> = objects
        .iter()
        .map(|object| object["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        [
            "reading", "reading", "reading", "reading", "no_board", "error"
        ]
    );
    for (index, reading) in objects[..4].iter().enumerate() {
        for key in [
            "source",
            "quad",
            "placement",
            "fen",
            "orientation",
            "fields",
            "board_confidence",
            "doubtful",
            "doubtful_squares",
            "squares",
            "diagnostics",
            "engine",
            "models",
            "version",
        ] {
            assert!(reading.get(key).is_some(), "{key}");
        }
        assert_eq!(reading["source"]["board"], index + 1);
        assert_eq!(reading["quad"].as_array().unwrap().len(), 4);
        assert_eq!(reading["squares"].as_array().unwrap().len(), 64);
        assert_eq!(reading["squares"][0]["square"], "a8");
        assert_eq!(reading["squares"][63]["square"], "h1");
        assert_eq!(reading["fields"]["turn"]["provenance"], "assumed");
        assert_eq!(reading["fields"]["castling"]["provenance"], "inferred");
        let fen = reading["fen"].as_str().unwrap();
        assert_eq!(fen.split(' ').count(), 6);
        assert_eq!(fen.split(' ').next(), reading["placement"].as_str());
    }
}

#[test]
fn a_board_of_the_page_can_be_chosen() {
    let page = testdata("printed-page.png").display().to_string();
    let output = img2fen(&[&page, "--board", "3", "-w"]);
    assert_eq!(
        stdout(&output),
        "8/5pk1/4p1p1/3pP2p/3P1P1P/2r3P1/R4K2/8 w - - 0 1\n"
    );
}

#[test]
fn given_corners_replace_the_search() {
    let output = img2fen(&[
        &screenshot(),
        "-b",
        "--corners",
        "40,76",
        "480,76",
        "480,516",
        "40,516",
    ]);
    assert_eq!(
        stdout(&output),
        format!("{SCREENSHOT_PLACEMENT} b KQkq - 0 1\n")
    );
}

#[test]
fn given_corners_may_reach_over_the_edge_while_most_of_the_board_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.png");
    // The board's left file is cut off.
    image::open(testdata("screenshot.png"))
        .unwrap()
        .crop_imm(95, 0, 600, 600)
        .save(&cut)
        .unwrap();
    let corners = "-55,76 385,76 385,516 -55,516";
    let output = img2fen(&[&cut.display().to_string(), "-b", "--corners", corners]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 1);
}

#[test]
fn strict_makes_doubt_an_error_that_is_said_however_little_is_to_be_said() {
    let page = testdata("printed-page.png").display().to_string();
    for (name, boards) in [(screenshot(), 1), (page, 4)] {
        let words = [&name, "-q", "--strict", "--min-confidence"];
        let output = img2fen(&[&words[..], &["1"]].concat());
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = stderr(&output);
        assert_eq!(said.lines().count(), boards, "{said}");
        for (number, line) in (1..).zip(said.lines()) {
            let place = match boards {
                1 => name.clone(),
                _ => format!("{name}, board {number}"),
            };
            let start = format!("img2fen: error: {place}: doubtful, confidence 0.");
            assert!(line.starts_with(&start), "{said}");
        }
        let output = img2fen(&[&words[..], &["0"]].concat());
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert_eq!(stderr(&output), "");
        let output = img2fen(&[&name, "-q", "--min-confidence", "1"]);
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn boards_left_out_are_named_however_little_is_to_be_said() {
    let page = testdata("printed-page.png").display().to_string();
    let output = img2fen(&[&page, "-q", "--max-boards", "3"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        format!(
            "img2fen: error: {page}: has more boards than the limit of `--max-boards`: the 3 surest were read, 1 left out\n"
        )
    );
}

#[test]
fn no_picture_is_answered_with_how_to_name_one() {
    for arguments in [&[][..], &["-w"], &["read"]] {
        let output = img2fen(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(
            stderr(&output),
            "img2fen: error: no picture is named, and standard input is empty\nhint: try `img2fen photo.png -w`, or \
             `img2fen --help`\n"
        );
    }
    let output = img2fen(&["-"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        stderr(&output),
        "img2fen: error: -: standard input is empty\nhint: check the command before the `|`\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_who_names_no_picture_sees_the_help() {
    // `script` gives the program a terminal.
    let program = env!("CARGO_BIN_EXE_img2fen");
    let output = std::process::Command::new("script")
        .args(["--quiet", "--return", "--command", program, "/dev/null"])
        .stdin(std::process::Stdio::null())
        .output();
    let Ok(output) = output else {
        return;
    };
    let seen = stdout(&output);
    assert_eq!(output.status.code(), Some(2), "{seen}");
    assert!(
        seen.contains("Usage: img2fen [OPTIONS] [IMAGE]..."),
        "{seen}"
    );
    assert!(
        seen.contains("img2fen: error: no picture is named\r\nhint: "),
        "{seen}"
    );
}

#[test]
fn documents_are_sent_to_the_batch_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut pdf = b"%PDF-1.7\n".to_vec();
    pdf.resize(3000, 0);
    for (name, bytes, kind) in [
        ("book.pdf", &pdf[..], Some("PDF")),
        ("book.png", &pdf, Some("PDF")),
        ("book.djvu", b"AT&TFORM\0\0\0\x04DJVM", Some("DjVu")),
        ("zeros.pdf", &[0; 3000], None),
        ("zeros.png", &[0; 3000], None),
    ] {
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, bytes).unwrap();
        // Whatever the limit: the document would not be read with a higher one.
        for limit in ["4000", "10"] {
            for from_stdin in [false, true] {
                let arguments = [
                    "--max-file-size",
                    limit,
                    if from_stdin { "-" } else { &path },
                ];
                let output = img2fen_with_input(&arguments, bytes);
                assert_eq!(output.status.code(), Some(3), "{name}");
                let said = stderr(&output);
                let (message, hint) = match (kind, limit) {
                    (Some(kind), _) => (
                        format!("is a {kind} document, not a picture"),
                        "hint: `img2fen batch FILE -o DIR` reads",
                    ),
                    (None, "10") => (
                        ", the limit is 10".to_owned(),
                        "hint: make the file smaller, or raise `--max-file-size`",
                    ),
                    (None, _) => (
                        "is in no format that img2fen reads".to_owned(),
                        "hint: save it as PNG",
                    ),
                };
                assert!(
                    said.contains(&message) && said.contains(hint),
                    "{name}: {said}"
                );
            }
        }
    }
}

#[test]
fn the_annotated_picture_shows_the_lattice() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("seen.png");
    let output = img2fen(&[&screenshot(), "--annotate", &out.display().to_string()]);
    assert_eq!(output.status.code(), Some(0));
    let said = format!("{}: the picture with 1 board drawn in\n", out.display());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains(&said), "{stderr}");
    let quiet = [
        "-q",
        &screenshot(),
        "--annotate",
        &out.display().to_string(),
    ];
    assert_eq!(img2fen(&quiet).stderr, b"");
    let (before, after) = (
        image::open(testdata("screenshot.png")).unwrap().to_rgb8(),
        image::open(out).unwrap().to_rgb8(),
    );
    assert_eq!(before.dimensions(), after.dimensions());
    let changed = |x: u32, y: u32| before.get_pixel(x, y) != after.get_pixel(x, y);
    // A crossing of the lattice, to within the accuracy of the corners.
    assert!(
        (257..=263).any(|x| changed(x, 320)),
        "a line between two files"
    );
    assert!(
        (293..=299).any(|y| changed(285, y)),
        "a line between two ranks"
    );
    assert_eq!(
        before.get_pixel(700, 300),
        after.get_pixel(700, 300),
        "a place beside the board"
    );
}

#[test]
fn every_text_format_holds_the_boards_in_reading_order() {
    let page = testdata("printed-page.png").display().to_string();
    let read = |format: &str| {
        let output = img2fen(&[&page, "-w", "--format", format]);
        assert_eq!(output.status.code(), Some(0), "{format}");
        stdout(&output)
    };
    let fens = read("fen");
    let fens: Vec<&str> = fens.lines().collect();
    assert_eq!(fens.len(), 4);
    for (number, (fen, line)) in (1..).zip(fens.iter().zip(read("epd").lines())) {
        let four = fen.strip_suffix(" 0 1").unwrap();
        let id = format!("{four} id \"{page} #{number}\";");
        assert!(line.starts_with(&id), "{line}");
    }
    let games = read("pgn");
    let games: Vec<&str> = games
        .lines()
        .filter_map(|line| line.strip_prefix("[FEN \"")?.strip_suffix("\"]"))
        .collect();
    assert_eq!(games, fens);
    let objects = read("jsonl");
    for (fen, line) in fens.iter().zip(objects.lines()) {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["type"], "reading");
        assert_eq!(object["fen"], *fen);
        assert_eq!(object["fields"]["turn"]["provenance"], "given");
    }
    let table = read("csv");
    let rows: Vec<&str> = table.split_terminator("\r\n").collect();
    assert!(rows[0].starts_with("path,page,board,diagram,fen,"));
    for (fen, row) in fens.iter().zip(&rows[1..]) {
        assert!(row.contains(&format!(",{fen},given,")), "{row}");
    }
    for (format, place) in [("url", "analysis/standard"), ("editor-url", "editor")] {
        let links: Vec<String> = fens
            .iter()
            .map(|fen| format!("https://lichess.org/{place}/{}", fen.replace(' ', "_")))
            .collect();
        assert_eq!(read(format).lines().collect::<Vec<_>>(), links);
    }
}

#[test]
fn lines_of_json_also_tell_of_pictures_without_a_board() {
    let table = testdata("table.png").display().to_string();
    let output = img2fen(&[&table, "missing.png", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(3));
    let types: Vec<String> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].to_string())
        .collect();
    assert_eq!(types, ["\"no_board\"", "\"error\""]);
}

#[test]
fn an_output_that_cannot_be_written_ends_with_code_4() {
    let output = img2fen(&[&screenshot(), "--annotate", "/nowhere/seen.png"]);
    assert_eq!(output.status.code(), Some(4));
    let error = "img2fen: error: the output cannot be used: cannot write /nowhere/seen.png: No such file or directory (os error 2)\n\
                 hint: make the folder first, or name another place\n";
    assert!(stderr(&output).ends_with(error), "{}", stderr(&output));
}

#[test]
fn an_annotated_picture_replaces_no_picture_that_is_read_and_needs_a_name_that_says_its_kind() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("board.png");
    fs::copy(testdata("screenshot.png"), &picture).unwrap();
    let name = picture.display().to_string();
    let roundabout = folder.path().join(".").join("board.png");
    for (out, reason) in [
        (roundabout.display().to_string(), "would overwrite"),
        ("seen.pdf".to_owned(), "which kind of picture"),
        ("seen".to_owned(), "which kind of picture"),
    ] {
        let output = img2fen(&[&name, "--annotate", &out]);
        assert_eq!(output.status.code(), Some(2), "{out}");
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    assert_eq!(
        fs::read(&picture).unwrap(),
        fs::read(testdata("screenshot.png")).unwrap()
    );
}

#[test]
fn a_photo_that_ends_within_its_pixels_is_refused_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.jpg");
    let bytes = fs::read(testdata("photo.jpg")).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 500]).unwrap();
    let output = img2fen(&[&cut.display().to_string(), &screenshot(), "-b"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        stdout(&output),
        format!("{SCREENSHOT_PLACEMENT} b KQkq - 0 1\n")
    );
    assert!(
        stderr(&output).contains("cut.jpg: is damaged or cut short"),
        "{}",
        stderr(&output)
    );
}
