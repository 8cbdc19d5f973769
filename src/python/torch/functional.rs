//! The native functions behind `torch.nn.functional`, the optimizers and the data loader.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyStrInterned};
use rustpython_vm::{PyResult, VirtualMachine};

use super::args::{Bound, Call};
use super::binding::{F, FM, Row};
use super::convert;
use super::convert::interned;
use super::error::OrRaise;
use super::pointwise::{number_beside, unary};
use super::tensor::{answer, tensor_of, tuple, wrap};
use crate::engine;
use crate::error::Result;
use crate::executor::{OptimizerRule, Reduction, UnaryOp};
use crate::ops::nn::{activation, conv, embedding, loss, norm, pad, pool};
use crate::ops::optim::{self, Slot};
use crate::ops::{self, Arg, distance, rows};
use crate::tensor::Tensor;

// ---- activations -----------------------------------------------------------------------------------------------------

fn gelu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let op = match a.str("approximate")?.unwrap_or("none") {
        "none" => UnaryOp::Gelu,
        "tanh" => UnaryOp::GeluTanh,
        _ => return Err(vm.new_runtime_error("approximate argument must be either none or tanh.")),
    };
    answer(ops::unary(op, &a.tensor(0)?), vm)
}

fn elu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::unary(UnaryOp::Elu { alpha: a.f64_or(1, 1.0)?, scale: 1.0, input_scale: 1.0 }, &a.tensor(0)?), vm)
}

/// ELU with the constants of Klambauer et al. (2017).
fn selu(call: Call<'_>) -> PyResult {
    unary(call, UnaryOp::Elu { alpha: 1.673_263_242_354_377_2, scale: 1.050_700_987_355_480_5, input_scale: 1.0 })
}

fn celu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let alpha = a.f64_or(1, 1.0)?;
    if alpha == 0.0 {
        return Err(vm.new_runtime_error("ZeroDivisionError: alpha cannot be 0 for CELU"));
    }
    let op = UnaryOp::Elu { alpha, scale: 1.0, input_scale: 1.0 / alpha };
    answer(ops::elementwise::unary_named(op, &a.tensor(0)?, rows::CELU.node), vm)
}

fn leaky_relu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::unary(UnaryOp::LeakyRelu { slope: a.f64_or(1, 0.01)? }, &a.tensor(0)?), vm)
}

fn softplus(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let op = UnaryOp::Softplus { beta: a.f64_or(1, 1.0)?, threshold: a.f64_or(2, 20.0)? };
    answer(ops::unary(op, &a.tensor(0)?), vm)
}

fn threshold(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, threshold, value) = (a.tensor(0)?, a.number(1)?, a.number(2)?);
    if !x.dtype().is_complex() {
        threshold.fit(x.dtype()).and_then(|_| value.fit(x.dtype())).or_raise(vm)?;
    }
    answer(ops::unary(UnaryOp::Threshold { threshold: threshold.as_f64(), value: value.as_f64() }, &x), vm)
}

fn hardtanh(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::arith::hardtanh(&a.tensor(0)?, a.f64_or(1, -1.0)?, a.f64_or(2, 1.0)?), vm)
}

fn shrink(call: Call<'_>, f: fn(&Tensor, f64) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, a.f64_or(1, 0.5)?), vm)
}

fn prelu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(activation::prelu(&a.tensor(0)?, &a.tensor(1)?), vm)
}

fn glu(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(activation::glu(&a.tensor(0)?, a.int_or(1, -1)?), vm)
}

fn softmax(call: Call<'_>, log: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(activation::softmax(&a.tensor(0)?, a.int(1)?, log, a.dtype(2)?), vm)
}

fn dropout(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(activation::dropout(&a.tensor(0)?, a.f64_or(1, 0.5)?, a.bool_or(2, true)?), vm)
}

// ---- layers ----------------------------------------------------------------------------------------------------------

