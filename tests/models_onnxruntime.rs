//! The networks on ONNX Runtime, where it is installed; `IMG2FEN_TEST_ONNXRUNTIME` demands it.

#[path = "common/golden.rs"]
mod golden;

#[test]
fn every_network_gives_its_golden_values_on_onnx_runtime() {
    let result =
        golden::every_network_gives_its_golden_values(img2fen::engine::EngineChoice::OnnxRuntime);
    match result {
        Err(error) if error.kind() == img2fen::ErrorKind::Engine => {
            assert!(
                std::env::var_os("IMG2FEN_TEST_ONNXRUNTIME").is_none(),
                "{error}"
            );
        }
        result => result.unwrap(),
    }
}
