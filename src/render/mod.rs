//! Pictures of positions: SVG, and PNG with the feature `render`.
//!
//! The pieces are img2fen's own drawings. The board is coloured as on a screen, or black and white with hatched dark
//! squares as in print.

mod pieces;

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::position::{Color, Piece, Placement, Role, Square};

/// A colour of a picture.
///
/// ```
/// use img2fen::render::Rgb;
///
/// assert_eq!("#f0d9b5".parse(), Ok(Rgb(0xf0, 0xd9, 0xb5)));
/// assert_eq!(Rgb(255, 0, 10).to_string(), "#ff000a");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(
    /// Red.
    pub u8,
    /// Green.
    pub u8,
    /// Blue.
    pub u8,
);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// A text that is not a colour.
///
/// ```
/// let error = "red".parse::<img2fen::render::Rgb>().unwrap_err();
/// assert!(error.to_string().starts_with("`red` is not a colour"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a colour; write six hexadecimal digits, such as `#f0d9b5`")]
pub struct ParseRgbError(String);

impl FromStr for Rgb {
    type Err = ParseRgbError;

    /// Reads `#f0d9b5`, also without `#`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let is_hexadecimal = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        match u32::from_str_radix(digits, 16) {
            Ok(number) if is_hexadecimal => {
                let [_, red, green, blue] = number.to_be_bytes();
                Ok(Self(red, green, blue))
            }
            _ => Err(ParseRgbError(text.chars().take(20).collect())),
        }
    }
}

/// Where the letters of the files and the numbers of the ranks stand.
///
/// ```
/// use img2fen::render::{Coordinates, RenderOptions};
///
/// assert_eq!(RenderOptions::default().coordinates, Coordinates::Outside);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// Nowhere.
    None,
    /// Left of and below the board.
    #[default]
    Outside,
    /// In the corners of the squares at the edge.
    Inside,
}

/// How the squares look.
///
/// ```
/// use img2fen::{Placement, render::{BoardStyle, RenderOptions, svg}};
///
/// let options = RenderOptions { style: BoardStyle::Print, ..RenderOptions::default() };
/// assert!(svg(&Placement::EMPTY, &options).contains("<pattern "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardStyle {
    /// Two colours.
    Colored {
        /// Colour of the light squares.
        light: Rgb,
        /// Colour of the dark squares.
        dark: Rgb,
    },
    /// Black and white as in a book: dark squares are hatched.
    Print,
}

impl Default for BoardStyle {
    /// Two shades of wood.
    fn default() -> Self {
        Self::Colored {
            light: Rgb(0xf0, 0xd9, 0xb5),
            dark: Rgb(0xb5, 0x88, 0x63),
        }
    }
}

/// How a position is drawn.
///
/// ```
/// use img2fen::{Color, render::RenderOptions};
///
/// let options = RenderOptions { view: Color::Black, square_px: 40, ..RenderOptions::default() };
/// assert_eq!(options.highlights, []);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// The side below.
    pub view: Color,
    /// Side of a square in pixels, 8 to 512; values outside are brought in.
    pub square_px: u32,
    /// Where the coordinates stand.
    pub coordinates: Coordinates,
    /// How the squares look.
    pub style: BoardStyle,
    /// Squares to mark, each with its colour: tinted, or framed in print style.
    pub highlights: Vec<(Square, Rgb)>,
}

/// The colour of a highlighted square when nobody says which.
///
/// ```
/// assert_eq!(img2fen::render::HIGHLIGHT.to_string(), "#f5d020");
/// ```
pub const HIGHLIGHT: Rgb = Rgb(0xf5, 0xd0, 0x20);

impl Default for RenderOptions {
    /// White below, 60 px squares, coordinates outside, coloured.
    fn default() -> Self {
        Self {
            view: Color::White,
            square_px: 60,
            coordinates: Coordinates::default(),
            style: BoardStyle::default(),
            highlights: Vec::new(),
        }
    }
}

/// Drawing units of a square's side.
const SQUARE: u32 = 100;
/// Room for coordinates outside the board, in drawing units.
const MARGIN: u32 = 46;
/// Room for the frame of a board in print, in drawing units.
const FRAME: u32 = 6;

/// The lengths of a drawing, in drawing units.
struct Layout {
    /// The board's left edge.
    left: u32,
    /// The board's upper edge.
    top: u32,
    width: u32,
    height: u32,
}

impl RenderOptions {
    fn layout(&self) -> Layout {
        let frame = match self.style {
            BoardStyle::Print => FRAME,
            BoardStyle::Colored { .. } => 0,
        };
        let margin = match self.coordinates {
            Coordinates::Outside => MARGIN,
            Coordinates::None | Coordinates::Inside => 0,
        };
        Layout {
            left: margin + frame,
            top: frame,
            width: margin + 8 * SQUARE + 2 * frame,
            height: margin + 8 * SQUARE + 2 * frame,
        }
    }

