//! A clear sky that fits the sun: computed from the air, not painted.
//!
//! Sunlight is followed through air, haze and ozone at sixteen wavelengths, scattered once exactly and further by an
//! approximation, and turned into linear sRGB in photometric units: kcd/m² for radiance, klx for irradiance. White of
//! 1 klx is (1, 1, 1).
//!
//! [`SkyView`](sky_view::SkyView) is made on the CPU when the sun or the air changes; what a shader must evaluate
//! exists twice, side by side: `sky_view.rs` and `sky_view.wesl`, with the same names. [`WESL`] hands the shader half to
//! a linker.
//!
//! ```
//! use anemone_sky::atmosphere::Atmosphere;
//! use anemone_sky::sky_view::SkyView;
//! use glam::Vec3;
//!
//! let air = Atmosphere::default();
//! let sun = Vec3::new(0.6, 0.8, 0.0);
//! let sky = SkyView::new(&air, sun);
//! let light = sky.horizontal_illuminance();
//! assert!(light.sun.y > 60.0 && light.sky.y > 8.0); // klx
//! assert!(sky.radiance(Vec3::Y).z > 2.0 * sky.radiance(Vec3::Y).x); // blue
//! ```

pub mod atmosphere;
mod columns;
mod multiple;
pub mod sky_view;
mod spectrum;

/// The shader modules of this crate: module path and WESL source of each.
pub const WESL: &[(&str, &str)] = &[("package::sky::sky_view", include_str!("sky_view.wesl"))];
