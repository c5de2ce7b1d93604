//! `img2fen review DIR`: the report of a batch, served on this machine only, with corrections saved as they are made.
//!
//! The server listens on 127.0.0.1, on a port that the system chooses. Every address holds a random token; requests
//! with another `Host` or `Origin` are refused, so no page of another site can read or change anything. It serves the
//! report and the corrections of one folder and no file.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufWriter, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;
use img2fen::Quad;
use img2fen::report::{Correction, HtmlReport, OtherInput, SourceRecord};
use serde::Deserialize;
use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

use crate::commands::export::{open_readings, record_of};
use crate::corrections::{self, Corrections, Saved};
use crate::exit::Exit;
use crate::journal::Journal;
use crate::output::OutputFolder;
use crate::ui::Ui;

/// A correction is some 500 bytes.
const MAX_BODY_BYTES: u64 = 64 << 10;
/// Threads that answer: a slow download of the report must not hold up a correction.
const THREADS: usize = 4;

/// The folder of a batch.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Folder that a batch wrote
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Port to listen on; 0 lets the system choose
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Stop after this many minutes without a request
    #[arg(long, value_name = "MINUTES", default_value_t = 240, value_parser = clap::value_parser!(u64).range(1..))]
    idle: u64,
}

struct Review {
    output: OutputFolder,
    journal: Mutex<Journal>,
    corrections: Mutex<Corrections>,
    /// Where the pictures of a board are in the journal: key of the page and number on it.
    pictures: HashMap<SourceRecord, (String, usize)>,
    token: String,
    port: u16,
}

/// Runs the command.
pub fn run(args: &ReviewArgs, ui: &Ui) -> anyhow::Result<Exit> {
    // Says what is missing before anything is locked or listened to.
    drop(open_readings(&args.folder)?);
    let environment = |error: anyhow::Error| error.context(crate::output::Unusable);
    let output = OutputFolder::open(&args.folder).map_err(environment)?;
    let corrections = Corrections::read(&output.file(corrections::FILE_NAME))?;
    let mut journal = Journal::open(&output.file("journal.jsonl"))?;
    let mut pictures = HashMap::new();
    for key in journal.keys() {
        for (index, board) in journal.read(&key)?.boards.into_iter().enumerate() {
            pictures.insert(board.record.source, (key.clone(), index));
        }
    }
    let server = Server::http(("127.0.0.1", args.port))
        .map_err(|error| anyhow!("cannot listen on 127.0.0.1: {error}"))
        .map_err(environment)?;
    let port = server
        .server_addr()
        .to_ip()
        .context("the server has no port")?
        .port();
    let review = Review {
        output,
        journal: Mutex::new(journal),
        corrections: Mutex::new(corrections),
        pictures,
        token: random_token(),
        port,
    };
    ui.print(&format!("http://127.0.0.1:{port}/{}/", review.token))?;
    ui.note("open this address in a browser on this machine; corrections are saved as you go; Ctrl-C stops");

    let started = Instant::now();
    let last_request = AtomicU64::new(0);
    let idle = Duration::from_secs(60 * args.idle);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let now = started.elapsed();
                    match server.recv_timeout(Duration::from_secs(1)) {
                        Ok(Some(request)) => {
                            last_request.store(now.as_secs(), Ordering::SeqCst);
                            let path = request.url().to_owned();
                            if let Err(error) = review.answer(request) {
                                ui.detail(&format!("{path}: {error:#}"));
                            }
                        }
                        Ok(None)
                            if now
                                > Duration::from_secs(last_request.load(Ordering::SeqCst))
                                    + idle =>
                        {
                            break;
                        }
                        Ok(None) => {}
                        Err(error) => {
                            ui.error(&format!("the review server stopped: {error}"), None);
                            break;
                        }
                    }
                }
            });
        }
    });
    Ok(Exit::Success)
}

/// 128 bits that nobody outside can guess: the standard library keys its hashes from the system's random source, and
/// the hash (SipHash) is a pseudo-random function of that key.
fn random_token() -> String {
    let state = RandomState::new();
    (0..2u64)
        .map(|word| {
            let mut hasher = state.build_hasher();
            hasher.write_u64(word);
            format!("{:016x}", hasher.finish())
        })
        .collect()
}

/// A correction and the version of the board that it was made on.
#[derive(Deserialize)]
struct Posted {
    revision: u64,
    #[serde(flatten)]
    correction: Correction,
}

impl Review {
    fn answer(&self, mut request: Request) -> anyhow::Result<()> {
        if let Err((status, reason)) = self.admit(&request) {
            return respond(
                request,
                status,
                "text/plain; charset=utf-8",
                reason.as_bytes(),
            );
        }
        let start = format!("/{}/", self.token);
        let path = request.url().strip_prefix(&start).map(str::to_owned);
        match (request.method(), path.as_deref()) {
            (Method::Get, Some("")) => self.send_page(request),
            (Method::Get, Some("corrections")) => {
                let corrections = self
                    .corrections
                    .lock()
                    .map_err(|_| anyhow!("the corrections are locked"))?;
                let all: Vec<_> = corrections.all().collect();
                respond(request, 200, "application/json", &serde_json::to_vec(&all)?)
            }
            (Method::Post, Some("corrections")) => {
                let mut body = Vec::new();
                request
                    .as_reader()
                    .take(MAX_BODY_BYTES + 1)
                    .read_to_end(&mut body)?;
                let (status, answer) = match body.len() as u64 > MAX_BODY_BYTES {
                    true => (
                        413,
                        b"the correction is larger than the limit of 64 KiB".to_vec(),
                    ),
                    false => self.save(&body)?,
                };
                let kind = if status == 200 || status == 409 {
                    "application/json"
                } else {
                    "text/plain; charset=utf-8"
                };
                respond(request, status, kind, &answer)
            }
            _ => respond(
                request,
                404,
                "text/plain; charset=utf-8",
                b"there is nothing here",
            ),
        }
    }

