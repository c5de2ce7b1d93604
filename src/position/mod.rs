//! Positions: the pieces on the squares and the six fields of a FEN.
//!
//! Knows nothing of pictures. A [`Placement`] is any arrangement at all; a [`Fen`] adds the other five fields, and
//! [`FenFields`] says for each where it comes from. [`infer`] completes a placement, [`check`](crate::check) judges the
//! result.

pub(crate) mod attacks;
pub(crate) mod castling;
pub(crate) mod en_passant;
pub(crate) mod epd;
pub(crate) mod error;
pub(crate) mod fen;
pub mod infer;
mod known;
pub mod links;
mod pgn;
mod piece;
mod placement;
mod play;
mod square;

pub use castling::{CastlingRights, CastlingStyle, is_name_of_chess960};
pub use en_passant::EnPassantProblem;
pub use epd::{Epd, EpdError, Operation, is_epd};
pub use error::{FenError, FenFault, Field};
pub use fen::{EnPassantStyle, Fen, FenStyle};
pub use infer::{GivenCastling, GivenFieldError, GivenFields};
pub use known::{FenFields, Known, Provenance};
pub use pgn::{PgnError, PgnGame, PgnPosition, pgn_games, pgn_positions};
pub use piece::{Color, Piece, Role};
pub use placement::Placement;
pub use play::{Move, PlayError, Standing};
pub use square::{ParseSquareError, Square};
