//! What draws one triangle over a whole frame.

use crate::fill::filled;
use crate::kernel::Shader;
use crate::resources::Resources;

/// The fragment `entry` of a shader whose vertices are `whole`, for so many samples a pixel. A frame with a depth gets the
/// fragment's, whatever stands there.
pub(crate) fn pipeline(
    device: &wgpu::Device,
    shader: &Shader,
    entry: &'static str,
    depth: Option<wgpu::TextureFormat>,
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
        depth_stencil: depth.map(|format| wgpu::DepthStencilState {
            format,
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

/// A uniform of its own for one pass, under its number.
pub(crate) fn uniform<T: bytemuck::NoUninit>(
    device: &wgpu::Device,
    slot: u32,
    label: &'static str,
    value: &T,
) -> Resources {
    let mut resources = Resources::default();
    resources.set(slot, filled(device, label, wgpu::BufferUsages::UNIFORM, bytemuck::bytes_of(value)));
    resources
}
