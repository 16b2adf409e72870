//! The light of a world's sun, sky and air, as the shaders read it, and the exposure that fits it.

use anemone_sky::atmosphere::Atmosphere;
use anemone_sky::sky_view::{COLUMNS, ROWS, SkyUniform, SkyView};
use glam::{Vec3, Vec4};

use crate::fill::{filled, upload};
use crate::resources::{Resources, slot};
use crate::world::Sun;

/// Luminance of linear Rec. 709.
const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

/// How far one sees, at least, in the air of which the sky is made, m.
const LEAST_ABOVE: f32 = 8000.0;

/// Bytes of a row of the table.
const ROW_BYTES: u32 = COLUMNS as u32 * size_of::<[f32; 4]>() as u32;
const _: () = assert!(ROW_BYTES.is_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT));

/// Sun and sky of a world, computed once for where the sun stands.
pub(crate) struct Daylight {
    sky: SkyView,
    /// For which it was computed.
    sun: Sun,
    /// Of the air near the ground, 1/m.
    extinction: Vec3,
    light: Vec3,
    sky_factor: f32,
    stops: f32,
}

/// The light in which a world lies, linear Rec. 709.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Towards the sun, unit.
    pub direction: Vec3,
    /// Of the sun on what faces it, klx.
    pub sun: Vec3,
    /// Of the sky on level ground, klx.
    pub sky: Vec3,
    /// The factor from kcd/m² to what the film takes, where 1 is as bright as a sensor goes.
    pub exposure: f32,
}

impl Daylight {
    /// Takes some 30 ms.
    pub fn new(sun: &Sun) -> Self {
        let visibility = sun.visibility;
        let near = Atmosphere { visibility, ..Atmosphere::default() };
        // Thicker haze lies in a shallow layer: what is near fades in it, but the sky above is that of a hazy day.
        let above = Atmosphere { visibility: visibility.max(LEAST_ABOVE), ..near };
        Self {
            sky: SkyView::new(&above, sun.direction),
            sun: *sun,
            extinction: near.extinction(),
            light: sun.light,
            sky_factor: sun.sky,
            stops: sun.exposure,
        }
    }

    /// The same for another sun; only one that stands elsewhere, or other air, takes its time.
    pub fn follow(&mut self, sun: &Sun) {
        if (self.sun.direction, self.sun.visibility) == (sun.direction, sun.visibility) {
            (self.light, self.sky_factor, self.stops, self.sun) = (sun.light, sun.sky, sun.exposure, *sun);
        } else {
            *self = Self::new(sun);
        }
    }

    /// Makes the table and the uniform, which [`Self::upload`] fills.
    pub fn make_resources(device: &wgpu::Device, resources: &mut Resources) {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("sky"),
            size: wgpu::Extent3d { width: COLUMNS as u32, height: ROWS as u32, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        resources.set_view(slot::SKY_TABLE, texture.create_view(&Default::default()));
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("sky"),
            size: size_of::<SkyUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        resources.set(slot::SKY, uniform);
    }

    /// Fills them in the order of the encoder's commands.
    pub fn upload(&self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, resources: &Resources) {
        let texels: Vec<[f32; 4]> =
            self.sky.texels().iter().map(|texel| texel.map(|value| value * self.sky_factor)).collect();
        let texels = filled(device, "sky", wgpu::BufferUsages::COPY_SRC, bytemuck::cast_slice(&texels));
        let table = resources.texture(slot::SKY_TABLE);
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(ROW_BYTES), rows_per_image: None };
        let from = wgpu::TexelCopyBufferInfo { buffer: &texels, layout };
        encoder.copy_buffer_to_texture(from, table.as_image_copy(), table.size());
        let mut uniform: SkyUniform = self.sky.uniform();
        uniform.irradiance = uniform.irradiance.map(|coefficient| coefficient * self.sky_factor);
        uniform.extinction = self.extinction.extend(0.0);
        uniform.sun_radiance *= self.light.extend(1.0);
        upload(device, encoder, resources.buffer(slot::SKY), 0, bytemuck::bytes_of(&uniform));
    }

    /// For a host's own things.
    pub fn light(&self) -> Light {
        Light {
            direction: self.sky.uniform().sun.truncate(),
            sun: self.sky.sun_illuminance() * self.light,
            sky: self.sky.horizontal_illuminance().sky * self.sky_factor,
            exposure: self.exposure(),
        }
    }

    /// The sun's light on what faces it, over pi, kcd/m².
    pub fn sunlight(&self) -> Vec3 {
        self.sky.sun_illuminance() * self.light / std::f32::consts::PI
    }

    /// The factor from kcd/m² to what the film takes, where 1 is as bright as a sensor goes: by the light that falls on level
    /// ground, as an incident light meter has it (ISO 2720, C = 250), with the saturation-based speed of ISO 12232.
    ///
    /// That meter is made for a grey card of 18 %; grass sends back less than half of that, so the picture is held brighter
    /// by day, and darker in twilight.
    pub fn exposure(&self) -> f32 {
        let light = self.sky.horizontal_illuminance();
        let lux = 1000.0 * (light.sun * self.light + light.sky * self.sky_factor).dot(LUMINANCE);
        let degrees = self.sky.uniform().sun.y.clamp(-1.0, 1.0).asin().to_degrees();
        let brighter = -0.3 + 1.7 * ((degrees + 4.0) / 16.0).clamp(0.0, 1.0);
        // Nights stay dark.
        let ev = (lux / 2.5).max(1.0).log2() - brighter - self.stops;
        1000.0 / (1.2 * ev.exp2())
    }
}

const _: () = assert!(size_of::<SkyUniform>() == 4 * size_of::<Vec4>() + 9 * size_of::<Vec4>());
