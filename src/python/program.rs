//! Looks at a program that has ended, while its variables are still alive: what checks ask, and what a diagnosis shows.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyDict, PyStr};
use rustpython_vm::compiler::Mode;
use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{self, Expr, ExprContext, Stmt};
use rustpython_vm::compiler::parser;
use rustpython_vm::function::ArgIterable;
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, TryFromObject, VirtualMachine};

use super::torch::tensor_of;
use super::traceback::Raised;
use crate::autograd::picture::{self, Graph};
use crate::device::Device;
use crate::diagnose::{self, Card, Failure, Operand};
use crate::lesson::judge::Probe;

/// Is shown every program that ran, after its last line and before its variables go. The trace is off meanwhile, so what
/// an observer computes is no part of the run.
pub trait Observer {
    fn ended(&self, finished: &Finished<'_>);
}

/// Graphs that are shown of a program, and nodes of each.
const GRAPHS: usize = 8;
const GRAPH_NODES: usize = 80;

/// A program that has ended. Its namespace is that of `__main__`.
pub struct Finished<'a> {
    pub(super) vm: &'a VirtualMachine,
    pub(super) scope: Option<Scope>,
    pub(super) file: &'a str,
    pub(super) source: &'a str,
    pub(super) exception: Option<PyBaseExceptionRef>,
    /// The error that ended it, if one did.
    pub error: Option<&'a Raised>,
}

impl Finished<'_> {
    /// An explanation of the error, if it is one that the rules know.
    pub fn card(&self) -> Option<Card> {
        let error = self.error?;
        let operands = self.operands();
        diagnose::diagnose(&Failure {
            class: &error.class,
            message: &error.message,
            line: error.line,
            source: self.source,
            operands: &operands,
        })
    }

    /// The autograd graphs behind the program's variables, of those that have one: the latest variables first.
    pub fn graphs(&self) -> Vec<Graph> {
        let Some(scope) = &self.scope else { return Vec::new() };
        let variables: Vec<(PyObjectRef, PyObjectRef)> = scope.globals.clone().into_iter().collect();
        let named = variables.iter().rev().filter_map(|(name, value)| {
            let name = name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
            picture::graph(&name, tensor_of(value)?, GRAPH_NODES)
        });
        named.take(GRAPHS).collect()
    }

    /// The tensors that the failing line names, as its frame sees them. Of a module: its parameters and buffers.
    pub fn operands(&self) -> Vec<Operand> {
        let (Some(exception), Some(line)) = (&self.exception, self.error.and_then(|error| error.line)) else {
            return Vec::new();
        };
        let Some(text) = self.source.lines().nth(line.saturating_sub(1) as usize) else { return Vec::new() };
        let Some(frame) = learners_frame(exception, self.file) else { return Vec::new() };
        let mut out: Vec<Operand> = Vec::new();
        for name in diagnose::names(text) {
            // `self.fc.weight` is in sight already when `self` follows: the line names the part that it means.
            if out.iter().any(|known| known.name.strip_prefix(&name).is_some_and(|rest| rest.starts_with('.'))) {
                continue;
            }
            if let Some(value) = resolve(&frame, &name, self.vm) {
                gather(&name, &value, &mut out, self.vm);
            }
        }
        out
    }

    /// The value of an expression in the program's namespace; an error is a sentence.
    fn eval(&self, expr: &str) -> Result<PyObjectRef, String> {
        let scope = self.scope.clone().ok_or("The program did not start.")?;
        let vm = self.vm;
        let value = vm
            .compile(expr.trim(), Mode::Eval, "<check>")
            .map_err(|error| error.into_pyexception(vm, Some(expr)))
            .and_then(|code| vm.run_code_obj(code, scope));
        value.map_err(|error| self.explain(expr, &error))
    }

    fn explain(&self, expr: &str, error: &PyBaseExceptionRef) -> String {
        let text = error.as_object().str(self.vm).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        format!("`{expr}` raises {}: {first}", error.class().name())
    }
}

