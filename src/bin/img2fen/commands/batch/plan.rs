//! What a batch has to read: the pages of all inputs, each with the key under which the journal knows it.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use img2fen::wording::counted;
use img2fen::{Error, ErrorKind, PictureFile, Recognizer};
use sha2::{Digest, Sha256};

use super::{BatchArgs, limits, pdf_limits};
use crate::args::CommonArgs;
use crate::djvu;
use crate::exit::Exit;
use crate::inputs::{self, Inputs, Kind};
use crate::journal::{Index, Options, State};
use crate::pdf_process::PdfProcess;
use crate::readings::Boards;
use crate::ui::{Ui, place};

/// One page to read.
#[derive(Debug, Clone)]
pub struct Task {
    /// The file.
    pub file: PathBuf,
    /// The name to call it by: as it was given.
    pub name: String,
    /// How it is opened.
    pub kind: Kind,
    /// Page of a document, from 1.
    pub page: Option<usize>,
    /// SHA-256 of the file.
    pub sha256: String,
    /// What the file was when its SHA-256 was taken.
    pub version: FileVersion,
    /// Key in the journal.
    pub key: String,
    /// Which input it belongs to.
    pub input: usize,
}

impl Task {
    /// `book.pdf, page 3`, or the name of a picture file.
    pub fn place(&self) -> String {
        place(&self.name, self.page)
    }

    /// The key of the page when it is read with these options.
    fn key_with(&self, options: &Options) -> String {
        key(&[
            &options_key(options),
            &self.name,
            &self.sha256,
            &format!("{:?}", self.page),
        ])
    }
}

/// Tells whether a file is still the one it was, without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileVersion {
    length: u64,
    modified: Option<SystemTime>,
}

impl FileVersion {
    fn of(metadata: &Metadata) -> Self {
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }

    /// What has become of the file since; `None` when nothing has.
    pub fn change(self, file: &Path) -> Option<Error> {
        let message = match std::fs::metadata(file) {
            Ok(now) if now.is_file() && Self::of(&now) == self => return None,
            Ok(now) if now.is_file() => "changed while it was read",
            Ok(_) => "was replaced by something that is no file while it was read",
            Err(_) => "was removed while it was read",
        };
        Some(
            Error::new(ErrorKind::Io, message)
                .with_hint("run again with `--retry-failed` when nothing writes to it any more"),
        )
    }
}

/// What is wrong with an input as a whole: it could not be opened, or holds less than it should.
#[derive(Debug)]
pub struct Fault {
    /// The name to call it by: as it was given.
    pub name: String,
    /// Which input it is.
    pub input: usize,
    /// What is wrong.
    pub error: Error,
}

/// What comes of the arguments before anything is read.
#[derive(Debug, Default)]
pub struct Plan {
    /// The pages, in the order of the inputs.
    pub tasks: Vec<Task>,
    /// The inputs that have none, and those that may have had more.
    pub faults: Vec<Fault>,
    /// Number of inputs.
    pub inputs: usize,
    /// What the user should know of inputs that are read.
    pub remarks: Vec<String>,
    /// What the readings depend on beside the inputs.
    pub options: Options,
}

impl Plan {
    /// Lists the pages of all inputs.
    pub fn new(
        inputs: Inputs,
        args: &BatchArgs,
        common: &CommonArgs,
        recognizer: &Recognizer,
    ) -> Self {
        let mut plan = Self {
            inputs: inputs.found.len(),
            options: options(args, common, recognizer),
            remarks: inputs.remarks(),
            ..Self::default()
        };
        for (input, found) in inputs.found.into_iter().enumerate() {
            let (name, pages) = match found {
                Ok(file) => (
                    file.display().to_string(),
                    Pages::of(&file, args, common).map(|pages| (file, pages)),
                ),
                Err(nothing) => (nothing.argument.display().to_string(), Err(nothing.error)),
            };
            match pages {
                Ok((file, pages)) => plan.add(input, &file, &name, pages),
                Err(error) => plan.faults.push(Fault { name, input, error }),
            }
        }
        plan
    }

    /// How a run ends that has no page to read.
    pub fn exit_without_pages(&self) -> Exit {
        exit_of_faults(self.faults.iter().map(|fault| &fault.error))
    }

    fn add(&mut self, input: usize, file: &Path, name: &str, pages: Pages) {
        let remark = pages.remark.map(|remark| format!("{name}: {remark}"));
        self.remarks.extend(remark);
        self.faults.extend(pages.damage.map(|error| Fault {
            name: name.to_owned(),
            input,
            error,
        }));
        for page in pages.wanted {
            let mut task = Task {
                file: file.to_owned(),
                name: name.to_owned(),
                kind: pages.kind,
                page,
                sha256: pages.sha256.clone(),
                version: pages.version,
                key: String::new(),
                input,
            };
            task.key = task.key_with(&self.options);
            self.tasks.push(task);
        }
    }

