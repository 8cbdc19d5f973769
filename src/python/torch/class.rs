//! The class `torch.Tensor`: its operators and its attributes. Methods are installed from the tables of bindings.

use num_complex::Complex64;
use rustpython_vm::builtins::{PyStr, PyType, PyTypeRef};
use rustpython_vm::function::{Either, FuncArgs, PyComparisonValue, PySetterValue};
use rustpython_vm::protocol::{PyMappingMethods, PyNumberMethods, PySequenceMethods};
use rustpython_vm::types::{
    AsMapping, AsNumber, AsSequence, Comparable, Constructor, GetAttr, Hashable, Iterable, PyComparisonOp,
    Representable, SetAttr,
};
use rustpython_vm::{
    AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, atomic_func, pyclass,
};

use super::convert::{self, type_name};
use super::error::OrRaise;
use super::tensor::{PyTensor, adopt, answer, number, tensor_of, wrap};
use super::{device, dtype, index, overrides, parts, shape};
use crate::autograd::Made;
use crate::device::DeviceType;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::Error;
use crate::executor::{BinaryOp, UnaryOp};
use crate::ops::{self, Arg};
use crate::print::{self, History, TensorText};
use crate::python::guard;
use crate::tensor::Tensor;
use crate::tensor::parts::Kind;
use crate::trace::{Clue, Why};

/// `Tensor._make_subclass`: a leaf over the same storage, as an object of a subclass.
///
/// # Errors
/// A class that doesn't derive from `torch.Tensor`.
pub(super) fn make_subclass(class: PyTypeRef, data: &Tensor, requires_grad: bool, vm: &VirtualMachine) -> PyResult {
    if !class.fast_issubclass(PyTensor::class(&vm.ctx)) {
        return Err(vm.new_type_error(overrides::NOT_A_SUBCLASS));
    }
    let tensor = data.detach();
    if requires_grad {
        if !tensor.dtype().is_inexact() {
            return Err(vm.new_runtime_error("Only Tensors of floating point and complex dtype can require gradients"));
        }
        tensor.set_requires_grad(true).or_raise(vm)?;
    }
    overrides::class_is_used(&class, vm)?;
    Ok(adopt(tensor, class))
}

/// The numbers in the text of a tensor, as if they began at column `indent`. Waits for its device.
pub(super) fn numbers(t: &Tensor, indent: usize, vm: &VirtualMachine) -> PyResult<String> {
    let shape = t.shape();
    let about =
        TensorText { class: "tensor", shape: &shape, dtype: t.dtype(), device: t.device(), history: History::None };
    let options = super::printing::options();
    let shown = match t.device().is_meta() || t.numel() == 0 {
        true => None,
        false => Some(ops::print::read(t, &about, &options).or_raise(vm)?),
    };
    Ok(print::elements(&about, &options, indent, |i| shown.as_ref().map_or(Scalar::Int(0), |shown| shown.at(i))))
}

/// Whether the text of a tensor on this device names it.
pub(super) fn shows_device(device: crate::device::Device) -> bool {
    print::shows_device(device, &defaults())
}

fn defaults() -> print::Defaults {
    let engine = engine::current();
    print::Defaults {
        dtype: engine.settings.default_dtype(),
        cuda_index: engine.devices.current_cuda(),
        device: if device::is_cuda_type_default() { DeviceType::CUDA } else { DeviceType::CPU },
    }
}

/// The text of a tensor that begins with the name of `class`. Waits for its device.
fn text(t: &Tensor, class: &str, vm: &VirtualMachine) -> PyResult<String> {
    if let Some(text) = parts::attribute(t, "__repr__", vm)? {
        return Ok(text.str(vm)?.to_string_lossy().into_owned());
    }
    let dtype = t.dtype();
    let function = t.grad_fn();
    let history = match &function {
        _ if crate::autograd::check_history(t).is_err() => History::Function("Invalid"),
        Some(node) => History::Function(&node.name),
        None if t.requires_grad() => History::Leaf,
        None => History::None,
    };
    let shape = t.shape();
    let about = TensorText { class, shape: &shape, dtype, device: t.device(), history };
    let options = super::printing::options();
    let shown = match t.device().is_meta() || t.numel() == 0 {
        true => None,
        false => Some(ops::print::read(t, &about, &options).or_raise(vm)?),
    };
    Ok(print::tensor_repr(&about, &defaults(), &options, |i| {
        shown.as_ref().map_or(Scalar::Int(0), |shown| shown.at(i))
    }))
}

