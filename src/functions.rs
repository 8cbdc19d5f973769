//! The elementwise functions and the reductions, each declared once.
//!
//! Each line here is a function: the variant with which kernels are launched, with example values for its parameters; the
//! name of its row, which is the operator (`ops::rows`); its name in traces and shaders; and that row. The enums
//! (`executor::kernel`), the rows (`ops::rows::elementwise`), the bindings for Python, and the lists over which tests run are
//! made from these lines.

/// Elementwise functions of one value.
macro_rules! unary_functions {
    ($use:ident) => {
        $use! { UnaryOp:
            Neg NEG "neg" => same("neg", "`-x`", "NegBackward0").aka(&["negative"]).out(Out::Found).refuses_bool(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
            );
            Abs ABS "abs" => same("abs", "`|x|`; slope 0 at 0", "AbsBackward0").aka(&["absolute"]).saves(Saves::Input).refuses_bool("abs_cpu").out(Out::Found);
            Sign SIGN "sign" => same("sign", "-1, 0 or 1", "SignBackward0").out(Out::Found).refuses_complex(
                "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.",
            );
            Exp EXP "exp" => float("exp", "`e^x`", "ExpBackward0").autocast_accelerators(Policy::Full).saves(Saves::Output);
            Exp2 EXP2 "exp2" => float("exp2", "`2^x`", "Exp2Backward0").saves(Saves::Output);
            Expm1 EXPM1 "expm1" => float("expm1", "`e^x - 1`", "Expm1Backward0").autocast_accelerators(Policy::Full).saves(Saves::Output);
            Log LOG "log" => float("log", "natural logarithm", "LogBackward0").autocast_accelerators(Policy::Full).saves(Saves::Input);
            Log2 LOG2 "log2" => float("log2", "logarithm to base 2", "Log2Backward0").autocast_accelerators(Policy::Full).saves(Saves::Input);
            Log10 LOG10 "log10" => float("log10", "logarithm to base 10", "Log10Backward0").autocast_accelerators(Policy::Full).saves(Saves::Input);
            Log1p LOG1P "log1p" => float("log1p", "`ln(1 + x)`", "Log1PBackward0").autocast_accelerators(Policy::Full).saves(Saves::Input);
            Sqrt SQRT "sqrt" => float("sqrt", "square root", "SqrtBackward0").saves(Saves::Output);
            Rsqrt RSQRT "rsqrt" => float("rsqrt", "`1 / sqrt(x)`", "RsqrtBackward0").autocast_accelerators(Policy::Full).saves(Saves::Output);
            Reciprocal RECIPROCAL "reciprocal" => float("reciprocal", "`1 / x`", "ReciprocalBackward0").autocast_accelerators(Policy::Full).saves(Saves::Output);
            Square SQUARE "square" => same("square", "`x * x`", "PowBackward0").saves(Saves::Input).below("pow");
            Sin SIN "sin" => float("sin", "sine", "SinBackward0").saves(Saves::Input);
            Cos COS "cos" => float("cos", "cosine", "CosBackward0").saves(Saves::Input);
            Tan TAN "tan" => float("tan", "tangent", "TanBackward0").autocast_accelerators(Policy::Full).saves(Saves::Output);
            Asin ASIN "asin" => float("asin", "inverse sine", "AsinBackward0").autocast_accelerators(Policy::Full).aka(&["arcsin"]).saves(Saves::Input);
            Acos ACOS "acos" => float("acos", "inverse cosine", "AcosBackward0").autocast_accelerators(Policy::Full).aka(&["arccos"]).saves(Saves::Input);
            Atan ATAN "atan" => float("atan", "inverse tangent", "AtanBackward0").aka(&["arctan"]).saves(Saves::Input);
            Sinh SINH "sinh" => float("sinh", "hyperbolic sine", "SinhBackward0").autocast_accelerators(Policy::Full).saves(Saves::Input);
            Cosh COSH "cosh" => float("cosh", "hyperbolic cosine", "CoshBackward0").autocast_accelerators(Policy::Full).saves(Saves::Input);
            Tanh TANH "tanh" => float("tanh", "hyperbolic tangent", "TanhBackward0").saves(Saves::Output);
            Asinh ASINH "asinh" => float("asinh", "inverse hyperbolic sine", "AsinhBackward0").aka(&["arcsinh"]).saves(Saves::Input);
            Acosh ACOSH "acosh" => float("acosh", "inverse hyperbolic cosine", "AcoshBackward0").aka(&["arccosh"]).saves(Saves::Input);
            Atanh ATANH "atanh" => float("atanh", "inverse hyperbolic tangent", "AtanhBackward0").aka(&["arctanh"]).saves(Saves::Input);
            Erf ERF "erf" => float("erf", "error function", "ErfBackward0").saves(Saves::Input).refuses_complex("erf_vml_cpu");
            Erfc ERFC "erfc" => float("erfc", "`1 - erf(x)`", "ErfcBackward0").saves(Saves::Input).refuses_complex("erfc_vml_cpu");
            Erfinv ERFINV "erfinv" => float("erfinv", "inverse error function", "ErfinvBackward0").autocast_accelerators(Policy::Full).saves(Saves::Output).refuses_complex("erfinv_vml_cpu");
            Lgamma LGAMMA "lgamma" => float("lgamma", "logarithm of gamma", "LgammaBackward0").saves(Saves::Input).refuses_complex("lgamma_vml_cpu");
            Digamma DIGAMMA "digamma" => float("digamma", "derivative of lgamma", "DigammaBackward0").saves(Saves::Input).refuses_complex("digamma");
            Sigmoid SIGMOID "sigmoid" => float("sigmoid", "`1 / (1 + e^-x)`", "SigmoidBackward0").saves(Saves::Output);
            LogSigmoid LOG_SIGMOID "log_sigmoid" => layer("logsigmoid", "logarithm of sigmoid", "LogSigmoidBackward0")
                .said("log_sigmoid").below("log_sigmoid_forward").saves(Saves::Input).refuses_whole("log_sigmoid_cpu").refuses_complex("log_sigmoid_cpu");
            Relu RELU "relu" => same("relu", "0 where negative", "ReluBackward0").saves(Saves::Output).takes(&["(Tensor input)"])
                .refuses_bool("Boolean inputs not supported for relu").refuses_complex("clamp is not supported for complex types");
            /// `x * Phi(x)`, computed with erf.
            Gelu GELU "gelu" => layer("gelu", "`x * Phi(x)`", "GeluBackward0").own().saves(Saves::Input).out(Out::Found)
                .takes(&["(Tensor input, *, c10::string_view approximate=\"none\", Tensor out=None)"])
                .refuses_whole("GeluKernelImpl").refuses_complex("GeluKernelImpl");
            /// The tanh approximation.
            GeluTanh GELU_TANH "gelu_tanh" => kernel("GeluBackward0").gives(Gives::Same).saves(Saves::Input)
                .refuses_whole("GeluKernelImpl").refuses_complex("GeluKernelImpl");
            Silu SILU "silu" => layer("silu", "`x * sigmoid(x)`", "SiluBackward0").saves(Saves::Input).refuses_whole("silu_cpu");
            Mish MISH "mish" => layer("mish", "`x * tanh(softplus(x))`", "MishBackward0").saves(Saves::Input)
                .refuses_whole("mish_cpu").refuses_complex("mish_cpu");
            Hardswish HARDSWISH "hardswish" => layer("hardswish", "`x * relu6(x + 3) / 6`", "HardswishBackward0").saves(Saves::Input)
                .refuses_whole("hardswish_cpu").refuses_complex("hardswish_cpu");
            Hardsigmoid HARDSIGMOID "hardsigmoid" => layer("hardsigmoid", "`relu6(x + 3) / 6`", "HardsigmoidBackward0").saves(Saves::Input)
                .refuses_whole("hardsigmoid_cpu").refuses_complex("hardsigmoid_cpu");
            Softsign SOFTSIGN "softsign" => layer("softsign", "`x / (1 + |x|)`", "DivBackward0").gives(Gives::Float).saves(Saves::Input)
                .takes(&["def (input)"]);
            Softplus { beta: f64 = 1.0, threshold: f64 = 20.0 } SOFTPLUS "softplus" => layer("softplus", "`ln(1 + e^x)`", "SoftplusBackward0").autocast_accelerators(Policy::Full)
                .own().saves(Saves::Input).out(Out::Found).takes(&["(Tensor input, Scalar beta=1, Scalar threshold=20, *, Tensor out=None)"])
                .refuses_whole("softplus_cpu").refuses_complex("softplus_cpu");
            /// `scale * (x > 0 ? x : alpha * expm1(input_scale * x))`; covers elu, selu and celu.
            Elu { alpha: f64 = 1.0, scale: f64 = 1.0, input_scale: f64 = 1.0 } ELU "elu" => layer("elu", "`x > 0 ? x : alpha * (e^x - 1)`", "EluBackward0")
                .own().saves(Saves::Input).takes(&["(Tensor input, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor out=None)"])
                .refuses_whole("elu_cpu").refuses_complex("elu_cpu");
            LeakyRelu { slope: f64 = 0.1 } LEAKY_RELU "leaky_relu" => layer("leaky_relu", "`x` times a small factor where negative", "LeakyReluBackward0")
                .own().saves(Saves::Input).takes(&["(Tensor input, Scalar negative_slope=0.01, *, Tensor out=None)"])
                .refuses_whole("leaky_relu_cpu").refuses_complex("leaky_relu_cpu");
            /// `x > threshold ? x : value`.
            Threshold { threshold: f64 = 1.0, value: f64 = 2.0 } THRESHOLD "threshold" => layer("threshold", "replaces elements that are not above the threshold by a value", "ThresholdBackward0")
                .own().saves(Saves::Input).takes(&["(Tensor input, Scalar threshold, Scalar value, *, Tensor out=None)"])
                .refuses_bool("threshold_cpu").refuses_complex("threshold_cpu");
            /// A missing bound is infinite; NaN stays NaN.
            Clamp { min: Option<Scalar> = None, max: Option<Scalar> = Some(Scalar::Int(3)) } CLAMP "clamp"
                => same("clamp", "bounds values; slope 0 at the bounds", "ClampBackward1").aka(&["clip"]).own().saves(Saves::Input)
                .takes(&[
                    "(Tensor input, Tensor? min=None, Tensor? max=None, *, Tensor out=None)",
                    "(Tensor input, Scalar? min=None, Scalar? max=None, *, Tensor out=None)",
                ])
                .wrapper("clamp_Tensor", &["self", "min", "max"])
                .refuses_bool("clamp_scalar_cpu").refuses_complex("clamp is not supported for complex types");
            Floor FLOOR "floor" => same("floor", "rounds down", "FloorBackward0").out(Out::Found)
                .refuses_bool("floor_vml_cpu").refuses_complex("floor is not supported for complex inputs");
            Ceil CEIL "ceil" => same("ceil", "rounds up", "CeilBackward0").out(Out::Found)
                .refuses_bool("ceil_vml_cpu").refuses_complex("ceil is not supported for complex inputs");
            /// Half to even.
            Round ROUND "round" => same("round", "to the nearest, half to even", "RoundBackward0").own().out(Out::Found)
                .takes(&["(Tensor input, *, Tensor out=None)", "(Tensor input, *, int64_t decimals, Tensor out=None)"])
                .refuses_bool("round_vml_cpu").refuses_complex("round_vml_cpu");
            Trunc TRUNC "trunc" => same("trunc", "rounds toward 0", "TruncBackward0").aka(&["fix"]).out(Out::Found)
                .refuses_bool("trunc_vml_cpu").refuses_complex("trunc is not supported for complex inputs");
            Frac FRAC "frac" => same("frac", "the fractional part", "FracBackward0").out(Out::Found).refuses_whole("frac_cpu").refuses_complex("frac_cpu");
            IsNan ISNAN "isnan" => question("isnan", "whether it is NaN");
            IsInf ISINF "isinf" => question("isinf", "whether it is infinite");
            IsFinite ISFINITE "isfinite" => question("isfinite", "whether it is neither infinite nor NaN");
            LogicalNot LOGICAL_NOT "logical_not" => same("logical_not", "`x == 0`", "").gives(Gives::Bool).free();
            /// Bitwise; logical for bool.
            BitwiseNot BITWISE_NOT "bitwise_not" => same("bitwise_not", "inverts bits; logical for bool", "").gives(Gives::Integer).out(Out::Found).free();
            NanToNum { nan: f64 = 0.0, posinf: f64 = 1.0, neginf: f64 = -1.0 } NAN_TO_NUM "nan_to_num"
                => same("nan_to_num", "replaces NaN and infinities", "NanToNumBackward0").own().saves(Saves::Input)
                .takes(&["(Tensor input, double? nan=None, double? posinf=None, double? neginf=None, *, Tensor out=None)"]);
        }
    };
}
pub(crate) use unary_functions;

