//! Reading and writing positions: the examples of the sources, perft counts of known positions, and properties that
//! hold for any position at all.

use img2fen::position::{Epd, Move};
use img2fen::{
    CastlingRights, CastlingStyle, Color, EnPassantStyle, Fen, FenFields, FenStyle, Piece,
    Placement, Square,
};
use proptest::prelude::*;

#[test]
fn the_examples_of_the_sources_are_read_and_written_as_they_stand() {
    for text in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    ] {
        let fen: Fen = text.parse().unwrap();
        assert_eq!(fen.to_string(), text);
    }
}

#[test]
fn the_target_after_e6_e5_d5_stays_under_both_conventions_and_that_after_e4_only_under_one() {
    let legal = FenStyle {
        en_passant: EnPassantStyle::Legal,
        ..FenStyle::default()
    };
    let text = "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    assert_eq!(
        text.parse::<Fen>().unwrap().display(legal).to_string(),
        text
    );
    let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(
        text.parse::<Fen>().unwrap().display(legal).to_string(),
        text.replace("e3", "-")
    );
}

#[test]
fn a_capture_en_passant_that_opens_a_check_is_not_legal() {
    let legal = FenStyle {
        en_passant: EnPassantStyle::Legal,
        ..FenStyle::default()
    };
    // Both pawns leave the fifth rank, and the rook looks at the king.
    let text = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2";
    assert_eq!(
        text.parse::<Fen>().unwrap().display(legal).to_string(),
        text.replace("d6", "-")
    );
}

#[test]
fn shredder_letters_of_the_sources_are_read_in_either_order() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for castling in ["KQkq", "HAha", "AHah"] {
        let fen: Fen = format!("{board} w {castling} - 0 1").parse().unwrap();
        assert_eq!(fen, Fen::start());
    }
    let shredder = FenStyle {
        castling: CastlingStyle::Shredder,
        ..FenStyle::default()
    };
    assert_eq!(
        Fen::start().display(shredder).to_string(),
        format!("{board} w HAha - 0 1")
    );
}

#[test]
fn what_software_leaves_out_or_adds_is_read() {
    let canonical = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in [
        "r3k2r/8/8/8/8/8/8/R3K2R",
        "r3k2r/8/8/8/8/8/8/R3K2R w",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0",
        "r3k2r/8/8/8/8/8/8/R3K2R W qkQK - - -",
        "  r3k2r/8/8/8/8/8/8/R3K2R\tw  KQkq -   0 1\r\n",
        "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1",
        "r3k2r/8/8/8/53/8/8/R3K11R w KQkq - 0 0",
    ] {
        let fen: Fen = text.parse().unwrap();
        assert_eq!(fen.to_string(), canonical, "{text}");
    }
}

/// Counts the positions after `depth` half-moves.
fn perft(fen: &Fen, depth: u32) -> u64 {
    let moves: Vec<Move> = fen.legal_moves().unwrap();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|played| perft(&fen.play(played).unwrap(), depth - 1))
        .sum()
}

#[test]
fn perft_counts_of_known_positions() {
    // The usual positions of the chess programming community, and two of Chess960.
    for (text, counts) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[20, 400, 8_902, 197_281][..],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2_039, 97_862],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[14, 191, 2_812, 43_238],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9_467],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1_486, 62_379],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2_079, 89_890],
        ),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            &[21, 528, 12_189],
        ),
        (
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            &[21, 807, 18_002],
        ),
    ] {
        let fen: Fen = text.parse().unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&fen, depth), count, "{text}, depth {depth}");
        }
    }
}

fn any_square() -> impl Strategy<Value = Square> {
    (0usize..64).prop_map(|index| Square::from_index(index).unwrap())
}

fn any_piece() -> impl Strategy<Value = Option<Piece>> {
    prop::sample::select(".PNBRQKpnbrqk".chars().collect::<Vec<_>>()).prop_map(Piece::from_letter)
}

/// Any 64 squares: no chess is asked of them.
fn any_placement() -> impl Strategy<Value = Placement> {
    prop::collection::vec(any_piece(), 64).prop_map(|pieces| {
        let mut placement = Placement::EMPTY;
        for (square, piece) in Square::all().zip(pieces) {
            placement.set(square, piece);
        }
        placement
    })
}

fn any_rights() -> impl Strategy<Value = CastlingRights> {
    (any::<u8>(), any::<u8>()).prop_map(|(white, black)| {
        let mut rights = CastlingRights::NONE;
        for file in 0..8 {
            if white >> file & 1 == 1 {
                rights.insert(Color::White, file);
            }
            if black >> file & 1 == 1 {
                rights.insert(Color::Black, file);
            }
        }
        rights
    })
}

fn any_fen() -> impl Strategy<Value = Fen> {
    (
        any_placement(),
        any::<bool>(),
        any_rights(),
        prop::option::of(any_square()),
        any::<u32>(),
        1..=u32::MAX,
    )
        .prop_map(
            |(placement, white, castling, en_passant, halfmove, fullmove)| Fen {
                placement,
                turn: if white { Color::White } else { Color::Black },
                castling,
                en_passant,
                halfmove,
                fullmove,
            },
        )
}

proptest! {
    #[test]
    fn any_64_squares_survive_writing_and_reading(placement in any_placement()) {
        prop_assert_eq!(placement.to_string().parse(), Ok(placement));
    }

    #[test]
    fn any_position_survives_in_the_styles_that_lose_nothing(fen in any_fen()) {
        for castling in [CastlingStyle::Xfen, CastlingStyle::Shredder] {
            let style = FenStyle { castling, ..FenStyle::default() };
            prop_assert_eq!(fen.display(style).to_string().parse(), Ok(fen));
        }
    }

    #[test]
    fn any_position_survives_as_epd_and_json(fen in any_fen(), id in "[^\"\\p{Cc}]{0,20}") {
        let epd = Epd::new(fen).with("id", [id.as_str()]);
        prop_assert_eq!(epd.to_string().parse(), Ok(epd));
        let fields = FenFields::from(fen);
        let json = serde_json::to_string(&fields).unwrap();
        prop_assert_eq!(serde_json::from_str::<FenFields>(&json).unwrap(), fields);
    }

    #[test]
    fn turning_and_swapping_twice_change_nothing(placement in any_placement()) {
        prop_assert_eq!(placement.rotated().rotated(), placement);
        prop_assert_eq!(placement.colors_swapped().colors_swapped(), placement);
    }

    #[test]
    fn any_text_is_read_or_refused_but_never_panics(text in "\\PC{0,80}") {
        let _ = text.parse::<Fen>();
        let _ = text.parse::<Epd>();
        let _ = img2fen::check::check_text(&text, None);
    }

    #[test]
    fn texts_much_like_a_fen_are_read_or_refused_but_never_panic(
        text in "[1-8pnbrqkPNBRQK/]{0,40}[ _][wbx]?[ _][KQkqA-Ha-h-]{0,5}[ _][a-h-]?[1-9]?[ _][0-9-]{0,12} [0-9]{0,3}"
    ) {
        if let Ok(fen) = text.parse::<Fen>() {
            prop_assert_eq!(fen.to_string().parse(), Ok(fen));
        }
        let _ = img2fen::check::check_text(&text, None);
    }

    #[test]
    fn any_position_is_judged_and_its_cures_can_be_read(fen in any_fen()) {
        let checked = img2fen::check::check_text(&fen.to_string(), None);
        for diagnostic in checked.diagnostics {
            if let Some(suggestion) = diagnostic.suggestion {
                prop_assert!(suggestion.parse::<Fen>().is_ok(), "{}", suggestion);
            }
        }
    }
}
