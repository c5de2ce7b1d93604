//! Puts the SHA-256 of each embedded network into the environment of the compiler, so that readings can name them
//! without hashing megabytes at every start.

use std::fmt::Write;

use sha2::{Digest, Sha256};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in [
        "locator",
        "refiner",
        "squares",
        "coordinates",
        "orientation_prior",
        "second_opinion",
        "third_opinion",
    ] {
        let path = format!("models/{name}.onnx");
        println!("cargo::rerun-if-changed={path}");
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let digest = Sha256::digest(&bytes)
            .iter()
            .fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            });
        println!(
            "cargo::rustc-env=IMG2FEN_{}_SHA256={digest}",
            name.to_uppercase()
        );
    }
}
