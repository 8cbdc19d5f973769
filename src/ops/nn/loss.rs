//! Losses.
//!
//! The mean or sum of an elementwise loss takes two kernels forward and one backward. Its node has the loss's name.
//!
//! Source of shapes and texts: aten/src/ATen/native/Loss.cpp, LossNLL.cpp and torch/nn/functional.py in PyTorch 2.15.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, ReduceOp, Reduction, UnaryOp};
use crate::ops::elementwise::{self, Side};
use crate::ops::{self, device, dtypes, rows};
use crate::shape::{Layout, show};
use crate::tensor::{Pin, Tensor};

/// `mean`, `sum` or `none`.
///
/// # Errors
/// Another word.
pub fn reduction(word: &str) -> Result<Reduction> {
    match word {
        "mean" => Ok(Reduction::Mean),
        "sum" => Ok(Reduction::Sum),
        "none" => Ok(Reduction::None),
        other => Err(Error::value(format!("{other} is not a valid value for reduction"))),
    }
}

fn reduce(t: &Tensor, reduction: Reduction) -> Result<Tensor> {
    match reduction {
        Reduction::None => Ok(t.clone()),
        Reduction::Mean => ops::reduce::mean(t, &[], false, None),
        Reduction::Sum => ops::reduce::sum(t, &[], false, None),
    }
}

