//! What kernels compute: the functions that a kernel applies to each element or line, and their parameters.

use super::{OptimizerParam, View};
use crate::dtype::{DType, Scalar};
use crate::executor::{Done, Fault};

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

            /// Those without parameters, for tests that try every function.
            #[cfg(test)]
            #[allow(dead_code)]
            pub(crate) fn plain() -> Vec<$Op> {
                [$(operations!(@plain $Op $variant $({ $($parameter)* })?)),*].into_iter().flatten().collect()
            }
        }
    };
    (@plain $Op:ident $variant:ident) => { Some($Op::$variant) };
    (@plain $Op:ident $variant:ident { $($parameter:ident)* }) => { None };
}

operations! {
/// Elementwise functions of one value. Numbers inside are parameters, not operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnaryOp {
    Neg = "neg",
    Abs = "abs",
    Sign = "sign",
    Exp = "exp",
    Exp2 = "exp2",
    Expm1 = "expm1",
    Log = "log",
    Log2 = "log2",
    Log10 = "log10",
    Log1p = "log1p",
    Sqrt = "sqrt",
    Rsqrt = "rsqrt",
    Reciprocal = "reciprocal",
    Square = "square",
    Sin = "sin",
    Cos = "cos",
    Tan = "tan",
    Asin = "asin",
    Acos = "acos",
    Atan = "atan",
    Sinh = "sinh",
    Cosh = "cosh",
    Tanh = "tanh",
    Asinh = "asinh",
    Acosh = "acosh",
    Atanh = "atanh",
    Erf = "erf",
    Erfc = "erfc",
    Erfinv = "erfinv",
    Lgamma = "lgamma",
    Digamma = "digamma",
    Sigmoid = "sigmoid",
    LogSigmoid = "log_sigmoid",
    Relu = "relu",
    /// `x * Phi(x)`, by erf.
    Gelu = "gelu",
    /// The tanh approximation.
    GeluTanh = "gelu_tanh",
    Silu = "silu",
    Mish = "mish",
    Hardswish = "hardswish",
    Hardsigmoid = "hardsigmoid",
    Softsign = "softsign",
    Softplus { beta: f64, threshold: f64 } = "softplus",
    /// `scale * (x > 0 ? x : alpha * expm1(input_scale * x))`; covers elu, selu and celu.
    Elu { alpha: f64, scale: f64, input_scale: f64 } = "elu",
    LeakyRelu { slope: f64 } = "leaky_relu",
    /// `x > threshold ? x : value`.
    Threshold { threshold: f64, value: f64 } = "threshold",
    /// A missing bound is infinite; NaN stays NaN.
    Clamp { min: Option<Scalar>, max: Option<Scalar> } = "clamp",
    Floor = "floor",
    Ceil = "ceil",
    /// Half to even.
    Round = "round",
    Trunc = "trunc",
    Frac = "frac",
    IsNan = "isnan",
    IsInf = "isinf",
    IsFinite = "isfinite",
    LogicalNot = "logical_not",
    /// Bitwise; logical for bool.
    BitwiseNot = "bitwise_not",
    NanToNum { nan: f64, posinf: f64, neginf: f64 } = "nan_to_num",
}
}

