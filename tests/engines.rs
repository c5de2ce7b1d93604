//! Both engines decide alike: the same squares, and probabilities within 5e-3: rounding
//! may decide which of two proposals of a board is the better one, and its corners then differ by a hair.
//!
//! ONNX Runtime is no part of this project. Where it is not installed the comparison is left out, unless
//! `IMG2FEN_TEST_ONNXRUNTIME` is set, as it is where every change is checked.

mod common;

use common::testdata;
use serde_json::Value;

fn readings(engine: &str) -> Result<Vec<Value>, String> {
    let output = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("img2fen"))
        .args(["--json", "--engine", engine])
        .args(
            [
                "screenshot.png",
                "black-below.png",
                "printed-page.png",
                "photo.jpg",
                "thumbnail.png",
            ]
            .map(testdata),
        )
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.code() == Some(4) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

#[test]
fn tract_and_onnx_runtime_read_the_same() {
    let onnxruntime = match readings("onnxruntime") {
        Ok(readings) => readings,
        Err(reason) if std::env::var_os("IMG2FEN_TEST_ONNXRUNTIME").is_none() => {
            assert!(reason.contains("ONNX Runtime"), "{reason}");
            return;
        }
        Err(reason) => panic!("{reason}"),
    };
    let tract = readings("tract").unwrap();
    assert_eq!(tract.len(), 8);
    assert_eq!(tract.len(), onnxruntime.len());
    for (a, b) in tract.iter().zip(&onnxruntime) {
        assert!(a["engine"].as_str().unwrap().starts_with("tract "));
        assert!(b["engine"].as_str().unwrap().starts_with("onnxruntime "));
        assert_eq!(a["fen"], b["fen"]);
        for (x, y) in a["squares"]
            .as_array()
            .unwrap()
            .iter()
            .zip(b["squares"].as_array().unwrap())
        {
            let (p, q) = (
                x["confidence"].as_f64().unwrap(),
                y["confidence"].as_f64().unwrap(),
            );
            assert!((p - q).abs() < 5e-3, "{x} {y}");
        }
    }
}
