//! What stands on the 64 squares, and the first field of a FEN.
//!
//! A placement is any arrangement at all: a picture may show nine pawns or no king, and the reading must be able to
//! say so. Whether it makes sense as chess is for [`check`](crate::check) to tell.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::{FenError, FenFault, Field};
use super::{Color, Piece, Role, Square};

/// Any arrangement of pieces on the 64 squares.
///
/// `Display` and `FromStr` (and serde) use the board field of a FEN.
///
/// ```
/// use img2fen::{Placement, Square};
///
/// let mut placement: Placement = "8/8/8/3k4/8/8/8/4K3".parse().unwrap();
/// let d5: Square = "d5".parse().unwrap();
/// assert_eq!(placement.get(d5).unwrap().to_string(), "black king");
/// placement.set(d5, None);
/// assert_eq!(placement.to_string(), "8/8/8/8/8/8/8/4K3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    /// By [`Square::index`].
    squares: [Option<Piece>; 64],
}

impl Placement {
    /// No piece at all.
    ///
    /// ```
    /// assert_eq!(img2fen::Placement::EMPTY.to_string(), "8/8/8/8/8/8/8/8");
    /// ```
    pub const EMPTY: Self = Self {
        squares: [None; 64],
    };

    /// The arrangement at the start of a game.
    ///
    /// ```
    /// let start = img2fen::Placement::start();
    /// assert_eq!(start.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    /// ```
    pub fn start() -> Self {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let back = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        let mut placement = Self::EMPTY;
        for (file, role) in (0..8).zip(back) {
            placement.set(Square::at(file, 0), Some(Piece::new(Color::White, role)));
            placement.set(Square::at(file, 1), Some(Piece::new(Color::White, Pawn)));
            placement.set(Square::at(file, 6), Some(Piece::new(Color::Black, Pawn)));
            placement.set(Square::at(file, 7), Some(Piece::new(Color::Black, role)));
        }
        placement
    }

    /// The piece on a square, `None` when it is empty.
    ///
    /// ```
    /// use img2fen::Placement;
    ///
    /// let piece = Placement::start().get("d8".parse().unwrap());
    /// assert_eq!(piece.unwrap().to_string(), "black queen");
    /// ```
    pub const fn get(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Puts a piece on a square, or empties it.
    ///
    /// ```
    /// use img2fen::{Piece, Placement};
    ///
    /// let mut placement = Placement::EMPTY;
    /// placement.set("a8".parse().unwrap(), Piece::from_letter('K'));
    /// assert_eq!(placement.to_string(), "K7/8/8/8/8/8/8/8");
    /// ```
    pub const fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    /// The occupied squares with their pieces, from a1 to h8.
    ///
    /// ```
    /// let placement: img2fen::Placement = "8/8/8/8/8/8/8/K6k".parse().unwrap();
    /// let found: Vec<String> = placement.pieces().map(|(s, p)| format!("{p} {s}")).collect();
    /// assert_eq!(found, ["white king a1", "black king h1"]);
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// The squares where this piece stands, from a1 to h8.
    ///
    /// ```
    /// use img2fen::{Piece, Placement};
    ///
    /// let start = Placement::start();
    /// let knight = Piece::from_letter('N').unwrap();
    /// let squares: Vec<String> = start.squares_of(knight).map(|square| square.to_string()).collect();
    /// assert_eq!(squares, ["b1", "g1"]);
    /// ```
    pub fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        Square::all().filter(move |&square| self.get(square) == Some(piece))
    }

    /// How many of this piece there are.
    ///
    /// ```
    /// use img2fen::{Piece, Placement};
    ///
    /// assert_eq!(Placement::start().count(Piece::from_letter('p').unwrap()), 8);
    /// ```
    pub fn count(&self, piece: Piece) -> usize {
        self.squares.iter().filter(|&&p| p == Some(piece)).count()
    }

    /// The arrangement turned by 180°, as the board looks from the other side.
    ///
    /// ```
    /// let placement: img2fen::Placement = "4k3/8/8/8/8/8/7P/8".parse().unwrap();
    /// assert_eq!(placement.rotated().to_string(), "8/P7/8/8/8/8/8/3k4");
    /// ```
    pub fn rotated(&self) -> Self {
        let mut squares = self.squares;
        squares.reverse();
        Self { squares }
    }

