//! `torch.device`, and the device that factories use when none is named.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use rustpython_vm::builtins::{PyInt, PyStr, PyTypeRef};
use rustpython_vm::function::{FuncArgs, PyComparisonValue};
use rustpython_vm::types::{Comparable, Constructor, Hashable, PyComparisonOp, Representable};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::convert::{self, text, type_name};
use super::error::OrRaise;
use crate::device::{Device, DeviceType};
use crate::engine;
use crate::machine::Machine;
use crate::trace::Clue;

#[pyclass(module = "torch", name = "device")]
#[derive(Debug, PyPayload)]
pub(super) struct PyDevice {
    pub device: Device,
}

/// The settings of `torch.set_default_device` and `with torch.device(...)`.
#[derive(Default)]
struct Defaults {
    device: Option<Device>,
    /// Whether the default tensor type is a CUDA type. Printing leaves out that device.
    cuda_type: bool,
    contexts: Vec<Device>,
}

thread_local! {
    static DEFAULTS: RefCell<Defaults> = RefCell::default();
    /// The machine that questions about the machine describe, if it isn't the one that the program runs on.
    static DESCRIBED: RefCell<Option<Machine>> = const { RefCell::new(None) };
}

/// The device for factories that name none; `None` if nothing has changed it from the CPU.
pub(super) fn default_device() -> Option<Device> {
    DEFAULTS.with_borrow(|d| d.contexts.last().copied().or(d.device))
}

pub(super) fn set_default_device(device: Option<Device>) {
    DEFAULTS.with_borrow_mut(|d| d.device = device);
}

/// Whether `torch.set_default_tensor_type` chose a CUDA type.
pub(super) fn is_cuda_type_default() -> bool {
    DEFAULTS.with_borrow(|d| d.cuda_type)
}

pub(super) fn set_cuda_type_default(on: bool) {
    DEFAULTS.with_borrow_mut(|d| d.cuda_type = on);
}

/// Runs `f` as if the program had never changed the default device.
pub(in crate::python) fn without_defaults<T>(f: impl FnOnce() -> T) -> T {
    let before = DEFAULTS.take();
    let out = f();
    DEFAULTS.set(before);
    out
}

/// Runs `f` with `machine`, if it's given, as the answer to what machine this is. Tensors still go to the devices that are there.
pub(in crate::python) fn describing<T>(machine: Option<&Machine>, f: impl FnOnce() -> T) -> T {
    let before = DESCRIBED.replace(machine.cloned());
    let out = f();
    DESCRIBED.set(before);
    out
}

/// The machine of [`describing`].
pub(super) fn described_machine() -> Option<Machine> {
    DESCRIBED.with_borrow(Option::clone)
}

/// Resets the settings of an earlier program.
pub(super) fn reset() {
    DEFAULTS.take();
}

pub(super) fn object(device: Device, vm: &VirtualMachine) -> PyObjectRef {
    PyDevice { device }.into_ref(&vm.ctx).into()
}

/// A device from a `torch.device`, a string or an index; `None` if the object is none of these.
pub(super) fn device_of(object: &PyObject, vm: &VirtualMachine) -> Option<PyResult<Device>> {
    if let Some(d) = object.downcast_ref::<PyDevice>() {
        return Some(Ok(d.device));
    }
    if let Some(s) = object.downcast_ref::<PyStr>() {
        return Some(Device::parse(s.to_str().unwrap_or_default()).or_raise(vm));
    }
    if object.downcast_ref::<PyInt>().is_some() && !object.class().is(vm.ctx.types.bool_type) {
        return Some(from_index(object, vm));
    }
    None
}

/// The GPU with this number. A number that no device can have becomes an index without a device.
pub(super) fn cuda(index: i64) -> Device {
    Device::cuda(i8::try_from(index).unwrap_or(i8::MAX))
}

