//! Operators that rearrange elements by copying them.

use smallvec::smallvec;

use crate::autograd;
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine::{self, host};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, ReduceOp};
use crate::ops::{self, rows};
use crate::shape::{Dims, Layout, no_dim, show, wrap_dim};
use crate::tensor::{Pin, Tensor, destination};

/// The device of a list of tensors, with the check of `cat`.
fn list_device(wrapper: &str, list: &[Tensor]) -> Result<Device> {
    // PyTorch compares within the list, and its error names the list argument.
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
    let mut whole = 0i128;
    let mut dtype = first.dtype();
    for (i, t) in list.iter().enumerate() {
        dtype.check_promotion(t.dtype())?;
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
        whole += s[d] as i128;
    }
    let mut sizes: Vec<i128> = shape.iter().map(|&n| n as i128).collect();
    sizes[d] = whole;
    let shape = ops::create::counted(&sizes, dtype, device)?;
    let out = Tensor::empty_with(ops::layout::of(&shape, ops::layout::joint(list)), dtype, device, false)?;
    let mut start = 0;
    let mut spans = Vec::with_capacity(list.len());
    for t in list {
        let length = if skipped(t) { 0 } else { t.size(d) };
        spans.push((start, length, t.dtype(), skipped(t)));
        start += length;
    }
    let parts: Vec<Tensor> = list.iter().filter(|t| t.numel() > 0).cloned().collect();
    join(&out, &parts, d)?;
    if dtype.is_inexact() && autograd::needs_grad(list) {
        let inputs: Vec<Option<&Tensor>> = list.iter().map(Some).collect();
        autograd::record(rows::CAT.node, &inputs, &[], &[&out], move |ctx| {
            spans
                .iter()
                .enumerate()
                .map(|(i, &(start, length, dtype, skipped))| {
                    if !ctx.needs(i) {
                        return Ok(None);
                    }
                    if skipped {
                        return ops::create::zeros(&[0], dtype, ctx.grad().device()).map(Some);
                    }
                    let part = ops::view::narrow(ctx.grad(), d as i64, start as i64, length as i64)?;
                    ops::transfer::cast(&part, dtype).map(Some)
                })
                .collect()
        })?;
    }
    Ok(out)
}

/// How many contiguous tensors PyTorch's CUDA kernel joins (`CAT_ARRAY_BATCH_SIZE`), and how many others.
const BATCH: usize = 128;
const STRIDED_BATCH: usize = BATCH / 2;