// ---- operators -------------------------------------------------------------------------------------------------------

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
        return refuse(op, a, b, vm);
    };
    guard::native(vm, || {
        super::function::operator(op.name(), &[a, b], || ops::binary(op, &x, &y)).or_raise(vm).map(|t| wrap(t, vm))
    })
}

/// Arithmetic with an object that isn't a tensor or number. A class of the program may implement the operation from its
/// side. Python's built-in classes don't, so they are refused, with PyTorch's name for the class.
fn refuse(op: BinaryOp, a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    let foreign = if tensor_of(a).is_some() { b } else { a };
    let sign = match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::FloorDiv => "//",
        BinaryOp::Remainder => "%",
        BinaryOp::Pow => "** or pow()",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        _ => return Ok(vm.ctx.not_implemented()),
    };
    if foreign.class().slots().flags.has_feature(rustpython_vm::types::PyTypeFlags::HEAPTYPE) {
        return Ok(vm.ctx.not_implemented());
    }
    Err(vm.new_type_error(format!("unsupported operand type(s) for {sign}: '{}' and '{}'", type_name(a), type_name(b))))
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
    let (Some(x), Some(y)) = (tensor_of(a), convert::operand(b, vm)?) else { return Ok(vm.ctx.not_implemented()) };
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
fn one_number(object: &PyObject, vm: &VirtualMachine) -> PyResult<Scalar> {
    match tensor_of(object) {
        Some(t) if t.numel() != 1 => {
            return Err(vm.new_value_error("only one element tensors can be converted to Python scalars"));
        }
        Some(t) if t.requires_grad() => super::error::warn_once(NUMBER_OF_GRAPH, vm)?,
        _ => {}
    }
    item(object, vm)
}

const NUMBER_OF_GRAPH: &str = "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using tensor.detach() first.";
const NUMBER_TRANSPOSED: &str = "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.";
const ALL_REVERSED: &str = "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.";

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

impl Hashable for PyTensor {
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<i64> {
        Ok((zelf.as_object().get_id() >> 4) as i64)
    }
}

impl Representable for PyTensor {
    fn repr_str(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<String> {
        if let Some(text) = overrides::operator("__repr__", &[zelf.as_object()], vm)? {
            return Ok(text.try_downcast::<PyStr>(vm)?.to_string_lossy().into_owned());
        }
        let class = zelf.class();
        let name = class.name();
        // PyTorch writes the name of a class of the program; the text of a parameter comes around this one.
        let is_own = class.is(PyTensor::class(&vm.ctx)) || overrides::is_of_torch(class, vm);
        let text = guard::native(vm, || text(&zelf.tensor, if is_own { "tensor" } else { &name }, vm))?;
        let is_parameter = !is_own && overrides::is_parameter(zelf.as_object(), vm);
        Ok(if is_parameter { format!("Parameter({text})") } else { text })
    }
}

impl GetAttr for PyTensor {
    fn getattro(zelf: &Py<Self>, name: &Py<PyStr>, vm: &VirtualMachine) -> PyResult {
        let object = zelf.as_object();
        if overrides::are_watched()
            && let Some(value) = overrides::attribute(object, name, vm)?
        {
            return Ok(value);
        }
        if let Some(value) = object.generic_getattr_opt(name, None, vm)? {
            return Ok(value);
        }
        // The interpreter would also name the module of a class that isn't written in Python.
        let text = format!("'{}' object has no attribute '{name}'", zelf.class().name());
        let error = vm.new_attribute_error(text);
        vm.set_attribute_error_context(&error, object.to_owned(), name.to_owned());
        Err(error)
    }
}

/// The tensor of an object whose class has a tensor's slots. The interpreter itself only checks the class.
fn this<'a>(object: &'a PyObject, vm: &VirtualMachine) -> PyResult<&'a Tensor> {
    tensor_of(object).ok_or_else(|| vm.new_type_error("not a tensor"))
}

