//! What a blade is and which constants move it. Twin: `law.wesl`.

use anemone_field::space::{Position, TILE, offset};
use anemone_field::trig::{cos_turns, sin_turns};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// The tip goes to where the curve's true length is the height.
pub const LENGTH_EXACT: u32 = 0;
/// The source's correction: both points are scaled by height over the length estimate (2 L₀ + L₁)/3.
pub const LENGTH_PAPER: u32 = 1;

/// Constants shared by the blades of a species; a uniform, twin of `struct BladeLaw`. 80 bytes in blocks of 16.
///
/// Displacement velocities are those of the source, in metres per second, and are divided by `reference_height` to give
/// heights per second.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct BladeLaw {
    /// Direction of gravity; need not be unit, zero is weightless.
    pub gravity_direction: [f32; 3],
    /// Its magnitude, m/s².
    pub gravity: f32,
    /// Tile of the point that attracts.
    pub centre_tile: [i32; 3],
    /// Magnitude of the pull to the point, m/s².
    pub centre_gravity: f32,
    /// The point's place in its tile, m.
    pub centre_local: [f32; 3],
    /// 0: gravity has a direction; 1: it pulls to the point; between: blended.
    pub centre_mix: f32,
    /// Pull along the blade's front relative to gravity's magnitude; the source's is 0.25.
    pub front_gravity: f32,
    /// Displacement velocity in m/s for each m/s of wind across an upright blade of the reference height.
    pub wind_gain: f32,
    /// Divides every displacement, m. 0 stands for the blade's own height: the source's raw constants.
    pub reference_height: f32,
    /// How fast trampling wears off, per second.
    pub trample_decay: f32,
    /// [`LENGTH_EXACT`] or [`LENGTH_PAPER`].
    pub length: u32,
    /// Factor on what collisions add to the trample value; the source's is 1, at which only great speed leaves a track.
    pub trample_gain: f32,
    /// Zero.
    pub reserved: [u32; 2],
}

const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<BladeLaw>() == 80);
    assert!(offset_of!(BladeLaw, gravity) == 12 && offset_of!(BladeLaw, centre_tile) == 16);
    assert!(offset_of!(BladeLaw, centre_local) == 32 && offset_of!(BladeLaw, front_gravity) == 48);
    assert!(offset_of!(BladeLaw, length) == 64 && offset_of!(BladeLaw, trample_gain) == 68);
};

impl Default for BladeLaw {
    /// Blades of any height behave as the source's mean blade of 1.9 m does.
    ///
    /// With the stiffness of 10 a default blade leans 15° to its front in calm air, and about 40° in a wind of 5 m/s
    /// from behind (a test measures it).
    fn default() -> Self {
        Self {
            gravity_direction: [0.0, -1.0, 0.0],
            gravity: 9.81,
            centre_tile: [0; 3],
            centre_gravity: 9.81,
            centre_local: [0.0; 3],
            centre_mix: 0.0,
            front_gravity: 0.25,
            wind_gain: 3.8,
            // The mean of the source's heights, 1.3 to 2.5 m.
            reference_height: 1.9,
            trample_decay: 0.25,
            length: LENGTH_EXACT,
            trample_gain: 10.0,
            reserved: [0; 2],
        }
    }
}

impl BladeLaw {
    /// The height that displacements of this `blade` are measured by, m, at least 0.1 mm.
    pub(super) fn scale(&self, blade: &Blade) -> f32 {
        let height = if self.reference_height > 0.0 { self.reference_height } else { blade.height };
        height.max(1e-4)
    }

    /// The source's raw constants: displacements in metres whatever the height, its length correction, wind as given.
    ///
    /// Made for blades of 1.3 to 2.5 m and a stiffness of 7 to 13.
    #[must_use]
    pub fn vulkan() -> Self {
        Self { wind_gain: 1.0, trample_gain: 1.0, reference_height: 0.0, length: LENGTH_PAPER, ..Self::default() }
    }
}

/// One blade as it stands; twin of `struct Blade`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blade {
    /// Root in its pool tile, m.
    pub root: Vec3,
    /// Length from root to tip along the curve, m.
    pub height: f32,
    /// Unit normal of the ground.
    pub up: Vec3,
    /// Full width at the root, m.
    pub width: f32,
    /// Unit direction that the blade faces, perpendicular to `up`.
    pub front: Vec3,
    /// Recovery rate, 1/s; the source's are 7 to 13.
    pub stiffness: f32,
}

impl Blade {
    /// Unit direction of the width: front × up. At the root, up × side is the front again.
    #[must_use]
    pub fn side(&self) -> Vec3 {
        self.front.cross(self.up)
    }
}

/// The front of a blade that is turned by `yaw` (turns) about its unit `up`.
///
/// With `up` = +y, 0 faces +x and 0.25 faces −z. Continuous in `up` but for `up` = −y. Source of the frame: Duff and
/// others, "Building an Orthonormal Basis, Revisited", JCGT 6(1), 2017.
#[must_use]
pub fn blade_front(up: Vec3, yaw: f32) -> Vec3 {
    let sign = if up.y >= 0.0 { 1.0 } else { -1.0 };
    let a = -1.0 / (sign + up.y);
    let b = -up.x * up.z * a;
    let east = Vec3::new(1.0 + sign * up.x * up.x * a, -sign * up.x, -sign * b);
    let north = Vec3::new(b, up.z, -sign - up.z * up.z * a);
    east * cos_turns(yaw) + north * sin_turns(yaw)
}

fn normal_or_zero(v: Vec3) -> Vec3 {
    let square = v.dot(v);
    if square > 1e-20 { v * (1.0 / square.sqrt()) } else { Vec3::ZERO }
}

/// Gravity on a blade whose root is at `root`, m/s²: gE = D̂ |D| (1 − t) + Ĉ |C| t, Ĉ pointing from the root to the
/// centre.
#[must_use]
pub fn blade_gravity(law: &BladeLaw, root: Position) -> Vec3 {
    let direction = normal_or_zero(Vec3::from_array(law.gravity_direction));
    let centre = Position { tile: law.centre_tile.into(), local: law.centre_local.into() };
    // In tiles, so that the square of a planet's radius stays well inside f32.
    let toward = normal_or_zero(offset(root, centre) * (1.0 / TILE));
    direction * (law.gravity * (1.0 - law.centre_mix)) + toward * (law.centre_gravity * law.centre_mix)
}
