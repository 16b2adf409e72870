//! Whether a world's numbers are such that nothing in a frame can fail, or come out as no number. The ranges are wider than
//! an author's: what a shader can reckon with, and what a body can hold.

use std::f32::consts::FRAC_PI_2;
use std::fmt::Display;

use anemone_field::wind::{Kind, MAX_SOURCES, Source, Wind};
use anemone_motion::blade::{HEIGHT_MAX, HEIGHT_MIN, STIFFNESS_MAX, STIFFNESS_MIN, WIDTH_MAX, WIDTH_MIN};
use glam::{DVec3, Vec3};

use super::{
    Clumps, Collider, Distance, Growth, MOST_COLLIDERS, MOST_POPULATIONS, Placement, Population, Shape, Sun, Terrain,
    World,
};
use crate::error::Error;

/// Metres from the origin: the coordinates of tiles stay far from the ends of 32 bits.
const WORLD: f64 = 1e10;
/// A length that things are divided by, m.
const LENGTH: [f32; 2] = [1e-3, 1e7];
/// Light and reflectance: products stay far from the greatest 32-bit number.
const LIGHT: [f32; 2] = [0.0, 1e6];

impl World {
    /// Looks at every number, and says which the engine cannot draw. [`crate::Engine::new`] calls it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] names the first number that is none, or that lies outside what the engine can hold;
    /// [`Error::TooMany`] says of what there is more than a world may hold.
    pub fn check(&self) -> Result<(), Error> {
        at_most("populations", self.populations.len(), MOST_POPULATIONS)?;
        for (index, population) in self.populations.iter().enumerate() {
            population.check(&Owner(format!("population {index}")))?;
        }
        let ground = Owner("the ground".into());
        ground.vector("soil", self.soil, LIGHT)?;
        match &self.terrain {
            Terrain::Height(height) => {
                let [low, high] = height.height_range();
                ground.place("lowest height", low)?;
                ground.place("highest height", high)?;
            }
            Terrain::Mesh { origin, .. } => ground.point("origin", *origin)?,
        }
        check_wind(&self.wind)?;
        check_colliders(&self.colliders)?;
        check_sun(&self.sun)
    }
}

/// The part of [`World::check`] that is asked again when the wind changes.
pub(crate) fn check_wind(wind: &Wind) -> Result<(), Error> {
    at_most("sources of wind", wind.sources.len(), MAX_SOURCES)?;
    for (index, source) in wind.sources.iter().enumerate() {
        check_source(&Owner(format!("source {index} of the wind")), source)?;
    }
    Ok(())
}

/// The part of [`World::check`] that is asked again when the light changes.
pub(crate) fn check_sun(sun: &Sun) -> Result<(), Error> {
    let owner = Owner("the sun".into());
    owner.unit("direction", sun.direction)?;
    owner.vector("light", sun.light, LIGHT)?;
    owner.number("sky", sun.sky, LIGHT)?;
    owner.number("visibility", sun.visibility, [1e-2, f32::INFINITY])?;
    owner.number("exposure", sun.exposure, [-64.0, 64.0])
}

/// The part of [`World::check`] that is asked again when obstacles move.
pub(crate) fn check_colliders(colliders: &[Collider]) -> Result<(), Error> {
    at_most("colliders", colliders.len(), MOST_COLLIDERS)?;
    for (index, collider) in colliders.iter().enumerate() {
        let owner = Owner(format!("collider {index}"));
        owner.point("position", collider.position)?;
        owner.vector("axis", collider.axis, [-1e7, 1e7])?;
        owner.number("radius", collider.radius, [0.0, 1e7])?;
        owner.vector("velocity", collider.velocity, [-1e9, 1e9])?;
    }
    Ok(())
}

impl Population {
    fn check(&self, owner: &Owner) -> Result<(), Error> {
        match self.placement {
            Placement::Everywhere { density } => owner.number("density", density, [1e-6, 1e5])?,
            Placement::Square { centre, side, .. } => {
                owner.point("centre", DVec3::new(centre.x, 0.0, centre.y))?;
                owner.number("side", side, LENGTH)?;
            }
            Placement::Surface { .. } => {}
        }
        owner.interval("height", self.height, [HEIGHT_MIN, HEIGHT_MAX])?;
        owner.interval("width", self.width, [WIDTH_MIN, WIDTH_MAX])?;
        owner.interval("stiffness", self.stiffness, [STIFFNESS_MIN, STIFFNESS_MAX])?;
        owner.interval("lean", self.lean, [0.0, FRAC_PI_2])?;
        if let Shape::Tip { threshold } = self.shape {
            owner.number("tip threshold", threshold, [0.0, 0.999_999])?;
        }
        match self.distance {
            Distance::Rank { full_within, range } => {
                owner.number("full_within", full_within, LENGTH)?;
                owner.number("range", range, LENGTH)?;
            }
            Distance::Buckets { count, range } => {
                owner.number("number of buckets", count as f32, [1.0, 65_535.0])?;
                owner.number("range", range, LENGTH)?;
            }
        }
        let forces = &self.forces;
        owner.number("gravity", forces.gravity, [-1e4, 1e4])?;
        owner.unit("gravity_direction", forces.gravity_direction)?;
        owner.point("gravity_point", forces.gravity_point)?;
        owner.number("gravity_mix", forces.gravity_mix, [0.0, 1.0])?;
        owner.number("front_gravity", forces.front_gravity, [-1e4, 1e4])?;
        owner.number("answer to the wind", forces.wind, [-1e4, 1e4])?;
        owner.number("trample_recovery", forces.trample_recovery, [1e-3, 1e9])?;
        owner.vector("root colour", self.color.root, LIGHT)?;
        owner.vector("tip colour", self.color.tip, LIGHT)?;
        owner.vector("dry colour", self.color.dry, LIGHT)?;
        owner.vector("transmittance", self.color.through, LIGHT)?;
        owner.number("variety", self.color.variety, [0.0, 1.0])?;
        owner.number("share of dead blades", self.color.dead, [0.0, 1.0])?;
        if let Some(clumps) = &self.clumps {
            check_clumps(owner, clumps)?;
        }
        check_growth(owner, &self.growth)
    }
}

