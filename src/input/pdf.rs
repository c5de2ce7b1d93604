//! Pages of PDF files as pictures, with the text printed on them.
//!
//! Enters: the bytes of a PDF, in memory or mapped. Leaves: one [`PdfPage`] a page, upright, with its lines of text in
//! page pixels.
//! A page that is nothing but one scanned picture gives that picture at its own resolution; every other page is
//! drawn at the wanted resolution, lowered where the page would exceed the pixel limit (decided before drawing).
//! The crate that draws is safe Rust, but a hostile file can still make it use much memory or time, so the
//! command line program calls this module in a child process.

use std::sync::Arc;

use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageData, ImageDrawProps,
    InterpreterCache, InterpreterSettings, RenderContent, SoftMask, interpret_page,
};
use hayro::hayro_syntax::object::Dict;
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro::kurbo::{Affine, BezPath, Point, Rect, Shape};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use image::{DynamicImage, GrayImage, RgbImage};
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::wording::counted;

/// A PDF whose structure has been read; its pages are read one at a time.
pub struct PdfDocument {
    pdf: Pdf,
}

impl std::fmt::Debug for PdfDocument {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("PdfDocument")
            .field("pages", &self.page_count())
            .finish_non_exhaustive()
    }
}

/// How a page of a PDF becomes a picture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PdfPageOptions {
    /// Resolution of pages that are drawn, in pixels an inch. Embedded scans keep their own.
    pub dpi: f32,
    /// Most pixels a page may have. A drawn page gets a lower resolution instead; a larger scan is an error.
    pub max_pixels: u64,
}

impl Default for PdfPageOptions {
    fn default() -> Self {
        // 200 dpi gives a diagram of 5 cm, small for a book, 49 pixels a square: more than the networks look at.
        Self {
            dpi: 200.0,
            max_pixels: 50_000_000,
        }
    }
}

/// One page as a picture.
#[derive(Debug, Clone)]
pub struct PdfPage {
    /// The upright page; grey where the scan is grey.
    pub image: DynamicImage,
    /// Pixels an inch of `image`.
    pub dpi: f32,
    /// Whether `image` is the embedded scan itself and not a drawing of the page.
    pub embedded: bool,
    /// The text of the page, line by line from top to bottom.
    pub text: Vec<TextLine>,
}

/// A line of text printed on a page; the edges are in pixels of the page from its top left corner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextLine {
    /// The characters from left to right.
    pub text: String,
    /// Left edge.
    pub left: f32,
    /// Top edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Bottom edge.
    pub bottom: f32,
}

