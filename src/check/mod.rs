//! Does a position make sense as chess? Every fault as a [`Diagnostic`].
//!
//! Illegal is not wrong: studies and teaching diagrams break rules. Nothing here changes a position; diagnostics tell,
//! and where a cure is plain they carry the FEN it would give.

mod last_move;
mod material;
mod orientation;
mod suggest;

use cozy_chess::{BitBoard, get_king_moves};

use self::last_move::Check;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::position::attacks::{Bitboards, from_cozy, squares};
use crate::position::castling::{CastlingProblem, CastlingRights, Wing, right_of, wing};
use crate::position::epd::{EpdError, ParsedEpd};
use crate::position::error::{FenError, FenFault, Field};
use crate::position::fen::ParsedFen;
use crate::position::infer::{en_passant_sentence, home_in_chess960};
use crate::position::{
    CastlingStyle, Color, EnPassantProblem, Fen, FenFields, Piece, Placement, Provenance, Role,
    Square, en_passant,
};
use crate::wording::counted;

pub use suggest::{SquareDoubt, Suggestion, suggestions};

/// Which rules of castling apply.
///
/// ```
/// use img2fen::{Code, check::{Variant, check_text}};
///
/// let rights = "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1";
/// assert!(check_text(rights, Some(Variant::Chess960)).is_sound());
/// assert_eq!(check_text(rights, Some(Variant::Standard)).diagnostics[0].code, Code::CastlingDropped);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Kings castle from e1 and e8 with rooks of the corners.
    #[default]
    Standard,
    /// Kings and rooks castle from anywhere on their first rank.
    Chess960,
}

/// A text that was to be a FEN, judged.
///
/// ```
/// let checked = img2fen::check::check_text("4k3/8/8/8/8/8/8/4K3 b KQ - 0 1", None);
/// assert_eq!(checked.fields.unwrap().to_string(), "4k3/8/8/8/8/8/8/4K3 b KQ - 0 1");
/// assert_eq!(checked.fen.unwrap().to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
/// assert_eq!(checked.diagnostics.len(), 2);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The fields as the text has them; `None` when it is no FEN.
    pub fields: Option<FenFields>,
    /// The position without castling rights and en passant target that cannot be; `None` when the text is no FEN.
    pub fen: Option<Fen>,
    /// Everything worth saying, in the order of the fields.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// True when nothing is wrong: there may be remarks, but no warning and no error.
    ///
    /// ```
    /// use img2fen::check::check_text;
    ///
    /// assert!(check_text("8/8/8/4k3/8/8/8/4K3 w - - 0 1", None).is_sound());
    /// assert!(!check_text("8/8/8/8/8/8/8/4K3 w - - 0 1", None).is_sound());
    /// ```
    pub fn is_sound(&self) -> bool {
        self.diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity < Severity::Warning)
    }
}

/// Reads a text as a FEN and judges it. Without a variant, letters of rooks' files in the castling field mean Chess960.
///
/// ```
/// use img2fen::{Code, check::check_text};
///
/// let checked = check_text("rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None);
/// assert_eq!(checked.diagnostics[0].code, Code::RankLength);
/// assert_eq!(checked.diagnostics[0].position, Some(9));
///
/// let checked = check_text("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", None);
/// assert_eq!(checked.diagnostics[0].code, Code::CastlingDropped);
/// assert_eq!(checked.fen.unwrap().to_string(), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
/// ```
pub fn check_text(text: &str, variant: Option<Variant>) -> Checked {
    match ParsedFen::parse(text) {
        Ok(parsed) => check_parsed(&parsed, variant),
        Err(errors) => Checked {
            fields: None,
            fen: None,
            diagnostics: with_one_hint_about_letters(
                errors.iter().map(syntax).collect(),
                errors.iter(),
            ),
        },
    }
}

