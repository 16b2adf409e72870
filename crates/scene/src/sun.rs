//! The sun and the sky.

use crate::language::{Color, Key, Number, Table, TableReader};

/// The light of day.
#[derive(Clone, Debug, PartialEq)]
pub struct Sun {
    /// The angle above the horizon in radians; negative is below.
    pub elevation: f32,
    /// Where it stands seen from above, in radians: 0 = +x (east), anticlockwise, a quarter turn = −z (north).
    pub azimuth: f32,
    /// A factor: 1 is a clear day.
    pub intensity: f32,
    /// A tint of its light beside what the air gives it, scene-linear Rec. 709.
    pub color: [f32; 3],
    /// A factor on the light of the sky: 1 is a clear day.
    pub sky: f32,
    /// How far one sees, in metres.
    pub haze: f32,
}

static ELEVATION: Key<Number> = Key {
    name: "elevation",
    kind: Number { unit: "degrees", min: -90.0, max: 90.0 },
    default: 35.0,
    help: "The sun's angle above the horizon; negative is below.",
};
static AZIMUTH: Key<Number> = Key {
    name: "azimuth",
    kind: Number { unit: "degrees", min: -360.0, max: 360.0 },
    // Half from the left and half in front of a camera that looks north: leaves glow.
    default: 150.0,
    help: "Where the sun stands seen from above: 0 = east (+x), 90 = north (-z), anticlockwise.",
};
static INTENSITY: Key<Number> = Key {
    name: "intensity",
    kind: Number { unit: "", min: 0.0, max: 1000.0 },
    default: 1.0,
    help: "A factor on the sun's light: 1 is a clear day.",
};
static COLOR: Key<Color> = Key {
    name: "color",
    kind: Color,
    default: [1.0, 1.0, 1.0],
    help: "A tint of the sun's light, beside what the air gives it.",
};
static SKY: Key<Number> = Key {
    name: "sky",
    kind: Number { unit: "", min: 0.0, max: 1000.0 },
    default: 1.0,
    help: "A factor on the light of the sky: 1 is a clear day.",
};
static HAZE: Key<Number> = Key {
    name: "haze",
    kind: Number { unit: "metres", min: 100.0, max: 1e6 },
    default: 60_000.0,
    help: "How far one sees: where a dark hill keeps 2 % of its contrast against the sky. 10000 is hazy, 100000 as clear as it gets.",
};

pub(crate) static TABLE: Table = Table {
    name: "sun",
    help: "The light of day. Without it, a clear afternoon.",
    keys: &[&ELEVATION, &AZIMUTH, &INTENSITY, &COLOR, &SKY, &HAZE],
    variants: &[],
    tables: &[],
};

impl Sun {
    pub(crate) fn read(reader: &mut TableReader<'_>) -> Self {
        Self {
            elevation: (reader.get(&ELEVATION) as f32).to_radians(),
            azimuth: (reader.get(&AZIMUTH) as f32).to_radians(),
            intensity: reader.get(&INTENSITY) as f32,
            color: reader.get(&COLOR),
            sky: reader.get(&SKY) as f32,
            haze: reader.get(&HAZE) as f32,
        }
    }

    /// The direction towards the sun, of length 1.
    #[must_use]
    pub fn direction(&self) -> [f32; 3] {
        let (up, level) = self.elevation.sin_cos();
        [level * self.azimuth.cos(), up, -level * self.azimuth.sin()]
    }
}
