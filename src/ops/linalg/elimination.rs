//! Gaussian elimination with row exchanges: determinants, inverses, systems of equations.

use smallvec::smallvec;

use super::{
    assign, batch, bin, block, check_inexact, check_info, check_square, drop_last, first_bad, identity, in_one_kernel,
    mh, num, num_i, parts, pivot_size, real, un, unbatch,
};
use crate::autograd::{self, GradMode, Save};
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, UnaryOp};
use crate::ops::{self, Arg, create, index, matmul, reduce, rows, view};
use crate::tensor::{Pin, Tensor};

/// `A[order] = L @ U` of matrices [b, m, n]: both in `lu`, [b, m, n]. Row i was exchanged with row `exchanges[i]`, of [b, min(m, n)].
pub(crate) struct Lu {
    pub lu: Tensor,
    pub exchanges: Tensor,
    pub order: Tensor,
}

impl Lu {
    /// The sign of the permutation, [b, 1].
    fn sign(&self) -> Result<Tensor> {
        let places = numbered(self.exchanges.size(1), &self.exchanges)?;
        let moved = bin(BinaryOp::Ne, &self.exchanges, &places)?;
        let signs = ops::where_(&moved, &(-1.0).into(), &1.0.into())?;
        ops::transfer::cast(&reduce::prod(&signs, Some(1), true, None)?, self.lu.dtype())
    }
}

/// 0 to `count - 1`, [1, count].
fn numbered(count: usize, like: &Tensor) -> Result<Tensor> {
    view::unsqueeze(&create::arange_count(Scalar::Int(0), Scalar::Int(1), count, DType::I64, like.device())?, 0)
}

/// Gaussian elimination, with row exchanges if `exchange`. A column with a zero pivot isn't changed.
fn eliminate(a: &Tensor, exchange: bool) -> Result<Lu> {
    let (b, m, n) = (a.size(0), a.size(1), a.size(2));
    let steps = m.min(n);
    if in_one_kernel(a) {
        let lu = Tensor::empty(&[b, m, n], a.dtype(), a.device())?;
        let exchanges = Tensor::empty(&[b, steps], DType::I64, a.device())?;
        let order = Tensor::empty(&[b, m], DType::I64, a.device())?;
        let (x, to) = (parts(a)?, parts(&lu)?);
        let (x, to, pe, po) = (Pin::of(&x), Pin::of(&to), Pin::of(&exchanges), Pin::of(&order));
        let (x, factors) = (x.view()?, to.view()?);
        let kernel = Kernel::Eliminate { x, exchange, factors, exchanges: pe.view()?, order: po.view()? };
        engine::current().launch(a.device(), &kernel)?;
        return Ok(Lu { lu, exchanges, order });
    }
    let places = numbered(m, a)?;
    let mut lu = a.clone();
    let mut order = create::copy_of(&view::expand(&places, &[b as i64, m as i64])?)?;
    let kept = create::copy_of(&view::expand(&numbered(steps, a)?, &[b as i64, steps as i64])?)?;
    if !real(a) {
        return Ok(Lu { lu, exchanges: kept, order });
    }
    let mut exchanges = Vec::new();
    for k in 0..steps {
        if exchange {
            let column = view::select(&block(&lu, (k, m), (k, k + 1))?, 2, 0)?;
            let (_, at) = reduce::extreme_dim(&pivot_size(&column)?, true, 1, true)?;
            let pivot = num_i(BinaryOp::Add, &at, k as i64)?;
            let here = num_i(BinaryOp::Eq, &places, k as i64)?;
            let there = bin(BinaryOp::Eq, &places, &pivot)?;
            let kept = ops::where_(&there, &Arg::from(k as i64), &(&places).into())?;
            let turned = ops::where_(&here, &(&pivot).into(), &kept.into())?;
            let wide = view::expand(&view::unsqueeze(&turned, 2)?, &[b as i64, m as i64, n as i64])?;
            lu = index::gather(&lu, 1, &wide)?;
            order = index::gather(&order, 1, &turned)?;
            exchanges.push(pivot);
        }
        if k + 1 == m {
            break;
        }
        let head = block(&lu, (k, k + 1), (k, k + 1))?;
        let below = block(&lu, (k + 1, m), (k, k + 1))?;
        let divisor = ops::where_(&num(BinaryOp::Eq, &head, 0.0)?, &1.0.into(), &(&head).into())?;
        assign(&below, &ops::div(&below, &divisor)?)?;
        if k + 1 < n {
            let rest = block(&lu, (k + 1, m), (k + 1, n))?;
            let update = ops::mul(&below, &block(&lu, (k, k + 1), (k + 1, n))?)?;
            assign(&rest, &ops::sub(&rest, &update)?)?;
        }
    }
    let exchanges = if exchange { ops::shape::cat(&exchanges, 1)? } else { kept };
    Ok(Lu { lu, exchanges, order })
}