impl PdfDocument {
    /// Reads the structure of a PDF.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`] when the bytes are no PDF, the PDF wants a password or has no pages.
    pub fn parse(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self> {
        match Pdf::new(Arc::new(bytes)) {
            Ok(pdf) if pdf.pages().is_empty() => Err(Error::new(
                ErrorKind::Decode,
                "has no pages: the list of pages is empty, damaged or runs in a circle",
            )
            .with_hint("open it in a PDF viewer and save it again")),
            Ok(pdf) => Ok(Self { pdf }),
            Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)) => Err(Error::new(
                ErrorKind::Decode,
                "the PDF is protected by a password",
            )
            .with_hint("save a copy without password in a PDF viewer")),
            Err(LoadPdfError::Decryption(_)) => Err(Error::new(
                ErrorKind::Decode,
                "the PDF is encrypted in a way that is not supported",
            )
            .with_hint("print it to a new PDF in a PDF viewer")),
            Err(LoadPdfError::Invalid) => Err(Error::new(
                ErrorKind::Decode,
                "the file is not a readable PDF",
            )
            .with_hint("open it in a PDF viewer and save it again")),
        }
    }

    /// Number of pages, at least 1.
    #[must_use]
    pub fn page_count(&self) -> usize {
        self.pdf.pages().len()
    }

    /// What is wrong with the file as a whole, though its pages can be asked for; `None` for a whole file.
    ///
    /// A file that was cut short ends without its end mark, or with the beginning of an object behind one (files that
    /// were changed by appending to them, and those made for the web, have several marks). What somebody else appended
    /// is no damage. A file from whose middle something is missing names more pages than there are, or a place of its
    /// table of objects, or a length, that lies behind the real one; that shows also where pages only look wrong.
    #[must_use]
    pub fn damage(&self) -> Option<Error> {
        let is_cut_short = ends_early(self.pdf.data().as_ref());
        let (found, named) = (self.page_count(), self.named_page_count());
        let are_all_there = named.is_none_or(|named| named <= found);
        let what = if is_cut_short {
            "is cut short"
        } else if is_shorter_than_it_says(self.pdf.data().as_ref()) {
            "is damaged, a piece of it is missing"
        } else if are_all_there {
            return None;
        } else {
            "is damaged"
        };
        let pages = match named {
            Some(named) if named >= found => format!("{found} of {}", counted(named, "page")),
            _ => counted(found, "page"),
        };
        let message = format!("{what}: {pages} could be found");
        let error = Error::new(ErrorKind::Decode, message);
        Some(error.with_hint("copy or download the file again; what could be found is read"))
    }

    /// As many pages as the file says it has; `None` where that part of it is missing.
    fn named_page_count(&self) -> Option<usize> {
        let xref = self.pdf.xref();
        let pages = xref
            .get::<Dict<'_>>(xref.root_id())?
            .get::<Dict<'_>>("Pages")?;
        usize::try_from(pages.get::<i32>("Count")?).ok()
    }

    /// The page `number` (from 1) as a picture.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for a page that is not there, [`ErrorKind::LimitExceeded`] for a scan with more
    /// pixels than allowed, [`ErrorKind::Decode`] for a page without an area.
    pub fn page(&self, number: usize, options: &PdfPageOptions) -> Result<PdfPage> {
        let pages = self.pdf.pages();
        let page = number
            .checked_sub(1)
            .and_then(|index| pages.get(index))
            .ok_or_else(|| {
                let message = format!(
                    "has {}, there is no page {number}",
                    counted(pages.len(), "page")
                );
                Error::new(ErrorKind::InvalidArgument, message)
            })?;
        let (width, height) = page.render_dimensions();
        if !(width.is_finite() && height.is_finite() && width >= 1.0 && height >= 1.0) {
            return Err(Error::new(
                ErrorKind::Decode,
                format!("is {width} x {height} points large"),
            )
            .with_hint("open the PDF in a PDF viewer and save it again"));
        }

        let page_box = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let mut survey = Survey {
            page_box,
            pictures: Vec::new(),
            other_marks: false,
            glyphs: Vec::new(),
        };
        {
            let cache = InterpreterCache::new();
            let transform = page.initial_transform(true).to_kurbo();
            let mut context = Context::new(transform, page_box, &cache, page.xref(), settings());
            interpret_page(page, &mut context, &mut survey);
        }

        if let Some(scan) = survey.only_picture() {
            let (columns, rows) = scan.size;
            let pixels = u64::from(columns) * u64::from(rows);
            if pixels > options.max_pixels {
                return Err(Error::new(
                    ErrorKind::LimitExceeded,
                    format!(
                        "is a scan of {columns} x {rows} pixels, {pixels} in all, the limit is {}",
                        options.max_pixels
                    ),
                )
                .with_hint("raise `--max-page-pixels`"));
            }
            if let Some(quarter_turns) = scan.quarter_turns {
                let mut taker = TakePicture { picture: None };
                let cache = InterpreterCache::new();
                let mut context =
                    Context::new(Affine::IDENTITY, page_box, &cache, page.xref(), settings());
                interpret_page(page, &mut context, &mut taker);
                if let Some(picture) = taker.picture {
                    let image = match quarter_turns {
                        1 => picture.rotate90(),
                        2 => picture.rotate180(),
                        3 => picture.rotate270(),
                        _ => picture,
                    };
                    let (x_scale, y_scale) = (
                        f64::from(image.width()) / page_box.width(),
                        f64::from(image.height()) / page_box.height(),
                    );
                    return Ok(PdfPage {
                        dpi: (72.0 * x_scale) as f32,
                        embedded: true,
                        text: lines_of(&survey.glyphs, x_scale, y_scale),
                        image,
                    });
                }
            }
        }

        let wanted = match survey.only_picture() {
            // A scan that cannot be taken as it is (a stencil, a mirrored picture): draw it pixel for pixel.
            Some(scan) => (scan.size.0 as f32 / width).max(scan.size.1 as f32 / height),
            None => options.dpi / 72.0,
        };
        let scale = allowed_scale(wanted, (width, height), options.max_pixels);
        if width.min(height) * scale < 1.0 {
            // So much longer than wide that nothing is left of it at a size that can be drawn.
            return Err(Error::new(
                ErrorKind::LimitExceeded,
                format!(
                    "is {width} x {height} points large, too long for the limit of {} pixels",
                    options.max_pixels
                ),
            )
            .with_hint("cut the page in a PDF editor"));
        }
        let cache = RenderCache::new();
        let pixmap = render(
            page,
            &cache,
            &settings(),
            &RenderSettings::default(),
            &PixmapSettings {
                x_scale: scale,
                y_scale: scale,
                bg_color: WHITE,
            },
        );
        let (columns, rows) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
        let bytes: Vec<u8> = pixmap
            .data()
            .iter()
            .flat_map(|pixel| [pixel.r, pixel.g, pixel.b])
            .collect();
        let image = RgbImage::from_raw(columns, rows, bytes).ok_or_else(|| {
            Error::new(ErrorKind::Decode, "could not be drawn")
                .with_hint("open the PDF in a PDF viewer and save it again")
        })?;
        Ok(PdfPage {
            image: DynamicImage::ImageRgb8(image),
            dpi: 72.0 * scale,
            embedded: false,
            text: lines_of(&survey.glyphs, f64::from(scale), f64::from(scale)),
        })
    }
}