/// Writes tensors without gaps into `out` along `d`, as few kernels as PyTorch launches: one for a batch of them, or a copy of
/// each if one kernel can't read them all.
///
/// Source: cat_out_cuda in aten/src/ATen/native/cuda/Shape.cu.
fn join(out: &Tensor, parts: &[Tensor], d: usize) -> Result<()> {
    let alike = parts.iter().all(|t| t.dtype() == out.dtype() && t.device() == out.device());
    let small = out.ndim() <= 4 && i32::try_from(out.numel()).is_ok();
    let contiguous = parts.iter().all(Tensor::is_contiguous);
    let batch = match parts.len() > 1 && alike && small {
        true if contiguous => BATCH,
        true => STRIDED_BATCH,
        false => 1,
    };
    let mut layout = out.layout();
    for parts in parts.chunks(batch) {
        layout.shape[d] = parts.iter().map(|t| t.size(d)).sum();
        let place = out.alias(layout.clone());
        match parts {
            [part] => ops::transfer::copy_data(&place, part)?,
            _ if out.device().is_meta() => {}
            _ => {
                let pins: Vec<Pin> = parts.iter().map(Pin::of).collect();
                let (views, place) = (pins.iter().map(Pin::view).collect::<Result<Vec<_>>>()?, Pin::of(&place));
                engine::current().launch(out.device(), &Kernel::Cat { parts: views, dim: d, out: place.view()? })?;
            }
        }
        layout.offset += layout.shape[d] * layout.strides[d];
    }
    Ok(())
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
    let mut dtype = first.dtype();
    for t in list {
        dtype.check_promotion(t.dtype())?;
        dtype = dtype.promote(t.dtype());
    }
    let mut whole = shape.clone();
    whole.insert(d, list.len());
    let out = Tensor::empty_with(stacked(&whole, d, list), dtype, device, false)?;
    let thin = |t: &Tensor| {
        let mut layout = t.layout();
        layout.shape.insert(d, 1);
        layout.strides.insert(d, 1);
        t.alias(layout)
    };
    if out.numel() > 0 {
        join(&out, &list.iter().map(thin).collect::<Vec<_>>(), d)?;
    }
    if dtype.is_inexact() && autograd::needs_grad(list) {
        let inputs: Vec<Option<&Tensor>> = list.iter().map(Some).collect();
        let dtypes: Vec<DType> = list.iter().map(Tensor::dtype).collect();
        autograd::record(rows::STACK.node, &inputs, &[], &[&out], move |ctx| {
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

/// The layout of a stack of this shape: joined along `d` as [`cat`] does, and `d` split in two. A dimension after the last can't be
/// split off.
fn stacked(shape: &[usize], d: usize, list: &[Tensor]) -> Layout {
    if d + 1 == shape.len() {
        return Layout::contiguous(shape);
    }
    let mut joined = Dims::from_slice(shape);
    let length = joined.remove(d + 1);
    joined[d] = joined[d].saturating_mul(length);
    let mut layout = ops::layout::of(&joined, ops::layout::joint(list));
    layout.strides.insert(d, layout.strides[d].saturating_mul(length));
    layout.shape = Dims::from_slice(shape);
    layout
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
    let out = ops::create::empty_like(t, t.dtype())?;
    if !t.device().is_meta() && out.numel() > 0 {
        let (a, b) = (Pin::of(t), Pin::of(&out));
        engine::current().launch(t.device(), &Kernel::Flip { x: a.view()?, dims: mask, out: b.view()? })?;
    }
    if t.dtype().is_inexact() && autograd::needs_grad([t]) {
        let dims = dims.to_vec();
        autograd::record(rows::FLIP.node, &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(flip(ctx.grad(), &dims)?)])
        })?;
    }
    Ok(out)
}

fn signed(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|&d| d as i64).collect()
}

/// `t.split(size, dim)`: views of `size`; the last one may be smaller.
///
/// # Errors
/// A 0-dim tensor; a size of 0 for a dimension that isn't empty.
pub fn split(t: &Tensor, size: usize, dim: i64) -> Result<Vec<Tensor>> {
    if t.ndim() == 0 {
        return Err(Error::runtime("split expects at least a 1-dimensional tensor"));
    }
    let d = wrap_dim(dim, t.ndim())?;
    let whole = t.size(d);
    if size == 0 && whole != 0 {
        return Err(Error::runtime(format!(
            "split_size can only be 0 if dimension size is 0, but got dimension size of {whole}"
        )));
    }
    let count = if size == 0 { 1 } else { whole.div_ceil(size).max(1) };
    let mut parts = host::list(count)?;
    for i in 0..count {
        ops::create::look(i)?;
        parts.push(ops::view::narrow_as(t, d, i * size, size.min(whole - i * size), 1, rows::SPLIT.node)?);
    }
    mark_many(&parts);
    Ok(parts)
}

