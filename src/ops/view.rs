//! Views: other layouts over the same storage.

use smallvec::smallvec;

use crate::autograd::{self, Context};
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::ops::{self, rows};
use crate::shape::{self, Dims, Layout, show_signed, wrap_dim};
use crate::tensor::Tensor;

/// Makes a view and records it.
///
/// # Errors
/// More elements than can be counted.
fn view_of(
    t: &Tensor,
    layout: Layout,
    name: &'static str,
    backward: impl Fn(&Context<'_>) -> Result<Tensor> + 'static,
) -> Result<Tensor> {
    shape::checked_numel(&layout.shape)?;
    let v = t.alias(layout);
    autograd::mark_view(&v, t);
    if v.dtype().is_inexact() && autograd::needs_grad([t]) {
        autograd::record(name, &[Some(t)], &[], &[&v], move |ctx| Ok(smallvec![Some(backward(ctx)?)]))?;
    }
    Ok(v)
}

/// The tensor itself as a view: `t[...]`.
///
/// # Errors
/// None: a tensor that exists has no more elements than can be counted.
pub fn alias(t: &Tensor) -> Result<Tensor> {
    view_of(t, t.layout(), rows::nodes::ALIAS, |ctx| Ok(ctx.grad().clone()))
}

/// The strides with which `layout` can be viewed as `shape`, if that's possible without copying.
fn view_strides(layout: &Layout, shape: &[usize]) -> Option<Dims> {
    if layout.numel() == 0 {
        return Some(shape::contiguous_strides(shape));
    }
    // Old dimensions without gaps between them are merged into runs; every new dimension must divide one run.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (&size, &stride) in layout.shape.iter().zip(&layout.strides) {
        if size == 1 {
            continue;
        }
        match runs.last_mut() {
            // If this overflows, it isn't a stride: such a layout can't exist.
            Some((len, step)) if Some(*step) == stride.checked_mul(size) => {
                *len *= size;
                *step = stride;
            }
            _ => runs.push((size, stride)),
        }
    }
    let mut strides: Dims = smallvec![1; shape.len()];
    let mut run = runs.len();
    let (mut left, mut step) = (1, 1);
    for i in (0..shape.len()).rev() {
        if shape[i] == 1 {
            strides[i] = if i + 1 < shape.len() { strides[i + 1].saturating_mul(shape[i + 1]) } else { 1 };
            continue;
        }
        if left == 1 {
            if run == 0 {
                return None;
            }
            run -= 1;
            (left, step) = runs[run];
        }
        if left % shape[i] != 0 {
            return None;
        }
        strides[i] = step;
        step = step.saturating_mul(shape[i]);
        left /= shape[i];
    }
    Some(strides)
}

/// Replaces a `-1` in the sizes.
///
/// # Errors
/// PyTorch's errors for two of them, for other negative sizes, and for counts that don't match.
pub(crate) fn infer_shape(wanted: &[i64], numel: usize) -> Result<Dims> {
    let invalid = || {
        let parts: Vec<String> = wanted.iter().map(i64::to_string).collect();
        Error::runtime(format!("shape '[{}]' is invalid for input of size {numel}", parts.join(", ")))
    };
    let mut out = Dims::new();
    let mut hole = None;
    // Multiplies as PyTorch does. A product that wraps around to the right number is refused when the elements are
    // counted.
    let mut known = 1i64;
    for (i, &w) in wanted.iter().enumerate() {
        if w == -1 {
            if hole.is_some() {
                return Err(Error::runtime("only one dimension can be inferred"));
            }
            hole = Some(i);
            out.push(1);
        } else if w < 0 {
            return Err(Error::runtime(format!(
                "invalid shape dimension {w} at index {i} of shape {}",
                show_signed(wanted)
            )));
        } else {
            known = known.wrapping_mul(w);
            out.push(shape::size(w).map_err(|error| if numel == 0 { error } else { invalid() })?);
        }
    }
    match hole {
        Some(_) if known == 0 && numel == 0 => {
            return Err(Error::runtime(format!(
                "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
                show_signed(wanted)
            )));
        }
        Some(i) if known > 0 && (numel as i64) % known == 0 => out[i] = shape::size(numel as i64 / known)?,
        None if known == numel as i64 => {}
        _ => return Err(invalid()),
    }
    shape::checked_numel(&out)?;
    Ok(out)
}

