//! Discrete Fourier transforms, by the crate rustfft.

use std::cell::RefCell;

use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftNum, FftPlanner};

use super::dense::{Output, collected, filled, read_view};
use super::element::{Compute, with_float};
use super::simd::{GRAIN, Shared, try_parallel};
use crate::executor::{Done, View};

/// Transforms each row of `x` [rows, n, 2] into `out`, which has the same shape and may be `x`.
pub(super) fn transform(x: &View<'_>, inverse: bool, out: &View<'_>) -> Done {
    with_float!(x.dtype, "fft", C => transform_as::<C>(x, inverse, out))
}

fn transform_as<C: Compute + Planned>(x: &View<'_>, inverse: bool, out: &View<'_>) -> Done {
    let n = x.shape[x.shape.len() - 2];
    let numbers = read_view::<C>(x)?;
    if numbers.is_empty() {
        return Ok(());
    }
    let mut values = collected(numbers.as_chunks().0.iter().map(|&[re, im]| Complex { re, im }))?;
    // A plan has tables of a few times its length. Without memory for them, this is a fault and not the process's end.
    drop(filled(Complex::<C>::default(), n.saturating_mul(4))?);
    let plan = C::plan(n, if inverse { FftDirection::Inverse } else { FftDirection::Forward });
    let rows = values.len() / n;
    let shared = Shared::new(&mut values);
    try_parallel(rows, (GRAIN / 16 / n).max(1), |range| {
        let mut scratch = filled(Complex::default(), plan.get_inplace_scratch_len())?;
        // SAFETY: each piece has its own rows of `values`.
        let rows = unsafe { shared.slice(range.start * n..range.end * n) };
        plan.process_with_scratch(rows, &mut scratch);
        Ok(())
    })?;
    let mut out = Output::<C>::new(out)?;
    for (pair, value) in out.as_chunks_mut().0.iter_mut().zip(&values) {
        *pair = [value.re, value.im];
    }
    out.finish();
    Ok(())
}

/// A program that uses one length after the other keeps the tables of at most this many numbers.
const KEPT: usize = 1 << 20;

/// The types whose plans are kept from one launch to the next.
trait Planned: FftNum {
    fn plan(n: usize, direction: FftDirection) -> std::sync::Arc<dyn rustfft::Fft<Self>>;
}

macro_rules! planned {
    ($t:ty) => {
        impl Planned for $t {
            fn plan(n: usize, direction: FftDirection) -> std::sync::Arc<dyn rustfft::Fft<$t>> {
                thread_local! {
                    static PLANNER: RefCell<(FftPlanner<$t>, usize)> = RefCell::new((FftPlanner::new(), 0));
                }
                PLANNER.with_borrow_mut(|(planner, planned)| {
                    let plan = planner.plan_fft(n, direction);
                    *planned = planned.saturating_add(n);
                    if *planned > KEPT {
                        (*planner, *planned) = (FftPlanner::new(), 0);
                    }
                    plan
                })
            }
        }
    };
}

planned!(f32);
planned!(f64);
