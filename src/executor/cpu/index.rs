//! Kernels that move elements to the places that indices name. Every index is checked before anything is written.

use super::copy::{move_run, read_indices};
use super::dense;
use super::element::{Compute, with_compute, with_width};
use super::simd::{GRAIN, Shared, parallel};
use super::span::{Loops, Span, place};
use super::{Temporary, copy};
use crate::executor::{Done, Fault, View};

/// Runs a kernel that moves elements. If the output's dtype differs from the input's, the kernel writes to temporary
/// memory first.
fn same_dtype(x: &Span, out: &Span, f: impl FnOnce(&Span)) -> Done {
    if x.dtype == out.dtype {
        f(out);
        return Ok(());
    }
    let temporary = Temporary::new(&out.shape, x.dtype)?;
    f(temporary.span());
    copy::copy(temporary.span(), out);
    Ok(())
}

/// Indices for dimension `dim`, which must be in `0..size`.
pub(super) fn checked_indices(view: &View<'_>, dim: usize, size: usize) -> Done<Vec<usize>> {
    let check = |index: i64| match usize::try_from(index) {
        Ok(i) if i < size => Ok(i),
        _ => Err(Fault::IndexOutOfBounds { index, dim, size }),
    };
    read_indices(view)?.into_iter().map(check).collect()
}

pub(super) fn index_select(x: &View<'_>, dim: usize, index: &View<'_>, out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    let (size, x_stride) = x.axis(dim);
    let index = checked_indices(index, dim, size)?;
    same_dtype(&x, &out, |out| {
        let (_, out_stride) = out.axis(dim);
        let rest = |span: &Span| if span.shape.is_empty() { span.clone() } else { span.without(dim) };
        let (x_rest, out_rest) = (rest(&x), rest(out));
        let loops = Loops::new(&out_rest.shape, [&out_rest.strides, &x_rest.strides]);
        with_width!(x.dtype, T => {
            let (from, to) = (Shared::from_ptr(x.ptr::<T>()), Shared::from_ptr(out.ptr::<T>()));
            parallel(index.len(), (GRAIN / loops.numel.max(1)).max(1), |range| {
                for i in range {
                    loops.all_runs(|[o, s], n, steps| {
                        let (o, s) = (o + i * out_stride, s + index[i] * x_stride);
                        // SAFETY: elements of checked spans; each slice of the output belongs to one thread.
                        unsafe { move_run(from.get().add(s), steps[1], to.get().add(o), steps[0], n) };
                    });
                }
            });
        })
    })
}

pub(super) fn gather(x: &View<'_>, dim: usize, index: &View<'_>, out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    let (size, x_stride) = x.axis(dim);
    let index = checked_indices(index, dim, size)?;
    same_dtype(&x, &out, |out| {
        let mut strides = x.strides.clone();
        if let Some(stride) = strides.get_mut(dim) {
            *stride = 0;
        }
        let loops = Loops::new(&out.shape, [&out.strides, &strides]);
        with_width!(x.dtype, T => {
            let (from, to) = (Shared::from_ptr(x.ptr::<T>()), Shared::from_ptr(out.ptr::<T>()));
            parallel(index.len(), GRAIN, |range| {
                let mut at = range.start;
                loops.runs(range.start, range.len(), |[o, s], n, steps| {
                    for i in 0..n {
                        let source = place(place(s, i, steps[1]), index[at], x_stride);
                        // SAFETY: elements of checked spans; each thread has its own range of the output.
                        unsafe { *to.get().add(place(o, i, steps[0])) = *from.get().add(source) };
                        at += 1;
                    }
                });
            });
        })
    })
}

/// The targets of advanced indices: for every position of their common shape, the offset in the indexed dimensions.
/// Negative indices count from the end.
pub(super) fn positions(shape: &[usize], strides: &[usize], indices: &[View<'_>]) -> Done<Vec<usize>> {
    let count = indices.first().map_or(1, View::numel);
    let mut offsets = dense::scratch::<usize>(count)?;
    for (dim, view) in indices.iter().enumerate() {
        let size = shape[dim];
        for (offset, index) in offsets.iter_mut().zip(read_indices(view)?) {
            let wrapped = if index < 0 { index + size as i64 } else { index };
            match usize::try_from(wrapped) {
                Ok(i) if i < size => *offset += i * strides[dim],
                _ => return Err(Fault::IndexOutOfBounds { index, dim, size }),
            }
        }
    }
    Ok(offsets)
}

/// The two parts of advanced indexing: the common shape, and the dimensions after it.
pub(super) struct Sides {
    /// Over the common shape, in the other tensor.
    pub common: Loops<1>,
    /// Over the remaining dimensions, in the other tensor and in the indexed one.
    pub rest: Loops<2>,
}

impl Sides {
    /// `other` is [common.., rest..], `indexed` is [indexed dims.., rest..].
    pub(super) fn new(other: &Span, indexed: &Span, indices: usize) -> Sides {
        let rest = indexed.shape.len() - indices;
        let common = other.shape.len() - rest;
        Sides {
            common: Loops::new(&other.shape[..common], [&other.strides[..common]]),
            rest: Loops::new(&other.shape[common..], [&other.strides[common..], &indexed.strides[indices..]]),
        }
    }
}

pub(super) fn index(x: &View<'_>, indices: &[View<'_>], out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    let offsets = positions(&x.shape, &x.strides, indices)?;
    same_dtype(&x, &out, |out| {
        let sides = Sides::new(out, &x, indices.len());
        with_width!(x.dtype, T => {
            let (from, to) = (Shared::from_ptr(x.ptr::<T>()), Shared::from_ptr(out.ptr::<T>()));
            parallel(sides.common.numel, (GRAIN / sides.rest.numel.max(1)).max(1), |range| {
                let mut at = range.start;
                sides.common.runs(range.start, range.len(), |[base], n, [step]| {
                    for i in 0..n {
                        sides.rest.all_runs(|[o, s], n, steps| {
                            let (o, s) = (base + i * step + o, offsets[at] + s);
                            // SAFETY: elements of checked spans; each position of the output belongs to one thread.
                            unsafe { move_run(from.get().add(s), steps[1], to.get().add(o), steps[0], n) };
                        });
                        at += 1;
                    }
                });
            });
        })
    })
}