/// PyTorch's error for a nested tensor, whose parts may differ in size.
const NO_SIZES: &str = "Internal error: NestedTensorImpl doesn't support sizes. Please file an issue.";

fn length(object: &PyObject, vm: &VirtualMachine) -> PyResult<usize> {
    if let Some(result) = overrides::operator("__len__", &[object], vm)? {
        return result.try_to_value(vm);
    }
    let t = this(object, vm)?;
    if parts::exist() && t.kind() == Some(Kind::Nested) {
        return Err(vm.new_runtime_error(NO_SIZES));
    }
    if t.ndim() == 0 { Err(vm.new_type_error("len() of a 0-d tensor")) } else { Ok(t.size(0)) }
}

impl SetAttr for PyTensor {
    fn setattro(zelf: &Py<Self>, name: &Py<PyStr>, value: PySetterValue, vm: &VirtualMachine) -> PyResult<()> {
        if overrides::are_watched() && overrides::set_attribute(zelf.as_object(), name, &value, vm)? {
            return Ok(());
        }
        zelf.as_object().generic_setattr(name, value, vm)
    }
}

impl AsMapping for PyTensor {
    fn as_mapping() -> &'static PyMappingMethods {
        static METHODS: PyMappingMethods = PyMappingMethods {
            length: atomic_func!(|mapping, vm| length(mapping.obj, vm)),
            subscript: atomic_func!(|mapping, key, vm| {
                if let Some(found) = overrides::operator("__getitem__", &[mapping.obj, key], vm)? {
                    return Ok(found);
                }
                if let Some(found) = parts::operator("__getitem__", &[mapping.obj, key], vm)? {
                    return Ok(found);
                }
                let t = this(mapping.obj, vm)?.clone();
                guard::native(vm, || index::get(&t, key, vm))
            }),
            ass_subscript: atomic_func!(|mapping, key, value, vm| {
                if let Some(value) = &value
                    && overrides::operator("__setitem__", &[mapping.obj, key, value], vm)?.is_some()
                {
                    return Ok(());
                }
                if let Some(value) = &value
                    && parts::operator("__setitem__", &[mapping.obj, key, value], vm)?.is_some()
                {
                    return Ok(());
                }
                let t = this(mapping.obj, vm)?.clone();
                match value {
                    Some(value) => guard::native(vm, || index::set(&t, key, &value, vm)),
                    None => Err(vm.new_type_error("Tensor does not support deleting items")),
                }
            }),
        };
        &METHODS
    }
}

impl AsSequence for PyTensor {
    fn as_sequence() -> &'static PySequenceMethods {
        static METHODS: PySequenceMethods = PySequenceMethods {
            length: atomic_func!(|seq, vm| length(seq.obj, vm)),
            contains: atomic_func!(|seq, value, vm| {
                if let Some(found) = overrides::operator("__contains__", &[seq.obj, value], vm)? {
                    return found.is_true(vm);
                }
                let t = this(seq.obj, vm)?;
                guard::native(vm, || contains(t, value, vm))
            }),
            ..PySequenceMethods::NOT_IMPLEMENTED
        };
        &METHODS
    }
}

/// `value in t`: `(value == t).any()`.
fn contains(t: &Tensor, value: &PyObject, vm: &VirtualMachine) -> PyResult<bool> {
    if let Some(found) = parts::operator("__contains__", &[&wrap(t.clone(), vm), value], vm)? {
        return found.is_true(vm);
    }
    let Some(value) = convert::operand(value, vm)? else {
        return Err(vm.new_runtime_error(format!(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a {}.",
            value.class().as_object().repr(vm)?.to_string_lossy()
        )));
    };
    let equal = ops::binary(BinaryOp::Eq, &value, &Arg::from(t)).or_raise(vm)?;
    let any = ops::reduce::logical(&equal, crate::executor::ReduceOp::Any, &[], false).or_raise(vm)?;
    ops::transfer::item(&any, Why::Item).or_raise(vm).map(Scalar::as_bool)
}

