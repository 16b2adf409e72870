//! The frame in order.
//!
//! `follow` (CPU) → `generate` → `cull_tiles` → `step` → `scan` → `emit` → `raster_ground` → `project_first` →
//! raster → `build_pyramid` → `project_second` → raster → partial layer → `sort_pixels` → `shade_ground` → `shade_bodies`,
//! opaque and partial → `present`.

use anemone_field::wind::WindState;

use crate::camera::{Camera, Window};
use crate::canvas::Canvas;
use crate::capability::{RasterWidth, check, raster_width};
use crate::collider::CollidersUniform;
use crate::error::Error;
use crate::frame::{FrameUniform, jitter};
use crate::ground::GroundPass;
use crate::kernel::{Kernel, Shader};
use crate::pool::Pool;
use crate::population::PopulationsUniform;
use crate::resources::{Resources, slot};
use crate::tile::RingExtent;
use crate::timing::Timing;
use crate::world::World;

/// How an [`Engine`] is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Rasterise with this width instead of the best that the device has.
    pub width: Option<RasterWidth>,
    /// Move every body each step, in view or not, instead of letting tiles out of view sleep.
    pub always_awake: bool,
}

/// Substeps a second, at least.
const SUBSTEP_RATE: f64 = 120.0;
/// The longest time that one step moves bodies through, s; after a longer pause they go on from where they were.
const LONGEST_STEP: f64 = 0.5;

/// The shaders' clock starts again after so long, s, so that its f32 stays fine; they only take differences.
const CLOCK_TURN: f64 = 4096.0;

/// A world on a device, ready to be drawn.
///
/// The device, the queue, the encoder and the target are the caller's. See the crate's documentation for an example.
pub struct Engine {
    device: wgpu::Device,
    width: RasterWidth,
    options: Options,
    world: World,
    kernels: Kernels,
    pool: Pool,
    ground: GroundPass,
    resources: Resources,
    cull_camera: Option<Camera>,
    canvas: Option<Canvas>,
    bound: Option<Bound>,
    wind: WindState,
    time: f64,
    step: u32,
    step_seconds: f64,
    substeps: u32,
}

/// Every compute pipeline of the frame.
struct Kernels {
    generate: Kernel,
    tiles: Kernel,
    step: Kernel,
    scan: Kernel,
    emit: Kernel,
    ground: [Kernel; 2],
    project: [Kernel; 2],
    pyramid: Kernel,
    raster: Raster,
    sort: Kernel,
    shade: [Kernel; 3],
}

/// The raster's passes, each for small and for big segments.
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum Raster {
    Wide { first: [Kernel; 2], second: [Kernel; 2], partial: [Kernel; 2] },
    Narrow { depth: [Kernel; 2], depth_second: [Kernel; 2], payload: [Kernel; 2], partial: [[Kernel; 2]; 2] },
}

/// A pass of a frame: a kernel, what it is bound to, and its workgroups.
struct Pass {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    groups: [u32; 2],
}

/// `cull_tiles` and `move_bodies`.
const SIMULATION_PASSES: usize = 2;

/// The frame's passes for the present canvas.
struct Bound {
    generate: Pass,
    /// The first [`SIMULATION_PASSES`] move the bodies.
    before_ground: Vec<Pass>,
    after_ground: Vec<Pass>,
}

macro_rules! wgsl {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name, ".wgsl"))
    };
}

