//! Sorting, and operators based on it.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, Pick, ReduceOp, UnaryOp};
use crate::ops::{self, device, dtypes, rows};
use crate::shape::{Layout, wrap_dim};
use crate::tensor::{Pin, Tensor};

/// Records the gradient of values that were picked along a dimension with saved indices.
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
        Ok(smallvec![Some(ops::index::added(zeros, dim as i64, &i, &g)?)])
    })
}

/// Row-major results.
fn sort_data(x: &Tensor, d: usize, descending: bool) -> Result<(Tensor, Tensor)> {
    sort_into(Layout::contiguous(&x.shape()), x, d, descending)
}

/// Results of this layout.
fn sort_into(layout: Layout, x: &Tensor, d: usize, descending: bool) -> Result<(Tensor, Tensor)> {
    if x.dtype().is_complex() {
        let place = if x.device().is_cuda() { "CUDA" } else { "CPU" };
        return Err(Error::type_(format!(" Sort does not support complex dtypes on {place}")));
    }
    let values = Tensor::empty_with(layout.clone(), x.dtype(), x.device(), false)?;
    let indices = Tensor::empty_with(layout, DType::I64, x.device(), false)?;
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
    sort_named(x, dim, descending, rows::SORT.node)
}

/// [`sort`] with a node of this name.
pub(crate) fn sort_named(x: &Tensor, dim: i64, descending: bool, name: &'static str) -> Result<(Tensor, Tensor)> {
    let d = wrap_dim(dim, x.ndim())?;
    let (values, indices) = sort_into(x.with_data(|_, l| ops::layout::preserved(l)), x, d, descending)?;
    record_picked(name, x, d, &indices, &values)?;
    Ok((values, indices))
}

/// `torch.argsort`.
pub(crate) fn argsort(x: &Tensor, dim: i64, descending: bool) -> Result<Tensor> {
    let layout = x.with_data(|_, l| ops::layout::preserved(l));
    Ok(sort_into(layout, x, wrap_dim(dim, x.ndim())?, descending)?.1)
}

/// The `length` entries along `d` from `start` on, copied outside the graph.
fn part(t: &Tensor, d: usize, start: usize, length: usize) -> Result<Tensor> {
    if t.ndim() == 0 || length == t.size(d) {
        return Ok(t.clone());
    }
    let mut layout = t.layout();
    layout.offset += start * layout.strides[d];
    layout.shape[d] = length;
    ops::create::rows_of(&t.alias(layout))
}

/// What `pick` asks for along `d`, `count` elements, outside the graph. On the CPU, equal elements come in the order that PyTorch's CPU
/// gives them; elsewhere, where PyTorch promises no order, in their own.
fn pick_data(x: &Tensor, d: usize, pick: Pick, count: usize) -> Result<(Tensor, Tensor)> {
    if !x.device().is_cpu() || x.ndim() == 0 {
        let (descending, start) = match pick {
            Pick::Top { largest, .. } => (largest, 0),
            Pick::Kth(k) | Pick::Rank(k) => (false, k),
        };
        let (values, indices) = sort_data(x, d, descending)?;
        return Ok((part(&values, d, start, count)?, part(&indices, d, start, count)?));
    }
    let mut shape = x.shape();
    shape[d] = count;
    let values = Tensor::empty(&shape, x.dtype(), x.device())?;
    let indices = Tensor::empty(&shape, DType::I64, x.device())?;
    if values.numel() > 0 {
        let (a, b, c) = (Pin::of(x), Pin::of(&values), Pin::of(&indices));
        let kernel = Kernel::Pick { x: a.view()?, dim: d, pick, values: b.view()?, indices: c.view()? };
        engine::current().launch(x.device(), &kernel)?;
    }
    Ok((values, indices))
}

/// `torch.topk`.
///
/// # Errors
/// `k` exceeds the size.
pub fn topk(x: &Tensor, k: usize, dim: i64, largest: bool, sorted: bool) -> Result<(Tensor, Tensor)> {
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
    let (values, indices) = pick_data(x, d, Pick::Top { k, largest, sorted }, k)?;
    record_picked(rows::TOPK.node, x, d, &indices, &values)?;
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
    dtypes::takes(&rows::KTHVALUE, x)?;
    let (values, indices) = picked(x, d, Pick::Kth(k - 1), keep)?;
    record_picked(rows::KTHVALUE.node, x, d, &indices, &values)?;
    Ok((values, indices))
}

/// One value along `d`, outside the graph, and its index.
fn picked(x: &Tensor, d: usize, pick: Pick, keep: bool) -> Result<(Tensor, Tensor)> {
    let (values, indices) = pick_data(x, d, pick, 1)?;
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
    device::steady(&rows::MEDIAN_DIM, x.device())?;
    middle(x, dim, keep)
}

