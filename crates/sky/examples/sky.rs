//! Prints the light of clear skies, and how long they take; with a folder, draws them there.
//!
//! `sky [FOLDER] [VISIBILITY]`: for each elevation of the sun, a panorama of 360° × 90° with the sun in the middle and
//! the land's haze 15° deep, exposed for the sky.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use anemone_sky::atmosphere::Atmosphere;
use anemone_sky::sky_view::{SkyView, sun_disc};
use glam::Vec3;

const WIDTH: usize = 1080;
const HEIGHT: usize = 315;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map(PathBuf::from);
    let mut air = Atmosphere::default();
    if let Some(visibility) = arguments.next() {
        air.visibility = visibility.parse()?;
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "visibility {} m; extinction {} per km", air.visibility, air.extinction() * 1000.0)?;
    writeln!(
        out,
        "  sun   normal klx (IES)  sky klx (IES)  SH up  SH down  zenith kcd/m² (CIE)       zenith x,y      sun x,y CCT   ms"
    )?;
    for degrees in
        [90.0f32, 60.0, 45.0, 30.0, 20.0, 10.0, 5.0, 3.0, 2.0, 1.0, 0.0, -1.0, -3.0, -6.0, -9.0, -12.0, -18.0]
    {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let sun = Vec3::new(0.0, sin, -cos);
        let start = Instant::now();
        let sky = SkyView::new(&air, sun);
        let took = start.elapsed().as_secs_f64() * 1e3;
        let direct = luminance(sky.sun_illuminance());
        let diffuse = luminance(sky.horizontal_illuminance().sky);
        let zenith = sky.radiance(Vec3::Y);
        let (x, y) = chromaticity(zenith);
        let (sun_x, sun_y) = chromaticity(sky.sun_illuminance());
        let n = (sun_x - 0.3320) / (0.1858 - sun_y);
        let kelvin = 449.0 * n.powi(3) + 3525.0 * n * n + 6823.3 * n + 5520.33; // McCamy 1992
        let up = sin.max(0.0);
        let (ies_direct, ies_sky) =
            if up > 0.0 { (127.5 * (-0.21 / up).exp(), 0.8 + 15.5 * up.sqrt()) } else { (0.0, 0.0) };
        writeln!(
            out,
            "{degrees:5}  {direct:8.3} ({ies_direct:6.1})  {diffuse:8.4} ({ies_sky:5.2}) {:7.4} {:7.4}   {:9.5} ({:5.2})    {x:.3},{y:.3}   {sun_x:.3},{sun_y:.3} {kelvin:5.0}  {took:.1}",
            luminance(sky.irradiance(Vec3::Y)),
            luminance(sky.irradiance(Vec3::NEG_Y)),
            luminance(zenith),
            cie_zenith(degrees, ies_sky),
        )?;
        if let Some(folder) = &folder {
            draw(&sky, sun, &folder.join(format!("sky{degrees}.png")))?;
        }
    }
    Ok(())
}

/// Zenith luminance of the CIE standard clear sky (ISO 15469:2004, type 12) that gives a level klx, kcd/m².
fn cie_zenith(degrees: f32, klx: f32) -> f32 {
    let zenith_angle = (90.0 - degrees).to_radians();
    let (sin, cos) = zenith_angle.sin_cos();
    let relative = |height: f32, azimuth: f32| {
        let angle =
            (height * cos + (1.0 - height * height).max(0.0).sqrt() * sin * azimuth.cos()).clamp(-1.0, 1.0).acos();
        let indicatrix =
            1.0 + 10.0 * ((-3.0 * angle).exp() - (-1.5 * std::f32::consts::PI).exp()) + 0.45 * angle.cos().powi(2);
        (1.0 - (-0.32 / height).exp()) * indicatrix
    };
    let (steps, mut level) = (60, 0.0);
    for i in 0..steps {
        let height = (i as f32 + 0.5) / steps as f32;
        for j in 0..steps {
            let azimuth = std::f32::consts::PI * (j as f32 + 0.5) / steps as f32;
            level += relative(height, azimuth) * height * std::f32::consts::TAU / (steps * steps) as f32;
        }
    }
    klx * relative(1.0, 0.0) / level
}

fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

fn chromaticity(rgb: Vec3) -> (f32, f32) {
    let xyz = Vec3::new(
        rgb.dot(Vec3::new(0.4124, 0.3576, 0.1805)),
        luminance(rgb),
        rgb.dot(Vec3::new(0.0193, 0.1192, 0.9505)),
    );
    (xyz.x / xyz.element_sum(), xyz.y / xyz.element_sum())
}

fn draw(sky: &SkyView, sun: Vec3, path: &std::path::Path) -> Result<(), Box<dyn Error>> {
    let exposure = 0.3 / luminance(sky.irradiance(Vec3::Y)).max(1e-6) * std::f32::consts::PI;
    let mut pixels = Vec::with_capacity(WIDTH * HEIGHT * 3);
    for row in 0..HEIGHT {
        let elevation = (90.0 - 105.0 * (row as f32 + 0.5) / HEIGHT as f32).to_radians();
        for column in 0..WIDTH {
            let azimuth = std::f32::consts::TAU * ((column as f32 + 0.5) / WIDTH as f32 - 0.5);
            let direction =
                Vec3::new(elevation.cos() * azimuth.sin(), elevation.sin(), -elevation.cos() * azimuth.cos());
            let mut light = sky.radiance(direction);
            if elevation > 0.0 {
                light += sun_disc(sky.sun_radiance(), direction, sun, 0.0058);
            }
            let shown = light * exposure;
            let film = Vec3::ONE - (-1.3 * shown).exp();
            for channel in film.to_array() {
                pixels.push((255.0 * channel.powf(1.0 / 2.2)).round() as u8);
            }
        }
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
