use anemone_field::space::Position;
use anemone_ground::detail::Detail;
use anemone_ground::height::{Ground, GroundUniform};
use anemone_ground::height_map::{HeightMap, MapOptions};
use anemone_ground::map::{map_cell, map_sample};
use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, DVec3, IVec2, IVec3, Vec2, Vec3};
use proptest::prelude::*;

use crate::{MODULES, random};

/// A small range of mountains, low enough for f32 to tell tenths of a millimetre.
fn map(anchor: DVec2) -> HeightMap {
    let samples = (0..24 * 20).map(|i| {
        let (x, z) = ((i % 24) as f32, (i / 24) as f32);
        (700.0 + 400.0 * (0.5 * x).sin() * (0.4 * z).cos() + random(i, 0, 0.0, 80.0)) as u16
    });
    let options = MapOptions { spacing: DVec2::new(74.5, 92.5), unit: 0.1, offset: -70.0, anchor };
    HeightMap::from_samples(24, 20, samples.collect(), &options).expect("a map")
}

fn grounds() -> [Ground; 5] {
    [
        Ground::from_map(map(DVec2::ZERO), &Detail::below(92.5, 1)),
        Ground::from_map(map(DVec2::new(100_000.0, -50_000.0)), &Detail::below(92.5, 2)),
        Ground::from_map(map(DVec2::ZERO), &Detail::none()),
        Ground::hills(4),
        Ground::plane(2.5),
    ]
}

fn at(x: f64, z: f64) -> Position {
    Position::from_metres(DVec3::new(x, 0.0, z))
}

#[test]
fn samples_stand_where_they_should_and_row_zero_is_north() {
    for anchor in [DVec2::ZERO, DVec2::new(100_000.0, -50_000.0)] {
        let map = map(anchor);
        let ground = Ground::from_map(map.clone(), &Detail::none());
        for (column, row) in [(0, 0), (23, 0), (0, 19), (23, 19), (7, 13)] {
            let x = anchor.x + (f64::from(column) - 11.5) * 74.5;
            let z = anchor.y + (f64::from(row) - 9.5) * 92.5;
            let expected = 0.1 * map.raw(IVec2::new(column, row)) - 70.0;
            let found = ground.height(at(x, z));
            assert!((found - expected).abs() < 1e-3, "{column} {row}: {found} {expected}");
        }
    }
}

#[test]
fn beyond_the_border_the_ground_goes_on_level() {
    let [ground, _, bare, _, _] = grounds();
    let corner = bare.height(at(-11.5 * 74.5, -9.5 * 92.5));
    for far in [1.0, 3.0, 1000.0, 100_000.0] {
        let surface = bare.surface(at(-11.5 * 74.5 - 74.5 * far, -9.5 * 92.5 - 92.5 * far), 0.0);
        assert!((surface.height - corner).abs() < 1e-4 && surface.slope.length() < 1e-6, "{surface:?}");
        assert!(ground.surface(at(1e5 * far, -1e5 * far), 0.0).height.is_finite());
    }
}

#[test]
fn planes_are_plane() {
    let plane = Ground::plane(2.5);
    for i in 0..100 {
        let position = at(f64::from(random(i, 0, -1e6, 1e6)), f64::from(random(i, 1, -1e6, 1e6)));
        assert_eq!(plane.height(position), 2.5);
        assert_eq!(plane.normal(position), Vec3::Y);
    }
    assert!((plane.height_range()[0] - 2.5).abs() < 1e-4 && (plane.height_range()[1] - 2.5).abs() < 1e-4);
}

