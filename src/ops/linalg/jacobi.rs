//! Jacobi rotations: eigenvalues of symmetric matrices and singular values for executors that have no kernel for them. The
//! rotations of one round are kernels that every executor has.

use super::orthogonal::householder;
use super::{block, identity, num, real, un};
use crate::dtype::DType;
use crate::error::Result;
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, create, index, reduce, rows, view};
use crate::tensor::Tensor;

/// The number of sweeps over all pairs after which more gain nothing in f32 or f64. Convergence is quadratic at the
/// end.
fn sweeps(dtype: DType) -> usize {
    if dtype.part() == DType::F64 { 14 } else { 10 }
}

/// Cosine and sine of the rotations that diagonalize [[p, w], [w, q]]. All have one shape.
fn rotation(p: &Tensor, q: &Tensor, w: &Tensor) -> Result<(Tensor, Tensor)> {
    let theta = ops::div(&ops::sub(q, p)?, &num(BinaryOp::Mul, w, 2.0)?)?;
    let root = un(UnaryOp::Sqrt, &num(BinaryOp::Add, &ops::mul(&theta, &theta)?, 1.0)?)?;
    let size = un(UnaryOp::Reciprocal, &ops::add(&un(UnaryOp::Abs, &theta)?, &root)?)?;
    let negative = num(BinaryOp::Lt, &theta, 0.0)?;
    let t = ops::where_(&negative, &un(UnaryOp::Neg, &size)?.into(), &size.into())?;
    let done = num(BinaryOp::Eq, w, 0.0)?;
    let t = ops::where_(&done, &0.0.into(), &t.into())?;
    let c = un(UnaryOp::Rsqrt, &num(BinaryOp::Add, &ops::mul(&t, &t)?, 1.0)?)?;
    let s = ops::mul(&t, &c)?;
    Ok((c, s))
}

/// What the second of two complex vectors has to be multiplied by for their product `w` to become real and positive, and its
/// size. `None` for real numbers.
fn phase(w: &Tensor) -> Result<(Option<Tensor>, Tensor)> {
    if !w.dtype().is_complex() {
        return Ok((None, w.clone()));
    }
    let size = un(UnaryOp::Abs, w)?;
    let none = num(BinaryOp::Eq, &size, 0.0)?;
    let turn = ops::where_(&none, &1.0.into(), &ops::div(&ops::complex::conjugate(w)?, &size)?.into())?;
    Ok((Some(turn), size))
}

/// Rotates the first half of `t` along `dim` against the second half, then moves every entry to the next position, as in a
/// round-robin tournament: after `n - 1` rounds every two have been paired once, and all are back in place.
fn round(t: &Tensor, dim: i64, turn: Option<&Tensor>, c: &Tensor, s: &Tensor) -> Result<Tensor> {
    let half = (t.size(crate::shape::size(dim)?) / 2) as i64;
    let (p, mut q) = (view::narrow(t, dim, 0, half)?, view::narrow(t, dim, half, half)?);
    if let Some(turn) = turn {
        q = ops::mul(&q, turn)?;
    }
    let first = ops::sub(&ops::mul(c, &p)?, &ops::mul(s, &q)?)?;
    let second = ops::add(&ops::mul(s, &p)?, &ops::mul(c, &q)?)?;
    if half == 1 {
        return ops::shape::cat(&[first, second], dim);
    }
    let part = |t: &Tensor, start: i64, length: i64| view::narrow(t, dim, start, length);
    ops::shape::cat(
        &[
            part(&first, 0, 1)?,
            part(&second, 0, 1)?,
            part(&first, 1, half - 2)?,
            part(&second, 1, half - 1)?,
            part(&first, half - 1, 1)?,
        ],
        dim,
    )
}

/// `t` with zeros appended along `dim` if its size is odd.
fn even(t: &Tensor, dim: usize) -> Result<Tensor> {
    if t.size(dim).is_multiple_of(2) {
        return Ok(t.clone());
    }
    let mut shape = t.shape();
    shape[dim] = 1;
    ops::shape::cat(&[t.clone(), create::zeros(&shape, t.dtype(), t.device())?], dim as i64)
}

