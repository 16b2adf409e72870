//! `anemone bench`: how long frames take, and what is in them.

use std::collections::BTreeMap;
use std::time::Instant;

use anemone::wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};
use anemone::{Camera, Counts, Engine, Options, Presenter, RasterWidth, Timing, View, Window, wgpu};
use anemone_scene::{Camera as SceneCamera, Quality, Scene};
use serde::Serialize;

use crate::args::Bench;
use crate::device::Gpu;
use crate::failure::Failure;
use crate::notes;
use crate::output::{say, tell};
use crate::picture::{FORMAT, refuse_too_wide};

/// What a bench says. Times in milliseconds.
#[derive(Serialize)]
struct Report {
    /// Median of the wall time from encoding a frame to its end on the GPU.
    frame_ms: f64,
    /// Median of the time on the GPU from the first pass's start to the last one's end, by its own clock.
    gpu_ms: Option<f64>,
    /// Median of each pass by the GPU's clock; on a software driver by the wall clock, each submitted alone. A pass that a
    /// frame has twice, for small and big segments, counts both.
    passes: BTreeMap<String, f64>,
    stored: u64,
    tested: u32,
    passed: u32,
    visible: u32,
    primitives: u32,
    covered_pixels: u64,
    covered_share: f64,
    pixels_per_body: f64,
    dropped: u32,
    bytes_per_body: u64,
    bytes_in_all: u64,
    adapter: String,
    driver: String,
    raster: String,
    size: [u32; 2],
    frames: u32,
    quality: &'static str,
}

/// The time that passes between frames, s.
const FRAME: f64 = 1.0 / 60.0;

pub fn run(args: &Bench) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    let (_, camera) = scene.camera(args.scene.camera.as_deref())?;
    let size = args.scene.size.unwrap_or(scene.render.size);
    let world = scene.world(scene.render.time)?;
    let start = scene.camera_at(camera, scene.render.time, &world);
    let gpu = Gpu::open(args.scene.adapter.as_deref())?;
    refuse_too_large(&gpu, size)?;
    refuse_too_wide(&start, size)?;
    let options = Options {
        width: args.scene.narrow.then_some(RasterWidth::Narrow),
        always_awake: args.always_awake,
        ..scene.render.quality.settings().options()
    };
    let engine = Engine::new(&gpu.device, &gpu.queue, world, options);
    let mut engine = engine.map_err(|error| Failure::of_world(&error, &scene))?;
    gpu.wait()?;
    notes::print(&scene, &engine, &gpu);
    scene.start(&mut engine, scene.render.time)?;
    let mut measure = Measure::new(&gpu, start, size)?;
    for _ in 0..args.frames.div_ceil(4).max(3) {
        measure.frame(&gpu, &mut engine, &scene, camera)?;
    }
    measure.clear();
    for _ in 0..args.frames {
        measure.frame(&gpu, &mut engine, &scene, camera)?;
    }
    let report = measure.report(&gpu, &engine, args.frames, scene.render.quality)?;
    if args.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::Machine(error.to_string()))?;
        say!("{text}");
    } else {
        print(&report)?;
    }
    Ok(())
}