/// `t.split([sizes], dim)`.
///
/// # Errors
/// Sizes that do not add up.
pub fn split_sizes(t: &Tensor, sizes: &[i64], dim: i64) -> Result<Vec<Tensor>> {
    if t.ndim() == 0 {
        return Err(Error::runtime("split expects at least a 1-dimensional tensor"));
    }
    let d = wrap_dim(dim, t.ndim())?;
    let list = || format!("[{}]", sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
    if sizes.iter().any(|&s| s < 0) {
        return Err(Error::runtime(format!(
            "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}",
            list()
        )));
    }
    if sizes.iter().map(|&s| i128::from(s)).sum::<i128>() != t.size(d) as i128 {
        return Err(Error::runtime(format!(
            "split_with_sizes expects split_sizes to sum exactly to {} (input tensor's size at dimension {dim}), but got split_sizes={}",
            t.size(d),
            list()
        )));
    }
    let mut start = 0;
    let mut parts = host::list(sizes.len())?;
    for (i, &s) in sizes.iter().enumerate() {
        ops::create::look(i)?;
        let length = crate::shape::size(s)?;
        parts.push(ops::view::narrow_as(t, d, start, length, 1, rows::nodes::SPLIT_WITH_SIZES)?);
        start += length;
    }
    mark_many(&parts);
    Ok(parts)
}

/// `t.chunk(chunks, dim)`.
///
/// # Errors
/// No chunks.
pub fn chunk(t: &Tensor, chunks: i64, dim: i64) -> Result<Vec<Tensor>> {
    if t.ndim() == 0 {
        return Err(Error::runtime("chunk expects at least a 1-dimensional tensor"));
    }
    if chunks <= 0 {
        return Err(Error::runtime(format!("chunk expects `chunks` to be greater than 0, got: {chunks}")));
    }
    let d = wrap_dim(dim, t.ndim())?;
    // A number of chunks that can't be counted exceeds the number of elements.
    let chunks = crate::shape::clamped(chunks);
    if t.size(d) == 0 {
        return split_sizes(t, &host::filled(0, chunks).map_err(|_| Error::runtime("std::bad_alloc"))?, dim);
    }
    split(t, t.size(d).div_ceil(chunks), dim)
}

/// `t.tensor_split(sections, dim)`: sections with sizes as equal as possible; the first ones are larger.
pub fn tensor_split(t: &Tensor, sections: i64, dim: i64) -> Result<Vec<Tensor>> {
    if sections <= 0 {
        return Err(Error::runtime(format!("number of sections must be larger than 0, got {sections}")));
    }
    let d = split_dim(t, dim)?;
    let (size, n) = (t.size(d), crate::shape::size(sections)?);
    let mut start = 0;
    let mut parts = host::list(n)?;
    for i in 0..n {
        ops::create::look(i)?;
        let length = size / n + usize::from(i < size % n);
        parts.push(ops::view::narrow_as(t, d, start, length, 1, rows::NARROW.node)?);
        start += length;
    }
    Ok(parts)
}

/// `t.tensor_split([indices], dim)`.
pub(crate) fn tensor_split_at(t: &Tensor, indices: &[i64], dim: i64) -> Result<Vec<Tensor>> {
    let d = split_dim(t, dim)?;
    let mut bounds: Vec<Option<i64>> = vec![Some(0)];
    bounds.extend(indices.iter().copied().map(Some));
    bounds.push(None);
    bounds.windows(2).map(|w| ops::view::slice(t, d, w[0], w[1], 1)).collect()
}

/// `t.tensor_split(tensor, dim)`: the tensor has the number of sections, or the indices.
///
/// # Errors
/// A tensor that isn't on the CPU, isn't int64, or has several dimensions.
pub(crate) fn tensor_split_by(t: &Tensor, given: &Tensor, dim: i64) -> Result<Vec<Tensor>> {
    split_dim(t, dim)?;
    let wrong =
        |what: String| Err(Error::runtime(format!("tensor_split expected tensor_indices_or_sections to {what}")));
    if !given.device().is_cpu() {
        return wrong(format!("be on cpu, but it's on {}", given.device()));
    }
    if given.dtype() != DType::I64 {
        return wrong(format!("have dtype of long, but got {}", given.dtype().scalar_name()));
    }
    match given.ndim() {
        0 => tensor_split(t, ops::transfer::item(given, crate::trace::Why::Item)?.as_i64(), dim),
        1 => {
            let bytes = ops::transfer::to_host(given, crate::trace::Why::Item)?;
            let at = |i| ops::transfer::scalar_at(&bytes, DType::I64, i).as_i64();
            tensor_split_at(t, &(0..given.numel()).map(at).collect::<Vec<_>>(), dim)
        }
        n => wrong(format!("be a zero-dimensional or one-dimensional tensor, but got a tensor with {n} dims")),
    }
}

fn split_dim(t: &Tensor, dim: i64) -> Result<usize> {
    if t.ndim() == 0 {
        return Err(Error::runtime(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims",
        ));
    }
    wrap_dim(dim, t.ndim())
}

/// Remembers that these are several views by one operator.
fn mark_many(parts: &[Tensor]) {
    parts.iter().enumerate().for_each(|(number, part)| crate::autograd::mark_one_of_many(part, number));
}

/// `t.unbind(dim)`.
pub fn unbind(t: &Tensor, dim: i64) -> Result<Vec<Tensor>> {
    let d = wrap_dim(dim, t.ndim())?;
    if t.ndim() == 0 {
        return Err(Error::index("Dimension specified as 0 but tensor has no dimensions"));
    }
    let mut parts = host::list(t.size(d))?;
    for i in 0..t.size(d) {
        ops::create::look(i)?;
        parts.push(ops::view::select_as(t, d, i as i64, rows::UNBIND.node)?);
    }
    mark_many(&parts);
    Ok(parts)
}

/// `t.repeat(sizes)`.
///
/// # Errors
/// Fewer sizes than dimensions; negative sizes.
pub fn repeat(t: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    if sizes.len() < t.ndim() {
        return Err(Error::runtime(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        ));
    }
    // Each dimension n becomes [times, n]. The result is one copy of the expanded view.
    let lead = sizes.len() - t.ndim();
    let shape: Dims = std::iter::repeat_n(1, lead).chain(t.shape()).collect();
    let result: Vec<i128> = shape.iter().zip(sizes).map(|(&n, &s)| n as i128 * i128::from(s)).collect();
    let result = ops::create::counted(&result, t.dtype(), t.device())?;
    let out = Tensor::empty_with(Layout::contiguous(&result), t.dtype(), t.device(), false)?;
    let times = |i: usize, n: usize| result[i].checked_div(n).unwrap_or(0);
    let l = t.layout();
    let (mut from, mut to) = (Layout { shape: Dims::new(), strides: Dims::new(), offset: l.offset }, out.layout());
    let dense = to.strides.clone();
    to.shape.clear();
    to.strides.clear();
    if out.numel() > 0 {
        for (i, &n) in shape.iter().enumerate() {
            let stride = if i < lead { 0 } else { l.strides[i - lead] };
            from.shape.extend([times(i, n), n]);
            from.strides.extend([0, stride]);
            to.shape.extend([times(i, n), n]);
            to.strides.extend([dense[i] * n, dense[i]]);
        }
        ops::transfer::copy_data(&out.alias(to), &t.alias(from))?;
    }
    if t.dtype().is_inexact() && autograd::needs_grad([t]) {
        let (own, sizes) = (t.shape(), sizes.to_vec());
        autograd::record(rows::REPEAT.node, &[Some(t)], &[], &[&out], move |ctx| {
            let mut split = Vec::new();
            for (&n, &s) in shape.iter().zip(&sizes) {
                split.extend([s, n as i64]);
            }
            let times: Vec<i64> = (0..sizes.len() as i64).map(|i| 2 * i).collect();
            let g = ops::view::reshape(ctx.grad(), &split)?;
            let g = if times.is_empty() { g } else { ops::reduce::sum(&g, &times, false, None)? };
            Ok(smallvec![Some(ops::view::reshape_to(&g, &own)?)])
        })?;
    }
    Ok(out)
}

/// `torch.tile`.
pub fn tile(t: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    let lead = t.ndim().saturating_sub(sizes.len());
    let sizes: Vec<i64> = std::iter::repeat_n(1, lead).chain(sizes.iter().copied()).collect();
    repeat(t, &sizes)
}

/// `t.repeat_interleave(times, dim)`; without `dim`, of the flattened tensor.
pub fn repeat_interleave(t: &Tensor, times: i64, dim: Option<i64>) -> Result<Tensor> {
    if times < 0 {
        return Err(Error::runtime("Repeats must be non-negative"));
    }
    let (x, d) = match dim {
        Some(dim) => (t.clone(), wrap_dim(dim, t.ndim())?),
        None => (ops::view::reshape(t, &[-1])?, 0),
    };
    if x.ndim() == 0 {
        // PyTorch repeats in a new dimension after this one.
        return Err(no_dim(1, 0));
    }
    let mut wide = signed(&x.shape());
    wide.insert(d + 1, times);
    let wide = ops::view::expand(&ops::view::unsqueeze(&x, d as i64 + 1)?, &wide)?;
    // Memory of its own, even if nothing is repeated.
    let dense = if times == 1 { ops::create::clone(&wide)? } else { wide };
    let dense = ops::create::contiguous(&dense)?;
    let mut shape = signed(&x.shape());
    let whole = shape[d].checked_mul(times);
    shape[d] = whole.ok_or_else(|| Error::runtime("numel: integer multiplication overflow"))?;
    ops::view::view(&dense, &shape)
}

/// `t.repeat_interleave(repeats, dim)` with a tensor of counts. A caller that knows their sum gives it as `whole`.
///
/// # Errors
/// Counts that don't fit, negative ones, another sum.
pub fn repeat_interleave_by(t: &Tensor, repeats: &Tensor, dim: Option<i64>, whole: Option<i64>) -> Result<Tensor> {
    let (x, dim) = match dim {
        Some(dim) => (t.clone(), dim),
        None => (ops::view::reshape(t, &[-1])?, 0),
    };
    let d = crate::shape::wrap_own_dim(dim, x.ndim())?;
    if repeats.ndim() > 1 {
        return Err(Error::runtime("repeats must be 0-dim or 1-dim tensor"));
    }
    if !matches!(repeats.dtype(), DType::I64 | DType::I32) {
        return Err(Error::runtime("repeats has to be Long or Int tensor"));
    }
    let size = x.size(d);
    if !repeats.device().is_cpu() && !repeats.device().is_meta() {
        return ops::index::index_select(&x, d as i64, &repeated(repeats, size, d, whole)?);
    }
    let bytes = ops::transfer::to_host(repeats, crate::trace::Why::Index)?;
    let counts: Vec<i64> =
        (0..repeats.numel()).map(|i| ops::transfer::scalar_at(&bytes, repeats.dtype(), i).as_i64()).collect();
    if counts.len() == 1 {
        return repeat_interleave(&x, counts[0], Some(d as i64));
    }
    if counts.len() != size {
        return Err(Error::runtime(format!(
            "repeats must have the same size as input along dim, but got repeats.size(0) = {} and input.size({d}) = {size}",
            counts.len()
        )));
    }
    if counts.iter().any(|&c| c < 0) {
        return Err(Error::runtime("repeats can not be negative"));
    }
    let total = counts.iter().map(|&c| i128::from(c)).sum();
    if whole.is_some_and(|whole| i128::from(whole) != total) {
        return Err(Error::runtime("allocated size does not match required size"));
    }
    let total = ops::create::counted(&[total], DType::I64, Device::CPU)?;
    // The tensor is made first, so that it's refused if there is no memory for it.
    let index = Tensor::empty(&total, DType::I64, Device::CPU)?;
    let mut places = host::room(index.storage().nbytes())?;
    for (i, &c) in counts.iter().enumerate() {
        for step in 0..crate::shape::size(c)? {
            ops::create::look(step)?;
            places.extend_from_slice(&(i as i64).to_le_bytes());
        }
    }
    index.storage().write(0, &places)?;
    let index = ops::transfer::to_device(&index, repeats.device(), crate::trace::Why::Create)?;
    ops::index::index_select(&x, d as i64, &index)
}

/// The index of each repeated entry, computed on the accelerator. If the program doesn't say how many there are, the host reads
/// that and whether a count is negative, and waits for both.
fn repeated(repeats: &Tensor, size: usize, dim: usize, whole: Option<i64>) -> Result<Tensor> {
    let _no_grad = autograd::GradMode::set(false);
    let counts = ops::transfer::cast(&repeats.detach(), DType::I64)?;
    let counts = match counts.numel() {
        1 => ops::view::expand(&ops::view::reshape(&counts, &[1])?, &[size as i64])?,
        n if n == size => ops::view::reshape(&counts, &[-1])?,
        n => {
            return Err(Error::runtime(format!(
                "repeats must have the same size as input along dim, but got repeats.size(0) = {n} and input.size({dim}) = {size}"
            )));
        }
    };
    let device = counts.device();
    if size == 0 {
        return ops::create::zeros(&[0], DType::I64, device);
    }
    let ends = ops::reduce::scan(crate::executor::ScanOp::Sum, &counts, 0)?;
    let total = match whole {
        Some(total) => total,
        None => {
            let total = ops::transfer::item(&ops::view::select(&ends, 0, -1)?, crate::trace::Why::Item)?.as_i64();
            let at_least = ops::binary(BinaryOp::Ge, &(&counts).into(), &0i64.into())?;
            let fine = ops::reduce::logical(&at_least, ReduceOp::All, &[], false)?;
            if !ops::transfer::item(&fine, crate::trace::Why::Item)?.as_bool() {
                return Err(Error::runtime("repeats can not be negative"));
            }
            total
        }
    };
    // How many entries end at or before each place.
    let places = ops::create::counted(&[i128::from(total) + 1], DType::I64, device)?;
    let zeros = ops::create::zeros(&places, DType::I64, device)?;
    let ones = ops::create::full(&[size], Scalar::Int(1), DType::I64, device)?;
    let ended = ops::reduce::scan(crate::executor::ScanOp::Sum, &ops::index::added(zeros, 0, &ends, &ones)?, 0)?;
    ops::view::narrow(&ended, 0, 0, total)
}

/// `torch.roll`; without dimensions, of the flattened tensor.
///
/// # Errors
/// Different numbers of shifts and dimensions.
pub fn roll(t: &Tensor, shifts: &[i64], dims: &[i64]) -> Result<Tensor> {
    if let ([], &[shift]) = (dims, shifts) {
        let out = {
            let _no_grad = autograd::GradMode::set(false);
            roll(&ops::view::reshape(t, &[-1])?, shifts, &[0])?.dense_as(&t.shape())
        };
        if t.dtype().is_inexact() && autograd::needs_grad([t]) {
            // A shift by the lowest integer has no opposite.
            let back = -(shift % (t.numel().max(1) as i64));
            autograd::record(rows::ROLL.node, &[Some(t)], &[], &[&out], move |ctx| {
                Ok(smallvec![Some(roll(ctx.grad(), &[back], &[])?)])
            })?;
        }
        return Ok(out);
    }
    if shifts.is_empty() {
        return Err(Error::runtime("`shifts` required"));
    }
    if shifts.len() != dims.len() {
        return Err(Error::runtime(format!(
            "shifts and dimensions must align. shifts: {}, dims:{}",
            shifts.len(),
            dims.len()
        )));
    }
    if let Some(dim) = dims.first().filter(|_| t.ndim() == 0) {
        return Err(Error::index(format!("Dimension specified as {dim} but tensor has no dimensions")));
    }
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let mut out = t.detach();
        for (&shift, &dim) in shifts.iter().zip(dims) {
            let d = wrap_dim(dim, t.ndim())?;
            let size = if t.ndim() == 0 { 1 } else { t.size(d) } as i64;
            let start = if size == 0 { 0 } else { (size - shift.rem_euclid(size)) % size };
            if start != 0 {
                let (head, tail) =
                    (ops::view::narrow(&out, dim, start, size - start)?, ops::view::narrow(&out, dim, 0, start)?);
                out = cat(&[head, tail], dim)?;
            }
        }
        if out.storage().same(&t.storage()) { ops::create::clone(&out)? } else { out }
    };
    if t.dtype().is_inexact() && autograd::needs_grad([t]) {
        // A shift of -2^63 can't be negated, but an equivalent shift within the dimension can.
        let back = shifts.iter().zip(dims).map(|(s, &d)| {
            let size = wrap_dim(d, t.ndim()).map_or(1, |d| t.shape().get(d).copied().unwrap_or(1));
            -(s % (size.max(1) as i64))
        });
        let (back, dims): (Vec<i64>, Vec<i64>) = (back.collect(), dims.to_vec());
        autograd::record(rows::ROLL.node, &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(roll(ctx.grad(), &back, &dims)?)])
        })?;
    }
    Ok(out)
}