pub(super) fn nonzero(x: &View<'_>, out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    with_compute!(x.dtype, C => nonzero_as::<C>(&x, &out))
}

fn nonzero_as<C: Compute>(x: &Span, out: &Span) -> Done {
    let values = dense::read::<C>(x)?;
    let rank = x.shape.len();
    let room = out.shape[0];
    let to = out.ptr::<i64>();
    let found = values.iter().enumerate().filter(|(_, v)| **v != C::default());
    for (row, (flat, _)) in found.take(room).enumerate() {
        let mut rest = flat;
        for dim in (0..rank).rev() {
            // SAFETY: row `row` and column `dim` of the checked [room, rank] output.
            unsafe { *to.add(row * out.strides[0] + dim * out.strides[1]) = (rest % x.shape[dim]) as i64 };
            rest /= x.shape[dim];
        }
    }
    Ok(())
}

pub(super) fn triangle(upper: bool, diagonal: i64, x: &View<'_>, out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    let rank = x.shape.len();
    let [rows, cols] = [x.shape[rank - 2], x.shape[rank - 1]];
    same_dtype(&x, &out, |out| {
        let lead = rank - 1;
        let loops = Loops::new(&x.shape[..lead], [&out.strides[..lead], &x.strides[..lead]]);
        let [o_step, x_step] = [out.strides[lead], x.strides[lead]];
        with_width!(x.dtype, T => {
            let (from, to) = (Shared::from_ptr(x.ptr::<T>()), Shared::from_ptr(out.ptr::<T>()));
            parallel(loops.numel, (GRAIN / cols.max(1)).max(1), |range| {
                let mut line = range.start;
                loops.runs(range.start, range.len(), |[o, s], n, steps| {
                    for i in 0..n {
                        let row = (line % rows) as i64;
                        let (s, o) = (place(s, i, steps[1]), place(o, i, steps[0]));
                        let edge = row.saturating_add(diagonal);
                        for col in 0..cols {
                            let keep = if upper { col as i64 >= edge } else { col as i64 <= edge };
                            // SAFETY: elements of checked spans; each row belongs to one thread.
                            unsafe {
                                let value = *from.get().add(place(s, col, x_step));
                                *to.get().add(place(o, col, o_step)) = if keep { value } else { 0 };
                            }
                        }
                        line += 1;
                    }
                });
            });
        })
    })
}

pub(super) fn flip(x: &View<'_>, dims: &[bool], out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    if out.numel() == 0 {
        return Ok(());
    }
    same_dtype(&x, &out, |out| {
        // Walking backward is the same as walking forward with the index counted from the end.
        let values: Vec<usize> = (0..x.shape.len()).filter(|&d| dims[d]).collect();
        let end: usize = values.iter().map(|&d| (x.shape[d] - 1) * x.strides[d]).sum();
        let zero = |keep: bool| -> crate::shape::Dims {
            (0..x.shape.len()).map(|d| if dims[d] == keep { x.strides[d] } else { 0 }).collect()
        };
        let (back, forth) = (zero(true), zero(false));
        let loops = Loops::new(&out.shape, [&out.strides, &forth, &back]);
        with_width!(x.dtype, T => {
            let (from, to) = (Shared::from_ptr(x.ptr::<T>()), Shared::from_ptr(out.ptr::<T>()));
            parallel(loops.numel, GRAIN, |range| {
                loops.runs(range.start, range.len(), |[o, f, b], n, steps| {
                    for i in 0..n {
                        let source = place(end + f, i, steps[1]).wrapping_sub(place(b, i, steps[2]));
                        // SAFETY: elements of checked spans; each thread has its own range of the output.
                        unsafe { *to.get().add(place(o, i, steps[0])) = *from.get().add(source) };
                    }
                });
            });
        })
    })
}
