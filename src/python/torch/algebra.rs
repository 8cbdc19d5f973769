//! The native functions behind `torch.linalg` and `torch.fft`.

use rustpython_vm::{PyResult, VirtualMachine};

use super::args::{Bound, Call};
use super::binding::{F, FM, Row};
use super::error::OrRaise;
use super::linear::same_dtype;
use super::tensor::{answer, tuple};
use crate::error::Result;
use crate::ops::{self, fft, linalg, matmul, reduce, rows, view};
use crate::tensor::Tensor;

fn one(call: Call<'_>, f: fn(&Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?), vm)
}

fn solve(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if a.bool_or("left", true)? {
        return answer(linalg::solve(&x, &y), vm);
    }
    // X A = B is A^T X^T = B^T.
    let flip = |t: &Tensor| view::transpose(t, -2, -1);
    answer(flip(&x).and_then(|x| linalg::solve(&x, &flip(&y)?)).and_then(|t| flip(&t)), vm)
}

fn cholesky(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(linalg::cholesky(&a.tensor(0)?, a.bool_or("upper", false)?), vm)
}

fn qr(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["A", "mode"], 1)?;
    let (q, r) = linalg::qr(&a.tensor(0)?, a.str(1)?.unwrap_or("reduced")).or_raise(vm)?;
    Ok(tuple(vec![q, r], vm))
}

fn slogdet(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (sign, log) = linalg::slogdet(&a.tensor(0)?).or_raise(vm)?;
    Ok(tuple(vec![sign, log], vm))
}

fn eig(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["A"], 1)?;
    let (values, vectors) = linalg::eig(&a.tensor(0)?, "linalg.eig").or_raise(vm)?;
    Ok(tuple(vec![values, vectors], vm))
}

fn eigh(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (values, vectors) = linalg::eigh(&a.tensor(0)?, a.str(1)?.unwrap_or("L")).or_raise(vm)?;
    Ok(tuple(vec![values, vectors], vm))
}

/// `_linalg_factors(A, exchange)`: L and U in one, the row (from 0) that each row was exchanged with, and the order of rows.
fn factors(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["A", "exchange"], 2)?;
    let found = linalg::factors(&a.tensor(0)?, a.bool_or(1, true)?).or_raise(vm)?;
    Ok(tuple(vec![found.lu, found.exchanges, found.order], vm))
}

/// `_linalg_substituted(T, B, upper, unit)`: the X of `T X = B`.
fn substituted(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["T", "B", "upper", "unit"], 4)?;
    answer(linalg::substituted(&a.tensor(0)?, &a.tensor(1)?, a.bool_or(2, false)?, a.bool_or(3, false)?), vm)
}

/// `_linalg_cholesky_factors(A)`: the lower factors, whether the matrices are positive-definite or not.
fn cholesky_factors(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["A"], 1)?;
    answer(linalg::cholesky_factors(&a.tensor(0)?), vm)
}

fn eigvals(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(linalg::eig(&a.tensor(0)?, "linalg.eigvals").map(|(values, _)| values), vm)
}

fn eigvalsh(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(linalg::eigh(&a.tensor(0)?, a.str(1)?.unwrap_or("L")).map(|(values, _)| values), vm)
}

fn svd(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (u, s, vh) = linalg::svd(&a.tensor(0)?, a.bool_or(1, true)?).or_raise(vm)?;
    Ok(tuple(vec![u, s, vh], vm))
}

fn svdvals(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(linalg::svd(&a.tensor(0)?, false).map(|(_, s, _)| s), vm)
}

fn vector_norm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let x = match a.dtype("dtype")? {
        Some(dtype) => ops::transfer::cast(&a.tensor(0)?, dtype).or_raise(vm)?,
        None => a.tensor(0)?,
    };
    answer(reduce::norm(&x, a.f64_or(1, 2.0)?, &a.dims(2)?, a.bool_or(3, false)?, rows::NORM.node), vm)
}

/// `_pinv(A, found)`: records a pseudo-inverse that was computed outside the graph.
fn pinv(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["A", "found"], 2)?;
    answer(linalg::pinv(&a.tensor(0)?, &a.tensor(1)?), vm)
}

/// What `_fft_c2c`, `_fft_r2c` and `_fft_c2r` share: the tensor, the dimensions and the factor.
fn transformed(a: &Bound<'_>, vm: &VirtualMachine) -> PyResult<(Tensor, Vec<i64>, fft::Norm)> {
    Ok((a.tensor(0)?, a.ints(1)?.to_vec(), fft::Norm::of(a.int(2)?).or_raise(vm)?))
}

fn fft_c2c(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dims, norm) = transformed(&a, vm)?;
    answer(fft::c2c(&t, &dims, norm, a.bool_or(3, false)?), vm)
}

fn fft_r2c(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dims, norm) = transformed(&a, vm)?;
    answer(fft::r2c(&t, &dims, norm, a.bool_or(3, false)?), vm)
}

fn fft_c2r(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, dims, norm) = transformed(&a, vm)?;
    let Ok(size @ 1..) = usize::try_from(a.int(3)?) else {
        return Err(vm.new_runtime_error(format!("Invalid number of data points ({}) specified", a.int(3)?)));
    };
    answer(fft::c2r(&t, &dims, norm, size), vm)
}

fn baddbmm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (beta, alpha) = (a.number_or("beta", 1.0)?, a.number_or("alpha", 1.0)?);
    same_dtype(&a)?;
    answer(matmul::baddbmm(&a.tensor(0)?, &a.tensor(1)?, &a.tensor(2)?, beta, alpha), vm)
}

fn trace(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(linalg::trace(&a.tensor(0)?), vm)
}

const FIRST_OF_THREE: &str = "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future release.";

fn cross(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    let dim = match a.int_or_none(2)? {
        Some(d) => d,
        None => {
            super::error::warn_once(FIRST_OF_THREE, vm)?;
            match x.shape().iter().position(|&n| n == 3) {
                Some(d) => d as i64,
                None => return Err(vm.new_runtime_error("no dimension of size 3 in input")),
            }
        }
    };
    answer(linalg::cross(&x, &y, dim), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("linalg_det", F, |c| one(c, linalg::det)),
    ("det", FM, |c| one(c, linalg::det)),
    ("linalg_inv", F, |c| one(c, linalg::inv)),
    ("inverse", FM, |c| one(c, linalg::inv)),
    ("linalg_solve", F, solve),
    ("linalg_cholesky", F, cholesky),
    ("linalg_eigvals", F, eigvals),
    ("linalg_eigvalsh", F, eigvalsh),
    ("linalg_svdvals", F, svdvals),
    ("linalg_vector_norm", F, vector_norm),
    ("_linalg_qr", F, qr),
    ("_linalg_slogdet", F, slogdet),
    ("_linalg_eig", F, eig),
    ("_linalg_eigh", F, eigh),
    ("_linalg_svd", F, svd),
    ("_linalg_pinv", F, pinv),
    ("_linalg_factors", F, factors),
    ("_linalg_substituted", F, substituted),
    ("_linalg_cholesky_factors", F, cholesky_factors),
    ("_fft_c2c", F, fft_c2c),
    ("_fft_r2c", F, fft_r2c),
    ("_fft_c2r", F, fft_c2r),
    ("baddbmm", FM, baddbmm),
    ("trace", FM, trace),
    ("cross", FM, cross),
]];
