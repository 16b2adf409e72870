//! Outline and segments of a blade. Twin: `shape.wesl`.

use glam::Vec2;

/// The same width from root to tip.
pub const SHAPE_QUAD: u32 = 0;
/// Width 1 − v.
pub const SHAPE_TRIANGLE: u32 = 1;
/// Width 1 − v². The source's has one straight edge; here both edges curve, so the blade stays on its spine.
pub const SHAPE_QUADRATIC: u32 = 2;
/// Full width up to v = τ, then a triangle.
pub const SHAPE_TIP: u32 = 3;

/// Segments of each level of detail, from coarse to fine.
pub const BLADE_SEGMENTS: [u32; 8] = [1, 2, 3, 5, 8, 12, 18, 27];

/// Segments of a level; levels above 7 count as 7.
#[must_use]
pub fn blade_segment_count(level: u32) -> u32 {
    BLADE_SEGMENTS[level.min(7) as usize]
}

/// A usable tip threshold: the tip is neither nothing nor all of the blade.
fn threshold(tau: f32) -> f32 {
    tau.clamp(0.01, 0.99)
}

/// Half the width at `v` in [0, 1], for a blade of full width `width` at its root (same unit).
#[must_use]
pub fn blade_half_width(shape: u32, tau: f32, width: f32, v: f32) -> f32 {
    let half = 0.5 * width;
    match shape {
        SHAPE_TRIANGLE => half * (1.0 - v),
        SHAPE_QUADRATIC => half * (1.0 - v * v),
        SHAPE_TIP => {
            let tau = threshold(tau);
            half * (1.0 - (v - tau).max(0.0) / (1.0 - tau))
        }
        _ => half,
    }
}

/// How far the middle line of a V section stands out along the normal at `v`: a quarter of the width at the root,
/// tapering as 1 − v (with a tip threshold: as the width does). Source: the 3-D displacement of Jahrmann and Wimmer.
#[must_use]
pub fn blade_ridge(shape: u32, tau: f32, width: f32, v: f32) -> f32 {
    if shape == SHAPE_TIP { 0.5 * blade_half_width(shape, tau, width, v) } else { 0.25 * width * (1.0 - v) }
}

/// The level of detail (0 to 7) whose outline is within `error_px` pixels of the curve's, from projected control points.
///
/// A chord of a quadratic over 1/n of its parameter strays by |v₀ − 2 v₁ + v₂|/(4 n²), and so does the quadratic
/// outline by its half width/(4 n²). A tip costs one segment more, for [`blade_row`] puts a row at τ; each of the `turns` at
/// which the blade shows its other side costs two, for [`super::blade_row_with_turns`] puts two rows there. Levels end
/// at 27 segments: at 0.25 px that is a bend of 700 px.
#[must_use]
pub fn blade_segments(
    shape: u32,
    tau: f32,
    points_px: [Vec2; 3],
    half_width_px: f32,
    error_px: f32,
    turns: u32,
) -> u32 {
    let [root, guide, tip] = points_px;
    let second = root - 2.0 * guide + tip;
    let mut stray = second.dot(second).sqrt();
    if shape == SHAPE_QUADRATIC {
        stray += half_width_px;
    }
    let error = error_px.max(1e-3);
    let mut needed = (stray / (4.0 * error)).min(1e4).sqrt();
    // One segment makes a tip a plain triangle, narrower by τ of the width at the threshold.
    if shape == SHAPE_TIP && (needed > 1.0 || half_width_px * threshold(tau) > error) {
        needed = needed.max(1.0).ceil() + 1.0;
    }
    if turns > 0 {
        needed = needed.max(1.0).ceil() + (2 * turns) as f32;
    }
    let mut level = 0;
    while level < 7 && (BLADE_SEGMENTS[level as usize] as f32) < needed {
        level += 1;
    }
    level
}

/// The parameter v of row `i` of `n` segments (0 ≤ i ≤ n): even, but with a tip one row stands exactly at τ if n ≥ 2.
#[must_use]
pub fn blade_row(shape: u32, tau: f32, i: u32, n: u32) -> f32 {
    if shape != SHAPE_TIP || n < 2 {
        return i as f32 / n as f32;
    }
    let tau = threshold(tau);
    let below = rows_below(tau, n);
    if i <= below {
        return tau * (i as f32 / below as f32);
    }
    tau + (1.0 - tau) * ((i - below) as f32 / (n - below) as f32)
}

/// How many of the `n` + 1 rows of [`blade_row`] stand before `v`, in (0, 1): from 1 to `n`.
#[must_use]
pub fn blade_rows_before(shape: u32, tau: f32, v: f32, n: u32) -> u32 {
    let rows = if shape != SHAPE_TIP || n < 2 {
        v * n as f32
    } else {
        let tau = threshold(tau);
        let below = rows_below(tau, n);
        if v <= tau { v / tau * below as f32 } else { below as f32 + (v - tau) / (1.0 - tau) * (n - below) as f32 }
    };
    (rows.ceil() as u32).clamp(1, n)
}

/// So many rows below τ that neither part is coarser than n − 1 even segments: what [`blade_segments`] asks for.
fn rows_below(tau: f32, n: u32) -> u32 {
    ((tau * (n - 1) as f32).ceil() as u32).clamp(1, n - 1)
}
