//! A blade of grass: a quadratic Bezier curve whose tip moves under gravity, recovery, wind and collisions.
//!
//! The model is Jahrmann and Wimmer's ("Responsive Real-Time Grass Rendering for General 3D Scenes", I3D 2017): the root
//! stands, the guide stays above the root, the tip is simulated and has no velocity of its own. Three things differ:
//!
//! * **Scale-free.** The state is the tip relative to the root, divided by the blade's height h, so that a lawn of 5 cm
//!   and a reed of 3 m bend alike under the same constants.
//! * **Exact length.** The source rescales the blade by an estimate of its length, which leaves it up to 7 % short or
//!   17 % long. By default the tip is instead set to the one distance along its own ray at which the curve's true
//!   length is h ([`blade_validate`]). Because that correction is along the ray, the rest pose does not depend on the
//!   time step.
//! * **Stable steps.** [`blade_step`] integrates exponentially, so a hitch never kicks the field.
//!
//! Everything is relative to the root. `up` is the unit normal of the ground, `front` the unit direction (perpendicular
//! to `up`) to which the blade leans by itself and which its flat side faces; its width runs along
//! [`Blade::side`] = front × up.

mod collide;
mod curve;
mod law;
mod pack;
mod pose;
mod shape;
mod step;
#[cfg(test)]
mod tests;
mod turns;

pub use collide::blade_collide;
pub use curve::{CurvePoint, blade_curve};
pub use law::{Blade, BladeLaw, LENGTH_EXACT, LENGTH_PAPER, blade_front, blade_gravity};
pub use pack::{
    BladeState, Body, HEIGHT_MAX, HEIGHT_MIN, STIFFNESS_MAX, STIFFNESS_MIN, WIDTH_MAX, WIDTH_MIN, blade_pack,
    blade_pack_state, blade_unpack, blade_unpack_state,
};
pub use pose::{BladePose, blade_pose, blade_validate};
pub use shape::{
    BLADE_SEGMENTS, SHAPE_QUAD, SHAPE_QUADRATIC, SHAPE_TIP, SHAPE_TRIANGLE, blade_half_width, blade_ridge, blade_row,
    blade_rows_before, blade_segment_count, blade_segments,
};
pub use step::{blade_catch_up, blade_rest, blade_step, blade_substeps, blade_wind};
pub use turns::{blade_row_with_turns, blade_turns};
