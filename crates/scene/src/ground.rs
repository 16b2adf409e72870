//! The ground.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::language::{Choice, Color, Key, Number, Optional, Table, TableReader, Text, Variant, Vector, WORLD, Whole};
use crate::spot::Spot;

/// What everything stands on.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// Its form.
    pub shape: GroundShape,
    /// The colour of the bare earth, scene-linear Rec. 709.
    pub color: [f32; 3],
}

/// The form of the ground.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundShape {
    /// Heights from a grey picture, its first row in the north (−z), its centre at x = z = 0.
    HeightMap {
        /// A PNG of 8 or 16 bits, grey.
        file: AssetPath,
        /// Distance of samples along x and z, in metres.
        metres_per_sample: [f64; 2],
        /// Metres for each step of the picture's values.
        metres_per_unit: f64,
        /// Added to all heights, in metres.
        offset: f64,
        /// A factor on the relief that is made up below the distance of samples: 0 for none, 1 for natural.
        detail: f32,
    },
    /// Any mesh; bodies stand on all its sides.
    Mesh {
        /// A glTF or GLB file.
        file: AssetPath,
        /// A factor on its size.
        scale: f64,
        /// A turn about the vertical in radians, anticlockwise seen from above.
        turn: f32,
        /// Where its origin comes to lie, in metres.
        position: [f64; 3],
    },
    /// Flat and endless.
    Plane {
        /// In metres.
        height: f64,
    },
    /// Endless gentle hills, made up.
    Rolling {
        /// A factor on their height.
        detail: f32,
        /// Another number, other hills.
        seed: u32,
    },
}

/// A file that a scene names.
#[derive(Clone, PartialEq, Eq)]
pub struct AssetPath {
    /// Where it is, joined to the scene's folder.
    pub path: PathBuf,
    /// Where the scene names it, such as `meadow.toml:12:8`, for what is found wrong in the file later.
    pub named_at: Spot,
}

/// Without its folder, so that [`crate::Scene::fingerprint`] is the same wherever a scene is called from.
impl fmt::Debug for AssetPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AssetPath").field(&self.path.file_name()).finish()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    HeightMap,
    Mesh,
    Plane,
    Rolling,
}

static KIND: Optional<Choice<Word>> = Optional {
    name: "kind",
    kind: Choice {
        options: &[
            ("rolling", Word::Rolling, "endless gentle hills, made up"),
            ("height_map", Word::HeightMap, "heights from a grey picture"),
            ("mesh", Word::Mesh, "any mesh, bodies on all its sides"),
            ("plane", Word::Plane, "flat and endless"),
        ],
    },
    help: "Its form. Without it, a `file` that ends in .png is a height map and one in .gltf or .glb a mesh; without a \
           file the ground is rolling.",
};
static COLOR: Key<Color> =
    Key { name: "color", kind: Color, default: [0.105, 0.075, 0.045], help: "The colour of the bare earth." };
static MAP_FILE: Optional<Text> = Optional {
    name: "file",
    kind: Text { what: "a file" },
    help: "A grey PNG of 8 or 16 bits, its first row in the north; relative to the scene file. Must be given.",
};
static METRES_PER_SAMPLE: Key<Vector<2>> = Key {
    name: "metres_per_sample",
    kind: Vector { number: Number { unit: "metres", min: 0.001, max: 100_000.0 }, parts: "[x, z]" },
    default: [1.0, 1.0],
    help: "The distance of the picture's samples, from west to east and from north to south.",
};
static METRES_PER_UNIT: Key<Number> = Key {
    name: "metres_per_unit",
    kind: Number { unit: "metres", min: -10_000.0, max: 10_000.0 },
    default: 1.0,
    help: "The height of one step of the picture's values (0 to 65535, or 0 to 255).",
};
static OFFSET: Key<Number> =
    Key { name: "offset", kind: WORLD, default: 0.0, help: "Added to all heights of the picture." };
static DETAIL: Key<Number> = Key {
    name: "detail",
    kind: Number { unit: "", min: 0.0, max: 10.0 },
    default: 1.0,
    help: "A factor on the relief that is made up below the distance of samples: 0 for none.",
};
static MESH_FILE: Optional<Text> = Optional {
    name: "file",
    kind: Text { what: "a file" },
    help: "A glTF or GLB file; relative to the scene file. Must be given.",
};
static SCALE: Key<Number> = Key {
    name: "scale",
    kind: Number { unit: "", min: 1e-6, max: 1e6 },
    default: 1.0,
    help: "A factor on the mesh's size; glTF counts in metres.",
};
static TURN: Key<Number> = Key {
    name: "turn",
    kind: Number { unit: "degrees", min: -360.0, max: 360.0 },
    default: 0.0,
    help: "A turn of the mesh about the vertical, anticlockwise seen from above.",
};
static POSITION: Key<Vector<3>> = Key {
    name: "position",
    kind: Vector { number: WORLD, parts: "[x, y, z]" },
    default: [0.0; 3],
    help: "Where the mesh's origin comes to lie.",
};
static HEIGHT: Key<Number> = Key { name: "height", kind: WORLD, default: 0.0, help: "The height of the plane." };
static HILLS: Key<Number> = Key {
    name: "detail",
    kind: Number { unit: "", min: 0.0, max: 10.0 },
    default: 1.0,
    help: "A factor on the height of the hills.",
};
static SEED: Key<Whole> = Key {
    name: "seed",
    kind: Whole { unit: "", min: 0, max: u32::MAX },
    default: 0,
    help: "Another number, other hills.",
};

