//! Tensors in Python's expressions: arithmetic, comparisons, and the numbers that `int()`, `float()` and `if` ask for.

use rustpython_vm::function::{Either, PyComparisonValue};
use rustpython_vm::protocol::PyNumberMethods;
use rustpython_vm::types::{AsNumber, Comparable, PyComparisonOp};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::convert::{self, type_name};
use super::error::OrRaise;
use super::tensor::{PyTensor, answer, tensor_of, wrap};
use super::{overrides, parts};
use crate::dtype::{DType, Scalar};
use crate::error::Error;
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, Arg};
use crate::python::guard;
use crate::trace::Why;
/// The method that PyTorch names for `a op b`, and its operands.
fn method_of<'a>(op: BinaryOp, a: &'a PyObject, b: &'a PyObject) -> (&'static str, [&'a PyObject; 2]) {
    let (left, right) = match op {
        BinaryOp::Add => ("add", "add"),
        BinaryOp::Sub => ("sub", "__rsub__"),
        BinaryOp::Mul => ("mul", "mul"),
        BinaryOp::Div => ("div", "__rdiv__"),
        BinaryOp::FloorDiv => ("__floordiv__", "__rfloordiv__"),
        BinaryOp::Remainder => ("remainder", "__rmod__"),
        BinaryOp::Pow => ("pow", "__rpow__"),
        BinaryOp::BitAnd => ("__and__", "__rand__"),
        BinaryOp::BitOr => ("__or__", "__ror__"),
        BinaryOp::BitXor => ("__xor__", "__rxor__"),
        BinaryOp::Shl => ("__lshift__", "__rlshift__"),
        BinaryOp::Shr => ("__rshift__", "__rrshift__"),
        BinaryOp::Eq => ("__eq__", "__eq__"),
        other => (other.name(), other.name()),
    };
    if tensor_of(a).is_some() { (left, [a, b]) } else { (right, [b, a]) }
}

/// `a op b` where either side may be a number. `NotImplemented` if the other side is neither number nor tensor.
fn binary(op: BinaryOp, a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    if overrides::are_watched() {
        let (name, operands) = method_of(op, a, b);
        if let Some(result) = overrides::operator(name, &operands, vm)? {
            return Ok(result);
        }
    }
    if let Some(result) = parts::operator(op.name(), &[a, b], vm)? {
        return Ok(result);
    }
    let (Some(x), Some(y)) = (convert::operand(a, vm)?, convert::operand(b, vm)?) else {
        return refuse(op, a, b, "", vm);
    };
    if let (BinaryOp::Div, Arg::Number(_), Arg::Tensor(_)) = (&op, &x, &y) {
        return super::pointwise::number_divided(&x, b, vm);
    }
    guard::native(vm, || {
        super::function::operator(op.name(), &[a, b], || ops::binary(op, &x, &y)).or_raise(vm).map(|t| wrap(t, vm))
    })
}

/// Arithmetic with an object that isn't a tensor or number. A class of the program may implement the operation from its
/// side. Python's built-in classes don't, so they are refused, with PyTorch's name for the class. `equals` is "=" for an
/// assignment such as `a += b`.
fn refuse(op: BinaryOp, a: &PyObject, b: &PyObject, equals: &str, vm: &VirtualMachine) -> PyResult {
    let foreign = if tensor_of(a).is_some() { b } else { a };
    let sign = match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::FloorDiv => "//",
        BinaryOp::Remainder => "%",
        BinaryOp::Pow if equals.is_empty() => "** or pow()",
        BinaryOp::Pow => "**",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        _ => return Ok(vm.ctx.not_implemented()),
    };
    // Sequences repeat, and join in their own way.
    let types = &vm.ctx.types;
    let sequences = [types.list_type, types.tuple_type, types.str_type, types.bytes_type, types.bytearray_type];
    let joins = matches!(op, BinaryOp::Mul) || (matches!(op, BinaryOp::Add) && tensor_of(a).is_none());
    if joins && sequences.iter().any(|class| foreign.class().is(*class)) {
        return Ok(vm.ctx.not_implemented());
    }
    if foreign.class().slots().flags.has_feature(rustpython_vm::types::PyTypeFlags::HEAPTYPE) {
        return Ok(vm.ctx.not_implemented());
    }
    let (left, right) = (type_name(a), type_name(b));
    Err(vm.new_type_error(format!("unsupported operand type(s) for {sign}{equals}: '{left}' and '{right}'")))
}

