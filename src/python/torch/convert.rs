//! Python objects as numbers, lists and dtypes, and the names of their classes in PyTorch's errors.

use rustpython_vm::builtins::{PyBool, PyComplex, PyFloat, PyInt, PyList, PyStr, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};
use smallvec::SmallVec;

use super::arrays;
use super::dtype::PyDType;
use super::error::OrRaise;
use super::tensor::PyTensor;
use crate::dtype::{DType, Scalar};
use crate::ops::Arg;

/// Sizes, dims and the like.
pub(super) type Ints = SmallVec<[i64; 6]>;

/// A Python string's text, if it is one and valid UTF-8.
pub(super) fn text(object: &PyObject) -> Option<&str> {
    object.downcast_ref::<PyStr>().and_then(|s| s.to_str())
}

/// The class's name as PyTorch's argument errors give it: `torch.dtype`, `str`, `Tensor`.
pub(super) fn type_name(object: &PyObject) -> String {
    if object.downcast_ref::<PyDType>().is_some() {
        return "torch.dtype".into();
    }
    if arrays::is_array(object) {
        return "numpy.ndarray".into();
    }
    let name = object.class().name().to_string();
    // PyTorch's own classes.
    let own = matches!(&*name, "device" | "layout" | "memory_format" | "Size" | "Generator") && is_of_torch(object);
    match own {
        true if name == "Generator" => "torch._C.Generator".into(),
        true => format!("torch.{name}"),
        false => name,
    }
}

fn is_of_torch(object: &PyObject) -> bool {
    let module = object.class().get_attr(rustpython_vm::Context::genesis().intern_str("__module__"));
    module.is_some_and(|module| text(&module) == Some("torch"))
}

pub(super) fn is_int(object: &PyObject) -> bool {
    object.downcast_ref::<PyInt>().is_some() || is_integer_tensor(object) || arrays::is_integer(object)
}

fn is_integer_tensor(object: &PyObject) -> bool {
    object.downcast_ref::<PyTensor>().is_some_and(|t| t.tensor.ndim() == 0 && t.tensor.dtype().is_integral())
}

