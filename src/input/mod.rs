//! Bytes in, upright pages out.

mod decode;
#[cfg(feature = "pdf")]
pub mod pdf;

use std::path::Path;

use image::{DynamicImage, RgbImage};

pub use decode::decode;

use crate::error::{Error, ErrorKind, Result};

/// What an input may cost. Every limit is checked before the memory is taken.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// Longest side of a picture in pixels.
    pub max_side: u32,
    /// Pixels of a picture. A sheet of A4 at 600 dpi has 35 million.
    pub max_pixels: u64,
    /// Bytes that a decoder may allocate.
    pub max_alloc_bytes: u64,
    /// Bytes of a picture file.
    pub max_file_bytes: u64,
    /// Boards read from one page; the surest ones are kept.
    pub max_boards: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_side: 20_000,
            max_pixels: 100_000_000,
            max_alloc_bytes: 512 << 20,
            max_file_bytes: 256 << 20,
            max_boards: 64,
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
    let file = std::fs::File::open(path).map_err(failed)?;
    read_limited(file, limits)
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
        return Err(Error::new(
            ErrorKind::LimitExceeded,
            format!(
                "is larger than the limit of {} bytes",
                limits.max_file_bytes
            ),
        )
        .with_hint("raise `--max-file-size`, or save the picture smaller"));
    }
    Ok(bytes)
}
