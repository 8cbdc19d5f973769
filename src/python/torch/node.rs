//! Nodes of the graph in Python: their objects, hooks and notes, and anomaly detection, which keeps the program's stack with them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use rustpython_vm::builtins::{PyDictRef, PyStr, PyTypeRef};
use rustpython_vm::function::{FuncArgs, PyComparisonValue};
use rustpython_vm::types::{
    Callable, Comparable, GetAttr, Hashable, PyComparisonOp, PyTypeFlags, PyTypeSlots, Representable,
};
use rustpython_vm::{
    AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, PyWeakRef, VirtualMachine, pyclass,
};

use super::args::Call;
use super::convert;
use super::error::{OrRaise, warn, with_vm};
use super::saved;
use super::tensor::{tensor_of, wrap};
use crate::autograd::{Around, Gradients, Node, anomaly};
use crate::ops;
use crate::tensor::Tensor;

/// `grad_fn`: a node of the graph. Its class has the node's name.
#[pyclass(module = "torch.autograd.graph", name = "Node")]
#[derive(PyPayload)]
pub(super) struct PyNode {
    node: Rc<Node>,
}

impl std::fmt::Debug for PyNode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.node.name)
    }
}

thread_local! {
    /// The class of each kind of node, by its name.
    static CLASSES: RefCell<HashMap<String, PyTypeRef>> = RefCell::default();
}

/// The object for a node. For a function of the program that's the object in which it saved what it needs.
pub(super) fn node(node: Rc<Node>, vm: &VirtualMachine) -> PyObjectRef {
    match node.function().and_then(|function| function.downcast_ref::<PyObjectRef>()) {
        Some(context) => context.clone(),
        None => plain(node, vm),
    }
}

/// What a node keeps for the program: its object, as long as the program has it, and what the program writes down about the node.
#[derive(Default)]
struct View {
    object: Option<PyWeakRef<PyNode>>,
    metadata: Option<PyDictRef>,
}

/// Reads or changes what a node keeps for the program.
fn viewed<T>(node: &Node, f: impl FnOnce(&mut View) -> T) -> T {
    let mut view = node.view.borrow_mut();
    let view = view.get_or_insert_with(|| Box::new(View::default())).downcast_mut();
    f(view.expect("only views are kept there"))
}

/// A node as such. Its class has the node's name.
fn plain(node: Rc<Node>, vm: &VirtualMachine) -> PyObjectRef {
    if let Some(object) = viewed(&node, |view| view.object.as_ref().and_then(PyWeakRef::upgrade)) {
        return object.into();
    }
    let known = CLASSES.with_borrow(|classes| classes.get(&*node.name).cloned());
    let class = known.unwrap_or_else(|| {
        // Making an object may run the garbage collector, and so `__del__`, which may come back here.
        let base = PyNode::class(&vm.ctx).to_owned();
        // The flags of PyTorch's classes, which are written in C++: an object can't get a class of another kind.
        const FLAGS: PyTypeFlags = PyTypeFlags::from_slice(&[
            PyTypeFlags::DISALLOW_INSTANTIATION,
            PyTypeFlags::IMMUTABLETYPE,
            PyTypeFlags::HAS_WEAKREF,
        ]);
        let slots = PyTypeSlots::new(vm.ctx.intern_str(&*node.name).as_str(), FLAGS);
        let class = vm.ctx.new_class(None, &node.name, base, slots);
        CLASSES.with_borrow_mut(|classes| classes.insert(node.name.to_string(), class.clone()));
        class
    });
    let object = PyRef::new_ref(PyNode { node: node.clone() }, class, None);
    let known = object.downgrade(None, vm).ok();
    let before = viewed(&node, |view| std::mem::replace(&mut view.object, known));
    drop(before);
    object.into()
}

impl Representable for PyNode {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<{} object at {:#x}>", zelf.node.name, Rc::as_ptr(&zelf.node) as usize))
    }
}

impl Hashable for PyNode {
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<i64> {
        Ok((Rc::as_ptr(&zelf.node) as usize >> 4) as i64)
    }
}

