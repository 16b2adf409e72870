//! Where a blade turns its other side to the eye, and the rows of a ribbon that does. Twin: `turns.wesl`.

use glam::{Vec2, Vec3};

use super::shape::{blade_row, blade_rows_before};

/// Where along its length a blade turns from one side to the other as seen from the eye: at most two parameters in
/// (0, 1), ascending; 2 stands for none. With it the side that shows at the root, as 1 or −1.
///
/// `root` is the vector from the eye to the root, `guide` and `tip` are relative to the root, `across` is the direction of
/// the width; all in one set of axes.
///
/// The plane of the blade at v is spanned by the width and the tangent, and passes through the eye where across ·
/// (p × p′) = 0. For a quadratic p that is a quadratic too, with the Bernstein coefficients across · (p₀ × p₁,
/// p₀ × p₂ / 2, p₁ × p₂).
#[must_use]
pub fn blade_turns(root: Vec3, guide: Vec3, tip: Vec3, across: Vec3) -> (Vec2, f32) {
    let to_guide = root.cross(guide);
    let to_tip = root.cross(tip);
    let a = across.dot(to_guide);
    let b = 0.5 * across.dot(to_tip);
    let c = across.dot(to_tip - to_guide + guide.cross(tip));
    let side = if a >= 0.0 { 1.0 } else { -1.0 };
    let none = (Vec2::splat(2.0), side);
    let k = a - 2.0 * b + c;
    let h = a - b;
    let d = h * h - k * a;
    if d <= 0.0 {
        return none;
    }
    // Roots of k v² − 2 h v + a, the stable way.
    let s = h + if h >= 0.0 { d.sqrt() } else { -d.sqrt() };
    let within = |v: f32| if v > 0.0 && v < 1.0 { v } else { 2.0 };
    let one = if s == 0.0 { 2.0 } else { within(a / s) };
    let other = if k == 0.0 { 2.0 } else { within(s / k) };
    (Vec2::new(one.min(other), one.max(other)), side)
}

/// Row `i` of `n` segments of a ribbon that turns over at the fractions `turns` of what is drawn of it, of which the first
/// `count` count: its fraction; and, if it stands at a turn, 1 or −1 as it belongs to the side that shows at the root or to
/// the other one, else 0.
///
/// At each turn stand two rows, one for either side, so that between rows nothing turns; the other rows are those of
/// [`blade_row`] of 2 `count` segments less. `n` is greater than 2 `count`.
#[must_use]
pub fn blade_row_with_turns(shape: u32, tau: f32, i: u32, n: u32, turns: Vec2, count: u32) -> (f32, f32) {
    let even = n - 2 * count;
    let mut row = i;
    if count > 0 {
        let first = blade_rows_before(shape, tau, turns.x, even);
        if i >= first && i < first + 2 {
            return (turns.x, if i == first { 1.0 } else { -1.0 });
        }
        if i >= first {
            row -= 2;
        }
    }
    if count > 1 {
        let second = blade_rows_before(shape, tau, turns.y, even) + 2;
        if i >= second && i < second + 2 {
            return (turns.y, if i == second { -1.0 } else { 1.0 });
        }
        if i >= second {
            row -= 2;
        }
    }
    (blade_row(shape, tau, row, even), 0.0)
}
