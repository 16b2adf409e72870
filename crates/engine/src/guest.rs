//! In somebody else's frame: hidden by the host's depth, shaded by its shadow map, laid over its colour with depth, and drawn
//! into its own maps of shadows.

mod caster;
mod composer;
mod surfaces;

use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec3, Mat4};

use crate::camera::Camera;
use crate::resources::{Resources, slot};
use crate::whole_frame;
pub use caster::Caster;
pub use composer::{Composer, Output};
pub use surfaces::Surfaces;

/// A host's frame, as a [`crate::View`] is to know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// What the host has drawn: its depth, to be bound as a texture, of the size of the view's window.
    pub depth: wgpu::TextureView,
    /// Samples in a pixel of it.
    pub sample_count: u32,
    /// Its projection: right-handed, looking along −z, depths from 0 to 1, reversed or not, with or without an end. Where the
    /// camera looks and how wide is said by [`crate::View::camera`]; [`Camera::of_host`] makes one from the host's matrices.
    pub projection: Mat4,
    /// Draw the world's ground too; else the host draws it, and bodies alone are laid over its frame.
    pub ground: bool,
    /// Draw the world's sky too where nothing stands.
    pub sky: bool,
    /// The shadows that the host's own things throw.
    pub shadow: Option<HostShadow>,
}

/// A map of the shadows that a host's things throw by the sun. Bodies have shadows of their own: draw the host's things into
/// it, then the view, then what the host wants with [`crate::Engine::cast`].
#[derive(Clone, Debug, PartialEq)]
pub struct HostShadow {
    /// Depths, to be bound as a texture.
    pub map: wgpu::TextureView,
    /// From metres of the world to the map's clip space, depths from 0 to 1.
    pub view_projection: DMat4,
    /// Nearer is larger.
    pub reversed: bool,
    /// By how much of the map's depth a thing must lie behind another to be shaded by it.
    pub bias: f32,
}

impl Camera {
    /// The camera that a host's matrices describe: from the world's metres to the view's, and a symmetric perspective
    /// projection, right-handed with depths from 0 to 1.
    ///
    /// None where the projection is no such one.
    #[must_use]
    pub fn of_host(view: DMat4, projection: Mat4) -> Option<Self> {
        if projection.z_axis.w != -1.0 || projection.w_axis.z == 0.0 || projection.y_axis.y <= 0.0 {
            return None;
        }
        let to_world = view.inverse();
        let direction = |axis: DVec3| to_world.transform_vector3(axis).normalize().as_vec3();
        Some(Self {
            eye: to_world.transform_point3(DVec3::ZERO),
            forward: direction(DVec3::NEG_Z),
            up: direction(DVec3::Y),
            fov: 2.0 * (1.0 / projection.y_axis.y).atan(),
            near: ends(&projection).into_iter().reduce(f32::min)?,
        })
    }
}

/// The distances at which a projection's depth is 0 and 1, m, without one that is endless: near, and far if it has an end.
fn ends(projection: &Mat4) -> Vec<f32> {
    let [a, b] = [projection.z_axis.z, projection.w_axis.z];
    [b / a, b / (1.0 + a)].into_iter().filter(|end| end.is_finite() && *end > 0.0).collect()
}

/// Twin of `struct HostDepth`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct HostUniform {
    scale: f32,
    offset: f32,
    farthest: f32,
    exposure: f32,
    size: [u32; 2],
    samples: u32,
    near: f32,
    has_sky: u32,
    pad: [u32; 3],
}

impl HostUniform {
    fn new(host: &Host, drawn: &Drawn) -> Self {
        // A projection without an end holds nothing there.
        let farthest = match ends(&host.projection)[..] {
            [a, b] => 0.999_99 * a.max(b),
            _ => 1e30,
        };
        let Drawn { size, samples, near, exposure } = *drawn;
        // Clip z over clip w of a point so far ahead: (−a d + b) / d.
        let [scale, offset] = [host.projection.w_axis.z, -host.projection.z_axis.z];
        Self { scale, offset, farthest, exposure, size, samples, near, has_sky: u32::from(host.sky), pad: [0; 3] }
    }
}

/// What was drawn, as it is composed.
#[derive(Clone, Copy)]
pub(crate) struct Drawn {
    pub size: [u32; 2],
    pub samples: u32,
    /// m
    pub near: f32,
    pub exposure: f32,
}

/// Twin of `struct HostShadow`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct ShadowUniform {
    clip_from_eye: Mat4,
    bias: f32,
    sign: f32,
    pad: [u32; 2],
}

impl ShadowUniform {
    /// For a drawing from this eye.
    fn new(shadow: &HostShadow, eye: DVec3) -> Self {
        Self {
            clip_from_eye: (shadow.view_projection * DMat4::from_translation(eye)).as_mat4(),
            bias: shadow.bias,
            sign: if shadow.reversed { -1.0 } else { 1.0 },
            pad: [0; 2],
        }
    }
}

impl Host {
    /// Sends its numbers for a drawing from this eye.
    pub(crate) fn upload(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        view: &Resources,
        drawn: &Drawn,
        eye: DVec3,
    ) {
        let depth = HostUniform::new(self, drawn);
        crate::fill::upload(device, encoder, view.buffer(slot::HOST), 0, bytemuck::bytes_of(&depth));
        if let Some(shadow) = &self.shadow {
            let shadow = ShadowUniform::new(shadow, eye);
            crate::fill::upload(device, encoder, view.buffer(slot::HOST_SHADOW), 0, bytemuck::bytes_of(&shadow));
        }
    }

    /// Puts what is bound of it among a view's resources.
    pub(crate) fn make_resources(&self, device: &wgpu::Device, resources: &mut Resources) {
        let uniform = |label, size: usize| {
            let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage,
                mapped_at_creation: false,
            })
        };
        resources.set(slot::HOST, uniform("host", size_of::<HostUniform>()));
        let depth = if self.sample_count > 1 { slot::HOST_DEPTH_MULTISAMPLED } else { slot::HOST_DEPTH };
        resources.borrow_view(depth, self.depth.clone());
        if let Some(shadow) = &self.shadow {
            resources.set(slot::HOST_SHADOW, uniform("host's shadow", size_of::<ShadowUniform>()));
            resources.borrow_view(slot::HOST_SHADOW_MAP, shadow.map.clone());
        }
    }
}

/// The host's numbers for what is laid over its frame.
fn host_resources(device: &wgpu::Device, host: &Host, drawn: &Drawn) -> Resources {
    whole_frame::uniform(device, slot::HOST, "host", &HostUniform::new(host, drawn))
}
