//! `img2fen IMAGE...`: pictures in, a FEN for each board out.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, CommandFactory};
use image::ImageFormat;
use img2fen::position::infer::GivenFields;
use img2fen::position::links;
use img2fen::report::{self, Record};
use img2fen::wording::counted;
use img2fen::{
    Code, Color, Error, ErrorKind, PageReadings, PictureFile, Piece, ReadOptions, Reading,
    Recognizer, Square, annotate,
};
use serde_json::{Value, json};

use super::positions::PositionFormat;
use crate::args::{Cli, CommonArgs, KnownArgs, parse_corners};
use crate::exit::Exit;
use crate::guard;
use crate::output::write_file;
use crate::ui::{Ui, one_line, place};

/// Pictures to read and what is known about them.
#[derive(Debug, Args)]
pub struct ReadArgs {
    /// Pictures (PNG, JPEG, WebP, GIF, BMP, TIFF, PNM); `-` is standard input
    #[arg(value_name = "IMAGE")]
    pub images: Vec<PathBuf>,
    #[command(flatten)]
    known: KnownArgs,
    /// En passant target: the square a pawn has just skipped, such as e3
    #[arg(
        long = "ep",
        value_name = "SQUARE",
        value_parser = parse_en_passant,
        help_heading = "What is known about the boards"
    )]
    en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move [default: 0]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        help_heading = "What is known about the boards"
    )]
    halfmove: Option<u32>,
    /// Number of the move [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..), help_heading = "What is known about the boards")]
    fullmove: Option<u32>,
    /// The board's corners in pixels, clockwise from its top left; no board is searched then
    #[arg(long, value_name = "X,Y", num_args = 1..=4, allow_hyphen_values = true, help_heading = "What is known about the boards")]
    corners: Option<Vec<String>>,
    /// Read only the board of this number, in reading order from 1
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..), help_heading = "What is known about the boards")]
    board: Option<u32>,
    /// What to write
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: PositionFormat,
    /// Short for --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
    /// Also write the picture with the boards and what was read drawn over it
    #[arg(long, value_name = "OUT.png", help_heading = "Output")]
    annotate: Option<PathBuf>,
    /// Take the second choice of a doubtful square where that cures a fault of the position
    #[arg(long, help_heading = "Output")]
    accept_suggestions: bool,
    /// Exit with code 1 when a board is doubtful, which is an error then
    #[arg(long, help_heading = "Output")]
    strict: bool,
}

/// Ranks of en passant targets, counted from 0: a pawn of White has skipped one, a pawn of Black the other.
const TARGET_RANKS: [(Color, u8); 2] = [(Color::Black, 2), (Color::White, 5)];

fn parse_en_passant(text: &str) -> Result<Square, String> {
    let square: Square = text
        .parse()
        .map_err(|_| "expected a square such as e3".to_owned())?;
    let rank = square.rank();
    if TARGET_RANKS.iter().all(|(_, target)| *target != rank) {
        let rank = rank + 1;
        return Err(format!(
            "{square} is on rank {rank}; a pawn can only have skipped a square of rank 3 or 6"
        ));
    }
    Ok(square)
}

/// What an en passant target says against the side to move that was given with it.
fn contradiction(target: Square, turn: Color) -> Option<String> {
    let (_, rank) = TARGET_RANKS.into_iter().find(|(side, _)| *side == turn)?;
    (target.rank() != rank).then(|| {
        let (player, found, rank) = (turn.player(), target.rank() + 1, rank + 1);
        format!("`--ep {target}` is on rank {found}; with {player} to move it is on rank {rank}")
    })
}

const CORNERS_HINT: &str = "name them in pixels, clockwise from the board's top left: `--corners 40,76 480,76 480,516 40,516`";

impl ReadArgs {
    fn options(&self) -> anyhow::Result<ReadOptions> {
        let invalid = |message: String| Error::new(ErrorKind::InvalidArgument, message);
        if let (Some(target), Some(turn)) = (self.en_passant, self.known.turn())
            && let Some(message) = contradiction(target, turn)
        {
            return Err(invalid(message).into());
        }
        let given = GivenFields {
            turn: self.known.turn(),
            castling: self.known.castling().cloned(),
            en_passant: self.en_passant,
            halfmove: self.halfmove,
            fullmove: self.fullmove,
            ..GivenFields::default()
        };
        let corners = self
            .corners
            .as_deref()
            .map(parse_corners)
            .transpose()
            .map_err(|message| invalid(message).with_hint(CORNERS_HINT))?;
        Ok(ReadOptions {
            given,
            view: self.known.view(),
            corners,
            accept_suggestions: self.accept_suggestions,
            min_confidence: self.known.min_confidence,
        })
    }
}

