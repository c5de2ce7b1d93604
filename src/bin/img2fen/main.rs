//! The img2fen command line program.
fn main() {}
