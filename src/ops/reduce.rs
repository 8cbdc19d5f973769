//! Reductions.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, ReduceOp, ScanOp, UnaryOp};
use crate::ops::rows::Gives;
use crate::ops::{self, Arg, rows};
use crate::shape::{Dims, Layout, wrap_dim};
use crate::tensor::{Pin, Tensor};

/// PyTorch remembers in 64 bits which dimensions it reduces.
fn check_count(ndim: usize) -> Result<()> {
    if ndim > 64 { Err(Error::runtime("only tensors with up to 64 dims are supported")) } else { Ok(()) }
}

/// Which dimensions are reduced: all if `dims` is empty.
fn mask(dims: &[i64], ndim: usize) -> Result<Vec<bool>> {
    check_count(ndim)?;
    let mut out = vec![dims.is_empty(); ndim];
    for &d in dims {
        let d = wrap_dim(d, ndim)?;
        if ndim > 0 {
            if out[d] {
                return Err(Error::runtime(format!("dim {d} appears multiple times in the list of dims")));
            }
            out[d] = true;
        }
    }
    Ok(out)
}

/// Runs a reduction outside the graph. With `keep`, reduced dimensions stay with size 1.
pub(crate) fn reduce_data(
    op: ReduceOp,
    t: &Tensor,
    dims: &[i64],
    keep: bool,
    compute: DType,
    dtype: DType,
) -> Result<Tensor> {
    let mask = mask(dims, t.ndim())?;
    let kept: Dims = t.shape().iter().zip(&mask).map(|(&n, &m)| if m { 1 } else { n }).collect();
    let shape: Dims = match keep {
        true => kept.clone(),
        false => kept.iter().zip(&mask).filter(|(_, m)| !**m).map(|(&n, _)| n).collect(),
    };
    let (out, target) = result(&shape, &kept, dtype, t.device())?;
    if !t.device().is_meta() && out.numel() > 0 {
        let (a, b) = (Pin::of(t), Pin::of(&target));
        let kernel = Kernel::Reduce { op, x: a.view()?, dims: mask, compute, out: b.view()? };
        engine::current().launch(t.device(), &kernel)?;
    }
    Ok(out)
}

/// A new tensor of `shape`, and the same memory with reduced dimensions of size 1, as kernels need it.
fn result(shape: &[usize], kept: &[usize], dtype: DType, device: Device) -> Result<(Tensor, Tensor)> {
    let out = Tensor::empty_with(Layout::contiguous(shape), dtype, device, false)?;
    let target = if shape == kept { out.clone() } else { out.dense_as(kept) };
    Ok((out, target))
}

/// A reduced tensor with its reduced dimensions restored as size 1, expanded to `shape`.
fn spread(g: &Tensor, shape: &[usize], dims: &[i64], kept: bool) -> Result<Tensor> {
    let g = if kept { g.clone() } else { keep_dims(g, shape, dims)? };
    let wanted: Vec<i64> = shape.iter().map(|&d| d as i64).collect();
    ops::view::expand(&g, &wanted)
}

fn keep_dims(g: &Tensor, shape: &[usize], dims: &[i64]) -> Result<Tensor> {
    let mask = mask(dims, shape.len())?;
    let kept: Dims = shape.iter().zip(&mask).map(|(&n, &m)| if m { 1 } else { n }).collect();
    ops::view::reshape_to(g, &kept)
}

fn sum_dtype(t: &Tensor, dtype: Option<DType>) -> DType {
    dtype.unwrap_or(if t.dtype().is_integral() { DType::I64 } else { t.dtype() })
}

/// A tensor that is summed in a complex dtype, or that was complex and becomes real, is converted first.
fn as_complex(t: &Tensor, dtype: DType) -> Result<Tensor> {
    let same = t.dtype() == dtype || !(t.dtype().is_complex() || dtype.is_complex());
    if same { Ok(t.clone()) } else { ops::transfer::cast(t, dtype) }
}

/// `torch.sum`; no `dims` sums everything.
pub fn sum(t: &Tensor, dims: &[i64], keep: bool, dtype: Option<DType>) -> Result<Tensor> {
    let name = if dims.is_empty() { rows::SUM.node } else { rows::nodes::SUM_DIM };
    sum_named(t, dims, keep, dtype, name)
}