impl Probe for Finished<'_> {
    fn eval_bool(&self, expr: &str) -> Result<bool, String> {
        let value = self.eval(expr)?;
        value.is_true(self.vm).map_err(|error| self.explain(expr, &error))
    }

    fn devices_of(&self, name: &str) -> Result<Vec<Device>, String> {
        let value = self.eval(name)?;
        if let Some(tensor) = tensor_of(&value) {
            return Ok(vec![tensor.device()]);
        }
        match members(&value, self.vm) {
            Some(members) => Ok(members.iter().filter_map(|(_, value)| Some(tensor_of(value)?.device())).collect()),
            None => Err(format!("`{name}` is neither a tensor nor a module.")),
        }
    }

    fn same(&self, left: &str, right: &str) -> Result<bool, String> {
        Ok(self.eval(left)?.is(&self.eval(right)?))
    }

    fn uses(&self, name: &str) -> Result<bool, String> {
        uses(self.source, name)
    }
}

/// The innermost frame of the learner's file that the exception passed.
fn learners_frame(error: &PyBaseExceptionRef, file: &str) -> Option<PyObjectRef> {
    let mut found = None;
    let mut next = error.__traceback__();
    while let Some(entry) = next {
        if entry.frame.iframe().code().source_path().as_str() == file {
            found = Some(entry.frame.as_object().to_owned());
        }
        next = entry.next.lock().clone();
    }
    found
}

/// The value of a dotted name in a frame, if every part of it exists.
fn resolve(frame: &PyObject, name: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
    let mut parts = name.split('.');
    let root = parts.next()?;
    let variable = |scope: &'static str| frame.get_attr(scope, vm).ok()?.get_item(root, vm).ok();
    let value = variable("f_locals").or_else(|| variable("f_globals"))?;
    parts.try_fold(value, |value, part| value.get_attr(vm.ctx.intern_str(part), vm).ok())
}

/// At most this many tensors of one variable are shown.
const MEMBERS_SHOWN: usize = 4;

/// Adds what a variable holds: a tensor, a module's parameters, or a list, tuple or dictionary of tensors.
fn gather(name: &str, value: &PyObject, out: &mut Vec<Operand>, vm: &VirtualMachine) {
    if let Some(operand) = operand(name, value) {
        out.push(operand);
        return;
    }
    if let Some(members) = members(value, vm) {
        // The devices decide what is worth showing: the first tensor of each, then the first tensors.
        let mut shown: Vec<Operand> = Vec::new();
        let all: Vec<Operand> =
            members.iter().filter_map(|(path, tensor)| operand(&format!("{name}.{path}"), tensor)).collect();
        for operand in &all {
            if !shown.iter().any(|other| other.device == operand.device) {
                shown.push(operand.clone());
            }
        }
        for operand in all {
            if shown.len() < MEMBERS_SHOWN && !shown.contains(&operand) {
                shown.push(operand);
            }
        }
        out.extend(shown);
        return;
    }
    let types = &vm.ctx.types;
    let class = value.class();
    if class.is(types.list_type) || class.is(types.tuple_type) {
        let items = elements(value.to_owned(), vm).unwrap_or_default();
        for (i, item) in items.iter().take(MEMBERS_SHOWN).enumerate() {
            out.extend(operand(&format!("{name}[{i}]"), item));
        }
    } else if let Some(dict) = value.downcast_ref_if_exact::<PyDict>(vm) {
        for (key, item) in dict.into_iter().take(MEMBERS_SHOWN) {
            if let Ok(key) = key.repr(vm) {
                out.extend(operand(&format!("{name}[{}]", key.to_string_lossy()), &item));
            }
        }
    }
}

/// A tensor as an operand; `None` for anything else.
fn operand(name: &str, value: &PyObject) -> Option<Operand> {
    let tensor = tensor_of(value)?;
    Some(Operand {
        name: name.to_string(),
        device: tensor.device().to_string(),
        shape: tensor.shape().to_vec(),
        bytes: tensor.numel() * tensor.dtype().size(),
        created: tensor.storage().created(),
        moved: tensor.storage().moved(),
    })
}

/// Whether a value is of a class of a module that the program has imported.
fn is_instance_of(value: &PyObject, module: &str, class: &'static str, vm: &VirtualMachine) -> bool {
    let class = vm
        .sys_module
        .get_attr("modules", vm)
        .and_then(|modules| modules.get_item(module, vm))
        .and_then(|module| module.get_attr(class, vm));
    class.is_ok_and(|class| value.is_instance(&class, vm).unwrap_or(false))
}