/// An elementwise loss, reduced.
fn pointwise(op: BinaryOp, x: &Tensor, target: &Tensor, reduction: Reduction, name: &'static str) -> Result<Tensor> {
    let (a, b) = (x.into(), target.into());
    if reduction == Reduction::None {
        return elementwise::binary_named(op, &a, &b, name);
    }
    let each = {
        let _no_grad = autograd::GradMode::set(false);
        elementwise::binary(op, &a, &b)?
    };
    if !each.dtype().is_float() {
        return reduce(&each, reduction);
    }
    let how = if reduction == Reduction::Mean { ReduceOp::Mean } else { ReduceOp::Sum };
    let out = ops::reduce::reduce_data(how, &each, &[], false, each.dtype(), each.dtype())?;
    if autograd::needs_grad([x, target]) {
        let factor = if reduction == Reduction::Mean { 1.0 / each.numel() as f64 } else { 1.0 };
        let (sx, st) = (Side::of(&a), Side::of(&b));
        let save = [Save::Input(x), Save::Input(target)];
        autograd::record(name, &[Some(x), Some(target)], &save, &[&out], move |ctx| {
            let (g, x, t) = (ctx.grad(), &ctx.saved[0], &ctx.saved[1]);
            let mut grads = smallvec![None, None];
            let symmetric = !matches!(op, BinaryOp::BinaryCrossEntropy | BinaryOp::BinaryCrossEntropyWithLogits);
            if ctx.needs(0) || (symmetric && ctx.needs(1)) {
                let d = elementwise::loss_backward(op, g, x, t, factor)?;
                if ctx.needs(1) && symmetric {
                    grads[1] = Some(st.fit(&ops::unary(UnaryOp::Neg, &d)?)?);
                }
                if ctx.needs(0) {
                    grads[0] = Some(sx.fit(&d)?);
                }
            }
            if ctx.needs(1) && !symmetric {
                let scaled = ops::binary(BinaryOp::Mul, &g.into(), &factor.into())?;
                grads[1] = Some(st.fit(&elementwise::target_grad(op, &scaled, x, t)?)?);
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// `F.mse_loss`.
pub fn mse(x: &Tensor, target: &Tensor, reduction: Reduction) -> Result<Tensor> {
    pointwise(BinaryOp::SquaredDifference, x, target, reduction, rows::MSE_LOSS.node)
}

/// `F.l1_loss`, which PyTorch composes of operators: the last one names the node.
pub fn l1(x: &Tensor, target: &Tensor, reduction: Reduction) -> Result<Tensor> {
    let name = match reduction {
        Reduction::None => rows::ABS.node,
        Reduction::Mean => rows::MEAN.node,
        Reduction::Sum => rows::SUM.node,
    };
    pointwise(BinaryOp::AbsDifference, x, target, reduction, name)
}

/// `F.smooth_l1_loss`; with `beta` 0 it is [`l1`].
///
/// # Errors
/// A negative `beta`.
pub fn smooth_l1(x: &Tensor, target: &Tensor, reduction: Reduction, beta: f64) -> Result<Tensor> {
    if beta < 0.0 {
        return Err(Error::runtime("smooth_l1_loss does not support negative values for beta."));
    }
    if beta == 0.0 {
        return l1(x, target, reduction);
    }
    pointwise(BinaryOp::SmoothL1 { beta }, x, target, reduction, rows::SMOOTH_L1_LOSS.node)
}

/// Why a loss needs a target of its input's dtype.
fn found_dtype(x: &Tensor, target: &Tensor) -> Error {
    let (found, expected) = (target.dtype().scalar_name(), x.dtype().scalar_name());
    Error::runtime(format!("Found dtype {found} but expected {expected}"))
}

/// `F.huber_loss`.
///
/// # Errors
/// A `delta` that is not positive.
pub fn huber(x: &Tensor, target: &Tensor, reduction: Reduction, delta: f64) -> Result<Tensor> {
    if delta <= 0.0 {
        return Err(Error::runtime("huber_loss does not support non-positive values for delta."));
    }
    let (op, name) = (BinaryOp::Huber { delta }, rows::HUBER_LOSS.node);
    if x.dtype() == target.dtype() {
        return pointwise(op, x, target, reduction, name);
    }
    // PyTorch computes the loss in the dtype of the input, and then has no gradient for it.
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        reduce(&ops::transfer::cast(&elementwise::binary(op, &x.into(), &target.into())?, x.dtype())?, reduction)?
    };
    if autograd::needs_grad([x, target]) {
        let error = found_dtype(x, target);
        let save = [Save::Input(x), Save::Input(target)];
        autograd::record(name, &[Some(x), Some(target)], &save, &[&out], move |_| Err(error.clone()))?;
    }
    Ok(out)
}

/// `F.binary_cross_entropy`.
///
/// # Errors
/// Sizes that differ; probabilities outside [0, 1] (found on the CPU).
pub fn bce(x: &Tensor, target: &Tensor, weight: Option<&Tensor>, reduction: Reduction) -> Result<Tensor> {
    if x.shape() != target.shape() {
        return Err(Error::value(format!(
            "Using a target size (torch.Size({})) that is different to the input size (torch.Size({})) is deprecated. Please ensure they have the same size.",
            show(&target.shape()),
            show(&x.shape())
        )));
    }
    device::common(&[x, target])?;
    if x.dtype() != target.dtype() {
        return Err(found_dtype(x, target));
    }
    dtypes::takes(BinaryOp::BinaryCrossEntropy.row(), x)?;
    for (name, t) in [("input", x), ("target", target)] {
        if x.device().is_cpu() && x.numel() > 0 && !are_probabilities(&t.detach())? {
            return Err(Error::runtime(format!("all elements of {name} should be between 0 and 1")));
        }
    }
    let name = rows::BINARY_CROSS_ENTROPY.node;
    autograd::under(&weighted(BinaryOp::BinaryCrossEntropy, x, target, weight, reduction, name)?, name)
}

fn are_probabilities(t: &Tensor) -> Result<bool> {
    let low = ops::binary(BinaryOp::Ge, &t.into(), &0.0.into())?;
    let high = ops::binary(BinaryOp::Le, &t.into(), &1.0.into())?;
    let inside = ops::binary(BinaryOp::LogicalAnd, &low.into(), &high.into())?;
    let all = ops::reduce::logical(&inside, ReduceOp::All, &[], false)?;
    Ok(ops::transfer::item(&all, crate::trace::Why::Item)?.as_bool())
}

fn weighted(
    op: BinaryOp,
    x: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    name: &'static str,
) -> Result<Tensor> {
    match weight {
        None => pointwise(op, x, target, reduction, name),
        Some(w) => reduce(&ops::mul(&pointwise(op, x, target, Reduction::None, name)?, w)?, reduction),
    }
}

/// `F.binary_cross_entropy_with_logits`.
///
/// # Errors
/// Sizes that differ.
pub fn bce_with_logits(
    x: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    pos_weight: Option<&Tensor>,
    reduction: Reduction,
) -> Result<Tensor> {
    if x.shape() != target.shape() {
        return Err(Error::value(format!(
            "Target size (torch.Size({})) must be the same as input size (torch.Size({}))",
            show(&target.shape()),
            show(&x.shape())
        )));
    }
    dtypes::takes(&rows::LOG_SIGMOID, x)?;
    if target.dtype() == DType::Bool {
        return Err(dtypes::two_bools());
    }
    let name = rows::BINARY_CROSS_ENTROPY_WITH_LOGITS.node;
    if pos_weight.is_none() && x.dtype() == target.dtype() {
        let op = BinaryOp::BinaryCrossEntropyWithLogits;
        return autograd::under(&weighted(op, x, target, weight, reduction, name)?, name);
    }
    // (1 - t) x + (1 + (p - 1) t) (log1p(exp(-|x|)) + max(-x, 0)), in the dtype of the target.
    let one_less = |t: &Tensor| ops::binary(BinaryOp::Sub, &1.0.into(), &t.into());
    let in_target = |t: Tensor| ops::transfer::cast(&t, target.dtype());
    let mut tail = ops::unary(UnaryOp::LogSigmoid, x)?;
    if let Some(pos) = pos_weight {
        let less_one = ops::binary(BinaryOp::Sub, &pos.into(), &1.0.into())?;
        let scale = ops::binary(BinaryOp::Add, &ops::mul(&less_one, target)?.into(), &1.0.into())?;
        tail = ops::transfer::cast(&ops::mul(&scale, &tail)?, x.dtype())?;
    }
    let mut each = in_target(ops::sub(&in_target(ops::mul(&one_less(target)?, x)?)?, &tail)?)?;
    if let Some(w) = weight {
        each = in_target(ops::mul(&each, w)?)?;
    }
    autograd::under(&reduce(&each, reduction)?, name)
}

/// `torch.kl_div`.
pub fn kl_div(x: &Tensor, target: &Tensor, reduction: Reduction, log_target: bool) -> Result<Tensor> {
    if x.dtype().is_complex() || target.dtype().is_complex() {
        return Err(Error::runtime("kl_div: Complex inputs not supported."));
    }
    if !x.dtype().is_inexact() || !target.dtype().is_inexact() {
        return Err(Error::runtime("kl_div: Integral inputs not supported."));
    }
    let each = if log_target {
        ops::mul(&ops::unary(UnaryOp::Exp, target)?, &ops::sub(target, x)?)?
    } else {
        ops::sub(&xlogy(target, target)?, &ops::mul(target, x)?)?
    };
    reduce(&each, reduction)
}

/// `torch.xlogy`: `x * ln(y)`, 0 where `x` is 0.
pub(crate) fn xlogy(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    for t in [x, y] {
        dtypes::takes(&rows::XLOGY, t)?;
    }
    // An integer's logarithm is computed in the other one's dtype, not in the default one.
    let cast = x.dtype().is_inexact() && !y.dtype().is_inexact() && x.ndim() > 0;
    let y = if cast { ops::transfer::cast(y, x.dtype())? } else { y.clone() };
    let zero = ops::binary(BinaryOp::Eq, &x.detach().into(), &0.0.into())?;
    // Where x is 0, the logarithm must not affect the gradient, except the logarithm of a NaN.
    let number = ops::unary(UnaryOp::LogicalNot, &ops::unary(UnaryOp::IsNan, &y.detach())?)?;
    let zero = ops::binary(BinaryOp::LogicalAnd, &zero.into(), &number.into())?;
    let safe = ops::where_(&zero, &1.0.into(), &(&y).into())?;
    autograd::under(&ops::mul(x, &ops::unary(UnaryOp::Log, &safe)?)?, rows::nodes::XLOGY)
}

/// `F.nll_loss`: `x` is `[C]`, `[N, C]` or `[N, C, d1, ..]`. The target has the same shape without the classes.
///
/// # Errors
/// Shapes that don't match, dtypes other than i64 and u8, targets out of bounds.
pub fn nll(x: &Tensor, target: &Tensor, weight: Option<&Tensor>, ignore: i64, reduction: Reduction) -> Result<Tensor> {
    let spatial = x.ndim() > 2;
    let row = if spatial { &rows::NLL_LOSS2D } else { &rows::NLL_LOSS };
    device::checked(row, &[Some(x), Some(target), weight])?;
    check_target(x, target, weight)?;
    if reduction != Reduction::None {
        device::steady(row, x.device())?;
    }
    let classes = if x.ndim() == 1 { x.size(0) } else { x.size(1) };
    // Moves the classes to the end, and everything else into one dimension.
    let rows = |t: &Tensor| -> Result<Tensor> {
        match t.ndim() {
            1 => ops::view::unsqueeze(t, 0),
            2 => Ok(t.clone()),
            n => {
                let order: Vec<i64> = [0].into_iter().chain(2..n as i64).chain([1]).collect();
                ops::view::reshape(&ops::view::permute(t, &order)?, &[-1, classes as i64])
            }
        }
    };
    let (logp, flat) = (rows(&x.detach())?, ops::view::reshape(&target.detach(), &[-1])?);
    let out_shape = if reduction == Reduction::None { vec![flat.numel()] } else { vec![] };
    let out = Tensor::empty_with(Layout::contiguous(&out_shape), x.dtype(), x.device(), false)?;
    let total = Tensor::empty_with(Layout::contiguous(&[]), x.dtype(), x.device(), false)?;
    if !x.device().is_meta() {
        let (a, b, o, s) = (Pin::of(&logp), Pin::of(&flat), Pin::of(&out), Pin::of(&total));
        let w = weight.map(Pin::of);
        let kernel = Kernel::NllLoss {
            logp: a.view()?,
            target: b.view()?,
            weight: w.as_ref().map(Pin::view).transpose()?,
            ignore_index: ignore,
            reduction,
            out: o.view()?,
            total_weight: s.view()?,
        };
        engine::current().launch(x.device(), &kernel)?;
    }
    let out = if reduction == Reduction::None { out.dense_as(&target.shape()) } else { out };
    if autograd::needs_grad([x]) {
        let mut save = vec![Save::Input(&flat), Save::Input(&total)];
        save.extend(weight.map(Save::Input));
        let has_weight = weight.is_some();
        let shape = x.shape();
        autograd::record(row.node, &[Some(x)], &save, &[&out], move |ctx| {
            let (flat, total) = (&ctx.saved[0], &ctx.saved[1]);
            let weight = has_weight.then(|| &ctx.saved[2]);
            let g = ctx.grad();
            let g = if reduction == Reduction::None { ops::view::reshape(g, &[-1])? } else { g.clone() };
            let d = nll_backward(&g, flat, weight, ignore, reduction, total, classes)?;
            Ok(smallvec![Some(match shape.len() {
                1 => ops::view::reshape_to(&d, &shape)?,
                2 => d,
                n => {
                    let mut last: Vec<i64> = [0].into_iter().chain(2..n).map(|i| shape[i] as i64).collect();
                    last.push(classes as i64);
                    let order: Vec<i64> = [0, n as i64 - 1].into_iter().chain(1..n as i64 - 1).collect();
                    ops::view::permute(&ops::view::reshape(&d, &last)?, &order)?
                }
            })])
        })?;
    }
    Ok(out)
}

/// The gradient for the [N, C] logarithms. It's linear in `g`, so its own gradient is the loss again.
fn nll_backward(
    g: &Tensor,
    flat: &Tensor,
    weight: Option<&Tensor>,
    ignore: i64,
    reduction: Reduction,
    total: &Tensor,
    classes: usize,
) -> Result<Tensor> {
    let out = Tensor::empty_with(Layout::contiguous(&[flat.numel(), classes]), g.dtype(), g.device(), false)?;
    if !g.device().is_meta() && out.numel() > 0 {
        let (a, b, o, s) = (Pin::of(g), Pin::of(flat), Pin::of(&out), Pin::of(total));
        let w = weight.map(Pin::of);
        let kernel = Kernel::NllLossBackward {
            grad: a.view()?,
            target: b.view()?,
            weight: w.as_ref().map(Pin::view).transpose()?,
            ignore_index: ignore,
            reduction,
            total_weight: s.view()?,
            out: o.view()?,
        };
        engine::current().launch(g.device(), &kernel)?;
    }
    if autograd::needs_grad([g]) {
        let mut save = vec![Save::Input(flat)];
        save.extend(weight.map(Save::Input));
        autograd::record("NllLossBackwardBackward0", &[Some(g)], &save, &[&out], move |ctx| {
            Ok(smallvec![Some(nll(ctx.grad(), &ctx.saved[0], ctx.saved.get(1), ignore, reduction)?)])
        })?;
    }
    Ok(out)
}

fn batches_differ(x: &[usize], target: &[usize]) -> Error {
    let (batch, of_target) = (x[0], target.first().copied().unwrap_or(0));
    Error::value(format!("Expected input batch_size ({batch}) to match target batch_size ({of_target})."))
}

fn check_target(x: &Tensor, target: &Tensor, weight: Option<&Tensor>) -> Result<()> {
    let (xs, ts) = (x.shape(), target.shape());
    match xs.len() {
        0 => return Err(Error::value("Expected 1 or more dimensions (got 0)")),
        1 | 2 => {
            if xs.len() == 2 && ts.first().is_some_and(|n| *n != xs[0]) {
                return Err(batches_differ(&xs, &ts));
            }
            if ts.len() > 1 {
                return Err(Error::runtime("0D or 1D target tensor expected, multi-target not supported"));
            }
            if xs.len() == 1 && ts.len() == 1 && ts[0] != 1 {
                return Err(Error::value(format!(
                    "For 1D input, 1D target must have size 1, but got target size: {}",
                    ts[0]
                )));
            }
            if xs.len() == 2 && ts.is_empty() {
                return Err(batches_differ(&xs, &ts));
            }
        }
        _ => {
            let fits = ts.len() == xs.len() - 1 && ts[0] == xs[0] && ts[1..] == xs[2..];
            if ts.first() != xs.first() {
                return Err(batches_differ(&xs, &ts));
            }
            if !fits {
                return Err(Error::runtime(format!("size mismatch (got input: {} , target: {}", show(&xs), show(&ts))));
            }
        }
    }
    if !matches!(target.dtype(), DType::I64 | DType::U8) {
        return Err(Error::runtime(format!(
            "expected target dtype to be Long or Byte, but got {}",
            target.dtype().scalar_name()
        )));
    }
    if !x.dtype().is_float() {
        return Err(Error::not_implemented(format!(
            "\"nll_loss_out_frame\" not implemented for '{}'",
            x.dtype().scalar_name()
        )));
    }
    let classes = if xs.len() == 1 { xs[0] } else { xs[1] };
    if let Some(w) = weight {
        if w.numel() != classes {
            return Err(Error::runtime(format!(
                "weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of shape: {}",
                show(&w.shape())
            )));
        }
        if w.dtype() != x.dtype() {
            return Err(Error::runtime(format!(
                "expected scalar type {} but found {}",
                x.dtype().scalar_name(),
                w.dtype().scalar_name()
            )));
        }
    }
    Ok(())
}

/// `F.cross_entropy` with class indices, or with probabilities if the target has the input's shape and a float dtype.
///
/// # Errors
/// As [`nll`]; `label_smoothing` outside [0, 1].
pub fn cross_entropy(
    x: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore: i64,
    smoothing: f64,
) -> Result<Tensor> {
    if !(0.0..=1.0).contains(&smoothing) {
        return Err(Error::runtime(format!("label_smoothing must be between 0.0 and 1.0. Got: {smoothing}")));
    }
    if x.ndim() == 0 {
        // The dimension of the classes.
        crate::shape::wrap_dim(1, 0)?;
    }
    let probabilities = x.shape() == target.shape();
    if probabilities && !target.dtype().is_float() {
        return Err(Error::runtime(format!(
            "Expected floating point type for target with class probabilities, got {}",
            target.dtype().scalar_name()
        )));
    }
    let dim = if x.ndim() == 1 { 0 } else { 1 };
    let classes = x.size(dim);
    let log = ops::nn::activation::softmax(x, dim as i64, true, None)?;
    let column = |w: &Tensor| -> Result<Tensor> {
        let mut shape = vec![1i64; x.ndim()];
        shape[dim] = classes as i64;
        ops::view::reshape(w, &shape)
    };
    if probabilities {
        device::common(&[x, target])?;
        let mut t = target.clone();
        if smoothing > 0.0 {
            let kept = ops::binary(BinaryOp::Mul, &t.into(), &(1.0 - smoothing).into())?;
            t = ops::binary(BinaryOp::Add, &kept.into(), &(smoothing / classes as f64).into())?;
        }
        let mut each = ops::mul(&log, &t)?;
        if let Some(w) = weight {
            each = ops::mul(&each, &column(w)?)?;
        }
        return match reduction {
            Reduction::None => ops::unary(UnaryOp::Neg, &ops::reduce::sum(&each, &[dim as i64], false, None)?),
            Reduction::Sum => ops::unary(UnaryOp::Neg, &reduce(&each, Reduction::Sum)?),
            Reduction::Mean => {
                let sum = ops::unary(UnaryOp::Neg, &reduce(&each, Reduction::Sum)?)?;
                let rows = (x.numel() / classes.max(1)) as i64;
                elementwise::binary_named(BinaryOp::Div, &sum.into(), &rows.into(), rows::nodes::DIV_NUMBER)
            }
        };
    }
    let plain = nll(&log, target, weight, ignore, reduction)?;
    if smoothing == 0.0 {
        return Ok(plain);
    }
    let scaled = match weight {
        Some(w) => ops::mul(&log, &column(w)?)?,
        None => log,
    };
    let smooth = ops::unary(UnaryOp::Neg, &ops::reduce::sum(&scaled, &[dim as i64], false, None)?)?;
    let ignored = ops::binary(BinaryOp::Eq, &target.detach().into(), &ignore.into())?;
    let smooth = ops::arith::masked_fill(&smooth, &ignored, &0.0.into())?;
    let smooth = match (reduction, weight) {
        (Reduction::Mean, None) => {
            let skipped = ops::reduce::logical(&ignored, ReduceOp::CountNonzero, &[], false)?;
            let used = ops::binary(BinaryOp::Sub, &(target.numel() as i64).into(), &skipped.into())?;
            ops::div(&reduce(&smooth, Reduction::Sum)?, &ops::transfer::cast(&used, x.dtype())?)?
        }
        (Reduction::Mean, Some(w)) => {
            let flat = ops::view::reshape(&target.detach(), &[-1])?;
            let kept = ops::unary(UnaryOp::LogicalNot, &ops::view::reshape(&ignored, &[-1])?)?;
            let used = ops::transfer::cast(&ops::index::masked_select(&flat, &kept)?, DType::I64)?;
            ops::div(&reduce(&smooth, Reduction::Sum)?, &reduce(&ops::index::gather(w, 0, &used)?, Reduction::Sum)?)?
        }
        _ => reduce(&smooth, reduction)?,
    };
    let plain = ops::binary(BinaryOp::Mul, &plain.into(), &(1.0 - smoothing).into())?;
    let share = Scalar::Float(smoothing / classes as f64);
    ops::add(&plain, &ops::binary(BinaryOp::Mul, &smooth.into(), &share.into())?)
}
