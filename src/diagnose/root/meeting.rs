//! Two devices that met: what brought the tensor at fault to the wrong one.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::{Meeting, Place};
use crate::diagnose::code::{is_move, method, path, span, targets};
use crate::diagnose::facts::{LostMove, Span};
use crate::diagnose::silent::{self, is_parameter};
use crate::diagnose::text::Mistake;
use crate::diagnose::{Card, Cause, Fix, Frame, Kind, Operand};

impl<'a> Place<'a> {
    pub(super) fn met(&self, mistake: &Mistake<'_>, meeting: &Meeting<'_>) -> Option<Card> {
        let frame = self.innermost()?;
        let candidates = self.candidates(meeting);
        self.lost_move(&candidates, meeting)
            .or_else(|| self.left_state(frame))
            .or_else(|| self.moved_module(&candidates, meeting))
            .or_else(|| self.hidden(&candidates, meeting))
            .or_else(|| self.loss(mistake, &candidates, meeting))
            .or_else(|| self.born_here(mistake, &candidates, meeting))
            .or_else(|| self.stayed(mistake, &candidates, meeting))
    }

    /// D04: a move of the tensor at fault went nowhere.
    fn lost_move(&self, candidates: &[&Operand], meeting: &Meeting<'_>) -> Option<Card> {
        let lost = &self.seen.facts.lost;
        let direct = lost.iter().rev().find(|l| candidates.iter().any(|o| o.about.storage == l.source));
        let alike = || {
            let fits = |l: &&LostMove| l.operand.device == meeting.wrong && l.to == meeting.wanted && !l.timed;
            lost.iter().rev().find(fits)
        };
        Some(silent::lost(self.code, direct.or_else(alike)?))
    }

    /// D14: an optimizer's state is not where its parameters are.
    fn left_state(&self, frame: &Frame) -> Option<Card> {
        let item = self.code.at_line(frame.line)?;
        let steps = self.code.exprs(item).into_iter().any(|e| matches!(method(e), Some((_, "step", _))));
        if !steps {
            return None;
        }
        let state = frame.operands.iter().find(|o| o.about.kind == Kind::State)?;
        let parameter = frame.operands.iter().find(|o| o.about.kind == Kind::Parameter && o.device != state.device)?;
        let optimizer = state.name.split(".state[").next()?;
        let text = format!("{optimizer}.load_state_dict({optimizer}.state_dict())");
        let moved = self.code.at_line(parameter.moved);
        let fix = match moved.filter(|&m| self.code.items[m].function == self.code.items[item].function) {
            Some(moved) => self.code.insert_after(moved, &text),
            None => self.code.insert_before(item, &text),
        };
        let cause = Cause::StateStayed {
            state: state.device.clone(),
            line: parameter.moved,
            parameters: parameter.device.clone(),
        };
        Some(self.card("D14", parameter.moved, cause, fix))
    }

    /// D05: a module was where it should be, until a call moved it in place.
    fn moved_module(&self, candidates: &[&Operand], meeting: &Meeting<'_>) -> Option<Card> {
        if let Some(card) = self.alias(meeting) {
            return Some(card);
        }
        let moved = candidates.iter().find(|o| {
            matches!(o.about.kind, Kind::Parameter | Kind::Buffer)
                && o.about.from.as_deref() == Some(meeting.wanted)
                && meeting.wanted != "cpu"
                && o.moved > 0
        })?;
        let (from, to) = (meeting.wanted, meeting.wrong);
        let item = self.code.at_line(moved.moved)?;
        let call = self.code.exprs(item).into_iter().find(|e| method(e).is_some_and(|(_, name, _)| is_move(name)))?;
        let receiver = method(call)?.0;
        let card = silent::alias(self.code, span(call), from, to);
        let fix = match self.code.items[item].stmt {
            Stmt::Expr(s) if span(&*s.value) == span(call) => self.move_back(item, receiver, from),
            // `model = model.cpu()`: there is no copy to be made of what is meant to stay.
            Stmt::Assign(s) if s.targets.len() == 1 && path(&s.targets[0]) == path(receiver) => {
                self.move_back(item, receiver, from)
            }
            _ => card.fix,
        };
        Some(Card { operands: self.failure.operands.to_vec(), fix, ..card })
    }

