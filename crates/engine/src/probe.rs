//! What tests look at inside an engine. No part of the interface.

use crate::resources::slot;

/// A buffer of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The pool's tiles, 96 bytes each: what [`crate::cull::reference`] reads.
    Tiles,
    /// What the GPU knows of the tiles, 64 bytes each.
    TileStates,
    /// `anemone_motion::blade::Body`.
    Bodies,
    /// The items: body, tile, first row, level.
    Items,
    /// Sum of -log2(1 - coverage) of each pixel, in 1/4096.
    Thickness,
    /// Summed linear light of each pixel, and its summed coverage.
    Light,
    /// The map of shadows: depths (reversed z, 31 bits), row by row; and the ridges after it.
    Shadows,
    /// The map's uniform.
    ShadowMap,
}

impl Probe {
    pub(crate) fn slot(self) -> u32 {
        match self {
            Self::Tiles => slot::TILES,
            Self::TileStates => slot::TILE_STATES,
            Self::Bodies => slot::BODIES,
            Self::Items => slot::ITEMS,
            Self::Thickness => slot::THICKNESS,
            Self::Light => slot::LIGHT,
            Self::Shadows => slot::SHADOWS,
            Self::ShadowMap => slot::SHADOW_MAP,
        }
    }
}
