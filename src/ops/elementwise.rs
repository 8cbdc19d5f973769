//! Elementwise operators: broadcasting, promotion, in-place forms, gradients.

use smallvec::smallvec;

use crate::autograd::{self, Context, Save};
use crate::device::Device;
use crate::dtype::{Category, DType, ResultType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, Operand, TernaryOp, UnaryOp};
use crate::ops;
use crate::shape::{self, Dims, Layout};
use crate::tensor::{Pin, Tensor};

/// An argument that may be a Python number.
#[derive(Clone)]
pub enum Arg {
    Tensor(Tensor),
    Number(Scalar),
}

impl Arg {
    pub fn tensor(&self) -> Option<&Tensor> {
        match self {
            Arg::Tensor(t) => Some(t),
            Arg::Number(_) => None,
        }
    }

    fn shape(&self) -> Dims {
        self.tensor().map_or_else(Dims::new, Tensor::shape)
    }

    fn wants_grad(&self) -> Option<&Tensor> {
        self.tensor().filter(|t| t.requires_grad())
    }
}

impl From<&Tensor> for Arg {
    fn from(t: &Tensor) -> Arg {
        Arg::Tensor(t.clone())
    }
}
impl From<Tensor> for Arg {
    fn from(t: Tensor) -> Arg {
        Arg::Tensor(t)
    }
}
impl From<Scalar> for Arg {
    fn from(s: Scalar) -> Arg {
        Arg::Number(s)
    }
}
impl From<f64> for Arg {
    fn from(v: f64) -> Arg {
        Arg::Number(Scalar::Float(v))
    }
}
impl From<i64> for Arg {
    fn from(v: i64) -> Arg {
        Arg::Number(Scalar::Int(v))
    }
}

/// The dtype of `a op b` before the operator's own rule.
///
/// # Errors
/// A complex number beside a float16 or bfloat16 tensor: their complex dtypes are not here.
pub fn result_type(args: &[&Arg]) -> Result<DType> {
    let mut r = ResultType::default();
    for a in args {
        match a {
            Arg::Tensor(t) => r.tensor(t.dtype(), t.ndim()),
            Arg::Number(n) => r.number(*n, engine::current().default_dtype()),
        }
    }
    r.check()?;
    Ok(r.finish())
}

/// What an operator makes of the promoted dtype.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Same,
    /// Integers become the default float dtype.
    Float,
    /// Computed as promoted, stored as bool.
    Bool,
    /// Bitwise: floats are refused.
    Integer,
}

fn binary_rule(op: &BinaryOp) -> Rule {
    use BinaryOp::*;
    match op {
        Div | Atan2 | BinaryCrossEntropy | BinaryCrossEntropyWithLogits => Rule::Float,
        Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr | LogicalXor => Rule::Bool,
        BitAnd | BitOr | BitXor | Shl | Shr => Rule::Integer,
        _ => Rule::Same,
    }
}

fn unary_rule(op: &UnaryOp) -> Rule {
    use UnaryOp::*;
    match op {
        IsNan | IsInf | IsFinite | LogicalNot => Rule::Bool,
        BitwiseNot => Rule::Integer,
        Neg
        | Abs
        | Sign
        | Square
        | Relu
        | Clamp { .. }
        | Floor
        | Ceil
        | Round
        | Trunc
        | Frac
        | Threshold { .. }
        | NanToNum { .. }
        | LeakyRelu { .. }
        | Elu { .. }
        | Hardswish
        | Gelu
        | GeluTanh
        | Silu
        | Mish
        | Softplus { .. }
        | LogSigmoid
        | Hardsigmoid => Rule::Same,
        _ => Rule::Float,
    }
}

fn to_float(dtype: DType) -> DType {
    if dtype.is_inexact() { dtype } else { engine::current().default_dtype() }
}

/// Operand views for one launch, converting 0-dim CPU tensors beside an accelerator to numbers.
enum Held {
    Pin(Pin),
    Number(Scalar),
}

impl Held {
    fn of(arg: &Arg, device: Device) -> Result<Held> {
        Ok(match arg {
            Arg::Number(n) => Held::Number(*n),
            Arg::Tensor(t) if t.device() != device && t.device().is_cpu() && t.ndim() == 0 => {
                Held::Number(ops::transfer::item(t, crate::trace::Why::Item)?)
            }
            Arg::Tensor(t) => Held::Pin(Pin::of(t)),
        })
    }

    fn operand(&self, shape: &[usize]) -> Result<Operand<'_>> {
        Ok(match self {
            Held::Number(n) => Operand::Scalar(*n),
            Held::Pin(pin) => Operand::View(pin.broadcast(shape)?),
        })
    }
}

fn joint_shape(args: &[&Arg]) -> Result<Dims> {
    let mut out = Dims::new();
    for a in args {
        out = shape::broadcast(&out, &a.shape())?;
    }
    Ok(out)
}

fn joint_device(args: &[&Arg]) -> Result<Device> {
    let tensors: smallvec::SmallVec<[&Tensor; 3]> = args.iter().filter_map(|a| a.tensor()).collect();
    super::device::common(&tensors)
}

/// Where the result goes: like the first full-sized operand if that is dense (PyTorch keeps permuted layouts), else
/// contiguous.
fn empty_result(args: &[&Arg], shape: &[usize], dtype: DType, device: Device) -> Result<Tensor> {
    let like = args
        .iter()
        .filter_map(|a| a.tensor())
        .find(|t| t.with_data(|_, l| l.shape.as_slice() == shape && !l.is_contiguous() && super::create::is_dense(l)));
    let contiguous = args.iter().filter_map(|a| a.tensor()).any(|t| t.shape().as_slice() == shape && t.is_contiguous());
    let layout = match like {
        Some(t) if !contiguous => Layout { offset: 0, ..t.layout() },
        _ => Layout::contiguous(shape),
    };
    Tensor::empty_with(layout, dtype, device, false)
}

// ---- unary -----------------------------------------------------------------------------------------------------------

