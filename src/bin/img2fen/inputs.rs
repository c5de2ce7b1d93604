//! The files that a batch reads: folders walked, patterns expanded, documents told from pictures.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use img2fen::input::DocumentKind;
use img2fen::{Error, ErrorKind};
use walkdir::WalkDir;

use crate::ui::excerpt;

/// Endings of files that are taken from a folder; files that are named are always tried.
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

/// An argument that no file is meant by.
#[derive(Debug)]
pub struct Nothing {
    /// The argument as it was given.
    pub argument: PathBuf,
    /// Why there is no file.
    pub error: Error,
}

/// The files meant by the arguments, each once, in the order of the arguments and by name within a folder. A folder or
/// a pattern without any file stands in its place as an error; a name is a file whether it is there or not.
pub fn expand(arguments: &[PathBuf], recursive: bool) -> Vec<Result<PathBuf, Nothing>> {
    let mut seen = HashSet::new();
    let mut inputs = Vec::new();
    for argument in arguments {
        let found = if argument.is_dir() {
            files_in(argument, recursive)
        } else if !argument.exists() && is_pattern(argument.as_os_str()) {
            matching(argument)
        } else {
            Ok(vec![argument.clone()])
        };
        match found {
            Ok(files) => {
                let new = files.into_iter().filter(|file| seen.insert(file.clone()));
                inputs.extend(new.map(Ok));
            }
            Err(error) => inputs.push(Err(Nothing {
                argument: argument.clone(),
                error,
            })),
        }
    }
    inputs
}

/// The pictures and documents of a folder.
fn files_in(folder: &Path, recursive: bool) -> Result<Vec<PathBuf>, Error> {
    std::fs::read_dir(folder).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot read the folder: {error}"))
            .with_hint("check the folder's permissions")
            .with_source(error)
    })?;
    let found = walk(folder, if recursive { usize::MAX } else { 1 }, |path| {
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        ENDINGS.contains(&ending.as_str())
    });
    if !found.is_empty() {
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

fn is_pattern(text: &OsStr) -> bool {
    text.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// Files that fit a pattern such as `scans/**/*.png`.
fn matching(pattern: &Path) -> Result<Vec<PathBuf>, Error> {
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
    let found: Vec<PathBuf> = walk(root, usize::MAX, |path| matcher.is_match(strip(path)))
        .iter()
        .map(|path| strip(path))
        .collect();
    if found.is_empty() {
        let error = Error::new(ErrorKind::InvalidArgument, "the pattern matches no file");
        return Err(error.with_hint("check the folder and the ending; `**` stands for any folders"));
    }
    Ok(found)
}

fn walk(root: &Path, depth: usize, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = WalkDir::new(root).max_depth(depth).sort_by(|a, b| {
        natural(
            a.file_name().to_string_lossy().as_ref(),
            b.file_name().to_string_lossy().as_ref(),
        )
    });
    entries
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file() && wanted(entry.path()))
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
            let files = expand(arguments, recursive);
            files
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
            let found = expand(&[root.join("a.png"), argument.clone()], recursive);
            assert_eq!(found.len(), 2);
            assert_eq!(found[0].as_ref().unwrap(), &root.join("a.png"));
            let nothing = found[1].as_ref().unwrap_err();
            assert_eq!(nothing.argument, argument);
            let message = nothing.error.to_string();
            assert!(message.starts_with(reason), "{message}");
            assert!(nothing.error.hint().is_some());
        }
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
