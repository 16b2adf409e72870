//! The sun and the sky.

use crate::curve::Curve;
use crate::language::{Color, Key, Number, Over, Table, TableReader};

/// The light of day.
#[derive(Clone, Debug, PartialEq)]
pub struct Sun {
    /// The angle above the horizon in degrees; negative is below.
    pub elevation: Curve<1>,
    /// Where it stands seen from above, in degrees: 0 = +x (east), anticlockwise, 90 = −z (north).
    pub azimuth: Curve<1>,
    /// A factor: 1 is a clear day.
    pub intensity: Curve<1>,
    /// A tint of its light beside what the air gives it, scene-linear Rec. 709.
    pub color: Curve<3>,
    /// A factor on the light of the sky: 1 is a clear day.
    pub sky: Curve<1>,
    /// How far one sees, in metres.
    pub haze: Curve<1>,
}

static ELEVATION: Key<Over<Number>> = Key {
    name: "elevation",
    kind: Over(Number { unit: "degrees", min: -90.0, max: 90.0 }),
    default: Curve::constant([35.0]),
    help: "The sun's angle above the horizon; negative is below.",
};
static AZIMUTH: Key<Over<Number>> = Key {
    name: "azimuth",
    kind: Over(Number { unit: "degrees", min: -360.0, max: 360.0 }),
    // Half from the left and half in front of a camera that looks north: leaves glow.
    default: Curve::constant([150.0]),
    help: "Where the sun stands seen from above: 0 = east (+x), 90 = north (-z), anticlockwise.",
};
static INTENSITY: Key<Over<Number>> = Key {
    name: "intensity",
    kind: Over(Number { unit: "", min: 0.0, max: 1000.0 }),
    default: Curve::constant([1.0]),
    help: "A factor on the sun's light: 1 is a clear day.",
};
static COLOR: Key<Over<Color>> = Key {
    name: "color",
    kind: Over(Color),
    default: Curve::constant([1.0, 1.0, 1.0]),
    help: "A tint of the sun's light, beside what the air gives it.",
};
static SKY: Key<Over<Number>> = Key {
    name: "sky",
    kind: Over(Number { unit: "", min: 0.0, max: 1000.0 }),
    default: Curve::constant([1.0]),
    help: "A factor on the light of the sky: 1 is a clear day.",
};
static HAZE: Key<Over<Number>> = Key {
    name: "haze",
    kind: Over(Number { unit: "metres", min: 100.0, max: 1e6 }),
    default: Curve::constant([60_000.0]),
    help: "How far one sees: where a dark hill keeps 2 % of its contrast against the sky. 10000 is hazy, 100000 as clear as it gets.",
};

pub(crate) static TABLE: Table = Table {
    name: "sun",
    help: "The light of day. Without it, a clear afternoon.",
    keys: &[&ELEVATION, &AZIMUTH, &INTENSITY, &COLOR, &SKY, &HAZE],
    variants: &[],
    is_list: false,
    tables: &[],
};

impl Sun {
    pub(crate) fn read(reader: &mut TableReader<'_>) -> Self {
        Self {
            elevation: reader.get(&ELEVATION),
            azimuth: reader.get(&AZIMUTH).of_angles(),
            intensity: reader.get(&INTENSITY),
            color: reader.get(&COLOR),
            sky: reader.get(&SKY),
            haze: reader.get(&HAZE),
        }
    }

    /// The direction towards the sun at a time in seconds, of length 1.
    #[must_use]
    pub fn direction(&self, time: f64) -> [f32; 3] {
        let [elevation, azimuth] =
            [&self.elevation, &self.azimuth].map(|angle| (angle.value(time) as f32).to_radians());
        let (up, level) = elevation.sin_cos();
        [level * azimuth.cos(), up, -level * azimuth.sin()]
    }

    /// Whether it stands still and shines evenly.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        let Self { elevation, azimuth, intensity, color, sky, haze } = self;
        [elevation, azimuth, intensity, sky, haze].iter().all(|curve| curve.is_constant()) && color.is_constant()
    }
}
