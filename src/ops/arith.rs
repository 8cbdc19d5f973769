//! Arithmetic beyond a single binary kernel: scaled sums, interpolation, bounds, comparison within a tolerance, filling.
//!
//! Source of rules and texts: aten/src/ATen/native/BinaryOps.cpp, PointwiseOps.cpp, Lerp.cpp, TensorCompare.cpp and Fill.cpp
//! in PyTorch 2.15.

use smallvec::smallvec;

use super::elementwise::{self, Side};
use crate::autograd::{self, Save};
use crate::dtype::{Category, DType, Scalar};
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, ReduceOp, TernaryOp, UnaryOp};
use crate::ops::{self, Arg, device, dtypes, rows};
use crate::shape::Layout;
use crate::tensor::Tensor;
use crate::tensor::destination::{self, Reads};

fn check_alpha(alpha: Scalar, result: DType) -> Result<()> {
    if alpha.category() == Category::Complex && !result.is_complex() {
        return Err(Error::runtime("For non-complex input tensors, argument alpha must not be a complex number."));
    }
    if alpha.category() == Category::Bool && result != DType::Bool {
        return Err(Error::runtime("Boolean alpha only supported for Boolean results."));
    }
    if alpha.category() >= Category::Float && result.is_integral() {
        return Err(Error::runtime("For integral input tensors, argument alpha must not be a floating point number."));
    }
    Ok(())
}

fn is_one(alpha: Scalar) -> bool {
    alpha.category() != Category::Bool && alpha.as_complex() == (1.0, 0.0)
}

fn negated(alpha: Scalar) -> Scalar {
    match alpha {
        Scalar::Float(v) => Scalar::Float(-v),
        Scalar::Complex(re, im) => Scalar::Complex(-re, -im),
        other => Scalar::Int(-other.as_i64()),
    }
}

/// `torch.add(a, b, alpha=alpha)`.
pub fn add(a: &Arg, b: &Arg, alpha: Scalar) -> Result<Tensor> {
    if is_one(alpha) {
        return ops::binary(BinaryOp::Add, a, b);
    }
    check_alpha(alpha, elementwise::result_type(&[a, b])?)?;
    ops::binary(BinaryOp::Axpy { alpha }, a, b)
}

/// `a.add_(b, alpha=alpha)`.
pub fn add_(a: &Tensor, b: &Arg, alpha: Scalar) -> Result<()> {
    if is_one(alpha) {
        return ops::binary_(BinaryOp::Add, a, b);
    }
    check_alpha(alpha, elementwise::result_type(&[&a.into(), b])?)?;
    ops::binary_(BinaryOp::Axpy { alpha }, a, b)
}

/// `torch.sub(a, b, alpha=alpha)`.
pub fn sub(a: &Arg, b: &Arg, alpha: Scalar) -> Result<Tensor> {
    if is_one(alpha) {
        return ops::binary(BinaryOp::Sub, a, b);
    }
    dtypes::subtraction(a, b)?;
    check_alpha(alpha, elementwise::result_type(&[a, b])?)?;
    elementwise::binary_named(BinaryOp::Axpy { alpha: negated(alpha) }, a, b, rows::SUB.node)
}

/// `a.sub_(b, alpha=alpha)`.
pub(crate) fn sub_(a: &Tensor, b: &Arg, alpha: Scalar) -> Result<()> {
    if is_one(alpha) {
        return ops::binary_(BinaryOp::Sub, a, b);
    }
    dtypes::subtraction(&a.into(), b)?;
    check_alpha(alpha, elementwise::result_type(&[&a.into(), b])?)?;
    ops::binary_(BinaryOp::Axpy { alpha: negated(alpha) }, a, b)
}

/// `torch.rsub(a, b, alpha=alpha)`: `b - alpha * a`.
pub(crate) fn rsub(a: &Arg, b: &Arg, alpha: Scalar) -> Result<Tensor> {
    let node = if b.tensor().is_some() { rows::RSUB.node } else { rows::nodes::RSUB_NUMBER };
    let op = if is_one(alpha) { BinaryOp::Sub } else { BinaryOp::Axpy { alpha: negated(alpha) } };
    if !is_one(alpha) {
        dtypes::subtraction(b, a)?;
        check_alpha(alpha, elementwise::result_type(&[b, a])?)?;
    }
    elementwise::binary_named(op, b, a, node)
}

