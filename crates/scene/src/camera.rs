//! Cameras.

use crate::curve::{Between, Curve, CurveKey, Ends};
use crate::language::{BETWEEN, Choice, ENDS, Flag, Key, Number, Optional, TIME, Table, TableReader, Vector, WORLD};

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
    /// How it moves. None where it stands still.
    pub motion: Option<CameraMotion>,
}

/// How a camera moves: what changes over time, in place of what the camera itself says.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraMotion {
    /// From the first key's time to the last one's, in seconds.
    span: [f64; 2],
    ends: Ends,
    /// Where constant speed was asked for: the time on the curves for each time of the span.
    pace: Option<Curve<1>>,
    position: Option<Curve<3>>,
    look_at: Option<Curve<3>>,
    /// In degrees.
    heading: Option<Curve<1>>,
    /// In degrees.
    pitch: Option<Curve<1>>,
    /// In degrees.
    fov: Option<Curve<1>>,
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

static BETWEEN_KEYS: Key<Choice<Between>> = Key {
    name: "between",
    kind: BETWEEN,
    default: Between::Smooth,
    help: "How a moving camera goes from one key to the next.",
};
static ENDS_OF_KEYS: Key<Choice<Ends>> = Key {
    name: "ends",
    kind: ENDS,
    default: Ends::Hold,
    help: "What a moving camera does before its first key and after its last.",
};
static CONSTANT_SPEED: Key<Flag> = Key {
    name: "constant_speed",
    kind: Flag,
    default: false,
    help: "Whether a moving camera goes its whole way at one speed: then only the first key's time and the last one's count, and between them the length of the way; where it rests, no time passes.",
};

pub(crate) static TABLE: Table = Table {
    name: "camera.NAME",
    help: "Where pictures are taken from. Without any, `main` stands 1.5 m above the ground and looks north.",
    keys: &[
        &POSITION,
        &ABOVE_GROUND,
        &LOOK_AT,
        &HEADING,
        &PITCH,
        &FOV,
        &NEAR,
        &BETWEEN_KEYS,
        &ENDS_OF_KEYS,
        &CONSTANT_SPEED,
    ],
    variants: &[],
    is_list: false,
    tables: &[&KEY_TABLE],
};

static KEY_TIME: Optional<Number> =
    Optional { name: "time", kind: TIME, help: "When it is so. Times rise from key to key." };
static KEY_POSITION: Optional<Vector<3>> = Optional {
    name: "position",
    kind: Vector { number: WORLD, parts: "[x, y, z]" },
    help: "The eye. Where a key leaves something out, it goes on from the key before to the one after; where all do, it is the camera's own.",
};
static KEY_HEADING: Optional<Number> = Optional {
    name: "heading",
    kind: Number { unit: "degrees", min: -36_000.0, max: 36_000.0 },
    help: "The direction of view seen from above. It turns the way that the numbers go: from 0 to 720 is two turns.",
};
static KEY_PITCH: Optional<Number> = Optional {
    name: "pitch",
    kind: Number { unit: "degrees", min: -90.0, max: 90.0 },
    help: "How far the view points up.",
};
static KEY_FOV: Optional<Number> = Optional {
    name: "fov",
    kind: Number { unit: "degrees", min: 0.1, max: 170.0 },
    help: "The vertical field of view.",
};

/// Of a camera that moves; a list of tables.
static KEY_TABLE: Table = Table {
    name: "camera.NAME.key",
    help: "A camera that moves: a key for each moment that matters.",
    keys: &[&KEY_TIME, &KEY_POSITION, &LOOK_AT, &KEY_HEADING, &KEY_PITCH, &KEY_FOV],
    variants: &[],
    is_list: true,
    tables: &[],
};

/// What one key says.
struct Moment {
    time: f64,
    position: Option<[f64; 3]>,
    look_at: Option<[f64; 3]>,
    heading: Option<f64>,
    pitch: Option<f64>,
    fov: Option<f64>,
}

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
            motion: CameraMotion::read(reader),
        }
    }

    /// The camera as it stands at a time in seconds.
    #[must_use]
    pub fn at(&self, time: f64) -> Self {
        let mut still = Self { motion: None, ..self.clone() };
        let Some(motion) = &self.motion else { return still };
        let time = motion.time_on_curves(time);
        if let Some(position) = &motion.position {
            still.position = position.at(time);
        }
        let default_view = || {
            let [heading, pitch] = [HEADING.default, PITCH.default].map(|angle| (angle as f32).to_radians());
            View::Toward { heading, pitch }
        };
        if motion.position.is_some() && still.view == View::Frame {
            // It has a place, so it does not stand where the mesh fills the picture.
            still.view = default_view();
        }
        if let Some(look_at) = &motion.look_at {
            still.view = View::LookAt(look_at.at(time));
        } else if motion.heading.is_some() || motion.pitch.is_some() {
            let own = if let View::Toward { .. } = self.view { self.view } else { default_view() };
            let View::Toward { heading: own_heading, pitch: own_pitch } = own else { return still };
            let angle = |curve: &Option<Curve<1>>, own: f32| match curve {
                Some(curve) => (curve.value(time) as f32).to_radians(),
                None => own,
            };
            still.view =
                View::Toward { heading: angle(&motion.heading, own_heading), pitch: angle(&motion.pitch, own_pitch) };
        }
        if let Some(fov) = &motion.fov {
            still.fov = (fov.value(time) as f32).to_radians();
        }
        still
    }
}

/// In how many straight pieces the way from one key to the next is measured, for a constant speed.
const PIECES: u32 = 256;

