//! `img2fen review DIR`: the report of a batch, served on this machine only, with corrections saved as they are made.
//!
//! The server listens on 127.0.0.1, on a port that the system chooses. Every address holds a random token; requests
//! with another `Host` or `Origin` are refused, so no page of another site can read or change anything. It serves the
//! report and the corrections of one folder and no file.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufWriter, Seek, SeekFrom};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use img2fen::Quad;
use img2fen::report::{Correction, HtmlReport, OtherInput, SourceRecord};
use img2fen::wording::counted;
use serde::Deserialize;

use crate::corrections::{self, Corrections, Saved};
use crate::exit::Exit;
use crate::http::{self, Request, Response};
use crate::journal::{self, Journal};
use crate::output::{Holder, OutputFolder};
use crate::readings::{self, Boards};
use crate::ui::Ui;

/// A correction is some 500 bytes.
const MAX_BODY_BYTES: usize = 64 << 10;

/// The folder of a batch.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  nobody asked for anything for the time of --idle
  2  wrong usage
  3  the folder holds no readings, or they cannot be read
  4  the folder is in use or cannot be written, or the port is taken
  130  stopped by Ctrl-C; what was corrected is saved")]
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
    /// Where the pictures of the boards are in the journal.
    pictures: HashMap<SourceRecord, PicturePlace>,
    token: String,
    port: u16,
}

/// Key of a page in the journal, and index of a board on it.
type PicturePlace = (String, usize);

/// Finds the pictures of the boards in the journal. A page that was read several times, with other options, has several
/// entries there: the one that the readings were made of has the board of this number at this place.
fn pictures(
    journal: &mut Journal,
    boards: &Boards,
) -> anyhow::Result<HashMap<SourceRecord, PicturePlace>> {
    let mut pictures = HashMap::new();
    for key in journal.keys() {
        for (index, board) in journal.read(&key)?.boards.into_iter().enumerate() {
            let (source, quad) = (board.record.source, board.record.quad);
            if board.crop.is_some() && boards.from(&source).is_some_and(|own| own.quad == quad) {
                pictures.insert(source, (key.clone(), index));
            }
        }
    }
    Ok(pictures)
}

