//! `img2fen pdf-worker`: the child process in which PDF pages are drawn, started by a batch and by nobody else.
//!
//! It answers on stdout: first a line of JSON with the number of pages and what is wrong with the file, then for each
//! line with a page number on stdin a line of JSON and the bytes of the picture. It ends when stdin ends, also in the
//! middle of a page, so it does not outlive its parent.
//!
//! The file is mapped, not read: all children share the system's one copy of it, which the system may drop at any time.
//! A file that is cut short while it is mapped ends the child, which is an error of the page being drawn.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use img2fen::input::pdf::{PdfDocument, PdfPageOptions, TextLine};
use img2fen::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use symbolic_common::ByteView;

use crate::exit::Exit;

/// The file and how to draw it.
#[derive(Debug, Args)]
pub struct PdfWorkerArgs {
    file: PathBuf,
    #[arg(long)]
    dpi: f32,
    #[arg(long)]
    max_pixels: u64,
    #[arg(long)]
    max_file_size: u64,
}

/// The first answer.
#[derive(Debug, Serialize, Deserialize)]
pub enum Opened {
    /// The pages can be asked for.
    Pages {
        /// Number of pages.
        count: usize,
        /// Why there may have been more.
        damage: Option<Failure>,
    },
    /// Why the file cannot be read.
    Failed(Failure),
}

/// The answer to a page number.
#[derive(Debug, Serialize, Deserialize)]
pub enum Drawn {
    /// The picture follows: rows from the top, `channels` bytes a pixel.
    Page {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// 1 (grey) or 3 (red, green, blue).
        channels: u8,
        /// The page's text.
        text: Vec<TextLine>,
    },
    /// Why there is no picture.
    Failed(Failure),
}

/// An error on its way to the parent.
#[derive(Debug, Serialize, Deserialize)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    limit: bool,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let limit = error.kind() == ErrorKind::LimitExceeded;
        Self {
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            limit,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let kind = if failure.limit {
            ErrorKind::LimitExceeded
        } else {
            ErrorKind::Decode
        };
        let error = Self::new(kind, failure.message);
        match failure.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

/// Runs the command.
pub fn run(args: &PdfWorkerArgs) -> anyhow::Result<Exit> {
    // Ctrl-C reaches the whole group of processes; the parent decides when pages in flight are finished.
    ctrlc::set_handler(|| {})?;
    let numbers = page_numbers();
    let mut stdout = std::io::stdout().lock();
    let document = match open(args) {
        Ok(document) => document,
        Err(error) => {
            answer(&mut stdout, &Opened::Failed(Failure::from(&error)), &[])?;
            return Ok(Exit::InputFailed);
        }
    };
    let opened = Opened::Pages {
        count: document.page_count(),
        damage: document.damage().as_ref().map(Failure::from),
    };
    answer(&mut stdout, &opened, &[])?;
    let options = PdfPageOptions {
        dpi: args.dpi,
        max_pixels: args.max_pixels,
    };
    for number in numbers {
        match document.page(number, &options) {
            Ok(page) => {
                let (width, height) = (page.image.width(), page.image.height());
                let (channels, bytes) = match page.image {
                    image::DynamicImage::ImageLuma8(grey) => (1, grey.into_raw()),
                    other => (3, other.into_rgb8().into_raw()),
                };
                answer(
                    &mut stdout,
                    &Drawn::Page {
                        width,
                        height,
                        channels,
                        text: page.text,
                    },
                    &bytes,
                )?;
            }
            Err(error) => answer(&mut stdout, &Drawn::Failed(Failure::from(&error)), &[])?,
        }
    }
    Ok(Exit::Success)
}

/// The page numbers that the parent asks for. When it is gone, however it ended, nobody waits for the page in hand: the
/// process ends at once.
fn page_numbers() -> impl Iterator<Item = usize> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let lines = std::io::stdin().lines().map_while(Result::ok);
        for number in lines.map_while(|line| line.trim().parse().ok()) {
            if sender.send(number).is_err() {
                break;
            }
        }
        #[expect(
            clippy::exit,
            reason = "the thread that draws cannot be stopped otherwise"
        )]
        std::process::exit(i32::from(Exit::Success as u8));
    });
    receiver.into_iter()
}

fn open(args: &PdfWorkerArgs) -> img2fen::Result<PdfDocument> {
    let io = |error: std::io::Error| {
        Error::new(ErrorKind::Io, format!("cannot read the file: {error}")).with_source(error)
    };
    let file = std::fs::metadata(&args.file).map_err(io)?;
    // Opening a named pipe would wait for ever; the file may have become one since the last child.
    if !file.is_file() {
        return Err(img2fen::input::is_no_file());
    }
    let length = file.len();
    if length > args.max_file_size {
        let message = format!("has {length} bytes, the limit is {}", args.max_file_size);
        return Err(
            Error::new(ErrorKind::LimitExceeded, message).with_hint("raise `--max-pdf-size`")
        );
    }
    PdfDocument::parse(ByteView::open(&args.file).map_err(io)?)
}

fn answer(out: &mut impl Write, head: &impl Serialize, bytes: &[u8]) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(head)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused_instead_of_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("book.pdf");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for file in [pipe, folder.path().to_owned()] {
            let args = PdfWorkerArgs {
                file,
                dpi: 200.0,
                max_pixels: 1 << 20,
                max_file_size: 1 << 20,
            };
            let error = open(&args).unwrap_err();
            assert_eq!(error.to_string(), "is no regular file");
        }
    }
}