/// [`sum`] with a node of this name: PyTorch's says whether the call gave dimensions, be it none at all.
pub(crate) fn sum_named(
    t: &Tensor,
    dims: &[i64],
    keep: bool,
    dtype: Option<DType>,
    name: &'static str,
) -> Result<Tensor> {
    let dtype = sum_dtype(t, dtype);
    let t = &as_complex(t, dtype)?;
    let out = reduce_data(ReduceOp::Sum, t, dims, keep, dtype, dtype)?;
    if dtype.is_inexact() && autograd::needs_grad([t]) {
        let (shape, from, dims) = (t.shape(), t.dtype(), dims.to_vec());
        autograd::record(name, &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(ops::transfer::cast(&spread(ctx.grad(), &shape, &dims, keep)?, from)?)])
        })?;
    }
    Ok(out)
}

/// `torch.mean`.
///
/// # Errors
/// Integer dtypes.
pub fn mean(t: &Tensor, dims: &[i64], keep: bool, dtype: Option<DType>) -> Result<Tensor> {
    let name = if dims.is_empty() { rows::MEAN.node } else { rows::nodes::MEAN_DIM };
    mean_named(t, dims, keep, dtype, name)
}

/// [`mean`] with a node of this name: PyTorch's says whether the call gave dimensions, be it none at all.
pub(crate) fn mean_named(
    t: &Tensor,
    dims: &[i64],
    keep: bool,
    dtype: Option<DType>,
    name: &'static str,
) -> Result<Tensor> {
    let dtype = dtype.unwrap_or(t.dtype());
    if !dtype.is_inexact() {
        let what = if t.dtype() == dtype { "input dtype" } else { "optional dtype" };
        return Err(Error::not_implemented(format!(
            "mean(): could not infer output dtype. {} must be either a floating point or complex dtype. Got: {}",
            if what == "input dtype" { "Input dtype" } else { "Optional dtype" },
            dtype.scalar_name()
        )));
    }
    let t = &as_complex(t, dtype)?;
    let out = reduce_data(ReduceOp::Mean, t, dims, keep, dtype, dtype)?;
    if autograd::needs_grad([t]) {
        let (shape, from, dims) = (t.shape(), t.dtype(), dims.to_vec());
        let count = t.numel() as f64 / out.numel().max(1) as f64;
        autograd::record(name, &[Some(t)], &[], &[&out], move |ctx| {
            let g = spread(ctx.grad(), &shape, &dims, keep)?;
            let g = ops::binary(BinaryOp::Div, &g.into(), &count.into())?;
            Ok(smallvec![Some(ops::transfer::cast(&g, from)?)])
        })?;
    }
    Ok(out)
}

/// `torch.prod`.
pub fn prod(t: &Tensor, dim: Option<i64>, keep: bool, dtype: Option<DType>) -> Result<Tensor> {
    let dtype = sum_dtype(t, dtype);
    let dims: Vec<i64> = dim.into_iter().collect();
    let t = &as_complex(t, dtype)?;
    let out = reduce_data(ReduceOp::Prod, t, &dims, keep, dtype, dtype)?;
    if dtype.is_inexact() && autograd::needs_grad([t]) {
        let shape = t.shape();
        let name = if dims.is_empty() { rows::PROD.node } else { rows::nodes::PROD_DIM };
        autograd::record(name, &[Some(t)], &[Save::Input(t)], &[&out], move |ctx| {
            let x = &ops::complex::conjugate(&ctx.saved[0])?;
            let g = spread(ctx.grad(), &shape, &dims, keep)?;
            // The product of all other elements, as the product of those before and those after, so that zeros are
            // exact.
            let (flat, dim) = match dims.first() {
                Some(&d) => (x.clone(), wrap_dim(d, x.ndim())?),
                None => (ops::view::reshape(x, &[-1])?, 0),
            };
            let others = product_of_others(&flat, dim)?;
            let others = ops::view::reshape_to(&others, &shape)?;
            Ok(smallvec![Some(ops::mul(&g, &others)?)])
        })?;
    }
    Ok(out)
}

