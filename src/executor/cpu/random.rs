//! Kernels that draw from the CUDA generator. [`crate::rng::philox`] makes the numbers.

use super::dense::{Output, scratch};
use super::unsupported;
use crate::dtype::DType;
use crate::executor::{Done, Draw, Philox, View};
use crate::rng::philox;

pub(super) fn random(draw: Draw, state: Philox, out: &View<'_>) -> Done {
    match draw {
        Draw::Integers { base, range } => {
            let mut out = Output::<i64>::new(out)?;
            philox::random_from(state, &mut out, base, range);
            out.finish();
            Ok(())
        }
        Draw::Bernoulli { p } => flags(out, |mask| philox::bernoulli(state, mask, p), 1.0),
        Draw::Dropout { p } => flags(out, |mask| philox::dropout_mask(state, mask, 1.0 - p), 1.0 / (1.0 - p)),
        Draw::Uniform { from, to } => reals(
            out,
            |values| philox::uniform_f32(state, values, from, to),
            |values| philox::uniform_f64(state, values, from, to),
            Some((from, to)),
        ),
        Draw::Normal { mean, std } => reals(
            out,
            |values| philox::normal_f32(state, values, mean, std),
            |values| philox::normal_f64(state, values, mean, std),
            None,
        ),
        Draw::Exponential { lambda } => reals(
            out,
            |values| philox::exponential_f32(state, values, lambda),
            |values| philox::exponential_f64(state, values, lambda),
            None,
        ),
    }
}

/// Draws a boolean for every element, and writes `yes` or 0.
fn flags(out: &View<'_>, draw: impl FnOnce(&mut [bool]), yes: f64) -> Done {
    let mut mask = scratch::<bool>(out.numel())?;
    draw(&mut mask);
    let mut out = Output::<f64>::new(out)?;
    for (value, kept) in out.iter_mut().zip(mask) {
        *value = if kept { yes } else { 0.0 };
    }
    out.finish();
    Ok(())
}

/// Draws in f32, or in f64 for f64. If rounding to a half type gives the upper end of a `range`, the lower end takes its
/// place.
fn reals(
    out: &View<'_>,
    single: impl FnOnce(&mut [f32]),
    double: impl FnOnce(&mut [f64]),
    range: Option<(f64, f64)>,
) -> Done {
    match out.dtype {
        DType::F64 => {
            let mut out = Output::<f64>::new(out)?;
            double(&mut out);
            out.finish();
        }
        DType::F32 | DType::F16 | DType::BF16 => {
            let dtype = out.dtype;
            let mut out = Output::<f32>::new(out)?;
            single(&mut out);
            if let Some((from, to)) = range
                && dtype != DType::F32
            {
                let mut end = [to as f32];
                super::element::narrow(dtype, &mut end);
                super::element::narrow(dtype, &mut out);
                out.iter_mut().filter(|v| **v == end[0]).for_each(|v| *v = from as f32);
            }
            out.finish();
        }
        other => return Err(unsupported("random", other)),
    }
    Ok(())
}