    /// Moves a module back where the program needs it.
    fn move_back(&self, moved: usize, receiver: &Expr, wanted: &str) -> Vec<Fix> {
        let name = self.code.text_of(receiver);
        let function = self.code.items[moved].function;
        // In a function the parameter's name can stand for a copy.
        if let (Some(f), Stmt::Expr(_), Some(n)) = (function, self.code.items[moved].stmt, receiver.as_name_expr())
            && is_parameter(self.code, f, n.id.as_str())
        {
            let mut fixes = silent::deep_copy(self.code, receiver);
            if let Some(last) = fixes.last_mut() {
                let indent = last.after.len() - last.after.trim_start().len();
                last.after.insert_str(indent, &format!("{name} = "));
            }
            return fixes;
        }
        for frame in self.seen.frames {
            let Some(item) = self.code.at_line(frame.line) else { continue };
            if self.code.items[item].function == function {
                let to = self.destination(item, wanted, None);
                return self.code.insert_before(item, &format!("{name}.to({to})")).into_iter().collect();
            }
        }
        Vec::new()
    }

    /// D05 under two names: the failing line calls the module by the name that was meant for the one that stayed.
    fn alias(&self, meeting: &Meeting<'_>) -> Option<Card> {
        for alias in self.seen.facts.aliases.iter().rev() {
            let pair = [alias.from.as_str(), alias.to.as_str()];
            if !pair.contains(&meeting.wrong) || !pair.contains(&meeting.wanted) {
                continue;
            }
            let item = self.code.at(alias.site)?;
            let Stmt::Assign(s) = self.code.items[item].stmt else { continue };
            let receiver = path(method(&s.value)?.0)?;
            let others: Vec<String> = targets(self.code.items[item].stmt).into_iter().filter_map(path).collect();
            let line = self.code.line(alias.site.start);
            for frame in self.seen.frames {
                let Some(at) = self.code.at_line(frame.line) else { continue };
                let named = |name: &str| {
                    self.code
                        .exprs(at)
                        .iter()
                        .any(|e| matches!(e, Expr::Name(_) | Expr::Attribute(_)) && path(e).as_deref() == Some(name))
                };
                let moved_since = || {
                    let of = |o: &&Operand| others.iter().any(|n| o.name.starts_with(&format!("{n}.")));
                    frame.operands.iter().find(of).is_some_and(|o| o.moved > 0 && o.moved != line)
                };
                if named(&receiver) || (others.iter().any(|o| named(o)) && moved_since()) {
                    let card = silent::alias(self.code, alias.site, &alias.from, &alias.to);
                    return Some(Card { operands: self.failure.operands.to_vec(), ..card });
                }
            }
        }
        None
    }

    /// D09: a loss's own tensor, or its target.
    fn loss(&self, mistake: &Mistake<'_>, candidates: &[&Operand], meeting: &Meeting<'_>) -> Option<Card> {
        let nll = matches!(mistake, Mistake::Argument { method, .. } if method.contains("nll_loss"));
        let frame = self.innermost()?;
        let weight = candidates.iter().find(|o| {
            let root = o.name.split('.').next().unwrap_or_default();
            let learns = frame
                .operands
                .iter()
                .any(|p| p.about.kind == Kind::Parameter && p.name.starts_with(&format!("{root}.")));
            o.about.kind == Kind::Buffer && !learns && (o.name.ends_with(".weight") || o.name.ends_with(".pos_weight"))
        });
        if let Some(weight) = weight {
            let (loss, part) = weight.name.rsplit_once('.')?;
            let made = self.code.assignments(loss);
            let item = *made.first()?;
            let line = self.code.line(span(self.code.items[item].stmt).start);
            let fix = match self.code.items[item].stmt {
                Stmt::Assign(s) if made.len() == 1 => {
                    let to = self.destination(item, meeting.wanted, None);
                    self.code.append(&*s.value, &format!(".to({to})"))
                }
                _ => None,
            };
            let [loss, part, on, wanted] = [loss, part, meeting.wrong, meeting.wanted].map(str::to_string);
            let cause = Cause::LossBuffer { loss, part, on, wanted };
            return Some(self.card("D09", line, cause, fix));
        }
        nll.then(|| self.moved_at_use(mistake, "D09", candidates, meeting))?
    }