    /// Column and row of a square as seen, from the top left.
    const fn place(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (square.file() as u32, square.rank() as u32);
        match self.view {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }

    /// Width and height of the picture in pixels.
    ///
    /// ```
    /// use img2fen::render::{Coordinates, RenderOptions};
    ///
    /// let options = RenderOptions { coordinates: Coordinates::None, ..RenderOptions::default() };
    /// assert_eq!(options.size_px(), (480, 480));
    /// ```
    pub fn size_px(&self) -> (u32, u32) {
        let layout = self.layout();
        let pixels = |units: u32| (units * self.square_px()).div_ceil(SQUARE);
        (pixels(layout.width), pixels(layout.height))
    }

    fn square_px(&self) -> u32 {
        self.square_px.clamp(8, 512)
    }
}

/// Draws a position as an SVG document that needs nothing else, no fonts either.
///
/// ```
/// use img2fen::{Placement, render};
///
/// let svg = render::svg(&Placement::start(), &render::RenderOptions::default());
/// assert!(svg.starts_with("<svg "));
/// // 32 pieces, each a reference to one of twelve drawings.
/// assert_eq!(svg.matches("<use ").count(), 32);
/// ```
pub fn svg(placement: &Placement, options: &RenderOptions) -> String {
    let Layout { left, top, .. } = options.layout();
    let (width_px, height_px) = options.size_px();
    // A picture is whole pixels wide; with the view box cut to match, a square is exactly as large as asked.
    let units = |pixels: u32| f64::from(pixels * SQUARE) / f64::from(options.square_px());
    let (view_width, view_height) = (units(width_px), units(height_px));
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width_px}" height="{height_px}" viewBox="0 0 {view_width} {view_height}">"#
    );
    // Writing to a String cannot fail.
    let _ = write!(svg, "<title>{placement}</title>");
    definitions(&mut svg, placement, options.style);
    let _ = write!(
        svg,
        r##"<rect width="{view_width}" height="{view_height}" fill="#fff"/>"##
    );
    let _ = write!(svg, r#"<g transform="translate({left},{top})">"#);
    board(&mut svg, options);
    for &(square, color) in &options.highlights {
        highlight(&mut svg, options, square, color);
    }
    if options.coordinates == Coordinates::Inside {
        coordinates_inside(&mut svg, options);
    }
    for (square, piece) in placement.pieces() {
        let (column, row) = options.place(square);
        let (x, y) = (column * SQUARE, row * SQUARE);
        let _ = write!(svg, r##"<use href="#{}" x="{x}" y="{y}"/>"##, id(piece));
    }
    if options.coordinates == Coordinates::Outside {
        coordinates_outside(&mut svg, options);
    }
    svg.push_str("</g></svg>\n");
    svg
}

/// A piece as SVG elements in a box of 100 x 100, for a document that draws the board itself.
///
/// ```
/// use img2fen::{Piece, render::piece_svg};
///
/// assert!(piece_svg(Piece::from_letter('K').unwrap()).starts_with('<'));
/// ```
#[must_use]
pub fn piece_svg(piece: Piece) -> String {
    pieces::piece(piece, 0.0)
}

fn id(piece: Piece) -> String {
    format!("{}-{}", piece.color.name(), piece.role.name())
}

/// The drawings that the board refers to.
fn definitions(svg: &mut String, placement: &Placement, style: BoardStyle) {
    svg.push_str("<defs>");
    let halo = if style == BoardStyle::Print { 3.0 } else { 0.0 };
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = Piece::new(color, role);
            if placement.squares_of(piece).next().is_some() {
                let drawing = pieces::piece(piece, halo);
                let _ = write!(svg, r#"<g id="{}">{drawing}</g>"#, id(piece));
            }
        }
    }
    if style == BoardStyle::Print {
        // Eight lines a square, so that they meet at the edges of squares.
        svg.push_str(
            r##"<pattern id="hatching" width="12.5" height="12.5" patternUnits="userSpaceOnUse"><path d="M-2 14.5L14.5 -2M-2 2L2 -2M10.5 14.5L14.5 10.5" stroke="#1a1a1a" stroke-width="1.8"/></pattern>"##,
        );
    }
    svg.push_str("</defs>");
}

