//! Convolutions as implicit matrix products.

use smallvec::SmallVec;

use super::super::launch::{Launch, Walk, cpp};
use super::super::source;
use super::{Sink, accumulator, float_only};
use crate::dtype::DType;
use crate::executor::{Conv2d, Done, Fault, View};

/// The words of a `Convolution`: sizes of a group's share, then strides of x, w and y.
fn convolution(x: &View<'_>, w: &View<'_>, y: &View<'_>, p: Conv2d) -> SmallVec<[u64; 28]> {
    let mut words: SmallVec<[u64; 28]> = SmallVec::new();
    let mut put = |values: &[usize]| words.extend(values.iter().map(|&v| v as u64));
    put(&[x.shape[0], p.groups, w.shape[1], w.shape[0] / p.groups]);
    put(&x.shape[2..]);
    put(&y.shape[2..]);
    put(&w.shape[2..]);
    put(&p.stride);
    put(&p.padding);
    put(&p.dilation);
    put(&x.strides);
    put(&w.strides);
    put(&y.strides);
    words
}

/// One dtype for all.
fn check(kernel: &str, views: &[&View<'_>]) -> Done {
    float_only(kernel, views[0].dtype)?;
    if views.iter().any(|v| v.dtype != views[0].dtype) {
        return Err(Fault::Unsupported(format!("\"{kernel}_cuda\" of several dtypes")));
    }
    Ok(())
}

fn index(views: &[&View<'_>]) -> &'static str {
    let wide = views.iter().any(|v| Walk::of(&v.shape, &[&v.strides]).index() == "u64");
    // The patches of all pixels together may be more than the tensors hold, but no index ever counts them.
    if wide { "u64" } else { "u32" }
}

fn tiles(rows: usize, cols: usize) -> u64 {
    rows.div_ceil(64) as u64 * cols.div_ceil(64) as u64
}

pub fn forward(
    x: &View<'_>,
    w: &View<'_>,
    bias: Option<&View<'_>>,
    p: Conv2d,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    check("conv2d", &[out, x, w])?;
    if let Some(bias) = bias {
        check("conv2d", &[out, bias])?;
    }
    if out.numel() == 0 {
        return Ok(());
    }
    let mut l = Launch::new(&source::CONV, "conv_forward");
    l.instance(format_args!("{},{}", cpp(out.dtype), index(&[x, w, out])));
    l.view(x).view(w).option(bias).int(bias.map_or(0, |b| b.strides[0])).view(out);
    l.words(&convolution(x, w, out, p));
    let pixels = out.shape[0] * out.shape[2] * out.shape[3];
    l.blocks(tiles(w.shape[0] / p.groups, pixels)).blocks_y(p.groups);
    sink.dispatch(l)
}

pub fn grad_input(grad: &View<'_>, w: &View<'_>, p: Conv2d, out: &View<'_>, sink: &dyn Sink) -> Done {
    check("conv2d_grad_input", &[out, grad, w])?;
    if out.numel() == 0 {
        return Ok(());
    }
    let mut l = Launch::new(&source::CONV, "conv_input");
    l.instance(format_args!("{},{}", cpp(out.dtype), index(&[grad, w, out])));
    l.view(grad).view(w).view(out).words(&convolution(out, w, grad, p));
    let pixels = out.shape[0] * out.shape[2] * out.shape[3];
    l.blocks(tiles(w.shape[1], pixels)).blocks_y(p.groups);
    sink.dispatch(l)
}

pub fn grad_weight(grad: &View<'_>, x: &View<'_>, p: Conv2d, out: &View<'_>, sink: &dyn Sink) -> Done {
    check("conv2d_grad_weight", &[out, grad, x])?;
    if out.numel() == 0 {
        return Ok(());
    }
    let words = convolution(x, out, grad, p);
    let cols = out.shape[1] * out.shape[2] * out.shape[3];
    let tiles = tiles(out.shape[0] / p.groups, cols);
    let pixels = grad.shape[0] * grad.shape[2] * grad.shape[3];
    // A small weight of many pixels has too few tiles for the device: pieces of the pixels are summed apart.
    let blocks = tiles as usize * p.groups;
    let pieces = (sink.multiprocessors() * 4).div_ceil(blocks.max(1)).min(pixels.div_ceil(256)).clamp(1, 64);
    let size = accumulator(out.dtype).size();
    let partial = if pieces > 1 { Some(sink.scratch(pieces * out.numel() * size)?) } else { None };
    let index = index(&[grad, x, out]);
    let mut l = Launch::new(&source::CONV, "conv_weight");
    l.instance(format_args!("{},{index}", cpp(out.dtype)));
    l.view(grad).view(x).view(out).word(partial.as_ref().map_or(0, |p| p.address())).words(&words);
    l.blocks(tiles).blocks_y(p.groups);
    l.grid[2] = pieces as u32;
    sink.dispatch(l)?;
    let Some(partial) = partial else { return Ok(()) };
    let mut l = Launch::new(&source::CONV, "conv_weight_sum");
    l.instance(format_args!("{},{index}", cpp(out.dtype)));
    l.word(partial.address()).int(pieces).view(out).words(&words).threads(out.numel());
    debug_assert!(matches!(accumulator(out.dtype), DType::F32 | DType::F64));
    sink.dispatch(l)
}
