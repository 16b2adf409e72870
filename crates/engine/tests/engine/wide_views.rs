//! Very wide views, with the eye among the blades: off the axis a pixel takes in less than on it, widths lean along the
//! rays, and every bound of the culls is tried. No cull, no width of the raster and no cutting into windows may show.

use anemone::glam::{DVec2, DVec3, Vec2, Vec3};
use anemone::terrain::height::Ground;
use anemone::{
    Camera, Cull, Distance, Facing, Forces, Options, Placement, Population, RasterWidth, Shape, Window, World,
};

use crate::support::{Layers, gpu, gusts, lawn, look, world};

const PICTURE: [u32; 2] = [256, 160];
/// Corners of a picture so large that half widths are many pixels: there the bounds are tried hardest.
const CORNERS: [Window; 2] = [corner([0, 0]), corner([1920, 1200])];

const fn corner(origin: [u32; 2]) -> Window {
    Window { picture: [2048, 1280], origin, size: [128, 80] }
}
const EYE: [f64; 3] = [0.0, 0.5, 0.0];

/// Wide blades and thin ones round the eye and far off, stiff and bent; one population of each shape.
fn blades() -> World {
    let of = |seed, side, count, width, shape| Population {
        seed,
        shape,
        height: [0.2, 1.2],
        width,
        // Bent ones leave the picture and come back.
        stiffness: [2.0, 20.0],
        lean: [0.0, 0.8],
        distance: Distance::Rank { full_within: 2.0, range: 60.0 },
        forces: Forces { wind: 3.0, ..Forces::default() },
        facing: if seed % 2 == 0 { Facing::Widen } else { Facing::Cull },
        placement: Placement::Square { centre: DVec2::ZERO, side, count },
        ..lawn(side, count)
    };
    let populations = vec![
        of(1, 3.0, 250, [0.08, 0.12], Shape::Quad),
        of(2, 3.0, 250, [0.08, 0.15], Shape::V),
        of(3, 3.0, 400, [0.000_5, 0.002], Shape::Triangle),
        of(4, 40.0, 1500, [0.002, 0.1], Shape::Quadratic),
        of(5, 40.0, 1000, [0.001, 0.01], Shape::Tip { threshold: 0.5 }),
    ];
    let mut world = world(Ground::plane(0.0), populations);
    world.wind = gusts(6.0);
    world
}

/// So many wide blades that they hide each other, tall ones and short ones; parts of many show beside what hides the rest.
fn thicket(occlusion: bool) -> World {
    let of = |seed, height, count| Population {
        seed,
        height,
        width: [0.06, 0.15],
        shape: Shape::Quad,
        lean: [0.0, 0.3],
        cull: Cull { occlusion, ..Cull::ALL },
        ..lawn(5.0, count)
    };
    world(Ground::plane(0.0), vec![of(1, [0.8, 1.5], 700), of(2, [0.05, 0.6], 1500)])
}

/// Views all round, down into the grass and up out of it, rolled so that each corner comes to see grass, of one angle of view
/// (degrees).
fn views(fov: f32) -> Vec<Camera> {
    let forward = |turn: f32, rise: f32| Vec3::new(turn.sin() * rise.cos(), rise.sin(), -turn.cos() * rise.cos());
    let place = |i: u32, rise: f32| Camera {
        eye: DVec3::from_array(EYE) + DVec3::new(0.13, 0.07, -0.11) * f64::from(i),
        forward: forward(0.9 * i as f32, rise),
        up: Vec3::new((1.1 * i as f32).sin(), (1.1 * i as f32).cos(), 0.2),
        fov: fov.to_radians(),
        near: 0.02,
    };
    vec![place(0, 0.0), place(1, -0.5), place(2, 0.6), place(3, -1.3)]
}

fn with_cull(change: impl Fn(&mut Cull)) -> World {
    let mut world = blades();
    world.populations.iter_mut().for_each(|population| change(&mut population.cull));
    world
}

/// What the views look like, a thirtieth of a second apart.
fn film(world: World, width: RasterWidth, views: &[Camera], window: Window) -> Vec<Layers> {
    let mut engine = gpu().engine(world, Options { width: Some(width), always_awake: true, ..Options::default() });
    let draw = |camera: &Camera| {
        engine.advance(1.0 / 30.0);
        // What the culls hide wrongly in a sample is missed in the next one.
        gpu().draw(&mut engine, camera, &window, 3);
        let counts = gpu().counts(&engine);
        assert!(counts.dropped + counts.rows_dropped + counts.sun_dropped == 0, "{counts:?}");
        gpu().layers(&engine)
    };
    views.iter().map(draw).collect()
}

/// Depths and coverage without names: which item a body is depends on what else is in the list.
fn shape(layers: &Layers) -> Vec<[u32; 3]> {
    let pixels = layers.opaque.iter().zip(&layers.partial).zip(&layers.thickness);
    pixels.map(|((opaque, partial), thickness)| [opaque[1], partial[1], *thickness]).collect()
}

