//! Blades against spheres and capsules.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::samples::Samples;
use crate::blade::{
    Blade, BladeLaw, LENGTH_EXACT, LENGTH_PAPER, blade_collide, blade_curve, blade_front, blade_pose, blade_rest,
    blade_step, blade_validate,
};

/// A collision at 120 Hz.
fn collide(blade: &Blade, length: u32, state: Vec4, a: Vec3, b: Vec3, radius: f32) -> Vec4 {
    blade_collide(&BladeLaw { length, ..BladeLaw::default() }, blade, state, a, b, radius, 1.0 / 120.0)
}

/// How deep the worse of tip and middle is in, m, by the curve itself; negative outside.
fn depth(blade: &Blade, state: Vec4, a: Vec3, b: Vec3, radius: f32) -> f32 {
    let pose = blade_pose(blade.up, blade.height, state.xyz(), LENGTH_EXACT);
    let distance = |p: Vec3| {
        let axis = b - a;
        let t = if axis == Vec3::ZERO { 0.0 } else { ((p - a).dot(axis) / axis.dot(axis)).clamp(0.0, 1.0) };
        (p - a - axis * t).length()
    };
    [0.5, 1.0]
        .map(|v| radius - distance(blade_curve(pose, blade.side(), v).position))
        .into_iter()
        .fold(f32::MIN, f32::max)
}

/// Whether a search of the whole hemisphere finds a place well outside.
fn possible(blade: &Blade, a: Vec3, b: Vec3, radius: f32) -> bool {
    (0..=24u8).any(|i| {
        let (sin, cos) = (f32::from(i) / 24.0 * std::f32::consts::FRAC_PI_2).sin_cos();
        (0..48u8).any(|j| {
            let (east, north) = (f32::from(j) / 48.0 * std::f32::consts::TAU).sin_cos();
            let tip = blade.up * cos + (blade.front * east + blade.side() * north) * sin;
            depth(blade, tip.extend(0.0), a, b, radius) < -0.01 * blade.height
        })
    })
}

#[test]
fn tip_and_middle_end_outside_wherever_they_can() {
    let mut samples = Samples(11);
    let (mut hits, mut impossible) = (0, 0);
    for case in 0..6000 {
        let blade = samples.blade();
        let h = blade.height;
        let tip = samples.unit_vector();
        let state = blade_validate(blade.up, tip, LENGTH_EXACT).tip.extend(0.0);
        let a = samples.vector(1.5 * h);
        let b = if case % 2 == 0 { a } else { a + samples.vector(2.0 * h) };
        let radius = samples.range(0.02, 1.2) * h;
        let after = collide(&blade, LENGTH_EXACT, state, a, b, radius);
        assert!(after.is_finite());
        if depth(&blade, state, a, b, radius) <= 0.0 {
            assert_eq!(after, state);
            continue;
        }
        hits += 1;
        assert!(after.w > 0.0);
        let left = depth(&blade, after, a, b, radius) / h;
        if left > 0.02 {
            assert!(!possible(&blade, a, b, radius), "case {case}: {left} left, {blade:?} {state} {a} {b} {radius}");
            impossible += 1;
        }
    }
    assert!(hits > 1000 && impossible < hits / 2, "{hits} {impossible}");
}

fn upright() -> Blade {
    Blade { root: Vec3::ZERO, height: 0.5, up: Vec3::Y, width: 0.01, front: blade_front(Vec3::Y, 0.0), stiffness: 10.0 }
}

#[test]
fn a_ball_that_touches_only_the_middle_pushes_the_middle_its_own_way() {
    let blade = upright();
    for length in [LENGTH_EXACT, LENGTH_PAPER] {
        let state = blade_validate(Vec3::Y, Vec3::Y, length).tip.extend(0.0);
        let mid = blade_curve(blade_pose(Vec3::Y, 0.5, Vec3::Y, length), blade.side(), 0.5).position;
        let ball = mid - Vec3::new(0.0, 0.0, 0.04);
        let after = collide(&blade, length, state, ball, ball, 0.05);
        assert!(after.z > 0.01 && after.x.abs() < 1e-3, "{after}");
    }
}

#[test]
fn a_centre_on_the_point_itself_is_no_accident() {
    let blade = upright();
    for direction in [Vec3::Y, Vec3::new(0.6, 0.8, 0.0), Vec3::X] {
        let pose = blade_pose(Vec3::Y, 0.5, direction, LENGTH_EXACT);
        for centre in [pose.tip, pose.guide * 0.5 + pose.tip * 0.25, Vec3::ZERO] {
            for length in [LENGTH_EXACT, LENGTH_PAPER] {
                let after = collide(&blade, length, (pose.tip * 2.0).extend(0.0), centre, centre, 0.1);
                assert!(after.is_finite());
                if length == LENGTH_EXACT {
                    assert!(depth(&blade, after, centre, centre, 0.1) < 0.01, "{direction} {centre} {after}");
                }
            }
        }
    }
}

/// A ball of 0.25 m rolls right over the root at 2 m/s; the state when it is 1 m past, and the most trample.
fn rolled_over(rate: u16) -> (Vec4, f32) {
    let (blade, law) = (upright(), BladeLaw::default());
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut state = blade_rest(&law, &blade, gravity);
    let dt = 1.0 / f32::from(rate);
    let mut most = 0.0f32;
    for i in 0..rate * 3 / 2 {
        let centre = Vec3::new(-2.0 + 2.0 * dt * f32::from(i), 0.25, 0.01);
        state = blade_step(&law, &blade, gravity, Vec3::ZERO, state, dt);
        state = blade_collide(&law, &blade, state, centre, centre, 0.25, dt);
        assert!(depth(&blade, state, centre, centre, 0.25) < 0.01, "{i}");
        most = most.max(state.w);
    }
    (state, most)
}

#[test]
fn a_ball_rolling_over_leaves_grass_down_and_it_rises() {
    let (mut state, most) = rolled_over(120);
    assert!(most > 0.5, "{most}");
    // How hard it was trampled is no matter of the frame rate.
    let (_, finer) = rolled_over(240);
    assert!((most - finer).abs() < 0.2, "{most} {finer}");
    let (blade, law) = (upright(), BladeLaw::default());
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let standing = blade_rest(&law, &blade, gravity);
    assert!(state.y < 0.8 * standing.y && state.w > 0.1, "{state}");
    let trampled = state.w;
    let dt = 1.0 / 120.0;
    state = blade_step(&law, &blade, gravity, Vec3::ZERO, state, dt);
    assert!((state.w - (trampled - law.trample_decay * dt)).abs() < 1e-6);
    for _ in 0..2400 {
        state = blade_step(&law, &blade, gravity, Vec3::ZERO, state, dt);
    }
    assert!(state.w == 0.0 && (state - standing).length() < 1e-3, "{state}");
}

#[test]
fn trample_never_passes_one() {
    let blade = upright();
    let mut state = Vec4::Y;
    for _ in 0..2000 {
        state = collide(&blade, LENGTH_EXACT, Vec4::new(0.0, 1.0, 0.0, state.w), Vec3::Y * 0.5, Vec3::Y * 0.5, 0.2);
    }
    assert_eq!(state.w, 1.0);
}

#[test]
fn a_far_collider_changes_nothing() {
    let blade = upright();
    let state = Vec4::new(0.3, 0.7, 0.1, 0.4);
    let far = Vec3::new(0.0, 0.0, 2.0);
    assert_eq!(collide(&blade, LENGTH_EXACT, state, far, far, 1.4), state);
    assert_eq!(collide(&blade, LENGTH_PAPER, state, far, far * 2.0, 1.4), state);
}
