//! 2-D convolution and its gradients.

use super::{Sink, WORKGROUP, floating};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::Launch;
use crate::executor::webgpu::source;
use crate::executor::{Conv2d, Done, View};

/// The sizes that all three kernels need: of `x` [N, C, H, W], `w` [O, C/groups, kh, kw] and the output.
fn describe(l: &mut Launch<'_>, params: Conv2d, x: &[usize], w: &[usize], out: &[usize]) {
    l.u32("inputs_a_group", w[1]);
    l.u32("outputs_a_group", (w[0] / params.groups.max(1)).max(1));
    l.u32("height", x[2]);
    l.u32("width", x[3]);
    l.u32("kernel_height", w[2]);
    l.u32("kernel_width", w[3]);
    l.u32("out_height", out[2]);
    l.u32("out_width", out[3]);
    l.list("stride", &params.stride);
    l.list("padding", &params.padding);
    l.list("dilation", &params.dilation);
}

pub(super) fn forward(
    sink: &dyn Sink,
    x: &View<'_>,
    w: &View<'_>,
    bias: Option<&View<'_>>,
    params: Conv2d,
    out: &View<'_>,
) -> Done {
    floating(out.dtype, "conv2d")?;
    let mut l = Launch::new(&source::CONV);
    l.entry = "main_forward";
    l.read("x", x, DType::F32);
    l.read("w", w, DType::F32);
    match bias {
        Some(bias) => {
            l.read("bias", bias, DType::F32);
            l.u32("bias_stride", bias.strides[0]);
        }
        None => {
            l.constant("bias", Scalar::Float(0.0), DType::F32);
            l.u32("bias_stride", 0);
        }
    }
    l.write("out", out, DType::F32);
    l.walk("at", &out.shape, &[("out", &out.strides)]);
    describe(&mut l, params, &x.shape, &w.shape, &out.shape);
    l.u32("outputs", w.shape[0]);
    l.list("xs", &x.strides);
    l.list("ws", &w.strides);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn grad_input(sink: &dyn Sink, grad: &View<'_>, w: &View<'_>, params: Conv2d, out: &View<'_>) -> Done {
    floating(out.dtype, "conv2d_grad_input")?;
    let mut l = Launch::new(&source::CONV);
    l.entry = "main_grad_input";
    l.read("grad", grad, DType::F32);
    l.read("w", w, DType::F32);
    l.write("out", out, DType::F32);
    l.walk("at", &out.shape, &[("out", &out.strides)]);
    describe(&mut l, params, &out.shape, &w.shape, &grad.shape);
    l.u32("inputs", out.shape[1]);
    l.list("gs", &grad.strides);
    l.list("ws", &w.strides);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn grad_weight(sink: &dyn Sink, grad: &View<'_>, x: &View<'_>, params: Conv2d, out: &View<'_>) -> Done {
    floating(out.dtype, "conv2d_grad_weight")?;
    let mut l = Launch::new(&source::CONV);
    l.entry = "main_grad_weight";
    l.read("grad", grad, DType::F32);
    l.read("x", x, DType::F32);
    l.write("out", out, DType::F32);
    l.walk("at", &out.shape, &[("out", &out.strides)]);
    describe(&mut l, params, &x.shape, &out.shape, &grad.shape);
    l.u32("batch", x.shape[0]);
    l.list("gs", &grad.strides);
    l.list("xs", &x.strides);
    l.u32("n", out.numel());
    l.workgroups(out.numel(), 64);
    sink.dispatch(l)
}
