//! The laws of light against published and computed figures, on the adapter itself.

use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};

/// The shaders under test, and what they import.
const LIGHT: &[(&str, &str)] = &[
    ("package::engine::population", include_str!("../../src/population.wesl")),
    ("package::engine::present::film", include_str!("../../src/present/film.wesl")),
    ("package::engine::shade::leaf", include_str!("../../src/shade/leaf.wesl")),
    ("package::engine::shade::stand", include_str!("../../src/shade/stand.wesl")),
    ("package::engine::shadow::grid", include_str!("../../src/shadow/grid.wesl")),
];
const MODULES: &[&[anemone_twin::Module]] =
    &[anemone::field::WESL, anemone::terrain::WESL, anemone::motion::WESL, anemone_sky::WESL, LIGHT];

/// Within a share of the second.
fn close(a: f32, b: f32, relative: f32) -> bool {
    (a - b).abs() <= relative * b.abs().max(1e-4)
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct View {
    sun: f32,
    eye: f32,
    azimuth: f32,
    lai: f32,
    upright: f32,
}

/// Of a field in the sun, and under an even sky.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Reflectance {
    sun: [f32; 3],
    pad: u32,
    sky: [f32; 3],
    pad2: u32,
}

/// Reflectance of a field of upright leaves, as far as `upright` says, for views in degrees: sun's and eye's zenith angles, the
/// azimuth between them, and the leaf area.
fn fields(upright: f32, views: &[[f32; 4]]) -> Vec<Reflectance> {
    let root = "
        import package::engine::shade::leaf::Leaf;
        import package::engine::shade::stand::{Field, field_in_sun, field_in_sky};
        struct Input { sun: f32, eye: f32, azimuth: f32, lai: f32, upright: f32 }
        struct Output { sun: vec3f, sky: vec3f }
        fn evaluate(i: Input) -> Output {
            let leaf = Leaf(vec3f(0.06, 0.12, 0.035), vec3f(0.045, 0.11, 0.01));
            let field = Field(leaf, i.lai, vec3f(0.19, 0.13, 0.08), 0.05, i.upright);
            let sun = vec3f(sin(i.sun), cos(i.sun), 0.0);
            let eye = vec3f(sin(i.eye) * cos(i.azimuth), cos(i.eye), sin(i.eye) * sin(i.azimuth));
            let up = vec3f(0.0, 1.0, 0.0);
            return Output(field_in_sun(field, sun.y, eye.y, sun, eye, up) / sun.y, field_in_sky(field, eye.y));
        }";
    let inputs: Vec<View> = views
        .iter()
        .map(|[sun, eye, azimuth, lai]| View {
            sun: sun.to_radians(),
            eye: eye.to_radians(),
            azimuth: azimuth.to_radians(),
            lai: *lai,
            upright,
        })
        .collect();
    Twin::open().evaluate(MODULES, root, &inputs)
}

/// A view's angles; and what 4SAIL has of the sun's light and of an even sky's.
type Known = ([f32; 3], [f32; 3], [f32; 3]);

/// 4SAIL (Verhoef et al. 2007; PyPI `prosail` 2.0.5: rsot and rdot) at LAI 3 and a hot spot of 0.05, which has no gloss.
///
/// Leaves that face all ways alike: Campbell's ellipsoid with a mean angle of 57.3°.
const SPHERICAL: [Known; 9] = [
    ([45.0, 0.0, 0.0], [0.0261, 0.0491, 0.0134], [0.0230, 0.0479, 0.0115]),
    ([45.0, 30.0, 0.0], [0.0334, 0.0643, 0.0180], [0.0241, 0.0514, 0.0119]),
    ([45.0, 45.0, 0.0], [0.0741, 0.1225, 0.0389], [0.0259, 0.0567, 0.0126]),
    ([45.0, 80.0, 0.0], [0.0432, 0.0913, 0.0243], [0.0412, 0.0941, 0.0181]),
    ([45.0, 60.0, 90.0], [0.0250, 0.0544, 0.0123], [0.0295, 0.0663, 0.0139]),
    ([75.0, 80.0, 0.0], [0.1176, 0.2414, 0.0678], [0.0412, 0.0941, 0.0181]),
    ([45.0, 60.0, 180.0], [0.0213, 0.0503, 0.0075], [0.0295, 0.0663, 0.0139]),
    ([20.0, 40.0, 180.0], [0.0238, 0.0447, 0.0117], [0.0252, 0.0545, 0.0123]),
    ([80.0, 10.0, 90.0], [0.0231, 0.0528, 0.0106], [0.0231, 0.0483, 0.0116]),
];
/// Grass: a mean angle of 70°.
const GRASS: [Known; 9] = [
    ([45.0, 0.0, 0.0], [0.0250, 0.0387, 0.0116], [0.0184, 0.0357, 0.0085]),
    ([45.0, 30.0, 0.0], [0.0318, 0.0567, 0.0166], [0.0210, 0.0443, 0.0096]),
    ([45.0, 45.0, 0.0], [0.0734, 0.1156, 0.0379], [0.0243, 0.0538, 0.0109]),
    ([45.0, 80.0, 0.0], [0.0439, 0.0921, 0.0249], [0.0422, 0.0970, 0.0180]),
    ([45.0, 60.0, 90.0], [0.0223, 0.0496, 0.0100], [0.0294, 0.0674, 0.0129]),
    ([75.0, 80.0, 0.0], [0.1333, 0.2730, 0.0769], [0.0422, 0.0970, 0.0180]),
    ([45.0, 60.0, 180.0], [0.0223, 0.0548, 0.0059], [0.0294, 0.0674, 0.0129]),
    ([20.0, 40.0, 180.0], [0.0236, 0.0367, 0.0098], [0.0230, 0.0503, 0.0104]),
    ([80.0, 10.0, 90.0], [0.0161, 0.0373, 0.0070], [0.0187, 0.0367, 0.0087]),
];