/// `embedding(weight, indices, padding_idx)`, in the order of `torch.embedding`'s arguments. -1 means no padding.
fn embed(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let padding = a.int_or_none(2)?.filter(|&p| p >= 0);
    answer(embedding::embedding(&a.tensor(1)?, &a.tensor(0)?, padding), vm)
}

fn one_hot(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(embedding::one_hot(&a.tensor(0)?, a.int_or(1, -1)?), vm)
}

/// Refuses a list whose length is neither 1 nor the number of spatial dimensions.
fn counted(list: &[i64], dims: usize, text: impl FnOnce() -> String, vm: &VirtualMachine) -> PyResult<()> {
    if list.len() == 1 || list.len() == dims { Ok(()) } else { Err(vm.new_runtime_error(text())) }
}

/// The check of PyTorch's convolutions, which counts the dimensions of the weight's kernel.
fn convolved(name: &str, list: &[i64], dims: usize, vm: &VirtualMachine) -> PyResult<()> {
    let text = || {
        let list = crate::shape::show_signed(list);
        format!(
            "expected {name} to be a single integer value or a list of {dims} values to match the convolution dimensions, but got {name}={list}"
        )
    };
    counted(list, dims, text, vm)
}

/// The check of PyTorch's two-dimensional pooling.
fn pooled(function: &str, o: &pool::PoolOptions, vm: &VirtualMachine) -> PyResult<()> {
    let lists = [
        ("kernel_size must either be", &o.kernel),
        ("stride must either be omitted,", &o.stride),
        ("padding must either be", &o.padding),
        ("dilation must be either", &o.dilation),
    ];
    for (what, list) in lists {
        counted(list, 2, || format!("{function}: {what} a single int, or a tuple of two ints"), vm)?;
    }
    Ok(())
}

/// One size per spatial dimension, from an int or a sequence.
fn spatial(a: &Bound<'_>, i: usize, dims: usize, default: i64) -> PyResult<Vec<i64>> {
    if a.some(i).is_none() {
        return Ok(vec![default; dims]);
    }
    let list = a.ints(i)?;
    Ok(if list.len() == 1 { vec![list[0]; dims] } else { list.to_vec() })
}

/// The stride of a pool: its windows side by side if none is given, or an empty list.
fn stride_or(a: &Bound<'_>, i: usize, kernel: &[i64]) -> PyResult<Vec<i64>> {
    let none = a.some(i).is_none_or(|o| convert::sequence(o).is_some_and(|items| items.is_empty()));
    if none { Ok(kernel.to_vec()) } else { spatial(a, i, kernel.len(), 1) }
}

/// Padding by numbers, `"valid"`, or `"same"`.
fn padding(a: &Bound<'_>, i: usize, kernel: &[usize], stride: &[i64], dilation: &[i64]) -> PyResult<Vec<i64>> {
    let word = a.some(i).and_then(|o| super::convert::text(o));
    match word {
        None => spatial(a, i, stride.len(), 0),
        Some("valid") => Ok(vec![0; stride.len()]),
        Some("same") => conv::same_padding(kernel, stride, dilation).or_raise(a.vm),
        Some(other) => Err(a.vm.new_runtime_error(format!("Invalid padding string: '{other}'"))),
    }
}

const PADDED_COPY: &str = "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created";

