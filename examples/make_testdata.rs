//! Renders the pictures in `testdata/` and their manifest. Nothing there comes from anywhere else.
//!
//! Run from the root of the repository: `cargo run --release --example make_testdata`.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{ExtendedColorType, ImageBuffer, ImageEncoder, PixelWithColorType, Rgb, RgbImage};
use imageproc::drawing::{draw_filled_rect_mut, draw_hollow_rect_mut};
use imageproc::geometric_transformations::{Interpolation, Projection, warp_into};
use imageproc::rect::Rect;
use img2fen::render::{self, BoardStyle, Coordinates, RenderOptions};
use img2fen::{Color, Placement, Quad};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Wayward Queen Attack, after Black's third move.
const OPENING: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR";
/// A middlegame with both sides castled.
const MIDDLEGAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPQ1BPPP/R4RK1";
/// A rook ending.
const ENDING: &str = "8/5pk1/4p1p1/3pP2p/3P1P1P/2r3P1/R4K2/8";
/// Any pieces anywhere: what a reader that knows chess but not pictures would get wrong.
const IMPOSSIBLE: &str = "KQRBNPkq/rbnp4/8/PpPpPpPp/8/kK4qQ/1r1B1n1N/8";

fn main() -> Outcome<()> {
    let folder = Path::new("testdata");
    fs::create_dir_all(folder)?;
    let mut rows: Vec<Value> = Vec::new();
    for make in [
        screenshot,
        black_below,
        printed_page,
        photo,
        turned_by_exif,
        thumbnail,
        cut,
        table,
    ] {
        let made = make()?;
        fs::write(folder.join(made.file), &made.bytes)?;
        rows.push(made.row());
    }
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    fs::write(folder.join("MANIFEST.jsonl"), lines.join("\n") + "\n")?;
    Ok(())
}

