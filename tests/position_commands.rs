//! The commands on positions as a user runs them: output, exit codes, files and standard input.

const BAD: &str = "rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn run(arguments: &[&str], stdin: impl AsRef<[u8]>) -> (i32, String, String) {
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .args(arguments)
        .write_stdin(stdin.as_ref())
        // Nothing here takes long; what waits for ever fails.
        .timeout(std::time::Duration::from_secs(60))
        .output()
        .expect("the program runs");
    let code = output.status.code().expect("an exit code");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (code, text(output.stdout), text(output.stderr))
}

fn assert_line(text: &str, line: &str) {
    assert!(text.lines().any(|found| found == line), "{line}\n{text}");
}

#[cfg(unix)]
fn make_pipe(path: impl AsRef<std::path::Path>) {
    let made = std::process::Command::new("mkfifo")
        .arg(path.as_ref())
        .status();
    assert!(made.unwrap().success());
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
    assert!(
        stderr.starts_with("img2fen: error: missing.epd: cannot open the file: ")
            && stderr.ends_with("\nhint: check the name\n"),
        "{stderr}"
    );
}

#[test]
fn check_of_a_pipe_without_a_position_is_no_success() {
    let (code, stdout, stderr) = run(&["check", "-"], "\n");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert_eq!(
        stderr,
        "img2fen: error: -: there is no position in it\nhint: give one FEN a line\n"
    );
}

/// Every ending that is read, with a file of that kind that holds this position.
fn files_of(fen: &str) -> [(&'static str, String); 6] {
    [
        ("fen", format!("{fen}\n")),
        ("txt", format!("# a remark\n{fen}\n")),
        (
            "epd",
            format!("{} id \"one\";\n", fen.strip_suffix(" 0 1").unwrap()),
        ),
        ("pgn", format!("[Event \"A\"]\n[FEN \"{fen}\"]\n\n*\n")),
        ("json", format!("[\n{{\"fen\": \"{fen}\"}}\n]\n")),
        ("jsonl", format!("{{\"fen\": \"{fen}\"}}\n")),
    ]
}

const KINGS: &str = "8/8/8/4k3/8/8/8/4K3 w - - 0 1";

#[test]
fn every_kind_of_file_is_read_with_every_line_end_and_a_mark_of_utf_8() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, text) in files_of(KINGS) {
        let path = folder.path().join(format!("one.{ending}"));
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                std::fs::write(&path, format!("{mark}{}", text.replace('\n', end))).unwrap();
                let (code, stdout, stderr) =
                    run(&["convert", path.to_str().unwrap(), "--to", "fen"], "");
                assert_eq!(
                    (code, stdout, stderr),
                    (0, format!("{KINGS}\n"), String::new()),
                    "{ending} {end:?} {mark:?}"
                );
            }
        }
    }
    let lines = format!("\u{feff}{KINGS}\r{KINGS}\r\n\r\n{BAD}\r");
    let (_, stdout, _) = run(&["check", "-"], lines);
    let places: Vec<&str> = stdout
        .lines()
        .filter(|line| line.starts_with("sound") || line.starts_with("wrong"))
        .map(|line| &line[..10])
        .collect();
    assert_eq!(places, ["sound  -:1", "sound  -:2", "wrong  -:4"]);
}

#[test]
fn utf_16_and_what_is_no_text_is_refused_in_every_kind_of_file() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, text) in files_of(KINGS) {
        let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let marked = format!("\u{feff}{text}");
        let bytes: [(Vec<u8>, &str); 4] = [
            (little(&marked), "is UTF-16\nhint: save the file as UTF-8\n"),
            (big(&marked), "is UTF-16\nhint: save the file as UTF-8\n"),
            (
                little(&text),
                "is no text: it holds zero bytes\nhint: if it is UTF-16, save it as UTF-8\n",
            ),
            (
                b"\x7fELF\0\0".to_vec(),
                "is no text: it holds zero bytes\nhint: if it is UTF-16, save it as UTF-8\n",
            ),
        ];
        for (bytes, reason) in bytes {
            let path = folder.path().join(format!("one.{ending}"));
            std::fs::write(&path, bytes).unwrap();
            let path = path.to_str().unwrap();
            let (code, stdout, stderr) = run(&["check", path, KINGS], "");
            assert_eq!(code, 3, "{ending}");
            assert_eq!(stdout, format!("sound  {KINGS}\n"));
            assert!(
                stderr.starts_with(&format!("img2fen: error: {path}")) && stderr.ends_with(reason),
                "{stderr}"
            );
        }
    }
}

#[test]
fn letters_that_are_not_utf_8_are_read_as_iso_8859_1_and_this_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let board = "8/8/8/4k3/8/8/8/4K3 w - -";
    let line = [board.as_bytes(), b" id \"Caf\xe9 \xc3\xa9 \xff\";"].concat();
    let epd = format!("{board} id \"Caf\u{e9} \u{e9} \u{ff}\";\n");
    let tag = [b"[Event \"A\"]\n[FEN \"", KINGS.as_bytes(), b"\"]\n\n*\n"].concat();
    let event =
        b"\n[Event \"Caf\xe9 \xc3\xa9 \xff\"]\n[FEN \"8/8/8/4k3/8/8/8/4K3 w - - 0 1\"]\n\n*\n";
    for (ending, text, number, converted) in [
        (
            "fen",
            [b"\n".as_slice(), &line, b"\n", &line].concat(),
            2,
            epd.repeat(2),
        ),
        (
            "txt",
            [b"#\n#\n".as_slice(), &line, b"\n", &line].concat(),
            3,
            epd.repeat(2),
        ),
        (
            "epd",
            [&line, b"\n".as_slice(), &line].concat(),
            1,
            epd.repeat(2),
        ),
        (
            "pgn",
            [&tag, event.as_slice(), event].concat(),
            6,
            format!("{board} id \"A\";\n{}", epd.repeat(2)),
        ),
    ] {
        let path = folder.path().join(format!("one.{ending}"));
        for end in [b"\n".as_slice(), b"\r\n", b"\r"] {
            let text: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            std::fs::write(&path, text.join(end)).unwrap();
            let path = path.to_str().unwrap();
            let (code, stdout, stderr) = run(&["convert", path, "--to", "epd"], "");
            assert_eq!((code, &stdout), (0, &converted), "{ending} {end:?}");
            assert_eq!(
                stderr,
                format!("{path}:{number}: is not UTF-8; read as ISO 8859-1\n")
            );
        }
    }
    let piped = run(&["-q", "convert", "-", "--to", "epd"], line);
    assert_eq!(piped, (0, epd, String::new()));
}

#[test]
fn json_that_is_not_utf_8_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let good = format!("{{\"fen\": \"{KINGS}\"}}");
    let bad = b"{\"fen\": \"Caf\xe9\"}".as_slice();
    for end in [b"\n".as_slice(), b"\r\n", b"\r"] {
        for (name, lines, stdout, hint) in [
            (
                "some.json",
                [b"[", good.as_bytes(), b",", bad, b"]"],
                String::new(),
                "save the file as UTF-8",
            ),
            (
                "some.jsonl",
                [b"", good.as_bytes(), b"", bad, good.as_bytes()],
                format!("{KINGS}\n{KINGS}\n"),
                "save the file as UTF-8; the other lines are read",
            ),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, lines.join(end)).unwrap();
            let path = path.to_str().unwrap();
            let said = format!("img2fen: error: {path}:4: the line is not UTF-8\nhint: {hint}\n");
            let converted = run(&["convert", path, "--to", "fen"], "");
            assert_eq!(converted, (3, stdout, said));
        }
    }
}

