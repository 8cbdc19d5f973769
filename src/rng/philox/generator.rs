use super::Philox;
use crate::error::{Error, Result};

/// `torch.Generator(device="cuda")`: a place in a Philox stream. Each GPU has its own; `manual_seed` sets all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CudaGenerator {
    seed: u64,
    offset: u64,
}

impl Default for CudaGenerator {
    fn default() -> Self {
        CudaGenerator::new(crate::rng::DEFAULT_SEED)
    }
}

impl CudaGenerator {
    pub fn new(seed: u64) -> CudaGenerator {
        CudaGenerator { seed, offset: 0 }
    }

    pub fn manual_seed(&mut self, seed: u64) {
        *self = CudaGenerator::new(seed);
    }

    pub fn initial_seed(&self) -> u64 {
        self.seed
    }

    /// The number of 32-bit draws since the seed was set.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The launch's place in the stream for `n` elements. Each four draws give `per_thread` of them (4; 2 for float64,
    /// and for integers from a range of 2^28 or more). Moves the generator past these draws.
    pub fn launch(&mut self, n: usize, per_thread: u64, multiprocessors: u32) -> Philox {
        let philox = Philox { seed: self.seed, offset: self.offset, multiprocessors };
        self.offset = self.offset.wrapping_add(philox.advance(n, per_thread));
        philox
    }

    /// Moves past draws that were made elsewhere, starting from this place.
    pub fn skip(&mut self, drawn: u64) {
        self.offset = self.offset.wrapping_add(drawn);
    }

    /// `get_state()`: seed and offset, 8 bytes each, little-endian.
    pub fn state(&self) -> Vec<u8> {
        [self.seed.to_le_bytes(), self.offset.to_le_bytes()].concat()
    }

    /// Restores a result of [`CudaGenerator::state`]. The seed alone is also accepted, and sets the offset to 0.
    ///
    /// # Errors
    /// Another length, or an offset that isn't a multiple of 4.
    pub fn set_state(&mut self, bytes: &[u8]) -> Result<()> {
        let eight = |part: &[u8]| {
            let mut word = [0; 8];
            word.copy_from_slice(part);
            u64::from_le_bytes(word)
        };
        let (seed, offset) = match bytes.len() {
            8 => (eight(bytes), 0),
            16 => (eight(&bytes[..8]), eight(&bytes[8..])),
            _ => return Err(Error::runtime("RNG state is wrong size")),
        };
        if !offset.is_multiple_of(4) {
            return Err(Error::runtime("offset must be a multiple of 4"));
        }
        *self = CudaGenerator { seed, offset };
        Ok(())
    }
}
