//! What depends on the picture's size: the visibility buffer, the depth pyramid, the ground's depth, the light.

use crate::error::Error;
use crate::resources::{Resources, slot};

/// The depth format of the hardware's part.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Bytes that the largest of a canvas's buffers takes for a pixel.
const PIXEL_BYTES: u64 = 16;

pub(crate) struct Canvas {
    pub size: [u32; 2],
    pub depth: wgpu::TextureView,
}

impl Canvas {
    /// Makes the buffers of a picture, and puts them among the resources.
    pub fn new(device: &wgpu::Device, size: [u32; 2], resources: &mut Resources) -> Result<Self, Error> {
        let [width, height] = size;
        let pixels = u64::from(width) * u64::from(height);
        let most = most_pixels(device);
        let limits = device.limits();
        if pixels == 0 || pixels > most || width.max(height) > limits.max_texture_dimension_2d {
            return Err(Error::TooLarge { width, height, most });
        }
        let storage = |label, bytes: u64| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        resources.set(slot::OPAQUE, storage("opaque layer", 8 * pixels));
        resources.set(slot::PARTIAL, storage("partial layer", 8 * pixels));
        resources.set(slot::THICKNESS, storage("optical thickness", 4 * pixels));
        resources.set(slot::LIGHT, storage("light", PIXEL_BYTES * pixels));
        let blocks = |side: u32| u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side));
        resources.set(slot::PYRAMID, storage("depth pyramid", 4 * (blocks(8) + blocks(64))));
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("ground depth"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let depth = texture.create_view(&Default::default());
        resources.set_view(slot::DEPTH, depth.clone());
        Ok(Self { size, depth })
    }
}

/// The most pixels that can be drawn at once.
#[must_use]
pub fn most_pixels(device: &wgpu::Device) -> u64 {
    device.limits().max_storage_buffer_binding_size.min(device.limits().max_buffer_size) / PIXEL_BYTES
}
