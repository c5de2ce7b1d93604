//! Castling rights, in the three ways of writing them.
//!
//! A right is kept as the file of its rook, which is the only form that is never ambiguous. `K` stands for the
//! outermost rook on the king's right, `Q` for the outermost on its left (as X-FEN defines them); without king and
//! rook to go by, for the corners.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::{FenError, FenFault, Field};
use super::{Color, Piece, Placement, Role, Square};

/// How castling rights are written.
///
/// ```
/// use img2fen::{CastlingStyle, Fen, FenStyle};
///
/// // Chess960: White may castle with the rook of the f-file, not with that of the h-file.
/// let fen: Fen = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1".parse().unwrap();
/// let write = |castling| fen.display(FenStyle { castling, ..FenStyle::default() }).to_string();
/// assert_eq!(write(CastlingStyle::Standard), "4k3/8/8/8/8/8/8/4KR1R w K - 0 1");
/// assert_eq!(write(CastlingStyle::Xfen), "4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
/// assert_eq!(write(CastlingStyle::Shredder), "4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CastlingStyle {
    /// `KQkq` only, by the side of the king on which the rook stands. Every program reads it; in Chess960 it can be
    /// ambiguous.
    Standard,
    /// `KQkq` for the outermost rook, the letter of a file where another rook stands further out. Nothing is lost.
    #[default]
    Xfen,
    /// The letters of the rooks' files, `HAha` at the start. Nothing is lost.
    Shredder,
}

/// True for the names that programs give to Chess960, in any case: `Chess960`, `Fischerandom`, `Chess 960` and the like.
///
/// ```
/// use img2fen::position::is_name_of_chess960;
///
/// assert!(is_name_of_chess960("chess960") && is_name_of_chess960("Fischer Random Chess"));
/// assert!(!is_name_of_chess960("Standard"));
/// ```
pub fn is_name_of_chess960(name: &str) -> bool {
    let letters: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let short = letters.strip_suffix("chess").unwrap_or(&letters);
    matches!(
        short,
        "chess960" | "fischerandom" | "fischerrandom" | "freestyle"
    )
}

