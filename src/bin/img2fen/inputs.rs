//! The files that a batch reads: folders walked, patterns expanded, documents told from pictures.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use img2fen::input::DocumentKind;
use img2fen::wording::counted;
use img2fen::{Error, ErrorKind};
use walkdir::WalkDir;

use crate::ui::excerpt;

/// Endings of files that are taken from a folder; files that are named are always tried. The help of `batch` lists them.
const ENDINGS: [&str; 15] = [
    "bmp", "djv", "djvu", "gif", "jpeg", "jpg", "pbm", "pdf", "pgm", "png", "pnm", "ppm", "tif",
    "tiff", "webp",
];

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Pages of a PDF.
    Pdf,
    /// Pages of a DjVu document.
    Djvu,
    /// Pages of a TIFF.
    Tiff,
    /// One picture.
    Picture,
}

/// Tells the kind of a file by its first bytes.
pub fn kind_of(path: &Path) -> std::io::Result<Kind> {
    let start = DocumentKind::start_of(File::open(path)?)?;
    let is_tiff = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"]
        .iter()
        .any(|magic| start.starts_with(*magic));
    Ok(match DocumentKind::of(&start) {
        Some(DocumentKind::Pdf) => Kind::Pdf,
        Some(DocumentKind::Djvu) => Kind::Djvu,
        None if is_tiff => Kind::Tiff,
        None => Kind::Picture,
    })
}

/// What was given, or is in a folder, but stands for no file.
#[derive(Debug)]
pub struct Nothing {
    /// The argument as it was given, or the name in a folder.
    pub argument: PathBuf,
    /// Why there is no file.
    pub error: Error,
}

/// A file to read, or what stands in its place.
pub type Found = Result<PathBuf, Nothing>;

/// Another name of a file that is an input already.
#[derive(Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The name that came later.
    pub name: PathBuf,
    /// The name under which the file is read.
    pub first: PathBuf,
}

/// The files that a batch reads.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Each file once, in the order of the arguments and by name within a folder. What stands for no file is an error
    /// in its place.
    pub found: Vec<Found>,
    /// The other names of these files that were given or met in folders.
    pub repeated: Vec<Repeated>,
    /// What is in the folders under an ending that is not read; names that begin with a dot do not count.
    pub passed_over: Vec<PathBuf>,
    /// Folders in the folders that were named, into which nobody looked.
    pub folders: Vec<PathBuf>,
}

/// What tells a file from all others, whatever it is called.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    /// Device and number on it.
    #[cfg(unix)]
    Node(u64, u64),
    /// The path without links, or as it was given when there is no file.
    Path(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = std::fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Self::Node(metadata.dev(), metadata.ino());
        }
        Self::Path(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }
}

impl Inputs {
    /// The files meant by the arguments. A folder or a pattern without any file is an error; a name is a file whether it
    /// is there or not.
    pub fn of(arguments: &[PathBuf], recursive: bool) -> Self {
        let mut inputs = Self::default();
        let mut names = HashSet::new();
        let mut files = HashMap::new();
        for argument in arguments {
            let found = if argument.as_os_str() == "-" {
                let message = "a batch reads files, not standard input";
                Err(Error::new(ErrorKind::InvalidArgument, message)
                    .with_hint("save it as a file; one picture is read by `img2fen -`"))
            } else if argument.is_dir() {
                inputs.files_in(argument, recursive)
            } else if !argument.exists() && is_pattern(argument.as_os_str()) {
                matching(argument)
            } else {
                Ok(vec![Ok(argument.clone())])
            };
            let nothing = |error| {
                let argument = argument.clone();
                vec![Err(Nothing { argument, error })]
            };
            for found in found.unwrap_or_else(nothing) {
                let Ok(name) = &found else {
                    inputs.found.push(found);
                    continue;
                };
                // The same name again, as in `scans/a.png scans`, goes without saying.
                if !names.insert(name.clone()) {
                    continue;
                }
                match files.entry(Identity::of(name)) {
                    Entry::Vacant(place) => {
                        place.insert(name.clone());
                        inputs.found.push(found);
                    }
                    Entry::Occupied(place) => inputs.repeated.push(Repeated {
                        name: name.clone(),
                        first: place.get().clone(),
                    }),
                }
            }
        }
        inputs.passed_over.retain(|name| names.insert(name.clone()));
        inputs
    }