/// `torch.div(a, b, rounding_mode=mode)`.
///
/// # Errors
/// A mode other than `trunc` and `floor`.
pub fn div(a: &Arg, b: &Arg, mode: Option<&str>) -> Result<Tensor> {
    let op = div_op(mode)?;
    if op != BinaryOp::FloorDiv {
        return ops::binary(op, a, b);
    }
    // `//` has no derivative, but this one has: 0.
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        destination::last(|| ops::binary(op, a, b))?
    };
    let inputs = [a.tensor(), b.tensor()];
    if out.dtype().is_inexact() && autograd::needs_grad(inputs.into_iter().flatten()) {
        let (sa, sb) = (Side::of(a), Side::of(b));
        autograd::record(rows::nodes::DIV_ROUNDED, &inputs, &[], &[&out], move |ctx| {
            let zeros = ops::zeros_like(ctx.grad())?;
            Ok(smallvec![
                if ctx.needs(0) { Some(sa.fit(&zeros)?) } else { None },
                if ctx.needs(1) { Some(sb.fit(&zeros)?) } else { None },
            ])
        })?;
    }
    Ok(out)
}

/// `a.div_(b, rounding_mode=mode)`.
pub(crate) fn div_(a: &Tensor, b: &Arg, mode: Option<&str>) -> Result<()> {
    match div_op(mode)? {
        BinaryOp::FloorDiv => replace_with(a, b.tensor().as_slice(), false, |before| div(&before.into(), b, mode)),
        op => ops::binary_(op, a, b),
    }
}

fn div_op(mode: Option<&str>) -> Result<BinaryOp> {
    match mode {
        None => Ok(BinaryOp::Div),
        Some("trunc") => Ok(BinaryOp::TruncDiv),
        Some("floor") => Ok(BinaryOp::FloorDiv),
        Some(other) => Err(Error::runtime(format!(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{other}'"
        ))),
    }
}

/// `torch.pow`.
///
/// # Errors
/// Those of [`ops::binary`].
pub fn pow(base: &Arg, exponent: &Arg) -> Result<Tensor> {
    // The exponents 0 and 1 need no computation, so even bool, which has no powers, allows them.
    if let (Arg::Tensor(t), Arg::Number(Scalar::Bool(one))) = (base, exponent)
        && t.dtype() == DType::Bool
    {
        return if *one { ops::create::clone(t) } else { ops::ones_like(t) };
    }
    ops::binary(BinaryOp::Pow, base, exponent)
}

/// `base.pow_(exponent)`.
pub(crate) fn pow_(base: &Tensor, exponent: &Arg) -> Result<()> {
    if let Arg::Number(Scalar::Bool(one)) = exponent
        && base.dtype() == DType::Bool
    {
        return if *one { Ok(()) } else { fill_(base, Scalar::Bool(true)) };
    }
    ops::binary_(BinaryOp::Pow, base, exponent)
}

/// `torch.clamp` with numbers.
///
/// # Errors
/// Neither bound.
pub fn clamp(x: &Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Result<Tensor> {
    check_bounds(min.is_some() || max.is_some())?;
    check_real(x, [min, max])?;
    ops::unary(UnaryOp::Clamp { min, max }, x)
}

/// `x.clamp_()` with numbers.
pub(crate) fn clamp_(x: &Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Result<()> {
    check_bounds(min.is_some() || max.is_some())?;
    if x.dtype().is_integral() {
        let mut args = vec![Arg::from(x)];
        args.extend([min, max].into_iter().flatten().map(Arg::Number));
        let result = elementwise::result_type(&args.iter().collect::<Vec<_>>())?;
        if elementwise::check_cast(result, x.dtype()).is_err() {
            return Err(Error::runtime(format!(
                "result type {} can't be cast to the desired output type {}",
                result.scalar_name(),
                x.dtype().c_name()
            )));
        }
    }
    check_real(x, [min, max])?;
    ops::unary_(UnaryOp::Clamp { min, max }, x)
}

fn check_bounds(any: bool) -> Result<()> {
    if any { Ok(()) } else { Err(Error::runtime("torch.clamp: At least one of 'min' or 'max' must not be None")) }
}

/// Complex numbers have no order.
fn check_real(x: &Tensor, bounds: [Option<Scalar>; 2]) -> Result<()> {
    if bounds.into_iter().flatten().all(|bound| bound.as_complex().1 == 0.0) {
        return Ok(());
    }
    // PyTorch reads the bounds of a floating-point tensor as double before it looks at the common dtype.
    if x.dtype().is_float() {
        return Err(Error::runtime("value cannot be converted to type double without overflow"));
    }
    Err(Error::not_implemented("clamp is not supported for complex types"))
}

/// `torch.clamp` with tensors as bounds.
///
/// # Errors
/// No bound; bounds on another device (0-dim CPU tensors aren't exempt).
pub fn clamp_tensor(x: &Tensor, min: Option<&Tensor>, max: Option<&Tensor>) -> Result<Tensor> {
    check_bounds(min.is_some() || max.is_some())?;
    let mut named = vec![("self", x)];
    named.extend(min.map(|t| ("min", t)));
    named.extend(max.map(|t| ("max", t)));
    device::checked(&rows::CLAMP, &[Some(x), min, max])?;
    if x.dtype().is_complex() {
        return Err(Error::not_implemented("clamp is not supported for complex types"));
    }
    if let Some(complex) = named.iter().map(|(_, t)| t.dtype()).find(|d| d.is_complex()) {
        match (min, max) {
            (Some(_), None) => return Err(dtypes::refused("maximum_cpu", complex, x.device())),
            (None, Some(_)) => return Err(dtypes::refused("minimum_cpu", complex, x.device())),
            _ => {}
        }
    }
    if min.is_some() && max.is_some() {
        let types: Vec<Arg> = named.iter().map(|(_, t)| Arg::from(*t)).collect();
        let common = elementwise::result_type(&types.iter().collect::<Vec<_>>())?;
        if common == DType::Bool {
            return Err(dtypes::refused("clamp_cpu", common, x.device()));
        }
        if common.is_complex() {
            return Err(Error::not_implemented("clamp is not supported for complex types"));
        }
    }
    let (low, high) = match (min, max) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => {
            return destination::last(|| {
                elementwise::binary_named(BinaryOp::Maximum, &x.into(), &low.into(), rows::nodes::CLAMP_TENSOR)
            });
        }
        (None, Some(high)) => {
            return destination::last(|| {
                elementwise::binary_named(BinaryOp::Minimum, &x.into(), &high.into(), rows::nodes::CLAMP_TENSOR)
            });
        }
        (None, None) => return Ok(x.clone()),
    };
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let raised = ops::binary(BinaryOp::Maximum, &x.into(), &low.into())?;
        destination::last(|| ops::binary(BinaryOp::Minimum, &raised.into(), &high.into()))?
    };
    let inputs = [Some(x), Some(low), Some(high)];
    if out.dtype().is_inexact() && autograd::needs_grad([x, low, high]) {
        let sides = [x, low, high].map(|t| Side::of(&Arg::from(t)));
        let save = [Save::Input(x), Save::Input(low), Save::Input(high)];
        autograd::record(rows::nodes::CLAMP_TENSOR, &inputs, &save, &[&out], move |ctx| clamp_grad(ctx, &sides))?;
    }
    Ok(out)
}

