//! Views and in-place changes: how writing into a view changes the history of its base.
//!
//! A differentiable view remembers its base. Writing into it makes the base the result of `CopySlices`, and the view
//! (and every other view of that base) the result of `AsStridedBackward0` of the new base. That node is made when it's
//! next needed.

use std::rc::Rc;

use smallvec::smallvec;

use super::node::{CONSTANT, edge_of, raw};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::shape::Layout;
use crate::tensor::Tensor;
use crate::tensor::modes::{is_grad_enabled, is_inference};
use crate::tensor::node::{Edge, Gradients, Made, Node, Operators, ViewOf};

/// Remembers that `view` shows part of `source`'s storage (directly, or through the base of `source`).
pub fn mark_view(view: &Tensor, source: &Tensor) {
    let base = source.meta().view.borrow().as_ref().map_or_else(|| source.clone(), |v| v.base.clone());
    let before = source.meta().view.borrow().as_ref().map_or(Made::Usually, |of| of.made);
    let made = match (is_inference(), is_grad_enabled()) {
        (true, _) => Made::InInferenceMode,
        (false, false) => Made::WithoutGrad,
        (false, true) => before,
    };
    drop(view.meta().view.replace(Some(ViewOf { base, version: view.version(), made })));
}

/// Remembers that an operator returned several views, and `view` as the one with this number.
pub fn mark_one_of_many(view: &Tensor, number: usize) {
    if is_grad_enabled() && !is_inference() {
        mark_made(view, Made::OneOfMany(number));
    }
}

/// Remembers how a tensor was made, if it's a view.
pub fn mark_made(view: &Tensor, made: Made) {
    if let Some(of) = view.meta().view.borrow_mut().as_mut() {
        of.made = made;
    }
}

/// # Errors
/// A recorded change of a view whose history doesn't allow it. `indirectly` if the change was of its base.
pub(super) fn check_made(t: &Tensor, indirectly: bool) -> Result<()> {
    let Some(made) = t.meta().view.borrow().as_ref().map(|of| of.made).filter(|made| *made != Made::Usually) else {
        return Ok(());
    };
    let node = t.meta().grad_fn.borrow().clone();
    let output = match made {
        Made::OneOfMany(number) => number,
        _ => t.meta().output.get(),
    };
    // Without the number that tells apart the nodes of one operator.
    let from = node.map(|node| {
        let name = node.name.trim_end_matches(|c: char| c.is_ascii_digit());
        format!("Output {output} of {}", name.strip_suffix("Backward").unwrap_or(&node.name))
    });
    let changed = if indirectly { "its base or another view of its base has been" } else { "is being" };
    let begin = match (&from, made) {
        (Some(from), Made::OneOfMany(_) | Made::InFunction) => {
            format!("{from} is a view and {changed} modified inplace.")
        }
        (from, made) => {
            let from =
                from.as_ref().map_or_else(|| "A view".into(), |from| format!("{from} is a view of a view which"));
            match made {
                Made::InInferenceMode => {
                    format!("{from} was created in inference mode and {changed} modified inplace in normal mode.")
                }
                _ => {
                    format!("{from} was created in no_grad mode and {changed} modified inplace with grad mode enabled.")
                }
            }
        }
    };
    let ambiguous = |mode: &str| {
        format!(
            "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the {mode} block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
        )
    };
    let end = match made {
        Made::OneOfMany(_) => "This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.".into(),
        Made::InFunction => "This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function.".into(),
        Made::InInferenceMode => ambiguous("inference_mode"),
        _ => ambiguous("no_grad"),
    };
    Err(Error::runtime(format!("{begin} {end}")))
}

/// # Errors
/// A view whose base was changed in place, if its history doesn't allow that.
pub fn check_history(t: &Tensor) -> Result<()> {
    let is_stale =
        t.meta().view.borrow().as_ref().is_some_and(|of| of.version != t.version() && of.base.requires_grad());
    if is_stale { check_made(t, true) } else { Ok(()) }
}

/// # Errors
/// An in-place change of a leaf that requires gradients, of a view of such a leaf, or of an inference tensor.
pub fn check_in_place(t: &Tensor) -> Result<()> {
    check_filled(t)?;
    check_no_overlap(t)
}

/// [`check_in_place`] for functions that write the same number everywhere: elements that share memory don't disturb them.
///
/// # Errors
/// Those of [`check_in_place`], apart from shared memory.
pub fn check_filled(t: &Tensor) -> Result<()> {
    check_inference(t)?;
    check_leaf(t)
}

fn check_inference(t: &Tensor) -> Result<()> {
    if t.is_inference() && !is_inference() {
        return Err(Error::runtime(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.",
        ));
    }
    Ok(())
}

