//! Every fault of a FEN is found, named and explained: one bad FEN per fault.

use img2fen::check::{SquareDoubt, Variant, check_epd, check_fields, check_text, suggestions};
use img2fen::position::GivenFields;
use img2fen::{Code, Color, FenFields, Piece, Placement, Provenance, Severity};

/// A text, the code it must give, the squares and the sentence.
const FAULTS: &[(&str, Code, &str, &str)] = &[
    (
        "",
        Code::Empty,
        "",
        "placement: there is no text, expected a FEN",
    ),
    (
        "rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Code::RankLength,
        "a7 b7 c7 d7 e7 f7 g7 h7",
        "placement: rank 7 has 7 squares, expected 8",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP9/RNBQKBNR w KQkq - 0 1",
        Code::UnknownPiece,
        "",
        "placement: `9` is no piece, expected one of `PNBRQKpnbrqk` or a digit from 1 to 8",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Code::RankCount,
        "",
        "placement: the board has 7 ranks, expected 8",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        Code::TurnSyntax,
        "",
        "side to move: found `x`, expected `w` or `b`",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w KX - 0 1",
        Code::CastlingSyntax,
        "",
        "castling rights: found `KX`, expected `-` or letters out of `KQkq`, or files `A`-`H` and `a`-`h`",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
        Code::EnPassantSyntax,
        "",
        "en passant target: found `e9`, expected `-` or a square such as `e3`",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        Code::CounterSyntax,
        "",
        "halfmove clock: found `-1`, expected a whole number from 0 to 4294967295",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 mate",
        Code::ExtraField,
        "",
        "fullmove number: found `mate`, expected the end of the text after six fields",
    ),
    (
        "8/8/8/8/8/8/8/8 w - - 0 1",
        Code::NoPieces,
        "",
        "there is no piece on the board",
    ),
    (
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        Code::NoWhiteKing,
        "",
        "White has no king",
    ),
    (
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        Code::NoBlackKing,
        "",
        "Black has no king",
    ),
    (
        "4k3/8/8/8/8/8/8/4K1K1 w - - 0 1",
        Code::SeveralWhiteKings,
        "e1 g1",
        "White has 2 kings, on e1 and g1",
    ),
    (
        "2k1k2k/8/8/8/8/8/8/4K3 w - - 0 1",
        Code::SeveralBlackKings,
        "c8 e8 h8",
        "Black has 3 kings, on c8, e8 and h8",
    ),
    (
        "P3k3/8/8/8/8/8/8/4K2p w - - 0 1",
        Code::PawnOnBackRank,
        "h1 a8",
        "pawns stand on h1 and a8",
    ),
    (
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        Code::TooManyPawns,
        "a2 b2 c2 d2 e2 f2 g2 h2 a3",
        "White has 9 pawns; there are 8 at most",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Code::TooManyPieces,
        "",
        "White has 17 pieces; there are 16 at most",
    ),
    (
        "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
        Code::ImpossibleMaterial,
        "a1 b1",
        "White has 1 promoted piece beside 8 pawns; 0 can have been promoted",
    ),
    (
        "4k3/8/8/8/2B5/8/PPPPPPPP/4K3 w - - 0 1",
        Code::ImpossibleBishop,
        "c4",
        "the white bishop on c4 cannot have left its home behind pawns that have not moved",
    ),
    (
        "4k3/8/8/8/8/8/1P6/B3K3 w - - 0 1",
        Code::ImpossibleBishop,
        "a1",
        "the white bishop on a1 cannot have got behind pawns that have not moved",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR b KQkq - 0 1",
        Code::ImpossiblePawns,
        "a2 c2 d2 e2 f2 g2 h2 a3",
        "the white pawns need 1 capture to stand so, but Black has lost 0 pieces",
    ),
    (
        "4k3/8/8/8/8/P7/PP6/4K3 b - - 0 1",
        Code::ImpossiblePawns,
        "a2 b2 a3",
        "the white pawns cannot have come from rank 2",
    ),
    (
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        Code::OpponentInCheck,
        "e2 e8",
        "White is to move, but the black king is in check from e2",
    ),
    (
        "4k3/8/8/8/1b5b/4r3/8/4K3 w - - 0 1",
        Code::TooManyCheckers,
        "e1 e3 b4 h4",
        "3 pieces give check, on e3, b4 and h4; one move gives two checks at most",
    ),
    (
        "4k3/8/8/8/8/8/8/r3K2r w - - 0 1",
        Code::ImpossibleCheck,
        "a1 e1 h1",
        "the check from a1 and h1 cannot be: both come along one line",
    ),
    (
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
        Code::ImpossibleCheck,
        "e1 d3 f3",
        "the check from d3 and f3 cannot be: one of two checks is opened along a line, by a bishop, rook or queen",
    ),
    (
        "4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1",
        Code::ImpossibleCheck,
        "a1 e1",
        "the check from a1 cannot be: the king was in check before the double step of the pawn",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w Q - 0 1",
        Code::CastlingDropped,
        "a1",
        "castling `Q` is dropped: it needs the white king on e1 and a white rook on a1; the rook is not there",
    ),
    (
        "3k3r/8/8/8/8/8/8/4K3 b k - 0 1",
        Code::CastlingDropped,
        "h8",
        "castling `k` is dropped: it needs the black king on e8 and a black rook on h8; the king is not there",
    ),
    (
        "4k3/8/8/8/8/8/8/4KR1R w HF - 0 1",
        Code::CastlingDropped,
        "f1",
        "castling `F` is dropped: another rook further out on the same side of the king is named too",
    ),
    (
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        Code::EnPassantRank,
        "e3",
        "en passant target `e3` is on rank 3; with White to move it is on rank 6",
    ),
    (
        "rnbqkbnr/pppp1ppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        Code::EnPassantNoPawn,
        "e3 e4",
        "en passant target `e3` needs a white pawn on e4 that has just double-stepped; there is none",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKBNR b KQkq e3 0 1",
        Code::EnPassantOccupied,
        "e3 e2",
        "en passant target `e3`: e2 is not empty, so no white pawn can have double-stepped over it",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 3 9",
        Code::HalfmoveAfterPawnMove,
        "e3",
        "the halfmove clock is 3, but a pawn has just moved to e4",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 7 2",
        Code::HalfmoveTooLarge,
        "",
        "the halfmove clock is 7, but only 2 half-moves were played before move 2",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 100 90",
        Code::FiftyMoves,
        "",
        "100 half-moves without capture or pawn move: a player may claim a draw",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
        Code::FullmoveZero,
        "",
        "the fullmove number is 0; it starts at 1",
    ),
    (
        "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1",
        Code::UpsideDown,
        "",
        "upside down? 16 pawns stand on the home rank of the other side's pawns",
    ),
    (
        "RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr w - - 0 1",
        Code::ColorsSwapped,
        "",
        "colours swapped? 16 pawns stand on the home rank of the other side's pawns",
    ),
    (
        "4k3/8/8/8/8/8/8/R3K3",
        Code::MissingField,
        "",
        "no side to move, castling rights, en passant target, halfmove clock, fullmove number; taken as `w Q - 0 1`",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3_w_-_-_0_1",
        Code::NotCanonical,
        "",
        "the text has underscores between the fields",
    ),
    (
        "4k3/8/8/44/8/8/8/4K3  w - - 0 1",
        Code::NotCanonical,
        "",
        "the text has extra spaces and digits side by side for one run of empty squares",
    ),
];

