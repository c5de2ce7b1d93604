//! The HTML report: one file that works without a network.
//!
//! The page is fixed (`assets/`); what differs from report to report is data, written as blocks that the page's script
//! reads, with every `<` escaped. Script and style are allowed by their hashes only, and nothing may be fetched.

use std::io::{self, Write};

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GrayImage, RgbImage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::correction::Correction;
use super::record::Record;
use crate::input::{Limits, decode};
use crate::position::{Piece, Provenance};
use crate::quad::Quad;

const PAGE: &str = include_str!("assets/report.html");
const STYLE: &str = include_str!("assets/report.css");
const SCRIPT: &str = include_str!("assets/report.js");

/// Longest side of a board's picture in the report, in pixels.
const LONGEST_SIDE: u32 = 360;
/// Quality of that picture (JPEG, 1 to 100): on scans 12 kB a board, with hatching still clear.
const QUALITY: u8 = 60;

/// A board cut out of its page, with a margin that shows the edge coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Crop {
    /// The JPEG file in base64.
    pub jpeg: String,
    /// Columns and rows in pixels.
    pub size: [u32; 2],
    /// The board's corners in pixels of the crop.
    pub quad: Quad,
}

impl Crop {
    /// The pixels; `None` when the text is no JPEG in base64.
    #[must_use]
    pub fn picture(&self) -> Option<GrayImage> {
        let bytes = base64_decoded(&self.jpeg)?;
        decode(&bytes, &Limits::default())
            .ok()
            .map(|picture| DynamicImage::ImageRgb8(picture).into_luma8())
    }
}

/// Cuts a board out of its page; `None` when it lies outside or the picture cannot be encoded.
#[must_use]
pub fn crop(page: &RgbImage, quad: &Quad) -> Option<Crop> {
    let around = quad.grown(0.75)?;
    let limit = |axis: usize, end: u32| {
        let values = around.corners.map(|corner| corner[axis]);
        let low = values
            .iter()
            .copied()
            .fold(f32::INFINITY, f32::min)
            .max(0.0)
            .floor() as u32;
        let high = values
            .iter()
            .copied()
            .fold(0.0, f32::max)
            .ceil()
            .min(end as f32) as u32;
        (low.min(end), high)
    };
    let (left, right) = limit(0, page.width());
    let (top, bottom) = limit(1, page.height());
    if right <= left || bottom <= top {
        return None;
    }
    let wide = [right - left, bottom - top];
    let scale = (LONGEST_SIDE as f32 / wide[0].max(wide[1]) as f32).min(1.0);
    let size = wide.map(|side| ((side as f32 * scale).round() as u32).max(1));
    let small = shrunk(page, [left, top], wide, size);
    let is_grey = small.pixels().all(|pixel| {
        let [r, g, b] = pixel.0.map(i16::from);
        (r - g).abs().max((g - b).abs()) < 12
    });
    let small = DynamicImage::ImageRgb8(small);
    let small = if is_grey {
        DynamicImage::ImageLuma8(small.to_luma8())
    } else {
        small
    };
    let mut jpeg = Vec::new();
    small
        .write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, QUALITY))
        .ok()?;
    let [x_scale, y_scale] = [0, 1].map(|axis| size[axis] as f32 / wide[axis] as f32);
    let tenths = |value: f32| (value * 10.0).round() / 10.0;
    let corners = quad.corners.map(|[x, y]| {
        [
            tenths((x - left as f32) * x_scale),
            tenths((y - top as f32) * y_scale),
        ]
    });
    Some(Crop {
        jpeg: base64(&jpeg),
        size,
        quad: Quad::new(corners),
    })
}

/// A part of a page in a smaller size: each pixel is the mean of those it covers.
fn shrunk(page: &RgbImage, [left, top]: [u32; 2], wide: [u32; 2], size: [u32; 2]) -> RgbImage {
    let stride = page.width() as usize * 3;
    let bytes = page.as_raw();
    let limit = |step: u32, axis: usize| {
        (u64::from(step) * u64::from(wide[axis]) / u64::from(size[axis])) as u32
    };
    RgbImage::from_fn(size[0], size[1], |x, y| {
        let (from, to) = (left + limit(x, 0), left + limit(x + 1, 0));
        let (first, last) = (top + limit(y, 1), top + limit(y + 1, 1));
        let mut sums = [0u32; 3];
        for row in first..last {
            let row = row as usize * stride;
            for pixel in bytes[row + from as usize * 3..row + to as usize * 3].chunks_exact(3) {
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += u32::from(*value);
                }
            }
        }
        let count = ((to - from) * (last - first)).max(1);
        image::Rgb(sums.map(|sum| (sum / count) as u8))
    })
}

/// An input or page that gave no board, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherInput {
    /// The path as given.
    pub path: String,
    /// Page of a document.
    pub page: Option<usize>,
    /// Why there is no board.
    pub message: String,
}

/// A correction with the number of its version, which grows with each change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedCorrection {
    /// Counts the versions of this board's correction from 1.
    pub revision: u64,
    /// The decision.
    pub correction: Correction,
}

