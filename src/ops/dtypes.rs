//! The dtypes that PyTorch's kernels take, where that is fewer than a kernel here could: what PyTorch refuses is refused in its
//! words.
//!
//! Source: the dispatch macros of aten/src/ATen/native/cpu and aten/src/ATen/native/cuda in PyTorch 2.15. What is computed in
//! floating point or in complex numbers is let through at once, so a training step pays for one comparison.

use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, TernaryOp, UnaryOp};
use crate::ops::Arg;
use crate::tensor::Tensor;

/// `"abs_cpu" not implemented for 'Bool'`, given the kernel's name on the CPU.
pub fn refused(kernel: &str, dtype: DType, device: Device) -> Error {
    let kernel = match device.is_cuda() {
        true => kernel.replace("_vml_cpu", "_cuda").replace("_cpu", "_cuda"),
        false => kernel.to_string(),
    };
    Error::not_implemented(format!("\"{kernel}\" not implemented for '{}'", dtype.scalar_name()))
}

/// Refuses bool.
pub fn not_bool(kernel: &str, t: &Tensor) -> Result<()> {
    if t.dtype() == DType::Bool { Err(refused(kernel, t.dtype(), t.device())) } else { Ok(()) }
}

/// Refuses bool and complex dtypes.
pub fn real_number(kernel: &str, t: &Tensor) -> Result<()> {
    if t.dtype() == DType::Bool || t.dtype().is_complex() {
        return Err(refused(kernel, t.dtype(), t.device()));
    }
    Ok(())
}

/// Refuses bool as the dtype of the result.
pub fn numbers(kernel: &str, dtype: DType, device: Device) -> Result<()> {
    if dtype == DType::Bool { Err(refused(kernel, dtype, device)) } else { Ok(()) }
}

/// Refuses all but real floating-point dtypes.
pub fn floating(kernel: &str, t: &Tensor) -> Result<()> {
    if t.dtype().is_float() { Ok(()) } else { Err(refused(kernel, t.dtype(), t.device())) }
}

/// Refuses all but floating-point and complex dtypes.
pub fn inexact(kernel: &str, t: &Tensor) -> Result<()> {
    if t.dtype().is_inexact() { Ok(()) } else { Err(refused(kernel, t.dtype(), t.device())) }
}

/// What `op` does not take, of bool and the integer dtypes; `dtype` is what it would compute in.
pub fn unary(op: UnaryOp, dtype: DType, device: Device) -> Result<()> {
    use UnaryOp as U;
    if dtype.is_inexact() {
        return Ok(());
    }
    let bool = dtype == DType::Bool;
    let kernel = match op {
        U::Relu if bool => return Err(Error::not_implemented("Boolean inputs not supported for relu")),
        U::Neg if bool => {
            return Err(Error::not_implemented(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
            ));
        }
        U::Abs if bool => "abs_cpu",
        U::Floor if bool => "floor_vml_cpu",
        U::Ceil if bool => "ceil_vml_cpu",
        U::Round if bool => "round_vml_cpu",
        U::Trunc if bool => "trunc_vml_cpu",
        U::Threshold { .. } if bool => "threshold_cpu",
        U::Clamp { min: Some(_), max: Some(_) } if bool => "clamp_scalar_cpu",
        U::Clamp { min: Some(_), .. } if bool => "clamp_min_scalar_cpu",
        U::Clamp { .. } if bool => "clamp_max_scalar_cpu",
        U::Frac => "frac_cpu",
        U::LeakyRelu { .. } => "leaky_relu_cpu",
        U::Elu { .. } => "elu_cpu",
        U::Hardswish => "hardswish_cpu",
        U::Hardsigmoid => "hardsigmoid_cpu",
        U::Gelu | U::GeluTanh if device.is_cuda() => "GeluCUDAKernelImpl",
        U::Gelu | U::GeluTanh => "GeluKernelImpl",
        U::Silu => "silu_cpu",
        U::Mish => "mish_cpu",
        U::Softplus { .. } => "softplus_cpu",
        U::LogSigmoid => "log_sigmoid_cpu",
        _ => return Ok(()),
    };
    Err(refused(kernel, dtype, device))
}

