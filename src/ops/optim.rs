//! Optimizer steps, with one launch for all parameters of a device; and gradient clipping.

use smallvec::{SmallVec, smallvec};

use crate::autograd::{self, GradMode};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, Operand, OptimizerParam, OptimizerRule};
use crate::ops::{self, device, rows};
use crate::tensor::{Pin, Tensor};

/// A parameter with its gradient and its state, in the order of [`OptimizerRule`].
pub struct Slot {
    pub param: Tensor,
    pub grad: Tensor,
    pub state: Vec<Tensor>,
    /// Its step count on its own device, if steps are counted there. Then all slots of a step have one.
    pub count: Option<Tensor>,
}

/// One step of a rule over all `slots`, outside the graph. Parameters and state get a new version. `rate` is a learning rate
/// with one element that replaces the rule's and is read when the step runs; it requires counts.
///
/// # Errors
/// State, gradients, counts or the rate are on another device than their parameter, with the message of an elementwise
/// operator.
pub fn step(rule: OptimizerRule, rate: Option<&Tensor>, slots: &[Slot]) -> Result<()> {
    let _no_grad = GradMode::set(false);
    for slot in slots {
        autograd::check_in_place(&slot.param)?;
        if slot.param.is_flipped() || slot.state.iter().any(Tensor::is_flipped) {
            return Err(Error::not_implemented("optimizing a view of a conjugate isn't supported here"));
        }
        let mut operands: SmallVec<[&Tensor; 6]> = smallvec![&slot.param, &slot.grad];
        operands.extend(slot.state.iter().chain(&slot.count).chain(rate));
        let common = device::common(&operands)?;
        if let Some(stray) = operands.iter().find(|t| t.device() != common) {
            return Err(Error::runtime(format!(
                "Expected all tensors to be on the same device, but found at least two devices, {common} and {}!",
                stray.device()
            )));
        }
        if slot.grad.shape() != slot.param.shape() || slot.state.iter().any(|s| s.shape() != slot.param.shape()) {
            return Err(Error::runtime(format!(
                "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 0",
                slot.param.numel(),
                slot.grad.numel()
            )));
        }
    }
    // One launch per device. The parameters of a model usually share one.
    let launched = |s: &&Slot| !s.param.device().is_meta() && (s.param.numel() > 0 || s.count.is_some());
    let mut left: Vec<&Slot> = slots.iter().filter(launched).collect();
    let rate = rate.map(single).transpose()?;
    while let Some(first) = left.first() {
        let at = first.param.device();
        let (here, rest): (Vec<&Slot>, Vec<&Slot>) = left.into_iter().partition(|s| s.param.device() == at);
        launch(rule, rate.as_ref(), &here)?;
        left = rest;
    }
    for slot in slots {
        slot.param.bump_version();
        slot.state.iter().chain(&slot.count).for_each(Tensor::bump_version);
    }
    Ok(())
}

/// Adds one to a parameter's step count (0-dim, on the CPU) and returns it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count that a float holds")]
pub(crate) fn advance(count: &Tensor) -> Result<u64> {
    if count.device().is_cpu()
        && count.dtype().is_float()
        && count.numel() == 1
        && !count.requires_grad()
        && !count.is_inference()
    {
        // Does the same as `count += 1` if nothing must be promoted, broadcast or recorded. A step has many counts.
        let pin = Pin::of(count);
        let one = Operand::Scalar(Scalar::Float(1.0));
        let (a, out, compute) = (Operand::View(pin.view()?), pin.view()?, count.dtype());
        engine::current().launch(Device::CPU, &Kernel::Binary { op: BinaryOp::Add, a, b: one, compute, out })?;
        count.bump_version();
    } else {
        ops::binary_(BinaryOp::Add, count, &1.0.into())?;
    }
    Ok(ops::transfer::item(count, crate::trace::Why::Item)?.as_f64() as u64)
}

/// A contiguous tensor for the kernel: the tensor itself, or a copy that is written back later.
fn dense(t: &Tensor) -> Result<Tensor> {
    ops::create::contiguous(t)
}

/// A count or a rate for the kernel: a float32, converted if it has another dtype.
fn single(t: &Tensor) -> Result<Tensor> {
    ops::transfer::cast(t, DType::F32)
}

/// A slot as the rules see it: a complex parameter is a pair of real ones for each element.
///
/// # Errors
/// A gradient that is a view of a conjugate, which PyTorch takes in SGD only.
fn real(rule: OptimizerRule, slot: &Slot) -> Result<Slot> {
    let view = |t: &Tensor| if t.dtype().is_complex() { ops::complex::view_as_real(t) } else { Ok(t.clone()) };
    let grad = match rule {
        OptimizerRule::Sgd { .. } => view(&slot.grad.resolved()?)?,
        _ => view(&slot.grad)?,
    };
    let state = slot.state.iter().map(view).collect::<Result<Vec<_>>>()?;
    Ok(Slot { param: view(&slot.param)?, grad, state, count: slot.count.clone() })
}

