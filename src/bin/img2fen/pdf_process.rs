//! PDF pages drawn in a child process with a limit of time and memory.
//!
//! A page that crashes the child, takes too long or too much memory is an error of that page; the next page gets a new
//! child. The child is this program itself, see `commands/pdf_worker.rs`.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use image::{DynamicImage, GrayImage, RgbImage};
use img2fen::input::pdf::TextLine;
use img2fen::{Error, ErrorKind};

use crate::commands::pdf_worker::{Drawn, Opened};

/// What drawing may cost.
#[derive(Debug, Clone, Copy)]
pub struct PdfLimits {
    /// Pixels an inch of drawn pages.
    pub dpi: f32,
    /// Most pixels of a page.
    pub max_pixels: u64,
    /// Largest file in bytes.
    pub max_file_bytes: u64,
    /// Longest time for a page.
    pub timeout: Duration,
    /// Most memory of the child in bytes, beside the file itself.
    pub max_memory_bytes: u64,
}

/// How often the child's memory is looked at while it works.
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// Pages that one child draws. The parts of the file it has touched and the structure it has unpacked stay with it, so a
/// child that drew a whole book would hold the whole book.
const PAGES_A_CHILD: usize = 16;

/// A PDF being drawn.
#[derive(Debug)]
pub struct PdfProcess {
    file: PathBuf,
    limits: PdfLimits,
    worker: Option<Worker>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<Answer>,
    /// Pages it was asked for.
    pages: usize,
}

#[derive(Debug)]
enum Answer {
    Opened(Opened),
    Drawn(Drawn, Vec<u8>),
}

/// A page as the child drew it.
#[derive(Debug)]
pub struct DrawnPage {
    /// The upright picture.
    pub image: DynamicImage,
    /// The text on it.
    pub text: Vec<TextLine>,
}

impl PdfProcess {
    /// Prepares to draw a file; the child starts with the first question.
    pub fn new(file: &Path, limits: PdfLimits) -> Self {
        Self {
            file: file.to_owned(),
            limits,
            worker: None,
        }
    }

    /// The file that is drawn.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Number of pages, and what is wrong with the file where there may have been more.
    ///
    /// # Errors
    /// When the file cannot be read within the limits.
    pub fn pages(&mut self) -> img2fen::Result<(usize, Option<Error>)> {
        self.start()
    }

    /// The page `number`, from 1.
    ///
    /// # Errors
    /// When the page cannot be drawn within the limits.
    pub fn page(&mut self, number: usize) -> img2fen::Result<DrawnPage> {
        if self
            .worker
            .as_ref()
            .is_some_and(|worker| worker.pages == PAGES_A_CHILD)
        {
            self.stop();
        }
        if self.worker.is_none() {
            self.start()?;
        }
        if let Some(worker) = &mut self.worker {
            worker.pages += 1;
            // A child that is gone shows when its answer is awaited.
            let _ = writeln!(worker.stdin, "{number}").and_then(|()| worker.stdin.flush());
        }
        match self.answer("drawing the page")? {
            Answer::Drawn(
                Drawn::Page {
                    width,
                    height,
                    channels,
                    text,
                },
                bytes,
            ) => {
                let image = match channels {
                    1 => GrayImage::from_raw(width, height, bytes).map(DynamicImage::ImageLuma8),
                    _ => RgbImage::from_raw(width, height, bytes).map(DynamicImage::ImageRgb8),
                };
                let image = image.ok_or_else(|| {
                    Error::new(ErrorKind::Decode, "the picture of the page is torn")
                })?;
                Ok(DrawnPage { image, text })
            }
            Answer::Drawn(Drawn::Failed(failure), _) => Err(failure.into()),
            Answer::Opened(_) => Err(Error::new(
                ErrorKind::Decode,
                "the PDF worker answered out of turn",
            )),
        }
    }

