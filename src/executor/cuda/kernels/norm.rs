//! Layer and batch normalization.

use smallvec::SmallVec;

use super::super::launch::{Launch, cpp};
use super::super::source;
use super::{Packs, Sink, float_only};
use crate::dtype::DType;
use crate::executor::{Done, View};

type Wanted<'a, 'b> = &'a Option<View<'b>>;

/// The C++ type of a vector that may be missing.
fn type_of(view: Wanted<'_, '_>, other: DType) -> &'static str {
    cpp(view.as_ref().map_or(other, |v| v.dtype))
}

/// A kernel with one block per row, in packs if a row fits into the block's registers.
fn by_rows(kernel: &str, types: &str, packs: Option<Packs>) -> Launch {
    let Some(p) = packs else {
        let mut l = Launch::new(&source::NORM, kernel);
        l.instance(format_args!("{types}"));
        return l;
    };
    let mut l = Launch::new(&source::NORM, &format!("{kernel}_packed"));
    l.instance(format_args!("{types},{},{},{}", p.threads, p.pack, p.each));
    l.block = p.threads as u32;
    l
}

pub(super) fn layer_norm(
    x: &View<'_>,
    [weight, bias]: [Wanted<'_, '_>; 2],
    eps: f64,
    out: &View<'_>,
    [mean, rstd]: [&View<'_>; 2],
    sink: &dyn Sink,
) -> Done {
    float_only("layer_norm", out.dtype)?;
    let (rows, cols) = (x.shape[0], x.shape[1]);
    if rows == 0 {
        return Ok(());
    }
    let affine = type_of(if weight.is_some() { weight } else { bias }, x.dtype);
    let views: SmallVec<[&View<'_>; 6]> = [x, out].into_iter().chain(weight).chain(bias).collect();
    let types = format!("{},{affine},{},{}", cpp(x.dtype), cpp(out.dtype), cpp(mean.dtype));
    let mut l = by_rows("layer_norm", &types, Packs::of(cols, &views, 256, 32)?);
    l.view(x).option(weight.as_ref()).option(bias.as_ref()).view(out).view(mean).view(rstd);
    l.int(rows).int(cols).real(eps).blocks(rows as u64);
    sink.dispatch(l)
}

pub(super) fn layer_norm_backward(
    grad: &View<'_>,
    x: &View<'_>,
    [mean, rstd]: [&View<'_>; 2],
    weight: Wanted<'_, '_>,
    [dx, dweight, dbias]: [Wanted<'_, '_>; 3],
    sink: &dyn Sink,
) -> Done {
    float_only("layer_norm_backward", x.dtype)?;
    let (rows, cols) = (x.shape[0], x.shape[1]);
    if let Some(dx) = dx.as_ref().filter(|v| v.numel() > 0) {
        let types = [grad.dtype, x.dtype, mean.dtype, weight.as_ref().map_or(x.dtype, |w| w.dtype), dx.dtype];
        let views: SmallVec<[&View<'_>; 6]> = [grad, x, dx].into_iter().chain(weight).collect();
        // Each element needs two numbers in registers.
        let mut l = by_rows("layer_norm_dx", &types.map(cpp).join(","), Packs::of(cols, &views, 256, 16)?);
        l.view(grad).view(x).view(mean).view(rstd).option(weight.as_ref()).view(dx);
        l.int(rows).int(cols).blocks(rows as u64);
        sink.dispatch(l)?;
    }
    if (dweight.is_none() && dbias.is_none()) || cols == 0 {
        return Ok(());
    }
    let across = cols.div_ceil(32);
    let pieces = (sink.multiprocessors() * 4).div_ceil(across).min(rows.div_ceil(64)).clamp(1, 256);
    let sums = sink.scratch(pieces * 2 * cols * 8)?;
    let mut l = Launch::new(&source::NORM, "layer_norm_columns");
    l.instance(format_args!("{},{},{}", cpp(grad.dtype), cpp(x.dtype), cpp(mean.dtype)));
    l.view(grad).view(x).view(mean).view(rstd).word(sums.address()).int(rows).int(cols);
    l.blocks(across as u64).blocks_y(pieces);
    sink.dispatch(l)?;
    let mut l = Launch::new(&source::NORM, "layer_norm_sums");
    l.instance(format_args!("{},{}", type_of(dweight, x.dtype), type_of(dbias, x.dtype)));
    l.word(sums.address()).option(dweight.as_ref()).option(dbias.as_ref()).int(pieces).int(cols).threads(cols);
    sink.dispatch(l)
}

/// The words of a `Plane`: [N, C, L].
fn plane(x: &View<'_>) -> [u64; 3] {
    [x.shape[0] as u64, x.shape[1] as u64, x.shape[2] as u64]
}

/// The words of a `Steps`.
fn steps(x: &View<'_>) -> [u64; 3] {
    [x.strides[0] as u64, x.strides[1] as u64, x.strides[2] as u64]
}

/// A `Channel`: a vector of shape `[C]` with its stride.
fn channel(l: &mut Launch, view: Option<&View<'_>>) {
    let Some(view) = view else {
        l.words(&[0, 0]);
        return;
    };
    match super::super::launch::address(view) {
        Ok(address) => l.words(&[address, view.strides[0] as u64]),
        // The launch reports what is wrong when it's dispatched.
        Err(_) => l.view(view),
    };
}

pub(super) fn batch_stats(x: &View<'_>, mean: &View<'_>, var: &View<'_>, sink: &dyn Sink) -> Done {
    float_only("batch_norm_stats", x.dtype)?;
    let channels = x.shape[1];
    if channels == 0 {
        return Ok(());
    }
    let pieces = pieces(x, sink);
    let sums = sink.scratch(pieces * 2 * channels * 8)?;
    let mut l = Launch::new(&source::NORM, "batch_sums");
    l.instance(format_args!("{}", cpp(x.dtype)));
    l.view(x).word(sums.address()).words(&plane(x)).words(&steps(x)).blocks(channels as u64).blocks_y(pieces);
    sink.dispatch(l)?;
    let mut l = Launch::new(&source::NORM, "batch_stats");
    l.instance(format_args!("{},{},{}", cpp(x.dtype), cpp(mean.dtype), cpp(var.dtype)));
    l.view(x).word(sums.address()).int(pieces).view(mean).int(mean.strides[0]).view(var).int(var.strides[0]);
    l.words(&plane(x)).words(&steps(x)).threads(channels);
    sink.dispatch(l)
}

/// How many parts of each channel are summed separately, so that even few channels fill the device.
fn pieces(x: &View<'_>, sink: &dyn Sink) -> usize {
    let (channels, count) = (x.shape[1], x.shape[0] * x.shape[2]);
    (sink.multiprocessors() * 8).div_ceil(channels).min(count / 2048).clamp(1, 256)
}

/// A plane of [N, C] that is at least this long gets its own blocks.
const PLANE: usize = 32;

/// The threads of an elementwise kernel over [N, C, L]. For long planes, blocks are split by plane, and the kernel has
/// another name.
fn by_planes(kernel: &str, x: &View<'_>) -> Launch {
    let length = x.shape[2];
    if length < PLANE {
        let mut l = Launch::new(&source::NORM, kernel);
        l.threads(x.numel());
        return l;
    }
    let mut l = Launch::new(&source::NORM, &format!("{kernel}_planes"));
    let block = length.next_multiple_of(32).min(256);
    l.block = block as u32;
    // Four elements for each thread.
    l.blocks(length.div_ceil(block * 4) as u64).blocks_y(x.shape[0] * x.shape[1]);
    l
}

pub(super) fn batch_norm(
    x: &View<'_>,
    [mean, var]: [&View<'_>; 2],
    [weight, bias]: [Wanted<'_, '_>; 2],
    eps: f64,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    float_only("batch_norm", out.dtype)?;
    if out.numel() == 0 {
        return Ok(());
    }
    let affine = type_of(if weight.is_some() { weight } else { bias }, x.dtype);
    let mut l = by_planes("batch_norm", x);
    l.instance(format_args!("{},{},{},{affine},{}", cpp(x.dtype), cpp(mean.dtype), cpp(var.dtype), cpp(out.dtype)));
    l.view(x);
    channel(&mut l, Some(mean));
    channel(&mut l, Some(var));
    channel(&mut l, weight.as_ref());
    channel(&mut l, bias.as_ref());
    l.view(out).words(&plane(x)).words(&steps(x)).words(&steps(out)).real(eps);
    sink.dispatch(l)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn batch_norm_backward(
    grad: &View<'_>,
    x: &View<'_>,
    [mean, var]: [&View<'_>; 2],
    weight: Wanted<'_, '_>,
    eps: f64,
    training: bool,
    [dx, dweight, dbias]: [Wanted<'_, '_>; 3],
    sink: &dyn Sink,
) -> Done {
    float_only("batch_norm_backward", x.dtype)?;
    let channels = x.shape[1];
    if channels == 0 {
        return Ok(());
    }
    let pieces = pieces(x, sink);
    // The sums of the pieces, then the total.
    let sums = sink.scratch((pieces + 1) * 2 * channels * 8)?;
    let all = sums.address() + (pieces * 2 * channels * 8) as u64;
    let vector = type_of(if dweight.is_some() { dweight } else { dbias }, x.dtype);
    let step = |v: Wanted<'_, '_>| v.as_ref().map_or(0, |v| v.strides[0]);
    let mut l = Launch::new(&source::NORM, "batch_norm_sums");
    l.instance(format_args!("{},{},{},{}", cpp(grad.dtype), cpp(x.dtype), cpp(mean.dtype), cpp(var.dtype)));
    l.view(grad).view(x);
    channel(&mut l, Some(mean));
    channel(&mut l, Some(var));
    l.word(sums.address()).words(&plane(x)).words(&steps(grad)).words(&steps(x)).real(eps);
    l.blocks(channels as u64).blocks_y(pieces);
    sink.dispatch(l)?;
    let mut l = Launch::new(&source::NORM, "batch_norm_rest");
    l.instance(format_args!("{vector}"));
    l.word(sums.address()).int(pieces).word(all).option(dweight.as_ref()).int(step(dweight));
    l.option(dbias.as_ref()).int(step(dbias)).int(channels).threads(channels);
    sink.dispatch(l)?;
    let Some(dx) = dx.as_ref().filter(|v| v.numel() > 0) else { return Ok(()) };
    let mut l = by_planes("batch_norm_dx", x);
    l.instance(format_args!(
        "{training},{},{},{},{},{},{}",
        cpp(grad.dtype),
        cpp(x.dtype),
        cpp(mean.dtype),
        cpp(var.dtype),
        type_of(weight, x.dtype),
        cpp(dx.dtype)
    ));
    l.view(grad).view(x);
    channel(&mut l, Some(mean));
    channel(&mut l, Some(var));
    channel(&mut l, weight.as_ref());
    l.word(all).view(dx).words(&plane(x)).words(&steps(grad)).words(&steps(x)).words(&steps(dx));
    l.real(eps);
    sink.dispatch(l)
}
