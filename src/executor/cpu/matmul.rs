//! Batched matrix products. The `gemm` crate does those of floats.

use super::dense::{self, Output, scratch};
use super::element::Compute;
use super::simd::{Shared, parallel, vectorize};
use super::span::{Span, place};
use super::{Temporary, copy};
use crate::dtype::DType;
use crate::executor::{Done, View};

/// With this many multiply-adds, a single product is shared among threads.
const THREADED: usize = 1 << 19;

/// A matrix in memory: a pointer and the strides of its rows and columns, in elements.
#[derive(Clone, Copy)]
pub(super) struct Matrix<C> {
    ptr: *mut C,
    row: usize,
    column: usize,
}

// SAFETY: a pointer into memory that outlives the kernel; products of one kernel write disjoint matrices.
unsafe impl<C> Send for Matrix<C> {}
unsafe impl<C> Sync for Matrix<C> {}

impl<C> Matrix<C> {
    /// Row-major, `columns` wide.
    pub(super) fn of(values: &[C], columns: usize) -> Matrix<C> {
        Matrix { ptr: values.as_ptr().cast_mut(), row: columns, column: 1 }
    }

    pub(super) fn of_mut(values: &mut [C], columns: usize) -> Matrix<C> {
        Matrix { ptr: values.as_mut_ptr(), row: columns, column: 1 }
    }

    /// A part of a row-major matrix of `width` columns that begins at `ptr`: the columns from `start` on.
    pub(super) fn part(ptr: *mut C, width: usize, start: usize) -> Matrix<C> {
        Matrix { ptr: ptr.wrapping_add(start), row: width, column: 1 }
    }

    /// The element in row `i` and column `j`.
    fn at(self, i: usize, j: usize) -> *mut C {
        self.ptr.wrapping_add(place(i.wrapping_mul(self.row), j, self.column))
    }

    pub(super) fn transposed(self) -> Matrix<C> {
        Matrix { ptr: self.ptr, row: self.column, column: self.row }
    }
}

/// Float types that `gemm` multiplies.
pub(super) trait Gemm: Compute {}
impl Gemm for f32 {}
impl Gemm for f64 {}

/// `out = alpha * a @ b`, plus `keep * out` if `keep` is given, for `a` [m, k] and `b` [k, n].
///
/// # Safety
/// The matrices have these sizes in memory, and nothing else accesses `out`.
pub(super) unsafe fn multiply<C: Gemm>(
    [m, k, n]: [usize; 3],
    a: Matrix<C>,
    b: Matrix<C>,
    out: Matrix<C>,
    alpha: C,
    keep: Option<C>,
    threads: bool,
) {
    if m == 0 || n == 0 {
        return;
    }
    if (n == 1 || m == 1) && k > 0 {
        let threads = threads && m.max(n).saturating_mul(k) >= VECTOR_THREADED;
        // SAFETY: promised by the caller. A row times a matrix is the transposed matrix times a column.
        return unsafe {
            if n == 1 {
                by_vector([m, k], a, (b.ptr, b.row), (out.ptr, out.row), alpha, keep, threads)
            } else {
                by_vector([n, k], b.transposed(), (a.ptr, a.column), (out.ptr, out.column), alpha, keep, threads)
            }
        };
    }
    let work = m.saturating_mul(n).saturating_mul(k);
    // SAFETY: promised by the caller.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.ptr,
            out.column as isize,
            out.row as isize,
            keep.is_some(),
            a.ptr,
            a.column as isize,
            a.row as isize,
            b.ptr,
            b.column as isize,
            b.row as isize,
            keep.unwrap_or_default(),
            alpha,
            false,
            false,
            false,
            parallelism(threads && work >= THREADED),
        );
    }
}

/// With this many elements, the product of a matrix and a vector is shared among threads.
const VECTOR_THREADED: usize = 1 << 18;

/// How many sums are kept in registers while a matrix is multiplied by a vector.
const LANES: usize = 32;