/// `t.view(shape)`.
///
/// # Errors
/// Counts that don't match; layouts for which only a copy could have this shape.
pub fn view(t: &Tensor, wanted: &[i64]) -> Result<Tensor> {
    let shape = infer_shape(wanted, t.numel())?;
    match view_as(t, &shape, rows::VIEW.node)? {
        Some(v) => Ok(v),
        None => Err(Error::runtime(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
        )),
    }
}

fn view_as(t: &Tensor, shape: &[usize], name: &'static str) -> Result<Option<Tensor>> {
    let layout = t.layout();
    let Some(strides) = view_strides(&layout, shape) else { return Ok(None) };
    shape::check_strides(&strides)?;
    let back: Vec<i64> = layout.shape.iter().map(|&d| d as i64).collect();
    view_of(t, Layout { shape: shape.into(), strides, offset: layout.offset }, name, move |ctx| {
        reshape(ctx.grad(), &back)
    })
    .map(Some)
}

/// `t.reshape(shape)`: a view if possible, otherwise a copy.
///
/// # Errors
/// Those of `infer_shape`; out of memory for the copy.
pub fn reshape(t: &Tensor, wanted: &[i64]) -> Result<Tensor> {
    let shape = infer_shape(wanted, t.numel())?;
    if let Some(v) = view_as(t, &shape, rows::VIEW.node)? {
        return Ok(v);
    }
    let dense = ops::create::contiguous(t)?;
    view_as(&dense, &shape, rows::nodes::UNSAFE_VIEW)?.ok_or_else(|| {
        Error::runtime(format!(
            "reshape: a contiguous copy of shape {} has no view of shape {}",
            shape::show(&dense.shape()),
            shape::show(&shape)
        ))
    })
}

/// [`reshape`] with known sizes.
pub(crate) fn reshape_to(t: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let wanted: Vec<i64> = shape.iter().map(|&d| d as i64).collect();
    reshape(t, &wanted)
}

/// `t.permute(dims)`.
///
/// # Errors
/// A wrong count, a dimension out of range or named twice.
pub fn permute(t: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let ndim = t.ndim();
    if dims.len() != ndim {
        // PyTorch's message says `sparse_coo` for dense tensors as well.
        return Err(Error::runtime(format!(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {}",
            dims.len()
        )));
    }
    let mut order = Vec::with_capacity(ndim);
    for &d in dims {
        let d = wrap_dim(d, ndim)?;
        if order.contains(&d) {
            return Err(Error::runtime("permute(): duplicate dims are not allowed."));
        }
        order.push(d);
    }
    permute_as(t, &order, rows::PERMUTE.node)
}

fn permute_as(t: &Tensor, order: &[usize], name: &'static str) -> Result<Tensor> {
    let l = t.layout();
    let layout = Layout {
        shape: order.iter().map(|&d| l.shape[d]).collect(),
        strides: order.iter().map(|&d| l.strides[d]).collect(),
        offset: l.offset,
    };
    let mut inverse = vec![0; order.len()];
    for (i, &d) in order.iter().enumerate() {
        inverse[d] = i;
    }
    view_of(t, layout, name, move |ctx| permute_as(ctx.grad(), &inverse, name))
}

/// `t.transpose(a, b)`: the two dimensions change places.
///
/// # Errors
/// A dimension out of range.
pub fn transpose(t: &Tensor, a: i64, b: i64) -> Result<Tensor> {
    let (a, b) = (wrap_dim(a, t.ndim())?, wrap_dim(b, t.ndim())?);
    transpose_as(t, a, b, rows::TRANSPOSE.node)
}

