//! Native functions and methods that take their arguments straight from the interpreter's stack.
//!
//! The interpreter's own native functions gather keyword arguments into a map and convert every argument through traits.
//! These do neither: a call is a vector of objects, and the function binds it to its parameter names itself.

use std::cell::Cell;

use rustpython_vm::builtins::{PyBoundMethod, PyStr};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::types::{Callable, GetDescriptor, Representable};
use rustpython_vm::{AsObject, Context, Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::tensor::tensor_of;
use crate::python::guard;
use crate::trace::profile::SpanKind;
use crate::{engine, ops};

/// What a native function is: it gets a call and answers with an object.
pub type Native = fn(Call<'_>) -> PyResult;

/// `torch.relu`: does not bind when found in a class.
#[pyclass(module = false, name = "builtin_function_or_method")]
#[derive(PyPayload)]
pub struct Function {
    name: &'static str,
    call: Native,
}

/// `torch.Tensor.relu`: binds to the tensor that it is found on.
#[pyclass(module = false, name = "method_descriptor")]
#[derive(PyPayload)]
pub struct Method {
    name: &'static str,
    call: Native,
}

/// A name as the interpreter keeps it, with its hash: what is looked up at every step of a program is hashed once a thread.
macro_rules! interned {
    ($text:literal, $vm:expr) => {{
        use rustpython_vm::builtins::PyStrInterned;
        thread_local! {
            static NAME: std::cell::Cell<Option<&'static PyStrInterned>> = const { std::cell::Cell::new(None) };
        }
        NAME.get().unwrap_or_else(|| {
            let name = $vm.ctx.intern_str($text);
            NAME.set(Some(name));
            name
        })
    }};
}
pub(super) use interned;

/// A native function as an object.
pub fn function(name: &'static str, call: Native, ctx: &Context) -> PyObjectRef {
    Function { name, call }.into_ref(ctx).into()
}

/// A native method as an object for a class's dictionary.
pub fn method(name: &'static str, call: Native, ctx: &Context) -> PyObjectRef {
    Method { name, call }.into_ref(ctx).into()
}

/// Makes the two types. To be called before the first object of either.
pub fn init() {
    Function::make_static_type().slots().vectorcall.store(Some(vectorcall_function));
    Method::make_static_type().slots().vectorcall.store(Some(vectorcall_method));
}

fn vectorcall_function(
    zelf: &PyObject,
    args: Vec<PyObjectRef>,
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult {
    // The slot belongs to this type and no other derives from it.
    let Some(zelf) = zelf.downcast_ref::<Function>() else { return Err(vm.new_type_error("not a function")) };
    guard::native(vm, || match names.and_then(|names| names.iter().position(|name| text(name) == Some("out"))) {
        Some(at) => into_out(zelf, args, positional, names.unwrap_or_default(), at, vm),
        None => {
            let args = under_autocast(zelf.name, args, vm)?;
            invoke(zelf.call, Call::new(zelf.name, args, positional, names, vm))
        }
    })
}

/// A call whose keyword argument number `at` is `out`.
fn into_out(
    zelf: &Function,
    mut args: Vec<PyObjectRef>,
    positional: usize,
    names: &[PyObjectRef],
    at: usize,
    vm: &VirtualMachine,
) -> PyResult {
    let out = args.remove(positional + at);
    let names: Vec<PyObjectRef> = names.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, n)| n.clone()).collect();
    if !vm.is_none(&out) {
        super::out::check(zelf.name, &out, &args, vm)?;
    }
    let args = under_autocast(zelf.name, args, vm)?;
    let names = (!names.is_empty()).then_some(&names[..]);
    let result = invoke(zelf.call, Call::new(zelf.name, args, positional, names, vm))?;
    if vm.is_none(&out) { Ok(result) } else { super::out::store(zelf.name, &result, out, vm) }
}

fn vectorcall_method(
    zelf: &PyObject,
    args: Vec<PyObjectRef>,
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult {
    let Some(zelf) = zelf.downcast_ref::<Method>() else { return Err(vm.new_type_error("not a method")) };
    guard::native(vm, || {
        let args = under_autocast(zelf.name, args, vm)?;
        invoke(zelf.call, Call::new(zelf.name, args, positional, names, vm).on_object())
    })
}

thread_local! {
    /// Whether calls are spans; set while the program is profiled.
    static PROFILED: Cell<bool> = const { Cell::new(false) };
}

/// Makes spans of calls, or stops doing so.
pub fn set_profiled(on: bool) {
    PROFILED.set(on);
}

#[inline]
fn invoke(native: Native, call: Call<'_>) -> PyResult {
    if !PROFILED.get() || !is_operator(call.name) {
        return native(call);
    }
    let shapes = call.positional().iter().filter_map(|o| tensor_of(o)).map(|t| t.shape().to_vec()).collect();
    span(call.name, shapes, || native(call))
}

fn is_operator(name: &str) -> bool {
    let known = |name: &str| {
        ops::table::find(name).is_some() || ops::table::unary(name).is_some() || ops::table::binary(name).is_some()
    };
    matches!(name, "item" | "to" | "copy_" | "zero_" | "fill_") || known(name) || known(name.trim_end_matches('_'))
}

/// Runs an operator as a span, if the program is profiled. `shapes` are those of the tensors it is given.
pub fn span<T>(name: &str, shapes: Vec<Vec<usize>>, run: impl FnOnce() -> T) -> T {
    let engine = engine::current();
    let open = engine.trace.begin(SpanKind::Operator, &format!("aten::{name}"), None);
    if let Some(at) = open
        && engine.trace.profile().keeps_shapes()
    {
        engine.trace.profile().with(at, |span| span.shapes = shapes);
    }
    let out = run();
    engine.trace.end(open);
    out
}

/// As [`span`] for the operators of Python, which are no calls.
#[inline]
pub fn operator<T>(name: &str, operands: &[&PyObject], run: impl FnOnce() -> T) -> T {
    if !PROFILED.get() {
        return run();
    }
    let shapes = operands.iter().filter_map(|o| tensor_of(o)).map(|t| t.shape().to_vec()).collect();
    span(name, shapes, run)
}

#[inline]
fn under_autocast(name: &str, args: Vec<PyObjectRef>, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
    if crate::ops::autocast::is_active() { super::layers::cast_arguments(name, args, vm) } else { Ok(args) }
}

/// The slow way in: `f(*args, **kwargs)`.
fn call_with_map(name: &'static str, call: Native, method: bool, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let FuncArgs { args: mut all, kwargs } = args;
    let positional = all.len();
    let mut names: Vec<PyObjectRef> = Vec::new();
    for (key, value) in kwargs {
        names.push(vm.ctx.new_str(key).into());
        all.push(value);
    }
    let all = under_autocast(name, all, vm)?;
    let bound = Call::new(name, all, positional, (!names.is_empty()).then_some(&names[..]), vm);
    invoke(call, if method { bound.on_object() } else { bound })
}

impl Callable for Function {
    type Args = FuncArgs;
    fn call(zelf: &Py<Self>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        guard::native(vm, || match args.kwargs.swap_remove("out").filter(|out| !vm.is_none(out)) {
            None => call_with_map(zelf.name, zelf.call, false, args, vm),
            Some(out) => {
                super::out::check(zelf.name, &out, &args.args, vm)?;
                let result = call_with_map(zelf.name, zelf.call, false, args, vm)?;
                super::out::store(zelf.name, &result, out, vm)
            }
        })
    }
}

impl Representable for Function {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<built-in method {} of type object at {:#x}>", zelf.name, zelf.as_object().get_id()))
    }
}

#[pyclass(with(Callable, Representable), flags(DISALLOW_INSTANTIATION))]
impl Function {
    #[pygetset]
    fn __name__(zelf: &Py<Self>) -> &'static str {
        zelf.name
    }

    #[pygetset]
    fn __qualname__(zelf: &Py<Self>) -> &'static str {
        zelf.name
    }
}

