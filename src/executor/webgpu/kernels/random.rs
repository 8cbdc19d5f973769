//! Kernels that draw from PyTorch's CUDA generator.

use super::{Sink, WORKGROUP, floating, missing};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::Launch;
use crate::executor::webgpu::source;
use crate::executor::{Done, Draw, Philox, View};

/// An integer from a range of this size or more takes two draws.
const WIDE: u64 = 1 << 28;

pub(super) fn random(sink: &dyn Sink, draw: Draw, philox: Philox, out: &View<'_>) -> Done {
    let n = out.numel();
    if out.dtype == DType::F64 {
        return Err(missing("random", out.dtype));
    }
    let mut l = Launch::new(&source::RANDOM);
    l.scalar("counter", Scalar::Int((philox.offset / 4) as i64), DType::I64);
    l.scalar("seed", Scalar::Int(philox.seed as i64), DType::I64);
    let mut seen_as = DType::F32;
    let mut per = 4;
    let mut side_by_side = false;
    match draw {
        Draw::Uniform { from, to } => {
            floating(out.dtype, "uniform")?;
            l.set("DRAW", "uniform_draw");
            l.set(
                "ROUND",
                match out.dtype {
                    DType::F16 => "round_f16",
                    DType::BF16 => "round_bf16",
                    _ => "exact",
                },
            );
            l.f32("low", from);
            l.f32("to", to);
        }
        Draw::Normal { mean, std } => {
            floating(out.dtype, "normal")?;
            l.set("DRAW", "normal");
            l.f32("mean", mean);
            l.f32("std", std);
        }
        Draw::Bernoulli { p } => {
            l.set("DRAW", "bernoulli");
            l.f32("keep", p);
        }
        Draw::Exponential { lambda } => {
            floating(out.dtype, "exponential")?;
            l.set("DRAW", "exponential");
            l.f32("lambda", lambda);
        }
        Draw::Integers { base, range } => {
            let wide = range == 0 || range >= WIDE;
            per = if wide { 2 } else { 4 };
            l.set("DRAW", if wide { "wide_integers" } else { "integers" });
            l.scalar("start", Scalar::Int(base), DType::I64);
            l.scalar("range", Scalar::Int(range as i64), DType::I64);
            seen_as = DType::I64;
        }
        Draw::Dropout { p } => {
            side_by_side = n.is_multiple_of(2);
            if side_by_side {
                per = if n.is_multiple_of(4) { 4 } else { 2 };
                l.entry = "main_side_by_side";
            } else {
                l.set("DRAW", "dropout");
            }
            l.f32("keep", 1.0 - p);
            l.f32("scale", if p < 1.0 { 1.0 / (1.0 - p) } else { 0.0 });
        }
    }
    l.set_number("PER", per as u32);
    l.write("out", out, seen_as);
    let threads = (philox.threads(n) as usize).max(1);
    l.u32("threads", threads);
    let invocations = if side_by_side {
        n / per
    } else {
        // The last iteration may not need all threads or all components.
        let whole = n / (threads * per);
        whole * threads + (n - whole * threads * per).min(threads)
    };
    if !side_by_side {
        l.u32("length", n);
    }
    l.threads(invocations, WORKGROUP);
    sink.dispatch(l)
}
