//! Divides a mesh into patches of about equal area, each small enough for one tile of bodies.

use glam::Vec3;

use super::{Mesh, MeshPoint, MeshVertex, Patch, Triangle, bounds, mesh_point, triangle_coordinates, vertices};
use crate::placement::sobol_owen_2d;

/// More triangles than this are never made by splitting large ones.
const MOST_PIECES: f64 = 2_097_152.0;

/// How large a patch may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchOptions {
    /// Greatest area of a patch, square metres. Raised where it would split a mesh into more than 2^21 pieces.
    pub max_area: f32,
    /// Most triangles in a patch, at least 1.
    pub max_triangles: u32,
}

impl Default for PatchOptions {
    /// One square metre, 1,024 triangles.
    fn default() -> Self {
        Self { max_area: 1.0, max_triangles: 1024 }
    }
}

/// A mesh in patches, as the GPU reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patches {
    /// The patches. Neighbours in this list are mostly neighbours in space.
    pub patches: Vec<Patch>,
    /// Three corners for each triangle.
    pub vertices: Vec<MeshVertex>,
    /// For each triangle the end of its part of the patch's area, in units of 2^-32; it starts where the one before
    /// ends, the first at 0. The last end is `u32::MAX` and counts as 2^32.
    pub cdf: Vec<u32>,
}

impl Mesh {
    /// Divides the mesh: large triangles are split, neighbours are grouped, and no patch exceeds the options.
    #[must_use]
    pub fn patches(&self, options: &PatchOptions) -> Patches {
        // Of pieces up to a quarter of a patch, patches of about equal area can be put together.
        let area = self.area();
        let max_area = f64::from(options.max_area).max(4.0 * area / MOST_PIECES);
        let max_area = if max_area.is_finite() { max_area } else { area };
        let mut pieces = Vec::with_capacity(self.triangles.len());
        for triangle in &self.triangles {
            split(*triangle, 0.25 * max_area, &mut pieces);
        }
        let mut result = Patches::default();
        let wanted = (area / (0.85 * max_area)).ceil().max(1.0);
        group(&mut pieces, wanted as usize, max_area, options.max_triangles.max(1) as usize, &mut result);
        result
    }
}

/// Halves a triangle at its longest edge until no piece exceeds `max_area`. Normals at the cut are the unnormalised
/// mean, so that interpolation gives what it gave before.
fn split(triangle: Triangle, max_area: f64, pieces: &mut Vec<Triangle>) {
    let mut open = vec![triangle];
    while let Some(triangle) = open.pop() {
        let area = triangle.area();
        let [p, n] = [triangle.positions, triangle.normals];
        let edge = |i: usize| (p[(i + 1) % 3] - p[i]).length_squared();
        let i = (0..3).max_by(|&a, &b| edge(a).total_cmp(&edge(b))).unwrap_or(0);
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let (position, normal) = (p[i].midpoint(p[j]), n[i].midpoint(n[j]));
        // Where floats have no place in between, there is nothing to halve.
        if area <= max_area || position == p[i] || position == p[j] {
            pieces.push(triangle);
            continue;
        }
        open.push(Triangle { positions: [position, p[j], p[k]], normals: [normal, n[j], n[k]] });
        open.push(Triangle { positions: [p[i], position, p[k]], normals: [n[i], normal, n[k]] });
    }
}

