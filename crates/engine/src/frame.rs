//! The block of numbers that every kernel of a frame shares. Twin of `frame.wesl`.

use anemone_field::space::Position;
use bytemuck::{Pod, Zeroable};
use glam::{IVec2, IVec3, UVec2, Vec2, Vec3, Vec4};

use crate::camera::{Camera, Window};
use crate::daylight::Daylight;
use crate::world::World;

/// Twin of `struct Frame`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct FrameUniform {
    pub camera_tile: IVec3,
    pub near: f32,
    pub camera_local: Vec3,
    pub focal: f32,
    pub right: Vec3,
    pub centre_x: f32,
    pub up: Vec3,
    pub centre_y: f32,
    pub forward: Vec3,
    pub step_seconds: f32,
    pub side_x: Vec4,
    pub side_y: Vec4,
    pub size: UVec2,
    pub substeps: u32,
    pub step: u32,
    pub tiles: u32,
    pub clock: u32,
    pub sample: u32,
    pub populations: u32,
    pub sun: Vec3,
    pub is_guest: u32,
    pub sunlight: Vec3,
    pub always_awake: u32,
    pub soil: Vec3,
    pub colliders: u32,
    pub item_capacity: u32,
    pub row_capacity: u32,
    pub big_capacity: u32,
    pub occlusion: u32,
    pub cull_tile: IVec3,
    pub cull_focal: f32,
    pub cull_local: Vec3,
    pub skipped: f32,
    pub axis: Vec2,
    pub picture: Vec2,
    pub origin: IVec2,
    pub changed: u32,
    pub is_sun: u32,
    pub has_sun: u32,
    pub leads: u32,
    pub texel_corner: IVec2,
    pub outline_error: f32,
    pub pad: [u32; 3],
}

const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<FrameUniform>() == 304);
    assert!(offset_of!(FrameUniform, cull_tile) == 208 && offset_of!(FrameUniform, cull_local) == 224);
    assert!(offset_of!(FrameUniform, axis) == 240 && offset_of!(FrameUniform, origin) == 256);
    assert!(offset_of!(FrameUniform, texel_corner) == 280);
};

/// Pixels beyond the picture's edge at which a body is still drawn: half a pixel of jitter, one of a thin body's width.
pub(crate) const MARGIN: f32 = 2.0;

impl FrameUniform {
    /// The view's part. `shift` is where the picture lies beside the optical axis, pixels; `jitter` moves it by parts of a
    /// pixel, which the cull leaves out.
    pub fn new(camera: &Camera, window: &Window, shift: Vec2, jitter: Vec2) -> Self {
        let [right, up, forward] = camera.axes();
        let eye = camera.position();
        let picture = Vec2::new(window.picture[0] as f32, window.picture[1] as f32);
        let focal = 0.5 * picture.y / (0.5 * camera.fov).tan();
        let origin = Vec2::new(window.origin[0] as f32, window.origin[1] as f32);
        let size = Vec2::new(window.size[0] as f32, window.size[1] as f32);
        let centre = 0.5 * picture + shift - origin;
        let plane = |extent: f32| {
            let length = focal.hypot(extent + MARGIN);
            [focal / length, (extent + MARGIN) / length]
        };
        let sides = |low: f32, high: f32| {
            let ([a, b], [c, d]) = (plane(low), plane(high));
            Vec4::new(a, b, c, d)
        };
        Self {
            camera_tile: eye.tile,
            near: camera.near,
            camera_local: eye.local,
            focal,
            right,
            centre_x: centre.x + jitter.x,
            up,
            centre_y: centre.y + jitter.y,
            forward,
            side_x: sides(centre.x, size.x - centre.x),
            // y points up in the view and down in the picture.
            side_y: sides(size.y - centre.y, centre.y),
            size: UVec2::from(window.size),
            cull_tile: eye.tile,
            cull_focal: focal,
            cull_local: eye.local,
            axis: 0.5 * picture + shift + jitter,
            picture,
            origin: UVec2::from(window.origin).as_ivec2(),
            ..Zeroable::zeroed()
        }
    }

    /// Culled as another view.
    pub fn culled_as(mut self, view: &Self) -> Self {
        self.cull_tile = view.camera_tile;
        self.cull_focal = view.focal;
        self.cull_local = view.camera_local;
        self
    }

    /// Adds the light.
    pub fn lit(mut self, world: &World, daylight: &Daylight) -> Self {
        self.sun = world.sun.direction;
        self.sunlight = daylight.sunlight();
        self.soil = world.soil;
        self.populations = world.populations.len() as u32;
        self
    }
}

/// A drawing of a view, as the next one looks back at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Previous {
    eye: Position,
    axes: [Vec3; 3],
    focal: f32,
    /// The number of the step in which the bodies stood.
    step: u32,
}

impl Previous {
    pub fn new(camera: &Camera, window: &Window, step: u32) -> Self {
        let frame = FrameUniform::new(camera, window, Vec2::ZERO, Vec2::ZERO);
        Self { eye: camera.position(), axes: [frame.right, frame.up, frame.forward], focal: frame.focal, step }
    }
}

/// Twin of `struct Previous` in `shade/motion.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct PreviousUniform {
    right: Vec3,
    focal: f32,
    up: Vec3,
    stood_still: u32,
    forward: Vec3,
    is_known: u32,
    shift: Vec3,
    pad: u32,
}

const _: () = assert!(size_of::<PreviousUniform>() == 64);

impl PreviousUniform {
    /// What was drawn before, if it was, as seen from what is drawn now.
    pub fn new(before: Option<&Previous>, now: &Previous) -> Self {
        let known = before.unwrap_or(now);
        Self {
            right: known.axes[0],
            focal: known.focal,
            up: known.axes[1],
            stood_still: u32::from(known.step == now.step),
            forward: known.axes[2],
            // Bodies remember one pose beside the present one.
            is_known: u32::from(before.is_some_and(|before| now.step.wrapping_sub(before.step) <= 1)),
            shift: known.eye.offset_to(now.eye),
            pad: 0,
        }
    }
}

/// Where sample `i` looks within a pixel, in [-1/2, 1/2]²: the R2 sequence (Roberts 2018), whose first sample is the
/// middle, so that a picture of one sample is not shifted.
#[must_use]
pub fn jitter(i: u32) -> Vec2 {
    let golden = [0.754_877_666_246_692_7_f64, 0.569_840_290_998_053_2];
    let at = golden.map(|g| ((0.5 + g * f64::from(i)).fract() - 0.5) as f32);
    Vec2::from(at)
}
