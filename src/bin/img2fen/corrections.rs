//! `corrections.jsonl`: what a person decided, one line a decision; the last line about a board counts.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use img2fen::report::{Correction, SavedCorrection, SourceRecord};
use img2fen::wording::counted;
use img2fen::{Error, ErrorKind};

use crate::output::{Document, is_named_pipe};
use crate::readings::{BoardPlace, Boards};

/// Name of the file in the folder of a batch.
pub const FILE_NAME: &str = "corrections.jsonl";

/// The corrections of a folder, as they stand in its file.
#[derive(Debug)]
pub struct Corrections {
    path: PathBuf,
    boards: Boards,
    /// The file as it was last read or written.
    text: String,
    kept: Kept,
}

/// What is kept of the file.
#[derive(Debug, Clone, Default)]
struct Kept {
    /// Those about boards of the readings, each with the number of its version, by path, page and number of the board.
    of_boards: BTreeMap<(String, usize, usize), SavedCorrection>,
    /// Those about boards that are not among the readings; a later batch may bring the boards back.
    others: Vec<Correction>,
}

/// Whether a correction was taken.
#[derive(Debug)]
pub enum Saved {
    /// It is the newest now, with this version.
    Yes(u64),
    /// Somebody else changed the board since; this is the newest.
    Conflict(Box<SavedCorrection>),
    /// There is no such board.
    NoBoard,
}

fn place(source: &SourceRecord) -> (String, usize, usize) {
    (source.path.clone(), source.page.unwrap_or(0), source.board)
}

impl Kept {
    /// The correction of a board, also one that was taken back.
    fn of(&self, source: &SourceRecord) -> Option<&SavedCorrection> {
        self.of_boards.get(&place(source))
    }

    /// Takes a correction of a board, and holds it to the place that the board has now.
    fn put(&mut self, mut correction: Correction, board: &BoardPlace) -> u64 {
        correction.source = board.source.clone();
        correction.quad = Some(board.quad);
        let before = self.of(&board.source);
        let revision = match before {
            Some(saved) if saved.correction == correction => return saved.revision,
            Some(saved) => saved.revision + 1,
            None => 1,
        };
        let saved = SavedCorrection {
            revision,
            correction,
        };
        self.of_boards.insert(place(&board.source), saved);
        revision
    }

    /// Takes a correction about no board of the readings.
    fn put_other(&mut self, correction: Correction) {
        let is_same = |other: &Correction| {
            (&other.source, other.quad) == (&correction.source, correction.quad)
        };
        self.others.retain(|other| !is_same(other));
        self.others.push(correction);
    }

    /// The text of the file. What is about boards of the readings comes last: it counts where boards come back.
    fn text(&self) -> anyhow::Result<String> {
        let of_boards = self.of_boards.values().map(|saved| &saved.correction);
        let all = self.others.iter().chain(of_boards);
        let lines = all
            .filter(|correction| !correction.withdrawn)
            .map(|correction| Ok(serde_json::to_string(correction)? + "\n"));
        lines.collect()
    }
}

impl Corrections {
    /// Reads the file of corrections for these boards; where there is none, nothing is corrected.
    ///
    /// # Errors
    /// When the file cannot be read or a line is no correction.
    pub fn read(path: &Path, boards: Boards) -> anyhow::Result<Self> {
        let mut corrections = Self {
            path: path.to_owned(),
            boards,
            text: String::new(),
            kept: Kept::default(),
        };
        corrections.look()?;
        Ok(corrections)
    }

