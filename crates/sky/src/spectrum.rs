//! Light by wavelength, and what an eye sees of it.
//!
//! Sixteen bands of 20 nm from 380 nm to 700 nm. Light is counted as a part of the sun's own light in each band, so that
//! the sun's spectrum enters only where colours are made.

use std::array;
use std::f32::consts::{LN_2, LOG2_E};

use glam::{Mat3, Vec3};

/// Bands.
pub(crate) const BANDS: usize = 16;

/// Wavelength at the middle of the first band, and the width of all, nm.
const FIRST: f32 = 390.0;
const WIDTH: f32 = 20.0;

/// The sun's light outside the air, W/(m² nm): ASTM G173-03, extraterrestrial column, mean of each band.
const SUN: [f32; BANDS] = [
    1.07983, 1.72910, 1.65062, 1.97336, 2.02127, 1.94593, 1.87333, 1.88080, 1.85095, 1.83430, 1.79814, 1.72490,
    1.66424, 1.56312, 1.53376, 1.46110,
];

/// Luminous efficacy at 555 nm, lm/W.
const EFFICACY: f32 = 683.0;

/// One number for each band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spectrum(pub(crate) [f32; BANDS]);

/// The middle of a band, nm.
pub(crate) fn wavelength(band: usize) -> f32 {
    FIRST + WIDTH * band as f32
}

impl Spectrum {
    pub(crate) const ZERO: Self = Self([0.0; BANDS]);

    /// From a function of the wavelength in nm.
    pub(crate) fn of(function: impl Fn(f32) -> f32) -> Self {
        Self(array::from_fn(|band| function(wavelength(band))))
    }

    /// self += a · b.
    #[inline(always)]
    pub(crate) fn add_product(&mut self, a: &Self, b: &Self) {
        for i in 0..BANDS {
            self.0[i] += a.0[i] * b.0[i];
        }
    }

    #[inline(always)]
    pub(crate) fn map2(&self, other: &Self, function: impl Fn(f32, f32) -> f32) -> Self {
        Self(array::from_fn(|i| function(self.0[i], other.0[i])))
    }

    #[inline(always)]
    pub(crate) fn map(&self, function: impl Fn(f32) -> f32) -> Self {
        Self(self.0.map(function))
    }

    #[inline(always)]
    pub(crate) fn times(&self, factor: f32) -> Self {
        self.map(|x| x * factor)
    }

    #[inline(always)]
    pub(crate) fn lerp(&self, other: &Self, t: f32) -> Self {
        self.map2(other, |a, b| a + (b - a) * t)
    }

    /// exp(−x) of every band, x ≥ 0.
    #[inline(always)]
    pub(crate) fn attenuation(&self) -> Self {
        self.map(exp_negative)
    }
}

/// exp(−x) for x ≥ 0, relative error below 1e-5 up to 80, without a branch or a call, so that loops over bands become vectors.
#[inline(always)]
fn exp_negative(x: f32) -> f32 {
    // Adding 1.5 · 2²³ rounds to a whole number and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let y = (x * -LOG2_E).max(-126.0);
    let shifted = y + ROUND;
    let f = y - (shifted - ROUND);
    let whole = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    // 2^f on [−1/2, 1/2]: the series of exp(f ln 2).
    let p = 1.0 + f * (LN_2 + f * (0.240_226_5 + f * (0.055_504_11 + f * (0.009_618_129 + f * 0.001_333_355_8))));
    p * f32::from_bits((whole.wrapping_add(127) << 23) as u32)
}

/// CIE 1931 colour matching functions at a wavelength in nm: the multi-lobe fits of Wyman, Sloan and Shirley, "Simple
/// Analytic Approximations to the CIE XYZ Color Matching Functions", JCGT 2 (2), 2013.
pub(crate) fn color_matching(nm: f32) -> Vec3 {
    let lobe = |middle: f32, below: f32, above: f32| {
        let t = (nm - middle) * if nm < middle { below } else { above };
        (-0.5 * t * t).exp()
    };
    Vec3::new(
        0.362 * lobe(442.0, 0.0624, 0.0374) + 1.056 * lobe(599.8, 0.0264, 0.0323) - 0.065 * lobe(501.1, 0.0490, 0.0382),
        0.821 * lobe(568.8, 0.0213, 0.0247) + 0.286 * lobe(530.9, 0.0613, 0.0322),
        1.217 * lobe(437.0, 0.0845, 0.0278) + 0.681 * lobe(459.0, 0.0385, 0.0725),
    )
}