#[test]
fn every_fault_is_found_named_and_explained() {
    for &(text, code, squares, message) in FAULTS {
        let checked = check_text(text, None);
        let found = checked.diagnostics.iter().find(|found| found.code == code);
        let found = found.unwrap_or_else(|| panic!("{text}: {code}: {:#?}", checked.diagnostics));
        let names: Vec<String> = found
            .squares
            .iter()
            .map(|square| square.to_string())
            .collect();
        assert_eq!(names.join(" "), squares, "{text}");
        assert_eq!(found.message, message, "{text}");
        if found.severity > Severity::Info {
            assert!(found.hint.is_some(), "{text}: {code} says no cure");
            assert!(!checked.is_sound());
        }
    }
}

#[test]
fn the_table_has_a_fen_for_every_code_about_a_fen() {
    // These are about readings of pictures or about EPD, and have their own tests.
    let elsewhere = [
        Code::EpdSyntax,
        Code::TurnAssumed,
        Code::TurnInferred,
        Code::CastlingInferred,
        Code::LowConfidenceSquare,
        Code::LowResolution,
        Code::OrientationUncertain,
        Code::SecondChoiceCures,
        Code::SuggestionAccepted,
    ];
    for code in Code::ALL {
        let in_table = FAULTS.iter().any(|(_, listed, _, _)| listed == code);
        assert!(in_table != elsewhere.contains(code), "{code}");
    }
}