/// Whether a file ends before its end mark, or in the middle of what follows one.
fn ends_early(bytes: &[u8]) -> bool {
    const END_MARK: &[u8] = b"%%EOF";
    let mark = last_of(bytes, END_MARK);
    let begins_object = |window: &[u8]| window[0].is_ascii_digit() && window[1..] == *b" obj";
    mark.is_none_or(|mark| bytes[mark..].windows(5).any(begins_object))
}

/// Whether something is missing from the middle of a file: it has fewer bytes than it says (files made for the web do), or
/// its last table of objects begins earlier than it says.
fn is_shorter_than_it_says(bytes: &[u8]) -> bool {
    /// What programs on the way take from the beginning of a file, such as empty lines, is not missed.
    const NOT_MISSED: usize = 16;
    let is_less = |real: usize, said: usize| said.saturating_sub(real) > NOT_MISSED;
    let start = &bytes[..bytes.len().min(1024)];
    let said_length = first_of(start, b"/Linearized").and_then(|at| {
        let dictionary = &start[at..];
        let end = first_of(dictionary, b">>").unwrap_or(dictionary.len());
        let mut keys = dictionary[..end].split(|byte| *byte == b'/');
        keys.find_map(|key| number_at(key.strip_prefix(b"L")?))
    });
    if said_length.is_some_and(|said| is_less(bytes.len(), said)) {
        return true;
    }
    const KEYWORD: &[u8] = b"startxref";
    let Some(keyword) = last_of(bytes, KEYWORD) else {
        return false;
    };
    let Some(said) = number_at(&bytes[keyword + KEYWORD.len()..]) else {
        return false;
    };
    // A table is one of its own, or an object; the last thing before the keyword is one of them.
    let is_table = |rest: &[u8]| {
        let rest = rest.trim_ascii_start();
        let end = rest
            .iter()
            .position(|byte| !(byte.is_ascii_digit() || byte.is_ascii_whitespace()));
        let behind = end.map_or(&[][..], |end| &rest[end..]);
        rest.starts_with(b"xref") || (end > Some(0) && behind.starts_with(b"obj"))
    };
    if bytes.get(said..).is_some_and(is_table) {
        return false;
    }
    let before = &bytes[..keyword];
    let table = [&b"xref"[..], b" obj"]
        .into_iter()
        .filter_map(|mark| last_of(before, mark))
        .max();
    table.is_some_and(|real| is_less(real, said))
}

fn first_of(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

fn last_of(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).rposition(|window| window == word)
}

/// The number with which a text begins, after blanks.
fn number_at(text: &[u8]) -> Option<usize> {
    let text = text.trim_ascii_start();
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    std::str::from_utf8(&text[..end]).ok()?.parse().ok()
}

