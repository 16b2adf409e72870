//! Gradient noise on an exact lattice. Twin: `noise.wesl`.
//!
//! The lattice is addressed in 16.16 fixed point, so a pattern is as sharp 1000 km from the origin as at it: the tile's
//! part of a coordinate is an integer product modulo 2³², and only the part inside the tile is a float. A coordinate
//! therefore repeats after 65,536 cells.
//!
//! A frequency is `step`, lattice cells per [`TILE`] in 16.16 ([`step_of_wavelength`]); an
//! `offset`, in cells and 16.16 too, scrolls the pattern.

use glam::{IVec2, Vec2, Vec3};

use crate::hash::{hash2, hash3, unit};
use crate::space::TILE;

/// Standard deviation of [`gradient_noise`] over the plane (dimensionless): √(8 ∫(1−F)² ∫x²(1−F)²), F the fade.
pub const DEVIATION: f32 = 0.305_061_14;

/// A place on the lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// The cell, each coordinate in [0, 65535].
    pub cell: IVec2,
    /// The place in the cell, in [0, 1] up to rounding.
    pub fraction: Vec2,
}

/// The `step` for cells of `wavelength` metres: 64/wavelength in 16.16, clamped to i32.
///
/// Wavelengths from 2 mm to 4,000 km can be told apart; zero and NaN give the shortest.
#[must_use]
pub fn step_of_wavelength(wavelength: f64) -> i32 {
    let step = f64::from(TILE) / wavelength * 65_536.0;
    if step.is_nan() { i32::MAX } else { step.round() as i32 }
}

fn lattice_axis(tile: i32, local: f32, step: i32, offset: i32) -> (i32, f32) {
    let base = tile.wrapping_mul(step).wrapping_add(offset) as u32;
    let along = local * (1.0 / TILE);
    // Whole cells and the remaining fraction apart: both convert to f32 exactly, so a tile's end meets the next's start.
    let whole = along * (step >> 16) as f32;
    let whole_floor = whole.floor();
    let rest = (whole - whole_floor)
        + ((base & 0xffff) as f32 * (1.0 / 65_536.0) + along * ((step & 0xffff) as f32 * (1.0 / 65_536.0)));
    let carry = rest.floor();
    let cell = ((base >> 16) as i32).wrapping_add(whole_floor as i32).wrapping_add(carry as i32);
    (cell & 0xffff, rest - carry)
}

/// Where a point stands on the lattice. `local` is in metres, `step` and `offset` in 16.16 (see the module).
///
/// Off by at most 1e-5 of a cell up to 128 cells a tile, and in proportion above.
#[must_use]
pub fn lattice(tile: IVec2, local: Vec2, step: i32, offset: IVec2) -> Lattice {
    let (x, fx) = lattice_axis(tile.x, local.x, step, offset.x);
    let (y, fy) = lattice_axis(tile.y, local.y, step, offset.y);
    Lattice { cell: IVec2::new(x, y), fraction: Vec2::new(fx, fy) }
}

/// A unit vector for a lattice point: a quarter turn by two bits, and inside it an angle 2·atan(t), t even in
/// ±tan(π/8). That needs no sine, and no direction is more than 8 % likelier than the mean.
fn lattice_gradient(x: i32, y: i32, seed: u32) -> Vec2 {
    let h = hash3((x & 0xffff) as u32, (y & 0xffff) as u32, seed);
    let t = (unit(h << 2) * 2.0 - 1.0) * 0.414_213_56;
    let d = 1.0 / (1.0 + t * t);
    let a = Vec2::new((1.0 - t * t) * d, 2.0 * t * d);
    let turned = if h & 0x8000_0000 != 0 { a.perp() } else { a };
    if h & 0x4000_0000 != 0 { -turned } else { turned }
}

/// Gradient noise with the quintic fade: (value, d/dx, d/dy), derivatives per cell. The value lies in [−1, 1].
///
/// Twice continuously differentiable. Source: K. Perlin, "Improving Noise", SIGGRAPH 2002 (fade), with unit gradients,
/// whose range ±√½ is stretched to ±1.
#[must_use]
pub fn gradient_noise(cell: IVec2, fraction: Vec2, seed: u32) -> Vec3 {
    let f = fraction;
    let ga = lattice_gradient(cell.x, cell.y, seed);
    let gb = lattice_gradient(cell.x + 1, cell.y, seed);
    let gc = lattice_gradient(cell.x, cell.y + 1, seed);
    let gd = lattice_gradient(cell.x + 1, cell.y + 1, seed);
    let a = ga.dot(f);
    let b = gb.dot(f - Vec2::X);
    let c = gc.dot(f - Vec2::Y);
    let d = gd.dot(f - Vec2::ONE);
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    let k = a - b - c + d;
    let value = a + u.x * (b - a) + u.y * (c - a) + u.x * u.y * k;
    let slope = ga
        + u.x * (gb - ga)
        + u.y * (gc - ga)
        + u.x * u.y * (ga - gb - gc + gd)
        + du * (Vec2::new(b, c) - a + Vec2::new(u.y, u.x) * k);
    std::f32::consts::SQRT_2 * Vec3::new(value, slope.x, slope.y)
}

