//! New tensors, and tensors like existing ones.

use crate::autograd::{self, Gradients};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::engine::host::{self, LOOK_EVERY};
use crate::error::{Error, Result};
use crate::executor::Kernel;
use crate::ops::{dtypes, rows};
use crate::shape::{self, Dims, Layout};
use crate::tensor::{Pin, Tensor, destination};
use crate::trace::Why;

/// Sizes that a program gave for a new tensor.
///
/// # Errors
/// PyTorch's errors for a negative size and for more bytes than are possible; sizes that exceed what this machine can
/// count.
pub fn sizes(list: &[i64], dtype: DType, device: Device) -> Result<Dims> {
    if let Some(n) = list.iter().find(|&&n| n < 0) {
        return Err(Error::runtime(format!(
            "Trying to create tensor with negative dimension {n}: {}",
            shape::show_signed(list)
        )));
    }
    if let Some(shape) = list.iter().map(|&n| shape::word(n)).collect() {
        return Ok(shape);
    }
    let bytes = shape::contiguous_bytes(list, dtype.size())?;
    if bytes > shape::most() {
        let engine = engine::current();
        return Err(engine.devices.too_large(engine.resolve(device)?, bytes));
    }
    // They can only need so few bytes if one of them is 0.
    list.iter().map(|&n| shape::size(n)).collect()
}

/// Sizes that were computed in 128 bits, converted to PyTorch's 64 bits: a size that wraps around is negative.
///
/// # Errors
/// PyTorch's error for a negative size; if a size wraps around to a positive number, the error of a storage that
/// overflows.
pub(crate) fn counted(list: &[i128], dtype: DType, device: Device) -> Result<Dims> {
    #[expect(clippy::cast_possible_truncation, reason = "what PyTorch's 64 bits make of it")]
    let wrapped: Vec<i64> = list.iter().map(|&n| n as i64).collect();
    if list.iter().zip(&wrapped).any(|(&n, &w)| n != i128::from(w)) && wrapped.iter().all(|&n| n >= 0) {
        let parts: Vec<String> = list.iter().map(i128::to_string).collect();
        let list = parts.join(", ");
        return Err(Error::runtime(format!("Storage size calculation overflowed with sizes=[{list}]")));
    }
    sizes(&wrapped, dtype, device)
}

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

/// `torch.arange(start, end, step)`. Without a dtype, the result is i64 if all three are integers, otherwise the
/// default float dtype.
///
/// # Errors
/// A step of 0 or with the wrong sign, bounds that aren't finite; bool and complex dtypes.
pub fn arange(start: Scalar, end: Scalar, step: Scalar, dtype: Option<DType>, device: Device) -> Result<Tensor> {
    let float = [start, end, step].iter().any(|s| matches!(s, Scalar::Float(_)));
    if let Some(dtype) = dtype.filter(|d| *d == DType::Bool || d.is_complex()) {
        return Err(dtypes::refused("arange_cpu", dtype, device));
    }
    let dtype = dtype.unwrap_or(if float { engine::current().settings.default_dtype() } else { DType::I64 });
    let (low, high, by) = (start.as_f64(), end.as_f64(), step.as_f64());
    if by == 0.0 {
        return Err(Error::runtime("step must be nonzero"));
    }
    if !low.is_finite() || !high.is_finite() {
        let show = |v: f64| if v.is_nan() { "nan".to_string() } else { v.to_string() };
        return Err(Error::runtime(format!("unsupported range: {} -> {}", show(low), show(high))));
    }
    if (by > 0.0) != (high >= low) && high != low {
        return Err(Error::runtime("upper bound and lower bound inconsistent with step sign"));
    }
    let count = if dtype == DType::I64 && !float {
        // Computed in integers, where doubles wouldn't be exact.
        let (low, high, by) = (i128::from(start.as_i64()), i128::from(end.as_i64()), i128::from(step.as_i64()));
        ((high - low + by - by.signum()) / by).max(0)
    } else {
        counted_float(((high - low) / by).ceil())?
    };
    let place = engine::current().resolve(device)?;
    // PyTorch's count is a double, and 2^63 is the first one that is too large.
    counted_float(count as f64)?;
    let count = counted(&[count], dtype, place)?[0];
    // For an integer dtype, start and step are truncated to integers.
    let exact = |s: Scalar| if dtype.is_integral() { Scalar::Int(s.as_i64()) } else { s };
    arange_count(exact(start), exact(step), count, dtype, device)
}

