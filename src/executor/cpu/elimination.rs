//! Triangular factors of matrices and systems with triangular matrices, in the steps of LAPACK's getf2, potf2, geqr2 and trsm.
//!
//! A real matrix is [m, n], a complex one [m, n, 2] with real and imaginary parts.

use std::ops::{Add, Mul, Neg, Range, Sub};

use rustfft::num_complex::Complex;
use rustfft::num_traits::Float;

use super::complex::Part;
use super::dense::{Output, collected, filled, read_view};
use super::element::{Compute, with_float};
use super::simd::{GRAIN, Shared, parallel};
use crate::executor::{Done, View};

/// Columns that are eliminated before the rest of the matrix follows: a row of the rest is read once for all of them.
const BLOCK: usize = 32;

/// Gaussian elimination of each matrix of `x`, [b, m, n], with row exchanges if `exchange`. A column with a zero pivot isn't changed.
/// `factors` is [b, m, n], with U and below its diagonal L; `exchanges` (i64) is [b, min(m, n)], the row that each row was exchanged
/// with; `order` (i64) is [b, m], where each row of L U comes from.
pub(super) fn eliminate(
    x: &View<'_>,
    exchange: bool,
    factors: &View<'_>,
    exchanges: &View<'_>,
    order: &View<'_>,
) -> Done {
    with_float!(x.dtype, "lu", P => match x.shape.len() {
        4 => eliminate_as::<Complex<P>>(x, exchange, factors, exchanges, order),
        _ => eliminate_as::<P>(x, exchange, factors, exchanges, order),
    })
}

/// Solves `T X = B` for each triangular matrix `t`, [b, n, n], and `x`, [b, n, k]. Only one triangle of `t` is read, and with `unit`
/// not its diagonal, which counts as ones. `out` has `x`'s shape.
pub(super) fn substitute(t: &View<'_>, x: &View<'_>, upper: bool, unit: bool, out: &View<'_>) -> Done {
    with_float!(x.dtype, "triangular_solve", P => match x.shape.len() {
        4 => substitute_as::<Complex<P>>(t, x, upper, unit, out),
        _ => substitute_as::<P>(t, x, upper, unit, out),
    })
}

/// The lower triangle L with `x = L L^H` of each matrix of `x`, [b, n, n]; zero above it. Only the lower triangle of `x` is read.
/// Where `x` isn't positive definite, a square root on L's diagonal isn't positive (NaN for negative numbers), and L is valid only
/// above that row.
pub(super) fn cholesky(x: &View<'_>, out: &View<'_>) -> Done {
    with_float!(x.dtype, "cholesky", P => match x.shape.len() {
        4 => cholesky_as::<Complex<P>>(x, out),
        _ => cholesky_as::<P>(x, out),
    })
}

/// Q and R of each matrix of `x`, [b, m, n], by Householder reflections: `q` is [b, m, k] and `r` [b, k, n]; k is m or min(m, n).
pub(super) fn orthogonalize(x: &View<'_>, q: &View<'_>, r: &View<'_>) -> Done {
    with_float!(x.dtype, "geqrf", P => match x.shape.len() {
        4 => orthogonalize_as::<Complex<P>>(x, q, r),
        _ => orthogonalize_as::<P>(x, q, r),
    })
}

/// A real or complex number.
trait Number:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    type Part: Part + Float;
    const WIDTH: usize;
    const ONE: Self;
    fn of(parts: &[Self::Part]) -> Self;
    fn put(self, parts: &mut [Self::Part]);
    fn from_real(real: Self::Part) -> Self;
    fn over(self, other: Self) -> Self;
    fn conjugate(self) -> Self;
    fn real(self) -> Self::Part;
    fn imaginary(self) -> Self::Part;
    /// What LAPACK compares pivots by: for complex numbers, the sum of their parts' sizes.
    fn size(self) -> Self::Part;
    fn absolute(self) -> Self::Part;
}

impl<P: Part + Float> Number for P {
    type Part = P;
    const WIDTH: usize = 1;
    const ONE: P = <P as Compute>::ONE;

    #[inline(always)]
    fn of(parts: &[P]) -> P {
        parts[0]
    }
    #[inline(always)]
    fn put(self, parts: &mut [P]) {
        parts[0] = self;
    }
    #[inline(always)]
    fn from_real(real: P) -> P {
        real
    }
    #[inline(always)]
    fn over(self, other: P) -> P {
        self / other
    }
    #[inline(always)]
    fn conjugate(self) -> P {
        self
    }
    #[inline(always)]
    fn real(self) -> P {
        self
    }
    #[inline(always)]
    fn imaginary(self) -> P {
        P::ZERO
    }
    #[inline(always)]
    fn size(self) -> P {
        self.abs()
    }
    #[inline(always)]
    fn absolute(self) -> P {
        self.abs()
    }
}