impl Iterable for PyTensor {
    fn iter(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        // PyTorch asks for the number of dimensions, then for the items.
        if overrides::operator("dim", &[zelf.as_object()], vm)?.is_some()
            && let Some(items) = overrides::operator("unbind", &[zelf.as_object()], vm)?
        {
            return items.get_iter(vm).map(Into::into);
        }
        if zelf.tensor.ndim() == 0 {
            return Err(vm.new_type_error("iteration over a 0-d tensor"));
        }
        if let Some(items) = parts::attribute(&zelf.tensor, "__iter__", vm)? {
            return items.get_iter(vm).map(Into::into);
        }
        let items = guard::native(vm, || ops::shape::unbind(&zelf.tensor, 0).or_raise(vm))?;
        let items: Vec<PyObjectRef> = items.into_iter().map(|t| wrap(t, vm)).collect();
        vm.ctx.new_list(items).as_object().get_iter(vm).map(Into::into)
    }
}

impl Constructor for PyTensor {
    type Args = FuncArgs;

    fn slot_new(cls: PyTypeRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let tensor = guard::native(vm, || super::data::legacy_constructor(&args, vm))?;
        if cls.is(PyTensor::class(&vm.ctx)) { Ok(wrap(tensor, vm)) } else { make_subclass(cls, &tensor, false, vm) }
    }

    fn py_new(_cls: &Py<PyType>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        super::data::legacy_constructor(&args, vm).map(PyTensor::new)
    }
}

// ---- attributes ------------------------------------------------------------------------------------------------------

#[pyclass(
    with(
        AsNumber,
        AsMapping,
        AsSequence,
        Comparable,
        Constructor,
        GetAttr,
        Hashable,
        Iterable,
        Representable,
        SetAttr
    ),
    flags(BASETYPE, HEAPTYPE, HAS_DICT, HAS_WEAKREF)
)]
impl PyTensor {
    #[pyclassmethod]
    fn __torch_function__(cls: PyTypeRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        overrides::by_default(&cls, &args, vm)
    }

    #[pyclassmethod]
    fn _make_subclass(
        _cls: PyTypeRef,
        class: PyObjectRef,
        data: PyObjectRef,
        requires_grad: rustpython_vm::function::OptionalArg<bool>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let class = class
            .downcast::<PyType>()
            .map_err(|other| vm.new_type_error(format!("cls must be a type (got {})", type_name(&other))))?;
        let Some(data) = tensor_of(&data) else {
            let given = type_name(&data);
            let text = format!("_make_subclass(): argument 'data' (position 2) must be Tensor, not {given}");
            return Err(vm.new_type_error(text));
        };
        make_subclass(class, data, requires_grad.unwrap_or(false), vm)
    }

    #[pygetset]
    fn shape(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if parts::exist() && zelf.tensor.kind() == Some(Kind::Nested) {
            return Err(vm.new_runtime_error(NO_SIZES));
        }
        shape::size(&zelf.tensor.shape(), vm)
    }

    #[pygetset]
    fn dtype(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        dtype::object(zelf.tensor.dtype(), vm)
    }

    #[pygetset]
    fn device(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        device::object(zelf.tensor.device(), vm)
    }

    #[pygetset]
    fn ndim(zelf: &Py<Self>) -> usize {
        zelf.tensor.ndim()
    }

    #[pygetset]
    fn itemsize(zelf: &Py<Self>) -> usize {
        zelf.tensor.dtype().size()
    }

    #[pygetset]
    fn nbytes(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if let Some(bytes) = parts::attribute(&zelf.tensor, "nbytes", vm)? {
            return Ok(bytes);
        }
        Ok(vm.ctx.new_int(zelf.tensor.numel() * zelf.tensor.dtype().size()).into())
    }

    #[pygetset]
    fn requires_grad(zelf: &Py<Self>) -> bool {
        zelf.tensor.requires_grad()
    }

    #[pygetset(setter)]
    fn set_requires_grad(zelf: &Py<Self>, value: bool, vm: &VirtualMachine) -> PyResult<()> {
        zelf.tensor.set_requires_grad(value).or_raise(vm)
    }

    #[pygetset]
    fn is_leaf(zelf: &Py<Self>) -> bool {
        zelf.tensor.is_leaf()
    }

    #[pygetset]
    fn retains_grad(zelf: &Py<Self>) -> bool {
        zelf.tensor.retains_grad()
    }

