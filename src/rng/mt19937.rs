//! The MT19937 engine (Matsumoto and Nishimura, 1998), with the state variables that PyTorch saves.

pub(super) const N: usize = 624;
const M: usize = 397;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mt19937 {
    /// The seed that was given. Only its low 32 bits affect the state.
    pub(super) seed: u64,
    pub(super) state: [u32; N],
    /// The number of words before the state is renewed, plus one.
    pub(super) left: u32,
    /// Index of the next word.
    pub(super) next: u32,
}

impl Mt19937 {
    pub(super) fn new(seed: u64) -> Mt19937 {
        let mut state = [0; N];
        state[0] = seed as u32;
        for j in 1..N {
            let last: u32 = state[j - 1];
            state[j] = 1_812_433_253_u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(j as u32);
        }
        Mt19937 { seed, state, left: 1, next: 0 }
    }

    #[inline]
    pub(super) fn next_u32(&mut self) -> u32 {
        self.left -= 1;
        if self.left == 0 {
            self.renew();
        }
        let word = self.state[self.next as usize];
        self.next += 1;
        temper(word)
    }

    /// Calls `each` with the next `n` words: the same as `n` calls of [`Mt19937::next_u32`], without their checks.
    #[inline(always)]
    pub(super) fn words<'a>(
        &mut self,
        out: impl ExactSizeIterator<Item = &'a mut f32>,
        mut map: impl FnMut(u32) -> f32,
    ) {
        let mut out = out;
        while out.len() > 0 {
            if self.left == 1 {
                self.renew();
                self.left += 1;
            }
            let take = out.len().min(self.left as usize - 1);
            let from = self.next as usize;
            for (value, &word) in out.by_ref().take(take).zip(&self.state[from..from + take]) {
                *value = map(temper(word));
            }
            self.next += take as u32;
            self.left -= take as u32;
        }
    }

    fn renew(&mut self) {
        let p = &mut self.state;
        for i in 0..N - M {
            p[i] = p[i + M] ^ twist(p[i], p[i + 1]);
        }
        for i in N - M..N - 1 {
            p[i] = p[i + M - N] ^ twist(p[i], p[i + 1]);
        }
        p[N - 1] = p[M - 1] ^ twist(p[N - 1], p[0]);
        self.left = N as u32;
        self.next = 0;
    }
}

#[inline(always)]
fn twist(u: u32, v: u32) -> u32 {
    (((u & 0x8000_0000) | (v & 0x7fff_ffff)) >> 1) ^ ((v & 1).wrapping_neg() & 0x9908_b0df)
}

#[inline(always)]
fn temper(mut y: u32) -> u32 {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^ (y >> 18)
}
