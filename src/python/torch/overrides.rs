//! `__torch_function__`: classes of a program that take over the functions of torch for their objects.
//!
//! PyTorch asks these classes before it runs a function, with the function, its arguments and the classes found among them.
//! A class derived from `torch.Tensor` that doesn't implement the method itself inherits one that runs the function and makes
//! tensors of its result objects of that class.
//!
//! A call without such objects pays for a look at the classes of its arguments. Functions that are written in Python get
//! that look when a program first needs it, from `torch/overrides.py`.

use std::cell::{Cell, RefCell};

use rustpython_vm::builtins::{PyDict, PyDictRef, PyFunction, PyStr, PyTuple, PyType};
use rustpython_vm::function::{FuncArgs, PySetterValue};
use rustpython_vm::types::PyTypeFlags;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, Row};
use super::convert::{interned, sequence, text};
use super::error::OrRaise;
use super::parts;
use super::tensor::{PyTensor, adopt, tensor_of};
use crate::ops;

thread_local! {
    /// Whether a call may have to ask a class: there is a tensor of a program's class, a mode, or a program that mentions
    /// `__torch_function__`.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    /// Whether the package is loaded, and whether its functions that are written in Python also ask.
    static LOADED: Cell<bool> = const { Cell::new(false) };
    static INSTALLED: Cell<bool> = const { Cell::new(false) };
    /// How many times `DisableTorchFunctionSubclass` was entered.
    static OFF: Cell<u32> = const { Cell::new(0) };
    /// Entered `TorchFunctionMode`s, the innermost last.
    static MODES: RefCell<Vec<PyObjectRef>> = const { RefCell::new(Vec::new()) };
}

pub(super) const NOT_A_SUBCLASS: &str = "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class inherits from Tensor.";

/// Functions that PyTorch never asks about.
const OWN: &[&str] = &["as_tensor", "tensor", "from_numpy", "is_tensor", "as_subclass", "new_tensor"];

/// Forgets a program.
pub(crate) fn reset() {
    WATCHED.set(false);
    OFF.set(0);
    MODES.take();
}

/// The package's functions can't ask before it's whole.
pub(super) fn torch_is_loading() {
    LOADED.set(false);
    INSTALLED.set(false);
}

pub(super) fn torch_is_loaded() {
    LOADED.set(true);
}

/// Notes a program's source: a class that is no tensor can only be noticed in its text before it's used.
pub(crate) fn read_source(source: &str) {
    if source.contains("__torch_function__") || source.contains("TorchFunctionMode") {
        WATCHED.set(true);
    }
}

/// A tensor of `class` is made.
pub(super) fn class_is_used(class: &Py<PyType>, vm: &VirtualMachine) -> PyResult<()> {
    if !WATCHED.get() && takes_over(class, vm).is_some() {
        WATCHED.set(true);
    }
    if WATCHED.get() { install(vm) } else { Ok(()) }
}

/// Has the functions that are written in Python ask as well.
#[cold]
fn install(vm: &VirtualMachine) -> PyResult<()> {
    if INSTALLED.get() || !LOADED.get() {
        return Ok(());
    }
    INSTALLED.set(true);
    parts::module("torch.overrides", vm)?.get_attr("_install", vm)?.call((), vm).map(drop)
}

/// The class's `__torch_function__`, if it has one that isn't switched off as `Parameter`'s is.
fn takes_over(class: &Py<PyType>, vm: &VirtualMachine) -> Option<PyObjectRef> {
    let plain = !class.slots().flags.has_feature(PyTypeFlags::HEAPTYPE) || class.is(PyTensor::class(&vm.ctx));
    if plain {
        return None;
    }
    let own = class.get_attr(interned!("__torch_function__", vm)).filter(|own| !vm.is_none(own))?;
    (!is_disabled(&own, vm)).then_some(own)
}

/// Whether calls with objects of the class ask it.
pub(super) fn is_taken_over(class: &Py<PyType>, vm: &VirtualMachine) -> bool {
    takes_over(class, vm).is_some()
}

/// Whether it's one of torch's own classes derived from `Tensor`, such as `Parameter`.
pub(super) fn is_of_torch(class: &Py<PyType>, vm: &VirtualMachine) -> bool {
    class.as_object().get_attr("__module__", vm).is_ok_and(|module| text(&module) == Some("torch.nn.parameter"))
}

