//! Classes with abstract methods: making an object of one raises CPython 3.11's message.

use std::cell::Cell;

use rustpython_vm::builtins::{PyType, PyTypeRef};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObjectRef, PyResult, VirtualMachine};

type New = fn(PyTypeRef, FuncArgs, &VirtualMachine) -> PyResult;

thread_local! {
    /// The interpreter's own constructor of objects.
    static NEW: Cell<Option<New>> = const { Cell::new(None) };
}

/// Guards the classes of this thread. Classes that are made later inherit the constructor of their bases.
pub(super) fn guard_classes(vm: &VirtualMachine) {
    let object = vm.ctx.types.object_type;
    if let Some(before) = object.slots.new.load() {
        NEW.set(Some(before));
        replace(object, before as usize);
    }
}

/// The interpreter compares constructors by their addresses, so every class with the original one gets the new one.
fn replace(class: &Py<PyType>, before: usize) {
    if class.slots.new.load().is_none_or(|new| new as usize != before) {
        return;
    }
    class.slots.new.store(Some(new));
    let subclasses: Vec<PyObjectRef> = class.subclasses.read().iter().filter_map(|weak| weak.upgrade()).collect();
    for subclass in &subclasses {
        if let Some(subclass) = subclass.downcast_ref::<PyType>() {
            replace(subclass, before);
        }
    }
}

fn new(class: PyTypeRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let Some(before) = NEW.get() else { return Err(vm.new_system_error("object has no constructor")) };
    let error = match before(class.clone(), args, vm) {
        Err(error) if error.fast_isinstance(vm.ctx.exceptions.type_error) => error,
        other => return other,
    };
    if !error.as_object().str(vm)?.to_string_lossy().contains("without an implementation for abstract method") {
        return Err(error);
    }
    let names = class.as_object().get_attr("__abstractmethods__", vm)?;
    let mut names = vm.extract_elements_with(&names, |name| Ok(name.str(vm)?.to_string_lossy().into_owned()))?;
    names.sort();
    let plural = if names.len() == 1 { "" } else { "s" };
    let text =
        format!("Can't instantiate abstract class {} with abstract method{plural} {}", class.name(), names.join(", "));
    Err(vm.new_type_error(text))
}
