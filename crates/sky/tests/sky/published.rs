//! Against what others have measured.

use std::f32::consts::{PI, TAU};

use anemone_sky::atmosphere::Atmosphere;
use anemone_sky::sky_view::SkyView;
use glam::Vec3;

use crate::{chromaticity, luminance, sun};

/// Correlated colour temperature: McCamy, Color Research and Application 17, 1992.
fn temperature(color: Vec3) -> f32 {
    let (x, y) = chromaticity(color);
    let n = (x - 0.3320) / (0.1858 - y);
    449.0 * n.powi(3) + 3525.0 * n * n + 6823.3 * n + 5520.33
}

/// Diffuse illuminance of a clear sky on level ground, klx: IES, "Recommended Practice for the Calculation of Daylight
/// Availability", 1984, after Gillette.
fn ies_sky(sin: f32) -> f32 {
    0.8 + 15.5 * sin.sqrt()
}

/// Zenith luminance over level illuminance of the CIE standard clear sky: ISO 15469:2004, type 12, 1/sr.
fn cie_zenith(sun: Vec3) -> f32 {
    let relative = |direction: Vec3| {
        let cos = direction.dot(sun).clamp(-1.0, 1.0);
        let indicatrix = 1.0 + 10.0 * ((-3.0 * cos.acos()).exp() - (-1.5 * PI).exp()) + 0.45 * cos * cos;
        (1.0 - (-0.32 / direction.y).exp()) * indicatrix
    };
    let (steps, mut level) = (100, 0.0);
    for i in 0..steps {
        let y = (i as f32 + 0.5) / steps as f32;
        for j in 0..steps {
            let (s, c) = (TAU * (j as f32 + 0.5) / steps as f32).sin_cos();
            let across = (1.0 - y * y).sqrt();
            level += relative(Vec3::new(across * c, y, across * s)) * y * TAU / (steps * steps) as f32;
        }
    }
    relative(Vec3::Y) / level
}

#[test]
fn direct_light_is_that_of_ies() {
    let air = Atmosphere::default();
    for degrees in [10.0f32, 15.0, 20.0, 30.0, 45.0, 60.0] {
        let published = 127.5 * (-0.21 / degrees.to_radians().sin()).exp();
        let klx = luminance(air.sun_illuminance(sun(degrees, 20.0)));
        assert!((klx / published - 1.0).abs() < 0.15, "{degrees}: {klx} klx, published {published}");
    }
}

#[test]
fn light_and_zenith_of_the_sky_are_those_of_ies_and_cie() {
    let air = Atmosphere::default();
    for degrees in [10.0f32, 20.0, 30.0, 45.0, 60.0] {
        let toward = sun(degrees, 130.0);
        let sky = SkyView::new(&air, toward);
        let published = ies_sky(toward.y);
        let klx = luminance(sky.horizontal_illuminance().sky);
        assert!((klx / published - 1.0).abs() < 0.35, "{degrees}: {klx} klx, published {published}");
        let published = published * cie_zenith(toward);
        let zenith = luminance(sky.radiance(Vec3::Y));
        assert!((0.7..1.4).contains(&(zenith / published)), "{degrees}: {zenith} kcd/m², published {published}");
        // Farther from the glare the zenith is (0.25, 0.26), bluer than any daylight on the ground, and the horizon
        // opposite the sun paler and brighter.
        if degrees <= 30.0 {
            let (x, y) = chromaticity(sky.radiance(Vec3::Y));
            assert!((x - 0.25).abs() < 0.01 && (y - 0.26).abs() < 0.015, "{degrees}: {x} {y}");
            let opposite = sky.radiance(sun(5.0, 130.0 + 180.0));
            assert!(chromaticity(opposite).0 > x + 0.02, "{degrees}: {opposite}");
            assert!(luminance(opposite) > 1.5 * zenith, "{degrees}: {opposite}");
        }
    }
}

#[test]
fn the_sun_has_the_colour_of_its_height() {
    let air = Atmosphere::default();
    let kelvin = |degrees| temperature(air.sun_illuminance(sun(degrees, 0.0)));
    assert!((5000.0..6000.0).contains(&kelvin(60.0)), "{}", kelvin(60.0));
    assert!(kelvin(3.0) < 3500.0, "{}", kelvin(3.0));
    let falling = [60.0, 40.0, 20.0, 10.0, 5.0, 2.0].map(kelvin);
    assert!(falling.windows(2).all(|pair| pair[0] > pair[1]), "{falling:?}");
}

#[test]
fn twilight_fades_to_night() {
    let air = Atmosphere::default();
    let lux = |degrees| {
        let sky = SkyView::new(&air, sun(degrees, 0.0));
        1000.0 * luminance(sky.horizontal_illuminance().total())
    };
    let fading = [4.0, 1.0, 0.0, -0.5, -2.0, -4.0, -6.0, -8.0, -10.0, -12.0].map(lux);
    assert!(fading.windows(2).all(|pair| pair[0] > 1.2 * pair[1] && pair[1] > 0.0), "{fading:?}");
    // A clear sky at the end of civil twilight, 6° below, gives 3.4 lx; at sunset, with refraction 0.8° below, 400 to
    // 760 lx.
    assert!((1.1..10.0).contains(&fading[6]), "{}", fading[6]);
    assert!((400.0..760.0).contains(&lux(-0.83)), "{}", lux(-0.83));
}
