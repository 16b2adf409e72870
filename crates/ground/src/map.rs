//! A height map as shaders see it: which cell a point lies in, and the smooth surface through the samples.
//!
//! The twin is `map.wesl`. Loading lies in [`crate::height_map`].

use anemone_field::space::TILE;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, IVec2, UVec2, Vec2, Vec3, Vec4};

/// The least and greatest distance of two samples, metres: beyond it the integers of [`map_cell`] would overflow or
/// lose their meaning.
pub const SPACING_RANGE: [f64; 2] = [0.01, 100_000.0];

/// How far from the world's origin the centre of a map may lie, metres, along each axis.
pub const ANCHOR_RANGE: f64 = 2.0e6;

/// What a shader must know of a height map. WESL twin: `MapUniform` of `package::ground::map`.
///
/// Positions are turned into cells with integers: `tile * step + origin` in 32.32 fixed point and the part inside the
/// tile in steps of 2^-bits of a cell, so the result is the same on every device and as exact 100 km out as at the
/// origin (error below 1e-6 of a cell; a cell is found within ±32,767 tiles, farther positions are clamped).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MapUniform {
    /// Cell in which the world's origin lies.
    pub origin_cell: IVec2,
    /// The origin's place in that cell, in 2^-32 cells.
    pub origin_fraction: UVec2,
    /// Whole cells in a tile.
    pub step_cells: IVec2,
    /// What a tile has beyond whole cells, in 2^-32 cells.
    pub step_fraction: UVec2,
    /// 2^bits cells per metre.
    pub local_scale: Vec2,
    /// Fraction bits of the part inside a tile, at most 24.
    pub local_bits: UVec2,
    /// Samples along x and z; zero says that there is no map.
    pub size: IVec2,
    /// Samples per metre along x and z.
    pub per_metre: Vec2,
    /// Metres per raw unit.
    pub unit: f32,
    /// Height of a raw zero, metres. Without a map: the level of the ground.
    pub offset: f32,
    /// Zero.
    pub pad: UVec2,
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(MapUniform, step_cells) == 16 && offset_of!(MapUniform, local_scale) == 32);
    assert!(offset_of!(MapUniform, size) == 48 && offset_of!(MapUniform, unit) == 64);
    assert!(size_of::<MapUniform>() == 80);
};

impl MapUniform {
    /// No map: ground at one level, metres.
    #[must_use]
    pub fn none(level: f32) -> Self {
        Self { offset: level, ..Self::zeroed() }
    }

    /// A map of `size` samples, `spacing` metres apart, whose centre lies at `anchor` (world x and z, metres).
    ///
    /// Keep `spacing` in [`SPACING_RANGE`] and `anchor` in [`ANCHOR_RANGE`]; the height map's loader refuses others.
    #[must_use]
    pub fn new(size: IVec2, spacing: DVec2, anchor: DVec2, unit: f64, offset: f64) -> Self {
        let axis = |size: i32, spacing: f64, anchor: f64| {
            let (origin_cell, origin_fraction) = fixed((f64::from(size) - 1.0) / 2.0 - anchor / spacing);
            let (step_cells, step_fraction) = fixed(f64::from(TILE) / spacing);
            // A tile's worth of cells must fit 31 bits; more bits than a mantissa holds would be empty.
            let bits = (24.0 + spacing.log2().floor()).clamp(1.0, 24.0);
            let scale = bits.exp2() / spacing;
            (origin_cell, origin_fraction, step_cells, step_fraction, scale as f32, bits as u32)
        };
        let x = axis(size.x, spacing.x, anchor.x);
        let z = axis(size.y, spacing.y, anchor.y);
        Self {
            origin_cell: IVec2::new(x.0, z.0),
            origin_fraction: UVec2::new(x.1, z.1),
            step_cells: IVec2::new(x.2, z.2),
            step_fraction: UVec2::new(x.3, z.3),
            local_scale: Vec2::new(x.4, z.4),
            local_bits: UVec2::new(x.5, z.5),
            size,
            per_metre: (1.0 / spacing).as_vec2(),
            unit: unit as f32,
            offset: offset as f32,
            pad: UVec2::ZERO,
        }
    }
}

/// Whole part and fraction in units of 2^-32, rounded to the nearest.
fn fixed(value: f64) -> (i32, u32) {
    let whole = value.floor();
    let fraction = ((value - whole) * 4_294_967_296.0).round() as u64;
    (whole as i32 + (fraction >> 32) as i32, fraction as u32)
}

/// A cell of a height map and the place in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapCell {
    /// The sample at the cell's corner of least x and z; it may lie outside the map.
    pub cell: IVec2,
    /// Place in the cell, from 0 to less than 1.
    pub fraction: Vec2,
}