fn transpose_as(t: &Tensor, a: usize, b: usize, name: &'static str) -> Result<Tensor> {
    let mut order: Vec<usize> = (0..t.ndim()).collect();
    if !order.is_empty() {
        order.swap(a, b);
    }
    permute_as(t, &order, name)
}

/// `t.t()`.
///
/// # Errors
/// More than two dimensions.
pub fn t(x: &Tensor) -> Result<Tensor> {
    match x.ndim() {
        0 | 1 => {
            let order: Vec<usize> = (0..x.ndim()).collect();
            permute_as(x, &order, rows::T.node)
        }
        2 => transpose_as(x, 0, 1, rows::T.node),
        n => Err(Error::runtime(format!("t() expects a tensor with <= 2 dimensions, but self is {n}D"))),
    }
}

/// `t.expand(shape)`; -1 keeps a size.
///
/// # Errors
/// PyTorch's errors for too few sizes and for sizes that don't match.
pub fn expand(t: &Tensor, wanted: &[i64]) -> Result<Tensor> {
    let l = t.layout();
    if wanted.len() < l.ndim() {
        return Err(Error::runtime(format!(
            "expand({}{}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            type_name(t),
            format_args!("{{{}}}", shape::show(&l.shape)),
            show_signed(wanted),
            wanted.len(),
            l.ndim()
        )));
    }
    let lead = wanted.len() - l.ndim();
    let mut out: Dims = wanted.iter().map(|_| 0).collect();
    // From the last dimension on: the first that doesn't fit is the one that is named.
    for (i, &w) in wanted.iter().enumerate().rev() {
        let have = if i >= lead { Some(l.shape[i - lead]) } else { None };
        let size = match (w, have) {
            (-1, Some(h)) => h,
            (-1, None) => {
                return Err(Error::runtime(format!(
                    "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {i}"
                )));
            }
            (w, Some(h)) if h != 1 && w != h as i64 => {
                return Err(Error::runtime(format!(
                    "The expanded size of the tensor ({w}) must match the existing size ({h}) at non-singleton dimension {i}.  Target sizes: {}.  Tensor sizes: {}",
                    show_signed(wanted),
                    shape::show(&l.shape)
                )));
            }
            (w, _) if w < 0 => return Err(Error::runtime("numel: integer multiplication overflow")),
            (w, _) => shape::size(w)?,
        };
        out[i] = size;
    }
    let mut strides = l.broadcast_strides(&out);
    // A new dimension of size 1 gets the stride that it has in a row-major layout, but 0 if the tensor had no dimensions.
    let new = if l.ndim() == 0 { 0 } else { lead };
    for i in (0..new).rev().filter(|&i| out[i] == 1) {
        strides[i] = if i + 1 < out.len() { out[i + 1].saturating_mul(strides[i + 1]) } else { 1 };
    }
    let shape = l.shape.clone();
    view_of(t, Layout { shape: out, strides, offset: l.offset }, rows::EXPAND.node, move |ctx| {
        ops::sum_to(ctx.grad(), &shape)
    })
}

/// `torch.FloatTensor` or `torch.cuda.FloatTensor`: `t.type()`.
pub(crate) fn type_name(t: &Tensor) -> String {
    let place = match t.device().kind.name() {
        "cpu" | "meta" => String::new(),
        kind => format!("{kind}."),
    };
    format!("torch.{place}{}Tensor", t.dtype().scalar_name())
}

/// `t.unsqueeze(dim)`: a new dimension of size 1 before `dim`.
///
/// # Errors
/// A dimension out of range.
pub fn unsqueeze(t: &Tensor, dim: i64) -> Result<Tensor> {
    let ndim = t.ndim();
    let dim = wrap_dim(dim, ndim + 1)?;
    let mut l = t.layout();
    let (stride, size) = if dim < ndim { (l.strides[dim], l.shape[dim]) } else { (1, 1) };
    l.shape.insert(dim, 1);
    l.strides.insert(dim, stride);
    l.stretch(dim, size)?;
    view_of(t, l, rows::UNSQUEEZE.node, move |ctx| squeeze_dim(ctx.grad(), dim as i64))
}

