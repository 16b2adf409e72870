//! The ground's nested grids: how they lie round the eye, and the triangles that they are drawn with. Twin of `grid.wesl`.

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
}

/// Twin of `struct Reference`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Reference {
    pub tile: IVec3,
    pub pad: i32,
}

/// Where the grids lie for an eye.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub levels: [Level; 16],
    /// Which of the nine index lists each level is drawn with; [`SOLID`] for the innermost.
    pub holes: [usize; LEVELS as usize],
    pub reference: Reference,
}

/// The index list without a hole.
pub(crate) const SOLID: usize = 9;

impl Layout {
    /// Each level's middle is the eye, snapped to every other vertex, so that vertices stay where they are as it moves.
    pub fn new(eye: DVec3) -> Self {
        let reference_tile = Position::from_metres(eye).tile;
        let mut levels = [Level::zeroed(); 16];
        let mut holes = [SOLID; LEVELS as usize];
        let mut inner: Option<IVec2> = None;
        for level in 0..LEVELS {
            let spacing = SPACING * f64::from(level).exp2();
            let middle = (DVec2::new(eye.x, eye.z) / (2.0 * spacing)).round().as_ivec2() * 2;
            let corner = (middle - (CELLS / 2) as i32).as_dvec2() * spacing;
            let position = Position::from_metres(DVec3::new(corner.x, 0.0, corner.y));
            levels[level as usize] = Level {
                tile: position.tile,
                spacing: spacing as f32,
                local: position.local,
                cells: CELLS,
                reference_tile,
                last: u32::from(level + 1 == LEVELS),
            };
            if let Some(inner) = inner {
                // The inner level's middle in this level's cells: at most one cell off.
                let off = (inner / 2 - middle).clamp(IVec2::NEG_ONE, IVec2::ONE);
                holes[level as usize] = ((off.y + 1) * 3 + off.x + 1) as usize;
            }
            inner = Some(middle);
        }
        Self { levels, holes, reference: Reference { tile: reference_tile, pad: 0 } }
    }
}

/// The triangles of a level: nine lists whose hole lies a cell to either side, then one without a hole. The hole is a cell
/// smaller all round than the level inside it, so that no gap can open between the two.
pub(crate) fn index_lists() -> (Vec<u32>, Vec<std::ops::Range<u32>>) {
    let mut indices = Vec::new();
    let mut ranges = Vec::new();
    for list in 0..=SOLID {
        let first = indices.len() as u32;
        let off = IVec2::new(list as i32 % 3 - 1, list as i32 / 3 - 1);
        let low = IVec2::splat((CELLS / 4 + 1) as i32) + off;
        let high = IVec2::splat((3 * CELLS / 4 - 1) as i32) + off;
        for z in 0..CELLS {
            for x in 0..CELLS {
                let cell = IVec2::new(x as i32, z as i32);
                if list != SOLID && cell.cmpge(low).all() && cell.cmplt(high).all() {
                    continue;
                }
                let a = z * (CELLS + 1) + x;
                let (b, c, d) = (a + 1, a + CELLS + 2, a + CELLS + 1);
                // The diagonal runs from the lower corner to the upper one, as grid.wesl takes it to.
                indices.extend([a, c, b, a, d, c]);
            }
        }
        ranges.push(first..indices.len() as u32);
    }
    (indices, ranges)
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
                let list = layout.holes[level] as i32;
                let low = DVec2::new(f64::from(list % 3 - 1), f64::from(list / 3 - 1)) + f64::from(CELLS / 4);
                assert!((inside - low).length() < 1e-3, "eye {eye}, level {level}: {inside} and {low}");
            }
        }
    }
}
