//! Shapes, strides and the index arithmetic of views.
//!
//! Programs count in 64 bits on every machine, and so does what is checked here. Inside a tensor sizes are words of this
//! machine, which in a browser have 32 bits: no size, stride, offset or count is more than [`MOST`], so that casts to `i64` are
//! exact, and what would be more is refused where it comes in.

#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

use smallvec::SmallVec;

use crate::error::{Error, Result};

/// Sizes or strides, one a dimension. Sizes and strides count elements, never bytes.
pub type Dims = SmallVec<[usize; 5]>;

/// How a tensor's elements are placed in its storage. Strides may be 0 (broadcast), never negative.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    pub shape: Dims,
    pub strides: Dims,
    /// Elements from the start of the storage.
    pub offset: usize,
}

/// By copying the words at once: the derived implementation would push them one by one, several times an operator.
impl Clone for Layout {
    fn clone(&self) -> Layout {
        Layout { shape: Dims::from_slice(&self.shape), strides: Dims::from_slice(&self.strides), offset: self.offset }
    }
}

impl Layout {
    pub fn contiguous(shape: &[usize]) -> Layout {
        Layout { shape: Dims::from_slice(shape), strides: contiguous_strides(shape), offset: 0 }
    }

    pub(crate) fn ndim(&self) -> usize {
        self.shape.len()
    }

    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// Row-major without gaps; dimensions of size 1 may have any stride, as in PyTorch.
    pub(crate) fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }

    /// One past the highest element index touched, 0 when empty; `None` if that is more than a word counts.
    pub fn end(&self) -> Option<usize> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        let reach = |end: usize, (&n, &stride): (&usize, &usize)| (n - 1).checked_mul(stride)?.checked_add(end);
        self.shape.iter().zip(&self.strides).try_fold(self.offset.checked_add(1)?, reach)
    }

    /// Moves the first element `steps` along dimension `d`.
    ///
    /// # Errors
    /// Beyond what a word counts, which only views without elements or of one element reach.
    pub(crate) fn advance(&mut self, d: usize, steps: usize) -> Result<()> {
        let stride = self.strides[d];
        let moved = steps.checked_mul(stride).and_then(|n| n.checked_add(self.offset)).filter(|&n| n as u64 <= most());
        self.offset = moved.ok_or_else(|| {
            let wrapped = (steps as i64).wrapping_mul(stride as i64).wrapping_add(self.offset as i64);
            Error::runtime(format!("Tensor: invalid storage offset {wrapped}"))
        })?;
        Ok(())
    }

    /// Makes the stride of dimension `d` `times` as large.
    ///
    /// # Errors
    /// As [`Layout::advance`].
    pub(crate) fn stretch(&mut self, d: usize, times: usize) -> Result<()> {
        let stride = self.strides[d];
        self.strides[d] = stride.checked_mul(times).filter(|&s| s as u64 <= most()).ok_or_else(|| {
            let mut strides: SmallVec<[i64; 5]> = self.strides.iter().map(|&s| s as i64).collect();
            strides[d] = (stride as i64).wrapping_mul(times as i64);
            bad_strides(&strides)
        })?;
        Ok(())
    }

    /// Strides that walk this layout as `shape`, which it must broadcast to.
    pub(crate) fn broadcast_strides(&self, shape: &[usize]) -> Dims {
        let lead = shape.len() - self.ndim();
        let mut out: Dims = SmallVec::from_elem(0, shape.len());
        for (i, (&size, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            out[lead + i] = if size == 1 && shape[lead + i] != 1 { 0 } else { stride };
        }
        out
    }
}

/// Row-major without gaps; dimensions of size 1 may have any stride, as in PyTorch.
pub(crate) fn is_contiguous(shape: &[usize], strides: &[usize]) -> bool {
    let mut expected = 1;
    for (&size, &stride) in shape.iter().zip(strides).rev() {
        if size == 0 {
            return true;
        }
        if size != 1 {
            if stride != expected {
                return false;
            }
            // More than any stride is no stride; only a shape without elements gets there.
            expected = usize::saturating_mul(expected, size);
        }
    }
    true
}

pub fn contiguous_strides(shape: &[usize]) -> Dims {
    let mut strides: Dims = SmallVec::from_elem(1, shape.len());
    let mut step = 1usize;
    for i in (0..shape.len()).rev() {
        strides[i] = step;
        step = step.saturating_mul(shape[i].max(1));
    }
    strides
}

/// The most that anything here counts to: elements, bytes, strides, offsets. 2^63 - 1, in a browser 2^31 - 1.
pub(crate) const MOST: u64 = isize::MAX.unsigned_abs() as u64;

