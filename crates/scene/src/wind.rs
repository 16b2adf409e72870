//! Winds.

use crate::curve::Curve;
use crate::language::{Choice, Flag, Key, Number, Optional, Over, Table, TableReader, Variant, Vector, WORLD, Whole};

/// One source of the wind; all sources of a scene add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Wind {
    /// What it is.
    pub kind: WindKind,
    /// A factor on its velocity.
    pub intensity: Curve<1>,
}

/// How a wind blows over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Velocity {
    /// A speed and a direction, each for itself: a wind that turns keeps its speed.
    Toward {
        /// In m/s.
        speed: Curve<1>,
        /// In degrees: 0 = east (+x), anticlockwise seen from above.
        toward: Curve<1>,
    },
    /// In m/s.
    Vector(Curve<3>),
}

impl Velocity {
    /// At a time in seconds, in m/s.
    #[must_use]
    pub fn at(&self, time: f64) -> [f32; 3] {
        let velocity = match self {
            Self::Toward { speed, toward } => {
                let (speed, toward) = (speed.value(time), toward.value(time).to_radians());
                // Anticlockwise from above with y up: a quarter turn from +x is −z.
                [speed * toward.cos(), 0.0, -speed * toward.sin()]
            }
            Self::Vector(velocity) => velocity.at(time),
        };
        velocity.map(|component| component as f32)
    }

    fn is_constant(&self) -> bool {
        match self {
            Self::Toward { speed, toward } => speed.is_constant() && toward.is_constant(),
            Self::Vector(velocity) => velocity.is_constant(),
        }
    }
}

/// The kinds of wind.
#[derive(Clone, Debug, PartialEq)]
pub enum WindKind {
    /// The same everywhere and always.
    Constant {
        /// In m/s.
        velocity: Velocity,
    },
    /// Travelling waves: the sum of three plane waves of the published demo of Jahrmann and Wimmer (2017).
    Waves {
        /// Where waves are strongest, in m/s.
        velocity: Velocity,
        /// The wavelength of the shortest of the three along x, in metres. The wave numbers are 0.75, 0.5 and 0.25 rad/m
        /// times (2π / 0.75) / wavelength.
        wavelength: f32,
        /// How fast the phase runs, in rad/s.
        rate: Curve<1>,
    },
    /// Air that flows from a point, or to it, in circular waves.
    Point {
        /// In metres.
        position: Curve<3>,
        /// Whether the height of `position` counts from the ground below it.
        above_ground: bool,
        /// The speed near the point in m/s: outward when positive, inward when negative.
        strength: Curve<1>,
        /// Calm beyond this distance in metres; 75 in the source, and the waves scale with it.
        reach: f32,
        /// How fast its waves run outward: 1 as in the source, where sin(0.4 d − 4 t) makes it 10 m/s.
        rate: Curve<1>,
    },
    /// A mean wind with gusts and eddies of many sizes (fractal Brownian motion) that travel with it.
    Fbm {
        /// The mean, in m/s.
        velocity: Velocity,
        /// The size of the largest gusts in metres.
        wavelength: f32,
        /// How many sizes of gusts, each half as large as the one before.
        octaves: u32,
        /// The strength of each size relative to the one before.
        gain: Curve<1>,
        /// Standard deviation of the speed along the wind, relative to the mean speed.
        along: Curve<1>,
        /// Standard deviation of the speed across the wind, relative to the mean speed.
        across: Curve<1>,
        /// The speed at which gusts travel, relative to the wind.
        scroll: Curve<1>,
        /// Another number, other gusts.
        seed: u32,
    },
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Constant,
    Waves,
    Point,
    Fbm,
}

const SPEED: Number = Number { unit: "m/s", min: 0.0, max: 200.0 };
const COMPONENT: Number = Number { unit: "m/s", min: -200.0, max: 200.0 };
const RATE: Number = Number { unit: "radians/s", min: -100.0, max: 100.0 };

