//! Standard output and error: full disks and readers that have gone away are no reason to panic, as `println!` would.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::failure::Failure;

/// A path as one line that is safe to print.
pub fn shown(path: &Path) -> String {
    anemone_scene::for_terminal(&path.to_string_lossy())
}

/// Several lines that are safe to print.
pub fn lines_for_terminal(text: &str) -> String {
    text.split('\n').map(anemone_scene::for_terminal).collect::<Vec<_>>().join("\n")
}

/// Prints a line.
///
/// # Errors
/// As [`unless_broken`].
pub fn print_line(line: fmt::Arguments<'_>) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    unless_broken(writeln!(out, "{line}").and_then(|()| out.flush()))
}

/// What printing came to. A reader who has heard enough and closed the pipe is no error.
///
/// # Errors
/// When standard output cannot be written for another reason.
pub fn unless_broken(printed: std::io::Result<()>) -> Result<(), Failure> {
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Machine(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// `println!`, but what cannot be written is returned from the function.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::output::print_line(format_args!($($words)*))?
    };
}
pub(crate) use say;

/// `eprintln!`, but where nobody can be told, the work goes on.
macro_rules! tell {
    ($($words:tt)*) => {
        _ = ::std::io::Write::write_fmt(&mut ::std::io::stderr().lock(), format_args!("{}\n", format_args!($($words)*)))
    };
}
pub(crate) use tell;
