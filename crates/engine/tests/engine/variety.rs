//! Where bodies stand when they grow in clumps and in some places only: read back, and held against the laws.

use std::sync::Arc;

use anemone::cull::reference::tiles;
use anemone::field::space::Position;
use anemone::glam::{DVec2, DVec3, IVec2, Vec2, Vec3};
use anemone::motion::blade::{Blade, blade_unpack};
use anemone::probe::Probe;
use anemone::terrain::clump::{ClumpGrid, clump_at};
use anemone::terrain::growth::site_share;
use anemone::terrain::height::Ground;
use anemone::terrain::height_map::{HeightMap, MapOptions};
use anemone::{Clumps, Distance, Growth, Patches, Placement, Population, Window};

use anemone_twin::Twin;

use crate::support::{gpu, lawn, look, sphere, world};

const NONE: Clumps = Clumps { size: 0.6, jitter: 1.0, height: 0.0, facing: 0.0, fan: 0.0, gather: 0.0, color: 0.0 };

/// A body that stands, with its words, its place, and how far its tile's box reaches.
struct Standing {
    words: [u32; 3],
    blade: Blade,
    root: DVec3,
    extent: Vec3,
}

impl Standing {
    fn plane(&self) -> (IVec2, Vec2) {
        let at = Position::from_metres(self.root);
        (IVec2::new(at.tile.x, at.tile.z), Vec2::new(at.local.x, at.local.z))
    }
}

/// Each body of the pool in its order, where it stands, seen from over a place of rolling hills.
fn bodies(ground: &Ground, eye: [f64; 2], population: Population) -> Vec<Option<Standing>> {
    let mut engine = gpu().engine(world(ground.clone(), vec![population]), Default::default());
    let y = f64::from(ground.height(Position::from_metres(DVec3::new(eye[0], 0.0, eye[1]))));
    let camera = look([eye[0], y + 1.0, eye[1]], [eye[0], y, eye[1] - 5.0]);
    gpu().draw(&mut engine, &camera, &Window::whole([32, 32]), 1);
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let pool = gpu().bodies(&engine);
    let mut found = Vec::new();
    for (_, first, count, corner, extent) in tiles.boxes() {
        for body in &pool[first as usize..(first + count) as usize] {
            let words = [body.words[0], body.words[1], body.words[2]];
            found.push((words != [0; 3]).then(|| {
                let blade = blade_unpack(*body, Vec3::ZERO, extent);
                let root = corner.tile.as_dvec3() * 64.0 + corner.local.as_dvec3() + blade.root.as_dvec3();
                Standing { words, blade, root, extent }
            }));
        }
    }
    assert!(found.iter().flatten().count() > 2000 || found.iter().all(Option::is_none), "too few bodies");
    found
}

fn meadow() -> Population {
    Population {
        placement: Placement::Everywhere { density: 20.0 },
        distance: Distance::Rank { full_within: 6.0, range: 200.0 },
        lean: [0.1, 0.6],
        ..lawn(1.0, 0)
    }
}

/// Metres by which a packed root may be off.
fn step(body: &Standing) -> f32 {
    body.extent.x / 65_535.0 + 1e-4
}

/// Whether the packed place may lie on the other side of a clump's border than the body's own.
fn is_on_border(body: &Standing, grid: &ClumpGrid) -> bool {
    let (tile, local) = body.plane();
    let hash = clump_at(tile, local, grid).hash;
    let around = (0..8).map(|i| Vec2::from_angle(i as f32 * std::f32::consts::FRAC_PI_4) * (3.0 * step(body)));
    around.into_iter().any(|off| clump_at(tile, local + off, grid).hash != hash)
}

#[test]
fn gathered_roots_stand_at_their_centre_on_the_ground_whatever_tile_they_are_of() {
    let ground = Ground::hills(5);
    let clumps = Clumps { gather: 1.0, ..NONE };
    let population = Population { clumps: Some(clumps), ..meadow() };
    let grid = clumps.grid(population.seed);
    for eye in [[0.0, 0.0], [100_000.0, -70_000.0]] {
        for body in bodies(&ground, eye, population.clone()).iter().flatten() {
            let (tile, local) = body.plane();
            // A root held back by its tile's box would stand off.
            let off = clump_at(tile, local, &grid).to_centre.length();
            assert!(off <= 1.5 * step(body), "{}: {off} m off its clump's centre", body.root);
            let surface = ground.surface(Position::from_metres(body.root), 0.0);
            let slope = surface.slope.length() + 0.2;
            let allowed = 0.5 * body.extent.y / 65_535.0 + slope * step(body) + 1e-4;
            let error = (body.root.y - f64::from(surface.height)).abs();
            assert!(error <= f64::from(allowed), "{}: {error} m off the ground, {allowed} allowed", body.root);
        }
    }
}