    /// Leaves files out of the count of those passed over that a person knows are not meant.
    pub fn leave_unsaid(&mut self, is_known: impl Fn(&Path) -> bool) {
        self.passed_over.retain(|name| !is_known(name));
        self.folders.retain(|name| !is_known(name));
    }

    /// What a person should know of names behind which nothing is read: a line for each kind.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.passed_over.is_empty() {
            remarks.push(format!(
                "{} passed over for the ending (read when named): {}",
                counted(self.passed_over.len(), "file"),
                examples(&self.passed_over, |name| name.display().to_string())
            ));
        }
        if !self.folders.is_empty() {
            remarks.push(format!(
                "{} passed over (`--recursive` looks into folders): {}",
                counted(self.folders.len(), "folder"),
                examples(&self.folders, |name| name.display().to_string())
            ));
        }
        if !self.repeated.is_empty() {
            let is =
                |other: &Repeated| format!("{} is {}", other.name.display(), other.first.display());
            remarks.push(format!(
                "{} passed over as read already: {}",
                counted(self.repeated.len(), "name"),
                examples(&self.repeated, is)
            ));
        }
        remarks
    }

    /// The pictures and documents of a folder.
    fn files_in(&mut self, folder: &Path, recursive: bool) -> Result<Vec<Found>, Error> {
        std::fs::read_dir(folder).map_err(folder_error)?;
        let mut found = Vec::new();
        for entry in walk(folder, if recursive { usize::MAX } else { 1 }) {
            match entry {
                Ok(name) if !has_known_ending(&name) => {
                    if !is_hidden(&name) {
                        self.passed_over.push(name);
                    }
                }
                entry => found.push(entry),
            }
        }
        if !found.is_empty() {
            if !recursive {
                self.folders.extend(folders_in(folder));
            }
            return Ok(found);
        }
        let (message, hint) = if recursive {
            (
                "there are no pictures, PDF or DjVu files in this folder and those in it",
                "name another folder, or the files themselves",
            )
        } else {
            (
                "there are no pictures, PDF or DjVu files in this folder",
                "`--recursive` looks into the folders in it too",
            )
        };
        Err(Error::new(ErrorKind::InvalidArgument, message).with_hint(hint))
    }
}

