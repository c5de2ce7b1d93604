//! A picture file and its pages: one, or the several that a TIFF can hold.
//!
//! The directories of a TIFF form a chain: each says where the next one is. The chain is walked here, without looking at
//! any picture, so that a page that is damaged does not hide those after it. To read a page, the head of the file is
//! pointed at its directory; [`super::decode()`] then sees a file that begins with that page, and holds it against the limits.

use std::collections::HashSet;
use std::path::Path;

use super::{Limits, Page, read_file};
use crate::error::{Error, ErrorKind, Result};
use crate::wording::counted;

/// Most directories of a TIFF: far more than any book has pages.
const MAX_DIRECTORIES: usize = 65_535;

/// Tag whose value says that a directory holds something else than a page.
const NEW_SUBFILE_TYPE: u64 = 254;
/// Its bits for a smaller copy of another picture (1) and for a transparency mask (4).
const NO_PAGE: u64 = 1 | 4;

/// The bytes of a picture file, with its pages counted.
#[derive(Debug)]
pub struct PictureFile {
    source: String,
    bytes: Vec<u8>,
    layout: Option<Layout>,
    /// Where the directory of each page is; empty for a file that is no TIFF.
    directories: Vec<u64>,
}

impl PictureFile {
    /// Counts the pages of a picture file; no picture is decoded.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`] when the pages of a TIFF run in a circle, [`ErrorKind::LimitExceeded`] when there are more
    /// than 65,535. Bytes that are no picture are told when a page is asked for.
    pub fn new(source: impl Into<String>, bytes: Vec<u8>) -> Result<Self> {
        let layout = Layout::of(&bytes);
        let directories = layout.map_or_else(|| Ok(Vec::new()), |layout| layout.pages(&bytes))?;
        Ok(Self {
            source: source.into(),
            bytes,
            layout,
            directories,
        })
    }

    /// Reads a picture file and counts its pages.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the file cannot be read, [`ErrorKind::LimitExceeded`] when it is too large, otherwise as
    /// [`PictureFile::new`].
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Self> {
        let path = path.as_ref();
        Self::new(path.display().to_string(), read_file(path, limits)?)
    }

    /// Number of pages; 1 for a file that is no TIFF.
    #[must_use]
    pub fn page_count(&self) -> usize {
        self.directories.len().max(1)
    }

    /// The page `number`, from 1. It carries its number when the file has several.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] when there is no such page, otherwise as [`super::decode()`].
    pub fn page(&self, number: usize, limits: &Limits) -> Result<Page> {
        let count = self.page_count();
        if !(1..=count).contains(&number) {
            let pages = counted(count, "page");
            let message = format!("has {pages}, there is no page {number}");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let mut page = match (self.layout, self.directories.get(number - 1)) {
            (Some(layout), Some(&directory)) if directory != layout.first(&self.bytes) => {
                let mut bytes = self.bytes.clone();
                layout.begin_with(&mut bytes, directory);
                Page::from_bytes(self.source.clone(), &bytes, limits)?
            }
            _ => Page::from_bytes(self.source.clone(), &self.bytes, limits)?,
        };
        page.number = (count > 1).then_some(number);
        Ok(page)
    }
}

/// How the numbers of a TIFF are written.
#[derive(Debug, Clone, Copy)]
struct Layout {
    is_big_endian: bool,
    /// BigTIFF: offsets of eight bytes instead of four.
    is_big: bool,
}

impl Layout {
    /// The layout of a TIFF; `None` for anything else.
    fn of(bytes: &[u8]) -> Option<Self> {
        let (is_big_endian, is_big) = match bytes.get(..4)? {
            b"II*\0" => (false, false),
            b"MM\0*" => (true, false),
            b"II+\0" => (false, true),
            b"MM\0+" => (true, true),
            _ => return None,
        };
        Some(Self {
            is_big_endian,
            is_big,
        })
    }

    /// The unsigned number of `length` bytes at an offset; `None` past the end of the file.
    fn number(self, bytes: &[u8], offset: u64, length: usize) -> Option<u64> {
        let start = usize::try_from(offset).ok()?;
        let digits = bytes.get(start..start.checked_add(length)?)?;
        let join = |value: u64, digit: &u8| value << 8 | u64::from(*digit);
        Some(if self.is_big_endian {
            digits.iter().fold(0, join)
        } else {
            digits.iter().rev().fold(0, join)
        })
    }

    /// Where the head says which directory is the first, and how many bytes an offset has.
    fn head(self) -> (u64, usize) {
        if self.is_big { (8, 8) } else { (4, 4) }
    }

