//! The `anemone` command: draws scenes to pictures, measures them, and says what the machine has.

mod args;
mod bench;
mod bits;
mod device;
mod exr;
mod failure;
mod film;
mod frames;
mod info;
mod interrupt;
mod job;
mod movie;
mod notes;
mod output;
mod picture;
mod presets;
mod progress;
mod render;
mod target;

use std::process::ExitCode;

use anemone_scene::for_terminal;
use clap::Parser;

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::output::tell;

fn main() -> ExitCode {
    #[cfg(unix)]
    catch_file_size_limit();
    let done = match Args::try_parse() {
        Err(other) => return answer(other),
        Ok(args) => match &args.command {
            Command::Render(render) => render::run(render),
            Command::Bench(bench) => bench::run(bench),
            Command::Bits(bits) => bits::run(bits),
            Command::Info(info) => info::run(info),
            Command::Presets(presets) => presets::run(presets),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => end(&failure),
    }
}

fn end(failure: &Failure) -> ExitCode {
    tell!("{failure}");
    failure.code()
}

/// Answers what is no command: a mistake, or a wish for help.
fn answer(other: clap::Error) -> ExitCode {
    if !other.use_stderr() {
        return match output::unless_broken(other.print()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => end(&failure),
        };
    }
    // Its words quote the arguments: asked again with safe ones, the parser says the same in colour.
    let safe = std::env::args_os().map(|argument| for_terminal(&argument.to_string_lossy()));
    match Args::try_parse_from(safe) {
        Err(safe) if safe.use_stderr() => _ = safe.print(),
        _ => tell!("{}", output::lines_for_terminal(&other.to_string())),
    }
    ExitCode::from(2)
}

/// A limit on the size of files ends a process by a signal, and with it what clears away a half-written picture. Where the
/// signal is caught, writing fails as on a full disk.
#[cfg(unix)]
fn catch_file_size_limit() {
    // Without it the limit still holds.
    _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}
