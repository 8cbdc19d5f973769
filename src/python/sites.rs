//! Observes the places of a program that [`crate::diagnose::plan`] chose, while it runs.
//!
//! A value at such a place is compiled as `<look>[value]`: the object in `builtins`, whose name no program can write, notes
//! the value and returns it. A subscription costs the interpreter much less than a call, and the place may be in a loop.
//! Programs that nobody wants explained, and statements whose form can't be a mistake, are compiled unchanged.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};

use ruff_text_size::{Ranged, TextRange};
use rustpython_vm::builtins::{PyDict, PyDictRef, PyList, PyTuple};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::compiler::ast::visitor::transformer::{self, Transformer};
use rustpython_vm::compiler::ast::{
    AtomicNodeIndex, Expr, ExprBooleanLiteral, ExprContext, ExprName, ExprSubscript, Stmt, StmtExpr, StmtIf,
};
use rustpython_vm::protocol::PyMappingMethods;
use rustpython_vm::types::AsMapping;
use rustpython_vm::{PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::program::operand;
use super::torch::{names, tensor_of};
use crate::autograd::{Node, is_grad_enabled};
use crate::diagnose::Operand;
use crate::diagnose::code::span;
use crate::diagnose::facts::{Alias, Alive, Facts, Kept, LostMove, Span, Timing};
use crate::diagnose::plan::{Site, Watch};
use crate::engine;
use crate::storage::WeakStorage;
use crate::tensor::{Tensor, WeakTensor};

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Starts observing the places of the program that is about to run.
pub(super) fn begin(source: &str, sites: Vec<Site>, vm: &VirtualMachine) -> PyResult<()> {
    let _ = Look::make_static_type();
    for (id, site) in sites.iter().enumerate() {
        let object: PyObjectRef = Look { id, watch: site.watch.clone() }.into_ref(&vm.ctx).into();
        vm.builtins.set_attr(vm.ctx.intern_str(name(id)), object, vm)?;
    }
    engine::current().trace.set_curious(true);
    RECORDER.set(Some(Recorder { source: source.to_string(), sites, ..Recorder::default() }));
    Ok(())
}

/// Stops observing. Returns what was observed.
pub(super) fn end() -> Facts {
    let trace = &engine::current().trace;
    let clues = trace.clues();
    trace.set_curious(false);
    let Some(recorder) = RECORDER.take() else { return Facts::default() };
    Facts { clues, ..recorder.close() }
}

/// The name in `builtins` of the object that observes a place.
pub(super) fn name(id: usize) -> String {
    format!("<look {id}>")
}

// ---- compiling -------------------------------------------------------------------------------------------------------

/// Inserts the calls into a syntax tree.
pub(super) struct Wrap {
    exprs: HashMap<Span, Vec<usize>>,
    statements: HashMap<Span, Vec<usize>>,
    after: HashSet<usize>,
}

impl Wrap {
    pub(super) fn new(sites: &[Site]) -> Wrap {
        let mut wrap = Wrap { exprs: HashMap::new(), statements: HashMap::new(), after: HashSet::new() };
        for (id, site) in sites.iter().enumerate() {
            let map = if site.is_statement() { &mut wrap.statements } else { &mut wrap.exprs };
            map.entry(site.span).or_default().push(id);
            if site.watch == Watch::Sum {
                wrap.after.insert(id);
            }
        }
        wrap
    }
}

fn observed(id: usize, value: Expr, range: TextRange) -> Expr {
    let look = Expr::Name(ExprName {
        node_index: AtomicNodeIndex::NONE,
        range,
        id: name(id).as_str().into(),
        ctx: ExprContext::Load,
    });
    Expr::Subscript(ExprSubscript {
        node_index: AtomicNodeIndex::NONE,
        range,
        value: Box::new(look),
        slice: Box::new(value),
        ctx: ExprContext::Load,
    })
}

/// The value of a target, read.
fn read(target: &Expr) -> Option<Expr> {
    let mut value = target.clone();
    match &mut value {
        Expr::Name(e) => e.ctx = ExprContext::Load,
        Expr::Attribute(e) => e.ctx = ExprContext::Load,
        Expr::Subscript(e) => e.ctx = ExprContext::Load,
        _ => return None,
    }
    Some(value)
}

impl Transformer for Wrap {
    fn visit_expr(&self, expr: &mut Expr) {
        let ids = self.exprs.get(&span(expr));
        // A name being assigned is not a read.
        let ids = ids.filter(|_| crate::diagnose::code::is_load(expr) && !expr.is_starred_expr());
        let range = expr.range();
        transformer::walk_expr(self, expr);
        for &id in ids.into_iter().flatten() {
            let none =
                Expr::BooleanLiteral(ExprBooleanLiteral { node_index: AtomicNodeIndex::NONE, range, value: true });
            let value = std::mem::replace(expr, none);
            *expr = observed(id, value, range);
        }
    }

    fn visit_stmt(&self, statement: &mut Stmt) {
        let place = span(statement);
        transformer::walk_stmt(self, statement);
        let Some(ids) = self.statements.get(&place) else { return };
        let range = statement.range();
        let targets: Vec<Expr> = match statement {
            Stmt::AugAssign(s) => read(&s.target).into_iter().collect(),
            Stmt::Assign(s) => s.targets.iter().filter_map(read).collect(),
            Stmt::Delete(s) => s.targets.iter().filter(|t| t.is_name_expr()).filter_map(read).collect(),
            _ => return,
        };
        if targets.len() != ids.len() {
            return;
        }
        let looks = ids.iter().zip(targets).map(|(&id, value)| {
            let value = Box::new(observed(id, value, range));
            Stmt::Expr(StmtExpr { node_index: AtomicNodeIndex::NONE, range, value })
        });
        let looks: Vec<Stmt> = looks.collect();
        let test = ExprBooleanLiteral { node_index: AtomicNodeIndex::NONE, range, value: true };
        let body = if ids.iter().any(|id| self.after.contains(id)) {
            std::iter::once(statement.clone()).chain(looks).collect()
        } else {
            looks.into_iter().chain(std::iter::once(statement.clone())).collect()
        };
        *statement = Stmt::If(StmtIf {
            node_index: AtomicNodeIndex::NONE,
            range,
            test: Box::new(Expr::BooleanLiteral(test)),
            body,
            elif_else_clauses: Vec::new(),
            runtime_body: None,
        });
    }
}

/// The object that observes one place.
#[pyclass(module = false, name = "look")]
#[derive(Debug, PyPayload)]
struct Look {
    id: usize,
    watch: Watch,
}

#[pyclass(with(AsMapping), flags(DISALLOW_INSTANTIATION))]
impl Look {
    fn note(&self, value: &PyObject, vm: &VirtualMachine) {
        // Most loops add up numbers: those must cost little.
        if self.watch != Watch::Sum || tensor_of(value).is_some() {
            look(self.id, &self.watch, value, vm);
        }
    }
}

impl AsMapping for Look {
    fn as_mapping() -> &'static PyMappingMethods {
        static AS_MAPPING: PyMappingMethods = PyMappingMethods {
            subscript: Some(|mapping, value, vm| {
                if let Some(zelf) = mapping.obj.downcast_ref::<Look>() {
                    zelf.note(value, vm);
                }
                Ok(value.to_owned())
            }),
            ..PyMappingMethods::NOT_IMPLEMENTED
        };
        &AS_MAPPING
    }
}

