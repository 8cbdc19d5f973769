//! D10: an index on another device than the table it looks things up in.

use rustpython_vm::compiler::ast::Expr;

use super::d04_lost_move;
use super::d08_born_on_cpu::factory;
use super::{Example, Explain, Rule};
use crate::diagnose::code::{path, span};
use crate::diagnose::facts::Span;
use crate::diagnose::line::reads;
use crate::diagnose::line_edit::{join, moved, quoted};
use crate::diagnose::met::{Check, Met};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Fix, Kind, Operand};

words! {
    index(indexed):
        "The tensor that you index is on {indexed}, but the index is on another device. An index must be on the CPU or where the tensor is, so move it to one of these.",
        "Der Tensor, den du indizierst, liegt auf {indexed}, aber der Index liegt auf einem anderen Gerät. Ein Index muss auf der CPU liegen oder dort, wo der Tensor liegt, also verschieb ihn an einen der beiden Orte.";
    both_named(index, on, table, indexed):
        "`{index}` is on {on}, but `{table}`, which it indexes, is on {indexed}. An index must be on the CPU or where the tensor is, so move it to one of these.",
        "`{index}` liegt auf {on}, aber `{table}`, das damit indiziert wird, liegt auf {indexed}. Ein Index muss auf der CPU liegen oder dort, wo der Tensor liegt, also verschieb ihn an einen der beiden Orte.";
    lookup(argument, on, common):
        "The {argument} is on {on}, but the table it looks things up in is on {common}. Move the {argument} there first.",
        "`{argument}` liegt auf {on}, aber die Tabelle, in der nachgeschlagen wird, liegt auf {common}. Verschieb `{argument}` vorher dorthin.";
}

pub(super) struct D10;

impl Explain for D10 {
    const ABOUT: &'static str = "A GPU tensor takes an index from the CPU, but a CPU tensor takes none from the GPU. An embedding \
        is stricter: its ids must be where its weights are.";
    const EXAMPLE: Example = Example::new(
        "import torch\n\ntable = torch.arange(10.0)\nids = torch.tensor([2, 5], device=\"cuda\")\nprint(table[ids])\n",
    );
    const LESSON: &'static str = "same-device-rule";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        if let Some(indexed) = indexed(failure) {
            return Some(Rule::D10.of(failure, index(&indexed), in_line(failure, indexed)));
        }
        let met = Met::read(failure)?;
        let Check::Argument { argument, method } = met.check else { return None };
        let looks_up = method.contains("index_select") || method.contains("embedding");
        looks_up.then(|| Rule::D10.of(failure, lookup(&argument, &met.first, &met.second), join(failure, &met)))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        let Some(indexed) = indexed(at.failure) else {
            let card = at.moved(text)?;
            let unnamed = || card.fix.is_empty().then(|| made_in_line(at))?;
            return Some(unnamed().map_or_else(|| card.clone(), |fix| card.at(card.line, Some(fix))));
        };
        let code = at.code;
        let frame = at.innermost()?;
        let item = code.at_line(frame.line)?;
        let exprs = code.exprs(item);
        // The subscript whose table is on the device in the message and whose index isn't.
        for expr in &exprs {
            let Expr::Subscript(s) = expr else { continue };
            let slice = span(&*s.slice);
            let named = |e: &&&Expr, o: &Operand| slice.contains(span(**e)) && path(e).as_deref() == Some(&o.name);
            let inside = |o: &&Operand| o.device != indexed && exprs.iter().any(|e| named(&e, o));
            let Some(index) = frame.operands.iter().find(inside) else { continue };
            let lost = at.seen.facts.lost.iter().rev().find(|l| l.source == index.about.storage);
            let given = at.climb(index) + 1 < at.seen.frames.len();
            if given && lost.is_none() {
                return at.moved_at_use(text, &[index], (&index.device, indexed));
            }
            if let Some(lost) = lost {
                return Some(d04_lost_move::card(code, lost));
            }
            let read = exprs.iter().find(|e| named(e, index))?;
            let table = path(&s.value);
            let cause = table.as_ref().map(|table| both_named(&index.name, &index.device, table, &indexed));
            let to = match table {
                Some(table) => format!("{table}.device"),
                None => format!("\"{indexed}\""),
            };
            let call = format!(".to({to})");
            // `x > 0` as an index: the comparison must be moved.
            let fix = match &*s.slice {
                Expr::Compare(_) | Expr::BinOp(_) | Expr::UnaryOp(_) | Expr::BoolOp(_) | Expr::Call(_) => {
                    code.wrapped(&s.slice, &call)
                }
                _ => code.append(*read, &call),
            };
            return Some(text.at(frame.line, fix).saying(cause));
        }
        Some(text.at(frame.line, in_line(at.failure, indexed)))
    }
}

/// Ids that have no name, because the failing line makes them: it makes them on the device of the table.
fn made_in_line(at: &Place<'_>) -> Option<Fix> {
    let (code, frame) = (at.code, at.innermost()?);
    let item = code.at_line(frame.line)?;
    let wanted = at.met.as_ref()?.wanted();
    if wanted == "cpu" {
        return None;
    }
    let Expr::Call(call) = factory(code, item)? else { return None };
    let table = frame.operands.iter().find(|o| o.device == wanted && o.about.kind == Kind::Tensor);
    let device = at.destination(item, wanted, table);
    let end = span(&call.arguments).end - 1;
    let comma = if call.arguments.is_empty() { "" } else { ", " };
    code.edit(vec![(Span { start: end, end }, format!("{comma}device={device}"))])
}

/// The device of the indexed tensor, from the message.
fn indexed<'a>(failure: &Failure<'a>) -> Option<&'a str> {
    let text = "indices should be either on cpu or on the same device as the indexed tensor (";
    failure.runtime()?.strip_prefix(text)?.strip_suffix(')')
}

/// Moves an index to the device of the tensor that it indexes.
fn in_line(failure: &Failure<'_>, indexed: &str) -> Option<Fix> {
    let (number, line) = failure.failing()?;
    let is_index = |operand: &&Operand| {
        let reads = reads(line, &operand.name);
        operand.device != indexed && reads.iter().any(|range| line[..range.start].contains('['))
    };
    let wrong: Vec<&Operand> = failure.operands.iter().filter(is_index).collect();
    let [wrong] = wrong[..] else { return None };
    let mut tables = failure.operands.iter().filter(|operand| {
        let reads = reads(line, &operand.name);
        operand.device == indexed && reads.iter().any(|range| line[range.end..].starts_with('['))
    });
    match (tables.next(), tables.next()) {
        (Some(table), None) => moved(number, line, &wrong.name, &format!("{}.device", table.name)),
        _ => moved(number, line, &wrong.name, &quoted(indexed)),
    }
}
