//! The shipped scenes, and what leaving things out means.

#![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

use std::path::{Path, PathBuf};

use anemone_scene::{
    Describe, Distance, Form, GroundShape, LANGUAGE, Patches, Placement, Region, Scene, Species, Table, View, WindKind,
    load, parse,
};

const NONE: &[&str] = &[];

fn read(text: &str, sets: &[&str]) -> Scene {
    parse("scene.toml", text, Path::new("/folder"), sets).unwrap_or_else(|error| panic!("{error}"))
}

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes")
}

#[test]
fn every_shipped_scene_is_good_and_its_files_are_there() {
    let mut count = 0;
    for folder in [scenes(), scenes().join("docs")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                load(&path, NONE).unwrap_or_else(|error| panic!("{error}"));
                count += 1;
            }
        }
    }
    assert!(count >= 3, "{count} scenes");
}

#[test]
fn the_meadow_is_what_its_comments_say() {
    let scene = load(&scenes().join("meadow.toml"), NONE).unwrap();
    assert_eq!(scene.camera(None).unwrap().0, "main");
    assert_eq!(scene.camera(Some("grass")).unwrap().1.position, [3350.0, 0.3, 2150.0]);
    let meadow = &scene.populations["meadow"];
    assert_eq!((meadow.placement, meadow.region), (Placement::Density(2000.0), Region::Everywhere));
    let GroundShape::HeightMap { file, metres_per_sample, .. } = &scene.ground.shape else { panic!("no height map") };
    assert!(file.path.ends_with("../terrain/jacksboro.png") && file.path.is_file());
    let text = std::fs::read_to_string(scenes().join("meadow.toml")).unwrap();
    let line = text.lines().position(|line| line.starts_with("file = ")).unwrap() + 1;
    assert!(file.named_at.as_str().ends_with(&format!("meadow.toml:{line}:8")), "{}", file.named_at);
    assert_eq!(*metres_per_sample, [74.5, 92.5]);
    let WindKind::Fbm { velocity, .. } = &scene.winds["gusts"].kind else { panic!("no fbm") };
    let velocity = velocity.at(0.0);
    // To the east, a little north, which is -z.
    assert!(velocity[0] > 2.0 && velocity[1] == 0.0 && velocity[2] < -0.8, "{velocity:?}");
    // From the south-west: the sun stands at -x and +z.
    let sun = scene.sun.direction(0.0);
    assert!(sun[0] < 0.0 && sun[1] > 0.5 && sun[2] > 0.0, "{sun:?}");
    assert!((sun.iter().map(|part| part * part).sum::<f32>() - 1.0).abs() < 1e-6);
}

#[test]
fn an_empty_file_is_a_scene() {
    let scene = read("", NONE);
    assert_eq!(scene, Scene::default());
    assert_eq!(scene.cameras.keys().collect::<Vec<_>>(), ["main"]);
    assert_eq!(scene.populations.keys().collect::<Vec<_>>(), ["meadow"]);
    assert_eq!(scene.winds.keys().collect::<Vec<_>>(), ["breeze"]);
    assert!(scene.colliders.is_empty());
    assert!(matches!(scene.ground.shape, GroundShape::Rolling { .. }));
    // Empty tables say no more than none; a byte order mark is no mistake.
    let text =
        "\u{feff}[camera]\n[population]\n[wind]\n[collider]\n[ground]\n[sun]\n[render]\n[population.meadow.cull]";
    assert_eq!(read(text, NONE).camera(None).unwrap(), scene.camera(None).unwrap());
    assert_eq!(read(text, NONE), scene);
}

#[test]
fn a_mesh_without_a_camera_is_framed_and_covered() {
    let scene = read("[ground]\nfile = 'ball.GLB'\n[population.fur]\ncount = 1000", NONE);
    assert_eq!(scene.camera(None).unwrap().1.view, View::Frame);
    let GroundShape::Mesh { file, .. } = &scene.ground.shape else { panic!("no mesh") };
    assert_eq!(file.path, Path::new("/folder/ball.GLB"));
    assert_eq!(scene.populations["fur"].region, Region::Surface);
}

#[test]
fn a_count_alone_gets_a_square_of_the_usual_density() {
    let scene = read("[population.a]\ncount = 8000", NONE);
    assert_eq!(scene.populations["a"].region, Region::Square { center: [0.0, 0.0], side: 2.0 });
}

