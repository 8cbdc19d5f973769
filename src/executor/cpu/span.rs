//! Views as checked pointers, and loops over their elements.

use smallvec::SmallVec;

use super::buffer::HostBuffer;
use super::element::{Compute, Element, with_element};
use crate::dtype::DType;
use crate::executor::{Done, Fault, View};
use crate::shape::{Dims, is_contiguous};

/// A view whose every element is known to be inside its buffer.
#[derive(Clone)]
pub(super) struct Span {
    /// The first element.
    ptr: *mut u8,
    pub dtype: DType,
    pub shape: Dims,
    pub strides: Dims,
}

// SAFETY: a span is a pointer with its bounds; kernels see to it that threads write disjoint elements.
unsafe impl Send for Span {}
unsafe impl Sync for Span {}

impl Span {
    /// Checks the view against its buffer, so that no kernel can leave it.
    pub(super) fn new(view: &View<'_>) -> Done<Span> {
        let Some(host) = view.buffer.downcast::<HostBuffer>() else {
            return Err(Fault::Unsupported("a buffer of another executor".into()));
        };
        let offset = view.start(host.len())?;
        Ok(Span {
            ptr: host.as_ptr()?.wrapping_add(offset),
            dtype: view.dtype,
            shape: Dims::from_slice(&view.shape),
            strides: Dims::from_slice(&view.strides),
        })
    }

    /// A span over host memory that its owner keeps alive and in place.
    pub(super) fn from_memory(memory: &mut [u64], dtype: DType, shape: &[usize], strides: &[usize]) -> Span {
        Span {
            ptr: memory.as_mut_ptr().cast(),
            dtype,
            shape: Dims::from_slice(shape),
            strides: Dims::from_slice(strides),
        }
    }

    pub(super) fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    pub(super) fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }

    /// A pointer to the first element. `T` must be as wide as the dtype.
    pub(super) fn ptr<T>(&self) -> *mut T {
        debug_assert_eq!(size_of::<T>(), self.dtype.size());
        self.ptr.cast()
    }

    /// A pointer to the first byte of the first element.
    pub(super) fn ptr_bytes(&self) -> *mut u8 {
        self.ptr
    }

    /// This span without dimension `dim`.
    pub(super) fn without(&self, dim: usize) -> Span {
        let mut span = self.clone();
        span.shape.remove(dim);
        span.strides.remove(dim);
        span
    }

    /// Size and stride of `dim`. A 0-dim span counts as having one dimension with one element.
    pub(super) fn axis(&self, dim: usize) -> (usize, usize) {
        match self.shape.get(dim) {
            Some(&n) => (n, self.strides[dim]),
            None => (1, 0),
        }
    }
}

/// Loops over `N` spans of one shape, merged to as few dimensions as possible.
#[derive(Clone, Debug)]
pub(super) struct Loops<const N: usize> {
    /// Outermost first; never of size 1; empty for a single element.
    pub shape: Dims,
    pub strides: [Dims; N],
    pub numel: usize,
}

impl<const N: usize> Loops<N> {
    /// In logical order.
    pub(super) fn new(shape: &[usize], strides: [&[usize]; N]) -> Loops<N> {
        let mut dims: SmallVec<[(usize, [usize; N]); 5]> = SmallVec::new();
        for (i, &n) in shape.iter().enumerate() {
            if n != 1 {
                push(&mut dims, n, std::array::from_fn(|k| strides[k][i]));
            }
        }
        Loops::build(shape, &dims)
    }

    /// Over contiguous spans.
    pub(super) fn flat(numel: usize) -> Loops<N> {
        if numel == 1 {
            return Loops { shape: Dims::new(), strides: std::array::from_fn(|_| Dims::new()), numel };
        }
        let one = |n: usize| Dims::from_slice(&[n]);
        Loops { shape: one(numel), strides: std::array::from_fn(|_| one(1)), numel }
    }

    /// In the order of the first span's elements in memory. Only for kernels whose result doesn't depend on the order.
    pub(super) fn reordered(shape: &[usize], strides: [&[usize]; N]) -> Loops<N> {
        let mut dims: SmallVec<[(usize, [usize; N]); 5]> = SmallVec::new();
        for (i, &n) in shape.iter().enumerate() {
            if n != 1 {
                dims.push((n, std::array::from_fn(|k| strides[k][i])));
            }
        }
        if dims.windows(2).any(|w| w[0].1[0] < w[1].1[0]) {
            dims.sort_by(|a, b| b.1[0].cmp(&a.1[0]));
        }
        let mut merged = SmallVec::new();
        for (n, s) in dims {
            push(&mut merged, n, s);
        }
        Loops::build(shape, &merged)
    }

    fn build(shape: &[usize], dims: &[(usize, [usize; N])]) -> Loops<N> {
        Loops {
            shape: dims.iter().map(|d| d.0).collect(),
            strides: std::array::from_fn(|k| dims.iter().map(|d| d.1[k]).collect()),
            numel: shape.iter().product(),
        }
    }

    /// Whether the elements of span `k` are visited one after the other in memory.
    pub(super) fn is_dense(&self, k: usize) -> bool {
        is_contiguous(&self.shape, &self.strides[k])
    }

