//! The graph in Python: nodes, `backward`, `grad`, hooks, modes, and functions written in Python.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use rustpython_vm::builtins::{PyStr, PyTypeRef};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::function::PyComparisonValue;
use rustpython_vm::types::{Comparable, GetAttr, Hashable, PyComparisonOp, PyTypeFlags, PyTypeSlots, Representable};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::convert;
use super::error::{OrRaise, with_vm};
use super::saved;
use super::tensor::{tensor_of, wrap};
use crate::autograd::{self, Around, Gradients, HookFn, Made, Node, Save};
use crate::device::Device;
use crate::dtype::DType;
use crate::ops;
use crate::shape::Dims;
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

/// A node as such. Its class has the node's name.
fn plain(node: Rc<Node>, vm: &VirtualMachine) -> PyObjectRef {
    let known = CLASSES.with_borrow(|classes| classes.get(&*node.name).cloned());
    let class = known.unwrap_or_else(|| {
        // Making an object may run the garbage collector, and so `__del__`, which may come back here.
        let base = PyNode::class(&vm.ctx).to_owned();
        // The flags of PyTorch's classes, which are written in C++: an object can't get a class of another kind.
        const FLAGS: PyTypeFlags =
            PyTypeFlags::from_slice(&[PyTypeFlags::DISALLOW_INSTANTIATION, PyTypeFlags::IMMUTABLETYPE]);
        let slots = PyTypeSlots::new(vm.ctx.intern_str(&*node.name).as_str(), FLAGS);
        let class = vm.ctx.new_class(None, &node.name, base, slots);
        CLASSES.with_borrow_mut(|classes| classes.insert(node.name.to_string(), class.clone()));
        class
    });
    PyRef::new_ref(PyNode { node }, class, None).into()
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
fn tuple(grads: &[Option<Tensor>], vm: &VirtualMachine) -> PyObjectRef {
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
fn replaced(
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

#[pyclass(with(Representable, Hashable, Comparable, GetAttr), flags(DISALLOW_INSTANTIATION))]
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
        let of_class = vm.ctx.types.object_type.as_object().get_attr("__dir__", vm)?.call((zelf,), vm)?;
        vm._add(&of_class, vm.ctx.new_list(names).as_object())
    }

    #[pymethod]
    fn name(zelf: &Py<Self>) -> String {
        let of_engine =
            zelf.node.leaf().is_some() || ["CopySlices", "NotImplemented"].contains(&zelf.node.name.as_ref());
        let prefix = if of_engine { "torch::autograd::" } else { "" };
        format!("{prefix}{}", zelf.node.name)
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

/// A list of tensors and Nones, or one of either.
fn optional_tensors(object: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<Option<Tensor>>> {
    let one = |o: &PyObject| -> PyResult<Option<Tensor>> {
        if vm.is_none(o) {
            return Ok(None);
        }
        tensor_of(o).cloned().map(Some).ok_or_else(|| {
            vm.new_type_error(format!("gradients can be either Tensors or None, but got {}", convert::type_name(o)))
        })
    };
    match convert::sequence(object) {
        Some(items) => items.iter().map(|o| one(o)).collect(),
        None => Ok(vec![one(object)?]),
    }
}

const CYCLE: &str = "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak.";

/// `_backward(tensors, gradients, retain_graph, create_graph)`.
pub(super) fn backward(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    // `loss.backward()`, by far the most common call, binds nothing.
    if call.positional().len() == 1
        && !call.has_keywords()
        && let Some(t) = tensor_of(&call.positional()[0])
    {
        let t = t.clone();
        drop(call);
        ops::backward(&[t], &[None], false, false).or_raise(vm)?;
        super::names::look(vm);
        return Ok(vm.ctx.none());
    }
    let a = call.bind(&["tensors", "gradient", "retain_graph", "create_graph", "inputs"], 1)?;
    let roots = match a.get(0).and_then(|o| tensor_of(o)) {
        Some(t) => vec![t.clone()],
        None => a.tensors(0)?,
    };
    let seeds = match a.some(1) {
        None => vec![None; roots.len()],
        Some(o) => optional_tensors(o, vm)?,
    };
    let create = a.bool_or(3, false)?;
    let retain = if a.some(2).is_none() { create } else { a.bool_or(2, create)? };
    if create {
        super::error::warn_once(CYCLE, vm)?;
    }
    if let Some(inputs) = a.some(4) {
        let inputs = match tensor_of(inputs) {
            Some(t) => vec![t.clone()],
            None => a.tensors(4)?,
        };
        if inputs.is_empty() {
            return Err(vm.new_runtime_error("'inputs' argument to backward() cannot be empty."));
        }
        ops::backward_into(&roots, &inputs, &seeds, retain, create).or_raise(vm)?;
        return Ok(vm.ctx.none());
    }
    ops::backward(&roots, &seeds, retain, create).or_raise(vm)?;
    Ok(vm.ctx.none())
}

/// `torch.autograd.grad`.
pub(super) fn grad(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(
        &["outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "only_inputs", "allow_unused"],
        2,
    )?;
    let list = |i: usize| match a.get(i).and_then(|o| tensor_of(o)) {
        Some(t) => Ok(vec![t.clone()]),
        None => a.tensors(i),
    };
    let (roots, inputs) = (list(0)?, list(1)?);
    let seeds = match a.some(2) {
        None => vec![None; roots.len()],
        Some(o) => optional_tensors(o, vm)?,
    };
    let create = a.bool_or(4, false)?;
    let retain = if a.some(3).is_none() { create } else { a.bool_or(3, create)? };
    let unused = if a.some(6).is_none() { false } else { a.bool_or(6, false)? };
    let found = ops::grad(&roots, &inputs, &seeds, retain, create, unused).or_raise(vm)?;
    let items = found.into_iter().map(|g| g.map_or_else(|| vm.ctx.none(), |g| wrap(g, vm))).collect();
    Ok(vm.ctx.new_tuple(items).into())
}

/// A Python callable as a hook of the engine.
fn hook(callable: PyObjectRef) -> HookFn {
    Rc::new(move |g: &Tensor| {
        with_vm(|vm| {
            let answer = callable.call((wrap(g.clone(), vm),), vm)?;
            replaced(Some(g), &answer, &callable, vm)
        })
    })
}

/// `t.register_hook(f)`: returns the handle's number. The Python half makes an object of it.
pub(super) fn register_hook(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "hook"], 2)?;
    let t = a.tensor(0)?;
    let Some(callable) = a.get(1) else { return Ok(vm.ctx.none()) };
    let handle = t.register_hook(hook(callable.clone())).or_raise(vm)?;
    Ok(vm.ctx.new_int(handle).into())
}

pub(super) fn register_post_accumulate(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "hook"], 2)?;
    let t = a.tensor(0)?;
    if !t.requires_grad() {
        return Err(vm.new_runtime_error("cannot register a hook on a tensor that doesn't require gradient"));
    }
    if !t.is_leaf() {
        return Err(vm.new_runtime_error("post accumulate grad hooks cannot be registered on non-leaf tensors"));
    }
    let Some(callable) = a.get(1) else { return Ok(vm.ctx.none()) };
    let callable = callable.clone();
    let call: HookFn =
        Rc::new(move |leaf: &Tensor| with_vm(|vm| callable.call((wrap(leaf.clone(), vm),), vm).map(|_| None)));
    Ok(vm.ctx.new_int(t.register_post_accumulate_hook(call)).into())
}

pub(super) fn remove_hook(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "handle"], 2)?;
    a.tensor(0)?.remove_hook(a.int(1)?.cast_unsigned());
    Ok(vm.ctx.none())
}

