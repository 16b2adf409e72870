//! Where the picture is taken from.

use anemone_field::space::Position;
use glam::{DVec3, Vec3};

/// A pinhole camera with square pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands, m.
    pub eye: DVec3,
    /// The unit vector along its optical axis.
    pub forward: Vec3,
    /// Which way is up, roughly; not along `forward`.
    pub up: Vec3,
    /// Vertical field of view, rad.
    pub fov: f32,
    /// Nothing nearer is drawn, m.
    pub near: f32,
}

impl Camera {
    /// A camera at `eye` that looks at `target`.
    #[must_use]
    pub fn look_at(eye: DVec3, target: DVec3, fov: f32, near: f32) -> Self {
        let forward = (target - eye).as_vec3().try_normalize().unwrap_or(Vec3::NEG_Z);
        Self { eye, forward, up: Vec3::Y, fov, near }
    }

    /// Right, up and forward as an orthonormal frame.
    #[must_use]
    pub fn axes(&self) -> [Vec3; 3] {
        let forward = self.forward.try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward
            .cross(self.up)
            .try_normalize()
            .or_else(|| forward.cross(Vec3::NEG_Z).try_normalize())
            .unwrap_or(Vec3::X);
        [right, right.cross(forward), forward]
    }

    /// The eye as tile and metres within it.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::from_metres(self.eye)
    }
}

/// A part of a picture: what is drawn at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Size of the whole picture, pixels.
    pub picture: [u32; 2],
    /// The part's upper left pixel.
    pub origin: [u32; 2],
    /// The part's size.
    pub size: [u32; 2],
}

impl Window {
    /// The whole of a picture.
    #[must_use]
    pub const fn whole(size: [u32; 2]) -> Self {
        Self { picture: size, origin: [0, 0], size }
    }
}
