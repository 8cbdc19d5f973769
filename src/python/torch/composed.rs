//! Functions written in Python that stand beside native ones: a row checks their calls and stores what `out=` asks for.

use rustpython_vm::builtins::PyTuple;
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::types::{Callable, GetDescriptor, Representable};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyResult, Traverse, VirtualMachine, pyclass};

use super::args::Call;
use super::binding::{F, Row};
use super::convert::text;
use super::error::OrRaise;
use super::function;
use super::out;
use super::tensor::{tensor_of, wrap};
use super::{outdated, overrides, parts};
use crate::autograd;
use crate::ops::rows::{self, Operator};
use crate::tensor::destination;

/// What a function of Python is called, and what its row says.
#[derive(Clone, Traverse)]
struct Entry {
    #[pytraverse(skip)]
    name: &'static str,
    #[pytraverse(skip)]
    operator: Option<&'static Operator>,
    call: PyObjectRef,
    #[pytraverse(skip)]
    takes_out: bool,
    /// What PyTorch's operator records, if several do its work here.
    #[pytraverse(skip)]
    node: Option<&'static str>,
    /// The outdated way to call it.
    #[pytraverse(skip)]
    outdated: Option<outdated::Way>,
}

impl Entry {
    /// None if no row says anything about calls of that name.
    fn of(name: &str, call: &PyObject, method: bool, vm: &VirtualMachine) -> Option<Entry> {
        let node = one_node(name);
        let Some(operator) = rows::find(name).or_else(|| rows::find(name.strip_suffix('_')?)) else {
            let name = vm.ctx.intern_str(name).as_str();
            let call = call.to_owned();
            return node.map(|_| Entry { name, operator: None, call, takes_out: false, node, outdated: None });
        };
        let ways = if method { operator.method_signatures() } else { operator.function_signatures() };
        // Python itself says what does not fit a function of its own; a row adds `out=`.
        let known = ways.iter().any(|way| !way.hidden && (!way.python || way.takes("out")));
        let name = vm.ctx.intern_str(name).as_str();
        let takes_out = operator.function_signatures().iter().any(|way| way.takes("out"));
        let outdated = outdated::way(name, Some(operator));
        let entry = || Entry { name, operator: Some(operator), call: call.to_owned(), takes_out, node, outdated };
        (known || node.is_some()).then(entry)
    }

    /// Gives the tensors of a result the node of the one operator that they come from in PyTorch.
    fn named(&self, result: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let Some(node) = self.node else { return Ok(result) };
        if let Some(t) = tensor_of(&result) {
            return Ok(wrap(autograd::under(t, node).or_raise(vm)?, vm));
        }
        let Some(items) = result.downcast_ref::<PyTuple>() else { return Ok(result) };
        let named = items.iter().map(|item| match tensor_of(item) {
            Some(t) => Ok(wrap(autograd::under(t, node).or_raise(vm)?, vm)),
            None => Ok(item.clone()),
        });
        let named = vm.ctx.new_tuple(named.collect::<PyResult<Vec<_>>>()?);
        if result.class().is(vm.ctx.types.tuple_type) {
            return Ok(named.into());
        }
        result.class().as_object().call((named,), vm)
    }

    /// Refuses a call that fits none of the row's signatures.
    fn check(
        &self,
        args: &[PyObjectRef],
        positional: usize,
        names: Option<&[PyObjectRef]>,
        method: bool,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        let Some(operator) = self.operator.filter(|o| !o.function_signatures().iter().any(|way| way.python)) else {
            return Ok(());
        };
        let call = Call::new(self.name, Some(operator), args.to_vec(), positional, names, vm);
        if method { call.on_object() } else { call }.args()?.read_lists()
    }
}

/// The keywords of a call, with PyTorch's own names for those that are NumPy's: a function of Python has only `dim`, and `axis` means
/// the same. None if there are none.
fn respelled(
    operator: Option<&'static Operator>,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> Option<Vec<PyObjectRef>> {
    let (ways, names) = (operator?.function_signatures(), names?);
    let params = || ways.iter().filter(|way| !way.python).flat_map(|way| &way.params);
    let own = |name: &str| {
        let given = |other: &str| names.iter().any(|n| text(n) == Some(other));
        let known = params().any(|p| p.name == name);
        let meant = params().find(|p| p.other_names().contains(&name) && !given(p.name));
        meant.filter(|_| !known).map(|p| p.name)
    };
    if !names.iter().any(|name| text(name).and_then(own).is_some()) {
        return None;
    }
    let respell = |name: &PyObjectRef| -> PyObjectRef {
        text(name).and_then(own).map_or_else(|| name.clone(), |own| vm.ctx.new_str(own).into())
    };
    Some(names.iter().map(respell).collect())
}

