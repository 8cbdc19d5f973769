//! The graph in Python: `backward`, `grad`, hooks, modes, and functions written in Python.

use std::rc::Rc;

use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::convert;
use super::error::{OrRaise, with_vm};
use super::node::{PyNodeReference, replaced, tuple};
use super::tensor::{tensor_of, wrap};
use crate::autograd::{self, Gradients, HookFn, Made, Pass, Save};
use crate::device::Device;
use crate::dtype::DType;
use crate::ops;
use crate::shape::Dims;
use crate::tensor::Tensor;

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
        // A string is a sequence to PyTorch, and its items are refused.
        None if convert::text(object).is_none_or(str::is_empty)
            && !vm.is_none(object)
            && tensor_of(object).is_none() =>
        {
            Err(vm.new_type_error(format!("'{}' object is not iterable", convert::type_name(object))))
        }
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
        ops::backward(Pass { roots: &[t], ..Pass::default() }).or_raise(vm)?;
        super::names::look(vm);
        return Ok(vm.ctx.none());
    }
    let a = call.bind(&["tensors", "gradient", "retain_graph", "create_graph", "inputs"], 1)?;
    let roots = match a.get(0).and_then(|o| tensor_of(o)) {
        Some(t) => vec![t.clone()],
        None => a.tensors(0)?,
    };
    let seeds = a.some(1).map_or(Ok(Vec::new()), |o| optional_tensors(o, vm))?;
    let create = a.bool_or(3, false)?;
    let retain = if a.some(2).is_none() { create } else { a.bool_or(2, create)? };
    let pass = Pass { roots: &roots, seeds: &seeds, retain_graph: retain, create_graph: create };
    if create {
        super::error::warn_once(CYCLE, vm)?;
    }
    if let Some(inputs) = a.some(4) {
        let inputs = match tensor_of(inputs) {
            Some(t) => vec![t.clone()],
            None => a.tensors(4)?,
        };
        if inputs.is_empty() {
            return Err(vm.new_runtime_error("`inputs` argument to `backward()` cannot be empty."));
        }
        ops::backward_into(pass, &inputs).or_raise(vm)?;
        return Ok(vm.ctx.none());
    }
    ops::backward(pass).or_raise(vm)?;
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
    let seeds = a.some(2).map_or(Ok(Vec::new()), |o| optional_tensors(o, vm))?;
    let create = a.bool_or(4, false)?;
    let retain = if a.some(3).is_none() { create } else { a.bool_or(3, create)? };
    let unused = if a.some(6).is_none() { false } else { a.bool_or(6, false)? };
    let pass = Pass { roots: &roots, seeds: &seeds, retain_graph: retain, create_graph: create };
    let found = ops::grad(pass, &inputs, unused).or_raise(vm)?;
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
    Ok(PyNodeReference::new(&node).into_ref(&vm.ctx).into())
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
    super::node::reset();
    super::error::reset();
    autograd::set_grad_enabled(true);
    autograd::set_inference(false);
    ops::autocast::reset();
}
