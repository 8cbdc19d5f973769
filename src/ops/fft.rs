//! Discrete Fourier transforms: complex to complex, real to complex, and complex to real.
//!
//! The functions of `torch.fft` prepare their arguments and call these three.
//! Source of rules and texts: aten/src/ATen/native/SpectralOps.cpp and mkl/SpectralOps.cpp in PyTorch 2.15, and the derivatives in
//! tools/autograd/derivatives.yaml.

use smallvec::smallvec;

use super::create;
use crate::autograd;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel};
use crate::ops::{self, rows};
use crate::shape::{Dims, Layout, wrap_dim};
use crate::tensor::{Pin, Tensor};

/// What a transform's result is multiplied by: PyTorch's `fft_norm_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// Nothing.
    Plain,
    /// 1 / sqrt(n), where n is the number of elements that are transformed together.
    ByRoot,
    /// 1 / n.
    ByCount,
}

impl Norm {
    /// # Errors
    /// A number that PyTorch has no mode for.
    pub(crate) fn of(number: i64) -> Result<Norm> {
        match number {
            0 => Ok(Norm::Plain),
            1 => Ok(Norm::ByRoot),
            2 => Ok(Norm::ByCount),
            _ => Err(Error::runtime(format!("Unsupported normalization mode {number}"))),
        }
    }

    fn factor(self, count: usize) -> f64 {
        match self {
            Norm::Plain => 1.0,
            Norm::ByRoot => 1.0 / (count as f64).sqrt(),
            Norm::ByCount => 1.0 / count as f64,
        }
    }
}

/// The dimensions without repetition, in the order that is given.
fn checked_dims(t: &Tensor, dims: &[i64]) -> Result<Vec<usize>> {
    let mut found = Vec::with_capacity(dims.len());
    for &dim in dims {
        let dim = wrap_dim(dim, t.ndim())?;
        if found.contains(&dim) {
            return Err(Error::runtime(format!("dim {dim} appears multiple times in the list of dims")));
        }
        found.push(dim);
    }
    Ok(found)
}

/// The order in which a result's dimensions are stored: the transformed ones last, the others before them as `t` stores them.
fn stored(t: &Tensor, dims: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..t.ndim()).filter(|d| !dims.contains(d)).collect();
    sort_by_stride(t, &mut order);
    order.extend(dims);
    order
}

/// Puts the dimensions with the largest steps first.
fn sort_by_stride(t: &Tensor, dims: &mut [usize]) {
    let strides = t.layout().strides;
    dims.sort_by_key(|&d| std::cmp::Reverse(strides[d]));
}

/// An uninitialized tensor of `shape` whose dimensions are stored in `order`.
fn in_order(shape: &[usize], order: &[usize], dtype: DType, like: &Tensor) -> Result<Tensor> {
    let sizes: Vec<usize> = order.iter().map(|&d| shape[d]).collect();
    let mut layout = Layout::contiguous(shape);
    for (&d, &stride) in order.iter().zip(&Layout::contiguous(&sizes).strides) {
        layout.strides[d] = stride;
    }
    Tensor::empty_with(layout, dtype, like.device(), false)
}

/// Both are complex and have one shape; they may be the same tensor.
fn launch(x: &Tensor, dim: usize, inverse: bool, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    let pairs = |t: &Tensor| {
        let mut layout = t.layout();
        let (size, stride) = (layout.shape.remove(dim), layout.strides.remove(dim));
        layout.shape.push(size);
        layout.strides.push(stride);
        ops::complex::pairs(&t.alias(layout))
    };
    let (x, out) = (pairs(x)?, pairs(out)?);
    let (a, b) = (Pin::of(&x), Pin::of(&out));
    engine::current().launch(out.device(), &Kernel::Fft { x: a.view()?, inverse, out: b.view()? })
}

/// Multiplies in place, unless by 1. The parts are multiplied one by one: infinity times 0 would be no number.
fn scale(t: &Tensor, factor: f64) -> Result<()> {
    if factor == 1.0 {
        return Ok(());
    }
    let parts = if t.dtype().is_complex() { ops::complex::pairs(t)? } else { t.clone() };
    ops::transfer::copy_data(&parts, &ops::binary(BinaryOp::Mul, &(&parts).into(), &factor.into())?)
}

/// Part of a dimension.
fn narrow(t: &Tensor, dim: usize, start: usize, length: usize) -> Result<Tensor> {
    ops::view::narrow(t, dim as i64, start as i64, length as i64)
}

fn count(t: &Tensor, dims: &[usize]) -> usize {
    dims.iter().map(|&d| t.size(d)).product()
}

fn whole_numbers(dims: &[usize]) -> Vec<i64> {
    dims.iter().map(|&d| d as i64).collect()
}

/// `torch._fft_c2c(t, dim, normalization, forward)`: all of `dims` of a complex tensor.
///
/// # Errors
/// Real tensors, dimensions that aren't there or come twice.
pub(crate) fn c2c(t: &Tensor, dims: &[i64], norm: Norm, forward: bool) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return Err(Error::runtime("Expected self.is_complex() to be true, but got false."));
    }
    let mut dims = checked_dims(t, dims)?;
    sort_by_stride(t, &mut dims);
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let (shape, x) = (t.shape(), t.detach());
        let out = in_order(&shape, &stored(t, &dims), t.dtype(), t)?;
        match dims.split_first() {
            None => ops::transfer::copy_data(&out, &x)?,
            Some((&first, rest)) => {
                launch(&x, first, !forward, &out)?;
                rest.iter().try_for_each(|&dim| launch(&out, dim, !forward, &out))?;
            }
        }
        scale(&out, norm.factor(count(t, &dims)))?;
        out
    };
    if autograd::needs_grad([t]) {
        autograd::record(rows::_FFT_C2C.node, &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(c2c(ctx.grad(), &whole_numbers(&dims), norm, !forward)?)])
        })?;
    }
    Ok(out)
}

