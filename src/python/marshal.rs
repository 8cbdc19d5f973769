//! `marshal` of sets in sets: refused where it would take for ever.
//!
//! The elements of a set are written in the order of what they are written as, so each is written twice: first to compare it. Sets
//! nested 30 deep take minutes, and deeper ones overflow the stack, since the first of the two begins to count the depth anew.

use std::collections::HashMap;

use rustpython_vm::builtins::{PyCode, PyDict, PyFrozenSet, PyList, PySet, PySlice, PyTuple};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::interrupt;

/// How deep sets may be nested in each other: 2 to the power of that writes.
const SETS: usize = 16;

/// Guards the functions of this interpreter's `marshal`.
pub(super) fn guard(vm: &VirtualMachine) -> PyResult<()> {
    let Ok(module) = vm.import("marshal", 0) else { return Ok(()) };
    for name in ["dumps", "dump"] {
        let Ok(before) = module.get_attr(name, vm) else { continue };
        let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
            let value = args.args.first().or_else(|| args.kwargs.get("value"));
            if let Some(value) = value
                && nested_sets(value, vm)? > SETS
            {
                return Err(vm.new_value_error("object too deeply nested to marshal"));
            }
            before.call(args, vm)
        };
        module.set_attr(name, vm.new_function(name, guarded), vm)?;
    }
    Ok(())
}

/// What an object is written with; `None` for one that holds no others.
fn held(object: &PyObject, vm: &VirtualMachine) -> Option<Vec<PyObjectRef>> {
    if let Some(items) = object.downcast_ref::<PyTuple>() {
        return Some(items.as_slice().to_vec());
    }
    if let Some(items) = object.downcast_ref::<PyList>() {
        return Some(items.borrow_vec().to_vec());
    }
    if let Some(items) = object.downcast_ref::<PyFrozenSet>() {
        return Some(items.elements());
    }
    if let Some(items) = object.downcast_ref::<PySet>() {
        return Some(items.elements());
    }
    if let Some(items) = object.downcast_ref::<PyDict>() {
        return Some(items.into_iter().flat_map(|(key, value)| [key, value]).collect());
    }
    let attributes: &[&str] = if object.downcast_ref::<PyCode>().is_some() {
        &["co_consts"]
    } else if object.downcast_ref::<PySlice>().is_some() {
        &["start", "stop", "step"]
    } else {
        return None;
    };
    Some(attributes.iter().filter_map(|name| object.get_attr(*name, vm).ok()).collect())
}

/// An object whose parts are being looked at.
struct Open {
    object: PyObjectRef,
    parts: Vec<PyObjectRef>,
    /// The deepest of the parts so far.
    deepest: usize,
}

/// The most sets that are nested in each other, without recursion.
fn nested_sets(value: &PyObject, vm: &VirtualMachine) -> PyResult<usize> {
    // What is known, by address, and the object, so that no other gets the address. One that is still being looked at contains
    // itself, which `marshal` refuses.
    let mut known: HashMap<usize, (usize, PyObjectRef)> = HashMap::new();
    let mut open: Vec<Open> = Vec::new();
    let mut next = Some(value.to_owned());
    let mut last = 0;
    loop {
        if let Some(object) = next.take() {
            interrupt::count(vm)?;
            let address = object.get_id();
            match known.get(&address) {
                Some((depth, _)) => last = *depth,
                None => match held(&object, vm) {
                    Some(parts) => {
                        known.insert(address, (0, object.clone()));
                        open.push(Open { object, parts, deepest: 0 });
                        last = 0;
                    }
                    None => last = 0,
                },
            }
        }
        let Some(top) = open.last_mut() else { return Ok(last) };
        top.deepest = top.deepest.max(last);
        last = 0;
        next = top.parts.pop();
        if next.is_some() {
            continue;
        }
        let Some(done) = open.pop() else { return Ok(last) };
        let is_set =
            done.object.downcast_ref::<PySet>().is_some() || done.object.downcast_ref::<PyFrozenSet>().is_some();
        last = done.deepest + usize::from(is_set);
        known.insert(done.object.get_id(), (last, done.object));
        if open.is_empty() {
            return Ok(last);
        }
    }
}