fn board(svg: &mut String, options: &RenderOptions) {
    let side = 8 * SQUARE;
    let (light, dark) = match options.style {
        BoardStyle::Colored { light, dark } => (light.to_string(), dark.to_string()),
        BoardStyle::Print => ("#fff".to_owned(), "url(#hatching)".to_owned()),
    };
    let _ = write!(
        svg,
        r#"<rect width="{side}" height="{side}" fill="{light}"/>"#
    );
    let mut path = String::new();
    for square in Square::all().filter(|square| !square.is_light()) {
        let (column, row) = options.place(square);
        let (x, y) = (column * SQUARE, row * SQUARE);
        let _ = write!(path, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    let _ = write!(svg, r#"<path d="{path}" fill="{dark}"/>"#);
    if options.style == BoardStyle::Print {
        let outer = side + 4;
        let _ = write!(
            svg,
            r##"<rect x="-2" y="-2" width="{outer}" height="{outer}" fill="none" stroke="#1a1a1a" stroke-width="4"/>"##
        );
    }
}

fn highlight(svg: &mut String, options: &RenderOptions, square: Square, color: Rgb) {
    let (column, row) = options.place(square);
    let (x, y) = (column * SQUARE, row * SQUARE);
    let _ = match options.style {
        BoardStyle::Colored { .. } => write!(
            svg,
            r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{color}" fill-opacity="0.6"/>"#
        ),
        BoardStyle::Print => {
            let (x, y, side) = (x + 4, y + 4, SQUARE - 8);
            write!(
                svg,
                r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="none" stroke="{color}" stroke-width="7"/>"#
            )
        }
    };
}

/// One letter or digit with its upper left corner at x, y and a cap height of `size`.
fn glyph(svg: &mut String, character: char, x: f32, y: f32, size: f32, ink: &str) {
    let scale = size / 11.0;
    let strokes = pieces::glyph(character);
    let _ = write!(
        svg,
        r#"<path d="{strokes}" transform="translate({x},{y}) scale({scale:.3})" fill="none" stroke="{ink}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>"#
    );
}

/// The file letter of each column and the rank digit of each row, as seen.
fn labels(options: &RenderOptions) -> ([char; 8], [char; 8]) {
    let mut files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    let mut ranks = ['8', '7', '6', '5', '4', '3', '2', '1'];
    if options.view == Color::Black {
        files.reverse();
        ranks.reverse();
    }
    (files, ranks)
}

fn coordinates_outside(svg: &mut String, options: &RenderOptions) {
    const SIZE: f32 = 24.0;
    // The box of a glyph is 9 wide for a height of 11.
    const WIDTH: f32 = SIZE * 9.0 / 11.0;
    let frame = options.layout().top as f32;
    let (files, ranks) = labels(options);
    let middle = |index: usize| (index as f32 + 0.5) * SQUARE as f32;
    for (index, (file, rank)) in files.into_iter().zip(ranks).enumerate() {
        let below = 8.0 * SQUARE as f32 + frame + 9.0;
        glyph(
            svg,
            file,
            middle(index) - WIDTH / 2.0,
            below,
            SIZE,
            "#404040",
        );
        let beside = -frame - 12.0 - WIDTH;
        glyph(
            svg,
            rank,
            beside,
            middle(index) - SIZE / 2.0,
            SIZE,
            "#404040",
        );
    }
}

fn coordinates_inside(svg: &mut String, options: &RenderOptions) {
    const SIZE: f32 = 17.0;
    let (files, ranks) = labels(options);
    // As seen, the squares of the left column and bottom row alternate from a dark one at the bottom left corner,
    // whichever side is below.
    let ink = |dark_square: bool| match (options.style, dark_square) {
        (BoardStyle::Colored { light, .. }, true) => light.to_string(),
        (BoardStyle::Colored { dark, .. }, false) => dark.to_string(),
        (BoardStyle::Print, _) => "#1a1a1a".to_owned(),
    };
    for (index, (file, rank)) in files.into_iter().zip(ranks).enumerate() {
        let near = index as f32 * SQUARE as f32;
        let side = SQUARE as f32;
        let (file_x, file_y) = (near + side - 19.0, 8.0 * side - 23.0);
        glyph(svg, file, file_x, file_y, SIZE, &ink(index % 2 == 0));
        glyph(svg, rank, 5.0, near + 6.0, SIZE, &ink(index % 2 == 1));
    }
}

/// Draws a position as the bytes of a PNG file.
///
/// ```
/// use img2fen::{Placement, render};
///
/// let png = render::png(&Placement::start(), &render::RenderOptions::default()).unwrap();
/// assert_eq!(&png[1..4], b"PNG");
/// ```
///
/// # Errors
///
/// When the picture cannot be drawn or encoded; the sizes of [`RenderOptions`] leave no known way to that.
#[cfg(feature = "render")]
pub fn png(placement: &Placement, options: &RenderOptions) -> Result<Vec<u8>, RenderError> {
    let picture = picture(placement, options)?;
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .map_err(|error| RenderError(error.to_string()))?;
    Ok(bytes.into_inner())
}

/// Draws a position as pixels.
///
/// ```
/// use img2fen::{Placement, render::{RenderOptions, picture}};
///
/// let options = RenderOptions { square_px: 8, ..RenderOptions::default() };
/// let picture = picture(&Placement::EMPTY, &options).unwrap();
/// assert_eq!(picture.dimensions(), options.size_px());
/// ```
///
/// # Errors
///
/// As [`png`].
#[cfg(feature = "render")]
pub fn picture(
    placement: &Placement,
    options: &RenderOptions,
) -> Result<image::RgbImage, RenderError> {
    use resvg::{tiny_skia, usvg};

    let document = svg(placement, options);
    let tree = usvg::Tree::from_str(&document, &usvg::Options::default())
        .map_err(|error| RenderError(error.to_string()))?;
    let (width, height) = options.size_px();
    let mut pixels = tiny_skia::Pixmap::new(width, height)
        .ok_or_else(|| RenderError(format!("no memory for {width} x {height} pixels")))?;
    resvg::render(
        &tree,
        tiny_skia::Transform::identity(),
        &mut pixels.as_mut(),
    );
    let rgb = pixels
        .data()
        .chunks_exact(4)
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
        .collect();
    image::RgbImage::from_raw(width, height, rgb)
        .ok_or_else(|| RenderError("the pixels do not fill the picture".to_owned()))
}

/// A position that could not be drawn.
///
/// ```
/// use img2fen::{Placement, render::{RenderError, RenderOptions, png}};
///
/// fn start() -> Result<Vec<u8>, RenderError> {
///     png(&Placement::start(), &RenderOptions { square_px: 8, ..RenderOptions::default() })
/// }
/// assert!(start().is_ok());
/// ```
#[cfg(feature = "render")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the position cannot be drawn: {0}")]
pub struct RenderError(String);

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> RenderOptions {
        RenderOptions {
            coordinates: Coordinates::None,
            ..RenderOptions::default()
        }
    }

    #[test]
    fn a_square_stands_where_the_view_says() {
        let placement: Placement = "8/8/8/8/8/8/8/Q7".parse().unwrap();
        let white = svg(&placement, &plain());
        assert!(white.contains(r##"<use href="#white-queen" x="0" y="700"/>"##));
        let options = RenderOptions {
            view: Color::Black,
            ..plain()
        };
        let black = svg(&placement, &options);
        assert!(black.contains(r##"<use href="#white-queen" x="700" y="0"/>"##));
    }

    #[test]
    fn coordinates_outside_and_the_frame_of_print_add_to_the_size() {
        assert_eq!(plain().size_px(), (480, 480));
        let outside = RenderOptions::default();
        assert_eq!(outside.size_px(), (508, 508));
        let print = RenderOptions {
            style: BoardStyle::Print,
            ..plain()
        };
        assert_eq!(print.size_px(), (488, 488));
        let tiny = RenderOptions {
            square_px: 0,
            ..plain()
        };
        assert_eq!(tiny.size_px(), (64, 64));
    }

    #[test]
    fn colors_are_read_and_written() {
        for bad in ["", "#fff", "#12345g", "+12345", "#1234567", "é12345"] {
            assert!(bad.parse::<Rgb>().is_err(), "{bad}");
        }
        assert_eq!("B58863".parse::<Rgb>().unwrap().to_string(), "#b58863");
    }

    #[cfg(feature = "render")]
    #[test]
    fn squares_have_their_colours_in_the_pixels() {
        let options = RenderOptions {
            square_px: 20,
            highlights: vec![("e4".parse().unwrap(), Rgb(255, 0, 0))],
            ..plain()
        };
        let picture = picture(&Placement::EMPTY, &options).unwrap();
        let at = |file: u32, rank: u32| picture.get_pixel(file * 20 + 10, (7 - rank) * 20 + 10).0;
        assert_eq!(at(0, 0), [0xb5, 0x88, 0x63]);
        assert_eq!(at(7, 0), [0xf0, 0xd9, 0xb5]);
        // Six tenths of red over the light square, to the last bit of rounding.
        for (found, expected) in at(4, 3).into_iter().zip([249u8, 87, 72]) {
            assert!(found.abs_diff(expected) <= 1, "{found} {expected}");
        }
    }

    #[cfg(feature = "render")]
    #[test]
    fn white_and_black_pieces_are_light_and_dark_inside() {
        let placement: Placement = "8/8/8/8/8/8/8/R6r".parse().unwrap();
        for style in [BoardStyle::default(), BoardStyle::Print] {
            let options = RenderOptions { style, ..plain() };
            let picture = picture(&placement, &options).unwrap();
            let offset = options.layout().top * 60 / 100;
            let at = |column: u32| {
                picture
                    .get_pixel(offset + column * 60 + 30, offset + 7 * 60 + 33)
                    .0
            };
            assert_eq!(at(0), [255; 3]);
            assert_eq!(at(7), [0x26; 3]);
        }
    }
}
