//! The description of one launch: which kernel, with which arguments, on how many threads.
//!
//! Every argument is a multiple of 8 bytes (see `shaders/prelude.cu`), so a launch keeps them in one list of words. The
//! memory that it points to stays allocated until the kernel has run: it's reused only by work queued later on the same
//! stream.

use std::fmt::Write;

use smallvec::SmallVec;

use super::blocks::CudaBuffer;
use super::source::Family;
use crate::dtype::{DType, Scalar};
use crate::executor::{Done, Fault, Philox, View};

/// Threads of a block, unless a family says otherwise.
pub(super) const BLOCK: u32 = 256;

/// Dimensions a walk may have after those with matching strides are merged (`MAX_RANK` of the prelude).
pub(super) const MAX_RANK: usize = 12;

/// The most blocks of a launch. Kernels loop over the remaining elements, and no loop index exceeds 32 bits.
const MAX_BLOCKS: u64 = 1 << 22;

/// Arguments of one launch; the driver takes 4096 bytes.
const MAX_WORDS: usize = 512;

pub(super) struct Launch {
    pub family: &'static Family,
    /// The instantiation: `unary<Exp,f32,...>`.
    pub name: String,
    words: SmallVec<[u64; 96]>,
    /// Where each argument begins in `words`.
    starts: SmallVec<[u16; 24]>,
    pub grid: [u32; 3],
    pub block: u32,
    /// For a draw: where in `words` its place in the generator's stream is, and the offset at that place.
    pub draw: Option<(u16, u64)>,
    fault: Option<Fault>,
}

impl Launch {
    pub(super) fn new(family: &'static Family, kernel: &str) -> Launch {
        let mut name = String::with_capacity(64);
        name.push_str(kernel);
        Launch {
            family,
            name,
            words: SmallVec::new(),
            starts: SmallVec::new(),
            grid: [1, 1, 1],
            block: BLOCK,
            draw: None,
            fault: None,
        }
    }

    /// The template arguments, with their brackets.
    pub(super) fn instance(&mut self, arguments: std::fmt::Arguments<'_>) -> &mut Launch {
        // Writing to a string can't fail.
        let _ = self.name.write_fmt(format_args!("<{arguments}>"));
        self
    }

    /// One argument of several words.
    pub(super) fn words(&mut self, words: &[u64]) -> &mut Launch {
        self.starts.push(self.words.len() as u16);
        self.words.extend_from_slice(words);
        self
    }

    pub(super) fn word(&mut self, word: u64) -> &mut Launch {
        self.words(&[word])
    }

    pub(super) fn int(&mut self, value: usize) -> &mut Launch {
        self.word(value as u64)
    }

    pub(super) fn signed(&mut self, value: i64) -> &mut Launch {
        self.word(value as u64)
    }

    pub(super) fn real(&mut self, value: f64) -> &mut Launch {
        self.word(value.to_bits())
    }

    /// A place in the generator's stream: the seed, and the offset divided by four.
    pub(super) fn philox(&mut self, philox: Philox) -> &mut Launch {
        self.draw = Some((self.words.len() as u16, philox.offset));
        self.words(&[philox.seed, philox.offset / 4])
    }

    /// The address of a view's first element.
    pub(super) fn view(&mut self, view: &View<'_>) -> &mut Launch {
        match address(view) {
            Ok(address) => self.word(address),
            Err(fault) => {
                self.fault.get_or_insert(fault);
                self.word(0)
            }
        }
    }

    /// The same, or null if there is no view.
    pub(super) fn option(&mut self, view: Option<&View<'_>>) -> &mut Launch {
        match view {
            Some(view) => self.view(view),
            None => self.word(0),
        }
    }

    /// A `Number`.
    pub(super) fn number(&mut self, number: Number) -> &mut Launch {
        self.words(&number.words())
    }

    /// A `Numbers`: the parameters of an operator.
    pub(super) fn numbers(&mut self, numbers: &[Number]) -> &mut Launch {
        let mut words = [0; 8];
        for (place, number) in words.as_chunks_mut::<2>().0.iter_mut().zip(numbers) {
            place.copy_from_slice(&number.words());
        }
        self.words(&words)
    }

    /// A `Walk`.
    pub(super) fn walk(&mut self, walk: &Walk) -> &mut Launch {
        let words = walk.words();
        self.words(&words)
    }

    /// Blocks enough for `count` threads.
    pub(super) fn threads(&mut self, count: usize) -> &mut Launch {
        let block = u64::from(self.block);
        self.blocks((count as u64).div_ceil(block))
    }

    pub(super) fn blocks(&mut self, count: u64) -> &mut Launch {
        self.grid[0] = count.clamp(1, MAX_BLOCKS) as u32;
        self
    }

