//! Randomness by integer hash, so that it is the same on every machine. Twin: `hash.wesl`, equal bit for bit.

/// PCG-RXS-M-XS-32 used as a hash: one step of a congruential generator and its output permutation.
///
/// Source: M. Jarzynski and M. Olano, "Hash Functions for GPU Rendering", Journal of Computer Graphics Techniques
/// 9(3), 2020, where it has the best ratio of quality to cost; the permutation is M. O'Neill's (2014).
#[must_use]
pub const fn pcg(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Hash of an ordered pair, by nesting [`pcg`].
#[must_use]
pub const fn hash2(a: u32, b: u32) -> u32 {
    pcg(a.wrapping_add(pcg(b)))
}

/// Hash of an ordered triple, by nesting [`pcg`].
#[must_use]
pub const fn hash3(a: u32, b: u32, c: u32) -> u32 {
    pcg(a.wrapping_add(hash2(b, c)))
}

/// The number in [0, 1) that the top 24 bits of a hash spell: every value is an exact f32 and 1 is never reached.
#[must_use]
pub const fn unit(hash: u32) -> f32 {
    (hash >> 8) as f32 * (1.0 / 16_777_216.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anemone_twin::Twin;

    // An independent statement of the generator: 64-bit arithmetic, masked.
    fn oracle(value: u32) -> u32 {
        let mask = u64::from(u32::MAX);
        let state = (u64::from(value) * 747_796_405 + 2_891_336_453) & mask;
        let shift = (state / (1 << 28)) + 4;
        let word = (((state >> shift) ^ state) * 277_803_737) & mask;
        ((word >> 22) ^ word) as u32
    }

    #[test]
    fn pcg_is_the_published_generator() {
        // The first values of the hash as published in the paper's supplementary shader: pcg(0) = 129708002.
        assert_eq!(pcg(0), 129_708_002);
        for i in 0..100_000u32 {
            let value = i.wrapping_mul(2_654_435_761);
            assert_eq!(pcg(value), oracle(value));
        }
    }

    #[test]
    fn order_and_every_argument_matter() {
        assert_ne!(hash2(1, 2), hash2(2, 1));
        assert_ne!(hash3(1, 2, 3), hash3(3, 2, 1));
        assert_ne!(hash3(0, 0, 1), hash3(0, 1, 0));
    }

    #[test]
    fn unit_is_uniform_and_below_one() {
        assert_eq!(unit(0), 0.0);
        assert!(unit(u32::MAX) < 1.0);
        let mut bins = [0u32; 64];
        for i in 0..64_000 {
            bins[(unit(hash2(i, 5)) * 64.0) as usize] += 1;
        }
        // Chi-squared with 63 degrees of freedom: 103 is the 0.1 % point.
        let chi: f64 = bins.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 103.4, "{chi}");
    }

    #[test]
    fn the_twins_agree_bit_for_bit() {
        let root = "
            import package::field::hash::{pcg, hash2, hash3, unit};
            struct Input { a: u32, b: u32, c: u32 }
            struct Output { one: u32, two: u32, three: u32, unit: f32 }
            fn evaluate(input: Input) -> Output {
                let h = hash3(input.a, input.b, input.c);
                return Output(pcg(input.a), hash2(input.a, input.b), h, unit(h));
            }";
        let inputs: Vec<[u32; 3]> =
            (0..10_000).map(|i| [i, pcg(i), if i % 3 == 0 { u32::MAX - i } else { pcg(pcg(i)) }]).collect();
        let outputs: Vec<[u32; 4]> = Twin::open().evaluate(&[crate::WESL], root, &inputs);
        for (&[a, b, c], output) in inputs.iter().zip(outputs) {
            assert_eq!(output, [pcg(a), hash2(a, b), hash3(a, b, c), unit(hash3(a, b, c)).to_bits()]);
        }
    }
}
