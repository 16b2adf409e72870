//! A blade against a moving sphere or capsule. Twin: `collide.wesl`.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::pose::above_ground;
use super::{Blade, BladeLaw, BladePose, LENGTH_PAPER, blade_validate};

/// Rounds of pushing before the blade is looked for elsewhere.
const ROUNDS: u32 = 8;
/// Depth in heights that counts as touching only, and what pushes aim for beyond the surface.
const SLACK: f32 = 1e-3;

/// A capsule from `a` to `b`, in heights from the root.
#[derive(Clone, Copy)]
struct Capsule {
    a: Vec3,
    b: Vec3,
    radius: f32,
}

fn capsule_centre(capsule: Capsule, point: Vec3) -> Vec3 {
    let axis = capsule.b - capsule.a;
    let t = (point - capsule.a).dot(axis) / axis.dot(axis).max(1e-12);
    capsule.a + axis * t.clamp(0.0, 1.0)
}

/// How deep `point` is inside, in heights; zero or less outside.
fn capsule_depth(capsule: Capsule, point: Vec3) -> f32 {
    let away = point - capsule_centre(capsule, point);
    capsule.radius - away.dot(away).sqrt()
}

/// The way out at `point`: up when it lies on the axis, where no way is nearer.
fn capsule_normal(capsule: Capsule, point: Vec3, up: Vec3) -> Vec3 {
    let away = point - capsule_centre(capsule, point);
    let square = away.dot(away);
    if square > 1e-12 { away * (1.0 / square.sqrt()) } else { up }
}

/// A point on the curve at v = 1/2.
fn middle(pose: BladePose) -> Vec3 {
    pose.guide * 0.5 + pose.tip * 0.25
}

fn unit_or(v: Vec3, fallback: Vec3) -> Vec3 {
    let square = v.dot(v);
    if square > 1e-10 { v * (1.0 / square.sqrt()) } else { fallback }
}

/// The direction nearest `direction` in which a tip at distance `reach` clears the ball at `centre`.
///
/// The tip moves on a sphere round the root, so clear of the ball means x̂ · c ≤ k with
/// k = (reach² + |c|² − radius²)/(2 reach): turn away from the centre to that angle, and if that leads below the ground,
/// turn within the ground plane instead.
fn clear_tip(blade: &Blade, direction: Vec3, reach: f32, centre: Vec3, radius: f32) -> Vec3 {
    let far = centre.dot(centre).sqrt();
    if far < 1e-5 {
        return direction;
    }
    let k = (reach * reach + far * far - radius * radius) / (2.0 * reach);
    let axis = centre * (1.0 / far);
    let cosine = (k / far).clamp(-1.0, 1.0);
    let sideways = unit_or(
        direction - axis * axis.dot(direction),
        unit_or(blade.front - axis * axis.dot(blade.front), blade.side()),
    );
    let turned = axis * cosine + sideways * (1.0 - cosine * cosine).max(0.0).sqrt();
    if blade.up.dot(turned) >= 0.0 {
        return turned;
    }
    let flat = centre - blade.up * blade.up.dot(centre);
    let flat_far = flat.dot(flat).sqrt();
    let laid = above_ground(blade.up, turned);
    if flat_far < 1e-5 {
        return laid;
    }
    let axis = flat * (1.0 / flat_far);
    let cosine = (k / flat_far).clamp(-1.0, 1.0);
    let across = axis.cross(blade.up);
    let sideways = if across.dot(direction) >= 0.0 { across } else { -across };
    axis * cosine + sideways * (1.0 - cosine * cosine).max(0.0).sqrt()
}

/// One Newton step of the direction that takes the middle out along `normal` by `depth`.
fn clear_middle(blade: &Blade, direction: Vec3, reach: f32, normal: Vec3, depth: f32) -> Vec3 {
    let c = blade.up.dot(direction).clamp(0.0, 1.0);
    // The middle is 0.5 m(c) up + 0.25 reach x̂, m the guide's height, whose slope is:
    let slope = c * (0.6 + 1.6 * c * c);
    let gradient = normal * (0.25 * reach) + blade.up * (0.5 * slope * normal.dot(blade.up));
    let mut along = gradient - direction * direction.dot(gradient);
    if c < 1e-3 && blade.up.dot(along) < 0.0 {
        along -= blade.up * blade.up.dot(along);
    }
    let strength = along.dot(along).sqrt();
    if strength < 1e-2 {
        // Pushed straight down its own axis: it buckles to the front.
        return direction + (blade.front - direction * direction.dot(blade.front)) * 0.3;
    }
    direction + along * ((depth / strength).min(0.5) / strength)
}

fn worst_depth(capsule: Capsule, pose: BladePose) -> f32 {
    capsule_depth(capsule, pose.tip).max(capsule_depth(capsule, middle(pose)))
}