impl Comparable for PyNode {
    fn cmp(zelf: &Py<Self>, other: &PyObject, op: PyComparisonOp, _vm: &VirtualMachine) -> PyResult<PyComparisonValue> {
        op.eq_only(|| {
            Ok(match other.downcast_ref::<PyNode>() {
                Some(other) => Rc::ptr_eq(&zelf.node, &other.node).into(),
                None => PyComparisonValue::NotImplemented,
            })
        })
    }
}

/// `grad_fn(gradients of its outputs)`: the gradients of its inputs.
///
/// Source: torch/csrc/autograd/python_cpp_function.cpp.
impl Callable for PyNode {
    type Args = FuncArgs;

    fn call(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let arity = zelf.node.arity();
        let given = args.args.len();
        if given != arity {
            return Err(vm.new_type_error(format!("expected {arity} arguments, got {given} instead")));
        }
        let grads = args.args.iter().enumerate().map(|(place, object)| match tensor_of(object) {
            Some(t) => Ok(Some(t.clone())),
            None if vm.is_none(object) => Ok(None),
            None => Err(vm.new_type_error(format!("argument {place} is not a Variable"))),
        });
        let results = ops::call_node(&zelf.node, &grads.collect::<PyResult<Vec<_>>>()?).or_raise(vm)?;
        match &results[..] {
            [one] => Ok(one.clone().map_or_else(|| vm.ctx.none(), |t| wrap(t, vm))),
            several => Ok(tuple(several, vm)),
        }
    }
}

impl GetAttr for PyNode {
    fn getattro(zelf: &Py<Self>, name: &Py<PyStr>, vm: &VirtualMachine) -> PyResult {
        if let Some(value) = saved::attribute(&zelf.node, &name.to_string_lossy(), vm)? {
            return Ok(value);
        }
        zelf.as_object()
            .generic_getattr_opt(name, None, vm)?
            .ok_or_else(|| vm.new_attribute_error(format!("'{}' object has no attribute '{name}'", zelf.node.name)))
    }
}

/// A tuple of gradients for a hook.
pub(super) fn tuple(grads: &[Option<Tensor>], vm: &VirtualMachine) -> PyObjectRef {
    vm.ctx.new_tuple(grads.iter().map(|g| g.clone().map_or_else(|| vm.ctx.none(), |g| wrap(g, vm))).collect()).into()
}

/// The name by which PyTorch's errors speak of a hook.
fn hook_name(hook: &PyObject, vm: &VirtualMachine) -> String {
    let name = hook.get_attr("__name__", vm).ok().and_then(|name| name.str(vm).ok());
    name.map_or_else(|| "<unknown>".into(), |name| name.to_string_lossy().into_owned())
}

