//! What there is: populations of bodies, the ground they stand on, the wind, obstacles and the sun. Plain data; nothing
//! here touches the GPU.

mod check;

use std::sync::Arc;

use anemone_field::hash::hash2;
use anemone_field::wind::Wind;
use anemone_ground::clump::ClumpGrid;
pub use anemone_ground::growth::{Growth, Patches};
use anemone_ground::height::Ground;
use anemone_ground::height_map::HeightMap;
use anemone_ground::mesh::Mesh;
use glam::{DVec2, DVec3, Vec3};

pub(crate) use check::{check_colliders, check_sun, check_wind};

/// Everything that a frame shows.
#[derive(Clone, Debug)]
pub struct World {
    /// At most [`MOST_POPULATIONS`].
    pub populations: Vec<Population>,
    /// What bodies stand on.
    pub terrain: Terrain,
    /// Colour of bare earth, scene-linear Rec. 709 reflectance.
    pub soil: Vec3,
    /// The one wind.
    pub wind: Wind,
    /// At most [`MOST_COLLIDERS`].
    pub colliders: Vec<Collider>,
    /// The light.
    pub sun: Sun,
}

/// Populations that a world may hold.
pub const MOST_POPULATIONS: usize = 8;
/// Colliders that a world may hold.
pub const MOST_COLLIDERS: usize = 16;

/// What bodies stand on.
#[derive(Clone, Debug)]
pub enum Terrain {
    /// A height over every point of the plane.
    Height(Box<Ground>),
    /// A mesh of any shape, in world metres relative to `origin`.
    Mesh {
        /// The mesh.
        mesh: Box<Mesh>,
        /// Where its own origin lies.
        origin: DVec3,
    },
}

/// Many bodies of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// Where they stand, and how many.
    pub placement: Placement,
    /// Least and greatest height, m: 0.025 to 3.9, which is what a body holds.
    pub height: [f32; 2],
    /// Least and greatest width, m: 0.0005 to 0.15.
    pub width: [f32; 2],
    /// Least and greatest stiffness: the rate at which a bent blade rises, 1/s; 1 to 32.
    pub stiffness: [f32; 2],
    /// Least and greatest tilt of the growing axis off the ground's normal towards the blade's front, rad; 0 to
    /// π/2.
    pub lean: [f32; 2],
    /// Outline.
    pub shape: Shape,
    /// What a blade seen edge-on does.
    pub facing: Facing,
    /// How a population thins with distance.
    pub distance: Distance,
    /// Which culls are on.
    pub cull: Cull,
    /// The forces that it obeys.
    pub forces: Forces,
    /// Its colours.
    pub color: Color,
    /// What the bodies of a tuft have in common, on a height ground; on a mesh each body is by itself.
    pub clumps: Option<Clumps>,
    /// Where it grows.
    pub growth: Growth,
    /// The share of bodies that stand at each place, beside `growth`: a map whose heights are shares, held to 0 to 1. Beyond
    /// its border the share is the border's. All maps of a world must fit below each other in a texture.
    pub density_map: Option<Arc<HeightMap>>,
    /// From which everything random follows.
    pub seed: u32,
}

/// Where the bodies of a population stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// All over a height ground, however large.
    Everywhere {
        /// Bodies per square metre of the plane.
        density: f32,
    },
    /// On a square of a height ground.
    Square {
        /// Its middle: x and z, m.
        centre: DVec2,
        /// m.
        side: f32,
        /// Bodies in all.
        count: u32,
    },
    /// All over a mesh, evenly by area.
    Surface {
        /// Bodies in all.
        count: u32,
    },
}

/// A blade's outline, from the root (v = 0) to the tip (v = 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Equally wide all along.
    Quad,
    /// Narrows evenly.
    Triangle,
    /// Narrows as 1 - v².
    Quadratic,
    /// Equally wide as far as `threshold`, then narrows evenly.
    Tip {
        /// In [0, 1).
        threshold: f32,
    },
    /// A triangle folded along its middle.
    V,
}

/// What a blade does that is seen edge-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// It is turned until it keeps a pixel.
    Widen,
    /// It is left out where |view · width direction| ≥ 0.9, as in Jahrmann and Wimmer (2017).
    Cull,
}

/// How a population thins with distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distance {
    /// The first bodies by rank, widened for those that are gone.
    Rank {
        /// Every body stands this far from the eye, m; from there their share falls with the square of the distance.
        full_within: f32,
        /// None stands farther, m.
        range: f32,
    },
    /// Bucket i of n leaves out i of every n bodies, as in Jahrmann and Wimmer (2017).
    Buckets {
        /// n.
        count: u32,
        /// None stands farther, m, along the ground.
        range: f32,
    },
}

