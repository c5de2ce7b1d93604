//! `img2fen batch`: whole books and folders in; lines of JSON, FEN, EPD, PGN, CSV and an HTML report out.
//!
//! Pages are read by several threads; what comes of each goes to the journal at once. When all pages are finished the
//! documents are written from the journal in the order of the inputs, so they are the same whatever the number of
//! threads and however often the run was interrupted.

mod plan;
mod summary;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use image::{DynamicImage, RgbImage};
use img2fen::caption::{self, Text};
use img2fen::input::pdf::TextLine;
use img2fen::piece_set::{PieceSet, SquarePictures};
use img2fen::position::infer::GivenFields;
use img2fen::report::{self, HtmlReport, OtherInput, Record};
use img2fen::wording::counted;
use img2fen::{Error, ErrorKind, Page, PictureFile, Provenance, Quad, ReadOptions, Recognizer};
use serde_json::json;

use crate::args::{CommonArgs, KnownArgs, at_least_1};
use crate::commands::export;
use crate::corrections;
use crate::djvu;
use crate::exit::Exit;
use crate::guard;
use crate::inputs::{Inputs, Kind, PageRanges};
use crate::journal::{self, Board, Entry, Index, Journal, Limits, State};
use crate::output::{Holder, OutputFolder, Unusable};
use crate::pdf_process::{PdfLimits, PdfProcess};
use crate::progress::Progress;
use crate::readings::Boards;
use crate::turn_rule::{Turn, TurnRule};
use crate::ui::{Ui, one_line};
use plan::{Plan, Task, exit_of_faults};
use summary::Summary;

/// Inputs, what is known about them, and where the documents go.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  every input gave a board
  1  an input gave none, or a page has more than --max-boards
  2  wrong usage
  3  an input or a page failed, the others were read
  4  the folder cannot be written, or the engine does not start
  130  interrupted; the same command goes on")]
pub struct BatchArgs {
    /// Pictures, PDF and DjVu files, folders, or patterns such as 'scans/*.png'
    ///
    /// A file that is named is read whatever its name ends in. Of a folder, files are read that end in .bmp, .djv, .djvu,
    /// .gif, .jpeg, .jpg, .pbm, .pdf, .pgm, .png, .pnm, .ppm, .tif, .tiff or .webp, in capitals or not.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Folder for the documents; created where needed
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Read folders with all folders in them
    #[arg(short, long)]
    recursive: bool,
    /// Pages of documents to read, such as 3-20,25,30-
    #[arg(long, value_name = "PAGES")]
    pages: Option<PageRanges>,
    /// Documents to write; those of an earlier run in the folder are written anew too
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMATS", default_values_t = Format::DEFAULT)]
    write: Vec<Format>,
    #[command(flatten)]
    known: KnownArgs,
    /// Side to move by a rule of the book: odd, even (number of the diagram), left, right, top, bottom (place on the page)
    #[arg(
        long,
        value_name = "RULE",
        conflicts_with_all = ["white", "black"],
        help_heading = "What is known about the boards"
    )]
    turn_rule: Option<TurnRule>,
    /// The picture files are pages of one book: its sure squares settle doubtful ones, as they do in a document
    #[arg(long, help_heading = "What is known about the boards")]
    one_book: bool,
    /// Threads that read pages [default: one a processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Running")]
    jobs: Option<u16>,
    /// Go on where an earlier run stopped (the default)
    #[arg(long, overrides_with = "no_resume", help_heading = "Running")]
    resume: bool,
    /// Read every page again
    #[arg(long, help_heading = "Running")]
    no_resume: bool,
    /// Read again the pages that failed
    #[arg(long, help_heading = "Running")]
    retry_failed: bool,
    /// Only say what would be read, and write nothing
    #[arg(long, help_heading = "Running")]
    dry_run: bool,
    /// Pixels an inch, from 20 to 2400, at which PDF pages are drawn that are not one scanned picture
    #[arg(long, value_name = "DPI", default_value_t = 200.0, value_parser = parse_dpi, help_heading = "Documents")]
    dpi: f32,
    /// Most memory for drawing a page, in MiB
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = 1024,
        value_parser = at_least_1::<u64>,
        help_heading = "Documents",
        hide_short_help = true
    )]
    pdf_memory: u64,
    /// Most pixels of a drawn page; a larger page is drawn at a lower resolution
    #[arg(
        long,
        value_name = "N",
        default_value_t = 50_000_000,
        value_parser = clap::value_parser!(u64).range(1..=MOST_PAGE_PIXELS),
        help_heading = "Documents",
        hide_short_help = true
    )]
    max_page_pixels: u64,
    /// Largest document in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 2 << 30, value_parser = at_least_1::<u64>, help_heading = "Documents", hide_short_help = true)]
    max_pdf_size: u64,
    /// Most pages of a document
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5000,
        value_parser = at_least_1::<usize>,
        help_heading = "Documents",
        hide_short_help = true
    )]
    max_pages: usize,
}