#[test]
fn pgn_and_json_are_told_by_their_beginning_where_no_ending_tells() {
    let folder = tempfile::tempdir().unwrap();
    let fens = format!("{KINGS}\n{KINGS}\n");
    let object = format!("{{\"fen\": \"{KINGS}\"}}");
    let game = format!("[Event \"A\"]\n[FEN \"{KINGS}\"]\n\n*\n\n");
    for text in [
        game.repeat(2),
        format!("\n  [ FEN \"{KINGS}\" ]\n\n*\n{game}"),
        format!("% exported\n{}", game.repeat(2)),
        format!("[{object},\n{object}]"),
        format!("[\n\"{KINGS}\",\"{KINGS}\"]"),
        format!("[\"{KINGS}\",\"{KINGS}\"]"),
        format!("{object}\n\n{object}\n"),
        format!("# remarks\n\n{fens}"),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let text = format!("{mark}{}", text.replace('\n', end));
                let piped = run(&["convert", "-", "--to", "fen"], &text);
                assert_eq!(piped, (0, fens.clone(), String::new()), "{text:?}");
                let path = folder.path().join("some.txt");
                std::fs::write(&path, &text).unwrap();
                let read = run(&["convert", path.to_str().unwrap(), "--to", "fen"], "");
                assert_eq!(read, piped, "{text:?}");
            }
        }
    }
    let one = run(
        &["convert", "-", "--to", "fen"],
        object.replace(": ", ":\n"),
    );
    assert_eq!(one, (0, format!("{KINGS}\n"), String::new()));
    // What is broken is one error.
    let (code, stdout, stderr) = run(&["check", "-"], format!("[\n{object}\n{object}\n]"));
    assert_eq!((code, stdout.as_str()), (3, ""));
    assert_eq!(
        stderr,
        "img2fen: error: -: is no JSON: expected `,` or `]` at line 3 column 1\nhint: write the file again\n"
    );
}

#[cfg(unix)]
#[test]
fn names_with_control_characters_are_shown_escaped_on_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| format!("{}/{name}", folder.path().display());
    let (name, shown) = ("a\nb\x1b[31m\tc", "a\\nb\\u{1b}[31m\\tc");
    for (ending, text) in files_of(BAD) {
        let (name, shown) = (format!("{name}.{ending}"), format!("{shown}.{ending}"));
        std::fs::write(path(&name), text).unwrap();
        for command in ["check", "explain"] {
            let stdout = run(&[command, &path(&name)], "").1;
            assert!(stdout.contains(&path(&shown)), "{stdout}");
            assert!(!stdout.contains(&name), "{stdout}");
        }
        for (input, converted) in [
            (path(&name), path("out")),
            (path("none.fen"), path(name.as_str()) + "x"),
        ] {
            let stderr = run(&["convert", &input, "--to", "fen", "-o", &converted], "").2;
            assert!(stderr.contains(&shown), "{stderr}");
            assert!(!stderr.contains(&name), "{stderr}");
        }
        let missing = run(&["check", &path(&format!("no{name}"))], "").2;
        assert!(missing.contains(&path(&format!("no{shown}"))), "{missing}");
        // Programs get it as it is.
        let stdout = run(&["check", "--json", &path(&name)], "").1;
        let objects: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        let place = objects[0]["place"].as_str().unwrap();
        assert!(place.starts_with(&path(&name)), "{place}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_at_once_and_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, _) in files_of(KINGS) {
        let path = |name: &str| folder.path().join(format!("{name}.{ending}"));
        make_pipe(path("pipe"));
        std::os::unix::fs::symlink("/dev/zero", path("device")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        for (name, reason) in [
            ("pipe", "is a pipe or a device"),
            ("device", "is a pipe or a device"),
            ("socket", "is a pipe or a device"),
            ("folder", "is a folder"),
        ] {
            let path = path(name);
            let path = path.to_str().unwrap();
            for command in [&["check"][..], &["explain"], &["convert", "--to", "fen"]] {
                let (code, stdout, stderr) = run(&[command, &[path]].concat(), "");
                assert_eq!((code, stdout.as_str()), (3, ""), "{path}");
                let head = format!("img2fen: error: {path}: {reason}, not a file of positions\n");
                assert!(stderr.starts_with(&(head + "hint: ")), "{stderr}");
            }
        }
    }
    for path in ["/dev/zero", "/dev/null", "/dev"] {
        let (code, stdout, stderr) = run(&["check", path], "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{path}");
        assert!(
            stderr.starts_with(&format!(
                "img2fen: error: {path}: is no file of positions; those end in "
            )),
            "{stderr}"
        );
    }
}

#[test]
fn a_file_over_the_limit_is_refused_with_limit_and_flag() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, text) in files_of(KINGS) {
        let path = folder.path().join(format!("one.{ending}"));
        std::fs::write(&path, &text).unwrap();
        let path = path.to_str().unwrap();
        let limit = |bytes: usize| {
            let bytes = bytes.to_string();
            run(&["check", path, "--max-file-size", &bytes], "")
        };
        assert_eq!(limit(text.len()).0, 0, "{ending}");
        let (code, stdout, stderr) = limit(text.len() - 1);
        assert_eq!((code, stdout.as_str()), (3, ""), "{ending}");
        assert_eq!(
            stderr,
            format!(
                "img2fen: error: {path}: has {} bytes or more, the limit is {}\n\
                 hint: make the file smaller, or raise `--max-file-size`\n",
                text.len(),
                text.len() - 1
            )
        );
    }
}

#[test]
fn standard_input_and_its_lines_have_a_limit() {
    let (code, stdout, stderr) = run(
        &["check", "-", "--max-file-size", "40"],
        format!("{KINGS}\n{KINGS}\n"),
    );
    assert_eq!(code, 3);
    assert!(stdout.len() < 80, "{stdout}");
    assert!(
        stderr.contains("error: -:") && stderr.contains("the limit is 40\nhint: "),
        "{stderr}"
    );
    let longest = "8".repeat(1 << 20);
    let (code, stdout, stderr) = run(
        &["convert", "-", "--to", "fen"],
        format!("{KINGS}\n{longest}8\n{KINGS}\n"),
    );
    assert_eq!((code, stdout), (3, format!("{KINGS}\n").repeat(2)));
    assert!(
        stderr.starts_with("img2fen: error: -:2: the line has more than 1048576 bytes"),
        "{stderr}"
    );
}

