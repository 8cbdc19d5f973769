//! Elementwise functions and methods.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::{PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, FM, M, Native, Row};
use super::convert::{self, operand};
use super::error::OrRaise;
use super::tensor::{answer, tensor_of, tuple, wrap};
use crate::dtype::{DType, Scalar};
use crate::error::Result;
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::rows::{self, Family};
use crate::ops::{self, Arg, arith};
use crate::python::guard;
use crate::tensor::{Tensor, destination};

/// `f(input)`.
pub(super) fn one(call: Call<'_>) -> PyResult<Tensor> {
    if call.positional().len() == 1
        && !call.has_keywords()
        && let Some(t) = tensor_of(&call.positional()[0])
    {
        return Ok(t.clone());
    }
    call.args()?.tensor(0)
}

pub(super) fn unary(call: Call<'_>, op: UnaryOp) -> PyResult {
    let vm = call.vm;
    let x = one(call)?;
    answer(ops::unary(op, &x), vm)
}

pub(super) fn unary_in_place(call: Call<'_>, op: UnaryOp) -> PyResult {
    let vm = call.vm;
    let x = one(call)?;
    ops::unary_(op, &x).or_raise(vm)?;
    Ok(wrap(x, vm))
}

/// `f(input, other)`.
fn two(call: Call<'_>) -> PyResult<(Arg, Arg)> {
    // Two tensors fit every signature.
    if let ([a, b], false) = (call.positional(), call.has_keywords())
        && let (Some(a), Some(b)) = (tensor_of(a), tensor_of(b))
    {
        return Ok((a.into(), b.into()));
    }
    let a = call.args()?;
    Ok((a.operand(0)?, a.operand(1)?))
}

fn binary(call: Call<'_>, op: BinaryOp) -> PyResult {
    let vm = call.vm;
    let (a, b) = two(call)?;
    answer(ops::binary(op, &a, &b), vm)
}

fn binary_in_place(call: Call<'_>, op: BinaryOp) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let x = call.self_tensor()?;
    let (_, b) = two(call)?;
    ops::binary_(op, &x, &b).or_raise(vm)?;
    Ok(object)
}

/// The operands and `alpha` of `add` and `sub`.
fn scaled(call: Call<'_>) -> PyResult<(Arg, Arg, Scalar)> {
    if !call.has_keywords() && call.positional().len() < 3 {
        let (a, b) = two(call)?;
        return Ok((a, b, Scalar::Int(1)));
    }
    let vm = call.vm;
    // PyTorch has a signature for a number, whose `alpha` may stand by position.
    let by_position = match call.positional() {
        [a, b, alpha] => match (convert::operand(a, vm)?, convert::operand(b, vm)?, convert::scalar(alpha, vm)?) {
            (Some(a), Some(b @ Arg::Number(_)), Some(alpha)) => Some((a, b, alpha)),
            _ => None,
        },
        _ => None,
    };
    if let Some(by_position) = by_position {
        return Ok(by_position);
    }
    let a = call.args()?;
    let alpha = if a.some("alpha").is_none() { Scalar::Int(1) } else { a.number("alpha")? };
    Ok((a.operand(0)?, a.operand(1)?, alpha))
}

/// `x.add(2, y)`, from the time before `alpha` and `value` were keywords: the result of the call that is meant, if this is one.
fn outdated(call: &Call<'_>, keyword: &'static str) -> PyResult<Option<PyObjectRef>> {
    let vm = call.vm;
    let [x, number, tensors @ ..] = call.positional() else { return Ok(None) };
    let is_meant = tensors.len() == if keyword == "value" { 2 } else { 1 }
        && tensor_of(number).is_none()
        && convert::scalar(number, vm)?.is_some()
        && tensors.iter().all(|t| tensor_of(t).is_some());
    if !is_meant {
        return Ok(None);
    }
    let (own, names) =
        if keyword == "value" { ("Tensor tensor1, Tensor tensor2", "value") } else { ("Tensor other", "alpha") };
    let (name, is_method) = (call.name, call.hidden == 1);
    let (input, out) = if is_method { ("", "") } else { ("Tensor input, ", ", Tensor out = None") };
    let rest = if is_method { "" } else { ", *, Tensor out = None" };
    super::error::warn_once_of(
        "overload",
        &format!(
            "This overload of {name} is deprecated:\n\t{name}({input}Number {names}, {own}{rest})\nConsider using one of the following signatures instead:\n\t{name}({input}{own}, *, Number {names} = 1{out})"
        ),
        vm,
    )?;
    let keywords: KwArgs = [(keyword.to_string(), number.clone())].into_iter().collect();
    vm.call_method(x, name, FuncArgs::new(tensors.to_vec(), keywords)).map(Some)
}

