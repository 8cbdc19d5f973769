//! Kernels that draw from the CUDA generator.

use super::super::launch::{Launch, Number, cpp};
use super::super::source;
use super::{Sink, float_only};
use crate::executor::{Done, Draw, Philox, View};
use crate::rng::philox::random_pairs;

pub(super) fn random(draw: Draw, philox: Philox, out: &View<'_>, sink: &dyn Sink) -> Done {
    let n = out.numel();
    if n == 0 {
        return Ok(());
    }
    let real = |values: [f64; 2]| values.map(Number::from);
    let (name, numbers) = match draw {
        Draw::Uniform { from, to } => ("Uniform", real([from, to])),
        Draw::Normal { mean, std } => ("Normal", real([mean, std])),
        Draw::Exponential { lambda } => ("Exponential", real([lambda, 0.0])),
        Draw::Bernoulli { p } => ("Bernoulli", real([p, 0.0])),
        Draw::Dropout { p } => ("Dropout", real([1.0 - p, 1.0 / (1.0 - p)])),
        Draw::Integers { base, range } => {
            let name = if random_pairs(range) == 2 { "WideIntegers" } else { "Integers" };
            (name, [Number::from(base), Number::from(range as i64)])
        }
    };
    if matches!(draw, Draw::Uniform { .. } | Draw::Normal { .. } | Draw::Exponential { .. }) {
        float_only("random", out.dtype)?;
    }
    let groups = match draw {
        Draw::Dropout { .. } if n.is_multiple_of(4) => 4,
        Draw::Dropout { .. } if n.is_multiple_of(2) => 2,
        _ => 0,
    };
    let mut l = Launch::new(&source::RANDOM, if groups > 0 { "dropout_groups" } else { "draw" });
    if groups > 0 {
        l.instance(format_args!("{},{groups}", cpp(out.dtype)));
    } else {
        l.instance(format_args!("{name},{}", cpp(out.dtype)));
    }
    l.view(out).int(n).philox(philox).numbers(&numbers);
    // PyTorch's assignment of counters to elements needs exactly this grid.
    l.grid[0] = (philox.threads(n) / 256) as u32;
    sink.dispatch(l)
}
