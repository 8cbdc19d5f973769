//! Chains of objects, each of which holds the next: when the interpreter follows one natively, it raises `RecursionError`
//! before the stack overflows, as in CPython, and a chain of generators is dropped without recursion.
//!
//! The interpreter itself guards `repr`, comparisons and Python calls. It doesn't guard iterators over iterators, methods of
//! methods and generators of generators. Those go through slots of its classes, and this module replaces the slots.

use std::cell::{Cell, RefCell};
use std::mem;
use std::thread::LocalKey;

use rustpython_vm::builtins::{PyAsyncGen, PyCoroutine, PyGenerator, PyType};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::protocol::PyIterReturn;
use rustpython_vm::types::Destructor;
use rustpython_vm::{Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

type Next = fn(&PyObject, &VirtualMachine) -> PyResult<PyIterReturn>;
type Call = fn(&PyObject, FuncArgs, &VirtualMachine) -> PyResult;
type VectorCall = fn(&PyObject, Vec<PyObjectRef>, usize, Option<&[PyObjectRef]>, &VirtualMachine) -> PyResult;
type Delete = fn(&PyObject, &VirtualMachine) -> PyResult<()>;

/// The previous function in a slot of each class. Classes are made once per thread.
type Slots<F> = RefCell<Vec<(*const Py<PyType>, F)>>;

thread_local! {
    static INSTALLED: Cell<bool> = const { Cell::new(false) };
    static NEXT: Slots<Next> = const { RefCell::new(Vec::new()) };
    static CALL: Slots<Call> = const { RefCell::new(Vec::new()) };
    static VECTOR_CALL: Slots<VectorCall> = const { RefCell::new(Vec::new()) };
    /// How many generators are being closed inside each other, and those that wait to be closed.
    static CLOSING: Cell<usize> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<(PyObjectRef, Delete)>> = const { RefCell::new(Vec::new()) };
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
    for class in [types.map_type, types.filter_type, types.zip_type, types.enumerate_type] {
        guard_next(class);
    }
    let module = vm.import("itertools", 0)?;
    for (_, value) in module.dict().iter().flatten() {
        if let Some(class) = value.downcast_ref::<PyType>() {
            guard_next(class);
        }
    }
    for class in [types.bound_method_type, types.staticmethod_type] {
        if let Some(before) = class.slots.call.load() {
            CALL.with_borrow_mut(|slots| slots.push((class, before)));
            class.slots.call.store(Some(call));
        }
        if let Some(before) = class.slots.vectorcall.load() {
            VECTOR_CALL.with_borrow_mut(|slots| slots.push((class, before)));
            class.slots.vectorcall.store(Some(vector_call));
        }
    }
    Ok(())
}

/// Whether the class lives as long as the thread, so that its address can't be reused.
fn is_static(class: &Py<PyType>) -> bool {
    class.heaptype_ext.is_none()
}

fn guard_next(class: &Py<PyType>) {
    if let Some(before) = class.slots.iternext.load().filter(|_| is_static(class)) {
        NEXT.with_borrow_mut(|slots| slots.push((class, before)));
        class.slots.iternext.store(Some(next));
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

fn next(object: &PyObject, vm: &VirtualMachine) -> PyResult<PyIterReturn> {
    guarded(&NEXT, object, vm, |slot| slot(object, vm))
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

/// How many generators may be closed inside each other.
const NESTED: usize = 50;

/// Closes a generator that nothing holds any more. This drops what the generator holds, which may be another generator.
/// If they're nested deep, it waits until the outer ones are closed.
fn delete<T: Destructor>(object: &PyObject, vm: &VirtualMachine) -> PyResult<()> {
    let depth = CLOSING.get();
    if depth >= NESTED {
        // The reference keeps it alive.
        WAITING.with_borrow_mut(|waiting| waiting.push((object.to_owned(), T::slot_del)));
        return Ok(());
    }
    let _depth = Depth::enter(depth);
    let result = T::slot_del(object, vm);
    if depth == 0 {
        while let Some((object, close)) = WAITING.with_borrow_mut(Vec::pop) {
            if let Err(error) = close(&object, vm) {
                vm.run_unraisable(error, None, object.clone());
            }
        }
    }
    result
}

/// The present depth, which is restored when this is dropped, even by a panic.
struct Depth(usize);

impl Depth {
    fn enter(depth: usize) -> Depth {
        CLOSING.set(depth + 1);
        Depth(depth)
    }
}

impl Drop for Depth {
    fn drop(&mut self) {
        CLOSING.set(self.0);
        if self.0 == 0 {
            // This is only nonempty after a panic, and then Python must not run.
            mem::forget(WAITING.take());
        }
    }
}
