//! Tensors from Python data: `torch.tensor`, `torch.as_tensor`, `Tensor.tolist`, and the old `torch.Tensor(...)`.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyBytes, PyDict, PyInt, PyStr};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::protocol::PyIterReturn;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::arrays;
use super::convert::{self, type_name};
use super::device::{default_device, device_of};
use super::error::OrRaise;
use super::tensor::{number, tensor_of};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::ops::{self, create};
use crate::shape::Dims;
use crate::tensor::Tensor;
use crate::trace::Why;

/// Numbers collected from nested sequences.
#[derive(Default)]
struct Gathered {
    values: Vec<Scalar>,
    /// The common dtype of the elements so far: tensors have their own, Python numbers that of their kind.
    joined: Option<DType>,
    /// Whether an integer was so large that only floating-point dtypes can hold it.
    has_large: bool,
    /// The dtype of the result, if the program names it.
    wanted: Option<DType>,
    /// Whether tensors in the sequences add their dimensions, as they do in NumPy. PyTorch takes them for numbers.
    stacks: bool,
}

/// The result of `torch.tensor(data, dtype=…, device=…)`. A tensor as data is copied, outside the graph.
///
/// # Errors
/// Ragged sequences, strings and other objects that aren't numbers, numbers that don't fit.
pub(super) fn tensor_from(
    data: &PyObject,
    dtype: Option<DType>,
    device: Device,
    vm: &VirtualMachine,
) -> PyResult<Tensor> {
    collected(data, dtype, device, false, vm)
}

/// Like [`tensor_from`], with NumPy's rule for tensors in sequences.
pub(super) fn stacked_from(data: &PyObject, vm: &VirtualMachine) -> PyResult<Tensor> {
    collected(data, None, Device::CPU, true, vm)
}

fn collected(
    data: &PyObject,
    dtype: Option<DType>,
    device: Device,
    stacks: bool,
    vm: &VirtualMachine,
) -> PyResult<Tensor> {
    if let Some(t) = arrays::array_tensor(data, vm)? {
        let copy = ops::transfer::To { device: Some(device), dtype, copy: true, ..ops::transfer::To::default() };
        return ops::transfer::to(&t, copy).and_then(|t| ops::create::contiguous(&t)).or_raise(vm);
    }
    let shape = shape_of(data, stacks, vm)?;
    let mut gathered = Gathered { wanted: dtype, stacks, ..Gathered::default() };
    gather(data, &shape, 0, &mut gathered, vm)?;
    let dtype = dtype.or(gathered.joined).unwrap_or_else(|| engine::current().settings.default_dtype());
    if gathered.has_large && matches!(dtype, DType::U8 | DType::I8 | DType::I16 | DType::I32 | DType::I64) {
        return Err(vm.new_value_error("Overflow when unpacking long long"));
    }
    let mut bytes = engine::host::room(gathered.values.len() * dtype.size()).or_raise(vm)?;
    for value in &gathered.values {
        check_fit(*value, dtype, vm)?;
        ops::transfer::push_scalar(&mut bytes, dtype, *value);
    }
    Tensor::from_bytes(&bytes, &shape, dtype, device).or_raise(vm)
}

impl Gathered {
    fn join(&mut self, dtype: DType) {
        self.joined = Some(self.joined.map_or(dtype, |d| d.promote(dtype)));
    }
}

fn check_fit(value: Scalar, dtype: DType, vm: &VirtualMachine) -> PyResult<()> {
    if matches!(value, Scalar::Complex(..)) && !dtype.is_complex() {
        return Err(match dtype.is_float() {
            true => vm.new_type_error("must be real number, not complex"),
            false => vm.new_type_error("'complex' object cannot be interpreted as an integer"),
        });
    }
    let Scalar::Int(n) = value else { return Ok(()) };
    let (low, high) = match dtype {
        DType::U8 => (-255, 255),
        DType::I8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
        DType::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
        DType::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => return Ok(()),
    };
    if n < low || n > high {
        return Err(vm.new_runtime_error(format!(
            "value cannot be converted to type {} without overflow",
            match dtype {
                DType::U8 => "uint8",
                DType::I8 => "int8",
                DType::I16 => "int16",
                _ => "int32",
            }
        )));
    }
    Ok(())
}

/// Whether `torch.tensor` and indexing go through the items of an object: a list, a tuple, a range, or anything else that has
/// a length and items (`array.array`, `collections.deque`, `pandas.Series`). Strings, dictionaries and tensors aren't meant.
pub(super) fn is_sequence(object: &PyObject, vm: &VirtualMachine) -> bool {
    let class = object.class();
    let has = |name| class.has_attr(vm.ctx.intern_str(name));
    object.downcast_ref::<PyStr>().is_none()
        && object.downcast_ref::<PyDict>().is_none()
        && tensor_of(object).is_none()
        && has("__len__")
        && has("__getitem__")
}

