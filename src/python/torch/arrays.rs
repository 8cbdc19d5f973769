//! NumPy's arrays as PyTorch sees them: host tensors that the engine neither counts nor reports.
//!
//! The classes `ndarray` and `generic` are written in Python. They're registered here while a program runs, so that arrays
//! and NumPy's numbers can be used wherever PyTorch accepts them.

use std::cell::RefCell;

use rustpython_vm::builtins::PyTypeRef;
use rustpython_vm::{AsObject, PyObject, PyResult, VirtualMachine};

use super::tensor::{tensor_of, wrap};
use crate::dtype::DType;
use crate::tensor::Tensor;

thread_local! {
    /// `numpy.ndarray` and `numpy.generic`, once a program has imported them.
    static CLASSES: RefCell<Option<(PyTypeRef, PyTypeRef)>> = const { RefCell::new(None) };
}

/// Forgets the classes of an earlier program.
pub(super) fn reset() {
    CLASSES.set(None);
}

/// Notes the classes, or that there are none.
pub(super) fn register(classes: Option<(PyTypeRef, PyTypeRef)>) {
    CLASSES.set(classes);
}

fn is_instance(object: &PyObject, pick: fn(&(PyTypeRef, PyTypeRef)) -> &PyTypeRef) -> bool {
    CLASSES.with_borrow(|c| c.as_ref().is_some_and(|c| object.fast_isinstance(pick(c))))
}

/// Whether an object is a NumPy array.
pub(super) fn is_array(object: &PyObject) -> bool {
    is_instance(object, |c| &c.0)
}

/// The tensor over an array's memory, if the object is an array.
pub(super) fn array_tensor(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Tensor>> {
    if !is_instance(object, |c| &c.0) {
        return Ok(None);
    }
    // The dtype of arrays that hold objects or texts, which have no tensor.
    let kind = object.get_attr("_boxed_type", vm)?;
    if !vm.is_none(&kind) {
        let name = kind.str(vm)?;
        return Err(vm.new_type_error(format!("can't convert np.ndarray of type numpy.{name}. {TYPES_OF_ARRAYS}")));
    }
    let tensor = object.get_attr("_t", vm)?;
    Ok(tensor_of(tensor.as_object()).cloned())
}

/// Like [`array_tensor`], for a tensor that the program will use: from now on its memory is counted.
pub(super) fn adopted(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Tensor>> {
    let Some(t) = array_tensor(object, vm)? else { return Ok(None) };
    if object.get_attr("_negative", vm)?.is_true(vm)? {
        return Err(vm.new_value_error(NEGATIVE_STRIDE));
    }
    let t = Tensor::from_storage(t.storage(), t.layout());
    t.storage().reveal(&t.shape());
    Ok(Some(t))
}

const TYPES_OF_ARRAYS: &str = "The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.";
const NEGATIVE_STRIDE: &str = "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. (You can probably work around this by making a copy of your array  with array.copy().) ";

/// Whether an object is one of NumPy's numbers.
pub(super) fn is_number(object: &PyObject) -> bool {
    is_instance(object, |c| &c.1)
}

/// Whether an object is a NumPy integer.
pub(super) fn is_integer(object: &PyObject) -> bool {
    is_number(object) && object.class().slots().as_number.index.load().is_some()
}

/// `t.numpy()`: an array over the same memory.
pub(super) fn array(t: &Tensor, vm: &VirtualMachine) -> PyResult {
    if t.dtype() == DType::BF16 {
        return Err(vm.new_type_error("Got unsupported ScalarType BFloat16"));
    }
    if t.is_flipped() {
        let (bit, name) = if t.dtype().is_complex() { ("conjugate", "conj") } else { ("negative", "neg") };
        return Err(vm.new_runtime_error(format!(
            "Can't call numpy() on Tensor that has {bit} bit set. Use tensor.resolve_{name}().numpy() instead."
        )));
    }
    // Autograd doesn't see what NumPy writes: the version counter isn't shared, as with `.data`.
    let memory = Tensor::from_storage(t.storage(), t.layout());
    vm.import("numpy", 0)?.get_attr("_from_tensor", vm)?.call((wrap(memory, vm),), vm)
}
