//! One file a command.

pub mod eval;
pub mod read;
