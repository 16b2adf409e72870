//! The air: what it scatters and takes, and the sun through it.

use glam::Vec3;

use crate::columns::{Densities, column};
use crate::spectrum::{Eye, Spectrum, into_gamut, reflectance};

/// Mean radius of the Earth, m.
pub(crate) const EARTH: f64 = 6_371_000.0;

/// Height above the sea beyond which there is nothing, m.
pub(crate) const TOP: f64 = 100_000.0;

/// Half the sun's angle across, which is 0.533° at the mean distance, rad.
pub const SUN_RADIUS: f32 = 0.004_651;

/// Scale heights, m. Air: p/(ρg) of the standard atmosphere, so that a column weighs what the pressure at its foot says.
pub(crate) const AIR_SCALE: f64 = 8_434.0;
pub(crate) const AEROSOL_SCALE: f64 = 1_200.0;

/// Part of what haze takes that it scatters: continental aerosol.
const AEROSOL_ALBEDO: f32 = 0.92;

/// Ångström exponent: how haze thins towards red.
const ANGSTROM: f32 = 1.2;

/// Ozone, m² a molecule × 10²⁵: Serdyuchenko et al., AMT 7, 2014, at 233 K, mean of each band of `spectrum`.
const OZONE: [f32; 16] = [
    0.00473, 0.02145, 0.06986, 0.1949, 0.42965, 0.8384, 1.541, 2.447, 3.2955, 4.469, 4.5495, 4.662, 3.4775, 2.45,
    1.6625, 1.07565,
];

/// Ozone where it is densest, molecules a m³ × 10⁻²⁵: 300 Dobson units (2.687e20 molecules a m² each) over the 15 km
/// that the tent profile of Hillaire 2020 adds up to.
const OZONE_DENSITY: f32 = 300.0 * 2.687e-5 / 15_000.0;

/// Clear air over open land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atmosphere {
    /// Distance at which a black thing keeps 2 % of contrast against the horizon, m: 3.912 over the extinction at 550 nm
    /// (Koschmieder). 100 m and more; beyond 340 km, pure air has no more.
    pub visibility: f32,
    /// Part of the light that the land throws back, linear sRGB, 0 to 1.
    pub ground_albedo: Vec3,
    /// Height of the land above the sea, m, −500 to 10 000. Visibility and haze are counted from there.
    pub altitude: f32,
}

impl Default for Atmosphere {
    /// A clear day over grass at the sea: visibility 40 km.
    fn default() -> Self {
        Self { visibility: 40_000.0, ground_albedo: Vec3::new(0.10, 0.14, 0.06), altitude: 0.0 }
    }
}

impl Atmosphere {
    /// The sun's light on a surface at the ground that faces it, linear sRGB, klx.
    ///
    /// `sun` points towards the middle of the disc as it is seen: refraction is not modelled, the horizon is level. While
    /// the disc sinks below it, the light is that of the part still above, and 0 afterwards.
    #[must_use]
    pub fn sun_illuminance(&self, sun: Vec3) -> Vec3 {
        into_gamut(Eye::new().see(&self.air().sunlight(elevation(sun))))
    }

    /// What a metre of air near the ground takes of white daylight, linear sRGB, 1/m.
    #[must_use]
    pub fn extinction(&self) -> Vec3 {
        let (air, eye) = (self.air(), Eye::new());
        let taken = air.depth(&air.densities(air.ground));
        eye.see(&taken) / eye.see(&Spectrum::of(|_| 1.0))
    }

    /// The coefficients, from values made finite and brought into range.
    pub(crate) fn air(&self) -> Air {
        let Self { visibility, ground_albedo, altitude } = *self;
        let default = Self::default();
        let visibility = if visibility.is_nan() { default.visibility } else { visibility.max(100.0) };
        let albedo = if ground_albedo.is_nan() { default.ground_albedo } else { ground_albedo };
        let ground = if altitude.is_nan() { 0.0 } else { f64::from(altitude.clamp(-500.0, 10_000.0)) };
        let rayleigh = Spectrum::of(rayleigh_scattering);
        let thinning = (-ground / AIR_SCALE).exp() as f32;
        let haze = (3.912 / visibility - rayleigh_scattering(550.0) * thinning).max(0.0);
        let aerosol = Spectrum::of(|nm| haze * (nm / 550.0).powf(-ANGSTROM));
        Air {
            ground,
            visibility: f64::from(visibility),
            rayleigh,
            aerosol,
            aerosol_scattering: aerosol.times(AEROSOL_ALBEDO),
            ozone: Spectrum(OZONE.map(|section| section * OZONE_DENSITY)),
            albedo: reflectance(albedo.clamp(Vec3::ZERO, Vec3::ONE)),
        }
    }
}

/// Sine and angle of a direction over the level; a direction that is none points up.
pub(crate) fn elevation(direction: Vec3) -> f64 {
    unit(direction).as_dvec3().y.clamp(-1.0, 1.0).asin()
}

/// The direction with length 1; upwards if it has none.
pub(crate) fn unit(direction: Vec3) -> Vec3 {
    let unit = direction.normalize_or(Vec3::Y);
    if unit.is_finite() { unit } else { Vec3::Y }
}

