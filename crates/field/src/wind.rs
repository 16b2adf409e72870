//! Wind as a sum of sources. Twin: `wind/wind.wesl`.
//!
//! [`Wind`] is what an author describes; [`WindState`] is how far its waves and gusts have travelled; both together give
//! [`WindUniform`], the block of plain numbers that the shader reads and that [`WindUniform::velocity`] reads too, so
//! that a query on the CPU answers what the GPU sees.
//!
//! A kind of source is a number and a use of [`SourceUniform`]'s fields; a new one adds a variant to [`Kind`], a function
//! to `evaluate.rs` and its twin.

mod evaluate;
mod gpu;
#[cfg(test)]
mod tests;

use glam::{DVec2, Vec3};

use crate::space::Position;

pub use evaluate::source_velocity;
pub use gpu::{MAX_SOURCES, SourceUniform, TooManySources, WindUniform};

/// What a source blows like. Velocities in m/s, lengths in metres, rates in rad/s.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The same everywhere.
    Constant {
        /// m/s.
        velocity: Vec3,
    },
    /// Three sine waves that travel through each other: w = 1 − max(mean, 0) with the mean of cos(0.75(x+z)+φ),
    /// sin(0.5(x+y)+φ) and sin(0.25(y+z)+φ); the velocity is `velocity` · w².
    ///
    /// Source: the directional wind of Jahrmann and Wimmer's demo (2017), where `rate` is 1.
    Waves {
        /// m/s where the waves let all of it through.
        velocity: Vec3,
        /// Factor on the three wave numbers 0.75, 0.5 and 0.25 rad/m.
        wave_number_scale: f32,
        /// dφ/dt, rad/s.
        rate: f32,
    },
    /// Blows away from a point: strength · max(1 − log₂(0.2 s d + 1)/4, 0) · (1 − max(sin(0.4 s d − 4φ), 0)) at
    /// distance d.
    ///
    /// Calm at the point itself (within 1 cm the direction fades) and beyond 75/s metres.
    /// Source: the point wind of Jahrmann and Wimmer's demo (2017), where `strength` is 100, `rate` 1 and s is 1.
    Point {
        /// Where it blows from.
        position: Position,
        /// m/s near the point; negative draws in.
        strength: f32,
        /// s: larger reaches less far, with shorter waves.
        scale: f32,
        /// dφ/dt, rad/s; waves run outwards at 10 · `rate`/s m/s.
        rate: f32,
    },
    /// A mean wind with gusts: noise that scrolls with the wind, over the horizontal plane.
    Gusts {
        /// Mean velocity, m/s.
        velocity: Vec3,
        /// Size of the largest gusts, m (one cell of the noise).
        wavelength: f32,
        /// Octaves of noise, at most 16; each halves the size.
        octaves: u32,
        /// Amplitude of an octave relative to the one before; 0.5 to 0.7 looks like wind.
        gain: f32,
        /// Standard deviation along the wind, relative to the mean speed (meteorology's turbulence intensity; 0.1 over
        /// open water, 0.3 over woods). Lulls stop at calm: gusts never turn the wind round.
        along: f32,
        /// Standard deviation across the wind, horizontally, relative to the mean speed.
        across: f32,
        /// Speed of the pattern relative to the wind: 1 is carried along, 0 stands still.
        scroll: f32,
        /// Chooses the pattern.
        seed: u32,
    },
}

/// One source of wind.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// By which it is found again when the wind changes ([`WindState::follow`]); may be empty.
    pub name: String,
    /// What it blows like.
    pub kind: Kind,
    /// Factor on its velocity; 1 leaves it, 0 switches it off.
    pub intensity: f32,
}

impl Source {
    /// A source at intensity 1, without a name.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        Self { name: String::new(), kind, intensity: 1.0 }
    }
}

/// Wind: the sum of its sources.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wind {
    /// At most [`MAX_SOURCES`].
    pub sources: Vec<Source>,
}

/// How far one source's pattern has travelled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Travel {
    /// φ in turns, in [0, 1).
    phase: f64,
    /// Cells of noise, x and z, each in [0, 65536).
    scroll: DVec2,
}

/// How far the patterns of a [`Wind`] have travelled.
///
/// Phases and offsets are sums of rate · dt, kept in f64 and wrapped, never rate · time: a change of rate or
/// direction bends the course and never makes the pattern jump, and a week of time costs no precision. Keep the state of
/// the last frame for exact motion vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindState {
    travel: Vec<Travel>,
}

impl WindState {
    /// Takes the state of one wind over to another that follows it: each source goes on from where the one of its name stood,
    /// the second of a name from the second, and a new one starts. So speed, direction and strength may change at any time.
    /// The size of gusts and waves may not, for their pattern is laid out from the origin of the world and would sweep over
    /// everything far from it.
    pub fn follow(&mut self, before: &Wind, after: &Wind) {
        self.travel.resize(before.sources.len(), Travel::default());
        let mut left: Vec<_> = before.sources.iter().zip(&self.travel).collect();
        let travel = after.sources.iter().map(|source| {
            let found = left.iter().position(|(old, _)| old.name == source.name);
            found.map_or_else(Travel::default, |index| *left.remove(index).1)
        });
        self.travel = travel.collect();
    }

    /// Lets `dt` seconds pass. A `dt` or a rate that is not finite passes no time.
    pub fn advance(&mut self, dt: f64, wind: &Wind) {
        self.travel.resize(wind.sources.len(), Travel::default());
        for (travel, source) in self.travel.iter_mut().zip(&wind.sources) {
            let (rate, cells) = match &source.kind {
                Kind::Constant { .. } => (0.0, DVec2::ZERO),
                Kind::Waves { rate, .. } | Kind::Point { rate, .. } => (f64::from(*rate), DVec2::ZERO),
                Kind::Gusts { velocity, wavelength, scroll, .. } => {
                    let speed = DVec2::new(f64::from(velocity.x), f64::from(velocity.z)) * f64::from(*scroll);
                    (0.0, speed / f64::from(*wavelength))
                }
            };
            let phase = (travel.phase + dt * rate / std::f64::consts::TAU).rem_euclid(1.0);
            let scroll = (travel.scroll + dt * cells).rem_euclid(DVec2::splat(65_536.0));
            if phase.is_finite() {
                travel.phase = phase;
            }
            if scroll.is_finite() {
                travel.scroll = scroll;
            }
        }
    }
}
