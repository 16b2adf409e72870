//! The engine as a whole, on the real adapter: what it promises about pictures, culls, motion and ground.
//!
//! One binary, so that the library is linked once; nextest still runs every test in a process of its own.

mod changes;
mod coverage;
mod cull;
mod golden;
mod ground;
mod guest;
#[path = "../../examples/host_scene/host.rs"]
mod host_scene;
mod levels;
mod light;
mod motion;
mod motion_vectors;
mod occlusion;
mod shaders;
mod shadows;
mod stands;
mod strict;
mod support;
mod variety;
mod wide_views;
mod widths;
mod world;
