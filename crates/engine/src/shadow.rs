//! Shadows: a map of depths that the bodies near the eye throw, drawn by the same raster from the same poses, and for the
//! land far about the height below which it hides the sun.
//!
//! The map's camera stands [`SUN_DISTANCE`] off towards the sun and looks back with a narrow lens. Its rays spread by less
//! than the sun's own disc does, 0.53°, and everything that draws bodies draws them for it too.

use anemone_field::space::Position;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, DVec3, IVec2, IVec3, Vec2, Vec3};

use crate::camera::{Camera, Window};
use crate::frame::{FrameUniform, jitter};
use crate::resources::{Resources, slot};
use crate::world::{Distance, Placement, Terrain, World};

/// Texels along the map's side unless [`crate::Options::shadow_texels`] says otherwise: 2,048, and on an adapter that is a CPU
/// 1,024.
#[must_use]
pub fn default_texels(adapter: &wgpu::AdapterInfo) -> u32 {
    if adapter.device_type == wgpu::DeviceType::Cpu { 1024 } else { 2048 }
}

/// The most texels along the map's side.
pub(crate) const MOST_TEXELS: u32 = 4096;

/// How far off the map's camera stands, m. Depths are then fine to 0.1 mm.
const SUN_DISTANCE: f64 = 2000.0;
/// Radius of the map for an eye at a metre above the ground, m.
const REACH: f64 = 6.0;
const LEAST_REACH: f64 = 2.0;
const MOST_REACH: f64 = 64.0;
/// Sine of half the sun's apparent diameter.
const SUN_RADIUS: f32 = 0.004_65;

/// Points along the side of the ridges' grid, and metres between them: 24.5 km.
pub(crate) const RIDGE_SIDE: u32 = 512;
const CELL: f64 = 48.0;
/// The grid moves in steps of so many cells.
const RIDGE_STEP: f64 = 32.0;
/// Lower than this the sun's tangent is taken to be this: light that grazes the land.
const LEAST_RISE: f32 = 0.005;

/// Twin of `struct Shadow`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct ShadowUniform {
    tile: IVec3,
    near: f32,
    local: Vec3,
    focal: f32,
    right: Vec3,
    centre_x: f32,
    up: Vec3,
    centre_y: f32,
    forward: Vec3,
    side: u32,
    ridge_tile: IVec2,
    ridge_local: Vec2,
    toward: Vec2,
    rise: f32,
    ridge_side: u32,
    cell: f32,
    bias: f32,
    pad: [u32; 2],
}

const _: () = assert!(size_of::<ShadowUniform>() == 128);

/// The map, the ridges and the heights behind them.
pub(crate) fn make_buffers(device: &wgpu::Device, texels: u32, resources: &mut Resources) {
    let squared = |side: u32| u64::from(side) * u64::from(side);
    let buffer = |label, size, kind| {
        let usage = kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
    };
    let bytes = 4 * (squared(texels) + 2 * squared(RIDGE_SIDE));
    resources.set(slot::SHADOW_MAP, buffer("shadow map", bytes, wgpu::BufferUsages::STORAGE));
    let uniform = size_of::<ShadowUniform>() as u64;
    resources.set(slot::SHADOW, buffer("shadow", uniform, wgpu::BufferUsages::UNIFORM));
}

/// What the sun sees of a world for an eye.
pub(crate) struct SunView {
    pub camera: Camera,
    pub window: Window,
    /// m
    texel: f64,
    jitter: Vec2,
}

impl SunView {
    /// None where no sun shines or no map is wanted. Each sample looks from another point of the sun's disc, so that
    /// shadows soften with their length.
    pub fn new(world: &World, eye: &Camera, texels: u32, sample: u32) -> Option<Self> {
        let sun = world.sun.direction;
        if texels == 0 || sun.y <= 0.0 && matches!(world.terrain, Terrain::Height(_)) || world.sun.light == Vec3::ZERO {
            return None;
        }
        let (centre, reach) = region(world, eye);
        let texel = 2.0 * reach / f64::from(texels);
        let up = if sun.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
        let axes = Camera { eye: centre, forward: -sun, up, fov: 1.0, near: 1.0 }.axes();
        // The map moves by whole texels, so that shadows do not crawl as the eye walks on.
        let snapped = [axes[0], axes[1]].map(Vec3::as_dvec3).iter().fold(centre, |at, axis| {
            let along = axis.dot(at);
            at + *axis * ((along / texel).round() * texel - along)
        });
        let aside = if sample == 0 { Vec2::ZERO } else { on_disc(jitter(sample)) * SUN_RADIUS };
        let toward = (sun + axes[0] * aside.x + axes[1] * aside.y).normalize();
        let camera = Camera {
            eye: snapped + toward.as_dvec3() * SUN_DISTANCE,
            forward: -toward,
            up,
            fov: 2.0 * (reach / SUN_DISTANCE).atan() as f32,
            near: (SUN_DISTANCE - 4.0 * reach - 100.0) as f32,
        };
        Some(Self { camera, window: Window::whole([texels, texels]), texel, jitter: jitter(sample) })
    }

