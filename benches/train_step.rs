//! Time of one training step of a small network, without Python: 16 -> 64 -> 1 with relu, a batch of 64, mse_loss, Adam.
//!
//! Runs with events off and on by turns and prints the medians: `cargo bench --bench train_step`. The peer's figure is the
//! `plain` one of `benches/peers.py`.

use std::time::Instant;

use tensoryard::autograd::Pass;
use tensoryard::device::Device;
use tensoryard::dtype::DType;
use tensoryard::engine;
use tensoryard::error::Result;
use tensoryard::executor::{OptimizerRule, Reduction, UnaryOp};
use tensoryard::ops::nn::loss;
use tensoryard::ops::{self, matmul, optim, random};
use tensoryard::tensor::Tensor;

const STEPS: u64 = 2_000;
const ROUNDS: usize = 11;

struct Network {
    params: Vec<Tensor>,
    state: Vec<Vec<Tensor>>,
}

impl Network {
    fn new() -> Result<Network> {
        let mut params = Vec::new();
        for shape in [vec![64, 16], vec![64], vec![1, 64], vec![1]] {
            let p = random::randn(&shape, DType::F32, Device::CPU, None)?;
            let p = ops::binary(tensoryard::executor::BinaryOp::Mul, &p.into(), &0.1.into())?;
            p.set_requires_grad(true)?;
            params.push(p);
        }
        let state =
            params.iter().map(|p| Ok(vec![ops::zeros_like(p)?, ops::zeros_like(p)?])).collect::<Result<Vec<_>>>()?;
        Ok(Network { params, state })
    }

    fn loss(&self, x: &Tensor, y: &Tensor) -> Result<Tensor> {
        let p = &self.params;
        let hidden = ops::unary(UnaryOp::Relu, &matmul::linear(x, &p[0], Some(&p[1]))?)?;
        loss::mse(&matmul::linear(&hidden, &p[2], Some(&p[3]))?, y, Reduction::Mean)
    }

    fn adam(&self, step: u64) -> Result<()> {
        let slots: Vec<optim::Slot> = self
            .params
            .iter()
            .zip(&self.state)
            .filter_map(|(p, s)| Some(optim::Slot { param: p.clone(), grad: p.grad()?, state: s.clone(), count: None }))
            .collect();
        let rule = OptimizerRule::Adam {
            lr: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            weight_decay: 0.0,
            amsgrad: false,
            maximize: false,
            decoupled: false,
            step: Some(step),
        };
        optim::step(rule, None, &slots)
    }
}

/// Microseconds per step: forward, backward, Adam.
fn round(x: &Tensor, y: &Tensor) -> Result<[f64; 3]> {
    let network = Network::new()?;
    let trace = &engine::current().trace;
    let mut spent = [0u128; 3];
    for step in 1..=STEPS {
        let start = Instant::now();
        network.params.iter().for_each(|p| p.set_grad(None));
        let loss = network.loss(x, y)?;
        let forward = Instant::now();
        ops::backward(Pass { roots: &[loss], ..Pass::default() })?;
        let backward = Instant::now();
        network.adam(step)?;
        // A listener would take the events at intervals; here they are only dropped.
        if trace.pending() > 4096 {
            trace.drain();
        }
        spent[0] += (forward - start).as_nanos();
        spent[1] += (backward - forward).as_nanos();
        spent[2] += backward.elapsed().as_nanos();
    }
    Ok(spent.map(|n| n as f64 / 1000.0 / STEPS as f64))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<()> {
    let x = random::randn(&[64, 16], DType::F32, Device::CPU, None)?;
    let y = random::randn(&[64, 1], DType::F32, Device::CPU, None)?;
    let trace = &engine::current().trace;
    let mut rounds = [Vec::new(), Vec::new()];
    let mut parts: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        for on in [false, true] {
            trace.set_on(on);
            let spent = round(&x, &y)?;
            rounds[usize::from(on)].push(spent.iter().sum());
            if !on {
                parts.iter_mut().zip(spent).for_each(|(part, micros)| part.push(micros));
            }
            trace.drain();
        }
    }
    trace.set_on(false);
    let [off, on] = rounds.each_mut().map(|times| median(times));
    let [forward, backward, adam] = parts.each_mut().map(|times| median(times));
    println!("step_us {off:.2}");
    println!("step_events_us {on:.2}");
    println!("events_percent {:.1}", (on / off - 1.0) * 100.0);
    println!("forward_us {forward:.2}\nbackward_us {backward:.2}\nadam_us {adam:.2}");
    let one = ops::create::zeros(&[1], DType::F32, Device::CPU)?;
    let begin = Instant::now();
    for _ in 0..200_000 {
        std::hint::black_box(ops::add(&one, &one)?);
    }
    println!("add_one_element_ns {:.0}", begin.elapsed().as_secs_f64() * 1e9 / 200_000.0);
    Ok(())
}
