//! The last pass: gathered light onto a target, as a picture.

use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt;

use crate::kernel::Shader;
use crate::resources::{Resources, slot};
use crate::shaders::shader;

/// What is shown, and how. Twin of `struct Shown`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Shown {
    /// Of the picture that was drawn.
    pub size: [u32; 2],
    /// Samples that have gathered.
    pub samples: u32,
    /// Factor from kcd/m² to what the film takes.
    pub exposure: f32,
}

/// Draws pictures onto targets of one format.
pub struct Presenter {
    shader: Shader,
    pipeline: wgpu::RenderPipeline,
}

impl Presenter {
    /// For targets of this format. Formats that end in `Srgb` encode by themselves; on others the pass does.
    #[must_use]
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let name = if format.is_srgb() { "present" } else { "present_encode" };
        let shader = shader(device, name, wgpu::ShaderStages::VERTEX_FRAGMENT);
        let (module, layout) = shader.parts();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("present"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("whole"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some("picture"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { shader, pipeline }
    }

    pub(crate) fn encode(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        view: &Resources,
        target: &wgpu::TextureView,
        shown: &Shown,
    ) {
        let mut resources = Resources::default();
        let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("shown"),
            contents: bytemuck::bytes_of(shown),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        resources.set(slot::SHOWN, uniform);
        let bindings = self.shader.bind(device, &[&resources, view]);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("present"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.draw(0..3, 0..1);
    }
}