fn has_known_ending(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    ENDINGS.contains(&ending.to_lowercase().as_str())
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// The first few, and how many there are beside them.
fn examples<T>(all: &[T], name: impl Fn(&T) -> String) -> String {
    const MOST: usize = 3;
    let mut parts: Vec<String> = all.iter().take(MOST).map(name).collect();
    if all.len() > MOST {
        parts.push(format!("and {} more", all.len() - MOST));
    }
    parts.join(", ")
}

fn folder_error(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot read the folder: {error}"))
        .with_hint("check the folder's permissions")
        .with_source(error)
}

fn is_pattern(text: &OsStr) -> bool {
    text.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// Files that fit a pattern such as `scans/**/*.png`.
fn matching(pattern: &Path) -> Result<Vec<Found>, Error> {
    let text = pattern.to_string_lossy();
    let glob = GlobBuilder::new(&text).literal_separator(true).build();
    let glob = glob.map_err(|error| {
        let message = format!("is no pattern: {}", error.kind());
        Error::new(ErrorKind::InvalidArgument, message)
            .with_hint("patterns are written as `scans/*.png` or `scans/**/*.{png,jpg}`")
    })?;
    let matcher = glob.compile_matcher();
    let fixed: PathBuf = pattern
        .components()
        .take_while(|part| !is_pattern(part.as_os_str()))
        .collect();
    let is_here = fixed.as_os_str().is_empty();
    let root = if is_here { Path::new(".") } else { &fixed };
    let strip = |path: &Path| {
        if is_here {
            path.strip_prefix(".").unwrap_or(path).to_owned()
        } else {
            path.to_owned()
        }
    };
    // A folder that the pattern cannot mean is not looked into, so that it may be closed to us.
    let depth = match text.contains("**") {
        true => usize::MAX,
        false => pattern.components().count() - fixed.components().count(),
    };
    let found: Vec<_> = walk(root, depth)
        .map(|found| found.map(|path| strip(&path)))
        .filter(|found| found.as_ref().map_or(true, |path| matcher.is_match(path)))
        .collect();
    if found.is_empty() {
        let error = Error::new(ErrorKind::InvalidArgument, "the pattern matches no file");
        return Err(error.with_hint("check the folder and the ending; `**` stands for any folders"));
    }
    Ok(found)
}

/// Whatever in a folder is no folder itself: a pipe or a link to nothing must not go unsaid, so it is left to the reader
/// to refuse it. A folder that cannot be read is an error in its place; links to folders are not followed.
fn walk(root: &Path, depth: usize) -> impl Iterator<Item = Found> {
    let entries = WalkDir::new(root).max_depth(depth).sort_by(|a, b| {
        natural(
            a.file_name().to_string_lossy().as_ref(),
            b.file_name().to_string_lossy().as_ref(),
        )
    });
    entries.into_iter().filter_map(|entry| match entry {
        Ok(entry) if entry.path().is_dir() => None,
        Ok(entry) => Some(Ok(entry.into_path())),
        // The root itself is told as an argument that stands for no file.
        Err(error) if error.depth() == 0 => None,
        Err(error) => Some(Err(Nothing {
            argument: error.path().unwrap_or(Path::new("")).to_owned(),
            error: folder_error(error.into()),
        })),
    })
}

/// The folders in a folder, but for hidden ones.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).min_depth(1).max_depth(1);
    let entries = entries
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok);
    entries
        .filter(|entry| entry.path().is_dir() && !is_hidden(entry.path()))
        .map(walkdir::DirEntry::into_path)
        .collect()
}

