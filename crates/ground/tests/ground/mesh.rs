use std::path::Path;

use anemone_ground::mesh::{Mesh, MeshError, MeshVertex, PatchOptions, Patches, mesh_point, triangle_coordinates};
use anemone_ground::placement::{cell_seed, sobol_owen_2d};
use anemone_twin::Twin;
use base64::Engine as _;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Mat4, UVec2, Vec2, Vec3};
use proptest::prelude::*;

use crate::mesh_files::{Part, container, document, glb, sphere, square};
use crate::{MODULES, random};

const ONE_NODE: &str = r#"[{"mesh":0}]"#;

fn load(parts: &[Part], nodes: &str) -> Mesh {
    Mesh::from_slice(&glb(parts, nodes), "test.glb").expect("a mesh")
}

fn refused(bytes: &[u8]) -> MeshError {
    Mesh::from_slice(bytes, "test.glb").expect_err("an error")
}

/// All points of `total` bodies, with the patch of each.
fn points(patches: &Patches, total: u32) -> Vec<(usize, Vec3, Vec3)> {
    let counts = patches.counts(total);
    assert_eq!(counts.iter().sum::<u32>(), total);
    let ranks = counts.iter().enumerate().flat_map(|(patch, &count)| (0..count).map(move |rank| (patch, rank)));
    let place = |(patch, rank)| {
        let point = patches.point(patch, rank, cell_seed(7, IVec2::new(patch as i32, 0)));
        (patch, point.position, point.normal)
    };
    ranks.map(place).collect()
}

#[test]
fn bodies_stand_on_every_side_of_a_sphere_along_its_normal() {
    for normals in [true, false] {
        let mesh = load(&[sphere(96, 48, normals)], ONE_NODE);
        assert_eq!(mesh.dropped(), 2 * 96);
        assert!((mesh.area() / (4.0 * std::f64::consts::PI) - 1.0).abs() < 0.003, "{}", mesh.area());
        let patches = mesh.patches(&PatchOptions { max_area: 0.2, max_triangles: 1024 });
        let all = points(&patches, 20_000);
        let mut octants = [0; 8];
        let (mut up, mut down) = (0, 0);
        for &(_, position, normal) in &all {
            assert!((normal.length() - 1.0).abs() < 1e-6);
            assert!(normal.dot(position.normalize()) > if normals { 0.9999 } else { 0.998 });
            octants[usize::from(position.x > 0.0)
                + 2 * usize::from(position.y > 0.0)
                + 4 * usize::from(position.z > 0.0)] += 1;
            up += i32::from(normal.y > 0.9);
            down += i32::from(normal.y < -0.9);
        }
        // A cap of y > 0.9 has 5 % of a sphere. Chance would miss an octant's 2,500 by 47.
        assert!((up - 1000).abs() < 60 && (down - 1000).abs() < 60, "{up} {down}");
        assert!(octants.iter().all(|&n: &i32| (n - 2500).abs() < 30), "{octants:?}");
    }
}

#[test]
fn patches_are_about_equal_and_hold_their_points() {
    let mesh = load(&[sphere(64, 32, true)], ONE_NODE);
    for options in [
        PatchOptions { max_area: 0.1, max_triangles: 1024 },
        PatchOptions { max_area: 100.0, max_triangles: 50 },
        PatchOptions { max_area: 0.002, max_triangles: 1024 },
    ] {
        let patches = mesh.patches(&options);
        let sum: f64 = patches.patches.iter().map(|p| f64::from(p.area)).sum();
        assert!((sum / mesh.area() - 1.0).abs() < 1e-5);
        assert_eq!(patches.vertices.len(), 3 * patches.cdf.len());
        let mean = sum as f32 / patches.patches.len() as f32;
        let mut next = 0;
        for patch in &patches.patches {
            assert_eq!(patch.first, next);
            next += patch.count;
            assert!(patch.count >= 1 && patch.count <= options.max_triangles && patch.area <= options.max_area);
            // A limit on triangles, where it binds, groups them as finely as their own areas differ.
            if options.max_area < 50.0 {
                assert!(patch.area > 0.45 * mean && patch.area < 1.6 * mean, "{} {mean}", patch.area);
            }
            let cdf = &patches.cdf[patch.first as usize..next as usize];
            assert!(cdf.is_sorted() && cdf.last() == Some(&u32::MAX));
        }
        assert_eq!(next as usize, patches.cdf.len());
        for (patch, position, _) in points(&patches, 5000) {
            let (low, size) = (patches.patches[patch].origin, patches.patches[patch].extent);
            assert!(size.min_element() > 0.0 && position.cmpge(low).all() && position.cmple(low + size).all());
        }
    }
}