#[test]
fn a_body_is_moved_its_share_of_the_way_and_no_farther_than_the_margin() {
    let ground = Ground::plane(0.0);
    let clumps = Clumps { gather: 0.4, ..NONE };
    let scattered = bodies(&ground, [3.0, 4.0], Population { clumps: Some(NONE), ..meadow() });
    let gathered = bodies(&ground, [3.0, 4.0], Population { clumps: Some(clumps), ..meadow() });
    let grid = clumps.grid(meadow().seed);
    assert_eq!(scattered.len(), gathered.len());
    for (from, to) in scattered.iter().flatten().zip(gathered.iter().flatten()) {
        let (tile, local) = from.plane();
        let way = clump_at(tile, local, &grid).to_centre;
        let moved = to.root - from.root;
        let moved = Vec2::new(moved.x as f32, moved.z as f32);
        assert!(moved.length() <= clumps.margin() + 2.0 * step(to));
        assert!(
            is_on_border(from, &grid) || (moved - 0.4 * way).length() < 3.0 * step(to),
            "{}: {moved} on a way of {way}",
            from.root
        );
    }
}

#[test]
fn bodies_of_a_clump_share_what_they_are_told_to() {
    let ground = Ground::plane(0.0);
    let clumps = Clumps { height: 1.0, facing: 1.0, ..NONE };
    let population = Population { clumps: Some(clumps), lean: [0.0, 0.0], ..meadow() };
    let grid = clumps.grid(population.seed);
    let mut first: std::collections::HashMap<u32, (f32, Vec3)> = std::collections::HashMap::new();
    let mut pairs = 0;
    for body in bodies(&ground, [0.0, 0.0], population).iter().flatten() {
        let (tile, local) = body.plane();
        let clump = clump_at(tile, local, &grid);
        if is_on_border(body, &grid) {
            continue;
        }
        let (height, front) = *first.entry(clump.hash).or_insert_with(|| {
            pairs -= 1;
            (body.blade.height, body.blade.front)
        });
        pairs += 1;
        assert!((height - body.blade.height).abs() < 1e-6 && front.distance(body.blade.front) < 1e-5);
    }
    assert!(pairs > 1000, "{pairs}");
    let heights: Vec<f32> = first.values().map(|value| value.0).collect();
    let mean = heights.iter().sum::<f32>() / heights.len() as f32;
    assert!((0.19..0.21).contains(&mean), "clumps of {mean} m on the mean");
}

#[test]
fn a_fan_leans_outward_and_the_more_the_farther_out() {
    let ground = Ground::plane(0.0);
    let clumps = Clumps { fan: 1.0, ..NONE };
    let population = Population { clumps: Some(clumps), ..meadow() };
    let grid = clumps.grid(population.seed);
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    for body in bodies(&ground, [0.0, 0.0], population).iter().flatten() {
        let (tile, local) = body.plane();
        let outward = -clump_at(tile, local, &grid).to_centre;
        let off = outward.length() / clumps.size;
        let lean = body.blade.up.angle_between(Vec3::Y);
        if off > 0.15 && !is_on_border(body, &grid) {
            let across = Vec2::new(body.blade.up.x, body.blade.up.z).normalize().dot(outward.normalize());
            assert!(across > 0.9, "{}: leans {lean} rad, by {across} of it outward", body.root);
            if off > 0.4 { &mut outer } else { &mut inner }.push(lean);
        }
    }
    let mean = |leans: &[f32]| leans.iter().sum::<f32>() / leans.len() as f32;
    assert!(inner.len() > 300 && outer.len() > 300);
    assert!(mean(&outer) > mean(&inner) + 0.1, "{} and {}", mean(&outer), mean(&inner));
}

fn site(ground: &Ground, body: &Standing, growth: &Growth) -> f32 {
    let surface = ground.surface(Position::from_metres(body.root), 0.0);
    let (tile, local) = body.plane();
    site_share(tile, local, surface.normal(), surface.height, &growth.uniform())
}

