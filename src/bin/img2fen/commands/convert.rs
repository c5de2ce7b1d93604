//! `img2fen convert INPUT... --to FORMAT`: positions from one notation to another.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use img2fen::position::{Epd, PgnPosition, links};
use img2fen::report::csv_line;
use img2fen::{Fen, FenStyle};
use serde_json::{Value, json};

use super::positions::{Item, NO_POSITION, PositionFormat, StyleArgs, items};
use crate::exit::Exit;
use crate::output::{Document, Unusable};
use crate::ui::Ui;

/// Positions to convert.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  img2fen convert problems.epd --to pgn -o problems.pgn
  img2fen convert 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --to url
  img2fen convert games.pgn --to fen --castling-style shredder")]
pub struct ConvertArgs {
    /// FENs, EPDs, links, files (.fen, .epd, .pgn, .json, .jsonl), or `-` for lines of standard input
    #[arg(value_name = "INPUT", required = true)]
    positions: Vec<String>,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: PositionFormat,
    /// Where to write; standard output when left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    style: StyleArgs,
}

/// Runs the command.
pub fn run(args: &ConvertArgs, ui: &Ui) -> anyhow::Result<Exit> {
    let style = args.style.style();
    let items = items(&args.positions)?;
    let mut document = match &args.output {
        Some(path) => Some(Document::create(path).context(Unusable)?),
        None => None,
    };
    let mut write = |text: &str| match &mut document {
        Some(document) => document.write_all(text.as_bytes()).context(Unusable),
        None => ui.write(text),
    };
    let mut exit = Exit::Success;
    let mut objects = Vec::new();
    if args.to == PositionFormat::Csv {
        write(&csv_line(COLUMNS))?;
    }
    let mut items = items.peekable();
    if items.peek().is_none() {
        ui.note(NO_POSITION);
        exit = Exit::NeedsPerson;
    }
    for item in items {
        let item = item?;
        match position(&item) {
            Ok(epd) if args.to == PositionFormat::Json => objects.push(object(&epd, style)),
            Ok(epd) => write(&written(&epd, args.to, style))?,
            Err(error) => {
                ui.error(
                    &format!("{}: {error}", item.label()),
                    Some("`img2fen check` tells more; the other positions are converted"),
                );
                exit = Exit::InputFailed;
            }
        }
    }
    if args.to == PositionFormat::Json {
        write(&format!("{}\n", serde_json::to_string_pretty(&objects)?))?;
    }
    if let Some(document) = document {
        document.finish().context(Unusable)?;
    }
    Ok(exit)
}

fn position(item: &Item) -> anyhow::Result<Epd> {
    Ok(if item.is_epd {
        item.text.parse()?
    } else {
        Epd::new(item.text.parse()?)
    })
}

/// A position by itself: a line, a game with the empty line after it, or a row of the table.
fn written(epd: &Epd, format: PositionFormat, style: FenStyle) -> String {
    let line = match format {
        PositionFormat::Fen => epd.fen.display(style).to_string(),
        PositionFormat::Epd => epd.display(style),
        PositionFormat::Pgn => pgn(epd),
        PositionFormat::Json | PositionFormat::Jsonl => object(epd, style).to_string(),
        PositionFormat::Csv => return csv_row(epd, style),
        PositionFormat::Url => links::lichess_analysis(&epd.fen),
        PositionFormat::EditorUrl => links::lichess_editor(&epd.fen),
    };
    line + "\n"
}

fn pgn(epd: &Epd) -> String {
    let mut game = PgnPosition::new(epd.fen);
    if let Some(id) = epd.operands("id") {
        game.event = id.join(" ");
    }
    game.to_string()
}

fn object(epd: &Epd, style: FenStyle) -> Value {
    let fen = &epd.fen;
    let operations: serde_json::Map<String, Value> = epd
        .operations
        .iter()
        .map(|operation| (operation.opcode.clone(), json!(operation.operands)))
        .collect();
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
        "operations": operations,
        "links": {
            "analysis": links::lichess_analysis(fen),
            "editor": links::lichess_editor(fen),
        },
    })
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
    use img2fen::CastlingStyle;

    use super::*;

    fn convert(text: &str, format: PositionFormat) -> String {
        let style = FenStyle {
            castling: CastlingStyle::Standard,
            ..FenStyle::default()
        };
        let epd: Epd = text.parse().unwrap();
        written(&epd, format, style).trim_end().to_owned()
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
