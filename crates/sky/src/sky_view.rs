//! The sky as a table and as light on surfaces. Twin: `sky_view.wesl`.

mod build;
mod harmonics;

use std::f32::consts::PI;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec3Swizzles, Vec4};

use crate::atmosphere::{Atmosphere, SUN_RADIUS, unit};

/// Columns of the table, from the sun's azimuth to the opposite one.
pub const COLUMNS: usize = 64;

/// Rows of the table, from straight down to straight up.
pub const ROWS: usize = 96;

/// The row of the level.
const HORIZON_ROW: f32 = 32.0;

/// Asymmetry of the haze.
const ASYMMETRY: f32 = 0.76;

/// Light on level open ground, linear sRGB, klx.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Illuminance {
    /// From the sun's disc alone.
    pub sun: Vec3,
    /// From the sky without the disc.
    pub sky: Vec3,
}

impl Illuminance {
    /// From both.
    #[must_use]
    pub fn total(&self) -> Vec3 {
        self.sun + self.sky
    }
}

/// What a shader needs besides the table. Twin of `Sky`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SkyUniform {
    /// Unit, towards the sun; w is 0, as in all of them.
    pub sun: Vec4,
    /// Mean radiance of the disc, kcd/m².
    pub sun_radiance: Vec4,
    /// Colour of the glare round the sun, luminance 1.
    pub aureole: Vec4,
    /// Of the air near the ground, 1/m.
    pub extinction: Vec4,
    /// For [`sky_irradiance`].
    pub irradiance: [Vec4; 9],
}

/// The sky for one place of the sun: radiance in all directions, and the light it gives.
///
/// Directions below the level show what lies a few hundred metres lower: haze, thinning into sunlit land downwards, for
/// the far edge of a scene's ground to fade into.
#[derive(Clone, Debug)]
pub struct SkyView {
    /// Spherical harmonics of order 2, convolved with the cosine (Ramamoorthi and Hanrahan, "An Efficient Representation
    /// for Irradiance Environment Maps", 2001), the basis' constants multiplied in; klx; see [`sky_irradiance`]. Sky
    /// above, sunlit ground below, without the sun's disc; corrected so that level surfaces get exactly what they should.
    pub irradiance: [Vec4; 9],
    sun: Vec3,
    texels: Vec<[f32; 4]>,
    aureole: Vec3,
    sun_illuminance: Vec3,
    sun_radiance: Vec3,
    sky_illuminance: Vec3,
    extinction: Vec3,
}

impl SkyView {
    /// Computes the sky; `sun` points towards the middle of the sun's disc. Neither need be sensible: values are brought
    /// into range, and the result is finite. Takes about 30 ms.
    #[must_use]
    pub fn new(atmosphere: &Atmosphere, sun: Vec3) -> Self {
        let sun = unit(sun);
        let air = atmosphere.air();
        let built = build::build(&air, sun);
        let sun_illuminance = atmosphere.sun_illuminance(sun);
        let ground = atmosphere.ground_albedo.clamp(Vec3::ZERO, Vec3::ONE);
        let ground = if ground.is_nan() { Atmosphere::default().ground_albedo } else { ground };
        let mut view = Self {
            irradiance: [Vec4::ZERO; 9],
            sun,
            texels: built.texels,
            aureole: built.aureole,
            sun_illuminance,
            sun_radiance: built.sun_radiance,
            sky_illuminance: built.sky_illuminance,
            extinction: atmosphere.extinction(),
        };
        let bounce = ground * view.horizontal_illuminance().total() / PI;
        view.irradiance = harmonics::project(&view, bounce);
        view
    }

    /// Radiance towards a direction, without the sun's disc, linear sRGB, kcd/m².
    #[must_use]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let direction = unit(direction);
        let place = sky_coordinates(direction, self.sun);
        let (column, row) = ((place.x as usize).min(COLUMNS - 2), (place.y as usize).min(ROWS - 2));
        let between = place - Vec2::new(column as f32, row as f32);
        let texel = |right: usize, up: usize| Vec4::from(self.texels[(row + up) * COLUMNS + column + right]);
        let low = texel(0, 0).lerp(texel(1, 0), between.x);
        let high = texel(0, 1).lerp(texel(1, 1), between.x);
        sky_radiance(low.lerp(high, between.y), self.aureole, direction.dot(self.sun))
    }

    /// The table, [`COLUMNS`] wide, rows from straight down to straight up: what [`sky_radiance`] takes, at the places that
    /// [`sky_coordinates`] gives. kcd/m²; rgb alone may be below zero.
    #[must_use]
    pub fn texels(&self) -> &[[f32; 4]] {
        &self.texels
    }

    /// Irradiance of a surface with this unit normal from sky and ground, without the sun itself, linear sRGB, klx.
    #[must_use]
    pub fn irradiance(&self, normal: Vec3) -> Vec3 {
        sky_irradiance(&self.irradiance, unit(normal))
    }

    /// Light on level open ground.
    #[must_use]
    pub fn horizontal_illuminance(&self) -> Illuminance {
        Illuminance { sun: self.sun_illuminance * self.sun.y.max(0.0), sky: self.sky_illuminance }
    }

    /// The sun's light on a surface that faces it, linear sRGB, klx: [`Atmosphere::sun_illuminance`].
    #[must_use]
    pub fn sun_illuminance(&self) -> Vec3 {
        self.sun_illuminance
    }

    /// Mean radiance of the sun's disc where it is above the level, for [`sun_disc`], linear sRGB, kcd/m²; 0 once it is
    /// down.
    #[must_use]
    pub fn sun_radiance(&self) -> Vec3 {
        self.sun_radiance
    }

    /// What a metre of air near the ground takes, linear sRGB, 1/m: [`Atmosphere::extinction`].
    #[must_use]
    pub fn extinction(&self) -> Vec3 {
        self.extinction
    }

    /// What a shader needs besides the table.
    #[must_use]
    pub fn uniform(&self) -> SkyUniform {
        SkyUniform {
            sun: self.sun.extend(0.0),
            sun_radiance: self.sun_radiance.extend(0.0),
            aureole: self.aureole.extend(0.0),
            extinction: self.extinction.extend(0.0),
            irradiance: self.irradiance,
        }
    }
}