/// The factors of matrices [..., m, n], outside the graph.
///
/// # Errors
/// Those of the device.
pub(crate) fn factors(a: &Tensor, exchange: bool) -> Result<Lu> {
    let _no_grad = GradMode::set(false);
    let (flat, lead) = batch(a)?;
    let Lu { lu, exchanges, order } = eliminate(&flat, exchange)?;
    let with_lead = |t: &Tensor| super::with_lead(t, &lead);
    Ok(Lu { lu: with_lead(&lu)?, exchanges: with_lead(&exchanges)?, order: with_lead(&order)? })
}

/// Solves `T X = B` for triangular matrices `t`, [..., n, n], and `b`, [..., n, k], with the same leading dimensions, outside the graph.
///
/// # Errors
/// Those of the device; dtypes or sizes that don't match.
pub(crate) fn substituted(t: &Tensor, b: &Tensor, upper: bool, unit: bool) -> Result<Tensor> {
    let (from, to) = (t.shape(), b.shape());
    let n = from.len();
    let matches = n >= 2 && to.len() == n && from[n - 1] == from[n - 2] && from[..n - 1] == to[..n - 1];
    if t.dtype() != b.dtype() || !matches {
        let text = format!("no triangular system: {:?} of {} and {:?} of {}", &from[..], t.dtype(), &to[..], b.dtype());
        return Err(Error::runtime(text));
    }
    let _no_grad = GradMode::set(false);
    let ((t, _), (b, lead)) = (batch(t)?, batch(b)?);
    super::with_lead(&substitute(&t, &b, upper, unit)?, &lead)
}

/// Solves `T x = b` for triangular `T` by substitution: [b, n, n] and [b, n, k].
fn substitute(t: &Tensor, b: &Tensor, upper: bool, unit: bool) -> Result<Tensor> {
    if !real(b) {
        return create::copy_of(b);
    }
    if in_one_kernel(b) {
        let out = Tensor::empty(&b.shape(), b.dtype(), b.device())?;
        let (t, x, to) = (parts(t)?, parts(b)?, parts(&out)?);
        let (t, x, to) = (Pin::of(&t), Pin::of(&x), Pin::of(&to));
        let kernel = Kernel::Substitute { t: t.view()?, x: x.view()?, upper, unit, out: to.view()? };
        engine::current().launch(b.device(), &kernel)?;
        return Ok(out);
    }
    const SMALL: usize = 8;
    let (n, k) = (t.size(1), b.size(2));
    if n > SMALL {
        // By halves: most of the work is one product.
        let (low, high) = ((0, n / 2), (n / 2, n));
        let (known, rest) = if upper { (high, low) } else { (low, high) };
        let found = substitute(&block(t, known, known)?, &block(b, known, (0, k))?, upper, unit)?;
        let taken = matmul::matmul(&block(t, rest, known)?, &found)?;
        let left = ops::sub(&block(b, rest, (0, k))?, &taken)?;
        let other = substitute(&block(t, rest, rest)?, &left, upper, unit)?;
        return ops::shape::cat(&if upper { [other, found] } else { [found, other] }, 1);
    }
    let x = create::copy_of(b)?;
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
        let f = eliminate(&flat, true)?;
        let product = reduce::prod(&view::diagonal(&f.lu, 0, 1, 2)?, Some(1), true, None)?;
        unbatch(&view::squeeze_dim(&ops::mul(&product, &f.sign()?)?, 1)?, &lead)?
    };
    if autograd::needs_grad([a]) {
        autograd::record(
            rows::LINALG_DET.node,
            &[Some(a)],
            &[Save::Input(a), Save::Output(&out, 0)],
            &[&out],
            |ctx| {
                let (a, d) = (&ctx.saved[0], &ctx.saved[1]);
                let scale = ops::mul(ctx.grad(), &ops::complex::conjugate(d)?)?;
                let scale = view::unsqueeze(&view::unsqueeze(&scale, -1)?, -1)?;
                let inverse = if autograd::is_grad_enabled() { inv(a)? } else { inv_near(a)? };
                Ok(smallvec![Some(ops::mul(&scale, &mh(&inverse)?)?)])
            },
        )?;
    }
    Ok(out)
}

