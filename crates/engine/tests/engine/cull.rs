//! The sets that the GPU's culls keep, held against the reference in double precision, frame by frame.

use anemone::cull::reference::{View, as_stored, slacks, tested, tiles};
use anemone::field::space::Position;
use anemone::glam::{DVec2, DVec3, Vec3};
use anemone::motion::blade::{blade_unpack, blade_unpack_state};
use anemone::probe::Probe;
use anemone::terrain::detail::Detail;
use anemone::terrain::height::Ground;
use anemone::terrain::height_map::{HeightMap, MapOptions};
use anemone::{Camera, Clumps, Cull, Distance, Facing, Options, Patches, Placement, Population, Window, World};

use crate::support::{Drawn, Layers, gpu, gusts, lawn, look, sphere, world};

/// Bodies whose slack is smaller than this, relative, may be decided either way.
const DOUBT: f64 = 1e-5;

/// Each cull alone, both kinds of distance, and all together, on one ground.
fn populations(range: f32, place: impl Fn() -> Population) -> Vec<Population> {
    let none = Cull { occlusion: true, ..Cull::NONE };
    let rank = Distance::Rank { full_within: 0.15 * range, range };
    let buckets = Distance::Buckets { count: 6, range };
    let of = |seed, cull, distance, facing| Population { seed, cull, distance, facing, ..place() };
    vec![
        of(1, Cull { frustum: true, ..none }, rank, Facing::Widen),
        of(2, Cull { distance: true, ..none }, rank, Facing::Widen),
        of(3, Cull { distance: true, ..none }, buckets, Facing::Widen),
        of(4, Cull { facing: true, ..none }, rank, Facing::Cull),
        of(5, Cull::ALL, rank, Facing::Cull),
        of(6, Cull::ALL, buckets, Facing::Cull),
    ]
}

/// What a run of frames found.
#[derive(Default)]
struct Tally {
    decided: u64,
    doubtful: u64,
    kept: [u64; 6],
    out: [u64; 6],
    /// Tiles that were filled anew, but for the first frame's.
    refilled: usize,
}

fn list(engine: &mut Drawn, camera: &Camera, window: &Window) -> Vec<u32> {
    gpu().submit(|encoder| engine.list_items(encoder, camera, window));
    let counts = gpu().counts(engine);
    assert_eq!(counts.dropped, 0);
    let items: Vec<[u32; 4]> = gpu().read(engine.probe(Probe::Items));
    let kept: Vec<u32> = items[..counts.items as usize].iter().map(|item| item[0]).collect();
    assert!(kept.is_sorted_by(|a, b| a < b), "items are not in the order of the bodies");
    kept
}

/// Runs the path and compares every body of every frame.
fn compare(name: &str, world: World, camera: impl Fn(u32) -> (Camera, Window), frames: u32) -> Tally {
    // On ground that stays, tiles out of view move too. In rings they sleep, which takes half the time: wherever their bodies
    // have stopped, the whole tile's box is out of view.
    let always_awake = !matches!(world.populations[0].placement, Placement::Everywhere { .. });
    let mut engine = gpu().engine(world.clone(), Options { always_awake, ..Options::default() });
    let world = as_stored(&world, |population| engine.extent(population));
    let mut tally = Tally::default();
    let mut boxes = Vec::new();
    for frame in 0..frames {
        let (camera, window) = camera(frame);
        engine.advance(1.0 / 60.0);
        let kept = list(&mut engine, &camera, &window);
        let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
        let before = std::mem::replace(&mut boxes, tiles.boxes().collect());
        tally.refilled += before.iter().zip(&boxes).filter(|(before, now)| before != now).count();
        let bodies = gpu().bodies(&engine);
        let view = View::new(&camera, &window);
        let slacks = slacks(&world, &view, &tiles, &bodies);
        let mut is_kept = vec![false; bodies.len()];
        kept.iter().for_each(|&body| is_kept[body as usize] = true);
        for (population, first, count, ..) in tiles.boxes() {
            for body in (first..first + count).map(|body| body as usize) {
                if slacks[body].abs() < DOUBT {
                    tally.doubtful += 1;
                    continue;
                }
                let stays = slacks[body] >= 0.0;
                assert_eq!(
                    is_kept[body], stays,
                    "{name}, frame {frame}, population {population}, body {body}: slack {}",
                    slacks[body]
                );
                tally.decided += 1;
                tally.kept[population as usize] += u64::from(stays);
                tally.out[population as usize] += u64::from(!stays);
            }
        }
        let roots: Vec<[f32; 2]> =
            gpu().read::<[f32; 16]>(engine.probe(Probe::TileStates)).iter().map(|state| [state[2], state[3]]).collect();
        let [least, most] = tested(&world, &view, &tiles, &roots, DOUBT);
        let counted = gpu().counts(&engine).tested;
        assert!((least..=most).contains(&counted), "{name}, frame {frame}: {counted} tested, not {least} to {most}");
    }
    tally
}

