//! Running other programs, and saying what went wrong.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// Why a command stopped, and the exit code that this program ends with.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub code: u8,
}

impl Failure {
    /// Something outside is not as it must be: exit code 1.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// A mistake in the arguments: exit code 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// A program that ended badly hands on its exit code.
    pub fn of(what: &str, status: ExitStatus) -> Self {
        // No code on Unix means a signal; and 0 would hide the failure from whoever reads the exit code.
        let code = status.code().and_then(|code| u8::try_from(code).ok()).filter(|code| *code != 0).unwrap_or(1);
        Self { message: format!("`{what}` failed ({status})"), code }
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    // Cargo sets the variable at run time too; the compiled-in value would be stale in a moved checkout.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
    let manifest = PathBuf::from(manifest);
    match manifest.parent() {
        Some(root) if root.is_dir() => root.to_path_buf(),
        // A program that was carried to another machine works on the checkout that it is started in.
        _ => PathBuf::from("."),
    }
}

/// Cargo itself, the one that runs this program, started in the root.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.args(arguments).current_dir(root());
    command
}

/// Builds the command line and says where Cargo put it: only Cargo knows, for the target folder can be set in many ways.
pub fn build_anemone(task: &str) -> Result<PathBuf, Failure> {
    println!("{task}: building the command line in release (minutes on a fresh clone)");
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

/// Runs to the end with the terminal's own output.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let text = shown(command);
    let status = command.status().map_err(|error| Failure::new(format!("`{text}` could not be started: {error}")))?;
    if status.success() { Ok(()) } else { Err(Failure::of(&text, status)) }
}

/// Whether a program starts and ends well; its output is thrown away.
pub fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// A command as one would type it (for people: nothing is quoted).
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut text = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// For commands that take none.
pub fn no_arguments(rest: &[String]) -> Result<(), Failure> {
    match rest.first() {
        None => Ok(()),
        Some(first) => Err(Failure::usage(format!("`{first}` is not understood here; see `cargo xtask help`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_that_of_the_failed_step() {
        let failure = run(Command::new("sh").args(["-c", "exit 101"])).unwrap_err();
        assert_eq!(failure.code, 101);
        assert!(failure.message.contains("sh -c exit 101"), "{}", failure.message);
        let failure = run(Command::new("sh").args(["-c", "kill -9 $$"])).unwrap_err();
        assert_eq!(failure.code, 1);
        assert_eq!(run(&mut Command::new("no-such-program-anywhere")).unwrap_err().code, 1);
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("Cargo.lock").is_file());
    }

    #[test]
    fn the_program_is_read_from_cargos_message() {
        let line = r#"{"reason":"compiler-artifact","target":{"name":"anemone"},"executable":"/a \"b\"/anemone","fresh":true}"#;
        assert_eq!(executable(line), Some("/a \"b\"/anemone".into()));
        assert_eq!(executable(r#"{"reason":"compiler-artifact","executable":null}"#), None);
        assert_eq!(executable(r#"{"executable":"cut off"#), None);
    }
}
