//! Negative log likelihood.

use super::copy::read_indices;
use super::dense::{self, Dense, Output};
use super::element::with_float;
use super::real::Real;
use crate::executor::{Done, Fault, Reduction, View};

/// The class of every row, or `None` for an ignored row. Fails before anything is written.
fn classes(target: &View<'_>, count: usize, ignore_index: i64) -> Done<Vec<Option<usize>>> {
    let check = |target: i64| {
        if target == ignore_index {
            return Ok(None);
        }
        match usize::try_from(target) {
            Ok(class) if class < count => Ok(Some(class)),
            _ => Err(Fault::TargetOutOfBounds { target, classes: count }),
        }
    };
    read_indices(target)?.into_iter().map(check).collect()
}

fn weight_of<C: Real>(weight: &Option<Dense<C>>, class: usize) -> C {
    weight.as_ref().map_or(C::of(1.0), |weight| weight[class])
}

/// `-weight[class] * logp[row][class]` for each row, 0 for an ignored row. A mean divides by the sum of the weights
/// used.
pub(super) fn nll(
    logp: &View<'_>,
    target: &View<'_>,
    weight: &Option<View<'_>>,
    ignore_index: i64,
    reduction: Reduction,
    out: &View<'_>,
    total_weight: &View<'_>,
) -> Done {
    let count = logp.shape[1];
    let classes = classes(target, count, ignore_index)?;
    with_float!(logp.dtype, "nll_loss_out_frame", C => {
        let logp = dense::read_view::<C>(logp)?;
        let weight = dense::read_option::<C>(weight)?;
        let mut out = Output::<C>::new(out)?;
        let (mut sum, mut used) = (0.0, 0.0);
        for (row, class) in classes.iter().enumerate() {
            let mut loss = C::default();
            if let Some(class) = *class {
                let w = weight_of(&weight, class);
                loss = -logp[row * count + class] * w;
                sum += loss.as_f64();
                used += w.as_f64();
            }
            if reduction == Reduction::None {
                out[row] = loss;
            }
        }
        match reduction {
            Reduction::None => {}
            Reduction::Sum => out[0] = C::of(sum),
            Reduction::Mean => out[0] = C::of(sum / used),
        }
        let mut total_weight = Output::<C>::new(total_weight)?;
        total_weight[0] = C::of(used);
        out.finish();
        total_weight.finish();
        Ok(())
    })
}

pub(super) fn nll_backward(
    grad: &View<'_>,
    target: &View<'_>,
    weight: &Option<View<'_>>,
    ignore_index: i64,
    reduction: Reduction,
    total_weight: &View<'_>,
    out: &View<'_>,
) -> Done {
    let count = out.shape[1];
    let classes = classes(target, count, ignore_index)?;
    with_float!(out.dtype, "nll_loss_backward_out_frame", C => {
        let grad = dense::read_view::<C>(grad)?;
        let weight = dense::read_option::<C>(weight)?;
        let total = dense::read_view::<C>(total_weight)?;
        let mut out = Output::<C>::new(out)?;
        out.fill(C::default());
        for (row, class) in classes.iter().enumerate() {
            let Some(class) = *class else { continue };
            let g = match reduction {
                Reduction::None => grad[row],
                Reduction::Sum => grad[0],
                Reduction::Mean => grad[0] / total[0],
            };
            out[row * count + class] = -weight_of(&weight, class) * g;
        }
        out.finish();
        Ok(())
    })
}
