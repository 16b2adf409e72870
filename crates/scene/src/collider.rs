//! Colliders: what pushes bodies aside.

use crate::curve::{Curve, Ends};
use crate::language::{Choice, Flag, Key, Number, Optional, Path, Table, TableReader, Variant, Vector, WORLD};

/// A body that pushes others aside.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Its form.
    pub shape: ColliderShape,
    /// In metres.
    pub radius: f32,
    /// Whether heights count from the ground below its position.
    pub above_ground: bool,
    /// Where it is when.
    pub motion: Motion,
}

/// The form of a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// A ball about its position.
    Sphere,
    /// All points nearer than the radius to a line from its position.
    Capsule {
        /// From the first end's centre, the position, to the second's, in metres.
        axis: [f32; 3],
    },
}

/// Where a collider is when. Times count from the scene's start.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// At one velocity for ever.
    Straight {
        /// At time 0, in metres.
        start: [f64; 3],
        /// In m/s.
        velocity: [f32; 3],
    },
    /// Along a curve, in metres.
    Path(Curve<3>),
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Sphere,
    Capsule,
}

const SPEED: Number = Number { unit: "m/s", min: -1000.0, max: 1000.0 };
const AXIS: Number = Number { unit: "metres", min: -1000.0, max: 1000.0 };

static KIND: Key<Choice<Word>> = Key {
    name: "kind",
    kind: Choice {
        options: &[("sphere", Word::Sphere, "a ball"), ("capsule", Word::Capsule, "a rod with round ends")],
    },
    default: Word::Sphere,
    help: "Its form.",
};
static RADIUS: Key<Number> = Key {
    name: "radius",
    kind: Number { unit: "metres", min: 0.001, max: 1000.0 },
    default: 0.3,
    help: "Of the ball, or of the rod.",
};
static POSITION: Key<Vector<3>> = Key {
    name: "position",
    kind: Vector { number: WORLD, parts: "[x, y, z]" },
    default: [0.0, 0.2, -3.0],
    help: "The centre at time 0; of a capsule, the centre of its first end.",
};
static ABOVE_GROUND: Key<Flag> = Key {
    name: "above_ground",
    kind: Flag,
    default: true,
    help: "Whether y in position and path counts from the ground below that point; no effect on a mesh.",
};
static VELOCITY: Key<Vector<3>> = Key {
    name: "velocity",
    kind: Vector { number: SPEED, parts: "[x, y, z]" },
    default: [0.0; 3],
    help: "How it moves, in a straight line.",
};
static PATH: Optional<Path> = Optional {
    name: "path",
    kind: Path(Vector { number: WORLD, parts: "[x, y, z]" }),
    help: "Where it is when, instead of `position` and `velocity`; in straight lines, at rest before and after, or as a table says (\"Values over time\").",
};
static REPEAT: Key<Flag> = Key {
    name: "repeat",
    kind: Flag,
    default: false,
    help: "Whether the path starts again at its end, as with `ends = \"repeat\"`.",
};
static AXIS_KEY: Key<Vector<3>> = Key {
    name: "axis",
    kind: Vector { number: AXIS, parts: "[x, y, z]" },
    default: [1.0, 0.0, 0.0],
    help: "From the centre of a capsule's first end to that of its second.",
};

pub(crate) static TABLE: Table = Table {
    name: "collider.NAME",
    help: "What pushes bodies aside and tramples them; at most 16. Without any, nothing does.",
    keys: &[&KIND, &RADIUS, &POSITION, &ABOVE_GROUND, &VELOCITY, &PATH, &REPEAT],
    variants: &[Variant { kind: "sphere", keys: &[] }, Variant { kind: "capsule", keys: &[&AXIS_KEY] }],
    is_list: false,
    tables: &[],
};

impl Collider {
    /// The position at a time in seconds, in metres: the centre of a sphere, or of a capsule's first end.
    #[must_use]
    pub fn position(&self, time: f64) -> [f64; 3] {
        match &self.motion {
            Motion::Straight { start, velocity } => {
                std::array::from_fn(|axis| start[axis] + f64::from(velocity[axis]) * time)
            }
            Motion::Path(curve) => curve.at(time),
        }
    }

    /// Two moments between which its mean velocity is that at a time in seconds: the last `dt` seconds, unless its path has
    /// started again meanwhile.
    #[must_use]
    pub fn moments(&self, time: f64, dt: f64) -> [f64; 2] {
        match &self.motion {
            Motion::Straight { .. } => [time - dt, time],
            Motion::Path(curve) => curve.moments(time, dt),
        }
    }

    pub(crate) fn read(reader: &mut TableReader<'_>) -> Self {
        let shape = match reader.get(&KIND) {
            Word::Sphere => {
                reader.variant("sphere");
                ColliderShape::Sphere
            }
            Word::Capsule => {
                reader.variant("capsule");
                ColliderShape::Capsule { axis: reader.get(&AXIS_KEY).map(|component| component as f32) }
            }
        };
        for part in ["position", "velocity"] {
            reader.only_one("path", part);
        }
        let start = reader.get(&POSITION);
        let velocity = reader.get(&VELOCITY).map(|component| component as f32);
        let repeat = reader.get(&REPEAT);
        if repeat && !reader.has("path") {
            reader.refuse("repeat", "`repeat` needs a `path`", "add a path, or leave `repeat` out");
        }
        let motion = match reader.find(&PATH) {
            None => Motion::Straight { start, velocity },
            Some(mut curve) => {
                if repeat && curve.keys().len() < 2 {
                    reader.refuse("repeat", "a path of one point cannot repeat", "add points, or leave `repeat` out");
                }
                if repeat && curve.ends == Ends::Mirror {
                    reader.refuse("repeat", "`repeat` and `ends` say two things of one path", "leave `repeat` out");
                }
                if repeat {
                    curve.ends = Ends::Repeat;
                }
                Motion::Path(curve)
            }
        };
        Self { shape, radius: reader.get(&RADIUS) as f32, above_ground: reader.get(&ABOVE_GROUND), motion }
    }
}