/// The scale (pixels a point) nearest to `wanted` that keeps a page of `size` points within the pixel limit and
/// within the 65,535 pixels a side that the drawing crate can hold.
fn allowed_scale(wanted: f32, size: (f32, f32), max_pixels: u64) -> f32 {
    let by_area = (max_pixels as f64 / (f64::from(size.0) * f64::from(size.1))).sqrt() as f32;
    let by_side = 65_535.0 / size.0.max(size.1);
    wanted.min(by_area).min(by_side)
}

/// What is drawn: the content of the page, not the notes that readers stuck on it.
fn settings() -> InterpreterSettings {
    InterpreterSettings {
        warning_sink: Arc::new(|_| {}),
        render_content: RenderContent::PAGE,
        ..InterpreterSettings::default()
    }
}

/// A picture placed on a page.
#[derive(Debug, Clone, Copy)]
struct PlacedPicture {
    /// Columns and rows of its pixels.
    size: (u32, u32),
    /// The part of the page it covers, in points from the top left.
    covers: Rect,
    /// How often to turn the pixels clockwise by 90 degrees so that they stand upright on the page; `None` when no
    /// number of turns does it, or when the pixels are a stencil.
    quarter_turns: Option<u8>,
}

/// A character and where it stands, in points from the top left of the page.
#[derive(Debug, Clone)]
struct PlacedGlyph {
    text: String,
    left: f64,
    right: f64,
    baseline: f64,
    size: f64,
}

/// Looks at what a page consists of without drawing it.
struct Survey {
    page_box: Rect,
    pictures: Vec<PlacedPicture>,
    /// Something that is neither a picture nor an invisible character (as text recognition leaves on scans).
    other_marks: bool,
    glyphs: Vec<PlacedGlyph>,
}

impl Survey {
    /// The picture, when the page is that picture and nothing else.
    fn only_picture(&self) -> Option<PlacedPicture> {
        match self.pictures[..] {
            [picture] if !self.other_marks => {
                let covered = picture.covers.intersect(self.page_box).area() / self.page_box.area();
                let cut = picture.covers.area() / self.page_box.area();
                // Scanning programs round the page size to whole points: a percent either way is the same page.
                (covered > 0.98 && cut < 1.02).then_some(picture)
            }
            _ => None,
        }
    }

    fn mark(&mut self, bounds: Rect, mode: &DrawMode) {
        // Paths drawn before the picture are its background; the picture hides them.
        if !matches!(mode, DrawMode::Invisible)
            && !self.pictures.is_empty()
            && bounds.overlaps(self.page_box)
        {
            self.other_marks = true;
        }
    }
}

