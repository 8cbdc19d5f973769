//! Optimizer steps: all parameters of a step in one launch.

use super::super::launch::{Launch, address, cpp};
use super::super::source;
use super::{Sink, float_only};
use crate::dtype::DType;
use crate::executor::{Done, Fault, OptimizerParam, OptimizerRule, View};

/// How many elements a block updates at one time (`CHUNK` of the shader).
const CHUNK: usize = 2048;

/// Words of an `Entry`.
const ENTRY: usize = 8;

/// The rule's type in `shaders/optimizer.cu`, its numbers, and its number of state tensors.
fn named(rule: OptimizerRule) -> (String, Vec<f64>, usize) {
    let sign = |maximize: bool| if maximize { -1.0 } else { 1.0 };
    match rule {
        OptimizerRule::Sgd { lr, momentum, dampening, weight_decay, nesterov, maximize, first } => {
            let moving = momentum != 0.0;
            let name = format!("Sgd<{moving},{},{}>", nesterov && moving, first && moving);
            (name, vec![-lr, momentum, 1.0 - dampening, weight_decay, sign(maximize)], moving as usize)
        }
        OptimizerRule::Adam { lr, beta1, beta2, eps, weight_decay, amsgrad, maximize, decoupled, step } => {
            // If the device counts the steps, it also computes what depends on that count.
            let step = step.map_or(f64::NAN, |step| step as f64);
            let correction1 = 1.0 - beta1.powf(step);
            let correction2 = (1.0 - beta2.powf(step)).sqrt();
            let shrink = if decoupled { 1.0 - lr * weight_decay } else { 1.0 };
            let decay = if decoupled { 0.0 } else { weight_decay };
            let numbers = vec![
                -lr / correction1,
                1.0 - beta1,
                beta2,
                1.0 - beta2,
                correction2,
                eps,
                shrink,
                decay,
                sign(maximize),
                beta1,
                if decoupled { weight_decay } else { 0.0 },
            ];
            (format!("Adam<{amsgrad}>"), numbers, 2 + amsgrad as usize)
        }
        OptimizerRule::RmsProp { lr, alpha, eps, weight_decay, momentum, centered, maximize } => {
            let moving = momentum != 0.0;
            let numbers = vec![-lr, alpha, 1.0 - alpha, eps, momentum, weight_decay, sign(maximize)];
            (format!("RmsProp<{moving},{centered}>"), numbers, 1 + moving as usize + centered as usize)
        }
        OptimizerRule::Adagrad { lr, eps, weight_decay, maximize } => {
            ("Adagrad".into(), vec![-lr, eps, weight_decay, sign(maximize)], 1)
        }
    }
}

pub(super) fn step(
    rule: OptimizerRule,
    rate: Option<&View<'_>>,
    params: &[OptimizerParam<'_>],
    sink: &dyn Sink,
) -> Done {
    let counted = rule.counts(rate, params)?;
    let (name, mut numbers, states) = named(rule);
    numbers.resize(11, 0.0);
    numbers.push(rule.lr());
    let rate = rate.map(address).transpose()?.unwrap_or(0);
    let mut kinds: Vec<[DType; 3]> = Vec::new();
    let kind =
        |p: &OptimizerParam<'_>| [p.param.dtype, p.grad.dtype, p.state.first().map_or(p.param.dtype, |s| s.dtype)];
    for p in params {
        float_only("optimizer_step", p.param.dtype)?;
        if p.state.len() < states {
            return Err(Fault::Unsupported(format!("an optimizer step with fewer than {states} states")));
        }
        let n = p.param.numel();
        if p.grad.numel() != n || p.state.iter().any(|s| s.numel() != n) {
            return Err(Fault::Unsupported("an optimizer step over different shapes".into()));
        }
        let kind = kind(p);
        if p.state.iter().any(|s| s.dtype != kind[2]) {
            return Err(Fault::Unsupported("an optimizer step with states of several dtypes".into()));
        }
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    // One launch for all parameters with the same dtypes: nearly always one launch.
    for k in kinds {
        let mut table: Vec<u64> = Vec::with_capacity(params.len() * ENTRY + 1);
        let (mut chunks, mut tensors) = (0, 0);
        // A parameter without elements still has its steps counted.
        for p in params.iter().filter(|p| kind(p) == k && (p.param.numel() > 0 || counted)) {
            let n = p.param.numel();
            table.extend([address(&p.param)?, address(&p.grad)?]);
            for i in 0..3 {
                table.push(p.state.get(i).map(address).transpose()?.unwrap_or(0));
            }
            table.extend([n as u64, chunks as u64]);
            table.push(p.count.as_ref().map(address).transpose()?.unwrap_or(0));
            chunks += n.div_ceil(CHUNK);
            tensors += 1;
        }
        if tensors == 0 {
            continue;
        }
        // After the entries: how many blocks are done.
        table.push(0);
        let entries = sink.table(&table)?;
        let done = entries + 8 * (tensors * ENTRY) as u64;
        let rule: Vec<u64> = numbers.iter().map(|v| v.to_bits()).collect();
        let mut l = Launch::new(&source::OPTIMIZER, "optimizer");
        l.instance(format_args!("{name},{},{},{},{counted}", cpp(k[0]), cpp(k[1]), cpp(k[2])));
        l.word(entries).int(tensors).int(chunks).words(&rule).word(rate).word(done).blocks(chunks as u64);
        sink.dispatch(l)?;
    }
    Ok(())
}