#[test]
fn a_file_of_another_kind_is_no_text_of_a_fen() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["README.md", "board.png", "positions.csv", "notes", ".fen"] {
        let path = folder.path().join(name);
        std::fs::write(&path, "8/8/8/8/8/8/8/8\n".repeat(1000)).unwrap();
        let path = path.to_str().unwrap();
        for command in [&["check"][..], &["explain"], &["convert", "--to", "fen"]] {
            let (code, stdout, stderr) = run(&[command, &[KINGS, path]].concat(), "");
            assert_eq!((code, stdout.as_str()), (2, ""), "{path}");
            assert_eq!(
                stderr,
                format!(
                    "img2fen: error: {path}: is no file of positions; those end in .fen, .txt, .epd, .pgn, .json, .jsonl\n\
                     hint: lines of FENs are read from standard input with `-`\n"
                )
            );
        }
    }
    // A field of a FEN is one, also where a file has its name.
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .args(["check", "8/8/8/4k3/8/8/8/4K3", "w", "-", "-", "0", "1"])
        .current_dir({
            std::fs::write(folder.path().join("w"), "").unwrap();
            folder.path()
        })
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn an_entry_without_a_fen_is_named_with_its_place_and_cause_and_the_others_are_read() {
    let hint = "an entry is a FEN in quotation marks or an object with one as `fen`";
    let entries: [(&str, &str); 6] = [
        (
            "{\"type\": \"no_board\", \"source\": {\"path\": \"book.pdf\", \"page\": 4}}",
            "no board was found in book.pdf, page 4\nhint: look at the picture",
        ),
        (
            "{\"type\": \"error\", \"source\": {\"path\": \"a.png\", \"page\": null}, \"message\": \"is damaged\"}",
            "a.png was not read: is damaged\nhint: read it again",
        ),
        (
            "{\"type\": \"summary\"}",
            &format!("it has no `fen`\nhint: {hint}"),
        ),
        (
            "{\"fen\": 7}",
            &format!("its `fen` is no text but a number\nhint: {hint}"),
        ),
        ("[1]", &format!("it is an array, no position\nhint: {hint}")),
        ("null", &format!("it is null, no position\nhint: {hint}")),
    ];
    let texts: Vec<&str> = entries.iter().map(|(text, _)| *text).collect();
    let last = format!("{{\"fen\": \"{KINGS}\"}}");
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("all.json", format!("[{},\n{last}]", texts.join(",\n"))),
        ("all.jsonl", format!("{}\n{last}\n", texts.join("\n"))),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let place = |number: usize| match name {
            "all.json" => format!("{path}, item {number}"),
            _ => format!("{path}:{number}"),
        };
        let (code, stdout, stderr) = run(&["check", path], "");
        assert_eq!(
            (code, stdout),
            (3, format!("sound  {}: {KINGS}\n", place(7)))
        );
        let said: String = (1..)
            .zip(&entries)
            .map(|(number, (_, reason))| format!("img2fen: error: {}: {reason}\n", place(number)))
            .collect();
        assert_eq!(stderr, said);
        let (_, stdout, _) = run(&["check", path, "--json"], "");
        let objects: Vec<serde_json::Value> = serde_json::from_str(&stdout).unwrap();
        assert_eq!(objects.len(), 7);
        assert_eq!(objects[0]["type"], "no_position");
        assert_eq!(objects[0]["place"], place(1));
        assert_eq!(
            objects[0]["message"],
            "no board was found in book.pdf, page 4"
        );
        assert_eq!(objects[6]["type"], "check");
    }
    // Where pictures merely show no board, nothing has failed.
    let path = folder.path().join("none.jsonl");
    std::fs::write(&path, texts[0]).unwrap();
    assert_eq!(run(&["check", path.to_str().unwrap()], "").0, 1);
}

#[test]
fn what_is_no_json_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.jsonl");
    std::fs::write(
        &path,
        format!("{{\"fen\": \"8/8\n# a remark\n{BAD}\n{{\"fen\": \"{KINGS}\"}}\n"),
    )
    .unwrap();
    let name = path.to_str().unwrap();
    let (code, stdout, stderr) = run(&["convert", name, "--to", "fen"], "");
    assert_eq!((code, stdout), (3, format!("{KINGS}\n")));
    let hint = "hint: write one object a line; the other lines are read";
    assert_eq!(
        stderr,
        format!(
            "img2fen: error: {name}:1: is no JSON: EOF while parsing a string at column 12: `{{\"fen\": \"8/8`\n{hint}\n\
             img2fen: error: {name}:2: is no JSON: expected value at column 1: `# a remark`\n{hint}\n\
             img2fen: error: {name}:3: is no JSON: expected value at column 1: `rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKB…`\n{hint}\n"
        )
    );
    let path = folder.path().join("some.json");
    std::fs::write(&path, "[\n{\"fen\": }]").unwrap();
    let name = path.to_str().unwrap();
    let (code, _, stderr) = run(&["check", name], "");
    assert_eq!(code, 3);
    assert!(
        stderr.starts_with(&format!(
            "img2fen: error: {name}: is no JSON: expected value at line 2 column 9\n"
        )),
        "{stderr}"
    );
}

#[test]
fn a_file_without_a_position_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("empty.fen", ""),
        ("remarks.txt", "# nothing\n\n"),
        ("empty.epd", "\n"),
        ("empty.pgn", ""),
        ("no-games.pgn", "1. e4 e5\n"),
        ("empty.json", "[]"),
        ("nothing.json", ""),
        ("blank.json", " \n"),
        ("empty.jsonl", ""),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        for command in [&["check"][..], &["explain"], &["convert", "--to", "fen"]] {
            let (code, stdout, stderr) = run(&[command, &[path]].concat(), "");
            assert_eq!((code, stdout.as_str()), (1, ""), "{name}");
            let head = format!("img2fen: error: {path}: there is no position in it");
            assert!(stderr.starts_with(&head), "{stderr}");
            assert!(stderr.contains("\nhint: "), "{stderr}");
        }
    }
}

#[test]
fn a_tag_fen_that_is_not_closed_is_an_error_with_its_line_and_the_other_games_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.pgn");
    std::fs::write(
        &path,
        format!("[Event \"A\"]\n[FEN \"{KINGS}\n\n*\n\n[FEN \"{KINGS}\"]\n\n*\n"),
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let (code, stdout, stderr) = run(&["check", path], "");
    assert_eq!(
        (code, stdout),
        (3, format!("sound  {path}, game 2: {KINGS}\n"))
    );
    assert_eq!(
        stderr,
        format!(
            "img2fen: error: {path}, game 1: line 2: the tag `FEN` is not whole, expected `[FEN \"...\"]` on one line\n\
             hint: close the tag; the other games are read\n"
        )
    );
}

#[test]
fn games_without_a_tag_fen_start_as_usual_whatever_the_others_have() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let path = path.to_str().unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let usual = "[Event \"A\"]\n\n1. e4 {[FEN \"8/8 w\"]} *\n\n";
    let set_up = format!("[Event \"B\"]\n[FEN \"{KINGS}\"]\n\n*\n\n");
    for games in [
        vec![(usual, start)],
        vec![(usual, start), (usual, start)],
        vec![(usual, start), (set_up.as_str(), KINGS)],
        vec![(set_up.as_str(), KINGS), (usual, start)],
    ] {
        let text: String = games.iter().map(|(text, _)| *text).collect();
        let fens: String = games.iter().map(|(_, fen)| format!("{fen}\n")).collect();
        std::fs::write(path, text).unwrap();
        let converted = run(&["convert", path, "--to", "fen"], "");
        assert_eq!(converted, (0, fens, String::new()));
    }
}

#[test]
fn a_second_tag_fen_and_a_comment_without_end_are_errors_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.pgn");
    std::fs::write(
        &path,
        format!("[FEN \"{KINGS}\"]\n[FEN \"{KINGS}\"]\n\n*\n\n[Event \"B\"]\n\n{{ no end\n*\n"),
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let (code, stdout, stderr) = run(&["check", path], "");
    assert_eq!((code, stdout.as_str()), (3, ""));
    assert_eq!(
        stderr,
        format!(
            "img2fen: error: {path}, game 1: line 2: a second tag `FEN` in the same game\n\
             hint: leave one of the two; the other games are read\n\
             img2fen: error: {path}, game 2: line 8: the comment has no end `}}`\n\
             hint: close the comment; games after it are not seen\n"
        )
    );
}

#[test]
fn of_very_many_faults_the_first_are_said_and_the_rest_are_counted() {
    let (code, stdout, stderr) = run(
        &["convert", "-", "--to", "fen"],
        format!("{}{KINGS}\n", format!("{BAD}\n").repeat(250)),
    );
    assert_eq!((code, stdout), (3, format!("{KINGS}\n")));
    assert_eq!(stderr.matches("img2fen: error: -:").count(), 100);
    assert!(stderr.ends_with("img2fen: error: and 150 more\n"));
    let (_, stdout, stderr) = run(
        &["check", "-", "--format", "jsonl"],
        format!("{BAD}\n").repeat(250),
    );
    assert_eq!((stdout.lines().count(), stderr.as_str()), (250, ""));
}

