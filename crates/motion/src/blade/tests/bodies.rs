//! Outline, segments, and the 32 bytes.

use glam::{Vec2, Vec3};
use proptest::prelude::*;

use super::samples::Samples;
use crate::blade::*;

proptest! {
    #[test]
    fn bodies_keep_what_they_must(
        seed: u32, yaw in -3.0..3.0f32, height in HEIGHT_MIN..HEIGHT_MAX, width in WIDTH_MIN..WIDTH_MAX,
        stiffness in STIFFNESS_MIN..STIFFNESS_MAX,
    ) {
        let mut samples = Samples(seed);
        let up = samples.unit_vector();
        let (origin, extent) = (Vec3::new(0.0, -20.0, 0.0), Vec3::new(64.0, 35.0, 64.0));
        let root = origin + extent * Vec3::new(samples.range(0.0, 1.0), samples.range(0.0, 1.0), samples.range(0.0, 1.0));
        let body = blade_pack(root, up, yaw, height, width, stiffness, origin, extent);
        let blade = blade_unpack(body, origin, extent);
        prop_assert!((blade.root - root).abs().cmple(extent / 131_000.0 + 4e-6).all());
        prop_assert!((blade.height / height - 1.0).abs() <= 0.01);
        prop_assert!((blade.width / width - 1.0).abs() <= 0.03);
        prop_assert!((blade.stiffness / stiffness - 1.0).abs() <= 0.015);
        prop_assert!(blade.up.angle_between(up) <= 0.5f32.to_radians(), "{}", blade.up.angle_between(up).to_degrees());
        prop_assert!((blade.up.length() - 1.0).abs() < 1e-6 && (blade.front.length() - 1.0).abs() < 1e-6);
        prop_assert!(blade.up.dot(blade.front).abs() < 1e-6);
        prop_assert!(blade.front.angle_between(blade_front(blade.up, yaw)) <= 0.8f32.to_radians());
        // Packing what was unpacked changes nothing but, perhaps, the last unit of a log scale.
        let state = BladeState {
            tip: samples.vector(1.0), trample: samples.range(0.0, 1.0), previous: samples.vector(2.0), visible: 1, level: seed & 7,
        };
        let full = blade_pack_state(body, state, 0.5);
        prop_assert_eq!(&full.words[..3], &body.words[..3]);
        let back = blade_unpack_state(full);
        prop_assert_eq!((back.tip, back.visible, back.level), (state.tip, 1, seed & 7));
        prop_assert!((back.trample - state.trample).abs() <= 0.5 / 4095.0 + 1e-6);
        prop_assert!((back.previous - state.previous).abs().max_element() <= 1.01 / 32_767.0);
        prop_assert_eq!(blade_pack_state(full, back, 0.5), full);
    }
}

#[test]
fn straight_up_and_down_stay_so() {
    for up in [Vec3::Y, Vec3::NEG_Y, Vec3::X, Vec3::NEG_Z] {
        let body = blade_pack(Vec3::ZERO, up, 0.0, 0.3, 0.005, 10.0, Vec3::ZERO, Vec3::ONE);
        assert_eq!(blade_unpack(body, Vec3::ZERO, Vec3::ONE).up, up);
    }
}

#[test]
fn yaw_turns_anticlockwise_from_the_east() {
    assert!((blade_front(Vec3::Y, 0.0) - Vec3::X).length() < 1e-6);
    assert!((blade_front(Vec3::Y, 0.25) - Vec3::NEG_Z).length() < 1e-6);
    let blade = Blade { front: Vec3::X, up: Vec3::Y, root: Vec3::ZERO, height: 1.0, width: 0.1, stiffness: 10.0 };
    let pose = blade_pose(Vec3::Y, 1.0, Vec3::Y, LENGTH_EXACT);
    assert!((blade_curve(pose, blade.side(), 0.0).normal - Vec3::X).length() < 1e-6);
}

#[test]
fn out_of_range_values_are_clamped_and_nothing_is_not_a_number() {
    for value in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e30] {
        let v = Vec3::splat(value);
        let body = blade_pack(v, Vec3::Y, 0.0, value, value, value, Vec3::ZERO, Vec3::ZERO);
        let blade = blade_unpack(body, Vec3::ZERO, Vec3::ONE);
        assert!((HEIGHT_MIN..=HEIGHT_MAX * 1.0001).contains(&blade.height) && blade.root.is_finite());
    }
}

