//! The pool's tiles: which box of ground each holds, and which bodies. Twin of `tile.wesl`; the table is kept on the CPU,
//! for it is small, and what it needs in double precision is done here.
//!
//! A population that grows everywhere has nested square rings of tiles round the eye, 8 by 8 on a level, each level
//! twice as coarse as the one inside it and a quarter as dense. A tile's slot is its coordinate modulo 8: as the eye
//! moves on, a slot whose coordinate has changed is filled anew, and nothing is allocated. A coarse tile holds the first
//! bodies by rank of each fine cell in it, so a body is the same one whichever level shows it.

use anemone_field::hash::hash2;
use anemone_field::space::Position;
use anemone_ground::height::Ground;
use anemone_ground::mesh::{PatchOptions, Patches};
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, DVec3, IVec2, IVec3, Vec3};

use crate::error::Error;
use crate::world::{Distance, Placement, Population, Terrain, World};

/// Twin of `struct Tile`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Tile {
    pub tile: IVec3,
    pub first: u32,
    pub local: Vec3,
    pub capacity: u32,
    pub extent: Vec3,
    pub population: u32,
    pub cell: IVec2,
    pub cells_log2: u32,
    pub per_cell: u32,
    pub full: f32,
    pub cell_side: f32,
    pub seed: u32,
    pub kind: u32,
    pub mesh_corner: Vec3,
    pub margin: f32,
}

const _: () = assert!(size_of::<Tile>() == 96);

const KIND_GROUND: u32 = 0;
pub(crate) const KIND_MESH: u32 = 1;

/// Tiles along the side of a ring level. The window moves in steps of two tiles, so the eye is never nearer to its border
/// than three.
const RING: i32 = 8;
const RING_REACH: f64 = 3.0;

/// The most bodies of a tile of a bounded population, about.
const TILE_BODIES: u32 = 4096;

/// Populations that grow everywhere leave ground bare that is steeper than this, as rise over run: it does not fit the box of
/// a tile.
pub const STEEPEST: f64 = 3.0;

/// What is given up where a device binds too little: halvings of the distance of full density, and outermost rings.
#[derive(Clone, Copy, Debug, Default)]
struct Economy {
    shrink: u32,
    dropped: usize,
}

/// How far a population that grows everywhere reaches, m. The distance of full density goes by powers of two, and both may be
/// less than was asked for where the device binds too few bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RingExtent {
    /// Every body stands this far from the eye.
    pub full_within: f32,
    /// The nearest power of two to what was asked for.
    pub wanted_full_within: f32,
    /// No body stands farther.
    pub range: f32,
    /// What was asked for.
    pub wanted_range: f32,
}

/// The rings of one population.
#[derive(Clone, Debug)]
struct Rings {
    population: u32,
    /// Side of a tile of level 0, m: a power of two.
    side: f64,
    /// Side that the author's distance of full density asked for, m.
    wanted_side: f64,
    /// How far the rings reach, and how far the author wanted them to, m.
    reach: f64,
    range: f64,
    density: f64,
    /// How far a root may stand outside of its cell, m.
    margin: f64,
    seed: u32,
    levels: Vec<RingLevel>,
}

#[derive(Clone, Debug)]
struct RingLevel {
    /// First tile of the level in the table; slot (x, z) follows row by row.
    first: usize,
    /// Lower corner of the window, in tiles of this level.
    corner: Option<IVec2>,
}

/// All tiles of a world.
#[derive(Clone, Debug)]
pub(crate) struct TileTable {
    pub tiles: Vec<Tile>,
    /// Bodies that the pool has room for.
    pub bodies: u64,
    /// Bodies of each population.
    shares: Vec<u64>,
    /// Tiles that have changed since the last call of [`TileTable::take_changed`], in order.
    changed: Vec<u32>,
    rings: Vec<Rings>,
}

impl TileTable {
    /// Lays out the tiles of a world; rings are empty until [`TileTable::follow`].
    ///
    /// Where more than `most` bodies would be stored, populations that grow everywhere give up their outermost rings, two
    /// at most, and if that does not do they thin out at half the distance.
    pub fn new(world: &World, patches: Option<&Patches>, most: u64) -> Result<Self, Error> {
        let mut tried = None;
        for shrink in 0..8 {
            for dropped in 0..3 {
                let table = Self::with_rings(world, patches, Economy { shrink, dropped })?;
                if table.bodies <= most || table.rings.is_empty() {
                    return Ok(table);
                }
                tried = Some(table);
            }
        }
        // The caller says what does not fit.
        tried.map_or_else(|| Self::with_rings(world, patches, Economy::default()), Ok)
    }

