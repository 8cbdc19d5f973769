//! `x[...]` and `x[...] = value` with integers, slices, `None`, `...`, masks and index tensors.
//!
//! Integers, slices and `None` make views. Index tensors (masks are first converted to index tensors) gather: their common
//! shape replaces the indexed dimensions if those are adjacent, and otherwise comes first.
//!
//! Source: torch/csrc/autograd/python_variable_indexing.cpp, aten/src/ATen/TensorIndexing.h and
//! aten/src/ATen/native/TensorAdvancedIndexing.cpp in PyTorch 2.15.

use smallvec::smallvec;

use super::elementwise::Side;
use crate::autograd::{self, Save};
use crate::device::Device;
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{Kernel, Operand};
use crate::ops::{self, Arg, rows, view};
use crate::shape::{Dims, Layout, broadcast, show};
use crate::tensor::{Pin, Tensor};
use crate::trace::Why;

/// One item between the brackets.
#[derive(Clone)]
pub enum Index {
    Int(i64),
    /// `start:stop:step`.
    Slice(Option<i64>, Option<i64>, Option<i64>),
    None,
    Ellipsis,
    Bool(bool),
    /// Integers, or a mask of bool (or uint8).
    Tensor(Tensor),
}

fn is_mask(t: &Tensor) -> bool {
    matches!(t.dtype(), DType::Bool | DType::U8)
}

/// How many dimensions of the indexed tensor an item uses.
fn takes(index: &Index) -> usize {
    match index {
        Index::Int(_) | Index::Slice(..) => 1,
        Index::Tensor(t) if is_mask(t) => t.ndim(),
        Index::Tensor(_) => 1,
        Index::None | Index::Ellipsis | Index::Bool(_) => 0,
    }
}

/// The view that the plain items make, and for each of its dimensions the index tensor, if there is one.
fn resolve(x: &Tensor, items: &[Index]) -> Result<(Tensor, Vec<Option<Tensor>>)> {
    let taken: usize = items.iter().map(takes).sum();
    if x.ndim() == 0 && matches!(items, [Index::Int(_)]) {
        return Err(Error::index(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
        ));
    }
    if x.ndim() == 0 && matches!(items, [Index::Slice(..)]) {
        return Err(Error::index("slice() cannot be applied to a 0-dim tensor."));
    }
    if taken > x.ndim() {
        return Err(Error::index(format!("too many indices for tensor of dimension {}", x.ndim())));
    }
    let mut v = x.clone();
    let mut tensors: Vec<Option<Tensor>> = Vec::new();
    // The dimension of the view. PyTorch's errors name the item's place among the items instead.
    let mut dim = 0;
    let mut seen_ellipsis = false;
    for (at, item) in items.iter().enumerate() {
        match item {
            Index::Int(i) => {
                v = select(&v, dim, at, *i)?;
            }
            Index::Slice(start, stop, step) => {
                let step = step.unwrap_or(1);
                if step == 0 {
                    return Err(Error::value("slice step cannot be zero"));
                }
                if step < 0 {
                    return Err(Error::value("step must be greater than zero"));
                }
                if start.is_some() || stop.is_some() || step != 1 {
                    v = view::slice(&v, dim, *start, *stop, step)?;
                }
                dim += 1;
            }
            Index::Ellipsis => {
                let rest = x.ndim() - taken;
                // As in PyTorch, a second ellipsis counts as many dimensions as the first, so that none is left after it.
                if seen_ellipsis && rest > 0 && items[at + 1..].iter().any(|item| takes(item) > 0) {
                    let last = items.len() - 1;
                    return Err(Error::index(format!("index 0 is out of bounds for dimension {last} with size 0")));
                }
                seen_ellipsis = true;
                dim += rest;
            }
            Index::None => {
                v = view::unsqueeze(&v, dim as i64)?;
                dim += 1;
            }
            Index::Bool(b) => {
                v = view::unsqueeze(&v, dim as i64)?;
                let zeros = ops::create::zeros(&[usize::from(*b)], DType::I64, v.device())?;
                put_at(&mut tensors, dim, zeros);
                dim += 1;
            }
            Index::Tensor(t) if t.ndim() == 0 && !is_mask(t) && t.dtype().is_integral() => {
                let i = ops::transfer::item(t, Why::Index)?.as_i64();
                v = select(&v, dim, at, i)?;
            }
            Index::Tensor(t) => {
                if !matches!(t.dtype(), DType::I64 | DType::I32 | DType::U8 | DType::Bool) {
                    return Err(Error::index("tensors used as indices must be long, int, byte or bool tensors"));
                }
                check_device(&v, t)?;
                if is_mask(t) && t.ndim() == 0 {
                    v = view::unsqueeze(&v, dim as i64)?;
                    let yes = ops::transfer::item(t, Why::Index)?.as_bool();
                    put_at(&mut tensors, dim, ops::create::zeros(&[usize::from(yes)], DType::I64, v.device())?);
                    dim += 1;
                } else if is_mask(t) {
                    let window = v.shape();
                    let same = window.len() >= dim + t.ndim() && window[dim..dim + t.ndim()] == t.shape()[..];
                    if !same {
                        let first = mismatch(&window[dim..], &t.shape());
                        return Err(Error::index(format!(
                            "The shape of the mask {} at index {first} does not match the shape of the indexed tensor {} at index {}",
                            show(&t.shape()),
                            show(&window),
                            dim + first
                        )));
                    }
                    for column in mask_indices(t, v.device())? {
                        put_at(&mut tensors, dim, column);
                        dim += 1;
                    }
                } else {
                    let index = if t.dtype() == DType::I64 {
                        t.detach()
                    } else {
                        ops::transfer::cast(&t.detach(), DType::I64)?
                    };
                    put_at(&mut tensors, dim, ops::transfer::to_device(&index, v.device(), Why::Index)?);
                    dim += 1;
                }
            }
        }
    }
    Ok((v, tensors))
}

