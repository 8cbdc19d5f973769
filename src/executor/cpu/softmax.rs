//! Softmax and its logarithm along one dimension.

use super::dense::{self, Output, scratch};
use super::element::{Compute, with_float};
use super::real::Real;
use super::simd::{GRAIN, Shared, parallel, try_parallel, vectorize};
use super::span::place;
use crate::executor::{Done, View};

/// The number of elements before a dimension, in it, and after it.
fn around(shape: &[usize], dim: usize) -> [usize; 3] {
    if shape.is_empty() {
        return [1, 1, 1];
    }
    [shape[..dim].iter().product(), shape[dim], shape[dim + 1..].iter().product()]
}

/// Calls `f(line, result)` for every line of the inputs along the middle one of `sizes`, contiguous or not.
fn lines<C: Compute, const N: usize>(
    inputs: [&[C]; N],
    out: &mut [C],
    [outer, n, inner]: [usize; 3],
    f: impl Fn([&[C]; N], &mut [C]) + Sync,
) -> Done {
    if n == 0 {
        return Ok(());
    }
    let shared = Shared::new(out);
    let grain = (GRAIN / 8 / n).max(1);
    if inner == 1 {
        parallel(outer, grain, |range| {
            for row in range {
                let place = row * n..(row + 1) * n;
                // SAFETY: each line belongs to one thread.
                f(inputs.map(|x| &x[place.clone()]), unsafe { shared.slice(place) });
            }
        });
        return Ok(());
    }
    try_parallel(outer * inner, grain, |range| {
        let mut copies: [Vec<C>; N] = std::array::from_fn(|_| Vec::new());
        for copy in &mut copies {
            *copy = scratch(n)?;
        }
        let mut result = scratch(n)?;
        for line in range {
            let start = line / inner * n * inner + line % inner;
            for (copy, input) in copies.iter_mut().zip(inputs) {
                for (i, v) in copy.iter_mut().enumerate() {
                    *v = input[place(start, i, inner)];
                }
            }
            f(std::array::from_fn(|k| copies[k].as_slice()), &mut result);
            for (i, v) in result.iter().enumerate() {
                // SAFETY: each line belongs to one thread, and its elements are inside the output.
                unsafe { *shared.get().add(place(start, i, inner)) = *v };
            }
        }
        Ok(())
    })
}

/// The largest value, or NaN if there is one.
#[inline(always)]
fn top<C: Real>(xs: &[C]) -> C {
    let mut lanes = [-C::INFINITY; 16];
    let (chunks, rest) = xs.as_chunks::<16>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = x.maximum(*lane);
        }
    }
    let rest = rest.iter().fold(-C::INFINITY, |best, x| x.maximum(best));
    lanes.iter().fold(rest, |best, x| x.maximum(best))
}

/// The sum of a function of two lines.
#[inline(always)]
fn total<C: Real>(a: &[C], b: &[C], f: impl Fn(C, C) -> C) -> C {
    let mut lanes = [C::default(); 16];
    let ((left, left_rest), (right, right_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    for (a, b) in left.iter().zip(right) {
        for i in 0..16 {
            lanes[i] = lanes[i] + f(a[i], b[i]);
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    let rest = rest.fold(C::default(), |sum, (a, b)| sum + f(*a, *b));
    let mut width = 8;
    while width > 0 {
        for i in 0..width {
            lanes[i] = lanes[i] + lanes[i + width];
        }
        width /= 2;
    }
    lanes[0] + rest
}

pub(super) fn softmax(log: bool, x: &View<'_>, dim: usize, out: &View<'_>) -> Done {
    let sizes = around(&x.shape, dim);
    with_float!(out.dtype, "softmax", C => {
        let x = dense::read_view::<C>(x)?;
        let mut out = Output::<C>::new(out)?;
        lines([&x], &mut out, sizes, |[x], y| vectorize(#[inline(always)] || forward(log, x, y)))?;
        out.finish();
        Ok(())
    })
}

#[inline(always)]
fn forward<C: Real>(log: bool, x: &[C], y: &mut [C]) {
    let top = top(x);
    for (y, x) in y.iter_mut().zip(x) {
        *y = (*x - top).exp();
    }
    let sum = total(
        y,
        y,
        #[inline(always)]
        |y, _| y,
    );
    if log {
        let shift = sum.ln();
        for (y, x) in y.iter_mut().zip(x) {
            *y = *x - top - shift;
        }
    } else {
        let factor = C::of(1.0) / sum;
        for y in y.iter_mut() {
            *y = *y * factor;
        }
    }
}

pub(super) fn backward(log: bool, grad: &View<'_>, y: &View<'_>, dim: usize, out: &View<'_>) -> Done {
    let sizes = around(&y.shape, dim);
    with_float!(out.dtype, "softmax_backward", C => {
        let (grad, y) = (dense::read_view::<C>(grad)?, dense::read_view::<C>(y)?);
        let mut out = Output::<C>::new(out)?;
        lines([&grad, &y], &mut out, sizes, |[grad, y], out| vectorize(#[inline(always)] || gradient(log, grad, y, out)))?;
        out.finish();
        Ok(())
    })
}

#[inline(always)]
fn gradient<C: Real>(log: bool, grad: &[C], y: &[C], out: &mut [C]) {
    if log {
        let sum = total(
            grad,
            y,
            #[inline(always)]
            |g, _| g,
        );
        for ((out, g), y) in out.iter_mut().zip(grad).zip(y) {
            *out = *g - y.exp() * sum;
        }
    } else {
        let sum = total(
            grad,
            y,
            #[inline(always)]
            |g, y| g * y,
        );
        for ((out, g), y) in out.iter_mut().zip(grad).zip(y) {
            *out = *y * (*g - sum);
        }
    }
}
