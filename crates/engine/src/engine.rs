//! The frame in order: where the eye and the sun stand and what is sent to the GPU for it. The passes themselves are in
//! `passes.rs`; ARCHITECTURE.md says what each reads and writes.
//!
//! Bodies are placed, moved and culled; first for the sun, which draws its map of shadows, then for the picture, which is
//! drawn, shaded and, when the host asks, presented.

mod in_host;

use std::sync::{Arc, OnceLock};

use anemone_field::wind::{Wind, WindState};
use anemone_motion::blade::blade_substeps;
use bytemuck::Zeroable;
use glam::{IVec2, Vec2, Vec3};

use crate::camera::{Camera, Window};
use crate::capability::RasterWidth;
use crate::collider::CollidersUniform;
use crate::daylight::{Daylight, Light};
use crate::density;
use crate::error::Error;
use crate::frame::{FrameUniform, Previous, PreviousUniform, jitter};
use crate::ground::GroundPass;
use crate::guest;
use crate::kernels::{Kernels, Pipelines};
use crate::passes::{COLLISION_TURNS, Pass, Passes, SOURCE_TURNS, Simulation, Viewer, WAKE_TURNS, Work};
use crate::pool::Pool;
use crate::population::PopulationsUniform;
use crate::presenter::Shown;
use crate::resources::{Resources, slot};
use crate::shadow;
use crate::shadow::map::{MapUniform, SunView};
use crate::shadow::ridges::RidgesUniform;
use crate::tile::RingExtent;
use crate::timing::Timing;
use crate::view::{Drawing, View};
use crate::world::{Sun, Terrain, World};

/// How an [`Engine`] is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Rasterise with this width instead of the best that the device has. [`Engine::with_pipelines`] does not look at it.
    pub width: Option<RasterWidth>,
    /// Move the tiles out of view too each step, instead of letting them sleep: of each tile, the bodies that its distance
    /// leaves.
    pub always_awake: bool,
    /// Texels along the side of the map of shadows, at most 4,096; 0: bodies throw none. None: as
    /// [`crate::default_shadow_texels`] says.
    pub shadow_texels: Option<u32>,
    /// How far a body's drawn outline may lie from its curve, pixels. None: a quarter.
    pub outline_error: Option<f32>,
}

/// How far a body's drawn outline may lie from its curve, pixels, unless the options say otherwise.
const OUTLINE_ERROR: f32 = 0.25;

/// The longest time that one step moves bodies through, s; after a longer pause they go on from where they were.
const LONGEST_STEP: f64 = 0.5;

/// Ticks of the shaders' clock in a second. It wraps after two years; they only take differences.
const CLOCK_RATE: f64 = 64.0;

/// A world on a device, ready to be drawn.
///
/// The device, the queue, the encoder and the target are the caller's. See the crate's documentation for an example.
pub struct Engine {
    options: Options,
    world: World,
    kernels: Arc<Kernels>,
    pool: Pool,
    ground: GroundPass,
    resources: Resources,
    /// Bound before the first drawing.
    simulation: OnceLock<Simulation>,
    /// Another one where the resources have changed: views bind anew.
    binding: Arc<()>,
    shadow_texels: u32,
    /// For what the ridges on the GPU were found.
    ridges: Option<RidgesUniform>,
    daylight: Daylight,
    /// The GPU has not heard of it yet.
    daylight_is_new: bool,
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
struct Shot<'a> {
    camera: &'a Camera,
    window: &'a Window,
    /// Bodies thin out and widen as this camera sees them in this window.
    culled_from: &'a Camera,
    culled_in: &'a Window,
    sample: u32,
    /// Where the picture lies beside the optical axis, pixels.
    shift: Vec2,
    /// Tiles to fill with bodies.
    changed: u32,
    /// The sun's, whose upper left texel is this one.
    sun: Option<IVec2>,
    has_sun: bool,
    leads: bool,
    is_guest: bool,
    /// List what the picture's camera would keep wherever it stands.
    all_round: bool,
}

impl<'a> Shot<'a> {
    fn new(camera: &'a Camera, window: &'a Window) -> Self {
        Self {
            camera,
            window,
            culled_from: camera,
            culled_in: window,
            sample: 0,
            shift: Vec2::ZERO,
            changed: 0,
            sun: None,
            has_sun: false,
            leads: true,
            is_guest: false,
            all_round: false,
        }
    }
}