/// Whether a tensor of a program's class is a parameter: its class derives from `Parameter`, or it's marked as one.
pub(super) fn is_parameter(object: &PyObject, vm: &VirtualMachine) -> bool {
    let own = object.class().get_attr(interned!("__torch_function__", vm));
    own.is_some_and(|own| is_disabled(&own, vm)) || object.get_attr("_is_param", vm).is_ok()
}

fn is_disabled(method: &PyObject, vm: &VirtualMachine) -> bool {
    method.get_attr("__name__", vm).is_ok_and(|name| text(&name) == Some("_disabled_torch_function_impl"))
}

/// Whether an argument could be an object of such a class although nothing announced one.
#[inline]
fn is_foreign(object: &PyObject) -> bool {
    let is_of_program = object.class().slots().flags.has_feature(PyTypeFlags::HEAPTYPE);
    // `torch.Size` is a tuple.
    is_of_program && tensor_of(object).is_none() && object.downcast_ref::<PyTuple>().is_none()
}

/// The objects that have to be asked, in PyTorch's order: each class once, a class before those it derives from.
fn overloaded(args: &[PyObjectRef], vm: &VirtualMachine) -> Vec<PyObjectRef> {
    let mut found: Vec<PyObjectRef> = Vec::new();
    if OFF.get() > 0 {
        return found;
    }
    let mut add = |object: &PyObjectRef| {
        if takes_over(object.class(), vm).is_none() || found.iter().any(|other| other.class().is(object.class())) {
            return;
        }
        let at = found.iter().position(|other| object.class().fast_issubclass(other.class()));
        found.insert(at.unwrap_or(found.len()), object.clone());
    };
    for object in args {
        match sequence(object) {
            Some(items) => items.iter().for_each(&mut add),
            None => add(object),
        }
    }
    found
}

/// The result of a call that a class or a mode takes over; `None` if none does.
///
/// # Errors
/// Those of the program's method, and PyTorch's error if every method returns `NotImplemented`.
#[inline]
pub(super) fn call(
    function: &PyObject,
    args: &[PyObjectRef],
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    if may_take_over(args) { answer(function, args, positional, names, vm) } else { Ok(None) }
}

/// Whether a class of the program could be among the arguments'.
#[inline]
pub(super) fn may_take_over(args: &[PyObjectRef]) -> bool {
    WATCHED.get() || args.iter().any(|object| is_foreign(object))
}

/// As [`call`], for Python's own operators: `name` is the method of `Tensor` that PyTorch names then.
#[inline]
pub(super) fn operator(
    name: &'static str,
    operands: &[&PyObject],
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    // A class that is no tensor has operators of its own.
    if !WATCHED.get() {
        return Ok(None);
    }
    of_method(name, operands, vm)
}

#[cold]
fn of_method(name: &'static str, operands: &[&PyObject], vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    let args: Vec<PyObjectRef> = operands.iter().map(|&o| o.to_owned()).collect();
    let class = PyTensor::class(&vm.ctx);
    let Some(method) = class.get_attr(vm.ctx.intern_str(name)) else { return Ok(None) };
    answer(&method, &args, args.len(), None, vm)
}

/// Whether a call may have to ask a class.
#[inline]
pub(super) fn are_watched() -> bool {
    WATCHED.get()
}

/// The value of an attribute of the class `Tensor` that is computed, such as `shape`, if a class takes it over.
#[cold]
pub(super) fn attribute(object: &PyObject, name: &Py<PyStr>, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    match computed(object, name, vm) {
        Some(own) => answer(&*own.get_attr("__get__", vm)?, &[object.to_owned()], 1, None, vm),
        None => Ok(None),
    }
}

/// Whether a class took over that such an attribute was set, or deleted.
#[cold]
pub(super) fn set_attribute(
    object: &PyObject,
    name: &Py<PyStr>,
    value: &PySetterValue,
    vm: &VirtualMachine,
) -> PyResult<bool> {
    let Some(own) = computed(object, name, vm) else { return Ok(false) };
    let (setter, args) = match value {
        PySetterValue::Assign(value) => ("__set__", vec![object.to_owned(), value.clone()]),
        PySetterValue::Delete => ("__delete__", vec![object.to_owned()]),
    };
    Ok(answer(&*own.get_attr(setter, vm)?, &args, args.len(), None, vm)?.is_some())
}

