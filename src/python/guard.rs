//! A mistake of ours becomes Python's `SystemError`, not the end of the process.
//!
//! Rust panics where code meets what its author had ruled out. Two places catch that:
//!
//! - [`native`], around the functions of `torch`: the program gets a `SystemError` from the call, can catch it and go on;
//! - [`whole`], around a run: for a panic inside the interpreter, which would have to unwind its own frames. These don't
//!   survive that, so the program ends with a traceback that was taken before unwinding began.
//!
//! In the page a panic can't be caught: there the engine stops, and the page offers to start it again.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use rustpython_vm::frame::InterpreterFrame;
use rustpython_vm::vm::thread::{get_current_frame, set_current_frame};
use rustpython_vm::{PyResult, VirtualMachine};

use super::frames::stack;
use super::traceback::{self, Raised};
use crate::memory::history::Frame;

const REPORT: &str = "This is a mistake in Tensoryard, not in your program. Please report it with this message and the program that led to it.";

/// What a panic was about.
struct Panicked {
    text: String,
    /// The interpreter's innermost frame when it began, and the calls that led there.
    frame: *const InterpreterFrame,
    stack: Vec<Frame>,
}

thread_local! {
    /// How many runs are under way on this thread, one within the other.
    static RUNS: Cell<u32> = const { Cell::new(0) };
    /// The panic that unwinds this thread now.
    static PANICKED: RefCell<Option<Panicked>> = const { RefCell::new(None) };
}

/// Runs a native function; a panic in it becomes `SystemError`.
///
/// # Errors
/// Those of the function, and `SystemError`.
#[inline]
pub(super) fn native<T>(vm: &VirtualMachine, run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let frame = get_current_frame();
    match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result,
        Err(payload) => caught(payload, frame, vm),
    }
}

#[cold]
fn caught<T>(payload: Box<dyn Any + Send>, frame: *const InterpreterFrame, vm: &VirtualMachine) -> PyResult<T> {
    // A panic on a thread of a pool arrives without one of these: nothing of this thread's interpreter ran then.
    let panicked = PANICKED.take();
    if let Some(panicked) = panicked {
        if panicked.frame != frame {
            // It went through frames of the interpreter, which are gone without having been left.
            PANICKED.set(Some(panicked));
            panic::resume_unwind(payload);
        }
        let _ = set_current_frame(frame);
        return Err(vm.new_system_error(panicked.text));
    }
    Err(vm.new_system_error(sentence(&words(&*payload), None)))
}

/// Runs a whole program, whose file and source these are.
///
/// # Errors
/// The `SystemError` that a panic is shown as. The interpreter must not be used any more: no Python code may run in it, and
/// dropping it would run some.
pub(super) fn whole<T>(file: &str, source: &str, run: impl FnOnce() -> T) -> Result<T, Raised> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(
            move |info| // What cannot be caught is told at once.
            if RUNS.get() == 0 || cfg!(panic = "abort") { before(info) } else { note(info) },
        ));
    });
    let frame = get_current_frame();
    RUNS.set(RUNS.get() + 1);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    RUNS.set(RUNS.get() - 1);
    result.map_err(|payload| {
        let panicked = PANICKED.take();
        let _ = set_current_frame(frame);
        match panicked {
            Some(panicked) => describe(panicked.text, &panicked.stack, file, source),
            None => describe(sentence(&words(&*payload), None), &[], file, source),
        }
    })
}

/// Keeps what a panic is about while the frames that led there still stand.
fn note(info: &PanicHookInfo<'_>) {
    // Some panics end the process at once; nobody else would say why.
    let text = words(info.payload());
    if text.starts_with("unsafe precondition") || PANICKED.with_borrow(Option::is_some) {
        eprintln!("{info}");
    }
    let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
    let panicked = Panicked { text: sentence(&text, place.as_deref()), frame: get_current_frame(), stack: stack() };
    // Unwinding drops Python objects, whose `__del__` would be linked to frames that are gone by then.
    let _ = set_current_frame(std::ptr::null());
    // A panic while another one unwinds ends the process; the first one is then the one to report.
    PANICKED.with_borrow_mut(|kept| {
        kept.get_or_insert(panicked);
    });
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_string()
}

fn sentence(text: &str, place: Option<&str>) -> String {
    let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
    format!("internal error: {text}{place}. {REPORT}")
}

/// As Python prints an exception; `stack` is innermost first.
fn describe(message: String, stack: &[Frame], file: &str, source: &str) -> Raised {
    let mut traceback = String::new();
    if !stack.is_empty() {
        traceback.push_str("Traceback (most recent call last):\n");
    }
    for frame in stack.iter().rev() {
        traceback.push_str(&format!("  File \"{}\", line {}, in {}\n", frame.file, frame.line, frame.name));
        let line = source.lines().nth((frame.line as usize).saturating_sub(1)).filter(|_| frame.file == file);
        if let Some(line) = line {
            traceback.push_str(&format!("    {}\n", line.trim()));
        }
    }
    // The interpreter lets a vector grow to a length that no memory can have.
    let is_too_long = message.starts_with("internal error: capacity overflow");
    let (class, message) = if is_too_long { ("MemoryError", String::new()) } else { ("SystemError", message) };
    traceback.push_str(&if is_too_long { format!("{class}\n") } else { format!("{class}: {message}\n") });
    let line = stack.iter().find(|frame| frame.file == file).map(|frame| frame.line);
    Raised { class: class.into(), message, traceback, line }
}

/// Writes what [`whole`] came back with, past the interpreter.
pub(super) fn print(raised: &Raised) {
    super::output::write_error(&traceback::of_rank(&raised.traceback));
}