fn convolution(call: Call<'_>, dims: usize) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, w, b) = (a.tensor(0)?, a.tensor(1)?, a.tensor_or_none(2)?);
    conv::check_bias(&x, b.as_ref()).or_raise(vm)?;
    conv::check_input(&x, dims, &format!("conv{dims}d")).or_raise(vm)?;
    conv::check_weight(&w).or_raise(vm)?;
    let (stride, dilation) = (spatial(&a, 3, dims, 1)?, spatial(&a, 5, dims, 1)?);
    let kernel: Vec<usize> = w.shape().iter().skip(2).copied().collect();
    if kernel.len() != dims && a.some(4).and_then(|o| super::convert::text(o)) == Some("same") {
        let mut given = x.shape();
        if given.len() == dims + 1 {
            given.insert(0, 1);
        }
        let (n, weight, is, given) =
            (w.ndim(), crate::shape::show(&w.shape()), given.len(), crate::shape::show(&given));
        return Err(vm.new_runtime_error(format!(
            "Expected {n}-dimensional input for {n}-dimensional weight{weight}, but got {is}-dimensional input of size {given} instead"
        )));
    }
    let padding = padding(&a, 4, &kernel, &stride, &dilation)?;
    let groups = a.int_or(6, 1)?;
    let x = match a.get(4).and_then(|o| super::convert::text(o)) {
        Some("same") => {
            let padded = conv::pad_same(&x, &kernel, &dilation).or_raise(vm)?;
            if !padded.is_same(&x) {
                super::error::warn_once(PADDED_COPY, vm)?;
            }
            padded
        }
        _ => x,
    };
    for (name, list) in [("stride", &stride), ("padding", &padding), ("dilation", &dilation)] {
        convolved(name, list, kernel.len(), vm)?;
    }
    let o = conv::ConvOptions { stride, padding, dilation, groups, output_padding: vec![0; dims] };
    answer(conv::conv(&x, &w, b.as_ref(), &o), vm)
}

fn conv_transpose(call: Call<'_>, dims: usize) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, w) = (a.tensor(0)?, a.tensor(1)?);
    conv::check_input(&x, dims, &format!("conv_transpose{dims}d")).or_raise(vm)?;
    conv::check_weight(&w).or_raise(vm)?;
    let o = conv::ConvOptions {
        stride: spatial(&a, 3, dims, 1)?,
        padding: spatial(&a, 4, dims, 0)?,
        output_padding: spatial(&a, 5, dims, 0)?,
        groups: a.int_or(6, 1)?,
        dilation: spatial(&a, 7, dims, 1)?,
    };
    let lists = [("stride", &o.stride), ("padding", &o.padding), ("output_padding", &o.output_padding)];
    for (name, list) in lists.into_iter().chain([("dilation", &o.dilation)]) {
        convolved(name, list, w.ndim() - 2, vm)?;
    }
    answer(conv::conv_transpose(&x, &w, a.tensor_or_none(2)?.as_ref(), &o), vm)
}

fn max_pool(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let dims = 2;
    let kernel = spatial(&a, 1, dims, 1)?;
    let o = pool::PoolOptions {
        stride: stride_or(&a, 2, &kernel)?,
        padding: spatial(&a, 3, dims, 0)?,
        dilation: spatial(&a, 4, dims, 1)?,
        ceil_mode: a.bool_or(5, false)?,
        ..pool::PoolOptions::new(&kernel)
    };
    pooled("max_pool2d", &o, vm)?;
    let (values, indices) = pool::max_pool(&a.tensor(0)?, &o).or_raise(vm)?;
    Ok(tuple(vec![values, indices], vm))
}

/// `max_pool1d(..., ceil_mode, return_indices)`: values and positions.
fn max_pool1d(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices"], 2)?;
    let x = a.tensor(0)?;
    let kernel = spatial(&a, 1, 1, 1)?;
    let o = pool::PoolOptions {
        stride: stride_or(&a, 2, &kernel)?,
        padding: spatial(&a, 3, 1, 0)?,
        dilation: spatial(&a, 4, 1, 1)?,
        ceil_mode: a.bool_or(5, false)?,
        ..pool::PoolOptions::new(&kernel)
    };
    pool::check_max_pool1d(&x, &o, a.bool_or(6, false)?).or_raise(vm)?;
    let (values, indices) = pool::max_pool(&x, &o).or_raise(vm)?;
    Ok(tuple(vec![values, indices], vm))
}

