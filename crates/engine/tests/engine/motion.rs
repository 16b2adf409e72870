//! Bodies move as the reference says, at any frame rate, after any pause, anywhere, at any time.

use anemone::cull::reference::tiles;
use anemone::field::space::Position;
use anemone::field::wind::Wind;
use anemone::glam::{DVec2, DVec3, Vec3, Vec4, Vec4Swizzles};
use anemone::motion::blade::{BladeLaw, blade_gravity, blade_pose, blade_step, blade_unpack, blade_unpack_state};
use anemone::probe::Probe;
use anemone::terrain::height::Ground;
use anemone::{Camera, Collider, Cull, Distance, Forces, Options, Placement, Population, Timing, Window, World};

use crate::support::{Drawn, Layers, breeze, gpu, gusts, lawn, look, world};

const WINDOW: Window = Window::whole([64, 36]);

fn camera() -> Camera {
    look([0.0, 1.5, 4.0], [0.0, 0.0, 0.0])
}

fn small(wind: Wind) -> World {
    let forces = Forces { trample_recovery: 0.5, ..Forces::default() };
    let mut world = world(Ground::plane(0.0), vec![Population { forces, cull: Cull::NONE, ..lawn(3.0, 800) }]);
    world.wind = wind;
    world
}

/// A ball that lies on the middle of the lawn.
fn ball() -> Collider {
    Collider { position: DVec3::new(0.0, 0.3, 0.0), axis: Vec3::ZERO, radius: 0.8, velocity: Vec3::ZERO }
}

/// Tips in heights.
fn tips(engine: &Drawn) -> Vec<Vec3> {
    gpu().bodies(engine).into_iter().map(|body| blade_unpack_state(body).tip).collect()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Where the reference says that steady wind holds every body: the law iterated from upright until nothing moves.
fn rest(engine: &Drawn, wind: Vec3) -> Vec<Vec3> {
    let law = BladeLaw { trample_decay: 2.0, ..BladeLaw::default() };
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let mut rest = Vec::new();
    let bodies = gpu().bodies(engine);
    for (_, first, count, corner, extent) in tiles.boxes() {
        for body in &bodies[first as usize..(first + count) as usize] {
            let blade = blade_unpack(*body, Vec3::ZERO, extent);
            let root = Position { local: corner.local + blade.root, ..corner };
            let gravity = blade_gravity(&law, root);
            let mut state: Vec4 = blade.up.extend(0.0);
            for _ in 0..4000 {
                state = blade_step(&law, &blade, gravity, wind, state, 0.01);
            }
            rest.push(state.xyz());
        }
    }
    rest
}

#[test]
fn trampled_blades_come_to_the_references_rest_at_any_frame_rate() {
    for wind in [0.0, 4.0] {
        let mut expected = None;
        for rate in [10.0, 30.0, 60.0, 240.0] {
            let mut engine = gpu().engine(small(breeze(wind)), Options::default());
            engine.set_colliders(vec![ball()]).expect("few colliders");
            gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / rate, (0.4 * rate) as u32);
            let pressed = tips(&engine);
            engine.set_colliders(Vec::new()).expect("few colliders");
            gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / rate, (6.0 * rate) as u32);
            let expected = expected.get_or_insert_with(|| rest(&engine, Vec3::new(wind, 0.0, 0.3 * wind)));
            assert!(farthest(&pressed, expected) > 0.3, "the ball pressed nothing down");
            let off = farthest(&tips(&engine), expected);
            assert!(off < 1e-4, "wind {wind}, {rate} Hz: {off} heights off");
        }
    }
}