fn product_of_others(x: &Tensor, dim: usize) -> Result<Tensor> {
    if x.ndim() == 0 {
        return ops::ones_like(x);
    }
    let n = x.size(dim) as i64;
    if n <= 1 {
        return ops::ones_like(x);
    }
    let d = dim as i64;
    let one = ops::ones_like(&ops::view::narrow(x, d, 0, 1)?)?;
    let before = ops::shape::cat(&[one.clone(), ops::view::narrow(x, d, 0, n - 1)?], d)?;
    let before = scan(ScanOp::Prod, &before, d)?;
    let after = ops::shape::cat(&[ops::view::narrow(x, d, 1, n - 1)?, one], d)?;
    let after = ops::shape::flip(&scan(ScanOp::Prod, &ops::shape::flip(&after, &[d])?, d)?, &[d])?;
    ops::mul(&before, &after)
}

/// `torch.amax` and `torch.amin`, and `max()` of everything. Equal elements share the gradient.
pub fn extreme(t: &Tensor, largest: bool, dims: &[i64], keep: bool, name: &'static str) -> Result<Tensor> {
    if t.numel() == 0 {
        let which = match (name.starts_with('A'), largest) {
            (true, true) => "amax",
            (true, false) => "amin",
            (false, true) => "max",
            (false, false) => "min",
        };
        if dims.is_empty() {
            return Err(Error::runtime(format!(
                "{which}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
            )));
        }
        if let Some(d) = mask(dims, t.ndim())?.iter().enumerate().position(|(d, &reduced)| reduced && t.size(d) == 0) {
            return Err(Error::index(format!("{which}(): Expected reduction dim {d} to have non-zero size.")));
        }
    }
    if t.dtype().is_complex() {
        let which = if largest { "max" } else { "min" };
        let of_all = [rows::MAX.node, rows::MIN.node].contains(&name);
        let kernel = if of_all { format!("{which}_all") } else { format!("{which}_values_cpu") };
        return Err(ops::dtypes::refused(&kernel, t.dtype(), t.device()));
    }
    let op = if largest { ReduceOp::Max } else { ReduceOp::Min };
    let out = reduce_data(op, t, dims, keep, t.dtype(), t.dtype())?;
    if t.dtype().is_inexact() && autograd::needs_grad([t]) {
        let (shape, dims) = (t.shape(), dims.to_vec());
        autograd::record(name, &[Some(t)], &[Save::Input(t), Save::Output(&out, 0)], &[&out], move |ctx| {
            let (x, y) = (&ctx.saved[0], &ctx.saved[1]);
            let y = spread(y, &shape, &dims, keep)?;
            let hit = ops::binary(BinaryOp::Eq, &x.into(), &y.into())?;
            let hit = ops::transfer::cast(&hit, x.dtype())?;
            let count = sum(&hit, &dims, true, None)?;
            let g = spread(ctx.grad(), &shape, &dims, keep)?;
            Ok(smallvec![Some(ops::div(&ops::mul(&g, &hit)?, &count)?)])
        })?;
    }
    Ok(out)
}