/// Reads a text as an EPD and judges its position.
///
/// ```
/// use img2fen::{Code, check::check_epd};
///
/// assert!(check_epd("4k3/8/8/8/8/8/8/4K3 w - - id \"bare kings\";", None).is_sound());
/// let checked = check_epd("4k3/8/8/8/8/8/8/4K3 w - - id \"bare kings", None);
/// assert_eq!(checked.diagnostics[0].code, Code::EpdSyntax);
/// assert_eq!(checked.diagnostics[0].position, Some(29));
/// ```
pub fn check_epd(text: &str, variant: Option<Variant>) -> Checked {
    match ParsedEpd::parse(text) {
        Ok(parsed) => {
            let mut checked = check_parsed(&parsed.position, variant);
            if parsed.unended {
                let message = "the last operation has no `;`";
                checked.diagnostics.push(
                    Diagnostic::new(Code::NotCanonical, message)
                        .position(text.trim_end().chars().count())
                        .hint("other programs may refuse it; end it with `;`"),
                );
            }
            checked
        }
        Err(errors) => Checked {
            fields: None,
            fen: None,
            diagnostics: with_one_hint_about_letters(
                errors.iter().map(epd_syntax).collect(),
                errors.iter().filter_map(|error| match error {
                    EpdError::Position(error) => Some(error),
                    EpdError::Operation { .. } => None,
                }),
            ),
        },
    }
}

/// Says once what to do about letters that are no pieces, and when they look like those of another language, what they
/// are in English.
fn with_one_hint_about_letters<'a>(
    mut diagnostics: Vec<Diagnostic>,
    errors: impl Iterator<Item = &'a FenError>,
) -> Vec<Diagnostic> {
    let mut foreign: Vec<(char, char)> = Vec::new();
    for error in errors {
        if let FenFault::UnknownPiece { letter } = *error.fault()
            && let Some(role) = Role::of_other_languages(letter).first()
        {
            let color = match letter.is_ascii_uppercase() {
                true => Color::White,
                false => Color::Black,
            };
            let known = (letter, Piece::new(color, *role).letter());
            if !foreign.contains(&known) {
                foreign.push(known);
            }
        }
    }
    let mut unknown = diagnostics
        .iter_mut()
        .filter(|diagnostic| diagnostic.code == Code::UnknownPiece);
    // A single letter is rather a slip, such as `l` for 1.
    if let Some(first) = unknown.next()
        && foreign.len() > 1
    {
        let words = foreign
            .iter()
            .map(|(letter, english)| format!("`{letter}` is `{english}` in English"));
        first.hint = Some(format!(
            "these look like the pieces' letters of another language: {}; a FEN has the English ones, `PNBRQK` and `pnbrqk`",
            words.collect::<Vec<_>>().join(", ")
        ));
    }
    for other in unknown {
        other.hint = None;
    }
    diagnostics
}

fn epd_syntax(error: &EpdError) -> Diagnostic {
    match error {
        EpdError::Position(error) => syntax(error),
        EpdError::Operation { position, message } => {
            Diagnostic::new(Code::EpdSyntax, format!("operation: {message}"))
                .position(*position)
                .hint(
                    "an operation is an opcode and operands, ended by `;`, such as `id \"name\";`",
                )
        }
    }
}

/// As [`check_text`], for a text that has been read.
pub(crate) fn check_parsed(parsed: &ParsedFen, variant: Option<Variant>) -> Checked {
    let variant = variant.unwrap_or(if parsed.names_rook_files() {
        Variant::Chess960
    } else {
        Variant::Standard
    });
    let fields = parsed.fields;
    let fen = fields.fen();
    let mut diagnostics = judge(&fen, variant, Some(parsed));
    if parsed.fullmove_zero {
        let diagnostic = Diagnostic::new(
            Code::FullmoveZero,
            "the fullmove number is 0; it starts at 1",
        );
        diagnostics.push(diagnostic.hint("write 1").suggestion(fen));
    }
    if !parsed.missing.is_empty() {
        diagnostics.push(missing_fields(&parsed.missing, &fields));
    }
    if !parsed.oddities.is_empty() {
        let message = format!("the text has {}", parsed.oddities.join(" and "));
        let diagnostic = Diagnostic::new(Code::NotCanonical, message);
        diagnostics.push(
            diagnostic
                .hint("other programs may refuse it; this is the usual way to write it")
                .suggestion(fen),
        );
    }
    Checked {
        fields: Some(fields),
        fen: Some(without_impossible_fields(&fen, variant)),
        diagnostics,
    }
}

