//! Linear algebra: factorizations composed of kernels that every executor has, over batches of matrices.
//!
//! The last two dimensions are the matrix. As in PyTorch, the host reads nothing except whether a factorization
//! succeeded.
//! Sources: elimination and Householder reflections in the order of LAPACK's getf2 and geqr2; Jacobi rotations in the
//! order of Brent and Luk (1985); gradients after Giles (2008) and Walter and Lehmann (2018).

mod eigen;
mod elimination;
mod jacobi;
mod orthogonal;
mod spectral;

pub use eigen::*;
pub use elimination::*;
pub use orthogonal::*;
pub use spectral::*;

use smallvec::smallvec;

use crate::autograd::{self, GradMode, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, create, reduce, rows, view};
use crate::shape::{Dims, wrap_dim};
use crate::tensor::Tensor;
use crate::trace::Why;

fn num(op: BinaryOp, a: &Tensor, b: f64) -> Result<Tensor> {
    ops::binary(op, &a.into(), &b.into())
}

fn bin(op: BinaryOp, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    ops::binary(op, &a.into(), &b.into())
}

fn un(op: UnaryOp, a: &Tensor) -> Result<Tensor> {
    ops::unary(op, a)
}

/// The adjoint of each matrix; for real ones, that's the transpose.
fn mh(t: &Tensor) -> Result<Tensor> {
    ops::complex::conjugate(&view::transpose(t, -2, -1)?)
}

/// The size by which LAPACK compares pivots: for complex numbers, the sum of their parts' sizes.
fn pivot_size(t: &Tensor) -> Result<Tensor> {
    match t.dtype().is_complex() {
        true => ops::add(&un(UnaryOp::Abs, &ops::complex::real(t)?)?, &un(UnaryOp::Abs, &ops::complex::imag(t)?)?),
        false => un(UnaryOp::Abs, t),
    }
}

/// Rows `r0..r1` and columns `c0..c1` of a batch [b, m, n].
fn block(t: &Tensor, r: (usize, usize), c: (usize, usize)) -> Result<Tensor> {
    let rows = view::narrow(t, 1, r.0 as i64, (r.1 - r.0) as i64)?;
    view::narrow(&rows, 2, c.0 as i64, (c.1 - c.0) as i64)
}

fn assign(part: &Tensor, value: &Tensor) -> Result<()> {
    ops::transfer::copy_data(part, value)
}

/// The matrices as one batch [b, m, n] in memory of their own, outside the graph, and the dimensions before them.
fn batch(a: &Tensor) -> Result<(Tensor, Dims)> {
    let shape = a.shape();
    let n = shape.len();
    let lead = Dims::from_slice(&shape[..n - 2]);
    let b: usize = lead.iter().product();
    let flat = view::reshape_to(&a.detach(), &[b, shape[n - 2], shape[n - 1]])?;
    Ok((create::copy_of(&flat)?, lead))
}

/// A batched result with its leading dimensions restored, as a tensor of its own. The elements of a matrix's column are next
/// to each other, as LAPACK returns them.
fn unbatch(t: &Tensor, lead: &[usize]) -> Result<Tensor> {
    let mut shape = Dims::from_slice(lead);
    shape.extend_from_slice(&t.shape()[1..]);
    if t.ndim() < 3 {
        return Ok(create::contiguous(t)?.dense_as(&shape));
    }
    let flat = create::contiguous(&view::transpose(t, -2, -1)?)?;
    let n = shape.len();
    shape.swap(n - 2, n - 1);
    let mut layout = flat.dense_as(&shape).layout();
    layout.shape.swap(n - 2, n - 1);
    layout.strides.swap(n - 2, n - 1);
    Ok(flat.alias(layout))
}

/// A batched result with its leading dimensions restored, its elements row by row.
fn with_lead(t: &Tensor, lead: &[usize]) -> Result<Tensor> {
    let mut shape = Dims::from_slice(lead);
    shape.extend_from_slice(&t.shape()[1..]);
    Ok(create::contiguous(t)?.dense_as(&shape))
}

fn identity(b: usize, m: usize, n: usize, like: &Tensor) -> Result<Tensor> {
    let one = create::eye(m as i64, n as i64, like.dtype(), like.device())?;
    create::copy_of(&view::expand(&one, &[b as i64, m as i64, n as i64])?)
}

/// Whether the matrices have values: not on `meta`.
fn real(t: &Tensor) -> bool {
    !t.device().is_meta() && t.numel() > 0
}

/// Whether the device's executor decomposes matrices and solves triangular systems in one kernel. If not, it takes many.
fn in_one_kernel(a: &Tensor) -> bool {
    real(a) && engine::current().devices.executor(a.device()).decomposes()
}

/// Real numbers as they are, complex ones as pairs in one more dimension.
fn parts(t: &Tensor) -> Result<Tensor> {
    if t.dtype().is_complex() { ops::complex::pairs(t) } else { Ok(t.clone()) }
}