/// Runs the command.
pub fn run(args: &ReviewArgs, ui: &Ui) -> anyhow::Result<Exit> {
    // Says what is missing before anything is locked or listened to.
    let boards = Boards::of(&args.folder)?;
    let environment = |error: anyhow::Error| error.context(crate::output::Unusable);
    let output = OutputFolder::open(&args.folder, Holder::Review).map_err(environment)?;
    let mut journal = Journal::open(&output.file(journal::FILE_NAME))?;
    let pictures = pictures(&mut journal, &boards)?;
    let without = boards.count() - pictures.len();
    let corrections = Corrections::read(&output.file(corrections::FILE_NAME), boards)?;
    let listener = TcpListener::bind(("127.0.0.1", args.port))
        .context("cannot listen on 127.0.0.1")
        .map_err(environment)?;
    let port = listener.local_addr()?.port();
    let review = Review {
        output,
        journal: Mutex::new(journal),
        corrections: Mutex::new(corrections),
        pictures,
        token: random_token(),
        port,
    };
    if without > 0 {
        let boards = counted(without, "board");
        ui.note(&format!(
            "{boards} without a picture, as {} does not hold them any more; the same `img2fen batch` command with \
             `--no-resume` brings them back",
            journal::FILE_NAME
        ));
    }
    if let Some(unused) = review.locked()?.unused() {
        ui.note(&unused);
    }
    ui.print(&format!("http://127.0.0.1:{port}/{}/", review.token))?;
    ui.note("open this address in a browser on this machine; corrections are saved as you go; Ctrl-C stops");

    let idle = Duration::from_secs(60 * args.idle);
    http::serve(&listener, idle, &HEADERS, |request| {
        review.answer(request).unwrap_or_else(|error| {
            ui.error(&format!("{}: {error:#}", request.path), None);
            Response::text(500, &format!("{error:#}"))
        })
    })?;
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
    fn answer(&self, request: &mut Request<'_>) -> anyhow::Result<Response> {
        if let Err((status, reason)) = self.admit(request) {
            return Ok(Response::text(status, reason));
        }
        let start = format!("/{}/", self.token);
        match (request.method.as_str(), request.path.strip_prefix(&start)) {
            ("GET", Some("")) => self.page(),
            ("GET", Some("corrections")) => {
                let mut corrections = self.locked()?;
                corrections.look()?;
                let all: Vec<_> = corrections.all().collect();
                Ok(Response::bytes(200, JSON, serde_json::to_vec(&all)?))
            }
            ("POST", Some("corrections")) => match request.body(MAX_BODY_BYTES) {
                Ok(body) => self.save(&body),
                Err(response) => Ok(response),
            },
            _ => Ok(Response::text(404, "there is nothing here")),
        }
    }

    /// Whether a request comes from this server's own page.
    fn admit(&self, request: &Request<'_>) -> Result<(), (u16, &'static str)> {
        let own = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        match request.header("Host") {
            Ok(Some(host)) if own.iter().any(|own| own == host) => {}
            _ => return Err((403, "the request is for another host")),
        }
        let is_own = |origin: &str| {
            own.iter()
                .any(|own| origin.strip_prefix("http://") == Some(own))
        };
        match (request.header("Origin"), request.method.as_str()) {
            (Ok(Some(origin)), _) if is_own(origin) => {}
            (Ok(None), "GET") => {}
            _ => return Err((403, "the request comes from another site")),
        }
        match (request.method.as_str(), request.header("Content-Type")) {
            ("POST", Ok(Some(kind))) if kind.split(';').next() == Some("application/json") => {
                Ok(())
            }
            ("POST", _) => Err((415, "a correction is JSON")),
            _ => Ok(()),
        }
    }

    /// Takes a correction.
    fn save(&self, body: &[u8]) -> anyhow::Result<Response> {
        let posted: Posted = match serde_json::from_slice(body) {
            Ok(posted) => posted,
            Err(error) => return Ok(Response::text(400, &format!("not a correction: {error}"))),
        };
        if let Err(error) = posted.correction.fields() {
            return Ok(Response::text(400, &error.to_string()));
        }
        let saved = self.locked()?.save(posted.correction, posted.revision)?;
        let (status, answer) = match saved {
            Saved::Yes(revision) => (200, serde_json::json!({ "revision": revision })),
            Saved::Conflict(newest) => (409, serde_json::to_value(&newest)?),
            Saved::NoBoard => {
                let message = "the correction is about a board that is not in this folder";
                return Ok(Response::text(400, message));
            }
        };
        Ok(Response::bytes(status, JSON, serde_json::to_vec(&answer)?))
    }

    fn locked(&self) -> anyhow::Result<MutexGuard<'_, Corrections>> {
        let corrections = self.corrections.lock();
        corrections.map_err(|_| anyhow!("the corrections are locked"))
    }

    fn page(&self) -> anyhow::Result<Response> {
        let title = format!("img2fen review: {}", self.output.path().display());
        let mut report = HtmlReport::new(title, String::new());
        report.server = true;
        {
            let mut corrections = self.locked()?;
            corrections.look()?;
            report.corrections = corrections.all().cloned().collect();
        }
        let mut places = Vec::new();
        for line in readings::open(self.output.path())? {
            let line = line?;
            let Some(record) = readings::record_of(&line)? else {
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
        let length = page.stream_position()?;
        page.seek(SeekFrom::Start(0))?;
        Ok(Response::file("text/html; charset=utf-8", page, length))
    }

    fn picture(
        &self,
        (key, index): &PicturePlace,
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

const JSON: &str = "application/json";

/// Sent with every answer: nothing is kept, framed, guessed or told to other sites.
const HEADERS: [(&str, &str); 5] = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
];
