//! Shadows: a map of depths that the bodies near the eye throw, and for the land far about the height below which it hides the
//! sun. Both lie in one buffer, for the shading of bodies has no binding to spare.

pub(crate) mod map;
pub(crate) mod ridges;

use crate::resources::{Resources, slot};
use map::MapUniform;
use ridges::{RIDGE_SIDE, RidgesUniform};

/// Texels along the map's side unless [`crate::Options::shadow_texels`] says otherwise: 2,048, and on an adapter that is a CPU
/// 1,024.
#[must_use]
pub fn default_texels(adapter: &wgpu::AdapterInfo) -> u32 {
    if adapter.device_type == wgpu::DeviceType::Cpu { 1024 } else { 2048 }
}

/// The most texels along the map's side.
pub(crate) const MOST_TEXELS: u32 = 4096;

/// Where things lie in the buffer, in words; shaders are told in their uniforms. The map comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    texels: u32,
}

impl Layout {
    /// For a map of so many texels a side.
    pub fn new(texels: u32) -> Self {
        Self { texels }
    }

    fn ridges(self) -> u32 {
        self.texels * self.texels
    }

    fn heights(self) -> u32 {
        self.ridges() + RIDGE_SIDE * RIDGE_SIDE
    }

    /// Of the map, in bytes.
    pub fn map_bytes(self) -> u64 {
        4 * u64::from(self.ridges())
    }

    fn bytes(self) -> u64 {
        4 * u64::from(self.heights() + RIDGE_SIDE * RIDGE_SIDE)
    }
}

/// The buffer, and a uniform for each of the two.
pub(crate) fn make_buffers(device: &wgpu::Device, layout: Layout, resources: &mut Resources) {
    let mut make = |slot, label, size, kind| {
        let usage = kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
        resources.set(slot, device.create_buffer(&descriptor));
    };
    make(slot::SHADOWS, "shadows", layout.bytes(), wgpu::BufferUsages::STORAGE);
    make(slot::SHADOW_MAP, "shadow map", size_of::<MapUniform>() as u64, wgpu::BufferUsages::UNIFORM);
    make(slot::RIDGES, "ridges", size_of::<RidgesUniform>() as u64, wgpu::BufferUsages::UNIFORM);
}