/// Pushes a valid exact pose until tip and middle are outside, at most [`ROUNDS`] times.
fn push_out(blade: &Blade, length: u32, capsule: Capsule, start: BladePose) -> BladePose {
    let mut pose = start;
    for _ in 0..ROUNDS {
        if worst_depth(capsule, pose) <= SLACK {
            break;
        }
        let wide = capsule.radius + 0.5 * SLACK;
        if capsule_depth(capsule, pose.tip) > 0.0 {
            let reach = pose.tip.dot(pose.tip).sqrt();
            let centre = capsule_centre(capsule, pose.tip);
            pose = blade_validate(blade.up, clear_tip(blade, pose.tip * (1.0 / reach), reach, centre, wide), length);
        }
        // The middle of the blade as it stands now, not as it was before the tip moved.
        let depth = capsule_depth(capsule, middle(pose));
        if depth > 0.0 {
            let reach = pose.tip.dot(pose.tip).sqrt();
            let normal = capsule_normal(capsule, middle(pose), blade.up);
            let direction = clear_middle(blade, pose.tip * (1.0 / reach), reach, normal, depth + 0.5 * SLACK);
            pose = blade_validate(blade.up, direction, length);
        }
    }
    pose
}

/// Where else a blade might stand that cannot be pushed out: flat away from the collider, beside it, half raised, upright.
fn elsewhere(blade: &Blade, capsule: Capsule, i: u32) -> Vec3 {
    if i >= 16 {
        return blade.up;
    }
    let centre = capsule_centre(capsule, Vec3::ZERO);
    let away = unit_or(blade.up * blade.up.dot(centre) - centre, blade.front);
    let beside = away.cross(blade.up);
    let turns = f32::from((i & 7) as u8) * 0.125;
    let flat = away * anemone_field::trig::cos_turns(turns) + beside * anemone_field::trig::sin_turns(turns);
    if i < 8 { flat } else { flat + blade.up }
}

fn collide_exact(blade: &Blade, length: u32, capsule: Capsule, start: BladePose) -> Vec3 {
    let mut pose = push_out(blade, length, capsule, start);
    let mut depth = worst_depth(capsule, pose);
    if depth > 0.01 {
        // Rare: the collider wraps the blade, or pins it to the ground. The clearest of seventeen places, pushed on.
        let mut best = pose;
        for i in 0..17 {
            let place = blade_validate(blade.up, elsewhere(blade, capsule, i), length);
            let place_depth = worst_depth(capsule, place);
            if place_depth < depth {
                depth = place_depth;
                best = place;
            }
        }
        pose = push_out(blade, length, capsule, best);
        if worst_depth(capsule, pose) > depth {
            pose = best;
        }
    }
    pose.tip
}

/// The source's response: the tip by the penetration d of the tip, then by 4 d of the middle (∂middle/∂tip = 1/4), with
/// the guide brought up to date between the two.
fn collide_paper(blade: &Blade, length: u32, capsule: Capsule, start: BladePose) -> Vec3 {
    let push = capsule_normal(capsule, start.tip, blade.up) * capsule_depth(capsule, start.tip).max(0.0);
    let tip = above_ground(blade.up, start.tip + push);
    let pose = blade_validate(blade.up, tip, length);
    let mid = middle(pose);
    let push = capsule_normal(capsule, mid, blade.up) * capsule_depth(capsule, mid).max(0.0);
    let tip = above_ground(blade.up, tip + push * 4.0);
    let reach = tip.dot(tip).sqrt();
    tip * (2.0 / reach.max(2.0))
}

/// Keeps tip and middle of a blade out of a capsule, and remembers how hard it was pushed.
///
/// The capsule runs from `a` to `b` (equal for a sphere) with `radius`, in metres from the root, at the end of
/// the substep of `dt` seconds; call this after [`blade_step`](super::blade_step), once for each collider. `state` is
/// (tip in heights, η).
///
/// η grows to at most 1, by (H |d|/h)²/(60 dt) for each of tip and middle, d being how deep it was in and H the law's
/// reference height. At 60 Hz and for the source's blades that is its rule |d|² in metres (Jahrmann and Wimmer's demo); the
/// sum over a push of given speed does not depend on `dt`, though the square alone would.
///
/// With exact length both end outside (within 0.02 h) wherever the blade can stand so. With the paper's length one
/// push is made, as in the source. A blade out of reach is returned unchanged.
#[must_use]
pub fn blade_collide(law: &BladeLaw, blade: &Blade, state: Vec4, a: Vec3, b: Vec3, radius: f32, dt: f32) -> Vec4 {
    let scale = 1.0 / blade.height.max(1e-4);
    let capsule = Capsule { a: a * scale, b: b * scale, radius: radius * scale };
    if capsule_depth(capsule, Vec3::ZERO) < -1.0 {
        return state;
    }
    let pose = blade_validate(blade.up, state.xyz(), law.length);
    let tip_depth = capsule_depth(capsule, pose.tip).max(0.0);
    let middle_depth = capsule_depth(capsule, middle(pose)).max(0.0);
    let square = tip_depth * tip_depth + middle_depth * middle_depth;
    if square <= 0.0 {
        return state;
    }
    let height = law.scale(blade);
    let pressed = law.trample_gain * height * height * square / (60.0 * dt.max(1e-4));
    let trample = (state.w + pressed).min(state.w.max(1.0));
    let tip = if law.length == LENGTH_PAPER {
        collide_paper(blade, law.length, capsule, pose)
    } else {
        collide_exact(blade, law.length, capsule, pose)
    };
    tip.extend(trample)
}
