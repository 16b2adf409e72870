//! A world of numbers that cannot be drawn is refused in words; one at the ends of what is allowed is drawn without a
//! single light that is no number.

use std::f32::consts::FRAC_PI_2;

use anemone::field::space::Position;
use anemone::field::wind::{Kind, Source, Wind};
use anemone::glam::{DVec2, DVec3, IVec3, Vec3};
use anemone::motion::blade::blade_unpack_state;
use anemone::terrain::height::Ground;
use anemone::{
    Clumps, Collider, Color, Distance, Engine, Error, MOST_COLLIDERS, MOST_POPULATIONS, Options, Patches, Placement,
    Population, Shape, Terrain, Window, World,
};

use crate::support::{Drawn, gpu, gusts, lawn, look, sphere, world};

fn good() -> World {
    let mut world = world(Ground::plane(0.0), vec![lawn(2.0, 100), lawn(3.0, 100)]);
    world.colliders = vec![ball()];
    world
}

fn ball() -> Collider {
    Collider { position: DVec3::ZERO, axis: Vec3::ZERO, radius: 0.3, velocity: Vec3::ZERO }
}

fn refusal(change: impl FnOnce(&mut World)) -> String {
    let mut world = good();
    change(&mut world);
    world.check().expect_err("it is refused").to_string()
}

/// What no number of a world may be.
const NONE: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

#[test]
fn a_good_world_passes() {
    good().check().expect("it is good");
}

#[test]
fn the_message_says_which_number_is_wrong_and_what_it_may_be() {
    let message = refusal(|world| world.populations[1].height[1] = 5.0);
    assert_eq!(message, "population 1's height is 5, and must be from 0.025 to 3.9");
    let message = refusal(|world| world.populations[0].width = [0.004, 0.003]);
    assert_eq!(message, "population 0's width is 0.003, and must be at least its own least, 0.004");
    let message = refusal(|world| world.sun.direction = Vec3::new(0.0, 2.0, 0.0));
    assert_eq!(message, "the sun's direction is 2, and must be a unit vector, of length 1");
    let message = refusal(|world| world.sun.visibility = 0.0);
    assert_eq!(message, "the sun's visibility is 0, and must be a number of at least 0.01");
}

const TUFTS: Clumps = Clumps { size: 0.2, jitter: 1.0, height: 0.5, facing: 0.5, fan: 0.5, gather: 0.5, color: 0.5 };
const PATCHES: Patches = Patches { size: 2.0, share: 0.5, softness: 0.5, seed: 1, inverted: false };

