use std::path::Path;

use anemone_ground::height_map::{HeightMap, MapError, MapOptions};
use glam::{DVec2, IVec2};
use proptest::prelude::*;

fn png(width: u32, height: u32, color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![0; 768]);
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(data).expect("the rows");
    drop(writer);
    bytes
}

fn decode(bytes: &[u8]) -> Result<HeightMap, MapError> {
    HeightMap::decode(bytes, "test.png", &MapOptions::default())
}

fn grey16() -> Vec<u8> {
    let data: Vec<u8> = (0..30u16).flat_map(|i| (i * 1000 + 7).to_be_bytes()).collect();
    png(6, 5, png::ColorType::Grayscale, png::BitDepth::Sixteen, &data)
}

#[test]
fn sixteen_bits_and_eight_are_read_as_they_stand() {
    let map = decode(&grey16()).expect("a map");
    assert_eq!(map.size(), [6, 5]);
    assert_eq!(map.samples()[..3], [7, 1007, 2007]);
    assert_eq!(map.raw(IVec2::new(5, 4)), 29_007.0);
    assert_eq!(map.raw(IVec2::new(99, -99)), 5007.0);
    let data: Vec<u8> = (0..30).collect();
    let map = decode(&png(6, 5, png::ColorType::Grayscale, png::BitDepth::Eight, &data)).expect("a map");
    assert_eq!(map.samples()[29], 29);
}

/// The file's own documentation: 403 × 344 samples, 236 to 1076 m.
#[test]
fn the_real_map_has_its_documented_size_and_heights() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/terrain/jacksboro.png");
    let map = HeightMap::load(&path, &MapOptions { spacing: DVec2::new(74.5, 92.5), ..Default::default() });
    let map = map.expect("the map loads");
    assert_eq!(map.size(), [403, 344]);
    let (low, high) = (map.samples().iter().min(), map.samples().iter().max());
    assert_eq!((low, high), (Some(&236), Some(&1076)));
}

#[test]
fn other_images_are_refused_with_advice() {
    use png::{BitDepth, ColorType};
    let refused = |bytes: &[u8]| decode(bytes).expect_err("an error");
    assert!(matches!(refused(b""), MapError::NotPng { .. }));
    assert!(matches!(refused(b"\xff\xd8\xff\xe0 a JPEG, for all we know"), MapError::NotPng { .. }));
    for (color, channels) in
        [(ColorType::Rgb, 3), (ColorType::Rgba, 4), (ColorType::GrayscaleAlpha, 2), (ColorType::Indexed, 1)]
    {
        let error = refused(&png(4, 4, color, BitDepth::Eight, &vec![0; 16 * channels]));
        assert!(matches!(error, MapError::NotGrey { .. }), "{error}");
        assert!(
            error.to_string().starts_with("test.png: the image is ") && error.to_string().contains("Save it as grey")
        );
    }
    let error = refused(&png(4, 4, ColorType::Grayscale, BitDepth::One, &[0; 4]));
    assert!(matches!(error, MapError::Depth { bits: 1, .. }), "{error}");
    for (width, height) in [(3, 9), (9, 3), (1, 1), (8193, 4)] {
        let error =
            refused(&png(width, height, ColorType::Grayscale, BitDepth::Eight, &vec![0; (width * height) as usize]));
        assert!(matches!(error, MapError::Size { .. }), "{error}");
    }
    let error = HeightMap::load(Path::new("/nowhere/map.png"), &MapOptions::default()).expect_err("an error");
    assert!(matches!(error, MapError::Read { .. }) && error.to_string().contains("/nowhere/map.png"), "{error}");
}

/// A header may claim any size; nothing is allocated for it.
#[test]
fn an_absurd_size_in_the_header_is_refused() {
    let mut bytes = grey16();
    bytes[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    // The checksum of the header, so that the size is what is wrong.
    let crc = bytes[12..29].iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    });
    bytes[29..33].copy_from_slice(&(!crc).to_be_bytes());
    let error = decode(&bytes).expect_err("an error");
    assert!(matches!(error, MapError::Size { width: 0x7fff_ffff, .. }), "{error}");
}

#[test]
fn a_file_cut_anywhere_before_its_last_row_is_an_error() {
    let whole = grey16();
    // The last chunk, IEND, is 12 bytes; its loss loses nothing.
    for length in 8..whole.len() - 16 {
        let error = decode(&whole[..length]).expect_err("an error");
        assert!(matches!(error, MapError::Truncated { .. } | MapError::Damaged { .. }), "{length}: {error}");
    }
}

#[test]
fn options_without_sense_are_refused() {
    let good = MapOptions::default();
    let bad = [
        MapOptions { spacing: DVec2::new(0.0, 1.0), ..good },
        MapOptions { spacing: DVec2::new(1.0, -1.0), ..good },
        MapOptions { spacing: DVec2::new(f64::NAN, 1.0), ..good },
        MapOptions { spacing: DVec2::new(1.0, 1e9), ..good },
        MapOptions { unit: f64::INFINITY, ..good },
        MapOptions { offset: f64::NAN, ..good },
        MapOptions { anchor: DVec2::new(0.0, 1e12), ..good },
    ];
    for options in bad {
        let error = HeightMap::from_samples(4, 4, vec![0; 16], &options).expect_err("an error");
        assert!(matches!(error, MapError::Option { .. }), "{error}");
    }
    let error = HeightMap::from_samples(4, 4, vec![0; 15], &good).expect_err("an error");
    assert!(matches!(error, MapError::Count { count: 15, .. }), "{error}");
}

proptest! {
    #[test]
    fn damage_never_panics(at in 8..200usize, value: u8) {
        let mut bytes = grey16();
        let at = at % bytes.len();
        bytes[at] = value;
        let _ = decode(&bytes);
    }
}

#[test]
fn the_share_of_steep_ground_is_that_of_its_cells() {
    // 8 m up each 2 m in half of the columns, 4:1; then level.
    let samples = (0..5).flat_map(|_| [0, 8, 16, 24, 32, 32, 32, 32, 32]).collect();
    let options = MapOptions { spacing: DVec2::splat(2.0), ..MapOptions::default() };
    let map = HeightMap::from_samples(9, 5, samples, &options).expect("a map");
    assert_eq!(map.share_steeper_than(3.99), 0.5);
    assert_eq!(map.share_steeper_than(4.01), 0.0);
}
