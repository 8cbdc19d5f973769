//! Operators of two tensors or numbers.

use smallvec::smallvec;

use super::{
    Arg, Held, check_cast, check_in_place_device, check_in_place_shape, empty_result, joint_device, joint_shape,
    result_type, ternary, to_float, unary, where_,
};
use crate::autograd::{self, Save};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, TernaryOp, UnaryOp};
use crate::ops::rows::{self, Gives};
use crate::ops::{self, dtypes};
use crate::shape::Dims;
use crate::tensor::{Pin, Tensor};

struct BinaryTypes {
    compute: DType,
    out: DType,
}

fn binary_types(op: &BinaryOp, a: &Arg, b: &Arg, device: Device) -> Result<BinaryTypes> {
    if let (Some(x), Some(y)) = (a.tensor(), b.tensor()) {
        x.dtype().check_promotion(y.dtype())?;
    }
    if matches!(op, BinaryOp::Sub | BinaryOp::AbsDifference) {
        dtypes::subtraction(a, b)?;
    }
    if *op == BinaryOp::Pow {
        dtypes::power(a, b)?;
    }
    let common = result_type(&[a, b])?;
    dtypes::taken(op.row(), common, device)?;
    Ok(match op.row().gives {
        Gives::Same | Gives::Sum => BinaryTypes { compute: common, out: common },
        Gives::Float => BinaryTypes { compute: to_float(common), out: to_float(common) },
        Gives::Bool => BinaryTypes { compute: common, out: DType::Bool },
        Gives::Integer => {
            dtypes::bitwise(*op, common, device)?;
            BinaryTypes { compute: common, out: common }
        }
    })
}