    /// Of the map.
    pub fn bytes(&self) -> u64 {
        4 * u64::from(self.window.size[0]) * u64::from(self.window.size[1])
    }
}

/// Where shadows are drawn in detail: the middle and the radius, m.
fn region(world: &World, eye: &Camera) -> (DVec3, f64) {
    match &world.terrain {
        Terrain::Height(ground) => {
            let under = |at: DVec3| f64::from(ground.height(Position::from_metres(at)));
            let above = (eye.eye.y - under(eye.eye)).max(0.1);
            let reach_of_all = most_reach(world);
            // By steps of a quarter of an octave, so that a swaying eye does not make the texels breathe.
            let reach = (REACH * above).clamp(LEAST_REACH, reach_of_all);
            let reach = ((reach.log2() * 4.0).round() / 4.0).exp2();
            let ahead = eye.forward.as_dvec3() * DVec3::new(0.8, 0.0, 0.8) * reach;
            let mut centre = eye.eye + ahead;
            centre.y = under(centre);
            (centre, reach)
        }
        Terrain::Mesh { mesh, origin } => {
            let [low, high] = mesh.bounds();
            let reach = 0.5 * f64::from((high - low).length()) + 0.5;
            if reach <= MOST_REACH {
                return (*origin + 0.5 * (low + high).as_dvec3(), reach);
            }
            (eye.eye + eye.forward.as_dvec3() * (0.7 * MOST_REACH), MOST_REACH)
        }
    }
}

/// How far the map is worth drawing: not where populations that grow everywhere have thinned out, m.
fn most_reach(world: &World) -> f64 {
    let full = world.populations.iter().map(|population| match (population.placement, population.distance) {
        (Placement::Everywhere { .. }, Distance::Rank { full_within, .. }) => 4.0 * f64::from(full_within),
        _ => MOST_REACH,
    });
    full.fold(LEAST_REACH, f64::max).min(MOST_REACH)
}

/// From a square to a disc of radius 1 (Shirley and Chiu 1997), evenly by area.
fn on_disc(square: Vec2) -> Vec2 {
    let p = 2.0 * square;
    if p == Vec2::ZERO {
        return Vec2::ZERO;
    }
    let quarter = std::f32::consts::FRAC_PI_4;
    let (radius, angle) =
        if p.x.abs() > p.y.abs() { (p.x, quarter * p.y / p.x) } else { (p.y, 2.0 * quarter - quarter * p.x / p.y) };
    radius * Vec2::from_angle(angle)
}

impl ShadowUniform {
    /// For the view of the sun, if there is one, and the eye.
    pub fn new(world: &World, view: Option<&SunView>, eye: DVec3) -> Self {
        let mut uniform = match view {
            Some(view) => {
                let frame = FrameUniform::new(&view.camera, &view.window, view.jitter);
                Self {
                    tile: frame.camera_tile,
                    near: frame.near,
                    local: frame.camera_local,
                    focal: frame.focal,
                    right: frame.right,
                    centre_x: frame.centre_x,
                    up: frame.up,
                    centre_y: frame.centre_y,
                    forward: frame.forward,
                    side: view.window.size[0],
                    // A leaf does not shade itself, nor the one that it touches.
                    bias: (2.5 * view.texel + 0.004) as f32,
                    ..Zeroable::zeroed()
                }
            }
            None => Zeroable::zeroed(),
        };
        let sun = world.sun.direction;
        if matches!(world.terrain, Terrain::Height(_)) {
            let middle = (DVec2::new(eye.x, eye.z) / (RIDGE_STEP * CELL)).round() * RIDGE_STEP * CELL;
            let corner = middle - 0.5 * f64::from(RIDGE_SIDE) * CELL;
            let corner = Position::from_metres(DVec3::new(corner.x, 0.0, corner.y));
            uniform.ridge_tile = IVec2::new(corner.tile.x, corner.tile.z);
            uniform.ridge_local = Vec2::new(corner.local.x, corner.local.z);
            let level = Vec2::new(sun.x, sun.z);
            uniform.toward = level.try_normalize().unwrap_or(Vec2::X);
            uniform.rise = (sun.y / level.length().max(1e-4)).max(LEAST_RISE);
            uniform.ridge_side = RIDGE_SIDE;
            uniform.cell = CELL as f32;
        }
        uniform
    }

    pub fn has_ridges(&self) -> bool {
        self.ridge_side > 0
    }

    /// Whether the ridges of another are these.
    pub fn same_ridges(&self, other: &Self) -> bool {
        let ridges = |u: &Self| (u.ridge_tile, u.ridge_local, u.toward, u.rise, u.ridge_side, u.side);
        ridges(self) == ridges(other)
    }
}