/// An int from an int, or from a 0-dim integer tensor (which is read). None for anything else, bool included.
pub(super) fn int(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<i64>> {
    if let Some(n) = object.downcast_ref::<PyInt>() {
        if object.downcast_ref::<PyBool>().is_some() && object.class().is(vm.ctx.types.bool_type) {
            return Ok(Some(i64::from(object.is(&vm.ctx.true_value))));
        }
        let small: Result<i64, _> = i64::try_from(n.as_bigint());
        return small.map(Some).map_err(|_| vm.new_value_error(OVERFLOW));
    }
    if is_integer_tensor(object) {
        return Ok(scalar(object, vm)?.map(Scalar::as_i64));
    }
    match numpy_number(object, vm)? {
        Some((Scalar::Int(n), _)) => Ok(Some(n)),
        _ => Ok(None),
    }
}

/// A number from a Python number or a 0-dim tensor (which is read).
pub(super) fn scalar(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Scalar>> {
    if let Some(number) = number(object, vm)? {
        return Ok(Some(number));
    }
    if let Some(t) = object.downcast_ref::<PyTensor>()
        && t.tensor.ndim() == 0
    {
        let t = t.tensor.clone();
        return crate::ops::transfer::item(&t, crate::trace::Why::Item).or_raise(vm).map(Some);
    }
    Ok(None)
}

/// A number from a Python number.
pub(super) fn number(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Scalar>> {
    if let Some(f) = object.downcast_ref::<PyFloat>() {
        return Ok(Some(Scalar::Float(f.to_f64())));
    }
    if object.class().is(vm.ctx.types.bool_type) {
        return Ok(Some(Scalar::Bool(object.is(&vm.ctx.true_value))));
    }
    if let Some(n) = object.downcast_ref::<PyInt>() {
        let small: Result<i64, _> = i64::try_from(n.as_bigint());
        // PyTorch reads integers that 64 bits with a sign don't hold as ones without a sign.
        return small.map(|n| Some(Scalar::Int(n))).map_err(|_| match u64::try_from(n.as_bigint()) {
            Ok(_) => vm.new_runtime_error("value cannot be converted to type int64_t without overflow"),
            Err(_) if *n.as_bigint() < Default::default() => {
                vm.new_overflow_error("can't convert negative int to unsigned")
            }
            Err(_) => vm.new_overflow_error("int too big to convert"),
        });
    }
    Ok(numpy_number(object, vm)?.map(|(value, _)| value))
}

/// A Python complex number.
pub(super) fn complex(object: &PyObject) -> Option<Scalar> {
    let value = object.downcast_ref::<PyComplex>()?.to_complex();
    Some(Scalar::Complex(value.re, value.im))
}

/// A tensor or a Python number as an operand.
pub(super) fn operand(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Arg>> {
    if let Some(t) = object.downcast_ref::<PyTensor>() {
        return Ok(Some(Arg::Tensor(t.tensor.clone())));
    }
    if let Some(value) = complex(object) {
        return Ok(Some(Arg::Number(value)));
    }
    Ok(number(object, vm)?.map(Arg::Number))
}

/// A name as the interpreter keeps it, with its hash: what is looked up at every step of a program is hashed once a thread.
macro_rules! interned {
    ($text:literal, $vm:expr) => {{
        use rustpython_vm::builtins::PyStrInterned;
        thread_local! {
            static NAME: std::cell::Cell<Option<&'static PyStrInterned>> = const { std::cell::Cell::new(None) };
        }
        NAME.get().unwrap_or_else(|| {
            let name = $vm.ctx.intern_str($text);
            NAME.set(Some(name));
            name
        })
    }};
}
pub(super) use interned;

/// The items of a list or tuple (or a subclass of either).
pub(super) fn sequence(object: &PyObject) -> Option<Vec<PyObjectRef>> {
    if let Some(t) = object.downcast_ref::<PyTuple>() {
        return Some(t.as_slice().to_vec());
    }
    object.downcast_ref::<PyList>().map(|l| l.borrow_vec().to_vec())
}

/// What PyTorch says of an integer that 64 bits do not hold.
pub(super) const OVERFLOW: &str = "Overflow when unpacking long long";

/// Why an object is not a list of integers.
pub(super) enum NoInts {
    /// Neither a list nor a tuple.
    Sequence,
    /// An item, and its type, that is no integer.
    Item(usize, String),
    /// An item beyond 64 bits.
    Wide(usize),
}

/// Ints of a list or tuple.
pub(super) fn ints(object: &PyObject, vm: &VirtualMachine) -> PyResult<Result<Ints, NoInts>> {
    let Some(items) = sequence(object) else { return Ok(Err(NoInts::Sequence)) };
    let mut out = Ints::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        if item.downcast_ref::<PyInt>().is_some_and(|n| i64::try_from(n.as_bigint()).is_err()) {
            return Ok(Err(NoInts::Wide(at)));
        }
        match int(item, vm)? {
            Some(n) => out.push(n),
            None => return Ok(Err(NoInts::Item(at, type_name(item)))),
        }
    }
    Ok(Ok(out))
}

/// A dtype from a `torch.dtype`, or from `float`, `int`, `bool` as classes.
pub(super) fn dtype(object: &PyObject, vm: &VirtualMachine) -> Option<DType> {
    if let Some(d) = object.downcast_ref::<PyDType>() {
        return Some(d.dtype);
    }
    let types = &vm.ctx.types;
    if object.is(types.float_type) {
        Some(DType::F64)
    } else if object.is(types.int_type) {
        Some(DType::I64)
    } else if object.is(types.bool_type) {
        Some(DType::Bool)
    } else if object.is(types.complex_type) {
        Some(DType::C128)
    } else {
        None
    }
}

/// `str(object)` for error texts; empty if that itself fails.
pub(super) fn show(object: &PyObject, vm: &VirtualMachine) -> String {
    object.str(vm).ok().and_then(|s: rustpython_vm::PyRef<PyStr>| s.to_str().map(str::to_string)).unwrap_or_default()
}

/// A NumPy number as value and dtype.
pub(super) fn numpy_number(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<(Scalar, DType)>> {
    if !arrays::is_number(object) {
        return Ok(None);
    }
    let (value, class) = (object.get_attr("_v", vm)?, object.get_attr("_torch", vm)?);
    Ok(number(&value, vm)?.zip(dtype(&class, vm)))
}
