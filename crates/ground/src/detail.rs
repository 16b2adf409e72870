//! Fractal detail below the spacing of a map's samples, so that a real map has a foreground.
//!
//! Octaves of gradient noise, each of half the wavelength of the one before, with amplitude ∝ wavelength^H. Bare rock is
//! self-affine with a Hurst exponent H of 0.5 to 1 (Mandelbrot, *The Fractal Geometry of Nature*, 1982); ground that
//! carries soil and grass is smoother at every scale below a hillside, for soil creeps, so the defaults have H above 1:
//! with less, the relief looks like crumpled paper.
//!
//! Two things keep it from looking alike everywhere. The finer octaves are scaled by 1 + the coarsest (in −1 to 1), so
//! that crests are rougher than hollows, where soil gathers (Musgrave's heterogeneous terrain, in *Texturing and
//! Modeling*, 1994). And all of it is scaled by a roughness that follows the slope of the map: steep ground is rougher.
//! The roughness is found at the samples and blended across a cell, so that height and slope stay continuous and the
//! slope is exact.
//!
//! The twin is `detail.wesl`.

use anemone_field::hash::hash2;
use anemone_field::noise::{gradient_noise, lattice, step_of_wavelength};
use anemone_field::space::TILE;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Vec2, Vec3};

use crate::map::MapUniform;

/// Fractal detail as an author sets it.
///
/// ```
/// use anemone_ground::detail::Detail;
/// let detail = Detail { amplitude: 1.5, ..Detail::hills(7) };
/// assert!(detail.uniform().octaves > 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Wavelength of the coarsest octave, metres, 0.01 to 100,000.
    pub wavelength: f64,
    /// No octave has a wavelength below this, metres.
    pub finest: f64,
    /// Hurst exponent H: an octave's amplitude goes as its wavelength to this power. 0.8 is rock, 1.3 a meadow.
    pub hurst: f64,
    /// Greatest height of the coarsest octave at roughness 1, metres, up and down; its standard deviation is 0.3 of
    /// that. Zero or less: no detail.
    pub amplitude: f64,
    /// Roughness of level ground; all the ground has it where there is no map.
    pub flat: f64,
    /// What the roughness gains with the sine of the slope's angle.
    pub steep: f64,
    /// Another seed, another ground.
    pub seed: u32,
}

impl Detail {
    /// None: the map or the plane as it is.
    #[must_use]
    pub fn none() -> Self {
        Self { amplitude: 0.0, ..Self::hills(0) }
    }

    /// Rolling hills for a ground without a map: some 10 m up and down over a few hundred metres, a metre or two over 50 m.
    #[must_use]
    pub fn hills(seed: u32) -> Self {
        Self { wavelength: 420.0, finest: 0.5, hurst: 1.35, amplitude: 13.0, flat: 1.0, steep: 0.0, seed }
    }

    /// Detail for a map whose samples lie `spacing` metres apart (the greater of the two): from about that wavelength
    /// down to half a metre.
    #[must_use]
    pub fn below(spacing: f64, seed: u32) -> Self {
        let wavelength = 0.9 * spacing;
        Self { wavelength, finest: 0.5, hurst: 1.3, amplitude: 0.032 * wavelength, flat: 0.5, steep: 1.5, seed }
    }

    /// What the shaders read.
    #[must_use]
    pub fn uniform(&self) -> DetailUniform {
        let wavelength = if self.wavelength.is_finite() { self.wavelength.clamp(0.01, 100_000.0) } else { 100.0 };
        let step = step_of_wavelength(wavelength);
        // Half a step more, so that rounding the step never costs the last octave; at most what the step's bits allow.
        let octaves = (wavelength / self.finest.max(0.01)).log2().floor() + 1.0;
        let room = f64::from(step.leading_zeros()) - 1.0;
        let octaves = octaves.clamp(0.0, room);
        let on = self.amplitude > 0.0 && self.amplitude.is_finite() && octaves > 0.0;
        DetailUniform {
            step,
            octaves: if on { octaves as u32 } else { 0 },
            seed: self.seed,
            gain: (-self.hurst).exp2() as f32,
            amplitude: if on { self.amplitude as f32 } else { 0.0 },
            flat_ground: self.flat as f32,
            steep: self.steep as f32,
            wavelength: wavelength as f32,
        }
    }
}

/// Fractal detail as shaders read it. WESL twin: `DetailUniform` of `package::ground::detail`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct DetailUniform {
    /// Lattice cells of the coarsest octave in a tile, 16.16 fixed point.
    pub step: i32,
    /// Number of octaves; zero is no detail.
    pub octaves: u32,
    /// Seed.
    pub seed: u32,
    /// Amplitude of an octave as a part of the one before.
    pub gain: f32,
    /// Greatest height of the coarsest octave at roughness 1, metres.
    pub amplitude: f32,
    /// Roughness of level ground (`flat` is a reserved word in shaders).
    pub flat_ground: f32,
    /// What the roughness gains with the sine of the slope's angle.
    pub steep: f32,
    /// Wavelength of the coarsest octave, metres.
    pub wavelength: f32,
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(DetailUniform, amplitude) == 16 && offset_of!(DetailUniform, wavelength) == 28);
    assert!(size_of::<DetailUniform>() == 32);
};

