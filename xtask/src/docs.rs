//! Documents that are made from code.

use crate::command::{self, Failure, cargo};

/// `cargo xtask docs`: the test that compares docs/scene.md with the language rewrites it instead.
///
/// The language is described in `anemone-scene`, which this program does not link: it would then have to be compiled,
/// with all of wgpu, before anything here could run.
pub fn run() -> Result<(), Failure> {
    command::run(cargo(&["test", "--quiet", "--package", "anemone-scene", "--test", "manual"]).env("BLESS", "1"))
}