    /// Says what is wrong with inputs, and what the user should know of the others.
    pub fn tell(&self, ui: &Ui) {
        for fault in &self.faults {
            let message = format!("{}: {}", fault.name, fault.error);
            ui.error(&message, fault.error.hint());
        }
        for remark in &self.remarks {
            ui.note(remark);
        }
    }

    /// The pages that have to be read.
    pub fn open(&self, journal: &Index, args: &BatchArgs, common: &CommonArgs) -> Vec<&Task> {
        let now = limits(args, common);
        let is_open = |task: &&Task| match journal.state(&task.key) {
            None => true,
            Some(_) if args.no_resume => true,
            Some(State::Failed) => {
                args.retry_failed || !raised(journal.limits(&task.key), &now).is_empty()
            }
            Some(_) => false,
        };
        self.tasks.iter().filter(is_open).collect()
    }

    /// Says that the documents of the folder stand for this run alone, where an earlier one has put other boards there.
    pub fn tell_what_drops_out(&self, earlier: &Boards, ui: &Ui) {
        let page = |task: &Task| (task.name.clone(), task.page);
        let pages = self.tasks.iter().map(page).collect();
        if let Some((count, example)) = earlier.elsewhere(&pages) {
            let place = place(&example.path, example.page);
            let boards = counted(count, "board");
            let verb = if count == 1 { "is" } else { "are" };
            ui.note(&format!(
                "the documents are those of this run alone: {boards} of an earlier one {verb} no longer in them, such as from \
                 {place}; name all inputs together, or another folder"
            ));
        }
    }

    /// Says why pages are read again that were finished with the options of the last run, or failed with lower limits.
    pub fn tell_what_is_read_again(
        &self,
        open: &[&Task],
        journal: &Index,
        args: &BatchArgs,
        common: &CommonArgs,
        ui: &Ui,
    ) {
        let are_read = |count: usize, what: &str, reasons: &[String]| {
            let verb = if count == 1 { "is" } else { "are" };
            let (pages, reasons) = (counted(count, what), reasons.join("; "));
            ui.note(&format!("{pages} {verb} read again: {reasons}"));
        };
        let before = journal.options();
        let options = self.options.iter();
        let changes: Vec<String> = options
            .filter_map(|(name, value)| {
                let (_, old) = before.iter().find(|(old_name, _)| old_name == name)?;
                (old != value).then(|| format!("{name} is {value}, was {old}"))
            })
            .collect();
        let earlier = |task: &&&Task| match journal.state(&task.key) {
            None => journal.state(&task.key_with(before)),
            Some(_) => None,
        };
        let all = open.iter().filter(|task| earlier(task).is_some()).count();
        let failed = open
            .iter()
            .filter(|task| earlier(task) == Some(State::Failed))
            .count();
        for (count, what) in [(all - failed, "finished page"), (failed, "failed page")] {
            if count > 0 {
                are_read(count, what, &changes);
            }
        }
        let now = limits(args, common);
        let reasons: Vec<Vec<String>> = open
            .iter()
            .map(|task| raised(journal.limits(&task.key), &now))
            .filter(|reasons| !reasons.is_empty())
            .collect();
        if !reasons.is_empty() {
            let mut different = reasons.concat();
            different.sort();
            different.dedup();
            are_read(reasons.len(), "failed page", &different);
        }
    }

    /// Says how pages that failed in an earlier run, and are not read in this one, are read again.
    pub fn tell_of_failed(&self, open: &[&Task], journal: &Index, ui: &Ui) {
        let failed = |task: &&Task| journal.state(&task.key) == Some(State::Failed);
        let all = self.tasks.iter().filter(failed).count();
        let read = open.iter().copied().filter(failed).count();
        if all > read {
            let pages = counted(all - read, "page");
            ui.note(&format!(
                "{pages} failed in an earlier run; `--retry-failed` reads what failed again"
            ));
        }
    }
}

/// How a run ends that has nothing but these errors: wrong usage, unless a file is at fault.
pub fn exit_of_faults<'a>(mut errors: impl Iterator<Item = &'a Error>) -> Exit {
    if errors.all(|error| error.kind() == ErrorKind::InvalidArgument) {
        Exit::Usage
    } else {
        Exit::InputFailed
    }
}

/// The limits that are higher than they were when a page went over one of them.
fn raised(before: &[(String, u64)], now: &[(String, u64)]) -> Vec<String> {
    before
        .iter()
        .filter_map(|(name, old)| {
            let (_, value) = now.iter().find(|(other, _)| other == name)?;
            (value > old).then(|| format!("{name} is {value}, was {old}"))
        })
        .collect()
}