/// A value that is equal to a bound shares its gradient with it. If the bounds cross, the upper one gets all of it.
fn clamp_grad(ctx: &autograd::Context<'_>, sides: &[Side; 3]) -> Result<autograd::Gradients> {
    let (x, low, high) = (&ctx.saved[0], &ctx.saved[1], &ctx.saved[2]);
    let both = |op: BinaryOp, a: &Tensor, b: &Tensor| ops::binary(op, &a.into(), &b.into());
    let apart = both(BinaryOp::Lt, low, high)?;
    let crossed = both(BinaryOp::Gt, low, high)?;
    let below = both(BinaryOp::Gt, &both(BinaryOp::Lt, x, low)?, &crossed)?;
    let above = both(BinaryOp::LogicalOr, &both(BinaryOp::Gt, x, high)?, &crossed)?;
    let on_low = both(BinaryOp::LogicalAnd, &both(BinaryOp::Eq, x, low)?, &apart)?;
    let on_high = both(BinaryOp::LogicalAnd, &both(BinaryOp::Eq, x, high)?, &apart)?;
    let (g, zero) = (Arg::from(ctx.grad()), Arg::from(0.0));
    let half = Arg::from(ops::binary(BinaryOp::Mul, &g, &0.5.into())?);
    let pick = |whole: &Tensor, shared: &Tensor, then: &Arg, rest: &Arg| {
        ops::where_(whole, then, &ops::where_(shared, &half, rest)?.into())
    };
    let mut grads = autograd::Gradients::new();
    for (i, side) in sides.iter().enumerate() {
        let wanted = ctx.needs(i).then(|| match i {
            0 => {
                let on_one = both(BinaryOp::LogicalOr, &on_low, &on_high)?;
                pick(&both(BinaryOp::LogicalOr, &below, &above)?, &on_one, &zero, &g)
            }
            1 => pick(&below, &on_low, &g, &zero),
            _ => pick(&above, &on_high, &g, &zero),
        });
        grads.push(wanted.transpose()?.map(|t| side.fit(&t)).transpose()?);
    }
    Ok(grads)
}