#[test]
fn the_word_start_is_a_position_wherever_one_is_named_and_help_says_so() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(run(&["check", "start"], "").1, format!("sound  {start}\n"));
    assert_eq!(
        run(&["convert", "start", "--to", "fen"], "").1,
        format!("{start}\n")
    );
    assert!(run(&["explain", "start"], "").1.starts_with(start));
    for command in ["check", "explain", "convert", "play", "render"] {
        let help = run(&[command, "--help"], "").1;
        assert!(help.contains("`start`"), "{help}");
    }
    for command in ["check", "explain", "convert"] {
        let help = run(&[command, "--help"], "").1;
        for (ending, _) in files_of(KINGS) {
            assert!(help.contains(&format!(".{ending}")), "{ending}: {help}");
        }
    }
}

#[test]
fn a_mistyped_command_is_pointed_to() {
    let (code, stdout, stderr) = run(&["chek", KINGS], "");
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(
        stderr.starts_with("error: there is no picture or command `chek`; did you mean `check`?\n"),
        "{stderr}"
    );
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
        assert_line(&stdout, line);
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
fn an_empty_text_is_called_empty_and_nothing_in_it_is_pointed_at() {
    let told = "  error[empty]: placement: there is no text, expected a FEN\n    hint: give the six fields of a FEN\n";
    for text in ["", "  "] {
        let (code, stdout, _) = run(&["check", text], "");
        assert_eq!(
            (code, stdout),
            (1, format!("wrong  (an empty text)\n{told}"))
        );
        let (code, stdout, _) = run(&["explain", text], "");
        assert_eq!((code, stdout), (1, format!("(an empty text)\n\n{told}")));
    }
}

#[test]
fn explain_tells_check_mate_and_stalemate_and_what_no_target_means() {
    for (fen, turn) in [
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "w: White is checkmated",
        ),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "b: Black has no legal move and is not in check: stalemate",
        ),
        (
            "4k3/8/8/8/8/8/4R3/3K4 b - - 0 1",
            "b: Black makes the next move and is in check",
        ),
        // Nobody can be to move here: the other king stands in check.
        (
            "4k3/8/8/8/8/8/4R3/3K4 w - - 0 1",
            "w: White makes the next move",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "b: Black makes the next move",
        ),
    ] {
        let stdout = run(&["explain", fen], "").1;
        for line in [
            &format!("side to move {turn}"),
            "en passant target -: no en passant capture is possible, or the last move was no double step of a pawn",
        ] {
            assert_line(&stdout, line);
        }
    }
}

#[test]
fn play_says_that_the_game_is_over() {
    for (position, moves, words) in [
        (
            "start",
            "f3 e5 g4 Qh4 a3",
            "move 3: `a3` is no legal move: White is checkmated",
        ),
        (
            "7k/8/4Q1K1/8/8/8/8/8 w - - 0 9",
            "Qf7 Kg8",
            "move 9: `Kg8` is no legal move: Black is stalemated",
        ),
    ] {
        let (code, _, stderr) = run(&["play", position, moves], "");
        assert_eq!((code, stderr), (2, format!("img2fen: error: {words}\n")));
    }
}

#[test]
fn play_says_what_the_letter_of_another_language_is_in_english() {
    let there = "to that square there is";
    for (moves, words) in [
        (
            "Sf3",
            format!("Sf3` is no legal move for White: `S` is `N` in English; {there} Nf3, f3"),
        ),
        (
            "e4 e5 Lc4",
            format!("Lc4` is no legal move for White: `L` is `B` in English; {there} Bc4, c4"),
        ),
        (
            "Dd3",
            format!("Dd3` is no legal move for White: `D` is `Q` in English; {there} d3"),
        ),
        (
            "e4 e5 Txe5",
            "Txe5` is no legal move for White: `T` is `R` in English".to_owned(),
        ),
        // A knight in Hungarian, and in Polish a queen: both could go there.
        (
            "e4 e5 Hf3",
            format!("Hf3` is no legal move for White; {there} Nf3, Qf3, f3"),
        ),
        (
            "Hf3",
            format!("Hf3` is no legal move for White: `H` is `N` in English; {there} Nf3, f3"),
        ),
        ("Hello", "Hello` is no legal move for White".to_owned()),
    ] {
        let stderr = run(&["play", "start", moves], "").2;
        let number = moves.split(' ').count().div_ceil(2);
        assert_eq!(
            stderr,
            format!("img2fen: error: move {number}: `{words}\n"),
            "{moves}"
        );
    }
}

#[test]
fn play_refuses_null_moves_and_other_zeros_and_passes_over_numbers() {
    for null in ["0000", "--", "Z0", "@@@@"] {
        let (code, stdout, stderr) = run(&["play", "start", &format!("e4 {null}")], "");
        assert_eq!(code, 2, "{null}");
        assert!(stdout.contains("1.e4"), "{stdout}");
        assert_eq!(
            stderr,
            format!(
                "img2fen: error: move 1: `{null}` is a null move, which is no legal move: Black has to move\n"
            )
        );
    }
    for zeros in ["0", "00", "000", "00000"] {
        let (code, _, stderr) = run(&["play", "start", zeros], "");
        assert_eq!(
            (code, stderr),
            (
                2,
                format!("img2fen: error: move 1: `{zeros}` is no legal move for White\n")
            )
        );
    }
    let numbered = [
        "play", "start", "1", "e4", "1...", "e5", "10.Nf3", "--format", "fen",
    ];
    assert_eq!(run(&numbered, "").0, 0);
}

#[test]
fn render_and_play_say_what_a_position_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.fen");
    std::fs::write(&file, KINGS).unwrap();
    let file = file.to_str().unwrap();
    for command in ["render", "play"] {
        for text in ["bad", "", "strat", "e4 e5"] {
            assert_eq!(
                run(&[command, text], ""),
                (
                    2,
                    String::new(),
                    format!(
                        "img2fen: error: `{text}` is no position\n\
                         hint: give a FEN in quotation marks, an EPD, a link, or `start`\n"
                    )
                )
            );
        }
        assert_eq!(
            run(&[command, file], ""),
            (
                2,
                String::new(),
                format!(
                    "img2fen: error: {file}: is a file, and one position is wanted\n\
                     hint: `img2fen convert FILE --to fen` shows its positions; give one of them\n"
                )
            )
        );
    }
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
        format!("{fens}{BAD}\n"),
    );
    assert_eq!(code, 3);
    assert_eq!(stdout, fens.replace("e3", "-"));
    assert!(stderr.contains("-:3: rnbqkbnr/pp1pppp"), "{stderr}");
}

