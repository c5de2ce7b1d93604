//! `img2fen eval`: how well labelled pictures are read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use img2fen::classify::{CLASSES, calibrate};
use img2fen::{
    Color, Error, ErrorKind, Limits, Page, Placement, Reading, Recognizer, Square, annotate,
};
use serde::Serialize;

use crate::exit::Exit;
use crate::manifest::{self, Entry, LabelledBoard};
use crate::ui::Ui;

/// Measures accuracy, calibration and speed on labelled pictures.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  every picture was read, and no figure is below its floor
  1  a figure is below its floor
  2  wrong usage
  3  the manifest, a picture or the floors cannot be read, or an output cannot be written
  4  the engine does not start")]
pub struct EvalArgs {
    /// Manifest of labelled pictures, one JSON object a line
    pub manifest: PathBuf,
    /// Folder that the manifest's file names start from [default: `pictures` beside the manifest]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Read only the pictures of this split
    #[arg(long, value_name = "NAME")]
    pub split: Option<String>,
    /// Also write every figure and the outcome of every board as JSON
    #[arg(long, value_name = "OUT")]
    pub json: Option<PathBuf>,
    /// Write an annotated picture of every failure into this folder
    #[arg(long, value_name = "DIR")]
    pub failures: Option<PathBuf>,
    /// Fail (exit code 1) when a figure is below its floor in this JSON file
    #[arg(long, value_name = "FILE")]
    pub floors: Option<PathBuf>,
}

/// A board counts as found when its worst corner is off by less than this share of its side: half a square.
const FOUND: f32 = 0.06;
/// Calibration is measured in this many bins with equally many boards.
const BINS: usize = 15;

/// What became of one labelled board.
#[derive(Debug, Clone, Serialize)]
struct Outcome {
    file: String,
    board: usize,
    kind: String,
    traits: Vec<String>,
    expected: String,
    got: Option<String>,
    /// Worst corner error in percent of a square; `None` when not found.
    corner_error: Option<f32>,
    /// Wrong squares, as placed.
    wrong: Option<usize>,
    /// Wrong squares, whichever way up.
    wrong_either_way: Option<usize>,
    orientation_evident: bool,
    orientation_right: Option<bool>,
    doubtful: bool,
    confidence: Option<f32>,
    /// Squares as seen: the probability of the class chosen and whether it is right (when the way up is right).
    lowest_square: Option<f32>,
    /// The evidence that board confidence is fitted to: see `training/calibrate.py`.
    evidence: Option<Evidence>,
}

/// A reading where the labels have no board.
#[derive(Debug, Clone, Serialize)]
struct FalseBoard {
    file: String,
    doubtful: bool,
    evidence: calibrate::Evidence,
}

#[derive(Debug, Clone, Serialize)]
struct Evidence {
    #[serde(flatten)]
    board: calibrate::Evidence,
    /// Squares that are not all but certain, with the class that is right: what the temperature is fitted to.
    squares: Vec<UnsureSquare>,
}

#[derive(Debug, Clone, Serialize)]
struct UnsureSquare {
    probabilities: [f32; 13],
    right: usize,
}

/// Figures of a group of boards. Shares are 0..=1.
#[derive(Debug, Default, Serialize)]
struct Figures {
    boards: usize,
    found: f64,
    exact: f64,
    exact_either_way: f64,
    at_most_one_wrong: f64,
    squares: f64,
    orientation_right: f64,
    doubtful: f64,
    sure: usize,
    wrong_but_sure: f64,
    expected_calibration_error: f64,
}

/// Figures of the pictures that show no board.
#[derive(Debug, Default, Serialize)]
struct Negatives {
    pictures: usize,
    with_a_board: Vec<String>,
    with_a_sure_board: usize,
}

