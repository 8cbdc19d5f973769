//! Where to look while a program runs: the few statements that could be a silent mistake, found by their form. Whether one
//! is, what happens there decides.

use std::collections::HashMap;

use rustpython_vm::compiler::ast::{Expr, Operator, Stmt};

use super::code::{Code, dotted, is_load, is_move, method, path, span, targets};
use super::facts::Span;

/// What to look at in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watch {
    /// What `.to` is called on, where nothing keeps the result.
    Receiver,
    /// That result; the place of the receiver.
    Lost { receiver: usize },
    /// A module's move that gets another name.
    Alias,
    /// A clock; those that it is compared with.
    Clock { starts: Vec<usize> },
    /// A whole measurement by `timeit`.
    Timeit,
    /// `event.record()`, which begins or ends a measurement.
    Record,
    /// A running sum, after its statement.
    Sum,
    /// What is put into a container turn by turn; whether that is in a module's `forward`.
    Member { in_module: bool },
    /// A variable before `del`, by name.
    Deleted { name: String },
    /// `empty_cache()`.
    Emptied,
    /// `.pin_memory()` that serves one copy.
    Pinned,
}

/// A place to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub span: Span,
    pub watch: Watch,
}

impl Site {
    /// Looked at before or after the statement at `span`; others wrap the expression there.
    pub fn is_statement(&self) -> bool {
        matches!(self.watch, Watch::Sum | Watch::Deleted { .. })
    }
}

/// A program needs no more places than this.
const MOST: usize = 512;

/// The places of a program.
pub fn sites(code: &Code<'_>) -> Vec<Site> {
    let mut out = Vec::new();
    lost_moves(code, &mut out);
    aliases(code, &mut out);
    clocks(code, &mut out);
    gathered(code, &mut out);
    deleted(code, &mut out);
    pinned(code, &mut out);
    out.truncate(MOST);
    out
}

/// `x.to(...)` whose result goes nowhere, or only into the variable of a loop over what it came from.
fn lost_moves(code: &Code<'_>, out: &mut Vec<Site>) {
    let mut lost = |call: &Expr| {
        if let Some((receiver, name, _)) = method(call)
            && is_move(name)
        {
            out.push(Site { span: span(receiver), watch: Watch::Receiver });
            out.push(Site { span: span(call), watch: Watch::Lost { receiver: out.len() - 1 } });
        }
    };
    for (i, item) in code.items.iter().enumerate() {
        match item.stmt {
            Stmt::Expr(s) => match &*s.value {
                Expr::ListComp(c) => lost(&c.elt),
                Expr::SetComp(c) => lost(&c.elt),
                Expr::DictComp(c) => lost(&c.value),
                call => lost(call),
            },
            Stmt::Assign(s) if s.targets.len() == 1 => {
                let (Some(target), Some((receiver, ..))) = (path(&s.targets[0]), method(&s.value)) else { continue };
                let Some(loop_) = item.looped else { continue };
                let over = targets(code.items[loop_].stmt);
                let is_turn = s.targets[0].is_name_expr() && over.iter().any(|t| path(t).as_deref() == Some(&target));
                if !is_turn || path(receiver).as_deref() != Some(&target) {
                    continue;
                }
                // Read again, the variable has done its work.
                let again = code.reads(&target).iter().any(|(j, e)| code.reaches(i, *j, span(*e), &target));
                if !again {
                    lost(&s.value);
                }
            }
            _ => {}
        }
    }
}

/// `other = model.cpu()`, and the same where it is stored or handed on under another name.
fn aliases(code: &Code<'_>, out: &mut Vec<Site>) {
    for item in &code.items {
        let Stmt::Assign(s) = item.stmt else { continue };
        let Some((receiver, name, _)) = method(&s.value) else { continue };
        let (Some(from), true) = (path(receiver), is_move(name)) else { continue };
        if s.targets.iter().all(|t| path(t).is_some_and(|to| to != from)) {
            out.push(Site { span: span(&*s.value), watch: Watch::Alias });
        }
    }
}

