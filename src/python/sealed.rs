//! Removes access to the machine from a hosted program, if the interpreter is built with such access.
//!
//! Most of it is gone with the native modules that [`super::hosted`] leaves out. This module removes the rest: some functions
//! of modules that stay, the class of files on disk, what `sys` knows about this machine, and ways to write bytecode, which
//! the interpreter runs unchecked. Types belong to a thread, not to an interpreter, so everything removed from them is
//! restored for a program that doesn't run hosted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use rustpython_vm::builtins::{
    PyCode, PyModule, PyModuleDef, PyModuleSlots, PyStr, PyStrInterned, PyStrRef, PyTypeRef,
};
use rustpython_vm::function::{Callee, FsPath, FuncArgs, OptionalArg, PyMethodDef};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

use super::{output, traceback};

/// For modules with functions that access the machine: the functions that don't. In the page there are no others.
const FUNCTIONS: &[(&str, &[&str])] = &[
    (
        "_imp",
        &[
            "_frozen_module_names",
            "acquire_lock",
            "create_builtin",
            "exec_builtin",
            "extension_suffixes",
            "find_frozen",
            "get_frozen_object",
            "init_frozen",
            "is_builtin",
            "is_frozen",
            "is_frozen_package",
            "lock_held",
            "release_lock",
            "source_hash",
        ],
    ),
    ("_signal", &[]),
    // The data that it reads may contain bytecode.
    ("marshal", &["dump", "dumps"]),
    (
        "time",
        &[
            "asctime",
            "ctime",
            "get_clock_info",
            "gmtime",
            "localtime",
            "mktime",
            "monotonic",
            "monotonic_ns",
            "perf_counter",
            "perf_counter_ns",
            "process_time",
            "process_time_ns",
            "sleep",
            "strftime",
            "strptime",
            "thread_time",
            "thread_time_ns",
            "time",
            "time_ns",
        ],
    ),
];

/// Classes of `_io` whose objects are files of the machine.
const FILES: [&str; 2] = ["FileIO", "_WindowsConsoleIO"];

type Exec = fn(&VirtualMachine, &Py<PyModule>) -> PyResult<()>;
type Init = fn(&PyObject, FuncArgs, &VirtualMachine) -> PyResult<()>;
type New = fn(PyTypeRef, FuncArgs, &VirtualMachine) -> PyResult;

