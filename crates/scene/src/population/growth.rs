//! Where bodies grow.

use crate::ground::{AssetPath, Assets};
use crate::language::{Flag, Interval, Key, Number, Optional, Table, TableReader, Text, Vector, WORLD, Whole};

/// Where bodies grow: by slope, by altitude, in patches.
#[derive(Clone, Debug, PartialEq)]
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
    /// A picture of the share of bodies.
    pub map: Option<DensityMap>,
}

/// A picture that says what share of the bodies stand where: none at black, all at white.
#[derive(Clone, Debug, PartialEq)]
pub struct DensityMap {
    /// A PNG of 8 or 16 bits, grey.
    pub file: AssetPath,
    /// Its sides along x and z in metres; none: those of the ground's height map.
    pub size: Option<[f64; 2]>,
    /// Its middle, (x, z) in metres.
    pub center: [f64; 2],
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

static MAP: Optional<Text> = Optional {
    name: "map",
    kind: Text { what: "a file" },
    help: "A grey PNG of 8 or 16 bits: none stand where it is black, all where it is white. Its first row lies in the north. \
           Beyond its edge the edge goes on.",
};
static MAP_SIZE: Optional<Vector<2>> = Optional {
    name: "map_size",
    kind: Vector { number: Number { unit: "metres", min: 1.0, max: 1e6 }, parts: "[x, z]" },
    help: "How large the map is, from the middle of its first pixel to that of its last. Without it, as large as the \
           ground's height map.",
};
static MAP_CENTER: Key<Vector<2>> = Key {
    name: "map_center",
    kind: Vector { number: Number { unit: "metres", min: -2e6, max: 2e6 }, parts: "[x, z]" },
    default: [0.0; 2],
    help: "Where the middle of the map lies.",
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
    is_list: false,
    tables: &[],
};

pub(crate) static TABLE: Table = Table {
    name: "population.NAME.where",
    help: "Where bodies grow. What stays bare takes up memory all the same.",
    keys: &[&SLOPE, &SLOPE_BORDER, &ALTITUDE, &ALTITUDE_BORDER, &MAP, &MAP_SIZE, &MAP_CENTER],
    variants: &[],
    is_list: false,
    tables: &[&PATCHES],
};

impl Growth {
    pub(super) fn read(reader: &mut TableReader<'_>, assets: &Assets<'_>, on_height_map: bool) -> Self {
        let radians = |degrees: f64| degrees.to_radians() as f32;
        Self {
            slope: reader.get(&SLOPE).map(radians),
            slope_border: radians(reader.get(&SLOPE_BORDER)),
            altitude: reader.get(&ALTITUDE).map(|metres| metres as f32),
            altitude_border: reader.get(&ALTITUDE_BORDER) as f32,
            patches: reader.has("patches").then(|| Patches::read(&mut reader.table(&PATCHES))),
            map: reader.has("map").then(|| DensityMap::read(reader, assets, on_height_map)),
        }
    }
}

impl DensityMap {
    fn read(reader: &mut TableReader<'_>, assets: &Assets<'_>, on_height_map: bool) -> Self {
        let size = reader.find(&MAP_SIZE);
        if size.is_none() && !on_height_map && !reader.has("map_size") {
            let help = "add map_size = [x, z] in metres";
            reader.refuse("map", "this ground has no height map that says how large `map` is", help);
        }
        Self { file: assets.named(reader, &MAP), size, center: reader.get(&MAP_CENTER) }
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
