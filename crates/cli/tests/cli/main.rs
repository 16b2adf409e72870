//! The command as a person uses it: what it prints, what it writes, how it ends.

mod arguments;
mod bench;
mod exr;
mod files;
mod film;
mod info;
mod mistakes;
mod output;
mod presets;
mod render;
mod support;