static KIND: Key<Choice<Word>> = Key {
    name: "kind",
    kind: Choice {
        options: &[
            ("fbm", Word::Fbm, "a mean wind with gusts of many sizes"),
            ("constant", Word::Constant, "the same everywhere and always"),
            ("waves", Word::Waves, "three travelling waves"),
            ("point", Word::Point, "from a point outward, or inward"),
        ],
    },
    default: Word::Fbm,
    help: "What wind this is.",
};
static INTENSITY: Key<Over<Number>> = Key {
    name: "intensity",
    kind: Over(Number { unit: "", min: 0.0, max: 100.0 }),
    default: Curve::constant([1.0]),
    help: "A factor on the velocity: 0 is calm.",
};
static SPEED_KEY: Key<Over<Number>> = Key {
    name: "speed",
    kind: Over(SPEED),
    default: Curve::constant([3.0]),
    help: "The speed along `toward`; 3 is a light breeze, 10 is fresh.",
};
static TOWARD: Key<Over<Number>> = Key {
    name: "toward",
    kind: Over(Number { unit: "degrees", min: -360.0, max: 360.0 }),
    default: Curve::constant([20.0]),
    help: "Where the wind blows to, seen from above: 0 = east (+x), 90 = north (-z), anticlockwise.",
};
static VELOCITY: Optional<Over<Vector<3>>> = Optional {
    name: "velocity",
    kind: Over(Vector { number: COMPONENT, parts: "[x, y, z]" }),
    help: "The velocity as a vector, instead of `speed` and `toward`.",
};
static WAVE_LENGTH: Key<Number> = Key {
    name: "wavelength",
    kind: Number { unit: "metres", min: 0.5, max: 10_000.0 },
    // 2π / 0.75 m, as in the source, to the millimetre.
    default: 8.378,
    help: "The length of the shortest of the three waves.",
};
static WAVE_RATE: Key<Over<Number>> = Key {
    name: "rate",
    kind: Over(RATE),
    default: Curve::constant([1.0]),
    help: "How fast the waves' phase runs; negative runs backwards.",
};
static POSITION: Key<Over<Vector<3>>> = Key {
    name: "position",
    kind: Over(Vector { number: WORLD, parts: "[x, y, z]" }),
    default: Curve::constant([0.0, 1.0, 0.0]),
    help: "The point that the air flows from.",
};
static ABOVE_GROUND: Key<Flag> = Key {
    name: "above_ground",
    kind: Flag,
    default: true,
    help: "Whether y in position counts from the ground below it; no effect on a mesh.",
};
static STRENGTH: Key<Over<Number>> = Key {
    name: "strength",
    kind: Over(COMPONENT),
    default: Curve::constant([10.0]),
    help: "The speed near the point: outward when positive, inward when negative.",
};
static REACH: Key<Number> = Key {
    name: "reach",
    kind: Number { unit: "metres", min: 0.1, max: 100_000.0 },
    default: 75.0,
    help: "Beyond this distance it is calm; its circular waves grow with it.",
};
static POINT_RATE: Key<Over<Number>> = Key {
    name: "rate",
    kind: Over(RATE),
    default: Curve::constant([1.0]),
    help: "How fast its waves run: 1 is 10 m/s at a reach of 75 metres.",
};
static GUST_LENGTH: Key<Number> = Key {
    name: "wavelength",
    kind: Number { unit: "metres", min: 0.5, max: 10_000.0 },
    default: 20.0,
    help: "The size of the largest gusts.",
};
static OCTAVES: Key<Whole> = Key {
    name: "octaves",
    kind: Whole { unit: "", min: 1, max: 8 },
    default: 4,
    help: "How many sizes of gusts, each half as large as the one before.",
};
static GAIN: Key<Over<Number>> = Key {
    name: "gain",
    kind: Over(Number { unit: "", min: 0.0, max: 1.0 }),
    default: Curve::constant([0.5]),
    help: "The strength of each size of gusts relative to the one before.",
};
static ALONG: Key<Over<Number>> = Key {
    name: "along",
    kind: Over(Number { unit: "", min: 0.0, max: 2.0 }),
    default: Curve::constant([0.35]),
    help: "How gusty it is: the deviation of the speed relative to the mean. 0.1 over open water, 0.3 over woods.",
};
static ACROSS: Key<Over<Number>> = Key {
    name: "across",
    kind: Over(Number { unit: "", min: 0.0, max: 2.0 }),
    default: Curve::constant([0.2]),
    help: "How far gusts turn aside: the deviation of the speed across the wind relative to the mean.",
};
static SCROLL: Key<Over<Number>> = Key {
    name: "scroll",
    kind: Over(Number { unit: "", min: 0.0, max: 10.0 }),
    default: Curve::constant([1.0]),
    help: "How fast gusts travel relative to the wind: 1 is carried along, 0 stands still.",
};
static SEED: Key<Whole> = Key {
    name: "seed",
    kind: Whole { unit: "", min: 0, max: u32::MAX },
    default: 0,
    help: "Another number, other gusts.",
};