/// Elementwise functions of two values. Comparisons write bool (or any dtype as 0 and 1).
macro_rules! binary_functions {
    ($use:ident) => {
        $use! { BinaryOp:
            Add ADD "add" => two("add", "`a + alpha * b`", "AddBackward0").own().numbers()
                .takes(&["(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)", DEPRECATED]);
            Sub SUB "sub" => two("sub", "`a - alpha * b`", "SubBackward0").own().numbers()
                .takes(&["(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)", DEPRECATED]);
            Mul MUL "mul" => two("mul", "`a * b`", "MulBackward0").numbers();
            /// True division; `compute` is a float dtype.
            Div DIV "div" => two("div", "`a / b`", "DivBackward0").gives(Gives::Float).own().numbers().takes(&[
                "(Tensor input, Tensor other, *, Tensor out=None)",
                "(Tensor input, Tensor other, *, c10::string_view? rounding_mode, Tensor out=None)",
                "(Tensor input, Scalar other, *, c10::string_view? rounding_mode)",
            ]);
            /// Rounds toward minus infinity, like Python's `//`.
            FloorDiv FLOOR_DIVIDE "floor_divide" => two("floor_divide", "division rounded down", "NotImplemented").numbers().free()
                .takes(NUMBER_TO).refuses_bool("div_floor_cpu").refuses_complex("div_floor_cpu");
            /// Rounds toward zero.
            TruncDiv TRUNC_DIVIDE "trunc_divide" => kernel("DivBackward2").gives(Gives::Same).refuses_bool("div_trunc_cpu").refuses_complex("div_trunc_cpu");
            /// With the sign of the divisor, like Python's `%`.
            Remainder REMAINDER "remainder" => two("remainder", "remainder of the division, with the divisor's sign", "RemainderBackward1")
                .takes(NUMBER_ON_EITHER_SIDE).refuses_bool("remainder_cpu").refuses_complex("remainder_cpu");
            /// With the sign of the dividend, like C's `fmod`.
            Fmod FMOD "fmod" => two("fmod", "remainder of the division, with the dividend's sign", "FmodBackward1")
                .takes(NUMBER_OR_TENSOR).refuses_bool("fmod_cpu").refuses_complex("fmod_cpu");
            Pow POW "pow" => two("pow", "`a ^ b`", "PowBackward0").autocast_accelerators(Policy::Full).own().refuses_bool("pow").takes(&[
                "(Tensor input, Tensor exponent, *, Tensor out=None)",
                "(Scalar self, Tensor exponent, *, Tensor out=None)",
                "(Tensor input, Scalar exponent, *, Tensor out=None)",
            ]);
            /// NaN wins.
            Maximum MAXIMUM "maximum" => two("maximum", "the larger; NaN wins", "MaximumBackward0").not_in_place()
                .refuses_complex("maximum not implemented for complex tensors.");
            Minimum MINIMUM "minimum" => two("minimum", "the smaller; NaN wins", "MinimumBackward0").not_in_place()
                .refuses_complex("minimum not implemented for complex tensors.");
            /// NaN loses.
            Fmax FMAX "fmax" => two("fmax", "the larger; NaN loses", "FmaxBackward0").not_in_place()
                .refuses_complex("fmax not implemented for complex tensors.");
            Fmin FMIN "fmin" => two("fmin", "the smaller; NaN loses", "FminBackward0").not_in_place()
                .refuses_complex("fmin not implemented for complex tensors.");
            Atan2 ATAN2 "atan2" => two("atan2", "angle of (b, a)", "Atan2Backward0").autocast_accelerators(Policy::Widest).gives(Gives::Float).aka(&["arctan2"]).refuses_complex("atan2_cpu");
            Hypot HYPOT "hypot" => two("hypot", "`sqrt(a^2 + b^2)`", "HypotBackward0").refuses_whole("hypot_cpu").refuses_complex("hypot_cpu");
            /// `a + alpha * b`.
            Axpy { alpha: Scalar = Scalar::Int(2) } AXPY "axpy" => kernel("AddBackward0").gives(Gives::Same);
            Eq EQ "eq" => compare("eq", "`a == b`");
            Ne NE "ne" => compare("ne", "`a != b`").aka(&["not_equal"]);
            Lt LT "lt" => compare("lt", "`a < b`").aka(&["less"]).refuses_complex("lt_cpu");
            Le LE "le" => compare("le", "`a <= b`").aka(&["less_equal"]).refuses_complex("le_cpu");
            Gt GT "gt" => compare("gt", "`a > b`").aka(&["greater"]).refuses_complex("gt_cpu");
            Ge GE "ge" => compare("ge", "`a >= b`").aka(&["greater_equal"]).refuses_complex("ge_cpu");
            LogicalAnd LOGICAL_AND "logical_and" => compare("logical_and", "both not 0").takes(TENSORS);
            LogicalOr LOGICAL_OR "logical_or" => compare("logical_or", "one not 0").takes(TENSORS);
            LogicalXor LOGICAL_XOR "logical_xor" => compare("logical_xor", "just one not 0").takes(TENSORS);
            BitAnd BITWISE_AND "bitwise_and" => bits("bitwise_and", "`a & b`").free();
            BitOr BITWISE_OR "bitwise_or" => bits("bitwise_or", "`a | b`").free();
            BitXor BITWISE_XOR "bitwise_xor" => bits("bitwise_xor", "`a ^ b`").free();
            Shl BITWISE_LEFT_SHIFT "shift_left" => bits("bitwise_left_shift", "`a << b`").refuses_bool("lshift_cpu");
            Shr BITWISE_RIGHT_SHIFT "shift_right" => bits("bitwise_right_shift", "`a >> b`").refuses_bool("rshift_cpu");
            /// `(a - b)^2`: mse_loss.
            SquaredDifference SQUARED_DIFFERENCE "squared_difference" => kernel("MseLossBackward0").gives(Gives::Same).refuses_whole("mse_cpu").refuses_complex("mse_cpu");
            /// `|a - b|`: l1_loss.
            AbsDifference ABS_DIFFERENCE "abs_difference" => kernel("AbsBackward0").gives(Gives::Same);
            SmoothL1 { beta: f64 = 1.0 } SMOOTH_L1 "smooth_l1" => kernel("SmoothL1LossBackward0").gives(Gives::Same).refuses_whole("smooth_l1_cpu").refuses_complex("smooth_l1_cpu");
            Huber { delta: f64 = 1.0 } HUBER "huber" => kernel("HuberLossBackward0").gives(Gives::Same).refuses_whole("huber_cpu").refuses_complex("huber_cpu");
            /// For a probability `a` and a target `b`. Logarithms are clamped at -100.
            BinaryCrossEntropy BCE "binary_cross_entropy" => kernel("BinaryCrossEntropyBackward0").refuses_whole("binary_cross_entropy").refuses_complex("binary_cross_entropy");
            /// For a logit `a` and a target `b`.
            BinaryCrossEntropyWithLogits BCE_WITH_LOGITS "binary_cross_entropy_with_logits" => kernel("BinaryCrossEntropyWithLogitsBackward0");
            // What follows takes the incoming gradient as `a` and a saved value as `b`.
            /// `b` is the output.
            SigmoidBackward SIGMOID_BACKWARD "sigmoid_backward" => kernel("SigmoidBackwardBackward0").gives(Gives::Same);
            /// `b` is the output.
            TanhBackward TANH_BACKWARD "tanh_backward" => kernel("TanhBackwardBackward0").gives(Gives::Same);
            /// `b > threshold ? a : 0`; for relu `b` may be the output.
            ThresholdBackward { threshold: f64 = 0.0 } THRESHOLD_BACKWARD "threshold_backward" => kernel("ThresholdBackwardBackward0").gives(Gives::Same);
            GeluBackward GELU_BACKWARD "gelu_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            GeluTanhBackward GELU_TANH_BACKWARD "gelu_tanh_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            SiluBackward SILU_BACKWARD "silu_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            MishBackward MISH_BACKWARD "mish_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            HardswishBackward HARDSWISH_BACKWARD "hardswish_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            HardsigmoidBackward HARDSIGMOID_BACKWARD "hardsigmoid_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            LogSigmoidBackward LOG_SIGMOID_BACKWARD "log_sigmoid_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            SoftplusBackward { beta: f64 = 1.0, threshold: f64 = 20.0 } SOFTPLUS_BACKWARD "softplus_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            /// `b` is the input.
            EluBackward { alpha: f64 = 1.0, scale: f64 = 1.0, input_scale: f64 = 1.0 } ELU_BACKWARD "elu_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            LeakyReluBackward { slope: f64 = 0.1 } LEAKY_RELU_BACKWARD "leaky_relu_backward" => kernel("BackwardBackward0").gives(Gives::Same);
            /// `min < b < max ? a : 0` (0 at the edges, as in PyTorch 2.15).
            ClampBackward { min: Option<Scalar> = None, max: Option<Scalar> = None } CLAMP_BACKWARD "clamp_backward" => kernel("BackwardBackward0").gives(Gives::Same);
        }
    };
}
pub(crate) use binary_functions;

