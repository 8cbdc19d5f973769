//! Where `print`, tracebacks and warnings go: `sys.stdout` and `sys.stderr` as text streams over an [`Output`].

use std::cell::RefCell;
use std::rc::Rc;

use rustpython_vm::builtins::{PyModule, PyStrRef};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::convert::IntoPyException;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

pub use crate::protocol::Stream;

/// Receives what the program writes.
///
/// Implementations must not call back into Python, because streams are written to while the interpreter runs.
pub trait Output {
    /// Takes text as it is written; a `print` may arrive in several pieces.
    ///
    /// # Errors
    /// What the operating system said, such as a closed pipe.
    fn write(&self, stream: Stream, text: &str) -> std::io::Result<()>;

    /// Passes on buffered text.
    ///
    /// # Errors
    /// Those of [`Output::write`].
    fn flush(&self, _stream: Stream) -> std::io::Result<()> {
        Ok(())
    }

    /// Shows a figure, given as SVG with a sentence that describes it. Returns false if figures can't be shown. Without a
    /// figure, only returns whether they can.
    fn figure(&self, _svg: Option<&str>, _words: &str) -> bool {
        false
    }

    /// Takes an output of a notebook's cell that is neither text of a stream nor a figure, as the format of notebooks has it;
    /// also `clear_output` and `update_display_data`. Returns whether it is shown.
    fn display(&self, _output: serde_json::Value) -> bool {
        false
    }

    fn is_terminal(&self, _stream: Stream) -> bool {
        false
    }

    /// The descriptor that `fileno()` returns, if there is one.
    fn descriptor(&self, _stream: Stream) -> Option<i32> {
        None
    }
}

/// The process's own streams. Standard output is passed on at every line end, standard error at once.
#[cfg(not(target_arch = "wasm32"))]
pub struct Process;

#[cfg(not(target_arch = "wasm32"))]
impl Output for Process {
    fn write(&self, stream: Stream, text: &str) -> std::io::Result<()> {
        use std::io::Write;
        match stream {
            Stream::Stdout => std::io::stdout().write_all(text.as_bytes()),
            Stream::Stderr => {
                std::io::stdout().flush()?;
                std::io::stderr().write_all(text.as_bytes())
            }
        }
    }

    fn flush(&self, stream: Stream) -> std::io::Result<()> {
        use std::io::Write;
        match stream {
            Stream::Stdout => std::io::stdout().flush(),
            Stream::Stderr => std::io::stderr().flush(),
        }
    }

    fn is_terminal(&self, stream: Stream) -> bool {
        use std::io::IsTerminal;
        match stream {
            Stream::Stdout => std::io::stdout().is_terminal(),
            Stream::Stderr => std::io::stderr().is_terminal(),
        }
    }

    fn descriptor(&self, stream: Stream) -> Option<i32> {
        Some(match stream {
            Stream::Stdout => 1,
            Stream::Stderr => 2,
        })
    }
}

/// Keeps everything, for tests and for callers that need the text.
#[derive(Default)]
pub struct Captured {
    pub stdout: RefCell<String>,
    pub stderr: RefCell<String>,
}

impl Output for Captured {
    fn write(&self, stream: Stream, text: &str) -> std::io::Result<()> {
        match stream {
            Stream::Stdout => self.stdout.borrow_mut().push_str(text),
            Stream::Stderr => self.stderr.borrow_mut().push_str(text),
        }
        Ok(())
    }
}

thread_local! {
    static OUTPUT: RefCell<Option<Rc<dyn Output>>> = const { RefCell::new(None) };
}

/// Sets the output of this thread's interpreter until the guard is dropped.
pub(super) fn set(output: Rc<dyn Output>) -> Guard {
    Guard(OUTPUT.replace(Some(output)))
}

pub(super) struct Guard(Option<Rc<dyn Output>>);

impl Drop for Guard {
    fn drop(&mut self) {
        OUTPUT.set(self.0.take());
    }
}

/// The output in use, cloned so that no borrow is held while it is written to.
fn current() -> Option<Rc<dyn Output>> {
    OUTPUT.with_borrow(Clone::clone)
}

/// Shows a figure. Returns false if that isn't possible. See [`Output::figure`].
pub fn figure(svg: Option<&str>, words: &str) -> bool {
    current().is_some_and(|output| output.figure(svg, words))
}

/// Gives an output of a cell to what shows the notebook. See [`Output::display`].
pub(super) fn display(shown: serde_json::Value) -> bool {
    current().is_some_and(|output| output.display(shown))
}

/// Writes to standard error without the interpreter.
pub(super) fn write_error(text: &str) {
    if let Some(output) = current() {
        // There is nowhere to report this: the stream that would show the message is the one that failed.
        let _ = output.write(Stream::Stderr, text);
    }
}

/// Passes on buffered text.
pub fn flush() {
    if let Some(output) = current() {
        // There is nowhere to report this: the stream that would show the message is the one that failed.
        let _ = output.flush(Stream::Stdout);
        let _ = output.flush(Stream::Stderr);
    }
}

