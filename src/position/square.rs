//! The 64 squares of the board by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A square of the chess board, `a1` to `h8`, whichever side is below in a picture.
///
/// ```
/// use img2fen::Square;
///
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!((square.file(), square.rank()), (4, 3));
/// assert_eq!(square.to_string(), "e4");
/// assert!(square.is_light());
/// assert_eq!(square.rotated().to_string(), "d5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of a file (0 is the a-file) and a rank (0 is rank 1); `None` when either is above 7.
    ///
    /// ```
    /// use img2fen::Square;
    ///
    /// assert_eq!(Square::new(4, 3).unwrap().to_string(), "e4");
    /// assert_eq!(Square::new(8, 0), None);
    /// ```
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 {
            Some(Self(rank * 8 + file))
        } else {
            None
        }
    }

    /// The square of an index, 0 for a1, 1 for b1, 63 for h8; `None` above 63.
    ///
    /// ```
    /// use img2fen::Square;
    ///
    /// assert_eq!(Square::from_index(63).unwrap().to_string(), "h8");
    /// assert_eq!(Square::from_index(64), None);
    /// ```
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 64 {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// For callers whose file and rank are below 8 by construction.
    pub(crate) const fn at(file: u8, rank: u8) -> Self {
        Self((rank & 7) * 8 + (file & 7))
    }

    /// Its index, 0 for a1, 1 for b1, 63 for h8.
    ///
    /// ```
    /// let square: img2fen::Square = "b1".parse().unwrap();
    /// assert_eq!(square.index(), 1);
    /// ```
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file, 0 for the a-file to 7 for the h-file.
    ///
    /// ```
    /// let square: img2fen::Square = "b1".parse().unwrap();
    /// assert_eq!(square.file(), 1);
    /// ```
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Its rank, 0 for rank 1 to 7 for rank 8.
    ///
    /// ```
    /// let square: img2fen::Square = "b1".parse().unwrap();
    /// assert_eq!(square.rank(), 0);
    /// ```
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The letter of its file.
    ///
    /// ```
    /// let square: img2fen::Square = "b1".parse().unwrap();
    /// assert_eq!(square.file_letter(), 'b');
    /// ```
    pub const fn file_letter(self) -> char {
        (b'a' + self.file()) as char
    }

    /// True for the colour of h1.
    ///
    /// ```
    /// let square: img2fen::Square = "b1".parse().unwrap();
    /// assert!(square.is_light());
    /// ```
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// The square that takes its place when the board is turned by 180°: e4 and d5 change places.
    ///
    /// ```
    /// let square: img2fen::Square = "b1".parse().unwrap();
    /// assert_eq!(square.rotated().to_string(), "g8");
    /// ```
    pub const fn rotated(self) -> Self {
        Self(63 - self.0)
    }

    /// All squares by index: a1, b1 ... h8.
    ///
    /// ```
    /// use img2fen::Square;
    ///
    /// let first: Vec<String> = Square::all().take(2).map(|square| square.to_string()).collect();
    /// assert_eq!(first, ["a1", "b1"]);
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }

    /// All squares in the order of a FEN: a8, b8 ... h8, a7 ... h1.
    ///
    /// ```
    /// use img2fen::Square;
    ///
    /// let first: Vec<String> = Square::all_in_fen_order().take(2).map(|square| square.to_string()).collect();
    /// assert_eq!(first, ["a8", "b8"]);
    /// ```
    pub fn all_in_fen_order() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(|index| Self(index ^ 56))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the name of a square.
///
/// ```
/// let error = "e9".parse::<img2fen::Square>().unwrap_err();
/// assert!(error.to_string().starts_with("`e9` is not a square"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a square; write a file a-h and a rank 1-8, such as `e3`")]
pub struct ParseSquareError(String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `e4`; a capital file letter is accepted.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let [file, rank] = *text.as_bytes() {
            let (file, rank) = (file.to_ascii_lowercase(), rank);
            if file.is_ascii_lowercase()
                && rank.is_ascii_digit()
                && let Some(square) = Self::new(file - b'a', (rank - b'0').wrapping_sub(1))
            {
                return Ok(square);
            }
        }
        Err(ParseSquareError(text.chars().take(20).collect()))
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Square {
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
    fn names_are_read_and_written() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!("E3".parse::<Square>().unwrap().to_string(), "e3");
        for bad in ["", "e", "e0", "e9", "i1", "e44", "é4", "4e", "-"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn corners_have_their_colours() {
        let light = |name: &str| name.parse::<Square>().unwrap().is_light();
        assert!(!light("a1") && light("h1") && light("a8") && !light("h8"));
    }

    #[test]
    fn fen_order_goes_from_a8_to_h1() {
        let names: Vec<String> = Square::all_in_fen_order().map(|s| s.to_string()).collect();
        assert_eq!((names[0].as_str(), names[7].as_str()), ("a8", "h8"));
        assert_eq!((names[8].as_str(), names[63].as_str()), ("a7", "h1"));
    }
}
