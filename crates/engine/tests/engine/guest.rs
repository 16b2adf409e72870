//! In a host's frame: bodies hide the host's things and are hidden by them, depth comes out as it went in, and the host's maps
//! hold the bodies' outlines.

use anemone::cull::reference::tiles;
use anemone::field::space::Position;
use anemone::glam::camera::rh::proj::directx::{perspective, perspective_infinite_reverse};
use anemone::glam::dcamera::rh::proj::directx::orthographic;
use anemone::glam::dcamera::rh::view::look_at_mat4;
use anemone::glam::{DMat4, DVec2, DVec3, Mat4, Vec3, Vec4};
use anemone::motion::blade::{blade_pose, blade_unpack, blade_unpack_state};
use anemone::probe::Probe;
use anemone::terrain::height::Ground;
use anemone::{Camera, Caster, Cull, Drawing, Facing, Host, Population, Shape, Surfaces, Timing, Window, wgpu};

use crate::golden::{SIZE, compare};
use crate::host_scene::{FORMAT, HostScene};
use crate::support::{Drawn, gpu, gusts, half, lawn, look, world};

fn meadow() -> Drawn {
    let mut world = world(Ground::plane(0.0), vec![Population { height: [0.12, 0.3], ..lawn(4.0, 20_000) }]);
    world.wind = gusts(4.0);
    gpu().engine(world, Default::default())
}

#[test]
fn a_meadow_joins_a_hosts_frame() {
    let Drawn { mut engine, .. } = meadow();
    let mut scene = HostScene::new(&gpu().device, SIZE, &engine);
    let picture = gpu().target(SIZE, FORMAT);
    for _ in 0..3 {
        engine.advance(1.0 / 60.0);
        gpu().submit(|encoder| {
            scene.draw(encoder, &mut engine, &picture.create_view(&Default::default())).expect("the window fits");
        });
    }
    let rgb: Vec<u8> = gpu().texels::<[u8; 4]>(&picture).into_iter().flat_map(|[r, g, b, _]| [r, g, b]).collect();
    compare("host_scene", &rgb);

    // Depth: what the host drew where it shows, what the meadow drew where that is nearer, and never farther than before.
    let composed: Vec<f32> = gpu().texels(scene.view.host.as_ref().expect("it has one").depth.texture());
    let [opaque, partial] = scene.view.visibility().expect("it is drawn");
    let (opaque, partial): (Vec<[u32; 2]>, Vec<[u32; 2]>) = (gpu().read(opaque), gpu().read(partial));
    let (mut host, mut bodies) = (0, 0);
    for ((depth, nearest), before) in composed.iter().zip(&opaque).zip(&partial) {
        let of = |word: u32| f64::from(word) / 2_f64.powi(31);
        if before[1] > nearest[1] {
            continue;
        }
        host += usize::from(nearest[0] == 1);
        bodies += usize::from(nearest[0] >= 128);
        assert!((f64::from(*depth) - of(nearest[1])).abs() <= 1e-6 * of(nearest[1]), "{depth}, {nearest:?}");
    }
    eprintln!("{host} pixels of the host's, {bodies} of bodies");
    assert!(host > 5_000 && bodies > 200);
}

#[test]
fn a_hosts_camera_is_what_its_matrices_say() {
    let eye = DVec3::new(1e5 + 0.3, 2.0, -7.0);
    let to_view = look_at_mat4(eye, eye + DVec3::new(-0.4, -0.3, -1.0), DVec3::Y);
    for projection in [
        perspective_infinite_reverse(0.8, 1.5, 0.05),
        perspective(0.8, 1.5, 0.05, 300.0),
        perspective(0.8, 1.5, 300.0, 0.05),
    ] {
        let camera = Camera::of_host(to_view, projection).expect("a perspective");
        assert!((camera.near - 0.05).abs() < 1e-4 && camera.eye.distance(eye) < 1e-6, "{camera:?}");
        let [right, up, forward] = camera.axes();
        let half = (0.5 * camera.fov).tan();
        for beside in [Vec3::new(0.3, 0.1, 2.0), Vec3::new(-1.0, 0.4, 5.0), Vec3::new(0.0, -0.7, 1.5)] {
            let point = eye + (right * beside.x + up * beside.y + forward * beside.z).as_dvec3();
            let clip = projection * Vec4::from((to_view.transform_point3(point).as_vec3(), 1.0));
            let wanted = Vec3::new(clip.x, clip.y, 0.0) / clip.w;
            let found = Vec3::new(beside.x / 1.5, beside.y, 0.0) / (half * beside.z);
            assert!(wanted.distance(found) < 1e-5, "{wanted} {found}");
        }
    }
    assert!(Camera::of_host(to_view, Mat4::IDENTITY).is_none(), "an orthographic projection");
}

