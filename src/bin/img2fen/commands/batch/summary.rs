//! What a batch came to: the numbers for `summary.json`, the exit code, and the closing words for people.

use std::path::Path;

use img2fen::report::{Record, SourceRecord};
use img2fen::wording::counted;
use img2fen::{Provenance, Recognizer};
use serde_json::{Value, json};

use super::plan::{Fault, Plan, Task};
use crate::corrections::Corrections;
use crate::exit::Exit;
use crate::inputs::ranges;
use crate::journal::{Entry, State};
use crate::readings::Boards;
use crate::ui::Ui;

/// Names in each list of the closing words.
const MAX_NAMED: usize = 10;

/// Words for the states, in their order: in JSON, and for people.
const STATES: [(&str, &str); 3] = [
    ("done", "with boards"),
    ("no_board", "without a board"),
    ("failed", "failed"),
];

/// Numbers and names of a batch.
#[derive(Debug)]
pub struct Summary {
    inputs: Vec<Input>,
    pages: [usize; 3],
    boards: usize,
    cut: usize,
    left_out: usize,
    faults: Vec<Value>,
    failed: Vec<Finding>,
    incomplete: Vec<Finding>,
    doubtful: Vec<(String, Record)>,
    assumed: Vec<SourceRecord>,
    places: Boards,
    reviewed: Reviewed,
    uncounted: Vec<String>,
}

/// What is left to do after the corrections that a person has made.
#[derive(Debug, Default)]
struct Reviewed {
    boards: usize,
    doubtful: Vec<String>,
    assumed: usize,
}

/// An input and what came of it.
#[derive(Debug, Default)]
struct Input {
    name: String,
    /// `None` before the first page.
    state: Option<State>,
    pages: usize,
    /// The pages of a document that have no board, from 1.
    without: Vec<usize>,
    is_document: bool,
    cut: usize,
}

/// Something that makes the exit code other than 0.
#[derive(Debug)]
struct Finding {
    /// The place and what is wrong.
    text: String,
    /// Whether this run has said it already.
    was_said: bool,
}

impl Summary {
    /// The summary of a batch of which nothing is known yet.
    pub fn new(plan: &Plan) -> Self {
        Self {
            inputs: (0..plan.inputs).map(|_| Input::default()).collect(),
            pages: [0; 3],
            boards: 0,
            cut: 0,
            left_out: 0,
            faults: Vec::new(),
            failed: Vec::new(),
            incomplete: Vec::new(),
            doubtful: Vec::new(),
            assumed: Vec::new(),
            places: Boards::default(),
            reviewed: Reviewed::default(),
            uncounted: Vec::new(),
        }
    }

    /// Number of boards.
    pub fn boards(&self) -> usize {
        self.boards
    }

    /// Takes in the boards of a page whose side to move `--turn-rule` leaves open, as their numbers are not known.
    pub fn add_uncounted(&mut self, task: &Task, boards: &[usize]) {
        let names = boards
            .iter()
            .map(|board| format!("{}, board {board}", task.place()));
        self.uncounted.extend(names);
    }

    /// Takes in what is wrong with an input as a whole.
    pub fn add_fault(&mut self, fault: &Fault) {
        let input = &mut self.inputs[fault.input];
        input.name.clone_from(&fault.name);
        input.state = Some(State::Failed);
        let hint = fault.error.hint();
        let cure = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        self.failed.push(Finding {
            text: format!("{}: {}{cure}", fault.name, fault.error),
            was_said: true,
        });
        self.faults.push(json!({
            "path": fault.name,
            "message": fault.error.to_string(),
            "hint": hint,
        }));
    }

    /// Takes in a page; `is_new` when this run has read it.
    pub fn add_page(&mut self, task: &Task, entry: &Entry, is_new: bool) {
        self.pages[entry.state as usize] += 1;
        self.cut += entry.cut;
        self.left_out += entry.left_out;
        let input = &mut self.inputs[task.input];
        input.name.clone_from(&task.name);
        input.pages += 1;
        input.is_document |= task.page.is_some();
        input.cut += entry.cut;
        if entry.state == State::NoBoard {
            input.without.extend(task.page);
        }
        input.state = Some(match (input.state, entry.state) {
            (Some(State::Failed), _) | (_, State::Failed) => State::Failed,
            (Some(State::Done), _) | (_, State::Done) => State::Done,
            _ => State::NoBoard,
        });
        let finding = |what: &str| Finding {
            text: format!("{}: {what}", task.place()),
            was_said: is_new,
        };
        if entry.state == State::Failed {
            let message = entry.message.as_deref().unwrap_or("could not be read");
            self.failed.push(finding(message));
        }
        if entry.left_out > 0 {
            self.incomplete.push(finding(&left_out(entry)));
        }
    }

