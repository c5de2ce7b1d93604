//! Any text: it is read or refused, what was read is written and read back the same, and judging it does not panic.

#![no_main]

use img2fen_fuzz::check::{Variant, check_text};
use img2fen_fuzz::{CastlingStyle, Fen, FenStyle};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for variant in [None, Some(Variant::Standard), Some(Variant::Chess960)] {
        let checked = check_text(text, variant);
        assert_eq!(checked.fields.is_some(), text.parse::<Fen>().is_ok());
        for diagnostic in checked.diagnostics {
            if let Some(suggestion) = diagnostic.suggestion {
                assert!(suggestion.parse::<Fen>().is_ok(), "{suggestion}");
            }
        }
    }
    if let Ok(fen) = text.parse::<Fen>() {
        for castling in [CastlingStyle::Xfen, CastlingStyle::Shredder] {
            let style = FenStyle {
                castling,
                ..FenStyle::default()
            };
            assert_eq!(fen.display(style).to_string().parse(), Ok(fen));
        }
        if let Ok(moves) = fen.legal_moves() {
            for played in moves {
                assert!(fen.play(played).is_ok());
                assert_eq!(
                    fen.san(played).and_then(|san| fen.parse_move(&san)),
                    Ok(played)
                );
            }
        }
    }
});
