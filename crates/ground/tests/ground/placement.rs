use std::collections::HashSet;

use anemone_field::hash::hash2;
use anemone_ground::placement::{cell_seed, sobol_owen_2d, unit_point};
use anemone_twin::Twin;
use glam::{IVec2, UVec2, Vec2};

use crate::{MODULES, random};

/// Numbers of the boxes of 2^-a by 2^-b in which the points lie.
fn boxes(points: impl Iterator<Item = UVec2>, a: u32, b: u32) -> HashSet<(u32, u32)> {
    let part = |value: u32, bits: u32| value.checked_shr(32 - bits).unwrap_or(0);
    points.map(|p| (part(p.x, a), part(p.y, b))).collect()
}

/// The definition of a (0, 2)-sequence: of any aligned 2^m points each box of area 2^-m holds one, of every shape; with
/// a = b and m even, that is one point in each of 4^k squares.
#[test]
fn every_prefix_and_every_block_of_a_power_of_two_has_one_point_in_each_box() {
    for seed in 0..16 {
        let seed = hash2(seed, 77);
        for m in 0..=10 {
            for block in [0u32, 1, 5, 1000] {
                for a in 0..=m {
                    let ranks = (block << m)..((block + 1) << m);
                    let points = ranks.map(|rank| sobol_owen_2d(rank, seed));
                    assert_eq!(
                        boxes(points, a, m - a).len(),
                        1 << m,
                        "seed {seed} block {block} 2^-{a} by 2^-{}",
                        m - a
                    );
                }
            }
        }
    }
}

#[test]
fn no_two_ranks_share_a_place() {
    let all: HashSet<_> = (0..100_000).map(|rank| sobol_owen_2d(rank, 3)).collect();
    assert_eq!(all.len(), 100_000);
}

/// Star discrepancy by brute force over the boxes whose corners are given by the points.
fn discrepancy(points: &[Vec2]) -> f64 {
    let count = points.len() as f64;
    let mut worst = 0.0_f64;
    for x in points.iter().map(|p| p.x).chain([1.0]) {
        let mut column: Vec<f32> = points.iter().filter(|p| p.x <= x).map(|p| p.y).collect();
        column.sort_by(f32::total_cmp);
        for (i, &y) in column.iter().enumerate() {
            let area = f64::from(x) * f64::from(y);
            worst = worst.max(((i + 1) as f64 / count - area).max(area - i as f64 / count));
        }
    }
    worst
}

#[test]
fn other_prefixes_are_far_more_even_than_chance() {
    for count in [37, 200, 777, 1500] {
        let (mut ours, mut chance) = (0.0, 0.0);
        for seed in 0..8 {
            let points: Vec<Vec2> = (0..count).map(|rank| unit_point(sobol_owen_2d(rank, hash2(seed, 1)))).collect();
            ours += discrepancy(&points);
            let points: Vec<Vec2> = (0..count)
                .map(|i| Vec2::new(random(i, 2 * seed + 50, 0.0, 1.0), random(i, 2 * seed + 51, 0.0, 1.0)))
                .collect();
            chance += discrepancy(&points);
        }
        // Of order log²N/N against N^-1/2.
        let bound =
            [(37, 0.6), (200, 0.4), (777, 0.25), (1500, 0.2)].iter().find(|b| b.0 == count).map_or(0.0, |b| b.1);
        assert!(ours < bound * chance, "{count} points: {} of chance", ours / chance);
    }
}

/// 3 × 3 cells of bodies, each with its own seed.
fn field(count: u32, population: u32) -> Vec<Vec2> {
    (0..9)
        .flat_map(|i| {
            let cell = IVec2::new(i % 3 - 4, i / 3 + 1);
            let seed = cell_seed(population, cell);
            (0..count).map(move |rank| IVec2::new(i % 3, i / 3).as_vec2() + unit_point(sobol_owen_2d(rank, seed)))
        })
        .collect()
}

fn nearest(points: &[Vec2], at: Vec2) -> f32 {
    points.iter().filter(|p| **p != at).map(|p| p.distance_squared(at)).fold(f32::INFINITY, f32::min).sqrt()
}

