//! The species of grass.

use crate::support::Place;

#[test]
fn presets_are_listed_a_line_each() {
    let place = Place::new();
    let list = place.run(&["presets"]).succeeds();
    let lines: Vec<&str> = list.out.lines().collect();
    assert_eq!(lines.len(), 13, "{}", list.out);
    let fescue = lines.iter().find(|line| line.starts_with("fescue ")).expect("fescue is listed");
    for part in ["red fescue", " 12000 blades/m²", "0.12 to 0.35 m"] {
        assert!(fescue.contains(part), "{fescue}");
    }
    assert!(lines.iter().all(|line| line.chars().count() <= 120), "{}", list.out);
}

#[test]
fn a_printed_preset_is_a_scene() {
    let place = Place::new();
    let text = place.run(&["presets", "marram"]).succeeds().out;
    assert!(text.starts_with("[population.marram]\n# Marram grass"), "{text}");
    std::fs::write(place.path("scene.toml"), text).expect("the scene can be written");
    let arguments = ["render", "scene.toml", "-o", "x.png", "--size=8x8", "--samples=1", "-q"];
    place.run(&[&arguments[..], &["--set=population.marram.density=10"]].concat()).succeeds();
}

#[test]
fn an_unknown_preset_is_a_mistake() {
    Place::new().run(&["presets", "moss"]).fails_with(&["moss", "fescue", "marram"]);
}
