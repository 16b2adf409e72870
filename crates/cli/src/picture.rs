//! A whole picture: windows small enough to be drawn at once, each sample by sample, read back as 8-bit sRGB.

use anemone::glam::DVec3;
use anemone::{Camera, Engine, Presenter, Timing, View, Window, wgpu};
use anemone_scene::{Camera as SceneCamera, Scene};

use crate::device::Gpu;
use crate::failure::Failure;

/// The format pictures are presented in.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Pixels, row by row, RGB.
pub struct Picture {
    pub size: [u32; 2],
    pub rgb: Vec<u8>,
}

/// The windows that a picture is drawn in.
pub fn windows(size: [u32; 2], most: u64) -> Vec<Window> {
    // Rows of windows as wide as the picture, unless not even one row of pixels fits.
    let width = u64::from(size[0]).min(most).min(8192) as u32;
    let height = (most / u64::from(width)).clamp(1, 8192).min(u64::from(size[1])) as u32;
    let mut windows = Vec::new();
    for y in (0..size[1]).step_by(height as usize) {
        for x in (0..size[0]).step_by(width as usize) {
            let part = [width.min(size[0] - x), height.min(size[1] - y)];
            windows.push(Window { picture: size, origin: [x, y], size: part });
        }
    }
    windows
}

/// The widest angle that a picture may take in, degrees: beyond it a flat picture shows next to nothing but its stretched ends.
const WIDEST: f32 = 178.0;

/// Refuses a picture so much wider than high that the camera's angle of view would reach half round.
pub fn refuse_too_wide(camera: &Camera, [width, height]: [u32; 2]) -> Result<(), Failure> {
    let aspect = width as f32 / height as f32;
    let angle = 2.0 * ((0.5 * camera.fov).tan() * aspect).atan().to_degrees();
    if angle <= WIDEST {
        return Ok(());
    }
    Err(Failure::Mistake(format!(
        "a picture of {width}×{height} pixels from a camera whose fov is {:.0}° from below to above would take in {angle:.2}° \
         from left to right, and a flat picture takes in {WIDEST}° at most: make it less wide, or the fov smaller",
        camera.fov.to_degrees()
    )))
}

/// How a picture is taken.
#[derive(Clone, Copy)]
pub struct Shot<'a> {
    pub scene: &'a Scene,
    pub camera: &'a SceneCamera,
    pub cull_camera: Option<&'a SceneCamera>,
    pub size: [u32; 2],
    pub samples: u32,
    /// s
    pub shutter: f64,
}

/// Takes pictures one after the other.
pub struct Painter<'a> {
    shot: Shot<'a>,
    windows: Vec<Window>,
    view: View,
    presenter: Presenter,
}

impl<'a> Painter<'a> {
    /// # Errors
    /// [`Failure::Mistake`] when the shutter is open for a picture that must be drawn in parts.
    pub fn new(gpu: &Gpu, shot: Shot<'a>) -> Result<Self, Failure> {
        let Shot { size, shutter, .. } = shot;
        let windows = windows(size, anemone::most_pixels(&gpu.device));
        if shutter > 0.0 && windows.len() > 1 {
            // The second part would begin when the first one ends.
            return Err(Failure::Mistake(format!(
                "{}×{} pixels must be drawn in {} parts on this adapter, and a shutter that is open for {shutter} s needs the \
                 picture in one: make it smaller, or leave the shutter out",
                size[0],
                size[1],
                windows.len()
            )));
        }
        // The camera is put in its place before each sample.
        let nowhere = Camera::look_at(DVec3::ZERO, DVec3::NEG_Z, shot.camera.fov, shot.camera.near);
        let view = View::new(nowhere, Window::whole(size));
        Ok(Self { shot, windows, view, presenter: Presenter::new(&gpu.device, FORMAT) })
    }