/// Judges a position.
///
/// ```
/// use img2fen::{Code, Fen, check::{Variant, check}};
///
/// let codes = |fen: &str| -> Vec<Code> {
///     let fen: Fen = fen.parse().unwrap();
///     check(&fen, Variant::Standard).iter().map(|d| d.code).collect()
/// };
/// assert_eq!(codes("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"), []);
/// assert_eq!(codes("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"), [Code::OpponentInCheck]);
/// ```
pub fn check(fen: &Fen, variant: Variant) -> Vec<Diagnostic> {
    judge(fen, variant, None)
}

/// As [`check`]; castling rights and the fullmove number are named as the text has them.
fn judge(fen: &Fen, variant: Variant, text: Option<&ParsedFen>) -> Vec<Diagnostic> {
    let boards = Bitboards::new(&fen.placement);
    let mut diagnostics = Vec::new();
    placement_faults(&mut diagnostics, &boards, variant);
    orientation::hints(&mut diagnostics, fen, &boards);
    checks(&mut diagnostics, fen, &boards);
    let letters = text.map_or("", |text| text.castling_letters.as_str());
    castling(&mut diagnostics, fen, variant, letters);
    en_passant_target(&mut diagnostics, fen);
    counters(
        &mut diagnostics,
        fen,
        text.is_some_and(|text| text.fullmove_zero),
    );
    diagnostics
}

/// Judges the position of a reading: besides the faults, which fields were assumed or inferred, and which second
/// choices for doubtful squares would cure a fault.
///
/// ```
/// use img2fen::{Code, Placement, Provenance, check::check_fields, position::GivenFields};
///
/// let fields = GivenFields::default().complete(Placement::start(), Provenance::Read).unwrap();
/// let codes: Vec<Code> = check_fields(&fields, &[]).iter().map(|d| d.code).collect();
/// assert_eq!(codes, [Code::TurnAssumed, Code::CastlingInferred]);
/// ```
pub fn check_fields(fields: &FenFields, doubts: &[SquareDoubt]) -> Vec<Diagnostic> {
    let fen = fields.fen();
    let mut diagnostics = check(&fen, variant_of(&fen));
    let turn = fields.turn.value.player();
    match fields.turn.provenance {
        Provenance::Assumed => diagnostics.push(
            Diagnostic::new(
                Code::TurnAssumed,
                format!("{turn} is assumed to be to move"),
            )
            .hint("say who is to move with `-w` or `-b`"),
        ),
        Provenance::Inferred => {
            let reason = match fields.en_passant.value {
                Some(target) => format!("the en passant target is {target}"),
                None => format!("the {} king is in check", fields.turn.value),
            };
            let message = format!("{turn} is to move because {reason}");
            diagnostics.push(Diagnostic::new(Code::TurnInferred, message));
        }
        Provenance::Read | Provenance::Given => {}
    }
    if fields.castling.provenance == Provenance::Inferred && !fen.castling.is_empty() {
        let rights = fen.castling.display(CastlingStyle::Xfen, &fen.placement);
        let message = format!("castling `{rights}` follows from kings and rooks at home");
        diagnostics.push(
            Diagnostic::new(Code::CastlingInferred, message)
                .hint("say otherwise with `--castling`, `--castling -` for none"),
        );
    }
    let suggested = suggestions(fields, doubts);
    diagnostics.extend(
        suggested
            .into_iter()
            .map(|suggestion| suggestion.diagnostic()),
    );
    diagnostics
}

