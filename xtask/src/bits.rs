//! `cargo xtask bits`: whether a change leaves every picture equal to the bit, on this machine.
//!
//! Golden pictures allow a tolerance, and are of few scenes; hashes allow none. They are of one machine and one driver, so
//! they are not kept with the code: write them before a change, and compare after it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::command::{self, Failure, root, shown};
use crate::options::Options;

/// `cargo xtask bits`.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::read(arguments, &["--out", "--against", "--binary", "--size", "--only"], &[])?;
    // Read first: an unreadable file is told before minutes of drawing.
    let before = options.value("--against").map(|path| read(Path::new(path))).transpose()?;
    let program = match options.value("--binary") {
        Some(path) => {
            PathBuf::from(path).canonicalize().map_err(|error| Failure::usage(format!("--binary {path}: {error}")))?
        }
        None => {
            crate::setup::adapter()?;
            command::build_anemone("bits")?
        }
    };
    let mut scenes = scenes(&root().join("assets/scenes"))?;
    if let Some(only) = options.value("--only") {
        scenes.retain(|path| path.to_string_lossy().contains(only));
    }
    if scenes.is_empty() {
        return Err(Failure::usage("no scene has that in its path".to_owned()));
    }
    let start = Instant::now();
    let mut command = Command::new(program);
    command.arg("bits").current_dir(root());
    command.args(options.value("--size").map(|size| format!("--size={size}")));
    command.args(scenes.iter().map(|path| path.strip_prefix(root()).unwrap_or(path)));
    let text = shown(&command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::new(format!("`{text}` could not be started: {error}")))?;
    if !output.status.success() {
        return Err(Failure::of("anemone bits", output.status));
    }
    let now = String::from_utf8_lossy(&output.stdout).into_owned();
    let drawings = now.lines().count().saturating_sub(1);
    println!("bits: {drawings} drawings of {} scenes in {:.0} s", scenes.len(), start.elapsed().as_secs_f64());
    if let Some(path) = options.value("--out") {
        std::fs::write(path, &now).map_err(|error| Failure::new(format!("{path}: not written: {error}")))?;
        println!("bits: written to {path}");
    }
    match before {
        Some(before) => report(&differences(&before, &now, options.value("--only").is_none())?),
        None if options.value("--out").is_none() => {
            print!("{now}");
            Ok(())
        }
        None => Ok(()),
    }
}

fn report(differences: &[String]) -> Result<(), Failure> {
    for line in differences {
        println!("  {line}");
    }
    match differences.len() {
        0 => {
            println!("bits: equal");
            Ok(())
        }
        count => Err(Failure::new(format!("{count} drawings differ"))),
    }
}

/// What differs: the drawing, and which of its buffers. A drawing that is new is not compared; one that is gone is told where
/// `all` are drawn. The first line is the adapter's.
fn differences(before: &str, now: &str, all: bool) -> Result<Vec<String>, Failure> {
    let (adapter_before, before) = before.split_once('\n').unwrap_or((before, ""));
    let (adapter, now) = now.split_once('\n').unwrap_or((now, ""));
    if adapter != adapter_before {
        return Err(Failure::new(format!("the hashes are of {adapter_before}, and these of {adapter}")));
    }
    let mut differences = Vec::new();
    let mut compared = 0;
    for line in now.lines() {
        let (drawing, hashes) = split(line);
        let Some((_, hashes_before)) = before.lines().map(split).find(|(other, _)| *other == drawing) else { continue };
        compared += 1;
        let names: Vec<&str> = hashes.iter().map(|hash| name(hash)).collect();
        let changed: Vec<&str> = hashes
            .iter()
            .filter(|hash| !hashes_before.contains(hash))
            .chain(hashes_before.iter().filter(|hash| !names.contains(&name(hash))))
            .map(|hash| name(hash))
            .collect();
        if !changed.is_empty() {
            differences.push(format!("{}: {}", drawing.join(" "), changed.join(", ")));
        }
    }
    let gone = before.lines().filter(|line| all && !now.lines().any(|other| split(other).0 == split(line).0));
    differences.extend(gone.map(|line| format!("{}: not drawn any more", split(line).0.join(" "))));
    if compared == 0 {
        return Err(Failure::new("the file holds none of these drawings"));
    }
    Ok(differences)
}

/// Of which buffer a hash is.
fn name(hash: &str) -> &str {
    hash.split_once('=').map_or(hash, |(name, _)| name)
}

/// A line's words: those that name the drawing, and the hashes.
fn split(line: &str) -> (Vec<&str>, Vec<&str>) {
    line.split_whitespace().partition(|word| !word.contains('='))
}

/// Every scene in a folder and those below it, in order.
fn scenes(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            found.extend(scenes(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let before = "gpu\na.toml main wide 1 light=1 opaque=2\na.toml main wide 2 light=3 opaque=4\n";
        assert!(differences(before, before, true).unwrap().is_empty());
        let now = before.replace("light=3", "light=5");
        assert_eq!(differences(before, &now, true).unwrap(), ["a.toml main wide 2: light"]);
        // A scene that is new has nothing to differ from.
        let more = format!("{before}b.toml main wide 1 light=9\n");
        assert!(differences(before, &more, true).unwrap().is_empty());
        // What is gone is told, unless only some are drawn.
        let fewer = "gpu\na.toml main wide 1 light=1\n";
        let told = ["a.toml main wide 1: opaque", "a.toml main wide 2: not drawn any more"];
        assert_eq!(differences(before, fewer, true).unwrap(), told);
        assert_eq!(differences(before, fewer, false).unwrap(), told[..1]);
        assert!(differences(before, "gpu\nb.toml main wide 1 light=9\n", true).is_err());
        assert!(differences(before, &before.replace("gpu", "another"), true).is_err());
    }

    #[test]
    fn every_shipped_scene_is_found() {
        let found = scenes(&root().join("assets/scenes")).unwrap();
        assert!(found.iter().any(|path| path.ends_with("meadow.toml")));
        assert!(found.iter().any(|path| path.ends_with("gallery/dawn.toml")), "{found:?}");
    }
}
