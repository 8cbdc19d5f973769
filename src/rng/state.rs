//! `torch.get_rng_state()` and `torch.set_rng_state()` of the CPU generator: 5056 bytes, little-endian.
//!
//! ```text
//!     0  seed        u64          5016  (unused)      f64 0, the kept normal number f64, (unused) f64 0
//!     8  left        i32          5040  is one kept?  i32, 4 bytes of padding
//!    12  seeded      i32 1        5048  (unused)      the same for float32: f32 0, flag, padding
//!    16  next        u64
//!    24  624 words, each in 8 bytes
//! ```
//!
//! Source: CPUGeneratorImplState in ATen/CPUGeneratorImpl.cpp.

use super::CpuGenerator;
use super::mt19937::{Mt19937, N};
use crate::error::{Error, Result};

const SIZE: usize = 5056;
const WORDS: usize = 24;
const NORMAL: usize = WORDS + 8 * N + 8;
const NORMAL_VALID: usize = NORMAL + 16;

impl CpuGenerator {
    /// The bytes of `get_state()`.
    pub fn state(&self) -> Vec<u8> {
        let mut out = vec![0; SIZE];
        out[..8].copy_from_slice(&self.engine.seed.to_le_bytes());
        out[8..12].copy_from_slice(&self.engine.left.to_le_bytes());
        out[12..16].copy_from_slice(&1_u32.to_le_bytes());
        out[16..24].copy_from_slice(&u64::from(self.engine.next).to_le_bytes());
        for (bytes, &word) in out[WORDS..].as_chunks_mut::<8>().0.iter_mut().zip(&self.engine.state) {
            *bytes = u64::from(word).to_le_bytes();
        }
        if let Some(sample) = self.next_normal {
            out[NORMAL..NORMAL + 8].copy_from_slice(&sample.to_le_bytes());
            out[NORMAL_VALID] = 1;
        }
        out
    }

    /// Restores a result of [`CpuGenerator::state`].
    ///
    /// # Errors
    /// Another length, or a state that no generator can have.
    pub fn set_state(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() != SIZE {
            return Err(Error::runtime(format!(
                "Expected a CPUGeneratorImplState of size {SIZE} but found the input RNG state size to be {}",
                bytes.len()
            )));
        }
        let eight = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let (left, seeded, next) = (eight(8) as u32, eight(8) >> 32, eight(16));
        let words = N as u64;
        // `next` may be N only if the state is about to be renewed. Otherwise PyTorch would read past its words.
        let readable = next + u64::from(left) <= words + 1 && (left == 1 || next < words);
        if seeded == 0 || left == 0 || u64::from(left) > words || next > words || !readable {
            return Err(Error::runtime("Invalid mt19937 state"));
        }
        let mut engine = Mt19937 { seed: eight(0), state: [0; N], left, next: next as u32 };
        for (i, word) in engine.state.iter_mut().enumerate() {
            *word = eight(WORDS + 8 * i) as u32;
        }
        let valid = eight(NORMAL_VALID) as u32 != 0;
        self.next_normal = valid.then(|| f64::from_bits(eight(NORMAL)));
        self.engine = engine;
        Ok(())
    }
}
