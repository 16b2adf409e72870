//! `cargo xtask pictures`: renders the pictures that the documents show.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, Failure, root};
use crate::options::Options;

/// A picture of the documents.
struct Picture {
    name: &'static str,
    scene: &'static str,
    arguments: &'static [&'static str],
}

const PICTURES: [Picture; 7] = [
    Picture { name: "meadow", scene: "meadow", arguments: &["--size", "608x342"] },
    Picture { name: "sphere", scene: "sphere", arguments: &["--size", "480x480"] },
    Picture { name: "gravity", scene: "docs/gravity", arguments: &[] },
    Picture { name: "waves", scene: "docs/waves", arguments: &[] },
    Picture { name: "gusts", scene: "docs/gusts", arguments: &[] },
    Picture { name: "buckets", scene: "docs/buckets", arguments: &[] },
    Picture { name: "culled", scene: "docs/culled", arguments: &["--camera", "main", "--cull-camera", "walker"] },
];

/// The largest that a picture may be, bytes: they are in the repository for good.
const LARGEST: u64 = 400_000;

/// `cargo xtask pictures`.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::read(arguments, &["--binary", "--only"], &[])?;
    let only = options.value("--only");
    let names = PICTURES.map(|picture| picture.name);
    if let Some(only) = only.filter(|only| !names.contains(only)) {
        return Err(Failure::usage(format!("--only {only}: the pictures are {}", names.join(", "))));
    }
    let program = match options.value("--binary") {
        Some(path) => {
            PathBuf::from(path).canonicalize().map_err(|error| Failure::usage(format!("--binary {path}: {error}")))?
        }
        None => {
            crate::setup::adapter()?;
            command::build_anemone("pictures")?
        }
    };
    let folder = root().join("docs/pictures");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    for picture in PICTURES.iter().filter(|picture| only.is_none_or(|only| only == picture.name)) {
        let output = folder.join(format!("{}.png", picture.name));
        let mut render = Command::new(&program);
        render.arg("render").arg(root().join(format!("assets/scenes/{}.toml", picture.scene)));
        render.arg("-o").arg(&output).args(picture.arguments);
        command::run(&mut render)?;
        let bytes = std::fs::metadata(&output).map_or(0, |data| data.len());
        if bytes > LARGEST {
            return Err(Failure::new(format!("{}: {bytes} bytes, more than {LARGEST}", output.display())));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_has_its_scene() {
        for picture in &PICTURES {
            let scene = root().join(format!("assets/scenes/{}.toml", picture.scene));
            assert!(scene.is_file(), "{}", scene.display());
        }
    }
}
