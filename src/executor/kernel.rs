//! The kernels that every executor provides: the contract between `ops` and the hardware.
//!
//! Conventions for all kernels:
//! - A [`View`] is strided; strides are in elements and may be 0 (broadcast) for inputs. Outputs never overlap themselves.
//! - Inputs of elementwise kernels have already been broadcast: their `shape` equals the output's.
//! - Operands may have any dtype; arithmetic happens in the kernel's `compute` dtype (each operand is converted as
//!   PyTorch converts when reading) and the result is converted to the output's dtype. Where a kernel has no `compute`
//!   field, arithmetic is in the input's dtype, with f16 and bf16 accumulated in f32.
//! - Float to integer conversion truncates towards zero; to bool it is `!= 0`; integers wrap.
//! - `out` may be the very same view as an input for elementwise kernels (in-place); otherwise outputs alias no input.
//! - NaN propagates through max, min, clamp, relu and sorting as in PyTorch (NaN is greatest).
//! - Zero-sized outputs are legal and do nothing; a reduction over zero elements yields its identity.

// Shapes are written in brackets, as in PyTorch.
#![allow(rustdoc::broken_intra_doc_links)]

use crate::dtype::{DType, Scalar};
use crate::executor::{Buffer, Done, Fault};
pub use crate::rng::philox::Philox;
use crate::shape::{Dims, Layout};

/// Elements of a buffer, as a kernel walks them.
#[derive(Clone)]
pub struct View<'a> {
    pub buffer: &'a Buffer,
    pub dtype: DType,
    pub shape: Dims,
    pub strides: Dims,
    /// Elements from the start of the buffer.
    pub offset: usize,
}