fn assert_worth_it(name: &str, tally: &Tally) {
    // The comparison says nothing where a cull keeps all or none.
    let share = |i: usize| tally.kept[i] as f64 / (tally.kept[i] + tally.out[i]) as f64;
    let there: Vec<usize> = (0..6).filter(|&i| tally.kept[i] + tally.out[i] > 0).collect();
    let shares: Vec<f64> = there.iter().map(|&i| share(i)).collect();
    eprintln!("{name}: kept {shares:?}, doubtful {} of {}", tally.doubtful, tally.decided);
    for i in there {
        assert!((0.005..0.98).contains(&share(i)), "{name}, population {i}: {} kept", share(i));
    }
    assert!(tally.doubtful * 2000 < tally.decided, "{name}: {} of {} in doubt", tally.doubtful, tally.decided);
}

#[test]
fn sets_on_a_plane_equal_the_reference_for_1000_frames() {
    let mut world = world(Ground::plane(3.0), populations(12.0, || lawn(10.0, 1500)));
    world.wind = gusts(5.0);
    let camera = |frame: u32| {
        let t = f64::from(frame) * 0.013;
        let eye = DVec3::new(4.0 * (1.3 * t).sin(), 3.0 + 0.05 + 2.0 * (0.7 * t).sin().powi(2), 5.0 * (0.9 * t).cos());
        let turn = 2.1 * t;
        let forward = Vec3::new(turn.sin() as f32, (-0.3 + 0.6 * (1.9 * t).sin()) as f32, turn.cos() as f32);
        // Every fourth frame is a window of a larger picture.
        let window = match frame % 4 {
            3 => Window { picture: [640, 360], origin: [frame % 320, frame % 180], size: [64, 48] },
            _ => Window::whole([160, 90]),
        };
        (Camera { eye, forward: forward.normalize(), up: Vec3::Y, fov: 0.9, near: 0.02 }, window)
    };
    let tally = compare("plane", world, camera, 1000);
    assert_worth_it("plane", &tally);
}

#[test]
fn sets_on_a_sphere_equal_the_reference_for_1000_frames() {
    let origin = DVec3::new(1000.0, 50.0, -2000.0);
    let place = || Population { placement: Placement::Surface { count: 1500 }, height: [0.05, 0.2], ..lawn(1.0, 0) };
    let world = sphere(origin, populations(4.0, place));
    let camera = |frame: u32| {
        let t = f64::from(frame) * 0.011;
        let eye = DVec3::new(t.sin() * (0.8 * t).cos(), (0.8 * t).sin(), t.cos() * (0.8 * t).cos());
        let eye = eye * (1.6 + 1.2 * (1.7 * t).sin().powi(2)) / eye.length();
        let target = 0.8 * DVec3::new((3.0 * t).sin(), (2.0 * t).cos(), (2.5 * t).sin());
        (Camera::look_at(origin + eye, origin + target, 0.7, 0.05), Window::whole([120, 120]))
    };
    let tally = compare("sphere", world, camera, 1000);
    assert_worth_it("sphere", &tally);
}