#[test]
fn a_hitch_kicks_nothing() {
    let mut engine = gpu().engine(small(gusts(6.0)), Options::default());
    gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 60);
    let mut most = 0.0_f32;
    for dt in [0.5, 1.0 / 60.0, 3.0, 1.0 / 240.0, 1000.0, 1e-9, f64::NAN, -1.0, f64::INFINITY] {
        gpu().simulate(&mut engine, &camera(), &WINDOW, dt, 1);
        for body in gpu().bodies(&engine) {
            let state = blade_unpack_state(body);
            let pose = blade_pose(Vec3::Y, 1.0, state.tip, 0);
            assert!(state.tip.is_finite() && pose.tip.is_finite(), "after {dt} s: {state:?}");
            most = most.max(state.tip.length());
            assert!(state.tip.y > -1e-3, "after {dt} s: below the ground, {state:?}");
        }
    }
    assert!(most < 1.001, "a tip is {most} heights from its root");
    assert!(engine.time().is_finite());
    // Steady wind after the hitch: the same rest.
    let mut engine = gpu().engine(small(breeze(5.0)), Options::default());
    engine.set_colliders(vec![ball()]).expect("few colliders");
    gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 20);
    engine.set_colliders(Vec::new()).expect("few colliders");
    gpu().simulate(&mut engine, &camera(), &WINDOW, 0.5, 14);
    let off = farthest(&tips(&engine), &rest(&engine, Vec3::new(5.0, 0.0, 1.5)));
    assert!(off < 1e-4, "{off} heights off");
}

#[test]
fn tiles_out_of_view_catch_up() {
    let run = |always_awake| {
        let mut world = small(breeze(4.0));
        world.populations[0].cull = Cull::ALL;
        world.populations[0].forces.trample_recovery = 4.0;
        let mut engine = gpu().engine(world, Options { always_awake, ..Options::default() });
        engine.set_colliders(vec![ball()]).expect("few colliders");
        gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 30);
        let trample = |engine: &Drawn| -> f32 {
            gpu().bodies(engine).into_iter().map(|body| blade_unpack_state(body).trample).sum()
        };
        let pressed = trample(&engine);
        engine.set_colliders(Vec::new()).expect("few colliders");
        // Away for two seconds, half of what trampling lasts.
        let away = look([0.0, 1.5, 4.0], [0.0, 1.5, 10.0]);
        gpu().simulate(&mut engine, &away, &WINDOW, 1.0 / 60.0, 120);
        let asleep = trample(&engine);
        gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 1);
        let back = trample(&engine);
        gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 400);
        (pressed, asleep, back, tips(&engine))
    };
    let (pressed, awake_away, awake_back, awake_tips) = run(true);
    let (pressed_too, asleep, back, tips) = run(false);
    assert!(pressed > 5.0, "nothing was trampled: {pressed}");
    assert_eq!(pressed, pressed_too);
    assert!(awake_away < 0.9 * pressed, "an awake tile recovers: {awake_away} of {pressed}");
    assert_eq!(asleep, pressed, "a tile out of view sleeps");
    assert!((back - awake_back).abs() < 0.02 * pressed, "{back} after sleep, {awake_back} awake, of {pressed}");
    let off = farthest(&tips, &awake_tips);
    assert!(off < 1e-3, "{off} heights apart");
}

#[test]
fn bodies_that_distance_leaves_out_recover_meanwhile() {
    let mut world = small(breeze(4.0));
    let population = &mut world.populations[0];
    population.cull = Cull::ALL;
    population.distance = Distance::Rank { full_within: 6.0, range: 400.0 };
    population.forces.trample_recovery = 4.0;
    let mut engine = gpu().engine(world, Options::default());
    engine.set_colliders(vec![ball()]).expect("few colliders");
    gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 30);
    engine.set_colliders(Vec::new()).expect("few colliders");
    let trample =
        |engine: &Drawn| -> f32 { gpu().bodies(engine).into_iter().map(|body| blade_unpack_state(body).trample).sum() };
    let pressed = trample(&engine);
    // From far off a few bodies of the same tiles are kept, a changing number, for longer than trampling lasts.
    for i in 0..60 {
        let far = look([0.0, 1.5, 50.0 + f64::from(i % 7)], [0.0, 0.0, 0.0]);
        gpu().simulate(&mut engine, &far, &WINDOW, 0.1, 1);
    }
    let asleep = trample(&engine);
    gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 1);
    let back = trample(&engine);
    assert!(asleep > 0.8 * pressed, "too few are left out to test anything: {asleep} of {pressed}");
    assert!(back == 0.0, "{back} of {pressed} has outlasted its recovery");
}

