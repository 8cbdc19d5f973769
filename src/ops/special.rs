//! Special functions that are composed of several operators, and as differentiable as those are.

use crate::error::Result;
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops;
use crate::tensor::Tensor;

/// The derivative of `digamma`: reflection below 1/2, then six recurrence steps up, then the asymptotic series.
///
/// Source: trigamma in aten/src/ATen/native/Math.h in PyTorch 2.15.
pub fn trigamma(x: &Tensor) -> Result<Tensor> {
    use std::f64::consts::PI;
    let num = |op: BinaryOp, a: &Tensor, b: f64| ops::binary(op, &a.into(), &b.into());
    let from = |a: f64, b: &Tensor| ops::binary(BinaryOp::Sub, &a.into(), &b.into());
    let inverse_square = |t: &Tensor| ops::unary(UnaryOp::Reciprocal, &ops::mul(t, t)?);
    let low = num(BinaryOp::Lt, &x.detach(), 0.5)?;
    let mut y = ops::where_(&low, &from(1.0, x)?.into(), &x.into())?;
    let mut sum = inverse_square(&y)?;
    y = num(BinaryOp::Add, &y, 1.0)?;
    for _ in 1..6 {
        sum = ops::add(&sum, &inverse_square(&y)?)?;
        y = num(BinaryOp::Add, &y, 1.0)?;
    }
    let square = inverse_square(&y)?;
    let tail = from(1.0 / 30.0, &num(BinaryOp::Mul, &square, 1.0 / 42.0)?)?;
    let tail = ops::mul(&square, &from(1.0 / 6.0, &ops::mul(&square, &tail)?)?)?;
    let half = num(BinaryOp::Add, &ops::unary(UnaryOp::Reciprocal, &num(BinaryOp::Mul, &y, 2.0)?)?, 1.0)?;
    let sum = ops::add(&sum, &ops::div(&ops::add(&half, &tail)?, &y)?)?;
    // Elsewhere the sine may be 0, so a harmless value is used there, which has a derivative.
    let inside = ops::where_(&low, &x.into(), &0.5.into())?;
    let sine = ops::unary(UnaryOp::Sin, &num(BinaryOp::Mul, &inside, PI)?)?;
    let reflected = ops::sub(&num(BinaryOp::Mul, &inverse_square(&sine)?, PI * PI)?, &sum)?;
    ops::where_(&low, &reflected.into(), &sum.into())
}