#[test]
fn overrides_reach_everything() {
    let text = "[camera.main]\nposition = [1, 2, 3]\n[wind.w]\nkind = 'constant'\ntoward = 0\nspeed = 1";
    let scene = read(
        text,
        &[
            "camera.main.position.1=7.5",
            "population.meadow.shape=v",
            "population.meadow.color.root=#ffffff",
            "population.meadow.height=[0.5, 1]",
            "wind.w.speed = 9",
            "wind.w.speed = 4",
            "ground.file=../a b.png",
            "title=\"two = 2\"",
            "render={samples=3, size=[8, 4]}",
        ],
    );
    assert_eq!(scene.cameras["main"].position, [1.0, 7.5, 3.0]);
    assert_eq!(scene.populations["meadow"].shape, anemone_scene::Shape::V);
    assert_eq!(scene.populations["meadow"].color.root, [1.0; 3]);
    assert_eq!(scene.populations["meadow"].height, [0.5, 1.0]);
    // The last of two counts.
    let WindKind::Constant { velocity } = &scene.winds["w"].kind else { panic!("another kind") };
    assert_eq!(velocity.at(0.0), [4.0, 0.0, 0.0]);
    assert_eq!(scene.ground.file().unwrap().path, Path::new("/folder/../a b.png"));
    assert_eq!(scene.title.as_deref(), Some("two = 2"));
    assert_eq!((scene.render.samples, scene.render.size), (3, [8, 4]));
}

/// What `--set` reaches into by number is the list that is there, else the default.
#[test]
fn overrides_reach_into_defaults() {
    let scene = read(
        "[camera.side]\nposition = [1, 2, 3]\n[population.a]",
        &[
            "camera.side.position.0=7",
            "render.size.1=9",
            "population.a.lean.1=50",
            "population.a.color.tip.2=0.5",
            "population.a.gravity.direction.0=1",
        ],
    );
    assert_eq!(scene.cameras["side"].position, [7.0, 2.0, 3.0]);
    assert_eq!(scene.render.size, [1280, 9]);
    let a = &scene.populations["a"];
    assert_eq!(a.lean, [0.0, 50_f32.to_radians()]);
    assert_eq!(a.color.tip, [0.059, 0.125, 0.5]);
    assert!(
        (a.gravity.direction[0] - 0.5_f32.sqrt()).abs() < 1e-6 && a.gravity.direction[0] == -a.gravity.direction[1]
    );
    // Also where the scene has no table at all, and twice.
    let scene = read("", &["camera.main.position.1=3", "camera.main.position.2=-4"]);
    assert_eq!(scene.cameras["main"].position, [0.0, 3.0, -4.0]);
    let scene = read("", &["camera.main.position.1=3", "camera.main.position=[1, 2, 3]", "camera.main.position.0=5"]);
    assert_eq!(scene.cameras["main"].position, [5.0, 2.0, 3.0]);
}

/// Every list with a default can be reached into.
#[test]
fn every_default_list_takes_its_own_elements_by_number() {
    let mut count = 0;
    for_each_key(|key, start| {
        let Some(default) = key.default().filter(|default| default.starts_with('[')) else { return };
        let table = start.lines().next().unwrap().trim_matches(['[', ']']);
        let Some(first) = default.trim_matches(['[', ']']).split(", ").next() else { return };
        count += 1;
        let set = format!("{table}.{}.0={first}", key.name());
        assert_eq!(read(start, &[&set]), read(start, NONE), "{set}");
    });
    assert!(count > 10, "{count} lists");
}

/// Calls back with every key of the language and the start of a scene in which it may stand.
fn for_each_key(mut visit: impl FnMut(&dyn Describe, &str)) {
    fn walk(table: &Table, visit: &mut dyn FnMut(&dyn Describe, &str)) {
        let mut start = String::new();
        if !table.name.is_empty() {
            let name = table.name.replace("NAME", "x");
            start.push_str(&if table.is_list { format!("[[{name}]]\ntime = 0\n") } else { format!("[{name}]\n") });
        }
        let needed = |key: &dyn Describe| match key.name() {
            "tip_threshold" => "shape = \"tip\"\n",
            "buckets" => "side = 1\ndistance = \"buckets\"\n",
            "center" => "side = 1\n",
            _ => "",
        };
        for key in table.keys.iter().filter(|key| !(key.name() == "kind" || table.is_list && key.name() == "time")) {
            visit(*key, &format!("{start}{}", needed(*key)));
        }
        for variant in table.variants {
            let file = if matches!(variant.kind, "height_map" | "mesh") { "file = \"a\"\n" } else { "" };
            for key in variant.keys.iter().filter(|key| key.name() != "file") {
                visit(*key, &format!("{start}kind = \"{}\"\n{file}", variant.kind));
            }
        }
        table.tables.iter().for_each(|inner| walk(inner, visit));
    }
    LANGUAGE.iter().for_each(|table| walk(table, &mut visit));
}