/// A report in the making: boards are added one by one, their pictures are written last.
#[derive(Debug, Clone, Default)]
pub struct HtmlReport {
    /// Name of the job, such as the book's file name.
    pub title: String,
    /// Tells reports apart in the browser's storage.
    pub id: String,
    /// Whether a review server keeps the corrections; a file keeps them in the browser.
    pub server: bool,
    /// Inputs without a board.
    pub others: Vec<OtherInput>,
    /// Corrections made before.
    pub corrections: Vec<SavedCorrection>,
    boards: Vec<Value>,
}

impl HtmlReport {
    /// A report without boards, kept in the browser under `id`.
    #[must_use]
    pub fn new(title: String, id: String) -> Self {
        Self {
            title,
            id,
            ..Self::default()
        }
    }

    /// Adds a board, with its picture's size and corners where it has a picture.
    pub fn add(&mut self, record: &Record, size: [u32; 2], quad: &Quad) {
        let mut pieces = ['.'; 64];
        let mut seconds = ['.'; 64];
        let mut confidence = [0u32; 64];
        for square in &record.squares {
            let place = record.place_of(square.square);
            pieces[place] = square.piece.map_or('.', |piece| piece.letter());
            seconds[place] = square.second.piece.map_or('.', |piece| piece.letter());
            confidence[place] = thousandths(square.confidence);
        }
        let doubtful: Vec<usize> = record
            .doubtful_squares
            .iter()
            .map(|square| record.place_of(*square))
            .collect();
        let words: Vec<&str> = record.fen.split(' ').collect();
        let word = |index: usize| words.get(index).copied().unwrap_or("-");
        let fields = &record.fields;
        let field = |value: &str, provenance: &dyn std::fmt::Display| json!({ "value": value, "provenance": provenance.to_string() });
        let mut notes = Vec::new();
        if let Some(caption) = &record.caption {
            notes.extend(caption.number.map(|number| format!("diagram {number}")));
            notes.extend(
                caption
                    .turn
                    .as_ref()
                    .map(|words| format!("caption: {words}")),
            );
        }
        if record.is_way_up_in_doubt() {
            notes.push(format!(
                "which side is below: {}",
                record.orientation.evidence
            ));
        }
        let decided: Vec<String> = record
            .squares
            .iter()
            .filter(|square| square.provenance == Some(Provenance::Inferred))
            .map(|square| square.square.to_string())
            .collect();
        if !decided.is_empty() {
            notes.push(format!(
                "settled by other boards of the document: {}",
                decided.join(", ")
            ));
        }
        self.boards.push(json!({
            "source": record.source,
            "place": record.quad,
            "size": size,
            "quad": quad,
            "pieces": pieces.iter().collect::<String>(),
            "seconds": seconds.iter().collect::<String>(),
            "square_confidence": confidence.as_slice(),
            "doubtful": doubtful,
            "below": record.orientation.value,
            "confidence": thousandths(record.board_confidence),
            "is_doubtful": record.doubtful,
            "is_way_up_in_doubt": record.doubtful && record.is_way_up_in_doubt(),
            "fields": {
                "turn": field(word(1), &fields.turn.provenance),
                "castling": field(word(2), &fields.castling.provenance),
                "en_passant": field(word(3), &fields.en_passant.provenance),
                "halfmove": field(word(4), &fields.halfmove.provenance),
                "fullmove": field(word(5), &fields.fullmove.provenance),
            },
            "notes": notes,
        }));
    }

    /// Writes the file. `pictures` gives the JPEG in base64 of each board in the order of [`add`](Self::add), empty where
    /// there is none.
    ///
    /// # Errors
    /// When writing, or reading a picture, fails.
    pub fn write(
        &self,
        out: &mut impl Write,
        pictures: impl Iterator<Item = io::Result<String>>,
    ) -> io::Result<()> {
        let connect = if self.server {
            " connect-src 'self';"
        } else {
            ""
        };
        let policy = format!(
            "default-src 'none'; img-src data:;{connect} script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
            hash_source(SCRIPT),
            hash_source(STYLE),
        );
        let title = escape(&self.title);
        let pieces = piece_symbols();
        let job = json!({
            "id": self.id,
            "server": self.server,
            "boards": self.boards,
            "others": self.others,
            "corrections": self.corrections,
        });
        let mut parts = PAGE.split("{{");
        out.write_all(parts.next().unwrap_or_default().as_bytes())?;
        let mut pictures = Some(pictures);
        for part in parts {
            let (name, text) = part.split_once("}}").unwrap_or((part, ""));
            match name {
                "policy" => out.write_all(policy.as_bytes())?,
                "title" => out.write_all(title.as_bytes())?,
                "style" => out.write_all(STYLE.as_bytes())?,
                "script" => out.write_all(SCRIPT.as_bytes())?,
                "pieces" => out.write_all(pieces.as_bytes())?,
                "data" => {
                    writeln!(
                        out,
                        "<script type=\"application/json\" id=\"readings\">{}</script>",
                        json_block(&job)
                    )?;
                    for (index, picture) in pictures.take().into_iter().flatten().enumerate() {
                        let picture = picture?;
                        if picture.is_empty() {
                            continue;
                        }
                        let start = "data:image/jpeg;base64,";
                        writeln!(
                            out,
                            "<script type=\"text/plain\" id=\"picture-{index}\">{start}{picture}</script>"
                        )?;
                    }
                }
                other => {
                    return Err(io::Error::other(format!(
                        "the page has an unknown part `{other}`"
                    )));
                }
            }
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

fn thousandths(confidence: f64) -> u32 {
    // Rounded down, so that 1000 is never said of a guess.
    (confidence * 1000.0).floor().clamp(0.0, 1000.0) as u32
}

/// A source of a content security policy that allows exactly this text.
fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes())))
}