fn check_matrices(name: &str, a: &Tensor) -> Result<()> {
    if a.ndim() < 2 {
        return Err(Error::runtime(format!("{name}: The input tensor A must have at least 2 dimensions.")));
    }
    Ok(())
}

fn check_inexact(name: &str, a: &Tensor) -> Result<()> {
    if a.dtype().is_inexact() {
        return Ok(());
    }
    Err(Error::not_implemented(format!(
        "{name}: Expected a floating point or complex tensor as input. Got {}",
        a.dtype().scalar_name()
    )))
}

fn check_float(name: &str, a: &Tensor) -> Result<()> {
    check_matrices(name, a)?;
    let scalar_name = a.dtype().scalar_name();
    if name != "linalg.eigh" {
        check_inexact(name, a)?;
    }
    if !matches!(a.dtype(), DType::F32 | DType::F64 | DType::C64 | DType::C128) {
        // Some operators check before their kernel does.
        let kernel = match name {
            "linalg.det" | "linalg.solve" => "lu_cpu",
            "linalg.cholesky" => "cholesky_cpu",
            "linalg.qr" => "geqrf_cpu",
            "linalg.svd" => "linalg_svd_cpu",
            "linalg.eig" | "linalg.eigvals" => "linalg_eig_out_cpu",
            "linalg.eigh" => "linalg_eigh_cpu",
            _ => {
                return Err(Error::not_implemented(format!(
                    "{name}: Low precision dtypes not supported. Got {scalar_name}"
                )));
            }
        };
        return Err(ops::dtypes::refused(kernel, a.dtype(), a.device()));
    }
    Ok(())
}

fn check_square(name: &str, a: &Tensor) -> Result<()> {
    check_matrices(name, a)?;
    let (m, n) = (a.size(a.ndim() - 2), a.size(a.ndim() - 1));
    if m != n {
        return Err(Error::runtime(format!(
            "{name}: A must be batches of square matrices, but they are {m} by {n} matrices"
        )));
    }
    check_float(name, a)
}

/// The first position (from 1) in every matrix of the batch where `bad` [b, n] is true, or 0 if there is none. Read
/// from the device.
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

/// The error of the first matrix that failed. `text` makes its message from the position.
fn check_info(info: &[i64], lead: &[usize], text: impl Fn(i64) -> String, name: &str) -> Result<()> {
    match info.iter().position(|&k| k > 0) {
        None => Ok(()),
        Some(i) if lead.is_empty() => Err(Error::lin_alg(format!("{name}: {}", text(info[i])))),
        Some(i) => Err(Error::lin_alg(format!("{name}: (Batch element {i}): {}", text(info[i])))),
    }
}

fn drop_last(t: &Tensor) -> crate::shape::Layout {
    let mut layout = t.layout();
    layout.shape.pop();
    layout.strides.pop();
    layout
}

/// `torch.trace`.
///
/// # Errors
/// Anything but one matrix.
pub fn trace(a: &Tensor) -> Result<Tensor> {
    if a.ndim() != 2 {
        let text = format!("trace: expected a matrix, but got tensor with dim {}", a.ndim());
        return Err(Error::runtime(text));
    }
    ops::dtypes::takes(&rows::TRACE, a)?;
    let out = {
        let _no_grad = GradMode::set(false);
        reduce::sum(&view::diagonal(&a.detach(), 0, 0, 1)?, &[], false, None)?
    };
    if out.dtype().is_inexact() && autograd::needs_grad([a]) {
        let (m, n) = (a.size(0) as i64, a.size(1) as i64);
        autograd::record(rows::TRACE.node, &[Some(a)], &[], &[&out], move |ctx| {
            let g = ctx.grad();
            Ok(smallvec![Some(ops::mul(g, &create::eye(m, n, g.dtype(), g.device())?)?)])
        })?;
    }
    Ok(out)
}

