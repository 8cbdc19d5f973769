//! Loops that wait for the GPU in every step for a number that they do not need there (D23).
//!
//! A number that decides what the next step is (a condition, a learning rate) has to be read, and a few dozen waits are
//! nothing to speak of. What is left are three forms: numbers printed in every step, numbers of which most are overwritten
//! unread, and numbers that are only added up or listed.

use std::iter::successors;

use rustpython_vm::compiler::ast::{Expr, Operator, Stmt};

use super::card;
use crate::device::Device;
use crate::diagnose::code::{Code, method, path, span, targets};
use crate::diagnose::facts::Span;
use crate::diagnose::plan::is_clock;
use crate::diagnose::{Card, Cause, Fix};

/// Adding up needs every number: it is worth a word only in a long loop.
const MANY_SUMMANDS: u64 = 500;

/// A line that waited often, if its loop could do without most of that. Printing is one read and several waits.
pub(super) fn each_step(code: &Code<'_>, line: u32, device: Device, reads: u64, waits: u64) -> Option<Card> {
    let item = code.at_line(line)?;
    let looped = code.items[item].looped?;
    let inside = |i: usize| i != looped && code.within(i, looped);
    // One turn of a loop around other loops is more than one step.
    let nests = |i: usize| inside(i) && matches!(code.items[i].stmt, Stmt::For(_) | Stmt::While(_));
    // A measurement waits on purpose.
    let measures = |i: usize| inside(i) && code.exprs(i).iter().any(|e| is_clock(code, e));
    if branch(code, item, looped).is_some() || (0..code.items.len()).any(|i| nests(i) || measures(i)) {
        return None;
    }
    let device = device.to_string();
    let (cause, fix) = match code.items[item].stmt {
        Stmt::Expr(s) if s.value.as_call_expr().is_some_and(|c| path(&c.func).as_deref() == Some("print")) => {
            (Cause::PrintedEachStep { waits, device }, seldom(code, item, looped, reads).into_iter().collect())
        }
        Stmt::Expr(s) if reads >= MANY_SUMMANDS => {
            let (list, "append", _) = method(&s.value)? else { return None };
            let name = path(list)?;
            is_seldom_read(code, item, looped, &name).then_some(())?;
            let fix = listed(code, item, looped, &name).unwrap_or_default();
            (Cause::GatheredEachStep { waits, name, device }, fix)
        }
        Stmt::AugAssign(s) if reads >= MANY_SUMMANDS && s.op == Operator::Add => {
            let name = path(&s.target)?;
            is_seldom_read(code, item, looped, &name).then_some(())?;
            let fix = summed(code, item, looped, &name).unwrap_or_default();
            (Cause::GatheredEachStep { waits, name, device }, fix)
        }
        Stmt::Assign(s) => {
            let [Expr::Name(target)] = &s.targets[..] else { return None };
            let name = target.id.to_string();
            let read = code.reads(&name).iter().any(|(i, _)| *i == item);
            (!name.starts_with('_') && !read && is_seldom_read(code, item, looped, &name)).then_some(())?;
            let fix = later(code, item, looped, &name).unwrap_or_default();
            (Cause::ReadUnused { waits, name, device }, fix)
        }
        _ => return None,
    };
    Some(card("D23", line, cause, Vec::new(), fix))
}

/// The outermost statement in a loop that decides whether another one in it runs.
fn branch(code: &Code<'_>, item: usize, looped: usize) -> Option<usize> {
    let outer = successors(code.items[item].parent, |&i| code.items[i].parent).take_while(|&i| i != looped);
    outer.filter(|&i| matches!(code.items[i].stmt, Stmt::If(_) | Stmt::Match(_))).last()
}

