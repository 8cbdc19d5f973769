//! A notebook's cells: they run one after the other in one interpreter, and share one namespace.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::ManuallyDrop;
use std::rc::Rc;

use rustpython_vm::builtins::{PyBaseExceptionRef, PyCode};
use rustpython_vm::compiler::Mode;
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, Interpreter, PyObjectRef, PyRef, PyResult, VirtualMachine};

use super::interrupt;
use super::output::{self, Output};
use super::traceback::{self, Raised};
use super::vm::{self, Ended, Prepared, Program};
use super::{compile, guard, hosted, looking, page, torch, watched};
use crate::diagnose::facts::Facts;
use crate::engine;
use crate::notebook::{self, magic};

/// What the names of cells begin with, as IPython has it. Tracebacks and warnings show the name in place of a file's.
const CELL: &str = "Cell In[";

/// The name of the cell that runs as number `count`.
fn cell_name(count: u64) -> String {
    format!("{CELL}{count}]")
}

/// Whether a file's name is that of a cell.
pub(super) fn is_cell(file: &str) -> bool {
    file.starts_with(CELL)
}

/// A traceback in which cells aren't called files: `Cell In[3], line 2, in <module>`.
pub(super) fn name(traceback: String) -> String {
    let beginning = format!("File \"{CELL}");
    let mut parts = traceback.split(&beginning);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once("]\"") {
            Some((number, rest)) if number.bytes().all(|b| b.is_ascii_digit()) => {
                out.push_str(CELL);
                out.push_str(number);
                out.push(']');
                out.push_str(rest);
            }
            _ => {
                out.push_str(&beginning);
                out.push_str(part);
            }
        }
    }
    out
}

/// A notebook that is open: an interpreter that waits for the next cell. It belongs to the engine that was this thread's when
/// it was made.
pub struct Cells {
    interpreter: ManuallyDrop<Interpreter>,
    program: Program,
    scope: Option<Scope>,
    /// The devices that were visible before.
    visible: Option<String>,
    /// Cells that have begun.
    count: u64,
    /// Hashes of the files that the host has given.
    given: HashMap<String, u64>,
    /// A cell called `sys.exit`.
    has_exited: bool,
    /// A panic went through the interpreter, so no Python may run in it any more.
    is_broken: bool,
}

impl Cells {
    /// Opens a notebook. `program` says how its cells run: its source isn't used.
    ///
    /// # Errors
    /// How it ended, if the interpreter couldn't be made.
    pub fn open(program: Program, prepared: Option<Prepared>, output: Rc<dyn Output>) -> Result<Cells, Ended> {
        let _hosted = hosted::set(program.hosted);
        let is_set_up = prepared.is_some();
        let interpreter = prepared.map_or_else(|| vm::interpreter(&program), |prepared| prepared.0);
        let mut cells = Cells {
            interpreter: ManuallyDrop::new(interpreter),
            program,
            scope: None,
            visible: None,
            count: 0,
            given: HashMap::new(),
            has_exited: false,
            is_broken: false,
        };
        let _streams = output::set(output);
        cells.visible = vm::begin(cells.program.host.clone());
        let Cells { interpreter, program, scope, .. } = &mut cells;
        let ran = guard::whole(&program.file, "", || {
            interpreter.enter(|vm| {
                vm::learn(&program.file, vm);
                let begun = begin(program, is_set_up, vm);
                begun.map(|begun| *scope = Some(begun)).map_err(|error| traceback::describe(&error, &program.file, vm))
            })
        });
        vm::forget();
        match ran {
            Ok(Ok(())) => Ok(cells),
            Ok(Err(raised)) => {
                output::write_error(&raised.traceback);
                Err(Ended { exit_code: 1, error: Some(raised) })
            }
            Err(raised) => {
                cells.is_broken = true;
                Err(vm::panicked(raised))
            }
        }
    }

    /// The number of the cell that ran last: `In[3]` is 3.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether no further cell can run.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Whether the cell that ran last ended the program, with `sys.exit` or in another way.
    pub fn has_exited(&self) -> bool {
        self.has_exited || self.is_broken
    }