/// The descriptor of a computed attribute about which a class or a mode has to be asked.
fn computed(object: &PyObject, name: &Py<PyStr>, vm: &VirtualMachine) -> Option<PyObjectRef> {
    // Every object has those with underscores.
    let name = vm.ctx.interned_str(name).filter(|name| !name.as_str().starts_with("__"))?;
    let own = PyTensor::class(&vm.ctx).get_attr(name)?;
    let is_computed = own.class().is(vm.ctx.types.getset_type) || own.class().is(vm.ctx.types.property_type);
    let is_shown = object.class().get_attr(name).is_some_and(|found| found.is(&own));
    let nobody = || MODES.with_borrow(Vec::is_empty) && overloaded(&[object.to_owned()], vm).is_empty();
    (is_computed && is_shown && !nobody()).then_some(own)
}

#[cold]
fn answer(
    function: &PyObject,
    args: &[PyObjectRef],
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    if WATCHED.get() {
        install(vm)?;
    }
    let found = overloaded(args, vm);
    let mode = MODES.with_borrow_mut(Vec::pop);
    if mode.is_none() && found.is_empty() {
        return Ok(None);
    }
    let name = function.get_attr("__name__", vm)?;
    let always = || found.iter().any(|object| object.class().get_attr(interned!("_is_asked_always", vm)).is_some());
    if OWN.contains(&text(&name).unwrap_or_default()) && !always() {
        MODES.with_borrow_mut(|modes| modes.extend(mode));
        return Ok(None);
    }
    let asked = Asked { function, args, positional, names, found: &found };
    if let Some(mode) = mode {
        let method = mode.get_attr("__torch_function__", vm);
        let result = method.and_then(|method| asked.ask(&method, vm));
        MODES.with_borrow_mut(|modes| modes.push(mode));
        let result = result?;
        if !result.is(&vm.ctx.not_implemented) {
            return Ok(Some(result));
        }
        if found.is_empty() {
            return Err(asked.refused(vm));
        }
    }
    for object in &found {
        let result = match inherits(object.class(), vm) {
            true => asked.by_default(object.class(), vm)?,
            false => asked.ask(&*object.get_attr("__torch_function__", vm)?, vm)?,
        };
        if !result.is(&vm.ctx.not_implemented) {
            return Ok(Some(result));
        }
    }
    Err(asked.refused(vm))
}

/// Whether the class's method is that of `Tensor`.
fn inherits(class: &Py<PyType>, vm: &VirtualMachine) -> bool {
    let of = |class: &Py<PyType>| class.get_attr(interned!("__torch_function__", vm));
    matches!((of(class), of(PyTensor::class(&vm.ctx))), (Some(own), Some(inherited)) if own.is(&inherited))
}

/// A call about which classes are asked.
struct Asked<'a> {
    function: &'a PyObject,
    args: &'a [PyObjectRef],
    positional: usize,
    names: Option<&'a [PyObjectRef]>,
    found: &'a [PyObjectRef],
}

impl Asked<'_> {
    fn types(&self, vm: &VirtualMachine) -> PyRef<PyTuple> {
        let mut kinds: Vec<PyObjectRef> = self.found.iter().map(|object| object.class().to_owned().into()).collect();
        // Where PyTorch asks in Python, it also counts plain tensors.
        let class = PyTensor::class(&vm.ctx);
        let is_python = self.function.downcast_ref::<PyFunction>().is_some() || is_getter(self.function, vm);
        if is_python && self.args.iter().any(|object| object.class().is(class)) {
            kinds.push(class.to_owned().into());
        }
        vm.ctx.new_tuple(kinds)
    }

    /// `method(function, types, args, kwargs)`; without keyword arguments, PyTorch leaves out the last.
    fn ask(&self, method: &PyObject, vm: &VirtualMachine) -> PyResult {
        let args = vm.ctx.new_tuple(self.args[..self.positional].to_vec());
        let mut given: Vec<PyObjectRef> = vec![self.function.to_owned(), self.types(vm).into(), args.into()];
        if let Some(names) = self.names.filter(|names| !names.is_empty()) {
            let kwargs = vm.ctx.new_dict();
            for (name, value) in names.iter().zip(&self.args[self.positional..]) {
                kwargs.set_item(&**name, value.clone(), vm)?;
            }
            given.push(kwargs.into());
        }
        method.call(given, vm)
    }

    /// What `Tensor.__torch_function__` does.
    fn by_default(&self, class: &Py<PyType>, vm: &VirtualMachine) -> PyResult {
        if !self.found.iter().all(|object| class.fast_issubclass(object.class())) {
            return Ok(vm.ctx.not_implemented());
        }
        run(self.function, self.args.to_vec(), self.positional, self.names, class, vm)
    }

    fn refused(&self, vm: &VirtualMachine) -> rustpython_vm::builtins::PyBaseExceptionRef {
        let name = |attribute: &'static str| {
            let found = self.function.get_attr(attribute, vm).ok()?;
            text(&found).map(str::to_string)
        };
        let shown = |object: &PyObjectRef| {
            let class = object.class().as_object().repr(vm).map(|text| text.to_string_lossy().into_owned());
            class.unwrap_or_default()
        };
        let module = name("__module__").unwrap_or_else(|| "torch".into());
        if self.function.downcast_ref::<PyFunction>().is_some() {
            let home = if module.starts_with("torch.nn") { module } else { "torch.functional".into() };
            let name = name("__name__").unwrap_or_default();
            let kinds: Vec<String> = self.found.iter().map(shown).collect();
            return vm.new_type_error(format!(
                "no implementation found for '{home}.{name}' on types that implement __torch_function__: [{}]",
                kinds.join(", ")
            ));
        }
        let mut out = format!(
            "Multiple dispatch failed for '{module}.{}'; all __torch_function__ handlers returned NotImplemented:\n\n",
            name("__name__").unwrap_or_default()
        );
        for object in self.found {
            out += &format!("  - tensor subclass {}\n", shown(object));
        }
        out += "\nFor more information, try re-running with TORCH_LOGS=not_implemented";
        vm.new_type_error(out)
    }
}