// ---- looking ---------------------------------------------------------------------------------------------------------

#[derive(Default)]
struct Recorder {
    source: String,
    sites: Vec<Site>,
    facts: Facts,
    receivers: HashMap<usize, (u64, Operand)>,
    clocks: HashMap<usize, (u64, u64)>,
    /// Clocks that were read but not yet compared; and whether an event was recorded but its partner wasn't yet.
    running: HashSet<usize>,
    recorded: bool,
    gathered: HashMap<usize, Gathered>,
    deleted: Vec<Deleted>,
}

struct Deleted {
    site: Span,
    name: String,
    operand: Operand,
    storage: WeakStorage,
}

/// What one statement collects over the iterations of a loop.
struct Gathered {
    sum: bool,
    in_module: bool,
    operand: Operand,
    turns: u32,
    last: Option<Weak<Node>>,
    /// How often the previous iteration's value was still there.
    kept: u32,
    /// For a sum: iterations whose graph had already been through a backward pass. For elements: how many such there
    /// were at one time.
    stale: u32,
    /// For elements: the tensor, and whether its graph had already been through a backward pass.
    members: Vec<(WeakTensor, bool)>,
    /// For each of the first iterations: whether there was a backward pass. The flags outlive the graph.
    ran: Vec<Rc<Cell<bool>>>,
    /// Whether the graph keeps intermediate results, and at which leaves it begins, in the first iterations.
    saves: bool,
    leaves: Vec<HashSet<u64>>,
    chained: bool,
}

