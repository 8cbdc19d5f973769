//! Shapes, strides and the index arithmetic of views.
//!
//! Programs use 64-bit numbers on every machine, and so do the checks here. Inside a tensor, sizes are words of this machine,
//! which have 32 bits in a browser. No size, stride, offset or count exceeds [`MOST`], so casts to `i64` are exact, and
//! larger numbers are refused where they come in.

#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

use smallvec::SmallVec;

use crate::error::{Error, Result};

/// Sizes or strides, one per dimension. Both count elements, never bytes.
pub type Dims = SmallVec<[usize; 5]>;

/// How a tensor's elements are placed in its storage. Strides may be 0 (broadcast), never negative.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    pub shape: Dims,
    pub strides: Dims,
    /// Number of elements before the first one in the storage.
    pub offset: usize,
}

/// Copies all words at once. The derived implementation would push them one by one, several times per operator.
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

    /// Row-major without gaps. Dimensions of size 1 may have any stride, as in PyTorch.
    pub(crate) fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }

    /// One past the highest element index used; 0 if empty; `None` if that exceeds a word.
    pub fn end(&self) -> Option<usize> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        let reach = |end: usize, (&n, &stride): (&usize, &usize)| (n - 1).checked_mul(stride)?.checked_add(end);
        self.shape.iter().zip(&self.strides).try_fold(self.offset.checked_add(1)?, reach)
    }

    /// Moves the first element by `steps` along dimension `d`.
    ///
    /// # Errors
    /// The result exceeds a word, which is only possible for views with at most one element.
    pub(crate) fn advance(&mut self, d: usize, steps: usize) -> Result<()> {
        let stride = self.strides[d];
        let moved = steps.checked_mul(stride).and_then(|n| n.checked_add(self.offset)).filter(|&n| n as u64 <= most());
        self.offset = moved.ok_or_else(|| {
            let wrapped = (steps as i64).wrapping_mul(stride as i64).wrapping_add(self.offset as i64);
            Error::runtime(format!("Tensor: invalid storage offset {wrapped}"))
        })?;
        Ok(())
    }

    /// Multiplies the stride of dimension `d` by `times`.
    ///
    /// # Errors
    /// Those of [`Layout::advance`].
    pub(crate) fn stretch(&mut self, d: usize, times: usize) -> Result<()> {
        let stride = self.strides[d];
        self.strides[d] = stride.checked_mul(times).filter(|&s| s as u64 <= most()).ok_or_else(|| {
            let mut strides: SmallVec<[i64; 5]> = self.strides.iter().map(|&s| s as i64).collect();
            strides[d] = (stride as i64).wrapping_mul(times as i64);
            bad_strides(&strides)
        })?;
        Ok(())
    }

    /// Strides with which this layout is visited in `shape`, to which it must be broadcastable.
    pub(crate) fn broadcast_strides(&self, shape: &[usize]) -> Dims {
        let lead = shape.len() - self.ndim();
        let mut out: Dims = SmallVec::from_elem(0, shape.len());
        for (i, (&size, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            out[lead + i] = if size == 1 && shape[lead + i] != 1 { 0 } else { stride };
        }
        out
    }
}

/// Row-major without gaps. Dimensions of size 1 may have any stride, as in PyTorch.
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
            // No stride exceeds this. Only a shape without elements gets here.
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

/// The largest number of elements or bytes, stride or offset here: 2^63 - 1, in a browser 2^31 - 1.
pub(crate) const MOST: u64 = isize::MAX.unsigned_abs() as u64;

/// [`MOST`], or another machine's value in a test.
#[cfg(not(test))]
#[inline]
pub fn most() -> u64 {
    MOST
}

#[cfg(test)]
pub use narrow::most;

/// Tests with the 32-bit words of a browser.
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

/// A program's number as a word of this machine, if it's neither negative nor above [`MOST`].
pub fn word(n: i64) -> Option<usize> {
    usize::try_from(n).ok().filter(|&n| n as u64 <= most())
}

/// A program's number that is only compared with sizes: a negative one becomes 0, and one that doesn't fit into a word
/// becomes larger than any size.
pub(crate) fn clamped(n: i64) -> usize {
    if n < 0 { 0 } else { word(n).unwrap_or(usize::MAX) }
}