/// `_record(name, inputs, outputs, backward, context, saved)`: makes `outputs` the results of a node whose backward pass is
/// a Python callable. It gets a tuple of gradients and returns one for each tensor in `inputs`. Given a `context`, the object
/// that stands for the node, it returns what asks the node for the tensors `saved`.
pub(super) fn record(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["name", "inputs", "outputs", "backward", "context", "saved"], 4)?;
    let name = a.str(0)?.unwrap_or_default().to_string();
    let inputs = optional_tensors(a.get(1).unwrap_or(&vm.ctx.none()), vm)?;
    let outputs = a.tensors(2)?;
    let Some(backward) = a.get(3).cloned() else { return Ok(vm.ctx.none()) };
    let inputs: Vec<Option<&Tensor>> = inputs.iter().map(Option::as_ref).collect();
    let refs: Vec<&Tensor> = outputs.iter().collect();
    let count = inputs.len();
    // Where a program's own function has to return something that fits.
    let places: Vec<Option<(Dims, DType, Device)>> = match a.some(4) {
        Some(_) => inputs.iter().map(|t| t.map(|t| (t.shape(), t.dtype(), t.device()))).collect(),
        None => Vec::new(),
    };
    let of_function = name.clone();
    let run = move |ctx: &autograd::Context<'_>| {
        with_vm(|vm| {
            let answer = backward.call((tuple(ctx.grads, vm),), vm)?;
            let mut out: Gradients = if places.is_empty() {
                optional_tensors(&answer, vm)?.into_iter().collect()
            } else {
                let items = convert::sequence(&answer).unwrap_or_default();
                let fit = items.iter().zip(&places).enumerate().map(|(i, (g, place))| match place {
                    Some(place) if ctx.needs(i) => fitting(&of_function, i, g, place, vm),
                    _ => Ok(None),
                });
                fit.collect::<PyResult<_>>()?
            };
            while out.len() < count {
                out.push(None);
            }
            Ok(out)
        })
    };
    let Some(context) = a.some(4).cloned() else {
        autograd::record_unchecked(name, &inputs, &[], &refs, run).or_raise(vm)?;
        return Ok(vm.ctx.none());
    };
    let saved = a.tensors(5)?;
    let save: Vec<Save<'_>> = saved
        .iter()
        .map(|t| match refs.iter().position(|output| output.is_same(t)) {
            Some(number) => Save::Output(t, number),
            None => Save::Input(t),
        })
        .collect();
    let node = autograd::record_function(name, &inputs, &save, &refs, Box::new(context), run).or_raise(vm)?;
    Ok(PyNodeReference { node: Rc::downgrade(&node) }.into_ref(&vm.ctx).into())
}

