//! Shadows lie where closed geometry has them.

use anemone::cull::reference::tiles;
use anemone::field::wind::Wind;
use anemone::glam::{DVec3, Vec3};
use anemone::motion::blade::{Blade, blade_unpack};
use anemone::probe::Probe;
use anemone::terrain::height::Ground;
use anemone::{Camera, Cull, Distance, Forces, Options, Placement, Population, Shape, Timing, Window, wgpu};

use crate::support::{Drawn, Gpu, gpu, lawn, sphere, world};

/// The light of each pixel, luminance, and whether the ground shows there unmixed.
pub fn ground_light(engine: &Drawn) -> Vec<Option<f32>> {
    let layers = gpu().layers(engine);
    let mut out = Vec::new();
    for (i, light) in layers.light.iter().enumerate() {
        let bare = layers.opaque[i][0] < 128 && layers.opaque[i][1] > 0 && layers.partial[i][0] < 128;
        out.push(bare.then_some(0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]));
    }
    out
}

/// Where the first blade of the pool stands, and what it is.
fn only_blade(engine: &Drawn) -> (DVec3, Blade) {
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let (_, _, _, corner, extent) = tiles.boxes().next().expect("a tile");
    let blade = blade_unpack(gpu().bodies(engine)[0], Vec3::ZERO, extent);
    (corner.to_metres() + blade.root.as_dvec3(), blade)
}

/// A blade that stands straight throws the shadow of its outline: to within a texel of the map, half of the sun is gone on
/// one side of it and left on the other.
#[test]
fn a_blades_shadow_is_its_outline_to_a_texel() {
    let one = Population {
        height: [1.0, 1.0],
        width: [0.12, 0.12],
        lean: [0.0, 0.0],
        shape: Shape::Quad,
        cull: Cull::NONE,
        forces: Forces { gravity: 0.0, ..Forces::default() },
        ..lawn(0.01, 1)
    };
    let mut world = world(Ground::plane(0.0), vec![one]);
    world.wind = Wind::default();
    let texels = 2048;
    let options = Options { shadow_texels: Some(texels), ..Options::default() };
    let start = Camera::look_at(DVec3::new(0.0, 1.0, 2.0), DVec3::ZERO, 0.9, 0.02);
    let mut engine = gpu().engine(world.clone(), options);
    gpu().simulate(&mut engine, &start, &Window::whole([16, 9]), 0.1, 1);
    let (root, blade) = only_blade(&engine);
    let (across, up) = (blade.side().as_dvec3(), blade.up.as_dvec3());
    let normal = across.cross(up);
    // The same blade again, with the sun before its broad side, a little aside.
    let sun = (normal + 0.9 * up + 0.2 * across).normalize();
    world.sun.direction = sun.as_vec3();
    let mut engine = gpu().engine(world, options);
    let size = 240_u32;
    let camera = Camera {
        eye: DVec3::new(-0.5 * sun.x, 3.0, -0.5 * sun.z),
        forward: Vec3::NEG_Y,
        up: Vec3::NEG_Z,
        fov: 0.8,
        near: 0.02,
    };
    gpu().draw(&mut engine, &camera, &Window::whole([size, size]), 1);
    let light = ground_light(&engine);
    // The map reaches 6 m for each metre of the eye's height, by quarters of octaves.
    let reach = ((6.0_f64 * 3.0).log2() * 4.0).round() / 4.0;
    let texel = 2.0 * reach.exp2() / f64::from(texels);
    let focal = 0.5 * f64::from(size) / (0.4_f64).tan();
    let pixel = 3.0 / focal;
    let [mut inside, mut outside] = [Vec::new(), Vec::new()];
    for (i, light) in light.iter().enumerate() {
        let Some(light) = light else { continue };
        let at = [(i as u32 % size) as f64 + 0.5, (i as u32 / size) as f64 + 0.5]
            .map(|p| (p - 0.5 * f64::from(size)) * pixel);
        let p = DVec3::new(camera.eye.x + at[0], 0.0, camera.eye.z + at[1]);
        // Where the ray towards the sun meets the blade's plane, from the middle of its outline in half sizes.
        let s = (root - p).dot(normal) / sun.dot(normal);
        let q = p + sun * s - root;
        let (u, v) = (q.dot(across), q.dot(up));
        // By how much it lies within the outline as it is seen from the sun, m; near the root the map's bias lets light in.
        let deep = (0.5 * blade.width as f64 - u.abs()).min(v).min(1.0 - v);
        if s > 0.3 && deep > 1.2 * texel {
            inside.push(*light);
        } else if s < -0.05 || deep < -(1.2 * texel + pixel) {
            outside.push(*light);
        }
    }
    assert!(inside.len() > 150 && outside.len() > 5000, "{} and {}", inside.len(), outside.len());
    outside.sort_by(f32::total_cmp);
    let lit = outside[outside.len() / 2];
    let dark = inside.iter().copied().fold(f32::INFINITY, f32::min);
    assert!(dark < 0.4 * lit, "no shadow: {dark} of {lit}");
    let half = 0.5 * (lit + dark);
    let wrong = inside.iter().filter(|light| **light > half).count();
    assert_eq!(wrong, 0, "{wrong} of {} pixels in the shadow are lit", inside.len());
    let wrong = outside.iter().filter(|light| **light < half).count();
    assert_eq!(wrong, 0, "{wrong} of {} pixels in the sun are dark", outside.len());
}