#[test]
fn operations_survive_the_way_through_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rf1; id \"book p. 3\"; c0 \"a, b\"; noop; hmvc 3; fmvn 9;\n\
               8/8/8/4k3/8/8/8/4K3 w - -\n";
    std::fs::write(path("in.epd"), epd).unwrap();
    let games = run(&["convert", &path("in.epd"), "--to", "pgn"], "").1;
    for format in ["json", "jsonl"] {
        let written = path(&format!("out.{format}"));
        let done = run(
            &["convert", &path("in.epd"), "--to", format, "-o", &written],
            "",
        );
        assert_eq!(done, (0, String::new(), String::new()));
        assert_eq!(
            run(&["convert", &written, "--to", "epd"], ""),
            (0, epd.to_owned(), String::new())
        );
        assert_eq!(run(&["convert", &written, "--to", "pgn"], "").1, games);
        let again = run(&["convert", &written, "--to", format], "").1;
        assert_eq!(again, std::fs::read_to_string(&written).unwrap());
    }
    for operations in [
        "7",
        "[]",
        "{\"bm\": 7}",
        "{\"bm\": [7]}",
        "{\"b m\": []}",
        "{\"\": []}",
        "{\"bm\": [[\"a\"], \"b\"]}",
        "{\"bm\": [\"a\", [\"b\"]]}",
        "{\"bm\": [[7]]}",
    ] {
        let path = path("broken.jsonl");
        std::fs::write(
            &path,
            format!("{{\"fen\": \"{KINGS}\", \"operations\": {operations}}}"),
        )
        .unwrap();
        let (code, stdout, stderr) = run(&["convert", &path, "--to", "epd"], "");
        assert_eq!((code, stdout.as_str()), (3, ""), "{operations}");
        assert_eq!(
            stderr,
            format!(
                "img2fen: error: {path}:1: its `operations` are no object with a list of texts for each opcode\n\
                 hint: write `{{\"bm\": [\"O-O\"]}}`\n"
            )
        );
    }
}

#[test]
fn repeated_opcodes_survive_the_way_through_json() {
    let folder = tempfile::tempdir().unwrap();
    let epd = "8/8/8/4k3/8/8/8/4K3 w - - c0 \"a\" \"b\"; c0; c0 \"c\"; bm Kd1; noop; noop;\n";
    for format in ["json", "jsonl"] {
        let path = folder.path().join(format!("out.{format}"));
        let path = path.to_str().unwrap();
        let converted = run(&["convert", "-", "--to", format, "-o", path], epd);
        assert_eq!(converted, (0, String::new(), String::new()));
        let back = run(&["convert", path, "--to", "epd"], "");
        assert_eq!(back, (0, epd.to_owned(), String::new()));
    }
    let object = run(&["convert", "-", "--to", "jsonl"], epd).1;
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    assert_eq!(
        object["operations"].to_string(),
        r#"{"c0":[["a","b"],[],["c"]],"bm":["Kd1"],"noop":[[],[]]}"#
    );
}

#[test]
fn converted_games_keep_their_tags() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.pgn");
    let game = format!(
        "[Event \"My \\\"best\\\" book\"]\n[Site \"Oslo\"]\n[Date \"2024.12.31\"]\n[Round \"12.3\"]\n[White \"A\"]\n\
         [Black \"B\"]\n[Result \"1-0\"]\n[Variant \"Standard\"]\n[SetUp \"1\"]\n[FEN \"{KINGS}\"]\n[Page \"12\"]\n\n1-0\n\n"
    );
    // The moves are gone, and so is their number.
    std::fs::write(&path, game.replace("[Page", "[PlyCount \"7\"]\n[Page")).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(run(&["convert", path, "--to", "pgn"], "").1, game);
    assert_eq!(
        run(&["convert", path, "--to", "epd"], "").1,
        "8/8/8/4k3/8/8/8/4K3 w - - id \"My \\\"best\\\" book 12.3\";\n"
    );
}

const FORMATS: [&str; 8] = [
    "fen",
    "epd",
    "pgn",
    "json",
    "jsonl",
    "csv",
    "url",
    "editor-url",
];

#[test]
fn convert_leaves_the_old_file_alone_when_nothing_is_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (old, empty) = (path("old"), path("empty.fen"));
    std::fs::write(&old, "precious\n").unwrap();
    std::fs::write(&empty, "").unwrap();
    for format in FORMATS {
        for (input, expected) in [
            (empty.as_str(), 1),
            (BAD, 3),
            (&path("missing.fen"), 3),
            ("-", 1),
        ] {
            let (code, stdout, stderr) = run(&["convert", input, "--to", format, "-o", &old], "");
            assert_eq!((code, stdout.as_str()), (expected, ""), "{input} {format}");
            assert!(
                stderr.ends_with(&format!(
                    "nothing was converted, so {old} was not written\n"
                )),
                "{stderr}"
            );
            assert_eq!(std::fs::read_to_string(&old).unwrap(), "precious\n");
        }
        let made = path("new");
        run(&["convert", BAD, "--to", format, "-o", &made], "");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
    // What can be converted is.
    let (code, _, stderr) = run(&["convert", "-", "--to", "fen", "-o", &old], {
        format!("{BAD}\n{KINGS}\n")
    });
    assert_eq!((code, stderr.contains("was not written")), (3, false));
    assert_eq!(std::fs::read_to_string(&old).unwrap(), format!("{KINGS}\n"));
}

