//! What `img2fen eval` counts, held against readings whose faults are known: `testdata/` is read without one, so that
//! every fault here is put into the labels.

mod common;

use std::fs;
use std::path::Path;

use common::{img2fen, stderr, testdata};
use serde_json::{Value, json};

/// The rows of `testdata/MANIFEST.jsonl` by file name.
fn row(name: &str) -> Value {
    let manifest = fs::read_to_string(testdata("MANIFEST.jsonl")).unwrap();
    manifest
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|row| row["file"] == name)
        .unwrap()
}

/// Labels with five faults: of seven boards four are right, one has a wrong square, one is turned, one is not where the
/// labels say; one board has no label, and one picture that shows a board is said to show none.
fn faulty_labels() -> Vec<Value> {
    let right = row("photo.jpg");
    let mut wrong_square = row("printed-page.png");
    wrong_square["boards"][0]["placement"] =
        json!("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1N1");
    let mut turned = row("black-below.png");
    turned["boards"][0]["placement"] = json!("8/2K4R/1P3r2/P1P1P3/p2Pp3/1p1p4/1kp5/8");
    turned["boards"][0]["bottom"] = json!("white");
    let mut elsewhere = row("thumbnail.png");
    elsewhere["boards"][0]["corners"] = json!([[20, 20], [132, 20], [132, 132], [20, 132]]);
    let mut negative = row("screenshot.png");
    negative["boards"] = json!([]);
    let mut other_split = row("turned-by-exif.jpg");
    other_split["split"] = json!("other");
    vec![
        right,
        wrong_square,
        turned,
        elsewhere,
        negative,
        row("table.png"),
        other_split,
    ]
}

fn write_manifest(folder: &Path) -> String {
    let lines: Vec<String> = faulty_labels()
        .into_iter()
        .map(|mut row| {
            if row.get("split").is_none() {
                row["split"] = json!("dev");
            }
            row.to_string()
        })
        .collect();
    let manifest = folder.join("manifest.jsonl");
    fs::write(&manifest, lines.join("\n")).unwrap();
    manifest.to_str().unwrap().to_owned()
}

#[test]
fn every_figure_counts_the_faults_that_the_labels_have() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = write_manifest(folder.path());
    let figures = folder.path().join("figures.json");
    let failures = folder.path().join("failures");
    let output = img2fen(&[
        "eval",
        &manifest,
        "--root",
        testdata("").to_str().unwrap(),
        "--split",
        "dev",
        "--json",
        figures.to_str().unwrap(),
        "--failures",
        failures.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&fs::read(&figures).unwrap()).unwrap();

    let all = &report["all"];
    let share = |name: &str, of: f64| (all[name].as_f64().unwrap() * of).round();
    assert_eq!(all["boards"], 7);
    assert_eq!(share("found", 7.0), 6.0);
    assert_eq!(share("exact", 7.0), 4.0);
    assert_eq!(share("exact_either_way", 7.0), 5.0);
    assert_eq!(share("at_most_one_wrong", 7.0), 5.0);
    // One square of the 64 of each of six boards that were found; a turned board is held against its turned label.
    assert_eq!(all["squares"].as_f64().unwrap(), 1.0 - 1.0 / 384.0);
    assert_eq!(share("orientation_right", 6.0), 5.0);
    let doubtful = report["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|outcome| !outcome["wrong"].is_null() && outcome["doubtful"] == true)
        .count() as f64;
    assert_eq!(share("doubtful", 7.0), doubtful);
    assert_eq!(all["sure"].as_f64().unwrap(), 6.0 - doubtful);

    assert_eq!(report["kinds"]["page"]["boards"], 4);
    assert_eq!(report["kinds"]["page"]["exact"], 0.75);
    assert_eq!(report["negatives"]["pictures"], 2);
    assert_eq!(
        report["negatives"]["with_a_board"],
        json!(["screenshot.png"])
    );
    assert_eq!(report["extra_boards"], 1);
    assert_eq!(report["false_boards"].as_array().unwrap().len(), 2);

    let mut drawn: Vec<String> = fs::read_dir(&failures)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    drawn.sort();
    assert_eq!(
        drawn,
        [
            "black-below_png.png",
            "printed-page_png.png",
            "screenshot_png.png",
            "thumbnail_png.png"
        ]
    );
}

#[test]
fn a_figure_on_the_wrong_side_of_its_limit_is_named_and_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = write_manifest(folder.path());
    let limits = folder.path().join("limits.json");
    let run = |text: &str| {
        fs::write(&limits, text).unwrap();
        let pictures = testdata("");
        let limits = limits.to_str().unwrap();
        img2fen(&[
            "eval",
            &manifest,
            "--root",
            pictures.to_str().unwrap(),
            "--split",
            "dev",
            "--floors",
            limits,
        ])
    };
    let kept = run(r#"{"/all/exact": 0.57, "max /negatives/with_a_board": 1}"#);
    assert_eq!(kept.status.code(), Some(0), "{}", stderr(&kept));
    let missed = run(r#"{"/all/exact": 0.58, "max /negatives/with_a_board": 0}"#);
    assert_eq!(missed.status.code(), Some(1));
    assert!(stderr(&missed).contains("/all/exact is 0.5714, below 0.58"));
    assert!(stderr(&missed).contains("/negatives/with_a_board is 1.0000, above 0"));
    let unknown = run(r#"{"/all/exactly": 0.5}"#);
    assert_eq!(unknown.status.code(), Some(3));
    assert!(stderr(&unknown).contains("no figure `/all/exactly`"));
}