/// The map of real hills with its middle at a place, and blades that grow all over it.
fn rings(anchor: DVec2, facing: Facing) -> World {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/terrain/jacksboro.png");
    let spacing = DVec2::new(74.5, 92.5);
    let map = HeightMap::load(file.as_ref(), &MapOptions { spacing, anchor, ..MapOptions::default() });
    let ground = Ground::from_map(map.expect("the map loads"), &Detail::below(spacing.max_element(), 1));
    // Wide and tall enough for the edges of tiles and of the view to matter.
    let place = Population {
        placement: Placement::Everywhere { density: 5.0 },
        height: [0.1, 0.6],
        width: [0.005, 0.1],
        ..lawn(1.0, 0)
    };
    // A distance that is no power of two: the rings thin out by another one than the author asked for.
    let distance = Distance::Rank { full_within: 1.2, range: 10.0 };
    // Every cull at once: each by itself is held against the reference above. Here it is the tiles that come and go.
    let mut world = world(ground, vec![Population { facing, distance, ..place }]);
    world.wind = gusts(5.0);
    world
}

/// A walk over the map at `middle` that crosses every ring many times, with jumps of hundreds of metres.
fn walk(ground: &Ground, middle: DVec2, frame: u32) -> (Camera, Window) {
    let t = f64::from(frame) * 0.02;
    let jump = f64::from(frame / 250) * 300.0;
    let at = middle + DVec2::new(jump + 20.0 * (0.31 * t).sin(), 15.0 * (0.5 * t).cos());
    let y = f64::from(ground.height(Position::from_metres(DVec3::new(at.x, 0.0, at.y))));
    let eye = DVec3::new(at.x, y + 0.1 + 1.5 * (0.7 * t).sin().powi(2), at.y);
    let turn = 1.7 * t;
    let forward = Vec3::new(turn.sin() as f32, (-0.2 + 0.4 * (1.9 * t).sin()) as f32, turn.cos() as f32);
    // From a narrow view to a very wide one.
    let fov = 1.3 + (0.23 * t).sin() as f32;
    (Camera { eye, forward: forward.normalize(), up: Vec3::Y, fov, near: 0.02 }, Window::whole([96, 54]))
}

fn compare_rings(name: &str, middle: DVec2, facing: Facing, frames: u32) {
    let world = rings(middle, facing);
    let anemone::Terrain::Height(ground) = &world.terrain else { unreachable!("it stands on a map") };
    let ground = ground.clone();
    let tally = compare(name, world, |frame| walk(&ground, middle, frame), frames);
    assert_worth_it(name, &tally);
    eprintln!("{name}: {} tiles filled anew", tally.refilled);
    assert!(tally.refilled > 3 * frames as usize, "{name}: only {} tiles were filled anew", tally.refilled);
}

#[test]
fn sets_in_rings_equal_the_reference_for_1000_frames() {
    compare_rings("rings", DVec2::ZERO, Facing::Cull, 1000);
}

#[test]
fn sets_in_rings_a_hundred_kilometres_off_equal_the_reference() {
    compare_rings("far rings", DVec2::new(100_000.0, -100_000.0), Facing::Widen, 150);
}

/// Roots that are drawn out of their cells to a clump's centre, and bare patches.
#[test]
fn sets_of_clumps_in_patches_equal_the_reference() {
    let mut world = rings(DVec2::ZERO, Facing::Widen);
    let clumps = Clumps { size: 0.7, jitter: 1.0, height: 0.5, facing: 0.5, fan: 0.8, gather: 0.9, color: 0.5 };
    let patches = Patches { size: 3.0, share: 0.7, softness: 0.5, seed: 2, inverted: false };
    for population in &mut world.populations {
        population.placement = Placement::Everywhere { density: 8.0 };
        population.clumps = Some(clumps);
        population.growth.patches = Some(patches);
    }
    let anemone::Terrain::Height(ground) = &world.terrain else { unreachable!("it stands on a map") };
    let ground = ground.clone();
    let tally = compare("clumps", world, |frame| walk(&ground, DVec2::ZERO, frame), 200);
    assert_worth_it("clumps", &tally);
}

