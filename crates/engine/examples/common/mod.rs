//! What the examples share: a device, a target that is written to a file, and a meadow.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use anemone::field::wind::{Kind, Source, Wind};
use anemone::glam::Vec3;
use anemone::terrain::height::Ground;
use anemone::{Color, Cull, Distance, Facing, Forces, Growth, Placement, Population, Shape, Sun, Terrain, World, wgpu};

/// A device of the first adapter.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    pub fn open() -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: anemone::required_features(adapter.features()),
            required_limits: anemone::required_limits(&adapter),
            ..Default::default()
        }))?;
        Ok(Self { device, queue })
    }

    pub fn target(&self, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    /// Writes a target of 8-bit codes, whose rows are a multiple of 64 pixels, as a PNG file.
    pub fn write(&self, picture: &wgpu::Texture, path: &str) -> Result<(), Box<dyn Error>> {
        let [width, height] = [picture.width(), picture.height()];
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size: u64::from(4 * width * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(picture.as_image_copy(), to, picture.size());
        self.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |_| ());
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header()?.write_image_data(&buffer.slice(..).get_mapped_range()?)?;
        eprintln!("{path}");
        Ok(())
    }
}

/// Grass as it grows in a meadow, 3 m to the side, in a gusty breeze on a summer's morning.
pub fn meadow(ground: Ground) -> World {
    let blades = Population {
        placement: Placement::Square { centre: Default::default(), side: 5.0, count: 60_000 },
        height: [0.15, 0.32],
        width: [0.003, 0.006],
        stiffness: [8.0, 13.0],
        lean: [0.0, 0.35],
        shape: Shape::Quadratic,
        facing: Facing::Widen,
        distance: Distance::Rank { full_within: 20.0, range: 100.0 },
        cull: Cull::ALL,
        forces: Forces::default(),
        color: Color {
            root: Vec3::new(0.02, 0.05, 0.01),
            tip: Vec3::new(0.12, 0.26, 0.035),
            dry: Vec3::new(0.38, 0.28, 0.09),
            through: Vec3::new(0.9, 0.95, 0.2),
            variety: 0.5,
            dead: 0.035,
        },
        clumps: None,
        growth: Growth::default(),
        density_map: None,
        seed: 1,
    };
    let gusts = Kind::Gusts {
        velocity: Vec3::new(3.5, 0.0, 0.8),
        wavelength: 8.0,
        octaves: 3,
        gain: 0.6,
        along: 0.4,
        across: 0.2,
        scroll: 1.0,
        seed: 3,
    };
    World {
        populations: vec![blades],
        terrain: Terrain::Height(Box::new(ground)),
        soil: Vec3::new(0.12, 0.08, 0.05),
        wind: Wind { sources: vec![Source::new(gusts)] },
        colliders: Vec::new(),
        sun: Sun {
            direction: Vec3::new(0.75, 0.55, 0.35).normalize(),
            light: Vec3::ONE,
            sky: 1.0,
            visibility: 40_000.0,
            exposure: 0.0,
        },
    }
}
