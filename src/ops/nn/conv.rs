//! Convolutions of one and two dimensions, and transposed ones.
//!
//! The forward pass, the gradient for the input and the gradient for the weight are three bilinear maps; the gradients of
//! each are the other two, so every order of derivative is there.
//!
//! Source of shapes and texts: aten/src/ATen/native/Convolution.cpp in PyTorch 2.15.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{Conv2d, Kernel};
use crate::ops::{self, device};
use crate::shape::{Dims, Layout, show};
use crate::tensor::{Pin, Tensor};

/// The settings of a convolution, one entry a spatial dimension.
#[derive(Clone, Debug)]
pub struct ConvOptions {
    pub stride: Vec<usize>,
    pub padding: Vec<usize>,
    pub dilation: Vec<usize>,
    pub groups: usize,
    /// Only for transposed convolutions.
    pub output_padding: Vec<usize>,
}

impl ConvOptions {
    /// Unit stride, no padding, for `n` spatial dimensions.
    pub fn new(n: usize) -> ConvOptions {
        ConvOptions {
            stride: vec![1; n],
            padding: vec![0; n],
            dilation: vec![1; n],
            groups: 1,
            output_padding: vec![0; n],
        }
    }

    /// As the kernels want it: (height, width), a height of 1 in front of a single dimension.
    fn params(&self) -> Conv2d {
        let pair = |v: &[usize], fill: usize| if v.len() == 1 { [fill, v[0]] } else { [v[0], v[1]] };
        Conv2d {
            stride: pair(&self.stride, 1),
            padding: pair(&self.padding, 0),
            dilation: pair(&self.dilation, 1),
            groups: self.groups,
        }
    }
}

/// A layout with a height of 1 inserted before the last dimension of a 3-D one.
fn lift(t: &Tensor) -> Tensor {
    let mut l = t.layout();
    if l.ndim() == 3 {
        l.shape.insert(2, 1);
        l.strides.insert(2, 0);
    }
    t.alias(l)
}

fn empty(shape: &[usize], like: &Tensor) -> Result<Tensor> {
    Tensor::empty_with(Layout::contiguous(shape), like.dtype(), like.device(), false)
}

fn launch(t: &Tensor, kernel: &Kernel<'_>) -> Result<()> {
    if t.numel() == 0 { Ok(()) } else { engine::current().launch(t.device(), kernel) }
}

