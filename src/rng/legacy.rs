//! NumPy's legacy generator, `numpy.random.seed` and what draws from it, bit for bit.
//!
//! Source of the rules: numpy/random/src/mt19937 and src/legacy in NumPy 2. Normals and exponentials use the platform's
//! `log` and `sqrt`, as NumPy does.

use super::mt19937::{Mt19937, N};

#[derive(Clone, Debug)]
pub struct LegacyGenerator {
    engine: Mt19937,
    /// The second normal of a pair, until it's used.
    gauss: Option<f64>,
}

impl LegacyGenerator {
    /// `RandomState(seed)`.
    pub fn new(seed: u32) -> LegacyGenerator {
        LegacyGenerator { engine: Mt19937::new(seed.into()), gauss: None }
    }

    /// `RandomState([word, …])`.
    pub(crate) fn from_words(words: &[u32]) -> LegacyGenerator {
        let mut engine = Mt19937::new(19_650_218);
        let state = &mut engine.state;
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(words.len()) {
            let before = state[i - 1];
            state[i] = (state[i] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(words.get(j).copied().unwrap_or(0))
                .wrapping_add(j as u32);
            i += 1;
            j += 1;
            if i >= N {
                state[0] = state[N - 1];
                i = 1;
            }
            if j >= words.len() {
                j = 0;
            }
        }
        for _ in 1..N {
            let before = state[i - 1];
            state[i] = (state[i] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i += 1;
            if i >= N {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        LegacyGenerator { engine, gauss: None }
    }

    /// The 624 words, the position in them, and the kept normal, as in `get_state()`.
    pub fn state(&self) -> (&[u32], usize, Option<f64>) {
        let fresh = self.engine.left == 1 && self.engine.next == 0;
        (&self.engine.state, if fresh { N } else { self.engine.next as usize }, self.gauss)
    }

    /// The inverse of [`LegacyGenerator::state`]; `None` unless there are 624 words and the position is at most 624.
    pub(crate) fn from_state(words: &[u32], position: usize, gauss: Option<f64>) -> Option<LegacyGenerator> {
        let mut engine = Mt19937::new(0);
        engine.state = words.try_into().ok()?;
        engine.left = u32::try_from(N.checked_sub(position)? + 1).ok()?;
        engine.next = position as u32;
        Some(LegacyGenerator { engine, gauss })
    }

    pub fn word(&mut self) -> u32 {
        self.engine.next_u32()
    }

    /// The high word is drawn first.
    pub(crate) fn word64(&mut self) -> u64 {
        let high = u64::from(self.word());
        high << 32 | u64::from(self.word())
    }

    /// A number in [0, 1) with 53 bits.
    pub fn double(&mut self) -> f64 {
        let (a, b) = (self.word() >> 5, self.word() >> 6);
        (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
    }

    /// A standard normal number, by the polar method.
    pub fn gauss(&mut self) -> f64 {
        if let Some(kept) = self.gauss.take() {
            return kept;
        }
        loop {
            let x = 2.0 * self.double() - 1.0;
            let y = 2.0 * self.double() - 1.0;
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let scale = (-2.0 * square.ln() / square).sqrt();
                self.gauss = Some(scale * x);
                return scale * y;
            }
        }
    }

    /// An exponential number with scale 1.
    pub fn exponential(&mut self) -> f64 {
        -(1.0 - self.double()).ln()
    }

    /// An integer from 0 to `max`, inclusive. Draws words, masked to the bits of `max`, until one isn't above it.
    pub(crate) fn interval(&mut self, max: u64) -> u64 {
        if max == 0 {
            return 0;
        }
        let mask = u64::MAX >> max.leading_zeros();
        loop {
            let drawn = if max <= u64::from(u32::MAX) { u64::from(self.word()) } else { self.word64() };
            if drawn & mask <= max {
                return drawn & mask;
            }
        }
    }

    /// `count` integers from 0 to `max`, drawn as for a dtype of `bits` bits: those of 8 and 16 bits share a word.
    pub fn integers(&mut self, max: u64, bits: u32, count: usize) -> Vec<u64> {
        if bits >= 32 || max == 0 {
            return (0..count).map(|_| self.interval(max)).collect();
        }
        let mask = u64::MAX >> max.leading_zeros();
        let (mut word, mut left) = (0_u32, 0);
        let mut out = Vec::with_capacity(count);
        while out.len() < count {
            if left == 0 {
                (word, left) = (self.word(), 32 / bits);
            } else {
                word >>= bits;
            }
            left -= 1;
            let drawn = u64::from(word) & ((1 << bits) - 1) & mask;
            if drawn <= max {
                out.push(drawn);
            }
        }
        out
    }

    /// The order of `n` things after shuffling.
    pub(crate) fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.interval(i as u64) as usize);
        }
        order
    }
}