/// `torch.clamp_min` and `torch.clamp_max`: a single bound.
///
/// # Errors
/// A tensor on another device as bound.
pub(crate) fn clamp_one(x: &Tensor, bound: &Arg, low: bool) -> Result<Tensor> {
    match bound {
        Arg::Number(n) if n.as_complex().1 != 0.0 => {
            Err(Error::not_implemented("clamp is not supported for complex types"))
        }
        Arg::Number(n) if low => {
            elementwise::unary_named(UnaryOp::Clamp { min: Some(*n), max: None }, x, rows::nodes::CLAMP_MIN_NUMBER)
        }
        Arg::Number(n) => {
            elementwise::unary_named(UnaryOp::Clamp { min: None, max: Some(*n) }, x, rows::nodes::CLAMP_MAX_NUMBER)
        }
        Arg::Tensor(t) => {
            let (row, op, node) = match low {
                true => (&rows::CLAMP_MIN, BinaryOp::Maximum, rows::nodes::CLAMP_MIN_TENSOR),
                false => (&rows::CLAMP_MAX, BinaryOp::Minimum, rows::nodes::CLAMP_MAX_TENSOR),
            };
            device::checked(row, &[Some(x), Some(t)])?;
            dtypes::takes(row, x).and_then(|()| dtypes::takes(row, t))?;
            elementwise::binary_named(op, &x.into(), bound, node)
        }
    }
}

/// `x.clamp_()` with tensors as bounds.
///
/// # Errors
/// Those of [`clamp_tensor`].
pub(crate) fn clamp_tensor_(x: &Tensor, min: Option<&Tensor>, max: Option<&Tensor>) -> Result<()> {
    let bounds: smallvec::SmallVec<[&Tensor; 2]> = min.into_iter().chain(max).collect();
    replace_with(x, &bounds, true, |before| clamp_tensor(before, min, max))
}

