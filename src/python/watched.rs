//! Compiles a program so that it calls the [host](super::interrupt::Host) while it runs.
//!
//! Every loop and every function gets `if <tick>: pass` as its first statement, every comprehension `if <tick>` as its first
//! condition. `<tick>` is an object in `builtins` whose name no program can write. Testing its truth value counts, and calls
//! the host at intervals. That costs a name lookup and a test in each iteration. A `sys.monitoring` callback at backward
//! jumps would need no change to the program, but costs several times as much as an iteration of a short loop.

use ruff_text_size::Ranged;
use rustpython_vm::VirtualMachine;
use rustpython_vm::builtins::PyCode;
use rustpython_vm::compiler::ast::visitor::transformer::{self, Transformer};
use rustpython_vm::compiler::ast::{
    Arguments, AtomicNodeIndex, Comprehension, Expr, ExprCall, ExprContext, ExprName, Identifier, Mod, Stmt,
    StmtGlobal, StmtIf, StmtPass,
};
use rustpython_vm::compiler::codegen::compile::compile_top;
use rustpython_vm::compiler::core::SourceFileBuilder;
use rustpython_vm::compiler::{Mode, parser};
use rustpython_vm::{PyRef, PyResult};

use super::interrupt::TICK;
use super::page;
use super::sites::{self, Wrap};
use crate::diagnose::plan::Site;
use crate::notebook::magic;

/// The name in `builtins` of the function that shows the value of a cell's last expression.
const SHOW: &str = "<show>";

/// Compiles a program that also compiles unchanged; `None` if the changed program doesn't compile. With `ticks` it
/// calls the host; at `sites` it shows what happens there. A cell shows the value of its last expression.
pub(super) fn compile(
    source: &str,
    file: &str,
    ticks: bool,
    sites: &[Site],
    is_cell: bool,
    vm: &VirtualMachine,
) -> Option<PyRef<PyCode>> {
    let mut module = parser::parse_module(source).ok()?.into_syntax();
    if !sites.is_empty() {
        let wrap = Wrap::new(sites);
        module.body.iter_mut().for_each(|statement| wrap.visit_stmt(statement));
    }
    if is_cell {
        show_last(&mut module.body, source);
    }
    if ticks {
        module.body.iter_mut().for_each(|statement| Watch.visit_stmt(statement));
    }
    // Even outside functions, such names are looked up as globals, which the interpreter caches.
    let names = ticks.then(|| TICK.to_string()).into_iter().chain((0..sites.len()).map(sites::name));
    let names: Vec<Identifier> = names.map(|name| Identifier::new(name, module.range)).collect();
    if !names.is_empty() {
        let range = module.range;
        let global = Stmt::Global(StmtGlobal { node_index: AtomicNodeIndex::NONE, range, names });
        module.body.insert(prologue(&module.body), global);
    }
    let source = SourceFileBuilder::new(file, source).finish();
    let code = compile_top(Mod::Module(module), source, Mode::Exec, vm.compile_opts()).ok()?;
    Some(PyCode::new_ref_from_bytecode(vm, code))
}

/// Python of the learner's, compiled. A cell shows the value of its last expression.
pub(super) fn code(
    python: &str,
    shown: &str,
    file: &str,
    is_cell: bool,
    ticks: bool,
    vm: &VirtualMachine,
) -> PyResult<PyRef<PyCode>> {
    let code = super::compile::compile(python, Mode::Exec, file, shown, vm)?;
    Ok(compile(python, file, ticks, &[], is_cell, vm).unwrap_or(code))
}

/// [`code`] for source code inside a cell, such as that of `%timeit`.
pub(super) fn compiled(source: &str, file: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    code(&magic::translate(source).python, source, file, true, page::host().is_some(), vm)
}

/// A module that is a file of the learner's, compiled so that Stop can end what runs in it.
pub(super) fn module(source: &str, file: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    code(source, source, file, false, page::host().is_some(), vm)
}

/// Shows the value of the last statement, if it's an expression without a semicolon after it.
fn show_last(body: &mut [Stmt], source: &str) {
    let Some(Stmt::Expr(last)) = body.last_mut() else { return };
    let after = source.get(usize::from(last.range.end())..).unwrap_or_default();
    if after.trim_start_matches(|c: char| c.is_whitespace() || c == ')').starts_with(';') {
        return;
    }
    let range = last.value.range();
    let name =
        Expr::Name(ExprName { node_index: AtomicNodeIndex::NONE, range, id: SHOW.into(), ctx: ExprContext::Load });
    let value = std::mem::replace(&mut *last.value, name.clone());
    *last.value = Expr::Call(ExprCall {
        node_index: AtomicNodeIndex::NONE,
        range_start: range.start(),
        func: Box::new(name),
        arguments: Arguments {
            range,
            node_index: AtomicNodeIndex::NONE,
            args: Box::new([value]),
            keywords: std::iter::empty().collect(),
            runtime_args: None,
            runtime_bases: None,
        },
    });
}

/// How many statements must stay first: a docstring, and imports from `__future__`.
fn prologue(body: &[Stmt]) -> usize {
    let docstring = usize::from(matches!(body.first(), Some(Stmt::Expr(e)) if e.value.is_string_literal_expr()));
    let future = |s: &Stmt| matches!(s, Stmt::ImportFrom(i) if i.module.as_deref() == Some("__future__"));
    docstring + body[docstring..].iter().take_while(|s| future(s)).count()
}

struct Watch;

/// The first `$length` characters of a range: the keyword that a traceback underlines.
macro_rules! first {
    ($range:expr, $length:expr) => {
        $range.sub_end($range.len().checked_sub(u32::into($length)).unwrap_or_default())
    };
}

/// `<tick>` at a place in the source.
macro_rules! tick {
    ($range:expr) => {
        Expr::Name(ExprName {
            node_index: AtomicNodeIndex::NONE,
            range: $range,
            id: TICK.into(),
            ctx: ExprContext::Load,
        })
    };
}

/// `if <tick>: pass` at a place in the source.
macro_rules! check {
    ($range:expr) => {
        Stmt::If(StmtIf {
            node_index: AtomicNodeIndex::NONE,
            range: $range,
            test: Box::new(tick!($range)),
            body: [Stmt::Pass(StmtPass { node_index: AtomicNodeIndex::NONE, range: $range })].into_iter().collect(),
            elif_else_clauses: Vec::new(),
            runtime_body: None,
        })
    };
}

impl Transformer for Watch {
    fn visit_stmt(&self, statement: &mut Stmt) {
        transformer::walk_stmt(self, statement);
        match statement {
            Stmt::While(loop_) => loop_.body.insert(0, check!(first!(loop_.range, 5))),
            Stmt::For(loop_) => loop_.body.insert(0, check!(first!(loop_.range, 3))),
            Stmt::FunctionDef(function) => {
                let docstring =
                    matches!(function.body.first(), Some(Stmt::Expr(e)) if e.value.is_string_literal_expr());
                function.body.insert(usize::from(docstring), check!(function.name.range));
            }
            _ => {}
        }
    }

    fn visit_comprehension(&self, comprehension: &mut Comprehension) {
        transformer::walk_comprehension(self, comprehension);
        comprehension.ifs.insert(0, tick!(first!(comprehension.range, 3)));
    }
}
