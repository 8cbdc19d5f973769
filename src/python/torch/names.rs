//! Which variables of the learner's program hold which storages, and the numbers that the program reads: the page shows them
//! on its tensors and in its plots.
//!
//! Variables are inspected when a number is read, when gradients are computed, and when the program ends; at most every
//! 50 ms, and only while something listens to the trace.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use rustpython_vm::builtins::{PyDict, PyDictRef, PyList, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::convert::text;
use super::tensor::tensor_of;
use crate::dtype::Scalar;
use crate::engine;
use crate::tensor::Tensor;
use crate::trace::{EventKind, StorageId};

/// The least number of microseconds between two inspections.
const PAUSE: f64 = 50_000.0;
/// How deep containers are searched, and how many elements of each.
const DEPTH: usize = 4;
const MEMBERS: usize = 64;

thread_local! {
    static SENT: RefCell<HashMap<StorageId, String>> = RefCell::default();
    static LOOKED: Cell<f64> = const { Cell::new(f64::NEG_INFINITY) };
}

/// Forgets an earlier program.
pub fn reset() {
    SENT.take();
    LOOKED.set(f64::NEG_INFINITY);
}

/// A number was read from a tensor. If a variable holds the tensor, the number is a value of that variable.
pub(crate) fn value_read(object: &PyObject, value: Scalar, vm: &VirtualMachine) {
    let engine = engine::current();
    // The page shows single real numbers.
    if !engine.trace.is_on() || matches!(value, Scalar::Complex(..)) {
        return;
    }
    for scope in scopes(vm) {
        if let Some(name) = holder(&scope, object) {
            engine.trace.emit(|| EventKind::Value { name, value: value.as_f64() });
            break;
        }
    }
    look(vm);
}

/// Reports names, unless that was done very recently.
pub fn look(vm: &VirtualMachine) {
    let trace = &engine::current().trace;
    if !trace.is_on() || trace.now() - LOOKED.get() < PAUSE {
        return;
    }
    LOOKED.set(trace.now());
    for scope in scopes(vm) {
        report(&scope, vm);
    }
}

/// Reports names in any case.
pub(crate) fn report_now(vm: &VirtualMachine) {
    for scope in scopes(vm) {
        report(&scope, vm);
    }
}

/// Reports every name in a namespace that differs from what was reported before.
pub fn report(scope: &PyDictRef, vm: &VirtualMachine) {
    let engine = engine::current();
    if !engine.trace.is_on() {
        return;
    }
    let mut found = Found::default();
    for (key, value) in scope.clone() {
        if let Some(name) = text(&key).filter(|n| !n.starts_with('_')) {
            found.visit(name, &value, DEPTH, vm);
        }
    }
    SENT.with_borrow_mut(|sent| {
        for (storage, name) in found.names {
            if sent.get(&storage) != Some(&name) {
                sent.insert(storage, name.clone());
                engine.trace.emit(|| EventKind::Name { storage, name });
            }
        }
    });
}

/// The variables of the innermost frame of the program itself: its locals, then its globals.
fn scopes(vm: &VirtualMachine) -> Vec<PyDictRef> {
    innermost(vm).unwrap_or_default()
}

fn innermost(vm: &VirtualMachine) -> PyResult<Vec<PyDictRef>> {
    let mut frame: Option<PyObjectRef> = vm.current_frame().map(Into::into);
    while let Some(here) = frame {
        let globals = here.get_attr("f_globals", vm)?;
        let name = globals.get_item("__name__", vm)?;
        if text(&name) == Some("__main__") {
            let locals = here.get_attr("f_locals", vm)?;
            let mut out = Vec::new();
            if !locals.is(&globals) {
                // A function's locals are a proxy.
                let copy = vm.ctx.types.dict_type.as_object().call((locals,), vm)?;
                out.extend(copy.downcast::<PyDict>().ok());
            }
            out.extend(globals.downcast::<PyDict>().ok());
            return Ok(out);
        }
        let next = here.get_attr("f_back", vm)?;
        frame = (!vm.is_none(&next)).then_some(next);
    }
    Ok(Vec::new())
}

/// The variable that holds an object.
fn holder(scope: &PyDictRef, object: &PyObject) -> Option<String> {
    scope.clone().into_iter().find(|(_, value)| value.is(object)).and_then(|(key, _)| text(&key).map(str::to_string))
}

/// Every tensor that the program's variables reach now, in all its frames, innermost first, with its path.
pub(crate) fn reachable(vm: &VirtualMachine) -> Vec<(String, Tensor)> {
    let mut found = Found { tensors: Some(Vec::new()), ..Found::default() };
    for scope in all_scopes(vm).unwrap_or_default() {
        for (key, value) in scope {
            if let Some(name) = text(&key) {
                found.visit(name, &value, DEPTH, vm);
            }
        }
    }
    found.tensors.unwrap_or_default()
}

/// Every tensor that a namespace reaches, with its path. A tensor that is reached by several paths is there several times.
pub(crate) fn reached(scope: &PyDictRef, vm: &VirtualMachine) -> Vec<(String, Tensor)> {
    let mut found = Found { tensors: Some(Vec::new()), every: true, ..Found::default() };
    for (key, value) in scope.clone() {
        if let Some(name) = text(&key).filter(|n| !n.starts_with('_')) {
            found.visit(name, &value, DEPTH, vm);
        }
    }
    found.tensors.unwrap_or_default()
}