/// Parameters and buffers of a module with their paths; `None` for what is no module.
fn members(value: &PyObject, vm: &VirtualMachine) -> Option<Vec<(String, PyObjectRef)>> {
    if !is_instance_of(value, "torch.nn", "Module", vm) {
        return None;
    }
    let mut out = Vec::new();
    for method in ["named_parameters", "named_buffers"] {
        let pairs = vm.call_method(value, method, ()).and_then(|pairs| elements(pairs, vm)).ok()?;
        for pair in pairs {
            let [path, tensor] = &elements(pair, vm).ok()?[..] else { return None };
            out.push((path.downcast_ref::<PyStr>()?.to_string_lossy().into_owned(), tensor.clone()));
        }
    }
    Some(out)
}

fn elements(iterable: PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
    ArgIterable::<PyObjectRef>::try_from_object(vm, iterable)?.iter(vm)?.collect()
}

/// Whether a program's syntax tree uses a name: `torch.no_grad` however it is imported, or `to` for any `.to`.
///
/// # Errors
/// The program does not parse.
pub fn uses(source: &str, name: &str) -> Result<bool, String> {
    let parsed = parser::parse_module(source).map_err(|error| format!("The program does not parse: {error}"))?;
    let mut search = Search { name, aliases: Vec::new(), found: false };
    search.visit_body(&parsed.syntax().body);
    Ok(search.found)
}

struct Search<'a> {
    name: &'a str,
    /// What an imported name stands for: `nn` for `torch.nn`.
    aliases: Vec<(String, String)>,
    found: bool,
}

impl Search<'_> {
    fn see(&mut self, path: &str) {
        let (root, rest) = path.split_once('.').map_or((path, None), |(root, rest)| (root, Some(rest)));
        let full = match self.aliases.iter().rev().find(|(alias, _)| alias == root) {
            Some((_, module)) => rest.map_or(module.clone(), |rest| format!("{module}.{rest}")),
            None => path.to_string(),
        };
        self.found |= full == self.name || full.strip_suffix(self.name).is_some_and(|before| before.ends_with('.'));
    }
}

impl Visitor<'_> for Search<'_> {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Import(import) => {
                for alias in import.names.iter().filter_map(|alias| Some((alias.asname.as_ref()?, &alias.name))) {
                    self.aliases.push((alias.0.to_string(), alias.1.to_string()));
                }
            }
            Stmt::ImportFrom(import) => {
                if let Some(module) = &import.module {
                    for alias in &import.names {
                        let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                        self.aliases.push((name, format!("{module}.{}", alias.name)));
                    }
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        if let Some(path) = dotted(expr) {
            self.see(&path);
        }
        visitor::walk_expr(self, expr);
    }
}

/// `a.b.c` as it is read; of a longer expression (`f(x).to`) what follows its last dot, after one that stands for the rest.
fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(ast::ExprName { id, ctx: ExprContext::Load, .. }) => Some(id.to_string()),
        Expr::Attribute(ast::ExprAttribute { value, attr, ctx: ExprContext::Load, .. }) => {
            Some(format!("{}.{attr}", dotted(value).unwrap_or_default()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::uses;

    #[test]
    fn names_are_found_in_the_tree_and_not_in_the_text() {
        for (source, name, expected) in [
            ("import torch\nwith torch.no_grad(): pass", "torch.no_grad", true),
            ("import torch as t\nwith t.no_grad(): pass", "torch.no_grad", true),
            ("from torch import no_grad as off\nwith off(): pass", "torch.no_grad", true),
            ("from torch import no_grad", "torch.no_grad", false),
            ("# torch.no_grad()", "torch.no_grad", false),
            ("print('torch.no_grad()')", "torch.no_grad", false),
            ("f(x).to(1)", "to", true),
            ("x.together()", "to", false),
            ("to = 1", "to", false),
            ("def f():\n    return [a.to(d) for a in b]", "to", true),
            ("import torch.nn as nn\nnn.Linear(1, 2)", "nn.Linear", true),
            ("import torch.nn as nn\nnn.Linear(1, 2)", "torch.nn.Linear", true),
        ] {
            assert_eq!(uses(source, name), Ok(expected), "{name} in {source}");
        }
        assert!(uses("def", "x").unwrap_err().starts_with("The program does not parse"));
    }
}
