//! From a fresh clone to a picture.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, Failure, root, shown};
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
    let program = command::build_anemone("demo")?;
    let mut render = Command::new(program);
    // Mesa looks for a display there, and complains where the variable is not set.
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        render.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    }
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
}
