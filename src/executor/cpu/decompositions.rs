//! Decompositions of matrices, by the crate faer: eigenvalues and singular values. All of them compute in f64.
//!
//! A real matrix is [m, n], a complex one [m, n, 2] with real and imaginary parts.

use faer::diag::DiagRef;
use faer::linalg::solvers::{Svd, SvdError};
use faer::traits::{ComplexField, Conjugate};
use faer::{Mat, MatRef, Side, c64};

use super::dense::{Dense, Output, read_view, scratch};
use super::element::{Compute, with_float};
use crate::executor::{Done, View};

/// Each matrix of `x`: real ones are [b, n, n], complex ones [b, n, n, 2]. `values` is [b, n, 2] and `vectors` [b, n, n, 2].
pub(super) fn eigen(x: &View<'_>, values: &View<'_>, vectors: &View<'_>) -> Done {
    with_float!(x.dtype, "linalg_eig", C => eigen_as::<C>(x, values, vectors))
}

/// Each symmetric matrix of `x`, of which only the lower triangle is read: `values` is [b, n], in ascending order, and `vectors`
/// has `x`'s shape.
pub(super) fn symmetric_eigen(x: &View<'_>, values: &View<'_>, vectors: &View<'_>) -> Done {
    with_float!(x.dtype, "linalg_eigh", C => symmetric_eigen_as::<C>(x, values, vectors))
}

/// Each matrix of `x`, [b, m, n]: `u` is [b, m, k], `s` [b, min(m, n)] in descending order, `v` [b, n, l]. `k` is m or min(m, n),
/// `l` is n or min(m, n).
pub(super) fn singular_values(x: &View<'_>, u: &View<'_>, s: &View<'_>, v: &View<'_>) -> Done {
    with_float!(x.dtype, "linalg_svd", C => singular_values_as::<C>(x, u, s, v))
}

/// The numbers of a batch of matrices.
struct Batch<C: Compute> {
    numbers: Dense<C>,
    /// Rows and columns.
    shape: [usize; 2],
    /// 2 for complex numbers, else 1.
    width: usize,
}

impl<C: Compute> Batch<C> {
    fn read(x: &View<'_>) -> Done<Self> {
        let (m, n) = (x.shape[1], x.shape[2]);
        // faer ends the process if it gets no memory; this asks for as much as it needs first.
        drop(scratch::<f64>(m.max(n).saturating_mul(m.max(n)).saturating_mul(16))?);
        Ok(Batch { numbers: read_view::<C>(x)?, shape: [m, n], width: if x.shape.len() == 4 { 2 } else { 1 } })
    }

    fn is_complex(&self) -> bool {
        self.width == 2
    }

    fn part(&self, b: usize, i: usize, j: usize, part: usize) -> f64 {
        let [m, n] = self.shape;
        Compute::store::<f64>(self.numbers[((b * m + i) * n + j) * self.width + part])
    }

    /// Whether matrix `b` has only finite numbers; with `lower`, only those of its lower triangle count. faer takes no others.
    fn is_finite(&self, b: usize, lower: bool) -> bool {
        let [m, n] = self.shape;
        (0..m).all(|i| {
            let n = if lower { i + 1 } else { n };
            (0..n).all(|j| (0..self.width).all(|part| self.part(b, i, j, part).is_finite()))
        })
    }

    fn real(&self, b: usize) -> Mat<f64> {
        Mat::from_fn(self.shape[0], self.shape[1], |i, j| self.part(b, i, j, 0))
    }

    fn complex(&self, b: usize) -> Mat<c64> {
        Mat::from_fn(self.shape[0], self.shape[1], |i, j| c64::new(self.part(b, i, j, 0), self.part(b, i, j, 1)))
    }
}

/// A number that a matrix of faer's consists of, as the parts that are stored.
trait Parts: Copy {
    const WIDTH: usize;
    fn parts(self) -> [f64; 2];
}

impl Parts for f64 {
    const WIDTH: usize = 1;
    fn parts(self) -> [f64; 2] {
        [self, 0.0]
    }
}

impl Parts for c64 {
    const WIDTH: usize = 2;
    fn parts(self) -> [f64; 2] {
        [self.re, self.im]
    }
}

/// Writes the first columns of `matrix` as matrix `b` of a batch whose matrices have as many rows and `columns` columns.
fn put<C: Compute, T: Parts>(out: &mut Output<C>, b: usize, matrix: MatRef<'_, T>, columns: usize) {
    let m = matrix.nrows();
    for i in 0..m {
        for j in 0..columns {
            let parts = matrix[(i, j)].parts();
            let at = ((b * m + i) * columns + j) * T::WIDTH;
            for (part, number) in parts.into_iter().take(T::WIDTH).enumerate() {
                out[at + part] = C::load(number);
            }
        }
    }
}

/// Writes the numbers on a diagonal as row `b`.
fn put_row<C: Compute, T: Parts>(out: &mut Output<C>, b: usize, diagonal: DiagRef<'_, T>) {
    let diagonal = diagonal.column_vector();
    let n = diagonal.nrows();
    for i in 0..n {
        let parts = diagonal[i].parts();
        out[b * n + i] = C::load(parts[0]);
    }
}

/// Writes NaN as part `b` of `count`.
fn put_nothing<C: Compute>(out: &mut Output<C>, b: usize, count: usize) {
    let each = out.len() / count;
    out[b * each..(b + 1) * each].fill(C::load(f64::NAN));
}

