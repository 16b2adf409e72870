//! Populations: very many bodies of one sort.

mod clumps;
mod growth;
mod keys;

use crate::ground::{Assets, GroundShape};
use crate::language::TableReader;
use crate::species::Species;
use crate::spot::Spot;
pub use clumps::Clumps;
pub use growth::{DensityMap, Growth, Patches};
pub(crate) use keys::TABLE;

/// Very many bodies of one sort.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// What body it is.
    pub model: Model,
    /// The species whose keys stand below the author's.
    pub species: Option<Species>,
    /// Which constants its motion uses.
    pub preset: Preset,
    /// How many there are.
    pub placement: Placement,
    /// Where they stand.
    pub region: Region,
    /// Least and greatest height of a body in metres.
    pub height: [f32; 2],
    /// Least and greatest width at the root in metres.
    pub width: [f32; 2],
    /// Least and greatest stiffness: the rate in 1/s at which a bent body rises.
    pub stiffness: [f32; 2],
    /// Least and greatest tilt of a body's axis of growth off the ground's normal, in radians, to the side that its
    /// front faces.
    pub lean: [f32; 2],
    /// The outline.
    pub shape: Shape,
    /// How a bent body keeps its length.
    pub length: Length,
    /// What becomes of bodies seen edge-on.
    pub facing: Facing,
    /// What becomes of bodies far away.
    pub distance: Distance,
    /// Which tests may leave bodies out.
    pub cull: Cull,
    /// What pulls.
    pub gravity: Gravity,
    /// A factor on how strongly bodies answer the wind.
    pub wind: f32,
    /// The time in seconds that a wholly trampled body takes to recover its stiffness.
    pub trample_recovery: f32,
    /// The colours.
    pub color: BladeColor,
    /// Tufts.
    pub clumps: Option<Clumps>,
    /// Where they grow.
    pub growth: Growth,
    /// Another number, other bodies.
    pub seed: u32,
    /// Where the scene names it.
    pub named_at: Spot,
}

/// What body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// A blade of grass: a quadratic Bézier curve.
    Blade,
}

/// Which constants the motion uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Forces in proportion to the height: lawns and reeds stand and sway alike.
    Lawn,
    /// The raw constants of the Vulkan source, for blades of 1.3 to 2.5 m.
    Vulkan,
}

/// How many bodies there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// So many on a square metre.
    Density(f32),
    /// So many in all.
    Count(u32),
}

/// Where bodies stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// Wherever one looks; only with [`Placement::Density`].
    Everywhere,
    /// In a square whose sides run along x and z.
    Square {
        /// Its middle, (x, z) in metres.
        center: [f64; 2],
        /// The length of a side in metres.
        side: f32,
    },
    /// All over the mesh that is the ground.
    Surface,
}

/// The outline of a blade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// As wide at the tip as at the root.
    Quad,
    /// Straight edges to a point.
    Triangle,
    /// Round edges to a point.
    Quadratic,
    /// Parallel edges up to a share of the length, then straight to a point.
    Tip {
        /// The share, 0 to 0.99.
        threshold: f32,
    },
    /// Straight edges to a point, folded along the middle.
    V,
}

/// How a bent blade keeps its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Within a thousandth.
    Exact,
    /// By the one estimate of the paper: 7 % too short to 17 % too long.
    Paper,
}

/// What becomes of bodies seen edge-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// They are turned to keep a pixel.
    Widen,
    /// They are left out, as in the paper.
    Cull,
}

/// What becomes of bodies far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distance {
    /// The first of each place by a hashed rank are kept, and widened for those that go.
    Rank {
        /// All are kept up to this distance, in metres.
        full_density_within: f32,
        /// None is kept beyond this distance, in metres; without it 380, where the ground takes over.
        range: Option<f32>,
    },
    /// As in the paper: of n buckets up to the range, bucket i drops i of every n.
    Buckets {
        /// n.
        count: u32,
        /// In metres.
        range: f32,
    },
}

/// Which tests may leave bodies out. All do by default; switching one off changes the cost and, save for distance and
/// facing, not the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cull {
    /// What is out of view.
    pub frustum: bool,
    /// What is far away, as [`Distance`] says.
    pub distance: bool,
    /// What is seen edge-on, as [`Facing`] says.
    pub facing: bool,
    /// What is hidden.
    pub occlusion: bool,
}

