//! Moves, and how each changes the six fields.
//!
//! The legal moves come from the `cozy-chess` library, which wants a position that is legal enough: one king a side, no
//! pawn on the first or last rank, the side that has just moved not in check, at most eight pawns and sixteen pieces.
//! The new fields are worked out here, with the en passant target after every double step.

use std::fmt;

use cozy_chess::{Board, BoardBuilder, BoardBuilderError};

use super::attacks::{Bitboards, color_to_cozy, from_cozy, to_cozy};
use super::{Color, Fen, Piece, Role, Square, en_passant};

/// Why no moves can be played where a king could be captured.
const IN_CHECK: &str =
    "the side that has just moved is in check, or more than two pieces give check";

/// A move from square to square.
///
/// Castling is the king's move to the square of its rook, which is the only form that Chess960 leaves. `Display` writes
/// that form; [`Fen::uci`] writes `e1g1` where standard chess has it so.
///
/// ```
/// let start = img2fen::Fen::start();
/// let played = start.parse_move("Nf3").unwrap();
/// assert_eq!((played.from.to_string(), played.to.to_string()), ("g1".to_owned(), "f3".to_owned()));
/// assert_eq!(played.promotion, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it goes; for castling the square of the rook.
    pub to: Square,
    /// What a pawn on the last rank becomes.
    pub promotion: Option<Role>,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

/// What the side to move has to face.
///
/// ```
/// use img2fen::{Fen, position::Standing};
///
/// let fen: Fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
/// assert_eq!(fen.standing(), Ok(Standing::Stalemate));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// There is a legal move, and the king is not in check.
    Free,
    /// The king is in check, and there is a legal move.
    Check,
    /// The king is in check, and there is no legal move.
    Mate,
    /// The king is not in check, and there is no legal move.
    Stalemate,
}

/// A move that cannot be played.
///
/// ```
/// use img2fen::{Fen, position::PlayError};
///
/// let error = Fen::start().parse_move("e5").unwrap_err();
/// assert!(matches!(error, PlayError::Illegal { .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The position is not legal enough for moves.
    #[error("no moves can be played in this position: {0}")]
    Position(&'static str),
    /// The text stands for a null move, as chess programs write one: `0000`, `--`, `Z0` and the like.
    #[error("`{text}` is a null move, which is no legal move: {} has to move", .turn.player())]
    Null {
        /// The text.
        text: String,
        /// Who is to move.
        turn: Color,
    },
    /// The game is over: there is no legal move.
    #[error("`{text}` is no legal move: {}", over(*.turn, *.is_mate))]
    Over {
        /// The text.
        text: String,
        /// Who is to move.
        turn: Color,
        /// Mate, or else stalemate.
        is_mate: bool,
    },
    /// The text fits no legal move.
    #[error("`{text}` is no legal move for {}{}{}", .turn.player(), english(*.foreign), hint(.candidates))]
    Illegal {
        /// The text.
        text: String,
        /// Who is to move.
        turn: Color,
        /// Legal moves to the same square, in SAN.
        candidates: Vec<String>,
        /// The letter that the text begins with, when it is one of another language, and the piece.
        foreign: Option<(char, Role)>,
    },
    /// The text fits several legal moves.
    #[error("`{text}` can be {}; say which", .candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that it fits, in SAN.
        candidates: Vec<String>,
    },
}

fn over(turn: Color, is_mate: bool) -> String {
    let word = if is_mate { "checkmated" } else { "stalemated" };
    format!("{} is {word}", turn.player())
}

fn english(foreign: Option<(char, Role)>) -> String {
    foreign.map_or(String::new(), |(letter, role)| {
        let english = role.letter().to_ascii_uppercase();
        format!(": `{letter}` is `{english}` in English")
    })
}

fn hint(candidates: &[String]) -> String {
    if candidates.is_empty() {
        String::new()
    } else {
        format!("; to that square there is {}", candidates.join(", "))
    }
}

impl Fen {
    /// Every legal move, in no particular order.
    ///
    /// ```
    /// assert_eq!(img2fen::Fen::start().legal_moves().unwrap().len(), 20);
    /// ```
    ///
    /// # Errors
    ///
    /// When the position is not legal enough for moves.
    pub fn legal_moves(&self) -> Result<Vec<Move>, PlayError> {
        let board = self.board()?;
        let mut moves = Vec::new();
        board.generate_moves(|batch| {
            moves.extend(batch.into_iter().map(from_cozy_move));
            false
        });
        Ok(moves)
    }