/// The mean light of a lawn is that of the law for stands, which serves where the map does not reach; and at night there is
/// neither.
#[test]
fn the_map_agrees_with_the_law_of_stands() {
    let lit = |texels, up: f32| {
        let mut world = world(Ground::plane(0.0), vec![lawn(3.0, 20_000)]);
        world.sun.direction = Vec3::new(0.8, up, 0.1).normalize();
        let mut engine = gpu().engine(world, Options { shadow_texels: Some(texels), ..Options::default() });
        let camera = Camera::look_at(DVec3::new(0.0, 0.8, 1.2), DVec3::ZERO, 0.7, 0.02);
        gpu().draw(&mut engine, &camera, &Window::whole([96, 54]), 4);
        let layers = gpu().layers(&engine);
        let grass = layers.light.iter().filter(|pixel| pixel[3] > 2.0);
        let (sum, count) = grass.fold((0.0, 0), |(sum, count), pixel| (sum + f64::from(pixel[1]), count + 1));
        assert!(count > 1500, "{count} pixels of grass");
        sum / f64::from(count)
    };
    for up in [0.3, 0.8, 2.0] {
        let (law, map) = (lit(0, up), lit(2048, up));
        assert!((map / law - 1.0).abs() < 0.1, "sun at {up}: {map} by the map, {law} by the law");
        assert!(map != law, "the map is not looked at");
    }
    assert_eq!(lit(0, -0.5), lit(512, -0.5));
}

/// Fog hides what is far, not the light.
#[test]
fn thick_haze_is_bright() {
    let mean = |visibility| {
        let mut world = world(Ground::plane(0.0), vec![lawn(4.0, 4000)]);
        world.sun.visibility = visibility;
        let mut engine = gpu().engine(world, Options::default());
        let camera = Camera::look_at(DVec3::new(0.0, 1.0, 3.0), DVec3::new(0.0, 0.9, -50.0), 0.9, 0.02);
        gpu().draw(&mut engine, &camera, &Window::whole([64, 36]), 1);
        let light = gpu().layers(&engine).light;
        light.iter().map(|pixel| pixel[1]).sum::<f32>() / light.len() as f32
    };
    let (clear, fog) = (mean(60_000.0), mean(100.0));
    assert!(fog > 0.3 * clear && fog < 10.0 * clear, "{fog} in fog, {clear} on a clear day");
}

/// Only where the ground stands in for them do bodies far below the eye fade out.
#[test]
fn a_square_of_grass_is_there_from_far_above() {
    let mut population = lawn(20.0, 400_000);
    population.distance = Distance::Rank { full_within: 1.0, range: 400.0 };
    let mut engine = gpu().engine(world(Ground::plane(0.0), vec![population]), Options::default());
    let camera =
        Camera { eye: DVec3::new(0.0, 45.0, 0.0), forward: Vec3::NEG_Y, up: Vec3::NEG_Z, fov: 0.3, near: 0.02 };
    gpu().draw(&mut engine, &camera, &Window::whole([64, 64]), 1);
    let layers = gpu().layers(&engine);
    assert!(layers.partials() + layers.bodies() > 20, "{} and {}", layers.partials(), layers.bodies());
}