/// `y = alpha * a @ x`, plus `keep * y`, for `a` [m, k] and vectors with strides. It reads the matrix once, in the order of
/// memory; a blocked product would copy it first.
///
/// # Safety
/// The operands have these sizes in memory, and nothing else accesses `y`.
unsafe fn by_vector<C: Gemm>(
    [m, k]: [usize; 2],
    a: Matrix<C>,
    (x, x_stride): (*const C, usize),
    (y, y_stride): (*mut C, usize),
    alpha: C,
    keep: Option<C>,
    threads: bool,
) {
    // SAFETY (all): promised by the caller; threads have disjoint rows.
    let x: Vec<C> = (0..k).map(|p| unsafe { *x.add(place(0, p, x_stride)) }.times(alpha)).collect();
    let y = Shared::from_ptr(y);
    let put = |i: usize, sum: C| unsafe {
        let element = y.get().add(place(0, i, y_stride));
        *element = match keep {
            Some(keep) => keep.times(*element).plus(sum),
            None => sum,
        };
    };
    let grain = if threads { (VECTOR_THREADED / 2 / k).max(LANES) } else { m };
    parallel(m, grain, |rows| {
        if a.column == 1 {
            for i in rows {
                let row = unsafe { std::slice::from_raw_parts(a.at(i, 0), k) };
                put(
                    i,
                    vectorize(
                        #[inline(always)]
                        || dot(row, &x),
                    ),
                );
            }
        } else if a.row == 1 {
            let mut start = rows.start;
            while start < rows.end {
                let width = 256.min(rows.end - start);
                let mut sums = [C::default(); 256];
                vectorize(
                    #[inline(always)]
                    || {
                        for (p, factor) in x.iter().enumerate() {
                            let line = unsafe { std::slice::from_raw_parts(a.at(start, p), width) };
                            for (sum, v) in sums[..width].iter_mut().zip(line) {
                                *sum = sum.plus(v.times(*factor));
                            }
                        }
                    },
                );
                (0..width).for_each(|i| put(start + i, sums[i]));
                start += width;
            }
        } else {
            for i in rows {
                let mut sum = C::default();
                for (p, factor) in x.iter().enumerate() {
                    sum = sum.plus(unsafe { *a.at(i, p) }.times(*factor));
                }
                put(i, sum);
            }
        }
    });
}

