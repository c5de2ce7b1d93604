//! Documents of plain text, one board at a time.

use std::fmt::Write;

use super::record::Record;
use crate::position::Square;

/// A line of `positions.fen`.
#[must_use]
pub fn fen_line(record: &Record) -> String {
    format!("{}\n", record.fen)
}

/// A line of `positions.epd`: four fields, the counters as `hmvc` and `fmvn`, where it comes from as `id`, and the
/// doubtful squares as comment `c0`.
#[must_use]
pub fn epd_line(record: &Record) -> String {
    let four: Vec<&str> = record.fen.split(' ').take(4).collect();
    let fields = &record.fields;
    let mut line = four.join(" ");
    let _ = write!(
        line,
        " hmvc {}; fmvn {}; id \"{}\";",
        fields.halfmove.value,
        fields.fullmove.value,
        quoted(&name(record), '\'')
    );
    if let Some(doubt) = doubt(record) {
        let _ = write!(line, " c0 \"{doubt}\";");
    }
    line.push('\n');
    line
}

/// A game of `positions.pgn` without moves: the seven tags of the roster, `SetUp` and `FEN`, page and board number, and
/// the doubtful squares as a comment. Games are separated by an empty line, which is included.
#[must_use]
pub fn pgn_game(record: &Record) -> String {
    let source = &record.source;
    let round = format!("{}.{}", source.page.unwrap_or(1), source.board);
    let mut tags = vec![
        ("Event", source.path.clone()),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", round),
        ("White", "?".to_owned()),
        ("Black", "?".to_owned()),
        ("Result", "*".to_owned()),
        ("SetUp", "1".to_owned()),
        ("FEN", record.fen.clone()),
    ];
    if let Some(page) = source.page {
        tags.push(("Page", page.to_string()));
    }
    tags.push(("Board", source.board.to_string()));
    if let Some(number) = record.caption.as_ref().and_then(|caption| caption.number) {
        tags.push(("Diagram", number.to_string()));
    }
    let mut game = String::new();
    for (tag, value) in tags {
        let value: String = value
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let _ = writeln!(
            game,
            "[{tag} \"{}\"]",
            value.replace('\\', "\\\\").replace('"', "\\\"")
        );
    }
    game.push('\n');
    if let Some(doubt) = doubt(record) {
        let _ = write!(game, "{{{doubt}}} ");
    }
    game.push_str("*\n\n");
    game
}

/// The first line of a CSV document.
#[must_use]
pub fn csv_header() -> String {
    "path,page,board,diagram,fen,turn_provenance,orientation,board_confidence,doubtful,doubtful_squares,reviewed\r\n".to_owned()
}

/// A line of a CSV document (RFC 4180).
#[must_use]
pub fn csv_row(record: &Record) -> String {
    let optional = |number: Option<String>| number.unwrap_or_default();
    let cells = [
        record.source.path.clone(),
        optional(record.source.page.map(|page| page.to_string())),
        record.source.board.to_string(),
        optional(
            record
                .caption
                .as_ref()
                .and_then(|caption| caption.number)
                .map(|number| number.to_string()),
        ),
        record.fen.clone(),
        record.fields.turn.provenance.to_string(),
        record.orientation.value.clone(),
        format!("{:.4}", record.board_confidence),
        record.doubtful.to_string(),
        squares(&record.doubtful_squares),
        record.reviewed.to_string(),
    ];
    let cells: Vec<String> = cells.iter().map(|cell| csv_cell(cell)).collect();
    format!("{}\r\n", cells.join(","))
}

/// A cell that neither breaks the table nor runs as a formula when a spreadsheet opens it.
fn csv_cell(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// `book.pdf p12 #3`.
fn name(record: &Record) -> String {
    let source = &record.source;
    match source.page {
        Some(page) => format!("{} p{page} #{}", source.path, source.board),
        None => format!("{} #{}", source.path, source.board),
    }
}

fn doubt(record: &Record) -> Option<String> {
    match (record.doubtful, record.doubtful_squares.is_empty()) {
        (false, _) => None,
        (true, true) => Some("doubtful".to_owned()),
        (true, false) => Some(format!("doubtful: {}", squares(&record.doubtful_squares))),
    }
}

fn squares(squares: &[Square]) -> String {
    squares
        .iter()
        .map(Square::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Text for an EPD operand, which knows no way to write a quotation mark inside.
fn quoted(text: &str, instead: char) -> String {
    text.chars()
        .map(|c| {
            if c == '"' {
                instead
            } else if c.is_control() {
                ' '
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn a_sure_board_is_a_plain_line_in_each_format() {
        let record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(fen_line(&record), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n");
        assert_eq!(
            epd_line(&record),
            "4k3/8/8/8/8/8/8/R3K3 w Q - hmvc 0; fmvn 1; id \"book.pdf p12 #3\";\n"
        );
        assert!(pgn_game(&record).ends_with("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n[Page \"12\"]\n[Board \"3\"]\n\n*\n\n"));
        assert_eq!(
            csv_row(&record),
            "book.pdf,12,3,,4k3/8/8/8/8/8/8/R3K3 w Q - 0 1,given,white,0.9900,false,,false\r\n"
        );
        assert_eq!(
            csv_header().split(',').count(),
            csv_row(&record).split(',').count()
        );
    }

    #[test]
    fn doubtful_squares_are_named_in_comments() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        record.doubtful = true;
        record.doubtful_squares = vec!["a1".parse().unwrap(), "e8".parse().unwrap()];
        assert!(epd_line(&record).ends_with("c0 \"doubtful: a1 e8\";\n"));
        assert!(pgn_game(&record).ends_with("\n{doubtful: a1 e8} *\n\n"));
    }

    #[test]
    fn names_of_files_cannot_break_a_document_or_run_in_a_spreadsheet() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        record.source.path = "=a\",b\\\n.pdf".to_owned();
        assert!(epd_line(&record).contains("id \"=a',b\\ .pdf p12 #3\";"));
        assert!(pgn_game(&record).starts_with("[Event \"=a\\\",b\\\\ .pdf\"]\n"));
        assert!(csv_row(&record).starts_with("\"'=a\"\",b\\\n.pdf\",12,3,"));
    }
}