const CLOCKS: [&str; 9] = [
    "time.time",
    "time.perf_counter",
    "time.monotonic",
    "time.process_time",
    "time.time_ns",
    "time.perf_counter_ns",
    "time.monotonic_ns",
    "timeit.default_timer",
    "datetime.datetime.now",
];

/// Whether an expression reads a clock.
pub fn is_clock(code: &Code<'_>, expr: &Expr) -> bool {
    expr.as_call_expr().and_then(|c| code.call_path(&c.func)).is_some_and(|p| CLOCKS.contains(&p.as_str()))
}

/// Clocks that are subtracted from each other.
fn clocks(code: &Code<'_>, out: &mut Vec<Site>) {
    // Where each reading is and which variable holds it: (function, name, site).
    let mut held: Vec<(Option<usize>, String, usize)> = Vec::new();
    let mut all: HashMap<Span, usize> = HashMap::new();
    for (i, item) in code.items.iter().enumerate() {
        for expr in code.exprs(i) {
            if is_clock(code, expr) {
                all.insert(span(expr), out.len());
                out.push(Site { span: span(expr), watch: Watch::Clock { starts: Vec::new() } });
            }
            if matches!(method(expr), Some((_, "record", _))) && code.source.contains("cuda.Event") {
                out.push(Site { span: span(expr), watch: Watch::Record });
            }
            let call = expr.as_call_expr().and_then(|c| code.call_path(&c.func));
            if call.is_some_and(|p| p == "timeit.timeit" || p == "timeit.repeat") {
                out.push(Site { span: span(expr), watch: Watch::Timeit });
            }
        }
        if let Stmt::Assign(s) = item.stmt
            && let Some(&site) = all.get(&span(&*s.value))
        {
            held.extend(targets(item.stmt).iter().filter_map(|t| Some((item.function, path(t)?, site))));
        }
    }
    for (i, item) in code.items.iter().enumerate() {
        for expr in code.exprs(i) {
            let Expr::BinOp(op) = expr else { continue };
            if op.op != Operator::Sub {
                continue;
            }
            let of = |side: &Expr| -> Vec<usize> {
                if let Some(&site) = all.get(&span(side)) {
                    return vec![site];
                }
                let Some(name) = path(side) else { return Vec::new() };
                let same = |f: &Option<usize>| *f == item.function || name.contains('.');
                held.iter().filter(|(f, n, _)| same(f) && *n == name).map(|(.., site)| *site).collect()
            };
            let (stops, begins) = (of(&op.left), of(&op.right));
            for stop in stops {
                if let Watch::Clock { starts } = &mut out[stop].watch {
                    starts.extend(begins.iter().filter(|&&b| b != stop));
                }
            }
        }
    }
}

/// Running sums and containers that grow.
fn gathered(code: &Code<'_>, out: &mut Vec<Site>) {
    for (i, item) in code.items.iter().enumerate() {
        let in_module = code.in_module_class(i);
        let member = |e: &Expr| Site { span: span(e), watch: Watch::Member { in_module } };
        let lasts = |target: &Expr| {
            item.looped.is_some()
                || target.is_attribute_expr()
                || code.items[..]
                    .iter()
                    .any(|g| g.function == item.function && matches!(g.stmt, Stmt::Global(_) | Stmt::Nonlocal(_)))
        };
        match item.stmt {
            Stmt::AugAssign(s) if matches!(s.op, Operator::Add | Operator::Sub) => {
                if path(&s.target).is_some() && lasts(&s.target) {
                    out.push(Site { span: span(item.stmt), watch: Watch::Sum });
                }
            }
            Stmt::Assign(s) if s.targets.len() == 1 => {
                let target = &s.targets[0];
                let Some(name) = path(target) else { continue };
                let repeats = || code.exprs(i).iter().any(|e| is_load(e) && path(e).as_deref() == Some(&name));
                if s.value.is_bin_op_expr() && lasts(target) && repeats() {
                    out.push(Site { span: span(item.stmt), watch: Watch::Sum });
                } else if let Expr::Subscript(place) = target
                    && item.looped.is_some()
                    && path(&s.value).is_some()
                    && is_container(code, &place.value)
                {
                    out.push(member(&s.value));
                }
            }
            _ => {}
        }
        for expr in code.exprs(i) {
            match expr {
                Expr::Call(call) => {
                    let Expr::Attribute(a) = &*call.func else { continue };
                    let lasting = item.looped.is_some() || a.value.is_attribute_expr();
                    if a.attr.as_str() == "append" && call.arguments.args.len() == 1 && lasting {
                        out.push(member(&call.arguments.args[0]));
                    }
                }
                Expr::ListComp(c) => out.push(member(&c.elt)),
                Expr::Generator(c) => out.push(member(&c.elt)),
                _ => {}
            }
        }
    }
}