/// As many pixels as a page can have that is drawn: 65,535 a side.
const MOST_PAGE_PIXELS: u64 = 65_535 * 65_535;

/// A document that a batch writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// readings.jsonl: everything, one line a board
    Jsonl,
    /// positions.fen: one FEN a line
    Fen,
    /// positions.epd
    Epd,
    /// positions.pgn: one game a board
    Pgn,
    /// positions.csv
    Csv,
    /// report.html: the page for looking over and correcting
    Html,
}

impl Format {
    const DEFAULT: [Self; 5] = [Self::Jsonl, Self::Fen, Self::Epd, Self::Pgn, Self::Html];

    /// The file's name.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Jsonl => "readings.jsonl",
            Self::Fen => "positions.fen",
            Self::Epd => "positions.epd",
            Self::Pgn => "positions.pgn",
            Self::Csv => "positions.csv",
            Self::Html => "report.html",
        }
    }

    /// The documents that are written to a folder: those wanted, and those of the `possible` ones that an earlier run
    /// has left there, so that no two of a folder stand for different runs. The latter are named.
    pub fn written(wanted: &[Self], possible: &[Self], folder: &Path, ui: &Ui) -> Vec<Self> {
        let left = possible
            .iter()
            .copied()
            .filter(|format| !wanted.contains(format) && folder.join(format.file_name()).is_file());
        let left: Vec<Self> = left.collect();
        if !left.is_empty() {
            let names: Vec<&str> = left.iter().map(|format| format.file_name()).collect();
            ui.note(&format!(
                "written anew too, as earlier runs have left them here: {}",
                names.join(", ")
            ));
        }
        [wanted, &left].concat()
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Jsonl => "jsonl",
            Self::Fen => "fen",
            Self::Epd => "epd",
            Self::Pgn => "pgn",
            Self::Csv => "csv",
            Self::Html => "html",
        })
    }
}

fn parse_dpi(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (20.0..=2400.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 20 to 2400".to_owned()),
    }
}

/// The document that every batch writes, and nothing else.
pub const SUMMARY: &str = "summary.json";

