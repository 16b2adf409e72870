//! Density maps: pictures that say how many of a population's bodies stand where. Twin of `place/density.wesl`.
//!
//! All maps of a world lie below each other in one texture, for a shader can bind few.

use anemone_ground::map::MapUniform;
use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt as _;

use crate::error::Error;
use crate::fill::filled;
use crate::resources::{Resources, slot};
use crate::world::{MOST_POPULATIONS, World};

/// Twin of `struct DensityMap`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct DensityUniform {
    map: MapUniform,
    row: u32,
    pad: [u32; 3],
}

const _: () = assert!(size_of::<DensityUniform>() == 96);

/// Puts the maps of a world on the device.
pub(crate) fn make(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    world: &World,
    resources: &mut Resources,
) -> Result<(), Error> {
    let mut uniforms = [DensityUniform::zeroed(); MOST_POPULATIONS];
    let maps = || world.populations.iter().enumerate().filter_map(|(i, p)| Some((i, p.density_map.as_ref()?)));
    let width = maps().map(|(_, map)| map.size()[0]).max().unwrap_or(1);
    let most = device.limits().max_texture_dimension_2d;
    let mut texels = Vec::new();
    let mut rows = 0;
    for (index, map) in maps() {
        let [columns, more] = map.size();
        if width > most || rows + more > most {
            let why = "the density maps of this scene have together more rows than the device's textures";
            return Err(Error::Placement { index, why });
        }
        uniforms[index] = DensityUniform { map: map.uniform(), row: rows, pad: [0; 3] };
        for row in map.samples().chunks_exact(columns as usize) {
            texels.extend_from_slice(row);
            texels.resize(texels.len() + (width - columns) as usize, 0);
        }
        rows += more;
    }
    if rows == 0 {
        (rows, texels) = (1, vec![0_u16]);
    }
    let texture = device.create_texture_with_data(
        queue,
        &wgpu::TextureDescriptor {
            label: Some("density maps"),
            size: wgpu::Extent3d { width, height: rows, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R16Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        },
        wgpu::util::TextureDataOrder::LayerMajor,
        bytemuck::cast_slice(&texels),
    );
    resources.set_view(slot::DENSITIES, texture.create_view(&Default::default()));
    let maps = filled(device, "density maps", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&uniforms));
    resources.set(slot::DENSITY_MAPS, maps);
    Ok(())
}
