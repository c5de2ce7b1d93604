//! `img2fen convert INPUT... --to FORMAT`: positions from one notation to another.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use img2fen::position::{Epd, PgnPosition, links};
use img2fen::{Fen, FenStyle};
use serde_json::{Value, json};

use super::positions::{Item, StyleArgs, items};
use crate::exit::Exit;
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
    to: Format,
    /// Where to write; standard output when left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    style: StyleArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One FEN a line
    Fen,
    /// One EPD a line, with its operations and the counters as hmvc and fmvn
    Epd,
    /// One game a position, with SetUp and FEN tags
    Pgn,
    /// An array with one object a position
    Json,
    /// One object a line
    Jsonl,
    /// A table with a column for each field
    Csv,
    /// The analysis board of lichess
    Url,
    /// The board editor of lichess
    EditorUrl,
}

/// Runs the command.
pub fn run(args: &ConvertArgs, ui: &Ui) -> anyhow::Result<Exit> {
    let style = args.style.style();
    let mut exit = Exit::Success;
    let mut read = Vec::new();
    for item in items(&args.positions)? {
        let item = item?;
        match position(&item) {
            Ok(epd) => read.push(epd),
            Err(error) => {
                ui.error(
                    &format!("{}: {error}", item.label()),
                    Some("`img2fen check` tells more; the other positions are converted"),
                );
                exit = Exit::InputFailed;
            }
        }
    }
    let text = written(&read, args.to, style)?;
    match &args.output {
        None if text.is_empty() => {}
        None => ui.print(&text)?,
        Some(path) => std::fs::write(path, text + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?,
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

fn written(positions: &[Epd], format: Format, style: FenStyle) -> anyhow::Result<String> {
    let lines = |line: &dyn Fn(&Epd) -> String| -> String {
        positions.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    Ok(match format {
        Format::Fen => lines(&|epd| epd.fen.display(style).to_string()),
        Format::Epd => lines(&|epd| epd.display(style)),
        Format::Pgn => lines(&|epd| pgn(epd)),
        Format::Json => {
            let objects: Vec<Value> = positions.iter().map(|epd| object(epd, style)).collect();
            serde_json::to_string_pretty(&objects)?
        }
        Format::Jsonl => lines(&|epd| object(epd, style).to_string()),
        Format::Csv => csv(positions, style)?,
        Format::Url => lines(&|epd| links::lichess_analysis(&epd.fen)),
        Format::EditorUrl => lines(&|epd| links::lichess_editor(&epd.fen)),
    })
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

fn csv(positions: &[Epd], style: FenStyle) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "fen",
        "placement",
        "turn",
        "castling",
        "en_passant",
        "halfmove",
        "fullmove",
        "id",
    ])?;
    for epd in positions {
        let mut record = vec![epd.fen.display(style).to_string()];
        record.extend(fields(&epd.fen, style));
        record.push(
            epd.operands("id")
                .map(|id| id.join(" "))
                .unwrap_or_default(),
        );
        table.write_record(&record)?;
    }
    let bytes = table
        .into_inner()
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(String::from_utf8(bytes)?.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use img2fen::CastlingStyle;

    use super::*;

    fn convert(text: &str, format: Format) -> String {
        let style = FenStyle {
            castling: CastlingStyle::Standard,
            ..FenStyle::default()
        };
        let epd: Epd = text.parse().unwrap();
        written(&[epd], format, style).unwrap()
    }

    #[test]
    fn a_position_goes_to_every_format() {
        let text = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"Castles\"; hmvc 3; fmvn 9;";
        assert_eq!(convert(text, Format::Fen), "4k3/8/8/8/8/8/8/4K2R w K - 3 9");
        assert_eq!(convert(text, Format::Epd), text);
        assert!(convert(text, Format::Pgn).starts_with("[Event \"Castles\"]\n"));
        assert_eq!(
            convert(text, Format::Csv),
            "fen,placement,turn,castling,en_passant,halfmove,fullmove,id\n\
             4k3/8/8/8/8/8/8/4K2R w K - 3 9,4k3/8/8/8/8/8/8/4K2R,w,K,-,3,9,Castles"
        );
        assert_eq!(
            convert(text, Format::Url),
            "https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/4K2R_w_K_-_3_9"
        );
        let object: Value = serde_json::from_str(&convert(text, Format::Jsonl)).unwrap();
        assert_eq!(object["en_passant"], Value::Null);
        assert_eq!(object["operations"]["bm"], json!(["O-O"]));
    }
}
