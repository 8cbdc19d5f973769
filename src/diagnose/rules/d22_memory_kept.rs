//! D22: memory that the program meant to free is still held.

use std::iter::successors;

use rustpython_vm::compiler::ast::{ExceptHandler, Stmt};

use super::d20_out_of_memory::is_out_of_memory;
use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, path, span};
use crate::diagnose::facts::{Alive, Span};
use crate::diagnose::place::Place;
use crate::diagnose::plan::{Site, Watch};
use crate::diagnose::words::words;
use crate::diagnose::{Card, Fix, Seen};

words! {
    alive(name, holder):
        "Removing the name `{name}` freed nothing, because `{holder}` still uses the same memory. Delete `{holder}` as well when you no longer need it.",
        "Den Namen `{name}` zu entfernen hat nichts freigegeben, weil `{holder}` denselben Speicher noch benutzt. Entfern auch `{holder}`, wenn du es nicht mehr brauchst.";
    alive_by_graph(name, holder):
        "Removing the name `{name}` freed nothing, because the graph of `{holder}` keeps the tensor for the backward pass. Delete `{holder}` as well when you no longer need it.",
        "Den Namen `{name}` zu entfernen hat nichts freigegeben, weil der Graph von `{holder}` den Tensor für den Rückwärtslauf aufhebt. Entfern auch `{holder}`, wenn du es nicht mehr brauchst.";
    retry_inside():
        "The second attempt runs inside `except`: until that block ends, the exception keeps the tensors of the first attempt in memory. Try again after the block.",
        "Der zweite Versuch läuft in `except`: Bis dieser Block endet, hält die Ausnahme die Tensoren des ersten Versuchs im Speicher. Versuch es nach dem Block noch einmal.";
}

pub(super) struct D22;

impl Explain for D22 {
    const ABOUT: &'static str = "`del x` removes a name. The memory is free only when nothing reaches the tensor any more: no \
        other name, no view, no list, no graph and no exception that is being handled. `empty_cache()` returns only memory that \
        is free. The card speaks if the program looks at its memory, runs out of it, or never uses the other name again.";
    const EXAMPLE: Example = Example::new(
        "import torch\n\nx = torch.zeros(1024, 1024, device=\"cuda\")\nfirst_row = x[0]\ndel x\ntorch.cuda.empty_cache()\nprint(torch.cuda.memory_allocated())\n",
    );
    const LESSON: &'static str = "memory-map";

    /// Finds `del x` in programs that expect its memory to be free afterwards.
    fn watch(code: &Code<'_>, out: &mut Vec<Site>) {
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
                // Only if the name certainly has a value already.
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

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        let unexpected = seen.facts.alive.iter().filter(|a| is_unexpected(code, seen, a));
        unexpected.map(|a| still_there(code, a)).collect()
    }

    /// Memory ran out.
    fn behind(at: &Place<'_>) -> Option<Card> {
        at.text.filter(|card| card.rule == Rule::D20.id())?;
        // A retry in an `except` block: the exception, and with it the frames that hold the memory, is still alive.
        if at.seen.again {
            for frame in at.seen.frames {
                let Some(item) = at.code.at_line(frame.line) else { continue };
                if let Some(handler) = at.code.items[item].handler {
                    let fix = retry_outside(at.code, handler);
                    return Some(at.card(Rule::D22, frame.line, retry_inside(), fix.into_iter().collect()));
                }
            }
        }
        // Accumulated graphs hold more than a single name does.
        let graphs = at.silent.iter().any(|card| card.rule == Rule::D21.id());
        let card = at.silent.iter().find(|card| card.rule == Rule::D22.id()).filter(|_| !graphs)?;
        Some(Card { operands: [at.failure.operands, &card.operands].concat(), ..card.clone() })
    }
}

