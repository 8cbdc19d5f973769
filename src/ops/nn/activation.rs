//! Softmax, gated and parametric activations, dropout.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result, double};
use crate::executor::{BinaryOp, Kernel, UnaryOp};
use crate::ops::{self, elementwise, rows};
use crate::shape::{Layout, wrap_dim};
use crate::tensor::{Pin, Tensor};

/// `softmax(x, dim, dtype)`, or its logarithm.
///
/// # Errors
/// Integer dtypes, a dimension out of range.
pub fn softmax(x: &Tensor, dim: i64, log: bool, dtype: Option<DType>) -> Result<Tensor> {
    let x = match dtype {
        Some(dtype) => ops::transfer::cast(x, dtype)?,
        None => x.clone(),
    };
    let d = wrap_dim(dim, x.ndim())?;
    let prefix = if log { "log_" } else { "" };
    if !x.dtype().is_float() {
        let which = if d + 1 >= x.ndim() { "lastdim_kernel" } else { "kernel" };
        return Err(Error::not_implemented(format!(
            "\"{prefix}softmax_{which}_impl\" not implemented for '{}'",
            x.dtype().scalar_name()
        )));
    }
    let out = Tensor::empty_with(Layout::contiguous(&x.shape()), x.dtype(), x.device(), false)?;
    if !x.device().is_meta() && out.numel() > 0 {
        // A single number has a dimension here: it's 1, but NaN where it isn't finite.
        let (x, out) = (x.at_least_1d(), out.at_least_1d());
        let (a, b) = (Pin::of(&x), Pin::of(&out));
        engine::current().launch(x.device(), &Kernel::Softmax { log, x: a.view()?, dim: d, out: b.view()? })?;
    }
    if autograd::needs_grad([&x]) {
        let name = if log { rows::LOG_SOFTMAX.node } else { rows::SOFTMAX.node };
        autograd::record(name, &[Some(&x)], &[Save::Output(&out, 0)], &[&out], move |ctx| {
            Ok(smallvec![Some(softmax_backward(ctx.grad(), &ctx.saved[0], d, log)?)])
        })?;
    }
    Ok(out)
}

fn softmax_backward(g: &Tensor, y: &Tensor, d: usize, log: bool) -> Result<Tensor> {
    if y.ndim() == 0 {
        return ops::zeros_like(g);
    }
    if autograd::needs_grad([g, y]) {
        let dims = [d as i64];
        if log {
            let total = ops::reduce::sum(g, &dims, true, None)?;
            return ops::sub(g, &ops::mul(&ops::unary(UnaryOp::Exp, y)?, &total)?);
        }
        let total = ops::reduce::sum(&ops::mul(g, y)?, &dims, true, None)?;
        return ops::mul(y, &ops::sub(g, &total)?);
    }
    let out = Tensor::empty_with(Layout::contiguous(&y.shape()), y.dtype(), y.device(), false)?;
    if !y.device().is_meta() && out.numel() > 0 {
        let (a, b, c) = (Pin::of(g), Pin::of(y), Pin::of(&out));
        let kernel = Kernel::SoftmaxBackward { log, grad: a.view()?, y: b.view()?, dim: d, out: c.view()? };
        engine::current().launch(y.device(), &kernel)?;
    }
    Ok(out)
}

/// `F.dropout(x, p, training)`. On the CPU, a mask from the generator scales the input; on an accelerator, one kernel
/// does everything.
///
/// # Errors
/// A probability outside [0, 1].
pub fn dropout(x: &Tensor, p: f64, training: bool) -> Result<Tensor> {
    if !(0.0..=1.0).contains(&p) {
        return Err(Error::value(format!("dropout probability has to be between 0 and 1, but got {p}")));
    }
    if !training || p == 0.0 || x.numel() == 0 {
        return Ok(x.clone());
    }
    if p == 1.0 {
        let none = ops::create::zeros(&[], x.dtype(), x.device())?;
        return ops::mul(x, &none);
    }
    let mask = ops::random::dropout_mask(x, p)?;
    let name = if x.device().is_cpu() { rows::MUL.node } else { rows::nodes::NATIVE_DROPOUT };
    elementwise::binary_named(BinaryOp::Mul, &x.into(), &mask.into(), name)
}

/// `F.glu(x, dim)`: the first half times the sigmoid of the second.
///
/// # Errors
/// An odd size.
pub fn glu(x: &Tensor, dim: i64) -> Result<Tensor> {
    if x.ndim() == 0 {
        return Err(Error::runtime("glu does not support 0-dimensional tensors"));
    }
    ops::dtypes::takes(&rows::GLU, x)?;
    let d = wrap_dim(dim, x.ndim())?;
    let size = x.size(d);
    if !size.is_multiple_of(2) {
        return Err(Error::runtime(format!("Halving dimension must be even, but dimension {d} is size {size}")));
    }
    let half = (size / 2) as i64;
    let parts = move |x: &Tensor| -> Result<(Tensor, Tensor)> {
        Ok((ops::view::narrow(x, d as i64, 0, half)?, ops::view::narrow(x, d as i64, half, half)?))
    };
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let (a, b) = parts(x)?;
        ops::mul(&a, &ops::unary(UnaryOp::Sigmoid, &b)?)?
    };
    if autograd::needs_grad([x]) {
        autograd::record(rows::GLU.node, &[Some(x)], &[Save::Input(x)], &[&out], move |ctx| {
            let g = ctx.grad();
            let (a, b) = parts(&ctx.saved[0])?;
            let gate = ops::unary(UnaryOp::Sigmoid, &b)?;
            let ga = ops::mul(g, &gate)?;
            let slope = ops::mul(&gate, &ops::binary(BinaryOp::Sub, &1.0.into(), &(&gate).into())?)?;
            let gb = ops::mul(&ops::mul(g, &a)?, &slope)?;
            Ok(smallvec![Some(ops::shape::cat(&[ga, gb], d as i64)?)])
        })?;
    }
    Ok(out)
}

