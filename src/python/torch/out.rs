//! `out=`: writes a function's result into a given tensor.
//!
//! The function computes as usual, and its result is in `out`'s memory if that fits ([`destination`]). Otherwise it's copied,
//! and for a moment there is memory for both.
//!
//! Source of rules and texts: aten/src/ATen/native/Resize.cpp, TensorIterator.cpp and MemoryOverlap.cpp, and
//! torch/csrc/autograd/VariableTypeUtils.h in PyTorch 2.15.

use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

use super::convert::{self, type_name};
use super::error::{OrRaise, raise};
use super::tensor::tensor_of;
use crate::autograd;
use crate::error::{Error, Result};
use crate::ops::rows::{History, Operator, Out, SameDevice};
use crate::ops::{create, transfer};
use crate::tensor::Tensor;
use crate::tensor::destination::{self, Place, Reads};

/// How `out=` affects the graph. An operator without a row behaves like most others.
fn history(operator: Option<&Operator>) -> History {
    operator.map_or(History::Refused, |o| o.history)
}

/// Checks whether every tensor among a call's arguments may be written to `out`, before anything is computed.
pub(super) fn check(
    name: &str,
    operator: Option<&Operator>,
    out: &PyObjectRef,
    given: &[PyObjectRef],
    vm: &VirtualMachine,
) -> PyResult<()> {
    let outs = convert::sequence(out).unwrap_or_else(|| vec![out.clone()]);
    let inputs = tensors(given);
    for out in &outs {
        let Some(out) = tensor_of(out) else {
            return Err(vm.new_type_error(format!("{name}(): argument 'out' must be Tensor, not {}", type_name(out))));
        };
        let Some(first) = inputs.first() else {
            made(name, out).map_err(|e| raise(e, vm))?;
            continue;
        };
        on_same_device(name, operator, out, first).map_err(|e| raise(e, vm))?;
        autograd::check_no_overlap(out).or_raise(vm)?;
        for t in inputs.iter().filter(|t| !t.is_same(out)) {
            transfer::check_overlap(out, t).or_raise(vm)?;
        }
        let recorded = autograd::needs_grad(inputs.iter().chain([out]));
        if recorded && history(operator) == History::Refused {
            let name = operator.map_or(name, |o| o.worker());
            return Err(vm.new_runtime_error(format!(
                "{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
            )));
        }
    }
    Ok(())
}

/// The tensors among arguments, and those in lists among them.
fn tensors(given: &[PyObjectRef]) -> Vec<Tensor> {
    let mut all = Vec::new();
    for object in given {
        match tensor_of(object) {
            Some(t) => all.push(t.clone()),
            None => {
                all.extend(convert::sequence(object).unwrap_or_default().iter().filter_map(|o| tensor_of(o).cloned()))
            }
        }
    }
    all
}

/// Whether an argument has no tensor's memory apart from what [`tensors`] finds. NumPy's arrays do, for example.
fn is_plain(object: &PyObjectRef) -> bool {
    let plain = |o: &PyObjectRef| {
        let class = o.class();
        let numbers = ["int", "float", "bool", "complex", "str", "NoneType", "dtype", "device", "Generator"];
        tensor_of(o).is_some() || numbers.contains(&&*class.name())
    };
    convert::sequence(object).map_or_else(|| plain(object), |items| items.iter().all(plain))
}

/// The memory of `out`, for a function to write its results there. `one_kernel` is a function that reads each element before it
/// writes it. Nothing, if a result would be written over something that's still needed.
pub(super) fn places(one_kernel: bool, out: &PyObjectRef, given: &[PyObjectRef], vm: &VirtualMachine) -> Vec<Place> {
    if vm.is_none(out) || !given.iter().all(is_plain) {
        return Vec::new();
    }
    let outs = tensors(std::slice::from_ref(out));
    let inputs = tensors(given);
    let shared = |a: &Tensor, b: &Tensor| a.storage().same(&b.storage());
    let apart = outs.iter().enumerate().all(|(i, a)| outs[..i].iter().all(|b| !shared(a, b)));
    let ready = outs.iter().all(|t| t.is_inference() == autograd::is_inference());
    if !apart || !ready || autograd::needs_grad(inputs.iter().chain(&outs)) {
        return Vec::new();
    }
    let place = |out: &Tensor| {
        let read: Vec<&Tensor> = inputs.iter().filter(|t| shared(t, out)).collect();
        match one_kernel && read.iter().all(|t| destination::is_in(t, out)) {
            _ if read.is_empty() => Some((out.clone(), Reads::Nothing)),
            true => Some((out.clone(), Reads::Alike)),
            false => None,
        }
    };
    outs.iter().filter_map(place).collect()
}