impl<'a> Device<'a> for Survey {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.mark(
            props.transform.transform_rect_bbox(path.bounding_box()),
            mode,
        );
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, opacity: f32, mask: Option<SoftMask<'a>>, _: BlendMode) {
        if opacity < 1.0 || mask.is_some() {
            self.other_marks = true;
        }
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        for glyph in run.glyphs() {
            let transform = props.transform * glyph.transform();
            // A glyph is drawn in an em of 1000 units, y up.
            let origin = transform * Point::ZERO;
            let up = transform * Point::new(0.0, 1000.0);
            let size = origin.distance(up);
            if !matches!(mode, DrawMode::Invisible)
                && self.page_box.contains(origin)
                && glyph.as_unicode().is_none_or(|text| !is_blank(&text))
            {
                self.other_marks = true;
            }
            let upright = (origin.x - up.x).abs() < 0.05 * size && up.y < origin.y;
            let Some(text) = glyph.as_unicode() else {
                continue;
            };
            if !upright || !size.is_finite() || !self.page_box.contains(origin) {
                continue;
            }
            let advance = match &**glyph {
                Glyph::Outline(outline) => outline.advance_width(),
                Glyph::Type3(type3) => type3.advance_width(),
            };
            let end = transform * Point::new(f64::from(advance.unwrap_or(500.0)), 0.0);
            self.glyphs.push(PlacedGlyph {
                text: match text {
                    BfString::Char(character) => character.to_string(),
                    BfString::String(text) => text,
                },
                left: origin.x,
                right: end.x.max(origin.x),
                baseline: origin.y,
                size,
            });
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let size = (image.width(), image.height());
        let pixels = Rect::new(0.0, 0.0, f64::from(size.0), f64::from(size.1));
        let covers = props.transform.transform_rect_bbox(pixels);
        if props.soft_mask.is_some() || props.blend_mode != BlendMode::Normal {
            self.other_marks = true;
        }
        let quarter_turns = match image {
            Image::Stencil(_) => None,
            Image::Raster(_) => quarter_turns(props.transform),
        };
        self.pictures.push(PlacedPicture {
            size,
            covers,
            quarter_turns,
        });
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}

fn is_blank(text: &BfString) -> bool {
    match text {
        BfString::Char(character) => character.is_whitespace(),
        BfString::String(text) => text.trim().is_empty(),
    }
}

/// Clockwise quarter turns that a transform (pixels to page, both y down) makes, if it is nothing but that and a scale.
fn quarter_turns(transform: Affine) -> Option<u8> {
    let [a, b, c, d, _, _] = transform.as_coeffs();
    let small = 1e-3 * (a.abs() + b.abs() + c.abs() + d.abs());
    match (a, b, c, d) {
        _ if b.abs() < small && c.abs() < small => match (a > 0.0, d > 0.0) {
            (true, true) => Some(0),
            (false, false) => Some(2),
            _ => None,
        },
        _ if a.abs() < small && d.abs() < small => match (b > 0.0, c < 0.0) {
            (true, true) => Some(1),
            (false, false) => Some(3),
            _ => None,
        },
        _ => None,
    }
}

/// Decodes the one picture of a page.
struct TakePicture {
    picture: Option<DynamicImage>,
}

impl<'a> Device<'a> for TakePicture {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}

