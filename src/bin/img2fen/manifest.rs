//! Manifests of labelled pictures, for `img2fen eval`.
//!
//! One JSON object a line: `file` (relative to `--root`), `kind`, `traits`, `split`, and `boards`, each with its true
//! `placement`, `bottom` (whose side is below), `orientation_evident`, and `corners` or `bbox`.

use img2fen::{FenError, Placement, Quad};
use serde::Deserialize;

/// A labelled picture.
#[derive(Debug, Deserialize)]
pub struct Entry {
    pub file: String,
    pub kind: String,
    #[serde(default)]
    pub traits: Vec<String>,
    #[serde(default)]
    pub split: String,
    pub boards: Vec<LabelledBoard>,
    #[serde(default)]
    pub other_boards: Vec<OtherBoard>,
}

#[derive(Debug, Deserialize)]
pub struct LabelledBoard {
    placement: String,
    pub bottom: String,
    #[serde(default)]
    pub orientation_evident: bool,
    corners: Option<[[f32; 2]; 4]>,
    bbox: Option<[f32; 4]>,
}

/// A board that is in the picture and is not to be read.
#[derive(Debug, Deserialize)]
pub struct OtherBoard {
    pub bbox: Option<[f32; 4]>,
}

impl LabelledBoard {
    /// Where it is.
    pub fn quad(&self) -> anyhow::Result<Quad> {
        match (self.corners, self.bbox) {
            (Some(corners), _) => Ok(Quad::new(corners)),
            (None, Some([left, top, right, bottom])) => {
                Ok(Quad::rectangle(left, top, right, bottom))
            }
            (None, None) => anyhow::bail!("a board has neither `corners` nor `bbox`"),
        }
    }

    /// What stands on it.
    pub fn placement(&self) -> Result<Placement, FenError> {
        self.placement.parse()
    }
}

/// The pictures of a manifest, each with the number of its line.
pub fn entries(text: &str) -> impl Iterator<Item = (usize, serde_json::Result<Entry>)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| (index + 1, serde_json::from_str(line)))
}
