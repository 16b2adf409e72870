//! What a frame counted, read back when it is done.

use bytemuck::{Pod, Zeroable};

/// Counts of one drawn frame. Twin of `struct Counts` in `frame.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Counts {
    /// Groups of 256 bodies that were looked at.
    pub chunks: u32,
    /// Bodies that were culled one by one.
    pub tested: u32,
    /// Bodies that passed frustum, distance and facing.
    pub items: u32,
    /// Cross-sections on the screen, with those that found no room.
    pub rows: u32,
    /// Bodies drawn in the first occlusion phase; 0 without occlusion culling.
    pub drawn_first: u32,
    /// Bodies drawn in either phase: those that are visible.
    pub drawn: u32,
    /// Pieces of big segments in the first phase.
    pub big_first: u32,
    /// Pieces of big segments.
    pub big: u32,
    /// Segments drawn.
    pub primitives: u32,
    /// Bodies that found no room in the list of items, in this sample of a picture and those before; 0, or the picture lacks
    /// them.
    pub dropped: u32,
    /// Cross-sections that found no room, likewise; 0, or the picture lacks their bodies.
    pub rows_dropped: u32,
    /// Bodies in the sun's view that found no room, likewise; 0, or they throw no shadow.
    pub sun_dropped: u32,
}