#[test]
fn slow_trample_decay_gets_through_twelve_bits_with_dither() {
    let mut body = blade_pack_state(Body::default(), BladeState { trample: 1.0, ..Default::default() }, 0.5);
    let mut samples = Samples(3);
    for _ in 0..240 * 20 {
        let mut state = blade_unpack_state(body);
        state.trample = (state.trample - 0.01 / 240.0).max(0.0);
        body = blade_pack_state(body, state, samples.range(0.0, 1.0));
    }
    assert!((blade_unpack_state(body).trample - 0.8).abs() < 0.02, "{}", blade_unpack_state(body).trample);
}

#[test]
fn outlines_are_the_sources() {
    let w = |shape, v| blade_half_width(shape, 0.5, 2.0, v);
    assert_eq!([0.0, 0.5, 1.0].map(|v| w(SHAPE_QUAD, v)), [1.0, 1.0, 1.0]);
    assert_eq!([0.0, 0.5, 1.0].map(|v| w(SHAPE_TRIANGLE, v)), [1.0, 0.5, 0.0]);
    assert_eq!([0.0, 0.5, 1.0].map(|v| w(SHAPE_QUADRATIC, v)), [1.0, 0.75, 0.0]);
    assert_eq!([0.0, 0.5, 0.75, 1.0].map(|v| w(SHAPE_TIP, v)), [1.0, 1.0, 0.5, 0.0]);
    assert_eq!(blade_ridge(SHAPE_QUAD, 0.5, 2.0, 0.0), 0.5);
    assert_eq!(blade_ridge(SHAPE_TRIANGLE, 0.5, 2.0, 0.5), 0.25);
    assert_eq!(blade_ridge(SHAPE_TIP, 0.5, 2.0, 0.75), 0.25);
}

#[test]
fn rows_rise_from_root_to_tip_and_stand_at_the_threshold() {
    for shape in [SHAPE_QUAD, SHAPE_TRIANGLE, SHAPE_QUADRATIC, SHAPE_TIP] {
        for tau in [0.02, 0.3, 0.5, 0.77, 0.98] {
            for n in BLADE_SEGMENTS {
                let rows: Vec<f32> = (0..=n).map(|i| blade_row(shape, tau, i, n)).collect();
                assert!(rows[0] == 0.0 && (rows[n as usize] - 1.0).abs() < 1e-6);
                assert!(rows.windows(2).all(|w| w[0] < w[1]));
                if shape == SHAPE_TIP && n >= 2 {
                    assert!(rows.contains(&tau), "{tau} {n} {rows:?}");
                }
            }
        }
    }
}

/// Greatest distance in px from either edge of the true outline to the drawn one.
fn stray(shape: u32, tau: f32, points: [Vec2; 3], half_px: f32, n: u32) -> f32 {
    let edge = |v: f32, sign: f32| {
        let a = points[0].lerp(points[1], v);
        let b = points[1].lerp(points[2], v);
        // The side is a fixed direction on the screen.
        a.lerp(b, v) + Vec2::new(sign * blade_half_width(shape, tau, 2.0 * half_px, v), 0.0)
    };
    let mut most = 0.0f32;
    for sign in [-1.0, 1.0] {
        for i in 0..n {
            let (v0, v1) = (blade_row(shape, tau, i, n), blade_row(shape, tau, i + 1, n));
            let (e0, e1) = (edge(v0, sign), edge(v1, sign));
            for k in 1..32u8 {
                let t = f32::from(k) / 32.0;
                most = most.max((edge(v0 + (v1 - v0) * t, sign) - e0.lerp(e1, t)).length());
            }
        }
    }
    most
}

