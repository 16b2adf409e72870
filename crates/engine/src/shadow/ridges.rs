//! The ridges: for points of the land far about, the height below which the land towards the sun hides it.

use anemone_field::space::Position;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, DVec3, IVec2, Vec2};

use super::Layout;
use crate::world::{Terrain, World};

/// Points along the side of the grid, and metres between them: 24.5 km.
pub(crate) const RIDGE_SIDE: u32 = 512;
const CELL: f64 = 48.0;
/// The grid moves in steps of so many cells.
const STEP: f64 = 32.0;
/// Lower than this the sun's tangent is taken to be this: light that grazes the land.
const LEAST_RISE: f32 = 0.005;

/// Twin of `struct Ridges` in `grid.wesl`: the grid and the sun for which it is filled. Where two are alike, so are the ridges.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct RidgesUniform {
    tile: IVec2,
    local: Vec2,
    toward: Vec2,
    rise: f32,
    side: u32,
    cell: f32,
    first: u32,
    heights: u32,
    pad: u32,
}

const _: () = assert!(size_of::<RidgesUniform>() == 48);

impl RidgesUniform {
    /// Round an eye; None on a mesh, which has none.
    pub fn new(world: &World, eye: DVec3, layout: Layout) -> Option<Self> {
        if !matches!(world.terrain, Terrain::Height(_)) {
            return None;
        }
        let sun = world.sun.direction;
        let middle = (DVec2::new(eye.x, eye.z) / (STEP * CELL)).round() * STEP * CELL;
        let corner = middle - 0.5 * f64::from(RIDGE_SIDE) * CELL;
        let corner = Position::from_metres(DVec3::new(corner.x, 0.0, corner.y));
        let level = Vec2::new(sun.x, sun.z);
        Some(Self {
            tile: IVec2::new(corner.tile.x, corner.tile.z),
            local: Vec2::new(corner.local.x, corner.local.z),
            toward: level.try_normalize().unwrap_or(Vec2::X),
            rise: (sun.y / level.length().max(1e-4)).max(LEAST_RISE),
            side: RIDGE_SIDE,
            cell: CELL as f32,
            first: layout.ridges(),
            heights: layout.heights(),
            pad: 0,
        })
    }
}
