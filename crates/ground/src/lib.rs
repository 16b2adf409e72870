//! The ground: its height, and where bodies stand on it, alike in Rust and in shaders.
//!
//! * [`height`]: height, slope and normal anywhere, of a map, a plane or hills: what callers want first.
//! * [`height_map`], [`map`]: maps from files, and the smooth surface through their samples.
//! * [`detail`]: fractal detail below the samples.
//! * [`placement`]: evenly spread points in rank order.
//! * [`mesh`]: any glTF mesh as a ground, with patches of about equal area.
//!
//! Laws stand twice, side by side: `x.rs` and `x.wesl`, with the same names. The shaders are pure functions without
//! bindings; link [`WESL`] together with `anemone_field::WESL`.

pub mod clump;
pub mod detail;
pub mod growth;
pub mod height;
pub mod height_map;
pub mod map;
pub mod mesh;
pub mod placement;

/// The shader modules of this crate: module path and WESL source of each.
pub const WESL: &[(&str, &str)] = &[
    ("package::ground::map", include_str!("map.wesl")),
    ("package::ground::detail", include_str!("detail.wesl")),
    ("package::ground::height", include_str!("height.wesl")),
    ("package::ground::placement", include_str!("placement.wesl")),
    ("package::ground::clump", include_str!("clump.wesl")),
    ("package::ground::growth", include_str!("growth.wesl")),
    ("package::ground::mesh", include_str!("mesh/point.wesl")),
];
