//! The position layer of img2fen by itself, so that its parsers are fuzzed without building engines and decoders.

#![allow(dead_code, unused_imports)]

#[path = "../src/check/mod.rs"]
pub mod check;
#[path = "../src/diagnostic.rs"]
mod diagnostic;
#[path = "../src/position/mod.rs"]
pub mod position;
#[path = "../src/wording.rs"]
mod wording;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use position::{
    CastlingRights, CastlingStyle, Color, Fen, FenFields, FenStyle, Piece, Placement, Role, Square,
};