    /// Whether the side to move is in check, and whether it has a legal move.
    ///
    /// ```
    /// use img2fen::{Fen, position::Standing};
    ///
    /// assert_eq!(Fen::start().standing(), Ok(Standing::Free));
    /// ```
    ///
    /// # Errors
    ///
    /// When the position is not legal enough for moves.
    pub fn standing(&self) -> Result<Standing, PlayError> {
        let board = self.board()?;
        let has_move = board.generate_moves(|_| true);
        Ok(match (board.checkers().is_empty(), has_move) {
            (true, true) => Standing::Free,
            (false, true) => Standing::Check,
            (false, false) => Standing::Mate,
            (true, false) => Standing::Stalemate,
        })
    }

    /// Reads a move in SAN (`Nf3`, `exd6`, `O-O`, `e8=Q+`) or UCI notation (`g1f3`, `e1g1`, `e7e8q`).
    ///
    /// ```
    /// use img2fen::Fen;
    ///
    /// let fen: Fen = "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3".parse().unwrap();
    /// assert_eq!(fen.parse_move("exd6").unwrap().to_string(), "e5d6");
    /// assert_eq!(
    ///     fen.parse_move("Nd2").unwrap_err().to_string(),
    ///     "`Nd2` is no legal move for White"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// When no or more than one legal move fits, or the position is not legal enough for moves.
    pub fn parse_move(&self, text: &str) -> Result<Move, PlayError> {
        let board = self.board()?;
        if matches!(
            text.trim(),
            "0000" | "--" | "Z0" | "@@@@" | "null" | "(none)"
        ) {
            let text = text.trim().to_owned();
            let turn = self.turn;
            return Err(PlayError::Null { text, turn });
        }
        let plain = plain_notation(text);
        let uci = |text: &str| {
            let found = cozy_chess::util::parse_uci_move(&board, text).ok();
            found.filter(|&found| board.is_legal(found))
        };
        // `B1c3` is a bishop of rank 1; only what is no SAN is UCI in capital letters.
        let found = uci(&plain)
            .or_else(|| cozy_chess::util::parse_san_move(&board, &plain).ok())
            .or_else(|| uci(&plain.to_ascii_lowercase()));
        if let Some(found) = found {
            return Ok(from_cozy_move(found));
        }
        let standing = self.standing()?;
        if matches!(standing, Standing::Mate | Standing::Stalemate) {
            return Err(PlayError::Over {
                text: super::fen::excerpt(text),
                turn: self.turn,
                is_mate: standing == Standing::Mate,
            });
        }
        let target = last_square(&plain);
        let role = plain.chars().next().filter(char::is_ascii_uppercase);
        let mut candidates = Vec::new();
        let mut fitting = Vec::new();
        board.generate_moves(|batch| {
            for one in batch {
                if Some(from_cozy(one.to)) == target {
                    let san = cozy_chess::util::display_san_move(&board, one).to_string();
                    if role.is_some() && san.chars().next() == role {
                        fitting.push(san.clone());
                    }
                    candidates.push(san);
                }
            }
            false
        });
        candidates.sort_unstable();
        fitting.sort_unstable();
        let text = super::fen::excerpt(text);
        Err(if fitting.len() > 1 {
            PlayError::Ambiguous {
                text,
                candidates: fitting,
            }
        } else {
            PlayError::Illegal {
                text,
                turn: self.turn,
                candidates,
                foreign: foreign_letter(&board, &plain),
            }
        })
    }

    /// The position after a move. The en passant target is set after every double step of a pawn.
    ///
    /// ```
    /// use img2fen::Fen;
    ///
    /// let mut fen = Fen::start();
    /// for text in ["e4", "c5", "g1f3"] {
    ///     fen = fen.play(fen.parse_move(text).unwrap()).unwrap();
    /// }
    /// assert_eq!(fen.to_string(), "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    /// ```
    ///
    /// # Errors
    ///
    /// When the move is not legal, or the position is not legal enough for moves.
    pub fn play(&self, played: Move) -> Result<Self, PlayError> {
        let board = self.board()?;
        if !board.is_legal(to_cozy_move(played)) {
            return Err(PlayError::Illegal {
                text: played.to_string(),
                turn: self.turn,
                candidates: Vec::new(),
                foreign: None,
            });
        }
        Ok(self.after(played))
    }

