use anemone_ground::map::{MapUniform, catmull_rom, map_cell, map_sample};
use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, IVec2, Vec2, Vec3};
use proptest::prelude::*;

use crate::{MODULES, random};

const SPACINGS: [DVec2; 5] = [
    DVec2::new(74.5, 92.5),
    DVec2::new(1.0, 1.0),
    DVec2::new(0.01, 0.37),
    DVec2::new(30.0, 64.0),
    DVec2::new(100_000.0, 333.3),
];

fn a_map(i: usize) -> MapUniform {
    let anchor = [DVec2::ZERO, DVec2::new(1234.5, -98_765.4), DVec2::new(-2.0e6, 2.0e6)][i / SPACINGS.len() % 3];
    MapUniform::new(IVec2::new(403, 344), SPACINGS[i % SPACINGS.len()], anchor, 1.0, 0.0)
}

/// Where a point lies in samples, in f64, exact to 1e-8 or so.
fn exact(i: usize, tile: i32, local: f32, axis: usize) -> f64 {
    let spacing = SPACINGS[i % SPACINGS.len()][axis];
    let anchor = [DVec2::ZERO, DVec2::new(1234.5, -98_765.4), DVec2::new(-2.0e6, 2.0e6)][i / SPACINGS.len() % 3][axis];
    (f64::from(tile) * 64.0 + f64::from(local) - anchor) / spacing + ([403.0, 344.0][axis] - 1.0) / 2.0
}

proptest! {
    #[test]
    fn a_cell_is_exact_a_hundred_kilometres_out(i in 0..15usize, x in -1600..1600i32, z in -1600..1600i32, u in 0.0..64.0f32, v in -500.0..500.0f32) {
        let at = map_cell(IVec2::new(x, z), Vec2::new(u, v), &a_map(i));
        prop_assert!(at.fraction.min_element() >= 0.0 && at.fraction.max_element() < 1.0);
        for (axis, tile, local) in [(0, x, u), (1, z, v)] {
            let found = f64::from(at.cell[axis]) + f64::from(at.fraction[axis]);
            let metres = (found - exact(i, tile, local, axis)).abs() * SPACINGS[i % SPACINGS.len()][axis];
            // Two roundings of a 64 m tile in f32, and 1,600 tiles or 2,000 km at 2^-33 of a cell.
            let step = SPACINGS[i % SPACINGS.len()][axis] * (2.0e3 / 2f64.powi(33) + 2f64.powi(-24));
            prop_assert!(metres <= 1.2e-5 + step, "{metres} m");
        }
    }

    #[test]
    fn nothing_panics_anywhere(i in 0..15usize, x: i32, z: i32, u: f32, v: f32) {
        let map = a_map(i);
        for local in [Vec2::new(u, v), Vec2::splat(f32::NAN), Vec2::new(f32::INFINITY, f32::MIN)] {
            let at = map_cell(IVec2::new(x, z), local, &map);
            let texel = map_sample(at.cell, 15, &map);
            prop_assert!(texel.cmpge(IVec2::ZERO).all() && texel.cmplt(map.size).all());
        }
    }

    #[test]
    fn the_surface_passes_through_the_samples(samples: [i16; 16]) {
        let samples = samples.map(f32::from);
        for (corner, index) in [(Vec2::ZERO, 5), (Vec2::X, 6), (Vec2::Y, 9), (Vec2::ONE, 10)] {
            let found = catmull_rom(&samples, corner).x;
            prop_assert!((found - samples[index]).abs() <= 0.01, "{found} {}", samples[index]);
        }
    }

    #[test]
    fn it_is_c1_across_cells(heights: [[i8; 5]; 5], t in 0.0..1.0f32) {
        let window = |x: usize, z: usize| std::array::from_fn(|i| f32::from(heights[z + i / 4][x + i % 4]));
        let east = catmull_rom(&window(0, 0), Vec2::new(1.0, t)) - catmull_rom(&window(1, 0), Vec2::new(0.0, t));
        let south = catmull_rom(&window(0, 0), Vec2::new(t, 1.0)) - catmull_rom(&window(0, 1), Vec2::new(t, 0.0));
        prop_assert!(east.abs().max_element() <= 5e-4 && south.abs().max_element() <= 5e-4, "{east} {south}");
    }
}

/// Central differences are exact for parabolas, so a Catmull-Rom surface is too: value and slope have a closed form.
#[test]
fn parabolas_are_reproduced_with_their_slopes() {
    for i in 0..2000 {
        let k: [f64; 9] = std::array::from_fn(|j| f64::from(random(i, j as u32, -2.0, 2.0)));
        let f = |x: f64, y: f64| {
            let powers = [1.0, x, x * x];
            (0..9).map(|j| k[j] * powers[j % 3] * [1.0, y, y * y][j / 3]).sum::<f64>()
        };
        let samples = std::array::from_fn(|j| f((j % 4) as f64 - 1.0, (j / 4) as f64 - 1.0) as f32);
        let at = Vec2::new(random(i, 20, 0.0, 1.0), random(i, 21, 0.0, 1.0));
        let (x, y) = (f64::from(at.x), f64::from(at.y));
        // The derivative of a parabola is its central difference.
        let expected = [f(x, y), (f(x + 1.0, y) - f(x - 1.0, y)) / 2.0, (f(x, y + 1.0) - f(x, y - 1.0)) / 2.0];
        let found = catmull_rom(&samples, at).to_array();
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((f64::from(found) - expected).abs() < 4e-5, "{found} {expected}");
        }
    }
}

