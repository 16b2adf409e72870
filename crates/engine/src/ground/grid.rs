//! The ground's nested grids: how they lie round the eye. Twin of `level.wesl`.

use anemone_field::space::Position;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, DVec3, IVec2, IVec3, Vec3};

/// Cells along the side of a level.
pub(crate) const CELLS: u32 = 128;
/// Levels; the outermost reaches 39 km with a spacing of 0.15 m on the innermost.
pub(crate) const LEVELS: u32 = 13;
/// Spacing of the innermost level, m.
const SPACING: f64 = 0.15;

/// Vertices of one level.
pub(crate) const LEVEL_VERTICES: u32 = (CELLS + 1) * (CELLS + 1);

/// Twin of `struct Level`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Level {
    tile: IVec3,
    spacing: f32,
    local: Vec3,
    cells: u32,
    reference_tile: IVec3,
    last: u32,
    hole: IVec2,
    hole_side: i32,
    pad: i32,
}

const _: () = assert!(size_of::<Level>() == 64);

/// Twin of `struct Reference`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Reference {
    /// Vertices are relative to the corner of this tile.
    pub tile: IVec3,
    /// Triangles of a mesh; 0: the grids are drawn.
    pub triangles: u32,
}

/// Where the grids lie for an eye.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub levels: [Level; 16],
    pub reference: Reference,
}

impl Layout {
    /// Each level's middle is the eye, snapped to every other vertex, so that vertices stay where they are as it moves.
    pub fn new(eye: DVec3) -> Self {
        let reference_tile = Position::from_metres(eye).tile;
        let mut levels = [Level::zeroed(); 16];
        let mut inner: Option<IVec2> = None;
        for level in 0..LEVELS {
            let spacing = SPACING * f64::from(level).exp2();
            let middle = (DVec2::new(eye.x, eye.z) / (2.0 * spacing)).round().as_ivec2() * 2;
            let corner = (middle - (CELLS / 2) as i32).as_dvec2() * spacing;
            let position = Position::from_metres(DVec3::new(corner.x, 0.0, corner.y));
            // The hole is a cell smaller all round than the level inside it, so that no gap can open between the two.
            let (hole, hole_side) = match inner {
                Some(inner) => (inner / 2 - middle + (CELLS / 4 + 1) as i32, (CELLS / 2 - 2) as i32),
                None => (IVec2::ZERO, 0),
            };
            levels[level as usize] = Level {
                tile: position.tile,
                spacing: spacing as f32,
                local: position.local,
                cells: CELLS,
                reference_tile,
                last: u32::from(level + 1 == LEVELS),
                hole,
                hole_side,
                pad: 0,
            };
            inner = Some(middle);
        }
        Self { levels, reference: Reference { tile: reference_tile, triangles: 0 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_lies_where_the_hole_of_the_next_one_is() {
        for i in 0..2000 {
            let eye = DVec3::new(f64::from(i) * 13.37 - 9000.0, 2.0, f64::from(i) * -7.77 + 4000.0);
            let layout = Layout::new(eye);
            for level in 1..LEVELS as usize {
                let metres = |l: &Level| {
                    DVec2::new(
                        f64::from(l.tile.x) * 64.0 + f64::from(l.local.x),
                        f64::from(l.tile.z) * 64.0 + f64::from(l.local.z),
                    )
                };
                let (inner, outer) = (&layout.levels[level - 1], &layout.levels[level]);
                let inside = (metres(inner) - metres(outer)) / f64::from(outer.spacing);
                let low = outer.hole.as_dvec2() - 1.0;
                assert!((inside - low).length() < 1e-3, "eye {eye}, level {level}: {inside} and {low}");
                assert_eq!(outer.hole_side, (CELLS / 2 - 2) as i32);
            }
        }
    }
}
