//! Ends a running program: Ctrl-C natively, Stop in the page.
//!
//! Natively, the interpreter itself checks for signals at every instruction. On wasm32 it can't: nothing else runs while a
//! program does, and the worker only sees a message from the page when its event loop runs. So a [`Host`] is called from two
//! places:
//!
//! - [`poll`], which is called by everything that waits or computes for long;
//! - the loops and functions of the program itself, which are [compiled](super::watched) with such checks, for
//!   programs that do neither, such as `while True: pass`.
//!
//! Both call it while nothing is borrowed or locked, because the host may suspend the entire program.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::Arc;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustpython_vm::class::PyClassImpl;
use rustpython_vm::protocol::PyNumberMethods;
use rustpython_vm::types::AsNumber;
use rustpython_vm::vm::thread::try_with_current_vm;
use rustpython_vm::{PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::large;

/// The name of the object in `builtins` that a [watched](super::watched) program tests: no program can write it.
pub(super) const TICK: &str = "<tick>";

/// The environment of a program that signals can't interrupt.
pub trait Host {
    /// Lets other tasks run if it's time for that. Returns whether the program should end.
    ///
    /// This is called often, so the host should check a clock before it lets others run.
    fn poll(&self) -> bool;

    /// Waits. Returns early if the program should end.
    fn sleep(&self, time: Duration);

    /// Milliseconds of a clock that never goes back.
    fn now(&self) -> f64;

    /// Files in a hosted program's folder, by name.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        Vec::new()
    }

    /// Fetches the file of a library, such as NumPy. Says why if that fails.
    #[cfg(target_arch = "wasm32")]
    fn library(&self, file: &str) -> Result<Vec<u8>, String>;
}

/// The host of a program that runs hosted but not in a page: it waits itself, and another thread can stop it.
#[cfg(not(target_arch = "wasm32"))]
pub struct Native {
    since: std::time::Instant,
    stop: Arc<AtomicBool>,
    files: Vec<(String, Vec<u8>)>,
}

#[cfg(not(target_arch = "wasm32"))]
impl Native {
    /// Ends the program when `stop` is set, and resets `stop`.
    pub fn new(stop: Arc<AtomicBool>) -> Native {
        Native { since: std::time::Instant::now(), stop, files: Vec::new() }
    }

    /// Gives the program files in its folder, by name.
    #[must_use]
    pub fn with_files(self, files: Vec<(String, Vec<u8>)>) -> Native {
        Native { files, ..self }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Host for Native {
    fn poll(&self) -> bool {
        self.stop.swap(false, Ordering::Relaxed)
    }

    fn sleep(&self, time: Duration) {
        /// The longest time between two checks of `stop`.
        const LOOK: Duration = Duration::from_millis(20);
        let began = std::time::Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let left = time.saturating_sub(began.elapsed());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(LOOK));
        }
    }

    fn now(&self) -> f64 {
        self.since.elapsed().as_secs_f64() * 1e3
    }

    fn files(&self) -> Vec<(String, Vec<u8>)> {
        self.files.clone()
    }
}

/// A program that catches the first `KeyboardInterrupt` gets another after this many milliseconds.
const INSIST_AFTER_MS: f64 = 1000.0;

thread_local! {
    static HOST: RefCell<Option<Rc<dyn Host>>> = const { RefCell::new(None) };
    static LOOKS: Looks = const { Looks { left: Cell::new(1), every: Cell::new(1), last: Cell::new(0.0) } };
    /// When `KeyboardInterrupt` was last raised.
    static RAISED_AT: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Checks whether the program should end, and lets the host show what has happened so far.
///
/// # Errors
/// `KeyboardInterrupt` if the program should end.
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

/// [`poll`] for the engine, which doesn't know the interpreter: whether the program on this thread should end.
///
/// An exception that the learner's signal handler raises becomes `KeyboardInterrupt`.
pub fn pending() -> bool {
    try_with_current_vm(|vm| poll(vm).is_err()).unwrap_or(false)
}

/// How many iterations of a loop pass between two calls of the host: few if iterations are slow, more if they're fast.
struct Looks {
    left: Cell<u32>,
    every: Cell<u32>,
    /// When the last look was.
    last: Cell<f64>,
}

impl Looks {
    /// A check reads a clock and asks the page. That must cost little compared with this many fast iterations.
    const MOST: u32 = 256;

    /// The most milliseconds between two looks.
    const APART_MS: f64 = 5.0;

    /// Counts an iteration; true when it's time to look.
    fn tick(&self) -> bool {
        let left = self.left.get() - 1;
        self.left.set(left);
        left == 0
    }

    fn begin(&self, now: f64) {
        let apart = now - self.last.replace(now);
        let every = self.every.get();
        let next = if apart > Self::APART_MS { every / 8 } else { every * 2 };
        self.every.set(next.clamp(1, Self::MOST));
        self.left.set(self.every.get());
    }
}

/// The object that a watched program tests in every iteration. It is true, or ends the program.
#[pyclass(module = false, name = "tick")]
#[derive(Debug, PyPayload)]
struct Tick;

#[pyclass(with(AsNumber), flags(DISALLOW_INSTANTIATION))]
impl Tick {}

impl AsNumber for Tick {
    fn as_number() -> &'static PyNumberMethods {
        static AS_NUMBER: PyNumberMethods =
            PyNumberMethods { boolean: Some(|_, vm| tick(vm)), ..PyNumberMethods::NOT_IMPLEMENTED };
        &AS_NUMBER
    }
}

