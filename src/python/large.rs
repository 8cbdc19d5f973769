//! Arguments that need more memory than there is: `MemoryError`, as in CPython.
//!
//! In most places the interpreter asks the allocator first. The functions that are guarded here build their result in a
//! vector, and a vector without memory ends the process.

use std::cell::{Cell, OnceCell};

use rustpython_vm::builtins::{
    PyByteArray, PyBytes, PyDict, PyInt, PyList, PyRange, PyStr, PyTuple, PyType, PyTypeRef,
};
use rustpython_vm::function::{ArgBytesLike, FuncArgs};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, TryFromObject, VirtualMachine};

use super::{abstracts, interrupt, patient};
use crate::trace::now_micros;

type Binary = fn(&PyObject, &PyObject, &VirtualMachine) -> PyResult;
type New = fn(PyTypeRef, FuncArgs, &VirtualMachine) -> PyResult;

thread_local! {
    static INSTALLED: Cell<bool> = const { Cell::new(false) };
    /// The previous `%` of `str`, `bytes` and `bytearray`.
    static FORMATS: [Cell<Option<Binary>>; 3] = const { [const { Cell::new(None) }; 3] };
    static NEW_TUPLE: OnceCell<New> = const { OnceCell::new() };
}

/// Smaller requests aren't checked beforehand.
const LARGE: u128 = 1 << 28;

/// # Errors
/// `MemoryError` if there is no memory for this many bytes.
pub(super) fn ask(bytes: u128, vm: &VirtualMachine) -> PyResult<()> {
    if bytes < LARGE {
        return Ok(());
    }
    let there = usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if there { Ok(()) } else { Err(vm.new_memory_error("")) }
}

/// Milliseconds between two looks at the memory, which take longer than a look at the clock.
const APART_MS: f64 = 50.0;

thread_local! {
    static LOOKED: Cell<f64> = const { Cell::new(0.0) };
}

/// Called now and then by native loops, which fill the memory if they don't end: `list(itertools.count())`.
///
/// # Errors
/// `MemoryError` if this process can hardly get more memory.
pub(super) fn watch(vm: &VirtualMachine) -> PyResult<()> {
    let now = now_micros() / 1e3;
    if now - LOOKED.get() < APART_MS {
        return Ok(());
    }
    LOOKED.set(now);
    if room::is_left() { Ok(()) } else { Err(vm.new_memory_error("")) }
}

/// How much memory there still is.
#[cfg(target_os = "linux")]
mod room {
    use std::fs::read_to_string;

    /// Whether the machine has memory left, and this process may take as much again as it holds: a list that is full doubles
    /// its memory, and a list that can't ends the process.
    pub(super) fn is_left() -> bool {
        // What a program has freed may still be the allocator's.
        fits() || give_back() && fits()
    }

    #[cfg(all(target_env = "gnu", feature = "cli"))]
    fn give_back() -> bool {
        // SAFETY: the function takes no pointer, and locks the allocator itself.
        unsafe { libc::malloc_trim(0) != 0 }
    }

    #[cfg(not(all(target_env = "gnu", feature = "cli")))]
    fn give_back() -> bool {
        false
    }

    fn fits() -> bool {
        let Some(held) = kilobytes("/proc/self/status", "RssAnon:") else { return true };
        let there = Vec::<u8>::new().try_reserve_exact(held.saturating_mul(1024)).is_ok();
        let machine = kilobytes("/proc/meminfo", "MemTotal:").zip(kilobytes("/proc/meminfo", "MemAvailable:"));
        there && machine.is_none_or(|(total, available)| available > total / 16) && group_has_room()
    }

    fn kilobytes(file: &str, name: &str) -> Option<usize> {
        let text = read_to_string(file).ok()?;
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix("kB")?.trim().parse().ok())
    }

    /// A container's limit, beyond which the system ends the process.
    fn group_has_room() -> bool {
        let number = |file: &str| read_to_string(file).ok()?.trim().parse::<u64>().ok();
        let limit = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
        limit.is_none_or(|(most, held)| held < most - most / 16)
    }
}

/// How much memory there still is.
#[cfg(target_arch = "wasm32")]
mod room {
    /// A page's memory ends at 4 GiB, and a list that is full needs a quarter of that at once.
    const MOST: usize = 3 << 30;

    pub(super) fn is_left() -> bool {
        core::arch::wasm32::memory_size::<0>().saturating_mul(65_536) < MOST
    }
}

