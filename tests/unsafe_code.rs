//! `unsafe` stands in one place: where the library of ONNX Runtime is opened.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

#[test]
fn only_the_file_that_opens_the_engine_has_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut blocks = Vec::new();
    for path in sources(&root.join("src")) {
        let text = fs::read_to_string(&path).unwrap();
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            if line.contains("unsafe {")
                || line.contains("unsafe fn")
                || line.contains("unsafe impl")
            {
                blocks.push(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    assert_eq!(blocks, [Path::new("src/engine.rs"); 3]);
}
