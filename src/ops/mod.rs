//! The semantics of operators: shapes, promotion, devices, error messages, gradients. They launch kernels and never name an
//! executor.

#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

pub mod arith;
pub mod autocast;
pub mod complex;
pub mod contents;
pub mod create;
pub mod device;
pub mod distance;
pub mod dtypes;
pub mod einsum;
pub mod elementwise;
pub mod fft;
mod gradients;
pub mod index;
pub mod indexing;
pub(crate) mod layout;
pub mod linalg;
pub mod matmul;
pub mod nn;
pub mod optim;
pub mod print;
pub mod random;
pub mod reduce;
pub mod rows;
pub mod shape;
pub mod signature;
pub mod sort;
pub mod special;
pub mod transfer;
pub mod view;

pub use elementwise::{Arg, binary, binary_, ternary, unary, unary_, where_};
pub use gradients::{backward, backward_into, call_node, grad, record_zero, set_add_parts};
pub use view::sum_to;

use crate::dtype::Scalar;
use crate::error::Result;
use crate::executor::BinaryOp;
use crate::tensor::Tensor;

pub fn add(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    binary(BinaryOp::Add, &a.into(), &b.into())
}

pub fn sub(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    binary(BinaryOp::Sub, &a.into(), &b.into())
}

pub fn mul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    binary(BinaryOp::Mul, &a.into(), &b.into())
}

pub fn div(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    binary(BinaryOp::Div, &a.into(), &b.into())
}

/// `torch.zeros_like`.
pub fn zeros_like(t: &Tensor) -> Result<Tensor> {
    full_like(t, Scalar::Int(0))
}

/// `torch.ones_like`.
pub fn ones_like(t: &Tensor) -> Result<Tensor> {
    full_like(t, Scalar::Int(1))
}

/// `torch.full_like`.
pub(crate) fn full_like(t: &Tensor, value: Scalar) -> Result<Tensor> {
    let out = create::empty_like(t, t.dtype())?;
    create::fill_data(&out, value)?;
    Ok(out)
}
