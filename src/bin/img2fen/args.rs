//! The command line as typed, and its translation into the library's options.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use img2fen::engine::{EngineChoice, EngineOptions};
use img2fen::{Limits, Quad};

use crate::commands::batch::BatchArgs;
use crate::commands::check::CheckArgs;
use crate::commands::convert::ConvertArgs;
use crate::commands::eval::EvalArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::export::ExportArgs;
use crate::commands::pdf_worker::PdfWorkerArgs;
use crate::commands::play::PlayArgs;
use crate::commands::read::ReadArgs;
use crate::commands::render::RenderArgs;
use crate::commands::review::ReviewArgs;
use crate::ui::Volume;

const EXIT_CODES: &str = "\
Exit codes:
  0  every input was read
  1  something needs a person: an input without a board, or a doubtful one under --strict
  2  wrong usage
  3  an input could not be processed; the others were
  4  the engine does not start, or an output cannot be written
  130  interrupted; the same `batch` command goes on";

/// Reads a picture of a chess diagram and gives its FEN.
///
/// One FEN per board goes to standard output, in reading order; remarks go to standard error.
#[derive(Debug, Parser)]
#[command(name = "img2fen", disable_version_flag = true, args_conflicts_with_subcommands = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do; reading pictures when left out
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Print the version, the engine and the networks
    #[arg(short = 'V', long)]
    pub version: bool,
}

/// The commands beside reading.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read pictures: the same as giving them without a command
    Read(Box<ReadArgs>),
    /// Read whole books and folders, and write all their positions and a report
    Batch(Box<BatchArgs>),
    /// Look over and correct what a batch read, in the browser
    Review(ReviewArgs),
    /// Write the documents of a batch again, with the corrections applied
    Export(ExportArgs),
    /// Tell what is wrong with positions, and the cure
    Check(CheckArgs),
    /// Tell what a FEN says: the board drawn, each field in words
    Explain(ExplainArgs),
    /// Play moves and show how each changes the FEN
    Play(PlayArgs),
    /// Draw a position as SVG or PNG
    Render(RenderArgs),
    /// Convert between FEN, EPD, PGN, JSON, CSV and links
    Convert(ConvertArgs),
    /// Measure accuracy, calibration and speed on labelled pictures
    Eval(EvalArgs),
    /// Draw PDF pages for a batch
    #[command(hide = true)]
    PdfWorker(PdfWorkerArgs),
}

/// Options of every command that reads pictures.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Say only errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say also how the result came about
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Inference engine: ONNX Runtime when it is installed, or the one built in
    #[arg(
        long,
        value_enum,
        default_value_t,
        global = true,
        help_heading = "Engine and limits"
    )]
    engine: EngineName,
    /// ONNX Runtime library to use instead of searching for one
    #[arg(
        long,
        value_name = "FILE",
        global = true,
        help_heading = "Engine and limits"
    )]
    engine_library: Option<PathBuf>,
    /// Longest side of a picture in pixels
    #[arg(long, value_name = "PX", default_value_t = Limits::default().max_side, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_side: u32,
    /// Most pixels of a picture
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_pixels, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_pixels: u64,
    /// Most bytes that decoding a picture may take
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_alloc_bytes, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_alloc: u64,
    /// Largest picture file in bytes
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_file_bytes, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_file_size: u64,
    /// Most boards read from one page
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_boards, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_boards: usize,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum EngineName {
    #[default]
    Auto,
    Onnxruntime,
    Tract,
}

impl CommonArgs {
    /// How much to say.
    pub fn volume(&self) -> Volume {
        match (self.quiet, self.verbose) {
            (true, _) => Volume::Quiet,
            (_, true) => Volume::Verbose,
            _ => Volume::Normal,
        }
    }

    /// Whether only errors are said.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// How to start the engine.
    pub fn engine(&self) -> EngineOptions {
        let choice = match self.engine {
            EngineName::Auto => EngineChoice::Auto,
            EngineName::Onnxruntime => EngineChoice::OnnxRuntime,
            EngineName::Tract => EngineChoice::Tract,
        };
        EngineOptions {
            choice,
            library: self.engine_library.clone(),
        }
    }

    /// What inputs may cost.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_side = self.max_side;
        limits.max_pixels = self.max_pixels;
        limits.max_alloc_bytes = self.max_alloc;
        limits.max_file_bytes = self.max_file_size;
        limits.max_boards = self.max_boards;
        limits
    }
}

/// `--corners`: four points in pixels, clockwise from the board's top left.
pub fn parse_corners(points: &[String]) -> Result<Quad, String> {
    let text = points.join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() != 4 {
        return Err(format!(
            "`--corners` takes four points x,y; there are {}",
            words.len()
        ));
    }
    let mut corners = [[0.0; 2]; 4];
    for (corner, word) in corners.iter_mut().zip(words) {
        let numbers: Vec<Option<f32>> = word
            .split(',')
            .map(|number| number.trim().parse().ok())
            .collect();
        match numbers[..] {
            [Some(x), Some(y)] if x.is_finite() && y.is_finite() => *corner = [x, y],
            _ => return Err(format!("`--corners`: `{word}` is no point x,y")),
        }
    }
    Ok(Quad::new(corners))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn corners_are_four_points_in_one_argument_or_four() {
        let quad = Quad::new([[1.0, 2.0], [101.5, 2.0], [101.0, 99.0], [0.0, 98.0]]);
        let four: Vec<String> = ["1,2", "101.5,2", "101,99", "0,98"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(parse_corners(&four), Ok(quad));
        assert_eq!(
            parse_corners(&["1,2 101.5,2 101,99 0,98".to_owned()]),
            Ok(quad)
        );
        for wrong in [
            "1,2 3,4 5,6",
            "1,2 3,4 5,6 7",
            "1,2 3,4 5,6 a,b",
            "1,2 3,4 5,6 NaN,1",
            "",
        ] {
            assert!(parse_corners(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}