impl CameraMotion {
    fn read(reader: &mut TableReader<'_>) -> Option<Self> {
        let (between, ends) = (reader.get(&BETWEEN_KEYS), reader.get(&ENDS_OF_KEYS));
        let constant_speed = reader.get(&CONSTANT_SPEED);
        let mut last: Option<f64> = None;
        let moments = reader.each(&KEY_TABLE, |reader| {
            for direction in ["heading", "pitch"] {
                reader.only_one("look_at", direction);
            }
            let time = reader.find(&KEY_TIME);
            match time {
                None => reader.refuse_table("a key needs its `time`", "write time = 1.5, in seconds"),
                Some(time) if last.is_some_and(|last| last >= time) => {
                    reader.refuse("time", "`time` is not later than that of the key before", "put the keys in order");
                }
                Some(time) => last = Some(time),
            }
            Moment {
                time: time.unwrap_or_default(),
                position: reader.find(&KEY_POSITION),
                look_at: reader.find(&LOOK_AT),
                heading: reader.find(&KEY_HEADING),
                pitch: reader.find(&KEY_PITCH),
                fov: reader.find(&KEY_FOV),
            }
        });
        let (Some(first), Some(last)) = (moments.first(), moments.last()) else {
            let said = [
                ("between", between != BETWEEN_KEYS.default),
                ("ends", ends != ENDS_OF_KEYS.default),
                ("constant_speed", constant_speed),
            ];
            for (key, _) in said.into_iter().filter(|(_, is_said)| *is_said) {
                let help = "write [[camera.NAME.key]] for each moment, or leave it out";
                reader.refuse(key, format!("`{key}` is for a camera that moves"), help);
            }
            return None;
        };
        let turns = moments.iter().any(|moment| moment.heading.is_some() || moment.pitch.is_some());
        if turns && (reader.has("look_at") || moments.iter().any(|moment| moment.look_at.is_some())) {
            let help = "give `look_at` alone, or `heading` and `pitch` alone";
            reader.refuse_part("key", "a camera looks at points or in directions, not at both", help);
        }
        let span = [first.time, last.time];
        let shape = Shape { between, ends, span };
        let mut motion = Self {
            span,
            ends,
            pace: None,
            position: shape.curve(&moments, |moment| moment.position).map(Curve::of_places),
            look_at: shape.curve(&moments, |moment| moment.look_at).map(Curve::of_places),
            heading: shape.curve(&moments, |moment| moment.heading.map(|angle| [angle])).map(Curve::of_angles),
            pitch: shape.curve(&moments, |moment| moment.pitch.map(|angle| [angle])),
            fov: shape.curve(&moments, |moment| moment.fov.map(|angle| [angle])),
        };
        if constant_speed {
            motion.pace = motion.even_pace(&moments);
        }
        Some(motion)
    }

    /// The time on the curves at a time in seconds.
    fn time_on_curves(&self, time: f64) -> f64 {
        let [first, last] = self.span;
        let key = |time| CurveKey { time, value: [time] };
        let Some(mut clock) = Curve::new([key(first), key(last)]) else { return first };
        clock.ends = self.ends;
        let within = clock.value(time);
        self.pace.as_ref().map_or(within, |pace| pace.value(within))
    }

    /// For each time the time on the curves at which the eye has gone as much of its way as of the time: the way is measured in
    /// straight pieces. None where the eye does not move.
    fn even_pace(&self, moments: &[Moment]) -> Option<Curve<1>> {
        let position = self.position.as_ref()?;
        let [first, last] = self.span;
        // A way that repeats is at its start again when it ends, so its end is taken from the keys.
        let end = position.keys().last()?.value;
        let eye = |time: f64| if time < last { position.at(time) } else { end };
        let mut way = vec![(first, 0.0)];
        for pair in moments.windows(2) {
            let [from, to] = [pair[0].time, pair[1].time];
            for piece in 1..=PIECES {
                let time = if piece == PIECES { to } else { from + (to - from) * f64::from(piece) / f64::from(PIECES) };
                let (before, gone) = way.last().copied().unwrap_or((first, 0.0));
                let (a, b) = (eye(before), eye(time));
                let step = (0..3).map(|axis| (b[axis] - a[axis]).powi(2)).sum::<f64>().sqrt();
                way.push((time, gone + step));
            }
        }
        let length = way.last().map(|(_, gone)| *gone).filter(|length| *length > 0.0)?;
        let mut keys: Vec<CurveKey<1>> = Vec::new();
        for (time, gone) in way {
            let key = CurveKey { time: first + (last - first) * gone / length, value: [time] };
            match keys.last_mut() {
                // Of a rest only its end is kept, so that what the camera does meanwhile is not lost.
                Some(before) if before.time >= key.time => before.value = key.value,
                _ => keys.push(key),
            }
        }
        Curve::new(keys)
    }
}

/// What the curves of one camera have in common.
struct Shape {
    between: Between,
    ends: Ends,
    span: [f64; 2],
}

impl Shape {
    /// Through the keys that say something; none where no key does.
    fn curve<const N: usize>(
        &self,
        moments: &[Moment],
        value: impl Fn(&Moment) -> Option<[f64; N]>,
    ) -> Option<Curve<N>> {
        let keys = moments.iter().filter_map(|moment| Some(CurveKey { time: moment.time, value: value(moment)? }));
        let mut curve = Curve::new(keys)?;
        curve.between = self.between;
        let span = [curve.keys().next(), curve.keys().last()].map(|key| key.map(|key| key.time));
        // One that starts later, or ends earlier, than the camera rests meanwhile.
        if span == self.span.map(Some) {
            curve.ends = self.ends;
        }
        Some(curve)
    }
}
