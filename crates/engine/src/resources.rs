//! The buffers and textures of a world and of its views, by the numbers under which every shader knows them.

use std::collections::BTreeMap;

/// Binding numbers, the same in every shader.
pub(crate) mod slot {
    pub const FRAME: u32 = 0;
    pub const WIND: u32 = 1;
    pub const POPULATIONS: u32 = 2;
    pub const COLLIDERS: u32 = 3;
    pub const TILES: u32 = 4;
    pub const TILE_STATES: u32 = 5;
    pub const BODIES: u32 = 6;
    pub const CHUNKS: u32 = 7;
    pub const SUMS: u32 = 8;
    pub const COUNTS: u32 = 9;
    pub const ITEMS: u32 = 10;
    pub const ROWS: u32 = 11;
    pub const DRAWS: u32 = 12;
    pub const ROW_SHAPES: u32 = 13;
    pub const OPAQUE: u32 = 14;
    pub const PARTIAL: u32 = 15;
    pub const THICKNESS: u32 = 16;
    pub const GROUND: u32 = 17;
    pub const HEIGHTS: u32 = 18;
    pub const PYRAMID: u32 = 19;
    pub const CHANGED: u32 = 20;
    pub const MESH_VERTICES: u32 = 21;
    pub const MESH_CDF: u32 = 22;
    pub const GRID_LEVELS: u32 = 24;
    pub const GRID_VERTICES: u32 = 25;
    pub const GRID_REFERENCE: u32 = 26;
    pub const LIGHT: u32 = 27;
    pub const SURFACE: u32 = 28;
    pub const MASKS: u32 = 29;
    pub const PIXELS: u32 = 30;
    pub const GROUND_LARGE: u32 = 31;
    pub const SHADOWS: u32 = 32;
    pub const SHADOW_MAP: u32 = 33;
    pub const SKY: u32 = 34;
    pub const SKY_TABLE: u32 = 35;
    pub const RIDGES: u32 = 36;
    pub const PREVIOUS: u32 = 37;
    pub const MOTION: u32 = 38;
    pub const SHOWN: u32 = 39;
    pub const DENSITY_MAPS: u32 = 40;
    pub const DENSITIES: u32 = 41;
    pub const HOST: u32 = 42;
    pub const HOST_DEPTH: u32 = 43;
    pub const HOST_DEPTH_MULTISAMPLED: u32 = 44;
    pub const HOST_SHADOW: u32 = 45;
    pub const HOST_SHADOW_MAP: u32 = 46;
    pub const CAST: u32 = 47;
}

/// What is bound under a number.
pub(crate) enum Resource {
    Buffer(wgpu::Buffer),
    View(wgpu::TextureView),
    /// A host's own.
    Borrowed(wgpu::TextureView),
}

/// Everything that shaders may ask for.
#[derive(Default)]
pub(crate) struct Resources(BTreeMap<u32, Resource>);

impl Resources {
    /// Puts a buffer under a number.
    pub fn set(&mut self, slot: u32, buffer: wgpu::Buffer) {
        self.0.insert(slot, Resource::Buffer(buffer));
    }

    /// Puts a texture under a number.
    pub fn set_view(&mut self, slot: u32, view: wgpu::TextureView) {
        self.0.insert(slot, Resource::View(view));
    }

    /// The texture of a view that was put there by [`Self::set_view`].
    pub fn texture(&self, slot: u32) -> &wgpu::Texture {
        match self.0.get(&slot) {
            Some(Resource::View(view)) => view.texture(),
            _ => unreachable!("slot {slot} holds no texture"),
        }
    }

    /// Puts a texture of a host's under a number.
    pub fn borrow_view(&mut self, slot: u32, view: wgpu::TextureView) {
        self.0.insert(slot, Resource::Borrowed(view));
    }

    /// The buffer under a number.
    ///
    /// # Panics
    /// When there is none: the numbers are this library's own.
    pub fn buffer(&self, slot: u32) -> &wgpu::Buffer {
        match self.0.get(&slot) {
            Some(Resource::Buffer(buffer)) => buffer,
            _ => panic!("no buffer under {slot}"),
        }
    }

    /// Bytes of all buffers and textures but a host's.
    pub fn bytes(&self) -> u64 {
        let size = |resource: &Resource| match resource {
            Resource::Buffer(buffer) => buffer.size(),
            Resource::View(view) => texture_bytes(view.texture()),
            Resource::Borrowed(_) => 0,
        };
        self.0.values().map(size).sum()
    }

    fn get(&self, slot: u32) -> Option<wgpu::BindingResource<'_>> {
        Some(match self.0.get(&slot)? {
            Resource::Buffer(buffer) => buffer.as_entire_binding(),
            Resource::View(view) | Resource::Borrowed(view) => wgpu::BindingResource::TextureView(view),
        })
    }
}

/// Bytes of a texture's texels; the house has none with mipmaps or blocks.
fn texture_bytes(texture: &wgpu::Texture) -> u64 {
    let texel = texture.format().block_copy_size(None).unwrap_or(0);
    let size = texture.size();
    u64::from(texel) * u64::from(size.width) * u64::from(size.height) * u64::from(size.depth_or_array_layers)
}

/// What to bind under a number: of the world, or of a view.
///
/// # Panics
/// When there is nothing: the numbers are this library's own.
pub(crate) fn find<'a>(resources: &[&'a Resources], slot: u32) -> wgpu::BindingResource<'a> {
    resources.iter().find_map(|resources| resources.get(slot)).unwrap_or_else(|| panic!("nothing under {slot}"))
}