fn binary_in_place(op: BinaryOp, a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    if overrides::are_watched() {
        let name = vm.ctx.intern_str(format!("{}_", op.name())).as_str();
        if let Some(result) = overrides::operator(name, &[a, b], vm)? {
            return Ok(result);
        }
    }
    if parts::exist()
        && let Some(result) = parts::operator(&format!("{}_", op.name()), &[a, b], vm)?
    {
        return Ok(result);
    }
    let Some(x) = tensor_of(a) else { return Ok(vm.ctx.not_implemented()) };
    let Some(y) = convert::operand(b, vm)? else { return refuse(op, a, b, "=", vm) };
    guard::native(vm, || super::function::operator(op.name(), &[a, b], || ops::binary_(op, x, &y)).or_raise(vm))?;
    Ok(a.to_owned())
}

fn unary(op: UnaryOp, x: &PyObject, vm: &VirtualMachine) -> PyResult {
    if let Some(result) = overrides::operator(op.name(), &[x], vm)? {
        return Ok(result);
    }
    if let Some(result) = parts::operator(op.name(), &[x], vm)? {
        return Ok(result);
    }
    let Some(x) = tensor_of(x) else { return Ok(vm.ctx.not_implemented()) };
    guard::native(vm, || ops::unary(op, x).or_raise(vm).map(|t| wrap(t, vm)))
}

fn item(object: &PyObject, vm: &VirtualMachine) -> PyResult<Scalar> {
    let Some(t) = tensor_of(object) else { return Err(vm.new_type_error("not a tensor")) };
    if let Some(dense) = parts::attribute(t, "__item__", vm)? {
        return item(&dense, vm);
    }
    let value = guard::native(vm, || ops::transfer::item(t, Why::Item).or_raise(vm))?;
    super::names::value_read(object, value, vm);
    Ok(value)
}

/// `bool(t)`.
fn truth(object: &PyObject, vm: &VirtualMachine) -> PyResult<bool> {
    if let Some(result) = overrides::operator("__bool__", &[object], vm)? {
        return result.is_true(vm);
    }
    let Some(t) = tensor_of(object) else { return Err(vm.new_type_error("not a tensor")) };
    match t.numel() {
        0 => Err(vm.new_runtime_error("Boolean value of Tensor with no values is ambiguous")),
        1 => item(object, vm).map(Scalar::as_bool),
        _ => Err(vm.new_runtime_error("Boolean value of Tensor with more than one value is ambiguous")),
    }
}

fn as_index(object: &PyObject, vm: &VirtualMachine) -> PyResult {
    if let Some(result) = overrides::operator("__index__", &[object], vm)? {
        return Ok(result);
    }
    let Some(t) = tensor_of(object) else { return Err(vm.new_type_error("not a tensor")) };
    if !t.dtype().is_integral() || t.numel() != 1 {
        return Err(vm.new_type_error("only integer tensors of a single element can be converted to an index"));
    }
    Ok(vm.ctx.new_int(item(object, vm)?.as_i64()).into())
}

/// `float(t)` and `int(t)`, whose errors differ from those of `t.item()`.
pub(super) fn one_number(object: &PyObject, vm: &VirtualMachine) -> PyResult<Scalar> {
    match tensor_of(object) {
        Some(t) if t.numel() != 1 => {
            return Err(vm.new_value_error("only one element tensors can be converted to Python scalars"));
        }
        Some(t) if t.requires_grad() && crate::autograd::is_grad_enabled() => {
            super::error::warn_once(NUMBER_OF_GRAPH, vm)?;
        }
        _ => {}
    }
    item(object, vm)
}

pub(super) const NUMBER_OF_GRAPH: &str = "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using tensor.detach() first.";

