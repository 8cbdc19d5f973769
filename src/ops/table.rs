//! The operators by name: what they take, where their tensors must be, what their node is called.
//!
//! Bindings dispatch elementwise operators through this table, the profiler knows operators by it, `docs/operators.md` is
//! rendered from it, and tests hold it against what is bound and recorded.

use crate::executor::{BinaryOp, UnaryOp};

/// How an operator is dispatched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    /// By `ops::unary` and, in place, `ops::unary_`.
    Unary(UnaryOp),
    /// By `ops::binary` and, in place, `ops::binary_`.
    Binary(BinaryOp),
    /// A tensor from nothing, with `dtype=`, `device=` and `requires_grad=`.
    Create,
    /// By a function of its own.
    Own,
}

/// Where the tensors of an operator must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// `ops::device::common`: one device, but for 0-dim CPU tensors.
    Elementwise,
    /// `ops::device::same`: one device, checked by the named wrapper in the order of these arguments.
    Wrapper(&'static str, &'static [&'static str]),
    /// One tensor, or parts that check for themselves.
    Free,
}

/// One operator.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// As in `torch` or `torch.nn.functional`.
    pub name: &'static str,
    pub schema: &'static str,
    pub family: Family,
    pub rule: Rule,
    /// The name of the node it usually records; empty if it is not differentiable.
    pub grad_fn: &'static str,
    pub doc: &'static str,
}

/// The operator of that name.
pub fn find(name: &str) -> Option<&'static Entry> {
    OPERATORS.binary_search_by(|e| e.name.cmp(name)).ok().map(|i| &OPERATORS[i])
}

/// The elementwise function of one tensor called `name` in PyTorch, under any of its names.
pub fn unary(name: &str) -> Option<UnaryOp> {
    match find(canonical(name))?.family {
        Family::Unary(op) => Some(op),
        _ => None,
    }
}

/// The elementwise function of two operands called `name` in PyTorch, under any of its names.
pub fn binary(name: &str) -> Option<BinaryOp> {
    match find(canonical(name))?.family {
        Family::Binary(op) => Some(op),
        _ => None,
    }
}

/// PyTorch's other names.
pub fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

