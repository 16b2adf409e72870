//! Clumps: plants stand in tufts, and the leaves of a tuft have things in common. The plane is divided into the Voronoi
//! cells of a jittered grid of points; each cell is a clump.
//!
//! Jittered grids as feature points are Worley's (*A Cellular Texture Basis Function*, SIGGRAPH 1996), one point to a
//! square. The centre of a place's own square is never farther than a diagonal, √2 sides; so the nearest centre lies in the
//! four by four squares round the place, beyond which all are 1.5 sides off, and most of these are too far to be looked at.
//!
//! The grid is the noise's lattice: exact however far from the origin, and repeated after 65,536 squares. The twin is
//! `clump.wesl`.

use std::f32::consts::SQRT_2;

use anemone_field::hash::{hash3, pcg, unit};
use anemone_field::noise::{Lattice, lattice, step_of_wavelength};
use anemone_field::space::TILE;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Vec2};

/// How far a point strays along an axis at jitter 1, in sides of a square.
const STRAY: f32 = 0.5;

/// The grid of the clumps' centres, as the shaders read it: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct ClumpGrid {
    /// Squares along a tile in 16.16; 0: no clumps.
    pub step: i32,
    /// Another seed, other clumps.
    pub seed: u32,
    /// Side of a square, m.
    pub size: f32,
    /// How irregular, 0 (a square grid) to 1.
    pub jitter: f32,
}

impl ClumpGrid {
    /// Clumps of about `size` metres (0.01 to 1000 are told apart well); `jitter` is held to 0 to 1.
    #[must_use]
    pub fn new(size: f32, jitter: f32, seed: u32) -> Self {
        let step = step_of_wavelength(f64::from(size)).max(1);
        let size = f64::from(TILE) * 65_536.0 / f64::from(step);
        Self { step, seed, size: size as f32, jitter: jitter.clamp(0.0, 1.0) }
    }

    /// No place is farther than this from the centre of its clump, m.
    #[must_use]
    pub fn reach(&self) -> f32 {
        SQRT_2 * (0.5 + STRAY * self.jitter) * self.size
    }
}

/// A clump as seen from a place in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clump {
    /// From which everything random about it follows.
    pub hash: u32,
    /// From the place to the clump's centre, m.
    pub to_centre: Vec2,
}

/// The vector to the centre of a square's clump from a fraction of the own one, in sides, and the clump's hash.
fn centre(own: Lattice, square: IVec2, grid: &ClumpGrid) -> (Vec2, u32) {
    let cell = (own.cell + square) & 0xffff;
    let hash = hash3(cell.x as u32, cell.y as u32, grid.seed);
    let stray = Vec2::new(unit(hash), unit(pcg(hash))) * 2.0 - 1.0;
    (square.as_vec2() + 0.5 + stray * (STRAY * grid.jitter) - own.fraction, hash)
}

/// The clump that a place of the plane belongs to: the one whose centre is nearest.
#[must_use]
pub fn clump_at(tile: IVec2, local: Vec2, grid: &ClumpGrid) -> Clump {
    let own = lattice(tile, local, grid.step, IVec2::ZERO);
    let (mut nearest, mut hash) = centre(own, IVec2::ZERO, grid);
    let first = (own.fraction - 0.5).floor().as_ivec2() - 1;
    for i in 0..16 {
        let square = first + IVec2::new(i & 3, i >> 2);
        let gap = ((square.as_vec2() + 0.5 - own.fraction).abs() - 0.5).max(Vec2::ZERO);
        if square == IVec2::ZERO || gap.length_squared() >= nearest.length_squared() {
            continue;
        }
        let (to, other) = centre(own, square, grid);
        if to.length_squared() < nearest.length_squared() {
            (nearest, hash) = (to, other);
        }
    }
    Clump { hash, to_centre: nearest * grid.size }
}