/// CIE XYZ to linear sRGB (IEC 61966-2-1). Its inverse's middle row gives the luminance, so that Y is kept exactly.
const XYZ_TO_SRGB: Mat3 = Mat3::from_cols(
    Vec3::new(3.240_454, -0.969_266, 0.055_643_4),
    Vec3::new(-1.537_138_5, 1.876_010_8, -0.204_025_9),
    Vec3::new(-0.498_531_4, 0.041_556, 1.057_225_2),
);

/// Luminance of a linear sRGB colour.
pub(crate) fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.212_672_9, 0.715_152_2, 0.072_175))
}

/// What an eye sees of light in parts of the sun's: linear sRGB in klx (or kcd/m² for light per steradian).
pub(crate) struct Eye([Vec3; BANDS]);

impl Eye {
    pub(crate) fn new() -> Self {
        Self(array::from_fn(|band| {
            // Each band's weight is integrated, for the matching functions bend within 20 nm.
            let parts = 10;
            let xyz: Vec3 = (0..parts)
                .map(|i| color_matching(wavelength(band) + WIDTH * ((i as f32 + 0.5) / parts as f32 - 0.5)))
                .sum();
            XYZ_TO_SRGB * (xyz * (WIDTH / parts as f32 * SUN[band] * EFFICACY / 1000.0))
        }))
    }

    /// Linear sRGB, negative where the colour lies outside.
    pub(crate) fn see(&self, light: &Spectrum) -> Vec3 {
        self.0.iter().zip(light.0).map(|(weight, part)| *weight * part).sum()
    }
}

/// The nearest colour of the same luminance with no channel below zero.
pub(crate) fn into_gamut(color: Vec3) -> Vec3 {
    let inside = color.max(Vec3::ZERO);
    let (wanted, has) = (luminance(color).max(0.0), luminance(inside));
    if has > 0.0 { inside * (wanted / has) } else { Vec3::ZERO }
}

/// A reflectance of this linear sRGB colour: three bands with soft edges, at 490 nm and 590 nm.
pub(crate) fn reflectance(color: Vec3) -> Spectrum {
    let rise = |x: f32| {
        let t = x.clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    Spectrum::of(|nm| {
        let (green, red) = (rise((nm - 470.0) / 40.0), rise((nm - 570.0) / 40.0));
        color.z + (color.y - color.z) * green + (color.x - color.y) * red
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_close() {
        for i in 0..20_000 {
            let x = i as f32 * 0.004;
            let exact = f64::from(-x).exp();
            assert!((f64::from(exp_negative(x)) - exact).abs() <= 1e-5 * exact, "{x}");
        }
        assert!(exp_negative(1e30) < 1e-37);
    }

    #[test]
    fn the_fits_have_the_tabulated_peaks_and_equal_areas() {
        let sum: Vec3 = (360..830).map(|nm| color_matching(nm as f32)).sum();
        for area in sum.to_array() {
            assert!((area / 106.86 - 1.0).abs() < 0.01, "{sum}"); // CIE 1931: 106.86 nm each
        }
        assert!((color_matching(555.0).y - 1.0).abs() < 0.01);
        assert!((color_matching(600.0).x - 1.0622).abs() < 0.02); // CIE 1931 tables at 600 and 450 nm
        assert!((color_matching(450.0).z - 1.7721).abs() < 0.03);
    }

    #[test]
    fn sunlight_outside_the_air_has_the_published_illuminance_and_colour() {
        let rgb = Eye::new().see(&Spectrum([1.0; BANDS]));
        let klx = luminance(rgb);
        assert!((128.0..134.0).contains(&klx), "{klx}"); // 128 (IES 1984) to 134 (ASTM G173)
        let xyz = XYZ_TO_SRGB.inverse() * rgb;
        let (x, y) = (xyz.x / xyz.element_sum(), xyz.y / xyz.element_sum());
        // A black body of 5,900 K is (0.324, 0.333).
        assert!((x - 0.324).abs() < 0.006 && (y - 0.333).abs() < 0.008, "{x} {y}");
        assert!((xyz.y - klx).abs() < 1e-3 * klx);
    }

    #[test]
    fn colours_outside_keep_their_luminance() {
        let color = Vec3::new(3.0, 0.5, -0.2);
        let inside = into_gamut(color);
        assert!(inside.min_element() >= 0.0);
        assert!((luminance(inside) / luminance(color) - 1.0).abs() < 1e-5);
        assert_eq!(into_gamut(Vec3::new(-1.0, -1.0, -1.0)), Vec3::ZERO);
    }
}
