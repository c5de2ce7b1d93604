//! What the tests of the program share.

use std::path::{Path, PathBuf};
use std::process::Output;

/// A file of `testdata/`.
#[allow(dead_code, reason = "not every test needs it")]
pub fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

/// Runs the program with the engine that is built in.
#[allow(dead_code, reason = "not every test needs it")]
pub fn img2fen(arguments: &[&str]) -> Output {
    img2fen_with_input(arguments, b"")
}

/// Runs the program with bytes on standard input.
pub fn img2fen_with_input(arguments: &[&str], input: &[u8]) -> Output {
    assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .args(["--engine", "tract"])
        .args(arguments)
        .write_stdin(input)
        .output()
        .expect("the program runs")
}

/// Standard output as text.
#[allow(dead_code, reason = "not every test needs it")]
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Standard error as text.
#[allow(dead_code, reason = "not every test needs it")]
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}