#[cfg(not(any(target_os = "linux", target_arch = "wasm32")))]
mod room {
    /// Other systems take longer to say; there the allocator's own limit holds.
    pub(super) fn is_left() -> bool {
        true
    }
}

/// Guards classes and functions of this interpreter. Classes are made once per thread.
pub(super) fn guard(vm: &VirtualMachine) -> PyResult<()> {
    let modules = vm.sys_module.get_attr("modules", vm)?;
    // The modules imported so far: `os` takes its functions from the system's module.
    for module in ["posix", "nt", "os"] {
        if let Ok(module) = modules.get_item(module, vm) {
            guard_function(&module, "urandom", vm)?;
        }
    }
    if INSTALLED.replace(true) {
        return Ok(());
    }
    abstracts::guard_classes(vm);
    patient::guard_classes(vm);
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
    for class in [types.str_type, types.bytes_type, types.bytearray_type] {
        guard_method(class, "join", joined, vm);
        guard_method(class, "replace", replaced, vm);
        guard_method(class, "expandtabs", expanded, vm);
    }
    guard_method(types.str_type, "translate", translated, vm);
    if let Ok(files) = vm.import("_io", 0) {
        if let Ok(Ok(class)) = files.get_attr("FileIO", vm).map(|class| class.downcast::<PyType>()) {
            guard_endless(Box::leak(Box::new(class)), vm);
        }
        for name in ["BytesIO", "StringIO"] {
            let Ok(Ok(class)) = files.get_attr(name, vm).map(|class| class.downcast::<PyType>()) else { continue };
            // The class is the thread's, as what guards it.
            let class: &'static PyTypeRef = Box::leak(Box::new(class));
            guard_method(class, "write", written, vm);
        }
    }
    let Ok(random) = vm.import("_random", 0).and_then(|module| module.get_attr("Random", vm)) else { return Ok(()) };
    let Ok(class) = random.downcast::<PyType>() else { return Ok(()) };
    // The class belongs to the thread, and so does its guard.
    let class: &'static PyTypeRef = Box::leak(Box::new(class));
    // The words, and the number made of them.
    guard_method(class, "getrandbits", |args, vm| args.args.get(1).map_or(0, |bits| integer(bits, vm)) / 4, vm);
    Ok(())
}

/// Asks for what a method is about to make, before it does.
fn guard_method(
    class: &'static Py<PyType>,
    name: &'static str,
    wanted: fn(&FuncArgs, &VirtualMachine) -> u128,
    vm: &VirtualMachine,
) {
    let interned = vm.ctx.intern_str(name);
    let Some(before) = class.get_attr(interned) else { return };
    let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
        ask(wanted(&args, vm), vm)?;
        before.call(args, vm)
    };
    class.set_attr(interned, vm.new_method(name, class, guarded).into());
}

/// How much of a file without an end is read at once.
const PIECE: usize = 1 << 20;
/// After how much of it there's a look at the memory.
const PIECES: usize = 1 << 27;

/// Reads files that may have no end (`/dev/zero`) piece by piece, looking for Stop and for memory between two pieces.
fn guard_endless(class: &'static PyTypeRef, vm: &VirtualMachine) {
    let interned = vm.ctx.intern_str("readall");
    let Some(before) = class.get_attr(interned) else { return };
    let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
        let endless = match args.args.first() {
            Some(file) if args.args.len() == 1 && args.kwargs.is_empty() && is_endless(file, vm) => file.clone(),
            _ => return before.call(args, vm),
        };
        let mut all: Vec<u8> = Vec::new();
        loop {
            interrupt::poll(vm)?;
            if all.len() % PIECES < PIECE && !all.is_empty() && !room::is_left() {
                return Err(vm.new_memory_error(""));
            }
            let piece = vm.call_method(&endless, "read", (PIECE,))?;
            if vm.is_none(&piece) && all.is_empty() {
                return Ok(piece);
            }
            let taken = bytes(&piece, vm, |bytes| {
                // A refusal of the allocator is an answer here, not the end of the process.
                all.try_reserve(bytes.len()).is_ok().then(|| all.extend_from_slice(bytes)).map(|()| bytes.len())
            });
            match taken {
                Some(Some(0)) | None => return Ok(vm.ctx.new_bytes(all).into()),
                Some(Some(_)) => {}
                Some(None) => return Err(vm.new_memory_error("")),
            }
        }
    };
    class.set_attr(interned, vm.new_method("readall", class, guarded).into());
}