/// Makes `t` the result of an operator that changed it and has no derivative. `derivative` is the name of the missing
/// derivative.
///
/// # Errors
/// Those of [`super::node::record`].
pub fn cut(t: &Tensor, derivative: &'static str) -> Result<()> {
    // The tensor isn't a differentiable view any more.
    drop(t.meta().view.take());
    super::node::record("NotImplemented", &[Some(t)], &[], &[t], move |_| {
        Err(Error::runtime(format!("derivative for {derivative} is not implemented")))
    })
}

/// # Errors
/// A change of a leaf that requires a gradient, or of a view of one, whatever memory they're in.
pub fn check_leaf(t: &Tensor) -> Result<()> {
    if !is_grad_enabled() {
        return Ok(());
    }
    if !t.requires_grad() {
        return Ok(());
    }
    check_made(t, false)?;
    if t.meta().view.borrow().as_ref().is_some_and(|of| of.base.is_leaf()) {
        return Err(Error::runtime(
            "a view of a leaf Variable that requires grad is being used in an in-place operation.",
        ));
    }
    if t.is_leaf() {
        return Err(Error::runtime("a leaf Variable that requires grad is being used in an in-place operation."));
    }
    Ok(())
}

/// # Errors
/// A write to a tensor in which several elements share one place in memory, such as an expanded one.
pub fn check_no_overlap(t: &Tensor) -> Result<()> {
    let overlaps = t.with_data(|_, l| l.shape.iter().zip(&l.strides).any(|(&size, &stride)| size > 1 && stride == 0));
    if overlaps && t.numel() > 0 {
        return Err(Error::runtime(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.",
        ));
    }
    Ok(())
}

/// Gives `t` the place of `of` in the graph: a result of `t` then counts as a result of `of`.
pub fn stand_in(t: &Tensor, of: &Tensor) {
    *t.meta().grad_fn.borrow_mut() = of.grad_fn();
    t.meta().output.set(of.meta().output.get());
}

/// Gives `target` the history of `result`, which an operator with `target` as its first input has written to the target's
/// memory. The version has already been increased.
///
/// # Errors
/// Those of making nodes.
pub fn adopt(target: &Tensor, result: &Tensor) -> Result<()> {
    let own = target.grad_fn();
    match result.grad_fn() {
        // An operator that had nothing to do returned its input.
        Some(node) if !own.is_some_and(|own| Rc::ptr_eq(&own, &node)) => {
            node.written(target.version());
            rebase(target, node)
        }
        _ => Ok(()),
    }
}

/// What the nodes of view functions are called after their in-place forms, such as `t.squeeze_()`.
const IN_PLACE: [(&str, &str); 6] = [
    ("SqueezeBackward0", "SqueezeBackward3"),
    ("SqueezeBackward1", "SqueezeBackward4"),
    ("SqueezeBackward2", "SqueezeBackward5"),
    ("TBackward0", "TBackward1"),
    ("TransposeBackward0", "TransposeBackward1"),
    ("UnsqueezeBackward0", "UnsqueezeBackward1"),
];

