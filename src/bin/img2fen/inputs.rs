//! The files that a batch reads: folders walked, patterns expanded, documents told from pictures.

use std::cmp::Ordering;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
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
    let mut start = Vec::new();
    File::open(path)?.take(1024).read_to_end(&mut start)?;
    Ok(if start.windows(5).any(|window| window == b"%PDF-") {
        Kind::Pdf
    } else if start.starts_with(b"AT&TFORM") {
        Kind::Djvu
    } else if [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"]
        .iter()
        .any(|magic| start.starts_with(*magic))
    {
        Kind::Tiff
    } else {
        Kind::Picture
    })
}

/// The files meant by the arguments, each once, in the order of the arguments and by name within a folder.
pub fn expand(arguments: &[PathBuf], recursive: bool) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for argument in arguments {
        let found = if argument.is_dir() {
            walk(argument, if recursive { usize::MAX } else { 1 }, |path| {
                let ending = path
                    .extension()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .to_lowercase();
                ENDINGS.contains(&ending.as_str())
            })
        } else if !argument.exists() && argument.to_string_lossy().contains(['*', '?', '[', '{']) {
            matching(argument)
        } else {
            vec![argument.clone()]
        };
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    files
}

/// Files that fit a pattern such as `scans/**/*.png`; the pattern itself when none does, so that it is reported.
fn matching(pattern: &Path) -> Vec<PathBuf> {
    let text = pattern.to_string_lossy();
    let Ok(glob) = GlobBuilder::new(&text).literal_separator(true).build() else {
        return vec![pattern.to_owned()];
    };
    let matcher = glob.compile_matcher();
    let fixed: PathBuf = pattern
        .components()
        .take_while(|part| {
            !part
                .as_os_str()
                .to_string_lossy()
                .contains(['*', '?', '[', '{'])
        })
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
        vec![pattern.to_owned()]
    } else {
        found
    }
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
pub struct PageRanges(Vec<(usize, usize)>);

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
        text.split(',')
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
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl PageRanges {
    /// Whether a page is among them.
    pub fn contains(&self, page: usize) -> bool {
        self.0
            .iter()
            .any(|&(first, last)| (first..=last).contains(&page))
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
                .map(|file| file.strip_prefix(root).unwrap().display().to_string())
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
        assert_eq!(names(&[root.join("*.gif")], false), ["*.gif"]);
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
