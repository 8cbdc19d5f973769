//! Convolutions in one and two dimensions, and transposed ones.
//!
//! The forward pass, the gradient for the input and the gradient for the weight are three bilinear maps. The gradients of
//! each are the other two, so derivatives of any order exist.
//!
//! Source of shapes and texts: aten/src/ATen/native/Convolution.cpp in PyTorch 2.15.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Conv2d, Kernel};
use crate::ops::transfer::{Format, cast};
use crate::ops::{self, device, rows};
use crate::shape::{Layout, show, show_signed, size};
use crate::tensor::{Pin, Tensor};

/// The settings of a convolution, with one entry per spatial dimension.
#[derive(Clone, Debug)]
pub struct ConvOptions {
    pub stride: Vec<i64>,
    pub padding: Vec<i64>,
    pub dilation: Vec<i64>,
    pub groups: i64,
    /// Only for transposed convolutions.
    pub output_padding: Vec<i64>,
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

    /// The settings in the form that kernels need, for an output of this shape: (height, width), with a height of 1 for a
    /// single dimension.
    ///
    /// # Errors
    /// Numbers that exceed what this machine can count.
    fn params(&self, out: &[usize], kernel: &[usize]) -> Result<Conv2d> {
        // If there is only one window or one tap, the step to the next doesn't matter and may be arbitrarily large.
        let steps = |v: &[i64], counts: &[usize]| -> Vec<i64> {
            v.iter()
                .zip(&counts[2..])
                .map(|(&step, &n)| if n == 1 { step.min(i32::MAX.into()) } else { step })
                .collect()
        };
        let pair = |v: &[i64], fill: i64| {
            let [h, w] = if v.len() == 1 { [fill, v[0]] } else { [v[0], v[1]] };
            Ok([size(h)?, size(w)?])
        };
        Ok(Conv2d {
            stride: pair(&steps(&self.stride, out), 1)?,
            padding: pair(&self.padding, 0)?,
            dilation: pair(&steps(&self.dilation, kernel), 1)?,
            groups: size(self.groups)?,
        })
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

/// Uninitialized memory for the convolution of `x` with `w`: channels last if one of them is. One-dimensional images never are.
fn result(shape: &[usize], x: &Tensor, w: &Tensor) -> Result<Tensor> {
    let last = [x, w].iter().any(|t| t.with_data(|_, l| ops::layout::suggested(l)) == Format::ChannelsLast);
    let format = if last { Format::ChannelsLast } else { Format::Contiguous };
    Tensor::empty_with(ops::layout::of(shape, format), x.dtype(), x.device(), false)
}

fn launch(t: &Tensor, kernel: &Kernel<'_>) -> Result<()> {
    if t.numel() == 0 { Ok(()) } else { engine::current().launch(t.device(), kernel) }
}

/// `x` * `w` (+ bias), recorded.
fn forward(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, params: Conv2d, out_shape: &[usize]) -> Result<Tensor> {
    let out = result(out_shape, x, w)?;
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
        autograd::record(rows::CONV2D.node, &inputs, &save, &[&out], move |ctx| {
            let (x, w, g) = (&ctx.saved[0], &ctx.saved[1], ctx.grad());
            Ok(smallvec![
                if ctx.needs(0) { Some(grad_input(g, w, None, params, &xs, x)?) } else { None },
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

/// The gradient for the input, channels last if `like` or `w` is. With a bias, it's also the forward pass of a transposed convolution.
fn grad_input(
    g: &Tensor,
    w: &Tensor,
    bias: Option<&Tensor>,
    params: Conv2d,
    shape: &[usize],
    like: &Tensor,
) -> Result<Tensor> {
    let out = result(shape, like, w)?;
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
        autograd::record(rows::CONV2D.node, &inputs, &save, &[&out], move |ctx| {
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
        autograd::record(rows::nodes::CONVOLUTION_BACKWARD, &[Some(g), Some(x)], &save, &[&out], move |ctx| {
            let (g, x, gg) = (&ctx.saved[0], &ctx.saved[1], ctx.grad());
            Ok(smallvec![
                if ctx.needs(0) { Some(forward(x, gg, None, params, &gs)?) } else { None },
                if ctx.needs(1) { Some(grad_input(g, gg, None, params, &xs, x)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

/// The same-device check: if cuDNN or oneDNN would take the input, the error names the types; otherwise it's the error
/// of the kernel's wrapper.
fn check_device(x: &Tensor, w: &Tensor, bias: Option<&Tensor>, transposed: bool) -> Result<()> {
    let cudnn = x.device().is_cuda() && engine::current().settings.uses_cudnn();
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
    let row = match (cudnn, transposed) {
        (true, false) => &rows::CONV_CUDNN,
        (true, true) => &rows::CONV_TRANSPOSE_CUDNN,
        (false, false) => &rows::CONV2D,
        (false, true) => &rows::CONV_TRANSPOSE2D,
    };
    let Err(error) = device::checked(row, &[Some(x), Some(w), bias]) else { return Ok(()) };
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
    if o.padding.iter().any(|&n| n < 0) {
        return Err(Error::runtime("negative padding is not supported"));
    }
    if o.output_padding.iter().any(|&n| n < 0) {
        return Err(Error::runtime("negative output_padding is not supported"));
    }
    if o.stride.iter().any(|&n| n <= 0) {
        return Err(Error::runtime("non-positive stride is not supported"));
    }
    if o.dilation.iter().any(|&n| n < 0) {
        return Err(Error::runtime("dilation should be greater than zero"));
    }
    if o.groups <= 0 {
        return Err(Error::runtime("non-positive groups is not supported"));
    }
    const MOST: i64 = i64::MAX / 2;
    if let Some(i) = o.padding.iter().position(|&n| n > MOST) {
        return Err(Error::runtime(format!(
            "Given padding={} at dimension {i} , expected padding to be at most {MOST}",
            o.padding[i]
        )));
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
    if (ws[0] as i64) < o.groups {
        return Err(Error::runtime(format!(
            "Given groups={}, expected weight to be at least {} at dimension 0, but got weight of size {} instead",
            o.groups,
            o.groups,
            show(&ws)
        )));
    }
    // There can't be more groups than output channels.
    let groups = size(o.groups)?;
    if !ws[0].is_multiple_of(groups) {
        return Err(Error::runtime(format!(
            "Given groups={}, expected weight to be divisible by {} at dimension 0, but got weight of size [{}] instead",
            o.groups,
            o.groups,
            show(&ws)
        )));
    }
    let expected = if transposed { ws[0] } else { ws[1] * groups };
    if xs[1] != expected {
        let given = if transposed { "transposed=1".to_string() } else { format!("groups={}", o.groups) };
        return Err(Error::runtime(format!(
            "Given {given}, weight of size {}, expected input{} to have {expected} channels, but got {} channels instead",
            show(&ws),
            show(&xs),
            xs[1]
        )));
    }
    let outputs = if transposed { ws[1] * groups } else { ws[0] };
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
    if o.dilation.contains(&0) {
        return Err(Error::runtime(if transposed {
            let [h, w] = if n == 1 { [1, o.dilation[0]] } else { [o.dilation[0], o.dilation[1]] };
            format!("dilation should be greater than zero, but got dilation_height: {h}, dilation_width: {w}")
        } else {
            format!("dilation should be greater than zero, but got {}", show_signed(&o.dilation))
        }));
    }
    // cuDNN's entry point checks the bias before the weight, and so does the CPU's for ordinary convolutions.
    let cudnn = x.device().is_cuda() && engine::current().settings.uses_cudnn();
    let bias_first = cudnn || x.device().is_cpu() && !transposed;
    if let Some(b) = bias.filter(|b| bias_first && b.dtype() != x.dtype()) {
        return Err(mixed_dtypes(x, "bias", b));
    }
    if cudnn && x.dtype() != w.dtype() {
        return Err(mixed_dtypes(x, "weight", w));
    }
    if x.dtype() != w.dtype() {
        return Err(if x.device().is_cpu() { mixed_on_cpu(x, w, o, transposed) } else { dtypes_differ(x, w) });
    }
    if let Some(b) = bias.filter(|b| b.dtype() != x.dtype()) {
        return Err(mixed_dtypes(x, "bias", b));
    }
    Ok(())
}

fn dtypes_differ(x: &Tensor, w: &Tensor) -> Error {
    Error::runtime(format!("expected scalar type {} but found {}", x.dtype().scalar_name(), w.dtype().scalar_name()))
}

/// A weight of another dtype than the input's: each of the CPU's backends has words of its own.
///
/// Source: `use_mkldnn` in aten/src/ATen/native/Convolution.cpp.
fn mixed_on_cpu(x: &Tensor, w: &Tensor, o: &ConvOptions, transposed: bool) -> Error {
    let (s, k) = (x.shape(), w.shape());
    let many = o.groups > 1 || k[2..].iter().all(|&n| n > 3) || s[0] > 1 || x.numel() > 20480;
    let one_dnn = matches!(x.dtype(), DType::F16 | DType::BF16) || x.dtype() == DType::F32 && many;
    let names = format!("Input type ({}) and weight type ({}) should be the same", type_in_cpp(x), type_in_cpp(w));
    match x.dtype() {
        _ if one_dnn => {
            Error::runtime(format!("{names} or input should be a MKLDNN tensor and weight is a dense tensor"))
        }
        dtype if dtype.is_complex() => Error::runtime(names),
        DType::Bool if !transposed => ops::dtypes::refused("slow_conv2d_cpu", x.dtype(), x.device()),
        DType::Bool | DType::U8 if transposed => {
            ops::dtypes::refused("slow_conv_transpose2d_out_cpu", x.dtype(), x.device())
        }
        _ => dtypes_differ(x, w),
    }
}

/// A tensor's type as C++ prints it: types that came late have no `torch.…Tensor`.
fn type_in_cpp(t: &Tensor) -> String {
    match t.dtype() {
        DType::BF16 | DType::Bool | DType::C64 | DType::C128 => format!("CPU{}Type", t.dtype().scalar_name()),
        _ => ops::view::type_name(t),
    }
}

fn mixed_dtypes(x: &Tensor, name: &str, t: &Tensor) -> Error {
    Error::runtime(format!(
        "Input type ({}) and {name} type ({}) should be the same",
        x.dtype().c_name(),
        t.dtype().c_name()
    ))
}

/// Refuses a bias of another dtype than the input's, before anything else is looked at. Transposed convolutions don't.
///
/// # Errors
/// Dtypes that differ.
pub(crate) fn check_bias(x: &Tensor, bias: Option<&Tensor>) -> Result<()> {
    bias.filter(|b| b.dtype() != x.dtype()).map_or(Ok(()), |b| Err(mixed_dtypes(x, "bias", b)))
}

/// Refuses inputs that are neither a batch nor one of its entries. `n` spatial dimensions.
///
/// # Errors
/// Another number of dimensions.
pub(crate) fn check_input(x: &Tensor, n: usize, name: &str) -> Result<()> {
    if matches!(x.ndim().checked_sub(n), Some(1 | 2)) {
        return Ok(());
    }
    Err(Error::runtime(format!(
        "Expected {}D (unbatched) or {}D (batched) input to {name}, but got input of size: {}",
        n + 1,
        n + 2,
        show(&x.shape())
    )))
}

/// Refuses a weight without a kernel.
///
/// # Errors
/// Fewer than three dimensions.
pub(crate) fn check_weight(w: &Tensor) -> Result<()> {
    if w.ndim() > 2 { Ok(()) } else { Err(Error::runtime("weight should have at least three dimensions")) }
}

/// Adds and removes the batch dimension of an unbatched input.
fn batched(x: &Tensor, n: usize, name: &str, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    check_input(x, n, name)?;
    if x.ndim() == n + 2 {
        return f(x);
    }
    let out = f(&ops::view::unsqueeze(x, 0)?)?;
    ops::view::squeeze_dim(&out, 0)
}

/// The padding of `padding="same"`: half of what a kernel reaches over, rounded down. [`pad_same`] adds the rest.
///
/// # Errors
/// A stride.
pub(crate) fn same_padding(kernel: &[usize], stride: &[i64], dilation: &[i64]) -> Result<Vec<i64>> {
    if stride.iter().any(|&s| s != 1) {
        return Err(Error::runtime("padding='same' is not supported for strided convolutions"));
    }
    // If this overflows, it's refused because of its size: no input is that large.
    let half = |(&k, &d): (&usize, &i64)| d.saturating_mul(k.saturating_sub(1) as i64) / 2;
    Ok(kernel.iter().zip(dilation).map(half).collect())
}

/// The padding that `padding="same"` adds before a convolution that pads both sides equally. If the kernel's reach is an odd
/// number of elements, one more is needed after the last element.
///
/// # Errors
/// Out of memory.
pub(crate) fn pad_same(x: &Tensor, kernel: &[usize], dilation: &[i64]) -> Result<Tensor> {
    let odd = |i: usize| (dilation[i] % 2) * ((kernel[i].max(1) - 1) % 2) as i64;
    let pads: Vec<i64> = (0..kernel.len()).rev().flat_map(|i| [0, odd(i)]).collect();
    if pads.iter().all(|&p| p == 0) { Ok(x.clone()) } else { super::pad::pad(x, &pads, "constant", 0.0.into()) }
}

/// A convolution of complex numbers: four of their parts, and the bias.
fn of_complex(
    x: &Tensor,
    w: &Tensor,
    bias: Option<&Tensor>,
    f: impl Fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let out = ops::matmul::of_parts(x, w, rows::CONV2D.node, f)?;
    with_bias(out, bias)
}

/// A convolution of integers on the CPU, which wraps around as PyTorch's does. The kernels compute with floating-point numbers, so
/// wide integers are split into digits of 16 bits: float64 holds the sums of their products exactly.
fn of_integers(
    x: &Tensor,
    w: &Tensor,
    bias: Option<&Tensor>,
    f: impl Fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let dtype = x.dtype();
    let digits = dtype.size().div_ceil(2) as i64;
    let digit = |t: &Tensor, k: i64| -> Result<Tensor> {
        let mut t = cast(t, DType::I64)?;
        if digits > 1 {
            t = ops::binary(BinaryOp::Shr, &t.into(), &(16 * k).into())?;
            t = ops::binary(BinaryOp::BitAnd, &t.into(), &0xffff_i64.into())?;
        }
        cast(&t, DType::F64)
    };
    let mut sum: Option<Tensor> = None;
    for i in 0..digits {
        for j in 0..digits - i {
            let product = cast(&f(&digit(x, i)?, &digit(w, j)?)?, DType::I64)?;
            let placed = ops::binary(BinaryOp::Shl, &product.into(), &(16 * (i + j)).into())?;
            sum = Some(match sum {
                Some(sum) => ops::add(&sum, &placed)?,
                None => placed,
            });
        }
    }
    let Some(sum) = sum else { return Err(Error::runtime("a dtype without bytes")) };
    let out = cast(&sum, dtype)?;
    with_bias(out, bias)
}

/// A result and the bias of its channels.
fn with_bias(out: Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let Some(bias) = bias else { return Ok(out) };
    let mut shape: crate::shape::Dims = smallvec![1; out.ndim()];
    shape[1] = bias.numel();
    ops::add(&out, &ops::view::reshape_to(bias, &shape)?)
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
        let reach: Vec<i128> = (0..n).map(|i| i128::from(o.dilation[i]) * (ws[2 + i].max(1) - 1) as i128 + 1).collect();
        let padded: Vec<i128> = (0..n).map(|i| xs[2 + i] as i128 + 2 * i128::from(o.padding[i])).collect();
        if (0..n).any(|i| padded[i] < reach[i]) {
            let by = |v: &[i128]| v.iter().map(i128::to_string).collect::<Vec<_>>().join(" x ");
            return Err(Error::runtime(format!(
                "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                by(&padded),
                by(&reach)
            )));
        }
        let mut sizes = vec![xs[0] as i128, ws[0] as i128];
        sizes.extend((0..n).map(|i| (padded[i] - reach[i]) / i128::from(o.stride[i]) + 1));
        let shape = ops::create::counted(&sizes, x.dtype(), x.device())?;
        ops::dtypes::takes(&rows::CONV2D, x)?;
        if x.dtype().is_complex() {
            return of_complex(x, w, bias, |x, w| conv(x, w, None, o));
        }
        if x.dtype().is_integral() && x.device().is_cpu() {
            if x.dtype() != DType::I64 && o.dilation.iter().any(|&d| d != 1) {
                return Err(ops::dtypes::refused("slow_conv_dilated<>", x.dtype(), x.device()));
            }
            return of_integers(x, w, bias, |x, w| conv(x, w, None, o));
        }
        forward(x, w, bias, o.params(&shape, &ws)?, &shape)
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
            let pair = |v: &[i64], fill: i64| if v.len() == 1 { [fill, v[0]] } else { [v[0], v[1]] };
            let (p, s, d) = (pair(&o.output_padding, 0), pair(&o.stride, 1), pair(&o.dilation, 1));
            return Err(Error::runtime(format!(
                "output padding must be smaller than either stride or dilation, but got output_padding_height: {} output_padding_width: {} stride_height: {} stride_width: {} dilation_height: {} dilation_width: {}",
                p[0], p[1], s[0], s[1], d[0], d[1]
            )));
        }
        let size_of = |i: usize| {
            let steps = (xs[2 + i].max(1) - 1) as i128 * i128::from(o.stride[i]);
            let reach = i128::from(o.dilation[i]) * (ws[2 + i].max(1) - 1) as i128;
            steps + reach + i128::from(o.output_padding[i]) + 1 - 2 * i128::from(o.padding[i])
        };
        let spatial: Vec<i128> = (0..n).map(size_of).collect();
        if spatial.iter().any(|&s| s < 1) {
            let by = |v: &[i128]| {
                let lead = if n == 1 { vec!["1".to_string()] } else { vec![] };
                lead.into_iter().chain(v.iter().map(i128::to_string)).collect::<Vec<_>>().join(" x ")
            };
            let given: Vec<i128> = xs[2..].iter().map(|&s| s as i128).collect();
            return Err(Error::runtime(format!(
                "Given input size per channel: ({}). Calculated output size per channel: ({}). Output size is too small",
                by(&given),
                by(&spatial)
            )));
        }
        let mut sizes = vec![xs[0] as i128, (ws[1] * size(o.groups)?) as i128];
        sizes.extend(spatial);
        let shape = ops::create::counted(&sizes, x.dtype(), x.device())?;
        ops::dtypes::takes(&rows::CONV_TRANSPOSE2D, x)?;
        if x.dtype().is_complex() {
            return of_complex(x, w, bias, |x, w| conv_transpose(x, w, None, o));
        }
        if x.dtype().is_integral() && x.device().is_cpu() {
            return of_integers(x, w, bias, |x, w| conv_transpose(x, w, None, o));
        }
        grad_input(x, w, bias, o.params(&xs, &ws)?, &shape, x)
    })
}
