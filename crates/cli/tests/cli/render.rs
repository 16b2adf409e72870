//! Pictures.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{Picture, Place, TINY};

#[test]
fn a_picture_is_written_and_what_was_done_is_said() {
    let place = Place::with(TINY);
    let ran = place.render(&[]).succeeds();
    assert_eq!(place.picture("x.png").size, [64, 36]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "x.png");
    assert!(lines[1].starts_with("adapter ") && lines[1].len() > 12, "{ran:?}");
    assert!(lines[2].starts_with("bodies ") && lines[2].contains("2000 stored"), "{ran:?}");
    assert!(lines[3].contains("64×36") && lines[3].contains("1 sample,"), "{ran:?}");
    assert!(lines[3].ends_with(" s"), "{ran:?}");
    assert_eq!(place.files(), ["scene.toml", "x.png"]);
}

#[test]
fn quiet_prints_nothing() {
    let place = Place::with(TINY);
    let ran = place.render(&["--quiet"]).succeeds();
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    assert_eq!(place.picture("x.png").size, [64, 36]);
}

/// The picture shows sky above and grass below, whatever the scene leaves out.
#[test]
fn an_empty_scene_is_a_good_picture() {
    let place = Place::with("");
    let ran = place.render(&["--size", "160x90", "--samples", "2"]).succeeds();
    assert!(!ran.out.contains("warning") && !ran.err.contains("warning"), "{ran:?}");
    let picture = place.picture("x.png");
    let [red, green, blue] = picture.mean(0.0, 0.15);
    assert!(blue > red && blue > 100.0, "sky {:?}", [red, green, blue]);
    let [red, green, blue] = picture.mean(0.6, 1.0);
    assert!(green > 1.03 * red && green > 1.2 * blue && green > 20.0, "grass {:?}", [red, green, blue]);
    // No flat surface: blades tell themselves apart.
    let mut colours = picture.pixels[picture.pixels.len() / 2..].to_vec();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() > 500, "{} colours", colours.len());
}

/// A picture so flat that it would look half round is refused, however it comes to be; a wide one is not.
#[test]
fn a_picture_far_too_wide_is_refused() {
    let place = Place::with(TINY);
    let said = place.render(&["--size", "4000x1"]).fails_with(&["4000×1", "178°", "less wide"]);
    assert!(said.out.is_empty(), "{said:?}");
    place.render(&["--size", "160x40", "--set", "camera.main.fov=150"]).succeeds();
}

/// What moves while the shutter is open is blurred: the picture keeps its light and loses contrast.
#[test]
fn an_open_shutter_blurs_what_moves() {
    let place = Place::with(&format!("{TINY}\n[wind.gusts]\nkind = 'fbm'\nspeed = 9\nwavelength = 3\n"));
    let take = |more: &[&str]| {
        place.render(&[&["--samples", "8", "--size", "96x54"], more].concat()).succeeds();
        place.picture("x.png")
    };
    let contrast = |pixels: &[[u8; 3]]| -> f64 {
        let steps = pixels.windows(2).map(|pair| (f64::from(pair[0][1]) - f64::from(pair[1][1])).powi(2));
        steps.sum::<f64>() / pixels.len() as f64
    };
    let (still, none, open) = (take(&[]), take(&["--shutter", "0"]), take(&["--shutter", "0.5"]));
    assert!(still.pixels == none.pixels, "no time is no blur");
    let (sharp, blurred) = (contrast(&still.pixels), contrast(&open.pixels));
    assert!(blurred < 0.9 * sharp, "{blurred} and {sharp}");
    let (before, after) = (still.mean(0.5, 1.0)[1], open.mean(0.5, 1.0)[1]);
    assert!((after / before - 1.0).abs() < 0.1, "{after} and {before}");
}

#[test]
fn the_same_call_gives_the_same_bytes_and_so_does_the_narrow_raster() {
    let place = Place::with(TINY);
    let bytes = |more: &[&str]| {
        place.render(more).succeeds();
        std::fs::read(place.path("x.png")).expect("a picture")
    };
    let first = bytes(&["--samples", "3"]);
    assert!(first == bytes(&["--samples", "3"]));
    assert!(first == bytes(&["--samples", "3", "--narrow"]));
}

