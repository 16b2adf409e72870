//! The ground as one thing: its height and slope anywhere, whatever it is made of.
//!
//! The twin is `height.wesl`. Shader twins have no bindings, so whoever calls loads the samples; the order is
//!
//! ```wgsl
//! fn ground_height(tile: vec2i, local: vec2f, finest: f32) -> vec3f {
//!     if (ground.map.size.x == 0) { return ground_without_map(ground, tile, local, finest); }
//!     let at = map_cell(tile, local, ground.map);
//!     var samples: array<f32, 16>;
//!     for (var i = 0u; i < 16u; i++) {
//!         samples[i] = f32(textureLoad(heights, map_sample(at.cell, i, ground.map), 0).x); // r16uint
//!     }
//!     return ground_from_map(ground, at, samples, tile, local, finest);
//! }
//! ```
//!
//! and the sum, with map height m, roughness r and detail d, is h = m + r d, whose slope is ∇m + d ∇r + r ∇d.

use anemone_field::space::Position;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Vec2, Vec3};

use crate::detail::{Detail, DetailUniform, detail, map_roughness};
use crate::height_map::HeightMap;
use crate::map::{MapCell, MapUniform, map_cell, map_height, map_sample};

/// The ground as shaders read it. WESL twin: `GroundUniform` of `package::ground::height`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct GroundUniform {
    /// The map, or the level of the ground without one.
    pub map: MapUniform,
    /// Detail on top of it.
    pub detail: DetailUniform,
}

const _: () = {
    assert!(std::mem::offset_of!(GroundUniform, detail) == 80);
    assert!(size_of::<GroundUniform>() == 112);
};

/// Height and its slopes along x and z, from the raw samples of [`map_sample`] for the cell of [`map_cell`].
#[must_use]
pub fn ground_from_map(
    ground: &GroundUniform,
    at: MapCell,
    samples: &[f32; 16],
    tile: IVec2,
    local: Vec2,
    finest: f32,
) -> Vec3 {
    let map = map_height(samples, at.fraction, &ground.map);
    let rough = map_roughness(samples, at.fraction, &ground.map, &ground.detail);
    let fine = detail(tile, local, &ground.detail, finest);
    let slope = Vec2::new(map.y, map.z) + Vec2::new(rough.y, rough.z) * fine.x + rough.x * Vec2::new(fine.y, fine.z);
    Vec3::new(map.x + rough.x * fine.x, slope.x, slope.y)
}

/// Height and its slopes along x and z where there is no map.
#[must_use]
pub fn ground_without_map(ground: &GroundUniform, tile: IVec2, local: Vec2, finest: f32) -> Vec3 {
    let fine = ground.detail.flat_ground * detail(tile, local, &ground.detail, finest);
    Vec3::new(ground.map.offset + fine.x, fine.y, fine.z)
}

/// The unit normal of a surface given as (height, slope along x, slope along z).
#[must_use]
pub fn ground_normal(surface: Vec3) -> Vec3 {
    let (x, z) = (surface.y, surface.z);
    Vec3::new(-x, 1.0, -z) / (1.0 + (x * x + z * z)).sqrt()
}

/// Height and slope of the ground at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Metres above y = 0.
    pub height: f32,
    /// Metres of rise per metre along x and along z.
    pub slope: Vec2,
}

impl Surface {
    /// The unit normal, upwards.
    #[must_use]
    pub fn normal(self) -> Vec3 {
        ground_normal(Vec3::new(self.height, self.slope.x, self.slope.y))
    }
}

/// The ground bodies stand on: a height map, a plane, or hills, with detail.
///
/// ```
/// use anemone_field::space::Position;
/// use anemone_ground::height::Ground;
/// use glam::DVec3;
///
/// let ground = Ground::hills(7);
/// let here = Position::from_metres(DVec3::new(120.0, 0.0, -40.0));
/// assert!(ground.normal(here).y > 0.5);
/// assert_eq!(Ground::plane(2.0).height(here), 2.0);
/// ```
#[derive(Clone, Debug)]
pub struct Ground {
    map: Option<HeightMap>,
    uniform: GroundUniform,
}

impl Default for Ground {
    /// Rolling hills.
    fn default() -> Self {
        Self::hills(1)
    }
}

