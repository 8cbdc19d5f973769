//! Pooling.

use super::super::launch::{Launch, cpp};
use super::super::source;
use super::{Sink, accumulator, elementwise, float_only, unsupported};
use crate::dtype::DType;
use crate::executor::{Buffer, Done, Pool2d, View};
use crate::shape::contiguous_strides;
use std::rc::Rc;

/// The sizes or strides [N, C, H, W] of a view with 3 or 4 dimensions.
fn four(values: &[usize], filler: usize) -> [u64; 4] {
    let mut all = [filler as u64; 4];
    let skip = 4 - values.len();
    for (place, &v) in all[skip..].iter_mut().zip(values) {
        *place = v as u64;
    }
    all
}

fn shape(view: &View<'_>) -> [u64; 4] {
    four(&view.shape, 1)
}

fn steps(view: &View<'_>) -> [u64; 4] {
    four(&view.strides, 0)
}

/// The words of a `Pool`; none for adaptive pooling.
fn pool(p: Option<Pool2d>) -> [u64; 10] {
    let Some(p) = p else { return [1; 10] };
    let mut words = [0; 10];
    let pairs = [p.kernel, p.stride, p.padding, p.dilation];
    for (place, v) in words.iter_mut().zip(pairs.iter().flatten()) {
        *place = *v as u64;
    }
    words[8] = p.count_include_pad as u64;
    words[9] = p.divisor.unwrap_or(0) as u64;
    words
}

pub(super) fn max(x: &View<'_>, p: Pool2d, out: &View<'_>, indices: &View<'_>, sink: &dyn Sink) -> Done {
    if x.dtype == DType::Bool {
        return Err(unsupported("max_pool2d", x.dtype));
    }
    if out.numel() == 0 {
        return Ok(());
    }
    let mut l = Launch::new(&source::POOL, "max_pool");
    l.instance(format_args!("{},{}", cpp(x.dtype), cpp(out.dtype)));
    l.view(x).view(out).view(indices).words(&shape(x)).words(&shape(out));
    l.words(&steps(x)).words(&steps(out)).words(&steps(indices)).words(&pool(Some(p))).threads(out.numel());
    sink.dispatch(l)
}

pub(super) fn max_backward(grad: &View<'_>, indices: &View<'_>, out: &View<'_>, sink: &dyn Sink) -> Done {
    float_only("max_pool2d_backward", out.dtype)?;
    if out.numel() == 0 {
        return Ok(());
    }
    let sums = accumulator(out.dtype);
    if sums != out.dtype || !out.is_contiguous() {
        // Gradients of the half types are summed in f32.
        let memory = Rc::new(sink.scratch(out.numel() * sums.size())?);
        let buffer = Buffer::new(memory, out.numel(), sums);
        let strides = contiguous_strides(&out.shape);
        let wide = View { buffer: &buffer, dtype: sums, shape: out.shape.clone(), strides, offset: 0 };
        add(grad, indices, &wide, sink)?;
        return elementwise::copy(&wide, out, sink);
    }
    add(grad, indices, out, sink)
}

/// Adds into a contiguous `out` of f32 or f64.
fn add(grad: &View<'_>, indices: &View<'_>, out: &View<'_>, sink: &dyn Sink) -> Done {
    sink.zero(super::super::launch::address(out)?, out.numel() * out.dtype.size())?;
    if grad.numel() == 0 {
        return Ok(());
    }
    let faults = sink.faults();
    let [_, _, h, w] = shape(out);
    let mut l = Launch::new(&source::POOL, "max_pool_backward");
    l.instance(format_args!("{},{}", cpp(grad.dtype), cpp(out.dtype)));
    l.view(grad).view(indices).view(out).words(&shape(grad)).word(h).word(w);
    l.words(&steps(grad)).words(&steps(indices)).words(&steps(out)).words(&faults).threads(grad.numel());
    sink.dispatch(l)
}

/// Without parameters, the pooling is adaptive.
pub(super) fn average(x: &View<'_>, p: Option<Pool2d>, out: &View<'_>, sink: &dyn Sink) -> Done {
    float_only("avg_pool2d", out.dtype)?;
    lower("avg_pool", [x, out], x, out, p, out.numel(), sink)
}

pub(super) fn average_backward(grad: &View<'_>, p: Option<Pool2d>, out: &View<'_>, sink: &dyn Sink) -> Done {
    float_only("avg_pool2d_backward", out.dtype)?;
    lower("avg_pool_backward", [grad, out], out, grad, p, out.numel(), sink)
}

/// `large` is the input's side of pooling, `small` the side with one element for each window.
fn lower(
    kernel: &str,
    views: [&View<'_>; 2],
    large: &View<'_>,
    small: &View<'_>,
    p: Option<Pool2d>,
    count: usize,
    sink: &dyn Sink,
) -> Done {
    if count == 0 {
        return Ok(());
    }
    let [from, to] = views;
    let mut l = Launch::new(&source::POOL, kernel);
    let windows = if p.is_some() { "Fixed" } else { "Adaptive" };
    l.instance(format_args!("{windows},{},{}", cpp(from.dtype), cpp(to.dtype)));
    l.view(from).view(to).words(&shape(large)).words(&shape(small)).words(&steps(from)).words(&steps(to));
    l.words(&pool(p)).threads(count);
    sink.dispatch(l)
}