/// A size, stride, count or index that a program gave.
///
/// # Errors
/// PyTorch's error for a negative size (callers that have their own errors check first); an error if it exceeds
/// what this machine can count.
pub fn size(n: i64) -> Result<usize> {
    word(n).ok_or_else(|| {
        if n < 0 {
            Error::runtime(format!("Trying to create tensor with negative dimension {n}: [{n}]"))
        } else {
            beyond(format_args!("A size, stride or offset of {n}"))
        }
    })
}

/// The error for something that PyTorch can do on a 64-bit machine but that isn't possible here.
fn beyond(what: impl std::fmt::Display) -> Error {
    Error::runtime(format!("{what} is too large here: this build has 32-bit addresses and can't count past {}", most()))
}

fn bad_strides(strides: &[i64]) -> Error {
    Error::runtime(format!(
        "as_strided: Negative strides are not supported at the moment, got strides: {}",
        show_signed(strides)
    ))
}

/// The number of elements in a view of this shape. There may be far more than memory has room for: dimensions with stride 0
/// cost nothing.
///
/// # Errors
/// PyTorch's error above 2^63 - 1; our own error for what a machine with 32-bit words can't count.
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
    // Code that counts elements also multiplies the factors before a 0.
    let counted = if count == 0 { peak / 2 } else { count };
    match usize::try_from(count) {
        Ok(n) if counted <= most() => Ok(n),
        _ => Err(beyond(format_args!("A tensor of sizes {} with {} elements", show(shape), count.max(peak)))),
    }
}

/// Checks strides that [`contiguous_strides`] made: if the shape has no elements, a product of its other sizes may be too
/// large.
///
/// # Errors
/// A stride exceeds what this machine can count.
pub(crate) fn check_strides(strides: &[usize]) -> Result<()> {
    if strides.iter().all(|&s| s as u64 <= most()) {
        Ok(())
    } else {
        Err(Error::runtime("Stride calculation overflowed"))
    }
}

/// The bytes of a dense tensor, computed as in PyTorch.
///
/// # Errors
/// PyTorch's error if that overflows, even before a size of 0.
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

/// The bytes that a storage needs for a layout that a program gave, computed as in PyTorch.
///
/// # Errors
/// PyTorch's error if that overflows.
pub(crate) fn storage_bytes(sizes: &[i64], strides: &[i64], item: usize, offset: i64) -> Result<u64> {
    if sizes.contains(&0) {
        return Ok(0);
    }
    // Negative numbers wrap, as in PyTorch's conversion to unsigned.
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

/// A layout that a program gave for a storage of `have` bytes, with the checks of `as_strided`.
///
/// # Errors
/// PyTorch's errors for negative numbers, for sums that overflow, and for elements outside the storage.
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

/// `[2, 3]`: a shape in error messages.
pub fn show(shape: &[usize]) -> String {
    let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("[{}]", parts.join(", "))
}

/// The same for numbers that a program gave.
pub(crate) fn show_signed(list: &[i64]) -> String {
    let parts: Vec<String> = list.iter().map(i64::to_string).collect();
    format!("[{}]", parts.join(", "))
}

/// A dimension index, which may be negative, as a size; or PyTorch's `IndexError`. A 0-dim tensor accepts -1 and 0.
pub(crate) fn wrap_dim(dim: i64, ndim: usize) -> Result<usize> {
    let n = ndim.max(1) as i64;
    let wrapped = if dim < 0 { dim.wrapping_add(n) } else { dim };
    usize::try_from(wrapped).ok().filter(|_| wrapped < n).ok_or_else(|| no_dim(dim, ndim))
}

/// PyTorch's `IndexError` for a dimension that a tensor of `ndim` dimensions doesn't have.
pub(crate) fn no_dim(dim: i64, ndim: usize) -> Error {
    let n = ndim.max(1) as i64;
    Error::index(format!("Dimension out of range (expected to be in range of [{}, {}], but got {dim})", -n, n - 1))
}

/// Like [`wrap_dim`], for operators that need a dimension: a 0-dim tensor has none.
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