/// Which rooks may still castle.
///
/// ```
/// use img2fen::{CastlingRights, CastlingStyle, Color, Placement};
///
/// let start = Placement::start();
/// let rights = CastlingRights::parse("KQk", &start).unwrap();
/// assert!(rights.contains(Color::White, 7));
/// assert!(!rights.contains(Color::Black, 0));
/// assert_eq!(rights.display(CastlingStyle::Shredder, &start).to_string(), "HAh");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    /// One bit for the file of each rook that may castle, bit 0 for the a-file; White, then Black.
    files: [u8; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    ///
    /// ```
    /// assert!(img2fen::CastlingRights::NONE.is_empty());
    /// ```
    pub const NONE: Self = Self { files: [0, 0] };

    /// Both sides may castle with the rooks of the corners.
    ///
    /// ```
    /// assert_eq!(img2fen::CastlingRights::ALL.iter().count(), 4);
    /// ```
    pub const ALL: Self = Self {
        files: [0b1000_0001, 0b1000_0001],
    };

    /// True when nobody may castle.
    ///
    /// ```
    /// use img2fen::{CastlingRights, Placement};
    ///
    /// assert!(CastlingRights::parse("-", &Placement::start()).unwrap().is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.files[0] == 0 && self.files[1] == 0
    }

    /// May this side castle with the rook of this file (0 to 7)?
    ///
    /// ```
    /// use img2fen::{CastlingRights, Color};
    ///
    /// assert!(CastlingRights::ALL.contains(Color::Black, 0));
    /// assert!(!CastlingRights::ALL.contains(Color::Black, 1));
    /// ```
    pub const fn contains(self, color: Color, file: u8) -> bool {
        file < 8 && self.files[color as usize] >> file & 1 == 1
    }

    /// Gives the right to castle with the rook of a file (0 to 7; others are ignored).
    ///
    /// ```
    /// use img2fen::{CastlingRights, Color};
    ///
    /// let mut rights = CastlingRights::NONE;
    /// rights.insert(Color::White, 7);
    /// assert!(rights.contains(Color::White, 7));
    /// ```
    pub const fn insert(&mut self, color: Color, file: u8) {
        if file < 8 {
            self.files[color as usize] |= 1 << file;
        }
    }

    /// Takes the right to castle with the rook of a file.
    ///
    /// ```
    /// use img2fen::{CastlingRights, Color};
    ///
    /// let mut rights = CastlingRights::ALL;
    /// rights.remove(Color::White, 7);
    /// assert!(!rights.contains(Color::White, 7));
    /// ```
    pub const fn remove(&mut self, color: Color, file: u8) {
        if file < 8 {
            self.files[color as usize] &= !(1 << file);
        }
    }

    /// Takes both rights of a side.
    ///
    /// ```
    /// use img2fen::{CastlingRights, Color};
    ///
    /// let mut rights = CastlingRights::ALL;
    /// rights.remove_all(Color::White);
    /// assert_eq!(rights.iter().count(), 2);
    /// ```
    pub const fn remove_all(&mut self, color: Color) {
        self.files[color as usize] = 0;
    }

    /// Every right as side and rook file, White first, each from the h-file to the a-file.
    ///
    /// ```
    /// use img2fen::{CastlingRights, Color};
    ///
    /// let first = CastlingRights::ALL.iter().next();
    /// assert_eq!(first, Some((Color::White, 7)));
    /// ```
    pub fn iter(self) -> impl Iterator<Item = (Color, u8)> {
        Color::ALL.into_iter().flat_map(move |color| {
            (0..8)
                .rev()
                .filter(move |&file| self.contains(color, file))
                .map(move |file| (color, file))
        })
    }

    /// Reads the castling field of a FEN in any of the three styles; the placement decides which rook `K` means.
    ///
    /// Rights that the placement contradicts are read as they stand; [`CastlingRights::supported`] leaves them out.
    ///
    /// ```
    /// use img2fen::{CastlingRights, Placement};
    ///
    /// let start = Placement::start();
    /// let read = |text| CastlingRights::parse(text, &start);
    /// assert_eq!(read("KQkq"), read("HAha"));
    /// assert_eq!(read("KX").unwrap_err().position(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// When a letter is no castling right, or the text is empty.
    pub fn parse(text: &str, placement: &Placement) -> Result<Self, FenError> {
        let mut rights = Self::NONE;
        if text == "-" {
            return Ok(rights);
        }
        let fault = |position| {
            let found = text.chars().take(20).collect();
            FenError::new(Field::Castling, position, FenFault::Castling { found })
        };
        if text.is_empty() {
            return Err(fault(0));
        }
        for (position, letter) in text.chars().enumerate() {
            let (color, file) = right_of(letter, placement).ok_or_else(|| fault(position))?;
            rights.insert(color, file);
        }
        Ok(rights)
    }

    /// Writes the castling field of a FEN.
    ///
    /// ```
    /// use img2fen::{CastlingRights, CastlingStyle, Placement};
    ///
    /// let start = Placement::start();
    /// let text = CastlingRights::ALL.display(CastlingStyle::Shredder, &start).to_string();
    /// assert_eq!(text, "HAha");
    /// ```
    pub fn display(self, style: CastlingStyle, placement: &Placement) -> impl fmt::Display {
        // Two letters for each of sixteen rooks is more than can be written.
        let mut text = String::new();
        for (color, file) in self.iter() {
            let wing = wing(placement, color, file);
            let by_wing = match style {
                CastlingStyle::Standard => true,
                CastlingStyle::Xfen => outermost_rook(placement, color, wing) == file,
                CastlingStyle::Shredder => false,
            };
            let letter = match (by_wing, wing) {
                (true, Wing::King) => 'k',
                (true, Wing::Queen) => 'q',
                (false, _) => (b'a' + file) as char,
            };
            let letter = match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            };
            if !text.ends_with(letter) {
                text.push(letter);
            }
        }
        if text.is_empty() {
            text.push('-');
        }
        text
    }

    /// The rights that the placement allows: king and rook of the side stand at home.
    ///
    /// In standard chess home is e1 and a1 or h1 (e8, a8, h8). In Chess960 the king stands anywhere on its first rank
    /// but in a corner, as it starts between its rooks, and the rook on the named file; each side has at most one rook on
    /// either side of the king.
    ///
    /// ```
    /// use img2fen::{CastlingRights, Placement};
    ///
    /// let placement: Placement = "4k3/8/8/8/8/8/8/R3K1R1".parse().unwrap();
    /// let rights = CastlingRights::parse("GAk", &placement).unwrap();
    /// let kept = |chess960| rights.supported(&placement, chess960).iter().count();
    /// assert_eq!(kept(false), 1);
    /// assert_eq!(kept(true), 2);
    /// ```
    pub fn supported(self, placement: &Placement, chess960: bool) -> Self {
        let mut supported = Self::NONE;
        for (color, file) in self.iter() {
            if self.problem(placement, color, file, chess960).is_none() {
                supported.insert(color, file);
            }
        }
        supported
    }

    /// Why the placement does not allow this right; `None` when it does.
    pub(crate) fn problem(
        self,
        placement: &Placement,
        color: Color,
        file: u8,
        chess960: bool,
    ) -> Option<CastlingProblem> {
        let rank = color.home_rank();
        let king = match king_file(placement, color) {
            Some(king) if king == 4 || (chess960 && matches!(king, 1..=6)) => king,
            _ => return Some(CastlingProblem::King),
        };
        let rook = Some(Piece::new(color, Role::Rook));
        if placement.get(Square::at(file, rank)) != rook || file == king {
            return Some(CastlingProblem::Rook);
        }
        if chess960 {
            // Of several named rooks on one side of the king only the outermost can be meant.
            let further_out = (0..8).any(|other| {
                self.contains(color, other)
                    && placement.get(Square::at(other, rank)) == rook
                    && if file > king {
                        other > file
                    } else {
                        other < file
                    }
            });
            if further_out {
                return Some(CastlingProblem::SecondRook);
            }
        } else if file != 0 && file != 7 {
            return Some(CastlingProblem::Rook);
        }
        None
    }
}