impl Ground {
    /// Level ground at `level` metres.
    #[must_use]
    pub fn plane(level: f32) -> Self {
        Self::without_map(level, &Detail::none())
    }

    /// Rolling hills round y = 0 ([`Detail::hills`]).
    #[must_use]
    pub fn hills(seed: u32) -> Self {
        Self::without_map(0.0, &Detail::hills(seed))
    }

    /// Level ground at `level` metres with `detail`.
    #[must_use]
    pub fn without_map(level: f32, detail: &Detail) -> Self {
        Self { map: None, uniform: GroundUniform { map: MapUniform::none(level), detail: detail.uniform() } }
    }

    /// A height map with `detail` ([`Detail::below`] its spacing suits most).
    #[must_use]
    pub fn from_map(map: HeightMap, detail: &Detail) -> Self {
        let uniform = GroundUniform { map: map.uniform(), detail: detail.uniform() };
        Self { map: Some(map), uniform }
    }

    /// The map, where there is one; its samples go to the GPU.
    #[must_use]
    pub fn map(&self) -> Option<&HeightMap> {
        self.map.as_ref()
    }

    /// What the shaders read.
    #[must_use]
    pub fn uniform(&self) -> GroundUniform {
        self.uniform
    }

    /// Height and slope at the x and z of `position`, without detail under `finest` metres (0: all of it).
    ///
    /// Heights are f32: at 1,000 m their steps are 0.06 mm, at 8,000 m 0.5 mm.
    #[must_use]
    pub fn surface(&self, position: Position, finest: f32) -> Surface {
        let tile = IVec2::new(position.tile.x, position.tile.z);
        let local = Vec2::new(position.local.x, position.local.z);
        let found = match &self.map {
            None => ground_without_map(&self.uniform, tile, local, finest),
            Some(map) => {
                let at = map_cell(tile, local, &self.uniform.map);
                let samples = std::array::from_fn(|i| map.raw(map_sample(at.cell, i as u32, &self.uniform.map)));
                ground_from_map(&self.uniform, at, &samples, tile, local, finest)
            }
        };
        Surface { height: found.x, slope: Vec2::new(found.y, found.z) }
    }

    /// Height at the x and z of `position`, metres above y = 0.
    #[must_use]
    pub fn height(&self, position: Position) -> f32 {
        self.surface(position, 0.0).height
    }

    /// The unit normal at the x and z of `position`.
    #[must_use]
    pub fn normal(&self, position: Position) -> Vec3 {
        self.surface(position, 0.0).normal()
    }

    /// Least and greatest height anywhere, metres: bounds, not necessarily reached.
    #[must_use]
    pub fn height_range(&self) -> [f32; 2] {
        let whole = self.map.as_ref().map(|map| (IVec2::splat(-2), map.uniform().size));
        self.range_of_cells(whole)
    }

    /// Bounds of the heights in the rectangle from the x and z of `corner` to `size` metres further (both at least 0).
    #[must_use]
    pub fn range(&self, corner: Position, size: Vec2) -> [f32; 2] {
        let cells = self.map.as_ref().map(|_| {
            let tile = IVec2::new(corner.tile.x, corner.tile.z);
            let local = Vec2::new(corner.local.x, corner.local.z);
            let map = &self.uniform.map;
            (map_cell(tile, local, map).cell, map_cell(tile, local + size, map).cell)
        });
        self.range_of_cells(cells)
    }

    fn range_of_cells(&self, cells: Option<(IVec2, IVec2)>) -> [f32; 2] {
        let detail = self.uniform.detail;
        let base = match (&self.map, cells) {
            (Some(map), Some((first, last))) => map.range(first, last),
            _ => [self.uniform.map.offset; 2],
        };
        let roughness = match (&self.map, cells) {
            (Some(map), Some((first, last))) => detail.greatest_roughness(map.steepest(first, last)),
            _ => detail.flat_ground.abs(),
        };
        // A little more than the sum of the amplitudes, for the rounding of the sum itself.
        let most = 1.0001 * roughness * detail.residual(f32::INFINITY) + 1e-6 * base[0].abs().max(base[1].abs());
        [base[0] - most, base[1] + most]
    }
}
