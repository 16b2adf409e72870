//! A world's bodies on the GPU: the pool, its tiles, and the lists that a frame makes of them.

use anemone_ground::mesh::{MeshVertex, Patches};

use crate::error::Error;
use crate::fill::{filled, upload};
use crate::resources::{Resources, slot};
use crate::stats::Counts;
use crate::tile::{RingExtent, Tile, TileTable, patches_of};
use crate::world::{Terrain, World};

/// Bytes of the pool for each body.
pub(crate) const BODY_BYTES: u64 = 32;
/// Pieces of segments too large for one lane that are listed; what finds no room is drawn all the same, more slowly.
pub(crate) const BIG_CAPACITY: u32 = 1 << 18;
/// Lanes that draw one of them; `raster.wesl` has the same number.
pub(crate) const BIG_LANES: u64 = 8;

const CHUNK: u64 = 256;
/// Of `struct TileState`.
const TILE_STATE_BYTES: u64 = 64;
const ITEM_BYTES: u64 = 16;
/// In each of the two lists that a row is kept in.
const ROW_BYTES: u64 = 8;
/// Cross-sections that the list has room for, for each body in the pool: most bodies are far off and have two or three.
const ROWS_A_BODY: u64 = 6;
/// Cross-sections of the nearest, most detailed bodies: 27 segments, folded.
const MOST_ROWS: u64 = 56;

pub(crate) struct Pool {
    table: TileTable,
    patches: Option<Patches>,
    chunks: u64,
    items: u64,
    rows: u64,
}

impl Pool {
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        world: &World,
        resources: &mut Resources,
    ) -> Result<Self, Error> {
        let patches = patches_of(world);
        let limit = device.limits().max_storage_buffer_binding_size.min(device.limits().max_buffer_size);
        let table = TileTable::new(world, patches.as_ref(), limit / BODY_BYTES)?;
        let bodies = table.bodies.max(1);
        let need = bodies * BODY_BYTES;
        // Bodies and rows are counted in 32 bits, items in 25.
        if need > limit || bodies > u64::from(u32::MAX >> 4) {
            let population = table.largest_population();
            return Err(Error::TooManyBodies { bodies, need, limit, population });
        }
        let items = bodies.min((1 << 25) - 2).min(limit / ITEM_BYTES);
        let rows = (bodies * MOST_ROWS).min((bodies * ROWS_A_BODY).max(1 << 22)).min(limit / ROW_BYTES);
        let tiles = table.tiles.len().max(1) as u64;
        let corners = patches.as_ref().map_or(0, |patches| patches.vertices.len() as u64);
        let need = (corners * size_of::<MeshVertex>() as u64).max(tiles * size_of::<Tile>() as u64);
        if need > limit {
            return Err(Error::TooLargeMesh { triangles: corners / 3, tiles, need, limit });
        }
        let chunks = bodies / CHUNK + tiles;

        let buffer = |label, size: u64, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        resources.set(slot::FRAME, buffer("frame", size_of::<crate::frame::FrameUniform>() as u64, uniform));
        let previous = size_of::<crate::frame::PreviousUniform>() as u64;
        resources.set(slot::PREVIOUS, buffer("previous drawing", previous, uniform));
        let wind = size_of::<anemone_field::wind::WindUniform>() as u64;
        resources.set(slot::WIND, buffer("wind", wind, uniform));
        let populations = size_of::<crate::population::PopulationsUniform>() as u64;
        resources.set(slot::POPULATIONS, buffer("populations", populations, uniform));
        let colliders = size_of::<crate::collider::CollidersUniform>() as u64;
        resources.set(slot::COLLIDERS, buffer("colliders", colliders, uniform));
        resources.set(slot::TILES, buffer("tiles", tiles * size_of::<Tile>() as u64, storage));
        resources.set(slot::TILE_STATES, buffer("tile states", tiles * TILE_STATE_BYTES, storage));
        resources.set(slot::CHANGED, buffer("changed tiles", tiles * 4, storage));
        resources.set(slot::BODIES, buffer("bodies", bodies * BODY_BYTES, storage));
        resources.set(slot::CHUNKS, buffer("chunks", chunks * 16, storage));
        resources.set(slot::SUMS, buffer("sums", chunks * 4, storage));
        resources.set(slot::MASKS, buffer("masks", chunks * 32, storage));
        resources.set(slot::COUNTS, buffer("counts", size_of::<Counts>() as u64, storage));
        resources.set(slot::ITEMS, buffer("items", items * ITEM_BYTES, storage));
        resources.set(slot::ROWS, buffer("rows", rows * ROW_BYTES, storage));
        resources.set(slot::ROW_SHAPES, buffer("row shapes", rows * ROW_BYTES, storage));
        resources.set(slot::DRAWS, buffer("draws", (items + 2 * u64::from(BIG_CAPACITY)) * 4, storage));

        let (vertices, cdf) = match &patches {
            Some(patches) => (bytemuck::cast_slice(&patches.vertices), bytemuck::cast_slice(&patches.cdf)),
            None => (&[0_u8; 32] as &[u8], &[0_u8; 4] as &[u8]),
        };
        resources.set(slot::MESH_VERTICES, filled(device, "mesh vertices", storage, vertices));
        resources.set(slot::MESH_CDF, filled(device, "mesh areas", storage, cdf));
        if !table.tiles.is_empty() {
            queue.write_buffer(resources.buffer(slot::TILES), 0, bytemuck::cast_slice(&table.tiles));
        }
        Ok(Self { table, patches, chunks, items, rows })
    }

    /// Moves the rings to the eye; the tiles that must be filled anew, in order.
    pub fn follow(&mut self, eye: glam::DVec3, terrain: &Terrain) -> Vec<u32> {
        self.table.follow(eye, terrain);
        self.table.take_changed()
    }

    /// Sends the changed tiles and their list.
    pub fn upload(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        resources: &Resources,
        changed: &[u32],
    ) {
        if changed.is_empty() {
            return;
        }
        // Neighbours go together: a ring that moves changes rows of its window.
        for run in changed.chunk_by(|a, b| a + 1 == *b) {
            let tiles = &self.table.tiles[run[0] as usize..=run[run.len() - 1] as usize];
            let offset = u64::from(run[0]) * size_of::<Tile>() as u64;
            upload(device, encoder, resources.buffer(slot::TILES), offset, bytemuck::cast_slice(tiles));
        }
        upload(device, encoder, resources.buffer(slot::CHANGED), 0, bytemuck::cast_slice(changed));
    }

    /// See [`TileTable::extent`].
    pub fn extent(&self, population: u32) -> Option<RingExtent> {
        self.table.extent(population)
    }

    pub fn tiles(&self) -> u32 {
        self.table.tiles.len() as u32
    }

    pub fn bodies(&self) -> u64 {
        self.table.bodies
    }

    pub fn chunks(&self) -> u64 {
        self.chunks
    }

    pub fn items(&self) -> u64 {
        self.items
    }

    pub fn rows(&self) -> u64 {
        self.rows
    }

    pub fn patches(&self) -> Option<&Patches> {
        self.patches.as_ref()
    }
}
