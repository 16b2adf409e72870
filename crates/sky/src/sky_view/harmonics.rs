//! Light on surfaces as nine coefficients.

use std::f32::consts::{FRAC_PI_4, PI, TAU};

use glam::{Vec3, Vec4};

use super::SkyView;

/// The order-2 polynomials of a unit direction, without their constants.
pub(super) fn basis(n: Vec3) -> [f32; 9] {
    [1.0, n.y, n.z, n.x, n.x * n.y, n.y * n.z, 3.0 * n.z * n.z - 1.0, n.x * n.z, n.x * n.x - n.y * n.y]
}

/// Coefficients of the sky above and a ground of even radiance `bounce` below.
pub(super) fn project(view: &SkyView, bounce: Vec3) -> [Vec4; 9] {
    const ELEVATIONS: u32 = 48;
    const AZIMUTHS: u32 = 96;
    let mut sums = [Vec3::ZERO; 9];
    let mut add = |direction: Vec3, light: Vec3| {
        for (sum, basis) in sums.iter_mut().zip(basis(direction)) {
            *sum += light * basis;
        }
    };
    for i in 0..ELEVATIONS {
        // Equal steps of the square root of the height are finer at the horizon, where the sky changes fast.
        let s = (i as f32 + 0.5) / ELEVATIONS as f32;
        let (y, weight) = (s * s, 2.0 * s / ELEVATIONS as f32 * TAU / AZIMUTHS as f32);
        let across = (1.0 - y * y).sqrt();
        for j in 0..AZIMUTHS {
            let (sin, cos) = (TAU * (j as f32 + 0.5) / AZIMUTHS as f32).sin_cos();
            let direction = Vec3::new(across * cos, y, across * sin);
            add(direction, view.radiance(direction) * weight);
            add(direction.with_y(-y), bounce * weight);
        }
    }
    // Each basis constant squared (once for projecting, once for evaluating) times the cosine's factor of its order.
    let constants =
        [0.282_095f32, 0.488_603, 0.488_603, 0.488_603, 1.092_548, 1.092_548, 0.315_392, 1.092_548, 0.546_274];
    let cosine = |i: usize| match i {
        0 => PI,
        1..=3 => TAU / 3.0,
        _ => FRAC_PI_4,
    };
    let mut found: [Vec4; 9] =
        std::array::from_fn(|i| (sums[i] * (constants[i] * constants[i] * cosine(i))).extend(0.0));
    // Order 2 errs by some 5 % under a low sun. What faces straight up or down is made exact with y and y², which
    // leaves upright surfaces as they are; y² = 1/3 − (3z² − 1)/6 − (x² − y²)/2.
    let short = |normal: Vec3, exact: Vec3| {
        exact.extend(0.0) - found.iter().zip(basis(normal)).map(|(c, b)| *c * b).sum::<Vec4>()
    };
    let (up, down) = (short(Vec3::Y, view.sky_illuminance), short(Vec3::NEG_Y, bounce * PI));
    let (even, odd) = ((up + down) / 2.0, (up - down) / 2.0);
    found[0] += even / 3.0;
    found[1] += odd;
    found[6] -= even / 6.0;
    found[8] -= even / 2.0;
    found
}