/// The wanted pages of a file.
#[derive(Debug)]
struct Pages {
    kind: Kind,
    sha256: String,
    version: FileVersion,
    /// Numbers from 1; `None` for a picture file of one page.
    wanted: Vec<Option<usize>>,
    remark: Option<String>,
    /// Why there may have been more pages.
    damage: Option<Error>,
}

impl Pages {
    /// # Errors
    /// When the file cannot be read, is over a limit, or has none of the wanted pages.
    fn of(file: &Path, args: &BatchArgs, common: &CommonArgs) -> img2fen::Result<Self> {
        let io = |error: std::io::Error| {
            let hint = match error.kind() {
                std::io::ErrorKind::NotFound if file.is_symlink() => "the link leads to no file",
                std::io::ErrorKind::NotFound => "check the name",
                std::io::ErrorKind::PermissionDenied => "check the file's permissions",
                _ => "check that the file can be read",
            };
            Error::new(ErrorKind::Io, format!("cannot read the file: {error}"))
                .with_hint(hint)
                .with_source(error)
        };
        let metadata = std::fs::metadata(file).map_err(io)?;
        if !metadata.is_file() {
            return Err(img2fen::input::is_no_file());
        }
        let kind = inputs::kind_of(file).map_err(io)?;
        let (most, flag) = match kind {
            Kind::Picture | Kind::Tiff => (common.limits().max_file_bytes, "--max-file-size"),
            Kind::Pdf | Kind::Djvu => (args.max_pdf_size, "--max-pdf-size"),
        };
        let exceeded = |message: String, flag: &str| {
            Error::new(ErrorKind::LimitExceeded, message).with_hint(format!("raise `{flag}`"))
        };
        if metadata.len() > most {
            let bytes = counted(metadata.len(), "byte");
            return Err(exceeded(format!("has {bytes}, the limit is {most}"), flag));
        }
        let mut pages = Self {
            kind,
            sha256: sha256_of(file).map_err(io)?,
            version: FileVersion::of(&metadata),
            wanted: vec![None],
            remark: None,
            damage: None,
        };
        let count = match kind {
            Kind::Picture => return Ok(pages),
            Kind::Tiff => PictureFile::open(file, &common.limits())?.page_count(),
            Kind::Pdf => {
                let (count, damage) = PdfProcess::new(file, pdf_limits(args, common)).pages()?;
                pages.damage = damage;
                count
            }
            Kind::Djvu => djvu::page_count(file, common.limits().max_time)?,
        };
        let has = format!("has {}", counted(count, "page"));
        if count > args.max_pages {
            let message = format!("{has}, the limit is {}", args.max_pages);
            return Err(exceeded(message, "--max-pages"));
        }
        let wanted = |page: &usize| {
            args.pages
                .as_ref()
                .is_none_or(|pages| pages.contains(*page))
        };
        pages.wanted = (1..=count).filter(wanted).map(Some).collect();
        if let Some(ranges) = &args.pages {
            if pages.wanted.is_empty() {
                if let Some(damage) = pages.damage {
                    return Err(damage);
                }
                let message = format!("{has}; `--pages {ranges}` asks for none of them");
                return Err(Error::new(ErrorKind::InvalidArgument, message).with_hint(
                    "pages are counted from 1 through the file, whatever is printed on them",
                ));
            }
            if ranges.reach_beyond(count) {
                pages.remark = Some(format!("{has}; `--pages {ranges}` asks for more"));
            }
        }
        // A TIFF of one page is a picture file like others.
        if kind == Kind::Tiff && count == 1 {
            pages.wanted = vec![None];
        }
        Ok(pages)
    }
}

fn sha256_of(file: &Path) -> std::io::Result<String> {
    let mut file = File::open(file)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(&buffer[..length]);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A hash of parts, none of which can pass for another.
pub fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize()[..16])
}

fn options_key(options: &Options) -> String {
    let parts: Vec<&str> = options
        .iter()
        .flat_map(|(name, value)| [name.as_str(), value])
        .collect();
    key(&parts)
}

/// Everything but the input that what is read of a page depends on. Not the time: a page that was read in time is
/// read, whatever the time was.
fn options(args: &BatchArgs, common: &CommonArgs, recognizer: &Recognizer) -> Options {
    let mut options = vec![
        ("img2fen", crate::version::VERSION.to_owned()),
        ("the set of networks", img2fen::model_names().join(", ")),
        ("the engine", recognizer.engine().to_string()),
    ];
    options.extend(args.known.values());
    options.push(("`--dpi`", args.dpi.to_string()));
    options.push(("`--max-page-pixels`", args.max_page_pixels.to_string()));
    options.extend(common.size_limits());
    let owned = options.into_iter();
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