fn launch_binary(op: BinaryOp, a: &Arg, b: &Arg, compute: DType, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    if out.is_flipped() {
        return ops::transfer::write_flipped(out, |made| launch_binary(op, a, b, compute, made));
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
    let types = binary_types(&op, a, b, device)?;
    let out = empty_result(&[a, b], &shape, types.out, device)?;
    launch_binary(op, a, b, types.compute, &out)?;
    Ok(out)
}

/// `a op b`, recorded.
///
/// # Errors
/// Different devices, shapes that don't broadcast, dtypes that the operator refuses.
pub fn binary(op: BinaryOp, a: &Arg, b: &Arg) -> Result<Tensor> {
    binary_named(op, a, b, binary_name(&op, a, b))
}

/// As [`binary`], with another name for the node.
pub(crate) fn binary_named(op: BinaryOp, a: &Arg, b: &Arg, name: &'static str) -> Result<Tensor> {
    let out = binary_data(op, a, b)?;
    let differentiable = out.dtype().is_inexact() && !matches!(op.row().gives, Gives::Bool | Gives::Integer);
    if differentiable && autograd::needs_grad([a, b].into_iter().filter_map(Arg::tensor)) {
        record_binary(op, a, b, &out, name)?;
    }
    Ok(out)
}

/// Which values each operand's gradient needs.
fn binary_saves(op: &BinaryOp, a: &Arg, b: &Arg) -> (bool, bool) {
    use BinaryOp::*;
    let (ga, gb) = (a.requires_grad(), b.requires_grad());
    match op {
        Add | Sub | Axpy { .. } => (false, false),
        Mul => (gb, ga),
        Div => (gb, ga || gb),
        FloorDiv | TruncDiv => (false, false),
        Remainder | Fmod => (gb, gb),
        _ => (true, true),
    }
}

/// Whether PyTorch saves the operand that is a number.
fn saves_number(op: &BinaryOp, a: &Arg, b: &Arg) -> bool {
    match op {
        BinaryOp::Mul => a.tensor().is_none() || b.tensor().is_none(),
        BinaryOp::Div => b.tensor().is_none(),
        _ => false,
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
    if saves_number(&op, a, b) {
        save.push(Save::Constant);
    }
    let (sa, sb) = (Side::of(a), Side::of(b));
    if let Some((side, t)) = only_operand(a, b, name) {
        return autograd::record(name, &[Some(t)], &save, &[out], move |ctx| {
            let (va, vb) = restore(&ka, &kb, &ctx.saved)?;
            let g = binary_grad(op, ctx.grad(), va.as_ref(), vb.as_ref(), side)?;
            Ok(smallvec![Some(if side == 0 { &sa } else { &sb }.fit(&g)?)])
        });
    }
    autograd::record(name, &[a.tensor(), b.tensor()], &save, &[out], move |ctx| {
        let (va, vb) = restore(&ka, &kb, &ctx.saved)?;
        let ga =
            if ctx.needs(0) { Some(sa.fit(&binary_grad(op, ctx.grad(), va.as_ref(), vb.as_ref(), 0)?)?) } else { None };
        let gb =
            if ctx.needs(1) { Some(sb.fit(&binary_grad(op, ctx.grad(), va.as_ref(), vb.as_ref(), 1)?)?) } else { None };
        Ok(smallvec![ga, gb])
    })
}

/// The tensor and its side if the other operand is a number and PyTorch's operator takes it as one: its node has one edge then.
/// Other operators make a tensor of the number, and their nodes have an edge that leads nowhere.
fn only_operand<'a>(a: &'a Arg, b: &'a Arg, name: &'static str) -> Option<(usize, &'a Tensor)> {
    let take_numbers = [
        rows::POW.node,
        rows::nodes::NUMBER_POW,
        rows::nodes::REMAINDER_NUMBER,
        rows::nodes::FMOD_NUMBER,
        rows::nodes::RSUB_NUMBER,
    ];
    if !take_numbers.contains(&name) {
        return None;
    }
    match (a, b) {
        (Arg::Tensor(t), Arg::Number(_)) => Some((0, t)),
        (Arg::Number(_), Arg::Tensor(t)) => Some((1, t)),
        _ => None,
    }
}

enum Kept {
    Number(Scalar),
    Saved,
}

/// The operands as the gradients need them: complex ones are conjugated.
fn restore(a: &Option<Kept>, b: &Option<Kept>, saved: &[Tensor]) -> Result<(Option<Arg>, Option<Arg>)> {
    let mut saved = saved.iter();
    let mut one = |kept: &Option<Kept>| -> Result<Option<Arg>> {
        Ok(match kept {
            None => None,
            Some(Kept::Number(n)) => Some(Arg::Number(n.conjugate())),
            Some(Kept::Saved) => saved.next().map(ops::complex::conj).transpose()?.map(Arg::from),
        })
    };
    Ok((one(a)?, one(b)?))
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
    // If one side is a number, PyTorch runs another operator.
    match (op, a.tensor(), b.tensor()) {
        (BinaryOp::Sub, None, _) => rows::nodes::RSUB_NUMBER,
        (BinaryOp::Div, None, _) => rows::MUL.node,
        (BinaryOp::Remainder, Some(_), None) => rows::nodes::REMAINDER_NUMBER,
        (BinaryOp::Fmod, Some(_), None) => rows::nodes::FMOD_NUMBER,
        (BinaryOp::Pow, None, _) => rows::nodes::NUMBER_POW,
        (BinaryOp::Pow, Some(_), Some(_)) => rows::nodes::POW_TENSOR,
        _ => op.row().node,
    }
}

/// The gradient of `a op b` for operand `side`, before it's summed to the operand's shape.
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
                binary(B::Mul, &ga, &alpha.conjugate().into())
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
            Arg::Number(n) if n.as_complex() == (0.0, 0.0) => ops::zeros_like(g),
            Arg::Number(n) => {
                let less = match n {
                    Scalar::Float(f) => Scalar::Float(f - 1.0),
                    Scalar::Complex(re, im) => Scalar::Complex(re - 1.0, *im),
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
        B::Pow if g.dtype().is_complex() => {
            // On the branch cut, the conjugate of a power isn't the power of the conjugates.
            let back = |arg: &Arg| match arg {
                Arg::Number(n) => Ok(Arg::Number(n.conjugate())),
                Arg::Tensor(t) => ops::complex::conjugate(t).map(Arg::from),
            };
            let (a, b) = (back(a()?)?, back(b()?)?);
            let log = match &a {
                Arg::Tensor(t) => Arg::from(unary(UnaryOp::Log, t)?),
                Arg::Number(n) => Arg::from(log_of(*n, g.dtype())),
            };
            let slope = ops::complex::conjugate(&tensor(bin(B::Mul, &bin(B::Pow, &a, &b)?, &log)?)?)?;
            let d = ops::mul(g, &slope)?;
            match &a {
                Arg::Number(n) if n.as_complex() == (0.0, 0.0) => ops::zeros_like(g),
                Arg::Number(_) => Ok(d),
                Arg::Tensor(_) => {
                    let zero = bin(B::LogicalAnd, &bin(B::Eq, &a, &0.0.into())?, &not_negative(&b)?)?;
                    where_(&tensor(zero)?, &0.0.into(), &d.into())
                }
            }
        }
        B::Pow => {
            // g * a^b * ln a, but 0 where a is 0 and b isn't negative.
            let log = match a()? {
                Arg::Tensor(t) => Arg::from(unary(UnaryOp::Log, t)?),
                Arg::Number(n) => Arg::from(log_of(*n, g.dtype())),
            };
            let slope = bin(B::Mul, &bin(B::Pow, a()?, b()?)?, &log)?;
            let d = bin(B::Mul, &ga, &slope)?;
            let zero = bin(B::Eq, a()?, &0.0.into());
            match (a()?, zero) {
                (Arg::Tensor(_), Ok(zero)) => {
                    let both = bin(B::LogicalAnd, &zero, &not_negative(b()?)?)?;
                    where_(&tensor(both)?, &0.0.into(), &d)
                }
                (Arg::Number(n), _) if n.as_complex() == (0.0, 0.0) => ops::zeros_like(g),
                _ => tensor(d),
            }
        }
        B::Maximum | B::Minimum | B::Fmax | B::Fmin => {
            // Equal values share the gradient equally.
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
        // Piecewise linear in the value, so only the path through the gradient contributes.
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

/// The logarithm of a number that was raised to a tensor of numbers like `dtype`.
fn log_of(n: Scalar, dtype: DType) -> Scalar {
    match n {
        Scalar::Complex(re, im) => Scalar::Complex(re.hypot(im).ln(), im.atan2(re)),
        n if dtype.is_complex() => Scalar::Complex(n.as_f64().abs().ln(), 0f64.atan2(n.as_f64())),
        n => Scalar::Float(n.as_f64().ln()),
    }
}

/// Where an exponent is real and at least 0.
fn not_negative(exponent: &Arg) -> Result<Arg> {
    match exponent {
        Arg::Number(Scalar::Complex(re, im)) => Ok(Arg::Number(Scalar::Bool(*im == 0.0 && *re >= 0.0))),
        Arg::Tensor(t) if t.dtype().is_complex() => {
            let real = binary(BinaryOp::Eq, &ops::complex::imag(t)?.into(), &0.0.into())?;
            let positive = binary(BinaryOp::Ge, &ops::complex::real(t)?.into(), &0.0.into())?;
            binary(BinaryOp::LogicalAnd, &real.into(), &positive.into()).map(Arg::from)
        }
        exponent => binary(BinaryOp::Ge, exponent, &0.0.into()).map(Arg::from),
    }
}

/// The gradient of an elementwise loss for its input, times `factor`: one kernel, or several operators if a graph is
/// wanted.
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

/// What a comparison records that writes its result into a tensor of floats. The other functions that give bool record nothing.
fn comparison(op: &BinaryOp, b: &Arg) -> Option<&'static str> {
    use rows::nodes::*;
    let (number, tensor) = match op {
        BinaryOp::Eq => (EQ_NUMBER, EQ_TENSOR),
        BinaryOp::Ne => (NE_NUMBER, NE_TENSOR),
        BinaryOp::Lt => (LT_NUMBER, LT_TENSOR),
        BinaryOp::Le => (LE_NUMBER, LE_TENSOR),
        BinaryOp::Gt => (GT_NUMBER, GT_TENSOR),
        BinaryOp::Ge => (GE_NUMBER, GE_TENSOR),
        _ => return None,
    };
    Some(if b.tensor().is_some() { tensor } else { number })
}

/// `a.op_(b)`: writes the result into `a`, whose shape and dtype must fit.
///
/// # Errors
/// Those of [`binary`]; leaves; results that don't fit.
pub fn binary_(op: BinaryOp, a: &Tensor, b: &Arg) -> Result<()> {
    autograd::check_in_place(a)?;
    autograd::check_no_overlap(a)?;
    let arg = Arg::from(a);
    check_in_place_device(a, &[b])?;
    let shape = joint_shape(&[&arg, b])?;
    check_in_place_shape(a, &shape)?;
    if let Arg::Tensor(b) = b {
        ops::transfer::check_overlap(a, b)?;
    }
    let types = binary_types(&op, &arg, b, a.device())?;
    check_cast(types.out, a.dtype())?;
    let tensors = [Some(a), b.tensor()];
    let needed = autograd::needs_grad(tensors.into_iter().flatten()) && a.dtype().is_inexact();
    let truth = op.row().gives == Gives::Bool;
    let record = needed && !truth;
    let (save_a, save_b) = if record { binary_saves(&op, &arg, b) } else { (false, false) };
    let before = if save_a { Some(crate::ops::create::before(a)?) } else { None };
    launch_binary(op, &arg, b, types.compute, a)?;
    a.bump_version();
    if needed
        && truth
        && let Some(name) = comparison(&op, b)
    {
        let (sa, sb) = (Side::of(&arg), Side::of(b));
        autograd::record_in_place(name, a, &[b.tensor()], &[], move |ctx| {
            let zeros = ops::zeros_like(ctx.grad())?;
            let gb = if ctx.needs(1) { Some(sb.fit(&zeros)?) } else { None };
            Ok(smallvec![Some(sa.fit(&zeros)?), gb])
        })?;
    }
    if record {
        let mut save = Vec::new();
        if let Some(t) = &before {
            save.push(Save::Input(t));
        }
        let ka = before.is_some().then_some(Kept::Saved);
        let kb = match b {
            Arg::Number(n) => Some(Kept::Number(*n)),
            Arg::Tensor(t) if save_b => {
                save.push(if t.shares_version(a) { Save::Before(t) } else { Save::Input(t) });
                Some(Kept::Saved)
            }
            Arg::Tensor(_) => None,
        };
        if saves_number(&op, &arg, b) {
            save.push(Save::Constant);
        }
        let (sa, sb) = (Side::of(&arg), Side::of(b));
        let name = binary_name(&op, &arg, b);
        let other = [b.tensor()];
        // A number has no edge.
        let others = if only_operand(&arg, b, name).is_some() { &other[..0] } else { &other[..] };
        let alone = others.is_empty();
        autograd::record_in_place(name, a, others, &save, move |ctx| {
            let (va, vb) = restore(&ka, &kb, &ctx.saved)?;
            let grad = |side: usize| binary_grad(op, ctx.grad(), va.as_ref(), vb.as_ref(), side);
            if alone {
                return Ok(smallvec![Some(sa.fit(&grad(0)?)?)]);
            }
            let ga = if ctx.needs(0) { Some(sa.fit(&grad(0)?)?) } else { None };
            let gb = if ctx.needs(1) { Some(sb.fit(&grad(1)?)?) } else { None };
            Ok(smallvec![ga, gb])
        })?;
    }
    Ok(())
}

/// `a = a op b` outside the graph, without increasing the version: for tensors that an operator has made itself.
pub(crate) fn change_data(op: BinaryOp, a: &Tensor, b: &Tensor) -> Result<()> {
    launch_binary(op, &a.into(), &b.into(), a.dtype(), a)
}

/// `a += b` outside the graph, without increasing the version: for gradients.
pub(crate) fn add_data(a: &Tensor, b: &Tensor) -> Result<()> {
    change_data(BinaryOp::Add, a, b)
}
