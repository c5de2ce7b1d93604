//! Makes a scanned book for measuring: `make_book OUT.pdf [PAGES]`.
//!
//! Each page is one grey JPEG of A4 at 300 dpi with six diagrams in print style, three rows of two, a square beside each
//! diagram that tells the side to move, a slight turn of the sheet, paper tone, shadow towards the binding and noise.
//! Beside the PDF goes `OUT.jsonl` with what stands on each board. Equal arguments give equal bytes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use image::codecs::jpeg::JpegEncoder;
use image::{GrayImage, Luma, imageops};
use img2fen::render::{BoardStyle, RenderOptions, picture};
use img2fen::{Color, Piece, Placement, Square};

const WIDTH: u32 = 2480;
const HEIGHT: u32 = 3508;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    // A word that begins like an option is no name of a book.
    let out = arguments
        .next()
        .filter(|out| !out.as_encoded_bytes().starts_with(b"-"));
    let out = PathBuf::from(out.ok_or("usage: make_book OUT.pdf [PAGES]")?);
    let pages: u32 = arguments
        .next()
        .and_then(|count| count.to_str()?.parse().ok())
        .unwrap_or(300);
    let mut truth = BufWriter::new(File::create(out.with_extension("jsonl"))?);
    let mut pdf = Pdf::new(BufWriter::new(File::create(&out)?))?;
    for page in 1..=pages {
        let mut random = Random(u64::from(page) * 0x9e37_79b9_7f4a_7c15 + 1);
        let mut sheet = GrayImage::from_pixel(WIDTH, HEIGHT, Luma([255]));
        for board in 0..6 {
            let placement = random.placement();
            let turn = if random.below(2) == 0 {
                Color::White
            } else {
                Color::Black
            };
            let options = RenderOptions {
                square_px: 90,
                style: BoardStyle::Print,
                ..RenderOptions::default()
            };
            let diagram =
                image::DynamicImage::ImageRgb8(picture(&placement, &options)?).into_luma8();
            let (x, y) = (260 + 1080 * (board % 2), 250 + 1040 * (board / 2));
            imageops::replace(&mut sheet, &diagram, i64::from(x), i64::from(y));
            marker(&mut sheet, x + diagram.width() + 26, y + 640, turn);
            let turn = turn.letter();
            writeln!(
                truth,
                "{{\"page\":{page},\"board\":{},\"placement\":\"{placement}\",\"turn\":\"{turn}\"}}",
                board + 1
            )?;
        }
        let mut jpeg = Vec::new();
        scanned(&sheet, &mut random)
            .write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, 75))?;
        pdf.page(&jpeg)?;
    }
    pdf.finish()?;
    truth.flush()?;
    Ok(())
}

/// A square of 34 pixels: empty for White, filled for Black.
fn marker(sheet: &mut GrayImage, left: u32, top: u32, turn: Color) {
    for (x, y) in (0..34).flat_map(|y| (0..34).map(move |x| (x, y))) {
        let edge = x.min(y).min(33 - x).min(33 - y) < 4;
        if edge || turn == Color::Black {
            sheet.put_pixel(left + x, top + y, Luma([0]));
        }
    }
}

/// The sheet as a scanner sees it.
fn scanned(sheet: &GrayImage, random: &mut Random) -> GrayImage {
    let angle = (random.below(800) as f32 - 400.0) / 100.0 / 57.3 / 8.0;
    let (sine, cosine) = angle.sin_cos();
    let (middle_x, middle_y) = (WIDTH as f32 / 2.0, HEIGHT as f32 / 2.0);
    GrayImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let (dx, dy) = (x as f32 - middle_x, y as f32 - middle_y);
        let (u, v) = (
            middle_x + cosine * dx + sine * dy,
            middle_y - sine * dx + cosine * dy,
        );
        let (left, top) = (u.floor(), v.floor());
        let at = |column: f32, row: f32| match (column, row) {
            (c, r) if c >= 0.0 && r >= 0.0 && c < WIDTH as f32 && r < HEIGHT as f32 => {
                f32::from(sheet.get_pixel(c as u32, r as u32).0[0])
            }
            _ => 255.0,
        };
        let (across, down) = (u - left, v - top);
        let upper = at(left, top) * (1.0 - across) + at(left + 1.0, top) * across;
        let lower = at(left, top + 1.0) * (1.0 - across) + at(left + 1.0, top + 1.0) * across;
        let print = (upper * (1.0 - down) + lower * down) / 255.0;
        let shadow = 1.0 - 0.25 * (-(x as f32) / 150.0).exp();
        // The noise of a flatbed scanner: a standard deviation of 2.6 grey levels.
        let noise = random.below(9) as f32 - 4.0;
        Luma([((40.0 + 195.0 * print) * shadow + noise).clamp(0.0, 255.0) as u8])
    })
}