/// Runs something with `__torch_function__` of classes switched off.
fn without<T>(run: impl FnOnce() -> T) -> T {
    struct Off;
    impl Drop for Off {
        fn drop(&mut self) {
            // A program may have been forgotten meanwhile.
            OFF.set(OFF.get().saturating_sub(1));
        }
    }
    OFF.set(OFF.get() + 1);
    let _off = Off;
    run()
}

fn is_getter(function: &PyObject, vm: &VirtualMachine) -> bool {
    function.get_attr("__self__", vm).is_ok_and(|own| own.class().is(vm.ctx.types.getset_type))
}

/// Attributes whose value the class doesn't convert.
fn is_kept(function: &PyObject, vm: &VirtualMachine) -> bool {
    let name = || function.get_attr("__self__", vm)?.get_attr("__name__", vm);
    is_getter(function, vm) && name().is_ok_and(|name| matches!(text(&name), Some("grad" | "_base")))
}

/// A result with its tensors as objects of `class`.
fn converted(result: PyObjectRef, class: &Py<PyType>, vm: &VirtualMachine) -> PyResult {
    if class.is(PyTensor::class(&vm.ctx)) {
        return Ok(result);
    }
    if tensor_of(&result).is_some() {
        return if result.class().fast_issubclass(class) { Ok(result) } else { as_class(&result, class, vm) };
    }
    let Some(items) = sequence(&result) else { return Ok(result) };
    let items = items.into_iter().map(|item| converted(item, class, vm)).collect::<PyResult<Vec<_>>>()?;
    let items = vm.ctx.new_list(items);
    result.class().as_object().call((items,), vm)
}

/// A tensor over the same storage and in the same graph, as an object of `class`.
fn as_class(object: &PyObject, class: &Py<PyType>, vm: &VirtualMachine) -> PyResult {
    let Some(t) = tensor_of(object) else { return Err(vm.new_type_error("not a tensor")) };
    if t.has_parts() {
        return Ok(object.to_owned());
    }
    class_is_used(class, vm)?;
    ops::view::alias(t).or_raise(vm).map(|t| adopt(t, class.to_owned()))
}

/// `_as_class(tensor, cls)`: `tensor.as_subclass(cls)`.
fn as_class_of(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["self", "cls"], 2)?;
    let (object, class) = (a.required("self")?, a.required("cls")?);
    let Some(class) = class.downcast_ref::<PyType>() else {
        let given = class.class().name().to_string();
        return Err(vm.new_type_error(format!("cls must be a type (got {given})")));
    };
    if !class.fast_issubclass(PyTensor::class(&vm.ctx)) {
        return Err(vm.new_type_error(NOT_A_SUBCLASS));
    }
    as_class(object, class, vm)
}

/// `Tensor.__torch_function__(cls, func, types, args=(), kwargs=None)`.
pub(super) fn by_default(class: &Py<PyType>, given: &FuncArgs, vm: &VirtualMachine) -> PyResult {
    let one = |at: usize, name: &str| given.args.get(at).or_else(|| given.kwargs.get(name)).cloned();
    let (Some(function), Some(types)) = (one(0, "func"), one(1, "types")) else {
        return Err(vm.new_type_error("Tensor.__torch_function__() needs 'func' and 'types'"));
    };
    for kind in types.try_to_value::<Vec<PyObjectRef>>(vm)? {
        if kind.downcast_ref::<PyType>().is_some_and(|kind| !class.fast_issubclass(kind)) {
            return Ok(vm.ctx.not_implemented());
        }
    }
    run_unpacked(&function, one(2, "args"), one(3, "kwargs"), class, vm)
}