    /// The arrangement with every white piece black and every black piece white, each on its square.
    ///
    /// ```
    /// let placement: img2fen::Placement = "4k3/8/8/8/8/8/7P/8".parse().unwrap();
    /// assert_eq!(placement.colors_swapped().to_string(), "4K3/8/8/8/8/8/7p/8");
    /// ```
    pub fn colors_swapped(&self) -> Self {
        let swap = |piece: Piece| Piece::new(piece.color.opposite(), piece.role);
        Self {
            squares: self.squares.map(|piece| piece.map(swap)),
        }
    }
}

impl Default for Placement {
    /// The empty board.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 64 letters and 7 strokes at most.
        let mut text = [0u8; 71];
        let mut length = 0;
        let mut push = |byte: u8| {
            text[length] = byte;
            length += 1;
        };
        for rank in (0..8).rev() {
            let mut empty = 0u8;
            for file in 0..8 {
                match self.get(Square::at(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            push(b'0' + empty);
                            empty = 0;
                        }
                        push(piece.letter() as u8);
                    }
                }
            }
            if empty > 0 {
                push(b'0' + empty);
            }
            if rank > 0 {
                push(b'/');
            }
        }
        f.write_str(std::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}

impl FromStr for Placement {
    type Err = FenError;

    /// Reads the board field of a FEN: eight ranks of eight squares, rank 8 first.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut errors = Vec::new();
        let (placement, _) = parse_board(text, 0, &mut errors);
        match errors.into_iter().next() {
            None => Ok(placement),
            Some(error) => Err(error),
        }
    }
}

/// A text with a wrong letter for every square is no FEN at all; of a longer one the rest is not told.
const MOST_ERRORS: usize = 64;

/// Reads a board field that begins `offset` characters into the whole text. Every fault is reported; the placement is
/// of use only when there is none. The flag tells whether two digits stood side by side, which is read but not canonical.
pub(super) fn parse_board(
    text: &str,
    offset: usize,
    errors: &mut Vec<FenError>,
) -> (Placement, bool) {
    let mut placement = Placement::EMPTY;
    let mut split_digits = false;
    let mut start = offset;
    let mut ranks = 0usize;
    for rank_text in text.split('/') {
        let mut squares = 0usize;
        let mut after_digit = false;
        for (position, letter) in (start..).zip(rank_text.chars()) {
            let digit = matches!(letter, '1'..='8');
            if digit {
                split_digits |= after_digit;
                squares += letter as usize - '0' as usize;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if squares < 8 && ranks < 8 {
                    placement.set(Square::at(squares as u8, 7 - ranks as u8), Some(piece));
                }
                squares += 1;
            } else {
                if errors.len() < MOST_ERRORS {
                    let fault = FenFault::UnknownPiece { letter };
                    errors.push(FenError::new(Field::Placement, position, fault));
                }
                // Counted as a square, so that one wrong letter is one fault.
                squares += 1;
            }
            after_digit = digit;
        }
        if squares != 8 && ranks < 8 && !text.is_empty() {
            let fault = FenFault::RankLength {
                rank: 8 - ranks as u8,
                squares,
            };
            errors.push(FenError::new(Field::Placement, start, fault));
        }
        start += rank_text.chars().count() + 1;
        ranks += 1;
    }
    if text.is_empty() {
        errors.push(FenError::new(Field::Placement, offset, FenFault::Empty));
    } else if ranks != 8 {
        let fault = FenFault::RankCount { ranks };
        errors.push(FenError::new(Field::Placement, offset, fault));
    }
    (placement, split_digits)
}

impl Serialize for Placement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Placement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_wrong_letters_is_not_told_letter_by_letter() {
        let mut errors = Vec::new();
        parse_board(&"x".repeat(1_000_000), 0, &mut errors);
        // The letters, and the lengths of the rank and of the board.
        assert_eq!(errors.len(), MOST_ERRORS + 2);
        let last = errors[MOST_ERRORS - 1].position();
        assert_eq!(last, MOST_ERRORS - 1);
    }
}