/// The inverse, or for a singular matrix that of one close to it. The determinant's derivative exists there as well, and
/// PyTorch computes it in this way.
fn inv_near(a: &Tensor) -> Result<Tensor> {
    let (flat, lead) = batch(a)?;
    let f = eliminate(&flat, true)?;
    let pivots = view::diagonal(&f.lu, 0, 1, 2)?;
    let zero = num(BinaryOp::Eq, &pivots, 0.0)?;
    let double = matches!(a.dtype(), DType::F64 | DType::C128);
    let least = if double { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let filled = ops::where_(&zero, &least.into(), &(&pivots).into())?;
    assign(&pivots, &filled)?;
    let n = flat.size(1);
    unbatch(&solve_with(&f, &identity(flat.size(0), n, n, &flat)?)?, &lead)
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
        let f = eliminate(&flat, true)?;
        let pivots = view::diagonal(&f.lu, 0, 1, 2)?;
        let signs = reduce::prod(&ops::complex::sgn(&pivots)?, Some(1), true, None)?;
        let logs = reduce::sum(&un(UnaryOp::Log, &un(UnaryOp::Abs, &pivots)?)?, &[1], false, None)?;
        (unbatch(&view::squeeze_dim(&ops::mul(&signs, &f.sign()?)?, 1)?, &lead)?, unbatch(&logs, &lead)?)
    };
    if autograd::needs_grad([a]) {
        let save = [Save::Input(a), Save::Output(&sign, 0)];
        autograd::record(rows::LINALG_SLOGDET.node, &[Some(a)], &save, &[&sign, &log], |ctx| {
            let (a, sign) = (&ctx.saved[0], &ctx.saved[1]);
            // Along a complex sign, only the angle can change.
            let turn = match &ctx.grads[0] {
                Some(g) if a.dtype().is_complex() => {
                    let across = ops::complex::imag(&ops::mul(&ops::complex::conjugate(sign)?, g)?)?;
                    Some(ops::binary(BinaryOp::Mul, &across.into(), &Scalar::Complex(0.0, 1.0).into())?)
                }
                _ => None,
            };
            let g = match (&ctx.grads[1], turn) {
                (Some(g), Some(turn)) => ops::add(g, &turn)?,
                (Some(g), None) => g.clone(),
                (None, Some(turn)) => turn,
                (None, None) => return Ok(smallvec![None]),
            };
            let g = view::unsqueeze(&view::unsqueeze(&g, -1)?, -1)?;
            Ok(smallvec![Some(ops::mul(&g, &mh(&inv(a)?)?)?)])
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
        let f = eliminate(&flat, true)?;
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
        autograd::record(rows::nodes::LINALG_INV_EX, &[Some(a)], &[Save::Output(&out, 0)], &[&out], |ctx| {
            let yt = mh(&ctx.saved[0])?;
            let product = matmul::matmul(&yt, &matmul::matmul(ctx.grad(), &yt)?)?;
            Ok(smallvec![Some(un(UnaryOp::Neg, &product)?)])
        })?;
    }
    Ok(out)
}

/// `torch.linalg.solve(a, b)`: `b` is a matrix or a vector (or a batch of vectors with the shape of `a` without its last
/// dimension).
///
/// # Errors
/// Those of [`inv`]; sizes that don't match.
pub fn solve(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    check_inexact("linalg.solve", a)?;
    check_square("linalg.solve", a)?;
    ops::device::checked(&rows::LINALG_SOLVE, &[Some(a), Some(b)])?;
    if a.dtype() != b.dtype() {
        return Err(Error::runtime(format!(
            "linalg.solve: Expected A and B to have the same dtype, but found A of type {} and B of type {} instead",
            a.dtype().scalar_name(),
            b.dtype().scalar_name()
        )));
    }
    let n = a.ndim();
    let vector = b.ndim() == 1 || (b.ndim() == n - 1 && b.shape()[..] == a.shape()[..n - 1]);
    if b.ndim() == 0 {
        return Err(Error::runtime("linalg.solve: The input tensor B must have at least 2 dimensions."));
    }
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
        let f = eliminate(&fa, true)?;
        let text = |_| "The solver failed because the input matrix is singular.".to_string();
        check_info(&zero_pivots(&f)?, &lead, text, "torch.linalg.solve")?;
        unbatch(&solve_with(&f, &fb)?, &lead)?
    };
    let out = if vector { out.alias(drop_last(&out)) } else { out };
    if autograd::needs_grad([&a, &rhs]) {
        let save = [Save::Input(&a), Save::Output(&out, 0)];
        autograd::record(rows::LINALG_SOLVE.node, &[Some(&a), Some(&rhs)], &save, &[&out], move |ctx| {
            let (a, x, g) = (&ctx.saved[0], &ctx.saved[1], ctx.grad());
            let column = |t: &Tensor| if vector { view::unsqueeze(t, -1) } else { Ok(t.clone()) };
            let (x, g) = (column(x)?, column(g)?);
            let gb = solve(&mh(a)?, &g)?;
            let ga = if ctx.needs(0) { Some(un(UnaryOp::Neg, &matmul::matmul(&gb, &mh(&x)?)?)?) } else { None };
            Ok(smallvec![ga, Some(gb)])
        })?;
    }
    Ok(out)
}
