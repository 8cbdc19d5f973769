//! D23: a program that doesn't wait for the GPU when it measures, or waits for it too often.
//!
//! A number that decides what the next step does (a condition, a learning rate) must be read, and a few dozen waits don't
//! matter.
//! Three forms remain: numbers printed in every step, numbers that are mostly overwritten before anything reads them, and
//! numbers that are only added up or collected in a list.

use std::collections::HashMap;
use std::iter::successors;

use rustpython_vm::compiler::ast::{Expr, Operator, Stmt};

use super::{Example, Explain, Rule};
use crate::device::Device;
use crate::diagnose::code::{Code, is_load, method, path, span, targets};
use crate::diagnose::facts::{Span, Timing};
use crate::diagnose::plan::{Site, Watch};
use crate::diagnose::words::words;
use crate::diagnose::{Card, Cause, Fix, Seen};
use crate::trace::Clue;

words! {
    clock(waiting, kernels):
        "The clock was read while {waiting} of {kernels} kernels hadn't finished: the call that launches a kernel returns at once, so this measures only the launches. Call `torch.cuda.synchronize()` before you read the clock.",
        "Die Uhr wurde abgelesen, als {waiting} von {kernels} Kerneln noch nicht fertig waren: Der Aufruf, der einen Kernel startet, kehrt sofort zurück, also misst das nur die Starts. Ruf `torch.cuda.synchronize()` auf, bevor du die Uhr abliest.";
    piecewise(reads, name, elements, device):
        "This line read {reads} numbers of `{name}` ({elements} elements on {device}) one by one, and each read made the program wait for the GPU. Copy the tensor to the CPU once, and read it there.",
        "Diese Zeile las {reads} Zahlen von `{name}` ({elements} Elemente auf {device}) einzeln, und jedes Lesen ließ das Programm auf die GPU warten. Kopier den Tensor einmal auf die CPU, und lies ihn dort.";
    piecewise_unnamed(reads, elements, device):
        "This line read {reads} numbers of a tensor ({elements} elements on {device}) one by one, and each read made the program wait for the GPU. Copy the tensor to the CPU once, and read it there.",
        "Diese Zeile las {reads} Zahlen eines Tensors ({elements} Elemente auf {device}) einzeln, und jedes Lesen ließ das Programm auf die GPU warten. Kopier den Tensor einmal auf die CPU, und lies ihn dort.";
    printed(waits, device):
        "Printing here made the CPU wait for {device} {waits} times, and while it waits, it launches no kernels. Print only every few steps. Before you print a tensor, copy it with `.cpu()`: that's a single wait.",
        "Die Ausgabe ließ die CPU hier {waits}-mal auf {device} warten, und solange sie wartet, startet sie keine Kernel. Gib nur alle paar Schritte etwas aus. Bevor du einen Tensor ausgibst, kopier ihn mit `.cpu()`: Das ist nur eine Wartezeit.";
    unused(waits, name, device):
        "The CPU waited for {device} {waits} times to read `{name}`, but the program never uses most of these numbers. Read it only where you use it.",
        "Die CPU hat {waits}-mal auf {device} gewartet, um `{name}` zu lesen, aber die meisten dieser Zahlen benutzt das Programm nie. Lies es nur dort, wo du es benutzt.";
    gathered(waits, name, device):
        "The CPU waited for {device} {waits} times to add one more number to `{name}`. Keep the tensors on the device with `.detach()`, and read the result once after the loop.",
        "Die CPU hat {waits}-mal auf {device} gewartet, um zu `{name}` eine Zahl hinzuzufügen. Behalt die Tensoren mit `.detach()` auf dem Gerät, und lies das Ergebnis einmal nach der Schleife.";
}

/// A sum needs every number, so it's only worth a card in a long loop.
const MANY_SUMMANDS: u64 = 500;

pub(super) struct D23;

impl Explain for D23 {
    const ABOUT: &'static str = "Kernels run after the call that launches them. A clock that is read without waiting measures only \
        the launches, and every `.item()`, `print` or `if` on a GPU tensor makes the program wait. The card speaks of waits \
        from a hundred in one line of a loop, if the loop could do without them: it prints each number, uses few of them, or \
        adds up or lists at least 500.";
    const EXAMPLE: Example = Example::new(
        "import time\n\nimport torch\n\na = torch.randn(64, 64, device=\"cuda\")\nstart = time.perf_counter()\nfor _ in range(10):\n    b = a @ a\nprint(time.perf_counter() - start < 60)\n",
    );
    const LESSON: &'static str = "hidden-copies";

