//! Eigenvalues of matrices that needn't be symmetric.

use smallvec::smallvec;

use super::{batch, check_square, mh, num, real, solve, unbatch};
use crate::autograd::{self, Context, GradMode, Gradients, Save};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, ReduceOp, UnaryOp};
use crate::ops::{self, create, matmul, reduce, rows, view};
use crate::tensor::{Pin, Tensor};
use crate::trace::Why;

/// `torch.linalg.eig`: eigenvalues and eigenvectors, always complex. Errors call it `name`.
///
/// # Errors
/// Those of [`det`](super::det); numbers that aren't finite.
pub fn eig(a: &Tensor, name: &str) -> Result<(Tensor, Tensor)> {
    if a.dtype().is_integral() {
        return Err(Error::runtime(format!("Unknown Complex ScalarType for {}", a.dtype().scalar_name())));
    }
    check_square(name, a)?;
    let (values, vectors) = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(a)?;
        if real(&flat) {
            let finite = reduce::logical(&ops::unary(UnaryOp::IsFinite, &flat)?, ReduceOp::All, &[], false)?;
            if !ops::transfer::item(&finite, Why::Item)?.as_bool() {
                return Err(Error::runtime("torch.linalg.eig: input tensor should not contain infs or NaNs."));
            }
        }
        let (values, vectors) = decompose(&flat)?;
        (unbatch(&values, &lead)?, unbatch(&vectors, &lead)?)
    };
    if autograd::needs_grad([a]) {
        let is_complex = a.dtype().is_complex();
        let save = [Save::Output(&values, 0), Save::Output(&vectors, 1)];
        autograd::record(rows::LINALG_EIG.node, &[Some(a)], &save, &[&values, &vectors], move |ctx| {
            eig_backward(ctx, is_complex)
        })?;
    }
    Ok((values, vectors))
}

fn decompose(a: &Tensor) -> Result<(Tensor, Tensor)> {
    let (b, n, dtype) = (a.size(0), a.size(1), a.dtype());
    let complex = if dtype.is_complex() { dtype } else { dtype.complex()? };
    let values = Tensor::empty(&[b, n], complex, a.device())?;
    let vectors = Tensor::empty(&[b, n, n], complex, a.device())?;
    if real(a) {
        let parts = |t: &Tensor| ops::complex::pairs(t);
        let x = if dtype.is_complex() { parts(a)? } else { a.clone() };
        let (to_values, to_vectors) = (parts(&values)?, parts(&vectors)?);
        let (x, y, z) = (Pin::of(&x), Pin::of(&to_values), Pin::of(&to_vectors));
        let kernel = Kernel::Eigen { x: x.view()?, values: y.view()?, vectors: z.view()? };
        engine::current().launch(a.device(), &kernel)?;
    }
    Ok((values, vectors))
}

/// `linalg_eig_backward` of torch/csrc/autograd/FunctionsManual.cpp in PyTorch 2.15, after Boeddeker, Hanebrink, Drude, Heymann and
/// Haeb-Umbach (2017).
fn eig_backward(ctx: &Context<'_>, is_complex: bool) -> Result<Gradients> {
    let (l, v) = (&ctx.saved[0], &ctx.saved[1]);
    let by = |x: &Tensor, y: &Tensor| matmul::matmul(x, y);
    let along = |d: &Tensor| ops::shape::diag_embed(d, 0, -2, -1);
    let vh = mh(v)?;
    let mut inner = None;
    if let Some(g) = &ctx.grads[1] {
        let across = by(&vh, g)?;
        let diagonal = view::diagonal(&across, 0, -2, -1)?;
        check_invariant(&diagonal, v)?;
        // Eigenvectors keep length 1, so what would change it doesn't count.
        let kept = ops::mul(&by(&vh, v)?, &view::unsqueeze(&ops::complex::real(&diagonal)?, -2)?)?;
        let across = ops::sub(&across, &kept)?;
        let gaps = ops::complex::conjugate(&ops::sub(&view::unsqueeze(l, -2)?, &view::unsqueeze(l, -1)?)?)?;
        let n = l.size(l.ndim() - 1) as i64;
        let own = create::eye(n, n, crate::dtype::DType::Bool, l.device())?;
        let gaps = ops::where_(&own, &1.0.into(), &gaps.into())?;
        inner = Some(ops::where_(&own, &0.0.into(), &ops::div(&across, &gaps)?.into())?);
    }
    if let Some(g) = &ctx.grads[0] {
        inner = Some(match inner {
            Some(inner) => ops::add(&inner, &along(g)?)?,
            None => along(g)?,
        });
    }
    let Some(inner) = inner else { return Ok(smallvec![None]) };
    let out = solve(&vh, &by(&inner, &vh)?)?;
    Ok(smallvec![Some(if is_complex { out } else { ops::complex::real(&out)? })])
}

/// A loss that depends on the phase of an eigenvector has no gradient.
fn check_invariant(diagonal: &Tensor, v: &Tensor) -> Result<()> {
    if v.numel() == 0 || v.device().is_meta() {
        return Ok(());
    }
    let imaginary = ops::unary(UnaryOp::Abs, &ops::complex::imag(&diagonal.detach())?)?;
    let bound = if v.dtype().part() == crate::dtype::DType::F64 { 1e-5 } else { 1e-2 };
    let size = num(BinaryOp::Add, &ops::unary(UnaryOp::Abs, &ops::complex::real(&diagonal.detach())?)?, 1.0)?;
    let beyond = ops::binary(BinaryOp::Gt, &imaginary.into(), &num(BinaryOp::Mul, &size, bound)?.into())?;
    let any = reduce::logical(&beyond, ReduceOp::Any, &[], false)?;
    if ops::transfer::item(&any, Why::Item)?.as_bool() {
        return Err(Error::runtime(
            "linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined.",
        ));
    }
    Ok(())
}