fn launch(rule: OptimizerRule, rate: Option<&Tensor>, slots: &[&Slot]) -> Result<()> {
    let complex = slots.iter().any(|s| s.param.dtype().is_complex());
    let real_slots =
        if complex { slots.iter().map(|s| real(rule, s)).collect::<Result<Vec<_>>>()? } else { Vec::new() };
    let real_slots: Vec<&Slot> = real_slots.iter().collect();
    let slots = if complex { &real_slots } else { slots };
    let work = slots
        .iter()
        .map(|s| {
            let state = s.state.iter().map(dense).collect::<Result<Vec<_>>>()?;
            let count = s.count.as_ref().map(single).transpose()?;
            Ok(Slot { param: dense(&s.param)?, grad: dense(&s.grad)?, state, count })
        })
        .collect::<Result<Vec<Slot>>>()?;
    let pin = |w: &Slot| {
        let state: Vec<Pin> = w.state.iter().map(Pin::of).collect();
        (Pin::of(&w.param), Pin::of(&w.grad), state, w.count.as_ref().map(Pin::of))
    };
    let pins: Vec<(Pin, Pin, Vec<Pin>, Option<Pin>)> = work.iter().map(pin).collect();
    let rate = rate.map(Pin::of);
    let params = pins
        .iter()
        .map(|(p, g, state, count)| {
            let state = state.iter().map(Pin::view).collect::<Result<Vec<_>>>()?;
            let count = count.as_ref().map(Pin::view).transpose()?;
            Ok(OptimizerParam { param: p.view()?, grad: g.view()?, state, count })
        })
        .collect::<Result<Vec<_>>>()?;
    let rate = rate.as_ref().map(Pin::view).transpose()?;
    engine::current().launch(slots[0].param.device(), &Kernel::Optimizer { rule, rate, params })?;
    for (slot, copies) in slots.iter().zip(&work) {
        write_back(&slot.param, &copies.param)?;
        for (own, copy) in slot.state.iter().chain(&slot.count).zip(copies.state.iter().chain(&copies.count)) {
            write_back(own, copy)?;
        }
    }
    Ok(())
}

fn write_back(own: &Tensor, copy: &Tensor) -> Result<()> {
    if own.is_same(copy) { Ok(()) } else { ops::transfer::copy_data(own, copy) }
}

/// The common norm of all gradients, on the device of the first.
pub(crate) fn total_norm(grads: &[Tensor], p: f64) -> Result<Tensor> {
    let _no_grad = GradMode::set(false);
    let Some(first) = grads.first() else {
        return ops::create::zeros(&[], engine::current().settings.default_dtype(), Device::CPU);
    };
    let norms = grads
        .iter()
        .map(|g| {
            let norm = ops::reduce::norm(g, p, &[], false, rows::NORM.node)?;
            ops::transfer::to_device(&norm, first.device(), crate::trace::Why::To)
        })
        .collect::<Result<Vec<_>>>()?;
    ops::reduce::norm(&ops::shape::stack(&norms, 0)?, p, &[], false, rows::NORM.node)
}

/// `p.grad = None`, or zeros in place. A gradient that is set to zero leaves any graph that a backward pass with `create_graph`
/// has made.
///
/// # Errors
/// Those of `zero_`.
pub(crate) fn zero_grad(p: &Tensor, to_none: bool) -> Result<()> {
    if to_none {
        p.set_grad(None);
    } else if let Some(g) = p.grad() {
        let g = if g.requires_grad() { g.detach() } else { g };
        super::arith::zero_(&g)?;
        p.set_grad(Some(g));
    }
    Ok(())
}

/// `torch.nn.utils.clip_grad_norm_`: scales the gradients so that their common norm is at most `limit`, and returns the norm
/// before scaling.
///
/// # Errors
/// With `error_if_nonfinite`, a norm that isn't finite.
pub fn clip_grad_norm_(grads: &[Tensor], limit: f64, p: f64, error_if_nonfinite: bool) -> Result<Tensor> {
    let _no_grad = GradMode::set(false);
    let total = total_norm(grads, p)?;
    if error_if_nonfinite && !ops::transfer::item(&total, crate::trace::Why::Item)?.as_f64().is_finite() {
        return Err(Error::runtime(format!(
            "The total norm of order {p:?} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )));
    }
    let shifted = ops::binary(BinaryOp::Add, &(&total).into(), &1e-6.into())?;
    let scale = ops::binary(BinaryOp::Div, &limit.into(), &shifted.into())?;
    let scale = ops::arith::clamp(&scale, None, Some(1.0.into()))?;
    for g in grads {
        let here = ops::transfer::to_device(&scale, g.device(), crate::trace::Why::To)?;
        ops::binary_(BinaryOp::Mul, g, &here.into())?;
    }
    Ok(total)
}
