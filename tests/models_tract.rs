//! The networks on the engine that is built in.

#[path = "common/golden.rs"]
mod golden;

#[test]
fn every_network_gives_its_golden_values_on_tract() {
    golden::every_network_gives_its_golden_values(img2fen::engine::EngineChoice::Tract).unwrap();
}
