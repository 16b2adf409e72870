//! The composed ground on the GPU is the ground on the CPU: roots are read back and held against it.

use anemone::cull::reference::tiles;
use anemone::field::space::Position;
use anemone::glam::{DVec2, DVec3, Vec3};
use anemone::motion::blade::blade_unpack;
use anemone::probe::Probe;
use anemone::terrain::detail::Detail;
use anemone::terrain::height::Ground;
use anemone::terrain::height_map::{HeightMap, MapOptions};
use anemone::{Distance, Placement, Population, Terrain, Window};

use crate::support::{Drawn, gpu, lawn, look, sphere, world};

/// Every body of an engine that has drawn: (root in metres, growing axis, extent of its tile's box).
fn roots(engine: &Drawn) -> Vec<(DVec3, Vec3, Vec3)> {
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let bodies = gpu().bodies(engine);
    let mut roots = Vec::new();
    for (_, first, count, corner, extent) in tiles.boxes() {
        for body in &bodies[first as usize..(first + count) as usize] {
            if body.words[..3] != [0; 3] {
                let blade = blade_unpack(*body, Vec3::ZERO, extent);
                let place = corner.tile.as_dvec3() * 64.0 + corner.local.as_dvec3() + blade.root.as_dvec3();
                roots.push((place, blade.up, extent));
            }
        }
    }
    roots
}

fn check(name: &str, ground: Ground, at: DVec2, populations: Vec<Population>) {
    let y = f64::from(ground.height(Position::from_metres(DVec3::new(at.x, 0.0, at.y))));
    let mut engine = gpu().engine(world(ground.clone(), populations), Default::default());
    let camera = look([at.x, y + 1.0, at.y], [at.x, y, at.y - 5.0]);
    gpu().draw(&mut engine, &camera, &Window::whole([32, 32]), 1);
    let Terrain::Height(ground) = &engine.world().terrain else { unreachable!() };
    let roots = roots(&engine);
    assert!(roots.len() > 2000, "{name}: only {} bodies", roots.len());
    let mut upright = 0.0_f32;
    for (root, up, extent) in &roots {
        let surface = ground.surface(Position::from_metres(*root), 0.0);
        // Half a step of the packed height, half a step of the packed place on this slope and its neighbourhood's, and
        // the rounding of 32-bit floats at the height's size.
        let step = *extent / 65_535.0;
        let slope = surface.slope.length() + 0.2;
        let allowed = 0.5 * step.y + slope * 0.71 * step.x + 2e-6 * surface.height.abs() + 1e-4;
        let error = (root.y - f64::from(surface.height)).abs();
        assert!(error <= f64::from(allowed), "{name}: root {root} is {error} m off the ground, {allowed} allowed");
        upright = upright.max(up.angle_between(surface.normal()));
    }
    // Nine bits for each coordinate of the octahedral map.
    assert!(upright < 0.012, "{name}: an axis is {upright} rad off the normal");
}

fn straight(population: Population) -> Population {
    Population { lean: [0.0, 0.0], ..population }
}

fn meadow() -> Population {
    straight(Population {
        placement: Placement::Everywhere { density: 20.0 },
        distance: Distance::Rank { full_within: 6.0, range: 400.0 },
        ..lawn(1.0, 0)
    })
}

#[test]
fn roots_stand_on_a_plane() {
    check("plane", Ground::plane(-3.25), DVec2::ZERO, vec![straight(lawn(10.0, 3000))]);
}

#[test]
fn roots_stand_on_hills() {
    check("hills", Ground::hills(5), DVec2::new(-20_011.0, 7013.0), vec![meadow()]);
}

#[test]
fn roots_stand_on_a_height_map_with_detail() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/terrain/jacksboro.png");
    let spacing = DVec2::new(74.5, 92.5);
    let map = HeightMap::load(file.as_ref(), &MapOptions { spacing, ..MapOptions::default() }).expect("the map loads");
    let ground = Ground::from_map(map, &Detail::below(spacing.max_element(), 1));
    check("map", ground.clone(), DVec2::new(3350.0, 2150.0), vec![meadow()]);
    // Across the map's border.
    check("border", ground, DVec2::new(-15_150.0, 300.0), vec![meadow()]);
}

#[test]
fn blades_stand_on_a_sphere_on_every_side() {
    let origin = DVec3::new(-30.0, 7.0, 100.0);
    let population = straight(Population { placement: Placement::Surface { count: 6000 }, ..lawn(1.0, 0) });
    let mut engine = gpu().engine(sphere(origin, vec![population]), Default::default());
    let camera = look([-30.0, 7.0, 104.0], [-30.0, 7.0, 100.0]);
    gpu().draw(&mut engine, &camera, &Window::whole([32, 32]), 1);
    let roots = roots(&engine);
    assert_eq!(roots.len(), 6000);
    let mut octants = [0; 8];
    for (root, up, _) in roots {
        let radial = root - origin;
        // The mesh has flat triangles: a little inside the sphere.
        assert!((0.99..1.0001).contains(&radial.length()), "{root}: radius {}", radial.length());
        let off = up.angle_between(radial.as_vec3());
        assert!(off < 0.03, "at {radial} the axis is {off} rad off");
        let bit = |positive: bool, bit: usize| if positive { bit } else { 0 };
        octants[bit(radial.x > 0.0, 1) + bit(radial.y > 0.0, 2) + bit(radial.z > 0.0, 4)] += 1;
    }
    // Even by area: 750 in each, four deviations.
    assert!(octants.iter().all(|n| (640..860).contains(n)), "{octants:?}");
}

/// Heights are 16 bits a sample, and everything else is as large as before.
#[test]
fn the_bytes_of_textures_count() {
    let bytes = |side: u32| {
        let samples = vec![0; (side * side) as usize];
        let map = HeightMap::from_samples(side, side, samples, &MapOptions::default()).expect("a map");
        gpu()
            .engine(world(Ground::from_map(map, &Detail::below(1.0, 1)), vec![lawn(2.0, 100)]), Default::default())
            .bytes()
    };
    assert_eq!(bytes(64) - bytes(16), 2 * (64 * 64 - 16 * 16));
}