    #[pygetset]
    fn grad_fn(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        crate::autograd::check_history(&zelf.tensor).or_raise(vm)?;
        Ok(match zelf.tensor.grad_fn() {
            Some(node) => super::node::node(node, vm),
            None => vm.ctx.none(),
        })
    }

    #[pygetset]
    fn grad(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let t = &zelf.tensor;
        match t.grad() {
            Some(g) => Ok(wrap(g, vm)),
            None => {
                if !t.is_leaf() && !t.retains_grad() {
                    if t.grad_fn().is_some_and(|node| node.name == "ToCopyBackward0") {
                        let (engine, storage) = (engine::current(), t.storage());
                        engine.trace.notice(|| Clue::GradOfMoved {
                            line: engine.trace.line(),
                            created: storage.created(),
                            device: storage.device(),
                            shape: t.shape().to_vec(),
                            bytes: storage.nbytes(),
                        });
                    }
                    super::error::warn(NON_LEAF_GRAD, vm)?;
                }
                Ok(vm.ctx.none())
            }
        }
    }

    #[pygetset(setter)]
    fn set_grad(zelf: &Py<Self>, value: PySetterValue, vm: &VirtualMachine) -> PyResult<()> {
        let value = match value {
            PySetterValue::Assign(v) if !vm.is_none(&v) => v,
            _ => {
                zelf.tensor.set_grad(None);
                return Ok(());
            }
        };
        let Some(g) = tensor_of(&value) else {
            return Err(vm.new_type_error(format!(
                "assigned grad expected to be a Tensor or None but got grad of type {}",
                type_name(&value)
            )));
        };
        check_grad(&zelf.tensor, g).map_err(|e| super::error::raise(e, vm))?;
        zelf.tensor.set_grad(Some(g.clone()));
        Ok(())
    }

    #[pygetset]
    fn data(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        let t = Tensor::from_storage(zelf.tensor.storage(), zelf.tensor.layout());
        wrap(t, vm)
    }

    #[pygetset(setter)]
    fn set_data(zelf: &Py<Self>, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        match tensor_of(&value) {
            Some(t) if zelf.tensor.requires_grad() && !t.dtype().is_inexact() => Err(vm.new_runtime_error(
                "data set to a tensor that requires gradients must be floating point or complex dtype",
            )),
            Some(t) => {
                zelf.tensor.set_data(t);
                Ok(())
            }
            None => Err(vm.new_type_error(format!("Variable data has to be a tensor, but got {}", type_name(&value)))),
        }
    }

    #[pygetset(name = "T")]
    fn reversed(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if let Some(t) = parts::attribute(&zelf.tensor, "T", vm)? {
            return Ok(t);
        }
        match zelf.tensor.ndim() {
            1 | 2 => {}
            0 => super::error::warn_once(NUMBER_TRANSPOSED, vm)?,
            _ => super::error::warn_once(ALL_REVERSED, vm)?,
        }
        let dims: Vec<i64> = (0..zelf.tensor.ndim() as i64).rev().collect();
        ops::view::permute(&zelf.tensor, &dims).or_raise(vm).map(|t| wrap(t, vm))
    }

    #[pygetset(name = "mT")]
    fn matrix_transpose(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if zelf.tensor.ndim() < 2 {
            return Err(vm.new_runtime_error(format!(
                "tensor.mT is only supported on matrices or batches of matrices. Got {}-D tensor.",
                zelf.tensor.ndim()
            )));
        }
        if let Some(t) = parts::attribute(&zelf.tensor, "mT", vm)? {
            return Ok(t);
        }
        ops::view::transpose(&zelf.tensor, -2, -1).or_raise(vm).map(|t| wrap(t, vm))
    }

    #[pygetset]
    fn real(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if let Some(part) = parts::attribute(&zelf.tensor, "real", vm)? {
            return Ok(part);
        }
        ops::complex::real(&zelf.tensor).or_raise(vm).map(|t| wrap(t, vm))
    }

    #[pygetset(setter)]
    fn set_real(zelf: &Py<Self>, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        set_part(&ops::complex::real(&zelf.tensor).or_raise(vm)?, &value, vm)
    }