/// Cuts `pieces` into `wanted` patches of about equal area by planes across their longest axis, and more where one would
/// be too large.
fn group(pieces: &mut [Triangle], wanted: usize, max_area: f64, max_triangles: usize, result: &mut Patches) {
    let area: f64 = pieces.iter().map(Triangle::area).sum();
    let fits = pieces.len() <= max_triangles && area <= max_area;
    if pieces.len() == 1 || (wanted <= 1 && fits) {
        push(pieces, area, result);
        return;
    }
    let wanted = wanted.max(2);
    let [low, high] = pieces
        .iter()
        .map(Triangle::centroid)
        .fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[l, h], c| [l.min(c), h.max(c)]);
    let axis = (high - low).max_position();
    // A stable sort: equal centroids keep their order, and the result does not depend on the machine.
    pieces.sort_by(|a, b| a.centroid()[axis].total_cmp(&b.centroid()[axis]));
    let first = wanted / 2;
    let target = area * first as f64 / wanted as f64;
    let mut sum = 0.0;
    let cut = pieces.iter().take_while(|piece| {
        sum += piece.area();
        // To the nearest: a piece belongs to the side on which its middle lies.
        sum - 0.5 * piece.area() <= target
    });
    let cut = cut.count().clamp(1, pieces.len() - 1);
    let (left, right) = pieces.split_at_mut(cut);
    group(left, first, max_area, max_triangles, result);
    group(right, wanted - first, max_area, max_triangles, result);
}

fn push(pieces: &mut [Triangle], area: f64, result: &mut Patches) {
    let [low, high] = bounds(pieces);
    // Points are interpolated in f32 and may round out of the box by a little.
    let margin = 1e-6 * (low.abs().max(high.abs()) + (high - low)) + 1e-9;
    let (origin, extent) = (low - margin, high - low + 2.0 * margin);
    // Neighbours in the order share a neighbourhood, so that the square's evenness carries over to the surface.
    pieces.sort_by_cached_key(|piece| morton((piece.centroid() - origin) / extent));
    result.patches.push(Patch {
        origin,
        first: result.cdf.len() as u32,
        extent,
        count: pieces.len() as u32,
        area: area as f32,
        pad: [0; 3],
    });
    let mut sum = 0.0;
    for (i, piece) in pieces.iter().enumerate() {
        sum += piece.area();
        let end = if i + 1 == pieces.len() { u32::MAX } else { (sum / area * 4_294_967_296.0).round() as u32 };
        result.cdf.push(end);
        result.vertices.extend(vertices(piece));
    }
}

/// Position on the Morton curve of a point in the unit cube, ten bits an axis.
fn morton(point: Vec3) -> u32 {
    let spread = |x: f32| {
        let cell = (x * 1024.0).clamp(0.0, 1023.0) as u32;
        (0..10).fold(0, |code, bit| code | (cell >> bit & 1) << (3 * bit))
    };
    spread(point.x) | spread(point.y) << 1 | spread(point.z) << 2
}

impl Patches {
    /// How many of `total` bodies stand on each patch: in proportion to its area, to less than one; they add up to
    /// `total`.
    #[must_use]
    pub fn counts(&self, total: u32) -> Vec<u32> {
        let area: f64 = self.patches.iter().map(|patch| f64::from(patch.area)).sum();
        let (mut sum, mut given) = (0.0, 0);
        let last = self.patches.len().saturating_sub(1);
        let count = |(i, patch): (usize, &Patch)| {
            sum += f64::from(patch.area);
            let upto =
                if i == last { total } else { ((sum / area * f64::from(total)).round() as u32).clamp(given, total) };
            let count = upto - given;
            given = upto;
            count
        };
        self.patches.iter().enumerate().map(count).collect()
    }

    /// Where body `rank` of a patch stands. The seed of a patch is best `cell_seed(population, (patch, 0))`.
    ///
    /// # Panics
    /// When there is no such patch.
    #[must_use]
    pub fn point(&self, patch: usize, rank: u32, seed: u32) -> MeshPoint {
        let patch = &self.patches[patch];
        let first = patch.first as usize;
        let cdf = &self.cdf[first..first + patch.count as usize];
        let p = sobol_owen_2d(rank, seed);
        let found = cdf.partition_point(|&end| end <= p.x).min(cdf.len() - 1);
        let start = if found > 0 { cdf[found - 1] } else { 0 };
        let [a, b, c] = [0, 1, 2].map(|i| &self.vertices[3 * (first + found) + i]);
        mesh_point(a, b, c, triangle_coordinates(p.x, start, cdf[found], p.y))
    }
}
