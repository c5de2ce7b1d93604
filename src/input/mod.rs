//! Bytes in, upright pages out.

mod decode;
mod document;
#[cfg(feature = "pdf")]
pub mod pdf;
mod picture_file;

use std::path::Path;
use std::time::{Duration, Instant};

use image::{DynamicImage, RgbImage};

pub use decode::decode;
pub use document::DocumentKind;
pub use picture_file::PictureFile;

use crate::error::{Error, ErrorKind, Result};

/// What an input may cost. Every limit of size is checked before the memory is taken.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// Longest side of a picture in pixels.
    pub max_side: u32,
    /// Pixels of a picture. A sheet of A4 at 600 dpi has 35 million.
    pub max_pixels: u64,
    /// Bytes that a decoder may allocate.
    pub max_alloc_bytes: u64,
    /// Bytes of a picture file, or of a file of positions.
    pub max_file_bytes: u64,
    /// Boards read from one page; the surest ones are kept.
    pub max_boards: usize,
    /// Time for reading a page; looked at before each board.
    pub max_time: Duration,
}

impl Limits {
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] when more than [`Self::max_time`] has passed.
    pub fn check_time(&self, started: Instant) -> Result<()> {
        if started.elapsed() > self.max_time {
            return Err(self.time_exceeded());
        }
        Ok(())
    }

    /// The error of work that takes longer than [`Self::max_time`].
    #[must_use]
    pub fn time_exceeded(&self) -> Error {
        let seconds = self.max_time.as_secs_f64();
        Error::new(
            ErrorKind::LimitExceeded,
            format!("takes longer than the limit of {seconds} s"),
        )
        .with_hint("crop or shrink the picture, or raise `--timeout`")
    }

    /// The error of a file of so many bytes, or more, which is over [`Self::max_file_bytes`].
    #[must_use]
    pub fn file_too_large(&self, bytes: u64) -> Error {
        Error::new(
            ErrorKind::LimitExceeded,
            format!(
                "has {bytes} bytes or more, the limit is {}",
                self.max_file_bytes
            ),
        )
        .with_hint("make the file smaller, or raise `--max-file-size`")
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_side: 20_000,
            max_pixels: 100_000_000,
            max_alloc_bytes: 512 << 20,
            max_file_bytes: 256 << 20,
            max_boards: 64,
            // A page of 64 boards on a busy machine should still be read: what is hostile is bounded by its size as well.
            max_time: Duration::from_secs(60),
        }
    }
}

/// An upright picture and where it came from.
#[derive(Debug, Clone)]
pub struct Page {
    /// The name to call it by: a path as given, or `-` for standard input.
    pub source: String,
    /// The page's number in its document, from 1; `None` for a picture file.
    pub number: Option<usize>,
    /// The pixels, EXIF orientation applied, transparency laid over white.
    pub picture: RgbImage,
}

impl Page {
    /// Decodes the bytes of a picture file.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn from_bytes(source: impl Into<String>, bytes: &[u8], limits: &Limits) -> Result<Self> {
        Ok(Self {
            source: source.into(),
            number: None,
            picture: decode(bytes, limits)?,
        })
    }

    /// Reads and decodes a picture file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the file cannot be read, [`ErrorKind::LimitExceeded`] when it is too large, otherwise as
    /// [`decode`].
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Self> {
        let path = path.as_ref();
        Self::from_bytes(
            path.display().to_string(),
            &read_file(path, limits)?,
            limits,
        )
    }

    /// A page from a picture decoded elsewhere; it must be upright already.
    #[must_use]
    pub fn from_image(source: impl Into<String>, picture: &DynamicImage) -> Self {
        Self {
            source: source.into(),
            number: None,
            picture: decode::over_white(picture),
        }
    }
}

