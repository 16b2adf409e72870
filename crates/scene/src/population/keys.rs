//! The keys of a population.

use super::{Facing, Length, MOST_BODIES, Model, Preset};
use super::{clumps, growth};
use crate::language::{Choice, Color, Flag, Interval, Key, Number, Optional, Table, Vector, WORLD, Whole};
use crate::species::{OPTIONS, Species};

/// What is usual for a preset where the author says nothing.
pub(super) struct Usual {
    pub density: f64,
    pub height: [f64; 2],
    pub width: [f64; 2],
    pub stiffness: [f64; 2],
}

impl Usual {
    pub fn of(preset: Preset) -> Self {
        match preset {
            Preset::Lawn => Self { density: 2000.0, height: [0.1, 0.3], width: [0.003, 0.006], stiffness: [8.0, 13.0] },
            // The source's 2^13 blades on 15 m × 15 m, and its ranges.
            Preset::Vulkan => Self { density: 36.4, height: [1.3, 2.5], width: [0.1, 0.14], stiffness: [7.0, 13.0] },
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum ShapeWord {
    Quad,
    Triangle,
    Quadratic,
    Tip,
    V,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum DistanceWord {
    Rank,
    Buckets,
}

/// In metres, as in the published demo.
pub(super) const BUCKET_RANGE: f32 = 250.0;

const FACTOR: Number = Number { unit: "", min: 0.0, max: 100.0 };
const SHARE: Number = Number { unit: "", min: 0.0, max: 1.0 };
const REACH: Number = Number { unit: "metres", min: 0.1, max: 1e6 };
const PART: Number = Number { unit: "", min: -1000.0, max: 1000.0 };

pub(super) static MODEL: Key<Choice<Model>> = Key {
    name: "model",
    kind: Choice { options: &[("blade", Model::Blade, "a blade of grass")] },
    default: Model::Blade,
    help: "What body it is.",
};
pub(super) static SPECIES: Optional<Choice<Species>> = Optional {
    name: "species",
    kind: Choice { options: OPTIONS },
    help: "The species whose keys, as `anemone presets NAME` prints them, count where this table and those below it say \
           nothing.",
};
pub(super) static PRESET: Key<Choice<Preset>> = Key {
    name: "preset",
    kind: Choice {
        options: &[
            ("lawn", Preset::Lawn, "forces in proportion to the height"),
            ("vulkan", Preset::Vulkan, "the raw constants of the Vulkan source, for blades of 1.3 to 2.5 metres"),
        ],
    },
    default: Preset::Lawn,
    help: "Which constants the motion uses, and what is usual for density, height, width and stiffness.",
};
pub(super) static DENSITY: Optional<Number> = Optional {
    name: "density",
    kind: Number { unit: "bodies/m²", min: 0.01, max: 100_000.0 },
    help: "How many stand on a square metre. Default 2000, with preset \"vulkan\" 36.4.",
};
pub(super) static COUNT: Optional<Whole> = Optional {
    name: "count",
    kind: Whole { unit: "bodies", min: 1, max: MOST_BODIES },
    help: "How many there are in all, instead of `density`: in the square, or on the mesh.",
};
pub(super) static SIDE: Optional<Number> = Optional {
    name: "side",
    kind: Number { unit: "metres", min: 0.01, max: 100_000.0 },
    help: "The side of a square to which they keep. Without it they stand everywhere, or with `count` in a square of \
           the default density.",
};
pub(super) static CENTER: Key<Vector<2>> = Key {
    name: "center",
    kind: Vector { number: WORLD, parts: "[x, z]" },
    default: [0.0; 2],
    help: "The square's middle.",
};
pub(super) static HEIGHT: Optional<Interval> = Optional {
    name: "height",
    kind: Interval(Number { unit: "metres", min: 0.025, max: 3.9 }),
    help: "From the root to the tip. Default [0.1, 0.3], with preset \"vulkan\" [1.3, 2.5].",
};
pub(super) static WIDTH: Optional<Interval> = Optional {
    name: "width",
    kind: Interval(Number { unit: "metres", min: 0.0005, max: 0.15 }),
    help: "At the root. Default [0.003, 0.006], with preset \"vulkan\" [0.1, 0.14].",
};
pub(super) static STIFFNESS: Optional<Interval> = Optional {
    name: "stiffness",
    kind: Interval(Number { unit: "1/s", min: 1.0, max: 32.0 }),
    help: "How fast a bent body rises, and so how little it bends. Default [8, 13], with preset \"vulkan\" [7, 13].",
};
pub(super) static LEAN: Key<Interval> = Key {
    name: "lean",
    kind: Interval(Number { unit: "degrees", min: 0.0, max: 80.0 }),
    default: [0.0, 20.0],
    help: "How far bodies grow tilted off the ground's normal, to their front.",
};
pub(super) static SHAPE: Key<Choice<ShapeWord>> = Key {
    name: "shape",
    kind: Choice {
        options: &[
            ("quad", ShapeWord::Quad, "as wide at the tip as at the root"),
            ("triangle", ShapeWord::Triangle, "straight edges to a point"),
            ("quadratic", ShapeWord::Quadratic, "round edges to a point"),
            ("tip", ShapeWord::Tip, "parallel edges up to `tip_threshold`, then to a point"),
            ("v", ShapeWord::V, "a triangle folded along its middle"),
        ],
    },
    default: ShapeWord::Quadratic,
    help: "The outline.",
};
pub(super) static TIP_THRESHOLD: Key<Number> = Key {
    name: "tip_threshold",
    kind: Number { unit: "of the length", min: 0.0, max: 0.99 },
    default: 0.5,
    help: "Where shape \"tip\" begins to narrow.",
};
pub(super) static LENGTH: Key<Choice<Length>> = Key {
    name: "length",
    kind: Choice {
        options: &[
            ("exact", Length::Exact, "within a thousandth"),
            ("paper", Length::Paper, "the paper's estimate: 7 % too short to 17 % too long"),
        ],
    },
    default: Length::Exact,
    help: "How a bent blade keeps its length.",
};
pub(super) static FACING: Key<Choice<Facing>> = Key {
    name: "facing",
    kind: Choice {
        options: &[
            ("widen", Facing::Widen, "blades seen edge-on are turned to keep a pixel"),
            ("cull", Facing::Cull, "blades seen edge-on are left out, as in the paper"),
        ],
    },
    default: Facing::Widen,
    help: "What becomes of blades seen edge-on.",
};
pub(super) static DISTANCE: Key<Choice<DistanceWord>> = Key {
    name: "distance",
    kind: Choice {
        options: &[
            ("rank", DistanceWord::Rank, "thinned smoothly, and the rest widened"),
            (
                "buckets",
                DistanceWord::Buckets,
                "as in the paper: of n buckets, bucket i drops i of every n; with `side`, `count` or a mesh only",
            ),
        ],
    },
    default: DistanceWord::Rank,
    help: "How far bodies are thinned.",
};
pub(super) static FULL_DENSITY_WITHIN: Key<Number> = Key {
    name: "full_density_within",
    kind: Number { unit: "metres", min: 0.1, max: 10_000.0 },
    default: 3.0,
    help: "Up to here none is left out (distance \"rank\"). All over a height map it goes by powers of two: 1.5, 3, 6, ...",
};
pub(super) static RANGE: Optional<Number> = Optional {
    name: "range",
    kind: REACH,
    help: "Beyond this none is drawn. Default: 380 metres with distance \"rank\", 250 metres with \"buckets\".",
};
pub(super) static BUCKETS: Key<Whole> = Key {
    name: "buckets",
    kind: Whole { unit: "", min: 1, max: 1000 },
    default: 10,
    help: "The number of buckets up to the range (distance \"buckets\").",
};
pub(super) static WIND: Key<Number> =
    Key { name: "wind", kind: FACTOR, default: 1.0, help: "A factor on how strongly they answer the wind." };
pub(super) static TRAMPLE_RECOVERY: Key<Number> = Key {
    name: "trample_recovery",
    kind: Number { unit: "seconds", min: 0.01, max: 1e6 },
    default: 5.0,
    help: "How long a wholly trampled body takes to recover its stiffness.",
};
pub(super) static SEED: Key<Whole> = Key {
    name: "seed",
    kind: Whole { unit: "", min: 0, max: u32::MAX },
    default: 0,
    help: "Another number, other bodies.",
};

pub(super) static CULL_FRUSTUM: Key<Flag> =
    Key { name: "frustum", kind: Flag, default: true, help: "Leave out what is out of view." };
pub(super) static CULL_DISTANCE: Key<Flag> =
    Key { name: "distance", kind: Flag, default: true, help: "Leave out what is far, as `distance` says." };
pub(super) static CULL_FACING: Key<Flag> =
    Key { name: "facing", kind: Flag, default: true, help: "Leave out what is seen edge-on, where `facing` says so." };
pub(super) static CULL_OCCLUSION: Key<Flag> =
    Key { name: "occlusion", kind: Flag, default: true, help: "Leave out what is hidden." };

pub(super) static CULL: Table = Table {
    name: "population.NAME.cull",
    help: "Which tests may leave bodies out, each to be switched off alone.",
    keys: &[&CULL_FRUSTUM, &CULL_DISTANCE, &CULL_FACING, &CULL_OCCLUSION],
    variants: &[],
    is_list: false,
    tables: &[],
};

pub(super) static GRAVITY_STRENGTH: Key<Number> = Key {
    name: "strength",
    kind: Number { unit: "m/s²", min: 0.0, max: 1000.0 },
    default: 9.81,
    help: "How strong the pull is; 0 for none.",
};
pub(super) static GRAVITY_DIRECTION: Key<Vector<3>> = Key {
    name: "direction",
    kind: Vector { number: PART, parts: "[x, y, z]" },
    default: [0.0, -1.0, 0.0],
    help: "Where it pulls; its length does not count.",
};
pub(super) static GRAVITY_POINT: Key<Vector<3>> = Key {
    name: "point",
    kind: Vector { number: WORLD, parts: "[x, y, z]" },
    default: [0.0; 3],
    help: "The point that it pulls to, as far as `mix` says.",
};
pub(super) static GRAVITY_MIX: Key<Number> =
    Key { name: "mix", kind: SHARE, default: 0.0, help: "0: all pull is in the direction; 1: all is to the point." };
pub(super) static GRAVITY_FRONT: Key<Number> =
    Key { name: "front", kind: FACTOR, default: 0.25, help: "The share of the pull that draws a blade to its front." };

pub(super) static GRAVITY: Table = Table {
    name: "population.NAME.gravity",
    help: "What pulls the bodies.",
    keys: &[&GRAVITY_STRENGTH, &GRAVITY_DIRECTION, &GRAVITY_POINT, &GRAVITY_MIX, &GRAVITY_FRONT],
    variants: &[],
    is_list: false,
    tables: &[],
};

// Ryegrass and golden straw by PROSPECT-D (Féret et al. 2017) with Cab 38 and 28 µg/cm² and less the 0.034 that the surface
// reflects by itself.
pub(super) static COLOR_ROOT: Key<Color> = Key {
    name: "root",
    kind: Color,
    default: [0.037, 0.096, 0.004],
    help: "The share of light that a leaf sends back at its root, beside its gloss. Shade is added by itself.",
};
pub(super) static COLOR_TIP: Key<Color> =
    Key { name: "tip", kind: Color, default: [0.059, 0.125, 0.004], help: "The same at its tip." };
pub(super) static COLOR_DRY: Key<Color> =
    Key { name: "dry", kind: Color, default: [0.439, 0.298, 0.088], help: "The same of dry blades." };
pub(super) static COLOR_THROUGH: Key<Color> = Key {
    name: "through",
    kind: Color,
    default: [1.7, 1.33, 0.3],
    help: "How much light fresh leaves let through, relative to what they send back.",
};
pub(super) static COLOR_VARIETY: Key<Number> =
    Key { name: "variety", kind: SHARE, default: 0.5, help: "How much blades differ in colour." };
pub(super) static COLOR_DEAD: Key<Number> = Key {
    name: "dead",
    kind: SHARE,
    default: 0.035,
    help: "The share of blades that are dead: dry all over, whatever the variety.",
};

pub(super) static COLOR: Table = Table {
    name: "population.NAME.color",
    help: "The colours of the blades.",
    keys: &[&COLOR_ROOT, &COLOR_TIP, &COLOR_DRY, &COLOR_THROUGH, &COLOR_VARIETY, &COLOR_DEAD],
    variants: &[],
    is_list: false,
    tables: &[],
};

pub(crate) static TABLE: Table = Table {
    name: "population.NAME",
    help: "Very many bodies of one sort; at most 8 sorts. Without any, `meadow` is grass everywhere.",
    keys: &[
        &MODEL,
        &SPECIES,
        &PRESET,
        &DENSITY,
        &COUNT,
        &SIDE,
        &CENTER,
        &HEIGHT,
        &WIDTH,
        &STIFFNESS,
        &LEAN,
        &SHAPE,
        &TIP_THRESHOLD,
        &LENGTH,
        &FACING,
        &DISTANCE,
        &FULL_DENSITY_WITHIN,
        &RANGE,
        &BUCKETS,
        &WIND,
        &TRAMPLE_RECOVERY,
        &SEED,
    ],
    variants: &[],
    is_list: false,
    tables: &[&CULL, &GRAVITY, &COLOR, &clumps::TABLE, &growth::TABLE],
};
