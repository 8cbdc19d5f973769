//! Fill, copy, arange and the elementwise functions.

use super::{Sink, WORKGROUP, arithmetic, missing};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::{Class, Launch, class};
use crate::executor::webgpu::source;
use crate::executor::{BinaryOp, Done, Operand, TernaryOp, UnaryOp, View};

pub(super) fn fill(sink: &dyn Sink, out: &View<'_>, value: Scalar) -> Done {
    let mut l = Launch::new(&source::FILL);
    l.set("OP", "fill_value");
    l.set_type("T", out.dtype);
    l.write("out", out, out.dtype);
    l.walk("at", &out.shape, &[("out", &out.strides)]);
    l.scalar("value", value, out.dtype);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn copy(sink: &dyn Sink, src: &View<'_>, out: &View<'_>) -> Done {
    let mut l = Launch::new(&source::UNARY);
    l.set("OP", "copy_any");
    l.set_type("T", src.dtype);
    l.read("x", src, src.dtype);
    l.write("out", out, src.dtype);
    l.walk("at", &out.shape, &[("x", &src.strides), ("out", &out.strides)]);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

/// A copy of a view with reversed dimensions. Strides reach the shader modulo 2^32, so a negative stride needs no
/// special code.
pub(super) fn flip(sink: &dyn Sink, x: &View<'_>, dims: &[bool], out: &View<'_>) -> Done {
    let mut view = x.clone();
    for (d, _) in dims.iter().enumerate().filter(|(_, flipped)| **flipped) {
        let stride = x.strides[d];
        view.offset += stride * x.shape[d].saturating_sub(1);
        view.strides[d] = (stride as u32).wrapping_neg() as usize;
    }
    copy(sink, &view, out)
}

pub(super) fn arange(sink: &dyn Sink, out: &View<'_>, start: Scalar, step: Scalar) -> Done {
    let class = arithmetic(out.dtype)?;
    let mut l = Launch::new(&source::FILL);
    l.write("out", out, if class == Class::I { DType::I32 } else { out.dtype });
    l.walk("at", &out.shape, &[("out", &out.strides)]);
    match class {
        Class::F => {
            l.set("OP", "arange_f");
            let start = start.as_f64();
            let high = start as f32 as f64;
            l.f32("start", start);
            l.f32("start_low", start - high);
            let mut rest = step.as_f64();
            for name in ["step0", "step1", "step2"] {
                let part = short(rest);
                l.f32(name, part);
                rest -= part;
            }
            l.u32("zero", 0);
        }
        Class::I => {
            l.set("OP", "arange_i");
            l.scalar("start", start, DType::I32);
            l.scalar("step", step, DType::I32);
        }
        _ => {
            l.set("OP", "arange_l");
            l.scalar("start", start, DType::I64);
            l.scalar("step", step, DType::I64);
        }
    }
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

/// The first 12 bits of a number.
fn short(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 41) - 1))
}

