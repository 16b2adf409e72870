//! The linked shaders: `build.rs` makes one WGSL source for each kernel, without anything that it does not use.

use crate::kernel::Shader;

macro_rules! wgsl {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name, ".wgsl"))
    };
}

/// Every linked shader by name, for tests that validate them.
pub const SHADERS: &[(&str, &str)] = &[
    ("generate", wgsl!("generate")),
    ("tiles", wgsl!("tiles")),
    ("step", wgsl!("step")),
    ("scan", wgsl!("scan")),
    ("emit", wgsl!("emit")),
    ("grid", wgsl!("grid")),
    ("ground_shadow", wgsl!("ground_shadow")),
    ("ground_wide", wgsl!("ground_wide")),
    ("ground_narrow", wgsl!("ground_narrow")),
    ("project", wgsl!("project")),
    ("pyramid", wgsl!("pyramid")),
    ("raster_wide", wgsl!("raster_wide")),
    ("raster_wide_second", wgsl!("raster_wide_second")),
    ("raster_wide_partial", wgsl!("raster_wide_partial")),
    ("raster_shadow", wgsl!("raster_shadow")),
    ("raster_depth", wgsl!("raster_depth")),
    ("raster_depth_second", wgsl!("raster_depth_second")),
    ("raster_payload", wgsl!("raster_payload")),
    ("raster_depth_partial", wgsl!("raster_depth_partial")),
    ("raster_payload_partial", wgsl!("raster_payload_partial")),
    ("ridges", wgsl!("ridges")),
    ("sort_pixels", wgsl!("sort_pixels")),
    ("shade_ground", wgsl!("shade_ground")),
    ("shade_bodies", wgsl!("shade_bodies")),
    ("shade_partial", wgsl!("shade_partial")),
    ("shade_ground_host", wgsl!("shade_ground_host")),
    ("shade_bodies_host", wgsl!("shade_bodies_host")),
    ("shade_partial_host", wgsl!("shade_partial_host")),
    ("motion", wgsl!("motion")),
    ("seed", wgsl!("seed")),
    ("seed_multisampled", wgsl!("seed_multisampled")),
    ("compose", wgsl!("compose")),
    ("compose_film", wgsl!("compose_film")),
    ("compose_film_encode", wgsl!("compose_film_encode")),
    ("surfaces", wgsl!("surfaces")),
    ("cast", wgsl!("cast")),
    ("present", wgsl!("present")),
    ("present_encode", wgsl!("present_encode")),
];

/// The source of a linked shader.
pub(crate) fn source(name: &str) -> &'static str {
    SHADERS.iter().find(|(key, _)| *key == name).map_or("", |(_, source)| source)
}

/// A linked shader.
pub(crate) fn shader(device: &wgpu::Device, name: &'static str, stages: wgpu::ShaderStages) -> Shader {
    Shader::new(device, name, source(name), stages)
}
