//! `img2fen convert INPUT... --to FORMAT`: positions from one notation to another.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use img2fen::position::{Epd, Operation, PgnPosition};
use img2fen::report::{self, csv_line};
use img2fen::{Error, ErrorKind, Fen, FenStyle, Limits};
use serde_json::{Value, json};

use super::positions::{Faults, JsonArray, PositionFormat, StyleArgs, entries, inputs, label};
use crate::exit::Exit;
use crate::output::{Document, Unusable};
use crate::position_files::{Item, Origin};
use crate::ui::{Ui, one_line};

/// Positions to convert.
#[derive(Debug, Args)]
#[command(after_help = "\
Of a PGN game the start position is taken, not the moves; `img2fen play` plays moves.

Exit codes:
  0  every position was converted
  1  an input holds no position
  2  wrong usage
  3  a file or an entry of one cannot be read or is no position; the others were converted
  4  the output cannot be written

Examples:
  img2fen convert problems.epd --to pgn -o problems.pgn
  img2fen convert 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --to url
  img2fen convert games.pgn --to fen --castling-style shredder")]
pub struct ConvertArgs {
    /// FENs, EPDs, links, `start`, files (.fen, .txt, .epd, .pgn, .json, .jsonl), or `-` for standard input
    #[arg(value_name = "INPUT", required = true)]
    positions: Vec<String>,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: PositionFormat,
    /// Where to write, or `-` for standard output; a file there is replaced once all is converted
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    style: StyleArgs,
}

/// Runs the command.
pub fn run(args: &ConvertArgs, limits: &Limits, ui: &Ui) -> anyhow::Result<Exit> {
    let style = args.style;
    let entries = entries(&args.positions, limits, ui)?;
    let mut document = if args.output.as_os_str() == "-" {
        None
    } else {
        refuse_input(&args.output, &args.positions)?;
        Some(Document::create(&args.output).context(Unusable)?)
    };
    let mut write = |text: &str| match &mut document {
        Some(document) => document.write_all(text.as_bytes()).context(Unusable),
        None => ui.write(text),
    };
    let mut faults = Faults::new(ui);
    let mut array = JsonArray::default();
    let mut is_any = false;
    if args.to == PositionFormat::Csv {
        write(&csv_line(COLUMNS))?;
    }
    for entry in entries {
        let item = match entry {
            Ok(item) => item,
            Err(none) => {
                faults.say_no_position(&none);
                continue;
            }
        };
        match Position::of(&item) {
            Ok(position) => {
                is_any = true;
                write(&match args.to {
                    PositionFormat::Json => array.element(&position.object(style)),
                    format => position.written(format, style),
                })?;
            }
            Err(error) => faults.say(
                &format!("{}: {error}", label(&item)),
                Some("`img2fen check` tells more; the other positions are converted"),
                Exit::InputFailed,
            ),
        }
    }
    if args.to == PositionFormat::Json {
        write(array.end())?;
    }
    let exit = faults.finish();
    match document {
        Some(document) if is_any => document.finish().context(Unusable)?,
        Some(_) => ui.note(&format!(
            "nothing was converted, so {} was not written",
            one_line(&args.output.display().to_string())
        )),
        None => {}
    }
    Ok(exit)
}

/// Refuses to write over an input, under whatever name: what a conversion leaves out would be lost.
fn refuse_input(output: &Path, arguments: &[String]) -> Result<(), Error> {
    let Ok(place) = fs::canonicalize(output) else {
        // Nothing is there yet.
        return Ok(());
    };
    let is_output = |input: &String| {
        let input = if input == "-" { "/dev/stdin" } else { input };
        place.is_file() && fs::canonicalize(input).is_ok_and(|input| input == place)
    };
    if inputs(arguments).iter().any(is_output) {
        let message = format!("{}: is an input and the output", output.display());
        return Err(Error::new(ErrorKind::InvalidArgument, message)
            .with_hint("write to another file; nothing was changed"));
    }
    Ok(())
}

/// A position with what its input tells of where it is from.
struct Position {
    epd: Epd,
    game: PgnPosition,
    /// Whether the input says that the rules of Chess960 hold, or castling rights need them.
    chess960: bool,
}