/// What pulls: a direction, a point, or a mixture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity {
    /// In m/s².
    pub strength: f32,
    /// Of length 1.
    pub direction: [f32; 3],
    /// In metres.
    pub point: [f64; 3],
    /// 0: all to the direction; 1: all to the point.
    pub mix: f32,
    /// The share of the pull that draws a blade to its front; 0.25 in the source.
    pub front: f32,
}

/// The colours of a blade, scene-linear Rec. 709.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BladeColor {
    /// At the root.
    pub root: [f32; 3],
    /// At the tip.
    pub tip: [f32; 3],
    /// Of dry blades.
    pub dry: [f32; 3],
    /// What fresh leaves let through, relative to what they send back.
    pub through: [f32; 3],
    /// How much blades differ, 0 to 1.
    pub variety: f32,
    /// The share of blades that are dead, 0 to 1.
    pub dead: f32,
}

/// An item of the visibility buffer names its body in 25 bits.
pub(crate) const MOST_BODIES: u32 = 1 << 25;

impl Population {
    pub(crate) fn read(reader: &mut TableReader<'_>, assets: &Assets<'_>, ground: &GroundShape) -> Self {
        let on_mesh = matches!(ground, GroundShape::Mesh { .. });
        let on_height_map = matches!(ground, GroundShape::HeightMap { .. });
        let preset = reader.get(&keys::PRESET);
        let species = reader.find(&keys::SPECIES);
        let usual = keys::Usual::of(preset);
        let (placement, region) = place(reader, species.map_or(usual.density, Species::density), on_mesh);
        let mut interval = |key, usual: [f64; 2]| reader.find(key).unwrap_or(usual).map(|value| value as f32);
        let height = interval(&keys::HEIGHT, usual.height);
        let width = interval(&keys::WIDTH, usual.width);
        let stiffness = interval(&keys::STIFFNESS, usual.stiffness);
        Self {
            model: reader.get(&keys::MODEL),
            species,
            preset,
            placement,
            region,
            height,
            width,
            stiffness,
            lean: reader.get(&keys::LEAN).map(|degrees| (degrees as f32).to_radians()),
            shape: shape(reader),
            length: reader.get(&keys::LENGTH),
            facing: reader.get(&keys::FACING),
            distance: distance(reader, region),
            cull: cull(&mut reader.table(&keys::CULL)),
            gravity: gravity(&mut reader.table(&keys::GRAVITY)),
            wind: reader.get(&keys::WIND) as f32,
            trample_recovery: reader.get(&keys::TRAMPLE_RECOVERY) as f32,
            color: color(&mut reader.table(&keys::COLOR)),
            clumps: reader.has("clumps").then(|| Clumps::read(&mut reader.table(&clumps::TABLE))).flatten(),
            growth: Growth::read(&mut reader.table(&growth::TABLE), assets, on_height_map),
            seed: reader.get(&keys::SEED),
            named_at: reader.spot(),
        }
    }
}

fn place(reader: &mut TableReader<'_>, usual_density: f64, on_mesh: bool) -> (Placement, Region) {
    reader.only_one("density", "count");
    let density = reader.find(&keys::DENSITY);
    let count = reader.find(&keys::COUNT);
    let side = reader.find(&keys::SIDE);
    let center = reader.get(&keys::CENTER);
    let placement = match count {
        Some(count) => Placement::Count(count),
        None => Placement::Density(density.unwrap_or(usual_density) as f32),
    };
    if on_mesh {
        for name in ["side", "center"] {
            let message = format!("`{name}` has no meaning on a mesh, whose whole surface is covered");
            reader.refuse(name, message, format!("leave `{name}` out"));
        }
        return (placement, Region::Surface);
    }
    let side = match (side, count) {
        (Some(side), _) => side,
        // As large as makes the density the usual one.
        (None, Some(count)) => (f64::from(count) / usual_density).sqrt(),
        (None, None) => {
            reader.refuse("center", "`center` needs a `side`", "add the side of the square in metres");
            return (placement, Region::Everywhere);
        }
    };
    let bodies = density.unwrap_or(usual_density) * side * side;
    if count.is_none() && bodies > f64::from(MOST_BODIES) {
        let help = "lower `density` or `side`; without `side` the meadow has no end, and only what is near is kept";
        reader.refuse("side", format!("this makes {bodies:.0} bodies, and at most {MOST_BODIES} fit"), help);
    }
    (placement, Region::Square { center, side: side as f32 })
}

