//! A point on a triangle of a mesh: the twin of `point.wesl`.
//!
//! A patch's triangles lie one after another along x of the unit square, each as wide as its share of the area, so an
//! evenly spread point of the square becomes an evenly spread point of the surface. A shader does
//!
//! ```wgsl
//! let p = sobol_owen_2d(rank, seed);
//! var low = 0u;
//! var high = patch.count - 1u;
//! while (low < high) {
//!     let middle = (low + high) / 2u;
//!     if (p.x < cdf[patch.first + middle]) { high = middle; } else { low = middle + 1u; }
//! }
//! var start = 0u;
//! if (low > 0u) { start = cdf[patch.first + low - 1u]; }
//! let t = 3u * (patch.first + low);
//! let weights = triangle_coordinates(p.x, start, cdf[patch.first + low], p.y);
//! let point = mesh_point(vertices[t], vertices[t + 1u], vertices[t + 2u], weights);
//! ```

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

/// A corner of a triangle. WESL twin: `MeshVertex` of `package::ground::mesh`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MeshVertex {
    /// Metres, in the mesh's frame.
    pub position: Vec3,
    /// Zero.
    pub pad0: u32,
    /// Surface normal, not always of length 1: splitting a triangle keeps what interpolation would give.
    pub normal: Vec3,
    /// Zero.
    pub pad1: u32,
}

/// A group of neighbouring triangles. WESL twin: `Patch` of `package::ground::mesh`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Patch {
    /// Least corner of the patch's box, metres, in the mesh's frame.
    pub origin: Vec3,
    /// First triangle.
    pub first: u32,
    /// Size of the box, metres, above zero along every axis.
    pub extent: Vec3,
    /// Number of triangles, at least 1.
    pub count: u32,
    /// Area of the triangles, square metres.
    pub area: f32,
    /// Zero.
    pub pad: [u32; 3],
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(MeshVertex, normal) == 16 && size_of::<MeshVertex>() == 32);
    assert!(offset_of!(Patch, first) == 12 && offset_of!(Patch, extent) == 16);
    assert!(offset_of!(Patch, area) == 32 && size_of::<Patch>() == 48);
};

/// A place on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPoint {
    /// Metres, in the mesh's frame.
    pub position: Vec3,
    /// Unit normal.
    pub normal: Vec3,
}

/// Weights of a triangle's second and third corner for a point of the unit square whose x lies in [start, end), both
/// in units of 2^-32.
///
/// E. Heitz, *A low-distortion map between triangle and square*, 2019: even in area, continuous, without square root.
#[must_use]
pub fn triangle_coordinates(x: u32, start: u32, end: u32, y: u32) -> Vec2 {
    let mut u = x.wrapping_sub(start) as f32 / end.wrapping_sub(start).max(1) as f32;
    let mut v = (y >> 8) as f32 * (1.0 / 16_777_216.0);
    if v > u {
        u *= 0.5;
        v -= u;
    } else {
        v *= 0.5;
        u -= v;
    }
    Vec2::new(u, v)
}

/// The point with these weights of `b` and `c` (the rest is `a`'s), and the interpolated unit normal there.
#[must_use]
pub fn mesh_point(a: &MeshVertex, b: &MeshVertex, c: &MeshVertex, weights: Vec2) -> MeshPoint {
    let ab = b.position - a.position;
    let ac = c.position - a.position;
    let position = a.position + weights.x * ab + weights.y * ac;
    let mut normal = a.normal + weights.x * (b.normal - a.normal) + weights.y * (c.normal - a.normal);
    let mut square = normal.dot(normal);
    // Opposite normals cancel: then the triangle's own. NaN, which no loader lets in, ends here too.
    if square.is_nan() || square <= 1e-8 {
        normal = ab.cross(ac);
        square = normal.dot(normal);
    }
    if square.is_nan() || square <= 1e-30 {
        return MeshPoint { position, normal: Vec3::Y };
    }
    MeshPoint { position, normal: normal / square.sqrt() }
}