pub(crate) static TABLE: Table = Table {
    name: "ground",
    help: "What everything stands on. Without it, endless gentle hills.",
    keys: &[&KIND, &COLOR],
    variants: &[
        Variant { kind: "rolling", keys: &[&HILLS, &SEED] },
        Variant { kind: "height_map", keys: &[&MAP_FILE, &METRES_PER_SAMPLE, &METRES_PER_UNIT, &OFFSET, &DETAIL] },
        Variant { kind: "mesh", keys: &[&MESH_FILE, &SCALE, &TURN, &POSITION] },
        Variant { kind: "plane", keys: &[&HEIGHT] },
    ],
    is_list: false,
    tables: &[],
};

impl Ground {
    pub(crate) fn read(reader: &mut TableReader<'_>, assets: &Assets<'_>) -> Self {
        let color = reader.get(&COLOR);
        let word = match reader.find(&KIND) {
            Some(word) => word,
            None if !reader.has("file") => Word::Rolling,
            None => by_extension(reader),
        };
        let shape = match word {
            Word::Rolling => {
                reader.variant("rolling");
                GroundShape::Rolling { detail: reader.get(&HILLS) as f32, seed: reader.get(&SEED) }
            }
            Word::Plane => {
                reader.variant("plane");
                GroundShape::Plane { height: reader.get(&HEIGHT) }
            }
            Word::HeightMap => {
                reader.variant("height_map");
                let metres_per_unit = reader.get(&METRES_PER_UNIT);
                if metres_per_unit == 0.0 {
                    let help = "write kind = \"plane\" for flat ground";
                    reader.refuse("metres_per_unit", "`metres_per_unit` must not be 0", help);
                }
                GroundShape::HeightMap {
                    file: assets.find(reader, &MAP_FILE),
                    metres_per_sample: reader.get(&METRES_PER_SAMPLE),
                    metres_per_unit,
                    offset: reader.get(&OFFSET),
                    detail: reader.get(&DETAIL) as f32,
                }
            }
            Word::Mesh => {
                reader.variant("mesh");
                GroundShape::Mesh {
                    file: assets.find(reader, &MESH_FILE),
                    scale: reader.get(&SCALE),
                    turn: (reader.get(&TURN) as f32).to_radians(),
                    position: reader.get(&POSITION),
                }
            }
        };
        Self { shape, color }
    }

    /// The file that the ground is read from.
    #[must_use]
    pub fn file(&self) -> Option<&AssetPath> {
        match &self.shape {
            GroundShape::HeightMap { file, .. } | GroundShape::Mesh { file, .. } => Some(file),
            GroundShape::Plane { .. } | GroundShape::Rolling { .. } => None,
        }
    }
}

fn by_extension(reader: &mut TableReader<'_>) -> Word {
    let Some(file) = reader.peek_text("file") else { return Word::HeightMap };
    let extension = Path::new(file).extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("png") => Word::HeightMap,
        Some("gltf" | "glb") => Word::Mesh,
        _ => {
            let help = "a height map ends in .png and a mesh in .gltf or .glb; or say which it is with `kind`";
            reader.refuse("file", "this is no ground by its name", help);
            Word::HeightMap
        }
    }
}

/// Why a path leads to no file that can be read like one, or nothing where it does.
fn no_file(path: &Path) -> Option<String> {
    match std::fs::metadata(path) {
        Ok(about) if about.is_file() => None,
        Ok(about) if about.is_dir() => Some("this is a folder".to_owned()),
        Ok(_) => Some("this is not an ordinary file".to_owned()),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Some("there is no such file".to_owned())
        }
        Err(error) => Some(format!("this file cannot be looked at: {error}")),
    }
}

/// Where files are looked for.
pub(crate) struct Assets<'a> {
    /// The scene's own folder.
    pub directory: &'a Path,
    /// Whether a missing file is a mistake.
    pub must_exist: bool,
}

impl Assets<'_> {
    fn find(&self, reader: &mut TableReader<'_>, key: &Optional<Text>) -> AssetPath {
        if !reader.has(key.name) {
            reader.refuse("kind", "this ground needs a `file`", "add file = \"…\", relative to the scene file");
        }
        self.named(reader, key)
    }

    /// The file that a key names.
    pub fn named(&self, reader: &mut TableReader<'_>, key: &Optional<Text>) -> AssetPath {
        let text = reader.find(key);
        let path = self.directory.join(text.as_deref().unwrap_or_default());
        if self.must_exist
            && text.is_some()
            && let Some(why) = no_file(&path)
        {
            let help = format!("looked for {}; paths are relative to the scene file", path.display());
            reader.refuse(key.name, why, help);
        }
        AssetPath { path, named_at: Spot(reader.location(key.name)) }
    }
}