    /// Whether a request comes from this server's own page.
    fn admit(&self, request: &Request) -> Result<(), (u16, &'static str)> {
        let header = |name: &'static str| {
            let mut found = request
                .headers()
                .iter()
                .filter(|header| header.field.equiv(name));
            (
                found.next().map(|header| header.value.as_str().to_owned()),
                found.next().is_some(),
            )
        };
        let own = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        match header("Host") {
            (Some(host), false) if own.contains(&host) => {}
            _ => return Err((403, "the request is for another host")),
        }
        let is_own = |origin: &str| {
            own.iter()
                .any(|own| origin.strip_prefix("http://") == Some(own))
        };
        match (header("Origin"), request.method()) {
            ((Some(origin), false), _) if is_own(&origin) => {}
            ((None, _), Method::Get) => {}
            _ => return Err((403, "the request comes from another site")),
        }
        match (request.method(), header("Content-Type")) {
            (Method::Post, (Some(kind), false))
                if kind.split(';').next() == Some("application/json") =>
            {
                Ok(())
            }
            (Method::Post, _) => Err((415, "a correction is JSON")),
            _ => Ok(()),
        }
    }

    /// Takes a correction; gives the status and the body of the answer.
    fn save(&self, body: &[u8]) -> anyhow::Result<(u16, Vec<u8>)> {
        let posted: Posted = match serde_json::from_slice(body) {
            Ok(posted) => posted,
            Err(error) => return Ok((400, format!("not a correction: {error}").into_bytes())),
        };
        if !self.pictures.contains_key(&posted.correction.source) {
            return Ok((
                400,
                b"the correction is about a board that is not in this folder".to_vec(),
            ));
        }
        if let Err(error) = posted.correction.fields() {
            return Ok((400, error.to_string().into_bytes()));
        }
        let mut corrections = self
            .corrections
            .lock()
            .map_err(|_| anyhow!("the corrections are locked"))?;
        match corrections.save(posted.correction, posted.revision) {
            Saved::Conflict(newest) => Ok((409, serde_json::to_vec(&newest)?)),
            Saved::Yes(revision) => {
                match corrections.write(&self.output.file(corrections::FILE_NAME)) {
                    Ok(()) => Ok((
                        200,
                        serde_json::to_vec(&serde_json::json!({ "revision": revision }))?,
                    )),
                    Err(error) => Ok((500, format!("{error:#}").into_bytes())),
                }
            }
        }
    }

    fn send_page(&self, request: Request) -> anyhow::Result<()> {
        let title = format!("img2fen review: {}", self.output.path().display());
        let mut report = HtmlReport::new(title, String::new());
        report.server = true;
        report.corrections = self
            .corrections
            .lock()
            .map_err(|_| anyhow!("the corrections are locked"))?
            .all()
            .cloned()
            .collect();
        let mut places = Vec::new();
        for line in open_readings(self.output.path())? {
            let line = line?;
            let Some(record) = record_of(&line)? else {
                let value: serde_json::Value = serde_json::from_str(&line)?;
                report.others.push(OtherInput {
                    path: value["source"]["path"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                    page: value["source"]["page"]
                        .as_u64()
                        .and_then(|page| usize::try_from(page).ok()),
                    message: value["message"].as_str().unwrap_or_default().to_owned(),
                });
                continue;
            };
            let place = self.pictures.get(&record.source);
            let crop = place.and_then(|place| self.picture(place).ok().flatten());
            match crop {
                Some(crop) => report.add(&record, crop.size, &crop.quad),
                None => report.add(&record, [8, 8], &Quad::rectangle(0.0, 0.0, 8.0, 8.0)),
            }
            places.push(place);
        }
        let pictures = places.into_iter().map(|place| {
            let crop = place
                .map(|place| self.picture(place))
                .transpose()
                .map_err(std::io::Error::other)?;
            Ok(crop.flatten().map(|crop| crop.jpeg).unwrap_or_default())
        });
        // Through a file, so that a report of any size takes no memory and has a known length.
        let mut page =
            BufWriter::new(tempfile::tempfile().context("cannot write a temporary file")?);
        report.write(&mut page, pictures)?;
        let mut page = page
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?;
        page.seek(SeekFrom::Start(0))?;
        let mut response = Response::from_file(page);
        for header in headers("text/html; charset=utf-8")? {
            response.add_header(header);
        }
        request
            .respond(response)
            .context("the browser did not take the page")
    }

    fn picture(
        &self,
        (key, index): &(String, usize),
    ) -> anyhow::Result<Option<img2fen::report::Crop>> {
        let entry = self
            .journal
            .lock()
            .map_err(|_| anyhow!("the journal is locked"))?
            .read(key)?;
        Ok(entry
            .boards
            .into_iter()
            .nth(*index)
            .and_then(|board| board.crop))
    }
}

/// Sent with every answer: nothing is kept, framed, guessed or told to other sites.
const HEADERS: [(&str, &str); 5] = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
];

fn headers(kind: &str) -> anyhow::Result<Vec<Header>> {
    let all = HEADERS.into_iter().chain([("Content-Type", kind)]);
    all.map(|(name, value)| {
        Header::from_bytes(name, value).map_err(|()| anyhow!("a header is not ASCII"))
    })
    .collect()
}

fn respond(request: Request, status: u16, kind: &str, body: &[u8]) -> anyhow::Result<()> {
    let mut response = Response::from_data(body).with_status_code(StatusCode(status));
    for header in headers(kind)? {
        response.add_header(header);
    }
    request
        .respond(response)
        .context("the browser did not take the answer")
}
