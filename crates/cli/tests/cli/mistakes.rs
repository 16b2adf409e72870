//! Mistakes of the author: where they are, exit code 2, and no file.

use crate::support::{Place, TINY};

/// Nothing is written, and a picture from before stays as it is.
#[track_caller]
fn is_refused(place: &Place, more: &[&str], says: &[&str]) {
    let before = place.files();
    place.render(more).fails_with(says);
    assert_eq!(place.files(), before);
    place.write("x.png", "the old picture");
    place.render(more).fails_with(says);
    assert_eq!(std::fs::read(place.path("x.png")).expect("the old picture"), b"the old picture");
    std::fs::remove_file(place.path("x.png")).expect("the old picture");
}

#[test]
fn a_mistake_in_the_scene_is_shown_where_it_is() {
    let place = Place::with("format = 1\n[sun]\n  elevatoin = 30\n");
    is_refused(&place, &[], &["scene.toml:3:3", "elevatoin", "did you mean `elevation`"]);
    is_refused(&Place::with("[sun\n"), &[], &["scene.toml:1:"]);
    is_refused(&Place::with("[sun]\nelevation = \"high\"\n"), &[], &["scene.toml:2:13", "expected", "-90"]);
    is_refused(&Place::with("format = 99\n"), &[], &["scene.toml:1:10"]);
}

#[test]
fn a_mistake_in_an_override_is_shown_too() {
    let place = Place::with(TINY);
    is_refused(&place, &["--set", "population.gras.count=5"], &["--set:1:", "gras", "grass"]);
    is_refused(&place, &["--set", "population.grass.count=many"], &["--set:1:24", "expected"]);
    is_refused(&place, &["--set", "nonsense"], &["--set"]);
}

#[test]
fn an_unknown_camera_is_answered_with_those_there_are() {
    let place = Place::with(TINY);
    is_refused(&place, &["--camera", "mian"], &["`mian`", "did you mean `main`"]);
    is_refused(&place, &["--camera", "zenith"], &["`zenith`", "main, side"]);
    is_refused(&place, &["--cull-camera", "zenith"], &["`zenith`", "main, side"]);
}

#[test]
fn a_scene_that_is_none() {
    let place = Place::new();
    place.run(&["render", "no.toml", "-o", "x.png"]).fails_with(&["no.toml"]);
    place.run(&["render", ".", "-o", "x.png"]).fails_with(&["."]);
    place.write("junk.toml", [0xff, 0xfe, 0x00]);
    place.run(&["render", "junk.toml", "-o", "x.png"]).fails_with(&["junk.toml:1:1", "UTF-8"]);
    assert_eq!(place.files(), ["junk.toml"]);
}

#[test]
fn a_height_map_that_is_none() {
    let scene = "[ground]\nkind = \"height_map\"\nfile = \"map.png\"\nmetres_per_sample = [10, 10]\n";
    let place = Place::with(scene);
    is_refused(&place, &[], &["scene.toml:3:8", "map.png"]);
    place.write("map.png", "no picture");
    is_refused(&place, &[], &["scene.toml:3:8", "map.png"]);
    place.write("map.png", "");
    is_refused(&place, &[], &["scene.toml:3:8", "map.png"]);
    place.write("map.png", png_of(png::ColorType::Rgb, png::BitDepth::Eight, &[0; 4 * 4 * 3]));
    is_refused(&place, &[], &["scene.toml:3:8", "map.png", "16"]);
    let whole = png_of(png::ColorType::Grayscale, png::BitDepth::Sixteen, &[1; 4 * 4 * 2]);
    place.write("map.png", &whole[..whole.len() - 20]);
    is_refused(&place, &[], &["scene.toml:3:8", "map.png"]);
    place.write("map.png", &whole);
    place.render(&["--set", "population.meadow.density=20"]).succeeds();
}

/// A picture of 4 × 4 pixels.
fn png_of(color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 4, 4);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(data).expect("the data");
    writer.finish().expect("the end");
    bytes
}

#[test]
fn a_mesh_that_is_none() {
    let place = Place::with("[ground]\nkind = \"mesh\"\nfile = \"m.glb\"\n[population.fur]\ncount = 100\n");
    is_refused(&place, &[], &["scene.toml:3:8", "m.glb"]);
    for junk in [&b""[..], b"junk", b"glTF\x02\0\0\0\xff\xff\xff\xff", b"{\"asset\": {\"version\": \"2.0\"}}"] {
        place.write("m.glb", junk);
        is_refused(&place, &[], &["scene.toml:3:8", "m.glb"]);
    }
}

#[test]
fn more_blades_than_the_adapter_holds() {
    let place = Place::with("[ground]\nkind = \"plane\"\n");
    let info = place.run(&["info", "--json"]).succeeds();
    let list: serde_json::Value = serde_json::from_str(&info.out).expect("JSON");
    let holds = list[0]["binding_mib"].as_u64().expect("a number") << 20;
    let most = 1_u64 << 25;
    if holds >= 32 * most {
        eprintln!("SKIPPED: this adapter holds as many bodies as a scene may have");
        return;
    }
    let set = format!("population.meadow.count={most}");
    is_refused(&place, &["--set", &set, "--set", "population.meadow.side=1000"], &["33554432 bodies", "MiB", "lower"]);
    // Of two, the larger one is named, and where it is written.
    place.write("scene.toml", format!("[population.few]\ncount = 10\n[population.many]\ncount = {most}\n"));
    is_refused(&place, &[], &["population.many: 33554442 bodies", "--> scene.toml:3:13"]);
}

#[test]
fn a_place_where_no_picture_can_be_written() {
    let place = Place::with(TINY);
    for (output, says) in [
        ("no/folder/x.png", "no/folder/x.png"),
        (".", ".png"),
        ("x.jpg", "ends in .png"),
        ("x", "ends in .png"),
        ("", "--output"),
        ("scene.toml/x.png", "scene.toml/x.png"),
    ] {
        place.render(&["-o", output]).fails_with(&[says]);
    }
    std::fs::create_dir(place.path("folder.png")).expect("a folder");
    place.render(&["-o", "folder.png"]).fails_with(&["folder.png", "a folder"]);
    assert_eq!(place.files(), ["folder.png", "scene.toml"]);
    assert!(place.path("folder.png").read_dir().expect("a folder").next().is_none());
}