/// Set by Ctrl-C: pages in flight are finished, then the run ends.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Runs the command.
pub fn run(args: &BatchArgs, common: &CommonArgs, ui: &Ui) -> anyhow::Result<Exit> {
    let environment = |error: anyhow::Error| error.context(Unusable);
    if args
        .known
        .castling()
        .is_some_and(|given| given.as_str() != "-")
    {
        let message =
            "`--castling`: rights differ from board to board; a batch takes `auto` or `-`";
        return Err(Error::new(ErrorKind::InvalidArgument, message).into());
    }
    let mut inputs = Inputs::of(&args.inputs, args.recursive);
    inputs.leave_unsaid(|name| is_own(name, &args.output));
    if inputs.found.iter().all(Result::is_err) {
        let nothings = || inputs.found.iter().filter_map(|found| found.as_ref().err());
        for nothing in nothings() {
            let name = nothing.argument.display();
            ui.error(&format!("{name}: {}", nothing.error), nothing.error.hint());
        }
        for remark in inputs.remarks() {
            ui.note(&remark);
        }
        return Ok(exit_of_faults(nothings().map(|nothing| &nothing.error)));
    }
    if args.dry_run {
        return dry_run(inputs, args, common, ui);
    }
    let output = OutputFolder::open(&args.output, Holder::Batch).map_err(environment)?;
    let documents = Format::value_variants()
        .iter()
        .map(|format| format.file_name());
    output
        .check_places(documents.chain([SUMMARY]))
        .map_err(environment)?;
    let mut journal = Journal::open(&output.file(journal::FILE_NAME)).map_err(environment)?;
    let recognizer = Arc::new(crate::recognizer(common, ui)?);
    let plan = Plan::new(inputs, args, common, &recognizer);
    plan.tell(ui);
    if plan.tasks.is_empty() {
        // A mistyped name or `--pages` must not replace the documents of a finished batch by empty ones.
        ui.error("there is no page to read, so nothing was written", None);
        return Ok(plan.exit_without_pages());
    }
    if args.no_resume {
        journal.clear()?;
    }
    let formats = Format::written(&args.write, Format::value_variants(), output.path(), ui);
    // Readings that cannot be read name nothing that would be missed.
    let earlier = Boards::of(output.path()).unwrap_or_default();
    plan.tell_what_drops_out(&earlier, ui);
    let open = plan.open(journal.index(), args, common);
    plan.tell_what_is_read_again(&open, journal.index(), args, common, ui);

    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            // A second Ctrl-C does not wait; the journal is whole after every write.
            #[expect(
                clippy::exit,
                reason = "a signal handler has no other way to end the program"
            )]
            std::process::exit(i32::from(Exit::Interrupted as u8));
        }
    })?;
    let finished_before = plan.tasks.len() - open.len();
    if finished_before > 0 {
        ui.note(&format!(
            "finished already: {finished_before} of {}",
            counted(plan.tasks.len(), "page")
        ));
        plan.tell_of_failed(&open, journal.index(), ui);
    }
    journal
        .set_options(plan.options.clone())
        .map_err(environment)?;
    let started = Instant::now();
    let boards_read = read_all(&open, args, common, &recognizer, &mut journal, ui)?;
    let seconds = started.elapsed().as_secs_f64();
    if INTERRUPTED.load(Ordering::SeqCst) {
        let done = plan
            .tasks
            .iter()
            .filter(|task| journal.index().state(&task.key).is_some())
            .count();
        ui.note(&format!(
            "interrupted: finished are {done} of {}; the same command goes on",
            counted(plan.tasks.len(), "page")
        ));
        return Ok(Exit::Interrupted);
    }
    let new: HashSet<&str> = open.iter().map(|task| task.key.as_str()).collect();
    let mut summary = write_documents(
        args,
        &plan,
        &new,
        &output,
        &formats,
        &mut journal,
        &recognizer,
    )
    .map_err(environment)?;
    if let Err(error) = summary.add_corrections(&output.file(corrections::FILE_NAME)) {
        ui.note(&format!("the corrections do not count: {error:#}"));
    }
    summary.tell(ui, common.is_quiet());
    if boards_read > 0 {
        ui.note(&format!(
            "{} read in {seconds:.1} s, {:.1} a second",
            counted(boards_read, "board"),
            boards_read as f64 / seconds
        ));
    }
    if formats.contains(&Format::Html) && summary.boards() > 0 {
        ui.note(&format!(
            "report: {}",
            output.file(Format::Html.file_name()).display()
        ));
    }
    // The review shows what the lines of JSON hold.
    if formats.contains(&Format::Jsonl) && summary.boards() > 0 {
        let folder = for_shell(output.path());
        ui.note(&format!("look it over: `img2fen review {folder}`"));
        if summary.reviewed() > 0 {
            ui.note(&format!(
                "write the documents with the corrections: `img2fen export {folder}`"
            ));
        }
    }
    Ok(summary.exit())
}

