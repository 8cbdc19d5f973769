//! Elementwise functions of two values.

use std::sync::atomic::{AtomicBool, Ordering};

use super::element::{Compute, with_compute};
use super::elementwise::{Input, map2};
use super::real::Real;
use super::span::Span;
use super::unsupported;
use crate::dtype::{DType, Scalar};
use crate::executor::{BinaryOp, Done, Fault, Operand, View};

/// How many times the cost of an addition a transcendental function has.
const DEAR: usize = 8;

pub(super) fn binary(op: BinaryOp, a: &Operand<'_>, b: &Operand<'_>, compute: DType, out: &View<'_>) -> Done {
    let out = Span::new(out)?;
    with_compute!(compute, C => C::binary(op, [Input::new(a, compute)?, Input::new(b, compute)?], compute, &out))
}

/// The operators a compute type has.
trait Binary: Compute {
    fn binary(op: BinaryOp, inputs: [Input<Self>; 2], compute: DType, out: &Span) -> Done;
}

impl Binary for f32 {
    fn binary(op: BinaryOp, inputs: [Input<f32>; 2], compute: DType, out: &Span) -> Done {
        real(op, inputs, compute, out)
    }
}

impl Binary for f64 {
    fn binary(op: BinaryOp, inputs: [Input<f64>; 2], compute: DType, out: &Span) -> Done {
        real(op, inputs, compute, out)
    }
}

impl Binary for i64 {
    fn binary(op: BinaryOp, inputs: [Input<i64>; 2], compute: DType, out: &Span) -> Done {
        integer(op, inputs, compute, out)
    }
}

