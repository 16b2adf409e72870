//! Where a sort of plant grows: by slope, by altitude, in patches; each with a soft border.
//!
//! What comes out is the share of bodies that stand at a place, a smooth function of it. A body stands where a number of
//! its own, even in 0 to 1, lies below the share: so any part of a set thins by the same share, and the ground that stands
//! in for a far meadow knows the mean.
//!
//! The twin is `growth.wesl`.

use anemone_field::noise::{DEVIATION, fbm, step_of_wavelength};
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Vec2, Vec3};

/// Octaves of the patches, each of half the size and half the strength of the one before.
const OCTAVES: u32 = 3;
const GAIN: f32 = 0.5;
/// Standard deviation of such a sum of independent octaves: √(1 + 1/4 + 1/16) of the noise's own.
const SPREAD: f32 = 1.145_644 * DEVIATION;
/// Stands for no border.
const FAR: f32 = 1e30;

/// Where a sort of plant grows, as an author sets it.
///
/// ```
/// use anemone_ground::growth::Growth;
/// let shore = Growth { altitude: [f32::NEG_INFINITY, 2.0], altitude_border: 1.0, ..Growth::default() };
/// assert_eq!(shore.uniform().altitude.y, 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Least and greatest slope of the ground, rad: 0 is level, π/2 a wall. At a border half of the bodies stand. A least of
    /// 0 or less is no border, nor is a greatest of π or more.
    pub slope: [f32; 2],
    /// Width over which the share falls from all to none, round the border, rad.
    pub slope_border: f32,
    /// Least and greatest height of the ground above y = 0, m; infinities are no borders.
    pub altitude: [f32; 2],
    /// Width over which the share falls, m.
    pub altitude_border: f32,
    /// None: not in patches.
    pub patches: Option<Patches>,
}

impl Default for Growth {
    /// Everywhere.
    fn default() -> Self {
        Self {
            slope: [0.0, std::f32::consts::PI],
            slope_border: 0.1,
            altitude: [f32::NEG_INFINITY, f32::INFINITY],
            altitude_border: 10.0,
            patches: None,
        }
    }
}

/// Patches of many sizes (fractal noise).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    /// From the middle of one of the largest to the middle of the next, about, m.
    pub size: f32,
    /// The share of the ground that they cover, 0 to 1.
    pub share: f32,
    /// 0: hard edges; 1: the share of bodies rises all the way from the barest place to the fullest.
    pub softness: f32,
    /// Two populations with the same seed and size have the same patches.
    pub seed: u32,
    /// Grow where the patches are not: with what grows in them, that makes a full cover, soft borders included.
    pub inverted: bool,
}

/// What the shaders read: 48 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct GrowthUniform {
    /// rad.
    pub slope: Vec2,
    /// m.
    pub altitude: Vec2,
    /// rad.
    pub slope_border: f32,
    /// m.
    pub altitude_border: f32,
    /// The noise's `step`; 0: no patches.
    pub patch_step: i32,
    /// Of the noise.
    pub patch_seed: u32,
    /// The rank of places, 0 to 1, at which half of the bodies stand.
    pub patch_middle: f32,
    /// Ranks from there to where none or all stand.
    pub patch_ramp: f32,
    /// 1: where the patches are not.
    pub inverted: u32,
    /// Unused.
    pub pad: u32,
}

impl Growth {
    /// What the shaders read.
    #[must_use]
    pub fn uniform(&self) -> GrowthUniform {
        let [flattest, steepest] = self.slope;
        let patches =
            self.patches.unwrap_or(Patches { size: 1.0, share: 1.0, softness: 0.0, seed: 0, inverted: false });
        let share = patches.share.clamp(0.0, 1.0);
        // The ramp stays within the ranks that there are, so that the mean share is the one asked for.
        let ramp = patches.softness.clamp(0.0, 1.0) * share.min(1.0 - share);
        GrowthUniform {
            slope: Vec2::new(
                if flattest > 0.0 { flattest } else { -FAR },
                if steepest < std::f32::consts::PI { steepest } else { FAR },
            ),
            altitude: Vec2::from(self.altitude).clamp(Vec2::splat(-FAR), Vec2::splat(FAR)),
            slope_border: self.slope_border.max(1e-4),
            altitude_border: self.altitude_border.max(1e-3),
            patch_step: self.patches.map_or(0, |patches| step_of_wavelength(f64::from(patches.size)).max(1)),
            patch_seed: patches.seed,
            // A rank is never quite 0 or 1: a share of nothing or of all is meant to the last body.
            patch_middle: match share {
                0.0 => 2.0,
                1.0 => -1.0,
                share => 1.0 - share,
            },
            patch_ramp: ramp.max(1e-4),
            inverted: u32::from(patches.inverted),
            pad: 0,
        }
    }
}

/// From 0 to 1 over `width` round `at`.
fn rise(x: f32, at: f32, width: f32) -> f32 {
    let t = ((x - at) / width + 0.5).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The share of places whose noise is lower than here: even in 0 to 1 over the plane.
///
/// A logistic curve of an odd cubic, fitted to the noise's quantiles from 1 to 99 %, which it meets within 0.005.
fn patch_rank(tile: IVec2, local: Vec2, growth: &GrowthUniform) -> f32 {
    let noise = fbm(tile, local, growth.patch_step, IVec2::ZERO, growth.patch_seed, OCTAVES, GAIN).x;
    let x = noise * (1.0 / SPREAD);
    1.0 / (1.0 + (-2.0 * x * (RANK_1 + RANK_3 * x * x)).exp())
}

const RANK_1: f32 = 0.768;
const RANK_3: f32 = 0.047;

/// The share of bodies that stand at a place, 0 to 1: `normal` is the ground's there, `altitude` its height above y = 0 in
/// metres.
#[must_use]
pub fn site_share(tile: IVec2, local: Vec2, normal: Vec3, altitude: f32, growth: &GrowthUniform) -> f32 {
    let slope = normal.y.clamp(-1.0, 1.0).acos();
    let by_slope =
        rise(slope, growth.slope.x, growth.slope_border) * (1.0 - rise(slope, growth.slope.y, growth.slope_border));
    let by_altitude = rise(altitude, growth.altitude.x, growth.altitude_border)
        * (1.0 - rise(altitude, growth.altitude.y, growth.altitude_border));
    let mut share = by_slope * by_altitude;
    if growth.patch_step != 0 {
        let inside = rise(patch_rank(tile, local, growth), growth.patch_middle, 2.0 * growth.patch_ramp);
        share *= if growth.inverted != 0 { 1.0 - inside } else { inside };
    }
    share
}
