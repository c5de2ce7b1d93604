//! One file a command.

pub mod batch;
pub mod eval;
pub mod export;
pub mod pdf_worker;
pub mod read;
pub mod review;
