//! Negative log likelihood.

use super::super::launch::{Launch, address, cpp};
use super::super::source;
use super::{Sink, elementwise, float_only, unsupported};
use crate::dtype::{DType, Scalar};
use crate::executor::{Done, Reduction, View};

/// The reduction as the number that `shaders/loss.cu` gives it.
fn number(reduction: Reduction) -> u8 {
    match reduction {
        Reduction::None => 0,
        Reduction::Mean => 1,
        Reduction::Sum => 2,
    }
}

/// The struct `Rows` of `shaders/loss.cu` as 64-bit words. `scores` is [rows, classes]. `each` is the output, or its gradient;
/// without a reduction it has one element for each row.
fn rows(scores: &View<'_>, ignore: i64, target: &View<'_>, weight: &Option<View<'_>>, each: &View<'_>) -> [u64; 8] {
    let first = |v: &View<'_>| v.strides.first().copied().unwrap_or(0) as u64;
    [
        scores.shape[0] as u64,
        scores.shape[1] as u64,
        ignore as u64,
        scores.strides[0] as u64,
        scores.strides[1] as u64,
        first(target),
        weight.as_ref().map_or(0, first),
        first(each),
    ]
}

fn check_target(target: &View<'_>) -> Done {
    match target.dtype {
        DType::I64 | DType::U8 => Ok(()),
        other => Err(unsupported("nll_loss", other)),
    }
}

pub(super) fn forward(
    logp: &View<'_>,
    target: &View<'_>,
    weight: &Option<View<'_>>,
    ignore: i64,
    reduction: Reduction,
    [out, total_weight]: [&View<'_>; 2],
    sink: &dyn Sink,
) -> Done {
    float_only("nll_loss", logp.dtype)?;
    check_target(target)?;
    let faults = sink.faults();
    let mut l = Launch::new(&source::LOSS, "nll");
    l.block = 1024;
    l.instance(format_args!(
        "{},{},{},{},{},{}",
        cpp(logp.dtype),
        cpp(target.dtype),
        cpp(weight.as_ref().map_or(logp.dtype, |w| w.dtype)),
        cpp(out.dtype),
        cpp(total_weight.dtype),
        number(reduction)
    ));
    l.view(logp).view(target).option(weight.as_ref()).view(out).view(total_weight);
    l.words(&rows(logp, ignore, target, weight, out)).words(&faults);
    sink.dispatch(l)
}

pub(super) fn backward(
    grad: &View<'_>,
    target: &View<'_>,
    weight: &Option<View<'_>>,
    ignore: i64,
    reduction: Reduction,
    [total_weight, out]: [&View<'_>; 2],
    sink: &dyn Sink,
) -> Done {
    float_only("nll_loss_backward", out.dtype)?;
    check_target(target)?;
    if out.numel() == 0 {
        return Ok(());
    }
    if out.is_contiguous() {
        sink.zero(address(out)?, out.numel() * out.dtype.size())?;
    } else {
        elementwise::fill(out, Scalar::Float(0.0), sink)?;
    }
    let faults = sink.faults();
    let mut l = Launch::new(&source::LOSS, "nll_backward");
    l.instance(format_args!(
        "{},{},{},{},{},{}",
        cpp(grad.dtype),
        cpp(target.dtype),
        cpp(weight.as_ref().map_or(out.dtype, |w| w.dtype)),
        cpp(total_weight.dtype),
        cpp(out.dtype),
        number(reduction)
    ));
    l.view(grad).view(target).option(weight.as_ref()).view(total_weight).view(out);
    l.words(&rows(out, ignore, target, weight, grad)).words(&faults).threads(out.shape[0]);
    sink.dispatch(l)
}
