//! Eigenvalues of symmetric matrices and singular values, with their gradients.

use smallvec::smallvec;

use super::{
    batch, check_float, check_info, check_square, first_bad, in_one_kernel, jacobi, mh, num, parts, real, unbatch,
};
use crate::autograd::{self, GradMode, Gradients, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, ReduceOp, UnaryOp};
use crate::ops::{self, create, matmul, reduce, rows, view};
use crate::tensor::{Pin, Tensor};
use crate::trace::Why;

/// Eigenvalues in ascending order [b, n] and eigenvectors [b, n, n] of the symmetric matrices `a`, [b, n, n].
fn symmetric_eigen(a: &Tensor) -> Result<(Tensor, Tensor)> {
    if !in_one_kernel(a) {
        return jacobi::symmetric_eigen(a);
    }
    let (b, n) = (a.size(0), a.size(1));
    let values = Tensor::empty(&[b, n], a.dtype().part(), a.device())?;
    let vectors = Tensor::empty(&[b, n, n], a.dtype(), a.device())?;
    let (x, to) = (parts(a)?, parts(&vectors)?);
    let (x, y, z) = (Pin::of(&x), Pin::of(&values), Pin::of(&to));
    let kernel = Kernel::SymmetricEigen { x: x.view()?, values: y.view()?, vectors: z.view()? };
    engine::current().launch(a.device(), &kernel)?;
    Ok((values, vectors))
}

/// U, the singular values in descending order [b, k] and V of matrices [b, m, n]. With `full`, U and V are square; else they have
/// k = min(m, n) columns.
fn singular_values(a: &Tensor, full: bool) -> Result<(Tensor, Tensor, Tensor)> {
    let (b, m, n) = (a.size(0), a.size(1), a.size(2));
    if !in_one_kernel(a) {
        let (u, s, v) = jacobi::singular_values(&if m < n { mh(a)? } else { a.clone() }, full)?;
        return Ok(if m < n { (v, s, u) } else { (u, s, v) });
    }
    let k = m.min(n);
    let u = Tensor::empty(&[b, m, if full { m } else { k }], a.dtype(), a.device())?;
    let s = Tensor::empty(&[b, k], a.dtype().part(), a.device())?;
    let v = Tensor::empty(&[b, n, if full { n } else { k }], a.dtype(), a.device())?;
    let (x, to_u, to_v) = (parts(a)?, parts(&u)?, parts(&v)?);
    let (x, pu, ps, pv) = (Pin::of(&x), Pin::of(&to_u), Pin::of(&s), Pin::of(&to_v));
    let kernel = Kernel::SingularValues { x: x.view()?, u: pu.view()?, s: ps.view()?, v: pv.view()? };
    engine::current().launch(a.device(), &kernel)?;
    Ok((u, s, v))
}

/// Whether a result of a decomposition, [b, k], begins with NaN for any matrix. Read from the device, as LAPACK's report is.
fn has_failed(found: &Tensor) -> Result<bool> {
    let first = view::narrow(found, 1, 0, 1)?;
    let bytes = ops::transfer::to_host(&first, Why::Item)?;
    Ok((0..first.numel()).any(|i| ops::transfer::scalar_at(&bytes, first.dtype(), i).as_f64().is_nan()))
}

/// For each matrix of [b, m, n], a number above 0 if it contains NaN.
fn with_nan(a: &Tensor) -> Result<Vec<i64>> {
    first_bad(&reduce::logical(&ops::unary(UnaryOp::IsNan, a)?, ReduceOp::Any, &[2], false)?)
}

/// `torch.linalg.eigh`: eigenvalues and eigenvectors of symmetric matrices. Only one triangle is read.
///
/// # Errors
/// Those of [`det`](super::det); a triangle that is neither L nor U.
pub fn eigh(a: &Tensor, triangle: &str) -> Result<(Tensor, Tensor)> {
    check_square("linalg.eigh", a)?;
    let upper = match triangle {
        "L" | "l" => false,
        "U" | "u" => true,
        other => {
            return Err(Error::runtime(format!("Expected UPLO argument to be 'L' or 'U', but got {other}")));
        }
    };
    let (values, vectors) = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(a)?;
        let kept = ops::shape::triangle(&flat, upper, 0)?;
        let strict = ops::shape::triangle(&flat, upper, if upper { 1 } else { -1 })?;
        let kept = if flat.dtype().is_complex() {
            // Imaginary parts on the diagonal aren't read.
            let diagonal = ops::complex::real(&view::diagonal(&flat, 0, 1, 2)?)?;
            ops::add(&strict, &ops::shape::diag_embed(&diagonal, 0, -2, -1)?)?
        } else {
            kept
        };
        let (values, vectors) = symmetric_eigen(&ops::add(&kept, &mh(&strict)?)?)?;
        let n = flat.size(1);
        // LAPACK gives up on a matrix of NaN, but the eigenvalues of two rows have a formula.
        if real(&flat) && has_failed(&values)? && n > 2 {
            let text = |_| {
                format!(
                    "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues (error code: {}).",
                    n - 1
                )
            };
            check_info(&with_nan(&strict)?, &lead, text, "linalg.eigh")?;
        }
        (unbatch(&values, &lead)?, unbatch(&vectors, &lead)?)
    };
    if autograd::needs_grad([a]) {
        let save = [Save::Output(&values, 0), Save::Output(&vectors, 1)];
        autograd::record(rows::LINALG_EIGH.node, &[Some(a)], &save, &[&values, &vectors], |ctx| {
            let (l, v) = (&ctx.saved[0], &ctx.saved[1]);
            let mut inner = match &ctx.grads[1] {
                None => None,
                Some(g) => {
                    // The matrix is symmetric, and so is its gradient.
                    let x = matmul::matmul(&mh(v)?, g)?;
                    Some(off_diagonal(&num(BinaryOp::Mul, &ops::sub(&x, &mh(&x)?)?, 0.5)?, l)?)
                }
            };
            if let Some(g) = &ctx.grads[0] {
                let g = ops::shape::diag_embed(&ops::transfer::cast(g, v.dtype())?, 0, -2, -1)?;
                inner = Some(match inner {
                    Some(i) => ops::add(&i, &g)?,
                    None => g,
                });
            }
            let Some(inner) = inner else { return Ok(smallvec![None]) };
            Ok(smallvec![Some(matmul::matmul(v, &matmul::matmul(&inner, &mh(v)?)?)?)])
        })?;
    }
    Ok((values, vectors))
}

