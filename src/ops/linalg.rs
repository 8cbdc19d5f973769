//! Linear algebra: factorisations composed of the kernels that every executor has, over batches of matrices.
//!
//! The last two dimensions are the matrix. Nothing is read back but whether a factorisation succeeded, as PyTorch does.
//! Sources: elimination and Householder reflections as LAPACK's getf2 and geqr2 order them; Jacobi rotations in the
//! ordering of Brent and Luk (1985); gradients after Giles (2008) and Walter and Lehmann (2018).

use smallvec::smallvec;

use crate::autograd::{self, GradMode, Gradients, Save};
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, Arg, create, index, matmul, reduce, view};
use crate::shape::Dims;
use crate::tensor::Tensor;
use crate::trace::Why;

// ---- shorthands ------------------------------------------------------------------------------------------------------

fn num(op: BinaryOp, a: &Tensor, b: f64) -> Result<Tensor> {
    ops::binary(op, &a.into(), &b.into())
}

fn bin(op: BinaryOp, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::binary(op, &a.into(), &b.into())
}

fn un(op: UnaryOp, a: &Tensor) -> Result<Tensor> {
    ops::unary(op, a)
}

fn mt(t: &Tensor) -> Result<Tensor> {
    view::transpose(t, -2, -1)
}

/// Rows `r0..r1` and columns `c0..c1` of a batch [b, m, n].
fn block(t: &Tensor, r: (usize, usize), c: (usize, usize)) -> Result<Tensor> {
    let rows = view::narrow(t, 1, r.0 as i64, (r.1 - r.0) as i64)?;
    view::narrow(&rows, 2, c.0 as i64, (c.1 - c.0) as i64)
}

fn assign(part: &Tensor, value: &Tensor) -> Result<()> {
    ops::transfer::copy_data(part, value)
}

/// The matrices as one batch [b, m, n] of their own memory, outside the graph, and the dimensions before them.
fn batch(a: &Tensor) -> Result<(Tensor, Dims)> {
    let shape = a.shape();
    let n = shape.len();
    let lead = Dims::from_slice(&shape[..n - 2]);
    let b: usize = lead.iter().product();
    let flat = view::reshape_to(&a.detach(), &[b, shape[n - 2], shape[n - 1]])?;
    Ok((create::copy_of(&flat)?, lead))
}

/// A batched result with the dimensions before it back, as a tensor of its own.
fn unbatch(t: &Tensor, lead: &[usize]) -> Result<Tensor> {
    let mut shape = Dims::from_slice(lead);
    shape.extend_from_slice(&t.shape()[1..]);
    let flat = create::contiguous(t)?;
    Ok(flat.alias(crate::shape::Layout { offset: flat.offset(), ..crate::shape::Layout::contiguous(&shape) }))
}

fn identity(b: usize, m: usize, n: usize, like: &Tensor) -> Result<Tensor> {
    let one = create::eye(m as i64, n as i64, like.dtype(), like.device())?;
    create::copy_of(&view::expand(&one, &[b as i64, m as i64, n as i64])?)
}

/// Whether the matrices hold numbers that could be computed with: not on `meta`.
fn real(t: &Tensor) -> bool {
    !t.device().is_meta() && t.numel() > 0
}

fn check_float(name: &str, a: &Tensor) -> Result<()> {
    if a.ndim() < 2 {
        return Err(Error::runtime(format!("{name}: The input tensor A must have at least 2 dimensions.")));
    }
    if a.dtype().is_complex() {
        return Err(Error::not_implemented(format!("{name} of {}", a.dtype())));
    }
    if !a.dtype().is_float() {
        return Err(Error::runtime(format!(
            "{name}: Expected a floating point or complex tensor as input. Got {}",
            a.dtype().scalar_name()
        )));
    }
    if matches!(a.dtype(), DType::F16 | DType::BF16) {
        return Err(Error::runtime(format!(
            "{name}: Low precision dtypes not supported. Got {}",
            a.dtype().scalar_name()
        )));
    }
    Ok(())
}

fn check_square(name: &str, a: &Tensor) -> Result<()> {
    check_float(name, a)?;
    let (m, n) = (a.size(a.ndim() - 2), a.size(a.ndim() - 1));
    if m != n {
        return Err(Error::runtime(format!(
            "{name}: A must be batches of square matrices, but they are {m} by {n} matrices"
        )));
    }
    Ok(())
}

