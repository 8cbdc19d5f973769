//! What kernels compute: the functions that a kernel applies to each element or line, and their parameters.

use super::{OptimizerParam, View};
use crate::dtype::{DType, Scalar};
use crate::executor::{Done, Fault};
use crate::functions::{binary_functions, functions_enum, reductions, ternary_functions, unary_functions};

/// Functions with their names: `Variant { parameter: type } = "name"`.
macro_rules! operations {
    ($(#[$about:meta])* pub enum $Op:ident { $(
        $(#[$doc:meta])*
        $variant:ident $({ $($parameter:ident: $ty:ty),* $(,)? })? = $name:literal
    ),* $(,)? }) => {
        $(#[$about])*
        pub enum $Op { $(
            $(#[$doc])*
            $variant $({ $($parameter: $ty),* })?,
        )* }

        impl $Op {
            /// The name in the trace and in shader files.
            pub fn name(&self) -> &'static str {
                match self { $($Op::$variant { .. } => $name,)* }
            }
        }
    };
}

unary_functions!(functions_enum);
binary_functions!(functions_enum);
ternary_functions!(functions_enum);
reductions!(functions_enum);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanOp {
    Sum,
    Prod,
    Max,
    Min,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScatterOp {
    Set,
    Add,
    Mul,
    Max,
    Min,
}

/// What [`Kernel::Pick`](super::Kernel::Pick) picks of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The `k` largest (NaN first) or smallest (NaN last); in order if `sorted`.
    Top { k: usize, largest: bool, sorted: bool },
    /// The smallest but `k`, as `kthvalue` finds it.
    Kth(usize),
    /// The smallest but `k`, where equal elements stay in their order.
    Rank(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    None,
    Mean,
    Sum,
}

/// Each pair is (height, width).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv2d {
    pub stride: [usize; 2],
    pub padding: [usize; 2],
    pub dilation: [usize; 2],
    pub groups: usize,
}

/// Each pair is (height, width). Padding counts as minus infinity for max, as 0 for average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool2d {
    pub kernel: [usize; 2],
    pub stride: [usize; 2],
    pub padding: [usize; 2],
    pub dilation: [usize; 2],
    /// Average only: count padding in the divisor.
    pub count_include_pad: bool,
    /// Average only: used as the divisor instead of the window's size. Not 0.
    pub divisor: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// In [from, to).
    Uniform {
        from: f64,
        to: f64,
    },
    Normal {
        mean: f64,
        std: f64,
    },
    /// 1 with probability p.
    Bernoulli {
        p: f64,
    },
    /// Integers `base .. base + range`; a range of 2^28 and above takes 64 bits.
    Integers {
        base: i64,
        range: u64,
    },
    /// Exponential with rate lambda.
    Exponential {
        lambda: f64,
    },
    /// A dropout mask, scaled: `1 / (1 - p)` with probability `1 - p`, else 0 (vectorized by 4 when the count allows).
    Dropout {
        p: f64,
    },
}

operations! {
/// The update rules of PyTorch's optimizers, single-tensor formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptimizerRule {
    /// `state[0]` is the momentum buffer if `momentum != 0`; on the `first` step it is set to the gradient.
    Sgd { lr: f64, momentum: f64, dampening: f64, weight_decay: f64, nesterov: bool, maximize: bool, first: bool } = "sgd_step",
    /// `state` is exp_avg, exp_avg_sq and, with `amsgrad`, max_exp_avg_sq. `decoupled` is AdamW. `step` counts from 1;
    /// if it's missing, each parameter has its own count.
    Adam {
        lr: f64,
        beta1: f64,
        beta2: f64,
        eps: f64,
        weight_decay: f64,
        amsgrad: bool,
        maximize: bool,
        decoupled: bool,
        step: Option<u64>,
    } = "adam_step",
    /// `state` is square_avg, then momentum_buffer if `momentum != 0`, then grad_avg if `centered`.
    RmsProp { lr: f64, alpha: f64, eps: f64, weight_decay: f64, momentum: f64, centered: bool, maximize: bool }
        = "rmsprop_step",
    /// `state` is sum. `lr` already includes the decay.
    Adagrad { lr: f64, eps: f64, weight_decay: f64, maximize: bool } = "adagrad_step",
}
}

impl OptimizerRule {
    /// The learning rate.
    pub fn lr(&self) -> f64 {
        match *self {
            OptimizerRule::Sgd { lr, .. }
            | OptimizerRule::Adam { lr, .. }
            | OptimizerRule::RmsProp { lr, .. }
            | OptimizerRule::Adagrad { lr, .. } => lr,
        }
    }

    /// Whether the steps of all of `params` are counted in the device's memory.
    ///
    /// # Errors
    /// A count that the rule or another parameter doesn't have; a rate in memory without a count; no step number at all; or
    /// a count or rate that isn't one f32.
    pub fn counts(&self, rate: Option<&View<'_>>, params: &[OptimizerParam<'_>]) -> Done<bool> {
        let counted = params.iter().filter(|p| p.count.is_some()).count();
        let scalars = params.iter().filter_map(|p| p.count.as_ref()).chain(rate);
        let wrong = match self {
            OptimizerRule::Sgd { .. } | OptimizerRule::Adagrad { .. } => counted > 0 || rate.is_some(),
            OptimizerRule::Adam { step, .. } => step.is_some() == (counted > 0),
            OptimizerRule::RmsProp { .. } => false,
        };
        let some = counted != 0 && counted != params.len() || counted == 0 && rate.is_some();
        if (wrong || some) && !params.is_empty() || scalars.into_iter().any(|v| v.dtype != DType::F32 || v.numel() != 1)
        {
            return Err(Fault::Unsupported("an optimizer step counted like this".into()));
        }
        Ok(counted > 0)
    }
}
