//! Memory that ran out, that cannot be pinned, or that a forked worker cannot use.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::Place;
use crate::diagnose::code::{is_move, method, path, span};
use crate::diagnose::facts::Span;
use crate::diagnose::silent;
use crate::diagnose::text::Mistake;
use crate::diagnose::{Card, Cause, Fix, Kind};

impl Place<'_> {
    pub(super) fn out_of_memory(&self) -> Option<Card> {
        let code = self.code;
        // D22: tried again while the exception, and with it the frames that hold the memory, is alive.
        if self.seen.again {
            for frame in self.seen.frames {
                let Some(item) = code.at_line(frame.line) else { continue };
                if let Some(handler) = code.items[item].handler {
                    return Some(self.card("D22", frame.line, Cause::RetryInside, self.retry_outside(handler)));
                }
            }
        }
        let own = |facts: Vec<Card>| {
            facts
                .into_iter()
                .next()
                .map(|card| Card { operands: [self.failure.operands, &card.operands].concat(), ..card })
        };
        let cards = silent::cards(code, self.seen);
        let kept: Vec<Card> = cards.iter().filter(|c| c.rule == "D21").cloned().collect();
        if let Some(card) = own(kept) {
            return Some(card);
        }
        let alive: Vec<Card> = cards.iter().filter(|c| c.rule == "D22").cloned().collect();
        own(alive).or_else(|| self.evaluation())
    }

    /// The `try` with what its handler did behind it.
    fn retry_outside(&self, handler: usize) -> Option<Fix> {
        let code = self.code;
        let Stmt::Try(s) = code.items[handler].stmt else { return None };
        let whole = span(code.items[handler].stmt);
        let [only] = &s.handlers[..] else { return None };
        let rustpython_vm::compiler::ast::ExceptHandler::ExceptHandler(only) = only;
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
        let text = format!(
            "out_of_memory = False\n{indent}{head}{deeper}out_of_memory = True\n{indent}if out_of_memory:\n{body}"
        );
        code.edit(vec![(Span { start: whole.start, end: last.end }, text)])
    }

    /// D21: an evaluation that keeps graphs ran out of memory.
    fn evaluation(&self) -> Option<Card> {
        let code = self.code;
        let off = |i: usize| {
            std::iter::successors(Some(i), |&p| code.items[p].parent).any(|p| match code.items[p].stmt {
                Stmt::With(_) | Stmt::FunctionDef(_) => {
                    let head = code.head_lines(p);
                    (head.0.saturating_sub(2)..=head.1).any(|l| {
                        let text = code.line_text(l.max(1));
                        text.contains("no_grad") || text.contains("inference_mode") || text.contains("set_grad_enabled")
                    })
                }
                _ => false,
            })
        };
        let frame = self.seen.frames.iter().find(|f| f.operands.iter().any(|o| o.about.kind == Kind::Parameter))?;
        let item = code.at_line(frame.line)?;
        if self.seen.frames.iter().filter_map(|f| code.at_line(f.line)).any(off) {
            return None;
        }
        let module =
            frame.operands.iter().find(|o| o.about.kind == Kind::Parameter)?.name.split('.').next()?.to_string();
        let evaluates = code.calls().into_iter().any(|(i, c)| {
            i <= item
                && matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "eval" && path(&a.value).as_ref() == Some(&module))
        });
        let trains = code.calls().into_iter().any(|(i, c)| {
            code.items[i].function == code.items[item].function
                && matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "backward")
        });
        if !evaluates || trains {
            return None;
        }
        let whole = span(code.items[item].stmt);
        let begin = code.source[..whole.start].rfind('\n').map_or(0, |n| n + 1);
        let indent = &code.source[begin..whole.start];
        let body = code.text(whole).replace('\n', "\n    ");
        let fix = indent
            .trim()
            .is_empty()
            .then(|| code.edit(vec![(whole, format!("with torch.no_grad():\n{indent}    {body}"))]))?;
        Some(self.card("D21", frame.line, Cause::Evaluation, fix))
    }

    pub(super) fn pin(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let frame = self.innermost()?;
        let item = self.code.at_line(frame.line)?;
        for e in self.code.exprs(item) {
            let Some((receiver, "pin_memory", _)) = method(e) else { continue };
            let pin = self.code.tail(e)?;
            let fix = match method(receiver) {
                // Pinned first, then sent.
                Some((base, name, _)) if is_move(name) => {
                    let sent = self.code.text(Span { start: span(base).end, end: pin.start }).to_string();
                    self.code.edit(vec![(
                        Span { start: span(base).end, end: pin.end },
                        format!("{}{sent}", self.code.text(pin)),
                    )])
                }
                _ => self.code.edit(vec![(pin, String::new())]),
            };
            return Some(self.plain(mistake, "D24", frame.line, fix));
        }
        // A loader that pins what its data set has sent already.
        for (i, c) in self.code.calls() {
            let keyword =
                c.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "pin_memory"));
            if let Some(keyword) = keyword {
                let cut = silent::without(self.code, span(keyword), span(&c.arguments));
                let line = self.code.line(span(self.code.items[i].stmt).start);
                return Some(self.plain(mistake, "D24", line, self.code.edit(vec![(cut, String::new())])));
            }
        }
        None
    }

    /// D25: what a data set does on the GPU.
    pub(super) fn fork(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let code = self.code;
        for i in 0..code.items.len() {
            if !matches!(code.function_name(i), Some("__getitem__" | "__iter__" | "collate" | "collate_fn")) {
                continue;
            }
            for e in code.exprs(i) {
                if let Some((_, "to" | "cuda", _)) = method(e) {
                    let cut = code.tail(e)?;
                    let line = code.line(span(e).start);
                    return Some(self.plain(mistake, "D25", line, code.edit(vec![(cut, String::new())])));
                }
                if let Expr::Call(c) = e
                    && let Some(k) =
                        c.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "device"))
                {
                    let cut = silent::without(code, span(k), span(&c.arguments));
                    return Some(self.plain(
                        mistake,
                        "D25",
                        code.line(span(e).start),
                        code.edit(vec![(cut, String::new())]),
                    ));
                }
            }
        }
        None
    }
}
