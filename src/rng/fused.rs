//! `a * b + c` of float32 in one rounding, even if the processor has no instruction for it. `f32::mul_add` would then be a
//! library call, which takes about 200 ns in WebAssembly.
//!
//! A product of two float32 is exact in float64, so only the sum rounds twice: once to float64, once to float32. The
//! second rounding goes wrong only if the first result is exactly between two float32.

/// How a function computes its fused products.
pub(super) trait Fused {
    fn fma(&mut self, a: f32, b: f32, c: f32) -> f32;
}

/// With the processor's instruction. Only useful if the processor has one.
pub(super) struct Hardware;

impl Fused for Hardware {
    #[inline(always)]
    fn fma(&mut self, a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
}

/// Through float64, noting whether any result may have been rounded wrongly.
#[derive(Default)]
pub(super) struct Suspecting {
    pub(super) suspect: bool,
}

impl Fused for Suspecting {
    #[inline(always)]
    fn fma(&mut self, a: f32, b: f32, c: f32) -> f32 {
        let sum = f64::from(a) * f64::from(b) + f64::from(c);
        self.suspect |= sum.to_bits() & 0x1fff_ffff == 0x1000_0000;
        sum as f32
    }
}

/// Through float64, always exact.
pub(super) struct Exact;

impl Fused for Exact {
    #[inline(always)]
    fn fma(&mut self, a: f32, b: f32, c: f32) -> f32 {
        fma(a, b, c)
    }
}

/// `a * b + c` in one rounding.
#[inline(always)]
pub(super) fn fma(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        return a.mul_add(b, c);
    }
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // The rounding error of the sum, computed exactly (Knuth's TwoSum). An inexact sum is made odd, in the direction of
    // its error (Boldo and Melquiond, 2008): then rounding it again gives the same result as rounding once. Comparisons
    // with NaN are false, so NaN stays.
    let back = sum - product;
    let lost = (product - (sum - back)) + (c - back);
    let bits = sum.to_bits();
    let odd = if (lost > 0.0) == (sum > 0.0) { bits + 1 } else { bits.wrapping_sub(1) };
    let inexact = lost != 0.0 && !lost.is_nan();
    f64::from_bits(if inexact && bits & 1 == 0 { odd } else { bits }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with the library's `mul_add`, on numbers of every magnitude and on sums exactly between two float32.
    #[test]
    fn rounds_once() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        let mut wrong_in_double = 0;
        for i in 0..400_000 {
            let (mut a, mut b, mut c) = (f32::from_bits(random()), f32::from_bits(random()), f32::from_bits(random()));
            if i % 2 == 0 {
                // (1 + e)(1 - e) = 1 - e^2: half a unit in the last place of c, plus or minus something that float64
                // drops.
                let e = (random() % 64) as f32 * f32::EPSILON;
                (a, b) = (1.0 + e, (1.0 - e) * f32::EPSILON / 2.0);
                c = 1.0 + (random() >> 9) as f32 * f32::EPSILON;
                b = if random() & 1 == 0 { b } else { -b };
                c = if random() & 1 == 0 { c } else { -c };
            }
            let expected = a.mul_add(b, c);
            let got = fma(a, b, c);
            assert!(got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan()), "{a:e} {b:e} {c:e}");
            let mut suspecting = Suspecting::default();
            let quick = suspecting.fma(a, b, c);
            let normal = expected.is_normal() || expected == 0.0;
            assert!(!normal || suspecting.suspect || quick == expected, "{a:e} {b:e} {c:e} is not suspected");
            wrong_in_double += u32::from(normal && quick != expected);
        }
        assert!(wrong_in_double > 10_000, "only {wrong_in_double} sums that float64 alone rounds wrongly");
    }
}