impl Engine {
    /// Lays out the world's bodies. Pipelines are compiled when a drawing first needs them; [`Pipelines::warm`] does it before.
    ///
    /// The device must have the features and limits of [`crate::required_features`] and [`crate::required_limits`].
    ///
    /// # Errors
    /// When a number of the world is out of range ([`World::check`]), the device cannot run the engine, the world does not
    /// fit it, or a placement does not fit its ground.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, world: World, options: Options) -> Result<Self, Error> {
        Self::with_pipelines(&Pipelines::new(device, options.width)?, queue, world, options)
    }

    /// As [`Engine::new`], with pipelines that other engines may have compiled already. They have a width of their own, and
    /// that of the options does not count.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn with_pipelines(
        pipelines: &Pipelines,
        queue: &wgpu::Queue,
        world: World,
        options: Options,
    ) -> Result<Self, Error> {
        world.check()?;
        let device = pipelines.0.device();
        let mut resources = Resources::default();
        let pool = Pool::new(device, queue, &world, &mut resources)?;
        density::make(device, queue, &world, &mut resources)?;
        let ground = GroundPass::new(device, queue, &world, pool.patches(), &mut resources);
        let shadow_texels = options
            .shadow_texels
            .unwrap_or_else(|| shadow::default_texels(&device.adapter_info()))
            .min(shadow::MOST_TEXELS);
        let daylight = Daylight::new(&world.sun);
        Daylight::make_resources(device, &mut resources);
        shadow::make_buffers(device, shadow::Layout::new(shadow_texels), &mut resources);
        let mut wind = WindState::default();
        wind.advance(0.0, &world.wind);
        Ok(Self {
            options,
            simulation: OnceLock::new(),
            binding: Arc::new(()),
            kernels: pipelines.0.clone(),
            pool,
            ground,
            resources,
            world,
            shadow_texels,
            ridges: None,
            daylight,
            daylight_is_new: true,
            wind,
            time: 0.0,
            step: 1,
            pending: 0.0,
            step_seconds: 0.0,
            substeps: 0,
            skipped: 0.0,
        })
    }

    /// Its pipelines, for further engines on the same device.
    #[must_use]
    pub fn pipelines(&self) -> Pipelines {
        Pipelines(self.kernels.clone())
    }

    /// The world that is drawn.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The width that the raster runs with.
    #[must_use]
    pub fn raster_width(&self) -> RasterWidth {
        self.kernels.width
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

    /// Bytes of all buffers and textures of the world; those of each [`View`] come on top.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.resources.bytes()
    }

    /// The clock, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The light in which the world lies, for a host's own things.
    #[must_use]
    pub fn light(&self) -> Light {
        self.daylight.light()
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

    /// Places the obstacles for the next drawing; all of the world's may move.
    ///
    /// # Errors
    /// When there are more than [`crate::MOST_COLLIDERS`], or a number of theirs is out of range; those before stay.
    pub fn set_colliders(&mut self, colliders: Vec<crate::world::Collider>) -> Result<(), Error> {
        crate::world::check_colliders(&colliders)?;
        self.world.colliders = colliders;
        Ok(())
    }

    /// Lets another wind blow from the next drawing on. Each source goes on from where the one of its name stood, so
    /// its speed, direction and strength may change at any time without a jump of its pattern; see [`WindState::follow`] for
    /// what may not.
    ///
    /// # Errors
    /// When there are more than [`crate::field::wind::MAX_SOURCES`], or a number of theirs is out of range; the wind before
    /// blows on.
    pub fn set_winds(&mut self, wind: Wind) -> Result<(), Error> {
        crate::world::check_wind(&wind)?;
        self.wind.follow(&self.world.wind, &wind);
        self.world.wind = wind;
        Ok(())
    }

    /// Moves and changes the sun for the next drawing. Where it stands elsewhere, or the air is another, this takes some 30 ms.
    ///
    /// # Errors
    /// When a number is out of range; the sun before stays.
    pub fn set_sun(&mut self, sun: Sun) -> Result<(), Error> {
        crate::world::check_sun(&sun)?;
        self.daylight.follow(&sun);
        self.daylight_is_new = true;
        self.world.sun = sun;
        Ok(())
    }

    /// How much brighter the next picture is shown, in stops.
    ///
    /// # Errors
    /// When it is not a number from −64 to 64; the one before stays.
    pub fn set_exposure(&mut self, stops: f32) -> Result<(), Error> {
        self.set_sun(Sun { exposure: stops, ..self.world.sun })
    }

    /// How many turns of loops the kernel that moves bodies takes at most for each, see [`Simulation::list`].
    fn step_turns(&self) -> u64 {
        let [sources, obstacles, substeps] =
            [self.world.wind.sources.len() as u64, self.world.colliders.len() as u64, u64::from(self.substeps)];
        WAKE_TURNS + SOURCE_TURNS * sources + substeps * (1 + COLLISION_TURNS * obstacles)
    }

    fn simulation(&self) -> &Simulation {
        let bind = || Simulation::new(&self.kernels, &self.resources, self.pool.chunks());
        self.simulation.get_or_init(bind)
    }

    fn occlusion(&self) -> bool {
        self.world.populations.iter().all(|population| population.cull.occlusion)
    }

    /// Draws a frame into the view's own light buffer; [`Engine::present`] shows it.
    ///
    /// Encode one drawing after the other in any number of encoders, and submit all of them in that order: what is encoded
    /// counts as done.
    ///
    /// # Errors
    /// When the window is too large to be drawn at once.
    pub fn draw(
        &mut self,
        view: &mut View,
        encoder: &mut wgpu::CommandEncoder,
        timing: Timing<'_>,
    ) -> Result<(), Error> {
        self.draw_sample(view, encoder, 0, timing)
    }

    /// Draws one sample of a picture: a still, a frame of a film, motion blur. `sample` counts from 0: sample 0 starts a
    /// picture, each further one adds to it; time may pass between them.
    ///
    /// # Errors
    /// As [`Engine::draw`].
    pub fn draw_sample(
        &mut self,
        view: &mut View,
        encoder: &mut wgpu::CommandEncoder,
        sample: u32,
        timing: Timing<'_>,
    ) -> Result<(), Error> {
        self.encode_sample(view, encoder, sample, true, timing)
    }

    /// Leaves the world as [`Engine::draw_sample`] would, without a picture: bodies move, wake and sleep as in a drawing. A
    /// picture is replayed with all its samples, or drawn. One that is drawn later is the same to the bit as if those before
    /// had been drawn, so a film may begin in its middle.
    ///
    /// # Errors
    /// As [`Engine::draw`].
    pub fn replay_sample(
        &mut self,
        view: &mut View,
        encoder: &mut wgpu::CommandEncoder,
        sample: u32,
    ) -> Result<(), Error> {
        self.encode_sample(view, encoder, sample, false, Timing::None)
    }

    fn encode_sample(
        &mut self,
        view: &mut View,
        encoder: &mut wgpu::CommandEncoder,
        sample: u32,
        draws: bool,
        mut timing: Timing<'_>,
    ) -> Result<(), Error> {
        view.make_buffers(self.kernels.device())?;
        if !view.bound.as_ref().is_some_and(|(binding, _)| Arc::ptr_eq(binding, &self.binding)) {
            let work = Work {
                size: view.window.size,
                items: self.pool.items(),
                ground: self.ground.lanes(),
                occlusion: self.occlusion(),
                mesh: matches!(self.world.terrain, Terrain::Mesh { .. }),
                texels: self.shadow_texels,
                draws_ground: view.host.as_ref().is_none_or(|host| host.ground),
                host_samples: view.host.as_ref().map(|host| host.sample_count),
                host_shadow: view.host.as_ref().is_some_and(|host| host.shadow.is_some()),
            };
            let passes = Passes::new(&self.kernels, &[&self.resources, &view.resources], &work);
            // Another host's depth is no other world.
            if view.bound.is_some() {
                view.previous = None;
            }
            view.bound = Some((self.binding.clone(), passes));
        }
        let Some((_, bound)) = &view.bound else { return Ok(()) };
        let (camera, window) = (view.camera, view.window);
        let culled_from = view.cull_camera.unwrap_or(camera);
        let (leads, is_guest) = (view.leads, view.host.as_ref().is_some_and(|host| !host.sky));
        let shot = Shot { sample, shift: view.shift, leads, is_guest, ..Shot::new(&culled_from, &window) };
        self.prepare(encoder, &shot, &mut timing);
        let lit = view.drawing == Drawing::Lit;
        let shadow = if draws { bound.shadow.as_slice() } else { &[] };
        let has_sun =
            lit && self.draw_shadows(shadow, view.resources.buffer(slot::PIXELS), encoder, &camera, &shot, &mut timing);
        for slot in [slot::OPAQUE, slot::PARTIAL, slot::THICKNESS] {
            encoder.clear_buffer(view.resources.buffer(slot), 0, None);
        }
        // Only the counts at the head of the lists.
        encoder.clear_buffer(view.resources.buffer(slot::PIXELS), 0, Some(16));
        if has_sun {
            self.write_uniforms(encoder, &Shot { has_sun, ..shot });
        }
        self.simulation().list(encoder, &mut timing, Viewer::Camera, self.step_turns());
        if view.cull_camera.is_some() {
            self.write_uniforms(encoder, &Shot { camera: &camera, has_sun, ..shot });
        }
        let now = Previous::new(&camera, &window, self.step);
        if !draws {
            view.previous = Some(now);
            return Ok(());
        }
        self.ground.follow(&self.kernels, encoder, &self.resources, camera.eye, &mut timing);
        let previous = PreviousUniform::new(view.previous.as_ref(), &now);
        self.upload(encoder, slot::PREVIOUS, bytemuck::bytes_of(&previous));
        if let Some(host) = &view.host {
            let drawn = guest::Drawn { size: window.size, samples: sample + 1, near: camera.near, exposure: 1.0 };
            host.upload(self.kernels.device(), encoder, &view.resources, &drawn, camera.eye);
        }
        for pass in &bound.draw {
            pass.encode(encoder, &mut timing);
        }
        if lit {
            for pass in &bound.shade {
                pass.encode(encoder, &mut timing);
            }
        }
        if view.motion || !lit {
            let resources = [&self.resources, &view.resources];
            bound.motion(&self.kernels, &resources).encode(encoder, &mut timing);
        }
        view.previous = Some(now);
        view.samples = sample + 1;
        Ok(())
    }

    /// Moves and lists what the sun sees, draws it with the passes for that, and says whether it sees anything. `culled` is how
    /// the picture is culled.
    fn draw_shadows(
        &mut self,
        passes: &[Pass],
        pixels: &wgpu::Buffer,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        culled: &Shot<'_>,
        timing: &mut Timing<'_>,
    ) -> bool {
        let shines = self.shadow_texels > 0 && self.daylight.sunlight() != Vec3::ZERO;
        let sun = shines.then(|| {
            let extent = |index| Some(self.extent(index)?.full_within);
            SunView::new(&self.world, camera, self.shadow_texels, culled.sample, extent)
        });
        let map = sun.as_ref().map_or(MapUniform::zeroed(), SunView::uniform);
        self.upload(encoder, slot::SHADOW_MAP, bytemuck::bytes_of(&map));
        let layout = shadow::Layout::new(self.shadow_texels);
        let ridges = RidgesUniform::new(&self.world, camera.eye, layout);
        if let Some(wanted) = ridges.filter(|wanted| self.ridges != Some(*wanted)) {
            self.upload(encoder, slot::RIDGES, bytemuck::bytes_of(&wanted));
            for pass in self.simulation().ridges(&self.kernels, &self.resources) {
                pass.encode(encoder, timing);
            }
            self.ridges = ridges;
        }
        let Some(sun) = sun else { return false };
        let view = Shot { camera: &sun.camera, window: &sun.window, sun: Some(sun.corner), ..*culled };
        self.write_uniforms(encoder, &view);
        encoder.clear_buffer(pixels, 0, Some(16));
        encoder.clear_buffer(self.resources.buffer(slot::SHADOWS), 0, Some(layout.map_bytes()));
        self.simulation().list(encoder, timing, Viewer::Sun, self.step_turns());
        for pass in passes {
            pass.encode(encoder, timing);
        }
        true
    }

    /// Moves the bodies to the present time without drawing them: what happens between pictures. Bodies in the camera's view
    /// move, in a picture that it would take in this window.
    pub fn simulate(&mut self, encoder: &mut wgpu::CommandEncoder, camera: &Camera, window: &Window) {
        self.prepare(encoder, &Shot::new(camera, window), &mut Timing::None);
        self.simulation().move_bodies(encoder, self.step_turns());
    }

    /// Sends what the frame's passes read, and fills the tiles that have come into the rings.
    fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, shot: &Shot<'_>, timing: &mut Timing<'_>) {
        self.take_step();
        let eye = shot.camera.eye;
        let changed = if shot.leads { self.pool.follow(eye, &self.world.terrain) } else { Vec::new() };
        let changed_tiles = changed.len() as u32;
        if std::mem::take(&mut self.daylight_is_new) {
            self.daylight.upload(self.kernels.device(), encoder, &self.resources);
        }
        self.write_uniforms(encoder, &Shot { changed: changed_tiles, ..*shot });
        self.pool.upload(self.kernels.device(), encoder, &self.resources, &changed);
        // A dimension of a dispatch holds 65,535 workgroups.
        let across = changed_tiles.min(65_535);
        let groups = [across, changed_tiles.div_ceil(across.max(1))];
        self.simulation().generate.encode_groups(encoder, timing, groups);
    }

    fn write_uniforms(&self, encoder: &mut wgpu::CommandEncoder, view: &Shot<'_>) {
        let jitter = jitter(view.sample);
        let shift = if view.sun.is_some() { Vec2::ZERO } else { view.shift };
        let drawn = FrameUniform::new(view.camera, view.window, shift, jitter);
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
            occlusion: u32::from(self.occlusion() && view.sun.is_none() && view.leads),
            is_sun: u32::from(view.sun.is_some()),
            has_sun: u32::from(view.has_sun),
            outline_error: self.options.outline_error.unwrap_or(OUTLINE_ERROR).clamp(0.01, 64.0),
            leads: u32::from(view.leads && !view.all_round),
            is_guest: u32::from(view.is_guest),
            texel_corner: view.sun.unwrap_or_default(),
            changed: view.changed,
            skipped: self.skipped as f32,
            ..drawn
                .culled_as(&FrameUniform::new(view.culled_from, view.culled_in, shift, jitter))
                .lit(&self.world, &self.daylight)
        };
        self.upload(encoder, slot::FRAME, bytemuck::bytes_of(&frame));
        self.upload(encoder, slot::WIND, bytemuck::bytes_of(&self.world.wind.gpu(&self.wind).unwrap_or_default()));
        let populations = PopulationsUniform::new(&self.world, frame.cull_focal, |index| self.pool.extent(index));
        let populations = if view.all_round { populations.all_round() } else { populations };
        self.upload(encoder, slot::POPULATIONS, bytemuck::bytes_of(&populations));
        self.upload(encoder, slot::COLLIDERS, bytemuck::bytes_of(&CollidersUniform::new(&self.world.colliders)));
    }

    /// Copies through the encoder, so that several drawings in one submission each see their own numbers.
    fn upload(&self, encoder: &mut wgpu::CommandEncoder, slot: u32, bytes: &[u8]) {
        crate::fill::upload(self.kernels.device(), encoder, self.resources.buffer(slot), 0, bytes);
    }

    /// Shows the light that has gathered in a view, through exposure and film curve, on a target of the size of its window.
    /// Before the first drawing it does nothing.
    pub fn present(
        &self,
        view: &View,
        encoder: &mut wgpu::CommandEncoder,
        presenter: &crate::Presenter,
        target: &wgpu::TextureView,
    ) {
        if view.is_drawn() {
            let shown = Shown { size: view.window.size, samples: view.samples, exposure: self.daylight.exposure() };
            presenter.encode(self.kernels.device(), encoder, &view.resources, target, &shown);
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
    pub fn list_items(&mut self, encoder: &mut wgpu::CommandEncoder, camera: &Camera, window: &Window) {
        self.prepare(encoder, &Shot::new(camera, window), &mut Timing::None);
        self.simulation().list(encoder, &mut Timing::None, Viewer::Camera, self.step_turns());
    }
}