    fn draw_image(&mut self, image: Image<'a, '_>, _: ImageDrawProps<'a>) {
        let Image::Raster(raster) = image else { return };
        raster.with_rgba(
            |data, alpha| {
                // A picture with holes shows what lies below; it is drawn instead.
                if alpha.is_some() {
                    return;
                }
                self.picture = match data {
                    ImageData::Rgb(rgb) => RgbImage::from_raw(rgb.width, rgb.height, rgb.data)
                        .map(DynamicImage::ImageRgb8),
                    ImageData::Luma(luma) => {
                        GrayImage::from_raw(luma.width, luma.height, luma.data)
                            .map(DynamicImage::ImageLuma8)
                    }
                };
            },
            None,
        );
    }

    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// Groups glyphs into lines and scales points to pixels.
///
/// Glyphs share a line when their baselines differ by less than 0.4 em and no gap between them is wider than 2.5 em
/// (the usual gap between columns is wider, between words 0.25 to 1 em).
fn lines_of(glyphs: &[PlacedGlyph], x_scale: f64, y_scale: f64) -> Vec<TextLine> {
    let mut order: Vec<&PlacedGlyph> = glyphs.iter().collect();
    order.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut rows: Vec<Vec<&PlacedGlyph>> = Vec::new();
    for glyph in order {
        match rows.last_mut() {
            Some(row)
                if row.last().is_some_and(|last| {
                    glyph.baseline - last.baseline < 0.4 * glyph.size.max(1.0)
                }) =>
            {
                row.push(glyph);
            }
            _ => rows.push(vec![glyph]),
        }
    }
    let mut lines = Vec::new();
    for mut row in rows {
        row.sort_by(|a, b| a.left.total_cmp(&b.left));
        let mut start = 0;
        for end in 1..=row.len() {
            let breaks =
                end == row.len() || row[end].left - row[end - 1].right > 2.5 * row[end].size;
            if breaks {
                lines.extend(line_of(&row[start..end], x_scale, y_scale));
                start = end;
            }
        }
    }
    lines
}

/// One line out of its glyphs from left to right; none when it holds only blanks.
fn line_of(glyphs: &[&PlacedGlyph], x_scale: f64, y_scale: f64) -> Option<TextLine> {
    let mut text = String::new();
    for (index, glyph) in glyphs.iter().enumerate() {
        if index > 0
            && glyph.left - glyphs[index - 1].right > 0.2 * glyph.size
            && !text.ends_with(' ')
        {
            text.push(' ');
        }
        text.push_str(&glyph.text);
    }
    let text = text.trim().to_owned();
    if text.is_empty() {
        return None;
    }
    let ink: Vec<_> = glyphs
        .iter()
        .filter(|glyph| !glyph.text.trim().is_empty())
        .collect();
    let (first, last) = (ink.first()?, ink.last()?);
    let top = ink
        .iter()
        .map(|glyph| glyph.baseline - 0.75 * glyph.size)
        .fold(f64::INFINITY, f64::min);
    let bottom = ink
        .iter()
        .map(|glyph| glyph.baseline + 0.25 * glyph.size)
        .fold(f64::NEG_INFINITY, f64::max);
    Some(TextLine {
        text,
        left: (first.left * x_scale) as f32,
        top: (top * y_scale) as f32,
        right: (last.right * x_scale) as f32,
        bottom: (bottom * y_scale) as f32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PDF of one page of 200 x 100 points with a content stream and one grey 4 x 2 picture called `/P`.
    fn pdf_with(content: &str) -> Vec<u8> {
        let pixels = "0010203040506070>";
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> \
             /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> >> >>"
                .to_owned(),
            format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
            format!(
                "<< /Type /XObject /Subtype /Image /Width 4 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 \
                 /Filter /ASCIIHexDecode /Length {} >>\nstream\n{pixels}\nendstream",
                pixels.len()
            ),
        ];
        let mut bytes = b"%PDF-1.4\n".to_vec();
        let mut offsets = Vec::new();
        for (index, object) in objects.iter().enumerate() {
            offsets.push(bytes.len());
            bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).bytes());
        }
        let table = bytes.len();
        bytes.extend(b"xref\n0 6\n0000000000 65535 f \n");
        for offset in offsets {
            bytes.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        bytes.extend(
            format!("trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF").bytes(),
        );
        bytes
    }

    fn first_page(content: &str) -> PdfPage {
        let document = PdfDocument::parse(pdf_with(content)).expect("the file is a PDF");
        document
            .page(
                1,
                &PdfPageOptions {
                    dpi: 72.0,
                    max_pixels: 1_000_000,
                },
            )
            .expect("the page can be read")
    }

    fn grey(page: &PdfPage) -> Vec<u8> {
        page.image.to_luma8().into_raw()
    }

    #[test]
    fn a_page_that_is_one_picture_gives_its_pixels_untouched() {
        let page = first_page("q 200 0 0 100 0 0 cm /P Do Q");
        assert!(page.embedded);
        assert_eq!((page.image.width(), page.image.height()), (4, 2));
        assert_eq!(
            grey(&page),
            [0x00, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70]
        );
        assert!((page.dpi - 1.44).abs() < 1e-4);
    }

    #[test]
    fn a_scan_lying_on_its_side_is_turned_upright() {
        // Picture x runs up the page, picture y (down) to the right: pixels turned a quarter counter-clockwise.
        let document = PdfDocument::parse(pdf_with("q 0 100 -200 0 200 0 cm /P Do Q"))
            .expect("the file is a PDF");
        let page = document
            .page(1, &PdfPageOptions::default())
            .expect("the page can be read");
        assert_eq!((page.image.width(), page.image.height()), (2, 4));
        assert_eq!(
            grey(&page),
            [0x30, 0x70, 0x20, 0x60, 0x10, 0x50, 0x00, 0x40]
        );
    }

    #[test]
    fn a_picture_with_something_printed_on_it_is_drawn() {
        let page = first_page("q 200 0 0 100 0 0 cm /P Do Q 0 0 50 50 re f");
        assert!(!page.embedded);
        assert_eq!((page.image.width(), page.image.height()), (200, 100));
        assert_eq!(page.image.to_luma8().get_pixel(10, 90).0, [0]);
    }

    #[test]
    fn a_small_picture_is_part_of_a_drawn_page() {
        let page = first_page("q 20 0 0 10 0 0 cm /P Do Q");
        assert!(!page.embedded);
        assert_eq!(page.image.to_luma8().get_pixel(100, 50).0, [255]);
    }

    #[test]
    fn text_comes_in_lines_with_their_places_and_columns_apart() {
        let page = first_page(
            "BT /F 10 Tf 20 70 Td (White to move) Tj 100 0 Td (No. 7) Tj ET BT /F 8 Tf 20 20 Td (12) Tj ET",
        );
        let texts: Vec<&str> = page.text.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["White to move", "No. 7", "12"]);
        let line = &page.text[0];
        assert!((line.left - 20.0).abs() < 0.5, "{line:?}");
        assert!(
            line.top > 20.0 && line.top < 25.0 && line.bottom > 30.0 && line.bottom < 34.0,
            "{line:?}"
        );
        assert!(line.right > 80.0 && line.right < 92.0, "{line:?}");
    }