/// Why a castling right cannot be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CastlingProblem {
    /// The king is not at home.
    King,
    /// The rook is not at home.
    Rook,
    /// Another rook further out on the same side of the king is named too.
    SecondRook,
}

/// The two sides of a king, as seen by White.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wing {
    /// Towards the h-file.
    King,
    /// Towards the a-file.
    Queen,
}

/// The file of a side's king on its first rank.
fn king_file(placement: &Placement, color: Color) -> Option<u8> {
    let king = Some(Piece::new(color, Role::King));
    (0..8)
        .rev()
        .find(|&file| placement.get(Square::at(file, color.home_rank())) == king)
}

/// The side of its king on which a rook castles; by the halves of the board without a king to go by.
pub(crate) fn wing(placement: &Placement, color: Color, file: u8) -> Wing {
    let king = king_file(placement, color).filter(|&king| king != file);
    if file > king.unwrap_or(4) {
        Wing::King
    } else {
        Wing::Queen
    }
}

/// The right that a letter gives, as side and rook file; `None` when it is no castling right.
pub(crate) fn right_of(letter: char, placement: &Placement) -> Option<(Color, u8)> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let file = match letter.to_ascii_lowercase() {
        'k' => outermost_rook(placement, color, Wing::King),
        'q' => outermost_rook(placement, color, Wing::Queen),
        file @ 'a'..='h' => file as u8 - b'a',
        _ => return None,
    };
    Some((color, file))
}

/// Whether castling rights are written as programs do: White's first, each once and from the h-file to the a-file, or
/// files from a to h.
pub(crate) fn in_usual_order(text: &str, placement: &Placement) -> bool {
    let rights = || {
        text.chars()
            .filter_map(|letter| right_of(letter, placement))
            .map(|(color, file)| (color as u8, file))
    };
    let is_file = |byte: u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'h');
    rights().is_sorted_by(|a, b| a.0 < b.0 || (a.0 == b.0 && a.1 > b.1))
        || (text.bytes().all(is_file) && rights().is_sorted_by(|a, b| a < b))
}