/// Chess960 when the castling rights need its rules.
pub(crate) fn variant_of(fen: &Fen) -> Variant {
    if fen.needs_chess960() {
        Variant::Chess960
    } else {
        Variant::Standard
    }
}

/// The position without castling rights and an en passant target that cannot be.
pub(crate) fn without_impossible_fields(fen: &Fen, variant: Variant) -> Fen {
    let chess960 = variant == Variant::Chess960;
    Fen {
        castling: fen.castling.supported(&fen.placement, chess960),
        en_passant: fen
            .en_passant
            .filter(|&target| en_passant::problem(&fen.placement, fen.turn, target).is_none()),
        ..*fen
    }
}

/// A fault of the text as a diagnostic.
pub(crate) fn syntax(error: &FenError) -> Diagnostic {
    let (code, hint) = match error.fault() {
        FenFault::Empty => (Code::Empty, "give the six fields of a FEN"),
        FenFault::UnknownPiece { .. } => (
            Code::UnknownPiece,
            "use the English letters `PNBRQK` for White, `pnbrqk` for Black and digits for empty squares",
        ),
        FenFault::RankLength { .. } => (
            Code::RankLength,
            "count the letters and add the digits of the rank",
        ),
        FenFault::RankCount { .. } => (
            Code::RankCount,
            "write eight ranks from rank 8 to rank 1 with `/` between them",
        ),
        FenFault::Turn { .. } => (
            Code::TurnSyntax,
            "write `w` when White is to move, `b` for Black",
        ),
        FenFault::Castling { .. } => (Code::CastlingSyntax, "write `-` when nobody may castle"),
        FenFault::EnPassant { .. } => (
            Code::EnPassantSyntax,
            "write `-` when the last move was no double step of a pawn",
        ),
        FenFault::Counter { .. } => (
            Code::CounterSyntax,
            "write `0 1` when the counters are not known",
        ),
        FenFault::ExtraField { .. } => (Code::ExtraField, "leave it out"),
    };
    let diagnostic = Diagnostic::new(code, format!("{}: {}", error.field(), error.message()))
        .position(error.position())
        .hint(hint);
    match *error.fault() {
        FenFault::RankLength { rank, .. } => {
            diagnostic.squares((0..8).map(|file| Square::at(file, rank - 1)))
        }
        _ => diagnostic,
    }
}

fn missing_fields(missing: &[Field], fields: &FenFields) -> Diagnostic {
    let fen = fields.fen();
    let value = |field: &Field| match field {
        Field::Placement => fen.placement.to_string(),
        Field::Turn => fen.turn.letter().to_string(),
        Field::Castling => {
            let rights = fen.castling.display(CastlingStyle::Xfen, &fen.placement);
            rights.to_string()
        }
        Field::EnPassant => "-".to_owned(),
        Field::Halfmove => fen.halfmove.to_string(),
        Field::Fullmove => fen.fullmove.to_string(),
    };
    let names: Vec<&str> = missing.iter().map(|field| field.name()).collect();
    let values: Vec<String> = missing.iter().map(value).collect();
    let message = format!("no {}; taken as `{}`", names.join(", "), values.join(" "));
    Diagnostic::new(Code::MissingField, message)
        .hint("give all six fields; some programs refuse less")
        .suggestion(fen)
}

