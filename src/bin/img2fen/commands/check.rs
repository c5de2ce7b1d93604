//! `img2fen check FEN...`: what is wrong with positions, and the cure.

use clap::{Args, ValueEnum};
use img2fen::check::{Checked, Variant, check_epd, check_text};
use img2fen::{Diagnostic, Limits};
use serde_json::{Value, json};

use super::positions::{Faults, JsonArray, RulesArgs, entries, label, replaced};
use crate::exit::Exit;
use crate::position_files::{Item, NoPosition};
use crate::ui::Ui;

/// Positions to check.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  every position is sound; remarks do not count
  1  a position has a warning or an error, or an input holds none
  2  wrong usage
  3  a file or an entry of one cannot be read; the others were
  4  standard output cannot be written

Examples:
  img2fen check 'rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
  img2fen check problems.epd
  img2fen photo.png | img2fen check -")]
pub struct CheckArgs {
    /// FENs, EPDs, links, `start`, files (.fen, .txt, .epd, .pgn, .json, .jsonl), or `-` for standard input
    #[arg(value_name = "FEN", required = true)]
    positions: Vec<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// What to write
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Leave out positions with nothing to say
    #[arg(long)]
    faults_only: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// An array with one object a position
    Json,
    /// One object a line
    Jsonl,
}

/// Runs the command.
pub fn run(args: &CheckArgs, limits: &Limits, ui: &Ui) -> anyhow::Result<Exit> {
    let format = if args.json { Format::Json } else { args.format };
    let mut faults = Faults::new(ui);
    let mut array = JsonArray::default();
    let mut write_object = |object: Value| match format {
        Format::Text => Ok(()),
        Format::Json => ui.write(&array.element(&object)),
        Format::Jsonl => ui.print(&object.to_string()),
    };
    for entry in entries(&args.positions, limits, ui)? {
        let item = match entry {
            Ok(item) => item,
            Err(none) => {
                faults.say_no_position(&none);
                write_object(no_position(&none))?;
                continue;
            }
        };
        let checked = judged(&item, args.rules);
        if !checked.is_sound() {
            faults.note(Exit::NeedsPerson);
        }
        if args.faults_only && checked.diagnostics.is_empty() {
            continue;
        }
        match format {
            Format::Text => ui.print(&text(&item, &checked))?,
            Format::Json | Format::Jsonl => write_object(object(&item, &checked))?,
        }
    }
    if format == Format::Json {
        ui.write(array.end())?;
    }
    Ok(faults.finish())
}

/// Reads a text as what it looks like, and judges it.
pub fn judged(item: &Item, rules: RulesArgs) -> Checked {
    let variant = (rules.chess960 || item.chess960).then_some(Variant::Chess960);
    if item.is_epd {
        check_epd(&item.text, variant)
    } else {
        check_text(&item.text, variant)
    }
}

fn object(item: &Item, checked: &Checked) -> Value {
    json!({
        "type": "check",
        "place": item.place,
        "text": item.text,
        "sound": checked.is_sound(),
        "fen": checked.fen.map(|fen| fen.to_string()),
        "fields": checked.fields,
        "diagnostics": checked.diagnostics,
    })
}

fn no_position(none: &NoPosition) -> Value {
    json!({
        "type": "no_position",
        "place": none.place,
        "message": none.message,
        "hint": none.hint,
    })
}

fn text(item: &Item, checked: &Checked) -> String {
    let verdict = if checked.is_sound() { "sound" } else { "wrong" };
    let mut lines = vec![format!("{verdict}  {}", label(item))];
    for diagnostic in &checked.diagnostics {
        lines.extend(explained(diagnostic, &item.text));
    }
    if let Some(fen) = checked.fen
        && Some(fen) != checked.fields.map(|fields| fields.fen())
    {
        lines.push(format!("  without what cannot be: {fen}"));
    }
    lines.join("\n")
}

/// A diagnostic for people: the sentence, the place in the text, the cure and the FEN that would be right.
pub fn explained(diagnostic: &Diagnostic, text: &str) -> Vec<String> {
    let mut lines = vec![format!("  {diagnostic}")];
    // An empty text has no place to point at.
    if let Some(position) = diagnostic.position.filter(|_| !text.trim().is_empty()) {
        // A window around the place, so that a long line stays readable.
        const BEFORE: usize = 40;
        let skipped = position.saturating_sub(BEFORE);
        let window: String = text.chars().skip(skipped).take(2 * BEFORE).collect();
        lines.push(format!("    {}", replaced(&window)));
        lines.push(format!("    {}^", " ".repeat(position - skipped)));
    }
    if let Some(hint) = &diagnostic.hint {
        lines.push(format!("    hint: {hint}"));
    }
    if let Some(suggestion) = &diagnostic.suggestion {
        lines.push(format!("    {suggestion}"));
    }
    lines
}