fn one_node(name: &str) -> Option<&'static str> {
    rows::nodes::AS_ONE.iter().find(|(function, _)| *function == name).map(|(_, node)| *node)
}

// `torch.quantile`: does not bind when found in a class.
#[pyclass(module = false, name = "builtin_function_or_method", traverse)]
#[derive(PyPayload)]
pub(super) struct Composed {
    entry: Entry,
}

// `torch.Tensor.quantile`: binds to the tensor that it is found on.
#[pyclass(module = false, name = "method_descriptor", traverse)]
#[derive(PyPayload)]
pub(super) struct ComposedMethod {
    entry: Entry,
}

/// Makes the types. To be called before the first object of either.
pub(super) fn init() {
    Composed::make_static_type().slots().vectorcall.store(Some(call_function));
    ComposedMethod::make_static_type().slots().vectorcall.store(Some(call_method));
}

/// A function of Python as a method, with its calls checked if a row knows them.
pub(super) fn method(name: &str, call: &PyObject, vm: &VirtualMachine) -> PyObjectRef {
    match Entry::of(name, call, true, vm) {
        Some(entry) => ComposedMethod { entry }.into_ref(&vm.ctx).into(),
        None => call.to_owned(),
    }
}

fn call_function(
    zelf: &PyObject,
    mut args: Vec<PyObjectRef>,
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult {
    let Some(Composed { entry }) = zelf.downcast_ref::<Composed>().map(|f| &**f) else {
        return Err(vm.new_type_error("not a function"));
    };
    if let Some(result) = overrides::call(zelf, &args, positional, names, vm)? {
        return Ok(result);
    }
    if let Some(result) = parts::call(entry.name, entry.operator, false, &args, positional, names, vm)? {
        return Ok(result);
    }
    if let Some(call) = outdated::renewed(entry.outdated, false, &args, positional, names, vm)? {
        return call_function(zelf, call.args, call.positional, Some(&call.names), vm);
    }
    let at = names.and_then(|names| names.iter().position(|name| text(name) == Some("out")));
    let Some(at) = at.filter(|_| entry.takes_out) else {
        entry.check(&args, positional, names, false, vm)?;
        let own = respelled(entry.operator, names, vm);
        return entry.named(entry.call.vectorcall(args, positional, own.as_deref().or(names), vm)?, vm);
    };
    let given = args.remove(positional + at);
    let names: Vec<PyObjectRef> =
        names.unwrap_or_default().iter().enumerate().filter(|(i, _)| *i != at).map(|(_, n)| n.clone()).collect();
    let names = (!names.is_empty()).then_some(&names[..]);
    entry.check(&args, positional, names, false, vm)?;
    let own = respelled(entry.operator, names, vm);
    let names = own.as_deref().or(names);
    if vm.is_none(&given) {
        return entry.named(entry.call.vectorcall(args, positional, names, vm)?, vm);
    }
    out::check(entry.name, entry.operator, &given, &args, vm)?;
    let places = out::places(false, &given, &args, vm);
    let placed = !places.is_empty();
    let result = destination::with(places, || entry.call.vectorcall(args, positional, names, vm))?;
    out::store(entry.name, entry.operator, result, given, placed, vm)
}

fn call_method(
    zelf: &PyObject,
    args: Vec<PyObjectRef>,
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult {
    let Some(ComposedMethod { entry }) = zelf.downcast_ref::<ComposedMethod>().map(|f| &**f) else {
        return Err(vm.new_type_error("not a method"));
    };
    if let Some(result) = overrides::call(zelf, &args, positional, names, vm)? {
        return Ok(result);
    }
    if let Some(result) = parts::call(entry.name, entry.operator, true, &args, positional, names, vm)? {
        return Ok(result);
    }
    if let Some(call) = outdated::renewed(entry.outdated, true, &args, positional, names, vm)? {
        return call_method(zelf, call.args, call.positional, Some(&call.names), vm);
    }
    entry.check(&args, positional, names, true, vm)?;
    let own = respelled(entry.operator, names, vm);
    let names = own.as_deref().or(names);
    entry.named(entry.call.vectorcall(args, positional, names, vm)?, vm)
}

/// The slow way in: `f(*args, **kwargs)`.
fn with_map(
    args: FuncArgs,
    vm: &VirtualMachine,
    run: impl FnOnce(Vec<PyObjectRef>, usize, Option<&[PyObjectRef]>) -> PyResult,
) -> PyResult {
    let FuncArgs { args: mut all, kwargs } = args;
    let positional = all.len();
    let mut names: Vec<PyObjectRef> = Vec::new();
    for (key, value) in kwargs {
        names.push(vm.ctx.new_str(key).into());
        all.push(value);
    }
    run(all, positional, (!names.is_empty()).then_some(&names[..]))
}

impl Callable for Composed {
    type Args = FuncArgs;
    fn call(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        with_map(args, vm, |args, positional, names| call_function(zelf.as_object(), args, positional, names, vm))
    }
}

impl Representable for Composed {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<built-in method {} of type object at {:#x}>", zelf.entry.name, zelf.as_object().get_id()))
    }
}

#[pyclass(with(Callable, Representable), flags(DISALLOW_INSTANTIATION))]
impl Composed {
    #[pygetset]
    fn __name__(zelf: &Py<Self>) -> &'static str {
        zelf.entry.name
    }

    #[pygetset]
    fn __qualname__(zelf: &Py<Self>) -> &'static str {
        zelf.entry.name
    }

    #[pygetset]
    fn __doc__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        zelf.entry.call.get_attr("__doc__", vm)
    }

    #[pygetset]
    fn __wrapped__(zelf: &Py<Self>) -> PyObjectRef {
        zelf.entry.call.clone()
    }

    #[pygetset]
    fn __module__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        zelf.entry.call.get_attr("__module__", vm)
    }

    /// Copied and pickled by the name that its module has it under.
    #[pymethod]
    fn __reduce__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        zelf.entry.call.get_attr("__name__", vm)
    }
}