fn avg_pool(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let dims = 2;
    let kernel = spatial(&a, 1, dims, 1)?;
    let o = pool::PoolOptions {
        stride: stride_or(&a, 2, &kernel)?,
        padding: spatial(&a, 3, dims, 0)?,
        ceil_mode: a.bool_or(4, false)?,
        count_include_pad: a.bool_or(5, true)?,
        divisor: a.int_or_none(6)?,
        ..pool::PoolOptions::new(&kernel)
    };
    pooled("avg_pool2d", &o, vm)?;
    answer(pool::avg_pool(&a.tensor(0)?, &o), vm)
}

fn adaptive_avg_pool(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(pool::adaptive_avg_pool2d(&a.tensor(0)?, &a.ints(1)?), vm)
}

fn layer_norm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (wanted, x) = (a.ints(1)?, a.tensor(0)?);
    // A size that is invalid or can't be counted differs from every size of the input.
    let shape: Option<Vec<usize>> = wanted.iter().map(|&n| crate::shape::word(n)).collect();
    let Some(shape) = shape else {
        let list = crate::shape::show_signed(&wanted);
        let inner = list.trim_start_matches('[');
        return Err(vm.new_runtime_error(format!(
            "Given normalized_shape={list}, expected input with shape [*, {inner}, but got input of size{}",
            crate::shape::show(&x.shape())
        )));
    };
    let (w, b) = (a.tensor_or_none(2)?, a.tensor_or_none(3)?);
    answer(norm::layer_norm(&a.tensor(0)?, &shape, w.as_ref(), b.as_ref(), a.f64_or(4, 1e-5)?), vm)
}

fn group_norm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (w, b) = (a.tensor_or_none(2)?, a.tensor_or_none(3)?);
    answer(norm::group_norm(&a.tensor(0)?, a.int(1)?, w.as_ref(), b.as_ref(), a.f64_or(4, 1e-5)?), vm)
}

fn batch_norm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (w, b) = (a.tensor_or_none(1)?, a.tensor_or_none(2)?);
    let (mean, var) = (a.tensor_or_none(3)?, a.tensor_or_none(4)?);
    let running = norm::Running { mean: mean.as_ref(), var: var.as_ref() };
    let training = a.bool_or(5, false)?;
    answer(
        norm::batch_norm(
            &a.tensor(0)?,
            running,
            w.as_ref(),
            b.as_ref(),
            training,
            a.f64_or(6, 0.1)?,
            a.f64_or(7, 1e-5)?,
        ),
        vm,
    )
}

fn padded(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let mode = a.str(2)?.unwrap_or("constant");
    answer(pad::pad(&a.tensor(0)?, &a.ints(1)?, mode, a.scalar_or(3, 0.0)?), vm)
}

/// `_constant_pad(input, pad, value)`, where the value may be complex.
fn constant_pad(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "pad", "value"], 3)?;
    answer(pad::pad(&a.tensor(0)?, &a.ints(1)?, "constant", a.number(2)?), vm)
}

fn normalize(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(distance::normalize(&a.tensor(0)?, a.f64_or(1, 2.0)?, a.int_or(2, 1)?, a.f64_or(3, 1e-12)?), vm)
}

fn cosine_similarity(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(distance::cosine_similarity(&a.tensor(0)?, &a.tensor(1)?, a.int_or(2, 1)?, a.f64_or(3, 1e-8)?), vm)
}

fn pairwise_distance(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (p, eps, keep) = (a.f64_or(2, 2.0)?, a.f64_or(3, 1e-6)?, a.bool_or(4, false)?);
    answer(distance::pairwise(&a.tensor(0)?, &a.tensor(1)?, p, eps, keep), vm)
}

// ---- losses ----------------------------------------------------------------------------------------------------------

/// 0 none, 1 mean, 2 sum. PyTorch reads its own default, `at::Reduction::Mean`, as the number 0.
fn reduction(a: &Bound<'_>, i: usize) -> PyResult<Reduction> {
    match a.int_or(i, 0)? {
        0 => Ok(Reduction::None),
        1 => Ok(Reduction::Mean),
        2 => Ok(Reduction::Sum),
        other => Err(a.vm.new_value_error(format!("{other} is not a valid value for reduction"))),
    }
}