/// Whether a file says that it has no size: a device, a pipe, a socket, and what the system makes as it's read.
fn is_endless(file: &PyObject, vm: &VirtualMachine) -> bool {
    let size = || {
        let number = vm.call_method(file, "fileno", ()).ok()?;
        let about = vm.import("posix", 0).ok()?.get_attr("fstat", vm).ok()?.call((number,), vm).ok()?;
        Some(integer(&about.get_attr("st_size", vm).ok()?, vm))
    };
    size() == Some(0)
}

/// The bytes of an argument; none of one that has no bytes.
fn length(object: &PyObject, vm: &VirtualMachine) -> u128 {
    bytes(object, vm, |bytes| bytes.len() as u128).unwrap_or(0)
}

/// An argument by its place or its name; `None` of one that can't count.
fn count(args: &FuncArgs, at: usize, name: &str, vm: &VirtualMachine) -> Option<u128> {
    let argument = args.args.get(at).or_else(|| args.kwargs.get(name))?;
    let number = argument.downcast_ref::<PyInt>()?.try_to_primitive::<i64>(vm).ok()?;
    u128::try_from(number).ok()
}

/// A file in memory is as long as the place that is written to.
fn written(args: &FuncArgs, vm: &VirtualMachine) -> u128 {
    let place = args.args.first().and_then(|file| vm.call_method(file, "tell", ()).ok());
    place.map_or(0, |place| integer(&place, vm))
}

fn joined(args: &FuncArgs, vm: &VirtualMachine) -> u128 {
    let [between, items] = &args.args[..] else { return 0 };
    let all = |items: &[PyObjectRef]| {
        let between = length(between, vm) * items.len().saturating_sub(1) as u128;
        between + items.iter().map(|item| length(item, vm)).sum::<u128>()
    };
    match (items.downcast_ref::<PyList>(), items.downcast_ref::<PyTuple>()) {
        (Some(list), _) => all(&list.borrow_vec()),
        (_, Some(tuple)) => all(tuple.as_slice()),
        _ => 0,
    }
}

fn replaced(args: &FuncArgs, vm: &VirtualMachine) -> u128 {
    let [text, old, new, ..] = &args.args[..] else { return 0 };
    let (of_text, of_old, of_new) = (length(text, vm), length(old, vm), length(new, vm));
    let most = count(args, 3, "count", vm).unwrap_or(u128::MAX).min(of_text / of_old.max(1) + 1);
    if most * of_new < LARGE {
        return 0;
    }
    let times = bytes(text, vm, |text| bytes(old, vm, |old| occurrences(text, old)).unwrap_or(0)).unwrap_or(0);
    of_text + times.min(most) * of_new
}

fn occurrences(text: &[u8], part: &[u8]) -> u128 {
    if part.is_empty() {
        return text.len() as u128 + 1;
    }
    let (mut at, mut found) = (0, 0);
    while at + part.len() <= text.len() {
        let here = text[at..].starts_with(part);
        found += u128::from(here);
        at += if here { part.len() } else { 1 };
    }
    found
}

fn expanded(args: &FuncArgs, vm: &VirtualMachine) -> u128 {
    let Some(text) = args.args.first() else { return 0 };
    let size = count(args, 1, "tabsize", vm).unwrap_or(8);
    if length(text, vm) * size < LARGE {
        return 0;
    }
    bytes(text, vm, |text| text.iter().filter(|&&byte| byte == b'\t').count() as u128 * size).unwrap_or(0)
}

fn translated(args: &FuncArgs, vm: &VirtualMachine) -> u128 {
    let [text, table] = &args.args[..] else { return 0 };
    let (Some(text), Some(table)) = (text.downcast_ref::<PyStr>(), table.downcast_ref::<PyDict>()) else { return 0 };
    let long: Vec<(u128, u128)> = table
        .into_iter()
        .map(|(from, to)| (integer(&from, vm), length(&to, vm)))
        .filter(|(_, to)| to * text.as_bytes().len() as u128 >= LARGE)
        .collect();
    if long.is_empty() {
        return 0;
    }
    let one = |c: u32| long.iter().find(|(from, _)| *from == u128::from(c)).map_or(1, |(_, to)| *to);
    text.as_wtf8().code_points().map(|c| one(c.to_u32())).sum()
}

/// An argument that is a count. For any other argument, and for one that can't be a count, the function itself raises
/// the error.
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

/// The bytes of a string or of a bytes-like object.
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

/// The sum of the widths and precisions in a template, in characters.
fn widths(template: &[u8], values: &PyObject, vm: &VirtualMachine) -> u128 {
    // Large widths have many digits, or are among the values.
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
                // If a value isn't a number, the formatter raises the error.
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