#[test]
fn convert_does_not_write_over_an_input_under_any_name() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, text) in files_of(KINGS) {
        let name = format!("one.{ending}");
        let path = folder.path().join(&name);
        std::fs::write(&path, &text).unwrap();
        let mut names = vec![
            path.clone(),
            folder.path().join(".").join(&name),
            folder
                .path()
                .join("..")
                .join(folder.path().file_name().unwrap())
                .join(&name),
        ];
        #[cfg(unix)]
        {
            let link = folder.path().join(format!("link-{ending}"));
            std::os::unix::fs::symlink(&path, &link).unwrap();
            names.push(link);
        }
        for output in names {
            let output = output.to_str().unwrap();
            for format in FORMATS {
                let input = path.to_str().unwrap();
                let (code, stdout, stderr) =
                    run(&["convert", KINGS, input, "--to", format, "-o", output], "");
                assert_eq!((code, stdout.as_str()), (2, ""), "{output}");
                assert_eq!(
                    stderr,
                    format!(
                        "img2fen: error: {output}: is an input and the output\n\
                         hint: write to another file; nothing was changed\n"
                    )
                );
                assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn convert_does_not_write_over_its_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.fen");
    std::fs::write(&path, KINGS).unwrap();
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .args(["convert", "-", "--to", "pgn", "-o"])
        .arg(&path)
        .stdin(std::fs::File::open(&path).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), KINGS);
}

#[test]
fn the_output_of_convert_may_be_standard_output_by_name() {
    let (_, expected, _) = run(&["convert", KINGS, "--to", "pgn"], "");
    assert!(expected.starts_with("[Event "));
    let folder = tempfile::tempdir().unwrap();
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .args(["convert", KINGS, "--to", "pgn", "-o", "-"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_to_and_a_named_pipe_is_refused_by_name() {
    let write = |path: &str| run(&["convert", KINGS, "--to", "fen", "-o", path], "");
    assert_eq!(
        write("/dev/stdout"),
        (0, format!("{KINGS}\n"), String::new())
    );
    assert_eq!(write("/dev/null"), (0, String::new(), String::new()));
    assert_eq!(write("/dev/full").0, 4);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe.svg");
    make_pipe(&path);
    let path = path.to_str().unwrap();
    let drawn = run(&["render", "start", "-o", path], "");
    for (code, stdout, stderr) in [write(path), drawn] {
        assert_eq!((code, stdout.as_str()), (4, ""));
        assert!(
            stderr.contains(&format!("cannot write {path}: it is a pipe")),
            "{stderr}"
        );
    }
}

/// Positions of Chess960 as their rights are written by default, `KQkq`: only beside them can stand which rules hold.
const CHESS960: [&str; 3] = [
    "1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1",
    "rkr5/8/8/8/8/8/8/RKR5 b CAca - 0 1",
    "4k3/8/8/8/8/8/8/4KR2 w F - 3 9",
];

#[test]
fn what_convert_writes_of_chess960_is_sound_when_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for fen in CHESS960 {
        for (format, extension) in [
            ("pgn", "pgn"),
            ("json", "json"),
            ("jsonl", "jsonl"),
            ("url", "txt"),
            ("editor-url", "txt"),
        ] {
            let path = folder.path().join(format!("{format}.{extension}"));
            let path = path.to_str().unwrap();
            assert_eq!(run(&["convert", fen, "--to", format, "-o", path], "").0, 0);
            for command in ["check", "explain"] {
                let (code, stdout, stderr) = run(&[command, path], "");
                assert_eq!(code, 0, "{command} {format}: {stdout}{stderr}");
            }
            let style = ["--to", "fen", "--castling-style", "shredder"];
            let (_, stdout, _) = run(&[&["convert", path][..], &style].concat(), "");
            assert_eq!(stdout, format!("{fen}\n"), "{format}");
        }
    }
}

#[test]
fn every_way_of_saying_chess960_counts_for_check_and_explain() {
    let folder = tempfile::tempdir().unwrap();
    let fen = "1k1r4/8/8/8/8/8/8/1K1R4 w Kk - 0 1";
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let pgn = |name: &str, variant: &str| {
        file(
            name,
            format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n*\n"),
        )
    };
    let line = fen.replace(' ', "_");
    for command in ["check", "explain"] {
        for said in [
            vec![fen.to_owned(), "--chess960".to_owned()],
            vec![pgn("a.pgn", "Chess960")],
            vec![pgn("b.pgn", "chess 960")],
            vec![pgn("c.pgn", "FISCHERANDOM")],
            vec![pgn("d.pgn", "Fischer Random Chess")],
            vec![file(
                "a.json",
                format!("{{\"fen\": \"{fen}\", \"variant\": \"Chess960\"}}"),
            )],
            vec![format!("https://lichess.org/analysis/chess960/{line}")],
            vec![format!(
                "https://lichess.org/editor?fen={line}&variant=chess960"
            )],
        ] {
            let arguments: Vec<&str> = said.iter().map(String::as_str).collect();
            let (code, stdout, _) = run(&[&[command][..], &arguments].concat(), "");
            assert_eq!(code, 0, "{command} {said:?}: {stdout}");
        }
        for silent in [
            fen.to_owned(),
            pgn("e.pgn", "Standard"),
            file(
                "b.json",
                format!("{{\"fen\": \"{fen}\", \"variant\": \"standard\"}}"),
            ),
            format!("https://lichess.org/analysis/standard/{line}"),
        ] {
            let (code, stdout, _) = run(&[command, &silent], "");
            assert_eq!(code, 1, "{command} {silent}");
            assert!(stdout.contains("say `--chess960`"), "{stdout}");
        }
    }
}

#[test]
fn explain_tells_of_castling_and_en_passant_only_what_stands() {
    let castling = |fen: &str| {
        let stdout = run(&["explain", fen], "").1;
        let mut lines = stdout.lines();
        let line = lines.find_map(|line| line.strip_prefix("castling rights "));
        line.unwrap().to_owned()
    };
    let nobody = "nobody may castle any more";
    let way = "unless something is in the way for now";
    let dropped = "is dropped, king and rook do not stand for it";
    for (fen, words) in [
        (
            "4k3/8/8/8/8/8/8/8 w KQ - 0 1",
            format!("KQ: {nobody}; `KQ` {dropped}"),
        ),
        (
            "r3k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1",
            format!(
                "KQkq: White may castle on the queen's side with the rook a1; Black may castle on the queen's side \
                 with the rook a8, {way}; `Kk` {dropped}"
            ),
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            format!("K: White may castle on the king's side with the rook h1, {way}"),
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", format!("-: {nobody}")),
    ] {
        assert_eq!(castling(fen), words);
    }
    let stdout = run(&["explain", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1"], "").1;
    assert!(
        stdout.contains(
            "\nen passant target e6: it is dropped, no pawn can have skipped this square\n"
        ),
        "{stdout}"
    );
}

#[test]
fn a_fen_whose_fields_stand_apart_is_hinted_at_where_one_argument_is_the_position() {
    let fields: Vec<&str> = KINGS.split(' ').collect();
    let hint = "hint: put the FEN in quotation marks\n";
    for (command, more) in [("render", None), ("play", Some("Kd1"))] {
        let arguments: Vec<&str> = [command]
            .into_iter()
            .chain(fields.clone())
            .chain(more)
            .collect();
        let (code, stdout, stderr) = run(&arguments, "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{command}");
        assert!(stderr.ends_with(hint), "{stderr}");
        // With quotation marks it is something else that is wrong.
        let (code, _, stderr) = run(&[command, BAD], "");
        assert_eq!(code, 2, "{command}");
        assert!(
            stderr.ends_with("\nhint: `img2fen check` tells more\n"),
            "{stderr}"
        );
    }
}

#[test]
fn a_link_without_a_position_and_a_file_that_is_not_there_are_named_and_the_others_are_read() {
    let read = format!("{KINGS}\n");
    let link_hint = "hint: its FEN stands after /analysis/, /editor/ or ?fen=";
    for link in [
        "https://lichess.org/training",
        "http://lichess.org/editor/",
        "lichess.org/training",
        "www.chess.com/analysis",
    ] {
        let (code, stdout, stderr) = run(&["convert", link, KINGS, "--to", "fen"], "");
        assert_eq!((code, &stdout), (1, &read), "{link}");
        assert_eq!(
            stderr,
            format!("img2fen: error: {link}: the link holds no position\n{link_hint}\n")
        );
        let lines = format!("{link}\n{KINGS}\n");
        let (code, stdout, stderr) = run(&["convert", "-", "--to", "fen"], lines);
        assert_eq!((code, &stdout), (1, &read), "{link}");
        assert_eq!(
            stderr,
            format!("img2fen: error: -:1: the link `{link}` holds no position\n{link_hint}\n")
        );
        for command in ["play", "render"] {
            let (code, _, stderr) = run(&[command, link], "");
            assert_eq!(code, 2, "{command}");
            assert!(stderr.contains("the link holds no position\n"), "{stderr}");
        }
    }
    let path = KINGS.replace(' ', "_");
    for link in [
        format!("lichess.org/editor/{path}"),
        format!("https://lichess.org/editor/{path}"),
    ] {
        assert_eq!(run(&["convert", &link, "--to", "fen"], "").1, read);
    }
    for name in ["nope.doc", "folder/nope.docx", "nope.fen2"] {
        let (code, stdout, stderr) = run(&["convert", name, KINGS, "--to", "fen"], "");
        assert_eq!((code, &stdout), (3, &read), "{name}");
        assert_eq!(
            stderr,
            format!("img2fen: error: {name}: there is no such file\nhint: check the name\n")
        );
    }
}

#[test]
fn an_epd_without_its_last_semicolon_is_told_as_such_by_every_command() {
    let text = "8/8/8/4k3/8/8/8/4K3 w - - bm Kd1";
    for command in ["check", "explain"] {
        let (code, stdout, _) = run(&[command, text], "");
        assert_eq!(code, 0, "{stdout}");
        assert!(
            stdout.contains("info[not-canonical]: the last operation has no `;`\n"),
            "{stdout}"
        );
    }
    let (code, stdout, _) = run(&["convert", "-", "--to", "epd"], text);
    assert_eq!((code, stdout), (0, format!("{text};\n")));
    assert_eq!(run(&["play", text, "Kd1", "--format", "fen"], "").0, 0);
}

#[test]
fn the_time_for_an_input_grows_with_its_length_whatever_is_repeated_in_it() {
    // Each would take minutes, and the program is stopped after one, if what came before were looked at again.
    let count = 150_000;
    let numbered = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
    let board = "8/8/8/4k3/8/8/8/4K3 w - -";
    let operations = board.to_owned() + " " + &"a;".repeat(count);
    let opcodes = board.to_owned() + " " + &numbered(&|number| format!("a{number};"))[..1_000_000];
    for line in [operations, opcodes + ";"] {
        for format in ["epd", "pgn", "json", "jsonl", "csv"] {
            let (code, stdout, stderr) = run(&["convert", "-", "--to", format], &line);
            assert_eq!((code, stderr), (0, String::new()), "{format}");
            assert!(stdout.contains(KINGS.split(' ').next().unwrap()));
        }
    }
    for tags in [
        numbered(&|number| format!("[A{number} \"\"]\n\n")),
        numbered(&|number| format!("[A{number} \"\"]\n")),
        numbered(&|number| format!("[A{number} \"\"] ")),
        "[A \"\"]\n\n".repeat(count),
        "[Event \"?\"]\n1. e4 ".to_owned() + &"[A \"".repeat(count),
        "[Event \"?\"]\n1. e4 ".to_owned() + &"{} ".repeat(count),
        "[FEN \"".repeat(count),
        "[A \"\n".repeat(count) + "[Event \"?\"]",
    ] {
        let game = format!("{tags}\n\n[Event \"?\"]\n[Event \"?\"]\n");
        let (_, stdout, stderr) = run(&["check", "--format", "jsonl", "-"], &game);
        assert!(!stdout.is_empty(), "{stderr}");
    }
}

const ARRAY: &str = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w - - 0 1";

#[test]
fn the_rules_of_chess960_are_carried_from_every_input_that_says_them_to_every_output_that_can() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let line = ARRAY.replace(' ', "_");
    let inputs = [
        file(
            "a.pgn",
            format!("[Variant \"Chess960\"]\n[FEN \"{ARRAY}\"]\n\n*\n"),
        ),
        file(
            "b.pgn",
            format!("[Variant \"Fischerandom\"]\n[FEN \"{ARRAY}\"]\n\n*\n"),
        ),
        file(
            "a.json",
            format!("{{\"fen\": \"{ARRAY}\", \"variant\": \"chess960\"}}"),
        ),
        file(
            "a.jsonl",
            format!("{{\"fen\": \"{ARRAY}\", \"variant\": \"chess960\"}}\n"),
        ),
        format!("https://lichess.org/analysis/chess960/{line}"),
        format!("https://lichess.org/editor/{line}?variant=chess960"),
    ];
    for input in inputs {
        for (format, extension) in [
            ("pgn", "pgn"),
            ("json", "json"),
            ("jsonl", "jsonl"),
            ("url", "txt"),
            ("editor-url", "txt"),
        ] {
            let path = folder.path().join(format!("out.{extension}"));
            let path = path.to_str().unwrap();
            assert_eq!(
                run(&["convert", &input, "--to", format, "-o", path], "").0,
                0
            );
            let (code, stdout, _) = run(&["check", path], "");
            assert_eq!(code, 0, "{input} {format}: {stdout}");
            assert_eq!(
                run(&["convert", path, "--to", "fen"], "").1,
                format!("{ARRAY}\n")
            );
        }
        let object = run(&["convert", &input, "--to", "jsonl"], "").1;
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        assert_eq!(object["variant"], "chess960");
        let analysis = format!("https://lichess.org/analysis/chess960/{line}");
        assert_eq!(object["links"]["analysis"], analysis);
    }
    // What says nothing stays standard.
    let object = run(&["convert", ARRAY, "--to", "jsonl"], "").1;
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    assert_eq!(object["variant"], "standard");
    let link = run(&["convert", ARRAY, "--to", "editor-url"], "").1;
    assert_eq!(link, format!("https://lichess.org/editor/{line}\n"));
}

#[test]
fn the_styles_hold_for_every_format() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let board = fen.split(' ').next().unwrap();
    for (castling, rights) in [("standard", "KQkq"), ("xfen", "KQkq"), ("shredder", "HAha")] {
        for (en_passant, target) in [("always", "e3"), ("legal", "-")] {
            for format in FORMATS {
                let styles = [
                    "--castling-style",
                    castling,
                    "--en-passant-style",
                    en_passant,
                ];
                let arguments = [&["convert", fen, "--to", format], &styles[..]].concat();
                let (code, stdout, _) = run(&arguments, "");
                assert_eq!(code, 0);
                let spaced = stdout.replace('_', " ");
                let written = format!("{board} b {rights} {target}");
                let times = if format.contains("json") { 3 } else { 1 };
                assert_eq!(
                    spaced.matches(&written).count(),
                    times,
                    "{format}: {stdout}"
                );
            }
        }
    }
    // A link of Chess960 names files where nothing else is asked for.
    let fen = "1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1";
    for (styles, rights) in [
        (vec![], "Dd"),
        (vec!["--castling-style", "xfen"], "Kk"),
        (vec!["--castling-style", "standard"], "Kk"),
        (vec!["--castling-style", "shredder"], "Dd"),
    ] {
        for format in ["url", "editor-url"] {
            let link = run(
                &[&["convert", fen, "--to", format], &styles[..]].concat(),
                "",
            )
            .1;
            assert!(link.contains(&format!("_w_{rights}_-_0_1")), "{link}");
            let (code, stdout, _) = run(&["check", link.trim_end()], "");
            assert_eq!(code, 0, "{stdout}");
        }
    }
}

#[test]
fn a_line_that_is_too_long_is_named_and_the_lines_around_it_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let long = "8".repeat(3 << 20);
    for (ending, text) in files_of(KINGS) {
        if matches!(ending, "pgn" | "json") {
            continue;
        }
        let good = text.lines().last().unwrap();
        for end in ["\n", "\r\n", "\r"] {
            let lines = [good, &long, good, &long, &long, "", good, &long].join(end);
            let path = folder.path().join(format!("some.{ending}"));
            std::fs::write(&path, lines).unwrap();
            let path = path.to_str().unwrap();
            let (code, stdout, stderr) = run(&["convert", path, "--to", "fen"], "");
            assert_eq!(
                (code, stdout),
                (3, format!("{KINGS}\n").repeat(3)),
                "{ending}"
            );
            let said: String = [2, 4, 5, 8]
                .map(|number| {
                    format!(
                        "img2fen: error: {path}:{number}: the line has more than 1048576 bytes; no position is so long\n\
                         hint: give a text with one position a line; the other lines are read\n"
                    )
                })
                .concat();
            assert_eq!(stderr, said, "{ending}");
        }
    }
    let (code, stdout, _) = run(
        &["convert", "-", "--to", "fen"],
        format!("{long}\n{KINGS}\n"),
    );
    assert_eq!((code, stdout), (3, format!("{KINGS}\n")));
}

#[test]
fn counters_have_one_owner_and_a_conflict_is_told() {
    let board = "8/8/8/4k3/8/8/8/4K3 w - -";
    let object = |fen: &str, operations: &str| {
        format!("{{\"fen\": \"{fen}\", \"operations\": {{\"bm\": [\"Kd1\"], {operations}}}}}\n")
    };
    let both = "\"hmvc\": [\"7\"], \"fmvn\": [\"12\"]";
    for (fen, operations) in [
        (format!("{board} 7 12"), both),
        (board.to_owned(), both),
        (format!("{board} 7 12"), "\"fmvn\": [[\"12\"]]"),
        (format!("{board} bm Kd1; hmvc 7"), "\"fmvn\": [\"12\"]"),
        (board.replace(' ', "_") + "_7_12", "\"c0\": [\"a\"]"),
    ] {
        let (code, epd, stderr) = run(&["convert", "-", "--to", "epd"], object(&fen, operations));
        assert_eq!((code, stderr.as_str()), (0, ""), "{fen} {operations}");
        let c0 = if operations.contains("c0") {
            "c0 \"a\"; "
        } else {
            ""
        };
        assert_eq!(epd, format!("{board} bm Kd1; {c0}hmvc 7; fmvn 12;\n"));
        let checked = run(&["check", "-"], &epd);
        assert_eq!(checked.0, 0, "{}", checked.1);
        // What was written is read as the same.
        assert_eq!(run(&["convert", "-", "--to", "epd"], &epd).1, epd);
    }
    for (fen, operations) in [
        (format!("{board} 0 1"), both),
        (format!("{board} 7 1"), both),
        (format!("{board} 0 12"), both),
        (format!("{board} hmvc 3;"), both),
        (board.to_owned(), "\"hmvc\": [[\"7\"], [\"7\"]]"),
        (board.to_owned(), "\"hmvc\": [\"x\"]"),
        (board.to_owned(), "\"hmvc\": []"),
        (board[..21].to_owned(), both),
    ] {
        let text = object(&fen, operations) + &object(board, "\"c0\": []");
        let (code, epd, stderr) = run(&["convert", "-", "--to", "epd"], &text);
        assert_eq!(
            (code, epd),
            (3, format!("{board} bm Kd1; c0;\n")),
            "{fen} {operations}"
        );
        assert!(
            stderr.starts_with("img2fen: error: -:1: ") && stderr.contains("\nhint: "),
            "{stderr}"
        );
        let (code, _, _) = run(&["check", "-"], &text);
        assert!(code == 1 || code == 3, "{fen} {operations}");
    }
}

#[test]
fn check_and_convert_agree_on_what_a_tag_fen_may_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.pgn");
    let board = "4k3/8/8/8/8/8/8/4K3";
    for (tag, epd) in [
        (
            format!("{board} b - - 0 1"),
            format!("{board} b - - id \"A\";"),
        ),
        (format!("{board} b"), format!("{board} b - - id \"A\";")),
        (
            format!("{board}_b_-_-_0_1"),
            format!("{board} b - - id \"A\";"),
        ),
        (
            format!("{board} b - - bm Kd8;"),
            format!("{board} b - - bm Kd8; id \"A\";"),
        ),
        (
            format!("{board} b - - id B; hmvc 3;"),
            format!("{board} b - - id \"B\"; hmvc 3; fmvn 1;"),
        ),
        (
            format!("lichess.org/editor/{board}_b_-_-_0_1"),
            format!("{board} b - - id \"A\";"),
        ),
    ] {
        std::fs::write(&path, format!("[Event \"A\"]\n[FEN \"{tag}\"]\n\n*\n")).unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(run(&["check", path], "").0, 0, "{tag}");
        assert_eq!(
            run(&["convert", path, "--to", "epd"], ""),
            (0, epd + "\n", String::new())
        );
        let (code, game, _) = run(&["convert", path, "--to", "pgn"], "");
        assert_eq!(code, 0);
        assert!(game.contains(&format!("[FEN \"{board} b - - ")), "{game}");
    }
    for tag in ["8/8 b", "x", "4k3/8/8/8/8/8/8/4K3 b - - +bm Kd8;"] {
        std::fs::write(&path, format!("[Event \"A\"]\n[FEN \"{tag}\"]\n\n*\n")).unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(run(&["check", path], "").0, 1, "{tag}");
        assert_eq!(run(&["convert", path, "--to", "fen"], "").0, 3, "{tag}");
    }
}

#[test]
fn a_broken_first_line_of_json_lines_does_not_cost_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let good = format!("{{\"fen\": \"{KINGS}\"}}");
    for broken in [
        "{\"fen\": ",
        "{",
        "{\"fen\": \"8/8",
        "{\"a\" 1}",
        "{\"fen\": \"8/8\"",
        "{}}",
        "{'a': 1}",
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let text = [broken, &good, "", &good].join(end);
            let path = folder.path().join("some.jsonl");
            std::fs::write(&path, &text).unwrap();
            let path = path.to_str().unwrap();
            let (code, stdout, stderr) = run(&["convert", path, "--to", "fen"], "");
            assert_eq!(
                (code, &stdout),
                (3, &format!("{KINGS}\n").repeat(2)),
                "{broken}"
            );
            let piped = run(&["convert", "-", "--to", "fen"], &text);
            assert_eq!(piped, (3, stdout, stderr.replace(path, "-")), "{broken}");
        }
    }
}

