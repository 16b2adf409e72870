//! Measurements.

use serde_json::Value;

use crate::support::{Place, TINY};

fn bench(place: &Place, more: &[&str]) -> Value {
    let start = ["bench", "scene.toml", "--json", "--frames", "2", "--size", "64x36"];
    let ran = place.run(&[&start[..], more].concat()).succeeds();
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out))
}

#[test]
fn json_has_what_a_figure_needs() {
    let place = Place::with(TINY);
    let result = bench(&place, &[]);
    assert!(result["frame_ms"].as_f64().is_some_and(|time| time > 0.0 && time < 60_000.0), "{result}");
    let passes = result["passes"].as_object().expect("passes");
    assert!(["raster", "shade"].iter().all(|start| passes.keys().any(|name| name.starts_with(start))), "{result}");
    assert!(passes.values().all(|time| time.as_f64().is_some_and(|time| time >= 0.0)), "{result}");
    let whole = |key: &str| result[key].as_u64().unwrap_or_else(|| panic!("no {key} in {result}"));
    assert_eq!(whole("stored"), 2000);
    assert!(whole("visible") > 0 && whole("visible") <= whole("tested") && whole("tested") <= whole("stored"));
    assert!(whole("primitives") >= whole("visible"));
    assert!((1..=64 * 36).contains(&whole("covered_pixels")));
    assert_eq!(whole("bytes_per_body"), 32);
    assert!(whole("bytes_in_all") > 32 * 2000);
    assert_eq!(whole("dropped"), 0);
    assert!(result["adapter"].as_str().is_some_and(|name| !name.is_empty()));
    assert_eq!(result["size"], serde_json::json!([64, 36]));
    assert_eq!(place.files(), ["scene.toml"]);
}

#[test]
fn culls_leave_bodies_out() {
    let place = Place::with(TINY);
    let visible = |result: &Value| result["visible"].as_u64().expect("a number");
    let away = ["--set", "camera.main.position=[0, 1, 4]", "--set", "camera.main.look_at=[0, 1, 9]"];
    let all = "population.grass.cull={frustum=false, distance=false, facing=false, occlusion=false}";
    let seen = bench(&place, &[]);
    let behind = bench(&place, &away);
    let uncull = bench(&place, &["--set", all]);
    assert_eq!(behind["covered_pixels"], 0, "{behind}");
    assert!(visible(&behind) < visible(&seen), "{behind}");
    assert!(visible(&uncull) >= visible(&seen), "{uncull}");
    assert_eq!(uncull["tested"], 2000, "{uncull}");
}

#[test]
fn people_get_words() {
    let place = Place::with(TINY);
    let ran = place.run(&["bench", "scene.toml", "--frames", "1", "--size", "32x18"]).succeeds();
    for word in ["adapter", "32×18", "frame", "2000 stored", "covered", "32 bytes a body"] {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
}

/// One that a device cannot draw at once is refused before anything is measured.
#[test]
fn pictures_too_large_are_answered() {
    let place = Place::with(TINY);
    for size in ["16384x16384", "16384x1"] {
        let ran = place.run(&["bench", "scene.toml", "--frames", "1", "--size", size]);
        if ran.code == Some(0) {
            eprintln!("SKIPPED: this adapter draws {size} pixels at once");
            continue;
        }
        ran.fails_with(&["cannot be measured", "a smaller --size"]);
    }
}

#[test]
fn mistakes_are_answered() {
    let place = Place::with("[sun]\nelevatoin = 3\n");
    place.run(&["bench", "scene.toml"]).fails_with(&["scene.toml:2:1"]);
    place.run(&["bench", "none.toml", "--json"]).fails_with(&["none.toml"]);
}
