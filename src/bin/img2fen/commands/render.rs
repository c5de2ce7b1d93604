//! `img2fen render FEN -o board.svg|png`: a picture of a position.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use img2fen::render::{BoardStyle, Coordinates, HIGHLIGHT, RenderOptions, Rgb, png, svg};
use img2fen::{Error, ErrorKind, Square};

use super::positions::{View, one_fen, unquoted_fen};
use crate::exit::Exit;
use crate::output::write_file;
use crate::ui::Ui;

/// A position to draw.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  the picture is written
  2  wrong usage: no position, or a name that ends neither in .svg nor in .png
  4  the picture cannot be written

Examples:
  img2fen render start -o board.svg
  img2fen render 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' -o board.png --view black --highlight e1,h1
  img2fen render start -o book.png --print --coordinates none")]
pub struct RenderArgs {
    /// A FEN (the board alone is enough), an EPD, a link, or `start`
    #[arg(value_name = "FEN", required = true)]
    position: Vec<String>,
    /// Where to write: a name ending in .svg or .png, or `-` for SVG on standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// The side below
    #[arg(long, value_enum, default_value_t)]
    view: View,
    /// Side of a square in pixels
    #[arg(long, value_name = "PX", default_value_t = 60, value_parser = clap::value_parser!(u32).range(8..=512))]
    square_size: u32,
    /// Where letters and digits of files and ranks stand
    #[arg(long, value_enum, default_value_t)]
    coordinates: Place,
    /// Squares to mark, between commas, with a colour after `:` if wanted: `e4,d5` or `e4:#ff0000`; may be repeated
    #[arg(long, value_name = "SQUARES", value_parser = parse_highlight)]
    highlight: Vec<Highlight>,
    /// Colour of the light squares
    #[arg(long, value_name = "COLOUR", conflicts_with = "print")]
    light: Option<Rgb>,
    /// Colour of the dark squares
    #[arg(long, value_name = "COLOUR", conflicts_with = "print")]
    dark: Option<Rgb>,
    /// Black and white as in a book, with hatched dark squares
    #[arg(long)]
    print: bool,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Place {
    /// Left of and below the board
    #[default]
    Outside,
    /// In the squares at the edge
    Inside,
    /// Nowhere
    None,
}

#[derive(Debug, Clone)]
struct Highlight {
    squares: Vec<Square>,
    color: Rgb,
}

fn parse_highlight(text: &str) -> Result<Highlight, String> {
    let (names, color) = match text.split_once(':') {
        Some((names, color)) => (names, color.parse().map_err(|error| format!("{error}"))?),
        None => (text, HIGHLIGHT),
    };
    let squares: Result<Vec<Square>, _> =
        names.split(',').map(|name| name.trim().parse()).collect();
    let squares = squares.map_err(|error| error.to_string())?;
    Ok(Highlight { squares, color })
}

impl RenderArgs {
    fn options(&self) -> RenderOptions {
        let BoardStyle::Colored { light, dark } = BoardStyle::default() else {
            unreachable!("the usual style has two colours");
        };
        let style = if self.print {
            BoardStyle::Print
        } else {
            BoardStyle::Colored {
                light: self.light.unwrap_or(light),
                dark: self.dark.unwrap_or(dark),
            }
        };
        RenderOptions {
            view: self.view.into(),
            square_px: self.square_size,
            coordinates: match self.coordinates {
                Place::Outside => Coordinates::Outside,
                Place::Inside => Coordinates::Inside,
                Place::None => Coordinates::None,
            },
            style,
            highlights: self
                .highlight
                .iter()
                .flat_map(|marked| marked.squares.iter().map(|&square| (square, marked.color)))
                .collect(),
        }
    }
}

/// Runs the command.
pub fn run(args: &RenderArgs, ui: &Ui) -> anyhow::Result<Exit> {
    let placement = match args.position.as_slice() {
        [position] => one_fen(position)?.placement,
        [board, ..] => return Err(unquoted_fen(board).into()),
        [] => unreachable!("the position is required"),
    };
    let options = args.options();
    if args.output.as_os_str() == "-" {
        ui.print(svg(&placement, &options).trim_end())?;
        return Ok(Exit::Success);
    }
    let extension = args
        .output
        .extension()
        .map(|extension| extension.to_ascii_lowercase());
    let bytes = match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("svg") => svg(&placement, &options).into_bytes(),
        Some("png") => png(&placement, &options)?,
        _ => {
            let message = format!(
                "{}: the name ends neither in .svg nor in .png",
                args.output.display()
            );
            return Err(Error::new(ErrorKind::InvalidArgument, message).into());
        }
    };
    write_file(&args.output, &bytes)?;
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highlights_are_squares_with_a_colour() {
        let plain = parse_highlight("e4,d5").unwrap();
        assert_eq!(plain.squares.len(), 2);
        assert_eq!(plain.color, HIGHLIGHT);
        assert_eq!(parse_highlight("e4:#ff0000").unwrap().color, Rgb(255, 0, 0));
        assert!(parse_highlight("e9").is_err());
        assert!(parse_highlight("e4:red").is_err());
    }
}
