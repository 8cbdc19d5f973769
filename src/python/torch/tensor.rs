//! A tensor as a Python object, and back.
//!
//! A tensor and its object know each other: the object owns a handle of the tensor, and the tensor's slot holds the
//! object's address for as long as the object lives. So `x.to(same) is x` and `p.grad is p.grad`.

use std::ptr::NonNull;

use num_complex::Complex64;
use rustpython_vm::builtins::PyTypeRef;
use rustpython_vm::{PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::error::OrRaise;
use crate::dtype::Scalar;
use crate::error::Result;
use crate::tensor::Tensor;

/// A grid of numbers of one dtype, on one device.
//
// A heap type with its module in its dictionary, so that errors say `'Tensor' object'`, as for a class written in Python.
#[pyclass(module = false, name = "Tensor")]
#[derive(PyPayload)]
pub(super) struct PyTensor {
    pub tensor: Tensor,
    _layout: OwnLayout,
}

impl PyTensor {
    pub(super) fn new(tensor: Tensor) -> PyTensor {
        PyTensor { tensor, _layout: OwnLayout::default() }
    }
}

/// Gives a tensor's object a size that no other class has from which a program can derive one. The interpreter allows
/// `x.__class__ = C` if two objects have the same layout: `staticmethod`'s was the same, and it only compares sizes.
type OwnLayout = [usize; 4];

/// The address of a tensor's object, stored in the tensor's slot until the object is freed.
struct ObjectAddress(NonNull<PyObject>);

impl Drop for PyTensor {
    fn drop(&mut self) {
        self.tensor.set_slot(None);
    }
}

impl std::fmt::Debug for PyTensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.tensor.fmt(f)
    }
}

/// The Python object of a tensor: the existing one, or a new `torch.Tensor`.
pub(super) fn wrap(tensor: Tensor, vm: &VirtualMachine) -> PyObjectRef {
    match existing(&tensor) {
        Some(object) => object,
        None => adopt(tensor, PyTensor::class(&vm.ctx).to_owned()),
    }
}

fn existing(tensor: &Tensor) -> Option<PyObjectRef> {
    let slot = tensor.slot();
    let address = slot.as_ref()?.downcast_ref::<ObjectAddress>()?;
    // SAFETY: the payload's `Drop` empties the slot, so the object's memory still exists. If the object is being freed,
    // its count is 0 and no reference is made.
    unsafe { address.0.as_ref() }.try_to_owned()
}

/// Makes an object of class `class` for a tensor that has none.
///
/// The class must derive from `torch.Tensor`, and every caller has checked that: the interpreter relies on an object's class
/// when it accesses its memory, so a tensor of class `dict` would be read as a dictionary.
pub(super) fn adopt(tensor: Tensor, class: PyTypeRef) -> PyObjectRef {
    let object: PyObjectRef = PyRef::new_ref(PyTensor::new(tensor.clone()), class, None).into();
    let address: &PyObject = &object;
    tensor.set_slot(Some(Box::new(ObjectAddress(NonNull::from(address)))));
    object
}

pub fn tensor_of(object: &PyObject) -> Option<&Tensor> {
    object.downcast_ref::<PyTensor>().map(|t| &t.tensor)
}

/// A Python number.
pub(super) fn number(value: Scalar, vm: &VirtualMachine) -> PyObjectRef {
    match value {
        Scalar::Bool(b) => vm.ctx.new_bool(b).into(),
        Scalar::Int(i) => vm.ctx.new_int(i).into(),
        Scalar::Float(f) => vm.ctx.new_float(f).into(),
        Scalar::Complex(re, im) => vm.ctx.new_complex(Complex64::new(re, im)).into(),
    }
}

/// Returns a tensor.
pub(super) fn answer(result: Result<Tensor>, vm: &VirtualMachine) -> PyResult {
    result.or_raise(vm).map(|t| wrap(t, vm))
}

/// A tuple of tensors.
pub(super) fn tuple(items: Vec<Tensor>, vm: &VirtualMachine) -> PyObjectRef {
    let items = items.into_iter().map(|t| wrap(t, vm)).collect();
    vm.ctx.new_tuple(items).into()
}