    #[pygetset]
    fn imag(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if let Some(part) = parts::attribute(&zelf.tensor, "imag", vm)? {
            return Ok(part);
        }
        ops::complex::imag(&zelf.tensor).or_raise(vm).map(|t| wrap(t, vm))
    }

    #[pygetset(setter)]
    fn set_imag(zelf: &Py<Self>, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        set_part(&ops::complex::imag(&zelf.tensor).or_raise(vm)?, &value, vm)
    }

    #[pymethod]
    fn __complex__(zelf: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let (re, im) = one_number(&zelf, vm)?.as_complex();
        Ok(vm.ctx.new_complex(Complex64::new(re, im)).into())
    }

    #[pygetset]
    fn is_cuda(zelf: &Py<Self>) -> bool {
        zelf.tensor.device().is_cuda()
    }

    #[pygetset]
    fn is_cpu(zelf: &Py<Self>) -> bool {
        zelf.tensor.device().is_cpu()
    }

    #[pygetset]
    fn is_mps(zelf: &Py<Self>) -> bool {
        zelf.tensor.device().kind == crate::device::DeviceType::MPS
    }

    #[pygetset]
    fn is_meta(zelf: &Py<Self>) -> bool {
        zelf.tensor.device().is_meta()
    }

    #[pygetset]
    fn is_sparse(zelf: &Py<Self>) -> bool {
        zelf.tensor.kind() == Some(Kind::Coo)
    }

    #[pygetset]
    fn is_sparse_csr(zelf: &Py<Self>) -> bool {
        zelf.tensor.kind() == Some(Kind::Csr)
    }

    #[pygetset]
    fn is_nested(zelf: &Py<Self>) -> bool {
        zelf.tensor.kind() == Some(Kind::Nested)
    }

    #[pygetset]
    fn is_quantized(_zelf: &Py<Self>) -> bool {
        false
    }

    #[pygetset]
    fn _version(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<u64> {
        if zelf.tensor.is_inference() {
            return Err(vm.new_runtime_error("Inference tensors do not track version counter."));
        }
        Ok(zelf.tensor.version())
    }

    #[pygetset]
    fn output_nr(zelf: &Py<Self>) -> usize {
        // Here each of several views has a node of its own.
        match zelf.tensor.meta().view.borrow().as_ref().map(|of| of.made) {
            Some(Made::OneOfMany(number)) if zelf.tensor.requires_grad() => number,
            _ => zelf.tensor.meta().output.get(),
        }
    }

    #[pygetset]
    fn _base(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        let base = zelf.tensor.meta().view.borrow().as_ref().map(|view| view.base.clone());
        match base {
            Some(base) => wrap(base, vm),
            None => vm.ctx.none(),
        }
    }

    #[pymethod]
    fn __format__(zelf: PyObjectRef, spec: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        if let Some(text) = overrides::operator("__format__", &[&zelf, &spec], vm)? {
            return Ok(text);
        }
        // A 0-dim tensor is formatted like its number, with any spec; others like `object.__format__`.
        let t = tensor_of(&zelf).cloned();
        match t {
            Some(t) if t.ndim() == 0 && !t.device().is_meta() && !t.has_parts() => {
                let engine = engine::current();
                let showing = engine.trace.show();
                let read = ops::transfer::item(&t, Why::Item).or_raise(vm)?;
                drop(showing);
                super::names::value_read(&zelf, read, vm);
                let value = number(read, vm);
                vm.call_method(&value, "__format__", (spec,))
            }
            _ => {
                let empty = super::convert::text(&spec).is_some_and(str::is_empty);
                if !empty {
                    return Err(vm.new_type_error(format!(
                        "unsupported format string passed to {}.__format__",
                        zelf.class().name()
                    )));
                }
                zelf.str(vm).map(Into::into)
            }
        }
    }

    #[pymethod]
    fn __reversed__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if let Some(result) = overrides::operator("__reversed__", &[zelf.as_object()], vm)? {
            return Ok(result);
        }
        if zelf.tensor.ndim() == 0 {
            return Ok(wrap(zelf.tensor.clone(), vm));
        }
        if let Some(t) = parts::operator("__reversed__", &[zelf.as_object()], vm)? {
            return Ok(t);
        }
        ops::shape::flip(&zelf.tensor, &[0]).or_raise(vm).map(|t| wrap(t, vm))
    }

