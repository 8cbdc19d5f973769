//! Inspects a program that has ended, while its variables are still alive, for checks and for explanations.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyDict, PyDictRef, PyStr};
use rustpython_vm::compiler::Mode;
use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{self, Expr, ExprContext, Stmt};
use rustpython_vm::compiler::parser;
use rustpython_vm::function::ArgIterable;
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyPayload, PyResult, TryFromObject, VirtualMachine};

use super::compile;
use super::torch::{describing, names, tensor_of, without_defaults};
use super::traceback::Raised;
use crate::autograd::picture::{self, Graph};
use crate::device::Device;
use crate::diagnose::facts::{Clocks, Facts, Span};
use crate::diagnose::{self, About, Cards, Failure, Frame, Hidden, Kind, Operand, Seen};
use crate::lesson::Finding;
use crate::lesson::judge::{Probe, Readings};
use crate::machine::Machine;
use crate::nesting;
use crate::ops::contents::{Contents, contents};
use crate::tensor::Tensor;

/// Gets every program that has run, after its last line and before its variables are freed. The trace is off meanwhile,
/// so an observer's computations aren't part of the run.
pub trait Observer {
    fn ended(&self, finished: &Finished<'_>);
}

/// The most graphs of a program that are shown, and the most nodes of each.
const GRAPHS: usize = 8;
const GRAPH_NODES: usize = 80;

/// A program that has ended. Its namespace is that of `__main__`.
pub struct Finished<'a> {
    pub(super) vm: &'a VirtualMachine,
    pub(super) scope: Option<Scope>,
    pub(super) file: &'a str,
    pub(super) source: &'a str,
    /// The source as it was compiled: shell lines are replaced, and line numbers are unchanged.
    pub(super) python: &'a str,
    pub(super) exception: Option<PyBaseExceptionRef>,
    pub(super) facts: Facts,
    /// The error that ended it, if one did.
    pub error: Option<&'a Raised>,
}