/// The index of a CUDA device named by an int, a string, a device or nothing (the current one).
pub(super) fn cuda_index(object: Option<&PyObject>, vm: &VirtualMachine) -> PyResult<i64> {
    let current = i64::from(engine::current().devices.current_cuda());
    let Some(object) = object.filter(|o| !vm.is_none(o)) else { return Ok(current) };
    if let Some(n) = convert::int(object, vm)? {
        return Ok(n);
    }
    let device = match object.downcast_ref::<PyDevice>() {
        Some(d) => d.device,
        None => match object.downcast_ref::<PyStr>().and_then(|s| s.to_str()) {
            Some(text) => Device::parse(text).or_raise(vm)?,
            None => {
                return Err(vm.new_value_error(format!(
                    "Expected a torch.device with a specified index or an integer, but got:{}",
                    convert::show(object, vm)
                )));
            }
        },
    };
    if !device.is_cuda() {
        return Err(vm.new_value_error(format!("Expected a cuda device, but got: {device}")));
    }
    Ok(device.index.map_or(current, i64::from))
}

/// An integer of the program in 64 bits.
fn wide(object: &PyObject, vm: &VirtualMachine) -> PyResult<i64> {
    let n = object.try_index(vm)?;
    i64::try_from(n.as_bigint()).map_err(|_| vm.new_value_error(convert::OVERFLOW))
}

/// `torch.device(1)`: that accelerator.
#[expect(clippy::cast_possible_truncation, reason = "as PyTorch: torch.device(300) is cuda:44")]
fn from_index(object: &PyObject, vm: &VirtualMachine) -> PyResult<Device> {
    let index = wide(object, vm)?;
    if index < 0 {
        return Err(vm.new_runtime_error("Device index must not be negative"));
    }
    let kind = if engine::current().devices.machine.has_mps() { DeviceType::MPS } else { DeviceType::CUDA };
    Ok(Device { kind, index: Some(index as i8) })
}

impl Constructor for PyDevice {
    type Args = FuncArgs;

    #[expect(clippy::cast_possible_truncation, reason = "as PyTorch: torch.device('cuda', 300) is cuda:44")]
    fn py_new(_cls: &Py<rustpython_vm::builtins::PyType>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        let kind = args.args.first().cloned().or_else(|| args.kwargs.get("type").cloned());
        let kind = kind.or_else(|| args.kwargs.get("device").cloned());
        let index = args.args.get(1).cloned().or_else(|| args.kwargs.get("index").cloned());
        let Some(kind) = kind else {
            return match index {
                Some(index) => Ok(PyDevice { device: from_index(&index, vm)? }),
                None => Err(invalid(&args, vm)),
            };
        };
        let Some(device) = device_of(&kind, vm) else { return Err(invalid(&args, vm)) };
        let mut device = device?;
        if let Some(index) = index.filter(|i| !vm.is_none(i)) {
            let Some(name) = text(&kind) else { return Err(invalid(&args, vm)) };
            let Some(index) = index.try_index_opt(vm) else {
                let given = type_name(&index);
                return Err(
                    vm.new_type_error(format!("device(): argument 'index' (position 2) must be int, not {given}"))
                );
            };
            let index = wide(index?.as_object(), vm)?;
            if name.contains(':') {
                return Err(vm.new_runtime_error(format!(
                    "type (string) must not include an index because index was passed explicitly: {name}"
                )));
            }
            if index < 0 {
                return Err(vm.new_runtime_error("Device index must not be negative"));
            }
            device.index = Some(index as i8);
        }
        Ok(PyDevice { device })
    }
}

/// A type as PyTorch lists it in errors about wrong arguments: for a list, with the types of its items.
fn described(object: &PyObject) -> String {
    let items = convert::sequence(object).unwrap_or_default();
    match type_name(object) {
        name if name == "list" && !items.is_empty() => {
            format!("list of [{}]", items.iter().map(|o| type_name(o)).collect::<Vec<_>>().join(", "))
        }
        name => name,
    }
}

