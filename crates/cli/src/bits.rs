//! `anemone bits`: hashes of everything that a drawing leaves behind, to show that a change leaves pictures equal to the bit.

use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use anemone::probe::Probe;
use anemone::{Engine, Options, RasterWidth, Timing, View, Window};

use crate::args::Bits;
use crate::device::Gpu;
use crate::failure::Failure;
use crate::output::{say, shown};

/// Drawings of each camera. The first hides nothing; the second hides what bodies hide and has motion; the third adds a
/// sample to it.
const DRAWINGS: [(f64, u32); 3] = [(0.0, 0), (1.0 / 30.0, 0), (0.0, 1)];

pub fn run(args: &Bits) -> Result<(), Failure> {
    let gpu = Gpu::open(args.adapter.as_deref())?;
    say!("{}", gpu.name());
    for scene in &args.scenes {
        for width in [RasterWidth::Wide, RasterWidth::Narrow] {
            if anemone::raster_width(gpu.device.features()) == width || width == RasterWidth::Narrow {
                draw(&gpu, scene, width, args.size)?;
            }
        }
    }
    Ok(())
}

/// Prints a line for each camera and drawing of a scene: scene, camera, width, drawing, and the hash of each buffer by name.
fn draw(gpu: &Gpu, path: &Path, width: RasterWidth, size: [u32; 2]) -> Result<(), Failure> {
    let scene = anemone_scene::load::<&str>(path, &[])?;
    let settings = scene.render.quality.settings();
    let options = Options { width: Some(width), ..settings.options() };
    let name = match width {
        RasterWidth::Wide => "wide",
        RasterWidth::Narrow => "narrow",
    };
    for (camera_name, camera) in &scene.cameras {
        let world = scene.world(scene.render.time)?;
        let start = scene.camera_at(camera, scene.render.time, &world);
        let engine = Engine::new(&gpu.device, &gpu.queue, world, options);
        let mut engine = engine.map_err(|error| Failure::of_world(&error, &scene))?;
        scene.start(&mut engine, scene.render.time)?;
        let mut view = View::new(start, Window::whole(size));
        view.motion = true;
        for (index, (seconds, sample)) in DRAWINGS.into_iter().enumerate() {
            engine.advance(seconds);
            scene.follow(&mut engine)?;
            view.camera = scene.camera_at(camera, engine.time(), engine.world());
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            engine.draw_sample(&mut view, &mut encoder, sample, Timing::None)?;
            gpu.queue.submit([encoder.finish()]);
            gpu.wait()?;
            let mut line = format!("{} {camera_name} {name} {}", shown(path), index + 1);
            for (what, hash) in hashes(gpu, &engine, &view)? {
                line.push_str(&format!(" {what}={hash:016x}"));
            }
            say!("{line}");
        }
    }
    Ok(())
}

/// The hash of each buffer that the picture is made from or that the next one depends on.
fn hashes(gpu: &Gpu, engine: &Engine, view: &View) -> Result<Vec<(&'static str, u64)>, Failure> {
    let mut buffers = vec![
        ("thickness", view.probe(Probe::Thickness)),
        ("light", view.probe(Probe::Light)),
        ("bodies", engine.probe(Probe::Bodies)),
        ("shadows", engine.probe(Probe::Shadows)),
    ];
    if let Some([opaque, partial]) = view.visibility() {
        buffers.extend([("opaque", opaque), ("partial", partial)]);
    }
    buffers.extend(view.motion_buffer().map(|motion| ("motion", motion)));
    buffers.into_iter().map(|(name, buffer)| Ok((name, hash(&gpu.read(buffer)?)))).collect()
}

/// Compared only between runs of programs that one toolchain has built, so the standard library's hash will do.
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