/// The first position (from 1) of a batch's `bad` [b, n] in every matrix, 0 where none is: read from the device.
fn first_bad(bad: &Tensor) -> Result<Vec<i64>> {
    if bad.device().is_meta() || bad.numel() == 0 {
        return Ok(Vec::new());
    }
    let flags = ops::transfer::cast(bad, DType::I64)?;
    let (any, at) = reduce::extreme_dim(&flags, true, 1, false)?;
    let info = ops::mul(&num_i(BinaryOp::Add, &at, 1)?, &any)?;
    let bytes = ops::transfer::to_host(&info, Why::Item)?;
    Ok((0..info.numel()).map(|i| ops::transfer::scalar_at(&bytes, DType::I64, i).as_i64()).collect())
}

fn num_i(op: BinaryOp, a: &Tensor, b: i64) -> Result<Tensor> {
    ops::binary(op, &a.into(), &b.into())
}

/// The error of the first matrix that failed, in words that get its place.
fn check_info(info: &[i64], lead: &[usize], text: impl Fn(i64) -> String, name: &str) -> Result<()> {
    match info.iter().position(|&k| k > 0) {
        None => Ok(()),
        Some(i) if lead.is_empty() => Err(Error::lin_alg(format!("{name}: {}", text(info[i])))),
        Some(i) => Err(Error::lin_alg(format!("{name}: (Batch element {i}): {}", text(info[i])))),
    }
}

// ---- elimination -----------------------------------------------------------------------------------------------------

/// `A[order] = L @ U`, both kept in `lu`; `sign` is that of the permutation.
struct Lu {
    lu: Tensor,
    order: Tensor,
    sign: Tensor,
}

/// Gaussian elimination with row exchanges. A zero pivot leaves its column as it is.
fn eliminate(a: &Tensor) -> Result<Lu> {
    let (b, n) = (a.size(0), a.size(1));
    let rows = create::arange_count(Scalar::Int(0), Scalar::Int(1), n, DType::I64, a.device())?;
    let rows = view::unsqueeze(&rows, 0)?;
    let mut lu = a.clone();
    let mut order = create::copy_of(&view::expand(&rows, &[b as i64, n as i64])?)?;
    let mut sign = create::full(&[b, 1], Scalar::Float(1.0), a.dtype(), a.device())?;
    if !real(a) {
        return Ok(Lu { lu, order, sign });
    }
    for k in 0..n - 1 {
        let column = view::select(&block(&lu, (k, n), (k, k + 1))?, 2, 0)?;
        let (_, at) = reduce::extreme_dim(&un(UnaryOp::Abs, &column)?, true, 1, true)?;
        let pivot = num_i(BinaryOp::Add, &at, k as i64)?;
        let here = num_i(BinaryOp::Eq, &rows, k as i64)?;
        let there = bin(BinaryOp::Eq, &rows, &pivot)?;
        let kept = ops::where_(&there, &Arg::from(k as i64), &(&rows).into())?;
        let exchange = ops::where_(&here, &(&pivot).into(), &kept.into())?;
        let wide = view::expand(&view::unsqueeze(&exchange, 2)?, &[b as i64, n as i64, n as i64])?;
        lu = index::gather(&lu, 1, &wide)?;
        order = index::gather(&order, 1, &exchange)?;
        let stays = num_i(BinaryOp::Eq, &pivot, k as i64)?;
        sign = ops::where_(&stays, &(&sign).into(), &un(UnaryOp::Neg, &sign)?.into())?;
        let head = block(&lu, (k, k + 1), (k, k + 1))?;
        let below = block(&lu, (k + 1, n), (k, k + 1))?;
        let singular = num(BinaryOp::Eq, &head, 0.0)?;
        let factor = ops::where_(&singular, &0.0.into(), &ops::div(&below, &head)?.into())?;
        assign(&below, &factor)?;
        let rest = block(&lu, (k + 1, n), (k + 1, n))?;
        let update = ops::mul(&factor, &block(&lu, (k, k + 1), (k + 1, n))?)?;
        assign(&rest, &ops::sub(&rest, &update)?)?;
    }
    Ok(Lu { lu, order, sign })
}

/// Solves `T x = b` for triangular `T` by substitution: [b, n, n] and [b, n, k].
fn substitute(t: &Tensor, b: &Tensor, upper: bool, unit: bool) -> Result<Tensor> {
    let (n, k) = (t.size(1), b.size(2));
    let x = create::copy_of(b)?;
    if !real(&x) {
        return Ok(x);
    }
    let order: Vec<usize> = if upper { (0..n).rev().collect() } else { (0..n).collect() };
    for i in order {
        let row = block(&x, (i, i + 1), (0, k))?;
        if !unit {
            assign(&row, &ops::div(&row, &block(t, (i, i + 1), (i, i + 1))?)?)?;
        }
        let left = if upper { (0, i) } else { (i + 1, n) };
        if left.0 < left.1 {
            let rest = block(&x, left, (0, k))?;
            let update = ops::mul(&block(t, left, (i, i + 1))?, &row)?;
            assign(&rest, &ops::sub(&rest, &update)?)?;
        }
    }
    Ok(x)
}

