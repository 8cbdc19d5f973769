//! Complex tensors: views of their parts, and tensors made from parts.
//!
//! Source of rules and texts: aten/src/ATen/native/ComplexHelper.h, TensorFactories.cpp and UnaryOps.cpp in PyTorch 2.15.

use smallvec::smallvec;

use super::create;
use super::elementwise::Side;
use crate::autograd::{self, Save};
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, rows};
use crate::shape::{self, Layout};
use crate::tensor::Tensor;

/// A recorded view with another dtype than the tensor's.
fn view_of(
    t: &Tensor,
    dtype: DType,
    layout: Layout,
    name: &'static str,
    backward: fn(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let v = t.alias_as(dtype, layout);
    autograd::mark_view(&v, t);
    if autograd::needs_grad([t]) {
        autograd::record(name, &[Some(t)], &[], &[&v], move |ctx| {
            Ok(smallvec![Some(backward(&create::contiguous(&resolve(ctx.grad())?)?)?)])
        })?;
    }
    Ok(v)
}

/// The layout of one part, counted in elements of that part: 0 is the real one.
fn part_layout(t: &Tensor, which: usize) -> Layout {
    let l = t.layout();
    let strides = l.strides.iter().map(|stride| stride * 2).collect();
    Layout { strides, shape: l.shape, offset: l.offset * 2 + which }
}

/// `t.real`: a view; for a real tensor, the tensor itself.
pub fn real(t: &Tensor) -> Result<Tensor> {
    match t.dtype().is_complex() {
        true => part(t, 0),
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
    part(t, 1)
}

/// One part as a view, made in the same way as in PyTorch.
fn part(t: &Tensor, which: usize) -> Result<Tensor> {
    let both = match (t.is_flipped(), which) {
        (false, _) => view_as_real(t)?,
        (true, 0) => view_as_real(&conj(t)?)?,
        (true, _) => neg_view(&view_as_real(&conj(t)?)?)?,
    };
    ops::view::select(&both, both.ndim() - 1, which as i64)
}

/// The memory of `t`, negated when it's read: `torch._neg_view(t)`.
pub(crate) fn neg_view(t: &Tensor) -> Result<Tensor> {
    flipped_view(t, "NegViewBackward0", neg_view)
}

/// A recorded view of the same memory that is negated when it's read, if `t` isn't.
fn flipped_view(t: &Tensor, name: &'static str, backward: fn(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let v = t.flip();
    autograd::mark_view(&v, t);
    if autograd::needs_grad([t]) {
        autograd::record(name, &[Some(t)], &[], &[&v], move |ctx| Ok(smallvec![Some(backward(ctx.grad())?)]))?;
    }
    Ok(v)
}

/// `t.resolve_conj()` and `t.resolve_neg()`: the tensor itself, or a copy without the bit.
pub(crate) fn resolve(t: &Tensor) -> Result<Tensor> {
    if t.is_flipped() { create::clone(t) } else { Ok(t.clone()) }
}

/// Both parts of each number as a last dimension of 2, outside the graph: a view, or a copy if they're negated when they're read.
pub(crate) fn pairs(t: &Tensor) -> Result<Tensor> {
    view_as_real(&t.resolved()?)
}

/// `torch.view_as_real(t)`: both parts as a last dimension of 2.
///
/// # Errors
/// Real tensors.
pub fn view_as_real(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return Err(Error::type_("view_as_real is only supported for complex tensors"));
    }
    if t.is_flipped() {
        return Err(Error::runtime(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.",
        ));
    }
    let mut layout = part_layout(t, 0);
    layout.shape.push(2);
    layout.strides.push(1);
    view_of(t, t.dtype().part(), layout, rows::VIEW_AS_REAL.node, view_as_complex)
}

/// Whether numbers of its dtype may be parts of complex numbers.
fn has_complex(t: &Tensor) -> bool {
    t.dtype().is_float() && t.dtype() != DType::BF16
}

/// `torch.view_as_complex(t)`: a last dimension of 2 as the two parts.
///
/// # Errors
/// Dtypes other than float32 and float64; layouts in which the parts aren't adjacent, or the real one isn't at an even
/// offset.
pub(crate) fn view_as_complex(t: &Tensor) -> Result<Tensor> {
    if t.dtype().is_complex() {
        return Err(Error::type_("view_as_complex is not supported for complex tensors"));
    }
    if !has_complex(t) {
        return Err(Error::not_implemented(format!(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {}",
            t.dtype().scalar_name()
        )));
    }
    if t.is_flipped() {
        return Err(Error::not_implemented(
            "view_as_complex of a tensor with the negative bit isn't supported here; call resolve_neg() first",
        ));
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
    view_of(t, dtype, layout, rows::VIEW_AS_COMPLEX.node, view_as_real)
}

/// A complex tensor with the broadcast shape of `a` and `b`. `f` fills its parts.
fn made(a: &Tensor, b: &Tensor, f: impl FnOnce(&Tensor, &Tensor) -> Result<()>) -> Result<Tensor> {
    if !(has_complex(a) && has_complex(b)) {
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
    let _no_grad = autograd::GradMode::set(false);
    let device = super::device::common(&[a, b])?;
    let shape = shape::broadcast(&a.shape(), &b.shape())?;
    let out = Tensor::empty_with(super::layout::elementwise(&shape, &[a, b], false), dtype, device, false)?;
    f(&real(&out)?, &imag(&out)?)?;
    Ok(out)
}

/// `torch.complex(real, imag)`.
///
/// # Errors
/// Dtypes that differ or aren't floats.
pub fn complex(re: &Tensor, im: &Tensor) -> Result<Tensor> {
    let out = made(re, im, |to_re, to_im| {
        ops::transfer::copy_data(to_re, re)?;
        ops::transfer::copy_data(to_im, im)
    })?;
    if autograd::needs_grad([re, im]) {
        let sides = [re, im].map(|t| Side::of(&t.into()));
        autograd::record(rows::COMPLEX.node, &[Some(re), Some(im)], &[], &[&out], move |ctx| {
            Ok(smallvec![
                if ctx.needs(0) { Some(sides[0].fit(&real(ctx.grad())?)?) } else { None },
                if ctx.needs(1) { Some(sides[1].fit(&imag(ctx.grad())?)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

/// `torch.polar(abs, angle)`, the angle in radians.
///
/// # Errors
/// As [`complex`].
pub(crate) fn polar(abs: &Tensor, angle: &Tensor) -> Result<Tensor> {
    let out = made(abs, angle, |to_re, to_im| {
        ops::transfer::copy_data(to_re, &ops::mul(abs, &ops::unary(UnaryOp::Cos, angle)?)?)?;
        ops::transfer::copy_data(to_im, &ops::mul(abs, &ops::unary(UnaryOp::Sin, angle)?)?)
    })?;
    if autograd::needs_grad([abs, angle]) {
        let sides = [abs, angle].map(|t| Side::of(&t.into()));
        let (inputs, save) = ([Some(abs), Some(angle)], [Save::Input(abs), Save::Input(angle)]);
        autograd::record(rows::POLAR.node, &inputs, &save, &[&out], move |ctx| {
            let (re, im) = (real(ctx.grad())?, imag(ctx.grad())?);
            let (abs, angle) = (&ctx.saved[0], &ctx.saved[1]);
            let (sin, cos) = (ops::unary(UnaryOp::Sin, angle)?, ops::unary(UnaryOp::Cos, angle)?);
            let mut grads = smallvec![None, None];
            if ctx.needs(0) {
                // As in PyTorch, along the result's own direction: a negative length turns it round.
                let along = ops::add(&ops::mul(&re, &cos)?, &ops::mul(&im, &sin)?)?;
                grads[0] = Some(sides[0].fit(&ops::mul(&along, &ops::unary(UnaryOp::Sign, abs)?)?)?);
            }
            if ctx.needs(1) {
                let across = ops::sub(&ops::mul(&im, &cos)?, &ops::mul(&re, &sin)?)?;
                grads[1] = Some(sides[1].fit(&ops::mul(&across, abs)?)?);
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// `torch.conj(t)`: a view that is negated when it's read; for a real tensor, the tensor itself.
pub fn conj(t: &Tensor) -> Result<Tensor> {
    match t.dtype().is_complex() {
        true => flipped_view(t, rows::CONJ.node, conj),
        false => Ok(t.clone()),
    }
}

/// `torch.conj_physical(t)`.
pub(crate) fn conj_physical(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return Ok(t.clone());
    }
    conjugate_named(t, rows::CONJ_PHYSICAL.node)
}

/// The conjugate in memory of its own, for operators that read it more than once. In the graph it's [`conj`].
pub(crate) fn conjugate(t: &Tensor) -> Result<Tensor> {
    if t.dtype().is_complex() { conjugate_named(t, rows::CONJ.node) } else { Ok(t.clone()) }
}

fn conjugate_named(t: &Tensor, node: &'static str) -> Result<Tensor> {
    let out = create::copy_of(&t.unflipped())?;
    if !t.is_flipped() {
        let _no_grad = autograd::GradMode::set(false);
        ops::elementwise::unary_(UnaryOp::Neg, &imag(&out)?)?;
    }
    if autograd::needs_grad([t]) {
        autograd::record(node, &[Some(t)], &[], &[&out], |ctx| Ok(smallvec![Some(conjugate(ctx.grad())?)]))?;
    }
    Ok(out)
}

/// `torch.sgn(t)`: for a real tensor, its sign; for a complex one, the number of size 1 in the same direction, or 0 for
/// 0.
pub(crate) fn sgn(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        return ops::elementwise::unary_named(UnaryOp::Sign, t, rows::SGN.node);
    }
    let (re, im) = (real(t)?, imag(t)?);
    // If the size is 0, the quotient has no derivative, so it's computed only where the size isn't 0.
    let size = ops::unary(UnaryOp::Abs, &t.detach())?;
    let zero = ops::binary(BinaryOp::Eq, &size.into(), &0.0.into())?;
    let safe = |part: &Tensor, at: f64| ops::where_(&zero, &at.into(), &part.into());
    let (x, y) = (safe(&re, 1.0)?, safe(&im, 0.0)?);
    let size = ops::binary(BinaryOp::Hypot, &(&x).into(), &(&y).into())?;
    let share = |part: &Tensor| ops::where_(&zero, &0.0.into(), &ops::div(part, &size)?.into());
    autograd::under(&complex(&share(&x)?, &share(&y)?)?, rows::SGN.node)
}

/// `torch.angle(t)` in radians; for a real tensor, 0, or pi where it's negative.
pub(crate) fn angle(t: &Tensor) -> Result<Tensor> {
    if !t.dtype().is_complex() {
        let out = angle_of_real(&t.detach())?;
        super::record_zero(rows::ANGLE.node, &[t], &out)?;
        return Ok(out);
    }
    let (re, im) = (real(&t.detach())?, imag(&t.detach())?);
    let out = ops::binary(BinaryOp::Atan2, &im.into(), &re.into())?;
    if autograd::needs_grad([t]) {
        autograd::record(rows::ANGLE.node, &[Some(t)], &[Save::Input(t)], &[&out], |ctx| {
            let (g, z) = (ctx.grad(), &ctx.saved[0]);
            let (re, im) = (real(z)?, imag(z)?);
            let square = ops::add(&ops::mul(&re, &re)?, &ops::mul(&im, &im)?)?;
            let zero = ops::binary(BinaryOp::Eq, &square.detach().into(), &0.0.into())?;
            let square = ops::where_(&zero, &1.0.into(), &square.into())?;
            let along = |part: &Tensor| ops::div(&ops::mul(g, part)?, &square);
            Ok(smallvec![Some(complex(&ops::unary(UnaryOp::Neg, &along(&im)?)?, &along(&re)?)?)])
        })?;
    }
    Ok(out)
}

fn angle_of_real(t: &Tensor) -> Result<Tensor> {
    let t = match t.dtype().is_float() {
        true => t.clone(),
        false => ops::transfer::cast(t, crate::engine::current().settings.default_dtype())?,
    };
    let negative = ops::binary(BinaryOp::Lt, &(&t).into(), &Scalar::Int(0).into())?;
    let angle = ops::where_(&negative, &std::f64::consts::PI.into(), &0.0.into())?;
    // NaN has neither a sign nor an angle.
    let angle = ops::transfer::cast(&angle, t.dtype())?;
    ops::where_(&ops::unary(UnaryOp::IsNan, &t)?, &(&t).into(), &angle.into())
}
