//! The generator for CPU tensors: uniform, normal and exponential numbers.
//!
//! Source: ATen/CPUGeneratorImpl.cpp, ATen/core/DistributionsHelper.h and ATen/native/cpu/DistributionTemplates.h in
//! PyTorch 2.15, with the results of its AVX2 and AVX-512 builds (products and sums fused).

use half::{bf16, f16};

use super::fused::fma;
use super::mt19937::Mt19937;
use super::normal;

const TWO_POW_24: f32 = 1.0 / (1 << 24) as f32;
const TWO_POW_53: f64 = 1.0 / (1_u64 << 53) as f64;

/// `torch.Generator(device="cpu")`.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuGenerator {
    pub(super) engine: Mt19937,
    /// The second number of the last pair that [`CpuGenerator::normal`] made.
    pub(super) next_normal: Option<f64>,
}

impl Default for CpuGenerator {
    fn default() -> Self {
        CpuGenerator::new(super::DEFAULT_SEED)
    }
}

impl CpuGenerator {
    /// A generator after `manual_seed(seed)`. Only the low 32 bits of the seed affect the numbers. A negative Python
    /// seed is `seed + 2**64`.
    pub fn new(seed: u64) -> CpuGenerator {
        CpuGenerator { engine: Mt19937::new(seed), next_normal: None }
    }

    pub fn manual_seed(&mut self, seed: u64) {
        *self = CpuGenerator::new(seed);
    }

    /// The seed that was given.
    pub fn initial_seed(&self) -> u64 {
        self.engine.seed
    }

    #[inline]
    pub fn random_u32(&mut self) -> u32 {
        self.engine.next_u32()
    }

    /// A number from two draws, the first in its high half.
    #[inline]
    pub(crate) fn random_u64(&mut self) -> u64 {
        let high = u64::from(self.random_u32());
        high << 32 | u64::from(self.random_u32())
    }

    /// A multiple of 2^-24 in [0, 1), from one draw.
    #[inline]
    pub fn unit_f32(&mut self) -> f32 {
        unit24(self.random_u32())
    }

    /// A multiple of 2^-53 in [0, 1), from two draws.
    #[inline]
    pub(crate) fn unit_f64(&mut self) -> f64 {
        (self.random_u64() & ((1 << 53) - 1)) as f64 * TWO_POW_53
    }

    /// `uniform_(from, to)`: numbers in [from, to).
    pub fn uniform_f32(&mut self, out: &mut [f32], from: f64, to: f64) {
        let (from, to) = (from as f32, to as f32);
        let width = to - from;
        if from == 0.0 && width == 1.0 {
            self.engine.words(out.iter_mut(), unit24);
        } else {
            self.engine.words(out.iter_mut(), |word| {
                let value = fma(unit24(word), width, from);
                if value == to { from } else { value }
            });
        }
    }

    /// Like [`CpuGenerator::uniform_f32`], in double precision.
    pub fn uniform_f64(&mut self, out: &mut [f64], from: f64, to: f64) {
        for value in out {
            let x = normal::scale(self.unit_f64(), from, to - from);
            *value = if x == to { from } else { x };
        }
    }

    /// Like [`CpuGenerator::uniform_f32`]: drawn and scaled in float32, then rounded. A number that rounds up to `to`
    /// becomes `from`.
    pub fn uniform_f16(&mut self, out: &mut [f16], from: f64, to: f64) {
        let (low, width) = (from as f32, to as f32 - from as f32);
        let (from, to) = (f16::from_f64(from), f16::from_f64(to));
        for value in out {
            let x = f16::from_f32(fma(self.unit_f32(), width, low));
            *value = if x == to { from } else { x };
        }
    }

    /// As [`CpuGenerator::uniform_f16`].
    pub fn uniform_bf16(&mut self, out: &mut [bf16], from: f64, to: f64) {
        let (low, width) = (from as f32, to as f32 - from as f32);
        let (from, to) = (bf16::from_f64(from), bf16::from_f64(to));
        for value in out {
            let x = bf16::from_f32(fma(self.unit_f32(), width, low));
            *value = if x == to { from } else { x };
        }
    }

