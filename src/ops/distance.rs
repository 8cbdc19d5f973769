//! Distances and similarities between vectors.

use crate::error::{Error, Result};
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, device, rows};
use crate::tensor::Tensor;

/// `torch.cdist(x1, x2, p)`: distances between rows, batched.
///
/// # Errors
/// Fewer than two dimensions; rows of different lengths.
pub fn cdist(x1: &Tensor, x2: &Tensor, p: f64) -> Result<Tensor> {
    device::checked(&rows::CDIST, &[Some(x1), Some(x2)])?;
    if x1.ndim() < 2 || x2.ndim() < 2 {
        let (name, n) = if x1.ndim() < 2 { ("X1", x1.ndim()) } else { ("X2", x2.ndim()) };
        return Err(Error::runtime(format!("cdist only supports at least 2D tensors, {name} got: {n}D")));
    }
    let (a, b) = (x1.size(x1.ndim() - 1), x2.size(x2.ndim() - 1));
    if a != b {
        return Err(Error::runtime(format!("X1 and X2 must have the same number of columns. X1: {a} X2: {b}")));
    }
    for (name, t) in [("X1", x1), ("X2", x2)] {
        if !t.dtype().is_float() {
            return Err(Error::runtime(format!(
                "cdist only supports floating-point dtypes, {name} got: {}",
                t.dtype().scalar_name()
            )));
        }
    }
    ops::dtypes::takes(&rows::CDIST, x1)?;
    let gap = ops::sub(&ops::view::unsqueeze(x1, -2)?, &ops::view::unsqueeze(x2, -3)?)?;
    ops::reduce::norm(&gap, p, &[-1], false, rows::CDIST.node)
}

/// `F.pairwise_distance`.
pub fn pairwise(x1: &Tensor, x2: &Tensor, p: f64, eps: f64, keep: bool) -> Result<Tensor> {
    let gap = ops::binary(BinaryOp::Add, &ops::sub(x1, x2)?.into(), &eps.into())?;
    ops::reduce::norm(&gap, p, &[-1], keep, rows::nodes::NORM_DIM)
}

/// `F.cosine_similarity`: each norm is at least `eps`.
pub fn cosine_similarity(x1: &Tensor, x2: &Tensor, dim: i64, eps: f64) -> Result<Tensor> {
    device::common(&[x1, x2])?;
    let common = ops::elementwise::result_type(&[&x1.into(), &x2.into()])?;
    if !common.is_float() {
        return Err(Error::runtime(format!(
            "expected common dtype to be floating point, yet common dtype is {}",
            common.scalar_name()
        )));
    }
    let cast = |x: &Tensor| ops::transfer::cast(x, common);
    let list = ops::shape::broadcast_tensors(&[cast(x1)?, cast(x2)?])?;
    let unit = |x: &Tensor| -> Result<Tensor> {
        let norm = ops::reduce::norm(x, 2.0, &[dim], true, rows::NORM.node)?;
        ops::div(x, &ops::arith::clamp(&norm, Some(eps.into()), None)?)
    };
    ops::reduce::sum(&ops::mul(&unit(&list[0])?, &unit(&list[1])?)?, &[dim], false, None)
}

/// `F.normalize`.
pub fn normalize(x: &Tensor, p: f64, dim: i64, eps: f64) -> Result<Tensor> {
    let norm = ops::reduce::norm(x, p, &[dim], true, rows::NORM.node)?;
    let norm = ops::unary(UnaryOp::Clamp { min: Some(eps.into()), max: None }, &norm)?;
    ops::div(x, &norm)
}