/// Puts the streams into `sys`.
pub(super) fn install(vm: &VirtualMachine) -> PyResult<()> {
    let _ = TextStream::make_static_type();
    let stream = |stream| -> PyObjectRef { TextStream { stream }.into_ref(&vm.ctx).into() };
    let sys: &Py<PyModule> = &vm.sys_module;
    for (names, object) in
        [(["stdout", "__stdout__"], stream(Stream::Stdout)), (["stderr", "__stderr__"], stream(Stream::Stderr))]
    {
        for name in names {
            sys.set_attr(name, object.clone(), vm)?;
        }
    }
    // The interpreter makes two objects of one function, and a program's own hook is recognized because it is neither of
    // them.
    let hook = sys.get_attr("__excepthook__", vm)?;
    sys.set_attr("excepthook", hook, vm)?;
    if cfg!(target_arch = "wasm32") { install_no_input(vm) } else { Ok(()) }
}

/// Sets `sys.stdin` to an input that is always empty.
pub(super) fn install_no_input(vm: &VirtualMachine) -> PyResult<()> {
    let _ = NoInput::make_static_type();
    let input: PyObjectRef = NoInput.into_ref(&vm.ctx).into();
    vm.sys_module.set_attr("stdin", input.clone(), vm)?;
    vm.sys_module.set_attr("__stdin__", input, vm)
}

/// `sys.stdout` or `sys.stderr`.
#[pyclass(module = "io", name = "TextIOWrapper")]
#[derive(Debug, PyPayload)]
struct TextStream {
    stream: Stream,
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl TextStream {
    #[pymethod]
    fn write(zelf: &Py<Self>, text: PyStrRef, vm: &VirtualMachine) -> PyResult<usize> {
        if let Some(output) = current() {
            output.write(zelf.stream, &text.to_string_lossy()).map_err(|e| e.into_pyexception(vm))?;
        }
        Ok(text.char_len())
    }

    #[pymethod]
    fn writelines(zelf: &Py<Self>, lines: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        for line in lines.try_to_value::<Vec<PyStrRef>>(vm)? {
            Self::write(zelf, line, vm)?;
        }
        Ok(())
    }

    #[pymethod]
    fn flush(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<()> {
        match current() {
            Some(output) => output.flush(zelf.stream).map_err(|e| e.into_pyexception(vm)),
            None => Ok(()),
        }
    }

    #[pymethod]
    fn isatty(zelf: &Py<Self>) -> bool {
        current().is_some_and(|output| output.is_terminal(zelf.stream))
    }

    #[pymethod]
    fn fileno(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<i32> {
        current()
            .and_then(|output| output.descriptor(zelf.stream))
            .ok_or_else(|| vm.new_os_error("fileno: this stream is not a file"))
    }

    #[pymethod]
    fn writable(_zelf: &Py<Self>) -> bool {
        true
    }

    #[pymethod]
    fn readable(_zelf: &Py<Self>) -> bool {
        false
    }

    #[pymethod]
    fn seekable(_zelf: &Py<Self>) -> bool {
        false
    }

    /// Accepts Python's arguments and changes nothing: the streams are always UTF-8 and are never buffered for long.
    #[pymethod]
    fn reconfigure(_zelf: &Py<Self>, _args: FuncArgs) {}

    #[pymethod]
    fn __enter__(zelf: &Py<Self>) -> PyRef<Self> {
        zelf.to_owned()
    }

    #[pymethod]
    fn __exit__(_zelf: &Py<Self>, _args: FuncArgs) {}

    #[pygetset]
    fn name(zelf: &Py<Self>) -> &'static str {
        match zelf.stream {
            Stream::Stdout => "<stdout>",
            Stream::Stderr => "<stderr>",
        }
    }

    #[pygetset]
    fn mode(_zelf: &Py<Self>) -> &'static str {
        "w"
    }

    #[pygetset]
    fn encoding(_zelf: &Py<Self>) -> &'static str {
        "utf-8"
    }

    #[pygetset]
    fn errors(zelf: &Py<Self>) -> &'static str {
        match zelf.stream {
            Stream::Stdout => "strict",
            Stream::Stderr => "backslashreplace",
        }
    }

    #[pygetset]
    fn closed(_zelf: &Py<Self>) -> bool {
        false
    }

    #[pygetset]
    fn line_buffering(_zelf: &Py<Self>) -> bool {
        true
    }
}

/// `sys.stdin` where there is no terminal to read from.
#[pyclass(module = "io", name = "TextIOWrapper")]
#[derive(Debug, PyPayload)]
struct NoInput;

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl NoInput {
    #[pymethod]
    fn readline(_zelf: &Py<Self>, _args: FuncArgs, vm: &VirtualMachine) -> PyResult<PyStrRef> {
        Err(vm.new_os_error("a program in the page has no terminal to read from; write the value in the code"))
    }

    #[pymethod]
    fn read(zelf: &Py<Self>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<PyStrRef> {
        Self::readline(zelf, args, vm)
    }

    #[pymethod]
    fn isatty(_zelf: &Py<Self>) -> bool {
        false
    }

    #[pymethod]
    fn fileno(_zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<i32> {
        Err(vm.new_os_error("fileno: this stream is not a file"))
    }

    #[pygetset]
    fn name(_zelf: &Py<Self>) -> &'static str {
        "<stdin>"
    }

    #[pygetset]
    fn encoding(_zelf: &Py<Self>) -> &'static str {
        "utf-8"
    }

    #[pygetset]
    fn errors(_zelf: &Py<Self>) -> &'static str {
        "strict"
    }
}
