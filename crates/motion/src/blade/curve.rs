//! Points of the blade's curve. Twin: `curve.wesl`.

use glam::Vec3;

use super::BladePose;

/// A point of a curve with its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Relative to the root, in the pose's unit.
    pub position: Vec3,
    /// Unit direction towards the tip.
    pub tangent: Vec3,
    /// Unit normal of the ribbon, tangent × side: the blade's front at the root.
    pub normal: Vec3,
}

/// The point at `v` in [0, 1] from root to tip, by De Casteljau's algorithm; `side` is the unit direction of the width.
///
/// Where a direction is undefined (guide and tip coincide; the tangent lies along the side), the nearest one that is
/// defined takes its place, so tangent and normal are always unit vectors.
#[must_use]
pub fn blade_curve(pose: BladePose, side: Vec3, v: f32) -> CurvePoint {
    let a = pose.guide * v;
    let b = pose.guide + (pose.tip - pose.guide) * v;
    let along = b - a;
    // Relative to the guide, which is never shorter than 0.05 of the height: blades have all sizes.
    let scale = pose.guide.dot(pose.guide);
    let length = along.dot(along);
    let upward = pose.guide * (1.0 / scale.max(1e-20).sqrt());
    let tangent = if length > 1e-6 * scale { along * (1.0 / length.sqrt()) } else { upward };
    let cross = tangent.cross(side);
    let square = cross.dot(cross);
    let normal = if square > 1e-8 { cross * (1.0 / square.sqrt()) } else { upward };
    CurvePoint { position: a + along * v, tangent, normal }
}
