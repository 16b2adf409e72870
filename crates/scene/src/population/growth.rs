//! Where bodies grow.

use crate::language::{Flag, Interval, Key, Number, Table, TableReader, WORLD, Whole};

/// Where bodies grow: by slope, by altitude, in patches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Least and greatest slope of the ground in radians.
    pub slope: [f32; 2],
    /// Over how much slope, in radians, the share of bodies falls from all to none.
    pub slope_border: f32,
    /// Least and greatest height of the ground above y = 0, in metres; the ends of what may be written are no borders.
    pub altitude: [f32; 2],
    /// Over how many metres the share of bodies falls.
    pub altitude_border: f32,
    /// None: not in patches.
    pub patches: Option<Patches>,
}

/// Patches, of many sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    /// Of the largest, in metres.
    pub size: f32,
    /// The share of the ground that they cover.
    pub share: f32,
    /// 0: hard edges; 1: soft all the way.
    pub softness: f32,
    /// Another number, other patches.
    pub seed: u32,
    /// Grow where the patches are not.
    pub invert: bool,
}

const SHARE: Number = Number { unit: "", min: 0.0, max: 1.0 };

static SLOPE: Key<Interval> = Key {
    name: "slope",
    kind: Interval(Number { unit: "degrees", min: 0.0, max: 180.0 }),
    default: [0.0, 180.0],
    help: "How steep the ground may be; 0 is level. Half of the bodies stand at a border.",
};
static SLOPE_BORDER: Key<Number> = Key {
    name: "slope_border",
    kind: Number { unit: "degrees", min: 0.0, max: 90.0 },
    default: 6.0,
    help: "Over how much slope, round a border, the share of bodies falls from all to none.",
};
static ALTITUDE: Key<Interval> = Key {
    name: "altitude",
    kind: Interval(WORLD),
    default: [WORLD.min, WORLD.max],
    help: "How high the ground may lie above y = 0. Half of the bodies stand at a border.",
};
static ALTITUDE_BORDER: Key<Number> = Key {
    name: "altitude_border",
    kind: Number { unit: "metres", min: 0.0, max: 100_000.0 },
    default: 10.0,
    help: "Over how many metres, round a border, the share of bodies falls from all to none.",
};

static PATCH_SIZE: Key<Number> = Key {
    name: "size",
    kind: Number { unit: "metres", min: 0.05, max: 100_000.0 },
    default: 8.0,
    help: "Of the largest: from the middle of one to the next, about.",
};
static PATCH_SHARE: Key<Number> =
    Key { name: "share", kind: SHARE, default: 0.5, help: "The share of the ground that the patches cover." };
static PATCH_SOFTNESS: Key<Number> = Key {
    name: "softness",
    kind: SHARE,
    default: 0.5,
    help: "0: hard edges; 1: bodies thin out all the way from the fullest place to the barest.",
};
static PATCH_SEED: Key<Whole> = Key {
    name: "seed",
    kind: Whole { unit: "", min: 0, max: u32::MAX },
    default: 0,
    help: "Another number, other patches. Populations with the same seed and size have the same.",
};
static PATCH_INVERT: Key<Flag> = Key {
    name: "invert",
    kind: Flag,
    default: false,
    help: "Grow where the patches are not: two populations, one of them inverted, share a meadow.",
};

static PATCHES: Table = Table {
    name: "population.NAME.where.patches",
    help: "Patches of many sizes, by noise. Without this table bodies stand all over.",
    keys: &[&PATCH_SIZE, &PATCH_SHARE, &PATCH_SOFTNESS, &PATCH_SEED, &PATCH_INVERT],
    variants: &[],
    tables: &[],
};

pub(crate) static TABLE: Table = Table {
    name: "population.NAME.where",
    help: "Where bodies grow. What stays bare takes up memory all the same.",
    keys: &[&SLOPE, &SLOPE_BORDER, &ALTITUDE, &ALTITUDE_BORDER],
    variants: &[],
    tables: &[&PATCHES],
};

impl Growth {
    pub(super) fn read(reader: &mut TableReader<'_>) -> Self {
        let radians = |degrees: f64| degrees.to_radians() as f32;
        Self {
            slope: reader.get(&SLOPE).map(radians),
            slope_border: radians(reader.get(&SLOPE_BORDER)),
            altitude: reader.get(&ALTITUDE).map(|metres| metres as f32),
            altitude_border: reader.get(&ALTITUDE_BORDER) as f32,
            patches: reader.has("patches").then(|| Patches::read(&mut reader.table(&PATCHES))),
        }
    }
}

impl Patches {
    fn read(reader: &mut TableReader<'_>) -> Self {
        Self {
            size: reader.get(&PATCH_SIZE) as f32,
            share: reader.get(&PATCH_SHARE) as f32,
            softness: reader.get(&PATCH_SOFTNESS) as f32,
            seed: reader.get(&PATCH_SEED),
            invert: reader.get(&PATCH_INVERT),
        }
    }
}
