//! Light and depth over a host's frame.

use super::{Drawn, Host, host_resources};
use crate::kernel::Shader;
use crate::resources::Resources;
use crate::shaders::shader;
use crate::whole_frame;

/// What a [`Composer`] writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// The picture: exposure and film curve, as [`crate::Presenter`] shows it.
    Film,
    /// Linear light, Rec. 709, of which so many kcd/m² are 1.
    Light {
        /// kcd/m²
        white: f32,
    },
}

/// Lays a view over a host's frame: colour and depth.
pub struct Composer {
    shader: Shader,
    pipeline: wgpu::RenderPipeline,
    output: Output,
}

impl Composer {
    /// For targets of these formats and so many samples a pixel.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        color: wgpu::TextureFormat,
        depth: wgpu::TextureFormat,
        sample_count: u32,
        output: Output,
    ) -> Self {
        let name = match (output, color.is_srgb()) {
            (Output::Light { .. }, _) => "compose",
            (Output::Film, true) => "compose_film",
            (Output::Film, false) => "compose_film_encode",
        };
        let shader = shader(device, name, wgpu::ShaderStages::VERTEX_FRAGMENT);
        let over = wgpu::ColorTargetState {
            format: color,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        };
        let pipeline = whole_frame::pipeline(device, &shader, "compose", Some(depth), sample_count, &[Some(over)]);
        Self { shader, pipeline, output }
    }

    /// The factor on light, where the film's exposure is this.
    pub(crate) fn exposure(&self, film: f32) -> f32 {
        match self.output {
            Output::Film => film,
            Output::Light { white } => 1.0 / white,
        }
    }

    /// Draws into a pass of the host's.
    pub(crate) fn encode(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::RenderPass<'_>,
        view: &Resources,
        host: &Host,
        drawn: &Drawn,
    ) {
        let own = host_resources(device, host, drawn);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.shader.bind(device, &[&own, view]), &[]);
        pass.draw(0..3, 0..1);
    }
}
