//! Optimizer steps: one dispatch for each parameter, and one more if the device counts its steps, all in one
//! submission.

use super::{Sink, WORKGROUP, floating};
use crate::dtype::DType;
use crate::executor::webgpu::launch::Launch;
use crate::executor::webgpu::source;
use crate::executor::{Done, Fault, OptimizerParam, OptimizerRule, View};

pub(super) fn step(
    sink: &dyn Sink,
    rule: OptimizerRule,
    rate: Option<&View<'_>>,
    params: &[OptimizerParam<'_>],
) -> Done {
    rule.counts(rate, params)?;
    for param in params {
        floating(param.param.dtype, "optimizer")?;
        let mut l = Launch::new(&source::OPTIMIZER);
        l.write("param", &param.param, DType::F32);
        l.read("grad", &param.grad, DType::F32);
        if let Some(count) = &param.count {
            l.read("count", count, DType::F32);
        }
        match rate {
            Some(rate) => {
                l.set("RATE", "given_rate");
                l.read("rate", rate, DType::F32);
            }
            None => l.set("RATE", "p_lr"),
        }
        describe(&mut l, rule, &param.state)?;
        l.threads(param.param.numel(), WORKGROUP);
        sink.dispatch(l)?;
        // In a separate dispatch, because every workgroup of the previous one must read the old count.
        if let Some(count) = &param.count {
            let mut l = Launch::new(&source::OPTIMIZER);
            l.entry = "main_count";
            l.write("count", count, DType::F32);
            l.workgroups(1, 1);
            sink.dispatch(l)?;
        }
    }
    Ok(())
}

fn describe<'a>(l: &mut Launch<'a>, rule: OptimizerRule, state: &[View<'a>]) -> Done {
    let states = |l: &mut Launch<'a>, names: &[&'static str]| {
        for (i, &name) in names.iter().enumerate() {
            let view = state.get(i).ok_or_else(|| Fault::Unsupported(format!("an optimizer step without {name}")))?;
            l.write(name, view, DType::F32);
        }
        Ok(())
    };
    let direction = |l: &mut Launch<'a>, maximize: bool| l.f32("direction", if maximize { -1.0 } else { 1.0 });
    match rule {
        OptimizerRule::Sgd { lr, momentum, dampening, weight_decay, nesterov, maximize, first } => {
            direction(l, maximize);
            l.f32("lr", lr);
            l.f32("weight_decay", weight_decay);
            if momentum == 0.0 {
                l.set("RULE", "sgd");
                return Ok(());
            }
            l.set("RULE", if first { "sgd_momentum_first" } else { "sgd_momentum" });
            states(l, &["momentum"])?;
            l.f32("keep", momentum);
            l.f32("take", 1.0 - dampening);
            l.f32("gradient_share", if nesterov { 1.0 } else { 0.0 });
            l.f32("buffer_share", if nesterov { momentum } else { 1.0 });
        }
        OptimizerRule::Adam { lr, beta1, beta2, eps, weight_decay, amsgrad, maximize, decoupled, step } => {
            direction(l, maximize);
            if amsgrad {
                l.set("RULE", "adam_amsgrad");
                states(l, &["exp_avg", "exp_avg_sq", "max_exp_avg_sq"])?;
            } else {
                l.set("RULE", "adam");
                states(l, &["exp_avg", "exp_avg_sq"])?;
            }
            l.f32("weight_decay", if decoupled { 0.0 } else { weight_decay });
            l.f32("one_minus_beta1", 1.0 - beta1);
            l.f32("beta2", beta2);
            l.f32("one_minus_beta2", 1.0 - beta2);
            l.f32("eps", eps);
            match step {
                Some(step) => {
                    let step = step as f64;
                    l.set("SHRINK", "p_shrink");
                    l.set("STEP_SIZE", "p_step_size");
                    l.set("CORRECTION", "p_correction");
                    l.f32("shrink", if decoupled { 1.0 - lr * weight_decay } else { 1.0 });
                    l.f32("step_size", lr / (1.0 - beta1.powf(step)));
                    l.f32("correction", (1.0 - beta2.powf(step)).sqrt());
                }
                None => {
                    l.set("SHRINK", "counted_shrink");
                    l.set("STEP_SIZE", "counted_step_size");
                    l.set("CORRECTION", "counted_correction");
                    l.f32("lr", lr);
                    l.f32("decoupled_decay", if decoupled { weight_decay } else { 0.0 });
                    // This stays finite if a beta is 0, and its powers are small enough.
                    l.f32("log_beta1", beta1.ln().max(-1e4));
                    l.f32("log_beta2", beta2.ln().max(-1e4));
                }
            }
        }
        OptimizerRule::RmsProp { lr, alpha, eps, weight_decay, momentum, centered, maximize } => {
            direction(l, maximize);
            l.set("RULE", if momentum == 0.0 { "rmsprop" } else { "rmsprop_momentum" });
            l.set("SPREAD", if centered { "spread_centered" } else { "spread" });
            match (momentum != 0.0, centered) {
                (false, false) => states(l, &["square_avg"])?,
                (true, false) => states(l, &["square_avg", "momentum"])?,
                (false, true) => states(l, &["square_avg", "grad_avg"])?,
                (true, true) => states(l, &["square_avg", "momentum", "grad_avg"])?,
            }
            l.f32("lr", lr);
            l.f32("alpha", alpha);
            l.f32("one_minus_alpha", 1.0 - alpha);
            l.f32("eps", eps);
            l.f32("weight_decay", weight_decay);
            if momentum != 0.0 {
                l.f32("momentum", momentum);
            }
        }
        OptimizerRule::Adagrad { lr, eps, weight_decay, maximize } => {
            direction(l, maximize);
            l.set("RULE", "adagrad");
            states(l, &["sum"])?;
            l.f32("lr", lr);
            l.f32("eps", eps);
            l.f32("weight_decay", weight_decay);
        }
    }
    Ok(())
}
