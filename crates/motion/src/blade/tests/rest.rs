//! Where blades come to rest, and how.

use anemone_field::space::Position;
use glam::{DVec3, Vec3, Vec4, Vec4Swizzles};

use super::samples::Samples;
use crate::blade::{
    Blade, BladeLaw, LENGTH_EXACT, blade_catch_up, blade_front, blade_gravity, blade_pose, blade_rest, blade_step,
    blade_substeps, blade_validate, blade_wind,
};

fn frames(law: &BladeLaw, blade: &Blade, gravity: Vec3, wind: Vec3, start: Vec4, rate: f32, seconds: f32) -> Vec4 {
    let (count, dt) = blade_substeps(1.0 / rate);
    let mut state = start;
    for _ in 0..(rate * seconds) as u32 * count {
        state = blade_step(law, blade, gravity, wind, state, dt);
    }
    state
}

fn level(yaw: f32) -> Blade {
    Blade {
        root: Vec3::ZERO,
        height: 0.3,
        up: Vec3::Y,
        width: 0.005,
        front: blade_front(Vec3::Y, yaw),
        stiffness: 10.0,
    }
}

fn lean(state: Vec4) -> f32 {
    Vec3::new(state.x, 0.0, state.z).length().atan2(state.y).to_degrees()
}

const DOWN: Vec3 = Vec3::new(0.0, -9.81, 0.0);

#[test]
fn the_rest_pose_is_the_same_at_every_frame_rate() {
    let mut samples = Samples(2);
    let law = BladeLaw::default();
    let mut compared = 0;
    for _ in 0..60 {
        let blade = samples.blade();
        let gravity = samples.vector(15.0);
        let wind = samples.vector(30.0);
        let start = samples.vector(1.0).extend(0.0);
        let rests = [10.0, 30.0, 60.0, 240.0].map(|rate| frames(&law, &blade, gravity, wind, start, rate, 30.0));
        for rest in &rests[1..] {
            assert!((*rest - rests[0]).length() <= 1e-4, "{blade:?} {gravity} {wind} {rests:?}");
            compared += 1;
        }
        // It is also where steps of a twentieth of a second lead, without substeps.
        let mut coarse = start;
        for _ in 0..800 {
            coarse = blade_step(&law, &blade, gravity, wind, coarse, 0.05);
        }
        assert!((coarse - rests[0]).length() <= 1e-4, "{blade:?} {gravity} {wind} {coarse} {}", rests[0]);
    }
    assert_eq!(compared, 180);
}

#[test]
fn the_rest_pose_is_an_equilibrium_in_closed_form() {
    // Without wind x is parallel to e = up + G/s.
    let mut samples = Samples(3);
    for _ in 0..200 {
        let blade = samples.blade();
        let law = BladeLaw::default();
        let gravity = samples.vector(12.0);
        let rest = frames(&law, &blade, gravity, Vec3::ZERO, blade.up.extend(0.0), 60.0, 30.0);
        let pull = gravity + blade.front * (0.25 * gravity.length());
        let e = blade.up + pull / (1.9 * blade.stiffness);
        let e = e - blade.up * e.dot(blade.up).min(0.0);
        assert!(e.length() < 0.05 || rest.xyz().normalize().dot(e.normalize()) > 1.0 - 1e-6, "{rest} {e}");
        assert!((blade_rest(&law, &blade, gravity) - rest).length() < 2e-3 || e.length() < 0.05);
    }
}

/// dx̂/dt of the constrained motion, in f64 and from the formulas alone; the reach from the pose.
fn turning(x: DVec3, wind: DVec3) -> DVec3 {
    let reach = f64::from(blade_validate(Vec3::Y, x.as_vec3(), LENGTH_EXACT).tip.length());
    let alignment = 1.0 - wind.normalize().dot(x).abs();
    let felt = wind * (3.8 / 1.9) * alignment * (reach * x.y).clamp(0.0, 1.0);
    let force = (DVec3::Y - x * reach) * 10.0 + DVec3::new(0.0, -9.81 / 1.9, 0.0) + felt;
    (force - x * force.dot(x)) / reach
}

#[test]
fn steps_follow_the_differential_equation() {
    let law = BladeLaw { front_gravity: 0.0, ..BladeLaw::default() };
    let wind = DVec3::new(1.0, 0.0, 6.0);
    let mut state = Vec4::new(0.6, 0.7, 0.0, 0.0);
    let mut exact = DVec3::new(0.6, 0.7, 0.0).normalize();
    let mut worst = 0.0f64;
    for _ in 0..120 {
        state = blade_step(&law, &level(0.0), DOWN, wind.as_vec3(), state, 1.0 / 120.0);
        for _ in 0..100 {
            exact = (exact + turning(exact, wind) / 12_000.0).normalize();
        }
        worst = worst.max((state.xyz().normalize().as_dvec3() - exact).length());
    }
    // First order in the step: 8 ms at rates of about 20/s.
    assert!(worst < 0.03, "{worst}");
}