impl<'a> View<'a> {
    pub fn new(buffer: &'a Buffer, layout: &Layout) -> View<'a> {
        View {
            buffer,
            dtype: buffer.dtype,
            shape: Dims::from_slice(&layout.shape),
            strides: Dims::from_slice(&layout.strides),
            offset: layout.offset,
        }
    }

    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn is_contiguous(&self) -> bool {
        crate::shape::is_contiguous(&self.shape, &self.strides)
    }

    /// The bytes before the first element. Every executor asks before it launches, so that no kernel can leave a buffer of
    /// this many bytes, whatever an operator got wrong.
    ///
    /// # Errors
    /// An element outside.
    pub fn start(&self, capacity: usize) -> Done<usize> {
        if self.shape.contains(&0) {
            return Ok(0);
        }
        let mut last = Some(self.offset);
        for (&n, &stride) in self.shape.iter().zip(&self.strides) {
            last = last.and_then(|last| (n - 1).checked_mul(stride)?.checked_add(last));
        }
        let end = last.and_then(|last| last.checked_add(1)?.checked_mul(self.dtype.size()));
        match end {
            Some(end) if end <= capacity => Ok(self.offset * self.dtype.size()),
            _ => Err(Fault::Unsupported("a view outside its buffer".into())),
        }
    }
}

/// An input that may be a number. A number is converted to the kernel's `compute` dtype.
#[derive(Clone)]
pub enum Operand<'a> {
    View(View<'a>),
    Scalar(Scalar),
}

/// One launch.
pub enum Kernel<'a> {
    /// `out = value`.
    Fill {
        out: View<'a>,
        value: Scalar,
    },
    /// `out = src`, converted; same shape, any strides.
    Copy {
        src: View<'a>,
        out: View<'a>,
    },
    /// `out[i] = start + i * step` for a 1-D contiguous view; floats are computed in f64 where the hardware has it.
    Arange {
        out: View<'a>,
        start: Scalar,
        step: Scalar,
    },
    Unary {
        op: UnaryOp,
        x: View<'a>,
        compute: DType,
        out: View<'a>,
    },
    Binary {
        op: BinaryOp,
        a: Operand<'a>,
        b: Operand<'a>,
        compute: DType,
        out: View<'a>,
    },
    Ternary {
        op: TernaryOp,
        a: Operand<'a>,
        b: Operand<'a>,
        c: Operand<'a>,
        compute: DType,
        out: View<'a>,
    },
    /// Reduces the dimensions with `dims[i] == true`; `out` has the same rank with size 1 there.
    /// `compute` is the dtype in which values are read (and the accumulator, widened for f16 and bf16).
    Reduce {
        op: ReduceOp,
        x: View<'a>,
        dims: Vec<bool>,
        compute: DType,
        out: View<'a>,
    },
    /// Index of the extreme along `dim`, the first of equals, NaN winning; `values` and `indices` (i64) have size 1 there.
    ArgReduce {
        largest: bool,
        x: View<'a>,
        dim: usize,
        values: Option<View<'a>>,
        indices: View<'a>,
    },
    /// Running sum, product, maximum or minimum along `dim`, in `out`'s dtype.
    Scan {
        op: ScanOp,
        x: View<'a>,
        dim: usize,
        out: View<'a>,
    },
    /// `out[b] = alpha * a[b] @ c[b] + beta * bias[b]`: `a` is [B, M, K], `c` is [B, K, N], `bias` (if any) and `out` are
    /// [B, M, N], all strided, all of one dtype. With `beta == 0` or no bias, nothing is read but `a` and `c`.
    /// `bias` may be `out` itself. Integers are allowed (wrapping).
    MatMul {
        a: View<'a>,
        c: View<'a>,
        bias: Option<View<'a>>,
        alpha: f64,
        beta: f64,
        out: View<'a>,
    },
    /// Along `dim`.
    Softmax {
        log: bool,
        x: View<'a>,
        dim: usize,
        out: View<'a>,
    },
    /// From the gradient and the *output* of the forward pass.
    SoftmaxBackward {
        log: bool,
        grad: View<'a>,
        y: View<'a>,
        dim: usize,
        out: View<'a>,
    },
    /// `out[.., i, ..] = x[.., index[i], ..]` at `dim`; `index` is 1-D, i32 or i64, checked to lie in `0..size`
    /// (no negatives).
    IndexSelect {
        x: View<'a>,
        dim: usize,
        index: View<'a>,
        out: View<'a>,
    },
    /// `out[.., index[i], ..] += alpha * src[.., i, ..]`; duplicates accumulate.
    IndexAdd {
        out: View<'a>,
        dim: usize,
        index: View<'a>,
        src: View<'a>,
        alpha: f64,
    },
    /// `out[i][j] = x[index[i][j]][j]` at `dim` 0, and so on; `index` (i64) has `out`'s shape.
    Gather {
        x: View<'a>,
        dim: usize,
        index: View<'a>,
        out: View<'a>,
    },
    /// `out[index[i][j]][j] (op)= src[i][j]` at `dim` 0, and so on; `src` has at least `index`'s shape.
    Scatter {
        op: ScatterOp,
        out: View<'a>,
        dim: usize,
        index: View<'a>,
        src: Operand<'a>,
    },
    /// Advanced indexing. `x` is [indexed dims.., rest..] with `indices.len()` indexed dims; every index (i64) is broadcast
    /// to one common shape; `out` is [common.., rest..]. Negative indices count from the end.
    Index {
        x: View<'a>,
        indices: Vec<View<'a>>,
        out: View<'a>,
    },
    /// The reverse: writes (or adds, duplicates accumulating) `src` of shape [common.., rest..] into `out`.
    IndexPut {
        out: View<'a>,
        indices: Vec<View<'a>>,
        src: Operand<'a>,
        accumulate: bool,
    },
    /// Indices (i64, [count, ndim], row-major order) of the elements that are not 0. `out.shape[0]` is the true count.
    Nonzero {
        x: View<'a>,
        out: View<'a>,
    },
    /// Sorts along `dim`; stable; `indices` are i64.
    Sort {
        x: View<'a>,
        dim: usize,
        descending: bool,
        values: View<'a>,
        indices: View<'a>,
    },
    /// Keeps the lower (or upper) triangle of the last two dimensions, zero elsewhere.
    Triangle {
        upper: bool,
        diagonal: i64,
        x: View<'a>,
        out: View<'a>,
    },
    /// Reverses the dimensions with `dims[i] == true`.
    Flip {
        x: View<'a>,
        dims: Vec<bool>,
        out: View<'a>,
    },
    /// `x` [N, C, H, W], `w` [O, C/groups, kh, kw], `bias` [O], `out` [N, O, oh, ow].
    Conv2d {
        x: View<'a>,
        w: View<'a>,
        bias: Option<View<'a>>,
        params: Conv2d,
        out: View<'a>,
    },
    /// Gradient for the input (also the forward of a transposed convolution): `grad` [N, O, oh, ow], `out` [N, C, H, W].
    Conv2dGradInput {
        grad: View<'a>,
        w: View<'a>,
        params: Conv2d,
        out: View<'a>,
    },
    /// Gradient for the weight: `out` [O, C/groups, kh, kw].
    Conv2dGradWeight {
        grad: View<'a>,
        x: View<'a>,
        params: Conv2d,
        out: View<'a>,
    },
    /// `x` [N, C, H, W]; `indices` (i64) are flat positions in H*W.
    MaxPool2d {
        x: View<'a>,
        params: Pool2d,
        out: View<'a>,
        indices: View<'a>,
    },
    /// `out` [N, C, H, W] is overwritten.
    MaxPool2dBackward {
        grad: View<'a>,
        indices: View<'a>,
        out: View<'a>,
    },
    AvgPool2d {
        x: View<'a>,
        params: Pool2d,
        out: View<'a>,
    },
    AvgPool2dBackward {
        grad: View<'a>,
        params: Pool2d,
        out: View<'a>,
    },
    /// Windows of output cell `i`: `floor(i*H/oh) .. ceil((i+1)*H/oh)`.
    AdaptiveAvgPool2d {
        x: View<'a>,
        out: View<'a>,
    },
    AdaptiveAvgPool2dBackward {
        grad: View<'a>,
        out: View<'a>,
    },
    /// `x`, `out` contiguous [rows, cols]; `weight`, `bias` [cols]; `mean`, `rstd` [rows] in f32 (f64 for f64).
    LayerNorm {
        x: View<'a>,
        weight: Option<View<'a>>,
        bias: Option<View<'a>>,
        eps: f64,
        out: View<'a>,
        mean: View<'a>,
        rstd: View<'a>,
    },
    /// Any of the three gradients may be unwanted. All contiguous.
    LayerNormBackward {
        grad: View<'a>,
        x: View<'a>,
        mean: View<'a>,
        rstd: View<'a>,
        weight: Option<View<'a>>,
        dx: Option<View<'a>>,
        dweight: Option<View<'a>>,
        dbias: Option<View<'a>>,
    },
    /// Mean and biased variance a channel of `x` [N, C, L]; outputs are [C].
    BatchStats {
        x: View<'a>,
        mean: View<'a>,
        var: View<'a>,
    },
    /// `out = (x - mean) / sqrt(var + eps) * weight + bias`, `x` and `out` [N, C, L], the others [C].
    BatchNorm {
        x: View<'a>,
        mean: View<'a>,
        var: View<'a>,
        weight: Option<View<'a>>,
        bias: Option<View<'a>>,
        eps: f64,
        out: View<'a>,
    },
    /// Gradients of [`Kernel::BatchNorm`]; with `training` the statistics are those of `x` itself and take part.
    BatchNormBackward {
        grad: View<'a>,
        x: View<'a>,
        mean: View<'a>,
        var: View<'a>,
        weight: Option<View<'a>>,
        eps: f64,
        training: bool,
        dx: Option<View<'a>>,
        dweight: Option<View<'a>>,
        dbias: Option<View<'a>>,
    },
    /// `logp` [N, C], `target` [N] i64 (or u8), `weight` [C]. With reduction none `out` is [N], else 0-dim;
    /// `total_weight` (0-dim) receives the sum of the weights used.
    NllLoss {
        logp: View<'a>,
        target: View<'a>,
        weight: Option<View<'a>>,
        ignore_index: i64,
        reduction: Reduction,
        out: View<'a>,
        total_weight: View<'a>,
    },
    /// `out` [N, C] is overwritten.
    NllLossBackward {
        grad: View<'a>,
        target: View<'a>,
        weight: Option<View<'a>>,
        ignore_index: i64,
        reduction: Reduction,
        total_weight: View<'a>,
        out: View<'a>,
    },
    /// Draws of PyTorch's CUDA generator; `out` is contiguous.
    Random {
        draw: Draw,
        philox: Philox,
        out: View<'a>,
    },
    /// One launch for a whole optimizer step.
    Optimizer {
        rule: OptimizerRule,
        /// Where Adam or RMSprop finds its learning rate (one f32), if the rule's own is not the one that counts.
        rate: Option<View<'a>>,
        params: Vec<OptimizerParam<'a>>,
    },
}

