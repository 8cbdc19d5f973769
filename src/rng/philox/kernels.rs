//! The numbers that PyTorch's kernels make of the draws, as pure functions of where a launch starts in the stream.

use super::Philox;
use crate::rng::WIDE_RANGE;

/// Calls `each(index, draw, component)` for all elements of a launch. Every four draws give `PER` elements: 4, or 2 if
/// each element takes 64 bits. `component` counts the elements of one set of four draws.
#[inline(always)]
fn elements<const PER: usize>(philox: Philox, n: usize, mut each: impl FnMut(usize, [u32; 4], usize)) {
    let threads = philox.threads(n) as usize;
    let mut start = 0_usize;
    let mut iteration = 0;
    while start < n {
        for thread in 0..threads.min(n - start) {
            let draw = philox.draw(thread as u64, iteration);
            for component in 0..PER {
                let index = start + thread + threads * component;
                if index >= n {
                    break;
                }
                each(index, draw, component);
            }
        }
        start = start.saturating_add(threads * PER);
        iteration += 1;
    }
}

/// cuRAND's float in (0, 1]: `x * 2^-32 + 2^-33`.
#[inline(always)]
pub fn unit_f32(x: u32) -> f32 {
    const TWO_POW_MINUS_32: f32 = 1.0 / 4_294_967_296.0;
    x as f32 * TWO_POW_MINUS_32 + TWO_POW_MINUS_32 / 2.0
}

/// cuRAND's double in (0, 1] from two draws: 53 of their bits, `x * 2^-53 + 2^-54`.
#[inline(always)]
fn unit_f64(x: u32, y: u32) -> f64 {
    bits53(x, y) * TWO_POW_MINUS_53 + TWO_POW_MINUS_53 / 2.0
}

const TWO_POW_MINUS_53: f64 = 1.0 / 9_007_199_254_740_992.0;

/// 53 bits of two draws, as an integer.
#[inline(always)]
fn bits53(x: u32, y: u32) -> f64 {
    (u64::from(x) ^ (u64::from(y) << 21)) as f64
}

/// `uniform_(from, to)` of float32. float16 and bfloat16 are these numbers rounded; if that gives `to`, it becomes
/// `from`.
pub fn uniform_f32(philox: Philox, out: &mut [f32], from: f64, to: f64) {
    let (from, to) = (from as f32, to as f32);
    let width = to - from;
    elements::<4>(philox, out.len(), |index, draw, component| {
        let value = unit_f32(draw[component]) * width + from;
        out[index] = if value == to { from } else { value };
    });
}

/// `uniform_(from, to)` of float64.
pub fn uniform_f64(philox: Philox, out: &mut [f64], from: f64, to: f64) {
    elements::<2>(philox, out.len(), |index, draw, half| {
        let value = unit_f64(draw[2 * half], draw[2 * half + 1]) * (to - from) + from;
        out[index] = if value == to { from } else { value };
    });
}

/// `a * b + c` like a fused multiply-add. The product is exact in float64, so only the sum is rounded: to float64 and then to
/// float32, which differs from rounding once in about one case in 2^29.
#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    (f64::from(a) * f64::from(b) + f64::from(c)) as f32
}

/// The natural logarithm of a number in (0, 1], as a quotient of polynomials in float32.
///
/// Coefficients and order of operations are those of NumPy's float32 loops, which made the recorded numbers
/// (numpy/_core/src/umath/loops_exponent_log.dispatch.c.src, npy_simd_data.h). The error is within 4 units in the last
/// place.
#[inline(always)]
fn log_f32(x: f32) -> f32 {
    const P: [f32; 6] = [0.0, 1.0, 2.112_677_6, 1.480_000_6, 0.380_883_77, 0.025_899_792];
    const Q: [f32; 6] = [1.0, 2.612_677_6, 2.453_006, 0.986_494_3, 0.154_647_64, 0.005_875_095_3];
    let bits = x.to_bits();
    let mut exponent = (bits >> 23) as i32 - 127;
    let mut mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    if mantissa > std::f32::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let x = mantissa - 1.0;
    let (mut above, mut below) = (P[5], Q[5]);
    for i in (0..5).rev() {
        above = fused(above, x, P[i]);
        below = fused(below, x, Q[i]);
    }
    fused(exponent as f32, std::f32::consts::LN_2, above / below)
}