impl<P: Part + Float> Number for Complex<P> {
    type Part = P;
    const WIDTH: usize = 2;
    const ONE: Self = Complex { re: <P as Compute>::ONE, im: P::ZERO };

    #[inline(always)]
    fn of(parts: &[P]) -> Self {
        Complex { re: parts[0], im: parts[1] }
    }
    #[inline(always)]
    fn put(self, parts: &mut [P]) {
        (parts[0], parts[1]) = (self.re, self.im);
    }
    #[inline(always)]
    fn from_real(real: P) -> Self {
        Complex { re: real, im: P::ZERO }
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        let [re, im] = P::quotient([self.re, self.im], [other.re, other.im]);
        Complex { re, im }
    }
    #[inline(always)]
    fn conjugate(self) -> Self {
        Complex { re: self.re, im: -self.im }
    }
    #[inline(always)]
    fn real(self) -> P {
        self.re
    }
    #[inline(always)]
    fn imaginary(self) -> P {
        self.im
    }
    #[inline(always)]
    fn size(self) -> P {
        self.re.abs() + self.im.abs()
    }
    #[inline(always)]
    fn absolute(self) -> P {
        self.re.hypot(self.im)
    }
}

/// The numbers of a view, row by row.
fn read<N: Number>(x: &View<'_>) -> Done<Vec<N>> {
    collected(read_view::<N::Part>(x)?.chunks_exact(N::WIDTH).map(N::of))
}

fn write<N: Number>(numbers: &[N], to: &View<'_>) -> Done {
    let mut out = Output::<N::Part>::new(to)?;
    for (parts, number) in out.chunks_exact_mut(N::WIDTH).zip(numbers) {
        number.put(parts);
    }
    out.finish();
    Ok(())
}

/// `y -= a * x`.
#[inline(always)]
fn subtract<N: Number>(y: &mut [N], a: N, x: &[N]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = *y - a * x;
    }
}

/// Calls `f` with each row of a matrix whose rows have `n` numbers, on several threads if it's large, and with the row's place.
fn each_row<N: Number>(matrix: &mut [N], n: usize, steps: usize, f: impl Fn(usize, &mut [N]) + Sync) {
    let rows = matrix.len() / n.max(1);
    let shared = Shared::new(matrix);
    parallel(rows, (GRAIN / (n * steps).max(1)).max(1), |range: Range<usize>| {
        for i in range {
            // SAFETY: each row belongs to one thread.
            f(i, unsafe { shared.slice(i * n..(i + 1) * n) });
        }
    });
}

// ---- Gaussian elimination ---------------------------------------------------------------------------------------------

fn eliminate_as<N: Number>(
    x: &View<'_>,
    exchange: bool,
    factors: &View<'_>,
    exchanges: &View<'_>,
    order: &View<'_>,
) -> Done {
    let (b, m, n) = (x.shape[0], x.shape[1], x.shape[2]);
    let k = m.min(n);
    let mut all = read::<N>(x)?;
    let mut pivots = filled(0_i64, b * k)?;
    let mut places = filled(0_i64, b * m)?;
    for i in 0..b {
        let (pivots, places) = (&mut pivots[i * k..][..k], &mut places[i * m..][..m]);
        for (place, at) in places.iter_mut().zip(0..) {
            *place = at;
        }
        factor(&mut all[i * m * n..][..m * n], [m, n], exchange, pivots, places);
    }
    write(&all, factors)?;
    for (numbers, to) in [(pivots, exchanges), (places, order)] {
        let mut out = Output::<i64>::new(to)?;
        out.copy_from_slice(&numbers);
        out.finish();
    }
    Ok(())
}

