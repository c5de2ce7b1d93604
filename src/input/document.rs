//! Documents of many pages, which the picture decoders do not read, told by their first bytes.

use std::fmt;
use std::io::Read;

use crate::error::{Error, ErrorKind};

/// Bytes from the start of a file within which a PDF says that it is one (PDF 1.7, appendix H, note 13).
const START_BYTES: u64 = 1024;

/// A kind of document; `img2fen batch` reads its pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// Portable Document Format.
    Pdf,
    /// DjVu.
    Djvu,
}

impl DocumentKind {
    /// The kind of document that begins with these bytes; `None` for anything else.
    #[must_use]
    pub fn of(start: &[u8]) -> Option<Self> {
        let start = &start[..start.len().min(START_BYTES as usize)];
        if start.windows(5).any(|window| window == b"%PDF-") {
            Some(Self::Pdf)
        } else if start.starts_with(b"AT&TFORM") {
            Some(Self::Djvu)
        } else {
            None
        }
    }

    /// As many bytes as [`of`](Self::of) looks at.
    ///
    /// # Errors
    /// When reading fails.
    pub fn start_of(reader: impl Read) -> std::io::Result<Vec<u8>> {
        let mut start = Vec::new();
        reader.take(START_BYTES).read_to_end(&mut start)?;
        Ok(start)
    }

    /// The error of a document where a picture is wanted.
    pub(super) fn is_no_picture(self) -> Error {
        let message = format!("is a {self} document, not a picture");
        Error::new(ErrorKind::UnsupportedFormat, message)
            .with_hint("`img2fen batch FILE -o DIR` reads all its pages")
    }
}

impl fmt::Display for DocumentKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Pdf => "PDF",
            Self::Djvu => "DjVu",
        })
    }
}