/// `torch.linalg.cross`, for vectors of three elements along `dim`.
///
/// # Errors
/// Another number of elements.
pub fn cross(a: &Tensor, b: &Tensor, dim: i64) -> Result<Tensor> {
    if a.ndim() != b.ndim() {
        return Err(Error::runtime("linalg.cross: inputs must have the same number of dimensions."));
    }
    let d = crate::shape::wrap_dim(dim, a.ndim())?;
    if a.ndim() == 0 || a.size(d) != 3 || b.size(d) != 3 {
        return Err(Error::runtime(format!(
            "linalg.cross: inputs dimension {dim} must have length 3. Got {} and {}",
            a.shape().get(d).unwrap_or(&0),
            b.shape().get(d).unwrap_or(&0)
        )));
    }
    let list = ops::shape::broadcast_tensors(&[a.clone(), b.clone()])?;
    let (a, b) = (&list[0], &list[1]);
    ops::dtypes::takes(&rows::CROSS, a)?;
    if a.dtype() != b.dtype() && !a.device().is_meta() {
        let (wanted, found) = (a.dtype().scalar_name(), b.dtype().scalar_name());
        return Err(Error::runtime(format!("expected scalar type {wanted} but found {found}")));
    }
    let out = {
        let _no_grad = GradMode::set(false);
        let turned = |t: &Tensor, by: i64| ops::shape::roll(t, &[-by], &[d as i64]);
        let first = ops::mul(&turned(a, 1)?, &turned(b, 2)?)?;
        ops::sub(&first, &ops::mul(&turned(a, 2)?, &turned(b, 1)?)?)?
    };
    if out.dtype().is_inexact() && autograd::needs_grad([a, b]) {
        let save = [Save::Input(a), Save::Input(b)];
        autograd::record(rows::LINALG_CROSS.node, &[Some(a), Some(b)], &save, &[&out], move |ctx| {
            let (g, a, b) =
                (ctx.grad(), &ops::complex::conjugate(&ctx.saved[0])?, &ops::complex::conjugate(&ctx.saved[1])?);
            Ok(smallvec![
                if ctx.needs(0) { Some(cross(b, g, d as i64)?) } else { None },
                if ctx.needs(1) { Some(cross(g, a, d as i64)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

/// Makes a pseudo-inverse, which was computed outside the graph, a recorded result of the matrices.
///
/// # Errors
/// Those of recording.
pub(crate) fn pinv(a: &Tensor, found: &Tensor) -> Result<Tensor> {
    let out = found.detach();
    if !autograd::needs_grad([a]) {
        return Ok(out);
    }
    let save = [Save::Input(a), Save::Output(&out, 0)];
    autograd::record(rows::nodes::LINALG_PINV, &[Some(a)], &save, &[&out], |ctx| {
        Ok(smallvec![Some(pinv_backward(ctx.grad(), &ctx.saved[0], &ctx.saved[1])?)])
    })?;
    Ok(out)
}

/// `pinv_backward` of torch/csrc/autograd/FunctionsManual.cpp in PyTorch 2.15 (Golub and Pereyra, 1973). It only uses
/// products, so singular values may be equal or 0.
fn pinv_backward(g: &Tensor, a: &Tensor, p: &Tensor) -> Result<Tensor> {
    let turned = mh;
    let by = |x: &Tensor, y: &Tensor| ops::matmul::matmul(x, y);
    let (ph, gh) = (turned(p)?, turned(g)?);
    if a.size(a.ndim() - 2) <= a.size(a.ndim() - 1) {
        let k = by(&gh, p)?;
        let kph = by(&k, &ph)?;
        let first = ops::sub(&kph, &turned(&by(p, &k)?)?)?;
        let first = ops::sub(&first, &by(&by(a, p)?, &kph)?)?;
        return ops::add(&first, &by(&by(&ph, p)?, &ops::sub(&gh, &by(&k, a)?)?)?);
    }
    let k = by(p, &gh)?;
    let phk = by(&ph, &k)?;
    let first = ops::sub(&phk, &turned(&by(&k, p)?)?)?;
    let first = ops::add(&first, &by(&by(&ops::sub(&gh, &by(a, &k)?)?, p)?, &ph)?)?;
    ops::sub(&first, &by(&by(&phk, p)?, a)?)
}

/// `torch.norm(x, "nuc")`: the sum of the singular values of the matrices in two dimensions. If none are named, `x` must
/// have exactly two.
///
/// # Errors
/// A number of dimensions other than two.
pub(crate) fn nuclear_norm(x: &Tensor, dims: &[i64], keep: bool) -> Result<Tensor> {
    if x.ndim() < 2 {
        return Err(Error::runtime("linalg.matrix_norm: The input tensor A must have at least 2 dimensions."));
    }
    let dims: Vec<i64> = if dims.is_empty() { (0..x.ndim() as i64).collect() } else { dims.to_vec() };
    let [row, column] = dims[..] else {
        let dims: Vec<String> = dims.iter().map(i64::to_string).collect();
        return Err(Error::runtime(format!("linalg.matrix_norm: dim must be a 2-tuple. Got {}", dims.join(" "))));
    };
    check_float("linalg.matrix_norm", x)?;
    let (row, column) = (wrap_dim(row, x.ndim())?, wrap_dim(column, x.ndim())?);
    if row == column {
        return Err(Error::runtime(format!("linalg.matrix_norm: dims must be different. Got ({row}, {column})")));
    }
    let (_, values, _) = svd(&ops::shape::movedim(x, &[row as i64, column as i64], &[-2, -1])?, false)?;
    let sum = ops::reduce::sum(&values, &[-1], false, None)?;
    if !keep {
        return Ok(sum);
    }
    let sum = ops::view::unsqueeze(&sum, row.min(column) as i64)?;
    ops::view::unsqueeze(&sum, row.max(column) as i64)
}