    /// Blocks along the second axis, where a device allows 65535.
    pub(super) fn blocks_y(&mut self, count: usize) -> &mut Launch {
        self.grid[1] = count.clamp(1, 65_535) as u32;
        self
    }

    /// The words of the arguments, and where each argument begins.
    ///
    /// # Errors
    /// What went wrong while the launch was described.
    pub(super) fn arguments(&mut self) -> Done<(&mut [u64], &[u16])> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.words.len() > MAX_WORDS {
            return Err(Fault::Unsupported(format!("a CUDA kernel with {} bytes of arguments", self.words.len() * 8)));
        }
        Ok((&mut self.words, &self.starts))
    }
}

/// The address of a view's first element. [`Kernel::check_views`](crate::executor::Kernel::check_views) has checked that it's
/// inside its buffer, or that there is no element.
pub(super) fn address(view: &View<'_>) -> Done<u64> {
    let buffer: &CudaBuffer =
        view.buffer.downcast().ok_or_else(|| Fault::Unsupported("a buffer of another executor".into()))?;
    Ok(buffer.address().wrapping_add((view.offset as u64).wrapping_mul(view.dtype.size() as u64)))
}

/// A number, both as a float and as an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Number {
    pub real: f64,
    pub whole: i64,
}

impl Number {
    fn words(self) -> [u64; 2] {
        [self.real.to_bits(), self.whole as u64]
    }

    /// The number as arithmetic in `compute` uses it: integers wrap to the dtype; for the half types it stays an f32.
    pub(super) fn of(value: Scalar, compute: DType) -> Number {
        let whole = match compute {
            DType::Bool => value.as_bool() as i64,
            DType::U8 => value.as_i64() as u8 as i64,
            DType::I8 => value.as_i64() as i8 as i64,
            DType::I16 => value.as_i64() as i16 as i64,
            DType::I32 => value.as_i64() as i32 as i64,
            _ => value.as_i64(),
        };
        Number { real: if compute == DType::Bool { whole as f64 } else { value.as_f64() }, whole }
    }
}

impl From<f64> for Number {
    fn from(real: f64) -> Number {
        Number { real, whole: real as i64 }
    }
}

impl From<i64> for Number {
    fn from(whole: i64) -> Number {
        Number { real: whole as f64, whole }
    }
}

/// The C++ name of a dtype.
pub(super) fn cpp(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "flag",
        DType::U8 => "u8",
        DType::I8 => "i8",
        DType::I16 => "i16",
        DType::U16 => "u16",
        DType::I32 => "i32",
        DType::U32 => "u32",
        DType::I64 => "i64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F32 => "f32",
        DType::F64 => "f64",
        // Kernels on complex numbers are refused earlier, or split into their parts.
        DType::C64 => "complex<f32>",
        DType::C128 => "complex<f64>",
    }
}

/// Shape and strides of several views, without dimensions of size 1, and with neighbors merged whose strides match in all views.
pub(super) struct Walk {
    pub count: usize,
    pub shape: SmallVec<[i64; 6]>,
    /// One list for each view.
    pub strides: SmallVec<[SmallVec<[i64; 6]>; 4]>,
}

impl Walk {
    pub(super) fn new(shape: &[usize], views: &[&[i64]]) -> Walk {
        let mut walk = Walk {
            count: shape.iter().product(),
            shape: SmallVec::new(),
            strides: views.iter().map(|_| SmallVec::new()).collect(),
        };
        for (d, &size) in shape.iter().enumerate() {
            if size == 1 {
                continue;
            }
            let size = size as i64;
            let merges = !walk.shape.is_empty()
                && walk.strides.iter().zip(views).all(|(kept, view)| kept.last().copied() == view[d].checked_mul(size));
            match walk.shape.last_mut().filter(|_| merges) {
                Some(last) => {
                    *last *= size;
                    for (kept, view) in walk.strides.iter_mut().zip(views) {
                        if let Some(last) = kept.last_mut() {
                            *last = view[d];
                        }
                    }
                }
                None => {
                    walk.shape.push(size);
                    for (kept, view) in walk.strides.iter_mut().zip(views) {
                        kept.push(view[d]);
                    }
                }
            }
        }
        walk
    }

    /// Strides of views of one shape.
    pub(super) fn of(shape: &[usize], views: &[&[usize]]) -> Walk {
        let signed: SmallVec<[SmallVec<[i64; 6]>; 4]> =
            views.iter().map(|v| v.iter().map(|&s| s as i64).collect()).collect();
        let slices: SmallVec<[&[i64]; 4]> = signed.iter().map(|v| v.as_slice()).collect();
        Walk::new(shape, &slices)
    }