impl Finished<'_> {
    /// Explanations of the error, if a rule knows it, and of mistakes that raised nothing.
    pub fn cards(&self) -> Cards {
        let frames = self.frames();
        let operands = frames.last().map_or(&[][..], |frame| &frame.operands);
        let failure = self.error.map(|error| Failure {
            class: &error.class,
            message: &error.message,
            line: error.line,
            source: self.python,
            operands,
        });
        let again = self.exception.as_ref().is_some_and(|error| {
            std::iter::successors(error.__context__(), |e| e.__context__()).any(|e| e.class().is(error.class()))
        });
        diagnose::explain(&Seen {
            source: self.python,
            failure: failure.as_ref(),
            frames: &frames,
            again,
            facts: &self.facts,
        })
    }

    /// The autograd graphs behind the program's variables that have one, latest variables first.
    pub fn graphs(&self) -> Vec<Graph> {
        let Some(scope) = &self.scope else { return Vec::new() };
        let variables: Vec<(PyObjectRef, PyObjectRef)> = scope.globals.clone().into_iter().collect();
        let named = variables.iter().rev().filter_map(|(name, value)| {
            let name = name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned();
            picture::graph(&name, tensor_of(value)?, GRAPH_NODES)
        });
        named.take(GRAPHS).collect()
    }

    /// What is inside the tensors that the program's variables reach.
    pub fn contents(&self) -> Vec<Contents> {
        let Some(scope) = &self.scope else { return Vec::new() };
        contents(&names::reached(&scope.globals, self.vm))
    }

    /// The learner's frames through which the error passed, outermost first, each with the tensors that its line names.
    fn frames(&self) -> Vec<Frame> {
        let (Some(exception), true) = (&self.exception, self.error.is_some()) else { return Vec::new() };
        let module = diagnose::code::parse(self.python);
        let code = module.as_ref().map(|module| diagnose::code::Code::new(self.python, module));
        let mut out = Vec::new();
        let mut next = exception.__traceback__();
        while let Some(entry) = next {
            let frame = entry.frame.as_object();
            if entry.frame.iframe().code().source_path().as_str() == self.file {
                let line = u32::try_from(entry.lineno.get()).unwrap_or_default();
                // A statement may have several lines.
                let lines =
                    code.as_ref().and_then(|code| Some(code.head_lines(code.at_line(line)?))).unwrap_or((line, line));
                out.push(Frame {
                    line,
                    operands: self.operands(frame, lines),
                    hidden: self.hidden(frame),
                    tensors: self.tensors(frame),
                });
            }
            next = entry.next.lock().clone();
        }
        out
    }

    /// The tensors that some lines name, as their frame sees them. For a module: its parameters and buffers.
    fn operands(&self, frame: &PyObject, (first, last): (u32, u32)) -> Vec<Operand> {
        let mut out: Vec<Operand> = Vec::new();
        let lines = self.python.lines().skip(first.saturating_sub(1) as usize).take((last + 1 - first) as usize);
        for name in lines.flat_map(diagnose::names) {
            // `self.fc.weight` is already listed when `self` follows: the line names the part that it uses.
            if out.iter().any(|known| {
                known.name.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }) {
                continue;
            }
            if let Some(value) = resolve(frame, &name, self.vm) {
                gather(&name, &value, &mut out, self.vm);
            }
        }
        out
    }

    /// The local variables of a frame that are tensors.
    fn tensors(&self, frame: &PyObject) -> Vec<Operand> {
        let vm = self.vm;
        let locals = frame.get_attr("f_locals", vm).and_then(|l| vm.ctx.types.dict_type.as_object().call((l,), vm));
        let Some(locals) = locals.ok().and_then(|l| l.downcast::<PyDict>().ok()) else { return Vec::new() };
        let named =
            |(key, value): (PyObjectRef, PyObjectRef)| operand(&key.downcast_ref::<PyStr>()?.to_string_lossy(), &value);
        locals.into_iter().filter_map(named).take(64).collect()
    }

    /// What plain attributes hold in the module whose method this frame is.
    fn hidden(&self, frame: &PyObject) -> Vec<Hidden> {
        let vm = self.vm;
        let Some(module) = resolve(frame, "self", vm) else { return Vec::new() };
        let (Some(own), true) = (module.dict(), is_instance_of(&module, "torch.nn", "Module", vm)) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for (key, value) in own {
            let Some(name) = key.downcast_ref::<PyStr>().map(|k| k.to_string_lossy().into_owned()) else { continue };
            if !name.starts_with('_') {
                hide(&format!("self.{name}"), &value, &mut out, 2, vm);
            }
        }
        out
    }

    /// The program's namespace, in which `torch` is PyTorch also if the program imports it by another name.
    fn named_scope(&self) -> Result<Scope, Finding> {
        let mut scope = self.scope.clone().ok_or(Finding::NotStarted)?;
        let has_name = |name: &str| scope.globals.get_item_opt(name, self.vm).is_ok_and(|found| found.is_some());
        if !has_name("torch")
            && let Ok(torch) = self.vm.import("torch", 0)
        {
            let globals = scope.globals.copy().into_ref(&self.vm.ctx);
            let _ = globals.set_item("torch", torch, self.vm);
            scope = Scope::with_builtins(None, globals, self.vm);
        }
        Ok(scope)
    }

    /// The value of an expression in the program's namespace. What it creates is on the CPU unless it says otherwise, whatever
    /// default the program has set.
    fn eval(&self, expr: &str) -> Result<PyObjectRef, Finding> {
        self.eval_on(None, expr)
    }

    /// Likewise, with another answer to what machine this is.
    fn eval_on(&self, machine: Option<&Machine>, expr: &str) -> Result<PyObjectRef, Finding> {
        let scope = self.named_scope()?;
        let vm = self.vm;
        let value = compile::compile(expr.trim(), Mode::Eval, "<check>", expr, vm)
            .and_then(|code| without_defaults(|| describing(machine, || vm.run_code_obj(code, scope))));
        value.map_err(|error| self.explain(expr, &error))
    }

    fn explain(&self, expr: &str, error: &PyBaseExceptionRef) -> Finding {
        let text = error.as_object().str(self.vm).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        Finding::Raises { expr: expr.into(), class: error.class().name().to_string(), message: first.into() }
    }
}