    /// Takes in what somebody else has written to the file since.
    ///
    /// # Errors
    /// As [`read`](Self::read); nothing is changed then.
    pub fn look(&mut self) -> anyhow::Result<()> {
        let path = self.path.display();
        if is_named_pipe(&self.path) {
            anyhow::bail!("cannot read {path}: it is a pipe, and opening it may wait for ever");
        }
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {path}")),
        };
        if text == self.text {
            return Ok(());
        }
        let mut kept = self.kept.clone();
        // Some editors begin a file with the mark of UTF-8.
        let lines = text.strip_prefix('\u{feff}').unwrap_or(&text).lines();
        for (index, line) in lines
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let correction: Correction = serde_json::from_str(line).map_err(|_| {
                let message = format!("{path}, line {}: is no correction", index + 1);
                Error::new(ErrorKind::Decode, message)
                    .with_hint("remove the line, or save the corrections again from the report")
            })?;
            match self.boards.corrected(&correction) {
                Ok(board) => {
                    kept.put(correction, board);
                }
                Err(_) => kept.put_other(correction),
            }
        }
        self.kept = kept;
        self.text = text;
        Ok(())
    }

    /// The corrections of boards, in the order of their places.
    pub fn all(&self) -> impl Iterator<Item = &SavedCorrection> {
        self.kept.of_boards.values()
    }

    /// The correction of a board, unless it was taken back.
    pub fn of(&self, source: &SourceRecord) -> Option<&Correction> {
        let correction = &self.kept.of(source)?.correction;
        (!correction.withdrawn).then_some(correction)
    }

    /// What a person should know of corrections that are about no board of the readings: how many, and one of them.
    pub fn unused(&self) -> Option<String> {
        let others = self.kept.others.iter();
        let mut unused = others
            .filter(|correction| !correction.withdrawn)
            .filter_map(|correction| Some((correction, self.boards.corrected(correction).err()?)));
        let (correction, why) = unused.next()?;
        let count = 1 + unused.count();
        let (verb, such) = match count {
            1 => ("is", ""),
            _ => ("are", "such as "),
        };
        let SourceRecord {
            path, page, board, ..
        } = &correction.source;
        let page = page.map_or(String::new(), |page| format!(", page {page}"));
        Some(format!(
            "{} {verb} not used, {such}that of {path}{page}, board {board}: {why}",
            counted(count, "correction")
        ))
    }

    /// Takes a correction that was made on top of version `revision` of the board (0: none yet), and writes the file
    /// anew; readers see the old or the new one.
    ///
    /// # Errors
    /// When the file cannot be read or written; the correction is not taken then.
    pub fn save(&mut self, correction: Correction, revision: u64) -> anyhow::Result<Saved> {
        self.look()?;
        let Some(board) = self.boards.from(&correction.source) else {
            return Ok(Saved::NoBoard);
        };
        match self.kept.of(&board.source) {
            Some(newest) if newest.revision != revision => {
                return Ok(Saved::Conflict(Box::new(newest.clone())));
            }
            _ => {}
        }
        let mut kept = self.kept.clone();
        let revision = kept.put(correction, board);
        let text = kept.text()?;
        let mut document = Document::create(&self.path)?;
        document
            .write_all(text.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        document.finish()?;
        self.kept = kept;
        self.text = text;
        Ok(Saved::Yes(revision))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use img2fen::Quad;
    use serde_json::json;

    fn source(path: &str, board: usize, sha256: &str) -> SourceRecord {
        serde_json::from_value(json!({
            "path": path, "page": null, "board": board, "sha256": sha256,
        }))
        .unwrap()
    }

    /// The place of a board in a row of boards.
    fn quad(column: u8) -> Quad {
        let left = 100.0 * f32::from(column);
        Quad::rectangle(left, 0.0, left + 80.0, 80.0)
    }

    /// Boards of a page of which these columns were read.
    fn page(path: &str, sha256: &str, columns: &[u8]) -> Boards {
        let mut boards = Boards::default();
        for (index, column) in columns.iter().enumerate() {
            boards.add(source(path, index + 1, sha256), quad(*column));
        }
        boards
    }

    fn correction(source: SourceRecord, placement: &str, quad: Option<Quad>) -> Correction {
        serde_json::from_value(json!({
            "type": "correction", "source": source, "quad": quad, "placement": placement, "below": "white",
            "turn": "w", "castling": "-", "castling_inferred": false, "en_passant": "-", "halfmove": "0",
            "fullmove": "1", "left_out": false, "settled": [],
        }))
        .unwrap()
    }

    const ONE: &str = "4k3/8/8/8/8/8/8/4K3";
    const TWO: &str = "4k3/8/8/8/8/8/8/3QK3";

    /// The placements of the boards' corrections, by their numbers.
    fn placements(corrections: &Corrections) -> Vec<(usize, String)> {
        let all = corrections.all().map(|saved| &saved.correction);
        all.map(|own| (own.source.board, own.placement.to_string()))
            .collect()
    }

    #[test]
    fn a_correction_follows_its_board_and_never_comes_to_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corrections.jsonl");
        // Of four boards only the last was read, as board 1.
        let mut corrections = Corrections::read(&path, page("a.png", "11", &[3])).unwrap();
        let first = correction(source("a.png", 1, "11"), ONE, None);
        assert!(matches!(corrections.save(first, 0), Ok(Saved::Yes(1))));
        let all = Corrections::read(&path, page("a.png", "11", &[0, 1, 2, 3])).unwrap();
        assert_eq!(placements(&all), [(4, ONE.to_owned())]);
        assert_eq!(all.unused(), None);
        // Without its board it waits, and another board of the same number can be corrected.
        let mut others = Corrections::read(&path, page("a.png", "11", &[0, 1])).unwrap();
        assert_eq!(placements(&others), []);
        let unused = "1 correction is not used, that of a.png, board 1: \
                      the readings have no such file, or no board at this place";
        assert_eq!(others.unused().as_deref(), Some(unused));
        let second = correction(source("a.png", 1, "11"), TWO, None);
        assert!(matches!(others.save(second, 0), Ok(Saved::Yes(1))));
        let all = Corrections::read(&path, page("a.png", "11", &[0, 1, 2, 3])).unwrap();
        assert_eq!(placements(&all), [(1, TWO.to_owned()), (4, ONE.to_owned())]);
    }

    #[test]
    fn a_file_is_told_by_its_bytes_and_copies_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corrections.jsonl");
        let lines: String = [("a.png", "11"), ("b.png", "22")]
            .map(|(name, sha256)| correction(source(name, 1, sha256), ONE, Some(quad(0))))
            .map(|line| serde_json::to_string(&line).unwrap() + "\n")
            .concat();
        fs::write(&path, lines).unwrap();
        let other = "the file was another one when it was corrected";
        let none = "the readings have no such file, or no board at this place";
        for (names, corrected, unused) in [
            (
                &[("./a.png", "11")][..],
                &["./a.png"][..],
                Some(format!(
                    "1 correction is not used, that of b.png, board 1: {none}"
                )),
            ),
            (
                &[("a.png", "33")],
                &[],
                Some(format!(
                    "2 corrections are not used, such as that of a.png, board 1: {other}"
                )),
            ),
            (
                &[("b.png", "11"), ("a.png", "22")],
                &["a.png", "b.png"],
                None,
            ),
            (
                &[("c.png", "11"), ("d.png", "11"), ("b.png", "22")],
                &["b.png"],
                Some(format!(
                    "1 correction is not used, that of a.png, board 1: {none}"
                )),
            ),
            (
                &[("a.png", "11"), ("c.png", "11"), ("b.png", "22")],
                &["a.png", "b.png"],
                None,
            ),
        ] {
            let mut boards = Boards::default();
            for (name, sha256) in names {
                boards.add(source(name, 1, sha256), quad(0));
            }
            let corrections = Corrections::read(&path, boards).unwrap();
            let found: Vec<&str> = corrections
                .all()
                .map(|saved| saved.correction.source.path.as_str())
                .collect();
            assert_eq!(found, corrected, "{names:?}");
            assert_eq!(corrections.unused(), unused, "{names:?}");
        }
    }

    #[test]
    fn the_corrections_of_a_replaced_file_are_kept_and_not_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corrections.jsonl");
        let of =
            |sha256: &str, placement: &str| correction(source("a.png", 1, sha256), placement, None);
        let mut before = Corrections::read(&path, page("a.png", "11", &[0])).unwrap();
        assert!(matches!(before.save(of("11", ONE), 0), Ok(Saved::Yes(1))));
        let mut after = Corrections::read(&path, page("a.png", "22", &[0])).unwrap();
        assert!(matches!(after.save(of("11", ONE), 0), Ok(Saved::NoBoard)));
        assert!(matches!(after.save(of("22", TWO), 0), Ok(Saved::Yes(1))));
        for (sha256, placement) in [("11", ONE), ("22", TWO)] {
            let again = Corrections::read(&path, page("a.png", sha256, &[0])).unwrap();
            assert_eq!(placements(&again), [(1, placement.to_owned())]);
        }
    }

    #[test]
    fn what_could_not_be_written_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        let path = out.join("corrections.jsonl");
        let mut corrections = Corrections::read(&path, page("a.png", "11", &[0])).unwrap();
        let own = correction(source("a.png", 1, "11"), ONE, None);
        fs::remove_dir(&out).unwrap();
        assert!(corrections.save(own.clone(), 0).is_err());
        assert_eq!(placements(&corrections), []);
        fs::create_dir(&out).unwrap();
        assert!(matches!(corrections.save(own, 0), Ok(Saved::Yes(1))));
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
    }

    #[test]
    fn what_others_put_into_the_file_is_kept_and_told_to_who_corrects_the_same_board() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corrections.jsonl");
        let mut corrections = Corrections::read(&path, page("a.png", "11", &[0, 1, 2])).unwrap();
        let own = |board: usize| correction(source("a.png", board, "11"), ONE, None);
        assert!(matches!(corrections.save(own(1), 0), Ok(Saved::Yes(1))));
        let foreign: String = [2, 7]
            .map(|board| correction(source("a.png", board, "11"), TWO, None))
            .map(|line| serde_json::to_string(&line).unwrap() + "\n")
            .concat();
        // With the mark of UTF-8, as some editors leave it.
        fs::write(&path, format!("\u{feff}{foreign}")).unwrap();
        let Ok(Saved::Conflict(newest)) = corrections.save(own(2), 0) else {
            panic!("the foreign line is newer");
        };
        assert_eq!(newest.correction.placement.to_string(), TWO);
        assert!(matches!(corrections.save(own(3), 0), Ok(Saved::Yes(1))));
        let boards = page("a.png", "11", &[0, 1, 2, 3, 4, 5, 6]);
        let again = Corrections::read(&path, boards).unwrap();
        let expected = [(1, ONE), (2, TWO), (3, ONE), (7, TWO)];
        let expected = expected.map(|(board, placement)| (board, placement.to_owned()));
        assert_eq!(placements(&again), expected);
        // What is no correction is not overwritten.
        fs::write(&path, "a note").unwrap();
        assert!(corrections.save(own(3), 1).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "a note");
    }
}