    /// Finds clocks that are subtracted from each other, and other measurements.
    fn watch(code: &Code<'_>, out: &mut Vec<Site>) {
        // Where each clock is read and which variable holds the time: (function, name, site).
        let mut held: Vec<(Option<usize>, String, usize)> = Vec::new();
        let mut all: HashMap<Span, usize> = HashMap::new();
        for (i, item) in code.items.iter().enumerate() {
            for expr in code.exprs(i) {
                if is_clock(code, expr) {
                    all.insert(span(expr), out.len());
                    out.push(Site { span: span(expr), watch: Watch::Clock { starts: Vec::new() } });
                }
                if matches!(method(expr), Some((_, "record" | "record_event", _))) && code.source.contains("Event") {
                    out.push(Site { span: span(expr), watch: Watch::Record });
                }
                if matches!(method(expr), Some((_, "timeit" | "blocked_autorange" | "adaptive_autorange", _)))
                    && code.source.contains("benchmark")
                {
                    out.push(Site { span: span(expr), watch: Watch::Benchmark });
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

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        let read = |clue: &Clue| match clue {
            Clue::ReadPiecewise { line, device, elements, reads, .. } => {
                Some(one_by_one(code, *line, *device, *elements, *reads))
            }
            Clue::WaitedOften { line, device, reads, waits } => each_step(code, *line, *device, *reads, *waits),
            _ => None,
        };
        let measured = seen.facts.timings.iter().map(|t| measured(code, t));
        measured.chain(seen.facts.clues.iter().filter_map(read)).collect()
    }
}

fn card(line: u32, cause: Cause, fix: Vec<Fix>) -> Card {
    Rule::D23.card(line, cause, Vec::new(), fix)
}

// ---- clocks ----------------------------------------------------------------------------------------------------------

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
fn is_clock(code: &Code<'_>, expr: &Expr) -> bool {
    expr.as_call_expr().and_then(|c| code.call_path(&c.func)).is_some_and(|p| CLOCKS.contains(&p.as_str()))
}

fn measured(code: &Code<'_>, timing: &Timing) -> Card {
    let line = code.line(timing.stop.start);
    let item = code.at(timing.stop);
    let cause = clock(&timing.waiting, &timing.kernels);
    let fix = item.and_then(|item| {
        if timing.start != timing.stop {
            return code.insert_before(item, "torch.cuda.synchronize()");
        }
        let call = code.exprs(item).into_iter().find(|e| span(*e) == timing.stop)?.as_call_expr()?;
        let Some(Expr::Lambda(lambda)) = call.arguments.args.first() else { return None };
        let body = span(&*lambda.body);
        code.edit(vec![(body, format!("({}, torch.cuda.synchronize())", code.text(body)))])
    });
    Card { lesson: Some("honest-clock".into()), ..card(line, cause, fix.into_iter().collect()) }
}

// ---- one number at a time --------------------------------------------------------------------------------------------

fn one_by_one(code: &Code<'_>, line: u32, device: Device, elements: usize, reads: usize) -> Card {
    let item = code.at_line(line);
    // The tensor whose elements the line reads, if it's an argument or receiver of `.item()`, `int()` and the like.
    let table = item.and_then(|item| {
        let exprs = code.exprs(item);
        let is_read = |place: Span| {
            exprs.iter().any(|e| match method(e) {
                Some((receiver, "item" | "tolist", _)) => span(receiver) == place,
                _ => e.as_call_expr().is_some_and(|c| {
                    path(&c.func).is_some_and(|f| matches!(f.as_str(), "int" | "float" | "bool" | "print" | "str"))
                        && c.arguments.args.iter().any(|a| span(a) == place)
                }),
            })
        };
        let tables = || {
            exprs.iter().filter_map(|e| match e {
                Expr::Subscript(s) if is_load(e) => Some((span(*e), path(&s.value)?)),
                _ => None,
            })
        };
        tables().find(|(place, _)| is_read(*place)).or_else(|| tables().next()).map(|(_, name)| name)
    });
    let cause = match &table {
        Some(name) => piecewise(&reads, name, &elements, &device),
        None => piecewise_unnamed(&reads, &elements, &device),
    };
    let fix = item.zip(table).and_then(|(item, table)| {
        // Before the outermost loop that doesn't change the tensor.
        let assigned = code.assignments(&table);
        let loops = successors(code.items[item].looped, |&l| code.items[l].looped);
        let outer = loops.take_while(|&l| !assigned.iter().any(|&a| code.within(a, l))).last()?;
        code.insert_before(outer, &format!("{table} = {table}.cpu()"))
    });
    card(line, cause, fix.into_iter().collect())
}

// ---- every step ------------------------------------------------------------------------------------------------------

/// A line that waited often, if its loop could avoid most of those waits. Printing is one read and several waits.
fn each_step(code: &Code<'_>, line: u32, device: Device, reads: u64, waits: u64) -> Option<Card> {
    let item = code.at_line(line)?;
    let looped = code.items[item].looped?;
    let inside = |i: usize| i != looped && code.within(i, looped);
    // One iteration of a loop that contains loops is more than one step.
    let nests = |i: usize| inside(i) && matches!(code.items[i].stmt, Stmt::For(_) | Stmt::While(_));
    // A measurement waits on purpose.
    let measures = |i: usize| inside(i) && code.exprs(i).iter().any(|e| is_clock(code, e));
    if branch(code, item, looped).is_some() || (0..code.items.len()).any(|i| nests(i) || measures(i)) {
        return None;
    }
    let (cause, fix) = match code.items[item].stmt {
        Stmt::Expr(s) if s.value.as_call_expr().is_some_and(|c| path(&c.func).as_deref() == Some("print")) => {
            (printed(&waits, &device), seldom(code, item, looped, reads).into_iter().collect())
        }
        Stmt::Expr(s) if reads >= MANY_SUMMANDS => {
            let (list, "append", _) = method(&s.value)? else { return None };
            let name = path(list)?;
            is_seldom_read(code, item, looped, &name).then_some(())?;
            let fix = listed(code, item, looped, &name).unwrap_or_default();
            (gathered(&waits, &name, &device), fix)
        }
        Stmt::AugAssign(s) if reads >= MANY_SUMMANDS && s.op == Operator::Add => {
            let name = path(&s.target)?;
            is_seldom_read(code, item, looped, &name).then_some(())?;
            let fix = summed(code, item, looped, &name).unwrap_or_default();
            (gathered(&waits, &name, &device), fix)
        }
        Stmt::Assign(s) => {
            let [Expr::Name(target)] = &s.targets[..] else { return None };
            let name = target.id.to_string();
            let read = code.reads(&name).iter().any(|(i, _)| *i == item);
            (!name.starts_with('_') && !read && is_seldom_read(code, item, looped, &name)).then_some(())?;
            let fix = later(code, item, looped, &name).unwrap_or_default();
            (unused(&waits, &name, &device), fix)
        }
        _ => return None,
    };
    Some(card(line, cause, fix))
}

/// The outermost statement in a loop that decides whether another statement in the loop runs.
fn branch(code: &Code<'_>, item: usize, looped: usize) -> Option<usize> {
    let outer = successors(code.items[item].parent, |&i| code.items[i].parent).take_while(|&i| i != looped);
    outer.filter(|&i| matches!(code.items[i].stmt, Stmt::If(_) | Stmt::Match(_))).last()
}

/// Whether the rest of the loop reads a variable only in every n-th step (`if step % 100 == 0:`), or not at all.
fn is_seldom_read(code: &Code<'_>, item: usize, looped: usize, name: &str) -> bool {
    let counts = |e: &&Expr| matches!(e, Expr::BinOp(op) if op.op == Operator::Mod);
    code.reads(name).iter().filter(|(i, _)| *i != item).all(|(i, _)| {
        // Another function may read it at any call.
        let same = code.items[*i].function == code.items[item].function;
        let now_and_then = || branch(code, *i, looped).is_some_and(|b| code.exprs(b).iter().any(counts));
        same && (!code.within(*i, looped) || now_and_then())
    })
}

/// Adds `if step % 10 == 0:` before a statement, in a loop that counts.
fn seldom(code: &Code<'_>, item: usize, looped: usize, reads: u64) -> Option<Fix> {
    let Stmt::For(for_) = code.items[looped].stmt else { return None };
    let counter = match (path(&for_.iter.as_call_expr()?.func)?.as_str(), &*for_.target) {
        ("range", target @ Expr::Name(_)) => path(target)?,
        ("enumerate", Expr::Tuple(both)) => path(both.elts.first()?)?,
        _ => return None,
    };
    // Prints about ten lines.
    let every = [1000, 500, 200, 100, 50, 20, 10].into_iter().find(|every| every * 10 <= reads)?;
    let start = span(code.items[item].stmt).start;
    let begin = code.source[..start].rfind('\n')? + 1;
    let indent = &code.source[begin..start];
    // If the statement has several lines, all of them would have to move.
    if !indent.trim().is_empty() || code.text_of(code.items[item].stmt).contains('\n') {
        return None;
    }
    code.edit(vec![(Span { start, end: start }, format!("if {counter} % {every} == 0:\n{indent}    "))])
}

/// Reads the number in the branch that uses it, or after the loop.
fn later(code: &Code<'_>, item: usize, looped: usize, name: &str) -> Option<Vec<Fix>> {
    let Stmt::Assign(s) = code.items[item].stmt else { return None };
    let (receiver, "item", _) = method(&s.value)? else { return None };
    let from = path(receiver).filter(|_| receiver.is_name_expr())?;
    let text = code.text_of(code.items[item].stmt);
    let reads = code.reads(name);
    let end = span(code.items[item].stmt).end;
    let inside: Vec<usize> = reads.iter().map(|(i, _)| *i).filter(|&i| code.within(i, looped)).collect();
    // Further down, the name may refer to another tensor.
    let changes = |i: usize| match code.items[i].stmt {
        Stmt::AugAssign(s) => path(&s.target).as_deref() == Some(&from),
        stmt => targets(stmt).iter().any(|t| path(t).as_deref() == Some(&from)),
    };
    let changed = |until: usize| {
        (0..code.items.len()).any(|i| changes(i) && (end..until).contains(&span(code.items[i].stmt).start))
    };
    if inside.is_empty() && !changed(span(code.items[looped].stmt).end) {
        return Some(vec![code.remove(item)?, code.insert_after(looped, text)?]);
    }
    let target = branch(code, *inside.first()?, looped)?;
    let first = (0..code.items.len()).find(|&i| code.items[i].parent == Some(target))?;
    let start = span(code.items[target].stmt).start;
    let all_there = inside.len() == reads.len() && inside.iter().all(|&i| code.within(i, target) && i != target);
    // In another branch of the same `if`, it would have no value.
    let plain = matches!(code.items[target].stmt, Stmt::If(s) if s.elif_else_clauses.is_empty());
    if !all_there || !plain || start < end || changed(start) {
        return None;
    }
    Some(vec![code.remove(item)?, code.insert_before(first, text)?])
}

/// `total += loss.detach()`, and one read after the loop.
fn summed(code: &Code<'_>, item: usize, looped: usize, name: &str) -> Option<Vec<Fix>> {
    let used = code.reads(name).iter().any(|(i, _)| code.within(*i, looped));
    if used || targets(code.items[looped].stmt).iter().any(|t| path(t).as_deref() == Some(name)) {
        return None;
    }
    read_after(code, item, looped, &format!("{name} = {name}.item()"))
}

/// `losses.append(loss.detach())`, and one read of the entire list after the loop.
fn listed(code: &Code<'_>, item: usize, looped: usize, name: &str) -> Option<Vec<Fix>> {
    let [made] = code.assignments(name)[..] else { return None };
    let Stmt::Assign(s) = code.items[made].stmt else { return None };
    let empty = matches!(&*s.value, Expr::List(list) if list.elts.is_empty());
    // A list from outside the outer loop already contains numbers.
    let fresh = code.items[made].parent == code.items[looped].parent;
    let used = code.reads(name).iter().any(|(i, _)| *i != item && code.within(*i, looped));
    if !empty || !fresh || used || !code.source.contains("import torch") {
        return None;
    }
    read_after(code, item, looped, &format!("{name} = torch.stack({name}).tolist()"))
}

/// `.detach()` instead of the only `.item()` of a statement, and `read` after the loop.
fn read_after(code: &Code<'_>, item: usize, looped: usize, read: &str) -> Option<Vec<Fix>> {
    let is_read = |e: &&Expr| matches!(method(e), Some((_, "item", _)));
    let reads: Vec<&Expr> = code.exprs(item).into_iter().filter(is_read).collect();
    let [number] = reads[..] else { return None };
    let mut stays = code.edit(vec![(code.tail(number)?, ".detach()".into())])?;
    let behind = code.insert_after(looped, read)?;
    if behind.line > stays.line {
        return Some(vec![stays, behind]);
    }
    // The statement is the last one of the loop.
    stays.after.push_str(behind.after.strip_prefix(&behind.before)?);
    Some(vec![stays])
}
