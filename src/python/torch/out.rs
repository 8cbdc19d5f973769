//! `out=`: a function's result, written into a tensor that is given.
//!
//! The function computes as ever and its result is copied, so for a moment there is memory for both.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::args::{self, type_name};
use super::error::{OrRaise, raise};
use super::tensor::tensor_of;
use crate::autograd;
use crate::error::{Error, Result};
use crate::ops::transfer;
use crate::tensor::Tensor;

/// Whether every tensor among a call's arguments may be written into `out`: checked before anything is computed.
pub fn check(name: &str, out: &PyObjectRef, given: &[PyObjectRef], vm: &VirtualMachine) -> PyResult<()> {
    let outs = args::sequence(out).unwrap_or_else(|| vec![out.clone()]);
    let lists: Vec<PyObjectRef> = given.iter().filter_map(|o| args::sequence(o)).flatten().collect();
    let given: Vec<&Tensor> = given.iter().chain(&lists).filter_map(|o| tensor_of(o)).collect();
    let Some(first) = given.first() else {
        return outs.iter().filter_map(|o| tensor_of(o)).try_for_each(|out| made(name, out).map_err(|e| raise(e, vm)));
    };
    for out in &outs {
        let Some(out) = tensor_of(out) else {
            return Err(vm.new_type_error(format!("{name}(): argument 'out' must be Tensor, not {}", type_name(out))));
        };
        on_same_device(name, out, first).map_err(|e| raise(e, vm))?;
        if autograd::is_grad_enabled() && (out.requires_grad() || given.iter().any(|t| t.requires_grad())) {
            return Err(vm.new_runtime_error(format!(
                "{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
            )));
        }
    }
    Ok(())
}

/// What a function that makes tensors out of nothing asks of its `out`.
fn made(name: &str, out: &Tensor) -> Result<()> {
    if !autograd::is_grad_enabled() || !out.requires_grad() {
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

/// Elementwise functions find a common device; the others' wrappers compare each argument with `out`, which comes first.
fn on_same_device(name: &str, out: &Tensor, first: &Tensor) -> Result<()> {
    let (here, there) = (out.device(), first.device());
    if here == there || (there.is_cpu() && first.ndim() == 0) {
        return Ok(());
    }
    let elementwise = super::pointwise::ROWS.iter().flat_map(|rows| rows.iter()).any(|(row, ..)| *row == name);
    Err(Error::runtime(if elementwise {
        let (a, b) = if there.is_cpu() { (here, there) } else { (there, here) };
        format!("Expected all tensors to be on the same device, but found at least two devices, {a} and {b}!")
    } else {
        format!(
            "Expected all tensors to be on the same device, but got self is on {there}, different from other tensors on {here} (when checking argument in method wrapper_CUDA_{name}_out_out)"
        )
    }))
}

/// Writes a result, a tensor or several, into `out` and answers with that.
pub fn store(result: &PyObjectRef, out: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    match (args::sequence(result), args::sequence(&out)) {
        (Some(results), Some(outs)) if results.len() == outs.len() => {
            for (result, out) in results.iter().zip(&outs) {
                one(result, out, vm)?;
            }
        }
        _ => one(result, &out, vm)?,
    }
    Ok(out)
}

fn one(result: &PyObjectRef, out: &PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    let (Some(result), Some(out)) = (tensor_of(result), tensor_of(out)) else {
        return Err(vm.new_type_error("argument 'out' does not fit what the function answers with"));
    };
    if result.dtype().category() > out.dtype().category() {
        return Err(vm.new_runtime_error(format!(
            "result type {} can't be cast to the desired output type {}",
            result.dtype().scalar_name(),
            out.dtype().scalar_name()
        )));
    }
    write(result, out, vm)?;
    // Only what a function made out of nothing comes here with a history: there is none that could be differentiated.
    if autograd::needs_grad([out]) { autograd::cut(out, "out=").or_raise(vm) } else { Ok(()) }
}

fn write(result: &Tensor, out: &Tensor, vm: &VirtualMachine) -> PyResult<()> {
    let _off = autograd::GradMode::set(false);
    if out.shape() == result.shape() {
        return transfer::copy_(out, result, false).or_raise(vm);
    }
    if out.numel() > 0 {
        super::warn(
            &format!(
                "An output with one or more elements was resized since it had shape {:?}, which does not match the required output shape {:?}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
                out.shape().as_slice(),
                result.shape().as_slice()
            ),
            vm,
        )?;
    }
    let fresh = transfer::cast(&result.detach(), out.dtype()).or_raise(vm)?;
    out.set_data(&fresh);
    out.bump_version();
    Ok(())
}