/// The function that computes an op in a class, and whether its result is a bool.
type Function = Option<(&'static str, bool)>;

pub(super) fn unary(sink: &dyn Sink, op: UnaryOp, x: &View<'_>, compute: DType, out: &View<'_>) -> Done {
    let class = arithmetic(compute)?;
    let (function, truth) = unary_function(op, class, compute).ok_or_else(|| missing(op.name(), compute))?;
    let mut l = Launch::new(&source::UNARY);
    l.set("OP", function);
    l.set_type("T", compute);
    l.read("x", x, compute);
    l.write("out", out, if truth { DType::Bool } else { compute });
    l.walk("at", &out.shape, &[("x", &x.strides), ("out", &out.strides)]);
    match op {
        UnaryOp::Softplus { beta, threshold } => {
            l.f32("beta", beta);
            l.f32("threshold", threshold);
        }
        UnaryOp::Elu { alpha, scale, input_scale } => {
            l.f32("alpha", alpha);
            l.f32("scale", scale);
            l.f32("input_scale", input_scale);
        }
        UnaryOp::LeakyRelu { slope } => l.f32("slope", slope),
        UnaryOp::Threshold { threshold, value } => {
            l.scalar("threshold", Scalar::Float(threshold), compute);
            l.scalar("value", Scalar::Float(value), compute);
        }
        UnaryOp::Clamp { min, max } => {
            let (low, high) = bounds(compute);
            l.scalar("low", min.unwrap_or(low), compute);
            l.scalar("high", max.unwrap_or(high), compute);
        }
        UnaryOp::NanToNum { nan, posinf, neginf } => {
            l.f32("nan", nan);
            l.f32("posinf", posinf);
            l.f32("neginf", neginf);
        }
        _ => {}
    }
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

/// The least and greatest value of a dtype.
fn bounds(dtype: DType) -> (Scalar, Scalar) {
    match dtype {
        DType::Bool => (Scalar::Int(0), Scalar::Int(1)),
        DType::U8 => (Scalar::Int(0), Scalar::Int(255)),
        DType::I8 => (Scalar::Int(i8::MIN.into()), Scalar::Int(i8::MAX.into())),
        DType::I16 => (Scalar::Int(i16::MIN.into()), Scalar::Int(i16::MAX.into())),
        DType::I32 => (Scalar::Int(i32::MIN.into()), Scalar::Int(i32::MAX.into())),
        DType::I64 => (Scalar::Int(i64::MIN), Scalar::Int(i64::MAX)),
        _ => (Scalar::Float(f64::NEG_INFINITY), Scalar::Float(f64::INFINITY)),
    }
}

fn unary_function(op: UnaryOp, class: Class, compute: DType) -> Function {
    use UnaryOp::*;
    let by_class = |f: &'static str, i: &'static str, l: &'static str| match class {
        Class::F => (!f.is_empty()).then_some((f, false)),
        Class::I => (!i.is_empty()).then_some((i, false)),
        _ => (!l.is_empty()).then_some((l, false)),
    };
    match op {
        Neg => by_class("neg_f", "neg_i", "neg_l"),
        Abs => by_class("abs_f", "abs_i", "abs_l"),
        Sign => by_class("sign_f", "sign_i", "sign_l"),
        Exp => by_class("exp_f", "", ""),
        Exp2 => by_class("exp2_f", "", ""),
        Expm1 => by_class("expm1_f", "", ""),
        Log => by_class("log_f", "", ""),
        Log2 => by_class("log2_f", "", ""),
        Log10 => by_class("log10_f", "", ""),
        Log1p => by_class("log1p_f", "", ""),
        Sqrt => by_class("sqrt_f", "", ""),
        Rsqrt => by_class("rsqrt_f", "", ""),
        Reciprocal => by_class("reciprocal_f", "", ""),
        Square => by_class("square_f", "square_i", "square_l"),
        Sin => by_class("sin_f", "", ""),
        Cos => by_class("cos_f", "", ""),
        Tan => by_class("tan_f", "", ""),
        Asin => by_class("asin_f", "", ""),
        Acos => by_class("acos_f", "", ""),
        Atan => by_class("atan_f", "", ""),
        Sinh => by_class("sinh_f", "", ""),
        Cosh => by_class("cosh_f", "", ""),
        Tanh => by_class("tanh_f", "", ""),
        Asinh => by_class("asinh_f", "", ""),
        Acosh => by_class("acosh_f", "", ""),
        Atanh => by_class("atanh_f", "", ""),
        Erf => by_class("erf_f", "", ""),
        Erfc => by_class("erfc_f", "", ""),
        Erfinv => by_class("erfinv_f", "", ""),
        Lgamma => by_class("lgamma_f", "", ""),
        Digamma => by_class("digamma_f", "", ""),
        Sigmoid => by_class("sigmoid_f", "", ""),
        LogSigmoid => by_class("log_sigmoid_f", "", ""),
        Relu => by_class("relu_f", "relu_i", "relu_l"),
        Gelu => by_class("gelu_f", "", ""),
        GeluTanh => by_class("gelu_tanh_f", "", ""),
        Silu => by_class("silu_f", "", ""),
        Mish => by_class("mish_f", "", ""),
        Hardswish => by_class("hardswish_f", "", ""),
        Hardsigmoid => by_class("hardsigmoid_f", "", ""),
        Softsign => by_class("softsign_f", "", ""),
        Softplus { .. } => by_class("softplus_f", "", ""),
        Elu { .. } => by_class("elu_f", "", ""),
        LeakyRelu { .. } => by_class("leaky_relu_f", "", ""),
        Threshold { .. } => by_class("threshold_f", "threshold_i", "threshold_l"),
        Clamp { .. } => by_class("clamp_f", "clamp_i", "clamp_l"),
        // An integer is its own floor.
        Floor => by_class("floor_f", "copy_any", "copy_any"),
        Ceil => by_class("ceil_f", "copy_any", "copy_any"),
        Round => by_class("round_f", "copy_any", "copy_any"),
        Trunc => by_class("trunc_f", "copy_any", "copy_any"),
        Frac => by_class("frac_f", "", ""),
        IsNan => Some((if class == Class::F { "isnan_f" } else { "never_any" }, true)),
        IsInf => Some((if class == Class::F { "isinf_f" } else { "never_any" }, true)),
        IsFinite => Some((if class == Class::F { "isfinite_f" } else { "always_any" }, true)),
        LogicalNot => Some((by_class("logical_not_f", "logical_not_i", "logical_not_l")?.0, true)),
        BitwiseNot if compute == DType::Bool => Some(("logical_not_i", true)),
        BitwiseNot => by_class("", "bitwise_not_i", "bitwise_not_l"),
        NanToNum { .. } => by_class("nan_to_num_f", "copy_any", "copy_any"),
    }
}

/// Declares an operand, which is a view or a number.
fn operand<'a>(l: &mut Launch<'a>, name: &'static str, operand: &Operand<'a>, seen_as: DType) {
    match operand {
        Operand::View(view) => l.read(name, view, seen_as),
        Operand::Scalar(value) => l.constant(name, *value, seen_as),
    }
}

