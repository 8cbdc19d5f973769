//! Runs one program in an interpreter of its own.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::rc::Rc;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, atomic::AtomicBool};

use rustpython_vm::builtins::{PyBaseExceptionRef, PyStr};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::compiler::Mode;
use rustpython_vm::function::OptionalArg;
use rustpython_vm::scope::Scope;
use rustpython_vm::vm::thread::with_vm;
use rustpython_vm::{
    AsObject, Interpreter, Py, PyObjectRef, PyPayload, PyRef, PyResult, Settings, TryFromObject, VirtualMachine,
    pyclass,
};

use super::interrupt::{self, Host};
use super::output::{self, Output};
use super::program::{Finished, Observer};
#[cfg(not(target_arch = "wasm32"))]
use super::sealed;
use super::traceback::{self, Raised};
use super::{
    compile, deep, frames, frozen, guard, hosted, large, left, libraries, looking, page, patient, shell, sites, torch,
    views, watched,
};
use crate::diagnose::facts::Facts;
use crate::engine::SyncDebug;
use crate::notebook::magic;
use crate::trace::EventKind;
use crate::{diagnose, engine};

/// A program to run.
#[derive(Clone)]
pub struct Program {
    /// Shown in tracebacks: the path as given, `main.py` in the page.
    pub file: String,
    pub source: String,
    /// `sys.argv[1:]`.
    pub args: Vec<String>,
    /// Where the learner's other modules are imported from: the file's folder. None for a program that runs hosted.
    pub folder: Option<String>,
    /// Lets Ctrl-C raise `KeyboardInterrupt`; only the first interpreter of a process can.
    pub catch_signals: bool,
    /// Asked now and then whether to go on, where signals do not exist.
    pub host: Option<Rc<dyn Host>>,
    /// No files, processes, network or environment of this machine, as in the page: files are in memory.
    pub hosted: bool,
    /// Looks at the program when it has ended.
    pub observer: Option<Rc<dyn Observer>>,
    /// Reports every line to the trace before it runs.
    pub lines: bool,
}

impl Program {
    pub fn new(file: impl Into<String>, source: impl Into<String>) -> Program {
        Program {
            file: file.into(),
            source: source.into(),
            args: Vec::new(),
            folder: None,
            catch_signals: false,
            host: None,
            hosted: cfg!(target_arch = "wasm32"),
            observer: None,
            lines: false,
        }
    }

    /// As [`Program::new`], for a program of someone who is not trusted with this machine. It runs hosted, and ends when
    /// `stop` is set.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn hosted(file: impl Into<String>, source: impl Into<String>, stop: Arc<AtomicBool>) -> Program {
        Program { hosted: true, host: Some(Rc::new(interrupt::Native::new(stop))), ..Program::new(file, source) }
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What `python FILE` would exit with: 0, 1 after an exception, `sys.exit`'s number, 130 after an interrupt.
    pub exit_code: i32,
    /// The exception that ended it. `SystemExit` isn't one.
    pub error: Option<Raised>,
}

thread_local! {
    /// `sys.modules`, while a program runs.
    static MODULES: RefCell<Option<PyObjectRef>> = const { RefCell::new(None) };
}

const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// `os.environ` of the program, if it has imported `os`.
fn environ(vm: &VirtualMachine) -> Option<PyObjectRef> {
    let modules = MODULES.with_borrow(Clone::clone)?;
    modules.get_item("os", vm).ok()?.get_attr("environ", vm).ok()
}

/// `os.environ.get("CUDA_VISIBLE_DEVICES")`, as the program sees it now.
fn visible_devices() -> Option<String> {
    variable(VISIBLE)
}

/// A variable of the environment that the program sees and changes.
fn variable(name: &str) -> Option<String> {
    let modules = MODULES.with_borrow(Clone::clone);
    let environ = modules.and_then(|modules| with_vm(&modules, environ).flatten());
    let Some(environ) = environ else { return std::env::var(name).ok().filter(|_| !hosted::is_hosted()) };
    with_vm(&environ, |vm| {
        let value = vm.call_method(&environ, "get", (name,)).ok()?;
        Some(value.downcast_ref::<PyStr>()?.to_str()?.to_string())
    })
    .flatten()
}

