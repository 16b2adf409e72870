//! Where bodies stand in a cell: points in rank order, so that any first k of them are spread evenly.
//!
//! A cell is any square of ground (or the area of a patch of a mesh). Body `rank` of it stands at
//! `unit_point(sobol_owen_2d(rank, cell_seed(population, cell)))`: the first two Sobol dimensions, scrambled after Owen,
//! with another scramble for each cell, so that cells neither repeat nor line up. Points are as irregular as random
//! ones to the eye, without their clumps and holes.
//!
//! The twin is `placement.wesl`; both use integers and agree bit for bit.

use anemone_field::hash::{hash3, pcg};
use glam::{IVec2, UVec2, Vec2};

/// The seed of a cell of a population.
#[must_use]
pub fn cell_seed(population: u32, cell: IVec2) -> u32 {
    hash3(population, cell.x as u32, cell.y as u32)
}

/// Product with the upper triangular Pascal matrix modulo 2, whose bit (i, j) is set where i's bits are among j's
/// (Lucas): five steps, for the matrix is the fifth Kronecker power of [[1, 1], [0, 1]]. Read backwards it is the second
/// dimension of Sobol's sequence, whose direction numbers are 1, 3, 5, 15, 17, 51, 85, 255…
fn pascal(index: u32) -> u32 {
    let mut x = index;
    x ^= (x & 0xaaaa_aaaa) >> 1;
    x ^= (x & 0xcccc_cccc) >> 2;
    x ^= (x & 0xf0f0_f0f0) >> 4;
    x ^= (x & 0xff00_ff00) >> 8;
    x ^ (x >> 16)
}

/// Hash in which a bit of the result depends on lower bits alone: on reversed bits, a nested uniform scramble.
///
/// Laine and Karras, *Stratified sampling for stochastic transparency*, EGSR 2011, used so by Burley, *Practical
/// hash-based Owen scrambling*, JCGT 9(4), 2020; with Vegdahl's constants (2021), which scramble more thoroughly.
fn laine_karras(value: u32, seed: u32) -> u32 {
    let mut x = value;
    x ^= x.wrapping_mul(0x3d20_adea);
    x = x.wrapping_add(seed);
    x = x.wrapping_mul((seed >> 16) | 1);
    x ^= x.wrapping_mul(0x0552_6c56);
    x ^ x.wrapping_mul(0x53a2_2864)
}

/// Point `rank` of the sequence of `seed`, in units of 2^-32.
///
/// Any 4^k points from a multiple of 4^k on have one in each of the 4^k squares, and in each of the 4^k strips of any
/// other halving (a (0, 2)-sequence in base 2).
#[must_use]
pub fn sobol_owen_2d(rank: u32, seed: u32) -> UVec2 {
    let x_seed = pcg(seed);
    let y_seed = pcg(x_seed ^ 0x9e37_79b9);
    // The first dimension is the index reversed: the scramble works on reversed bits, so two reversals cancel.
    UVec2::new(laine_karras(rank, x_seed).reverse_bits(), laine_karras(pascal(rank), y_seed).reverse_bits())
}

/// A point in [0, 1)², from the top 24 bits.
#[must_use]
pub fn unit_point(point: UVec2) -> Vec2 {
    (point >> 8u32).as_vec2() * (1.0 / 16_777_216.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_dimension_has_sobols_direction_numbers() {
        // The first numbers as published (Bratley and Fox, TOMS Algorithm 659, second dimension), the rest by the
        // recurrence of the polynomial x + 1.
        let published = [1u32, 3, 5, 15, 17, 51, 85, 255, 257, 771];
        let mut m = 1u32;
        for j in 0..32 {
            if j > 0 {
                m ^= m << 1;
            }
            if let Some(&known) = published.get(j) {
                assert_eq!(m, known);
            }
            assert_eq!(pascal(1 << j).reverse_bits(), m << (31 - j));
        }
        assert_eq!(pascal(0b1011), pascal(0b1000) ^ pascal(0b10) ^ pascal(1));
    }

    #[test]
    fn the_scramble_is_nested() {
        // Bit k of the result depends on bits up to k alone, and always on bit k itself.
        for i in 0..2000u32 {
            let (value, seed) = (pcg(i), pcg(i ^ 0xabcd));
            for k in 0..32 {
                let changed = laine_karras(value, seed) ^ laine_karras(value ^ (1 << k), seed);
                assert_eq!(changed.trailing_zeros(), k);
            }
        }
    }

    #[test]
    fn the_scramble_flips_each_bit_half_the_time() {
        for k in 0..32 {
            let ones = (0..4096u32).filter(|&i| laine_karras(0x1234_5678, pcg(i)) >> k & 1 == 1).count();
            assert!((ones as i32 - 2048).abs() < 200, "bit {k}: {ones} of 4096");
        }
    }
}