/// What `op` does not take of complex numbers. What PyTorch has and is not here the executor refuses.
pub fn complex_unary(op: UnaryOp, dtype: DType, device: Device) -> Result<()> {
    use UnaryOp as U;
    let kernel = match op {
        U::Sign => {
            return Err(Error::not_implemented(
                "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.",
            ));
        }
        U::Floor | U::Ceil | U::Trunc => {
            return Err(Error::not_implemented(format!("{} is not supported for complex inputs", op.name())));
        }
        U::Clamp { .. } | U::Relu => {
            return Err(Error::not_implemented("clamp is not supported for complex types"));
        }
        U::Round => "round_vml_cpu",
        U::Frac => "frac_cpu",
        U::Erf => "erf_vml_cpu",
        U::Erfc => "erfc_vml_cpu",
        U::Erfinv => "erfinv_vml_cpu",
        U::Lgamma => "lgamma_vml_cpu",
        U::Digamma => "digamma",
        U::Threshold { .. } => "threshold_cpu",
        U::LeakyRelu { .. } => "leaky_relu_cpu",
        U::Elu { .. } => "elu_cpu",
        U::Hardswish => "hardswish_cpu",
        U::Hardsigmoid => "hardsigmoid_cpu",
        U::Gelu | U::GeluTanh if device.is_cuda() => "GeluCUDAKernelImpl",
        U::Gelu | U::GeluTanh => "GeluKernelImpl",
        U::Mish => "mish_cpu",
        U::Softplus { .. } => "softplus_cpu",
        U::LogSigmoid => "log_sigmoid_cpu",
        _ => return Ok(()),
    };
    Err(refused(kernel, dtype, device))
}

/// What `op` does not take; `dtype` is the operands' common one.
pub fn binary(op: BinaryOp, dtype: DType, device: Device) -> Result<()> {
    use BinaryOp as B;
    if dtype.is_float() {
        return Ok(());
    }
    let (bool, complex) = (dtype == DType::Bool, dtype.is_complex());
    let kernel = match op {
        B::Maximum | B::Minimum | B::Fmax | B::Fmin if complex => {
            return Err(Error::type_(format!("{} not implemented for complex tensors.", op.name())));
        }
        B::FloorDiv if bool || complex => "div_floor_cpu",
        B::TruncDiv if bool || complex => "div_trunc_cpu",
        B::Remainder if bool || complex => "remainder_cpu",
        B::Fmod if bool || complex => "fmod_cpu",
        B::Pow if bool => "pow",
        B::Shl if bool => "lshift_cpu",
        B::Shr if bool => "rshift_cpu",
        B::Hypot => "hypot_cpu",
        B::SquaredDifference => "mse_cpu",
        B::SmoothL1 { .. } => "smooth_l1_cpu",
        B::Huber { .. } => "huber_cpu",
        B::Atan2 if complex => "atan2_cpu",
        B::Lt if complex => "lt_cpu",
        B::Le if complex => "le_cpu",
        B::Gt if complex => "gt_cpu",
        B::Ge if complex => "ge_cpu",
        B::BinaryCrossEntropy if complex => "binary_cross_entropy",
        _ => return Ok(()),
    };
    Err(refused(kernel, dtype, device))
}

/// Refuses bool on either side of a subtraction.
pub fn subtraction(a: &Arg, b: &Arg) -> Result<()> {
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

/// What PyTorch says of the difference of two bools.
pub fn two_bools() -> Error {
    Error::not_implemented(
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
    )
}

/// Refuses what a bitwise operator does not take: numbers with fractions.
pub fn bitwise(op: BinaryOp, dtype: DType, device: Device) -> Result<()> {
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

/// What `op` does not take; `dtype` is the operands' common one. `number`: the last operand is one.
pub fn ternary(op: TernaryOp, dtype: DType, device: Device, number: bool) -> Result<()> {
    let kernel = match op {
        TernaryOp::Addcmul { .. } if dtype == DType::Bool => "addcmul_cpu_out",
        TernaryOp::Lerp if !dtype.is_inexact() && number => "lerp_kernel_scalar",
        TernaryOp::Lerp if !dtype.is_inexact() => "lerp_kernel_tensor",
        _ => return Ok(()),
    };
    Err(refused(kernel, dtype, device))
}