    /// Runs a cell. An error is shown below it, and the notebook stays open. `how` says what differs between cells: the host,
    /// the observer, and whether lines are reported.
    pub fn run(&mut self, source: &str, how: &Program, output: Rc<dyn Output>) -> Ended {
        self.count += 1;
        let _hosted = hosted::set(self.program.hosted);
        let _streams = output::set(output);
        page::set_host(how.host.clone());
        let cell = Program {
            file: cell_name(self.count),
            source: source.to_string(),
            host: how.host.clone(),
            observer: how.observer.clone(),
            lines: how.lines,
            ..self.program.clone()
        };
        let (count, scope) = (self.count, self.scope.clone());
        let files = self.new_files(&cell);
        let mut has_exited = false;
        let interpreter = &self.interpreter;
        let ran = guard::whole(&cell.file, source, || {
            interpreter.enter(|vm| {
                vm::learn(&cell.file, vm);
                let result = match &scope {
                    Some(scope) => page::give_files(files, vm).and_then(|()| execute(&cell, count, scope, vm)),
                    None => Ok(()),
                };
                interrupt::disarm();
                let (ended, exception) = match result {
                    Ok(()) => (Ended { exit_code: 0, error: None }, None),
                    Err(error) => {
                        has_exited = error.fast_isinstance(vm.ctx.exceptions.system_exit);
                        (end(&error, &cell.file, vm), Some(error))
                    }
                };
                vm::flush(vm);
                engine::current().devices.notice_late_selection();
                vm::observe(&cell, scope, ended.error.as_ref(), exception, Facts::default(), vm);
                ended
            })
        });
        let ended = ran.unwrap_or_else(|raised| {
            self.is_broken = true;
            vm::panicked(raised)
        });
        self.has_exited |= has_exited;
        vm::forget();
        output::flush();
        ended
    }

    /// The files of a hosted notebook that are new or have changed since an earlier cell.
    fn new_files(&mut self, cell: &Program) -> Vec<(String, Vec<u8>)> {
        let Some(host) = cell.host.as_ref().filter(|_| cell.hosted) else { return Vec::new() };
        let mut files = host.files();
        files.retain(|(name, bytes)| {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            let hash = hasher.finish();
            self.given.insert(name.clone(), hash) != Some(hash)
        });
        files
    }

    /// Closes the notebook: every tensor is freed when this returns. Returns the exit code of what ran at exit.
    pub fn close(mut self, output: Rc<dyn Output>) -> i32 {
        if self.is_broken {
            return 1;
        }
        let _hosted = hosted::set(self.program.hosted);
        let _streams = output::set(output);
        page::set_host(self.program.host.clone());
        let visible = self.visible.clone();
        self.scope = None;
        let left = guard::whole(&self.program.file, "", || {
            self.interpreter.enter(|vm| {
                vm::learn(&self.program.file, vm);
                vm::leave(visible.as_deref(), vm);
            });
        });
        // SAFETY: nothing uses the interpreter after this, because the notebook is gone.
        let interpreter = unsafe { ManuallyDrop::take(&mut self.interpreter) };
        let code = left.and_then(|()| vm::finalize(interpreter, &self.program.file, ""));
        vm::forget();
        output::flush();
        code.unwrap_or_else(|raised| vm::panicked(raised).exit_code)
    }
}

/// Makes the namespace, and the shell that `get_ipython()` returns.
fn begin(program: &Program, is_set_up: bool, vm: &VirtualMachine) -> PyResult<Scope> {
    if !is_set_up {
        vm::set_up(program, program.host.is_some(), vm)?;
    }
    let scope = vm::main_scope(program, vm)?;
    // A cell is in no file.
    scope.globals.del_item("__file__", vm)?;
    scope.globals.del_item("__loader__", vm)?;
    let shell = vm.import("IPython.core.interactiveshell", 0)?;
    let shell = shell.get_attr("core", vm)?.get_attr("interactiveshell", vm)?;
    shell.get_attr("start", vm)?.call((scope.globals.clone(),), vm)?;
    Ok(scope)
}

/// The shell of the notebook.
fn shell(vm: &VirtualMachine) -> PyResult<PyObjectRef> {
    vm.import("IPython", 0)?.get_attr("get_ipython", vm)?.call((), vm)
}

