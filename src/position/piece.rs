//! Colours, roles and pieces, as letters of a FEN and in words.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One of the two sides.
///
/// ```
/// use img2fen::Color;
///
/// assert_eq!(Color::from_letter('b'), Some(Color::Black));
/// assert_eq!(Color::Black.letter(), 'b');
/// assert_eq!(Color::Black.opposite(), Color::White);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The side of the capital letters; it begins on ranks 1 and 2.
    White,
    /// The side of the small letters; it begins on ranks 7 and 8.
    Black,
}

impl Color {
    /// Both sides, White first.
    ///
    /// ```
    /// assert_eq!(img2fen::Color::ALL.map(|color| color.letter()), ['w', 'b']);
    /// ```
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The letter of the side to move field: `w` or `b`.
    ///
    /// ```
    /// assert_eq!(img2fen::Color::White.letter(), 'w');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// Reads `w` or `b`; capital letters are accepted too.
    ///
    /// ```
    /// use img2fen::Color;
    ///
    /// assert_eq!(Color::from_letter('W'), Some(Color::White));
    /// assert_eq!(Color::from_letter('x'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'w' | 'W' => Some(Self::White),
            'b' | 'B' => Some(Self::Black),
            _ => None,
        }
    }

    /// The other side.
    ///
    /// ```
    /// use img2fen::Color;
    ///
    /// assert_eq!(Color::White.opposite(), Color::Black);
    /// ```
    pub const fn opposite(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `white` or `black`.
    ///
    /// ```
    /// assert_eq!(img2fen::Color::Black.name(), "black");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// `White` or `Black`, as the name of a player.
    ///
    /// ```
    /// assert_eq!(img2fen::Color::Black.player(), "Black");
    /// ```
    pub const fn player(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// The rank of this side's king and rooks at the start, 0 for rank 1 and 7 for rank 8.
    ///
    /// ```
    /// assert_eq!(img2fen::Color::Black.home_rank(), 7);
    /// ```
    pub const fn home_rank(self) -> u8 {
        match self {
            Self::White => 0,
            Self::Black => 7,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a piece is, without its colour.
///
/// ```
/// use img2fen::Role;
///
/// assert_eq!(Role::from_letter('n'), Some(Role::Knight));
/// assert_eq!(Role::Knight.letter(), 'n');
/// assert_eq!(Role::Knight.name(), "knight");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A pawn, `p`.
    Pawn,
    /// A knight, `n`.
    Knight,
    /// A bishop, `b`.
    Bishop,
    /// A rook, `r`.
    Rook,
    /// A queen, `q`.
    Queen,
    /// A king, `k`.
    King,
}

impl Role {
    /// All six roles, from pawn to king.
    ///
    /// ```
    /// assert_eq!(img2fen::Role::ALL.map(|role| role.letter()), ['p', 'n', 'b', 'r', 'q', 'k']);
    /// ```
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// The small English letter: `p`, `n`, `b`, `r`, `q` or `k`.
    ///
    /// ```
    /// assert_eq!(img2fen::Role::Queen.letter(), 'q');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// Reads an English letter, capital or small.
    ///
    /// ```
    /// use img2fen::Role;
    ///
    /// assert_eq!(Role::from_letter('Q'), Some(Role::Queen));
    /// assert_eq!(Role::from_letter('D'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }

    /// The roles that a letter which is none in English has in other languages, the likeliest first: those of Danish,
    /// Dutch, French, German, Italian, Polish, Spanish and Swedish, and of Czech, Hungarian and Portuguese where these
    /// have another role for it.
    pub(crate) const fn of_other_languages(letter: char) -> &'static [Self] {
        match letter.to_ascii_uppercase() {
            'A' | 'F' | 'G' | 'L' => &[Self::Bishop],
            'C' | 'J' => &[Self::Knight],
            'D' => &[Self::Queen],
            'H' => &[Self::Queen, Self::Knight],
            'S' => &[Self::Knight, Self::Bishop],
            'T' | 'W' => &[Self::Rook],
            'V' => &[Self::Rook, Self::Queen],
            _ => &[],
        }
    }

    /// The English name, such as `knight`.
    ///
    /// ```
    /// assert_eq!(img2fen::Role::Queen.name(), "queen");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece: its side and its role.
///
/// `Display` gives the name in words; [`Piece::letter`] the letter of a FEN, which is also the serde form.
///
/// ```
/// use img2fen::Piece;
///
/// let piece = Piece::from_letter('B').unwrap();
/// assert_eq!(piece.to_string(), "white bishop");
/// assert_eq!(piece.letter(), 'B');
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// A piece of this side and role.
    ///
    /// ```
    /// use img2fen::{Color, Piece, Role};
    ///
    /// assert_eq!(Piece::new(Color::White, Role::Queen).letter(), 'Q');
    /// ```
    pub const fn new(color: Color, role: Role) -> Self {
        Self { color, role }
    }

    /// The letter of a FEN: a capital letter for White, a small one for Black.
    ///
    /// ```
    /// use img2fen::{Color, Piece, Role};
    ///
    /// assert_eq!(Piece::new(Color::Black, Role::Pawn).letter(), 'p');
    /// ```
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter().to_ascii_uppercase(),
            Color::Black => self.role.letter(),
        }
    }

    /// Reads a letter of a FEN; anything else is `None`.
    ///
    /// ```
    /// use img2fen::Piece;
    ///
    /// assert_eq!(Piece::from_letter('k').unwrap().to_string(), "black king");
    /// assert_eq!(Piece::from_letter('1'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Self> {
        let Some(role) = Role::from_letter(letter) else {
            return None;
        };
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Some(Self { color, role })
    }

    /// The chess figure of Unicode, such as `♗` for a white bishop.
    ///
    /// ```
    /// assert_eq!(img2fen::Piece::from_letter('N').unwrap().figurine(), '♘');
    /// ```
    pub const fn figurine(self) -> char {
        match (self.color, self.role) {
            (Color::White, Role::King) => '♔',
            (Color::White, Role::Queen) => '♕',
            (Color::White, Role::Rook) => '♖',
            (Color::White, Role::Bishop) => '♗',
            (Color::White, Role::Knight) => '♘',
            (Color::White, Role::Pawn) => '♙',
            (Color::Black, Role::King) => '♚',
            (Color::Black, Role::Queen) => '♛',
            (Color::Black, Role::Rook) => '♜',
            (Color::Black, Role::Bishop) => '♝',
            (Color::Black, Role::Knight) => '♞',
            (Color::Black, Role::Pawn) => '♟',
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color.name(), self.role.name())
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let letter = char::deserialize(deserializer)?;
        Self::from_letter(letter)
            .ok_or_else(|| serde::de::Error::custom(format!("side `{letter}` is not `w` or `b`")))
    }
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let letter = char::deserialize(deserializer)?;
        Self::from_letter(letter).ok_or_else(|| {
            serde::de::Error::custom(format!("`{letter}` is not a piece letter of a FEN"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_a_fen_is_read_and_written() {
        for letter in "PNBRQKpnbrqk".chars() {
            assert_eq!(
                Piece::from_letter(letter).map(Piece::letter),
                Some(letter),
                "{letter}"
            );
        }
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('S'), None);
    }

    #[test]
    fn pieces_and_sides_are_letters_in_json() {
        let pieces: Vec<Option<Piece>> = serde_json::from_str(r#"["N",null,"k"]"#).unwrap();
        assert_eq!(pieces[0].unwrap().to_string(), "white knight");
        assert_eq!(serde_json::to_string(&pieces).unwrap(), r#"["N",null,"k"]"#);
        assert_eq!(serde_json::to_string(&Color::Black).unwrap(), r#""b""#);
    }
}
