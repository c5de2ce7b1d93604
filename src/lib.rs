//! Reads pictures of chess diagrams and gives their FEN.
//!
//! A picture goes through the stages in the order of the modules: [`input`] decodes it to an upright [`Page`],
//! [`locate`] finds the boards, [`rectify`] straightens each, [`classify`] reads the squares,
//! [`orient`] tells which way up it is, and [`position`] holds what stands where. [`Recognizer`] chains them and gives
//! a [`Reading`] for each board.
//!
//! ```no_run
//! let recognizer = img2fen::Recognizer::new()?;
//! let page = img2fen::Page::open("photo.png", &img2fen::Limits::default())?;
//! for reading in recognizer.read(&page)?.readings {
//!     println!("{} ({:.3})", reading.fen(), reading.board_confidence);
//! }
//! # Ok::<(), img2fen::Error>(())
//! ```

pub mod input;
pub mod quad;

pub mod rectify;

pub mod locate;

pub mod classify;

pub mod orient;

pub mod position;

pub mod check;

pub mod render;

mod annotate;
pub mod caption;
mod diagnostic;
pub mod engine;
mod error;
mod network_input;
#[cfg(feature = "cli")]
pub mod piece_set;
mod reading;
mod recognizer;
#[cfg(feature = "cli")]
pub mod report;
pub mod wording;

pub use annotate::annotate;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use error::{Error, ErrorKind, Result};
pub use input::{Limits, Page, PictureFile};
pub use orient::Orientation;
pub use position::{
    CastlingRights, CastlingStyle, Color, EnPassantStyle, Fen, FenError, FenFields, FenStyle,
    Field, GivenFields, Known, Piece, Placement, Provenance, Role, Square,
};
pub use quad::Quad;
pub use reading::{Alternative, Provider, Reading, SourceName, SquareReading};
pub use recognizer::{Builder, MIN_CONFIDENCE, PageReadings, ReadOptions, Recognizer, model_names};