/// `x[i][j] / (d[j] - d[i])`, 0 on the diagonal.
fn off_diagonal(x: &Tensor, d: &Tensor) -> Result<Tensor> {
    let gaps = ops::sub(&view::unsqueeze(d, -2)?, &view::unsqueeze(d, -1)?)?;
    let n = d.size(d.ndim() - 1) as i64;
    let diagonal = create::eye(n, n, DType::Bool, d.device())?;
    let safe = ops::where_(&diagonal, &1.0.into(), &gaps.into())?;
    ops::where_(&diagonal, &0.0.into(), &ops::div(x, &safe)?.into())
}

/// `torch.linalg.svd`: U, the singular values in descending order, and V transposed.
///
/// # Errors
/// Integer and half-precision dtypes.
pub fn svd(a: &Tensor, full: bool) -> Result<(Tensor, Tensor, Tensor)> {
    check_float("linalg.svd", a)?;
    let (m, n) = (a.size(a.ndim() - 2), a.size(a.ndim() - 1));
    let (u, s, vh) = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(a)?;
        let (u, s, v) = singular_values(&flat, full)?;
        if real(&flat) && has_failed(&s)? {
            let text =
                |_| "The algorithm failed to converge because the input matrix contained non-finite values.".into();
            check_info(&with_nan(&flat)?, &lead, text, "linalg.svd")?;
        }
        (unbatch(&u, &lead)?, unbatch(&s, &lead)?, unbatch(&mh(&v)?, &lead)?)
    };
    if autograd::needs_grad([a]) {
        let save = [Save::Output(&u, 0), Save::Output(&s, 1), Save::Output(&vh, 2)];
        autograd::record(rows::LINALG_SVD.node, &[Some(a)], &save, &[&u, &s, &vh], move |ctx| {
            svd_backward(ctx, m.min(n) as i64).map(|g| smallvec![g] as Gradients)
        })?;
    }
    Ok((u, s, vh))
}

fn svd_backward(ctx: &autograd::Context<'_>, k: i64) -> Result<Option<Tensor>> {
    let (u, s) = (view::narrow(&ctx.saved[0], -1, 0, k)?, &ctx.saved[1]);
    let vh = view::narrow(&ctx.saved[2], -2, 0, k)?;
    let (gu, gs, gvh) = (&ctx.grads[0], &ctx.grads[1], &ctx.grads[2]);
    let gu = gu.as_ref().map(|g| view::narrow(g, -1, 0, k)).transpose()?;
    let gvh = gvh.as_ref().map(|g| view::narrow(g, -2, 0, k)).transpose()?;
    let squares = ops::mul(s, s)?;
    let (rows, columns) = (view::unsqueeze(s, -1)?, view::unsqueeze(s, -2)?);
    let skew = |x: &Tensor| -> Result<Tensor> { ops::sub(x, &mh(x)?) };
    let mut inner: Option<Tensor> = None;
    let complex = u.dtype().is_complex();
    let mut add = |t: Tensor| -> Result<()> {
        inner = Some(match inner.take() {
            Some(i) => ops::add(&i, &t)?,
            None => t,
        });
        Ok(())
    };
    if let Some(g) = &gu {
        let product = skew(&matmul::matmul(&mh(&u)?, g)?)?;
        let x = off_diagonal(&product, &squares)?;
        add(ops::mul(&x, &columns)?)?;
        if complex {
            // Both vectors of a pair may be multiplied by one number of size 1.
            let turn = ops::div(&view::diagonal(&product, 0, -2, -1)?, &num(BinaryOp::Mul, s, 2.0)?)?;
            add(ops::shape::diag_embed(&turn, 0, -2, -1)?)?;
        }
    }
    if let Some(g) = &gvh {
        let x = off_diagonal(&skew(&matmul::matmul(&vh, &mh(g)?)?)?, &squares)?;
        add(ops::mul(&rows, &x)?)?;
    }
    if let Some(g) = gs {
        add(ops::shape::diag_embed(&ops::transfer::cast(g, u.dtype())?, 0, -2, -1)?)?;
    }
    let Some(inner) = inner else { return Ok(None) };
    let mut out = matmul::matmul(&u, &matmul::matmul(&inner, &vh)?)?;
    // The parts of U's and V's gradients outside the spaces that U and V span.
    if let Some(g) = gu.filter(|_| u.size(u.ndim() - 2) as i64 > k) {
        let outside = ops::sub(&g, &matmul::matmul(&u, &matmul::matmul(&mh(&u)?, &g)?)?)?;
        out = ops::add(&out, &matmul::matmul(&ops::div(&outside, &columns)?, &vh)?)?;
    }
    if let Some(g) = gvh.filter(|_| vh.size(vh.ndim() - 1) as i64 > k) {
        let outside = ops::sub(&g, &matmul::matmul(&matmul::matmul(&g, &mh(&vh)?)?, &vh)?)?;
        out = ops::add(&out, &matmul::matmul(&u, &ops::div(&outside, &rows)?)?)?;
    }
    Ok(Some(out))
}
