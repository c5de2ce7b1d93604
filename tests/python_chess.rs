//! Agreement with python-chess: how a move changes the fields, both en passant conventions, the three castling styles,
//! and every verdict of `check` on damaged positions.
//!
//! `tests/python_chess/sample.tsv` is a record of 2,000 positions; `tests/python_chess/positions.py` makes more. Another
//! file is compared with `POSITIONS=FILE cargo test --release --test python_chess`.

use img2fen::check::{Variant, check};
use img2fen::{CastlingStyle, Code, Color, EnPassantStyle, Fen, FenStyle, Piece, Role};

/// Compares a record, and gives the number of positions.
fn compare(record: &str) -> usize {
    let mut position = Fen::start();
    let mut variant = Variant::Standard;
    let mut count = 0;
    for (index, line) in record.lines().enumerate() {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[
            start,
            uci,
            san,
            after,
            en_passant,
            shredder,
            standard,
            damaged,
            faults,
        ] = columns.as_slice()
        else {
            panic!("line {}: {} columns", index + 1, columns.len());
        };
        if !start.is_empty() {
            let chess960 = start.strip_prefix("960 ");
            variant = chess960.map_or(Variant::Standard, |_| Variant::Chess960);
            position = chess960.unwrap_or(start).parse().unwrap();
        }
        let at = format!("line {}: {uci} in {position}", index + 1);
        let played = position
            .parse_move(uci)
            .unwrap_or_else(|error| panic!("{at}: {error}"));
        if variant == Variant::Standard {
            assert_eq!(position.uci(played), uci, "{at}");
        } else {
            assert_eq!(played.to_string(), uci, "{at}");
        }
        if !san.is_empty() {
            assert_eq!(position.san(played).unwrap(), san, "{at}");
            assert_eq!(position.parse_move(san), Ok(played), "{at}");
        }
        position = position.play(played).unwrap();

        // Conventions and styles, written and read.
        assert_eq!(position.to_string(), after, "{at}");
        assert_eq!(after.parse(), Ok(position), "{at}");
        let written = |castling, en_passant| {
            let fen = position
                .display(FenStyle {
                    castling,
                    en_passant,
                })
                .to_string();
            let castling = fen.split(' ').nth(2).unwrap().to_owned();
            let target = fen.split(' ').nth(3).unwrap().to_owned();
            (fen, castling, target)
        };
        let (fen, castling, _) = written(CastlingStyle::Shredder, EnPassantStyle::Always);
        assert_eq!(castling, shredder, "{at}");
        assert_eq!(fen.parse(), Ok(position), "{at}");
        let (_, castling, target) = written(CastlingStyle::Standard, EnPassantStyle::Legal);
        assert_eq!(castling, standard, "{at}");
        assert_eq!(target != "-", en_passant == "1", "{at}");

        // A position of a game has no fault, a damaged one those that python-chess sees.
        // The target after a double step may be left out.
        let untold = Fen {
            en_passant: None,
            ..position
        };
        for sound in [position, untold] {
            assert_eq!(codes(&sound, variant), [], "{at}");
        }
        let broken: Fen = damaged
            .parse()
            .unwrap_or_else(|error| panic!("{at}: {damaged}: {error}"));
        compare_faults(&broken, variant, faults, &format!("{at}: {damaged}"));
        count += 1;
    }
    count
}

fn codes(fen: &Fen, variant: Variant) -> Vec<Code> {
    let diagnostics = check(fen, variant);
    let codes = diagnostics.iter().map(|diagnostic| diagnostic.code);
    // Counters are odd in no position of a game, and the rest is about damage.
    codes.filter(|code| *code != Code::FiftyMoves).collect()
}

fn compare_faults(fen: &Fen, variant: Variant, faults: &str, at: &str) {
    let codes = codes(fen, variant);
    let found = |code| codes.contains(&code);
    let expected = |name| faults.split(',').any(|fault| fault == name);
    let count = |color, role| fen.placement.count(Piece::new(color, role));
    let side = |color| {
        fen.placement
            .pieces()
            .filter(|(_, piece)| piece.color == color)
            .count()
    };

    assert_eq!(found(Code::NoPieces), expected("empty"), "{at}");
    if found(Code::NoPieces) {
        return;
    }
    assert_eq!(found(Code::NoWhiteKing), expected("no-white-king"), "{at}");
    assert_eq!(found(Code::NoBlackKing), expected("no-black-king"), "{at}");
    // python-chess counts the kings of both sides together.
    let kings = Color::ALL.map(|color| count(color, Role::King));
    assert_eq!(kings[0] + kings[1] > 2, expected("too-many-kings"), "{at}");
    assert_eq!(found(Code::SeveralWhiteKings), kings[0] > 1, "{at}");
    assert_eq!(found(Code::SeveralBlackKings), kings[1] > 1, "{at}");
    assert_eq!(
        found(Code::PawnOnBackRank),
        expected("pawns-on-backrank"),
        "{at}"
    );
    let pawns = expected("too-many-white-pawns") || expected("too-many-black-pawns");
    assert_eq!(found(Code::TooManyPawns), pawns, "{at}");
    assert_eq!(
        expected("too-many-white-pawns"),
        count(Color::White, Role::Pawn) > 8,
        "{at}"
    );
    let pieces = expected("too-many-white-pieces") || expected("too-many-black-pieces");
    assert_eq!(found(Code::TooManyPieces), pieces, "{at}");
    assert_eq!(
        expected("too-many-black-pieces"),
        side(Color::Black) > 16,
        "{at}"
    );
    let en_passant = [
        Code::EnPassantRank,
        Code::EnPassantNoPawn,
        Code::EnPassantOccupied,
    ];
    assert_eq!(
        en_passant.into_iter().any(found),
        expected("invalid-ep-square"),
        "{at}"
    );

    // With several kings of a colour, or none, each program looks at another one.
    if kings != [1, 1] {
        return;
    }
    assert_eq!(
        found(Code::CastlingDropped),
        expected("bad-castling-rights") || expected("corner-king"),
        "{at}"
    );
    assert_eq!(
        found(Code::OpponentInCheck),
        expected("opposite-check"),
        "{at}"
    );
    assert_eq!(
        found(Code::TooManyCheckers),
        expected("too-many-checkers"),
        "{at}"
    );
    // python-chess names three checks impossible too; of others it lets pass what no move can give.
    let impossible = expected("impossible-check") || expected("no-last-move");
    assert_eq!(
        found(Code::ImpossibleCheck),
        impossible && !expected("too-many-checkers"),
        "{at}"
    );
}

#[test]
fn a_recorded_sample_of_random_games_agrees() {
    let sample = include_str!("python_chess/sample.tsv");
    assert_eq!(compare(sample), 2000);
}

/// Compares the file that `POSITIONS` names, if it names one.
#[test]
fn another_record_agrees() {
    if let Some(path) = std::env::var_os("POSITIONS") {
        let record = std::fs::read_to_string(&path).unwrap();
        assert!(compare(&record) > 0);
    }
}
