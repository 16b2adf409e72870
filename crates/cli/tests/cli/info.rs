//! The machine's adapters.

use serde_json::Value;

use crate::support::Place;

#[test]
fn adapters_are_listed_for_people_and_for_programs() {
    let place = Place::new();
    let text = place.run(&["info"]).succeeds();
    let json = place.run(&["info", "--json"]).succeeds();
    let list: Vec<Value> = serde_json::from_str(&json.out).expect("JSON");
    assert!(!list.is_empty());
    for adapter in &list {
        for key in ["name", "driver", "kind", "backend", "raster", "tier"] {
            let value = adapter[key].as_str().unwrap_or_else(|| panic!("no {key} in {adapter}"));
            assert!(!value.is_empty(), "{key} of {adapter}");
        }
        assert!(adapter["binding_mib"].as_u64().is_some_and(|size| size >= 128), "{adapter}");
        assert!(text.out.contains(adapter["name"].as_str().expect("a name")));
        assert!(text.out.contains(adapter["tier"].as_str().expect("a tier")));
    }
    assert!(text.out.starts_with("anemone "));
}