    /// D08: a tensor that a function made without looking where its input is.
    fn born_here(&self, mistake: &Mistake<'_>, candidates: &[&Operand], meeting: &Meeting<'_>) -> Option<Card> {
        let code = self.code;
        let mut places: Vec<(usize, u32)> = Vec::new();
        let frame = self.innermost()?;
        let failing = code.at_line(frame.line)?;
        for o in candidates.iter().filter(|o| o.about.kind == Kind::Tensor && o.created > 0) {
            if let Some(item) = code.at_line(o.created) {
                places.push((item, o.created));
            }
        }
        places.push((failing, frame.line));
        for (item, line) in places {
            let Some(function) = code.items[item].function else { continue };
            if code.function_name(item) == Some("__init__") {
                continue;
            }
            // A tensor of the caller, on the other device, in the frame that runs this function.
            let here = |f: &&Frame| code.at_line(f.line).is_some_and(|i| code.items[i].function == Some(function));
            let Some(running) = self.seen.frames.iter().rev().find(here) else { continue };
            let there = running.operands.iter().find(|o| {
                let root = o.name.split(['.', '[']).next().unwrap_or_default();
                o.device == meeting.wanted
                    && o.about.kind == Kind::Tensor
                    && is_parameter(code, function, root)
                    && root != "self"
            });
            let in_module = code.in_module_class(item);
            if there.is_none() && !in_module {
                continue;
            }
            let Some(factory) = self.factory(item) else { continue };
            let device = match there.or_else(|| running.operands.iter().find(|o| o.device == meeting.wanted)) {
                Some(o) => format!("{}.device", o.name),
                None if in_module => "next(self.parameters()).device".to_string(),
                None => continue,
            };
            let Expr::Call(call) = factory else { continue };
            let end = span(&call.arguments).end - 1;
            let comma = if call.arguments.is_empty() { "" } else { ", " };
            let fix = code.edit(vec![(Span { start: end, end }, format!("{comma}device={device}"))]);
            let cause = Cause::BornHere { wanted: meeting.wanted.to_string() };
            return Some(self.card("D08", line, cause, fix));
        }
        matches!(mistake, Mistake::Argument { method, .. } if method.ends_with("_cat"))
            .then(|| self.moved_at_use(mistake, "D08", candidates, meeting))?
    }

    /// A call of a statement that makes a tensor and names no device.
    fn factory(&self, item: usize) -> Option<&'a Expr> {
        const MAKERS: [&str; 14] = [
            "zeros",
            "ones",
            "empty",
            "full",
            "arange",
            "linspace",
            "logspace",
            "eye",
            "rand",
            "randn",
            "randint",
            "randperm",
            "tensor",
            "as_tensor",
        ];
        self.code.exprs(item).into_iter().find(|e| {
            let Some(call) = e.as_call_expr() else { return false };
            let named = call.arguments.keywords.iter().any(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "device"));
            let makes = self
                .code
                .call_path(&call.func)
                .is_some_and(|p| p.strip_prefix("torch.").is_some_and(|f| MAKERS.contains(&f)));
            makes && !named
        })
    }
}