/// The gradient that a program's function returned for its tensor number `i`, in the shape and dtype of that tensor.
///
/// # Errors
/// It's no tensor, on another device, or of a shape that can't be summed to the tensor's.
fn fitting(
    name: &str,
    i: usize,
    g: &PyObject,
    place: &(Dims, DType, Device),
    vm: &VirtualMachine,
) -> PyResult<Option<Tensor>> {
    if vm.is_none(g) {
        return Ok(None);
    }
    let (shape, dtype, device) = place;
    let wrong = |text: String| Err(vm.new_runtime_error(text));
    let Some(g) = tensor_of(g) else {
        return wrong(format!("expected Variable or None (got {})", convert::type_name(g)));
    };
    let start = format!("Function {name} returned an invalid gradient at index {i} - ");
    if g.shape() != *shape {
        let show = crate::shape::show;
        if crate::shape::broadcast(shape, &g.shape()).ok().is_none_or(|whole| whole != g.shape()) {
            return wrong(format!(
                "{start}got {} but expected shape compatible with {}",
                show(&g.shape()),
                show(shape)
            ));
        }
    }
    if g.device() != *device {
        return wrong(format!("{start}expected device {device} but got {}", g.device()));
    }
    let g = ops::sum_to(g, shape).or_raise(vm)?;
    ops::transfer::cast(&g, *dtype).or_raise(vm).map(Some)
}

/// `_bump_version(t)`: notes that a function of the program has written to a tensor.
///
/// # Errors
/// Leaves that require gradients.
pub(super) fn bump_version(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let t = call.bind(&["input"], 1)?.tensor(0)?;
    if t.requires_grad() && t.is_leaf() {
        return Err(vm.new_runtime_error("a leaf Variable that requires grad has been used in an in-place operation."));
    }
    t.bump_version();
    Ok(vm.ctx.none())
}

