//! How much air, haze and ozone lies along a line to space.

use crate::atmosphere::{Air, EARTH, SUN_RADIUS, TOP};

/// Densities of air, haze and ozone relative to where each is densest; or their sums along a line, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Densities {
    pub(crate) air: f64,
    pub(crate) aerosol: f64,
    pub(crate) ozone: f64,
}

impl Densities {
    /// self + other · factor.
    fn plus(self, other: Self, factor: f64) -> Self {
        Self {
            air: self.air + other.air * factor,
            aerosol: self.aerosol + other.aerosol * factor,
            ozone: self.ozone + other.ozone * factor,
        }
    }

    fn lerp(self, other: Self, t: f64) -> Self {
        self.plus(other.plus(self, -1.0), t)
    }
}

/// Distance from a radius to the sphere of radius `sphere` round it, along a line whose cosine with up is `mu`.
pub(crate) fn distance_out(radius: f64, mu: f64, sphere: f64) -> f64 {
    let across = sphere * sphere - radius * radius * (1.0 - mu * mu);
    (across.max(0.0).sqrt() - radius * mu).max(0.0)
}

/// The column from a height to space along a line whose cosine with up is `mu`, which must not meet the ground.
pub(crate) fn column(air: &Air, height: f64, mu: f64) -> Densities {
    let radius = EARTH + height;
    if mu < 0.0 {
        // Down to the lowest point and up again: as far again on the other side, less what lies behind the start.
        let lowest = (radius * (1.0 - mu * mu).max(0.0).sqrt() - EARTH).max(air.ground);
        let half = column(air, lowest, 0.0);
        return half.plus(half, 1.0).plus(column(air, height, -mu), -1.0);
    }
    const STEPS: u32 = 48;
    let length = distance_out(radius, mu, EARTH + TOP);
    let mut sum = Densities::default();
    for i in 0..STEPS {
        // The cube puts the steps where the air is dense.
        let s = (f64::from(i) + 0.5) / f64::from(STEPS);
        let along = length * s * s * s;
        let at = (radius * radius + along * (along + 2.0 * radius * mu)).sqrt() - EARTH;
        sum = sum.plus(air.densities(at), 3.0 * s * s * length / f64::from(STEPS));
    }
    sum
}

/// Columns to space, tabulated in the coordinates of Bruneton and Neyret 2008 (as in Bruneton's 2017 revision): the
/// distance to the horizon, and the distance to space between its least and its greatest.
pub(crate) struct ColumnTable {
    ground: f64,
    /// Distance from the ground's horizon to space.
    tangent: f64,
    table: Vec<Densities>,
}

const HEIGHTS: usize = 40;
const COSINES: usize = 64;

impl ColumnTable {
    pub(crate) fn new(air: &Air) -> Self {
        let ground = EARTH + air.ground;
        let tangent = ((EARTH + TOP).powi(2) - ground * ground).sqrt();
        let mut table = Vec::with_capacity(HEIGHTS * COSINES);
        for i in 0..HEIGHTS {
            let horizon = tangent * i as f64 / (HEIGHTS - 1) as f64;
            let radius = ground.hypot(horizon);
            let least = EARTH + TOP - radius;
            for j in 0..COSINES {
                let length = least + (horizon + tangent - least) * j as f64 / (COSINES - 1) as f64;
                let mu = if length > 0.0 {
                    ((tangent * tangent - horizon * horizon - length * length) / (2.0 * radius * length))
                        .clamp(-1.0, 1.0)
                } else {
                    1.0
                };
                table.push(column(air, radius - EARTH, mu.max(-horizon / radius)));
            }
        }
        Self { ground, tangent, table }
    }

