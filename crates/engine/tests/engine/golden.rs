//! Golden pictures: what three small scenes looked like when a person last approved of them.
//!
//! They are kept for each driver, for rasterisers and their rounding differ. `BLESS=1` writes them anew for the driver
//! at hand. A driver without pictures is skipped aloud, and under `CI=true` it fails, unless no driver has any: then
//! there is nothing yet to hold anything against. A failure leaves the picture in the folder for temporary files.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use anemone::field::space::Position;
use anemone::glam::{DVec2, DVec3};
use anemone::terrain::detail::Detail;
use anemone::terrain::height::Ground;
use anemone::terrain::height_map::{HeightMap, MapOptions};
use anemone::{Camera, Distance, Placement, Population, Presenter, Window, World, wgpu};

use crate::support::{Drawn, gpu, gusts, lawn, look, sphere, world};

pub const SIZE: [u32; 2] = [320, 180];
const SAMPLES: u32 = 8;
/// Mean difference of a channel, in levels of 255, that is let pass.
const MEAN: f64 = 0.25;
/// Share of pixels that may differ by more than [`LEVELS`] in some channel.
const SHARE: f64 = 0.005;
/// Less cannot be told apart by eye.
const LEVELS: u8 = 3;

/// How far two pictures are apart: mean difference of a channel in levels, and the share of pixels beyond [`LEVELS`].
fn difference(a: &[u8], b: &[u8]) -> (f64, f64) {
    assert_eq!(a.len(), b.len(), "pictures of different sizes");
    let sum: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
    let beyond = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > LEVELS);
    let far = a.chunks_exact(3).zip(b.chunks_exact(3)).filter(|pair| beyond(*pair)).count();
    (sum / a.len() as f64, far as f64 / (a.len() / 3) as f64)
}

fn alike(a: &[u8], b: &[u8]) -> bool {
    let (mean, share) = difference(a, b);
    mean <= MEAN && share <= SHARE
}

/// Draws a picture as sRGB, three bytes a pixel.
fn picture(engine: &mut Drawn, camera: &Camera) -> Vec<u8> {
    gpu().draw(engine, camera, &Window::whole(SIZE), SAMPLES);
    let format = wgpu::TextureFormat::Rgba8UnormSrgb;
    let presenter = Presenter::new(&gpu().device, format);
    let texture = gpu().target(SIZE, format);
    gpu().submit(|encoder| {
        engine.present(&engine.view, encoder, &presenter, &texture.create_view(&Default::default()));
    });
    gpu().texels::<[u8; 4]>(&texture).into_iter().flat_map(|[r, g, b, _]| [r, g, b]).collect()
}

fn write(path: &Path, rgb: &[u8]) {
    let file = BufWriter::new(File::create(path).expect("the picture can be written"));
    let mut encoder = png::Encoder::new(file, SIZE[0], SIZE[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(rgb).expect("the picture can be written");
}

fn read(path: &Path) -> Vec<u8> {
    let file = BufReader::new(File::open(path).expect("the golden picture opens"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut rgb = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut rgb).expect("a PNG");
    assert_eq!((info.width, info.height, info.color_type), (SIZE[0], SIZE[1], png::ColorType::Rgb));
    rgb
}

/// Adapter and driver with their versions, as the name of a folder.
fn driver() -> String {
    let info = &gpu().info;
    let name = format!("{} {}", info.name, info.driver_info).to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').collect();
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

fn check(name: &str, world: World, camera: &Camera) {
    let mut engine = gpu().engine(world, Default::default());
    engine.start_at(3.0);
    compare(name, &picture(&mut engine, camera));
}

/// Holds a picture of [`SIZE`] against the golden one, or blesses it.
pub fn compare(name: &str, drawn: &[u8]) {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/engine/golden");
    let folder = golden.join(driver());
    let path = folder.join(format!("{name}.png"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        write(&path, drawn);
        return;
    }
    if !path.exists() {
        let any = std::fs::read_dir(&golden)
            .is_ok_and(|mut folders| folders.any(|entry| entry.is_ok_and(|e| e.path().is_dir())));
        eprintln!("SKIPPED: no golden picture {}; BLESS=1 writes it", path.display());
        assert!(!(any && std::env::var("CI").is_ok_and(|ci| ci == "true")), "no golden pictures for {}", driver());
        return;
    }
    let wanted = read(&path);
    let (mean, share) = difference(drawn, &wanted);
    if !alike(drawn, &wanted) {
        let left = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        write(&left, drawn);
        panic!(
            "{name}: {mean:.3} levels apart on average, {:.2} % of pixels beyond {LEVELS}; now {}, golden {}",
            100.0 * share,
            left.display(),
            path.display()
        );
    }
}

#[test]
fn plane() {
    let mut world = world(Ground::plane(0.0), vec![lawn(6.0, 12_000)]);
    world.wind = gusts(4.0);
    check("plane", world, &look([0.0, 1.0, 4.0], [0.0, 0.0, 0.0]));
}

#[test]
fn ball() {
    let fur = Population { placement: Placement::Surface { count: 20_000 }, height: [0.06, 0.14], ..lawn(1.0, 0) };
    check("ball", sphere(DVec3::ZERO, vec![fur]), &look([0.0, 0.8, 2.8], [0.0; 3]));
}

#[test]
fn terrain() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/terrain/jacksboro.png");
    let spacing = DVec2::new(74.5, 92.5);
    let map = HeightMap::load(file.as_ref(), &MapOptions { spacing, ..MapOptions::default() }).expect("the map loads");
    let ground = Ground::from_map(map, &Detail::below(spacing.max_element(), 1));
    let y = f64::from(ground.height(Position::from_metres(DVec3::new(3350.0, 0.0, 2150.0))));
    let meadow = Population {
        placement: Placement::Everywhere { density: 600.0 },
        distance: Distance::Rank { full_within: 3.0, range: 120.0 },
        ..lawn(1.0, 0)
    };
    let mut world = world(ground, vec![meadow]);
    world.wind = gusts(4.0);
    check("terrain", world, &look([3350.0, y + 1.5, 2150.0], [3343.0, y + 0.6, 2143.0]));
}

#[test]
fn a_picture_that_has_changed_is_told_from_one_that_has_not() {
    let pixels = (SIZE[0] * SIZE[1]) as usize;
    let a: Vec<u8> = (0..3 * pixels).map(|i| (i * 7 % 200) as u8).collect();
    assert!(alike(&a, &a));
    // A rounding here and there passes.
    let rounded: Vec<u8> = a.iter().enumerate().map(|(i, v)| v + u8::from(i % 5 == 0)).collect();
    assert!(alike(&a, &rounded));
    // A brighter picture, a shift by a pixel, and a blade's worth of other pixels do not.
    let brighter: Vec<u8> = a.iter().map(|v| v + 2).collect();
    assert!(!alike(&a, &brighter));
    let mut moved = a.clone();
    moved.rotate_right(3);
    assert!(!alike(&a, &moved));
    let mut patch = a.clone();
    patch[..3 * pixels / 150].iter_mut().for_each(|v| *v = 255 - *v);
    assert!(!alike(&a, &patch));
}
