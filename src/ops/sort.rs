//! Sorting and what follows from it.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, ReduceOp, UnaryOp};
use crate::ops::{self, device, dtypes};
use crate::shape::{Layout, wrap_dim};
use crate::tensor::{Pin, Tensor};

/// The gradient of values picked along a dimension by saved indices.
fn record_picked(name: &'static str, x: &Tensor, dim: usize, indices: &Tensor, values: &Tensor) -> Result<()> {
    if !x.dtype().is_inexact() || !autograd::needs_grad([x]) {
        return Ok(());
    }
    let shape = x.shape();
    autograd::record(name, &[Some(x)], &[Save::Input(indices)], &[values], move |ctx| {
        let (g, i) = (ctx.grad(), &ctx.saved[0]);
        if shape.is_empty() {
            return Ok(smallvec![Some(g.clone())]);
        }
        let (g, i) = if g.ndim() == shape.len() {
            (g.clone(), i.clone())
        } else {
            (ops::view::unsqueeze(g, dim as i64)?, ops::view::unsqueeze(i, dim as i64)?)
        };
        let zeros = ops::create::zeros(&shape, g.dtype(), g.device())?;
        Ok(smallvec![Some(ops::index::scatter_add(&zeros, dim as i64, &i, &g)?)])
    })
}

fn sort_data(x: &Tensor, d: usize, descending: bool) -> Result<(Tensor, Tensor)> {
    if x.dtype().is_complex() {
        let place = if x.device().is_cuda() { "CUDA" } else { "CPU" };
        return Err(Error::type_(format!(" Sort does not support complex dtypes on {place}")));
    }
    let values = Tensor::empty_with(Layout::contiguous(&x.shape()), x.dtype(), x.device(), false)?;
    let indices = Tensor::empty_with(Layout::contiguous(&x.shape()), DType::I64, x.device(), false)?;
    if x.ndim() == 0 {
        ops::transfer::copy_data(&values, x)?;
        ops::create::fill_data(&indices, Scalar::Int(0))?;
    } else if !x.device().is_meta() && x.numel() > 0 {
        let (a, b, c) = (Pin::of(x), Pin::of(&values), Pin::of(&indices));
        let kernel = Kernel::Sort { x: a.view()?, dim: d, descending, values: b.view()?, indices: c.view()? };
        engine::current().launch(x.device(), &kernel)?;
    }
    Ok((values, indices))
}

/// `torch.sort`, stable.
pub fn sort(x: &Tensor, dim: i64, descending: bool) -> Result<(Tensor, Tensor)> {
    let d = wrap_dim(dim, x.ndim())?;
    let (values, indices) = sort_data(x, d, descending)?;
    record_picked("SortBackward0", x, d, &indices, &values)?;
    Ok((values, indices))
}

/// `torch.argsort`.
pub fn argsort(x: &Tensor, dim: i64, descending: bool) -> Result<Tensor> {
    Ok(sort_data(x, wrap_dim(dim, x.ndim())?, descending)?.1)
}

/// The first `length` entries along `d` from `start`, copied out of the graph.
fn part(t: &Tensor, d: usize, start: usize, length: usize) -> Result<Tensor> {
    if t.ndim() == 0 {
        return Ok(t.clone());
    }
    let mut layout = t.layout();
    layout.offset += start * layout.strides[d];
    layout.shape[d] = length;
    ops::create::contiguous(&t.alias(layout))
}

/// `torch.topk`, sorted.
///
/// # Errors
/// More than there are.
pub fn topk(x: &Tensor, k: usize, dim: i64, largest: bool) -> Result<(Tensor, Tensor)> {
    let d = wrap_dim(dim, x.ndim())?;
    let size = if x.ndim() == 0 { 1 } else { x.size(d) };
    if k > size {
        return Err(Error::runtime("selected index k out of range"));
    }
    let place = if x.device().is_cuda() { "CUDA" } else { "CPU" };
    if x.dtype() == DType::Bool {
        return Err(Error::not_implemented(format!("topk does not support bool dtypes on {place}")));
    }
    if x.dtype().is_complex() {
        return Err(Error::type_(format!(" topk does not support complex dtypes on {place}")));
    }
    let (values, indices) = sort_data(x, d, largest)?;
    let (values, indices) = (part(&values, d, 0, k)?, part(&indices, d, 0, k)?);
    record_picked("TopkBackward0", x, d, &indices, &values)?;
    Ok((values, indices))
}