/// The locals of every frame of the program itself, innermost first, then its globals.
fn all_scopes(vm: &VirtualMachine) -> PyResult<Vec<PyDictRef>> {
    let mut out: Vec<PyDictRef> = Vec::new();
    let mut last: Option<PyDictRef> = None;
    let mut frame: Option<PyObjectRef> = vm.current_frame().map(Into::into);
    while let Some(here) = frame {
        let globals = here.get_attr("f_globals", vm)?;
        let name = globals.get_item("__name__", vm)?;
        if text(&name) == Some("__main__") {
            let locals = here.get_attr("f_locals", vm)?;
            if !locals.is(&globals) {
                let copy = vm.ctx.types.dict_type.as_object().call((locals,), vm)?;
                out.extend(copy.downcast::<PyDict>().ok());
            }
            last = globals.downcast::<PyDict>().ok();
        }
        let next = here.get_attr("f_back", vm)?;
        frame = (!vm.is_none(&next)).then_some(next);
    }
    out.extend(last);
    Ok(out)
}

#[derive(Default)]
struct Found {
    /// The tensors themselves, if they're wanted.
    tensors: Option<Vec<(String, Tensor)>>,
    /// Whether tensors over a storage that was found before are also wanted.
    every: bool,
    names: Vec<(StorageId, String)>,
    index: HashMap<StorageId, usize>,
}

impl Found {
    fn add(&mut self, t: &Tensor, name: &str) {
        if t.has_parts() {
            for (part, t) in super::parts::named_parts(t) {
                self.add(&t, &format!("{name}.{part}"));
            }
            return;
        }
        let storage = t.storage().id();
        let new = !self.index.contains_key(&storage);
        if let Some(tensors) = self.tensors.as_mut().filter(|_| new || self.every) {
            tensors.push((name.to_string(), t.clone()));
        }
        // The first name that was found stays: variables come before their contents.
        if new {
            self.index.insert(storage, self.names.len());
            self.names.push((storage, name.to_string()));
        }
    }

    fn visit(&mut self, name: &str, object: &PyObject, depth: usize, vm: &VirtualMachine) {
        if let Some(t) = tensor_of(object) {
            self.add(t, name);
            if let Some(g) = t.grad() {
                self.add(&g, &format!("{name}.grad"));
            }
            // A nested tensor, a masked one, or one of a class that the program defines, keeps more tensors in its attributes.
            for (key, value) in object.dict().into_iter().flatten() {
                if let (Some(key), Some(t)) = (text(&key), tensor_of(&value)) {
                    self.add(t, &format!("{name}.{key}"));
                }
            }
            return;
        }
        if depth == 0 {
            return;
        }
        if let Some(items) = members(object) {
            for (i, item) in items.iter().take(MEMBERS).enumerate() {
                self.visit(&format!("{name}[{i}]"), item, depth - 1, vm);
            }
        } else if let Some(dict) = dictionary(object) {
            for (key, item) in dict.into_iter().take(MEMBERS) {
                if let Ok(key) = key.repr(vm) {
                    self.visit(&format!("{name}[{}]", key.to_string_lossy()), &item, depth - 1, vm);
                }
            }
        } else if let Some(own) = object.dict() {
            self.visit_module(name, &own, vm);
            self.visit_optimizer(name, &own, vm);
        }
    }

    /// `model.0.weight`, the same name as in `named_parameters`.
    fn visit_module(&mut self, name: &str, own: &PyDictRef, vm: &VirtualMachine) {
        for kind in ["_parameters", "_buffers"] {
            for (key, value) in entries(own, kind, vm) {
                self.visit(&format!("{name}.{key}"), &value, 1, vm);
            }
        }
        for (key, value) in entries(own, "_modules", vm) {
            if let Some(inner) = value.dict() {
                self.visit_module(&format!("{name}.{key}"), &inner, vm);
            }
        }
    }

    /// `optimizer.exp_avg[model.0.weight]`: an optimizer's state for a parameter.
    fn visit_optimizer(&mut self, name: &str, own: &PyDictRef, vm: &VirtualMachine) {
        if !own.contains_key("param_groups", vm) {
            return;
        }
        if let Ok(Some(groups)) = own.get_item_opt("param_groups", vm) {
            self.visit(&format!("{name}.param_groups"), &groups, DEPTH, vm);
        }
        let Ok(Some(state)) = own.get_item_opt("state", vm) else { return };
        let Some(state) = dictionary(&state) else { return };
        for (key, value) in state {
            let Some(t) = tensor_of(&key) else { continue };
            let of = self.index.get(&t.storage().id()).map_or("?".to_string(), |&i| self.names[i].1.clone());
            let Some(kept) = dictionary(&value) else { continue };
            for (what, value) in kept {
                if let (Some(what), Some(t)) = (text(&what), tensor_of(&value)) {
                    self.add(t, &format!("{name}.{what}[{of}]"));
                }
            }
        }
    }
}

fn dictionary(object: &PyObject) -> Option<PyDictRef> {
    object.to_owned().downcast::<PyDict>().ok()
}

fn members(object: &PyObject) -> Option<Vec<PyObjectRef>> {
    if let Some(list) = object.downcast_ref::<PyList>() {
        return Some(list.borrow_vec().iter().take(MEMBERS).cloned().collect());
    }
    object.downcast_ref::<PyTuple>().map(|t| t.as_slice().iter().take(MEMBERS).cloned().collect())
}

/// The entries of a dictionary among an object's attributes.
fn entries(own: &PyDictRef, kind: &str, vm: &VirtualMachine) -> Vec<(String, PyObjectRef)> {
    let Ok(Some(found)) = own.get_item_opt(kind, vm) else { return Vec::new() };
    let Some(dict) = dictionary(&found) else { return Vec::new() };
    dict.into_iter().filter_map(|(k, v)| text(&k).map(|k| (k.to_string(), v))).collect()
}
