//! Kernels that write to the places that indices name. Every index is checked before anything is written. Then one
//! thread writes the elements in order, because indices may repeat.

use super::element::{Compute, Element, number, with_compute, with_element};
use super::index::{Sides, checked_indices, positions};
use super::span::{Loops, Span, place};
use super::{Temporary, copy};
use crate::dtype::Scalar;
use crate::executor::{Done, Operand, ScatterOp, View};

/// An operand as a span of the output's dtype and of `shape`.
struct Source {
    span: Span,
    _converted: Option<Temporary>,
}

impl Source {
    fn new(operand: &Operand<'_>, out: &Span, shape: &[usize]) -> Done<Source> {
        let convert = |fill: &dyn Fn(&Span), shape: &[usize]| -> Done<Source> {
            let temporary = Temporary::new(shape, out.dtype)?;
            fill(temporary.span());
            Ok(Source { span: temporary.span().clone(), _converted: Some(temporary) })
        };
        match operand {
            Operand::Scalar(value) => {
                let mut source = convert(&|span| copy::fill(span, *value), &[1])?;
                source.span.shape = shape.into();
                source.span.strides = shape.iter().map(|_| 0).collect();
                Ok(source)
            }
            Operand::View(view) => {
                let span = Span::new(view)?;
                if span.dtype == out.dtype {
                    return Ok(Source { span, _converted: None });
                }
                convert(&|to| copy::copy(&span, to), &span.shape)
            }
        }
    }
}

/// Combines the present value with the new one, in the compute type of `T`.
#[inline(always)]
fn combine<T: Element, C: Compute>(op: ScatterOp, old: T, new: T) -> T {
    let (a, b) = (C::load(old), C::load(new));
    match op {
        ScatterOp::Set => new,
        ScatterOp::Add => a.plus(b).store(),
        ScatterOp::Mul => a.times(b).store(),
        ScatterOp::Max => {
            if a > b || a.is_nan() {
                old
            } else {
                new
            }
        }
        ScatterOp::Min => {
            if a < b || a.is_nan() {
                old
            } else {
                new
            }
        }
    }
}

pub(super) fn index_add(out: &View<'_>, dim: usize, index: &View<'_>, src: &View<'_>, alpha: f64) -> Done {
    let out = Span::new(out)?;
    let (size, out_stride) = out.axis(dim);
    let index = checked_indices(index, dim, size)?;
    let source = Source::new(&Operand::View(src.clone()), &out, &src.shape)?;
    let src = &source.span;
    let (_, src_stride) = src.axis(dim);
    let rest = |span: &Span| if span.shape.is_empty() { span.clone() } else { span.without(dim) };
    let (out_rest, src_rest) = (rest(&out), rest(src));
    let loops = Loops::new(&src_rest.shape, [&out_rest.strides, &src_rest.strides]);
    with_element!(out.dtype, T => with_compute!(T::DTYPE, C => {
        let factor: C = number(Scalar::Float(alpha), out.dtype);
        let (to, from) = (out.ptr::<T>(), src.ptr::<T>());
        for (i, &target) in index.iter().enumerate() {
            loops.all_runs(|[o, s], n, steps| {
                for k in 0..n {
                    // SAFETY: elements of checked spans.
                    unsafe {
                        let element = to.add(place(place(o, target, out_stride), k, steps[0]));
                        let value = C::load(*from.add(place(place(s, i, src_stride), k, steps[1])));
                        *element = C::load(*element).plus(value.times(factor)).store();
                    }
                }
            });
        }
    }));
    Ok(())
}

pub(super) fn scatter(op: ScatterOp, out: &View<'_>, dim: usize, index: &View<'_>, src: &Operand<'_>) -> Done {
    let out = Span::new(out)?;
    let (size, out_stride) = out.axis(dim);
    let shape = &index.shape;
    let index = checked_indices(index, dim, size)?;
    let source = Source::new(src, &out, shape)?;
    let mut strides = out.strides.clone();
    if let Some(stride) = strides.get_mut(dim) {
        *stride = 0;
    }
    let loops = Loops::new(shape, [&strides, &source.span.strides]);
    with_element!(out.dtype, T => with_compute!(T::DTYPE, C => {
        let (to, from) = (out.ptr::<T>(), source.span.ptr::<T>());
        let mut at = 0;
        loops.all_runs(|[o, s], n, steps| {
            for k in 0..n {
                // SAFETY: elements of checked spans; `out` and `src` have at least the index's shape.
                unsafe {
                    let element = to.add(place(place(o, k, steps[0]), index[at], out_stride));
                    *element = combine::<T, C>(op, *element, *from.add(place(s, k, steps[1])));
                }
                at += 1;
            }
        });
    }));
    Ok(())
}

pub(super) fn index_put(out: &View<'_>, indices: &[View<'_>], src: &Operand<'_>, accumulate: bool) -> Done {
    let out = Span::new(out)?;
    let offsets = positions(&out.shape, &out.strides, indices)?;
    let shape: Vec<usize> = match indices.first() {
        Some(index) => index.shape.iter().chain(&out.shape[indices.len()..]).copied().collect(),
        None => out.shape.to_vec(),
    };
    let source = Source::new(src, &out, &shape)?;
    let sides = Sides::new(&source.span, &out, indices.len());
    let op = if accumulate { ScatterOp::Add } else { ScatterOp::Set };
    with_element!(out.dtype, T => with_compute!(T::DTYPE, C => {
        let (to, from) = (out.ptr::<T>(), source.span.ptr::<T>());
        let mut at = 0;
        sides.common.all_runs(|[base], n, [step]| {
            for i in 0..n {
                sides.rest.all_runs(|[s, o], n, steps| {
                    for k in 0..n {
                        // SAFETY: elements of checked spans.
                        unsafe {
                            let element = to.add(place(offsets[at].wrapping_add(o), k, steps[1]));
                            let value = *from.add(place(place(base, i, step).wrapping_add(s), k, steps[0]));
                            *element = combine::<T, C>(op, *element, value);
                        }
                    }
                });
                at += 1;
            }
        });
    }));
    Ok(())
}
