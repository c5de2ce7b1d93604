//! `corrections.jsonl`: what a person decided, one line a decision; the last line about a board counts.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use img2fen::report::{Correction, SavedCorrection, SourceRecord};
use img2fen::{Error, ErrorKind};

use crate::output::Document;

/// Name of the file in the folder of a batch.
pub const FILE_NAME: &str = "corrections.jsonl";

/// The corrections of a folder, each with the number of its version.
#[derive(Debug, Default)]
pub struct Corrections(BTreeMap<(String, usize, usize), SavedCorrection>);

/// Whether a correction was taken.
#[derive(Debug)]
pub enum Saved {
    /// It is the newest now.
    Yes(u64),
    /// Somebody else changed the board since; this is the newest.
    Conflict(Box<SavedCorrection>),
}

fn place(source: &SourceRecord) -> (String, usize, usize) {
    (source.path.clone(), source.page.unwrap_or(0), source.board)
}

impl Corrections {
    /// Reads the file; a folder without one has no corrections.
    ///
    /// # Errors
    /// When the file cannot be read or a line is no correction.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let mut corrections = Self::default();
        for (index, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let correction = serde_json::from_str(line).map_err(|_| {
                let message = format!("{}, line {}: is no correction", path.display(), index + 1);
                Error::new(ErrorKind::Decode, message)
                    .with_hint("remove the line, or save the corrections again from the report")
            })?;
            corrections.put(correction);
        }
        Ok(corrections)
    }

    /// All corrections in the order of their places.
    pub fn all(&self) -> impl Iterator<Item = &SavedCorrection> {
        self.0.values()
    }

    /// The correction of a board, unless it was taken back.
    pub fn of(&self, source: &SourceRecord) -> Option<&Correction> {
        let correction = &self.0.get(&place(source))?.correction;
        (!correction.withdrawn).then_some(correction)
    }

    /// Takes a correction that was made on top of version `revision` of the board (0: none yet).
    pub fn save(&mut self, correction: Correction, revision: u64) -> Saved {
        match self.0.get(&place(&correction.source)) {
            Some(newest) if newest.revision != revision => {
                Saved::Conflict(Box::new(newest.clone()))
            }
            _ => Saved::Yes(self.put(correction)),
        }
    }

    fn put(&mut self, correction: Correction) -> u64 {
        let key = place(&correction.source);
        let revision = self.0.get(&key).map_or(0, |saved| saved.revision) + 1;
        self.0.insert(
            key,
            SavedCorrection {
                revision,
                correction,
            },
        );
        revision
    }

    /// Writes the file anew; readers see the old or the new one.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut document = Document::create(path)?;
        for saved in self.all().filter(|saved| !saved.correction.withdrawn) {
            writeln!(document, "{}", serde_json::to_string(&saved.correction)?)?;
        }
        document.finish()
    }
}
