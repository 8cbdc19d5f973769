//! A program's changes to the class `torch.Tensor`, which outlives the program.
//!
//! PyTorch's class can be changed like any Python class: `torch.Tensor.norm = f`. The interpreter makes a native class once
//! for all programs of a thread, so the changes of one program are undone before the next.

use std::cell::RefCell;

use rustpython_vm::builtins::PyStrInterned;
use rustpython_vm::types::PyTypeFlags;
use rustpython_vm::{AsObject, PyObjectRef, PyPayload, PyResult, VirtualMachine};

use super::args::Call;
use super::tensor::PyTensor;

type Attributes = Vec<(&'static PyStrInterned, PyObjectRef)>;

thread_local! {
    /// The attributes of the class when the package was complete.
    static OWN: RefCell<Attributes> = const { RefCell::new(Vec::new()) };
}

fn attributes(vm: &VirtualMachine) -> Attributes {
    PyTensor::class(&vm.ctx).get_attributes(&vm.ctx).into_iter().collect()
}

/// Lets programs change the class.
pub fn open(vm: &VirtualMachine) {
    PyTensor::class(&vm.ctx).slots().flags.remove(PyTypeFlags::IMMUTABLETYPE);
}

/// `_complete()`: the class is now as in PyTorch. Later changes are the program's.
pub fn complete(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    OWN.set(attributes(vm));
    super::overrides::torch_is_loaded();
    Ok(vm.ctx.none())
}

/// Undoes a program's changes.
pub(crate) fn restore(vm: &VirtualMachine) {
    let own = OWN.take();
    if own.is_empty() {
        return;
    }
    let class = PyTensor::class(&vm.ctx).as_object();
    let find = |list: &Attributes, name: &'static PyStrInterned| {
        list.iter().find(|(other, _)| std::ptr::eq(*other, name)).map(|(_, value)| value.clone())
    };
    let now = attributes(vm);
    let unchanged =
        now.len() == own.len() && now.iter().zip(&own).all(|((a, x), (b, y))| std::ptr::eq(*a, *b) && x.is(y));
    if unchanged {
        OWN.set(own);
        return;
    }
    for (name, value) in &now {
        let before = find(&own, name);
        if before.as_ref().is_some_and(|before| before.is(value)) {
            continue;
        }
        // Deleting comes first, so that an attribute of `object` is visible again. The interpreter refuses neither for a
        // class that can be changed.
        let _ = class.del_attr(*name, vm);
        if let Some(before) = before
            && !class.get_attr(*name, vm).is_ok_and(|shown| shown.is(&before))
        {
            let _ = class.set_attr(*name, before, vm);
        }
    }
    for (name, value) in &own {
        if find(&now, name).is_none() {
            let _ = class.set_attr(*name, value.clone(), vm);
        }
    }
    OWN.set(own);
}
