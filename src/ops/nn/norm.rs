//! Layer, group and batch normalization.
//!
//! The first derivative is a fused kernel. If a graph of it is wanted, the same formula is written with operators.

use smallvec::smallvec;

use crate::autograd::{self, Context, Gradients, Save};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, UnaryOp, View};
use crate::ops::{self, device, dtypes, rows};
use crate::shape::{Dims, Layout, no_dim, show};
use crate::tensor::{Pin, Tensor};

/// Statistics of 16-bit tensors are computed in f32.
fn stat_dtype(dtype: DType) -> DType {
    if matches!(dtype, DType::F16 | DType::BF16) { DType::F32 } else { dtype }
}

fn empty(shape: &[usize], dtype: DType, like: &Tensor) -> Result<Tensor> {
    Tensor::empty_with(Layout::contiguous(shape), dtype, like.device(), false)
}

fn view_of(pin: &Option<Pin>) -> Result<Option<View<'_>>> {
    pin.as_ref().map(Pin::view).transpose()
}

fn pin(t: Option<&Tensor>) -> Option<Pin> {
    t.map(Pin::of)
}

fn product(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// The tensor in the dtype of its statistics: squares of 16-bit numbers soon overflow.
fn wide(t: &Tensor) -> Result<Tensor> {
    ops::transfer::cast(t, stat_dtype(t.dtype()))
}

/// `(x - mean) / sqrt(var + eps)` over `dims`, written with operators.
fn standardize(x: &Tensor, dims: &[i64], eps: f64) -> Result<(Tensor, Tensor)> {
    let centered = ops::sub(x, &ops::reduce::mean(x, dims, true, None)?)?;
    let var = ops::reduce::mean(&ops::mul(&centered, &centered)?, dims, true, None)?;
    let rstd = ops::unary(UnaryOp::Rsqrt, &ops::binary(BinaryOp::Add, &var.into(), &eps.into())?)?;
    Ok((ops::mul(&centered, &rstd)?, rstd))
}

/// The gradient of [`standardize`] for `x`, written with operators.
fn standardize_grad(g: &Tensor, x: &Tensor, dims: &[i64], eps: f64) -> Result<Tensor> {
    let (hat, rstd) = standardize(x, dims, eps)?;
    let mean = |t: &Tensor| ops::reduce::mean(t, dims, true, None);
    let along = ops::mul(&hat, &mean(&ops::mul(g, &hat)?)?)?;
    ops::mul(&rstd, &ops::sub(&ops::sub(g, &mean(g)?)?, &along)?)
}

/// The CPU's kernels compute in one dtype, but for `float32` parameters of a narrower input.
///
/// # Errors
/// PyTorch's texts.
fn check_mixed(x: &Tensor, parameters: &[Option<&Tensor>]) -> Result<()> {
    let dtype = x.dtype();
    let mut given = parameters.iter().flatten().map(|t| t.dtype());
    let Some(first) = given.next().filter(|_| x.device().is_cpu()) else { return Ok(()) };
    if first == dtype {
        let Some(other) = given.find(|d| *d != dtype && dtype.is_float()) else { return Ok(()) };
        let (dtype, other) = (dtype.scalar_name(), other.scalar_name());
        return Err(Error::runtime(format!("expected scalar type {dtype} but found {other}")));
    }
    let why = match dtype {
        DType::F16 | DType::BF16 | DType::F32 => "expect parameter to have scalar type of Float",
        _ => "all inputs must share same datatype.",
    };
    let narrower = matches!(dtype, DType::F16 | DType::BF16);
    if narrower && first == DType::F32 && given.all(|d| d == DType::F32) {
        return Ok(());
    }
    Err(Error::runtime(format!("mixed dtype (CPU): {why}")))
}

/// `F.layer_norm`.
///
/// # Errors
/// The input's shape doesn't end with the given one; parameters with another shape or on another device.
pub fn layer_norm(
    x: &Tensor,
    normalized: &[usize],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<Tensor> {
    if normalized.is_empty() {
        return Err(Error::runtime(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
        ));
    }
    for (name, t) in [("weight", weight), ("bias", bias)] {
        if let Some(t) = t.filter(|t| t.shape().as_slice() != normalized) {
            return Err(Error::runtime(format!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {} and normalized_shape = {}",
                show(&t.shape()),
                show(normalized)
            )));
        }
    }
    let shape = x.shape();
    if shape.len() < normalized.len() || shape[shape.len() - normalized.len()..] != *normalized {
        let sizes = normalized.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        return Err(Error::runtime(format!(
            "Given normalized_shape={}, expected input with shape [*, {sizes}], but got input of size{}",
            show(normalized),
            show(&shape)
        )));
    }
    device::checked(&rows::LAYER_NORM, &[Some(x), weight, bias])?;
    check_mixed(x, &[weight, bias])?;
    dtypes::takes(&rows::LAYER_NORM, x)?;
    let cols = product(normalized);
    let rows = shape.iter().take(shape.len() - normalized.len()).product::<usize>();
    let dense = ops::create::contiguous(&x.detach())?;
    let out = empty(&shape, x.dtype(), x)?;
    let stat = stat_dtype(x.dtype());
    let (mean, rstd) = (empty(&[rows], stat, x)?, empty(&[rows], stat, x)?);
    if !x.device().is_meta() && out.numel() > 0 {
        let flat = |t: &Tensor| ops::create::contiguous(&t.detach()).map(|t| t.dense_as(&[cols]));
        let (w, b) = (weight.map(flat).transpose()?, bias.map(flat).transpose()?);
        let (pw, pb) = (pin(w.as_ref()), pin(b.as_ref()));
        let (px, po) = (Pin::of(&dense.dense_as(&[rows, cols])), Pin::of(&out.dense_as(&[rows, cols])));
        let (pm, pr) = (Pin::of(&mean), Pin::of(&rstd));
        let kernel = Kernel::LayerNorm {
            x: px.view()?,
            weight: view_of(&pw)?,
            bias: view_of(&pb)?,
            eps,
            out: po.view()?,
            mean: pm.view()?,
            rstd: pr.view()?,
        };
        engine::current().launch(x.device(), &kernel)?;
    }
    let inputs = [Some(x), weight, bias];
    if autograd::needs_grad(inputs.into_iter().flatten()) {
        let mut save = vec![Save::Input(x), Save::Input(&mean), Save::Input(&rstd)];
        save.extend(weight.map(Save::Input));
        let (has_weight, tail) = (weight.is_some(), normalized.len());
        autograd::record(rows::LAYER_NORM.node, &inputs, &save, &[&out], move |ctx| {
            layer_norm_backward(ctx, has_weight, tail, eps)
        })?;
    }
    Ok(out)
}

fn layer_norm_backward(ctx: &Context<'_>, has_weight: bool, tail: usize, eps: f64) -> Result<Gradients> {
    let (g, x) = (ctx.grad(), &ctx.saved[0]);
    let weight = has_weight.then(|| &ctx.saved[3]);
    let shape = x.shape();
    let lead = shape.len() - tail;
    if autograd::needs_grad([g, x].into_iter().chain(weight)) {
        let inner: Vec<i64> = (lead as i64..shape.len() as i64).collect();
        let outer: Vec<i64> = (0..lead as i64).collect();
        let over = |t: Tensor| if outer.is_empty() { Ok(t) } else { ops::reduce::sum(&t, &outer, false, None) };
        let (g, x, dtype) = (&wide(g)?, &wide(x)?, x.dtype());
        let narrow = |t: Tensor| ops::transfer::cast(&t, dtype);
        let gw = match weight {
            Some(w) => ops::mul(g, w)?,
            None => g.clone(),
        };
        return Ok(smallvec![
            if ctx.needs(0) { Some(narrow(standardize_grad(&gw, x, &inner, eps)?)?) } else { None },
            if ctx.needs(1) { Some(narrow(over(ops::mul(g, &standardize(x, &inner, eps)?.0)?)?)?) } else { None },
            if ctx.needs(2) { Some(narrow(over(g.clone())?)?) } else { None },
        ]);
    }
    let (rows, cols) = (product(&shape[..lead]), product(&shape[lead..]));
    let (mean, rstd) = (&ctx.saved[1], &ctx.saved[2]);
    let (dense, grad) = (ops::create::contiguous(x)?, ops::create::contiguous(g)?);
    let wanted = |i: usize, shape: &[usize]| ctx.needs(i).then(|| empty(shape, x.dtype(), x)).transpose();
    let dx = wanted(0, &shape)?;
    let (dw, db) = (wanted(1, &shape[lead..])?, wanted(2, &shape[lead..])?);
    if !x.device().is_meta() && x.numel() > 0 {
        let flat = |t: &Tensor, s: &[usize]| Pin::of(&t.dense_as(s));
        let w = weight.map(ops::create::contiguous).transpose()?.map(|w| flat(&w, &[cols]));
        let (pg, px) = (flat(&grad, &[rows, cols]), flat(&dense, &[rows, cols]));
        let (pm, pr) = (Pin::of(mean), Pin::of(rstd));
        let pdx = dx.as_ref().map(|t| flat(t, &[rows, cols]));
        let (pdw, pdb) = (dw.as_ref().map(|t| flat(t, &[cols])), db.as_ref().map(|t| flat(t, &[cols])));
        let kernel = Kernel::LayerNormBackward {
            grad: pg.view()?,
            x: px.view()?,
            mean: pm.view()?,
            rstd: pr.view()?,
            weight: view_of(&w)?,
            dx: view_of(&pdx)?,
            dweight: view_of(&pdw)?,
            dbias: view_of(&pdb)?,
        };
        engine::current().launch(x.device(), &kernel)?;
    } else {
        // Sums over no elements are 0.
        dw.iter().chain(&db).try_for_each(|t| ops::create::fill_data(t, 0.0.into()))?;
    }
    Ok(smallvec![dx, dw, db])
}

/// `F.group_norm`: each group of channels of each sample is one row of a layer norm.
///
/// # Errors
/// The groups don't divide the channels.
pub fn group_norm(x: &Tensor, groups: i64, weight: Option<&Tensor>, bias: Option<&Tensor>, eps: f64) -> Result<Tensor> {
    let shape = x.shape();
    if shape.len() < 2 {
        return Err(Error::runtime(format!(
            "Expected at least 2 dimensions for input tensor but received {}",
            shape.len()
        )));
    }
    if groups <= 0 {
        return Err(Error::runtime(format!("Expected num groups to be greater than 0, got {groups}")));
    }
    let channels = shape[1];
    if channels as i64 % groups != 0 {
        return Err(Error::runtime(format!(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={groups}",
            show(&shape)
        )));
    }
    for (name, t) in [("weight", weight), ("bias", bias)] {
        if let Some(t) = t.filter(|t| t.ndim() != 1 || t.numel() != channels) {
            return Err(Error::runtime(format!(
                "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {} and input of shape {}",
                show(&t.shape()),
                show(&shape)
            )));
        }
    }
    for (name, size) in [("number of channels", channels), ("HxW", product(&shape[2..]))] {
        if size == 0 {
            return Err(Error::runtime(format!("Expected {name} to be greater than 0, got 0")));
        }
    }
    device::checked(&rows::GROUP_NORM, &[Some(x), weight, bias])?;
    check_mixed(x, &[weight, bias])?;
    dtypes::takes(&rows::GROUP_NORM, x)?;
    let lines = crate::shape::checked_numel(&[shape[0], crate::shape::size(groups)?])?;
    let rows = [lines as i64, (x.numel() / lines.max(1)) as i64];
    let column: Vec<i64> = (0..shape.len()).map(|d| if d == 1 { channels as i64 } else { 1 }).collect();
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let flat = ops::view::reshape(&wide(&x.detach())?, &rows)?;
        let hat = layer_norm(&flat, &[crate::shape::size(rows[1])?], None, None, eps)?;
        // The result is a tensor of its own, not a view of the rows.
        let mut out = hat.dense_as(&shape);
        if let Some(w) = weight {
            out = ops::mul(&out, &ops::view::reshape(w, &column)?)?;
        }
        if let Some(b) = bias {
            out = ops::add(&out, &ops::view::reshape(b, &column)?)?;
        }
        let out = ops::transfer::cast(&out, x.dtype())?;
        // On other devices, PyTorch's result is row-major.
        if x.device().is_cpu() { ops::layout::placed_like(out, x)? } else { out }
    };
    let inputs = [Some(x), weight, bias];
    if autograd::needs_grad(inputs.into_iter().flatten()) {
        let mut save = vec![Save::Input(x)];
        save.extend(weight.map(Save::Input));
        let has_weight = weight.is_some();
        let sides = [weight, bias].map(|t| t.map_or(x.dtype(), Tensor::dtype));
        autograd::record(rows::GROUP_NORM.node, &inputs, &save, &[&out], move |ctx| {
            let dtype = ctx.saved[0].dtype();
            let (g, x) = (&wide(ctx.grad())?, &wide(&ctx.saved[0])?);
            let narrow = |t: Tensor| ops::transfer::cast(&t, dtype);
            let flat = ops::view::reshape(x, &rows)?;
            let others: Vec<i64> = (0..shape.len() as i64).filter(|&d| d != 1).collect();
            let mut grads: Gradients = smallvec![None, None, None];
            if ctx.needs(0) {
                let gw =
                    if has_weight { ops::mul(g, &ops::view::reshape(&ctx.saved[1], &column)?)? } else { g.clone() };
                let dx = standardize_grad(&ops::view::reshape(&gw, &rows)?, &flat, &[1], eps)?;
                grads[0] = Some(narrow(ops::view::reshape_to(&dx, &shape)?)?);
            }
            if ctx.needs(1) {
                let hat = ops::view::reshape_to(&standardize(&flat, &[1], eps)?.0, &shape)?;
                grads[1] = Some(ops::reduce::sum(&ops::mul(g, &hat)?, &others, false, None)?);
            }
            if ctx.needs(2) {
                grads[2] = Some(ops::reduce::sum(g, &others, false, None)?);
            }
            // A parameter may have a wider dtype than the input.
            for (grad, side) in grads.iter_mut().zip([dtype, sides[0], sides[1]]).skip(1) {
                *grad = grad.take().map(|t| ops::transfer::cast(&t, side)).transpose()?;
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// Running statistics of a batch norm.
#[derive(Clone, Copy, Default)]
pub struct Running<'a> {
    pub mean: Option<&'a Tensor>,
    pub var: Option<&'a Tensor>,
}

/// `F.batch_norm`. In training, the batch's statistics are used and blended into the running ones with `momentum`.
///
/// # Errors
/// Only one value per channel in training; parameters with another size or on another device.
#[allow(clippy::too_many_arguments)]
pub fn batch_norm(
    x: &Tensor,
    running: Running<'_>,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    training: bool,
    momentum: f64,
    eps: f64,
) -> Result<Tensor> {
    let shape = x.shape();
    if x.numel() == 0 && shape.len() < 2 {
        // Nothing to normalize, but the graph goes on.
        return ops::create::clone(x);
    }
    if shape.len() < 2 {
        // PyTorch counts no channels where it compares, and asks for their dimension where it normalizes.
        return Err(match running.mean {
            Some(t) if t.numel() > 0 => {
                Error::runtime(format!("running_mean should contain 0 elements not {}", t.numel()))
            }
            _ => no_dim(1, shape.len()),
        });
    }
    let channels = shape[1];
    let length = product(&shape[2..]);
    if training && shape[0] * length == 1 {
        return Err(Error::value(format!(
            "Expected more than 1 value per channel when training, got input size torch.Size({})",
            show(&shape)
        )));
    }
    for (name, t) in [("running_mean", running.mean), ("running_var", running.var)] {
        if !training && t.is_none() {
            return Err(Error::runtime(format!("{name} must be defined in evaluation mode")));
        }
    }
    for (name, t) in [("running_mean", running.mean), ("running_var", running.var), ("weight", weight), ("bias", bias)]
    {
        if let Some(t) = t.filter(|t| t.numel() != channels) {
            return Err(Error::runtime(format!("{name} should contain {channels} elements not {}", t.numel())));
        }
    }
    // The inputs that cuDNN accepts: `_select_batch_norm_backend` in aten/src/ATen/native/Normalization.cpp.
    let cudnn = x.device().is_cuda() && shape.len() > 2 && weight.is_some() && bias.is_some();
    let cudnn = cudnn && engine::current().settings.uses_cudnn();
    let row = if cudnn { &rows::BATCH_NORM_CUDNN } else { &rows::BATCH_NORM };
    device::checked(row, &[Some(x), weight, bias, running.mean, running.var])?;
    dtypes::takes(&rows::BATCH_NORM, x)?;
    check_mixed(x, &[weight, bias, running.mean, running.var])?;
    let rows: Dims = smallvec![shape[0], channels, length];
    let dense = ops::create::contiguous(&x.detach())?;
    let out = empty(&shape, x.dtype(), x)?;
    let stat = stat_dtype(x.dtype());
    let (mean, var) = match (training, running.mean, running.var) {
        (false, Some(mean), Some(var)) => (mean.clone(), var.clone()),
        _ => (empty(&[channels], stat, x)?, empty(&[channels], stat, x)?),
    };
    let meta = x.device().is_meta() || out.numel() == 0;
    if !meta {
        let engine = engine::current();
        let px = Pin::of(&dense.dense_as(&rows));
        let (pm, pv) = (Pin::of(&mean), Pin::of(&var));
        if training {
            engine.launch(x.device(), &Kernel::BatchStats { x: px.view()?, mean: pm.view()?, var: pv.view()? })?;
        }
        let (pw, pb, po) = (pin(weight), pin(bias), Pin::of(&out.dense_as(&rows)));
        let kernel = Kernel::BatchNorm {
            x: px.view()?,
            mean: pm.view()?,
            var: pv.view()?,
            weight: view_of(&pw)?,
            bias: view_of(&pb)?,
            eps,
            out: po.view()?,
        };
        engine.launch(x.device(), &kernel)?;
    }
    if training && !meta {
        let _no_grad = autograd::GradMode::set(false);
        let count = (shape[0] * length) as f64;
        let blend = |running: Option<&Tensor>, batch: &Tensor, scale: f64| -> Result<()> {
            let Some(running) = running else { return Ok(()) };
            ops::binary_(BinaryOp::Mul, running, &(1.0 - momentum).into())?;
            let batch = ops::transfer::cast(batch, running.dtype())?;
            ops::arith::add_(running, &batch.into(), (momentum * scale).into())
        };
        blend(running.mean, &mean, 1.0)?;
        blend(running.var, &var, count / (count - 1.0))?;
    }
    let out = ops::layout::placed_like(out, x)?;
    let inputs = [Some(x), weight, bias];
    if autograd::needs_grad(inputs.into_iter().flatten()) {
        // In evaluation, the running statistics may be changed later, so the values that were used are saved.
        let (mean, var) =
            if training { (mean, var) } else { (ops::create::copy_of(&mean)?, ops::create::copy_of(&var)?) };
        let mut save = vec![Save::Input(x), Save::Input(&mean), Save::Input(&var)];
        save.extend(weight.map(Save::Input));
        let has_weight = weight.is_some();
        // Without elements, PyTorch multiplies and adds instead.
        let name = match (x.numel(), weight, bias) {
            (0, None, None) => crate::ops::rows::CLONE.node,
            (0, Some(_), None) => crate::ops::rows::MUL.node,
            (0, ..) => crate::ops::rows::ADD.node,
            _ => crate::ops::rows::BATCH_NORM.node,
        };
        autograd::record(name, &inputs, &save, &[&out], move |ctx| {
            batch_norm_backward(ctx, has_weight, training, eps)
        })?;
    }
    Ok(out)
}

fn batch_norm_backward(ctx: &Context<'_>, has_weight: bool, training: bool, eps: f64) -> Result<Gradients> {
    let (g, x, mean, var) = (ctx.grad(), &ctx.saved[0], &ctx.saved[1], &ctx.saved[2]);
    let weight = has_weight.then(|| &ctx.saved[3]);
    let shape = x.shape();
    let channels = shape[1];
    if autograd::needs_grad([g, x].into_iter().chain(weight)) {
        let others: Vec<i64> = (0..shape.len() as i64).filter(|&d| d != 1).collect();
        let column: Vec<i64> = (0..shape.len()).map(|d| if d == 1 { channels as i64 } else { 1 }).collect();
        let (g, x, dtype) = (&wide(g)?, &wide(x)?, x.dtype());
        let gw = match weight {
            Some(w) => ops::mul(g, &ops::view::reshape(w, &column)?)?,
            None => g.clone(),
        };
        let side = weight.map_or(dtype, Tensor::dtype);
        let total = |t: &Tensor| ops::transfer::cast(&ops::reduce::sum(t, &others, false, None)?, side);
        let (hat, dx) = if training {
            (standardize(x, &others, eps)?.0, standardize_grad(&gw, x, &others, eps)?)
        } else {
            let shifted = ops::binary(BinaryOp::Add, &var.into(), &eps.into())?;
            let rstd = ops::view::reshape(&ops::unary(UnaryOp::Rsqrt, &shifted)?, &column)?;
            let centered = ops::sub(x, &ops::view::reshape(mean, &column)?)?;
            (ops::mul(&centered, &rstd)?, ops::mul(&gw, &rstd)?)
        };
        return Ok(smallvec![
            if ctx.needs(0) { Some(ops::transfer::cast(&dx, dtype)?) } else { None },
            if ctx.needs(1) { Some(total(&ops::mul(g, &hat)?)?) } else { None },
            if ctx.needs(2) { Some(total(g)?) } else { None },
        ]);
    }
    let rows = [shape[0], channels, product(&shape[2..])];
    let (dense, grad) = (ops::create::contiguous(x)?, ops::create::contiguous(g)?);
    let wanted = |i: usize, shape: &[usize], dtype: DType| ctx.needs(i).then(|| empty(shape, dtype, x)).transpose();
    let dx = wanted(0, &shape, x.dtype())?;
    let side = weight.map_or(stat_dtype(x.dtype()), Tensor::dtype);
    let (dw, db) = (wanted(1, &[channels], side)?, wanted(2, &[channels], side)?);
    if !x.device().is_meta() && x.numel() > 0 {
        let (pg, px) = (Pin::of(&grad.dense_as(&rows)), Pin::of(&dense.dense_as(&rows)));
        let (pm, pv, pw) = (Pin::of(mean), Pin::of(var), pin(weight));
        let pdx = dx.as_ref().map(|t| Pin::of(&t.dense_as(&rows)));
        let (pdw, pdb) = (pin(dw.as_ref()), pin(db.as_ref()));
        let kernel = Kernel::BatchNormBackward {
            grad: pg.view()?,
            x: px.view()?,
            mean: pm.view()?,
            var: pv.view()?,
            weight: view_of(&pw)?,
            eps,
            training,
            dx: view_of(&pdx)?,
            dweight: view_of(&pdw)?,
            dbias: view_of(&pdb)?,
        };
        engine::current().launch(x.device(), &kernel)?;
    } else {
        // Sums over no elements are 0.
        dw.iter().chain(&db).try_for_each(|t| ops::create::fill_data(t, 0.0.into()))?;
    }
    let dx = dx.map(|dx| ops::layout::placed_like(dx, x)).transpose()?;
    Ok(smallvec![dx, dw, db])
}