/// `t.movedim(from, to)`.
pub fn movedim(t: &Tensor, from: &[i64], to: &[i64]) -> Result<Tensor> {
    if from.len() != to.len() {
        return Err(Error::runtime(format!(
            "movedim: Invalid source or destination dims: source ({from:?} dims) should contain the same number of dims as destination ({to:?} dims)"
        )));
    }
    let n = t.ndim();
    let mut order: Vec<Option<usize>> = vec![None; n];
    let mut moved = vec![false; n];
    for (&f, &d) in from.iter().zip(to) {
        let (f, d) = (wrap_dim(f, n)?, wrap_dim(d, n)?);
        if n == 0 {
            continue;
        }
        if order[d].is_some() || moved[f] {
            return Err(Error::runtime(format!(
                "movedim: repeated dim in `{}` ({:?})",
                if moved[f] { "source" } else { "destination" },
                if moved[f] { from } else { to }
            )));
        }
        order[d] = Some(f);
        moved[f] = true;
    }
    let mut rest = (0..n).filter(|&i| !moved[i]);
    let order: Vec<i64> = order.into_iter().map(|o| o.or_else(|| rest.next()).unwrap_or(0) as i64).collect();
    ops::view::permute(t, &order)
}

/// `t.flatten(start, end)`.
///
/// # Errors
/// A start after the end.
pub fn flatten(t: &Tensor, start: i64, end: i64) -> Result<Tensor> {
    let (s, e) = (wrap_dim(start, t.ndim())?, wrap_dim(end, t.ndim())?);
    if s > e {
        return Err(Error::runtime("flatten() has invalid args: start_dim cannot come after end_dim"));
    }
    if t.ndim() == 0 {
        return ops::view::reshape(t, &[1]);
    }
    if s == e {
        return Ok(t.clone());
    }
    let shape = t.shape();
    let mut wanted = signed(&shape[..s]);
    wanted.push(crate::shape::checked_numel(&shape[s..=e])? as i64);
    wanted.extend(signed(&shape[e + 1..]));
    ops::view::reshape(t, &wanted)
}

