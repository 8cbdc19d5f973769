//! The two methods of `nn.Module` that every forward pass goes through: calling a module, and finding what it registered.

use rustpython_vm::builtins::PyDict;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::function::text;

/// Where a module keeps what was assigned to it, in the order that a name is looked for.
const REGISTERED: [&str; 3] = ["_parameters", "_buffers", "_modules"];

/// `Module.__call__(*args, **kwargs)`: `forward`, or with hooks `_call_with_hooks`.
pub fn call(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let Some(module) = call.positional().first().cloned() else {
        return Err(vm.new_type_error("unbound method Module.__call__() needs an argument"));
    };
    let name = if has_hooks(&module, vm)? { "_call_with_hooks" } else { "forward" };
    vm.call_method(&module, name, call.rest())
}

fn has_hooks(module: &PyObject, vm: &VirtualMachine) -> PyResult<bool> {
    let Some(own) = module.dict() else { return Ok(false) };
    for kind in ["_forward_pre_hooks", "_forward_hooks"] {
        match own.get_item_opt(kind, vm)? {
            None => {
                // The first attribute that PyTorch looks for; `Module.__init__` makes them all.
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

/// `Module.__getattr__(name)`, which Python asks when there is no such attribute: a parameter, buffer or module.
pub fn getattr(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let [module, name] = call.positional() else {
        return Err(vm.new_type_error("Module.__getattr__() takes a name"));
    };
    if let Some(own) = module.dict() {
        for kind in REGISTERED {
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