/// The checks of a factory function for its `out`.
fn made(name: &str, out: &Tensor) -> Result<()> {
    autograd::check_no_overlap(out)?;
    if !autograd::needs_grad([out]) {
        return Ok(());
    }
    Err(Error::runtime(match name {
        "empty" | "randn" => "cannot resize variables that require grad".to_string(),
        _ if out.is_leaf() => format!(
            "aten::{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
        ),
        _ => return Ok(()),
    }))
}

/// Elementwise functions determine a common device. The wrappers of others compare each argument with `out`, which comes
/// first.
fn on_same_device(name: &str, operator: Option<&Operator>, out: &Tensor, first: &Tensor) -> Result<()> {
    let (here, there) = (out.device(), first.device());
    if here == there || (there.is_cpu() && first.ndim() == 0) {
        return Ok(());
    }
    let elementwise = operator.is_some_and(|o| o.rule == SameDevice::Elementwise);
    Err(Error::runtime(if elementwise {
        let (a, b) = if there.is_cpu() { (here, there) } else { (there, here) };
        format!("Expected all tensors to be on the same device, but found at least two devices, {a} and {b}!")
    } else {
        format!(
            "Expected all tensors to be on the same device, but got self is on {there}, different from other tensors on {here} (when checking argument in method wrapper_CUDA_{name}_out_out)"
        )
    }))
}

/// Writes a result, one tensor or several, into `out`, and returns `out`. `placed` says whether it had [`places`].
pub(super) fn store(
    name: &str,
    operator: Option<&Operator>,
    result: PyObjectRef,
    out: PyObjectRef,
    placed: bool,
    vm: &VirtualMachine,
) -> PyResult {
    let (results, outs) = match (convert::sequence(&result), convert::sequence(&out)) {
        (Some(results), Some(outs)) if results.len() == outs.len() => (results, outs),
        (None, None) => {
            let placed: &[PyObjectRef] = if placed { std::slice::from_ref(&out) } else { &[] };
            let held = held(&result, &out, placed).or_raise(vm)?;
            drop(result);
            one(name, operator, held, &out, vm)?;
            return Ok(out);
        }
        (wanted, _) => {
            let wanted = if wanted.is_some() { "tuple of Tensors" } else { "Tensor" };
            let got = type_name(&out);
            return Err(vm.new_type_error(format!("{name}(): argument 'out' must be {wanted}, not {got}")));
        }
    };
    let placed: &[PyObjectRef] = if placed { &outs } else { &[] };
    let made = results.iter().zip(&outs).map(|(result, out)| held(result, out, placed)).collect::<Result<Vec<_>>>();
    let kind: PyObjectRef = result.class().to_owned().into();
    // Now nothing else holds the results, so an `out` that must be resized can take over their memory.
    drop((results, result));
    for (result, out) in made.or_raise(vm)?.into_iter().zip(&outs) {
        one(name, operator, result, out, vm)?;
    }
    let types = vm.import("torch.return_types", 0)?;
    drop(types);
    let types = vm.sys_module.get_attr("modules", vm)?.get_item("torch.return_types", vm)?;
    types.get_attr("_as_out", vm)?.call((kind, vm.ctx.new_tuple(outs)), vm)
}

/// A result, in memory that writing the others to their `out` doesn't change. A function that makes several values may have
/// got the memory of `out` for one that isn't this result, but that this result is a view of.
fn held(result: &PyObjectRef, out: &PyObjectRef, placed: &[PyObjectRef]) -> Result<Option<Tensor>> {
    let (Some(result), Some(out)) = (tensor_of(result), tensor_of(out)) else { return Ok(None) };
    let used = placed.iter().filter_map(|o| tensor_of(o)).any(|o| o.storage().same(&result.storage()));
    if !used || result.is_same(out) || destination::is_in(result, out) || autograd::needs_grad([result]) {
        return Ok(Some(result.clone()));
    }
    create::copy_of(result).map(Some)
}

fn one(
    name: &str,
    operator: Option<&Operator>,
    result: Option<Tensor>,
    out: &PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let (Some(result), Some(out)) = (result, tensor_of(out)) else {
        return Err(vm.new_type_error("argument 'out' does not fit what the function answers with"));
    };
    check_dtype(name, operator, &result, out).or_raise(vm)?;
    write(name, operator, result, out, vm)?;
    // A result gets here without a recorded history only if a factory function made it: it has no derivative.
    let unrecorded = history(operator) != History::Copied && autograd::needs_grad([out]);
    if unrecorded { autograd::cut(out, "out=").or_raise(vm) } else { Ok(()) }
}