    /// The move in standard algebraic notation, `Nbd7+`.
    ///
    /// ```
    /// use img2fen::Fen;
    ///
    /// let fen: Fen = "r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
    /// assert_eq!(fen.san(fen.parse_move("a1a8").unwrap()).unwrap(), "Rxa8+");
    /// assert_eq!(fen.san(fen.parse_move("e1g1").unwrap()).unwrap(), "O-O");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Fen::play`].
    pub fn san(&self, played: Move) -> Result<String, PlayError> {
        self.play(played)?;
        let board = self.board()?;
        Ok(cozy_chess::util::display_san_move(&board, to_cozy_move(played)).to_string())
    }

    /// The move in UCI notation; castling from e1 or e8 with a rook of the corner is `e1g1`, else king takes rook.
    ///
    /// ```
    /// use img2fen::Fen;
    ///
    /// let fen: Fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
    /// assert_eq!(fen.uci(fen.parse_move("O-O-O").unwrap()), "e1c1");
    /// ```
    pub fn uci(&self, played: Move) -> String {
        let mut shown = played;
        if self.is_castling(played) && played.from.file() == 4 && matches!(played.to.file(), 0 | 7)
        {
            shown.to = Square::at(if played.to.file() == 7 { 6 } else { 2 }, played.to.rank());
        }
        shown.to_string()
    }

    fn is_castling(&self, played: Move) -> bool {
        self.placement.get(played.from) == Some(Piece::new(self.turn, Role::King))
            && self.placement.get(played.to) == Some(Piece::new(self.turn, Role::Rook))
    }

    /// The fields after a legal move.
    fn after(&self, played: Move) -> Self {
        let Move {
            from,
            to,
            promotion,
        } = played;
        let mut next = *self;
        next.en_passant = None;
        next.turn = self.turn.opposite();
        next.fullmove = self
            .fullmove
            .saturating_add(u32::from(self.turn == Color::Black));
        next.halfmove = self.halfmove.saturating_add(1);
        let Some(piece) = self.placement.get(from) else {
            return next;
        };
        let put = |role| Some(Piece::new(self.turn, role));
        if self.is_castling(played) {
            let (king_file, rook_file) = if to.file() > from.file() {
                (6, 5)
            } else {
                (2, 3)
            };
            next.placement.set(from, None);
            next.placement.set(to, None);
            next.placement
                .set(Square::at(king_file, from.rank()), put(Role::King));
            next.placement
                .set(Square::at(rook_file, from.rank()), put(Role::Rook));
            next.castling.remove_all(self.turn);
            return next;
        }
        let mut captured = self.placement.get(to).is_some();
        next.placement.set(from, None);
        next.placement.set(to, put(promotion.unwrap_or(piece.role)));
        match piece.role {
            Role::Pawn => {
                if from.file() != to.file() && !captured {
                    // En passant: the pawn taken stands beside the origin.
                    next.placement.set(Square::at(to.file(), from.rank()), None);
                    captured = true;
                }
                if from.rank().abs_diff(to.rank()) == 2 {
                    next.en_passant = Some(Square::at(
                        from.file(),
                        u8::midpoint(from.rank(), to.rank()),
                    ));
                }
            }
            Role::King => next.castling.remove_all(self.turn),
            _ => {}
        }
        if captured || piece.role == Role::Pawn {
            next.halfmove = 0;
        }
        // A rook that leaves its home or is taken there cannot castle any more.
        if from.rank() == self.turn.home_rank() {
            next.castling.remove(self.turn, from.file());
        }
        if to.rank() == next.turn.home_rank() {
            next.castling.remove(next.turn, to.file());
        }
        next
    }

    /// The position for the rules library. Castling rights and an en passant target that cannot be are left out; the
    /// counters do not matter for moves.
    fn board(&self) -> Result<Board, PlayError> {
        let mut builder = BoardBuilder::empty();
        for (square, piece) in self.placement.pieces() {
            let role = cozy_chess::Piece::index(piece.role as usize);
            *builder.square_mut(to_cozy(square)) = Some((role, color_to_cozy(piece.color)));
        }
        builder.side_to_move = color_to_cozy(self.turn);
        for (color, file) in self.castling.supported(&self.placement, true).iter() {
            let king = Some(Piece::new(color, Role::King));
            let king_is_left = (0..file)
                .any(|left| self.placement.get(Square::at(left, color.home_rank())) == king);
            let rights = builder.castle_rights_mut(color_to_cozy(color));
            let file = cozy_chess::File::index(usize::from(file));
            if king_is_left {
                rights.short = Some(file);
            } else {
                rights.long = Some(file);
            }
        }
        builder.en_passant = self
            .en_passant
            .filter(|&target| en_passant::problem(&self.placement, self.turn, target).is_none())
            .map(to_cozy);
        let built = match builder.build() {
            // A check that was there before the double step: the target cannot be, the rest may.
            Err(BoardBuilderError::InvalidEnPassant) => {
                builder.en_passant = None;
                builder.build()
            }
            built => built,
        };
        let board = built.map_err(|error| PlayError::Position(self.why_not_playable(&error)))?;
        // The library takes kings that stand side by side, and panics once one of them is captured.
        let attacked = Bitboards::new(&self.placement).checkers(self.turn.opposite());
        if attacked.is_empty() {
            Ok(board)
        } else {
            Err(PlayError::Position(IN_CHECK))
        }
    }