/// `div_floor_floating` of ATen, which does the same as Python.
#[inline(always)]
fn floor_divide<C: Real>(a: C, b: C) -> C {
    let zero = C::of(0.0);
    let one = C::of(1.0);
    if b == zero {
        return a / b;
    }
    let rest = a.rem(b);
    let mut quotient = (a - rest) / b;
    if rest != zero && (b < zero) != (rest < zero) {
        quotient = quotient - one;
    }
    if quotient == zero {
        return zero.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > C::of(0.5) { floor + one } else { floor }
}

#[inline(always)]
fn remainder<C: Real>(a: C, b: C) -> C {
    let zero = C::of(0.0);
    let rest = a.rem(b);
    if rest != zero && (b < zero) != (rest < zero) { rest + b } else { rest }
}

/// Clamps a value from below and keeps NaN.
#[inline(always)]
fn at_least<C: Real>(v: C, bound: C) -> C {
    if v < bound { bound } else { v }
}

fn real<C: Real>(op: BinaryOp, inputs: [Input<C>; 2], compute: DType, out: &Span) -> Done {
    let zero = C::of(0.0);
    let one = C::of(1.0);
    let half = C::of(0.5);
    let three = C::of(3.0);
    macro_rules! cheap {
        (|$a:ident, $b:ident| $f:expr) => {
            map2(
                out,
                inputs,
                compute,
                1,
                #[inline(always)]
                move |$a: C, $b: C| $f,
            )
        };
    }
    macro_rules! dear {
        (|$a:ident, $b:ident| $f:expr) => {
            map2(
                out,
                inputs,
                compute,
                DEAR,
                #[inline(always)]
                move |$a: C, $b: C| $f,
            )
        };
    }
    macro_rules! test {
        (|$a:ident, $b:ident| $f:expr) => {
            cheap!(|$a, $b| if $f { one } else { zero })
        };
    }
    match op {
        BinaryOp::Add => cheap!(|a, b| a + b),
        BinaryOp::Sub => cheap!(|a, b| a - b),
        BinaryOp::Mul => cheap!(|a, b| a * b),
        BinaryOp::Div => cheap!(|a, b| a / b),
        BinaryOp::FloorDiv => dear!(|a, b| floor_divide(a, b)),
        BinaryOp::TruncDiv => cheap!(|a, b| (a / b).trunc()),
        BinaryOp::Remainder => dear!(|a, b| remainder(a, b)),
        BinaryOp::Fmod => dear!(|a, b| a.rem(b)),
        BinaryOp::Pow => return power(inputs, compute, out),
        BinaryOp::Maximum => cheap!(|a, b| a.maximum(b)),
        BinaryOp::Minimum => cheap!(|a, b| a.minimum(b)),
        BinaryOp::Fmax => cheap!(|a, b| if a > b || b.is_nan() { a } else { b }),
        BinaryOp::Fmin => cheap!(|a, b| if a < b || b.is_nan() { a } else { b }),
        BinaryOp::Atan2 => dear!(|a, b| a.atan2(b)),
        BinaryOp::Hypot => dear!(|a, b| a.hypot(b)),
        BinaryOp::Axpy { alpha } => {
            let alpha = C::from_scalar(alpha);
            cheap!(|a, b| b.fma(alpha, a))
        }
        BinaryOp::Eq => test!(|a, b| a == b),
        BinaryOp::Ne => test!(|a, b| a != b),
        BinaryOp::Lt => test!(|a, b| a < b),
        BinaryOp::Le => test!(|a, b| a <= b),
        BinaryOp::Gt => test!(|a, b| a > b),
        BinaryOp::Ge => test!(|a, b| a >= b),
        BinaryOp::LogicalAnd => test!(|a, b| (a != zero) & (b != zero)),
        BinaryOp::LogicalOr => test!(|a, b| (a != zero) | (b != zero)),
        BinaryOp::LogicalXor => test!(|a, b| (a != zero) ^ (b != zero)),
        BinaryOp::SquaredDifference => cheap!(|a, b| (a - b) * (a - b)),
        BinaryOp::AbsDifference => cheap!(|a, b| (a - b).abs()),
        BinaryOp::SmoothL1 { beta } => {
            let beta = C::of(beta);
            cheap!(|a, b| {
                let z = (a - b).abs();
                if z < beta { half * z * z / beta } else { z - half * beta }
            })
        }
        BinaryOp::Huber { delta } => {
            let delta = C::of(delta);
            cheap!(|a, b| {
                let z = (a - b).abs();
                if z <= delta { half * z * z } else { delta * (z - half * delta) }
            })
        }
        BinaryOp::BinaryCrossEntropy => {
            let floor = C::of(-100.0);
            dear!(|a, b| (b - one) * at_least((-a).log1p(), floor) - b * at_least(a.ln(), floor))
        }
        BinaryOp::BinaryCrossEntropyWithLogits => {
            dear!(|a, b| (one - b) * a - (a.minimum(zero) - (-a.abs()).exp().log1p()))
        }
        BinaryOp::SigmoidBackward => cheap!(|a, b| a * (one - b) * b),
        BinaryOp::TanhBackward => cheap!(|a, b| a * (one - b * b)),
        BinaryOp::ThresholdBackward { threshold } => {
            let threshold = C::of(threshold);
            cheap!(|a, b| if b <= threshold { zero } else { a })
        }
        BinaryOp::GeluBackward => {
            let root = C::of(std::f64::consts::FRAC_1_SQRT_2);
            let density = C::of(std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2 * 0.5);
            dear!(|a, b| {
                let cdf = half * (one + (b * root).erf());
                let pdf = density * (-(half * b * b)).exp();
                a * (cdf + b * pdf)
            })
        }
        BinaryOp::GeluTanhBackward => {
            let beta = C::of(std::f64::consts::SQRT_2 * std::f64::consts::FRAC_2_SQRT_PI * 0.5);
            let kappa = C::of(0.044715);
            dear!(|a, b| {
                let t = (beta * (b + kappa * (b * b * b))).tanh();
                let left = half * (one + t);
                let right = half * b * (one - t * t) * (beta * (one + three * kappa * b * b));
                a * (left + right)
            })
        }
        BinaryOp::SiluBackward => dear!(|a, b| {
            let s = b.sigmoid();
            a * s * (one + b * (one - s))
        }),
        BinaryOp::MishBackward => dear!(|a, b| {
            let s = b.sigmoid();
            let t = b.exp().log1p().tanh();
            a * (t + b * s * (one - t * t))
        }),
        BinaryOp::HardswishBackward => {
            cheap!(|a, b| if b <= -three {
                zero
            } else if b >= three {
                a
            } else {
                a * (b / three + half)
            })
        }
        BinaryOp::HardsigmoidBackward => {
            let sixth = C::of(1.0 / 6.0);
            cheap!(|a, b| if (b > -three) & (b < three) { a * sixth } else { zero })
        }
        BinaryOp::LogSigmoidBackward => dear!(|a, b| {
            let z = (-b.abs()).exp();
            let (slope, sign) = if b < zero { (one, one) } else { (zero, -one) };
            a * (slope - sign * (z / (one + z)))
        }),
        BinaryOp::SoftplusBackward { beta, threshold } => {
            let (beta, threshold) = (C::of(beta), C::of(threshold));
            dear!(|a, b| {
                let z = (b * beta).exp();
                if b * beta > threshold { a } else { a * z / (z + one) }
            })
        }
        BinaryOp::EluBackward { alpha, scale, input_scale } => {
            let negative = C::of(input_scale * alpha * scale);
            let (positive, input_scale) = (C::of(scale), C::of(input_scale));
            dear!(|a, b| if b > zero { a * positive } else { a * negative * (b * input_scale).exp() })
        }
        BinaryOp::LeakyReluBackward { slope } => {
            let slope = C::of(slope);
            cheap!(|a, b| if b > zero { a } else { a * slope })
        }
        BinaryOp::ClampBackward { min, max } => {
            let min = min.map_or(-C::INFINITY, C::from_scalar);
            let max = max.map_or(C::INFINITY, C::from_scalar);
            cheap!(|a, b| if (b > min) & (b < max) { a } else { zero })
        }
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr => {
            return Err(unsupported(op.name(), compute));
        }
    }
    Ok(())
}

/// Powers. Common exponents have loops of their own, as in ATen's `pow_tensor_scalar`.
fn power<C: Real>(inputs: [Input<C>; 2], compute: DType, out: &Span) -> Done {
    let one = C::of(1.0);
    let exponent = match &inputs[1] {
        Input::Value(v) => v.as_f64(),
        Input::Span(_) => f64::NAN,
    };
    macro_rules! map {
        ($cost:expr, |$a:ident, $b:ident| $f:expr) => {
            map2(
                out,
                inputs,
                compute,
                $cost,
                #[inline(always)]
                move |$a: C, $b: C| $f,
            )
        };
    }
    if exponent == 2.0 {
        map!(1, |a, _b| a * a);
    } else if exponent == 3.0 {
        map!(1, |a, _b| a * a * a);
    } else if exponent == 0.5 {
        map!(1, |a, _b| a.sqrt());
    } else if exponent == -0.5 {
        map!(1, |a, _b| one / a.sqrt());
    } else if exponent == -1.0 {
        map!(1, |a, _b| one / a);
    } else if exponent == -2.0 {
        map!(1, |a, _b| one / (a * a));
    } else {
        map!(DEAR, |a, b| a.pow(b));
    }
    Ok(())
}

/// Integer power. For a negative exponent it is the truncated quotient: 0, except for the bases 1 and -1.
fn integer_power(mut base: i64, mut exponent: i64) -> i64 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let mut result = 1i64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

fn integer(op: BinaryOp, inputs: [Input<i64>; 2], compute: DType, out: &Span) -> Done {
    let seen = AtomicBool::new(false);
    let by_zero = &seen;
    macro_rules! map {
        (|$a:ident, $b:ident| $f:expr) => {
            map2(
                out,
                inputs,
                compute,
                1,
                #[inline(always)]
                move |$a: i64, $b: i64| $f,
            )
        };
    }
    macro_rules! divide {
        (|$a:ident, $b:ident| $f:expr) => {
            map2(
                out,
                inputs,
                compute,
                4,
                #[inline(always)]
                move |$a: i64, $b: i64| {
                    if $b == 0 {
                        by_zero.store(true, Ordering::Relaxed);
                        0
                    } else {
                        $f
                    }
                },
            )
        };
    }
    let bits = compute.size() as i64 * 8;
    match op {
        BinaryOp::Add => map!(|a, b| a.wrapping_add(b)),
        BinaryOp::Sub => map!(|a, b| a.wrapping_sub(b)),
        BinaryOp::Mul => map!(|a, b| a.wrapping_mul(b)),
        BinaryOp::FloorDiv => divide!(|a, b| {
            let quotient = a.wrapping_div(b);
            if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
        }),
        BinaryOp::TruncDiv => divide!(|a, b| a.wrapping_div(b)),
        BinaryOp::Remainder => divide!(|a, b| {
            let rest = a.wrapping_rem(b);
            if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
        }),
        BinaryOp::Fmod => divide!(|a, b| a.wrapping_rem(b)),
        BinaryOp::Pow => map!(|a, b| integer_power(a, b)),
        BinaryOp::Maximum | BinaryOp::Fmax => map!(|a, b| a.max(b)),
        BinaryOp::Minimum | BinaryOp::Fmin => map!(|a, b| a.min(b)),
        BinaryOp::Axpy { alpha } => {
            let alpha = i64::from_scalar(alpha);
            map!(|a, b| a.wrapping_add(alpha.wrapping_mul(b)))
        }
        BinaryOp::Eq => map!(|a, b| (a == b) as i64),
        BinaryOp::Ne => map!(|a, b| (a != b) as i64),
        BinaryOp::Lt => map!(|a, b| (a < b) as i64),
        BinaryOp::Le => map!(|a, b| (a <= b) as i64),
        BinaryOp::Gt => map!(|a, b| (a > b) as i64),
        BinaryOp::Ge => map!(|a, b| (a >= b) as i64),
        BinaryOp::LogicalAnd => map!(|a, b| ((a != 0) & (b != 0)) as i64),
        BinaryOp::LogicalOr => map!(|a, b| ((a != 0) | (b != 0)) as i64),
        BinaryOp::LogicalXor => map!(|a, b| ((a != 0) ^ (b != 0)) as i64),
        BinaryOp::BitAnd => map!(|a, b| a & b),
        BinaryOp::BitOr => map!(|a, b| a | b),
        BinaryOp::BitXor => map!(|a, b| a ^ b),
        // A shift by a negative amount, or by at least the width, leaves nothing (or only the sign).
        BinaryOp::Shl => map!(|a, b| if b < 0 || b >= bits { 0 } else { a.wrapping_shl(b as u32) }),
        BinaryOp::Shr => map!(|a, b| a >> (if b < 0 || b >= bits { 63 } else { b })),
        BinaryOp::SquaredDifference => map!(|a, b| a.wrapping_sub(b).wrapping_mul(a.wrapping_sub(b))),
        BinaryOp::AbsDifference => map!(|a, b| a.wrapping_sub(b).wrapping_abs()),
        BinaryOp::ThresholdBackward { threshold } => {
            let threshold = i64::from_scalar(Scalar::Float(threshold));
            map!(|a, b| if b <= threshold { 0 } else { a })
        }
        BinaryOp::ClampBackward { min, max } => {
            let min = min.map_or(i64::MIN, i64::from_scalar);
            let max = max.map_or(i64::MAX, i64::from_scalar);
            map!(|a, b| if b > min && b < max { a } else { 0 })
        }
        _ => return Err(unsupported(op.name(), compute)),
    }
    if seen.into_inner() { Err(Fault::ZeroDivision) } else { Ok(()) }
}
