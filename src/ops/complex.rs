//! Complex tensors: their parts as views, and what is made of parts.
//!
//! Source of rules and texts: aten/src/ATen/native/ComplexHelper.h, TensorFactories.cpp and UnaryOps.cpp in PyTorch 2.15.

use super::create;
use crate::autograd;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops;
use crate::shape::{self, Layout};
use crate::tensor::Tensor;

/// A view of other elements than the tensor's own, outside the graph.
///
/// # Errors
/// A tensor whose history would have to go on through it.
fn view_of(t: &Tensor, dtype: DType, layout: Layout, name: &str) -> Result<Tensor> {
    if autograd::needs_grad([t]) {
        return Err(Error::not_implemented(format!("autograd of {dtype} views of {} tensors ({name})", t.dtype())));
    }
    let v = t.alias_as(dtype, layout);
    autograd::mark_view(&v, t);
    Ok(v)
}

/// The layout of one part in elements of that part: 0 is the real one.
fn part_layout(t: &Tensor, which: usize) -> Layout {
    let l = t.layout();
    let strides = l.strides.iter().map(|stride| stride * 2).collect();
    Layout { strides, shape: l.shape, offset: l.offset * 2 + which }
}

/// `t.real`: a view; of a real tensor itself.
pub fn real(t: &Tensor) -> Result<Tensor> {
    match t.dtype().is_complex() {
        true => view_of(t, t.dtype().part(), part_layout(t, 0), "real"),
        false => Ok(t.clone()),
    }
}

/// `t.imag`, a view.
///
/// # Errors
/// Real tensors.
pub fn imag(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return Err(Error::type_("imag is not implemented for tensors with non-complex dtypes."));
    }
    view_of(t, t.dtype().part(), part_layout(t, 1), "imag")
}

/// `torch.view_as_real(t)`: both parts as a last dimension of 2.
///
/// # Errors
/// Real tensors.
pub fn view_as_real(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return Err(Error::type_("view_as_real is only supported for complex tensors"));
    }
    let mut layout = part_layout(t, 0);
    layout.shape.push(2);
    layout.strides.push(1);
    view_of(t, t.dtype().part(), layout, "view_as_real")
}

/// `torch.view_as_complex(t)`: a last dimension of 2 as the two parts.
///
/// # Errors
/// Dtypes other than float32 and float64; layouts in which parts do not lie side by side, the real one at an even place.
pub fn view_as_complex(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_float() {
        return Err(Error::not_implemented(format!(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {}",
            t.dtype().scalar_name()
        )));
    }
    let dtype = t.dtype().complex()?;
    let mut layout = t.layout();
    let Some(size) = layout.shape.pop() else {
        return Err(Error::runtime("Input tensor must have one or more dimensions"));
    };
    if size != 2 {
        return Err(Error::runtime("Tensor must have a last dimension of size 2"));
    }
    if layout.strides.pop() != Some(1) {
        return Err(Error::runtime("Tensor must have a last dimension with stride 1"));
    }
    if !layout.strides.iter().all(|stride| stride.is_multiple_of(2)) {
        return Err(Error::runtime("Tensor must have a stride divisible by 2 for all but last dimension"));
    }
    if !layout.offset.is_multiple_of(2) {
        return Err(Error::runtime("Tensor must have a storage_offset divisible by 2"));
    }
    layout.strides.iter_mut().for_each(|stride| *stride /= 2);
    layout.offset /= 2;
    view_of(t, dtype, layout, "view_as_complex")
}

/// A complex tensor whose parts `f` fills, of the shape that `a` and `b` broadcast to.
fn made(a: &Tensor, b: &Tensor, name: &str, f: impl FnOnce(&Tensor, &Tensor) -> Result<()>) -> Result<Tensor> {
    if !(a.dtype().is_float() && b.dtype().is_float()) {
        return Err(Error::not_implemented(format!(
            "Expected both inputs to be Half, Float or Double tensors but got {} and {}",
            a.dtype().scalar_name(),
            b.dtype().scalar_name()
        )));
    }
    if a.dtype() != b.dtype() {
        return Err(Error::runtime(format!(
            "Expected object of scalar type {} but got scalar type {} for second argument",
            a.dtype().scalar_name(),
            b.dtype().scalar_name()
        )));
    }
    let dtype = a.dtype().complex()?;
    if autograd::needs_grad([a, b]) {
        return Err(Error::not_implemented(format!("autograd of {dtype} tensors ({name})")));
    }
    let device = super::device::common(&[a, b])?;
    let out = Tensor::empty(&shape::broadcast(&a.shape(), &b.shape())?, dtype, device)?;
    f(&real(&out)?, &imag(&out)?)?;
    Ok(out)
}

/// `torch.complex(real, imag)`.
///
/// # Errors
/// Dtypes that differ or are no floats; tensors that require gradients.
pub fn complex(re: &Tensor, im: &Tensor) -> Result<Tensor> {
    made(re, im, "complex", |to_re, to_im| {
        ops::transfer::copy_data(to_re, re)?;
        ops::transfer::copy_data(to_im, im)
    })
}

/// `torch.polar(abs, angle)`, the angle in radians.
///
/// # Errors
/// As [`complex`].
pub fn polar(abs: &Tensor, angle: &Tensor) -> Result<Tensor> {
    made(abs, angle, "polar", |to_re, to_im| {
        ops::transfer::copy_data(to_re, &ops::mul(abs, &ops::unary(UnaryOp::Cos, angle)?)?)?;
        ops::transfer::copy_data(to_im, &ops::mul(abs, &ops::unary(UnaryOp::Sin, angle)?)?)
    })
}

/// `torch.conj_physical(t)`, and `t.conj()`, which PyTorch answers with a view that remembers to negate; here it is a copy.
/// A real tensor is its own.
///
/// # Errors
/// Tensors that require gradients.
pub fn conj(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return Ok(t.clone());
    }
    let out = create::clone(t)?;
    let im = imag(&out)?;
    ops::transfer::copy_data(&im, &ops::unary(UnaryOp::Neg, &imag(t)?)?)?;
    Ok(out)
}

/// `torch.angle(t)` in radians: of a real tensor 0, or pi where it is negative.
pub fn angle(t: &Tensor) -> Result<Tensor> {
    if t.dtype().is_complex() {
        return ops::binary(BinaryOp::Atan2, &imag(t)?.into(), &real(t)?.into());
    }
    if autograd::needs_grad([t]) {
        return Err(Error::not_implemented(format!("autograd of angle of {} tensors", t.dtype())));
    }
    let t = match t.dtype().is_float() {
        true => t.clone(),
        false => ops::transfer::cast(t, crate::engine::current().default_dtype())?,
    };
    let negative = ops::binary(BinaryOp::Lt, &(&t).into(), &Scalar::Int(0).into())?;
    let angle = ops::where_(&negative, &std::f64::consts::PI.into(), &0.0.into())?;
    // NaN has no sign, and no angle.
    let angle = ops::transfer::cast(&angle, t.dtype())?;
    ops::where_(&ops::unary(UnaryOp::IsNan, &t)?, &(&t).into(), &angle.into())
}