/// Eigenvalues in ascending order [b, n] and eigenvectors [b, n, n] of symmetric matrices.
pub(super) fn symmetric_eigen(a: &Tensor) -> Result<(Tensor, Tensor)> {
    let n = a.size(1);
    let mut d = even(&even(a, 1)?, 2)?;
    let even_n = d.size(1);
    let half = even_n / 2;
    let mut v = identity(d.size(0), even_n, even_n, &d)?;
    for _ in 0..if real(a) && n > 1 { sweeps(a.dtype()) * (even_n - 1) } else { 0 } {
        let diagonal = view::diagonal(&d, 0, 1, 2)?;
        let p = ops::complex::real(&view::narrow(&diagonal, 1, 0, half as i64)?)?;
        let q = ops::complex::real(&view::narrow(&diagonal, 1, half as i64, half as i64)?)?;
        let w = view::diagonal(&block(&d, (0, half), (half, even_n))?, 0, 1, 2)?;
        let (turn, w) = phase(&w)?;
        let (c, s) = rotation(&p, &q, &w)?;
        let (rc, rs) = (view::unsqueeze(&c, 2)?, view::unsqueeze(&s, 2)?);
        let (cc, cs) = (view::unsqueeze(&c, 1)?, view::unsqueeze(&s, 1)?);
        let columns = turn.as_ref().map(|t| view::unsqueeze(t, 1)).transpose()?;
        let rows = turn.map(|t| ops::complex::conjugate(&view::unsqueeze(&t, 2)?)).transpose()?;
        d = round(&round(&d, 1, rows.as_ref(), &rc, &rs)?, 2, columns.as_ref(), &cc, &cs)?;
        v = round(&v, 2, columns.as_ref(), &cc, &cs)?;
    }
    let values = ops::complex::real(&view::narrow(&view::diagonal(&d, 0, 1, 2)?, 1, 0, n as i64)?)?;
    let vectors = block(&v, (0, n), (0, n))?;
    let (values, order) = ops::sort::sort(&values, 1, false)?;
    Ok((values, index::gather(&vectors, 2, &spread_rows(&order, n)?)?))
}

/// An order of columns [b, k] as an index for gathering them: [b, n, k].
fn spread_rows(order: &Tensor, n: usize) -> Result<Tensor> {
    view::expand(&view::unsqueeze(order, 1)?, &[order.size(0) as i64, n as i64, order.size(1) as i64])
}

/// Rotates the columns of [b, m, n], m >= n, until they are orthogonal: U, singular values, V.
pub(super) fn singular_values(a: &Tensor, full: bool) -> Result<(Tensor, Tensor, Tensor)> {
    let (m, n) = (a.size(1), a.size(2));
    let mut w = even(a, 2)?;
    let columns = w.size(2);
    let half = (columns / 2) as i64;
    let mut v = identity(a.size(0), columns, columns, a)?;
    for _ in 0..if real(a) && n > 1 { sweeps(a.dtype()) * (columns - 1) } else { 0 } {
        let (p, q) = (view::narrow(&w, 2, 0, half)?, view::narrow(&w, 2, half, half)?);
        let dot = |x: &Tensor, y: &Tensor| reduce::sum(&ops::mul(&ops::complex::conjugate(x)?, y)?, &[1], true, None);
        let (turn, product) = phase(&dot(&p, &q)?)?;
        let (pp, qq) = (ops::complex::real(&dot(&p, &p)?)?, ops::complex::real(&dot(&q, &q)?)?);
        let (c, s) = rotation(&pp, &qq, &product)?;
        w = round(&w, 2, turn.as_ref(), &c, &s)?;
        v = round(&v, 2, turn.as_ref(), &c, &s)?;
    }
    let w = view::narrow(&w, 2, 0, n as i64)?;
    let v = block(&v, (0, n), (0, n))?;
    let lengths = reduce::norm(&w, 2.0, &[1], false, rows::NORM.node)?;
    let (s, order) = ops::sort::sort(&lengths, 1, true)?;
    let v = index::gather(&v, 2, &spread_rows(&order, n)?)?;
    let w = index::gather(&w, 2, &spread_rows(&order, m)?)?;
    if !real(a) {
        // A matrix without elements has no singular values: any basis will do, and LAPACK's is the identity.
        let u = identity(a.size(0), m, if full { m } else { n }, a)?;
        return Ok((u, s, v));
    }
    let scale = view::unsqueeze(&s, 1)?;
    let none = num(BinaryOp::Eq, &scale, 0.0)?;
    let u = ops::where_(&none, &0.0.into(), &ops::div(&w, &scale)?.into())?;
    // Columns for singular values of 0, and those beyond n, are any vectors that complete the basis.
    let (q, r) = householder(&create::copy_of(&u)?, if full { m } else { n })?;
    let diagonal = ops::complex::real(&view::diagonal(&r, 0, 1, 2)?)?;
    let flipped = num(BinaryOp::Lt, &view::unsqueeze(&diagonal, 1)?, 0.0)?;
    let basis = view::narrow(&q, 2, 0, n as i64)?;
    let basis = ops::where_(&flipped, &un(UnaryOp::Neg, &basis)?.into(), &basis.into())?;
    if !full || m == n {
        return Ok((basis, s, v));
    }
    let rest = view::narrow(&q, 2, n as i64, (m - n) as i64)?;
    Ok((ops::shape::cat(&[basis, rest], 2)?, s, v))
}
