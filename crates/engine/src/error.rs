//! What can go wrong, in words for people.

/// Why a world cannot be drawn on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device lacks something that the engine needs on every adapter.
    #[error("the adapter {adapter} cannot run Anemone: {what}")]
    Unfit {
        /// Name of the adapter.
        adapter: String,
        /// What it lacks.
        what: String,
    },
    /// The bodies do not fit in one storage binding.
    #[error(
        "{bodies} bodies take {} MiB, but the adapter binds at most {} MiB at once: lower the density, the count or full_density_within",
        need >> 20,
        limit >> 20
    )]
    TooManyBodies {
        /// Bodies asked for.
        bodies: u64,
        /// Bytes that they take.
        need: u64,
        /// Bytes that the adapter binds.
        limit: u64,
        /// The population with the most of them, from 0.
        population: usize,
    },
    /// A mesh's triangles, or the tiles of bodies on it, do not fit in one storage binding.
    #[error(
        "the ground's {triangles} triangles, cut for {tiles} tiles of bodies, take {} MiB, but the adapter binds at most {} MiB at once: simplify the mesh",
        need >> 20,
        limit >> 20
    )]
    TooLargeMesh {
        /// Triangles, after large ones have been split.
        triangles: u64,
        /// Tiles of bodies.
        tiles: u64,
        /// Bytes that they take.
        need: u64,
        /// Bytes that the adapter binds.
        limit: u64,
    },
    /// A picture too large to be drawn at once.
    #[error(
        "a picture of {width}×{height} pixels is too large to be drawn at once on this adapter: draw it in windows of at most {most} pixels"
    )]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// Pixels in all.
        most: u64,
    },
    /// More of something than a world may hold.
    #[error("{count} {what}, where a world holds at most {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A number of the world that is none, or that the engine cannot hold.
    #[error("{what} is {value}, and must be {expected}")]
    OutOfRange {
        /// Which, as "population 2's height"; populations, colliders and sources of wind are counted from 0.
        what: String,
        /// What it is; of a vector, the part at fault, or its length.
        value: String,
        /// What it may be.
        expected: String,
    },
    /// A placement that its ground cannot take.
    #[error("population {index}: {why}")]
    Placement {
        /// Which population, from 0.
        index: usize,
        /// What is wrong.
        why: &'static str,
    },
}
