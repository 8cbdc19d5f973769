//! Cholesky factors, and QR by Householder reflections.

use smallvec::smallvec;

use super::{
    assign, batch, bin, block, check_float, check_info, check_square, first_bad, identity, in_one_kernel, mh, num,
    parts, real, solve, un, unbatch, with_lead,
};
use crate::autograd::{self, GradMode, Save};
use crate::dtype::Scalar;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, UnaryOp};
use crate::ops::{self, create, matmul, reduce, rows, view};
use crate::tensor::{Pin, Tensor};

// ---- Cholesky --------------------------------------------------------------------------------------------------------

/// `torch.linalg.cholesky` of matrices [..., n, n]: the lower factor L with `a = L L^H` or, with `upper`, `L^H`. Only that triangle
/// of `a` is read.
///
/// # Errors
/// Those of [`det`](super::det); matrices that aren't positive-definite.
pub fn cholesky(a: &Tensor, upper: bool) -> Result<Tensor> {
    check_square("linalg.cholesky", a)?;
    let out = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(&if upper { mh(a)? } else { a.clone() })?;
        let l = root(&flat)?;
        let good = num(BinaryOp::Gt, &ops::complex::real(&view::diagonal(&l, 0, 1, 2)?)?, 0.0)?;
        let message = |k| {
            format!(
                "The factorization could not be completed because the input is not positive-definite (the leading minor of order {k} is not positive-definite)."
            )
        };
        check_info(&first_bad(&un(UnaryOp::LogicalNot, &good)?)?, &lead, message, "linalg.cholesky")?;
        unbatch(&if upper { mh(&l)? } else { l }, &lead)?
    };
    if autograd::needs_grad([a]) {
        let save = [Save::Output(&out, 0)];
        autograd::record(rows::LINALG_CHOLESKY.node, &[Some(a)], &save, &[&out], move |ctx| {
            Ok(smallvec![Some(cholesky_grad(&ctx.saved[0], ctx.grad(), upper)?)])
        })?;
    }
    Ok(out)
}

/// The lower factors of `a`, [b, n, n], which may be overwritten. If a matrix isn't positive-definite, the first number of its diagonal
/// that isn't positive is in the row that says so.
fn root(a: &Tensor) -> Result<Tensor> {
    if in_one_kernel(a) {
        let out = Tensor::empty(&a.shape(), a.dtype(), a.device())?;
        let (x, to) = (parts(a)?, parts(&out)?);
        let (x, to) = (Pin::of(&x), Pin::of(&to));
        engine::current().launch(a.device(), &Kernel::Cholesky { x: x.view()?, out: to.view()? })?;
        return Ok(out);
    }
    let n = a.size(1);
    for k in 0..if real(a) { n } else { 0 } {
        let head = block(a, (k, k + 1), (k, k + 1))?;
        assign(&head, &un(UnaryOp::Sqrt, &ops::complex::real(&head)?)?)?;
        if k + 1 < n {
            let below = block(a, (k + 1, n), (k, k + 1))?;
            assign(&below, &ops::div(&below, &head)?)?;
            let rest = block(a, (k + 1, n), (k + 1, n))?;
            assign(&rest, &ops::sub(&rest, &ops::mul(&below, &mh(&below)?)?)?)?;
        }
    }
    ops::shape::triangle(a, false, 0)
}

/// The lower factors of matrices [..., n, n], outside the graph, whether they're positive-definite or not.
///
/// # Errors
/// Those of the device.
pub(crate) fn cholesky_factors(a: &Tensor) -> Result<Tensor> {
    let _no_grad = GradMode::set(false);
    let (flat, lead) = batch(a)?;
    with_lead(&root(&flat)?, &lead)
}

/// The gradient of [`cholesky`] for its `factor`, whose own gradient is `g`: L^-H phi(L^H g) L^-1, made symmetric. `phi` keeps the
/// lower triangle and half of the diagonal.
fn cholesky_grad(factor: &Tensor, g: &Tensor, upper: bool) -> Result<Tensor> {
    let (l, g) = if upper { (mh(factor)?, mh(g)?) } else { (factor.clone(), g.clone()) };
    let m = matmul::matmul(&mh(&l)?, &g)?;
    let low = ops::shape::triangle(&m, false, 0)?;
    let diagonal = ops::shape::diag_embed(&view::diagonal(&m, 0, -2, -1)?, 0, -2, -1)?;
    let phi = ops::sub(&low, &num(BinaryOp::Mul, &diagonal, 0.5)?)?;
    let phi = num(BinaryOp::Mul, &ops::add(&phi, &mh(&phi)?)?, 0.5)?;
    let left = solve(&mh(&l)?, &phi)?;
    mh(&solve(&mh(&l)?, &mh(&left)?)?)
}