/// Whether the program expected the memory to be free: it queries memory, runs out of it, or never uses the holder
/// again.
fn is_unexpected(code: &Code<'_>, seen: &Seen<'_>, alive: &Alive) -> bool {
    let Some(item) = code.at(alive.site) else { return false };
    let looks = ["memory_allocated", "memory_reserved", "mem_get_info", "memory_summary", "memory_stats"];
    let end = alive.site.end;
    let looked = code.calls().into_iter().any(|(_, c)| {
        span(c).start > end && code.call_path(&c.func).is_some_and(|p| looks.iter().any(|l| p.ends_with(l)))
    });
    let root = root(&alive.holder);
    let forgotten = root != alive.name && !code.read_after(item, root);
    looked || seen.failure.is_some_and(is_out_of_memory) || forgotten
}

fn root(holder: &str) -> &str {
    holder.split(['.', '[']).next().unwrap_or(holder)
}

fn still_there(code: &Code<'_>, found: &Alive) -> Card {
    let cause = match found.by_graph {
        true => alive_by_graph(&found.name, &found.holder),
        false => alive(&found.name, &found.holder),
    };
    let fix = code.at(found.site).and_then(|item| release(code, item, root(&found.holder), &found.name));
    let line = code.line(found.site.start);
    Rule::D22.card(line, cause, vec![found.operand.clone()], fix.into_iter().collect())
}

/// Also deletes the holder, if nothing reads it later: not even its shape, and no copy of it is made.
fn release(code: &Code<'_>, item: usize, holder: &str, name: &str) -> Option<Fix> {
    let here = code.items[item];
    let local = code.assignments(holder).iter().any(|&a| code.items[a].function == here.function);
    let end = span(here.stmt).end;
    let named = || {
        code.reads(holder).into_iter().any(|(i, read)| {
            let same = code.items[i].function == here.function || here.function.is_none();
            let again = successors(here.looped, |&l| code.items[l].looped).any(|l| code.within(i, l));
            same && (span(read).start >= end || (again && !is_new(code, i, holder, here.looped)))
        })
    };
    if holder == name || !local || code.read_after(item, holder) || named() {
        return None;
    }
    match here.stmt {
        Stmt::Delete(_) => code.append(here.stmt, &format!(", {holder}")),
        _ => code.insert_after(item, &format!("del {holder}")),
    }
}

/// Whether a loop gives a variable a new value before its statement `item` reads it.
fn is_new(code: &Code<'_>, item: usize, name: &str, looped: Option<usize>) -> bool {
    let start = span(code.items[item].stmt).start;
    code.assignments(name).into_iter().any(|a| {
        looped.is_some_and(|l| a == l || code.items[a].parent == Some(l)) && span(code.items[a].stmt).start < start
    })
}

/// The `try` statement, followed by the code that was in its handler.
fn retry_outside(code: &Code<'_>, handler: usize) -> Option<Fix> {
    let Stmt::Try(s) = code.items[handler].stmt else { return None };
    let whole = span(code.items[handler].stmt);
    let [only] = &s.handlers[..] else { return None };
    let ExceptHandler::ExceptHandler(only) = only;
    if !s.orelse.is_empty() || !s.finalbody.is_empty() || only.name.is_some() {
        return None;
    }
    let (first, last) = (span(only.body.first()?), span(only.body.last()?));
    let begin = code.source[..whole.start].rfind('\n').map_or(0, |n| n + 1);
    let indent = &code.source[begin..whole.start];
    let inner = code.source[..first.start].rfind('\n').map_or(0, |n| n + 1);
    let deeper = &code.source[inner..first.start];
    if !indent.trim().is_empty() || !deeper.trim().is_empty() {
        return None;
    }
    let head = &code.source[whole.start..inner];
    let body = &code.source[inner..last.end];
    let text =
        format!("out_of_memory = False\n{indent}{head}{deeper}out_of_memory = True\n{indent}if out_of_memory:\n{body}");
    code.edit(vec![(Span { start: whole.start, end: last.end }, text)])
}
