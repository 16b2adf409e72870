use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, IVec3, Vec3};
use proptest::prelude::*;

use super::*;
use crate::hash::{hash2, unit};

fn gusts(velocity: Vec3) -> Kind {
    Kind::Gusts { velocity, wavelength: 20.0, octaves: 4, gain: 0.6, along: 0.3, across: 0.2, scroll: 1.0, seed: 11 }
}

fn every_kind() -> Wind {
    let position = Position::from_metres(DVec3::new(3.0, 1.0, -2.0));
    let kinds = [
        Kind::Constant { velocity: Vec3::new(3.0, 0.5, -4.0) },
        Kind::Waves { velocity: Vec3::new(5.0, 0.0, 2.0), wave_number_scale: 1.0, rate: 1.0 },
        Kind::Waves { velocity: Vec3::new(0.0, 0.0, 8.0), wave_number_scale: 12.0, rate: -3.0 },
        Kind::Point { position, strength: 100.0, scale: 1.0, rate: 1.0 },
        gusts(Vec3::new(6.0, 0.0, -3.0)),
        gusts(Vec3::new(0.0, 0.0, 0.0)),
    ];
    Wind { sources: kinds.map(Source::new).to_vec() }
}

#[test]
fn waves_are_the_published_ones() {
    let velocity = Vec3::new(4.0, 0.0, 1.0);
    let kind = Kind::Waves { velocity, wave_number_scale: 1.0, rate: 1.0 };
    let wind = Wind { sources: vec![Source { intensity: 0.5, ..Source::new(kind) }] };
    let mut state = WindState::default();
    for _ in 0..90 {
        state.advance(1.0 / 60.0, &wind);
    }
    let phi = 1.5f64;
    let uniform = wind.gpu(&state).unwrap();
    for i in 0..500u32 {
        let [x, y, z] = [1, 2, 3].map(|k| f64::from(unit(hash2(i, k))) * 2000.0 - 1000.0);
        let mean = ((0.75 * (x + z) + phi).cos() + (0.5 * (x + y) + phi).sin() + (0.25 * (y + z) + phi).sin()) / 3.0;
        let expected = velocity * (0.5 * (1.0 - mean.max(0.0)).powi(2)) as f32;
        let got = uniform.velocity(Position::from_metres(DVec3::new(x, y, z)));
        assert!((got - expected).length() < 3e-5, "{got} {expected}");
    }
}

#[test]
fn a_point_source_is_the_published_one_and_calm_at_its_heart() {
    let position = Position::from_metres(DVec3::new(1e5, 2.0, 63.9));
    let wind = Wind { sources: vec![Source::new(Kind::Point { position, strength: 100.0, scale: 1.0, rate: 1.0 })] };
    let mut state = WindState::default();
    state.advance(0.8, &wind);
    let uniform = wind.gpu(&state).unwrap();
    for i in 0..500u32 {
        let toward = DVec3::from_array([1, 2, 3].map(|k| f64::from(unit(hash2(i, k))) - 0.5)).normalize();
        let d = 0.02 + 90.0 * f64::from(unit(hash2(i, 4)));
        let strength = 100.0 * (1.0 - 0.25 * (0.2 * d + 1.0).log2()).max(0.0) * (1.0 - (0.4 * d - 3.2).sin().max(0.0));
        let got = uniform.velocity(Position::from_metres(position.to_metres() + toward * d));
        // The direction of a place 2 cm away is known to 2 µm in 2 cm.
        assert!(
            (got - (toward * strength).as_vec3()).length() < 100.0 * (1e-5 + 5e-6 / d as f32),
            "{got} {strength} {d}"
        );
    }
    assert_eq!(uniform.velocity(position), Vec3::ZERO);
}