fn strides<'v>(operand: &'v Operand<'_>, rank: usize) -> &'v [usize] {
    const ZEROS: [usize; 64] = [0; 64];
    match operand {
        Operand::View(view) => &view.strides,
        // PyTorch allows 64 dimensions.
        Operand::Scalar(_) => &ZEROS[..rank.min(64)],
    }
}

pub(super) fn binary(
    sink: &dyn Sink,
    op: BinaryOp,
    a: &Operand<'_>,
    b: &Operand<'_>,
    compute: DType,
    out: &View<'_>,
) -> Done {
    let class = arithmetic(compute)?;
    let (function, truth) = binary_function(op, class).ok_or_else(|| missing(op.name(), compute))?;
    let mut l = Launch::new(&source::BINARY);
    l.set("OP", function);
    l.set_type("T", compute);
    l.set("C", class.letter());
    operand(&mut l, "a", a, compute);
    operand(&mut l, "b", b, compute);
    l.write("out", out, if truth { DType::Bool } else { compute });
    let rank = out.shape.len();
    l.walk("at", &out.shape, &[("a", strides(a, rank)), ("b", strides(b, rank)), ("out", &out.strides)]);
    match op {
        BinaryOp::Axpy { alpha } => l.scalar("alpha", alpha, compute),
        BinaryOp::SmoothL1 { beta } => l.f32("beta", beta),
        BinaryOp::Huber { delta } => l.f32("delta", delta),
        BinaryOp::ThresholdBackward { threshold } => l.f32("threshold", threshold),
        BinaryOp::SoftplusBackward { beta, threshold } => {
            l.f32("beta", beta);
            l.f32("threshold", threshold);
        }
        BinaryOp::EluBackward { alpha, scale, input_scale } => {
            l.f32("alpha", alpha);
            l.f32("scale", scale);
            l.f32("input_scale", input_scale);
        }
        BinaryOp::LeakyReluBackward { slope } => l.f32("slope", slope),
        BinaryOp::ClampBackward { min, max } => {
            l.f32("low", min.map_or(f64::NEG_INFINITY, Scalar::as_f64));
            l.f32("high", max.map_or(f64::INFINITY, Scalar::as_f64));
        }
        _ => {}
    }
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

fn binary_function(op: BinaryOp, class: Class) -> Function {
    use BinaryOp::*;
    let pick = |f: &'static str, i: &'static str, l: &'static str, truth: bool| {
        let name = match class {
            Class::F => f,
            Class::I => i,
            _ => l,
        };
        (!name.is_empty()).then_some((name, truth))
    };
    let float = |f: &'static str| pick(f, "", "", false);
    match op {
        Add => pick("add_f", "add_i", "l_add", false),
        Sub => pick("sub_f", "sub_i", "l_sub", false),
        Mul => pick("mul_f", "mul_i", "l_mul", false),
        Div => float("div_f"),
        FloorDiv => pick("floor_divide_f", "floor_divide_i", "floor_divide_l", false),
        TruncDiv => pick("trunc_divide_f", "trunc_divide_i", "trunc_divide_l", false),
        Remainder => pick("remainder_f", "remainder_i", "remainder_l", false),
        Fmod => pick("fmod_f", "fmod_i", "fmod_l", false),
        Pow => pick("pow_f", "pow_i", "pow_l", false),
        Maximum => pick("max_f", "max_i", "max_l", false),
        Minimum => pick("min_f", "min_i", "min_l", false),
        Fmax => pick("fmax_f", "max_i", "max_l", false),
        Fmin => pick("fmin_f", "min_i", "min_l", false),
        Atan2 => float("atan2_f"),
        Hypot => float("hypot_f"),
        Axpy { .. } => pick("axpy_f", "axpy_i", "axpy_l", false),
        Eq => pick("eq_f", "eq_i", "eq_l", true),
        Ne => pick("ne_f", "ne_i", "ne_l", true),
        Lt => pick("lt_f", "lt_i", "lt_l", true),
        Le => pick("le_f", "le_i", "le_l", true),
        Gt => pick("gt_f", "gt_i", "gt_l", true),
        Ge => pick("ge_f", "ge_i", "ge_l", true),
        LogicalAnd => Some(("logical_and_any", true)),
        LogicalOr => Some(("logical_or_any", true)),
        LogicalXor => Some(("logical_xor_any", true)),
        BitAnd => pick("", "bit_and_any", "bit_and_any", false),
        BitOr => pick("", "bit_or_any", "bit_or_any", false),
        BitXor => pick("", "bit_xor_any", "bit_xor_any", false),
        Shl => pick("", "shift_left_i", "shift_left_l", false),
        Shr => pick("", "shift_right_i", "shift_right_l", false),
        SquaredDifference => float("squared_difference_f"),
        AbsDifference => float("abs_difference_f"),
        SmoothL1 { .. } => float("smooth_l1_f"),
        Huber { .. } => float("huber_f"),
        BinaryCrossEntropy => float("binary_cross_entropy_f"),
        BinaryCrossEntropyWithLogits => float("binary_cross_entropy_with_logits_f"),
        SigmoidBackward => float("sigmoid_backward_f"),
        TanhBackward => float("tanh_backward_f"),
        ThresholdBackward { .. } => float("threshold_backward_f"),
        GeluBackward => float("gelu_backward_f"),
        GeluTanhBackward => float("gelu_tanh_backward_f"),
        SiluBackward => float("silu_backward_f"),
        MishBackward => float("mish_backward_f"),
        HardswishBackward => float("hardswish_backward_f"),
        HardsigmoidBackward => float("hardsigmoid_backward_f"),
        LogSigmoidBackward => float("log_sigmoid_backward_f"),
        SoftplusBackward { .. } => float("softplus_backward_f"),
        EluBackward { .. } => float("elu_backward_f"),
        LeakyReluBackward { .. } => float("leaky_relu_backward_f"),
        ClampBackward { .. } => float("clamp_backward_f"),
    }
}