#[test]
fn sound_positions_give_no_diagnostics() {
    for text in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        // Chess960: the rooks that castle are not the outermost.
        "1r3kr1/8/8/8/8/8/8/1RR2K1R w HCgb - 0 1",
        // The double step has opened the line of the rook.
        "7k/8/8/8/r2pP2K/8/8/8 w - - 0 2",
        // A bishop at home behind its pawns.
        "4k3/8/8/8/8/8/1P1P4/2B1K3 w - - 0 1",
        // Three bishops and seven pawns: one was promoted.
        "4k3/8/8/8/2BBB3/8/PPPP1PP1/4K3 w - - 0 1",
    ] {
        let checked = check_text(text, None);
        assert!(
            checked.diagnostics.is_empty(),
            "{text}: {:#?}",
            checked.diagnostics
        );
    }
}

#[test]
fn checks_that_no_move_can_give_are_told_with_the_reason() {
    for (text, reason) in [
        // Two pieces of a kind: one of them cannot have come with the other standing there.
        (
            "4k3/8/8/8/8/8/8/r3K2r w - - 0 1",
            "both come along one line",
        ),
        (
            "4k3/8/8/8/4r3/8/8/r3K3 w - - 0 1",
            "no move gives both at once",
        ),
        (
            "4k3/8/8/8/1b5b/8/8/4K3 w - - 0 1",
            "no move gives both at once",
        ),
        (
            "4k3/8/8/4q3/1q6/8/8/4K3 w - - 0 1",
            "no move gives both at once",
        ),
        (
            "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
            "one of two checks is opened along a line, by a bishop, rook or queen",
        ),
        (
            "4k3/8/8/8/8/3n4/3p4/4K3 w - - 0 1",
            "one of two checks is opened along a line, by a bishop, rook or queen",
        ),
        // The pawn has not come off the line of the rook.
        (
            "8/8/8/8/8/8/3p4/r3K2k w - - 0 1",
            "no move gives both at once",
        ),
        (
            "8/8/8/8/8/3k4/4P3/3RK3 b - - 0 1",
            "no move gives both at once",
        ),
        // En passant would open both lines, but the pawn on d7 has not moved.
        (
            "4R3/1B1p4/3P4/8/4k3/8/8/4K3 b - - 0 1",
            "no move gives both at once",
        ),
        // A pawn on its home rank has not moved.
        (
            "8/3p4/4K3/8/8/8/8/4k3 w - - 0 1",
            "no move can have given it",
        ),
        (
            "8/8/8/8/8/3k4/4P3/4K3 b - - 0 1",
            "no move can have given it",
        ),
        // The rook had no other square behind its pawns.
        (
            "R2k4/PP6/8/8/8/8/8/4K3 b - - 0 1",
            "no move can have given it",
        ),
        // The bishop gave check before the double step that stopped it.
        (
            "8/8/8/3k4/4Pp2/8/6B1/4K3 b - e3 0 1",
            "the king was in check before the double step of the pawn",
        ),
    ] {
        for variant in [Variant::Standard, Variant::Chess960] {
            let diagnostics = check_text(text, Some(variant)).diagnostics;
            let mut found = diagnostics.iter();
            let found = found.find(|found| found.code == Code::ImpossibleCheck);
            let message = found.map_or("", |found| &found.message);
            assert!(message.ends_with(reason), "{text}: {message}");
        }
    }
}

#[test]
fn checks_that_some_move_can_give_are_let_stand() {
    for text in [
        // Opened by a piece, with and without its own check.
        "7k/8/8/8/8/8/5n2/r6K w - - 0 1",
        "4k3/8/8/8/4r3/8/5b2/4K3 w - - 0 1",
        "4k3/8/4r3/8/8/3n4/8/4K3 w - - 0 1",
        // A promotion, as a capture, that leaves the line of a rook.
        "6Rk/8/7R/8/8/8/8/4K3 b - - 0 1",
        "6Qk/8/7R/8/8/8/8/4K3 b - - 0 1",
        // En passant opens two lines at once.
        "4R3/1B6/3P4/8/4k3/8/8/4K3 b - - 0 1",
        // Castling, also where only that of Chess960 can have given the check.
        "5k2/8/8/8/8/8/8/5RK1 b - - 0 1",
        "3k4/8/8/8/8/8/8/2KR4 b - - 0 1",
        "5k2/8/8/8/8/8/8/4RRK1 b - - 0 1",
        // The double step gives the check.
        "8/8/8/5k2/4Pp2/8/8/4K3 b - e3 0 1",
    ] {
        let diagnostics = check_text(text, None).diagnostics;
        let codes: Vec<Code> = diagnostics.iter().map(|found| found.code).collect();
        assert!(!codes.contains(&Code::ImpossibleCheck), "{text}");
    }
}

