//! The class `torch.Tensor` and its attributes. Its arithmetic is in [`super::operators`]; methods are installed from the tables of bindings.

use num_complex::Complex64;
use rustpython_vm::builtins::{PyStr, PyType, PyTypeRef};
use rustpython_vm::function::{FuncArgs, PySetterValue};
use rustpython_vm::protocol::{PyMappingMethods, PySequenceMethods};
use rustpython_vm::types::{
    AsMapping, AsNumber, AsSequence, Comparable, Constructor, GetAttr, Hashable, Iterable, Representable, SetAttr,
};
use rustpython_vm::{
    AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, atomic_func, pyclass,
};

use super::convert::{self, type_name};
use super::error::OrRaise;
use super::operators::one_number;
use super::tensor::{PyTensor, adopt, number, tensor_of, wrap};
use super::{device, dtype, index, overrides, parts, shape};
use crate::autograd::Made;
use crate::device::DeviceType;
use crate::dtype::Scalar;
use crate::engine;
use crate::error::Error;
use crate::executor::BinaryOp;
use crate::ops::{self, Arg};
use crate::print::{self, History, TensorText};
use crate::python::guard;
use crate::shape::Layout;
use crate::tensor::Tensor;
use crate::tensor::parts::Kind;
use crate::trace::{Clue, Why};

const NUMBER_TRANSPOSED_AS_MATRIX: &str =
    "Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.";
const NUMBER_TRANSPOSED: &str = "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.";
const ALL_REVERSED: &str = "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.";

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
        if matches!(value, PySetterValue::Delete) {
            match &*name.to_string_lossy() {
                "data" => {
                    return Err(vm.new_runtime_error("Deleting tensor data is not allowed. Delete tensor instead!"));
                }
                "requires_grad" => return Err(vm.new_runtime_error("requires_grad must be a bool")),
                _ => {}
            }
        }
        zelf.as_object().generic_setattr(name, value, vm).map_err(|error| {
            // In PyTorch the attributes are those of a base class.
            let text =
                error.as_object().str(vm).map_or_else(|_| String::new(), |text| text.to_string_lossy().into_owned());
            match text == format!("attribute '{name}' of 'Tensor' objects is not writable") {
                true => vm.new_attribute_error(text.replace("'Tensor'", "'torch._C.TensorBase'")),
                false => error,
            }
        })
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
        vm.ctx.new_tuple(items).as_object().get_iter(vm).map(Into::into)
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
    fn set_requires_grad(zelf: &Py<Self>, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        if !value.class().is(vm.ctx.types.bool_type) {
            return Err(vm.new_runtime_error("requires_grad must be a bool"));
        }
        zelf.tensor.set_requires_grad(value.is_true(vm)?).or_raise(vm)
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
        wrap(if zelf.tensor.is_flipped() { t.flip() } else { t }, vm)
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
            2 => {}
            0 => super::error::warn_once(NUMBER_TRANSPOSED, vm)?,
            _ => super::error::warn_once(ALL_REVERSED, vm)?,
        }
        let dims: Vec<i64> = (0..zelf.tensor.ndim() as i64).rev().collect();
        ops::view::permute(&zelf.tensor, &dims).or_raise(vm).map(|t| wrap(t, vm))
    }

    #[pygetset(name = "mT")]
    fn matrix_transpose(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        if zelf.tensor.ndim() == 0 {
            super::error::warn_once(NUMBER_TRANSPOSED_AS_MATRIX, vm)?;
            return Ok(wrap(zelf.tensor.clone(), vm));
        }
        if zelf.tensor.ndim() == 1 {
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
            Some(t)
                if t.ndim() == 0
                    && !t.device().is_meta()
                    && !t.has_parts()
                    && zelf.class().is(PyTensor::class(&vm.ctx)) =>
            {
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
        let copy = with_memory(t, &memo, vm)?;
        if t.requires_grad() {
            copy.set_requires_grad(true).or_raise(vm)?;
        }
        if let Some(g) = t.grad() {
            copy.set_grad(Some(with_memory(&g, &memo, vm)?));
        }
        let object = adopt(copy, zelf.class().to_owned());
        memo.set_item(&*key, object.clone(), vm)?;
        Ok(object)
    }
}

const NO_COPY: &str = "The default implementation of __deepcopy__() for non-wrapper subclasses only works for subclass types that implement new_empty() and for which that function returns another instance of the same subclass. You should either properly implement new_empty() for your subclass or override __deepcopy__() if it is intended behavior for new_empty() to return an instance of a different type.";

/// A copy outside the graph, with a copy of all of the memory. Tensors that share their memory share its copy as well: `memo`
/// knows what was copied.
fn with_memory(t: &Tensor, memo: &PyObject, vm: &VirtualMachine) -> PyResult<Tensor> {
    let storage = t.storage();
    if t.is_flipped() || t.parts().is_some() || t.device().is_meta() || storage.numel() == 0 {
        return apart(t, vm);
    }
    let copies = vm.call_method(memo, "setdefault", ("torch", vm.ctx.new_dict()))?;
    let key = vm.ctx.new_str(format!("{:?} {:?}", storage.id(), t.dtype()));
    let known = vm.call_method(&copies, "get", (key.clone(),))?;
    if let Some(copy) = tensor_of(&known) {
        return Ok(copy.alias(t.layout()));
    }
    let whole = Layout::contiguous(&[storage.numel()]);
    let copy = match t.is_contiguous() && t.numel() == storage.numel() {
        true => apart(t, vm)?,
        false => apart(&t.alias(whole.clone()), vm)?.alias(t.layout()),
    };
    copies.set_item(&*key, wrap(copy.alias(whole), vm), vm)?;
    Ok(copy)
}

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
