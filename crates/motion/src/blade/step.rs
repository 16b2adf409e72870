//! One step of time. Twin: `step.wesl`.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::pose::above_ground;
use super::{Blade, BladeLaw, LENGTH_PAPER, blade_validate};

/// Winds above this many heights a second are taken as this: no blade answers them differently, and f32 stays finite.
const WIND_MAX: f32 = 1e4;
/// What trampling leaves of the recovery at least (source: max(1 − η, 0.1)).
const RECOVERY_MIN: f32 = 0.1;
/// Steps of a catch-up and their greatest length, s: longer ones would go no further, for they end at F/q.
const CATCH_UP_STEPS: u32 = 16;
const CATCH_UP_DT: f32 = 0.5;

/// (1 − e⁻ᶻ)/z for z ≥ 0; 1 at zero. Accurate to a few units in the last place.
fn decay_mean(z: f32) -> f32 {
    // Taylor to z⁶: 2e-7 off at the seam. Ordinary steps stay below it, so they need no exp at all.
    if z < 0.5 {
        return 1.0
            - z * (1.0 / 2.0)
                * (1.0
                    - z * (1.0 / 3.0)
                        * (1.0
                            - z * (1.0 / 4.0)
                                * (1.0 - z * (1.0 / 5.0) * (1.0 - z * (1.0 / 6.0) * (1.0 - z * (1.0 / 7.0))))));
    }
    (1.0 - (-z).exp()) / z
}

/// The part of `wind` that a blade with this `tip` (in heights) feels: W · fd · fr.
///
/// fd = 1 − |Ŵ · x̂| (a blade that points along the wind feels none), fr = tip · up in heights, in [0, 1] (one that lies
/// flat is sheltered). Source: Jahrmann and Wimmer 2017. Zero wind and zero tip give zero.
#[must_use]
pub fn blade_wind(up: Vec3, tip: Vec3, wind: Vec3) -> Vec3 {
    let speed = wind.dot(wind).sqrt();
    let length = tip.dot(tip).sqrt();
    if speed < 1e-9 || length < 1e-9 {
        return Vec3::ZERO;
    }
    let along = (wind.dot(tip) / (speed * length)).abs().min(1.0);
    wind * ((1.0 - along) * up.dot(tip).clamp(0.0, 1.0))
}

/// One substep of `dt` seconds. `state` is (tip in heights, trample η); `gravity` in m/s², `wind` in m/s at the blade.
///
/// dx/dt = s (up − x) + G + W(x) with s = stiffness · max(1 − η, 0.1), in heights a second, integrated exponentially with
/// the forces of the start: x ← x + F(x) (1 − e^(−q dt))/q. Without wind q is s, and the step is the exact solution
/// e + (x − e) e^(−s dt). Wind adds its own full strength to q, because leaning into the wind weakens it at up to that
/// rate (scalar exponential Rosenbrock-Euler); without that, storms would make blades oscillate. No choice of q moves the
/// rest pose: there F is parallel to x, whatever `dt`.
///
/// Returns the new state. With exact length its tip is already valid; with the paper's length it is only clamped
/// to the ground (and to two heights, for storage), and [`blade_pose`](super::blade_pose) corrects it.
#[must_use]
pub fn blade_step(law: &BladeLaw, blade: &Blade, gravity: Vec3, wind: Vec3, state: Vec4, dt: f32) -> Vec4 {
    let tip = blade_validate(blade.up, state.xyz(), law.length).tip;
    let recovery = blade.stiffness.max(0.0) * (1.0 - state.w).max(RECOVERY_MIN);
    let per_height = 1.0 / law.scale(blade);
    let pull = gravity + blade.front * (law.front_gravity * gravity.dot(gravity).sqrt());
    let blow = wind * (law.wind_gain * per_height);
    let speed = blow.dot(blow).sqrt();
    let blow = blow * (WIND_MAX / speed.max(WIND_MAX));
    let force = (blade.up - tip) * recovery + pull * per_height + blade_wind(blade.up, tip, blow);
    let rate = recovery + speed.min(WIND_MAX);
    let moved = tip + force * (dt * decay_mean(rate * dt));
    let trample = (state.w - law.trample_decay * dt).max(0.0);
    if law.length == LENGTH_PAPER {
        let clamped = above_ground(blade.up, moved);
        let reach = clamped.dot(clamped).sqrt();
        return (clamped * (2.0 / reach.max(2.0))).extend(trample);
    }
    blade_validate(blade.up, moved, law.length).tip.extend(trample)
}

/// How a frame of `dt` seconds is divided: number of substeps and the length of each, at most 1/120 s.
///
/// A frame longer than a second is treated as a second; none or NaN gives one substep of no time.
#[must_use]
pub fn blade_substeps(dt: f32) -> (u32, f32) {
    let dt = if dt > 0.0 { dt.min(1.0) } else { 0.0 };
    // A frame of 1/60 s that is one rounding too long is still two substeps.
    let count = ((dt * 120.0 - 1e-3).ceil() as u32).max(1);
    (count, dt / count as f32)
}

/// Where a blade rests in calm air, as a state without trampling: the direction of up + G/s.
#[must_use]
pub fn blade_rest(law: &BladeLaw, blade: &Blade, gravity: Vec3) -> Vec4 {
    let pull = gravity + blade.front * (law.front_gravity * gravity.dot(gravity).sqrt());
    let rest = blade.up + pull * (1.0 / (law.scale(blade) * blade.stiffness.max(1e-3)));
    let rest = above_ground(blade.up, rest);
    let reach = rest.dot(rest).sqrt();
    let rest = rest * (2.0 / reach.max(2.0));
    if law.length == LENGTH_PAPER {
        rest.extend(0.0)
    } else {
        blade_validate(blade.up, rest, law.length).tip.extend(0.0)
    }
}

/// The state of a blade that has slept for `seconds` while `gravity` and `wind` were as now.
///
/// Sixteen steps of at most half a second: within a short sleep they are the motion itself, and after a long one they are
/// steps towards the rest pose, which no step length moves. Trampling wears off by its own law and weakens recovery as it
/// does at the end. 19 in 20 blades arrive within 0.01 of the height; the others lie where wind turns them slowly, and go on
/// turning when awake.
#[must_use]
pub fn blade_catch_up(law: &BladeLaw, blade: &Blade, gravity: Vec3, wind: Vec3, state: Vec4, seconds: f32) -> Vec4 {
    let trample = (state.w - law.trample_decay * seconds.max(0.0)).max(0.0);
    let dt = (seconds * (1.0 / CATCH_UP_STEPS as f32)).clamp(0.0, CATCH_UP_DT);
    let mut state = state.xyz().extend(trample);
    for _ in 0..CATCH_UP_STEPS {
        state = blade_step(law, blade, gravity, wind, state, dt).xyz().extend(trample);
    }
    state
}