#[test]
fn a_counter_beyond_what_is_counted_is_told_the_range() {
    let message = |text: String| {
        let diagnostics = check_text(&text, None).diagnostics;
        diagnostics.first().map(|found| found.message.clone())
    };
    let board = "4k3/8/8/8/8/8/8/4K3 w - -";
    for number in ["4294967296", "99999999999999999999", "-1", "1.5", "x"] {
        let expected = |field: &str| {
            let expected = "expected a whole number from 0 to 4294967295";
            Some(format!("{field}: found `{number}`, {expected}"))
        };
        assert_eq!(
            message(format!("{board} {number} 1")),
            expected("halfmove clock")
        );
        assert_eq!(
            message(format!("{board} 0 {number}")),
            expected("fullmove number")
        );
    }
    assert_eq!(message(format!("{board} 0 4294967295")), None);
}

#[test]
fn a_reading_with_rights_of_chess960_is_not_held_against_the_rules_of_standard_chess() {
    for (board, rights) in [
        ("r2k3r/8/8/8/8/8/8/R2K3R", "HAha"),
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1", "GBgb"),
        ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq"),
    ] {
        let given = GivenFields {
            castling: Some(rights.parse().unwrap()),
            ..GivenFields::default()
        };
        let fields = given.complete(board.parse().unwrap(), Provenance::Read);
        let diagnostics = check_fields(&fields.unwrap(), &[]);
        let codes: Vec<Code> = diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::TurnAssumed], "{rights}");
    }
}

#[test]
fn a_castling_right_of_chess960_is_offered_when_standard_rules_drop_it() {
    let text = "4k3/8/8/8/8/8/8/3K2R1 w K - 0 1";
    let checked = check_text(text, None);
    assert_eq!(checked.diagnostics[0].code, Code::CastlingDropped);
    assert_eq!(
        checked.diagnostics[0].hint.as_deref(),
        Some("in Chess960 the right is possible: say `--chess960`")
    );
    assert!(check_text(text, Some(Variant::Chess960)).is_sound());
}

#[test]
fn the_hints_show_the_turned_and_the_swapped_position() {
    // The position after 1.e4 c5 seen from Black's side: the kings show that it is turned.
    let turned = check_text(
        "RNBKQBNR/PPP1PPPP/8/3P4/5p2/8/ppppp1pp/rnbkqbnr w - - 0 1",
        None,
    );
    let hint = turned
        .diagnostics
        .iter()
        .find(|found| found.code == Code::UpsideDown);
    assert_eq!(
        hint.unwrap().suggestion.as_deref(),
        Some("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1")
    );
    assert!(
        turned
            .diagnostics
            .iter()
            .all(|found| found.code != Code::ColorsSwapped)
    );

    // With every colour exchanged. Ranks written from 1 to 8 look much the same, so both are offered.
    let swapped = check_text(
        "RNBQKBNR/PP1PPPPP/8/2P5/4p3/8/pppp1ppp/rnbqkbnr w - - 0 1",
        None,
    );
    let suggestion = |code| {
        let hint = swapped.diagnostics.iter().find(|found| found.code == code);
        hint.and_then(|hint| hint.suggestion.as_deref())
    };
    assert_eq!(
        suggestion(Code::ColorsSwapped),
        Some("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1")
    );
    assert_eq!(
        suggestion(Code::UpsideDown),
        Some("rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 1")
    );
}