operations! {
/// Elementwise functions of two values. Comparisons write bool (or any dtype as 0 and 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    /// True division; `compute` is a float dtype.
    Div = "div",
    /// Rounds towards minus infinity, as Python's `//`.
    FloorDiv = "floor_divide",
    /// Rounds towards zero.
    TruncDiv = "trunc_divide",
    /// Sign of the divisor, as Python's `%`.
    Remainder = "remainder",
    /// Sign of the dividend, as C's `fmod`.
    Fmod = "fmod",
    Pow = "pow",
    /// NaN wins.
    Maximum = "maximum",
    Minimum = "minimum",
    /// NaN loses.
    Fmax = "fmax",
    Fmin = "fmin",
    Atan2 = "atan2",
    Hypot = "hypot",
    /// `a + alpha * b`.
    Axpy { alpha: Scalar } = "axpy",
    Eq = "eq",
    Ne = "ne",
    Lt = "lt",
    Le = "le",
    Gt = "gt",
    Ge = "ge",
    LogicalAnd = "logical_and",
    LogicalOr = "logical_or",
    LogicalXor = "logical_xor",
    BitAnd = "bitwise_and",
    BitOr = "bitwise_or",
    BitXor = "bitwise_xor",
    Shl = "shift_left",
    Shr = "shift_right",
    /// `(a - b)^2`: mse_loss.
    SquaredDifference = "squared_difference",
    /// `|a - b|`: l1_loss.
    AbsDifference = "abs_difference",
    SmoothL1 { beta: f64 } = "smooth_l1",
    Huber { delta: f64 } = "huber",
    /// Of a probability `a` and a target `b`; logarithms are clamped at -100.
    BinaryCrossEntropy = "binary_cross_entropy",
    /// Of a logit `a` and a target `b`.
    BinaryCrossEntropyWithLogits = "binary_cross_entropy_with_logits",
    // What follows takes the incoming gradient as `a` and a saved value as `b`.
    /// `b` is the output.
    SigmoidBackward = "sigmoid_backward",
    /// `b` is the output.
    TanhBackward = "tanh_backward",
    /// `b > threshold ? a : 0`; for relu `b` may be the output.
    ThresholdBackward { threshold: f64 } = "threshold_backward",
    GeluBackward = "gelu_backward",
    GeluTanhBackward = "gelu_tanh_backward",
    SiluBackward = "silu_backward",
    MishBackward = "mish_backward",
    HardswishBackward = "hardswish_backward",
    HardsigmoidBackward = "hardsigmoid_backward",
    LogSigmoidBackward = "log_sigmoid_backward",
    SoftplusBackward { beta: f64, threshold: f64 } = "softplus_backward",
    /// `b` is the input.
    EluBackward { alpha: f64, scale: f64, input_scale: f64 } = "elu_backward",
    LeakyReluBackward { slope: f64 } = "leaky_relu_backward",
    /// `min < b < max ? a : 0` (0 at the edges, as PyTorch 2.15).
    ClampBackward { min: Option<Scalar>, max: Option<Scalar> } = "clamp_backward",
}
}

operations! {
/// Elementwise functions of three values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TernaryOp {
    /// `a ? b : c`; `a` is read as bool, `b` and `c` in the compute dtype.
    Where = "where",
    /// `a + c * (b - a)`, in PyTorch's two branches (`|c| < 0.5`).
    Lerp = "lerp",
    /// `a + value * b * c`.
    Addcmul { value: Scalar } = "addcmul",
    /// `a + value * b / c`.
    Addcdiv { value: Scalar } = "addcdiv",
    /// `min(max(a, b), c)`, NaN winning.
    Clamp = "clamp_tensor",
    // The incoming gradient is `a`, the loss's input `b`, its target `c`; `factor` is 1/N for a mean.
    MseBackward { factor: f64 } = "mse_backward",
    L1Backward { factor: f64 } = "l1_backward",
    SmoothL1Backward { beta: f64, factor: f64 } = "smooth_l1_backward",
    HuberBackward { delta: f64, factor: f64 } = "huber_backward",
    BinaryCrossEntropyBackward { factor: f64 } = "binary_cross_entropy_backward",
    BinaryCrossEntropyWithLogitsBackward { factor: f64 } = "binary_cross_entropy_with_logits_backward",
}
}

operations! {
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReduceOp {
    Sum = "sum",
    Mean = "mean",
    Prod = "prod",
    Max = "amax",
    Min = "amin",
    Any = "any",
    All = "all",
    /// Divides by `n - correction` (NaN if that is not positive).
    Var { correction: f64 } = "var",
    /// `(sum |x|^p)^(1/p)`; p may be 0, 1, 2, infinite or any other.
    Norm { p: f64 } = "norm",
    LogSumExp = "logsumexp",
    /// Adds what is not NaN.
    NanSum = "nansum",
    CountNonzero = "count_nonzero",
}
}

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
    /// Average only: replaces the window's size as divisor. Not 0.
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
    /// A dropout mask, scaled: `1 / (1 - p)` with probability `1 - p`, else 0 (vectorised by 4 when the count allows).
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
    /// without it each parameter's own count tells.
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

    /// Whether its steps are counted in the device's memory, for all of `params`.
    ///
    /// # Errors
    /// A count where the rule or another parameter has none, a rate in memory without one, no number of the step at all, or
    /// a count or rate that is not one f32.
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