/// Faults of what stands where, whoever is to move.
fn placement_faults(diagnostics: &mut Vec<Diagnostic>, boards: &Bitboards, variant: Variant) {
    if boards.occupied().is_empty() {
        let diagnostic = Diagnostic::new(Code::NoPieces, "there is no piece on the board");
        diagnostics.push(diagnostic.hint("a position has a king of each side at least"));
        return;
    }
    for color in Color::ALL {
        kings(diagnostics, boards, color);
    }
    let ends = BitBoard(0xff00_0000_0000_00ff);
    let misplaced = boards.role(Role::Pawn) & ends;
    if !misplaced.is_empty() {
        let places = squares(misplaced);
        let message = match places.as_slice() {
            [place] => format!("a pawn stands on {place}"),
            _ => format!("pawns stand on {}", list(&places)),
        };
        let hint = "pawns start on rank 2 or 7 and are promoted on the last rank; look at the square again";
        let diagnostic = Diagnostic::new(Code::PawnOnBackRank, message);
        diagnostics.push(diagnostic.hint(hint).squares(places));
    }
    for color in Color::ALL {
        material::faults(diagnostics, boards, color, variant);
    }
}

fn kings(diagnostics: &mut Vec<Diagnostic>, boards: &Bitboards, color: Color) {
    let kings = boards.of(color, Role::King);
    let (none, several) = match color {
        Color::White => (Code::NoWhiteKing, Code::SeveralWhiteKings),
        Color::Black => (Code::NoBlackKing, Code::SeveralBlackKings),
    };
    match kings.len() {
        1 => {}
        0 => {
            let diagnostic = Diagnostic::new(none, format!("{} has no king", color.player()));
            let hint =
                "each side has exactly one king; a square was left out or taken for another piece";
            diagnostics.push(diagnostic.hint(hint));
        }
        count => {
            let places = squares(kings);
            let message = format!("{} has {count} kings, on {}", color.player(), list(&places));
            let hint = "each side has exactly one king; one of them is another piece";
            let diagnostic = Diagnostic::new(several, message);
            diagnostics.push(diagnostic.hint(hint).squares(places));
        }
    }
}

/// Checks that cannot be: of the side that has just moved, or that no single move can give.
fn checks(diagnostics: &mut Vec<Diagnostic>, fen: &Fen, boards: &Bitboards) {
    let (mover, waiting) = (fen.turn, fen.turn.opposite());
    let on_waiting = boards.checkers(waiting);
    let on_mover = boards.checkers(mover);
    if !on_waiting.is_empty() {
        let touching = on_waiting & boards.of(mover, Role::King);
        let checkers = on_waiting & !touching;
        let message = if touching.is_empty() {
            format!(
                "{} is to move, but the {waiting} king is in check from {}",
                mover.player(),
                list(&squares(checkers))
            )
        } else {
            // With several kings of one side only those beside each other are meant.
            let beside = touching
                .into_iter()
                .fold(BitBoard::EMPTY, |set, king| set | get_king_moves(king));
            let kings = squares(touching | boards.of(waiting, Role::King) & beside);
            let mut message = format!("the kings on {} touch", list(&kings));
            if !checkers.is_empty() {
                message += &format!(
                    ", and the {waiting} king is in check from {}",
                    list(&squares(checkers))
                );
            }
            message
        };
        let involved = squares(boards.of(waiting, Role::King) | on_waiting);
        let mut diagnostic = Diagnostic::new(Code::OpponentInCheck, message).squares(involved);
        if !touching.is_empty() {
            diagnostic = diagnostic
                .hint("kings never stand side by side; one of them stands on another square");
        } else if on_mover.is_empty() {
            let turned = Fen {
                turn: waiting,
                en_passant: None,
                ..*fen
            };
            diagnostic = diagnostic
                .hint(format!("{} must be to move", waiting.player()))
                .suggestion(turned);
        } else {
            diagnostic =
                diagnostic.hint("both kings are in check; look at the pieces that give it");
        }
        diagnostics.push(diagnostic);
    }
    if boards.of(mover, Role::King).len() != 1 {
        return;
    }
    let count = on_mover.len();
    let involved = || squares(boards.of(mover, Role::King) | on_mover);
    if count > 2 {
        let places = list(&squares(on_mover));
        let message =
            format!("{count} pieces give check, on {places}; one move gives two checks at most");
        let diagnostic = Diagnostic::new(Code::TooManyCheckers, message);
        diagnostics.push(diagnostic.hint(LOOK_AT_CHECKERS).squares(involved()));
    } else if count > 0
        && let Some(reason) = impossible_check(fen, boards, on_mover)
    {
        let places = list(&squares(on_mover));
        let message = format!("the check from {places} cannot be: {reason}");
        let diagnostic = Diagnostic::new(Code::ImpossibleCheck, message);
        diagnostics.push(diagnostic.hint(LOOK_AT_CHECKERS).squares(involved()));
    }
}

