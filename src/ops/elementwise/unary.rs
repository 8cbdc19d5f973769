//! Operators of one tensor.

use smallvec::smallvec;

use super::{binary, check_cast, to_float, where_};
use crate::autograd::{self, Context, Save};
use crate::dtype::{DType, ResultType};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, UnaryOp};
use crate::ops::rows::{Gives, Saves};
use crate::ops::{self, dtypes};
use crate::shape::Layout;
use crate::tensor::{Pin, Tensor, destination};

/// `op(x)` outside the graph.
fn unary_data(op: UnaryOp, x: &Tensor) -> Result<Tensor> {
    let (compute, dtype) = unary_types(op, x)?;
    let out = match destination::elementwise(&x.shape(), dtype, x.device()) {
        Some(place) => place,
        // On the CPU, PyTorch has a kernel of its own for it, which writes row-major.
        None if op == UnaryOp::LogSigmoid && x.device().is_cpu() => {
            Tensor::empty_with(Layout::contiguous(&x.shape()), dtype, x.device(), false)?
        }
        None => Tensor::empty_with(ops::layout::elementwise(&x.shape(), &[x], false), dtype, x.device(), false)?,
    };
    launch_unary(op, x, compute, &out)?;
    Ok(out)
}

fn unary_types(op: UnaryOp, x: &Tensor) -> Result<(DType, DType)> {
    let dtype = x.dtype();
    if dtype.is_complex() {
        dtypes::taken(op.row(), dtype, x.device())?;
        if op == UnaryOp::Abs {
            return Ok((dtype, dtype.part()));
        }
    }
    Ok(match op.row().gives {
        Gives::Float => (to_float(dtype), to_float(dtype)),
        Gives::Bool => (dtype, DType::Bool),
        Gives::Integer if dtype.is_inexact() => {
            return Err(dtypes::refused(&format!("{}_cpu", op.name()), dtype, x.device()));
        }
        // `pow(x, 2)`, where the 2 is an integer.
        _ if dtype == DType::Bool && op == UnaryOp::Square => (DType::I64, DType::I64),
        _ => {
            // A clamp with a float bound promotes an integer tensor.
            let mut r = ResultType::default();
            r.tensor(dtype, 1);
            if let UnaryOp::Clamp { min, max } = op {
                for bound in [min, max].into_iter().flatten() {
                    r.number(bound, engine::current().settings.default_dtype());
                }
            }
            let t = r.finish();
            dtypes::unary(op, t, x.device())?;
            (t, t)
        }
    })
}

fn launch_unary(op: UnaryOp, x: &Tensor, compute: DType, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    if out.is_flipped() {
        return crate::ops::transfer::write_flipped(out, |made| launch_unary(op, x, compute, made));
    }
    let (a, b) = (Pin::of(x), Pin::of(out));
    engine::current().launch(out.device(), &Kernel::Unary { op, x: a.view()?, compute, out: b.view()? })
}

/// `op(x)`, recorded.
pub fn unary(op: UnaryOp, x: &Tensor) -> Result<Tensor> {
    unary_named(op, x, op.row().node)
}

/// As [`unary`], with another name for the node.
pub(crate) fn unary_named(op: UnaryOp, x: &Tensor, name: &'static str) -> Result<Tensor> {
    if op == UnaryOp::Softsign && x.dtype().is_complex() {
        let below = binary(BinaryOp::Add, &unary(UnaryOp::Abs, x)?.into(), &1.0.into())?;
        return binary(BinaryOp::Div, &x.into(), &below.into());
    }
    let out = unary_data(op, x)?;
    if out.dtype().is_inexact() && autograd::needs_grad([x]) {
        // A clamp in place: the output is at a bound wherever the overwritten input was beyond it.
        let clamped = matches!(op, UnaryOp::Clamp { .. }) && out.storage().same(&x.storage());
        let saves = if clamped { Saves::Output } else { op.row().saves };
        let save = saves.of(x, &out);
        autograd::record(name, &[Some(x)], &save, &[&out], move |ctx| Ok(smallvec![Some(unary_grad(op, ctx)?)]))?;
    }
    Ok(out)
}

