//! The block of numbers that both twins read.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{Kind, Source, Travel, Wind, WindState, source_velocity};
use crate::noise::{DEVIATION, step_of_wavelength};
use crate::space::Position;

/// The most sources that one [`WindUniform`] holds.
pub const MAX_SOURCES: usize = 8;

/// Kind numbers, the same in `wind.wesl`. An unknown number is calm.
pub(super) mod kind {
    pub const CONSTANT: u32 = 1;
    pub const WAVES: u32 = 2;
    pub const POINT: u32 = 3;
    pub const GUSTS: u32 = 4;
}

/// One source as the shader reads it; twin of `struct Source` in `wind.wesl`. 112 bytes in blocks of 16.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SourceUniform {
    /// Which law applies.
    pub kind: u32,
    /// Gusts: chooses the pattern.
    pub seed: u32,
    /// Gusts: octaves.
    pub octaves: u32,
    /// Waves and point: phase in turns, as a fraction of 2³².
    pub phase: u32,
    /// m/s. Point: (strength, 0, 0).
    pub vector: [f32; 3],
    /// Factor on everything.
    pub intensity: f32,
    /// Point: its tile.
    pub tile: [i32; 3],
    /// Gusts: cells per tile, 16.16.
    pub step: i32,
    /// Point: its place in the tile, m.
    pub local: [f32; 3],
    /// Gusts: amplitude of an octave relative to the one before.
    pub gain: f32,
    /// Waves: turns per metre of the three waves. Point: turns per metre of its wave, its attenuation per metre, 0.
    pub rate: [f32; 3],
    /// Gusts: factor of the noise along the wind.
    pub along: f32,
    /// Waves: `rate` modulo 1, as a fraction of 2³².
    pub rate_fraction: [u32; 3],
    /// Gusts: factor of the noise across the wind.
    pub across: f32,
    /// Gusts: offset of the noise in cells, 16.16.
    pub offset: [i32; 2],
    /// Zero.
    pub reserved: [u32; 2],
}

/// A [`Wind`] at one moment as the shader reads it; twin of `struct Wind` in `wind.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct WindUniform {
    /// How many of `sources` count, from the front.
    pub count: u32,
    /// Zero.
    pub reserved: [u32; 3],
    /// The sources.
    pub sources: [SourceUniform; MAX_SOURCES],
}

const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<SourceUniform>() == 112);
    assert!(offset_of!(SourceUniform, vector) == 16 && offset_of!(SourceUniform, intensity) == 28);
    assert!(offset_of!(SourceUniform, tile) == 32 && offset_of!(SourceUniform, step) == 44);
    assert!(offset_of!(SourceUniform, local) == 48 && offset_of!(SourceUniform, gain) == 60);
    assert!(offset_of!(SourceUniform, rate) == 64 && offset_of!(SourceUniform, along) == 76);
    assert!(offset_of!(SourceUniform, rate_fraction) == 80 && offset_of!(SourceUniform, across) == 92);
    assert!(offset_of!(SourceUniform, offset) == 96);
    assert!(offset_of!(WindUniform, sources) == 16 && size_of::<WindUniform>() == 16 + 8 * 112);
};

impl WindUniform {
    /// The wind at `position`, m/s: the sum of the sources, by the shader's arithmetic.
    #[must_use]
    pub fn velocity(&self, position: Position) -> Vec3 {
        let count = (self.count as usize).min(MAX_SOURCES);
        self.sources[..count].iter().map(|source| source_velocity(source, position.tile, position.local)).sum()
    }
}

/// More sources than a [`WindUniform`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManySources {
    /// How many there are.
    pub count: usize,
}

impl std::fmt::Display for TooManySources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a wind has {} sources, and at most {MAX_SOURCES} can blow at once", self.count)
    }
}

impl std::error::Error for TooManySources {}

/// The fraction of `turns` that a whole number of turns leaves, in 0.32 fixed point.
fn fraction(turns: f64) -> u32 {
    // 1 − ε may round up to 2³², which is zero turns again.
    (turns.rem_euclid(1.0) * 4_294_967_296.0).round() as u64 as u32
}

impl Wind {
    /// This wind at the moment of `state`, as the shader reads it.
    ///
    /// # Errors
    /// [`TooManySources`] above [`MAX_SOURCES`].
    pub fn gpu(&self, state: &WindState) -> Result<WindUniform, TooManySources> {
        if self.sources.len() > MAX_SOURCES {
            return Err(TooManySources { count: self.sources.len() });
        }
        let mut uniform = WindUniform { count: self.sources.len() as u32, ..Default::default() };
        for (i, source) in self.sources.iter().enumerate() {
            uniform.sources[i] = source.gpu(state.travel.get(i).copied().unwrap_or_default());
        }
        Ok(uniform)
    }
}

impl Source {
    fn gpu(&self, travel: Travel) -> SourceUniform {
        let turn = std::f64::consts::TAU;
        let base = SourceUniform { intensity: self.intensity, ..Default::default() };
        match &self.kind {
            Kind::Constant { velocity } => SourceUniform { kind: kind::CONSTANT, vector: velocity.to_array(), ..base },
            Kind::Waves { velocity, wave_number_scale, .. } => {
                let rates = [0.75, 0.5, 0.25].map(|k| k * f64::from(*wave_number_scale) / turn);
                SourceUniform {
                    kind: kind::WAVES,
                    phase: fraction(travel.phase),
                    vector: velocity.to_array(),
                    rate: rates.map(|r| r as f32),
                    rate_fraction: rates.map(fraction),
                    ..base
                }
            }
            Kind::Point { position, strength, scale, .. } => SourceUniform {
                kind: kind::POINT,
                phase: fraction(4.0 * travel.phase),
                vector: [*strength, 0.0, 0.0],
                tile: position.tile.to_array(),
                local: position.local.to_array(),
                rate: [(0.4 * f64::from(*scale) / turn) as f32, 0.2 * scale, 0.0],
                ..base
            },
            Kind::Gusts { velocity, wavelength, octaves, gain, along, across, seed, .. } => {
                let octaves = (*octaves).min(16);
                let power: f32 = (0..octaves).map(|i| gain.powi(2 * i as i32)).sum();
                // Octaves are independent, so variances add; this makes `along` and `across` standard deviations.
                let normal = if power > 0.0 { 1.0 / (DEVIATION * power.sqrt()) } else { 0.0 };
                // The pattern moves downwind, so the coordinate of a fixed point moves upwind.
                let scroll = travel.scroll.map(|cells| (-cells * 65_536.0).round());
                SourceUniform {
                    kind: kind::GUSTS,
                    seed: *seed,
                    octaves,
                    vector: velocity.to_array(),
                    step: step_of_wavelength(f64::from(*wavelength)),
                    gain: *gain,
                    along: along * normal,
                    across: across * normal,
                    offset: [scroll.x as i64 as i32, scroll.y as i64 as i32],
                    ..base
                }
            }
        }
    }
}