#[test]
fn gusts_have_the_stated_deviation_and_never_turn_round() {
    let wind = Wind { sources: vec![Source::new(gusts(Vec3::new(3.0, 0.0, 4.0)))] };
    let uniform = wind.gpu(&WindState::default()).unwrap();
    let (mut mean, mut along2, mut across2) = (0.0, 0.0, 0.0);
    let count = 40_000u32;
    for i in 0..count {
        let [x, z] = [1, 2].map(|k| f64::from(unit(hash2(i, k))) * 20_000.0);
        let v = uniform.velocity(Position::from_metres(DVec3::new(x, 0.0, z)));
        let along = v.dot(Vec3::new(0.6, 0.0, 0.8)) / 5.0;
        let across = v.dot(Vec3::new(0.8, 0.0, -0.6)) / 5.0;
        assert!(along >= -1e-6);
        mean += along / count as f32;
        along2 += (along - 1.0).powi(2) / count as f32;
        across2 += across * across / count as f32;
    }
    assert!((mean - 1.0).abs() < 0.01, "{mean}");
    assert!((along2.sqrt() - 0.3).abs() < 0.01, "{}", along2.sqrt());
    assert!((across2.sqrt() - 0.2).abs() < 0.01, "{}", across2.sqrt());
}

#[test]
fn gusts_travel_with_the_wind() {
    let wind = Wind { sources: vec![Source::new(gusts(Vec3::new(3.0, 0.0, -4.0)))] };
    let mut state = WindState::default();
    let before = wind.gpu(&state).unwrap();
    for _ in 0..120 {
        state.advance(1.0 / 60.0, &wind);
    }
    let after = wind.gpu(&state).unwrap();
    for i in 0..100u32 {
        let [x, z] = [1, 2].map(|k| f64::from(unit(hash2(i, k))) * 500.0 - 250.0);
        let here = DVec3::new(x, 1.0, z);
        let there = here + DVec3::new(6.0, 0.0, -8.0);
        let change = after.velocity(Position::from_metres(there)) - before.velocity(Position::from_metres(here));
        assert!(change.length() < 2e-3, "{change}");
    }
}

#[test]
fn a_change_of_rate_or_direction_never_jumps() {
    let mut wind = every_kind();
    let mut state = WindState::default();
    state.advance(604_800.0, &wind);
    let places = [DVec3::ZERO, DVec3::new(1e5, 3.0, -1e5), DVec3::new(1e6, -7.0, 12.5)].map(Position::from_metres);
    let before = wind.gpu(&state).unwrap();
    for source in &mut wind.sources {
        match &mut source.kind {
            Kind::Waves { rate, .. } | Kind::Point { rate, .. } => *rate *= -7.3,
            Kind::Gusts { scroll, .. } => *scroll *= -2.5,
            Kind::Constant { .. } => {}
        }
    }
    let after = wind.gpu(&state).unwrap();
    assert_eq!(places.map(|p| before.velocity(p)), places.map(|p| after.velocity(p)));
    state.advance(1e-4, &wind);
    let later = wind.gpu(&state).unwrap();
    for place in places {
        assert!((before.velocity(place) - later.velocity(place)).length() < 0.2);
    }
}

#[test]
fn a_week_of_frames_equals_a_week_at_once() {
    let wind = every_kind();
    let (mut frames, mut once) = (WindState::default(), WindState::default());
    // 2^-6 s and its multiples are exact, so that only the accumulation is judged.
    for _ in 0..(604_800 * 4) {
        frames.advance(0.25, &wind);
    }
    once.advance(604_800.0, &wind);
    for (a, b) in frames.travel.iter().zip(&once.travel) {
        let turn = (a.phase - b.phase + 0.5).rem_euclid(1.0) - 0.5;
        assert!(turn.abs() < 1e-6, "{turn}");
        assert!((a.scroll - b.scroll).abs().max_element() < 1e-4, "{a:?} {b:?}");
    }
}