/// `t.squeeze()`: without the dimensions of size 1.
///
/// # Errors
/// None, as for [`alias`].
pub fn squeeze(t: &Tensor) -> Result<Tensor> {
    squeezed(t, &vec![true; t.ndim()], rows::SQUEEZE.node)
}

/// `t.squeeze(dim)`: without this dimension, if it has size 1.
///
/// # Errors
/// A dimension out of range.
pub fn squeeze_dim(t: &Tensor, dim: i64) -> Result<Tensor> {
    squeeze_as(t, &[dim], rows::nodes::SQUEEZE_DIM)
}

/// `t.squeeze(dims)`: without those of these dimensions that have size 1.
///
/// # Errors
/// A dimension out of range.
pub fn squeeze_dims(t: &Tensor, dims: &[i64]) -> Result<Tensor> {
    squeeze_as(t, dims, rows::nodes::SQUEEZE_DIMS)
}

fn squeeze_as(t: &Tensor, dims: &[i64], name: &'static str) -> Result<Tensor> {
    let mut drop = vec![false; t.ndim()];
    for &d in dims {
        let d = wrap_dim(d, t.ndim())?;
        if let Some(drop) = drop.get_mut(d) {
            *drop = true;
        }
    }
    squeezed(t, &drop, name)
}

fn squeezed(t: &Tensor, drop: &[bool], name: &'static str) -> Result<Tensor> {
    let l = t.layout();
    let mut layout = Layout { shape: Dims::new(), strides: Dims::new(), offset: l.offset };
    for (i, dropped) in drop.iter().enumerate() {
        if !(*dropped && l.shape[i] == 1) {
            layout.shape.push(l.shape[i]);
            layout.strides.push(l.strides[i]);
        }
    }
    let back = l.shape.clone();
    view_of(t, layout, name, move |ctx| reshape_to(ctx.grad(), &back))
}

/// `t.narrow(dim, start, length)` for a range that has been checked. `name` is the operator that uses it.
pub(crate) fn narrow_as(
    t: &Tensor,
    dim: usize,
    start: usize,
    length: usize,
    step: usize,
    name: &'static str,
) -> Result<Tensor> {
    let whole = t.shape();
    let narrowed = move |mut l: Layout| -> Result<Layout> {
        l.advance(dim, start)?;
        l.shape[dim] = length;
        l.stretch(dim, step)?;
        Ok(l)
    };
    view_of(t, narrowed(t.layout())?, name, move |ctx| {
        let g = ctx.grad();
        let out = ops::create::zeros(&whole, g.dtype(), g.device())?;
        let part = narrowed(out.layout())?;
        let again = move |g: &Tensor| narrow_as(g, dim, start, length, step, name);
        scatter_into(out, part, g, "SliceBackwardBackward0", again)
    })
}

/// The gradient of a view: `out`, which has the shape of the viewed tensor, with `g` written into its `part`. `view` takes that
/// part of any tensor of this shape; the gradient of this gradient needs it.
fn scatter_into(
    out: Tensor,
    part: Layout,
    g: &Tensor,
    name: &'static str,
    view: impl Fn(&Tensor) -> Result<Tensor> + 'static,
) -> Result<Tensor> {
    ops::transfer::copy_data(&out.alias(part), g)?;
    if autograd::needs_grad([g]) {
        autograd::record(name, &[Some(g)], &[], &[&out], move |ctx| {
            let part = view(ctx.grad())?;
            // Gradients that no graph needs are added up in place, so each must have memory of its own.
            Ok(smallvec![Some(if autograd::is_grad_enabled() { part } else { ops::create::clone(&part)? })])
        })?;
    }
    Ok(out)
}

