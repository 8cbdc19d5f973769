//! Softmax, log-softmax and their gradients.

use super::{Sink, WORKGROUP, floating};
use crate::dtype::DType;
use crate::executor::webgpu::launch::Launch;
use crate::executor::webgpu::source;
use crate::executor::{Done, View};

pub(super) fn forward(sink: &dyn Sink, log: bool, x: &View<'_>, dim: usize, out: &View<'_>) -> Done {
    floating(x.dtype, "softmax")?;
    let mut l = Launch::new(&source::SOFTMAX);
    l.set("SHARE", if log { "log_share" } else { "share" });
    l.read("x", x, DType::F32);
    l.write("out", out, DType::F32);
    let (rows, count) = l.rows(&x.shape, dim, &[("x", &x.strides), ("out", &out.strides)]);
    dispatch(sink, l, rows, count, ["main_serial", "main_tree"])
}

pub(super) fn backward(sink: &dyn Sink, log: bool, grad: &View<'_>, y: &View<'_>, dim: usize, out: &View<'_>) -> Done {
    floating(y.dtype, "softmax")?;
    let mut l = Launch::new(&source::SOFTMAX);
    l.set("WEIGH", if log { "weigh_log" } else { "weigh" });
    l.set("SLOPE", if log { "slope_log" } else { "slope" });
    l.read("grad", grad, DType::F32);
    l.read("y", y, DType::F32);
    l.write("out", out, DType::F32);
    let operands = [("grad", &grad.strides[..]), ("y", &y.strides), ("out", &out.strides)];
    let (rows, count) = l.rows(&y.shape, dim, &operands);
    dispatch(sink, l, rows, count, ["main_backward_serial", "main_backward_tree"])
}

fn dispatch(sink: &dyn Sink, mut l: Launch<'_>, rows: usize, count: usize, entries: [&'static str; 2]) -> Done {
    l.u32("count", count);
    if count >= 128 && (rows < 1024 || count >= 4096) {
        l.entry = entries[1];
        l.u32("n", rows);
        l.workgroups(rows, if count >= 1024 { 256 } else { 64 });
    } else {
        l.entry = entries[0];
        l.threads(rows, WORKGROUP);
    }
    sink.dispatch(l)
}
