//! Integers, permutations, coin flips and categories from the CPU generator.
//!
//! Source: ATen/native/cpu/DistributionTemplates.h, ATen/native/TensorFactories.cpp (randperm) and
//! ATen/native/cpu/MultinomialKernel.cpp in PyTorch 2.15.

use super::{CpuGenerator, WIDE_RANGE};
use crate::dtype::DType;

impl CpuGenerator {
    /// One integer in [from, from + range), for `random_(from, from + range)` and `randint`. A `range` of 0 means all
    /// 2^64 integers, which is `random_(-2**63, None)`. For a floating-point tensor, cast the result.
    #[inline]
    pub fn random_from(&mut self, from: i64, range: u64) -> i64 {
        let offset = match range {
            0 => return self.random_u64() as i64,
            WIDE_RANGE.. => self.random_u64() % range,
            _ => u64::from(self.random_u32()) % range,
        };
        from.wrapping_add_unsigned(offset)
    }

    /// Fills with integers in [from, from + range); see [`CpuGenerator::random_from`].
    pub fn random_from_i64(&mut self, out: &mut [i64], from: i64, range: u64) {
        out.iter_mut().for_each(|value| *value = self.random_from(from, range));
    }

    /// One integer for `random_()`: from 0 up to the largest that `dtype` can hold; for floats, that it can hold
    /// exactly.
    pub fn random_for(&mut self, dtype: DType) -> i64 {
        match dtype {
            DType::Bool => i64::from(self.random_u32() & 1),
            DType::U8 => i64::from(self.random_u32() & 0xff),
            DType::I8 => i64::from(self.random_u32() & 0x7f),
            DType::I16 => i64::from(self.random_u32() & 0x7fff),
            DType::U16 => i64::from(self.random_u32() & 0xffff),
            DType::U32 => i64::from(self.random_u32()),
            DType::I32 => i64::from(self.random_u32() & 0x7fff_ffff),
            DType::I64 => (self.random_u64() & 0x7fff_ffff_ffff_ffff) as i64,
            DType::F16 => i64::from(self.random_u32() % ((1 << 11) + 1)),
            DType::BF16 => i64::from(self.random_u32() % ((1 << 8) + 1)),
            DType::F32 => i64::from(self.random_u32() % ((1 << 24) + 1)),
            DType::F64 => (self.random_u64() % ((1 << 53) + 1)) as i64,
            DType::C64 | DType::C128 => unreachable!("nobody draws complex numbers"),
        }
    }

    /// `randperm(out.len())`, with the algorithm of Fisher and Yates.
    pub fn randperm(&mut self, out: &mut [i64]) {
        let n = out.len();
        out.iter_mut().zip(0..).for_each(|(value, i)| *value = i);
        // With more elements than this, a 32-bit draw would be noticeably biased.
        let wide = n as u64 >= u64::from(u32::MAX) / 20;
        for i in 0..n.saturating_sub(1) {
            let draw = if wide { self.random_u64() } else { u64::from(self.random_u32()) };
            out.swap(i, i + (draw % (n - i) as u64) as usize);
        }
    }

    /// `bernoulli_(p)` with a number, and dropout's mask (there `p` is the probability of keeping an element), for
    /// every type.
    #[inline]
    pub fn bernoulli(&mut self, p: f64) -> bool {
        self.unit_f64() < p
    }

    /// `bernoulli(p)` with a tensor of probabilities in float32, float16 or bfloat16. For float64, use
    /// [`CpuGenerator::bernoulli`].
    #[inline]
    pub fn bernoulli_of_f32(&mut self, p: f32) -> bool {
        self.unit_f32() < p
    }

    /// `multinomial` over one row of float32 weights. The caller has checked that the weights are finite, not negative
    /// and not all 0, and that there are at least `samples` of them if it draws without replacement.
    pub fn multinomial_f32(&mut self, weights: &[f32], samples: usize, replacement: bool) -> Vec<i64> {
        if !replacement || samples == 1 {
            let keys: Vec<f32> = weights.iter().map(|w| w / self.exponential(1.0) as f32).collect();
            return largest(&keys, samples, f32::total_cmp);
        }
        let mut sum = 0.0_f32;
        let mut cumulative: Vec<f32> = weights.iter().map(|w| accumulate(&mut sum, *w)).collect();
        cumulative.iter_mut().for_each(|c| *c /= sum);
        self.draw_from(cumulative.len(), samples, |i| f64::from(cumulative[i]))
    }

    /// Like [`CpuGenerator::multinomial_f32`], for float64 weights.
    pub fn multinomial_f64(&mut self, weights: &[f64], samples: usize, replacement: bool) -> Vec<i64> {
        if !replacement || samples == 1 {
            let keys: Vec<f64> = weights.iter().map(|w| w / self.exponential(1.0)).collect();
            return largest(&keys, samples, f64::total_cmp);
        }
        let mut sum = 0.0_f64;
        let mut cumulative: Vec<f64> = weights.iter().map(|w| accumulate(&mut sum, *w)).collect();
        cumulative.iter_mut().for_each(|c| *c /= sum);
        self.draw_from(cumulative.len(), samples, |i| cumulative[i])
    }

    /// Inverts the cumulative distribution. The last category gets whatever rounding leaves.
    fn draw_from(&mut self, categories: usize, samples: usize, cumulative: impl Fn(usize) -> f64) -> Vec<i64> {
        let draw = |_| {
            let u = self.unit_f64();
            let (mut low, mut high) = (0, categories.saturating_sub(1));
            while low < high {
                let middle = low + (high - low) / 2;
                if cumulative(middle) < u { low = middle + 1 } else { high = middle }
            }
            low as i64
        };
        (0..samples).map(draw).collect()
    }
}

fn accumulate<T: Copy + std::ops::AddAssign>(sum: &mut T, weight: T) -> T {
    *sum += weight;
    *sum
}

/// Indices of the `count` largest keys, largest first.
fn largest<T: Copy>(keys: &[T], count: usize, order: impl Fn(&T, &T) -> std::cmp::Ordering) -> Vec<i64> {
    let mut indices: Vec<i64> = (0..keys.len() as i64).collect();
    indices.sort_by(|&a, &b| order(&keys[b as usize], &keys[a as usize]));
    indices.truncate(count);
    indices
}
