//! Whatever is asked, the answer is a light.

use anemone_sky::atmosphere::Atmosphere;
use anemone_sky::sky_view::SkyView;
use glam::Vec3;
use proptest::prelude::*;

use crate::sun;

fn check(air: &Atmosphere, toward: Vec3, directions: &[Vec3]) {
    let sky = SkyView::new(air, toward);
    let is_light = |color: Vec3| color.is_finite() && color.min_element() >= 0.0;
    let light = sky.horizontal_illuminance();
    for color in
        [light.sun, light.sky, sky.sun_illuminance(), sky.sun_radiance(), sky.extinction(), air.sun_illuminance(toward)]
    {
        assert!(is_light(color), "{air:?} {toward}: {color}");
    }
    for direction in directions {
        assert!(is_light(sky.radiance(*direction)), "{air:?} {toward} {direction}");
        assert!(is_light(sky.irradiance(*direction)), "{air:?} {toward} {direction}");
    }
    assert!(sky.texels().iter().flatten().all(|channel| channel.is_finite()), "{air:?} {toward}");
    let uniform = sky.uniform();
    assert!(uniform.irradiance.iter().all(|coefficient| coefficient.is_finite()));
    assert!([uniform.sun, uniform.aureole, uniform.sun_radiance, uniform.extinction].iter().all(|v| v.is_finite()));
}

fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0f32), Just(f32::NAN), Just(f32::INFINITY), Just(-1.0f32), -1e38..1e38f32]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_sky_is_finite_and_none_is_negative(
        visibility in 100.0..400_000.0f32,
        altitude in -500.0..10_000.0f32,
        albedo in proptest::array::uniform3(0.0..1.0f32),
        elevation in -90.0..90.0f32,
        azimuth in 0.0..360.0f32,
        looks in proptest::collection::vec((-90.0..90.0f32, 0.0..360.0f32), 100),
    ) {
        let air = Atmosphere { visibility, altitude, ground_albedo: Vec3::from(albedo) };
        let directions: Vec<Vec3> = looks.iter().map(|(elevation, azimuth)| sun(*elevation, *azimuth)).collect();
        check(&air, sun(elevation, azimuth), &directions);
    }

    #[test]
    fn even_nonsense_gives_a_finite_sky(
        numbers in proptest::array::uniform5(any_number()),
        toward in proptest::array::uniform3(any_number()),
    ) {
        let [visibility, altitude, r, g, b] = numbers;
        let air = Atmosphere { visibility, altitude, ground_albedo: Vec3::new(r, g, b) };
        let toward = Vec3::from(toward);
        check(&air, toward, &[toward, Vec3::ZERO, Vec3::NAN, Vec3::Y, Vec3::NEG_Y, Vec3::INFINITY]);
    }
}

#[test]
fn the_sun_may_stand_at_the_zenith_or_at_the_nadir() {
    for toward in [Vec3::Y, Vec3::NEG_Y, Vec3::new(1e-7, 1.0, 0.0), Vec3::X, Vec3::Y * 1e-30] {
        check(&Atmosphere::default(), toward, &[Vec3::Y, Vec3::X, Vec3::NEG_Z, Vec3::NEG_Y]);
    }
    let night = SkyView::new(&Atmosphere::default(), sun(-40.0, 0.0));
    assert!(night.horizontal_illuminance().total().max_element() < 1e-6);
}
