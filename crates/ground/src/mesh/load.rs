//! Reads the triangles of a glTF or GLB file: geometry only, every node's transform applied.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use glam::{DMat3, DMat4, DVec3, Vec3};
use gltf::json::validation::Checked;
use gltf::mesh::Mode;
use gltf::{Document, Gltf, Node, Primitive, Semantic, buffer};

use super::{Mesh, MeshError, Triangle, accessor};

/// Coordinates beyond this, metres, are taken for damage.
const FARTHEST: f64 = 1.0e7;

/// `folder` is where buffers in files of their own are looked for; without it they are refused.
pub(super) fn mesh(bytes: &[u8], name: &str, folder: Option<&Path>) -> Result<Mesh, MeshError> {
    let damaged = |reason: String| MeshError::Damaged { name: name.to_owned(), reason };
    let (document, blob) = parse(bytes).map_err(damaged)?;
    let buffers = buffers(&document, blob, name, folder)?;
    let mut mesh = Mesh { triangles: Vec::new(), dropped: 0 };
    for (node, matrix) in placed(&document).map_err(damaged)? {
        let Some(source) = node.mesh() else { continue };
        for primitive in source.primitives() {
            let label =
                source.name().map_or_else(|| format!("{}", source.index()), |n| format!("{} ('{n}')", source.index()));
            add(&mut mesh, &primitive, &matrix, &buffers)
                .map_err(|reason| damaged(format!("mesh {label}, primitive {}: {reason}", primitive.index())))?;
        }
    }
    if mesh.triangles.is_empty() {
        return Err(MeshError::NoTriangles { name: name.to_owned(), dropped: mesh.dropped });
    }
    Ok(mesh)
}

/// Parses and validates. Two things are looked at first because the gltf crate (1.4.1) would panic on them: a GLB whose
/// header is longer than itself, and positions in an accessor that does not exist.
fn parse(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), String> {
    if bytes.is_empty() {
        return Err("the file is empty".into());
    }
    if bytes.starts_with(b"glTF") {
        let length = bytes.get(8..12).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        if length < 12 {
            return Err("the header of the GLB file is damaged".into());
        }
    }
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(explain)?;
    let json = document.into_json();
    let positions = Checked::Valid(Semantic::Positions);
    for (i, mesh) in json.meshes.iter().enumerate() {
        let used = mesh.primitives.iter().filter_map(|primitive| primitive.attributes.get(&positions));
        if let Some(accessor) = used.map(|index| index.value()).find(|&index| index >= json.accessors.len()) {
            return Err(format!("mesh {i} uses accessor {accessor} of {}", json.accessors.len()));
        }
    }
    Ok((Document::from_json(json).map_err(explain)?, blob))
}

fn explain(error: gltf::Error) -> String {
    match error {
        gltf::Error::Validation(list) => match list.first() {
            Some((path, reason)) => format!("{path}: {reason}"),
            None => "it does not follow the glTF format".into(),
        },
        other => other.to_string(),
    }
}

fn buffers(
    document: &Document,
    mut blob: Option<Vec<u8>>,
    name: &str,
    folder: Option<&Path>,
) -> Result<Vec<Vec<u8>>, MeshError> {
    let mut all = Vec::new();
    for buffer in document.buffers() {
        let refuse = |reason: String| MeshError::Buffer { name: name.to_owned(), buffer: buffer.index(), reason };
        let bytes = match buffer.source() {
            buffer::Source::Bin => blob.take().ok_or_else(|| refuse("the file holds no binary part".into()))?,
            buffer::Source::Uri(uri) => fetch(uri, folder).map_err(refuse)?,
        };
        if bytes.len() < buffer.length() {
            return Err(refuse(format!("it has {} bytes where {} are declared", bytes.len(), buffer.length())));
        }
        all.push(bytes);
    }
    Ok(all)
}

fn fetch(uri: &str, folder: Option<&Path>) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded = data.split_once(";base64,").ok_or("its data URI is not in base64")?.1;
        let decoded = STANDARD.decode(encoded).or_else(|_| STANDARD_NO_PAD.decode(encoded));
        return decoded.map_err(|error| format!("its base64 data is damaged: {error}"));
    }
    if uri.contains("://") {
        return Err(format!("'{uri}' lies on a network; store the buffer beside the file"));
    }
    let folder =
        folder.ok_or_else(|| format!("'{uri}' is a file of its own; load the mesh by its path, or use GLB"))?;
    let path = folder.join(percent_decoded(uri));
    std::fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// Undoes %20 and its like; what is no valid escape stays as it is.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match rest {
            [b'%', a, b, ..] => char::from(*a).to_digit(16).zip(char::from(*b).to_digit(16)).map(|(a, b)| a * 16 + b),
            _ => None,
        };
        match escaped {
            Some(value) => {
                bytes.push(value as u8);
                rest = &rest[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.to_owned())
}

/// Every node of the scene with its matrix: of the default scene, else of the first, else of all nodes.
fn placed(document: &Document) -> Result<Vec<(Node<'_>, DMat4)>, String> {
    let scene = document.default_scene().or_else(|| document.scenes().next());
    let mut open: Vec<(Node<'_>, DMat4)> = match scene {
        Some(scene) => scene.nodes().map(|node| (node, DMat4::IDENTITY)).collect(),
        None => {
            let mut child = vec![false; document.nodes().len()];
            for node in document.nodes().flat_map(|node| node.children()) {
                child[node.index()] = true;
            }
            document.nodes().filter(|node| !child[node.index()]).map(|node| (node, DMat4::IDENTITY)).collect()
        }
    };
    // A stack, and each node once: a file whose nodes form a loop ends in an error, not in a full stack.
    let mut seen = vec![false; document.nodes().len()];
    let mut found = Vec::new();
    open.reverse();
    while let Some((node, parent)) = open.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            return Err(format!("node {} has two parents, or is its own", node.index()));
        }
        let local = node.transform().matrix().map(|column| column.map(f64::from));
        let matrix = parent * DMat4::from_cols_array_2d(&local);
        if !matrix.is_finite() {
            return Err(format!("the transform of node {} is not finite", node.index()));
        }
        let children: Vec<_> = node.children().collect();
        open.extend(children.into_iter().rev().map(|child| (child, matrix)));
        found.push((node, matrix));
    }
    Ok(found)
}

