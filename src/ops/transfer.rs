//! Copies: between devices, dtypes, and to the host.
//!
//! Source: aten/src/ATen/native/TensorConversions.cpp and Copy.cpp in PyTorch 2.15.

use crate::autograd::{self, Gradients};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::Kernel;
use crate::ops::rows;
use crate::shape::Layout;
use crate::tensor::{Pin, Tensor};
use crate::trace::{EventKind, Why};

/// The arguments of `Tensor.to`. A missing field keeps the tensor's property.
#[derive(Clone, Copy, Debug, Default)]
pub struct To {
    pub device: Option<Device>,
    pub dtype: Option<DType>,
    pub non_blocking: bool,
    pub copy: bool,
    pub format: Format,
}

/// `memory_format=`: the order of the elements in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Preserve,
    Contiguous,
    /// The channels of each pixel are adjacent: for images, and for volumes.
    ChannelsLast,
    ChannelsLast3d,
}

impl Format {
    /// The layout of a tensor in this order; `None` if its layout stays.
    ///
    /// # Errors
    /// Channels last for something that isn't a batch of images or of volumes.
    pub fn layout(self, shape: &[usize]) -> Result<Option<Layout>> {
        let (rank, name) = match self {
            Format::Preserve => return Ok(None),
            Format::Contiguous => return Ok(Some(Layout::contiguous(shape))),
            Format::ChannelsLast => (4, "channels_last"),
            Format::ChannelsLast3d => (5, "channels_last_3d"),
        };
        if shape.len() != rank {
            return Err(Error::runtime(format!("required rank {rank} tensor to use {name} format")));
        }
        let mut layout = Layout::contiguous(shape);
        let mut stride = 1;
        for dim in std::iter::once(1).chain((2..rank).rev()).chain([0]) {
            layout.strides[dim] = stride;
            stride *= shape[dim].max(1);
        }
        Ok(Some(layout))
    }
}

/// `t.is_contiguous(memory_format=)`.
///
/// # Errors
/// `preserve_format`, which isn't an order.
pub(crate) fn is_contiguous(t: &Tensor, format: Format) -> Result<bool> {
    if format == Format::Preserve {
        return Err(Error::runtime("preserve memory format is unsupported by the contiguous operator"));
    }
    if format == Format::Contiguous {
        return Ok(t.is_contiguous());
    }
    let shape = t.shape();
    let Ok(Some(wanted)) = format.layout(&shape) else { return Ok(false) };
    Ok((0..shape.len()).all(|d| shape[d] == 1 || t.strides()[d] == wanted.strides[d]))
}

/// `Tensor.to`: the tensor itself (the same handle) if there is nothing to do. The requested device gets an index first;
/// the comparison is exact, so `cpu:0` copies.
///
/// # Errors
/// An unusable device, out of memory, `meta` as the source.
pub fn to(t: &Tensor, want: To) -> Result<Tensor> {
    let engine = engine::current();
    let have = t.device();
    let (device, same_device) = match want.device {
        None => (have, true),
        Some(d) => {
            let resolved = engine.resolve(d)?;
            (resolved, resolved == have && !(d.is_cpu() && d.index.is_some()))
        }
    };
    let dtype = want.dtype.unwrap_or(t.dtype());
    let wanted = want.format.layout(&t.shape())?;
    let ordered = want.format == Format::Preserve || is_contiguous(t, want.format)?;
    if same_device && dtype == t.dtype() && !want.copy && ordered {
        return Ok(t.clone());
    }
    let pinned = want.non_blocking && device.is_cpu() && have.is_cuda();
    let layout = wanted.unwrap_or_else(|| t.with_data(|_, l| super::layout::preserved(l)));
    if have.is_meta() && !device.is_meta() {
        return Err(Error::not_implemented("Cannot copy out of meta tensor; no data!"));
    }
    let out = Tensor::empty_with(layout, dtype, device, pinned)?;
    copy_with(&out, t, want.non_blocking, Why::To)?;
    if autograd::needs_grad([t]) && dtype.is_inexact() {
        let (device, dtype) = (t.device(), t.dtype());
        autograd::record(rows::TO.node, &[Some(t)], &[], &[&out], move |ctx| {
            let back = To { device: Some(device), dtype: Some(dtype), ..To::default() };
            Ok(Gradients::from_iter([Some(to(ctx.grad(), back)?)]))
        })?;
    }
    Ok(out)
}

