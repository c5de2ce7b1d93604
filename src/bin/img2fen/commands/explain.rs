//! `img2fen explain FEN`: the board drawn in the terminal and each field in words.

use clap::Args;
use img2fen::position::Standing;
use img2fen::{
    CastlingRights, CastlingStyle, Color, Fen, FenFields, Known, Limits, Piece, Provenance, Role,
    Square,
};

use super::check::{explained, judged};
use super::positions::{Faults, RulesArgs, View, entries, label};
use crate::exit::Exit;
use crate::ui::Ui;

/// The position to explain.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  every position is sound
  1  a position has a warning or an error, or an input holds none
  2  wrong usage
  3  a file or an entry of one cannot be read; the others were
  4  standard output cannot be written

Example:
  img2fen explain 'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'")]
pub struct ExplainArgs {
    /// FENs, EPDs, links, `start`, files (.fen, .txt, .epd, .pgn, .json, .jsonl), or `-` for standard input
    #[arg(value_name = "FEN", required = true)]
    positions: Vec<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// The side below
    #[arg(long, value_enum, default_value_t)]
    view: View,
    /// Draw letters instead of chess figures
    #[arg(long)]
    ascii: bool,
}

/// Runs the command.
pub fn run(args: &ExplainArgs, limits: &Limits, ui: &Ui) -> anyhow::Result<Exit> {
    let mut faults = Faults::new(ui);
    for entry in entries(&args.positions, limits, ui)? {
        let item = match entry {
            Ok(item) => item,
            Err(none) => {
                faults.say_no_position(&none);
                continue;
            }
        };
        let checked = judged(&item, args.rules);
        let mut lines = vec![label(&item)];
        if let Some(fields) = &checked.fields {
            lines.push(String::new());
            lines.extend(board(&fields.fen(), args.view.into(), args.ascii));
            lines.push(String::new());
            let kept = checked.fen.unwrap_or_else(|| fields.fen());
            lines.extend(fields_in_words(fields, &kept));
        }
        if !checked.diagnostics.is_empty() {
            lines.push(String::new());
        }
        for diagnostic in &checked.diagnostics {
            lines.extend(explained(diagnostic, &item.text));
        }
        ui.print(&lines.join("\n"))?;
        if !checked.is_sound() {
            faults.note(Exit::NeedsPerson);
        }
    }
    Ok(faults.finish())
}

/// The board with its coordinates, one line a rank.
pub fn board(fen: &Fen, view: Color, ascii: bool) -> Vec<String> {
    let order = |index: u8| {
        if view == Color::White {
            index
        } else {
            7 - index
        }
    };
    let mut lines = Vec::with_capacity(9);
    for row in 0..8 {
        let rank = order(7 - row);
        let mut line = format!("  {} ", rank + 1);
        for column in 0..8 {
            let square = Square::new(order(column), rank);
            let piece = square.and_then(|square| fen.placement.get(square));
            line.push(' ');
            line.push(match (piece, ascii) {
                (Some(piece), true) => piece.letter(),
                (Some(piece), false) => piece.figurine(),
                (None, true) => '.',
                (None, false) => '·',
            });
        }
        lines.push(line);
    }
    let files: String = (0..8)
        .flat_map(|column| [' ', char::from(b'a' + order(column))])
        .collect();
    lines.push(format!("    {files}"));
    lines
}

/// Each field of the text with what it says; of castling rights and en passant target, only what `kept` still has stands.
fn fields_in_words(fields: &FenFields, kept: &Fen) -> Vec<String> {
    let fen = fields.fen();
    let text = fen.to_string();
    let parts: Vec<&str> = text.split(' ').collect();
    let mut lines = vec!["placement, from rank 8 to rank 1:".to_owned()];
    for (index, rank_text) in (0u8..).zip(parts[0].split('/')) {
        let rank = 7 - index;
        lines.push(format!(
            "  {}  {rank_text:<8}  {}",
            rank + 1,
            rank_in_words(&fen, rank)
        ));
    }
    let player = fen.turn.player();
    let next = match fen.standing() {
        Ok(Standing::Check) => format!("{player} makes the next move and is in check"),
        Ok(Standing::Mate) => format!("{player} is checkmated"),
        Ok(Standing::Stalemate) => {
            format!("{player} has no legal move and is not in check: stalemate")
        }
        Ok(Standing::Free) | Err(_) => format!("{player} makes the next move"),
    };
    lines.push(field("side to move", parts[1], &next, fields.turn));
    lines.push(field(
        "castling rights",
        parts[2],
        &castling(&fen, kept.castling),
        fields.castling,
    ));
    lines.push(field(
        "en passant target",
        parts[3],
        &en_passant(&fen, kept.en_passant),
        fields.en_passant,
    ));
    let halfmove = match fen.halfmove {
        0 => "the last move was a capture or a pawn move, or nothing is known of it".to_owned(),
        1 => "1 half-move since the last capture or pawn move".to_owned(),
        count => format!("{count} half-moves since the last capture or pawn move"),
    };
    let halfmove = format!("{halfmove}; from 100 a player may claim a draw");
    lines.push(field(
        "halfmove clock",
        parts[4],
        &halfmove,
        fields.halfmove,
    ));
    let fullmove = format!("move {}; it grows after Black's move", fen.fullmove);
    lines.push(field(
        "fullmove number",
        parts[5],
        &fullmove,
        fields.fullmove,
    ));
    lines
}

