//! What moves in a scene: curves as an author writes them, cameras, obstacles.

#![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

use std::path::Path;

use anemone_scene::{Scene, parse};

fn scene(text: &str) -> Scene {
    parse::<&str>("scene.toml", text, Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refuses(text: &str, says: &[&str]) {
    let error = parse::<&str>("scene.toml", text, Path::new(""), &[]).expect_err(text).to_string();
    for part in says {
        assert!(error.contains(part), "`{part}` is not in\n{error}");
    }
}

#[test]
fn numbers_colours_and_vectors_may_change_over_time() {
    let scene = scene(
        "[sun]\nelevation = [[0, 10], [10, 30]]\ncolor = [[0, '#ffffff'], [2, [1, 0, 0]]]\n\
         [wind.a]\nkind = 'constant'\nvelocity = { keys = [[0, 1, 0, 0], [4, 3, 0, 0]], ends = 'mirror' }\n\
         [wind.b]\nspeed = { keys = [[0, 2], [1, 4]], between = 'smooth' }\ntoward = [[0, 0], [2, 90]]\n\
         [render]\nexposure = [[1, 0], [2, 1]]\n",
    );
    assert_eq!(scene.sun.elevation.value(5.0), 20.0);
    assert_eq!(scene.sun.color.at(1.0), [1.0, 0.5, 0.5]);
    assert_eq!([0.0, 1.5, 9.0].map(|time| scene.render.exposure.value(time)), [0.0, 0.5, 1.0]);
    let world = scene.world(0.0).unwrap();
    let velocity = |time: f64, index: usize| match scene.wind_at(time, &world).sources[index].kind {
        anemone::field::wind::Kind::Constant { velocity } | anemone::field::wind::Kind::Gusts { velocity, .. } => {
            velocity
        }
        _ => panic!("another kind"),
    };
    assert_eq!([velocity(2.0, 0).x, velocity(6.0, 0).x, velocity(8.0, 0).x], [2.0, 2.0, 1.0]);
    // Half-way of a smooth rise is half of it; a quarter of the way, at rest at its start, less.
    assert!((velocity(0.5, 1).length() - 3.0).abs() < 1e-5 && velocity(0.25, 1).length() < 2.4);
    assert!((velocity(1.0, 1).x - velocity(1.0, 1).z.abs()).abs() < 1e-5, "half of a quarter turn");
    assert_eq!(scene.wind_at(0.0, &world).sources[1].name, "b");
}

#[test]
fn mistakes_in_curves_are_told_at_their_place() {
    refuses("[sun]\nelevation = [[0, 10], [0, 30]]", &["scene.toml:2", "not later", "[[time, value], …]"]);
    refuses("[sun]\nelevation = [[0, 10], [1, 91]]", &["`elevation` is too large: `91`", "-90 to 90 degrees"]);
    refuses("[sun]\nelevation = [[0, 10], [1]]", &["without a value"]);
    refuses("[sun]\nelevation = [[0, 10], 5]", &["each a list"]);
    refuses("[sun]\nelevation = [['now', 10]]", &["`time` must be a number"]);
    refuses("[sun]\nelevation = { between = 'smooth' }", &["needs `keys`"]);
    refuses("[sun]\nelevation = { keys = [[0, 1]], betwen = 'smooth' }", &["no `betwen`", "did you mean `between`"]);
    refuses("[sun]\nelevation = { keys = [[0, 1]], ends = 'stop' }", &["\"hold\", \"repeat\", \"mirror\""]);
    refuses("[sun]\nelevation = { keys = [] }", &["needs a key"]);
    refuses("[wind.a]\nvelocity = [[0, 1, 2]]", &["a key of 3 elements, not 4"]);
    refuses("[camera.main]\nkey = 3", &["must be a list of tables", "[[camera.main.key]]"]);
    refuses("[[camera.main.key]]\nposition = [0, 1, 2]", &["a key needs its `time`"]);
    refuses("[[camera.main.key]]\ntime = 1\n[[camera.main.key]]\ntime = 1", &["not later"]);
    refuses(
        "[[camera.main.key]]\ntime = 1\npitch = 0\n[[camera.main.key]]\ntime = 2\nlook_at = [0, 0, 0]",
        &["not at both"],
    );
    refuses("[camera.main]\nconstant_speed = true", &["for a camera that moves"]);
    refuses("[[camera.main.key]]\ntime = 1\nroll = 3", &["no `roll`"]);
}

#[test]
fn a_camera_moves_through_its_keys() {
    let text = "[ground]\nkind = 'plane'\n[camera.main]\nbetween = 'linear'\nposition = [0, 2, 0]\nfov = 40\n\
         [[camera.main.key]]\ntime = 1\nheading = 0\n[[camera.main.key]]\ntime = 2\nfov = 60\n\
         [[camera.main.key]]\ntime = 3\nheading = 720\nposition = [9, 2, 0]\n";
    let scene = scene(text);
    let world = scene.world(0.0).unwrap();
    let camera = |time| scene.camera_at(&scene.cameras["main"], time, &world);
    // One place alone is held, and so is one angle.
    assert_eq!(camera(0.0).eye, camera(99.0).eye);
    assert_eq!(camera(1.5).eye.to_array(), [9.0, 2.0, 0.0]);
    assert!((camera(2.5).fov.to_degrees() - 60.0).abs() < 1e-4);
    // Two turns in two seconds: after half a second it looks west.
    assert!((camera(1.25).forward.z - -camera(1.25).forward.z.abs()).abs() < 1e-6, "a quarter turn is north");
    assert!(camera(1.5).forward.x < -0.9, "{}", camera(1.5).forward);
}

/// A circle of four keys at uneven times, at one speed: the eye moves the same way in the same time, everywhere.
#[test]
fn a_constant_speed_is_constant() {
    let keys: String = [(0.0, [1, 0]), (1.0, [0, 1]), (4.0, [-1, 0]), (4.5, [0, -1]), (8.0, [1, 0])]
        .iter()
        .map(|(time, [x, z])| format!("[[camera.main.key]]\ntime = {time}\nposition = [{}, 1, {}]\n", 10 * x, 10 * z))
        .collect();
    let text = |speed: bool| {
        format!("[ground]\nkind = 'plane'\n[camera.main]\nends = 'repeat'\nconstant_speed = {speed}\npitch = 0\n{keys}")
    };
    let spread = |speed: bool| {
        let scene = scene(&text(speed));
        let world = scene.world(0.0).unwrap();
        let eye = |time| scene.camera_at(&scene.cameras["main"], time, &world).eye;
        let steps: Vec<f64> =
            (0..160).map(|i| eye(0.05 * f64::from(i)).distance(eye(0.05 * f64::from(i + 1)))).collect();
        assert!(eye(0.0).distance(eye(8.0)) < 1e-9 && eye(3.0).distance(eye(11.0)) < 1e-9, "it closes");
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        steps.iter().map(|step| (step / mean - 1.0).abs()).fold(0.0, f64::max)
    };
    assert!(spread(true) < 0.01, "{}", spread(true));
    assert!(spread(false) > 0.5, "{}", spread(false));
}

/// Looking straight down, the heading says what is above in the picture, as just before.
#[test]
fn straight_down_is_the_end_of_nearly_down() {
    for (pitch, nearly) in [(-90.0, -89.9), (90.0, 89.9)] {
        for heading in [0.0, 90.0, 215.0] {
            let axes = |pitch: f64| {
                let scene =
                    scene(&format!("[ground]\nkind = 'plane'\n[camera.main]\nheading = {heading}\npitch = {pitch}\n"));
                let world = scene.world(0.0).unwrap();
                scene.camera_at(&scene.cameras["main"], 0.0, &world).axes()
            };
            for (exact, near) in axes(pitch).iter().zip(axes(nearly)) {
                assert!(exact.distance(near) < 0.01, "heading {heading}, pitch {pitch}: {exact} and {near}");
            }
        }
    }
}

/// An obstacle that starts its path again does not sweep from the end to the start.
#[test]
fn an_obstacle_that_starts_again_keeps_its_speed() {
    let scene = scene(
        "[ground]\nkind = 'plane'\n[collider.a]\npath = [[0, -4, 0.3, 0], [1.5, 0, 0.3, 4], [3, 4, 0.3, 0]]\nrepeat = true\n",
    );
    let world = scene.world(0.0).unwrap();
    for index in 0..700 {
        let collider = &scene.colliders_at(0.01 * f64::from(index), &world)[0];
        let speed = collider.velocity.length();
        assert!((2.6..3.8).contains(&speed), "{} m/s at {} s", speed, 0.01 * f64::from(index));
    }
}

/// A way with keys at very uneven times, and a rest at its end during which the camera turns: one speed all the way, and the last
/// direction is reached.
#[test]
fn a_constant_speed_holds_for_uneven_keys_and_ends_where_the_keys_end() {
    let scene = scene(
        "[ground]\nkind = 'plane'\n[camera.main]\nconstant_speed = true\nbetween = 'linear'\n\
         [[camera.main.key]]\ntime = 0\nposition = [0, 1, 0]\nheading = 0\n[[camera.main.key]]\ntime = 0.1\nposition = [50, 1, 0]\n\
         [[camera.main.key]]\ntime = 900\nposition = [100, 1, 0]\nheading = 0\n[[camera.main.key]]\ntime = 1000\n\
         position = [100, 1, 0]\nheading = 90\n",
    );
    let world = scene.world(0.0).unwrap();
    let camera = |time| scene.camera_at(&scene.cameras["main"], time, &world);
    for tenth in 0..10 {
        let expected = 10.0 * f64::from(tenth);
        let x = camera(100.0 * f64::from(tenth)).eye.x;
        assert!((x - expected).abs() < 0.01, "{x} m after {tenth} tenths of the time");
    }
    assert!(camera(1000.0).forward.z < -0.98, "it ends looking north: {}", camera(1000.0).forward);
}

/// On a mesh too a camera whose keys have places moves; there it would else stand where the mesh fills the picture.
#[test]
fn a_camera_moves_on_a_mesh() {
    let mesh = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/meshes/sphere.glb");
    let scene = scene(&format!(
        "[ground]\nfile = '{mesh}'\n[population.fur]\ncount = 10\n[[camera.main.key]]\ntime = 0\nposition = [0, 0, 5]\n\
         [[camera.main.key]]\ntime = 1\nposition = [0, 0, 3]\n"
    ));
    let world = scene.world(0.0).unwrap();
    let eye = |time| scene.camera_at(&scene.cameras["main"], time, &world).eye.to_array();
    assert_eq!([eye(0.0), eye(1.0)], [[0.0, 0.0, 5.0], [0.0, 0.0, 3.0]]);
}
