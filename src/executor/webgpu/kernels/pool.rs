//! 2-D pooling of images [N, C, H, W].

use super::{Sink, WORKGROUP, floating, missing, scatter};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::Launch;
use crate::executor::webgpu::source;
use crate::executor::{Done, Fault, Operand, Pool2d, ScatterOp, View};

/// A launch that reads `from` and writes `out`. A thread computes one element of `out`.
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

/// Passes the sizes of images to a shader: `large` is the shape before pooling, `small` the shape after it.
fn sizes(l: &mut Launch<'_>, large: &[usize], small: &[usize]) {
    l.u32("height", large[2]);
    l.u32("width", large[3]);
    l.u32("out_height", small[2]);
    l.u32("out_width", small[3]);
}

/// Passes the windows to a shader.
fn describe(l: &mut Launch<'_>, params: Pool2d) {
    l.list("kernel", &params.kernel);
    l.list("stride", &params.stride);
    l.list("padding", &params.padding);
    l.list("dilation", &params.dilation);
    l.u32("count_padding", params.count_include_pad as usize);
    // The shader divides a float32 by it, so it needs no more digits than a float32 has.
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
    let [batch, channels, height, width] = out.shape[..] else {
        return Err(missing("max_pool2d_backward", out.dtype));
    };
    if out.strides[2] != width * out.strides[3] {
        return Err(Fault::Unsupported(format!(
            "the WebGPU executor's max_pool2d_backward needs images whose rows follow each other in memory, and here a row is \
             {width} elements of stride {}, but rows are {} apart",
            out.strides[3], out.strides[2]
        )));
    }
    super::elementwise::fill(sink, out, Scalar::Int(0))?;
    // The images as [N, C, H * W], at which `indices` count. The gradients are visited with their own strides.
    let mut target = out.clone();
    target.shape = [batch, channels, height * width, 1].as_slice().into();
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
