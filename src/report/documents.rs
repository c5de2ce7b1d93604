//! Documents of plain text, one board at a time.

use super::record::Record;
use crate::position::{Epd, PgnPosition, Square};
use crate::wording::without_controls;

/// A line of `positions.fen`.
#[must_use]
pub fn fen_line(record: &Record) -> String {
    format!("{}\n", record.fen)
}

/// A line of `positions.epd`.
#[must_use]
pub fn epd_line(record: &Record) -> String {
    format!("{}\n", epd(record))
}

/// A board as EPD: where it comes from as `id`, the doubtful squares as comment `c0`.
#[must_use]
pub fn epd(record: &Record) -> Epd {
    let epd = Epd::new(record.fields.fen()).with("id", [name(record).as_str()]);
    match doubt(record) {
        Some(doubt) => epd.with("c0", [doubt.as_str()]),
        None => epd,
    }
}

/// A game of `positions.pgn`. Games are separated by an empty line, which is included.
#[must_use]
pub fn pgn_game(record: &Record) -> String {
    format!("{}\n", pgn_position(record))
}

/// A board as a game of PGN without moves: the seven tags of the roster, `SetUp` and `FEN`, page, board and diagram
/// number, and the doubtful squares as a comment.
#[must_use]
pub fn pgn_position(record: &Record) -> PgnPosition {
    let source = &record.source;
    let diagram = record.caption.as_ref().and_then(|caption| caption.number);
    let tags = [
        ("Page", source.page.map(|page| page.to_string())),
        ("Board", Some(source.board.to_string())),
        ("Diagram", diagram.map(|number| number.to_string())),
    ];
    PgnPosition {
        event: source.path.clone(),
        round: format!("{}.{}", source.page.unwrap_or(1), source.board),
        tags: tags
            .into_iter()
            .filter_map(|(tag, value)| Some((tag.to_owned(), value?)))
            .collect(),
        comment: doubt(record).unwrap_or_default(),
        ..PgnPosition::new(record.fields.fen())
    }
}

/// The first line of a CSV document.
#[must_use]
pub fn csv_header() -> String {
    csv_line([
        "path",
        "page",
        "board",
        "diagram",
        "fen",
        "turn_provenance",
        "orientation",
        "board_confidence",
        "doubtful",
        "doubtful_squares",
        "reviewed",
    ])
}

/// The line of a board in a CSV document.
#[must_use]
pub fn csv_row(record: &Record) -> String {
    let source = &record.source;
    let diagram = record.caption.as_ref().and_then(|caption| caption.number);
    csv_line([
        source.path.as_str(),
        &source.page.map(|page| page.to_string()).unwrap_or_default(),
        &source.board.to_string(),
        &diagram.map(|number| number.to_string()).unwrap_or_default(),
        &record.fen,
        record.fields.turn.provenance.name(),
        &record.orientation.value,
        &format!("{:.4}", record.board_confidence),
        &record.doubtful.to_string(),
        &squares(&record.doubtful_squares),
        &record.reviewed.to_string(),
    ])
}

/// A line of CSV (RFC 4180) that neither breaks the table, nor steers a terminal, nor runs as a formula when a spreadsheet
/// opens it: control characters become blanks, as in EPD and PGN.
///
/// ```
/// assert_eq!(img2fen::report::csv_line(["a,b", "=1+1", "c"]), "\"a,b\",'=1+1,c\r\n");
/// ```
#[must_use]
pub fn csv_line<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    let cells = cells.into_iter().map(|cell| {
        let text = without_controls(cell);
        let guard = if text.trim_start().starts_with(['=', '+', '@']) {
            "'"
        } else {
            ""
        };
        format!("{guard}{text}")
    });
    let line = table
        .write_record(cells.collect::<Vec<_>>())
        .ok()
        .and_then(|()| table.into_inner().ok())
        .expect("memory takes every line");
    String::from_utf8(line).expect("cells are UTF-8")
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
    if !record.doubtful {
        return None;
    }
    let mut reasons = Vec::new();
    if !record.doubtful_squares.is_empty() {
        reasons.push(squares(&record.doubtful_squares));
    }
    if record.is_way_up_in_doubt() {
        reasons.push("which side is below".to_owned());
    }
    Some(if reasons.is_empty() {
        "doubtful".to_owned()
    } else {
        format!("doubtful: {}", reasons.join(", "))
    })
}

fn squares(squares: &[Square]) -> String {
    squares
        .iter()
        .map(Square::to_string)
        .collect::<Vec<_>>()
        .join(" ")
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
            "4k3/8/8/8/8/8/8/R3K3 w Q - id \"book.pdf p12 #3\";\n"
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
    fn what_makes_a_board_doubtful_is_named_in_comments() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        record.doubtful = true;
        assert!(epd_line(&record).ends_with("c0 \"doubtful\";\n"));
        record.diagnostics = vec![serde_json::json!({"code": "orientation-uncertain"})];
        assert!(epd_line(&record).ends_with("c0 \"doubtful: which side is below\";\n"));
        record.doubtful_squares = vec!["a1".parse().unwrap()];
        assert!(pgn_game(&record).ends_with("\n{doubtful: a1, which side is below} *\n\n"));
        record.doubtful = false;
        assert!(pgn_game(&record).ends_with("\n\n*\n\n"));
    }

    #[test]
    fn names_of_files_cannot_break_a_document_or_run_in_a_spreadsheet() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        record.source.path = "=a\",b\\\n.pdf".to_owned();
        assert!(epd_line(&record).contains("id \"=a\\\",b\\\\ .pdf p12 #3\";"));
        assert!(pgn_game(&record).starts_with("[Event \"=a\\\",b\\\\ .pdf\"]\n"));
        assert!(csv_row(&record).starts_with("\"'=a\"\",b\\ .pdf\",12,3,"));
    }

    #[test]
    fn control_characters_become_blanks_in_every_document() {
        let mut record = record("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        for control in ('\0'..='\u{9f}').filter(|letter| letter.is_control()) {
            record.source.path = format!("{control}=a{control}[31mb");
            assert!(epd_line(&record).contains(" =a [31mb p12"), "{control:?}");
            assert!(pgn_game(&record).contains("\" =a [31mb\""), "{control:?}");
            assert!(csv_row(&record).starts_with("' =a [31mb,12"), "{control:?}");
        }
    }
}