#[test]
fn as_many_bodies_stand_as_the_law_expects_and_they_are_the_same_ones() {
    let ground = Ground::hills(5);
    let all = bodies(&ground, [250.0, -80.0], meadow());
    let base = ground.height(Position::from_metres(DVec3::new(250.0, 0.0, -80.0)));
    let patches = Patches { size: 4.0, share: 0.4, softness: 0.6, seed: 8, inverted: false };
    for growth in [
        Growth { slope: [0.06, 0.2], slope_border: 0.05, ..Growth::default() },
        Growth { altitude: [base - 1.5, base + 1.0], altitude_border: 2.0, ..Growth::default() },
        Growth { patches: Some(patches), ..Growth::default() },
        Growth { patches: Some(Patches { inverted: true, ..patches }), slope: [0.0, 0.15], ..Growth::default() },
    ] {
        let some = bodies(&ground, [250.0, -80.0], Population { growth, ..meadow() });
        assert_eq!(all.len(), some.len());
        // In four parts by rank: any prefix of a set thins alike.
        let mut parts = [(0.0_f64, 0.0_f64, 0_u32, 0_u32); 4];
        let size = all.len().div_ceil(4);
        for (i, (all, some)) in all.iter().zip(&some).enumerate() {
            let Some(before) = all else {
                assert!(some.is_none(), "a body stands where none did");
                continue;
            };
            let share = site(&ground, before, &growth);
            if let Some(body) = some {
                assert_eq!(body.words, before.words, "a body that stands is another one");
                assert!(share > 0.0, "{} stands where none may", body.root);
            } else {
                assert!(share < 1.0, "{} is bare where all stand", before.root);
            }
            let part = &mut parts[i / size];
            part.0 += f64::from(share);
            part.1 += f64::from(share * (1.0 - share));
            part.2 += u32::from(some.is_some());
            part.3 += 1;
        }
        for (expected, variance, found, of) in parts {
            let error = (f64::from(found) - expected).abs();
            assert!(error < 4.5 * variance.sqrt() + 1.0, "{growth:?}: {found} of {of} stand, expected {expected}");
        }
        let stand: u32 = parts.iter().map(|part| part.2).sum();
        assert!((0.05..0.95).contains(&(f64::from(stand) / all.len() as f64)), "{growth:?}: {stand} say little");
    }
}

/// What a coarse tile holds of a place, a fine one holds too, at the same spot: nothing moves or vanishes when one comes near.
#[test]
fn a_thinner_set_is_a_part_of_the_fuller_one() {
    let ground = Ground::hills(5);
    let population = Population {
        clumps: Some(Clumps { gather: 0.7, fan: 0.5, height: 0.5, facing: 0.5, ..NONE }),
        growth: Growth {
            patches: Some(Patches { size: 4.0, share: 0.6, softness: 0.5, seed: 8, inverted: false }),
            ..Growth::default()
        },
        ..meadow()
    };
    let far = bodies(&ground, [40.0, 0.0], population.clone());
    let near = bodies(&ground, [0.0, 0.0], population);
    // In front of the second eye, all bodies stand.
    let here = |body: &&Standing| body.root.x.abs() < 5.0 && body.root.z.abs() < 5.0;
    let near: Vec<&Standing> = near.iter().flatten().filter(here).collect();
    let far: Vec<&Standing> =
        far.iter().flatten().filter(here).filter(|body| body.root.x.abs() < 4.0 && body.root.z.abs() < 4.0).collect();
    assert!(far.len() > 20 && far.len() * 2 < near.len(), "{} of {}", far.len(), near.len());
    for body in far {
        let twin = near.iter().any(|other| {
            other.root.distance(body.root) < f64::from(2.0 * step(body)) + 0.01
                && (other.blade.height - body.blade.height).abs() < 1e-6
                && other.blade.front.distance(body.blade.front) < 0.05
        });
        assert!(twin, "{} is none of the fuller set", body.root);
    }
}

#[test]
fn on_a_mesh_growth_holds_and_clumps_do_not() {
    let mut clumped = Population { placement: Placement::Surface { count: 6000 }, ..lawn(1.0, 0) };
    let draw = |population: Population| {
        let mut engine = gpu().engine(sphere(DVec3::new(0.0, 50.0, 0.0), vec![population]), Default::default());
        gpu().draw(&mut engine, &look([0.0, 50.0, 4.0], [0.0, 50.0, 0.0]), &Window::whole([32, 32]), 1);
        gpu().bodies(&engine).iter().map(|body| [body.words[0], body.words[1], body.words[2]]).collect::<Vec<_>>()
    };
    let plain = draw(clumped.clone());
    clumped.clumps = Some(Clumps { gather: 1.0, height: 1.0, facing: 1.0, fan: 1.0, ..NONE });
    assert_eq!(draw(clumped.clone()), plain);
    // The upper half, by slope and by altitude: a half of the area of a sphere.
    for growth in [
        Growth { slope: [0.0, std::f32::consts::FRAC_PI_2], ..Growth::default() },
        Growth { altitude: [50.0, f32::INFINITY], altitude_border: 0.1, ..Growth::default() },
    ] {
        let stand = draw(Population { growth, ..clumped.clone() }).iter().filter(|words| **words != [0; 3]).count();
        assert!((2800..3200).contains(&stand), "{growth:?}: {stand} of 6000 stand");
    }
}

