//! Draws what the ground and the placement look like, for judging by eye.
//!
//! `relief MAP.png FOLDER` writes shaded reliefs of the map (74.5 m × 92.5 m a sample) and of the default hills, lit from
//! the east, and a picture of 3 × 3 cells of bodies.

use std::error::Error;
use std::path::Path;

use anemone_field::space::Position;
use anemone_ground::detail::Detail;
use anemone_ground::height::Ground;
use anemone_ground::height_map::{HeightMap, MapOptions};
use anemone_ground::placement::{cell_seed, sobol_owen_2d, unit_point};
use glam::{DVec2, DVec3, IVec2, Vec3};

const PIXELS: u32 = 900;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(map), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: relief MAP.png FOLDER".into());
    };
    let folder = Path::new(&folder);
    let options = MapOptions { spacing: DVec2::new(74.5, 92.5), ..MapOptions::default() };
    let map = HeightMap::load(Path::new(&map), &options)?;
    let real = Ground::from_map(map, &Detail::below(92.5, 1));
    let hills = Ground::hills(1);
    let places = [("a", -900.0, 2600.0), ("b", 3300.0, -1700.0), ("c", -8000.0, -6000.0)];
    for (name, x, z) in places {
        for size in [50.0, 200.0, 1000.0, 5000.0] {
            relief(&real, x, z, size, &folder.join(format!("map-{name}-{size}.png")))?;
        }
    }
    for size in [20.0, 200.0, 1000.0, 5000.0] {
        relief(&hills, 0.0, 0.0, size, &folder.join(format!("hills-{size}.png")))?;
    }
    points(&folder.join("points.png"))
}

/// The window of `size` metres round (x, z), with the relief's numbers on standard error.
fn relief(ground: &Ground, x: f64, z: f64, size: f64, path: &Path) -> Result<(), Box<dyn Error>> {
    let sun = Vec3::new(1.0, 0.5, -0.3).normalize();
    let metres = size / f64::from(PIXELS);
    let (mut low, mut high, mut steepest) = (f32::INFINITY, f32::NEG_INFINITY, 0.0_f32);
    let mut image = Vec::new();
    for row in 0..PIXELS {
        for column in 0..PIXELS {
            let at = DVec2::new(f64::from(column), f64::from(row)) * metres - size / 2.0;
            let surface =
                ground.surface(Position::from_metres(DVec3::new(x + at.x, 0.0, z + at.y)), (2.0 * metres) as f32);
            low = low.min(surface.height);
            high = high.max(surface.height);
            steepest = steepest.max(surface.slope.length());
            image.push((255.0 * surface.normal().dot(sun).max(0.0).powf(0.8)) as u8);
        }
    }
    eprintln!("{}: {low:.2} to {high:.2} m, steepest {steepest:.2}", path.display());
    write(path, &image)
}

/// 2,000 bodies in each of 3 × 3 cells; the middle cell's borders can be seen only if there is a seam.
fn points(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut image = vec![255; (PIXELS * PIXELS) as usize];
    for cell in 0..9 {
        let cell = IVec2::new(cell % 3, cell / 3);
        for rank in 0..2000 {
            let point = cell.as_vec2() + unit_point(sobol_owen_2d(rank, cell_seed(5, cell)));
            let pixel = (point * (PIXELS as f32 / 3.0)).as_uvec2();
            image[(pixel.y * PIXELS + pixel.x) as usize] = 0;
        }
    }
    write(path, &image)
}

fn write(path: &Path, grey: &[u8]) -> Result<(), Box<dyn Error>> {
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, PIXELS, PIXELS);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(grey)?;
    Ok(())
}
