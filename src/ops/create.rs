//! Tensors from nothing or from one like them.

use crate::autograd::{self, Gradients};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::Result;
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

/// `torch.arange` with a known count: `start + i * step`.
pub fn arange(start: Scalar, step: Scalar, count: usize, dtype: DType, device: Device) -> Result<Tensor> {
    let t = Tensor::empty(&[count], dtype, device)?;
    if t.device().is_meta() {
        return Ok(t);
    }
    let pin = Pin::of(&t);
    engine::current().launch(t.device(), &Kernel::Arange { out: pin.view()?, start, step })?;
    Ok(t)
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
pub fn fill_data(t: &Tensor, value: Scalar) -> Result<()> {
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

/// A gradient that nobody else will write to, with the strides of its leaf.
pub(crate) fn own_gradient(g: &Tensor, leaf: &Tensor) -> Result<Tensor> {
    let (have, want) = (g.layout(), leaf.layout());
    let whole = g.storage().numel() == g.numel() && g.is_unshared();
    if whole && have.strides == want.strides && g.dtype() == leaf.dtype() {
        return Ok(g.detach());
    }
    let out = empty_like(leaf, leaf.dtype())?;
    super::transfer::copy_data(&out, g)?;
    Ok(out)
}