fn as_int(object: &PyObject, vm: &VirtualMachine) -> PyResult {
    if let Some(result) = overrides::operator("__int__", &[object], vm)? {
        return Ok(result);
    }
    let f = match one_number(object, vm)?.fit(DType::I64).or_raise(vm)? {
        Scalar::Float(f) => f,
        other => return Ok(vm.ctx.new_int(other.as_i64()).into()),
    };
    // Like `int(float)`: infinities and NaN raise, and large values keep every digit.
    let float: PyObjectRef = vm.ctx.new_float(f).into();
    float.try_int(vm).map(Into::into)
}

fn as_float(object: &PyObject, vm: &VirtualMachine) -> PyResult {
    if let Some(result) = overrides::operator("__float__", &[object], vm)? {
        return Ok(result);
    }
    let value = one_number(object, vm)?
        .fit(DType::F64)
        .map_err(|_| Error::runtime("value cannot be converted to type double without overflow"));
    Ok(vm.ctx.new_float(value.or_raise(vm)?.as_f64()).into())
}

fn power(a: &PyObject, b: &PyObject, modulus: &PyObject, vm: &VirtualMachine) -> PyResult {
    if !vm.is_none(modulus) {
        return Ok(vm.ctx.not_implemented());
    }
    let (name, operands) = method_of(BinaryOp::Pow, a, b);
    if let Some(result) = overrides::operator(name, &operands, vm)? {
        return Ok(result);
    }
    if let Some(result) = parts::operator("pow", &[a, b], vm)? {
        return Ok(result);
    }
    if crate::ops::autocast::is_active() {
        let cast = super::autocast::cast_arguments(&ops::rows::POW, vec![a.to_owned(), b.to_owned()], vm)?;
        return binary(BinaryOp::Pow, &cast[0], &cast[1], vm);
    }
    // A bool tensor to the power of a bool isn't computed; `arith::pow` handles it.
    if let (Some(x), Some(number @ Arg::Number(Scalar::Bool(_)))) = (tensor_of(a), convert::operand(b, vm)?) {
        return answer(ops::arith::pow(&x.into(), &number), vm);
    }
    binary(BinaryOp::Pow, a, b, vm)
}

fn matmul(a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    let (name, operands) = if tensor_of(a).is_some() { ("matmul", [a, b]) } else { ("__rmatmul__", [b, a]) };
    if let Some(result) = overrides::operator(name, &operands, vm)? {
        return Ok(result);
    }
    if let Some(result) = parts::operator("matmul", &[a, b], vm)? {
        return Ok(result);
    }
    let cast = match crate::ops::autocast::is_active() {
        true => super::autocast::cast_arguments(&ops::rows::MATMUL, vec![a.to_owned(), b.to_owned()], vm)?,
        false => Vec::new(),
    };
    let (a, b) = match &cast[..] {
        [a, b] => (&**a, &**b),
        _ => (a, b),
    };
    match (tensor_of(a), tensor_of(b)) {
        (Some(x), Some(y)) => {
            let product = || super::function::operator("matmul", &[a, b], || ops::matmul::matmul(x, y)).or_raise(vm);
            guard::native(vm, product).map(|t| wrap(t, vm))
        }
        _ => Err(vm.new_type_error(format!(
            "unsupported operand type(s) for @: '{}' and '{}'",
            type_name(a),
            type_name(b)
        ))),
    }
}

fn matmul_in_place(a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    // Python falls back to `a = a @ b`, as in PyTorch.
    matmul(a, b, vm)
}

fn invert(x: &PyObject, vm: &VirtualMachine) -> PyResult {
    if let Some(result) = overrides::operator("__invert__", &[x], vm)? {
        return Ok(result);
    }
    let Some(t) = tensor_of(x) else { return Ok(vm.ctx.not_implemented()) };
    if t.dtype().is_inexact() {
        return Err(vm.new_type_error("~ (operator.invert) is only implemented on integer and Boolean-type tensors"));
    }
    unary(UnaryOp::BitwiseNot, x, vm)
}

fn positive(x: &PyObject, vm: &VirtualMachine) -> PyResult {
    match overrides::operator("positive", &[x], vm)? {
        Some(result) => Ok(result),
        None => super::pointwise::positive_of(x.to_owned(), vm),
    }
}

