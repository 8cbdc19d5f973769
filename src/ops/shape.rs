//! Operators that rearrange elements by copying them.

use smallvec::smallvec;

use crate::autograd;
use crate::device::Device;
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::Kernel;
use crate::ops;
use crate::shape::{Dims, Layout, show, wrap_dim};
use crate::tensor::{Pin, Tensor};

/// The device of a list of tensors, checked as `cat` checks it.
fn list_device(wrapper: &str, list: &[Tensor]) -> Result<Device> {
    // PyTorch compares within the list and names the argument of the list.
    let named: Vec<(&str, &Tensor)> = list.iter().map(|t| ("tensors", t)).collect();
    super::device::same(wrapper, &named)
}

/// `torch.cat`. 1-D tensors without elements are skipped, as in PyTorch.
///
/// # Errors
/// No tensors, different devices, sizes that differ outside `dim`.
pub fn cat(list: &[Tensor], dim: i64) -> Result<Tensor> {
    let Some(first) = list.first() else {
        return Err(Error::value("torch.cat(): expected a non-empty list of Tensors"));
    };
    let device = list_device("cat", list)?;
    if let Some(i) = list.iter().position(|t| t.ndim() == 0) {
        return Err(Error::runtime(format!("zero-dimensional tensor (at position {i}) cannot be concatenated")));
    }
    let skipped = |t: &Tensor| t.ndim() == 1 && t.numel() == 0;
    let lead = list.iter().find(|t| !skipped(t)).unwrap_or(first);
    let d = wrap_dim(dim, lead.ndim())?;
    let mut shape = lead.shape();
    shape[d] = 0;
    let mut dtype = first.dtype();
    for (i, t) in list.iter().enumerate() {
        dtype = dtype.promote(t.dtype());
        if skipped(t) {
            continue;
        }
        let s = t.shape();
        if s.len() != shape.len() {
            return Err(Error::runtime(format!(
                "Tensors must have same number of dimensions: got {} and {}",
                shape.len(),
                s.len()
            )));
        }
        if let Some(bad) = (0..s.len()).find(|&k| k != d && s[k] != shape[k]) {
            return Err(Error::runtime(format!(
                "Sizes of tensors must match except in dimension {d}. Expected size {} but got size {} for tensor number {i} in the list.",
                shape[bad], s[bad]
            )));
        }
        shape[d] += s[d];
    }
    let out = Tensor::empty_with(Layout::contiguous(&shape), dtype, device, false)?;
    let mut start = 0;
    let mut spans = Vec::with_capacity(list.len());
    for t in list {
        let length = if skipped(t) { 0 } else { t.size(d) };
        if length > 0 {
            let mut part = out.layout();
            part.offset += start * part.strides[d];
            part.shape[d] = length;
            ops::transfer::copy_data(&out.alias(part), t)?;
        }
        spans.push((start, length, t.dtype()));
        start += length;
    }
    if dtype.is_float() && autograd::needs_grad(list) {
        let inputs: Vec<Option<&Tensor>> = list.iter().map(Some).collect();
        autograd::record("CatBackward0", &inputs, &[], &[&out], move |ctx| {
            spans
                .iter()
                .enumerate()
                .map(|(i, &(start, length, dtype))| {
                    if !ctx.needs(i) {
                        return Ok(None);
                    }
                    let part = ops::view::narrow(ctx.grad(), d as i64, start as i64, length as i64)?;
                    ops::transfer::cast(&part, dtype).map(Some)
                })
                .collect()
        })?;
    }
    Ok(out)
}

/// `torch.stack`.
///
/// # Errors
/// No tensors, different devices or sizes.
pub fn stack(list: &[Tensor], dim: i64) -> Result<Tensor> {
    let Some(first) = list.first() else {
        return Err(Error::runtime("stack expects a non-empty TensorList"));
    };
    let shape = first.shape();
    let d = wrap_dim(dim, shape.len() + 1)?;
    for (i, t) in list.iter().enumerate() {
        if t.shape() != shape {
            return Err(Error::runtime(format!(
                "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {i}",
                show(&shape),
                show(&t.shape())
            )));
        }
    }
    let device = list_device("cat", list)?;
    let dtype = list.iter().fold(first.dtype(), |a, t| a.promote(t.dtype()));
    let mut whole = shape.clone();
    whole.insert(d, list.len());
    let out = Tensor::empty_with(Layout::contiguous(&whole), dtype, device, false)?;
    for (i, t) in list.iter().enumerate() {
        let mut part = out.layout();
        part.offset += i * part.strides[d];
        part.shape.remove(d);
        part.strides.remove(d);
        ops::transfer::copy_data(&out.alias(part), t)?;
    }
    if dtype.is_float() && autograd::needs_grad(list) {
        let inputs: Vec<Option<&Tensor>> = list.iter().map(Some).collect();
        let dtypes: Vec<DType> = list.iter().map(Tensor::dtype).collect();
        autograd::record("StackBackward0", &inputs, &[], &[&out], move |ctx| {
            dtypes
                .iter()
                .enumerate()
                .map(|(i, &dtype)| {
                    if !ctx.needs(i) {
                        return Ok(None);
                    }
                    ops::transfer::cast(&ops::view::select(ctx.grad(), d, i as i64)?, dtype).map(Some)
                })
                .collect()
        })?;
    }
    Ok(out)
}

/// `torch.flip`.
pub fn flip(t: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let mut mask = vec![false; t.ndim()];
    for &d in dims {
        let d = wrap_dim(d, t.ndim())?;
        if t.ndim() > 0 {
            if mask[d] {
                return Err(Error::runtime(format!("dim {d} appears multiple times in the list of dims")));
            }
            mask[d] = true;
        }
    }
    let shape: Dims = t.shape();
    let out = Tensor::empty_with(Layout::contiguous(&shape), t.dtype(), t.device(), false)?;
    if !t.device().is_meta() && out.numel() > 0 {
        let (a, b) = (Pin::of(t), Pin::of(&out));
        engine::current().launch(t.device(), &Kernel::Flip { x: a.view()?, dims: mask, out: b.view()? })?;
    }
    if t.dtype().is_float() && autograd::needs_grad([t]) {
        let dims = dims.to_vec();
        autograd::record("FlipBackward0", &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(flip(ctx.grad(), &dims)?)])
        })?;
    }
    Ok(out)
}