/// Casts a world's bodies into a map; whether each texel is covered.
fn casted(engine: &mut Drawn, camera: &Camera, clip: DMat4, side: u32) -> Vec<bool> {
    let map = gpu().target([side, side], wgpu::TextureFormat::Depth32Float);
    let view = map.create_view(&Default::default());
    let device = &gpu().device;
    let less = wgpu::CompareFunction::Less;
    let caster = Caster::new(device, wgpu::TextureFormat::Depth32Float, less, Default::default());
    (engine.view.camera, engine.view.window) = (*camera, Window::whole([64, 64]));
    gpu().submit(|encoder| {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        let Drawn { engine, view: of_engine } = engine;
        engine.cast(of_engine, encoder, &caster, clip, &view);
    });
    gpu().texels::<f32>(&map).into_iter().map(|depth| depth < 1.0).collect()
}

#[test]
fn casted_outlines_are_the_curves_to_a_texel() {
    let blades = Population {
        shape: Shape::Quad,
        facing: Facing::Cull,
        height: [0.6, 0.9],
        width: [0.06, 0.08],
        cull: Cull { occlusion: false, ..Cull::ALL },
        ..lawn(1.5, 6)
    };
    let mut engine = gpu().engine(world(Ground::plane(0.0), vec![blades]), Default::default());
    engine.advance(0.1);
    // The camera looks away: what it does not see throws shadows all the same.
    let camera = look([0.0, 0.5, 2.0], [0.0, 0.5, 4.0]);
    let (side, half) = (256_u32, 1.6);
    let clip = orthographic(-half, half, -half, half, 1.0, 20.0)
        * look_at_mat4(DVec3::new(6.0, 5.0, 3.0), DVec3::new(0.0, 0.3, 0.0), DVec3::Y);
    let covered = casted(&mut engine, &camera, clip, side);
    let to_texel = |point: DVec3| {
        let q = clip.project_point3(point);
        DVec2::new(0.5 + 0.5 * q.x, 0.5 - 0.5 * q.y) * f64::from(side)
    };
    // The blades as they stand, as fine quadrilaterals.
    let bodies = gpu().bodies(&engine);
    let mut quads = Vec::new();
    for (_, first, count, corner, extent) in tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles))).boxes() {
        for body in &bodies[first as usize..(first + count) as usize] {
            let blade = blade_unpack(*body, Vec3::ZERO, extent);
            let root = Position { local: corner.local + blade.root, ..corner }.to_metres();
            let pose = blade_pose(blade.up, blade.height, blade_unpack_state(*body).tip, 0);
            let beside = blade.side().as_dvec3() * (0.5 * f64::from(blade.width));
            let at = |i: u32| {
                let v = f64::from(i) / 200.0;
                let [b, c] = [pose.guide, pose.tip].map(Vec3::as_dvec3);
                let middle = root + DVec3::ZERO.lerp(b, v).lerp(b.lerp(c, v), v);
                [to_texel(middle - beside), to_texel(middle + beside)]
            };
            quads.extend((0..200).map(|i| [at(i), at(i + 1)]));
        }
    }
    // Signed distance to the nearest of them: inside, or how far to the nearest edge.
    let distance = |p: DVec2| {
        let mut nearest = f64::INFINITY;
        for [[a, b], [d, c]] in &quads {
            let turn = |from: &DVec2, to: &DVec2| (*to - *from).perp_dot(p - *from);
            let signs = [turn(a, b), turn(b, c), turn(c, d), turn(d, a)];
            if signs.iter().all(|&s| s >= 0.0) || signs.iter().all(|&s| s <= 0.0) {
                return 0.0;
            }
            for (from, to) in [(a, b), (b, c), (c, d), (d, a)] {
                let along = ((p - *from).dot(*to - *from) / (*to - *from).length_squared().max(1e-12)).clamp(0.0, 1.0);
                nearest = nearest.min(p.distance(from.lerp(*to, along)));
            }
        }
        nearest
    };
    let (mut inside, mut outside, mut missed) = (0, 0.0_f64, 0);
    for (i, &is_covered) in covered.iter().enumerate() {
        let p = DVec2::new(f64::from(i as u32 % side) + 0.5, f64::from(i as u32 / side) + 0.5);
        let away = distance(p);
        if is_covered {
            inside += 1;
            outside = outside.max(away);
        } else if away == 0.0 {
            // A texel of the curve itself that is not covered must lie at its rim: some neighbour half a texel off is free.
            let rim = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y].into_iter().any(|step| distance(p + step) > 0.0);
            missed += usize::from(!rim);
        }
    }
    eprintln!("{inside} texels covered, by {outside:.3} texels outside of the curve at most, {missed} missed");
    assert!(inside > 500 && outside < 1.0 && missed == 0);
}