/// Text as HTML shows it, in an element or a quoted attribute.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// JSON that cannot end the script element it stands in.
fn json_block(value: &Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// The pieces as symbols `piece-K` to `piece-p`, 100 units square.
fn piece_symbols() -> String {
    let pieces = "KQRBNPkqrbnp".chars().filter_map(Piece::from_letter);
    let symbol = |piece: Piece| {
        let (letter, drawing) = (piece.letter(), crate::render::piece_svg(piece));
        format!("<symbol id=\"piece-{letter}\" viewBox=\"0 0 100 100\">{drawing}</symbol>")
    };
    pieces.map(symbol).collect()
}

/// The digits of base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes that a text in base64 stands for.
fn base64_decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut value = 0u32;
        for digit in group {
            value = value << 6 | DIGITS.iter().position(|known| known == digit)? as u32;
        }
        value <<= 6 * (4 - group.len());
        bytes.extend(&value.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

/// Base64 (RFC 4648) with padding.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = (0..3).fold(0u32, |group, index| {
            group << 8 | u32::from(chunk.get(index).copied().unwrap_or(0))
        });
        for digit in 0..4 {
            let is_padding = digit > chunk.len();
            let index = (group >> (18 - 6 * digit)) & 63;
            text.push(if is_padding {
                '='
            } else {
                char::from(DIGITS[index as usize])
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    fn written(report: &HtmlReport, pictures: &[&str]) -> String {
        let mut out = Vec::new();
        report
            .write(
                &mut out,
                pictures.iter().map(|picture| Ok((*picture).to_owned())),
            )
            .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
            assert_eq!(base64_decoded(text).as_deref(), Some(bytes.as_bytes()));
        }
    }

    #[test]
    fn a_hostile_file_name_stays_text() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        record.source.path = "</script><script>alert(1)</script>".to_owned();
        let mut report = HtmlReport {
            title: record.source.path.clone(),
            ..HtmlReport::default()
        };
        report.add(&record, [100, 100], &record.quad);
        let page = written(&report, &["AAAA"]);
        assert!(!page.contains("<script>alert"));
        // Readings, one picture and the page's own script.
        assert_eq!(page.matches("</script>").count(), 3);
    }

    #[test]
    fn only_the_page_s_own_script_and_style_may_run_and_nothing_is_fetched() {
        let page = written(&HtmlReport::default(), &[]);
        let policy = page
            .split("Content-Security-Policy\" content=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        assert!(
            policy.starts_with("default-src 'none'; img-src data:; script-src 'sha256-"),
            "{policy}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains("connect-src"),
            "{policy}"
        );
        let served = written(
            &HtmlReport {
                server: true,
                ..HtmlReport::default()
            },
            &[],
        );
        assert!(served.contains("connect-src 'self'"));
        let script = page
            .rsplit("<script>")
            .next()
            .unwrap()
            .split("</script>")
            .next()
            .unwrap();
        assert!(policy.contains(&hash_source(script)));
    }

    #[test]
    fn the_board_is_drawn_as_the_picture_shows_it() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        record.orientation.value = "black".to_owned();
        record.doubtful_squares = vec!["a1".parse().unwrap()];
        let mut report = HtmlReport::default();
        report.add(&record, [100, 100], &record.quad);
        assert_eq!(
            report.boards[0]["pieces"],
            format!("...K...R{}...k....", ".".repeat(48))
        );
        assert_eq!(report.boards[0]["doubtful"], json!([7]));
    }

    #[test]
    fn a_crop_shows_the_board_with_its_margin_and_knows_its_corners() {
        let page = RgbImage::from_pixel(1000, 900, image::Rgb([200, 200, 200]));
        let crop = crop(&page, &Quad::rectangle(100.0, 100.0, 900.0, 900.0)).unwrap();
        // 75 pixels of margin on three sides, none below: 950 x 875 at 360 / 950.
        assert_eq!(crop.size, [360, 332]);
        let expected = Quad::rectangle(28.4, 28.5, 331.6, 332.0);
        assert!(
            crop.quad.corner_distance(&expected) < 0.11,
            "{:?}",
            crop.quad
        );
        assert!(super::crop(&page, &Quad::rectangle(2000.0, 100.0, 2100.0, 200.0)).is_none());
    }
}