fn factor<N: Number>(a: &mut [N], [m, n]: [usize; 2], exchange: bool, pivots: &mut [i64], places: &mut [i64]) {
    let k = m.min(n);
    for begin in (0..k).step_by(BLOCK) {
        let end = (begin + BLOCK).min(k);
        for j in begin..end {
            let mut at = j;
            if exchange {
                for i in j + 1..m {
                    // The first of the largest, and the first NaN.
                    let (here, best) = (a[i * n + j].size(), a[at * n + j].size());
                    if here > best || (Float::is_nan(here) && !Float::is_nan(best)) {
                        at = i;
                    }
                }
            }
            pivots[j] = at as i64;
            if at != j {
                places.swap(at, j);
                let (above, below) = a.split_at_mut(at * n);
                above[j * n..][..n].swap_with_slice(&mut below[..n]);
            }
            let (above, below) = a.split_at_mut((j + 1) * n);
            let pivot = &above[j * n..];
            for row in below.chunks_exact_mut(n) {
                // Below a zero that was the largest are zeros only.
                if pivot[j] != N::default() {
                    row[j] = row[j].over(pivot[j]);
                }
                let factor = row[j];
                subtract(&mut row[j + 1..end], factor, &pivot[j + 1..end]);
            }
        }
        if end == n {
            continue;
        }
        // The columns to the right, in the rows of this block and then below it.
        for i in begin + 1..end {
            let (above, below) = a.split_at_mut(i * n);
            eliminated(&mut below[..n], above, n, begin..i, end);
        }
        let (above, below) = a.split_at_mut(end * n);
        each_row(below, n, end - begin, |_, row| eliminated(row, above, n, begin..end, end));
    }
}

/// Subtracts from the columns of `row` from `first` on what its numbers in the columns `known` take of those rows.
#[inline(always)]
fn eliminated<N: Number>(row: &mut [N], rows: &[N], n: usize, known: Range<usize>, first: usize) {
    let (factors, rest) = row.split_at_mut(first);
    for j in known {
        subtract(rest, factors[j], &rows[j * n + first..(j + 1) * n]);
    }
}

// ---- triangular systems -----------------------------------------------------------------------------------------------

fn substitute_as<N: Number>(t: &View<'_>, x: &View<'_>, upper: bool, unit: bool, out: &View<'_>) -> Done {
    let (b, n, k) = (x.shape[0], x.shape[1], x.shape[2]);
    let (t, mut x) = (read::<N>(t)?, read::<N>(x)?);
    for i in 0..if k == 0 { 0 } else { b } {
        solve(&t[i * n * n..][..n * n], &mut x[i * n * k..][..n * k], [n, k], upper, unit);
    }
    write(&x, out)
}

fn solve<N: Number>(t: &[N], x: &mut [N], [n, k]: [usize; 2], upper: bool, unit: bool) {
    let blocks = n.div_ceil(BLOCK);
    for block in 0..blocks {
        let block = if upper { blocks - 1 - block } else { block };
        let (begin, end) = (block * BLOCK, ((block + 1) * BLOCK).min(n));
        for step in 0..end - begin {
            let i = if upper { end - 1 - step } else { begin + step };
            if upper {
                let (row, below) = x[i * k..].split_at_mut(k);
                for j in (i + 1..end).rev() {
                    subtract(row, t[i * n + j], &below[(j - i - 1) * k..][..k]);
                }
            } else {
                let (above, row) = x.split_at_mut(i * k);
                for j in begin..i {
                    subtract(&mut row[..k], t[i * n + j], &above[j * k..][..k]);
                }
            }
            if !unit {
                for number in &mut x[i * k..][..k] {
                    *number = number.over(t[i * n + i]);
                }
            }
        }
        if upper {
            let (above, known) = x.split_at_mut(begin * k);
            each_row(above, k, end - begin, |i, row| {
                for j in (begin..end).rev() {
                    subtract(row, t[i * n + j], &known[(j - begin) * k..][..k]);
                }
            });
        } else {
            let (known, below) = x.split_at_mut(end * k);
            each_row(below, k, end - begin, |i, row| {
                for j in begin..end {
                    subtract(row, t[(end + i) * n + j], &known[j * k..][..k]);
                }
            });
        }
    }
}

// ---- Cholesky ---------------------------------------------------------------------------------------------------------

fn cholesky_as<N: Number>(x: &View<'_>, out: &View<'_>) -> Done {
    let (b, n) = (x.shape[0], x.shape[1]);
    let mut all = read::<N>(x)?;
    // The adjoint of a block's columns, whose rows are contiguous.
    let mut adjoint = filled(N::default(), BLOCK * n)?;
    for i in 0..b {
        root(&mut all[i * n * n..][..n * n], n, &mut adjoint);
    }
    write(&all, out)
}

fn root<N: Number>(a: &mut [N], n: usize, adjoint: &mut [N]) {
    for begin in (0..n).step_by(BLOCK) {
        let end = (begin + BLOCK).min(n);
        for j in begin..end {
            let head = N::from_real(a[j * n + j].real().sqrt());
            a[j * n + j] = head;
            for i in j + 1..n {
                a[i * n + j] = a[i * n + j].over(head);
            }
            for i in j + 1..n {
                let factor = a[i * n + j];
                for c in j + 1..end.min(i + 1) {
                    a[i * n + c] = a[i * n + c] - factor * a[c * n + j].conjugate();
                }
            }
        }
        for j in begin..end {
            for i in end..n {
                adjoint[(j - begin) * n + i] = a[i * n + j].conjugate();
            }
        }
        let adjoint = &*adjoint;
        each_row(&mut a[end * n..], n, end - begin, |i, row| {
            let i = end + i;
            let (factors, rest) = row.split_at_mut(end);
            for j in begin..end {
                subtract(&mut rest[..i + 1 - end], factors[j], &adjoint[(j - begin) * n + end..][..i + 1 - end]);
            }
        });
    }
    for i in 0..n {
        a[i * n + i + 1..(i + 1) * n].fill(N::default());
    }
}