/// Puts `CUDA_VISIBLE_DEVICES` back: the environment is the process's, which may go on to run other programs.
fn show_devices(before: Option<&str>, vm: &VirtualMachine) {
    if visible_devices().as_deref() == before {
        return;
    }
    let Some(environ) = environ(vm) else { return };
    // A program that has put something else in the environment's place keeps that.
    let _ = match before {
        Some(value) => vm.call_method(&environ, "__setitem__", (VISIBLE, value.to_string())),
        None => vm.call_method(&environ, "pop", (VISIBLE, vm.ctx.none())),
    };
}

/// Runs `program` from a clean interpreter on this thread's engine and tears the interpreter down, so that every tensor
/// is freed when this returns.
///
/// A traceback is written to `output` before it is returned.
pub fn run(program: &Program, output: Rc<dyn Output>) -> Ended {
    let _hosted = hosted::set(program.hosted);
    run_in(interpreter(program), false, program, output)
}

/// An interpreter of a page that waits for its program, with `torch` imported: most of what a short run would wait for.
/// It belongs to the engine that was this thread's when it was made.
pub struct Prepared(pub(super) Interpreter);

impl Prepared {
    /// For a program called `file`. `None` if `torch` cannot be imported: a run then says why.
    pub fn new(file: &str, host: Rc<dyn Host>) -> Option<Prepared> {
        page::set_host(Some(host));
        let program = Program::new(file, "");
        let _hosted = hosted::set(program.hosted);
        let interpreter = interpreter(&program);
        let imported = interpreter.enter(|vm| {
            set_up(&program, true, vm)?;
            vm.import("torch", 0)
        });
        page::set_host(None);
        imported.ok().map(|_| Prepared(interpreter))
    }

    /// As [`run`]; the program has a host, no arguments and no folder.
    pub fn run(self, program: &Program, output: Rc<dyn Output>) -> Ended {
        let _hosted = hosted::set(program.hosted);
        run_in(self.0, true, program, output)
    }

    /// Frees what it holds, cycles too.
    pub fn discard(self) {
        self.0.enter(left::note);
        self.0.finalize(None);
    }
}

fn run_in(interpreter: Interpreter, is_set_up: bool, program: &Program, output: Rc<dyn Output>) -> Ended {
    // Dropping it would run Python, which is not to be after a panic inside the interpreter.
    let interpreter = ManuallyDrop::new(interpreter);
    let _streams = output::set(output);
    let visible = begin(program.host.clone());
    let engine = engine::current();
    let ran = guard::whole(&program.file, &program.source, || {
        interpreter.enter(|vm| {
            learn(&program.file, vm);
            let mut scope = None;
            let ready = if is_set_up { Ok(()) } else { set_up(program, program.host.is_some(), vm) };
            let result = ready.and_then(|()| execute(program, vm, &mut scope));
            interrupt::disarm();
            let (ended, exception) = match result {
                Ok(()) => (Ended { exit_code: 0, error: None }, None),
                Err(error) => (end(&error, &program.file, vm), Some(error)),
            };
            flush(vm);
            engine.devices.notice_late_selection();
            observe(program, scope, ended.error.as_ref(), exception, sites::end(), vm);
            leave(visible.as_deref(), vm);
            ended
        })
    });
    let ended = ran.and_then(|ended| {
        let at_exit = finalize(ManuallyDrop::into_inner(interpreter), &program.file, &program.source)?;
        Ok(match ended.exit_code {
            0 => Ended { exit_code: at_exit, ..ended },
            _ => ended,
        })
    });
    let ended = ended.unwrap_or_else(panicked);
    forget();
    output::flush();
    ended
}