/// Elementwise functions of three values.
macro_rules! ternary_functions {
    ($use:ident) => {
        $use! { TernaryOp:
            /// `a ? b : c`; `a` is read as bool, `b` and `c` in the compute dtype.
            Where WHERE "where" => two("where", "picks from two tensors by a condition", "WhereBackward0").own().not_in_place().takes(&[
                "(Tensor condition)",
                "(Tensor condition, Tensor input, Tensor other, *, Tensor out=None)",
                "(Tensor condition, Scalar self, Tensor other)",
                "(Tensor condition, Tensor input, Scalar other)",
                "(Tensor condition, Scalar self, Scalar other)",
            ]).method(&["(Tensor condition, Tensor other)", "(Tensor condition, Scalar other)"]);
            /// `a + c * (b - a)`, in PyTorch's two branches (`|c| < 0.5`).
            Lerp LERP "lerp" => two("lerp", "`a + weight * (b - a)`", "LerpBackward0").own().takes(&[
                "(Tensor input, Tensor end, Tensor weight, *, Tensor out=None)",
                "(Tensor input, Tensor end, Scalar weight, *, Tensor out=None)",
            ]);
            /// `a + value * b * c`.
            Addcmul { value: Scalar = Scalar::Int(1) } ADDCMUL "addcmul" => two("addcmul", "`a + value * b * c`", "AddcmulBackward0").autocast_accelerators(Policy::Widest).own()
                .takes(&["(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor out=None)", DEPRECATED]).refuses_bool("addcmul_cpu_out");
            /// `a + value * b / c`.
            Addcdiv { value: Scalar = Scalar::Int(1) } ADDCDIV "addcdiv" => two("addcdiv", "`a + value * b / c`", "AddcdivBackward0").autocast_accelerators(Policy::Widest).own()
                .takes(&["(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor out=None)", DEPRECATED]);
            /// `min(max(a, b), c)`; NaN propagates.
            Clamp CLAMP_TENSOR "clamp_tensor" => kernel("ClampBackward0");
            // The incoming gradient is `a`, the loss's input `b`, its target `c`; `factor` is 1/N for a mean.
            MseBackward { factor: f64 = 1.0 } MSE_BACKWARD "mse_backward" => kernel("");
            L1Backward { factor: f64 = 1.0 } L1_BACKWARD "l1_backward" => kernel("");
            SmoothL1Backward { beta: f64 = 1.0, factor: f64 = 1.0 } SMOOTH_L1_BACKWARD "smooth_l1_backward" => kernel("");
            HuberBackward { delta: f64 = 1.0, factor: f64 = 1.0 } HUBER_BACKWARD "huber_backward" => kernel("");
            BinaryCrossEntropyBackward { factor: f64 = 1.0 } BCE_BACKWARD "binary_cross_entropy_backward" => kernel("");
            BinaryCrossEntropyWithLogitsBackward { factor: f64 = 1.0 } BCE_WITH_LOGITS_BACKWARD "binary_cross_entropy_with_logits_backward" => kernel("");
        }
    };
}
pub(crate) use ternary_functions;

