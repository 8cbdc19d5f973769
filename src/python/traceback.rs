//! From an exception that ended the program to Python's traceback and the learner's line.

use std::cell::Cell;

use rustpython_vm::builtins::{PyBaseException, PyBaseExceptionRef, PyStr};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::cells;

/// An exception that ended the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raised {
    /// The class as a traceback names it: `RuntimeError`, `torch.OutOfMemoryError`.
    pub class: String,
    /// `str()` of the exception.
    pub message: String,
    /// The complete traceback, as Python prints it.
    pub traceback: String,
    /// The innermost line of the learner's file, from 1, if any is on the stack.
    pub line: Option<u32>,
}

/// Describes `error`; `file` is the learner's file name.
pub(super) fn describe(error: &PyBaseExceptionRef, file: &str, vm: &VirtualMachine) -> Raised {
    Raised {
        class: class_name(error, vm),
        message: message(error, vm),
        traceback: cells::name(format(error, vm).unwrap_or_else(|failure| plain(error, &failure, vm))),
        line: line(error, file, vm),
    }
}

/// Adds Python's message to a `RecursionError` that the interpreter raised at the end of its stack.
pub(super) fn complete(error: &PyBaseExceptionRef, vm: &VirtualMachine) {
    if error.fast_isinstance(vm.ctx.exceptions.recursion_error)
        && ["", RECURSION].contains(&message(error, vm).trim_end())
    {
        let args = vm.ctx.new_tuple(vec![vm.ctx.new_str(RECURSION).into()]);
        // A learner's class may refuse; then its own message stays.
        let _ = error.as_object().set_attr("args", args, vm);
    }
}

const RECURSION: &str = "maximum recursion depth exceeded";

thread_local! {
    /// The rank of this thread's program, once it has joined a process group.
    static RANK: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Sets the rank that tracebacks show, as in PyTorch after `init_process_group`.
pub(super) fn set_rank(rank: Option<usize>) {
    RANK.set(rank);
}

/// Prints to `sys.stderr`. A `sys.excepthook` of the learner is called instead.
pub(super) fn print(error: &PyBaseExceptionRef, raised: &Raised, vm: &VirtualMachine) {
    let hook = vm.sys_module.get_attr("excepthook", vm).ok();
    let default = vm.sys_module.get_attr("__excepthook__", vm).ok();
    let replaced = match (&hook, &default) {
        (Some(hook), Some(default)) => !hook.is(default),
        _ => false,
    };
    match hook {
        Some(hook) if replaced => {
            let (class, value, trace) = vm.split_exception(error.clone());
            if let Err(failure) = hook.call((class, value, trace), vm) {
                let failure = format(&failure, vm).unwrap_or_else(|again| plain(&failure, &again, vm));
                write(
                    &format!("Error in sys.excepthook:\n{failure}\nOriginal exception was:\n{}", raised.traceback),
                    vm,
                );
            }
        }
        _ => write(&of_rank(&raised.traceback), vm),
    }
}

/// `sys.excepthook` as Python has it.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn show(
    (class, value, trace): (PyObjectRef, PyObjectRef, PyObjectRef),
    vm: &VirtualMachine,
) -> PyResult<()> {
    let error = vm.normalize_exception(class, value, trace)?;
    write(&format(&error, vm).unwrap_or_else(|failure| plain(&error, &failure, vm)), vm);
    Ok(())
}

fn write(text: &str, vm: &VirtualMachine) {
    if let Ok(stderr) = vm.sys_module.get_attr("stderr", vm) {
        // If standard error is closed, there is nowhere to report that.
        let _ = vm.call_method(&stderr, "write", (text.to_string(),));
    }
}

/// The string with the rank before each line that isn't blank.
pub(super) fn of_rank(text: &str) -> String {
    let Some(rank) = RANK.get() else { return text.to_string() };
    let line = |line: &str| if line == "\n" { line.to_string() } else { format!("[rank{rank}]: {line}") };
    text.split_inclusive('\n').map(line).collect()
}

fn class_name(error: &Py<PyBaseException>, vm: &VirtualMachine) -> String {
    let class = error.class();
    let text = |name: &str| {
        class
            .as_object()
            .get_attr(vm.ctx.intern_str(name), vm)
            .ok()
            .and_then(|value| value.downcast_ref::<PyStr>().map(|text| text.to_string_lossy().into_owned()))
    };
    let name = text("__qualname__").unwrap_or_else(|| class.name().to_string());
    match text("__module__") {
        Some(module) if module != "builtins" && module != "__main__" => format!("{module}.{name}"),
        _ => name,
    }
}

fn message(error: &Py<PyBaseException>, vm: &VirtualMachine) -> String {
    let msg = if error.fast_isinstance(vm.ctx.exceptions.syntax_error) {
        // `str()` of a SyntaxError repeats file and line.
        error.as_object().get_attr("msg", vm).ok()
    } else {
        None
    };
    let object: PyObjectRef = msg.unwrap_or_else(|| error.as_object().to_owned());
    object.str(vm).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The traceback by Python's own `traceback` module.
fn format(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> PyResult<String> {
    let lines = vm.import("traceback", 0)?.get_attr("format_exception", vm)?.call((error.clone(),), vm)?;
    let lines: Vec<PyObjectRef> = lines.try_to_value(vm)?;
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.str(vm)?.to_string_lossy());
    }
    Ok(text)
}

/// A plain traceback for when formatting itself has failed, for example at the recursion limit. It has no source lines,
/// because the interpreter would look for them on disk.
fn plain(error: &PyBaseExceptionRef, failure: &PyBaseExceptionRef, vm: &VirtualMachine) -> String {
    let mut text = String::new();
    let mut next = error.__traceback__();
    if next.is_some() {
        text.push_str("Traceback (most recent call last):\n");
    }
    while let Some(entry) = next {
        let code = entry.frame.iframe().code();
        let (file, name) = (code.source_path(), code.obj_name);
        text.push_str(&format!("  File \"{file}\", line {}, in {name}\n", entry.lineno));
        next = entry.next.lock().clone();
    }
    let message = message(error, vm);
    text.push_str(&class_name(error, vm));
    if !message.is_empty() {
        text.push_str(": ");
        text.push_str(&message);
    }
    text.push('\n');
    if failure.fast_isinstance(vm.ctx.exceptions.keyboard_interrupt) {
        text.push_str("KeyboardInterrupt\n");
    }
    text
}

fn line(error: &Py<PyBaseException>, file: &str, vm: &VirtualMachine) -> Option<u32> {
    let mut line = None;
    let mut next = error.__traceback__();
    while let Some(entry) = next {
        if entry.frame.iframe().code().source_path().as_str() == file {
            line = u32::try_from(entry.lineno.get()).ok();
        }
        next = entry.next.lock().clone();
    }
    if line.is_none() && error.fast_isinstance(vm.ctx.exceptions.syntax_error) {
        let is_learners = attribute(error.as_object(), "filename", vm)
            .and_then(|name| name.downcast_ref::<PyStr>().map(|name| name.to_string_lossy() == file))
            .unwrap_or(false);
        if is_learners {
            line = attribute(error.as_object(), "lineno", vm).and_then(|line| line.try_to_value(vm).ok());
        }
    }
    line
}

fn attribute(object: &PyObject, name: &'static str, vm: &VirtualMachine) -> Option<PyObjectRef> {
    object.get_attr(name, vm).ok()
}