#[inline]
fn tick(vm: &VirtualMachine) -> PyResult<bool> {
    if LOOKS.with(Looks::tick) { look(vm) } else { Ok(true) }
}

/// Counts a step of native code that runs no instruction of the program; now and then it's a [`poll`].
///
/// # Errors
/// As [`poll`].
#[inline]
pub(super) fn count(vm: &VirtualMachine) -> PyResult<()> {
    tick(vm).map(drop)
}

#[cold]
fn look(vm: &VirtualMachine) -> PyResult<bool> {
    let now = HOST.with_borrow(Clone::clone).map_or(0.0, |host| host.now());
    LOOKS.with(|looks| looks.begin(now));
    poll(vm)?;
    large::watch(vm)?;
    Ok(true)
}

/// Starts watching the program that is about to run, which is compiled with [`super::watched`].
pub(super) fn arm(host: Rc<dyn Host>, vm: &VirtualMachine) -> PyResult<()> {
    LOOKS.with(|looks| {
        looks.every.set(1);
        looks.left.set(1);
        looks.last.set(host.now());
    });
    HOST.set(Some(host));
    RAISED_AT.set(None);
    let _ = Tick::make_static_type();
    let object: PyObjectRef = Tick.into_ref(&vm.ctx).into();
    vm.builtins.set_attr(TICK, object, vm)
}

/// Stops watching, because the rest (the traceback, `atexit`) must not be interrupted.
pub(super) fn disarm() {
    HOST.set(None);
}

/// Ctrl-C natively, where the interpreter looks for signals between its instructions only: a second Ctrl-C ends a process
/// that hasn't noticed the first, because it's still in one instruction, such as a regular expression that tries everything.
#[cfg(all(unix, feature = "cli"))]
pub(super) mod insisting {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use rustpython_vm::function::FuncArgs;
    use rustpython_vm::{PyResult, VirtualMachine};

    /// Whether a Ctrl-C hasn't been noticed yet.
    static WAITING: AtomicBool = AtomicBool::new(false);
    /// The interpreter's own handler.
    static BEFORE: AtomicUsize = AtomicUsize::new(0);

    /// Puts a handler before the interpreter's. A program that sets a handler of its own for Ctrl-C replaces both.
    pub(in crate::python) fn install(vm: &VirtualMachine) -> PyResult<()> {
        WAITING.store(false, Ordering::SeqCst);
        let signal = vm.import("_signal", 0)?;
        let noticed = |_: FuncArgs, vm: &VirtualMachine| -> PyResult {
            WAITING.store(false, Ordering::SeqCst);
            Err(vm.new_exception_empty(vm.ctx.exceptions.keyboard_interrupt.to_owned()))
        };
        let noticed = vm.new_function("default_int_handler", noticed);
        signal.set_attr("default_int_handler", noticed.clone(), vm)?;
        signal.get_attr("signal", vm)?.call((libc::SIGINT, noticed), vm)?;
        // SAFETY: the structure is plain data, which the first call fills; the second installs it with another handler, which
        // takes the same argument and calls only what a signal handler may call.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let known = libc::sigaction(libc::SIGINT, std::ptr::null(), &mut action) == 0;
            let is_plain = action.sa_flags & libc::SA_SIGINFO == 0;
            if known && is_plain && action.sa_sigaction != libc::SIG_DFL && action.sa_sigaction != libc::SIG_IGN {
                BEFORE.store(action.sa_sigaction, Ordering::SeqCst);
                action.sa_sigaction = arrived as *const () as usize;
                libc::sigaction(libc::SIGINT, &action, std::ptr::null_mut());
            }
        }
        Ok(())
    }

    extern "C" fn arrived(number: libc::c_int) {
        if WAITING.swap(true, Ordering::SeqCst) {
            const SAID: &[u8] = b"KeyboardInterrupt\n";
            // SAFETY: both functions are allowed in a signal handler, and the bytes live as long as the process.
            unsafe {
                libc::write(2, SAID.as_ptr().cast(), SAID.len());
                libc::_exit(130);
            }
        }
        let before = BEFORE.load(Ordering::SeqCst);
        if before != 0 {
            // SAFETY: the address is that of the handler that was installed before this one, which takes a signal's number.
            let before: extern "C" fn(libc::c_int) = unsafe { std::mem::transmute(before) };
            before(number);
        }
    }
}
