//! `anemone render`: a scene to a PNG picture.

use std::time::Instant;

use anemone::{Camera, Engine, Options, RasterWidth, Window};
use anemone_scene::Scene;

use crate::args::RenderArgs;
use crate::device::Gpu;
use crate::failure::Failure;
use crate::notes;
use crate::output::say;
use crate::picture::{self, Picture, Shot};
use crate::progress::Progress;
use crate::target::Target;

pub fn run(args: &RenderArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let scene = args.scene.load()?;
    let (_, camera) = scene.camera(args.scene.camera.as_deref())?;
    let size = args.scene.size.unwrap_or(scene.render.size);
    let samples = args.samples.unwrap_or(scene.render.samples);
    let time = args.time.unwrap_or(scene.render.time);
    let world = scene.world(time)?;
    let camera = scene.place_camera(camera, &world);
    picture::refuse_too_wide(&camera, size)?;
    let cull_camera = match &args.cull_camera {
        Some(name) => Some(scene.camera(Some(name))?.1),
        None => None,
    };
    let cull_camera = cull_camera.map(|camera| scene.place_camera(camera, &world));
    let target = Target::find(&args.output)?;
    target.is_not(&args.scene.scene)?;
    if let Some(file) = scene.ground.file() {
        target.is_not(&file.path)?;
    }
    for map in scene.populations.values().filter_map(|population| population.growth.map.as_ref()) {
        target.is_not(&map.file.path)?;
    }

    let gpu = Gpu::open(args.scene.adapter.as_deref())?;
    let settings = scene.render.quality.settings();
    let options = Options { width: args.scene.narrow.then_some(RasterWidth::Narrow), ..settings.options() };
    let engine = Engine::new(&gpu.device, &gpu.queue, world, options);
    let mut engine = engine.map_err(|error| Failure::of_world(&error, &scene))?;
    gpu.wait()?;
    settle(&gpu, &mut engine, &scene, &cull_camera.unwrap_or(camera), size, time)?;

    if !args.quiet {
        notes::print(&scene, &engine, &gpu);
    }
    let parts = picture::windows(size, anemone::most_pixels(&gpu.device)).len();
    let shutter = args.shutter.unwrap_or(scene.render.shutter);
    let shot = Shot { scene: &scene, camera, cull_camera, size, samples, shutter };
    let mut progress = Progress::new(args.quiet, samples, parts);
    let picture = picture::draw(&gpu, &mut engine, &shot, || progress.step())?;
    progress.finish();
    let counts = gpu.counts(&engine)?;
    // Encoded before a file is made, so that an interrupt while encoding leaves nothing behind.
    let bytes =
        encode_png(&picture).map_err(|error| Failure::Machine(format!("{}: not written: {error}", target.name())))?;
    target.write(&bytes)?;
    if !args.quiet {
        let (stored, _) = engine.stored();
        say!("{}", target.name());
        say!("adapter  {}, raster {}", gpu.name(), engine.raster_width());
        say!(
            "bodies   {stored} stored, {} tested, {} passed the culls, {} visible in {} segments",
            counts.tested,
            counts.items,
            counts.drawn,
            counts.primitives
        );
        let plural = if samples == 1 { "" } else { "s" };
        say!("picture  {}×{}, {samples} sample{plural}, {:.1} s", size[0], size[1], start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Lets obstacles leave their traces: bodies move through the scene's settling time before the picture. Without obstacles
/// there is nothing to remember, for blades take the pose of the moment.
fn settle(
    gpu: &Gpu,
    engine: &mut Engine,
    scene: &Scene,
    camera: &Camera,
    size: [u32; 2],
    time: f64,
) -> Result<(), Failure> {
    if scene.colliders.is_empty() {
        engine.start_at(time);
        return Ok(());
    }
    let steps = (scene.render.settle * SETTLE_RATE).ceil() as u32;
    let dt = scene.render.settle / f64::from(steps.max(1));
    engine.start_at(time - scene.render.settle);
    let window = Window::whole(size);
    for step in 0..=steps {
        if step > 0 {
            engine.advance(dt);
        }
        let colliders = scene.colliders_at(engine.time(), engine.world());
        engine.set_colliders(colliders)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        engine.simulate(&mut encoder, camera, &window);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
    }
    Ok(())
}

/// Steps a second in which obstacles are followed before the picture.
const SETTLE_RATE: f64 = 60.0;

fn encode_png(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.size[0], picture.size[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb)?;
    writer.finish()?;
    Ok(bytes)
}
