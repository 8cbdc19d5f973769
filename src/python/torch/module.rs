//! The two methods of `nn.Module` that every forward pass goes through: calling a module, and finding what it registered.

use rustpython_vm::builtins::{PyDict, PyFunction, PyStrInterned};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::convert::interned;
use super::convert::text;

/// `Module.__call__(*args, **kwargs)`: `forward`, or with hooks `_call_with_hooks`.
pub(super) fn call(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let Some(module) = call.positional().first().cloned() else {
        return Err(vm.new_type_error("unbound method Module.__call__() needs an argument"));
    };
    if has_hooks(&module, vm)? {
        return vm.call_method(&module, "_call_with_hooks", call.rest());
    }
    match plain_forward(&module, vm)? {
        Some(forward) => call.pass_to(&forward),
        None => vm.call_method(&module, "forward", call.rest()),
    }
}

/// The function that `module.forward` would bind to the module: the class has it as a function, and neither the module
/// itself nor a `__getattribute__` of the program replaces it.
fn plain_forward(module: &PyObject, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    let (forward, reading) = (interned!("forward", vm), interned!("__getattribute__", vm));
    let usual = match (module.class().get_attr(reading), vm.ctx.types.object_type.get_attr(reading)) {
        (Some(own), Some(usual)) => own.is(&usual),
        _ => false,
    };
    let Some(found) = module.class().get_attr(forward).filter(|f| usual && f.downcast_ref::<PyFunction>().is_some())
    else {
        return Ok(None);
    };
    let shadowed = match module.dict() {
        Some(own) => own.get_item_opt(forward, vm)?.is_some(),
        None => false,
    };
    Ok((!shadowed).then_some(found))
}

fn has_hooks(module: &PyObject, vm: &VirtualMachine) -> PyResult<bool> {
    let Some(own) = module.dict() else { return Ok(false) };
    for kind in [interned!("_forward_pre_hooks", vm), interned!("_forward_hooks", vm)] {
        match own.get_item_opt(kind, vm)? {
            None => {
                // The first attribute that PyTorch looks up. `Module.__init__` makes them all.
                let class = module.class().name().to_string();
                let text = format!("'{class}' object has no attribute '_backward_hooks'");
                return Err(vm.new_attribute_error(text));
            }
            Some(hooks) if hooks.downcast_ref::<PyDict>().is_none_or(|hooks| hooks.__len__() > 0) => return Ok(true),
            _ => {}
        }
    }
    Ok(false)
}

/// `Module.__getattr__(name)`, which Python calls if there is no such attribute: a parameter, buffer or module.
pub(super) fn getattr(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let [module, name] = call.positional() else {
        return Err(vm.new_type_error("Module.__getattr__() takes a name"));
    };
    if let Some(own) = module.dict() {
        // In PyTorch's lookup order.
        let registered: [&PyStrInterned; 3] =
            [interned!("_parameters", vm), interned!("_buffers", vm), interned!("_modules", vm)];
        for kind in registered {
            let Some(registered) = own.get_item_opt(kind, vm)? else { continue };
            let found = match registered.downcast_ref::<PyDict>() {
                Some(registered) => get(registered, name, vm)?,
                None => None,
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }
    let class = module.class().name().to_string();
    Err(vm.new_attribute_error(format!("'{class}' object has no attribute '{}'", text(name).unwrap_or_default())))
}

fn get(dict: &Py<PyDict>, name: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    dict.get_item_opt(name.as_object(), vm)
}