#[test]
fn neighbours_far_out_after_long_feel_the_same() {
    // The phase must not grow with position times time: at t = 1000 s the field is as smooth as at 0.
    let mut wind = every_kind();
    // A point source is steep at its heart, at any time.
    wind.sources.retain(|source| !matches!(source.kind, Kind::Point { .. }));
    let mut state = WindState::default();
    state.advance(1000.0, &wind);
    let uniform = wind.gpu(&state).unwrap();
    for far in [0.0, 1e5, 1e6] {
        for i in 0..2000 {
            let here = DVec3::new(far + 0.01 * f64::from(i) - 10.0, 5.0, far);
            let step = uniform.velocity(Position::from_metres(here + DVec3::new(0.01, 0.0, 0.0)))
                - uniform.velocity(Position::from_metres(here));
            // The steepest is the twelve-fold wave: 8 m/s · 2 · 9 rad/m · 1 cm.
            assert!(step.length() < 2.0, "{far} {i} {step}");
        }
    }
}

#[test]
fn nine_sources_are_refused_with_words() {
    let source = Source::new(Kind::Constant { velocity: Vec3::X });
    let wind = Wind { sources: vec![source; 9] };
    let error = wind.gpu(&WindState::default()).unwrap_err();
    assert_eq!(error, TooManySources { count: 9 });
    assert!(error.to_string().contains('9') && error.to_string().contains('8'));
}