/// Order of names in which numbers count as numbers: `page2` before `page10`.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a_rest, mut b_rest) = (a, b);
    loop {
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (a_digits, b_digits) = (digits(a_rest), digits(b_rest));
        let order = if a_digits > 0 && b_digits > 0 {
            let value =
                |text: &str, length: usize| text[..length].trim_start_matches('0').to_owned();
            let (x, y) = (value(a_rest, a_digits), value(b_rest, b_digits));
            let order = x.len().cmp(&y.len()).then_with(|| x.cmp(&y));
            (a_rest, b_rest) = (&a_rest[a_digits..], &b_rest[b_digits..]);
            order
        } else {
            let (mut x, mut y) = (a_rest.chars(), b_rest.chars());
            let order = match (x.next(), y.next()) {
                (None, None) => return a.cmp(b),
                (x, y) => x.cmp(&y),
            };
            (a_rest, b_rest) = (x.as_str(), y.as_str());
            order
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Pages named as `3-20,25,30-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRanges {
    /// As the user wrote them.
    text: String,
    /// First and last page of each; an open range ends at `usize::MAX`.
    ranges: Vec<(usize, usize)>,
}

impl std::str::FromStr for PageRanges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| match word.trim().parse::<usize>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!(
                "`{}` is no page number; pages are named as 3-20,25,30-",
                excerpt(word)
            )),
        };
        let ranges = text
            .split(',')
            .map(|part| match part.split_once('-') {
                None => number(part).map(|page| (page, page)),
                Some((first, last)) => {
                    let first = if first.trim().is_empty() {
                        1
                    } else {
                        number(first)?
                    };
                    let last = if last.trim().is_empty() {
                        usize::MAX
                    } else {
                        number(last)?
                    };
                    if first > last {
                        Err(format!("`{}` runs backwards", excerpt(part)))
                    } else {
                        Ok((first, last))
                    }
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            text: text.to_owned(),
            ranges,
        })
    }
}

impl std::fmt::Display for PageRanges {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl PageRanges {
    /// Whether a page is among them.
    pub fn contains(&self, page: usize) -> bool {
        self.ranges
            .iter()
            .any(|&(first, last)| (first..=last).contains(&page))
    }

    /// Whether they name a page beyond the last of `count` pages.
    pub fn reach_beyond(&self, count: usize) -> bool {
        self.ranges
            .iter()
            .any(|&(first, last)| first > count || (last > count && last != usize::MAX))
    }
}

/// Numbers in rising order as ranges: `1-3, 7, 9-12`; of many ranges the first, and how many numbers the others hold.
pub fn ranges(numbers: &[usize]) -> String {
    const MOST: usize = 10;
    let runs: Vec<&[usize]> = numbers.chunk_by(|a, b| a + 1 == *b).collect();
    let mut parts: Vec<String> = Vec::new();
    for run in runs.iter().take(MOST) {
        parts.push(match run {
            [first, .., last] => format!("{first}-{last}"),
            [only] => only.to_string(),
            [] => continue,
        });
    }
    let rest: usize = runs.iter().skip(MOST).map(|run| run.len()).sum();
    if rest > 0 {
        parts.push(format!("and {rest} more"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_with_numbers_as_numbers() {
        let mut names = [
            "page10.png",
            "page2.png",
            "page002b.png",
            "cover.png",
            "page2.jpg",
            "Page1.png",
        ];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            [
                "Page1.png",
                "cover.png",
                "page2.jpg",
                "page2.png",
                "page002b.png",
                "page10.png"
            ]
        );
    }

    #[test]
    fn page_ranges_are_closed_open_or_single() {
        let pages: PageRanges = "3-5,8,11-".parse().unwrap();
        let inside: Vec<usize> = (1..=13).filter(|page| pages.contains(*page)).collect();
        assert_eq!(inside, [3, 4, 5, 8, 11, 12, 13]);
        assert!("-2".parse::<PageRanges>().unwrap().contains(1));
        for (text, beyond) in [
            ("1-12", false),
            ("12", false),
            ("3-", false),
            ("1-13", true),
            ("13", true),
            ("13-", true),
            ("2,90-95", true),
        ] {
            let pages = text.parse::<PageRanges>().unwrap();
            assert_eq!(pages.reach_beyond(12), beyond, "{text}");
            assert_eq!(pages.to_string(), text);
        }
        for wrong in ["", "0", "a", "5-3", "1-2-3", "1,,2"] {
            assert!(wrong.parse::<PageRanges>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn folders_patterns_and_names_give_each_file_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("deep")).unwrap();
        for name in ["b2.png", "b10.PNG", "notes.txt", "deep/c.pdf"] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        let names = |arguments: &[PathBuf], recursive| -> Vec<String> {
            let inputs = Inputs::of(arguments, recursive);
            assert_eq!(inputs.repeated, []);
            let passed_over = ["notes.txt", "none/notes.txt"].map(|name| root.join(name));
            assert!(
                inputs
                    .passed_over
                    .iter()
                    .all(|name| passed_over.contains(name))
            );
            inputs
                .found
                .iter()
                .map(|file| file.as_ref().unwrap().strip_prefix(root).unwrap())
                .map(|file| file.display().to_string())
                .collect()
        };
        assert_eq!(names(&[root.to_owned()], false), ["b2.png", "b10.PNG"]);
        assert_eq!(
            names(&[root.join("notes.txt"), root.to_owned()], true),
            ["notes.txt", "b2.png", "b10.PNG", "deep/c.pdf"]
        );
        assert_eq!(
            names(&[root.join("**/*.p*")], false),
            ["b2.png", "deep/c.pdf"]
        );
    }

    #[test]
    fn folders_that_nobody_looks_into_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for deep in ["one", "two/three", ".hidden", "out"] {
            std::fs::create_dir_all(root.join(deep)).unwrap();
        }
        std::fs::write(root.join("a.png"), "x").unwrap();
        let remarks = |recursive| {
            let mut inputs = Inputs::of(&[root.to_owned()], recursive);
            inputs.leave_unsaid(|name| name.ends_with("out"));
            inputs.remarks()
        };
        let names = ["one", "two"].map(|name| root.join(name).display().to_string());
        let told = format!(
            "2 folders passed over (`--recursive` looks into folders): {}",
            names.join(", ")
        );
        assert_eq!(remarks(false), [told]);
        assert_eq!(remarks(true), Vec::<String>::new());
    }

    #[test]
    fn folders_and_patterns_without_a_file_are_named_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("empty/deep")).unwrap();
        std::fs::write(root.join("empty/notes.txt"), "x").unwrap();
        std::fs::write(root.join("a.png"), "x").unwrap();
        for (argument, recursive, reason) in [
            ("*.gif", false, "the pattern matches no file"),
            ("none/*.png", false, "the pattern matches no file"),
            ("[", false, "is no pattern: "),
            (
                "empty",
                false,
                "there are no pictures, PDF or DjVu files in this folder",
            ),
            (
                "empty",
                true,
                "there are no pictures, PDF or DjVu files in this folder and those in it",
            ),
        ] {
            let argument = root.join(argument);
            let found = Inputs::of(&[root.join("a.png"), argument.clone()], recursive).found;
            assert_eq!(found.len(), 2);
            assert_eq!(found[0].as_ref().unwrap(), &root.join("a.png"));
            let nothing = found[1].as_ref().unwrap_err();
            assert_eq!(nothing.argument, argument);
            let message = nothing.error.to_string();
            assert!(message.starts_with(reason), "{message}");
            assert!(nothing.error.hint().is_some());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_of_several_names_is_read_once_under_the_first_and_the_others_are_told() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("deep")).unwrap();
        std::fs::write(root.join("b.png"), "x").unwrap();
        std::fs::write(root.join("c.png"), "x").unwrap();
        std::fs::hard_link(root.join("b.png"), root.join("hard.png")).unwrap();
        symlink(root.join("b.png"), root.join("soft.png")).unwrap();
        let around = root.join("deep/../b.png");
        let arguments = [
            root.join("b.png"),
            around.clone(),
            root.to_owned(),
            around.clone(),
        ];
        let inputs = Inputs::of(&arguments, true);
        let found: Vec<_> = inputs
            .found
            .iter()
            .map(|file| file.as_ref().unwrap())
            .collect();
        assert_eq!(found, [&root.join("b.png"), &root.join("c.png")]);
        let names: Vec<_> = inputs.repeated.iter().map(|other| &other.name).collect();
        assert_eq!(
            names,
            [&around, &root.join("hard.png"), &root.join("soft.png")]
        );
        let b = root.join("b.png");
        assert!(inputs.repeated.iter().all(|other| other.first == b));
        let is_b: Vec<String> = names
            .iter()
            .map(|name| format!("{} is {}", name.display(), b.display()))
            .collect();
        let is_b = is_b.join(", ");
        assert_eq!(
            inputs.remarks(),
            [format!("3 names passed over as read already: {is_b}")]
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_a_folder_holds_under_a_wanted_ending_is_an_input_unless_it_is_a_folder() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("folder.png")).unwrap();
        std::fs::write(root.join("picture.png"), "x").unwrap();
        std::fs::write(root.join("notes.txt"), "x").unwrap();
        symlink("picture.txt", root.join("broken.png")).unwrap();
        symlink("notes.txt", root.join("link.png")).unwrap();
        symlink("folder.png", root.join("linked-folder.png")).unwrap();
        let pipe = std::process::Command::new("mkfifo")
            .arg(root.join("pipe.png"))
            .status();
        assert!(pipe.unwrap().success());
        for argument in [root.to_owned(), root.join("*.png")] {
            let inputs = Inputs::of(&[argument], false);
            let names: Vec<_> = inputs
                .found
                .iter()
                .map(|file| file.as_ref().unwrap().file_name().unwrap())
                .collect();
            assert_eq!(names, ["broken.png", "link.png", "picture.png", "pipe.png"]);
        }
    }

    #[test]
    fn what_ends_otherwise_in_a_folder_is_counted_with_examples() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join("a.png"), "x").unwrap();
        std::fs::write(root.join(".hidden"), "x").unwrap();
        let remarks = |arguments: &[&str]| {
            let paths: Vec<_> = arguments.iter().map(|name| root.join(name)).collect();
            let remarks = Inputs::of(&paths, false).remarks();
            let root = format!("{}/", root.display());
            remarks.iter().map(|line| line.replace(&root, "")).collect()
        };
        let none: Vec<String> = remarks(&[""]);
        assert_eq!(none, [""; 0]);
        std::fs::write(root.join("scan.heic"), "x").unwrap();
        let one: Vec<String> = remarks(&["", ""]);
        let words = "passed over for the ending (read when named)";
        assert_eq!(one, [format!("1 file {words}: scan.heic")]);
        // What is named is read, whatever it ends in.
        let named: Vec<String> = remarks(&["", "scan.heic"]);
        assert_eq!(named, [""; 0]);
        for name in ["10.txt", "9.txt", "b", "c.avif"] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        let many: Vec<String> = remarks(&[""]);
        assert_eq!(
            many,
            [format!("5 files {words}: 9.txt, 10.txt, b, and 2 more")]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_closed_folder_is_an_error_only_where_it_can_hold_a_file_that_is_meant() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let closed = root.join("closed");
        std::fs::create_dir(&closed).unwrap();
        std::fs::write(root.join("a.png"), "x").unwrap();
        std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
        // Who may read everything finds no closed folder.
        let is_closed = std::fs::read_dir(&closed).is_err();
        for (argument, recursive, is_met) in [
            ("", false, false),
            ("", true, true),
            ("*.png", false, false),
            ("**/*.png", false, true),
        ] {
            let found = Inputs::of(&[root.join(argument)], recursive).found;
            let errors: Vec<_> = found
                .iter()
                .filter_map(|found| found.as_ref().err())
                .collect();
            assert_eq!(errors.len(), usize::from(is_met && is_closed), "{argument}");
            for nothing in errors {
                assert_eq!(nothing.argument, closed);
                let message = "cannot read the folder: ";
                assert!(nothing.error.to_string().starts_with(message));
            }
        }
        std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o755)).unwrap();
    }

    #[test]
    fn the_help_names_the_endings_that_count_in_folders() {
        use clap::CommandFactory;
        let mut command = crate::args::Cli::command();
        let batch = command.find_subcommand_mut("batch").unwrap();
        let help = batch.render_long_help().to_string().replace('\n', " ");
        let words: Vec<&str> = help
            .split_whitespace()
            .map(|word| word.trim_end_matches([',', '.']))
            .filter(|word| word.starts_with('.'))
            .collect();
        assert_eq!(words, ENDINGS.map(|ending| format!(".{ending}")));
    }

    #[test]
    fn standard_input_is_no_file() {
        let inputs = Inputs::of(&[PathBuf::from("-")], false);
        let nothing = inputs.found[0].as_ref().unwrap_err();
        assert_eq!(nothing.error.kind(), ErrorKind::InvalidArgument);
        assert_eq!(
            nothing.error.to_string(),
            "a batch reads files, not standard input"
        );
    }

    #[test]
    fn numbers_are_named_as_ranges_and_many_ranges_are_counted() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[4], "4"),
            (&[1, 2], "1-2"),
            (&[1, 2, 3, 7, 9, 10], "1-3, 7, 9-10"),
        ] {
            assert_eq!(ranges(numbers), text);
        }
        let odd: Vec<usize> = (0..12).map(|number| 2 * number + 1).collect();
        assert_eq!(
            ranges(&odd),
            "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, and 2 more"
        );
    }

    #[test]
    fn documents_are_told_by_their_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        for (bytes, kind) in [
            (&b"junk\n%PDF-1.4"[..], Kind::Pdf),
            (b"AT&TFORMxxxxDJVU", Kind::Djvu),
            (b"MM\0*", Kind::Tiff),
            (b"II*\0", Kind::Tiff),
            (b"\x89PNG", Kind::Picture),
        ] {
            let path = folder.path().join("file");
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(kind_of(&path).unwrap(), kind);
        }
    }
}
