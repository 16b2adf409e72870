//! OpenEXR: the light before the film curve, read back by the library that writes it and by another one.

use std::path::Path;

use anemone::field::hash::{hash3, unit};
use anemone::glam::{DMat3, DVec3, Vec3};
use exr::prelude::{
    AttributeValue, Image, ReadChannels, ReadLayers, Text, Vec2, read, read_first_flat_layer_from_file,
};

use crate::support::{Place, Ran, TINY};

/// With a sky, a ground and grass in the picture, and a wind.
fn scene() -> String {
    format!("{TINY}\n[render]\nsettle = 0.1\nfps = 23.976\n")
}

fn render(place: &Place, more: &[&str]) -> Ran {
    place.run(&[&["render", "scene.toml", "--size", "64x36", "--samples", "4"], more].concat())
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    std::fs::read(place.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The values of a file: size, and RGBA row by row.
fn values(path: &Path) -> ([usize; 2], Vec<[f32; 4]>) {
    type Rows = Vec<Vec<[f32; 4]>>;
    let rows = |size: Vec2<usize>, _: &_| vec![vec![[0.0; 4]; size.width()]; size.height()];
    let put =
        |rows: &mut Rows, at: Vec2<usize>, (r, g, b, a): (f32, f32, f32, f32)| rows[at.y()][at.x()] = [r, g, b, a];
    let reader = read().no_deep_data().largest_resolution_level().rgba_channels(rows, put);
    let image: Image<_> = reader.first_valid_layer().all_attributes().from_file(path).expect("an OpenEXR file");
    let layer = image.layer_data;
    ([layer.size.width(), layer.size.height()], layer.channel_data.pixels.concat())
}

/// What `film` in the engine's `present/film.wesl` computes: display codes from 0 to 1.
fn film(light: DVec3) -> DVec3 {
    let inset = DMat3::from_cols(
        DVec3::new(0.842479062, 0.042328242, 0.042375655),
        DVec3::new(0.078433600, 0.878468636, 0.078433600),
        DVec3::new(0.079223745, 0.079166127, 0.879142974),
    );
    let outset = DMat3::from_cols(
        DVec3::new(1.196879006, -0.052896852, -0.052971636),
        DVec3::new(-0.098020881, 1.151903130, -0.098043450),
        DVec3::new(-0.099029744, -0.098961177, 1.151073673),
    );
    let contrast = (inset * light).map(|value| {
        let v = ((value.max(1e-10).log2() + 12.47393) / 16.5).clamp(0.0, 1.0);
        let factors = [15.5, -40.14, 31.96, -6.868, 0.4298, 0.1191, -0.00232];
        factors.into_iter().fold(0.0, |sum, factor| sum * v + factor).max(0.0).powf(1.2)
    });
    let grey = DVec3::splat(contrast.dot(DVec3::new(0.2126, 0.7152, 0.0722)));
    (outset * (grey + 1.3 * (contrast - grey))).clamp(DVec3::ZERO, DVec3::ONE)
}

/// What is stored is what the film curve takes: pushed through it, it is the PNG picture.
#[test]
fn the_light_through_the_film_curve_is_the_png() {
    let place = Place::with(&scene());
    let means = ["0", "3"].map(|stops| {
        let more = ["--set", &format!("render.exposure={stops}")];
        render(&place, &[&["-o", "a.png"], &more[..]].concat()).succeeds();
        let ran = render(&place, &[&["-o", "a.exr"], &more[..]].concat()).succeeds();
        assert_eq!(ran.out.lines().next(), Some("a.exr"), "{ran:?}");
        let picture = place.picture("a.png");
        let (size, light) = values(&place.path("a.exr"));
        assert_eq!(size, [64, 36]);
        let mut sum = 0.0;
        for (index, (code, rgba)) in picture.pixels.iter().zip(&light).enumerate() {
            assert_eq!(rgba[3], 1.0, "ground and sky fill the picture");
            let [x, y] = [index % 64, index / 64].map(|at| at as u32);
            let exact = film(Vec3::from_slice(rgba).as_dvec3()).to_array();
            for channel in 0..3 {
                let dither = f64::from(unit(hash3(x, y, channel as u32))) - 0.5;
                let expected = (255.0 * exact[channel] + dither).clamp(0.0, 255.0);
                let off = f64::from(code[channel]) - expected;
                assert!(off.abs() <= 1.0, "{x} {y}: {code:?} is not {exact:?}");
                sum += off;
            }
        }
        // Rounding errs to either side, so what is left of it in the mean is small.
        let mean = sum / (3.0 * light.len() as f64);
        eprintln!("exposure {stops}: mean difference {mean} of 255");
        assert!(mean.abs() < 0.1, "{mean} of 255");
        light.iter().map(|rgba| f64::from(rgba[1])).sum::<f64>() / light.len() as f64
    });
    // Three stops are a factor of 8 on what is stored.
    let factor = means[1] / means[0];
    assert!((factor / 8.0 - 1.0).abs() < 1e-3, "{factor}");
}

/// Twenty stops more than there should be are more than 16 bits hold.
#[test]
fn light_beyond_a_half_is_its_most() {
    let place = Place::with(&scene());
    render(&place, &["-o", "a.exr", "--set", "render.exposure=20"]).succeeds();
    let (_, light) = values(&place.path("a.exr"));
    let most = light.iter().flatten().copied().fold(0.0, f32::max);
    assert_eq!(most, 65_504.0);
    assert!(light.iter().flatten().all(|value| value.is_finite()));
}

/// What stands in the header of a still and of a frame.
#[test]
fn the_header_says_how_the_picture_was_taken() {
    let place = Place::with(&scene());
    render(&place, &["-o", "still.EXR"]).succeeds();
    render(&place, &["-o", "shot.#.exr", "--frames", "3", "--shutter", "0.02"]).succeeds();
    let [still, frame] = ["still.EXR", "shot.3.exr"].map(|name| {
        let image = read_first_flat_layer_from_file(place.path(name)).expect(name);
        let chromaticities = image.attributes.chromaticities.expect("chromaticities");
        assert_eq!((chromaticities.red, chromaticities.white), (Vec2(0.64, 0.33), Vec2(0.3127, 0.3290)));
        let names: Vec<String> = image.layer_data.channel_data.list.iter().map(|list| list.name.to_string()).collect();
        assert_eq!(names, ["A", "B", "G", "R"]);
        assert_eq!(image.layer_data.encoding.compression, exr::prelude::Compression::ZIP16);
        image.layer_data.attributes
    });
    for about in [&still, &frame] {
        let software = about.software_name.as_ref().map(ToString::to_string);
        assert_eq!(software, Some(format!("Anemone {}", env!("CARGO_PKG_VERSION"))));
        let Some(AttributeValue::F32(exposure)) = about.other.get(&Text::from("anemone:exposure")) else {
            panic!("no exposure: {about:?}");
        };
        let white = about.white_luminance.expect("a luminance");
        assert!((exposure * white / 1000.0 - 1.0).abs() < 1e-5, "{exposure} {white}");
        // The camera stands at (0, 1, 4), and the origin lies before it and below.
        let matrix = about.world_to_camera.expect("a matrix");
        let [x, y, z] = [12, 13, 14].map(|at| matrix[at]);
        assert!(x.abs() < 1e-5 && y < 0.0 && z > 3.5, "{matrix:?}");
        assert!((x * x + y * y + z * z - 17.0).abs() < 1e-3, "{matrix:?}");
        assert!(about.world_to_normalized_device.is_some() && about.vertical_field_of_view.is_some());
    }
    let text = |about: &exr::prelude::LayerAttributes, name: &str| match about.other.get(&Text::from(name)) {
        Some(AttributeValue::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    assert_eq!((still.frames_per_second, text(&still, "anemone:frame"), still.exposure), (None, None, None));
    assert_eq!(frame.frames_per_second, Some((24_000, 1001)));
    assert_eq!(frame.exposure, Some(0.02));
    assert_eq!(frame.other.get(&Text::from("imageCounter")), Some(&AttributeValue::I32(3)));
    assert_eq!(text(&frame, "anemone:frame").as_deref(), Some("3"));
    assert_eq!(text(&frame, "anemone:scene").map(|hash| hash.len()), Some(16));
}

#[test]
fn frames_are_the_same_alone_and_go_on_after_an_interruption() {
    let place = Place::with(&scene());
    let film = |more: &[&str]| render(&place, &[&["--shutter", "0.02"], more].concat());
    film(&["--frames", "1-4", "-o", "a.##.exr"]).succeeds();
    film(&["--frames", "3", "-o", "b.#.exr"]).succeeds();
    assert!(bytes(&place, "b.3.exr") == bytes(&place, "a.03.exr"));
    assert!(values(&place.path("a.02.exr")) != values(&place.path("a.03.exr")), "the film stands still");

    // One is lost, one is broken off in its pixels, one in its header, one has a wrong byte in its pixels.
    let whole = [1, 2, 3, 4].map(|frame| bytes(&place, &format!("a.0{frame}.exr")));
    std::fs::remove_file(place.path("a.01.exr")).expect("it is there");
    place.write("a.02.exr", &whole[1][..whole[1].len() - 50]);
    place.write("a.03.exr", &whole[2][..200]);
    let mut wrong = whole[3].clone();
    let middle = wrong.len() - 300;
    wrong[middle] ^= 0x10;
    place.write("a.04.exr", &wrong);
    let ran = film(&["--frames", "1-4", "-o", "a.##.exr", "--resume"]).succeeds();
    assert!(ran.out.contains("4 frames of") && ran.err.contains("a.02.exr is broken off"), "{ran:?}");
    for frame in 1..=4 {
        assert!(bytes(&place, &format!("a.0{frame}.exr")) == whole[frame - 1], "frame {frame}");
    }
    let ran = film(&["--frames", "1-4", "-o", "a.##.exr", "--resume"]).succeeds();
    assert!(ran.out.contains("all frames are there"), "{ran:?}");

    // Of another scene, renamed, and no frame at all.
    film(&["--frames", "1-4", "-o", "a.##.exr", "--resume", "--time", "3"]).fails_with(&["a.01.exr", "no frame 1"]);
    std::fs::copy(place.path("a.01.exr"), place.path("a.02.exr")).expect("copied");
    film(&["--frames", "1-4", "-o", "a.##.exr", "--resume"]).fails_with(&["a.02.exr", "no frame 2"]);
    render(&place, &["-o", "a.02.exr"]).succeeds();
    film(&["--frames", "1-4", "-o", "a.##.exr", "--resume"]).fails_with(&["a.02.exr", "no frame 2"]);
}

#[test]
fn a_wrong_end_is_answered_with_the_right_ones() {
    let place = Place::with(&scene());
    render(&place, &["-o", "a.tif"]).fails_with(&["a.tif", "ends in .png or .exr"]);
    render(&place, &["--frames", "1-2", "-o", "a.#.tif"]).fails_with(&["ends in .png or .exr"]);
    render(&place, &["--frames", "1-2", "-o", "a.exr"]).fails_with(&["a.exr", "shot.####.exr"]);
    assert_eq!(place.files(), ["scene.toml"]);
}

/// Prints the attributes and the sum of each channel, by the reference implementation.
const PYTHON: &str = "
import sys
try:
    import OpenEXR, numpy
except ImportError:
    sys.exit(77)
with OpenEXR.File(sys.argv[1], separate_channels=True) as file:
    head = file.header()
    print(sorted(file.channels()))
    print([str(file.channels()[name].pixels.dtype) for name in 'RGBA'])
    print(*[float(file.channels()[name].pixels.astype('float64').sum()) for name in 'RGBA'])
    print(*head['chromaticities'])
    for name in ['compression', 'software', 'anemone:frame']:
        print(name, head[name])
    rate = head['framesPerSecond']
    print(rate.numerator, rate.denominator)
    print(*head['worldToCamera'].flatten()[12:15])
";

/// The reference implementation reads the same values and attributes.
#[test]
fn another_library_reads_the_same() {
    let place = Place::with(&scene());
    render(&place, &["-o", "shot.#.exr", "--frames", "2"]).succeeds();
    let path = place.path("shot.2.exr");
    let ran = match std::process::Command::new("python3").args(["-c", PYTHON]).arg(&path).output() {
        Ok(ran) if ran.status.code() != Some(77) => ran,
        _ => {
            eprintln!("SKIPPED: python3 with OpenEXR (pip install OpenEXR) is not installed");
            return;
        }
    };
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{text}\n{}", String::from_utf8_lossy(&ran.stderr));
    eprintln!("{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "['A', 'B', 'G', 'R']");
    assert_eq!(lines[1], "['float16', 'float16', 'float16', 'float16']");
    let (_, ours) = values(&path);
    for (channel, sum) in lines[2].split(' ').enumerate() {
        let own: f64 = ours.iter().map(|rgba| f64::from(rgba[channel])).sum();
        let sum: f64 = sum.parse().expect("a number");
        assert!((own - sum).abs() <= 1e-9 * own, "channel {channel}: {sum}, not {own}");
    }
    let numbers = |line: &str| line.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<f64>>();
    for (primary, known) in numbers(lines[3]).iter().zip([0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]) {
        assert!((primary - known).abs() < 1e-6, "{}", lines[3]);
    }
    assert!(lines[4].contains("ZIP_COMPRESSION"), "{}", lines[4]);
    assert!(lines[5].contains("Anemone"), "{}", lines[5]);
    assert_eq!(lines[6], "anemone:frame 2");
    assert_eq!(lines[7], "24000 1001");
    assert_eq!(numbers(lines[3]).len(), 8);
    let [x, y, z] = numbers(lines[8])[..] else { panic!("{}", lines[8]) };
    assert!(x.abs() < 1e-5 && (x * x + y * y + z * z - 17.0).abs() < 1e-3, "{x} {y} {z}");
}