pub(super) fn ternary(
    sink: &dyn Sink,
    op: TernaryOp,
    [a, b, c]: [&Operand<'_>; 3],
    compute: DType,
    out: &View<'_>,
) -> Done {
    let float = |f: &'static str| (class(compute) == Class::F).then_some(f);
    let function = match op {
        // Choosing between stored numbers needs no arithmetic.
        TernaryOp::Where => Some("where_any"),
        TernaryOp::Clamp => Some("clamp_tensor_any"),
        TernaryOp::Addcmul { .. } => Some(match class(compute) {
            Class::F => "addcmul_f",
            Class::I => "addcmul_i",
            _ => "addcmul_l",
        }),
        TernaryOp::Lerp => float("lerp_f"),
        TernaryOp::Addcdiv { .. } => float("addcdiv_f"),
        TernaryOp::MseBackward { .. } => float("mse_backward_f"),
        TernaryOp::L1Backward { .. } => float("l1_backward_f"),
        TernaryOp::SmoothL1Backward { .. } => float("smooth_l1_backward_f"),
        TernaryOp::HuberBackward { .. } => float("huber_backward_f"),
        TernaryOp::BinaryCrossEntropyBackward { .. } => float("binary_cross_entropy_backward_f"),
        TernaryOp::BinaryCrossEntropyWithLogitsBackward { .. } => float("binary_cross_entropy_with_logits_backward_f"),
    };
    if op != TernaryOp::Where {
        arithmetic(compute)?;
    }
    let function = function.ok_or_else(|| missing(op.name(), compute))?;
    let mut l = Launch::new(&source::TERNARY);
    l.set("OP", function);
    l.set_type("T", compute);
    l.set("C", class(compute).letter());
    operand(&mut l, "a", a, if op == TernaryOp::Where { DType::Bool } else { compute });
    operand(&mut l, "b", b, compute);
    operand(&mut l, "c", c, compute);
    l.write("out", out, compute);
    let rank = out.shape.len();
    l.walk(
        "at",
        &out.shape,
        &[("a", strides(a, rank)), ("b", strides(b, rank)), ("c", strides(c, rank)), ("out", &out.strides)],
    );
    match op {
        TernaryOp::Addcmul { value } | TernaryOp::Addcdiv { value } => l.scalar("value", value, compute),
        TernaryOp::MseBackward { factor }
        | TernaryOp::L1Backward { factor }
        | TernaryOp::BinaryCrossEntropyBackward { factor }
        | TernaryOp::BinaryCrossEntropyWithLogitsBackward { factor } => l.f32("factor", factor),
        TernaryOp::SmoothL1Backward { beta, factor } => {
            l.f32("beta", beta);
            l.f32("factor", factor);
        }
        TernaryOp::HuberBackward { delta, factor } => {
            l.f32("delta", delta);
            l.f32("factor", factor);
        }
        TernaryOp::Where | TernaryOp::Lerp | TernaryOp::Clamp => {}
    }
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}
