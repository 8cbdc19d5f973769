//! NumPy's `default_rng`: PCG64 (XSL-RR 128/64), seeded through `SeedSequence`, bit for bit.
//!
//! Sources: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
//! Generation" (2014); numpy/random/bit_generator.pyx and src/distributions in NumPy 2. Integers are drawn by Lemire's method,
//! normals by the ziggurat.

use super::ziggurat::{EDGE, EDGE_RECIPROCAL, HEIGHTS, LIMITS, WIDTHS};

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

#[derive(Clone, Debug)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of a 64-bit number whose lower half was drawn as 32 bits. Once drawn it stays here, as in NumPy.
    half: u32,
    /// Whether the upper half is still to be drawn.
    has_half: bool,
}

impl Pcg64 {
    /// `default_rng(entropy)`: the words of a seed, lowest first.
    pub fn new(entropy: &[u32]) -> Pcg64 {
        let words = seed_words(entropy);
        let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        let mut g = Pcg64 { state: 0, increment: wide(words[2], words[3]) << 1 | 1, half: 0, has_half: false };
        g.step();
        g.state = g.state.wrapping_add(wide(words[0], words[1]));
        g.step();
        g
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    pub(crate) fn word64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    pub fn word(&mut self) -> u32 {
        if std::mem::take(&mut self.has_half) {
            return self.half;
        }
        let drawn = self.word64();
        self.half = (drawn >> 32) as u32;
        self.has_half = true;
        drawn as u32
    }

    /// What the next numbers depend on, as words of 32 bits: four of the state and four of the increment, lowest first, whether
    /// half a number is kept, and that half.
    pub fn words(&self) -> [u32; 10] {
        let wide = |n: u128, at: usize| (n >> (32 * at)) as u32;
        std::array::from_fn(|i| match i {
            0..4 => wide(self.state, i),
            4..8 => wide(self.increment, i - 4),
            8 => u32::from(self.has_half),
            _ => self.half,
        })
    }

    /// The generator that [`Pcg64::words`] described.
    pub fn from_words(words: &[u32; 10]) -> Pcg64 {
        let wide = |words: &[u32]| words.iter().rev().fold(0, |n, &word| n << 32 | u128::from(word));
        Pcg64 { state: wide(&words[..4]), increment: wide(&words[4..8]), half: words[9], has_half: words[8] != 0 }
    }

    /// A number in [0, 1) with 53 bits.
    pub fn double(&mut self) -> f64 {
        (self.word64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// A number in [0, 1) with 24 bits.
    pub fn float(&mut self) -> f32 {
        (self.word() >> 8) as f32 / 16_777_216.0
    }

    /// An integer from 0 to `max`, inclusive.
    pub(crate) fn interval(&mut self, max: u64) -> u64 {
        match max {
            0 => 0,
            u64::MAX => self.word64(),
            0xffff_ffff => u64::from(self.word()),
            1..0xffff_ffff => {
                let span = max as u32 + 1;
                let mut product = u64::from(self.word()) * u64::from(span);
                if (product as u32) < span {
                    let least = (u32::MAX - max as u32) % span;
                    while (product as u32) < least {
                        product = u64::from(self.word()) * u64::from(span);
                    }
                }
                product >> 32
            }
            _ => {
                let span = max + 1;
                let mut product = u128::from(self.word64()) * u128::from(span);
                if (product as u64) < span {
                    let least = (u64::MAX - max) % span;
                    while (product as u64) < least {
                        product = u128::from(self.word64()) * u128::from(span);
                    }
                }
                (product >> 64) as u64
            }
        }
    }

    /// Standard normal.
    pub fn normal(&mut self) -> f64 {
        loop {
            let drawn = self.word64();
            let layer = (drawn & 0xff) as usize;
            let negative = drawn >> 8 & 1 == 1;
            let place = drawn >> 9 & 0x000f_ffff_ffff_ffff;
            let signed = |x: f64, negative: bool| if negative { -x } else { x };
            let x = signed(place as f64 * f64::from_bits(WIDTHS[layer]), negative);
            if place < LIMITS[layer] {
                return x;
            }
            if layer == 0 {
                loop {
                    let beyond = -EDGE_RECIPROCAL * (-self.double()).ln_1p();
                    let y = -(-self.double()).ln_1p();
                    if y + y > beyond * beyond {
                        return signed(EDGE + beyond, place >> 8 & 1 == 1);
                    }
                }
            }
            let (upper, lower) = (f64::from_bits(HEIGHTS[layer - 1]), f64::from_bits(HEIGHTS[layer]));
            if (upper - lower) * self.double() + lower < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    /// The order of `n` things after shuffling.
    pub(crate) fn permutation(&mut self, n: usize) -> Vec<u64> {
        let mut order: Vec<u64> = (0..n as u64).collect();
        for i in (1..n).rev() {
            order.swap(i, self.masked(i as u64) as usize);
        }
        order
    }

    /// An integer from 0 to `max`, which isn't 0. Draws words, masked to the bits of `max`, until one isn't above it.
    fn masked(&mut self, max: u64) -> u64 {
        let mask = u64::MAX >> max.leading_zeros();
        loop {
            let drawn = if max <= u64::from(u32::MAX) { u64::from(self.word()) } else { self.word64() };
            if drawn & mask <= max {
                return drawn & mask;
            }
        }
    }

    fn shuffle(&mut self, items: &mut [u64], first: usize) {
        for i in (first..items.len()).rev() {
            items.swap(i, self.interval(i as u64) as usize);
        }
    }

    /// `count` of the numbers below `n`, each at most once, in random order unless `shuffle` is off.
    pub fn sample(&mut self, n: usize, count: usize, shuffle: bool) -> Vec<u64> {
        let cutoff = if shuffle { 50 } else { 20 };
        if n > 10_000 && count > n / cutoff {
            let mut all: Vec<u64> = (0..n as u64).collect();
            self.shuffle(&mut all, (n - count).max(1));
            return all.split_off(n - count);
        }
        // Floyd's algorithm.
        let mut taken = std::collections::HashSet::new();
        let mut out: Vec<u64> = Vec::with_capacity(count);
        for j in (n - count) as u64..n as u64 {
            let drawn = self.interval(j);
            let kept = if taken.contains(&drawn) { j } else { drawn };
            taken.insert(kept);
            out.push(kept);
        }
        if shuffle {
            self.shuffle(&mut out, 1);
        }
        out
    }
}

/// `SeedSequence(entropy).generate_state(4, uint64)`.
fn seed_words(entropy: &[u32]) -> [u64; 4] {
    const POOL: usize = 4;
    let mut constant = 0x43b0_d7e5_u32;
    let mut hash = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(constant);
        value ^ value >> 16
    };
    let mix = |x: u32, y: u32| {
        let mixed = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
        mixed ^ mixed >> 16
    };
    let mut pool: [u32; POOL] = std::array::from_fn(|i| hash(entropy.get(i).copied().unwrap_or(0)));
    for from in 0..POOL {
        for to in 0..POOL {
            if from != to {
                pool[to] = mix(pool[to], hash(pool[from]));
            }
        }
    }
    for &word in entropy.iter().skip(POOL) {
        for to in &mut pool {
            *to = mix(*to, hash(word));
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let words: [u32; 8] = std::array::from_fn(|i| {
        let value = pool[i % POOL] ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        let value = value.wrapping_mul(constant);
        value ^ value >> 16
    });
    std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32)
}
