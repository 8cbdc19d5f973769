//! Python's regular expressions, which can be stopped.
//!
//! The interpreter's own looks for Stop once a match has ended, and `(a*)*b` can take longer than anybody waits. Here are the
//! classes of `re`, over the interpreter's engine: the engine reads strings that count what it reads ([`subject`]).

mod found;
mod pattern;
mod subject;

use rustpython_vm::builtins::{PyDictRef, PyInt, PyListRef, PyStr, PyStrRef};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::{FromArgs, PyObjectRef, PyPayload, PyRef, PyResult, TryFromObject, VirtualMachine, pyclass};

use found::Match;
use pattern::{Pattern, Scanner};

/// Puts the classes where `re` finds them, before a program imports it.
pub(super) fn install(vm: &VirtualMachine) -> PyResult<()> {
    for class in [Pattern::make_static_type(), Match::make_static_type()] {
        class.set_attr(vm.ctx.intern_str("__module__"), vm.ctx.new_str("re").into());
    }
    let _ = (Scanner::make_static_type(), Template::make_static_type());
    let module = vm.import("_sre", 0)?;
    module.set_attr("compile", vm.new_function("compile", compile), vm)?;
    module.set_attr("template", vm.new_function("template", template), vm)?;
    module.set_attr("SRE_Template", Template::make_static_type(), vm)
}

#[derive(FromArgs)]
struct CompileArgs {
    #[pyarg(any)]
    pattern: PyObjectRef,
    #[pyarg(any)]
    flags: u16,
    #[pyarg(any)]
    code: Vec<u32>,
    #[pyarg(any)]
    groups: usize,
    #[pyarg(any)]
    groupindex: PyDictRef,
    #[pyarg(any)]
    indexgroup: PyObjectRef,
}

fn compile(args: CompileArgs, vm: &VirtualMachine) -> PyResult<Pattern> {
    // `re.Scanner` has no pattern, and is for strings.
    let is_bytes = !vm.is_none(&args.pattern) && args.pattern.downcast_ref::<PyStr>().is_none();
    Ok(Pattern {
        is_bytes,
        pattern: args.pattern,
        flags: args.flags,
        code: args.code,
        groups: args.groups,
        index_of: args.groupindex,
        names: Vec::<Option<PyStrRef>>::try_from_object(vm, args.indexgroup)?,
    })
}

/// What `sub` puts in place of a match: text, and after each number of a group more text.
#[pyclass(module = "re", name = "SRE_Template")]
#[derive(Debug, PyPayload)]
struct Template {
    begin: PyObjectRef,
    parts: Vec<(usize, PyObjectRef)>,
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl Template {}

impl Template {
    /// Reads what a program wrote with `\1` and `\g<name>`.
    fn read(pattern: &PyRef<Pattern>, text: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyRef<Template>> {
        let read = vm.import("re", 0)?.get_attr("_compile_template", vm)?.call((pattern.clone(), text), vm)?;
        read.downcast().map_err(|_| vm.new_runtime_error("the result of compiling a replacement string is invalid"))
    }
}

fn template(_pattern: PyObjectRef, items: PyListRef, vm: &VirtualMachine) -> PyResult<Template> {
    let invalid = || vm.new_type_error("invalid template");
    let items = items.borrow_vec();
    let (begin, rest) = items.split_first().ok_or_else(invalid)?;
    let mut parts = Vec::new();
    for pair in rest.chunks(2) {
        let [group, text] = pair else { return Err(invalid()) };
        let group = group.downcast_ref::<PyInt>().ok_or_else(invalid)?.try_to_primitive::<usize>(vm)?;
        parts.push((group, text.clone()));
    }
    Ok(Template { begin: begin.clone(), parts })
}