/// Scattering of air at sea level and 15 °C, 1/m: Bucholtz, "Rayleigh-scattering calculations for the terrestrial
/// atmosphere", Applied Optics 34 (15), 1995, equation 8 and table 3, times 2.547e25 molecules a m³.
pub(crate) fn rayleigh_scattering(nm: f32) -> f32 {
    let um = nm / 1000.0;
    let [a, b, c, d] = if um <= 0.5 {
        [3.015_77, 3.552_12, 1.355_79, 0.115_63]
    } else {
        [4.010_61, 3.996_68, 1.102_98e-3, 2.713_93e-2]
    };
    a * 2.547_43e-7 * um.powf(-(b + c * um + d / um))
}

/// Coefficients by wavelength.
pub(crate) struct Air {
    /// Height of the land above the sea, m.
    pub(crate) ground: f64,
    pub(crate) visibility: f64,
    /// At the sea, 1/m; all of it is scattering.
    rayleigh: Spectrum,
    /// At the land, 1/m.
    aerosol: Spectrum,
    aerosol_scattering: Spectrum,
    /// Where it is densest, 1/m; all of it is absorption.
    ozone: Spectrum,
    /// Of the land.
    pub(crate) albedo: Spectrum,
}

impl Air {
    /// Relative densities at a height above the sea.
    pub(crate) fn densities(&self, height: f64) -> Densities {
        let height = height.max(self.ground);
        Densities {
            air: (-height / AIR_SCALE).exp(),
            aerosol: ((self.ground - height) / AEROSOL_SCALE).exp(),
            ozone: (1.0 - (height - 25_000.0).abs() / 15_000.0).max(0.0),
        }
    }

    /// Extinction at these densities, 1/m; or the optical depth of a column of them.
    #[inline(always)]
    pub(crate) fn depth(&self, column: &Densities) -> Spectrum {
        let (air, aerosol, ozone) = (column.air as f32, column.aerosol as f32, column.ozone as f32);
        let mut depth = self.rayleigh.times(air);
        for i in 0..depth.0.len() {
            depth.0[i] += self.aerosol.0[i] * aerosol + self.ozone.0[i] * ozone;
        }
        depth
    }

    /// Scattering by air and by haze at these densities, 1/m.
    pub(crate) fn scattering(&self, densities: &Densities) -> (Spectrum, Spectrum) {
        (self.rayleigh.times(densities.air as f32), self.aerosol_scattering.times(densities.aerosol as f32))
    }

    /// The part of the sun's light that reaches a surface at the ground that faces it, disc and horizon considered.
    pub(crate) fn sunlight(&self, elevation: f64) -> Spectrum {
        const STRIPS: u32 = 24;
        let (mut light, mut disc) = (Spectrum::ZERO, 0.0);
        let radius = f64::from(SUN_RADIUS);
        for i in 0..STRIPS {
            let y = (f64::from(i) + 0.5) / f64::from(STRIPS) * 2.0 - 1.0;
            let width = (1.0 - y * y).sqrt();
            disc += width;
            let at = elevation + y * radius;
            let seen = (0.5 + at / radius * f64::from(STRIPS) / 2.0).clamp(0.0, 1.0);
            if seen > 0.0 {
                let through = self.depth(&column(self, self.ground, at.max(0.0).sin())).attenuation();
                light.add_product(&through, &Spectrum::of(|_| (width * seen) as f32));
            }
        }
        light.times(1.0 / disc as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::column;

    #[test]
    fn pure_air_has_the_published_depth() {
        // Bucholtz 1995: a cross-section of 4.513e-27 cm² at 550 nm, 1.689e-26 cm² at 400 nm.
        let section = |nm| rayleigh_scattering(nm) / 2.547_43e25 * 1e4;
        assert!((section(550.0) / 4.513e-27 - 1.0).abs() < 0.01, "{}", section(550.0));
        assert!((section(400.0) / 1.689e-26 - 1.0).abs() < 0.01, "{}", section(400.0));
        // Optical depth of the standard atmosphere at 550 nm: 0.097.
        let air = Atmosphere { visibility: f32::INFINITY, ..Atmosphere::default() }.air();
        let depth = column(&air, 0.0, 1.0).air as f32 * rayleigh_scattering(550.0);
        assert!((depth / 0.097 - 1.0).abs() < 0.03, "{depth}");
        assert!(air.aerosol.0.iter().all(|haze| *haze == 0.0));
    }

    #[test]
    fn ozone_takes_what_300_dobson_units_take() {
        // At 600 nm about 5.0e-25 m² a molecule (Chappuis band) times 300 × 2.687e20 molecules a m².
        let air = Atmosphere::default().air();
        let depth = air.ozone.0[11] * column(&air, 0.0, 1.0).ozone as f32;
        assert!((depth / (4.66e-25 * 300.0 * 2.687e20) - 1.0).abs() < 0.02, "{depth}");
    }

    #[test]
    fn visibility_means_what_koschmieder_says() {
        for visibility in [500.0, 5000.0, 40_000.0, 200_000.0] {
            let air = Atmosphere { visibility, altitude: 1500.0, ..Atmosphere::default() };
            let taken = air.extinction();
            // Green daylight is centred near 550 nm.
            assert!((taken.y * visibility / 3.912 - 1.0).abs() < 0.06, "{visibility}: {taken}");
            assert!(taken.x < taken.y && taken.y < taken.z && taken.x > 0.0);
        }
    }
}