    fn why_not_playable(&self, error: &BoardBuilderError) -> &'static str {
        let king_of = |color| self.placement.count(Piece::new(color, Role::King));
        let pawns_at_ends = (0..8)
            .flat_map(|file| [Square::at(file, 0), Square::at(file, 7)])
            .filter_map(|square| self.placement.get(square))
            .any(|piece| piece.role == Role::Pawn);
        let crowded = Color::ALL.into_iter().any(|color| {
            self.placement.count(Piece::new(color, Role::Pawn)) > 8
                || self
                    .placement
                    .pieces()
                    .filter(|(_, piece)| piece.color == color)
                    .count()
                    > 16
        });
        match error {
            _ if king_of(Color::White) != 1 => "White has not exactly one king",
            _ if king_of(Color::Black) != 1 => "Black has not exactly one king",
            _ if pawns_at_ends => "a pawn stands on rank 1 or 8",
            _ if crowded => "a side has more than 8 pawns or 16 pieces",
            BoardBuilderError::InvalidCastlingRights => "castling rights without king or rook",
            _ => IN_CHECK,
        }
    }
}

fn from_cozy_move(found: cozy_chess::Move) -> Move {
    let role = |piece: cozy_chess::Piece| Role::ALL[piece as usize];
    Move {
        from: from_cozy(found.from),
        to: from_cozy(found.to),
        promotion: found.promotion.map(role),
    }
}

fn to_cozy_move(played: Move) -> cozy_chess::Move {
    cozy_chess::Move {
        from: to_cozy(played.from),
        to: to_cozy(played.to),
        promotion: played
            .promotion
            .map(|role| cozy_chess::Piece::index(role as usize)),
    }
}

/// The text without marks of check, mate, capture en passant or judgement, and with castling as letters O.
fn plain_notation(text: &str) -> String {
    let text = text.trim().trim_end_matches("e.p.").trim_end();
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if text.starts_with('0') {
        text.replace('0', "O")
    } else {
        text.to_owned()
    }
}

/// The letter of a piece in another language at the beginning of a move, and the piece where it is plain: there is no
/// other in question, or it alone gives a legal move.
fn foreign_letter(board: &Board, plain: &str) -> Option<(char, Role)> {
    let mut letters = plain.chars();
    let letter = letters.next().filter(char::is_ascii_uppercase)?;
    last_square(letters.as_str())?;
    let roles = Role::of_other_languages(letter);
    let is_legal = |role: &&Role| {
        let english = role.letter().to_ascii_uppercase();
        cozy_chess::util::parse_san_move(board, &format!("{english}{}", letters.as_str())).is_ok()
    };
    let legal: Vec<Role> = roles.iter().filter(is_legal).copied().collect();
    match (roles, &legal[..]) {
        ([role], _) | (_, [role]) => Some((letter, *role)),
        _ => None,
    }
}