impl Callable for Method {
    type Args = FuncArgs;
    fn call(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        guard::native(vm, || call_with_map(zelf.name, zelf.call, true, args, vm))
    }
}

impl GetDescriptor for Method {
    fn descr_get(zelf: &PyObject, obj: Option<&PyObject>, _cls: Option<&PyObject>, vm: &VirtualMachine) -> PyResult {
        Ok(match obj {
            Some(obj) => PyBoundMethod::new(obj.to_owned(), zelf.to_owned()).into_ref(&vm.ctx).into(),
            None => zelf.to_owned(),
        })
    }
}

impl Representable for Method {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<method '{}' of 'torch._C.TensorBase' objects>", zelf.name))
    }
}

#[pyclass(with(Callable, GetDescriptor, Representable), flags(METHOD_DESCRIPTOR, DISALLOW_INSTANTIATION))]
impl Method {
    #[pygetset]
    fn __name__(zelf: &Py<Self>) -> &'static str {
        zelf.name
    }

    #[pygetset]
    fn __qualname__(zelf: &Py<Self>) -> String {
        format!("TensorBase.{}", zelf.name)
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({})", self.name)
    }
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Method({})", self.name)
    }
}

/// A Python string's text, if it is one and valid UTF-8.
pub fn text(object: &PyObject) -> Option<&str> {
    object.downcast_ref::<PyStr>().and_then(|s| s.to_str())
}
