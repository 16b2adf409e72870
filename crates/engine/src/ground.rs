//! The ground as the hardware draws it, depth only: nested grids over a height, or a mesh.

pub(crate) mod grid;

use anemone_field::space::Position;
use anemone_ground::height::Ground;
use anemone_ground::mesh::Patches;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec4};
use wgpu::util::DeviceExt;
use wgpu_profiler::GpuProfiler;

use crate::canvas::DEPTH_FORMAT;
use crate::engine::shader;
use crate::kernel::{Kernel, Shader};
use crate::resources::{Resources, slot};
use crate::world::{Distance, Placement, Terrain, World};
use grid::{LEVEL_VERTICES, LEVELS, Layout, Reference, SOLID, index_lists};

/// What the shading needs of the ground beside its height. Twin of `struct Surface` in `shade/ground.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Surface {
    is_height: u32,
    grown: u32,
    pad: [u32; 2],
}

/// Draws the ground's depth.
pub(crate) struct GroundPass {
    shader: Shader,
    pipeline: wgpu::RenderPipeline,
    fill: Kernel,
    form: Form,
}

#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum Form {
    Grid { indices: wgpu::Buffer, ranges: Vec<std::ops::Range<u32>>, layout: Option<Layout> },
    Mesh { vertices: wgpu::Buffer, count: u32 },
}

impl GroundPass {
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        world: &World,
        patches: Option<&Patches>,
        resources: &mut Resources,
    ) -> Self {
        let draw = shader(device, "draw_ground", wgpu::ShaderStages::VERTEX);
        let fill = shader(device, "grid", wgpu::ShaderStages::COMPUTE).kernel(device, "fill_grid");
        let (module, layout) = draw.parts();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("ground"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("ground_vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: 16,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &wgpu::vertex_attr_array![0 => Float32x4],
                })],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Greater),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        });
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let level = |contents: &[u8], label| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage: uniform,
            })
        };
        let flat = Ground::plane(0.0);
        let ground = match &world.terrain {
            Terrain::Height(ground) => ground,
            Terrain::Mesh { .. } => &flat,
        };
        resources.set(slot::GROUND, level(bytemuck::bytes_of(&ground.uniform()), "ground"));
        resources.set_view(slot::HEIGHTS, heights(device, queue, ground));
        let grown = world.populations.first().is_some_and(|population| {
            matches!(population.placement, Placement::Everywhere { .. })
                && matches!(population.distance, Distance::Rank { .. })
        });
        let surface = Surface {
            is_height: u32::from(matches!(world.terrain, Terrain::Height(_))),
            grown: u32::from(grown),
            pad: [0; 2],
        };
        resources.set(slot::SURFACE, level(bytemuck::bytes_of(&surface), "surface"));
        let levels = [grid::Level::zeroed(); 16];
        resources.set(slot::GRID_LEVELS, level(bytemuck::cast_slice(&levels), "grid levels"));
        let mut reference = Reference { tile: glam::IVec3::ZERO, pad: 0 };
        let form = match (&world.terrain, patches) {
            (Terrain::Mesh { origin, .. }, Some(patches)) => {
                let at = Position::from_metres(*origin);
                reference.tile = at.tile;
                let vertices: Vec<Vec4> =
                    patches.vertices.iter().map(|vertex| (at.local + vertex.position).extend(1.0)).collect();
                let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some("ground mesh"),
                    contents: bytemuck::cast_slice(&vertices),
                    usage: wgpu::BufferUsages::VERTEX,
                });
                Form::Mesh { vertices: buffer, count: vertices.len() as u32 }
            }
            _ => {
                let (indices, ranges) = index_lists();
                let indices = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some("ground triangles"),
                    contents: bytemuck::cast_slice(&indices),
                    usage: wgpu::BufferUsages::INDEX,
                });
                Form::Grid { indices, ranges, layout: None }
            }
        };
        let vertices = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("ground vertices"),
            size: u64::from(LEVELS * LEVEL_VERTICES) * 16,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX,
            mapped_at_creation: false,
        });
        resources.set(slot::GRID_VERTICES, vertices);
        resources.set(slot::GRID_REFERENCE, level(bytemuck::bytes_of(&reference), "ground reference"));
        Self { shader: draw, pipeline, fill, form }
    }

    /// Draws the ground's depth for an eye; fills the grids anew where they have moved.
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        resources: &Resources,
        eye: DVec3,
        depth: &wgpu::TextureView,
        profiler: Option<&GpuProfiler>,
    ) {
        if let Form::Grid { layout, .. } = &mut self.form {
            let wanted = Layout::new(eye);
            if layout.as_ref() != Some(&wanted) {
                let upload = |slot, bytes| crate::pool::upload(device, encoder, resources.buffer(slot), 0, bytes);
                let mut upload = upload;
                upload(slot::GRID_LEVELS, bytemuck::cast_slice(&wanted.levels));
                upload(slot::GRID_REFERENCE, bytemuck::bytes_of(&wanted.reference));
                let query = profiler.map(|profiler| profiler.begin_pass_query("ground grid", encoder));
                {
                    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                        label: Some("ground grid"),
                        timestamp_writes: query.as_ref().and_then(|query| query.compute_pass_timestamp_writes()),
                    });
                    pass.set_pipeline(&self.fill.pipeline);
                    pass.set_bind_group(0, &self.fill.bind(device, resources), &[]);
                    pass.dispatch_workgroups(LEVEL_VERTICES.div_ceil(64), LEVELS, 1);
                }
                if let (Some(profiler), Some(query)) = (profiler, query) {
                    profiler.end_query(encoder, query);
                }
                *layout = Some(wanted);
            }
        }
        let bindings = self.shader.bind(device, resources);
        let query = profiler.map(|profiler| profiler.begin_pass_query("ground", encoder));
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("ground"),
                color_attachments: &[],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
                    stencil_ops: None,
                }),
                timestamp_writes: query.as_ref().and_then(|query| query.render_pass_timestamp_writes()),
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &bindings, &[]);
            match &self.form {
                Form::Grid { indices, ranges, layout } => {
                    pass.set_vertex_buffer(0, resources.buffer(slot::GRID_VERTICES).slice(..));
                    pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                    let holes = layout.as_ref().map_or([SOLID; LEVELS as usize], |layout| layout.holes);
                    for (level, hole) in holes.into_iter().enumerate() {
                        pass.draw_indexed(ranges[hole].clone(), (level as u32 * LEVEL_VERTICES) as i32, 0..1);
                    }
                }
                Form::Mesh { vertices, count } => {
                    pass.set_vertex_buffer(0, vertices.slice(..));
                    pass.draw(0..*count, 0..1);
                }
            }
        }
        if let (Some(profiler), Some(query)) = (profiler, query) {
            profiler.end_query(encoder, query);
        }
    }
}

/// The height map's raw samples as a texture, or a single texel where there is no map.
fn heights(device: &wgpu::Device, queue: &wgpu::Queue, ground: &Ground) -> wgpu::TextureView {
    let (size, samples) = ground.map().map_or(([1, 1], &[0_u16] as &[u16]), |map| (map.size(), map.samples()));
    let texture = device.create_texture_with_data(
        queue,
        &wgpu::TextureDescriptor {
            label: Some("heights"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R16Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        },
        wgpu::util::TextureDataOrder::LayerMajor,
        bytemuck::cast_slice(samples),
    );
    texture.create_view(&Default::default())
}
