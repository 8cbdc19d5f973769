//! Calls whose arguments are on the wrong device: indices, NumPy, generators, old constructors.

use rustpython_vm::compiler::ast::Expr;

use super::{Meeting, Place};
use crate::diagnose::code::{method, path, span};
use crate::diagnose::facts::Span;
use crate::diagnose::silent;
use crate::diagnose::text::Mistake;
use crate::diagnose::{Card, Cause, Operand, fix};
use crate::trace::Clue;

impl Place<'_> {
    pub(super) fn index(&self, mistake: &Mistake<'_>, indexed: &str) -> Option<Card> {
        let frame = self.innermost()?;
        let item = self.code.at_line(frame.line)?;
        // The subscript whose table is where the text says and whose index is not.
        for expr in self.code.exprs(item) {
            let Expr::Subscript(s) = expr else { continue };
            let inside = |o: &&Operand| {
                o.device != indexed
                    && self
                        .code
                        .exprs(item)
                        .iter()
                        .any(|e| span(&*s.slice).contains(span(*e)) && path(e).as_deref() == Some(&o.name))
            };
            let Some(index) = frame.operands.iter().find(inside) else { continue };
            let meeting = Meeting { wrong: &index.device, wanted: indexed, elementwise: false };
            let given = self.climb(index) + 1 < self.seen.frames.len();
            let lost = self.seen.facts.lost.iter().any(|l| l.source == index.about.storage);
            if given && !lost {
                return self.moved_at_use(mistake, "D10", &[index], &meeting);
            }
            let read = self
                .code
                .exprs(item)
                .into_iter()
                .find(|e| span(&*s.slice).contains(span(*e)) && path(e).as_deref() == Some(&index.name))?;
            let to = match path(&s.value) {
                Some(table) => format!("{table}.device"),
                None => format!("\"{indexed}\""),
            };
            // `x > 0` as an index: the comparison moves.
            let whole = if matches!(&*s.slice, Expr::Compare(_) | Expr::BinOp(_) | Expr::UnaryOp(_) | Expr::BoolOp(_)) {
                let slice = span(&*s.slice);
                self.code.edit(vec![(slice, format!("({}).to({to})", self.code.text(slice)))])
            } else if let Some(end) = self.call_end(&s.slice) {
                self.code.edit(vec![(Span { start: end, end }, format!(".to({to})"))])
            } else {
                self.code.append(read, &format!(".to({to})"))
            };
            let lost = self.seen.facts.lost.iter().rev().find(|l| l.source == index.about.storage);
            return Some(match lost {
                Some(lost) => silent::lost(self.code, lost),
                None => self.plain(mistake, "D10", frame.line, whole),
            });
        }
        Some(self.plain(mistake, "D10", frame.line, fix::find(mistake, "D10", self.failure)))
    }

    fn call_end(&self, expr: &Expr) -> Option<usize> {
        expr.is_call_expr().then(|| span(expr).end)
    }

    pub(super) fn numpy(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let frame = self.innermost()?;
        let item = self.code.at_line(frame.line)?;
        let rule = mistake.rule(self.failure);
        let on_gpu = matches!(mistake, Mistake::Numpy { .. });
        let graph = frame.operands.iter().any(|o| o.about.made_by.is_some() && (!on_gpu || o.device != "cpu"));
        let call = match (on_gpu, graph) {
            (true, true) => ".detach().cpu()",
            (true, false) => ".cpu()",
            (false, _) => ".detach()",
        };
        let exprs = self.code.exprs(item);
        let numpy = exprs.iter().find_map(|e| method(e).filter(|(_, name, _)| *name == "numpy"));
        let at = |e: &Expr| {
            let end = span(e).end;
            let simple = matches!(e, Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_) | Expr::Subscript(_));
            match simple {
                true => self.code.edit(vec![(Span { start: end, end }, call.to_string())]),
                false => self.code.edit(vec![(span(e), format!("({}){call}", self.code.text_of(e)))]),
            }
        };
        let fix = match numpy {
            Some((receiver, ..)) => {
                // `y.cpu().numpy()`: the graph ends before the copy.
                let base = match method(receiver) {
                    Some((inner, "cpu" | "to", _)) if !on_gpu => inner,
                    _ => receiver,
                };
                // Text such as `(a + b).numpy()` has its parentheses already.
                let parenthesised = self.code.source[span(base).end..].trim_start().starts_with(')')
                    && !matches!(base, Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_) | Expr::Subscript(_));
                if parenthesised {
                    let end = span(base).end + self.code.source[span(base).end..].find(')')? + 1;
                    self.code.edit(vec![(Span { start: end, end }, call.to_string())])
                } else {
                    at(base)
                }
            }
            None => exprs
                .iter()
                .find_map(|e| {
                    let c = e.as_call_expr()?;
                    let reads = self
                        .code
                        .call_path(&c.func)
                        .is_some_and(|p| p.starts_with("numpy.") || p.starts_with("matplotlib."));
                    let argument = c.arguments.args.iter().find(|a| {
                        let name = path(a);
                        frame.operands.iter().any(|o| Some(&o.name) == name.as_ref())
                    });
                    argument.or(c.arguments.args.first()).filter(|_| reads)
                })
                .and_then(at),
        };
        Some(self.plain(mistake, rule, frame.line, fix))
    }

    /// D28: the generator, where it is made.
    pub(super) fn generator(&self, mistake: &Mistake<'_>, wanted: &str) -> Option<Card> {
        let frame = self.innermost()?;
        let failing = self.code.at_line(frame.line)?;
        let mut places = vec![failing];
        for e in self.code.exprs(failing) {
            let Expr::Call(c) = e else { continue };
            let given = c.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "generator"));
            places.extend(given.and_then(|k| path(&k.value)).map_or(Vec::new(), |name| self.code.assignments(&name)));
        }
        places.extend(0..self.code.items.len());
        for item in places {
            for e in self.code.exprs(item) {
                let Expr::Call(c) = e else { continue };
                if self.code.call_path(&c.func).as_deref() != Some("torch.Generator") {
                    continue;
                }
                let arguments = span(&c.arguments);
                let text = if wanted == "cpu" { "()".to_string() } else { format!("(device=\"{wanted}\")") };
                return Some(self.plain(
                    mistake,
                    "D28",
                    self.code.line(arguments.start),
                    self.code.edit(vec![(arguments, text)]),
                ));
            }
        }
        None
    }

    /// D29: the launch that the device complained about.
    pub(super) fn device_assert(&self) -> Option<Card> {
        let clue = self.seen.facts.clues.iter().find_map(|clue| match clue {
            Clue::OutOfBounds { line, index, size } => Some((*line, *index, *size)),
            _ => None,
        })?;
        let (line, index, size) = clue;
        let cause = Cause::OutOfBounds { line, index, last: size.saturating_sub(1) };
        Some(self.card("D29", line, cause, None))
    }

    /// D30: the constructors of before 0.4.
    pub(super) fn legacy(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let frame = self.innermost()?;
        let item = self.code.at_line(frame.line)?;
        for e in self.code.exprs(item) {
            let Expr::Call(c) = e else { continue };
            let Some(name) = self.code.call_path(&c.func).filter(|p| p.starts_with("torch.") && p.ends_with("Tensor"))
            else {
                continue;
            };
            let Expr::Attribute(a) = &*c.func else { continue };
            let sizes = c.arguments.args.iter().all(|a| a.is_number_literal_expr()) && !c.arguments.args.is_empty();
            let dtype = match name.rsplit('.').next()?.trim_end_matches("Tensor") {
                "Float" => "float32",
                "Double" => "float64",
                "Half" => "float16",
                "Long" => "int64",
                "Int" => "int32",
                "Byte" => "uint8",
                "Bool" => "bool",
                _ => "float32",
            };
            let make = if sizes { "empty" } else { "tensor" };
            let func = Span { start: span(&*a.value).end, end: span(&*c.func).end };
            let end = span(&c.arguments).end - 1;
            let fix = self
                .code
                .edit(vec![(func, format!(".{make}")), (Span { start: end, end }, format!(", dtype=torch.{dtype}"))]);
            return Some(self.plain(mistake, "D30", frame.line, fix));
        }
        None
    }
}