/// `t.to(dtype)` inside operators.
pub fn cast(t: &Tensor, dtype: DType) -> Result<Tensor> {
    to(t, To { dtype: Some(dtype), ..To::default() })
}

/// A copy on another device, or the same handle if the tensor is already there.
pub fn to_device(t: &Tensor, device: Device, why: Why) -> Result<Tensor> {
    let device = engine::current().resolve(device)?;
    if device == t.device() {
        return Ok(t.clone());
    }
    let out = super::create::empty_like_on(t, t.dtype(), device)?;
    copy_with(&out, t, false, why)?;
    Ok(out)
}

/// Overwrites `out` with `src`, broadcast to it, across devices and dtypes. Outside the graph, without increasing the
/// version.
pub fn copy_data(out: &Tensor, src: &Tensor) -> Result<()> {
    copy_with(out, src, false, Why::Copy)
}

/// Like [`copy_data`], with a reason for the trace.
pub fn copy_with(out: &Tensor, src: &Tensor, non_blocking: bool, why: Why) -> Result<()> {
    let (from, to) = (src.device(), out.device());
    if to.is_meta() || out.numel() == 0 {
        return Ok(());
    }
    if from.is_meta() {
        return Err(Error::not_implemented("Cannot copy out of meta tensor; no data!"));
    }
    if out.is_flipped() {
        // Into memory goes what will be negated when it's read.
        let negated = if src.dtype().is_complex() == out.dtype().is_complex() {
            src.flip()
        } else if out.dtype().is_complex() {
            src.clone()
        } else {
            cast(src, out.dtype())?.flip()
        };
        return copy_with(&out.unflipped(), &negated, non_blocking, why);
    }
    let engine = engine::current();
    let resolved = if from == to { src.clone() } else { src.resolved()? };
    let src = &resolved;
    if src.dtype().is_complex() && out.dtype() == DType::Bool {
        // True where either part isn't 0.
        return copy_with(out, &nonzero(src)?, non_blocking, why);
    }
    if from == to {
        let (a, b) = (Pin::of(src), Pin::of(out));
        return engine.launch(to, &Kernel::Copy { src: a.broadcast(&out.shape())?, out: b.view()? });
    }
    engine.devices.check_copy(from, to, src.storage().is_pinned() || out.storage().is_pinned(), non_blocking)?;
    let (src_dense, out_dense) = dense(src, out, non_blocking)?;
    cross(&src_dense, &out_dense, non_blocking, why)?;
    if !out_dense.is_same(out) {
        let (a, b) = (Pin::of(&out_dense), Pin::of(out));
        engine.launch(to, &Kernel::Copy { src: a.view()?, out: b.view()? })?;
    }
    Ok(())
}

/// The tensors of a copy between devices: both dense, with one dtype and shape.
///
/// The host converts dtypes, so that this needs no GPU memory, unless the copy is non-blocking. Between
/// accelerators, the source converts.
fn dense(src: &Tensor, out: &Tensor, non_blocking: bool) -> Result<(Tensor, Tensor)> {
    let (from, to) = (src.device(), out.device());
    let same_order = src.shape() == out.shape() && src.strides() == out.strides();
    if same_order && src.dtype() == out.dtype() && super::create::is_dense(&src.layout()) {
        return Ok((src.clone(), out.clone()));
    }
    // WebGPU can't convert float64.
    let engine = engine::current();
    let can = |device| [src, out].iter().all(|t| engine.devices.executor(device).converts(t.dtype()));
    let source_converts = match (from.is_cpu(), to.is_cpu()) {
        (true, _) => !non_blocking || !can(to),
        (_, true) => non_blocking && can(from),
        _ => true,
    };
    let wire = if source_converts { out.dtype() } else { src.dtype() };
    let shape = out.shape();
    let src_dense = if src.is_contiguous() && src.dtype() == wire && src.shape() == shape {
        src.clone()
    } else {
        let t = Tensor::empty_with(Layout::contiguous(&shape), wire, from, false)?;
        let (a, b) = (Pin::of(src), Pin::of(&t));
        engine.launch(from, &Kernel::Copy { src: a.broadcast(&shape)?, out: b.view()? })?;
        t
    };
    let out_dense = if out.is_contiguous() && out.dtype() == wire {
        out.clone()
    } else {
        Tensor::empty_with(Layout::contiguous(&shape), wire, to, false)?
    };
    Ok((src_dense, out_dense))
}