#[test]
fn every_beginning_of_json_and_pgn_is_told_on_standard_input() {
    let game = format!("[Event \"A\"]\n[FEN \"{KINGS}\"]\n\n*\n");
    for text in [
        format!("\"{KINGS}\""),
        format!("\"{KINGS}\"\n\n"),
        format!("  \"{KINGS}\"  "),
        format!("{{a comment}}\n{game}"),
        format!("{{a comment}} {game}"),
        format!("{{a\n\ncomment [Event}}\n{game}"),
        format!("{{\"quoted\"}}\n{game}"),
        format!("{{}}{{}}{game}"),
        format!("; a remark\n{game}"),
        format!("% a remark\n; a {{remark\n{{a comment}}\n% more\n\n{game}"),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let text = format!("{mark}{}", text.replace('\n', end));
                let piped = run(&["convert", "-", "--to", "fen"], &text);
                assert_eq!(piped, (0, format!("{KINGS}\n"), String::new()), "{text:?}");
            }
        }
    }
    // Lines of FENs stay that, whatever the first is.
    for first in ["; a remark", "\"8/8", "\"", ";"] {
        let (_, stdout, stderr) = run(
            &["convert", "-", "--to", "fen"],
            format!("{first}\n{KINGS}\n"),
        );
        assert_eq!(stdout, format!("{KINGS}\n"), "{first}: {stderr}");
    }
}