/// Sum of octaves of [`gradient_noise`]: (value, d/dx, d/dy), derivatives per metre.
///
/// The first octave has amplitude 1, each further one `gain` times the last and exactly twice its frequency; the value
/// is not normalised, so it lies within the sum of the amplitudes. The sum ends early where a step would leave i32.
#[must_use]
pub fn fbm(tile: IVec2, local: Vec2, step: i32, offset: IVec2, seed: u32, octaves: u32, gain: f32) -> Vec3 {
    let mut sum = Vec3::ZERO;
    let mut amplitude = 1.0;
    let (mut step, mut offset) = (step, offset);
    for i in 0..octaves {
        let octave_seed = hash2(i, seed);
        // Octaves would all vanish together at the first one's lattice points: each has a shift of its own.
        let shift = IVec2::new(octave_seed as i32, hash2(octave_seed, 1) as i32);
        let at = lattice(tile, local, step, offset.wrapping_add(shift));
        let per_metre = step as f32 * (1.0 / (TILE * 65_536.0));
        sum += amplitude * gradient_noise(at.cell, at.fraction, octave_seed) * Vec3::new(1.0, per_metre, per_metre);
        if step.unsigned_abs() >= 0x4000_0000 {
            break;
        }
        step <<= 1;
        offset = IVec2::new(offset.x << 1, offset.y << 1);
        amplitude *= gain;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::pcg;
    use anemone_twin::Twin;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_lattice_is_right_to_a_hundred_thousandth_of_a_cell(
            tile in -2_000_000..2_000_000i32, local in 0.0..64.0f32, step in -(128 << 16)..(128 << 16i32), offset: i32,
        ) {
            let exact = (i128::from(tile) * i128::from(step) + i128::from(offset)) as f64 / 65_536.0
                + f64::from(local) / 64.0 * f64::from(step) / 65_536.0;
            let at = lattice(IVec2::new(tile, 0), Vec2::new(local, 0.0), step, IVec2::new(offset, 0));
            let got = f64::from(at.cell.x) + f64::from(at.fraction.x);
            let error = (got - exact).rem_euclid(65_536.0);
            let error = error.min(65_536.0 - error);
            // Far out, `exact` itself is an f64 of up to 2^28 cells, good to 1e-7.
            prop_assert!(error <= 1e-5, "{error}");
            prop_assert!((-1e-6..=1.0).contains(&at.fraction.x));
        }

        #[test]
        fn tile_borders_do_not_show(
            tile in 1_000_000..2_000_000i32, y in 0.0..64.0f32, wavelength in 0.1..5000.0f64, offset: i32, seed: u32,
        ) {
            // 100 km out and more: the end of a tile is the start of the next.
            let step = step_of_wavelength(wavelength);
            let offset = IVec2::new(offset, offset);
            let left = fbm(IVec2::new(tile, 5), Vec2::new(64.0, y), step, offset, seed, 4, 0.5);
            let right = fbm(IVec2::new(tile + 1, 5), Vec2::new(0.0, y), step, offset, seed, 4, 0.5);
            prop_assert!((left.x - right.x).abs() <= 2e-6, "{left} {right}");
            let corner = fbm(IVec2::new(5, tile), Vec2::new(y, 64.0), step, offset, seed, 4, 0.5);
            let next = fbm(IVec2::new(5, tile + 1), Vec2::new(y, 0.0), step, offset, seed, 4, 0.5);
            prop_assert!((corner.x - next.x).abs() <= 2e-6, "{corner} {next}");
        }

        #[test]
        fn cell_borders_do_not_show(x in 0..65_536i32, y in 0..65_536i32, f in 0.0..1.0f32, seed: u32) {
            let left = gradient_noise(IVec2::new(x, y), Vec2::new(1.0, f), seed);
            let right = gradient_noise(IVec2::new((x + 1) & 0xffff, y), Vec2::new(0.0, f), seed);
            prop_assert!((left - right).abs().max_element() <= 3e-6);
            let below = gradient_noise(IVec2::new(x, y), Vec2::new(f, 1.0), seed);
            let above = gradient_noise(IVec2::new(x, (y + 1) & 0xffff), Vec2::new(f, 0.0), seed);
            prop_assert!((below - above).abs().max_element() <= 3e-6);
        }

        #[test]
        fn the_slope_is_the_derivative(x in 0.0..64.0f32, y in 0.0..64.0f32, seed: u32) {
            let at = |dx: f32, dy: f32| {
                fbm(IVec2::new(-3, 1600), Vec2::new(x + dx, y + dy), step_of_wavelength(16.0), IVec2::ZERO, seed, 3, 0.5)
            };
            let e = 0.0625;
            let centre = at(0.0, 0.0);
            let slope = Vec2::new(at(e, 0.0).x - at(-e, 0.0).x, at(0.0, e).x - at(0.0, -e).x) / (2.0 * e);
            // The third derivative of the third octave bounds the central difference's error.
            prop_assert!((slope - Vec2::new(centre.y, centre.z)).abs().max_element() < 4e-3, "{slope} {centre}");
        }
    }

    #[test]
    fn values_fill_the_range_evenly() {
        let (mut sum, mut squares, mut most) = (0.0f64, 0.0f64, 0.0f64);
        let count = 200_000u32;
        for i in 0..count {
            let f = Vec2::new(unit(pcg(i)), unit(pcg(pcg(i))));
            let value = f64::from(gradient_noise(IVec2::new((i & 0xffff) as i32, (i >> 7) as i32), f, 9).x);
            sum += value;
            squares += value * value;
            most = most.max(value.abs());
        }
        assert!(most <= 1.0 && most > 0.85, "{most}");
        assert!((sum / f64::from(count)).abs() < 5e-3);
        let deviation = (squares / f64::from(count)).sqrt();
        assert!((deviation - f64::from(DEVIATION)).abs() < 3e-3, "{deviation}");
    }

    #[test]
    fn gradients_favour_no_direction() {
        let mut mean = Vec2::ZERO;
        let mut second = Vec3::ZERO;
        for i in 0..100_000 {
            let g = lattice_gradient(i & 0xff, i >> 8, 3);
            assert!((g.length() - 1.0).abs() < 1e-6);
            mean += g / 1e5;
            second += Vec3::new(g.x * g.x, g.y * g.y, g.x * g.y) / 1e5;
        }
        assert!(mean.length() < 0.01 && (second - Vec3::new(0.5, 0.5, 0.0)).length() < 0.01, "{mean} {second}");
    }

    #[test]
    fn steps_of_extreme_wavelengths_stay_in_range() {
        assert_eq!(step_of_wavelength(64.0), 65_536);
        for wavelength in [0.0, -0.0, 1e-300, f64::NAN, f64::INFINITY, -5.0] {
            let value = fbm(IVec2::MAX, Vec2::splat(63.0), step_of_wavelength(wavelength), IVec2::MIN, 1, 12, 0.5);
            assert!(value.is_finite(), "{wavelength}");
        }
    }

    #[test]
    fn the_twins_agree() {
        let root = "
            import package::field::noise::{lattice, fbm, Lattice};
            struct Input { tile: vec2i, local: vec2f, offset: vec2i, step: i32, seed: u32 }
            struct Output { lattice: Lattice, noise: vec3f, pad: f32 }
            fn evaluate(i: Input) -> Output {
                return Output(lattice(i.tile, i.local, i.step, i.offset), fbm(i.tile, i.local, i.step, i.offset, i.seed, 5u, 0.5), 0.0);
            }";
        let inputs: Vec<[u32; 8]> = (0..20_000u32)
            .map(|i| {
                let r = |k| hash2(i, k);
                let far = [1, 1_600, 16_000, 40_000_000][i as usize % 4];
                let tile = |k| (r(k) % far) as i32 - (far / 2) as i32;
                let step = step_of_wavelength([30.0, 0.5, 5000.0, -8.0][(i / 4) as usize % 4]);
                let local = |k| (64.0 * unit(r(k))).to_bits();
                [tile(1) as u32, tile(2) as u32, local(3), local(4), r(5), r(6), step as u32, r(7)]
            })
            .collect();
        let outputs: Vec<[f32; 8]> = Twin::open().evaluate(&[crate::WESL], root, &inputs);
        for (input, output) in inputs.iter().zip(outputs) {
            let [tx, ty, x, y, ox, oy, step, seed] = *input;
            let tile = IVec2::new(tx as i32, ty as i32);
            let local = Vec2::new(f32::from_bits(x), f32::from_bits(y));
            let (offset, step) = (IVec2::new(ox as i32, oy as i32), step as i32);
            let at = lattice(tile, local, step, offset);
            for axis in 0..2 {
                let cell = output[axis].to_bits() as i32;
                let between = f64::from((cell - at.cell[axis] + 0x8000) & 0xffff) - 32_768.0
                    + f64::from(output[2 + axis] - at.fraction[axis]);
                assert!(between.abs() <= 1e-5, "{between}");
            }
            let expected = fbm(tile, local, step, offset, seed, 5, 0.5);
            let slope = 2e-4 * (step as f32 / 4_194_304.0).abs();
            assert!((expected.x - output[4]).abs() <= 1e-5, "{expected} {output:?}");
            assert!(
                (expected.y - output[5]).abs() <= slope && (expected.z - output[6]).abs() <= slope,
                "{expected} {output:?}"
            );
        }
    }
}