    /// One normal number by the polar form of Box and Muller. Every second call returns the number kept by the previous
    /// one, whatever was drawn in between. Tensors with fewer than 16 elements and tensors that aren't contiguous are
    /// filled in this way, one element at a time in the order of their indices.
    pub fn normal(&mut self, mean: f64, std: f64) -> f64 {
        let sample = match self.next_normal.take() {
            Some(sample) => sample,
            None => {
                let u1 = self.unit_f64();
                let u2 = self.unit_f64();
                let r = (-2.0 * (-u2).ln_1p()).sqrt();
                let theta = std::f64::consts::TAU * u1;
                self.next_normal = Some(r * theta.sin());
                r * theta.cos()
            }
        };
        normal::scale(sample, mean, std)
    }

    /// `normal_(mean, std)` on a contiguous tensor.
    pub fn normal_f32(&mut self, out: &mut [f32], mean: f64, std: f64) {
        if out.len() < 16 {
            return out.iter_mut().for_each(|value| *value = self.normal(mean, std) as f32);
        }
        let (mean, std) = (mean as f32, std as f32);
        self.engine.words(out.iter_mut(), unit24);
        normal::transform_f32(out, mean, std);
        if let Some(tail) = unaligned_tail(out) {
            self.engine.words(tail.iter_mut(), unit24);
            normal::transform_f32(tail, mean, std);
        }
    }

    /// `normal_` of float16: float32 numbers, rounded.
    pub fn normal_f16(&mut self, out: &mut [f16], mean: f64, std: f64) {
        let wide = self.normal_to_round(out.len(), mean, std);
        out.iter_mut().zip(wide).for_each(|(value, x)| *value = f16::from_f32(x));
    }

    /// `normal_` of bfloat16: float32 numbers, rounded.
    pub fn normal_bf16(&mut self, out: &mut [bf16], mean: f64, std: f64) {
        let wide = self.normal_to_round(out.len(), mean, std);
        out.iter_mut().zip(wide).for_each(|(value, x)| *value = bf16::from_f32(x));
    }

    /// Like [`CpuGenerator::normal_f32`], except that elements that are drawn twice there are drawn only the second time.
    fn normal_to_round(&mut self, n: usize, mean: f64, std: f64) -> Vec<f32> {
        let mut wide = vec![0.0; n];
        let whole = if n < 16 { n } else { n / 16 * 16 };
        self.normal_f32(&mut wide[..whole], mean, std);
        if n > whole {
            self.normal_f32(&mut wide[n - 16..], mean, std);
        }
        wide
    }

    /// Like [`CpuGenerator::normal_f32`], in double precision.
    pub fn normal_f64(&mut self, out: &mut [f64], mean: f64, std: f64) {
        if out.len() < 16 {
            return out.iter_mut().for_each(|value| *value = self.normal(mean, std));
        }
        out.iter_mut().for_each(|value| *value = self.unit_f64());
        normal::transform_f64(out, mean, std);
        if let Some(tail) = unaligned_tail(out) {
            tail.iter_mut().for_each(|value| *value = self.unit_f64());
            normal::transform_f64(tail, mean, std);
        }
    }

    /// One number of `exponential_(lambda)`. The caller casts it to the tensor's type.
    pub fn exponential(&mut self, lambda: f64) -> f64 {
        let u = self.unit_f64();
        -1.0 / lambda * (-u).ln_1p()
    }

    /// One number of `cauchy_(median, sigma)`. The caller casts it to the tensor's type.
    pub fn cauchy(&mut self, median: f64, sigma: f64) -> f64 {
        median + sigma * (std::f64::consts::PI * (self.unit_f64() - 0.5)).tan()
    }

    /// One number of `geometric_(p)`. The caller casts it to the tensor's type.
    pub fn geometric(&mut self, p: f64) -> f64 {
        (self.unit_f64().ln() / (-p).ln_1p()).ceil()
    }

    pub fn exponential_f32(&mut self, out: &mut [f32], lambda: f64) {
        out.iter_mut().for_each(|value| *value = self.exponential(lambda) as f32);
    }

    pub fn exponential_f64(&mut self, out: &mut [f64], lambda: f64) {
        out.iter_mut().for_each(|value| *value = self.exponential(lambda));
    }
}

/// The last 16 elements if the length isn't a multiple of 16: they are drawn a second time.
fn unaligned_tail<T>(out: &mut [T]) -> Option<&mut [T]> {
    let n = out.len();
    (!n.is_multiple_of(16)).then(|| &mut out[n - 16..])
}

#[inline(always)]
fn unit24(word: u32) -> f32 {
    (word & 0xff_ffff) as f32 * TWO_POW_24
}
