//! Eigenvalues and eigenvectors of square matrices, by the crate faer.

use faer::{Mat, MatRef, c64};

use super::dense::{Output, read_view, scratch};
use super::element::{Compute, with_float};
use crate::executor::{Done, Fault, View};

/// Each matrix of `x`: real ones are [b, n, n], complex ones [b, n, n, 2]. `values` is [b, n, 2] and `vectors` [b, n, n, 2].
pub(super) fn eigen(x: &View<'_>, values: &View<'_>, vectors: &View<'_>) -> Done {
    with_float!(x.dtype, "linalg_eig", C => eigen_as::<C>(x, values, vectors))
}

fn eigen_as<C: Compute>(x: &View<'_>, values: &View<'_>, vectors: &View<'_>) -> Done {
    let (count, n, complex) = (x.shape[0], x.shape[1], x.shape.len() == 4);
    let numbers = read_view::<C>(x)?;
    let (mut values, mut vectors) = (Output::<C>::new(values)?, Output::<C>::new(vectors)?);
    let width = if complex { 2 } else { 1 };
    // faer ends the process if it gets no memory; this asks for as much as it needs first.
    drop(scratch::<f64>(n.saturating_mul(n).saturating_mul(16))?);
    for b in 0..count {
        let part =
            |i: usize, j: usize, part: usize| Compute::store::<f64>(numbers[((b * n + i) * n + j) * width + part]);
        let found = match complex {
            true => Mat::<c64>::from_fn(n, n, |i, j| c64::new(part(i, j, 0), part(i, j, 1))).eigen(),
            false => Mat::<f64>::from_fn(n, n, |i, j| part(i, j, 0)).eigen(),
        };
        let found =
            found.map_err(|_| Fault::Unsupported("eigenvalues of a matrix for which they don't converge".into()))?;
        let (u, s) = (found.U(), found.S().column_vector());
        for j in 0..n {
            let turn = turn(u, j, complex || s[j].im != 0.0);
            values[2 * (b * n + j)] = C::load(s[j].re);
            values[2 * (b * n + j) + 1] = C::load(s[j].im);
            for i in 0..n {
                let at = 2 * ((b * n + i) * n + j);
                let number = u[(i, j)] * turn;
                vectors[at] = C::load(number.re);
                vectors[at + 1] = C::load(number.im);
            }
        }
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