/// Sets what belongs to one program. Returns the devices that are visible, for [`leave`].
pub(super) fn begin(host: Option<Rc<dyn Host>>) -> Option<String> {
    traceback::set_rank(None);
    page::set_host(host);
    let engine = engine::current();
    let visible = visible_devices();
    engine.trace.set_site(frames::learner_line);
    engine.hooks.set_stack(frames::stack);
    engine.hooks.set_environment(variable);
    engine.hooks.set_warn(torch::warn_here);
    engine.settings.set_sync_debug(SyncDebug::Off);
    engine.settings.set_deterministic(false, false);
    engine.settings.set_fills_empty(true);
    engine.devices.record_memory(None);
    engine.hooks.set_interrupt(interrupt::pending);
    visible
}

/// Makes `file` the learner's.
pub(super) fn learn(file: &str, vm: &VirtualMachine) {
    frames::set_learners_file(Some(vm.ctx.intern_str(file)));
    MODULES.set(vm.sys_module.get_attr("modules", vm).ok());
}

/// Puts back what a program changed outside its interpreter.
pub(super) fn leave(visible: Option<&str>, vm: &VirtualMachine) {
    show_devices(visible, vm);
    torch::patched::restore(vm);
    torch::overrides::reset();
    MODULES.set(None);
}

/// Runs `atexit` functions, collects cycles and clears modules: `__del__` and tensors go here. Returns the exit code.
///
/// # Errors
/// As [`guard::whole`].
pub(super) fn finalize(interpreter: Interpreter, file: &str, source: &str) -> Result<i32, Raised> {
    guard::whole(file, source, || {
        interpreter.enter(left::note);
        interpreter.finalize(None) as i32
    })
}

/// After a panic in the interpreter, which can't go on.
pub(super) fn panicked(raised: Raised) -> Ended {
    interrupt::disarm();
    sites::end();
    MODULES.set(None);
    guard::print(&raised);
    Ended { exit_code: 1, error: Some(raised) }
}

/// Forgets the program that this thread has run, or the cell.
pub(super) fn forget() {
    frames::set_learners_file(None);
    looking::end();
    page::set_host(None);
}

/// Shows the ended program to its observer, with the trace off.
pub(super) fn observe(
    program: &Program,
    scope: Option<Scope>,
    error: Option<&Raised>,
    exception: Option<PyBaseExceptionRef>,
    facts: Facts,
    vm: &VirtualMachine,
) {
    let Some(observer) = &program.observer else { return };
    let engine = engine::current();
    let traced = engine.trace.is_on();
    engine.trace.set_on(false);
    let (file, source, python) = (&program.file, &program.source, &python_source(program));
    observer.ended(&Finished { vm, scope, file, source, python, exception, facts, error });
    engine.trace.set_on(traced);
}

pub(super) fn interpreter(program: &Program) -> Interpreter {
    let mut settings = Settings::default();
    settings.argv = std::iter::once(&program.file).chain(&program.args).cloned().collect();
    settings.install_signal_handlers = program.catch_signals;
    settings.ignore_environment = true;
    settings.write_bytecode = false;
    settings.import_site = false;
    settings.utf8_mode = 1;
    settings.stdio_encoding = Some("utf-8".into());
    settings.allow_external_library = program.folder.is_some();
    #[cfg(not(target_arch = "wasm32"))]
    sealed::open();
    let builder = Interpreter::builder(settings);
    let natives = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    let tensors = torch::native_modules(&builder.ctx);
    let builder = builder.add_native_modules(&natives).add_native_modules(&tensors);
    let builder = if program.hosted { builder.init_hook(hosted::restrict) } else { builder };
    builder.add_frozen_modules(frozen::modules(program.hosted)).build()
}

