//! What `anemone render` is asked for, once the scene has been read: what a still and a film have in common.

use anemone::{Camera, Engine, Options, RasterWidth, World};
use anemone_scene::{Camera as SceneCamera, Scene};

use crate::args::RenderArgs;
use crate::device::Gpu;
use crate::failure::Failure;
use crate::picture::{self, Shot};
use crate::target::Target;

/// A scene to be drawn, with what the command line says otherwise.
pub struct Job {
    pub scene: Scene,
    camera: SceneCamera,
    cull_camera: Option<SceneCamera>,
    options: Options,
    /// Until the engine has it.
    world: Option<World>,
}

impl Job {
    /// Reads the scene and its files.
    pub fn read(args: &RenderArgs) -> Result<Self, Failure> {
        let mut scene = args.scene.load()?;
        let (name, camera) = scene.camera(args.scene.camera.as_deref())?;
        let (name, camera) = (name.to_owned(), camera.clone());
        let render = &mut scene.render;
        render.camera = Some(name);
        render.size = args.scene.size.unwrap_or(render.size);
        render.samples = args.samples.unwrap_or(render.samples);
        render.time = args.time.unwrap_or(render.time);
        render.shutter = args.shutter.unwrap_or(render.shutter);
        render.fps = args.fps.unwrap_or(render.fps);
        let world = scene.world(scene.render.time)?;
        picture::refuse_too_wide(&scene.camera_at(&camera, scene.render.time, &world), scene.render.size)?;
        let cull_camera = match &args.cull_camera {
            Some(name) => Some(scene.camera(Some(name))?.1.clone()),
            None => None,
        };
        let settings = scene.render.quality.settings();
        let width = args.scene.narrow.then_some(RasterWidth::Narrow);
        let options = Options { width, ..settings.options() };
        Ok(Self { scene, camera, cull_camera, options, world: Some(world) })
    }

    /// Refuses to write over a file that the scene is made of.
    pub fn spares_its_sources(&self, target: &Target, args: &RenderArgs) -> Result<(), Failure> {
        target.is_not(&args.scene.scene)?;
        self.scene.files().into_iter().try_for_each(|file| target.is_not(file))
    }

    /// Lays out the scene's world.
    pub fn engine(&mut self, gpu: &Gpu) -> Result<Engine, Failure> {
        let world = match self.world.take() {
            Some(world) => world,
            None => self.scene.world(self.scene.render.time)?,
        };
        let engine = Engine::new(&gpu.device, &gpu.queue, world, self.options);
        let engine = engine.map_err(|error| Failure::of_world(&error, &self.scene))?;
        gpu.wait()?;
        Ok(engine)
    }

    /// The camera that culls, where it is at the engine's time.
    pub fn culls_from(&self, engine: &Engine) -> Camera {
        self.scene.camera_at(self.cull_camera.as_ref().unwrap_or(&self.camera), engine.time(), engine.world())
    }

    /// How its pictures are taken.
    pub fn shot(&self) -> Shot<'_> {
        let render = &self.scene.render;
        Shot {
            scene: &self.scene,
            camera: &self.camera,
            cull_camera: self.cull_camera.as_ref(),
            size: render.size,
            samples: render.samples,
            shutter: render.shutter,
        }
    }
}