fn check_clumps(owner: &Owner, clumps: &Clumps) -> Result<(), Error> {
    owner.number("size of clumps", clumps.size, [0.01, 100.0])?;
    let shares = [
        ("jitter of clumps", clumps.jitter),
        ("height by clump", clumps.height),
        ("facing by clump", clumps.facing),
        ("fan of clumps", clumps.fan),
        ("gather of clumps", clumps.gather),
        ("colour by clump", clumps.color),
    ];
    shares.into_iter().try_for_each(|(what, share)| owner.number(what, share, [0.0, 1.0]))
}

fn check_growth(owner: &Owner, growth: &Growth) -> Result<(), Error> {
    owner.interval("slope", growth.slope, [f32::NEG_INFINITY, f32::INFINITY])?;
    owner.number("border of slopes", growth.slope_border, [0.0, 10.0])?;
    owner.interval("altitude", growth.altitude, [f32::NEG_INFINITY, f32::INFINITY])?;
    owner.number("border of altitudes", growth.altitude_border, [0.0, 1e7])?;
    if let Some(patches) = &growth.patches {
        owner.number("size of patches", patches.size, [0.01, 1e6])?;
        owner.number("share of patches", patches.share, [0.0, 1.0])?;
        owner.number("softness of patches", patches.softness, [0.0, 1.0])?;
    }
    Ok(())
}

fn check_source(owner: &Owner, source: &Source) -> Result<(), Error> {
    const FACTOR: [f32; 2] = [-1e4, 1e4];
    owner.number("intensity", source.intensity, FACTOR)?;
    match &source.kind {
        Kind::Constant { velocity } => owner.vector("velocity", *velocity, FACTOR),
        Kind::Waves { velocity, wave_number_scale, rate } => {
            owner.vector("velocity", *velocity, FACTOR)?;
            owner.number("wave_number_scale", *wave_number_scale, FACTOR)?;
            owner.number("rate", *rate, FACTOR)
        }
        Kind::Point { position, strength, scale, rate } => {
            owner.point("position", position.to_metres())?;
            owner.number("strength", *strength, FACTOR)?;
            owner.number("scale", *scale, [0.0, 1e4])?;
            owner.number("rate", *rate, FACTOR)
        }
        Kind::Gusts { velocity, wavelength, gain, along, across, scroll, .. } => {
            owner.vector("velocity", *velocity, FACTOR)?;
            // What noise::step_of_wavelength can tell apart.
            owner.number("wavelength", *wavelength, [2e-3, 4e6])?;
            // Its thirtieth power is taken.
            owner.number("gain", *gain, [0.0, 2.0])?;
            owner.number("along", *along, [0.0, 1e4])?;
            owner.number("across", *across, [0.0, 1e4])?;
            owner.number("scroll", *scroll, FACTOR)
        }
    }
}

fn at_most(what: &'static str, count: usize, most: usize) -> Result<(), Error> {
    if count > most { Err(Error::TooMany { what, count, most }) } else { Ok(()) }
}

/// Whose numbers they are.
struct Owner(String);

impl Owner {
    fn refuse(&self, what: &str, value: impl Display, expected: String) -> Result<(), Error> {
        Err(Error::OutOfRange { what: format!("{}'s {what}", self.0), value: value.to_string(), expected })
    }

    fn number(&self, what: &str, value: f32, [least, most]: [f32; 2]) -> Result<(), Error> {
        // Written so that what is no number is refused.
        if (least..=most).contains(&value) {
            return Ok(());
        }
        let to =
            if most.is_finite() { format!("from {least} to {most}") } else { format!("a number of at least {least}") };
        self.refuse(what, value, to)
    }

    /// Least and greatest.
    fn interval(&self, what: &str, [low, high]: [f32; 2], range: [f32; 2]) -> Result<(), Error> {
        self.number(what, low, range)?;
        self.number(what, high, range)?;
        if high < low {
            return self.refuse(what, high, format!("at least its own least, {low}"));
        }
        Ok(())
    }

    fn vector(&self, what: &str, value: Vec3, range: [f32; 2]) -> Result<(), Error> {
        value.to_array().into_iter().try_for_each(|part| self.number(what, part, range))
    }

    /// A coordinate.
    fn place(&self, what: &str, value: impl Into<f64>) -> Result<(), Error> {
        let value = value.into();
        if (-WORLD..=WORLD).contains(&value) {
            return Ok(());
        }
        self.refuse(what, value, format!("within {WORLD} metres of the origin"))
    }

    fn point(&self, what: &str, value: DVec3) -> Result<(), Error> {
        value.to_array().into_iter().try_for_each(|part| self.place(what, part))
    }

    fn unit(&self, what: &str, value: Vec3) -> Result<(), Error> {
        let length = value.length();
        if (0.99..=1.01).contains(&length) {
            return Ok(());
        }
        self.refuse(what, length, "a unit vector, of length 1".into())
    }
}