impl Probe for Finished<'_> {
    fn eval_bool(&self, expr: &str, machine: Option<&Machine>) -> Result<bool, Finding> {
        let value = self.eval_on(machine, expr)?;
        value.is_true(self.vm).map_err(|error| self.explain(expr, &error))
    }

    fn values_of(&self, expr: &str) -> Vec<(String, String)> {
        let (Some(scope), vm) = (&self.scope, self.vm) else { return Vec::new() };
        let mut values: Vec<(String, String)> = Vec::new();
        for name in diagnose::names(expr).into_iter().filter(|name| !name.contains('.')) {
            if values.len() == VALUES_SHOWN {
                break;
            }
            let Ok(Some(value)) = scope.globals.get_item_opt(name.as_str(), vm) else { continue };
            // Functions, classes and modules hold no value to compare; a layer's `repr` says nothing of its weights.
            if value.is_callable() || value.fast_isinstance(vm.ctx.types.module_type) {
                continue;
            }
            let Ok(shown) = value.repr(vm) else { continue };
            values.push((name, one_line(&shown.to_string_lossy())));
        }
        values
    }

    fn devices_of(&self, name: &str) -> Result<Vec<Device>, Finding> {
        let value = self.eval(name)?;
        if let Some(tensor) = tensor_of(&value) {
            return Ok(vec![tensor.device()]);
        }
        match members(&value, self.vm) {
            Some(members) => Ok(members.iter().filter_map(|(_, value, _)| Some(tensor_of(value)?.device())).collect()),
            None => Err(Finding::NoTensor { name: name.into() }),
        }
    }

    fn same(&self, left: &str, right: &str) -> Result<bool, Finding> {
        Ok(self.eval(left)?.is(&self.eval(right)?))
    }

    fn uses(&self, name: &str) -> Result<bool, Finding> {
        uses(self.source, name)
    }

    fn loops(&self) -> Result<u64, Finding> {
        loops(self.source).map(|count| count as u64)
    }

    fn readings(&self) -> Readings {
        let Clocks { readings, early } = self.facts.clocks;
        let line = |site: Span| self.python[..site.start].matches('\n').count() as u32 + 1;
        Readings { count: readings, early: early.map(line) }
    }
}

/// The most variables of a failed check that are shown, and the most characters of each.
const VALUES_SHOWN: usize = 3;
const VALUE: usize = 100;

/// What Python shows of a value, in one short line.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        // What is beyond the limit may be very long, and isn't read. A code span of Markdown ends at a backtick.
        line.extend(word.chars().take(VALUE + 1).map(|c| if c == '`' { '"' } else { c }));
        if let Some((end, _)) = line.char_indices().nth(VALUE) {
            line.truncate(end);
            line.push_str(" …");
            break;
        }
    }
    line
}

/// The value of a dotted name in a frame, if every part of it exists.
fn resolve(frame: &PyObject, name: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
    let mut parts = name.split('.');
    let root = parts.next()?;
    let variable = |scope: &'static str| frame.get_attr(scope, vm).ok()?.get_item(root, vm).ok();
    let value = variable("f_locals").or_else(|| variable("f_globals"))?;
    parts.try_fold(value, |value, part| value.get_attr(vm.ctx.intern_str(part), vm).ok())
}

/// Lists the tensors in a plain attribute: itself, its elements, and the parameters of modules among them.
fn hide(attribute: &str, value: &PyObject, out: &mut Vec<Hidden>, depth: usize, vm: &VirtualMachine) {
    if let Some(operand) = operand(attribute, value) {
        out.push(Hidden { attribute: attribute.to_string(), in_module: false, operand });
    } else if let Some(members) = members(value, vm) {
        let of = |(path, tensor, _): &(String, PyObjectRef, _)| operand(&format!("{attribute}.{path}"), tensor);
        let hidden = members.iter().filter_map(of);
        out.extend(hidden.map(|operand| Hidden { attribute: attribute.to_string(), in_module: true, operand }));
    } else if depth > 0 {
        let types = &vm.ctx.types;
        if value.class().is(types.list_type) || value.class().is(types.tuple_type) {
            for item in elements(value.to_owned(), vm).unwrap_or_default().iter().take(64) {
                hide(attribute, item, out, depth - 1, vm);
            }
        } else if let Some(dict) = value.downcast_ref_if_exact::<PyDict>(vm) {
            for (_, item) in dict.into_iter().take(64) {
                hide(attribute, &item, out, depth - 1, vm);
            }
        }
    }
}

/// The most tensors of one variable that are shown.
const MEMBERS_SHOWN: usize = 4;