#[test]
fn each_option_changes_what_it_names() {
    let place = Place::with(TINY);
    let picture = |more: &[&str]| {
        place.render(more).succeeds();
        place.picture("x.png")
    };
    let plain = picture(&[]);
    assert_ne!(plain, picture(&["--camera", "side"]));
    assert_ne!(plain, picture(&["--time", "1.5"]));
    assert_ne!(plain, picture(&["--samples", "4"]));
    assert_ne!(plain, picture(&["--set", "population.grass.height=[0.1, 0.2]"]));
    assert_eq!(picture(&["--size", "17x3"]).size, [17, 3]);
    assert_eq!(picture(&["--size", "1x1"]).size, [1, 1]);
    let fewer = place.render(&["--set", "population.grass.count=500"]).succeeds();
    assert!(fewer.out.contains("500 stored"), "{fewer:?}");
    // The scene's own words count where the command line is silent.
    let scene = format!("{TINY}[render]\nsize = [20, 10]\nsamples = 1\ncamera = \"side\"\n");
    place.write("scene.toml", scene);
    place.run(&["render", "scene.toml", "-o", "own.png"]).succeeds();
    assert_eq!(place.picture("own.png").size, [20, 10]);
}

#[test]
fn an_adapter_is_found_by_part_of_its_name() {
    let place = Place::with(TINY);
    let ran = place.render(&[]).succeeds();
    let name = ran.out.lines().find_map(|line| line.strip_prefix("adapter ")).expect("an adapter").trim();
    let word = name.split_whitespace().next().expect("a name").to_uppercase();
    place.render(&["--adapter", &word]).succeeds();
    place.write("x.png", "old");
    let ran = place.render(&["--adapter", "no such adapter"]).fails_with(&["no such adapter", "there are:"]);
    let known = name.split(" (").next().expect("a name");
    assert!(ran.err.contains(known), "{known} is not in {ran:?}");
    assert_eq!(std::fs::read(place.path("x.png")).expect("the old file"), b"old");
}

/// Samples are counted as samples where a picture is drawn in several parts.
#[test]
fn progress_counts_samples_and_parts() {
    let place = Place::with(TINY);
    let info = place.run(&["info", "--json"]).succeeds();
    let list: serde_json::Value = serde_json::from_str(&info.out).expect("JSON");
    let pixels = (list[0]["binding_mib"].as_u64().expect("a number") << 20) / 16;
    let parts = (4096 * 4096_u64).div_ceil(pixels);
    let arguments = ["render", "scene.toml", "-o", "x.png", "--size", "4096x4096", "--samples", "65536"];
    let mut command = place.command(&arguments);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("anemone");
    let mut line = String::new();
    let read = BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line);
    child.kill().and_then(|()| child.wait()).expect("anemone");
    read.expect("a line");
    assert!(line.starts_with("sample ") && line.contains(" of 65536"), "{line}");
    assert_eq!(line.contains(&format!(", part 1 of {parts}, ")), parts > 1, "{line}");
    assert!(line.ends_with(" left\n"), "{line}");
}

/// A scene may come through a pipe that is open already.
#[test]
fn standard_input_may_be_a_scene() {
    let place = Place::new();
    let mut command = place.command(&["render", "/dev/stdin", "-o", "x.png", "--size", "8x8", "--samples", "1"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("anemone");
    child.stdin.take().expect("a pipe").write_all(TINY.as_bytes()).expect("a scene");
    assert!(child.wait().expect("anemone").success());
    assert_eq!(place.picture("x.png").size, [8, 8]);
}

#[test]
fn triangles_that_are_left_out_are_told() {
    let place = Place::with("[ground]\nfile = \"m.gltf\"\n[population.fur]\ncount = 100\n");
    // A square of two triangles, and one whose corners lie in a line.
    let corners: [[f32; 3]; 5] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [2.0, 0.0, 0.0]];
    let indices: [u8; 9] = [0, 2, 1, 0, 3, 2, 0, 1, 4];
    let bytes = corners.as_flattened().iter().flat_map(|part| part.to_le_bytes()).chain(indices).collect::<Vec<u8>>();
    place.write("m.bin", bytes);
    place.write(
        "m.gltf",
        r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "buffers": [{"uri": "m.bin", "byteLength": 69}],
            "bufferViews": [{"buffer": 0, "byteLength": 60}, {"buffer": 0, "byteOffset": 60, "byteLength": 9}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3",
                 "min": [0, 0, 0], "max": [2, 0, 1]},
                {"bufferView": 1, "componentType": 5121, "count": 9, "type": "SCALAR"}]}"#,
    );
    let ran = place.render(&[]).succeeds();
    assert!(ran.err.contains("note: 1 of 3 triangles") && ran.err.contains("--> scene.toml:2:8"), "{ran:?}");
    assert_eq!(place.render(&["--quiet"]).succeeds().err, "");
}