impl Position {
    fn of(item: &Item) -> anyhow::Result<Self> {
        let mut epd: Epd = if item.is_epd {
            item.text.parse()?
        } else {
            Epd::new(item.text.parse()?)
        };
        if let Origin::Operations(operations) = &item.origin {
            epd.operations.clone_from(operations);
        }
        let fen = epd.fen;
        let mut game = PgnPosition::new(fen);
        match &item.origin {
            Origin::Text | Origin::Operations(_) => {
                if let Some(id) = epd.operands("id") {
                    game.event = id.join(" ");
                }
            }
            // The text is what counts: a person may have corrected it.
            Origin::Reading(record) => {
                epd = Epd {
                    fen,
                    ..report::epd(record)
                };
                game = PgnPosition {
                    fen,
                    ..report::pgn_position(record)
                };
            }
            Origin::Game(tags) => {
                game = tags.with_position(fen);
                let known = [&game.event, &game.round];
                let known = known.into_iter().filter(|value| *value != "?");
                let id = known.cloned().collect::<Vec<_>>().join(" ");
                if !id.is_empty() && epd.operands("id").is_none() {
                    epd = epd.with("id", [id.as_str()]);
                }
            }
        }
        let chess960 = item.chess960 || fen.needs_chess960();
        let says_no_other =
            game.variant.is_empty() || game.variant.eq_ignore_ascii_case("Standard");
        if chess960 && says_no_other {
            game.variant = "Chess960".to_owned();
        }
        Ok(Self {
            epd,
            game,
            chess960,
        })
    }

    /// The position by itself: a line, a game with the empty line after it, or a row of the table.
    fn written(&self, format: PositionFormat, style: StyleArgs) -> String {
        let epd = &self.epd;
        let links = style.link_style(self.chess960);
        let line = match format {
            PositionFormat::Fen => epd.fen.display(style.style()).to_string(),
            PositionFormat::Epd => epd.display(style.style()),
            PositionFormat::Pgn => self.game.display(style.style()).to_string(),
            PositionFormat::Json | PositionFormat::Jsonl => self.object(style).to_string(),
            PositionFormat::Csv => return csv_row(epd, style.style()),
            PositionFormat::Url => links.lichess_analysis(&epd.fen),
            PositionFormat::EditorUrl => links.lichess_editor(&epd.fen),
        };
        line + "\n"
    }

    fn object(&self, style: StyleArgs) -> Value {
        let fen = &self.epd.fen;
        let links = style.link_style(self.chess960);
        let style = style.style();
        let [placement, turn, castling, en_passant, ..] = fields(fen, style);
        json!({
            "type": "position",
            "fen": fen.display(style).to_string(),
            "placement": placement,
            "turn": turn,
            "castling": castling,
            "en_passant": if en_passant == "-" { Value::Null } else { json!(en_passant) },
            "halfmove": fen.halfmove,
            "fullmove": fen.fullmove,
            "variant": if self.chess960 { "chess960" } else { "standard" },
            "operations": operations(&self.epd),
            "links": {
                "analysis": links.lichess_analysis(fen),
                "editor": links.lichess_editor(fen),
            },
        })
    }
}

/// A list of operands for each opcode; where one is repeated, a list of such lists.
fn operations(epd: &Epd) -> Value {
    let mut operations = serde_json::Map::new();
    for Operation { opcode, operands } in &epd.operations {
        let lists = operations.entry(opcode).or_insert_with(|| json!([]));
        if let Value::Array(lists) = lists {
            lists.push(json!(operands));
        }
    }
    for lists in operations.values_mut() {
        if let Value::Array(one) = lists
            && one.len() == 1
        {
            *lists = one.remove(0);
        }
    }
    Value::Object(operations)
}

/// The six fields as text.
fn fields(fen: &Fen, style: FenStyle) -> [String; 6] {
    let text = fen.display(style).to_string();
    let mut parts = text.split(' ').map(str::to_owned);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

const COLUMNS: [&str; 8] = [
    "fen",
    "placement",
    "turn",
    "castling",
    "en_passant",
    "halfmove",
    "fullmove",
    "id",
];

fn csv_row(epd: &Epd, style: FenStyle) -> String {
    let id = epd.operands("id").unwrap_or_default().join(" ");
    let mut cells = vec![epd.fen.display(style).to_string()];
    cells.extend(fields(&epd.fen, style));
    cells.push(id);
    csv_line(cells.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(text: &str, format: PositionFormat) -> String {
        let position = Position::of(&Item::new(None, text)).unwrap();
        position
            .written(format, StyleArgs::default())
            .trim_end()
            .to_owned()
    }

    #[test]
    fn a_position_goes_to_every_format() {
        let text = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"Castles\"; hmvc 3; fmvn 9;";
        assert_eq!(
            convert(text, PositionFormat::Fen),
            "4k3/8/8/8/8/8/8/4K2R w K - 3 9"
        );
        assert_eq!(convert(text, PositionFormat::Epd), text);
        assert!(convert(text, PositionFormat::Pgn).starts_with("[Event \"Castles\"]\n"));
        assert_eq!(
            convert(text, PositionFormat::Csv),
            "4k3/8/8/8/8/8/8/4K2R w K - 3 9,4k3/8/8/8/8/8/8/4K2R,w,K,-,3,9,Castles"
        );
        assert_eq!(
            convert(text, PositionFormat::Url),
            "https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/4K2R_w_K_-_3_9"
        );
        let object: Value = serde_json::from_str(&convert(text, PositionFormat::Jsonl)).unwrap();
        assert_eq!(object["en_passant"], Value::Null);
        assert_eq!(object["operations"]["bm"], json!(["O-O"]));
    }
}
