//! 2-D pooling.

use super::{Sink, WORKGROUP, floating, missing, scatter};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::Launch;
use crate::executor::webgpu::source;
use crate::executor::{Done, Operand, Pool2d, ScatterOp, View};

fn launch<'a>(entry: &'static str, from: (&'static str, &View<'a>), out: &View<'a>) -> Launch<'a> {
    let mut l = Launch::new(&source::POOL);
    l.entry = entry;
    let (name, view) = from;
    l.read(name, view, DType::F32);
    l.write("out", out, DType::F32);
    l.walk("plane", &view.shape[..2], &[(name, &view.strides[..2])]);
    l.walk("at", &out.shape, &[("out", &out.strides)]);
    l.list(if name == "x" { "xs" } else { "gs" }, &view.strides[2..]);
    l
}

/// `large` is the pooled tensor's shape, `small` the result's.
fn sizes(l: &mut Launch<'_>, large: &[usize], small: &[usize]) {
    l.u32("height", large[2]);
    l.u32("width", large[3]);
    l.u32("out_height", small[2]);
    l.u32("out_width", small[3]);
}

fn describe(l: &mut Launch<'_>, params: Pool2d) {
    l.list("kernel", &params.kernel);
    l.list("stride", &params.stride);
    l.list("padding", &params.padding);
    l.list("dilation", &params.dilation);
    l.u32("count_padding", params.count_include_pad as usize);
    // A float represents the divisor as exactly as it represents the sum.
    l.f32("divisor", params.divisor.unwrap_or(0) as f64);
}

pub(super) fn max(sink: &dyn Sink, x: &View<'_>, params: Pool2d, out: &View<'_>, indices: &View<'_>) -> Done {
    floating(x.dtype, "max_pool2d")?;
    let mut l = launch("main_max", ("x", x), out);
    l.write("indices", indices, DType::I64);
    l.walk("at", &indices.shape, &[("indices", &indices.strides)]);
    sizes(&mut l, &x.shape, &out.shape);
    describe(&mut l, params);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

/// Windows may overlap, so this writes zeros and then adds the gradients at the indices.
pub(super) fn max_backward(sink: &dyn Sink, grad: &View<'_>, indices: &View<'_>, out: &View<'_>) -> Done {
    floating(out.dtype, "max_pool2d_backward")?;
    let [planes_n, planes_c, height, width] = out.shape[..] else {
        return Err(missing("max_pool2d_backward", out.dtype));
    };
    if out.strides[2] != width * out.strides[3] {
        return Err(missing("max_pool2d_backward into a strided view", out.dtype));
    }
    super::elementwise::fill(sink, out, Scalar::Int(0))?;
    // The planes as [N, C, H * W], the gradients as [N, C, oh * ow] walked with their own strides.
    let mut target = out.clone();
    target.shape = [planes_n, planes_c, height * width, 1].as_slice().into();
    target.strides = [out.strides[0], out.strides[1], out.strides[3], 0].as_slice().into();
    scatter::scatter(sink, ScatterOp::Add, &target, 2, indices, &Operand::View(grad.clone()))
}

pub(super) fn average(sink: &dyn Sink, x: &View<'_>, params: Pool2d, out: &View<'_>) -> Done {
    floating(x.dtype, "avg_pool2d")?;
    let mut l = launch("main_average", ("x", x), out);
    sizes(&mut l, &x.shape, &out.shape);
    describe(&mut l, params);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn average_backward(sink: &dyn Sink, grad: &View<'_>, params: Pool2d, out: &View<'_>) -> Done {
    floating(out.dtype, "avg_pool2d_backward")?;
    let mut l = launch("main_average_backward", ("grad", grad), out);
    sizes(&mut l, &out.shape, &grad.shape);
    describe(&mut l, params);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn adaptive(sink: &dyn Sink, x: &View<'_>, out: &View<'_>) -> Done {
    floating(x.dtype, "adaptive_avg_pool2d")?;
    let mut l = launch("main_adaptive", ("x", x), out);
    sizes(&mut l, &x.shape, &out.shape);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn adaptive_backward(sink: &dyn Sink, grad: &View<'_>, out: &View<'_>) -> Done {
    floating(out.dtype, "adaptive_avg_pool2d_backward")?;
    let mut l = launch("main_adaptive_backward", ("grad", grad), out);
    sizes(&mut l, &out.shape, &grad.shape);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}