/// Elementwise functions of one value. Numbers inside are parameters, not operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnaryOp {
    Neg,
    Abs,
    Sign,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sqrt,
    Rsqrt,
    Reciprocal,
    Square,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Erfinv,
    Lgamma,
    Digamma,
    Sigmoid,
    LogSigmoid,
    Relu,
    /// `x * Phi(x)`, by erf.
    Gelu,
    /// The tanh approximation.
    GeluTanh,
    Silu,
    Mish,
    Hardswish,
    Hardsigmoid,
    Softsign,
    Softplus {
        beta: f64,
        threshold: f64,
    },
    /// `scale * (x > 0 ? x : alpha * expm1(input_scale * x))`; covers elu, selu and celu.
    Elu {
        alpha: f64,
        scale: f64,
        input_scale: f64,
    },
    LeakyRelu {
        slope: f64,
    },
    /// `x > threshold ? x : value`.
    Threshold {
        threshold: f64,
        value: f64,
    },
    /// A missing bound is infinite; NaN stays NaN.
    Clamp {
        min: Option<Scalar>,
        max: Option<Scalar>,
    },
    Floor,
    Ceil,
    /// Half to even.
    Round,
    Trunc,
    Frac,
    IsNan,
    IsInf,
    IsFinite,
    LogicalNot,
    /// Bitwise; logical for bool.
    BitwiseNot,
    NanToNum {
        nan: f64,
        posinf: f64,
        neginf: f64,
    },
}