#[derive(Debug, Serialize)]
struct Report {
    engine: String,
    all: Figures,
    kinds: BTreeMap<String, Figures>,
    traits: BTreeMap<String, Figures>,
    negatives: Negatives,
    physical_boards: Negatives,
    /// Boards reported beside the labelled ones on pictures that show boards.
    extra_boards: usize,
    extra_sure_boards: usize,
    /// Those and the boards read on pictures without one.
    false_boards: Vec<FalseBoard>,
    corner_error_median: f32,
    corner_error_p90: f32,
    milliseconds_median: f32,
    milliseconds_p90: f32,
    reliability: Vec<Bin>,
    risk_coverage: Vec<[f64; 3]>,
    outcomes: Vec<Outcome>,
}

/// One bin of the reliability diagram.
#[derive(Debug, Serialize)]
struct Bin {
    boards: usize,
    mean_confidence: f64,
    exact: f64,
}

/// Runs the command.
pub fn run(
    args: &EvalArgs,
    recognizer: &Recognizer,
    limits: &Limits,
    ui: &Ui,
) -> anyhow::Result<Exit> {
    let root = args.root.clone().unwrap_or_else(|| {
        args.manifest
            .parent()
            .unwrap_or(std::path::Path::new("."))
            .join("pictures")
    });
    let text = std::fs::read_to_string(&args.manifest).map_err(|error| {
        let manifest = args.manifest.display();
        Error::new(
            ErrorKind::Io,
            format!("{manifest}: cannot read the manifest: {error}"),
        )
        .with_hint(
            "name a file with a line of JSON for each picture, as docs/accuracy.md describes it",
        )
    })?;
    if let Some(folder) = &args.failures {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    }
    let floors = args.floors.as_deref().map(read_floors).transpose()?;
    let mut tally = Tally::default();
    for (line, entry) in manifest::entries(&text) {
        let entry = entry
            .with_context(|| format!("{}:{line}: not a manifest line", args.manifest.display()))?;
        if args
            .split
            .as_ref()
            .is_some_and(|split| *split != entry.split)
        {
            continue;
        }
        let page = Page::open(root.join(&entry.file), limits)
            .with_context(|| format!("{}: cannot be read", entry.file))?;
        let started = Instant::now();
        let readings = recognizer.read(&page)?.readings;
        tally
            .milliseconds
            .push(started.elapsed().as_secs_f32() * 1000.0);
        let failed = tally.add(&entry, &readings)?;
        if let (true, Some(folder)) = (failed, &args.failures) {
            let name = format!("{}.png", entry.file.replace(['/', '.'], "_"));
            annotate(&page.picture, &readings)
                .save(folder.join(&name))
                .with_context(|| format!("{name}: cannot write into {}", folder.display()))?;
        }
        ui.progress(&format!("{} pictures", tally.milliseconds.len()));
    }
    ui.progress_done();
    anyhow::ensure!(
        !tally.milliseconds.is_empty(),
        "{}: no picture of the split asked for",
        args.manifest.display()
    );
    let report = tally.report(recognizer.engine().to_string());
    ui.print(&report.text())?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report)?;
        std::fs::write(path, text).with_context(|| format!("{}: cannot write", path.display()))?;
    }
    match floors {
        Some(floors) => check_floors(floors, &report, ui),
        None => Ok(Exit::Success),
    }
}

/// What no figure may be below, by the place of the figure in the report.
type Floors = BTreeMap<String, f64>;

fn read_floors(path: &std::path::Path) -> anyhow::Result<Floors> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("`--floors`: cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| {
        format!(
            "`--floors`: {} is no JSON object of numbers",
            path.display()
        )
    })
}