/// The bytes of a file no larger than the limit.
fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| {
        let hint = match error.kind() {
            std::io::ErrorKind::NotFound => "check the name",
            std::io::ErrorKind::PermissionDenied => "check the file's permissions",
            _ => "check that the file can be read",
        };
        Error::new(ErrorKind::Io, "cannot read the file")
            .with_hint(hint)
            .with_source(error)
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(Error::new(ErrorKind::Io, "is a folder, not a picture")
            .with_hint("name the pictures in it, or use `img2fen batch`"));
    }
    if !metadata.is_file() {
        return Err(is_no_file());
    }
    let file = std::fs::File::open(path).map_err(failed)?;
    if metadata.len() > limits.max_file_bytes {
        let start = DocumentKind::start_of(file).map_err(failed)?;
        return Err(too_large(metadata.len(), &start, limits));
    }
    read_limited(file, limits)
}

/// The error of a name that stands for a pipe or a device: opening it may wait for ever, and it may have no end.
#[must_use]
pub fn is_no_file() -> Error {
    Error::new(ErrorKind::Io, "is no regular file").with_hint(
        "save what it gives as a file; one picture is read from standard input by `img2fen -`",
    )
}

/// All bytes of a reader, counted while reading.
///
/// # Errors
/// [`ErrorKind::Io`] when reading fails, [`ErrorKind::LimitExceeded`] past [`Limits::max_file_bytes`].
pub fn read_limited(reader: impl std::io::Read, limits: &Limits) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    reader
        .take(limits.max_file_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::new(ErrorKind::Io, "cannot read").with_source(error))?;
    if bytes.len() as u64 > limits.max_file_bytes {
        // How much more there is, nobody knows.
        return Err(too_large(bytes.len() as u64, &bytes, limits));
    }
    Ok(bytes)
}

/// The error of a file over the limit. A document is told as what it is: a higher limit would not help.
fn too_large(bytes: u64, start: &[u8], limits: &Limits) -> Error {
    DocumentKind::of(start)
        .map_or_else(|| limits.file_too_large(bytes), DocumentKind::is_no_picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(max_file_bytes: u64) -> Limits {
        Limits {
            max_file_bytes,
            ..Limits::default()
        }
    }

    #[test]
    fn a_file_of_the_limit_is_read_and_a_byte_more_is_refused_with_limit_and_flag() {
        assert_eq!(read_limited(&b"12345"[..], &limits(5)).unwrap(), b"12345");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("five");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read_file(&path, &limits(5)).unwrap(), b"12345");
        for error in [
            read_limited(&b"12345"[..], &limits(4)).unwrap_err(),
            read_file(&path, &limits(4)).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::LimitExceeded);
            assert_eq!(error.to_string(), "has 5 bytes or more, the limit is 4");
            assert!(error.hint().unwrap().contains("--max-file-size"));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_refused_instead_of_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("picture.png");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            let error = read_file(path, &Limits::default()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io);
            assert_eq!(error.to_string(), "is no regular file");
            assert!(error.hint().unwrap().contains("`img2fen -`"));
        }
    }

    #[test]
    fn a_document_over_the_limit_is_told_as_a_document() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let bytes = b"%PDF-1.4 and much more";
        std::fs::write(&path, bytes).unwrap();
        for error in [
            read_limited(&bytes[..], &limits(10)).unwrap_err(),
            read_file(&path, &limits(10)).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::UnsupportedFormat);
            assert_eq!(error.to_string(), "is a PDF document, not a picture");
            assert!(error.hint().unwrap().contains("`img2fen batch"));
        }
    }

    #[test]
    fn a_source_without_end_is_read_to_the_limit() {
        let error = read_limited(std::io::repeat(7), &limits(1000)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    }

    #[test]
    fn time_is_checked_against_its_limit() {
        let started = Instant::now();
        assert!(Limits::default().check_time(started).is_ok());
        let none = Limits {
            max_time: Duration::ZERO,
            ..Limits::default()
        };
        std::thread::sleep(Duration::from_millis(1));
        let error = none.check_time(started).unwrap_err();
        assert_eq!(error.to_string(), "takes longer than the limit of 0 s");
        assert!(error.hint().unwrap().contains("--timeout"));
    }
}