// ---- QR ---------------------------------------------------------------------------------------------------------------

fn orthogonalize_as<N: Number>(x: &View<'_>, q: &View<'_>, r: &View<'_>) -> Done {
    let (b, m, n, k) = (x.shape[0], x.shape[1], x.shape[2], q.shape[2]);
    let mut all = read::<N>(x)?;
    let mut to_q = filled(N::default(), b * m * k)?;
    let mut to_r = filled(N::default(), b * k * n)?;
    let mut sums = filled(N::default(), n.max(k))?;
    let mut vector = filled(N::default(), m)?;
    let mut scales = filled(N::default(), m.min(n))?;
    for i in 0..if n == 0 { 0 } else { b } {
        let a = &mut all[i * m * n..][..m * n];
        let (q, r) = (&mut to_q[i * m * k..][..m * k], &mut to_r[i * k * n..][..k * n]);
        for (j, scale) in scales.iter_mut().enumerate() {
            *scale = clear_column(a, [m, n], j, &mut vector[j..], &mut sums);
        }
        for j in 0..k {
            q[j * k + j] = N::ONE;
            let from = j.min(n);
            r[j * n + from..(j + 1) * n].copy_from_slice(&a[j * n + from..(j + 1) * n]);
        }
        for (j, &scale) in scales.iter().enumerate().rev() {
            vector[j] = N::ONE;
            for i in j + 1..m {
                vector[i] = a[i * n + j];
            }
            reflect(&vector[j..], scale, &mut q[j * k..], k, j..k, &mut sums);
        }
    }
    write(&to_q, q)?;
    write(&to_r, r)
}

/// Reflects the rows from `j` on so that column `j` keeps its first element only. The vector of the reflection, which begins with 1,
/// is left below that element; the answer is the number that scales it, 0 if there was nothing to do.
fn clear_column<N: Number>(a: &mut [N], [m, n]: [usize; 2], j: usize, vector: &mut [N], sums: &mut [N]) -> N {
    let alpha = a[j * n + j];
    let squares: f64 = (j + 1..m).map(|i| a[i * n + j].absolute().wide()).map(|size| size * size).sum();
    let (size, length) = (alpha.absolute(), <N::Part as Part>::of(squares.sqrt()));
    // The last row has nothing below it, but a complex number on the diagonal is made real.
    if length == N::Part::ZERO && alpha.imaginary() == N::Part::ZERO {
        return N::default();
    }
    // Dividing by the larger part keeps the square of the column's length from overflowing.
    let (large, small) = if size > length { (size, length) } else { (length, size) };
    let ratio = small / large;
    let joint = large * (ratio * ratio + <N::Part as Compute>::ONE).sqrt();
    // The opposite sign of `alpha`, so that `alpha - beta` loses no digits.
    let beta = N::from_real(if alpha.real() < N::Part::ZERO { joint } else { -joint });
    let scale = (beta - alpha).over(beta);
    vector[0] = N::ONE;
    for i in j + 1..m {
        let number = a[i * n + j].over(alpha - beta);
        (a[i * n + j], vector[i - j]) = (number, number);
    }
    reflect(vector, scale.conjugate(), &mut a[j * n..], n, j + 1..n, sums);
    a[j * n + j] = beta;
    scale
}

/// `part -= scale * v @ (v^H @ part)`, in the columns named.
fn reflect<N: Number>(v: &[N], scale: N, part: &mut [N], width: usize, columns: Range<usize>, sums: &mut [N]) {
    let sums = &mut sums[..columns.len()];
    sums.fill(N::default());
    for (row, v) in part.chunks_exact(width).zip(v) {
        for (sum, &number) in sums.iter_mut().zip(&row[columns.clone()]) {
            *sum = *sum + v.conjugate() * number;
        }
    }
    for sum in &mut *sums {
        *sum = -scale * *sum;
    }
    each_row(part, width, 1, |i, row| {
        for (number, &sum) in row[columns.clone()].iter_mut().zip(&*sums) {
            *number = *number + v[i] * sum;
        }
    });
}
