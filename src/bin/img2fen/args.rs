//! The command line as typed, and its translation into the library's options.

use std::ffi::OsString;
use std::num::ParseIntError;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use img2fen::engine::{EngineChoice, EngineOptions};
use img2fen::position::{GivenCastling, GivenFieldError};
use img2fen::{Color, Limits, Quad};

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
use crate::ui::{self, Volume};

const USAGE: &str = "\
img2fen [OPTIONS] [IMAGE]...
       img2fen [OPTIONS] <COMMAND>";

const AFTER_HELP: &str = "\
A picture with the name of a command is read as ./check or after --.

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
#[command(name = "img2fen", disable_version_flag = true, override_usage = USAGE, after_help = AFTER_HELP)]
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

impl Cli {
    /// The command line as it is read and shown by `--help`: among the options of every command, a command shows those
    /// that act on it. The others are taken, so that they may stand in an alias.
    fn command_line() -> clap::Command {
        let mut command = Self::command();
        // Gives the options of every command to each.
        command.build();
        for subcommand in command.get_subcommands_mut() {
            let Some(acting) = acting(subcommand.get_name()) else {
                continue;
            };
            *subcommand = std::mem::take(subcommand).mut_args(|argument| {
                let id = argument.get_id().as_str();
                let is_silent = COMMON.contains(&id) && !acting.contains(&id);
                if is_silent {
                    argument.hide(true)
                } else {
                    argument
                }
            });
        }
        command
    }

    /// Reads the command line; on wrong usage, and for help, it ends the program.
    pub fn from_command_line() -> Self {
        let arguments: Vec<OsString> = std::env::args_os().collect();
        Self::read(&arguments).unwrap_or_else(|error| {
            let picture = Self::picture_named_like_a_command(&arguments);
            if error.use_stderr()
                && let Some(name) = picture
            {
                let _ = error.print();
                let name = name.display();
                ui::hint(&format!(
                    "to read the picture `{name}`, write `img2fen ./{name}`"
                ));
                std::process::exit(error.exit_code());
            }
            error.exit()
        })
    }

    fn read(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let mut command = Self::command_line();
        let matches = command
            .try_get_matches_from_mut(without_help_on_help(arguments))
            .map_err(shortened)?;
        if let Some(message) = misplaced(&command, &matches) {
            return Err(command.error(ErrorKind::ArgumentConflict, message));
        }
        let cli = Self::from_arg_matches(&matches)?;
        let first = cli.read.images.first().filter(|_| cli.command.is_none());
        if let Some(meant) = first.and_then(|name| meant_command(&command, name)) {
            let message = format!(
                "there is no picture or command `{}`; did you mean `{meant}`?",
                first
                    .map(|name| name.display().to_string())
                    .unwrap_or_default()
            );
            return Err(command.error(ErrorKind::InvalidSubcommand, message));
        }
        Ok(cli)
    }

    fn picture_named_like_a_command(arguments: &[OsString]) -> Option<&OsString> {
        let command = Self::command();
        let is_command = |name: &OsString| command.find_subcommand(name).is_some();
        arguments
            .iter()
            .skip(1)
            .find(|name| is_command(name))
            .filter(|name| Path::new(name).is_file())
    }
}

/// The options of every command.
const COMMON: [&str; 10] = [
    "quiet",
    "verbose",
    "engine",
    "engine_library",
    "max_side",
    "max_pixels",
    "max_alloc",
    "max_file_size",
    "max_boards",
    "timeout",
];

/// Those of the options of every command that act on a command that reads no pictures; `None` for one that does.
fn acting(command: &str) -> Option<&'static [&'static str]> {
    Some(match command {
        "check" | "explain" | "convert" => &["max_file_size"],
        "review" | "export" => &["quiet"],
        "play" | "render" => &[],
        _ => return None,
    })
}

