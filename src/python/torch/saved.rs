//! `grad_fn._saved_self` and the like: what an operator saved, under the names of PyTorch's derivatives.yaml.
//!
//! Only tensors are here. Numbers such as a dimension are part of a node's function, where nobody can ask for them.

use std::rc::Rc;

use rustpython_vm::{Py, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::binding::{F, Row};
use super::convert;
use super::error::{OrRaise, with_vm};
use super::tensor::{tensor_of, wrap};
use crate::autograd::{self, Node};
use crate::tensor::Tensor;

/// The names of what nodes save, in the order in which they save it here.
#[rustfmt::skip]
const NAMES: &[(&[&str], &[&str])] = &[
    (&["self"], &[
        "AbsBackward0", "AcosBackward0", "AcoshBackward0", "AsinBackward0", "AsinhBackward0", "AtanBackward0", "AtanhBackward0",
        "CosBackward0", "CoshBackward0", "DigammaBackward0", "EluBackward0", "ErfBackward0", "ErfcBackward0", "GeluBackward0",
        "HardsigmoidBackward0", "HardswishBackward0", "HardtanhBackward0", "LeakyReluBackward0", "LgammaBackward0", "Log10Backward0",
        "Log1PBackward0", "Log2Backward0", "LogBackward0", "MishBackward0", "PowBackward0", "ProdBackward0", "SiluBackward0", "SinBackward0",
        "SinhBackward0", "SoftplusBackward0", "VarBackward0",
    ]),
    (&["result"], &[
        "ErfinvBackward0", "Exp2Backward0", "ExpBackward0", "Expm1Backward0", "LogSoftmaxBackward0", "ReciprocalBackward0",
        "ReluBackward0", "RsqrtBackward0", "SigmoidBackward0", "SoftmaxBackward0", "SqrtBackward0", "TanBackward0", "TanhBackward0",
    ]),
    (&["self", "result"], &["LinalgVectorNormBackward0", "StdBackward0"]),
    (&["self", "other"], &[
        "Atan2Backward0", "DivBackward0", "MaximumBackward0", "MinimumBackward0", "MulBackward0",
    ]),
    (&["self", "exponent"], &["PowBackward1"]),
    (&["self", "mat2"], &["BmmBackward0", "MmBackward0"]),
    (&["self", "tensor"], &["DotBackward0"]),
    (&["self", "vec"], &["MvBackward0"]),
    (&["mat1", "mat2"], &["AddmmBackward0"]),
    (&["self", "target"], &["MseLossBackward0", "SmoothL1LossBackward0", "HuberLossBackward0"]),
    (&["input", "weight"], &["ConvolutionBackward0"]),
    (&["input", "result1", "result2", "weight"], &["NativeLayerNormBackward0"]),
    (&["indices"], &["EmbeddingBackward0", "MaxBackward0", "MinBackward0", "SortBackward0", "TopkBackward0"]),
    (&["index"], &["GatherBackward0", "IndexSelectBackward0"]),
    (&["condition"], &["WhereBackward0"]),
    (&["mask"], &["MaskedFillBackward0", "MaskedFillBackward1"]),
    (&["result1"], &["MaxPool2DWithIndicesBackward0"]),
    (&["inverse"], &["LinalgInvExBackward0"]),
];

/// The names of a node's tensors.
fn of(node: &Node) -> &'static [&'static str] {
    NAMES.iter().find(|(_, nodes)| nodes.contains(&node.name.as_ref())).map_or(&[], |(names, _)| names)
}

/// Where a node has the tensor of this name; `None` if it didn't need that one.
fn place(node: &Node, name: &str) -> Option<Option<usize>> {
    let names = of(node);
    let number = names.iter().position(|known| *known == name)?;
    // A product saves a factor only for the other one's gradient. The second of two inputs is the last of all.
    let first_is_missing =
        names.len() == 2 && node.saves() < 2 && node.next.borrow().last().is_none_or(Option::is_none);
    Some(if first_is_missing { number.checked_sub(1) } else { Some(number) })
}

/// The attributes `_saved_…` of a node.
pub(super) fn names(node: &Node) -> impl Iterator<Item = String> {
    of(node).iter().flat_map(|name| [format!("_raw_saved_{name}"), format!("_saved_{name}")])
}

/// The value of an attribute of a node that begins with `_saved_` or `_raw_saved_`, if the node has it.
///
/// # Errors
/// The tensor has been overwritten or released.
pub(super) fn attribute(node: &Rc<Node>, name: &str, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    let (raw, name) = match (name.strip_prefix("_saved_"), name.strip_prefix("_raw_saved_")) {
        (Some(name), _) => (false, name),
        (_, Some(name)) => (true, name),
        _ => return Ok(None),
    };
    let Some(number) = place(node, name) else { return Ok(None) };
    if raw {
        return Ok(Some(PySaved { node: node.clone(), number }.into_ref(&vm.ctx).into()));
    }
    let t = node.unpack_number(number).or_raise(vm)?;
    Ok(Some(t.map_or_else(|| vm.ctx.none(), |t| wrap(t, vm))))
}

/// A tensor in a node, as it was saved.
#[pyclass(module = "torch._C._autograd", name = "SavedTensor")]
#[derive(PyPayload)]
pub(super) struct PySaved {
    node: Rc<Node>,
    number: Option<usize>,
}

impl std::fmt::Debug for PySaved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "saved tensor {:?} of {}", self.number, self.node.name)
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl PySaved {
    /// The saved tensor.
    #[pygetset]
    fn data(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let t = zelf.node.unpack_number(zelf.number).or_raise(vm)?;
        Ok(t.map_or_else(|| vm.ctx.none(), |t| wrap(t, vm)))
    }

    /// Keeps `pack(tensor)` instead of the tensor, and `unpack` of that is the tensor.
    #[pymethod]
    fn register_hooks(zelf: &Py<Self>, pack: PyObjectRef, unpack: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        zelf.node.pack_number(zelf.number, &packing(pack, unpack)).or_raise(vm)
    }
}

/// `_push_saved_hooks(pack, unpack)`.
fn push_saved_hooks(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["pack", "unpack"], 2)?;
    let (Some(pack), Some(unpack)) = (a.get(0).cloned(), a.get(1).cloned()) else { return Ok(vm.ctx.none()) };
    autograd::push_saved_hook(packing(pack, unpack));
    Ok(vm.ctx.none())
}

/// Python callables as a pair of hooks for saved tensors.
fn packing(pack: PyObjectRef, unpack: PyObjectRef) -> autograd::Pack {
    Rc::new(move |t: &Tensor| {
        let packed = with_vm(|vm| pack.call((wrap(t.clone(), vm),), vm))?;
        let unpack = unpack.clone();
        let bring: autograd::Unpack = Rc::new(move || {
            with_vm(|vm| {
                let back = unpack.call((packed.clone(),), vm)?;
                tensor_of(&back).cloned().ok_or_else(|| {
                    vm.new_type_error(format!(
                        "Output of saved tensor unpack_hook expected to be a Tensor but got result of type {}",
                        convert::type_name(&back)
                    ))
                })
            })
        });
        Ok(bring)
    })
}

fn pop_saved_hooks(call: Call<'_>) -> PyResult {
    autograd::pop_saved_hook();
    Ok(call.vm.ctx.none())
}

pub(super) const ROWS: &[&[Row]] =
    &[&[("_push_saved_hooks", F, push_saved_hooks), ("_pop_saved_hooks", F, pop_saved_hooks)]];