    fn start(&mut self) -> img2fen::Result<(usize, Option<Error>)> {
        let failed = |error: std::io::Error| {
            Error::new(
                ErrorKind::Io,
                format!("cannot start the PDF worker: {error}"),
            )
            .with_source(error)
        };
        let program = std::env::current_exe().map_err(failed)?;
        let mut child = Command::new(program)
            .arg("pdf-worker")
            .args(["--dpi", &self.limits.dpi.to_string()])
            .args(["--max-pixels", &self.limits.max_pixels.to_string()])
            .args(["--max-file-size", &self.limits.max_file_bytes.to_string()])
            .arg("--")
            .arg(&self.file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::new(ErrorKind::Io, "the PDF worker has no pipes"));
        };
        let (sender, answers) = sync_channel(1);
        let max_bytes = self.limits.max_pixels.saturating_mul(3);
        std::thread::spawn(move || {
            let mut reader = BufReader::with_capacity(1 << 16, stdout);
            let mut is_first = true;
            while let Some(answer) = next_answer(&mut reader, is_first, max_bytes) {
                is_first = false;
                if sender.send(answer).is_err() {
                    break;
                }
            }
        });
        self.worker = Some(Worker {
            child,
            stdin,
            answers,
            pages: 0,
        });
        match self.answer("opening the PDF")? {
            Answer::Opened(Opened::Pages { count, damage }) => Ok((count, damage.map(Error::from))),
            Answer::Opened(Opened::Failed(failure)) => {
                self.stop();
                Err(failure.into())
            }
            Answer::Drawn(..) => Err(Error::new(
                ErrorKind::Decode,
                "the PDF worker answered out of turn",
            )),
        }
    }

    /// Waits for the child's answer to `work`, watching its time and memory.
    fn answer(&mut self, work: &str) -> img2fen::Result<Answer> {
        let started = Instant::now();
        let file_bytes = std::fs::metadata(&self.file).map_or(0, |metadata| metadata.len());
        let allowed = self.limits.max_memory_bytes.saturating_add(file_bytes);
        loop {
            let Some(worker) = &mut self.worker else {
                return Err(Error::new(ErrorKind::Decode, "the PDF worker is gone"));
            };
            let error = match worker.answers.recv_timeout(LOOK_EVERY) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => no_answer(work, worker.end()),
                Err(RecvTimeoutError::Timeout) if started.elapsed() > self.limits.timeout => {
                    Error::new(
                        ErrorKind::LimitExceeded,
                        format!(
                            "{work} took longer than the limit of {} s",
                            self.limits.timeout.as_secs()
                        ),
                    )
                    .with_hint("raise `--timeout`")
                }
                Err(RecvTimeoutError::Timeout) => match memory_of(worker.child.id()) {
                    Some(bytes) if bytes > allowed => Error::new(
                        ErrorKind::LimitExceeded,
                        format!(
                            "{work} took {} MiB, the limit is {} MiB",
                            bytes >> 20,
                            allowed >> 20
                        ),
                    )
                    .with_hint("raise `--pdf-memory`, or lower `--dpi`"),
                    _ => continue,
                },
            };
            self.stop();
            return Err(error);
        }
    }

    fn stop(&mut self) {
        if let Some(mut worker) = self.worker.take() {
            let _ = worker.child.kill();
            let _ = worker.child.wait();
        }
    }
}

impl Drop for PdfProcess {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Worker {
    /// How the child ended that writes no more; `None` when it is still there.
    fn end(&mut self) -> Option<ExitStatus> {
        let asked = Instant::now();
        // Its end follows that of its output at once, but for a core that is written.
        while asked.elapsed() < Duration::from_secs(2) {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(LOOK_EVERY),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
        None
    }
}

/// The error of a child that gave no answer: what is known, and no more.
fn no_answer(work: &str, end: Option<ExitStatus>) -> Error {
    match end {
        Some(status) if was_killed(status) => {
            let message = format!("{work} was stopped from outside ({status})");
            Error::new(ErrorKind::Io, message).with_hint(
                "often the system is out of memory: run again with `--retry-failed` and a lower `--jobs`",
            )
        }
        Some(status) => Error::new(ErrorKind::Decode, format!("{work} crashed ({status})"))
            .with_hint("the PDF is damaged or hostile, or needs more memory than there is"),
        None => Error::new(ErrorKind::Decode, format!("{work} gave what is no answer"))
            .with_hint("the PDF is damaged or hostile"),
    }
}

/// Whether a process was ended by another one or by the system, and not by a fault of its own.
#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const HANGUP: i32 = 1;
    const INTERRUPT: i32 = 2;
    const KILL: i32 = 9;
    const TERMINATE: i32 = 15;
    const PROCESSOR_TIME: i32 = 24;
    let signal = status.signal();
    signal.is_some_and(|signal| {
        [HANGUP, INTERRUPT, KILL, TERMINATE, PROCESSOR_TIME].contains(&signal)
    })
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

/// The next answer of the child; `None` when it is gone or writes what no child of ours writes.
fn next_answer(reader: &mut impl BufRead, is_first: bool, max_bytes: u64) -> Option<Answer> {
    let mut line = Vec::new();
    // The text of a page is some 10 kB; 64 MiB is a page of nothing but text.
    reader
        .by_ref()
        .take(64 << 20)
        .read_until(b'\n', &mut line)
        .ok()?;
    if is_first {
        return serde_json::from_slice(&line).ok().map(Answer::Opened);
    }
    let drawn: Drawn = serde_json::from_slice(&line).ok()?;
    let mut bytes = Vec::new();
    if let Drawn::Page {
        width,
        height,
        channels,
        ..
    } = &drawn
    {
        let length = u64::from(*width) * u64::from(*height) * u64::from(*channels);
        if length > max_bytes {
            return None;
        }
        bytes
            .try_reserve_exact(usize::try_from(length).ok()?)
            .ok()?;
        let got = reader.by_ref().take(length).read_to_end(&mut bytes).ok()?;
        if got as u64 != length {
            return None;
        }
    }
    Some(Answer::Drawn(drawn, bytes))
}

/// Resident memory of a process in bytes, where the system tells it.
fn memory_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes << 10)
}