    fn with_rings(world: &World, patches: Option<&Patches>, economy: Economy) -> Result<Self, Error> {
        let mut table =
            Self { tiles: Vec::new(), bodies: 0, shares: Vec::new(), changed: Vec::new(), rings: Vec::new() };
        for (index, population) in world.populations.iter().enumerate() {
            let refuse = |why| Error::Placement { index, why };
            let before = table.bodies;
            match (&world.terrain, population.placement) {
                (Terrain::Height(_), Placement::Everywhere { density }) => {
                    table.add_rings(index as u32, population, density, economy).map_err(refuse)?;
                }
                (Terrain::Height(ground), Placement::Square { centre, side, count }) => {
                    table.add_square(index as u32, population, ground, centre, side, count).map_err(refuse)?;
                }
                (Terrain::Mesh { origin, .. }, Placement::Surface { count }) => {
                    if let Some(patches) = patches {
                        table.add_patches(index as u32, population, patches, *origin, count);
                    }
                }
                (Terrain::Height(_), Placement::Surface { .. }) => {
                    return Err(refuse("a count over the surface needs a mesh as ground"));
                }
                (Terrain::Mesh { .. }, _) => {
                    return Err(refuse("on a mesh bodies stand all over the surface: give their count"));
                }
            }
            table.shares.push(table.bodies - before);
        }
        Ok(table)
    }

    /// The population with the most bodies, from 0.
    pub fn largest_population(&self) -> usize {
        (0..self.shares.len()).max_by_key(|index| self.shares[*index]).unwrap_or(0)
    }

    fn push(&mut self, mut tile: Tile) {
        tile.first = self.bodies as u32;
        self.bodies += u64::from(tile.capacity);
        if tile.capacity > 0 {
            self.changed.push(self.tiles.len() as u32);
        }
        self.tiles.push(tile);
    }

    fn add_rings(
        &mut self,
        index: u32,
        population: &Population,
        density: f32,
        economy: Economy,
    ) -> Result<(), &'static str> {
        let Distance::Rank { full_within, range } = population.distance else {
            return Err("buckets leave out bodies of a fixed number: give a count, or distance = \"rank\"");
        };
        // Level 0 reaches twice as far as full density does, because a level holds a quarter of the one inside it.
        let wanted_side = (2.0 * f64::from(full_within) / RING_REACH).log2().round().exp2();
        let side = (wanted_side / f64::from(economy.shrink).exp2()).clamp(1.0 / 16.0, 64.0);
        let mut levels = Vec::new();
        let mut reach = 0.0;
        while reach < f64::from(range) && levels.len() < 12 {
            let level = levels.len() as u32;
            let (per_cell, _) = ring_capacity(f64::from(density) * side * side, level);
            levels.push(RingLevel { first: self.tiles.len(), corner: None });
            for _ in 0..RING * RING {
                let capacity = per_cell << (2 * level);
                let first = self.bodies as u32;
                self.bodies += u64::from(capacity);
                self.tiles.push(Tile { first, population: index, ..Zeroable::zeroed() });
            }
            reach = RING_REACH * side * f64::from(level).exp2();
        }
        for _ in 0..economy.dropped.min(levels.len().saturating_sub(1)) {
            if let Some(RingLevel { first, .. }) = levels.pop() {
                self.bodies = u64::from(self.tiles[first].first);
                self.tiles.truncate(first);
                reach *= 0.5;
            }
        }
        let reach = reach.min(f64::from(range));
        let seed = hash2(population.seed, index);
        self.rings.push(Rings {
            population: index,
            side,
            wanted_side,
            reach,
            range: f64::from(range),
            density: f64::from(density),
            margin: margin(population),
            seed,
            levels,
        });
        Ok(())
    }

    fn add_square(
        &mut self,
        index: u32,
        population: &Population,
        ground: &Ground,
        centre: DVec2,
        side: f32,
        count: u32,
    ) -> Result<(), &'static str> {
        if side.is_nan() || side <= 0.0 {
            return Err("the side of a square must be positive");
        }
        let along = f64::from(count.div_ceil(TILE_BODIES)).sqrt().ceil().max(1.0) as u32;
        let tiles = along * along;
        let tile_side = f64::from(side) / f64::from(along);
        let corner = centre - 0.5 * f64::from(side);
        for z in 0..along {
            for x in 0..along {
                let i = z * along + x;
                let capacity = count / tiles + u32::from(i < count % tiles);
                let at = corner + DVec2::new(f64::from(x), f64::from(z)) * tile_side;
                let margin = margin(population);
                let (position, extent) = ground_box(ground, at, tile_side, margin);
                self.push(Tile {
                    tile: position.tile,
                    first: 0,
                    local: position.local,
                    capacity,
                    extent,
                    population: index,
                    cell: IVec2::new(x as i32, z as i32),
                    cells_log2: 0,
                    per_cell: capacity,
                    full: capacity as f32,
                    cell_side: tile_side as f32,
                    seed: hash2(population.seed, index),
                    kind: KIND_GROUND,
                    mesh_corner: Vec3::ZERO,
                    margin: margin as f32,
                });
            }
        }
        Ok(())
    }

    fn add_patches(&mut self, index: u32, population: &Population, patches: &Patches, origin: DVec3, count: u32) {
        for (i, (patch, capacity)) in patches.patches.iter().zip(patches.counts(count)).enumerate() {
            let position = Position::from_metres(origin + patch.origin.as_dvec3());
            self.push(Tile {
                tile: position.tile,
                first: 0,
                local: position.local,
                capacity,
                extent: patch.extent,
                population: index,
                cell: IVec2::new(patch.first as i32, patch.count as i32),
                cells_log2: 0,
                per_cell: capacity,
                full: capacity as f32,
                cell_side: 0.0,
                seed: hash2(hash2(population.seed, index), i as u32),
                kind: KIND_MESH,
                mesh_corner: patch.origin,
                margin: 0.0,
            });
        }
    }

    /// How far the rings of a population reach.
    pub fn extent(&self, population: u32) -> Option<RingExtent> {
        let rings = self.rings.iter().find(|rings| rings.population == population)?;
        let [full_within, wanted_full_within] =
            [rings.side, rings.wanted_side].map(|side| (0.5 * RING_REACH * side) as f32);
        Some(RingExtent {
            full_within,
            wanted_full_within,
            range: rings.reach as f32,
            wanted_range: rings.range as f32,
        })
    }

    /// Moves the rings to where the eye is.
    pub fn follow(&mut self, eye: DVec3, terrain: &Terrain) {
        let Terrain::Height(ground) = terrain else { return };
        for rings in &mut self.rings {
            let mut hole: Option<[IVec2; 2]> = None;
            for (level, ring) in rings.levels.iter_mut().enumerate() {
                let side = rings.side * (level as f64).exp2();
                let middle = (DVec2::new(eye.x, eye.z) / (2.0 * side)).round().as_ivec2() * 2;
                let corner = middle - RING / 2;
                for z in 0..RING {
                    for x in 0..RING {
                        let at = corner + IVec2::new(x, z);
                        let slot = ring.first + (at.y.rem_euclid(RING) * RING + at.x.rem_euclid(RING)) as usize;
                        let inside = hole.is_some_and(|[low, high]| at.cmpge(low).all() && at.cmplt(high).all());
                        let (per_cell, full) = ring_capacity(rings.density * rings.side * rings.side, level as u32);
                        let capacity = if inside { 0 } else { per_cell << (2 * level) };
                        let cell = at * (1 << level);
                        let old = &self.tiles[slot];
                        if old.capacity == capacity && (capacity == 0 || (old.cell == cell && ring.corner.is_some())) {
                            continue;
                        }
                        let first = old.first;
                        let (position, extent) = ground_box(ground, at.as_dvec2() * side, side, rings.margin);
                        self.tiles[slot] = Tile {
                            tile: position.tile,
                            first,
                            local: position.local,
                            capacity,
                            extent,
                            population: rings.population,
                            cell,
                            cells_log2: level as u32,
                            per_cell,
                            full: full as f32,
                            cell_side: rings.side as f32,
                            seed: rings.seed,
                            kind: KIND_GROUND,
                            mesh_corner: Vec3::ZERO,
                            margin: rings.margin as f32,
                        };
                        self.changed.push(slot as u32);
                    }
                }
                ring.corner = Some(corner);
                hole = Some([corner / 2, (corner + RING) / 2]);
            }
        }
    }

    /// The tiles that have changed since the last call, in order, without repeats.
    pub fn take_changed(&mut self) -> Vec<u32> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// The patches of the world's mesh, if its ground is one: small enough that a tile of the densest population holds about