impl AsNumber for PyTensor {
    fn as_number() -> &'static PyNumberMethods {
        static METHODS: PyNumberMethods = PyNumberMethods {
            add: Some(|a, b, vm| binary(BinaryOp::Add, a, b, vm)),
            subtract: Some(|a, b, vm| binary(BinaryOp::Sub, a, b, vm)),
            multiply: Some(|a, b, vm| binary(BinaryOp::Mul, a, b, vm)),
            true_divide: Some(|a, b, vm| binary(BinaryOp::Div, a, b, vm)),
            floor_divide: Some(|a, b, vm| binary(BinaryOp::FloorDiv, a, b, vm)),
            remainder: Some(|a, b, vm| binary(BinaryOp::Remainder, a, b, vm)),
            power: Some(power),
            and: Some(|a, b, vm| binary(BinaryOp::BitAnd, a, b, vm)),
            or: Some(|a, b, vm| binary(BinaryOp::BitOr, a, b, vm)),
            xor: Some(|a, b, vm| binary(BinaryOp::BitXor, a, b, vm)),
            lshift: Some(|a, b, vm| binary(BinaryOp::Shl, a, b, vm)),
            rshift: Some(|a, b, vm| binary(BinaryOp::Shr, a, b, vm)),
            matrix_multiply: Some(matmul),
            inplace_add: Some(|a, b, vm| binary_in_place(BinaryOp::Add, a, b, vm)),
            inplace_subtract: Some(|a, b, vm| binary_in_place(BinaryOp::Sub, a, b, vm)),
            inplace_multiply: Some(|a, b, vm| binary_in_place(BinaryOp::Mul, a, b, vm)),
            inplace_true_divide: Some(|a, b, vm| binary_in_place(BinaryOp::Div, a, b, vm)),
            inplace_floor_divide: Some(|a, b, vm| binary_in_place(BinaryOp::FloorDiv, a, b, vm)),
            inplace_remainder: Some(|a, b, vm| binary_in_place(BinaryOp::Remainder, a, b, vm)),
            inplace_power: Some(|a, b, _, vm| binary_in_place(BinaryOp::Pow, a, b, vm)),
            inplace_and: Some(|a, b, vm| binary_in_place(BinaryOp::BitAnd, a, b, vm)),
            inplace_or: Some(|a, b, vm| binary_in_place(BinaryOp::BitOr, a, b, vm)),
            inplace_xor: Some(|a, b, vm| binary_in_place(BinaryOp::BitXor, a, b, vm)),
            inplace_lshift: Some(|a, b, vm| binary_in_place(BinaryOp::Shl, a, b, vm)),
            inplace_rshift: Some(|a, b, vm| binary_in_place(BinaryOp::Shr, a, b, vm)),
            inplace_matrix_multiply: Some(matmul_in_place),
            negative: Some(|x, vm| unary(UnaryOp::Neg, &x, vm)),
            positive: Some(|x, vm| positive(&x, vm)),
            absolute: Some(|x, vm| unary(UnaryOp::Abs, &x, vm)),
            invert: Some(|x, vm| invert(&x, vm)),
            boolean: Some(|x, vm| truth(&x, vm)),
            int: Some(|x, vm| as_int(&x, vm)),
            float: Some(|x, vm| as_float(&x, vm)),
            index: Some(|x, vm| as_index(&x, vm)),
            ..PyNumberMethods::NOT_IMPLEMENTED
        };
        &METHODS
    }
}

impl Comparable for PyTensor {
    fn slot_richcompare(
        zelf: &PyObject,
        other: &PyObject,
        op: PyComparisonOp,
        vm: &VirtualMachine,
    ) -> PyResult<Either<PyObjectRef, PyComparisonValue>> {
        let op = match op {
            PyComparisonOp::Eq => BinaryOp::Eq,
            PyComparisonOp::Ne => BinaryOp::Ne,
            PyComparisonOp::Lt => BinaryOp::Lt,
            PyComparisonOp::Le => BinaryOp::Le,
            PyComparisonOp::Gt => BinaryOp::Gt,
            PyComparisonOp::Ge => BinaryOp::Ge,
        };
        binary(op, zelf, other, vm).map(Either::A)
    }

    fn cmp(
        _zelf: &Py<Self>,
        _other: &PyObject,
        _op: PyComparisonOp,
        _vm: &VirtualMachine,
    ) -> PyResult<PyComparisonValue> {
        Ok(PyComparisonValue::NotImplemented)
    }
}