/// Elementwise functions of two values. Comparisons write bool (or any dtype as 0 and 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// True division; `compute` is a float dtype.
    Div,
    /// Rounds towards minus infinity, as Python's `//`.
    FloorDiv,
    /// Rounds towards zero.
    TruncDiv,
    /// Sign of the divisor, as Python's `%`.
    Remainder,
    /// Sign of the dividend, as C's `fmod`.
    Fmod,
    Pow,
    /// NaN wins.
    Maximum,
    Minimum,
    /// NaN loses.
    Fmax,
    Fmin,
    Atan2,
    Hypot,
    /// `a + alpha * b`.
    Axpy {
        alpha: Scalar,
    },
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    /// `(a - b)^2`: mse_loss.
    SquaredDifference,
    /// `|a - b|`: l1_loss.
    AbsDifference,
    SmoothL1 {
        beta: f64,
    },
    Huber {
        delta: f64,
    },
    /// Of a probability `a` and a target `b`; logarithms are clamped at -100.
    BinaryCrossEntropy,
    /// Of a logit `a` and a target `b`.
    BinaryCrossEntropyWithLogits,
    // What follows takes the incoming gradient as `a` and a saved value as `b`.
    /// `b` is the output.
    SigmoidBackward,
    /// `b` is the output.
    TanhBackward,
    /// `b > threshold ? a : 0`; for relu `b` may be the output.
    ThresholdBackward {
        threshold: f64,
    },
    GeluBackward,
    GeluTanhBackward,
    SiluBackward,
    MishBackward,
    HardswishBackward,
    HardsigmoidBackward,
    LogSigmoidBackward,
    SoftplusBackward {
        beta: f64,
        threshold: f64,
    },
    /// `b` is the input.
    EluBackward {
        alpha: f64,
        scale: f64,
        input_scale: f64,
    },
    LeakyReluBackward {
        slope: f64,
    },
    /// `min < b < max ? a : 0` (0 at the edges, as PyTorch 2.15).
    ClampBackward {
        min: Option<Scalar>,
        max: Option<Scalar>,
    },
}

