//! Native functions and methods that take their arguments straight from the interpreter's stack.
//!
//! The interpreter's own native functions gather keyword arguments into a map and convert every argument through traits.
//! These do neither: a call is a vector of objects, and the function binds it to its parameter names itself.

use std::cell::Cell;

use rustpython_vm::builtins::PyBoundMethod;
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::types::{Callable, GetDescriptor, Representable};
use rustpython_vm::{AsObject, Context, Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::binding::Native;
use super::convert::text;
use super::tensor::tensor_of;
use super::{outdated, overrides, parts};
use crate::engine;
use crate::ops::autocast;
use crate::ops::rows::{self, Family, Operator};
use crate::python::guard;
use crate::tensor::destination;
use crate::trace::profile::SpanKind;

/// A native function under one of its names.
#[derive(Clone, Copy)]
struct Entry {
    name: &'static str,
    call: Native,
    /// The operator that it is, or that it is the in-place form of.
    operator: Option<&'static Operator>,
    in_place: bool,
    /// The outdated way to call it.
    outdated: Option<outdated::Way>,
}

impl Entry {
    fn new(name: &'static str, call: Native) -> Entry {
        let own = rows::find(name);
        let operator = own.or_else(|| rows::find(name.strip_suffix('_')?));
        Entry { name, call, operator, in_place: own.is_none(), outdated: outdated::way(name, operator) }
    }

    /// Whether its result comes from a single elementwise kernel, which may write over an operand.
    fn is_one_kernel(&self) -> bool {
        let family = self.operator.map(|operator| operator.family);
        matches!(family, Some(Family::Unary(_) | Family::Binary(_))) || ONE_KERNEL.contains(&self.name)
    }

    /// Whether the kernel that makes its result may write over an operand.
    fn may_write_over(&self) -> bool {
        self.is_one_kernel() || SAYS_LAST.contains(&self.name)
    }

    /// What it gives if a class of the program takes the call over, or if there are tensors of parts among its arguments.
    #[inline]
    fn elsewhere(
        &self,
        zelf: &PyObject,
        method: bool,
        args: &[PyObjectRef],
        positional: usize,
        names: Option<&[PyObjectRef]>,
        vm: &VirtualMachine,
    ) -> PyResult<Option<PyObjectRef>> {
        if !parts::exist() && !overrides::may_take_over(args) {
            return Ok(None);
        }
        // What the Python half calls by a name of its own takes care of these objects itself.
        let is_own = self.name.starts_with('_') && self.operator.is_none();
        // `Module.__call__` is such a name.
        if is_own && (!self.name.ends_with("__") || matches!(self.name, "__call__" | "__getattr__")) {
            return Ok(None);
        }
        if let Some(result) = overrides::call(zelf, args, positional, names, vm)? {
            return Ok(Some(result));
        }
        if is_own {
            return Ok(None);
        }
        let operator = self.operator.filter(|_| !self.in_place || method);
        parts::call(self.name, operator, method, args, positional, names, vm)
    }

    fn run<R>(&self, call: impl FnOnce() -> R) -> R {
        if self.is_one_kernel() { destination::last(call) } else { call() }
    }

    /// What it does under autocast, which knows no in-place forms.
    #[inline]
    fn under_autocast(&self, args: Vec<PyObjectRef>, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        match self.operator {
            Some(operator) if autocast::is_active() && !self.in_place => {
                super::autocast::cast_arguments(operator, args, vm)
            }
            _ => Ok(args),
        }
    }
}

/// Functions of one elementwise kernel whose rows don't say so, because they have a binding of their own.
const ONE_KERNEL: &[&str] = &[
    "add",
    "celu",
    "clamp_max",
    "clamp_min",
    "div",
    "divide",
    "elu",
    "hardtanh",
    "leaky_relu",
    "nan_to_num",
    "pow",
    "rsub",
    "selu",
    "softplus",
    "sub",
    "subtract",
    "threshold",
    "where",
];

/// Functions of one or more elementwise kernels that say which of them is the last, by [`destination::last`].
const SAYS_LAST: &[&str] = &["clamp", "clip"];

/// Functions that can write their result over their first argument, although that isn't all that they read.
const OVER_ITSELF: &[&str] = &["addmm", "baddbmm", "tril", "triu"];

/// How a function that has an in-place form writes its result over its first argument.
#[derive(Clone, Copy)]
pub(super) struct Over {
    /// With one elementwise kernel.
    pub one_kernel: bool,
    /// Its gradient needs what's overwritten.
    pub keeps: bool,
}

impl Over {
    /// `None` for functions that may read the argument again after they have begun to write.
    pub(super) fn of(function: &PyObject) -> Option<Over> {
        let entry = &function.downcast_ref::<Function>()?.entry;
        let (one_kernel, itself) = (entry.is_one_kernel(), OVER_ITSELF.contains(&entry.name));
        (one_kernel || itself).then(|| Over { one_kernel, keeps: !itself && entry.name != "hardtanh" })
    }
}

// `torch.relu`: does not bind when found in a class. (What is said with three slashes is the docstring that programs see.)
#[pyclass(module = false, name = "builtin_function_or_method")]
#[derive(PyPayload)]
pub(super) struct Function {
    entry: Entry,
}

// `torch.Tensor.relu`: binds to the tensor that it is found on.
#[pyclass(module = false, name = "method_descriptor")]
#[derive(PyPayload)]
pub(super) struct Method {
    entry: Entry,
}

/// A native function as an object.
pub(super) fn function(name: &'static str, call: Native, ctx: &Context) -> PyObjectRef {
    Function { entry: Entry::new(name, call) }.into_ref(ctx).into()
}

/// A native method as an object for a class's dictionary.
pub(super) fn method(name: &'static str, call: Native, ctx: &Context) -> PyObjectRef {
    Method { entry: Entry::new(name, call) }.into_ref(ctx).into()
}

/// Makes the two types. To be called before the first object of either.
pub(super) fn init() {
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
    let entry = &zelf.entry;
    if let Some(result) = entry.elsewhere(zelf.as_object(), false, &args, positional, names, vm)? {
        return Ok(result);
    }
    if let Some(call) = outdated::renewed(entry.outdated, false, &args, positional, names, vm)? {
        return vectorcall_function(zelf.as_object(), call.args, call.positional, Some(&call.names), vm);
    }
    guard::native(vm, || match names.and_then(|names| names.iter().position(|name| text(name) == Some("out"))) {
        Some(at) => into_out(entry, args, positional, names.unwrap_or_default(), at, vm),
        None => {
            let args = entry.under_autocast(args, vm)?;
            invoke(entry.call, Call::new(entry.name, entry.operator, args, positional, names, vm))
        }
    })
}

/// A call whose keyword argument number `at` is `out`.
fn into_out(
    entry: &Entry,
    mut args: Vec<PyObjectRef>,
    positional: usize,
    names: &[PyObjectRef],
    at: usize,
    vm: &VirtualMachine,
) -> PyResult {
    // What is known to have no `out` says so itself.
    let ways = entry.operator.map_or(&[][..], |operator| operator.function_signatures());
    if !ways.is_empty() && (entry.in_place || !ways.iter().any(|way| way.takes("out"))) {
        return invoke(entry.call, Call::new(entry.name, entry.operator, args, positional, Some(names), vm));
    }
    let out = args.remove(positional + at);
    let names: Vec<PyObjectRef> = names.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, n)| n.clone()).collect();
    if !vm.is_none(&out) {
        super::out::check(entry.name, entry.operator, &out, &args, vm)?;
    }
    let names = (!names.is_empty()).then_some(&names[..]);
    let places = super::out::places(entry.may_write_over(), &out, &args, vm);
    let args = entry.under_autocast(args, vm)?;
    let call = Call::new(entry.name, entry.operator, args, positional, names, vm);
    let placed = !places.is_empty();
    let result = destination::with(places, || entry.run(|| invoke(entry.call, call)))?;
    if vm.is_none(&out) { Ok(result) } else { super::out::store(entry.name, entry.operator, result, out, placed, vm) }
}