/// Compares figures with their committed floors; ceilings are floors of the negated figure.
fn check_floors(floors: Floors, report: &Report, ui: &Ui) -> anyhow::Result<Exit> {
    let figures = serde_json::to_value(report)?;
    let mut exit = Exit::Success;
    for (name, limit) in floors {
        let (pointer, is_ceiling) = match name.strip_prefix("max ") {
            Some(pointer) => (pointer, true),
            None => (name.as_str(), false),
        };
        let value = figures
            .pointer(pointer)
            .and_then(|value| {
                value
                    .as_f64()
                    .or_else(|| value.as_array().map(|list| list.len() as f64))
            })
            .with_context(|| format!("`--floors`: there is no figure `{pointer}`"))?;
        if (is_ceiling && value > limit) || (!is_ceiling && value < limit) {
            let side = if is_ceiling { "above" } else { "below" };
            ui.error(&format!("{pointer} is {value:.4}, {side} {limit}"), None);
            exit = Exit::NeedsPerson;
        }
    }
    Ok(exit)
}

#[derive(Default)]
struct Tally {
    outcomes: Vec<Outcome>,
    negatives: Negatives,
    physical_boards: Negatives,
    extra_boards: usize,
    extra_sure_boards: usize,
    false_boards: Vec<FalseBoard>,
    milliseconds: Vec<f32>,
}

impl Tally {
    fn add_false(&mut self, entry: &Entry, reading: &Reading) {
        self.false_boards.push(FalseBoard {
            file: entry.file.clone(),
            doubtful: reading.doubtful,
            evidence: reading.evidence,
        });
    }

    /// Adds a picture's readings; true when something went wrong with it.
    fn add(&mut self, entry: &Entry, readings: &[Reading]) -> anyhow::Result<bool> {
        if entry.boards.is_empty() {
            let is_physical = entry.traits.iter().any(|name| name == "otb-3d-board");
            let negatives = if is_physical {
                &mut self.physical_boards
            } else {
                &mut self.negatives
            };
            negatives.pictures += 1;
            if !readings.is_empty() {
                negatives.with_a_board.push(entry.file.clone());
            }
            negatives.with_a_sure_board +=
                usize::from(readings.iter().any(|reading| !reading.doubtful));
            for reading in readings {
                self.add_false(entry, reading);
            }
            return Ok(!readings.is_empty());
        }
        let mut failed = false;
        let mut used = vec![false; readings.len()];
        for (index, board) in entry.boards.iter().enumerate() {
            let outcome = outcome(entry, index, board, readings, &mut used)?;
            failed |= outcome.wrong != Some(0);
            self.outcomes.push(outcome);
        }
        for (reading, used) in readings.iter().zip(used) {
            let [x, y] = reading.quad.centre();
            let is_other = entry
                .other_boards
                .iter()
                .filter_map(|other| other.bbox)
                .any(|[left, top, right, bottom]| {
                    (left..=right).contains(&x) && (top..=bottom).contains(&y)
                });
            if !used && !is_other {
                self.extra_boards += 1;
                self.extra_sure_boards += usize::from(!reading.doubtful);
                self.add_false(entry, reading);
                failed = true;
            }
        }
        Ok(failed)
    }

    fn report(self, engine: String) -> Report {
        let mut kinds: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
        let mut traits: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
        for outcome in &self.outcomes {
            kinds.entry(outcome.kind.clone()).or_default().push(outcome);
            for name in &outcome.traits {
                traits.entry(name.clone()).or_default().push(outcome);
            }
            if !outcome.traits.iter().any(|name| name == "start-position") {
                traits
                    .entry("(all but start positions)".to_owned())
                    .or_default()
                    .push(outcome);
            }
        }
        traits.retain(|_, outcomes| outcomes.len() >= 5);
        let all: Vec<&Outcome> = self.outcomes.iter().collect();
        let corner_errors: Vec<f32> = all
            .iter()
            .filter_map(|outcome| outcome.corner_error)
            .collect();
        let summarise = |groups: BTreeMap<String, Vec<&Outcome>>| {
            groups
                .into_iter()
                .map(|(name, outcomes)| (name, figures(&outcomes)))
                .collect()
        };
        Report {
            engine,
            all: figures(&all),
            kinds: summarise(kinds),
            traits: summarise(traits),
            negatives: self.negatives,
            physical_boards: self.physical_boards,
            extra_boards: self.extra_boards,
            extra_sure_boards: self.extra_sure_boards,
            false_boards: self.false_boards,
            corner_error_median: quantile(&corner_errors, 0.5),
            corner_error_p90: quantile(&corner_errors, 0.9),
            milliseconds_median: quantile(&self.milliseconds, 0.5),
            milliseconds_p90: quantile(&self.milliseconds, 0.9),
            reliability: reliability(&all),
            risk_coverage: risk_coverage(&all),
            outcomes: self.outcomes.clone(),
        }
    }
}

