//! Light scattered more than once.
//!
//! Hillaire, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", EGSR 2020, section 5.5: light
//! scattered twice is gathered at a point as if every scattering were even in all directions; what follows is a geometric
//! series with the ratio that a point gets back of its own light. The land's throw of direct sunlight is part of it.

use glam::DVec3;

use crate::atmosphere::{Air, EARTH, TOP};
use crate::columns::{ColumnTable, distance_out};
use crate::spectrum::Spectrum;

const HEIGHTS: usize = 16;
const SUNS: usize = 13;
const ZENITHS: u32 = 8;
const AZIMUTHS: u32 = 4;
const STEPS: u32 = 16;

/// Mean radiance of light scattered more than once, in parts of the sun's irradiance, by height and sun.
pub(crate) struct MultipleTable {
    ground: f64,
    /// Least and greatest cosine of the sun with up along lines of sight from the ground.
    suns: [f64; 2],
    table: Vec<Spectrum>,
}

impl MultipleTable {
    pub(crate) fn new(air: &Air, columns: &ColumnTable, elevation: f64) -> Self {
        use std::f64::consts::FRAC_PI_2;
        // A level line leaves the air 10.2° round the Earth.
        let reach = 12f64.to_radians();
        let suns = [elevation - reach, elevation + reach].map(|angle| angle.clamp(-FRAC_PI_2, FRAC_PI_2).sin());
        let mut table = Vec::with_capacity(HEIGHTS * SUNS);
        for i in 0..HEIGHTS {
            let x = i as f64 / (HEIGHTS - 1) as f64;
            let height = air.ground + (TOP - air.ground) * x * x;
            for j in 0..SUNS {
                let mu = suns[0] + (suns[1] - suns[0]) * j as f64 / (SUNS - 1) as f64;
                table.push(gather(air, columns, height.min(TOP - 1.0), mu));
            }
        }
        Self { ground: air.ground, suns, table }
    }

    /// The values at one height, for suns in order.
    pub(crate) fn at(&self, height: f64) -> MultipleAt {
        let x = ((height - self.ground) / (TOP - self.ground)).clamp(0.0, 1.0).sqrt() * (HEIGHTS - 1) as f64;
        let row = (x as usize).min(HEIGHTS - 2);
        let t = (x - row as f64) as f32;
        let values = std::array::from_fn(|j| self.table[row * SUNS + j].lerp(&self.table[(row + 1) * SUNS + j], t));
        MultipleAt { least: self.suns[0], scale: (SUNS - 1) as f64 / (self.suns[1] - self.suns[0]), values }
    }
}

/// The values at one height.
pub(crate) struct MultipleAt {
    least: f64,
    scale: f64,
    values: [Spectrum; SUNS],
}

impl MultipleAt {
    #[inline(always)]
    pub(crate) fn sun(&self, mu: f64) -> Spectrum {
        let x = ((mu - self.least) * self.scale).clamp(0.0, (SUNS - 1) as f64);
        let i = (x as usize).min(SUNS - 2);
        self.values[i].lerp(&self.values[i + 1], (x - i as f64) as f32)
    }
}

fn gather(air: &Air, columns: &ColumnTable, height: f64, sun_mu: f64) -> Spectrum {
    use std::f64::consts::PI;
    let sun = DVec3::new((1.0 - sun_mu * sun_mu).max(0.0).sqrt(), sun_mu, 0.0);
    let origin = DVec3::new(0.0, EARTH + height, 0.0);
    let ground = EARTH + air.ground;
    let (mut twice, mut back) = (Spectrum::ZERO, Spectrum::ZERO);
    for i in 0..ZENITHS {
        let mu = (f64::from(i) + 0.5) / f64::from(ZENITHS) * 2.0 - 1.0;
        let across = (1.0 - mu * mu).sqrt();
        let inside = ground * ground - origin.y * origin.y * across * across;
        let hits = mu < 0.0 && inside > 0.0;
        let length =
            if hits { -origin.y * mu - inside.sqrt() } else { distance_out(origin.y, mu, EARTH + TOP) }.max(0.0);
        let directions: [DVec3; AZIMUTHS as usize] = std::array::from_fn(|j| {
            let (sin, cos) = (PI * (j as f64 + 0.5) / f64::from(AZIMUTHS)).sin_cos();
            DVec3::new(across * cos, mu, across * sin)
        });
        let mut through = Spectrum::of(|_| 1.0);
        let mut before = 0.0;
        for step in 0..STEPS {
            // Upwards the dense air is near, downwards far: there, equal steps.
            let spread = |s: f64| if hits { s } else { s * s };
            let middle = length * spread((f64::from(step) + 0.5) / f64::from(STEPS));
            let end = length * spread(f64::from(step + 1) / f64::from(STEPS));
            let radius = (origin.y * origin.y + middle * (middle + 2.0 * origin.y * mu)).sqrt();
            let densities = air.densities(radius - EARTH);
            let (part, rest) = segment(air, &densities, (end - before) as f32, &through);
            before = end;
            through = rest;
            let (rayleigh, aerosol) = air.scattering(&densities);
            let scattered = rayleigh.map2(&aerosol, |a, b| a + b).map2(&part, |a, b| a * b);
            back.add_product(&scattered, &Spectrum::of(|_| AZIMUTHS as f32));
            let at = columns.at(radius);
            for direction in &directions {
                let mu = (origin + *direction * middle).dot(sun) / radius;
                if let Some((column, seen)) = at.sun(mu) {
                    let light = air.depth(&column).attenuation().times(seen / (4.0 * PI) as f32);
                    twice.add_product(&scattered, &light);
                }
            }
        }
        if hits {
            let at = columns.at(ground);
            for direction in &directions {
                let mu = (origin + *direction * length).dot(sun) / ground;
                if let Some((column, seen)) = at.sun(mu) {
                    let light = air.depth(&column).attenuation().times(seen * mu.max(0.0) as f32 / PI as f32);
                    twice.add_product(&through.map2(&air.albedo, |a, b| a * b), &light);
                }
            }
        }
    }
    let count = 1.0 / (ZENITHS * AZIMUTHS) as f32;
    twice.map2(&back, |twice, back| twice * count / (1.0 - (back * count).min(0.95)))
}

/// The integral of transmittance over a segment of even density, and the transmittance behind it.
#[inline(always)]
pub(crate) fn segment(
    air: &Air,
    densities: &crate::columns::Densities,
    length: f32,
    before: &Spectrum,
) -> (Spectrum, Spectrum) {
    let extinction = air.depth(densities);
    let kept = extinction.times(length).attenuation();
    let part = Spectrum(std::array::from_fn(|i| {
        let depth = extinction.0[i] * length;
        // The quotient loses its digits where there is hardly any air.
        let mean = if depth > 1e-3 { (1.0 - kept.0[i]) / depth } else { 1.0 - 0.5 * depth };
        before.0[i] * mean * length
    }));
    (part, before.map2(&kept, |a, b| a * b))
}
