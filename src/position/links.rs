//! Web addresses that show a position. They are only written and read, never fetched.

use super::castling::is_name_of_chess960;
use super::{CastlingStyle, EnPassantStyle, Fen, FenStyle};

/// The analysis board of lichess with this position.
///
/// ```
/// use img2fen::{Fen, position::links};
///
/// assert_eq!(
///     links::lichess_analysis(&Fen::start()),
///     "https://lichess.org/analysis/standard/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1"
/// );
/// ```
pub fn lichess_analysis(fen: &Fen) -> String {
    LinkStyle::default().lichess_analysis(fen)
}

/// The board editor of lichess with this position, where a reading is easily corrected.
///
/// ```
/// use img2fen::{Fen, position::links};
///
/// let link = links::lichess_editor(&Fen::start());
/// assert_eq!(links::fen_text(&link).unwrap(), Fen::start().to_string().replace(' ', "_"));
/// ```
pub fn lichess_editor(fen: &Fen) -> String {
    LinkStyle::default().lichess_editor(fen)
}

/// How links are written.
///
/// ```
/// use img2fen::{Fen, position::links::{LinkStyle, is_chess960}};
///
/// let fen: Fen = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w - - 0 1".parse().unwrap();
/// let style = LinkStyle { chess960: true, ..LinkStyle::default() };
/// assert!(is_chess960(&style.lichess_analysis(&fen)) && is_chess960(&style.lichess_editor(&fen)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinkStyle {
    /// Whether the rules of Chess960 hold; where castling rights need them they do anyway.
    pub chess960: bool,
    /// How castling rights are written. By default as the files of their rooks in Chess960, which a board editor has no
    /// better place for, else as in [`FenStyle`].
    pub castling: Option<CastlingStyle>,
    /// When the en passant target is written.
    pub en_passant: EnPassantStyle,
}

impl LinkStyle {
    /// As [`lichess_analysis`], in this style.
    #[must_use]
    pub fn lichess_analysis(self, fen: &Fen) -> String {
        let variant = if self.is_chess960(fen) {
            "chess960"
        } else {
            "standard"
        };
        let fen = self.in_path(fen);
        format!("https://lichess.org/analysis/{variant}/{fen}")
    }

    /// As [`lichess_editor`], in this style.
    #[must_use]
    pub fn lichess_editor(self, fen: &Fen) -> String {
        let names_files =
            self.castling_in(fen) == CastlingStyle::Shredder && !fen.castling.is_empty();
        let query = if self.is_chess960(fen) && !names_files {
            "?variant=chess960"
        } else {
            ""
        };
        format!("https://lichess.org/editor/{}{query}", self.in_path(fen))
    }

    fn is_chess960(self, fen: &Fen) -> bool {
        self.chess960 || fen.needs_chess960()
    }

    fn castling_in(self, fen: &Fen) -> CastlingStyle {
        self.castling.unwrap_or(if self.is_chess960(fen) {
            CastlingStyle::Shredder
        } else {
            CastlingStyle::default()
        })
    }

    /// The FEN with underscores for spaces; its letters, digits, strokes and hyphens need no escaping.
    fn in_path(self, fen: &Fen) -> String {
        let style = FenStyle {
            castling: self.castling_in(fen),
            en_passant: self.en_passant,
        };
        fen.display(style).to_string().replace(' ', "_")
    }
}

/// The text of the FEN in such a link, also in `?fen=`; `None` when there is none. It is not checked.
///
/// ```
/// use img2fen::position::links::fen_text;
///
/// let link = "https://lichess.org/editor?fen=8%2F8%2F8%2F4k3%2F8%2F8%2F8%2F4K3+w+-+-+0+1&color=white";
/// assert_eq!(fen_text(link).unwrap(), "8/8/8/4k3/8/8/8/4K3 w - - 0 1");
/// assert_eq!(fen_text("https://lichess.org/training"), None);
/// ```
pub fn fen_text(link: &str) -> Option<String> {
    let rest = address_of(link)?;
    let address = rest.split('#').next().unwrap_or_default();
    if let Some((_, query)) = address.split_once('?')
        && let Some(value) = query.split('&').find_map(|pair| pair.strip_prefix("fen="))
    {
        return Some(percent_decoded(&value.replace('+', " ")));
    }
    let path = address.split('?').next().unwrap_or_default();
    let start = ["/analysis/", "/editor/"]
        .into_iter()
        .find_map(|place| path.find(place).map(|at| at + place.len()))?;
    let mut text = percent_decoded(&path[start..]);
    // A variant may stand before the board; a board has strokes of its own.
    if let Some((variant, board)) = text.split_once('/')
        && !variant.is_empty()
        && variant.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && board.matches('/').count() >= 7
    {
        text = board.to_owned();
    }
    if text.is_empty() { None } else { Some(text) }
}