fn invalid(args: &FuncArgs, vm: &VirtualMachine) -> rustpython_vm::builtins::PyBaseExceptionRef {
    let got: Vec<String> = args.args.iter().map(|o| type_name(o)).collect();
    let marked: Vec<String> = args.args.iter().map(|o| format!("!{}!", described(o))).collect();
    let why = match marked.is_empty() {
        true => String::new(),
        false => {
            format!("      didn't match because some of the arguments have invalid types: ({})\n", marked.join(", "))
        }
    };
    vm.new_type_error(format!(
        "device() received an invalid combination of arguments - got ({}), but expected one of:\n * (torch.device device)\n{why} * (str type, int index = -1)\n",
        got.join(", ")
    ))
}

impl Comparable for PyDevice {
    fn cmp(zelf: &Py<Self>, other: &PyObject, op: PyComparisonOp, vm: &VirtualMachine) -> PyResult<PyComparisonValue> {
        if engine::current().trace.is_curious() {
            notice(zelf.device, other);
        }
        let Some(other) = other.downcast_ref::<PyDevice>() else { return Ok(PyComparisonValue::NotImplemented) };
        match op {
            PyComparisonOp::Eq => Ok((zelf.device == other.device).into()),
            PyComparisonOp::Ne => Ok((zelf.device != other.device).into()),
            _ => Err(vm.new_type_error("comparison not implemented")),
        }
    }
}

/// Notices a comparison in the learner's code that finds a device unequal to one with the same name.
fn notice(device: Device, other: &PyObject) {
    let alike =
        |b: Device| device.kind == b.kind && (device.index == b.index || device.index.is_none() || b.index.is_none());
    let with = match (other.downcast_ref::<PyDevice>(), text(other)) {
        (Some(d), _) if d.device != device && alike(d.device) => format!("{:?}", d.device),
        (None, Some(name)) if Device::parse(name).is_ok_and(alike) => format!("'{name}'"),
        _ => return,
    };
    if crate::python::frames::in_learners_code() {
        let trace = &engine::current().trace;
        trace.notice(|| Clue::DevicesCompared { line: trace.line(), device, with });
    }
}

impl Hashable for PyDevice {
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<i64> {
        let mut hasher = DefaultHasher::new();
        zelf.device.hash(&mut hasher);
        Ok(hasher.finish() as i64 >> 1)
    }
}

impl Representable for PyDevice {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("{:?}", zelf.device))
    }
}

#[pyclass(with(Constructor, Comparable, Hashable, Representable), flags(IMMUTABLETYPE))]
impl PyDevice {
    #[pygetset(name = "type")]
    fn kind(zelf: &Py<Self>) -> &'static str {
        zelf.device.kind.name()
    }

    #[pygetset(setter, name = "type")]
    fn set_kind(_zelf: &Py<Self>, _value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        Err(vm.new_attribute_error("attribute 'type' of 'torch.device' objects is not writable"))
    }

    #[pygetset]
    fn index(zelf: &Py<Self>) -> Option<i8> {
        zelf.device.index
    }

    #[pygetset(setter)]
    fn set_index(_zelf: &Py<Self>, _value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        Err(vm.new_attribute_error("attribute 'index' of 'torch.device' objects is not writable"))
    }

    #[pymethod]
    fn __str__(zelf: &Py<Self>) -> String {
        zelf.device.to_string()
    }

    #[pymethod]
    fn __enter__(zelf: PyRef<Self>) -> PyRef<Self> {
        DEFAULTS.with_borrow_mut(|d| d.contexts.push(zelf.device));
        zelf
    }

    #[pymethod]
    fn __exit__(_zelf: &Py<Self>, _args: FuncArgs) {
        DEFAULTS.with_borrow_mut(|d| d.contexts.pop());
    }

    #[pymethod]
    fn __reduce__(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        let class: PyTypeRef = zelf.class().to_owned();
        let args = match zelf.device.index {
            Some(i) => vm.new_tuple((zelf.device.kind.name(), i)),
            None => vm.new_tuple((zelf.device.kind.name(),)),
        };
        Ok(vm.new_tuple((class, args)).into())
    }
}