fn azimuth(direction: Vec3) -> Vec2 {
    direction.xz() / direction.xz().length().max(1e-9)
}

/// Where a unit direction lies in the table, in texels (column, row): whole numbers are the middles of texels, so that a
/// sampler wants (place + 0.5) / (COLUMNS, ROWS).
#[must_use]
pub fn sky_coordinates(direction: Vec3, sun: Vec3) -> Vec2 {
    // The sine of half the angle between the azimuths, and the tangent of half the elevation: no inverse functions.
    let across = (0.5 * (azimuth(direction) - azimuth(sun)).length()).min(1.0);
    let up = (direction.y / (1.0 + direction.xz().length())).clamp(-1.0, 1.0);
    let spread = up.abs().sqrt();
    let row = if up >= 0.0 {
        HORIZON_ROW + spread * ((ROWS - 1) as f32 - HORIZON_ROW)
    } else {
        HORIZON_ROW - spread * HORIZON_ROW
    };
    Vec2::new(across * (COLUMNS - 1) as f32, row)
}

/// Lowest sine of the elevation at which the sky is asked for what haze adds.
const HAZE_LOWEST: f32 = 0.01;

/// The direction whose sky is what haze before land adds up to: a long way through air that is alike all along looks as the sky
/// does just above the level, at the same angle from the sun, by which haze scatters.
///
/// Above that, the direction itself. Continuous, straight down too; to the right or to the left of the sun does not matter.
#[must_use]
pub fn haze_direction(direction: Vec3, sun: Vec3) -> Vec3 {
    if direction.y >= HAZE_LOWEST {
        return direction;
    }
    let level = sun.xz().length();
    let across = (1.0 - HAZE_LOWEST * HAZE_LOWEST).sqrt();
    let cosine = ((direction.dot(sun) - HAZE_LOWEST * sun.y) / (across * level).max(1e-6)).clamp(-1.0, 1.0);
    let sine = (1.0 - cosine * cosine).sqrt();
    let toward = if level > 1e-6 { sun.xz() / level } else { Vec2::X };
    let flat = across * (toward * cosine + toward.perp() * sine);
    Vec3::new(flat.x, HAZE_LOWEST, flat.y)
}

/// Part of the light that haze scatters into a steradian at an angle of this cosine, 1/sr: Cornette and Shanks,
/// "Physically reasonable analytic expression for the single-scattering phase function", Applied Optics 31, 1992.
#[must_use]
pub fn aerosol_phase(cosine: f32) -> f32 {
    let g = ASYMMETRY;
    let b = 1.0 + g * g - 2.0 * g * cosine;
    3.0 / (8.0 * PI) * (1.0 - g * g) / (2.0 + g * g) * (1.0 + cosine * cosine) / (b * b.sqrt())
}

/// Radiance without the disc, linear sRGB, kcd/m², from an interpolated texel, the aureole's colour and the cosine of the
/// angle to the sun: the glare round the sun is too narrow for the table and is added here.
#[must_use]
pub fn sky_radiance(texel: Vec4, aureole: Vec3, cosine: f32) -> Vec3 {
    (texel.truncate() + aureole * (texel.w * aerosol_phase(cosine))).max(Vec3::ZERO)
}

/// Irradiance of a surface with this unit normal from sky and ground, linear sRGB, klx.
#[must_use]
pub fn sky_irradiance(coefficients: &[Vec4; 9], normal: Vec3) -> Vec3 {
    let sum: Vec4 = coefficients.iter().zip(harmonics::basis(normal)).map(|(c, b)| *c * b).sum();
    sum.truncate().max(Vec3::ZERO)
}

/// Radiance of the sun's disc towards a unit direction, linear sRGB, kcd/m², 0 beside it.
///
/// `radiance` is the disc's mean, `softness` the width in rad over which the edge fades, such as a pixel's. The limb is
/// darker by the law of Hestroffer and Magnan, "Wavelength dependency of the Solar limb darkening", A&A 333, 1998: the
/// cosine to the power of −0.023 + 0.292 µm/λ, here at 610, 550 and 465 nm.
#[must_use]
pub fn sun_disc(radiance: Vec3, direction: Vec3, sun: Vec3, softness: f32) -> Vec3 {
    let angle = (direction - sun).length();
    let edge = (0.5 + (SUN_RADIUS - angle) / softness.max(1e-7)).clamp(0.0, 1.0);
    let across = (angle / SUN_RADIUS).min(1.0);
    let power = 0.5 * Vec3::new(0.4557, 0.5079, 0.6050);
    let inner = (1.0 - across * across).max(1e-6);
    let limb = (1.0 + power) * power.map(|power| inner.powf(power));
    if direction.dot(sun) > 0.0 { radiance * limb * edge } else { Vec3::ZERO }
}