/// A blade in the sun does not stand in its own shade: with a map it is nowhere darker than under the law of stands, which has
/// next to no leaf area to go by here.
#[test]
fn a_lone_blade_is_not_in_its_own_shade() {
    let one = Population {
        height: [0.3, 0.3],
        width: [0.05, 0.05],
        lean: [0.0, 0.0],
        shape: Shape::Quad,
        cull: Cull::NONE,
        forces: Forces { gravity: 0.0, ..Forces::default() },
        ..lawn(1.0, 1)
    };
    let mut world = world(Ground::plane(0.0), vec![one]);
    world.wind = Wind::default();
    let start = Camera::look_at(DVec3::new(0.0, 1.0, 2.0), DVec3::ZERO, 0.9, 0.02);
    let mut engine = gpu().engine(world.clone(), Options::default());
    gpu().simulate(&mut engine, &start, &Window::whole([16, 9]), 0.1, 1);
    let (root, blade) = only_blade(&engine);
    let (across, up) = (blade.side().as_dvec3(), blade.up.as_dvec3());
    let normal = across.cross(up);
    // A low eye, and the sun behind it, or before it.
    for (ahead, aside) in [(0.8, 0.6), (-0.8, 0.6)] {
        let eye = root + normal * 0.7 + up * 0.15;
        world.sun.direction = (normal * ahead + across * aside + 0.4 * up).normalize().as_vec3();
        let camera = Camera::look_at(eye, root + up * 0.1, 0.5, 0.02);
        let light = |texels| {
            let options = Options { shadow_texels: Some(texels), ..Options::default() };
            let mut engine = gpu().engine(world.clone(), options);
            gpu().draw(&mut engine, &camera, &Window::whole([160, 160]), 1);
            let layers = gpu().layers(&engine);
            (0..layers.light.len()).map(move |i| (layers.opaque[i][0] >= 128).then(|| layers.light[i][1]))
        };
        let pairs: Vec<_> = light(2048).zip(light(0)).filter_map(|(map, law)| Some((map?, law?))).collect();
        assert!(pairs.len() > 1000, "{} pixels of the blade", pairs.len());
        let dark = pairs.iter().filter(|(map, law)| *map < 0.98 * law).count();
        assert_eq!(dark, 0, "sun {ahead} ahead: {dark} of {} pixels shade themselves", pairs.len());
    }
}

/// The names of the passes of a drawing, in order.
fn passes(world: anemone::World) -> Vec<&'static str> {
    let mut engine = gpu().engine(world, Options::default());
    let camera = Camera::look_at(DVec3::new(0.0, 2.0, 3.0), DVec3::ZERO, 0.9, 0.02);
    let mut labels = Vec::new();
    let mut note = |label, _: &mut wgpu::CommandEncoder| labels.push(label);
    gpu().submit(|encoder| {
        let Drawn { engine, view } = &mut engine;
        (view.camera, view.window) = (camera, Window::whole([32, 18]));
        engine.draw(view, encoder, Timing::Wall(&mut note)).expect("the window fits");
    });
    labels
}

/// The sun's view is drawn where the sun gives light: below the horizon it gives none, to a mesh either, and
/// while a part of its disc shows it gives some.
#[test]
fn without_the_suns_light_no_shadows_are_drawn() {
    let ball =
        || sphere(DVec3::ZERO, vec![Population { placement: Placement::Surface { count: 500 }, ..lawn(1.0, 0) }]);
    let plane = || world(Ground::plane(0.0), vec![lawn(1.0, 100)]);
    for (name, mut world, up, wanted) in [
        ("a ball at night", ball(), -0.2, false),
        ("a ball by day", ball(), 0.3, true),
        ("a plane at night", plane(), -0.2, false),
        ("a plane as the sun sets", plane(), -0.002, true),
    ] {
        world.sun.direction = Vec3::new(1.0, up, 0.2).normalize();
        let passes = passes(world);
        assert!(passes.contains(&"sort pixels"), "{name}: {passes:?}");
        assert_eq!(passes.contains(&"shadow raster"), wanted, "{name}: {passes:?}");
    }
}

/// The texels of the map in which anything lies.
fn filled(engine: &anemone::Engine, texels: usize) -> Vec<bool> {
    gpu().read::<u32>(engine.probe(Probe::Shadows))[..texels * texels].iter().map(|depth| *depth > 0).collect()
}

/// Thin blades are drawn in a part of their texels: in the same ones after the map has moved on, or their shadows would
/// sparkle.
#[test]
fn shadows_of_thin_blades_lie_still_as_the_eye_moves() {
    let thin = Population { width: [0.001, 0.002], ..lawn(2.0, 4000) };
    let mut world = world(Ground::plane(0.0), vec![thin]);
    world.wind = Wind::default();
    world.sun.direction = Vec3::new(0.0, 1.0, 1.0).normalize();
    let texels = 512_usize;
    let options = Options { shadow_texels: Some(texels as u32), ..Options::default() };
    let mut engine = gpu().engine(world, options);
    let window = Window::whole([32, 18]);
    let camera = |x| Camera::look_at(DVec3::new(x, 0.5, 1.0), DVec3::new(x, 0.0, 0.0), 0.9, 0.02);
    let texel = 2.0 * ((3.0_f64.log2() * 4.0).round() / 4.0).exp2() / texels as f64;
    gpu().draw(&mut engine, &camera(0.0), &window, 1);
    let before = filled(&engine, texels);
    // Ten texels to the right as the sun sees it, which looks north.
    gpu().draw(&mut engine, &camera(10.0 * texel), &window, 1);
    let after = filled(&engine, texels);
    let (mut both, mut one) = (0, 0);
    for y in 0..texels {
        for x in 0..texels - 10 {
            match (before[y * texels + x + 10], after[y * texels + x]) {
                (true, true) => both += 1,
                (true, false) | (false, true) => one += 1,
                _ => {}
            }
        }
    }
    assert!(both > 2000 && one * 20 < both, "{both} texels stay, {one} change");
}