fn pointwise_loss(call: Call<'_>, f: fn(&Tensor, &Tensor, Reduction) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, &a.tensor(1)?, reduction(&a, 2)?), vm)
}

fn bent_loss(call: Call<'_>, f: fn(&Tensor, &Tensor, Reduction, f64) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, &a.tensor(1)?, reduction(&a, 2)?, a.f64_or(3, 1.0)?), vm)
}

fn bce(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(loss::bce(&a.tensor(0)?, &a.tensor(1)?, a.tensor_or_none(2)?.as_ref(), reduction(&a, 3)?), vm)
}

fn bce_with_logits(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (w, p) = (a.tensor_or_none(2)?, a.tensor_or_none(3)?);
    answer(loss::bce_with_logits(&a.tensor(0)?, &a.tensor(1)?, w.as_ref(), p.as_ref(), reduction(&a, 4)?), vm)
}

fn nll_loss(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (w, ignore) = (a.tensor_or_none(2)?, a.int_or(4, -100)?);
    answer(loss::nll(&a.tensor(0)?, &a.tensor(1)?, w.as_ref(), ignore, reduction(&a, 3)?), vm)
}

fn cross_entropy(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let w = a.tensor_or_none(2)?;
    let (ignore, smoothing) = (a.int_or(4, -100)?, a.f64_or(5, 0.0)?);
    answer(loss::cross_entropy(&a.tensor(0)?, &a.tensor(1)?, w.as_ref(), reduction(&a, 3)?, ignore, smoothing), vm)
}

fn kl_div(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let log = a.bool_or("log_target", false)?;
    answer(loss::kl_div(&a.tensor(0)?, &a.tensor(1)?, reduction(&a, 2)?, log), vm)
}

fn xlogy(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (x, y) = (a.operand(0)?, a.operand(1)?);
    let beside = |t: &Tensor, n| number_beside(t, n).or_raise(vm);
    let (x, y) = match (x, y) {
        (Arg::Tensor(x), Arg::Tensor(y)) => (x, y),
        (Arg::Tensor(x), Arg::Number(n)) => {
            let y = beside(&x, n)?;
            (x, y)
        }
        (Arg::Number(n), Arg::Tensor(y)) => (beside(&y, n)?, y),
        (Arg::Number(_), Arg::Number(_)) => return Err(a.wrong(1, "Tensor")),
    };
    answer(loss::xlogy(&x, &y), vm)
}

/// `_differ_in_shape(a, b)`: `a.shape != b.shape`; if both are tensors, without making the two tuples.
fn differ_in_shape(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["a", "b"], 2)?;
    let (Some(x), Some(y)) = (a.get(0), a.get(1)) else { return Err(a.wrong(0, "Tensor")) };
    if let (Some(x), Some(y)) = (tensor_of(x), tensor_of(y)) {
        return Ok(vm.ctx.new_bool(x.shape() != y.shape()).into());
    }
    let (x, y) = (vm.call_method(x, "size", ())?, vm.call_method(y, "size", ())?);
    Ok(vm.ctx.new_bool(!vm.bool_eq(&x, &y)?).into())
}

// ---- optimizers ------------------------------------------------------------------------------------------------------

/// One slot for each parameter. Its states come from several lists; lists that are None are left out.
fn slots(a: &Bound<'_>, states: &[usize]) -> PyResult<Vec<Slot>> {
    let (params, grads) = (a.tensors(0)?, a.tensors(1)?);
    let mut lists = Vec::new();
    for &i in states {
        if a.some(i).is_some() {
            lists.push(a.tensors(i)?);
        }
    }
    if grads.len() != params.len() || lists.iter().any(|l| l.len() != params.len()) {
        return Err(a.vm.new_value_error(format!("{}(): lists of different lengths", a.name)));
    }
    Ok(params
        .into_iter()
        .zip(grads)
        .enumerate()
        .map(|(i, (param, grad))| Slot {
            param,
            grad,
            state: lists.iter().map(|l| l[i].clone()).collect(),
            count: None,
        })
        .collect())
}

