//! Tensors from nothing or from one like them.

use crate::autograd::{self, Gradients};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine::{self, host::LOOK_EVERY};
use crate::error::{Error, Result};
use crate::executor::Kernel;
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
/// A step of 0 or of the wrong sign, bounds that are not finite.
pub fn arange(start: Scalar, end: Scalar, step: Scalar, dtype: Option<DType>, device: Device) -> Result<Tensor> {
    let float = [start, end, step].iter().any(|s| matches!(s, Scalar::Float(_)));
    if dtype.is_some_and(DType::is_complex) {
        let name = dtype.map_or("", DType::scalar_name);
        return Err(Error::not_implemented(format!("\"arange_cpu\" not implemented for '{name}'")));
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
    let count = if dtype == DType::I64 {
        // Exact where doubles are not. A bound given as a float counts as truncated, as PyTorch converts it.
        let (low, high, by) = (i128::from(start.as_i64()), i128::from(end.as_i64()), i128::from(step.as_i64()));
        if by == 0 {
            return Err(Error::runtime("step must be nonzero"));
        }
        ((high - low + by - by.signum()) / by).max(0) as usize
    } else {
        ((high - low) / by).ceil() as usize
    };
    let exact = |s: Scalar| if dtype == DType::I64 { Scalar::Int(s.as_i64()) } else { s };
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
    Tensor::filled_by(shape, dtype, device, |bytes| {
        for &v in values {
            super::transfer::push_scalar(bytes, dtype, v);
        }
        Ok(())
    })
}

/// `torch.linspace`: counted from the nearer end, so that both ends are exact.
///
/// # Errors
/// A negative number of steps.
pub fn linspace(start: f64, end: f64, steps: i64, dtype: DType, device: Device) -> Result<Tensor> {
    spaced(start, end, steps, dtype, device, |v| v)
}

/// `torch.logspace`: powers of `base`.
pub fn logspace(start: f64, end: f64, steps: i64, base: f64, dtype: DType, device: Device) -> Result<Tensor> {
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
    Tensor::filled_by(&[steps], dtype, device, |bytes| {
        for i in 0..steps {
            look(i)?;
            let v = if i < steps / 2 || steps == 1 {
                round(start) + by * i as f64
            } else {
                round(end) - by * (steps - 1 - i) as f64
            };
            super::transfer::push_scalar(bytes, dtype, Scalar::Float(f(v)));
        }
        Ok(())
    })
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

/// Step `i` of a long loop on the host: now and then it looks whether the program should end.
///
/// # Errors
/// The interrupt.
pub(super) fn look(i: usize) -> Result<()> {
    if i % LOOK_EVERY == LOOK_EVERY - 1 { engine::current().check_interrupt() } else { Ok(()) }
}

/// `torch.tril_indices` and `torch.triu_indices`: [2, count].
///
/// # Errors
/// More places than there is memory for.
pub fn triangle_indices(rows: usize, cols: usize, offset: i64, upper: bool, device: Device) -> Result<Tensor> {
    let (rows, cols) = (rows as i128, cols as i128);
    // Row `i` has the columns up to `i + offset`, or those from there on.
    let bound = i128::from(offset) + i128::from(!upper);
    let begins = |i: i128| (i + bound).clamp(0, cols);
    // How many columns lie before the bound, of the first `n` rows: none, then one more in each row, then all.
    let before = |n: i128| {
        let none = (-bound).clamp(0, n);
        let rising = (cols - bound).clamp(none, n);
        (rising - none) * (begins(none) + begins((rising - 1).max(none))) / 2 + (n - rising) * cols
    };
    let count = if upper { rows * cols - before(rows) } else { before(rows) };
    let Ok(count) = usize::try_from(count) else {
        return Err(Error::runtime(format!("Storage size calculation overflowed with sizes=[2, {count}]")));
    };
    // Those that have any.
    let filled = if upper { 0..(cols - bound).clamp(0, rows) } else { (-bound).clamp(0, rows)..rows };
    let columns = |i: i128| if upper { begins(i)..cols } else { 0..begins(i) };
    Tensor::filled_by(&[2, count], DType::I64, device, |bytes| {
        if count == 0 {
            return Ok(());
        }
        let mut step = 0;
        for of_rows in [true, false] {
            for i in filled.clone() {
                for j in columns(i) {
                    look(step)?;
                    step += 1;
                    bytes.extend_from_slice(&(if of_rows { i } else { j } as i64).to_le_bytes());
                }
            }
        }
        Ok(())
    })
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
    let alike = have.ndim() == want.ndim()
        && have.shape.iter().enumerate().all(|(i, &n)| n == 1 || have.strides[i] == want.strides[i]);
    if whole && alike && have.shape == want.shape && g.dtype() == leaf.dtype() {
        return Ok(g.alias(Layout { offset: have.offset, ..want }));
    }
    let out = empty_like(leaf, leaf.dtype())?;
    if have.shape == want.shape {
        super::transfer::copy_data(&out, g)?;
        return Ok(out);
    }
    // The leaf was given other data since.
    let shape = crate::shape::broadcast(&want.shape, &have.shape)?;
    if shape != want.shape {
        return Err(Error::runtime(format!(
            "output with shape {} doesn't match the broadcast shape {}",
            crate::shape::show(&want.shape),
            crate::shape::show(&shape)
        )));
    }
    let wide = Layout { strides: have.broadcast_strides(&shape), shape, offset: have.offset };
    super::transfer::copy_data(&out, &g.alias(wide))?;
    Ok(out)
}