fn symmetric_eigen_as<C: Compute>(x: &View<'_>, values: &View<'_>, vectors: &View<'_>) -> Done {
    let batch = Batch::<C>::read(x)?;
    let (mut values, mut vectors) = (Output::<C>::new(values)?, Output::<C>::new(vectors)?);
    let (count, n) = (x.shape[0], batch.shape[1]);
    for b in 0..count {
        let found = match batch.is_complex() {
            _ if !batch.is_finite(b, true) => None,
            true => batch.complex(b).self_adjoint_eigen(Side::Lower).ok().map(|found| {
                put_row(&mut values, b, found.S());
                put(&mut vectors, b, found.U(), n);
            }),
            false => batch.real(b).self_adjoint_eigen(Side::Lower).ok().map(|found| {
                put_row(&mut values, b, found.S());
                let mut u = found.U().to_owned();
                if n == 2 {
                    turn_as_lapack(&mut u, [(0, 0), (1, 0), (1, 1)].map(|(i, j)| batch.part(b, i, j, 0)));
                }
                put(&mut vectors, b, u.as_ref(), n);
            }),
        };
        if found.is_none() {
            put_nothing(&mut values, b, count);
            put_nothing(&mut vectors, b, count);
        }
    }
    values.finish();
    vectors.finish();
    Ok(())
}

/// Gives the eigenvectors of a matrix [[p, w], [w, q]] the directions that LAPACK's formula for such matrices (`dlaev2`) gives them. For more rows the direction depends on the library that computes them.
fn turn_as_lapack(u: &mut Mat<f64>, [p, w, q]: [f64; 3]) {
    if w == 0.0 {
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            u[(i, j)] = u[(i, j)].abs();
        }
        return;
    }
    // The formula's first vector is that of the eigenvalue that is farther from 0; the second is the first turned to the left.
    let (first, second) = if p + q < 0.0 { (0, 1) } else { (1, 0) };
    let swapped = (p + q < 0.0) == (p < q);
    let down = match (swapped, p == q) {
        (true, false) => u[(0, first)] > 0.0,
        (true, true) => u[(1, first)] < 0.0,
        (false, false) => u[(1, first)] < 0.0,
        (false, true) => u[(0, first)] < 0.0,
    };
    let sign = if down { -1.0 } else { 1.0 };
    let (x, y) = (sign * u[(0, first)], sign * u[(1, first)]);
    (u[(0, first)], u[(1, first)]) = (x, y);
    (u[(0, second)], u[(1, second)]) = (-y, x);
}

fn singular_values_as<C: Compute>(x: &View<'_>, u: &View<'_>, s: &View<'_>, v: &View<'_>) -> Done {
    let batch = Batch::<C>::read(x)?;
    let (count, columns) = (x.shape[0], [u.shape[2], v.shape[2]]);
    let full = columns.iter().any(|&k| k > s.shape[1]);
    let (mut u, mut s, mut v) = (Output::<C>::new(u)?, Output::<C>::new(s)?, Output::<C>::new(v)?);
    for b in 0..count {
        let found = match batch.is_complex() {
            _ if !batch.is_finite(b, false) => None,
            true => decomposed(&batch.complex(b), full).ok().map(|found| {
                put(&mut u, b, found.U(), columns[0]);
                put_row(&mut s, b, found.S());
                put(&mut v, b, found.V(), columns[1]);
            }),
            false => decomposed(&batch.real(b), full).ok().map(|found| {
                put(&mut u, b, found.U(), columns[0]);
                put_row(&mut s, b, found.S());
                put(&mut v, b, found.V(), columns[1]);
            }),
        };
        if found.is_none() {
            put_nothing(&mut u, b, count);
            put_nothing(&mut s, b, count);
            put_nothing(&mut v, b, count);
        }
    }
    u.finish();
    s.finish();
    v.finish();
    Ok(())
}

fn decomposed<T: ComplexField + Conjugate<Canonical = T>>(matrix: &Mat<T>, full: bool) -> Result<Svd<T>, SvdError> {
    if full { matrix.svd() } else { matrix.thin_svd() }
}

fn eigen_as<C: Compute>(x: &View<'_>, values: &View<'_>, vectors: &View<'_>) -> Done {
    let batch = Batch::<C>::read(x)?;
    let (mut values, mut vectors) = (Output::<C>::new(values)?, Output::<C>::new(vectors)?);
    let (count, n, complex) = (x.shape[0], batch.shape[1], batch.is_complex());
    for b in 0..count {
        let Ok(found) = (if complex { batch.complex(b).eigen() } else { batch.real(b).eigen() }) else {
            put_nothing(&mut values, b, count);
            put_nothing(&mut vectors, b, count);
            continue;
        };
        let (mut u, s) = (found.U().to_owned(), found.S().column_vector());
        for j in 0..n {
            let [re, im] = s[j].parts();
            values[2 * (b * n + j)] = C::load(re);
            values[2 * (b * n + j) + 1] = C::load(im);
            let turn = turn(found.U(), j, complex || im != 0.0);
            for i in 0..n {
                u[(i, j)] *= turn;
            }
        }
        put(&mut vectors, b, u.as_ref(), n);
    }
    values.finish();
    vectors.finish();
    Ok(())
}

/// What makes the length of vector `j` 1 and, if it's `complex`, its largest number real and positive, as LAPACK's are.
fn turn(u: MatRef<'_, c64>, j: usize, complex: bool) -> c64 {
    let numbers = || (0..u.nrows()).map(|i| u[(i, j)]);
    let length = numbers().map(|n| n.norm_sqr()).sum::<f64>().sqrt();
    let largest = numbers().fold(c64::new(0.0, 0.0), |a, b| if b.norm_sqr() > a.norm_sqr() { b } else { a });
    match complex && largest.norm_sqr() > 0.0 {
        true => largest.conj() / (largest.norm_sqr().sqrt() * length),
        false => c64::new(1.0 / length, 0.0),
    }
}
