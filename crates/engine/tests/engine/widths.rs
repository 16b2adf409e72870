//! Both widths of the raster, and two runs of each, give the same picture to the bit.

use anemone::field::wind::Wind;
use anemone::glam::{DVec2, DVec3, Vec3};
use anemone::motion::blade::blade_unpack;
use anemone::probe::Probe;
use anemone::terrain::height::Ground;
use anemone::{Camera, Cull, Distance, Facing, Options, Placement, Population, RasterWidth, Shape, Window, World};

use crate::support::{Drawn, Layers, gpu, gusts, lawn, look, sphere, world};

const SHAPES: [Shape; 5] = [Shape::Quad, Shape::Triangle, Shape::Quadratic, Shape::Tip { threshold: 0.6 }, Shape::V];

/// What an engine draws of a path of views, a tenth of a second apart.
fn film(engine: &mut Drawn, views: &[(Camera, Window)]) -> Vec<Layers> {
    let mut frames = Vec::new();
    for (camera, window) in views {
        gpu().draw(engine, camera, window, 2);
        frames.push(gpu().layers(engine));
        engine.advance(0.1);
    }
    frames
}

/// Draws the path with both widths and again with each, and compares everything.
fn compare(name: &str, world: &World, views: &[(Camera, Window)]) -> Vec<Layers> {
    let draw = |width| film(&mut gpu().engine_of(world.clone(), width), views);
    let wide = draw(RasterWidth::Wide);
    for (width, run) in [(RasterWidth::Wide, 2), (RasterWidth::Narrow, 1), (RasterWidth::Narrow, 2)] {
        for (i, (a, b)) in wide.iter().zip(draw(width)).enumerate() {
            a.assert_equal(&b, &format!("{name}, view {i}, run {run} of {width}"));
        }
    }
    for (i, frame) in wide.iter().enumerate() {
        frame.assert_finite(&format!("{name}, view {i}"));
    }
    wide
}

/// A population of each shape, mixed on one square.
fn every_shape(side: f32, count: u32, change: impl Fn(&mut Population)) -> Vec<Population> {
    let of = |(i, shape): (usize, Shape)| {
        let mut population = Population { shape, seed: 10 + i as u32, ..lawn(side, count) };
        change(&mut population);
        population
    };
    SHAPES.into_iter().enumerate().map(of).collect()
}

#[test]
fn standing_in_tall_grass() {
    let tall = every_shape(4.0, 700, |p| {
        p.height = [0.4, 1.0];
        p.width = [0.006, 0.03];
    });
    let mut world = world(Ground::plane(0.0), tall);
    world.wind = gusts(4.0);
    // The second camera moves into the blades, the third looks up, the fourth straight down.
    let window = Window::whole([320, 180]);
    let views = [
        (look([0.0, 0.3, 0.0], [0.0, 0.3, -5.0]), window),
        (look([0.05, 0.3, -0.1], [1.0, 0.35, -5.0]), window),
        (look([0.3, 0.1, 0.0], [0.0, 2.0, -1.0]), window),
        (look([0.3, 0.5, 0.0], [0.3, 0.0, 0.0]), window),
    ];
    let frames = compare("tall grass", &world, &views);
    assert!(frames[0].bodies() > 20_000, "only {} pixels of grass", frames[0].bodies());
    // Blades do cross the near plane: some fragment lies within 1 cm of it.
    let near = |layers: &Layers| layers.opaque.iter().filter(|p| p[0] >= 128 && p[1] > 0x5500_0000).count();
    assert!(frames.iter().map(near).sum::<usize>() > 100, "{:?}", frames.iter().map(near).collect::<Vec<_>>());
}

#[test]
fn pictures_of_odd_sizes() {
    let world = world(Ground::hills(4), every_shape(6.0, 1000, |_| {}));
    let y = f64::from(Ground::hills(4).height(anemone::field::space::Position::from_metres(DVec3::ZERO)));
    let camera = look([0.0, y + 0.7, 4.0], [0.0, y, 0.0]);
    let whole = [[1, 1], [17, 3], [3, 17], [64, 64], [65, 63], [641, 359]].map(|size| (camera, Window::whole(size)));
    let part = Window { picture: [3840, 2160], origin: [1613, 1001], size: [203, 171] };
    let views: Vec<_> = whole.into_iter().chain([(camera, part)]).collect();
    let frames = compare("odd sizes", &world, &views);
    assert!(frames[5].partials() > 1000, "only {} pixels in part", frames[5].partials());
}

#[test]
fn a_window_of_a_picture_is_that_part_of_it() {
    // What a still is put together from.
    let world = world(Ground::plane(0.0), every_shape(3.0, 700, |p| p.width = [0.001, 0.02]));
    let camera = look([0.0, 0.4, 1.2], [0.0, 0.1, 0.0]);
    let mut engine = gpu().engine_of(world.clone(), RasterWidth::Wide);
    gpu().draw(&mut engine, &camera, &Window::whole([200, 120]), 1);
    let whole = gpu().layers(&engine);
    let mut engine = gpu().engine_of(world, RasterWidth::Wide);
    let mut differ = 0;
    for [x0, y0] in [[0, 0], [100, 0], [0, 60], [100, 60]] {
        let window = Window { picture: [200, 120], origin: [x0, y0], size: [100, 60] };
        gpu().draw(&mut engine, &camera, &window, 1);
        let part = gpu().layers(&engine);
        for y in 0..60_usize {
            for x in 0..100_usize {
                let a = part.light[y * 100 + x];
                let b = whole.light[(y + y0 as usize) * 200 + x + x0 as usize];
                differ += usize::from(a != b);
            }
        }
    }
    assert_eq!(differ, 0, "of 24000 pixels");
}