proptest! {
    #[test]
    fn slope_and_normal_are_the_derivative(i in 0..5usize, x in -800.0..800.0f64, z in -800.0..800.0f64) {
        let ground = &grounds()[i];
        let centre = if i == 1 { DVec2::new(100_000.0, -50_000.0) } else { DVec2::ZERO };
        let here = |dx: f64, dz: f64| f64::from(ground.height(at(centre.x + x + dx, centre.y + z + dz)));
        let position = at(centre.x + x, centre.y + z);
        let surface = ground.surface(position, 0.0);
        let step = 1.0 / 64.0;
        let slope = DVec2::new(here(step, 0.0) - here(-step, 0.0), here(0.0, step) - here(0.0, -step)) / (2.0 * step);
        // Heights under 100 m are good to 8e-6 m each.
        prop_assert!((slope - surface.slope.as_dvec2()).abs().max_element() < 4e-3, "{slope} {surface:?}");
        let normal = ground.normal(position);
        let expected = DVec3::new(-slope.x, 1.0, -slope.y).normalize();
        prop_assert!((normal.as_dvec3() - expected).length() < 6e-3);
        prop_assert!((normal.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn borders_of_tiles_and_cells_do_not_show(i in 0..5usize, x in -14..14i32, z in -900.0..900.0f64, cell in any::<bool>()) {
        let ground = &grounds()[i];
        let centre = if i == 1 { DVec2::new(100_000.0, -50_000.0) } else { DVec2::ZERO };
        let border = if cell { centre.x + (f64::from(x) + 0.5) * 74.5 } else { f64::from(x) * 64.0 + 64.0 * (centre.x / 64.0).floor() };
        let [west, east] = [-2e-5, 2e-5].map(|d| ground.surface(at(border + d, centre.y + z), 0.0));
        prop_assert!((west.height - east.height).abs() < 1e-4, "{west:?} {east:?}");
        prop_assert!((west.slope - east.slope).abs().max_element() < 2e-3, "{west:?} {east:?}");
    }

    #[test]
    fn heights_lie_within_their_bounds(i in 0..5usize, x in -1000.0..1000.0f64, z in -1000.0..1000.0f64, u in 0.0..1.0f64, v in 0.0..1.0f64, size in 0.0..300.0f64) {
        let ground = &grounds()[i];
        let height = ground.height(at(x + u * size, z + v * size));
        let whole = ground.height_range();
        prop_assert!(whole[0] <= height && height <= whole[1], "{height} {whole:?}");
        let part = ground.range(at(x, z), Vec2::splat(size as f32 * 1.00001));
        prop_assert!(part[0] <= height && height <= part[1], "{height} {part:?}");
        prop_assert!(whole[0] <= part[0] && part[1] <= whole[1], "{part:?} {whole:?}");
    }
}

/// Detail so large that the slope of its roughness counts as much as anything else.
#[test]
fn the_slope_includes_that_of_the_roughness() {
    let detail =
        Detail { wavelength: 900.0, finest: 500.0, amplitude: 60.0, flat: 0.0, steep: 8.0, ..Detail::hills(3) };
    let ground = Ground::from_map(map(DVec2::ZERO), &detail);
    for i in 0..500 {
        let (x, z) = (f64::from(random(i, 1, -800.0, 800.0)), f64::from(random(i, 2, -800.0, 800.0)));
        let here = |dx: f64, dz: f64| f64::from(ground.height(at(x + dx, z + dz)));
        let slope = DVec2::new(here(0.25, 0.0) - here(-0.25, 0.0), here(0.0, 0.25) - here(0.0, -0.25)) / 0.5;
        let found = ground.surface(at(x, z), 0.0).slope.as_dvec2();
        assert!((slope - found).abs().max_element() < 2e-3, "{slope} {found}");
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Input {
    ground: GroundUniform,
    samples: [f32; 16],
    tile: IVec2,
    local: Vec2,
    finest: f32,
    pad: u32,
}

/// The order of calls that the documentation gives, with the 16 loads done on this side.
#[test]
fn the_twins_agree_on_every_ground() {
    let root = "
        import package::ground::height::{GroundUniform, ground_from_map, ground_without_map, ground_normal};
        import package::ground::map::map_cell;
        struct Input { ground: GroundUniform, samples: array<f32, 16>, tile: vec2i, local: vec2f, finest: f32, pad: u32 }
        struct Output { surface: vec3f, pad0: f32, normal: vec3f, pad1: f32 }
        fn surface(i: Input) -> vec3f {
            if (i.ground.map.size.x == 0) { return ground_without_map(i.ground, i.tile, i.local, i.finest); }
            let at = map_cell(i.tile, i.local, i.ground.map);
            return ground_from_map(i.ground, at, i.samples, i.tile, i.local, i.finest);
        }
        fn evaluate(i: Input) -> Output {
            let found = surface(i);
            return Output(found, 0.0, ground_normal(found), 0.0);
        }";
    let grounds = grounds();
    let inputs: Vec<Input> = (0..10_000u32)
        .map(|i| {
            let ground = &grounds[i as usize % 5];
            let centre = if i % 5 == 1 { IVec2::new(1562, -781) } else { IVec2::ZERO };
            let tile = Vec2::new(random(i, 1, -20.0, 20.0), random(i, 2, -20.0, 20.0)).floor().as_ivec2() + centre;
            let local = Vec2::new(random(i, 3, 0.0, 64.0), random(i, 4, -64.0, 128.0));
            let uniform = ground.uniform();
            let samples = ground.map().map_or([0.0; 16], |map| {
                let cell = map_cell(tile, local, &uniform.map).cell;
                std::array::from_fn(|k| map.raw(map_sample(cell, k as u32, &uniform.map)))
            });
            Input { ground: uniform, samples, tile, local, finest: [0.0, 5.0][i as usize / 5 % 2], pad: 0 }
        })
        .collect();
    let outputs: Vec<[f32; 8]> = Twin::open().evaluate(&MODULES, root, &inputs);
    for (i, (input, output)) in inputs.iter().zip(outputs).enumerate() {
        let position = Position {
            tile: IVec3::new(input.tile.x, 0, input.tile.y),
            local: Vec3::new(input.local.x, 0.0, input.local.y),
        };
        let expected = grounds[i % 5].surface(position, input.finest);
        let error = Vec3::new(output[0] - expected.height, output[1] - expected.slope.x, output[2] - expected.slope.y);
        assert!(error.abs().cmple(Vec3::new(6e-5, 5e-4, 5e-4)).all(), "{error} at {expected:?}");
        let normal = Vec3::new(output[4], output[5], output[6]);
        assert!((normal - expected.normal()).length() < 1e-3);
    }
}