/// Four targets and a depth of a host's, after a view has written its surfaces.
fn surfaces(engine: &mut Drawn, camera: &Camera, size: [u32; 2]) -> [Vec<[f32; 4]>; 4] {
    let device = &gpu().device;
    let depth = gpu().target(size, wgpu::TextureFormat::Depth32Float).create_view(&Default::default());
    let projection = perspective_infinite_reverse(camera.fov, size[0] as f32 / size[1] as f32, camera.near);
    let host = Host { depth: depth.clone(), sample_count: 1, projection, ground: true, sky: false, shadow: None };
    let targets = Surfaces::FORMATS.map(|format| gpu().target(size, format));
    let views = targets.each_ref().map(|target| target.create_view(&Default::default()));
    let writer = Surfaces::new(device, wgpu::TextureFormat::Depth32Float);
    let Drawn { engine, view } = engine;
    (view.camera, view.window) = (*camera, Window::whole(size));
    (view.host, view.drawing) = (Some(host), Drawing::Surfaces);
    let clear = |view| wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store },
    };
    let depths = |load| wgpu::RenderPassDepthStencilAttachment {
        view: &depth,
        depth_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
        stencil_ops: None,
    };
    gpu().submit(|encoder| {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(depths(wgpu::LoadOp::Clear(0.0))),
            ..Default::default()
        });
        engine.draw(view, encoder, Timing::None).expect("the window fits");
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &views.each_ref().map(|view| Some(clear(view))),
            depth_stencil_attachment: Some(depths(wgpu::LoadOp::Load)),
            ..Default::default()
        });
        engine.write_surfaces(view, &mut pass, &writer);
    });
    let unorm = |[r, g, b, a]: [u8; 4]| [r, g, b, a].map(|code| f32::from(code) / 255.0);
    let halves = |words: &[u16]| words.iter().map(|&word| half(word)).collect::<Vec<f32>>();
    let wide: Vec<u16> = bytemuck::cast_slice(&gpu().bytes_of(&targets[1], 8)).to_vec();
    let pairs: Vec<u16> = bytemuck::cast_slice(&gpu().bytes_of(&targets[3], 4)).to_vec();
    [
        gpu().texels::<[u8; 4]>(&targets[0]).into_iter().map(unorm).collect(),
        halves(&wide).chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect(),
        gpu().texels::<[u8; 4]>(&targets[2]).into_iter().map(unorm).collect(),
        halves(&pairs).chunks_exact(2).map(|c| [c[0], c[1], 0.0, 0.0]).collect(),
    ]
}

#[test]
fn surfaces_are_leaves_and_earth() {
    let mut engine = meadow();
    let size = [192, 108];
    let camera = look([0.0, 0.5, 1.6], [0.0, 0.1, 0.0]);
    surfaces(&mut engine, &camera, size);
    engine.advance(0.4);
    surfaces(&mut engine, &camera, size);
    engine.advance(0.1);
    let found = surfaces(&mut engine, &camera, size);
    let [opaque, partial] = engine.view.visibility().expect("it is drawn");
    let (opaque, partial): (Vec<[u32; 2]>, Vec<[u32; 2]>) = (gpu().read(opaque), gpu().read(partial));
    let [albedo, normal, through, motion] = found;
    let (mut bodies, mut earth, mut sky, mut moving) = (0, 0, 0, 0);
    for i in 0..opaque.len() {
        if partial[i][1] > opaque[i][1] {
            continue;
        }
        let [nx, ny, nz, rough] = normal[i];
        let length = Vec3::new(nx, ny, nz).length();
        match opaque[i] {
            [_, 0] => {
                sky += 1;
                assert_eq!((albedo[i], length), ([0.0; 4], 0.0), "the sky is the host's");
            }
            [payload, _] if payload < 128 => {
                earth += 1;
                assert!((length - 1.0).abs() < 2e-3 && ny > 0.999 && through[i] == [0.0; 4], "{:?}", normal[i]);
                // Linear 0.12, 0.08, 0.05 as codes.
                assert!(
                    (albedo[i][0] - 0.3815).abs() < 0.01 && (albedo[i][2] - 0.2478).abs() < 0.01,
                    "{:?}",
                    albedo[i]
                );
            }
            _ => {
                bodies += 1;
                assert!((length - 1.0).abs() < 2e-3 && rough > 0.2 && through[i][3] == 1.0);
                let [r, g, b, open] = albedo[i];
                assert!(g > b && g < 0.9 && r < 0.9 && open > 0.05 && open <= 1.0, "{:?}", albedo[i]);
                moving += usize::from(motion[i][0].abs() > 0.02);
            }
        }
    }
    eprintln!("{bodies} pixels of bodies, {moving} of them moving, {earth} of earth, {sky} of sky");
    assert!(bodies > 200 && earth > 300 && sky > 300 && moving > bodies / 4);
}