fn add(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    if let Some(result) = outdated(&call, "alpha")? {
        return Ok(result);
    }
    let (a, b, alpha) = scaled(call)?;
    answer(arith::add(&a, &b, alpha), vm)
}

fn sub(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    if let Some(result) = outdated(&call, "alpha")? {
        return Ok(result);
    }
    let (a, b, alpha) = scaled(call)?;
    answer(arith::sub(&a, &b, alpha), vm)
}

fn rsub(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let (a, b, alpha) = scaled(call)?;
    answer(arith::rsub(&a, &b, alpha), vm)
}

/// `a.__rsub__(b)`, which is `b - a`. For `b - a` itself, the interpreter asks the class of `b` if that is a tensor.
fn reflected_sub(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "other"], 2)?;
    match a.operand(1) {
        Ok(b) => answer(arith::rsub(&a.operand(0)?, &b, Scalar::Int(1)), vm),
        Err(_) => Ok(vm.ctx.not_implemented()),
    }
}

fn add_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    if let Some(result) = outdated(&call, "alpha")? {
        return Ok(result);
    }
    let object = call.self_object()?;
    let x = call.self_tensor()?;
    let (_, b, alpha) = scaled(call)?;
    arith::add_(&x, &b, alpha).or_raise(vm)?;
    Ok(object)
}

fn sub_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    if let Some(result) = outdated(&call, "alpha")? {
        return Ok(result);
    }
    let object = call.self_object()?;
    let x = call.self_tensor()?;
    let (_, b, alpha) = scaled(call)?;
    arith::sub_(&x, &b, alpha).or_raise(vm)?;
    Ok(object)
}

/// The operands and `rounding_mode` of `div`.
fn rounding(call: Call<'_>) -> PyResult<(Arg, Arg, Option<String>)> {
    if !call.has_keywords() {
        let (a, b) = two(call)?;
        return Ok((a, b, None));
    }
    let a = call.args()?;
    Ok((a.operand(0)?, a.operand(1)?, a.str("rounding_mode")?.map(str::to_string)))
}

fn div(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let (a, b, mode) = rounding(call)?;
    answer(arith::div(&a, &b, mode.as_deref()), vm)
}

fn div_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let x = call.self_tensor()?;
    let (_, b, mode) = rounding(call)?;
    arith::div_(&x, &b, mode.as_deref()).or_raise(vm)?;
    Ok(object)
}

fn pow(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(arith::pow(&a.operand(0)?, &a.operand(1)?), vm)
}

fn pow_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    arith::pow_(&a.tensor(0)?, &a.operand(1)?).or_raise(vm)?;
    Ok(object)
}

fn where_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    if a.get(1).is_none() {
        let t = a.tensor(0)?;
        return Ok(tuple(ops::index::nonzero_tuple(&t).or_raise(vm)?, vm));
    }
    answer(ops::where_(&condition(a.tensor(0)?, vm)?, &a.operand(1)?, &a.operand(2)?), vm)
}

/// The condition of `where`.
fn condition(t: Tensor, vm: &VirtualMachine) -> PyResult<Tensor> {
    if t.dtype() == DType::U8 {
        super::error::warn_once(BYTE_CONDITION, vm)?;
    }
    Ok(t)
}

const BYTE_CONDITION: &str = "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. Use a boolean condition instead.";

/// `x.where(condition, other)`.
fn where_method(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(ops::where_(&condition(a.tensor("condition")?, vm)?, &a.operand("self")?, &a.operand("other")?), vm)
}

fn lerp(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(arith::lerp(&a.tensor(0)?, &a.tensor(1)?, &a.operand(2)?), vm)
}

fn lerp_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    arith::lerp_(&a.tensor(0)?, &a.tensor(1)?, &a.operand(2)?).or_raise(vm)?;
    Ok(object)
}

type WithValue = fn(&Tensor, &Tensor, &Tensor, Scalar) -> Result<Tensor>;

fn with_value(call: Call<'_>, f: WithValue) -> PyResult {
    let vm = call.vm;
    if let Some(result) = outdated(&call, "value")? {
        return Ok(result);
    }
    let a = call.args()?;
    answer(f(&a.tensor(0)?, &a.tensor(1)?, &a.tensor(2)?, a.number_or("value", 1)?), vm)
}

type WithValueInPlace = fn(&Tensor, &Tensor, &Tensor, Scalar) -> Result<()>;

