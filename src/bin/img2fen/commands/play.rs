//! `img2fen play FEN MOVE...`: how the fields change with each move.

use clap::{Args, ValueEnum};
use img2fen::{Error, ErrorKind, Fen, FenStyle, Field};
use serde_json::json;

use super::explain::board;
use super::positions::{StyleArgs, View, one_fen, unquoted_fen};
use crate::exit::Exit;
use crate::ui::Ui;

/// A position and moves.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  every move was played
  2  wrong usage: no position, or a move that is not legal in it
  4  standard output cannot be written

Examples:
  img2fen play start e4 c5 Nf3
  img2fen play 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' e1g1 Kd7")]
pub struct PlayArgs {
    /// The position to start from: a FEN, an EPD, a link, or `start`
    #[arg(value_name = "FEN")]
    position: String,
    /// Moves in SAN (Nf3, exd6, O-O, e8=Q) or UCI notation (g1f3, e1g1, e7e8q); move numbers are passed over
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    #[command(flatten)]
    style: StyleArgs,
    /// Draw the board after each move
    #[arg(long)]
    board: bool,
    /// The side below in the drawn board
    #[arg(long, value_enum, default_value_t)]
    view: View,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Each move, the FEN after it, and the fields that changed
    #[default]
    Text,
    /// The last FEN alone
    Fen,
    /// One object a move in an array
    Json,
}

/// Runs the command.
pub fn run(args: &PlayArgs, ui: &Ui) -> anyhow::Result<Exit> {
    let style = args.style.style();
    // No move is `w` or `b`: it is the second field of a FEN.
    if let Some("w" | "b") = args.moves.first().map(String::as_str) {
        return Err(unquoted_fen(&args.position).into());
    }
    let mut fen = one_fen(&args.position)?;
    let mut objects = Vec::new();
    if args.format == Format::Text {
        ui.print(&fen.display(style).to_string())?;
    }
    for text in args
        .moves
        .iter()
        .flat_map(|text| text.split_whitespace())
        .filter_map(without_number)
    {
        let invalid = |error: img2fen::position::PlayError| {
            Error::new(
                ErrorKind::InvalidArgument,
                format!("move {}: {error}", fen.fullmove),
            )
        };
        let played = fen.parse_move(text).map_err(invalid)?;
        let san = fen.san(played).map_err(invalid)?;
        let next = fen.play(played).map_err(invalid)?;
        let dots = if fen.turn == img2fen::Color::White {
            "."
        } else {
            "..."
        };
        match args.format {
            Format::Text => {
                let mut lines = vec![format!(
                    "{}{dots}{san}  {}",
                    fen.fullmove,
                    next.display(style)
                )];
                lines.extend(
                    changes(&fen, &next, style)
                        .into_iter()
                        .map(|change| format!("  {change}")),
                );
                if args.board {
                    lines.extend(board(&next, args.view.into(), false));
                }
                ui.print(&lines.join("\n"))?;
            }
            Format::Json => objects.push(json!({
                "san": san,
                "uci": fen.uci(played),
                "fen": next.display(style).to_string(),
                "changes": changes(&fen, &next, style),
            })),
            Format::Fen => {}
        }
        fen = next;
    }
    match args.format {
        Format::Fen => ui.print(&fen.display(style).to_string())?,
        Format::Json => ui.print(&serde_json::to_string_pretty(&objects)?)?,
        Format::Text => {}
    }
    Ok(Exit::Success)
}

/// The move of `1.e4`, `1...c5` or `e4`; nothing for a bare number or a result. No number of a move begins with 0, as the
/// null move `0000` does.
fn without_number(text: &str) -> Option<&str> {
    let is_result = matches!(text, "*" | "1-0" | "0-1" | "1/2-1/2");
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = digits.len() < text.len() && !text.starts_with('0');
    let rest = if is_numbered && (digits.is_empty() || digits.starts_with('.')) {
        digits.trim_start_matches(['.', '…'])
    } else {
        text
    };
    (!rest.is_empty() && !is_result).then_some(rest)
}

/// Which fields a move changed, from what to what and by which rule.
fn changes(before: &Fen, after: &Fen, style: FenStyle) -> Vec<String> {
    const FIELDS: [Field; 6] = [
        Field::Placement,
        Field::Turn,
        Field::Castling,
        Field::EnPassant,
        Field::Halfmove,
        Field::Fullmove,
    ];
    let text = [before, after].map(|fen| fen.display(style).to_string());
    let [old, new] = [&text[0], &text[1]].map(|text| text.split(' ').collect::<Vec<_>>());
    let mut changes = Vec::new();
    for (field, (old, new)) in FIELDS.into_iter().zip(old.into_iter().zip(new)) {
        if field == Field::Placement {
            // Only the ranks that changed, to see it at a glance.
            let ranks = (1u8..=8).rev().zip(old.split('/').zip(new.split('/')));
            let changed = ranks.filter(|(_, (old, new))| old != new);
            let changed: Vec<String> = changed
                .map(|(rank, (old, new))| format!("rank {rank} {old} → {new}"))
                .collect();
            changes.push(format!("{field}: {}", changed.join(", ")));
        } else if old != new {
            changes.push(format!("{field}: {old} → {new}, {}", rule(field, new)));
        }
    }
    changes
}

fn rule(field: Field, new: &str) -> &'static str {
    match (field, new) {
        (Field::Turn, _) => "the other side is to move",
        (Field::Castling, _) => "king or rook has left its home, or the rook was taken",
        (Field::EnPassant, "-") => "it lasts for one move",
        (Field::EnPassant, _) => "a pawn has skipped this square",
        (Field::Halfmove, "0") => "after a capture or pawn move it begins anew",
        (Field::Halfmove, _) => "no capture and no pawn move",
        (Field::Fullmove, _) => "Black has moved",
        (Field::Placement, _) => "a piece has moved",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_and_results_are_passed_over() {
        let line = "1.e4 1... c5 2. Nf3 0-0 *";
        let moves: Vec<&str> = line.split(' ').filter_map(without_number).collect();
        assert_eq!(moves, ["e4", "c5", "Nf3", "0-0"]);
    }

    #[test]
    fn changes_name_field_and_rule() {
        let before: Fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 3 1"
            .parse()
            .unwrap();
        let after = before.play(before.parse_move("Nf6").unwrap()).unwrap();
        assert_eq!(
            changes(&before, &after, FenStyle::default()),
            [
                "placement: rank 8 rnbqkbnr → rnbqkb1r, rank 6 8 → 5n2",
                "side to move: b → w, the other side is to move",
                "en passant target: e3 → -, it lasts for one move",
                "halfmove clock: 3 → 4, no capture and no pawn move",
                "fullmove number: 1 → 2, Black has moved",
            ]
        );
    }
}