/// Patches follow the surface, so that a box is small: no patch of a sphere is a ring or has two sides.
#[test]
fn patches_are_compact() {
    let patches =
        load(&[sphere(64, 32, true)], ONE_NODE).patches(&PatchOptions { max_area: 0.05, max_triangles: 1024 });
    for patch in &patches.patches {
        assert!(patch.extent.length() < 4.0 * patch.area.sqrt(), "{} for {}", patch.extent, patch.area);
    }
}

#[test]
fn a_mirrored_mesh_keeps_its_outside() {
    for normals in [true, false] {
        for scale in ["[-1,1,1]", "[1,-2,1]", "[-1,-1,-1]", "[-1,-3,1]"] {
            let mesh = load(&[sphere(48, 24, normals)], &format!(r#"[{{"mesh":0,"scale":{scale}}}]"#));
            let vertices = mesh.vertices();
            for corner in vertices.chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|i| corner[i].position);
                let own = (b - a).cross(c - a);
                assert!(own.dot(a + b + c) > 0.0, "the winding is inside out for {scale}");
                assert!(corner.iter().all(|v| v.normal.dot(v.position) > 0.0), "normals point inwards for {scale}");
            }
            let mirror = Mat4::from_scale(Vec3::new(1.0, 1.0, -0.5));
            for corner in mesh.transformed(mirror).expect("a mesh").vertices().chunks(3) {
                assert!(corner.iter().all(|v| v.normal.dot(v.position) > 0.0));
            }
        }
    }
}

/// A node in a node in a node: the ellipsoid with half axes 1, 2, 3 turned by a quarter about y and moved.
#[test]
fn nested_and_uneven_transforms_are_applied() {
    let nodes = r#"[
        {"children":[1],"translation":[10,20,30]},
        {"children":[2],"rotation":[0,0.70710678,0,0.70710678]},
        {"mesh":0,"matrix":[1,0,0,0, 0,2,0,0, 0,0,3,0, 0,0,0,1]}]"#;
    let mesh = load(&[sphere(200, 100, true)], nodes);
    // The x axis goes to -z and z to x.
    let axes = Vec3::new(3.0, 2.0, 1.0);
    let [low, high] = mesh.bounds();
    assert!((low - (Vec3::new(10.0, 20.0, 30.0) - axes)).length() < 1e-4, "{low}");
    assert!((high - (Vec3::new(10.0, 20.0, 30.0) + axes)).length() < 1e-4, "{high}");
    // Surface of an ellipsoid with half axes 1, 2, 3, by elliptic integrals: 48.8821463.
    assert!((mesh.area() / 48.882_146 - 1.0).abs() < 1e-3, "{}", mesh.area());
    for (_, position, normal) in points(&mesh.patches(&PatchOptions::default()), 2000) {
        let gradient = ((position - Vec3::new(10.0, 20.0, 30.0)) / (axes * axes)).normalize();
        assert!(normal.dot(gradient) > 0.9998, "{normal} {gradient}");
    }
}

#[test]
fn strips_and_fans_are_triangles() {
    let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let (a, b, c, d) = (corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0));
    let strip = Part { positions: vec![a, b, d, c], mode: 5, ..Part::default() };
    let fan = Part { positions: vec![a, b, c, d], mode: 6, ..Part::default() };
    let indexed = Part { indices: vec![3, 0, 1, 2], mode: 6, positions: vec![b, c, d, a], ..Part::default() };
    for part in [square(), strip, fan, indexed] {
        let mesh = load(&[part], ONE_NODE);
        assert_eq!((mesh.triangle_count(), mesh.area()), (2, 4.0));
        assert!(mesh.vertices().iter().all(|v| v.normal == Vec3::Y));
    }
}

