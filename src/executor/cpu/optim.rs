//! Optimizer steps, with the same operations in the same order as the `_single_tensor_*` functions of `torch.optim`, so that
//! the results have the same digits.

use super::dense::Output;
use super::element::with_float;
use super::real::Real;
use super::simd::{GRAIN, Shared, parallel, vectorize};
use crate::executor::{Done, Fault, OptimizerParam, OptimizerRule, View};

pub(super) fn step(rule: OptimizerRule, rate: Option<&View<'_>>, params: &[OptimizerParam<'_>]) -> Done {
    rule.counts(rate, params)?;
    let rule = match rate {
        Some(rate) => with_rate(rule, f64::from(super::dense::read_view::<f32>(rate)?[0])),
        None => rule,
    };
    let needed = states(&rule);
    if params.iter().any(|p| p.state.len() < needed) {
        return Err(Fault::Unsupported(format!("an optimizer step with fewer than {needed} states")));
    }
    for param in params {
        let mut count = param.count.as_ref().map(Output::<f32>::updated).transpose()?;
        if let Some(count) = &mut count {
            count[0] += 1.0;
        }
        let number = match (rule, &count) {
            (OptimizerRule::Adam { step: Some(step), .. }, _) => step as f64,
            (_, Some(count)) => f64::from(count[0]),
            // No other rule uses this value.
            _ => 0.0,
        };
        with_float!(param.param.dtype, "optimizer_step", C => update::<C>(rule, number, param))?;
        if let Some(count) = count {
            count.finish();
        }
    }
    Ok(())
}

/// The same rule with another learning rate.
fn with_rate(mut rule: OptimizerRule, rate: f64) -> OptimizerRule {
    match &mut rule {
        OptimizerRule::Sgd { lr, .. }
        | OptimizerRule::Adam { lr, .. }
        | OptimizerRule::RmsProp { lr, .. }
        | OptimizerRule::Adagrad { lr, .. } => *lr = rate,
    }
    rule
}

/// How many state tensors a rule has for each parameter.
fn states(rule: &OptimizerRule) -> usize {
    match *rule {
        OptimizerRule::Sgd { momentum, .. } => (momentum != 0.0) as usize,
        OptimizerRule::Adam { amsgrad, .. } => 2 + amsgrad as usize,
        OptimizerRule::RmsProp { momentum, centered, .. } => 1 + (momentum != 0.0) as usize + centered as usize,
        OptimizerRule::Adagrad { .. } => 1,
    }
}

/// One step for one parameter. `number` is the number of the step, counted from 1.
///
/// # Errors
/// The gradient or a state has another shape than the parameter, or a dtype doesn't fit.
fn update<C: Real>(rule: OptimizerRule, number: f64, param: &OptimizerParam<'_>) -> Done {
    let mut p = Output::<C>::updated(&param.param)?;
    let g = super::dense::read_view::<C>(&param.grad)?;
    let mut state = param.state.iter().map(Output::<C>::updated).collect::<Done<Vec<_>>>()?;
    let n = p.len();
    if g.len() != n || state.iter().any(|s| s.len() != n) {
        return Err(Fault::Unsupported("an optimizer step over different shapes".into()));
    }
    let parameter = Shared::new(&mut p);
    let states: [Shared<C>; 3] =
        std::array::from_fn(|k| state.get_mut(k).map_or(Shared::from_ptr(std::ptr::null_mut()), |s| Shared::new(s)));
    let kept = state.len();
    parallel(n, GRAIN, |range| {
        let g = &g[range.clone()];
        // SAFETY: each thread has its own range; a missing state is an empty slice.
        let p = unsafe { parameter.slice(range.clone()) };
        let [s0, s1, s2]: [&mut [C]; 3] =
            std::array::from_fn(|k| if k < kept { unsafe { states[k].slice(range.clone()) } } else { &mut [] });
        vectorize(
            #[inline(always)]
            || apply(rule, number, p, g, s0, s1, s2),
        );
    });
    state.into_iter().for_each(Output::finish);
    p.finish();
    Ok(())
}

