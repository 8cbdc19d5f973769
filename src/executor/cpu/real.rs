//! Functions of real numbers. The f32 versions are written so that a loop over them vectorizes.

// Coefficients are written as in their sources.
#![allow(clippy::excessive_precision)]

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::element::Compute;

/// `f32` and `f64`.
pub(super) trait Real:
    Compute + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    const INFINITY: Self;
    fn of(v: f64) -> Self;
    fn as_f64(self) -> f64;
    /// `self * b + c`, rounded only once if the hardware can do that.
    fn fma(self, b: Self, c: Self) -> Self;
    fn abs(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn round_even(self) -> Self;
    fn trunc(self) -> Self;
    fn exp(self) -> Self;
    fn exp2(self) -> Self;
    fn expm1(self) -> Self;
    fn ln(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn log1p(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn asinh(self) -> Self;
    fn acosh(self) -> Self;
    fn atanh(self) -> Self;
    fn erf(self) -> Self;
    fn erfc(self) -> Self;
    fn erfinv(self) -> Self;
    fn lgamma(self) -> Self;
    fn digamma(self) -> Self;
    fn pow(self, b: Self) -> Self;
    fn rem(self, b: Self) -> Self;
    fn atan2(self, b: Self) -> Self;
    fn hypot(self, b: Self) -> Self;

    #[inline(always)]
    fn sigmoid(self) -> Self {
        let one = Self::of(1.0);
        one / (one + (-self).exp())
    }

    /// The larger; NaN if either is.
    #[inline(always)]
    fn maximum(self, b: Self) -> Self {
        if self > b || self.is_nan() { self } else { b }
    }

    /// The smaller; NaN if either is.
    #[inline(always)]
    fn minimum(self, b: Self) -> Self {
        if self < b || self.is_nan() { self } else { b }
    }
}

macro_rules! real {
    ($t:ty, $($name:ident => $f:expr),* $(,)?) => {
        impl Real for $t {
            const INFINITY: Self = <$t>::INFINITY;
            #[inline(always)]
            fn of(v: f64) -> Self {
                v as $t
            }
            #[inline(always)]
            fn as_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn fma(self, b: Self, c: Self) -> Self {
                if cfg!(target_arch = "wasm32") { self * b + c } else { self.mul_add(b, c) }
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                <$t>::copysign(self, sign)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                <$t>::floor(self)
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                <$t>::ceil(self)
            }
            #[inline(always)]
            fn round_even(self) -> Self {
                <$t>::round_ties_even(self)
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                <$t>::trunc(self)
            }
            #[inline(always)]
            fn log2(self) -> Self {
                <$t>::log2(self)
            }
            #[inline(always)]
            fn log10(self) -> Self {
                <$t>::log10(self)
            }
            #[inline(always)]
            fn pow(self, b: Self) -> Self {
                <$t>::powf(self, b)
            }
            #[inline(always)]
            fn rem(self, b: Self) -> Self {
                self % b
            }
            #[inline(always)]
            fn atan2(self, b: Self) -> Self {
                <$t>::atan2(self, b)
            }
            #[inline(always)]
            fn hypot(self, b: Self) -> Self {
                <$t>::hypot(self, b)
            }
            $(
                #[inline(always)]
                fn $name(self) -> Self {
                    $f(self)
                }
            )*
        }
    };
}

real!(f64,
    exp => f64::exp, exp2 => f64::exp2, expm1 => f64::exp_m1, ln => f64::ln, log1p => f64::ln_1p,
    sin => f64::sin, cos => f64::cos, tan => f64::tan, asin => f64::asin, acos => f64::acos, atan => f64::atan,
    sinh => f64::sinh, cosh => f64::cosh, tanh => f64::tanh, asinh => f64::asinh, acosh => f64::acosh,
    atanh => f64::atanh, erf => libm::erf, erfc => libm::erfc, erfinv => erfinv, lgamma => lgamma, digamma => digamma,
);

real!(f32,
    exp => exp_f32, exp2 => f32::exp2, expm1 => f32::exp_m1, ln => ln_f32, log1p => log1p_f32,
    sin => f32::sin, cos => f32::cos, tan => f32::tan, asin => f32::asin, acos => f32::acos, atan => f32::atan,
    sinh => f32::sinh, cosh => f32::cosh, tanh => tanh_f32, asinh => f32::asinh, acosh => f32::acosh,
    atanh => f32::atanh, erf => erf_f32, erfc => libm::erfcf, erfinv => (|v: f32| erfinv(v as f64) as f32),
    lgamma => (|v: f32| lgamma(v as f64) as f32), digamma => (|v: f32| digamma(v as f64) as f32),
);

/// A polynomial by Horner's rule, highest coefficient first.
#[inline(always)]
fn polynomial<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut sum = coefficients[0];
    let mut i = 1;
    while i < N {
        sum = sum.fma(x, coefficients[i]);
        i += 1;
    }
    sum
}

/// Cephes `expf`: `2^n * exp(r)` with `|r| <= ln(2) / 2`. The power of two is applied in two halves, so that even denormals
/// and infinity are right.
#[inline(always)]
fn exp_f32(x: f32) -> f32 {
    // Adding it leaves the nearest integer in the low bits of the mantissa.
    const ROUND: f32 = 12_582_912.0;
    let x = if x > 100.0 { 100.0 } else { x };
    let x = if x < -110.0 { -110.0 } else { x };
    let shifted = x.fma(std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = n.fma(-0.693_359_375, x);
    let r = n.fma(2.121_944_4e-4, r);
    let p = polynomial(r, [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5]);
    let p = p.fma(r * r, r) + 1.0;
    let n = shifted.to_bits().wrapping_sub(ROUND.to_bits()) as i32;
    let half = n >> 1;
    let power = |n: i32| f32::from_bits((n.wrapping_add(127) as u32) << 23);
    p * power(half) * power(n.wrapping_sub(half))
}

/// Cephes `logf`.
#[inline(always)]
fn ln_f32(x: f32) -> f32 {
    let denormal = x < f32::MIN_POSITIVE;
    let scaled = if denormal { x * 8_388_608.0 } else { x };
    // The mantissa is in [sqrt(1/2), sqrt(2)).
    let bits = scaled.to_bits().wrapping_sub(0x3f35_04f3);
    let exponent = ((bits as i32) >> 23) as f32 - if denormal { 23.0 } else { 0.0 };
    let m = f32::from_bits((bits & 0x007f_ffff).wrapping_add(0x3f35_04f3)) - 1.0;
    let z = m * m;
    let p = polynomial(
        m,
        [
            7.037_683_6e-2,
            -1.151_461e-1,
            1.167_699_9e-1,
            -1.242_014_1e-1,
            1.424_932_3e-1,
            -1.666_805_8e-1,
            2.000_071_5e-1,
            -2.499_999_4e-1,
            3.333_333_1e-1,
        ],
    );
    let y = p * z * m;
    let y = exponent.fma(-2.121_944_4e-4, y);
    let y = z.fma(-0.5, y);
    let y = exponent.fma(0.693_359_375, m + y);
    let y = if x == f32::INFINITY { x } else { y };
    let y = if x == 0.0 { f32::NEG_INFINITY } else { y };
    if x < 0.0 || x.is_nan() { f32::NAN } else { y }
}

/// `ln(u) + (x - (u - 1)) / u` with `u = 1 + x` rounded: the second term adds what the rounding lost.
#[inline(always)]
fn log1p_f32(x: f32) -> f32 {
    let u = 1.0 + x;
    let lost = x - (u - 1.0);
    let y = ln_f32(u) + lost / u;
    if u == 1.0 || x == f32::INFINITY {
        x
    } else if u == 0.0 {
        f32::NEG_INFINITY
    } else {
        y
    }
}

/// Cephes `tanhf`.
#[inline(always)]
fn tanh_f32(x: f32) -> f32 {
    let a = x.abs();
    let z = x * x;
    let p = polynomial(z, [-5.704_988_7e-3, 2.063_908_9e-2, -5.373_971_5e-2, 1.333_144_2e-1, -3.333_328_2e-1]);
    let small = (p * z).fma(x, x);
    let large = 1.0 - 2.0 / (exp_f32(a + a) + 1.0);
    if a < 0.625 { small } else { large.copysign(x) }
}

/// Two minimax polynomials, the outer one for `ln(1 - erf)`. The error is within 1 ulp.
#[inline(always)]
fn erf_f32(x: f32) -> f32 {
    let t = x.abs();
    let s = x * x;
    let r = t.fma(-1.728_534_7e-5, 3.831_971_3e-4);
    let u = t.fma(-3.883_964_4e-3, 2.425_462_2e-2);
    let r = r.fma(s, u);
    let r = r.fma(t, -1.067_778_8e-1);
    let r = r.fma(t, -6.348_467e-1);
    let r = r.fma(t, -1.287_175_1e-1);
    let r = r.fma(t, -t);
    let outer = (1.0 - exp_f32(r)).copysign(x);
    let p = polynomial(
        s,
        [-5.967_617e-4, 4.991_194_2e-3, -2.676_813_5e-2, 1.128_199_3e-1, -3.761_253_4e-1, 1.283_791_7e-1],
    );
    let inner = p.fma(x, x);
    if t > 0.927_734_4 { outer } else { inner }
}

fn lgamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// `calc_erfinv` of ATen: rational approximations, then two steps of Newton.
fn erfinv(y: f64) -> f64 {
    const CENTRAL: f64 = 0.7;
    const A: [f64; 4] = [0.886226899, -1.645349621, 0.914624893, -0.140543331];
    const B: [f64; 4] = [-2.118377725, 1.442710462, -0.329097515, 0.012229801];
    const C: [f64; 4] = [-1.970840454, -1.624906493, 3.429567803, 1.641345311];
    const D: [f64; 2] = [3.543889200, 1.637067800];
    let size = y.abs();
    if size > 1.0 || y.is_nan() {
        return f64::NAN;
    }
    if size == 1.0 {
        return f64::INFINITY.copysign(y);
    }
    let mut x = if size <= CENTRAL {
        let z = y * y;
        let num = ((A[3] * z + A[2]) * z + A[1]) * z + A[0];
        let dem = (((B[3] * z + B[2]) * z + B[1]) * z + B[0]) * z + 1.0;
        y * num / dem
    } else {
        let z = (-((1.0 - size) / 2.0).ln()).sqrt();
        let num = ((C[3] * z + C[2]) * z + C[1]) * z + C[0];
        let dem = (D[1] * z + D[0]) * z + 1.0;
        num.copysign(y) / dem
    };
    for _ in 0..2 {
        x -= (libm::erf(x) - y) / (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp());
    }
    x
}

/// `calc_digamma` of ATen: reflection, recurrence up to 10, asymptotic series.
fn digamma(mut x: f64) -> f64 {
    use std::f64::consts::PI;
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x < 0.0 {
        if x == x.trunc() {
            return f64::NAN;
        }
        let fraction = x.fract();
        return digamma(1.0 - x) - PI / (PI * fraction).tan();
    }
    let mut result = 0.0;
    while x < 10.0 {
        result -= 1.0 / x;
        x += 1.0;
    }
    if x == 10.0 {
        return result + 2.251_752_589_066_721;
    }
    let series = if x < 1e17 {
        let z = 1.0 / (x * x);
        const A: [f64; 7] = [
            8.333_333_333_333_333e-2,
            -2.109_279_609_279_609_3e-2,
            7.575_757_575_757_576e-3,
            -4.166_666_666_666_667e-3,
            3.968_253_968_253_968e-3,
            -8.333_333_333_333_333e-3,
            8.333_333_333_333_333e-2,
        ];
        z * A.iter().fold(0.0, |sum, a| sum * z + a)
    } else {
        0.0
    };
    result + x.ln() - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error in units of the last place over a sweep of f32 values.
    fn worst(from: f32, to: f32, f: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64) -> f64 {
        let mut worst = 0.0f64;
        for i in 0..200_000 {
            let x = from + (to - from) * (i as f32 / 200_000.0);
            let want = exact(x as f64);
            let ulp = ((want as f32).abs().max(f32::MIN_POSITIVE).to_bits() + 1) as f64;
            let ulp = f32::from_bits(ulp as u32) as f64 - (want as f32).abs().max(f32::MIN_POSITIVE) as f64;
            worst = worst.max((f(x) as f64 - want).abs() / ulp);
        }
        worst
    }

    #[test]
    fn cpu_f32_functions_are_within_two_ulp() {
        assert!(worst(-87.0, 88.7, exp_f32, f64::exp) <= 2.0);
        assert!(worst(-1.0, 1.0, exp_f32, f64::exp) <= 2.0);
        assert!(worst(1e-6, 4.0, ln_f32, f64::ln) <= 2.0);
        assert!(worst(1.0, 1e30, ln_f32, f64::ln) <= 2.0);
        assert!(worst(-0.9, 3.0, log1p_f32, f64::ln_1p) <= 3.0);
        assert!(worst(-1e-3, 1e-3, log1p_f32, f64::ln_1p) <= 2.0);
        assert!(worst(-10.0, 10.0, tanh_f32, f64::tanh) <= 2.0);
        assert!(worst(-4.0, 4.0, erf_f32, libm::erf) <= 2.0);
    }

    #[test]
    fn cpu_f32_functions_at_the_edges() {
        assert_eq!(exp_f32(f32::INFINITY), f32::INFINITY);
        assert_eq!(exp_f32(89.0), f32::INFINITY);
        assert_eq!(exp_f32(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp_f32(0.0), 1.0);
        assert_eq!(exp_f32(-100.0), 3.783_506e-44);
        assert!(exp_f32(f32::NAN).is_nan());
        assert_eq!(ln_f32(0.0), f32::NEG_INFINITY);
        assert_eq!(ln_f32(1.0), 0.0);
        assert_eq!(ln_f32(f32::INFINITY), f32::INFINITY);
        assert!((ln_f32(1e-40) + 92.103_4).abs() < 1e-4);
        assert!(ln_f32(-1.0).is_nan() && ln_f32(f32::NAN).is_nan());
        assert_eq!(log1p_f32(-1.0), f32::NEG_INFINITY);
        assert!(log1p_f32(-2.0).is_nan());
        assert_eq!(log1p_f32(1e-20), 1e-20);
        assert_eq!((tanh_f32(f32::INFINITY), tanh_f32(-30.0)), (1.0, -1.0));
        assert!(tanh_f32(f32::NAN).is_nan() && erf_f32(f32::NAN).is_nan());
        assert_eq!((erf_f32(10.0), erf_f32(-0.0).to_bits()), (1.0, (-0.0f32).to_bits()));
    }
}
