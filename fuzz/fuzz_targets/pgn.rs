//! Any text as PGN: each game has a position or an error, and what was read is written and read back the same.

#![no_main]

use img2fen_fuzz::position::{pgn_games, pgn_positions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let games = pgn_positions(text);
    assert_eq!(games.len(), pgn_games(text).len());
    for game in games.into_iter().flatten() {
        let written = game.to_string();
        let again = pgn_positions(&written);
        assert_eq!(again.len(), 1, "{written}");
        let again = again[0].as_ref().expect("what was written can be read");
        assert_eq!(again.to_string(), written);
    }
});