/// Copies dense elements to another device, reports it, and waits where PyTorch's copy does: between the host and a device
/// always, unless the copy is non-blocking. A non-blocking copy from ordinary host memory has read its bytes when it
/// returns, but isn't a wait in PyTorch. One to ordinary host memory returns when the bytes have arrived.
fn cross(src: &Tensor, out: &Tensor, non_blocking: bool, why: Why) -> Result<()> {
    let engine = engine::current();
    let (from, to) = (src.device(), out.device());
    let blocks = !non_blocking && (from.is_cpu() || to.is_cpu());
    if blocks {
        engine.launches.warn_of_wait(if from.is_cpu() { to } else { from })?;
    }
    let begin = engine.trace.now();
    let started = engine.launches.start_work(if from.is_cpu() { to } else { from });
    let (count, size) = (out.numel(), out.dtype().size());
    let queued = copy_queued(src, out, count * size)?;
    let waits_before = to.is_cpu() && (blocks || !queued && !out.storage().is_pinned());
    if waits_before {
        engine.launches.wait_for(from, why)?;
    }
    if !queued {
        // If the bytes can only be had by waiting, as from a browser's GPU, that time counts as the transfer's.
        let (here, there) = (src.storage(), out.storage());
        match here.host_bytes() {
            Some(bytes) => there.write(out.offset(), &bytes[src.offset() * size..][..count * size])?,
            None => there.write(out.offset(), &here.read_silent(src.offset(), count)?)?,
        }
    }
    let crossed = engine.trace.now() - begin;
    if from.is_cpu() && blocks {
        engine.launches.wait_for_upload(to, why)?;
    }
    let (source, target) = (src.storage(), out.storage());
    target.set_moved(engine.trace.line(), from, waits_before);
    engine.trace.emit(|| EventKind::Transfer {
        from,
        to,
        bytes: count * size,
        source: source.id(),
        target: target.id(),
        pinned: source.is_pinned() || target.is_pinned(),
        non_blocking,
        micros: if queued { engine.trace.now() - begin } else { crossed },
        why,
    });
    engine.launches.end_work(started, None);
    Ok(())
}

/// Queues a copy of dense elements that doesn't involve the host, if the devices can do that.
fn copy_queued(src: &Tensor, out: &Tensor, bytes: usize) -> Result<bool> {
    let (source, target) = (src.storage(), out.storage());
    let here = (source.device(), source.buffer()?, src.offset());
    let there = (target.device(), target.buffer()?, out.offset());
    engine::current().launches.copy_later(here, there, bytes)
}

/// `src != 0`, outside the graph.
pub(super) fn nonzero(src: &Tensor) -> Result<Tensor> {
    let _no_grad = autograd::GradMode::set(false);
    super::binary(crate::executor::BinaryOp::Ne, &src.into(), &Scalar::Int(0).into())
}