    /// Puts everything that moves where it is at the engine's time.
    fn follow(&mut self, engine: &mut Engine) -> Result<(), Failure> {
        let Shot { scene, camera, cull_camera, size, .. } = self.shot;
        scene.follow(engine)?;
        let (time, world) = (engine.time(), engine.world());
        self.view.camera = scene.camera_at(camera, time, world);
        self.view.cull_camera = cull_camera.map(|camera| scene.camera_at(camera, time, world));
        refuse_too_wide(&self.view.camera, size)
    }

    /// Draws a picture of this moment; `drawn` is called after each sample of each window, and its failure ends the drawing.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        engine: &mut Engine,
        mut drawn: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Picture, Failure> {
        let [width, height] = self.shot.size;
        let mut picture = Picture { size: self.shot.size, rgb: vec![0; 3 * width as usize * height as usize] };
        for index in 0..self.windows.len() {
            self.samples(gpu, engine, index, true, &mut drawn)?;
            refuse_gaps(gpu, engine)?;
            copy_window(gpu, engine, &self.presenter, &self.view, &mut picture)?;
        }
        Ok(picture)
    }

    /// Leaves the world as if the picture had been drawn.
    pub fn replay(
        &mut self,
        gpu: &Gpu,
        engine: &mut Engine,
        mut passed: impl FnMut() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        (0..self.windows.len()).try_for_each(|index| self.samples(gpu, engine, index, false, &mut passed))
    }

    fn samples(
        &mut self,
        gpu: &Gpu,
        engine: &mut Engine,
        window: usize,
        draws: bool,
        done: &mut impl FnMut() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Shot { samples, shutter, .. } = self.shot;
        self.view.window = self.windows[window];
        for sample in 0..samples {
            if shutter > 0.0 {
                // The middle of the sample's own part of the time.
                let part = shutter / f64::from(samples);
                engine.advance(if sample == 0 { 0.5 * part } else { part });
            }
            self.follow(engine)?;
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            if draws {
                engine.draw_sample(&mut self.view, &mut encoder, sample, Timing::None)?;
            } else {
                engine.replay_sample(&mut self.view, &mut encoder, sample)?;
            }
            gpu.queue.submit([encoder.finish()]);
            gpu.wait()?;
            done()?;
        }
        Ok(())
    }
}

/// Refuses a picture that lacks bodies because there was no room for them.
fn refuse_gaps(gpu: &Gpu, engine: &Engine) -> Result<(), Failure> {
    let counts = gpu.counts(engine)?;
    let message = if counts.dropped + counts.rows_dropped > 0 {
        "the view holds more bodies than there is room for, so the picture would lack some: lower the density or the count, \
         or leave the culls on"
    } else if counts.sun_dropped > 0 {
        "more bodies stand where shadows are drawn than there is room for, so the picture would lack shadows: lower the \
         density or the count"
    } else {
        return Ok(());
    };
    Err(Failure::Mistake(message.to_owned()))
}

fn copy_window(
    gpu: &Gpu,
    engine: &Engine,
    presenter: &Presenter,
    view: &View,
    picture: &mut Picture,
) -> Result<(), Failure> {
    let window = view.window;
    let [width, height] = window.size;
    let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    engine.present(view, &mut encoder, presenter, &texture.create_view(&Default::default()));
    let stride = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(stride) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride), rows_per_image: None },
        },
        extent,
    );
    gpu.queue.submit([encoder.finish()]);
    let bytes = gpu.read(&buffer)?;
    for (y, row) in bytes.chunks_exact(stride as usize).enumerate() {
        let at = 3 * ((window.origin[1] as usize + y) * picture.size[0] as usize + window.origin[0] as usize);
        let target = picture.rgb[at..at + 3 * width as usize].chunks_exact_mut(3);
        for (pixel, texel) in target.zip(row.chunks_exact(4)) {
            pixel.copy_from_slice(&texel[..3]);
        }
    }
    Ok(())
}

/// A picture as a PNG file, with texts in it by their keywords.
pub fn encode_png(picture: &Picture, texts: &[(&str, String)]) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.size[0], picture.size[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Balanced);
    for (keyword, text) in texts {
        encoder.add_text_chunk((*keyword).to_owned(), text.clone())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb)?;
    writer.finish()?;
    Ok(bytes)
}
