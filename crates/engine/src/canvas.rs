//! What depends on the picture's size: the visibility buffer, the depth pyramid, the light.

use crate::error::Error;
use crate::resources::{Resources, slot};

/// Bytes that the largest of a canvas's buffers takes for a pixel.
const PIXEL_BYTES: u64 = 16;

pub(crate) struct Canvas {
    pub size: [u32; 2],
}

impl Canvas {
    /// Makes the buffers of a picture, and puts them among the resources.
    pub fn new(device: &wgpu::Device, size: [u32; 2], resources: &mut Resources) -> Result<Self, Error> {
        let [width, height] = size;
        let pixels = u64::from(width) * u64::from(height);
        let most = most_pixels(device);
        if pixels == 0 || pixels > most || width.max(height) > device.limits().max_texture_dimension_2d {
            return Err(Error::TooLarge { width, height, most });
        }
        let storage = |label, bytes: u64| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        resources.set(slot::OPAQUE, storage("opaque layer", 8 * pixels));
        resources.set(slot::PARTIAL, storage("partial layer", 8 * pixels));
        resources.set(slot::THICKNESS, storage("optical thickness", 4 * pixels));
        resources.set(slot::LIGHT, storage("light", PIXEL_BYTES * pixels));
        // Four counts, then pixels of opaque surfaces, then of partial ones.
        resources.set(slot::PIXELS, storage("pixel lists", 16 + 8 * pixels));
        let blocks = |side: u32| u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side));
        resources.set(slot::PYRAMID, storage("depth pyramid", 4 * (blocks(8) + blocks(64))));
        Ok(Self { size })
    }
}

/// The most pixels that can be drawn at once.
#[must_use]
pub fn most_pixels(device: &wgpu::Device) -> u64 {
    device.limits().max_storage_buffer_binding_size.min(device.limits().max_buffer_size) / PIXEL_BYTES
}