/// `t.t_()` and the like: the tensor itself becomes the view that `f` makes of it.
///
/// # Errors
/// Leaves that require gradients, views of such leaves, inference tensors; errors of `f`.
pub fn become_view(t: &Tensor, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<()> {
    check_inference(t)?;
    check_leaf(t)?;
    let before = t.detach();
    stand_in(&before, t);
    let view = f(&before)?;
    t.set_data(&view);
    t.bump_version();
    let mut history = view.meta().grad_fn.take();
    // Nobody else has seen the node yet.
    if let Some(node) = history.as_mut().and_then(Rc::get_mut)
        && let Some((_, name)) = IN_PLACE.iter().find(|(name, _)| node.name == *name)
    {
        node.name = (*name).into();
    }
    *t.meta().grad_fn.borrow_mut() = history;
    t.meta().output.set(view.meta().output.get());
    if let Some(of) = t.meta().view.borrow_mut().as_mut() {
        of.version = t.version();
    }
    Ok(())
}

/// Makes `node` the history of `target` after an in-place change.
///
/// # Errors
/// Those of [`check_made`]: what requires a gradient may be the other operand.
pub(super) fn rebase(target: &Tensor, node: Rc<Node>) -> Result<()> {
    check_made(target, false)?;
    let view = target.meta().view.borrow().clone();
    let Some(ViewOf { base, .. }) = view else {
        drop(target.meta().grad_fn.replace(Some(node)));
        target.meta().output.set(0);
        return Ok(());
    };
    let (base_layout, base_dtype) = (base.layout(), base.dtype());
    let (layout, dtype, flipped) = (target.layout(), target.dtype(), target.is_flipped());
    let mut next = smallvec![edge_of(&base)];
    next.extend(node.next.borrow().iter().skip(1).cloned());
    let inner = node.clone();
    let copy_slices = raw("CopySlices", next, move |ctx| {
        // The gradient with the layout of the base, so that the view's strides address it.
        let whole = if is_grad_enabled() {
            let place = Layout { offset: 0, ..base_layout.clone() };
            let whole = Tensor::empty_with(place, ctx.grad().dtype(), ctx.grad().device(), false)?;
            (ctx.operators.write)(&whole, ctx.grad())?;
            whole
        } else {
            (ctx.operators.laid_out)(ctx.grad(), &base_layout)?
        };
        let view = Shown { layout: &layout, dtype, flipped };
        let part = part_of(&whole, (&base_layout, base_dtype), view, ctx.operators)?;
        let own = (ctx.operators.clone)(&part)?;
        let mut grads = inner.run(&[Some(own)], ctx.operators)?;
        match grads.first().cloned().flatten() {
            Some(g) => write(&part, &g, ctx.operators)?,
            None if !is_grad_enabled() => (ctx.operators.fill)(&part, 0.0.into())?,
            None => {
                let zeros = (ctx.operators.clone)(&part.detach())?;
                (ctx.operators.fill)(&zeros, 0.0.into())?;
                write(&part, &zeros, ctx.operators)?;
            }
        }
        if let Some(first) = grads.first_mut() {
            *first = Some(whole);
        }
        Ok(grads)
    });
    // The node that it wraps counts as saved.
    copy_slices.saved.borrow_mut().push(CONSTANT);
    drop(base.meta().grad_fn.replace(Some(copy_slices)));
    base.meta().output.set(0);
    regenerate(target, &base);
    Ok(())
}

/// Copies `g` into the part of a gradient. The copy is recorded if gradients of gradients are wanted.
fn write(part: &Tensor, g: &Tensor, operators: &Operators) -> Result<()> {
    if is_grad_enabled() { (operators.write)(part, g) } else { (operators.copy)(part, g) }
}

/// What a view shows of its base.
struct Shown<'a> {
    layout: &'a Layout,
    dtype: DType,
    flipped: bool,
}

/// The part of `whole` that a view shows. `whole` has the layout of the view's base, but begins at 0. The view of a complex
/// base may be real, or the opposite; then its elements have another size. It's a view in the graph if gradients of gradients
/// are wanted.
///
/// # Errors
/// The view isn't in its base's memory, because the data of one of them was replaced.
fn part_of(whole: &Tensor, base: (&Layout, DType), view: Shown<'_>, operators: &Operators) -> Result<Tensor> {
    let Shown { layout, dtype, flipped } = view;
    let begin = base.0.offset * base.1.size() / dtype.size();
    let end = |(layout, dtype): (&Layout, DType)| layout.end().map(|end| end * dtype.size());
    let last = end((layout, dtype));
    let inside = layout.numel() == 0 || last.is_some_and(|last| end(base).is_some_and(|whole| last <= whole));
    let Some(offset) = layout.offset.checked_sub(begin).filter(|_| inside) else {
        return Err(Error::runtime("a view whose data was replaced has no gradient in what it was a view of"));
    };
    let layout = Layout { offset, ..layout.clone() };
    if is_grad_enabled() {
        return (operators.part)(whole, dtype, &layout, flipped);
    }
    let part = if base.1 == dtype { whole.alias(layout) } else { whole.alias_as(dtype, layout) };
    Ok(if flipped { part.flip() } else { part })
}

/// Brings the history of a view up to date with its base.
pub fn view_grad_fn(t: &Tensor) {
    let base = match &*t.meta().view.borrow() {
        Some(v) if v.version != t.version() && v.made == Made::Usually => v.base.clone(),
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
    let (device, dtype, own, flipped) = (base.device(), base.dtype(), view.dtype(), view.is_flipped());
    let is_conjugate = flipped != base.is_flipped() && layout == base_layout && own == dtype;
    let name = if is_conjugate { "ConjBackward0" } else { "AsStridedBackward0" };
    let made = raw(name, smallvec![Some(edge)], move |ctx| {
        let whole = Tensor::empty_with(Layout { offset: 0, ..base_layout.clone() }, dtype, device, false)?;
        (ctx.operators.fill)(&whole, 0.0.into())?;
        let view = Shown { layout: &layout, dtype: own, flipped };
        let part = part_of(&whole, (&base_layout, dtype), view, ctx.operators)?;
        write(&part, ctx.grad(), ctx.operators)?;
        Ok(Gradients::from_iter([Some(whole)]))
    });
    drop(view.meta().grad_fn.replace(Some(made)));
    view.meta().output.set(0);
}
