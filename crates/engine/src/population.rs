//! Populations as the shaders read them. Twin of `population.wesl`.

use anemone_field::space::Position;
use anemone_ground::clump::ClumpGrid;
use anemone_ground::growth::GrowthUniform;
use anemone_motion::blade::{
    BladeLaw, LENGTH_EXACT, LENGTH_PAPER, SHAPE_QUAD, SHAPE_QUADRATIC, SHAPE_TIP, SHAPE_TRIANGLE,
};
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use crate::tile::RingExtent;
use crate::world::{Clumps, Distance, Facing, Growth, MOST_POPULATIONS, Placement, Population, Shape, Terrain, World};

/// Twin of `struct Population`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct PopulationUniform {
    law: BladeLaw,
    height: Vec2,
    width: Vec2,
    stiffness: Vec2,
    lean: Vec2,
    full_within: f32,
    range: f32,
    shape: u32,
    threshold: f32,
    flags: u32,
    buckets: u32,
    seed: u32,
    widest: f32,
    root: Vec3,
    variety: f32,
    tip: Vec3,
    lai: f32,
    dry: Vec3,
    slender: f32,
    through: Vec3,
    dead: f32,
    clumps: ClumpGrid,
    clump_height: f32,
    clump_facing: f32,
    clump_fan: f32,
    clump_gather: f32,
    clump_color: f32,
    upright: f32,
    number: u32,
    covered: f32,
    growth: GrowthUniform,
}

const _: () = assert!(size_of::<PopulationUniform>() == 304);

/// All populations.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct PopulationsUniform([PopulationUniform; MOST_POPULATIONS]);

const CULL_FRUSTUM: u32 = 1;
const CULL_DISTANCE: u32 = 2;
const CULL_FACING: u32 = 4;
const FACING_WIDEN: u32 = 8;
const BUCKETS: u32 = 16;
const FOLDED: u32 = 32;
const HAS_FIELD: u32 = 64;
const SITED: u32 = 128;

/// How upright leaves stand: grass, whose mean leaf angle is 70°.
const UPRIGHT: f32 = 0.4;

/// Pixels to which far bodies are widened at most, in place of those that are left out.
pub(crate) const WIDEST: f32 = 1.5;

impl PopulationsUniform {
    /// For a view in which a metre at a metre's distance takes `focal` pixels.
    pub fn new(world: &World, focal: f32, extent: impl Fn(u32) -> Option<RingExtent>) -> Self {
        let area = match &world.terrain {
            Terrain::Mesh { mesh, .. } => Some(mesh.area() as f32),
            Terrain::Height(_) => None,
        };
        let mut uniform = Self::zeroed();
        for (index, (slot, population)) in uniform.0.iter_mut().zip(&world.populations).enumerate() {
            *slot = PopulationUniform::new(population, focal, area);
            slot.number = index as u32;
            if let Some(extent) = extent(index as u32) {
                slot.full_within = extent.full_within;
                slot.range = extent.range;
            }
        }
        uniform
    }

    /// The same for an eye that looks all round.
    pub fn all_round(mut self) -> Self {
        for population in &mut self.0 {
            population.flags &= !(CULL_FRUSTUM | CULL_FACING);
        }
        self
    }
}

