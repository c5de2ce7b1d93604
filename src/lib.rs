//! Reads pictures of chess diagrams.

pub mod position;

pub use position::{
    CastlingRights, CastlingStyle, Color, EnPassantStyle, Fen, FenError, FenFields, FenStyle,
    Field, GivenFields, Known, Piece, Placement, Provenance, Role, Square,
};
