//! The shader against the reference.

use anemone_sky::WESL;
use anemone_sky::atmosphere::Atmosphere;
use anemone_sky::sky_view::{
    COLUMNS, ROWS, SkyUniform, SkyView, aerosol_phase, haze_direction, sky_coordinates, sky_irradiance, sky_radiance,
    sun_disc,
};
use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};

use crate::sun;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Input {
    sky: SkyUniform,
    /// Unit; w is the softness of the disc's edge.
    direction: Vec4,
    texel: Vec4,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Output {
    /// The coordinates, the phase function, and the table's size in one number.
    place: Vec4,
    radiance: Vec4,
    irradiance: Vec4,
    disc: Vec4,
    haze: Vec4,
}

const ROOT: &str = "
    import package::sky::sky_view::{Sky, COLUMNS, ROWS, sky_coordinates, aerosol_phase, sky_radiance, sky_irradiance, sun_disc, haze_direction};
    struct Input { sky: Sky, direction: vec4f, texel: vec4f }
    struct Output { place: vec4f, radiance: vec4f, irradiance: vec4f, disc: vec4f, haze: vec4f }
    fn evaluate(input: Input) -> Output {
        let sky = input.sky;
        let direction = input.direction.xyz;
        let cosine = dot(direction, sky.sun.xyz);
        return Output(
            vec4f(sky_coordinates(direction, sky.sun.xyz), aerosol_phase(cosine), f32(COLUMNS * 1000u + ROWS)),
            vec4f(sky_radiance(input.texel, sky.aureole.rgb, cosine), sky.extinction.y),
            vec4f(sky_irradiance(sky.irradiance, direction), 0.0),
            vec4f(sun_disc(sky.sun_radiance.rgb, direction, sky.sun.xyz, input.direction.w), 0.0),
            vec4f(haze_direction(direction, sky.sun.xyz), 0.0),
        );
    }";

#[test]
fn the_twins_agree() {
    let mut inputs = Vec::new();
    for (elevation, azimuth) in [(90.0, 0.0), (55.0, 200.0), (6.0, 30.0), (-2.0, 300.0)] {
        let toward = sun(elevation, azimuth);
        let sky = SkyView::new(&Atmosphere::default(), toward);
        for i in 0..2000 {
            let k = i as f32;
            // All over the sphere, and a fourth of them on and beside the disc.
            let direction = if i % 4 == 0 {
                (toward + 0.006 * sun((k * 7.3) % 180.0 - 90.0, (k * 31.7) % 360.0)).normalize()
            } else {
                sun((k * 1.618).sin() * 90.0, (k * 57.3) % 360.0)
            };
            inputs.push(Input {
                sky: sky.uniform(),
                direction: direction.extend([0.0, 1e-3][i % 2]),
                texel: Vec4::from(sky.texels()[(i * 3) % (COLUMNS * ROWS)]),
            });
        }
    }
    for direction in [Vec3::Y, Vec3::NEG_Y, Vec3::X, Vec3::NEG_Z] {
        inputs.push(Input { direction: direction.extend(0.0), ..inputs[0] });
    }
    let outputs: Vec<Output> = Twin::open().evaluate(&[WESL], ROOT, &inputs);
    for (input, output) in inputs.iter().zip(outputs) {
        let (sky, direction) = (&input.sky, input.direction.truncate());
        let toward = sky.sun.truncate();
        let cosine = direction.dot(toward);
        let place = sky_coordinates(direction, toward);
        // A texel's place is the root of a small number near the horizon, and turns fast near the zenith.
        let level = Vec3::new(direction.x, 0.0, direction.z).length().min(toward.with_y(0.0).length());
        assert!(
            (output.place.x - place.x).abs() < 1e-3 + 1e-5 / level.max(1e-5),
            "{direction}: {place} {}",
            output.place
        );
        assert!((output.place.y - place.y).abs() < 1e-3, "{direction}: {place} {}", output.place);
        assert!((output.place.z / aerosol_phase(cosine) - 1.0).abs() < 1e-4);
        assert_eq!(output.place.w, (COLUMNS * 1000 + ROWS) as f32);
        let near = |found: Vec4, expected: Vec3, tolerance: f32| {
            let scale = expected.max_element().max(1e-6);
            assert!(
                (found.truncate() - expected).abs().max_element() <= tolerance * scale,
                "{direction}: {found} {expected}"
            );
        };
        near(output.radiance, sky_radiance(input.texel, sky.aureole.truncate(), cosine), 2e-4);
        assert_eq!(output.radiance.w, sky.extinction.y);
        near(output.irradiance, sky_irradiance(&sky.irradiance, direction), 1e-5);
        // Beside the sun's own azimuth and opposite it the sine is a root of next to nothing; on the border it may be either.
        if (direction.y - 0.01).abs() > 1e-5 && level > 0.01 {
            near(output.haze, haze_direction(direction, toward), 2e-3);
        }
        let disc = sun_disc(sky.sun_radiance.truncate(), direction, toward, input.direction.w);
        let angle = (direction - toward).length();
        // At the limb the darkening is steep, and a sharp edge falls between two floats.
        let edge = (angle - 0.004_651).abs() < 2e-6;
        if !edge {
            let whole = sky.sun_radiance.truncate().max_element();
            assert!(
                (output.disc.truncate() - disc).abs().max_element() <= 2e-3 * whole,
                "{direction}: {} {disc}",
                output.disc
            );
        }
    }
}