    #[test]
    fn invisible_text_over_a_scan_leaves_the_scan_and_is_read() {
        let page = first_page(
            "q 200 0 0 100 0 0 cm /P Do Q BT 3 Tr /F 10 Tf 20 70 Td (Black to move) Tj ET",
        );
        assert!(page.embedded);
        assert_eq!(page.text[0].text, "Black to move");
    }

    #[test]
    fn a_large_page_is_drawn_at_the_resolution_the_limit_allows() {
        assert!((allowed_scale(10.0, (1000.0, 1000.0), 4_000_000) - 2.0).abs() < 1e-6);
        assert!((allowed_scale(1.5, (1000.0, 1000.0), 4_000_000) - 1.5).abs() < 1e-6);
        assert!(allowed_scale(100.0, (10_000.0, 1.0), u64::MAX) * 10_000.0 <= 65_536.0);
    }

    #[test]
    fn a_scan_over_the_limit_is_an_error_that_says_the_limit() {
        let document = PdfDocument::parse(pdf_with("q 200 0 0 100 0 0 cm /P Do Q"))
            .expect("the file is a PDF");
        let error = document
            .page(
                1,
                &PdfPageOptions {
                    dpi: 72.0,
                    max_pixels: 7,
                },
            )
            .expect_err("eight pixels");
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert_eq!(
            error.to_string(),
            "is a scan of 4 x 2 pixels, 8 in all, the limit is 7"
        );
        assert_eq!(error.hint(), Some("raise `--max-page-pixels`"));
    }

    #[test]
    fn a_pdf_without_pages_is_refused_however_its_page_tree_fails() {
        let whole = String::from_utf8(pdf_with("")).expect("text");
        for kids in ["[]", "[2 0 R]", "[9 0 R]", "[null]"] {
            let bytes = whole.replace("[3 0 R]", kids).into_bytes();
            let error = PdfDocument::parse(bytes).expect_err(kids);
            assert_eq!(error.kind(), ErrorKind::Decode);
            assert_eq!(
                error.to_string(),
                "has no pages: the list of pages is empty, damaged or runs in a circle",
                "{kids}"
            );
        }
    }

    /// A PDF of three empty pages.
    fn three_pages() -> String {
        let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>\nendobj\n";
        format!(
            "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
             2 0 obj\n<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 >>\nendobj\n\
             3 0 obj\n{page}4 0 obj\n{page}5 0 obj\n{page}trailer << /Root 1 0 R >>\n%%EOF\n"
        )
    }

    fn damage(text: &str) -> Option<String> {
        let document = PdfDocument::parse(text.as_bytes().to_vec()).expect(text);
        document.damage().map(|error| error.to_string())
    }

    #[test]
    fn a_file_cut_short_anywhere_is_told_with_the_pages_that_could_be_found() {
        let whole = three_pages();
        assert_eq!(damage(&whole), None);
        // From the end of the first page to the last byte of the end mark.
        let first = whole.find("4 0 obj").expect("the second page");
        let end = whole.find("%%EOF").expect("the end mark") + "%%EOF".len();
        for length in first..end {
            let said = damage(&whole[..length]).expect("cut short");
            let found = (whole[..length].matches(">>\nendobj").count() - 2).clamp(1, 3);
            // A page whose last bytes alone are missing can be found or not.
            let most = (whole[..length].matches("/Type /Page ").count()).min(3);
            let expected = [found, most]
                .map(|found| format!("is cut short: {found} of 3 pages could be found"));
            assert!(expected.contains(&said), "{length}: {said}");
        }
    }

