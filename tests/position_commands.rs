//! The commands on positions as a user runs them: output, exit codes, files and standard input.

const BAD: &str = "rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn run(arguments: &[&str], stdin: &str) -> (i32, String, String) {
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .args(arguments)
        .write_stdin(stdin)
        .output()
        .expect("the program runs");
    let code = output.status.code().expect("an exit code");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn check_points_at_the_fault_and_tells_the_cure() {
    let (code, stdout, stderr) = run(&["check", BAD], "");
    assert_eq!(code, 1);
    assert_eq!(
        stdout,
        "wrong  rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n  \
         error[rank-length]: placement: rank 7 has 7 squares, expected 8\n    \
         rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n             ^\n    \
         hint: count the letters and add the digits of the rank\n"
    );
    assert_eq!(stderr, "");
}

#[test]
fn check_reads_lines_and_says_which_is_wrong() {
    let lines = format!("# a comment\n8/8/8/4k3/8/8/8/4K3 w - - 0 1\n\n{BAD}\n");
    let (code, stdout, _) = run(&["check", "-", "--format", "jsonl"], &lines);
    assert_eq!(code, 1);
    let objects: Vec<serde_json::Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(objects[0]["sound"], true);
    assert_eq!(objects[0]["place"], "-:2");
    assert_eq!(objects[1]["place"], "-:4");
    assert_eq!(objects[1]["fen"], serde_json::Value::Null);
    assert_eq!(objects[1]["diagnostics"][0]["code"], "rank-length");
    assert_eq!(objects[1]["diagnostics"][0]["position"], 9);
}

#[test]
fn check_takes_a_fen_without_quotation_marks() {
    let (code, stdout, _) = run(
        &["check", "8/8/8/4k3/8/8/8/4K3", "w", "-", "-", "0", "1"],
        "",
    );
    assert_eq!(
        (code, stdout.as_str()),
        (0, "sound  8/8/8/4k3/8/8/8/4K3 w - - 0 1\n")
    );
}

#[test]
fn check_reads_epd_files_and_says_what_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.epd");
    let lines = "8/8/8/4k3/8/8/8/4K3 w - - id \"one\";\n8/8/8/4k3/8/8/8/4K3 w - - id \"two\n";
    std::fs::write(&path, lines).unwrap();
    let (code, stdout, _) = run(&["check", path.to_str().unwrap(), "--faults-only"], "");
    assert_eq!(code, 1);
    assert!(stdout.contains("two.epd:2"), "{stdout}");
    assert!(stdout.contains("error[epd-syntax]"), "{stdout}");
    let (code, _, stderr) = run(&["check", "missing.epd"], "");
    assert_eq!(code, 3);
    assert!(stderr.contains("cannot open missing.epd"), "{stderr}");
}

#[test]
fn check_of_a_pipe_without_a_position_is_no_success() {
    let (code, stdout, stderr) = run(&["check", "-"], "\n");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert_eq!(stderr, "there is no position in what was given\n");
}

#[test]
fn check_names_the_game_of_a_pgn_file_whose_fen_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.pgn");
    std::fs::write(
        &path,
        format!("[Event \"A\"]\n\n1. e4 *\n\n[FEN \"{BAD}\"]\n\n*\n"),
    )
    .unwrap();
    let (code, stdout, _) = run(&["check", path.to_str().unwrap(), "--faults-only"], "");
    assert_eq!(code, 1);
    assert!(stdout.contains("two.pgn, game 2: "), "{stdout}");
    assert!(stdout.contains("error[rank-length]"), "{stdout}");
}

#[test]
fn options_of_every_command_may_stand_before_its_name() {
    let (code, stdout, _) = run(
        &["--engine", "tract", "-q", "check", "8/8/8/4k3/8/8/8/4K3"],
        "",
    );
    assert_eq!(code, 0);
    assert!(stdout.starts_with("sound"), "{stdout}");
    let (code, _, stderr) = run(&["-w", "check", "8/8/8/4k3/8/8/8/4K3"], "");
    assert_eq!(code, 2);
    assert!(
        stderr.contains("`--white` before `check` belongs to reading pictures"),
        "{stderr}"
    );
}