/// Every linked shader by name, for tests that validate them.
pub const SHADERS: &[(&str, &str)] = &[
    ("generate", wgsl!("generate")),
    ("tiles", wgsl!("tiles")),
    ("step", wgsl!("step")),
    ("scan", wgsl!("scan")),
    ("emit", wgsl!("emit")),
    ("grid", wgsl!("grid")),
    ("ground_wide", wgsl!("ground_wide")),
    ("ground_narrow", wgsl!("ground_narrow")),
    ("project", wgsl!("project")),
    ("pyramid", wgsl!("pyramid")),
    ("raster_wide", wgsl!("raster_wide")),
    ("raster_wide_second", wgsl!("raster_wide_second")),
    ("raster_wide_partial", wgsl!("raster_wide_partial")),
    ("raster_depth", wgsl!("raster_depth")),
    ("raster_depth_second", wgsl!("raster_depth_second")),
    ("raster_payload", wgsl!("raster_payload")),
    ("raster_depth_partial", wgsl!("raster_depth_partial")),
    ("raster_payload_partial", wgsl!("raster_payload_partial")),
    ("sort_pixels", wgsl!("sort_pixels")),
    ("shade_ground", wgsl!("shade_ground")),
    ("shade_bodies", wgsl!("shade_bodies")),
    ("shade_partial", wgsl!("shade_partial")),
    ("present", wgsl!("present")),
    ("present_encode", wgsl!("present_encode")),
];

/// The source of a linked shader.
pub(crate) fn shader(device: &wgpu::Device, name: &'static str, stages: wgpu::ShaderStages) -> Shader {
    let source = SHADERS.iter().find(|(key, _)| *key == name).map_or("", |(_, source)| source);
    Shader::new(device, name, source, stages)
}

impl Kernels {
    fn new(device: &wgpu::Device, width: RasterWidth) -> Self {
        let compute = |name| shader(device, name, wgpu::ShaderStages::COMPUTE);
        let one = |name, entry| compute(name).kernel(device, entry);
        let raster = |name| {
            let shader = compute(name);
            [shader.kernel(device, "raster_small"), shader.kernel(device, "raster_big")]
        };
        let project = compute("project");
        let ground = compute(match width {
            RasterWidth::Wide => "ground_wide",
            RasterWidth::Narrow => "ground_narrow",
        });
        Self {
            generate: one("generate", "generate"),
            tiles: one("tiles", "cull_tiles"),
            step: one("step", "move_bodies"),
            scan: one("scan", "scan"),
            emit: one("emit", "emit"),
            ground: [ground.kernel(device, "raster_ground"), ground.kernel(device, "raster_ground_large")],
            project: [project.kernel(device, "project_first"), project.kernel(device, "project_second")],
            pyramid: one("pyramid", "build_pyramid"),
            raster: match width {
                RasterWidth::Wide => Raster::Wide {
                    first: raster("raster_wide"),
                    second: raster("raster_wide_second"),
                    partial: raster("raster_wide_partial"),
                },
                RasterWidth::Narrow => Raster::Narrow {
                    depth: raster("raster_depth"),
                    depth_second: raster("raster_depth_second"),
                    payload: raster("raster_payload"),
                    partial: [raster("raster_depth_partial"), raster("raster_payload_partial")],
                },
            },
            sort: one("sort_pixels", "sort_pixels"),
            shade: [
                one("shade_ground", "shade_ground"),
                one("shade_bodies", "shade_bodies"),
                one("shade_partial", "shade_bodies"),
            ],
        }
    }
}