/// `torch.kthvalue`: `k` counts from 1.
///
/// # Errors
/// `k` outside the dimension.
pub fn kthvalue(x: &Tensor, k: usize, dim: i64, keep: bool) -> Result<(Tensor, Tensor)> {
    let d = wrap_dim(dim, x.ndim())?;
    let size = if x.ndim() == 0 { 1 } else { x.size(d) };
    if size == 0 {
        return Err(Error::index(format!("kthvalue(): Expected reduction dim {d} to have non-zero size.")));
    }
    if k < 1 || k > size {
        return Err(Error::runtime(format!("kthvalue(): selected number k out of range for dimension {d}")));
    }
    dtypes::real_number("kthvalue_cpu", x)?;
    pick(x, d, k - 1, keep, "KthvalueBackward0")
}

fn pick(x: &Tensor, d: usize, at: usize, keep: bool, name: &'static str) -> Result<(Tensor, Tensor)> {
    let (values, indices) = picked(x, d, at, keep)?;
    record_picked(name, x, d, &indices, &values)?;
    Ok((values, indices))
}

/// What is at one place along `d` once that is sorted, outside the graph, and where it was.
fn picked(x: &Tensor, d: usize, at: usize, keep: bool) -> Result<(Tensor, Tensor)> {
    let (values, indices) = sort_data(x, d, false)?;
    let (values, indices) = (part(&values, d, at, 1)?, part(&indices, d, at, 1)?);
    let drop = |t: &Tensor| {
        if keep || t.ndim() == 0 {
            return t.clone();
        }
        let mut shape = t.shape();
        shape.remove(d);
        t.dense_as(&shape)
    };
    Ok((drop(&values), drop(&indices)))
}

/// `torch.median(x, dim)`: the lower of the two middle values; NaN if there is one.
pub fn median_dim(x: &Tensor, dim: i64, keep: bool) -> Result<(Tensor, Tensor)> {
    let d = wrap_dim(dim, x.ndim())?;
    let size = if x.ndim() == 0 { 1 } else { x.size(d) };
    if size == 0 {
        return Err(Error::index(format!("median(): Expected reduction dim {d} to have non-zero size.")));
    }
    dtypes::real_number("median_cpu", x)?;
    let rows = x.detach();
    let (mut values, mut indices) = picked(&rows, d, (size - 1) / 2, keep)?;
    if x.dtype().is_float() {
        // A row that holds a NaN answers with its first.
        let nan = ops::unary(UnaryOp::IsNan, &rows)?;
        let any = ops::reduce::logical(&nan, ReduceOp::Any, &[d as i64], keep)?;
        let first = ops::reduce::arg_extreme(&ops::transfer::cast(&nan, DType::U8)?, true, Some(d as i64), keep)?;
        values = ops::where_(&any, &Scalar::Float(f64::NAN).into(), &values.into())?;
        indices = ops::where_(&any, &first.into(), &indices.into())?;
    }
    record_picked("MedianBackward1", x, d, &indices, &values)?;
    Ok((values, indices))
}

/// `torch.median(x)`.
pub fn median(x: &Tensor) -> Result<Tensor> {
    let flat = ops::view::reshape(&x.detach(), &[-1])?;
    dtypes::real_number("median_cpu", x)?;
    if flat.numel() == 0 {
        return ops::create::full(&[], Scalar::Float(f64::NAN), x.dtype(), x.device());
    }
    let (value, _) = median_dim(&flat, 0, false)?;
    let out = ops::create::copy_of(&value)?;
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let save = [Save::Input(x), Save::Output(&out, 0)];
        autograd::record("MedianBackward0", &[Some(x)], &save, &[&out], |ctx| {
            // All that equal the median share its gradient.
            let (x, y) = (&ctx.saved[0].detach(), &ctx.saved[1].detach());
            let both = |op: BinaryOp, a: &Tensor, b: &Tensor| ops::binary(op, &a.into(), &b.into());
            let is_nan = |t: &Tensor| ops::unary(UnaryOp::IsNan, t);
            let nans = both(BinaryOp::LogicalAnd, &is_nan(x)?, &is_nan(y)?)?;
            let hit = both(BinaryOp::LogicalOr, &both(BinaryOp::Eq, x, y)?, &nans)?;
            let hit = ops::transfer::cast(&hit, x.dtype())?;
            let count = ops::reduce::sum(&hit, &[], false, None)?;
            Ok(smallvec![Some(ops::mul(&hit, &ops::div(ctx.grad(), &count)?)?)])
        })?;
    }
    Ok(out)
}

