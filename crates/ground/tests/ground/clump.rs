use anemone_field::hash::hash2;
use anemone_field::noise::lattice;
use anemone_ground::clump::{ClumpGrid, clump_at};
use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, IVec2, Vec2};

use crate::{MODULES, random};

/// A place and a grid: near the origin and millions of tiles off, of clumps from 3 cm to 20 m.
fn case(i: u32) -> (IVec2, Vec2, ClumpGrid) {
    let far = if i.is_multiple_of(2) { 3.0 } else { 2e6 };
    let tile = Vec2::new(random(i, 1, -far, far), random(i, 2, -far, far)).floor().as_ivec2();
    let local = Vec2::new(random(i, 3, 0.0, 64.0), random(i, 4, 0.0, 64.0));
    let size = random(i, 5, 0.03_f32.ln(), 20.0_f32.ln()).exp();
    (tile, local, ClumpGrid::new(size, [0.0, 1.0, random(i, 6, 0.0, 1.0)][i as usize % 3], hash2(i, 7)))
}

/// Where the centre of a square's clump lies, in squares, and its hash: by its definition.
fn centre(square: IVec2, grid: &ClumpGrid) -> (DVec2, u32) {
    let wrapped = square & 0xffff;
    let hash = anemone_field::hash::hash3(wrapped.x as u32, wrapped.y as u32, grid.seed);
    let unit = |hash: u32| f64::from(anemone_field::hash::unit(hash));
    let stray = DVec2::new(unit(hash), unit(anemone_field::hash::pcg(hash))) * 2.0 - 1.0;
    (square.as_dvec2() + 0.5 + stray * f64::from(grid.jitter) * 0.5, hash)
}

/// Among the centres of 81 squares in double precision none is nearer.
#[test]
fn the_clump_is_the_one_whose_centre_is_nearest() {
    for i in 0..20_000 {
        let (tile, local, grid) = case(i);
        let at = lattice(tile, local, grid.step, IVec2::ZERO);
        let place = at.cell.as_dvec2() + at.fraction.as_dvec2();
        let mut best = (f64::INFINITY, DVec2::ZERO, 0);
        let mut second = f64::INFINITY;
        for z in -4..=4 {
            for x in -4..=4 {
                let (centre, hash) = centre(at.cell + IVec2::new(x, z), &grid);
                let distance = centre.distance(place);
                if distance < best.0 {
                    second = best.0;
                    best = (distance, centre - place, hash);
                } else {
                    second = second.min(distance);
                }
            }
        }
        let found = clump_at(tile, local, &grid);
        let size = f64::from(grid.size);
        assert!((found.to_centre.as_dvec2().length() / size - best.0).abs() < 1e-5, "case {i}");
        if second - best.0 > 1e-5 {
            assert_eq!(found.hash, best.2, "case {i}");
            assert!((found.to_centre.as_dvec2() / size - best.1).length() < 1e-5, "case {i}");
        }
        assert!(found.to_centre.length() <= grid.reach() * 1.000_01, "case {i}: beyond its reach");
    }
}

/// Half way to its centre a place is in the same clump still, and so it is at the centre.
#[test]
fn the_way_to_the_centre_stays_in_the_clump() {
    for i in 0..5000 {
        let (tile, local, grid) = case(i);
        let found = clump_at(tile, local, &grid);
        for share in [0.5, 1.0] {
            let there = clump_at(tile, local + share * found.to_centre, &grid);
            // A place on the border itself may be given to either side.
            if found.to_centre.length() < 0.45 * grid.size {
                assert_eq!(there.hash, found.hash, "case {i}");
            }
        }
    }
}

/// At the end of one tile and at the start of the next.
#[test]
fn tile_borders_do_not_show() {
    for i in 0..5000 {
        let (tile, local, grid) = case(i);
        let left = clump_at(tile, Vec2::new(64.0, local.y), &grid);
        let right = clump_at(tile + IVec2::X, Vec2::new(0.0, local.y), &grid);
        assert!((left.to_centre.length() - right.to_centre.length()).abs() < 1e-3 * grid.size, "case {i}");
    }
}

#[test]
fn a_clump_covers_the_area_of_its_square_on_the_mean() {
    let grid = ClumpGrid::new(0.5, 1.0, 9);
    let mut hashes = std::collections::HashSet::new();
    for i in 0..200_000 {
        let local = Vec2::new(random(i, 1, 0.0, 32.0), random(i, 2, 0.0, 32.0));
        hashes.insert(clump_at(IVec2::new(4, -9), local, &grid).hash);
    }
    // 64 × 64 squares, and those along the border in part.
    assert!((4096..4500).contains(&hashes.len()), "{}", hashes.len());
}

#[test]
fn sizes_at_the_ends_give_numbers() {
    for size in [0.0, 1e-9, 1e-3, 1e9, f32::NAN, f32::INFINITY] {
        let grid = ClumpGrid::new(size, 1.0, 1);
        let found = clump_at(IVec2::new(1 << 30, -7), Vec2::new(63.9, 1e-30), &grid);
        assert!(grid.step > 0 && grid.size > 0.0 && found.to_centre.is_finite(), "{size}: {grid:?} {found:?}");
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Input {
    tile: IVec2,
    local: Vec2,
    grid: ClumpGrid,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Output {
    hash: u32,
    pad: u32,
    to_centre: Vec2,
}

#[test]
fn the_shader_finds_the_same_clumps() {
    let inputs: Vec<Input> = (0..20_000)
        .map(|i| {
            let (tile, local, grid) = case(i);
            Input { tile, local, grid }
        })
        .collect();
    let root = "
        import package::ground::clump::{Clump, ClumpGrid, clump_at};
        struct Input { tile: vec2i, local: vec2f, grid: ClumpGrid }
        struct Output { clump: Clump }
        fn evaluate(input: Input) -> Output { return Output(clump_at(input.tile, input.local, input.grid)); }";
    let outputs: Vec<Output> = Twin::open().evaluate(&MODULES, root, &inputs);
    let mut others = 0;
    for (i, (input, output)) in inputs.iter().zip(&outputs).enumerate() {
        let clump = clump_at(input.tile, input.local, &input.grid);
        let size = input.grid.size;
        assert!((clump.to_centre.length() - output.to_centre.length()).abs() < 2e-4 * size, "case {i}");
        others += u32::from(clump.hash != output.hash);
    }
    // Places on a border may fall to either side; so may those where a grid without jitter has its own borders.
    assert!(others < 20, "{others} other clumps");
}
