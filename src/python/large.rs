//! Numbers that ask for more memory than there is: `MemoryError`, as in CPython.
//!
//! The interpreter asks the allocator first in most places. Those that are guarded here build their result in a vector that
//! would end the process instead.

use std::cell::{Cell, OnceCell};

use rustpython_vm::builtins::{PyByteArray, PyBytes, PyInt, PyRange, PyStr, PyTuple, PyType, PyTypeRef};
use rustpython_vm::function::{ArgBytesLike, FuncArgs};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, TryFromObject, VirtualMachine};

type Binary = fn(&PyObject, &PyObject, &VirtualMachine) -> PyResult;
type New = fn(PyTypeRef, FuncArgs, &VirtualMachine) -> PyResult;

thread_local! {
    static INSTALLED: Cell<bool> = const { Cell::new(false) };
    /// What `%` of `str`, `bytes` and `bytearray` was.
    static FORMATS: [Cell<Option<Binary>>; 3] = const { [const { Cell::new(None) }; 3] };
    static NEW_TUPLE: OnceCell<New> = const { OnceCell::new() };
}

/// Less than this is not asked for beforehand.
const LARGE: u128 = 1 << 28;

/// # Errors
/// `MemoryError` where there is no memory for so many bytes.
fn ask(bytes: u128, vm: &VirtualMachine) -> PyResult<()> {
    if bytes < LARGE {
        return Ok(());
    }
    let there = usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if there { Ok(()) } else { Err(vm.new_memory_error("")) }
}

/// Guards classes and functions of this interpreter; classes are made once for a thread.
pub(super) fn guard(vm: &VirtualMachine) -> PyResult<()> {
    let modules = vm.sys_module.get_attr("modules", vm)?;
    // What has been imported by now: `os` takes its functions from the system's module.
    for module in ["posix", "nt", "os"] {
        if let Ok(module) = modules.get_item(module, vm) {
            guard_function(&module, "urandom", vm)?;
        }
    }
    if INSTALLED.replace(true) {
        return Ok(());
    }
    let types = &vm.ctx.types;
    let formats: [(&Py<PyType>, Binary); 3] =
        [(types.str_type, format::<0>), (types.bytes_type, format::<1>), (types.bytearray_type, format::<2>)];
    for (i, (class, guarded)) in formats.into_iter().enumerate() {
        FORMATS.with(|before| before[i].set(class.slots.as_number.remainder.load()));
        class.slots.as_number.remainder.store(Some(guarded));
    }
    if let Some(new) = types.tuple_type.slots.new.load() {
        // Set once: classes are guarded once.
        let _ = NEW_TUPLE.with(|slot| slot.set(new));
        types.tuple_type.slots.new.store(Some(new_tuple));
    }
    let Ok(random) = vm.import("_random", 0).and_then(|module| module.get_attr("Random", vm)) else { return Ok(()) };
    let Ok(class) = random.downcast::<PyType>() else { return Ok(()) };
    let name = vm.ctx.intern_str("getrandbits");
    let Some(before) = class.get_attr(name) else { return Ok(()) };
    let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
        // The words, and the number made of them.
        ask(args.args.get(1).map_or(0, |bits| integer(bits, vm)) / 4, vm)?;
        before.call(args, vm)
    };
    // The class is the thread's, as what guards it.
    let class: &'static PyTypeRef = Box::leak(Box::new(class));
    class.set_attr(name, vm.new_method("getrandbits", class, guarded).into());
    Ok(())
}

/// A number that counts. Of any other argument, and of one that no count can be, the function says what is wrong.
fn integer(argument: &PyObjectRef, vm: &VirtualMachine) -> u128 {
    let number = argument.downcast_ref::<PyInt>().and_then(|number| number.try_to_primitive::<i64>(vm).ok());
    number.and_then(|n| u128::try_from(n).ok()).unwrap_or(0)
}

fn guard_function(module: &PyObject, name: &'static str, vm: &VirtualMachine) -> PyResult<()> {
    let Ok(before) = module.get_attr(name, vm) else { return Ok(()) };
    let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
        ask(args.args.first().map_or(0, |count| integer(count, vm)), vm)?;
        before.call(args, vm)
    };
    module.set_attr(name, vm.new_function(name, guarded), vm)
}

/// The bytes of a string or of what is like bytes.
fn bytes<R>(object: &PyObject, vm: &VirtualMachine, then: impl FnOnce(&[u8]) -> R) -> Option<R> {
    if let Some(text) = object.downcast_ref::<PyStr>() {
        return Some(then(text.as_bytes()));
    }
    let known = object.downcast_ref::<PyBytes>().is_some() || object.downcast_ref::<PyByteArray>().is_some();
    if !known {
        return None;
    }
    let bytes = ArgBytesLike::try_from_object(vm, object.to_owned()).ok()?;
    Some(bytes.with_ref(|bytes| then(bytes)))
}

fn new_tuple(class: PyTypeRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    if let Some(range) = args.args.first().and_then(|items| items.downcast_ref::<PyRange>()) {
        ask(range.as_object().length(vm)? as u128 * 8, vm)?;
    }
    match NEW_TUPLE.with(|new| new.get().copied()) {
        Some(new) => new(class, args, vm),
        None => Err(vm.new_system_error("tuple has no constructor")),
    }
}

/// `template % values`; the template is of the class number `I`.
fn format<const I: usize>(template: &PyObject, values: &PyObject, vm: &VirtualMachine) -> PyResult {
    if let Some(wanted) = bytes(template, vm, |template| widths(template, values, vm)) {
        ask(wanted, vm)?;
    }
    match FORMATS.with(|before| before[I].get()) {
        Some(before) => before(template, values, vm),
        None => Ok(vm.ctx.not_implemented()),
    }
}

/// The characters that a template's widths and precisions ask for together.
fn widths(template: &[u8], values: &PyObject, vm: &VirtualMachine) -> u128 {
    // Numbers that count have many digits, or are among the values.
    let counts = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    if !template.contains(&b'*') && !template.windows(9).any(counts) {
        return 0;
    }
    let value = |at: usize| match values.downcast_ref::<PyTuple>() {
        Some(tuple) => tuple.get(at).map_or(0, |value| integer(value, vm)),
        None => 0,
    };
    let (mut at, mut used, mut total) = (0, 0, 0u128);
    let byte = |at: usize| template.get(at).copied().unwrap_or(0);
    while at < template.len() {
        at += 1;
        if template[at - 1] != b'%' {
            continue;
        }
        if byte(at) == b'(' {
            at += template[at..].iter().take_while(|&&b| b != b')').count() + 1;
        }
        while b"#0- +".contains(&byte(at)) && at < template.len() {
            at += 1;
        }
        loop {
            if byte(at) == b'*' {
                total = total.saturating_add(value(used));
                (used, at) = (used + 1, at + 1);
            }
            let digits = template.get(at..).unwrap_or(&[]).iter().take_while(|b| b.is_ascii_digit()).count();
            let number = template.get(at..at + digits).unwrap_or(&[]);
            let number =
                number.iter().fold(0u128, |n, digit| n.saturating_mul(10).saturating_add(u128::from(digit - b'0')));
            if i64::try_from(number).is_err() {
                // What is no count at all is told by the formatter.
                return 0;
            }
            (total, at) = (total.saturating_add(number), at + digits);
            if byte(at) != b'.' {
                break;
            }
            at += 1;
        }
        // `%%` takes no value.
        used += usize::from(byte(at) != b'%');
        at += 1;
    }
    total
}