    /// The first directory, 0 when there is none.
    fn first(self, bytes: &[u8]) -> u64 {
        let (place, length) = self.head();
        self.number(bytes, place, length).unwrap_or(0)
    }

    /// Makes a directory the first one.
    fn begin_with(self, bytes: &mut [u8], directory: u64) {
        let (place, length) = self.head();
        let Some(field) = bytes.get_mut(place as usize..place as usize + length) else {
            return;
        };
        if self.is_big_endian {
            field.copy_from_slice(&directory.to_be_bytes()[8 - length..]);
        } else {
            field.copy_from_slice(&directory.to_le_bytes()[..length]);
        }
    }

    /// The directories that hold pages, in the order of the chain; all of them when none says it does.
    ///
    /// A directory that cannot be read ends the chain and counts as a page, which then fails to be read: that there is
    /// something more must not go unsaid.
    fn pages(self, bytes: &[u8]) -> Result<Vec<u64>> {
        let mut next = self.first(bytes);
        let mut seen = HashSet::new();
        let (mut all, mut pages) = (Vec::new(), Vec::new());
        while next != 0 {
            if !seen.insert(next) {
                let message = "is damaged: the pages of the TIFF run in a circle";
                return Err(Error::new(ErrorKind::Decode, message)
                    .with_hint("save the pages again, or each as a file of its own"));
            }
            if all.len() == MAX_DIRECTORIES {
                let message = format!("has more than {MAX_DIRECTORIES} pages");
                return Err(Error::new(ErrorKind::LimitExceeded, message)
                    .with_hint("split the file into several"));
            }
            let (subfile_type, following) = self.directory(bytes, next).unwrap_or((0, 0));
            all.push(next);
            if subfile_type & NO_PAGE == 0 {
                pages.push(next);
            }
            next = following;
        }
        Ok(if pages.is_empty() { all } else { pages })
    }