/// The file that `K` or `Q` stands for.
fn outermost_rook(placement: &Placement, color: Color, wing: Wing) -> u8 {
    let is_rook = |file: &u8| {
        placement.get(Square::at(*file, color.home_rank())) == Some(Piece::new(color, Role::Rook))
    };
    let king = king_file(placement, color);
    match wing {
        Wing::King => king
            .and_then(|king| (king + 1..8).rev().find(is_rook))
            .unwrap_or(7),
        Wing::Queen => king.and_then(|king| (0..king).find(is_rook)).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(text: &str) -> Placement {
        text.parse().unwrap()
    }

    fn written(board: &str, rights: &str, style: CastlingStyle) -> String {
        let placement = placement(board);
        let rights = CastlingRights::parse(rights, &placement).unwrap();
        rights.display(style, &placement).to_string()
    }

    #[test]
    fn the_start_is_written_in_three_styles() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for read in ["KQkq", "HAha", "AHah", "qkQK", "KQha", "KKQQkq"] {
            assert_eq!(written(start, read, CastlingStyle::Standard), "KQkq");
            assert_eq!(written(start, read, CastlingStyle::Xfen), "KQkq");
            assert_eq!(written(start, read, CastlingStyle::Shredder), "HAha");
        }
        assert_eq!(written(start, "-", CastlingStyle::Shredder), "-");
    }

    #[test]
    fn the_usual_order_is_told_from_others() {
        let usual = |board: &str, text: &str| in_usual_order(text, &placement(board));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for board in [start, "8/8/8/8/8/8/8/8", "r5rk/8/8/8/8/8/8/KR5R"] {
            for text in ["-", "KQkq", "KQ", "Kq", "HAha", "AHah", "Ha", "KAkq"] {
                assert!(usual(board, text), "{board} {text}");
            }
            for text in [
                "qkQKKQ", "QK", "kqKQ", "KK", "KQKQ", "KQkqK", "aA", "haHA", "AHha", "QKk",
            ] {
                assert!(!usual(board, text), "{board} {text}");
            }
        }
        // The same right by its file and by its side.
        assert!(!usual(start, "KHQ"));
        assert!(usual("1r3kr1/8/8/8/8/8/8/1RR2K1R", "KCkq"));
        assert!(!usual("1r3kr1/8/8/8/8/8/8/1RR2K1R", "CKkq"));
    }

    #[test]
    fn with_two_rooks_on_one_side_k_means_the_outermost() {
        let board = "1r3kr1/8/8/8/8/8/8/1RR2K1R";
        assert_eq!(written(board, "KQkq", CastlingStyle::Shredder), "HBgb");
        assert_eq!(written(board, "HCgb", CastlingStyle::Xfen), "KCkq");
        assert_eq!(written(board, "HCgb", CastlingStyle::Standard), "KQkq");
    }

    #[test]
    fn letters_that_are_no_rights_are_placed() {
        let start = Placement::start();
        for (text, position) in [
            ("KQxq", 2),
            ("", 0),
            ("K-", 1),
            ("--", 0),
            ("e3", 1),
            ("é", 0),
        ] {
            let error = CastlingRights::parse(text, &start).unwrap_err();
            assert_eq!(error.position(), position, "{text}");
            assert_eq!(error.field(), Field::Castling);
        }
    }

    #[test]
    fn rights_without_king_or_rook_at_home_are_not_supported() {
        let board = placement("r3k2r/8/8/8/8/8/8/R2K3R");
        let rights = CastlingRights::parse("KQkq", &board).unwrap();
        let kept = rights.supported(&board, false);
        assert_eq!(
            kept.display(CastlingStyle::Standard, &board).to_string(),
            "kq"
        );
        let kept = rights.supported(&board, true);
        assert_eq!(
            kept.display(CastlingStyle::Standard, &board).to_string(),
            "KQkq"
        );
    }

    #[test]
    fn of_two_named_rooks_on_one_side_the_outermost_is_supported() {
        let board = placement("4k3/8/8/8/8/8/8/4KR1R");
        let rights = CastlingRights::parse("HF", &board).unwrap();
        let kept = rights.supported(&board, true);
        assert_eq!(
            kept.display(CastlingStyle::Shredder, &board).to_string(),
            "H"
        );
    }
}