const LOOK_AT_CHECKERS: &str = "look at the king and at the pieces that give check again";

/// Why no last move gives exactly these one or two checks to the only king of the side to move.
fn impossible_check(fen: &Fen, boards: &Bitboards, checkers: BitBoard) -> Option<&'static str> {
    let king = boards.of(fen.turn, Role::King).next_square()?;
    let check = Check {
        boards,
        by: fen.turn.opposite(),
        king: from_cozy(king),
    };
    let target = fen
        .en_passant
        .filter(|&target| en_passant::problem(&fen.placement, fen.turn, target).is_none());
    if let Some(target) = target {
        let pawn = Square::at(target.file(), if fen.turn == Color::White { 4 } else { 3 });
        return if check.is_last_move_double_step(pawn) {
            None
        } else if checkers.len() > 1 {
            Some("a double step of a pawn gives no two checks")
        } else {
            Some("the king was in check before the double step of the pawn")
        };
    }
    if check.has_last_move(checkers) {
        return None;
    }
    let mut both = checkers.into_iter();
    let (Some(first), Some(second)) = (both.next(), both.next()) else {
        return Some("no move can have given it");
    };
    let sliders = boards.role(Role::Bishop) | boards.role(Role::Rook) | boards.role(Role::Queen);
    Some(if (checkers & sliders).is_empty() {
        "one of two checks is opened along a line, by a bishop, rook or queen"
    } else if cozy_chess::get_line_rays(first, second).has(king) {
        "both come along one line"
    } else {
        "no move gives both at once"
    })
}

/// What stands for a castling right in a message: the letter of the text, or the one it would be written with.
fn right_letter(fen: &Fen, color: Color, file: u8, letters: &str) -> String {
    let given = letters
        .chars()
        .find(|&letter| right_of(letter, &fen.placement) == Some((color, file)));
    if let Some(letter) = given {
        return letter.to_string();
    }
    let mut right = CastlingRights::NONE;
    right.insert(color, file);
    right
        .display(CastlingStyle::Xfen, &fen.placement)
        .to_string()
}

fn castling(diagnostics: &mut Vec<Diagnostic>, fen: &Fen, variant: Variant, letters: &str) {
    let chess960 = variant == Variant::Chess960;
    for (color, file) in fen.castling.iter() {
        let problem = fen.castling.problem(&fen.placement, color, file, chess960);
        let Some(problem) = problem else { continue };
        let rank = color.home_rank();
        let (king, rook_file) = match variant {
            Variant::Standard => (
                format!("on {}", Square::at(4, rank)),
                match wing(&fen.placement, color, file) {
                    Wing::King => 7,
                    Wing::Queen => 0,
                },
            ),
            Variant::Chess960 => (home_in_chess960(color), file),
        };
        let rook = Square::at(rook_file, rank);
        let letter = right_letter(fen, color, file, letters);
        let needs = format!(
            "castling `{letter}` is dropped: it needs the {color} king {king} and a {color} rook on {rook}"
        );
        let message = match problem {
            CastlingProblem::King => format!("{needs}; the king is not there"),
            CastlingProblem::Rook => format!("{needs}; the rook is not there"),
            CastlingProblem::SecondRook => format!(
                "castling `{letter}` is dropped: another rook further out on the same side of the king is named too"
            ),
        };
        let diagnostic = Diagnostic::new(Code::CastlingDropped, message)
            .squares([rook])
            .suggestion(without_impossible_fields(fen, variant));
        let in_chess960 = fen.castling.problem(&fen.placement, color, file, true);
        diagnostics.push(if !chess960 && in_chess960.is_none() {
            diagnostic.hint("in Chess960 the right is possible: say `--chess960`")
        } else {
            diagnostic.hint("take the letter out, or look at king and rook again")
        });
    }
}