/// The last square named in a text.
fn last_square(text: &str) -> Option<Square> {
    let bytes = text.as_bytes();
    bytes.windows(2).rev().find_map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        pair.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::super::Placement;
    use super::*;

    fn fen(text: &str) -> Fen {
        text.parse().unwrap()
    }

    fn after(start: &str, moves: &str) -> String {
        let mut position = fen(start);
        for text in moves.split_whitespace() {
            position = position.play(position.parse_move(text).unwrap()).unwrap();
        }
        position.to_string()
    }

    #[test]
    fn the_fields_change_as_the_sources_say() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (moves, expected) in [
            (
                "e4",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            ),
            (
                "e4 c5",
                "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
            ),
            (
                "e4 c5 Nf3",
                "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            ),
            (
                "e4 e6 e5 d5",
                "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            ),
            (
                "e4 e6 e5 d5 exd6",
                "rnbqkbnr/ppp2ppp/3Pp3/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3",
            ),
            (
                "Nf3 Nf6 Rg1 Rg8",
                "rnbqkbr1/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKBR1 w Qq - 4 3",
            ),
        ] {
            assert_eq!(after(start, moves), expected);
        }
    }

    #[test]
    fn castling_and_the_capture_of_a_rook_take_rights() {
        let start = "r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 3 9";
        assert_eq!(after(start, "O-O"), "r3k2r/8/8/8/8/8/6B1/R4RK1 b kq - 4 9");
        assert_eq!(after(start, "e1c1"), "r3k2r/8/8/8/8/8/6B1/2KR3R b kq - 4 9");
        assert_eq!(
            after(start, "0-0-0"),
            "r3k2r/8/8/8/8/8/6B1/2KR3R b kq - 4 9"
        );
        assert_eq!(after(start, "Bxa8"), "B3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 9");
        assert_eq!(after(start, "Ke2"), "r3k2r/8/8/8/8/8/4K1B1/R6R b kq - 4 9");
    }

    #[test]
    fn chess960_castling_moves_king_and_rook_to_their_squares() {
        let start = "1k6/8/8/8/8/8/8/RK5R w HA - 0 1";
        assert_eq!(after(start, "O-O"), "1k6/8/8/8/8/8/8/R4RK1 b - - 1 1");
        assert_eq!(after(start, "b1a1"), "1k6/8/8/8/8/8/8/2KR3R b - - 1 1");
    }

    #[test]
    fn promotions_are_read_in_both_notations() {
        let start = "3r3k/4P3/8/8/8/8/8/4K3 w - - 5 40";
        assert_eq!(after(start, "e8=N"), "3rN2k/8/8/8/8/8/8/4K3 b - - 0 40");
        assert_eq!(after(start, "exd8=Q+"), "3Q3k/8/8/8/8/8/8/4K3 b - - 0 40");
        assert_eq!(after(start, "e7d8r"), "3R3k/8/8/8/8/8/8/4K3 b - - 0 40");
    }

    #[test]
    fn a_capital_letter_is_a_piece_before_it_is_a_file() {
        // The queen could go from b1 to c2 too.
        let start = "4k3/8/8/8/8/1B6/8/1Q1BK3 w - - 0 1";
        assert_eq!(after(start, "B1c2"), "4k3/8/8/8/8/1B6/2B5/1Q2K3 b - - 1 1");
        assert_eq!(after(start, "b1c2"), "4k3/8/8/8/8/1B6/2Q5/3BK3 b - - 1 1");
        assert_eq!(after(start, "E1E2"), "4k3/8/8/8/8/1B6/4K3/1Q1B4 b - - 1 1");
    }

    #[test]
    fn moves_that_cannot_be_are_refused_with_a_reason() {
        let position = fen("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1");
        let message = |text| position.parse_move(text).unwrap_err().to_string();
        assert_eq!(message("Nd2"), "`Nd2` can be Nbd2 or Nfd2; say which");
        assert_eq!(
            message("Bd2"),
            "`Bd2` is no legal move for White; to that square there is Kd2, Nbd2, Nfd2"
        );
        assert_eq!(message("nonsense"), "`nonsense` is no legal move for White");
        assert_eq!(message(""), "`` is no legal move for White");
        assert_eq!(message("é8"), "`é8` is no legal move for White");
        let no_king = fen("4k3/8/8/8/8/8/8/RN3N2 w - - 0 1");
        assert_eq!(
            no_king.parse_move("Nd2").unwrap_err().to_string(),
            "no moves can be played in this position: White has not exactly one king"
        );
    }

    #[test]
    fn kings_side_by_side_leave_no_move_whoever_is_to_move() {
        let king = Square::at(3, 3);
        let neighbours = Square::all().filter(|&square| {
            square != king
                && square.file().abs_diff(king.file()) <= 1
                && square.rank().abs_diff(king.rank()) <= 1
        });
        let mut count = 0;
        for other in neighbours {
            for turn in ["w", "b"] {
                let mut placement = Placement::EMPTY;
                placement.set(king, Some(Piece::new(Color::White, Role::King)));
                placement.set(other, Some(Piece::new(Color::Black, Role::King)));
                let position = fen(&format!("{placement} {turn} - - 0 1"));
                let refused = position.legal_moves().unwrap_err().to_string();
                assert!(refused.contains("is in check"), "{other} {turn}: {refused}");
                count += 1;
            }
        }
        assert_eq!(count, 16);
    }
}