proptest! {
    #[test]
    fn nothing_is_not_a_number(
        x in -2e6..2e6f64, z in -2e6..2e6f64, scale in prop::sample::select(vec![0.0f32, 1e-20, 1.0, 1e4]),
        dt in prop::sample::select(vec![0.0, 1e-9, 0.5, 1e9, f64::NAN, f64::INFINITY]),
    ) {
        let position = Position::from_metres(DVec3::new(x, 0.0, z));
        let velocity = Vec3::new(scale, 0.0, -scale);
        let wind = Wind { sources: vec![
            Source::new(Kind::Constant { velocity }),
            Source::new(Kind::Waves { velocity, wave_number_scale: scale, rate: scale }),
            Source::new(Kind::Point { position, strength: scale, scale, rate: scale }),
            Source::new(Kind::Gusts {
                velocity, wavelength: scale, octaves: 40, gain: scale.min(1.0), along: scale, across: scale, scroll: 1.0, seed: 1,
            }),
        ]};
        let mut state = WindState::default();
        state.advance(dt, &wind);
        state.advance(0.1, &wind);
        let uniform = wind.gpu(&state).unwrap();
        prop_assert!(uniform.velocity(position).is_finite());
        prop_assert!(uniform.velocity(Position::from_metres(DVec3::new(x + 1e-3, 2.0, z))).is_finite());
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Probe {
    source: SourceUniform,
    tile: [i32; 4],
    local: [f32; 4],
}

#[test]
fn the_twins_agree_near_and_far_early_and_late() {
    let root = "
        import package::field::wind::{Source, source_velocity};
        struct Input { source: Source, tile: vec3i, local: vec3f }
        struct Output { velocity: vec3f, pad: f32 }
        fn evaluate(i: Input) -> Output { return Output(source_velocity(i.source, i.tile, i.local), 0.0); }";
    let wind = every_kind();
    let mut probes = Vec::new();
    let mut moment = WindState::default();
    for time in [0.0, 1.7, 604_800.0] {
        moment.advance(time, &wind);
        let uniform = wind.gpu(&moment).unwrap();
        for far in [0.0, 1e5, 1e6] {
            for i in 0..1200u32 {
                let [x, y, z] = [1, 2, 3].map(|k| f64::from(unit(hash2(i, k))) * 130.0 - 65.0);
                let place = Position::from_metres(DVec3::new(far + x, y, z - far));
                let mut source = uniform.sources[i as usize % wind.sources.len()];
                if source.kind == gpu::kind::POINT {
                    // Let it be felt far out, too.
                    source.tile = Position::from_metres(DVec3::new(far, 0.0, -far)).tile.to_array();
                }
                probes.push(Probe {
                    source,
                    tile: place.tile.extend(0).to_array(),
                    local: place.local.extend(0.0).to_array(),
                });
            }
        }
    }
    let outputs: Vec<[f32; 4]> = Twin::open().evaluate(&[crate::WESL], root, &probes);
    for (probe, output) in probes.iter().zip(outputs) {
        let [tx, ty, tz, _] = probe.tile;
        let [x, y, z, _] = probe.local;
        let expected = source_velocity(&probe.source, IVec3::new(tx, ty, tz), Vec3::new(x, y, z));
        let speed = expected.length().max(Vec3::from_array(probe.source.vector).length()).max(1e-6);
        let error = (expected - Vec3::new(output[0], output[1], output[2])).length() / speed;
        assert!(error <= 1e-5, "{error} {:?} {expected} {output:?}", probe.source);
    }
}

/// A wind that turns by a quarter in two seconds: from frame to frame the field changes by what the turn and the travel of the
/// gusts give, everywhere alike. A pattern that was laid out along the wind's direction would sweep over a place 100 km out at
/// 80 km/s.
#[test]
fn a_wind_that_turns_sweeps_over_nothing() {
    const FRAME: f64 = 1.0 / 24.0;
    const SPEED: f32 = 9.0;
    let turned = |part: f32| {
        let (sin, cos) = (part * std::f32::consts::FRAC_PI_2).sin_cos();
        let mut source = Source::new(gusts(Vec3::new(SPEED * cos, 0.0, SPEED * sin)));
        source.name = "gusts".into();
        Wind { sources: vec![source] }
    };
    let places: Vec<Position> = [DVec3::ZERO, DVec3::new(100_000.0, 0.0, -70_000.0)]
        .iter()
        .flat_map(|at| {
            (0..400).map(|i| Position::from_metres(*at + DVec3::new(0.7 * f64::from(i), 0.0, 1.3 * f64::from(i % 20))))
        })
        .collect();
    let field = |wind: &Wind, state: &WindState| {
        let uniform = wind.gpu(state).unwrap();
        places.iter().map(|place| uniform.velocity(*place)).collect::<Vec<_>>()
    };
    let farthest = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    let mut wind = turned(0.0);
    let mut state = WindState::default();
    state.advance(1000.0, &wind);
    for frame in 1..=48_u8 {
        let before = field(&wind, &state);
        let next = turned(f32::from(frame) / 48.0);
        state.follow(&wind, &next);
        let turn_alone = farthest(&before, &field(&next, &state));
        state.advance(FRAME, &wind);
        let travel_alone = farthest(&before, &field(&wind, &state));
        state.advance(0.0, &next);
        let both = farthest(&before, &field(&next, &state));
        // A turn of 1.9° changes the mean by 3 % and with the deviations less than twice that.
        assert!(turn_alone < 0.07 * SPEED, "frame {frame}: {turn_alone} m/s by the turn");
        assert!(
            both <= 1.05 * (turn_alone + travel_alone),
            "frame {frame}: {both} of {turn_alone} and {travel_alone} m/s"
        );
        wind = next;
    }
}

/// Sources are found again by their names, in whatever order they come.
#[test]
fn a_wind_that_changes_goes_on_from_where_it_was() {
    let named = |name: &str, speed: f32| Source { name: name.into(), ..Source::new(gusts(Vec3::new(speed, 0.0, 1.0))) };
    let before = Wind { sources: vec![named("a", 3.0), named("b", 5.0), named("a", 7.0)] };
    let mut state = WindState::default();
    state.advance(12.3, &before);
    let after = Wind { sources: vec![named("new", 3.0), named("a", 3.0), named("a", 7.0), named("b", 5.0)] };
    let old = before.gpu(&state).unwrap();
    state.follow(&before, &after);
    let new = after.gpu(&state).unwrap();
    assert_eq!([new.sources[1], new.sources[2], new.sources[3]], [old.sources[0], old.sources[2], old.sources[1]]);
    assert_eq!(new.sources[0].offset, [0, 0]);
}