#[test]
fn fields_reflect_as_4sail_has_it() {
    for (upright, known) in [(0.0, SPHERICAL), (0.4, GRASS)] {
        let inputs: Vec<_> = known.iter().map(|([sun, eye, azimuth], ..)| [*sun, *eye, *azimuth, 3.0]).collect();
        for ((view, in_sun, in_sky), drawn) in known.iter().zip(fields(upright, &inputs)) {
            for channel in 0..3 {
                // The closed form adds random mirrors of 2.8 %.
                let (found, wanted) = (drawn.sun[channel], in_sun[channel]);
                assert!(
                    found > 0.95 * wanted && found < 1.2 * wanted + 0.012,
                    "{upright} upright, sun, {view:?}: {found}, not {wanted}"
                );
                let (found, wanted) = (drawn.sky[channel], in_sky[channel]);
                assert!(
                    found > 0.8 * wanted && found < 1.1 * wanted,
                    "{upright} upright, sky, {view:?}: {found}, not {wanted}"
                );
            }
        }
    }
}

#[test]
fn a_field_without_leaves_is_its_soil_and_a_deep_one_hides_it() {
    let out = fields(0.4, &[[40.0, 30.0, 60.0, 0.0], [40.0, 30.0, 60.0, 12.0], [40.0, 30.0, 60.0, 24.0]]);
    for (channel, soil) in [0.19, 0.13, 0.08].into_iter().enumerate() {
        for part in [|field: &Reflectance| field.sun, |field: &Reflectance| field.sky] {
            let [bare, deep, deeper] = [0, 1, 2].map(|i| part(&out[i])[channel]);
            assert!(close(bare, soil, 0.02), "bare: {bare}, not {soil}");
            assert!(close(deep, deeper, 0.15), "deep: {deep} and {deeper}");
        }
    }
}

/// A leaf's gloss sends back less than falls on it, and less than twice what a mirror would: rough facets send back more of
/// steep light than a mirror, and less of grazing light.
#[test]
fn gloss_sends_back_less_than_twice_what_a_mirror_would() {
    let root = "
        import package::engine::shade::leaf::{gloss, fresnel, ROUGH_ALONG, ROUGH_ACROSS};
        struct Input { zenith: f32, azimuth: f32 }
        struct Output { sum: f32, mirror: f32 }
        fn evaluate(i: Input) -> Output {
            let light = vec3f(sin(i.zenith) * cos(i.azimuth), cos(i.zenith), sin(i.zenith) * sin(i.azimuth));
            var sum = 0.0;
            for (var a = 0u; a < 200u; a++) {
                for (var b = 0u; b < 400u; b++) {
                    // Evenly over the projected hemisphere: the mean times pi is the light sent back.
                    let s = sqrt((f32(a) + 0.5) / 200.0);
                    let phi = (f32(b) + 0.5) / 400.0 * 6.2831853;
                    let eye = vec3f(s * cos(phi), sqrt(1.0 - s * s), s * sin(phi));
                    sum += gloss(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), eye, light,
                        ROUGH_ALONG, ROUGH_ACROSS);
                }
            }
            return Output(sum / 80000.0 * 3.14159265 / light.y, fresnel(light.y));
        }";
    let inputs: Vec<[f32; 2]> = [10.0_f32, 40.0, 60.0, 75.0]
        .iter()
        .flat_map(|zenith| [0.0_f32, 45.0, 90.0].map(|azimuth| [zenith.to_radians(), azimuth.to_radians()]))
        .collect();
    let out: Vec<[f32; 2]> = Twin::open().evaluate(MODULES, root, &inputs);
    for (input, [sum, mirror]) in inputs.iter().zip(out) {
        let zenith = input[0].to_degrees();
        assert!(sum > 0.5 * 0.028 && sum < 2.0 * mirror.max(0.028) && sum < 1.0, "{zenith}°: {sum}, a mirror {mirror}");
    }
}