/// A meadow on hills; its height at a place.
fn hills() -> (World, impl Fn(f64, f64) -> f64) {
    let ground = Ground::hills(9);
    let meadow = Population {
        placement: Placement::Everywhere { density: 200.0 },
        distance: Distance::Rank { full_within: 3.0, range: 50.0 },
        ..lawn(1.0, 0)
    };
    let mut world = world(ground.clone(), vec![meadow]);
    world.wind = gusts(5.0);
    (world, move |x, z| f64::from(ground.height(Position::from_metres(DVec3::new(x, 0.0, z)))))
}

fn picture(engine: &mut Drawn, camera: &Camera) -> Layers {
    gpu().draw(engine, camera, &Window::whole([160, 90]), 2);
    let layers = gpu().layers(engine);
    layers.assert_finite(&format!("at {}", camera.eye));
    layers
}

fn difference(a: &Layers, b: &Layers) -> f32 {
    let apart = |(a, b): (&[f32; 4], &[f32; 4])| (0..4).map(|i| (a[i] - b[i]).abs()).sum::<f32>() / 4.0;
    a.light.iter().zip(&b.light).map(apart).sum::<f32>() / a.light.len() as f32
}

#[test]
fn a_jump_of_ten_kilometres_and_back_leaves_no_trace() {
    let (world, height) = hills();
    let mut engine = gpu().engine(world, Options::default());
    let eye = |x: f64, z: f64| look([x, height(x, z) + 1.2, z], [x, height(x, z) + 0.6, z - 4.0]);
    let before = picture(&mut engine, &eye(10.0, 20.0));
    let away = picture(&mut engine, &eye(10_010.0, -7000.0));
    assert!(away.bodies() + away.partials() > 1000);
    assert!(difference(&before, &away) > 0.05, "the two places look alike");
    let after = picture(&mut engine, &eye(10.0, 20.0));
    let apart = difference(&before, &after);
    assert!(apart < 1e-3, "mean difference {apart}");
}

#[test]
fn far_from_the_origin_nothing_jitters() {
    // 1632 tiles off, where 32-bit metres have a step of 8 mm: the same bodies to the bit. (A whole number of steps of
    // every level of the ground, whose triangles lie the same way then.)
    let draw = |offset: DVec3| {
        let population = lawn(4.0, 2000);
        let centre = DVec2::new(offset.x, offset.z);
        let count = Placement::Square { centre, side: 4.0, count: 2000 };
        let mut world = world(Ground::plane(0.0), vec![Population { placement: count, ..population }]);
        world.colliders = vec![Collider { position: offset + DVec3::new(0.4, 0.1, 0.3), ..ball() }];
        let mut engine = gpu().engine(world, Options::default());
        let at = |t: f64| {
            let eye = DVec3::new(0.013 * t, 0.7, 2.5);
            Camera::look_at(offset + eye, offset + DVec3::new(0.0, 0.1, 0.0), 0.9, 0.02)
        };
        (0..3)
            .map(|frame| {
                engine.advance(1.0 / 60.0);
                picture(&mut engine, &at(f64::from(frame)))
            })
            .collect::<Vec<_>>()
    };
    let near = draw(DVec3::ZERO);
    let far = draw(DVec3::new(1632.0 * 64.0, 0.0, -1632.0 * 64.0));
    for (frame, (a, b)) in near.iter().zip(&far).enumerate() {
        a.assert_same_geometry(b, &format!("frame {frame}"));
    }
    assert!(near[0].bodies() + near[0].partials() > 1000);
    let (world, height) = hills();
    let mut engine = gpu().engine(world, Options::default());
    let (x, z) = (100_013.0, -99_987.0);
    let layers = picture(&mut engine, &look([x, height(x, z) + 1.0, z], [x, height(x, z), z - 3.0]));
    assert!(layers.bodies() + layers.partials() > 1000);
}