/// The surface of a plane is the unit square's image, so bodies on it are as even as the points of a cell.
#[test]
fn a_large_plane_is_covered_evenly() {
    let mesh = load(&[square()], r#"[{"mesh":0,"scale":[10,1,10]}]"#);
    let patches = mesh.patches(&PatchOptions { max_area: 25.0, max_triangles: 64 });
    assert!(patches.patches.len() >= 16);
    let all = points(&patches, 40_000);
    let mut bins = vec![0u32; 400];
    for (_, position, normal) in &all {
        assert_eq!(*normal, Vec3::Y);
        let cell = ((Vec2::new(position.x, position.z) + 10.0).floor().as_uvec2()).min(UVec2::splat(19));
        bins[(cell.y * 20 + cell.x) as usize] += 1;
    }
    // 100 a square metre; by chance the standard deviation would be 10.
    let deviation = (bins.iter().map(|&n| (f64::from(n) - 100.0).powi(2)).sum::<f64>() / 400.0).sqrt();
    assert!(deviation < 5.0, "{deviation}");
    let mut nearest = 0.0;
    for (i, (_, position, _)) in all.iter().enumerate().step_by(200) {
        let distance = all.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| p.1.distance(*position));
        nearest += distance.fold(f32::INFINITY, f32::min) / 200.0;
    }
    // In units of the mean spacing of 0.1 m; chance gives 0.5.
    assert!(nearest / 0.1 > 0.5, "{nearest}");
}

#[test]
fn triangles_get_bodies_by_their_area() {
    // One triangle of area 1/2 and one of area 8, in one patch.
    let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let positions = vec![at(0.0, 0.0), at(0.0, 1.0), at(1.0, 0.0), at(10.0, 0.0), at(10.0, 4.0), at(14.0, 0.0)];
    let mesh = load(&[Part { positions, mode: 4, ..Part::default() }], ONE_NODE);
    let patches = mesh.patches(&PatchOptions { max_area: 100.0, max_triangles: 64 });
    assert_eq!(patches.patches.len(), 1);
    for total in [17, 170, 1700] {
        let small = points(&patches, total).iter().filter(|p| p.1.x < 5.0).count();
        assert!((small as f32 - total as f32 / 17.0).abs() <= 1.5, "{small} of {total}");
    }
}

#[test]
fn the_map_from_square_to_triangle_is_even_and_stays_inside() {
    let mut bins = [0; 16];
    for rank in 0..16_384 {
        let p = sobol_owen_2d(rank, 5);
        let w = triangle_coordinates(p.x, 0, u32::MAX, p.y);
        assert!(w.min_element() >= 0.0 && w.x + w.y <= 1.0 + 1e-6);
        // Sixteen congruent triangles: rows and columns of quarters, the upper half of each square counted apart.
        let (cell, rest) = ((w * 4.0).floor().min(Vec2::splat(3.0)), (w * 4.0).fract());
        let row = cell.y as usize;
        let before = [0, 7, 12, 15][row];
        bins[(before + 2 * cell.x as usize + usize::from(rest.x + rest.y > 1.0)).min(15)] += 1;
    }
    assert!(bins.iter().all(|&n: &i32| (n - 1024).abs() < 16), "{bins:?}");
}