    pub(super) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// # Errors
    /// The walk has more dimensions than kernels support.
    pub(super) fn check(&self) -> Done {
        if self.rank() <= MAX_RANK {
            return Ok(());
        }
        Err(Fault::Unsupported(format!(
            "the CUDA executor walks {MAX_RANK} dimensions, this view has {} that do not merge",
            self.rank()
        )))
    }

    /// Whether the view with this number is dense.
    pub(super) fn is_dense(&self, view: usize) -> bool {
        let mut expected = 1;
        self.shape.iter().zip(&self.strides[view]).rev().all(|(&size, &stride)| {
            let dense = stride == expected;
            expected = i64::saturating_mul(expected, size);
            dense
        })
    }

    /// Whether the view with this number has a single element that all positions share.
    pub(super) fn is_fixed(&self, view: usize) -> bool {
        self.strides[view].iter().all(|&s| s == 0)
    }

    /// The type of indices: 32 bits if every index and offset fits into 31 bits.
    pub(super) fn index(&self) -> &'static str {
        const LIMIT: i64 = 1 << 31;
        let fits = (self.count as i64) < LIMIT
            && self.strides.iter().all(|strides| {
                let reach = self.shape.iter().zip(strides).fold(0i64, |reach, (&size, &stride)| {
                    reach.saturating_add((size - 1).max(0).saturating_mul(stride.max(0)))
                });
                reach < LIMIT && strides.iter().all(|&s| s >= 0)
            });
        if fits { "u32" } else { "u64" }
    }

    /// The words of a `Walk<K, RANK>`.
    fn words(&self) -> SmallVec<[u64; 64]> {
        let mut words = SmallVec::new();
        words.push(self.count as u64);
        if self.shape.is_empty() {
            return words;
        }
        words.extend(self.shape.iter().map(|&s| s as u64));
        let dividers: SmallVec<[(u32, u32); 6]> = self.shape.iter().map(|&s| divider(s as u64)).collect();
        let halves = dividers.iter().map(|d| d.0).chain(dividers.iter().map(|d| d.1));
        let halves: SmallVec<[u32; 16]> = halves.collect();
        words.extend(halves.as_chunks::<2>().0.iter().map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32));
        for strides in &self.strides {
            words.extend(strides.iter().map(|&s| s as u64));
        }
        words
    }

    /// How many words [`Launch::walk`] adds.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.words().len()
    }
}

/// The numbers that divide an index below 2^31 by `by`: `(mulhi(n, magic) + n) >> shift` (Granlund and Montgomery, PLDI
/// 1994).
fn divider(by: u64) -> (u32, u32) {
    if by == 0 || by >= 1 << 31 {
        // Never used: such a walk has 64-bit indices, or no elements.
        return (0, 0);
    }
    let shift = u64::from(64 - (by - 1).leading_zeros()).min(32);
    let magic = ((1u64 << 32) * ((1u64 << shift) - by)) / by + 1;
    (magic as u32, shift as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_division_by_multiplication_is_exact() {
        let bys = (1..2000).chain([4095, 4096, 4097, 65_535, 1 << 20, (1 << 30) + 7, (1 << 31) - 1]);
        for by in bys {
            let (magic, shift) = divider(by);
            let near = [0, 1, by - 1, by, by + 1, 2 * by - 1, 2 * by, (1 << 31) - 1, (1 << 31) / by * by - 1];
            for n in near.into_iter().chain((0..40).map(|i| i * 53_687_091)).filter(|&n| n < 1 << 31) {
                let high = (n * u64::from(magic)) >> 32;
                assert_eq!((high + n) as u32 >> shift, (n / by) as u32, "{n} / {by}");
            }
        }
    }

    #[test]
    fn cuda_walks_merge_dimensions() {
        let dense = Walk::of(&[2, 1, 3, 4], &[&[12, 12, 4, 1]]);
        assert_eq!((dense.shape.as_slice(), dense.is_dense(0)), (&[24i64][..], true));
        let broadcast = Walk::of(&[2, 3, 4], &[&[12, 4, 1], &[0, 4, 1]]);
        assert_eq!(broadcast.shape.as_slice(), &[2, 12]);
        assert_eq!(broadcast.len(), 1 + 2 + 2 + 4);
        let one = Walk::of(&[1, 1], &[&[7, 7]]);
        assert_eq!((one.rank(), one.count), (0, 1));
    }

    #[test]
    fn cuda_large_walks_have_wide_indices() {
        assert_eq!(Walk::of(&[1 << 20], &[&[1]]).index(), "u32");
        assert_eq!(Walk::of(&[1 << 20], &[&[4096]]).index(), "u64");
        assert_eq!(Walk::of(&[1 << 31], &[&[1]]).index(), "u64");
        assert_eq!(Walk::new(&[4], &[&[-1]]).index(), "u64");
    }
}