fn with_value_in_place(call: Call<'_>, f: WithValueInPlace) -> PyResult {
    let vm = call.vm;
    if let Some(result) = outdated(&call, "value")? {
        return Ok(result);
    }
    let object = call.self_object()?;
    let a = call.args()?;
    f(&a.tensor(0)?, &a.tensor(1)?, &a.tensor(2)?, a.number_or("value", 1)?).or_raise(vm)?;
    Ok(object)
}

fn nan_to_num(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let value = |i: usize| if a.some(i).is_none() { Ok(None) } else { a.f64(i).map(Some) };
    answer(arith::nan_to_num(&a.tensor(0)?, value(1)?, value(2)?, value(3)?), vm)
}

fn masked_fill(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(arith::masked_fill(&a.tensor(0)?, &a.tensor(1)?, &a.operand(2)?), vm)
}

fn masked_fill_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    arith::masked_fill_(&a.tensor(0)?, &a.tensor(1)?, &a.operand(2)?).or_raise(vm)?;
    Ok(object)
}

fn fill_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    match a.some(1).and_then(|value| tensor_of(value)) {
        Some(value) => arith::fill_tensor_(&a.tensor(0)?, value).or_raise(vm)?,
        None => arith::fill_(&a.tensor(0)?, a.number(1)?).or_raise(vm)?,
    }
    Ok(object)
}

fn zero_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    arith::zero_(&one(call)?).or_raise(vm)?;
    Ok(object)
}

fn bounds(call: Call<'_>) -> PyResult<(Tensor, Option<Arg>, Option<Arg>)> {
    let a = call.args()?;
    let (low, high) = (a.operand_or_none(1)?, a.operand_or_none(2)?);
    if low.is_none() && high.is_none() {
        return Err(a.vm.new_runtime_error("torch.clamp: At least one of 'min' or 'max' must not be None"));
    }
    Ok((a.tensor(0)?, low, high))
}

fn clamp(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let (x, low, high) = bounds(call)?;
    answer(clamped(&x, low, high), vm)
}

/// PyTorch has different operators for tensor bounds and number bounds.
fn clamped(x: &Tensor, low: Option<Arg>, high: Option<Arg>) -> Result<Tensor> {
    match (bound(low), bound(high)) {
        (Ok(low), Ok(high)) => destination::last(|| arith::clamp(x, low, high)),
        (low, high) => {
            let (low, high) = (bound_tensor(x, low)?, bound_tensor(x, high)?);
            arith::clamp_tensor(x, low.as_ref(), high.as_ref())
        }
    }
}

/// A number as a tensor beside another, whose dtype it seldom decides.
pub(super) fn number_beside(x: &Tensor, n: Scalar) -> Result<Tensor> {
    let dtype = ops::elementwise::result_type(&[&x.into(), &n.into()])?;
    ops::create::full(&[], n, dtype, x.device())
}

fn bound_tensor(x: &Tensor, bound: std::result::Result<Option<Scalar>, Option<Tensor>>) -> Result<Option<Tensor>> {
    match bound {
        Ok(None) => Ok(None),
        Ok(Some(n)) => number_beside(x, n).map(Some),
        Err(t) => Ok(t),
    }
}

/// A number bound; a tensor bound is returned as the error.
fn bound(arg: Option<Arg>) -> std::result::Result<Option<Scalar>, Option<Tensor>> {
    match arg {
        None => Ok(None),
        Some(Arg::Number(n)) => Ok(Some(n)),
        Some(Arg::Tensor(t)) => Err(Some(t)),
    }
}

fn clamp_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let (x, low, high) = bounds(call)?;
    match (bound(low), bound(high)) {
        (Ok(low), Ok(high)) => arith::clamp_(&x, low, high).or_raise(vm)?,
        (low, high) => {
            let bounds = bound_tensor(&x, low).and_then(|low| Ok((low, bound_tensor(&x, high)?)));
            let (low, high) = bounds.or_raise(vm)?;
            arith::clamp_tensor_(&x, low.as_ref(), high.as_ref()).or_raise(vm)?;
        }
    }
    Ok(object)
}

fn one_bound(call: Call<'_>, low: bool) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(arith::clamp_one(&a.tensor(0)?, &a.operand(1)?, low), vm)
}

fn round(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    if !call.has_keywords() {
        return unary(call, UnaryOp::Round);
    }
    let a = call.args()?;
    answer(arith::round_to(&a.tensor(0)?, a.int_or("decimals", 0)?), vm)
}