/// # Errors
/// Dense tensors that share a part of their memory, or share all of it in another order: bytes that were just written
/// would be read again.
pub fn check_overlap(out: &Tensor, src: &Tensor) -> Result<()> {
    if !out.storage().same(&src.storage()) || out.dtype() != src.dtype() {
        return Ok(());
    }
    let (a, b) = (out.layout(), src.layout());
    if a.numel() == 0 || b.numel() == 0 || !super::create::is_dense(&a) || !super::create::is_dense(&b) {
        return Ok(());
    }
    let before = |a: &Layout, b: &Layout| a.end().is_some_and(|end| end <= b.offset);
    let apart = before(&a, &b) || before(&b, &a);
    // The same elements in the same order: nothing changes.
    let steps = |l: &Layout| -> Vec<(usize, usize)> {
        l.shape.iter().copied().zip(l.strides.iter().copied()).filter(|&(size, _)| size != 1).collect()
    };
    if apart || (a.offset == b.offset && steps(&a) == steps(&b)) {
        return Ok(());
    }
    Err(Error::runtime(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.",
    ))
}

/// `out.copy_(src)`: in place, recorded.
///
/// # Errors
/// Shapes that don't broadcast, leaves, inference tensors, partly shared memory.
pub fn copy_(out: &Tensor, src: &Tensor, non_blocking: bool) -> Result<()> {
    autograd::check_in_place(out)?;
    autograd::check_no_overlap(out)?;
    let shape = out.shape();
    let joined = crate::shape::broadcast(&shape, &src.shape())?;
    if joined != shape {
        return Err(Error::runtime(format!(
            "output with shape {} doesn't match the broadcast shape {}",
            crate::shape::show(&shape),
            crate::shape::show(&joined)
        )));
    }
    check_overlap(out, src)?;
    copy_with(out, src, non_blocking, Why::Copy)?;
    out.bump_version();
    if autograd::needs_grad([out, src]) && out.dtype().is_inexact() {
        let (device, dtype, src_shape) = (src.device(), src.dtype(), src.shape());
        let from = src.requires_grad().then_some(src);
        autograd::record_in_place("CopyBackwards", out, &[from], &[], move |ctx| {
            let mut grads = Gradients::new();
            grads.push(if ctx.needs(0) { Some(super::zeros_like(ctx.grad())?) } else { None });
            grads.push(if ctx.needs(1) {
                let g = super::sum_to(ctx.grad(), &src_shape)?;
                Some(to(&g, To { device: Some(device), dtype: Some(dtype), ..To::default() })?)
            } else {
                None
            });
            Ok(grads)
        })?;
    }
    Ok(())
}

/// Writes to a tensor that is negated when it's read, outside the graph: `f` fills another one, which is then copied.
///
/// # Errors
/// Out of memory, those of `f`.
pub(crate) fn write_flipped(out: &Tensor, f: impl FnOnce(&Tensor) -> Result<()>) -> Result<()> {
    let made = Tensor::empty_with(Layout::contiguous(&out.shape()), out.dtype(), out.device(), false)?;
    f(&made)?;
    copy_data(out, &made)
}

/// Changes a tensor that is negated when it's read: `f` changes a copy, which is then written back.
///
/// # Errors
/// Those of an in-place change, and of `f`.
pub(crate) fn change_flipped(x: &Tensor, f: impl FnOnce(&Tensor) -> Result<()>) -> Result<()> {
    autograd::check_in_place(x)?;
    let copy = x.resolved()?;
    autograd::stand_in(&copy, x);
    f(&copy)?;
    copy_(x, &copy, false)
}

/// The elements in row-major order as host bytes. Waits for the device.
///
/// # Errors
/// A tensor on `meta`, which has no elements; device errors that come up here.
pub fn to_host(t: &Tensor, why: Why) -> Result<Vec<u8>> {
    if t.device().is_meta() {
        return Err(Error::not_implemented("Cannot copy out of meta tensor; no data!"));
    }
    let dense = {
        let _no_grad = autograd::GradMode::set(false);
        super::create::contiguous(&t.resolved()?)?
    };
    dense.storage().read(dense.offset(), dense.numel(), why)
}

