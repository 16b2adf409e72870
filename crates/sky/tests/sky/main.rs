//! What the sky promises, held against published measurements, numeric integrals and the shader twins on a real adapter.

mod light;
mod published;
mod robust;
mod twins;

use anemone_sky::sky_view::SkyView;
use glam::Vec3;

/// Towards a sun at this elevation and azimuth.
fn sun(elevation: f32, azimuth: f32) -> Vec3 {
    let (sin, cos) = elevation.to_radians().sin_cos();
    let (east, north) = azimuth.to_radians().sin_cos();
    Vec3::new(cos * east, sin, -cos * north)
}

fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

/// CIE 1931 x, y of a linear sRGB colour.
fn chromaticity(rgb: Vec3) -> (f32, f32) {
    let x = rgb.dot(Vec3::new(0.4124, 0.3576, 0.1805));
    let z = rgb.dot(Vec3::new(0.0193, 0.1192, 0.9505));
    let sum = x + luminance(rgb) + z;
    (x / sum, luminance(rgb) / sum)
}

/// Irradiance of a surface from the sky above and an even ground below, by brute force.
fn gather(sky: &SkyView, normal: Vec3, ground: Vec3) -> Vec3 {
    let (rows, columns) = (200, 200);
    let mut sum = Vec3::ZERO;
    for i in 0..rows {
        let s = (i as f32 + 0.5) / rows as f32;
        let (y, weight) = (s * s, 2.0 * s / rows as f32 * std::f32::consts::TAU / columns as f32);
        for j in 0..columns {
            let (sin, cos) = (std::f32::consts::TAU * (j as f32 + 0.5) / columns as f32).sin_cos();
            let across = (1.0 - y * y).sqrt();
            let up = Vec3::new(across * cos, y, across * sin);
            sum += sky.radiance(up) * up.dot(normal).max(0.0) * weight;
            sum += ground * up.with_y(-y).dot(normal).max(0.0) * weight;
        }
    }
    sum
}