/// `x.op_()`.
pub fn unary_(op: UnaryOp, x: &Tensor) -> Result<()> {
    autograd::check_in_place(x)?;
    autograd::check_no_overlap(x)?;
    if op == UnaryOp::Abs && x.dtype().is_complex() {
        return Err(Error::runtime("In-place abs is not supported for complex tensors."));
    }
    let (compute, dtype) = unary_types(op, x)?;
    check_cast(dtype, x.dtype())?;
    let row = op.row();
    let record = autograd::needs_grad([x]) && row.gives != Gives::Bool;
    // A function whose gradient needs its input keeps a copy, because the input is about to be overwritten.
    let before = if record && row.saves == Saves::Input { Some(crate::ops::create::before(x)?) } else { None };
    launch_unary(op, x, compute, x)?;
    x.bump_version();
    if record {
        let save = match (row.saves, &before) {
            (Saves::Input, Some(t)) => vec![Save::Input(t)],
            (Saves::Output, _) => vec![Save::Output(x, 0)],
            _ => vec![],
        };
        autograd::record_in_place(row.node, x, &[], &save, move |ctx| Ok(smallvec![Some(unary_grad(op, ctx)?)]))?;
    }
    Ok(())
}

fn unary_grad(op: UnaryOp, ctx: &Context<'_>) -> Result<Tensor> {
    use BinaryOp as B;
    use UnaryOp as U;
    let g = ctx.grad();
    let zero = || ops::zeros_like(g);
    // `v` is the saved input or output, as the row says.
    // For complex numbers, the gradient is multiplied by its conjugate.
    let turned = match ctx.saved.first() {
        Some(t) if t.dtype().is_complex() && op != U::Abs => Some(ops::complex::conjugate(t)?),
        _ => None,
    };
    let v = || turned.as_ref().unwrap_or_else(|| &ctx.saved[0]);
    let un = |op: UnaryOp, x: &Tensor| unary(op, x);
    let bin = |op: BinaryOp, a: &Tensor, b: &Tensor| binary(op, &a.into(), &b.into());
    let num = |op: BinaryOp, a: &Tensor, b: f64| binary(op, &a.into(), &b.into());
    let mul = |a: &Tensor, b: &Tensor| binary(B::Mul, &a.into(), &b.into());
    let div = |a: &Tensor, b: &Tensor| binary(B::Div, &a.into(), &b.into());
    let complex = turned.is_some();
    if !ctx.saved.is_empty()
        && (complex || autograd::needs_grad([g, v()]))
        && let Some(slope) = slope(op, v())?
    {
        return mul(g, &slope);
    }
    match op {
        U::Neg => un(U::Neg, g),
        U::Abs if v().dtype().is_complex() => mul(g, &ops::complex::sgn(v())?),
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
        U::Tanh if complex => mul(g, &one_minus_square(v())?),
        U::Tanh => bin(B::TanhBackward, g, v()),
        U::Asinh => div(g, &un(U::Sqrt, &num(B::Add, &mul(v(), v())?, 1.0)?)?),
        // The root of a product isn't the product of the roots.
        U::Acosh if complex => {
            let roots = mul(&un(U::Rsqrt, &num(B::Add, v(), 1.0)?)?, &un(U::Rsqrt, &num(B::Sub, v(), 1.0)?)?)?;
            mul(g, &roots)
        }
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
        // For 16-bit floats this is computed in float32, as in PyTorch.
        U::Digamma if matches!(v().dtype(), DType::F16 | DType::BF16) => {
            let slope = ops::special::trigamma(&ops::transfer::cast(v(), DType::F32)?)?;
            mul(g, &ops::transfer::cast(&slope, g.dtype())?)
        }
        U::Digamma => mul(g, &ops::special::trigamma(v())?),
        U::Sigmoid if complex => {
            let rest = binary(B::Sub, &1.0.into(), &v().into())?;
            mul(g, &mul(&rest, v())?)
        }
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

/// The derivative at `x`, written with operators, for functions whose derivative is normally one kernel that has no
/// derivative itself. Used if a graph of the backward pass is wanted.
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