/// Holds a labelled board against the reading whose corners are nearest.
fn outcome(
    entry: &Entry,
    index: usize,
    board: &LabelledBoard,
    readings: &[Reading],
    used: &mut [bool],
) -> anyhow::Result<Outcome> {
    let quad = board.quad()?;
    let expected = board
        .placement()
        .with_context(|| format!("{}: board {index} has no valid placement", entry.file))?;
    let side = quad.side();
    let nearest = (0..readings.len())
        .filter(|&at| !used[at])
        .map(|at| (readings[at].quad.corner_distance(&quad) / side, at))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|&(error, _)| error < FOUND);
    let reading = nearest.map(|(_, at)| {
        used[at] = true;
        &readings[at]
    });
    let bottom = if board.bottom == "black" {
        Color::Black
    } else {
        Color::White
    };
    Ok(Outcome {
        file: entry.file.clone(),
        board: index,
        kind: entry.kind.clone(),
        traits: entry.traits.clone(),
        expected: expected.to_string(),
        got: reading.map(|reading| reading.placement.to_string()),
        corner_error: nearest.map(|(error, _)| error * 800.0),
        wrong: reading.map(|reading| differences(&expected, &reading.placement)),
        wrong_either_way: reading.map(|reading| {
            let turned = reading.placement.rotated();
            differences(&expected, &reading.placement).min(differences(&expected, &turned))
        }),
        orientation_evident: board.orientation_evident,
        orientation_right: reading.map(|reading| reading.orientation.below == bottom),
        doubtful: reading.is_none_or(|reading| reading.doubtful),
        confidence: reading.map(|reading| reading.board_confidence),
        lowest_square: reading.map(|reading| {
            reading
                .squares
                .iter()
                .map(|square| square.confidence)
                .fold(1.0, f32::min)
        }),
        evidence: reading.map(|reading| Evidence {
            board: reading.evidence,
            squares: unsure_squares(reading, &expected),
        }),
    })
}

/// The squares whose best class has less than this are of use for fitting a temperature; the rest say nothing.
const CERTAIN: f32 = 0.9999;

fn unsure_squares(reading: &Reading, expected: &Placement) -> Vec<UnsureSquare> {
    let squares = Square::all_in_fen_order().zip(reading.probabilities.iter());
    squares
        .filter_map(|(square, probabilities)| {
            let letter = expected.get(square).map_or('.', |piece| piece.letter());
            let right = CLASSES.iter().position(|&class| class == letter)?;
            let is_certain = probabilities[right] > CERTAIN;
            (!is_certain).then_some(UnsureSquare {
                probabilities: *probabilities,
                right,
            })
        })
        .collect()
}

/// How many squares two placements differ on.
fn differences(a: &Placement, b: &Placement) -> usize {
    Square::all()
        .filter(|&square| a.get(square) != b.get(square))
        .count()
}