fn solve_with(f: &Lu, b: &Tensor) -> Result<Tensor> {
    let (n, k) = (b.size(1) as i64, b.size(2) as i64);
    let wide = view::expand(&view::unsqueeze(&f.order, 2)?, &[b.size(0) as i64, n, k])?;
    let permuted = index::gather(b, 1, &wide)?;
    let y = substitute(&f.lu, &permuted, false, true)?;
    substitute(&f.lu, &y, true, false)
}

fn zero_pivots(f: &Lu) -> Result<Vec<i64>> {
    let pivots = view::diagonal(&f.lu, 0, 1, 2)?;
    first_bad(&num(BinaryOp::Eq, &pivots, 0.0)?)
}

/// `torch.linalg.det`.
///
/// # Errors
/// Matrices that are not square; integer and half-precision dtypes.
pub fn det(a: &Tensor) -> Result<Tensor> {
    check_square("linalg.det", a)?;
    let out = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(a)?;
        let f = eliminate(&flat)?;
        let product = reduce::prod(&view::diagonal(&f.lu, 0, 1, 2)?, Some(1), true, None)?;
        unbatch(&view::squeeze(&ops::mul(&product, &f.sign)?, &[1])?, &lead)?
    };
    if autograd::needs_grad([a]) {
        autograd::record("LinalgDetBackward0", &[Some(a)], &[Save::Input(a), Save::Output(&out, 0)], &[&out], |ctx| {
            let (a, d) = (&ctx.saved[0], &ctx.saved[1]);
            let scale = view::unsqueeze(&view::unsqueeze(&ops::mul(ctx.grad(), d)?, -1)?, -1)?;
            Ok(smallvec![Some(ops::mul(&scale, &mt(&inv(a)?)?)?)])
        })?;
    }
    Ok(out)
}

/// `torch.linalg.slogdet`: the sign and the logarithm of the absolute value of the determinant.
///
/// # Errors
/// As [`det`].
pub fn slogdet(a: &Tensor) -> Result<(Tensor, Tensor)> {
    check_square("linalg.slogdet", a)?;
    let (sign, log) = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(a)?;
        let f = eliminate(&flat)?;
        let pivots = view::diagonal(&f.lu, 0, 1, 2)?;
        let signs = reduce::prod(&un(UnaryOp::Sign, &pivots)?, Some(1), true, None)?;
        let logs = reduce::sum(&un(UnaryOp::Log, &un(UnaryOp::Abs, &pivots)?)?, &[1], false, None)?;
        (unbatch(&view::squeeze(&ops::mul(&signs, &f.sign)?, &[1])?, &lead)?, unbatch(&logs, &lead)?)
    };
    if autograd::needs_grad([a]) {
        autograd::record("LinalgSlogdetBackward0", &[Some(a)], &[Save::Input(a)], &[&sign, &log], |ctx| {
            let Some(g) = &ctx.grads[1] else { return Ok(smallvec![None]) };
            let g = view::unsqueeze(&view::unsqueeze(g, -1)?, -1)?;
            Ok(smallvec![Some(ops::mul(&g, &mt(&inv(&ctx.saved[0])?)?)?)])
        })?;
    }
    Ok((sign, log))
}

/// `torch.linalg.inv`.
///
/// # Errors
/// As [`det`]; singular matrices.
pub fn inv(a: &Tensor) -> Result<Tensor> {
    check_square("linalg.inv", a)?;
    let out = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(a)?;
        let f = eliminate(&flat)?;
        let text = |k| {
            format!(
                "The diagonal element {k} is zero, the inversion could not be completed because the input matrix is singular."
            )
        };
        check_info(&zero_pivots(&f)?, &lead, text, "linalg.inv")?;
        let n = flat.size(1);
        unbatch(&solve_with(&f, &identity(flat.size(0), n, n, &flat)?)?, &lead)?
    };
    if autograd::needs_grad([a]) {
        autograd::record("LinalgInvExBackward0", &[Some(a)], &[Save::Output(&out, 0)], &[&out], |ctx| {
            let yt = mt(&ctx.saved[0])?;
            let product = matmul::matmul(&yt, &matmul::matmul(ctx.grad(), &yt)?)?;
            Ok(smallvec![Some(un(UnaryOp::Neg, &product)?)])
        })?;
    }
    Ok(out)
}