/// Alias and name.
pub const ALIASES: &[(&str, &str)] = &[
    ("absolute", "abs"),
    ("arccos", "acos"),
    ("arccosh", "acosh"),
    ("arcsin", "asin"),
    ("arcsinh", "asinh"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arctanh", "atanh"),
    ("clip", "clamp"),
    ("concat", "cat"),
    ("concatenate", "cat"),
    ("divide", "div"),
    ("fix", "trunc"),
    ("greater", "gt"),
    ("greater_equal", "ge"),
    ("less", "lt"),
    ("less_equal", "le"),
    ("moveaxis", "movedim"),
    ("multiply", "mul"),
    ("negative", "neg"),
    ("not_equal", "ne"),
    ("sgn", "sign"),
    ("subtract", "sub"),
    ("swapaxes", "transpose"),
    ("swapdims", "transpose"),
    ("true_divide", "div"),
];

/// The table as Markdown: a row an operator.
pub fn markdown() -> String {
    let mut out = String::from("| operator | takes | devices | node | what it does |\n|---|---|---|---|---|\n");
    for e in OPERATORS {
        let rule = match e.rule {
            Rule::Elementwise => "elementwise".to_string(),
            Rule::Wrapper(name, _) => format!("`{name}`"),
            Rule::Free => String::new(),
        };
        let node = if e.grad_fn.is_empty() { String::new() } else { format!("`{}`", e.grad_fn) };
        let cell = |text: &str| text.replace('|', "\\|");
        out.push_str(&format!("| `{}` | `{}` | {rule} | {node} | {} |\n", e.name, cell(e.schema), cell(e.doc)));
    }
    out
}

/// Every operator, by name.
#[rustfmt::skip]
pub static OPERATORS: &[Entry] = &[
    Entry { name: "abs", schema: "abs(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Abs), rule: Rule::Elementwise, grad_fn: "AbsBackward0", doc: "`|x|`; slope 0 at 0" },
    Entry { name: "acos", schema: "acos(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Acos), rule: Rule::Elementwise, grad_fn: "AcosBackward0", doc: "inverse cosine" },
    Entry { name: "acosh", schema: "acosh(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Acosh), rule: Rule::Elementwise, grad_fn: "AcoshBackward0", doc: "inverse hyperbolic cosine" },
    Entry { name: "adaptive_avg_pool1d", schema: "adaptive_avg_pool1d(Tensor input, int[] output_size) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SqueezeBackward1", doc: "averages to a given size" },
    Entry { name: "adaptive_avg_pool2d", schema: "adaptive_avg_pool2d(Tensor input, int[] output_size) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "AdaptiveAvgPool2DBackward0", doc: "averages to a given size" },
    Entry { name: "add", schema: "add(Tensor self, Tensor | Number other, *, Number alpha=1) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "AddBackward0", doc: "`a + alpha * b`" },
    Entry { name: "addcdiv", schema: "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "AddcdivBackward0", doc: "`a + value * b / c`" },
    Entry { name: "addcmul", schema: "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "AddcmulBackward0", doc: "`a + value * b * c`" },
    Entry { name: "addmm", schema: "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Number beta=1, Number alpha=1) -> Tensor", family: Family::Own, rule: Rule::Wrapper("addmm", &["self", "mat1", "mat2"]), grad_fn: "AddmmBackward0", doc: "`beta * a + alpha * b @ c`" },
    Entry { name: "all", schema: "all(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "all true" },
    Entry { name: "allclose", schema: "allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "", doc: "isclose everywhere, as a Python bool" },
    Entry { name: "amax", schema: "amax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "AmaxBackward0", doc: "largest; ties share the gradient" },
    Entry { name: "amin", schema: "amin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "AminBackward0", doc: "smallest; ties share the gradient" },
    Entry { name: "angle", schema: "angle(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "AngleBackward0", doc: "the angle of a complex number, in radians" },
    Entry { name: "any", schema: "any(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "any true" },
    Entry { name: "arange", schema: "arange(Number start, Number end, Number step=1) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "numbers at equal steps" },
    Entry { name: "argmax", schema: "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "index of the largest" },
    Entry { name: "argmin", schema: "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "index of the smallest" },
    Entry { name: "argsort", schema: "argsort(Tensor self, int dim) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "where the values in order were" },
    Entry { name: "asin", schema: "asin(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Asin), rule: Rule::Elementwise, grad_fn: "AsinBackward0", doc: "inverse sine" },
    Entry { name: "asinh", schema: "asinh(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Asinh), rule: Rule::Elementwise, grad_fn: "AsinhBackward0", doc: "inverse hyperbolic sine" },
    Entry { name: "atan", schema: "atan(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Atan), rule: Rule::Elementwise, grad_fn: "AtanBackward0", doc: "inverse tangent" },
    Entry { name: "atan2", schema: "atan2(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Atan2), rule: Rule::Elementwise, grad_fn: "Atan2Backward0", doc: "angle of (b, a)" },
    Entry { name: "atanh", schema: "atanh(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Atanh), rule: Rule::Elementwise, grad_fn: "AtanhBackward0", doc: "inverse hyperbolic tangent" },
    Entry { name: "avg_pool1d", schema: "avg_pool1d(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SqueezeBackward1", doc: "average of each window" },
    Entry { name: "avg_pool2d", schema: "avg_pool2d(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "AvgPool2DBackward0", doc: "average of each window" },
    Entry { name: "batch_norm", schema: "batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? bias=None, bool training=False, float momentum=0.1, float eps=1e-05) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_native_batch_norm", &["input", "weight", "bias", "running_mean", "running_var"]), grad_fn: "NativeBatchNormBackward0", doc: "normalises channels over the batch" },
    Entry { name: "bernoulli", schema: "bernoulli(Tensor input) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "BernoulliBackward0", doc: "1 with the given probabilities" },
    Entry { name: "binary_cross_entropy", schema: "binary_cross_entropy(Tensor input, Tensor target, str reduction='mean') -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "BinaryCrossEntropyBackward0", doc: "of probabilities" },
    Entry { name: "binary_cross_entropy_with_logits", schema: "binary_cross_entropy_with_logits(Tensor input, Tensor target, str reduction='mean') -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "BinaryCrossEntropyWithLogitsBackward0", doc: "of logits" },
    Entry { name: "bincount", schema: "bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_bincount", &["self", "weights"]), grad_fn: "", doc: "how often each integer occurs" },
    Entry { name: "bitwise_and", schema: "bitwise_and(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::BitAnd), rule: Rule::Elementwise, grad_fn: "", doc: "`a & b`" },
    Entry { name: "bitwise_left_shift", schema: "bitwise_left_shift(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Shl), rule: Rule::Elementwise, grad_fn: "", doc: "`a << b`" },
    Entry { name: "bitwise_not", schema: "bitwise_not(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::BitwiseNot), rule: Rule::Elementwise, grad_fn: "", doc: "inverts bits; logical for bool" },
    Entry { name: "bitwise_or", schema: "bitwise_or(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::BitOr), rule: Rule::Elementwise, grad_fn: "", doc: "`a | b`" },
    Entry { name: "bitwise_right_shift", schema: "bitwise_right_shift(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Shr), rule: Rule::Elementwise, grad_fn: "", doc: "`a >> b`" },
    Entry { name: "bitwise_xor", schema: "bitwise_xor(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::BitXor), rule: Rule::Elementwise, grad_fn: "", doc: "`a ^ b`" },
    Entry { name: "bmm", schema: "bmm(Tensor self, Tensor mat2) -> Tensor", family: Family::Own, rule: Rule::Wrapper("bmm", &["self", "mat2"]), grad_fn: "BmmBackward0", doc: "batched matrix product" },
    Entry { name: "broadcast_tensors", schema: "broadcast_tensors(Tensor[] tensors) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ExpandBackward0", doc: "all in their joint shape" },
    Entry { name: "bucketize", schema: "bucketize(Tensor | Number self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "between which boundaries values lie" },
    Entry { name: "cat", schema: "cat(Tensor[] tensors, int dim=0) -> Tensor", family: Family::Own, rule: Rule::Wrapper("cat", &["tensors"]), grad_fn: "CatBackward0", doc: "joins along a dimension" },
    Entry { name: "cdist", schema: "cdist(Tensor x1, Tensor x2, float p=2) -> Tensor", family: Family::Own, rule: Rule::Wrapper("__cdist_forward", &["x1", "x2"]), grad_fn: "CdistBackward0", doc: "distances between rows" },
    Entry { name: "ceil", schema: "ceil(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Ceil), rule: Rule::Elementwise, grad_fn: "CeilBackward0", doc: "rounds up" },
    Entry { name: "chunk", schema: "chunk(Tensor self, int chunks, int dim=0) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SplitBackward0", doc: "so many views" },
    Entry { name: "clamp", schema: "clamp(Tensor self, Tensor | Number? min=None, Tensor | Number? max=None) -> Tensor", family: Family::Own, rule: Rule::Wrapper("clamp_Tensor", &["self", "min", "max"]), grad_fn: "ClampBackward1", doc: "bounds values; slope 0 at the bounds" },
    Entry { name: "clone", schema: "clone(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "CloneBackward0", doc: "a copy" },
    Entry { name: "complex", schema: "complex(Tensor real, Tensor imag) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "ComplexBackward0", doc: "complex numbers of their two parts" },
    Entry { name: "conj", schema: "conj(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ConjBackward0", doc: "the imaginary part negated: a copy" },
    Entry { name: "conj_physical", schema: "conj_physical(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ConjBackward0", doc: "as `conj`" },
    Entry { name: "contiguous", schema: "contiguous(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "CloneBackward0", doc: "itself, or a row-major copy" },
    Entry { name: "conv1d", schema: "conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, int[] padding=0, int[] dilation=1, int groups=1) -> Tensor", family: Family::Own, rule: Rule::Wrapper("__slow_conv2d_forward", &["self", "weight", "bias"]), grad_fn: "ConvolutionBackward0", doc: "convolution" },
    Entry { name: "conv2d", schema: "conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, int[] padding=0, int[] dilation=1, int groups=1) -> Tensor", family: Family::Own, rule: Rule::Wrapper("__slow_conv2d_forward", &["self", "weight", "bias"]), grad_fn: "ConvolutionBackward0", doc: "convolution" },
    Entry { name: "conv_transpose1d", schema: "conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, int[] padding=0, int[] output_padding=0, int groups=1, int[] dilation=1) -> Tensor", family: Family::Own, rule: Rule::Wrapper("slow_conv_transpose2d", &["self", "weight", "bias"]), grad_fn: "ConvolutionBackward0", doc: "transposed convolution" },
    Entry { name: "conv_transpose2d", schema: "conv_transpose2d(Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, int[] padding=0, int[] output_padding=0, int groups=1, int[] dilation=1) -> Tensor", family: Family::Own, rule: Rule::Wrapper("slow_conv_transpose2d", &["self", "weight", "bias"]), grad_fn: "ConvolutionBackward0", doc: "transposed convolution" },
    Entry { name: "cos", schema: "cos(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Cos), rule: Rule::Elementwise, grad_fn: "CosBackward0", doc: "cosine" },
    Entry { name: "cosh", schema: "cosh(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Cosh), rule: Rule::Elementwise, grad_fn: "CoshBackward0", doc: "hyperbolic cosine" },
    Entry { name: "cosine_similarity", schema: "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "SumBackward1", doc: "cosine of the angle" },
    Entry { name: "count_nonzero", schema: "count_nonzero(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "how many are not 0" },
    Entry { name: "cross_entropy", schema: "cross_entropy(Tensor input, Tensor target, Tensor? weight=None, int ignore_index=-100, str reduction='mean', float label_smoothing=0.0) -> Tensor", family: Family::Own, rule: Rule::Wrapper("nll_loss_forward", &["self", "target", "weight"]), grad_fn: "NllLossBackward0", doc: "nll_loss of the log_softmax" },
    Entry { name: "cumprod", schema: "cumprod(Tensor self, int dim) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "CumprodBackward0", doc: "running product" },
    Entry { name: "cumsum", schema: "cumsum(Tensor self, int dim) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "CumsumBackward0", doc: "running sum" },
    Entry { name: "diag", schema: "diag(Tensor self, int diagonal=0) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "DiagonalBackward0_copy", doc: "diagonal of a matrix, or matrix of a diagonal" },
    Entry { name: "diagonal", schema: "diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "DiagonalBackward0", doc: "the diagonal as a view" },
    Entry { name: "digamma", schema: "digamma(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Digamma), rule: Rule::Elementwise, grad_fn: "DigammaBackward0", doc: "derivative of lgamma" },
    Entry { name: "div", schema: "div(Tensor self, Tensor | Number other, *, str? rounding_mode=None) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "DivBackward0", doc: "`a / b`, perhaps rounded" },
    Entry { name: "dot", schema: "dot(Tensor self, Tensor tensor) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_dot", &["self", "tensor"]), grad_fn: "DotBackward0", doc: "inner product" },
    Entry { name: "dropout", schema: "dropout(Tensor input, float p=0.5, bool training=True) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MulBackward0", doc: "sets a share of the entries to 0" },
    Entry { name: "einsum", schema: "einsum(str equation, Tensor[] operands) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewBackward0", doc: "sums of products by named dimensions" },
    Entry { name: "elu", schema: "elu(Tensor input, float alpha=1.0) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "EluBackward0", doc: "exponential below 0" },
    Entry { name: "embedding", schema: "embedding(Tensor input, Tensor weight, int? padding_idx=None) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_index_select", &["self", "index"]), grad_fn: "EmbeddingBackward0", doc: "rows of a table" },
    Entry { name: "empty", schema: "empty(int[] size) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "uninitialised" },
    Entry { name: "eq", schema: "eq(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Eq), rule: Rule::Elementwise, grad_fn: "", doc: "`a == b`" },
    Entry { name: "equal", schema: "equal(Tensor self, Tensor other) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_equal", &["self", "other"]), grad_fn: "", doc: "same shape and values, as a Python bool" },
    Entry { name: "erf", schema: "erf(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Erf), rule: Rule::Elementwise, grad_fn: "ErfBackward0", doc: "error function" },
    Entry { name: "erfc", schema: "erfc(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Erfc), rule: Rule::Elementwise, grad_fn: "ErfcBackward0", doc: "`1 - erf(x)`" },
    Entry { name: "erfinv", schema: "erfinv(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Erfinv), rule: Rule::Elementwise, grad_fn: "ErfinvBackward0", doc: "inverse error function" },
    Entry { name: "exp", schema: "exp(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Exp), rule: Rule::Elementwise, grad_fn: "ExpBackward0", doc: "e to the x" },
    Entry { name: "exp2", schema: "exp2(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Exp2), rule: Rule::Elementwise, grad_fn: "Exp2Backward0", doc: "2 to the x" },
    Entry { name: "expand", schema: "expand(Tensor self, int[] size) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ExpandBackward0", doc: "repeats without copying" },
    Entry { name: "expm1", schema: "expm1(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Expm1), rule: Rule::Elementwise, grad_fn: "Expm1Backward0", doc: "`exp(x) - 1`, exact near 0" },
    Entry { name: "eye", schema: "eye(int n, int m) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "ones on the diagonal" },
    Entry { name: "flatten", schema: "flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewBackward0", doc: "merges dimensions" },
    Entry { name: "flip", schema: "flip(Tensor self, int[] dims) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "FlipBackward0", doc: "reverses" },
    Entry { name: "floor", schema: "floor(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Floor), rule: Rule::Elementwise, grad_fn: "FloorBackward0", doc: "rounds down" },
    Entry { name: "floor_divide", schema: "floor_divide(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::FloorDiv), rule: Rule::Elementwise, grad_fn: "NotImplemented", doc: "Python's `//`; has no derivative" },
    Entry { name: "fmax", schema: "fmax(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Fmax), rule: Rule::Elementwise, grad_fn: "FmaxBackward0", doc: "the larger, ignoring NaN" },
    Entry { name: "fmin", schema: "fmin(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Fmin), rule: Rule::Elementwise, grad_fn: "FminBackward0", doc: "the smaller, ignoring NaN" },
    Entry { name: "fmod", schema: "fmod(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Fmod), rule: Rule::Elementwise, grad_fn: "FmodBackward0", doc: "C's `fmod`" },
    Entry { name: "frac", schema: "frac(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Frac), rule: Rule::Elementwise, grad_fn: "FracBackward0", doc: "`x - trunc(x)`" },
    Entry { name: "full", schema: "full(int[] size, Number fill_value) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "one value" },
    Entry { name: "gather", schema: "gather(Tensor self, int dim, Tensor index) -> Tensor", family: Family::Own, rule: Rule::Wrapper("gather", &["self", "index"]), grad_fn: "GatherBackward0", doc: "`out[i][j] = x[i][index[i][j]]`" },
    Entry { name: "ge", schema: "ge(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Ge), rule: Rule::Elementwise, grad_fn: "", doc: "`a >= b`" },
    Entry { name: "gelu", schema: "gelu(Tensor input, str approximate='none') -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "GeluBackward0", doc: "`x * Phi(x)`" },
    Entry { name: "glu", schema: "glu(Tensor input, int dim=-1) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "GluBackward0", doc: "gated linear unit" },
    Entry { name: "group_norm", schema: "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_native_group_norm", &["input", "weight", "bias"]), grad_fn: "NativeGroupNormBackward0", doc: "normalises groups of channels" },
    Entry { name: "gt", schema: "gt(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Gt), rule: Rule::Elementwise, grad_fn: "", doc: "`a > b`" },
    Entry { name: "hardsigmoid", schema: "hardsigmoid(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Hardsigmoid), rule: Rule::Elementwise, grad_fn: "HardsigmoidBackward0", doc: "`relu6(x + 3) / 6`" },
    Entry { name: "hardswish", schema: "hardswish(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Hardswish), rule: Rule::Elementwise, grad_fn: "HardswishBackward0", doc: "`x * relu6(x + 3) / 6`" },
    Entry { name: "hardtanh", schema: "hardtanh(Tensor input, float min_val=-1.0, float max_val=1.0) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "HardtanhBackward0", doc: "bounds values" },
    Entry { name: "huber_loss", schema: "huber_loss(Tensor input, Tensor target, str reduction='mean', float delta=1.0) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "HuberLossBackward0", doc: "squared near 0, absolute beyond" },
    Entry { name: "hypot", schema: "hypot(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Hypot), rule: Rule::Elementwise, grad_fn: "HypotBackward0", doc: "`sqrt(a*a + b*b)`" },
    Entry { name: "imag", schema: "imag(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SelectBackward0", doc: "imaginary parts as a view" },
    Entry { name: "index_add", schema: "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Number alpha=1) -> Tensor", family: Family::Own, rule: Rule::Wrapper("index_add", &["self", "index", "source"]), grad_fn: "IndexAddBackward0", doc: "adds into entries" },
    Entry { name: "index_copy", schema: "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", family: Family::Own, rule: Rule::Wrapper("index_copy", &["self", "index", "source"]), grad_fn: "IndexCopyBackward0", doc: "writes entries" },
    Entry { name: "index_fill", schema: "index_fill(Tensor self, int dim, Tensor index, Number value) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "IndexFillBackward0", doc: "fills entries" },
    Entry { name: "index_put", schema: "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "IndexPutBackward0", doc: "`x[indices] = values`" },
    Entry { name: "index_select", schema: "index_select(Tensor self, int dim, Tensor index) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_index_select", &["self", "index"]), grad_fn: "IndexSelectBackward0", doc: "entries along a dimension" },
    Entry { name: "isclose", schema: "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "", doc: "`|a - b| <= atol + rtol * |b|`" },
    Entry { name: "isfinite", schema: "isfinite(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::IsFinite), rule: Rule::Elementwise, grad_fn: "", doc: "true for numbers" },
    Entry { name: "isinf", schema: "isinf(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::IsInf), rule: Rule::Elementwise, grad_fn: "", doc: "true for infinities" },
    Entry { name: "isnan", schema: "isnan(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::IsNan), rule: Rule::Elementwise, grad_fn: "", doc: "true for NaN" },
    Entry { name: "kl_div", schema: "kl_div(Tensor input, Tensor target, str reduction='mean', bool log_target=False) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "MeanBackward0", doc: "divergence of distributions" },
    Entry { name: "kthvalue", schema: "kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "KthvalueBackward0", doc: "the k-th smallest" },
    Entry { name: "l1_loss", schema: "l1_loss(Tensor input, Tensor target, str reduction='mean') -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "MeanBackward0", doc: "absolute differences" },
    Entry { name: "layer_norm", schema: "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_native_layer_norm", &["input", "weight", "bias"]), grad_fn: "NativeLayerNormBackward0", doc: "normalises the last dimensions" },
    Entry { name: "le", schema: "le(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Le), rule: Rule::Elementwise, grad_fn: "", doc: "`a <= b`" },
    Entry { name: "leaky_relu", schema: "leaky_relu(Tensor input, float negative_slope=0.01) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "LeakyReluBackward0", doc: "a slope below 0" },
    Entry { name: "lerp", schema: "lerp(Tensor self, Tensor end, Tensor | float weight) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "LerpBackward0", doc: "`a + weight * (end - a)`" },
    Entry { name: "lgamma", schema: "lgamma(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Lgamma), rule: Rule::Elementwise, grad_fn: "LgammaBackward0", doc: "logarithm of the gamma function" },
    Entry { name: "linear", schema: "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", family: Family::Own, rule: Rule::Wrapper("addmm", &["self", "mat1", "mat2"]), grad_fn: "AddmmBackward0", doc: "`x @ weight.T + bias`" },
    Entry { name: "linspace", schema: "linspace(Number start, Number end, int steps) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "numbers at equal steps, both ends included" },
    Entry { name: "log", schema: "log(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Log), rule: Rule::Elementwise, grad_fn: "LogBackward0", doc: "natural logarithm" },
    Entry { name: "log10", schema: "log10(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Log10), rule: Rule::Elementwise, grad_fn: "Log10Backward0", doc: "logarithm to base 10" },
    Entry { name: "log1p", schema: "log1p(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Log1p), rule: Rule::Elementwise, grad_fn: "Log1PBackward0", doc: "`log(1 + x)`, exact near 0" },
    Entry { name: "log2", schema: "log2(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Log2), rule: Rule::Elementwise, grad_fn: "Log2Backward0", doc: "logarithm to base 2" },
    Entry { name: "log_softmax", schema: "log_softmax(Tensor input, int dim, *, dtype? dtype=None) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "LogSoftmaxBackward0", doc: "logarithm of the softmax" },
    Entry { name: "logical_and", schema: "logical_and(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::LogicalAnd), rule: Rule::Elementwise, grad_fn: "", doc: "both true" },
    Entry { name: "logical_not", schema: "logical_not(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::LogicalNot), rule: Rule::Elementwise, grad_fn: "", doc: "true for 0" },
    Entry { name: "logical_or", schema: "logical_or(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::LogicalOr), rule: Rule::Elementwise, grad_fn: "", doc: "either true" },
    Entry { name: "logical_xor", schema: "logical_xor(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::LogicalXor), rule: Rule::Elementwise, grad_fn: "", doc: "one true" },
    Entry { name: "logsigmoid", schema: "logsigmoid(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::LogSigmoid), rule: Rule::Elementwise, grad_fn: "LogSigmoidBackward0", doc: "logarithm of the sigmoid" },
    Entry { name: "logspace", schema: "logspace(Number start, Number end, int steps, float base=10.0) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "powers at equal steps" },
    Entry { name: "logsumexp", schema: "logsumexp(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "LogsumexpBackward0", doc: "`log(sum(exp(x)))`" },
    Entry { name: "lt", schema: "lt(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Lt), rule: Rule::Elementwise, grad_fn: "", doc: "`a < b`" },
    Entry { name: "masked_fill", schema: "masked_fill(Tensor self, Tensor mask, Tensor | Number value) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MaskedFillBackward0", doc: "writes a value where the mask is true" },
    Entry { name: "masked_select", schema: "masked_select(Tensor self, Tensor mask) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_masked_select", &["self", "mask"]), grad_fn: "MaskedSelectBackward0", doc: "what the mask marks" },
    Entry { name: "matmul", schema: "matmul(Tensor self, Tensor other) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MmBackward0", doc: "products of vectors, matrices and batches" },
    Entry { name: "max", schema: "max(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MaxBackward1", doc: "largest, or values and indices along a dimension" },
    Entry { name: "max_pool1d", schema: "max_pool1d(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, int[] dilation=1, bool ceil_mode=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SqueezeBackward1", doc: "largest of each window" },
    Entry { name: "max_pool2d", schema: "max_pool2d(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, int[] dilation=1, bool ceil_mode=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MaxPool2DWithIndicesBackward0", doc: "largest of each window" },
    Entry { name: "maximum", schema: "maximum(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Maximum), rule: Rule::Elementwise, grad_fn: "MaximumBackward0", doc: "the larger; ties share the gradient" },
    Entry { name: "mean", schema: "mean(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MeanBackward0", doc: "average" },
    Entry { name: "median", schema: "median(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MedianBackward0", doc: "lower middle value" },
    Entry { name: "meshgrid", schema: "meshgrid(Tensor[] tensors, str indexing='ij') -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ExpandBackward0", doc: "coordinates of a grid" },
    Entry { name: "min", schema: "min(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "MinBackward1", doc: "smallest, or values and indices along a dimension" },
    Entry { name: "minimum", schema: "minimum(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Minimum), rule: Rule::Elementwise, grad_fn: "MinimumBackward0", doc: "the smaller; ties share the gradient" },
    Entry { name: "mish", schema: "mish(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Mish), rule: Rule::Elementwise, grad_fn: "MishBackward0", doc: "`x * tanh(softplus(x))`" },
    Entry { name: "mm", schema: "mm(Tensor self, Tensor mat2) -> Tensor", family: Family::Own, rule: Rule::Wrapper("mm", &["self", "mat2"]), grad_fn: "MmBackward0", doc: "matrix product" },
    Entry { name: "movedim", schema: "movedim(Tensor self, int[] source, int[] destination) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "PermuteBackward0", doc: "moves dimensions" },
    Entry { name: "mse_loss", schema: "mse_loss(Tensor input, Tensor target, str reduction='mean') -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "MseLossBackward0", doc: "squared differences" },
    Entry { name: "mul", schema: "mul(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Mul), rule: Rule::Elementwise, grad_fn: "MulBackward0", doc: "`a * b`" },
    Entry { name: "multinomial", schema: "multinomial(Tensor input, int num_samples, bool replacement=False) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "indices drawn by weight" },
    Entry { name: "mv", schema: "mv(Tensor self, Tensor vec) -> Tensor", family: Family::Own, rule: Rule::Wrapper("addmv_", &["self", "mat", "vec"]), grad_fn: "MvBackward0", doc: "matrix times vector" },
    Entry { name: "nan_to_num", schema: "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "NanToNumBackward0", doc: "replaces NaN and infinities" },
    Entry { name: "nansum", schema: "nansum(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "NansumBackward0", doc: "sum of what is not NaN" },
    Entry { name: "narrow", schema: "narrow(Tensor self, int dim, int start, int length) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SliceBackward0", doc: "a range along a dimension" },
    Entry { name: "ne", schema: "ne(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Ne), rule: Rule::Elementwise, grad_fn: "", doc: "`a != b`" },
    Entry { name: "neg", schema: "neg(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Neg), rule: Rule::Elementwise, grad_fn: "NegBackward0", doc: "`-x`" },
    Entry { name: "nll_loss", schema: "nll_loss(Tensor input, Tensor target, Tensor? weight=None, int ignore_index=-100, str reduction='mean') -> Tensor", family: Family::Own, rule: Rule::Wrapper("nll_loss_forward", &["self", "target", "weight"]), grad_fn: "NllLossBackward0", doc: "minus the logarithm at the class" },
    Entry { name: "nonzero", schema: "nonzero(Tensor self, *, bool as_tuple=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "where it is not 0" },
    Entry { name: "norm", schema: "norm(Tensor self, Number p=2, int[]? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "LinalgVectorNormBackward0", doc: "vector norm" },
    Entry { name: "normal", schema: "normal(Tensor | float mean, Tensor | float std) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "NormalBackward3", doc: "normal" },
    Entry { name: "normalize", schema: "normalize(Tensor input, float p=2, int dim=1, float eps=1e-12) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "DivBackward0", doc: "divides by the norm" },
    Entry { name: "one_hot", schema: "one_hot(Tensor tensor, int num_classes=-1) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "a 1 at each class" },
    Entry { name: "ones", schema: "ones(int[] size) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "ones" },
    Entry { name: "pad", schema: "pad(Tensor input, int[] pad, str mode='constant', Number? value=None) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ConstantPadNdBackward0", doc: "adds borders" },
    Entry { name: "permute", schema: "permute(Tensor self, int[] dims) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "PermuteBackward0", doc: "dimensions in another order" },
    Entry { name: "polar", schema: "polar(Tensor abs, Tensor angle) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "PolarBackward0", doc: "complex numbers of their size and angle" },
    Entry { name: "pow", schema: "pow(Tensor | Number self, Tensor | Number exponent) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "PowBackward0", doc: "a to the b" },
    Entry { name: "prelu", schema: "prelu(Tensor input, Tensor weight) -> Tensor", family: Family::Own, rule: Rule::Wrapper("__prelu_kernel", &["self", "weight"]), grad_fn: "WhereBackward0", doc: "relu with a learned slope" },
    Entry { name: "prod", schema: "prod(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ProdBackward0", doc: "multiplies" },
    Entry { name: "rand", schema: "rand(int[] size) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "uniform in [0, 1)" },
    Entry { name: "randint", schema: "randint(int low, int high, int[] size) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "integers" },
    Entry { name: "randn", schema: "randn(int[] size) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "standard normal" },
    Entry { name: "randperm", schema: "randperm(int n) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "a permutation" },
    Entry { name: "real", schema: "real(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SelectBackward0", doc: "real parts as a view" },
    Entry { name: "reciprocal", schema: "reciprocal(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Reciprocal), rule: Rule::Elementwise, grad_fn: "ReciprocalBackward0", doc: "`1 / x`" },
    Entry { name: "relu", schema: "relu(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Relu), rule: Rule::Elementwise, grad_fn: "ReluBackward0", doc: "`max(x, 0)`; slope 0 at 0" },
    Entry { name: "remainder", schema: "remainder(Tensor self, Tensor | Number other) -> Tensor", family: Family::Binary(BinaryOp::Remainder), rule: Rule::Elementwise, grad_fn: "RemainderBackward0", doc: "Python's `%`" },
    Entry { name: "repeat", schema: "repeat(Tensor self, int[] repeats) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "RepeatBackward0", doc: "copies side by side" },
    Entry { name: "repeat_interleave", schema: "repeat_interleave(Tensor self, int | Tensor repeats, int? dim=None) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewBackward0", doc: "copies of each entry" },
    Entry { name: "reshape", schema: "reshape(Tensor self, int[] shape) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewBackward0", doc: "another shape, copying if it must" },
    Entry { name: "roll", schema: "roll(Tensor self, int[] shifts, int[] dims=()) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "RollBackward0", doc: "shifts around" },
    Entry { name: "round", schema: "round(Tensor self, *, int decimals=0) -> Tensor", family: Family::Unary(UnaryOp::Round), rule: Rule::Elementwise, grad_fn: "RoundBackward0", doc: "rounds to the nearest, halves to even" },
    Entry { name: "rsqrt", schema: "rsqrt(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Rsqrt), rule: Rule::Elementwise, grad_fn: "RsqrtBackward0", doc: "`1 / sqrt(x)`" },
    Entry { name: "rsub", schema: "rsub(Tensor self, Tensor | Number other, *, Number alpha=1) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "RsubBackward1", doc: "`b - alpha * a`" },
    Entry { name: "scatter", schema: "scatter(Tensor self, int dim, Tensor index, Tensor | Number src) -> Tensor", family: Family::Own, rule: Rule::Wrapper("scatter_src", &["self", "index", "src"]), grad_fn: "ScatterBackward0", doc: "`out[i][index[i][j]] = src[i][j]`" },
    Entry { name: "scatter_add", schema: "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", family: Family::Own, rule: Rule::Wrapper("scatter_add", &["self", "index", "src"]), grad_fn: "ScatterAddBackward0", doc: "scatter, adding" },
    Entry { name: "scatter_reduce", schema: "scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor", family: Family::Own, rule: Rule::Wrapper("scatter_reduce_two", &["self", "index", "src"]), grad_fn: "ScatterReduceBackward0", doc: "scatter, reducing" },
    Entry { name: "searchsorted", schema: "searchsorted(Tensor sorted_sequence, Tensor | Number self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor", family: Family::Own, rule: Rule::Wrapper("Tensor_searchsorted", &["sorted_sequence", "self"]), grad_fn: "", doc: "where values would be inserted" },
    Entry { name: "select", schema: "select(Tensor self, int dim, int index) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SelectBackward0", doc: "one entry along a dimension" },
    Entry { name: "sigmoid", schema: "sigmoid(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Sigmoid), rule: Rule::Elementwise, grad_fn: "SigmoidBackward0", doc: "`1 / (1 + exp(-x))`" },
    Entry { name: "sign", schema: "sign(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Sign), rule: Rule::Elementwise, grad_fn: "SignBackward0", doc: "-1, 0 or 1" },
    Entry { name: "silu", schema: "silu(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Silu), rule: Rule::Elementwise, grad_fn: "SiluBackward0", doc: "`x * sigmoid(x)`" },
    Entry { name: "sin", schema: "sin(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Sin), rule: Rule::Elementwise, grad_fn: "SinBackward0", doc: "sine" },
    Entry { name: "sinh", schema: "sinh(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Sinh), rule: Rule::Elementwise, grad_fn: "SinhBackward0", doc: "hyperbolic sine" },
    Entry { name: "smooth_l1_loss", schema: "smooth_l1_loss(Tensor input, Tensor target, str reduction='mean', float beta=1.0) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "SmoothL1LossBackward0", doc: "squared near 0, absolute beyond" },
    Entry { name: "softmax", schema: "softmax(Tensor input, int dim, *, dtype? dtype=None) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SoftmaxBackward0", doc: "shares that add up to 1" },
    Entry { name: "softplus", schema: "softplus(Tensor input, float beta=1.0, float threshold=20.0) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "SoftplusBackward0", doc: "`log(1 + exp(beta * x)) / beta`" },
    Entry { name: "softsign", schema: "softsign(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Softsign), rule: Rule::Elementwise, grad_fn: "DivBackward0", doc: "`x / (1 + |x|)`" },
    Entry { name: "sort", schema: "sort(Tensor self, int dim) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SortBackward0", doc: "values in order and where they were" },
    Entry { name: "split", schema: "split(Tensor self, int | int[] split_size, int dim=0) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SplitBackward0", doc: "views of given sizes" },
    Entry { name: "sqrt", schema: "sqrt(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Sqrt), rule: Rule::Elementwise, grad_fn: "SqrtBackward0", doc: "square root" },
    Entry { name: "square", schema: "square(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Square), rule: Rule::Elementwise, grad_fn: "PowBackward0", doc: "`x * x`" },
    Entry { name: "squeeze", schema: "squeeze(Tensor self, int[]? dim=None) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SqueezeBackward0", doc: "drops dimensions of size 1" },
    Entry { name: "stack", schema: "stack(Tensor[] tensors, int dim=0) -> Tensor", family: Family::Own, rule: Rule::Wrapper("cat", &["tensors"]), grad_fn: "StackBackward0", doc: "joins along a new dimension" },
    Entry { name: "std", schema: "std(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "StdBackward0", doc: "standard deviation" },
    Entry { name: "sub", schema: "sub(Tensor self, Tensor | Number other, *, Number alpha=1) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "SubBackward0", doc: "`a - alpha * b`" },
    Entry { name: "sum", schema: "sum(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SumBackward0", doc: "adds" },
    Entry { name: "t", schema: "t(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "TBackward0", doc: "a matrix transposed" },
    Entry { name: "take", schema: "take(Tensor self, Tensor index) -> Tensor", family: Family::Own, rule: Rule::Wrapper("_take", &["self", "index"]), grad_fn: "TakeBackward0", doc: "entries of the flattened tensor" },
    Entry { name: "tan", schema: "tan(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Tan), rule: Rule::Elementwise, grad_fn: "TanBackward0", doc: "tangent" },
    Entry { name: "tanh", schema: "tanh(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Tanh), rule: Rule::Elementwise, grad_fn: "TanhBackward0", doc: "hyperbolic tangent" },
    Entry { name: "tensor_split", schema: "tensor_split(Tensor self, int | int[] | Tensor sections, int dim=0) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "SliceBackward0", doc: "views as even as can be" },
    Entry { name: "tensordot", schema: "tensordot(Tensor a, Tensor b, int[] dims_a, int[] dims_b) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewBackward0", doc: "contracts dimensions" },
    Entry { name: "threshold", schema: "threshold(Tensor input, float threshold, float value) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "ThresholdBackward0", doc: "a value below the threshold" },
    Entry { name: "tile", schema: "tile(Tensor self, int[] dims) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "RepeatBackward0", doc: "copies side by side" },
    Entry { name: "topk", schema: "topk(Tensor self, int k, int dim=-1, bool largest=True) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "TopkBackward0", doc: "the largest and where they are" },
    Entry { name: "transpose", schema: "transpose(Tensor self, int dim0, int dim1) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "TransposeBackward0", doc: "two dimensions exchanged" },
    Entry { name: "tril", schema: "tril(Tensor self, int diagonal=0) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "TrilBackward0", doc: "lower triangle" },
    Entry { name: "tril_indices", schema: "tril_indices(int row, int col, int offset=0) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "where the lower triangle is" },
    Entry { name: "triu", schema: "triu(Tensor self, int diagonal=0) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "TriuBackward0", doc: "upper triangle" },
    Entry { name: "triu_indices", schema: "triu_indices(int row, int col, int offset=0) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "where the upper triangle is" },
    Entry { name: "trunc", schema: "trunc(Tensor self) -> Tensor", family: Family::Unary(UnaryOp::Trunc), rule: Rule::Elementwise, grad_fn: "TruncBackward0", doc: "rounds towards 0" },
    Entry { name: "unbind", schema: "unbind(Tensor self, int dim=0) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "UnbindBackward0", doc: "a view for each entry" },
    Entry { name: "unflatten", schema: "unflatten(Tensor self, int dim, int[] sizes) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewBackward0", doc: "splits a dimension in several" },
    Entry { name: "unfold", schema: "unfold(Tensor self, int dimension, int size, int step) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "UnfoldBackward0", doc: "sliding windows as a view" },
    Entry { name: "unique", schema: "unique(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, int? dim=None) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "", doc: "distinct values in order" },
    Entry { name: "unsqueeze", schema: "unsqueeze(Tensor self, int dim) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "UnsqueezeBackward0", doc: "adds a dimension of size 1" },
    Entry { name: "var", schema: "var(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "VarBackward0", doc: "variance" },
    Entry { name: "view", schema: "view(Tensor self, int[] size) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewBackward0", doc: "another shape of the same memory" },
    Entry { name: "view_as_complex", schema: "view_as_complex(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewAsComplexBackward0", doc: "a last dimension of 2 as complex numbers" },
    Entry { name: "view_as_real", schema: "view_as_real(Tensor self) -> Tensor", family: Family::Own, rule: Rule::Free, grad_fn: "ViewAsRealBackward0", doc: "both parts as a last dimension of 2" },
    Entry { name: "where", schema: "where(Tensor condition, Tensor | Number self, Tensor | Number other) -> Tensor", family: Family::Own, rule: Rule::Elementwise, grad_fn: "WhereBackward0", doc: "picks by condition" },
    Entry { name: "zeros", schema: "zeros(int[] size) -> Tensor", family: Family::Create, rule: Rule::Free, grad_fn: "", doc: "zeros" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::dtype::DType;
    use crate::ops;

    #[test]
    fn is_sorted_and_names_resolve() {
        assert!(OPERATORS.windows(2).all(|w| w[0].name < w[1].name));
        for (alias, name) in ALIASES {
            assert!(find(name).is_some() && find(alias).is_none(), "{alias} -> {name}");
        }
        for e in OPERATORS {
            assert!(e.schema.starts_with(&format!("{}(", e.name)), "{}", e.schema);
        }
        assert_eq!(unary("exp"), Some(UnaryOp::Exp));
        assert_eq!(binary("multiply"), Some(BinaryOp::Mul));
        assert_eq!(unary("mul"), None);
    }

    /// The node an elementwise operator records is the one the table promises.
    #[test]
    fn elementwise_operators_record_the_promised_node() {
        let x = ops::create::full(&[2], 0.5.into(), DType::F32, Device::CPU).unwrap();
        x.set_requires_grad(true).unwrap();
        for e in OPERATORS {
            let out = match e.family {
                Family::Unary(UnaryOp::BitwiseNot) => continue,
                Family::Unary(op) => ops::unary(op, &x),
                Family::Binary(
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr,
                ) => {
                    continue;
                }
                Family::Binary(op) => ops::binary(op, &(&x).into(), &(&x).into()),
                Family::Create | Family::Own => continue,
            };
            let out = out.unwrap_or_else(|error| panic!("{}: {error}", e.name));
            let node = out.grad_fn().map_or(String::new(), |f| f.name.to_string());
            assert_eq!(node, e.grad_fn, "{}", e.name);
        }
    }

    /// `TENSORYARD_WRITE=1 cargo test --lib table` writes the page anew.
    #[test]
    fn the_reference_page_is_what_the_table_renders() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operators.md");
        let head = "# Operators\n\nRendered from `src/ops/table.rs`. \"devices\" is the same-device rule: elementwise operators \
                    let 0-dim CPU tensors meet any device; a name is PyTorch's wrapper that checks its arguments one by one.\n\n";
        let page = format!("{head}{}", markdown());
        assert_eq!(markdown().lines().count(), OPERATORS.len() + 2);
        if std::env::var_os("TENSORYARD_WRITE").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        assert!(std::fs::read_to_string(path).unwrap() == page, "docs/operators.md is not what the table says");
    }
}
