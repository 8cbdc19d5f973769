//! Where the graph and the operators meet: a backward pass begins here, with the operators that it computes with.

use std::cell::Cell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::{create, elementwise, rows, transfer, view};
use crate::autograd::{self, Gradients, Node, Operators, Pass};
use crate::device::Device;
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, ReduceOp, UnaryOp};
use crate::shape::Dims;
use crate::tensor::Tensor;
use crate::tensor::parts::{Kind, Parts};
use crate::trace::Why;

static OPERATORS: Operators = Operators {
    add: |a, b| if have_parts(a, b) { with_parts(a, b, false) } else { super::add(a, b) },
    add_to: |into, gradient| {
        if have_parts(into, gradient) {
            return with_parts(into, gradient, true).map(|sum| replace(into, &sum));
        }
        elementwise::add_data(into, gradient)
    },
    add_broadcast: |into, gradient| super::binary_(BinaryOp::Add, into, &gradient.into()),
    own_gradient: |g, leaf| if g.has_parts() { own_parts(g) } else { create::own_gradient(g, leaf) },
    fill: create::fill_data,
    copy: transfer::copy_data,
    clone: |t| if t.has_parts() { Ok(t.detach()) } else { create::clone(t) },
    steady,
    laid_out: view::like_layout,
    part: view::part,
    write: |into, t| transfer::copy_(into, t, false),
    has_nan,
};

/// Adds two gradients of which at least one consists of parts; the last argument says whether to write into the first.
pub(super) type AddParts = fn(&Tensor, &Tensor, bool) -> Result<Tensor>;

thread_local! {
    /// Set by the layer that makes such tensors.
    static ADD_PARTS: Cell<Option<AddParts>> = const { Cell::new(None) };
}

/// Sets how to add gradients that consist of parts.
pub fn set_add_parts(add: AddParts) {
    ADD_PARTS.set(Some(add));
}

fn have_parts(a: &Tensor, b: &Tensor) -> bool {
    a.has_parts() || b.has_parts()
}

fn with_parts(a: &Tensor, b: &Tensor, in_place: bool) -> Result<Tensor> {
    match ADD_PARTS.get() {
        Some(add) => add(a, b, in_place),
        None => Err(Error::not_implemented("adding sparse gradients")),
    }
}

/// A gradient of parts that nothing else will write to. PyTorch takes it over if nothing else holds the parts, and forgets that
/// a COO tensor is coalesced when it does; otherwise it copies them.
fn own_parts(g: &Tensor) -> Result<Tensor> {
    let Some(parts) = g.parts() else { return Ok(g.clone()) };
    let only = parts.all().all(Tensor::is_unshared);
    let part = |t: &Tensor| if only { Ok(t.clone()) } else { create::clone(t) };
    let coalesced = parts.coalesced.get()
        && !(only && parts.kind == Kind::Coo && parts.values.shape().first().is_some_and(|&n| n > 1));
    let own = Parts {
        kind: parts.kind,
        places: parts.places.iter().map(part).collect::<Result<_>>()?,
        values: part(&parts.values)?,
        coalesced: Cell::new(coalesced),
    };
    Tensor::of_parts(&g.shape(), own)
}

/// The gradient in `.grad` is now `sum`, unless it was changed in place.
fn replace(old: &Tensor, sum: &Tensor) {
    if !old.is_same(sum) {
        old.set_data(sum);
        old.bump_version();
    }
}

/// Whether an element is NaN. On `meta` there are no elements.
fn has_nan(t: &Tensor) -> Result<bool> {
    if let Some(parts) = t.parts() {
        return has_nan(&parts.values);
    }
    if !t.dtype().is_inexact() || t.device().is_meta() {
        return Ok(false);
    }
    let found = super::reduce::logical(&super::unary(UnaryOp::IsNan, t)?, ReduceOp::Any, &[], false)?;
    Ok(transfer::item(&found, Why::Item)?.as_bool())
}

/// Reports that the gradients of a node vary on CUDA.
fn steady(node: &str, device: Device) -> Result<()> {
    let kernel = rows::nodes::VARY.iter().find(|(name, _)| *name == node).map(|(_, kernel)| *kernel);
    match kernel.filter(|_| device.is_cuda()) {
        Some(kernel) => engine::current().launches.alert_not_deterministic(kernel),
        None => Ok(()),
    }
}

/// See [`Pass::to_leaves`].
///
/// # Errors
/// Those of [`Pass::to_leaves`].
pub fn backward(pass: Pass<'_>) -> Result<()> {
    pass.to_leaves(&OPERATORS)
}

/// See [`Node::called`].
///
/// # Errors
/// Those of [`Node::called`].
pub fn call_node(node: &Rc<Node>, grads: &[Option<Tensor>]) -> Result<Gradients> {
    node.called(grads, &OPERATORS)
}

/// See [`Pass::to_inputs`].
///
/// # Errors
/// Those of [`Pass::to_inputs`].
pub fn backward_into(pass: Pass<'_>, inputs: &[Tensor]) -> Result<()> {
    pass.to_inputs(inputs, &OPERATORS)
}

/// See [`Pass::returned`].
///
/// # Errors
/// Those of [`Pass::returned`].
pub fn grad(pass: Pass<'_>, inputs: &[Tensor], allow_unused: bool) -> Result<Vec<Option<Tensor>>> {
    pass.returned(inputs, allow_unused, &OPERATORS)
}

/// Records an operator whose result doesn't depend on its inputs' values: they get gradients of zero.
///
/// # Errors
/// Those of [`autograd::record`].
pub fn record_zero(name: &'static str, inputs: &[&Tensor], out: &Tensor) -> Result<()> {
    if !out.dtype().is_inexact() || !autograd::needs_grad(inputs.iter().copied()) {
        return Ok(());
    }
    let places: SmallVec<[(Dims, DType, Device); 2]> =
        inputs.iter().map(|t| (t.shape(), t.dtype(), t.device())).collect();
    let inputs: SmallVec<[Option<&Tensor>; 2]> = inputs.iter().map(|t| Some(*t)).collect();
    autograd::record(name, &inputs, &[], &[out], move |ctx| {
        let zeros = |(i, (shape, dtype, device)): (usize, &(Dims, DType, Device))| {
            ctx.needs(i).then(|| create::zeros(shape, *dtype, *device)).transpose()
        };
        places.iter().enumerate().map(zeros).collect()
    })
}