/// [`MOST`]; a test may take another machine's.
#[cfg(not(test))]
#[inline]
pub fn most() -> u64 {
    MOST
}

#[cfg(test)]
pub use narrow::most;

/// Tests that count as a browser does.
#[cfg(test)]
pub mod narrow {
    use std::cell::Cell;

    thread_local! {
        static MOST: Cell<u64> = const { Cell::new(super::MOST) };
    }

    pub fn most() -> u64 {
        MOST.get()
    }

    /// Runs `f` on a machine that has 32-bit words.
    pub(crate) fn as_in_a_browser<R>(f: impl FnOnce() -> R) -> R {
        let before = MOST.replace(i32::MAX.unsigned_abs().into());
        let result = f();
        MOST.set(before);
        result
    }
}

/// A program's number as a word of this machine, if it is not negative and not more than this machine counts to.
pub fn word(n: i64) -> Option<usize> {
    usize::try_from(n).ok().filter(|&n| n as u64 <= most())
}

/// A program's number where it is only compared with a size: none for a negative one, and more than any size is where this
/// machine does not count as far.
pub(crate) fn clamped(n: i64) -> usize {
    if n < 0 { 0 } else { word(n).unwrap_or(usize::MAX) }
}

/// A size, stride, count or index that a program gave.
///
/// # Errors
/// PyTorch's error for a negative size (callers with errors of their own have refused it before); more than this machine
/// counts to.
pub fn size(n: i64) -> Result<usize> {
    word(n).ok_or_else(|| {
        if n < 0 {
            Error::runtime(format!("Trying to create tensor with negative dimension {n}: [{n}]"))
        } else {
            beyond(format_args!("A size, stride or offset of {n}"))
        }
    })
}

/// Why something that PyTorch has on a 64-bit machine cannot be here.
fn beyond(what: impl std::fmt::Display) -> Error {
    Error::runtime(format!("{what} is too large here: this build has 32-bit addresses and can't count past {}", most()))
}

fn bad_strides(strides: &[i64]) -> Error {
    Error::runtime(format!(
        "as_strided: Negative strides are not supported at the moment, got strides: {}",
        show_signed(strides)
    ))
}

/// How many elements a view of this shape has. It may have far more than there is memory: dimensions of stride 0 cost nothing.
///
/// # Errors
/// PyTorch's error beyond 2^63 - 1; an error of our own for what a machine with 32-bit words can't count.
pub(crate) fn checked_numel(shape: &[usize]) -> Result<usize> {
    let (mut count, mut peak, mut overflowed) = (1u64, 1u64, false);
    for &size in shape {
        let (product, over) = count.overflowing_mul(size as u64);
        overflowed |= over;
        count = product;
        peak = peak.max(product);
    }
    if overflowed || i64::try_from(count).is_err() {
        return Err(Error::runtime("numel: integer multiplication overflow"));
    }
    // The factors before a 0 are multiplied as well wherever elements are counted.
    let counted = if count == 0 { peak / 2 } else { count };
    match usize::try_from(count) {
        Ok(n) if counted <= most() => Ok(n),
        _ => Err(beyond(format_args!("A tensor of sizes {} with {} elements", show(shape), count.max(peak)))),
    }
}

/// Strides that [`contiguous_strides`] made: where dimensions without elements are involved their product may be too large.
///
/// # Errors
/// A stride beyond what this machine counts to.
pub(crate) fn check_strides(strides: &[usize]) -> Result<()> {
    if strides.iter().all(|&s| s as u64 <= most()) {
        Ok(())
    } else {
        Err(Error::runtime("Stride calculation overflowed"))
    }
}

/// The bytes of a dense tensor, counted as PyTorch counts them.
///
/// # Errors
/// PyTorch's text where that overflows, also before a size of 0.
pub(crate) fn contiguous_bytes(sizes: &[i64], item: usize) -> Result<u64> {
    let (mut bytes, mut overflowed) = (1u64, false);
    for &factor in sizes.iter().chain([&i64::try_from(item).unwrap_or(i64::MAX)]) {
        let (product, over) = bytes.overflowing_mul(factor.cast_unsigned());
        bytes = product;
        overflowed |= over;
    }
    if overflowed || i64::try_from(bytes).is_err() {
        let sizes = show_signed(sizes);
        return Err(Error::runtime(format!("Storage size calculation overflowed with sizes={sizes}")));
    }
    Ok(bytes)
}

