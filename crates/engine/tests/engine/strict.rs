//! The whole frame on WebGPU's base tier: default limits, no features, no leniency.

use anemone::glam::DVec3;
use anemone::terrain::height::Ground;
use anemone::{Engine, Error, Options, Pipelines, Placement, Population, RasterWidth, Window, wgpu};

use crate::support::{Drawn, Gpu, gpu, lawn, look, sphere, world};

#[test]
fn a_device_with_default_limits_draws_the_same_picture() {
    let strict = Gpu::open(wgpu::InstanceFlags::STRICT_WEBGPU_COMPLIANCE, |_| {
        (wgpu::Features::empty(), wgpu::Limits::default())
    });
    assert!(strict.device.features().is_empty(), "{:?}", strict.device.features());
    assert_eq!(strict.device.limits().max_storage_buffers_per_shader_stage, 8);
    let scene = || world(Ground::hills(2), vec![lawn(8.0, 6000)]);
    let (camera, window) = (look([0.0, 0.6, 5.0], [0.0, 0.0, 0.0]), Window::whole([160, 90]));
    let draw = |gpu: &Gpu| {
        let ground = Ground::hills(2).height(anemone::field::space::Position::from_metres(camera.eye));
        let mut camera = camera;
        camera.eye.y += f64::from(ground);
        let mut engine = gpu.engine(scene(), Options::default());
        gpu.draw(&mut engine, &camera, &window, 2);
        (engine.raster_width(), gpu.layers(&engine))
    };
    let (width, narrow) = draw(&strict);
    assert_eq!(width, RasterWidth::Narrow);
    assert!(narrow.bodies() + narrow.partials() > 500, "{} and {}", narrow.bodies(), narrow.partials());
    let (width, wide) = draw(gpu());
    if width == RasterWidth::Wide {
        narrow.assert_equal(&wide, "strict device");
    } else {
        eprintln!("SKIPPED: {} has no 64-bit atomics to compare with", gpu().info.name);
    }
}

#[test]
fn a_mesh_too_large_for_a_device_is_an_answer() {
    let small = Gpu::open(wgpu::InstanceFlags::default(), |_| {
        let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 18, ..wgpu::Limits::default() };
        (wgpu::Features::empty(), limits)
    });
    let on_sphere = || Population { placement: Placement::Surface { count: 5_000 }, ..lawn(1.0, 1) };
    let engine = |world| Engine::new(&small.device, &small.queue, world, Options::default());
    let fits = engine(world(Ground::plane(0.0), vec![lawn(1.0, 5_000)]));
    assert!(fits.is_ok(), "5,000 bodies take 160 kB");
    match engine(sphere(DVec3::ZERO, vec![on_sphere()])).map(|_| ()) {
        Err(Error::TooLargeMesh { triangles, need, limit, .. }) => assert!(triangles > 1_000 && need > limit),
        other => panic!("{other:?}"),
    }
}

#[test]
fn pipelines_are_shared_warmed_and_kept() {
    let gpu = Gpu::open(wgpu::InstanceFlags::default(), |adapter| {
        let cache = adapter.features() & wgpu::Features::PIPELINE_CACHE;
        (anemone::required_features(adapter.features()) | cache, anemone::required_limits(adapter))
    });
    let cache = gpu.device.features().contains(wgpu::Features::PIPELINE_CACHE).then(|| {
        let descriptor = wgpu::PipelineCacheDescriptor { label: None, data: None, fallback: true };
        #[allow(unsafe_code, reason = "data that is wrong would be undefined behaviour, and there is none")]
        // SAFETY: there is no data.
        unsafe {
            gpu.device.create_pipeline_cache(&descriptor)
        }
    });
    let pipelines = Pipelines::with_cache(&gpu.device, None, cache.clone()).expect("the device runs the engine");
    pipelines.warm();
    let (camera, window) = (look([0.0, 0.6, 3.0], [0.0, 0.0, 0.0]), Window::whole([64, 40]));
    let scene = || world(Ground::plane(0.0), vec![lawn(2.0, 800)]);
    let draw = |engine: Result<Engine, Error>| {
        let mut drawn = Drawn::new(engine.expect("the world fits the device"));
        gpu.draw(&mut drawn, &camera, &window, 1);
        (gpu.layers(&drawn), drawn.engine.pipelines())
    };
    let options = Options { shadow_texels: Some(128), ..Options::default() };
    let (cold, own) = draw(Engine::new(&gpu.device, &gpu.queue, scene(), options));
    assert!(cold.bodies() + cold.partials() > 100, "{} and {}", cold.bodies(), cold.partials());
    for shared in [pipelines, own] {
        let (warm, _) = draw(Engine::with_pipelines(&shared, &gpu.queue, scene(), options));
        warm.assert_equal(&cold, "shared pipelines");
    }
    if let Some(cache) = cache {
        // A driver may have nothing to keep, but it has a header.
        assert!(cache.get_data().is_none_or(|data| data.len() >= 16));
    }
}
