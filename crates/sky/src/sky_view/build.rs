//! Fills the table: a ray for each texel.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};

use super::{COLUMNS, HORIZON_ROW, ROWS, aerosol_phase};
use crate::atmosphere::{Air, EARTH, SUN_RADIUS, TOP, elevation};
use crate::columns::{ColumnTable, ColumnsAt, distance_out};
use crate::multiple::{MultipleAt, MultipleTable, segment};
use crate::spectrum::{Eye, Spectrum, into_gamut, luminance};

/// Steps along a ray.
const STEPS: u32 = 40;

pub(super) struct Built {
    pub(super) texels: Vec<[f32; 4]>,
    pub(super) aureole: Vec3,
    pub(super) sky_illuminance: Vec3,
    pub(super) sun_radiance: Vec3,
}

/// What all rays of one elevation share.
struct Row<'a> {
    mu: f64,
    steps: Vec<Step<'a>>,
    /// Transmittance to the ground, if the ray meets it, and its distance.
    ground: Option<(Spectrum, f64)>,
}

struct Step<'a> {
    along: f64,
    radius: f64,
    /// Scattering times transmittance to the eye times length.
    rayleigh: Spectrum,
    aerosol: Spectrum,
    columns: ColumnsAt<'a>,
    multiple: MultipleAt,
}

pub(super) fn build(air: &Air, sun: Vec3) -> Built {
    let columns = ColumnTable::new(air);
    let elevation = elevation(sun);
    let multiple = MultipleTable::new(air, &columns, elevation);
    let (sin, cos) = elevation.sin_cos();
    let sun = DVec3::new(cos, sin, 0.0);
    let eye = Eye::new();
    let row = |mu: f64| Row::new(air, &columns, &multiple, mu);

    // The colour of the glare, from where it is strongest.
    let ahead = row(sin.max(0.01));
    let (_, haze) = ahead.light(air, sun, 1.0);
    let aureole = eye.see(&haze);
    let strength = luminance(aureole);
    let aureole = if strength > 1e-12 { aureole / strength } else { Vec3::ONE };

    let mut texels = vec![[0.0; 4]; COLUMNS * ROWS];
    let mut fill = |index: usize, row: &Row<'_>, land: &Spectrum, weight: &dyn Fn(usize) -> f32| {
        let mut sum = Spectrum::ZERO;
        for column in 0..COLUMNS {
            let half = column as f64 / (COLUMNS - 1) as f64;
            let cos_azimuth = 1.0 - 2.0 * half * half;
            let (mut smooth, haze) = row.light(air, sun, cos_azimuth);
            if let Some((through, _)) = &row.ground {
                smooth.add_product(through, land);
            }
            let cosine = row.direction(cos_azimuth).dot(sun) as f32;
            let phase = aerosol_phase(cosine);
            let all = smooth.map2(&haze, |a, b| a + b * phase);
            let strength = luminance(eye.see(&haze)).max(0.0);
            let rest = into_gamut(eye.see(&all)) - aureole * (strength * phase);
            texels[index * COLUMNS + column] = rest.extend(strength).to_array();
            sum.add_product(&all, &Spectrum::of(|_| weight(column)));
        }
        sum
    };
    let mut level = Spectrum::ZERO;
    for index in HORIZON_ROW as usize..ROWS {
        // Integral of sine times cosine over the row, and of the azimuth, both halves, over the column.
        let ends = [index as f32 - 0.5, index as f32 + 0.5].map(|at| sine(at.clamp(HORIZON_ROW, (ROWS - 1) as f32)));
        let height = 0.5 * (ends[1] * ends[1] - ends[0] * ends[0]) as f32;
        let width = |column: usize| {
            let ends = [column as f64 - 0.5, column as f64 + 0.5]
                .map(|at| 4.0 * (at / (COLUMNS - 1) as f64).clamp(0.0, 1.0).asin());
            (ends[1] - ends[0]) as f32 * height
        };
        let sum = fill(index, &row(sine(index as f32)), &Spectrum::ZERO, &width);
        level = level.map2(&sum, |a, b| a + b);
    }
    let sunlight = air.sunlight(elevation);
    let land = level.map2(&sunlight, |sky, direct| (sky + direct * sin.max(0.0) as f32) / PI as f32);
    let land = land.map2(&air.albedo, |light, albedo| light * albedo);
    for index in 0..HORIZON_ROW as usize {
        fill(index, &row(sine(index as f32)), &land, &|_| 0.0);
    }
    // Of the part of the disc that is above: its light at the height of that part's middle, over the solid angle.
    let radius = f64::from(SUN_RADIUS);
    let shown = (0.5 + elevation / (2.0 * radius)).clamp(0.0, 1.0);
    let middle = if shown < 1.0 { (elevation + radius) / 2.0 } else { elevation };
    let solid = (PI * radius * radius) as f32;
    let through = air.sunlight(middle.max(radius));
    let fade = (shown * 20.0).min(1.0) as f32;
    Built {
        texels,
        aureole,
        sky_illuminance: into_gamut(eye.see(&level)),
        sun_radiance: into_gamut(eye.see(&through)) * (fade / solid),
    }
}

