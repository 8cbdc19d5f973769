//! `torch.Size`, a Python class derived from tuple, which the package registers here.

use std::cell::RefCell;

use rustpython_vm::builtins::{PyTuple, PyTypeRef};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::types::Constructor;
use rustpython_vm::{PyObject, PyObjectRef, PyResult, VirtualMachine};

thread_local! {
    static CLASS: RefCell<Option<PyTypeRef>> = const { RefCell::new(None) };
}

/// Registers the class of sizes.
pub(super) fn register(class: PyTypeRef) {
    CLASS.set(Some(class));
}

/// Whether an object is a `torch.Size`.
pub(super) fn is_size(object: &PyObject) -> bool {
    CLASS.with_borrow(|class| class.as_ref().is_some_and(|class| object.class().fast_issubclass(class)))
}

/// A `torch.Size`.
pub(super) fn size(shape: &[usize], vm: &VirtualMachine) -> PyResult {
    let items: Vec<PyObjectRef> = shape.iter().map(|&n| vm.ctx.new_int(n).into()).collect();
    let tuple: PyObjectRef = vm.ctx.new_tuple(items).into();
    match CLASS.with_borrow(Clone::clone) {
        Some(class) => PyTuple::slot_new(class, FuncArgs::from(vec![tuple]), vm),
        None => Ok(tuple),
    }
}