#[test]
fn after_a_week_motion_goes_on() {
    let moved = |start: f64| {
        let mut engine = gpu().engine(small(gusts(5.0)), Options::default());
        engine.start_at(start);
        gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 1);
        let mut path = 0.0;
        let mut before = tips(&engine);
        for _ in 0..30 {
            gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 1);
            let now = tips(&engine);
            path += before.iter().zip(&now).map(|(a, b)| a.distance(*b)).sum::<f32>() / now.len() as f32;
            before = now;
        }
        picture(&mut engine, &camera());
        path
    };
    let (fresh, week) = (moved(0.0), moved(604_800.0));
    assert!(fresh > 0.05, "nothing moves: {fresh}");
    assert!((0.3..3.0).contains(&(week / fresh)), "{week} heights in half a second, {fresh} at the start");
}

#[test]
fn trample_wears_off_after_a_week_as_on_the_first_day() {
    let left = |start: f64| {
        let mut world = small(breeze(2.0));
        world.populations[0].cull = Cull::ALL;
        world.populations[0].forces.trample_recovery = 4.0;
        let mut engine = gpu().engine(world, Options::default());
        engine.start_at(start);
        engine.set_colliders(vec![ball()]).expect("few colliders");
        gpu().simulate(&mut engine, &camera(), &WINDOW, 1.0 / 60.0, 30);
        engine.set_colliders(Vec::new()).expect("few colliders");
        let away = look([0.0, 1.5, 4.0], [0.0, 1.5, 10.0]);
        // Glances at the lawn between short sleeps.
        for _ in 0..40 {
            gpu().simulate(&mut engine, &away, &WINDOW, 0.02, 2);
            gpu().simulate(&mut engine, &camera(), &WINDOW, 0.01, 1);
        }
        gpu().bodies(&engine).into_iter().map(|body| blade_unpack_state(body).trample).sum::<f32>()
    };
    let (fresh, week) = (left(0.0), left(604_800.0));
    assert!(fresh > 1.0);
    assert!((week / fresh - 1.0).abs() < 0.1, "{week} after a week, {fresh} at the start");
}

/// A film may begin in its middle: frames that are replayed leave the world as drawn ones do, with all their samples, from a
/// camera that moves, past obstacles, with bodies that hide each other and tiles that come and go.
#[test]
fn replayed_frames_are_as_good_as_drawn_ones() {
    const SAMPLES: u32 = 3;
    let window = Window::whole([96, 54]);
    let camera = |frame: u32| look([0.3 * f64::from(frame), 0.6, 3.0], [0.2 * f64::from(frame), 0.1, 0.0]);
    let film = |drawn_from: u32| {
        let mut world = small(gusts(6.0));
        world.populations[0].cull = Cull::ALL;
        let mut engine = gpu().engine(world, Options::default());
        let mut pictures = Vec::new();
        for frame in 0..5 {
            (engine.view.camera, engine.view.window) = (camera(frame), window);
            for sample in 0..SAMPLES {
                engine.advance(0.012);
                let x = 1.5 - 4.0 * engine.time();
                let position = DVec3::new(x, 0.1, 0.5);
                let ball = Collider { position, velocity: Vec3::new(-4.0, 0.0, 0.0), radius: 0.3, ..ball() };
                engine.set_colliders(vec![ball]).expect("few colliders");
                let Drawn { engine, view } = &mut engine;
                gpu().submit(|encoder| {
                    let done = match frame < drawn_from {
                        true => engine.replay_sample(view, encoder, sample),
                        false => engine.draw_sample(view, encoder, sample, Timing::None),
                    };
                    done.expect("the window fits");
                });
            }
            if frame >= drawn_from {
                pictures.push((frame, tips(&engine), gpu().layers(&engine)));
            }
        }
        pictures
    };
    let whole = film(0);
    assert!(whole[3].1 != whole[4].1, "bodies stand still");
    assert!(whole[4].2.partials() > 300, "{} pixels of bodies", whole[4].2.partials());
    for drawn_from in [2, 4] {
        for (frame, tips, layers) in film(drawn_from) {
            let (_, tips_of_whole, layers_of_whole) = &whole[frame as usize];
            assert!(tips == *tips_of_whole, "frame {frame} after {drawn_from} replayed: bodies stand elsewhere");
            layers.assert_equal(layers_of_whole, &format!("frame {frame} after {drawn_from} replayed"));
        }
    }
}