/// Says what would be read; nothing is written, and no folder is made.
fn dry_run(inputs: Inputs, args: &BatchArgs, common: &CommonArgs, ui: &Ui) -> anyhow::Result<Exit> {
    let journal = Index::of(&args.output.join(journal::FILE_NAME)).context(Unusable)?;
    let recognizer = crate::recognizer(common, ui)?;
    let plan = Plan::new(inputs, args, common, &recognizer);
    plan.tell(ui);
    if plan.tasks.is_empty() {
        ui.error("there is no page to read", None);
        return Ok(plan.exit_without_pages());
    }
    let open = plan.open(&journal, args, common);
    plan.tell_what_is_read_again(&open, &journal, args, common, ui);
    let keys: HashSet<&str> = open.iter().map(|task| task.key.as_str()).collect();
    for task in &plan.tasks {
        let state = match journal.state(&task.key) {
            _ if keys.contains(task.key.as_str()) => "read",
            Some(State::Failed) => "failed",
            _ => "finished",
        };
        ui.print(&format!("{state}\t{}", one_line(&task.place())))?;
    }
    let pages = counted(plan.tasks.len(), "page");
    ui.note(&format!("{pages}, {} to read", open.len()));
    plan.tell_of_failed(&open, &journal, ui);
    Ok(Exit::Success)
}

/// Whether this is the folder of a batch, or a file that this program itself has put into it or into that of its export.
fn is_own(file: &Path, folder: &Path) -> bool {
    if matches!((file.canonicalize(), folder.canonicalize()), (Ok(file), Ok(folder)) if file == folder)
    {
        return true;
    }
    let formats = Format::value_variants()
        .iter()
        .map(|format| format.file_name());
    let mut names = formats.chain([SUMMARY, journal::FILE_NAME, corrections::FILE_NAME]);
    let is_in = |folder: &Path| match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => file.parent() == Some(&folder),
        _ => false,
    };
    file.file_name()
        .is_some_and(|name| names.any(|own| name == own))
        && (is_in(folder) || is_in(&folder.join(export::FOLDER)))
}