/// The items of a sequence; `None` for any other object.
pub(super) fn items(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Vec<PyObjectRef>>> {
    if let Some(items) = convert::sequence(object) {
        return Ok(Some(items));
    }
    if is_sequence(object, vm) { counted(object, vm).map(Some) } else { Ok(None) }
}

/// The items of a sequence, as many as its length says: a sequence that the program defines may never end.
fn counted(object: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
    let length = object.length(vm)?;
    let mut items = Vec::new();
    items.try_reserve(length).map_err(|_| vm.new_memory_error(""))?;
    // What has labels, such as a pandas Series, is asked for 0, 1 and so on: these must be among the labels.
    if object.class().has_attr(vm.ctx.intern_str("keys")) {
        for i in 0..length {
            let item = object.get_item(&i, vm);
            items.push(item.map_err(|e| if i == 0 { shapeless(object, vm) } else { e })?);
        }
        return Ok(items);
    }
    let iter = object.get_iter(vm)?;
    while let PyIterReturn::Return(item) = iter.next(vm)? {
        if items.len() == length {
            let text = format!("expected sequence of length {length} at dim 0 (got {})", length + 1);
            return Err(vm.new_value_error(text));
        }
        items.push(item);
    }
    Ok(items)
}

fn shapeless(object: &PyObject, vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_value_error(format!("could not determine the shape of object type '{}'", type_name(object)))
}

/// A tensor, or the tensor over an array's memory.
fn tensor_like(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Tensor>> {
    match tensor_of(object) {
        Some(t) => Ok(Some(t.clone())),
        None => arrays::array_tensor(object, vm),
    }
}

/// The shape that the first element of each level suggests.
fn shape_of(data: &PyObject, stacks: bool, vm: &VirtualMachine) -> PyResult<Vec<usize>> {
    let mut shape = Vec::new();
    let mut at: PyObjectRef = data.to_owned();
    loop {
        if !stacks && !shape.is_empty() && tensor_of(&at).is_some() {
            return Ok(shape);
        }
        if !shape.is_empty() && at.downcast_ref::<PyStr>().is_some() {
            return Err(vm.new_value_error("too many dimensions 'str'"));
        }
        if at.downcast_ref::<PyBytes>().is_some() {
            return Err(vm.new_type_error("new(): invalid data type 'bytes'"));
        }
        if let Some(t) = tensor_like(&at, vm)? {
            shape.extend_from_slice(&t.shape());
            return Ok(shape);
        }
        let Some(list) = items(&at, vm)? else { return Ok(shape) };
        shape.push(list.len());
        if shape.len() > 128 {
            return Err(vm.new_value_error("too many dimensions 'list'"));
        }
        match list.into_iter().next() {
            Some(first) => at = first,
            None => return Ok(shape),
        }
    }
}

const LIST_OF_ARRAYS: &str = "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.";

fn gather(data: &PyObject, shape: &[usize], dim: usize, out: &mut Gathered, vm: &VirtualMachine) -> PyResult<()> {
    if let Some(t) = tensor_of(data)
        && !out.stacks
        && dim > 0
        && dim == shape.len()
    {
        let is_whole = match out.wanted {
            Some(dtype) => matches!(dtype, DType::U8 | DType::I8 | DType::I16 | DType::I32 | DType::I64),
            None => t.dtype().is_integral() && t.dtype() != DType::Bool && !out.joined.is_some_and(DType::is_inexact),
        };
        if is_whole && !(t.numel() == 1 && t.dtype().is_integral()) {
            return Err(vm.new_type_error("only integer tensors of a single element can be converted to an index"));
        }
        if t.numel() != 1 {
            return Err(vm.new_value_error("only one element tensors can be converted to Python scalars"));
        }
        if t.requires_grad() && crate::autograd::is_grad_enabled() {
            super::error::warn_once(super::operators::NUMBER_OF_GRAPH, vm)?;
        }
    }
    if let Some(t) = tensor_like(data, vm)? {
        if dim > 0 && dim < shape.len() && t.ndim() > 0 && t.shape()[..] != shape[dim..] {
            return Err(vm.new_value_error("only one element tensors can be converted to Python scalars".to_string()));
        }
        let bytes = ops::transfer::to_host(&t, Why::Item).or_raise(vm)?;
        out.join(t.dtype());
        out.values.extend((0..t.numel()).map(|i| ops::transfer::scalar_at(&bytes, t.dtype(), i)));
        return Ok(());
    }
    if dim == shape.len() {
        if let Some((value, dtype)) = convert::numpy_number(data, vm)? {
            out.join(dtype);
            out.values.push(value);
            return Ok(());
        }
        if let Some(n) = data.downcast_ref::<PyInt>()
            && i64::try_from(n.as_bigint()).is_err()
            && let Some(float) = data.try_float_opt(vm)
        {
            out.has_large = true;
            out.join(DType::I64);
            out.values.push(Scalar::Float(float?.to_f64()));
            return Ok(());
        }
        if let Some(list) = items(data, vm)? {
            let is_float = match out.wanted {
                Some(dtype) => dtype.is_inexact(),
                None => out.joined.is_some_and(DType::is_inexact) || has_fraction(&list, 2, vm)?,
            };
            let kind = type_name(data);
            return Err(vm.new_type_error(match is_float {
                true => format!("must be real number, not {kind}"),
                false => format!("'{kind}' object cannot be interpreted as an integer"),
            }));
        }
        let value = element(data, out.wanted, vm)?;
        out.join(inferred(value).or_raise(vm)?);
        out.values.push(value);
        return Ok(());
    }
    let Some(list) = items(data, vm)? else {
        return Err(vm.new_type_error("not a sequence"));
    };
    if list.len() != shape[dim] {
        return Err(vm.new_value_error(format!(
            "expected sequence of length {} at dim {dim} (got {})",
            shape[dim],
            list.len()
        )));
    }
    if list.first().is_some_and(|first| arrays::is_array(first)) {
        super::error::warn_once(LIST_OF_ARRAYS, vm)?;
    }
    for item in &list {
        if dim + 1 < shape.len() && tensor_like(item, vm)?.is_none() && items(item, vm)?.is_none() {
            // Before elements are stored, their dtype is found.
            element(item, out.wanted, vm)?;
            return Err(vm.new_type_error("not a sequence"));
        }
        gather(item, shape, dim + 1, out, vm)?;
    }
    Ok(())
}

/// Whether nested sequences hold a number that isn't an integer. Looks no deeper than `levels`: a list may contain itself.
fn has_fraction(list: &[PyObjectRef], levels: usize, vm: &VirtualMachine) -> PyResult<bool> {
    for item in list {
        let is_one = match items(item, vm)? {
            Some(inner) => levels > 0 && has_fraction(&inner, levels - 1, vm)?,
            None => convert::number(item, vm)?.is_some_and(|n| !matches!(n, Scalar::Int(_) | Scalar::Bool(_))),
        };
        if is_one {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A number. Objects that can be made a number are one only if the dtype is `wanted`.
fn element(object: &PyObject, wanted: Option<DType>, vm: &VirtualMachine) -> PyResult<Scalar> {
    if let Some(n) = convert::number(object, vm)? {
        return Ok(n);
    }
    if let Some(value) = convert::complex(object) {
        return Ok(value);
    }
    if object.downcast_ref::<PyStr>().is_some() || vm.is_none(object) {
        if object.downcast_ref::<PyStr>().is_some() {
            return Err(vm.new_type_error("new(): invalid data type 'str'"));
        }
        return Err(vm.new_runtime_error("Could not infer dtype of NoneType"));
    }
    if wanted.is_some()
        && let Some(Ok(n)) = object.try_index_opt(vm)
    {
        return convert::number(n.as_object(), vm).map(|n| n.unwrap_or(Scalar::Int(0)));
    }
    if wanted.is_some()
        && let Some(Ok(f)) = object.try_float_opt(vm)
    {
        return Ok(Scalar::Float(f.to_f64()));
    }
    let name = match &*type_name(object) {
        "Decimal" => "decimal.Decimal".into(),
        name => name.to_string(),
    };
    Err(vm.new_runtime_error(format!("Could not infer dtype of {name}")))
}

/// The dtype of a number.
///
/// # Errors
/// A complex number, if the complex dtype for the default dtype doesn't exist here.
pub(super) fn inferred(value: Scalar) -> Result<DType> {
    let default = engine::current().settings.default_dtype();
    if let Scalar::Complex(..) = value {
        return default.complex();
    }
    Ok(value.dtype(default))
}

/// Sizes of a tensor that is about to be made on a device, as `usize`. `name` is the factory's name for the error.
///
/// # Errors
/// A negative size; sizes beyond what this machine can address, as in [`Tensor::empty`].
pub(super) fn sizes(name: &str, list: &[i64], dtype: DType, device: Device) -> Result<Dims> {
    if name == "zeros" && list.iter().any(|&n| n < 0) {
        return Err(Error::runtime("zeros: Dimension size must be non-negative."));
    }
    create::sizes(list, dtype, device)
}

/// `t.tolist()`.
pub(super) fn tolist(t: &Tensor, vm: &VirtualMachine) -> PyResult {
    let bytes = ops::transfer::to_host(t, Why::Tolist).or_raise(vm)?;
    let (shape, dtype) = (t.shape(), t.dtype());
    let mut next = 0;
    nested(&shape, &mut next, &mut |i| number(ops::transfer::scalar_at(&bytes, dtype, i), vm), vm)
}

fn nested(
    shape: &[usize],
    next: &mut usize,
    at: &mut dyn FnMut(usize) -> PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    match shape.split_first() {
        None => {
            *next += 1;
            Ok(at(*next - 1))
        }
        Some((&n, rest)) => {
            // A dimension next to an empty one may have any length.
            let mut items = Vec::new();
            items.try_reserve_exact(n).map_err(|_| vm.new_memory_error(""))?;
            for i in 0..n {
                if i % engine::host::LOOK_EVERY == engine::host::LOOK_EVERY - 1 {
                    engine::current().hooks.check_interrupt().or_raise(vm)?;
                }
                items.push(nested(rest, next, at, vm)?);
            }
            Ok(vm.ctx.new_list(items).into())
        }
    }
}

/// `torch.Tensor(2, 3)`, `torch.Tensor([1, 2])`, `torch.Tensor()`.
pub(super) fn legacy_constructor(args: &FuncArgs, vm: &VirtualMachine) -> PyResult<Tensor> {
    let dtype = engine::current().settings.default_dtype();
    let device = default_device().unwrap_or(Device::CPU);
    if let Some(given) = args.kwargs.get("device").filter(|given| !vm.is_none(given)) {
        let given = device_of(given, vm).ok_or_else(|| vm.new_type_error("device must be a torch.device"))??;
        if given.kind != device.kind {
            return Err(vm.new_runtime_error(format!(
                "legacy constructor expects device type: {} but device type: {} was passed",
                device.kind.name(),
                given.kind.name()
            )));
        }
    }
    if args.kwargs.keys().any(|name| name.to_string_lossy() != "device") {
        vm.import("torch._legacy", 0)?;
        let named = vm.ctx.new_dict();
        for (name, value) in &args.kwargs {
            named.set_item(&*vm.ctx.new_str(name.clone()), value.clone(), vm)?;
        }
        let given = vm.ctx.new_tuple(args.args.clone());
        let kind = super::dtype::object(dtype, vm);
        let module = vm.import("sys", 0)?.get_attr("modules", vm)?.get_item("torch._legacy", vm)?;
        let made = module.get_attr("_construct", vm)?.call((kind, device.to_string(), given, named), vm)?;
        return tensor_of(&made).cloned().ok_or_else(|| vm.new_type_error("not a tensor"));
    }
    match &args.args[..] {
        [] => Tensor::empty(&[0], dtype, device).or_raise(vm),
        [one] if tensor_of(one).is_some() => {
            let t = tensor_of(one).cloned();
            t.map(|t| t.detach()).ok_or_else(|| vm.new_type_error("not a tensor"))
        }
        [one] if convert::sequence(one).is_some() || arrays::array_tensor(one, vm)?.is_some() => {
            tensor_from(one, Some(dtype), device, vm)
        }
        [one]
            if convert::text(one).is_none()
                && (one.class().is(vm.ctx.types.bool_type) || convert::int(one, vm)?.is_none()) =>
        {
            Err(vm.new_type_error(format!("new(): data must be a sequence (got {})", type_name(one))))
        }
        given => {
            let mut shape = Vec::new();
            for size in given {
                match convert::int(size, vm)? {
                    Some(n) => shape.push(n),
                    None => {
                        return Err(vm.new_type_error(format!("new(): invalid data type '{}'", type_name(size))));
                    }
                }
            }
            let shape = sizes("new", &shape, dtype, device).or_raise(vm)?;
            Tensor::empty(&shape, dtype, device).or_raise(vm)
        }
    }
}

/// `t.numpy()`, unless the tensor is on another device or in a graph.
pub(super) fn numpy(t: &Tensor, vm: &VirtualMachine) -> PyResult {
    let device = t.device();
    if !device.is_cpu() {
        return Err(vm.new_type_error(format!(
            "can't convert {device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
        )));
    }
    if t.requires_grad() && crate::autograd::is_grad_enabled() {
        return Err(vm.new_runtime_error(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        ));
    }
    arrays::array(t, vm)
}