/// True when a link says that the rules of Chess960 hold, in its path or as `?variant=`.
///
/// ```
/// use img2fen::position::links::is_chess960;
///
/// assert!(is_chess960("https://lichess.org/analysis/chess960/1k1r4/8/8/8/8/8/8/1K1R4_w_Kk_-_0_1"));
/// assert!(!is_chess960("https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/4K3_w_-_-_0_1"));
/// ```
pub fn is_chess960(link: &str) -> bool {
    let Some(address) = address_of(link) else {
        return false;
    };
    let address = address.split('#').next().unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    path.split('/').any(is_name_of_chess960)
        || query
            .split('&')
            .filter_map(|pair| pair.strip_prefix("variant="))
            .any(is_name_of_chess960)
}

/// True for a web address, with `https://` or without.
///
/// ```
/// use img2fen::position::links::is_link;
///
/// assert!(is_link("https://lichess.org/training") && is_link("lichess.org/training"));
/// assert!(!is_link("4k3/8/8/8/8/8/8/4K3 w - - 0 1") && !is_link("../games/one.pgn"));
/// ```
pub fn is_link(text: &str) -> bool {
    address_of(text).is_some()
}

/// True for a text that begins as a board does: ranks between strokes, the second of nothing but pieces, digits and points.
/// The first may hold a mistake that looks like the name of a host, the last one that looks like the ending of a file.
///
/// ```
/// use img2fen::position::links::is_board;
///
/// assert!(is_board("r.bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
/// assert!(!is_board("lichess.org/analysis/4k3/8/8/8/8/8/8/4K3_w_-_-_0_1") && !is_board("games/p/1.pgn"));
/// ```
pub fn is_board(text: &str) -> bool {
    /// A board of eight ranks with two of them lost; no path of a file has so many folders of such names.
    const FEWEST_STROKES: usize = 5;
    let board = text.split([' ', '_']).next().unwrap_or_default();
    let of_rank =
        |byte: u8| byte == b'.' || b"pnbrqk0123456789".contains(&byte.to_ascii_lowercase());
    let second = board.split('/').nth(1).unwrap_or_default();
    board.matches('/').count() >= FEWEST_STROKES
        && !second.is_empty()
        && second.bytes().all(of_rank)
}

/// What follows `https://` or `http://`, which may be left out before the name of a host and a path; `None` when the
/// text is no link.
fn address_of(text: &str) -> Option<&str> {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    if scheme.is_some() {
        return scheme;
    }
    if is_board(text) {
        return None;
    }
    let (host, _) = text.split_once('/')?;
    let (name, domain) = host.rsplit_once('.')?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        && name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    let is_domain = domain.len() >= 2 && domain.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && is_domain).then_some(text)
}

/// `%2F` and the like resolved; what is no escape stays.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let escape = bytes
            .get(index + 1..index + 3)
            .filter(|_| bytes[index] == b'%');
        let value = escape
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match value {
            Some(value) => {
                decoded.push(value);
                index += 3;
            }
            None => {
                decoded.push(bytes[index]);
                index += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_back_as_its_position() {
        let fen: Fen = "4k3/8/8/8/8/8/8/4KR1R w F - 3 9".parse().unwrap();
        for link in [lichess_analysis(&fen), lichess_editor(&fen)] {
            assert_eq!(fen_text(&link).unwrap().parse(), Ok(fen), "{link}");
        }
        assert!(lichess_analysis(&fen).contains("/chess960/"));
    }

    #[test]
    fn other_texts_are_no_links() {
        for text in [
            "",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "https://lichess.org/",
            "https://lichess.org/editor/",
        ] {
            assert_eq!(fen_text(text), None, "{text}");
        }
        // A point in place of a digit, in any rank.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (at, _) in start.char_indices().take(43) {
            let text = format!("{}.{}", &start[..at], &start[at..]);
            assert!(!is_link(&text), "{text}");
            assert!(!is_link(&text.replace(' ', "_")), "{text}");
        }
        // Broken escapes stay as they are.
        assert_eq!(fen_text("https://x/editor?fen=8%2"), Some("8%2".to_owned()));
        assert_eq!(
            fen_text("https://x/editor?fen=%+1%é"),
            Some("% 1%é".to_owned())
        );
    }
}