/// `t.unflatten(dim, sizes)`; one size may be -1.
///
/// # Errors
/// Sizes whose product is not the dimension's.
pub fn unflatten(t: &Tensor, dim: i64, sizes: &[i64]) -> Result<Tensor> {
    let d = wrap_dim(dim, t.ndim())?;
    if sizes.is_empty() {
        return Err(Error::runtime("unflatten: sizes must be non-empty"));
    }
    crate::shape::wrap_own_dim(d as i64, t.ndim())
        .map_err(|error| Error::runtime(format!("unflatten got an unexpected error:\n{}", error.message)))?;
    let whole = t.size(d);
    let inferred = ops::view::infer_shape(sizes, whole).map_err(|_| {
        let list = sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        Error::runtime(format!(
            "unflatten: Provided sizes [{list}] don't multiply up to the size of dim {d} ({whole}) in the input tensor"
        ))
    })?;
    let shape = t.shape();
    let wanted: Vec<i64> = shape[..d].iter().chain(&inferred).chain(&shape[d + 1..]).map(|&n| n as i64).collect();
    ops::view::view(t, &wanted)
}

/// `torch.broadcast_tensors`.
///
/// # Errors
/// Shapes that do not broadcast.
pub(crate) fn broadcast_tensors(list: &[Tensor]) -> Result<Vec<Tensor>> {
    let mut shape = Dims::new();
    for t in list {
        shape = crate::shape::broadcast(&shape, &t.shape())?;
    }
    let wanted = signed(&shape);
    // One that has the shape already is left alone.
    let widened = |t: &Tensor| if t.shape() == shape { Ok(t.clone()) } else { ops::view::expand(t, &wanted) };
    list.iter().map(widened).collect()
}