/// The indices where a mask is true, one tensor per dimension. If the mask is on the host, they are copied together, from
/// pinned memory and without a wait.
fn mask_indices(mask: &Tensor, device: Device) -> Result<Vec<Tensor>> {
    if mask.device() == device {
        return ops::index::nonzero_tuple(mask);
    }
    let rows = ops::index::nonzero(&mask.detach())?;
    let pinned = Tensor::empty_with(Layout::contiguous(&rows.shape()), DType::I64, rows.device(), device.is_cuda())?;
    ops::transfer::copy_data(&pinned, &rows)?;
    let there = Tensor::empty_with(Layout::contiguous(&rows.shape()), DType::I64, device, false)?;
    ops::transfer::copy_with(&there, &pinned, device.is_cuda(), Why::Index)?;
    (0..mask.ndim()).map(|d| view::select(&there, 1, d as i64)).collect()
}

/// The first dimension in which a mask doesn't fit.
fn mismatch(have: &[usize], mask: &[usize]) -> usize {
    (0..mask.len()).find(|&i| have.get(i) != Some(&mask[i])).unwrap_or(0)
}

fn select(v: &Tensor, dim: usize, place: usize, i: i64) -> Result<Tensor> {
    let size = v.size(dim) as i64;
    if i < -size || i >= size {
        return Err(Error::index(format!("index {i} is out of bounds for dimension {place} with size {size}")));
    }
    view::select(v, dim, i)
}

fn put_at(tensors: &mut Vec<Option<Tensor>>, dim: usize, t: Tensor) {
    tensors.resize(tensors.len().max(dim + 1), None);
    tensors[dim] = Some(t);
}

fn check_device(x: &Tensor, index: &Tensor) -> Result<()> {
    if index.device().is_cpu() || index.device() == x.device() {
        return Ok(());
    }
    Err(Error::runtime(format!(
        "indices should be either on cpu or on the same device as the indexed tensor ({})",
        x.device()
    )))
}