fn en_passant_target(diagnostics: &mut Vec<Diagnostic>, fen: &Fen) {
    let Some(target) = fen.en_passant else { return };
    match en_passant::problem(&fen.placement, fen.turn, target) {
        Some(problem) => {
            let code = match problem {
                EnPassantProblem::Rank => Code::EnPassantRank,
                EnPassantProblem::NoPawn { .. } => Code::EnPassantNoPawn,
                EnPassantProblem::Occupied { .. } => Code::EnPassantOccupied,
            };
            let mut involved = vec![target];
            match problem {
                EnPassantProblem::NoPawn { expected } => involved.push(expected),
                EnPassantProblem::Occupied { square } if square != target => involved.push(square),
                _ => {}
            }
            let message = en_passant_sentence(target, fen.turn, problem);
            let cure = Fen {
                en_passant: None,
                ..*fen
            };
            diagnostics.push(
                Diagnostic::new(code, message)
                    .hint("write `-`, or look at the pawn and the side to move again")
                    .squares(involved)
                    .suggestion(cure),
            );
        }
        None if fen.halfmove != 0 => {
            let message = format!(
                "the halfmove clock is {}, but a pawn has just moved to {}",
                fen.halfmove,
                Square::at(target.file(), if fen.turn == Color::White { 4 } else { 3 })
            );
            let cure = Fen {
                halfmove: 0,
                ..*fen
            };
            let diagnostic = Diagnostic::new(Code::HalfmoveAfterPawnMove, message);
            diagnostics.push(
                diagnostic
                    .hint("write 0, or `-` for the en passant target")
                    .squares([target])
                    .suggestion(cure),
            );
        }
        None => {}
    }
}

fn counters(diagnostics: &mut Vec<Diagnostic>, fen: &Fen, fullmove_zero: bool) {
    let played = 2 * (u64::from(fen.fullmove).max(1) - 1) + u64::from(fen.turn == Color::Black);
    if u64::from(fen.halfmove) > played && fen.halfmove > 0 {
        let read = if fullmove_zero {
            ", as which move 0 is read"
        } else {
            ""
        };
        let message = format!(
            "the halfmove clock is {}, but only {} {} played before move {}{read}",
            fen.halfmove,
            counted(usize::try_from(played).unwrap_or(usize::MAX), "half-move"),
            if played == 1 { "was" } else { "were" },
            fen.fullmove
        );
        let diagnostic = Diagnostic::new(Code::HalfmoveTooLarge, message);
        diagnostics.push(diagnostic.hint("the clock counts half-moves, the number counts moves"));
    }
    if fen.halfmove >= 100 {
        let message = format!(
            "{} half-moves without capture or pawn move: {}",
            fen.halfmove,
            if fen.halfmove >= 150 {
                "the game is drawn"
            } else {
                "a player may claim a draw"
            }
        );
        diagnostics.push(Diagnostic::new(Code::FiftyMoves, message));
    }
}

/// The faults of a placement alone; what a correction of a square has to cure.
pub(crate) fn faults_of_placement(placement: &Placement, variant: Variant) -> Vec<Diagnostic> {
    let boards = Bitboards::new(placement);
    let mut diagnostics = Vec::new();
    placement_faults(&mut diagnostics, &boards, variant);
    diagnostics
}

/// `e4`, `e4 and f5`, `e4, f5 and g6`.
fn list(squares: &[Square]) -> String {
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