#[test]
fn a_hitch_of_half_a_second_is_stable() {
    let mut samples = Samples(4);
    let law = BladeLaw::default();
    for _ in 0..200 {
        let mut blade = samples.blade();
        blade.stiffness = samples.range(1.0, 60.0);
        let wind = samples.vector(60.0);
        let start = samples.vector(1.0).extend(0.0);
        // One step of half a second, unsubstepped, neither overshoots nor leaves what smooth time gives for long.
        let mut hitch = blade_step(&law, &blade, DOWN, wind, start, 0.5);
        let (count, dt) = blade_substeps(0.5);
        assert_eq!(count, 60);
        let mut smooth = start;
        for _ in 0..count {
            smooth = blade_step(&law, &blade, DOWN, wind, smooth, dt);
        }
        for _ in 0..2400 {
            hitch = blade_step(&law, &blade, DOWN, wind, hitch, 1.0 / 120.0);
            smooth = blade_step(&law, &blade, DOWN, wind, smooth, 1.0 / 120.0);
        }
        // A blade that balances on its head may fall either way.
        let balanced = blade.up.y < -0.9 || blade.stiffness < 8.0;
        assert!(balanced || (hitch - smooth).length() < 1e-3, "{blade:?} {wind} {hitch} {smooth}");
    }
}

#[test]
fn five_metres_a_second_bend_a_default_blade_by_about_forty_degrees() {
    let law = BladeLaw::default();
    let calm = lean(frames(&law, &level(0.0), DOWN, Vec3::ZERO, Vec4::Y, 60.0, 20.0));
    assert!((14.0..16.0).contains(&calm), "{calm}");
    let behind = lean(frames(&law, &level(0.0), DOWN, Vec3::new(5.0, 0.0, 0.0), Vec4::Y, 60.0, 20.0));
    assert!((35.0..45.0).contains(&behind), "{behind}");
    let mut mean = 0.0;
    for i in 0..16u8 {
        mean +=
            lean(frames(&law, &level(f32::from(i) / 16.0), DOWN, Vec3::new(5.0, 0.0, 0.0), Vec4::Y, 60.0, 20.0)) / 16.0;
    }
    assert!((33.0..45.0).contains(&mean), "{mean}");
}

#[test]
fn lawns_and_reeds_stand_alike_and_raw_constants_do_not() {
    let law = BladeLaw::default();
    let tall = |height: f32| Blade { height, ..level(0.0) };
    let wind = Vec3::new(3.0, 0.0, 1.0);
    let rests = [0.05, 0.3, 3.0].map(|h| frames(&law, &tall(h), DOWN, wind, Vec4::Y, 60.0, 20.0));
    assert!((rests[0] - rests[2]).length() < 1e-6 && (rests[1] - rests[2]).length() < 1e-6);
    let raw = BladeLaw { reference_height: 0.0, ..law };
    assert!(lean(frames(&raw, &tall(0.2), DOWN, Vec3::ZERO, Vec4::Y, 60.0, 20.0)) > 85.0);
    assert!(lean(frames(&raw, &tall(1.9), DOWN, Vec3::ZERO, Vec4::Y, 60.0, 20.0)) < 20.0);
}

#[test]
fn the_vulkan_preset_moves_as_its_source_at_fine_steps() {
    // Notes, 1.4: gravity, front and recovery, h = 1.8, dt = 1/1000, tip (front, up) after 10 s.
    for (stiffness, front, up) in [(7.0, 1.134, 1.290), (13.0, 0.312, 1.729)] {
        let law = BladeLaw::vulkan();
        let blade = Blade { height: 1.8, stiffness, ..level(0.0) };
        let mut state = Vec4::Y;
        for _ in 0..10_000 {
            state = blade_step(&law, &blade, DOWN, Vec3::ZERO, state, 1e-3);
        }
        let tip = blade_pose(Vec3::Y, 1.8, state.xyz(), law.length).tip;
        assert!((tip.x - front).abs() < 3e-3 && (tip.y - up).abs() < 3e-3, "{stiffness} {tip}");
    }
}

#[test]
fn wind_counts_by_alignment_and_height() {
    let wind = Vec3::new(4.0, 0.0, 0.0);
    assert_eq!(blade_wind(Vec3::Y, Vec3::Y, wind), wind);
    assert!((blade_wind(Vec3::Y, Vec3::new(0.6, 0.8, 0.0), wind) - wind * (0.4 * 0.8)).length() < 1e-5);
    // The alignment is of directions, whatever the tip's length.
    assert!((blade_wind(Vec3::Y, Vec3::new(0.3, 0.4, 0.0), wind) - wind * (0.4 * 0.4)).length() < 1e-5);
    assert_eq!(blade_wind(Vec3::Y, Vec3::X, wind), Vec3::ZERO);
    for nothing in [Vec3::ZERO, Vec3::splat(1e-30)] {
        assert_eq!(blade_wind(Vec3::Y, Vec3::Y, nothing), Vec3::ZERO);
        assert_eq!(blade_wind(Vec3::Y, nothing, wind), Vec3::ZERO);
    }
}

