//! The journal of a batch: one line of JSON for each finished page, so that nothing finished is done twice.
//!
//! Lines are only ever appended, each with one write. A run that is killed leaves at most one torn line at the end,
//! which the next run cuts off. A damaged line elsewhere is passed over: its page is read again. A line of another kind
//! says with which options the pages after it were read. The documents are made from the journal, so they do not depend
//! on how often, or in which order, the pages were read.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use img2fen::report::{Crop, Record};
use serde::{Deserialize, Serialize};

/// Name of the file in the folder of a batch.
pub const FILE_NAME: &str = "journal.jsonl";

/// What came of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// At least one board was read.
    Done,
    /// The page has no whole board.
    NoBoard,
    /// The page could not be read.
    Failed,
}

/// A board with its picture for the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// What was read.
    pub record: Record,
    /// The board cut out of its page.
    pub crop: Option<Crop>,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Hash of everything that the result depends on: the input's bytes and name, the page, options, networks, version.
    pub key: String,
    /// What came of it.
    pub state: State,
    /// The boards in reading order.
    pub boards: Vec<Board>,
    /// Number of boards that the page's edge cuts.
    pub cut: usize,
    /// Number of boards beyond the limit of boards a page.
    pub left_out: usize,
    /// Why the page failed or has no board.
    pub message: Option<String>,
    /// The limits of time and memory that a failed page went over one of: with higher ones it may be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Limits,
}

/// Limits that do not change what is read of a page but whether it is: names, such as `--timeout`, and values.
pub type Limits = Vec<(String, u64)>;

/// What the readings depend on beside the inputs: names, such as `--view`, and values.
pub type Options = Vec<(String, String)>;

/// A line of the journal that says with which options the pages after it were read.
#[derive(Debug, Serialize, Deserialize)]
struct OptionsLine {
    options: Options,
}

#[derive(Debug, Clone)]
struct Place {
    offset: u64,
    length: usize,
    state: State,
    limits: Limits,
}

impl Place {
    fn of(entry: &Entry, offset: u64, length: usize) -> Self {
        Self {
            offset,
            length,
            state: entry.state,
            limits: entry.limits.clone(),
        }
    }
}

/// What is finished, and where in the journal it stands. The last line about a page counts.
#[derive(Debug, Default)]
pub struct Index {
    end: u64,
    places: HashMap<String, Place>,
    options: Options,
}

impl Index {
    /// The index of a journal, which is left as it is; of none, nothing is finished.
    ///
    /// # Errors
    /// When the file is there but cannot be read.
    pub fn of(path: &Path) -> anyhow::Result<Self> {
        check_place(path)?;
        match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            file => file.and_then(|file| Self::read(&file)),
        }
        .with_context(|| format!("cannot read the journal {}", path.display()))
    }

    /// A torn end is no line; a page whose line is damaged is not finished.
    fn read(file: &File) -> std::io::Result<Self> {
        let mut reader = BufReader::new(file);
        let mut index = Self::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)?;
            if length == 0 || line.last() != Some(&b'\n') {
                return Ok(index);
            }
            if let Ok(entry) = serde_json::from_slice::<Entry>(&line) {
                let place = Place::of(&entry, index.end, length);
                index.places.insert(entry.key, place);
            } else if let Ok(line) = serde_json::from_slice::<OptionsLine>(&line) {
                index.options = line.options;
            }
            index.end += length as u64;
        }
    }

    /// What came of a page, if it is finished.
    pub fn state(&self, key: &str) -> Option<State> {
        self.places.get(key).map(|place| place.state)
    }

    /// The limits of time and memory that a failed page went over one of; none for any other page.
    pub fn limits(&self, key: &str) -> &[(String, u64)] {
        self.places.get(key).map_or(&[], |place| &place.limits)
    }

    /// The options of the last run; none in a new journal.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

/// The journal file with its index.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    index: Index,
}

impl Journal {
    /// Opens the journal, or starts one. A torn end is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let fails = || format!("cannot read the journal {}", path.display());
        check_place(path)?;
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .with_context(fails)?;
        let index = Index::read(&file).with_context(fails)?;
        file.set_len(index.end).with_context(fails)?;
        Ok(Self {
            file,
            path: path.to_owned(),
            index,
        })
    }

    /// What is finished.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn clear(&mut self) -> anyhow::Result<()> {
        self.index = Index::default();
        self.file
            .set_len(0)
            .with_context(|| format!("cannot write the journal {}", self.path.display()))
    }

    /// Writes down a finished page.
    ///
    /// # Errors
    /// When the disk is full or the file cannot be written; what was written before stays readable.
    pub fn append(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let offset = self.index.end;
        let length = self.write(entry)?;
        let place = Place::of(entry, offset, length);
        self.index.places.insert(entry.key.clone(), place);
        Ok(())
    }

    /// Writes down the options of this run where they are others than those of the last one.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub fn set_options(&mut self, options: Options) -> anyhow::Result<()> {
        if options != self.index.options {
            let line = OptionsLine { options };
            self.write(&line)?;
            self.index.options = line.options;
        }
        Ok(())
    }

    /// Appends a line; gives its length.
    fn write(&mut self, line: &impl Serialize) -> anyhow::Result<usize> {
        let mut line = serde_json::to_vec(line)?;
        line.push(b'\n');
        let fails = || format!("cannot write the journal {}", self.path.display());
        self.file
            .seek(SeekFrom::Start(self.index.end))
            .with_context(fails)?;
        if let Err(error) = self.file.write_all(&line) {
            let _ = self.file.set_len(self.index.end);
            return Err(error).with_context(fails);
        }
        self.index.end += line.len() as u64;
        Ok(line.len())
    }

    /// The keys of all finished pages, in the order of their lines.
    pub fn keys(&self) -> Vec<String> {
        let mut keys: Vec<(u64, &String)> = self
            .index
            .places
            .iter()
            .map(|(key, place)| (place.offset, key))
            .collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key.clone()).collect()
    }

    /// Reads a finished page back.
    ///
    /// # Errors
    /// When the page is not finished or the file cannot be read.
    pub fn read(&mut self, key: &str) -> anyhow::Result<Entry> {
        let fails = || format!("cannot read the journal {}", self.path.display());
        let place = self.index.places.get(key).with_context(fails)?;
        let mut line = vec![0; place.length];
        self.file
            .seek(SeekFrom::Start(place.offset))
            .with_context(fails)?;
        self.file.read_exact(&mut line).with_context(fails)?;
        serde_json::from_slice(&line).with_context(fails)
    }
}