/// `torch.max(t, dim)`: values and indices; the gradient goes to the index.
pub fn extreme_dim(t: &Tensor, largest: bool, dim: i64, keep: bool) -> Result<(Tensor, Tensor)> {
    let d = wrap_dim(dim, t.ndim())?;
    let name = if largest { rows::nodes::MAX_DIM } else { rows::nodes::MIN_DIM };
    if t.ndim() == 0 {
        let values = autograd::under(&ops::create::clone(t)?, name)?;
        return Ok((values, ops::create::zeros(&[], DType::I64, t.device())?));
    }
    let which = if largest { "max" } else { "min" };
    if t.dtype().is_complex() {
        return Err(Error::type_(format!("{which}(): does not support complex input")));
    }
    if t.size(d) == 0 {
        return Err(Error::index(format!("{which}(): Expected reduction dim {d} to have non-zero size.")));
    }
    let mut kept = t.shape();
    kept[d] = 1;
    let mut shape = kept.clone();
    if !keep {
        shape.remove(d);
    }
    let (values, values_out) = result(&shape, &kept, t.dtype(), t.device())?;
    let (indices, indices_out) = result(&shape, &kept, DType::I64, t.device())?;
    if !t.device().is_meta() && values.numel() > 0 {
        let (a, b, c) = (Pin::of(t), Pin::of(&values_out), Pin::of(&indices_out));
        let kernel = Kernel::ArgReduce { largest, x: a.view()?, dim: d, values: Some(b.view()?), indices: c.view()? };
        engine::current().launch(t.device(), &kernel)?;
    }
    if t.dtype().is_inexact() && autograd::needs_grad([t]) {
        let shape = t.shape();
        autograd::record(name, &[Some(t)], &[Save::Input(&indices)], &[&values], move |ctx| {
            let (g, i) = (ctx.grad(), &ctx.saved[0]);
            let (g, i) = if keep {
                (g.clone(), i.clone())
            } else {
                (ops::view::unsqueeze(g, d as i64)?, ops::view::unsqueeze(i, d as i64)?)
            };
            let zeros = ops::create::zeros(&shape, g.dtype(), g.device())?;
            Ok(smallvec![Some(ops::index::added(zeros, d as i64, &i, &g)?)])
        })?;
    }
    Ok((values, indices))
}

/// `torch.argmax` and `torch.argmin`; without `dim` over the flattened tensor.
pub fn arg_extreme(t: &Tensor, largest: bool, dim: Option<i64>, keep: bool) -> Result<Tensor> {
    let name = if largest { "argmax" } else { "argmin" };
    if t.dtype() == DType::Bool {
        return Err(Error::not_implemented(format!("{name}(): does not support bool input")));
    }
    if t.dtype().is_complex() {
        return Err(Error::type_(format!("{name}(): does not support complex input")));
    }
    let (x, d) = match dim {
        Some(d) => (t.clone(), wrap_dim(d, t.ndim())?),
        None => (ops::view::reshape(&t.detach(), &[-1])?, 0),
    };
    if t.numel() == 0 && (dim.is_none() || x.size(d) == 0) {
        let which =
            dim.map_or("to be specified for input.numel() == 0".into(), |_| format!("{d} to have non-zero size"));
        return Err(Error::index(format!("{name}(): Expected reduction dim {which}.")));
    }
    if x.ndim() == 0 {
        return ops::create::zeros(&[], DType::I64, t.device());
    }
    let mut kept = x.shape();
    kept[d] = 1;
    let mut shape = kept.clone();
    match (dim, keep) {
        (Some(_), true) => {}
        (None, true) => shape = smallvec![1; t.ndim()],
        (Some(_), false) => drop(shape.remove(d)),
        (None, false) => shape.clear(),
    }
    let (indices, target) = result(&shape, &kept, DType::I64, t.device())?;
    if !t.device().is_meta() && indices.numel() > 0 {
        let (a, c) = (Pin::of(&x), Pin::of(&target));
        let kernel = Kernel::ArgReduce { largest, x: a.view()?, dim: d, values: None, indices: c.view()? };
        engine::current().launch(t.device(), &kernel)?;
    }
    Ok(indices)
}

/// `any`, `all`, `count_nonzero`: outside the graph.
pub fn logical(t: &Tensor, op: ReduceOp, dims: &[i64], keep: bool) -> Result<Tensor> {
    if t.dtype().is_complex() {
        return logical(&ops::transfer::nonzero(t)?, op, dims, keep);
    }
    let dtype = match op {
        ReduceOp::CountNonzero => DType::I64,
        _ if t.dtype() == DType::U8 => DType::U8,
        _ => DType::Bool,
    };
    reduce_data(op, t, dims, keep, t.dtype(), dtype)
}