/// The map reaches as far as bodies do, not as far as an author wanted them to.
#[test]
fn the_map_goes_by_what_a_device_holds() {
    let small = Gpu::open(wgpu::InstanceFlags::default(), |_| {
        let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 25, ..wgpu::Limits::default() };
        (wgpu::Features::empty(), limits)
    });
    let meadow = Population {
        placement: Placement::Everywhere { density: 12_000.0 },
        distance: Distance::Rank { full_within: 3.0, range: 12.0 },
        ..lawn(1.0, 0)
    };
    let mut engine = small.engine(world(Ground::plane(0.0), vec![meadow]), Options::default());
    let extent = engine.extent(0).expect("it grows everywhere");
    assert!(extent.full_within < 0.6 * extent.wanted_full_within, "{extent:?}");
    let camera = Camera::look_at(DVec3::new(0.0, 20.0, 0.0), DVec3::new(0.0, 0.0, -20.0), 0.9, 0.02);
    small.draw(&mut engine, &camera, &Window::whole([32, 18]), 1);
    // The bias is 2.5 texels and 4 mm.
    let bias = small.read::<f32>(engine.probe(Probe::ShadowMap))[20];
    let reach = 0.5 * 256.0 * (bias - 0.004) / 2.5;
    let wanted = 4.0 * extent.full_within;
    assert!(reach > 0.9 * wanted && reach < 1.1 * wanted, "{reach} m for bodies of {extent:?}");
}

/// The sun sees all round the eye and behind everything; where its list of cross-sections would overflow, it draws bodies more
/// coarsely, and the picture lacks none.
#[test]
fn the_suns_view_has_room_for_every_body() {
    let small = Gpu::open(wgpu::InstanceFlags::default(), |_| {
        let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 22, ..wgpu::Limits::default() };
        (wgpu::Features::empty(), limits)
    });
    let dense = Population { height: [0.8, 1.0], lean: [0.3, 0.9], shape: Shape::V, ..lawn(2.0, 120_000) };
    let options = Options { shadow_texels: Some(700), ..Options::default() };
    let mut engine = small.engine(world(Ground::plane(0.0), vec![dense]), options);
    // Straight down at a corner, on a few blades.
    let camera =
        Camera { eye: DVec3::new(1.05, 0.4, 1.05), forward: Vec3::NEG_Y, up: Vec3::NEG_Z, fov: 0.6, near: 0.02 };
    small.draw(&mut engine, &camera, &Window::whole([48, 27]), 1);
    let counts = small.counts(&engine);
    assert_eq!((counts.dropped, counts.rows_dropped, counts.sun_dropped), (0, 0, 0), "{counts:?}");
    assert!(counts.items > 100, "{counts:?}");
    let shaded =
        small.read::<u32>(engine.probe(Probe::Shadows))[..700 * 700].iter().filter(|depth| **depth > 0).count();
    assert!(shaded > 60_000, "{shaded} texels");
}

/// Straight down from far above, where all azimuths meet, land looks as it does beside.
#[test]
fn land_straight_below_looks_as_it_does_beside() {
    let mut engine = gpu().engine(world(Ground::plane(0.0), vec![lawn(1.0, 10)]), Options::default());
    let camera =
        Camera { eye: DVec3::new(0.0, 10_000.0, 0.0), forward: Vec3::NEG_Y, up: Vec3::NEG_Z, fov: 0.3, near: 0.02 };
    gpu().draw(&mut engine, &camera, &Window::whole([65, 65]), 1);
    let light: Vec<f32> = gpu().layers(&engine).light.iter().map(|pixel| pixel[1]).collect();
    let (low, high) = light.iter().fold((f32::INFINITY, 0.0_f32), |(low, high), x| (low.min(*x), high.max(*x)));
    assert!(low > 0.0 && high < 1.15 * low, "from {low} to {high}");
}