#[test]
fn widths_and_heights_at_their_ends() {
    let mut populations = every_shape(2.0, 150, |p| {
        p.height = [0.025, 3.9];
        p.width = [0.0005, 0.15];
    });
    populations.push(Population { height: [3.9, 3.9], width: [0.15, 0.15], facing: Facing::Cull, ..lawn(1.0, 20) });
    populations.push(Population { height: [3.9, 3.9], width: [0.0005, 0.0005], ..lawn(1.0, 200) });
    let world = world(Ground::plane(0.0), populations);
    let window = Window::whole([320, 180]);
    let views = [
        (look([0.0, 0.3, 0.6], [0.0, 0.5, 0.0]), window),
        (look([0.0, 1.0, 40.0], [0.0, 1.0, 0.0]), window),
        (look([0.05, 3.0, 0.0], [0.0, 0.0, 0.0]), window),
    ];
    let frames = compare("extremes", &world, &views);
    assert!(frames[0].bodies() > 1000);
}

#[test]
fn a_blade_of_thousands_of_pixels_keeps_both_its_edges() {
    let one = Population {
        height: [1.0, 1.0],
        width: [0.15, 0.15],
        lean: [0.0, 0.0],
        shape: Shape::Quad,
        cull: Cull::NONE,
        ..lawn(0.01, 1)
    };
    let mut world = world(Ground::plane(0.0), vec![one]);
    world.wind = Wind::default();
    let mut engine = gpu().engine(world, Options::default());
    let start = look([0.0, 0.1, 1.0], [0.0, 0.1, 0.0]);
    gpu().simulate(&mut engine, &start, &Window::whole([16, 9]), 0.1, 1);
    let tiles = anemone::cull::reference::tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let (_, _, _, corner, extent) = tiles.boxes().next().expect("a tile");
    let blade = blade_unpack(gpu().bodies(&engine)[0], Vec3::ZERO, extent);
    let root = corner.to_metres() + blade.root.as_dvec3();
    let across = blade.side().as_dvec3();
    // Face-on, a window one pixel high at the height of the eye; from 512 and 4,096 pixels on rows are kept more coarsely.
    for distance in [1.0, 0.25, 0.1] {
        let middle = root + DVec3::Y * 0.05;
        let eye = middle + across.cross(DVec3::Y) * distance;
        let camera = Camera::look_at(eye, middle, 0.9, 0.02);
        let window = Window { picture: [8_000, 4_500], origin: [0, 2_250], size: [8_000, 1] };
        gpu().draw(&mut engine, &camera, &window, 1);
        let drawn: Vec<usize> =
            gpu().layers(&engine).opaque.iter().enumerate().filter(|(_, p)| p[0] >= 128).map(|(i, _)| i).collect();
        let half = 0.5 * 0.15 * 2_250.0 / (0.45_f64.tan() * distance);
        let (first, last) = (4_000.0 - half, 4_000.0 + half);
        let (Some(&left), Some(&right)) = (drawn.first(), drawn.last()) else { panic!("nothing at {distance} m") };
        assert_eq!(drawn.len(), right - left + 1, "a gap at {distance} m");
        // The blade bends towards the eye or away by a little even at its foot.
        let allowed = 0.01 * half + 1.0;
        assert!((left as f64 - first).abs() < allowed, "left edge at {distance} m: {left}, not {first:.0}");
        assert!((right as f64 - last).abs() < allowed, "right edge at {distance} m: {right}, not {last:.0}");
    }
}

#[test]
fn a_picture_of_4k_with_blades_of_thousands_of_pixels() {
    let population = Population { height: [0.3, 2.0], width: [0.01, 0.1], ..lawn(1.5, 150) };
    let world = world(Ground::plane(0.0), vec![population]);
    let (camera, window) = (look([0.0, 0.5, 0.4], [0.0, 0.6, 0.0]), Window::whole([3840, 2160]));
    // Twice in all: pictures of this size take a software driver long.
    let draw = |width| {
        let mut engine = gpu().engine_of(world.clone(), width);
        gpu().draw(&mut engine, &camera, &window, 1);
        gpu().layers(&engine)
    };
    let wide = draw(RasterWidth::Wide);
    wide.assert_equal(&draw(RasterWidth::Narrow), "4K");
    assert!(wide.bodies() > 500_000, "only {} pixels of grass", wide.bodies());
}

#[test]
fn meshes_and_rings() {
    let on_sphere = Population { placement: Placement::Surface { count: 8000 }, ..lawn(1.0, 0) };
    let window = Window::whole([240, 160]);
    let round = [(look([0.0, 0.8, 2.5], [0.0; 3]), window), (look([0.3, -1.4, 1.0], [0.0; 3]), window)];
    compare("sphere", &sphere(DVec3::ZERO, vec![on_sphere]), &round);
    let meadow = Population {
        placement: Placement::Everywhere { density: 300.0 },
        distance: Distance::Rank { full_within: 3.0, range: 60.0 },
        ..lawn(1.0, 0)
    };
    let ground = Ground::hills(3);
    let at = DVec2::new(5000.0, -7000.0);
    let y = f64::from(ground.height(anemone::field::space::Position::from_metres(DVec3::new(at.x, 0.0, at.y))));
    let eye = |d: f64| look([at.x, y + 1.6, at.y - d], [at.x + 1.0, y + 0.5, at.y - d - 5.0]);
    let views = [(eye(0.0), window), (eye(9.0), window), (eye(0.0), window)];
    let mut meadow = world(ground, vec![meadow]);
    meadow.wind = gusts(5.0);
    compare("rings", &meadow, &views);
}