/// `_together(device, name, count, function)`: what the function returns. See `Launches::together`.
fn together(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "name", "count", "function"], 4)?;
    let device = a.device(0)?.ok_or_else(|| a.wrong(0, "torch.device"))?;
    let (name, count) = (a.str(1)?.unwrap_or_default(), a.int(2)?.unsigned_abs());
    let function = a.required(3)?;
    engine::current().launches.together(device, name, count, || function.call((), vm))
}

fn stepped(result: Result<()>, vm: &VirtualMachine) -> PyResult {
    result.or_raise(vm).map(|()| vm.ctx.none())
}

fn sgd_step(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(
        &[
            "params",
            "grads",
            "momentum_buffers",
            "lr",
            "momentum",
            "dampening",
            "weight_decay",
            "nesterov",
            "maximize",
            "first",
        ],
        10,
    )?;
    let rule = OptimizerRule::Sgd {
        lr: a.f64(3)?,
        momentum: a.f64(4)?,
        dampening: a.f64(5)?,
        weight_decay: a.f64(6)?,
        nesterov: a.bool_or(7, false)?,
        maximize: a.bool_or(8, false)?,
        first: a.bool_or(9, false)?,
    };
    stepped(optim::step(rule, None, &slots(&a, &[2])?), vm)
}

/// A learning rate: a number, or a tensor that is read when the step runs, if the device counts the steps. A tensor on the CPU
/// always becomes a number.
fn learning_rate(a: &Bound<'_>, i: usize, on_device: bool) -> PyResult<(f64, Option<Tensor>)> {
    match a.some(i).and_then(|o| tensor_of(o)).filter(|t| on_device && !t.device().is_cpu()) {
        Some(rate) => Ok((0.0, Some(rate.clone()))),
        None => Ok((a.f64(i)?, None)),
    }
}

/// PyTorch's error for a capturable step with something that isn't on a GPU. `what` names everything that must be there. The
/// list of devices is `with_xla` if parameters are updated one by one.
fn uncapturable(what: &str, with_xla: bool, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let xla = if with_xla { ", 'xla'" } else { "" };
    let text = format!(
        "If capturable=True, {what} must be on supported devices: ['cuda', 'xpu', 'hpu', 'privateuseone'{xla}]."
    );
    vm.new_exception_msg(vm.ctx.exceptions.assertion_error.to_owned(), text.into())
}

/// `_uncapturable(what, with_xla)`: raises that error.
fn refuse_uncapturable(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["what", "with_xla"], 2)?;
    Err(uncapturable(a.str(0)?.unwrap_or_default(), a.bool_or(1, false)?, vm))
}