#[test]
fn what_another_camera_keeps_is_drawn_as_it_keeps_it() {
    // The walker stands in the lawn; the picture is taken from 200 m off, where this population has long thinned out to nothing.
    let walker = look([0.0, 1.0, 0.0], [0.0, 0.0, -3.0]);
    let far = Camera { fov: 0.05, ..look([0.0, 60.0, 200.0], [0.0, 0.0, 0.0]) };
    let window = Window::whole([480, 320]);
    let draw = |range, distance| {
        let cull = Cull { distance, occlusion: false, ..Cull::ALL };
        let population = Population {
            distance: Distance::Rank { full_within: 10.0, range },
            cull,
            width: [0.03, 0.05],
            ..lawn(8.0, 600)
        };
        let mut engine = gpu().engine(world(Ground::plane(0.0), vec![population]), Options::default());
        engine.view.cull_camera = Some(walker);
        gpu().draw(&mut engine, &far, &window, 1);
        (gpu().layers(&engine), gpu().counts(&engine))
    };
    // Where the walker sees all of them, they look as if none thinned out.
    let (layers, counts) = draw(30.0, true);
    let (all, _) = draw(30.0, false);
    layers.assert_same_geometry(&all, "full density");
    let pixels = |layers: &Layers| layers.bodies() + layers.partials();
    assert!(pixels(&layers) > 500, "only {} pixels of grass", pixels(&layers));
    assert!((50..550).contains(&counts.items), "{counts:?}");
    // Where they thin out for the walker, those that it keeps are drawn.
    let (layers, thin) = draw(3.5, true);
    assert!(thin.items < counts.items, "{thin:?}, {counts:?}");
    assert_eq!(thin.drawn, thin.items, "{thin:?}");
    let mut shown: Vec<u32> = layers.opaque.iter().chain(&layers.partial).map(|pixel| pixel[0] >> 7).collect();
    shown.sort_unstable();
    shown.dedup();
    let shown = shown.len() - 1;
    eprintln!("{} of {} kept, {shown} bodies show", thin.items, counts.items);
    assert!(shown > thin.items as usize * 4 / 5, "{shown} of {} bodies show", thin.items);
}

#[test]
fn tiles_that_sleep_give_the_same_sets() {
    let mut world = world(Ground::plane(0.0), populations(12.0, || lawn(10.0, 1000)));
    world.wind = Default::default();
    let mut awake = gpu().engine(world.clone(), Options { always_awake: true, ..Options::default() });
    let mut asleep = gpu().engine(world, Options::default());
    let window = Window::whole([160, 90]);
    let mut seen = 0;
    for frame in 0..120 {
        let turn = f64::from(frame) * 0.2;
        let camera = look([0.0, 0.8, 4.0], [5.0 * turn.sin(), 0.3, 4.0 - 5.0 * turn.cos()]);
        // Some are drawn, not only listed: what the second half of a frame writes to bodies must not reach the culls.
        if frame % 8 == 0 {
            gpu().draw(&mut awake, &camera, &window, 1);
            gpu().draw(&mut asleep, &camera, &window, 1);
        }
        let [a, b] = [&mut awake, &mut asleep].map(|engine| list(engine, &camera, &window));
        assert_eq!(a, b, "frame {frame}");
        seen += a.len();
        awake.advance(1.0 / 60.0);
        asleep.advance(1.0 / 60.0);
    }
    assert!(seen > 50_000);
}

