//! Standard output: full disks and readers that have gone away are no reason to panic, as `println!` would.

use std::fmt;
use std::io::{ErrorKind, Write};

use crate::failure::Failure;

/// Prints a line.
///
/// # Errors
/// When it cannot be written. A reader who has heard enough and closed the pipe is no error.
pub fn print_line(line: fmt::Arguments<'_>) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
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