/// A map that is black in the west, white in the east and grey between: far from the origin too, and beside another one.
#[test]
fn a_density_map_thins_by_its_grey() {
    let map = |middle: f64, columns: u32| {
        let samples = (0..7 * columns).map(|i| (f64::from(i % columns) / f64::from(columns - 1) * 65_535.0) as u16);
        let map = HeightMap::from_samples(columns, 7, samples.collect(), &MapOptions::default()).expect("a map");
        Some(Arc::new(map.into_shares(DVec2::new(20.0, 12.0), DVec2::new(middle, 0.0)).expect("it fits")))
    };
    for middle in [0.0, 100_000.0] {
        let other = Population { density_map: map(middle + 900.0, 50), ..lawn(1.0, 10) };
        let placement = Placement::Square { centre: DVec2::new(middle, 0.0), side: 40.0, count: 40_000 };
        let population = Population { placement, density_map: map(middle, 11), ..lawn(1.0, 0) };
        let mut engine = gpu().engine(world(Ground::plane(0.0), vec![other, population]), Default::default());
        let camera = look([middle, 1.0, 0.0], [middle, 0.0, -5.0]);
        gpu().draw(&mut engine, &camera, &Window::whole([32, 32]), 1);
        let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
        let pool = gpu().bodies(&engine);
        let mut strips = [0_u32; 40];
        for (population, first, count, corner, extent) in tiles.boxes().filter(|tile| tile.0 == 1) {
            assert_eq!(population, 1);
            for body in pool[first as usize..(first + count) as usize].iter().filter(|body| body.words[..3] != [0; 3]) {
                let x = f64::from(corner.tile.x) * 64.0
                    + f64::from(corner.local.x + blade_unpack(*body, Vec3::ZERO, extent).root.x);
                strips[((x - middle + 20.0) as usize).min(39)] += 1;
            }
        }
        // A thousand a strip at white; none but all beyond the edges.
        for (strip, found) in strips.into_iter().enumerate() {
            let share = ((strip as f64 + 0.5 - 10.0) / 20.0).clamp(0.0, 1.0);
            let error = (f64::from(found) - 1000.0 * share).abs();
            let allowed =
                4.5 * (1000.0 * share * (1.0 - share)).sqrt() + if (share - 0.5).abs() < 0.5 { 15.0 } else { 12.0 };
            assert!(error <= allowed, "{middle}, strip {strip}: {found}, not {}", 1000.0 * share);
        }
    }
}

#[test]
fn where_nothing_grows_nothing_is_drawn() {
    let growth = Growth { altitude: [100.0, 200.0], altitude_border: 1.0, ..Growth::default() };
    let none = bodies(&Ground::plane(0.0), [0.0, 0.0], Population { growth, ..meadow() });
    assert!(!none.is_empty() && none.iter().all(Option::is_none));
}

/// Numbers blended with a clump's stay even, and the clump's bodies have the share of the variance in common that was asked for.
#[test]
fn a_blend_with_the_clumps_number_is_even_and_shares_what_it_should() {
    const MODULES: &[(&str, &str)] = &[("package::engine::place::share", include_str!("../../src/place/share.wesl"))];
    let root = "
        import package::engine::place::share::blend_even;
        struct Input { first: f32, second: f32, joint: f32, share: f32 }
        struct Output { first: f32, second: f32 }
        fn evaluate(i: Input) -> Output {
            return Output(blend_even(i.first, i.joint, i.share), blend_even(i.second, i.joint, i.share));
        }";
    let golden = [0.819_172_5_f64, 0.671_043_6, 0.549_700_5];
    for share in [0.0_f32, 0.1, 0.3, 0.5, 0.8, 1.0] {
        let inputs: Vec<[f32; 4]> = (0..20_000)
            .map(|i| {
                let [a, b, c] = golden.map(|g| ((0.5 + g * f64::from(i)).fract()) as f32);
                [a, b, c, share]
            })
            .collect();
        let out: Vec<[f32; 2]> = Twin::open().evaluate(&[MODULES], root, &inputs);
        let mut sorted: Vec<f64> = out.iter().map(|pair| f64::from(pair[0])).collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len() as f64;
        let off = sorted.iter().enumerate().map(|(i, x)| (x - (i as f64 + 0.5) / count).abs()).fold(0.0, f64::max);
        assert!(off < 0.01, "share {share}: {off} from even");
        let together = out.iter().map(|[a, b]| (f64::from(*a) - 0.5) * (f64::from(*b) - 0.5)).sum::<f64>() / count;
        let correlation = 12.0 * together;
        assert!((correlation - f64::from(share)).abs() < 0.03, "share {share}: {correlation} in common");
    }
}
