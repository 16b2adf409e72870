//! The frame in order.
//!
//! `follow` (CPU) → `generate` → `cull_tiles` → `step` → `scan` → `emit` → `raster_ground` → `project_first` →
//! raster → `build_pyramid` → `project_second` → raster → partial layer → `sort_pixels` → `shade_ground` → `shade_bodies`,
//! opaque and partial → `present`.

use anemone_field::wind::WindState;
use anemone_motion::blade::blade_substeps;
use bytemuck::Zeroable;
use glam::Vec3;

use crate::camera::{Camera, Window};
use crate::canvas::Canvas;
use crate::capability::{RasterWidth, check, raster_width};
use crate::collider::CollidersUniform;
use crate::daylight::Daylight;
use crate::density;
use crate::error::Error;
use crate::frame::{FrameUniform, jitter};
use crate::ground::GroundPass;
use crate::passes::{Kernels, Passes, SIMULATION_PASSES, Work};
use crate::pool::Pool;
use crate::population::PopulationsUniform;
use crate::resources::{Resources, slot};
use crate::shadow;
use crate::shadow::map::{MapUniform, SunView};
use crate::shadow::ridges::RidgesUniform;
use crate::tile::RingExtent;
use crate::timing::Timing;
use crate::world::{Terrain, World};

/// How an [`Engine`] is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Rasterise with this width instead of the best that the device has.
    pub width: Option<RasterWidth>,
    /// Move the tiles out of view too each step, instead of letting them sleep: of each tile, the bodies that its distance
    /// leaves.
    pub always_awake: bool,
    /// Texels along the side of the map of shadows, at most 4,096; 0: bodies throw none. None: as
    /// [`crate::default_shadow_texels`] says.
    pub shadow_texels: Option<u32>,
}

/// The longest time that one step moves bodies through, s; after a longer pause they go on from where they were.
const LONGEST_STEP: f64 = 0.5;

/// Ticks of the shaders' clock in a second. It wraps after two years; they only take differences.
const CLOCK_RATE: f64 = 64.0;

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
    bound: Option<Passes>,
    shadow_texels: u32,
    /// For what the ridges on the GPU were found.
    ridges: Option<RidgesUniform>,
    daylight: Daylight,
    wind: WindState,
    time: f64,
    step: u32,
    /// Time that has passed since the last drawing, s.
    pending: f64,
    step_seconds: f32,
    substeps: u32,
    /// Time that passed with this step beside its substeps, s.
    skipped: f64,
}

/// What is drawn, and as whose view it is culled.
#[derive(Clone, Copy)]
struct View<'a> {
    camera: &'a Camera,
    window: &'a Window,
    /// Bodies thin out and widen as this camera sees them in this window.
    culled_from: &'a Camera,
    culled_in: &'a Window,
    sample: u32,
    /// Tiles to fill with bodies.
    changed: u32,
    is_sun: bool,
    has_sun: bool,
}

impl<'a> View<'a> {
    fn new(camera: &'a Camera, window: &'a Window, sample: u32) -> Self {
        Self {
            camera,
            window,
            culled_from: camera,
            culled_in: window,
            sample,
            changed: 0,
            is_sun: false,
            has_sun: false,
        }
    }
}

impl Engine {
    /// Compiles every pipeline and lays out the world's bodies.
    ///
    /// The device must have the features and limits of [`crate::required_features`] and [`crate::required_limits`].
    ///
    /// # Errors
    /// When a number of the world is out of range ([`World::check`]), the device cannot run the engine, the world does not
    /// fit it, or a placement does not fit its ground.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, world: World, options: Options) -> Result<Self, Error> {
        world.check()?;
        let width = options.width.unwrap_or_else(|| raster_width(device.features()));
        check(device, width)?;
        let mut resources = Resources::default();
        let pool = Pool::new(device, queue, &world, &mut resources)?;
        density::make(device, queue, &world, &mut resources)?;
        let ground = GroundPass::new(device, queue, &world, pool.patches(), &mut resources);
        let shadow_texels = options
            .shadow_texels
            .unwrap_or_else(|| shadow::default_texels(&device.adapter_info()))
            .min(shadow::MOST_TEXELS);
        let daylight = Daylight::new(&world);
        daylight.make_resources(device, queue, &mut resources);
        shadow::make_buffers(device, shadow::Layout::new(shadow_texels), &mut resources);
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
            shadow_texels,
            ridges: None,
            daylight,
            wind,
            time: 0.0,
            step: 1,
            pending: 0.0,
            step_seconds: 0.0,
            substeps: 0,
            skipped: 0.0,
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

    /// Lets time pass; the next drawing shows the world `seconds` later. Several calls before a drawing add up; bodies move
    /// through half a second at most.
    ///
    /// Time that is negative or not finite does not pass.
    pub fn advance(&mut self, seconds: f64) {
        if !(seconds > 0.0 && seconds.is_finite()) {
            return;
        }
        self.time += seconds;
        self.wind.advance(seconds, &self.world.wind);
        self.pending += seconds;
    }