/// `x` * `w` (+ bias), recorded.
fn forward(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, params: Conv2d, out_shape: &[usize]) -> Result<Tensor> {
    let out = empty(out_shape, x)?;
    if !out.device().is_meta() {
        let (a, b, c) = (Pin::of(&lift(x)), Pin::of(&lift(w)), Pin::of(&lift(&out)));
        let pin = bias.map(Pin::of);
        let bias = match &pin {
            Some(p) => Some(p.view()?),
            None => None,
        };
        launch(&out, &Kernel::Conv2d { x: a.view()?, w: b.view()?, bias, params, out: c.view()? })?;
    }
    let inputs = [Some(x), Some(w), bias];
    if autograd::needs_grad(inputs.into_iter().flatten()) {
        let (xs, ws) = (x.shape(), w.shape());
        let save = [Save::Input(x), Save::Input(w)];
        autograd::record("ConvolutionBackward0", &inputs, &save, &[&out], move |ctx| {
            let (x, w, g) = (&ctx.saved[0], &ctx.saved[1], ctx.grad());
            Ok(smallvec![
                if ctx.needs(0) { Some(grad_input(g, w, None, params, &xs)?) } else { None },
                if ctx.needs(1) { Some(grad_weight(g, x, params, &ws)?) } else { None },
                if ctx.needs(2) { Some(bias_grad(g)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

fn bias_grad(g: &Tensor) -> Result<Tensor> {
    let dims: Vec<i64> = (0..g.ndim() as i64).filter(|&d| d != 1).collect();
    ops::reduce::sum(g, &dims, false, None)
}

/// The gradient for the input, which is also the forward pass of a transposed convolution (then with a bias).
fn grad_input(g: &Tensor, w: &Tensor, bias: Option<&Tensor>, params: Conv2d, shape: &[usize]) -> Result<Tensor> {
    let out = empty(shape, g)?;
    if !out.device().is_meta() {
        let (a, b, c) = (Pin::of(&lift(g)), Pin::of(&lift(w)), Pin::of(&lift(&out)));
        launch(&out, &Kernel::Conv2dGradInput { grad: a.view()?, w: b.view()?, params, out: c.view()? })?;
        if let Some(bias) = bias {
            let mut column = vec![1; out.ndim()];
            column[1] = bias.numel() as i64;
            ops::elementwise::add_data(&out, &ops::view::reshape(&bias.detach(), &column)?)?;
        }
    }
    let inputs = [Some(g), Some(w), bias];
    if autograd::needs_grad(inputs.into_iter().flatten()) {
        let (gs, ws) = (g.shape(), w.shape());
        let save = [Save::Input(g), Save::Input(w)];
        autograd::record("ConvolutionBackward0", &inputs, &save, &[&out], move |ctx| {
            let (g, w, gg) = (&ctx.saved[0], &ctx.saved[1], ctx.grad());
            Ok(smallvec![
                if ctx.needs(0) { Some(forward(gg, w, None, params, &gs)?) } else { None },
                if ctx.needs(1) { Some(grad_weight(g, gg, params, &ws)?) } else { None },
                if ctx.needs(2) { Some(bias_grad(gg)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

fn grad_weight(g: &Tensor, x: &Tensor, params: Conv2d, shape: &[usize]) -> Result<Tensor> {
    let out = empty(shape, g)?;
    if !out.device().is_meta() {
        let (a, b, c) = (Pin::of(&lift(g)), Pin::of(&lift(x)), Pin::of(&lift(&out)));
        launch(&out, &Kernel::Conv2dGradWeight { grad: a.view()?, x: b.view()?, params, out: c.view()? })?;
    }
    if autograd::needs_grad([g, x]) {
        let (gs, xs) = (g.shape(), x.shape());
        let save = [Save::Input(g), Save::Input(x)];
        autograd::record("ConvolutionBackwardBackward0", &[Some(g), Some(x)], &save, &[&out], move |ctx| {
            let (g, x, gg) = (&ctx.saved[0], &ctx.saved[1], ctx.grad());
            Ok(smallvec![
                if ctx.needs(0) { Some(forward(x, gg, None, params, &gs)?) } else { None },
                if ctx.needs(1) { Some(grad_input(g, gg, None, params, &xs)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

/// Same device: an input that cuDNN or oneDNN would take is reported by the types, everything else by the wrapper of the
/// kernel.
fn check_device(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, transposed: bool) -> Result<()> {
    let cudnn = x.device().is_cuda() && engine::current().uses_cudnn();
    if cudnn {
        let differs = |t: &Tensor| t.device().kind != x.device().kind && !t.device().is_meta();
        for (name, t) in [("weight", Some(w)), ("bias", bias)] {
            if let Some(t) = t.filter(|t| differs(t)) {
                return Err(Error::runtime(format!(
                    "Input type ({}) and {name} type ({}) should be the same",
                    ops::view::type_name(x),
                    ops::view::type_name(t)
                )));
            }
        }
    }
    let wrapper = match (cudnn, transposed) {
        (true, false) => "_cudnn_convolution",
        (true, true) => "_cudnn_convolution_transpose",
        (false, false) => "__slow_conv2d_forward",
        (false, true) => "slow_conv_transpose2d",
    };
    let mut named = vec![("self", x), ("weight", w)];
    named.extend(bias.map(|b| ("bias", b)));
    let Err(error) = device::same(wrapper, &named) else { return Ok(()) };
    let (s, k) = (x.shape(), w.shape());
    let large_kernel = k.len() > 3 && k[2..].iter().all(|&n| n > 3);
    let one_dnn = !transposed && x.device().is_cpu() && (large_kernel || s[0] > 1 || x.numel() > 20480);
    if one_dnn && w.device().is_cuda() {
        return Err(Error::runtime(format!(
            "Input type ({}) and weight type ({}) should be the same or input should be a MKLDNN tensor and weight is a dense tensor",
            ops::view::type_name(x),
            ops::view::type_name(w)
        )));
    }
    Err(error)
}

fn check(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, o: &ConvOptions, transposed: bool) -> Result<()> {
    let n = o.stride.len();
    if o.stride.contains(&0) {
        return Err(Error::runtime("non-positive stride is not supported"));
    }
    if o.dilation.contains(&0) {
        return Err(Error::runtime("dilation should be greater than zero"));
    }
    if w.ndim() != n + 2 {
        return Err(Error::runtime(format!(
            "Expected {}-dimensional input for {}-dimensional weight {}, but got {}-dimensional input of size {} instead",
            w.ndim(),
            w.ndim(),
            show(&w.shape()),
            x.ndim(),
            show(&x.shape())
        )));
    }
    let (ws, xs) = (w.shape(), x.shape());
    if o.groups == 0 {
        return Err(Error::runtime("non-positive groups is not supported"));
    }
    if !ws[0].is_multiple_of(o.groups) {
        return Err(Error::runtime(format!(
            "Given groups={}, expected weight to be divisible by {} at dimension 0, but got weight of size [{}] instead",
            o.groups,
            o.groups,
            show(&ws)
        )));
    }
    let expected = if transposed { ws[0] } else { ws[1] * o.groups };
    if xs[1] != expected {
        let given = if transposed { "transposed=1".to_string() } else { format!("groups={}", o.groups) };
        return Err(Error::runtime(format!(
            "Given {given}, weight of size {}, expected input{} to have {expected} channels, but got {} channels instead",
            show(&ws),
            show(&xs),
            xs[1]
        )));
    }
    let outputs = if transposed { ws[1] * o.groups } else { ws[0] };
    if let Some(b) = bias
        && (b.ndim() != 1 || b.numel() != outputs)
    {
        return Err(Error::runtime(format!(
            "Given {}weight of size {}, expected bias to be 1-dimensional with {outputs} elements, but got bias of size {} instead",
            if transposed { "transposed=1, " } else { "" },
            show(&ws),
            show(&b.shape())
        )));
    }
    // cuDNN's entry looks at the bias before the weight.
    let cudnn = x.device().is_cuda() && engine::current().uses_cudnn();
    if let Some(b) = bias.filter(|b| cudnn && b.dtype() != x.dtype()) {
        return Err(mixed_dtypes(x, "bias", b));
    }
    if cudnn && x.dtype() != w.dtype() {
        return Err(mixed_dtypes(x, "weight", w));
    }
    if x.dtype() != w.dtype() {
        return Err(Error::runtime(format!(
            "expected scalar type {} but found {}",
            x.dtype().scalar_name(),
            w.dtype().scalar_name()
        )));
    }
    if let Some(b) = bias.filter(|b| b.dtype() != x.dtype()) {
        return Err(mixed_dtypes(x, "bias", b));
    }
    Ok(())
}

fn mixed_dtypes(x: &Tensor, name: &str, t: &Tensor) -> Error {
    Error::runtime(format!(
        "Input type ({}) and {name} type ({}) should be the same",
        x.dtype().c_name(),
        t.dtype().c_name()
    ))
}

/// Adds and removes the batch dimension of an unbatched input.
fn batched(x: &Tensor, n: usize, name: &str, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    if x.ndim() == n + 2 {
        return f(x);
    }
    if x.ndim() != n + 1 {
        return Err(Error::runtime(format!(
            "Expected {}D (unbatched) or {}D (batched) input to {name}, but got input of size: {}",
            n + 1,
            n + 2,
            show(&x.shape())
        )));
    }
    let out = f(&ops::view::unsqueeze(x, 0)?)?;
    ops::view::squeeze_dims(&out, &[0])
}

/// What `padding="same"` adds before a convolution that pads both sides alike: where a kernel reaches an odd number of
/// elements, one more is wanted after the last.
///
/// # Errors
/// Out of memory.
pub fn pad_same(x: &Tensor, kernel: &[usize], dilation: &[usize]) -> Result<Tensor> {
    let odd = |i: usize| ((dilation[i] * (kernel[i].max(1) - 1)) % 2) as i64;
    let pads: Vec<i64> = (0..kernel.len()).rev().flat_map(|i| [0, odd(i)]).collect();
    if pads.iter().all(|&p| p == 0) { Ok(x.clone()) } else { super::pad::pad(x, &pads, "constant", 0.0.into()) }
}

/// `F.conv1d` and `F.conv2d`, by the number of entries in `o`.
///
/// # Errors
/// PyTorch's texts for sizes, dtypes and devices that do not fit.
pub fn conv(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, o: &ConvOptions) -> Result<Tensor> {
    let n = o.stride.len();
    batched(x, n, &format!("conv{n}d"), |x| {
        check(x, w, bias, o, false)?;
        check_device(x, w, bias, false)?;
        let (xs, ws) = (x.shape(), w.shape());
        let reach: Vec<usize> = (0..n).map(|i| o.dilation[i] * (ws[2 + i] - 1) + 1).collect();
        let padded: Vec<usize> = (0..n).map(|i| xs[2 + i] + 2 * o.padding[i]).collect();
        if (0..n).any(|i| padded[i] < reach[i]) {
            let by = |v: &[usize]| v.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ");
            return Err(Error::runtime(format!(
                "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                by(&padded),
                by(&reach)
            )));
        }
        let mut shape: Dims = smallvec![xs[0], ws[0]];
        shape.extend((0..n).map(|i| (padded[i] - reach[i]) / o.stride[i] + 1));
        ops::dtypes::not_bool("slow_conv2d_cpu", x)?;
        forward(x, w, bias, o.params(), &shape)
    })
}

/// `F.conv_transpose1d` and `F.conv_transpose2d`; the weight is [in, out / groups, ..].
///
/// # Errors
/// As [`conv`].
pub fn conv_transpose(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, o: &ConvOptions) -> Result<Tensor> {
    let n = o.stride.len();
    batched(x, n, &format!("conv_transpose{n}d"), |x| {
        check(x, w, bias, o, true)?;
        check_device(x, w, bias, true)?;
        let (xs, ws) = (x.shape(), w.shape());
        if (0..n).any(|i| o.output_padding[i] >= o.stride[i].max(o.dilation[i])) {
            let p = ConvOptions { padding: o.output_padding.clone(), ..o.clone() }.params();
            return Err(Error::runtime(format!(
                "output padding must be smaller than either stride or dilation, but got output_padding_height: {} output_padding_width: {} stride_height: {} stride_width: {} dilation_height: {} dilation_width: {}",
                p.padding[0], p.padding[1], p.stride[0], p.stride[1], p.dilation[0], p.dilation[1]
            )));
        }
        let mut shape: Dims = smallvec![xs[0], ws[1] * o.groups];
        for i in 0..n {
            let full = (xs[2 + i].max(1) - 1) * o.stride[i] + o.dilation[i] * (ws[2 + i] - 1) + o.output_padding[i] + 1;
            let size = full.checked_sub(2 * o.padding[i]).filter(|&s| s > 0);
            shape.push(size.ok_or_else(|| {
                Error::runtime(format!(
                    "Given input size per channel: {}. Calculated output size per channel is too small",
                    show(&xs[2..])
                ))
            })?);
        }
        ops::dtypes::not_bool("slow_conv_transpose2d_out_cpu", x)?;
        grad_input(x, w, bias, o.params(), &shape)
    })
}
