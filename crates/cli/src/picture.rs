//! A whole picture: windows small enough to be drawn at once, each sample by sample, read back as 8-bit sRGB, or as the light
//! that the film curve takes.

use std::path::Path;

use ::exr::prelude::f16;
use anemone::glam::DVec3;
use anemone::{Camera, Engine, Presenter, Timing, View, Window, wgpu};
use anemone_scene::{Camera as SceneCamera, Scene};

use crate::device::Gpu;
use crate::exr;
use crate::failure::Failure;
use crate::target::Target;

/// The format pictures are presented in.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Pixels, row by row, RGB.
pub struct Picture {
    pub size: [u32; 2],
    pub rgb: Vec<u8>,
}

/// A picture before the film curve.
pub struct Linear {
    pub size: [u32; 2],
    /// From where it was taken: where the camera was when the shutter opened.
    pub camera: Camera,
    /// How long the shutter was open, s.
    pub shutter: f64,
    /// The factor from kcd/m² to the values.
    pub exposure: f32,
    /// Row by row, linear RGB of Rec. 709 times exposure, where 1 is as bright as a sensor goes; what would be more than a half
    /// can say is its most, 65,504, for infinities spread in filters.
    pub rgb: Vec<[f16; 3]>,
}

/// The kinds of files that hold one picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 8-bit sRGB, as a screen shows it.
    Png,
    /// OpenEXR: linear light, for compositing.
    Exr,
}

impl Format {
    /// The ends of their names.
    pub const ENDS: &[&str] = &["png", "exr"];

    /// What the name of a file says, which ends in one of these.
    pub fn of(path: &Path) -> Self {
        let is_exr = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("exr"));
        if is_exr { Self::Exr } else { Self::Png }
    }
}

/// What a picture's file says about it as a frame of a film.
pub struct FrameFacts<'a> {
    pub number: u32,
    pub fps: f64,
    /// Texts by their keywords.
    pub texts: &'a [(&'a str, String)],
}

/// What wrote a file.
pub fn software() -> String {
    format!("Anemone {}", env!("CARGO_PKG_VERSION"))
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

    /// Draws a picture of this moment as [`Painter::draw`] does, before the film curve.
    fn draw_linear(
        &mut self,
        gpu: &Gpu,
        engine: &mut Engine,
        mut drawn: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Linear, Failure> {
        let Shot { size, shutter, .. } = self.shot;
        self.follow(engine)?;
        let (camera, exposure) = (self.view.camera, engine.light().exposure);
        let rgb = vec![[f16::ZERO; 3]; size[0] as usize * size[1] as usize];
        let mut picture = Linear { size, camera, shutter, exposure, rgb };
        for index in 0..self.windows.len() {
            self.samples(gpu, engine, index, true, &mut drawn)?;
            refuse_gaps(gpu, engine)?;
            // That of the last sample, as for a picture that is presented.
            picture.exposure = engine.light().exposure;
            copy_light(gpu, &self.view, &mut picture)?;
        }
        Ok(picture)
    }

    /// Draws a picture of this moment, and gives the bytes of its file. Otherwise as [`Painter::draw`].
    pub fn draw_file(
        &mut self,
        gpu: &Gpu,
        engine: &mut Engine,
        target: &Target,
        frame: Option<&FrameFacts<'_>>,
        drawn: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Vec<u8>, Failure> {
        let encoded = match target.format() {
            Format::Png => {
                let picture = self.draw(gpu, engine, drawn)?;
                let texts = frame.map(|frame| [&[("Software", software())], frame.texts].concat()).unwrap_or_default();
                encode_png(&picture, &texts).map_err(|error| error.to_string())
            }
            Format::Exr => {
                let picture = self.draw_linear(gpu, engine, drawn)?;
                exr::encode(&picture, frame).map_err(|error| error.to_string())
            }
        };
        encoded.map_err(|error| Failure::Machine(format!("{}: not written: {error}", target.name())))
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

/// Puts the light of a window into its place, through everything that comes before the film curve.
fn copy_light(gpu: &Gpu, view: &View, picture: &mut Linear) -> Result<(), Failure> {
    let Some(buffer) = view.light_buffer() else { return Ok(()) };
    let bytes = gpu.read(buffer)?;
    let light: &[[f32; 4]] = bytemuck::cast_slice(&bytes);
    let (samples, exposure) = (view.samples() as f32, picture.exposure);
    let value = |sum: f32| f16::from_f32(((sum / samples).max(0.0) * exposure).min(f16::MAX.to_f32()));
    let Window { origin: [left, top], size: [width, _], .. } = view.window;
    for (y, row) in light.chunks_exact(width as usize).enumerate() {
        let at = (top as usize + y) * picture.size[0] as usize + left as usize;
        for (pixel, &[red, green, blue, _]) in picture.rgb[at..].iter_mut().zip(row) {
            *pixel = [red, green, blue].map(value);
        }
    }
    Ok(())
}

/// A picture as a PNG file, with texts in it by their keywords.
fn encode_png(picture: &Picture, texts: &[(&str, String)]) -> Result<Vec<u8>, png::EncodingError> {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command};
    use crate::job::Job;

    const SCENE: &str = "format = 1\n[camera.main]\nposition = [0, 1, 4]\nlook_at = [0, 0.3, 0]\n[ground]\nkind = 'plane'\n\
        [population.grass]\ncount = 500\nside = 4\n";

    /// A picture larger than one binding is drawn in windows; here they are made so small that there are several.
    #[test]
    fn light_that_is_drawn_in_windows_is_the_whole_pictures() {
        let folder = tempfile::TempDir::new().unwrap();
        let scene = folder.path().join("scene.toml");
        std::fs::write(&scene, SCENE).unwrap();
        let words = ["anemone", "render", scene.to_str().unwrap(), "-o", "a.exr", "--size", "24x12", "--samples", "2"];
        let Command::Render(args) = Args::parse_from(words).command else { panic!("no render") };
        let gpu = Gpu::open(None).unwrap();
        let draw = |most: u64| {
            let mut job = Job::read(&args).unwrap();
            let mut engine = job.engine(&gpu).unwrap();
            let mut painter = Painter::new(&gpu, job.shot()).unwrap();
            painter.windows = windows([24, 12], most);
            let picture = painter.draw_linear(&gpu, &mut engine, || Ok(())).unwrap();
            (painter.windows.len(), picture.rgb)
        };
        let (one, whole) = draw(24 * 12);
        // Parts of rows, the last of which are narrower.
        let (parts, in_parts) = draw(13);
        assert_eq!([one, parts], [1, 24]);
        assert!(whole.iter().all(|rgb| rgb.iter().all(|value| value.is_finite() && value.to_f32() > 0.0)));
        assert!(whole == in_parts, "windows have seams");
    }
}