/// Xorshift64* (Vigna 2016): small, and the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
    }

    /// Two kings and up to 26 other pieces, no pawn on its first or last rank.
    fn placement(&mut self) -> Placement {
        let mut placement = Placement::EMPTY;
        let others = 4 + self.below(23);
        let letters: Vec<char> = "Kk"
            .chars()
            .chain((0..others).map(|_| self.letter()))
            .collect();
        for letter in letters {
            let piece = Piece::from_letter(letter);
            loop {
                let square = Square::from_index(self.below(64) as usize);
                let Some(square) = square.filter(|square| placement.get(*square).is_none()) else {
                    continue;
                };
                if letter.eq_ignore_ascii_case(&'p') && matches!(square.rank(), 0 | 7) {
                    continue;
                }
                placement.set(square, piece);
                break;
            }
        }
        placement
    }

    fn letter(&mut self) -> char {
        let letters = b"PPPPPPNNBBRRQppppppnnbbrrq";
        char::from(letters[self.below(letters.len() as u64) as usize])
    }
}

/// A PDF with one JPEG a page, written as it grows.
struct Pdf<W: Write> {
    out: W,
    written: usize,
    offsets: Vec<usize>,
    pages: Vec<usize>,
}

impl<W: Write> Pdf<W> {
    fn new(out: W) -> std::io::Result<Self> {
        let mut pdf = Self {
            out,
            written: 0,
            offsets: Vec::new(),
            pages: Vec::new(),
        };
        pdf.put(b"%PDF-1.4\n")?;
        // Objects 1 and 2 are the catalogue and the list of pages; they are written last.
        pdf.offsets.extend([0, 0]);
        Ok(pdf)
    }

    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.written += bytes.len();
        self.out.write_all(bytes)
    }

    /// Writes an object and gives its number.
    fn object(&mut self, head: &str, stream: Option<&[u8]>) -> std::io::Result<usize> {
        self.offsets.push(self.written);
        let number = self.offsets.len();
        self.put(format!("{number} 0 obj\n{head}\n").as_bytes())?;
        if let Some(stream) = stream {
            self.put(b"stream\n")?;
            self.put(stream)?;
            self.put(b"\nendstream\n")?;
        }
        self.put(b"endobj\n")?;
        Ok(number)
    }

    fn page(&mut self, jpeg: &[u8]) -> std::io::Result<()> {
        let head = format!(
            "<< /Type /XObject /Subtype /Image /Width {WIDTH} /Height {HEIGHT} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode /Length {} >>",
            jpeg.len()
        );
        let picture = self.object(&head, Some(jpeg))?;
        let content = b"q 595.2 0 0 841.92 0 0 cm /P Do Q";
        let content = self.object(&format!("<< /Length {} >>", content.len()), Some(content))?;
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595.2 841.92] /Contents {content} 0 R /Resources << /XObject << /P {picture} 0 R >> >> >>"
        );
        let page = self.object(&page, None)?;
        self.pages.push(page);
        Ok(())
    }

    fn finish(mut self) -> std::io::Result<()> {
        let kids: Vec<String> = self
            .pages
            .iter()
            .map(|page| format!("{page} 0 R"))
            .collect();
        let list = format!(
            "<< /Type /Pages /Count {} /Kids [{}] >>",
            kids.len(),
            kids.join(" ")
        );
        for (number, object) in [(1, "<< /Type /Catalog /Pages 2 0 R >>"), (2, list.as_str())] {
            self.offsets[number - 1] = self.written;
            self.put(format!("{number} 0 obj\n{object}\nendobj\n").as_bytes())?;
        }
        let table = self.written;
        let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", self.offsets.len() + 1);
        for offset in &self.offsets {
            end.push_str(&format!("{offset:010} 00000 n \n"));
        }
        end.push_str(&format!(
            "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n",
            self.offsets.len() + 1
        ));
        self.put(end.as_bytes())?;
        self.out.flush()
    }
}