fn figures(outcomes: &[&Outcome]) -> Figures {
    let count = outcomes.len();
    let share = |test: &dyn Fn(&Outcome) -> bool| {
        outcomes.iter().filter(|outcome| test(outcome)).count() as f64 / count.max(1) as f64
    };
    let found = outcomes
        .iter()
        .filter(|outcome| outcome.wrong.is_some())
        .count();
    let evident: Vec<&&Outcome> = outcomes
        .iter()
        .filter(|outcome| outcome.orientation_evident && outcome.orientation_right.is_some())
        .collect();
    let right = evident
        .iter()
        .filter(|outcome| outcome.orientation_right == Some(true))
        .count();
    let sure: Vec<&&Outcome> = outcomes
        .iter()
        .filter(|outcome| !outcome.doubtful && outcome.wrong.is_some())
        .collect();
    let wrong_sure = sure
        .iter()
        .filter(|outcome| outcome.wrong != Some(0))
        .count();
    let wrong_squares: usize = outcomes
        .iter()
        .filter_map(|outcome| outcome.wrong_either_way)
        .sum();
    Figures {
        boards: count,
        found: found as f64 / count.max(1) as f64,
        exact: share(&|outcome| outcome.wrong == Some(0)),
        exact_either_way: share(&|outcome| outcome.wrong_either_way == Some(0)),
        at_most_one_wrong: share(&|outcome| outcome.wrong.is_some_and(|wrong| wrong <= 1)),
        squares: 1.0 - wrong_squares as f64 / (64 * found.max(1)) as f64,
        orientation_right: right as f64 / evident.len().max(1) as f64,
        doubtful: share(&|outcome| outcome.doubtful && outcome.wrong.is_some()),
        sure: sure.len(),
        wrong_but_sure: wrong_sure as f64 / sure.len().max(1) as f64,
        expected_calibration_error: expected_calibration_error(outcomes),
    }
}

/// Boards that were found as (confidence, exact), least confident first.
fn confident(outcomes: &[&Outcome]) -> Vec<(f64, bool)> {
    let mut pairs: Vec<(f64, bool)> = outcomes
        .iter()
        .filter_map(|outcome| Some((f64::from(outcome.confidence?), outcome.wrong == Some(0))))
        .collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs
}

/// Reliability of the board confidence in bins of equally many boards.
fn reliability(outcomes: &[&Outcome]) -> Vec<Bin> {
    let pairs = confident(outcomes);
    let size = pairs.len().div_ceil(BINS).max(1);
    pairs
        .chunks(size)
        .map(|bin| Bin {
            boards: bin.len(),
            mean_confidence: bin.iter().map(|pair| pair.0).sum::<f64>() / bin.len() as f64,
            exact: bin.iter().filter(|pair| pair.1).count() as f64 / bin.len() as f64,
        })
        .collect()
}

/// Mean gap between confidence and accuracy over the bins (Naeini et al. 2015, with bins of equal mass).
fn expected_calibration_error(outcomes: &[&Outcome]) -> f64 {
    let bins = reliability(outcomes);
    let boards: usize = bins.iter().map(|bin| bin.boards).sum();
    bins.iter()
        .map(|bin| bin.boards as f64 * (bin.mean_confidence - bin.exact).abs())
        .sum::<f64>()
        / boards.max(1) as f64
}

/// For thresholds on the confidence: the threshold, the share of found boards above it, and the share of them wrong.
fn risk_coverage(outcomes: &[&Outcome]) -> Vec<[f64; 3]> {
    let pairs = confident(outcomes);
    [0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995]
        .map(|threshold| {
            let above: Vec<_> = pairs.iter().filter(|pair| pair.0 >= threshold).collect();
            let wrong = above.iter().filter(|pair| !pair.1).count();
            let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
            [
                threshold,
                share(above.len(), pairs.len()),
                share(wrong, above.len()),
            ]
        })
        .to_vec()
}

/// The value below which a share of the values lie; 0 for none.
fn quantile(values: &[f32], share: f64) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let at = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or(0.0)
}