    /// Takes the time that has passed since the last drawing as one step.
    fn take_step(&mut self) {
        if self.pending <= 0.0 {
            return;
        }
        let moved = self.pending.min(LONGEST_STEP);
        self.skipped = self.pending - moved;
        (self.substeps, self.step_seconds) = blade_substeps(moved as f32);
        self.step += 1;
        self.pending = 0.0;
    }

    /// Sets the clock without moving anything: bodies take the pose of this moment when they are first seen. For the start
    /// of a scene; time may be negative.
    pub fn start_at(&mut self, seconds: f64) {
        if seconds.is_finite() {
            self.wind.advance(seconds - self.time, &self.world.wind);
            self.time = seconds;
        }
    }

    /// Culls, thins, widens and picks levels of detail as this camera would, whatever camera draws: to see what is left out.
    /// Only hidden bodies are left out by the camera that draws. None goes back to the camera that draws.
    pub fn set_cull_camera(&mut self, camera: Option<Camera>) {
        self.cull_camera = camera;
    }

    /// Places the obstacles for the next drawing; all of the world's may move.
    ///
    /// # Errors
    /// When there are more than [`crate::MOST_COLLIDERS`], or a number of theirs is out of range; those before stay.
    pub fn set_colliders(&mut self, colliders: Vec<crate::world::Collider>) -> Result<(), Error> {
        crate::world::check_colliders(&colliders)?;
        self.world.colliders = colliders;
        Ok(())
    }

    fn resize(&mut self, size: [u32; 2]) -> Result<(), Error> {
        if self.canvas.as_ref().is_some_and(|canvas| canvas.size == size) {
            return Ok(());
        }
        self.bound = None;
        self.canvas = Some(Canvas::new(&self.device, size, &mut self.resources)?);
        Ok(())
    }

    fn occlusion(&self) -> bool {
        self.world.populations.iter().all(|population| population.cull.occlusion)
    }

