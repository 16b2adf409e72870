//! `cargo xtask bench`: runs `anemone bench` through the plan and keeps what it says as JSON.

mod plan;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::command::{self, Failure, root, shown};
use crate::options::Options;
use plan::Case;

/// Frames that are measured where the adapter is a GPU.
const FRAMES: u32 = 100;
/// The same on a software driver, whose frames take seconds.
const FRAMES_IN_SOFTWARE: u32 = 2;
/// The picture.
const SIZE: &str = "1920x1080";
/// The same on a software driver, so that the whole takes minutes.
const SIZE_IN_SOFTWARE: &str = "1280x720";

/// `cargo xtask bench`.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::read(arguments, &["--adapter", "--out", "--binary", "--frames", "--size"], &["--quick"])?;
    let frames = match options.value("--frames") {
        None => None,
        Some(text) => Some(
            text.parse::<u32>()
                .ok()
                .filter(|frames| *frames > 0)
                .ok_or_else(|| Failure::usage(format!("--frames {text}: expected a number from 1")))?,
        ),
    };
    let program = match options.value("--binary") {
        Some(path) => {
            let path = PathBuf::from(path);
            path.canonicalize().map_err(|error| Failure::usage(format!("--binary {}: {error}", path.display())))?
        }
        None => {
            crate::setup::adapter()?;
            command::build_anemone("bench")?
        }
    };
    let adapter = Adapter::find(&program, options.value("--adapter"))?;
    let frames = frames.unwrap_or(if adapter.software { FRAMES_IN_SOFTWARE } else { FRAMES });
    let size = options.value("--size").unwrap_or(if adapter.software { SIZE_IN_SOFTWARE } else { SIZE });
    println!("bench: {}, {frames} frames of {size} a case", adapter.name);

    let cases = plan::plan(options.flag("--quick"));
    let start = Instant::now();
    let mut results = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let mut bench = case_command(&program, case, &adapter.name, frames, size);
        let result = measure(&mut bench);
        let outcome = match &result {
            Ok(result) => format!("{:.3} ms", result["frame_ms"].as_f64().unwrap_or_default()),
            Err(why) => format!("FAILED: {why}"),
        };
        println!("{:>3}/{} {} {} {}: {outcome}", index + 1, cases.len(), case.part, case.camera, case.name);
        let (key, value) = match result {
            Ok(result) => ("result", result),
            Err(why) => ("failed", why.into()),
        };
        results.push(json!({
            "part": case.part, "name": case.name, "camera": case.camera, "scene": case.scene, "sets": case.sets,
            key: value,
        }));
    }
    if results.iter().all(|case| case.get("result").is_none()) {
        return Err(Failure::new("no case could be measured; nothing is written"));
    }
    let path = options
        .value("--out")
        .map_or_else(|| root().join(format!("docs/bench/{}.json", file_name(&adapter.name))), PathBuf::from);
    let document = json!({
        "format": 1, "adapter": adapter.name, "software": adapter.software, "frames": frames, "cases": results,
    });
    write(&path, &document)?;
    println!("bench: {} after {:.0} s", path.display(), start.elapsed().as_secs_f64());
    Ok(())
}

/// The adapter that is measured.
#[derive(Debug, PartialEq)]
struct Adapter {
    name: String,
    software: bool,
}

impl Adapter {
    /// The first adapter whose name contains `wanted`, as the command itself would choose it.
    fn find(program: &Path, wanted: Option<&str>) -> Result<Self, Failure> {
        let output = Command::new(program)
            .args(["info", "--json"])
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| Failure::new(format!("{} could not be started: {error}", program.display())))?;
        if !output.status.success() {
            return Err(Failure::of("anemone info", output.status));
        }
        let list: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| Failure::new(format!("`anemone info --json` is no JSON: {error}")))?;
        Self::choose(&list, wanted).ok_or_else(|| match wanted {
            Some(wanted) => Failure::usage(format!("--adapter {wanted}: there is no such adapter")),
            None => Failure::new("there is no adapter"),
        })
    }

    fn choose(list: &Value, wanted: Option<&str>) -> Option<Self> {
        let wanted = wanted.unwrap_or_default().to_lowercase();
        let adapter = list.as_array()?.iter().find(|adapter| {
            let name = adapter["name"].as_str().unwrap_or_default();
            name.to_lowercase().contains(&wanted)
        })?;
        let kind = adapter["kind"].as_str().unwrap_or_default();
        Some(Self { name: adapter["name"].as_str()?.to_owned(), software: kind.contains("software") })
    }
}

fn case_command(program: &Path, case: &Case, adapter: &str, frames: u32, size: &str) -> Command {
    let mut command = Command::new(program);
    command.arg("bench").arg(root().join(case.scene)).args(["--json", "--adapter", adapter, "--camera", case.camera]);
    command.args(["--frames", &frames.to_string(), "--size", size]);
    for set in &case.sets {
        command.args(["--set", set]);
    }
    command
}

/// Runs one case; the reason, in one line, when it cannot be measured.
fn measure(command: &mut Command) -> Result<Value, String> {
    let output = command.output().map_err(|error| format!("`{}` could not be started: {error}", shown(command)))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(text.lines().next().unwrap_or("no reason given").to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("its output is no JSON: {error}"))
}

/// An adapter's name as a file's: the words up to the first bracket.
fn file_name(adapter: &str) -> String {
    let words = adapter.split('(').next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "adapter".to_owned() } else { words.join("-") }
}

fn write(path: &Path, document: &Value) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{}: not written: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    }
    let text = serde_json::to_string_pretty(document).map_err(|error| failed(&error))?;
    std::fs::write(path, text + "\n").map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adapter_is_chosen_as_the_command_chooses() {
        let list = json!([
            {"name": "NVIDIA H200", "kind": "discrete GPU"},
            {"name": "llvmpipe (LLVM 15)", "kind": "software on the CPU"},
        ]);
        let choose = |wanted| Adapter::choose(&list, wanted).map(|adapter| (adapter.name, adapter.software));
        assert_eq!(choose(None), Some(("NVIDIA H200".into(), false)));
        assert_eq!(choose(Some("LLVM")), Some(("llvmpipe (LLVM 15)".into(), true)));
        assert_eq!(choose(Some("radeon")), None);
        assert_eq!(Adapter::choose(&json!([]), None), None);
    }

    #[test]
    fn files_are_named_by_the_adapter() {
        assert_eq!(file_name("llvmpipe (LLVM 15.0.6, 256 bits)"), "llvmpipe");
        assert_eq!(file_name("NVIDIA H200"), "nvidia-h200");
        assert_eq!(file_name("(?)"), "adapter");
    }

    #[test]
    fn a_case_that_fails_says_why() {
        let fails = measure(Command::new("sh").args(["-c", "echo 'error: too many' >&2; echo more >&2; exit 2"]));
        assert_eq!(fails.unwrap_err(), "error: too many");
        assert!(measure(Command::new("sh").args(["-c", "echo text"])).unwrap_err().contains("no JSON"));
        assert_eq!(measure(Command::new("sh").args(["-c", "echo '{\"a\":1}'"])).unwrap(), json!({"a": 1}));
    }
}
