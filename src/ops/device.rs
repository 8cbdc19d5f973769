//! The same-device rule.
//!
//! Source: aten/src/ATen/TensorIterator.cpp (elementwise operators) and the generated wrappers' check of common devices
//! (aten/src/ATen/core/op_registration/adaption.h) in PyTorch 2.15.

use smallvec::SmallVec;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::ops::rows::{Operator, SameDevice};
use crate::tensor::Tensor;

/// The device of an elementwise operator: that of the first operand that isn't a 0-dim CPU tensor. A 0-dim CPU tensor
/// may accompany any device.
///
/// # Errors
/// PyTorch's error, which names an accelerator before the CPU.
pub fn common(operands: &[&Tensor]) -> Result<Device> {
    let is_number = |t: &Tensor| t.device().is_cpu() && t.ndim() == 0;
    let first = operands.iter().find(|t| !is_number(t)).or(operands.first());
    let Some(first) = first else { return Ok(Device::CPU) };
    let mut common = first.device();
    let mut other = None;
    for t in operands {
        let device = t.device();
        if device != common && !is_number(t) {
            other.get_or_insert(device);
        }
    }
    let Some(mut other) = other else { return Ok(common) };
    if common.is_meta() || other.is_meta() {
        return Err(Error::runtime(format!("Tensor on device {other} is not on the expected device {common}!")));
    }
    if common.is_cpu() {
        std::mem::swap(&mut common, &mut other);
    }
    Err(Error::runtime(format!(
        "Expected all tensors to be on the same device, but found at least two devices, {common} and {other}!"
    )))
}

/// [`same`] by the wrapper and for the arguments that a row names; arguments may be missing.
pub(crate) fn checked(row: &Operator, tensors: &[Option<&Tensor>]) -> Result<Device> {
    let SameDevice::Wrapper(wrapper, names) = row.rule else {
        return Err(Error::runtime(format!("{} has no wrapper", row.name)));
    };
    let named = names.iter().zip(tensors).filter_map(|(name, t)| Some((*name, (*t)?)));
    same(wrapper, &named.collect::<SmallVec<[_; 4]>>())
}

/// Reports that the result of an operator varies on CUDA, if its row says so and the program wants to know.
///
/// # Errors
/// Those of `Launches::alert_not_deterministic`.
pub(crate) fn steady(row: &Operator, device: Device) -> Result<()> {
    match row.varies {
        Some(kernel) if device.is_cuda() => crate::engine::current().launches.alert_not_deterministic(kernel),
        _ => Ok(()),
    }
}

/// The check of a generated CUDA wrapper: every tensor argument must be on the device of the first. It applies as soon as one
/// argument is on an accelerator; 0-dim CPU tensors aren't exempt. `wrapper` is the name after `wrapper_CUDA_`.
///
/// # Errors
/// PyTorch's error, which names the first argument on another device.
pub fn same(wrapper: &str, arguments: &[(&str, &Tensor)]) -> Result<Device> {
    let Some(((_, first), rest)) = arguments.split_first() else { return Ok(Device::CPU) };
    let common = first.device();
    for (name, t) in rest {
        let device = t.device();
        if device != common {
            if common.is_meta() || device.is_meta() {
                // `cat` compares with its first tensor; for the others, the operator for `meta` runs.
                let (real, wanted) =
                    if common.is_meta() || wrapper == "cat" { (device, common) } else { (common, device) };
                return Err(Error::runtime(format!("Tensor on device {real} is not on the expected device {wanted}!")));
            }
            return Err(Error::runtime(format!(
                "Expected all tensors to be on the same device, but got {name} is on {device}, different from other tensors on {common} (when checking argument in method wrapper_CUDA_{wrapper})"
            )));
        }
    }
    Ok(common)
}
