//! Elementwise functions of one value.

use super::element::{Compute, with_compute};
use super::elementwise::{Input, map1};
use super::real::Real;
use super::span::Span;
use super::unsupported;
use crate::dtype::DType;
use crate::executor::{Done, UnaryOp, View};

/// How many times the cost of an addition a transcendental function has.
const DEAR: usize = 8;

pub(super) fn unary(op: UnaryOp, x: &View<'_>, compute: DType, out: &View<'_>) -> Done {
    let (x, out) = (Span::new(x)?, Span::new(out)?);
    with_compute!(compute, C => C::unary(op, Input::Span(x), compute, &out))
}

/// The operators a compute type has.
trait Unary: Compute {
    fn unary(op: UnaryOp, x: Input<Self>, compute: DType, out: &Span) -> Done;
}

impl Unary for f32 {
    fn unary(op: UnaryOp, x: Input<f32>, compute: DType, out: &Span) -> Done {
        real(op, x, compute, out)
    }
}

impl Unary for f64 {
    fn unary(op: UnaryOp, x: Input<f64>, compute: DType, out: &Span) -> Done {
        real(op, x, compute, out)
    }
}

impl Unary for i64 {
    fn unary(op: UnaryOp, x: Input<i64>, compute: DType, out: &Span) -> Done {
        integer(op, x, compute, out)
    }
}

fn real<C: Real>(op: UnaryOp, x: Input<C>, compute: DType, out: &Span) -> Done {
    let zero = C::of(0.0);
    let one = C::of(1.0);
    let half = C::of(0.5);
    let flag = |b: bool| if b { one } else { zero };
    macro_rules! cheap {
        (|$x:ident| $f:expr) => {
            map1(
                out,
                x,
                compute,
                1,
                #[inline(always)]
                move |$x: C| $f,
            )
        };
    }
    macro_rules! dear {
        (|$x:ident| $f:expr) => {
            map1(
                out,
                x,
                compute,
                DEAR,
                #[inline(always)]
                move |$x: C| $f,
            )
        };
    }
    match op {
        UnaryOp::Neg => cheap!(|x| -x),
        UnaryOp::Abs => cheap!(|x| x.abs()),
        UnaryOp::Sign => cheap!(|x| flag(x > zero) - flag(x < zero)),
        UnaryOp::Exp => dear!(|x| x.exp()),
        UnaryOp::Exp2 => dear!(|x| x.exp2()),
        UnaryOp::Expm1 => dear!(|x| x.expm1()),
        UnaryOp::Log => dear!(|x| x.ln()),
        UnaryOp::Log2 => dear!(|x| x.log2()),
        UnaryOp::Log10 => dear!(|x| x.log10()),
        UnaryOp::Log1p => dear!(|x| x.log1p()),
        UnaryOp::Sqrt => cheap!(|x| x.sqrt()),
        UnaryOp::Rsqrt => cheap!(|x| one / x.sqrt()),
        UnaryOp::Reciprocal => cheap!(|x| one / x),
        UnaryOp::Square => cheap!(|x| x * x),
        UnaryOp::Sin => dear!(|x| x.sin()),
        UnaryOp::Cos => dear!(|x| x.cos()),
        UnaryOp::Tan => dear!(|x| x.tan()),
        UnaryOp::Asin => dear!(|x| x.asin()),
        UnaryOp::Acos => dear!(|x| x.acos()),
        UnaryOp::Atan => dear!(|x| x.atan()),
        UnaryOp::Sinh => dear!(|x| x.sinh()),
        UnaryOp::Cosh => dear!(|x| x.cosh()),
        UnaryOp::Tanh => dear!(|x| x.tanh()),
        UnaryOp::Asinh => dear!(|x| x.asinh()),
        UnaryOp::Acosh => dear!(|x| x.acosh()),
        UnaryOp::Atanh => dear!(|x| x.atanh()),
        UnaryOp::Erf => dear!(|x| x.erf()),
        UnaryOp::Erfc => dear!(|x| x.erfc()),
        UnaryOp::Erfinv => dear!(|x| x.erfinv()),
        UnaryOp::Lgamma => dear!(|x| x.lgamma()),
        UnaryOp::Digamma => dear!(|x| x.digamma()),
        UnaryOp::Sigmoid => dear!(|x| x.sigmoid()),
        UnaryOp::LogSigmoid => dear!(|x| x.minimum(zero) - (-x.abs()).exp().log1p()),
        UnaryOp::Relu => cheap!(|x| if x <= zero { zero } else { x }),
        UnaryOp::Gelu => {
            let root = C::of(std::f64::consts::FRAC_1_SQRT_2);
            dear!(|x| x * half * (one + (x * root).erf()))
        }
        UnaryOp::GeluTanh => {
            let beta = C::of(std::f64::consts::SQRT_2 * std::f64::consts::FRAC_2_SQRT_PI * 0.5);
            let kappa = C::of(0.044715);
            dear!(|x| half * x * (one + (beta * (x + kappa * (x * x * x))).tanh()))
        }
        UnaryOp::Silu => dear!(|x| x / (one + (-x).exp())),
        UnaryOp::Mish => dear!(|x| x * x.exp().log1p().tanh()),
        UnaryOp::Hardswish => {
            let (three, six) = (C::of(3.0), C::of(6.0));
            cheap!(|x| x * (x + three).maximum(zero).minimum(six) / six)
        }
        UnaryOp::Hardsigmoid => {
            let (three, six) = (C::of(3.0), C::of(6.0));
            cheap!(|x| (x + three).maximum(zero).minimum(six) / six)
        }
        UnaryOp::Softsign => cheap!(|x| x / (one + x.abs())),
        UnaryOp::Softplus { beta, threshold } => {
            let (beta, threshold) = (C::of(beta), C::of(threshold));
            dear!(|x| if x * beta > threshold { x } else { (x * beta).exp().log1p() / beta })
        }
        UnaryOp::Elu { alpha, scale, input_scale } => {
            let (negative, positive, input_scale) = (C::of(alpha * scale), C::of(scale), C::of(input_scale));
            dear!(|x| if x < zero { (x * input_scale).expm1() * negative } else { x * positive })
        }
        UnaryOp::LeakyRelu { slope } => {
            let slope = C::of(slope);
            cheap!(|x| if x > zero { x } else { x * slope })
        }
        UnaryOp::Threshold { threshold, value } => {
            let (threshold, value) = (C::of(threshold), C::of(value));
            cheap!(|x| if x <= threshold { value } else { x })
        }
        UnaryOp::Clamp { min, max } => {
            // A missing bound becomes an infinity, which changes nothing. A NaN bound makes everything NaN.
            let min = min.map_or(-C::INFINITY, C::from_scalar);
            let max = max.map_or(C::INFINITY, C::from_scalar);
            cheap!(|x| x.maximum(min).minimum(max))
        }
        UnaryOp::Floor => cheap!(|x| x.floor()),
        UnaryOp::Ceil => cheap!(|x| x.ceil()),
        UnaryOp::Round => cheap!(|x| x.round_even()),
        UnaryOp::Trunc => cheap!(|x| x.trunc()),
        UnaryOp::Frac => cheap!(|x| x - x.trunc()),
        UnaryOp::IsNan => cheap!(|x| flag(x.is_nan())),
        UnaryOp::IsInf => cheap!(|x| flag(x.abs() == C::INFINITY)),
        UnaryOp::IsFinite => cheap!(|x| flag(x.abs() < C::INFINITY)),
        UnaryOp::LogicalNot => cheap!(|x| flag(x == zero)),
        UnaryOp::NanToNum { nan, posinf, neginf } => {
            let (nan, posinf, neginf) = (C::of(nan), C::of(posinf), C::of(neginf));
            cheap!(|x| if x.is_nan() {
                nan
            } else if x == C::INFINITY {
                posinf
            } else if x == -C::INFINITY {
                neginf
            } else {
                x
            })
        }
        UnaryOp::BitwiseNot => return Err(unsupported(op.name(), compute)),
    }
    Ok(())
}

