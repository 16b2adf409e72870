//! The last pass: gathered light onto a target, as a picture.

use bytemuck::{Pod, Zeroable};

use crate::kernel::Shader;
use crate::resources::{Resources, slot};
use crate::shaders::shader;
use crate::whole_frame;

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
        let pipeline = whole_frame::pipeline(device, &shader, "picture", None, 1, &[Some(format.into())]);
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
        let own = whole_frame::uniform(device, slot::SHOWN, "shown", shown);
        let bindings = self.shader.bind(device, &[&own, view]);
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
