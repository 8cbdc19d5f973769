//! Fills and copies.

use super::element::{Compute, with_compute, with_width};
use super::elementwise::{Input, map1};
use super::simd::{GRAIN, Shared, parallel};
use super::span::{Loops, Span, place};
use crate::dtype::{DType, Scalar};
use crate::executor::{Done, View};

pub(super) fn fill(out: &Span, value: Scalar) {
    with_compute!(out.dtype, C => {
        let value = Input::Value(super::element::number(value, out.dtype));
        map1(out, value, super::element::widest(out.dtype), 1, #[inline(always)] move |x: C| x)
    })
}

/// `out = src`, converted if the dtypes differ.
pub(super) fn copy(src: &Span, out: &Span) {
    if src.dtype == out.dtype {
        return with_width!(src.dtype, T => move_elements::<T>(src, out));
    }
    // The compute type holds the source's values exactly, so that they are converted only once.
    with_compute!(src.dtype, C => {
        map1(out, Input::Span(src.clone()), super::element::widest(src.dtype), 1, #[inline(always)] move |x: C| x)
    })
}

/// Copies elements without interpreting them.
fn move_elements<T: Copy>(src: &Span, out: &Span) {
    if src.ptr_bytes() == out.ptr_bytes() && src.strides == out.strides {
        return;
    }
    let loops = Loops::reordered(&out.shape, [&out.strides, &src.strides]);
    let (from, to) = (Shared::from_ptr(src.ptr::<T>()), Shared::from_ptr(out.ptr::<T>()));
    if let Some(turn) = Transposition::of(&loops) {
        return parallel(turn.tiles(), (GRAIN / (TILE * TILE)).max(1), |range| {
            // SAFETY: offsets of checked spans; each tile of the output belongs to one thread.
            range.for_each(|tile| unsafe { turn.tile(&loops, tile, from.get(), to.get()) });
        });
    }
    parallel(loops.numel, GRAIN * 2, |range| {
        loops.runs(range.start, range.len(), |[o, s], n, steps| {
            // SAFETY: offsets of checked spans; each thread has its own range of the output, which does not overlap itself.
            unsafe { move_run(from.get().add(s), steps[1], to.get().add(o), steps[0], n) }
        });
    });
}

/// Elements along each side of a tile: a cache line of f32.
const TILE: usize = 16;

/// A copy whose output is contiguous along the last dimension and whose input is contiguous along another one. In the
/// output's order it would touch a new cache line for every element, so it works in square tiles.
struct Transposition {
    /// The dimension along which the input is contiguous.
    dim: usize,
    /// The number of tiles along `dim`, and along the last dimension.
    grid: [usize; 2],
    outer: usize,
}

impl Transposition {
    fn of(loops: &Loops<2>) -> Option<Transposition> {
        let last = loops.shape.len().checked_sub(1)?;
        let [out, src] = &loops.strides;
        if out[last] != 1 || src[last] <= 1 {
            return None;
        }
        let dim = src.iter().position(|&stride| stride == 1)?;
        if loops.shape[dim] < TILE || loops.shape[last] < TILE {
            return None;
        }
        let grid = [loops.shape[dim].div_ceil(TILE), loops.shape[last].div_ceil(TILE)];
        let outer = loops.numel / (loops.shape[dim] * loops.shape[last]);
        Some(Transposition { dim, grid, outer })
    }

    fn tiles(&self) -> usize {
        self.outer * self.grid[0] * self.grid[1]
    }

    /// Copies one tile through an array that stays in the first-level cache.
    ///
    /// # Safety
    /// `from` and `to` are where the spans of `loops` begin.
    unsafe fn tile<T: Copy>(&self, loops: &Loops<2>, tile: usize, from: *const T, to: *mut T) {
        let last = loops.shape.len() - 1;
        let [out, src] = &loops.strides;
        let column = tile % self.grid[1] * TILE;
        let row = tile / self.grid[1] % self.grid[0] * TILE;
        let mut rest = tile / (self.grid[0] * self.grid[1]);
        let mut o = row * out[self.dim] + column;
        let mut s = row + column * src[last];
        for d in (0..last).rev().filter(|&d| d != self.dim) {
            let i = rest % loops.shape[d];
            rest /= loops.shape[d];
            o += i * out[d];
            s += i * src[d];
        }
        let rows = TILE.min(loops.shape[self.dim] - row);
        let columns = TILE.min(loops.shape[last] - column);
        // SAFETY: inside the spans, since the tile was cut to their shape.
        unsafe {
            let mut block = [[*from.add(s); TILE]; TILE];
            if rows == TILE && columns == TILE {
                for (j, line) in block.iter_mut().enumerate() {
                    std::ptr::copy_nonoverlapping(from.add(s + j * src[last]), line.as_mut_ptr(), TILE);
                }
                for i in 0..TILE {
                    let line: [T; TILE] = std::array::from_fn(|j| block[j][i]);
                    std::ptr::copy_nonoverlapping(line.as_ptr(), to.add(o + i * out[self.dim]), TILE);
                }
            } else {
                for i in 0..rows {
                    for j in 0..columns {
                        let (o, s) = (place(o, i, out[self.dim]), place(s, j, src[last]));
                        *to.add(place(o, j, 1)) = *from.add(place(s, i, 1));
                    }
                }
            }
        }
    }
}

/// Copies `n` elements from one stride to another.
///
/// # Safety
/// Both runs are inside their buffers. They may be the same memory: `a[None] = a` copies a tensor onto itself.
#[inline]
pub(super) unsafe fn move_run<T: Copy>(src: *const T, src_stride: usize, dst: *mut T, dst_stride: usize, n: usize) {
    // SAFETY: promised by the caller.
    unsafe {
        if src_stride == 1 && dst_stride == 1 {
            std::ptr::copy(src, dst, n);
        } else if dst_stride == 1 {
            for i in 0..n {
                *dst.add(i) = *src.add(place(0, i, src_stride));
            }
        } else {
            for i in 0..n {
                *dst.add(place(0, i, dst_stride)) = *src.add(place(0, i, src_stride));
            }
        }
    }
}

/// `start + i * step`: exact for integers, in f64 for floats.
pub(super) fn arange(out: &View<'_>, start: Scalar, step: Scalar) -> Done {
    let out = Span::new(out)?;
    let n = out.numel();
    let (_, stride) = out.axis(0);
    let size = out.dtype.size();
    let whole = |s: Scalar| !matches!(s, Scalar::Float(_));
    if whole(start) && whole(step) && out.dtype.is_integral() {
        let (start, step) = (start.as_i64(), step.as_i64());
        write_sequence(&out, n, stride * size, |i| start.wrapping_add(step.wrapping_mul(i as i64)));
    } else {
        let (start, step) = (start.as_f64(), step.as_f64());
        write_sequence(&out, n, stride * size, |i| start + step * i as f64);
    }
    Ok(())
}

fn write_sequence<C: Compute>(out: &Span, n: usize, step: usize, value: impl Fn(usize) -> C) {
    let mut block = [C::default(); 256];
    let mut at = 0;
    while at < n {
        let count = block.len().min(n - at);
        for (i, v) in block[..count].iter_mut().enumerate() {
            *v = value(at.wrapping_add(i));
        }
        let stride = step / out.dtype.size();
        // SAFETY: elements `at..at + count` of a checked 1-D span.
        unsafe { super::span::store(out.dtype, &block[..count], out.ptr_bytes().add(at * step), stride) };
        at += count;
    }
}

/// Reads every element of an index tensor (i64, i32 or u8).
pub(super) fn read_indices(view: &View<'_>) -> Done<Vec<i64>> {
    let span = Span::new(view)?;
    if !matches!(span.dtype, DType::I64 | DType::I32 | DType::I16 | DType::I8 | DType::U8) {
        return Err(super::unsupported("index", span.dtype));
    }
    Ok(super::dense::read::<i64>(&span)?.to_vec())
}