#[test]
fn calm_and_opposite_winds_are_ordinary() {
    let law = BladeLaw::default();
    let calm = frames(&law, &level(0.1), Vec3::ZERO, Vec3::ZERO, Vec4::new(0.5, 0.5, 0.0, 0.0), 60.0, 30.0);
    assert!((calm.xyz() - Vec3::Y).length() < 3e-3, "{calm}");
    let along = frames(&law, &level(0.0), DOWN, Vec3::new(8.0, 0.0, 0.0), Vec4::Y, 60.0, 20.0);
    let against = frames(&law, &level(0.0), DOWN, Vec3::new(-8.0, 0.0, 0.0), along, 60.0, 20.0);
    assert!(along.x > 0.5 && against.x < -0.3, "{along} {against}");
}

#[test]
fn catching_up_arrives_where_waking_would_have() {
    let mut samples = Samples(5);
    let law = BladeLaw::default();
    let mut errors = Vec::new();
    for _ in 0..400 {
        let blade = samples.blade();
        let wind = samples.vector(8.0);
        let gravity = samples.vector(9.0);
        let start = blade_step(&law, &blade, gravity, wind, samples.vector(1.0).extend(0.6), 0.0);
        let caught = blade_catch_up(&law, &blade, gravity, wind, start, 40.0);
        let awake = frames(&law, &blade, gravity, wind, start, 60.0, 40.0);
        assert_eq!(caught.w, 0.0);
        errors.push((caught - awake).length());
        let (count, _) = blade_substeps(0.1);
        assert_eq!(count, 12);
        let short = blade_catch_up(&law, &blade, gravity, wind, start, 0.1);
        let awake = frames(&law, &blade, gravity, wind, start, 10.0, 0.1);
        assert!((short - awake).length() < 0.08, "{short} {awake}");
        assert_eq!(blade_catch_up(&law, &blade, gravity, wind, start, 0.0).w, start.w);
    }
    errors.sort_by(f32::total_cmp);
    // 19 in 20 arrive. The rest are those that the wind turns slowly even when they are awake.
    assert!(errors[200] < 1e-4 && errors[380] < 0.01 && errors[396] < 0.25, "{:?}", &errors[360..]);
}

#[test]
fn trampled_blades_stay_down_and_rise_slowly() {
    let law = BladeLaw::default();
    let mut pressed = Vec4::new(1.0, 0.05, 0.0, 1.0);
    let mut free = Vec4::new(1.0, 0.05, 0.0, 0.0);
    for _ in 0..60 {
        pressed = blade_step(&law, &level(0.0), DOWN, Vec3::ZERO, pressed, 1.0 / 120.0);
        free = blade_step(&law, &level(0.0), DOWN, Vec3::ZERO, free, 1.0 / 120.0);
    }
    assert!(lean(pressed) > 80.0 && lean(free) < 40.0, "{} {}", lean(pressed), lean(free));
    // 0.25 a second wears 1 off in 4 s, and then it stands like the other.
    assert!((pressed.w - 0.875).abs() < 1e-5);
    let late = frames(&law, &level(0.0), DOWN, Vec3::ZERO, pressed, 60.0, 20.0);
    assert_eq!(late.w, 0.0);
    assert!((lean(late) - 15.0).abs() < 1.0);
}

#[test]
fn frames_are_divided_into_equal_substeps() {
    for (dt, count) in [(1.0 / 60.0, 2), (1.0 / 120.0, 1), (1.0 / 240.0, 1), (0.1, 12), (0.5, 60), (9.0, 120), (0.0, 1)]
    {
        let (n, step) = blade_substeps(dt);
        assert_eq!(n, count, "{dt}");
        assert!((step * n as f32 - dt.min(1.0)).abs() < 1e-6);
    }
    assert_eq!(blade_substeps(f32::NAN), (1, 0.0));
    assert_eq!(blade_substeps(-1.0), (1, 0.0));
}

#[test]
fn gravity_pulls_along_a_direction_or_to_a_point() {
    let mut law = BladeLaw { gravity_direction: [0.0, -3.0, 0.0], ..BladeLaw::default() };
    let root = Position::from_metres(DVec3::new(1e5, 10.0, 0.0));
    assert!((blade_gravity(&law, root) - DOWN).length() < 1e-5);
    let centre = Position::from_metres(DVec3::new(1e5, -6.371e6, 0.0));
    (law.centre_tile, law.centre_local) = (centre.tile.to_array(), centre.local.to_array());
    (law.centre_mix, law.centre_gravity) = (1.0, 5.0);
    assert!((blade_gravity(&law, root) - Vec3::new(0.0, -5.0, 0.0)).length() < 1e-5);
    law.centre_mix = 0.25;
    assert!((blade_gravity(&law, root).y + 9.81 * 0.75 + 1.25).abs() < 1e-5);
    law.gravity_direction = [0.0; 3];
    assert!(blade_gravity(&law, centre).length() == 0.0);
    assert_eq!(law.length, LENGTH_EXACT);
}