// ---- QR --------------------------------------------------------------------------------------------------------------

/// `torch.linalg.qr` of matrices [..., m, n]: Q [..., m, k] with orthonormal columns and the upper triangle R [..., k, n]. In mode
/// `reduced`, k is the smaller of m and n; in mode `complete` it's m. In mode `r`, Q is an empty vector.
///
/// # Errors
/// An unknown mode; integer and half-precision dtypes; mode `r` for a tensor that needs a gradient.
pub fn qr(a: &Tensor, mode: &str) -> Result<(Tensor, Tensor)> {
    if !matches!(mode, "reduced" | "complete" | "r") {
        return Err(Error::runtime(format!(
            "qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )));
    }
    check_float("linalg.qr", a)?;
    let (m, n) = (a.size(a.ndim() - 2), a.size(a.ndim() - 1));
    let (q, r) = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(a)?;
        let (q, r) = householder(&flat, if mode == "complete" { m } else { m.min(n) })?;
        let q = if mode == "r" { create::zeros(&[0], a.dtype(), a.device())? } else { unbatch(&q, &lead)? };
        (q, unbatch(&r, &lead)?)
    };
    if autograd::needs_grad([a]) {
        if mode == "r" {
            return Err(Error::runtime(
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to require gradients.",
            ));
        }
        let complete = mode == "complete" && m > n;
        let save = [Save::Input(a), Save::Output(&q, 0), Save::Output(&r, 1)];
        autograd::record(rows::LINALG_QR.node, &[Some(a)], &save, &[&q, &r], move |ctx| {
            if complete {
                return Err(Error::runtime(
                    "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.",
                ));
            }
            let (a, q, r) = (&ctx.saved[0], &ctx.saved[1], &ctx.saved[2]);
            let or_zero = |g: &Option<Tensor>, t: &Tensor| match g {
                Some(g) => Ok(g.clone()),
                None => ops::zeros_like(t),
            };
            let (gq, gr) = (or_zero(&ctx.grads[0], q)?, or_zero(&ctx.grads[1], r)?);
            let gradient = if m >= n { qr_grad(q, r, &gq, &gr)? } else { wide_qr_grad(a, q, r, &gq, &gr)? };
            Ok(smallvec![Some(gradient)])
        })?;
    }
    Ok((q, r))
}

/// The gradient of matrices that have more columns than rows. A = [X | Y] and R = [U | V], where X = Q U is square and V = Q^H Y.
fn wide_qr_grad(a: &Tensor, q: &Tensor, r: &Tensor, gq: &Tensor, gr: &Tensor) -> Result<Tensor> {
    let (rows, columns) = (a.size(a.ndim() - 2) as i64, a.size(a.ndim() - 1) as i64);
    let left = |t: &Tensor| view::narrow(t, -1, 0, rows);
    let right = |t: &Tensor| view::narrow(t, -1, rows, columns - rows);
    let gv = right(gr)?;
    let gq = ops::add(gq, &matmul::matmul(&right(a)?, &mh(&gv)?)?)?;
    let gx = qr_grad(q, &left(r)?, &gq, &left(gr)?)?;
    ops::shape::cat(&[gx, matmul::matmul(q, &gv)?], -1)
}

/// The gradient for A = Q R with square R.
fn qr_grad(q: &Tensor, r: &Tensor, gq: &Tensor, gr: &Tensor) -> Result<Tensor> {
    let m = ops::sub(&matmul::matmul(r, &mh(gr)?)?, &matmul::matmul(&mh(gq)?, q)?)?;
    let low = ops::shape::triangle(&m, false, -1)?;
    let diagonal = ops::complex::real(&view::diagonal(&m, 0, -2, -1)?)?;
    let diagonal = ops::shape::diag_embed(&diagonal, 0, -2, -1)?;
    let symmetric = ops::add(&ops::add(&low, &mh(&low)?)?, &diagonal)?;
    let inner = ops::add(gq, &matmul::matmul(q, &symmetric)?)?;
    // inner @ R^-H, computed as the conjugate transpose of R^-1 inner^H.
    mh(&solve(r, &mh(&inner)?)?)
}

/// Q [b, m, columns] and R [b, columns, n] of matrices `a` [b, m, n], which are overwritten. Each step reflects a column so that only
/// its first element stays; R is what the reflections leave, and Q their product.
pub(super) fn householder(a: &Tensor, columns: usize) -> Result<(Tensor, Tensor)> {
    let (b, m, n) = (a.size(0), a.size(1), a.size(2));
    if in_one_kernel(a) {
        let q = Tensor::empty(&[b, m, columns], a.dtype(), a.device())?;
        let r = Tensor::empty(&[b, columns, n], a.dtype(), a.device())?;
        let (x, to_q, to_r) = (parts(a)?, parts(&q)?, parts(&r)?);
        let (x, to_q, to_r) = (Pin::of(&x), Pin::of(&to_q), Pin::of(&to_r));
        let kernel = Kernel::Orthogonalize { x: x.view()?, q: to_q.view()?, r: to_r.view()? };
        engine::current().launch(a.device(), &kernel)?;
        return Ok((q, r));
    }
    let mut reflections = Vec::new();
    let complex = a.dtype().is_complex();
    // The last row has no elements below it to clear, but a complex number on the diagonal is made real.
    for k in 0..if real(a) { n.min(if complex { m } else { m.saturating_sub(1) }) } else { 0 } {
        let alpha = block(a, (k, k + 1), (k, k + 1))?;
        let rest = block(a, (k + 1, m), (k, k + 1))?;
        // The column's norm, `joint`. Dividing by the larger part keeps its square from overflowing.
        let length = reduce::norm(&rest, 2.0, &[1], true, rows::NORM.node)?;
        let size = un(UnaryOp::Abs, &alpha)?;
        let (large, small) = (bin(BinaryOp::Maximum, &size, &length)?, bin(BinaryOp::Minimum, &size, &length)?);
        let ratio = ops::div(&small, &large)?;
        let root = un(UnaryOp::Sqrt, &num(BinaryOp::Add, &ops::mul(&ratio, &ratio)?, 1.0)?)?;
        let joint = ops::mul(&large, &root)?;
        // The opposite sign of `alpha`, so that `alpha - beta` loses no digits.
        let negative = num(BinaryOp::Lt, &ops::complex::real(&alpha)?, 0.0)?;
        let beta = ops::where_(&negative, &(&joint).into(), &un(UnaryOp::Neg, &joint)?.into())?;
        // There's nothing to do for a column that has zeros below the diagonal already.
        let mut cleared = num(BinaryOp::Eq, &length, 0.0)?;
        if complex {
            let on_axis = num(BinaryOp::Eq, &ops::complex::imag(&alpha)?, 0.0)?;
            cleared = bin(BinaryOp::LogicalAnd, &cleared, &on_axis)?;
        }
        let tau = ops::div(&ops::sub(&beta, &alpha)?, &beta)?;
        let tau = ops::where_(&cleared, &0.0.into(), &tau.into())?;
        let tail = ops::div(&rest, &ops::sub(&alpha, &beta)?)?;
        let tail = ops::where_(&cleared, &0.0.into(), &tail.into())?;
        let v = ops::shape::cat(&[ops::ones_like(&alpha)?, tail], 1)?;
        let beta = ops::where_(&cleared, &(&alpha).into(), &beta.into())?;
        if k + 1 < n {
            reflect(&block(a, (k, m), (k + 1, n))?, &v, &ops::complex::conjugate(&tau)?)?;
        }
        assign(&alpha, &beta)?;
        create::fill_data(&rest, Scalar::Float(0.0))?;
        reflections.push((v, tau));
    }
    let q = identity(b, m, columns, a)?;
    for (k, (v, tau)) in reflections.iter().enumerate().rev() {
        reflect(&block(&q, (k, m), (k, columns))?, v, tau)?;
    }
    Ok((q, ops::shape::triangle(&block(a, (0, columns.min(m)), (0, n))?, true, 0)?))
}

/// `part -= tau * v @ (v^H @ part)`, in place.
fn reflect(part: &Tensor, v: &Tensor, tau: &Tensor) -> Result<()> {
    let w = column_sums(&ops::mul(&ops::complex::conjugate(v)?, part)?)?;
    let t = ops::mul(&un(UnaryOp::Neg, tau)?, &w)?;
    assign(part, &ops::add(part, &ops::mul(v, &t)?)?)
}

/// The sums of columns [b, m, n] as [b, 1, n]. Short columns are added row by row in the tensor's precision, as in LAPACK,
/// so that small orthogonal initializations equal PyTorch's bit for bit.
fn column_sums(t: &Tensor) -> Result<Tensor> {
    const SHORT: usize = 16;
    let (m, n) = (t.size(1), t.size(2));
    if m > SHORT {
        return reduce::sum(t, &[1], true, None);
    }
    let mut total = block(t, (0, 1), (0, n))?;
    for i in 1..m {
        total = ops::add(&total, &block(t, (i, i + 1), (0, n))?)?;
    }
    Ok(total)
}