#[expect(clippy::too_many_arguments, reason = "the twin's signature: WGSL has no way to pass one lane of a struct")]
fn map_axis(
    tile: i32,
    local: f32,
    origin_cell: i32,
    origin_fraction: u32,
    step_cells: i32,
    step_fraction: u32,
    scale: f32,
    bits: u32,
) -> (i32, f32) {
    let tiles = (local * (1.0 / TILE)).floor().clamp(-65536.0, 65536.0);
    let t = tile.wrapping_add(tiles as i32).clamp(-32767, 32767);
    let rest = (local - tiles * TILE).clamp(0.0, TILE);
    let high = t * (step_fraction >> 16) as i32;
    let low = t * (step_fraction & 0xffff) as i32;
    let middle = high + (low >> 16);
    let product = ((middle as u32) << 16) | (low as u32 & 0xffff);
    let (start, carry) = product.overflowing_add(origin_fraction);
    let inside = (rest * scale).floor() as u32;
    let mask = (1 << bits) - 1;
    let sum = (start >> (32 - bits)) + (inside & mask);
    let cell = t * step_cells
        + (middle >> 16)
        + origin_cell
        + i32::from(carry)
        + (inside >> bits) as i32
        + (sum >> bits) as i32;
    (cell, (sum & mask) as f32 * f32::from_bits((127 - bits) << 23))
}

/// The cell of a point given by the x and z of a position; `local` may be any finite number of metres.
#[must_use]
pub fn map_cell(tile: IVec2, local: Vec2, map: &MapUniform) -> MapCell {
    let axis = |i: usize| {
        map_axis(
            tile[i],
            local[i],
            map.origin_cell[i],
            map.origin_fraction[i],
            map.step_cells[i],
            map.step_fraction[i],
            map.local_scale[i],
            map.local_bits[i],
        )
    };
    let (x, z) = (axis(0), axis(1));
    MapCell { cell: IVec2::new(x.0, z.0), fraction: Vec2::new(x.1, z.1) }
}

/// Which sample is number `index` (0 to 15) of the 4 × 4 round a cell: `4 * row + column`, from one before the cell to
/// two after it, held at the border, where the ground so goes on level across the edge and stays C1.
#[must_use]
pub fn map_sample(cell: IVec2, index: u32, map: &MapUniform) -> IVec2 {
    let offset = IVec2::new((index & 3) as i32, (index >> 2) as i32) - IVec2::ONE;
    (cell + offset).clamp(IVec2::ZERO, map.size - IVec2::ONE)
}

fn catmull_rom_weights(t: f32) -> Vec4 {
    let t2 = t * t;
    let t3 = t2 * t;
    0.5 * Vec4::new(2.0 * t2 - t - t3, 2.0 - 5.0 * t2 + 3.0 * t3, t + 4.0 * t2 - 3.0 * t3, t3 - t2)
}

fn catmull_rom_slopes(t: f32) -> Vec4 {
    let t2 = t * t;
    0.5 * Vec4::new(4.0 * t - 1.0 - 3.0 * t2, 9.0 * t2 - 10.0 * t, 1.0 + 8.0 * t - 9.0 * t2, 3.0 * t2 - 2.0 * t)
}

/// The C1 surface through 4 × 4 samples (`4 * row + column`) in their middle cell: value and its derivatives per sample
/// along columns and rows. It passes through the samples.
///
/// Catmull and Rom, *A class of local interpolating splines*, 1974 (tension one half), along both axes.
#[must_use]
pub fn catmull_rom(samples: &[f32; 16], fraction: Vec2) -> Vec3 {
    let base = samples[5];
    let row = |r: usize| Vec4::from_slice(&samples[4 * r..4 * r + 4]) - base;
    let rows = [row(0), row(1), row(2), row(3)];
    let wx = catmull_rom_weights(fraction.x);
    let sx = catmull_rom_slopes(fraction.x);
    let values = Vec4::from_array(rows.map(|r| r.dot(wx)));
    let slopes = Vec4::from_array(rows.map(|r| r.dot(sx)));
    let wz = catmull_rom_weights(fraction.y);
    Vec3::new(base + values.dot(wz), slopes.dot(wz), values.dot(catmull_rom_slopes(fraction.y)))
}

/// Height in metres and its slopes along x and z, from raw samples.
#[must_use]
pub fn map_height(samples: &[f32; 16], fraction: Vec2, map: &MapUniform) -> Vec3 {
    let raw = catmull_rom(samples, fraction);
    let slope = map.unit * Vec2::new(raw.y, raw.z) * map.per_metre;
    Vec3::new(map.offset + map.unit * raw.x, slope.x, slope.y)
}
