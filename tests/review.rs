//! The review server as a browser, a second window and a stranger on the same machine meet it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

const PLACEMENT: &str = "4k3/8/8/8/8/8/8/4K3";
/// As documented: a correction may have 64 KiB.
const MAX_BODY_BYTES: usize = 64 << 10;

/// A batch over one page of four boards, and its running review server.
struct Review {
    folder: tempfile::TempDir,
    server: Child,
    port: u16,
    token: String,
}

impl Drop for Review {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Runs a batch over `page.png` into `out`.
fn batch(folder: &Path, more: &[&str]) {
    let words = [
        "batch",
        "page.png",
        "-o",
        "out",
        "-q",
        "--timeout",
        "600",
        "--engine",
        "tract",
    ];
    let status = Command::new(env!("CARGO_BIN_EXE_img2fen"))
        .args(words)
        .args(more)
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
}

impl Review {
    fn start() -> Self {
        Self::after(|folder| batch(folder, &[]))
    }

    /// The server over what `prepare` makes of a folder with `page.png`.
    fn after(prepare: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/printed-page.png");
        fs::copy(page, folder.path().join("page.png")).unwrap();
        prepare(folder.path());
        let mut server = Command::new(env!("CARGO_BIN_EXE_img2fen"))
            .args(["review", "out"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(folder.path().join("said")).unwrap())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        let place = address.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = place.trim_end_matches('/').split_once('/').unwrap();
        Self {
            folder,
            server,
            port: port.parse().unwrap(),
            token: token.to_owned(),
        }
    }

    /// What the server said before it listened.
    fn said(&self) -> String {
        fs::read_to_string(self.folder.path().join("said")).unwrap()
    }

    /// The pictures of the page's boards, in their order.
    fn pictures(&self) -> Vec<String> {
        let (status, page) = self.get(&format!("/{}/", self.token), "");
        assert_eq!(status, 200);
        let page = String::from_utf8(page).unwrap();
        let start = "data:image/jpeg;base64,";
        page.lines()
            .filter(|line| line.starts_with("<script type=\"text/plain\" id=\"picture-"))
            .map(|line| line.split_once(start).unwrap().1.to_owned())
            .collect()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// Sends bytes and gives the status and the body of the answer.
    fn send(&self, request: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = self.connect();
        // A server that refuses may close before all is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        let status = text
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let head = answer.windows(4).position(|window| window == b"\r\n\r\n");
        (
            status.unwrap_or_else(|| panic!("no answer: {text}")),
            answer[head.unwrap() + 4..].to_vec(),
        )
    }

    fn get(&self, path: &str, headers: &str) -> (u16, Vec<u8>) {
        let host = if headers.contains("Host:") {
            String::new()
        } else {
            format!("Host: 127.0.0.1:{}\r\n", self.port)
        };
        self.send(
            format!("GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n").as_bytes(),
        )
    }

    fn post_with(&self, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let head = format!(
            "POST /{}/corrections HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.token,
            self.port,
            body.len()
        );
        self.send(&[head.as_bytes(), body].concat())
    }

    fn post(&self, body: &[u8]) -> (u16, Vec<u8>) {
        let headers = format!(
            "Origin: http://127.0.0.1:{}\r\nContent-Type: application/json\r\n",
            self.port
        );
        self.post_with(&headers, body)
    }

    /// A correction of the board of this number, made on a revision.
    fn correction(&self, board: usize, placement: &str, revision: u64) -> Vec<u8> {
        let readings = fs::read_to_string(self.folder.path().join("out/readings.jsonl")).unwrap();
        let reading: Value =
            serde_json::from_str(readings.lines().nth(board - 1).unwrap()).unwrap();
        let correction = json!({
            "type": "correction", "source": reading["source"], "placement": placement, "below": "white", "turn": "w",
            "castling": "-", "castling_inferred": false, "en_passant": "-", "halfmove": "0", "fullmove": "1",
            "left_out": false, "settled": [], "revision": revision,
        });
        correction.to_string().into_bytes()
    }

    /// The placements in `corrections.jsonl`, in its order.
    fn saved(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("out/corrections.jsonl"))
            .unwrap_or_default();
        let placement = |line: &str| {
            serde_json::from_str::<Value>(line).unwrap()["placement"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        text.lines().map(placement).collect()
    }
}

#[test]
fn only_the_page_itself_with_its_token_is_served() {
    let review = Review::start();
    let token = &review.token;
    assert_eq!(token.len(), 32);
    let (status, page) = review.get(&format!("/{token}/"), "");
    assert_eq!(status, 200);
    assert!(page.starts_with(b"<!DOCTYPE html>") || page.starts_with(b"<!doctype html>"));
    let wrong = "0".repeat(32);
    for path in [
        "/".to_owned(),
        format!("/{wrong}/"),
        format!("/{}/", &token[..31]),
        format!("/{token}"),
        format!("/{token}/journal.jsonl"),
        format!("/{token}/readings.jsonl"),
        format!("/{token}/../page.png"),
        format!("/{token}/..%2f..%2fpage.png"),
        format!("/{token}//etc/passwd"),
        format!("/{token}/corrections/../journal.jsonl"),
        "/etc/passwd".to_owned(),
        "http://127.0.0.1/".to_owned(),
    ] {
        assert_eq!(review.get(&path, "").0, 404, "{path}");
    }
}

#[test]
fn requests_of_other_sites_are_refused() {
    let review = Review::start();
    let page = format!("/{}/", review.token);
    let port = review.port;
    assert_eq!(review.get(&page, "Host: attacker.example\r\n").0, 403);
    assert_eq!(review.get(&page, "Host: 127.0.0.1\r\n").0, 403);
    assert_eq!(
        review.get(&page, "Origin: http://attacker.example\r\n").0,
        403
    );
    let correction = review.correction(1, PLACEMENT, 0);
    let json = "Content-Type: application/json\r\n";
    for headers in [
        json.to_owned(),
        format!("Origin: null\r\n{json}"),
        format!(
            "Origin: http://127.0.0.1:{}\r\n{json}",
            port.wrapping_add(1)
        ),
        format!("Origin: https://127.0.0.1:{port}\r\n{json}"),
    ] {
        assert_eq!(review.post_with(&headers, &correction).0, 403, "{headers}");
    }
    let plain = format!("Origin: http://127.0.0.1:{port}\r\nContent-Type: text/plain\r\n");
    assert_eq!(review.post_with(&plain, &correction).0, 415);
    assert_eq!(review.saved(), Vec::<String>::new());
    assert_eq!(review.post(&correction).0, 200);
    assert_eq!(review.saved(), [PLACEMENT]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_listens_on_this_machine_only() {
    let review = Review::start();
    let listens = |file: &str| -> Vec<String> {
        let port = format!(":{:04X}", review.port);
        let text = fs::read_to_string(file).unwrap_or_default();
        text.lines()
            .filter_map(|line| {
                let mut words = line.split_whitespace().skip(1);
                let (local, _, state) = (words.next()?, words.next()?, words.next()?);
                (state == "0A" && local.ends_with(&port))
                    .then(|| local[..local.len() - 5].to_owned())
            })
            .collect()
    };
    // 127.0.0.1, as the kernel writes it.
    assert_eq!(listens("/proc/net/tcp"), ["0100007F"]);
    assert_eq!(listens("/proc/net/tcp6"), Vec::<String>::new());
}

#[test]
fn a_request_just_over_the_limit_is_refused_and_one_just_under_is_looked_at() {
    let review = Review::start();
    let mut correction = review.correction(1, PLACEMENT, 0);
    correction.resize(MAX_BODY_BYTES, b' ');
    assert_eq!(review.post(&correction).0, 200);
    let mut larger = review.correction(1, "8/8/8/8/8/8/8/8", 1);
    larger.resize(MAX_BODY_BYTES + 1, b' ');
    let (status, said) = review.post(&larger);
    assert_eq!(status, 413);
    assert!(String::from_utf8_lossy(&said).contains("64 KiB"));
    assert_eq!(review.saved(), [PLACEMENT]);
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let review = Review::start();
    let foreign = String::from_utf8(review.correction(1, PLACEMENT, 0))
        .unwrap()
        .replace("page.png", "/etc/passwd");
    let position = review.correction(1, "9/9", 0);
    for body in [
        b"".as_slice(),
        b"{}",
        b"[",
        b"\xff\xfe",
        &b"[".repeat(60_000),
        foreign.as_bytes(),
        &position,
    ] {
        let (status, _) = review.post(body);
        assert_eq!(
            status,
            400,
            "{}",
            String::from_utf8_lossy(&body[..body.len().min(200)])
        );
    }
    assert_eq!(review.saved(), Vec::<String>::new());
}

#[test]
fn strangers_that_never_finish_a_request_do_not_hold_up_the_reviewer() {
    let review = Review::start();
    let head = |path: &str, length: u64| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n",
            review.port
        )
    };
    let mut open = Vec::new();
    for request in [
        "GET / HT".to_owned(),
        head("/", 1_000),
        head("/", u64::MAX),
        head("/wrong/corrections", 60_000),
    ] {
        for _ in 0..6 {
            let mut stream = review.connect();
            stream.write_all(request.as_bytes()).unwrap();
            open.push(stream);
        }
    }
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(
        review.get(&format!("/{}/corrections", review.token), "").0,
        200
    );
    assert_eq!(review.post(&review.correction(1, PLACEMENT, 0)).0, 200);
}

#[test]
fn two_windows_do_not_lose_a_correction() {
    let review = Review::start();
    // Both windows show the board as it was read.
    assert_eq!(review.post(&review.correction(1, PLACEMENT, 0)).0, 200);
    let (status, newest) = review.post(&review.correction(1, "8/8/8/8/8/8/8/8", 0));
    assert_eq!(status, 409);
    let newest: Value = serde_json::from_slice(&newest).unwrap();
    assert_eq!(newest["correction"]["placement"], PLACEMENT);
    assert_eq!(newest["revision"], 1);
    assert_eq!(review.saved(), [PLACEMENT]);
    // The second window has seen it and decides.
    assert_eq!(
        review
            .post(&review.correction(1, "4k3/8/8/8/8/8/8/3QK3", 1))
            .0,
        200
    );
    assert_eq!(review.saved(), ["4k3/8/8/8/8/8/8/3QK3"]);
}

#[test]
fn of_many_corrections_of_a_board_at_once_one_is_taken_and_of_different_boards_all() {
    let review = Review::start();
    let at_once = |bodies: Vec<Vec<u8>>| -> Vec<u16> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = bodies
                .iter()
                .map(|body| scope.spawn(|| review.post(body).0))
                .collect();
            let mut statuses: Vec<u16> = threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect();
            statuses.sort_unstable();
            statuses
        })
    };
    let same = (0..8).map(|_| review.correction(1, PLACEMENT, 0)).collect();
    assert_eq!(at_once(same), [200, 409, 409, 409, 409, 409, 409, 409]);
    let different = (2..=4)
        .map(|board| review.correction(board, PLACEMENT, 0))
        .collect();
    assert_eq!(at_once(different), [200, 200, 200]);
    assert_eq!(review.saved(), [PLACEMENT; 4]);
}

#[test]
fn each_board_comes_with_its_own_picture_and_its_own_correction_whatever_earlier_runs_numbered() {
    let alone = Review::after(|folder| batch(folder, &["--max-boards", "1"]));
    assert_eq!(alone.post(&alone.correction(1, PLACEMENT, 0)).0, 200);
    let picture = alone.pictures();
    assert_eq!(picture.len(), 1);
    let mut all = Vec::new();
    let review = Review::after(|folder| {
        let from = |name: &str| alone.folder.path().join("out").join(name);
        fs::create_dir(folder.join("out")).unwrap();
        for name in ["journal.jsonl", "corrections.jsonl"] {
            fs::copy(from(name), folder.join("out").join(name)).unwrap();
        }
        batch(folder, &[]);
        // The same journal now ends with the page of one board again.
        let whole = fs::read_to_string(folder.join("out/readings.jsonl")).unwrap();
        batch(folder, &["--max-boards", "1", "--no-resume"]);
        let one = fs::read_to_string(folder.join("out/journal.jsonl")).unwrap();
        batch(folder, &[]);
        let mut both = fs::read_to_string(folder.join("out/journal.jsonl")).unwrap();
        both.push_str(&one);
        fs::write(folder.join("out/journal.jsonl"), both).unwrap();
        assert!(fs::read_to_string(folder.join("out/readings.jsonl")).unwrap() == whole);
        all = whole.lines().map(str::to_owned).collect();
    });
    assert_eq!(all.len(), 4);
    let pictures = review.pictures();
    let place = pictures.iter().position(|own| *own == picture[0]).unwrap();
    let different: BTreeSet<&String> = pictures.iter().collect();
    assert_eq!((pictures.len(), different.len()), (4, 4));
    // The correction of board 1 of the small run is one of this board, under its number of now.
    let (status, saved) = review.get(&format!("/{}/corrections", review.token), "");
    assert_eq!(status, 200);
    let saved: Value = serde_json::from_slice(&saved).unwrap();
    assert_eq!(saved.as_array().unwrap().len(), 1);
    assert_eq!(saved[0]["correction"]["source"]["board"], place + 1);
    assert_eq!(saved[0]["correction"]["placement"], PLACEMENT);
    let folder = review.folder.path();
    let output = Command::new(env!("CARGO_BIN_EXE_img2fen"))
        .args(["export", "out"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let fens = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let mut expected = fens("out/positions.fen");
    expected[place] = format!("{PLACEMENT} w - - 0 1");
    assert_eq!(fens("out/corrected/positions.fen"), expected);
}

#[cfg(unix)]
#[test]
fn while_a_review_is_open_its_folder_is_said_to_be_held_by_it() {
    let review = Review::start();
    let folder = review.folder.path();
    for words in [
        &["review", "out"][..],
        &["batch", "page.png", "-o", "out", "--engine", "tract"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_img2fen"))
            .args(words)
            .current_dir(folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4), "{words:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains(
                "a review in the browser holds out: stop the `img2fen review` that serves it with Ctrl-C, or name \
                 another folder\n"
            ),
            "{said}"
        );
    }
}

#[test]
fn without_the_journal_boards_have_no_picture_and_can_be_corrected() {
    let review = Review::after(|folder| {
        batch(folder, &[]);
        fs::remove_file(folder.join("out/journal.jsonl")).unwrap();
    });
    let said = review.said();
    assert!(
        said.starts_with(
            "4 boards without a picture, as journal.jsonl does not hold them any more; the same `img2fen batch` \
             command with `--no-resume` brings them back\n"
        ),
        "{said}"
    );
    assert_eq!(review.pictures(), [""; 0]);
    assert_eq!(review.post(&review.correction(2, PLACEMENT, 0)).0, 200);
    assert_eq!(review.saved(), [PLACEMENT]);
}

#[test]
fn a_replaced_picture_is_corrected_anew() {
    let review = Review::after(|folder| {
        batch(folder, &[]);
        let reading = fs::read_to_string(folder.join("out/readings.jsonl")).unwrap();
        let reading: Value = serde_json::from_str(reading.lines().next().unwrap()).unwrap();
        let old = json!({
            "type": "correction", "source": reading["source"], "quad": reading["quad"], "placement": PLACEMENT,
            "below": "white", "turn": "w", "castling": "-", "castling_inferred": false, "en_passant": "-",
            "halfmove": "0", "fullmove": "1", "left_out": false, "settled": [],
        });
        fs::write(folder.join("out/corrections.jsonl"), old.to_string()).unwrap();
        let page = fs::read(folder.join("page.png")).unwrap();
        fs::write(folder.join("page.png"), [page, vec![0]].concat()).unwrap();
        batch(folder, &[]);
    });
    let unused = "1 correction is not used, that of page.png, board 1: the file was another one when it was corrected\n";
    assert!(review.said().contains(unused), "{}", review.said());
    let other = "8/8/8/8/8/8/8/8";
    assert_eq!(review.post(&review.correction(1, other, 0)).0, 200);
    assert_eq!(review.saved(), [PLACEMENT, other]);
}

#[test]
fn what_cannot_be_saved_is_taken_when_it_can_be_again() {
    let review = Review::start();
    let file = review.folder.path().join("out/corrections.jsonl");
    fs::create_dir(&file).unwrap();
    assert_eq!(review.post(&review.correction(1, PLACEMENT, 0)).0, 500);
    fs::remove_dir(&file).unwrap();
    assert_eq!(review.post(&review.correction(1, PLACEMENT, 0)).0, 200);
    assert_eq!(review.saved(), [PLACEMENT]);
}

#[test]
fn corrections_put_into_the_folder_meanwhile_are_shown_and_kept() {
    let review = Review::start();
    assert_eq!(review.post(&review.correction(1, PLACEMENT, 0)).0, 200);
    let mut line: Value = serde_json::from_slice(&review.correction(2, PLACEMENT, 0)).unwrap();
    line.as_object_mut().unwrap().remove("revision");
    let file = review.folder.path().join("out/corrections.jsonl");
    fs::write(&file, line.to_string()).unwrap();
    assert_eq!(
        review.post(&review.correction(2, "8/8/8/8/8/8/8/8", 0)).0,
        409
    );
    assert_eq!(review.post(&review.correction(3, PLACEMENT, 0)).0, 200);
    assert_eq!(review.saved(), [PLACEMENT; 3]);
}

#[test]
fn damaged_readings_are_refused_before_anything_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    for (text, reason) in [
        ("{}\n{", "line 2: is not JSON: "),
        ("\u{0}\n", "line 1: is not JSON: "),
        (
            "{\"type\":\"reading\"}\n",
            "line 1: is of another version of img2fen: ",
        ),
    ] {
        fs::write(out.join("readings.jsonl"), text).unwrap();
        for command in ["review", "export"] {
            let output = Command::new(env!("CARGO_BIN_EXE_img2fen"))
                .args([command, "out"])
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(3));
            let said = String::from_utf8(output.stderr).unwrap();
            let start = format!("img2fen: error: out/readings.jsonl, {reason}");
            assert!(said.starts_with(&start), "{said}");
            let hint = "\nhint: give the same `img2fen batch` command again: it writes the readings anew\n";
            assert!(said.ends_with(hint), "{said}");
            assert_eq!(output.stdout, b"");
        }
    }
}