    /// The place of a radius in the table.
    pub(crate) fn at(&self, radius: f64) -> ColumnsAt<'_> {
        let radius = radius.clamp(self.ground, EARTH + TOP);
        let horizon = (radius * radius - self.ground * self.ground).max(0.0).sqrt();
        let place = (horizon / self.tangent * (HEIGHTS - 1) as f64).clamp(0.0, (HEIGHTS - 1) as f64);
        let row = (place as usize).min(HEIGHTS - 2);
        let least = EARTH + TOP - radius;
        ColumnsAt {
            radius,
            horizon_mu: -horizon / radius,
            least,
            scale: (COSINES - 1) as f64 / (horizon + self.tangent - least),
            rows: [&self.table[row * COSINES..][..COSINES], &self.table[(row + 1) * COSINES..][..COSINES]],
            between: place - row as f64,
        }
    }
}

/// The columns at one radius.
pub(crate) struct ColumnsAt<'a> {
    radius: f64,
    horizon_mu: f64,
    least: f64,
    scale: f64,
    rows: [&'a [Densities]; 2],
    between: f64,
}

impl ColumnsAt<'_> {
    /// The column towards a sun whose cosine with up is `mu`, and the part of its disc that the Earth does not hide.
    pub(crate) fn sun(&self, mu: f64) -> Option<(Densities, f32)> {
        // Small angles: near the horizon the difference of cosines is the angle.
        let t = (0.5 + (mu - self.horizon_mu) / (2.0 * f64::from(SUN_RADIUS))).clamp(0.0, 1.0);
        if t <= 0.0 {
            return None;
        }
        let length = distance_out(self.radius, mu.max(self.horizon_mu), EARTH + TOP);
        let place = ((length - self.least) * self.scale).clamp(0.0, (COSINES - 1) as f64);
        let i = (place as usize).min(COSINES - 2);
        let along = place - i as f64;
        let [low, high] = self.rows.map(|row| row[i].lerp(row[i + 1], along));
        Some((low.lerp(high, self.between), (t * t * (3.0 - 2.0 * t)) as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmosphere::{AIR_SCALE, Atmosphere};

    #[test]
    fn air_mass_is_that_of_kasten_and_young() {
        let air = Atmosphere::default().air();
        let zenith = column(&air, 0.0, 1.0);
        assert!((zenith.air / AIR_SCALE - 1.0).abs() < 2e-3, "{zenith:?}");
        assert!((zenith.aerosol / 1200.0 - 1.0).abs() < 2e-3 && (zenith.ozone / 15_000.0 - 1.0).abs() < 5e-3);
        for degrees in [60.0f64, 30.0, 10.0, 5.0] {
            // Kasten and Young, Applied Optics 28, 1989: with refraction, which is not modelled here.
            let published = 1.0 / (degrees.to_radians().sin() + 0.505_72 * (degrees + 6.079_95).powf(-1.6364));
            let mass = column(&air, 0.0, degrees.to_radians().sin()).air / zenith.air;
            assert!((mass / published - 1.0).abs() < 0.03, "{degrees}: {mass} {published}");
        }
    }

    #[test]
    fn the_table_is_near_the_columns() {
        let air = Atmosphere::default().air();
        let table = ColumnTable::new(&air);
        for height in [0.0, 30.0, 700.0, 3000.0, 12_000.0, 30_000.0, 60_000.0] {
            let lowest = -((EARTH + height).powi(2) - EARTH * EARTH).max(0.0).sqrt() / (EARTH + height);
            for above in [0.006, 0.02, 0.05, 0.1, 0.3, 0.7, 1.0] {
                let mu = (lowest + above).min(1.0);
                let exact = air.depth(&column(&air, height, mu));
                let (found, seen) = table.at(EARTH + height).sun(mu).unwrap();
                assert_eq!(seen, 1.0);
                let through = air.depth(&found).attenuation().map2(&exact.attenuation(), |a, b| (a - b).abs());
                assert!(through.0.iter().all(|error| *error < 0.02), "{height} {mu}: {through:?}");
            }
        }
        assert!(table.at(EARTH).sun(-0.01).is_none());
    }
}