    #[pymethod]
    fn __array__(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        if args.args.is_empty()
            && let Some(array) = overrides::operator("__array__", &[zelf.as_object()], vm)?
        {
            return Ok(array);
        }
        if let Some(array) = parts::attribute(&zelf.tensor, "numpy", vm)? {
            return Ok(array);
        }
        let array = super::data::numpy(&zelf.tensor, vm)?;
        match args.args.first().or_else(|| args.kwargs.get("dtype")).filter(|o| !vm.is_none(o)) {
            Some(dtype) => vm.call_method(&array, "astype", (dtype.clone(),)),
            None => Ok(array),
        }
    }

    #[pymethod]
    fn __deepcopy__(zelf: PyRef<Self>, memo: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        if let Some(copy) = overrides::operator("__deepcopy__", &[zelf.as_object(), &memo], vm)? {
            return Ok(copy);
        }
        let t = &zelf.tensor;
        let key: PyObjectRef = vm.ctx.new_int(zelf.as_object().get_id()).into();
        if let Ok(known) = memo.get_item(&*key, vm) {
            return Ok(known);
        }
        if !t.is_leaf() {
            return Err(vm.new_runtime_error(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001",
            ));
        }
        if overrides::is_taken_over(zelf.class(), vm) {
            return Err(vm.new_runtime_error(NO_COPY));
        }
        let copy = apart(t, vm)?;
        if t.requires_grad() {
            copy.set_requires_grad(true).or_raise(vm)?;
        }
        if let Some(g) = t.grad() {
            copy.set_grad(Some(apart(&g, vm)?));
        }
        let object = adopt(copy, zelf.class().to_owned());
        memo.set_item(&*key, object.clone(), vm)?;
        Ok(object)
    }
}

const NO_COPY: &str = "The default implementation of __deepcopy__() for non-wrapper subclasses only works for subclass types that implement new_empty() and for which that function returns another instance of the same subclass. You should either properly implement new_empty() for your subclass or override __deepcopy__() if it is intended behavior for new_empty() to return an instance of a different type.";

/// A copy outside the graph.
fn apart(t: &Tensor, vm: &VirtualMachine) -> PyResult<Tensor> {
    let _off = crate::autograd::GradMode::set(false);
    match parts::attribute(t, "clone", vm)? {
        Some(copy) => this(&copy, vm).cloned(),
        None => ops::create::clone(t).or_raise(vm),
    }
}

/// `t.real = value`: like `t.real.copy_(value)`, or fills with a number.
fn set_part(part: &Tensor, value: &PyObject, vm: &VirtualMachine) -> PyResult<()> {
    match convert::operand(value, vm)? {
        Some(Arg::Tensor(t)) => ops::transfer::copy_(part, &t, false).or_raise(vm),
        Some(Arg::Number(n)) => ops::arith::fill_(part, n).or_raise(vm),
        None => Err(vm.new_type_error(format!("can't assign a {} to a part of a tensor", type_name(value)))),
    }
}

const NON_LEAF_GRAD: &str = "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information.";

/// The checks of `t.grad = g`.
fn check_grad(t: &Tensor, g: &Tensor) -> crate::error::Result<()> {
    if g.is_same(t) {
        return Err(Error::runtime("can't assign Variable as its own grad"));
    }
    if g.dtype() != t.dtype() {
        return Err(Error::runtime(format!(
            "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match.",
            g.dtype().c_name(),
            t.dtype().scalar_name()
        )));
    }
    if g.device().kind != t.device().kind {
        return Err(Error::runtime(format!(
            "attempting to assign a gradient with device type '{}' to a tensor with device type '{}'. Please ensure that the gradient and the tensor are on the same device",
            g.device().kind.name(),
            t.device().kind.name()
        )));
    }
    if g.device() != t.device() {
        return Err(Error::runtime("assigned grad has data located on a different device"));
    }
    if g.shape() != t.shape() {
        return Err(Error::runtime(format!(
            "attempting to assign a gradient of size '{:?}' to a tensor of size '{:?}'. Please ensure that the gradient and the tensor are the same size",
            g.shape().as_slice(),
            t.shape().as_slice()
        )));
    }
    Ok(())
}