/// As [`run`], with the arguments as a tuple and a dictionary.
fn run_unpacked(
    function: &PyObject,
    args: Option<PyObjectRef>,
    kwargs: Option<PyObjectRef>,
    class: &Py<PyType>,
    vm: &VirtualMachine,
) -> PyResult {
    let mut all = args.map_or_else(|| Ok(Vec::new()), |args| args.try_to_value::<Vec<PyObjectRef>>(vm))?;
    let positional = all.len();
    let names = unpacked(&mut all, kwargs.as_deref());
    run(function, all, positional, (!names.is_empty()).then_some(&names[..]), class, vm)
}

/// The function itself, with its tensors as objects of `class`.
fn run(
    function: &PyObject,
    args: Vec<PyObjectRef>,
    positional: usize,
    names: Option<&[PyObjectRef]>,
    class: &Py<PyType>,
    vm: &VirtualMachine,
) -> PyResult {
    let result = without(|| function.vectorcall(args, positional, names, vm))?;
    if is_kept(function, vm) { Ok(result) } else { converted(result, class, vm) }
}

/// Adds the values of a dictionary of keyword arguments to `args`, and returns their names.
fn unpacked(args: &mut Vec<PyObjectRef>, kwargs: Option<&PyObject>) -> Vec<PyObjectRef> {
    let Some(kwargs) = kwargs.and_then(|kwargs| kwargs.downcast_ref::<PyDict>()) else { return Vec::new() };
    let kwargs: PyDictRef = kwargs.to_owned();
    let mut names = Vec::new();
    for (name, value) in kwargs {
        names.push(name);
        args.push(value);
    }
    names
}

/// `_overridden(function, args, kwargs, ask=True)`: for a function of Python, what takes it over gives, in a list; `None` if
/// nothing does. With `False`, 0 if nothing does, 1 if only classes do that inherit the method of `Tensor`, otherwise 2.
fn overridden(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let [function, args, kwargs, ask @ ..] = call.positional() else { return Ok(vm.ctx.none()) };
    let mut all = sequence(args).unwrap_or_default();
    let positional = all.len();
    let names = unpacked(&mut all, Some(kwargs));
    if !ask.is_empty() {
        let found = if may_take_over(&all) { overloaded(&all, vm) } else { Vec::new() };
        let is_usual = MODES.with_borrow(Vec::is_empty) && found.iter().all(|object| inherits(object.class(), vm));
        return Ok(vm.ctx.new_int(if !is_usual { 2 } else { i32::from(!found.is_empty()) }).into());
    }
    Ok(match self::call(function, &all, positional, Some(&names), vm)? {
        Some(result) => vm.ctx.new_list(vec![result]).into(),
        None => vm.ctx.none(),
    })
}

/// `_torch_function_off(change)`: switches `__torch_function__` of classes off, for 1, or on again, for -1; says whether it is
/// on.
fn switch(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["change"], 0)?;
    match a.int_or(0, 0)? {
        1 => OFF.set(OFF.get() + 1),
        -1 => OFF.set(OFF.get().saturating_sub(1)),
        _ => {}
    }
    Ok(vm.ctx.new_bool(OFF.get() == 0).into())
}

/// `_torch_function_modes(modes)`: sets the modes that are entered, if they're given, and returns those that were.
fn modes(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let before = match call.positional().first().and_then(|given| sequence(given)) {
        Some(given) => {
            WATCHED.set(true);
            install(vm)?;
            MODES.replace(given)
        }
        None => MODES.with_borrow(Clone::clone),
    };
    Ok(vm.ctx.new_list(before).into())
}

/// `_disabled_torch_function_impl(func, types, args=(), kwargs=None)`: the function itself. A class that has this isn't asked.
fn disabled(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["func", "types", "args", "kwargs"], 2)?;
    run_unpacked(a.required("func")?, a.get("args").cloned(), a.get("kwargs").cloned(), PyTensor::class(&vm.ctx), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_as_class", F, as_class_of),
    ("_overridden", F, overridden),
    ("_torch_function_off", F, switch),
    ("_torch_function_modes", F, modes),
    ("_disabled_torch_function_impl", F, disabled),
]];