/// Reductions: of everything, or along dimensions.
macro_rules! reductions {
    ($use:ident) => {
        $use! { ReduceOp:
            Sum SUM "sum" => reduction("sum", "sum", "SumBackward0").own()
                .takes(&["(Tensor input, *, ScalarType? dtype=None)", "(Tensor input, IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)"]).autocast_accelerators(Policy::Full);
            Mean MEAN "mean" => reduction("mean", "average", "MeanBackward0").own()
                .takes(&["(Tensor input, *, ScalarType? dtype=None, Tensor out=None)", "(Tensor input, IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)"]);
            Prod PROD "prod" => reduction("prod", "product", "ProdBackward0").own()
                .takes(&["(Tensor input, *, ScalarType? dtype=None)", "(Tensor input, int64_t dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)"]).autocast(Policy::Full);
            Max AMAX "amax" => reduction("amax", "largest; ties share the gradient", "AmaxBackward0").own()
                .takes(&["(Tensor input, IntArrayRef[1] dim=None, bool keepdim=False, *, Tensor out=None)"]);
            Min AMIN "amin" => reduction("amin", "smallest; ties share the gradient", "AminBackward0").own()
                .takes(&["(Tensor input, IntArrayRef[1] dim=None, bool keepdim=False, *, Tensor out=None)"]);
            Any ANY "any" => reduction("any", "any true", "").own()
                .takes(&["(Tensor input, *, Tensor out=None)", "(Tensor input, IntArrayRef? dim=None, bool keepdim=False, *, Tensor out=None)", "(Tensor input, int64_t dim, bool keepdim=False, *, Tensor out=None)"]).free();
            All ALL "all" => reduction("all", "all true", "").own()
                .takes(&["(Tensor input, *, Tensor out=None)", "(Tensor input, IntArrayRef? dim=None, bool keepdim=False, *, Tensor out=None)", "(Tensor input, int64_t dim, bool keepdim=False, *, Tensor out=None)"]).free();
            /// Divides by `n - correction` (NaN if that is not positive).
            Var { correction: f64 = 1.0 } VAR "var" => reduction("var", "variance", "VarBackward0").own()
                .takes(&["(Tensor input, IntArrayRef[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor out=None)", "(Tensor input, IntArrayRef[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor out=None)", "(Tensor input, bool unbiased=True)"]);
            /// `(sum |x|^p)^(1/p)`; p may be 0, 1, 2, infinite or any other.
            Norm { p: f64 = 2.0 } NORM "norm" => reduction("norm", "vector norm", "LinalgVectorNormBackward0").own()
                .takes(&["def (input, p='fro', dim=None, keepdim=False, out=None, dtype=None)"]).method(&["def (p='fro', dim=None, keepdim=False, dtype=None)"]).out(Out::Exact).below("linalg_vector_norm").autocast_accelerators(Policy::Full);
            LogSumExp LOGSUMEXP "logsumexp" => reduction("logsumexp", "`log(sum(exp(x)))`", "LogsumexpBackward0")
                .takes(&["(Tensor input, IntArrayRef[1] dim, bool keepdim=False, *, Tensor out=None)"]).autocast_accelerators(Policy::Full).saves(Saves::Both).gives(Gives::Float);
            /// Adds what is not NaN.
            NanSum NANSUM "nansum" => reduction("nansum", "sum without the NaNs", "NansumBackward0")
                .takes(&["(Tensor input, IntArrayRef[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)"]).saves(Saves::Input).gives(Gives::Sum).refuses_complex("nansum on CPU does not support complex inputs");
            CountNonzero COUNT_NONZERO "count_nonzero" => reduction("count_nonzero", "the number of nonzero elements", "").own()
                .takes(&["(Tensor input, int64_t? dim=None)", "(Tensor input, IntArrayRef dim)"]).free();
        }
    };
}
pub(crate) use reductions;