/// `torch.linalg.solve(a, b)`: `b` is a matrix, or a vector (also a batch of vectors, of the shape of `a` less its last
/// dimension).
///
/// # Errors
/// As [`inv`]; sizes that do not match.
pub fn solve(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    check_square("linalg.solve", a)?;
    ops::device::same("_linalg_solve_ex", &[("A", a), ("B", b)])?;
    if a.dtype() != b.dtype() {
        return Err(Error::runtime(format!(
            "linalg.solve: Expected A and B to have the same dtype, but found A of type {} and B of type {} instead",
            a.dtype().scalar_name(),
            b.dtype().scalar_name()
        )));
    }
    let n = a.ndim();
    let vector = b.ndim() == 1 || (b.ndim() == n - 1 && b.shape()[..] == a.shape()[..n - 1]);
    let rhs = if vector { view::unsqueeze(b, -1)? } else { b.clone() };
    if rhs.ndim() < 2 || rhs.size(rhs.ndim() - 2) != a.size(n - 1) {
        return Err(Error::runtime(format!(
            "linalg.solve: Incompatible shapes of A and B for the equation AX = B ({}x{} and {}x{})",
            a.size(n - 2),
            a.size(n - 1),
            rhs.size(rhs.ndim().saturating_sub(2)),
            rhs.size(rhs.ndim() - 1)
        )));
    }
    let lead = crate::shape::broadcast(&a.shape()[..n - 2], &rhs.shape()[..rhs.ndim() - 2])?;
    let grow = |t: &Tensor| -> Result<Tensor> {
        let mut wanted: Vec<i64> = lead.iter().map(|&d| d as i64).collect();
        wanted.extend(t.shape()[t.ndim() - 2..].iter().map(|&d| d as i64));
        view::expand(t, &wanted)
    };
    let (a, rhs) = (grow(a)?, grow(&rhs)?);
    let out = {
        let _no_grad = GradMode::set(false);
        let (fa, lead) = batch(&a)?;
        let (fb, _) = batch(&rhs)?;
        let f = eliminate(&fa)?;
        let text = |_| "The solver failed because the input matrix is singular.".to_string();
        check_info(&zero_pivots(&f)?, &lead, text, "torch.linalg.solve")?;
        unbatch(&solve_with(&f, &fb)?, &lead)?
    };
    let out = if vector { out.alias(drop_last(&out)) } else { out };
    if autograd::needs_grad([&a, &rhs]) {
        let save = [Save::Input(&a), Save::Output(&out, 0)];
        autograd::record("LinalgSolveExBackward0", &[Some(&a), Some(&rhs)], &save, &[&out], move |ctx| {
            let (a, x, g) = (&ctx.saved[0], &ctx.saved[1], ctx.grad());
            let column = |t: &Tensor| if vector { view::unsqueeze(t, -1) } else { Ok(t.clone()) };
            let (x, g) = (column(x)?, column(g)?);
            let gb = solve(&mt(a)?, &g)?;
            let ga = if ctx.needs(0) { Some(un(UnaryOp::Neg, &matmul::matmul(&gb, &mt(&x)?)?)?) } else { None };
            Ok(smallvec![ga, Some(gb)])
        })?;
    }
    Ok(out)
}

/// `torch.trace`.
///
/// # Errors
/// Anything but one matrix.
pub fn trace(a: &Tensor) -> Result<Tensor> {
    if a.ndim() != 2 {
        return Err(Error::runtime("trace: expected a matrix"));
    }
    let out = {
        let _no_grad = GradMode::set(false);
        reduce::sum(&view::diagonal(&a.detach(), 0, 0, 1)?, &[], false, None)?
    };
    if out.dtype().is_inexact() && autograd::needs_grad([a]) {
        let (m, n) = (a.size(0) as i64, a.size(1) as i64);
        autograd::record("TraceBackward0", &[Some(a)], &[], &[&out], move |ctx| {
            let g = ctx.grad();
            Ok(smallvec![Some(ops::mul(g, &create::eye(m, n, g.dtype(), g.device())?)?)])
        })?;
    }
    Ok(out)
}