/// Functions that give their `out` another size without a warning.
#[rustfmt::skip]
const RESIZES: &[&str] = &[
    "bernoulli", "empty", "eye", "full", "linspace", "logspace", "multinomial", "normal", "ones", "rand", "randint", "randn", "randperm",
    "range", "zeros",
];

/// The warning of the other functions.
fn resized(name: &str, out: &Tensor, result: &Tensor) -> String {
    let (had, required) = (out.shape(), result.shape());
    if name == "arange" {
        return format!(
            "The number of elements in the out tensor of shape {:?} is {} which does not match the computed number of elements {}. Note that this may occur as a result of rounding error. The out tensor will be resized to a tensor of shape ({},).",
            had.as_slice(),
            out.numel(),
            result.numel(),
            result.numel()
        );
    }
    format!(
        "An output with one or more elements was resized since it had shape {:?}, which does not match the required output shape {:?}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
        had.as_slice(),
        required.as_slice()
    )
}

fn write(
    name: &str,
    operator: Option<&Operator>,
    result: Tensor,
    out: &Tensor,
    vm: &VirtualMachine,
) -> PyResult<()> {
    if destination::is_in(&result, out) && !autograd::needs_grad([&result, out]) {
        autograd::check_in_place(out).or_raise(vm)?;
        out.bump_version();
        return Ok(());
    }
    let _mode = autograd::GradMode::set(autograd::is_grad_enabled() && history(operator) == History::Copied);
    if out.shape() == result.shape() {
        return transfer::copy_(out, &result, false).or_raise(vm);
    }
    if out.numel() > 0 && !RESIZES.contains(&name) {
        super::error::warn(&resized(name, out, &result), vm)?;
    }
    // Memory of its own, even if the function returned a view or an argument.
    let own = result.is_unshared() && result.dtype() == out.dtype() && result.offset() == 0;
    if own && result.storage().numel() == result.numel() {
        out.set_data(&result);
    } else {
        let fresh = transfer::cast(&result.detach(), out.dtype()).or_raise(vm)?;
        out.set_data(&create::copy_of(&fresh).or_raise(vm)?);
    }
    out.bump_version();
    if autograd::needs_grad([&result]) {
        autograd::stand_in(out, &transfer::cast(&result, out.dtype()).or_raise(vm)?);
    }
    Ok(())
}

fn check_dtype(name: &str, operator: Option<&Operator>, result: &Tensor, out: &Tensor) -> Result<()> {
    let (from, to) = (result.dtype(), out.dtype());
    if from == to {
        return Ok(());
    }
    let (wanted, given) = (from.scalar_name(), to.scalar_name());
    let own = match name {
        "all" | "any" => Some(format!("{name} only supports bool tensor for result, got: {given}")),
        "amax" | "amin" => Some(format!(
            "Expected the dtype for input and out to match, but got {wanted} for input's dtype and {given} for out's dtype."
        )),
        "complex" | "polar" => {
            Some(format!("Expected object of scalar type {wanted} but got scalar type {given} for argument 'out'"))
        }
        "multinomial" => Some(format!("multinomial expects Long tensor out, got: {given}")),
        "dot" | "matmul" | "vdot" if result.ndim() == 0 => {
            Some(format!("result dtype {given} does not match input dtype {wanted}"))
        }
        "index_select" | "masked_select" => Some(format!("{name}(): self and result must have the same scalar type")),
        "inner" | "tensordot" => Some(format!(
            "tensordot: Expected the output tensor to have dtype {wanted}, but got an output tensor with dtype {given}"
        )),
        "isneginf" | "isposinf" | "signbit" => Some(format!("{name} does not support non-boolean outputs.")),
        "linalg_matrix_norm" | "linalg_norm" => Some(format!(
            "{} expected out tensor dtype {wanted} but got: {given}",
            name.replace('_', ".").replace("matrix.", "matrix_")
        )),
        "quantile" => Some("quantile() out tensor must be same dtype as the input tensor".into()),
        _ => None,
    };
    if let Some(own) = own {
        return Err(Error::runtime(own));
    }
    let rule = operator.map_or(Out::Cast, |o| o.out);
    if rule == Out::Exact {
        return Err(Error::runtime(format!(
            "Expected out tensor to have dtype {}, but got {} instead",
            from.c_name(),
            to.c_name()
        )));
    }
    if rule == Out::Found {
        return Err(Error::runtime(format!("Found dtype {given} but expected {wanted}")));
    }
    if from.category() <= to.category() {
        return Ok(());
    }
    Err(match operator.map_or(name, |o| o.worker()) {
        "cat" => Error::type_(format!("torch.cat(): input types can't be cast to the desired output type {given}")),
        _ => Error::runtime(format!("result type {wanted} can't be cast to the desired output type {given}")),
    })
}