fn field<T>(name: &str, text: &str, meaning: &str, known: Known<T>) -> String {
    let source = match known.provenance {
        Provenance::Given | Provenance::Read => String::new(),
        guessed => format!(" ({guessed}; the text does not say)"),
    };
    format!("{name} {text}: {meaning}{source}")
}

/// `white pawns a2 b2, white king e1`, in the order of the rank.
fn rank_in_words(fen: &Fen, rank: u8) -> String {
    let mut groups: Vec<(Piece, Vec<String>)> = Vec::new();
    for square in (0..8).filter_map(|file| Square::new(file, rank)) {
        let Some(piece) = fen.placement.get(square) else {
            continue;
        };
        match groups.iter_mut().find(|(grouped, _)| *grouped == piece) {
            Some((_, places)) => places.push(square.to_string()),
            None => groups.push((piece, vec![square.to_string()])),
        }
    }
    if groups.is_empty() {
        return "empty".to_owned();
    }
    let named = groups.iter().map(|(piece, places)| {
        let plural = if places.len() > 1 { "s" } else { "" };
        format!("{piece}{plural} {}", places.join(" "))
    });
    named.collect::<Vec<_>>().join(", ")
}

fn castling(fen: &Fen, kept: CastlingRights) -> String {
    let mut sides = Vec::new();
    for color in Color::ALL {
        let king = (0..8).find(|&file| {
            let square = Square::new(file, color.home_rank());
            square.and_then(|square| fen.placement.get(square))
                == Some(Piece::new(color, Role::King))
        });
        let wings: Vec<String> = kept
            .iter()
            .filter(|(owner, _)| *owner == color)
            .filter_map(|(_, file)| {
                let rook = Square::new(file, color.home_rank())?;
                let wing = if file > king.unwrap_or(4) {
                    "king's"
                } else {
                    "queen's"
                };
                Some(format!("on the {wing} side with the rook {rook}"))
            })
            .collect();
        if !wings.is_empty() {
            sides.push(format!(
                "{} may castle {}",
                color.player(),
                wings.join(" and ")
            ));
        }
    }
    let mut words = if sides.is_empty() {
        "nobody may castle any more".to_owned()
    } else {
        format!(
            "{}, unless something is in the way for now",
            sides.join("; ")
        )
    };
    let mut dropped = CastlingRights::NONE;
    for (color, file) in fen.castling.iter() {
        if !kept.contains(color, file) {
            dropped.insert(color, file);
        }
    }
    if !dropped.is_empty() {
        let letters = dropped.display(CastlingStyle::Xfen, &fen.placement);
        words += &format!("; `{letters}` is dropped, king and rook do not stand for it");
    }
    words
}

fn en_passant(fen: &Fen, kept: Option<Square>) -> String {
    let Some(target) = fen.en_passant else {
        return "no en passant capture is possible, or the last move was no double step of a pawn"
            .to_owned();
    };
    if kept.is_none() {
        return "it is dropped, no pawn can have skipped this square".to_owned();
    }
    let captures: Vec<String> = fen
        .legal_moves()
        .unwrap_or_default()
        .into_iter()
        .filter(|played| {
            played.to == target
                && played.from.file() != target.file()
                && fen.placement.get(played.from) == Some(Piece::new(fen.turn, Role::Pawn))
        })
        .filter_map(|played| fen.san(played).ok())
        .collect();
    let can = if captures.is_empty() {
        "no pawn can legally capture it en passant".to_owned()
    } else {
        format!("{} captures it en passant", captures.join(" or "))
    };
    format!("a pawn has just skipped {target}; {can}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn_from_either_side() {
        let fen: Fen = "4k3/8/8/8/8/8/7P/4K3 w - - 0 1".parse().unwrap();
        let white = board(&fen, Color::White, true);
        assert_eq!(white[0], "  8  . . . . k . . .");
        assert_eq!(white[6], "  2  . . . . . . . P");
        assert_eq!(white[8], "     a b c d e f g h");
        let black = board(&fen, Color::Black, false);
        assert_eq!(black[0], "  1  · · · ♔ · · · ·");
        assert_eq!(black[8], "     h g f e d c b a");
    }

    #[test]
    fn fields_are_told_in_words_with_their_provenance() {
        let text = "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQ d6";
        let fields: FenFields = text.parse().unwrap();
        let lines = fields_in_words(&fields, &fields.fen());
        assert_eq!(lines[4], "  5  3pP3      black pawn d5, white pawn e5");
        assert_eq!(lines[5], "  4  8         empty");
        assert_eq!(lines[9], "side to move w: White makes the next move");
        assert_eq!(
            lines[10],
            "castling rights KQ: White may castle on the king's side with the rook h1 and on the queen's side with \
             the rook a1, unless something is in the way for now"
        );
        assert_eq!(
            lines[11],
            "en passant target d6: a pawn has just skipped d6; exd6 captures it en passant"
        );
        assert_eq!(
            lines[13],
            "fullmove number 1: move 1; it grows after Black's move (assumed; the text does not say)"
        );
    }
}
