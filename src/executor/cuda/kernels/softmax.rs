//! Softmax and its logarithm.

use smallvec::SmallVec;

use super::super::launch::{Launch, Walk, cpp};
use super::super::source;
use super::{Packs, Sink, axis, float_only, without};
use crate::executor::{Done, View};

/// Which kernel is used for lines of a given length.
enum Shape {
    /// One warp for each line, with this many elements for each lane.
    Warps(usize),
    /// One block for each line, which fits into its registers in packs.
    Rows(Packs),
    Blocks,
    Threads,
}

/// `dense` says that the elements of a line are adjacent in every operand.
fn shape(length: usize, dense: bool, packs: Option<Packs>) -> Shape {
    match (length, packs) {
        _ if !dense => Shape::Threads,
        (0..=1024, _) => Shape::Warps(length.div_ceil(32).next_power_of_two().max(1)),
        (_, Some(packs)) => Shape::Rows(packs),
        _ => Shape::Blocks,
    }
}

pub(super) fn forward(log: bool, x: &View<'_>, dim: usize, out: &View<'_>, sink: &dyn Sink) -> Done {
    float_only("softmax", out.dtype)?;
    lower(log, "softmax", &[x], dim, out, sink)
}

pub(super) fn backward(log: bool, grad: &View<'_>, y: &View<'_>, dim: usize, out: &View<'_>, sink: &dyn Sink) -> Done {
    float_only("softmax_backward", out.dtype)?;
    lower(log, "softmax_backward", &[grad, y], dim, out, sink)
}

fn lower(log: bool, kernel: &str, inputs: &[&View<'_>], dim: usize, out: &View<'_>, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let (length, out_step) = axis(out, dim);
    let rest: Vec<_> = inputs.iter().chain([&out]).map(|v| without(&v.strides, dim)).collect();
    let slices: Vec<&[usize]> = rest.iter().map(|s| &s[..]).collect();
    let lines = Walk::of(&without(&out.shape, dim), &slices);
    lines.check()?;
    let dense = length == 1 || inputs.iter().chain([&out]).all(|v| axis(v, dim).1 == 1);
    let views: SmallVec<[&View<'_>; 3]> = inputs.iter().copied().chain([out]).collect();
    // The backward pass keeps two values of each element.
    let most = if inputs.len() > 1 { 16 } else { 32 };
    let packs = Packs::of(length, &views, 256, most)?;
    let even = |p: &Packs| p.threads == 256 && rest.iter().flatten().all(|s| s.is_multiple_of(p.pack));
    let shape = shape(length, dense, packs.filter(even));
    let (suffix, items) = match &shape {
        Shape::Warps(items) => ("warps", Some(items.to_string())),
        Shape::Rows(packs) => ("rows", Some(format!("{},{}", packs.pack, packs.each))),
        Shape::Blocks => ("blocks", None),
        Shape::Threads => ("threads", None),
    };
    let types = inputs.iter().chain([&out]).map(|v| cpp(v.dtype)).collect::<Vec<_>>().join(",");
    let mut l = Launch::new(&source::SOFTMAX, &format!("{kernel}_{suffix}"));
    match items {
        Some(items) => l.instance(format_args!("{log},{types},{items},{}", lines.rank())),
        None => l.instance(format_args!("{log},{types},{}", lines.rank())),
    };
    for view in inputs {
        l.view(view);
    }
    l.view(out).int(length);
    if let Shape::Threads = shape {
        for view in inputs {
            l.int(axis(view, dim).1);
        }
        l.int(out_step);
    }
    l.walk(&lines);
    match shape {
        Shape::Warps(_) => l.blocks(lines.count.div_ceil(8) as u64),
        Shape::Rows(_) | Shape::Blocks => l.blocks(lines.count as u64),
        Shape::Threads => l.threads(lines.count),
    };
    sink.dispatch(l)
}
