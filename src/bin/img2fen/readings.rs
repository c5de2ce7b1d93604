//! `readings.jsonl`: what a batch has read, line by line, and the boards that it is about.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context;
use img2fen::report::{Correction, Record, SourceRecord};
use img2fen::{Error, ErrorKind, Quad};

use crate::commands::batch::Format;
use crate::journal;

/// The lines of a batch's readings.
///
/// # Errors
/// When the folder holds none.
pub fn open(folder: &Path) -> anyhow::Result<impl Iterator<Item = io::Result<String>> + use<>> {
    let path = path_in(folder);
    let unreadable = |message: String| Error::new(ErrorKind::Io, message);
    let hint = "name the folder that `img2fen batch` wrote, with `jsonl` among its documents";
    if folder.join(journal::FILE_NAME).is_file() && !path.exists() {
        let message = format!(
            "{}: the batch has not written its readings",
            folder.display()
        );
        let error = unreadable(message).with_hint(
            "let the same `img2fen batch` command come to its end, with `jsonl` among its documents",
        );
        return Err(error.into());
    }
    // Opening a pipe would wait for ever.
    if path.exists() && !path.is_file() {
        let message = format!("cannot read {}: it is no regular file", path.display());
        return Err(unreadable(message).with_hint(hint).into());
    }
    let file = File::open(&path).map_err(|error| {
        unreadable(format!("cannot read {}: {error}", path.display())).with_hint(hint)
    })?;
    Ok(BufReader::new(file).lines())
}

fn path_in(folder: &Path) -> PathBuf {
    folder.join(Format::Jsonl.file_name())
}

/// The board that a line of the readings is about; `None` for an input without one.
///
/// # Errors
/// When the line is not what a batch writes.
pub fn record_of(line: &str) -> anyhow::Result<Option<Record>> {
    let value: serde_json::Value = serde_json::from_str(line).context("is not JSON")?;
    if value.get("type").and_then(serde_json::Value::as_str) != Some("reading") {
        return Ok(None);
    }
    serde_json::from_value(value)
        .context("is of another version of img2fen")
        .map(Some)
}

/// A board of the readings.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardPlace {
    /// Where it is from.
    pub source: SourceRecord,
    /// Its corners in pixels of the page.
    pub quad: Quad,
}

/// The boards of a folder's readings.
#[derive(Debug, Default)]
pub struct Boards {
    /// By name of the file and page.
    pages: HashMap<(String, Option<usize>), Vec<BoardPlace>>,
    /// The SHA-256 of each file by its name, and the other way round.
    files: HashMap<String, Option<String>>,
    names: HashMap<String, Vec<String>>,
}

/// Why there is no board for a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoBoard {
    /// The file of this name holds something else now.
    #[error("the file was another one when it was corrected")]
    OtherFile,
    /// The file, the page or the place on it is not among the readings.
    #[error("the readings have no such file, or no board at this place")]
    NoPlace,
}

impl Boards {
    /// Reads all lines of a folder's readings, so that a damaged one is found before anything is done.
    ///
    /// # Errors
    /// When there are none, or a line is not what a batch writes.
    pub fn of(folder: &Path) -> anyhow::Result<Self> {
        let mut boards = Self::default();
        for (index, line) in open(folder)?.enumerate() {
            let record = line
                .map_err(anyhow::Error::from)
                .and_then(|line| record_of(&line))
                .map_err(|error| {
                    let path = path_in(folder);
                    let message = format!("{}, line {}: {error:#}", path.display(), index + 1);
                    Error::new(ErrorKind::Decode, message).with_hint(
                        "give the same `img2fen batch` command again: it writes the readings anew",
                    )
                })?;
            if let Some(record) = record {
                boards.add(record.source, record.quad);
            }
        }
        Ok(boards)
    }

    /// Takes in a board.
    pub fn add(&mut self, source: SourceRecord, quad: Quad) {
        let path = &source.path;
        if !self.files.contains_key(path) {
            self.files.insert(path.clone(), source.sha256.clone());
            if let Some(sha256) = &source.sha256 {
                let names = self.names.entry(sha256.clone()).or_default();
                names.push(path.clone());
            }
        }
        let page = self.pages.entry((path.clone(), source.page)).or_default();
        page.push(BoardPlace { source, quad });
    }

    /// Boards that are on none of these pages, which are told by the name of the file and the page: how many, and one of them.
    pub fn elsewhere(
        &self,
        pages: &HashSet<(String, Option<usize>)>,
    ) -> Option<(usize, &SourceRecord)> {
        let others = self.pages.iter().filter(|(page, _)| !pages.contains(page));
        let others: Vec<&BoardPlace> = others.flat_map(|(_, boards)| boards).collect();
        let first = others
            .iter()
            .map(|board| &board.source)
            .min_by_key(|source| (&source.path, source.page))?;
        Some((others.len(), first))
    }

    /// Number of boards.
    pub fn count(&self) -> usize {
        self.pages.values().map(Vec::len).sum()
    }

    /// The board that comes from exactly there.
    pub fn from(&self, source: &SourceRecord) -> Option<&BoardPlace> {
        let page = self.pages.get(&(source.path.clone(), source.page))?;
        page.iter().find(|board| board.source == *source)
    }

    /// The board that a correction is about. A file is told by its bytes: its name only tells copies apart, so that
    /// another spelling of it does not matter.
    ///
    /// # Errors
    /// Why there is none.
    pub fn corrected(&self, correction: &Correction) -> Result<&BoardPlace, NoBoard> {
        let own = &correction.source;
        let sha256 = self.files.get(&own.path);
        let namesakes = own.sha256.as_ref().and_then(|own| self.names.get(own));
        let path = match namesakes.map(Vec::as_slice) {
            _ if sha256 == Some(&own.sha256) => &own.path,
            Some([only]) => only,
            _ if sha256.is_some() => return Err(NoBoard::OtherFile),
            _ => return Err(NoBoard::NoPlace),
        };
        let page = self.pages.get(&(path.clone(), own.page));
        page.into_iter()
            .flatten()
            .find(|board| correction.is_at(board.source.board, &board.quad))
            .ok_or(NoBoard::NoPlace)
    }
}
