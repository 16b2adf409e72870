//! A blade in 32 bytes. Twin: `pack.wesl`.
//!
//! | word | bits (low to high) |
//! |---|---|
//! | 0 | root x 16, root y 16: fractions of the tile's box |
//! | 1 | root z 16, yaw 8, height 8 |
//! | 2 | up 9 + 9 (octahedral), width 7, stiffness 7 |
//! | 3, 4, 5 | tip x, y, z: f32, in heights |
//! | 6 | previous tip x 16, y 16: signed, ±2 heights |
//! | 7 | previous tip z 16, trample 12, visible 1, level 3 |
//!
//! Height, width and stiffness are on log scales: height within 1 %, width within 2.3 %, stiffness within 1.4 %. The tip
//! keeps 32 bits, for 16 break the rest pose; the previous one only makes motion vectors. Trample has 12 bits because at
//! 8 a slow decay at a high frame rate is less than half a unit and would stop.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use super::{Blade, blade_front};

/// Shortest height that is stored, m.
pub const HEIGHT_MIN: f32 = 0.025;
/// Tallest height that is stored, m.
pub const HEIGHT_MAX: f32 = 3.9;
/// Narrowest width that is stored, m.
pub const WIDTH_MIN: f32 = 0.0005;
/// Broadest width that is stored, m.
pub const WIDTH_MAX: f32 = 0.15;
/// Weakest stiffness that is stored, 1/s.
pub const STIFFNESS_MIN: f32 = 1.0;
/// Strongest stiffness that is stored, 1/s.
pub const STIFFNESS_MAX: f32 = 32.0;

// log2(max/min) of the three ranges, written out so that both twins use the same numbers.
const HEIGHT_OCTAVES: f32 = 7.285_402;
const WIDTH_OCTAVES: f32 = 8.228_819;
const STIFFNESS_OCTAVES: f32 = 5.0;
const PREVIOUS_MAX: f32 = 2.0;

/// A blade as it is stored; twin of `struct Body { a: vec4u, b: vec4u }`. See the table in the module's source.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Body {
    /// Eight words.
    pub words: [u32; 8],
}

const _: () = assert!(size_of::<Body>() == 32);

/// The changing part of a [`Body`]; twin of `struct BladeState`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BladeState {
    /// Stored tip relative to the root, in heights.
    pub tip: Vec3,
    /// Trample value η; 0 to 1 is kept.
    pub trample: f32,
    /// The tip as last displayed, in heights, each coordinate in ±2.
    pub previous: Vec3,
    /// 1 if it was drawn in the last frame.
    pub visible: u32,
    /// Its level of detail, 0 to 7.
    pub level: u32,
}

fn log_code(value: f32, min: f32, octaves: f32, codes: f32) -> u32 {
    // Written so that NaN and negatives give the least code.
    let position = (value.max(min) / min).log2() * (1.0 / octaves);
    (position.clamp(0.0, 1.0) * codes + 0.5) as u32
}

fn log_value(code: u32, min: f32, octaves: f32, codes: f32) -> f32 {
    min * (code as f32 * (octaves / codes)).exp2()
}

fn to_snorm(value: f32, scale: f32) -> u32 {
    ((value * (1.0 / scale)).clamp(-1.0, 1.0) * 32_767.0 + 0.5).floor() as i32 as u32 & 0xffff
}

fn from_snorm(bits: u32, scale: f32) -> f32 {
    // Sign extension; −32768 never occurs.
    ((bits << 16) as i32 >> 16) as f32 * (scale / 32_767.0)
}

fn sign(x: f32) -> f32 {
    if x >= 0.0 { 1.0 } else { -1.0 }
}

/// Octahedral map of a unit vector to [−1, 1]², the +y hemisphere inside. Source: Cigolle and others, "A Survey of
/// Efficient Representations for Independent Unit Vectors", JCGT 3(2), 2014.
fn octahedral(n: Vec3) -> Vec2 {
    let flat = Vec2::new(n.x, n.z) / (n.x.abs() + n.y.abs() + n.z.abs()).max(1e-20);
    if n.y >= 0.0 {
        return flat;
    }
    Vec2::new((1.0 - flat.y.abs()) * sign(flat.x), (1.0 - flat.x.abs()) * sign(flat.y))
}

fn from_octahedral(e: Vec2) -> Vec3 {
    let y = 1.0 - e.x.abs() - e.y.abs();
    let fold = (-y).max(0.0);
    let n = Vec3::new(e.x - sign(e.x) * fold, y, e.y - sign(e.y) * fold);
    n * (1.0 / n.dot(n).sqrt())
}

