//! From a state to a curve: the one pose function. Twin: `pose.wesl`.

use glam::Vec3;

use super::LENGTH_PAPER;

/// Guide and tip of a blade, relative to its root; heights or metres as the function says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BladePose {
    /// Control point above the root.
    pub guide: Vec3,
    /// End of the curve.
    pub tip: Vec3,
}

/// Guide's height of an exact blade whose tip stands at cos θ = `c` from up, in heights.
///
/// The source's rule is max(1 − l, 0.05 max(l, 1)) with l the tip's distance from the axis. This is within 0.06 of it
/// from θ = 20° to 90°, but smooth, and 0.75 for an upright blade, where the rule has a cusp: its guide and tip
/// coincide there, so the slightest lean turns the tip's tangent by 45°.
pub(super) fn exact_guide(c: f32) -> f32 {
    let s = c * c;
    0.05 + s * (0.3 + s * 0.4)
}

/// Distance of the tip from the root, in heights, at which the curve's true length is the height.
///
/// A polynomial in cos² θ through numerical solutions; lowered by 7e-5 so that the length never exceeds the height
/// and stays within 0.02 % of it (a test integrates it).
pub(super) fn exact_reach(c: f32) -> f32 {
    let s = c * c;
    0.994_085_6
        + s * (-0.026_249_197
            + s * (-0.278_412
                + s * (1.230_324_9 + s * (-3.449_644 + s * (5.519_766_3 + s * (-4.453_55 + s * 1.463_545_6))))))
}

/// `tip` without what lies below the ground plane.
///
/// Twice, because of a tip that points nearly straight down only the rounding of the first pass is left.
pub(super) fn above_ground(up: Vec3, tip: Vec3) -> Vec3 {
    let once = tip - up * up.dot(tip).min(0.0);
    once - up * up.dot(once).min(0.0)
}

fn validate_exact(up: Vec3, tip: Vec3) -> BladePose {
    let above = above_ground(up, tip);
    let length = above.dot(above).sqrt();
    // A tip at the root has no direction; it stands up, which is where an unloaded blade goes.
    let direction = if length > 1e-6 { above / length } else { up };
    let c = up.dot(direction).clamp(0.0, 1.0);
    BladePose { guide: up * exact_guide(c), tip: direction * exact_reach(c) }
}

fn validate_paper(up: Vec3, tip: Vec3) -> BladePose {
    let above = above_ground(up, tip);
    let flat = above - up * up.dot(above);
    let lean = flat.dot(flat).sqrt();
    let guide = up * (1.0 - lean).max(0.05 * lean.max(1.0));
    let straight = above.dot(above).sqrt();
    let rest = above - guide;
    let polygon = guide.dot(guide).sqrt() + rest.dot(rest).sqrt();
    let scale = 3.0 / (2.0 * straight + polygon);
    // Both points move along their own rays: guide' = r guide, tip' = guide' + r (tip − guide) = r tip.
    BladePose { guide: guide * scale, tip: above * scale }
}

/// The legal blade for a simulated tip, all in heights: above the ground plane, guide above the root, length kept.
///
/// `length` is [`LENGTH_EXACT`](super::LENGTH_EXACT) or [`LENGTH_PAPER`]; the latter is the source's single pass
/// (notes: its true length is 0.93 to 1.17 heights). Exact validation of an exact tip returns it unchanged up to rounding.
#[must_use]
pub fn blade_validate(up: Vec3, tip: Vec3, length: u32) -> BladePose {
    if length == LENGTH_PAPER { validate_paper(up, tip) } else { validate_exact(up, tip) }
}

/// The curve of a blade of `height` metres whose stored tip is `tip` (heights): guide and tip in metres from the root.
///
/// Every use of a blade goes through here: colour, shadow, motion vectors, culling. The blade lies inside the sphere of
/// radius `height` round its root.
#[must_use]
pub fn blade_pose(up: Vec3, height: f32, tip: Vec3, length: u32) -> BladePose {
    let pose = blade_validate(up, tip, length);
    BladePose { guide: pose.guide * height, tip: pose.tip * height }
}