/// A path as a shell takes it for one word.
fn for_shell(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Reads all open pages and writes what comes of them to the journal; gives the number of boards.
fn read_all(
    open: &[&Task],
    args: &BatchArgs,
    common: &CommonArgs,
    recognizer: &Arc<Recognizer>,
    journal: &mut Journal,
    ui: &Ui,
) -> anyhow::Result<usize> {
    let options = read_options(args);
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = args
        .jobs
        .map_or(processors, usize::from)
        .min(open.len().max(1));
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let mut progress = Progress::new(open.len(), ui, common.is_quiet());
    let mut boards = 0;
    let result = std::thread::scope(|scope| {
        // As many finished pages may wait for the journal as there are threads: memory stays flat.
        let (sender, receiver) = sync_channel(jobs);
        for _ in 0..jobs {
            let sender = sender.clone();
            let (next, stop, options) = (&next, &stop, &options);
            scope.spawn(move || {
                let mut pages = PageReader {
                    args,
                    common,
                    pdf: None,
                };
                while !INTERRUPTED.load(Ordering::SeqCst) && !stop.load(Ordering::SeqCst) {
                    let Some(task) = open.get(next.fetch_add(1, Ordering::SeqCst)) else {
                        break;
                    };
                    let result = read_task(task, &mut pages, options, recognizer);
                    let result = unless_changed(task, result);
                    if sender.send((*task, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (task, result) in receiver {
            let entry = match result {
                Ok(entry) => entry,
                Err(error) => {
                    let hint = error
                        .hint()
                        .map(|hint| format!("; {hint}"))
                        .unwrap_or_default();
                    progress.say(|ui| {
                        ui.error(&format!("{}: {error}", task.place()), error.hint());
                    });
                    Entry {
                        key: task.key.clone(),
                        state: State::Failed,
                        boards: Vec::new(),
                        cut: 0,
                        left_out: 0,
                        message: Some(format!("{error}{hint}")),
                        limits: match error.kind() {
                            ErrorKind::LimitExceeded => limits(args, common),
                            _ => Limits::new(),
                        },
                    }
                }
            };
            if entry.left_out > 0 {
                let message = format!("{}: {}", task.place(), summary::left_out(&entry));
                progress.say(|ui| ui.error(&message, None));
            }
            boards += entry.boards.len();
            progress.page_done(entry.boards.len());
            if let Err(error) = journal.append(&entry) {
                stop.store(true, Ordering::SeqCst);
                return Err(error.context(Unusable));
            }
        }
        Ok(())
    });
    progress.finish();
    result.map(|()| boards)
}

/// The limits that do not change what is read of a page but whether it is: a page that was read within them is read,
/// whatever they were.
fn limits(args: &BatchArgs, common: &CommonArgs) -> Limits {
    [
        ("`--timeout`", common.limits().max_time.as_secs()),
        ("`--pdf-memory`", args.pdf_memory),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

fn pdf_limits(args: &BatchArgs, common: &CommonArgs) -> PdfLimits {
    PdfLimits {
        dpi: args.dpi,
        max_pixels: args.max_page_pixels,
        max_file_bytes: args.max_pdf_size,
        timeout: common.limits().max_time,
        max_memory_bytes: args.pdf_memory.saturating_mul(1 << 20),
    }
}

/// Draws the pages of documents; keeps the child that draws the PDF at hand.
struct PageReader<'a> {
    args: &'a BatchArgs,
    common: &'a CommonArgs,
    pdf: Option<PdfProcess>,
}

impl PageReader<'_> {
    /// Draws a page of a PDF or DjVu document; `None` for a picture file, of several pages or not.
    fn drawn(&mut self, task: &Task) -> img2fen::Result<Option<(Page, Vec<TextLine>)>> {
        let limits = self.common.limits();
        let Some(number) = task.page else {
            return Ok(None);
        };
        let (image, text) = match task.kind {
            Kind::Picture | Kind::Tiff => return Ok(None),
            Kind::Djvu => {
                let picture = djvu::page(&task.file, number, &limits, limits.max_time)?;
                (picture, Vec::new())
            }
            Kind::Pdf => {
                if self.pdf.as_ref().is_none_or(|pdf| pdf.file() != task.file) {
                    self.pdf = Some(PdfProcess::new(
                        &task.file,
                        pdf_limits(self.args, self.common),
                    ));
                }
                let drawn = self.pdf.as_mut().map(|pdf| pdf.page(number));
                let drawn = drawn
                    .unwrap_or_else(|| Err(Error::new(ErrorKind::Decode, "the PDF is not open")))?;
                (drawn.image, drawn.text)
            }
        };
        let picture = match image {
            // Grey scans are most of what a book is made of: repeating each byte is all there is to do.
            DynamicImage::ImageLuma8(grey) => {
                let bytes = grey.as_raw().iter().flat_map(|&value| [value; 3]).collect();
                RgbImage::from_raw(grey.width(), grey.height(), bytes).unwrap_or_default()
            }
            other => other.into_rgb8(),
        };
        let page = Page {
            source: task.name.clone(),
            number: Some(number),
            picture,
        };
        Ok(Some((page, text)))
    }
}

/// What came of a page, unless its file is no longer the one whose SHA-256 the journal knows.
fn unless_changed(task: &Task, result: img2fen::Result<Entry>) -> img2fen::Result<Entry> {
    match task.version.change(&task.file) {
        // What was read of a file that has been removed since is what it held.
        Some(change) if result.is_err() || task.file.exists() => Err(change),
        _ => result,
    }
}

/// Reads one page; a panic in it is an error of this page.
fn read_task(
    task: &Task,
    pages: &mut PageReader<'_>,
    options: &ReadOptions,
    recognizer: &Arc<Recognizer>,
) -> img2fen::Result<Entry> {
    let drawn = pages.drawn(task)?;
    let limits = pages.common.limits();
    let (task, options) = (task.clone(), options.clone());
    let (own_limits, recognizer) = (limits.clone(), Arc::clone(recognizer));
    guard::within(&limits, move || {
        let (page, text) = match drawn {
            Some(drawn) => drawn,
            None => {
                let file = PictureFile::open(&task.file, &own_limits)?;
                let mut page = file.page(task.page.unwrap_or(1), &own_limits)?;
                page.source.clone_from(&task.name);
                (page, Vec::new())
            }
        };
        read_page(&task, &page, &text, &options, &recognizer)
    })
}

/// What is known about all boards.
fn read_options(args: &BatchArgs) -> ReadOptions {
    ReadOptions {
        given: GivenFields {
            turn: args.known.turn(),
            castling: args.known.castling().cloned(),
            ..GivenFields::default()
        },
        view: args.known.view(),
        min_confidence: args.known.min_confidence,
        ..ReadOptions::default()
    }
}

fn read_page(
    task: &Task,
    page: &Page,
    text: &[TextLine],
    options: &ReadOptions,
    recognizer: &Recognizer,
) -> img2fen::Result<Entry> {
    let found = recognizer.read_with(page, options)?;
    let quads: Vec<Quad> = found.readings.iter().map(|reading| reading.quad).collect();
    let lines: Vec<Text<'_>> = text
        .iter()
        .map(|line| Text {
            text: &line.text,
            left: line.left,
            top: line.top,
            right: line.right,
            bottom: line.bottom,
        })
        .collect();
    let mut captions = caption::captions(&quads, &lines);
    for (quad, caption) in quads.iter().zip(&mut captions) {
        if caption.turn.is_none() {
            caption.turn = caption::printed_marker(&page.picture, quad, &quads)
                .map(|(turn, name)| (turn, name.to_owned()));
        }
    }
    let mut boards = Vec::with_capacity(found.readings.len());
    for (reading, caption) in found.readings.iter().zip(&captions) {
        let record = Record::new(reading, Some(task.sha256.clone()));
        let mut record = record.map_err(|error| {
            Error::new(
                ErrorKind::Model,
                format!("the reading cannot be written: {error}"),
            )
        })?;
        record.set_caption(caption);
        boards.push(Board {
            record,
            crop: report::crop(&page.picture, &reading.quad),
        });
    }
    let (cut, state) = (
        found.cut.len(),
        if boards.is_empty() {
            State::NoBoard
        } else {
            State::Done
        },
    );
    let message = boards.is_empty().then(|| match cut {
        0 => "no board".to_owned(),
        _ => "no whole board: the edge of the picture cuts it".to_owned(),
    });
    Ok(Entry {
        key: task.key.clone(),
        state,
        boards,
        cut,
        left_out: found.left_out,
        message,
        limits: Limits::new(),
    })
}

/// Writes all documents from the journal, in the order of the inputs; `new` are the keys of the pages that this run read.
fn write_documents(
    args: &BatchArgs,
    plan: &Plan,
    new: &HashSet<&str>,
    output: &OutputFolder,
    formats: &[Format],
    journal: &mut Journal,
    recognizer: &Recognizer,
) -> anyhow::Result<Summary> {
    let mut summary = Summary::new(plan);
    let mut texts: BTreeMap<&str, _> = BTreeMap::new();
    for format in formats {
        if *format != Format::Html {
            texts.insert(format.file_name(), output.create(format.file_name())?);
        }
    }
    let mut put = |format: Format, text: &str| -> anyhow::Result<()> {
        match texts.get_mut(format.file_name()) {
            Some(document) => document
                .write_all(text.as_bytes())
                .with_context(|| format!("cannot write {}", format.file_name())),
            None => Ok(()),
        }
    };
    put(Format::Csv, &report::csv_header())?;
    let mut html = HtmlReport::new(title(plan), job_id(plan));
    let mut numbers: BTreeMap<Option<usize>, Counter> = BTreeMap::new();

    let sets = piece_sets(plan, args, journal)?;
    let mut faults = plan.faults.iter().peekable();
    let mut report_faults =
        |before: usize,
         summary: &mut Summary,
         html: &mut HtmlReport,
         put: &mut dyn FnMut(Format, &str) -> anyhow::Result<()>| {
            while let Some(input) = faults.next_if(|input| input.input < before) {
                summary.add_fault(input);
                let message = input.error.to_string();
                put(
                    Format::Jsonl,
                    &format!(
                        "{}\n",
                        json!({ "type": "error", "source": { "path": input.name, "page": null }, "message": message, "hint": input.error.hint() })
                    ),
                )?;
                html.others.push(OtherInput {
                    path: input.name.clone(),
                    page: None,
                    message,
                });
            }
            anyhow::Ok(())
        };
    for task in &plan.tasks {
        report_faults(task.input, &mut summary, &mut html, &mut put)?;
        let entry = journal.read(&task.key)?;
        summary.add_page(task, &entry, new.contains(task.key.as_str()));
        if let Some(message) = &entry.message {
            let kind = if entry.state == State::Failed {
                "error"
            } else {
                "no_board"
            };
            put(
                Format::Jsonl,
                &format!(
                    "{}\n",
                    json!({ "type": kind, "source": { "path": task.name, "page": task.page, "sha256": task.sha256 }, "message": message })
                ),
            )?;
            html.others.push(OtherInput {
                path: task.name.clone(),
                page: task.page,
                message: message.clone(),
            });
        }
        // Diagrams are counted through a document; picture files together are one.
        let document = task.page.map(|_| task.input);
        let book = book_of(task, args).and_then(|book| sets.get(&book));
        let counter = numbers.entry(document).or_default();
        if task.page.is_some_and(|page| page != counter.pages + 1)
            || entry.state == State::Failed
            || entry.left_out > 0
        {
            counter.boards = None;
        }
        counter.pages = task.page.unwrap_or(0);
        let (boards, uncounted) = settled(entry.boards, args, counter, book);
        summary.add_uncounted(task, &uncounted);
        for board in &boards {
            let record = &board.record;
            summary.add_board(task, record, boards.len() == 1);
            put(
                Format::Jsonl,
                &format!("{}\n", serde_json::to_string(record)?),
            )?;
            put(Format::Fen, &report::fen_line(record))?;
            put(Format::Epd, &report::epd_line(record))?;
            put(Format::Pgn, &report::pgn_game(record))?;
            put(Format::Csv, &report::csv_row(record))?;
            let (size, quad) = match &board.crop {
                Some(crop) => (crop.size, crop.quad),
                None => ([8, 8], Quad::rectangle(0.0, 0.0, 8.0, 8.0)),
            };
            html.add(record, size, &quad);
        }
    }
    report_faults(usize::MAX, &mut summary, &mut html, &mut put)?;

    for (_, document) in texts {
        document.finish()?;
    }
    if formats.contains(&Format::Html) {
        let mut document = output.create(Format::Html.file_name())?;
        html.write(&mut document, pictures(plan, journal))
            .context("cannot write report.html")?;
        document.finish()?;
    }
    let mut document = output.create(SUMMARY)?;
    writeln!(
        document,
        "{}",
        serde_json::to_string_pretty(&summary.json(recognizer))?
    )
    .context("cannot write summary.json")?;
    document.finish()?;
    Ok(summary)
}

/// The pictures of all boards in the order of the documents.
fn pictures<'a>(
    plan: &'a Plan,
    journal: &'a mut Journal,
) -> impl Iterator<Item = std::io::Result<String>> + 'a {
    plan.tasks
        .iter()
        .flat_map(move |task| match journal.read(&task.key) {
            Ok(entry) => entry
                .boards
                .into_iter()
                .map(|board| Ok(board.crop.map(|crop| crop.jpeg).unwrap_or_default()))
                .collect(),
            Err(error) => vec![Err(std::io::Error::other(format!("{error:#}")))],
        })
}

/// Boards of a book from which its pieces are learned: enough for the rarest, a queen on a light square.
const LEARN_FROM: usize = 150;

/// The book that a page belongs to: a document, or all picture files together when the user says so.
fn book_of(task: &Task, args: &BatchArgs) -> Option<Option<usize>> {
    match task.page {
        Some(_) => Some(Some(task.input)),
        None => args.one_book.then_some(None),
    }
}

/// What the pieces of each book look like.
fn piece_sets(
    plan: &Plan,
    args: &BatchArgs,
    journal: &mut Journal,
) -> anyhow::Result<BTreeMap<Option<usize>, PieceSet>> {
    let mut sets: BTreeMap<Option<usize>, (usize, PieceSet)> = BTreeMap::new();
    for task in &plan.tasks {
        let Some(book) = book_of(task, args) else {
            continue;
        };
        let (learned, set) = sets.entry(book).or_default();
        if *learned >= LEARN_FROM {
            continue;
        }
        for board in journal.read(&task.key)?.boards {
            if let Some(pictures) = square_pictures(&board) {
                set.learn(&board.record, &pictures);
                *learned += 1;
            }
        }
    }
    Ok(sets
        .into_iter()
        .map(|(book, (_, set))| (book, set))
        .collect())
}

fn square_pictures(board: &Board) -> Option<SquarePictures> {
    let crop = board.crop.as_ref()?;
    SquarePictures::new(&crop.picture()?, &crop.quad)
}

/// Counts the diagrams of a document for the rule of the side to move.
#[derive(Debug)]
struct Counter {
    /// The last page, from 1.
    pages: usize,
    /// The number of the last diagram; `None` after a page whose diagrams are not known, until one has its number printed.
    boards: Option<u32>,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            pages: 0,
            boards: Some(0),
        }
    }
}

/// What the whole document adds to the boards of a page: the look of its pieces, and the rule for the side to move. With
/// the boards come the numbers on the page of those whose side to move the rule leaves open as they are not counted.
fn settled(
    mut boards: Vec<Board>,
    args: &BatchArgs,
    counter: &mut Counter,
    book: Option<&PieceSet>,
) -> (Vec<Board>, Vec<usize>) {
    if let Some(set) = book {
        let enough = args.known.min_confidence.unwrap_or(img2fen::MIN_CONFIDENCE);
        for board in boards
            .iter_mut()
            .filter(|board| PieceSet::can_help(&board.record))
        {
            if let Some(pictures) = square_pictures(board) {
                set.settle(&mut board.record, &pictures, enough);
            }
        }
    }
    let mut uncounted = Vec::new();
    let Some(rule) = &args.turn_rule else {
        return (boards, uncounted);
    };
    let quads: Vec<Quad> = boards.iter().map(|board| board.record.quad).collect();
    for (index, board) in boards.iter_mut().enumerate() {
        let record = &mut board.record;
        let printed = record.caption.as_ref().and_then(|caption| caption.number);
        let number = printed.or(counter.boards.map(|number| number.saturating_add(1)));
        counter.boards = number;
        if record.fields.turn.provenance == Provenance::Read {
            continue;
        }
        match rule.turn(number, index, &quads) {
            Turn::Is(turn) => {
                let mut fields = record.fields;
                fields.turn.value = turn;
                fields.turn.provenance = Provenance::Given;
                record.set_fields(fields);
            }
            Turn::NeedsNumber => uncounted.push(record.source.board),
            Turn::Open => {}
        }
    }
    (boards, uncounted)
}

fn title(plan: &Plan) -> String {
    let mut names: Vec<&str> = plan.tasks.iter().map(|task| task.name.as_str()).collect();
    names.dedup();
    match names[..] {
        [] => "img2fen: no input".to_owned(),
        [only] => format!("img2fen: {only}"),
        [first, ..] => format!("img2fen: {first} and {} more", names.len() - 1),
    }
}

/// Tells reports apart in the browser: the same readings have the same name.
fn job_id(plan: &Plan) -> String {
    let keys: Vec<&str> = plan.tasks.iter().map(|task| task.key.as_str()).collect();
    plan::key(&keys)
}