/// `torch.lerp(start, end, weight)`.
pub fn lerp(start: &Tensor, end: &Tensor, weight: &Arg) -> Result<Tensor> {
    check_same_dtype("end", start, end)?;
    if let Some(weight) = weight.tensor().filter(|t| t.ndim() > 0) {
        check_same_dtype("weight", start, weight)?;
    }
    if let Arg::Number(n) = weight {
        n.fit(start.dtype())?;
    }
    dtypes::ternary(TernaryOp::Lerp, start.dtype(), start.device(), weight.tensor().is_none())?;
    let out = destination::last(|| ops::ternary(TernaryOp::Lerp, &start.into(), &end.into(), weight))?;
    let tensors = [Some(start), Some(end), weight.tensor()];
    if out.dtype().is_inexact() && autograd::needs_grad(tensors.into_iter().flatten()) {
        let name = if weight.tensor().is_some() { rows::nodes::LERP_TENSOR } else { rows::LERP.node };
        let sides = [Side::of(&start.into()), Side::of(&end.into()), Side::of(weight)];
        // Only the gradient of the weight needs both ends.
        let mut save: Vec<Save<'_>> = weight.tensor().map(Save::Input).into_iter().collect();
        if weight.tensor().is_some_and(Tensor::requires_grad) {
            save.extend([Save::Input(start), Save::Input(end)]);
        }
        let number = if let Arg::Number(n) = weight { Some(*n) } else { None };
        // A number has no edge.
        let edges = if number.is_none() { 3 } else { 2 };
        autograd::record(name, &tensors[..edges], &save, &[&out], move |ctx| {
            let g = ctx.grad();
            let weight = match number {
                Some(n) => Arg::Number(n.conjugate()),
                None => Arg::from(ops::complex::conjugate(&ctx.saved[0])?),
            };
            let to_end = ops::binary(BinaryOp::Mul, &g.into(), &weight)?;
            let mut grads: autograd::Gradients = smallvec![None; edges];
            if ctx.needs(0) {
                grads[0] = Some(sides[0].fit(&ops::sub(g, &to_end)?)?);
            }
            if ctx.needs(1) {
                grads[1] = Some(sides[1].fit(&to_end)?);
            }
            if number.is_none() && ctx.needs(2) {
                grads[2] = Some(
                    sides[2].fit(&ops::mul(g, &ops::complex::conjugate(&ops::sub(&ctx.saved[2], &ctx.saved[1])?)?)?)?,
                );
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

fn check_same_dtype(name: &str, start: &Tensor, end: &Tensor) -> Result<()> {
    if start.dtype() == end.dtype() {
        return Ok(());
    }
    Err(Error::runtime(format!(
        "expected dtype {} for `{name}` but got dtype {}",
        start.dtype().c_name(),
        end.dtype().c_name()
    )))
}

/// `start.lerp_(end, weight)`.
pub(crate) fn lerp_(start: &Tensor, end: &Tensor, weight: &Arg) -> Result<()> {
    let others: smallvec::SmallVec<[&Tensor; 2]> = std::iter::once(end).chain(weight.tensor()).collect();
    let keeps = weight.tensor().is_some_and(Tensor::requires_grad);
    replace_with(start, &others, keeps, |before| lerp(before, end, weight))
}

/// `torch.addcmul(input, a, b, value=value)`: `input + value * a * b`.
pub fn addcmul(input: &Tensor, a: &Tensor, b: &Tensor, value: Scalar) -> Result<Tensor> {
    scaled(TernaryOp::Addcmul { value }, input, a, b, value, rows::ADDCMUL.node)
}

/// `torch.addcdiv(input, a, b, value=value)`: `input + value * a / b`.
///
/// # Errors
/// Integer division.
pub fn addcdiv(input: &Tensor, a: &Tensor, b: &Tensor, value: Scalar) -> Result<Tensor> {
    if a.dtype().is_integral() && b.dtype().is_integral() {
        return Err(Error::runtime(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.",
        ));
    }
    scaled(TernaryOp::Addcdiv { value }, input, a, b, value, rows::ADDCDIV.node)
}

fn scaled(op: TernaryOp, input: &Tensor, a: &Tensor, b: &Tensor, value: Scalar, name: &'static str) -> Result<Tensor> {
    let args = [Arg::from(input), Arg::from(a), Arg::from(b)];
    value.fit(ops::elementwise::result_type(&args.each_ref())?)?;
    let out = destination::last(|| ops::ternary(op, &args[0], &args[1], &args[2]))?;
    if out.dtype().is_inexact() && autograd::needs_grad([input, a, b]) {
        let sides = args.each_ref().map(Side::of);
        let divides = matches!(op, TernaryOp::Addcdiv { .. });
        let save = [Save::Input(a), Save::Input(b)];
        autograd::record(name, &[Some(input), Some(a), Some(b)], &save, &[&out], move |ctx| {
            let (g, a, b) =
                (ctx.grad(), &ops::complex::conjugate(&ctx.saved[0])?, &ops::complex::conjugate(&ctx.saved[1])?);
            let mut grads = smallvec![None, None, None];
            if ctx.needs(0) {
                grads[0] = Some(sides[0].fit(g)?);
            }
            if ctx.needs(1) || ctx.needs(2) {
                let g = ops::binary(BinaryOp::Mul, &g.into(), &value.conjugate().into())?;
                if ctx.needs(1) {
                    let d = if divides { ops::div(&g, b)? } else { ops::mul(&g, b)? };
                    grads[1] = Some(sides[1].fit(&d)?);
                }
                if ctx.needs(2) {
                    let d = if divides {
                        ops::unary(UnaryOp::Neg, &ops::mul(&g, &ops::div(a, &ops::mul(b, b)?)?)?)?
                    } else {
                        ops::mul(&g, a)?
                    };
                    grads[2] = Some(sides[2].fit(&d)?);
                }
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// `input.addcmul_(a, b, value=value)`.
pub(crate) fn addcmul_(input: &Tensor, a: &Tensor, b: &Tensor, value: Scalar) -> Result<()> {
    replace_with(input, &[a, b], false, |before| addcmul(before, a, b, value))
}

/// `input.addcdiv_(a, b, value=value)`.
pub(crate) fn addcdiv_(input: &Tensor, a: &Tensor, b: &Tensor, value: Scalar) -> Result<()> {
    replace_with(input, &[a, b], false, |before| addcdiv(before, a, b, value))
}

/// An in-place operator as its out-of-place form, whose result overwrites the target. What the function saves of the
/// target is a copy, because the write would otherwise change it.
///
/// # Errors
/// Those of the function; leaves; results that don't fit the target's shape.
pub fn replace(target: &Tensor, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<()> {
    replace_with(target, &[], true, f)
}

/// Like [`replace`], for functions that also have other tensors as arguments: what is saved depends on whether those
/// need gradients. `keeps` says whether the function saves the target for its gradient.
///
/// # Errors
/// Those of [`replace`].
pub(crate) fn replace_with(
    target: &Tensor,
    others: &[&Tensor],
    keeps: bool,
    f: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<()> {
    others.iter().try_for_each(|other| ops::transfer::check_overlap(target, other))?;
    replace_by(target, others, keeps, f, |e| e)
}

/// Like [`replace_with`], for functions with an error type of their own.
///
/// # Errors
/// Those of [`replace`].
pub(crate) fn replace_by<E>(
    target: &Tensor,
    others: &[&Tensor],
    keeps: bool,
    f: impl FnOnce(&Tensor) -> std::result::Result<Tensor, E>,
    error: impl Fn(Error) -> E,
) -> std::result::Result<(), E> {
    let before = || -> Result<Tensor> {
        autograd::check_in_place(target)?;
        autograd::check_no_overlap(target)?;
        if !autograd::needs_grad(std::iter::once(target).chain(others.iter().copied())) {
            return Ok(target.clone());
        }
        if keeps {
            return ops::create::before(target);
        }
        let before = target.detach();
        autograd::stand_in(&before, target);
        Ok(before)
    };
    let before = before().map_err(&error)?;
    let place = reads(target, others).map(|reads| (target.clone(), reads));
    let result = destination::with(place.into_iter().collect(), || f(&before))?;
    overwrite(target, &result).map_err(error)
}

/// What an operator that changes `target` reads there, apart from it. `None` if it reads some of its elements in another place:
/// then the result has to be computed before it's written.
fn reads(target: &Tensor, others: &[&Tensor]) -> Option<Reads> {
    let mut reads = Reads::Itself;
    for other in others.iter().filter(|other| other.storage().same(&target.storage())) {
        if !destination::is_in(other, target) {
            return None;
        }
        reads = Reads::Alike;
    }
    Some(reads)
}

/// Gives `target` the contents and the history of `result`.
fn overwrite(target: &Tensor, result: &Tensor) -> Result<()> {
    if destination::is_in(result, target) {
        target.bump_version();
        return if autograd::needs_grad([result]) { autograd::adopt(target, result) } else { Ok(()) };
    }
    if result.shape() != target.shape() {
        return Err(Error::runtime(format!(
            "output with shape {} doesn't match the broadcast shape {}",
            crate::shape::show(&target.shape()),
            crate::shape::show(&result.shape())
        )));
    }
    elementwise::check_cast(result.dtype(), target.dtype())?;
    let plain = target.meta().view.borrow().is_none() && target.dtype() == result.dtype();
    if !plain || !autograd::needs_grad([result]) || target.device() != result.device() {
        return ops::transfer::copy_(target, result, false);
    }
    ops::transfer::copy_data(target, result)?;
    target.bump_version();
    autograd::stand_in(target, result);
    Ok(())
}

/// `torch.round(x, decimals=n)`.
///
/// # Errors
/// PyTorch's error for integers, which can't be rounded.
pub(crate) fn round_to(x: &Tensor, decimals: i64) -> Result<Tensor> {
    if decimals == 0 {
        dtypes::takes(&rows::ROUND_TO_WHOLE, x)?;
        return super::elementwise::unary_named(UnaryOp::Round, x, rows::ROUND_TO.node);
    }
    dtypes::takes(&rows::ROUND_TO, x)?;
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let power = Arg::from(10f64.powi(decimals.unsigned_abs().min(400) as i32));
        let (there, back) = if decimals > 0 { (BinaryOp::Mul, BinaryOp::Div) } else { (BinaryOp::Div, BinaryOp::Mul) };
        let scaled = ops::binary(there, &x.into(), &power)?;
        ops::binary(back, &ops::unary(UnaryOp::Round, &scaled)?.into(), &power)?
    };
    super::record_zero(rows::ROUND_TO.node, &[x], &out)?;
    Ok(out)
}

/// `torch.isclose`: `|a - b| <= atol + rtol * |b|`.
pub fn isclose(a: &Tensor, b: &Tensor, rtol: f64, atol: f64, equal_nan: bool) -> Result<Tensor> {
    if a.dtype() != b.dtype() {
        return Err(Error::runtime(format!("{} did not match {}", a.dtype().scalar_name(), b.dtype().scalar_name())));
    }
    for (name, tolerance) in [("rtol", rtol), ("atol", atol)] {
        if tolerance < 0.0 {
            let text = format!("{name} must be greater than or equal to zero, but got {tolerance}");
            return Err(Error::runtime(text));
        }
    }
    let _no_grad = autograd::GradMode::set(false);
    let both = |op: BinaryOp, x: &Tensor, y: &Tensor| ops::binary(op, &x.into(), &y.into());
    let mut close = both(BinaryOp::Eq, a, b)?;
    if equal_nan && a.dtype().is_inexact() {
        let nans = both(BinaryOp::LogicalAnd, &ops::unary(UnaryOp::IsNan, a)?, &ops::unary(UnaryOp::IsNan, b)?)?;
        close = both(BinaryOp::LogicalOr, &close, &nans)?;
    }
    if rtol == 0.0 && atol == 0.0 {
        return Ok(close);
    }
    let wide = |t: &Tensor| if t.dtype().is_inexact() { Ok(t.clone()) } else { ops::transfer::cast(t, DType::F64) };
    let (a, b) = (wide(a)?, wide(b)?);
    let distance = ops::unary(UnaryOp::Abs, &ops::sub(&a, &b)?)?;
    let scaled = ops::binary(BinaryOp::Mul, &ops::unary(UnaryOp::Abs, &b)?.into(), &rtol.into())?;
    let allowed = ops::binary(BinaryOp::Add, &scaled.into(), &atol.into())?;
    let near = both(
        BinaryOp::LogicalAnd,
        &ops::unary(UnaryOp::IsFinite, &distance)?,
        &both(BinaryOp::Le, &distance, &allowed)?,
    )?;
    both(BinaryOp::LogicalOr, &close, &near)
}

/// `torch.allclose`.
pub fn allclose(a: &Tensor, b: &Tensor, rtol: f64, atol: f64, equal_nan: bool) -> Result<bool> {
    let close = isclose(a, b, rtol, atol, equal_nan)?;
    let all = ops::reduce::logical(&close, ReduceOp::All, &[], false)?;
    Ok(ops::transfer::item(&all, crate::trace::Why::Item)?.as_bool())
}

/// `torch.nan_to_num`; a missing infinity becomes the dtype's largest number.
pub(crate) fn nan_to_num(x: &Tensor, nan: Option<f64>, posinf: Option<f64>, neginf: Option<f64>) -> Result<Tensor> {
    if x.dtype().is_integral() {
        return ops::create::clone(x);
    }
    if x.dtype().is_complex() {
        let parts = nan_to_num(&ops::complex::view_as_real(&ops::complex::resolve(x)?)?, nan, posinf, neginf)?;
        return autograd::under(&ops::complex::view_as_complex(&parts)?, rows::NAN_TO_NUM.node);
    }
    let largest = x.dtype().largest();
    let op = UnaryOp::NanToNum {
        nan: nan.unwrap_or(0.0),
        posinf: posinf.unwrap_or(largest),
        neginf: neginf.unwrap_or(-largest),
    };
    ops::unary(op, x)
}

/// `F.hardtanh` and `F.relu6`: a clamp whose node has another name.
#[expect(clippy::cast_possible_truncation, reason = "bounds of integers are integers in PyTorch")]
pub(crate) fn hardtanh(x: &Tensor, min: f64, max: f64) -> Result<Tensor> {
    if x.dtype() == DType::Bool {
        return Err(Error::not_implemented("Bool inputs not supported for hardtanh"));
    }
    let bound = |v: f64| {
        if x.dtype().is_integral() { Scalar::Int(v as i64) } else { Scalar::Float(v) }
    };
    let op = UnaryOp::Clamp { min: Some(bound(min)), max: Some(bound(max)) };
    destination::last(|| elementwise::unary_named(op, x, rows::HARDTANH.node))
}

/// The value must be on the tensor's device, or a 0-dim tensor on the CPU.
fn check_filling(x: &Tensor, value: &Arg) -> Result<()> {
    match value.tensor() {
        Some(v) if v.device() != x.device() && !v.device().is_cpu() && !x.device().is_meta() => {
            Err(Error::runtime("masked_fill_: Expected inputs to be on same device"))
        }
        _ => Ok(()),
    }
}

fn check_mask(x: &Tensor, mask: &Tensor) -> Result<()> {
    if mask.device() != x.device() && !(x.ndim() == 0 && x.device().is_cpu()) {
        return Err(Error::runtime(format!(
            "expected self and mask to be on the same device, but got mask on {} and self on {}",
            mask.device(),
            x.device()
        )));
    }
    if mask.dtype() != DType::Bool {
        return Err(Error::runtime(
            "masked_fill_ only supports boolean masks, but got mask with dtype ".to_string() + mask.dtype().c_name(),
        ));
    }
    Ok(())
}

fn fill_value(x: &Tensor, value: &Arg) -> Result<()> {
    match value {
        Arg::Number(n) => n.fit(x.dtype()).map(drop),
        Arg::Tensor(t) if t.dtype().is_complex() && !x.dtype().is_complex() => Err(Error::runtime(format!(
            "value cannot be converted to type {} without overflow",
            x.dtype().number_name()
        ))),
        Arg::Tensor(t) if t.ndim() > 0 => Err(Error::runtime(format!(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
            t.ndim()
        ))),
        _ => Ok(()),
    }
}

/// `x.masked_fill(mask, value)`.
///
/// # Errors
/// A mask on another device, or with a dtype other than bool; a value with dimensions.
pub fn masked_fill(x: &Tensor, mask: &Tensor, value: &Arg) -> Result<Tensor> {
    check_mask(x, mask)?;
    fill_value(x, value)?;
    check_filling(x, value)?;
    let arg = Arg::from(x);
    let shape = crate::shape::broadcast(&mask.shape(), &x.shape())?;
    let wanted: Vec<i64> = shape.iter().map(|&d| d as i64).collect();
    let x_full = if x.shape() == shape { x.clone() } else { ops::view::expand(x, &wanted)? };
    let out = Tensor::empty_with(Layout::contiguous(&shape), x.dtype(), x.device(), false)?;
    elementwise::launch_ternary(TernaryOp::Where, &mask.into(), value, &(&x_full).into(), x.dtype(), &out)?;
    let inputs = [Some(x), value.tensor()];
    if x.dtype().is_inexact() && autograd::needs_grad(inputs.into_iter().flatten()) {
        let (sx, sv) = (Side::of(&arg), Side::of(value));
        let edges = &inputs[..edges_with(value)];
        autograd::record(masked_fill_node(value), edges, &[Save::Input(mask)], &[&out], move |ctx| {
            masked_fill_grad(ctx, &sx, &sv)
        })?;
    }
    Ok(out)
}

fn masked_fill_node(value: &Arg) -> &'static str {
    if value.tensor().is_some() { rows::nodes::MASKED_FILL_TENSOR } else { rows::MASKED_FILL.node }
}

/// How many edges a node has whose operator takes a value that is a tensor, or a number, which has none.
pub(super) fn edges_with(value: &Arg) -> usize {
    if value.tensor().is_some() { 2 } else { 1 }
}

fn masked_fill_grad(ctx: &autograd::Context<'_>, sx: &Side, sv: &Side) -> Result<autograd::Gradients> {
    let (g, mask) = (Arg::from(ctx.grad()), &ctx.saved[0]);
    let zero = Arg::from(0.0);
    let mut grads: autograd::Gradients = smallvec![None; ctx.needs.len()];
    if ctx.needs(0) {
        grads[0] = Some(sx.fit(&ops::where_(mask, &zero, &g)?)?);
    }
    if ctx.needs.len() > 1 && ctx.needs(1) {
        grads[1] = Some(sv.fit(&ops::where_(mask, &g, &zero)?)?);
    }
    Ok(grads)
}

/// `x.masked_fill_(mask, value)`.
pub fn masked_fill_(x: &Tensor, mask: &Tensor, value: &Arg) -> Result<()> {
    autograd::check_in_place(x)?;
    check_mask(x, mask)?;
    fill_value(x, value)?;
    check_filling(x, value)?;
    elementwise::check_in_place_shape(x, &crate::shape::broadcast(&x.shape(), &mask.shape())?)?;
    elementwise::launch_ternary(TernaryOp::Where, &mask.into(), value, &x.into(), x.dtype(), x)?;
    x.bump_version();
    let inputs = [Some(x), value.tensor()];
    if x.dtype().is_inexact() && autograd::needs_grad(inputs.into_iter().flatten()) {
        let (sx, sv) = (Side::of(&x.into()), Side::of(value));
        let others = &inputs[1..edges_with(value)];
        autograd::record_in_place(masked_fill_node(value), x, others, &[Save::Input(mask)], move |ctx| {
            masked_fill_grad(ctx, &sx, &sv)
        })?;
    }
    Ok(())
}

/// `x.fill_(value)` with a number.
///
/// # Errors
/// Leaves, inference tensors.
pub fn fill_(x: &Tensor, value: Scalar) -> Result<()> {
    fill_named(x, value, rows::nodes::FILL_NUMBER)
}

/// `x.fill_(value)` with a 0-dim tensor, which gets a gradient.
///
/// # Errors
/// A value with dimensions; leaves, inference tensors.
pub fn fill_tensor_(x: &Tensor, value: &Tensor) -> Result<()> {
    if value.ndim() > 0 {
        return Err(Error::runtime(format!(
            "fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
            value.ndim()
        )));
    }
    autograd::check_filled(x)?;
    if x.device() == value.device() {
        // The value may be an element of what is filled.
        let shared = x.storage().id() == value.storage().id();
        let value = if shared { ops::create::clone(value)? } else { value.clone() };
        ops::transfer::copy_data(x, &value)?;
    } else {
        ops::create::fill_data(x, ops::transfer::item(value, crate::trace::Why::Item)?)?;
    }
    x.bump_version();
    if x.dtype().is_inexact() && autograd::needs_grad([x, value]) {
        let dtype = value.dtype();
        autograd::record_in_place(rows::nodes::FILL_TENSOR, x, &[Some(value)], &[], move |ctx| {
            let g = ctx.grad();
            Ok(smallvec![
                if ctx.needs(0) { Some(ops::zeros_like(g)?) } else { None },
                if ctx.needs(1) {
                    Some(ops::transfer::cast(&ops::reduce::sum(g, &[], false, None)?, dtype)?)
                } else {
                    None
                },
            ])
        })?;
    }
    Ok(())
}

/// `x.zero_()`.
pub fn zero_(x: &Tensor) -> Result<()> {
    fill_named(x, Scalar::Int(0), rows::ZERO_.node)
}

fn fill_named(x: &Tensor, value: Scalar, name: &'static str) -> Result<()> {
    autograd::check_filled(x)?;
    ops::create::fill_data(x, value)?;
    x.bump_version();
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        autograd::record_in_place(name, x, &[], &[], |ctx| Ok(smallvec![Some(ops::zeros_like(ctx.grad())?)]))?;
    }
    Ok(())
}
