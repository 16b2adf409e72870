//! Sine and cosine that are the same everywhere. Twin: `trig.wesl`.
//!
//! Shader languages promise little for `sin` (one software driver errs by 2e-4), so both twins use this range reduction
//! and polynomial. Angles are in turns: 1 is a full circle, so that reducing is exact at any size.

use std::f32::consts::TAU;

/// sin(2πr) for r in [−1/4, 1/4]: odd, interpolated in r² at Chebyshev nodes; at most 7e-9 off before rounding.
fn sin_quarter(r: f32) -> f32 {
    let s = r * r;
    // 2π split into 6.25 and the rest: the large product rounds once, which keeps the sum within 1.8e-7.
    r * 6.25 + r * (0.033_185_28 + s * (-41.341_68 + s * (81.602_48 + s * (-76.581_17 + s * 39.759_827))))
}

/// sin(2πx) of `x` in turns; absolute error at most 2e-7 for every finite `x`.
#[must_use]
pub fn sin_turns(x: f32) -> f32 {
    let r = x - x.round_ties_even();
    let folded = if r < 0.0 { -0.5 - r } else { 0.5 - r };
    sin_quarter(if r.abs() > 0.25 { folded } else { r })
}

/// cos(2πx) of `x` in turns; absolute error at most 2e-7 for every finite `x`.
#[must_use]
pub fn cos_turns(x: f32) -> f32 {
    let r = x - x.round_ties_even();
    sin_quarter(0.25 - r.abs())
}

/// sin(a)/a of `a` in radians, 1 at zero; absolute error at most 3e-7 for |a| up to 100.
#[must_use]
pub fn sinc(a: f32) -> f32 {
    // The next term of the series is 1e-8 at the seam; dividing by a smaller `a` would magnify the sine's rounding.
    if a.abs() < 0.5 {
        let s = a * a;
        return 1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 - s * (1.0 / 5040.0)));
    }
    sin_turns(a * (1.0 / TAU)) / a
}

/// (1 − cos a)/a of `a` in radians, 0 at zero; absolute error at most 3e-7 for |a| up to 100.
#[must_use]
pub fn cosc(a: f32) -> f32 {
    // sin²(a/2)/(a/2): no difference of nearly equal numbers anywhere.
    let s = sinc(0.5 * a);
    0.5 * a * s * s
}

#[cfg(test)]
mod tests {
    use super::*;
    use anemone_twin::Twin;
    use proptest::prelude::*;

    fn exact(x: f32) -> (f64, f64) {
        let angle = std::f64::consts::TAU * (f64::from(x) - f64::from(x).round());
        (angle.sin(), angle.cos())
    }

    fn check(x: f32) {
        let (sin, cos) = exact(x);
        assert!((f64::from(sin_turns(x)) - sin).abs() <= 2e-7, "sin {x}: {} {sin}", sin_turns(x));
        assert!((f64::from(cos_turns(x)) - cos).abs() <= 2e-7, "cos {x}: {} {cos}", cos_turns(x));
    }

    #[test]
    fn quarters_are_where_they_belong() {
        for (x, sin, cos) in
            [(0.0, 0.0, 1.0), (0.25, 1.0, 0.0), (0.5, 0.0, -1.0), (0.75, -1.0, 0.0), (-0.25, -1.0, 0.0)]
        {
            assert!((sin_turns(x) - sin).abs() < 2e-7 && (cos_turns(x) - cos).abs() < 2e-7, "{x}");
        }
        for i in -20_000..20_000 {
            check(i as f32 / 8192.0);
        }
        // Every 31st float from 0.001 to a quarter: where rounding is worst.
        for bits in (0x3a83_126f..=0x3e80_0000).step_by(31) {
            check(f32::from_bits(bits));
        }
        for x in [1e-30, 1e-9, 0.499_999_97, 8_388_609.0, 12_582_913.0, 1e30, f32::MIN_POSITIVE] {
            check(x);
            check(-x);
        }
    }

    proptest! {
        #[test]
        fn within_the_bound_up_to_ten_thousand_turns(x in -1e4..1e4f32) {
            check(x);
        }

        #[test]
        fn quotients_are_within_the_bound(a in -100.0..100.0f32, scale in 0..8i32) {
            let a = a * 10f32.powi(-scale);
            let b = f64::from(a);
            prop_assert!((f64::from(sinc(a)) - b.sin() / b).abs() <= 3e-7);
            prop_assert!((f64::from(cosc(a)) - 2.0 * (0.5 * b).sin().powi(2) / b).abs() <= 3e-7);
        }
    }

    #[test]
    fn quotients_at_zero_and_at_the_seam() {
        assert_eq!((sinc(0.0), cosc(0.0)), (1.0, 0.0));
        let (below, above) = (0.5f32.next_down(), 0.5f32);
        assert!((sinc(below) - sinc(above)).abs() < 2e-7);
    }

    #[test]
    fn the_twins_agree() {
        let root = "
            import package::field::trig::{sin_turns, cos_turns, sinc, cosc};
            struct Input { x: f32 }
            fn evaluate(input: Input) -> Output {
                return Output(sin_turns(input.x), cos_turns(input.x), sinc(input.x), cosc(input.x));
            }
            struct Output { s: f32, c: f32, sc: f32, cc: f32 }";
        let inputs: Vec<f32> = (0..40_000)
            .map(|i| (crate::hash::unit(crate::hash::pcg(i)) - 0.5) * [1.0, 4.0, 300.0, 2e4][i as usize % 4])
            .chain([0.0, -0.0, 0.25, 0.5, -0.5, 0.75, 1e-30])
            .collect();
        let outputs: Vec<[f32; 4]> = Twin::open().evaluate(&[crate::WESL], root, &inputs);
        let mut worst = 0.0f32;
        for (&x, output) in inputs.iter().zip(outputs) {
            let expected = [sin_turns(x), cos_turns(x), sinc(x), cosc(x)];
            for (e, o) in expected.iter().zip(output) {
                worst = worst.max((e - o).abs());
            }
        }
        // Two units in the last place of 1: fused multiply-adds round once less.
        assert!(worst <= 2.4e-7, "{worst}");
    }
}