#[test]
fn fewer_bodies_stay_with_distance() {
    // Each distance alone, looking from above so that all is in view.
    let place = |seed, distance| Population {
        seed,
        distance,
        cull: Cull { distance: true, ..Cull::NONE },
        // Or the plane of a blade's own ground would lean, too.
        lean: [0.0, 0.0],
        ..lawn(60.0, 20_000)
    };
    let populations = vec![
        place(1, Distance::Rank { full_within: 6.0, range: 30.0 }),
        place(2, Distance::Buckets { count: 5, range: 30.0 }),
    ];
    let mut engine = gpu().engine(world(Ground::plane(0.0), populations), Options::default());
    let camera = look([0.0, 0.5, 0.0], [0.0, 0.4, -1.0]);
    let kept = list(&mut engine, &camera, &Window::whole([64, 64]));
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let bodies = gpu().bodies(&engine);
    // Share kept in rings of 3 m, of each population.
    let mut all = [[0.0_f64; 10]; 2];
    let mut stay = [[0.0_f64; 10]; 2];
    let mut ring_of = vec![None; bodies.len()];
    for (population, first, count, corner, extent) in tiles.boxes() {
        for body in first..first + count {
            let root = blade_unpack(bodies[body as usize], Vec3::ZERO, extent).root;
            let at = Position { local: corner.local + root, ..corner }.to_metres();
            let ring = (at.x.hypot(at.z) / 3.0) as usize;
            if ring < 10 {
                all[population as usize][ring] += 1.0;
                ring_of[body as usize] = Some((population as usize, ring));
            } else {
                // Beyond the range nobody stands.
                assert!(!kept.contains(&body), "population {population} keeps a body at {at}");
            }
        }
    }
    for (population, ring) in kept.iter().filter_map(|&body| ring_of[body as usize]) {
        stay[population][ring] += 1.0;
    }
    for population in 0..2 {
        let share: Vec<f64> = (0..10).map(|i| stay[population][i] / all[population][i]).collect();
        assert!(share[0] > 0.999, "{share:?}");
        // The last of five buckets keeps a fifth.
        assert!(share[9] < 0.25, "{share:?}");
        for (i, pair) in share.windows(2).enumerate() {
            // Within what chance leaves of a share of n bodies, four deviations.
            let noise = 4.0 * (0.25 / all[population][i + 1]).sqrt();
            assert!(
                pair[1] <= pair[0] + if pair[0] < 1.0 { noise } else { 1e-9 },
                "population {population}: {share:?}"
            );
        }
    }
}

#[test]
fn a_blade_seen_face_on_survives_and_one_seen_edge_on_does_not() {
    let population = Population {
        cull: Cull { facing: true, ..Cull::NONE },
        facing: Facing::Cull,
        lean: [0.0, 0.0],
        ..lawn(4.0, 64)
    };
    let mut engine = gpu().engine(world(Ground::plane(0.0), vec![population]), Options::default());
    let window = Window::whole([64, 64]);
    list(&mut engine, &look([0.0, 1.0, 4.0], [0.0; 3]), &window);
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let bodies = gpu().bodies(&engine);
    let (_, first, count, corner, extent) = tiles.boxes().next().expect("a tile");
    for body in first..first + count {
        let blade = blade_unpack(bodies[body as usize], Vec3::ZERO, extent);
        let root = Position { local: corner.local + blade.root, ..corner }.to_metres();
        for (direction, stays) in
            [(blade.front, true), (-blade.front, true), (blade.side(), false), (-blade.side(), false)]
        {
            let eye = root + 2.0 * direction.as_dvec3();
            let kept = list(&mut engine, &Camera::look_at(eye, root, 0.9, 0.02), &window);
            assert_eq!(kept.contains(&body), stays, "body {body} from {direction}");
        }
    }
}

#[test]
fn counts_do_not_depend_on_the_run() {
    let run = || {
        let mut world = world(Ground::plane(0.0), populations(12.0, || lawn(10.0, 2000)));
        world.wind = gusts(5.0);
        let mut engine = gpu().engine(world, Options::default());
        let mut counts = Vec::new();
        for frame in 0..5 {
            let turn = 0.3 * f64::from(frame);
            let camera = look([0.0, 0.5, 3.0], [3.0 * turn.sin(), 0.2, 3.0 - 3.0 * turn.cos()]);
            gpu().draw(&mut engine, &camera, &Window::whole([160, 90]), 1);
            counts.push(gpu().counts(&engine));
            engine.advance(1.0 / 30.0);
        }
        let states: Vec<_> = gpu().bodies(&engine).into_iter().map(blade_unpack_state).collect();
        (counts, states)
    };
    let (counts, states) = run();
    assert!(counts.iter().all(|counts| counts.drawn > 100 && counts.primitives >= counts.drawn), "{counts:?}");
    for _ in 0..2 {
        let again = run();
        assert_eq!(counts, again.0);
        assert_eq!(states, again.1);
    }
}