impl Engine {
    /// Compiles every pipeline and lays out the world's bodies.
    ///
    /// The device must have the features and limits of [`crate::required_features`] and [`crate::required_limits`].
    ///
    /// # Errors
    /// When the device cannot run the engine, the world does not fit it, or a placement does not fit its ground.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, world: World, options: Options) -> Result<Self, Error> {
        let width = options.width.unwrap_or_else(|| raster_width(device.features()));
        check(device, width)?;
        let mut resources = Resources::default();
        let pool = Pool::new(device, queue, &world, &mut resources)?;
        let ground = GroundPass::new(device, queue, &world, pool.patches(), &mut resources);
        let mut wind = WindState::default();
        wind.advance(0.0, &world.wind);
        Ok(Self {
            device: device.clone(),
            width,
            options,
            kernels: Kernels::new(device, width),
            pool,
            ground,
            resources,
            world,
            cull_camera: None,
            canvas: None,
            bound: None,
            wind,
            time: 0.0,
            step: 1,
            step_seconds: 0.0,
            substeps: 0,
        })
    }

    /// The world that is drawn.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The width that the raster runs with.
    #[must_use]
    pub fn raster_width(&self) -> RasterWidth {
        self.width
    }

    /// Bodies that the pool has room for, and bytes that the pool takes for each.
    #[must_use]
    pub fn stored(&self) -> (u64, u64) {
        (self.pool.bodies(), crate::pool::BODY_BYTES)
    }

    /// How far a population that grows everywhere reaches. None for other populations.
    #[must_use]
    pub fn extent(&self, population: usize) -> Option<RingExtent> {
        self.pool.extent(u32::try_from(population).ok()?)
    }

    /// Bytes of all buffers of the world and the canvas.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.resources.bytes()
    }

    /// The clock, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Lets time pass; the next drawing shows the world `seconds` later. Bodies move through half a second at most.
    ///
    /// Time that is negative or not finite does not pass.
    pub fn advance(&mut self, seconds: f64) {
        if !(seconds > 0.0 && seconds.is_finite()) {
            return;
        }
        self.time += seconds;
        self.wind.advance(seconds, &self.world.wind);
        let moved = seconds.min(LONGEST_STEP);
        self.substeps = (moved * SUBSTEP_RATE).ceil() as u32;
        self.step_seconds = moved / f64::from(self.substeps);
        self.step += 1;
    }

    /// Sets the clock without moving anything: bodies take the pose of this moment when they are first seen. For the start
    /// of a scene; time may be negative.
    pub fn start_at(&mut self, seconds: f64) {
        if seconds.is_finite() {
            self.wind.advance(seconds - self.time, &self.world.wind);
            self.time = seconds;
        }
    }

    /// Culls, thins and picks levels of detail as this camera would, whatever camera draws: to see what is left out. None
    /// goes back to the camera that draws.
    pub fn set_cull_camera(&mut self, camera: Option<Camera>) {
        self.cull_camera = camera;
    }

    /// Places the obstacles for the next drawing; all of the world's may move.
    pub fn set_colliders(&mut self, colliders: Vec<crate::world::Collider>) {
        self.world.colliders = colliders;
    }

    fn resize(&mut self, size: [u32; 2]) -> Result<(), Error> {
        if self.canvas.as_ref().is_some_and(|canvas| canvas.size == size) {
            return Ok(());
        }
        self.bound = None;
        self.canvas = Some(Canvas::new(&self.device, size, &mut self.resources)?);
        Ok(())
    }

    fn bind(&self, size: [u32; 2]) -> Bound {
        let device = &self.device;
        // Fixed grids whose workgroups loop over the GPU's counts.
        let loops = |work: u64, group: u64| [work.div_ceil(group).clamp(1, 4096) as u32, 1];
        let pass = |kernel: &Kernel, groups: [u32; 2], label: &'static str| Pass {
            label,
            pipeline: kernel.pipeline.clone(),
            bindings: kernel.bind(device, &self.resources),
            groups,
        };
        let k = &self.kernels;
        let bodies = self.pool.bodies();
        let by_chunk = loops(self.pool.chunks(), 1);
        let by_item = loops(self.pool.items(), 64);
        let by_pixel = |side: u32| [size[0].div_ceil(side), size[1].div_ceil(side)];
        // A big segment for every other body is plenty: what lists are longer is looped over.
        let big = loops((bodies / 2).max(256), 1);
        let both = |kernels: &[Kernel; 2], label| [pass(&kernels[0], by_item, label), pass(&kernels[1], big, label)];
        let mut after = vec![
            pass(&k.ground[0], loops(self.ground.lanes(), 64), "ground"),
            pass(&k.ground[1], loops(u64::from(size[0]) * u64::from(size[1]) / 256, 1), "ground"),
            pass(&k.project[0], by_item, "project"),
        ];
        let occlusion = self.occlusion();
        let middle = || {
            let mut passes = vec![pass(&k.pyramid, by_pixel(64), "pyramid")];
            if occlusion {
                passes.push(pass(&k.project[1], by_item, "project 2"));
            }
            passes
        };
        match &k.raster {
            Raster::Wide { first, second, partial } => {
                after.extend(both(first, "raster"));
                after.extend(middle());
                if occlusion {
                    after.extend(both(second, "raster 2"));
                }
                after.extend(both(partial, "coverage"));
            }
            Raster::Narrow { depth, depth_second, payload, partial } => {
                after.extend(both(depth, "raster"));
                after.extend(middle());
                if occlusion {
                    after.extend(both(depth_second, "raster 2"));
                }
                after.extend(both(payload, "payload"));
                after.extend(both(&partial[0], "coverage"));
                after.extend(both(&partial[1], "coverage payload"));
            }
        }
        after.push(pass(&k.sort, by_pixel(16), "sort pixels"));
        let by_listed = loops(u64::from(size[0]) * u64::from(size[1]), 64);
        for (kernel, label) in k.shade.iter().zip(["shade ground", "shade bodies", "shade partial"]) {
            after.push(pass(kernel, by_listed, label));
        }
        Bound {
            generate: pass(&k.generate, [0, 1], "generate"),
            before_ground: vec![
                pass(&k.tiles, [1, 1], "tiles"),
                pass(&k.step, by_chunk, "motion and cull"),
                pass(&k.scan, [1, 1], "scan"),
                pass(&k.emit, by_chunk, "emit"),
            ],
            after_ground: after,
        }
    }

    fn occlusion(&self) -> bool {
        self.world.populations.iter().all(|population| population.cull.occlusion)
    }

    /// Draws one sample of a picture into the engine's own light buffer.
    ///
    /// `sample` counts from 0: sample 0 starts a picture, each further one of the same view adds to it. Encode one
    /// drawing after the other in any number of encoders; [`Engine::present`] shows what has gathered.
    ///
    /// # Errors
    /// When the window is too large to be drawn at once.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        window: &Window,
        sample: u32,
        mut timing: Timing<'_>,
    ) -> Result<(), Error> {
        let culled_from = self.cull_camera.unwrap_or(*camera);
        self.prepare(encoder, &culled_from, window, sample, &mut timing)?;
        let Some(bound) = &self.bound else { return Ok(()) };
        for slot in [slot::OPAQUE, slot::PARTIAL, slot::THICKNESS] {
            encoder.clear_buffer(self.resources.buffer(slot), 0, None);
        }
        // Only the counts at the head of the lists.
        encoder.clear_buffer(self.resources.buffer(slot::PIXELS), 0, Some(16));
        for pass in &bound.before_ground {
            encode(encoder, &mut timing, pass, pass.groups);
        }
        if self.cull_camera.is_some() {
            self.write_uniforms(encoder, camera, window, sample);
        }
        self.ground.follow(&self.device, encoder, &self.resources, camera.eye, &mut timing);
        for pass in &bound.after_ground {
            encode(encoder, &mut timing, pass, pass.groups);
        }
        Ok(())
    }

    /// Moves the bodies to the present time without drawing them: what happens between pictures.
    ///
    /// # Errors
    /// As [`Engine::draw`].
    pub fn simulate(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        window: &Window,
    ) -> Result<(), Error> {
        self.prepare(encoder, camera, window, 0, &mut Timing::None)?;
        let Some(bound) = &self.bound else { return Ok(()) };
        for pass in bound.before_ground.iter().take(SIMULATION_PASSES) {
            encode(encoder, &mut Timing::None, pass, pass.groups);
        }
        Ok(())
    }

    /// Sends what the frame's passes read, and fills the tiles that have come into the rings.
    fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        window: &Window,
        sample: u32,
        timing: &mut Timing<'_>,
    ) -> Result<(), Error> {
        self.resize(window.size)?;
        if self.bound.is_none() {
            self.bound = Some(self.bind(window.size));
        }
        let changed = self.pool.follow(camera.eye, &self.world.terrain);
        self.write_uniforms(encoder, camera, window, sample);
        self.pool.upload(&self.device, encoder, &self.resources, &changed);
        if let Some(bound) = &self.bound {
            encode(encoder, timing, &bound.generate, [changed.len() as u32, 1]);
        }
        Ok(())
    }

    fn write_uniforms(&self, encoder: &mut wgpu::CommandEncoder, camera: &Camera, window: &Window, sample: u32) {
        let frame = FrameUniform {
            step_seconds: self.step_seconds as f32,
            substeps: self.substeps,
            step: self.step,
            tiles: self.pool.tiles(),
            clock: self.time.rem_euclid(CLOCK_TURN) as f32,
            sample,
            still: u32::from(self.options.always_awake),
            colliders: self.world.colliders.len() as u32,
            item_capacity: self.pool.items() as u32,
            row_capacity: self.pool.rows() as u32,
            big_capacity: crate::pool::BIG_CAPACITY,
            occlusion: u32::from(self.occlusion()),
            ..FrameUniform::new(camera, window, jitter(sample)).lit(&self.world)
        };
        self.upload(encoder, slot::FRAME, bytemuck::bytes_of(&frame));
        self.upload(encoder, slot::WIND, bytemuck::bytes_of(&self.world.wind.gpu(&self.wind).unwrap_or_default()));
        self.upload(
            encoder,
            slot::POPULATIONS,
            bytemuck::bytes_of(&PopulationsUniform::new(&self.world, frame.focal, &self.pool)),
        );
        self.upload(encoder, slot::COLLIDERS, bytemuck::bytes_of(&CollidersUniform::new(&self.world.colliders)));
    }

    /// Copies through the encoder, so that several drawings in one submission each see their own numbers.
    fn upload(&self, encoder: &mut wgpu::CommandEncoder, slot: u32, bytes: &[u8]) {
        crate::pool::upload(&self.device, encoder, self.resources.buffer(slot), 0, bytes);
    }

    /// Shows the light that has gathered, through exposure and film curve, on a target of the size that was drawn.
    pub fn present(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        presenter: &crate::Presenter,
        target: &wgpu::TextureView,
    ) {
        presenter.encode(&self.device, encoder, &self.resources, target);
    }

    /// The buffer of the last drawing's [`crate::Counts`].
    #[must_use]
    pub fn counts_buffer(&self) -> &wgpu::Buffer {
        self.resources.buffer(slot::COUNTS)
    }

    /// A buffer, for tests that look inside.
    #[doc(hidden)]
    #[must_use]
    pub fn probe(&self, what: crate::probe::Probe) -> &wgpu::Buffer {
        self.resources.buffer(what.slot())
    }

    /// Moves the bodies and lists those that pass the culls, without drawing them: for tests of the culls.
    #[doc(hidden)]
    pub fn list_items(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        window: &Window,
    ) -> Result<(), Error> {
        self.prepare(encoder, camera, window, 0, &mut Timing::None)?;
        let Some(bound) = &self.bound else { return Ok(()) };
        for pass in &bound.before_ground {
            encode(encoder, &mut Timing::None, pass, pass.groups);
        }
        Ok(())
    }

    /// The visibility buffer of the last drawing: two words a pixel, payload and depth (reversed z, 31 bits), of the opaque
    /// layer and of the nearest fragment before it that covers its pixel in part. A payload of 128 or more is a body's,
    /// a smaller one the ground's; depth 0 is the sky. None before the first drawing.
    #[must_use]
    pub fn visibility(&self) -> Option<[&wgpu::Buffer; 2]> {
        self.canvas.as_ref().map(|_| [slot::OPAQUE, slot::PARTIAL].map(|slot| self.resources.buffer(slot)))
    }
}

fn encode(encoder: &mut wgpu::CommandEncoder, timing: &mut Timing<'_>, pass: &Pass, groups: [u32; 2]) {
    if groups[0] == 0 {
        return;
    }
    let query = timing.begin(pass.label, encoder);
    {
        let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(pass.label),
            timestamp_writes: query.as_ref().and_then(|query| query.compute_pass_timestamp_writes()),
        });
        compute.set_pipeline(&pass.pipeline);
        compute.set_bind_group(0, &pass.bindings, &[]);
        compute.dispatch_workgroups(groups[0], groups[1], 1);
    }
    timing.end(pass.label, encoder, query);
}