#[test]
fn the_opponent_in_check_is_cured_by_the_other_side_to_move() {
    let checked = check_text("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", None);
    assert_eq!(
        checked.diagnostics[0].suggestion.as_deref(),
        Some("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    );
}

#[test]
fn several_faults_of_a_text_are_all_reported() {
    let text = "xnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR z KQ e0 a b c";
    let diagnostics = check_text(text, None).diagnostics;
    let codes: Vec<Code> = diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(
        codes,
        [
            Code::UnknownPiece,
            Code::RankLength,
            Code::TurnSyntax,
            Code::EnPassantSyntax,
            Code::CounterSyntax,
            Code::CounterSyntax,
            Code::ExtraField,
        ]
    );
    let positions: Vec<usize> = diagnostics
        .iter()
        .filter_map(|found| found.position)
        .collect();
    assert_eq!(positions, [0, 9, 43, 48, 51, 53, 55]);
}

fn doubt(square: &str, second: char, second_confidence: f32) -> SquareDoubt {
    SquareDoubt {
        square: square.parse().unwrap(),
        confidence: 1.0 - second_confidence,
        second: Piece::from_letter(second),
        second_confidence,
    }
}

fn read(board: &str) -> FenFields {
    let placement: Placement = board.parse().unwrap();
    GivenFields::default()
        .complete(placement, Provenance::Read)
        .unwrap()
}

#[test]
fn second_choices_that_cure_a_fault_are_offered_and_others_are_not() {
    let cases = [
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3", "a3", '.', "too-many-pawns"),
        ("P3k3/8/8/8/8/8/8/4K3", "a8", 'B', "pawn-on-back-rank"),
        ("4k3/8/8/8/8/8/8/4KK2", "f1", 'Q', "several-white-kings"),
    ];
    for (board, square, second, cured) in cases {
        let fields = read(board);
        // A black king more would be a fault, a knight cures nothing.
        let doubts = [
            doubt("e4", 'k', 0.4),
            doubt("h5", 'n', 0.3),
            doubt(square, second, 0.2),
        ];
        let found = suggestions(&fields, &doubts);
        assert_eq!(found.len(), 1, "{board}");
        assert_eq!(found[0].square.to_string(), square);
        let cures: Vec<&str> = found[0].cures.iter().map(|code| code.name()).collect();
        assert_eq!(cures, [cured]);
        assert_eq!(found[0].fields.placement.provenance, Provenance::Inferred);
        let diagnostics = check_fields(&fields, &doubts);
        let offer = diagnostics.last().unwrap();
        assert_eq!(offer.code, Code::SecondChoiceCures);
        assert_eq!(offer.suggestion, Some(found[0].fields.to_string()));
    }
}

#[test]
fn the_surest_cure_comes_first_and_inferred_fields_follow_it() {
    let fields = read("r3k2r/8/8/8/8/8/8/R3K1KR");
    let found = suggestions(&fields, &[doubt("e1", '.', 0.1), doubt("g1", 'N', 0.3)]);
    assert_eq!(found.len(), 2);
    assert_eq!(
        found[0].fields.to_string(),
        "r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1"
    );
    assert_eq!(
        found[1].fields.to_string(),
        "r3k2r/8/8/8/8/8/8/R5KR w kq - 0 1"
    );
    assert_eq!(
        found[0].accepted().to_string(),
        "info[suggestion-accepted]: g1: white knight was taken instead of white king because it cures several-white-kings"
    );
}

#[test]
fn a_check_tells_the_side_to_move_of_a_reading() {
    let fields = read("4k3/8/8/8/8/8/4R3/4K3");
    assert_eq!(fields.turn.value, Color::Black);
    assert_eq!(fields.turn.provenance, Provenance::Inferred);
    let diagnostics = check_fields(&fields, &[]);
    assert_eq!(
        diagnostics[0].to_string(),
        "info[turn-inferred]: Black is to move because the black king is in check"
    );
}

#[test]
fn a_dropped_castling_right_is_named_as_the_text_has_it_with_the_corner_it_needs() {
    let dropped = |text: &str, variant| {
        let diagnostics = check_text(text, Some(variant)).diagnostics;
        let mut found = diagnostics.into_iter();
        found.find(|found| found.code == Code::CastlingDropped)
    };
    // Kings and rooks everywhere on the first rank but where kings castle from.
    let places = (0..8u8).flat_map(|king| (0..8u8).map(move |rook| (king, rook)));
    for (king, rook) in places.filter(|&(king, rook)| king != 4 && king != rook) {
        let mut rank = *b"........";
        rank[usize::from(king)] = b'K';
        rank[usize::from(rook)] = b'R';
        let rank = String::from_utf8(rank.to_vec()).unwrap().replace('.', "1");
        for (letter, corner, corner_file) in [("K", "h1", 7), ("Q", "a1", 0)] {
            let white = format!("4k3/8/8/8/8/8/8/{rank} w {letter} - 0 1");
            let rank = rank.to_ascii_lowercase();
            let small = letter.to_ascii_lowercase();
            let black = format!("{rank}/8/8/8/8/8/8/4K3 b {small} - 0 1");
            for (text, letter, corner) in [
                (&white, letter, corner.to_owned()),
                (&black, &small, corner.replace('1', "8")),
            ] {
                let head = format!("castling `{letter}` is dropped: it needs ");
                let standard = dropped(text, Variant::Standard).unwrap();
                assert!(standard.message.starts_with(&head), "{text}: {standard:?}");
                let needs = format!(" rook on {corner};");
                assert!(standard.message.contains(&needs), "{text}: {standard:?}");
                assert_eq!(standard.squares, [corner.parse().unwrap()], "{text}");
                // No king that may castle stands in a corner.
                let is_between = (1..7).contains(&king);
                let is_outside = if corner_file == 7 {
                    rook > king
                } else {
                    rook < king
                };
                let castles = is_between && is_outside;
                match dropped(text, Variant::Chess960) {
                    None => assert!(castles, "{text}"),
                    Some(found) => {
                        assert!(
                            !castles && found.message.starts_with(&head),
                            "{text}: {found:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn pawns_close_to_promotion_do_not_make_a_board_turned_or_its_colours_exchanged() {
    for text in [
        "8/PP5k/8/8/8/8/pp5K/8 w - - 0 1",
        "8/PPPP3k/8/8/8/8/pppp3K/8 w - - 0 1",
        // A king leads its pawns.
        "6K1/PP5k/8/8/8/8/p1p5/1k6 w - - 0 1",
        "8/PP4K1/8/8/8/8/3p1p2/4k3 b - - 0 1",
        // Rooks have got through on both sides.
        "R5k1/1PP5/8/8/8/8/1pp5/r5K1 w - - 0 1",
        "2R3k1/PP3p1p/8/8/8/8/pp3P1P/2r3K1 w - - 0 1",
    ] {
        let diagnostics = check_text(text, None).diagnostics;
        let hints = diagnostics
            .iter()
            .filter(|found| matches!(found.code, Code::UpsideDown | Code::ColorsSwapped));
        assert_eq!(hints.count(), 0, "{text}");
    }
}

#[test]
fn an_epd_is_held_to_the_counters_of_a_fen_and_to_its_semicolons() {
    use img2fen::check::check_epd;
    let board = "4k3/8/8/8/8/8/8/4K3 w - -";
    for (operations, code, position, message) in [
        (
            "hmvc x;",
            Code::CounterSyntax,
            26,
            "halfmove clock: found `x`, expected a whole number from 0 to 4294967295",
        ),
        (
            "fmvn -1;",
            Code::CounterSyntax,
            26,
            "fullmove number: found `-1`, expected a whole number from 0 to 4294967295",
        ),
        (
            "hmvc 5; hmvc 7;",
            Code::EpdSyntax,
            34,
            "operation: `hmvc` is given a second time",
        ),
        (
            "bm Kd1",
            Code::NotCanonical,
            32,
            "the last operation has no `;`",
        ),
    ] {
        let checked = check_epd(&format!("{board} {operations}"), None);
        let found = checked.diagnostics.iter().find(|found| found.code == code);
        let found = found.unwrap_or_else(|| panic!("{operations}: {:#?}", checked.diagnostics));
        assert_eq!(found.message, message, "{operations}");
        assert_eq!(found.position, Some(position), "{operations}");
        assert!(found.hint.is_some(), "{operations}");
    }
    let several = check_epd(&format!("{board} hmvc 99999999999; fmvn x;"), None);
    assert_eq!(several.diagnostics.len(), 2);
    let zero = check_epd(&format!("{board} hmvc 0; fmvn 0;"), None);
    assert_eq!(zero.diagnostics[0].code, Code::FullmoveZero);
}

#[test]
fn move_0_is_named_as_it_stands_and_has_its_cure() {
    let checked = check_text("4k3/8/8/8/8/8/8/4K3 w - - 7 0", None);
    let found = checked.diagnostics.iter();
    let found: Vec<_> = found
        .map(|found| {
            (
                found.code,
                found.message.as_str(),
                found.suggestion.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                Code::HalfmoveTooLarge,
                "the halfmove clock is 7, but only 0 half-moves were played before move 1, as which move 0 is read",
                None
            ),
            (
                Code::FullmoveZero,
                "the fullmove number is 0; it starts at 1",
                Some("4k3/8/8/8/8/8/8/4K3 w - - 7 1")
            ),
        ]
    );
    let checked = check_text("4k3/8/8/8/8/8/8/4K3 b - - 7 1", None);
    assert_eq!(
        checked.diagnostics[0].message,
        "the halfmove clock is 7, but only 1 half-move was played before move 1"
    );
}

#[test]
fn letters_of_another_language_are_translated_once() {
    let usual = "use the English letters `PNBRQK` for White, `pnbrqk` for Black and digits for empty squares";
    let looks = "these look like the pieces' letters of another language: ";
    let end = "; a FEN has the English ones, `PNBRQK` and `pnbrqk`";
    let german = "`t` is `r` in English, `d` is `q` in English, `l` is `b` in English";
    let capitals = "`T` is `R` in English, `S` is `N` in English, `L` is `B` in English, `D` is `Q` in English";
    for (rank, count, hint) in [
        ("tmbdklmt", 6, format!("{looks}{german}{end}")),
        ("TSLDKLST", 7, format!("{looks}{capitals}{end}")),
        ("rnbqkxxr", 2, usual.to_owned()),
        // A slip for a 1.
        ("rnbqkblr", 1, usual.to_owned()),
    ] {
        let text = format!("{rank}/8/8/8/8/8/8/4K3 w - -");
        for checked in [
            check_text(&format!("{text} 0 1"), None),
            check_epd(&format!("{text} id \"a\";"), None),
        ] {
            let found = checked.diagnostics.iter();
            let hints: Vec<_> = found.map(|found| found.hint.as_deref()).collect();
            let mut expected = vec![None; count];
            expected[0] = Some(hint.as_str());
            assert_eq!(hints, expected, "{rank}");
        }
    }
}

#[test]
fn kings_side_by_side_are_said_to_touch() {
    for (text, message) in [
        (
            "8/8/8/4k3/4K3/8/8/8 w - - 0 1",
            "the kings on e4 and e5 touch",
        ),
        (
            "8/8/8/4k2R/5K2/8/8/8 w - - 0 1",
            "the kings on f4 and e5 touch, and the black king is in check from h5",
        ),
    ] {
        let checked = check_text(text, None);
        let found = checked.diagnostics.iter();
        let found: Vec<&str> = found.map(|found| found.message.as_str()).collect();
        assert_eq!(found, [message], "{text}");
        let hint = checked.diagnostics[0].hint.as_deref();
        let cure = "kings never stand side by side; one of them stands on another square";
        assert_eq!(hint, Some(cure));
        assert!(checked.diagnostics[0].suggestion.is_none());
    }
    // A second king elsewhere does not touch.
    let checked = check_text("8/8/8/8/8/kK6/8/6k1 w - - 0 1", None);
    let touching = checked
        .diagnostics
        .iter()
        .find(|d| d.code == Code::OpponentInCheck);
    assert_eq!(touching.unwrap().message, "the kings on a3 and b3 touch");
}

#[test]
fn each_impossible_bishop_is_named_once_and_chess960_is_offered() {
    let cannot_leave = "behind pawns that have not moved";
    for (board, messages) in [
        (
            // A start array of Chess960.
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR",
            vec![
                "the white bishops on a1 and d1 cannot have got",
                "the black bishops on a8 and d8 cannot have got",
            ],
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/B3K3",
            vec!["the white bishop on a1 cannot have got"],
        ),
        (
            "4k3/8/8/8/5B2/8/PPPPPPPP/3BK3",
            vec!["the white bishops on d1 and f4 cannot all have left their home"],
        ),
        (
            "4k3/8/8/8/5B2/8/PPPPPPPP/4K3",
            vec!["the white bishop on f4 cannot have left its home"],
        ),
        (
            "4k3/8/8/8/8/8/PPPPPP1P/B3K3",
            vec!["the white bishop on a1 cannot have got"],
        ),
    ] {
        let text = format!("{board} w - - 0 1");
        let checked = check_text(&text, None);
        let found = checked.diagnostics.iter();
        let found: Vec<&str> = found.map(|found| found.message.as_str()).collect();
        let messages: Vec<String> = messages
            .iter()
            .map(|message| format!("{message} {cannot_leave}"))
            .collect();
        assert_eq!(found, messages, "{text}");
        for found in &checked.diagnostics {
            assert_eq!(found.code, Code::ImpossibleBishop);
            assert!(found.hint.as_ref().unwrap().ends_with("say `--chess960`"));
        }
        let chess960 = check_text(&text, Some(Variant::Chess960));
        assert!(chess960.diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn a_turned_board_is_told_wherever_its_kings_stand_on_their_first_ranks() {
    let boards = [
        "r4rk1/ppp2ppp/2n5/3p4/3P4/5N2/PPP2PPP/R4RK1",
        "r4r1k/ppp2ppp/2n5/3p4/3P4/5N2/PPP2PPP/R4R1K",
        "1k1r3r/ppp2ppp/2n5/3p4/3P4/5N2/PPP2PPP/1K1R3R",
        "k1r4r/ppp2ppp/2n5/3p4/3P4/5N2/PPP2PPP/K1R4R",
        "r4k1r/ppp2ppp/2n5/3p4/3P4/5N2/PPP2PPP/R4K1R",
        "r2k3r/ppp2ppp/2n5/3p4/3P4/5N2/PPP2PPP/R2K3R",
        "r6k/ppp2ppp/2n5/3p4/3P4/5N2/PPP2PPP/R6K",
    ];
    for board in boards {
        let mut ranks: Vec<&str> = board.split('/').collect();
        ranks.reverse();
        let reversed = ranks.join("/");
        let rotated: String = board.chars().rev().collect();
        for turned in [reversed, rotated] {
            let checked = check_text(&format!("{turned} w - - 0 1"), None);
            let is_told = checked
                .diagnostics
                .iter()
                .any(|found| found.code == Code::UpsideDown);
            assert!(is_told, "{turned}: {:?}", checked.diagnostics);
        }
        let sound = check_text(&format!("{board} w - - 0 1"), None);
        assert!(sound.diagnostics.is_empty(), "{:?}", sound.diagnostics);
    }
    for text in [
        "K1R4R/PPP2PPP/5N2/3P4/3p4/2n5/ppp2ppp/k1r4r w - - 0 1",
        "R6K/PPP2PPP/5N2/3P4/3p4/2n5/ppp2ppp/r6k w - - 0 1",
    ] {
        assert_eq!(check_text(text, None).diagnostics[0].code, Code::UpsideDown);
    }
}

#[test]
fn what_is_not_written_as_usual_is_remarked_and_shown_as_usual() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let moved = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let order = "castling rights twice or in an unusual order";
    for (text, code, message, usual) in [
        (
            format!("{start} w qkQKKQ - 0 1"),
            Code::NotCanonical,
            order,
            format!("{start} w KQkq - 0 1"),
        ),
        (
            format!("{start} w kqKQ - 0 1"),
            Code::NotCanonical,
            order,
            format!("{start} w KQkq - 0 1"),
        ),
        (
            format!("{start} w KKQkq - 0 1"),
            Code::NotCanonical,
            order,
            format!("{start} w KQkq - 0 1"),
        ),
        (
            format!("{moved} b KQkq E3 0 1"),
            Code::NotCanonical,
            "a capital letter for the en passant target",
            format!("{moved} b KQkq e3 0 1"),
        ),
        (
            format!("{start} w KQkq - 00 1"),
            Code::NotCanonical,
            "zeros before a counter",
            format!("{start} w KQkq - 0 1"),
        ),
        (
            format!("{start} w KQkq - 0 01"),
            Code::NotCanonical,
            "zeros before a counter",
            format!("{start} w KQkq - 0 1"),
        ),
        (
            format!("{start} w KQkq - - -"),
            Code::MissingField,
            "no halfmove clock, fullmove number; taken as `0 1`",
            format!("{start} w KQkq - 0 1"),
        ),
        (
            format!("{start} w KQkq - 0 -"),
            Code::MissingField,
            "no fullmove number; taken as `1`",
            format!("{start} w KQkq - 0 1"),
        ),
    ] {
        let found = &check_text(&text, None).diagnostics;
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let message = match code {
            Code::NotCanonical => format!("the text has {message}"),
            _ => message.to_owned(),
        };
        assert_eq!(
            (found[0].code, &found[0].message),
            (code, &message),
            "{text}"
        );
        assert_eq!(found[0].suggestion.as_ref(), Some(&usual), "{text}");
    }
    for space in ['\u{a0}', '\t', '\u{2009}', '\u{3000}', '\r'] {
        for place in 0..5 {
            let usual = format!("{start} w KQkq - 0 1");
            let (at, _) = usual.match_indices(' ').nth(place).unwrap();
            let text = format!("{}{space}{}", &usual[..at], &usual[at + 1..]);
            let found = &check_text(&text, None).diagnostics;
            assert_eq!(found.len(), 1, "{text:?}: {found:?}");
            assert_eq!(
                found[0].message,
                "the text has other spaces than plain ones"
            );
            assert_eq!(found[0].suggestion.as_ref(), Some(&usual));
        }
    }
    // Of an EPD too.
    for operations in ["hmvc 007; fmvn 9;", "fmvn 01; hmvc 00;"] {
        let found = &check_epd(&format!("{start} w KQkq - {operations}"), None).diagnostics;
        assert_eq!(found[0].message, "the text has zeros before a counter");
        assert_eq!(found.len(), 1, "{found:?}");
    }
    let spaced = check_epd(&format!("{start}\u{a0}w KQkq - bm e4;"), None);
    assert_eq!(spaced.diagnostics[0].code, Code::NotCanonical);
    for usual in ["KQkq", "HAha", "AHah", "Kq", "-", "HAkq"] {
        let found = &check_text(&format!("{start} w {usual} - 0 1"), None).diagnostics;
        assert!(found.is_empty(), "{usual}: {found:?}");
    }
}