/// `_made_in_function(outputs)`: how views among the outputs of an `autograd.Function` came to be.
pub(super) fn made_in_function(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let outputs = call.bind(&["outputs"], 1)?.tensors(0)?;
    for (number, output) in outputs.iter().enumerate() {
        let made = if outputs.len() > 1 { Made::OneOfMany(number) } else { Made::InFunction };
        autograd::mark_made(output, made);
    }
    Ok(vm.ctx.none())
}

/// `_under_node(t, name)`: [`autograd::under`].
pub(super) fn under_node(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "name"], 2)?;
    let name = a.str(1)?.unwrap_or_default().to_string();
    Ok(wrap(autograd::under(&a.tensor(0)?, name).or_raise(vm)?, vm))
}

/// The kind of a context manager like `torch.no_grad()`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Grad(bool),
    Inference(bool),
}

/// `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`: context managers that can also decorate functions.
#[pyclass(module = "torch", name = "_grad_mode")]
#[derive(Debug, PyPayload)]
pub(super) struct PyGradMode {
    name: &'static str,
    mode: Mode,
    before: std::cell::RefCell<Vec<(bool, bool)>>,
}

fn apply(mode: Mode) {
    match mode {
        Mode::Grad(on) => autograd::set_grad_enabled(on),
        Mode::Inference(on) => autograd::set_inference(on),
    }
}

fn now() -> (bool, bool) {
    (autograd::enabled_flag(), autograd::is_inference())
}

impl PyGradMode {
    fn enter(&self) {
        self.before.borrow_mut().push(now());
        apply(self.mode);
    }

    fn leave(&self) {
        let before = self.before.borrow_mut().pop();
        if let Some((grad, inference)) = before {
            autograd::set_grad_enabled(grad);
            autograd::set_inference(inference);
        }
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl PyGradMode {
    #[pymethod]
    fn __enter__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        // `set_grad_enabled` took effect when it was made.
        if zelf.name != "set_grad_enabled" {
            zelf.enter();
        }
        vm.ctx.none()
    }

    #[pymethod]
    fn __exit__(zelf: &Py<Self>, _args: FuncArgs) {
        zelf.leave();
    }

    #[pygetset]
    fn _name(zelf: &Py<Self>) -> &'static str {
        zelf.name
    }

    /// A new manager of the same kind, for each call of a decorated function.
    #[pymethod]
    fn clone(zelf: PyRef<Self>) -> PyGradMode {
        PyGradMode { name: zelf.name, mode: zelf.mode, before: Default::default() }
    }
}

fn manager(name: &'static str, mode: Mode, vm: &VirtualMachine) -> PyObjectRef {
    PyGradMode { name, mode, before: Default::default() }.into_ref(&vm.ctx).into()
}

/// `_grad_mode(kind, on)`.
pub(super) fn grad_mode(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["kind", "mode"], 1)?;
    let on = a.bool_or(1, true)?;
    Ok(match a.str(0)? {
        Some("inference_mode") => manager("inference_mode", Mode::Inference(on), vm),
        Some("set_grad_enabled") => {
            let made = PyGradMode { name: "set_grad_enabled", mode: Mode::Grad(on), before: Default::default() };
            made.enter();
            made.into_ref(&vm.ctx).into()
        }
        Some("enable_grad") => manager("enable_grad", Mode::Grad(true), vm),
        _ => manager("no_grad", Mode::Grad(false), vm),
    })
}

pub(super) fn is_grad_enabled(call: Call<'_>) -> PyResult {
    Ok(call.vm.ctx.new_bool(autograd::is_grad_enabled()).into())
}

pub(super) fn is_inference_mode_enabled(call: Call<'_>) -> PyResult {
    Ok(call.vm.ctx.new_bool(autograd::is_inference()).into())
}

/// Resets what an earlier program has set.
pub(super) fn reset() {
    CLASSES.take();
    super::error::reset();
    autograd::set_grad_enabled(true);
    autograd::set_inference(false);
    ops::autocast::reset();
}
