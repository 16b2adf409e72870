//! Very many thin bodies in one wind, on the GPU.
//!
//! Anemone moves, culls, rasterises and shades blades of grass by the million with compute shaders on [`wgpu`]. It is a
//! guest: the device, the queue, the encoder and the target are the caller's, and nothing is read back or waited for.
//!
//! A [`World`] says what there is; an [`Engine`] holds it on a device; a [`View`] looks at it. Each frame
//! [`Engine::advance`] lets time pass, [`Engine::draw`] encodes a drawing and [`Engine::present`] shows it.
//!
//! ```no_run
//! # fn frame(device: &wgpu::Device, queue: &wgpu::Queue, world: anemone::World, target: &wgpu::TextureView,
//! #          format: wgpu::TextureFormat) -> Result<(), anemone::Error> {
//! use anemone::{Camera, Engine, Options, Presenter, Timing, View, Window, glam::DVec3};
//!
//! let mut engine = Engine::new(device, queue, world, Options::default())?;
//! let presenter = Presenter::new(device, format);
//! let camera = Camera::look_at(DVec3::new(0.0, 1.5, 0.0), DVec3::new(0.0, 1.0, -10.0), 0.9, 0.02);
//! let mut view = View::new(camera, Window::whole([1280, 720]));
//!
//! // Each frame:
//! engine.advance(1.0 / 60.0);
//! let mut encoder = device.create_command_encoder(&Default::default());
//! engine.draw(&mut view, &mut encoder, Timing::None)?;
//! engine.present(&view, &mut encoder, &presenter, target);
//! queue.submit([encoder.finish()]);
//! # Ok(())
//! # }
//! ```

mod camera;
mod capability;
mod collider;
#[doc(hidden)]
pub mod cull;
mod daylight;
mod density;
mod engine;
mod error;
mod fill;
mod frame;
mod ground;
mod guest;
mod kernel;
mod kernels;
mod passes;
mod pool;
mod population;
mod presenter;
#[doc(hidden)]
pub mod probe;
mod resources;
mod shaders;
mod shadow;
mod stats;
mod tile;
mod timing;
mod view;
mod whole_frame;
mod world;

pub use anemone_field as field;
pub use anemone_ground as terrain;
pub use anemone_motion as motion;
pub use glam;
pub use wgpu;
pub use wgpu_profiler;

pub use camera::{Camera, Window};
pub use capability::{RasterWidth, raster_width, required_features, required_limits};
pub use daylight::Light;
pub use engine::{Engine, Options};
pub use error::Error;
pub use frame::jitter;
pub use guest::{Caster, Composer, Host, HostShadow, Output, Surfaces};
pub use kernels::Pipelines;
pub use presenter::Presenter;
pub use shaders::SHADERS;
pub use shadow::default_texels as default_shadow_texels;
pub use stats::Counts;
pub use tile::{RingExtent, STEEPEST};
pub use timing::Timing;
pub use view::{Drawing, View, most_pixels};
pub use world::{
    Clumps, Collider, Color, Cull, Distance, Facing, Forces, Growth, MOST_COLLIDERS, MOST_POPULATIONS, Patches,
    Placement, Population, Shape, Sun, Terrain, World,
};