impl Report {
    fn text(&self) -> String {
        let mut text = String::new();
        let header = format!(
            "{:<28}{:>6}{:>8}{:>8}{:>8}{:>8}{:>9}{:>8}{:>9}{:>12}{:>7}\n",
            "",
            "boards",
            "found",
            "exact",
            "either",
            "<=1",
            "squares",
            "orient",
            "doubtful",
            "wrong/sure",
            "ECE"
        );
        let row = |text: &mut String, name: &str, figures: &Figures| {
            let percent = |share: f64| format!("{:.1}", share * 100.0);
            let _ = writeln!(
                text,
                "{:<28}{:>6}{:>8}{:>8}{:>8}{:>8}{:>9}{:>8}{:>9}{:>12}{:>7}",
                name,
                figures.boards,
                percent(figures.found),
                percent(figures.exact),
                percent(figures.exact_either_way),
                percent(figures.at_most_one_wrong),
                format!("{:.2}", figures.squares * 100.0),
                percent(figures.orientation_right),
                percent(figures.doubtful),
                format!(
                    "{:.0}/{}",
                    figures.wrong_but_sure * figures.sure as f64,
                    figures.sure
                ),
                percent(figures.expected_calibration_error),
            );
        };
        text.push_str("Failures\n");
        for outcome in self
            .outcomes
            .iter()
            .filter(|outcome| outcome.wrong != Some(0))
        {
            let trust = if outcome.doubtful { "doubtful" } else { "SURE" };
            let Some(got) = &outcome.got else {
                let _ = writeln!(
                    text,
                    "  {} #{} ({}): not found",
                    outcome.file, outcome.board, outcome.kind
                );
                continue;
            };
            let turned = if outcome.wrong_either_way == Some(0) {
                ", right but turned"
            } else {
                ""
            };
            let wrong = outcome.wrong_either_way.unwrap_or(0);
            let _ = writeln!(
                text,
                "  {} #{} ({}): {wrong} wrong{turned}, {trust} {:.3}, corners off {:.1} % of a square\n    \
                 expected {}\n    got      {got}",
                outcome.file,
                outcome.board,
                outcome.kind,
                outcome.confidence.unwrap_or(0.0),
                outcome.corner_error.unwrap_or(0.0),
                outcome.expected,
            );
        }
        let _ = writeln!(text, "\nBy trait (percent)\n{header}");
        for (name, figures) in &self.traits {
            row(&mut text, name, figures);
        }
        let _ = writeln!(text, "\nBy kind (percent)\n{header}");
        for (name, figures) in &self.kinds {
            row(&mut text, name, figures);
        }
        row(&mut text, "all", &self.all);
        let _ = writeln!(
            text,
            "\nReliability of the board confidence\n  boards  confidence   exact"
        );
        for bin in &self.reliability {
            let _ = writeln!(
                text,
                "{:>8}{:>12.3}{:>8.3}",
                bin.boards, bin.mean_confidence, bin.exact
            );
        }
        let _ = writeln!(text, "\nRisk and coverage\n  threshold  covered   wrong");
        for [threshold, covered, wrong] in &self.risk_coverage {
            let _ = writeln!(text, "{threshold:>11}{covered:>9.3}{wrong:>8.4}");
        }
        for (name, negatives) in [
            ("pictures without a board", &self.negatives),
            ("photos of physical boards", &self.physical_boards),
        ] {
            let _ = writeln!(
                text,
                "\n{name}: {} of {} with a false board, {} with a sure one {:?}",
                negatives.with_a_board.len(),
                negatives.pictures,
                negatives.with_a_sure_board,
                negatives.with_a_board
            );
        }
        let _ = writeln!(
            text,
            "boards beside the labelled ones: {}, sure {}\nworst corner of found boards, percent of a square: \
             median {:.1}, 90th percentile {:.1}\nengine {}: milliseconds a picture, decoded: median {:.0}, \
             90th percentile {:.0}",
            self.extra_boards,
            self.extra_sure_boards,
            self.corner_error_median,
            self.corner_error_p90,
            self.engine,
            self.milliseconds_median,
            self.milliseconds_p90,
        );
        text
    }
}