#[inline(always)]
fn dot<C: Gemm>(a: &[C], b: &[C]) -> C {
    let ((left, left_rest), (right, right_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut lanes = [C::default(); LANES];
    for (a, b) in left.iter().zip(right) {
        for i in 0..LANES {
            lanes[i] = lanes[i].plus(a[i].times(b[i]));
        }
    }
    for ((lane, a), b) in lanes.iter_mut().zip(left_rest).zip(right_rest) {
        *lane = lane.plus(a.times(*b));
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = lanes[i].plus(lanes[i + width]);
        }
        width /= 2;
    }
    lanes[0]
}

#[cfg(not(target_arch = "wasm32"))]
fn parallelism(threads: bool) -> gemm::Parallelism {
    if threads { gemm::Parallelism::Rayon(0) } else { gemm::Parallelism::None }
}

#[cfg(target_arch = "wasm32")]
fn parallelism(_: bool) -> gemm::Parallelism {
    gemm::Parallelism::None
}

pub(super) fn matmul(
    a: &View<'_>,
    c: &View<'_>,
    bias: Option<&View<'_>>,
    alpha: f64,
    beta: f64,
    out: &View<'_>,
) -> Done {
    let (a, c, target) = (Span::new(a)?, Span::new(c)?, Span::new(out)?);
    let bias = bias.filter(|_| beta != 0.0).map(Span::new).transpose()?;
    if target.numel() == 0 {
        return Ok(());
    }
    match target.dtype {
        DType::F32 if a.dtype == DType::F32 && c.dtype == DType::F32 => {
            floats::<f32>(&a, &c, bias.as_ref(), alpha, beta, &target);
        }
        DType::F64 if a.dtype == DType::F64 && c.dtype == DType::F64 => {
            floats::<f64>(&a, &c, bias.as_ref(), alpha, beta, &target);
        }
        DType::F64 => through::<f64>(&a, &c, bias.as_ref(), alpha, beta, &target)?,
        DType::F32 | DType::F16 | DType::BF16 => through::<f32>(&a, &c, bias.as_ref(), alpha, beta, &target)?,
        _ => integers(&a, &c, bias.as_ref(), alpha as i64, beta as i64, out)?,
    }
    Ok(())
}

/// Multiplies in `C` without copying the operands.
fn floats<C: Gemm>(a: &Span, c: &Span, bias: Option<&Span>, alpha: f64, beta: f64, out: &Span) {
    if let Some(bias) = bias {
        copy::copy(bias, out);
    }
    let (batch, m, n) = (out.shape[0], out.shape[1], out.shape[2]);
    let k = a.shape[2];
    let alpha = C::from_scalar(alpha.into());
    let keep = bias.map(|_| C::from_scalar(beta.into()));
    let matrix = |span: &Span, b: usize| Matrix::<C> {
        ptr: span.ptr::<C>().wrapping_add(b * span.strides[0]),
        row: span.strides[1],
        column: span.strides[2],
    };
    // SAFETY (both): matrices of checked spans; every batch entry writes its own.
    let one = |b: usize, threads: bool| unsafe {
        multiply([m, k, n], matrix(a, b), matrix(c, b), matrix(out, b), alpha, keep, threads)
    };
    if batch == 1 {
        return one(0, true);
    }
    let work = (m * n).saturating_mul(k).max(1);
    if batch < 4 && work >= THREADED {
        (0..batch).for_each(|b| one(b, true));
    } else {
        parallel(batch, (THREADED / work).max(1), |range| range.for_each(|b| one(b, false)));
    }
}

/// Converts the operands to `C`, multiplies, and converts the result.
fn through<C: Gemm>(a: &Span, c: &Span, bias: Option<&Span>, alpha: f64, beta: f64, out: &Span) -> Done {
    let convert = |span: &Span| -> Done<Temporary> {
        let temporary = Temporary::new(&span.shape, C::DTYPE)?;
        copy::copy(span, temporary.span());
        Ok(temporary)
    };
    let (a, c) = (convert(a)?, convert(c)?);
    let bias = bias.map(convert).transpose()?;
    let result = Temporary::new(&out.shape, C::DTYPE)?;
    floats::<C>(a.span(), c.span(), bias.as_ref().map(Temporary::span), alpha, beta, result.span());
    copy::copy(result.span(), out);
    Ok(())
}

fn integers(a: &Span, c: &Span, bias: Option<&Span>, alpha: i64, beta: i64, out: &View<'_>) -> Done {
    let (batch, m, n) = (out.shape[0], out.shape[1], out.shape[2]);
    let k = a.shape[2];
    let (a, c) = (dense::read::<i64>(a)?, dense::read::<i64>(c)?);
    let bias = bias.map(dense::read::<i64>).transpose()?;
    let mut result = scratch::<i64>(batch * m * n)?;
    let shared = Shared::new(&mut result);
    parallel(batch * m, (super::simd::GRAIN / (n * k).max(1)).max(1), |rows| {
        for row in rows {
            // SAFETY: each row belongs to one thread.
            let sums = unsafe { shared.slice(row * n..(row + 1) * n) };
            let b = row / m;
            for p in 0..k {
                let factor = a[row * k + p];
                let line = &c[(b * k + p) * n..(b * k + p + 1) * n];
                for (sum, v) in sums.iter_mut().zip(line) {
                    *sum = sum.wrapping_add(factor.wrapping_mul(*v));
                }
            }
            for (j, sum) in sums.iter_mut().enumerate() {
                let bias = bias.as_ref().map_or(0, |bias| beta.wrapping_mul(bias[row * n + j]));
                *sum = alpha.wrapping_mul(*sum).wrapping_add(bias);
            }
        }
    });
    let mut out = Output::<i64>::new(out)?;
    out.copy_from_slice(&result);
    out.finish();
    Ok(())
}
