//! The motion of one body in the medium, alike in Rust and in shaders.
//!
//! Every law here exists twice, side by side: `x.rs` and `x.wesl`, with the same names. Both are pure functions of
//! values, without bindings, and tests run both on the same inputs. [`WESL`] hands the shader half to a linker.
//!
//! So far one motion: [`blade`], a Bezier blade of grass with dynamics.

pub mod blade;

/// The shader modules of this crate: module path and WESL source of each.
pub const WESL: &[(&str, &str)] = &[
    ("package::motion::blade::law", include_str!("blade/law.wesl")),
    ("package::motion::blade::pose", include_str!("blade/pose.wesl")),
    ("package::motion::blade::step", include_str!("blade/step.wesl")),
    ("package::motion::blade::collide", include_str!("blade/collide.wesl")),
    ("package::motion::blade::curve", include_str!("blade/curve.wesl")),
    ("package::motion::blade::shape", include_str!("blade/shape.wesl")),
    ("package::motion::blade::turns", include_str!("blade/turns.wesl")),
    ("package::motion::blade::pack", include_str!("blade/pack.wesl")),
];
