//! Set-up, demo, tests, benchmarks, documents: what CI and the README call.
//!
//! Nothing here depends on another crate but a reader of JSON, so that the first `cargo xtask` of a fresh clone builds
//! in seconds and can then fetch what the rest needs.
#![allow(clippy::print_stdout, reason = "a command-line tool talks on standard output")]

mod bench;
mod bits;
mod command;
mod demo;
mod docs;
mod options;
mod pictures;
mod report;
mod setup;
mod test;

use std::process::ExitCode;

use command::Failure;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  setup   make sure that there is a Vulkan adapter; where there is none, install Mesa's software driver with apt
  demo    set up, build the command line in release, render a scene to a picture
            --scene PATH   the scene (default: assets/scenes/meadow.toml)
            -o FILE        the picture (default: meadow.png)
            --size WxH     its size in pixels (default: 1280x720)
            -- ARGS        passed on to `anemone render` as they are
  test    set up, then format, clippy, tests, documentation tests and rustdoc, warnings denied
  bench   measure: blade counts with and without culling, the effect of each cull, the meadow
            --adapter NAME the adapter (default: the first that `anemone info` lists)
            --out FILE     where the numbers go (default: docs/bench/ADAPTER.json)
            --binary PATH  measure this `anemone` instead of building one
            --frames N     frames a case (default: 100, on a software driver 2)
            --size WxH     the picture (default: 1920x1080, on a software driver 1280x720)
            --quick        fewer cases, to try the bench itself out
  bits    hash what every shipped scene draws, both raster widths; `--against` shows whether two builds draw alike to the bit
            --out FILE     write the hashes (before a change)
            --against FILE compare with such a file of the same machine (after it)
            --binary PATH  draw with this `anemone` instead of building one
            --size WxH     each picture (default: 320x180)
            --only TEXT    only scenes with this in their path
  bench-report
          make docs/benchmarks.md and docs/benchmarks.svg from docs/bench/*.json
  pictures
          render the pictures of the documents into docs/pictures
            --binary PATH  with this `anemone` instead of building one
            --only NAME    this one alone
  docs    make docs/scene.md from the reader's own description of the language
  help    this text

The exit code is that of the step that failed, 2 for a mistake in the arguments.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = match arguments.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("", &[][..]),
    };
    let result = match name {
        "setup" => command::no_arguments(rest).and_then(|()| setup::adapter()),
        "demo" => demo::run(rest),
        "test" => command::no_arguments(rest).and_then(|()| test::run()),
        "bench" => bench::run(rest),
        "bits" => bits::run(rest),
        "bench-report" => command::no_arguments(rest).and_then(|()| report::run()),
        "pictures" => pictures::run(rest),
        "docs" => command::no_arguments(rest).and_then(|()| docs::run()),
        "help" | "-h" | "--help" => {
            println!("{USAGE}");
            Ok(())
        }
        "" => Err(Failure::usage(format!("a command is missing\n\n{USAGE}"))),
        other => Err(Failure::usage(format!("there is no command `{other}`\n\n{USAGE}"))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}