/// `torch.atleast_1d`, `atleast_2d`, `atleast_3d`.
pub(crate) fn at_least(t: &Tensor, n: usize) -> Result<Tensor> {
    let shape = signed(&t.shape());
    match (n, shape.as_slice()) {
        (_, s) if s.len() >= n => Ok(t.clone()),
        (1, _) | (_, []) => ops::view::reshape(t, &vec![1; n]),
        (2, _) => ops::view::unsqueeze(t, 0),
        (_, [_]) => ops::view::unsqueeze(&ops::view::unsqueeze(t, 0)?, 2),
        _ => ops::view::unsqueeze(t, -1),
    }
}

/// `torch.meshgrid(tensors, indexing)`.
///
/// # Errors
/// Tensors of several dimensions; an indexing other than `ij` and `xy`.
pub(crate) fn meshgrid(list: &[Tensor], indexing: &str) -> Result<Vec<Tensor>> {
    if list.is_empty() {
        return Err(Error::runtime("meshgrid expects a non-empty TensorList"));
    }
    if list.iter().any(|t| t.dtype() != list[0].dtype()) {
        return Err(Error::runtime("meshgrid expects all tensors to have the same dtype"));
    }
    if let Some(t) = list.iter().find(|t| t.ndim() > 1) {
        return Err(Error::runtime(format!(
            "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {:?}",
            t.shape()
        )));
    }
    let swap = match indexing {
        "ij" => false,
        "xy" => list.len() >= 2,
        other => {
            return Err(Error::runtime(format!(
                "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: {other}"
            )));
        }
    };
    let mut order: Vec<usize> = (0..list.len()).collect();
    if swap {
        order.swap(0, 1);
    }
    let wanted: Vec<i64> = order.iter().map(|&i| list[i].numel() as i64).collect();
    let mut grids = Vec::with_capacity(list.len());
    for (i, t) in list.iter().enumerate() {
        let at = order.iter().position(|&o| o == i).unwrap_or(i);
        let mut shape = vec![1; list.len()];
        shape[at] = t.numel() as i64;
        let grid = ops::view::expand(&ops::view::view(t, &shape)?, &wanted)?;
        grids.push(grid);
    }
    Ok(grids)
}