/// Which culls are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cull {
    /// Bodies outside the view.
    pub frustum: bool,
    /// Bodies that [`Distance`] leaves out.
    pub distance: bool,
    /// Bodies seen edge-on, with [`Facing::Cull`].
    pub facing: bool,
    /// Bodies hidden by others. One population that switches it off switches it off for all.
    pub occlusion: bool,
}

impl Cull {
    /// Every cull on.
    pub const ALL: Self = Self { frustum: true, distance: true, facing: true, occlusion: true };
    /// Every cull off.
    pub const NONE: Self = Self { frustum: false, distance: false, facing: false, occlusion: false };
}

/// The forces that a population obeys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// m/s².
    pub gravity: f32,
    /// Where it pulls, a unit vector.
    pub gravity_direction: Vec3,
    /// The point that it pulls to instead, as far as `gravity_mix` says.
    pub gravity_point: DVec3,
    /// 0: towards the direction; 1: towards the point.
    pub gravity_mix: f32,
    /// Front gravity, the pull towards a blade's front that bends its tip, relative to gravity; 0.25 in the paper.
    pub front_gravity: f32,
    /// Factor on the answer to the wind.
    pub wind: f32,
    /// Time in which a trampled blade has risen, s.
    pub trample_recovery: f32,
    /// Use the constants of the paper as they are, in metres; otherwise displacements grow with a blade's height.
    pub raw: bool,
    /// Keep the length by the paper's one-step estimate; otherwise exactly.
    pub paper_length: bool,
}

impl Default for Forces {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            gravity_direction: Vec3::NEG_Y,
            gravity_point: DVec3::ZERO,
            gravity_mix: 0.0,
            front_gravity: 0.25,
            wind: 1.0,
            trample_recovery: 8.0,
            raw: false,
            paper_length: false,
        }
    }
}

/// A population's colours: reflectances, scene-linear Rec. 709.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    /// At the root.
    pub root: Vec3,
    /// At the tip.
    pub tip: Vec3,
    /// Of dry blades and tips.
    pub dry: Vec3,
    /// What fresh leaves let through, relative to what they send back.
    pub through: Vec3,
    /// How much blades differ, 0 to 1.
    pub variety: f32,
    /// The share of blades that are dead and dry, 0 to 1.
    pub dead: f32,
}

/// Tufts: the Voronoi cells of a jittered grid on the plane, and what the bodies of one have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clumps {
    /// From one centre to the next, about, m: 0.01 to 100.
    pub size: f32,
    /// 0: in a square grid, as planted; 1: as irregular as cells get.
    pub jitter: f32,
    /// The share of the variance in height that bodies have in common, 0 to 1; heights stay even between the least and the
    /// greatest.
    pub height: f32,
    /// How far bodies face as their clump does, 0 to 1.
    pub facing: f32,
    /// How far bodies face away from the centre, and lean the more the farther from it they stand, 0 to 1.
    pub fan: f32,
    /// How far roots stand drawn to the centre, 0 to 1: of their distance from it. A body may so stand outside of its square
    /// by [`Clumps::margin`].
    pub gather: f32,
    /// The share of the variance in freshness that bodies have in common, 0 to 1.
    pub color: f32,
}

impl Clumps {
    /// Where the centres are, for a population's seed.
    #[must_use]
    pub fn grid(&self, seed: u32) -> ClumpGrid {
        ClumpGrid::new(self.size, self.jitter, hash2(seed, 0x636c_756d))
    }

    /// How far a root is moved at most, m.
    #[must_use]
    pub fn margin(&self) -> f32 {
        // A thousandth more, for roundings far out.
        1.001 * self.gather * self.grid(0).reach()
    }
}

/// A moving sphere or capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// The sphere's centre, or the centre of the capsule's first end, at display time.
    pub position: DVec3,
    /// From the first end's centre to the second's, m; zero for a sphere.
    pub axis: Vec3,
    /// m.
    pub radius: f32,
    /// m/s.
    pub velocity: Vec3,
}

/// Sun, sky and air, and how the picture is exposed. What light they give is computed from the air: see [`anemone_sky`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Unit, towards the sun.
    pub direction: Vec3,
    /// Factors on the sun's light, linear Rec. 709: 1 is nature.
    pub light: Vec3,
    /// Factor on the sky's light: 1 is nature.
    pub sky: f32,
    /// How far one sees, m: where a dark thing keeps 2 % of its contrast against the sky.
    pub visibility: f32,
    /// Stops brighter (or, negative, darker) than a light meter would have it.
    pub exposure: f32,
}