fn middle(x: &Tensor, dim: i64, keep: bool) -> Result<(Tensor, Tensor)> {
    let d = wrap_dim(dim, x.ndim())?;
    let size = if x.ndim() == 0 { 1 } else { x.size(d) };
    if size == 0 {
        return Err(Error::index(format!("median(): Expected reduction dim {d} to have non-zero size.")));
    }
    dtypes::takes(&rows::MEDIAN_DIM, x)?;
    let lines = x.detach();
    let (mut values, mut indices) = picked(&lines, d, Pick::Rank((size - 1) / 2), keep)?;
    if x.dtype().is_float() {
        // For a line with NaN, the result is its first NaN.
        let nan = ops::unary(UnaryOp::IsNan, &lines)?;
        let any = ops::reduce::logical(&nan, ReduceOp::Any, &[d as i64], keep)?;
        let first = ops::reduce::arg_extreme(&ops::transfer::cast(&nan, DType::U8)?, true, Some(d as i64), keep)?;
        values = ops::where_(&any, &Scalar::Float(f64::NAN).into(), &values.into())?;
        indices = ops::where_(&any, &first.into(), &indices.into())?;
    }
    record_picked(rows::MEDIAN_DIM.node, x, d, &indices, &values)?;
    Ok((values, indices))
}