proptest! {
    #[test]
    fn counts_add_up_for_every_total(total: u32, small in 0..50u32) {
        let patches = load(&[sphere(24, 12, false)], ONE_NODE).patches(&PatchOptions { max_area: 0.3, max_triangles: 99 });
        let area: f64 = patches.patches.iter().map(|p| f64::from(p.area)).sum();
        for total in [total, small] {
            let counts = patches.counts(total);
            prop_assert_eq!(counts.iter().map(|&n| u64::from(n)).sum::<u64>(), u64::from(total));
            for (count, patch) in counts.iter().zip(&patches.patches) {
                let wished = f64::from(patch.area) / area * f64::from(total);
                prop_assert!((f64::from(*count) - wished).abs() < 1.01, "{count} {wished}");
            }
        }
    }

    #[test]
    fn damage_never_panics(at: usize, value: u8, cut in any::<bool>()) {
        let mut bytes = glb(&[sphere(6, 4, true)], ONE_NODE);
        let at = at % bytes.len();
        bytes[at] = value;
        if cut {
            bytes.truncate(at);
        }
        if let Ok(mesh) = Mesh::from_slice(&bytes, "damaged.glb") {
            let patches = mesh.patches(&PatchOptions::default());
            prop_assert!(points(&patches, 10).iter().all(|p| p.1.is_finite() && p.2.is_finite()));
        }
    }

    #[test]
    fn any_triangles_make_patches(corners: [[i8; 3]; 12], scale in -20..12i32, max_area in 1e-6..10.0f32) {
        let positions = corners.map(|c| Vec3::from(c.map(f32::from)) * 2f32.powi(scale)).to_vec();
        let Ok(mesh) = Mesh::from_slice(&glb(&[Part { positions, mode: 4, ..Part::default() }], ONE_NODE), "any") else { return Ok(()) };
        let max_area = max_area.max(mesh.area() as f32 / 500.0);
        let patches = mesh.patches(&PatchOptions { max_area, max_triangles: 20 });
        let [low, high] = mesh.bounds();
        let margin = 1e-5 * (high - low).length();
        for (_, position, normal) in points(&patches, 100) {
            prop_assert!(position.cmpge(low - margin).all() && position.cmple(high + margin).all());
            prop_assert!((normal.length() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn what_cannot_be_stood_on_is_refused_with_advice() {
    let refused_part = |part: Part| refused(&glb(&[part], ONE_NODE));
    let lines = Part { mode: 1, ..square() };
    let error = refused_part(lines);
    assert!(matches!(error, MeshError::NoTriangles { dropped: 0, .. }), "{error}");
    let error = refused(&glb(&[square()], r#"[{"mesh":0,"scale":[0,1,1]}]"#));
    assert!(matches!(error, MeshError::NoTriangles { dropped: 2, .. }), "{error}");
    let error = refused(&glb(&[square()], r#"[{"name":"empty"}]"#));
    assert!(error.to_string().contains("export faces"), "{error}");

    let mut nan = square();
    nan.positions[4].y = f32::NAN;
    let error = refused_part(nan);
    assert!(error.to_string().contains("mesh 0 ('part'), primitive 0: vertex 4 lies nowhere"), "{error}");
    let error = refused_part(Part { indices: vec![0, 1, 6], ..square() });
    assert!(error.to_string().contains("vertex 6 of 6"), "{error}");
    let error = refused_part(Part { indices: vec![0, 1, 2, 3], ..square() });
    assert!(error.to_string().contains("whole number of triangles"), "{error}");
    for nodes in [r#"[{"children":[1]},{"mesh":0,"children":[0]}]"#, r#"[{"mesh":0,"children":[0]}]"#] {
        let error = refused(&glb(&[square()], nodes));
        assert!(error.to_string().contains("two parents"), "{error}");
    }
    let error = refused(&glb(&[square()], r#"[{"mesh":0,"scale":[1e30,1e30,1e30]}]"#));
    assert!(matches!(error, MeshError::Damaged { .. }), "{error}");
    let error = refused(b"");
    assert!(error.to_string().contains("empty"), "{error}");
    assert!(matches!(refused(b"{}"), MeshError::Damaged { .. }));
    assert!(matches!(Mesh::load(Path::new("/nowhere.glb")), Err(MeshError::Read { .. })));
    let mesh = load(&[square()], ONE_NODE);
    for bad in [Mat4::ZERO, Mat4::from_scale(Vec3::NAN), Mat4::from_translation(Vec3::splat(1e20))] {
        assert!(matches!(mesh.transformed(bad), Err(MeshError::Transform { .. })));
    }
}

#[test]
fn normals_without_a_direction_become_the_triangles_own() {
    let mut part = square();
    part.normals = vec![Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::Y, Vec3::NEG_Y, Vec3::Y, Vec3::Y];
    let vertices = load(&[part], ONE_NODE).vertices();
    assert!(vertices[..3].iter().all(|v| v.normal == Vec3::Y));
    // What the file says is kept, though it cancels halfway: there the triangle's own serves.
    assert_eq!(vertices[3].normal, Vec3::NEG_Y);
    assert_eq!(mesh_point(&vertices[3], &vertices[4], &vertices[5], Vec2::new(0.5, 0.0)).normal, Vec3::Y);
}

#[test]
fn every_cut_of_a_file_is_an_error() {
    let whole = glb(&[sphere(4, 3, true)], ONE_NODE);
    for length in 0..whole.len() {
        refused(&whole[..length]);
    }
}

#[test]
fn buffers_are_found_in_data_uris_and_files_and_missed_clearly() {
    let folder = std::env::temp_dir().join(format!("anemone-ground-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (json, bin) = document(&[square()], ONE_NODE, Some("my%20mesh.bin"));
    let file = folder.join("mesh.gltf");
    std::fs::write(&file, &json).expect("a file");
    let error = Mesh::load(&file).expect_err("no buffer yet");
    assert!(
        matches!(error, MeshError::Buffer { buffer: 0, .. }) && error.to_string().contains("my mesh.bin"),
        "{error}"
    );
    std::fs::write(folder.join("my mesh.bin"), &bin[..20]).expect("a file");
    let error = Mesh::load(&file).expect_err("a short buffer");
    assert!(error.to_string().contains("20 bytes where 72"), "{error}");
    std::fs::write(folder.join("my mesh.bin"), &bin).expect("a file");
    assert_eq!(Mesh::load(&file).expect("a mesh").area(), 4.0);
    let error = refused(json.as_bytes());
    assert!(error.to_string().contains("use GLB"), "{error}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");

    let encoded = base64::engine::general_purpose::STANDARD.encode(&bin);
    let uri = format!("data:application/octet-stream;base64,{encoded}");
    let (json, _) = document(&[square()], ONE_NODE, Some(&uri));
    assert_eq!(Mesh::from_slice(json.as_bytes(), "inline").expect("a mesh").area(), 4.0);
    for (uri, word) in [("data:,abc", "base64"), ("data:a/b;base64,@@", "damaged"), ("https://a/b.bin", "network")] {
        let (json, _) = document(&[square()], ONE_NODE, Some(uri));
        let error = refused(json.as_bytes());
        assert!(matches!(error, MeshError::Buffer { .. }) && error.to_string().contains(word), "{error}");
    }
    let (json, _) = document(&[square()], ONE_NODE, None);
    let error = refused(json.as_bytes());
    assert!(error.to_string().contains("no binary part"), "{error}");
}

/// Sparse accessors and views that are too short are where a careless reader walks out of its buffer.
#[test]
fn accessors_beyond_their_buffers_are_refused() {
    let (json, bin) = document(&[square()], ONE_NODE, None);
    for (from, to) in [
        (r#""count":6"#, r#""count":7"#),
        (r#""count":6"#, r#""count":4000000000"#),
        (r#""byteOffset":0"#, r#""byteOffset":4"#),
        (r#""byteLength":72}],"#, r#""byteLength":72,"byteStride":16}],"#),
        (r#""componentType":5126"#, r#""componentType":5122"#),
    ] {
        let changed = json.replacen(from, to, 1);
        assert_ne!(changed, json);
        let error = refused(&container(&changed, &bin));
        assert!(matches!(error, MeshError::Damaged { .. }), "{from}: {error}");
    }
    // A sparse accessor lifts vertex 2 by one metre.
    let mut bin = bin;
    bin.extend(2u32.to_le_bytes());
    bin.extend([1.0f32, 1.0, -1.0].iter().flat_map(|f| f.to_le_bytes()));
    let sparse =
        r#""count":6,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5125},"values":{"bufferView":2}}"#;
    let json = json.replacen(r#""count":6"#, sparse, 1).replacen(
        r#""byteLength":72}],"#,
        r#""byteLength":72},{"buffer":0,"byteOffset":72,"byteLength":4},{"buffer":0,"byteOffset":76,"byteLength":12}],"#,
        1,
    );
    let mesh =
        Mesh::from_slice(&container(&json.replace(r#""byteLength":72}]}"#, r#""byteLength":88}]}"#), &bin), "sparse");
    assert_eq!(mesh.expect("a mesh").bounds()[1], Vec3::new(1.0, 1.0, 1.0));
    bin[72] = 6;
    let error = refused(&container(&json.replace(r#""byteLength":72}]}"#, r#""byteLength":88}]}"#), &bin));
    assert!(error.to_string().contains("beyond its end"), "{error}");
}

/// A published model: its box stands in its own file.
#[test]
fn the_barramundi_loads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/barramundi/BarramundiFish.gltf");
    if !path.exists() {
        eprintln!("SKIPPED: no {} beside the checkout", path.display());
        return;
    }
    let mesh = Mesh::load(&path).expect("the fish loads");
    let [low, high] = mesh.bounds();
    // The accessor's box, turned by half a turn about y as its node asks.
    let expected = [
        Vec3::new(-0.069_061_965, -0.000_878_453_25, -0.325_372_9),
        Vec3::new(0.073_841_624, 0.286_628_3, 0.317_738_32),
    ];
    assert!((low - expected[0]).length() < 1e-6 && (high - expected[1]).length() < 1e-6, "{low} {high}");
    let patches = mesh.patches(&PatchOptions { max_area: 0.002, max_triangles: 256 });
    for (_, position, normal) in points(&patches, 10_000) {
        assert!(position.cmpge(low - 1e-6).all() && position.cmple(high + 1e-6).all() && normal.is_normalized());
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Input {
    corners: [MeshVertex; 24],
    cdf: [u32; 8],
    rank: u32,
    seed: u32,
    count: u32,
    pad: u32,
}

/// The order of calls that the documentation gives, over patches of up to eight triangles.
#[test]
fn the_twins_find_the_same_points() {
    let root = "
        import package::ground::mesh::{MeshVertex, MeshPoint, mesh_point, triangle_coordinates};
        import package::ground::placement::sobol_owen_2d;
        struct Input { corners: array<MeshVertex, 24>, cdf: array<u32, 8>, rank: u32, seed: u32, count: u32, pad: u32 }
        struct Output { point: MeshPoint }
        fn evaluate(input: Input) -> Output {
            var i = input;
            let p = sobol_owen_2d(i.rank, i.seed);
            var low = 0u;
            var high = i.count - 1u;
            while (low < high) {
                let middle = (low + high) / 2u;
                if (p.x < i.cdf[middle]) { high = middle; } else { low = middle + 1u; }
            }
            var start = 0u;
            if (low > 0u) { start = i.cdf[low - 1u]; }
            let t = 3u * low;
            let weights = triangle_coordinates(p.x, start, i.cdf[low], p.y);
            return Output(mesh_point(i.corners[t], i.corners[t + 1u], i.corners[t + 2u], weights));
        }";
    let mesh =
        load(&[sphere(16, 8, true), square()], r#"[{"mesh":0,"children":[1]},{"mesh":1,"translation":[0,-1,0]}]"#);
    let patches = mesh.patches(&PatchOptions { max_area: 0.4, max_triangles: 8 });
    let cases: Vec<(usize, u32, u32)> =
        (0..5000).map(|i| (i as usize % patches.patches.len(), i / 7, (random(i, 1, 0.0, 1e6)) as u32)).collect();
    let inputs: Vec<Input> = cases
        .iter()
        .map(|&(patch, rank, seed)| {
            let patch = patches.patches[patch];
            let (first, count) = (patch.first as usize, patch.count as usize);
            let mut input = Input { rank, seed, count: patch.count, ..Input::zeroed() };
            input.corners[..3 * count].copy_from_slice(&patches.vertices[3 * first..3 * (first + count)]);
            input.cdf[..count].copy_from_slice(&patches.cdf[first..first + count]);
            input
        })
        .collect();
    let outputs: Vec<[f32; 8]> = Twin::open().evaluate(&MODULES, root, &inputs);
    for (&(patch, rank, seed), output) in cases.iter().zip(outputs) {
        let expected = patches.point(patch, rank, seed);
        let position = Vec3::new(output[0], output[1], output[2]);
        let normal = Vec3::new(output[4], output[5], output[6]);
        assert!((position - expected.position).length() < 2e-6, "{position} {}", expected.position);
        assert!((normal - expected.normal).length() < 2e-6, "{normal} {}", expected.normal);
    }
}
