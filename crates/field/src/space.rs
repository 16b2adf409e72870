//! Positions that keep their precision anywhere on a planet. Twin: `space.wesl`.
//!
//! A 32-bit float resolves 8 mm at 100 km, which is a visible jitter. A [`Position`] is an integer tile and a place
//! inside it, so it resolves 4 µm everywhere, and the difference of two tiles is exact.

use glam::{DVec3, IVec3, Vec3};

/// Edge of a tile, in metres. A power of two, so that multiplying by it is exact.
pub const TILE: f32 = 64.0;

/// A place: tile and metres from the tile's lowest corner. x is east, y up, −z north.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// Tile coordinates; the tile (0, 0, 0) begins at the origin.
    pub tile: IVec3,
    /// Metres from the tile's corner: in [0, [`TILE`]) when normalised; other values are legal and mean the same place.
    pub local: Vec3,
}

impl Position {
    /// The place at `metres` from the origin, normalised. Rounds to the nearest f32 inside the tile (at most 2 µm).
    #[must_use]
    pub fn from_metres(metres: DVec3) -> Self {
        let tile = (metres / f64::from(TILE)).floor();
        let local = (metres - tile * f64::from(TILE)).as_vec3();
        Self { tile: tile.as_ivec3(), local }.normalised()
    }

    /// Metres from the origin.
    #[must_use]
    pub fn to_metres(self) -> DVec3 {
        self.tile.as_dvec3() * f64::from(TILE) + self.local.as_dvec3()
    }

    /// The same place with `local` in [0, [`TILE`]) on every axis.
    #[must_use]
    pub fn normalised(self) -> Self {
        let steps = (self.local / TILE).floor();
        let local = self.local - steps * TILE;
        // A tiny negative local rounds up to a whole tile: that is the next tile's zero.
        let over = local.cmpge(Vec3::splat(TILE));
        let carry = Vec3::select(over, Vec3::ONE, Vec3::ZERO);
        Self {
            tile: self.tile.wrapping_add(steps.as_ivec3()).wrapping_add(carry.as_ivec3()),
            local: Vec3::select(over, Vec3::ZERO, local),
        }
    }

    /// The vector from here to `other`, in metres.
    ///
    /// The difference of the tiles is exact, so two near places far from the origin lose nothing.
    #[must_use]
    pub fn offset_to(self, other: Self) -> Vec3 {
        offset(self, other)
    }
}

/// The vector from `from` to `to`, in metres (the twin's name for [`Position::offset_to`]).
#[must_use]
pub fn offset(from: Position, to: Position) -> Vec3 {
    to.tile.wrapping_sub(from.tile).as_vec3() * TILE + (to.local - from.local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anemone_twin::Twin;
    use bytemuck::{Pod, Zeroable};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn metres_survive_the_round_trip(x in -4e7..4e7f64, y in -1e4..1e4f64, z in -4e7..4e7f64) {
            let metres = DVec3::new(x, y, z);
            let position = Position::from_metres(metres);
            prop_assert!(position.local.cmpge(Vec3::ZERO).all() && position.local.cmplt(Vec3::splat(TILE)).all());
            prop_assert!((position.to_metres() - metres).abs().max_element() <= 2e-6);
        }

        #[test]
        fn neighbours_keep_their_offset_far_away(x in -4e7..4e7f64, z in -4e7..4e7f64, d in -100.0..100.0f32) {
            let from = Position::from_metres(DVec3::new(x, 0.0, z));
            let to = Position { local: from.local + Vec3::new(d, 0.0, -d), ..from }.normalised();
            prop_assert!((from.offset_to(to) - Vec3::new(d, 0.0, -d)).abs().max_element() <= 2e-5);
        }
    }

    #[test]
    fn a_hair_below_zero_belongs_to_the_tile_it_rounds_to() {
        let position = Position { tile: IVec3::ZERO, local: Vec3::new(-1e-9, -1.0, 64.0) }.normalised();
        assert_eq!(position.tile, IVec3::new(0, -1, 1));
        assert_eq!(position.local, Vec3::new(0.0, 63.0, 0.0));
    }

    #[repr(C)]
    #[derive(Clone, Copy, Pod, Zeroable)]
    struct Pair {
        from_tile: [i32; 4],
        from_local: [f32; 4],
        to_tile: [i32; 4],
        to_local: [f32; 4],
    }

    #[test]
    fn the_twins_agree() {
        let root = "
            import package::field::space::{Position, offset};
            struct Input { a: Position, b: Position }
            struct Output { d: vec3f, pad: f32 }
            fn evaluate(input: Input) -> Output { return Output(offset(input.a, input.b), 0.0); }";
        let mut seed = 7u32;
        let mut next = || {
            seed = crate::hash::pcg(seed);
            seed
        };
        let inputs: Vec<Pair> = (0..4096)
            .map(|_| {
                let mut tile = || [(next() >> 8) as i32 - (1 << 23), (next() >> 28) as i32, next() as i32, 0];
                let (from_tile, far) = (tile(), tile());
                let to_tile = if far[0] & 1 == 0 { far } else { from_tile.map(|t| t.wrapping_add(3)) };
                let mut local = || [(); 4].map(|()| 64.0 * crate::hash::unit(next()));
                Pair { from_tile, from_local: local(), to_tile, to_local: local() }
            })
            .collect();
        let outputs: Vec<[f32; 4]> = Twin::open().evaluate(&[crate::WESL], root, &inputs);
        for (pair, output) in inputs.iter().zip(outputs) {
            let at = |t: [i32; 4], l: [f32; 4]| Position {
                tile: IVec3::new(t[0], t[1], t[2]),
                local: Vec3::new(l[0], l[1], l[2]),
            };
            let expected = offset(at(pair.from_tile, pair.from_local), at(pair.to_tile, pair.to_local));
            let error = (expected - Vec3::new(output[0], output[1], output[2])).abs();
            assert!(error.cmple(expected.abs() * 1.2e-7 + 4e-6).all(), "{expected} {output:?}");
        }
    }
}