#[test]
fn ground_that_is_too_steep_for_grass_is_told() {
    let place = Place::with(
        "[ground]\nfile = \"map.png\"\nmetres_per_sample = [10, 10]\n[population.lawn]\ndensity = 0.1\nheight = [0.1, 0.2]\n",
    );
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 5, 5);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a header");
    // 50 m up in 10 in one column of four.
    writer.write_image_data(&[0, 50, 50, 50, 50].repeat(5)).expect("the rows");
    drop(writer);
    place.write("map.png", bytes);
    let ran = place.render(&[]).succeeds();
    assert!(ran.err.contains("note: 25 % of the height map is steeper than 3:1"), "{ran:?}");
    assert!(ran.err.contains("--> scene.toml:2:8"), "{ran:?}");
}

/// The scene that the README shows can be drawn.
#[test]
fn the_scene_of_the_readme_is_drawn() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a folder");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    let scene = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a scene");
    let place = Place::with(scene);
    std::os::unix::fs::symlink(root.join("assets"), place.path("assets")).expect("a link");
    let ran = place.render(&[]).succeeds();
    // A busy machine takes long enough to tell how far it is.
    let said: Vec<&str> = ran.err.lines().filter(|line| !line.starts_with("sample ")).collect();
    assert!(said.is_empty(), "{said:?}");
    let picture = place.picture("x.png");
    let [red, green, blue] = picture.mean(0.6, 1.0);
    assert!(green > 1.03 * red && green > 1.2 * blue && green > 20.0, "grass {:?}", [red, green, blue]);
}

#[test]
fn obstacles_leave_their_traces() {
    let place = Place::with(TINY);
    let picture = |scene: &str| {
        place.write("scene.toml", scene);
        place.render(&[]).succeeds();
        place.picture("x.png")
    };
    let ball = "[collider.ball]\nkind = \"sphere\"\nradius = 0.6\nposition = [0, 0.3, 0]\n";
    // Without time to settle too, for what stands in an obstacle is pressed at once.
    for settle in ["[render]\nsettle = 0.5\n", "[render]\nsettle = 0\n"] {
        let [free, pressed] = ["", ball].map(|ball| picture(&format!("{TINY}{settle}{ball}")));
        let changed = free.pixels.iter().zip(&pressed.pixels).filter(|(a, b)| a != b).count();
        assert!(changed > 150, "{settle}: {changed} of {} pixels", free.pixels.len());
    }
}

/// Two stills a moment apart show nearly the same, also where the wind's speed has changed since time 0: the gusts have come as
/// far as the wind has blown, not as far as its present speed would have carried them.
#[test]
fn gusts_of_a_wind_that_freshens_go_on_from_still_to_still() {
    let calm = TINY.replace("speed = 12", "speed = 0");
    let gusts = "[wind.gusts]\nkind = 'fbm'\nspeed = [[49, 1], [51, 21]]\nwavelength = 2\noctaves = 1\nalong = 0.8\n";
    let place = Place::with(&format!("{calm}{gusts}"));
    let at = |time: &str| {
        place.render(&["--time", time]).succeeds();
        place.picture("x.png")
    };
    let [first, next, later] = ["50", "50.004", "51"].map(at);
    let apart = |other: &Picture| -> f64 {
        let off = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).map(|i| f64::from(a[i].abs_diff(b[i]))).sum::<f64>();
        first.pixels.iter().zip(&other.pixels).map(off).sum()
    };
    assert!(apart(&next) < 0.5 * apart(&later), "{} after 4 ms and {} after a second", apart(&next), apart(&later));
}
