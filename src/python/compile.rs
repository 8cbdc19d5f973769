//! A check before the interpreter's compiler: it recurses into what is nested, so a program that is nested too deep for its
//! stack gets one of Python's errors instead.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyStr};
use rustpython_vm::compiler::core::SourceFileBuilder;
use rustpython_vm::compiler::{CompileError, Mode, pre_parse_source_error};
use rustpython_vm::function::{ArgBytesLike, Callee, FuncArgs};
use rustpython_vm::vm::VmCompileError;
use rustpython_vm::{AsObject, PyObjectRef, PyResult, TryFromObject, VirtualMachine};

#[cfg(not(target_arch = "wasm32"))]
use super::{hosted, sealed};
use crate::nesting::{self, TooDeep};

/// Checks how deep a program is nested, and notes what `overrides` needs to know of its source.
///
/// # Errors
/// Python's error for a program that is nested too deep to be compiled here.
pub(super) fn check(source: &str, file: &str, vm: &VirtualMachine) -> PyResult<()> {
    super::torch::overrides::read_source(source);
    let Err(deep) = nesting::check(source) else { return Ok(()) };
    Err(match deep {
        TooDeep::Brackets => {
            // The interpreter's own check before parsing gives a better error, which says where. If it finds the same, it
            // raises it later.
            if pre_parse_source_error(&SourceFileBuilder::new(file, source).finish()).is_err() {
                return Ok(());
            }
            at_line("SyntaxError", "too many nested parentheses", source, file, vm)
        }
        TooDeep::Blocks => at_line("IndentationError", "too many levels of indentation", source, file, vm),
        TooDeep::Comprehensions => noted(
            vm.new_recursion_error(DURING_COMPILATION),
            &format!("At most {} comprehensions can be nested in each other here.", nesting::COMPREHENSIONS),
            vm,
        ),
        TooDeep::Levels => explained(vm.new_recursion_error(DURING_COMPILATION), vm),
    })
}

const DURING_COMPILATION: &str = "maximum recursion depth exceeded during compilation";

fn at_line(class: &str, text: &str, source: &str, file: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let class = match class {
        "IndentationError" => vm.ctx.exceptions.indentation_error,
        _ => vm.ctx.exceptions.syntax_error,
    };
    let number = nesting::line(source);
    let line = source.lines().nth(number.saturating_sub(1) as usize).unwrap_or_default();
    let place: Vec<PyObjectRef> =
        vec![vm.ctx.new_str(file).into(), vm.ctx.new_int(number).into(), vm.ctx.none(), vm.ctx.new_str(line).into()];
    let args = vec![vm.ctx.new_str(text).into(), vm.ctx.new_tuple(place).into()];
    match class.to_owned().as_object().call(args, vm).map(|error| error.downcast()) {
        Ok(Ok(error)) => error,
        Ok(Err(_)) => vm.new_exception_msg(class.to_owned(), text.into()),
        Err(error) => error,
    }
}

/// Adds a note with the limit to a `RecursionError` of the compiler, unless the error has a note already.
pub(super) fn explained(error: PyBaseExceptionRef, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let is_ours = error.fast_isinstance(vm.ctx.exceptions.recursion_error)
        && error.as_object().str(vm).is_ok_and(|text| text.to_string_lossy() == DURING_COMPILATION)
        && error.as_object().get_attr("__notes__", vm).is_err();
    if !is_ours {
        return error;
    }
    let note = format!(
        "At most {} operators, calls and blocks can be nested in each other, fewer near the end of the stack; a sum of n terms \
         nests n deep.",
        vm.recursion_limit.get()
    );
    noted(error, &note, vm)
}

fn noted(error: PyBaseExceptionRef, note: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    match vm.call_method(error.as_object(), "add_note", (note.to_string(),)) {
        Ok(_) => error,
        Err(failure) => failure,
    }
}

/// Like `vm.compile`, after [`check`]. `shown` is the source that error messages quote.
///
/// # Errors
/// The check's error, or the compiler's.
pub(super) fn compile(
    source: &str,
    mode: Mode,
    file: &str,
    shown: &str,
    vm: &VirtualMachine,
) -> PyResult<rustpython_vm::PyRef<rustpython_vm::builtins::PyCode>> {
    check(source, file, vm)?;
    vm.compile(source, mode, file).map_err(|error| explained(exception(error, file, shown, vm), vm))
}

/// The exception for a program that doesn't compile. For an error of the compiler (`return` outside a function), the
/// interpreter would take the source line from a file with that name, if there is one. This shows the program's own line.
fn exception(mut error: VmCompileError, file: &str, shown: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let VmCompileError::Compile(CompileError::Codegen(refused)) = &mut error else {
        return error.into_pyexception(vm, Some(shown));
    };
    refused.source_path.clear();
    let line = refused.location.and_then(|location| shown.lines().nth(location.line.to_zero_indexed()));
    let line = line.map_or_else(|| vm.ctx.none(), |line| vm.ctx.new_str(format!("{line}\n")).into());
    let error = error.into_pyexception(vm, Some(shown));
    for (name, value) in [("filename", vm.ctx.new_str(file).into()), ("text", line)] {
        // A `SyntaxError` takes every value.
        let _ = error.as_object().set_attr(name, value, vm);
    }
    error
}

/// Adds the check to `compile`, `eval` and `exec`. Everything that is compiled at run time goes through these three, even
/// when `ast` or `import` asks for it.
pub(super) fn guard_builtins(vm: &VirtualMachine) -> PyResult<()> {
    // The new functions call the native definitions, and replace the objects in `builtins`. So no object that a program can
    // find avoids the check.
    let own = vm.builtins.def.map_or(&[][..], |def| def.methods);
    for own in own.iter().filter(|own| ["compile", "eval", "exec"].contains(&own.name)) {
        let name = own.name;
        let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
            let source = args.args.first().cloned().or_else(|| args.kwargs.get("source").cloned());
            if let Some(text) = source.and_then(|source| text(source, vm)) {
                check(&text, "<string>", vm)?;
            }
            #[cfg(not(target_arch = "wasm32"))]
            if name == "compile" && hosted::is_hosted() {
                return sealed::compile(own, args, vm).map_err(|error| explained(error, vm));
            }
            (own.func)(vm, args, Callee::named(name)).map_err(|error| explained(error, vm))
        };
        vm.builtins.as_object().set_attr(name, vm.new_function(name, guarded), vm)?;
    }
    Ok(())
}

/// Source code as text; `None` for code objects and syntax trees. If bytes have another encoding, only their ASCII part is
/// right, which is enough: everything that nests is ASCII.
fn text(source: PyObjectRef, vm: &VirtualMachine) -> Option<String> {
    if let Some(text) = source.downcast_ref::<PyStr>() {
        return Some(text.to_string_lossy().into_owned());
    }
    let bytes = ArgBytesLike::try_from_object(vm, source).ok()?;
    Some(bytes.with_ref(|bytes| String::from_utf8_lossy(bytes).into_owned()))
}
