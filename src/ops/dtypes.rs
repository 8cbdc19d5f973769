//! The dtypes that PyTorch's kernels accept, where the kernels here could do more: a dtype that PyTorch refuses is refused
//! with its message.
//!
//! Source: the dispatch macros of aten/src/ATen/native/cpu and aten/src/ATen/native/cuda in PyTorch 2.15. Operations in
//! floating point or complex numbers pass immediately, so a training step pays for only one comparison.

use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, TernaryOp, UnaryOp};
use crate::ops::Arg;
use crate::ops::rows::Operator;
use crate::tensor::Tensor;

/// `"abs_cpu" not implemented for 'Bool'`, from the kernel's name on the CPU.
pub fn refused(kernel: &str, dtype: DType, device: Device) -> Error {
    let kernel = match device.is_cuda() {
        true => kernel.replace("_vml_cpu", "_cuda").replace("_cpu", "_cuda").replace("GeluKernel", "GeluCUDAKernel"),
        false => kernel.to_string(),
    };
    Error::not_implemented(format!("\"{kernel}\" not implemented for '{}'", dtype.scalar_name()))
}

/// Refuses the dtypes that an operator's row says it refuses. `dtype` is the one in which it would compute. If PyTorch has it
/// but this project doesn't, the executor refuses it.
pub fn taken(row: &Operator, dtype: DType, device: Device) -> Result<()> {
    row.refusal(dtype).map_or(Ok(()), |by| Err(refusal(by, dtype, device)))
}

/// [`taken`] of a tensor's dtype.
pub fn takes(row: &Operator, t: &Tensor) -> Result<()> {
    taken(row, t.dtype(), t.device())
}

/// Like [`refused`], or a sentence of PyTorch's own.
fn refusal(by: &str, dtype: DType, device: Device) -> Error {
    match by {
        sentence if sentence.ends_with("complex tensors.") => Error::type_(sentence),
        sentence if sentence.contains(' ') => Error::not_implemented(sentence),
        kernel => refused(kernel, dtype, device),
    }
}

/// Refuses the bool, integer and complex dtypes that `op` doesn't accept.
pub fn unary(op: UnaryOp, dtype: DType, device: Device) -> Result<()> {
    if let UnaryOp::Clamp { min, max } = op
        && dtype == DType::Bool
    {
        let kernel = match (min, max) {
            (Some(_), Some(_)) => "clamp_scalar_cpu",
            (Some(_), None) => "clamp_min_scalar_cpu",
            _ => "clamp_max_scalar_cpu",
        };
        return Err(refused(kernel, dtype, device));
    }
    taken(op.row(), dtype, device)
}

/// # Errors
/// Integers to a negative integer power.
pub(crate) fn power(base: &Arg, exponent: &Arg) -> Result<()> {
    match (base, exponent) {
        (Arg::Tensor(t), Arg::Number(Scalar::Int(n))) if *n < 0 && !t.dtype().is_inexact() => {
            Err(Error::runtime("Integers to negative integer powers are not allowed."))
        }
        _ => Ok(()),
    }
}

/// Refuses bool on either side of a subtraction.
pub(crate) fn subtraction(a: &Arg, b: &Arg) -> Result<()> {
    let is_bool = |arg: &Arg| match arg {
        Arg::Tensor(t) => t.dtype() == DType::Bool,
        Arg::Number(n) => matches!(n, Scalar::Bool(_)),
    };
    match (is_bool(a), is_bool(b)) {
        (false, false) => Ok(()),
        (true, true) => Err(two_bools()),
        _ => Err(Error::not_implemented(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
        )),
    }
}

/// PyTorch's error for the difference of two bools.
pub(crate) fn two_bools() -> Error {
    Error::not_implemented(
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
    )
}

/// Refuses numbers with fractions for a bitwise operator.
pub(crate) fn bitwise(op: BinaryOp, dtype: DType, device: Device) -> Result<()> {
    if !dtype.is_inexact() {
        return Ok(());
    }
    let kernel = match op {
        BinaryOp::Shl => "lshift_cpu".to_string(),
        BinaryOp::Shr => "rshift_cpu".to_string(),
        _ => format!("{}_cpu", op.name()),
    };
    Err(refused(&kernel, dtype, device))
}

/// Refuses dtypes that `op` doesn't accept. `dtype` is the operands' common one. `number`: the last operand is a
/// number.
pub fn ternary(op: TernaryOp, dtype: DType, device: Device, number: bool) -> Result<()> {
    let kernel = match op {
        TernaryOp::Lerp if !dtype.is_inexact() && number => "lerp_kernel_scalar",
        TernaryOp::Lerp if !dtype.is_inexact() => "lerp_kernel_tensor",
        _ => return taken(op.row(), dtype, device),
    };
    Err(refused(kernel, dtype, device))
}
