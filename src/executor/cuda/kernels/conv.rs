//! Convolutions. With kernels of one pixel, the vendor's library computes them as products; depthwise ones are computed
//! directly; all others are implicit matrix products.

use smallvec::SmallVec;

use super::super::launch::{Launch, Walk, cpp};
use super::super::source;
use super::tile::Tile;
use super::{Sink, accumulator, float_only, matmul};
use crate::dtype::DType;
use crate::executor::{Conv2d, Done, Fault, View};
use crate::shape::Dims;

/// The words of a `Convolution`: one group's sizes, then the strides of x, w and y.
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

/// Checks that all views have one dtype.
fn check(kernel: &str, views: &[&View<'_>]) -> Done {
    float_only(kernel, views[0].dtype)?;
    if views.iter().any(|v| v.dtype != views[0].dtype) {
        return Err(Fault::Unsupported(format!("\"{kernel}_cuda\" of several dtypes")));
    }
    Ok(())
}

fn index(views: &[&View<'_>]) -> &'static str {
    let wide = views.iter().any(|v| Walk::of(&v.shape, &[&v.strides]).index() == "u64");
    // The patches of all pixels together may have more elements than the tensors, but no index counts them all.
    if wide { "u64" } else { "u32" }
}

/// The tiles of products of [rows, cols], one for each group.
fn tile(dtype: DType, rows: usize, cols: usize, p: Conv2d, sink: &dyn Sink) -> Tile {
    Tile::new(Some(dtype), dtype, sink.precision().convolutions_in_tf32, [rows, cols, p.groups], sink)
}

/// Whether each group has one input channel and few output channels. The tiles of a product would be nearly empty.
fn is_depthwise(w: &View<'_>, p: Conv2d) -> bool {
    w.shape[1] == 1 && w.shape[0] / p.groups <= 8
}

/// One group of a [N, C, H, W] view as matrices [N, C / groups, H * W]; `None` if its pixels can't be one dimension.
fn matrices<'b>(v: &View<'b>, group: usize, groups: usize) -> Option<View<'b>> {
    let [n, c, h, w] = [v.shape[0], v.shape[1] / groups, v.shape[2], v.shape[3]];
    let step = if w > 1 { v.strides[3] } else { v.strides[2] };
    (h == 1 || w == 1 || v.strides[2] == w * v.strides[3]).then(|| View {
        buffer: v.buffer,
        dtype: v.dtype,
        shape: Dims::from_slice(&[n, c, h * w]),
        strides: Dims::from_slice(&[v.strides[0], v.strides[1], step]),
        offset: v.offset + group * c * v.strides[1],
    })
}

/// A convolution whose patches are single pixels, by the vendor's library: each image is one product per group, of the
/// weight (`turned`: its transpose) and the image. Returns `false` if this isn't such a convolution.
fn pointwise(
    x: &View<'_>,
    w: &View<'_>,
    turned: bool,
    bias: Option<&View<'_>>,
    p: Conv2d,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done<bool> {
    let single = w.shape[2..] == [1, 1] && p.stride == [1, 1] && p.padding == [0, 0];
    if !single || !sink.has_products() {
        return Ok(false);
    }
    let (o, c) = (w.shape[0] / p.groups, w.shape[1]);
    for g in 0..p.groups {
        let (Some(from), Some(to)) = (matrices(x, g, p.groups), matrices(out, g, p.groups)) else { return Ok(false) };
        let mut weight = w.clone();
        weight.offset += g * o * w.strides[0];
        let (shape, strides) = if turned {
            ([out.shape[0], c, o], [0, w.strides[1], w.strides[0]])
        } else {
            ([out.shape[0], o, c], [0, w.strides[0], w.strides[1]])
        };
        (weight.shape, weight.strides) = (Dims::from_slice(&shape), Dims::from_slice(&strides));
        let bias = bias.map(|b| View {
            offset: b.offset + g * o * b.strides[0],
            shape: to.shape.clone(),
            strides: Dims::from_slice(&[0, b.strides[0], 0]),
            ..b.clone()
        });
        let beta = if bias.is_some() { 1.0 } else { 0.0 };
        let tf32 = sink.precision().convolutions_in_tf32;
        // If the library lacks the product for one group, it lacks it for all.
        if !matmul::by_library(&weight, &from, bias.as_ref(), [1.0, beta], tf32, &to, sink)? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn forward(
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
    if is_depthwise(w, p) {
        let mut l = Launch::new(&source::CONV, "depthwise_forward");
        l.instance(format_args!("{},{}", cpp(out.dtype), index(&[x, w, out])));
        l.view(x).view(w).option(bias).int(bias.map_or(0, |b| b.strides[0])).view(out);
        l.words(&convolution(x, w, out, p)).threads(out.numel());
        return sink.dispatch(l);
    }
    if pointwise(x, w, false, bias, p, out, sink)? {
        return Ok(());
    }
    let (rows, pixels) = (w.shape[0] / p.groups, out.shape[0] * out.shape[2] * out.shape[3]);
    let tile = tile(out.dtype, rows, pixels, p, sink);
    let mut l = Launch::new(&source::CONV, "conv_forward");
    l.instance(format_args!("{},{},{tile}", cpp(out.dtype), index(&[x, w, out])));
    l.view(x).view(w).option(bias).int(bias.map_or(0, |b| b.strides[0])).view(out);
    l.words(&convolution(x, w, out, p));
    l.blocks(tile.count(rows, pixels) as u64).blocks_y(p.groups);
    sink.dispatch(l)
}

pub(super) fn grad_input(grad: &View<'_>, w: &View<'_>, p: Conv2d, out: &View<'_>, sink: &dyn Sink) -> Done {
    check("conv2d_grad_input", &[out, grad, w])?;
    if out.numel() == 0 {
        return Ok(());
    }
    if is_depthwise(w, p) {
        let mut l = Launch::new(&source::CONV, "depthwise_input");
        l.instance(format_args!("{},{}", cpp(out.dtype), index(&[grad, w, out])));
        l.view(grad).view(w).view(out).words(&convolution(out, w, grad, p)).threads(out.numel());
        return sink.dispatch(l);
    }
    if pointwise(grad, w, true, None, p, out, sink)? {
        return Ok(());
    }
    let (rows, pixels) = (w.shape[1], out.shape[0] * out.shape[2] * out.shape[3]);
    let tile = tile(out.dtype, rows, pixels, p, sink);
    let mut l = Launch::new(&source::CONV, "conv_input");
    l.instance(format_args!("{},{},{tile}", cpp(out.dtype), index(&[grad, w, out])));
    l.view(grad).view(w).view(out).words(&convolution(out, w, grad, p));
    l.blocks(tile.count(rows, pixels) as u64).blocks_y(p.groups);
    sink.dispatch(l)
}

pub(super) fn grad_weight(grad: &View<'_>, x: &View<'_>, p: Conv2d, out: &View<'_>, sink: &dyn Sink) -> Done {
    check("conv2d_grad_weight", &[out, grad, x])?;
    if out.numel() == 0 {
        return Ok(());
    }
    let words = convolution(x, out, grad, p);
    let (rows, cols) = (out.shape[0] / p.groups, out.shape[1] * out.shape[2] * out.shape[3]);
    let tile = tile(out.dtype, rows, cols, p, sink);
    let depthwise = is_depthwise(out, p);
    // The number of blocks for the entire weight.
    let blocks = if depthwise { out.numel() } else { tile.count(rows, cols) * p.groups };
    let pixels = grad.shape[0] * grad.shape[2] * grad.shape[3];
    // A small weight and many pixels give too few tiles to fill the device, so parts of the pixels have separate sums.
    let pieces = (sink.multiprocessors() * 4).div_ceil(blocks.max(1)).min(pixels.div_ceil(256)).clamp(1, 64);
    let size = accumulator(out.dtype).size();
    let partial = if pieces > 1 { Some(sink.scratch(pieces * out.numel() * size)?) } else { None };
    let index = index(&[grad, x, out]);
    let mut l = Launch::new(&source::CONV, if depthwise { "depthwise_weight" } else { "conv_weight" });
    match depthwise {
        true => l.instance(format_args!("{},{index}", cpp(out.dtype))),
        false => l.instance(format_args!("{},{index},{tile}", cpp(out.dtype))),
    };
    l.view(grad).view(x).view(out).word(partial.as_ref().map_or(0, |p| p.address())).words(&words);
    match depthwise {
        true => l.blocks(blocks as u64),
        false => l.blocks(tile.count(rows, cols) as u64).blocks_y(p.groups),
    };
    l.grid[2] = pieces as u32;
    sink.dispatch(l)?;
    let Some(partial) = partial else { return Ok(()) };
    let mut l = Launch::new(&source::CONV, "conv_weight_sum");
    l.instance(format_args!("{},{index}", cpp(out.dtype)));
    l.word(partial.address()).int(pieces).view(out).words(&words).threads(out.numel());
    debug_assert!(matches!(accumulator(out.dtype), DType::F32 | DType::F64));
    sink.dispatch(l)
}