/// Sine and cosine of a number below 2 pi, as polynomials in float32 on [-pi/4, pi/4]. Source as for [`log_f32`]
/// (loops_trigonometric.dispatch.cpp). The error is within 2 units in the last place.
#[inline(always)]
fn sin_cos_f32(x: f32) -> (f32, f32) {
    // pi/2 in three parts; the first two have few bits, so that their multiples are exact.
    const PARTS: [f32; 3] = [-f32::from_bits(0x3fc9_0fd8), -f32::from_bits(0x34a8_885a), -f32::from_bits(0x27c2_34c4)];
    const COS: [f32; 5] =
        [f32::from_bits(0x37cc_730b), -f32::from_bits(0x3ab6_036e), f32::from_bits(0x3d2a_aa9e), -0.5, 1.0];
    const SIN: [f32; 4] = [
        f32::from_bits(0x363e_9dde),
        -f32::from_bits(0x3950_35dd),
        f32::from_bits(0x3c08_88cd),
        -f32::from_bits(0x3e2a_aaab),
    ];
    // Adding and subtracting 1.5 * 2^23 rounds to an integer.
    let quadrant = fused(x, std::f32::consts::FRAC_2_PI, 12_582_912.0) - 12_582_912.0;
    let r = PARTS.iter().fold(x, |r, &part| fused(quadrant, part, r));
    let square = r * r;
    let cosine = COS[1..].iter().fold(COS[0], |p, &c| fused(p, square, c));
    let sine = SIN[1..].iter().fold(SIN[0], |p, &c| fused(p, square, c));
    let sine = fused(sine * square, r, r);
    match quadrant as i32 & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// `normal_(mean, std)` of float32: the Box-Muller transform of (x, y) and of (z, w), sine first. A GPU's logarithm, sine and
/// cosine may differ in the last bits.
pub fn normal_f32(philox: Philox, out: &mut [f32], mean: f64, std: f64) {
    const TAU_TIMES_TWO_POW_MINUS_32: f32 = std::f32::consts::TAU / 4_294_967_296.0;
    let (mean, std) = (mean as f32, std as f32);
    elements::<4>(philox, out.len(), |index, draw, component| {
        let pair = component & !1;
        let radius = (-2.0 * log_f32(unit_f32(draw[pair]))).sqrt();
        let angle = draw[pair + 1] as f32 * TAU_TIMES_TWO_POW_MINUS_32 + TAU_TIMES_TWO_POW_MINUS_32 / 2.0;
        let (sine, cosine) = sin_cos_f32(angle);
        let sample = radius * if component & 1 == 0 { sine } else { cosine };
        out[index] = sample * std + mean;
    });
}

/// `normal_(mean, std)` of float64.
pub fn normal_f64(philox: Philox, out: &mut [f64], mean: f64, std: f64) {
    elements::<2>(philox, out.len(), |index, [x, y, z, w], half| {
        let radius = (-2.0 * unit_f64(x, y).ln()).sqrt();
        let angle = (bits53(z, w) * (2.0 * TWO_POW_MINUS_53) + TWO_POW_MINUS_53) * std::f64::consts::PI;
        let sample = radius * if half == 0 { angle.sin() } else { angle.cos() };
        out[index] = sample * std + mean;
    });
}

/// `exponential_(lambda)` of float32. A draw of 1, whose logarithm is 0, counts as the next smaller number.
pub fn exponential_f32(philox: Philox, out: &mut [f32], lambda: f64) {
    let scale = -1.0 / lambda as f32;
    elements::<4>(philox, out.len(), |index, draw, component| {
        let unit = unit_f32(draw[component]);
        let log = if unit >= 1.0 - f32::EPSILON / 2.0 { -f32::EPSILON / 2.0 } else { unit.ln() };
        out[index] = scale * log;
    });
}

/// `exponential_(lambda)` of float64.
pub fn exponential_f64(philox: Philox, out: &mut [f64], lambda: f64) {
    elements::<2>(philox, out.len(), |index, draw, half| {
        let unit = unit_f64(draw[2 * half], draw[2 * half + 1]);
        let log = if unit >= 1.0 - f64::EPSILON / 2.0 { -f64::EPSILON / 2.0 } else { unit.ln() };
        out[index] = -1.0 / lambda * log;
    });
}

/// `random_(from, from + range)` and `randint`. A `range` of 0 means all 2^64 integers. Four draws
/// give [`random_pairs`] elements.
pub fn random_from(philox: Philox, out: &mut [i64], from: i64, range: u64) {
    let n = out.len();
    if random_pairs(range) == 2 {
        elements::<2>(philox, n, |index, draw, half| {
            let wide = u64::from(draw[2 * half]) << 32 | u64::from(draw[2 * half + 1]);
            out[index] = if range == 0 { wide as i64 } else { from.wrapping_add_unsigned(wide % range) };
        });
    } else {
        elements::<4>(philox, n, |index, draw, component| {
            out[index] = from.wrapping_add_unsigned(u64::from(draw[component]) % range);
        });
    }
}

/// How many integers four draws give: 4 for a range below 2^28, otherwise 2.
pub fn random_pairs(range: u64) -> u64 {
    if range == 0 || range >= WIDE_RANGE { 2 } else { 4 }
}

/// `bernoulli_(p)` with a number, for every dtype except float64, which compares 64-bit numbers.
pub fn bernoulli(philox: Philox, out: &mut [bool], p: f64) {
    let p = p as f32;
    elements::<4>(philox, out.len(), |index, draw, component| out[index] = unit_f32(draw[component]) < p);
}

/// The mask of `dropout`: true where an element stays, which has the probability `keep`. If the number of elements is a multiple
/// of 4 (or of 2), PyTorch's kernel gives each thread 4 (or 2) adjacent elements.
pub fn dropout_mask(philox: Philox, out: &mut [bool], keep: f64) {
    let (n, keep) = (out.len(), keep as f32);
    let width = if n.is_multiple_of(4) {
        4
    } else if n.is_multiple_of(2) {
        2
    } else {
        return elements::<4>(philox, n, |index, draw, component| out[index] = unit_f32(draw[component]) < keep);
    };
    let threads = philox.threads(n).max(1) as usize;
    for (group, elements) in out.chunks_exact_mut(width).enumerate() {
        let (thread, nth) = (group % threads, group / threads);
        // Two groups of two elements share the four draws of one counter.
        let (iteration, skip) = if width == 4 { (nth, 0) } else { (nth / 2, 2 * (nth % 2)) };
        let draw = philox.draw(thread as u64, iteration as u64);
        for (element, &x) in elements.iter_mut().zip(&draw[skip..]) {
            *element = unit_f32(x) < keep;
        }
    }
}