/// `torch._fft_r2c(t, dim, normalization, onesided)`: of a real tensor. With `onesided`, the last of `dims` keeps the first half of
/// the frequencies; the others are their conjugates.
///
/// # Errors
/// Complex tensors and integers, dimensions that aren't there or come twice.
pub(crate) fn r2c(t: &Tensor, dims: &[i64], norm: Norm, onesided: bool) -> Result<Tensor> {
    if !matches!(t.dtype(), DType::F32 | DType::F64) {
        return Err(Error::runtime("Expected self.is_floating_point() to be true, but got false."));
    }
    let mut dims = checked_dims(t, dims)?;
    let Some((&mut last, others)) = dims.split_last_mut() else {
        return ops::transfer::cast(t, t.dtype().complex()?);
    };
    sort_by_stride(t, others);
    let n = t.size(last);
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let x = t.detach();
        let whole = in_order(&t.shape(), &stored(t, &dims), t.dtype().complex()?, t)?;
        ops::transfer::copy_data(&whole, &x)?;
        launch(&whole, last, false, &whole)?;
        let mut shape = t.shape();
        if onesided {
            shape[last] = n / 2 + 1;
        }
        let out = match onesided {
            false => whole,
            true => {
                let half = in_order(&shape, &stored(t, &dims), whole.dtype(), t)?;
                ops::transfer::copy_data(&half, &narrow(&whole, last, 0, shape[last])?)?;
                half
            }
        };
        for &dim in &dims[..dims.len() - 1] {
            launch(&out, dim, false, &out)?;
        }
        scale(&out, norm.factor(count(t, &dims)))?;
        out
    };
    if autograd::needs_grad([t]) {
        autograd::record(rows::_FFT_R2C.node, &[Some(t)], &[], &[&out], move |ctx| {
            let mut g = ctx.grad().clone();
            if onesided {
                // What was left out has no gradient.
                let mut rest = g.shape();
                rest[last] = n - g.size(last);
                let rest = create::zeros(&rest, g.dtype(), g.device())?;
                g = ops::shape::cat(&[g, rest], last as i64)?;
            }
            Ok(smallvec![Some(ops::complex::real(&c2c(&g, &whole_numbers(&dims), norm, false)?)?)])
        })?;
    }
    Ok(out)
}

/// `torch._fft_c2r(t, dim, normalization, last_dim_size)`: the inverse of [`r2c`] with `onesided`, without its factor. The last of
/// `dims` has `size` elements afterwards.
///
/// # Errors
/// Real tensors, dimensions that aren't there or come twice.
pub(crate) fn c2r(t: &Tensor, dims: &[i64], norm: Norm, size: usize) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return Err(Error::runtime("Expected self.is_complex() to be true, but got false."));
    }
    let dims = checked_dims(t, dims)?;
    let Some(&last) = dims.last() else { return Err(Error::runtime("_fft_c2r needs at least one dimension")) };
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let rest = whole_numbers(&dims[..dims.len() - 1]);
        let x = c2c(&t.detach(), &rest, Norm::Plain, false)?;
        let mut shape = t.shape();
        shape[last] = size;
        let order = stored(&x, &[last]);
        let whole = in_order(&shape, &order, t.dtype(), t)?;
        // The frequencies above the half are conjugates of those below it.
        let given = (size / 2 + 1).min(x.size(last));
        let below = narrow(&x, last, 0, given)?;
        ops::transfer::copy_data(&narrow(&whole, last, 0, given)?, &below)?;
        let missing = size - given;
        if missing > 0 {
            let mirrored = ops::shape::flip(&narrow(&x, last, 1, missing)?, &[last as i64])?;
            let above = narrow(&whole, last, given, missing)?;
            ops::transfer::copy_data(&above, &ops::complex::conjugate(&mirrored)?)?;
        }
        // The sum of all elements is real, and so is that of elements with alternating signs.
        let real_at = |at: usize| -> Result<()> {
            let one = ops::complex::imag(&narrow(&whole, last, at, 1)?)?;
            create::fill_data(&one, Scalar::Float(0.0))
        };
        real_at(0)?;
        if size.is_multiple_of(2) {
            real_at(size / 2)?;
        }
        launch(&whole, last, true, &whole)?;
        let out = in_order(&shape, &order, t.dtype().part(), t)?;
        ops::transfer::copy_data(&out, &ops::complex::real(&whole)?)?;
        scale(&out, norm.factor(count(&out, &dims)))?;
        out
    };
    if autograd::needs_grad([t]) {
        autograd::record(rows::_FFT_C2R.node, &[Some(t)], &[], &[&out], move |ctx| {
            let g = r2c(ctx.grad(), &whole_numbers(&dims), norm, true)?;
            // Every frequency that stands for its conjugate as well counts twice.
            let half = g.size(last);
            let twice = ctx.grad().size(last).saturating_sub(half);
            let count = |at: usize| Scalar::Float(if (1..=twice).contains(&at) { 2.0 } else { 1.0 });
            let counts: Vec<Scalar> = (0..half).map(count).collect();
            let mut shape = Dims::from_elem(1, g.ndim());
            shape[last] = half;
            let counts = create::from_scalars(&counts, &shape, g.dtype().part(), g.device())?;
            Ok(smallvec![Some(ops::mul(&g, &counts)?)])
        })?;
    }
    Ok(out)
}