/// The error without the length of what was typed: whoever pastes a page into an option wants to see the reason.
fn shortened(mut error: clap::Error) -> clap::Error {
    for kind in [
        ContextKind::InvalidValue,
        ContextKind::InvalidArg,
        ContextKind::InvalidSubcommand,
    ] {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let short = ui::one_line(&ui::excerpt(text));
            error.insert(kind, ContextValue::String(short));
        }
    }
    error
}

/// The command that a word was meant to be: one that is no file and differs by a letter or two.
fn meant_command<'a>(command: &'a clap::Command, word: &Path) -> Option<&'a str> {
    let text = word.to_str().filter(|_| !word.exists())?.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(name, &text);
    let visible = command
        .get_subcommands()
        .filter(|known| !known.is_hide_set());
    visible
        .map(clap::Command::get_name)
        // The very name stands after `--`: a picture is meant.
        .filter(|name| word != Path::new(name) && distance(name) <= name.len() / 3)
        .min_by_key(|name| distance(name))
}

/// The arguments, but `help` for `help --help`, which clap takes for a command named `--help`.
fn without_help_on_help(arguments: &[OsString]) -> impl Iterator<Item = &OsString> {
    let is_help = arguments.get(1).is_some_and(|name| name == "help");
    arguments
        .iter()
        .filter(move |word| !is_help || (*word != "--help" && *word != "-h"))
}

/// An option that only reading pictures knows, given before another command, where it would say nothing.
fn misplaced(command: &clap::Command, matches: &ArgMatches) -> Option<String> {
    let (name, _) = matches.subcommand()?;
    let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    command
        .get_arguments()
        .find(|argument| !argument.is_global_set() && given(argument.get_id().as_str()))
        .map(|argument| {
            format!("`{argument}` before `{name}` belongs to reading pictures; options of a command stand after its name")
        })
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
    /// Convert between FEN, EPD, PGN, JSON and links, and to CSV
    Convert(ConvertArgs),
    /// Measure accuracy, calibration and speed on labelled pictures
    Eval(EvalArgs),
    /// Draw PDF pages for a batch
    #[command(hide = true)]
    PdfWorker(PdfWorkerArgs),
}

const KNOWN: &str = "What is known about the boards";