fn add(mesh: &mut Mesh, primitive: &Primitive<'_>, matrix: &DMat4, buffers: &[Vec<u8>]) -> Result<(), String> {
    let mode = primitive.mode();
    if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        // Points and lines have no area to stand on.
        return Ok(());
    }
    let Some(positions) = primitive.get(&Semantic::Positions) else { return Err("it has no positions".into()) };
    let positions = accessor::vectors(&positions, buffers)?;
    let normals = primitive.get(&Semantic::Normals).map(|a| accessor::vectors(&a, buffers)).transpose()?;
    let indices = match primitive.indices() {
        Some(accessor) => accessor::indices(&accessor, buffers)?,
        None => (0..positions.len() as u32).collect(),
    };
    if let Some(index) = indices.iter().find(|&&index| index as usize >= positions.len()) {
        return Err(format!("vertex {index} of {} is used", positions.len()));
    }
    let linear = DMat3::from_mat4(*matrix);
    let mirrored = linear.determinant() < 0.0;
    let placed = |index: u32| -> Result<DVec3, String> {
        let point = matrix.transform_point3(Vec3::from(positions[index as usize]).as_dvec3());
        // Written so that NaN fails.
        if point.abs().max_element() <= FARTHEST {
            Ok(point)
        } else {
            Err(format!("vertex {index} lies nowhere: {point}"))
        }
    };
    for [i, j, k] in triangles(mode, &indices)? {
        // A mirror turns the winding round, and with it which side is the outside.
        let order = if mirrored { [i, k, j] } else { [i, j, k] };
        let corners = [placed(order[0])?, placed(order[1])?, placed(order[2])?];
        let given = normals.as_ref().map(|all| {
            order.map(|index| {
                let normal = all.get(index as usize).copied().map_or(DVec3::ZERO, |n| Vec3::from(n).as_dvec3());
                transformed_normal(&linear, normal)
            })
        });
        mesh.push(corners, given);
    }
    Ok(())
}

/// A normal under a linear map: by the cofactors, which unlike the inverse exist for flattening maps too.
pub(super) fn transformed_normal(linear: &DMat3, normal: DVec3) -> DVec3 {
    let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let turned = cofactors * normal;
    if linear.determinant() < 0.0 { -turned } else { turned }
}

fn triangles(mode: Mode, indices: &[u32]) -> Result<Vec<[u32; 3]>, String> {
    if mode == Mode::Triangles && !indices.len().is_multiple_of(3) {
        return Err(format!("{} vertices are not a whole number of triangles", indices.len()));
    }
    Ok(match mode {
        Mode::TriangleStrip => indices
            .windows(3)
            .enumerate()
            .map(|(i, w)| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
            .collect(),
        Mode::TriangleFan => {
            indices.get(1..).unwrap_or_default().windows(2).map(|w| [w[0], w[1], indices[0]]).collect()
        }
        _ => indices.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
    })
}

impl Mesh {
    /// Adds a triangle, or counts it as dropped when it has no area. Normals that are missing or have no direction
    /// become the triangle's own, as glTF asks for meshes without them.
    pub(super) fn push(&mut self, corners: [DVec3; 3], normals: Option<[DVec3; 3]>) {
        // What counts are the corners as they will be stored.
        let positions = corners.map(DVec3::as_vec3);
        let [a, b, c] = positions.map(Vec3::as_dvec3);
        let across = (b - a).cross(c - a);
        let longest = (b - a).length_squared().max((c - a).length_squared()).max((c - b).length_squared());
        // Thinner than a millionth of its length: its normal is rounding error.
        if across.length() <= 1e-6 * longest {
            self.dropped += 1;
            return;
        }
        let own = across.normalize();
        let kept = |normal: DVec3| normal.try_normalize().unwrap_or(own).as_vec3();
        self.triangles.push(Triangle { positions, normals: normals.unwrap_or([own; 3]).map(kept) });
    }
}
