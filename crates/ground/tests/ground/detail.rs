use anemone_ground::detail::{Detail, DetailUniform, detail, map_roughness};
use anemone_ground::map::MapUniform;
use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, IVec2, Vec2, Vec3};
use proptest::prelude::*;

use crate::{MODULES, random};

fn all(i: u32) -> DetailUniform {
    [Detail::hills(i), Detail::below(92.5, i), Detail::below(1.0, i)][i as usize % 3].uniform()
}

proptest! {
    #[test]
    fn the_slope_is_the_derivative(i in 0..60u32, x in -2000..2000i32, z in -2000..2000i32, u in 1.0..63.0f32, v in 1.0..63.0f32) {
        let params = all(i);
        let at = |dx: f32, dz: f32| detail(IVec2::new(x, z), Vec2::new(u + dx, v + dz), &params, 0.0).x;
        let found = detail(IVec2::new(x, z), Vec2::new(u, v), &params, 0.0);
        // Shorter, and rounding takes over; longer, and the curve of half a metre's octave does.
        let step = 1.0 / 64.0;
        let slope = Vec2::new(at(step, 0.0) - at(-step, 0.0), at(0.0, step) - at(0.0, -step)) / (2.0 * step);
        // Twice the worst of 300,000 places: 1.1e-3 at an amplitude of 13 m, 2.8e-4 at 2.7 m, 1.9e-4 at 3 cm.
        let error = (slope - Vec2::new(found.y, found.z)).abs().max_element();
        prop_assert!(error < 5e-4 + 1.5e-4 * params.amplitude, "{slope} {found}");
    }

    #[test]
    fn tile_borders_do_not_show(i in 0..60u32, x in -2000..2000i32, z in -2000..2000i32, v in 0.0..64.0f32) {
        let params = all(i);
        let west = detail(IVec2::new(x, z), Vec2::new(64.0 - 1.0 / 262_144.0, v), &params, 0.0);
        let east = detail(IVec2::new(x + 1, z), Vec2::new(0.0, v), &params, 0.0);
        let beyond = detail(IVec2::new(x, z), Vec2::new(64.0, v), &params, 0.0);
        prop_assert!((west - east).abs().cmple(Vec3::new(3e-5, 1e-3, 1e-3)).all(), "{west} {east}");
        prop_assert_eq!(beyond, east);
    }

    #[test]
    fn levels_of_detail_are_bounded_and_do_not_pop(i in 0..60u32, u in 0.0..64.0f32, v in 0.0..64.0f32, finest in 0.0..2000.0f32) {
        let params = all(i);
        let at = |finest| detail(IVec2::ONE, Vec2::new(u, v), &params, finest).x;
        prop_assert!((at(finest) - at(0.0)).abs() <= params.residual(finest) + 1e-5);
        prop_assert!(at(0.0).abs() <= params.residual(f32::INFINITY));
        // A change of 0.1 % in `finest` moves the ground by less than 1 % of what it could move by.
        prop_assert!((at(finest * 1.001) - at(finest)).abs() <= 0.01 * params.residual(f32::INFINITY));
    }
}

#[test]
fn without_amplitude_there_is_none() {
    for amplitude in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let params = Detail { amplitude, ..Detail::hills(1) }.uniform();
        assert_eq!(detail(IVec2::new(5, -7), Vec2::new(3.0, 4.0), &params, 0.0), Vec3::ZERO);
    }
    assert_eq!(Detail::none().uniform().octaves, 0);
}

#[test]
fn absurd_settings_stay_finite() {
    for wavelength in [0.0, -5.0, 1e-9, 1e300, f64::NAN, f64::INFINITY] {
        for finest in [0.0, -1.0, 1e9, f64::NAN] {
            let params = Detail { wavelength, finest, ..Detail::hills(1) }.uniform();
            assert!(params.octaves < 32);
            for finest in [0.0, 1.0, f32::NAN, -1.0] {
                let found = detail(IVec2::new(i32::MAX, i32::MIN), Vec2::new(-1e9, 63.0), &params, finest);
                assert!(found.is_finite(), "{wavelength} {finest} {found}");
            }
        }
    }
}

#[test]
fn octaves_reach_half_a_metre() {
    let params = Detail::below(92.5, 1).uniform();
    let last = params.wavelength / (1 << (params.octaves - 1)) as f32;
    assert!((0.5..1.0).contains(&last), "{last}");
    assert_eq!(detail(IVec2::ZERO, Vec2::ONE, &params, params.wavelength), Vec3::ZERO);
}