    /// Calls `f(offsets, length, strides)` for each innermost run of elements `start..start + n`.
    #[inline]
    pub(super) fn runs(&self, start: usize, n: usize, mut f: impl FnMut([usize; N], usize, [usize; N])) {
        if n == 0 {
            return;
        }
        let rank = self.shape.len();
        if rank == 0 {
            return f([0; N], 1, [1; N]);
        }
        let last = rank - 1;
        let inner = self.shape[last];
        let step: [usize; N] = std::array::from_fn(|k| self.strides[k][last]);
        let mut index: Dims = SmallVec::from_elem(0, rank);
        let mut rest = start;
        for d in (0..rank).rev() {
            index[d] = rest % self.shape[d];
            rest /= self.shape[d];
        }
        let mut offsets: [usize; N] =
            std::array::from_fn(|k| index.iter().zip(&self.strides[k]).map(|(i, s)| i * s).sum());
        let mut left = n;
        let mut run = (inner - index[last]).min(left);
        let mut back = index[last];
        loop {
            f(offsets, run, step);
            left -= run;
            if left == 0 {
                return;
            }
            for k in 0..N {
                offsets[k] -= back * step[k];
            }
            back = 0;
            let mut d = last;
            loop {
                d -= 1;
                index[d] += 1;
                if index[d] < self.shape[d] {
                    offsets.iter_mut().zip(&self.strides).for_each(|(offset, strides)| *offset += strides[d]);
                    break;
                }
                index[d] = 0;
                let back = self.shape[d] - 1;
                offsets.iter_mut().zip(&self.strides).for_each(|(offset, strides)| *offset -= strides[d] * back);
            }
            run = inner.min(left);
        }
    }

    pub(super) fn all_runs(&self, f: impl FnMut([usize; N], usize, [usize; N])) {
        self.runs(0, self.numel, f);
    }
}

/// Appends a dimension, or merges it into the previous one if the strides of every span allow that.
fn push<const N: usize>(dims: &mut SmallVec<[(usize, [usize; N]); 5]>, n: usize, strides: [usize; N]) {
    if let Some((size, outer)) = dims.last_mut()
        && (0..N).all(|k| outer[k] == strides[k].wrapping_mul(n))
    {
        *size *= n;
        *outer = strides;
        return;
    }
    dims.push((n, strides));
}

/// The place of element `i` of a run that begins at `base`, in elements. [`Span::new`] has shown that no such place
/// overflows, so the inner loops don't check again: a check for each element would keep them from being vectorized.
#[inline(always)]
pub(super) fn place(base: usize, i: usize, stride: usize) -> usize {
    base.wrapping_add(i.wrapping_mul(stride))
}

/// Reads `n` elements into `C`, from `src` on and `stride` apart.
///
/// # Safety
/// `src` has the dtype, and the elements are inside its buffer.
pub(super) unsafe fn load<C: Compute>(dtype: DType, src: *const u8, stride: usize, dst: &mut [C]) {
    with_element!(dtype, T => unsafe { load_as::<T, C>(src.cast(), stride, dst) })
}

#[inline]
unsafe fn load_as<T: Element, C: Compute>(src: *const T, stride: usize, dst: &mut [C]) {
    // SAFETY: promised by the caller of `load`.
    unsafe {
        if stride == 1 {
            let src = std::slice::from_raw_parts(src, dst.len());
            super::simd::vectorize(
                #[inline(always)]
                || {
                    for (d, s) in dst.iter_mut().zip(src) {
                        *d = C::load(*s);
                    }
                },
            );
        } else if stride == 0 {
            dst.fill(C::load(*src));
        } else {
            for (i, d) in dst.iter_mut().enumerate() {
                *d = C::load(*src.add(place(0, i, stride)));
            }
        }
    }
}

/// Writes values to `n` elements, from `dst` on and `stride` apart.
///
/// # Safety
/// `dst` has the dtype, the elements are inside its buffer, and nothing else accesses them.
pub(super) unsafe fn store<C: Compute>(dtype: DType, src: &[C], dst: *mut u8, stride: usize) {
    with_element!(dtype, T => unsafe { store_as::<T, C>(src, dst.cast(), stride) })
}

#[inline]
unsafe fn store_as<T: Element, C: Compute>(src: &[C], dst: *mut T, stride: usize) {
    // SAFETY: promised by the caller of `store`.
    unsafe {
        if stride == 1 {
            let dst = std::slice::from_raw_parts_mut(dst, src.len());
            super::simd::vectorize(
                #[inline(always)]
                || {
                    for (d, s) in dst.iter_mut().zip(src) {
                        *d = s.store();
                    }
                },
            );
        } else {
            for (i, s) in src.iter().enumerate() {
                *dst.add(place(0, i, stride)) = s.store();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(shape: &[usize], strides: &[usize], start: usize, n: usize) -> Vec<usize> {
        let mut out = Vec::new();
        Loops::new(shape, [strides]).runs(start, n, |[o], len, [s]| out.extend((0..len).map(|i| o + i * s)));
        out
    }

    #[test]
    fn cpu_runs_visit_elements_in_logical_order() {
        assert_eq!(offsets(&[2, 3], &[3, 1], 0, 6), [0, 1, 2, 3, 4, 5]);
        assert_eq!(offsets(&[3, 2], &[1, 3], 0, 6), [0, 3, 1, 4, 2, 5]);
        assert_eq!(offsets(&[3, 2], &[1, 3], 3, 2), [4, 2]);
        assert_eq!(offsets(&[2, 2, 2], &[0, 1, 10], 1, 6), [10, 1, 11, 0, 10, 1]);
        assert_eq!(offsets(&[], &[], 0, 1), [0]);
        assert_eq!(offsets(&[1, 1], &[7, 9], 0, 1), [0]);
    }

    #[test]
    fn cpu_dimensions_merge_where_all_spans_allow() {
        let loops = Loops::new(&[2, 3, 4], [&[12, 4, 1], &[0, 4, 1]]);
        assert_eq!(loops.shape.as_slice(), [2, 12]);
        let loops = Loops::reordered(&[2, 3], [&[1, 2], &[1, 2]]);
        assert_eq!(loops.shape.as_slice(), [6]);
    }
}