#[test]
fn other_arguments_are_refused_before_standard_input_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let refused = folder.path().join("x.doc");
    std::fs::write(&refused, "").unwrap();
    let refused = refused.to_str().unwrap();
    let output = folder.path().join("none").join("out.fen");
    for arguments in [
        vec!["check", "-", refused],
        vec!["explain", "-", refused],
        vec!["convert", "-", refused, "--to", "fen"],
        vec![
            "convert",
            "-",
            "--to",
            "fen",
            "-o",
            output.to_str().unwrap(),
        ],
        vec!["check", "-", "-"],
    ] {
        let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
            .args(&arguments)
            .stdin(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // The other end stays open: who reads waits.
        let _open = program.stdin.take();
        let started = std::time::Instant::now();
        let status = loop {
            if let Some(status) = program.try_wait().unwrap() {
                break status;
            }
            if started.elapsed().as_secs() > 30 {
                program.kill().unwrap();
                panic!("{arguments:?} waits for standard input");
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        };
        assert!(
            matches!(status.code(), Some(2 | 4)),
            "{arguments:?}: {status}"
        );
    }
}

#[test]
fn a_point_in_a_board_is_no_link_and_no_name_of_a_file() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for at in 1..start.len() {
        let board = format!("{}.{}", &start[..at], &start[at + 1..]);
        for text in [board.clone(), format!("{board} w KQkq - 0 1")] {
            // A stroke that became a point makes two ranks one.
            let (code, stdout, stderr) = run(&["check", &text], "");
            assert_eq!((code, stderr.as_str()), (1, ""), "{text}");
            assert!(stdout.contains("`.` is no piece"), "{stdout}");
        }
    }
}
