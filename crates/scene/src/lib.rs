//! Scenes as an author writes them: TOML files, read and checked without a GPU.
//!
//! ```
//! let text = r#"
//!     format = 1
//!     [population.meadow]
//!     density = 2000
//!     [wind.breeze]
//!     speed = 4
//!     toward = 90 # north
//! "#;
//! let scene = anemone_scene::parse("meadow.toml", text, ".".as_ref(), &["render.samples=4"])?;
//! assert_eq!(scene.render.samples, 4);
//!
//! let error = anemone_scene::parse("meadow.toml", "[sun]\nelevatoin = 30", ".".as_ref(), &[""; 0]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//! "error: [sun] has no `elevatoin`
//!  --> meadow.toml:2:1
//!   |
//! 2 | elevatoin = 30
//!   | ^^^^^^^^^
//!   = help: did you mean `elevation`?"
//! );
//! # Ok::<(), anemone_scene::SceneError>(())
//! ```
//!
//! Files speak degrees and sRGB; the values here are radians, metres, seconds and scene-linear colours. Space is
//! right-handed: x east, y up, −z north; turns run anticlockwise seen from above.

mod camera;
mod collider;
mod color;
mod curve;
mod error;
mod ground;
mod language;
mod mistakes;
mod nearest;
mod population;
mod quality;
mod render;
mod report;
mod scene;
mod source;
mod species;
mod spot;
mod sun;
mod tree;
mod wind;
mod world;

use std::io::Read;
use std::path::Path;

pub use camera::{Camera, CameraMotion, View};
pub use collider::{Collider, ColliderShape, Motion};
pub use curve::{Between, Curve, CurveKey, Ends};
pub use error::{Mistake, SceneError};
pub use ground::{AssetPath, Ground, GroundShape};
pub use language::{Describe, Form, Table, Variant};
pub use population::{
    BladeColor, Clumps, Cull, DensityMap, Distance, Facing, Gravity, Growth, Length, Model, Patches, Placement,
    Population, Preset, Region, Shape,
};
pub use quality::{Quality, Settings};
pub use render::Render;
pub use report::for_terminal;
pub use scene::{LANGUAGE, MOST_WINDS, Scene, UnknownCamera};
pub use species::Species;
pub use spot::Spot;
pub use sun::Sun;
pub use wind::{Velocity, Wind, WindKind};
pub use world::WorldError;

use ground::Assets;
use mistakes::Mistakes;
use tree::{check_names, merge, parse_override};

/// A scene's file may have so many bytes at most (16 MiB).
pub const LARGEST_FILE: u64 = 16 << 20;

/// Reads a scene from a file and lays overrides over it.
///
/// Each override is a text such as `population.meadow.density=500`: a path of keys, `=`, and a TOML value or a bare
/// word. A number as a key reaches into a list that is there or the default (`camera.main.position.1=3`), a table is
/// merged into the one that is there. Relative paths of files, in overrides too, are relative to the scene file's folder.
///
/// # Errors
///
/// When the file cannot be read, is a pipe or a device other than standard input, is too large, or holds mistakes; also when a file that it names is missing.
pub fn load<S: AsRef<str>>(path: &Path, overrides: &[S]) -> Result<Scene, SceneError> {
    let read = |error| SceneError::Read { path: path.to_path_buf(), error };
    // Opening a pipe that nobody writes to would wait for ever.
    let kind = std::fs::metadata(path).map_err(read)?.file_type();
    if !(kind.is_file() || kind.is_dir() || is_open_already(path)) {
        return Err(SceneError::NoFile { path: path.to_path_buf() });
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large, and standard input may have no end.
    let file = std::fs::File::open(path).map_err(read)?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(read)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(SceneError::TooLarge { path: path.to_path_buf() });
    }
    let name = path.display().to_string();
    let text = into_text(&name, bytes)?;
    let directory = path.parent().unwrap_or(Path::new(""));
    read_scene(&name, text, &Assets { directory, must_exist: true }, overrides)
}

/// Whether a path stands for standard input or for a pipe of the shell's, as in `<(…)`.
fn is_open_already(path: &Path) -> bool {
    ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|open| path.starts_with(open))
}

/// Reads a scene from a text: `name` stands for the file in messages, and relative paths start at `directory`. No file
/// is touched.
///
/// # Errors
///
/// When the text holds mistakes.
pub fn parse<S: AsRef<str>>(name: &str, text: &str, directory: &Path, overrides: &[S]) -> Result<Scene, SceneError> {
    if text.len() as u64 > LARGEST_FILE {
        return Err(SceneError::TooLarge { path: name.into() });
    }
    read_scene(name, text.to_owned(), &Assets { directory, must_exist: false }, overrides)
}

/// The scene that an empty file describes.
impl Default for Scene {
    fn default() -> Self {
        let mut mistakes = Mistakes::default();
        let source = mistakes.sources.add(String::new(), String::new());
        let root = tree::parse(source, "", &mut mistakes).root;
        Self::read(&root, &Assets { directory: Path::new(""), must_exist: false }, &mut mistakes)
    }
}

fn into_text(name: &str, bytes: Vec<u8>) -> Result<String, SceneError> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(good).copied().unwrap_or_default();
        let mut mistakes = Mistakes::default();
        let source = mistakes.sources.add(name.to_owned(), String::from_utf8_lossy(error.as_bytes()).into_owned());
        let place = source::Place::new(source, good..good);
        let message = format!("this is not a text in UTF-8 (byte 0x{byte:02x})");
        mistakes.add(&place, message, Some("a scene is a TOML file".to_owned()));
        match mistakes.finish() {
            Err(error) => error,
            Ok(()) => unreachable!("a mistake was just added"),
        }
    })
}

fn read_scene<S: AsRef<str>>(
    name: &str,
    text: String,
    assets: &Assets<'_>,
    overrides: &[S],
) -> Result<Scene, SceneError> {
    let mut mistakes = Mistakes::default();
    let source = mistakes.sources.add(name.to_owned(), text.clone());
    let parsed = tree::parse(source, &text, &mut mistakes);
    if !parsed.usable {
        mistakes.finish()?;
        unreachable!("a text that is no TOML has a mistake");
    }
    let mut root = parsed.root;
    let file_tree = root.clone();
    for text in overrides {
        let text = text.as_ref();
        let source = mistakes.sources.add("--set".to_owned(), text.to_owned());
        if let Some(over) = parse_override(source, text, &mut mistakes)
            && check_names(&file_tree, &over, &mut mistakes)
        {
            merge(&mut root, over, &mut mistakes);
        }
    }
    species::lay_under(&mut root, &mut mistakes);
    let scene = Scene::read(&root, assets, &mut mistakes);
    mistakes.finish()?;
    Ok(scene)
}
