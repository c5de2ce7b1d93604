//! Exit codes, in one place; the help texts, `README.md` and `docs/batch.md` list the same.

use std::process::ExitCode;

use img2fen::ErrorKind;

use crate::output::Unusable;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Every input was read.
    Success = 0,
    /// It ran well, but something needs a person: an input without a board, or a doubtful one under `--strict`.
    NeedsPerson = 1,
    /// Wrong usage; clap exits with the same code.
    Usage = 2,
    /// At least one input could not be processed; the others were.
    InputFailed = 3,
    /// The environment is not fit: no engine, or an output that cannot be written.
    Environment = 4,
    /// Stopped by Ctrl-C; what is finished is kept, and the same command goes on.
    Interrupted = 130,
}

impl Exit {
    /// How an error ends the program.
    pub fn of(error: &anyhow::Error) -> Self {
        match error.downcast_ref::<img2fen::Error>() {
            _ if error.is::<Unusable>() => Self::Environment,
            Some(error) => Self::of_kind(error.kind()),
            None => Self::InputFailed,
        }
    }

    /// How an error of the library ends the program.
    pub fn of_kind(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Engine | ErrorKind::Model => Self::Environment,
            ErrorKind::InvalidArgument => Self::Usage,
            _ => Self::InputFailed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