/// `torch.tril` and `torch.triu` of the last two dimensions.
///
/// # Errors
/// Fewer than two dimensions.
pub fn triangle(t: &Tensor, upper: bool, diagonal: i64) -> Result<Tensor> {
    let name = if upper { "triu" } else { "tril" };
    if t.ndim() < 2 {
        return Err(Error::runtime(format!("{name}: input tensor must have at least 2 dimensions")));
    }
    let out = match destination::itself(t) {
        Some(itself) => itself,
        None => Tensor::empty_with(Layout::contiguous(&t.shape()), t.dtype(), t.device(), false)?,
    };
    if !t.device().is_meta() && out.numel() > 0 {
        let (a, b) = (Pin::of(t), Pin::of(&out));
        let kernel = Kernel::Triangle { upper, diagonal, x: a.view()?, out: b.view()? };
        engine::current().launch(t.device(), &kernel)?;
    }
    if t.dtype().is_inexact() && autograd::needs_grad([t]) {
        let name = if upper { rows::TRIU.node } else { rows::TRIL.node };
        autograd::record(name, &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(triangle(ctx.grad(), upper, diagonal)?)])
        })?;
    }
    Ok(out)
}

/// `torch.diag`: the diagonal of a matrix, or a matrix with a vector as its diagonal.
///
/// # Errors
/// Another number of dimensions.
pub fn diag(t: &Tensor, offset: i64) -> Result<Tensor> {
    match t.ndim() {
        1 => diag_embed(t, offset, -2, -1),
        2 => {
            let out = ops::create::clone(&ops::view::diagonal(t, offset, 0, 1)?)?;
            let out = autograd::under(&out, rows::nodes::DIAGONAL_COPY)?;
            out.set_data(&out.dense_as(&out.shape()));
            Ok(out)
        }
        n => Err(Error::runtime(format!("diag(): Supports 1D or 2D tensors. Got {n}D"))),
    }
}