/// Runs the command.
pub fn run(args: &ReadArgs, common: &CommonArgs, ui: &Ui) -> anyhow::Result<Exit> {
    let options = args.options()?;
    let images = if args.images.is_empty() {
        if std::io::stdin().is_terminal() {
            ui.note(&Cli::command().render_help().to_string());
            return Err(no_picture("no picture is named").into());
        }
        // Waits for the first byte; an error of reading is told when the picture is read.
        if std::io::stdin()
            .lock()
            .fill_buf()
            .is_ok_and(<[u8]>::is_empty)
        {
            return Err(no_picture("no picture is named, and standard input is empty").into());
        }
        vec![PathBuf::from("-")]
    } else {
        args.images.clone()
    };
    if args.annotate.is_some() && images.len() > 1 {
        let error = Error::new(
            ErrorKind::InvalidArgument,
            "`--annotate` writes one picture, but several are named",
        );
        return Err(error.with_hint("name one picture").into());
    }
    if let Some(out) = &args.annotate {
        refuse_annotated(out, &images)?;
    }
    if images.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        let error = Error::new(
            ErrorKind::InvalidArgument,
            "standard input can be read once, but `-` is named twice",
        );
        return Err(error.into());
    }
    let recognizer = Arc::new(crate::recognizer(common, ui)?);
    let mut output = Output::new(args, ui)?;
    let mut exit = Exit::Success;
    for path in &images {
        let name = path.display().to_string();
        let file = match open(path, args, common) {
            Ok(file) => Arc::new(file),
            Err(error) => {
                exit = exit.max(fail(&name, None, error, &mut output)?);
                continue;
            }
        };
        let count = file.page_count();
        for number in 1..=count {
            // Only a file of several pages has numbers.
            let page = (count > 1).then_some(number);
            match read(&file, number, args, common, &recognizer, &options, ui) {
                Ok(found) => {
                    exit = exit.max(tell(&place(&name, page), &found, args, ui));
                    for reading in &found.readings {
                        output.board(reading)?;
                    }
                    if found.readings.is_empty() {
                        output.other(|| {
                            json!({
                                "type": "no_board",
                                "source": { "path": name, "page": page },
                                "cut_boards": found.cut,
                                "version": crate::version::VERSION,
                            })
                        })?;
                    }
                }
                Err(error) => exit = exit.max(fail(&name, page, error, &mut output)?),
            }
        }
    }
    output.finish()?;
    Ok(exit)
}

/// The error of a command line without a picture.
fn no_picture(message: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
        .with_hint("try `img2fen photo.png -w`, or `img2fen --help`")
}

/// Says why a file or page could not be read.
///
/// # Errors
/// The error itself, when it is one of the environment: no other file could be read either.
fn fail(
    name: &str,
    page: Option<usize>,
    error: anyhow::Error,
    output: &mut Output<'_>,
) -> anyhow::Result<Exit> {
    let exit = Exit::of(&error);
    if exit == Exit::Environment {
        return Err(error);
    }
    let hint = error.downcast_ref::<Error>().and_then(Error::hint);
    let name_and_page = place(name, page);
    output
        .ui
        .error(&format!("{name_and_page}: {error:#}"), hint);
    output.other(|| {
        json!({
            "type": "error",
            "source": { "path": name, "page": page },
            "message": format!("{error:#}"),
            "hint": hint,
            "version": crate::version::VERSION,
        })
    })?;
    Ok(exit)
}

/// What goes to standard output, in the format asked for. A board is written as soon as it is read, but an array of
/// JSON only at the end.
struct Output<'a> {
    format: PositionFormat,
    objects: Vec<Value>,
    ui: &'a Ui,
}

impl<'a> Output<'a> {
    fn new(args: &ReadArgs, ui: &'a Ui) -> anyhow::Result<Self> {
        let format = if args.json {
            PositionFormat::Json
        } else {
            args.format
        };
        if format == PositionFormat::Csv {
            ui.write(&report::csv_header())?;
        }
        Ok(Self {
            format,
            objects: Vec::new(),
            ui,
        })
    }

