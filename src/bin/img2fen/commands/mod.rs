//! One file a command.

pub mod batch;
pub mod check;
pub mod convert;
pub mod eval;
pub mod explain;
pub mod export;
pub mod pdf_worker;
pub mod play;
mod positions;
pub mod read;
pub mod render;
pub mod review;