/// Makes the enum from a table of functions.
macro_rules! functions_enum {
    ($op:ident: $($(#[$about:meta])* $variant:ident $({ $($field:ident: $kind:ty = $example:expr),* })? $row:ident $name:literal => $operator:expr;)*) => {
        /// A function. Numbers inside are parameters, not operands.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $op {
            $($(#[$about])* $variant $({ $($field: $kind),* })?,)*
        }

        impl $op {
            /// Every function, with arbitrary values for its parameters: tests run over this list.
            pub const EVERY: &'static [$op] = &[$($op::$variant $({ $($field: $example),* })?,)*];

            /// The name in the trace and in shader files.
            pub fn name(&self) -> &'static str {
                match self { $($op::$variant { .. } => $name,)* }
            }

            /// The name of one of its functions in the WGSL shaders, without which the shader doesn't have the operator. An
            /// elementwise one is called by the letter of the class of numbers that it computes with: `exp_f`, `neg_i`, `neg_l`.
            /// Those of a reduction are called by what they do: `nansum_step`.
            pub fn in_shader(&self, ending: &str) -> &'static str {
                match self {
                    $($op::$variant { .. } => match ending {
                        "f" => concat!($name, "_f"),
                        "i" => concat!($name, "_i"),
                        "l" => concat!($name, "_l"),
                        "start" => concat!($name, "_start"),
                        "step" => concat!($name, "_step"),
                        "merge" => concat!($name, "_merge"),
                        "finish" => concat!($name, "_finish"),
                        _ => $name,
                    },)*
                }
            }

            /// The variant's name: the function's type in CUDA's sources.
            pub fn variant(&self) -> &'static str {
                match self { $($op::$variant { .. } => stringify!($variant),)* }
            }
        }
    };
}
pub(crate) use functions_enum;