#[test]
fn a_picture_with_the_name_of_a_command_is_pointed_to() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("check"), "").unwrap();
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .arg("check")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.ends_with("hint: to read the picture `check`, write `img2fen ./check`\n"),
        "{stderr}"
    );
}

#[test]
fn explain_draws_the_board_and_words_the_fields() {
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let (code, stdout, _) = run(&["explain", fen, "--ascii"], "");
    assert_eq!(code, 0);
    for line in [
        "  3  . . . . . N . .",
        "  7  pp1ppppp  black pawns a7 b7 d7 e7 f7 g7 h7",
        "side to move b: Black makes the next move",
        "halfmove clock 1: 1 half-move since the last capture or pawn move; from 100 a player may claim a draw",
    ] {
        assert!(
            stdout.lines().any(|found| found == line),
            "{line}\n{stdout}"
        );
    }
}

#[test]
fn explain_and_play_read_an_epd_too() {
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - id \"one\"; hmvc 3; fmvn 9;";
    let (code, stdout, _) = run(&["explain", epd], "");
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("\nfullmove number 9: "), "{stdout}");
    let (code, stdout, _) = run(&["play", epd, "O-O", "--format", "fen"], "");
    assert_eq!(
        (code, stdout.as_str()),
        (0, "4k3/8/8/8/8/8/8/5RK1 b - - 4 9\n")
    );
}

#[test]
fn play_shows_each_fen_and_refuses_what_is_not_legal() {
    let (code, stdout, _) = run(
        &[
            "play", "start", "1.e4", "c5", "2.", "g1f3", "--format", "fen",
        ],
        "",
    );
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n";
    assert_eq!((code, stdout.as_str()), (0, fen));
    let (code, stdout, _) = run(&["play", "start", "e4"], "");
    assert_eq!(code, 0);
    assert!(
        stdout.contains("  en passant target: - → e3, a pawn has skipped this square\n"),
        "{stdout}"
    );
    let (code, _, stderr) = run(&["play", "start", "e4", "e4"], "");
    assert_eq!(code, 2);
    assert_eq!(
        stderr,
        "img2fen: error: move 1: `e4` is no legal move for Black\n"
    );
}

#[test]
fn render_writes_svg_and_png_and_refuses_other_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (code, stdout, _) = run(
        &["render", "start", "--view", "black", "--highlight", "e4,d5"],
        "",
    );
    assert_eq!(code, 0);
    assert!(stdout.starts_with("<svg ") && stdout.ends_with("</svg>\n"));
    assert_eq!(
        run(&["render", "start", "-o", &path("a.png"), "--print"], "").0,
        0
    );
    assert_eq!(&std::fs::read(path("a.png")).unwrap()[1..4], b"PNG");
    let (code, _, stderr) = run(&["render", "start", "-o", &path("none/a.png")], "");
    assert_eq!(code, 4, "{stderr}");
    let (code, _, stderr) = run(&["render", "start", "-o", &path("a.jpg")], "");
    assert_eq!(code, 2);
    assert!(
        stderr.contains("ends neither in .svg nor in .png"),
        "{stderr}"
    );
}

#[test]
fn convert_goes_round_through_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let fens = "4k3/8/8/8/8/8/8/4K2R w K - 3 9\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n";
    for (format, extension) in [
        ("epd", "epd"),
        ("pgn", "pgn"),
        ("json", "json"),
        ("jsonl", "jsonl"),
        ("url", "txt"),
    ] {
        let path = folder.path().join(format!("positions.{extension}"));
        let path = path.to_str().unwrap();
        let (code, _, stderr) = run(&["convert", "-", "--to", format, "-o", path], fens);
        assert_eq!((code, stderr.as_str()), (0, ""), "{format}");
        let (code, stdout, _) = run(&["convert", path, "--to", "fen"], "");
        assert_eq!((code, stdout.as_str()), (0, fens), "{format}");
    }
    let (code, stdout, stderr) = run(
        &["convert", "-", "--to", "fen", "--en-passant-style", "legal"],
        &format!("{fens}{BAD}\n"),
    );
    assert_eq!(code, 3);
    assert_eq!(stdout, fens.replace("e3", "-"));
    assert!(stderr.contains("-:3: rnbqkbnr/pp1pppp"), "{stderr}");
}