/// Every default that the manual will print is a value that the reader takes, and reads as leaving the key out does.
#[test]
fn the_defaults_are_valid_and_the_described_ones() {
    let mut count = 0;
    for_each_key(|key, start| {
        count += 1;
        assert!(!key.help().is_empty() && !key.expected().is_empty(), "{start}{}", key.name());
        if let Some(default) = key.default() {
            let text = format!("{start}{} = {default}\n", key.name());
            assert_eq!(read(&text, NONE), read(start, NONE), "{text}");
        }
    });
    assert!(count > 70, "{count} keys");
}

/// Both ends of every range are taken, and what lies just beyond them is not.
#[test]
fn the_ranges_are_the_described_ones() {
    let mut count = 0;
    for_each_key(|key, start| {
        let form = match key.form() {
            Form::Curve(each) => *each,
            form => form,
        };
        let whole = matches!(form, Form::Whole { .. });
        let (min, max, below, above) = match form {
            Form::Number { min, max, .. } => (format!("{min:e}"), format!("{max:e}"), below(min), -below(-max)),
            Form::Whole { min, max, .. } => {
                (min.to_string(), max.to_string(), f64::from(min) - 1.0, f64::from(max) + 1.0)
            }
            _ => return,
        };
        count += 1;
        let complaint = |value: &str| match parse("", &format!("{start}{} = {value}", key.name()), Path::new(""), NONE)
        {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        let write = |value: f64| if whole { format!("{value}") } else { format!("{value:e}") };
        for good in [min, max] {
            let complaint = complaint(&good);
            // Keys that depend on each other may object for other reasons.
            assert!(!complaint.contains("too small") && !complaint.contains("too large"), "{complaint}");
        }
        assert!(complaint(&write(below)).contains("is too small"), "{start}{} {below}", key.name());
        assert!(complaint(&write(above)).contains("is too large"), "{start}{} {above}", key.name());
    });
    assert!(count > 40, "{count} ranges");
}

fn below(value: f64) -> f64 {
    value - value.abs().max(1e-9) * 1e-12
}

/// What does not fit the engine or the ground is told with the population's name and place.
#[test]
fn refusals_of_the_world_name_the_population() {
    let scene = read("[population.a]\n[population.b]\n  [population.b.cull]\nfrustum = false", NONE);
    let error = anemone::Error::Placement { index: 1, why: "it floats" };
    assert_eq!(scene.explain(&error).to_string(), "error: population.b: it floats\n --> scene.toml:2:13");
    let error = anemone::Error::TooManyBodies { bodies: 1 << 30, need: 32 << 30, limit: 1 << 27, population: 0 };
    let told = scene.explain(&error).to_string();
    assert!(told.starts_with("error: population.a: 1073741824 bodies take 32768 MiB"), "{told}");
    assert!(told.ends_with("\n --> scene.toml:1:13"), "{told}");
    // Nobody wrote this one.
    let told = read("", NONE).explain(&error).to_string();
    assert!(told.starts_with("error: population.meadow: ") && !told.contains('\n'), "{told}");

    // A square metre or two, and far too many on each.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes");
    let text = "[ground]\nkind = 'mesh'\nfile = 'X'\nscale = 1000\n[population.fur]\ndensity = 100000";
    let sphere = load(&scenes().join("sphere.toml"), NONE).unwrap();
    let file = sphere.ground.file().unwrap().path.canonicalize().unwrap();
    let scene = parse("scene.toml", &text.replace('X', &file.to_string_lossy()), &folder, NONE).unwrap();
    let Err(error) = scene.world(0.0) else { panic!("they cannot all stand there") };
    assert_eq!(
        error.to_string(),
        "error: population.fur: more than four thousand million bodies\n --> scene.toml:5:13"
    );
}

/// Every species by itself is a scene and a world that the engine takes.
#[test]
fn every_species_reads_and_makes_a_world() {
    let mut count = 0;
    for species in Species::all() {
        count += 1;
        let name = species.name();
        let scene = read(&format!("[population.a]\nspecies = \"{name}\""), NONE);
        let world = scene.world(0.0).unwrap();
        world.check().unwrap_or_else(|error| panic!("{name}: {error}"));
        // What is printed is what is meant: pasted below a header it says the same.
        let mut pasted = read(&format!("[population.a]\n{}", species.text()), NONE).populations;
        let a = pasted.get_mut("a").unwrap();
        (a.species, a.named_at) = (Some(species), scene.populations["a"].named_at.clone());
        assert_eq!(pasted, scene.populations, "{name}");
        assert_eq!(Species::named(name), Some(species));
        assert!(!species.what().is_empty() && species.text().starts_with("# "), "{name}");
    }
    assert_eq!(count, 13);
    assert_eq!(Species::named("moss"), None);
}

/// A real leaf sends back and lets through less than it gets.
#[test]
fn species_keep_their_light() {
    for species in Species::all() {
        let scene = read(&format!("[population.a]\nspecies = \"{}\"", species.name()), NONE);
        let color = scene.populations["a"].color;
        for leaf in [color.root, color.tip] {
            for (leaf, through) in leaf.into_iter().zip(color.through) {
                let sum = leaf * (1.0 + through);
                assert!((0.002..0.95).contains(&sum), "{}: {sum}", species.name());
            }
        }
    }
}

#[test]
fn an_authors_keys_count_more_than_the_species() {
    let base = read("[population.a]\nspecies = 'fescue'", NONE).populations["a"].clone();
    let text = "[population.a]\nspecies = 'fescue'\ndensity = 70\n[population.a.color]\ntip = [0.5, 0.5, 0.5]\n\
                [population.a.clumps]\nsize = 0.5";
    let a = read(text, &["population.a.lean.1=50", "population.a.clumps.fan=0.25"]).populations["a"].clone();
    assert_eq!(a.placement, Placement::Density(70.0));
    assert_eq!((a.color.tip, a.color.root), ([0.5; 3], base.color.root));
    assert_eq!(a.lean, [base.lean[0], 50_f32.to_radians()]);
    let (clumps, usual) = (a.clumps.unwrap(), base.clumps.unwrap());
    assert_eq!((clumps.size, clumps.fan, clumps.facing), (0.5, 0.25, usual.facing));
    assert_eq!((a.height, a.width), (base.height, base.width));
    // A key that takes another's place: no word of the species stands in its way.
    let a = read("[population.a]\nspecies = 'lawn'\ncount = 25000\nshape = 'v'\nrange = 20", NONE);
    assert_eq!(a.populations["a"].region, Region::Square { center: [0.0, 0.0], side: 1.0 });
    let far = read("[population.a]\nspecies = 'lawn'\nfull_density_within = 90", NONE);
    assert!(matches!(far.populations["a"].distance, Distance::Rank { range: None, .. }));
    let buckets = read("[population.a]\nspecies = 'lawn'\nside = 5\ndistance = 'buckets'", NONE);
    assert!(matches!(buckets.populations["a"].distance, Distance::Buckets { .. }));
    let none = read("[population.a]\nspecies = 'lawn'\nclumps.size = 0", NONE);
    assert_eq!(none.populations["a"].clumps, None);
}

#[test]
fn two_populations_share_a_meadow() {
    let text = "[population.a.where.patches]\nseed = 3\n[population.b.where]\nslope = 30\naltitude = [-10000000, 5]\n\
                [population.b.where.patches]\nseed = 3\ninvert = true";
    let scene = read(text, NONE);
    let [a, b] = ["a", "b"].map(|name| scene.populations[name].growth.clone());
    assert_eq!(Patches { invert: true, ..a.patches.unwrap() }, b.patches.unwrap());
    assert_eq!((a.altitude, b.altitude), ([-1e7, 1e7], [-1e7, 5.0]));
    assert_eq!(b.slope, [30_f32.to_radians(); 2]);
    let world = scene.world(0.0).unwrap();
    world.check().unwrap();
    assert_eq!(world.populations[1].growth.altitude, [f32::NEG_INFINITY, 5.0]);
}

#[test]
fn a_density_map_is_as_large_as_the_ground_unless_the_author_says_otherwise() {
    let file = scenes().join("../terrain/jacksboro.png");
    let file = file.display();
    let text = format!(
        "[ground]\nfile = '{file}'\nmetres_per_sample = [74.5, 92.5]\n[population.a.where]\nmap = '{file}'\n\
         [population.b.where]\nmap = '{file}'\nmap_size = [500, 300]\nmap_center = [7, -8]"
    );
    let scene = read(&text, NONE);
    assert!(scene.populations["a"].growth.map.as_ref().unwrap().file.named_at.as_str().ends_with("scene.toml:5:7"));
    let world = scene.world(0.0).unwrap();
    world.check().unwrap();
    let [a, b] = [0, 1].map(|i| world.populations[i].density_map.clone().unwrap());
    let anemone::Terrain::Height(ground) = &world.terrain else { panic!("no heights") };
    assert!((a.area() - ground.map().unwrap().area()).length() < 1e-6);
    assert!((b.area() - anemone::glam::DVec2::new(500.0, 300.0)).length() < 1e-6);
    assert_eq!(b.options().anchor.to_array(), [7.0, -8.0]);
    // White is 1: the map's 16 bits are what it is counted in.
    assert!((a.options().unit * 65_535.0 - 1.0).abs() < 1e-9);
    let error = read("[ground]\nkind='plane'\n[population.a.where]\nmap = 'none.png'\nmap_size = [9, 9]", NONE);
    let error = error.world(0.0).unwrap_err().to_string();
    assert!(error.contains("none.png") && error.contains("scene.toml:4:7"), "{error}");
}
