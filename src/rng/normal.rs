//! Turns uniform numbers into normal ones, 16 at a time, with the method of Box and Muller.
//!
//! The float32 polynomials are those of the Cephes library (S. L. Moshier) in the order of operations of
//! ATen/native/cpu/avx_mathfun.h, with products and sums fused where PyTorch's compiler fuses them: changing one
//! operation changes the last bit of some result.

use super::fused::{Exact, Fused, Hardware, Suspecting};

/// Turns uniform numbers in [0, 1) into normal ones. The elements after the last group of 16 don't change.
pub(super) fn transform_f32(data: &mut [f32], mean: f32, std: f32) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the processor has both features.
        return unsafe { transform_avx2(data, mean, std) };
    }
    for block in data.as_chunks_mut::<16>().0 {
        if cfg!(target_arch = "aarch64") {
            transform(block, mean, std, &mut Hardware);
            continue;
        }
        let before = *block;
        let mut quick = Suspecting::default();
        transform(block, mean, std, &mut quick);
        if quick.suspect {
            *block = before;
            transform(block, mean, std, &mut Exact);
        }
    }
}

/// The same code, compiled with fused multiply-add, so that it uses vector instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn transform_avx2(data: &mut [f32], mean: f32, std: f32) {
    for block in data.as_chunks_mut::<16>().0 {
        transform(block, mean, std, &mut Hardware);
    }
}

#[inline(always)]
fn transform(block: &mut [f32; 16], mean: f32, std: f32, fused: &mut impl Fused) {
    let (first, second) = block.split_at_mut(8);
    for (a, b) in first.iter_mut().zip(second) {
        let radius = (-2.0 * log(1.0 - *a, fused)).sqrt();
        let (sin, cos) = sin_cos(std::f32::consts::TAU * *b, fused);
        *a = fused.fma(radius * cos, std, mean);
        *b = fused.fma(radius * sin, std, mean);
    }
}

pub(super) fn transform_f64(data: &mut [f64], mean: f64, std: f64) {
    for block in data.as_chunks_mut::<16>().0 {
        let (first, second) = block.split_at_mut(8);
        for (a, b) in first.iter_mut().zip(second) {
            let radius = (-2.0 * (1.0 - *a).ln()).sqrt();
            let theta = std::f64::consts::TAU * *b;
            *a = scale(radius * theta.cos(), mean, std);
            *b = scale(radius * theta.sin(), mean, std);
        }
    }
}

/// `x * std + mean` in one rounding. In float64 that is a slow call if the processor has no instruction for it, and
/// the standard distribution doesn't need it.
#[inline]
pub(super) fn scale(x: f64, mean: f64, std: f64) -> f64 {
    if std == 1.0 && mean == 0.0 { x } else { x.mul_add(std, mean) }
}

/// Natural logarithm of a number in (0, 1].
#[inline(always)]
#[expect(clippy::excessive_precision, reason = "constants with the digits that name their float32 neighbors apart")]
fn log(x: f32, fused: &mut impl Fused) -> f32 {
    const SQRT_HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let mut e = ((bits >> 23) as i32 - 0x7f) as f32 + 1.0;
    let m = f32::from_bits((bits & !0x7f80_0000) | 0x3f00_0000);
    let small = m < SQRT_HALF;
    e -= if small { 1.0 } else { 0.0 };
    let x = (m - 1.0) + if small { m } else { 0.0 };
    let z = x * x;
    let mut y = 7.037_683_6e-2_f32;
    y = fused.fma(y, x, -1.151_461e-1);
    y = fused.fma(y, x, 1.167_699_87e-1);
    y = fused.fma(y, x, -1.242_014_1e-1);
    y = fused.fma(y, x, 1.424_932_3e-1);
    y = fused.fma(y, x, -1.666_805_8e-1);
    y = fused.fma(y, x, 2.000_071_48e-1);
    y = fused.fma(y, x, -2.499_999_4e-1);
    y = fused.fma(y, x, 3.333_333_1e-1);
    y *= x;
    y = fused.fma(y, z, e * -2.121_944_4e-4);
    y = fused.fma(-z, 0.5, y);
    fused.fma(e, 0.693_359_375, x + y)
}

/// Sine and cosine of an angle in [0, 2π).
#[inline(always)]
fn sin_cos(x: f32, fused: &mut impl Fused) -> (f32, f32) {
    let octant = (x * 1.273_239_5) as i32;
    let octant = (octant + 1) & !1;
    let y = octant as f32;
    let x = fused.fma(y, -0.785_156_25, x);
    let x = fused.fma(y, -2.418_756_5e-4, x);
    let x = fused.fma(y, -3.774_895e-8, x);
    let z = x * x;
    let c = fused.fma(2.443_315_7e-5, z, -1.388_731_6e-3);
    let c = fused.fma(c, z, 4.166_664_6e-2) * z;
    let c = fused.fma(c, z, -(z * 0.5)) + 1.0;
    let s = fused.fma(-1.951_529_6e-4, z, 8.332_161e-3);
    let s = fused.fma(s, z, -1.666_665_5e-1) * z;
    let s = fused.fma(s, x, x);
    let (sin, cos) = if octant & 2 == 0 { (s, c) } else { (c, s) };
    let sin_sign = ((octant & 4) as u32) << 29;
    let cos_sign = ((!(octant - 2) & 4) as u32) << 29;
    (f32::from_bits(sin.to_bits() ^ sin_sign), f32::from_bits(cos.to_bits() ^ cos_sign))
}
