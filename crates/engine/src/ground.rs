//! The ground: its height as the shaders read it, and the triangles that stand for it, which `ground/raster.wesl` draws: nested
//! grids over a height, or a mesh.

pub(crate) mod grid;

use anemone_field::space::Position;
use anemone_ground::height::Ground;
use anemone_ground::mesh::Patches;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec4};

use wgpu::util::DeviceExt;

use crate::fill::filled;
use crate::kernels::Kernels;
use crate::resources::{Resources, slot};
use crate::timing::Timing;
use crate::world::{Placement, Terrain, World};
use grid::{CELLS, LEVEL_VERTICES, LEVELS, Layout, Reference};

/// Squares of large triangles that are listed; what finds no room is drawn all the same, more slowly.
pub(crate) const LARGE_CAPACITY: u64 = 1 << 17;

/// What the shading needs of the ground beside its height. Twin of `struct Surface` in `shade/around.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Surface {
    is_height: u32,
    everywhere: u32,
    pad: [u32; 2],
}

/// The ground's triangles.
pub(crate) struct GroundPass {
    /// Where the grids lie; None before the first frame, and for a mesh.
    layout: Option<Layout>,
    /// Triangles of a mesh; 0: the grids are drawn.
    triangles: u32,
}

impl GroundPass {
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        world: &World,
        patches: Option<&Patches>,
        resources: &mut Resources,
    ) -> Self {
        let buffer = |contents: &[u8], label, usage| filled(device, label, usage, contents);
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let flat = Ground::plane(0.0);
        let ground = match &world.terrain {
            Terrain::Height(ground) => ground,
            Terrain::Mesh { .. } => &flat,
        };
        resources.set(slot::GROUND, buffer(bytemuck::bytes_of(&ground.uniform()), "ground", uniform));
        resources.set_view(slot::HEIGHTS, heights(device, queue, ground));
        // Far off the ground takes the colour of what grows everywhere.
        let everywhere =
            world.populations.iter().enumerate().fold(0, |mask, (index, population)| match population.placement {
                Placement::Everywhere { .. } => mask | 1 << index,
                _ => mask,
            });
        let is_height = u32::from(matches!(world.terrain, Terrain::Height(_)));
        let surface = Surface { is_height, everywhere, pad: [0; 2] };
        resources.set(slot::SURFACE, buffer(bytemuck::bytes_of(&surface), "surface", uniform));
        let mut reference = Reference::zeroed();
        let vertices = match (&world.terrain, patches) {
            (Terrain::Mesh { origin, .. }, Some(patches)) => {
                let at = Position::from_metres(*origin);
                reference = Reference { tile: at.tile, triangles: (patches.vertices.len() / 3) as u32 };
                let corners: Vec<Vec4> =
                    patches.vertices.iter().map(|vertex| (at.local + vertex.position).extend(1.0)).collect();
                buffer(bytemuck::cast_slice(&corners), "ground vertices", wgpu::BufferUsages::STORAGE)
            }
            _ => device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("ground vertices"),
                size: u64::from(LEVELS * LEVEL_VERTICES) * 16,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            }),
        };
        resources.set(slot::GRID_VERTICES, vertices);
        resources.set(slot::GRID_REFERENCE, buffer(bytemuck::bytes_of(&reference), "ground reference", uniform));
        let levels = [grid::Level::zeroed(); 16];
        resources.set(slot::GRID_LEVELS, buffer(bytemuck::cast_slice(&levels), "grid levels", uniform));
        resources.set(
            slot::GROUND_LARGE,
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("large triangles"),
                size: LARGE_CAPACITY * 8,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            }),
        );
        Self { layout: None, triangles: reference.triangles }
    }

    /// Triangles that the raster looks at, in lanes of its fixed grid.
    pub fn lanes(&self) -> u64 {
        if self.triangles > 0 { u64::from(self.triangles) } else { u64::from(CELLS * CELLS * LEVELS) }
    }

    /// Moves the grids to an eye, and fills them anew where they have moved.
    pub fn follow(
        &mut self,
        kernels: &Kernels,
        encoder: &mut wgpu::CommandEncoder,
        resources: &Resources,
        eye: DVec3,
        timing: &mut Timing<'_>,
    ) {
        if self.triangles > 0 {
            return;
        }
        let wanted = Layout::new(eye);
        if self.layout.as_ref() == Some(&wanted) {
            return;
        }
        for (slot, bytes) in [
            (slot::GRID_LEVELS, bytemuck::cast_slice(&wanted.levels)),
            (slot::GRID_REFERENCE, bytemuck::bytes_of(&wanted.reference)),
        ] {
            crate::fill::upload(kernels.device(), encoder, resources.buffer(slot), 0, bytes);
        }
        let fill = kernels.grid.get(&kernels.compiler);
        let query = timing.begin("ground grid", encoder);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("ground grid"),
                timestamp_writes: query.as_ref().and_then(|query| query.compute_pass_timestamp_writes()),
            });
            pass.set_pipeline(&fill.pipeline);
            pass.set_bind_group(0, &fill.bind(kernels.device(), &[resources]), &[]);
            pass.dispatch_workgroups(LEVEL_VERTICES.div_ceil(64), LEVELS, 1);
        }
        timing.end("ground grid", encoder, query);
        self.layout = Some(wanted);
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
