//! What the tests share: a device opened once, small worlds, drawing and reading back.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use anemone::field::wind::{Kind, Source, Wind};
use anemone::glam::{DVec2, DVec3, Vec3};
use anemone::motion::blade::Body;
use anemone::probe::Probe;
use anemone::terrain::height::Ground;
use anemone::{
    Camera, Color, Counts, Cull, Distance, Engine, Facing, Forces, Growth, Options, Pipelines, Placement, Population,
    RasterWidth, Shape, Sun, Terrain, Timing, View, Window, World, wgpu,
};
use bytemuck::Pod;

/// An open device.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
    /// Wide and narrow.
    pipelines: [OnceLock<Pipelines>; 2],
}

/// The device that most tests run on: the first Vulkan adapter with everything that the engine can make use of.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        Gpu::open(wgpu::InstanceFlags::default(), |adapter| {
            (anemone::required_features(adapter.features()), anemone::required_limits(adapter))
        })
    })
}

impl Gpu {
    /// Opens a device of the first Vulkan adapter with the features and limits that `ask` says.
    ///
    /// # Panics
    /// When there is none: a test that cannot run must not pass. `cargo xtask setup` installs a software driver.
    pub fn open(flags: wgpu::InstanceFlags, ask: impl Fn(&wgpu::Adapter) -> (wgpu::Features, wgpu::Limits)) -> Self {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.flags |= flags;
        let instance = wgpu::Instance::new(descriptor);
        let adapter = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN))
            .into_iter()
            .next()
            .expect("no Vulkan adapter: `cargo xtask setup` installs Mesa's software driver");
        let (required_features, required_limits) = ask(&adapter);
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features,
            required_limits,
            ..Default::default()
        }))
        .expect("a device");
        Self { device, queue, info: adapter.get_info(), pipelines: Default::default() }
    }

    /// What a buffer holds.
    pub fn read<T: Pod>(&self, buffer: &wgpu::Buffer) -> Vec<T> {
        let size = buffer.size();
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, size);
        self.queue.submit([encoder.finish()]);
        copy.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("the read-back maps"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        let bytes = copy.slice(..).get_mapped_range().expect("the read-back is mapped");
        bytemuck::pod_collect_to_vec(&bytes[..])
    }

    /// A texture to draw on and to read back.
    pub fn target(&self, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("target"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    /// The texels of a target of four bytes each.
    pub fn texels<T: Pod>(&self, texture: &wgpu::Texture) -> Vec<T> {
        bytemuck::pod_collect_to_vec(&self.bytes_of(texture, 4))
    }

    /// The bytes of a target with so many a texel.
    pub fn bytes_of(&self, texture: &wgpu::Texture, each: u32) -> Vec<u8> {
        let [width, height] = [texture.width(), texture.height()];
        let stride = each * width;
        assert_eq!(stride % wgpu::COPY_BYTES_PER_ROW_ALIGNMENT, 0);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("texels"),
            size: u64::from(stride * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        self.submit(|encoder| {
            let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride), rows_per_image: None };
            let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
            encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        });
        self.read(&buffer)
    }

    /// An engine for a world. Unless a test says otherwise, the map of shadows is small, as the pictures are.
    pub fn engine(&self, world: World, options: Options) -> Drawn {
        let options = Options { shadow_texels: options.shadow_texels.or(Some(256)), ..options };
        let width = options.width.unwrap_or_else(|| anemone::raster_width(self.device.features()));
        let pipelines = self.pipelines[usize::from(width == RasterWidth::Narrow)]
            .get_or_init(|| Pipelines::new(&self.device, Some(width)).expect("the device runs the engine"));
        Drawn::new(Engine::with_pipelines(pipelines, &self.queue, world, options).expect("the world fits the device"))
    }

    /// An engine with one of the raster's widths.
    pub fn engine_of(&self, world: World, width: RasterWidth) -> Drawn {
        self.engine(world, Options { width: Some(width), ..Options::default() })
    }

    /// Encodes with `f` and submits.
    pub fn submit(&self, f: impl FnOnce(&mut wgpu::CommandEncoder)) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        f(&mut encoder);
        self.queue.submit([encoder.finish()]);
    }

    /// Draws the samples of a picture.
    pub fn draw(&self, drawn: &mut Drawn, camera: &Camera, window: &Window, samples: u32) {
        let Drawn { engine, view } = drawn;
        (view.camera, view.window) = (*camera, *window);
        for sample in 0..samples {
            self.submit(|encoder| engine.draw_sample(view, encoder, sample, Timing::None).expect("the window fits"));
        }
    }

    /// Lets `steps` steps of `dt` seconds pass without drawing.
    pub fn simulate(&self, engine: &mut Engine, camera: &Camera, window: &Window, dt: f64, steps: u32) {
        for _ in 0..steps {
            engine.advance(dt);
            self.submit(|encoder| engine.simulate(encoder, camera, window));
        }
    }

    pub fn counts(&self, engine: &Engine) -> Counts {
        self.read(engine.counts_buffer())[0]
    }

    /// Everything that a drawing leaves behind.
    pub fn layers(&self, drawn: &Drawn) -> Layers {
        let view = &drawn.view;
        let [opaque, partial] = view.visibility().expect("something was drawn");
        Layers {
            opaque: self.read(opaque),
            partial: self.read(partial),
            thickness: self.read(view.probe(Probe::Thickness)),
            light: self.read(view.probe(Probe::Light)),
        }
    }

    pub fn bodies(&self, engine: &Engine) -> Vec<Body> {
        self.read(engine.probe(Probe::Bodies))
    }
}