/// The index tensors of one expression: which dimensions they index, all broadcast to one shape, on the tensor's
/// device.
#[derive(Clone)]
pub struct Gathered {
    /// The indexed dimensions, ascending.
    dims: Vec<usize>,
    indices: Vec<Tensor>,
    /// The indices' common shape.
    common: Dims,
    /// The shape of the indexed tensor.
    shape: Dims,
    /// Whether it comes from an operator that names its dimension, such as `index_fill`.
    one: bool,
}

impl Gathered {
    fn new(x: &Tensor, tensors: Vec<Option<Tensor>>) -> Result<Gathered> {
        let (mut dims, mut indices) = (Vec::new(), Vec::new());
        let mut common = Dims::new();
        for (d, t) in tensors.into_iter().enumerate() {
            let Some(t) = t else { continue };
            dims.push(d);
            indices.push(t);
        }
        for t in &indices {
            common = broadcast(&common, &t.shape()).map_err(|_| {
                let shapes: Vec<String> = indices.iter().map(|t: &Tensor| show(&t.shape())).collect();
                Error::index(format!(
                    "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                    shapes.join(", ")
                ))
            })?;
        }
        Ok(Gathered { dims, indices, common, shape: x.shape(), one: false })
    }

    /// One index along one dimension. A 0-dim tensor counts as having one dimension of size 1.
    pub(super) fn along(x: &Tensor, dim: usize, index: Tensor) -> Gathered {
        let common = index.shape();
        let shape = x.at_least_1d().shape();
        Gathered { dims: vec![dim], indices: vec![index], common, shape, one: true }
    }

    /// One index for each of the first dimensions, all with one shape.
    pub(super) fn leading(x: &Tensor, indices: Vec<Tensor>) -> Gathered {
        let common = indices.first().map_or_else(Dims::new, Tensor::shape);
        Gathered { dims: (0..indices.len()).collect(), indices, common, shape: x.shape(), one: false }
    }

    /// The indexed dimensions first, then the others.
    fn order(&self) -> Vec<usize> {
        let rest = (0..self.shape.len()).filter(|d| !self.dims.contains(d));
        self.dims.iter().copied().chain(rest).collect()
    }

    fn is_adjacent(&self) -> bool {
        self.dims.windows(2).all(|w| w[1] == w[0] + 1)
    }

    /// How many dimensions precede the common ones in the result.
    fn lead(&self) -> usize {
        if self.is_adjacent() { self.dims.first().copied().unwrap_or(0) } else { 0 }
    }

    fn result_shape(&self) -> Dims {
        let rest: Dims = (0..self.shape.len()).filter(|d| !self.dims.contains(d)).map(|d| self.shape[d]).collect();
        let lead = self.lead();
        rest[..lead].iter().chain(&self.common).chain(&rest[lead..]).copied().collect()
    }

    /// The result's layout: its dimensions are in the order of those of `x` that aren't indexed, and of the indices'.
    fn result_layout(&self, x: &Tensor) -> Layout {
        let shape = self.result_shape();
        let (lead, n) = (self.lead(), self.common.len());
        let rest: Dims =
            x.with_data(|_, l| (0..l.ndim()).filter(|d| !self.dims.contains(d)).map(|d| l.strides[d]).collect());
        let spread = |common: &[usize]| -> Dims {
            let (before, after) = (vec![0; lead], vec![0; rest.len() - lead]);
            [&before[..], common, &after].concat().into()
        };
        let mut operands: Vec<Dims> = vec![[&rest[..lead], &vec![0; n], &rest[lead..]].concat().into()];
        for index in &self.indices {
            operands.push(spread(&index.with_data(|_, l| l.broadcast_strides(&self.common))));
        }
        Layout { strides: super::layout::ordered(&shape, &operands), shape, offset: 0 }
    }