/// What is known about the boards in pictures, and when they are doubtful; for one picture or a whole book.
#[derive(Debug, Args)]
pub struct KnownArgs {
    /// White is to move
    #[arg(short, long, conflicts_with = "black", help_heading = KNOWN)]
    white: bool,
    /// Black is to move
    #[arg(short, long, help_heading = KNOWN)]
    black: bool,
    /// Castling rights: `auto` for what kings and rooks at home allow, `-` for none, or letters such as KQkq
    #[arg(long, value_name = "RIGHTS", default_value = "auto", value_parser = parse_castling, allow_hyphen_values = true, help_heading = KNOWN)]
    castling: Castling,
    /// Whose side is below in the picture
    #[arg(long, value_enum, default_value_t, help_heading = KNOWN)]
    view: View,
    /// Confidence (0 to 1) below which a board is doubtful [default: 0.98]
    #[arg(long, value_name = "P", value_parser = parse_probability, help_heading = KNOWN)]
    pub min_confidence: Option<f32>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum View {
    /// Tell from coordinates, else from the position and the page's other boards; where they tell nothing, White is below
    #[default]
    Auto,
    /// White is below
    White,
    /// Black is below
    Black,
}

/// What `--castling` says.
#[derive(Debug, Clone)]
enum Castling {
    /// What kings and rooks at home allow.
    Auto,
    /// What the user knows.
    Given(GivenCastling),
}

fn parse_castling(text: &str) -> Result<Castling, String> {
    if text == "auto" {
        return Ok(Castling::Auto);
    }
    text.parse()
        .map(Castling::Given)
        .map_err(|error| match error {
            GivenFieldError::CastlingTwice { letter, .. } => format!("it holds `{letter}` twice"),
            _ => "expected `auto`, `-`, letters out of KQkq, or files A-H and a-h".to_owned(),
        })
}

impl KnownArgs {
    /// What is known, each with the option that says it.
    pub fn values(&self) -> [(&'static str, String); 4] {
        let said = |side: Option<Color>| match side {
            Some(Color::White) => "white",
            Some(Color::Black) => "black",
            None => "auto",
        };
        let castling = self.castling().map_or("auto", GivenCastling::as_str);
        let confidence = self.min_confidence.unwrap_or(img2fen::MIN_CONFIDENCE);
        [
            ("the side to move", said(self.turn()).to_owned()),
            ("`--castling`", castling.to_owned()),
            ("`--view`", said(self.view()).to_owned()),
            ("`--min-confidence`", confidence.to_string()),
        ]
    }

    /// The side to move, when it was given.
    pub fn turn(&self) -> Option<Color> {
        match (self.white, self.black) {
            (true, _) => Some(Color::White),
            (_, true) => Some(Color::Black),
            _ => None,
        }
    }

    /// The castling rights, when they were given.
    pub fn castling(&self) -> Option<&GivenCastling> {
        match &self.castling {
            Castling::Auto => None,
            Castling::Given(given) => Some(given),
        }
    }

    /// The side below, when it was given.
    pub fn view(&self) -> Option<Color> {
        match self.view {
            View::Auto => None,
            View::White => Some(Color::White),
            View::Black => Some(Color::Black),
        }
    }
}

fn parse_probability(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 1".to_owned()),
    }
}

/// A number of which 0 would leave nothing to read.
pub fn at_least_1<N: FromStr<Err = ParseIntError> + PartialEq + From<u8>>(
    text: &str,
) -> Result<N, String> {
    match text.parse::<N>() {
        Ok(number) if number == N::from(0) => Err("must be at least 1".to_owned()),
        number => number.map_err(|error| error.to_string()),
    }
}

/// Options of every command that reads pictures.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Say only errors: whatever makes the exit code other than 0, by name
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
    #[arg(long, value_name = "PX", default_value_t = Limits::default().max_side, value_parser = at_least_1::<u32>, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_side: u32,
    /// Most pixels of a picture
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_pixels, value_parser = at_least_1::<u64>, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_pixels: u64,
    /// Most bytes that decoding a picture may take
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_alloc_bytes, value_parser = at_least_1::<u64>, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_alloc: u64,
    /// Largest file in bytes, of pictures or positions
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_file_bytes, value_parser = at_least_1::<u64>, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_file_size: u64,
    /// Most boards read from one page
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_boards, value_parser = at_least_1::<usize>, global = true, help_heading = "Engine and limits", hide_short_help = true)]
    max_boards: usize,
    /// Longest time for a page in seconds: for drawing it, and again for reading it
    #[arg(long, value_name = "S", default_value_t = Limits::default().max_time.as_secs(), value_parser = clap::value_parser!(u64).range(1..), global = true, help_heading = "Engine and limits")]
    timeout: u64,
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

    /// The limits that decide what is read of an input, each with its option.
    pub fn size_limits(&self) -> [(&'static str, String); 5] {
        [
            ("`--max-side`", self.max_side.to_string()),
            ("`--max-pixels`", self.max_pixels.to_string()),
            ("`--max-alloc`", self.max_alloc.to_string()),
            ("`--max-file-size`", self.max_file_size.to_string()),
            ("`--max-boards`", self.max_boards.to_string()),
        ]
    }

    /// What inputs may cost.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_side = self.max_side;
        limits.max_pixels = self.max_pixels;
        limits.max_alloc_bytes = self.max_alloc;
        limits.max_file_bytes = self.max_file_size;
        limits.max_boards = self.max_boards;
        limits.max_time = Duration::from_secs(self.timeout);
        limits
    }
}

/// Farther than any picture reaches, in pixels, and near enough to calculate with.
const FARTHEST: f32 = 1e9;