/// `sgn`, which is the sign if the argument is real.
fn sgn(call: Call<'_>, in_place: bool) -> PyResult {
    let complex = call.positional().first().and_then(|o| tensor_of(o)).is_some_and(|t| t.dtype().is_complex());
    if !in_place {
        return of_one(call, ops::complex::sgn);
    }
    if complex {
        let (vm, object) = (call.vm, call.self_object()?);
        arith::replace(&call.self_tensor()?, ops::complex::sgn).or_raise(vm)?;
        return Ok(object);
    }
    unary_in_place(call, UnaryOp::Sign)
}

/// `f(input)` of a complex tensor.
fn of_one(call: Call<'_>, f: fn(&Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    answer(f(&one(call)?), vm)
}

/// `complex(real, imag)` and `polar(abs, angle)`.
fn of_parts(call: Call<'_>, f: fn(&Tensor, &Tensor) -> Result<Tensor>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    answer(f(&a.tensor(0)?, &a.tensor(1)?), vm)
}

fn positive(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    positive_of(wrap(one(call)?, vm), vm)
}

/// `+x`: itself.
pub(super) fn positive_of(object: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    if tensor_of(&object).is_some_and(|t| t.dtype() == crate::dtype::DType::Bool) {
        return Err(super::error::not_implemented("The `+` operator, on a bool tensor is not supported.", vm));
    }
    Ok(object)
}

/// `isclose` and `allclose`.
fn close(call: Call<'_>) -> PyResult {
    let (vm, all) = (call.vm, call.name == "allclose");
    let a = call.args()?;
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    let (rtol, atol, nan) = (a.f64_or(2, 1e-5)?, a.f64_or(3, 1e-8)?, a.bool_or(4, false)?);
    let near = arith::isclose(&x, &y, rtol, atol, nan).or_raise(vm)?;
    if !all {
        return Ok(wrap(near, vm));
    }
    let whole = ops::reduce::logical(&near, crate::executor::ReduceOp::All, &[], false).or_raise(vm)?;
    let value = ops::transfer::item(&whole, crate::trace::Why::Item).or_raise(vm)?;
    Ok(vm.ctx.new_bool(value.as_bool()).into())
}

fn equal(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let same = ops::reduce::equal(&a.tensor(0)?, &a.tensor(1)?).or_raise(vm)?;
    Ok(vm.ctx.new_bool(same).into())
}

/// `x.__rdiv__(other)`: PyTorch multiplies by the reciprocal.
fn reciprocal_divide(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let [a, b] = call.positional() else {
        return Err(vm.new_type_error("__rdiv__() takes one argument"));
    };
    let Some(b) = operand(b, vm)? else {
        return Err(vm.new_type_error("__rdiv__() takes a tensor or a number"));
    };
    number_divided(&b, a, vm)
}

/// A number divided by a tensor: PyTorch multiplies the number with the reciprocal.
pub(super) fn number_divided(number: &Arg, by: &PyObject, vm: &VirtualMachine) -> PyResult {
    let cast = match crate::ops::autocast::is_active() {
        true => super::autocast::cast_arguments(&ops::rows::RECIPROCAL, vec![by.to_owned()], vm)?,
        false => vec![by.to_owned()],
    };
    let [by] = &cast[..] else { return Err(vm.new_system_error("autocast changed the number of arguments")) };
    let Some(t) = tensor_of(by) else { return Err(vm.new_type_error("not a tensor")) };
    guard::native(vm, || {
        let inverse =
            super::function::operator("reciprocal", &[by], || ops::unary(UnaryOp::Reciprocal, t)).or_raise(vm)?;
        let shown = wrap(inverse.clone(), vm);
        super::function::operator("mul", &[&shown], || ops::binary(BinaryOp::Mul, &inverse.into(), number))
            .or_raise(vm)
            .map(|t| wrap(t, vm))
    })
}

/// The operators that their rows dispatch, in all their forms and by all their names.
pub(super) fn elementwise() -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    for operator in rows::all() {
        let (call, in_place): (Native, Native) = match operator.family {
            Family::Unary(_) => (unary_row, unary_row_in_place),
            Family::Binary(_) => (binary_row, binary_row_in_place),
            Family::Reduction(_) => (super::reductions::by_row, super::reductions::by_row),
            Family::Own => continue,
        };
        let changed = in_place_forms(operator.forms);
        for name in [operator.name].iter().chain(operator.aliases) {
            out.push((name, operator.forms & FM, call));
            if changed != 0 {
                out.push((in_place_name(name), changed, in_place));
            }
        }
    }
    out.retain(|(_, forms, _)| *forms != 0);
    out
}