/// The bytes that a storage must have for a layout that a program gave, counted as PyTorch counts them.
///
/// # Errors
/// PyTorch's text where that overflows.
pub(crate) fn storage_bytes(sizes: &[i64], strides: &[i64], item: usize, offset: i64) -> Result<u64> {
    if sizes.contains(&0) {
        return Ok(0);
    }
    // Negative numbers count as PyTorch's conversion to unsigned takes them.
    let mut end = offset.cast_unsigned().wrapping_add(1);
    let mut overflowed = false;
    for (&size, &stride) in sizes.iter().zip(strides) {
        let (reach, over) = stride.cast_unsigned().overflowing_mul(size.wrapping_sub(1).cast_unsigned());
        overflowed |= over;
        let (sum, over) = end.overflowing_add(reach);
        overflowed |= over;
        end = sum;
    }
    let (bytes, over) = end.overflowing_mul(item as u64);
    if overflowed || over || i64::try_from(bytes).is_err() {
        return Err(Error::runtime(format!(
            "Storage size calculation overflowed with sizes={} and strides={}",
            show_signed(sizes),
            show_signed(strides)
        )));
    }
    Ok(bytes)
}

/// A layout that a program gave over a storage of `have` bytes, checked as `as_strided` checks it.
///
/// # Errors
/// PyTorch's texts for negative numbers, for sums that overflow, and for what leaves the storage.
pub(crate) fn within_storage(sizes: &[i64], strides: &[i64], offset: i64, item: usize, have: usize) -> Result<Layout> {
    if strides.iter().any(|&s| s < 0) {
        return Err(bad_strides(strides));
    }
    if offset < 0 {
        return Err(Error::runtime(format!("Tensor: invalid storage offset {offset}")));
    }
    let bytes = storage_bytes(sizes, strides, item, offset)?;
    if bytes > have as u64 {
        return Err(Error::runtime(format!(
            "setStorage: sizes {}, strides {}, storage offset {offset}, and itemsize {item} requiring a storage size of {bytes} are out of bounds for storage of size {have}",
            show_signed(sizes),
            show_signed(strides),
        )));
    }
    if sizes.iter().any(|&s| s < 0) {
        return Err(Error::runtime("numel: integer multiplication overflow"));
    }
    let words = |list: &[i64]| list.iter().map(|&n| size(n)).collect::<Result<Dims>>();
    let layout = Layout { shape: words(sizes)?, strides: words(strides)?, offset: size(offset)? };
    checked_numel(&layout.shape)?;
    Ok(layout)
}

/// The broadcast of two shapes, or PyTorch's error.
pub fn broadcast(a: &[usize], b: &[usize]) -> Result<Dims> {
    let n = a.len().max(b.len());
    let mut out: Dims = SmallVec::from_elem(1, n);
    for i in (0..n).rev() {
        let x = if i + a.len() >= n { a[i + a.len() - n] } else { 1 };
        let y = if i + b.len() >= n { b[i + b.len() - n] } else { 1 };
        out[i] = match (x, y) {
            (x, y) if x == y => x,
            (1, y) => y,
            (x, 1) => x,
            _ => {
                return Err(Error::runtime(format!(
                    "The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {i}"
                )));
            }
        };
    }
    Ok(out)
}

/// `[2, 3]`, as error texts show a shape.
pub fn show(shape: &[usize]) -> String {
    let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("[{}]", parts.join(", "))
}

/// The same for numbers as a program gave them.
pub(crate) fn show_signed(list: &[i64]) -> String {
    let parts: Vec<String> = list.iter().map(i64::to_string).collect();
    format!("[{}]", parts.join(", "))
}

/// A dimension index that may be negative, or PyTorch's `IndexError`. A 0-dim tensor accepts -1 and 0.
pub(crate) fn wrap_dim(dim: i64, ndim: usize) -> Result<usize> {
    let n = ndim.max(1) as i64;
    let wrapped = if dim < 0 { dim.wrapping_add(n) } else { dim };
    usize::try_from(wrapped).ok().filter(|_| wrapped < n).ok_or_else(|| {
        Error::index(format!("Dimension out of range (expected to be in range of [{}, {}], but got {dim})", -n, n - 1))
    })
}

/// As [`wrap_dim`], for operators that need a dimension: a 0-dim tensor has none.
pub(crate) fn wrap_own_dim(dim: i64, ndim: usize) -> Result<usize> {
    match ndim {
        0 => Err(Error::index(format!("Dimension specified as {dim} but tensor has no dimensions"))),
        _ => wrap_dim(dim, ndim),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcasts() {
        assert_eq!(broadcast(&[2, 1], &[3]).unwrap().as_slice(), [2, 3]);
        assert_eq!(
            broadcast(&[2, 3], &[4]).unwrap_err().to_string(),
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
        );
    }

    #[test]
    fn size_one_dimensions_do_not_break_contiguity() {
        let l = Layout { shape: Dims::from_slice(&[3, 1]), strides: Dims::from_slice(&[1, 99]), offset: 0 };
        assert!(l.is_contiguous());
    }
}
