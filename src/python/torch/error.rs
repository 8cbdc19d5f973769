//! From the engine's errors to Python's exceptions.

use std::cell::RefCell;

use rustpython_vm::builtins::{PyBaseExceptionRef, PyTypeRef};
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

use crate::error::{Error, ErrorKind};

thread_local! {
    /// The exception classes of the present interpreter.
    static CLASSES: RefCell<Option<Classes>> = const { RefCell::new(None) };
}

/// The exceptions that PyTorch adds to Python's, each a `RuntimeError`.
#[derive(Clone)]
pub(super) struct Classes {
    pub out_of_memory: PyTypeRef,
    pub accelerator: PyTypeRef,
    pub lin_alg: PyTypeRef,
    /// `torch.distributed`'s.
    pub dist: PyTypeRef,
    pub dist_backend: PyTypeRef,
    pub dist_network: PyTypeRef,
    pub dist_store: PyTypeRef,
}

/// Makes the exception classes of an interpreter.
pub(super) fn init(vm: &VirtualMachine) -> Classes {
    let class = |module, name| {
        let base = vm.ctx.exceptions.runtime_error.to_owned();
        vm.ctx.new_exception_type(module, name, Some(vec![base]))
    };
    let dist = class("torch.distributed", "DistError");
    let of_dist = |name| vm.ctx.new_exception_type("torch.distributed", name, Some(vec![dist.clone()]));
    let classes = Classes {
        out_of_memory: class("torch", "OutOfMemoryError"),
        accelerator: class("torch", "AcceleratorError"),
        lin_alg: class("torch._C", "_LinAlgError"),
        dist_backend: of_dist("DistBackendError"),
        dist_network: of_dist("DistNetworkError"),
        dist_store: of_dist("DistStoreError"),
        dist,
    };
    CLASSES.set(Some(classes.clone()));
    classes
}

/// The exception for an engine's error.
pub(super) fn raise(error: Error, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let types = &vm.ctx.exceptions;
    let special = |pick: fn(&Classes) -> &PyTypeRef| {
        CLASSES.with_borrow(|c| c.as_ref().map(|c| pick(c).clone())).unwrap_or_else(|| types.runtime_error.to_owned())
    };
    let class = match error.kind {
        ErrorKind::Runtime => types.runtime_error.to_owned(),
        ErrorKind::Type => types.type_error.to_owned(),
        ErrorKind::Value => types.value_error.to_owned(),
        ErrorKind::Index => types.index_error.to_owned(),
        ErrorKind::Key => types.key_error.to_owned(),
        ErrorKind::NotImplemented => types.not_implemented_error.to_owned(),
        ErrorKind::Assertion => types.assertion_error.to_owned(),
        ErrorKind::Attribute => types.attribute_error.to_owned(),
        ErrorKind::OutOfMemory => special(|c| &c.out_of_memory),
        ErrorKind::Accelerator => special(|c| &c.accelerator),
        ErrorKind::LinAlg => special(|c| &c.lin_alg),
        ErrorKind::DistBackend => special(|c| &c.dist_backend),
        ErrorKind::DistNetwork => special(|c| &c.dist_network),
        ErrorKind::DistStore => special(|c| &c.dist_store),
        ErrorKind::Interrupt => return vm.new_exception_empty(types.keyboard_interrupt.to_owned()),
    };
    vm.new_exception_msg(class, error.message.into())
}

/// An exception carried through the engine, for hooks and autograd functions that run Python under it.
pub(super) fn lower(error: PyBaseExceptionRef, vm: &VirtualMachine) -> Error {
    let message = error.as_object().str(vm).ok().and_then(|s| s.to_str().map(str::to_string)).unwrap_or_default();
    PENDING.set(Some(error.into()));
    Error::runtime(message)
}

thread_local! {
    /// The exception that Python code below the engine raised. The engine returns an error that stands for it.
    static PENDING: RefCell<Option<PyObjectRef>> = const { RefCell::new(None) };
}

/// Engine results as Python results.
pub(super) trait OrRaise<T> {
    /// # Errors
    /// The exception for the engine's error, or the one that Python code under the engine raised.
    fn or_raise(self, vm: &VirtualMachine) -> PyResult<T>;
}

impl<T> OrRaise<T> for crate::error::Result<T> {
    #[inline]
    fn or_raise(self, vm: &VirtualMachine) -> PyResult<T> {
        self.map_err(|e| {
            let pending = PENDING.take().and_then(|o| o.downcast().ok());
            pending.unwrap_or_else(|| raise(e, vm))
        })
    }
}

/// `NotImplementedError: torch.foo: …`.
pub(super) fn not_implemented(what: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_not_implemented_error(what.to_string())
}

thread_local! {
    /// What [`warn_once`] has said to this program.
    static SAID: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Like [`warn`], for what PyTorch says only once in a program.
pub(super) fn warn_once(message: &'static str, vm: &VirtualMachine) -> PyResult<()> {
    warn_once_of(message, message, vm)
}

/// Likewise, where one of several messages of a `kind` is said.
pub(super) fn warn_once_of(kind: &'static str, message: &str, vm: &VirtualMachine) -> PyResult<()> {
    let is_new = SAID.with_borrow_mut(|said| {
        let is_new = !said.contains(&kind);
        if is_new {
            said.push(kind);
        }
        is_new
    });
    if is_new { warn(message, vm) } else { Ok(()) }
}

/// Forgets what was said to the last program.
pub(super) fn reset() {
    SAID.take();
}

/// `warnings.warn(message)`, as if the learner's line had called it.
pub(super) fn warn(message: &str, vm: &VirtualMachine) -> PyResult<()> {
    let warn = vm.import("warnings", 0)?.get_attr("warn", vm)?;
    warn.call((message,), vm).map(drop)
}

/// Runs Python code below the engine. If it raises, the call above the engine raises the same exception.
pub(super) fn with_vm<T>(f: impl FnOnce(&VirtualMachine) -> PyResult<T>) -> crate::error::Result<T> {
    rustpython_vm::vm::thread::with_current_vm(|vm| f(vm).map_err(|e| lower(e, vm)))
}