/// Refuses a picture that cannot be drawn at once, as a bench does.
fn refuse_too_large(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<(), Failure> {
    let (most, side) = (anemone::most_pixels(&gpu.device), gpu.device.limits().max_texture_dimension_2d);
    if u64::from(width) * u64::from(height) <= most && width.max(height) <= side {
        return Ok(());
    }
    Err(Failure::Mistake(format!(
        "a picture of {width}×{height} pixels cannot be measured: a bench draws it at once, and {} draws at most {most} \
         pixels so, no side above {side}: give a smaller --size",
        gpu.info.name
    )))
}

/// Frames measured so far.
struct Measure {
    view: View,
    target: wgpu::TextureView,
    presenter: Presenter,
    profiler: GpuProfiler,
    /// On a software driver passes are timed by the wall clock, for its own clock tells little.
    software: bool,
    period: f32,
    frames: Vec<f64>,
    spans: Vec<f64>,
    passes: BTreeMap<String, Vec<f64>>,
}

impl Measure {
    fn new(gpu: &Gpu, camera: Camera, size: [u32; 2]) -> Result<Self, Failure> {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("bench"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let profiler = GpuProfiler::new(&gpu.device, GpuProfilerSettings::default())
            .map_err(|error| Failure::Machine(format!("no timer: {error}")))?;
        Ok(Self {
            view: View::new(camera, Window::whole(size)),
            target: texture.create_view(&Default::default()),
            presenter: Presenter::new(&gpu.device, FORMAT),
            profiler,
            software: gpu.info.device_type == wgpu::DeviceType::Cpu,
            period: gpu.queue.get_timestamp_period(),
            frames: Vec::new(),
            spans: Vec::new(),
            passes: BTreeMap::new(),
        })
    }

    fn clear(&mut self) {
        self.frames.clear();
        self.spans.clear();
        self.passes.clear();
    }

    fn frame(&mut self, gpu: &Gpu, engine: &mut Engine, scene: &Scene, camera: &SceneCamera) -> Result<(), Failure> {
        engine.advance(FRAME);
        scene.follow(engine)?;
        self.view.camera = scene.camera_at(camera, engine.time(), engine.world());
        let start = Instant::now();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        if self.software {
            self.draw_apart(gpu, engine, &mut encoder)?;
        } else {
            engine.draw(&mut self.view, &mut encoder, Timing::Gpu(&self.profiler))?;
        }
        engine.present(&self.view, &mut encoder, &self.presenter, &self.target);
        self.profiler.resolve_queries(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait()?;
        self.frames.push(start.elapsed().as_secs_f64() * 1e3);
        self.profiler.end_frame().map_err(|error| Failure::Machine(format!("the timer failed: {error}")))?;
        gpu.wait()?;
        if let Some(queries) = self.profiler.process_finished_frame(self.period) {
            self.note(&queries);
        }
        Ok(())
    }

    /// Draws with a submission for each pass, and notes the wall time of each.
    fn draw_apart(
        &mut self,
        gpu: &Gpu,
        engine: &mut Engine,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), Failure> {
        let mut times: BTreeMap<&'static str, f64> = BTreeMap::new();
        let mut before = Instant::now();
        let mut fault = Ok(());
        let mut watch = |label: &'static str, encoder: &mut wgpu::CommandEncoder| {
            let next = gpu.device.create_command_encoder(&Default::default());
            gpu.queue.submit([std::mem::replace(encoder, next).finish()]);
            if fault.is_ok() {
                fault = gpu.wait();
            }
            *times.entry(label).or_default() += before.elapsed().as_secs_f64() * 1e3;
            before = Instant::now();
        };
        engine.draw(&mut self.view, encoder, Timing::Wall(&mut watch))?;
        for (label, time) in times {
            self.passes.entry(label.to_owned()).or_default().push(time);
        }
        fault
    }

    fn note(&mut self, queries: &[GpuTimerQueryResult]) {
        let mut passes: BTreeMap<String, f64> = BTreeMap::new();
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        for query in queries {
            if let Some(time) = &query.time {
                *passes.entry(query.label.clone()).or_default() += (time.end - time.start) * 1e3;
                first = first.min(time.start);
                last = last.max(time.end);
            }
        }
        if last > first {
            self.spans.push((last - first) * 1e3);
        }
        for (label, time) in passes {
            self.passes.entry(label).or_default().push(time);
        }
    }

    fn report(&mut self, gpu: &Gpu, engine: &Engine, frames: u32, quality: Quality) -> Result<Report, Failure> {
        let counts: Counts = gpu.counts(engine)?;
        let covered = covered(gpu, &self.view)?;
        let (stored, bytes_per_body) = engine.stored();
        let pixels = u64::from(self.view.window.size[0]) * u64::from(self.view.window.size[1]);
        Ok(Report {
            frame_ms: median(&mut self.frames).unwrap_or_default(),
            gpu_ms: median(&mut self.spans),
            passes: self.passes.iter_mut().filter_map(|(label, times)| Some((label.clone(), median(times)?))).collect(),
            stored,
            tested: counts.tested,
            passed: counts.items,
            visible: counts.drawn,
            primitives: counts.primitives,
            covered_pixels: covered,
            covered_share: covered as f64 / pixels as f64,
            pixels_per_body: covered as f64 / f64::from(counts.drawn.max(1)),
            dropped: counts.dropped + counts.rows_dropped + counts.sun_dropped,
            bytes_per_body,
            bytes_in_all: engine.bytes() + self.view.bytes(),
            adapter: gpu.info.name.clone(),
            driver: gpu.info.driver_info.clone(),
            raster: engine.raster_width().to_string(),
            size: self.view.window.size,
            frames,
            quality: quality.name(),
        })
    }
}

/// Pixels in which a body shows, wholly or in part.
fn covered(gpu: &Gpu, view: &View) -> Result<u64, Failure> {
    let Some(layers) = view.visibility() else { return Ok(0) };
    let [whole, partial] = layers.map(|layer| gpu.read(layer));
    let (whole, partial) = (whole?, partial?);
    let payload = |bytes: &[u8]| bytemuck::pod_read_unaligned::<u32>(&bytes[..4]);
    let pairs = whole.chunks_exact(8).zip(partial.chunks_exact(8));
    Ok(pairs.filter(|(whole, partial)| payload(whole) >= 128 || payload(partial) >= 128).count() as u64)
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn print(report: &Report) -> Result<(), Failure> {
    say!("adapter   {} ({}), raster {}", report.adapter, report.driver, report.raster);
    say!(
        "picture   {}×{}, quality {}, median of {} frames",
        report.size[0],
        report.size[1],
        report.quality,
        report.frames
    );
    say!("frame     {:.3} ms", report.frame_ms);
    if let Some(gpu) = report.gpu_ms {
        say!("on GPU    {gpu:.3} ms");
    }
    for (label, time) in &report.passes {
        say!("  {label:<18} {time:.3} ms");
    }
    say!(
        "bodies    {} stored, {} tested, {} passed, {} visible in {} segments, {:.1} pixels each",
        report.stored,
        report.tested,
        report.passed,
        report.visible,
        report.primitives,
        report.pixels_per_body
    );
    say!("covered   {} pixels, {:.1} %", report.covered_pixels, 100.0 * report.covered_share);
    say!("memory    {} bytes a body, {} MiB in all", report.bytes_per_body, report.bytes_in_all >> 20);
    if report.dropped > 0 {
        tell!("warning: {} bodies or cross-sections found no room and are not drawn", report.dropped);
    }
    Ok(())
}
