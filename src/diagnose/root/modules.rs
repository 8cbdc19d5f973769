//! Modules: what they do not know of, what an optimizer is given of them, and their wrappers.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::{Meeting, Place};
use crate::diagnose::code::{is_move, method, path, span};
use crate::diagnose::silent;
use crate::diagnose::text::Mistake;
use crate::diagnose::{Card, Cause, Fix, Operand};

impl Place<'_> {
    /// D06 and D07: what a module holds in plain attributes.
    pub(super) fn hidden(&self, candidates: &[&Operand], meeting: &Meeting<'_>) -> Option<Card> {
        for frame in self.seen.frames.iter().rev() {
            for hidden in &frame.hidden {
                let same = |o: &&&Operand| {
                    o.about.storage == hidden.operand.about.storage && o.device == hidden.operand.device
                };
                // Where the line takes a part of the attribute, the part has no name of its own.
                let named = || {
                    let item = self.code.at_line(frame.line);
                    hidden.operand.device == meeting.wrong
                        && candidates.is_empty()
                        && item.is_some_and(|i| {
                            self.code.exprs(i).iter().any(|e| path(e).as_deref() == Some(&hidden.attribute))
                        })
                };
                if (candidates.iter().any(|o| same(&o)) || named())
                    && let Some(card) = self.plain_attribute(&hidden.attribute, hidden.in_module)
                {
                    return Some(card);
                }
            }
        }
        None
    }

    fn plain_attribute(&self, attribute: &str, in_module: bool) -> Option<Card> {
        let code = self.code;
        let name = attribute.strip_prefix("self.")?;
        let sets: Vec<usize> = code.assignments(attribute).into_iter().filter(|&i| code.in_module_class(i)).collect();
        let &item = sets.iter().find(|&&i| code.function_name(i) == Some("__init__")).or(sets.first())?;
        let line = code.line(span(code.items[item].stmt).start);
        let value = match code.items[item].stmt {
            Stmt::Assign(s) if s.targets.len() == 1 => Some(&*s.value),
            Stmt::AnnAssign(s) => s.value.as_deref(),
            _ => None,
        };
        let parameters = value.is_some_and(|v| code.text_of(v).contains("Parameter("));
        if in_module || parameters {
            let fix = value.and_then(|value| self.registered(value, parameters && !in_module));
            let attribute = attribute.to_string();
            let cause = match in_module {
                true => Cause::LayersUnregistered { attribute },
                false => Cause::ParametersUnregistered { attribute },
            };
            return Some(self.card("D06", line, cause, fix));
        }
        if code.function_name(item) != Some("__init__") {
            return None;
        }
        let fix = value
            .filter(|v| !matches!(v, Expr::List(_) | Expr::ListComp(_) | Expr::Dict(_) | Expr::Tuple(_)))
            .and_then(|value| {
                let text = format!("self.register_buffer(\"{name}\", {})", code.text_of(value));
                code.edit(vec![(span(code.items[item].stmt), text)])
            });
        Some(self.card("D07", line, Cause::PlainAttribute { attribute: attribute.to_string() }, fix))
    }

    /// A container that registers what is in it.
    fn registered(&self, value: &Expr, parameters: bool) -> Option<Fix> {
        let kind = if parameters { "Parameter" } else { "Module" };
        let shape = if matches!(value, Expr::Dict(_) | Expr::DictComp(_)) { "Dict" } else { "List" };
        let nn = if self.code.source.contains("import torch.nn as nn")
            || self.code.source.contains("from torch import nn")
        {
            "nn"
        } else {
            "torch.nn"
        };
        let whole = span(value);
        self.code.edit(vec![(whole, format!("{nn}.{kind}{shape}({})", self.code.text(whole)))])
    }

    pub(super) fn no_parameters(&self) -> Option<Card> {
        let code = self.code;
        // Layers, or parameters, in a plain container of a module.
        for (i, item) in code.items.iter().enumerate() {
            let Stmt::Assign(s) = item.stmt else { continue };
            let Some(attribute) = s.targets.first().and_then(path).filter(|p| p.starts_with("self.")) else { continue };
            if !code.in_module_class(i) {
                continue;
            }
            let parameter = code.exprs(i).iter().find_map(|e| match method(e) {
                Some((Expr::Call(c), name, _))
                    if is_move(name) && code.call_path(&c.func).is_some_and(|p| p.ends_with("Parameter")) =>
                {
                    Some(())
                }
                _ => None,
            });
            if parameter.is_some() {
                let card = silent::grad_of_moved(code, code.line(span(item.stmt).start), "cuda:0", &[], 0);
                return Some(Card { operands: Vec::new(), ..card });
            }
            let container = matches!(
                &*s.value,
                Expr::List(_) | Expr::ListComp(_) | Expr::Dict(_) | Expr::DictComp(_) | Expr::Tuple(_)
            );
            let appended = code.calls().into_iter().any(|(_, c)| {
                matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "append" && path(&a.value).as_ref() == Some(&attribute))
            });
            let empty = matches!(&*s.value, Expr::List(l) if l.elts.is_empty());
            let modules = code.text_of(&*s.value).contains('(');
            if container && (modules || (empty && appended)) {
                return self.plain_attribute(&attribute, !code.text_of(&*s.value).contains("Parameter("));
            }
        }
        None
    }

    pub(super) fn non_leaf(&self) -> Option<Card> {
        let frame = self.innermost()?;
        let moved = frame.operands.iter().find(|o| o.about.made_by.as_deref() == Some("ToCopyBackward0"));
        if let Some(o) = moved.filter(|o| o.created > 0) {
            let card = silent::grad_of_moved(self.code, o.created, &o.device, &o.shape, o.bytes);
            return Some(Card { operands: vec![o.clone()], ..card });
        }
        let made = frame.operands.iter().find(|o| o.about.made_by.is_some());
        made.map(|o| {
            let cause = Cause::ResultNotLeaf { name: o.name.clone() };
            self.card("D13", if o.created > 0 { o.created } else { frame.line }, cause, None)
        })
    }

    /// D26: `DataParallel` over a module that is not on its first device.
    pub(super) fn replica(&self, mistake: &Mistake<'_>) -> Option<Card> {
        for (_, c) in self.code.calls() {
            if self
                .code
                .call_path(&c.func)
                .is_some_and(|p| p.ends_with("DataParallel") && !p.ends_with("DistributedDataParallel"))
            {
                let module = c.arguments.args.first()?;
                let line = self.code.line(span(c).start);
                return Some(self.plain(mistake, "D26", line, self.code.append(module, ".to(\"cuda:0\")")));
            }
        }
        None
    }

    pub(super) fn replica_ids(&self, mistake: &Mistake<'_>) -> Option<Card> {
        if *mistake != Mistake::ReplicaIds {
            return None;
        }
        for (_, c) in self.code.calls() {
            if self.code.call_path(&c.func).is_some_and(|p| p.ends_with("DistributedDataParallel")) {
                let module = c.arguments.args.first()?;
                let ids =
                    c.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "device_ids"));
                let id = match ids.map(|k| &k.value) {
                    Some(Expr::List(l)) => l.elts.first().map(|e| self.code.text_of(e)),
                    _ => None,
                };
                let line = self.code.line(span(c).start);
                return Some(self.plain(
                    mistake,
                    "D27",
                    line,
                    self.code.append(module, &format!(".to({})", id.unwrap_or("0"))),
                ));
            }
        }
        None
    }

    /// D26: a checkpoint saved from, or loaded into, the wrapper.
    pub(super) fn state_keys(&self, mistake: &Mistake<'_>, wrapped: bool) -> Option<Card> {
        let frame = self.innermost()?;
        let item = self.code.at_line(frame.line)?;
        for e in self.code.exprs(item) {
            let Some((model, "load_state_dict", arguments)) = method(e) else { continue };
            let fix = if wrapped {
                let state = arguments.args.first()?;
                let text = self.code.text_of(state);
                self.code
                    .edit(vec![(span(state), format!("{{k.removeprefix(\"module.\"): v for k, v in {text}.items()}}"))])
            } else {
                self.code.append(model, ".module")
            };
            return Some(self.plain(mistake, "D26", frame.line, fix));
        }
        None
    }
}