struct Made {
    file: &'static str,
    kind: &'static str,
    proves: &'static str,
    bytes: Vec<u8>,
    boards: Vec<(&'static str, Color, Quad)>,
}

impl Made {
    fn row(&self) -> Value {
        let boards: Vec<Value> = self
            .boards
            .iter()
            .map(|(placement, bottom, quad)| {
                let corners = quad
                    .corners
                    .map(|corner| corner.map(|value| (value * 10.0).round() / 10.0));
                json!({
                    "placement": placement,
                    "bottom": bottom.name(),
                    "orientation_evident": true,
                    "corners": corners,
                })
            })
            .collect();
        json!({
            "file": self.file,
            "kind": self.kind,
            "proves": self.proves,
            "boards": boards,
        })
    }
}

/// A drawn board and the corners of its field in the drawing.
fn board(placement: &str, options: &RenderOptions) -> Outcome<(RgbImage, Quad)> {
    let placement: Placement = placement.parse()?;
    let picture = render::picture(&placement, options)?;
    let frame = match options.style {
        BoardStyle::Print => 0.06,
        BoardStyle::Colored { .. } => 0.0,
    };
    let margin = match options.coordinates {
        Coordinates::Outside => 0.46,
        Coordinates::None | Coordinates::Inside => 0.0,
    };
    let side = options.square_px as f32;
    let (left, top) = ((frame + margin) * side, frame * side);
    Ok((
        picture,
        Quad::rectangle(left, top, left + 8.0 * side, top + 8.0 * side),
    ))
}

fn moved(quad: &Quad, x: i64, y: i64) -> Quad {
    Quad::new(
        quad.corners
            .map(|corner| [corner[0] + x as f32, corner[1] + y as f32]),
    )
}

fn png<P>(picture: &ImageBuffer<P, Vec<u8>>) -> Outcome<Vec<u8>>
where
    P: PixelWithColorType<Subpixel = u8>,
{
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

fn jpeg(picture: &RgbImage, quality: u8) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).write_image(
        picture.as_raw(),
        picture.width(),
        picture.height(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(bytes)
}

fn fill(picture: &mut RgbImage, [x, y, width, height]: [u32; 4], colour: [u8; 3]) {
    draw_filled_rect_mut(
        picture,
        Rect::at(x as i32, y as i32).of_size(width, height),
        Rgb(colour),
    );
}

/// Grey bars of uneven length, as lines of text look from afar.
fn lines_of_text(picture: &mut RgbImage, [left, top, width, height]: [u32; 4]) {
    for (index, y) in (top..top + height).step_by(14).enumerate() {
        let shortened = (index as u32 * 37) % (width / 3);
        let mut x = left;
        while x + 30 < left + width - shortened {
            let word = 12 + (x * 7 + y * 3) % 31;
            fill(picture, [x, y, word, 6], [70, 70, 70]);
            x += word + 6;
        }
    }
}

fn screenshot() -> Outcome<Made> {
    let mut picture = RgbImage::from_pixel(820, 560, Rgb([38, 36, 33]));
    fill(&mut picture, [0, 0, 820, 48], [222, 225, 230]);
    fill(&mut picture, [90, 10, 560, 28], [255, 255, 255]);
    fill(&mut picture, [520, 70, 270, 440], [58, 56, 52]);
    for row in 0..10 {
        fill(&mut picture, [540, 96 + row * 36, 90, 12], [190, 190, 190]);
        fill(&mut picture, [660, 96 + row * 36, 70, 12], [150, 150, 150]);
    }
    let options = RenderOptions {
        square_px: 55,
        coordinates: Coordinates::Inside,
        style: BoardStyle::Colored {
            light: render::Rgb(238, 238, 210),
            dark: render::Rgb(118, 150, 86),
        },
        highlights: vec![
            ("d1".parse()?, render::HIGHLIGHT),
            ("h5".parse()?, render::HIGHLIGHT),
        ],
        ..RenderOptions::default()
    };
    let (drawn, quad) = board(OPENING, &options)?;
    imageops::overlay(&mut picture, &drawn, 40, 76);
    Ok(Made {
        file: "screenshot.png",
        kind: "screenshot",
        proves: "a board among browser bars and panels, coordinates inside, last move marked",
        bytes: png(&picture)?,
        boards: vec![(OPENING, Color::White, moved(&quad, 40, 76))],
    })
}

fn black_below() -> Outcome<Made> {
    let options = RenderOptions {
        view: Color::Black,
        square_px: 40,
        ..RenderOptions::default()
    };
    let (drawn, quad) = board(ENDING, &options)?;
    let mut picture = RgbImage::from_pixel(drawn.width() + 60, drawn.height() + 60, Rgb([255; 3]));
    imageops::overlay(&mut picture, &drawn, 30, 30);
    Ok(Made {
        file: "black-below.png",
        kind: "diagram",
        proves: "edge coordinates tell that Black is below",
        bytes: png(&picture)?,
        boards: vec![(ENDING, Color::Black, moved(&quad, 30, 30))],
    })
}

fn printed_page() -> Outcome<Made> {
    let mut picture = RgbImage::from_pixel(900, 1200, Rgb([246, 243, 234]));
    lines_of_text(&mut picture, [70, 50, 760, 120]);
    lines_of_text(&mut picture, [70, 600, 760, 90]);
    lines_of_text(&mut picture, [70, 1100, 760, 60]);
    let options = RenderOptions {
        square_px: 42,
        coordinates: Coordinates::None,
        style: BoardStyle::Print,
        ..RenderOptions::default()
    };
    let mut boards = Vec::new();
    for (placement, x, y) in [
        (OPENING, 70, 210),
        (MIDDLEGAME, 480, 210),
        (ENDING, 70, 720),
        (IMPOSSIBLE, 480, 720),
    ] {
        let (drawn, quad) = board(placement, &options)?;
        imageops::overlay(&mut picture, &drawn, x, y);
        boards.push((placement, Color::White, moved(&quad, x, y)));
    }
    Ok(Made {
        file: "printed-page.png",
        kind: "page",
        proves: "four hatched diagrams on a page of text are read in reading order; any arrangement is read as it is",
        // In grey, as a scanner would: a third of the size.
        bytes: png(&imageops::grayscale(&picture))?,
        boards,
    })
}

/// A diagram seen at an angle on a dark table, darker towards one side.
fn photo() -> Outcome<Made> {
    let options = RenderOptions {
        square_px: 60,
        ..RenderOptions::default()
    };
    let (drawn, field) = board(MIDDLEGAME, &options)?;
    let sheet = Quad::rectangle(0.0, 0.0, drawn.width() as f32, drawn.height() as f32);
    let seen = Quad::new([[120.0, 95.0], [560.0, 60.0], [640.0, 500.0], [60.0, 470.0]]);
    let homography = sheet.homography_to(&seen).ok_or("a degenerate quad")?;
    let mut picture = RgbImage::new(700, 560);
    let table = Rgb([92, 70, 52]);
    warp_into(
        &drawn,
        Projection::from_matrix(homography.matrix().as_flattened().try_into()?)
            .ok_or("a homography without an inverse")?,
        Interpolation::Bilinear,
        imageproc::geometric_transformations::Border::Constant(table),
        &mut picture,
    );
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let light = 1.0 - 0.35 * x as f32 / 700.0 - 0.1 * y as f32 / 560.0;
        pixel.0 = pixel.0.map(|value| (f32::from(value) * light) as u8);
    }
    let picture = imageops::blur(&picture, 0.8);
    Ok(Made {
        file: "photo.jpg",
        kind: "photo-screen",
        proves: "perspective, uneven light, blur and strong compression",
        bytes: jpeg(&picture, 55)?,
        boards: vec![(MIDDLEGAME, Color::White, field.projected(&homography))],
    })
}

/// A picture that lies on its side in the file; its EXIF data says how to turn it.
fn turned_by_exif() -> Outcome<Made> {
    let options = RenderOptions {
        square_px: 30,
        ..RenderOptions::default()
    };
    let (drawn, quad) = board(OPENING, &options)?;
    let mut upright = RgbImage::from_pixel(330, 300, Rgb([250; 3]));
    imageops::overlay(&mut upright, &drawn, 40, 20);
    let plain = jpeg(&imageops::rotate270(&upright), 90)?;
    // APP1 with a TIFF header and one directory entry: tag 0x0112 (orientation), type SHORT, value 6 (turn clockwise).
    let exif: &[u8] = &[
        0xff, 0xe1, 0, 34, b'E', b'x', b'i', b'f', 0, 0, b'M', b'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01,
        0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
    ];
    let bytes = [&plain[..2], exif, &plain[2..]].concat();
    Ok(Made {
        file: "turned-by-exif.jpg",
        kind: "diagram",
        proves: "the orientation in the EXIF data is applied; corners are those of the upright picture",
        bytes,
        boards: vec![(OPENING, Color::White, moved(&quad, 40, 20))],
    })
}

fn thumbnail() -> Outcome<Made> {
    let options = RenderOptions {
        square_px: 64,
        coordinates: Coordinates::None,
        ..RenderOptions::default()
    };
    let (drawn, _) = board(MIDDLEGAME, &options)?;
    Ok(Made {
        file: "thumbnail.png",
        kind: "diagram",
        proves: "a board that is the whole picture, 14 pixels a square",
        bytes: png(&imageops::resize(&drawn, 112, 112, FilterType::Triangle))?,
        boards: vec![(
            MIDDLEGAME,
            Color::White,
            Quad::rectangle(0.0, 0.0, 112.0, 112.0),
        )],
    })
}

fn cut() -> Outcome<Made> {
    let options = RenderOptions {
        square_px: 50,
        ..RenderOptions::default()
    };
    let (drawn, _) = board(MIDDLEGAME, &options)?;
    let mut picture = RgbImage::from_pixel(380, 480, Rgb([255; 3]));
    imageops::overlay(&mut picture, &drawn, 30, 20);
    Ok(Made {
        file: "cut.png",
        kind: "negative",
        proves: "a board whose right files lie outside the picture is not read",
        bytes: png(&picture)?,
        boards: Vec::new(),
    })
}

fn table() -> Outcome<Made> {
    let mut picture = RgbImage::from_pixel(520, 420, Rgb([255; 3]));
    lines_of_text(&mut picture, [30, 24, 460, 50]);
    for row in 0..7 {
        for column in 0..5 {
            let place = Rect::at(30 + column * 92, 100 + row * 40).of_size(92, 40);
            draw_hollow_rect_mut(&mut picture, place, Rgb([60; 3]));
            let (x, y) = (46 + column as u32 * 92, 116 + row as u32 * 40);
            fill(&mut picture, [x, y, 30 + (x * y) % 30, 7], [90, 90, 90]);
        }
    }
    Ok(Made {
        file: "table.png",
        kind: "negative",
        proves: "a table is no board",
        bytes: png(&picture)?,
        boards: Vec::new(),
    })
}
