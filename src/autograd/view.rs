//! Views and in-place changes: how writing into a view changes the history of its base.
//!
//! A differentiable view remembers its base. Writing into it makes the base the result of `CopySlices`, and the view
//! (and every other view of that base) the result of `AsStridedBackward0` of the new base, made when next asked for.

use std::rc::Rc;

use smallvec::smallvec;

use super::node::{Edge, Gradients, Node, edge_of, raw};
use super::{is_grad_enabled, is_inference};
use crate::error::{Error, Result};
use crate::ops;
use crate::shape::Layout;
use crate::tensor::Tensor;

/// What a view is of.
#[derive(Clone)]
pub struct ViewOf {
    pub base: Tensor,
    /// The version at which `grad_fn` was right.
    pub version: u64,
}

/// Remembers that `view` shows part of `source`'s storage (directly, or through the base of `source`).
pub fn mark_view(view: &Tensor, source: &Tensor) {
    let base = source.meta().view.borrow().as_ref().map_or_else(|| source.clone(), |v| v.base.clone());
    drop(view.meta().view.replace(Some(ViewOf { base, version: view.version() })));
}

/// # Errors
/// In-place changes of leaves that require gradients, of views of such leaves, of inference tensors.
pub fn check_in_place(t: &Tensor) -> Result<()> {
    if t.is_inference() && !is_inference() {
        return Err(Error::runtime(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.",
        ));
    }
    if t.with_data(|_, layout| layout.shape.iter().zip(&layout.strides).any(|(&n, &step)| n > 1 && step == 0)) {
        return Err(Error::runtime(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.",
        ));
    }
    check_leaf(t)
}

/// Makes `t` the result of an operator that changed it and has no derivative: `derivative` is whose that would be.
///
/// # Errors
/// As [`super::node::record`].
pub fn cut(t: &Tensor, derivative: &'static str) -> Result<()> {
    // What it was a view of says nothing about it any more.
    drop(t.meta().view.take());
    super::node::record("NotImplemented", &[Some(t)], &[], &[t], move |_| {
        Err(Error::runtime(format!("derivative for {derivative} is not implemented")))
    })
}

/// # Errors
/// Changes of a leaf that requires a gradient, or of a view of one, whatever memory they are in.
pub fn check_leaf(t: &Tensor) -> Result<()> {
    if !is_grad_enabled() {
        return Ok(());
    }
    let of_leaf =
        t.meta().view.borrow().as_ref().is_some_and(|v| v.base.meta().requires_grad.get() && v.base.is_leaf());
    if of_leaf {
        return Err(Error::runtime(
            "a view of a leaf Variable that requires grad is being used in an in-place operation.",
        ));
    }
    if t.meta().requires_grad.get() && t.is_leaf() {
        return Err(Error::runtime("a leaf Variable that requires grad is being used in an in-place operation."));
    }
    Ok(())
}

/// # Errors
/// A tensor of which several elements are one place in memory, such as an expanded one, as the target of a write.
pub fn check_no_overlap(t: &Tensor) -> Result<()> {
    let overlaps = t.with_data(|_, l| l.shape.iter().zip(&l.strides).any(|(&size, &stride)| size > 1 && stride == 0));
    if overlaps && t.numel() > 0 {
        return Err(Error::runtime(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.",
        ));
    }
    Ok(())
}

/// Makes `node` the history of `target` after an in-place change.
pub(super) fn rebase(target: &Tensor, node: Rc<Node>) -> Result<()> {
    let view = target.meta().view.borrow().clone();
    let Some(ViewOf { base, .. }) = view else {
        drop(target.meta().grad_fn.replace(Some(node)));
        target.meta().output.set(0);
        return Ok(());
    };
    let (base_layout, layout) = (base.layout(), target.layout());
    let mut next = smallvec![edge_of(&base)];
    next.extend(node.next.borrow().iter().skip(1).cloned());
    let place = within(&base_layout, &layout);
    let inner = node.clone();
    let copy_slices = raw("CopySlices", next, move |ctx| {
        // The gradient laid out as the base is, so that the view's strides address it.
        let whole = ops::view::like_layout(ctx.grad(), &base_layout)?;
        let part = whole.alias(place.clone()?);
        let mut grads = inner.run(&[Some(ops::create::clone(&part)?)])?;
        match grads.first().cloned().flatten() {
            Some(g) => ops::transfer::copy_data(&part, &g)?,
            None => ops::create::fill_data(&part, 0.0.into())?,
        }
        if let Some(first) = grads.first_mut() {
            *first = Some(whole);
        }
        Ok(grads)
    });
    drop(base.meta().grad_fn.replace(Some(copy_slices)));
    base.meta().output.set(0);
    regenerate(target, &base);
    Ok(())
}

/// Where a view lies in its base's memory. Not in it, if one of the two was given other data since.
fn within(base: &Layout, view: &Layout) -> Result<Layout> {
    match view.offset.checked_sub(base.offset) {
        Some(offset) if view.numel() == 0 || view.end() <= base.end() => Ok(Layout { offset, ..view.clone() }),
        _ => Err(Error::runtime("a view whose data was replaced has no gradient in what it was a view of")),
    }
}

/// Brings the history of a view up to date with its base.
pub fn view_grad_fn(t: &Tensor) {
    let base = match &*t.meta().view.borrow() {
        Some(v) if v.version != t.version() => v.base.clone(),
        _ => return,
    };
    regenerate(t, &base);
}

fn regenerate(view: &Tensor, base: &Tensor) {
    if let Some(v) = view.meta().view.borrow_mut().as_mut() {
        v.version = view.version();
    }
    let Some(node) = base.meta().grad_fn.borrow().clone() else { return };
    let edge = Edge { node, slot: base.meta().output.get() };
    let (base_layout, layout) = (base.layout(), view.layout());
    let place = within(&base_layout, &layout);
    let (device, dtype) = (base.device(), base.dtype());
    let made = raw("AsStridedBackward0", smallvec![Some(edge)], move |ctx| {
        let whole = Tensor::empty_with(Layout { offset: 0, ..base_layout.clone() }, dtype, device, false)?;
        ops::create::fill_data(&whole, 0.0.into())?;
        let part = whole.alias(place.clone()?);
        ops::transfer::copy_data(&part, ctx.grad())?;
        Ok(Gradients::from_iter([Some(whole)]))
    });
    drop(view.meta().grad_fn.replace(Some(made)));
    view.meta().output.set(0);
}