impl DetailUniform {
    /// The most by which [`detail`] with this `finest` (metres) can lie off the full sum at roughness 1, metres; with
    /// infinity, the greatest height of the detail.
    #[must_use]
    pub fn residual(&self, finest: f32) -> f32 {
        let (mut sum, mut amplitude, mut wavelength) = (0.0, self.amplitude, self.wavelength);
        for octave in 0..self.octaves {
            // The coarsest octave can double the others.
            let most = if octave == 0 { amplitude } else { 2.0 * amplitude };
            sum += most * (1.0 - octave_weight(wavelength, finest));
            amplitude *= self.gain;
            wavelength *= 0.5;
        }
        sum
    }

    /// The greatest roughness (without its sign) of ground no steeper than `slope`, metres per metre.
    #[must_use]
    pub fn greatest_roughness(&self, slope: f32) -> f32 {
        self.flat_ground.abs().max(corner_roughness(Vec2::new(slope, 0.0), self).abs())
    }
}

/// How much of an octave is seen where nothing under `finest` metres is wanted: none at `finest`, all at twice that.
fn octave_weight(wavelength: f32, finest: f32) -> f32 {
    // Written so that NaN counts as zero.
    if finest.is_nan() || finest <= 0.0 {
        return 1.0;
    }
    let t = (wavelength / finest - 1.0).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Detail at roughness 1: height in metres and its slopes along x and z. Octaves of wavelengths below `finest` metres
/// are left out, those up to twice that fade in; zero gives the true height.
#[must_use]
pub fn detail(tile: IVec2, local: Vec2, params: &DetailUniform, finest: f32) -> Vec3 {
    let tiles = (local * (1.0 / TILE)).floor();
    let t = tile.wrapping_add(tiles.as_ivec2());
    let rest = local - tiles * TILE;
    let (mut first, mut coarse, mut fine) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let (mut step, mut amplitude, mut wavelength) = (params.step, params.amplitude, params.wavelength);
    for octave in 0..params.octaves {
        let weight = octave_weight(wavelength, finest);
        if weight <= 0.0 {
            break;
        }
        let seed = hash2(octave, params.seed);
        // Octaves would all vanish together at the coarsest one's lattice points: each has a shift of its own.
        let shift = IVec2::new(seed as i32, hash2(seed, 1) as i32);
        let at = lattice(t, rest, step, shift);
        let per_metre = step as f32 * (1.0 / (TILE * 65_536.0));
        let noise = gradient_noise(at.cell, at.fraction, seed) * Vec3::new(1.0, per_metre, per_metre);
        if octave == 0 {
            first = noise;
            coarse = (weight * amplitude) * noise;
        } else {
            fine += (weight * amplitude) * noise;
        }
        step = step.wrapping_shl(1);
        amplitude *= params.gain;
        wavelength *= 0.5;
    }
    coarse + (1.0 + first.x) * fine + Vec3::new(0.0, first.y, first.z) * fine.x
}

/// Roughness of ground of this slope (metres per metre).
fn corner_roughness(slope: Vec2, detail: &DetailUniform) -> f32 {
    let s = slope.dot(slope);
    detail.flat_ground + detail.steep * (s / (1.0 + s)).sqrt()
}

/// Roughness and its slopes along x and z in the middle cell of 4 × 4 raw samples.
#[must_use]
pub fn map_roughness(samples: &[f32; 16], fraction: Vec2, map: &MapUniform, detail: &DetailUniform) -> Vec3 {
    let k = 0.5 * map.unit * map.per_metre;
    // At the corner with sample i: central differences to its four neighbours, which the 16 samples hold for all four.
    let corner = |i: usize| {
        corner_roughness(k * Vec2::new(samples[i + 1] - samples[i - 1], samples[i + 4] - samples[i - 4]), detail)
    };
    let (a, b, c, d) = (corner(5), corner(6), corner(9), corner(10));
    let w = fraction * fraction * (3.0 - 2.0 * fraction);
    let dw = 6.0 * fraction * (1.0 - fraction) * map.per_metre;
    let mixed = a - b - c + d;
    Vec3::new(
        a + (b - a) * w.x + (c - a) * w.y + mixed * (w.x * w.y),
        ((b - a) + mixed * w.y) * dw.x,
        ((c - a) + mixed * w.x) * dw.y,
    )
}
