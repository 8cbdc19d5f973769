//! Running sums, products and extremes.

use super::super::launch::{Launch, Walk, cpp};
use super::super::source;
use super::{Sink, axis, without};
use crate::executor::{Done, ScanOp, View};

pub(super) fn scan(op: ScanOp, x: &View<'_>, dim: usize, out: &View<'_>, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let name = match op {
        ScanOp::Sum => "ScanSum",
        ScanOp::Prod => "ScanProd",
        ScanOp::Max => "ScanMax",
        ScanOp::Min => "ScanMin",
    };
    let (length, x_step) = axis(x, dim);
    let (_, out_step) = axis(out, dim);
    let lines = Walk::of(&without(&x.shape, dim), &[&without(&x.strides, dim), &without(&out.strides, dim)]);
    lines.check()?;
    // With many lines or short ones, one thread per line is faster. Long lines need a block each.
    let threads = length <= 64 || (x_step != 1 && lines.count >= 4096);
    let mut l = Launch::new(&source::SCAN, if threads { "scan_lines" } else { "scan_blocks" });
    l.instance(format_args!("{name},{},{},{}", cpp(x.dtype), cpp(out.dtype), lines.rank()));
    l.view(x).view(out).int(length).int(x_step).int(out_step).walk(&lines);
    if threads {
        l.threads(lines.count);
    } else {
        l.blocks(lines.count as u64);
    }
    sink.dispatch(l)
}