/// `t.view(dtype)`: the same bytes as elements of another dtype, outside the graph. Source:
/// aten/src/ATen/native/TensorConversions.cpp.
///
/// # Errors
/// Layouts in which the bytes of one new element aren't side by side; devices that store the dtypes in different forms.
pub(crate) fn view_dtype(t: &Tensor, dtype: DType) -> Result<Tensor> {
    if t.is_flipped() && t.dtype() != dtype {
        let what = if t.dtype().is_complex() { "conjugate view tensors" } else { "tensors with negative bit set" };
        return Err(Error::runtime(format!(
            "torch.Tensor.view is not supported for {what} when converting to a different dtype."
        )));
    }
    let (from, to) = (t.dtype().size(), dtype.size());
    let what = || {
        let (one, other) = (t.dtype().scalar_name(), dtype.scalar_name());
        format!("to view {one} as {other} (different element sizes)")
    };
    let mut layout = t.layout();
    if from != to {
        let Some(last) = t.ndim().checked_sub(1) else {
            return Err(Error::runtime(format!("self.dim() cannot be 0 {}", what())));
        };
        if layout.strides[last] != 1 {
            return Err(Error::runtime(format!(
                "self.stride(-1) must be 1 {}, but got {}",
                what(),
                layout.strides[last]
            )));
        }
        if from > to {
            let ratio = from / to;
            layout.shape[last] *= ratio;
            layout.strides[..last].iter_mut().for_each(|stride| *stride *= ratio);
            layout.offset *= ratio;
        } else {
            let ratio = to / from;
            let divided = |value: usize, name: &str| match value.is_multiple_of(ratio) {
                true => Ok(value / ratio),
                false => {
                    Err(Error::runtime(format!("{name} must be divisible by {ratio} {}, but got {value}", what())))
                }
            };
            layout.shape[last] = divided(layout.shape[last], "self.size(-1)")?;
            layout.offset = divided(layout.offset, "self.storage_offset()")?;
            for d in 0..last {
                layout.strides[d] = divided(layout.strides[d], &format!("self.stride({d})"))?;
            }
        }
    }
    if !t.device().is_meta() {
        let engine = engine::current();
        let executor = engine.devices.executor(t.device());
        if !executor.stores_alike(t.dtype(), dtype) {
            return Err(Error::not_implemented(format!(
                "Tensor.view({dtype}) of {} (executor '{}', device {})",
                t.dtype(),
                executor.name(),
                t.device()
            )));
        }
    }
    Ok(t.alias_as(dtype, layout))
}

/// `torch.narrow(t, dim, start, length)`. A negative `start` counts from the end.
///
/// # Errors
/// A range outside the dimension.
pub fn narrow(t: &Tensor, dim: i64, start: i64, length: i64) -> Result<Tensor> {
    if t.ndim() == 0 {
        return Err(Error::runtime("narrow() cannot be applied to a 0-dim tensor."));
    }
    let dim = wrap_dim(dim, t.ndim())?;
    let size = t.size(dim) as i64;
    if length < 0 {
        return Err(Error::runtime("narrow(): length must be non-negative."));
    }
    if start < -size || start > size {
        return Err(Error::index(format!(
            "start out of range (expected to be in range of [{}, {size}], but got {start})",
            -size
        )));
    }
    let start = if start < 0 { start + size } else { start };
    if length > size - start {
        return Err(Error::runtime(format!("start ({start}) + length ({length}) exceeds dimension size ({size}).")));
    }
    narrow_as(t, dim, shape::size(start)?, shape::size(length)?, 1, rows::NARROW.node)
}