    /// A board. Text formats write what the documents of a batch hold.
    fn board(&mut self, reading: &Reading) -> anyhow::Result<()> {
        let record = || Record::new(reading, None);
        let fen = || reading.fields.fen();
        match self.format {
            PositionFormat::Json | PositionFormat::Jsonl => {
                let object = serde_json::to_value(reading)?;
                self.other(|| object)
            }
            PositionFormat::Fen => self.ui.write(&report::fen_line(&record()?)),
            PositionFormat::Epd => self.ui.write(&report::epd_line(&record()?)),
            PositionFormat::Pgn => self.ui.write(&report::pgn_game(&record()?)),
            PositionFormat::Csv => self.ui.write(&report::csv_row(&record()?)),
            PositionFormat::Url => self.ui.print(&links::lichess_analysis(&fen())),
            PositionFormat::EditorUrl => self.ui.print(&links::lichess_editor(&fen())),
        }
    }

    /// What only JSON can tell: a picture without a board, or one that could not be read.
    fn other(&mut self, object: impl FnOnce() -> Value) -> anyhow::Result<()> {
        match self.format {
            PositionFormat::Json => self.objects.push(object()),
            PositionFormat::Jsonl => self.ui.print(&object().to_string())?,
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        if self.format == PositionFormat::Json {
            self.ui
                .print(&serde_json::to_string_pretty(&self.objects)?)?;
        }
        Ok(())
    }
}

/// Opens a picture file, or standard input.
fn open(
    path: &std::path::Path,
    args: &ReadArgs,
    common: &CommonArgs,
) -> anyhow::Result<PictureFile> {
    let limits = common.limits();
    let file = if path.as_os_str() == "-" {
        // Whoever writes to standard input may take any time.
        let bytes = img2fen::input::read_limited(std::io::stdin().lock(), &limits)?;
        if bytes.is_empty() {
            let error = Error::new(ErrorKind::Decode, "standard input is empty");
            return Err(error.with_hint("check the command before the `|`").into());
        }
        PictureFile::new("-", bytes)?
    } else {
        let (path, own_limits) = (path.to_owned(), limits.clone());
        guard::within(&limits, move || PictureFile::open(path, &own_limits))?
    };
    let count = file.page_count();
    if args.annotate.is_some() && count > 1 {
        let pages = counted(count, "page");
        let message = format!("`--annotate` writes one picture, but there are {pages}");
        let error = Error::new(ErrorKind::InvalidArgument, message);
        return Err(error.with_hint("save the page as a file of its own").into());
    }
    Ok(file)
}

/// Refuses to draw over the picture that is read, and into a file whose kind is not known, before any work.
fn refuse_annotated(out: &Path, images: &[PathBuf]) -> Result<(), Error> {
    let refused = |message: &str, hint: &str| {
        let message = format!("`--annotate {}` {message}", out.display());
        Err(Error::new(ErrorKind::InvalidArgument, message).with_hint(hint))
    };
    if ImageFormat::from_path(out).is_err() {
        return refused(
            "does not say which kind of picture to write",
            "end the name in `.png` or `.jpg`",
        );
    }
    let is_out = |path: &PathBuf| match (path.canonicalize(), out.canonicalize()) {
        (Ok(path), Ok(out)) => path == out,
        _ => false,
    };
    if images.iter().any(is_out) {
        return refused(
            "would overwrite the picture that is read",
            "give another name",
        );
    }
    Ok(())
}

/// Reads one page, and draws it when asked.
fn read(
    file: &Arc<PictureFile>,
    number: usize,
    args: &ReadArgs,
    common: &CommonArgs,
    recognizer: &Arc<Recognizer>,
    options: &ReadOptions,
    ui: &Ui,
) -> anyhow::Result<PageReadings> {
    let limits = common.limits();
    let (file, own_limits) = (Arc::clone(file), limits.clone());
    let (recognizer, own_options) = (Arc::clone(recognizer), options.clone());
    let (page, mut found) = guard::within(&limits, move || {
        let page = file.page(number, &own_limits)?;
        let found = recognizer.read_with(&page, &own_options)?;
        Ok((page, found))
    })?;
    if let Some(number) = args.board {
        let count = found.readings.len();
        found
            .readings
            .retain(|reading| reading.source.board == number as usize);
        if found.readings.is_empty() && count > 0 {
            let boards = counted(count, "board");
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("has {boards}, there is no board {number}"),
            )
            .with_hint("leave out `--board` to read all of them")
            .into());
        }
    }
    if let Some(out) = &args.annotate {
        let context = || format!("cannot write the annotated picture {}", out.display());
        let format = ImageFormat::from_path(out).with_context(context)?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        annotate(&page.picture, &found.readings)
            .write_to(&mut bytes, format)
            .with_context(context)?;
        write_file(out, bytes.get_ref())?;
        ui.note(&format!(
            "{}: the picture with {} drawn in",
            out.display(),
            counted(found.readings.len(), "board")
        ));
    }
    Ok(found)
}

