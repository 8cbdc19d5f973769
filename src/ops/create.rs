//! Tensors from nothing or from one like them.

use crate::autograd::{self, Gradients};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::Kernel;
use crate::ops::dtypes;
use crate::shape::Layout;
use crate::tensor::{Pin, Tensor};

/// `torch.full`.
///
/// # Errors
/// An unusable device, overflow, out of memory.
pub fn full(shape: &[usize], value: Scalar, dtype: DType, device: Device) -> Result<Tensor> {
    let t = Tensor::empty(shape, dtype, device)?;
    fill_data(&t, value)?;
    Ok(t)
}

pub fn zeros(shape: &[usize], dtype: DType, device: Device) -> Result<Tensor> {
    full(shape, Scalar::Int(0), dtype, device)
}

/// `torch.arange(start, end, step)`: without a dtype, i64 if all three are integers, else the default float dtype.
///
/// # Errors
/// A step of 0 or of the wrong sign, bounds that are not finite; bool and complex dtypes.
pub fn arange(start: Scalar, end: Scalar, step: Scalar, dtype: Option<DType>, device: Device) -> Result<Tensor> {
    let float = [start, end, step].iter().any(|s| matches!(s, Scalar::Float(_)));
    if let Some(dtype) = dtype.filter(|d| *d == DType::Bool || d.is_complex()) {
        return Err(dtypes::refused("arange_cpu", dtype, device));
    }
    let dtype = dtype.unwrap_or(if float { engine::current().default_dtype() } else { DType::I64 });
    let (low, high, by) = (start.as_f64(), end.as_f64(), step.as_f64());
    if by == 0.0 {
        return Err(Error::runtime("step must be nonzero"));
    }
    if !low.is_finite() || !high.is_finite() {
        return Err(Error::runtime(format!("unsupported range: {low} -> {high}")));
    }
    if (by > 0.0) != (high >= low) && high != low {
        return Err(Error::runtime("upper bound and lower bound inconsistent with step sign"));
    }
    let count = if dtype == DType::I64 && !float {
        // Exact where doubles are not.
        let (low, high, by) = (i128::from(start.as_i64()), i128::from(end.as_i64()), i128::from(step.as_i64()));
        ((high - low + by - by.signum()) / by).max(0) as usize
    } else {
        ((high - low) / by).ceil() as usize
    };
    // Integers are counted in integers: what comes before the point of a start and of a step.
    let exact = |s: Scalar| if dtype.is_integral() { Scalar::Int(s.as_i64()) } else { s };
    arange_count(exact(start), exact(step), count, dtype, device)
}

/// [`arange`] with a known count: `start + i * step`.
pub fn arange_count(start: Scalar, step: Scalar, count: usize, dtype: DType, device: Device) -> Result<Tensor> {
    let t = Tensor::empty(&[count], dtype, device)?;
    if t.device().is_meta() || count == 0 {
        return Ok(t);
    }
    let pin = Pin::of(&t);
    engine::current().launch(t.device(), &Kernel::Arange { out: pin.view()?, start, step })?;
    Ok(t)
}

/// Numbers made on the host, converted to `dtype`.
pub fn from_scalars(values: &[Scalar], shape: &[usize], dtype: DType, device: Device) -> Result<Tensor> {
    let mut bytes = Vec::with_capacity(values.len() * dtype.size());
    for &v in values {
        super::transfer::push_scalar(&mut bytes, dtype, v);
    }
    Tensor::from_bytes(&bytes, shape, dtype, device)
}

/// `torch.linspace`: counted from the nearer end, so that both ends are exact.
///
/// # Errors
/// A negative number of steps.
pub fn linspace(start: f64, end: f64, steps: i64, dtype: DType, device: Device) -> Result<Tensor> {
    dtypes::numbers("linspace_cpu", dtype, device)?;
    spaced(start, end, steps, dtype, device, |v| v)
}

/// `torch.logspace`: powers of `base`.
pub fn logspace(start: f64, end: f64, steps: i64, base: f64, dtype: DType, device: Device) -> Result<Tensor> {
    dtypes::numbers("logspace_cpu", dtype, device)?;
    spaced(start, end, steps, dtype, device, |v| base.powf(v))
}

fn spaced(start: f64, end: f64, steps: i64, dtype: DType, device: Device, f: impl Fn(f64) -> f64) -> Result<Tensor> {
    if steps < 0 {
        return Err(Error::runtime("number of steps must be non-negative"));
    }
    let steps = steps as usize;
    let single = dtype == DType::F32;
    let round = |v: f64| if single { f64::from(v as f32) } else { v };
    let by = if steps > 1 { round((round(end) - round(start)) / (steps - 1) as f64) } else { 0.0 };
    let values: Vec<Scalar> = (0..steps)
        .map(|i| {
            let v = if i < steps / 2 || steps == 1 {
                round(start) + by * i as f64
            } else {
                round(end) - by * (steps - 1 - i) as f64
            };
            Scalar::Float(f(v))
        })
        .collect();
    from_scalars(&values, &[steps], dtype, device)
}

/// `torch.eye(n, m)`.
///
/// # Errors
/// Negative sizes.
pub fn eye(n: i64, m: i64, dtype: DType, device: Device) -> Result<Tensor> {
    if n < 0 {
        return Err(Error::runtime(format!("n must be greater or equal to 0, got {n}")));
    }
    if m < 0 {
        return Err(Error::runtime(format!("m must be greater or equal to 0, got {m}")));
    }
    let t = zeros(&[n as usize, m as usize], dtype, device)?;
    let side = n.min(m) as usize;
    let strides = smallvec::smallvec![t.strides()[0] + t.strides()[1]];
    fill_data(&t.alias(Layout { shape: smallvec::smallvec![side], strides, offset: 0 }), Scalar::Int(1))?;
    Ok(t)
}