/// `torch.median(x)`.
pub fn median(x: &Tensor) -> Result<Tensor> {
    let flat = ops::view::reshape(&x.detach(), &[-1])?;
    dtypes::takes(&rows::MEDIAN, x)?;
    if flat.numel() == 0 {
        return ops::create::full(&[], Scalar::Float(f64::NAN), x.dtype(), x.device());
    }
    let (value, _) = middle(&flat, 0, false)?;
    let out = ops::create::copy_of(&value)?;
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let save = [Save::Input(x), Save::Output(&out, 0)];
        autograd::record(rows::MEDIAN.node, &[Some(x)], &save, &[&out], |ctx| {
            // All elements that equal the median share its gradient.
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
    dtypes::takes(&rows::UNIQUE, x)?;
    let _no_grad = autograd::GradMode::set(false);
    let flat = ops::create::contiguous(&ops::view::reshape(&x.detach(), &[-1])?)?;
    let n = flat.numel();
    let (sorted, order) = sort_data(&flat, 0, false)?;
    if n == 0 {
        let none = ops::create::zeros(&[0], DType::I64, x.device())?;
        return Ok((sorted, none.clone(), none));
    }
    // A new group begins where a value differs from the one before it.
    let (before, after) = (part(&sorted, 0, 0, n - 1)?, part(&sorted, 0, 1, n - 1)?);
    let changed = ops::binary(BinaryOp::Ne, &before.into(), &after.into())?;
    let first = ops::create::full(&[1], Scalar::Bool(true), DType::Bool, x.device())?;
    let starts = ops::shape::cat(&[first, changed], 0)?;
    let group = ops::reduce::scan(crate::executor::ScanOp::Sum, &ops::transfer::cast(&starts, DType::I64)?, 0)?;
    let group = ops::binary(BinaryOp::Sub, &group.into(), &1i64.into())?;
    let values = ops::index::masked_select(&sorted, &starts)?;
    let zeros = ops::create::zeros(&[n], DType::I64, x.device())?;
    let inverse = ops::index::added(zeros, 0, &order, &group)?;
    let inverse = ops::view::reshape_to(&inverse, &x.shape())?;
    let ones = ops::create::full(&[n], Scalar::Int(1), DType::I64, x.device())?;
    let counts = ops::create::zeros(&[values.numel()], DType::I64, x.device())?;
    let counts = ops::index::added(counts, 0, &group, &ones)?;
    Ok((values, inverse, counts))
}

/// `torch.bincount`.
///
/// # Errors
/// Anything but one dimension of non-negative integers.
pub fn bincount(x: &Tensor, weights: Option<&Tensor>, minlength: i64) -> Result<Tensor> {
    device::checked(&rows::BINCOUNT, &[Some(x), weights])?;
    dtypes::takes(&rows::BINCOUNT, x)?;
    if weights.is_some() {
        device::steady(&rows::BINCOUNT, x.device())?;
    }
    if x.ndim() != 1 {
        return Err(Error::runtime("bincount only supports 1-d non-negative integral inputs."));
    }
    if minlength < 0 {
        return Err(Error::runtime("minlength should be >= 0"));
    }
    let _no_grad = autograd::GradMode::set(false);
    let x = ops::transfer::cast(x, DType::I64)?;
    let mut size = minlength;
    if x.numel() > 0 {
        let low = ops::reduce::extreme(&x, false, &[], false, rows::MIN.node)?;
        if ops::transfer::item(&low, crate::trace::Why::Item)?.as_i64() < 0 {
            return Err(Error::runtime("bincount only supports 1-d non-negative integral inputs."));
        }
        let high = ops::reduce::extreme(&x, true, &[], false, rows::MAX.node)?;
        let high = ops::transfer::item(&high, crate::trace::Why::Item)?.as_i64();
        if high == i64::MAX {
            return Err(Error::runtime(format!(
                "maximum value of input overflowed, it should be < {} but got {high}",
                i64::MAX
            )));
        }
        size = size.max(high + 1);
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
    let shape = ops::create::sizes(&[size], dtype, x.device())?;
    let zeros = ops::create::zeros(&shape, dtype, x.device())?;
    ops::index::added(zeros, 0, &x, &src)
}

/// The options of `torch.searchsorted`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search<'a> {
    /// Insert after equal values, not before them.
    pub right: bool,
    /// Return int32.
    pub int32: bool,
    /// The order of the boundaries, if they aren't sorted.
    pub sorter: Option<&'a Tensor>,
}

/// `torch.searchsorted(sorted, values)`: where each value would be inserted into the last dimension of the boundaries.
///
/// # Errors
/// PyTorch's errors for shapes that don't fit, invalid sorters, other devices.
pub(crate) fn searchsorted(sorted: &Tensor, values: &Tensor, how: Search<'_>) -> Result<Tensor> {
    if values.ndim() > 0 || values.device() != sorted.device() {
        device::checked(&rows::SEARCHSORTED, &[Some(sorted), Some(values), how.sorter])?;
    }
    check_search(sorted, values, how.sorter)?;
    let common = ops::elementwise::result_type(&[&sorted.into(), &values.into()])?;
    dtypes::taken(&rows::SEARCHSORTED, common, sorted.device())?;
    let _no_grad = autograd::GradMode::set(false);
    let kind = if how.int32 { DType::I32 } else { DType::I64 };
    let n = sorted.size(sorted.ndim() - 1);
    if values.numel() == 0 || n == 0 || sorted.device().is_meta() {
        return ops::create::zeros(&values.shape(), kind, sorted.device());
    }
    // One row of boundaries for each row of values; a single row is used for all.
    let per_row = if sorted.ndim() == 1 { values.numel() } else { values.size(values.ndim() - 1) };
    let lines = |t: &Tensor| ops::create::contiguous(&ops::view::reshape(&t.detach(), &[-1, n as i64])?);
    let rows = lines(&ops::transfer::cast(&sorted.detach(), common)?)?;
    let order = how.sorter.map(lines).transpose()?;
    let values = ops::transfer::cast(&values.detach(), common)?;
    let wanted = ops::view::reshape(&values, &[-1, per_row as i64])?;
    let out = Tensor::empty_with(Layout::contiguous(&values.shape()), kind, sorted.device(), false)?;
    let found = out.dense_as(&wanted.shape());
    let pins = (Pin::of(&rows), Pin::of(&wanted), Pin::of(&found));
    let order = order.as_ref().map(Pin::of);
    let kernel = Kernel::Search {
        sorted: pins.0.view()?,
        values: pins.1.view()?,
        order: order.as_ref().map(Pin::view).transpose()?,
        right: how.right,
        out: pins.2.view()?,
    };
    engine::current().launch(sorted.device(), &kernel)?;
    Ok(out)
}

/// Source: searchsorted_pre_check in aten/src/ATen/native/BucketizationUtils.h.
fn check_search(sorted: &Tensor, values: &Tensor, sorter: Option<&Tensor>) -> Result<()> {
    let show = crate::shape::show;
    let wrong = |text: String| Err(Error::runtime(format!("torch.searchsorted(): {text}")));
    if let Some(sorter) = sorter {
        if sorter.shape() != sorted.shape() {
            return wrong(format!(
                "boundary and sorter must have the same size, but got boundary tensor {}and got sorter tensor {}",
                show(&sorted.shape()),
                show(&sorter.shape())
            ));
        }
        if sorter.dtype() != DType::I64 {
            return wrong(format!(
                "sorter must be a tensor of long dtype but got dtype {}",
                sorter.dtype().scalar_name()
            ));
        }
        if sorter.numel() > 0 && !sorter.device().is_meta() {
            let bound = |largest| {
                let value = ops::reduce::extreme(&sorter.detach(), largest, &[], false, rows::MAX.node)?;
                ops::transfer::item(&value, crate::trace::Why::Item).map(Scalar::as_i64)
            };
            if bound(false)? < 0 || bound(true)? >= sorted.size(sorted.ndim() - 1) as i64 {
                return wrong("sorter index out of range".into());
            }
        }
    }
    if values.ndim() == 0 && sorted.ndim() != 1 {
        return wrong(format!(
            "input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim({}) and input value's dim(0) numel(1)",
            sorted.ndim()
        ));
    }
    if sorted.ndim() == 0 {
        return wrong("boundaries tensor should have positive dimension, but got 0 dimension".into());
    }
    let lead = |t: &Tensor| t.shape().split_last().map(|(_, lead)| lead.to_vec());
    if sorted.ndim() != 1 && (sorted.ndim() != values.ndim() || lead(sorted) != lead(values)) {
        return wrong(format!(
            "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor {} and input value tensor {}",
            show(&sorted.shape()),
            show(&values.shape())
        ));
    }
    Ok(())
}

/// `torch.unique(x, dim=dim)` or, with `runs`, `torch.unique_consecutive(x, dim=dim)`, which keeps the order. Returns
/// the distinct slices, which of them each slice is, and how often each occurs.
///
/// # Errors
/// Dimensions of size 0 other than `dim`.
/// Records an operator that PyTorch has no derivative for: the result is in the graph, and `backward` says why it ends there.
pub(crate) fn without_slope(node: &'static str, operator: &'static str, x: &Tensor, out: &Tensor) -> Result<()> {
    if !x.dtype().is_inexact() || !autograd::needs_grad([x]) {
        return Ok(());
    }
    autograd::record(node, &[Some(x)], &[], &[out], move |_| {
        Err(Error::not_implemented(format!("the derivative for '{operator}' is not implemented.")))
    })
}

pub(crate) fn unique_dim(x: &Tensor, dim: i64, runs: bool) -> Result<(Tensor, Tensor, Tensor)> {
    let _no_grad = autograd::GradMode::set(false);
    if x.dtype().is_complex() {
        return Err(Error::not_implemented(format!(
            "\"unique_dim\" not implemented for '{}'",
            x.dtype().scalar_name()
        )));
    }
    if x.ndim() == 0 {
        return Err(Error::index(format!("Dimension specified as {dim} but tensor has no dimensions")));
    }
    let (d, x) = (wrap_dim(dim, x.ndim())?, x.detach());
    let (n, empty) = (x.size(d), x.shape().iter().filter(|&&size| size == 0).count());
    if empty > usize::from(n == 0) {
        return Err(Error::runtime(if n == 0 {
            "Number of zero sized dimensions is more than one, so unique cannot be applied "
        } else {
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        }));
    }
    let device = x.device();
    if n == 0 {
        let none = ops::create::zeros(&[0], DType::I64, device)?;
        return Ok((ops::create::clone(&x)?, none.clone(), none));
    }
    let rows = ops::view::reshape(&ops::shape::movedim(&x, &[d as i64], &[0])?, &[n as i64, -1])?;
    let mut order = ops::create::arange_count(Scalar::Int(0), Scalar::Int(1), n, DType::I64, device)?;
    // Stable sorts by the last column, then the one before it, and so on.
    for column in (0..if runs { 0 } else { rows.size(1) }).rev() {
        let values = ops::index::index_select(&ops::view::select(&rows, 1, column as i64)?, 0, &order)?;
        order = ops::index::index_select(&order, 0, &sort_data(&values, 0, false)?.1)?;
    }
    let rows = ops::index::index_select(&rows, 0, &order)?;
    let (before, after) = (part(&rows, 0, 0, n - 1)?, part(&rows, 0, 1, n - 1)?);
    let differs = ops::binary(BinaryOp::Ne, &before.into(), &after.into())?;
    let changed = ops::reduce::logical(&differs, ReduceOp::Any, &[1], false)?;
    let first = ops::create::full(&[1], Scalar::Bool(true), DType::Bool, device)?;
    let starts = ops::shape::cat(&[first, changed], 0)?;
    let group = ops::reduce::scan(crate::executor::ScanOp::Sum, &ops::transfer::cast(&starts, DType::I64)?, 0)?;
    let group = ops::binary(BinaryOp::Sub, &group.into(), &1i64.into())?;
    let firsts = ops::index::masked_select(&order, &starts)?;
    let zeros = ops::create::zeros(&[n], DType::I64, device)?;
    let inverse = ops::index::added(zeros, 0, &order, &group)?;
    let ones = ops::create::full(&[n], Scalar::Int(1), DType::I64, device)?;
    let counts = ops::create::zeros(&[firsts.numel()], DType::I64, device)?;
    let counts = ops::index::added(counts, 0, &group, &ones)?;
    // The slices are next to each other in memory, and the result is a view of them.
    let slices = ops::index::index_select(&ops::shape::movedim(&x, &[d as i64], &[0])?, 0, &firsts)?;
    Ok((ops::shape::movedim(&slices, &[0], &[d as i64])?, inverse, counts))
}