    /// Draws one sample of a picture into the engine's own light buffer.
    ///
    /// `sample` counts from 0: sample 0 starts a picture, each further one of the same view adds to it. Encode one
    /// drawing after the other in any number of encoders, and submit all of them in that order: what is encoded counts as
    /// done. [`Engine::present`] shows what has gathered.
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
        let has_sun = self.draw_shadows(encoder, camera, &View::new(&culled_from, window, sample), &mut timing);
        let Some(bound) = &self.bound else { return Ok(()) };
        for slot in [slot::OPAQUE, slot::PARTIAL, slot::THICKNESS] {
            encoder.clear_buffer(self.resources.buffer(slot), 0, None);
        }
        // Only the counts at the head of the lists.
        encoder.clear_buffer(self.resources.buffer(slot::PIXELS), 0, Some(16));
        if has_sun {
            self.write_uniforms(encoder, &View { has_sun, ..View::new(&culled_from, window, sample) });
        }
        for pass in &bound.cull {
            pass.encode(encoder, &mut timing);
        }
        if self.cull_camera.is_some() {
            let culled = View { culled_from: &culled_from, has_sun, ..View::new(camera, window, sample) };
            self.write_uniforms(encoder, &culled);
        }
        self.ground.follow(&self.device, encoder, &self.resources, camera.eye, &mut timing);
        for pass in &bound.draw {
            pass.encode(encoder, &mut timing);
        }
        Ok(())
    }

    /// Draws what the sun sees, and says whether it sees anything. `culled` is how the picture is culled.
    fn draw_shadows(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        culled: &View<'_>,
        timing: &mut Timing<'_>,
    ) -> bool {
        let shines = self.shadow_texels > 0 && self.daylight.sunlight() != Vec3::ZERO;
        let sun = shines.then(|| SunView::new(&self.world, camera, self.shadow_texels, culled.sample));
        let map = sun.as_ref().map_or(MapUniform::zeroed(), SunView::uniform);
        self.upload(encoder, slot::SHADOW_MAP, bytemuck::bytes_of(&map));
        let layout = shadow::Layout::new(self.shadow_texels);
        let Some(bound) = &self.bound else { return false };
        let ridges = RidgesUniform::new(&self.world, camera.eye, layout);
        if let Some(wanted) = ridges.filter(|wanted| self.ridges != Some(*wanted)) {
            self.upload(encoder, slot::RIDGES, bytemuck::bytes_of(&wanted));
            for pass in &bound.ridges {
                pass.encode(encoder, timing);
            }
            self.ridges = ridges;
        }
        let Some(sun) = sun else { return false };
        let view = View { camera: &sun.camera, window: &sun.window, is_sun: true, ..*culled };
        self.write_uniforms(encoder, &view);
        encoder.clear_buffer(self.resources.buffer(slot::PIXELS), 0, Some(16));
        encoder.clear_buffer(self.resources.buffer(slot::SHADOWS), 0, Some(layout.map_bytes()));
        for (pass, label) in
            bound.cull.iter().zip(["shadow tiles", "shadow motion and cull", "shadow scan", "shadow emit"])
        {
            pass.encode_as(label, encoder, timing, pass.groups);
        }
        for pass in &bound.shadow {
            pass.encode(encoder, timing);
        }
        true
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
        self.run_first(encoder, camera, window, SIMULATION_PASSES)
    }

    /// The first so many passes of a frame.
    fn run_first(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        window: &Window,
        passes: usize,
    ) -> Result<(), Error> {
        self.prepare(encoder, camera, window, 0, &mut Timing::None)?;
        if let Some(bound) = &self.bound {
            for pass in bound.cull.iter().take(passes) {
                pass.encode(encoder, &mut Timing::None);
            }
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
        self.take_step();
        if self.bound.is_none() {
            let work = Work {
                size: window.size,
                chunks: self.pool.chunks(),
                items: self.pool.items(),
                ground: self.ground.lanes(),
                occlusion: self.occlusion(),
                mesh: matches!(self.world.terrain, Terrain::Mesh { .. }),
                texels: self.shadow_texels,
            };
            self.bound = Some(Passes::new(&self.device, &self.kernels, &self.resources, &work));
        }
        let changed = self.pool.follow(camera.eye, &self.world.terrain);
        let changed_tiles = changed.len() as u32;
        self.write_uniforms(encoder, &View { changed: changed_tiles, ..View::new(camera, window, sample) });
        self.pool.upload(&self.device, encoder, &self.resources, &changed);
        if let Some(bound) = &self.bound {
            // A dimension of a dispatch holds 65,535 workgroups.
            let across = changed_tiles.min(65_535);
            bound.generate.encode_groups(encoder, timing, [across, changed_tiles.div_ceil(across.max(1))]);
        }
        Ok(())
    }

    fn write_uniforms(&self, encoder: &mut wgpu::CommandEncoder, view: &View<'_>) {
        let jitter = jitter(view.sample);
        let drawn = FrameUniform::new(view.camera, view.window, jitter);
        let frame = FrameUniform {
            step_seconds: self.step_seconds,
            substeps: self.substeps,
            step: self.step,
            tiles: self.pool.tiles(),
            clock: (self.time * CLOCK_RATE).floor().rem_euclid(f64::from(u32::MAX) + 1.0) as u32,
            sample: view.sample,
            always_awake: u32::from(self.options.always_awake),
            colliders: self.world.colliders.len() as u32,
            item_capacity: self.pool.items() as u32,
            row_capacity: self.pool.rows() as u32,
            big_capacity: crate::pool::BIG_CAPACITY,
            occlusion: u32::from(self.occlusion() && !view.is_sun),
            is_sun: u32::from(view.is_sun),
            has_sun: u32::from(view.has_sun),
            changed: view.changed,
            skipped: self.skipped as f32,
            ..drawn
                .culled_as(&FrameUniform::new(view.culled_from, view.culled_in, jitter))
                .lit(&self.world, &self.daylight)
        };
        self.upload(encoder, slot::FRAME, bytemuck::bytes_of(&frame));
        self.upload(encoder, slot::WIND, bytemuck::bytes_of(&self.world.wind.gpu(&self.wind).unwrap_or_default()));
        self.upload(
            encoder,
            slot::POPULATIONS,
            bytemuck::bytes_of(&PopulationsUniform::new(&self.world, frame.cull_focal, |index| {
                self.pool.extent(index)
            })),
        );
        self.upload(encoder, slot::COLLIDERS, bytemuck::bytes_of(&CollidersUniform::new(&self.world.colliders)));
    }

    /// Copies through the encoder, so that several drawings in one submission each see their own numbers.
    fn upload(&self, encoder: &mut wgpu::CommandEncoder, slot: u32, bytes: &[u8]) {
        crate::pool::upload(&self.device, encoder, self.resources.buffer(slot), 0, bytes);
    }

    /// Shows the light that has gathered, through exposure and film curve, on a target of the size that was drawn. Before the
    /// first drawing it does nothing.
    pub fn present(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        presenter: &crate::Presenter,
        target: &wgpu::TextureView,
    ) {
        if self.canvas.is_some() {
            presenter.encode(&self.device, encoder, &self.resources, target);
        }
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
        self.run_first(encoder, camera, window, usize::MAX)
    }

    /// The visibility buffer of the last drawing: two words a pixel, payload and depth (reversed z, 31 bits), of the opaque
    /// layer and of the nearest fragment before it that covers its pixel in part. A payload of 128 or more is a body's,
    /// a smaller one the ground's; depth 0 is the sky. None before the first drawing.
    #[must_use]
    pub fn visibility(&self) -> Option<[&wgpu::Buffer; 2]> {
        self.canvas.as_ref().map(|_| [slot::OPAQUE, slot::PARTIAL].map(|slot| self.resources.buffer(slot)))
    }
}