fn shape(reader: &mut TableReader<'_>) -> Shape {
    let word = reader.get(&keys::SHAPE);
    let threshold = reader.get(&keys::TIP_THRESHOLD) as f32;
    if word != keys::ShapeWord::Tip {
        reader.refuse(
            "tip_threshold",
            "`tip_threshold` goes with shape = \"tip\" only",
            "change `shape` or leave it out",
        );
    }
    match word {
        keys::ShapeWord::Quad => Shape::Quad,
        keys::ShapeWord::Triangle => Shape::Triangle,
        keys::ShapeWord::Quadratic => Shape::Quadratic,
        keys::ShapeWord::Tip => Shape::Tip { threshold },
        keys::ShapeWord::V => Shape::V,
    }
}

fn distance(reader: &mut TableReader<'_>, region: Region) -> Distance {
    let range = reader.find(&keys::RANGE).map(|range| range as f32);
    let full = reader.get(&keys::FULL_DENSITY_WITHIN) as f32;
    let count = reader.get(&keys::BUCKETS);
    match reader.get(&keys::DISTANCE) {
        keys::DistanceWord::Rank => {
            reader.refuse(
                "buckets",
                "`buckets` goes with distance = \"buckets\" only",
                "change `distance` or leave it out",
            );
            if range.is_some_and(|range| range < full) {
                let help = format!("raise it, or lower `full_density_within` ({full} metres)");
                reader.refuse("range", "`range` is nearer than `full_density_within`", help);
            }
            Distance::Rank { full_density_within: full, range }
        }
        keys::DistanceWord::Buckets => {
            let help = "change `distance` or leave it out";
            reader.refuse("full_density_within", "`full_density_within` goes with distance = \"rank\" only", help);
            if region == Region::Everywhere {
                let help = "give a `side`, or a `count`; or leave `distance` out";
                reader.refuse(
                    "distance",
                    "buckets leave out bodies of a fixed number, not of a meadow without end",
                    help,
                );
            }
            Distance::Buckets { count, range: range.unwrap_or(keys::BUCKET_RANGE) }
        }
    }
}

fn cull(reader: &mut TableReader<'_>) -> Cull {
    Cull {
        frustum: reader.get(&keys::CULL_FRUSTUM),
        distance: reader.get(&keys::CULL_DISTANCE),
        facing: reader.get(&keys::CULL_FACING),
        occlusion: reader.get(&keys::CULL_OCCLUSION),
    }
}

fn gravity(reader: &mut TableReader<'_>) -> Gravity {
    let direction = reader.get(&keys::GRAVITY_DIRECTION);
    let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
    // The range of its parts lets no shorter one pass but those near zero, whose direction means nothing.
    if length < 1e-3 {
        reader.refuse("direction", "a direction needs a length", "write [0, -1, 0] for down");
    }
    Gravity {
        strength: reader.get(&keys::GRAVITY_STRENGTH) as f32,
        direction: direction.map(|part| (part / length.max(1e-3)) as f32),
        point: reader.get(&keys::GRAVITY_POINT),
        mix: reader.get(&keys::GRAVITY_MIX) as f32,
        front: reader.get(&keys::GRAVITY_FRONT) as f32,
    }
}

fn color(reader: &mut TableReader<'_>) -> BladeColor {
    BladeColor {
        root: reader.get(&keys::COLOR_ROOT),
        tip: reader.get(&keys::COLOR_TIP),
        dry: reader.get(&keys::COLOR_DRY),
        through: reader.get(&keys::COLOR_THROUGH),
        variety: reader.get(&keys::COLOR_VARIETY) as f32,
        dead: reader.get(&keys::COLOR_DEAD) as f32,
    }
}
