//! The `anemone` command: draws scenes to pictures, measures them, and says what the machine has.

mod args;
mod bench;
mod device;
mod failure;
mod info;
mod output;
mod picture;
mod render;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.command {
        Command::Render(render) => render::run(render),
        Command::Bench(bench) => bench::run(bench),
        Command::Info(info) => info::run(info),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            failure.code()
        }
    }
}
