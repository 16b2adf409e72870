//! The map of shadows: what the sun sees of the bodies near the eye, drawn by the same raster from the same poses.
//!
//! The map's camera stands far off towards the sun and looks back with a narrow lens. Its rays spread no more than those from
//! the sun's own disc do, 0.53°, and everything that draws bodies draws them for it too.

use anemone_field::space::Position;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, IVec2, IVec3, Vec2, Vec3};

use crate::camera::{Camera, Window};
use crate::frame::{FrameUniform, jitter};
use crate::world::{Distance, Placement, Terrain, World};

/// How far off the map's camera stands, in radii of the map: the lens takes in 0.53°. Depths and places are then fine to a
/// hundredth of a texel.
const DISTANCE: f64 = 216.0;
// Of the smallest map too the camera's near plane lies before it, with room for what stands between.
const _: () = assert!((DISTANCE - 4.0) * LEAST_REACH > 200.0);
/// Radius of the map for an eye at a metre above the ground, m.
const REACH: f64 = 6.0;
const LEAST_REACH: f64 = 2.0;
const MOST_REACH: f64 = 64.0;
/// Sine of half the sun's apparent diameter.
const SUN_RADIUS: f32 = 0.004_65;

/// Twin of `struct ShadowMap` in `map.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct MapUniform {
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
    bias: f32,
    pad: [u32; 3],
}

const _: () = assert!(size_of::<MapUniform>() == 96);

/// What the sun sees of a world for an eye.
pub(crate) struct SunView {
    pub camera: Camera,
    pub window: Window,
    /// m
    texel: f64,
    jitter: Vec2,
    /// Of the upper left texel, counted from a place that stays as the map moves, for the choices that are made for each.
    pub corner: IVec2,
}

impl SunView {
    /// Each sample looks from another point of the sun's disc, so that shadows soften with their length.
    /// `full_within` says how far all bodies of a population stand, m, if not as far as the author wanted them to.
    pub fn new(
        world: &World,
        eye: &Camera,
        texels: u32,
        sample: u32,
        full_within: impl Fn(usize) -> Option<f32>,
    ) -> Self {
        let sun = world.sun.direction;
        let (centre, reach) = region(world, eye, &full_within);
        let texel = 2.0 * reach / f64::from(texels);
        let up = if sun.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
        let axes = Camera { eye: centre, forward: -sun, up, fov: 1.0, near: 1.0 }.axes();
        // The map moves by whole texels, so that shadows do not crawl as the eye walks on.
        let axes_f64 = [axes[0], axes[1]].map(Vec3::as_dvec3);
        let steps = axes_f64.map(|axis| (axis.dot(centre) / texel).round());
        let snapped = (0..2).fold(centre, |at, i| at + axes_f64[i] * (steps[i] * texel - axes_f64[i].dot(centre)));
        // Rows run down. A number of texels that is too large for an integer is held to the largest.
        let corner = IVec2::new(steps[0] as i32, -steps[1] as i32);
        let aside = on_disc(on_square(sample)) * SUN_RADIUS;
        let toward = (sun + axes[0] * aside.x + axes[1] * aside.y).normalize();
        let distance = DISTANCE * reach;
        let camera = Camera {
            eye: snapped + toward.as_dvec3() * distance,
            forward: -toward,
            up,
            fov: 2.0 * (1.0 / DISTANCE).atan() as f32,
            near: (distance - 4.0 * reach - 100.0) as f32,
        };
        Self { camera, window: Window::whole([texels, texels]), texel, jitter: jitter(sample), corner }
    }

    /// As shaders read it. Zeroes say that there is no map.
    pub fn uniform(&self) -> MapUniform {
        let frame = FrameUniform::new(&self.camera, &self.window, Vec2::ZERO, self.jitter);
        MapUniform {
            tile: frame.camera_tile,
            near: frame.near,
            local: frame.camera_local,
            focal: frame.focal,
            right: frame.right,
            centre_x: frame.centre_x,
            up: frame.up,
            centre_y: frame.centre_y,
            forward: frame.forward,
            side: self.window.size[0],
            // A leaf does not shade itself, nor the one that it touches.
            bias: (2.5 * self.texel + 0.004) as f32,
            pad: [0; 3],
        }
    }
}

/// Where shadows are drawn in detail: the middle and the radius, m.
fn region(world: &World, eye: &Camera, full_within: &impl Fn(usize) -> Option<f32>) -> (DVec3, f64) {
    match &world.terrain {
        Terrain::Height(ground) => {
            let under = |at: DVec3| f64::from(ground.height(Position::from_metres(at)));
            let above = (eye.eye.y - under(eye.eye)).max(0.1);
            let reach_of_all = most_reach(world, full_within);
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
fn most_reach(world: &World, full_within: &impl Fn(usize) -> Option<f32>) -> f64 {
    let populations = world.populations.iter().enumerate();
    let reaches = populations.map(|(index, population)| match (population.placement, population.distance) {
        (Placement::Everywhere { .. }, Distance::Rank { full_within: wanted, .. }) => {
            4.0 * f64::from(full_within(index).unwrap_or(wanted))
        }
        _ => MOST_REACH,
    });
    reaches.fold(LEAST_REACH, f64::max).min(MOST_REACH)
}

/// Where sample `i` looks within the square that becomes the sun's disc, in [-1/2, 1/2]².
///
/// The last two dimensions of the R4 sequence (Roberts 2018), which has nothing in common with the R2 of [`jitter`].
fn on_square(i: u32) -> Vec2 {
    let golden = [0.628_706_721_037_808_7_f64, 0.538_597_257_223_610_1];
    Vec2::from(golden.map(|g| ((0.5 + g * f64::from(i)).fract() - 0.5) as f32))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_spread_no_more_than_the_suns_own() {
        let lens = 2.0 * (1.0 / DISTANCE).atan();
        assert!(lens <= 2.0 * f64::from(SUN_RADIUS) && lens > 1.9 * f64::from(SUN_RADIUS), "{}", lens.to_degrees());
    }

    /// The sun's disc and the texel are sampled together: all sixteen quarters of a quarter get their share of samples.
    #[test]
    fn the_suns_disc_and_the_texel_are_sampled_apart() {
        let mut counts = [0; 16];
        for i in 0..512 {
            let (texel, sun) = (jitter(i), on_square(i));
            let bits = [texel.x, texel.y, sun.x, sun.y].map(|x| usize::from(x >= 0.0));
            counts[bits[0] + 2 * bits[1] + 4 * bits[2] + 8 * bits[3]] += 1;
        }
        assert!(counts.iter().all(|count| (24..=40).contains(count)), "{counts:?}");
        let mean = (0..64).map(|i| on_disc(on_square(i))).sum::<Vec2>() / 64.0;
        assert!(mean.length() < 0.06, "{mean}");
        assert_eq!(on_disc(on_square(0)), Vec2::ZERO);
    }
}
