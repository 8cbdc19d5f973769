//! `print(model.state_dict().keys())`: the interpreter shows the views of an `OrderedDict` by their address, CPython by their
//! elements.

use rustpython_vm::builtins::PyStr;
use rustpython_vm::recursion::ReprGuard;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

/// Gives the three classes their `__repr__`. They have no name that a program could import: they are asked of a dictionary.
pub(super) fn show_elements(vm: &VirtualMachine) -> PyResult<()> {
    let empty = vm.import("_collections", 0)?.get_attr("OrderedDict", vm)?.call((), vm)?;
    for method in ["keys", "values", "items"] {
        vm.call_method(&empty, method, ())?.class().slots.repr.store(Some(repr));
    }
    Ok(())
}

/// `odict_keys(['weight', 'bias'])`.
fn repr(view: &PyObject, vm: &VirtualMachine) -> PyResult<PyRef<PyStr>> {
    let Some(_guard) = ReprGuard::enter(vm, view) else { return Ok(vm.ctx.new_str("...")) };
    let elements: Vec<PyObjectRef> = vm.extract_elements_with(view, Ok)?;
    let shown = vm.ctx.new_list(elements).as_object().repr(vm)?;
    let class = view.class().name().to_string();
    let name = class.rsplit_once('.').map_or(&*class, |(_, name)| name);
    Ok(vm.ctx.new_str(format!("{name}({})", shown.as_wtf8())))
}