/// Nine bits, signed with an exact zero, so that straight up stays straight up.
fn nine_bits(x: f32) -> u32 {
    (x.clamp(-1.0, 1.0) * 255.0 + 0.5).floor() as i32 as u32 & 0x1ff
}

fn from_nine_bits(bits: u32) -> f32 {
    ((bits << 23) as i32 >> 23) as f32 * (1.0 / 255.0)
}

fn root_code(root: f32, origin: f32, extent: f32) -> u32 {
    let place = (root - origin) / extent.max(1e-20);
    (place.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u32
}

/// Packs what does not change; the state is zero until [`blade_pack_state`].
///
/// `root` lies in the box at `origin` of size `extent` (m) and is rounded to 1/65535 of it; `yaw` is in turns and is
/// rounded to 1/256; the rest is clamped to the ranges above. `up` is off by at most 0.5°.
#[must_use]
#[expect(clippy::too_many_arguments, reason = "the twin in the shader takes plain values, and both have one shape")]
pub fn blade_pack(
    root: Vec3,
    up: Vec3,
    yaw: f32,
    height: f32,
    width: f32,
    stiffness: f32,
    origin: Vec3,
    extent: Vec3,
) -> Body {
    let flat = octahedral(up);
    let turn = ((yaw - yaw.floor()) * 256.0 + 0.5) as u32 & 0xff;
    let x = root_code(root.x, origin.x, extent.x);
    let y = root_code(root.y, origin.y, extent.y);
    let z = root_code(root.z, origin.z, extent.z);
    let mut words = [0; 8];
    words[0] = x | y << 16;
    words[1] = z | turn << 16 | log_code(height, HEIGHT_MIN, HEIGHT_OCTAVES, 255.0) << 24;
    words[2] = nine_bits(flat.x)
        | nine_bits(flat.y) << 9
        | log_code(width, WIDTH_MIN, WIDTH_OCTAVES, 127.0) << 18
        | log_code(stiffness, STIFFNESS_MIN, STIFFNESS_OCTAVES, 127.0) << 25;
    Body { words }
}

/// The standing part of a body: `origin` and `extent` as at packing.
#[must_use]
pub fn blade_unpack(body: Body, origin: Vec3, extent: Vec3) -> Blade {
    let [a, b, c, ..] = body.words;
    let place = Vec3::new((a & 0xffff) as f32, (a >> 16) as f32, (b & 0xffff) as f32);
    let up = from_octahedral(Vec2::new(from_nine_bits(c & 0x1ff), from_nine_bits((c >> 9) & 0x1ff)));
    Blade {
        root: origin + place * (1.0 / 65_535.0) * extent,
        height: log_value(b >> 24, HEIGHT_MIN, HEIGHT_OCTAVES, 255.0),
        up,
        width: log_value((c >> 18) & 0x7f, WIDTH_MIN, WIDTH_OCTAVES, 127.0),
        front: blade_front(up, ((b >> 16) & 0xff) as f32 * (1.0 / 256.0)),
        stiffness: log_value(c >> 25, STIFFNESS_MIN, STIFFNESS_OCTAVES, 127.0),
    }
}

/// `body` with another state. `dither` in [0, 1) decides how the trample value rounds: 0.5 to nearest; a hash of body
/// and frame keeps a decay unbiased that is less than a unit a frame.
#[must_use]
pub fn blade_pack_state(body: Body, state: BladeState, dither: f32) -> Body {
    let mut words = body.words;
    words[3] = state.tip.x.to_bits();
    words[4] = state.tip.y.to_bits();
    words[5] = state.tip.z.to_bits();
    words[6] = to_snorm(state.previous.x, PREVIOUS_MAX) | to_snorm(state.previous.y, PREVIOUS_MAX) << 16;
    let trample = ((state.trample.clamp(0.0, 1.0) * 4095.0 + dither) as u32).min(4095);
    words[7] =
        to_snorm(state.previous.z, PREVIOUS_MAX) | trample << 16 | (state.visible & 1) << 28 | (state.level & 7) << 29;
    Body { words }
}

/// The changing part of a body.
#[must_use]
pub fn blade_unpack_state(body: Body) -> BladeState {
    let [.., x, y, z, g, h] = body.words;
    BladeState {
        tip: Vec3::new(f32::from_bits(x), f32::from_bits(y), f32::from_bits(z)),
        trample: ((h >> 16) & 0xfff) as f32 * (1.0 / 4095.0),
        previous: Vec3::new(
            from_snorm(g & 0xffff, PREVIOUS_MAX),
            from_snorm(g >> 16, PREVIOUS_MAX),
            from_snorm(h & 0xffff, PREVIOUS_MAX),
        ),
        visible: (h >> 28) & 1,
        level: h >> 29,
    }
}