/// Adds the tensors of a variable: a tensor, a module's parameters, or a list, tuple or dictionary of tensors.
fn gather(name: &str, value: &PyObject, out: &mut Vec<Operand>, vm: &VirtualMachine) {
    if let Some(operand) = operand(name, value) {
        out.push(operand);
        return;
    }
    if let Some(members) = members(value, vm) {
        // Devices decide which are shown: the first tensor on each device, then the first tensors.
        let mut shown: Vec<Operand> = Vec::new();
        let all: Vec<Operand> = members
            .iter()
            .filter_map(|(path, tensor, kind)| {
                let mut operand = operand(&format!("{name}.{path}"), tensor)?;
                operand.about.kind = *kind;
                Some(operand)
            })
            .collect();
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
            gather_member(&format!("{name}[{i}]"), item, out, vm);
        }
    } else if let Some(dict) = value.downcast_ref_if_exact::<PyDict>(vm) {
        for (key, item) in dict.into_iter().take(MEMBERS_SHOWN) {
            if let Ok(key) = key.repr(vm) {
                gather_member(&format!("{name}[{}]", key.to_string_lossy()), &item, out, vm);
            }
        }
    } else if let Some(own) = value.dict().filter(|own| own.contains_key("param_groups", vm)) {
        gather_optimizer(name, &own, out, vm);
    }
}

/// Adds an element of a container: a tensor, or a module's first parameter.
fn gather_member(name: &str, value: &PyObject, out: &mut Vec<Operand>, vm: &VirtualMachine) {
    match operand(name, value) {
        Some(operand) => out.push(operand),
        None => {
            let first = members(value, vm).and_then(|members| members.into_iter().next());
            if let Some((path, tensor, kind)) = first
                && let Some(mut operand) = operand(&format!("{name}.{path}"), &tensor)
            {
                operand.about.kind = kind;
                out.push(operand);
            }
        }
    }
}

/// Adds an optimizer's first parameter that has state, and that state.
fn gather_optimizer(name: &str, own: &PyDictRef, out: &mut Vec<Operand>, vm: &VirtualMachine) {
    let state = own.get_item_opt("state", vm).ok().flatten().and_then(|s| s.downcast::<PyDict>().ok());
    for (parameter, kept) in state.into_iter().flatten().take(1) {
        let of = |suffix: &str, value: &PyObject, kind: Kind| {
            let mut operand = operand(&format!("{name}.{suffix}"), value)?;
            operand.about.kind = kind;
            Some(operand)
        };
        out.extend(of("param_groups[0]['params'][0]", &parameter, Kind::Parameter));
        for (key, value) in kept.downcast::<PyDict>().into_iter().flatten() {
            let key = key.downcast_ref::<PyStr>().map(|k| k.to_string_lossy().into_owned()).unwrap_or_default();
            // The step counter is on the CPU by design.
            out.extend(of(&format!("state[...]['{key}']"), &value, Kind::State).filter(|_| key != "step"));
        }
    }
}

/// A tensor as an operand; `None` for anything else.
pub(super) fn operand(name: &str, value: &PyObject) -> Option<Operand> {
    Some(operand_of(name, tensor_of(value)?))
}

