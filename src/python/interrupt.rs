//! Ends a running program: Ctrl-C natively, Stop in the page.
//!
//! Natively the interpreter itself looks for signals at every instruction. On wasm32 it cannot: nothing else runs while
//! a program does, and a message from the page is only seen once the worker's event loop turns. There a [`Host`] is
//! asked from two places:
//!
//! - [`poll`], which everything calls that prints, waits or computes for long;
//! - a `sys.monitoring` callback at the backward jump of every loop and at the start of every function, for programs
//!   that do neither, such as `while True: pass`.
//!
//! Both are called with no borrow and no lock held, because the host may suspend the whole program.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use rustpython_vm::function::FuncArgs;
use rustpython_vm::vm::thread::try_with_current_vm;
use rustpython_vm::{PyResult, VirtualMachine};

/// What surrounds a program that cannot be interrupted by signals.
pub trait Host {
    /// Lets everything else run that waits for its turn, if a turn is due; then says whether the program is to end.
    ///
    /// Called often, so that it is up to the host to look at a clock before it gives up a turn.
    fn poll(&self) -> bool;

    /// Waits; returns early when the program is to end.
    fn sleep(&self, time: Duration);

    /// Milliseconds of a clock that never goes back.
    fn now(&self) -> f64;
}

/// Loop turns and function calls between two looks at the host. A look reads a clock; a turn that is itself slow is not
/// to be waited for many times.
const EVENTS_PER_LOOK: u32 = 16;

/// A program that catches the first `KeyboardInterrupt` meets the next after this many milliseconds.
const INSIST_AFTER_MS: f64 = 1000.0;

thread_local! {
    static HOST: RefCell<Option<Rc<dyn Host>>> = const { RefCell::new(None) };
    static EVENTS: Cell<u32> = const { Cell::new(0) };
    /// When `KeyboardInterrupt` was last raised.
    static RAISED_AT: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Looks whether the program is to end, and lets the host show what happened so far.
///
/// # Errors
/// `KeyboardInterrupt` when it is to end.
#[inline]
pub fn poll(vm: &VirtualMachine) -> PyResult<()> {
    vm.check_signals()?;
    let Some(host) = HOST.with_borrow(Clone::clone) else { return Ok(()) };
    if !host.poll() {
        return Ok(());
    }
    let now = host.now();
    if RAISED_AT.get().is_some_and(|before| now - before < INSIST_AFTER_MS) {
        return Ok(());
    }
    RAISED_AT.set(Some(now));
    Err(vm.new_exception_empty(vm.ctx.exceptions.keyboard_interrupt.to_owned()))
}

/// [`poll`] for the engine, which knows no interpreter: whether the program that runs on this thread is to end.
///
/// An exception that a signal handler of the learner's raises becomes `KeyboardInterrupt`.
pub fn pending() -> bool {
    try_with_current_vm(|vm| poll(vm).is_err()).unwrap_or(false)
}

/// Begins to watch the program that is about to run.
pub(super) fn arm(host: Rc<dyn Host>, vm: &VirtualMachine) -> PyResult<()> {
    HOST.set(Some(host));
    RAISED_AT.set(None);
    EVENTS.set(0);
    let monitoring = vm.sys_module.get_attr("monitoring", vm)?;
    let callback = vm.new_function("watch", |_: FuncArgs, vm: &VirtualMachine| -> PyResult<()> {
        let events = EVENTS.get() + 1;
        if events < EVENTS_PER_LOOK {
            EVENTS.set(events);
            return Ok(());
        }
        EVENTS.set(0);
        poll(vm)
    });
    vm.call_method(&monitoring, "use_tool_id", (TOOL, "tensoryard"))?;
    for event in [PY_START, JUMP] {
        vm.call_method(&monitoring, "register_callback", (TOOL, event, callback.clone()))?;
    }
    vm.call_method(&monitoring, "set_events", (TOOL, PY_START | JUMP))?;
    replace_sleep(vm)
}

/// Stops watching: what follows (the traceback, `atexit`) is not to be interrupted.
pub(super) fn disarm(vm: &VirtualMachine) {
    if HOST.take().is_none() {
        return;
    }
    if let Ok(monitoring) = vm.sys_module.get_attr("monitoring", vm) {
        // A program may have freed the tool itself; then there is nothing to switch off.
        let _ = vm.call_method(&monitoring, "free_tool_id", (TOOL,));
    }
}

/// The tool identifier that `sys.monitoring` leaves to no particular kind of tool.
const TOOL: i32 = 4;
const PY_START: i32 = 1 << 0;
const JUMP: i32 = 1 << 7;

/// Puts a `time.sleep` in place that waits with the host instead of blocking the thread.
fn replace_sleep(vm: &VirtualMachine) -> PyResult<()> {
    let time = vm.import("time", 0)?;
    let sleep = vm.new_function("sleep", |seconds: f64, vm: &VirtualMachine| -> PyResult<()> {
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            vm.new_value_error(match seconds < 0.0 {
                true => "sleep length must be non-negative",
                false => "sleep length is too large",
            })
        })?;
        if let Some(host) = HOST.with_borrow(Clone::clone) {
            host.sleep(time);
        }
        poll(vm)
    });
    time.set_attr("sleep", sleep, vm)
}
