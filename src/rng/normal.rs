//! Uniform numbers into normal ones, 16 at a time, by Box and Muller.
//!
//! The float32 polynomials are those of the Cephes library (S. L. Moshier) in the order of operations of
//! ATen/native/cpu/avx_mathfun.h, with products and sums fused where PyTorch's compiler fuses them: changing one
//! operation changes the last bit of some result.

/// Turns uniform numbers in [0, 1) into normal ones. Elements beyond the last whole 16 stay as they are.
pub(super) fn transform_f32(data: &mut [f32], mean: f32, std: f32) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the processor has both features.
        return unsafe { transform_avx2(data, mean, std) };
    }
    transform_any(data, mean, std);
}

/// The same code, compiled with fused multiply-add so that it becomes vector instructions. Without the feature each
/// `mul_add` is a correct but slow call.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn transform_avx2(data: &mut [f32], mean: f32, std: f32) {
    transform_any(data, mean, std);
}

#[inline(always)]
fn transform_any(data: &mut [f32], mean: f32, std: f32) {
    for block in data.as_chunks_mut::<16>().0 {
        let (first, second) = block.split_at_mut(8);
        for (a, b) in first.iter_mut().zip(second) {
            let radius = (-2.0 * log(1.0 - *a)).sqrt();
            let (sin, cos) = sin_cos(std::f32::consts::TAU * *b);
            *a = (radius * cos).mul_add(std, mean);
            *b = (radius * sin).mul_add(std, mean);
        }
    }
}

pub(super) fn transform_f64(data: &mut [f64], mean: f64, std: f64) {
    for block in data.as_chunks_mut::<16>().0 {
        let (first, second) = block.split_at_mut(8);
        for (a, b) in first.iter_mut().zip(second) {
            let radius = (-2.0 * (1.0 - *a).ln()).sqrt();
            let theta = std::f64::consts::TAU * *b;
            *a = (radius * theta.cos()).mul_add(std, mean);
            *b = (radius * theta.sin()).mul_add(std, mean);
        }
    }
}

/// Natural logarithm of a number in (0, 1].
#[inline(always)]
#[expect(clippy::excessive_precision, reason = "constants with the digits that name their float32 neighbours apart")]
fn log(x: f32) -> f32 {
    const SQRT_HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let mut e = ((bits >> 23) as i32 - 0x7f) as f32 + 1.0;
    let m = f32::from_bits((bits & !0x7f80_0000) | 0x3f00_0000);
    let small = m < SQRT_HALF;
    e -= if small { 1.0 } else { 0.0 };
    let x = (m - 1.0) + if small { m } else { 0.0 };
    let z = x * x;
    let mut y = 7.037_683_6e-2_f32;
    y = y.mul_add(x, -1.151_461e-1);
    y = y.mul_add(x, 1.167_699_87e-1);
    y = y.mul_add(x, -1.242_014_1e-1);
    y = y.mul_add(x, 1.424_932_3e-1);
    y = y.mul_add(x, -1.666_805_8e-1);
    y = y.mul_add(x, 2.000_071_48e-1);
    y = y.mul_add(x, -2.499_999_4e-1);
    y = y.mul_add(x, 3.333_333_1e-1);
    y *= x;
    y = y.mul_add(z, e * -2.121_944_4e-4);
    y = (-z).mul_add(0.5, y);
    e.mul_add(0.693_359_375, x + y)
}

/// Sine and cosine of an angle in [0, 2π).
#[inline(always)]
fn sin_cos(x: f32) -> (f32, f32) {
    let octant = (x * 1.273_239_5) as i32;
    let octant = (octant + 1) & !1;
    let y = octant as f32;
    let x = y.mul_add(-0.785_156_25, x);
    let x = y.mul_add(-2.418_756_5e-4, x);
    let x = y.mul_add(-3.774_895e-8, x);
    let z = x * x;
    let c = 2.443_315_7e-5_f32.mul_add(z, -1.388_731_6e-3).mul_add(z, 4.166_664_6e-2) * z;
    let c = c.mul_add(z, -(z * 0.5)) + 1.0;
    let s = (-1.951_529_6e-4_f32).mul_add(z, 8.332_161e-3).mul_add(z, -1.666_665_5e-1) * z;
    let s = s.mul_add(x, x);
    let (sin, cos) = if octant & 2 == 0 { (s, c) } else { (c, s) };
    let sin_sign = ((octant & 4) as u32) << 29;
    let cos_sign = ((!(octant - 2) & 4) as u32) << 29;
    (f32::from_bits(sin.to_bits() ^ sin_sign), f32::from_bits(cos.to_bits() ^ cos_sign))
}