#[inline(always)]
fn apply<C: Real>(rule: OptimizerRule, number: f64, p: &mut [C], g: &[C], s0: &mut [C], s1: &mut [C], s2: &mut [C]) {
    match rule {
        OptimizerRule::Sgd { lr, momentum, dampening, weight_decay, nesterov, maximize, first } => {
            let sign = C::of(if maximize { -1.0 } else { 1.0 });
            let (decay, rate) = (C::of(weight_decay), C::of(-lr));
            let (momentum, fresh) = (C::of(momentum), C::of(1.0 - dampening));
            if s0.is_empty() {
                for (p, g) in p.iter_mut().zip(g) {
                    let g = decay.fma(*p, sign * *g);
                    *p = rate.fma(g, *p);
                }
                return;
            }
            for ((p, g), buf) in p.iter_mut().zip(g).zip(s0) {
                let g = decay.fma(*p, sign * *g);
                *buf = if first { g } else { fresh.fma(g, *buf * momentum) };
                let g = if nesterov { momentum.fma(*buf, g) } else { *buf };
                *p = rate.fma(g, *p);
            }
        }
        OptimizerRule::Adam { lr, beta1, beta2, eps, weight_decay, amsgrad, maximize, decoupled, .. } => {
            let correction1 = 1.0 - beta1.powf(number);
            let correction2 = C::of((1.0 - beta2.powf(number)).sqrt());
            let rate = C::of(-lr / correction1);
            let sign = C::of(if maximize { -1.0 } else { 1.0 });
            let shrink = C::of(if decoupled { 1.0 - lr * weight_decay } else { 1.0 });
            let decay = C::of(if decoupled { 0.0 } else { weight_decay });
            let (weight, beta2, rest) = (C::of(1.0 - beta1), C::of(beta2), C::of(1.0 - beta2));
            // `torch.lerp` has two formulas, for weights below 0.5 and for others.
            let near = 1.0 - beta1 < 0.5;
            let far = C::of(1.0) - weight;
            let eps = C::of(eps);
            if amsgrad {
                for ((((p, g), m), v), top) in p.iter_mut().zip(g).zip(s0).zip(s1).zip(s2) {
                    *p = *p * shrink;
                    let g = decay.fma(*p, sign * *g);
                    *m = if near { *m + weight * (g - *m) } else { g - (g - *m) * far };
                    *v = *v * beta2 + rest * g * g;
                    *top = top.maximum(*v);
                    *p = *p + rate * *m / (top.sqrt() / correction2 + eps);
                }
            } else {
                for (((p, g), m), v) in p.iter_mut().zip(g).zip(s0).zip(s1) {
                    *p = *p * shrink;
                    let g = decay.fma(*p, sign * *g);
                    *m = if near { *m + weight * (g - *m) } else { g - (g - *m) * far };
                    *v = *v * beta2 + rest * g * g;
                    *p = *p + rate * *m / (v.sqrt() / correction2 + eps);
                }
            }
        }
        OptimizerRule::RmsProp { lr, alpha, eps, weight_decay, momentum, centered, maximize } => {
            let sign = C::of(if maximize { -1.0 } else { 1.0 });
            let (decay, rate) = (C::of(weight_decay), C::of(-lr));
            let (keep, rest) = (C::of(alpha), C::of(1.0 - alpha));
            // The two formulas of `torch.lerp` again.
            let near = 1.0 - alpha < 0.5;
            let far = C::of(1.0) - rest;
            let (eps, inertia) = (C::of(eps), C::of(momentum));
            let moving = momentum != 0.0;
            // Without momentum there's no buffer, so the average is the second state.
            let (buffers, averages) = if moving { (s1, s2) } else { (s2, s1) };
            for i in 0..p.len() {
                let g = decay.fma(p[i], sign * g[i]);
                s0[i] = s0[i] * keep + rest * g * g;
                let mut square = s0[i];
                if centered {
                    let mean = averages[i];
                    let mean = if near { mean + rest * (g - mean) } else { g - (g - mean) * far };
                    averages[i] = mean;
                    square = square - mean * mean;
                }
                let root = square.sqrt() + eps;
                if moving {
                    buffers[i] = buffers[i] * inertia + g / root;
                    p[i] = rate.fma(buffers[i], p[i]);
                } else {
                    p[i] = p[i] + rate * g / root;
                }
            }
        }
        OptimizerRule::Adagrad { lr, eps, weight_decay, maximize } => {
            let sign = C::of(if maximize { -1.0 } else { 1.0 });
            let (decay, rate, eps) = (C::of(weight_decay), C::of(-lr), C::of(eps));
            for ((p, g), sum) in p.iter_mut().zip(g).zip(s0) {
                let g = decay.fma(*p, sign * *g);
                *sum = *sum + g * g;
                *p = *p + rate * g / (sum.sqrt() + eps);
            }
        }
    }
}