/// Elementwise functions of three values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TernaryOp {
    /// `a ? b : c`; `a` is read as bool, `b` and `c` in the compute dtype.
    Where,
    /// `a + c * (b - a)`, in PyTorch's two branches (`|c| < 0.5`).
    Lerp,
    /// `a + value * b * c`.
    Addcmul {
        value: Scalar,
    },
    /// `a + value * b / c`.
    Addcdiv {
        value: Scalar,
    },
    /// `min(max(a, b), c)`, NaN winning.
    Clamp,
    // The incoming gradient is `a`, the loss's input `b`, its target `c`; `factor` is 1/N for a mean.
    MseBackward {
        factor: f64,
    },
    L1Backward {
        factor: f64,
    },
    SmoothL1Backward {
        beta: f64,
        factor: f64,
    },
    HuberBackward {
        delta: f64,
        factor: f64,
    },
    BinaryCrossEntropyBackward {
        factor: f64,
    },
    BinaryCrossEntropyWithLogitsBackward {
        factor: f64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReduceOp {
    Sum,
    Mean,
    Prod,
    Max,
    Min,
    Any,
    All,
    /// Divides by `n - correction` (NaN if that is not positive).
    Var {
        correction: f64,
    },
    /// `(sum |x|^p)^(1/p)`; p may be 0, 1, 2, infinite or any other.
    Norm {
        p: f64,
    },
    LogSumExp,
    /// Adds what is not NaN.
    NanSum,
    CountNonzero,
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

/// The update rules of PyTorch's optimizers, single-tensor formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptimizerRule {
    /// `state[0]` is the momentum buffer if `momentum != 0`; on the `first` step it is set to the gradient.
    Sgd { lr: f64, momentum: f64, dampening: f64, weight_decay: f64, nesterov: bool, maximize: bool, first: bool },
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
    },
    /// `state` is square_avg, then momentum_buffer if `momentum != 0`, then grad_avg if `centered`.
    RmsProp { lr: f64, alpha: f64, eps: f64, weight_decay: f64, momentum: f64, centered: bool, maximize: bool },
    /// `state` is sum. `lr` already includes the decay.
    Adagrad { lr: f64, eps: f64, weight_decay: f64, maximize: bool },
}

/// One parameter of an optimizer step: views of one shape, contiguous.
pub struct OptimizerParam<'a> {
    pub param: View<'a>,
    pub grad: View<'a>,
    pub state: Vec<View<'a>>,
    /// How many steps it has had (one f32 in the device's memory), which this one raises by one. Adam and RMSprop can.
    pub count: Option<View<'a>>,
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

