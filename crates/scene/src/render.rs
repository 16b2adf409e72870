//! How pictures are taken, unless the command line says otherwise.

use crate::curve::Curve;
use crate::language::{Choice, Key, Number, Optional, Over, Table, TableReader, Text, Whole, WholeVector};
use crate::quality::{self, Quality};

/// How pictures are taken, unless the command line says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Render {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples a pixel.
    pub samples: u32,
    /// The moment of the picture, in seconds.
    pub time: f64,
    /// How long the scene moves before `time`, in seconds, so that the first picture is not stiff.
    pub settle: f64,
    /// How long the shutter is open, from the moment on, in seconds.
    pub shutter: f64,
    /// Frames a second of a film.
    pub fps: f64,
    /// In stops: 1 doubles the light.
    pub exposure: Curve<1>,
    /// How much work goes into a picture.
    pub quality: Quality,
    /// The camera to use; it exists.
    pub camera: Option<String>,
}

impl Render {
    /// The longest side of a picture, in pixels.
    pub const LARGEST_SIDE: u32 = 16_384;
    /// The most samples a pixel.
    pub const MOST_SAMPLES: u32 = 65_536;
    /// The longest that a shutter is open, in seconds.
    pub const LONGEST_SHUTTER: f64 = 10.0;
    /// The slowest and the fastest film, in frames a second.
    pub const RATES: [f64; 2] = [2.0, 240.0];
    /// The latest moment, in seconds; the first is 0.
    pub const LATEST: f64 = 1e6;
}

static SIZE: Key<WholeVector<2>> = Key {
    name: "size",
    kind: WholeVector { number: Whole { unit: "pixels", min: 1, max: Render::LARGEST_SIDE }, parts: "[width, height]" },
    default: [1280, 720],
    help: "The size of the picture.",
};
static SAMPLES: Key<Whole> = Key {
    name: "samples",
    kind: Whole { unit: "samples", min: 1, max: Render::MOST_SAMPLES },
    default: 16,
    help: "How often each pixel is sampled: more is smoother and slower.",
};
static TIME: Key<Number> = Key {
    name: "time",
    kind: Number { unit: "seconds", min: 0.0, max: Render::LATEST },
    default: 0.0,
    help: "The moment of the picture.",
};
static SETTLE: Key<Number> = Key {
    name: "settle",
    kind: Number { unit: "seconds", min: 0.0, max: 600.0 },
    default: 4.0,
    help: "How long the scene moves before `time`, so that the first picture is not stiff.",
};
static SHUTTER: Key<Number> = Key {
    name: "shutter",
    kind: Number { unit: "seconds", min: 0.0, max: Render::LONGEST_SHUTTER },
    default: 0.0,
    help: "How long the shutter is open, from the moment on: what moves meanwhile is blurred. 0.02 is usual.",
};
static FPS: Key<Number> = Key {
    name: "fps",
    kind: Number { unit: "frames/s", min: Render::RATES[0], max: Render::RATES[1] },
    default: 24.0,
    help: "Frames a second of a film; its frame 1 is at `time`.",
};
static EXPOSURE: Key<Over<Number>> = Key {
    name: "exposure",
    kind: Over(Number { unit: "stops", min: -20.0, max: 20.0 }),
    default: Curve::constant([0.0]),
    help: "How bright the picture is: 1 doubles the light, -1 halves it.",
};
static QUALITY: Key<Choice<Quality>> = Key {
    name: "quality",
    kind: Choice { options: quality::OPTIONS },
    default: Quality::High,
    help: "How much work goes into a picture.",
};
static CAMERA: Optional<Text> = Optional {
    name: "camera",
    kind: Text { what: "the name of a camera" },
    help: "The camera to use. Without it, `main` if there is one, else the first by name.",
};

pub(crate) static TABLE: Table = Table {
    name: "render",
    help: "How pictures are taken, unless the command line says otherwise.",
    keys: &[&SIZE, &SAMPLES, &TIME, &SETTLE, &SHUTTER, &FPS, &EXPOSURE, &QUALITY, &CAMERA],
    variants: &[],
    is_list: false,
    tables: &[],
};

impl Render {
    pub(crate) fn read(reader: &mut TableReader<'_>) -> Self {
        Self {
            size: reader.get(&SIZE),
            samples: reader.get(&SAMPLES),
            time: reader.get(&TIME),
            settle: reader.get(&SETTLE),
            shutter: reader.get(&SHUTTER),
            fps: reader.get(&FPS),
            exposure: reader.get(&EXPOSURE),
            quality: reader.get(&QUALITY),
            camera: reader.find(&CAMERA).map(|name| name.into_owned()),
        }
    }
}