fn execute(cell: &Program, count: u64, scope: &Scope, vm: &VirtualMachine) -> PyResult<()> {
    let shell = shell(vm)?;
    remember(cell, vm)?;
    let translated = magic::translate(&cell.source);
    let around: Vec<PyObjectRef> = translated
        .around
        .iter()
        .map(|(name, argument)| {
            vm.ctx
                .new_tuple(vec![vm.ctx.new_str(name.as_str()).into(), vm.ctx.new_str(argument.as_str()).into()])
                .into()
        })
        .collect();
    if let Some(host) = &cell.host {
        interrupt::arm(host.clone(), vm)?;
    }
    let compiled = code(&translated.python, &cell.source, &cell.file, true, cell.host.is_some(), vm);
    vm.call_method(&shell, "begin_cell", (count, cell.source.clone(), vm.ctx.new_list(around)))?;
    if engine::current().trace.is_on() {
        looking::begin(&translated.python);
    }
    if cell.lines {
        vm::report_lines(cell, vm)?;
    }
    let result = compiled.and_then(|code| vm.run_code_obj(code, scope.clone()).map(drop));
    torch::names::report(&scope.globals, vm);
    let ended = vm.call_method(&shell, "end_cell", (result.is_err(),));
    result.and(ended.map(drop))
}

/// Lets tracebacks and `inspect` find the lines of a cell.
fn remember(cell: &Program, vm: &VirtualMachine) -> PyResult<()> {
    let lines: Vec<PyObjectRef> = cell.source.split_inclusive('\n').map(|line| vm.ctx.new_str(line).into()).collect();
    let entry: Vec<PyObjectRef> = vec![
        vm.ctx.new_int(cell.source.len()).into(),
        vm.ctx.none(),
        vm.ctx.new_list(lines).into(),
        vm.ctx.new_str(cell.file.as_str()).into(),
    ];
    let cache = vm.import("linecache", 0)?.get_attr("cache", vm)?;
    cache.set_item(cell.file.as_str(), vm.ctx.new_tuple(entry).into(), vm)
}

/// Python of the learner's, compiled. A cell shows the value of its last expression.
fn code(
    python: &str,
    shown: &str,
    file: &str,
    is_cell: bool,
    ticks: bool,
    vm: &VirtualMachine,
) -> PyResult<PyRef<PyCode>> {
    let code = compile::compile(python, Mode::Exec, file, shown, vm)?;
    Ok(watched::compile(python, file, ticks, &[], is_cell, vm).unwrap_or(code))
}

/// [`code`] for source code inside a cell, such as that of `%timeit`.
pub(super) fn compiled(source: &str, file: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    code(&magic::translate(source).python, source, file, true, page::host().is_some(), vm)
}

/// A module that is a file of the learner's, compiled so that Stop can end what runs in it.
pub(super) fn module(source: &str, file: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    code(source, source, file, false, page::host().is_some(), vm)
}

/// Shows the error that ended a cell, and says what `python` would exit with.
fn end(error: &PyBaseExceptionRef, file: &str, vm: &VirtualMachine) -> Ended {
    if error.fast_isinstance(vm.ctx.exceptions.system_exit) {
        return Ended { exit_code: vm.handle_exit_exception(error.clone()) as i32 & 0xff, error: None };
    }
    traceback::complete(error, vm);
    let raised = traceback::describe(error, file, vm);
    vm::flush(vm);
    let Raised { class, message, traceback, .. } = &raised;
    if !output::display(notebook::error(class, message, traceback)) {
        traceback::print(error, &raised, vm);
    }
    let interrupted = error.fast_isinstance(vm.ctx.exceptions.keyboard_interrupt);
    Ended { exit_code: if interrupted { 130 } else { 1 }, error: Some(raised) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracebacks_name_cells() {
        let text = "  File \"Cell In[3]\", line 2, in <module>\n  File \"a.py\", line 1, in f\n  File \"Cell In[12]\", line 1\n";
        let want = "  Cell In[3], line 2, in <module>\n  File \"a.py\", line 1, in f\n  Cell In[12], line 1\n";
        assert_eq!(name(text.into()), want);
        assert_eq!(name("File \"Cell In[x]\"".into()), "File \"Cell In[x]\"");
    }
}
