//! A mesh as ground: any glTF or GLB file, on every side of which bodies can stand.
//!
//! ```no_run
//! use anemone_ground::mesh::{Mesh, PatchOptions};
//!
//! let mesh = Mesh::load("statue.glb".as_ref())?;
//! let patches = mesh.patches(&PatchOptions::default());
//! let counts = patches.counts(100_000);
//! let first = patches.point(0, 0, 42);
//! println!("{} patches, the first with {} bodies, one at {}", counts.len(), counts[0], first.position);
//! # Ok::<(), anemone_ground::mesh::MeshError>(())
//! ```

use std::path::Path;

use glam::{DMat3, Mat4, Vec3};

mod accessor;
mod load;
mod patches;
mod point;

pub use patches::{PatchOptions, Patches};
pub use point::{MeshPoint, MeshVertex, Patch, mesh_point, triangle_coordinates};

/// Why a mesh was refused. The text says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file cannot be read.
    #[error("{name}: the mesh cannot be read: {source}. Check the path and that the file may be read")]
    Read {
        /// The file.
        name: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no glTF, or wrong inside.
    #[error("{name}: this glTF cannot be used: {reason}. Export it again as GLB or glTF 2.0")]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// A buffer is missing or short.
    #[error("{name}: buffer {buffer} is missing: {reason}. Keep the .bin files beside the .gltf file, or export GLB")]
    Buffer {
        /// The file.
        name: String,
        /// Number of the buffer.
        buffer: usize,
        /// What is wrong.
        reason: String,
    },
    /// There is nothing to stand on.
    #[error(
        "{name}: the mesh has no triangle with an area ({dropped} without one). Bodies need a surface: export faces, \
         not points or lines, and look for a scale of zero"
    )]
    NoTriangles {
        /// The file.
        name: String,
        /// Triangles dropped for want of an area.
        dropped: usize,
    },
    /// A transform is not finite or throws the mesh out of the world.
    #[error("the mesh cannot be moved by this transform: {reason}. Check its scale and position")]
    Transform {
        /// What is wrong.
        reason: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Triangle {
    positions: [Vec3; 3],
    normals: [Vec3; 3],
}

impl Triangle {
    fn area(&self) -> f64 {
        let [a, b, c] = self.positions.map(Vec3::as_dvec3);
        0.5 * (b - a).cross(c - a).length()
    }

    fn centroid(&self) -> Vec3 {
        (self.positions[0] + self.positions[1] + self.positions[2]) / 3.0
    }
}

/// The triangles of a mesh, in metres, y up. There is at least one.
///
/// Skins and morph targets stay in their rest pose; materials are not read.
#[derive(Clone, Debug)]
pub struct Mesh {
    triangles: Vec<Triangle>,
    dropped: usize,
}

impl Mesh {
    /// Reads a .gltf file (with its .bin files) or a .glb file.
    ///
    /// # Errors
    /// [`MeshError`] says what is wrong with the file.
    pub fn load(path: &Path) -> Result<Self, MeshError> {
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => load::mesh(&bytes, &name, Some(path.parent().unwrap_or(Path::new("")))),
            Err(source) => Err(MeshError::Read { name, source }),
        }
    }

    /// Reads glTF or GLB from memory; `name` stands in errors. Buffers must lie in it (GLB, or data URIs).
    ///
    /// # Errors
    /// [`MeshError`] says what is wrong with the data.
    pub fn from_slice(bytes: &[u8], name: &str) -> Result<Self, MeshError> {
        load::mesh(bytes, name, None)
    }

    /// The mesh moved, turned, scaled or mirrored. Scales may differ by axis; what they flatten to nothing is dropped.
    ///
    /// # Errors
    /// [`MeshError::Transform`] when nothing would be left, or something not finite.
    pub fn transformed(&self, matrix: Mat4) -> Result<Self, MeshError> {
        let matrix = matrix.as_dmat4();
        let linear = DMat3::from_mat4(matrix);
        let mut moved = Self { triangles: Vec::with_capacity(self.triangles.len()), dropped: self.dropped };
        let order = if linear.determinant() < 0.0 { [0, 2, 1] } else { [0, 1, 2] };
        for triangle in &self.triangles {
            let corners = order.map(|i| matrix.transform_point3(triangle.positions[i].as_dvec3()));
            // Written so that NaN fails.
            if !corners.iter().all(|corner| corner.abs().max_element() <= 1.0e7) {
                return Err(MeshError::Transform { reason: format!("a corner comes to lie at {}", corners[0]) });
            }
            let normals = order.map(|i| load::transformed_normal(&linear, triangle.normals[i].as_dvec3()));
            moved.push(corners, Some(normals));
        }
        if moved.triangles.is_empty() {
            return Err(MeshError::Transform { reason: "it leaves no area".into() });
        }
        Ok(moved)
    }

    /// Number of triangles.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Triangles of the file that were dropped because they have no area.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Area of all triangles, square metres.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.triangles.iter().map(Triangle::area).sum()
    }

    /// Least and greatest corner, metres.
    #[must_use]
    pub fn bounds(&self) -> [Vec3; 2] {
        bounds(&self.triangles)
    }

    /// The triangles as the GPU draws them: three vertices each, anticlockwise seen from outside.
    #[must_use]
    pub fn vertices(&self) -> Vec<MeshVertex> {
        self.triangles.iter().flat_map(vertices).collect()
    }
}

fn bounds(triangles: &[Triangle]) -> [Vec3; 2] {
    let corners = triangles.iter().flat_map(|t| t.positions);
    corners.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
}

fn vertices(triangle: &Triangle) -> [MeshVertex; 3] {
    std::array::from_fn(|i| MeshVertex {
        position: triangle.positions[i],
        pad0: 0,
        normal: triangle.normals[i],
        pad1: 0,
    })
}
