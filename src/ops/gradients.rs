//! Where the graph and the operators meet: a backward pass begins here, with the operators that it computes with.

use smallvec::SmallVec;

use super::{create, elementwise, rows, transfer, view};
use crate::autograd::{self, Operators};
use crate::device::Device;
use crate::dtype::DType;
use crate::engine;
use crate::error::Result;
use crate::executor::BinaryOp;
use crate::shape::Dims;
use crate::tensor::Tensor;

static OPERATORS: Operators = Operators {
    add: super::add,
    add_to: elementwise::add_data,
    add_broadcast: |into, gradient| super::binary_(BinaryOp::Add, into, &gradient.into()),
    own_gradient: create::own_gradient,
    fill: create::fill_data,
    copy: transfer::copy_data,
    clone: create::clone,
    steady,
    laid_out: view::like_layout,
};

/// Reports that the gradients of a node vary on CUDA.
fn steady(node: &str, device: Device) -> Result<()> {
    let kernel = rows::nodes::VARY.iter().find(|(name, _)| *name == node).map(|(_, kernel)| *kernel);
    match kernel.filter(|_| device.is_cuda()) {
        Some(kernel) => engine::current().launches.alert_not_deterministic(kernel),
        None => Ok(()),
    }
}

/// `torch.autograd.backward`: see [`autograd::backward`].
///
/// # Errors
/// Those of [`autograd::backward`].
pub fn backward(roots: &[Tensor], seeds: &[Option<Tensor>], retain_graph: bool, create_graph: bool) -> Result<()> {
    autograd::backward(&OPERATORS, roots, seeds, retain_graph, create_graph)
}

/// `torch.autograd.grad`: see [`autograd::grad`].
///
/// # Errors
/// Those of [`autograd::grad`].
pub fn grad(
    roots: &[Tensor],
    inputs: &[Tensor],
    seeds: &[Option<Tensor>],
    retain_graph: bool,
    create_graph: bool,
    allow_unused: bool,
) -> Result<Vec<Option<Tensor>>> {
    autograd::grad(&OPERATORS, roots, inputs, seeds, retain_graph, create_graph, allow_unused)
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