    /// Takes in a board as it goes to the documents.
    pub fn add_board(&mut self, task: &Task, record: &Record, is_alone: bool) {
        self.boards += 1;
        self.places.add(record.source.clone(), record.quad);
        if record.doubtful {
            let name = if is_alone {
                task.place()
            } else {
                format!("{}, board {}", task.place(), record.source.board)
            };
            self.doubtful.push((name, record.clone()));
        }
        if record.fields.turn.provenance == Provenance::Assumed {
            self.assumed.push(record.source.clone());
        }
    }

    /// Takes in the corrections that a person has made in the folder of the batch, when all boards are there.
    ///
    /// # Errors
    /// When they cannot be read; nothing counts as corrected then.
    pub fn add_corrections(&mut self, file: &Path) -> anyhow::Result<()> {
        let corrections = Corrections::read(file, std::mem::take(&mut self.places));
        let of = |source: &SourceRecord| corrections.as_ref().ok()?.of(source);
        let is_doubtful = |record: &Record| match of(&record.source) {
            None => true,
            Some(correction) if correction.left_out => false,
            Some(correction) => {
                let mut record = record.clone();
                correction.apply(&mut record).is_err() || record.doubtful
            }
        };
        let doubtful = self.doubtful.iter();
        let doubtful = doubtful.filter(|(_, record)| is_doubtful(record));
        let all = corrections.iter().flat_map(Corrections::all);
        self.reviewed = Reviewed {
            boards: all.filter(|saved| !saved.correction.withdrawn).count(),
            doubtful: doubtful.map(|(name, _)| name.clone()).collect(),
            assumed: self.assumed.iter().filter(|own| of(own).is_none()).count(),
        };
        corrections.map(|_| ())
    }

    /// Number of boards that a person has corrected or looked over.
    pub fn reviewed(&self) -> usize {
        self.reviewed.boards
    }

    /// The exit code of the batch.
    pub fn exit(&self) -> Exit {
        let [_, without, failed] = self.input_counts();
        match (failed + self.pages[2], without + self.left_out) {
            (0, 0) => Exit::Success,
            (0, _) => Exit::NeedsPerson,
            _ => Exit::InputFailed,
        }
    }

    /// What `summary.json` holds.
    pub fn json(&self, recognizer: &Recognizer) -> Value {
        let counts = |counts: [usize; 3]| -> Value {
            let mut object: serde_json::Map<String, Value> = STATES
                .iter()
                .zip(counts)
                .map(|((state, _), count)| ((*state).to_owned(), json!(count)))
                .collect();
            object.insert("total".to_owned(), json!(counts.iter().sum::<usize>()));
            Value::Object(object)
        };
        json!({
            "type": "summary",
            "inputs": counts(self.input_counts()),
            "pages": counts(self.pages),
            "boards": self.boards,
            "doubtful": self.doubtful.len(),
            "turn_assumed": self.assumed.len(),
            "cut_boards": self.cut,
            "left_out_boards": self.left_out,
            "input_faults": self.faults,
            "engine": recognizer.engine().to_string(),
            "models": img2fen::model_names(),
            "version": crate::version::VERSION,
        })
    }

