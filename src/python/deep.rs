//! Chains of objects, each of which holds the next: when the interpreter follows one natively, it raises `RecursionError`
//! before the stack overflows, as in CPython, and a chain of generators, or of objects with `__del__`, is dropped without recursion.
//!
//! The interpreter itself guards `repr`, comparisons and Python calls. It doesn't guard iterators over iterators, methods of
//! methods and generators of generators. Those go through slots of its classes, and this module replaces the slots.

use std::cell::{Cell, RefCell};
use std::mem;
use std::ptr::NonNull;
use std::thread::LocalKey;

use rustpython_vm::builtins::{PyAsyncGen, PyCoroutine, PyFunction, PyGenerator, PyStr, PyType, PyTypeRef};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::gc_state::{current_owner, gc_state};
use rustpython_vm::protocol::{PyIterReturn, PyMapping, PySequence};
use rustpython_vm::types::{Destructor, PyTypeFlags};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::interrupt;

type Next = fn(&PyObject, &VirtualMachine) -> PyResult<PyIterReturn>;
type Call = fn(&PyObject, FuncArgs, &VirtualMachine) -> PyResult;
type VectorCall = fn(&PyObject, Vec<PyObjectRef>, usize, Option<&[PyObjectRef]>, &VirtualMachine) -> PyResult;
type Delete = fn(&PyObject, &VirtualMachine) -> PyResult<()>;
type Attribute = fn(&PyObject, &Py<PyStr>, &VirtualMachine) -> PyResult;
type Iter = fn(PyObjectRef, &VirtualMachine) -> PyResult;
type Length = fn(PyMapping<'_>, &VirtualMachine) -> PyResult<usize>;
type SequenceLength = fn(PySequence<'_>, &VirtualMachine) -> PyResult<usize>;
type Subscript = fn(PyMapping<'_>, &PyObject, &VirtualMachine) -> PyResult;
type Contains = fn(PySequence<'_>, &PyObject, &VirtualMachine) -> PyResult<bool>;
type Binary = fn(&PyObject, &PyObject, &VirtualMachine) -> PyResult;
type New = fn(PyTypeRef, FuncArgs, &VirtualMachine) -> PyResult;

/// The previous function in a slot of each class. Classes are made once per thread.
type Slots<F> = RefCell<Vec<(*const Py<PyType>, F)>>;

thread_local! {
    static INSTALLED: Cell<bool> = const { Cell::new(false) };
    static NEXT: Slots<Next> = const { RefCell::new(Vec::new()) };
    static RANGE: Cell<Option<Next>> = const { Cell::new(None) };
    static LONG_RANGE: Cell<Option<Next>> = const { Cell::new(None) };
    static CALL: Slots<Call> = const { RefCell::new(Vec::new()) };
    static VECTOR_CALL: Slots<VectorCall> = const { RefCell::new(Vec::new()) };
    /// How many exceptions' texts are being made within each other, and whether one was too deep.
    static TEXTS: Cell<usize> = const { Cell::new(0) };
    static TOO_DEEP: Cell<bool> = const { Cell::new(false) };
    static ATTRIBUTE: Slots<Attribute> = const { RefCell::new(Vec::new()) };
    static ITER: Slots<Iter> = const { RefCell::new(Vec::new()) };
    static LENGTH: Slots<Length> = const { RefCell::new(Vec::new()) };
    static SEQUENCE_LENGTH: Slots<SequenceLength> = const { RefCell::new(Vec::new()) };
    static SUBSCRIPT: Slots<Subscript> = const { RefCell::new(Vec::new()) };
    static CONTAINS: Slots<Contains> = const { RefCell::new(Vec::new()) };
    static UNION: Slots<Binary> = const { RefCell::new(Vec::new()) };
    /// How classes are made.
    static NEW_CLASS: Cell<Option<New>> = const { Cell::new(None) };
    /// How many objects are being ended inside each other, and those that wait to be ended.
    static ENDING: Cell<usize> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<(PyObjectRef, Delete)>> = const { RefCell::new(Vec::new()) };
}

/// Puts `$guarded` into a slot of a class that has one, and keeps what stood there in `$table`.
macro_rules! exchange {
    ($class:expr, $($slot:ident).+, $table:ident, $guarded:expr) => {
        if let Some(before) = $class.slots.$($slot).+.load() {
            $table.with_borrow_mut(|slots| slots.push(($class, before)));
            $class.slots.$($slot).+.store(Some($guarded));
        }
    };
}

/// Guards the slots of this thread's classes.
pub(super) fn guard(vm: &VirtualMachine) -> PyResult<()> {
    if INSTALLED.replace(true) {
        return Ok(());
    }
    let types = &vm.ctx.types;
    types.generator_type.slots.del.store(Some(delete::<PyGenerator>));
    types.coroutine_type.slots.del.store(Some(delete::<PyCoroutine>));
    types.async_generator.slots.del.store(Some(delete::<PyAsyncGen>));
    for class in [types.map_type, types.filter_type, types.zip_type, types.enumerate_type, types.callable_iterator] {
        guard_next(class);
    }
    // A range holds no iterator, so that only Stop has to be heard.
    let range = &types.range_iterator_type.slots.iternext;
    RANGE.set(range.load());
    range.store(Some(next_of_range));
    let range = &types.long_range_iterator_type.slots.iternext;
    LONG_RANGE.set(range.load());
    range.store(Some(next_of_long_range));
    // A function that takes the iterators of ten million arguments (`zip(*rows)`) runs no instruction meanwhile.
    for class in [types.list_type, types.tuple_type, types.range_type] {
        exchange!(class, iter, ITER, iterated);
    }
    let module = vm.import("itertools", 0)?;
    for (_, value) in module.dict().iter().flatten() {
        if let Some(class) = value.downcast_ref::<PyType>() {
            guard_next(class);
        }
    }
    for class in [types.bound_method_type, types.staticmethod_type, types.generic_alias_type] {
        exchange!(class, call, CALL, call);
        exchange!(class, vectorcall, VECTOR_CALL, vector_call);
    }
    for class in [types.bound_method_type, types.generic_alias_type, types.property_type, types.mappingproxy_type] {
        exchange!(class, getattro, ATTRIBUTE, attribute);
    }
    // Files in files: each asks the next by an attribute's name.
    if let Ok(files) = vm.import("_io", 0) {
        for name in ["BufferedReader", "BufferedWriter", "BufferedRandom", "BufferedRWPair", "TextIOWrapper"] {
            let Ok(Ok(class)) = files.get_attr(name, vm).map(|class| class.downcast::<PyType>()) else { continue };
            if is_static(&class) {
                exchange!(&*class, getattro, ATTRIBUTE, attribute);
            }
        }
    }
    let proxy = types.mappingproxy_type;
    exchange!(proxy, iter, ITER, iter);
    exchange!(proxy, as_mapping.length, LENGTH, length);
    exchange!(proxy, as_sequence.length, SEQUENCE_LENGTH, sequence_length);
    exchange!(proxy, as_mapping.subscript, SUBSCRIPT, subscript);
    exchange!(proxy, as_sequence.contains, CONTAINS, contains);
    exchange!(proxy, as_number.or, UNION, union);
    guard_text(vm.ctx.exceptions.base_exception_type, vm);
    guard_text(vm.ctx.exceptions.key_error, vm);
    let name = vm.ctx.intern_str("__dir__");
    if let Some(before) = types.generic_alias_type.get_attr(name) {
        let guarded =
            move |args: FuncArgs, vm: &VirtualMachine| -> PyResult { vm.with_recursion("", || before.call(args, vm)) };
        types.generic_alias_type.set_attr(name, vm.new_method("__dir__", types.generic_alias_type, guarded).into());
    }
    guard_drops(vm);
    guard_finalizers(vm);
    Ok(())
}

/// `str` of an exception is `str` of what it holds. If that raises, the interpreter prints a fixed message instead, so it's raised again at
/// the outermost.
fn guard_text(class: &'static Py<PyType>, vm: &VirtualMachine) {
    let name = vm.ctx.intern_str("__str__");
    let Some(before) = class.get_attr(name) else { return };
    let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
        let outer = TEXTS.replace(TEXTS.get() + 1);
        let result = vm.with_recursion("", || before.call(args, vm));
        TEXTS.set(outer);
        if result.as_ref().is_err_and(|error| error.fast_isinstance(vm.ctx.exceptions.recursion_error)) {
            TOO_DEEP.set(true);
        }
        if outer == 0 && TOO_DEEP.replace(false) {
            return Err(vm.new_recursion_error("maximum recursion depth exceeded while getting the str of an object"));
        }
        result
    };
    class.set_attr(name, vm.new_method("__str__", class, guarded).into());
}

/// Classes whose objects hold others and whose garbage the collector doesn't look for.
fn guard_drops(vm: &VirtualMachine) {
    let types = &vm.ctx.types;
    for class in [
        types.frozenset_type,
        types.generic_alias_type,
        types.code_type,
        types.weakref_type,
        types.weakproxy_type,
        types.weakcallableproxy_type,
    ] {
        guard_drop(class, vm);
    }
    let more = [
        ("_operator", &["itemgetter", "methodcaller"][..]),
        ("_typing", &["TypeAliasType", "ParamSpecArgs", "ParamSpecKwargs"]),
        ("_pickle", &["PickleBuffer"]),
    ];
    for (module, names) in more {
        let Ok(module) = vm.import(module, 0) else { continue };
        for name in names {
            let Ok(Ok(class)) = module.get_attr(*name, vm).map(|class| class.downcast::<PyType>()) else { continue };
            if is_static(&class) {
                // The class is the thread's, as what guards it.
                let class: &'static PyTypeRef = Box::leak(Box::new(class));
                guard_drop(class, vm);
            }
        }
    }
}

fn guard_drop(class: &'static Py<PyType>, vm: &VirtualMachine) {
    if class.slots.del.load().is_some() {
        return;
    }
    if class.slots.flags.has_feature(PyTypeFlags::BASETYPE) {
        // Classes that the program defines inherit the slot, and the interpreter then looks for the method behind it.
        let nothing = vm.new_method("__del__", class, |_object: PyObjectRef| {});
        class.set_attr(vm.ctx.intern_str("__del__"), nothing.into());
    }
    class.slots.del_needed.store(Some(track_dying));
    class.slots.del.store(Some(|_, _| Ok(())));
}

/// The interpreter asks this of an object that is about to be dropped, before it decides how.
fn track_dying(object: &PyObject) -> bool {
    if !object.is_gc_tracked() {
        // SAFETY: the object is whole, in no list yet, and leaves this one right before its memory is freed.
        unsafe { gc_state().track_object(NonNull::from(object), current_owner()) };
    }
    false
}

/// Whether the class lives as long as the thread, so that its address can't be reused.
fn is_static(class: &Py<PyType>) -> bool {
    class.heaptype_ext.is_none()
}

fn guard_next(class: &Py<PyType>) {
    if is_static(class) {
        exchange!(class, iternext, NEXT, next);
    }
}

/// The previous function in the slot of `object`'s class, or of the class from which it inherited the slot.
fn before<F: Copy>(table: &'static LocalKey<Slots<F>>, object: &PyObject) -> Option<F> {
    table.with_borrow(|slots| {
        let of =
            |class: *const Py<PyType>| slots.iter().find(|(known, _)| std::ptr::eq(*known, class)).map(|slot| slot.1);
        of(object.class()).or_else(|| object.class().mro.read().iter().find_map(|class| of(&**class)))
    })
}

/// Calls the previous function of the slot, after checking the stack.
fn guarded<F: Copy, R>(
    table: &'static LocalKey<Slots<F>>,
    object: &PyObject,
    vm: &VirtualMachine,
    run: impl FnOnce(F) -> PyResult<R>,
) -> PyResult<R> {
    let Some(slot) = before(table, object) else {
        return Err(vm.new_system_error("a slot of a class that has none"));
    };
    vm.with_recursion("", || run(slot))
}

/// The next item. Native code that takes very many (`set(itertools.count())`) runs no instruction that would look for Stop.
fn next(object: &PyObject, vm: &VirtualMachine) -> PyResult<PyIterReturn> {
    interrupt::count(vm)?;
    guarded(&NEXT, object, vm, |slot| slot(object, vm))
}

fn next_of_range(object: &PyObject, vm: &VirtualMachine) -> PyResult<PyIterReturn> {
    interrupt::count(vm)?;
    RANGE.get().map_or(Ok(PyIterReturn::StopIteration(None)), |next| next(object, vm))
}

fn next_of_long_range(object: &PyObject, vm: &VirtualMachine) -> PyResult<PyIterReturn> {
    interrupt::count(vm)?;
    LONG_RANGE.get().map_or(Ok(PyIterReturn::StopIteration(None)), |next| next(object, vm))
}

fn attribute(object: &PyObject, name: &Py<PyStr>, vm: &VirtualMachine) -> PyResult {
    guarded(&ATTRIBUTE, object, vm, |slot| slot(object, name, vm))
}

fn iter(object: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let of = object.clone();
    guarded(&ITER, &of, vm, |slot| slot(object, vm))
}

fn iterated(object: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    interrupt::count(vm)?;
    match before(&ITER, &object) {
        Some(slot) => slot(object, vm),
        None => Err(vm.new_system_error("a slot of a class that has none")),
    }
}

fn length(mapping: PyMapping<'_>, vm: &VirtualMachine) -> PyResult<usize> {
    guarded(&LENGTH, mapping.obj, vm, |slot| slot(mapping, vm))
}

fn sequence_length(sequence: PySequence<'_>, vm: &VirtualMachine) -> PyResult<usize> {
    guarded(&SEQUENCE_LENGTH, sequence.obj, vm, |slot| slot(sequence, vm))
}

fn subscript(mapping: PyMapping<'_>, key: &PyObject, vm: &VirtualMachine) -> PyResult {
    guarded(&SUBSCRIPT, mapping.obj, vm, |slot| slot(mapping, key, vm))
}

fn contains(sequence: PySequence<'_>, item: &PyObject, vm: &VirtualMachine) -> PyResult<bool> {
    guarded(&CONTAINS, sequence.obj, vm, |slot| slot(sequence, item, vm))
}

fn union(a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    let of = if before(&UNION, a).is_some() { a } else { b };
    guarded(&UNION, of, vm, |slot| slot(a, b, vm))
}

fn call(object: &PyObject, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    guarded(&CALL, object, vm, |slot| slot(object, args, vm))
}

fn vector_call(
    object: &PyObject,
    args: Vec<PyObjectRef>,
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult {
    guarded(&VECTOR_CALL, object, vm, |slot| slot(object, args, positional, names, vm))
}

/// How many objects may be ended inside each other.
const NESTED: usize = 50;

/// Closes a generator that nothing holds any more. This drops what the generator holds, which may be another generator.
fn delete<T: Destructor>(object: &PyObject, vm: &VirtualMachine) -> PyResult<()> {
    in_turn(object, T::slot_del, vm)
}

/// Calls `__del__` of an object that nothing holds any more. It may let go of another such object.
fn finalize(object: &PyObject, vm: &VirtualMachine) -> PyResult<()> {
    in_turn(object, |object, vm| vm.call_special_method(object, vm.ctx.intern_str("__del__"), ()).map(drop), vm)
}

/// Ends an object. If many are being ended inside each other, it waits until the outer ones have ended.
fn in_turn(object: &PyObject, end: Delete, vm: &VirtualMachine) -> PyResult<()> {
    let depth = ENDING.get();
    if depth >= NESTED {
        // The reference keeps it alive.
        WAITING.with_borrow_mut(|waiting| waiting.push((object.to_owned(), end)));
        return Ok(());
    }
    let _depth = Depth::enter(depth);
    let result = end(object, vm);
    if depth == 0 {
        while let Some((object, end)) = WAITING.with_borrow_mut(Vec::pop) {
            if let Err(error) = end(&object, vm) {
                let method = object.class().get_attr(vm.ctx.intern_str("__del__"));
                let said = method.as_ref().and_then(|method| method.repr(vm).ok());
                let said = said.map(|method| format!("Exception ignored while calling deallocator {method}"));
                vm.run_unraisable(error, said, method.unwrap_or_else(|| object.clone()));
            }
        }
    }
    result
}

/// Has `__del__` of every class that a program makes called by [`finalize`].
fn guard_finalizers(vm: &VirtualMachine) {
    let slots = &vm.ctx.types.type_type.slots;
    NEW_CLASS.set(slots.new.load());
    slots.new.store(Some(new_class));
}

fn guard_finalizer(class: &PyObject, vm: &VirtualMachine) {
    let Some(class) = class.downcast_ref::<PyType>() else { return };
    let method = class.get_attr(vm.ctx.intern_str("__del__"));
    if method.is_some_and(|method| method.downcast_ref::<PyFunction>().is_some()) {
        class.slots.del.store(Some(finalize));
    }
}

fn new_class(kind: PyTypeRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let Some(new) = NEW_CLASS.get() else { return Err(vm.new_system_error("type has no constructor")) };
    // With one argument it says which class an object has.
    let makes_one = args.args.len() > 1;
    let class = new(kind, args, vm)?;
    if makes_one {
        guard_finalizer(&class, vm);
    }
    Ok(class)
}

/// The present depth, which is restored when this is dropped, even by a panic.
struct Depth(usize);

impl Depth {
    fn enter(depth: usize) -> Depth {
        ENDING.set(depth + 1);
        Depth(depth)
    }
}

impl Drop for Depth {
    fn drop(&mut self) {
        ENDING.set(self.0);
        if self.0 == 0 {
            // This is only nonempty after a panic, and then Python must not run.
            mem::forget(WAITING.take());
        }
    }
}