/// A count that was computed in floating point.
///
/// # Errors
/// PyTorch's errors for counts that exceed 64 bits.
fn counted_float(count: f64) -> Result<i128> {
    const END: f64 = (1u64 << 63) as f64;
    if !(0.0..=END).contains(&count) {
        return Err(Error::runtime("invalid size, possible overflow?"));
    }
    if count == END {
        let wrapped = i64::MIN;
        return Err(Error::runtime(format!(
            "IntArrayRef contains an int that cannot be represented as a SymInt: {wrapped}"
        )));
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 2^63")]
    Ok(count as i128)
}

/// [`arange`] with a known count: `start + i * step`.
pub(crate) fn arange_count(start: Scalar, step: Scalar, count: usize, dtype: DType, device: Device) -> Result<Tensor> {
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

/// A tensor whose numbers PyTorch's kernel `name` computes on the device. Here the host computes their bytes and passes them on
/// like the arguments of a kernel, so a kernel is reported and not a copy, and nothing waits. `host` is a CPU tensor of that
/// shape and dtype without values. It's made first, so that a result that is too large is refused before anything is computed.
pub fn computed(host: &Tensor, bytes: &[u8], device: Device, name: &'static str) -> Result<Tensor> {
    if device.is_cpu() || device.is_meta() {
        host.storage().write(0, bytes)?;
        return super::transfer::to_device(host, device, crate::trace::Why::Create);
    }
    let engine = engine::current();
    let device = engine.resolve(device)?;
    let out = Tensor::empty(&host.shape(), host.dtype(), device)?;
    engine.launches.report_kernel(device, name, bytes.len());
    out.storage().write(0, bytes)?;
    Ok(out)
}

/// `torch.linspace`. Each number is computed from the nearer end, so that both ends are exact.
///
/// # Errors
/// A negative number of steps.
pub fn linspace(start: f64, end: f64, steps: i64, dtype: DType, device: Device) -> Result<Tensor> {
    dtypes::taken(&rows::LINSPACE, dtype, device)?;
    spaced(start, end, steps, (dtype, device, "linspace"), |v| v)
}

/// `torch.logspace`: powers of `base`.
pub fn logspace(start: f64, end: f64, steps: i64, base: f64, dtype: DType, device: Device) -> Result<Tensor> {
    dtypes::taken(&rows::LOGSPACE, dtype, device)?;
    spaced(start, end, steps, (dtype, device, "logspace"), |v| base.powf(v))
}

#[expect(clippy::cast_possible_truncation, reason = "values of float32 are rounded to it")]
fn spaced(
    start: f64,
    end: f64,
    steps: i64,
    (dtype, device, name): (DType, Device, &'static str),
    f: impl Fn(f64) -> f64,
) -> Result<Tensor> {
    if steps < 0 {
        return Err(Error::runtime("number of steps must be non-negative"));
    }
    let steps = sizes(&[steps], dtype, device)?[0];
    let single = dtype == DType::F32;
    let round = |v: f64| if single { f64::from(v as f32) } else { v };
    let by = if steps > 1 { round((round(end) - round(start)) / (steps - 1) as f64) } else { 0.0 };
    let value = |i: usize| {
        if i < steps / 2 || steps == 1 {
            round(start) + by * i as f64
        } else {
            round(end) - by * (steps - 1 - i) as f64
        }
    };
    // The tensor is made first, so that it's refused if there is no memory for it.
    let t = Tensor::empty(&[steps], dtype, Device::CPU)?;
    let mut bytes = host::room(t.storage().nbytes())?;
    for i in 0..steps {
        look(i)?;
        super::transfer::push_scalar(&mut bytes, dtype, Scalar::Float(f(value(i))));
    }
    computed(&t, &bytes, device, name)
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
    if n.checked_mul(m).is_none() {
        return Err(Error::runtime("numel: integer multiplication overflow"));
    }
    let shape = sizes(&[n, m], dtype, device)?;
    let t = zeros(&shape, dtype, device)?;
    let side = shape[0].min(shape[1]);
    if side == 0 {
        return Ok(t);
    }
    let strides = smallvec::smallvec![t.strides()[0] + t.strides()[1]];
    fill_data(&t.alias(Layout { shape: smallvec::smallvec![side], strides, offset: 0 }), Scalar::Int(1))?;
    Ok(t)
}

/// Called in iteration `i` of a long loop on the host. At intervals it checks whether the program should end.
///
/// # Errors
/// The interrupt.
pub(super) fn look(i: usize) -> Result<()> {
    if i % LOOK_EVERY == LOOK_EVERY - 1 { engine::current().hooks.check_interrupt() } else { Ok(()) }
}

/// `torch.tril_indices` and `torch.triu_indices`: [2, count].
///
/// # Errors
/// Negative sizes; more places than memory; dtypes other than those of integers.
pub(crate) fn triangle_indices(
    rows: i64,
    cols: i64,
    offset: i64,
    upper: bool,
    dtype: DType,
    device: Device,
) -> Result<Tensor> {
    if rows < 0 {
        return Err(Error::runtime(format!("row must be non-negative, got{rows}")));
    }
    if cols < 0 {
        return Err(Error::runtime(format!("col must be non-negative, got{cols}")));
    }
    let row = if upper { &rows::TRIU_INDICES } else { &rows::TRIL_INDICES };
    dtypes::taken(row, dtype, device)?;
    // Row i has its columns up to i + offset in the lower triangle, and those from there on in the upper one.
    let bound = |i: i64, by: i64| i.saturating_add(offset).saturating_add(by).clamp(0, cols);
    let range = |i: i64| if upper { bound(i, 0)..cols } else { 0..bound(i, 1) };
    let below = below_diagonal(rows, cols, offset, if upper { 0 } else { 1 });
    let count = if upper { i128::from(rows) * i128::from(cols) - below } else { below };
    let shape = counted(&[2, count], dtype, device)?;
    let t = Tensor::empty(&shape, dtype, Device::CPU)?;
    if count == 0 {
        return super::transfer::to_device(&t, device, crate::trace::Why::Create);
    }
    // Rows without any entry are all at one end. There may be as many as a number can count.
    let first = if upper { 0 } else { 0i64.saturating_sub(offset).clamp(0, rows) };
    let last = if upper { cols.saturating_sub(offset).clamp(0, rows) } else { rows };
    let places = || (first..last).flat_map(|i| range(i).map(move |j| (i, j)));
    let mut bytes = host::room(t.storage().nbytes())?;
    for (step, place) in places().map(|(i, _)| i).chain(places().map(|(_, j)| j)).enumerate() {
        look(step)?;
        super::transfer::push_scalar(&mut bytes, dtype, Scalar::Int(place));
    }
    computed(&t, &bytes, device, row.name)
}

/// How many entries (i, j) of a matrix have j < i + offset + by. Computed in 128 bits, where nothing overflows.
fn below_diagonal(rows: i64, cols: i64, offset: i64, by: i64) -> i128 {
    let (rows, cols, shift) = (i128::from(rows), i128::from(cols), i128::from(offset) + i128::from(by));
    // Row i has i + shift of them, but at least none and at most all: an arithmetic series between two constants.
    let start = (-shift).clamp(0, rows);
    let full = (cols - shift).clamp(start, rows);
    let (first, steps) = (start + shift, full - start);
    steps * first.max(0) + steps * (steps - 1) / 2 + (rows - full) * cols
}

/// A tensor that a program made without values. If it wants deterministic operations, they're NaN, the largest integer or True.
///
/// # Errors
/// The device can't fill it.
pub fn unwritten(t: Tensor) -> Result<Tensor> {
    let settings = &engine::current().settings;
    if settings.is_deterministic() && settings.fills_empty() {
        let dtype = t.dtype();
        fill_data(
            &t,
            match dtype {
                DType::Bool => Scalar::Bool(true),
                DType::U8 => Scalar::Int(u8::MAX.into()),
                DType::I8 => Scalar::Int(i8::MAX.into()),
                DType::I16 => Scalar::Int(i16::MAX.into()),
                DType::U16 => Scalar::Int(u16::MAX.into()),
                DType::I32 => Scalar::Int(i32::MAX.into()),
                DType::U32 => Scalar::Int(u32::MAX.into()),
                DType::I64 => Scalar::Int(i64::MAX),
                _ => Scalar::Float(f64::NAN),
            },
        )?;
    }
    Ok(t)
}

/// Uninitialized, with the strides of `t`, or their order if they leave gaps: PyTorch's preserve_format.
pub(crate) fn empty_like(t: &Tensor, dtype: DType) -> Result<Tensor> {
    empty_like_on(t, dtype, t.device())
}

pub(crate) fn empty_like_on(t: &Tensor, dtype: DType, device: Device) -> Result<Tensor> {
    Tensor::empty_with(t.with_data(|_, l| super::layout::preserved(l)), dtype, device, false)
}

/// Whether the elements fill a range without gaps or overlaps, in any order of dimensions.
pub(crate) fn is_dense(layout: &Layout) -> bool {
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
        expected = usize::saturating_mul(expected, size);
    }
    true
}

/// Fills a tensor with a number, outside the graph and without increasing the version, for new tensors.
///
/// # Errors
/// A number with an imaginary part, if the tensor's dtype isn't complex.
pub fn fill_data(t: &Tensor, value: Scalar) -> Result<()> {
    let value = value.fit(t.dtype())?;
    if t.device().is_meta() || t.numel() == 0 {
        return Ok(());
    }
    let value = match (t.is_flipped(), t.dtype().is_complex(), value) {
        (false, ..) => value,
        (true, true, Scalar::Complex(re, im)) => Scalar::Complex(re, -im),
        (true, true, real) => Scalar::Complex(real.as_f64(), -0.0),
        (true, false, real) => Scalar::Float(-real.as_f64()),
    };
    let pin = Pin::of(&t.unflipped());
    engine::current().launch(t.device(), &Kernel::Fill { out: pin.view()?, value })
}

/// `t.clone()`.
pub fn clone(t: &Tensor) -> Result<Tensor> {
    let out = copy_of(t)?;
    if autograd::needs_grad([t]) {
        autograd::record(rows::CLONE.node, &[Some(t)], &[], &[&out], |ctx| {
            Ok(Gradients::from_iter([Some(ctx.grad().clone())]))
        })?;
    }
    Ok(out)
}

/// A copy of `t`, which is about to be changed in place, with its history: gradients of gradients go through what is saved as well.
///
/// # Errors
/// Memory that can't be had.
pub(crate) fn before(t: &Tensor) -> Result<Tensor> {
    let copy = copy_of(t)?;
    autograd::stand_in(&copy, t);
    Ok(copy)
}

/// A copy outside the graph that keeps dense strides.
pub(crate) fn copy_of(t: &Tensor) -> Result<Tensor> {
    let out = empty_like(t, t.dtype())?;
    super::transfer::copy_data(&out, t)?;
    Ok(out)
}

/// A copy of `x` of which an operator is about to write some elements; or `x` itself, if that's the in-place form.
pub(crate) fn changeable(x: &Tensor) -> Result<Tensor> {
    match destination::itself(x) {
        Some(itself) => Ok(itself),
        None => copy_of(x),
    }
}

/// Likewise a row-major copy, whatever the strides of `x`.
pub(crate) fn changeable_rows(x: &Tensor) -> Result<Tensor> {
    match destination::itself(x) {
        Some(itself) => Ok(itself),
        None => rows_of(x),
    }
}

/// A row-major copy outside the graph.
pub(crate) fn rows_of(t: &Tensor) -> Result<Tensor> {
    let out = Tensor::empty_with(Layout::contiguous(&t.shape()), t.dtype(), t.device(), false)?;
    super::transfer::copy_data(&out, t)?;
    Ok(out)
}

/// `t.contiguous()`: the tensor itself if it's already contiguous.
pub fn contiguous(t: &Tensor) -> Result<Tensor> {
    if t.is_contiguous() {
        return Ok(t.clone());
    }
    let out = rows_of(t)?;
    if autograd::needs_grad([t]) {
        autograd::record(rows::CLONE.node, &[Some(t)], &[], &[&out], |ctx| {
            Ok(Gradients::from_iter([Some(ctx.grad().clone())]))
        })?;
    }
    Ok(out)
}

/// Whether only the caller can access a tensor's contents: its storage is its own, or shared only with the base of the
/// view, which only the view holds.
fn is_only(g: &Tensor) -> bool {
    match &*g.meta().view.borrow() {
        Some(of) => g.shares_with_alone(&of.base),
        None => g.is_unshared(),
    }
}

/// A gradient that nothing else will write to, with the strides of its leaf.
pub(crate) fn own_gradient(g: &Tensor, leaf: &Tensor) -> Result<Tensor> {
    let (have, want) = (g.layout(), leaf.layout());
    let whole = g.storage().numel() == g.numel() && is_only(g);
    // The stride of a dimension with one element doesn't matter.
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
    // The leaf's data was replaced.
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

/// Tensors made from data on the host.
impl Tensor {
    /// A tensor on a device with dense data from the host. Reports no transfer for the CPU, and otherwise one from the
    /// host.
    ///
    /// # Errors
    /// Those of [`Tensor::empty`].
    pub fn from_bytes(bytes: &[u8], shape: &[usize], dtype: DType, device: Device) -> Result<Tensor> {
        let t = Tensor::empty(shape, dtype, Device::CPU)?;
        t.storage().write(0, bytes)?;
        super::transfer::to_device(&t, device, Why::Create)
    }

    /// A tensor whose bytes `fill` writes on the host, after its memory has been allocated.
    ///
    /// # Errors
    /// Those of [`Tensor::empty`], and those of `fill`.
    pub(crate) fn filled_by(
        shape: &[usize],
        dtype: DType,
        device: Device,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<()>,
    ) -> Result<Tensor> {
        if device.is_meta() {
            return Tensor::empty(shape, dtype, device);
        }
        let t = Tensor::empty(shape, dtype, Device::CPU)?;
        let mut bytes = engine::host::room(t.numel() * dtype.size())?;
        fill(&mut bytes)?;
        t.storage().write(0, &bytes)?;
        super::transfer::to_device(&t, device, Why::Create)
    }
}