/// Each number by name, and how to set it.
type Setter = (&'static str, fn(&mut World, f32));

const NUMBERS: [Setter; 52] = [
    ("0's height", |w, x| w.populations[0].height[0] = x),
    ("0's height", |w, x| w.populations[0].height[1] = x),
    ("0's width", |w, x| w.populations[0].width[0] = x),
    ("0's stiffness", |w, x| w.populations[0].stiffness[1] = x),
    ("1's lean", |w, x| w.populations[1].lean[1] = x),
    ("1's tip threshold", |w, x| w.populations[1].shape = Shape::Tip { threshold: x }),
    ("density", |w, x| w.populations[0].placement = Placement::Everywhere { density: x }),
    ("side", |w, x| w.populations[0].placement = Placement::Square { centre: DVec2::ZERO, side: x, count: 1 }),
    ("centre", |w, x| {
        w.populations[0].placement = Placement::Square { centre: DVec2::new(0.0, f64::from(x)), side: 1.0, count: 1 };
    }),
    ("full_within", |w, x| w.populations[0].distance = Distance::Rank { full_within: x, range: 9.0 }),
    ("range", |w, x| w.populations[0].distance = Distance::Rank { full_within: 1.0, range: x }),
    ("range", |w, x| w.populations[0].distance = Distance::Buckets { count: 4, range: x }),
    ("gravity", |w, x| w.populations[0].forces.gravity = x),
    ("gravity_direction", |w, x| w.populations[0].forces.gravity_direction.y = x),
    ("gravity_point", |w, x| w.populations[0].forces.gravity_point.x = f64::from(x)),
    ("gravity_mix", |w, x| w.populations[0].forces.gravity_mix = x),
    ("front_gravity", |w, x| w.populations[0].forces.front_gravity = x),
    ("answer to the wind", |w, x| w.populations[0].forces.wind = x),
    ("trample_recovery", |w, x| w.populations[0].forces.trample_recovery = x),
    ("root colour", |w, x| w.populations[0].color.root.x = x),
    ("tip colour", |w, x| w.populations[0].color.tip.y = x),
    ("dry colour", |w, x| w.populations[0].color.dry.z = x),
    ("variety", |w, x| w.populations[0].color.variety = x),
    ("transmittance", |w, x| w.populations[0].color.through.x = x),
    ("dead blades", |w, x| w.populations[0].color.dead = x),
    ("size of clumps", |w, x| w.populations[0].clumps = Some(Clumps { size: x, ..TUFTS })),
    ("height by clump", |w, x| w.populations[0].clumps = Some(Clumps { height: x, ..TUFTS })),
    ("fan of clumps", |w, x| w.populations[0].clumps = Some(Clumps { fan: x, ..TUFTS })),
    ("gather of clumps", |w, x| w.populations[0].clumps = Some(Clumps { gather: x, ..TUFTS })),
    ("colour by clump", |w, x| w.populations[0].clumps = Some(Clumps { color: x, ..TUFTS })),
    ("border of slopes", |w, x| w.populations[0].growth.slope_border = x),
    ("border of altitudes", |w, x| w.populations[0].growth.altitude_border = x),
    ("size of patches", |w, x| w.populations[0].growth.patches = Some(Patches { size: x, ..PATCHES })),
    ("share of patches", |w, x| w.populations[0].growth.patches = Some(Patches { share: x, ..PATCHES })),
    ("softness of patches", |w, x| w.populations[0].growth.patches = Some(Patches { softness: x, ..PATCHES })),
    ("soil", |w, x| w.soil.y = x),
    ("ground's lowest height", |w, x| w.terrain = Terrain::Height(Box::new(Ground::plane(x)))),
    ("collider 0's position", |w, x| w.colliders[0].position.z = f64::from(x)),
    ("collider 0's axis", |w, x| w.colliders[0].axis.x = x),
    ("collider 0's radius", |w, x| w.colliders[0].radius = x),
    ("collider 0's velocity", |w, x| w.colliders[0].velocity.y = x),
    ("sun's direction", |w, x| w.sun.direction.x = x),
    ("sun's light", |w, x| w.sun.light.x = x),
    ("sun's sky", |w, x| w.sun.sky = x),
    ("sun's exposure", |w, x| w.sun.exposure = x),
    ("source 0 of the wind's intensity", |w, x| w.wind.sources[0].intensity = x),
    ("velocity", |w, x| w.wind = constant(Vec3::new(0.0, 0.0, x))),
    ("wave_number_scale", |w, x| w.wind = waves(x, 1.0)),
    ("rate", |w, x| w.wind = waves(1.0, x)),
    ("position", |w, x| w.wind = point(Vec3::splat(x), 1.0)),
    ("scale", |w, x| w.wind = point(Vec3::ZERO, x)),
    ("wavelength", |w, x| w.wind = long_gusts(x)),
];

fn one(kind: Kind) -> Wind {
    Wind { sources: vec![Source::new(kind)] }
}

fn constant(velocity: Vec3) -> Wind {
    one(Kind::Constant { velocity })
}

fn waves(wave_number_scale: f32, rate: f32) -> Wind {
    one(Kind::Waves { velocity: Vec3::X, wave_number_scale, rate })
}

fn point(local: Vec3, scale: f32) -> Wind {
    one(Kind::Point { position: Position { tile: IVec3::ZERO, local }, strength: 10.0, scale, rate: 1.0 })
}

fn long_gusts(length: f32) -> Wind {
    let mut wind = gusts(5.0);
    if let Kind::Gusts { wavelength, .. } = &mut wind.sources[0].kind {
        *wavelength = length;
    }
    wind
}

#[test]
fn what_is_no_number_is_refused_everywhere() {
    for (name, set) in NUMBERS {
        for value in NONE {
            let message = refusal(|world| set(world, value));
            assert!(message.contains(name), "{name} = {value}: {message}");
        }
    }
    // Here an infinity means that there is no border.
    for end in 0..2 {
        let message = refusal(|world| world.populations[0].growth.slope[end] = f32::NAN);
        assert!(message.contains("0's slope"), "{message}");
        let message = refusal(|world| world.populations[0].growth.altitude[end] = f32::NAN);
        assert!(message.contains("0's altitude"), "{message}");
    }
    let message = refusal(|world| world.sun.visibility = f32::NAN);
    assert!(message.contains("visibility"), "{message}");
}

#[test]
fn what_cannot_be_held_is_refused() {
    let wrong: [(&str, f32); 17] = [
        ("0's height", 0.02),
        ("0's height", 4.0),
        ("0's width", 0.000_4),
        ("0's stiffness", 33.0),
        ("1's lean", 1.6),
        ("1's tip threshold", 1.0),
        ("density", 0.0),
        ("density", 1e9),
        ("side", 0.0),
        ("full_within", 0.0),
        ("full_within", -1.0),
        ("range", 0.0),
        ("range", -5.0),
        ("gravity_mix", 1.1),
        ("collider 0's radius", -0.1),
        ("sun's light", -1.0),
        ("trample_recovery", 0.0),
    ];
    for (name, value) in wrong {
        for (_, set) in NUMBERS.iter().filter(|(number, _)| *number == name) {
            let message = refusal(|world| set(world, value));
            assert!(message.contains(name), "{name} = {value}: {message}");
        }
    }
    let buckets = refusal(|world| world.populations[0].distance = Distance::Buckets { count: 0, range: 9.0 });
    assert!(buckets.contains("number of buckets is 0"), "{buckets}");
    let mesh =
        Error::to_string(&World { terrain: far_mesh(), ..good() }.check().expect_err("its origin is not a number"));
    assert!(mesh.contains("ground's origin"), "{mesh}");
}

fn far_mesh() -> Terrain {
    let Terrain::Mesh { mesh, .. } = sphere(DVec3::ZERO, Vec::new()).terrain else { unreachable!("it is a mesh") };
    Terrain::Mesh { mesh, origin: DVec3::new(0.0, f64::NAN, 0.0) }
}

#[test]
fn more_than_the_most_is_refused() {
    let message = refusal(|world| world.populations = vec![lawn(1.0, 1); MOST_POPULATIONS + 1]);
    assert_eq!(message, "9 populations, where a world holds at most 8");
    let message = refusal(|world| world.colliders = vec![ball(); MOST_COLLIDERS + 1]);
    assert_eq!(message, "17 colliders, where a world holds at most 16");
    let message = refusal(|world| world.wind.sources = vec![world.wind.sources[0].clone(); 9]);
    assert_eq!(message, "9 sources of wind, where a world holds at most 8");
}

#[test]
fn the_engine_asks() {
    let mut wrong = good();
    wrong.populations[0].height = [f32::NAN; 2];
    let refused = Engine::new(&gpu().device, &gpu().queue, wrong, Options::default()).err().expect("it is refused");
    assert!(matches!(refused, Error::OutOfRange { .. }), "{refused}");
    let mut engine = gpu().engine(good(), Options::default());
    let nowhere = Collider { position: DVec3::NAN, ..ball() };
    let refused = engine.set_colliders(vec![ball(), nowhere]).expect_err("it is refused").to_string();
    assert!(refused.starts_with("collider 1's position is NaN"), "{refused}");
    assert_eq!(engine.world().colliders, [ball()]);
}

#[test]
fn the_ends_of_the_ranges_are_drawn() {
    let mut world = good();
    let [low, high] = &mut world.populations[..] else { unreachable!("there are two") };
    low.height = [0.025, 3.9];
    low.width = [0.000_5, 0.15];
    low.stiffness = [1.0, 32.0];
    low.lean = [0.0, FRAC_PI_2];
    low.distance = Distance::Rank { full_within: 1e-3, range: 1e7 };
    low.color.variety = 1.0;
    low.color.dead = 1.0;
    low.clumps = Some(Clumps { size: 100.0, jitter: 1.0, height: 1.0, facing: 1.0, fan: 1.0, gather: 1.0, color: 1.0 });
    high.clumps = Some(Clumps { size: 0.01, jitter: 0.0, ..TUFTS });
    high.growth.altitude = [-1e30, 1e30];
    high.growth.altitude_border = 0.0;
    high.growth.slope_border = 0.0;
    high.growth.patches = Some(Patches { size: 0.01, share: 1.0, softness: 1.0, ..PATCHES });
    low.color.tip = Vec3::splat(1e6);
    low.forces.gravity = 1e4;
    low.forces.trample_recovery = 1e-3;
    high.distance = Distance::Rank { full_within: 1e7, range: 1e-3 };
    high.shape = Shape::Tip { threshold: 0.999_999 };
    high.color = Color { root: Vec3::splat(1e6), tip: Vec3::splat(1e6), through: Vec3::splat(1e6), ..high.color };
    high.forces.gravity = -1e4;
    high.forces.wind = 1e4;
    high.forces.front_gravity = -1e4;
    high.forces.trample_recovery = 1e9;
    let ends = Collider {
        position: DVec3::new(1e10, -1e10, 1e10),
        axis: Vec3::splat(-1e7),
        radius: 1e7,
        velocity: Vec3::splat(1e9),
    };
    world.colliders = vec![ends, Collider { radius: 0.0, ..ball() }, Collider { radius: 1e7, ..ball() }];
    world.wind.sources.push(Source { intensity: 1e4, ..gusts(1e4).sources[0].clone() });
    world.wind.sources.push(waves(-1e4, 1e4).sources[0].clone());
    world.wind.sources.push(point(Vec3::ZERO, 0.0).sources[0].clone());
    world.sun.light = Vec3::splat(1e6);
    world.sun.sky = 1e6;
    world.sun.visibility = 1e-2;
    for visibility in [1e-2, f32::INFINITY] {
        world.sun.visibility = visibility;
        let mut engine = gpu().engine(world.clone(), Options::default());
        for eye in [[0.0, 0.4, 1.5], [0.0, 0.05, 0.2]] {
            engine.advance(0.1);
            gpu().draw(&mut engine, &look(eye, [0.0, 0.2, 0.0]), &Window::whole([96, 64]), 2);
            gpu().layers(&engine).assert_finite(&format!("visibility {visibility}, from {eye:?}"));
            let bad =
                gpu().bodies(&engine).into_iter().filter(|body| !blade_unpack_state(*body).tip.is_finite()).count();
            assert_eq!(bad, 0, "{bad} tips are not finite");
        }
    }
    // Too many for any adapter, and next to none on next to endless ground.
    let placed = |placement, reach| {
        let distance = Distance::Rank { full_within: reach, range: reach };
        let mut world = good();
        world.populations = vec![Population { placement, distance, ..lawn(1.0, 1) }];
        Engine::new(&gpu().device, &gpu().queue, world, Options::default())
    };
    let refused = placed(Placement::Everywhere { density: 1e5 }, 1e7).err().expect("there is no room").to_string();
    assert!(refused.contains("bodies take"), "{refused}");
    let sparse = [
        (Placement::Everywhere { density: 1e-6 }, 100.0),
        (Placement::Everywhere { density: 1e-6 }, 1e-3),
        (Placement::Square { centre: DVec2::splat(1e10), side: 1e7, count: 100 }, 1e7),
        (Placement::Square { centre: DVec2::ZERO, side: 1e-3, count: 0 }, 1e-3),
    ];
    for (placement, reach) in sparse {
        let mut engine = Drawn::new(placed(placement, reach).expect("there is room"));
        gpu().draw(&mut engine, &look([0.0, 0.4, 1.5], [0.0, 0.2, 0.0]), &Window::whole([32, 32]), 1);
        gpu().layers(&engine).assert_finite(&format!("{placement:?}"));
    }
}