/// The curve without its look, on greys: values recomputed from the published polynomial.
#[test]
fn the_film_holds_greys_grey_and_rises() {
    let root = "
        import package::engine::present::film::{film, CONTRAST};
        struct Input { grey: f32 }
        struct Output { code: vec4f }
        fn evaluate(i: Input) -> Output { return Output(vec4f(film(vec3f(i.grey)), CONTRAST)); }";
    // Linear light to display light, gamma 2.2 (Wrensch 2024).
    let table = [(0.01, 0.0060), (0.05, 0.0614), (0.18, 0.2145), (0.5, 0.4252), (1.0, 0.5902), (4.0, 0.8610)];
    let inputs: Vec<f32> = table.iter().map(|(grey, _)| *grey).chain([0.0, -1.0, 1e9]).collect();
    let out: Vec<[f32; 4]> = Twin::open().evaluate(MODULES, root, &inputs);
    for ((grey, display), [red, green, blue, contrast]) in table.iter().zip(&out) {
        let expected = f32::powf(*display, contrast / 2.2);
        assert!((green - expected).abs() < 0.006, "{grey}: {green}, not {expected}");
        assert!((red - green).abs() < 2e-3 && (blue - green).abs() < 2e-3, "{grey} is not grey: {red} {green} {blue}");
    }
    assert!(out.windows(2).take(5).all(|pair| pair[0][1] < pair[1][1]));
    assert!(out[6..].iter().all(|code| code.iter().all(|channel| (0.0..=2.0).contains(channel))), "{out:?}");
}

/// The land's shade: level land lies in the sun however low that stands; what lies deep below a ridge does not; and towards the
/// border of the grid, beyond which nothing is known, the shade ends.
#[test]
fn level_land_is_not_in_its_own_shade() {
    let root = "
        import package::engine::shadow::grid::{land_open, known_land};
        struct Input { above: f32, rise: f32, x: f32, z: f32 }
        struct Output { open: f32, known: f32 }
        fn evaluate(i: Input) -> Output {
            return Output(land_open(i.above, 48.0, i.rise), known_land(vec2f(i.x, i.z), 512u));
        }";
    // A plane's nearest point towards the sun is a cell off, and hides what lies a cell's rise of the sun below.
    let rises = [0.2_f32, 0.3, 1.0, 3.0, 20.0, 70.0].map(|degrees| degrees.to_radians().tan().max(0.005));
    let inputs: Vec<[f32; 4]> = rises
        .iter()
        .flat_map(|rise| [[48.0 * rise, *rise, 256.0, 256.0], [-2.0 - 12.0 * rise, *rise, 256.0, 256.0]])
        .chain([[0.0, 0.1, -40.0, 256.0], [0.0, 0.1, 256.0, 600.0], [0.0, 0.1, 12.0, 256.0], [0.0, 0.1, 30.0, 480.0]])
        .collect();
    let out: Vec<[f32; 2]> = Twin::open().evaluate(MODULES, root, &inputs);
    for (input, [open, known]) in inputs.iter().zip(&out).take(2 * rises.len()) {
        let wanted = if input[0] > 0.0 { 1.0 } else { 0.0 };
        assert_eq!((*open, *known), (wanted, 1.0), "{} m above, rise {}", input[0], input[1]);
    }
    let known: Vec<f32> = out[2 * rises.len()..].iter().map(|pair| pair[1]).collect();
    assert!(known[0] == 0.0 && known[1] == 0.0 && known[2] > 0.1 && known[2] < 0.9 && known[3] == 1.0, "{known:?}");
}

/// A pixel that looks straight into the sun through a blade is a number.
#[test]
fn gloss_against_the_light_is_finite() {
    let root = "
        import package::engine::shade::leaf::{gloss, ROUGH_ALONG, ROUGH_ACROSS};
        struct Input { tilt: f32 }
        struct Output { gloss: f32 }
        fn evaluate(i: Input) -> Output {
            let normal = vec3f(sin(i.tilt), cos(i.tilt), 0.0);
            let light = vec3f(0.0, 1.0, 0.0);
            return Output(gloss(normal, vec3f(0.0, 0.0, 1.0), vec3f(cos(i.tilt), -sin(i.tilt), 0.0), -light, light, ROUGH_ALONG, ROUGH_ACROSS));
        }";
    let out: Vec<f32> = Twin::open().evaluate(MODULES, root, &[0.0_f32, 0.3, 1.0, 1.5]);
    assert!(out.iter().all(|gloss| *gloss >= 0.0 && gloss.is_finite()), "{out:?}");
}

/// Leaf area on a share of the ground lets through what the gaps between and the leaves themselves do.
#[test]
fn gaps_between_clumps_let_the_light_through() {
    let root = "
        import package::engine::shade::stand::{even_area, sun_through};
        struct Input { area: f32, covered: f32 }
        struct Output { through: f32 }
        fn evaluate(i: Input) -> Output { return Output(sun_through(even_area(i.area, i.covered), 0.0, 1.0)); }";
    let inputs = [[3.0_f32, 1.0], [3.0, 0.5], [42.0, 0.1], [500.0, 0.01], [0.0, 0.3], [1e-3, 0.999_9]];
    let out: Vec<f32> = Twin::open().evaluate(MODULES, root, &inputs);
    for ([area, covered], through) in inputs.iter().zip(out) {
        let wanted = 1.0 - covered + covered * (-0.5 * area / covered).exp();
        assert!((through - wanted).abs() < 2e-4, "{area} on {covered}: {through}, not {wanted}");
    }
}