impl Gathered {
    /// How many elements are still alive whose graphs have been through a backward pass.
    fn gone_through(&self) -> u32 {
        let there = |((tensor, released), ran): &(&(WeakTensor, bool), &Rc<Cell<bool>>)| {
            (*released || ran.get()) && tensor.upgrade().is_some()
        };
        self.members.iter().zip(&self.ran).rev().take(64).filter(there).count() as u32
    }
}

/// The most facts of one kind that are kept.
const MOST: usize = 64;

fn look(id: usize, watch: &Watch, value: &PyObject, vm: &VirtualMachine) {
    // Code that needs Python runs while nothing is borrowed.
    if *watch == Watch::Emptied {
        return emptied(vm);
    }
    let module = match watch {
        Watch::Alias | Watch::Deleted { .. } => first_parameter(value, vm, 8),
        _ => None,
    };
    RECORDER.with_borrow_mut(|recorder| {
        let Some(recorder) = recorder else { return };
        let site = recorder.sites[id].span;
        match watch {
            Watch::Receiver => {
                recorder.receivers.remove(&id);
                if let Some(operand) = operand(&recorder.source[site.start..site.end], value) {
                    recorder.receivers.insert(id, (operand.about.storage, operand));
                }
            }
            Watch::Lost { receiver } => {
                let (Some((source, operand)), Some(t)) = (recorder.receivers.remove(receiver), tensor_of(value)) else {
                    return;
                };
                let (to, lost) = (t.device().to_string(), &mut recorder.facts.lost);
                let known = lost.iter().any(|l: &LostMove| l.site == site && l.source == source);
                if operand.device != to && !known && lost.len() < MOST {
                    let timed = !recorder.running.is_empty() || recorder.recorded;
                    lost.push(LostMove { site, source, operand, to, timed });
                }
            }
            Watch::Alias => {
                let Some(t) = module else { return };
                let (storage, aliases) = (t.storage(), &mut recorder.facts.aliases);
                let now = engine::current().trace.line();
                if let Some(from) = storage.came_from().filter(|_| storage.moved() == now)
                    && aliases.len() < MOST
                {
                    let alias = Alias { site, from: from.to_string(), to: t.device().to_string() };
                    if !aliases.contains(&alias) {
                        aliases.push(alias);
                    }
                }
            }
            Watch::Clock { starts } => recorder.clock(id, starts),
            Watch::Record => {
                recorder.recorded = !recorder.recorded;
                // The device notes the time when it gets there, so nothing has to wait.
                recorder.facts.clocks.readings += 1;
            }
            Watch::Benchmark => recorder.facts.clocks.readings += 2,
            Watch::Timeit => {
                let (launched, finished) = engine::current().launches.queue();
                recorder.facts.clocks.read(site, 2, launched > finished);
                if launched > finished {
                    recorder.timing(Timing {
                        start: site,
                        stop: site,
                        kernels: launched - finished,
                        waiting: launched - finished,
                    });
                }
            }
            Watch::Sum => {
                if let Some(t) = tensor_of(value).filter(|t| t.numel() == 1 && is_grad_enabled()) {
                    recorder.gather(id, t, value, true, false);
                }
            }
            Watch::Member { in_module } => {
                let mut found = None;
                member(value, &mut found, 2);
                if let Some(object) = found
                    && let Some(t) = tensor_of(&object)
                {
                    recorder.gather(id, t, &object, false, *in_module);
                }
            }
            Watch::Deleted { name } => {
                let tensor = tensor_of(value).cloned().or(module);
                if let Some(t) = tensor
                    && !t.device().is_cpu()
                {
                    let operand = super::program::operand_of(name, &t);
                    let storage = t.storage().downgrade();
                    recorder.deleted.retain(|d| d.storage.is_alive() && d.site != site);
                    if recorder.deleted.len() < MOST {
                        recorder.deleted.push(Deleted { site, name: name.clone(), operand, storage });
                    }
                }
            }
            Watch::Pinned => {
                if let Some(t) = tensor_of(value)
                    && t.is_pinned()
                    && recorder.running.is_empty()
                    && !recorder.recorded
                    && t.storage().created() == engine::current().trace.line()
                    && !recorder.facts.pins.contains(&site)
                {
                    recorder.facts.pins.push(site);
                }
            }
            Watch::Emptied => {}
        }
    });
}

