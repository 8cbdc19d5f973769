//! Elementwise functions of three values.

use super::element::{Compute, with_compute};
use super::elementwise::{Input, map3};
use super::real::Real;
use super::span::Span;
use super::{Temporary, copy, unsupported};
use crate::dtype::DType;
use crate::executor::{Done, Operand, TernaryOp, View};

/// The cost of a transcendental function, in additions.
const DEAR: usize = 8;

pub(super) fn ternary(op: TernaryOp, operands: [&Operand<'_>; 3], compute: DType, out: &View<'_>) -> Done {
    let out = Span::new(out)?;
    if op == TernaryOp::Where {
        return choose(operands, compute, &out);
    }
    with_compute!(compute, C => {
        let [a, b, c] = operands;
        C::ternary(op, [Input::new(a, compute)?, Input::new(b, compute)?, Input::new(c, compute)?], compute, &out)
    })
}

/// `where`. A condition of floats is converted to bool first, because 0.5 would become 0 in an integer compute dtype.
fn choose([a, b, c]: [&Operand<'_>; 3], compute: DType, out: &Span) -> Done {
    let condition;
    let a = match a {
        Operand::View(view) if view.dtype.is_float() => {
            condition = Temporary::new(&view.shape, DType::Bool)?;
            copy::copy(&Span::new(view)?, condition.span());
            Condition::Span(condition.span().clone())
        }
        Operand::View(view) => Condition::Span(Span::new(view)?),
        Operand::Scalar(value) => Condition::Value(value.as_bool()),
    };
    with_compute!(compute, C => {
        let a = match a {
            Condition::Span(span) => Input::Span(span),
            Condition::Value(value) => Input::Value(if value { C::ONE } else { C::default() }),
        };
        let inputs = [a, Input::new(b, compute)?, Input::new(c, compute)?];
        map3(out, inputs, super::element::widest(compute), 1, #[inline(always)] move |a: C, b, c| if a != C::default() { b } else { c });
        Ok(())
    })
}

enum Condition {
    Span(Span),
    Value(bool),
}

/// The operators that a compute type has. All others are unsupported.
trait Ternary: Compute {
    fn ternary(op: TernaryOp, inputs: [Input<Self>; 3], compute: DType, out: &Span) -> Done;
}

impl Ternary for f32 {
    fn ternary(op: TernaryOp, inputs: [Input<f32>; 3], compute: DType, out: &Span) -> Done {
        real(op, inputs, compute, out)
    }
}

impl Ternary for f64 {
    fn ternary(op: TernaryOp, inputs: [Input<f64>; 3], compute: DType, out: &Span) -> Done {
        real(op, inputs, compute, out)
    }
}

impl Ternary for i64 {
    fn ternary(op: TernaryOp, inputs: [Input<i64>; 3], compute: DType, out: &Span) -> Done {
        macro_rules! map {
            (|$a:ident, $b:ident, $c:ident| $f:expr) => {
                map3(
                    out,
                    inputs,
                    compute,
                    1,
                    #[inline(always)]
                    move |$a: i64, $b: i64, $c: i64| $f,
                )
            };
        }
        match op {
            TernaryOp::Addcmul { value } => {
                let value = i64::from_scalar(value);
                map!(|a, b, c| a.wrapping_add(value.wrapping_mul(b).wrapping_mul(c)))
            }
            TernaryOp::Clamp => map!(|a, b, c| a.max(b).min(c)),
            _ => return Err(unsupported(op.name(), compute)),
        }
        Ok(())
    }
}

fn real<C: Real>(op: TernaryOp, inputs: [Input<C>; 3], compute: DType, out: &Span) -> Done {
    let zero = C::of(0.0);
    let one = C::of(1.0);
    let half = C::of(0.5);
    macro_rules! cheap {
        (|$a:ident, $b:ident, $c:ident| $f:expr) => {
            map3(
                out,
                inputs,
                compute,
                1,
                #[inline(always)]
                move |$a: C, $b: C, $c: C| $f,
            )
        };
    }
    match op {
        TernaryOp::Where => return Err(unsupported(op.name(), compute)),
        TernaryOp::Lerp => {
            cheap!(|a, b, c| if c.abs() < half { a + c * (b - a) } else { b - (b - a) * (one - c) })
        }
        TernaryOp::Addcmul { value } => {
            let value = C::from_scalar(value);
            cheap!(|a, b, c| a + value * b * c)
        }
        TernaryOp::Addcdiv { value } => {
            let value = C::from_scalar(value);
            cheap!(|a, b, c| a + value * b / c)
        }
        TernaryOp::Clamp => cheap!(|a, b, c| a.maximum(b).minimum(c)),
        TernaryOp::MseBackward { factor } => {
            let factor = C::of(2.0 * factor);
            cheap!(|a, b, c| factor * (b - c) * a)
        }
        TernaryOp::L1Backward { factor } => {
            let factor = C::of(factor);
            cheap!(|a, b, c| {
                let sign = (if b > c { one } else { zero }) - (if b < c { one } else { zero });
                sign * a * factor
            })
        }
        TernaryOp::SmoothL1Backward { beta, factor } => {
            let (beta, factor) = (C::of(beta), C::of(factor));
            cheap!(|a, b, c| {
                let x = b - c;
                if x <= -beta {
                    -factor * a
                } else if x >= beta {
                    factor * a
                } else {
                    factor * x * a / beta
                }
            })
        }
        TernaryOp::HuberBackward { delta, factor } => {
            let (delta, factor) = (C::of(delta), C::of(factor));
            cheap!(|a, b, c| {
                let x = b - c;
                if x < -delta {
                    -factor * a * delta
                } else if x > delta {
                    factor * a * delta
                } else {
                    factor * x * a
                }
            })
        }
        TernaryOp::BinaryCrossEntropyBackward { factor } => {
            let (factor, floor) = (C::of(factor), C::of(1e-12));
            cheap!(|a, b, c| {
                let slope = (one - b) * b;
                let slope = if slope < floor { floor } else { slope };
                a * (b - c) / slope * factor
            })
        }
        TernaryOp::BinaryCrossEntropyWithLogitsBackward { factor } => {
            let factor = C::of(factor);
            map3(
                out,
                inputs,
                compute,
                DEAR,
                #[inline(always)]
                move |a: C, b: C, c: C| (b.sigmoid() - c) * a * factor,
            )
        }
    }
    Ok(())
}