/// `op(x)` outside the graph.
fn unary_data(op: UnaryOp, x: &Tensor) -> Result<Tensor> {
    let (compute, dtype) = unary_types(op, x.dtype())?;
    let out = super::create::empty_like(x, dtype)?;
    launch_unary(op, x, compute, &out)?;
    Ok(out)
}

fn unary_types(op: UnaryOp, dtype: DType) -> Result<(DType, DType)> {
    if dtype.is_complex() {
        check_complex_unary(op, dtype)?;
        if op == UnaryOp::Abs {
            return Ok((dtype, dtype.part()));
        }
    }
    Ok(match unary_rule(&op) {
        Rule::Float => (to_float(dtype), to_float(dtype)),
        Rule::Bool => (dtype, DType::Bool),
        Rule::Integer if dtype.is_inexact() => {
            return Err(Error::not_implemented(format!(
                "\"{}_cpu\" not implemented for '{}'",
                op.name(),
                dtype.scalar_name()
            )));
        }
        _ if dtype == DType::Bool && op == UnaryOp::Neg => {
            return Err(Error::not_implemented(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
            ));
        }
        _ => {
            // A clamp with a float bound promotes an integer tensor.
            let mut r = ResultType::default();
            r.tensor(dtype, 1);
            if let UnaryOp::Clamp { min, max } = op {
                for bound in [min, max].into_iter().flatten() {
                    r.number(bound, engine::current().default_dtype());
                }
            }
            let t = r.finish();
            (t, t)
        }
    })
}

/// # Errors
/// Of what PyTorch refuses, its texts. What it has and is not here the executor refuses.
fn check_complex_unary(op: UnaryOp, dtype: DType) -> Result<()> {
    Err(Error::not_implemented(match op {
        UnaryOp::Sign => {
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.".into()
        }
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc => {
            format!("{} is not supported for complex inputs", op.name())
        }
        UnaryOp::Clamp { .. } | UnaryOp::Relu => "clamp is not supported for complex types".into(),
        UnaryOp::Round => format!("\"round_vml_cpu\" not implemented for '{}'", dtype.scalar_name()),
        _ => return Ok(()),
    }))
}

fn launch_unary(op: UnaryOp, x: &Tensor, compute: DType, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    let (a, b) = (Pin::of(x), Pin::of(out));
    engine::current().launch(out.device(), &Kernel::Unary { op, x: a.view()?, compute, out: b.view()? })
}

/// `op(x)`, recorded.
pub fn unary(op: UnaryOp, x: &Tensor) -> Result<Tensor> {
    unary_named(op, x, UnaryGrad::of(op).name)
}

/// As [`unary`], with another name for the node.
pub(crate) fn unary_named(op: UnaryOp, x: &Tensor, name: &'static str) -> Result<Tensor> {
    let out = unary_data(op, x)?;
    if out.dtype().is_inexact() && autograd::needs_grad([x]) {
        let g = UnaryGrad::of(op);
        let save = match g.saves {
            Saves::Nothing => vec![],
            Saves::Input => vec![Save::Input(x)],
            Saves::Output => vec![Save::Output(&out, 0)],
        };
        autograd::record(name, &[Some(x)], &save, &[&out], move |ctx| Ok(smallvec![Some(unary_grad(op, ctx)?)]))?;
    }
    Ok(out)
}

