//! `anemone render`: a scene to a picture; a film goes to `film.rs`.

use std::time::Instant;

use anemone::{Engine, Window};

use crate::args::RenderArgs;
use crate::device::Gpu;
use crate::failure::Failure;
use crate::film;
use crate::job::Job;
use crate::movie;
use crate::notes;
use crate::output::say;
use crate::picture::{self, Format, Painter};
use crate::progress::Progress;
use crate::target::Target;

pub fn run(args: &RenderArgs) -> Result<(), Failure> {
    if args.frames.is_some() || movie::Kind::of(&args.output).is_some() {
        return film::run(args);
    }
    let start = Instant::now();
    let mut job = Job::read(args)?;
    let target = Target::find(&args.output, Format::ENDS)?;
    job.spares_its_sources(&target, args)?;

    let gpu = Gpu::open(args.scene.adapter.as_deref())?;
    let mut engine = job.engine(&gpu)?;
    let (size, samples) = (job.scene.render.size, job.scene.render.samples);
    settle(&gpu, &mut engine, &job)?;

    if !args.quiet {
        notes::print(&job.scene, &engine, &gpu);
    }
    let mut painter = Painter::new(&gpu, job.shot())?;
    let parts = picture::windows(size, anemone::most_pixels(&gpu.device)).len();
    let mut progress = Progress::of_picture(args.quiet, samples, parts);
    // Encoded before a file is made, so that an interrupt while encoding leaves nothing behind.
    let bytes = painter.draw_file(&gpu, &mut engine, &target, None, || {
        progress.step();
        Ok(())
    })?;
    progress.finish();
    let counts = gpu.counts(&engine)?;
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
fn settle(gpu: &Gpu, engine: &mut Engine, job: &Job) -> Result<(), Failure> {
    let (scene, render) = (&job.scene, &job.scene.render);
    if scene.colliders.is_empty() {
        return Ok(scene.start(engine, render.time)?);
    }
    // One step at least: without time, obstacles would press nothing.
    let settle = render.settle.max(1.0 / SETTLE_RATE);
    let steps = (settle * SETTLE_RATE).ceil() as u32;
    let dt = settle / f64::from(steps);
    scene.start(engine, render.time - settle)?;
    let window = Window::whole(render.size);
    for step in 0..=steps {
        if step > 0 {
            engine.advance(dt);
        }
        scene.follow(engine)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        engine.simulate(&mut encoder, &job.culls_from(engine), &window);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
    }
    Ok(())
}

/// Steps a second in which obstacles are followed before the picture.
const SETTLE_RATE: f64 = 60.0;