/// [`TILE_BODIES`].
pub(crate) fn patches_of(world: &World) -> Option<Patches> {
    let Terrain::Mesh { mesh, .. } = &world.terrain else { return None };
    let count = world.populations.iter().map(|population| match population.placement {
        Placement::Surface { count } => count,
        _ => 0,
    });
    let most = count.max().unwrap_or(0).max(TILE_BODIES);
    let max_area = (mesh.area() * f64::from(TILE_BODIES) / f64::from(most)) as f32;
    Some(mesh.patches(&PatchOptions { max_area, max_triangles: 4096 }))
}

/// Bodies that a ring level stores of each fine cell, and those that a cell holds at full density. One more than a
/// quarter of the level inside, because the share that is kept is dithered between cells.
fn ring_capacity(full: f64, level: u32) -> (u32, f64) {
    let share = full / f64::from(4_u32.pow(level));
    let per_cell = if level == 0 { full.ceil() } else { share.floor() + 1.0 };
    (per_cell.max(1.0) as u32, full)
}

/// How far a root may be drawn out of the cell that it belongs to, m.
fn margin(population: &Population) -> f64 {
    population.clumps.map_or(0.0, |clumps| f64::from(clumps.margin()))
}

/// The box of a square of ground and a margin round it: its corner and extent, tall enough for slopes up to [`STEEPEST`].
fn ground_box(ground: &Ground, corner: DVec2, side: f64, margin: f64) -> (Position, Vec3) {
    let (corner, side) = (corner - margin, side + 2.0 * margin);
    let middle = corner + 0.5 * side;
    let height = ground.height(Position::from_metres(DVec3::new(middle.x, 0.0, middle.y)));
    let half = STEEPEST * 0.5 * side + 1.0;
    let position = Position::from_metres(DVec3::new(corner.x, f64::from(height) - half, corner.y));
    (position, Vec3::new(side as f32, (2.0 * half) as f32, side as f32))
}
