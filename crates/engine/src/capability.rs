//! What the engine asks of a device, and what it makes of a better one.

use std::fmt;

use crate::error::Error;

/// How depth and payload reach the visibility buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RasterWidth {
    /// Both by one 64-bit atomic.
    Wide,
    /// Depths in one pass of 32-bit atomics, payloads in another: the same picture at twice the cost.
    Narrow,
}

impl fmt::Display for RasterWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wide => "64 bits",
            Self::Narrow => "32 bits, two passes",
        })
    }
}

/// The features of `available` that the engine makes use of. All of them are optional.
#[must_use]
pub fn required_features(available: wgpu::Features) -> wgpu::Features {
    let wide = wgpu::Features::SHADER_INT64 | wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX;
    let mut wanted = wgpu::Features::empty();
    if available.contains(wide) {
        wanted |= wide;
    }
    wanted | (available & (wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS))
}

/// The limits to ask of an adapter: WebGPU's defaults, with bindings and buffers as large as the adapter has them, for
/// the pool of bodies is one binding.
#[must_use]
pub fn required_limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let has = adapter.limits();
    wgpu::Limits {
        max_storage_buffer_binding_size: has.max_storage_buffer_binding_size,
        max_buffer_size: has.max_buffer_size,
        max_storage_buffers_per_shader_stage: has.max_storage_buffers_per_shader_stage.min(16),
        ..wgpu::Limits::default()
    }
}

/// The width that a device with these features rasterises with, unless [`crate::Options::width`] says otherwise.
#[must_use]
pub fn raster_width(features: wgpu::Features) -> RasterWidth {
    if features.contains(wgpu::Features::SHADER_INT64 | wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX) {
        RasterWidth::Wide
    } else {
        RasterWidth::Narrow
    }
}

/// Refuses devices on which nothing would work.
pub(crate) fn check(device: &wgpu::Device, width: RasterWidth) -> Result<(), Error> {
    let unfit = |what: &str| Error::Unfit { adapter: device.adapter_info().name, what: what.to_owned() };
    let limits = device.limits();
    if limits.max_compute_invocations_per_workgroup < 256 || limits.max_compute_workgroup_size_x < 256 {
        return Err(unfit("it runs no compute workgroups of 256 invocations"));
    }
    if limits.max_storage_buffers_per_shader_stage < 8 {
        return Err(unfit("it binds fewer than 8 storage buffers a shader"));
    }
    if width == RasterWidth::Wide && raster_width(device.features()) == RasterWidth::Narrow {
        return Err(unfit("it has no 64-bit atomics, or the device was made without asking for them"));
    }
    Ok(())
}
