//! The generator for CUDA tensors: Philox4x32-10 (Salmon et al., SC 2011), and the rule by which PyTorch's kernels assign
//! counters to elements. Shaders and CUDA kernels follow the same rule.
//!
//! ```text
//! blocks of 256 threads; grid = min(ceil(n / 256), multiprocessors * 2048 / 256); T = grid * 256 threads
//! thread t, iteration i:  (x, y, z, w) = philox(key = seed, counter = (offset / 4 + i, t))
//! 32-bit draws:           element t + T * c + 4 T * i takes component c of (x, y, z, w)
//! 64-bit draws:           element t + T * c + 2 T * i takes (x, y) for c = 0 and (z, w) for c = 1
//! afterwards              offset += 4 * iterations
//! ```
//!
//! So for n <= T every element has a thread of its own, and the numbers don't depend on the GPU. For larger n they depend on
//! its number of multiprocessors.
//!
//! Source: ATen/cuda/CUDAGeneratorImpl.cpp, ATen/native/cuda/DistributionTemplates.h and cuRAND's headers.

mod generator;
mod kernels;

pub use generator::CudaGenerator;
pub use kernels::{
    bernoulli, dropout_mask, exponential_f32, exponential_f64, normal_f32, normal_f64, random_from, random_pairs,
    uniform_f32, uniform_f64, unit_f32,
};

/// Threads per block.
pub(crate) const BLOCK: u64 = 256;
/// Threads that a multiprocessor holds (A100, H100).
pub(crate) const THREADS_PER_MULTIPROCESSOR: u64 = 2048;

/// Multipliers of a round.
pub(crate) const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
/// Added to the key after each round.
pub(crate) const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

/// Ten rounds of Philox: four 32-bit draws from a key and a counter.
#[inline]
pub(crate) fn philox4x32_10(mut key: [u32; 2], mut counter: [u32; 4]) -> [u32; 4] {
    for round in 0..10 {
        if round > 0 {
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let a = u64::from(MULTIPLIERS[0]) * u64::from(counter[0]);
        let b = u64::from(MULTIPLIERS[1]) * u64::from(counter[2]);
        counter = [(b >> 32) as u32 ^ counter[1] ^ key[0], b as u32, (a >> 32) as u32 ^ counter[3] ^ key[1], a as u32];
    }
    counter
}

/// Where a launch starts in the stream: the generator's state before the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Philox {
    pub seed: u64,
    /// Counted in 32-bit draws; a multiple of 4.
    pub offset: u64,
    /// How many multiprocessors the GPU has.
    pub multiprocessors: u32,
}

impl Philox {
    /// The four draws of one thread in one iteration.
    #[inline]
    pub fn draw(&self, thread: u64, iteration: u64) -> [u32; 4] {
        let at = (self.offset / 4).wrapping_add(iteration);
        let key = [self.seed as u32, (self.seed >> 32) as u32];
        philox4x32_10(key, [at as u32, (at >> 32) as u32, thread as u32, (thread >> 32) as u32])
    }

    /// The number of threads in a launch over `n` elements: 0 if there are none.
    pub fn threads(&self, n: usize) -> u64 {
        let most = u64::from(self.multiprocessors.max(1)) * (THREADS_PER_MULTIPROCESSOR / BLOCK);
        (n as u64).div_ceil(BLOCK).min(most) * BLOCK
    }

    /// How much a launch over `n` elements adds to the offset. Every four draws give `per_thread` elements: 4, or
    /// 2 if each element takes 64 bits.
    pub(crate) fn advance(&self, n: usize, per_thread: u64) -> u64 {
        if n == 0 { 0 } else { 4 * ((n as u64 - 1) / (self.threads(n) * per_thread) + 1) }
    }
}