    /// The subfile type of a directory and the offset of the next one, 0 after the last.
    fn directory(self, bytes: &[u8], offset: u64) -> Option<(u64, u64)> {
        let (count_length, entry_length, value_at) =
            if self.is_big { (8, 20, 12) } else { (2, 12, 8) };
        let count = self.number(bytes, offset, count_length)?;
        let start = offset.checked_add(count_length as u64)?;
        let end = start.checked_add(count.checked_mul(entry_length)?)?;
        let following = self.number(bytes, end, self.head().1)?;
        let entries = (start..end).step_by(entry_length as usize);
        let subfile_type = entries
            .take_while(|entry| {
                self.number(bytes, *entry, 2)
                    .is_some_and(|tag| tag <= NEW_SUBFILE_TYPE)
            })
            .find(|entry| self.number(bytes, *entry, 2) == Some(NEW_SUBFILE_TYPE))
            .and_then(|entry| self.number(bytes, entry + value_at, 4));
        Some((subfile_type.unwrap_or(0), following))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUTS: [Layout; 4] = [
        Layout {
            is_big_endian: false,
            is_big: false,
        },
        Layout {
            is_big_endian: true,
            is_big: false,
        },
        Layout {
            is_big_endian: false,
            is_big: true,
        },
        Layout {
            is_big_endian: true,
            is_big: true,
        },
    ];

    impl Layout {
        fn put(self, bytes: &mut Vec<u8>, value: u64, length: usize) {
            if self.is_big_endian {
                bytes.extend(&value.to_be_bytes()[8 - length..]);
            } else {
                bytes.extend(&value.to_le_bytes()[..length]);
            }
        }

        /// A TIFF with a grey picture of 2 x 1 px for each (subfile type, value of its pixels), and the offsets of its
        /// directories.
        fn file(self, pages: &[(u64, u8)]) -> (Vec<u8>, Vec<u64>) {
            let mut bytes = if self.is_big_endian {
                b"MM".to_vec()
            } else {
                b"II".to_vec()
            };
            self.put(&mut bytes, if self.is_big { 43 } else { 42 }, 2);
            if self.is_big {
                self.put(&mut bytes, 8, 2);
                self.put(&mut bytes, 0, 2);
            }
            let width = self.head().1;
            let mut offsets = Vec::new();
            for (subfile_type, grey) in pages {
                // The place of the directory, told by the head or the one before: after the two pixels.
                let pixels = bytes.len() as u64 + width as u64;
                self.put(&mut bytes, pixels + 2, width);
                bytes.extend([*grey, *grey]);
                offsets.push(bytes.len() as u64);
                let entries = [
                    (NEW_SUBFILE_TYPE, *subfile_type),
                    (256, 2),
                    (257, 1),
                    (258, 8),
                    (259, 1),
                    (262, 1),
                    (273, pixels),
                    (277, 1),
                    (278, 1),
                    (279, 2),
                ];
                self.put(
                    &mut bytes,
                    entries.len() as u64,
                    if self.is_big { 8 } else { 2 },
                );
                for (tag, value) in entries {
                    self.put(&mut bytes, tag, 2);
                    self.put(&mut bytes, 4, 2);
                    self.put(&mut bytes, 1, width);
                    self.put(&mut bytes, value, 4);
                    bytes.extend(vec![0; width - 4]);
                }
            }
            self.put(&mut bytes, 0, width);
            (bytes, offsets)
        }
    }

    fn greys(bytes: Vec<u8>) -> Vec<(Option<usize>, Option<u8>)> {
        let file = PictureFile::new("file", bytes).unwrap();
        (1..=file.page_count())
            .map(|number| match file.page(number, &Limits::default()) {
                Ok(page) => (page.number, Some(page.picture.get_pixel(1, 0).0[0])),
                Err(_) => (None, None),
            })
            .collect()
    }

    #[test]
    fn every_page_of_a_tiff_is_read_in_any_layout() {
        for layout in LAYOUTS {
            let (bytes, _) = layout.file(&[(0, 10), (2, 20), (0, 30)]);
            let expected = [
                (Some(1), Some(10)),
                (Some(2), Some(20)),
                (Some(3), Some(30)),
            ];
            assert_eq!(greys(bytes), expected, "{layout:?}");
        }
    }

    #[test]
    fn thumbnails_and_masks_are_no_pages_unless_there_is_nothing_else() {
        for layout in LAYOUTS {
            let (bytes, _) = layout.file(&[(1, 10), (0, 20), (4, 30)]);
            assert_eq!(greys(bytes), [(None, Some(20))], "{layout:?}");
            let (bytes, _) = layout.file(&[(1, 10)]);
            assert_eq!(greys(bytes), [(None, Some(10))], "{layout:?}");
        }
    }

    #[test]
    fn a_damaged_page_does_not_hide_the_others() {
        for layout in LAYOUTS {
            for damaged in 0..3 {
                let (mut bytes, offsets) = layout.file(&[(0, 10), (0, 20), (0, 30)]);
                // The second entry is the width: a picture without columns.
                let (head, entry, value) = if layout.is_big {
                    (8, 20, 12)
                } else {
                    (2, 12, 8)
                };
                let width = offsets[damaged] as usize + head + entry + value;
                bytes[width..width + 4].fill(0);
                let mut expected = [
                    (Some(1), Some(10)),
                    (Some(2), Some(20)),
                    (Some(3), Some(30)),
                ];
                expected[damaged] = (None, None);
                assert_eq!(greys(bytes), expected, "{layout:?}");
            }
        }
    }

    #[test]
    fn a_page_past_the_end_of_the_file_is_a_page_that_fails() {
        let (mut bytes, _) = LAYOUTS[0].file(&[(0, 10)]);
        let length = bytes.len();
        bytes[length - 4..].copy_from_slice(&1_000_000_u32.to_le_bytes());
        assert_eq!(greys(bytes), [(Some(1), Some(10)), (None, None)]);
    }

    #[test]
    fn pages_in_a_circle_are_refused() {
        for back_to in [0, 1] {
            let (mut bytes, offsets) = LAYOUTS[0].file(&[(0, 10), (0, 20)]);
            let length = bytes.len();
            bytes[length - 4..].copy_from_slice(&(offsets[back_to] as u32).to_le_bytes());
            let error = PictureFile::new("file", bytes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Decode);
            assert_eq!(
                error.to_string(),
                "is damaged: the pages of the TIFF run in a circle"
            );
        }
    }

    #[test]
    fn each_page_is_held_against_the_limits() {
        let (bytes, _) = LAYOUTS[0].file(&[(0, 10), (0, 20)]);
        let file = PictureFile::new("file", bytes).unwrap();
        let limits = Limits {
            max_pixels: 1,
            ..Limits::default()
        };
        let error = file.page(2, &limits).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert_eq!(
            file.page(3, &limits).unwrap_err().kind(),
            ErrorKind::InvalidArgument
        );
    }

    #[test]
    fn every_truncation_is_counted_without_a_panic() {
        for layout in LAYOUTS {
            let (bytes, _) = layout.file(&[(0, 10), (0, 20)]);
            for length in 0..bytes.len() {
                greys(bytes[..length].to_vec());
            }
        }
        assert_eq!(greys(b"no picture".to_vec()), [(None, None)]);
    }
}