#[test]
fn high_ground_loses_no_precision() {
    let low: [f32; 16] = std::array::from_fn(|i| random(7, i as u32, 0.0, 64.0).floor());
    let high = low.map(|height| height + 60_000.0);
    for i in 0..100 {
        let at = Vec2::new(random(i, 1, 0.0, 1.0), random(i, 2, 0.0, 1.0));
        let (low, high) = (catmull_rom(&low, at), catmull_rom(&high, at));
        assert!((high - low - Vec3::X * 60_000.0).abs().cmple(Vec3::new(0.004, 0.0, 0.0)).all());
    }
}

#[test]
fn samples_are_held_at_the_border() {
    let map = a_map(0);
    assert_eq!(map_sample(IVec2::new(10, 20), 0, &map), IVec2::new(9, 19));
    assert_eq!(map_sample(IVec2::new(10, 20), 7, &map), IVec2::new(12, 20));
    assert_eq!(map_sample(IVec2::new(-1000, 343), 12, &map), IVec2::new(0, 343));
    assert_eq!(map_sample(IVec2::new(402, i32::MAX / 2), 15, &map), IVec2::new(402, 343));
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct CellInput {
    map: MapUniform,
    tile: IVec2,
    local: Vec2,
}

#[test]
fn the_twins_find_the_same_cell_bit_for_bit() {
    let root = "
        import package::ground::map::{MapUniform, MapCell, map_cell, map_sample};
        struct Input { map: MapUniform, tile: vec2i, local: vec2f }
        struct Output { at: MapCell, texel: vec2i }
        fn evaluate(i: Input) -> Output {
            let at = map_cell(i.tile, i.local, i.map);
            return Output(at, map_sample(at.cell, u32(i.tile.x) & 15u, i.map));
        }";
    let inputs: Vec<CellInput> = (0..30_000u32)
        .map(|i| {
            let reach = [1.0, 300.0, 2000.0, 1e9][i as usize % 4];
            let tile = Vec2::new(random(i, 1, -reach, reach), random(i, 2, -reach, reach)).floor().as_ivec2();
            let [low, high] = [[0.0, 64.0], [-1e-6, 1e-6], [-3000.0, 3000.0], [-1e12, 1e12]][i as usize / 4 % 4];
            let local = Vec2::new(random(i, 3, low, high), random(i, 4, low, high));
            CellInput { map: a_map(i as usize % 15), tile, local }
        })
        .collect();
    let outputs: Vec<[u32; 6]> = Twin::open().evaluate(&MODULES, root, &inputs);
    for (input, output) in inputs.iter().zip(outputs) {
        let at = map_cell(input.tile, input.local, &input.map);
        let texel = map_sample(at.cell, input.tile.x as u32 & 15, &input.map);
        let (x, z) = (at.fraction.x.to_bits(), at.fraction.y.to_bits());
        let expected = [at.cell.x as u32, at.cell.y as u32, x, z, texel.x as u32, texel.y as u32];
        assert_eq!(output, expected, "tile {} local {}", input.tile, input.local);
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct SurfaceInput {
    samples: [f32; 16],
    fraction: Vec2,
}

#[test]
fn the_twins_find_the_same_surface() {
    let root = "
        import package::ground::map::catmull_rom;
        struct Input { samples: array<f32, 16>, fraction: vec2f }
        struct Output { found: vec3f, pad: f32 }
        fn evaluate(i: Input) -> Output { return Output(catmull_rom(i.samples, i.fraction), 0.0); }";
    let inputs: Vec<SurfaceInput> = (0..10_000u32)
        .map(|i| SurfaceInput {
            samples: std::array::from_fn(|k| random(i, k as u32, 0.0, [1.0, 65_535.0][i as usize % 2])),
            fraction: Vec2::new(random(i, 30, 0.0, 1.0), random(i, 31, 0.0, 1.0)),
        })
        .collect();
    let outputs: Vec<[f32; 4]> = Twin::open().evaluate(&MODULES, root, &inputs);
    for (input, output) in inputs.iter().zip(outputs) {
        let expected = catmull_rom(&input.samples, input.fraction);
        let range = input.samples.iter().copied().fold(0.0, f32::max);
        let error = (Vec3::new(output[0], output[1], output[2]) - expected).abs().max_element();
        assert!(error <= 2e-6 * range, "{error} of {range}");
    }
}
