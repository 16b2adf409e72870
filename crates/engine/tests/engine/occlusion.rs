//! Occlusion culling is proven by the picture: with it and without it, every layer is the same to the bit.

use anemone::field::space::Position;
use anemone::glam::{DVec3, Vec3};
use anemone::terrain::height::Ground;
use anemone::{Camera, Cull, Distance, Placement, Population, Window, World};

use crate::support::{Drawn, gpu, gusts, lawn, sphere, world};

/// Draws the path with both settings; (drawn with, drawn without, passed the other culls) of each frame.
fn compare(name: &str, world: &World, path: &[Camera], dt: f64) -> Vec<[u32; 3]> {
    let with = |occlusion| {
        let mut world = world.clone();
        for population in &mut world.populations {
            population.cull = Cull { occlusion, ..population.cull };
        }
        gpu().engine(world, Default::default())
    };
    let (mut on, mut off) = (with(true), with(false));
    let window = Window::whole([320, 180]);
    let mut drawn = Vec::new();
    for (i, camera) in path.iter().enumerate() {
        let draw = |engine: &mut Drawn| {
            gpu().draw(engine, camera, &window, 2);
            (gpu().layers(engine), gpu().counts(engine))
        };
        let (a, counts) = draw(&mut on);
        let (b, all) = draw(&mut off);
        a.assert_equal(&b, &format!("{name}, frame {i}"));
        assert_eq!(counts.items, all.items, "{name}, frame {i}");
        assert!(all.dropped == 0 && all.rows_dropped == 0, "{name}, frame {i}: {all:?}");
        drawn.push([counts.drawn, all.drawn, all.items]);
        on.advance(dt);
        off.advance(dt);
    }
    drawn
}

fn assert_culls(name: &str, drawn: &[[u32; 3]], share: f64) {
    for (i, [with, without, items]) in drawn.iter().enumerate() {
        assert!(*without > 0 && without <= items, "{name}, frame {i}: {without} of {items} drawn");
        assert!(with <= without, "{name}, frame {i}: {with} of {without} drawn");
    }
    // A cut shows nothing that was seen before: then everything is drawn twice before hidden bodies are known.
    let sum = |i: usize| drawn.iter().map(|frame| f64::from(frame[i])).sum::<f64>();
    assert!(sum(0) < share * sum(1), "{name}: {} of {} drawn", sum(0), sum(1));
}

#[test]
fn dense_grass_on_hills_looks_the_same_without_it() {
    let ground = Ground::hills(6);
    let meadow = Population {
        placement: Placement::Everywhere { density: 500.0 },
        height: [0.5, 1.0],
        width: [0.03, 0.06],
        distance: Distance::Rank { full_within: 3.0, range: 40.0 },
        ..lawn(1.0, 0)
    };
    let eye = |t: f64| {
        let at = DVec3::new(100.0 + 0.3 * t, 0.0, 40.0 - 0.4 * t);
        let y = f64::from(ground.height(Position::from_metres(at)));
        // Down in tall grass and up again, turning all the while.
        let eye = DVec3::new(at.x, y + 0.3 + 0.2 * (t * 0.9).sin().abs(), at.z);
        let turn = 0.1 * t;
        Camera {
            forward: Vec3::new(turn.sin() as f32, -0.06, -turn.cos() as f32),
            ..Camera::look_at(eye, eye + DVec3::X, 0.9, 0.02)
        }
    };
    // Small steps, then a cut to the other side and back.
    let mut path: Vec<Camera> = (0..6).map(|i| eye(f64::from(i))).collect();
    path.extend([eye(15.0), eye(5.0), eye(5.0)]);
    let mut world = world(ground.clone(), vec![meadow]);
    world.wind = gusts(5.0);
    let drawn = compare("hills", &world, &path, 1.0 / 30.0);
    assert_culls("hills", &drawn, 0.8);
}

#[test]
fn the_far_side_of_a_sphere_is_culled() {
    let fur = Population { placement: Placement::Surface { count: 12_000 }, height: [0.03, 0.08], ..lawn(1.0, 0) };
    let eye = |t: f64| {
        let eye = DVec3::new(2.6 * t.sin(), 0.9 * (1.7 * t).cos(), 2.6 * t.cos());
        Camera::look_at(eye, DVec3::ZERO, 0.9, 0.02)
    };
    let path: Vec<Camera> = (0..6).map(|i| eye(0.25 * f64::from(i))).collect();
    let drawn = compare("sphere", &sphere(DVec3::ZERO, vec![fur]), &path, 1.0 / 60.0);
    assert_culls("sphere", &drawn, 0.75);
}