/// `t.pin_memory()`: the tensor itself if its memory is page-locked, otherwise a copy that is.
///
/// # Errors
/// A machine without CUDA; a tensor on an accelerator.
pub(crate) fn pinned(t: &Tensor) -> Result<Tensor> {
    if t.is_pinned() {
        return Ok(t.clone());
    }
    engine::current().devices.require_cuda()?;
    if !t.device().is_cpu() {
        return Err(Error::runtime(format!(
            "cannot pin '{}' only dense CPU tensors can be pinned",
            super::view::type_name(t)
        )));
    }
    let out = Tensor::empty_with(Layout::contiguous(&t.shape()), t.dtype(), Device::CPU, true)?;
    copy_data(&out, t)?;
    Ok(out)
}

/// `t.item()`.
///
/// # Errors
/// More than one element, `meta`.
pub fn item(t: &Tensor, why: Why) -> Result<Scalar> {
    if t.numel() != 1 {
        return Err(Error::runtime(format!("a Tensor with {} elements cannot be converted to Scalar", t.numel())));
    }
    if t.device().is_meta() {
        return Err(Error::runtime("Tensor.item() cannot be called on meta tensors"));
    }
    let t = t.resolved()?;
    let bytes = t.storage().read(t.offset(), 1, why)?;
    Ok(scalar_at(&bytes, t.dtype(), 0))
}

/// Element `i` in dense host bytes.
pub fn scalar_at(bytes: &[u8], dtype: DType, i: usize) -> Scalar {
    let size = dtype.size();
    let b = &bytes[i * size..(i + 1) * size];
    macro_rules! read {
        ($ty:ty) => {
            <$ty>::from_le_bytes(b.try_into().expect("an element's bytes"))
        };
    }
    match dtype {
        DType::Bool => Scalar::Bool(b[0] != 0),
        DType::U8 => Scalar::Int(b[0] as i64),
        DType::I8 => Scalar::Int(b[0] as i8 as i64),
        DType::I16 => Scalar::Int(read!(i16) as i64),
        DType::U16 => Scalar::Int(read!(u16) as i64),
        DType::I32 => Scalar::Int(read!(i32) as i64),
        DType::U32 => Scalar::Int(read!(u32) as i64),
        DType::I64 => Scalar::Int(read!(i64)),
        DType::F16 => Scalar::Float(half::f16::from_le_bytes([b[0], b[1]]).to_f64()),
        DType::BF16 => Scalar::Float(half::bf16::from_le_bytes([b[0], b[1]]).to_f64()),
        DType::F32 => Scalar::Float(read!(f32) as f64),
        DType::F64 => Scalar::Float(read!(f64)),
        DType::C64 | DType::C128 => {
            let part = |i: usize| scalar_at(b, dtype.part(), i).as_f64();
            Scalar::Complex(part(0), part(1))
        }
    }
}

/// Appends a number to dense host bytes, converted to `dtype`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "converted as PyTorch converts: the low bits, the nearest float"
)]
pub(crate) fn push_scalar(bytes: &mut Vec<u8>, dtype: DType, value: Scalar) {
    match dtype {
        DType::Bool => bytes.push(value.as_bool() as u8),
        DType::U8 => bytes.push(value.as_i64() as u8),
        DType::I8 => bytes.push(value.as_i64() as i8 as u8),
        DType::I16 => bytes.extend((value.as_i64() as i16).to_le_bytes()),
        DType::U16 => bytes.extend((value.as_i64() as u16).to_le_bytes()),
        DType::I32 => bytes.extend((value.as_i64() as i32).to_le_bytes()),
        DType::U32 => bytes.extend((value.as_i64() as u32).to_le_bytes()),
        DType::I64 => bytes.extend(value.as_i64().to_le_bytes()),
        DType::F16 => bytes.extend(half::f16::from_f64(value.as_f64()).to_le_bytes()),
        DType::BF16 => bytes.extend(half::bf16::from_f64(value.as_f64()).to_le_bytes()),
        DType::F32 => bytes.extend((value.as_f64() as f32).to_le_bytes()),
        DType::F64 => bytes.extend(value.as_f64().to_le_bytes()),
        DType::C64 | DType::C128 => {
            let (re, im) = value.as_complex();
            push_scalar(bytes, dtype.part(), Scalar::Float(re));
            push_scalar(bytes, dtype.part(), Scalar::Float(im));
        }
    }
}