impl Kernel<'_> {
    /// The name in the trace.
    pub fn name(&self) -> &'static str {
        match self {
            Kernel::Fill { .. } => "fill",
            Kernel::Copy { .. } => "copy",
            Kernel::Arange { .. } => "arange",
            Kernel::Unary { op, .. } => op.name(),
            Kernel::Binary { op, .. } => op.name(),
            Kernel::Ternary { op, .. } => op.name(),
            Kernel::Reduce { op, .. } => op.name(),
            Kernel::ArgReduce { largest: true, .. } => "argmax",
            Kernel::ArgReduce { .. } => "argmin",
            Kernel::Scan { .. } => "scan",
            Kernel::MatMul { .. } => "matmul",
            Kernel::Softmax { log: false, .. } => "softmax",
            Kernel::Softmax { .. } => "log_softmax",
            Kernel::SoftmaxBackward { .. } => "softmax_backward",
            Kernel::IndexSelect { .. } => "index_select",
            Kernel::IndexAdd { .. } => "index_add",
            Kernel::Gather { .. } => "gather",
            Kernel::Scatter { .. } => "scatter",
            Kernel::Index { .. } => "index",
            Kernel::IndexPut { .. } => "index_put",
            Kernel::Nonzero { .. } => "nonzero",
            Kernel::Sort { .. } => "sort",
            Kernel::Triangle { .. } => "triangle",
            Kernel::Flip { .. } => "flip",
            Kernel::Conv2d { .. } => "conv2d",
            Kernel::Conv2dGradInput { .. } => "conv2d_grad_input",
            Kernel::Conv2dGradWeight { .. } => "conv2d_grad_weight",
            Kernel::MaxPool2d { .. } => "max_pool2d",
            Kernel::MaxPool2dBackward { .. } => "max_pool2d_backward",
            Kernel::AvgPool2d { .. } => "avg_pool2d",
            Kernel::AvgPool2dBackward { .. } => "avg_pool2d_backward",
            Kernel::AdaptiveAvgPool2d { .. } => "adaptive_avg_pool2d",
            Kernel::AdaptiveAvgPool2dBackward { .. } => "adaptive_avg_pool2d_backward",
            Kernel::LayerNorm { .. } => "layer_norm",
            Kernel::LayerNormBackward { .. } => "layer_norm_backward",
            Kernel::BatchStats { .. } => "batch_stats",
            Kernel::BatchNorm { .. } => "batch_norm",
            Kernel::BatchNormBackward { .. } => "batch_norm_backward",
            Kernel::NllLoss { .. } => "nll_loss",
            Kernel::NllLossBackward { .. } => "nll_loss_backward",
            Kernel::Random { .. } => "random",
            Kernel::Optimizer { rule, .. } => match rule {
                OptimizerRule::Sgd { .. } => "sgd_step",
                OptimizerRule::Adam { .. } => "adam_step",
                OptimizerRule::RmsProp { .. } => "rmsprop_step",
                OptimizerRule::Adagrad { .. } => "adagrad_step",
            },
        }
    }
}

macro_rules! names {
    ($ty:ident { $($variant:ident => $name:literal),* $(,)? }) => {
        impl $ty {
            /// The name in the trace and in shader files.
            pub fn name(&self) -> &'static str {
                match self { $($ty::$variant { .. } => $name,)* }
            }
        }
    };
}

names!(UnaryOp {
    Neg => "neg", Abs => "abs", Sign => "sign", Exp => "exp", Exp2 => "exp2", Expm1 => "expm1", Log => "log",
    Log2 => "log2", Log10 => "log10", Log1p => "log1p", Sqrt => "sqrt", Rsqrt => "rsqrt", Reciprocal => "reciprocal",
    Square => "square", Sin => "sin", Cos => "cos", Tan => "tan", Asin => "asin", Acos => "acos", Atan => "atan",
    Sinh => "sinh", Cosh => "cosh", Tanh => "tanh", Asinh => "asinh", Acosh => "acosh", Atanh => "atanh", Erf => "erf",
    Erfc => "erfc", Erfinv => "erfinv", Lgamma => "lgamma", Digamma => "digamma", Sigmoid => "sigmoid",
    LogSigmoid => "log_sigmoid", Relu => "relu", Gelu => "gelu", GeluTanh => "gelu_tanh", Silu => "silu", Mish => "mish",
    Hardswish => "hardswish", Hardsigmoid => "hardsigmoid", Softsign => "softsign", Softplus => "softplus", Elu => "elu",
    LeakyRelu => "leaky_relu", Threshold => "threshold", Clamp => "clamp", Floor => "floor", Ceil => "ceil",
    Round => "round", Trunc => "trunc", Frac => "frac", IsNan => "isnan", IsInf => "isinf", IsFinite => "isfinite",
    LogicalNot => "logical_not", BitwiseNot => "bitwise_not", NanToNum => "nan_to_num",
});

