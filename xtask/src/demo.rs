//! From a fresh clone to a picture.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::command::{self, Failure, cargo, root, shown};
use crate::setup;

/// What is to be rendered.
#[derive(Debug, PartialEq)]
struct Options {
    scene: PathBuf,
    output: PathBuf,
    size: String,
    /// Handed to `anemone render` unread.
    rest: Vec<String>,
}

/// `cargo xtask demo`.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = parse(arguments)?;
    setup::adapter()?;
    let program = build()?;
    let mut render = Command::new(program);
    render.arg("render").arg(&options.scene).arg("-o").arg(&options.output).args(["--size", &options.size]);
    render.args(&options.rest);
    println!("demo: {}", shown(&render));
    command::run(&mut render)
}

fn parse(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options {
        scene: root().join("assets/scenes/meadow.toml"),
        output: "meadow.png".into(),
        size: "1280x720".into(),
        rest: Vec::new(),
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let (name, inline) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (argument.as_str(), None),
        };
        let mut value = || {
            inline
                .clone()
                .or_else(|| arguments.next().cloned())
                .ok_or_else(|| Failure::usage(format!("`{name}` lacks its value")))
        };
        match name {
            "--scene" => options.scene = value()?.into(),
            "-o" | "--output" => options.output = value()?.into(),
            "--size" => options.size = value()?,
            "--" => {
                options.rest = arguments.cloned().collect();
                break;
            }
            other => return Err(Failure::usage(format!("`{other}` is not understood; see `cargo xtask help`"))),
        }
    }
    Ok(options)
}

/// Builds the command line and says where Cargo put it: only Cargo knows, for the target folder can be set in many ways.
fn build() -> Result<PathBuf, Failure> {
    println!("demo: building the command line in release (minutes on a fresh clone)");
    let mut command =
        cargo(&["build", "--release", "--package", "anemone-cli", "--message-format", "json-render-diagnostics"]);
    let text = shown(&command);
    let output = command
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::new(format!("`{text}` could not be started: {error}")))?;
    if !output.status.success() {
        return Err(Failure::of(&text, output.status));
    }
    let program = String::from_utf8_lossy(&output.stdout).lines().filter_map(executable).next_back();
    program.map(PathBuf::from).ok_or_else(|| Failure::new(format!("`{text}` named no program")))
}

/// The program that one of Cargo's messages names, if it names one. A message is one line of JSON, and this one string
/// is all that is wanted of it.
fn executable(message: &str) -> Option<OsString> {
    let (_, rest) = message.split_once("\"executable\":\"")?;
    let mut path = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => return Some(path.into()),
            '\\' => path.push(characters.next()?),
            other => path.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Options, Failure> {
        parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_have_defaults_and_are_read() {
        let options = parse_text("").unwrap();
        assert!(options.scene.is_file() || options.scene.ends_with("assets/scenes/meadow.toml"));
        assert_eq!((options.output.to_str(), options.size.as_str()), (Some("meadow.png"), "1280x720"));
        let options = parse_text("--scene a.toml -o b.png --size=64x32 -- --samples 1").unwrap();
        assert_eq!((options.scene.to_str(), options.output.to_str()), (Some("a.toml"), Some("b.png")));
        assert_eq!((options.size.as_str(), options.rest), ("64x32", vec!["--samples".into(), "1".into()]));
    }

    #[test]
    fn mistakes_in_options_end_with_two() {
        assert_eq!(parse_text("--scene").unwrap_err().code, 2);
        assert_eq!(parse_text("--colour red").unwrap_err().code, 2);
    }

    #[test]
    fn the_program_is_read_from_cargos_message() {
        let line = r#"{"reason":"compiler-artifact","target":{"name":"anemone"},"executable":"/a \"b\"/anemone","fresh":true}"#;
        assert_eq!(executable(line), Some("/a \"b\"/anemone".into()));
        assert_eq!(executable(r#"{"reason":"compiler-artifact","executable":null}"#), None);
        assert_eq!(executable(r#"{"executable":"cut off"#), None);
    }
}