#[test]
fn borders_of_cells_do_not_show() {
    let (mut border, mut middle) = (Vec::new(), Vec::new());
    for population in 0..12 {
        let count = 500;
        let points = field(count, population);
        let spacing = (1.0 / count as f32).sqrt();
        for &point in points.iter().filter(|p| (0.5..2.5).contains(&p.x) && (0.5..2.5).contains(&p.y)) {
            let from_border = (point - point.round()).abs().min_element();
            let distance = nearest(&points, point) / spacing;
            if from_border < spacing {
                border.push(distance);
            } else {
                middle.push(distance);
            }
        }
    }
    let mean = |all: &[f32]| all.iter().sum::<f32>() / all.len() as f32;
    let (border_mean, middle_mean) = (mean(&border), mean(&middle));
    // Chance gives 0.5; a square lattice 1. A seam would be a row of clumps (less) or a gap (more).
    assert!(border.len() > 1500 && middle_mean > 0.53, "{middle_mean}");
    assert!((border_mean / middle_mean - 1.0).abs() < 0.06, "{border_mean} {middle_mean}");
    // As many points along the border as elsewhere: a twentieth of the width holds a twentieth of the points.
    let points: Vec<Vec2> = (0..12).flat_map(|population| field(500, population)).collect();
    let strip = points.iter().filter(|p| (p.x - p.x.round()).abs() < 0.025).count() as f32;
    assert!((strip / points.len() as f32 - 0.05).abs() < 0.002, "{strip}");
}

/// Power of the point set at a frequency (cycles a cell), 1 in the mean for random points.
fn power(points: &[Vec2], frequency: Vec2) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for point in points {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(point.dot(frequency))).sin_cos();
        re += cos;
        im += sin;
    }
    (re * re + im * im) / points.len() as f64
}

#[test]
fn the_spectrum_has_no_lines_and_few_clumps() {
    let points = field(1000, 9);
    let (mut low, mut most, mut count) = (0.0, 0.0_f64, 0);
    for x in 0..40 {
        for y in -40..40 {
            // Whole cycles a cell, where a pattern that repeats or stands on a lattice would be concentrated.
            let frequency = Vec2::new(x as f32, y as f32);
            if x == 0 && y <= 0 {
                continue;
            }
            let found = power(&points, frequency);
            most = most.max(found);
            if frequency.length() < 8.0 {
                low += found;
                count += 1;
            }
        }
    }
    // Of 3,160 random powers, exponentially distributed, the greatest passes 14 once in 380 times.
    assert!(most < 14.0, "a line of power {most}");
    assert!(low / f64::from(count) < 0.2, "clumps: {}", low / f64::from(count));
}

#[test]
fn the_first_points_of_cells_are_independent() {
    // Rank 0 of 16,384 cells over 16 × 16 boxes: chi-squared with 255 degrees of freedom, 0.1 % point 330.
    let mut bins = [0u32; 256];
    let mut product = 0.0;
    let cells = (0..16_384).map(|i| IVec2::new(i % 128, i / 128));
    for cell in cells {
        let point = unit_point(sobol_owen_2d(0, cell_seed(1, cell)));
        let beside = unit_point(sobol_owen_2d(0, cell_seed(1, cell + IVec2::X)));
        bins[(point.x * 16.0) as usize + 16 * (point.y * 16.0) as usize] += 1;
        product += f64::from((point.x - 0.5) * (beside.x - 0.5) + (point.y - 0.5) * (beside.y - 0.5)) / 16_384.0;
    }
    let chi: f64 = bins.iter().map(|&n| (f64::from(n) - 64.0).powi(2) / 64.0).sum();
    assert!(chi < 330.0, "{chi}");
    // Four standard errors of a mean of 16,384 products of variance 2/144.
    assert!(product.abs() < 4.0 * (2.0_f64 / 144.0 / 16_384.0).sqrt(), "{product}");
}

#[test]
fn the_twins_agree_bit_for_bit() {
    let root = "
        import package::ground::placement::{cell_seed, sobol_owen_2d, unit_point};
        struct Input { rank: u32, population: u32, cell: vec2i }
        struct Output { point: vec2u, unit: vec2f, seed: u32, pad: u32 }
        fn evaluate(i: Input) -> Output {
            let seed = cell_seed(i.population, i.cell);
            let point = sobol_owen_2d(i.rank, seed);
            return Output(point, unit_point(point), seed, 0u);
        }";
    let inputs: Vec<[u32; 4]> = (0..20_000)
        .map(|i| [if i % 2 == 0 { i } else { hash2(i, 0) }, hash2(i, 1) % 5, hash2(i, 2), hash2(i, 3) | 0x8000_0000])
        .collect();
    let outputs: Vec<[u32; 6]> = Twin::open().evaluate(&MODULES, root, &inputs);
    for (input, output) in inputs.iter().zip(outputs) {
        let seed = cell_seed(input[1], IVec2::new(input[2] as i32, input[3] as i32));
        let point = sobol_owen_2d(input[0], seed);
        let unit = unit_point(point);
        assert!(unit.min_element() >= 0.0 && unit.max_element() < 1.0);
        assert_eq!(output, [point.x, point.y, unit.x.to_bits(), unit.y.to_bits(), seed, 0]);
    }
}
