//! The library's one error type: what could not be done, to which file or page, and what to do about it.
//!
//! "No board found" and "not sure" are not errors but results, see [`crate::Reading`].

use std::fmt;

/// What kind of thing went wrong; decides exit codes and whether trying again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing a file failed.
    Io,
    /// The bytes are in no picture format that img2fen reads.
    UnsupportedFormat,
    /// The bytes claim to be a picture, but are damaged.
    Decode,
    /// A limit of [`crate::Limits`] was exceeded.
    LimitExceeded,
    /// A network could not be loaded or gave something unexpected.
    Model,
    /// The inference engine could not be started.
    Engine,
    /// An argument contradicts the picture, the position or another argument.
    InvalidArgument,
}

/// An error with its kind, a sentence for people, and a hint on what to do.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Result with the library's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind with a sentence (no full stop) that says what is wrong.
    ///
    /// ```
    /// use img2fen::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Decode, "the picture ends early").with_hint("copy the file again");
    /// assert_eq!(error.to_string(), "the picture ends early");
    /// assert_eq!(error.hint(), Some("copy the file again"));
    /// ```
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            source: None,
        }
    }

    /// Adds what the user can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the error that caused this one.
    #[must_use]
    pub fn with_source(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The kind of this error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the user can do about it, where that is known.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
