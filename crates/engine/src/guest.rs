//! In somebody else's frame: hidden by the host's depth, shaded by its shadow map, laid over its colour with depth, and drawn
//! into its own maps of shadows.

mod caster;
mod composer;
mod surfaces;

use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec3, Mat4};
use wgpu::util::DeviceExt;

use crate::camera::Camera;
use crate::kernel::Shader;
use crate::resources::{Resources, slot};
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
        let [a, b] = [projection.z_axis.z, projection.w_axis.z];
        if projection.z_axis.w != -1.0 || b == 0.0 || projection.y_axis.y <= 0.0 {
            return None;
        }
        let to_world = view.inverse();
        // The distance of depth 0 and of depth 1, of which the smaller one is near.
        let near = [b / a, b / (1.0 + a)]
            .into_iter()
            .filter(|&end| end > 0.0 && end.is_finite())
            .fold(f32::INFINITY, f32::min);
        let direction = |axis: DVec3| to_world.transform_vector3(axis).normalize().as_vec3();
        Some(Self {
            eye: to_world.transform_point3(DVec3::ZERO),
            forward: direction(DVec3::NEG_Z),
            up: direction(DVec3::Y),
            fov: 2.0 * (1.0 / projection.y_axis.y).atan(),
            near: if near.is_finite() { near } else { return None },
        })
    }
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
    fn new(host: Option<&Host>, drawn: &Drawn) -> Self {
        let projection = host.map_or(Mat4::ZERO, |host| host.projection);
        // Clip z over clip w of a point so far ahead: (−a d + b) / d.
        let [a, b] = [projection.z_axis.z, projection.w_axis.z];
        let ends = [b / a, b / (1.0 + a)];
        let far = ends.into_iter().filter(|end| end.is_finite() && *end > 0.0).fold(0.0, f32::max);
        let near = ends.into_iter().filter(|end| end.is_finite() && *end > 0.0).fold(f32::INFINITY, f32::min);
        // A projection without an end holds nothing there.
        let farthest = if far > near { 0.999_99 * far } else { 1e30 };
        let Drawn { size, samples, near, exposure } = *drawn;
        let has_sky = u32::from(host.is_none_or(|host| host.sky));
        Self { scale: b, offset: -a, farthest, exposure, size, samples, near, has_sky, pad: [0; 3] }
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

/// The numbers of a host's depth and shadow for a drawing from this eye, for the buffers under [`slot::HOST`] and
/// [`slot::HOST_SHADOW`].
pub(crate) fn uniforms(host: Option<&Host>, drawn: &Drawn, eye: DVec3) -> (Vec<u8>, Vec<u8>) {
    let depth = HostUniform::new(host, drawn);
    let shadow = host.and_then(|host| host.shadow.as_ref()).map_or(ShadowUniform::zeroed(), |shadow| ShadowUniform {
        clip_from_eye: (shadow.view_projection * DMat4::from_translation(eye)).as_mat4(),
        bias: shadow.bias,
        sign: if shadow.reversed { -1.0 } else { 1.0 },
        pad: [0; 2],
    });
    (bytemuck::bytes_of(&depth).to_vec(), bytemuck::bytes_of(&shadow).to_vec())
}

/// What is bound of a view's host; the numbers where it has none too.
pub(crate) fn make_resources(device: &wgpu::Device, host: Option<&Host>, resources: &mut Resources) {
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
    resources.set(slot::HOST_SHADOW, uniform("host's shadow", size_of::<ShadowUniform>()));
    if let Some(shadow) = host.and_then(|host| host.shadow.as_ref()) {
        resources.set_view(slot::HOST_SHADOW_MAP, shadow.map.clone());
    }
    if let Some(host) = host {
        let slot = if host.sample_count > 1 { slot::HOST_DEPTH_MULTISAMPLED } else { slot::HOST_DEPTH };
        resources.set_view(slot, host.depth.clone());
    }
}

/// A pipeline that draws one triangle over a frame and its depth.
fn whole_frame(
    device: &wgpu::Device,
    shader: &Shader,
    entry: &'static str,
    depth: wgpu::TextureFormat,
    sample_count: u32,
    targets: &[Option<wgpu::ColorTargetState>],
) -> wgpu::RenderPipeline {
    let (module, layout) = shader.parts();
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(entry),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("whole"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        // What the host's depth hides was left out when the view was drawn.
        depth_stencil: Some(wgpu::DepthStencilState {
            format: depth,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState { count: sample_count, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The host's numbers for what is laid over its frame.
fn host_resources(device: &wgpu::Device, host: &Host, drawn: &Drawn) -> Resources {
    let mut resources = Resources::default();
    let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("host"),
        contents: bytemuck::bytes_of(&HostUniform::new(Some(host), drawn)),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    resources.set(slot::HOST, uniform);
    resources
}