/// A 16-bit float.
pub fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from((bits >> 10) & 31), f32::from(bits & 1023));
    let size = if exponent == 0 { fraction * 2_f32.powi(-24) } else { (1024.0 + fraction) * 2_f32.powi(exponent - 25) };
    if bits >> 15 == 1 { -size } else { size }
}

/// An engine and the view that it is drawn in.
pub struct Drawn {
    pub engine: Engine,
    pub view: View,
}

impl Drawn {
    /// Whose camera and window the first drawing sets.
    pub fn new(engine: Engine) -> Self {
        Self { engine, view: View::new(look([0.0, 1.0, 1.0], [0.0; 3]), Window::whole([1, 1])) }
    }
}

impl Deref for Drawn {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

impl DerefMut for Drawn {
    fn deref_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

/// Everything that a drawing leaves behind, pixel by pixel.
#[derive(Clone)]
pub struct Layers {
    /// Payload and depth.
    pub opaque: Vec<[u32; 2]>,
    pub partial: Vec<[u32; 2]>,
    pub thickness: Vec<u32>,
    /// Linear light and coverage, summed over the samples.
    pub light: Vec<[f32; 4]>,
}

impl Layers {
    /// Pixels whose nearest opaque thing is a body.
    pub fn bodies(&self) -> usize {
        self.opaque.iter().filter(|pixel| pixel[0] >= 128).count()
    }

    /// Pixels with a partial fragment.
    pub fn partials(&self) -> usize {
        self.partial.iter().filter(|pixel| pixel[0] >= 128).count()
    }

    /// Fails where the other drawing differs by a single bit.
    pub fn assert_equal(&self, other: &Self, what: &str) {
        self.assert_same_geometry(other, what);
        same(bytemuck::cast_slice(&self.light), bytemuck::cast_slice(&other.light), 16, "light", what);
    }

    /// Fails where another body shows, or the same one at another depth or coverage: all but the colours.
    pub fn assert_same_geometry(&self, other: &Self, what: &str) {
        same(bytemuck::cast_slice(&self.opaque), bytemuck::cast_slice(&other.opaque), 8, "opaque layer", what);
        same(bytemuck::cast_slice(&self.partial), bytemuck::cast_slice(&other.partial), 8, "partial layer", what);
        same(bytemuck::cast_slice(&self.thickness), bytemuck::cast_slice(&other.thickness), 4, "thickness", what);
    }