/// Matrices in the dimensions `dim1` and `dim2` whose diagonals are `t`, batched over leading dimensions.
///
/// # Errors
/// Both dimensions are the same, or one is out of range.
pub(crate) fn diag_embed(t: &Tensor, offset: i64, dim1: i64, dim2: i64) -> Result<Tensor> {
    let mut shape = t.shape();
    let (a, b) = (wrap_dim(dim1, shape.len() + 1)?, wrap_dim(dim2, shape.len() + 1)?);
    if a == b {
        return Err(Error::runtime(format!("diagonal dimensions cannot be identical {dim1}, {dim2}")));
    }
    let Some(n) = shape.pop() else {
        return Err(Error::index("Dimension specified as -1 but tensor has no dimensions"));
    };
    let side = n as i128 + i128::from(offset).abs();
    if let Ok(wrapped) = i64::try_from(side - (1 << 64)) {
        return Err(Error::runtime(format!(
            "IntArrayRef contains an int that cannot be represented as a SymInt: {wrapped}"
        )));
    }
    let mut sizes: Vec<i128> = shape.iter().map(|&n| n as i128).collect();
    sizes.insert(a.min(b), side);
    sizes.insert(a.max(b), side);
    let shape = ops::create::counted(&sizes, t.dtype(), t.device())?;
    let (dim1, dim2) = (a as i64, b as i64);
    let out = ops::create::zeros(&shape, t.dtype(), t.device())?;
    ops::transfer::copy_data(&ops::view::diagonal(&out, offset, dim1, dim2)?, t)?;
    if t.dtype().is_inexact() && autograd::needs_grad([t]) {
        autograd::record(rows::DIAG_EMBED.node, &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(ops::view::diagonal(ctx.grad(), offset, dim1, dim2)?)])
        })?;
    }
    Ok(out)
}