fn vectorcall_method(
    zelf: &PyObject,
    args: Vec<PyObjectRef>,
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult {
    let Some(zelf) = zelf.downcast_ref::<Method>() else { return Err(vm.new_type_error("not a method")) };
    let entry = &zelf.entry;
    if let Some(result) = entry.elsewhere(zelf.as_object(), true, &args, positional, names, vm)? {
        return Ok(result);
    }
    if let Some(call) = outdated::renewed(entry.outdated, true, &args, positional, names, vm)? {
        return vectorcall_method(zelf.as_object(), call.args, call.positional, Some(&call.names), vm);
    }
    guard::native(vm, || {
        let args = entry.under_autocast(args, vm)?;
        invoke(entry.call, Call::new(entry.name, entry.operator, args, positional, names, vm).on_object())
    })
}

thread_local! {
    /// Whether calls are spans; set while the program is profiled.
    static PROFILED: Cell<bool> = const { Cell::new(false) };
}

/// Makes spans of calls, or stops doing so.
pub(super) fn set_profiled(on: bool) {
    PROFILED.set(on);
}

#[inline]
fn invoke(native: Native, call: Call<'_>) -> PyResult {
    if !PROFILED.get() || !is_operator(&call) {
        return native(call);
    }
    let shapes = call.positional().iter().filter_map(|o| tensor_of(o)).map(|t| t.shape().to_vec()).collect();
    span(call.name, shapes, || native(call))
}

/// Whether PyTorch's profiler shows it: what its documentation has a row for.
fn is_operator(call: &Call<'_>) -> bool {
    matches!(call.name, "item" | "to" | "copy_" | "zero_" | "fill_") || call.operator.is_some_and(|o| !o.doc.is_empty())
}

/// Runs an operator as a span, if the program is profiled. `shapes` are those of the tensors it is given.
pub(super) fn span<T>(name: &str, shapes: Vec<Vec<usize>>, run: impl FnOnce() -> T) -> T {
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
pub(super) fn operator<T>(name: &str, operands: &[&PyObject], run: impl FnOnce() -> T) -> T {
    if !PROFILED.get() {
        return run();
    }
    let shapes = operands.iter().filter_map(|o| tensor_of(o)).map(|t| t.shape().to_vec()).collect();
    span(name, shapes, run)
}

/// The slow way in: `f(*args, **kwargs)`.
fn call_with_map(zelf: &PyObject, entry: &Entry, method: bool, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let FuncArgs { args: mut all, kwargs } = args;
    let positional = all.len();
    let mut names: Vec<PyObjectRef> = Vec::new();
    for (key, value) in kwargs {
        names.push(vm.ctx.new_str(key).into());
        all.push(value);
    }
    if let Some(result) = entry.elsewhere(zelf, method, &all, positional, Some(&names), vm)? {
        return Ok(result);
    }
    if let Some(call) = outdated::renewed(entry.outdated, method, &all, positional, Some(&names), vm)? {
        let run = if method { vectorcall_method } else { vectorcall_function };
        return run(zelf, call.args, call.positional, Some(&call.names), vm);
    }
    if !method && let Some(at) = names.iter().position(|name| text(name) == Some("out")) {
        return into_out(entry, all, positional, &names, at, vm);
    }
    let all = entry.under_autocast(all, vm)?;
    let bound = Call::new(entry.name, entry.operator, all, positional, (!names.is_empty()).then_some(&names[..]), vm);
    invoke(entry.call, if method { bound.on_object() } else { bound })
}

impl Callable for Function {
    type Args = FuncArgs;
    fn call(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        guard::native(vm, || call_with_map(zelf.as_object(), &zelf.entry, false, args, vm))
    }
}

impl Representable for Function {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<built-in method {} of type object at {:#x}>", zelf.entry.name, zelf.as_object().get_id()))
    }
}

#[pyclass(with(Callable, Representable), flags(DISALLOW_INSTANTIATION))]
impl Function {
    #[pygetset]
    fn __name__(zelf: &Py<Self>) -> &'static str {
        zelf.entry.name
    }

    #[pygetset]
    fn __qualname__(zelf: &Py<Self>) -> &'static str {
        zelf.entry.name
    }

    /// Copied and pickled by name.
    #[pymethod]
    fn __reduce__(zelf: &Py<Self>) -> &'static str {
        zelf.entry.name
    }
}