/// `_adam_group(params, state, begin, group, …)`: one step over the parameters that have a gradient. `state` maps a parameter
/// to its dictionary, which `begin(group, dictionary, parameter)` fills in the first step. A `capturable` step is one launch,
/// and the device counts the steps.
fn adam_group(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(
        &[
            "params",
            "state",
            "begin",
            "group",
            "lr",
            "beta1",
            "beta2",
            "eps",
            "weight_decay",
            "amsgrad",
            "maximize",
            "decoupled",
            "capturable",
        ],
        13,
    )?;
    let (Some(states), Some(begin), Some(group)) = (a.some(1), a.some(2), a.some(3)) else {
        return Err(a.wrong(1, "dict"));
    };
    let params = a.some(0).and_then(|o| convert::sequence(o)).unwrap_or_default();
    let amsgrad = a.bool_or(9, false)?;
    let names = [interned!("exp_avg", vm), interned!("exp_avg_sq", vm), interned!("max_exp_avg_sq", vm)];
    let names = &names[..if amsgrad { 3 } else { 2 }];
    let capturable = a.bool_or(12, false)?;
    let (lr, rate) = learning_rate(&a, 4, capturable)?;
    // Parameters with the same step count share a launch; that's nearly always all of them. Parameters whose steps the device
    // counts share one anyway.
    let mut by_step: Vec<(Option<u64>, Vec<Slot>)> = Vec::new();
    let mut on_host = (false, false);
    for object in &params {
        let Some(param) = tensor_of(object) else { return Err(a.wrong(0, "list of Tensors")) };
        let Some(grad) = param.grad() else { continue };
        let own = states.get_item(&**object, vm)?;
        if own.length(vm)? == 0 {
            begin.call((group.clone(), own.clone(), object.clone()), vm)?;
        }
        let member = |name: &'static PyStrInterned| -> PyResult<Tensor> {
            let value = own.get_item(name, vm)?;
            tensor_of(&value).cloned().ok_or_else(|| vm.new_type_error(format!("Adam: state '{name}' is not a Tensor")))
        };
        let state = names.iter().map(|&name| member(name)).collect::<PyResult<Vec<_>>>()?;
        let count = member(interned!("step", vm))?;
        let (step, count) = if capturable {
            on_host = (on_host.0 || !param.device().is_cuda(), on_host.1 || !count.device().is_cuda());
            (None, Some(count))
        } else {
            (Some(optim::advance(&count).or_raise(vm)?), None)
        };
        let slot = Slot { param: param.clone(), grad, state, count };
        match by_step.iter_mut().find(|(of, _)| *of == step) {
            Some((_, slots)) => slots.push(slot),
            None => by_step.push((step, vec![slot])),
        }
    }
    if on_host.0 || on_host.1 {
        return Err(uncapturable("params and state_steps", on_host.0, vm));
    }
    for (step, slots) in by_step {
        let rule = OptimizerRule::Adam {
            step,
            lr,
            beta1: a.f64(5)?,
            beta2: a.f64(6)?,
            eps: a.f64(7)?,
            weight_decay: a.f64(8)?,
            amsgrad,
            maximize: a.bool_or(10, false)?,
            decoupled: a.bool_or(11, false)?,
        };
        optim::step(rule, rate.as_ref(), &slots).or_raise(vm)?;
    }
    Ok(vm.ctx.none())
}

fn rmsprop_step(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(
        &[
            "params",
            "grads",
            "square_avgs",
            "momentum_buffers",
            "grad_avgs",
            "lr",
            "alpha",
            "eps",
            "weight_decay",
            "momentum",
            "centered",
            "maximize",
            "steps",
        ],
        13,
    )?;
    let mut slots = slots(&a, &[2, 3, 4])?;
    let capturable = a.some(12).is_some();
    if capturable {
        for (slot, count) in slots.iter_mut().zip(a.tensors(12)?) {
            slot.count = Some(count);
        }
    }
    let (lr, rate) = learning_rate(&a, 5, capturable)?;
    let rule = OptimizerRule::RmsProp {
        lr,
        alpha: a.f64(6)?,
        eps: a.f64(7)?,
        weight_decay: a.f64(8)?,
        momentum: a.f64(9)?,
        centered: a.bool_or(10, false)?,
        maximize: a.bool_or(11, false)?,
    };
    stepped(optim::step(rule, rate.as_ref(), &slots), vm)
}

fn adagrad_step(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["params", "grads", "sums", "lr", "eps", "weight_decay", "maximize"], 7)?;
    let rule = OptimizerRule::Adagrad {
        lr: a.f64(3)?,
        eps: a.f64(4)?,
        weight_decay: a.f64(5)?,
        maximize: a.bool_or(6, false)?,
    };
    stepped(optim::step(rule, None, &slots(&a, &[2])?), vm)
}

/// `_zero_grad(params, set_to_none)`.
fn zero_grad(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["params", "set_to_none"], 2)?;
    let to_none = a.bool_or(1, true)?;
    for p in a.tensors(0)? {
        optim::zero_grad(&p, to_none).or_raise(vm)?;
    }
    Ok(vm.ctx.none())
}