    /// Says the numbers and the names that a person needs. Of these a quiet run says only what makes the exit code other
    /// than 0 and has not been said before, but all of it.
    pub fn tell(&self, ui: &Ui, is_quiet: bool) {
        if is_quiet {
            let findings = self.failed.iter().chain(&self.incomplete);
            for finding in findings.filter(|finding| !finding.was_said) {
                ui.error(&finding.text, None);
            }
            for input in &self.inputs {
                if let Some(text) = input.without_any() {
                    ui.error(&text, None);
                }
            }
            return;
        }
        ui.note(&self.numbers());
        let texts = |findings: &[Finding]| -> Vec<String> {
            findings
                .iter()
                .map(|finding| finding.text.clone())
                .collect()
        };
        for (title, names) in [
            ("failed", texts(&self.failed)),
            ("not all boards were read", texts(&self.incomplete)),
            ("without a board", self.without()),
            ("doubtful", self.reviewed.doubtful.clone()),
            (
                "not by `--turn-rule`, as pages before were not read and no number is printed",
                self.uncounted.clone(),
            ),
        ] {
            if let Some(list) = list(title, &names) {
                ui.note(&list);
            }
        }
    }

    /// `3 inputs: 2 with boards, 1 failed` and the like for pages and boards, a line each.
    fn numbers(&self) -> String {
        let line = |noun: &str, counts: [usize; 3]| {
            let parts: Vec<String> = STATES
                .iter()
                .zip(counts)
                .filter(|(_, count)| *count > 0)
                .map(|((_, state), count)| format!("{count} {state}"))
                .collect();
            let total: usize = counts.iter().sum();
            format!("{}: {}\n", counted(total, noun), parts.join(", "))
        };
        let mut text = line("input", self.input_counts());
        if self.inputs.iter().any(|input| input.is_document) {
            text += &line("page", self.pages);
        }
        text += &counted(self.boards, "board");
        for (count, what) in [
            (self.reviewed.boards, "reviewed by a person"),
            (self.reviewed.doubtful.len(), "doubtful"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        if self.reviewed.assumed > 0 {
            text += &format!(
                "\nside to move assumed: {}; say it with `-w`, `-b` or `--turn-rule`, see `img2fen batch --help`",
                counted(self.reviewed.assumed, "board")
            );
        }
        text
    }

    fn input_counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for input in &self.inputs {
            counts[input.state.unwrap_or(State::NoBoard) as usize] += 1;
        }
        counts
    }

    /// The inputs without a board, and the pages without one of the others.
    fn without(&self) -> Vec<String> {
        let texts = self.inputs.iter();
        texts
            .filter_map(|input| input.without_any().or_else(|| input.without_some()))
            .collect()
    }
}

impl Input {
    /// What there is instead of a board, where the whole input has none.
    fn without_any(&self) -> Option<String> {
        let pages = match self.is_document {
            true => format!(" on {}", counted(self.pages, "page")),
            false => String::new(),
        };
        let name = &self.name;
        (self.state == Some(State::NoBoard)).then(|| match self.cut {
            0 => format!("{name}: no board found{pages}"),
            _ => format!("{name}: no whole board found{pages}: the edge cuts it"),
        })
    }

    /// The pages without a board of an input that has others.
    fn without_some(&self) -> Option<String> {
        let noun = if self.without.len() == 1 {
            "page"
        } else {
            "pages"
        };
        let pages = ranges(&self.without);
        (!self.without.is_empty()).then(|| format!("{}: {noun} {pages}", self.name))
    }
}

/// What is said of a page that has more boards than the limit.
pub fn left_out(entry: &Entry) -> String {
    format!(
        "has more boards than the limit of `--max-boards`: the {} surest were read, {} left out",
        entry.boards.len(),
        entry.left_out
    )
}

/// A title and under it the first names; `None` without a name.
fn list(title: &str, names: &[String]) -> Option<String> {
    let mut lines = vec![format!("{title}:")];
    let first = names.iter().take(MAX_NAMED);
    lines.extend(first.map(|name| format!("  {name}")));
    if names.len() > MAX_NAMED {
        lines.push(format!("  and {} more", names.len() - MAX_NAMED));
    }
    (!names.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn a_list_names_ten_and_counts_the_rest() {
        let names = |count: usize| -> Vec<String> { (1..=count).map(|n| n.to_string()).collect() };
        assert_eq!(list("failed", &[]), None);
        assert_eq!(list("failed", &names(2)).unwrap(), "failed:\n  1\n  2");
        let ten = list("failed", &names(10)).unwrap();
        assert!(ten.ends_with("\n  10"), "{ten}");
        let twelve = list("failed", &names(12)).unwrap();
        assert_eq!(twelve, format!("{ten}\n  and 2 more"));
    }
}