/// What every program finds; one that `has_host` with functions that ask it.
pub(super) fn set_up(program: &Program, has_host: bool, vm: &VirtualMachine) -> PyResult<()> {
    // Development builds of the interpreter set a lower limit; the programs are the same.
    vm.recursion_limit.set(RECURSION_LIMIT);
    left::release(vm);
    output::install(vm)?;
    libraries::install(program.hosted, vm)?;
    find_encodings(vm)?;
    vm.import("_one_lock", 0)?;
    vm.import("_one_thread", 0)?;
    if program.hosted {
        page::replace_files(vm)?;
    }
    #[cfg(not(target_arch = "wasm32"))]
    if program.hosted {
        sealed::seal(vm)?
    } else {
        sealed::unseal(vm)
    }
    let path: Vec<PyObjectRef> = program.folder.iter().map(|folder| vm.ctx.new_str(folder.as_str()).into()).collect();
    vm.sys_module.set_attr("path", vm.ctx.new_list(path), vm)?;
    install_exit(vm)?;
    compile::guard_builtins(vm)?;
    deep::guard(vm)?;
    large::guard(vm)?;
    patient::guard(vm)?;
    views::show_elements(vm)?;
    #[cfg(all(unix, feature = "cli"))]
    if program.catch_signals {
        interrupt::insisting::install(vm)?;
    }
    if has_host { page::prepare(vm) } else { Ok(()) }
}

/// Imports `encodings` when a program first names one that the interpreter doesn't have.
fn find_encodings(vm: &VirtualMachine) -> PyResult<()> {
    let search = |name: PyRef<PyStr>, vm: &VirtualMachine| {
        vm.import("encodings", 0)?.get_attr("search_function", vm)?.call((name,), vm)
    };
    let register = vm.import("_codecs", 0)?.get_attr("register", vm)?;
    register.call((vm.new_function("search", search),), vm).map(drop)
}

/// Runs the program; `kept` receives its namespace.
fn execute(program: &Program, vm: &VirtualMachine, kept: &mut Option<Scope>) -> PyResult<()> {
    if let (Some(host), true) = (&program.host, program.hosted) {
        page::give_files(host.files(), vm)?;
    }
    let scope = main_scope(program, vm)?;
    *kept = Some(scope.clone());
    let source = python_source(program);
    let mut code = compile::compile(&source, Mode::Exec, &program.file, &program.source, vm)?;
    if let Some(host) = &program.host {
        interrupt::arm(host.clone(), vm)?;
    }
    let sites = if program.observer.is_some() { plan(&source) } else { Vec::new() };
    if program.host.is_some() || !sites.is_empty() {
        let ticks = program.host.is_some();
        code = watched::compile(&source, &program.file, ticks, &sites, false, vm).unwrap_or(code);
    }
    if program.observer.is_some() {
        sites::begin(&source, sites, vm)?;
    }
    if engine::current().trace.is_on() {
        looking::begin(&source);
    }
    let globals = scope.globals.clone();
    if program.lines {
        report_lines(program, vm)?;
    }
    let result = vm.run_code_obj(code, scope).map(drop);
    torch::names::report(&globals, vm);
    result
}

/// What is compiled: in the page a program is a cell, whose lines may be for a shell.
fn python_source(program: &Program) -> Cow<'_, str> {
    match &program.host {
        _ if frames::is_cell(&program.file) => magic::translate(&program.source).python,
        Some(_) => shell::rewrite(&program.source),
        None => program.source.as_str().into(),
    }
}

/// Where to look while a program runs that someone wants explained.
fn plan(source: &str) -> Vec<diagnose::plan::Site> {
    let Some(module) = diagnose::code::parse(source) else { return Vec::new() };
    diagnose::plan::sites(&diagnose::code::Code::new(source, &module))
}

/// Lines of one run that are reported; a long program goes on without.
const LINES: u32 = 50_000;