fn integer(op: UnaryOp, x: Input<i64>, compute: DType, out: &Span) -> Done {
    macro_rules! map {
        (|$x:ident| $f:expr) => {
            map1(
                out,
                x,
                compute,
                1,
                #[inline(always)]
                move |$x: i64| $f,
            )
        };
    }
    match op {
        UnaryOp::Neg => map!(|x| x.wrapping_neg()),
        UnaryOp::Abs => map!(|x| x.wrapping_abs()),
        UnaryOp::Sign => map!(|x| x.signum()),
        UnaryOp::Square => map!(|x| x.wrapping_mul(x)),
        UnaryOp::Relu => map!(|x| x.max(0)),
        UnaryOp::Hardswish | UnaryOp::Hardsigmoid => return Err(unsupported(op.name(), compute)),
        UnaryOp::Threshold { threshold, value } => {
            let (threshold, value) = (threshold as i64, value as i64);
            map!(|x| if x <= threshold { value } else { x })
        }
        UnaryOp::Clamp { min, max } => {
            let min = min.map_or(i64::MIN, i64::from_scalar);
            let max = max.map_or(i64::MAX, i64::from_scalar);
            map!(|x| x.max(min).min(max))
        }
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round | UnaryOp::Trunc | UnaryOp::NanToNum { .. } => map!(|x| x),
        UnaryOp::IsNan | UnaryOp::IsInf => map!(|_x| 0),
        UnaryOp::IsFinite => map!(|_x| 1),
        UnaryOp::LogicalNot => map!(|x| (x == 0) as i64),
        UnaryOp::BitwiseNot if compute == DType::Bool => map!(|x| (x == 0) as i64),
        UnaryOp::BitwiseNot => map!(|x| !x),
        _ => return Err(unsupported(op.name(), compute)),
    }
    Ok(())
}