    #[test]
    fn a_file_cut_short_within_what_was_appended_to_it_is_told() {
        let appended = "6 0 obj\n<< /Type /Annot >>\nendobj\n";
        let end = "trailer << /Root 1 0 R >>\n%%EOF\n";
        let whole = three_pages();
        assert_eq!(damage(&format!("{whole}{appended}{end}")), None);
        assert_eq!(
            damage(&format!("{whole}{appended}")).as_deref(),
            Some("is cut short: 3 of 3 pages could be found")
        );
    }

    #[test]
    fn what_others_append_to_a_file_is_no_damage() {
        for appended in [
            "\0".repeat(5000),
            "<html>a page of errors</html>".repeat(99),
        ] {
            assert_eq!(damage(&(three_pages() + &appended)), None);
        }
    }

    #[test]
    fn a_file_with_a_hole_is_told_by_the_pages_it_names() {
        let holed = three_pages().replace("4 0 obj\n<< /Type", "4 0 xxx\n<< /Type");
        assert_eq!(
            damage(&holed).as_deref(),
            Some("is damaged: 2 of 3 pages could be found")
        );
        // A list that does not say how many pages it names.
        let listless = three_pages().replace(" /Count 3", "").replace("%%EOF", "");
        assert_eq!(
            damage(&listless).as_deref(),
            Some("is cut short: 3 pages could be found")
        );
    }

    #[test]
    fn a_piece_missing_anywhere_before_the_table_is_told_and_what_was_put_before_is_no_damage() {
        let whole = pdf_with(&"0 0 m 9 9 l S\n".repeat(20));
        let damage = |bytes: Vec<u8>| {
            let document = PdfDocument::parse(bytes).expect("the file is a PDF");
            document.damage().map(|error| error.to_string())
        };
        assert_eq!(damage(whole.clone()), None);
        let said = "is damaged, a piece of it is missing: 1 of 1 page could be found";
        let place = |word: &[u8]| first_of(&whole, word).expect("it is there");
        // Within the content of the page and within the digits of its picture.
        for (start, length) in [(place(b"0 0 m"), 20), (place(b"0 0 m"), 200)] {
            let holed = [&whole[..start], &whole[start + length..]].concat();
            assert_eq!(damage(holed).as_deref(), Some(said), "{start} {length}");
        }
        for before in [
            "\n",
            "\u{feff}",
            "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n",
        ] {
            assert_eq!(damage([before.as_bytes(), &whole].concat()), None);
        }
        // An empty line that was taken away at the beginning is not missed; a wrong place that lies before is another
        // program's fault.
        let text = String::from_utf8(whole.clone()).expect("text");
        let table = text.rfind("\nxref").expect("the table") + 1;
        for (said_table, is_damage) in [
            (0, false),
            (table - 30, false),
            (table + 2, false),
            (table + 100, true),
            (usize::MAX, true),
        ] {
            let other = text.replace(
                &format!("startxref\n{table}"),
                &format!("startxref\n{said_table}"),
            );
            assert_eq!(
                damage(other.into_bytes()).is_some(),
                is_damage,
                "{said_table}"
            );
        }
    }

    #[test]
    fn a_file_made_for_the_web_is_told_by_the_length_it_names() {
        let with_length = |length: usize| {
            let head = format!(
                "%PDF-1.4\n9 0 obj\n<< /Linearized 1 /L {length} /H [ 99 9 ] /N 3 >>\nendobj\n"
            );
            three_pages().replace("%PDF-1.4\n", &head)
        };
        let length = with_length(100).len();
        assert!(length < 1000);
        for said in [0, 100, length, length + 16] {
            assert_eq!(damage(&with_length(said)), None, "{said}");
        }
        let said = "is damaged, a piece of it is missing: 3 of 3 pages could be found";
        assert_eq!(damage(&with_length(length + 100)).as_deref(), Some(said));
    }

    #[test]
    fn bytes_that_are_no_pdf_and_pages_that_do_not_exist_are_errors() {
        assert_eq!(
            PdfDocument::parse(b"hello".to_vec())
                .expect_err("no PDF")
                .kind(),
            ErrorKind::Decode
        );
        let document = PdfDocument::parse(pdf_with("")).expect("the file is a PDF");
        assert_eq!(document.page_count(), 1);
        for number in [0, 2] {
            let error = document
                .page(number, &PdfPageOptions::default())
                .expect_err("no such page");
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        }
    }
}