/// Has the interpreter report each line of the learner's file, and the variables as they are then.
pub(super) fn report_lines(program: &Program, vm: &VirtualMachine) -> PyResult<()> {
    let (file, left) = (program.file.clone(), Cell::new(LINES));
    let trace =
        vm.new_function("trace", move |frame: PyObjectRef, event: PyObjectRef, _: PyObjectRef, vm: &VirtualMachine| {
            let name = frame.get_attr("f_code", vm)?.get_attr("co_filename", vm)?;
            let ours = name.downcast_ref::<PyStr>().is_some_and(|name| name.to_string_lossy() == file);
            if !ours || left.get() == 0 {
                return Ok(vm.ctx.none());
            }
            if event.downcast_ref::<PyStr>().is_some_and(|event| event.to_string_lossy() == "line") {
                left.set(left.get() - 1);
                torch::names::report_now(vm);
                let number = u32::try_from_object(vm, frame.get_attr("f_lineno", vm)?)?;
                engine::current().trace.emit(|| EventKind::Line { number });
            }
            // The function itself: it also gets the lines of this frame.
            let own: PyObjectRef = vm.trace_func.borrow().clone();
            Ok::<PyObjectRef, PyBaseExceptionRef>(own)
        });
    vm.sys_module.get_attr("settrace", vm)?.call((trace,), vm)?;
    Ok(())
}

/// Python's default.
const RECURSION_LIMIT: usize = 1000;

/// `__main__`, with a loader that knows the source, so that tracebacks and `inspect` find the learner's lines.
pub(super) fn main_scope(program: &Program, vm: &VirtualMachine) -> PyResult<Scope> {
    let scope = vm.new_scope_with_main()?;
    let _ = SourceLoader::make_static_type();
    let loader: PyObjectRef = SourceLoader { source: program.source.clone() }.into_ref(&vm.ctx).into();
    let file: PyObjectRef = vm.ctx.new_str(program.file.as_str()).into();
    // A warning is shown without the module it came from, so `linecache` must find the source by the file's name alone.
    let source = vm.ctx.new_tuple(vec![loader.get_attr("get_source", vm)?]);
    vm.import("linecache", 0)?.get_attr("cache", vm)?.set_item(&*file, source.into(), vm)?;
    scope.globals.set_item("__file__", file, vm)?;
    scope.globals.set_item("__loader__", loader, vm)?;
    Ok(scope)
}

/// `exit`, `quit` and `help`, which Python's `site` module adds.
fn install_exit(vm: &VirtualMachine) -> PyResult<()> {
    let builtins = vm.import("_sitebuiltins", 0)?;
    let quitter = builtins.get_attr("Quitter", vm)?;
    for name in ["exit", "quit"] {
        let value = quitter.call((name, "Ctrl-D (i.e. EOF)"), vm)?;
        vm.builtins.set_attr(name, value, vm)?;
    }
    let help = builtins.get_attr("_Helper", vm)?.call((), vm)?;
    vm.builtins.set_attr("help", help, vm)
}

/// Prints what `python` would print and says what `python FILE` would exit with.
fn end(error: &PyBaseExceptionRef, file: &str, vm: &VirtualMachine) -> Ended {
    if error.fast_isinstance(vm.ctx.exceptions.system_exit) {
        return Ended { exit_code: vm.handle_exit_exception(error.clone()) as i32 & 0xff, error: None };
    }
    traceback::complete(error, vm);
    let raised = traceback::describe(error, file, vm);
    flush(vm);
    traceback::print(error, &raised, vm);
    let interrupted = error.fast_isinstance(vm.ctx.exceptions.keyboard_interrupt);
    Ended { exit_code: if interrupted { 130 } else { 1 }, error: Some(raised) }
}

pub(super) fn flush(vm: &VirtualMachine) {
    for name in ["stdout", "stderr"] {
        if let Ok(stream) = vm.sys_module.get_attr(name, vm) {
            // A closed pipe at the end of a program is reported by the exit code of the finalizer.
            let _ = vm.call_method(&stream, "flush", ());
        }
    }
}

/// The `__loader__` of `__main__`.
#[pyclass(module = "tensoryard", name = "SourceLoader")]
#[derive(Debug, PyPayload)]
struct SourceLoader {
    source: String,
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl SourceLoader {
    #[pymethod]
    fn get_source(zelf: &Py<Self>, _name: OptionalArg<PyRef<PyStr>>) -> String {
        zelf.source.clone()
    }
}