pub(super) fn operand_of(name: &str, tensor: &Tensor) -> Operand {
    let storage = tensor.storage();
    Operand {
        name: name.to_string(),
        device: tensor.device().to_string(),
        shape: tensor.shape().to_vec(),
        bytes: tensor.numel() * tensor.dtype().size(),
        created: storage.created(),
        moved: storage.moved(),
        about: About {
            storage: storage.id(),
            from: storage.came_from().map(|device| device.to_string()),
            kind: Kind::Tensor,
            made_by: tensor.grad_fn().map(|node| node.name.to_string()),
        },
    }
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

/// Parameters and buffers of a module with their paths; `None` for anything that isn't a module.
fn members(value: &PyObject, vm: &VirtualMachine) -> Option<Vec<(String, PyObjectRef, Kind)>> {
    if !is_instance_of(value, "torch.nn", "Module", vm) {
        return None;
    }
    let mut out = Vec::new();
    for (method, kind) in [("named_parameters", Kind::Parameter), ("named_buffers", Kind::Buffer)] {
        let pairs = vm.call_method(value, method, ()).and_then(|pairs| elements(pairs, vm)).ok()?;
        for pair in pairs {
            let [path, tensor] = &elements(pair, vm).ok()?[..] else { return None };
            out.push((path.downcast_ref::<PyStr>()?.to_string_lossy().into_owned(), tensor.clone(), kind));
        }
    }
    Some(out)
}

fn elements(iterable: PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
    ArgIterable::<PyObjectRef>::try_from_object(vm, iterable)?.iter(vm)?.collect()
}

/// Whether a program's syntax tree uses a name: `torch.no_grad` however it's imported, or `to` for any `.to`.
///
/// # Errors
/// The program can't be parsed.
pub(super) fn uses(source: &str, name: &str) -> Result<bool, Finding> {
    let mut search = Search { name, aliases: Vec::new(), found: false };
    read(source, &mut |body| search.visit_body(body))?;
    Ok(search.found)
}

/// Shows a program's syntax tree.
///
/// # Errors
/// The program can't be parsed.
fn read(source: &str, see: &mut dyn FnMut(&[Stmt])) -> Result<(), Finding> {
    let unparsed = |error: String| Finding::Unparsed { error };
    nesting::check(source).map_err(|_| unparsed("the program nests too deep".into()))?;
    let parsed = parser::parse_module(source).map_err(|error| unparsed(error.to_string()))?;
    see(&parsed.syntax().body);
    Ok(())
}

/// The number of loops in a program's syntax tree: `for`, `while`, each `for` of a comprehension or a generator expression,
/// and calls that go through elements in Python.
///
/// # Errors
/// The program can't be parsed.
pub(super) fn loops(source: &str) -> Result<usize, Finding> {
    let mut loops = Loops(0);
    read(source, &mut |body| loops.visit_body(body))?;
    Ok(loops.0)
}

struct Loops(usize);

impl Visitor<'_> for Loops {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        self.0 += usize::from(matches!(stmt, Stmt::For(_) | Stmt::While(_)));
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        self.0 += match expr {
            Expr::ListComp(ast::ExprListComp { generators, .. })
            | Expr::SetComp(ast::ExprSetComp { generators, .. })
            | Expr::DictComp(ast::ExprDictComp { generators, .. })
            | Expr::Generator(ast::ExprGenerator { generators, .. }) => generators.len(),
            Expr::Call(call) => {
                let path = dotted(&call.func).unwrap_or_default();
                let last = path.rsplit('.').next().unwrap_or_default();
                usize::from(matches!(last, "map" | "filter" | "vectorize" | "apply_"))
            }
            _ => 0,
        };
        visitor::walk_expr(self, expr);
    }
}

struct Search<'a> {
    name: &'a str,
    /// The full names of imported names: `torch.nn` for `nn`.
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

/// `a.b.c` as it's written. For a longer expression (`f(x).to`), a placeholder and the part after its last dot.
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
    use super::{VALUE, loops, one_line, uses};

    #[test]
    fn a_value_is_one_short_line() {
        assert_eq!(one_line("tensor([[1., 2.],\n        [3., 4.]])"), "tensor([[1., 2.], [3., 4.]])");
        assert_eq!(one_line("a`b"), "a\"b");
        for long in ["é".repeat(1000), "a b ".repeat(1000)] {
            let line = one_line(&long);
            assert!(line.ends_with(" …") && line.chars().count() == VALUE + 2, "{line}");
        }
    }

    #[test]
    fn loops_are_counted_in_the_tree() {
        for (source, expected) in [
            ("x = 1\n# for a in b: pass", 0),
            ("for a in b:\n    while a: a -= 1\nelse:\n    pass", 2),
            ("async def f():\n    async for a in b: pass", 1),
            ("x = [a for a in b]\ny = {a: 1 for a in b for c in a}\nz = sum(a for a in {a for a in b})", 5),
            ("list(map(f, x))\nfilter(None, x)\nnp.vectorize(f)(x)\nx.apply_(abs)", 4),
            ("map = 1\nx.map\ntorch.vmap(f)(x)\nmodel.apply(f)", 0),
            ("f = lambda x: [a for a in x]", 1),
        ] {
            assert_eq!(loops(source), Ok(expected), "{source}");
        }
        assert!(loops("for").is_err());
    }

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
        assert!(matches!(uses("def", "x"), Err(crate::lesson::Finding::Unparsed { error }) if !error.is_empty()));
    }
}