/// Sine of a row's elevation.
fn sine(row: f32) -> f64 {
    let row = f64::from(row) - f64::from(HORIZON_ROW);
    let span = if row >= 0.0 { (ROWS - 1) as f64 - f64::from(HORIZON_ROW) } else { f64::from(HORIZON_ROW) };
    let tangent = row / span * (row / span).abs();
    2.0 * tangent / (1.0 + tangent * tangent)
}

impl<'a> Row<'a> {
    fn new(air: &Air, columns: &'a ColumnTable, multiple: &MultipleTable, mu: f64) -> Self {
        let eye = EARTH + air.ground;
        // The land below lies so low that its horizon is behind the haze, for the sky to go on smoothly.
        let lower = ((1.25 * air.visibility).powi(2) / (2.0 * EARTH)).clamp(200.0, 1000.0);
        let inside = (eye - lower).powi(2) - eye * eye * (1.0 - mu * mu);
        let hits = mu < 0.0 && inside > 0.0;
        let length = if hits { -eye * mu - inside.sqrt() } else { distance_out(eye, mu, EARTH + TOP) };
        let mut through = Spectrum::of(|_| 1.0);
        let mut before = 0.0;
        let mut steps = Vec::with_capacity(STEPS as usize);
        for i in 0..STEPS {
            let at = |s: f64| length * s * s * s;
            let (middle, end) = (at((f64::from(i) + 0.5) / f64::from(STEPS)), at(f64::from(i + 1) / f64::from(STEPS)));
            let radius = (eye * eye + middle * (middle + 2.0 * eye * mu)).sqrt();
            let densities = air.densities(radius - EARTH);
            let (part, rest) = segment(air, &densities, (end - before) as f32, &through);
            before = end;
            through = rest;
            let (rayleigh, aerosol) = air.scattering(&densities);
            steps.push(Step {
                along: middle,
                radius,
                rayleigh: rayleigh.map2(&part, |a, b| a * b),
                aerosol: aerosol.map2(&part, |a, b| a * b),
                columns: columns.at(radius),
                multiple: multiple.at(radius - EARTH),
            });
        }
        Self { mu, steps, ground: hits.then_some((through, length)) }
    }

    /// The direction at an azimuth from the sun's.
    fn direction(&self, cos_azimuth: f64) -> DVec3 {
        let across = (1.0 - self.mu * self.mu).max(0.0).sqrt();
        DVec3::new(across * cos_azimuth, self.mu, across * (1.0 - cos_azimuth * cos_azimuth).max(0.0).sqrt())
    }

    /// Light towards the eye in parts of the sun's irradiance per steradian: all but what haze scatters once, and that,
    /// without its phase function.
    fn light(&self, air: &Air, sun: DVec3, cos_azimuth: f64) -> (Spectrum, Spectrum) {
        let direction = self.direction(cos_azimuth);
        let cosine = direction.dot(sun) as f32;
        let rayleigh_phase = 3.0 / (16.0 * PI as f32) * (1.0 + cosine * cosine);
        let eye = EARTH + air.ground;
        let (mut smooth, mut haze) = (Spectrum::ZERO, Spectrum::ZERO);
        for step in &self.steps {
            let mu = (eye * sun.y + step.along * f64::from(cosine)) / step.radius;
            let more = step.multiple.sun(mu);
            smooth.add_product(&more, &step.rayleigh.map2(&step.aerosol, |a, b| a + b));
            if let Some((column, seen)) = step.columns.sun(mu) {
                let light = air.depth(&column).attenuation().times(seen);
                smooth.add_product(&light.times(rayleigh_phase), &step.rayleigh);
                haze.add_product(&light, &step.aerosol);
            }
        }
        (smooth, haze)
    }
}