fn assert_alike(a: &Layers, b: &Layers, what: &str) {
    let (a, b) = (shape(a), shape(b));
    let differ: Vec<usize> = (0..a.len()).filter(|&i| a[i] != b[i]).collect();
    if let Some(&i) = differ.first() {
        panic!("{what}: {} of {} pixels differ, the first at {i}: {:x?} and {:x?}", differ.len(), a.len(), a[i], b[i]);
    }
}

fn part(whole: &Layers, window: &Window) -> Layers {
    let [x0, y0] = window.origin;
    let at = |i: u32| ((i / window.size[0] + y0) * window.picture[0] + i % window.size[0] + x0) as usize;
    let all = || (0..window.size[0] * window.size[1]).map(at);
    Layers {
        opaque: all().map(|i| whole.opaque[i]).collect(),
        partial: all().map(|i| whole.partial[i]).collect(),
        thickness: all().map(|i| whole.thickness[i]).collect(),
        light: all().map(|i| whole.light[i]).collect(),
    }
}

/// Holds two ways of drawing against each other, in whole pictures and in corners of large ones.
fn compare(draw: impl Fn(bool, &[Camera], Window) -> Vec<Layers>, alike: impl Fn(&Layers, &Layers, &str)) {
    for fov in [120.0, 150.0] {
        let views = views(fov);
        for window in [Window::whole(PICTURE), CORNERS[0], CORNERS[1]] {
            let mut shown = 0;
            for (i, (a, b)) in draw(true, &views, window).iter().zip(draw(false, &views, window)).enumerate() {
                alike(a, &b, &format!("{fov}°, {window:?}, view {i}"));
                shown += a.bodies() + a.partials();
            }
            assert!(shown > 2000, "{fov}°, {window:?}: only {shown} pixels of grass");
        }
    }
}

#[test]
fn occlusion_does_not_show() {
    let draw = |occlusion, views: &[Camera], window| film(thicket(occlusion), RasterWidth::Wide, views, window);
    compare(draw, |on, off, what| on.assert_equal(off, what));
}

#[test]
fn the_frustum_does_not_show() {
    let draw = |frustum, views: &[Camera], window| {
        film(with_cull(|cull| cull.frustum = frustum), RasterWidth::Wide, views, window)
    };
    compare(draw, assert_alike);
}

#[test]
fn both_widths_of_the_raster_agree() {
    let draw = |wide, views: &[Camera], window| {
        film(blades(), if wide { RasterWidth::Wide } else { RasterWidth::Narrow }, views, window)
    };
    compare(draw, |wide, narrow, what| wide.assert_equal(narrow, what));
}

#[test]
fn windows_are_parts_of_the_picture() {
    for fov in [50.0, 120.0, 150.0] {
        let views = views(fov);
        let whole = film(blades(), RasterWidth::Wide, &views, Window::whole(PICTURE));
        // Two corners, and odd cuts through the middle.
        for (origin, size) in [([0, 0], [64, 48]), ([192, 112], [64, 48]), ([101, 37], [77, 63])] {
            let window = Window { picture: PICTURE, origin, size };
            for (i, (whole, drawn)) in whole.iter().zip(film(blades(), RasterWidth::Wide, &views, window)).enumerate() {
                let whole = part(whole, &window);
                let what = format!("{fov}°, view {i}, window at {origin:?}");
                assert_alike(&whole, &drawn, &what);
                assert!(whole.light == drawn.light, "{what}: the light differs");
            }
        }
    }
}

/// A picture beside the optical axis is the part of a wider one that lies there: what the shift brings into view is culled by
/// where it lies, not as if it lay outside.
#[test]
fn a_shifted_picture_is_a_part_of_a_wider_one() {
    let camera = look([0.0, 0.6, 2.0], [0.0, 0.2, 0.0]);
    let mut engine = gpu().engine(world(Ground::plane(0.0), vec![lawn(6.0, 12_000)]), Options::default());
    let wider = Window { picture: [268, 72], origin: [0, 0], size: [128, 72] };
    gpu().draw(&mut engine, &camera, &wider, 1);
    let wanted = gpu().layers(&engine);
    engine.view.shift = Vec2::new(70.0, 0.0);
    gpu().draw(&mut engine, &camera, &Window::whole([128, 72]), 1);
    let found = gpu().layers(&engine);
    let bodies = wanted.opaque.iter().zip(&wanted.partial).filter(|(o, p)| o[0] >= 128 || p[0] >= 128).count();
    // Blades that cross the picture's edge are cut in other places.
    let differ =
        |a: &[[u32; 2]], b: &[[u32; 2]]| a.iter().zip(b).filter(|(a, b)| a[1].abs_diff(b[1]) > a[1] >> 10).count();
    let off = differ(&wanted.opaque, &found.opaque) + differ(&wanted.partial, &found.partial);
    eprintln!("{bodies} pixels of bodies, {off} differ");
    assert!(bodies > 3_000 && off * 200 < bodies, "{off} of {bodies}");
}