/// What a hook returned in place of a gradient.
///
/// # Errors
/// Source: torch/csrc/autograd/python_hook.cpp and variable.cpp.
pub(super) fn replaced(
    before: Option<&Tensor>,
    answer: &PyObject,
    hook: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<Option<Tensor>> {
    if vm.is_none(answer) {
        return Ok(None);
    }
    let Some(before) = before else {
        return Err(vm.new_runtime_error("can't replace a None gradient with a non-None value"));
    };
    let Some(new) = tensor_of(answer) else {
        let text = format!("expected Variable, but hook returned '{}'", convert::type_name(answer));
        return Err(vm.new_type_error(text));
    };
    let changed =
        |what: &str| Err(vm.new_runtime_error(format!("hook '{}' has changed the {what}", hook_name(hook, vm))));
    if before.dtype() != new.dtype() || before.device().kind != new.device().kind {
        return changed(&format!(
            "type of value (was {} got {})",
            ops::view::type_name(before),
            ops::view::type_name(new)
        ));
    }
    if before.shape() != new.shape() {
        return changed("size of value");
    }
    Ok(Some(new.clone()))
}

/// The gradients that a node's hook returned for those that it got.
fn all_replaced(
    before: &[Option<Tensor>],
    answer: &PyObject,
    hook: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<Option<Gradients>> {
    if vm.is_none(answer) {
        return Ok(None);
    }
    let Some(items) = answer.downcast_ref::<rustpython_vm::builtins::PyTuple>() else {
        let text = format!("expected tuple, but hook returned '{}'", convert::type_name(answer));
        return Err(vm.new_type_error(text));
    };
    if items.len() != before.len() {
        let (name, got, expected) = (hook_name(hook, vm), items.len(), before.len());
        let text =
            format!("hook '{name}' has returned an incorrect number of values (got {got}, but expected {expected})");
        return Err(vm.new_runtime_error(text));
    }
    let new = before.iter().zip(items.iter()).map(|(before, item)| replaced(before.as_ref(), item, hook, vm));
    new.collect::<PyResult<_>>().map(Some)
}

/// Adds a hook to a node and returns its handle.
fn hooked(node: &Rc<Node>, hook: Around, vm: &VirtualMachine) -> PyResult {
    let (number, node) = (node.add_hook(hook), Rc::downgrade(node));
    let remove = vm.new_function("remove", move || {
        if let Some(node) = node.upgrade() {
            node.remove_hook(number);
        }
    });
    vm.import("torch._tensor", 0)?;
    vm.import("sys", 0)?
        .get_attr("modules", vm)?
        .get_item("torch._tensor", vm)?
        .get_attr("RemovableHandle", vm)?
        .call((remove,), vm)
}

/// The node of a function of the program, for the object that stands for it and that the node keeps alive.
#[pyclass(module = "torch._C", name = "_NodeReference")]
#[derive(PyPayload)]
pub(super) struct PyNodeReference {
    node: Weak<Node>,
}

impl std::fmt::Debug for PyNodeReference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the node of a function")
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl PyNodeReference {
    pub(super) fn new(node: &Rc<Node>) -> PyNodeReference {
        PyNodeReference { node: Rc::downgrade(node) }
    }

    /// The node, or None if there's no tensor any more that knows it.
    #[pymethod]
    fn node(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        zelf.node.upgrade().map_or_else(|| vm.ctx.none(), |node| plain(node, vm))
    }

    #[pymethod]
    fn unpack(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let saved = match zelf.node.upgrade() {
            Some(node) => node.unpack().or_raise(vm)?,
            None => Vec::new(),
        };
        Ok(vm.ctx.new_tuple(saved.into_iter().map(|t| wrap(t, vm)).collect()).into())
    }
}

#[pyclass(with(Callable, Representable, Hashable, Comparable, GetAttr), flags(DISALLOW_INSTANTIATION, HAS_WEAKREF))]
impl PyNode {
    /// `register_hook(f)`: calls `f(gradients of its inputs, gradients of its outputs)` after the node.
    #[pymethod]
    fn register_hook(zelf: &Py<Self>, hook: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let call = Rc::new(move |results: &[Option<Tensor>], grads: &[Option<Tensor>]| {
            with_vm(|vm| {
                let answer = hook.call((tuple(results, vm), tuple(grads, vm)), vm)?;
                all_replaced(results, &answer, &hook, vm)
            })
        });
        hooked(&zelf.node, Around::After(call), vm)
    }

    /// `register_prehook(f)`: calls `f(gradients of its outputs)` before the node.
    #[pymethod]
    fn register_prehook(zelf: &Py<Self>, hook: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let call = Rc::new(move |grads: &[Option<Tensor>]| {
            with_vm(|vm| {
                let answer = hook.call((tuple(grads, vm),), vm)?;
                all_replaced(grads, &answer, &hook, vm)
            })
        });
        hooked(&zelf.node, Around::Before(call), vm)
    }

    #[pymethod]
    fn _sequence_nr(zelf: &Py<Self>) -> u64 {
        zelf.node.sequence
    }

    #[pymethod]
    fn __dir__(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        let names: Vec<PyObjectRef> = saved::names(&zelf.node).map(|name| vm.ctx.new_str(name).into()).collect();
        let leaf = zelf.node.leaf().is_some();
        let of_class = vm.ctx.types.object_type.as_object().get_attr("__dir__", vm)?.call((zelf,), vm)?;
        if !leaf {
            vm.call_method(&of_class, "remove", ("variable",))?;
        }
        vm._add(&of_class, vm.ctx.new_list(names).as_object())
    }

    #[pymethod]
    fn name(zelf: &Py<Self>) -> String {
        zelf.node.full_name()
    }

    #[pygetset]
    fn requires_grad(_zelf: &Py<Self>) -> bool {
        true
    }

    /// A dictionary for notes on the node.
    #[pygetset]
    fn metadata(zelf: &Py<Self>, vm: &VirtualMachine) -> PyDictRef {
        viewed(&zelf.node, |view| view.metadata.get_or_insert_with(|| vm.ctx.new_dict()).clone())
    }

    #[pygetset]
    fn next_functions(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        let edges: Vec<_> = zelf.node.next.borrow().iter().cloned().collect();
        let items = edges
            .into_iter()
            .map(|edge| match edge {
                Some(edge) => vm.new_tuple((node(edge.node, vm), edge.slot)).into(),
                None => vm.new_tuple((vm.ctx.none(), 0)).into(),
            })
            .collect();
        vm.ctx.new_tuple(items).into()
    }

    #[pygetset]
    fn variable(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        match zelf.node.leaf() {
            Some(leaf) => Ok(wrap(leaf, vm)),
            None => Err(vm.new_attribute_error(format!("'{}' object has no attribute 'variable'", zelf.node.name))),
        }
    }
}

/// Keeps the program's stack with each node, and shows it if the node fails.
///
/// Source: torch/csrc/autograd/python_anomaly_mode.cpp.
struct Watcher;

/// Where a node keeps the stack, and the node that ran when it was made.
const STACK: &str = "traceback_";
const PARENT: &str = "parent_";

impl anomaly::Watcher for Watcher {
    fn made(&self, made: &Rc<Node>, during: Option<&Rc<Node>>) -> crate::error::Result<()> {
        with_vm(|vm| {
            let metadata = node(made.clone(), vm).get_attr("metadata", vm)?;
            let stack = vm.import("traceback", 0)?.get_attr("format_stack", vm)?.call((), vm)?;
            // The program's own call is the last one, whatever the library calls for it.
            let calls: Vec<PyObjectRef> = stack.try_to_value(vm)?;
            let of_torch = |call: &PyObjectRef| {
                call.downcast_ref::<PyStr>().is_some_and(|call| call.to_string_lossy().starts_with("  File \"torch/"))
            };
            let own = calls.iter().rposition(|call| !of_torch(call)).map_or(0, |last| last + 1);
            metadata.set_item(STACK, vm.ctx.new_list(calls[..own].to_vec()).into(), vm)?;
            during.map_or(Ok(()), |parent| metadata.set_item(PARENT, node(parent.clone(), vm), vm))
        })
    }

    fn failed(&self, failed: &Rc<Node>) -> crate::error::Result<()> {
        with_vm(|vm| {
            let said = |node: &PyObject, name: &str, start: &str, what: &str| -> PyResult<Option<PyObjectRef>> {
                let metadata = node.get_attr("metadata", vm)?;
                let get = |key: &str| vm.call_method(&metadata, "get", (key,));
                let stack = get(STACK)?;
                if vm.is_none(&stack) {
                    warn(
                        &format!(
                            "Error detected in {name}. No forward pass information available. Enable detect anomaly during forward pass for more information."
                        ),
                        vm,
                    )?;
                } else {
                    let stack = vm.call_method(vm.ctx.new_str("").as_object(), "join", (stack,))?.str(vm)?;
                    let text =
                        format!("{start} {name}. Traceback of forward call that {what}:\n{}", stack.to_string_lossy());
                    warn(&text, vm)?;
                }
                let parent = get(PARENT)?;
                Ok((!vm.is_none(&parent)).then_some(parent))
            };
            let object = node(failed.clone(), vm);
            let mut parent = said(&object, &failed.full_name(), "Error detected in", "caused the error")?;
            while let Some(object) = parent {
                let name = vm.call_method(&object, "name", ())?.str(vm)?;
                let start = "\n\nPrevious calculation was induced by";
                parent = said(&object, &name.to_string_lossy(), start, "induced the previous calculation")?;
            }
            Ok(())
        })
    }
}

/// `_set_anomaly_enabled(mode, check_nan)`.
pub(super) fn set_anomaly_enabled(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["mode", "check_nan"], 2)?;
    let watcher = a.bool_or(0, false)?.then(|| Rc::new(Watcher) as Rc<dyn anomaly::Watcher>);
    anomaly::set(watcher, a.bool_or(1, true)?);
    Ok(vm.ctx.none())
}

/// Forgets the last program: its classes, and whether it looked for anomalies.
pub(super) fn reset() {
    CLASSES.take();
    anomaly::set(None, true);
}