/// `t[start:stop:step]` along a dimension, clamped as in Python.
///
/// # Errors
/// A step below 1.
pub fn slice(t: &Tensor, dim: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Result<Tensor> {
    if step <= 0 {
        return Err(Error::value("step must be greater than zero"));
    }
    let size = t.size(dim) as i64;
    let clamp = |v: i64| (if v < 0 { v + size } else { v }).clamp(0, size);
    let start = clamp(start.unwrap_or(0));
    let stop = clamp(stop.unwrap_or(size)).max(start);
    let (start, range) = (shape::size(start)?, shape::size(stop - start)?);
    // A step that exceeds what this machine can count is past the end: only the first element is selected.
    let step = shape::word(step).unwrap_or(range.max(1));
    narrow_as(t, dim, start, range.div_ceil(step), step, rows::NARROW.node)
}

/// `t.select(dim, index)`.
///
/// # Errors
/// An index outside the dimension.
pub fn select(t: &Tensor, dim: usize, index: i64) -> Result<Tensor> {
    select_as(t, dim, index, rows::SELECT.node)
}

/// Like [`select`]. `name` is the operator that uses it.
pub(crate) fn select_as(t: &Tensor, dim: usize, index: i64, name: &'static str) -> Result<Tensor> {
    let size = t.size(dim) as i64;
    if index < -size || index >= size {
        return Err(Error::index(format!(
            "select(): index {index} out of range for tensor of size {} at dimension {dim}",
            shape::show(&t.shape())
        )));
    }
    let index = shape::size(if index < 0 { index + size } else { index })?;
    let whole = t.shape();
    let selected = move |mut l: Layout| -> Result<Layout> {
        l.advance(dim, index)?;
        l.shape.remove(dim);
        l.strides.remove(dim);
        Ok(l)
    };
    view_of(t, selected(t.layout())?, name, move |ctx| {
        let g = ctx.grad();
        let out = ops::create::zeros(&whole, g.dtype(), g.device())?;
        let part = selected(out.layout())?;
        let again = move |g: &Tensor| select_as(g, dim, index as i64, name);
        scatter_into(out, part, g, "SelectBackwardBackward0", again)
    })
}

/// `t.diagonal(offset, dim1, dim2)`: the diagonal of two dimensions, as one dimension at the end.
///
/// # Errors
/// A dimension out of range, the same dimension twice.
pub fn diagonal(t: &Tensor, offset: i64, dim1: i64, dim2: i64) -> Result<Tensor> {
    let (a, b) = (wrap_dim(dim1, t.ndim())?, wrap_dim(dim2, t.ndim())?);
    if a == b {
        return Err(Error::runtime(format!("diagonal dimensions cannot be identical {dim1}, {dim2}")));
    }
    let whole = t.shape();
    let diagonal_of = move |l: &Layout| -> Result<Layout> {
        let (rows, cols) = (l.shape[a] as i64, l.shape[b] as i64);
        let length = if offset >= 0 { rows.min(cols - offset) } else { rows.saturating_add(offset).min(cols) };
        let mut at = l.clone();
        if length > 0 {
            at.advance(if offset >= 0 { b } else { a }, shape::size(offset.abs())?)?;
        }
        let mut out = Layout { shape: Dims::new(), strides: Dims::new(), offset: at.offset };
        for i in (0..l.ndim()).filter(|&i| i != a && i != b) {
            out.shape.push(l.shape[i]);
            out.strides.push(l.strides[i]);
        }
        out.shape.push(shape::size(length.max(0))?);
        // Both are at most `MOST`, so their sum doesn't overflow.
        out.strides.push(l.strides[a] + l.strides[b]);
        let last = out.ndim() - 1;
        out.stretch(last, 1)?;
        Ok(out)
    };
    view_of(t, diagonal_of(&t.layout())?, rows::DIAGONAL.node, move |ctx| {
        let g = ctx.grad();
        let out = ops::create::zeros(&whole, g.dtype(), g.device())?;
        let part = diagonal_of(&out.layout())?;
        let again = move |g: &Tensor| diagonal(g, offset, dim1, dim2);
        scatter_into(out, part, g, "DiagonalBackwardBackward0", again)
    })
}

/// `t.unfold(dim, size, step)`: windows of `size` elements, one every `step` elements. `dim` counts the windows, and a new last
/// dimension has their elements.
///
/// # Errors
/// A dimension out of range; a size below 0 or above the dimension's; a step below 1.
pub fn unfold(t: &Tensor, dim: i64, size: i64, step: i64) -> Result<Tensor> {
    let dim = wrap_dim(dim, t.ndim())?;
    let mut l = t.layout();
    // A 0-dim tensor is unfolded as if it had one dimension with one element.
    let most = l.shape.get(dim).copied().unwrap_or(1);
    if size < 0 {
        return Err(Error::runtime(format!("size is {size} but must be >= 0")));
    }
    if size > most as i64 {
        return Err(Error::runtime(format!("maximum size for tensor at dimension {dim} is {most} but size is {size}")));
    }
    if step <= 0 {
        return Err(Error::runtime(format!("step is {step} but must be > 0")));
    }
    // A step that exceeds what this machine can count leaves one window.
    let (size, step) = (shape::size(size)?, shape::word(step).unwrap_or(most.max(1)));
    let whole = l.shape.clone();
    let count = (most - size) / step + 1;
    let stride = l.strides.get(dim).copied().unwrap_or(1);
    l.shape.push(size);
    l.strides.push(stride);
    // A 0-dim tensor has only the new dimension.
    if l.ndim() > 1 {
        l.shape[dim] = count;
        l.stretch(dim, step)?;
    }
    view_of(t, l, rows::UNFOLD.node, move |ctx| fold_windows(ctx.grad(), &whole, dim, step))
}

/// The sum of windows along `dim`: the gradient of [`unfold`].
fn fold_windows(g: &Tensor, whole: &[usize], dim: usize, step: usize) -> Result<Tensor> {
    if whole.is_empty() {
        return ops::reduce::sum(g, &[0], false, None);
    }
    let last = g.ndim() - 1;
    let (count, size) = (g.size(dim), g.size(last));
    let zeros = ops::create::zeros(whole, g.dtype(), g.device())?;
    // Puts the windows one after the other in place of the dimension, with the position of each of their elements.
    let order: Vec<usize> = (0..=dim).chain([last]).chain(dim + 1..last).collect();
    let mut flat: Vec<i64> = whole.iter().map(|&n| n as i64).collect();
    flat[dim] = (count * size) as i64;
    let windows = reshape(&permute_as(g, &order, rows::PERMUTE.node)?, &flat)?;
    let at = places(&Layout { shape: smallvec![count, size], strides: smallvec![step, 1], offset: 0 }, g.device())?;
    ops::index::index_add_(&zeros, dim as i64, &at, &windows, 1.0)?;
    Ok(zeros)
}

/// The memory offsets of a layout's elements, in order, as a vector of int64.
fn places(layout: &Layout, device: crate::device::Device) -> Result<Tensor> {
    let mut at = ops::create::full(&vec![1; layout.ndim()], Scalar::Int(layout.offset as i64), DType::I64, device)?;
    for (d, (&n, &stride)) in layout.shape.iter().zip(&layout.strides).enumerate() {
        let steps = ops::create::arange_count(Scalar::Int(0), Scalar::Int(stride as i64), n, DType::I64, device)?;
        let mut shape = vec![1; layout.ndim()];
        shape[d] = n;
        at = ops::add(&at, &reshape_to(&steps, &shape)?)?;
    }
    reshape(&at, &[layout.numel() as i64])
}

/// The gradient of `as_strided`: each element's gradient is added at its memory offset, and the input's elements then
/// read theirs from there.
fn strided_backward(g: &Tensor, input: &Layout, output: &Layout) -> Result<Tensor> {
    let base = input.offset.min(output.offset);
    let ends = input
        .end()
        .zip(output.end())
        .ok_or_else(|| Error::runtime("as_strided backward: a layout that reaches past the last address"))?;
    let end = ends.0.max(ends.1);
    if g.numel() == 0 || input.numel() == 0 || end <= base {
        return ops::create::zeros(&input.shape, g.dtype(), g.device());
    }
    let memory = ops::create::zeros(&[end - base], g.dtype(), g.device())?;
    let shifted = |l: &Layout| places(&Layout { offset: l.offset - base, ..l.clone() }, g.device());
    let (from, to) = (shifted(output)?, shifted(input)?);
    let mut memory = ops::index::index_add(&memory, 0, &from, &reshape(g, &[-1])?, 1.0)?;
    if !ops::create::is_dense(input) && ends.0 - input.offset < input.numel() {
        // Elements of the input that share a memory offset share its gradient.
        let ones = ops::create::full(&[input.numel()], Scalar::Int(1), g.dtype(), g.device())?;
        let none = ops::create::zeros(&[end - base], g.dtype(), g.device())?;
        memory = ops::div(&memory, &ops::index::index_add(&none, 0, &to, &ones, 1.0)?)?;
    }
    reshape_to(&ops::index::index_select(&memory, 0, &to)?, &input.shape)
}

/// `t.detach()`: a view outside the graph.
pub fn detach(t: &Tensor) -> Tensor {
    t.detach()
}

/// `t.detach_()`: takes the tensor itself out of the graph.
///
/// # Errors
/// A view.
pub(crate) fn detach_(t: &Tensor) -> Result<()> {
    if t.meta().view.borrow().is_some() {
        return Err(Error::runtime(
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.",
        ));
    }
    drop(t.meta().grad_fn.replace(None));
    t.meta().requires_grad.set(false);
    Ok(())
}

/// `t.as_strided(size, stride, offset)`.
///
/// # Errors
/// A layout with elements outside the storage.
pub fn as_strided(t: &Tensor, sizes: &[i64], strides: &[i64], offset: Option<i64>) -> Result<Tensor> {
    if sizes.len() != strides.len() {
        return Err(Error::runtime("mismatch in length of strides and shape"));
    }
    let item = t.dtype().size();
    let offset = offset.unwrap_or(t.offset() as i64);
    let layout = shape::within_storage(sizes, strides, offset, item, t.storage().numel() * item)?;
    let (input, output) = (t.layout(), layout.clone());
    view_of(t, layout, rows::AS_STRIDED.node, move |ctx| strided_backward(ctx.grad(), &input, &output))
}

/// The part of `whole` that `layout` shows, as a view in the graph. The layout counts in elements of `dtype`, which may be real
/// where `whole` is complex, or the other way round. It's negated when it's read if it's `flipped`.
pub(crate) fn part(whole: &Tensor, dtype: DType, layout: &Layout, flipped: bool) -> Result<Tensor> {
    let (mut whole, mut layout) = (whole.clone(), layout.clone());
    if whole.dtype().is_complex() && !dtype.is_complex() {
        whole = ops::complex::view_as_real(&whole)?;
    }
    let pairs = dtype.is_complex() && !whole.dtype().is_complex();
    if pairs {
        layout.offset *= 2;
        layout.strides.iter_mut().for_each(|stride| *stride *= 2);
        layout.strides.push(1);
        layout.shape.push(2);
    }
    let (input, output) = (whole.layout(), layout.clone());
    let part =
        view_of(&whole, layout, rows::AS_STRIDED.node, move |ctx| strided_backward(ctx.grad(), &input, &output))?;
    let part = if pairs { ops::complex::view_as_complex(&part)? } else { part };
    match flipped {
        true if dtype.is_complex() => ops::complex::conj(&part),
        true => ops::complex::neg_view(&part),
        false => Ok(part),
    }
}

/// A copy of `t` with the layout of `like`, which is dense, at offset 0.
pub(crate) fn like_layout(t: &Tensor, like: &Layout) -> Result<Tensor> {
    let out = Tensor::empty_with(Layout { offset: 0, ..like.clone() }, t.dtype(), t.device(), false)?;
    ops::transfer::copy_data(&out, t)?;
    Ok(out)
}

/// Sums a gradient over the dimensions that broadcasting added or stretched: the result has `shape`.
pub fn sum_to(g: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let have = g.shape();
    if have.as_slice() == shape {
        return Ok(g.clone());
    }
    let lead = have.len() - shape.len();
    let dims: Vec<i64> =
        (0..have.len()).filter(|&i| i < lead || (shape[i - lead] == 1 && have[i] != 1)).map(|i| i as i64).collect();
    let summed = if dims.is_empty() { g.clone() } else { ops::reduce::sum(g, &dims, true, None)? };
    if lead > 0 { reshape_to(&summed, shape) } else { Ok(summed) }
}