/// `--corners`: four points in pixels, clockwise from the board's top left.
pub fn parse_corners(points: &[String]) -> Result<Quad, String> {
    let text = points.join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() != 4 {
        return Err(match words.len() {
            1 => "`--corners` takes four points x,y; there is 1".to_owned(),
            count => format!("`--corners` takes four points x,y; there are {count}"),
        });
    }
    let mut corners = [[0.0; 2]; 4];
    for (corner, word) in corners.iter_mut().zip(words) {
        let numbers: Vec<Option<f32>> = word
            .split(',')
            .map(|number| number.trim().parse().ok())
            .collect();
        match numbers[..] {
            [Some(x), Some(y)] if [x, y].iter().all(|value| value.abs() <= FARTHEST) => {
                *corner = [x, y];
            }
            [Some(_), Some(_)] => {
                let word = ui::excerpt(word);
                return Err(format!(
                    "`--corners`: `{word}` is out of range; coordinates are pixels of the picture"
                ));
            }
            _ => {
                let word = ui::excerpt(word);
                return Err(format!("`--corners`: `{word}` is no point x,y"));
            }
        }
    }
    let quad = Quad::new(corners);
    if !quad.is_convex() {
        return Err("`--corners`: the points do not go clockwise around a field".to_owned());
    }
    Ok(quad)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Cli, clap::Error> {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        Cli::read(&arguments)
    }

    #[test]
    fn options_of_every_command_stand_before_or_after_its_name() {
        for line in [
            "img2fen --engine tract -q check 8/8",
            "img2fen check 8/8 --engine tract -q",
        ] {
            let cli = read(line).unwrap();
            assert!(matches!(cli.command, Some(Command::Check(_))), "{line}");
            assert!(cli.common.is_quiet(), "{line}");
            assert!(matches!(cli.common.engine, EngineName::Tract), "{line}");
        }
    }

    #[test]
    fn a_limit_of_0_is_refused_with_its_name() {
        for flag in [
            "--max-side",
            "--max-pixels",
            "--max-alloc",
            "--max-file-size",
            "--max-boards",
            "--timeout",
            "--pdf-memory",
            "--max-page-pixels",
            "--max-pdf-size",
            "--max-pages",
            "--jobs",
        ] {
            let error = read(&format!("img2fen batch in -o out {flag} 0")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ValueValidation, "{flag}");
            assert!(error.to_string().contains(flag), "{error}");
            read(&format!("img2fen batch in -o out {flag} 1")).unwrap();
        }
    }

    #[test]
    fn options_of_reading_before_another_command_are_refused() {
        for line in [
            "img2fen -w check 8/8",
            "img2fen --format fen check 8/8",
            "img2fen -V check 8/8",
        ] {
            let error = read(line).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{line}");
        }
    }

    #[test]
    fn a_command_lists_only_the_options_that_act_on_it() {
        let command = Cli::command_line();
        let shown = |name: &str| -> Vec<String> {
            let subcommand = command.find_subcommand(name).expect("a command");
            let common = subcommand.get_arguments().filter(|argument| {
                COMMON.contains(&argument.get_id().as_str()) && !argument.is_hide_set()
            });
            common
                .map(|argument| argument.get_id().to_string())
                .collect()
        };
        for (names, options) in [
            (&["read", "batch", "eval"][..], &COMMON[..]),
            (&["check", "explain", "convert"], &["max_file_size"]),
            (&["review", "export"], &["quiet"]),
            (&["play", "render"], &[]),
        ] {
            for name in names {
                assert_eq!(shown(name), options, "{name}");
            }
        }
        // The list is complete: every global option is in it.
        let global = command
            .get_arguments()
            .filter(|argument| argument.is_global_set());
        let global: Vec<&str> = global.map(|argument| argument.get_id().as_str()).collect();
        assert_eq!(global, COMMON);
    }

    #[test]
    fn a_word_like_a_command_that_is_no_file_is_taken_for_one() {
        for (line, meant) in [
            ("img2fen chek x", "check"),
            ("img2fen chekc x", "check"),
            ("img2fen Check x", "check"),
            ("img2fen -w covnert x", "convert"),
            ("img2fen reder start", "render"),
            ("img2fen plya start", "play"),
            ("img2fen evla", "eval"),
        ] {
            let error = read(line).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidSubcommand, "{line}");
            let said = error.to_string();
            assert!(said.contains(&format!("did you mean `{meant}`?")), "{said}");
        }
        for line in [
            "img2fen board",
            "img2fen chek.png",
            "img2fen a.png chek",
            "img2fen src",
        ] {
            assert!(read(line).unwrap().command.is_none(), "{line}");
        }
    }

    #[test]
    fn a_value_that_is_refused_is_named_with_its_option_and_shortened() {
        let long = "X".repeat(1000);
        for option in [
            "--castling",
            "--ep",
            "--halfmove",
            "--fullmove",
            "--board",
            "--min-confidence",
            "--view",
            "--format",
            "--engine",
            "--max-side",
            "--timeout",
        ] {
            let said = read(&format!("img2fen a.png {option} {long}"))
                .unwrap_err()
                .to_string();
            assert!(said.contains(&format!("for '{option} <")), "{said}");
            assert!(said.contains(&format!("'{}…'", "X".repeat(40))), "{said}");
            assert!(said.len() < 500, "{said}");
        }
        for option in ["--pages", "--turn-rule", "--dpi", "--write", "--jobs"] {
            let said = read(&format!("img2fen batch a.pdf -o out {option} {long}"))
                .unwrap_err()
                .to_string();
            assert!(said.contains(&format!("for '{option} <")), "{said}");
            assert!(said.len() < 500, "{said}");
        }
    }

    #[test]
    fn castling_rights_are_refused_with_all_that_is_expected() {
        let expected = "expected `auto`, `-`, letters out of KQkq, or files A-H and a-h";
        for (text, reason) in [
            ("XY", expected),
            ("", expected),
            ("Auto", expected),
            ("KK", "it holds `K` twice"),
        ] {
            let arguments = ["img2fen", "a.png", "--castling", text].map(OsString::from);
            let said = Cli::read(&arguments).unwrap_err().to_string();
            let head =
                format!("error: invalid value '{text}' for '--castling <RIGHTS>': {reason}\n");
            assert!(said.starts_with(&head), "{said}");
        }
        for text in ["auto", "-", "KQkq", "HAha"] {
            assert!(
                read(&format!("img2fen a.png --castling {text}")).is_ok(),
                "{text}"
            );
        }
    }

    #[test]
    fn help_on_help_is_help() {
        for line in ["img2fen help --help", "img2fen help -h", "img2fen help"] {
            let error = read(line).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DisplayHelp, "{line}");
        }
        assert_eq!(
            read("img2fen help --help batch").unwrap_err().to_string(),
            read("img2fen help batch").unwrap_err().to_string()
        );
    }

    #[test]
    fn names_of_commands_can_be_pictures() {
        for line in [
            "img2fen check.png -w",
            "img2fen ./check -w",
            "img2fen -w -- check",
            "img2fen a.png check",
        ] {
            assert!(read(line).unwrap().command.is_none(), "{line}");
        }
    }

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
        for (wrong, reason) in [
            ("1,2 3,4 5,6", "there are 3"),
            ("1,2", "there is 1"),
            ("1,2 3,4 5,6 7", "`7` is no point x,y"),
            ("1,2 3,4 5,6 a,b", "`a,b` is no point x,y"),
            ("1,2 3,4 5,6 NaN,1", "`NaN,1` is out of range"),
            ("1,2 3,4 5,-inf 7,8", "`5,-inf` is out of range"),
            ("-1e30,0 1e30,0 1e30,9 -1e30,9", "`-1e30,0` is out of range"),
            ("1e39,2 3,4 5,6 7,8", "`1e39,2` is out of range"),
            ("0,0 1,1 2,2 3,3", "do not go clockwise"),
            ("0,0 0,9 9,9 9,0", "do not go clockwise"),
            ("", "there are 0"),
        ] {
            let error = parse_corners(&[wrong.to_owned()]).unwrap_err();
            assert!(error.contains(reason), "{wrong}: {error}");
        }
    }
}