    /// Fails where light or coverage is no number.
    pub fn assert_finite(&self, what: &str) {
        let bad = self.light.iter().filter(|pixel| pixel.iter().any(|x| !x.is_finite())).count();
        assert_eq!(bad, 0, "{what}: {bad} pixels of light are not finite");
    }
}

/// Fails where two layers differ; `size` bytes a pixel.
fn same(a: &[u8], b: &[u8], size: usize, layer: &str, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}: {layer} of another size");
    let pixel = |bytes: &'_ [u8], i: usize| -> Vec<u8> { bytes[i * size..(i + 1) * size].to_vec() };
    let differ: Vec<usize> =
        (0..a.len() / size).filter(|i| a[i * size..(i + 1) * size] != b[i * size..(i + 1) * size]).collect();
    if let Some(&first) = differ.first() {
        panic!(
            "{what}: {} of {} pixels of the {layer} differ, the first at {first}: {:02x?} and {:02x?}",
            differ.len(),
            a.len() / size,
            pixel(a, first),
            pixel(b, first),
        );
    }
}

/// A lawn on a square round the origin.
pub fn lawn(side: f32, count: u32) -> Population {
    Population {
        placement: Placement::Square { centre: DVec2::ZERO, side, count },
        height: [0.1, 0.3],
        width: [0.004, 0.008],
        stiffness: [8.0, 13.0],
        lean: [0.0, 0.2],
        shape: Shape::Quadratic,
        facing: Facing::Widen,
        distance: Distance::Rank { full_within: 20.0, range: 100.0 },
        cull: Cull::ALL,
        forces: Forces::default(),
        color: Color {
            root: Vec3::new(0.02, 0.05, 0.01),
            tip: Vec3::new(0.16, 0.32, 0.04),
            dry: Vec3::new(0.38, 0.28, 0.09),
            through: Vec3::new(0.9, 0.95, 0.2),
            variety: 0.5,
            dead: 0.035,
        },
        clumps: None,
        growth: Growth::default(),
        density_map: None,
        seed: 1,
    }
}

/// A world on a height ground, with a breeze.
pub fn world(ground: Ground, populations: Vec<Population>) -> World {
    World {
        populations,
        terrain: Terrain::Height(Box::new(ground)),
        soil: Vec3::new(0.12, 0.08, 0.05),
        wind: breeze(3.0),
        colliders: Vec::new(),
        sun: Sun {
            direction: Vec3::new(0.5, 0.6, 0.4).normalize(),
            light: Vec3::ONE,
            sky: 1.0,
            visibility: 40_000.0,
            exposure: 0.0,
        },
    }
}

/// A world on a mesh sphere of radius 1 m round `origin`.
pub fn sphere(origin: DVec3, populations: Vec<Population>) -> World {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/meshes/sphere.glb");
    let mesh = anemone::terrain::mesh::Mesh::load(path.as_ref()).expect("the shipped sphere loads");
    let terrain = Terrain::Mesh { mesh: Box::new(mesh), origin };
    World { terrain, ..world(Ground::plane(0.0), populations) }
}

/// A steady wind to the east, m/s, the same everywhere.
pub fn breeze(speed: f32) -> Wind {
    Wind { sources: vec![Source::new(Kind::Constant { velocity: Vec3::new(speed, 0.0, 0.3 * speed) })] }
}

/// A gusty wind.
pub fn gusts(speed: f32) -> Wind {
    Wind {
        sources: vec![Source::new(Kind::Gusts {
            velocity: Vec3::new(speed, 0.0, 0.0),
            wavelength: 8.0,
            octaves: 3,
            gain: 0.6,
            along: 0.4,
            across: 0.2,
            scroll: 1.0,
            seed: 3,
        })],
    }
}

/// A camera at `eye` that looks at `target`.
pub fn look(eye: [f64; 3], target: [f64; 3]) -> Camera {
    Camera::look_at(DVec3::from_array(eye), DVec3::from_array(target), 0.9, 0.02)
}
