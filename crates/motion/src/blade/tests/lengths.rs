//! Length, guide and bounds of the poses.

use glam::{DVec3, Vec3};
use proptest::prelude::*;

use super::samples::Samples;
use crate::blade::{
    BladeLaw, BladePose, LENGTH_EXACT, LENGTH_PAPER, blade_curve, blade_pose, blade_step, blade_validate,
};

/// True arc length by Simpson's rule on the hodograph, in f64.
fn arc_length(pose: BladePose) -> f64 {
    let (guide, tip) = (pose.guide.as_dvec3(), pose.tip.as_dvec3());
    let speed = |v: f64| 2.0 * (guide * (1.0 - v) + (tip - guide) * v).length();
    let steps = 2000;
    let weight = |i| if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    (0..=steps).map(|i| weight(i) * speed(f64::from(i) / f64::from(steps))).sum::<f64>() / f64::from(3 * steps)
}

#[test]
fn the_published_vectors_come_out() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/blade.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() >= 10);
    for case in cases {
        let h = case["h"].as_f64().unwrap();
        let vector = |name: &str| DVec3::from_array([0, 1, 2].map(|i| case[name][i].as_f64().unwrap()));
        let pose = blade_pose(Vec3::Y, h as f32, (vector("tip") / h).as_vec3(), LENGTH_PAPER);
        for (got, expected) in [(pose.guide, vector("guide_expected")), (pose.tip, vector("tip_expected"))] {
            assert!((got.as_dvec3() - expected).abs().max_element() <= 1e-6, "{case}: {got}");
        }
    }
}

#[test]
fn the_length_uses_the_old_guide_and_the_quadratic_estimate() {
    // Known mistakes of others: 0.9975 with the corrected guide, 0.9782 and 0.9829 with the cubic's estimate.
    let pose = blade_validate(Vec3::Y, Vec3::new(0.5, 0.8, 0.0), LENGTH_PAPER);
    assert!((arc_length(pose) - 1.001179).abs() < 1e-5, "{}", arc_length(pose));
}

#[test]
fn the_ground_clamp_is_a_projection_on_a_slope() {
    let up = Vec3::new(0.6, 0.8, 0.0);
    let along = Vec3::new(0.8, -0.6, 0.0);
    let below = along * 0.7 - up * 0.4;
    for length in [LENGTH_EXACT, LENGTH_PAPER] {
        let pose = blade_validate(up, below, length);
        assert!(pose.tip.dot(up).abs() < 1e-6 && pose.tip.normalize().dot(along) > 0.999_999);
    }
}

#[test]
fn exact_blades_have_their_length_at_every_angle() {
    let (mut least, mut most) = (f64::MAX, 0.0f64);
    for i in 0..=9000 {
        let angle = f64::from(i) * 0.01f64.to_radians();
        let tip = Vec3::new(angle.sin() as f32, angle.cos() as f32, 0.0);
        let length = arc_length(blade_validate(Vec3::Y, tip * 0.3, LENGTH_EXACT));
        least = least.min(length);
        most = most.max(length);
    }
    assert!(least >= 0.9998 && most <= 1.000_001, "{least} {most}");
}

#[test]
fn the_exact_guide_stays_close_to_the_sources() {
    for degrees in 10..=90u8 {
        let angle = f32::from(degrees).to_radians();
        let pose = blade_validate(Vec3::Y, Vec3::new(angle.sin(), angle.cos(), 0.0), LENGTH_EXACT);
        let source = (1.0 - pose.tip.x).max(0.05);
        assert!((pose.guide.y - source).abs() < if degrees < 20 { 0.12 } else { 0.06 }, "{degrees}");
        // Monotonic: the lower the tip, the lower the guide.
        let lower = blade_validate(Vec3::Y, Vec3::new((angle + 0.01).sin(), (angle + 0.01).cos(), 0.0), LENGTH_EXACT);
        assert!(lower.guide.y <= pose.guide.y);
    }
}

#[test]
fn paper_lengths_are_in_the_known_range() {
    let mut samples = Samples(1);
    for _ in 0..4000 {
        let tip = samples.unit_vector() * samples.range(0.3, 2.0);
        let tip = Vec3::new(tip.x, tip.y.abs(), tip.z);
        let length = arc_length(blade_validate(Vec3::Y, tip, LENGTH_PAPER));
        assert!((0.928..1.167).contains(&length), "{length} {tip}");
    }
}

fn state_vector() -> impl Strategy<Value = Vec3> {
    let axis = prop_oneof![-2.0..2.0f32, Just(0.0), Just(-0.0), Just(1e-30), Just(1e15), Just(-1e15), -1e-4..1e-4f32];
    [axis.clone(), axis.clone(), axis].prop_map(Vec3::from_array)
}

proptest! {
    #[test]
    fn no_state_leaves_the_sphere_or_the_ground(tip in state_vector(), seed: u32, height in 0.02..4.0f32) {
        let blade = Samples(seed).blade();
        for length in [LENGTH_EXACT, LENGTH_PAPER] {
            let pose = blade_pose(blade.up, height, tip, length);
            prop_assert!(pose.guide.is_finite() && pose.tip.is_finite());
            for i in 0..=16u8 {
                let point = blade_curve(pose, blade.side(), f32::from(i) / 16.0);
                prop_assert!(point.position.length() <= height * 1.000_002, "{} {tip}", point.position.length() / height);
                prop_assert!(point.position.dot(blade.up) >= -2e-6 * height);
                prop_assert!((point.tangent.length() - 1.0).abs() < 1e-5 && (point.normal.length() - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn no_input_makes_a_state_that_is_not_a_number(
        tip in state_vector(), wind in state_vector(), gravity in state_vector(), seed: u32,
        stiffness in prop_oneof![Just(0.0f32), Just(1e-20), 1.0..30.0f32, Just(1e6)],
        dt in prop_oneof![Just(0.0f32), Just(1e-9), 0.0..1.0f32, Just(1e4)],
        trample in prop_oneof![Just(0.0f32), 0.0..2.0f32, Just(1e6)],
    ) {
        let mut blade = Samples(seed).blade();
        blade.stiffness = stiffness;
        for law in [BladeLaw::default(), BladeLaw::vulkan()] {
            let state = blade_step(&law, &blade, gravity, wind, tip.extend(trample), dt);
            prop_assert!(state.is_finite(), "{state}");
            prop_assert!(state.truncate().length() <= 2.000_01 && state.w >= 0.0);
        }
    }

    #[test]
    fn exact_validation_keeps_a_valid_tip(tip in state_vector(), seed: u32) {
        let up = Samples(seed).blade().up;
        let once = blade_validate(up, tip, LENGTH_EXACT);
        let twice = blade_validate(up, once.tip, LENGTH_EXACT);
        prop_assert!((once.tip - twice.tip).length() < 1e-5 && (once.guide - twice.guide).length() < 1e-5);
    }
}
