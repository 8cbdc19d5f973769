//! What standard modules cannot find in a web page: clocks, files and a thread to put to sleep.

use std::rc::Rc;
use std::time::Duration;

use rustpython_vm::builtins::PyModuleDef;
use rustpython_vm::function::ArgIntoFloat;
use rustpython_vm::{AsObject, PyResult, VirtualMachine};

use super::interrupt::{self, Host};

/// True for native modules that read a clock which does not exist here; Python's own versions stand in for them.
pub(super) fn is_left_out(module: &PyModuleDef) -> bool {
    cfg!(target_arch = "wasm32") && module.name.as_str() == "_datetime"
}

/// Puts functions in place that ask the host.
pub(super) fn prepare(host: &Rc<dyn Host>, vm: &VirtualMachine) -> PyResult<()> {
    replace_sleep(host.clone(), vm)?;
    if cfg!(target_arch = "wasm32") {
        replace_clocks(host, vm)?;
        replace_files(host, vm)?;
    }
    Ok(())
}

/// A `time.sleep` that waits with the host instead of blocking the thread.
fn replace_sleep(host: Rc<dyn Host>, vm: &VirtualMachine) -> PyResult<()> {
    let sleep = move |seconds: ArgIntoFloat, vm: &VirtualMachine| -> PyResult<()> {
        let seconds = seconds.into_float();
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            vm.new_value_error(match seconds < 0.0 {
                true => "sleep length must be non-negative",
                false => "sleep length is too large",
            })
        })?;
        host.sleep(time);
        interrupt::poll(vm)
    };
    vm.import("time", 0)?.set_attr("sleep", vm.new_function("sleep", sleep), vm)
}

/// Clocks in seconds and in nanoseconds. The program is all that runs here, so its processor time is the time that passed.
fn replace_clocks(host: &Rc<dyn Host>, vm: &VirtualMachine) -> PyResult<()> {
    let time = vm.import("time", 0)?;
    for (name, name_ns) in [
        ("monotonic", "monotonic_ns"),
        ("perf_counter", "perf_counter_ns"),
        ("process_time", "process_time_ns"),
        ("thread_time", "thread_time_ns"),
    ] {
        let clock = host.clone();
        time.set_attr(name, vm.new_function(name, move || clock.now() / 1e3), vm)?;
        let clock = host.clone();
        time.set_attr(name_ns, vm.new_function(name_ns, move || (clock.now() * 1e6) as u64), vm)?;
    }
    let seconds = time.get_attr("time", vm)?;
    let nanoseconds = move |vm: &VirtualMachine| -> PyResult<u64> {
        let seconds = seconds.call((), vm)?.try_into_value::<ArgIntoFloat>(vm)?.into_float();
        Ok((seconds * 1e9) as u64)
    };
    time.set_attr("time_ns", vm.new_function("time_ns", nanoseconds), vm)
}

/// An `open` whose files are in memory, and the files that the host gives.
fn replace_files(host: &Rc<dyn Host>, vm: &VirtualMachine) -> PyResult<()> {
    // `os` and `posixpath` import each other, and `os` imports `_files`: this order suits all three.
    vm.import("os", 0)?;
    let files = vm.import("_files", 0)?;
    for (name, bytes) in host.files() {
        files.get_attr("give", vm)?.call((name, vm.ctx.new_bytes(bytes)), vm)?;
    }
    let open = files.get_attr("open", vm)?;
    vm.builtins.as_object().set_attr("open", open.clone(), vm)?;
    for module in ["_io", "io"] {
        vm.import(module, 0)?.set_attr("open", open.clone(), vm)?;
    }
    Ok(())
}
