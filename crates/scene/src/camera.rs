//! Cameras.

use crate::language::{Flag, Key, Number, Optional, Table, TableReader, Vector, WORLD};

/// Where a picture is taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// The eye in metres.
    pub position: [f64; 3],
    /// Whether the height of `position` and of a point looked at counts from the ground below that point. Without
    /// effect on a mesh, which has no below.
    pub above_ground: bool,
    /// Where it looks.
    pub view: View,
    /// The vertical field of view in radians.
    pub fov: f32,
    /// The distance of the near plane in metres.
    pub near: f32,
}

/// Where a camera looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// At a point in metres.
    LookAt([f64; 3]),
    /// In a direction, in radians.
    Toward {
        /// The turn about the vertical: 0 = +x (east), anticlockwise seen from above, a quarter turn = −z (north).
        heading: f32,
        /// Up when positive.
        pitch: f32,
    },
    /// From outside, as far off as makes a mesh fill the picture; the position does not count. This is the view when
    /// the ground is a mesh and the scene says nothing about the camera's place.
    Frame,
}

const DEGREES: Number = Number { unit: "degrees", min: -360.0, max: 360.0 };

static POSITION: Key<Vector<3>> = Key {
    name: "position",
    kind: Vector { number: WORLD, parts: "[x, y, z]" },
    default: [0.0, 1.5, 0.0],
    help: "The eye: x east, y up, z south. On a mesh without it, the camera frames the whole mesh.",
};
static ABOVE_GROUND: Key<Flag> = Key {
    name: "above_ground",
    kind: Flag,
    default: true,
    help: "Whether y in position and look_at counts from the ground below that point; no effect on a mesh.",
};
static LOOK_AT: Optional<Vector<3>> = Optional {
    name: "look_at",
    kind: Vector { number: WORLD, parts: "[x, y, z]" },
    help: "The point in the middle of the picture; without it, heading and pitch count.",
};
static HEADING: Key<Number> = Key {
    name: "heading",
    kind: DEGREES,
    default: 90.0,
    help: "The direction of view seen from above: 0 = east (+x), 90 = north (-z), anticlockwise.",
};
static PITCH: Key<Number> = Key {
    name: "pitch",
    kind: Number { unit: "degrees", min: -90.0, max: 90.0 },
    default: -8.0,
    help: "How far the view points up (positive) or down (negative).",
};
static FOV: Key<Number> = Key {
    name: "fov",
    kind: Number { unit: "degrees", min: 0.1, max: 170.0 },
    default: 50.0,
    help: "The vertical field of view.",
};
static NEAR: Key<Number> = Key {
    name: "near",
    kind: Number { unit: "metres", min: 0.001, max: 1000.0 },
    default: 0.02,
    help: "What is nearer to the eye than this is not drawn.",
};

pub(crate) static TABLE: Table = Table {
    name: "camera.NAME",
    help: "Where pictures are taken from. Without any, `main` stands 1.5 m above the ground and looks north.",
    keys: &[&POSITION, &ABOVE_GROUND, &LOOK_AT, &HEADING, &PITCH, &FOV, &NEAR],
    variants: &[],
    tables: &[],
};

impl Camera {
    pub(crate) fn read(reader: &mut TableReader<'_>, on_mesh: bool) -> Self {
        for direction in ["heading", "pitch"] {
            reader.only_one("look_at", direction);
        }
        let placed = reader.has("position");
        let position = reader.get(&POSITION);
        let heading = (reader.get(&HEADING) as f32).to_radians();
        let pitch = (reader.get(&PITCH) as f32).to_radians();
        let directed = reader.has("heading") || reader.has("pitch");
        let view = match reader.find(&LOOK_AT) {
            Some(point) => {
                if point == position {
                    reader.refuse(
                        "look_at",
                        "the camera cannot look at where it stands",
                        "move `look_at` or `position`",
                    );
                }
                View::LookAt(point)
            }
            None if on_mesh && !placed && !directed => View::Frame,
            None => View::Toward { heading, pitch },
        };
        Self {
            position,
            above_ground: reader.get(&ABOVE_GROUND),
            view,
            fov: (reader.get(&FOV) as f32).to_radians(),
            near: reader.get(&NEAR) as f32,
        }
    }
}
