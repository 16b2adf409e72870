//! Random blades, seeded, for the other tests.

use anemone_field::hash::{hash2, pcg, unit};
use glam::Vec3;

use crate::blade::{Blade, blade_front};

/// A stream of numbers that is the same in every run.
pub struct Samples(pub u32);

impl Samples {
    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(1);
        hash2(pcg(self.0), 77)
    }

    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * unit(self.bits())
    }

    pub fn unit_vector(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0));
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    pub fn vector(&mut self, most: f32) -> Vec3 {
        self.unit_vector() * self.range(0.0, most)
    }

    /// Any ground, also upside down; every third stands on level ground.
    pub fn blade(&mut self) -> Blade {
        let up = if self.bits().is_multiple_of(3) { Vec3::Y } else { self.unit_vector() };
        let front = blade_front(up, self.range(0.0, 1.0));
        Blade {
            root: Vec3::ZERO,
            height: self.range(0.05f32.ln(), 3f32.ln()).exp(),
            up,
            width: 0.01,
            front,
            stiffness: self.range(7.0, 13.0),
        }
    }
}
