//! Programs that do not wait for the GPU, or wait too often (D23, D24).

use rustpython_vm::compiler::ast::Expr;

use super::{card, line_of, without};
use crate::device::Device;
use crate::diagnose::code::{Code, is_load, method, path, span};
use crate::diagnose::facts::{Span, Timing};
use crate::diagnose::{Card, Cause};

// ---- D23 ------------------------------------------------------------------------------------------------------------

pub(super) fn timing(code: &Code<'_>, timing: &Timing) -> Card {
    let line = line_of(code, timing.stop);
    let item = code.at(timing.stop);
    let cause = Cause::Timing { waiting: timing.waiting, kernels: timing.kernels };
    let fix = item.and_then(|item| {
        if timing.start != timing.stop {
            return code.insert_before(item, "torch.cuda.synchronize()");
        }
        let call = code.exprs(item).into_iter().find(|e| span(*e) == timing.stop)?.as_call_expr()?;
        let Some(Expr::Lambda(lambda)) = call.arguments.args.first() else { return None };
        let body = span(&*lambda.body);
        code.edit(vec![(body, format!("({}, torch.cuda.synchronize())", code.text(body)))])
    });
    card("D23", line, cause, Vec::new(), fix.into_iter().collect())
}

pub(super) fn piecewise(code: &Code<'_>, line: u32, device: Device, elements: usize, reads: usize) -> Card {
    let item = code.at_line(line);
    // The tensor whose elements the line reads: what `.item()`, `int()` and the like are given, if they are.
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
    let device = device.to_string();
    let cause = match table.clone() {
        Some(name) => Cause::Piecewise { reads, name, elements, device },
        None => Cause::PiecewiseUnnamed { reads, elements, device },
    };
    let fix = item.zip(table).and_then(|(item, table)| {
        // Before the outermost loop in which the tensor stays the same.
        let assigned = code.assignments(&table);
        let loops = std::iter::successors(code.items[item].looped, |&l| code.items[l].looped);
        let outer = loops.take_while(|&l| !assigned.iter().any(|&a| code.within(a, l))).last()?;
        code.insert_before(outer, &format!("{table} = {table}.cpu()"))
    });
    card("D23", line, cause, Vec::new(), fix.into_iter().collect())
}

// ---- D24 ------------------------------------------------------------------------------------------------------------

pub(super) fn read_early(code: &Code<'_>, line: u32, copied: u32) -> Card {
    let cause = Cause::ReadEarly { line };
    let fix = code.at_line(copied).and_then(|item| {
        let blocking = code.exprs(item).into_iter().find_map(|e| {
            let call = e.as_call_expr()?;
            let keyword = call
                .arguments
                .keywords
                .iter()
                .find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "non_blocking"))?;
            Some(without(code, span(keyword), span(&call.arguments)))
        });
        match blocking {
            Some(cut) => code.edit(vec![(cut, String::new())]),
            None => code.insert_after(item, "torch.cuda.synchronize()"),
        }
    });
    card("D24", copied, cause, Vec::new(), fix.into_iter().collect())
}

pub(super) fn pin(code: &Code<'_>, site: Span) -> Card {
    let fix = code.at(site).and_then(|item| {
        let call = code.exprs(item).into_iter().find(|e| span(*e) == site && method(e).is_some())?;
        code.edit(vec![(code.tail(call)?, String::new())])
    });
    card("D24", line_of(code, site), Cause::PinnedOnce, Vec::new(), fix.into_iter().collect())
}
