//! The medium: wind and current, evaluated alike in Rust and in shaders.
//!
//! Every law here exists twice, side by side: `x.rs` and `x.wesl`, with the same names. Both are pure functions of
//! values, without bindings, and tests run both on the same inputs. [`WESL`] hands the shader half to a linker.
//!
//! ```
//! use anemone_field::space::Position;
//! use anemone_field::wind::{Kind, Source, Wind, WindState};
//! use glam::{DVec3, Vec3};
//!
//! let wind = Wind { sources: vec![Source::new(Kind::Constant { velocity: Vec3::new(5.0, 0.0, 0.0) })] };
//! let mut state = WindState::default();
//! state.advance(1.0 / 60.0, &wind);
//! let uniform = wind.gpu(&state).expect("one source fits");
//! let here = Position::from_metres(DVec3::new(100_000.0, 2.0, -3.0));
//! assert_eq!(uniform.velocity(here), Vec3::new(5.0, 0.0, 0.0));
//! ```

pub mod hash;
pub mod noise;
pub mod space;
pub mod trig;
pub mod wind;

/// The shader modules of this crate: module path and WESL source of each.
pub const WESL: &[(&str, &str)] = &[
    ("package::field::space", include_str!("space.wesl")),
    ("package::field::hash", include_str!("hash.wesl")),
    ("package::field::trig", include_str!("trig.wesl")),
    ("package::field::noise", include_str!("noise.wesl")),
    ("package::field::wind", include_str!("wind/wind.wesl")),
];