/// The rest of the loop reads a variable only every so many steps (`if step % 100 == 0:`), or not at all.
fn is_seldom_read(code: &Code<'_>, item: usize, looped: usize, name: &str) -> bool {
    let counts = |e: &&Expr| matches!(e, Expr::BinOp(op) if op.op == Operator::Mod);
    code.reads(name).iter().filter(|(i, _)| *i != item).all(|(i, _)| {
        // Another function may read it whenever it is called.
        let same = code.items[*i].function == code.items[item].function;
        let now_and_then = || branch(code, *i, looped).is_some_and(|b| code.exprs(b).iter().any(counts));
        same && (!code.within(*i, looped) || now_and_then())
    })
}

// ---- edits ----------------------------------------------------------------------------------------------------------

/// `if step % 10 == 0:` before a statement, in a loop that counts.
fn seldom(code: &Code<'_>, item: usize, looped: usize, reads: u64) -> Option<Fix> {
    let Stmt::For(for_) = code.items[looped].stmt else { return None };
    let counter = match (path(&for_.iter.as_call_expr()?.func)?.as_str(), &*for_.target) {
        ("range", target @ Expr::Name(_)) => path(target)?,
        ("enumerate", Expr::Tuple(both)) => path(both.elts.first()?)?,
        _ => return None,
    };
    // About ten lines of output.
    let every = [1000, 500, 200, 100, 50, 20, 10].into_iter().find(|every| every * 10 <= reads)?;
    let start = span(code.items[item].stmt).start;
    let begin = code.source[..start].rfind('\n')? + 1;
    let indent = &code.source[begin..start];
    // Lines of one statement would have to move together.
    if !indent.trim().is_empty() || code.text_of(code.items[item].stmt).contains('\n') {
        return None;
    }
    code.edit(vec![(Span { start, end: start }, format!("if {counter} % {every} == 0:\n{indent}    "))])
}

/// A number that is read in the branch that uses it, or after the loop.
fn later(code: &Code<'_>, item: usize, looped: usize, name: &str) -> Option<Vec<Fix>> {
    let Stmt::Assign(s) = code.items[item].stmt else { return None };
    let (receiver, "item", _) = method(&s.value)? else { return None };
    let from = path(receiver).filter(|_| receiver.is_name_expr())?;
    let text = code.text_of(code.items[item].stmt);
    let reads = code.reads(name);
    let end = span(code.items[item].stmt).end;
    let inside: Vec<usize> = reads.iter().map(|(i, _)| *i).filter(|&i| code.within(i, looped)).collect();
    // What the number is read from may be another tensor further down.
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
    // In a second branch of the same `if` it would have no value.
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
    gathered(code, item, looped, &format!("{name} = {name}.item()"))
}

/// `losses.append(loss.detach())`, and one read of all of them after the loop.
fn listed(code: &Code<'_>, item: usize, looped: usize, name: &str) -> Option<Vec<Fix>> {
    let [made] = code.assignments(name)[..] else { return None };
    let Stmt::Assign(s) = code.items[made].stmt else { return None };
    let empty = matches!(&*s.value, Expr::List(list) if list.elts.is_empty());
    // A list that outlives the loop around this one holds numbers already.
    let fresh = code.items[made].parent == code.items[looped].parent;
    let used = code.reads(name).iter().any(|(i, _)| *i != item && code.within(*i, looped));
    if !empty || !fresh || used || !code.source.contains("import torch") {
        return None;
    }
    gathered(code, item, looped, &format!("{name} = torch.stack({name}).tolist()"))
}

/// `.detach()` instead of the one `.item()` of a statement, and `read` after the loop.
fn gathered(code: &Code<'_>, item: usize, looped: usize, read: &str) -> Option<Vec<Fix>> {
    let is_read = |e: &&Expr| matches!(method(e), Some((_, "item", _)));
    let reads: Vec<&Expr> = code.exprs(item).into_iter().filter(is_read).collect();
    let [number] = reads[..] else { return None };
    let mut stays = code.edit(vec![(code.tail(number)?, ".detach()".into())])?;
    let behind = code.insert_after(looped, read)?;
    if behind.line > stays.line {
        return Some(vec![stays, behind]);
    }
    // The statement is the loop's last line.
    stays.after.push_str(behind.after.strip_prefix(&behind.before)?);
    Some(vec![stays])
}