impl Callable for ComposedMethod {
    type Args = FuncArgs;
    fn call(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        with_map(args, vm, |args, positional, names| call_method(zelf.as_object(), args, positional, names, vm))
    }
}

impl GetDescriptor for ComposedMethod {
    fn descr_get(zelf: &PyObject, obj: Option<&PyObject>, _cls: Option<&PyObject>, vm: &VirtualMachine) -> PyResult {
        Ok(function::bound(zelf, obj, vm))
    }
}

impl Representable for ComposedMethod {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<method '{}' of 'torch._C.TensorBase' objects>", zelf.entry.name))
    }
}

#[pyclass(with(Callable, GetDescriptor, Representable), flags(METHOD_DESCRIPTOR, DISALLOW_INSTANTIATION))]
impl ComposedMethod {
    #[pygetset]
    fn __name__(zelf: &Py<Self>) -> &'static str {
        zelf.entry.name
    }

    #[pygetset]
    fn __qualname__(zelf: &Py<Self>) -> String {
        format!("TensorBase.{}", zelf.entry.name)
    }

    #[pygetset]
    fn __doc__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        zelf.entry.call.get_attr("__doc__", vm)
    }

    #[pygetset]
    fn __wrapped__(zelf: &Py<Self>) -> PyObjectRef {
        zelf.entry.call.clone()
    }

    #[pymethod]
    fn __reduce__(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        function::of_class(zelf.entry.name, vm)
    }
}

impl std::fmt::Debug for Composed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Composed({})", self.entry.name)
    }
}

impl std::fmt::Debug for ComposedMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ComposedMethod({})", self.entry.name)
    }
}

/// `_composed(name, function)`: the function, with its calls checked and `out=` if its row has them.
fn composed(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["name", "function"], 2)?;
    let own = a.required("function")?;
    Ok(match Entry::of(a.str("name")?.unwrap_or_default(), own, false, vm) {
        Some(entry) => Composed { entry }.into_ref(&vm.ctx).into(),
        None => own.clone(),
    })
}

/// `_with_out(name, function)`: the function, which then takes `out=` whether or not it has a row.
fn with_out(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["name", "function"], 2)?;
    let (name, own) = (a.str("name")?.unwrap_or_default(), a.required("function")?);
    let entry = Entry::of(name, own, false, vm).unwrap_or_else(|| Entry {
        name: vm.ctx.intern_str(name).as_str(),
        operator: None,
        call: own.clone(),
        takes_out: true,
        node: one_node(name),
        outdated: None,
    });
    Ok(Composed { entry: Entry { takes_out: true, ..entry } }.into_ref(&vm.ctx).into())
}

pub(super) const ROWS: &[&[Row]] = &[&[("_composed", F, composed), ("_with_out", F, with_out)]];