/// `torch.linalg.cross`: of vectors of three elements along `dim`.
///
/// # Errors
/// Another number of elements.
pub fn cross(a: &Tensor, b: &Tensor, dim: i64) -> Result<Tensor> {
    let list = ops::shape::broadcast_tensors(&[a.clone(), b.clone()])?;
    let d = crate::shape::wrap_dim(dim, list[0].ndim())?;
    if list[0].ndim() == 0 || list[0].size(d) != 3 {
        return Err(Error::runtime(format!(
            "linalg.cross: inputs dimension {dim} must have length 3. Got {} and {}",
            a.shape().get(d).unwrap_or(&0),
            b.shape().get(d).unwrap_or(&0)
        )));
    }
    let (a, b) = (&list[0], &list[1]);
    let out = {
        let _no_grad = GradMode::set(false);
        let turned = |t: &Tensor, by: i64| ops::shape::roll(t, &[-by], &[d as i64]);
        let first = ops::mul(&turned(a, 1)?, &turned(b, 2)?)?;
        ops::sub(&first, &ops::mul(&turned(a, 2)?, &turned(b, 1)?)?)?
    };
    if out.dtype().is_inexact() && autograd::needs_grad([a, b]) {
        let save = [Save::Input(a), Save::Input(b)];
        autograd::record("LinalgCrossBackward0", &[Some(a), Some(b)], &save, &[&out], move |ctx| {
            let (g, a, b) = (ctx.grad(), &ctx.saved[0], &ctx.saved[1]);
            Ok(smallvec![
                if ctx.needs(0) { Some(cross(b, g, d as i64)?) } else { None },
                if ctx.needs(1) { Some(cross(g, a, d as i64)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

fn drop_last(t: &Tensor) -> crate::shape::Layout {
    let mut layout = t.layout();
    layout.shape.pop();
    layout.strides.pop();
    layout
}

// ---- Cholesky --------------------------------------------------------------------------------------------------------

/// `torch.linalg.cholesky`: the lower factor, or with `upper` its transpose. Only one triangle of `a` is read.
///
/// # Errors
/// As [`det`]; matrices that are not positive-definite.
pub fn cholesky(a: &Tensor, upper: bool) -> Result<Tensor> {
    check_square("linalg.cholesky", a)?;
    let out = {
        let _no_grad = GradMode::set(false);
        let (flat, lead) = batch(&if upper { mt(a)? } else { a.clone() })?;
        let n = flat.size(1);
        for k in 0..if real(&flat) { n } else { 0 } {
            let head = block(&flat, (k, k + 1), (k, k + 1))?;
            assign(&head, &un(UnaryOp::Sqrt, &head)?)?;
            if k + 1 < n {
                let below = block(&flat, (k + 1, n), (k, k + 1))?;
                assign(&below, &ops::div(&below, &head)?)?;
                let rest = block(&flat, (k + 1, n), (k + 1, n))?;
                assign(&rest, &ops::sub(&rest, &ops::mul(&below, &mt(&below)?)?)?)?;
            }
        }
        let good = num(BinaryOp::Gt, &view::diagonal(&flat, 0, 1, 2)?, 0.0)?;
        let text = |k| {
            format!(
                "The factorization could not be completed because the input is not positive-definite (the leading minor of order {k} is not positive-definite)."
            )
        };
        check_info(&first_bad(&un(UnaryOp::LogicalNot, &good)?)?, &lead, text, "linalg.cholesky")?;
        let l = ops::shape::triangle(&flat, false, 0)?;
        unbatch(&if upper { mt(&l)? } else { l }, &lead)?
    };
    if autograd::needs_grad([a]) {
        let save = [Save::Output(&out, 0)];
        autograd::record("LinalgCholeskyExBackward0", &[Some(a)], &save, &[&out], move |ctx| {
            let (l, g) = match upper {
                true => (mt(&ctx.saved[0])?, mt(ctx.grad())?),
                false => (ctx.saved[0].clone(), ctx.grad().clone()),
            };
            // L^-T phi(L^T g) L^-1, made symmetric; phi keeps the lower triangle and half the diagonal.
            let m = matmul::matmul(&mt(&l)?, &g)?;
            let low = ops::shape::triangle(&m, false, 0)?;
            let diagonal = ops::shape::diag_embed(&view::diagonal(&m, 0, -2, -1)?, 0)?;
            let phi = ops::sub(&low, &num(BinaryOp::Mul, &diagonal, 0.5)?)?;
            let phi = num(BinaryOp::Mul, &ops::add(&phi, &mt(&phi)?)?, 0.5)?;
            let left = solve(&mt(&l)?, &phi)?;
            Ok(smallvec![Some(mt(&solve(&mt(&l)?, &mt(&left)?)?)?)])
        })?;
    }
    Ok(out)
}

// ---- QR --------------------------------------------------------------------------------------------------------------

/// `torch.linalg.qr`: `mode` is reduced, complete or r (then `Q` is empty).
///
/// # Errors
/// An unknown mode; integer and half-precision dtypes.
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
        autograd::record("LinalgQrBackward0", &[Some(a)], &save, &[&q, &r], move |ctx| {
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
            if m >= n {
                return Ok(smallvec![Some(qr_grad(q, r, &gq, &gr)?)]);
            }
            // A = [X | Y], R = [U | V]: X = QU is square, and V = Q^T Y.
            let (m, rest) = (m as i64, (n - m) as i64);
            let left = |t: &Tensor| view::narrow(t, -1, 0, m);
            let right = |t: &Tensor| view::narrow(t, -1, m, rest);
            let gv = right(&gr)?;
            let gq = ops::add(&gq, &matmul::matmul(&right(a)?, &mt(&gv)?)?)?;
            let gx = qr_grad(q, &left(r)?, &gq, &left(&gr)?)?;
            Ok(smallvec![Some(ops::shape::cat(&[gx, matmul::matmul(q, &gv)?], -1)?)])
        })?;
    }
    Ok((q, r))
}

/// The gradient for A = QR with square R.
fn qr_grad(q: &Tensor, r: &Tensor, gq: &Tensor, gr: &Tensor) -> Result<Tensor> {
    let m = ops::sub(&matmul::matmul(r, &mt(gr)?)?, &matmul::matmul(&mt(gq)?, q)?)?;
    let low = ops::shape::triangle(&m, false, -1)?;
    let diagonal = ops::shape::diag_embed(&view::diagonal(&m, 0, -2, -1)?, 0)?;
    let symmetric = ops::add(&ops::add(&low, &mt(&low)?)?, &diagonal)?;
    let inner = ops::add(gq, &matmul::matmul(q, &symmetric)?)?;
    // inner @ R^-T, as the transpose of R^-1 inner^T.
    mt(&solve(r, &mt(&inner)?)?)
}

/// Householder reflections: `q` [b, m, columns] and `r` [b, columns, n]. `a` is overwritten.
fn householder(a: &Tensor, columns: usize) -> Result<(Tensor, Tensor)> {
    let (b, m, n) = (a.size(0), a.size(1), a.size(2));
    let mut reflections = Vec::new();
    // The last row has nothing below it to clear.
    for k in 0..if real(a) { n.min(m.saturating_sub(1)) } else { 0 } {
        let alpha = block(a, (k, k + 1), (k, k + 1))?;
        let rest = block(a, (k + 1, m), (k, k + 1))?;
        let length = reduce::norm(&rest, 2.0, &[1], true, "LinalgVectorNormBackward0")?;
        let size = un(UnaryOp::Abs, &alpha)?;
        let (large, small) = (bin(BinaryOp::Maximum, &size, &length)?, bin(BinaryOp::Minimum, &size, &length)?);
        let ratio = ops::div(&small, &large)?;
        let root = un(UnaryOp::Sqrt, &num(BinaryOp::Add, &ops::mul(&ratio, &ratio)?, 1.0)?)?;
        let joint = ops::mul(&large, &root)?;
        let negative = num(BinaryOp::Lt, &alpha, 0.0)?;
        let beta = ops::where_(&negative, &(&joint).into(), &un(UnaryOp::Neg, &joint)?.into())?;
        let cleared = num(BinaryOp::Eq, &length, 0.0)?;
        let tau = ops::div(&ops::sub(&beta, &alpha)?, &beta)?;
        let tau = ops::where_(&cleared, &0.0.into(), &tau.into())?;
        let tail = ops::div(&rest, &ops::sub(&alpha, &beta)?)?;
        let tail = ops::where_(&cleared, &0.0.into(), &tail.into())?;
        let v = ops::shape::cat(&[ops::ones_like(&alpha)?, tail], 1)?;
        let beta = ops::where_(&cleared, &(&alpha).into(), &beta.into())?;
        if k + 1 < n {
            reflect(&block(a, (k, m), (k + 1, n))?, &v, &tau)?;
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

/// `part -= tau * v @ (v^T @ part)`, in place.
fn reflect(part: &Tensor, v: &Tensor, tau: &Tensor) -> Result<()> {
    let w = column_sums(&ops::mul(v, part)?)?;
    let t = ops::mul(&un(UnaryOp::Neg, tau)?, &w)?;
    assign(part, &ops::add(part, &ops::mul(v, &t)?)?)
}

/// The sums of columns [b, m, n] as [b, 1, n]. Short ones are added row by row in the tensor's precision, as LAPACK does, so
/// that small orthogonal initialisations are PyTorch's to the bit.
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

// ---- Jacobi ----------------------------------------------------------------------------------------------------------

/// Sweeps over all pairs after which f32 and f64 are exhausted; convergence is quadratic at the end.
fn sweeps(dtype: DType) -> usize {
    if dtype == DType::F64 { 14 } else { 10 }
}

/// Cosine and sine of the rotations that diagonalise [[p, w], [w, q]]; all of one shape.
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

/// Turns the first half of `t` along `dim` against the second half, then moves everyone one place on in the tournament: after
/// `n - 1` rounds every two have met once and all are back.
fn round(t: &Tensor, dim: i64, c: &Tensor, s: &Tensor) -> Result<Tensor> {
    let half = (t.size(dim as usize) / 2) as i64;
    let (p, q) = (view::narrow(t, dim, 0, half)?, view::narrow(t, dim, half, half)?);
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

/// `t` with zeros after its last element along `dim`, so that their number is even.
fn even(t: &Tensor, dim: usize) -> Result<Tensor> {
    if t.size(dim).is_multiple_of(2) {
        return Ok(t.clone());
    }
    let mut shape = t.shape();
    shape[dim] = 1;
    ops::shape::cat(&[t.clone(), create::zeros(&shape, t.dtype(), t.device())?], dim as i64)
}

/// Eigenvalues in ascending order [b, n] and vectors [b, n, n] of symmetric matrices.
fn jacobi(a: &Tensor) -> Result<(Tensor, Tensor)> {
    let n = a.size(1);
    let mut d = even(&even(a, 1)?, 2)?;
    let even_n = d.size(1);
    let half = even_n / 2;
    let mut v = identity(d.size(0), even_n, even_n, &d)?;
    for _ in 0..if real(a) && n > 1 { sweeps(a.dtype()) * (even_n - 1) } else { 0 } {
        let diagonal = view::diagonal(&d, 0, 1, 2)?;
        let p = view::narrow(&diagonal, 1, 0, half as i64)?;
        let q = view::narrow(&diagonal, 1, half as i64, half as i64)?;
        let w = view::diagonal(&block(&d, (0, half), (half, even_n))?, 0, 1, 2)?;
        let (c, s) = rotation(&p, &q, &w)?;
        let (rc, rs) = (view::unsqueeze(&c, 2)?, view::unsqueeze(&s, 2)?);
        let (cc, cs) = (view::unsqueeze(&c, 1)?, view::unsqueeze(&s, 1)?);
        d = round(&round(&d, 1, &rc, &rs)?, 2, &cc, &cs)?;
        v = round(&v, 2, &cc, &cs)?;
    }
    let values = view::narrow(&view::diagonal(&d, 0, 1, 2)?, 1, 0, n as i64)?;
    let vectors = block(&v, (0, n), (0, n))?;
    let (values, order) = ops::sort::sort(&values, 1, false)?;
    Ok((values, index::gather(&vectors, 2, &spread_rows(&order, n)?)?))
}

/// An order of columns [b, k] as what gathers them: [b, n, k].
fn spread_rows(order: &Tensor, n: usize) -> Result<Tensor> {
    view::expand(&view::unsqueeze(order, 1)?, &[order.size(0) as i64, n as i64, order.size(1) as i64])
}

/// `torch.linalg.eigh`: eigenvalues and vectors of symmetric matrices, of which one triangle is read.
///
/// # Errors
/// As [`det`]; a triangle that is neither L nor U.
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
        let (values, vectors) = jacobi(&ops::add(&kept, &mt(&strict)?)?)?;
        (unbatch(&values, &lead)?, unbatch(&vectors, &lead)?)
    };
    if autograd::needs_grad([a]) {
        let save = [Save::Output(&values, 0), Save::Output(&vectors, 1)];
        autograd::record("LinalgEighBackward0", &[Some(a)], &save, &[&values, &vectors], |ctx| {
            let (l, v) = (&ctx.saved[0], &ctx.saved[1]);
            let mut inner = match &ctx.grads[1] {
                None => None,
                Some(g) => Some(off_diagonal(&matmul::matmul(&mt(v)?, g)?, l)?),
            };
            if let Some(g) = &ctx.grads[0] {
                let g = ops::shape::diag_embed(g, 0)?;
                inner = Some(match inner {
                    Some(i) => ops::add(&i, &g)?,
                    None => g,
                });
            }
            let Some(inner) = inner else { return Ok(smallvec![None]) };
            Ok(smallvec![Some(matmul::matmul(v, &matmul::matmul(&inner, &mt(v)?)?)?)])
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
        let (flat, lead) = batch(&if m < n { mt(a)? } else { a.clone() })?;
        let (u, s, v) = one_sided(&flat, full)?;
        let (u, v) = if m < n { (v, u) } else { (u, v) };
        (unbatch(&u, &lead)?, unbatch(&s, &lead)?, unbatch(&mt(&v)?, &lead)?)
    };
    if autograd::needs_grad([a]) {
        let save = [Save::Output(&u, 0), Save::Output(&s, 1), Save::Output(&vh, 2)];
        autograd::record("LinalgSvdBackward0", &[Some(a)], &save, &[&u, &s, &vh], move |ctx| {
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
    let skew = |x: &Tensor| -> Result<Tensor> { ops::sub(x, &mt(x)?) };
    let mut inner: Option<Tensor> = None;
    let mut add = |t: Tensor| -> Result<()> {
        inner = Some(match inner.take() {
            Some(i) => ops::add(&i, &t)?,
            None => t,
        });
        Ok(())
    };
    if let Some(g) = &gu {
        let x = off_diagonal(&skew(&matmul::matmul(&mt(&u)?, g)?)?, &squares)?;
        add(ops::mul(&x, &columns)?)?;
    }
    if let Some(g) = &gvh {
        let x = off_diagonal(&skew(&matmul::matmul(&vh, &mt(g)?)?)?, &squares)?;
        add(ops::mul(&rows, &x)?)?;
    }
    if let Some(g) = gs {
        add(ops::shape::diag_embed(g, 0)?)?;
    }
    let Some(inner) = inner else { return Ok(None) };
    let mut out = matmul::matmul(&u, &matmul::matmul(&inner, &vh)?)?;
    // What of U's and V's gradients lies outside of the spaces that they span.
    if let Some(g) = gu.filter(|_| u.size(u.ndim() - 2) as i64 > k) {
        let outside = ops::sub(&g, &matmul::matmul(&u, &matmul::matmul(&mt(&u)?, &g)?)?)?;
        out = ops::add(&out, &matmul::matmul(&ops::div(&outside, &columns)?, &vh)?)?;
    }
    if let Some(g) = gvh.filter(|_| vh.size(vh.ndim() - 1) as i64 > k) {
        let outside = ops::sub(&g, &matmul::matmul(&matmul::matmul(&g, &mt(&vh)?)?, &vh)?)?;
        out = ops::add(&out, &matmul::matmul(&u, &ops::div(&outside, &rows)?)?)?;
    }
    Ok(Some(out))
}

/// Rotates the columns of [b, m, n], m >= n, until they are orthogonal: U, singular values, V.
fn one_sided(a: &Tensor, full: bool) -> Result<(Tensor, Tensor, Tensor)> {
    let (m, n) = (a.size(1), a.size(2));
    let mut w = even(a, 2)?;
    let columns = w.size(2);
    let half = (columns / 2) as i64;
    let mut v = identity(a.size(0), columns, columns, a)?;
    for _ in 0..if real(a) && n > 1 { sweeps(a.dtype()) * (columns - 1) } else { 0 } {
        let (p, q) = (view::narrow(&w, 2, 0, half)?, view::narrow(&w, 2, half, half)?);
        let dot = |x: &Tensor, y: &Tensor| reduce::sum(&ops::mul(x, y)?, &[1], true, None);
        let (c, s) = rotation(&dot(&p, &p)?, &dot(&q, &q)?, &dot(&p, &q)?)?;
        w = round(&w, 2, &c, &s)?;
        v = round(&v, 2, &c, &s)?;
    }
    let w = view::narrow(&w, 2, 0, n as i64)?;
    let v = block(&v, (0, n), (0, n))?;
    let lengths = reduce::norm(&w, 2.0, &[1], false, "LinalgVectorNormBackward0")?;
    let (s, order) = ops::sort::sort(&lengths, 1, true)?;
    let v = index::gather(&v, 2, &spread_rows(&order, n)?)?;
    let w = index::gather(&w, 2, &spread_rows(&order, m)?)?;
    if !real(a) {
        let u = create::zeros(&[a.size(0), m, if full { m } else { n }], a.dtype(), a.device())?;
        return Ok((u, s, v));
    }
    let scale = view::unsqueeze(&s, 1)?;
    let none = num(BinaryOp::Eq, &scale, 0.0)?;
    let u = ops::where_(&none, &0.0.into(), &ops::div(&w, &scale)?.into())?;
    // The columns of vanished singular values, and those beyond n, are whatever completes the basis.
    let (q, r) = householder(&create::copy_of(&u)?, if full { m } else { n })?;
    let flipped = num(BinaryOp::Lt, &view::unsqueeze(&view::diagonal(&r, 0, 1, 2)?, 1)?, 0.0)?;
    let basis = view::narrow(&q, 2, 0, n as i64)?;
    let basis = ops::where_(&flipped, &un(UnaryOp::Neg, &basis)?.into(), &basis.into())?;
    if !full || m == n {
        return Ok((basis, s, v));
    }
    let rest = view::narrow(&q, 2, n as i64, (m - n) as i64)?;
    Ok((ops::shape::cat(&[basis, rest], 2)?, s, v))
}