/// An attribute that was removed from a class.
type Taken = (PyTypeRef, &'static PyStrInterned, PyObjectRef);

thread_local! {
    static NARROWED: RefCell<BTreeMap<&'static str, &'static PyModuleDef>> = const { RefCell::new(BTreeMap::new()) };
    static IO: Cell<Option<Exec>> = const { Cell::new(None) };
    /// The classes of files, each with the function that opens a file.
    static FILE_CLASSES: RefCell<Vec<(PyTypeRef, Option<Init>)>> = const { RefCell::new(Vec::new()) };
    static NEW_CODE: Cell<Option<New>> = const { Cell::new(None) };
    static REPLACE: RefCell<Option<PyObjectRef>> = const { RefCell::new(None) };
    static TAKEN: RefCell<Vec<Taken>> = const { RefCell::new(Vec::new()) };
    static SEALED: Cell<bool> = const { Cell::new(false) };
}

/// A native module with only those functions that a hosted program may have.
pub(super) fn narrowed(def: &'static PyModuleDef) -> &'static PyModuleDef {
    let name = def.name.as_str();
    let functions = FUNCTIONS.iter().find(|(module, _)| *module == name).map(|(_, functions)| *functions);
    if functions.is_none() && name != "_io" {
        return def;
    }
    let make = || -> &'static PyModuleDef {
        let stays = |method: &&PyMethodDef| functions.is_none_or(|functions| functions.contains(&method.name));
        let methods: Vec<PyMethodDef> = def.methods.iter().filter(stays).cloned().collect();
        let exec: Option<Exec> = match name {
            "_io" => {
                IO.set(def.slots.exec);
                Some(io)
            }
            "_signal" => Some(no_signals),
            _ => def.slots.exec,
        };
        // Happens once per thread: the interpreter keeps definitions forever.
        Box::leak(Box::new(PyModuleDef {
            name: def.name,
            doc: def.doc,
            methods: methods.leak(),
            slots: PyModuleSlots { create: def.slots.create, exec },
        }))
    };
    NARROWED.with_borrow_mut(|narrowed| *narrowed.entry(name).or_insert_with(make))
}

/// Fills `_io`, and remembers the classes of files.
fn io(vm: &VirtualMachine, module: &Py<PyModule>) -> PyResult<()> {
    if let Some(exec) = IO.get() {
        exec(vm, module)?;
    }
    let raw = module.get_attr("_RawIOBase", vm)?.downcast::<rustpython_vm::builtins::PyType>().ok();
    for name in FILES {
        let Some(class) = module.get_attr(name, vm).ok().and_then(|class| class.downcast().ok()) else { continue };
        let class: PyTypeRef = class;
        module.as_object().del_attr(vm.ctx.intern_str(name), vm)?;
        if let Some(raw) = &raw {
            raw.subclasses.write().retain(|weak| weak.upgrade().is_none_or(|subclass| !subclass.is(&class)));
        }
        FILE_CLASSES.with_borrow_mut(|known| {
            if known.iter().all(|(other, _)| !other.is(&class)) {
                let init = class.slots.init.load();
                known.push((class, init));
            }
        });
    }
    Ok(())
}

/// The interpreter imports `_signal` when it starts; after that the module doesn't exist.
fn no_signals(vm: &VirtualMachine, _: &Py<PyModule>) -> PyResult<()> {
    if SEALED.get() {
        return Err(vm.new_import_error("No module named '_signal'", vm.ctx.new_utf8_str("_signal")));
    }
    Ok(())
}

/// Allows an interpreter to be made on this thread, which needs files for its streams.
pub(super) fn open() {
    SEALED.set(false);
    FILE_CLASSES.with_borrow(|classes| classes.iter().for_each(|(class, init)| class.slots.init.store(*init)));
}

/// Restores everything that was removed from the types of this thread.
pub(super) fn unseal(vm: &VirtualMachine) {
    for (class, name, value) in TAKEN.take() {
        class.attributes.set(name, value);
        class.modified();
    }
    if let Some(new) = NEW_CODE.take() {
        vm.ctx.types.code_type.slots.new.store(Some(new));
    }
}

/// Removes the remaining access to the machine, before the first line of a hosted program and after everything that
/// makes files.
pub(super) fn seal(vm: &VirtualMachine) -> PyResult<()> {
    seal_sys(vm)?;
    vm.builtins.as_object().set_attr("input", vm.new_function("input", input), vm)?;
    if SEALED.replace(true) {
        return Ok(());
    }
    vm.sys_module.get_attr("modules", vm)?.del_item("_signal", vm)?;
    FILE_CLASSES.with_borrow(|classes| classes.iter().for_each(|(class, _)| class.slots.init.store(Some(no_file))));
    // The last hosted program of this thread may have left the types like this.
    if TAKEN.with_borrow(Vec::is_empty) {
        FILE_CLASSES.with_borrow(|classes| classes.iter().for_each(|(class, _)| drop(take(class, "__init__", vm))));
        seal_code(vm);
    }
    Ok(())
}

fn take(class: &PyTypeRef, name: &'static str, vm: &VirtualMachine) -> Option<PyObjectRef> {
    let name = vm.ctx.intern_str(name);
    let value = class.attributes.remove(name)?;
    class.modified();
    TAKEN.with_borrow_mut(|taken| taken.push((class.clone(), name, value.clone())));
    Some(value)
}

/// Takes the place of the function that opens a file.
fn no_file(_: &PyObject, _: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let unsupported = vm.import("_io", 0)?.get_attr("UnsupportedOperation", vm)?;
    let text = "Couldn't get FileIO, io.open likely isn't supported on your platform";
    let error = unsupported.call((text,), vm)?;
    Err(error.downcast().unwrap_or_else(|_| vm.new_os_error(text)))
}

/// Bytecode that no compiler wrote could access any memory, so code objects can't be given other bytecode.
fn seal_code(vm: &VirtualMachine) {
    let class = vm.ctx.types.code_type.to_owned();
    NEW_CODE.set(class.slots.new.swap(None));
    take(&class, "__new__", vm);
    for name in ["replace", "__replace__"] {
        let Some(own) = take(&class, name, vm) else { continue };
        REPLACE.set(Some(own));
        let careful = vm.new_method(name, vm.ctx.types.code_type, replace);
        class.attributes.set(vm.ctx.intern_str(name), careful.into());
    }
    class.modified();
}

/// `code.replace` for the metadata of code, but not for its bytecode.
fn replace(code: PyRef<PyCode>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    /// Set by `types.coroutine`: an iterable coroutine.
    const MARK: u32 = 0x100;
    let said = |name: &str, value: &PyObjectRef| match name {
        "co_filename" | "co_firstlineno" | "co_name" | "co_qualname" => true,
        "co_flags" => value.try_to_value::<u32>(vm).is_ok_and(|flags| (flags ^ code.flags.bits()) & !MARK == 0),
        _ => false,
    };
    if !args.args.is_empty() || !args.kwargs.iter().all(|(name, value)| said(&name.to_string_lossy(), value)) {
        return Err(vm.new_value_error("a program in the page cannot change what code does"));
    }
    let Some(own) = REPLACE.with_borrow(Clone::clone) else { return Ok(code.into()) };
    args.prepend_arg(code.into());
    own.call_with_args(args, vm)
}

/// `sys` without this machine's terminal, paths and environment.
fn seal_sys(vm: &VirtualMachine) -> PyResult<()> {
    let sys = vm.sys_module.as_object();
    output::install_no_input(vm)?;
    let nothing: PyObjectRef = vm.ctx.new_str("").into();
    for name in ["executable", "_base_executable", "prefix", "base_prefix", "exec_prefix", "base_exec_prefix"] {
        sys.set_attr(name, nothing.clone(), vm)?;
    }
    for name in ["_stdlib_dir", "pycache_prefix"] {
        sys.set_attr(name, vm.ctx.none(), vm)?;
    }
    sys.set_attr("orig_argv", vm.ctx.new_list(Vec::new()), vm)?;
    if sys.get_attr("_baserepl", vm).is_ok() {
        sys.del_attr("_baserepl", vm)?;
    }
    // The interpreter's own hook may show a line of the file that an error names.
    let hook = |class: PyObjectRef, value: PyObjectRef, trace: PyObjectRef, vm: &VirtualMachine| {
        traceback::show((class, value, trace), vm)
    };
    let hook: PyObjectRef = vm.new_function("excepthook", hook).into();
    // The interpreter's own function reads an environment variable.
    let pause = |_: FuncArgs, vm: &VirtualMachine| {
        let warn = vm.import("warnings", 0)?.get_attr("warn", vm)?;
        let text = "Ignoring unimportable $PYTHONBREAKPOINT: \"pdb.set_trace\"";
        warn.call((text, vm.ctx.exceptions.runtime_warning.to_owned()), vm)
    };
    let pause: PyObjectRef = vm.new_function("breakpointhook", pause).into();
    for (names, function) in
        [(["excepthook", "__excepthook__"], hook), (["breakpointhook", "__breakpointhook__"], pause)]
    {
        for name in names {
            sys.set_attr(name, function.clone(), vm)?;
        }
    }
    Ok(())
}

/// `input` that reads from `sys.stdin` and never from the terminal itself.
fn input(prompt: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
    let stream = |name| vm.sys_module.get_attr(name, vm);
    let stdout = stream("stdout")?;
    if let OptionalArg::Present(prompt) = prompt {
        vm.call_method(&stdout, "write", (prompt.str(vm)?,))?;
    }
    vm.call_method(&stdout, "flush", ())?;
    let stdin = stream("stdin")?;
    let line = vm.call_method(&stdin, "readline", ())?;
    let Some(text) = line.downcast_ref::<PyStr>() else {
        return Err(vm.new_type_error("object.readline() returned non-string"));
    };
    let text = text.to_string_lossy();
    if text.is_empty() {
        return Err(vm.new_exception_msg(vm.ctx.exceptions.eof_error.to_owned(), "EOF when reading a line".into()));
    }
    Ok(vm.ctx.new_str(text.strip_suffix('\n').unwrap_or(&text)).into())
}

/// A path that no file can have.
pub(super) fn nowhere(name: &str) -> String {
    format!("/dev/null/<{name}>")
}

/// `compile` for a hosted program. For a compiler error, the interpreter reads the source line from the file with the given
/// name, so it gets another name. Afterwards, the code and the error get the right one.
pub(super) fn compile(own: &'static PyMethodDef, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let call = |args: FuncArgs| (own.func)(vm, args, Callee::named("compile"));
    let place = match args.args.get_mut(1) {
        Some(place) => Some(place),
        None => args.kwargs.iter_mut().find(|(name, _)| name.to_string_lossy() == "filename").map(|(_, place)| place),
    };
    let Some(place) = place else { return call(args) };
    let name = FsPath::try_from_path_like(place.clone(), true, vm)?.to_string_lossy().into_owned();
    // No file is called `<string>`.
    if name.starts_with('<') && name.ends_with('>') && !name.contains(['/', '\\']) {
        *place = vm.ctx.new_str(name).into();
        return call(args);
    }
    let elsewhere = nowhere(&name);
    *place = vm.ctx.new_str(elsewhere.as_str()).into();
    let name: PyStrRef = vm.ctx.new_str(name);
    match call(args) {
        Ok(made) => {
            if let Some(code) = made.downcast_ref::<PyCode>() {
                rename(code, vm.ctx.intern_str(name.as_wtf8()));
            }
            Ok(made)
        }
        Err(error) => {
            let is_ours = error
                .as_object()
                .get_attr("filename", vm)
                .is_ok_and(|file| file.downcast_ref::<PyStr>().is_some_and(|file| file.to_string_lossy() == elsewhere));
            if is_ours {
                error.as_object().set_attr("filename", name, vm)?;
            }
            Err(error)
        }
    }
}

fn rename(code: &Py<PyCode>, name: &'static PyStrInterned) {
    code.set_source_path(name);
    for constant in code.constants.iter() {
        let constant: &PyObject = std::borrow::Borrow::borrow(constant);
        if let Some(inner) = constant.downcast_ref::<PyCode>() {
            rename(inner, name);
        }
    }
}