/// `torch.var`.
///
/// # Errors
/// Integer dtypes.
pub fn var(t: &Tensor, dims: &[i64], correction: f64, keep: bool) -> Result<Tensor> {
    check_spread(t)?;
    let out = match t.dtype().is_complex() {
        true => {
            let _no_grad = autograd::GradMode::set(false);
            var_of_parts(t, dims, correction, keep)?
        }
        false => reduce_data(ReduceOp::Var { correction }, t, dims, keep, t.dtype(), t.dtype())?,
    };
    if autograd::needs_grad([t]) {
        let (shape, dims) = (t.shape(), dims.to_vec());
        let count = t.numel() as f64 / out.numel().max(1) as f64;
        autograd::record(rows::VAR.node, &[Some(t)], &[Save::Input(t)], &[&out], move |ctx| {
            let x = &ctx.saved[0];
            let centered = ops::sub(x, &mean(x, &dims, true, None)?)?;
            let g = spread(ctx.grad(), &shape, &dims, keep)?;
            let g = ops::mul(&g, &centered)?;
            Ok(smallvec![Some(ops::binary(BinaryOp::Mul, &g.into(), &(2.0 / (count - correction)).into())?)])
        })?;
    }
    Ok(out)
}

/// `torch.std`.
pub fn std(t: &Tensor, dims: &[i64], correction: f64, keep: bool) -> Result<Tensor> {
    check_spread(t)?;
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        // A variance that overflows 16 bits may have a root that doesn't.
        let wide = if matches!(t.dtype(), DType::F16 | DType::BF16) { DType::F32 } else { t.dtype() };
        let var = match wide.is_complex() {
            true => var_of_parts(t, dims, correction, keep)?,
            false => reduce_data(ReduceOp::Var { correction }, t, dims, keep, wide, wide)?,
        };
        ops::transfer::cast(&ops::unary(UnaryOp::Sqrt, &var)?, t.dtype().part())?
    };
    if autograd::needs_grad([t]) {
        let (shape, dims) = (t.shape(), dims.to_vec());
        let count = t.numel() as f64 / out.numel().max(1) as f64;
        autograd::record(rows::STD.node, &[Some(t)], &[Save::Input(t), Save::Output(&out, 0)], &[&out], move |ctx| {
            let (x, y) = (&ctx.saved[0], &ctx.saved[1]);
            let centered = ops::sub(x, &mean(x, &dims, true, None)?)?;
            let g = ops::div(ctx.grad(), &ops::binary(BinaryOp::Mul, &y.into(), &(count - correction).into())?)?;
            // A constant input has a standard deviation of 0. Its gradients are 0 in PyTorch, not NaN: masked before the product, so that
            // the second one is as well.
            let zero = ops::binary(BinaryOp::Eq, &y.into(), &0.0.into())?;
            let g = ops::where_(&zero, &0.0.into(), &g.into())?;
            Ok(smallvec![Some(ops::mul(&spread(&g, &shape, &dims, keep)?, &centered)?)])
        })?;
    }
    Ok(out)
}

/// The variance of complex numbers is a real number: the sum of those of their parts.
fn var_of_parts(t: &Tensor, dims: &[i64], correction: f64, keep: bool) -> Result<Tensor> {
    let of = |part: Tensor| {
        let (op, dtype) = (ReduceOp::Var { correction }, part.dtype());
        reduce_data(op, &part, dims, keep, dtype, dtype)
    };
    let t = t.detach();
    ops::add(&of(ops::complex::real(&t)?)?, &of(ops::complex::imag(&t)?)?)
}

fn check_spread(t: &Tensor) -> Result<()> {
    if t.dtype().is_inexact() {
        return Ok(());
    }
    Err(Error::not_implemented("std and var only support floating point and complex dtypes"))
}

/// The largest or smallest of no elements is undefined.
fn check_identity(t: &Tensor, p: f64, dims: &[i64]) -> Result<()> {
    if p >= 0.0 && p.is_finite() || t.numel() > 0 {
        return Ok(());
    }
    for &dim in dims {
        let d = wrap_dim(dim, t.ndim())?;
        if t.size(d) == 0 {
            return Err(Error::runtime(format!(
                "linalg.vector_norm cannot compute the {p} norm on the dimension {d}because this dimension is empty and the operation does not have an identity"
            )));
        }
    }
    if dims.is_empty() {
        return Err(Error::runtime(format!(
            "linalg.vector_norm cannot compute the {p} norm on an empty tensor because the operation does not have an identity"
        )));
    }
    Ok(())
}

