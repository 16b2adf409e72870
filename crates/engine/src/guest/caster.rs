//! Bodies in a host's maps of shadows.

use bytemuck::{Pod, Zeroable};
use glam::Mat4;

use crate::fill::filled;
use crate::kernel::Shader;
use crate::resources::{Resources, slot};
use crate::shaders::shader;
use crate::whole_frame;

/// Draws bodies into a host's maps of shadows.
pub struct Caster {
    shader: Shader,
    pipeline: wgpu::RenderPipeline,
    arguments: wgpu::Buffer,
}

/// Segments of a body, of both halves where it is folded. Twin of `SEGMENTS` in `cast.wesl`.
const SEGMENTS: u32 = 12;

/// Twin of `struct Cast`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct CastUniform {
    clip_from_eye: Mat4,
    texels: [f32; 2],
    pad: [u32; 2],
}

impl Caster {
    /// For maps of this format, whose nearer depths pass `compare`: `Less`, or `Greater` where depths are reversed.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        depth: wgpu::TextureFormat,
        compare: wgpu::CompareFunction,
        bias: wgpu::DepthBiasState,
    ) -> Self {
        let shader = shader(device, "cast", wgpu::ShaderStages::VERTEX);
        let (module, layout) = shader.parts();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("cast"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("cast_body"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: depth,
                depth_write_enabled: Some(true),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias,
            }),
            multisample: Default::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        });
        let usage = wgpu::BufferUsages::INDIRECT | wgpu::BufferUsages::COPY_DST;
        let arguments = filled(device, "cast arguments", usage, bytemuck::cast_slice(&[6 * SEGMENTS, 0, 0, 0]));
        Self { shader, pipeline, arguments }
    }

    /// Draws the listed items. `items` is where their number stands in the buffer of counts, bytes.
    pub(crate) fn encode(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        world: &Resources,
        items: u64,
        clip_from_eye: Mat4,
        target: &wgpu::TextureView,
    ) {
        encoder.copy_buffer_to_buffer(world.buffer(slot::COUNTS), items, &self.arguments, 4, 4);
        let size = target.texture().size();
        let uniform = CastUniform { clip_from_eye, texels: [size.width as f32, size.height as f32], pad: [0; 2] };
        let own = whole_frame::uniform(device, slot::CAST, "cast", &uniform);
        let bindings = self.shader.bind(device, &[&own, world]);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("cast"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: target,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.draw_indirect(&self.arguments, 0);
    }
}
