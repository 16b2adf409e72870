//! The velocity of one source. Twin: `wind.wesl`, function by function.

use glam::{IVec2, IVec3, Vec2, Vec3};

use super::SourceUniform;
use super::gpu::kind;
use crate::hash::pcg;
use crate::noise::fbm;
use crate::space::{Position, offset};
use crate::trig::{cos_turns, sin_turns};

/// Turns of a plane wave at a place, less whole ones of its tile.
///
/// Whole metres go through integers modulo 2³², so that a wave is as exact 1000 km out as at the origin; only the part of
/// a metre is a float. `metres` and `part` are sums over the wave's two axes.
fn wave_turns(metres: i32, part: f32, rate: f32, rate_fraction: u32, phase: u32) -> f32 {
    let whole = (metres as u32).wrapping_mul(rate_fraction).wrapping_add(phase);
    (whole >> 8) as f32 * (1.0 / 16_777_216.0) + part * rate
}

fn waves_velocity(source: &SourceUniform, tile: IVec3, local: Vec3) -> Vec3 {
    let floor = local.floor();
    let part = local - floor;
    let metres = (tile * 64).wrapping_add(floor.as_ivec3());
    let turns = |axis: usize, metres, part| {
        wave_turns(metres, part, source.rate[axis], source.rate_fraction[axis], source.phase)
    };
    let sum = cos_turns(turns(0, metres.x.wrapping_add(metres.z), part.x + part.z))
        + sin_turns(turns(1, metres.x.wrapping_add(metres.y), part.x + part.y))
        + sin_turns(turns(2, metres.y.wrapping_add(metres.z), part.y + part.z));
    let w = 1.0 - (sum * (1.0 / 3.0)).max(0.0);
    Vec3::from_array(source.vector) * (w * w)
}

fn point_velocity(source: &SourceUniform, tile: IVec3, local: Vec3) -> Vec3 {
    let at = Position { tile: IVec3::from_array(source.tile), local: Vec3::from_array(source.local) };
    let away = offset(at, Position { tile, local });
    let distance = away.dot(away).sqrt();
    let attenuation = (1.0 - 0.25 * (source.rate[1] * distance + 1.0).log2()).max(0.0);
    if attenuation == 0.0 {
        return Vec3::ZERO;
    }
    let phase = (source.phase >> 8) as f32 * (1.0 / 16_777_216.0);
    let wave = 1.0 - sin_turns(source.rate[0] * distance - phase).max(0.0);
    // A soft core: no direction exists at the point itself.
    away * (source.vector[0] * attenuation * wave / distance.max(0.01))
}

fn gusts_velocity(source: &SourceUniform, tile: IVec3, local: Vec3) -> Vec3 {
    let (tile, local) = (IVec2::new(tile.x, tile.z), Vec2::new(local.x, local.z));
    let noise =
        |seed| fbm(tile, local, source.step, IVec2::from_array(source.offset), seed, source.octaves, source.gain).x;
    let vector = Vec3::from_array(source.vector);
    let along = (1.0 + source.along * noise(source.seed)).max(0.0);
    let across = if source.across == 0.0 { 0.0 } else { source.across * noise(pcg(source.seed)) };
    // The horizontal normal of the wind has the wind's horizontal speed.
    vector * along + Vec3::new(vector.z, 0.0, -vector.x) * across
}

/// The velocity of one source at a place, m/s. Twin of `source_velocity` in `wind.wesl`.
#[must_use]
pub fn source_velocity(source: &SourceUniform, tile: IVec3, local: Vec3) -> Vec3 {
    let velocity = match source.kind {
        kind::CONSTANT => Vec3::from_array(source.vector),
        kind::WAVES => waves_velocity(source, tile, local),
        kind::POINT => point_velocity(source, tile, local),
        kind::GUSTS => gusts_velocity(source, tile, local),
        _ => Vec3::ZERO,
    };
    velocity * source.intensity
}
