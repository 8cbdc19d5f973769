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

/// The function that computes an operator for a class of numbers, with a bool as its result or not. It's called as the operator,
/// with the class's letter: `exp_f`. `None` if the shader has none.
fn unary_function(op: UnaryOp, class: Class, compute: DType) -> Function {
    use UnaryOp::*;
    let named = |op: UnaryOp, class: Class| source::written(&source::UNARY, op.in_shader(class.letter()));
    match op {
        // An integer is its own floor.
        Floor | Ceil | Round | Trunc | NanToNum { .. } if class != Class::F => Some(("copy_any", false)),
        IsNan | IsInf if class != Class::F => Some(("never_any", true)),
        IsFinite if class != Class::F => Some(("always_any", true)),
        BitwiseNot if compute == DType::Bool => named(LogicalNot, Class::I).map(|name| (name, true)),
        IsNan | IsInf | IsFinite | LogicalNot => named(op, class).map(|name| (name, true)),
        _ => named(op, class).map(|name| (name, false)),
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
    let pick = |f: &'static str, i: &'static str, l: &'static str| {
        let name = match class {
            Class::F => f,
            Class::I => i,
            _ => l,
        };
        (!name.is_empty()).then_some((name, false))
    };
    match op {
        // Functions that other shaders use as well, and those that don't depend on the class.
        Add => pick("add_f", "add_i", "l_add"),
        Sub => pick("sub_f", "sub_i", "l_sub"),
        Mul => pick("mul_f", "mul_i", "l_mul"),
        Maximum => pick("max_f", "max_i", "max_l"),
        Minimum => pick("min_f", "min_i", "min_l"),
        Fmax => pick("fmax_f", "max_i", "max_l"),
        Fmin => pick("fmin_f", "min_i", "min_l"),
        LogicalAnd => Some(("logical_and_any", true)),
        LogicalOr => Some(("logical_or_any", true)),
        LogicalXor => Some(("logical_xor_any", true)),
        BitAnd => pick("", "bit_and_any", "bit_and_any"),
        BitOr => pick("", "bit_or_any", "bit_or_any"),
        BitXor => pick("", "bit_xor_any", "bit_xor_any"),
        _ => {
            let truth = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
            source::written(&source::BINARY, op.in_shader(class.letter())).map(|name| (name, truth))
        }
    }
}

pub(super) fn ternary(
    sink: &dyn Sink,
    op: TernaryOp,
    [a, b, c]: [&Operand<'_>; 3],
    compute: DType,
    out: &View<'_>,
) -> Done {
    let function = match op {
        // Choosing between stored numbers needs no arithmetic.
        TernaryOp::Where => Some("where_any"),
        TernaryOp::Clamp => Some("clamp_tensor_any"),
        _ => source::written(&source::TERNARY, op.in_shader(class(compute).letter())),
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
