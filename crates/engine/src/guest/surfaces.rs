//! Surfaces and motion for a host that lights its frame later.

use super::{Drawn, Host, host_resources};
use crate::kernel::Shader;
use crate::resources::Resources;
use crate::shaders::shader;
use crate::whole_frame;

/// Writes what shows in each pixel, unlit, into the targets of a host that lights its frame later.
pub struct Surfaces {
    shader: Shader,
    pipeline: wgpu::RenderPipeline,
}

impl Surfaces {
    /// Its targets: reflectance, and in alpha the share of the sky that is open; the normal in world axes, and roughness (of a
    /// GGX lobe, 0 to 1); transmittance, and 1 for bodies; motion as in [`crate::View::motion_buffer`].
    pub const FORMATS: [wgpu::TextureFormat; 4] = [
        wgpu::TextureFormat::Rgba8UnormSrgb,
        wgpu::TextureFormat::Rgba16Float,
        wgpu::TextureFormat::Rgba8UnormSrgb,
        wgpu::TextureFormat::Rg16Float,
    ];

    /// For a depth of this format.
    #[must_use]
    pub fn new(device: &wgpu::Device, depth: wgpu::TextureFormat) -> Self {
        let shader = shader(device, "surfaces", wgpu::ShaderStages::VERTEX_FRAGMENT);
        let targets = Self::FORMATS.map(|format| Some(format.into()));
        let pipeline = whole_frame::pipeline(device, &shader, "find_surfaces", Some(depth), 1, &targets);
        Self { shader, pipeline }
    }

    /// Draws into a pass of the host's.
    pub(crate) fn encode(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::RenderPass<'_>,
        resources: [&Resources; 2],
        host: &Host,
        drawn: &Drawn,
    ) {
        let own = host_resources(device, host, drawn);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.shader.bind(device, &[&own, resources[0], resources[1]]), &[]);
        pass.draw(0..3, 0..1);
    }
}