impl Callable for Method {
    type Args = FuncArgs;
    fn call(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        guard::native(vm, || call_with_map(zelf.as_object(), &zelf.entry, true, args, vm))
    }
}

/// A method bound to what it is found on, if that is no class.
pub(super) fn bound(method: &PyObject, object: Option<&PyObject>, vm: &VirtualMachine) -> PyObjectRef {
    match object {
        Some(object) => PyBoundMethod::new(object.to_owned(), method.to_owned()).into_ref(&vm.ctx).into(),
        None => method.to_owned(),
    }
}

impl GetDescriptor for Method {
    fn descr_get(zelf: &PyObject, obj: Option<&PyObject>, _cls: Option<&PyObject>, vm: &VirtualMachine) -> PyResult {
        Ok(bound(zelf, obj, vm))
    }
}

impl Representable for Method {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<method '{}' of 'torch._C.TensorBase' objects>", zelf.entry.name))
    }
}

#[pyclass(with(Callable, GetDescriptor, Representable), flags(METHOD_DESCRIPTOR, DISALLOW_INSTANTIATION))]
impl Method {
    #[pygetset]
    fn __name__(zelf: &Py<Self>) -> &'static str {
        zelf.entry.name
    }

    #[pygetset]
    fn __qualname__(zelf: &Py<Self>) -> String {
        format!("TensorBase.{}", zelf.entry.name)
    }

    #[pymethod]
    fn __reduce__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        of_class(zelf.entry.name, vm)
    }
}

/// What a method is pickled as: `getattr(torch.Tensor, name)`.
pub(super) fn of_class(name: &str, vm: &VirtualMachine) -> PyResult {
    let getattr = vm.builtins.get_attr("getattr", vm)?;
    let class: PyObjectRef = super::tensor::PyTensor::class(&vm.ctx).to_owned().into();
    Ok(vm.new_tuple((getattr, vm.new_tuple((class, vm.ctx.new_str(name))))).into())
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({})", self.entry.name)
    }
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Method({})", self.entry.name)
    }
}
