//! Writes small glTF files for the tests, after the specification (Khronos, glTF 2.0, sections 3.7 and 4.4).

use glam::Vec3;

/// One primitive, which becomes a mesh of its own.
#[derive(Clone, Default)]
pub struct Part {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub indices: Vec<u32>,
    /// glTF's number: 4 triangles, 5 a strip, 6 a fan, 1 lines.
    pub mode: u32,
}

/// JSON and binary part; `nodes` are the nodes of the scene in JSON, of which the first is the root.
pub fn document(parts: &[Part], nodes: &str, uri: Option<&str>) -> (String, Vec<u8>) {
    let (mut bin, mut views, mut accessors, mut meshes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut add = |bytes: Vec<u8>, count: usize, kind: &str, extra: &str| {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bin.len(), bytes.len()));
        let view = views.len() - 1;
        accessors.push(format!(r#"{{"bufferView":{view},"count":{count},{kind}{extra}}}"#));
        bin.extend(bytes);
        accessors.len() - 1
    };
    let floats = |all: &[Vec3]| all.iter().flat_map(|v| v.to_array()).flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
    for part in parts {
        let vector = r#""componentType":5126,"type":"VEC3""#;
        let bounds = r#","min":[-1,-1,-1],"max":[1,1,1]"#;
        let mut attributes =
            format!(r#""POSITION":{}"#, add(floats(&part.positions), part.positions.len(), vector, bounds));
        if !part.normals.is_empty() {
            let normals = add(floats(&part.normals), part.normals.len(), vector, "");
            attributes += &format!(r#","NORMAL":{normals}"#);
        }
        let mut indices = String::new();
        if !part.indices.is_empty() {
            let bytes = part.indices.iter().flat_map(|i| i.to_le_bytes()).collect();
            let scalar = r#""componentType":5125,"type":"SCALAR""#;
            indices = format!(r#","indices":{}"#, add(bytes, part.indices.len(), scalar, ""));
        }
        meshes.push(format!(
            r#"{{"name":"part","primitives":[{{"attributes":{{{attributes}}}{indices},"mode":{}}}]}}"#,
            part.mode
        ));
    }
    let uri = uri.map_or(String::new(), |uri| format!(r#","uri":"{uri}""#));
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{nodes},"meshes":[{}],
        "accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{}{uri}}}]}}"#,
        meshes.join(","),
        accessors.join(","),
        views.join(","),
        bin.len()
    );
    (json, bin)
}

/// A GLB file.
pub fn glb(parts: &[Part], nodes: &str) -> Vec<u8> {
    let (json, bin) = document(parts, nodes, None);
    container(&json, &bin)
}

pub fn container(json: &str, bin: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", bin)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

/// A sphere of radius 1 by longitude and latitude; the triangles at the poles have no area.
pub fn sphere(columns: u32, rows: u32, normals: bool) -> Part {
    let mut positions = Vec::new();
    for row in 0..=rows {
        for column in 0..=columns {
            let (polar, around) = (
                std::f32::consts::PI * row as f32 / rows as f32,
                std::f32::consts::TAU * (column % columns) as f32 / columns as f32,
            );
            let ring = if row == rows { 0.0 } else { polar.sin() };
            positions.push(Vec3::new(ring * around.cos(), polar.cos(), ring * around.sin()));
        }
    }
    let mut indices = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let b = a + columns + 1;
            indices.extend([a, a + 1, b, a + 1, b + 1, b]);
        }
    }
    let normals = if normals { positions.clone() } else { Vec::new() };
    Part { positions, normals, indices, mode: 4 }
}

/// A square of side 2 in the plane y = 0, facing up, as two triangles without indices.
pub fn square() -> Part {
    let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let (a, b, c, d) = (corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0));
    Part { positions: vec![a, b, c, a, c, d], mode: 4, ..Part::default() }
}