pub(crate) static TABLE: Table = Table {
    name: "wind.NAME",
    help: "What blows; several add up, at most 8. Without any, `breeze` is a light wind with gusts.",
    keys: &[&KIND, &INTENSITY],
    variants: &[
        Variant { kind: "constant", keys: &[&SPEED_KEY, &TOWARD, &VELOCITY] },
        Variant { kind: "waves", keys: &[&SPEED_KEY, &TOWARD, &VELOCITY, &WAVE_LENGTH, &WAVE_RATE] },
        Variant { kind: "point", keys: &[&POSITION, &ABOVE_GROUND, &STRENGTH, &REACH, &POINT_RATE] },
        Variant {
            kind: "fbm",
            keys: &[&SPEED_KEY, &TOWARD, &VELOCITY, &GUST_LENGTH, &OCTAVES, &GAIN, &ALONG, &ACROSS, &SCROLL, &SEED],
        },
    ],
    is_list: false,
    tables: &[],
};

impl Wind {
    /// Whether any of its numbers changes over time. Waves and gusts travel in any case.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.intensity.is_constant()
            && match &self.kind {
                WindKind::Constant { velocity } => velocity.is_constant(),
                WindKind::Waves { velocity, rate, .. } => velocity.is_constant() && rate.is_constant(),
                WindKind::Point { position, strength, rate, .. } => {
                    position.is_constant() && strength.is_constant() && rate.is_constant()
                }
                WindKind::Fbm { velocity, gain, along, across, scroll, .. } => {
                    velocity.is_constant() && [gain, along, across, scroll].iter().all(|curve| curve.is_constant())
                }
            }
    }

    pub(crate) fn read(reader: &mut TableReader<'_>) -> Self {
        let word = reader.get(&KIND);
        let intensity = reader.get(&INTENSITY);
        let kind = match word {
            Word::Constant => {
                reader.variant("constant");
                WindKind::Constant { velocity: velocity(reader) }
            }
            Word::Waves => {
                reader.variant("waves");
                WindKind::Waves {
                    velocity: velocity(reader),
                    wavelength: reader.get(&WAVE_LENGTH) as f32,
                    rate: reader.get(&WAVE_RATE),
                }
            }
            Word::Point => {
                reader.variant("point");
                WindKind::Point {
                    position: reader.get(&POSITION).of_places(),
                    above_ground: reader.get(&ABOVE_GROUND),
                    strength: reader.get(&STRENGTH),
                    reach: reader.get(&REACH) as f32,
                    rate: reader.get(&POINT_RATE),
                }
            }
            Word::Fbm => {
                reader.variant("fbm");
                WindKind::Fbm {
                    velocity: velocity(reader),
                    wavelength: reader.get(&GUST_LENGTH) as f32,
                    octaves: reader.get(&OCTAVES),
                    gain: reader.get(&GAIN),
                    along: reader.get(&ALONG),
                    across: reader.get(&ACROSS),
                    scroll: reader.get(&SCROLL),
                    seed: reader.get(&SEED),
                }
            }
        };
        Self { kind, intensity }
    }
}

fn velocity(reader: &mut TableReader<'_>) -> Velocity {
    for part in ["speed", "toward"] {
        reader.only_one("velocity", part);
    }
    let (speed, toward) = (reader.get(&SPEED_KEY), reader.get(&TOWARD).of_angles());
    reader.find(&VELOCITY).map_or(Velocity::Toward { speed, toward }, Velocity::Vector)
}