/// `F.hardshrink(x, lambda)`: 0 between the thresholds, otherwise `x`.
///
/// # Errors
/// Those of an elementwise operator.
pub fn hardshrink(x: &Tensor, lambda: f64) -> Result<Tensor> {
    ops::dtypes::takes(&rows::HARDSHRINK, x)?;
    shrink(x, lambda, rows::HARDSHRINK.node, |x| Ok(x.clone()))
}

/// `F.softshrink(x, lambda)`: 0 between the thresholds, otherwise `x` moved toward 0 by the threshold.
///
/// # Errors
/// A negative threshold.
pub fn softshrink(x: &Tensor, lambda: f64) -> Result<Tensor> {
    ops::dtypes::takes(&rows::SOFTSHRINK, x)?;
    let largest = x.dtype().largest();
    if !(0.0..=largest).contains(&lambda) {
        return Err(Error::runtime(format!(
            "lambda must be in range [0, {}] for input dtype {}, but found {}",
            double(largest),
            x.dtype().scalar_name(),
            double(lambda)
        )));
    }
    shrink(x, lambda, rows::SOFTSHRINK.node, |x| {
        let sign = ops::unary(UnaryOp::Sign, x)?;
        ops::sub(x, &ops::binary(BinaryOp::Mul, &sign.into(), &lambda.into())?)
    })
}

fn shrink(
    x: &Tensor,
    lambda: f64,
    name: &'static str,
    outside: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let (out, small) = {
        let _no_grad = autograd::GradMode::set(false);
        let size = ops::unary(UnaryOp::Abs, x)?;
        let small = ops::binary(BinaryOp::Le, &size.into(), &lambda.into())?;
        (ops::where_(&small, &0.0.into(), &outside(&x.detach())?.into())?, small)
    };
    if autograd::needs_grad([x]) {
        autograd::record(name, &[Some(x)], &[Save::Input(&small)], &[&out], |ctx| {
            Ok(smallvec![Some(ops::where_(&ctx.saved[0], &0.0.into(), &ctx.grad().into())?)])
        })?;
    }
    Ok(out)
}

/// `F.prelu(x, weight)`: one slope, or one for each channel (dimension 1).
///
/// # Errors
/// Another number of slopes.
pub fn prelu(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    ops::device::checked(&rows::PRELU, &[Some(x), Some(weight)])?;
    if x.dtype() != weight.dtype() {
        return Err(Error::runtime(format!(
            "prelu: Type promoting not supported. Got {} and {}",
            x.dtype().scalar_name(),
            weight.dtype().scalar_name()
        )));
    }
    ops::dtypes::takes(&rows::PRELU, x)?;
    let n = weight.numel();
    if weight.ndim() > 1 {
        let text = format!("prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}", weight.ndim());
        return Err(Error::runtime(text));
    }
    if n != 1 && x.ndim() == 0 {
        return Err(Error::runtime("Not allow zero-dim input tensor."));
    }
    let channels = if x.ndim() > 1 { x.size(1) } else { 1 };
    if n != 1 && n != channels {
        return Err(Error::runtime(format!(
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = {n} and channel size = {channels}."
        )));
    }
    let mut shape = vec![1i64; x.ndim()];
    if n != 1 {
        shape[1] = n as i64;
    }
    let slope = move |weight: &Tensor| ops::view::reshape(weight, &shape);
    let positive = |x: &Tensor| ops::binary(BinaryOp::Gt, &x.detach().into(), &0.0.into());
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        ops::where_(&positive(x)?, &x.into(), &ops::mul(x, &slope(weight)?)?.into())?
    };
    if autograd::needs_grad([x, weight]) {
        let whole = weight.shape();
        let save = [Save::Input(x), Save::Input(weight)];
        autograd::record(rows::PRELU.node, &[Some(x), Some(weight)], &save, &[&out], move |ctx| {
            let (g, x, w) = (ctx.grad(), &ctx.saved[0], slope(&ctx.saved[1])?);
            let positive = ops::binary(BinaryOp::Gt, &x.detach().into(), &0.0.into())?;
            let gx =
                if ctx.needs(0) { Some(ops::where_(&positive, &g.into(), &ops::mul(g, &w)?.into())?) } else { None };
            let gw = if ctx.needs(1) {
                let gw = ops::where_(&positive, &0.0.into(), &ops::mul(g, x)?.into())?;
                Some(ops::view::reshape_to(&ops::sum_to(&gw, &w.shape())?, &whole)?)
            } else {
                None
            };
            Ok(smallvec![gx, gw])
        })?;
    }
    Ok(out)
}