/// `torch.unique(x, return_inverse, return_counts)` of the flattened tensor, sorted.
pub fn unique(x: &Tensor) -> Result<(Tensor, Tensor, Tensor)> {
    let _no_grad = autograd::GradMode::set(false);
    let flat = ops::create::contiguous(&ops::view::reshape(&x.detach(), &[-1])?)?;
    let n = flat.numel();
    let (sorted, order) = sort_data(&flat, 0, false)?;
    if n == 0 {
        let none = ops::create::zeros(&[0], DType::I64, x.device())?;
        return Ok((sorted, none.clone(), none));
    }
    // Where a value differs from the one before it, a new group begins.
    let (before, after) = (part(&sorted, 0, 0, n - 1)?, part(&sorted, 0, 1, n - 1)?);
    let changed = ops::binary(BinaryOp::Ne, &before.into(), &after.into())?;
    let first = ops::create::full(&[1], Scalar::Bool(true), DType::Bool, x.device())?;
    let starts = ops::shape::cat(&[first, changed], 0)?;
    let group = ops::reduce::scan(crate::executor::ScanOp::Sum, &ops::transfer::cast(&starts, DType::I64)?, 0)?;
    let group = ops::binary(BinaryOp::Sub, &group.into(), &1i64.into())?;
    let values = ops::index::masked_select(&sorted, &starts)?;
    let zeros = ops::create::zeros(&[n], DType::I64, x.device())?;
    let inverse = ops::index::scatter_add(&zeros, 0, &order, &group)?;
    let inverse = ops::view::reshape_to(&inverse, &x.shape())?;
    let ones = ops::create::full(&[n], Scalar::Int(1), DType::I64, x.device())?;
    let counts = ops::create::zeros(&[values.numel()], DType::I64, x.device())?;
    let counts = ops::index::scatter_add(&counts, 0, &group, &ones)?;
    Ok((values, inverse, counts))
}

/// `torch.bincount`.
///
/// # Errors
/// Anything but one dimension of non-negative integers.
pub fn bincount(x: &Tensor, weights: Option<&Tensor>, minlength: usize) -> Result<Tensor> {
    let mut named = vec![("self", x)];
    named.extend(weights.map(|w| ("weights", w)));
    device::same("_bincount", &named)?;
    if x.dtype() == DType::Bool || !x.dtype().is_integral() {
        return Err(dtypes::refused("bincount_cpu", x.dtype(), x.device()));
    }
    if x.ndim() != 1 {
        return Err(Error::runtime("bincount only supports 1-d non-negative integral inputs."));
    }
    let _no_grad = autograd::GradMode::set(false);
    let x = ops::transfer::cast(x, DType::I64)?;
    let mut size = minlength;
    if x.numel() > 0 {
        let low = ops::reduce::extreme(&x, false, &[], false, "MinBackward1")?;
        if ops::transfer::item(&low, crate::trace::Why::Item)?.as_i64() < 0 {
            return Err(Error::runtime("bincount only supports 1-d non-negative integral inputs."));
        }
        let high = ops::reduce::extreme(&x, true, &[], false, "MaxBackward1")?;
        size = size.max(ops::transfer::item(&high, crate::trace::Why::Item)?.as_i64() as usize + 1);
    }
    let (dtype, src) = match weights {
        None => (DType::I64, ops::create::full(&x.shape(), Scalar::Int(1), DType::I64, x.device())?),
        Some(w) => {
            if w.shape() != x.shape() {
                return Err(Error::runtime("weights should be 1-d and have the same length as input"));
            }
            let dtype = if w.dtype() == DType::F32 { DType::F32 } else { DType::F64 };
            (dtype, ops::transfer::cast(w, dtype)?)
        }
    };
    let zeros = ops::create::zeros(&[size], dtype, x.device())?;
    ops::index::scatter_add(&zeros, 0, &x, &src)
}

/// `torch.searchsorted(sorted, values, right=right)` for a 1-D boundary tensor: a count of the boundaries below each value,
/// in int64 or int32.
///
/// # Errors
/// Boundaries with other dimensions.
pub fn searchsorted(sorted: &Tensor, values: &Tensor, right: bool, dtype: DType) -> Result<Tensor> {
    if sorted.ndim() != 1 {
        return Err(Error::not_implemented("searchsorted with boundaries of several dimensions is not implemented"));
    }
    device::same("Tensor_searchsorted", &[("sorted_sequence", sorted), ("self", values)])?;
    dtypes::real_number("searchsorted_out_cpu", sorted)?;
    let _no_grad = autograd::GradMode::set(false);
    let column = ops::view::unsqueeze(&values.detach(), -1)?;
    let op = if right { BinaryOp::Le } else { BinaryOp::Lt };
    let below = ops::binary(op, &(&sorted.detach()).into(), &column.into())?;
    ops::reduce::sum(&below, &[-1], false, Some(dtype))
}