    /// A layout of the result's shape as [common.., rest..].
    fn common_first(&self, l: &Layout) -> Layout {
        let (lead, n) = (self.lead(), self.common.len());
        let order = (lead..lead + n).chain(0..lead).chain(lead + n..l.ndim());
        let (mut shape, mut strides) = (Dims::new(), Dims::new());
        for d in order {
            shape.push(l.shape[d]);
            strides.push(l.strides[d]);
        }
        Layout { shape, strides, offset: l.offset }
    }

    fn indexed_first(&self, l: &Layout) -> Layout {
        let order = self.order();
        Layout {
            shape: order.iter().map(|&d| l.shape[d]).collect(),
            strides: order.iter().map(|&d| l.strides[d]).collect(),
            offset: l.offset,
        }
    }

    /// `x` at the indices, recorded under `name`.
    pub(super) fn get(&self, x: &Tensor, name: &'static str) -> Result<Tensor> {
        self.get_with(x, name, |index, dim, size| {
            Error::index(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
        })
    }

    /// Like [`Gathered::get`], with another message for an index out of bounds.
    pub(super) fn get_with(
        &self,
        x: &Tensor,
        name: &'static str,
        words: impl FnOnce(i64, usize, usize) -> Error,
    ) -> Result<Tensor> {
        let is_empty = |d: &usize| self.shape.get(*d) == Some(&0);
        if self.dims.iter().any(is_empty) && self.common.iter().all(|&n| n > 0) {
            return Err(Error::index("index is out of bounds for dimension with size 0"));
        }
        let out = Tensor::empty_with(self.result_layout(x), x.dtype(), x.device(), false)?;
        if self.dims.is_empty() {
            ops::transfer::copy_data(&out, x)?;
        } else if !out.device().is_meta() && out.numel() > 0 {
            let x = x.at_least_1d();
            let source = Pin::of(&x.alias(self.indexed_first(&x.layout())));
            let target = Pin::of(&out.alias(self.common_first(&out.layout())));
            let pins: Vec<Pin> = self.indices.iter().map(Pin::of).collect();
            let indices = pins.iter().map(|p| p.broadcast(&self.common)).collect::<Result<Vec<_>>>()?;
            let kernel = Kernel::Index { x: source.view()?, indices, out: target.view()? };
            engine::current().launch_with(x.device(), &kernel, words)?;
        }
        if x.dtype().is_inexact() && autograd::needs_grad([x]) {
            let (at, shape) = (self.clone(), x.shape());
            autograd::record(name, &[Some(x)], &[Save::Constant], &[&out], move |ctx| {
                let g = ctx.grad();
                let zeros = ops::create::zeros(&shape, g.dtype(), g.device())?;
                at.put_(&zeros, &g.into(), true)?;
                Ok(smallvec![Some(zeros)])
            })?;
        }
        Ok(out)
    }

    /// Writes (or adds) `value` into `out` at the indices, outside the graph.
    fn put_data(&self, out: &Tensor, value: &Arg, accumulate: bool) -> Result<()> {
        let shape = self.result_shape();
        if out.device().is_meta() || shape.contains(&0) {
            return Ok(());
        }
        let number = match value {
            Arg::Number(n) => Some(n.fit(out.dtype())?),
            // A 0-dim CPU tensor may be written to any device.
            Arg::Tensor(t) if t.ndim() == 0 && t.device() != out.device() && t.device().is_cpu() => {
                Some(ops::transfer::item(t, Why::Item)?)
            }
            Arg::Tensor(_) => None,
        };
        if self.dims.is_empty() {
            let value = match (number, value) {
                (Some(n), _) => ops::create::full(&[], n, out.dtype(), out.device())?,
                (None, Arg::Tensor(t)) => t.clone(),
                (None, Arg::Number(_)) => return Err(Error::runtime("a number was taken above")),
            };
            return if accumulate {
                ops::elementwise::add_data(out, &value)
            } else {
                ops::transfer::copy_data(out, &value)
            };
        }
        let out = &out.at_least_1d();
        let target = Pin::of(&out.alias(self.indexed_first(&out.layout())));
        let pins: Vec<Pin> = self.indices.iter().map(Pin::of).collect();
        let indices = pins.iter().map(|p| p.broadcast(&self.common)).collect::<Result<Vec<_>>>()?;
        let source = match value {
            Arg::Tensor(t) if number.is_none() => {
                let l = t.layout();
                let full = Layout { strides: l.broadcast_strides(&shape), shape: shape.clone(), offset: l.offset };
                Some(Pin::of(&t.alias(self.common_first(&full))))
            }
            _ => None,
        };
        let src = match (&source, number) {
            (Some(pin), _) => Operand::View(pin.view()?),
            (None, Some(n)) => Operand::Scalar(n),
            (None, None) => return Err(Error::runtime("a value is a tensor or a number")),
        };
        let kernel = Kernel::IndexPut { out: target.view()?, indices, src, accumulate };
        engine::current().launch_with(out.device(), &kernel, |index, which, size| {
            // If an operator named the dimension, the error names it; for brackets, PyTorch counts the indexed
            // dimensions.
            let dim = if self.one { self.dims[0] } else { which };
            Error::index(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
        })
    }

    fn check_value(&self, out: &Tensor, value: &Arg) -> Result<()> {
        let Arg::Tensor(t) = value else { return Ok(()) };
        ops::device::common(&[out, t])?;
        let shape = self.result_shape();
        if !matches!(broadcast(&shape, &t.shape()), Ok(joined) if joined == shape) {
            return Err(Error::runtime(format!(
                "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
                show(&t.shape()),
                show(&shape)
            )));
        }
        if t.dtype() != out.dtype() {
            return Err(Error::runtime(format!(
                "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
                out.dtype().scalar_name(),
                t.dtype().scalar_name()
            )));
        }
        Ok(())
    }

    /// A copy of `x` with `value` written (or added) at the indices.
    pub(super) fn put(&self, x: &Tensor, value: &Arg, accumulate: bool, name: &'static str) -> Result<Tensor> {
        self.check_value(x, value)?;
        let out = ops::create::changeable(x)?;
        self.put_data(&out, value, accumulate)?;
        let inputs = [Some(x), value.tensor()];
        if x.dtype().is_inexact() && autograd::needs_grad(inputs.into_iter().flatten()) {
            let (at, side) = (self.clone(), Side::of(value));
            let edges = if name == rows::INDEX_FILL.node { 1 } else { 2 };
            autograd::record(name, &inputs[..edges], &[Save::Constant], &[&out], move |ctx| {
                at.put_grad(ctx, accumulate, &side)
            })?;
        }
        Ok(out)
    }

    /// As [`Gathered::put`], into `x` itself.
    fn put_(&self, x: &Tensor, value: &Arg, accumulate: bool) -> Result<()> {
        if x.is_flipped() {
            return ops::transfer::change_flipped(x, |copy| self.put_(copy, value, accumulate));
        }
        autograd::check_in_place(x)?;
        self.check_value(x, value)?;
        self.carry_number(x, value)?;
        self.put_data(x, value, accumulate)?;
        x.bump_version();
        let inputs = [Some(x), value.tensor()];
        if x.dtype().is_inexact() && autograd::needs_grad(inputs.into_iter().flatten()) {
            let (at, side) = (self.clone(), Side::of(value));
            // PyTorch fills where one index chooses the places for a number.
            let fills = value.tensor().is_none() && matches!(&self.indices[..], [one] if one.dtype() == DType::I64);
            let (name, edges) =
                if fills && !accumulate { (rows::INDEX_FILL.node, 1) } else { (rows::INDEX_PUT.node, 2) };
            autograd::record_in_place(name, x, &inputs[1..edges], &[Save::Constant], move |ctx| {
                at.put_grad(ctx, accumulate, &side)
            })?;
        }
        Ok(())
    }

    /// A number that is written at indices is first copied from the host to the accelerator as a tensor, and the host
    /// waits for that.
    fn carry_number(&self, x: &Tensor, value: &Arg) -> Result<()> {
        let device = x.device();
        let number = match value {
            Arg::Number(n) => *n,
            Arg::Tensor(t) if t.ndim() == 0 && t.device().is_cpu() => ops::transfer::item(t, Why::Index)?,
            Arg::Tensor(_) => return Ok(()),
        };
        if device.is_cpu() || device.is_meta() {
            return Ok(());
        }
        let number = ops::create::full(&[], number.fit(x.dtype())?, x.dtype(), Device::CPU)?;
        ops::transfer::to_device(&number, device, Why::Index).map(drop)
    }

    fn put_grad(&self, ctx: &autograd::Context<'_>, accumulate: bool, side: &Side) -> Result<autograd::Gradients> {
        let g = ctx.grad();
        let mut grads: autograd::Gradients = smallvec![None; ctx.needs.len()];
        if ctx.needs(0) {
            grads[0] =
                Some(if accumulate { g.clone() } else { self.put(g, &Arg::from(0.0), false, rows::INDEX_PUT.node)? });
        }
        if ctx.needs.len() > 1 && ctx.needs(1) {
            grads[1] = Some(side.fit(&self.get(g, rows::nodes::INDEX)?)?);
        }
        Ok(grads)
    }
}

/// `x[items]`.
///
/// # Errors
/// PyTorch's errors for indices that are too many, out of range, of a wrong dtype, or on another device.
pub fn get(x: &Tensor, items: &[Index]) -> Result<Tensor> {
    let (v, tensors) = resolve(x, items)?;
    if tensors.iter().all(Option::is_none) {
        return if v.is_same(x) { view::alias(x) } else { Ok(v) };
    }
    Gathered::new(&v, tensors)?.get(&v, rows::nodes::INDEX)
}

/// `x[items] = value`.
///
/// # Errors
/// As [`get`]; values that do not fit; leaves that require gradients.
pub fn set(x: &Tensor, items: &[Index], value: &Arg) -> Result<()> {
    if let Some((place, mask)) = masked(x, items, value)? {
        let number = match value {
            Arg::Tensor(t) => ops::transfer::item(t, Why::Index)?,
            Arg::Number(n) => *n,
        };
        return ops::arith::masked_fill_(&place, &mask, &Arg::Number(number.fit(x.dtype())?));
    }
    let (v, tensors) = resolve(x, items)?;
    if tensors.iter().all(Option::is_none) {
        let there = !v.device().is_cpu() && !v.device().is_meta();
        return match value {
            // PyTorch makes a tensor of the number on the host. It copies this if the target has the same 0-dim shape, and
            // otherwise fills the target.
            Arg::Number(n) if there && v.ndim() == 0 => {
                let number = ops::create::full(&[], n.fit(v.dtype())?, v.dtype(), Device::CPU)?;
                ops::transfer::copy_(&v, &number, false)
            }
            Arg::Number(n) => ops::arith::fill_(&v, *n),
            Arg::Tensor(t) if there && t.device().is_cpu() && t.ndim() == 0 && v.ndim() > 0 && !t.requires_grad() => {
                ops::arith::fill_(&v, ops::transfer::item(t, Why::Index)?)
            }
            Arg::Tensor(t) if !there && t.device().is_cpu() && t.ndim() == 0 && v.ndim() > 0 => {
                ops::arith::fill_tensor_(&v, t)
            }
            Arg::Tensor(t) => ops::transfer::copy_(&v, &fit_value(t, &v)?, false),
        };
    }
    let at = Gathered::new(&v, tensors)?;
    let value = match value {
        Arg::Tensor(t) => Arg::Tensor(strip_ones(t, at.result_shape().len())?),
        number => number.clone(),
    };
    at.put_(&v, &value, false)
}

/// The view and its mask, if a number is written at a mask on the tensor's own device and at no other index. PyTorch then
/// fills, which needs no indices, and so it doesn't have to wait for them. With a graph, only Python's numbers are filled in.
fn masked(x: &Tensor, items: &[Index], value: &Arg) -> Result<Option<(Tensor, Tensor)>> {
    let is_number = match value {
        Arg::Tensor(t) => t.device().is_cpu() && t.numel() == 1 && t.dtype() == x.dtype() && !t.requires_grad(),
        Arg::Number(_) => true,
    };
    let at = items.iter().position(|item| matches!(item, Index::Tensor(t) if is_mask(t) && t.ndim() > 0));
    let plain = |items: &[Index]| items.iter().all(|i| matches!(i, Index::Int(_) | Index::Slice(..) | Index::None));
    let Some(at) = at.filter(|&at| is_number && plain(&items[..at]) && plain(&items[at + 1..])) else {
        return Ok(None);
    };
    let Index::Tensor(mask) = &items[at] else { return Ok(None) };
    let recorded = value.tensor().is_some() && autograd::needs_grad([x]);
    if mask.device() != x.device() || mask.device().is_meta() || recorded {
        return Ok(None);
    }
    // Each dimension of the mask is first selected completely.
    let whole = std::iter::repeat_n(Index::Slice(None, None, None), mask.ndim());
    let without: Vec<Index> = items[..at].iter().cloned().chain(whole).chain(items[at + 1..].iter().cloned()).collect();
    let (place, _) = resolve(x, &without)?;
    let dim = items[..at].iter().filter(|item| !matches!(item, Index::Int(_))).count();
    if place.shape().get(dim..dim + mask.ndim()) != Some(&mask.shape()[..]) {
        return Ok(None);
    }
    let mut mask = if mask.dtype() == DType::Bool { mask.detach() } else { ops::transfer::nonzero(mask)? };
    for _ in dim + mask.ndim()..place.ndim() {
        mask = view::unsqueeze(&mask, -1)?;
    }
    Ok(Some((place, mask)))
}

/// Drops leading dimensions of size 1 until the value has no more dimensions than the target.
fn strip_ones(t: &Tensor, ndim: usize) -> Result<Tensor> {
    let shape = t.shape();
    let extra = shape.iter().take(shape.len().saturating_sub(ndim)).take_while(|&&n| n == 1).count();
    if extra == 0 { Ok(t.clone()) } else { view::reshape_to(t, &shape[extra..]) }
}

fn fit_value(t: &Tensor, v: &Tensor) -> Result<Tensor> {
    let t = strip_ones(t, v.ndim())?;
    if t.shape() == v.shape() {
        return Ok(t);
    }
    let wanted: Vec<i64> = v.shape().iter().map(|&d| d as i64).collect();
    view::expand(&t, &wanted)
}

/// What [`resolve`] makes of the indices of `index_put`.
fn places(x: &Tensor, indices: &[Option<Tensor>]) -> Result<(Tensor, Vec<Option<Tensor>>)> {
    let items: Vec<Index> =
        indices.iter().map(|t| t.clone().map_or(Index::Slice(None, None, None), Index::Tensor)).collect();
    let taken: usize = items.iter().map(takes).sum();
    if taken > x.ndim() {
        return Err(Error::index(format!("too many indices for tensor of dimension {} (got {taken})", x.ndim())));
    }
    resolve(x, &items)
}

/// `x.index_put_(indices, value, accumulate)`. `None` selects an entire dimension.
pub(crate) fn index_put_(x: &Tensor, indices: &[Option<Tensor>], value: &Tensor, accumulate: bool) -> Result<()> {
    let (v, tensors) = places(x, indices)?;
    Gathered::new(&v, tensors)?.put_(&v, &value.into(), accumulate)
}

/// `x.index_put(indices, value, accumulate)`.
pub fn index_put(x: &Tensor, indices: &[Option<Tensor>], value: &Tensor, accumulate: bool) -> Result<Tensor> {
    let (v, tensors) = places(x, indices)?;
    Gathered::new(&v, tensors)?.put(&v, &value.into(), accumulate, rows::INDEX_PUT.node)
}