names!(BinaryOp {
    Add => "add", Sub => "sub", Mul => "mul", Div => "div", FloorDiv => "floor_divide", TruncDiv => "trunc_divide",
    Remainder => "remainder", Fmod => "fmod", Pow => "pow", Maximum => "maximum", Minimum => "minimum", Fmax => "fmax",
    Fmin => "fmin", Atan2 => "atan2", Hypot => "hypot", Axpy => "axpy", Eq => "eq", Ne => "ne", Lt => "lt", Le => "le",
    Gt => "gt", Ge => "ge", LogicalAnd => "logical_and", LogicalOr => "logical_or", LogicalXor => "logical_xor",
    BitAnd => "bitwise_and", BitOr => "bitwise_or", BitXor => "bitwise_xor", Shl => "shift_left", Shr => "shift_right",
    SquaredDifference => "squared_difference", AbsDifference => "abs_difference", SmoothL1 => "smooth_l1",
    Huber => "huber", BinaryCrossEntropy => "binary_cross_entropy",
    BinaryCrossEntropyWithLogits => "binary_cross_entropy_with_logits", SigmoidBackward => "sigmoid_backward",
    TanhBackward => "tanh_backward", ThresholdBackward => "threshold_backward", GeluBackward => "gelu_backward",
    GeluTanhBackward => "gelu_tanh_backward", SiluBackward => "silu_backward", MishBackward => "mish_backward",
    HardswishBackward => "hardswish_backward", HardsigmoidBackward => "hardsigmoid_backward",
    LogSigmoidBackward => "log_sigmoid_backward", SoftplusBackward => "softplus_backward", EluBackward => "elu_backward",
    LeakyReluBackward => "leaky_relu_backward", ClampBackward => "clamp_backward",
});

names!(TernaryOp {
    Where => "where", Lerp => "lerp", Addcmul => "addcmul", Addcdiv => "addcdiv", Clamp => "clamp_tensor",
    MseBackward => "mse_backward", L1Backward => "l1_backward", SmoothL1Backward => "smooth_l1_backward",
    HuberBackward => "huber_backward", BinaryCrossEntropyBackward => "binary_cross_entropy_backward",
    BinaryCrossEntropyWithLogitsBackward => "binary_cross_entropy_with_logits_backward",
});

names!(ReduceOp {
    Sum => "sum", Mean => "mean", Prod => "prod", Max => "amax", Min => "amin", Any => "any", All => "all", Var => "var",
    Norm => "norm", LogSumExp => "logsumexp", NanSum => "nansum", CountNonzero => "count_nonzero",
});

impl<'a> Kernel<'a> {
    /// Looks whether every view lies inside its buffer: before a GPU's kernel is described, since nothing else would.
    ///
    /// # Errors
    /// An element outside: what lies there belongs to other tensors.
    pub fn check_views(&self) -> Done {
        let mut done = Ok(());
        self.views(&mut |view| {
            if done.is_ok() {
                let capacity = view.buffer.numel.saturating_mul(view.buffer.dtype.size());
                done = view.start(capacity).map(|_| ());
            }
        });
        done
    }