/// Opening a pipe would wait for ever.
fn check_place(path: &Path) -> anyhow::Result<()> {
    if path.exists() && !path.is_file() {
        anyhow::bail!(
            "cannot read the journal {}: it is no regular file; move it away, or name another folder",
            path.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str, state: State) -> Entry {
        Entry {
            key: key.to_owned(),
            state,
            boards: Vec::new(),
            cut: 0,
            left_out: 0,
            message: Some(format!("about {key}")),
            limits: Limits::new(),
        }
    }

    #[test]
    fn finished_pages_are_found_again_and_the_last_line_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        for (key, state) in [
            ("a", State::Failed),
            ("b", State::NoBoard),
            ("a", State::Done),
        ] {
            journal.append(&entry(key, state)).unwrap();
        }
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(journal.index().state("a"), Some(State::Done));
        assert_eq!(journal.index().state("b"), Some(State::NoBoard));
        assert_eq!(journal.index().state("c"), None);
        assert_eq!(journal.read("a").unwrap(), entry("a", State::Done));
    }

    #[test]
    fn the_limits_that_a_page_went_over_are_known_until_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        let limits = vec![("--timeout".to_owned(), 5)];
        let mut failed = entry("a", State::Failed);
        failed.limits.clone_from(&limits);
        journal.append(&failed).unwrap();
        assert_eq!(journal.index().limits("a"), limits);
        assert_eq!(Index::of(&path).unwrap().limits("a"), limits);
        journal.append(&entry("a", State::Done)).unwrap();
        assert_eq!(journal.index().limits("a"), []);
    }

    #[test]
    fn an_index_leaves_the_journal_and_its_folder_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/journal.jsonl");
        assert_eq!(Index::of(&path).unwrap().state("a"), None);
        assert!(!folder.path().join("new").exists());
        let path = folder.path().join("journal.jsonl");
        Journal::open(&path)
            .unwrap()
            .append(&entry("a", State::Done))
            .unwrap();
        let torn = [std::fs::read(&path).unwrap(), b"{\"key\":".to_vec()].concat();
        std::fs::write(&path, &torn).unwrap();
        assert_eq!(Index::of(&path).unwrap().state("a"), Some(State::Done));
        assert_eq!(std::fs::read(&path).unwrap(), torn);
    }

    #[test]
    fn the_options_of_the_last_run_are_known_and_are_no_page() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let options = |view: &str| vec![("--view".to_owned(), view.to_owned())];
        for view in ["auto", "white", "white"] {
            Journal::open(&path)
                .unwrap()
                .set_options(options(view))
                .unwrap();
        }
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(journal.index().options(), &options("white"));
        assert_eq!(journal.keys(), Vec::<String>::new());
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
        journal.append(&entry("a", State::Done)).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(journal.read("a").unwrap(), entry("a", State::Done));
        journal.clear().unwrap();
        assert_eq!(journal.index().options(), &Options::new());
    }

    #[test]
    fn a_damaged_line_costs_its_page_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        for key in ["a", "b", "c"] {
            journal.append(&entry(key, State::Done)).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let length = whole.len() / 3;
        for damage in [
            &b"\0"[..],
            b"\xff",
            b"{}",
            b"{\"key\":\"b\",\"state\":\"done\"}",
            b"",
        ] {
            let mut bytes = whole[..length].to_vec();
            bytes.extend(damage);
            bytes.extend(&whole[2 * length - 1..]);
            std::fs::write(&path, &bytes).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            assert_eq!(journal.keys(), ["a", "c"], "{damage:?}");
            assert_eq!(journal.read("c").unwrap(), entry("c", State::Done));
            journal.append(&entry("b", State::Failed)).unwrap();
            assert_eq!(Journal::open(&path).unwrap().keys(), ["a", "c", "b"]);
        }
    }

    #[test]
    fn a_line_torn_at_any_byte_is_cut_off_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        journal.append(&entry("a", State::Done)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        journal.append(&entry("b", State::Done)).unwrap();
        let both = std::fs::read(&path).unwrap();
        for end in whole.len()..both.len() {
            std::fs::write(&path, &both[..end]).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            assert_eq!(
                (journal.index().state("a"), journal.index().state("b")),
                (Some(State::Done), None)
            );
            journal.append(&entry("b", State::Done)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), both);
        }
    }
}