// ---- data ------------------------------------------------------------------------------------------------------------

/// `_take_rows(tensors, indices)`: for every tensor, the rows in `indices`, as if they were stacked one by one.
fn take_rows(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["tensors", "indices"], 2)?;
    let batches = ops::index::stack_rows(&a.tensors(0)?, &a.ints(1)?).or_raise(vm)?;
    Ok(vm.ctx.new_list(batches.into_iter().map(|batch| wrap(batch, vm)).collect()).into())
}

fn accelerator_available(call: Call<'_>) -> PyResult {
    let e = engine::current();
    Ok(call.vm.ctx.new_bool(e.devices.cuda_count() > 0 || e.devices.machine.has_mps()).into())
}

fn clip_grad_norm(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["grads", "max_norm", "norm_type", "error_if_nonfinite"], 2)?;
    let (limit, p, strict) = (a.f64(1)?, a.f64_or(2, 2.0)?, a.bool_or(3, false)?);
    answer(optim::clip_grad_norm_(&a.tensors(0)?, limit, p, strict), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("gelu", F, gelu),
    ("elu", F, elu),
    ("selu", F, selu),
    ("celu", F, celu),
    ("leaky_relu", F, leaky_relu),
    ("softplus", F, softplus),
    ("threshold", F, threshold),
    ("hardtanh", F, hardtanh),
    ("hardshrink", FM, |c| shrink(c, activation::hardshrink)),
    ("softshrink", F, |c| shrink(c, activation::softshrink)),
    ("prelu", FM, prelu),
    ("glu", F, glu),
    ("softmax", FM, |c| softmax(c, false)),
    ("log_softmax", FM, |c| softmax(c, true)),
    ("dropout", F, dropout),
    ("embedding", F, embed),
    ("one_hot", F, one_hot),
    ("conv1d", F, |c| convolution(c, 1)),
    ("conv2d", F, |c| convolution(c, 2)),
    ("conv_transpose1d", F, |c| conv_transpose(c, 1)),
    ("conv_transpose2d", F, |c| conv_transpose(c, 2)),
    ("_max_pool1d", F, max_pool1d),
    ("max_pool2d", F, max_pool),
    ("avg_pool2d", F, avg_pool),
    ("adaptive_avg_pool2d", F, adaptive_avg_pool),
    ("layer_norm", F, layer_norm),
    ("group_norm", F, group_norm),
    ("batch_norm", F, batch_norm),
    ("pad", F, padded),
    ("_constant_pad", F, constant_pad),
    ("normalize", F, normalize),
    ("cosine_similarity", F, cosine_similarity),
    ("pairwise_distance", F, pairwise_distance),
    ("mse_loss", F, |c| pointwise_loss(c, loss::mse)),
    ("l1_loss", F, |c| pointwise_loss(c, loss::l1)),
    ("smooth_l1_loss", F, |c| bent_loss(c, loss::smooth_l1)),
    ("huber_loss", F, |c| bent_loss(c, loss::huber)),
    ("binary_cross_entropy", F, bce),
    ("binary_cross_entropy_with_logits", F, bce_with_logits),
    ("nll_loss", F, nll_loss),
    ("cross_entropy", F, cross_entropy),
    ("kl_div", F, kl_div),
    ("xlogy", FM, xlogy),
    ("_together", F, together),
    ("_sgd_step", F, sgd_step),
    ("_adam_group", F, adam_group),
    ("_uncapturable", F, refuse_uncapturable),
    ("_rmsprop_step", F, rmsprop_step),
    ("_adagrad_step", F, adagrad_step),
    ("_differ_in_shape", F, differ_in_shape),
    ("_zero_grad", F, zero_grad),
    ("_take_rows", F, take_rows),
    ("_accelerator_available", F, accelerator_available),
    ("_clip_grad_norm", F, clip_grad_norm),
]];