    /// Calls `f` with every view the kernel touches.
    pub fn views(&self, f: &mut impl FnMut(&View<'a>)) {
        fn operand<'a>(o: &Operand<'a>, f: &mut impl FnMut(&View<'a>)) {
            if let Operand::View(v) = o {
                f(v);
            }
        }
        match self {
            Kernel::Fill { out, .. } | Kernel::Arange { out, .. } | Kernel::Random { out, .. } => f(out),
            Kernel::Copy { src: x, out }
            | Kernel::Unary { x, out, .. }
            | Kernel::Reduce { x, out, .. }
            | Kernel::Scan { x, out, .. }
            | Kernel::Softmax { x, out, .. }
            | Kernel::Nonzero { x, out }
            | Kernel::Triangle { x, out, .. }
            | Kernel::Flip { x, out, .. }
            | Kernel::AvgPool2d { x, out, .. }
            | Kernel::AvgPool2dBackward { grad: x, out, .. }
            | Kernel::AdaptiveAvgPool2d { x, out }
            | Kernel::AdaptiveAvgPool2dBackward { grad: x, out } => [x, out].into_iter().for_each(f),
            Kernel::Binary { a, b, out, .. } => {
                operand(a, f);
                operand(b, f);
                f(out);
            }
            Kernel::Ternary { a, b, c, out, .. } => {
                operand(a, f);
                operand(b, f);
                operand(c, f);
                f(out);
            }
            Kernel::ArgReduce { x, values, indices, .. } => {
                [x, indices].into_iter().chain(values).for_each(f);
            }
            Kernel::MatMul { a, c, bias, out, .. } => [a, c, out].into_iter().chain(bias).for_each(f),
            Kernel::SoftmaxBackward { grad: a, y: b, out, .. }
            | Kernel::IndexSelect { x: a, index: b, out, .. }
            | Kernel::IndexAdd { out, index: b, src: a, .. }
            | Kernel::Gather { x: a, index: b, out, .. }
            | Kernel::Conv2dGradInput { grad: a, w: b, out, .. }
            | Kernel::Conv2dGradWeight { grad: a, x: b, out, .. }
            | Kernel::MaxPool2d { x: a, indices: b, out, .. }
            | Kernel::MaxPool2dBackward { grad: a, indices: b, out }
            | Kernel::Sort { x: a, values: b, indices: out, .. }
            | Kernel::BatchStats { x: a, mean: b, var: out } => [a, b, out].into_iter().for_each(f),
            Kernel::Scatter { out, index, src, .. } => {
                operand(src, f);
                f(index);
                f(out);
            }
            Kernel::Index { x, indices, out } => [x, out].into_iter().chain(indices).for_each(f),
            Kernel::IndexPut { out, indices, src, .. } => {
                operand(src, f);
                indices.iter().for_each(&mut *f);
                f(out);
            }
            Kernel::Conv2d { x, w, bias, out, .. } => [x, w, out].into_iter().chain(bias).for_each(f),
            Kernel::LayerNorm { x, weight, bias, out, mean, rstd, .. } => {
                [x, out, mean, rstd].into_iter().chain(weight).chain(bias).for_each(f);
            }
            Kernel::LayerNormBackward { grad, x, mean, rstd, weight, dx, dweight, dbias } => {
                [grad, x, mean, rstd].into_iter().chain(weight).chain(dx).chain(dweight).chain(dbias).for_each(f);
            }
            Kernel::BatchNorm { x, mean, var, weight, bias, out, .. } => {
                [x, mean, var, out].into_iter().chain(weight).chain(bias).for_each(f);
            }
            Kernel::BatchNormBackward { grad, x, mean, var, weight, dx, dweight, dbias, .. } => {
                [grad, x, mean, var].into_iter().chain(weight).chain(dx).chain(dweight).chain(dbias).for_each(f);
            }
            Kernel::NllLoss { logp, target, weight, out, total_weight, .. } => {
                [logp, target, out, total_weight].into_iter().chain(weight).for_each(f);
            }
            Kernel::NllLossBackward { grad, target, weight, total_weight, out, .. } => {
                [grad, target, total_weight, out].into_iter().chain(weight).for_each(f);
            }
            Kernel::Optimizer { rate, params, .. } => {
                rate.iter().for_each(&mut *f);
                for p in params {
                    f(&p.param);
                    f(&p.grad);
                    p.state.iter().chain(&p.count).for_each(&mut *f);
                }
            }
        }
    }

    /// Bytes read and written, counting each view once, in PyTorch's layout.
    pub fn bytes(&self) -> usize {
        let mut bytes = 0;
        self.views(&mut |v| bytes += v.numel() * v.dtype.size());
        bytes
    }

    /// Multiplications and additions of the kernels that are bound by arithmetic; 0 for the others.
    pub fn flops(&self) -> u64 {
        match self {
            Kernel::MatMul { a, out, .. } => 2 * out.numel() as u64 * a.shape.last().copied().unwrap_or(1) as u64,
            Kernel::Conv2d { w, out, .. } => 2 * (out.numel() * w.shape[1..].iter().product::<usize>()) as u64,
            Kernel::Conv2dGradInput { grad, w, .. } => {
                2 * (grad.numel() * w.shape[1..].iter().product::<usize>()) as u64
            }
            Kernel::Conv2dGradWeight { grad, out, .. } => {
                2 * (grad.numel() * out.shape[1..].iter().product::<usize>()) as u64
            }
            _ => 0,
        }
    }
}
