//! What `--version` says.

use crate::args::CommonArgs;

/// The version alone.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version, the engine that runs with these options, and the networks: what a bug report needs.
pub fn text(common: &CommonArgs) -> String {
    let engine = match img2fen::engine::start(&common.engine()) {
        Ok(engine) => engine.to_string(),
        Err(error) => error.to_string(),
    };
    format!(
        "img2fen {VERSION}\nengine: {engine}\nmodels: {}",
        img2fen::model_names().join(", ")
    )
}