/// `torch.linalg.vector_norm`, and `t.norm(p)`.
pub fn norm(t: &Tensor, p: f64, dims: &[i64], keep: bool, name: &'static str) -> Result<Tensor> {
    if !t.dtype().is_inexact() {
        return Err(Error::not_implemented(format!(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
            t.dtype().scalar_name()
        )));
    }
    check_identity(t, p, dims)?;
    let sizes = match t.dtype().is_complex() {
        true => ops::unary(UnaryOp::Abs, &t.detach())?,
        false => t.clone(),
    };
    let out = reduce_data(ReduceOp::Norm { p }, &sizes, dims, keep, sizes.dtype(), sizes.dtype())?;
    if autograd::needs_grad([t]) {
        let (shape, dims) = (t.shape(), dims.to_vec());
        autograd::record(name, &[Some(t)], &[Save::Input(t), Save::Output(&out, 0)], &[&out], move |ctx| {
            let (x, y) = (&ctx.saved[0], &ctx.saved[1]);
            let g = spread(ctx.grad(), &shape, &dims, keep)?;
            let y = spread(y, &shape, &dims, keep)?;
            let sign = ops::complex::sgn(x)?;
            let slope = if p == 0.0 {
                // The number of elements doesn't depend on their values.
                return Ok(smallvec![None]);
            } else if p == 1.0 {
                sign
            } else if p.is_infinite() {
                let size = ops::unary(UnaryOp::Abs, x)?;
                let hit = ops::transfer::cast(&ops::binary(BinaryOp::Eq, &size.into(), &(&y).into())?, y.dtype())?;
                let count = sum(&hit, &dims, true, None)?;
                ops::div(&ops::mul(&sign, &hit)?, &count)?
            } else {
                let power = |t: &Tensor, e: f64| ops::binary(BinaryOp::Pow, &t.into(), &e.into());
                let top = if p == 2.0 {
                    x.clone()
                } else {
                    ops::mul(&sign, &power(&ops::unary(UnaryOp::Abs, x)?, p - 1.0)?)?
                };
                let bottom = if p == 2.0 { y.clone() } else { power(&y, p - 1.0)? };
                let zero = ops::binary(BinaryOp::Eq, &(&y).into(), &0.0.into())?;
                // Unlike a norm's, the second derivative of a distance of 0 is a number: nothing is divided by 0 on the way.
                let bottom = match name == rows::CDIST.node {
                    true => ops::where_(&zero, &1.0.into(), &(&bottom).into())?,
                    false => bottom,
                };
                ops::where_(&zero, &0.0.into(), &ops::div(&top, &bottom)?.into())?
            };
            Ok(smallvec![Some(ops::mul(&g, &slope)?)])
        })?;
    }
    Ok(out)
}

/// A reduction as its row describes it; what it's computed in is `dtype`, if that is given.
///
/// # Errors
/// Dtypes that the row refuses; dimensions out of range.
pub fn reduction(op: ReduceOp, t: &Tensor, dims: &[i64], keep: bool, dtype: Option<DType>) -> Result<Tensor> {
    let row = op.row();
    let mut t = t.clone();
    if let Some(dtype) = dtype {
        if op == ReduceOp::NanSum && t.dtype().is_float() && !dtype.is_float() {
            // Whole numbers have no NaN, so those are left out before.
            t = ops::arith::nan_to_num(&t, None, Some(f64::INFINITY), Some(f64::NEG_INFINITY))?;
        }
        t = ops::transfer::cast(&t, dtype)?;
    }
    if t.device().is_cpu() {
        ops::dtypes::takes(row, &t)?;
    }
    let whole = !t.dtype().is_inexact();
    let out_dtype = match row.gives {
        Gives::Bool => DType::Bool,
        Gives::Float if whole => engine::current().settings.default_dtype(),
        Gives::Sum if whole => dtype.unwrap_or(DType::I64),
        _ => t.dtype(),
    };
    if row.gives == Gives::Float {
        t = ops::transfer::cast(&t, out_dtype)?;
    }
    let out = match op {
        ReduceOp::LogSumExp if out_dtype.is_complex() => {
            let _no_grad = autograd::GradMode::set(false);
            logsumexp_of_complex(&t.detach(), dims, keep)?
        }
        _ => reduce_data(op, &t, dims, keep, out_dtype, out_dtype)?,
    };
    if out_dtype.is_inexact() && autograd::needs_grad([&t]) {
        let save = row.saves.of(&t, &out);
        let (shape, dims) = (t.shape(), dims.to_vec());
        autograd::record(row.node, &[Some(&t)], &save, &[&out], move |ctx| {
            let whole = |t: &Tensor| spread(t, &shape, &dims, keep);
            Ok(smallvec![Some(reduction_grad(op, &whole(ctx.grad())?, &ctx.saved, whole)?)])
        })?;
    }
    Ok(out)
}