/// `x.op_()`.
pub fn unary_(op: UnaryOp, x: &Tensor) -> Result<()> {
    autograd::check_in_place(x)?;
    autograd::check_no_overlap(x)?;
    let (compute, dtype) = unary_types(op, x.dtype())?;
    check_cast(dtype, x.dtype())?;
    let g = UnaryGrad::of(op);
    let record = autograd::needs_grad([x]);
    // A function whose gradient needs its input keeps a copy, since the input is about to be overwritten.
    let before = if record && g.saves == Saves::Input { Some(super::create::copy_of(x)?) } else { None };
    launch_unary(op, x, compute, x)?;
    x.bump_version();
    if record {
        let save = match (g.saves, &before) {
            (Saves::Input, Some(t)) => vec![Save::Input(t)],
            (Saves::Output, _) => vec![Save::Output(x, 0)],
            _ => vec![],
        };
        autograd::record_in_place(g.name, x, &[], &save, move |ctx| Ok(smallvec![Some(unary_grad(op, ctx)?)]))?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Saves {
    Nothing,
    Input,
    Output,
}

struct UnaryGrad {
    name: &'static str,
    saves: Saves,
}

impl UnaryGrad {
    fn of(op: UnaryOp) -> UnaryGrad {
        use Saves::*;
        use UnaryOp as U;
        let (name, saves) = match op {
            U::Neg => ("NegBackward0", Nothing),
            U::Abs => ("AbsBackward0", Input),
            U::Sign => ("SignBackward0", Nothing),
            U::Exp => ("ExpBackward0", Output),
            U::Exp2 => ("Exp2Backward0", Output),
            U::Expm1 => ("Expm1Backward0", Output),
            U::Log => ("LogBackward0", Input),
            U::Log2 => ("Log2Backward0", Input),
            U::Log10 => ("Log10Backward0", Input),
            U::Log1p => ("Log1PBackward0", Input),
            U::Sqrt => ("SqrtBackward0", Output),
            U::Rsqrt => ("RsqrtBackward0", Output),
            U::Reciprocal => ("ReciprocalBackward0", Output),
            U::Square => ("PowBackward0", Input),
            U::Sin => ("SinBackward0", Input),
            U::Cos => ("CosBackward0", Input),
            U::Tan => ("TanBackward0", Output),
            U::Asin => ("AsinBackward0", Input),
            U::Acos => ("AcosBackward0", Input),
            U::Atan => ("AtanBackward0", Input),
            U::Sinh => ("SinhBackward0", Input),
            U::Cosh => ("CoshBackward0", Input),
            U::Tanh => ("TanhBackward0", Output),
            U::Asinh => ("AsinhBackward0", Input),
            U::Acosh => ("AcoshBackward0", Input),
            U::Atanh => ("AtanhBackward0", Input),
            U::Erf => ("ErfBackward0", Input),
            U::Erfc => ("ErfcBackward0", Input),
            U::Erfinv => ("ErfinvBackward0", Output),
            U::Lgamma => ("LgammaBackward0", Input),
            U::Digamma => ("DigammaBackward0", Input),
            U::Sigmoid => ("SigmoidBackward0", Output),
            U::LogSigmoid => ("LogSigmoidBackward0", Input),
            U::Relu => ("ReluBackward0", Output),
            U::Gelu | U::GeluTanh => ("GeluBackward0", Input),
            U::Silu => ("SiluBackward0", Input),
            U::Mish => ("MishBackward0", Input),
            U::Hardswish => ("HardswishBackward0", Input),
            U::Hardsigmoid => ("HardsigmoidBackward0", Input),
            U::Softsign => ("DivBackward0", Input),
            U::Softplus { .. } => ("SoftplusBackward0", Input),
            U::Elu { .. } => ("EluBackward0", Input),
            U::LeakyRelu { .. } => ("LeakyReluBackward0", Input),
            U::Threshold { .. } => ("ThresholdBackward0", Input),
            U::Clamp { .. } => ("ClampBackward1", Input),
            U::Floor => ("FloorBackward0", Nothing),
            U::Ceil => ("CeilBackward0", Nothing),
            U::Round => ("RoundBackward0", Nothing),
            U::Trunc => ("TruncBackward0", Nothing),
            U::Frac => ("FracBackward0", Nothing),
            U::NanToNum { .. } => ("NanToNumBackward0", Input),
            U::IsNan | U::IsInf | U::IsFinite | U::LogicalNot | U::BitwiseNot => ("NotDifferentiable", Nothing),
        };
        UnaryGrad { name, saves }
    }
}

fn unary_grad(op: UnaryOp, ctx: &Context<'_>) -> Result<Tensor> {
    use BinaryOp as B;
    use UnaryOp as U;
    let g = ctx.grad();
    let zero = || ops::zeros_like(g);
    // `v` is the saved input or output, as `UnaryGrad` says.
    let v = || &ctx.saved[0];
    let un = |op: UnaryOp, x: &Tensor| unary(op, x);
    let bin = |op: BinaryOp, a: &Tensor, b: &Tensor| binary(op, &a.into(), &b.into());
    let num = |op: BinaryOp, a: &Tensor, b: f64| binary(op, &a.into(), &b.into());
    let mul = |a: &Tensor, b: &Tensor| binary(B::Mul, &a.into(), &b.into());
    let div = |a: &Tensor, b: &Tensor| binary(B::Div, &a.into(), &b.into());
    if !ctx.saved.is_empty()
        && autograd::needs_grad([g, v()])
        && let Some(slope) = slope(op, v())?
    {
        return mul(g, &slope);
    }
    match op {
        U::Neg => un(U::Neg, g),
        U::Abs => mul(g, &un(U::Sign, v())?),
        U::Sign | U::Floor | U::Ceil | U::Round | U::Trunc => zero(),
        U::Frac => Ok(g.clone()),
        U::Exp => mul(g, v()),
        U::Exp2 => num(B::Mul, &mul(g, v())?, std::f64::consts::LN_2),
        U::Expm1 => mul(g, &num(B::Add, v(), 1.0)?),
        U::Log => div(g, v()),
        U::Log2 => div(g, &num(B::Mul, v(), std::f64::consts::LN_2)?),
        U::Log10 => div(g, &num(B::Mul, v(), std::f64::consts::LN_10)?),
        U::Log1p => div(g, &num(B::Add, v(), 1.0)?),
        U::Sqrt => div(g, &num(B::Mul, v(), 2.0)?),
        U::Rsqrt => {
            let cube = mul(&mul(v(), v())?, v())?;
            mul(&num(B::Mul, g, -0.5)?, &cube)
        }
        U::Reciprocal => mul(&un(U::Neg, g)?, &mul(v(), v())?),
        U::Square => mul(g, &num(B::Mul, v(), 2.0)?),
        U::Sin => mul(g, &un(U::Cos, v())?),
        U::Cos => un(U::Neg, &mul(g, &un(U::Sin, v())?)?),
        U::Tan => mul(g, &num(B::Add, &mul(v(), v())?, 1.0)?),
        U::Asin => mul(g, &un(U::Rsqrt, &one_minus_square(v())?)?),
        U::Acos => un(U::Neg, &mul(g, &un(U::Rsqrt, &one_minus_square(v())?)?)?),
        U::Atan => div(g, &num(B::Add, &mul(v(), v())?, 1.0)?),
        U::Sinh => mul(g, &un(U::Cosh, v())?),
        U::Cosh => mul(g, &un(U::Sinh, v())?),
        U::Tanh => bin(B::TanhBackward, g, v()),
        U::Asinh => div(g, &un(U::Sqrt, &num(B::Add, &mul(v(), v())?, 1.0)?)?),
        U::Acosh => div(g, &un(U::Sqrt, &num(B::Sub, &mul(v(), v())?, 1.0)?)?),
        U::Atanh => div(g, &one_minus_square(v())?),
        U::Erf | U::Erfc => {
            let slope = num(B::Mul, &un(U::Exp, &un(U::Neg, &mul(v(), v())?)?)?, std::f64::consts::FRAC_2_SQRT_PI)?;
            let d = mul(g, &slope)?;
            if op == U::Erf { Ok(d) } else { un(U::Neg, &d) }
        }
        U::Erfinv => {
            let slope = num(B::Mul, &un(U::Exp, &mul(v(), v())?)?, 1.0 / std::f64::consts::FRAC_2_SQRT_PI)?;
            mul(g, &slope)
        }
        U::Lgamma => mul(g, &un(U::Digamma, v())?),
        U::Digamma => Err(Error::not_implemented("derivative for digamma (polygamma) is not implemented")),
        U::Sigmoid => bin(B::SigmoidBackward, g, v()),
        U::LogSigmoid => bin(B::LogSigmoidBackward, g, v()),
        U::Relu => bin(B::ThresholdBackward { threshold: 0.0 }, g, v()),
        U::Gelu => bin(B::GeluBackward, g, v()),
        U::GeluTanh => bin(B::GeluTanhBackward, g, v()),
        U::Silu => bin(B::SiluBackward, g, v()),
        U::Mish => bin(B::MishBackward, g, v()),
        U::Hardswish => bin(B::HardswishBackward, g, v()),
        U::Hardsigmoid => bin(B::HardsigmoidBackward, g, v()),
        U::Softsign => {
            let d = num(B::Add, &un(U::Abs, v())?, 1.0)?;
            div(g, &mul(&d, &d)?)
        }
        U::Softplus { beta, threshold } => bin(B::SoftplusBackward { beta, threshold }, g, v()),
        U::Elu { alpha, scale, input_scale } => bin(B::EluBackward { alpha, scale, input_scale }, g, v()),
        U::LeakyRelu { slope } => bin(B::LeakyReluBackward { slope }, g, v()),
        U::Threshold { threshold, .. } => bin(B::ThresholdBackward { threshold }, g, v()),
        U::Clamp { min, max } => bin(B::ClampBackward { min, max }, g, v()),
        U::NanToNum { .. } => {
            let finite = un(U::IsFinite, v())?;
            mul(g, &ops::transfer::cast(&finite, g.dtype())?)
        }
        U::IsNan | U::IsInf | U::IsFinite | U::LogicalNot | U::BitwiseNot => zero(),
    }
}

/// The derivative at `x` in operators, for functions whose derivative is otherwise one kernel without a derivative of its
/// own: used where a graph of the backward pass is wanted.
fn slope(op: UnaryOp, x: &Tensor) -> Result<Option<Tensor>> {
    use BinaryOp as B;
    use UnaryOp as U;
    let num = |op: B, a: &Tensor, b: f64| binary(op, &a.into(), &b.into());
    let less_from_one = |t: &Tensor| binary(B::Sub, &1.0.into(), &t.into());
    let is = |op: B, bound: f64| binary(op, &x.detach().into(), &bound.into());
    Ok(Some(match op {
        U::LogSigmoid => unary(U::Sigmoid, &unary(U::Neg, x)?)?,
        U::Gelu => {
            let cdf = num(B::Mul, &unary(U::Erf, &num(B::Mul, x, std::f64::consts::FRAC_1_SQRT_2)?)?, 0.5)?;
            let cdf = num(B::Add, &cdf, 0.5)?;
            let density = unary(U::Exp, &num(B::Mul, &ops::mul(x, x)?, -0.5)?)?;
            let scale = std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2 * 0.5;
            ops::add(&cdf, &num(B::Mul, &ops::mul(x, &density)?, scale)?)?
        }
        U::GeluTanh => {
            let k = std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2;
            let c = 0.044715;
            let square = ops::mul(x, x)?;
            let inner = num(B::Mul, &ops::add(x, &num(B::Mul, &ops::mul(&square, x)?, c)?)?, k)?;
            let t = unary(U::Tanh, &inner)?;
            let half = num(B::Mul, &num(B::Add, &t, 1.0)?, 0.5)?;
            let inner_slope = num(B::Mul, &num(B::Add, &num(B::Mul, &square, 3.0 * c)?, 1.0)?, 0.5 * k)?;
            let rest = ops::mul(&ops::mul(x, &less_from_one(&ops::mul(&t, &t)?)?)?, &inner_slope)?;
            ops::add(&half, &rest)?
        }
        U::Silu => {
            let s = unary(U::Sigmoid, x)?;
            let rest = num(B::Add, &ops::mul(x, &less_from_one(&s)?)?, 1.0)?;
            ops::mul(&s, &rest)?
        }
        U::Mish => {
            let t = unary(U::Tanh, &unary(U::Softplus { beta: 1.0, threshold: 20.0 }, x)?)?;
            let rest = ops::mul(&unary(U::Sigmoid, x)?, &less_from_one(&ops::mul(&t, &t)?)?)?;
            ops::add(&t, &ops::mul(x, &rest)?)?
        }
        U::Hardswish => {
            let line = num(B::Add, &num(B::Div, x, 3.0)?, 0.5)?;
            let capped = where_(&is(B::Gt, 3.0)?, &1.0.into(), &line.into())?;
            where_(&is(B::Lt, -3.0)?, &0.0.into(), &capped.into())?
        }
        U::Softplus { beta, threshold } => {
            let s = unary(U::Sigmoid, &num(B::Mul, x, beta)?)?;
            where_(&is(B::Gt, threshold / beta)?, &1.0.into(), &s.into())?
        }
        U::Elu { alpha, scale, input_scale } => {
            let curve = num(B::Mul, &unary(U::Exp, &num(B::Mul, x, input_scale)?)?, scale * alpha * input_scale)?;
            where_(&is(B::Gt, 0.0)?, &scale.into(), &curve.into())?
        }
        _ => return Ok(None),
    }))
}

fn one_minus_square(x: &Tensor) -> Result<Tensor> {
    let square = binary(BinaryOp::Mul, &x.into(), &x.into())?;
    binary(BinaryOp::Sub, &1.0.into(), &square.into())
}

// ---- binary ----------------------------------------------------------------------------------------------------------

struct BinaryTypes {
    compute: DType,
    out: DType,
}

fn binary_types(op: &BinaryOp, a: &Arg, b: &Arg) -> Result<BinaryTypes> {
    if let (Some(x), Some(y)) = (a.tensor(), b.tensor()) {
        x.dtype().check_promotion(y.dtype())?;
    }
    let common = result_type(&[a, b])?;
    let refuse = |what: &str| {
        Err(Error::not_implemented(format!("\"{what}_cpu\" not implemented for '{}'", common.scalar_name())))
    };
    if common.is_complex() {
        match op {
            BinaryOp::Maximum | BinaryOp::Minimum => {
                return Err(Error::type_(format!("{} not implemented for complex tensors.", op.name())));
            }
            BinaryOp::FloorDiv => return refuse("div_floor"),
            BinaryOp::TruncDiv => return refuse("div_trunc"),
            BinaryOp::Remainder
            | BinaryOp::Fmod
            | BinaryOp::Fmax
            | BinaryOp::Fmin
            | BinaryOp::Atan2
            | BinaryOp::Hypot
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => return refuse(op.name()),
            _ => {}
        }
    }
    Ok(match binary_rule(op) {
        Rule::Same => {
            if common == DType::Bool && matches!(op, BinaryOp::Sub) {
                return Err(Error::not_implemented(
                    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
                ));
            }
            BinaryTypes { compute: common, out: common }
        }
        Rule::Float => BinaryTypes { compute: to_float(common), out: to_float(common) },
        Rule::Bool => BinaryTypes { compute: common, out: DType::Bool },
        Rule::Integer if common.is_inexact() => return refuse(op.name()),
        Rule::Integer => BinaryTypes { compute: common, out: common },
    })
}

fn launch_binary(op: BinaryOp, a: &Arg, b: &Arg, compute: DType, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    let device = out.device();
    let (ha, hb, ho) = (Held::of(a, device)?, Held::of(b, device)?, Pin::of(out));
    let shape = out.shape();
    engine::current().launch(
        device,
        &Kernel::Binary { op, a: ha.operand(&shape)?, b: hb.operand(&shape)?, compute, out: ho.view()? },
    )
}

fn binary_data(op: BinaryOp, a: &Arg, b: &Arg) -> Result<Tensor> {
    let device = joint_device(&[a, b])?;
    let shape = joint_shape(&[a, b])?;
    let types = binary_types(&op, a, b)?;
    let out = empty_result(&[a, b], &shape, types.out, device)?;
    launch_binary(op, a, b, types.compute, &out)?;
    Ok(out)
}

/// `a op b`, recorded.
///
/// # Errors
/// Different devices, shapes that do not broadcast, dtypes the operator refuses.
pub fn binary(op: BinaryOp, a: &Arg, b: &Arg) -> Result<Tensor> {
    binary_named(op, a, b, binary_name(&op, a, b))
}

/// As [`binary`], with another name for the node.
pub(crate) fn binary_named(op: BinaryOp, a: &Arg, b: &Arg, name: &'static str) -> Result<Tensor> {
    let out = binary_data(op, a, b)?;
    let differentiable = out.dtype().is_inexact() && !matches!(binary_rule(&op), Rule::Bool | Rule::Integer);
    if differentiable && autograd::needs_grad([a, b].into_iter().filter_map(Arg::tensor)) {
        record_binary(op, a, b, &out, name)?;
    }
    Ok(out)
}

/// Which of the operands' gradients need which values.
fn binary_saves(op: &BinaryOp, a: &Arg, b: &Arg) -> (bool, bool) {
    use BinaryOp::*;
    let (ga, gb) = (a.wants_grad().is_some(), b.wants_grad().is_some());
    match op {
        Add | Sub | Axpy { .. } => (false, false),
        Mul => (gb, ga),
        Div => (gb, ga || gb),
        FloorDiv | TruncDiv => (false, false),
        Remainder | Fmod => (gb, gb),
        _ => (true, true),
    }
}

fn record_binary(op: BinaryOp, a: &Arg, b: &Arg, out: &Tensor, name: &'static str) -> Result<()> {
    let (save_a, save_b) = binary_saves(&op, a, b);
    let mut save = Vec::new();
    let keep = |arg: &Arg, wanted: bool| -> Option<Kept> {
        match arg {
            Arg::Number(n) => Some(Kept::Number(*n)),
            Arg::Tensor(_) if wanted => Some(Kept::Saved),
            Arg::Tensor(_) => None,
        }
    };
    let (ka, kb) = (keep(a, save_a), keep(b, save_b));
    if let (Arg::Tensor(t), Some(Kept::Saved)) = (a, &ka) {
        save.push(Save::Input(t));
    }
    if let (Arg::Tensor(t), Some(Kept::Saved)) = (b, &kb) {
        save.push(Save::Input(t));
    }
    let (sa, sb) = (Side::of(a), Side::of(b));
    autograd::record(name, &[a.tensor(), b.tensor()], &save, &[out], move |ctx| {
        let (va, vb) = restore(&ka, &kb, &ctx.saved);
        let ga =
            if ctx.needs(0) { Some(sa.fit(&binary_grad(op, ctx.grad(), va.as_ref(), vb.as_ref(), 0)?)?) } else { None };
        let gb =
            if ctx.needs(1) { Some(sb.fit(&binary_grad(op, ctx.grad(), va.as_ref(), vb.as_ref(), 1)?)?) } else { None };
        Ok(smallvec![ga, gb])
    })
}

enum Kept {
    Number(Scalar),
    Saved,
}

fn restore(a: &Option<Kept>, b: &Option<Kept>, saved: &[Tensor]) -> (Option<Arg>, Option<Arg>) {
    let mut saved = saved.iter();
    let mut one = |kept: &Option<Kept>| match kept {
        None => None,
        Some(Kept::Number(n)) => Some(Arg::Number(*n)),
        Some(Kept::Saved) => saved.next().map(Arg::from),
    };
    (one(a), one(b))
}

/// The shape, dtype and device that an operand's gradient must have.
pub(crate) struct Side {
    shape: Dims,
    dtype: DType,
    device: Device,
}

impl Side {
    pub(crate) fn of(arg: &Arg) -> Side {
        match arg {
            Arg::Tensor(t) => Side { shape: t.shape(), dtype: t.dtype(), device: t.device() },
            Arg::Number(_) => Side { shape: Dims::new(), dtype: DType::F32, device: Device::CPU },
        }
    }

    pub(crate) fn fit(&self, g: &Tensor) -> Result<Tensor> {
        let g = ops::sum_to(g, &self.shape)?;
        if g.dtype() == self.dtype && g.device() == self.device {
            return Ok(g);
        }
        let want = ops::transfer::To { device: Some(self.device), dtype: Some(self.dtype), ..Default::default() };
        ops::transfer::to(&g, want)
    }
}

fn binary_name(op: &BinaryOp, a: &Arg, b: &Arg) -> &'static str {
    use BinaryOp::*;
    let number_b = b.tensor().is_none();
    match op {
        Add | Axpy { .. } => "AddBackward0",
        Sub if a.tensor().is_none() => "RsubBackward1",
        Sub => "SubBackward0",
        Mul => "MulBackward0",
        Div if a.tensor().is_none() => "MulBackward0",
        Div => "DivBackward0",
        FloorDiv => "NotImplemented",
        TruncDiv => "DivBackward1",
        Remainder => "RemainderBackward0",
        Fmod => "FmodBackward0",
        Pow if number_b => "PowBackward0",
        Pow if a.tensor().is_none() => "PowBackward2",
        Pow => "PowBackward1",
        Maximum => "MaximumBackward0",
        Minimum => "MinimumBackward0",
        Fmax => "FmaxBackward0",
        Fmin => "FminBackward0",
        Atan2 => "Atan2Backward0",
        Hypot => "HypotBackward0",
        SquaredDifference => "MseLossBackward0",
        AbsDifference => "AbsBackward0",
        SmoothL1 { .. } => "SmoothL1LossBackward0",
        Huber { .. } => "HuberLossBackward0",
        BinaryCrossEntropy => "BinaryCrossEntropyBackward0",
        BinaryCrossEntropyWithLogits => "BinaryCrossEntropyWithLogitsBackward0",
        SigmoidBackward => "SigmoidBackwardBackward0",
        TanhBackward => "TanhBackwardBackward0",
        ThresholdBackward { .. } => "ThresholdBackwardBackward0",
        _ => "BackwardBackward0",
    }
}

/// The gradient of `a op b` for operand `side`, before it is summed to the operand's shape.
fn binary_grad(op: BinaryOp, g: &Tensor, a: Option<&Arg>, b: Option<&Arg>, side: usize) -> Result<Tensor> {
    use BinaryOp as B;
    let missing = || Error::runtime("a value needed for this gradient was not saved");
    let a = || a.ok_or_else(missing);
    let b = || b.ok_or_else(missing);
    let ga = Arg::from(g);
    let on_b = side == 1;
    let bin = |op: B, x: &Arg, y: &Arg| binary(op, x, y).map(Arg::from);
    let tensor = |x: Arg| match x {
        Arg::Tensor(t) => Ok(t),
        Arg::Number(_) => Err(missing()),
    };
    match op {
        B::Add => Ok(g.clone()),
        B::Sub => {
            if on_b {
                unary(UnaryOp::Neg, g)
            } else {
                Ok(g.clone())
            }
        }
        B::Axpy { alpha } => {
            if on_b {
                binary(B::Mul, &ga, &alpha.into())
            } else {
                Ok(g.clone())
            }
        }
        B::Mul => binary(B::Mul, &ga, if on_b { a()? } else { b()? }),
        B::Div if !on_b => binary(B::Div, &ga, b()?),
        B::Div => {
            // -g * (a / b) / b, in PyTorch's order.
            let ratio = bin(B::Div, &bin(B::Div, a()?, b()?)?, b()?)?;
            binary(B::Mul, &unary(UnaryOp::Neg, g)?.into(), &ratio)
        }
        B::FloorDiv => Err(Error::runtime("derivative for aten::floor_divide is not implemented")),
        B::TruncDiv => ops::zeros_like(g),
        B::Remainder | B::Fmod if !on_b => Ok(g.clone()),
        B::Remainder => binary(B::Mul, &unary(UnaryOp::Neg, g)?.into(), &bin(B::FloorDiv, a()?, b()?)?),
        B::Fmod => binary(B::Mul, &unary(UnaryOp::Neg, g)?.into(), &bin(B::TruncDiv, a()?, b()?)?),
        B::Pow if !on_b => match b()? {
            Arg::Number(n) if n.as_f64() == 0.0 => ops::zeros_like(g),
            Arg::Number(n) => {
                let less = match n {
                    Scalar::Float(f) => Scalar::Float(f - 1.0),
                    other => Scalar::Int(other.as_i64() - 1),
                };
                let slope = bin(B::Mul, &bin(B::Pow, a()?, &less.into())?, &(*n).into())?;
                binary(B::Mul, &ga, &slope)
            }
            b @ Arg::Tensor(_) => {
                let slope = bin(B::Mul, b, &bin(B::Pow, a()?, &bin(B::Sub, b, &1.0.into())?)?)?;
                let zero = tensor(bin(B::Eq, b, &0.0.into())?)?;
                let d = bin(B::Mul, &ga, &slope)?;
                where_(&zero, &0.0.into(), &d)
            }
        },
        B::Pow => {
            // g * a^b * ln a, 0 where a is 0 and b is not negative.
            let log = match a()? {
                Arg::Tensor(t) => Arg::from(unary(UnaryOp::Log, t)?),
                Arg::Number(n) => Arg::from(n.as_f64().ln()),
            };
            let slope = bin(B::Mul, &bin(B::Pow, a()?, b()?)?, &log)?;
            let d = bin(B::Mul, &ga, &slope)?;
            let zero = bin(B::Eq, a()?, &0.0.into());
            match (a()?, zero) {
                (Arg::Tensor(_), Ok(zero)) => {
                    let both = bin(B::LogicalAnd, &zero, &bin(B::Ge, b()?, &0.0.into())?)?;
                    where_(&tensor(both)?, &0.0.into(), &d)
                }
                (Arg::Number(n), _) if n.as_f64() == 0.0 => ops::zeros_like(g),
                _ => tensor(d),
            }
        }
        B::Maximum | B::Minimum | B::Fmax | B::Fmin => {
            // Ties share the gradient equally.
            let wins = if matches!(op, B::Maximum | B::Fmax) != on_b { B::Gt } else { B::Lt };
            let equal = tensor(bin(B::Eq, a()?, b()?)?)?;
            let half = bin(B::Mul, &ga, &0.5.into())?;
            let wins = tensor(bin(wins, a()?, b()?)?)?;
            let picked = where_(&wins, &ga, &0.0.into())?;
            where_(&equal, &half, &picked.into())
        }
        B::Atan2 => {
            let square = |x: &Arg| bin(B::Mul, x, x);
            let d = bin(B::Div, &ga, &bin(B::Add, &square(a()?)?, &square(b()?)?)?)?;
            if on_b { unary(UnaryOp::Neg, &tensor(bin(B::Mul, &d, a()?)?)?) } else { binary(B::Mul, &d, b()?) }
        }
        B::Hypot => {
            let h = bin(B::Hypot, a()?, b()?)?;
            binary(B::Mul, &ga, &bin(B::Div, if on_b { b()? } else { a()? }, &h)?)
        }
        B::SquaredDifference | B::AbsDifference | B::SmoothL1 { .. } | B::Huber { .. } => {
            let d = loss_backward(op, g, &tensor(a()?.clone())?, &tensor(b()?.clone())?, 1.0)?;
            if on_b { unary(UnaryOp::Neg, &d) } else { Ok(d) }
        }
        B::BinaryCrossEntropy | B::BinaryCrossEntropyWithLogits => {
            let (x, t) = (tensor(a()?.clone())?, tensor(b()?.clone())?);
            if on_b { target_grad(op, g, &x, &t) } else { loss_backward(op, g, &x, &t, 1.0) }
        }
        // Second derivatives: `a` is the incoming gradient of the first backward pass, `b` its saved value.
        B::SigmoidBackward if !on_b => binary(op, &ga, b()?),
        B::SigmoidBackward => {
            let two = bin(B::Sub, &1.0.into(), &bin(B::Mul, b()?, &2.0.into())?)?;
            binary(B::Mul, &bin(B::Mul, &ga, a()?)?, &two)
        }
        B::TanhBackward if !on_b => binary(op, &ga, b()?),
        B::TanhBackward => {
            let two = bin(B::Mul, b()?, &Scalar::Float(-2.0).into())?;
            binary(B::Mul, &bin(B::Mul, &ga, a()?)?, &two)
        }
        // Piecewise linear in the value, so only the gradient's own path is not zero.
        B::ThresholdBackward { .. }
        | B::LeakyReluBackward { .. }
        | B::ClampBackward { .. }
        | B::HardsigmoidBackward => {
            if on_b {
                ops::zeros_like(g)
            } else {
                binary(op, &ga, b()?)
            }
        }
        B::GeluBackward
        | B::GeluTanhBackward
        | B::SiluBackward
        | B::MishBackward
        | B::HardswishBackward
        | B::LogSigmoidBackward
        | B::SoftplusBackward { .. }
        | B::EluBackward { .. }
            if !on_b =>
        {
            binary(op, &ga, b()?)
        }
        _ => Err(Error::not_implemented(format!("the second derivative through {} is not implemented", op.name()))),
    }
}

/// The gradient of an elementwise loss for its input, times `factor`: one kernel, or operators where a graph is wanted.
pub(crate) fn loss_backward(op: BinaryOp, g: &Tensor, x: &Tensor, t: &Tensor, factor: f64) -> Result<Tensor> {
    use BinaryOp as B;
    if !autograd::needs_grad([g, x, t]) {
        let fused = match op {
            B::AbsDifference => TernaryOp::L1Backward { factor },
            B::SmoothL1 { beta } => TernaryOp::SmoothL1Backward { beta, factor },
            B::Huber { delta } => TernaryOp::HuberBackward { delta, factor },
            B::BinaryCrossEntropy => TernaryOp::BinaryCrossEntropyBackward { factor },
            B::BinaryCrossEntropyWithLogits => TernaryOp::BinaryCrossEntropyWithLogitsBackward { factor },
            _ => TernaryOp::MseBackward { factor },
        };
        return ternary(fused, &g.into(), &x.into(), &t.into());
    }
    let num = |op: B, a: &Tensor, b: f64| binary(op, &a.into(), &b.into());
    let bound = |low: f64, high: f64| UnaryOp::Clamp { min: Some(low.into()), max: Some(high.into()) };
    let difference = ops::sub(x, t)?;
    let slope = match op {
        B::AbsDifference => unary(UnaryOp::Sign, &difference)?,
        B::SmoothL1 { beta } => unary(bound(-1.0, 1.0), &num(B::Div, &difference, beta)?)?,
        B::Huber { delta } => unary(bound(-delta, delta), &difference)?,
        B::BinaryCrossEntropy => {
            let variance = ops::mul(&binary(B::Sub, &1.0.into(), &x.into())?, x)?;
            let floor = UnaryOp::Clamp { min: Some(Scalar::Float(1e-12)), max: None };
            ops::div(&difference, &unary(floor, &variance)?)?
        }
        B::BinaryCrossEntropyWithLogits => ops::sub(&unary(UnaryOp::Sigmoid, x)?, t)?,
        _ => num(B::Mul, &difference, 2.0)?,
    };
    num(B::Mul, &ops::mul(g, &slope)?, factor)
}

/// The gradient of a cross entropy for its target.
pub(crate) fn target_grad(op: BinaryOp, g: &Tensor, x: &Tensor, _t: &Tensor) -> Result<Tensor> {
    if op == BinaryOp::BinaryCrossEntropyWithLogits {
        return unary(UnaryOp::Neg, &ops::mul(g, x)?);
    }
    // ln(1 - p) - ln p, each no less than -100.
    let low = UnaryOp::Clamp { min: Some(Scalar::Float(-100.0)), max: None };
    let one_less = binary(BinaryOp::Sub, &1.0.into(), &x.into())?;
    let l1 = unary(low, &unary(UnaryOp::Log, &one_less)?)?;
    let l0 = unary(low, &unary(UnaryOp::Log, x)?)?;
    ops::mul(g, &ops::sub(&l1, &l0)?)
}

/// `a.op_(b)`: the result is written into `a`, whose shape and dtype must hold it.
///
/// # Errors
/// As [`binary`]; leaves; results that do not fit.
pub fn binary_(op: BinaryOp, a: &Tensor, b: &Arg) -> Result<()> {
    autograd::check_in_place(a)?;
    autograd::check_no_overlap(a)?;
    let arg = Arg::from(a);
    check_in_place_device(a, &[b])?;
    let shape = joint_shape(&[&arg, b])?;
    check_in_place_shape(a, &shape)?;
    let types = binary_types(&op, &arg, b)?;
    check_cast(types.out, a.dtype())?;
    let tensors = [Some(a), b.tensor()];
    let record = autograd::needs_grad(tensors.into_iter().flatten()) && a.dtype().is_inexact();
    let (save_a, save_b) = if record { binary_saves(&op, &arg, b) } else { (false, false) };
    let before = if save_a { Some(super::create::copy_of(a)?) } else { None };
    launch_binary(op, &arg, b, types.compute, a)?;
    a.bump_version();
    if record {
        let mut save = Vec::new();
        if let Some(t) = &before {
            save.push(Save::Input(t));
        }
        let ka = before.is_some().then_some(Kept::Saved);
        let kb = match b {
            Arg::Number(n) => Some(Kept::Number(*n)),
            Arg::Tensor(t) if save_b => {
                save.push(Save::Input(t));
                Some(Kept::Saved)
            }
            Arg::Tensor(_) => None,
        };
        let (sa, sb) = (Side::of(&arg), Side::of(b));
        autograd::record_in_place(binary_name(&op, &arg, b), a, &[b.tensor()], &save, move |ctx| {
            let (va, vb) = restore(&ka, &kb, &ctx.saved);
            let grad = |side: usize| binary_grad(op, ctx.grad(), va.as_ref(), vb.as_ref(), side);
            let ga = if ctx.needs(0) { Some(sa.fit(&grad(0)?)?) } else { None };
            let gb = if ctx.needs(1) { Some(sb.fit(&grad(1)?)?) } else { None };
            Ok(smallvec![ga, gb])
        })?;
    }
    Ok(())
}

/// `a += b` outside the graph, keeping the version: for gradients.
pub(crate) fn add_data(a: &Tensor, b: &Tensor) -> Result<()> {
    launch_binary(BinaryOp::Add, &a.into(), &b.into(), a.dtype(), a)
}

/// An in-place operator's output fixes the device: nothing but a 0-dim CPU tensor may be elsewhere.
fn check_in_place_device(a: &Tensor, others: &[&Arg]) -> Result<()> {
    let mut tensors = vec![a];
    tensors.extend(others.iter().filter_map(|o| o.tensor()));
    let device = super::device::common(&tensors)?;
    if device != a.device() {
        return Err(Error::runtime(format!(
            "Expected all tensors to be on the same device, but found at least two devices, {device} and {}!",
            a.device()
        )));
    }
    Ok(())
}

pub(crate) fn check_in_place_shape(a: &Tensor, joined: &[usize]) -> Result<()> {
    if a.shape().as_slice() != joined {
        return Err(Error::runtime(format!(
            "output with shape {} doesn't match the broadcast shape {}",
            shape::show(&a.shape()),
            shape::show(joined)
        )));
    }
    Ok(())
}

pub(crate) fn check_cast(from: DType, to: DType) -> Result<()> {
    if from.category() > to.category() && !(to == DType::Bool && from.category() == Category::Bool) {
        return Err(Error::runtime(format!(
            "result type {} can't be cast to the desired output type {}",
            from.scalar_name(),
            to.scalar_name()
        )));
    }
    Ok(())
}

// ---- ternary ---------------------------------------------------------------------------------------------------------

/// `op(a, b, c)`, outside the graph but for `where` ([`where_`]), `lerp`, `addcmul` and `addcdiv` (in `ops::arith`).
pub fn ternary(op: TernaryOp, a: &Arg, b: &Arg, c: &Arg) -> Result<Tensor> {
    let device = joint_device(&[a, b, c])?;
    let shape = joint_shape(&[a, b, c])?;
    let dtype = if op == TernaryOp::Where { result_type(&[b, c])? } else { result_type(&[a, b, c])? };
    let out = empty_result(&[a, b, c], &shape, dtype, device)?;
    launch_ternary(op, a, b, c, dtype, &out)?;
    Ok(out)
}

/// As [`ternary`], into an existing tensor of the joint shape.
pub(crate) fn launch_ternary(op: TernaryOp, a: &Arg, b: &Arg, c: &Arg, compute: DType, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    let device = out.device();
    let (ha, hb, hc, ho) = (Held::of(a, device)?, Held::of(b, device)?, Held::of(c, device)?, Pin::of(out));
    let shape = out.shape();
    engine::current().launch(
        device,
        &Kernel::Ternary {
            op,
            a: ha.operand(&shape)?,
            b: hb.operand(&shape)?,
            c: hc.operand(&shape)?,
            compute,
            out: ho.view()?,
        },
    )
}

/// `torch.where(condition, a, b)`.
///
/// # Errors
/// A condition that is not bool; different devices; shapes that do not broadcast.
pub fn where_(condition: &Tensor, a: &Arg, b: &Arg) -> Result<Tensor> {
    if condition.dtype() != DType::Bool && condition.dtype() != DType::U8 {
        return Err(Error::runtime(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            condition.dtype().scalar_name()
        )));
    }
    let out = ternary(TernaryOp::Where, &condition.into(), a, b)?;
    if out.dtype().is_inexact() && autograd::needs_grad([a, b].into_iter().filter_map(Arg::tensor)) {
        let (sa, sb) = (Side::of(a), Side::of(b));
        autograd::record(
            "WhereBackward0",
            &[a.tensor(), b.tensor()],
            &[Save::Input(condition)],
            &[&out],
            move |ctx| {
                let (g, condition) = (Arg::from(ctx.grad()), &ctx.saved[0]);
                let zero = Arg::from(0.0);
                let ga = if ctx.needs(0) { Some(sa.fit(&where_(condition, &g, &zero)?)?) } else { None };
                let gb = if ctx.needs(1) { Some(sb.fit(&where_(condition, &zero, &g)?)?) } else { None };
                Ok(smallvec![ga, gb])
            },
        )?;
    }
    Ok(out)
}