/// What the defaults were tuned for: gentle ground has a metre or two of relief over 50 m, centimetres over a metre.
#[test]
fn a_meadow_has_natural_relief() {
    for (params, most) in [(Detail::below(92.5, 3).uniform(), 2.5), (Detail::hills(3).uniform(), 3.5)] {
        let relief = |tile: i32, size: f32| {
            let heights = (0..400).map(|i| {
                let local = Vec2::new((i % 20) as f32, (i / 20) as f32) * (size / 19.0);
                params.flat_ground * detail(IVec2::new(tile, -3 * tile), local, &params, 0.0).x
            });
            let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(h), high.max(h)));
            high - low
        };
        let median = |size: f32| {
            let mut found: Vec<f32> = (0..101).map(|i| relief(37 * i, size)).collect();
            found.sort_by(f32::total_cmp);
            found[50]
        };
        let (wide, near) = (median(50.0), median(1.0));
        assert!((0.8..most).contains(&wide), "{wide} m over 50 m");
        assert!((0.01..0.15).contains(&near), "{near} m over 1 m");
    }
}

#[test]
fn steep_ground_is_rougher_and_the_roughness_has_the_right_slope() {
    let map = MapUniform::new(IVec2::splat(9), DVec2::new(74.5, 92.5), DVec2::ZERO, 1.0, 0.0);
    let params = Detail::below(92.5, 1).uniform();
    let plane = |rise: f32| std::array::from_fn(|i| rise * 74.5 * (i % 4) as f32);
    let middle = Vec2::splat(0.5);
    let flat = map_roughness(&plane(0.0), middle, &map, &params);
    assert_eq!(flat, Vec3::new(params.flat_ground, 0.0, 0.0));
    // A slope of 3 in 4 has the sine 0.6.
    let steep = map_roughness(&plane(0.75), middle, &map, &params);
    assert!((steep.x - (params.flat_ground + 0.6 * params.steep)).abs() < 1e-5);
    assert!(steep.x <= params.greatest_roughness(0.750_01));
    for i in 0..500 {
        let samples = std::array::from_fn(|k| random(i, k as u32, 0.0, 60.0));
        let at = Vec2::new(random(i, 20, 0.01, 0.99), random(i, 21, 0.01, 0.99));
        let found = map_roughness(&samples, at, &map, &params);
        let step = 0.005;
        let rough = |x: f32, z: f32| map_roughness(&samples, at + Vec2::new(x, z), &map, &params).x;
        let x = (rough(step, 0.0) - rough(-step, 0.0)) / (2.0 * step * 74.5);
        let z = (rough(0.0, step) - rough(0.0, -step)) / (2.0 * step * 92.5);
        assert!((found.y - x).abs() < 3e-6 && (found.z - z).abs() < 3e-6, "{found} {x} {z}");
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Input {
    params: DetailUniform,
    tile: IVec2,
    local: Vec2,
    finest: f32,
    pad: u32,
}

#[test]
fn the_twins_agree() {
    let root = "
        import package::ground::detail::{DetailUniform, detail};
        struct Input { params: DetailUniform, tile: vec2i, local: vec2f, finest: f32, pad: u32 }
        struct Output { found: vec3f, pad: f32 }
        fn evaluate(i: Input) -> Output { return Output(detail(i.tile, i.local, i.params, i.finest), 0.0); }";
    let inputs: Vec<Input> = (0..10_000u32)
        .map(|i| {
            let reach = [1.0, 300.0, 20_000.0][i as usize % 3];
            let [low, high] = [[0.0, 64.0], [-500.0, 500.0]][i as usize / 3 % 2];
            Input {
                params: all(i / 6),
                tile: Vec2::new(random(i, 1, -reach, reach), random(i, 2, -reach, reach)).floor().as_ivec2(),
                local: Vec2::new(random(i, 3, low, high), random(i, 4, low, high)),
                finest: [0.0, random(i, 5, 0.0, 200.0)][i as usize / 12 % 2],
                pad: 0,
            }
        })
        .collect();
    let outputs: Vec<[f32; 4]> = Twin::open().evaluate(&MODULES, root, &inputs);
    for (input, output) in inputs.iter().zip(outputs) {
        let expected = detail(input.tile, input.local, &input.params, input.finest);
        let error = (Vec3::new(output[0], output[1], output[2]) - expected).abs();
        // The lattice is good to 1e-5 of a cell of at least half a metre.
        assert!(error.cmple(Vec3::new(3e-5, 3e-4, 3e-4)).all(), "{error} at {expected}");
    }
}
