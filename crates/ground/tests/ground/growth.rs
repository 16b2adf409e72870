use anemone_ground::growth::{Growth, GrowthUniform, Patches, site_share};
use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Vec2, Vec3};

use crate::{MODULES, random};

fn up(slope: f32) -> Vec3 {
    Vec3::new(slope.sin(), slope.cos(), 0.0)
}

fn place(i: u32) -> (IVec2, Vec2) {
    let tile = Vec2::new(random(i, 1, -2e4, 2e4), random(i, 2, -2e4, 2e4)).floor().as_ivec2();
    (tile, Vec2::new(random(i, 3, 0.0, 64.0), random(i, 4, 0.0, 64.0)))
}

#[test]
fn by_default_everything_grows_everywhere() {
    let everywhere = Growth::default().uniform();
    for i in 0..1000 {
        let (tile, local) = place(i);
        let slope = random(i, 5, 0.0, std::f32::consts::PI);
        assert_eq!(site_share(tile, local, up(slope), random(i, 6, -1e7, 1e7), &everywhere), 1.0);
    }
}

#[test]
fn borders_are_where_they_were_set_and_as_wide() {
    let growth = Growth {
        slope: [0.2, 0.6],
        slope_border: 0.1,
        altitude: [100.0, 900.0],
        altitude_border: 50.0,
        ..Growth::default()
    };
    let uniform = growth.uniform();
    let share = |slope: f32, altitude: f32| site_share(IVec2::ZERO, Vec2::ZERO, up(slope), altitude, &uniform);
    for (slope, altitude, expected) in [
        (0.4, 500.0, 1.0),
        (0.2, 500.0, 0.5),
        (0.6, 500.0, 0.5),
        (0.149, 500.0, 0.0),
        (0.251, 500.0, 1.0),
        (0.651, 500.0, 0.0),
        (0.4, 100.0, 0.5),
        (0.4, 74.0, 0.0),
        (0.4, 126.0, 1.0),
        (0.4, 926.0, 0.0),
        (0.2, 900.0, 0.25),
    ] {
        let found = share(slope, altitude);
        assert!((found - expected).abs() < 2e-3, "slope {slope}, {altitude} m: {found}, not {expected}");
    }
}

#[test]
fn patches_cover_the_share_asked_for_and_the_rest_is_the_rest() {
    for (share, softness) in [(0.0, 1.0), (0.1, 0.0), (0.3, 0.5), (0.5, 1.0), (0.8, 0.2), (1.0, 0.7)] {
        let patches = Patches { size: 5.0, share, softness, seed: 3, inverted: false };
        let [inside, outside] = [false, true]
            .map(|inverted| Growth { patches: Some(Patches { inverted, ..patches }), ..Growth::default() }.uniform());
        let (mut sum, mut bare, mut full) = (0.0, 0, 0);
        let count = 40_000;
        for i in 0..count {
            let (tile, local) = place(i);
            let a = site_share(tile, local, Vec3::Y, 0.0, &inside);
            let b = site_share(tile, local, Vec3::Y, 0.0, &outside);
            assert!((0.0..=1.0).contains(&a) && (a + b - 1.0).abs() < 1e-6, "{a} and {b}");
            sum += f64::from(a);
            bare += u32::from(a == 0.0);
            full += u32::from(a == 1.0);
        }
        let mean = sum / f64::from(count);
        // Half a percent of the fit, and four deviations of a share of so many places.
        assert!((mean - f64::from(share)).abs() < 0.015, "share {share}, softness {softness}: {mean}");
        if softness == 0.0 || share == 0.0 || share == 1.0 {
            assert!(bare + full > count * 99 / 100, "share {share}: {bare} bare, {full} full");
        } else if softness == 1.0 {
            assert!(bare + full < count / 10, "share {share}: {bare} bare, {full} full");
        }
    }
}

#[test]
fn extremes_give_shares() {
    let size = [0.0, 1e-6, 1e9];
    for i in 0..300 {
        let pick = |k: u32, from: &[f32]| from[random(i, k, 0.0, from.len() as f32) as usize];
        let growth = Growth {
            slope: [pick(1, &[0.0, 1.0, 3.2]), pick(2, &[0.0, 1.0, 3.2])],
            slope_border: pick(3, &[0.0, 1.0, 4.0]),
            altitude: [pick(4, &[f32::NEG_INFINITY, -1e7, 1e7]), pick(5, &[f32::INFINITY, -1e7, 1e7])],
            altitude_border: pick(6, &[0.0, 1.0, 1e7]),
            patches: Some(Patches {
                size: pick(7, &size),
                share: pick(8, &[0.0, 0.5, 1.0]),
                softness: pick(9, &[0.0, 1.0]),
                seed: i,
                inverted: i.is_multiple_of(2),
            }),
        };
        let share = site_share(
            IVec2::new(1 << 27, 3),
            Vec2::splat(63.9),
            up(pick(10, &[0.0, 1.5, 3.1])),
            1e7,
            &growth.uniform(),
        );
        assert!((0.0..=1.0).contains(&share), "{growth:?}: {share}");
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Input {
    growth: GrowthUniform,
    normal: Vec3,
    altitude: f32,
    tile: IVec2,
    local: Vec2,
}

#[test]
fn the_shader_has_the_same_shares() {
    let inputs: Vec<Input> = (0..20_000)
        .map(|i| {
            let (tile, local) = place(i);
            let growth = Growth {
                slope: [random(i, 11, -0.2, 0.8), random(i, 12, 0.3, 3.5)],
                slope_border: random(i, 13, 0.05, 0.5),
                altitude: [random(i, 14, -500.0, 500.0), random(i, 15, 0.0, 900.0)],
                altitude_border: random(i, 16, 1.0, 300.0),
                patches: (i % 3 > 0).then_some(Patches {
                    size: random(i, 17, 0.5, 50.0),
                    share: random(i, 18, 0.0, 1.0),
                    softness: random(i, 19, 0.2, 1.0),
                    seed: i,
                    inverted: i.is_multiple_of(2),
                }),
            };
            let normal = up(random(i, 20, 0.0, 1.5));
            Input { growth: growth.uniform(), normal, altitude: random(i, 21, -600.0, 900.0), tile, local }
        })
        .collect();
    let root = "
        import package::ground::growth::{GrowthUniform, site_share};
        struct Input { growth: GrowthUniform, normal: vec3f, altitude: f32, tile: vec2i, local: vec2f }
        struct Output { share: f32 }
        fn evaluate(input: Input) -> Output {
            return Output(site_share(input.tile, input.local, input.normal, input.altitude, input.growth));
        }";
    let outputs: Vec<f32> = Twin::open().evaluate(&MODULES, root, &inputs);
    let mut between = 0;
    for (i, (input, output)) in inputs.iter().zip(&outputs).enumerate() {
        let share = site_share(input.tile, input.local, input.normal, input.altitude, &input.growth);
        // acos is good to some 1e-3 of a radian where a driver takes the cheap way; slopes' borders are 0.05 wide.
        assert!((share - output).abs() < 0.02, "case {i}: {share} and {output}");
        between += u32::from(share > 0.01 && share < 0.99);
    }
    assert!(between > 2000, "only {between} cases lie on a border");
}