impl Recorder {
    fn clock(&mut self, id: usize, starts: &[usize]) {
        let (launched, finished) = engine::current().launches.queue();
        self.facts.clocks.read(self.sites[id].span, 1, launched > finished);
        // The measurement that began last.
        let begun =
            starts.iter().filter_map(|s| Some((*s, self.clocks.get(s)?.0))).max_by_key(|(_, launched)| *launched);
        for start in starts {
            self.running.remove(start);
        }
        let begins = |s: &Site| matches!(&s.watch, Watch::Clock { starts } if starts.contains(&id));
        if self.sites.iter().any(begins) {
            self.running.insert(id);
        }
        if let Some((start, before)) = begun {
            let kernels = launched - before;
            let waiting = (launched - finished).min(kernels);
            // A loop that reads a number in every iteration waits for all kernels except the last few.
            let (start, stop) = (self.sites[start].span, self.sites[id].span);
            if waiting * 2 > kernels {
                self.timing(Timing { start, stop, kernels, waiting });
            } else if kernels > 0 {
                // For a rate that is shown at intervals: at the first time, the queue may contain everything.
                self.facts.timings.retain(|t| (t.start, t.stop) != (start, stop));
            }
        }
        self.clocks.insert(id, (launched, finished));
    }

    fn timing(&mut self, timing: Timing) {
        let known = self.facts.timings.iter().any(|t| t.start == timing.start && t.stop == timing.stop);
        if !known && self.facts.timings.len() < MOST {
            self.facts.timings.push(timing);
        }
    }

    fn gather(&mut self, id: usize, t: &Tensor, object: &PyObject, sum: bool, in_module: bool) {
        let Some(node) = t.grad_fn() else { return };
        let source = &self.source[self.sites[id].span.start..self.sites[id].span.end];
        let name = source.split(['=', '+', '-']).next().unwrap_or_default().trim();
        let Some(operand) = operand(name, object) else { return };
        let g = self.gathered.entry(id).or_insert_with(|| Gathered {
            sum,
            in_module,
            operand: operand.clone(),
            turns: 0,
            last: None,
            kept: 0,
            stale: 0,
            members: Vec::new(),
            ran: Vec::new(),
            saves: false,
            leaves: Vec::new(),
            chained: false,
        });
        g.turns += 1;
        let before = g.last.as_ref().and_then(Weak::upgrade);
        g.kept += u32::from(before.is_some());
        let (ran, mut released) = (node.watch(), false);
        // The graph is only walked in the first iterations, because later ones have the same structure.
        if g.turns <= 4 {
            let seen = walk(&node, before.as_ref());
            g.saves |= seen.saves;
            g.chained |= seen.chained;
            g.stale += u32::from(sum && seen.released);
            g.leaves.push(seen.leaves);
            released = seen.released;
        }
        if !sum {
            g.stale = g.stale.max(g.gone_through());
        }
        if g.ran.len() < 4096 {
            g.ran.push(ran);
            g.members.push((t.downgrade(), released));
        }
        g.operand = operand;
        g.last = Some(Rc::downgrade(&node));
    }

    fn close(mut self) -> Facts {
        for (id, g) in self.gathered {
            let ran = g.ran.iter().any(|ran| ran.get());
            let kept = if g.sum {
                // A sum with a backward pass is a loss. A sum without one keeps the graphs of its elements.
                g.turns >= 2 && g.kept >= 1 && !ran && (g.stale > 0 || g.saves)
            } else if g.stale >= 2 {
                true
            } else {
                // Without any backward pass: results of one model for several inputs, outside any `forward`.
                let same = g.leaves.len() >= 3 && !g.leaves[0].is_empty() && g.leaves.iter().all(|l| *l == g.leaves[0]);
                !g.in_module && g.turns >= 3 && g.kept >= 2 && !ran && g.saves && same && !g.chained
            };
            if kept {
                let (site, evaluation) = (self.sites[id].span, g.stale == 0);
                self.facts.kept.push(Kept { site, turns: g.turns, operand: g.operand, sum: g.sum, evaluation });
            }
        }
        self.facts.kept.sort_by_key(|k| k.site);
        self.facts
    }
}

struct Walked {
    released: bool,
    saves: bool,
    chained: bool,
    leaves: HashSet<u64>,
}