/// Says what a person needs to know to trust the readings of a picture.
fn tell(name: &str, found: &PageReadings, args: &ReadArgs, ui: &Ui) -> Exit {
    let name = &one_line(name);
    if found.readings.is_empty() {
        let (what, hint) = if found.cut.is_empty() {
            (
                "no board found",
                "take in all 64 squares, crop closer to the board, or give its corners with `--corners`",
            )
        } else {
            (
                "no whole board: the picture's edge cuts it",
                "take in all 64 squares",
            )
        };
        ui.error(&format!("{name}: {what}"), Some(hint));
        return Exit::NeedsPerson;
    }
    for _ in &found.cut {
        ui.note(&format!(
            "{name}: a board is not whole: the picture's edge cuts it; take in all 64 squares"
        ));
    }
    let mut exit = Exit::Success;
    if found.left_out > 0 {
        let read = found.readings.len();
        let message = format!(
            "{name}: has more boards than the limit of `--max-boards`: the {read} surest were read, {} left out",
            found.left_out
        );
        ui.error(&message, None);
        exit = Exit::NeedsPerson;
    }
    let several = found.readings.len() > 1;
    for reading in &found.readings {
        let board = if several {
            format!("{name}, board {}", reading.source.board)
        } else {
            name.clone()
        };
        if reading.doubtful {
            let confidence = (reading.board_confidence * 1000.0).floor() / 1000.0;
            let advice = if reading.is_hardly_a_board() {
                "see with `--annotate` whether this is the board"
            } else {
                "look at it"
            };
            let message = format!("{board}: doubtful, confidence {confidence:.3}; {advice}");
            if args.strict {
                ui.error(&message, None);
                exit = Exit::NeedsPerson;
            } else {
                ui.note(&message);
            }
        }
        for square in reading.doubtful_squares.iter().take(NAMED_DOUBTS) {
            ui.note(&format!("  {}", doubt(reading, *square)));
        }
        if reading.doubtful_squares.len() > NAMED_DOUBTS {
            let more = reading.doubtful_squares.len() - NAMED_DOUBTS;
            ui.note(&format!("  and {more} more, all in `--json`"));
        }
        ui.note(&format!("{board}: {}", reading.orientation));
        for diagnostic in &reading.diagnostics {
            // The squares in doubt have been named already, each with its second choice.
            if diagnostic.code != Code::LowConfidenceSquare {
                ui.note(&format!("{board}: {diagnostic}"));
            }
        }
    }
    exit
}

/// Squares in doubt that are named one by one; five of six doubtful boards of `dev` have no more.
const NAMED_DOUBTS: usize = 12;

/// `e4: white bishop 0.71, white pawn 0.22`.
fn doubt(reading: &Reading, square: Square) -> String {
    let name = |piece: Option<Piece>| piece.map_or("empty".to_owned(), |piece| piece.to_string());
    let read = reading.square(square);
    format!(
        "{square}: {} {}, {} {:.2}",
        name(read.piece),
        below_one(read.confidence),
        name(read.second.piece),
        read.second.confidence
    )
}

/// A probability with two digits, or as many as it takes to tell it from 1: what is doubtful is not certain.
fn below_one(probability: f32) -> String {
    (2..9)
        .map(|digits| format!("{probability:.digits$}"))
        .find(|text| !text.starts_with('1'))
        .unwrap_or_else(|| "1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::below_one;

    #[test]
    fn only_certainty_is_written_as_1() {
        for (probability, text) in [
            (0.714, "0.71"),
            (0.994, "0.99"),
            (0.998, "0.998"),
            (0.999_96, "0.99996"),
            (1.0 - f32::EPSILON / 2.0, "0.9999999"),
            (1.0, "1"),
        ] {
            assert_eq!(below_one(probability), text);
        }
    }
}