/// `torch.tril_indices` and `torch.triu_indices`: [2, count].
///
/// # Errors
/// Negative sizes; dtypes other than those of integers.
pub fn triangle_indices(
    rows: i64,
    cols: i64,
    offset: i64,
    upper: bool,
    dtype: DType,
    device: Device,
) -> Result<Tensor> {
    for (name, n) in [("row", rows), ("col", cols)] {
        if n < 0 {
            return Err(Error::runtime(format!("{name} must be non-negative, got{n}")));
        }
    }
    if dtype == DType::Bool || dtype.is_inexact() {
        return Err(dtypes::refused(if upper { "triu_indices" } else { "tril_indices" }, dtype, device));
    }
    let inside = |&(i, j): &(i64, i64)| if upper { j - i >= offset } else { j - i <= offset };
    let places: Vec<(i64, i64)> = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))).filter(inside).collect();
    let values: Vec<Scalar> =
        places.iter().map(|p| Scalar::Int(p.0)).chain(places.iter().map(|p| Scalar::Int(p.1))).collect();
    from_scalars(&values, &[2, places.len()], dtype, device)
}

/// Uninitialised, with the strides of `t` if those leave no gaps, else contiguous: PyTorch's preserve_format.
pub fn empty_like(t: &Tensor, dtype: DType) -> Result<Tensor> {
    empty_like_on(t, dtype, t.device())
}

pub fn empty_like_on(t: &Tensor, dtype: DType, device: Device) -> Result<Tensor> {
    let layout = t.layout();
    let layout = if is_dense(&layout) { Layout { offset: 0, ..layout } } else { Layout::contiguous(&layout.shape) };
    Tensor::empty_with(layout, dtype, device, false)
}

/// True if the elements fill a range without gaps or overlaps, in any order of dimensions.
pub fn is_dense(layout: &Layout) -> bool {
    let mut dims: Vec<(usize, usize)> = layout
        .shape
        .iter()
        .zip(&layout.strides)
        .filter(|&(&size, _)| size != 1)
        .map(|(&size, &stride)| (stride, size))
        .collect();
    dims.sort_unstable();
    let mut expected = 1;
    for (stride, size) in dims {
        if stride != expected {
            return false;
        }
        expected *= size;
    }
    true
}

/// Writes a number everywhere, outside the graph and without a new version: for fresh tensors.
///
/// # Errors
/// A number with an imaginary part in a tensor whose dtype has none.
pub fn fill_data(t: &Tensor, value: Scalar) -> Result<()> {
    let value = value.fit(t.dtype())?;
    if t.device().is_meta() || t.numel() == 0 {
        return Ok(());
    }
    let pin = Pin::of(t);
    engine::current().launch(t.device(), &Kernel::Fill { out: pin.view()?, value })
}

/// `t.clone()`.
pub fn clone(t: &Tensor) -> Result<Tensor> {
    let out = copy_of(t)?;
    if autograd::needs_grad([t]) {
        autograd::record("CloneBackward0", &[Some(t)], &[], &[&out], |ctx| {
            Ok(Gradients::from_iter([Some(ctx.grad().clone())]))
        })?;
    }
    Ok(out)
}

/// A copy outside the graph, dense strides kept.
pub fn copy_of(t: &Tensor) -> Result<Tensor> {
    let out = empty_like(t, t.dtype())?;
    super::transfer::copy_data(&out, t)?;
    Ok(out)
}

/// `t.contiguous()`: itself if it is already.
pub fn contiguous(t: &Tensor) -> Result<Tensor> {
    if t.is_contiguous() {
        return Ok(t.clone());
    }
    let out = Tensor::empty_with(Layout::contiguous(&t.shape()), t.dtype(), t.device(), false)?;
    super::transfer::copy_data(&out, t)?;
    if autograd::needs_grad([t]) {
        autograd::record("CloneBackward0", &[Some(t)], &[], &[&out], |ctx| {
            Ok(Gradients::from_iter([Some(ctx.grad().clone())]))
        })?;
    }
    Ok(out)
}

/// Whether nobody but the caller can reach what a tensor shows: its storage is its own, or shared with what it is a view of
/// alone, which only the view still holds.
fn is_only(g: &Tensor) -> bool {
    match &*g.meta().view.borrow() {
        Some(of) => g.shares_with_alone(&of.base),
        None => g.is_unshared(),
    }
}

/// A gradient that nobody else will write to, with the strides of its leaf.
pub(crate) fn own_gradient(g: &Tensor, leaf: &Tensor) -> Result<Tensor> {
    let (have, want) = (g.layout(), leaf.layout());
    let whole = g.storage().numel() == g.numel() && is_only(g);
    // Where a dimension has one element its stride says nothing.
    let alike = have.shape.iter().enumerate().all(|(i, &n)| n == 1 || have.strides[i] == want.strides[i]);
    if whole && alike && have.shape == want.shape && g.dtype() == leaf.dtype() {
        return Ok(g.alias(Layout { offset: have.offset, ..want }));
    }
    let out = empty_like(leaf, leaf.dtype())?;
    super::transfer::copy_data(&out, g)?;
    Ok(out)
}