/// Looks through the nearest nodes of a graph.
fn walk(node: &Rc<Node>, before: Option<&Rc<Node>>) -> Walked {
    let mut out = Walked { released: false, saves: false, chained: false, leaves: HashSet::new() };
    let mut seen = HashSet::from([Rc::as_ptr(node)]);
    let mut stack = vec![node.clone()];
    while let Some(node) = stack.pop() {
        out.released |= node.is_released();
        out.saves |= node.saved_tensors().iter().any(|t| t.numel() > 1 && t.grad_fn().is_some());
        out.leaves.extend(node.leaf().map(|leaf| leaf.storage().id()));
        for edge in node.next.borrow().iter().flatten() {
            out.chained |= before.is_some_and(|b| Rc::ptr_eq(b, &edge.node));
            if seen.len() < 512 && seen.insert(Rc::as_ptr(&edge.node)) {
                stack.push(edge.node.clone());
            }
        }
    }
    out
}

/// The first tensor with a graph in a value, a tuple, a list or a dictionary.
fn member(value: &PyObject, found: &mut Option<PyObjectRef>, depth: usize) {
    if found.is_some() {
        return;
    }
    if let Some(t) = tensor_of(value) {
        if t.grad_fn().is_some() {
            *found = Some(value.to_owned());
        }
    } else if depth == 0 {
    } else if let Some(t) = value.downcast_ref::<PyTuple>() {
        t.as_slice().iter().take(16).for_each(|v| member(v, found, depth - 1));
    } else if let Some(l) = value.downcast_ref::<PyList>() {
        let items: Vec<PyObjectRef> = l.borrow_vec().iter().take(16).cloned().collect();
        items.iter().for_each(|v| member(v, found, depth - 1));
    } else if let Ok(d) = value.to_owned().downcast::<PyDict>() {
        d.into_iter().take(16).for_each(|(_, v)| member(&v, found, depth - 1));
    }
}

/// The first parameter of a module, found without calling any code of the program.
fn first_parameter(value: &PyObject, vm: &VirtualMachine, depth: usize) -> Option<Tensor> {
    let own = value.dict()?;
    let part = |name: &str| -> Option<PyDictRef> { own.get_item_opt(name, vm).ok()??.downcast::<PyDict>().ok() };
    for (_, p) in part("_parameters")? {
        if let Some(t) = tensor_of(&p) {
            return Some(t.clone());
        }
    }
    if depth == 0 {
        return None;
    }
    part("_modules")?.into_iter().find_map(|(_, m)| first_parameter(&m, vm, depth - 1))
}

/// After `empty_cache()`: what was deleted but is still alive, and what holds it.
fn emptied(vm: &VirtualMachine) {
    let deleted = RECORDER.with_borrow_mut(|r| r.as_mut().map_or(Vec::new(), |r| std::mem::take(&mut r.deleted)));
    let deleted: Vec<Deleted> = deleted.into_iter().filter(|d| d.storage.is_alive()).collect();
    if deleted.is_empty() {
        return;
    }
    let reachable = names::reachable(vm);
    for d in deleted {
        let direct = reachable.iter().find(|(_, t)| t.storage().id() == d.operand.about.storage);
        let by_graph =
            || reachable.iter().find(|(_, t)| t.grad_fn().is_some_and(|node| saves(&node, d.operand.about.storage)));
        let (holder, by_graph) = match direct {
            Some((name, _)) => (name.clone(), false),
            None => match by_graph() {
                Some((name, _)) => (name.clone(), true),
                None => continue,
            },
        };
        RECORDER.with_borrow_mut(|r| {
            if let Some(r) = r
                && r.facts.alive.len() < MOST
                && !r.facts.alive.iter().any(|a| a.site == d.site && a.name == d.name)
            {
                r.facts.alive.push(Alive { site: d.site, name: d.name, operand: d.operand, holder, by_graph });
            }
        });
    }
}

/// Whether a graph keeps a storage for its backward pass.
fn saves(node: &Rc<Node>, storage: u64) -> bool {
    let mut seen = HashSet::from([Rc::as_ptr(node)]);
    let mut stack = vec![node.clone()];
    while let Some(node) = stack.pop() {
        let leaf = node.leaf().is_some_and(|t| t.storage().id() == storage);
        if leaf || node.saved_tensors().iter().any(|t| t.storage().id() == storage) {
            return true;
        }
        for edge in node.next.borrow().iter().flatten() {
            if seen.len() < 4096 && seen.insert(Rc::as_ptr(&edge.node)) {
                stack.push(edge.node.clone());
            }
        }
    }
    false
}
