//! What the ground promises, held against closed forms, brute force and the shader twins on a real adapter.

mod clump;
mod detail;
mod growth;
mod height;
mod height_map;
mod map;
mod mesh;
mod mesh_files;
mod placement;

use anemone_field::hash::{hash2, unit};

/// A number in [low, high) that depends on `i` and `k` alone.
fn random(i: u32, k: u32, low: f32, high: f32) -> f32 {
    low + (high - low) * unit(hash2(i, k))
}

/// The modules that the shader halves need.
const MODULES: [&[anemone_twin::Module]; 2] = [anemone_field::WESL, anemone_ground::WESL];
