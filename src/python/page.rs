//! Replacements for what standard modules don't have in a web page: clocks, files and a thread that can sleep. In every
//! hosted program, files are in memory.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use rustpython_vm::builtins::PyStrRef;
use rustpython_vm::function::ArgIntoFloat;
use rustpython_vm::{AsObject, PyResult, VirtualMachine};

use super::interrupt::{self, Host};
use crate::trace::{Rising, now_micros};

thread_local! {
    /// The host that the functions of this module call. An interpreter may be made before its program and the program's
    /// host.
    static HOST: RefCell<Option<Rc<dyn Host>>> = const { RefCell::new(None) };
}

pub(super) fn set_host(host: Option<Rc<dyn Host>>) {
    HOST.set(host);
}

pub(super) fn host() -> Option<Rc<dyn Host>> {
    HOST.with_borrow(Clone::clone)
}

/// Installs the functions that call the host.
pub(super) fn prepare(vm: &VirtualMachine) -> PyResult<()> {
    replace_sleep(vm)?;
    if cfg!(target_arch = "wasm32") { replace_clocks(vm) } else { Ok(()) }
}

/// A `time.sleep` that waits with the host instead of blocking the thread.
fn replace_sleep(vm: &VirtualMachine) -> PyResult<()> {
    let sleep = |seconds: ArgIntoFloat, vm: &VirtualMachine| -> PyResult<()> {
        let seconds = seconds.into_float();
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            vm.new_value_error(match seconds < 0.0 {
                true => "sleep length must be non-negative",
                false => "sleep length is too large",
            })
        })?;
        if let Some(host) = host() {
            host.sleep(time);
        }
        interrupt::poll(vm)
    };
    vm.import("time", 0)?.set_attr("sleep", vm.new_function("sleep", sleep), vm)
}

/// Clocks in seconds and in nanoseconds. Only the program runs here, so its processor time is the elapsed time.
fn replace_clocks(vm: &VirtualMachine) -> PyResult<()> {
    let time = vm.import("time", 0)?;
    for (name, name_ns) in [
        ("monotonic", "monotonic_ns"),
        ("perf_counter", "perf_counter_ns"),
        ("process_time", "process_time_ns"),
        ("thread_time", "thread_time_ns"),
    ] {
        time.set_attr(name, vm.new_function(name, || now_micros() / 1e6), vm)?;
        time.set_attr(name_ns, vm.new_function(name_ns, || (now_micros() * 1e3).round() as u64), vm)?;
    }
    // The browser says the date in milliseconds. A float of today's seconds has steps of about a quarter of a microsecond.
    let date = time.get_attr("time", vm)?;
    let rising = Rising::new();
    let micros = move |vm: &VirtualMachine| -> PyResult<f64> {
        let seconds = date.call((), vm)?.try_into_value::<ArgIntoFloat>(vm)?.into_float();
        Ok(rising.reading((seconds * 1e6).round()))
    };
    let micros = Rc::new(micros);
    let ns = micros.clone();
    time.set_attr("time", vm.new_function("time", move |vm: &VirtualMachine| micros(vm).map(|us| us / 1e6)), vm)?;
    let time_ns = move |vm: &VirtualMachine| ns(vm).map(|us| us as u64 * 1000);
    time.set_attr("time_ns", vm.new_function("time_ns", time_ns), vm)?;
    time.set_attr("get_clock_info", vm.new_function("get_clock_info", clock_info), vm)
}

/// What `time.get_clock_info` says of the browser's clocks, which [`Rising`] lets no reading repeat.
fn clock_info(name: PyStrRef, vm: &VirtualMachine) -> PyResult {
    let name = name.to_string_lossy().into_owned();
    let (implementation, adjustable, resolution) = match name.as_str() {
        "time" => ("Date.now()", true, 1e-6),
        "monotonic" | "perf_counter" | "process_time" | "thread_time" => ("performance.now()", false, 1e-9),
        _ => return Err(vm.new_value_error("unknown clock")),
    };
    let info = vm.import("types", 0)?.get_attr("SimpleNamespace", vm)?.call((), vm)?;
    info.set_attr("implementation", vm.ctx.new_str(implementation), vm)?;
    info.set_attr("monotonic", vm.ctx.new_bool(!adjustable), vm)?;
    info.set_attr("adjustable", vm.ctx.new_bool(adjustable), vm)?;
    info.set_attr("resolution", vm.ctx.new_float(resolution), vm)?;
    Ok(info)
}

/// An `open` whose files are in memory.
pub(super) fn replace_files(vm: &VirtualMachine) -> PyResult<()> {
    // `os` and `posixpath` import each other, and `os` imports `_files`: this order works for all three.
    vm.import("os", 0)?;
    let files = vm.import("_files", 0)?;
    vm.call_method(&files, "find_modules", ())?;
    let open = files.get_attr("open", vm)?;
    vm.builtins.as_object().set_attr("open", open.clone(), vm)?;
    for module in ["_io", "io"] {
        vm.import(module, 0)?.set_attr("open", open.clone(), vm)?;
    }
    Ok(())
}

/// Puts files into memory, where the program's `open` and `import` find them.
pub(super) fn give_files(files: Vec<(String, Vec<u8>)>, vm: &VirtualMachine) -> PyResult<()> {
    for (name, bytes) in files {
        vm.import("_files", 0)?.get_attr("give", vm)?.call((name, vm.ctx.new_bytes(bytes)), vm)?;
    }
    Ok(())
}