#[test]
fn levels_keep_the_outline_within_the_error() {
    let mut samples = Samples(21);
    let mut used = [0; 8];
    for _ in 0..3000 {
        let size = samples.range(0.0, 6.0).exp();
        let mut point = || Vec2::new(samples.range(-1.0, 1.0), samples.range(-1.0, 1.0)) * size;
        let points = [point(), point(), point()];
        let half_px = samples.range(0.0, 30.0);
        let tau = samples.range(0.1, 0.9);
        let shape = samples.bits() % 4;
        let level = blade_segments(shape, tau, points, half_px, 0.25, 0);
        used[level as usize] += 1;
        let n = blade_segment_count(level);
        assert!(n == 27 || stray(shape, tau, points, half_px, n) <= 0.251, "{shape} {tau} {points:?} {half_px} {n}");
        // And no finer than asked: two levels down would not do.
        if level >= 2 {
            let coarse = blade_segment_count(level - 2);
            let limit = if shape == SHAPE_TIP { 0.05 } else { 0.25 };
            assert!(
                stray(shape, tau, points, half_px, coarse) > limit || shape == SHAPE_QUADRATIC,
                "{shape} {points:?}"
            );
        }
    }
    assert!(used.iter().all(|&n| n > 20), "{used:?}");
    let huge = Vec2::splat(1e30);
    assert_eq!(blade_segments(SHAPE_QUAD, 0.5, [Vec2::ZERO, huge, Vec2::ZERO], 1.0, 0.0, 0), 7);
    assert_eq!(blade_segments(SHAPE_QUAD, 0.5, [Vec2::ZERO; 3], 1.0, 0.25, 0), 0);
}

/// The plane of a blade at v against the eye, in double precision: positive on one side, negative on the other.
fn facing([root, guide, tip, across]: [Vec3; 4], v: f64) -> f64 {
    let [root, guide, tip, across] = [root, guide, tip, across].map(Vec3::as_dvec3);
    let point = root + guide * (2.0 * v * (1.0 - v)) + tip * (v * v);
    across.dot(point.cross(guide * (1.0 - v) + (tip - guide) * v))
}

#[test]
fn blades_turn_over_where_their_plane_passes_through_the_eye() {
    let mut samples = Samples(22);
    let mut found = [0; 3];
    for _ in 0..4000 {
        let blade = [samples.vector(4.0), samples.vector(1.0), samples.vector(1.0), samples.unit_vector()];
        let (turns, side) = blade_turns(blade[0], blade[1], blade[2], blade[3]);
        let turns: Vec<f64> = turns.to_array().into_iter().filter(|&v| v < 1.0).map(f64::from).collect();
        found[turns.len()] += 1;
        // By brute force: signs along the blade, away from the turns, change at each of them and nowhere else.
        for k in 0..=200 {
            let v = f64::from(k) / 200.0;
            if turns.iter().all(|turn| (turn - v).abs() > 2e-3) && facing(blade, v).abs() > 1e-5 {
                let passed = turns.iter().filter(|&&turn| turn < v).count();
                let wanted = f64::from(side) * if passed % 2 == 0 { 1.0 } else { -1.0 };
                assert!(facing(blade, v) * wanted > 0.0, "{blade:?} {turns:?} {v} {}", facing(blade, v));
            }
        }
    }
    assert!(found.iter().all(|&found| found > 10), "{found:?}");
}

#[test]
fn rows_stand_in_twos_where_a_blade_turns_over() {
    for shape in [SHAPE_QUAD, SHAPE_TIP] {
        for turns in [[0.0, 1.0], [0.003, 0.4], [0.31, 0.32], [0.5, 0.999], [0.6, 2.0]] {
            for (n, most) in [(3, 1), (5, 2), (8, 2), (27, 2)] {
                let count = turns.iter().filter(|&&v| v <= 1.0).count().min(most);
                let row = |i| blade_row_with_turns(shape, 0.6, i, n, Vec2::from(turns), count as u32);
                let rows: Vec<(f32, f32)> = (0..=n).map(row).collect();
                assert!(rows.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{rows:?}");
                let at: Vec<(f32, f32)> = rows.iter().copied().filter(|row| row.1 != 0.0).collect();
                let wanted = [(turns[0], 1.0), (turns[0], -1.0), (turns[1], -1.0), (turns[1], 1.0)];
                assert_eq!(at, wanted[..2 * count]);
                // The others are the even ones.
                let even = n - 2 * count as u32;
                let others: Vec<f32> = rows.iter().filter(|row| row.1 == 0.0).map(|row| row.0).collect();
                assert_eq!(others, (0..=even).map(|i| blade_row(shape, 0.6, i, even)).collect::<Vec<_>>());
            }
        }
    }
}