/// The largest real part is subtracted, so that the exponentials don't overflow.
fn logsumexp_of_complex(t: &Tensor, dims: &[i64], keep: bool) -> Result<Tensor> {
    if t.numel() == 0 {
        return ops::unary(UnaryOp::Log, &sum(&ops::unary(UnaryOp::Exp, t)?, dims, keep, None)?);
    }
    let top = extreme(&ops::complex::real(t)?, true, dims, true, rows::AMAX.node)?;
    let infinite = ops::unary(UnaryOp::IsInf, &top)?;
    let top = ops::where_(&infinite, &0.0.into(), &top.into())?;
    let total = sum(&ops::unary(UnaryOp::Exp, &ops::sub(t, &top)?)?, dims, true, None)?;
    let out = ops::add(&ops::unary(UnaryOp::Log, &total)?, &top)?;
    if keep { Ok(out) } else { ops::view::reshape_to(&out, &sum(t, dims, false, None)?.shape()) }
}

/// The gradient of a reduction whose result has the gradient `g`; `whole` makes its results as large as its input.
fn reduction_grad(
    op: ReduceOp,
    g: &Tensor,
    saved: &[Tensor],
    whole: impl Fn(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    match op {
        ReduceOp::NanSum => ops::where_(&ops::unary(UnaryOp::IsNan, &saved[0])?, &0.0.into(), &g.into()),
        ReduceOp::LogSumExp => {
            let share = ops::unary(UnaryOp::Exp, &ops::sub(&saved[0], &whole(&saved[1])?)?)?;
            ops::mul(g, &ops::complex::conjugate(&share)?)
        }
        _ => Err(Error::runtime(format!("the derivative of {} is a function of its own", op.name()))),
    }
}

/// `torch.cumsum`, `torch.cumprod` (along `dim`).
pub fn scan(op: ScanOp, t: &Tensor, dim: i64) -> Result<Tensor> {
    let d = wrap_dim(dim, t.ndim())?;
    let dtype = if t.dtype().is_integral() { DType::I64 } else { t.dtype() };
    let out = Tensor::empty_with(Layout::contiguous(&t.shape()), dtype, t.device(), false)?;
    if t.ndim() == 0 {
        ops::transfer::copy_data(&out, t)?;
    } else if !t.device().is_meta() && out.numel() > 0 {
        let (a, b) = (Pin::of(t), Pin::of(&out));
        engine::current().launch(t.device(), &Kernel::Scan { op, x: a.view()?, dim: d, out: b.view()? })?;
    }
    if dtype.is_inexact() && autograd::needs_grad([t]) {
        let dim = d as i64;
        match op {
            ScanOp::Sum => autograd::record(rows::CUMSUM.node, &[Some(t)], &[], &[&out], move |ctx| {
                Ok(smallvec![Some(reverse_cumsum(ctx.grad(), dim)?)])
            })?,
            ScanOp::Prod => {
                autograd::record(
                    rows::CUMPROD.node,
                    &[Some(t)],
                    &[Save::Input(t), Save::Output(&out, 0)],
                    &[&out],
                    move |ctx| {
                        let (x, y) =
                            (&ops::complex::conjugate(&ctx.saved[0])?, &ops::complex::conjugate(&ctx.saved[1])?);
                        let any_zero = ops::reduce::logical(x, ReduceOp::All, &[], false)?;
                        if ops::transfer::item(&any_zero, crate::trace::Why::Item)? == Scalar::Bool(false) {
                            return Ok(smallvec![Some(cumprod_grad_at_zero(ctx.grad(), x, dim)?)]);
                        }
                        let g = reverse_cumsum(&ops::mul(ctx.grad(), y)?, dim)?;
                        Ok(smallvec![Some(ops::div(&g, x)?)])
                    },
                )?;
            }
            ScanOp::Max | ScanOp::Min => {
                return Err(Error::not_implemented("the derivative of cummax and cummin is not implemented"));
            }
        }
    }
    Ok(out)
}

/// The gradient of a running product that contains zeros. The usual formula would divide by them.
fn cumprod_grad_at_zero(g: &Tensor, x: &Tensor, dim: i64) -> Result<Tensor> {
    if x.ndim() == 0 {
        return Ok(g.clone());
    }
    let d = wrap_dim(dim, x.ndim())?;
    if !autograd::needs_grad([g, x]) {
        // Before the first zero, the usual formula. At the first zero, the products of all others up to the next zero.
        // After it, nothing.
        let zero = ops::binary(BinaryOp::Eq, &x.into(), &0.0.into())?;
        let count = scan(ScanOp::Sum, &ops::transfer::cast(&zero, DType::I64)?, dim)?;
        let before = ops::binary(BinaryOp::Eq, &(&count).into(), &0i64.into())?;
        let one = ops::binary(BinaryOp::Eq, &count.into(), &1i64.into())?;
        let first = ops::binary(BinaryOp::LogicalAnd, &zero.into(), &one.into())?;
        let sum_from = |x: &Tensor| reverse_cumsum(&ops::mul(g, &scan(ScanOp::Prod, x, dim)?)?, dim);
        let at_first = sum_from(&ops::where_(&first, &1.0.into(), &x.into())?)?;
        let rest = ops::where_(&first, &at_first.into(), &0.0.into())?;
        return ops::where_(&before, &ops::div(&sum_from(x)?, x)?.into(), &rest.into());
    }
    // The differentiable form: a sum from the end, s[k] = g[k] + x[k+1] s[k+1].
    let n = x.size(d);
    let (gs, xs) = (ops::shape::unbind(g, dim)?, ops::shape::unbind(x, dim)?);
    let mut sums: Vec<Tensor> = Vec::with_capacity(n);
    for k in (0..n).rev() {
        let next = match sums.last() {
            Some(after) => ops::add(&gs[k], &ops::mul(&xs[k + 1], after)?)?,
            None => gs[k].clone(),
        };
        sums.push(next);
    }
    let (mut product, mut grads) = (None, Vec::with_capacity(n));
    for (k, sum) in sums.iter().rev().enumerate() {
        grads.push(match &product {
            Some(before) => ops::mul(before, sum)?,
            None => sum.clone(),
        });
        product = Some(match product {
            Some(before) => ops::mul(&before, &xs[k])?,
            None => xs[k].clone(),
        });
    }
    ops::shape::stack(&grads, dim)
}

fn reverse_cumsum(g: &Tensor, dim: i64) -> Result<Tensor> {
    if g.ndim() == 0 {
        return Ok(g.clone());
    }
    ops::shape::flip(&scan(ScanOp::Sum, &ops::shape::flip(g, &[dim])?, dim)?, &[dim])
}

/// `a == b` everywhere, as `torch.equal`.
pub fn equal(a: &Tensor, b: &Tensor) -> Result<bool> {
    super::device::checked(&rows::EQUAL, &[Some(a), Some(b)])?;
    if a.shape() != b.shape() {
        return Ok(false);
    }
    let _no_grad = autograd::GradMode::set(false);
    let same = ops::binary(BinaryOp::Eq, &Arg::from(a), &Arg::from(b))?;
    let all = logical(&same, ReduceOp::All, &[], false)?;
    Ok(ops::transfer::item(&all, crate::trace::Why::Item)?.as_bool())
}
