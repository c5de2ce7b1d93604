//! The contract between training and reading: each network gives the values that its training wrote down.

use std::path::Path;

use img2fen::engine::{EngineChoice, EngineOptions, Network, start};
use ndarray::{ArrayD, IxDyn};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    input_shape: Vec<usize>,
    output_shape: Vec<usize>,
    indices: Vec<usize>,
    expected: Vec<f32>,
    tolerance: f32,
}

/// Runs every network that has golden values on an engine; the input is sin(0.01 i) over its flattened values.
pub fn every_network_gives_its_golden_values(choice: EngineChoice) -> img2fen::Result<()> {
    start(&EngineOptions {
        choice,
        library: None,
    })?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix(".golden.json") else {
            continue;
        };
        let golden: Golden =
            serde_json::from_slice(&std::fs::read(folder.join(&name)).unwrap()).unwrap();
        let bytes = std::fs::read(folder.join(format!("{stem}.onnx"))).unwrap();
        let network = Network::load("golden", bytes.leak())?;
        let count: usize = golden.input_shape.iter().product();
        let values = (0..count)
            .map(|index| (index as f32 * 0.01).sin())
            .collect();
        let input = ArrayD::from_shape_vec(IxDyn(&golden.input_shape), values).unwrap();
        let output = network.run(&input)?;
        assert_eq!(output.shape(), golden.output_shape, "{stem}");
        let output: Vec<f32> = output.into_iter().collect();
        assert!(golden.indices.len() >= output.len().min(9), "{stem}");
        for (&index, &expected) in golden.indices.iter().zip(&golden.expected) {
            let difference = (output[index] - expected).abs();
            assert!(
                difference < golden.tolerance,
                "{stem}[{index}]: {} not {expected}",
                output[index]
            );
        }
        names.push(stem.to_owned());
    }
    names.sort();
    assert_eq!(
        names,
        [
            "coordinates",
            "locator",
            "orientation_prior",
            "refiner",
            "second_opinion",
            "squares",
            "third_opinion"
        ]
    );
    Ok(())
}