/// Whether a variable was made as a dictionary or a list.
fn is_container(code: &Code<'_>, expr: &Expr) -> bool {
    let Some(name) = path(expr) else { return false };
    code.assignments(&name).iter().any(|&i| match code.items[i].stmt {
        Stmt::Assign(s) => match &*s.value {
            Expr::Dict(_) | Expr::List(_) | Expr::DictComp(_) | Expr::ListComp(_) => true,
            Expr::Call(c) => {
                dotted(&c.func).is_some_and(|f| matches!(f.as_str(), "dict" | "list" | "defaultdict" | "OrderedDict"))
            }
            Expr::BinOp(b) => b.left.is_list_expr(),
            _ => false,
        },
        _ => false,
    })
}

/// `del x` in programs that then expect memory back.
fn deleted(code: &Code<'_>, out: &mut Vec<Site>) {
    let empties: Vec<Span> = code
        .calls()
        .into_iter()
        .filter(|(_, c)| code.call_path(&c.func).is_some_and(|p| p.ends_with("cuda.empty_cache")))
        .map(|(_, c)| span(c))
        .collect();
    if empties.is_empty() {
        return;
    }
    for item in &code.items {
        match item.stmt {
            Stmt::Delete(s) => {
                for target in &s.targets {
                    if let Some(name) = path(target).filter(|_| target.is_name_expr()) {
                        out.push(Site { span: span(item.stmt), watch: Watch::Deleted { name } });
                    }
                }
            }
            // Only where the name surely has a value already.
            Stmt::Assign(s)
                if s.value.is_none_literal_expr() && s.targets.len() == 1 && s.targets[0].is_name_expr() =>
            {
                let Some(name) = path(&s.targets[0]) else { continue };
                let before = code.assignments(&name).into_iter().any(|a| {
                    let there = code.items[a];
                    span(there.stmt).end <= span(item.stmt).start && there.parent == item.parent
                });
                if before {
                    out.push(Site { span: span(item.stmt), watch: Watch::Deleted { name } });
                }
            }
            _ => {}
        }
    }
    out.extend(empties.into_iter().map(|span| Site { span, watch: Watch::Emptied }));
}

/// `x.pin_memory().to(...)`, or the same in two statements of one loop.
fn pinned(code: &Code<'_>, out: &mut Vec<Site>) {
    let is_pin = |e: &Expr| method(e).is_some_and(|(_, name, _)| name == "pin_memory");
    for (i, item) in code.items.iter().enumerate() {
        for expr in code.exprs(i) {
            if let Some((receiver, "to" | "cuda", _)) = method(expr)
                && is_pin(receiver)
            {
                out.push(Site { span: span(receiver), watch: Watch::Pinned });
            }
        }
        if let (Stmt::Assign(s), Some(loop_)) = (item.stmt, item.looped)
            && is_pin(&s.value)
            && let [target] = &s.targets[..]
            && let Some(name) = path(target)
        {
            let end = span(item.stmt).end;
            let moved = code.reads(&name).iter().any(|(j, e)| {
                span(*e).start >= end
                    && code.within(*j, loop_)
                    && code
                        .exprs(*j)
                        .iter()
                        .any(|c| method(c).is_some_and(|(r, m, _)| span(r) == span(*e) && matches!(m, "to" | "cuda")))
            });
            if moved {
                out.push(Site { span: span(&*s.value), watch: Watch::Pinned });
            }
        }
    }
}