impl PopulationUniform {
    /// On a mesh of this area, m², if it is one.
    fn new(p: &Population, focal: f32, area: Option<f32>) -> Self {
        let mean = |range: [f32; 2]| 0.5 * (range[0] + range[1]);
        let (shape, threshold) = match p.shape {
            Shape::Quad => (SHAPE_QUAD, 0.0),
            Shape::Triangle | Shape::V => (SHAPE_TRIANGLE, 0.0),
            Shape::Quadratic => (SHAPE_QUADRATIC, 0.0),
            Shape::Tip { threshold } => (SHAPE_TIP, threshold),
        };
        let (full_within, range, buckets) = match p.distance {
            Distance::Rank { full_within, range } => {
                // Rings store fewer bodies farther out. A population whose bodies are all stored need not thin before
                // they are thinner than what they would be widened to.
                let wide = match p.placement {
                    Placement::Everywhere { .. } => 0.0,
                    _ => mean(p.width) * focal / WIDEST,
                };
                (full_within.max(wide), range, 0)
            }
            Distance::Buckets { count, range } => (range, range, count),
        };
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        let flags = flag(p.cull.frustum, CULL_FRUSTUM)
            | flag(p.cull.distance, CULL_DISTANCE)
            | flag(p.cull.facing && p.facing == Facing::Cull, CULL_FACING)
            | flag(p.facing == Facing::Widen, FACING_WIDEN)
            | flag(buckets > 0, BUCKETS)
            | flag(p.shape == Shape::V, FOLDED)
            | flag(matches!(p.placement, Placement::Everywhere { .. }), HAS_FIELD)
            | flag(p.growth != Growth::default() || p.density_map.is_some(), SITED);
        let density = match p.placement {
            Placement::Everywhere { density } => density,
            Placement::Square { side, count, .. } => count as f32 / (side * side),
            Placement::Surface { count } => count as f32 / area.unwrap_or(1.0),
        };
        // The share of its box that an outline fills.
        let filled = match p.shape {
            Shape::Quad => 1.0,
            Shape::Quadratic => 2.0 / 3.0,
            Shape::Triangle | Shape::V => 0.5,
            Shape::Tip { threshold } => 0.5 + 0.5 * threshold,
        };
        let lai = filled * density * mean(p.height) * mean(p.width);
        // Cells on the plane would be drawn out on a mesh's steep sides.
        let clumps = p.clumps.filter(|_| area.is_none());
        let of_clumps = |part: fn(&Clumps) -> f32| clumps.as_ref().map_or(0.0, part);
        Self {
            law: law(p),
            height: p.height.into(),
            width: p.width.into(),
            stiffness: p.stiffness.into(),
            lean: p.lean.into(),
            full_within,
            range,
            shape,
            threshold,
            flags,
            buckets,
            seed: p.seed,
            widest: WIDEST,
            root: p.color.root,
            variety: p.color.variety,
            tip: p.color.tip,
            lai,
            dry: p.color.dry,
            slender: mean(p.width) / mean(p.height),
            through: p.color.through,
            dead: p.color.dead,
            clumps: clumps.map_or(ClumpGrid::zeroed(), |clumps| clumps.grid(p.seed)),
            clump_height: of_clumps(|clumps| clumps.height),
            clump_facing: of_clumps(|clumps| clumps.facing),
            clump_fan: of_clumps(|clumps| clumps.fan),
            clump_gather: of_clumps(|clumps| clumps.gather),
            clump_color: of_clumps(|clumps| clumps.color),
            upright: UPRIGHT,
            number: 0,
            covered: clumps.as_ref().map_or(1.0, |clumps| covered(clumps, mean(p.height))),
            growth: p.growth.uniform(),
        }
    }
}

/// The share of the ground over which the bodies of clumps spread, 1 where these meet: a clump is a disc as large as its cell,
/// drawn together as far as its roots are, and bodies of this mean height reach beyond it by half of that.
fn covered(clumps: &Clumps, height: f32) -> f32 {
    let cell = clumps.size / std::f32::consts::PI.sqrt();
    let reach = (1.0 - clumps.gather) * cell + 0.5 * height;
    (reach / cell).powi(2).clamp(1e-4, 1.0)
}

fn law(p: &Population) -> BladeLaw {
    let base = if p.forces.raw { BladeLaw::vulkan() } else { BladeLaw::default() };
    let centre = Position::from_metres(p.forces.gravity_point);
    BladeLaw {
        gravity_direction: p.forces.gravity_direction.to_array(),
        gravity: p.forces.gravity,
        centre_tile: centre.tile.to_array(),
        centre_gravity: p.forces.gravity,
        centre_local: centre.local.to_array(),
        centre_mix: p.forces.gravity_mix,
        front_gravity: p.forces.front_gravity,
        wind_gain: base.wind_gain * p.forces.wind,
        trample_decay: 1.0 / p.forces.trample_recovery.max(1e-3),
        length: if p.forces.paper_length { LENGTH_PAPER } else { LENGTH_EXACT },
        ..base
    }
}
