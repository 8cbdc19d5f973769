//! D24: memory that is pinned without benefit or not at all, and a copy from a GPU that is read before it has arrived.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, is_move, keyword, method, path, span};
use crate::diagnose::facts::Span;
use crate::diagnose::place::Place;
use crate::diagnose::plan::{Site, Watch};
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Seen};
use crate::trace::Clue;

words! {
    read_early(line):
        "Line {line} reads a copy that may not have arrived yet: with `non_blocking=True`, a copy from a GPU to the CPU returns before its data is there, so the numbers can be wrong. Copy without it, or call `torch.cuda.synchronize()` first.",
        "Zeile {line} liest eine Kopie, die vielleicht noch nicht angekommen ist: Mit `non_blocking=True` kehrt eine Kopie von einer GPU zur CPU zurück, bevor ihre Daten da sind, also können die Zahlen falsch sein. Lass `non_blocking=True` weg, oder ruf vorher `torch.cuda.synchronize()` auf.";
    pinned_once():
        "Pinning copies the tensor once more on the CPU, and the program waits for that, so for a single copy pinning costs more than it saves. Pin in the `DataLoader`, or pin once what you send often.",
        "`pin_memory()` kopiert den Tensor auf der CPU ein weiteres Mal, und das Programm wartet darauf, also kostet das bei einer einzigen Kopie mehr, als es spart. Lass den `DataLoader` seine Batches seitenfest machen, oder mach einmal seitenfest, was du oft sendest.";
    not_on_cpu():
        "Only CPU memory can be pinned, but this tensor is on a GPU. Pin it before you move it, or don't pin it.",
        "Nur Speicher der CPU lässt sich seitenfest machen, aber dieser Tensor liegt auf einer GPU. Mach ihn seitenfest, bevor du ihn verschiebst, oder gar nicht.";
}

pub(super) struct D24;

impl Explain for D24 {
    const ABOUT: &'static str = "Three mistakes with one lesson: a GPU tensor can't be pinned, which is an error; pinning a tensor \
        for one copy is slower than not pinning it; and a `non_blocking` copy to the CPU can be read before it is complete. The \
        last two raise nothing.";
    const EXAMPLE: Example =
        Example::new("import torch\n\nx = torch.ones(3).cuda().pin_memory()\nprint(x.is_pinned())\n");
    const LESSON: &'static str = "pinned-memory";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let message = failure.runtime()?;
        let known = message.starts_with("cannot pin '") && message.ends_with("only dense CPU tensors can be pinned");
        known.then(|| Rule::D24.of(failure, not_on_cpu(), None))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        let frame = at.innermost()?;
        let item = at.code.at_line(frame.line)?;
        for e in at.code.exprs(item) {
            let Some((receiver, "pin_memory", _)) = method(e) else { continue };
            let pin = at.code.tail(e)?;
            let fix = match method(receiver) {
                // Pinned, then copied to the device.
                Some((base, name, _)) if is_move(name) => {
                    let sent = at.code.text(Span { start: span(base).end, end: pin.start }).to_string();
                    at.code.edit(vec![(
                        Span { start: span(base).end, end: pin.end },
                        format!("{}{sent}", at.code.text(pin)),
                    )])
                }
                _ => at.code.edit(vec![(pin, String::new())]),
            };
            return Some(text.at(frame.line, fix));
        }
        // A loader that pins tensors which its data set has already moved.
        for (i, c) in at.code.calls() {
            if let Some(pins) = keyword(c, "pin_memory") {
                let cut = at.code.without(span(pins), span(&c.arguments));
                let line = at.code.line(span(at.code.items[i].stmt).start);
                return Some(text.at(line, at.code.edit(vec![(cut, String::new())])));
            }
        }
        None
    }

    /// `x.pin_memory().to(...)`, or the same in two statements of one loop.
    fn watch(code: &Code<'_>, out: &mut Vec<Site>) {
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
                        && code.exprs(*j).iter().any(|c| {
                            method(c).is_some_and(|(r, m, _)| span(r) == span(*e) && matches!(m, "to" | "cuda"))
                        })
                });
                if moved {
                    out.push(Site { span: span(&*s.value), watch: Watch::Pinned });
                }
            }
        }
    }

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        let early = |clue: &Clue| match clue {
            Clue::ReadEarly { line, copied, .. } => Some(early(code, *line, *copied)),
            _ => None,
        };
        let pins = seen.facts.pins.iter().map(|&site| pinned(code, site));
        pins.chain(seen.facts.clues.iter().filter_map(early)).collect()
    }
}

fn early(code: &Code<'_>, line: u32, copied: u32) -> Card {
    let fix = code.at_line(copied).and_then(|item| {
        let blocking = code.exprs(item).into_iter().find_map(|e| {
            let call = e.as_call_expr()?;
            Some(code.without(span(keyword(call, "non_blocking")?), span(&call.arguments)))
        });
        match blocking {
            Some(cut) => code.edit(vec![(cut, String::new())]),
            None => code.insert_after(item, "torch.cuda.synchronize()"),
        }
    });
    Rule::D24.card(copied, read_early(&line), Vec::new(), fix.into_iter().collect())
}

fn pinned(code: &Code<'_>, site: Span) -> Card {
    let fix = code.at(site).and_then(|item| {
        let call = code.exprs(item).into_iter().find(|e| span(*e) == site && method(e).is_some())?;
        code.edit(vec![(code.tail(call)?, String::new())])
    });
    Rule::D24.card(code.line(site.start), pinned_once(), Vec::new(), fix.into_iter().collect())
}