/// `_elementwise_names()`: what the functions of one or two tensors are called that go element by element.
fn elementwise_names(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let goes = |family| matches!(family, Family::Unary(_) | Family::Binary(_));
    let names = rows::all()
        .iter()
        .filter(|o| goes(o.family))
        .flat_map(|o| [o.name].into_iter().chain(o.aliases.iter().copied()));
    Ok(vm.ctx.new_list(names.map(|name| vm.ctx.new_str(name).into()).collect()).into())
}

/// Where the in-place form is.
fn in_place_forms(forms: u8) -> u8 {
    let method = if forms & rows::IN_PLACE != 0 { M } else { 0 };
    method | if forms & rows::IN_PLACE_FUNCTION != 0 { F } else { 0 }
}

/// `exp_`, once for every name.
fn in_place_name(name: &'static str) -> &'static str {
    static NAMES: Mutex<BTreeMap<&'static str, &'static str>> = Mutex::new(BTreeMap::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.entry(name).or_insert_with(|| format!("{name}_").leak())
}

fn unary_row(call: Call<'_>) -> PyResult {
    match call.operator.map(|o| o.family) {
        Some(Family::Unary(op)) => unary(call, op),
        _ => Err(call.vm.new_system_error("not a function of one tensor")),
    }
}

fn unary_row_in_place(call: Call<'_>) -> PyResult {
    match call.operator.map(|o| o.family) {
        Some(Family::Unary(op)) => unary_in_place(call, op),
        _ => Err(call.vm.new_system_error("not a function of one tensor")),
    }
}

fn binary_row(call: Call<'_>) -> PyResult {
    match call.operator.map(|o| o.family) {
        Some(Family::Binary(op)) => binary(call, op),
        _ => Err(call.vm.new_system_error("not a function of two tensors")),
    }
}

fn binary_row_in_place(call: Call<'_>) -> PyResult {
    match call.operator.map(|o| o.family) {
        Some(Family::Binary(op)) => binary_in_place(call, op),
        _ => Err(call.vm.new_system_error("not a function of two tensors")),
    }
}

const OTHERS: &[Row] = &[
    ("_elementwise_names", F, elementwise_names),
    ("sgn", FM, |c| sgn(c, false)),
    ("sgn_", FM, |c| sgn(c, true)),
    ("complex", F, |c| of_parts(c, ops::complex::complex)),
    ("polar", F, |c| of_parts(c, ops::complex::polar)),
    ("conj", FM, |c| of_one(c, ops::complex::conj)),
    ("conj_physical", FM, |c| of_one(c, ops::complex::conj_physical)),
    ("angle", FM, |c| of_one(c, ops::complex::angle)),
    ("add", FM, add),
    ("add_", M, add_in_place),
    ("sub", FM, sub),
    ("sub_", M, sub_in_place),
    ("subtract", FM, sub),
    ("subtract_", M, sub_in_place),
    ("pow", FM, pow),
    ("pow_", M, pow_in_place),
    ("rsub", F, rsub),
    ("__rsub__", M, reflected_sub),
    ("div", FM, div),
    ("div_", M, div_in_place),
    ("divide", FM, div),
    ("divide_", M, div_in_place),
    ("__rdiv__", M, reciprocal_divide),
    ("where", F, where_),
    ("where", M, where_method),
    ("lerp", FM, lerp),
    ("lerp_", M, lerp_in_place),
    ("addcmul", FM, |c| with_value(c, arith::addcmul)),
    ("addcdiv", FM, |c| with_value(c, arith::addcdiv)),
    ("addcmul_", M, |c| with_value_in_place(c, arith::addcmul_)),
    ("addcdiv_", M, |c| with_value_in_place(c, arith::addcdiv_)),
    ("nan_to_num", FM, nan_to_num),
    ("masked_fill", FM, masked_fill),
    ("masked_fill_", M, masked_fill_in_place),
    ("fill_", M, fill_in_place),
    ("zero_", M, zero_in_place),
    ("clamp", FM, clamp),
    ("clip", FM, clamp),
    ("clamp_", M, clamp_in_place),
    ("clip_", M, clamp_in_place),
    ("clamp_min", FM, |c| one_bound(c, true)),
    ("clamp_max", FM, |c| one_bound(c, false)),
    ("round", FM, round),
    ("positive", FM, positive),
    ("isclose", FM, close),
    ("allclose", FM, close),
    ("equal", FM, equal),
];

pub(super) const ROWS: &[&[Row]] = &[OTHERS];
