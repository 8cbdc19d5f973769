//! What an ended program would leave in memory: the interpreter's collector doesn't see every reference.
//!
//! The descriptor of a slot (`__slots__`) refers to its class, a native function that is bound to an object (`random.random`) to this
//! object, and an alias of a type to a function. If one of them is part of a cycle, all that its functions use stays as well: whole
//! modules. Each further program would take longer, because the collector goes through what earlier ones left.

use std::cell::RefCell;

use rustpython_vm::builtins::{
    PyDict, PyDictRef, PyList, PyMemberDescriptor, PyModule, PyStrInterned, PyType, PyTypeRef,
};
use rustpython_vm::gc_state::{current_owner, gc_state};
use rustpython_vm::{AsObject, Py, PyObjectRef, VirtualMachine};

thread_local! {
    /// From programs that have ended.
    static LEFT: RefCell<Left> = RefCell::default();
}

#[derive(Default)]
struct Left {
    /// Classes with slots.
    classes: Vec<PyTypeRef>,
    /// Names of what hides a reference, each with the namespace of its module.
    hiding: Vec<(PyDictRef, PyObjectRef)>,
}

/// Notes what this thread's interpreter, which is about to end, would leave. Its last finalizers may still use all of it.
pub(super) fn note(vm: &VirtualMachine) {
    let objects = gc_state().get_objects(None, current_owner());
    let classes = objects.into_iter().filter_map(|object| object.downcast::<PyType>().ok());
    let classes: Vec<_> = classes.filter(|class| class.heaptype_ext.is_some() && !slots(class).is_empty()).collect();
    let mut hiding = Vec::new();
    // A program may have deleted `sys.modules`.
    let modules = vm.sys_module.get_attr("modules", vm).ok().and_then(|modules| modules.downcast::<PyDict>().ok());
    for (_, module) in modules.iter().flat_map(|modules| &**modules) {
        let Some(module) = module.downcast_ref::<PyModule>() else { continue };
        let names = module.dict();
        let own = (&*names).into_iter().filter(|(_, value)| hides(value, vm)).map(|(name, _)| (names.clone(), name));
        hiding.extend(own);
    }
    LEFT.with_borrow_mut(|left| {
        left.classes.extend(classes);
        left.hiding.extend(hiding);
    });
}

/// Breaks the cycles that ended programs have left, so that a collection frees them. It needs an interpreter, which may be the next
/// program's.
pub(super) fn release(vm: &VirtualMachine) {
    let Left { classes, hiding } = LEFT.take();
    for class in classes {
        for name in slots(&class) {
            drop(class.attributes.remove(name));
        }
    }
    for (names, name) in hiding {
        // A function may have the list as a default, so that it isn't enough to take its name away.
        if let Ok(Some(value)) = names.get_item_opt(&*name, vm)
            && let Some(list) = value.downcast_ref::<PyList>()
        {
            let items = std::mem::take(&mut *list.borrow_vec_mut());
            drop(items);
        }
        // The program's end may have emptied the namespace.
        let _ = names.del_item(&*name, vm);
    }
}

/// The names of a class's own slots.
fn slots(class: &Py<PyType>) -> Vec<&'static PyStrInterned> {
    let values = class.attributes.entries().into_iter().map(|(_, value)| value);
    let own = values.filter_map(|value| {
        let slot = value.downcast_ref::<PyMemberDescriptor>()?;
        slot.common.typ.as_object().is(class.as_object()).then_some(slot.common.name)
    });
    own.collect()
}

/// Whether it refers to what the collector doesn't see: a native function of a class that is written in Python or of its object, an
/// alias of a type, which has a function that makes the type, a function with parameters of types, whose bounds are such functions, or
/// a list of bound native functions (`typing` collects them) or of weak references (as `logging` does), which have callbacks.
fn hides(value: &PyObjectRef, vm: &VirtualMachine) -> bool {
    let class = value.class();
    if class.is(vm.ctx.types.builtin_method_type) {
        let own = |class: &Py<PyType>| class.heaptype_ext.is_some();
        return value
            .get_attr("__self__", vm)
            .is_ok_and(|object| own(object.class()) || object.downcast_ref().is_some_and(own));
    }
    if class.is(vm.ctx.types.function_type) {
        let parameters = value.get_attr("__type_params__", vm).and_then(|parameters| parameters.length(vm));
        return parameters.is_ok_and(|parameters| parameters > 0);
    }
    if let Some(list) = value.downcast_ref::<PyList>() {
        let types = &vm.ctx.types;
        let bound =
            |item: &PyObjectRef| item.class().is(types.builtin_method_type) || item.class().is(types.weakref_type);
        return list.borrow_vec().iter().any(bound);
    }
    &*class.name() == "TypeAliasType"
}
