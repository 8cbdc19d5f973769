//! From the line that failed to the line that is at fault, through the learner's frames and what was seen before.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::code::{Code, is_load, is_move, method, path, span, targets};
use super::facts::Span;
use super::silent::{self, is_parameter};
use super::source::device_variable;
use super::text::{self, Mistake};
use super::{Card, Failure, Fix, Frame, Kind, Operand, Seen, diagnose, lesson};
use crate::trace::Clue;

/// The card of the error that ended a program.
pub fn card(code: &Code<'_>, seen: &Seen<'_>, failure: &Failure<'_>, silent: &[Card]) -> Option<Card> {
    let Some(mistake) = text::recognise(failure.class, failure.message) else {
        return consequence(seen, failure, silent);
    };
    let at = Place { code, seen, failure };
    at.find(&mistake).or_else(|| diagnose(failure))
}

/// An error of Python's own that a silent mistake has led to: `None` where a gradient was expected, an assertion about a
/// device.
fn consequence(seen: &Seen<'_>, failure: &Failure<'_>, silent: &[Card]) -> Option<Card> {
    let line = failure.line?;
    let led = |clue: &&Clue| match clue {
        Clue::GradOfMoved { line: at, .. } => *at == line && matches!(failure.class, "TypeError" | "AttributeError"),
        Clue::DevicesCompared { line: at, .. } => *at == line && failure.class == "AssertionError",
        _ => false,
    };
    let clue = seen.facts.clues.iter().find(led)?;
    let (rule, at) = match clue {
        Clue::GradOfMoved { created, .. } => ("D13", *created),
        _ => ("D19", line),
    };
    silent.iter().find(|card| card.rule == rule && card.line == at).cloned()
}

struct Place<'a> {
    code: &'a Code<'a>,
    seen: &'a Seen<'a>,
    failure: &'a Failure<'a>,
}

/// Two devices that met: what is on `wrong` should be on `wanted`.
struct Meeting<'a> {
    wrong: &'a str,
    wanted: &'a str,
    /// Tensors without dimensions on the CPU are allowed.
    elementwise: bool,
}

impl<'a> Place<'a> {
    fn find(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let elementwise = matches!(mistake, Mistake::Mixed { .. });
        match *mistake {
            Mistake::Mixed { first: a, second: b } | Mistake::Argument { on: a, common: b, .. } => {
                let (wrong, wanted) = if a == "cpu" || (b != "cpu" && !elementwise) { (a, b) } else { (b, a) };
                self.met(mistake, &Meeting { wrong, wanted, elementwise })
            }
            Mistake::Convolution { input: a, other: b, .. } => self.met_pair(mistake, a, b),
            Mistake::Recurrent { input: a, other: b, .. } => self.met_pair(mistake, a, b),
            Mistake::Index { indexed } => self.index(mistake, indexed),
            Mistake::Numpy { .. } | Mistake::NumpyGrad => self.numpy(mistake),
            Mistake::NoCuda { .. } => self.no_cuda(mistake),
            Mistake::UnknownDevice { name } => self.device_text(mistake, name),
            Mistake::Ordinal => self.ordinal(mistake),
            Mistake::OutOfMemory { .. } => self.out_of_memory(),
            Mistake::NoParameters => self.no_parameters(),
            Mistake::NonLeaf => self.non_leaf(),
            Mistake::Checkpoint { fewer } => self.checkpoint(mistake, fewer),
            Mistake::Pin => self.pin(mistake),
            Mistake::Fork => self.fork(mistake),
            Mistake::Generator { wanted, .. } => self.generator(mistake, wanted),
            Mistake::DeviceAssert => self.device_assert(),
            Mistake::Replica { .. } => self.replica(mistake),
            Mistake::StateKeys { wrapped } => self.state_keys(mistake, wrapped),
            Mistake::LegacyConstructor => self.legacy(mistake),
            Mistake::NoProcessGroup | Mistake::MalformedDevice { .. } | Mistake::ReplicaIds => {
                self.replica_ids(mistake)
            }
        }
    }

    fn met_pair(&self, mistake: &Mistake<'_>, a: &str, b: &str) -> Option<Card> {
        let (wrong, wanted) = if a == "cpu" { (a, b) } else { (b, a) };
        self.met(mistake, &Meeting { wrong, wanted, elementwise: false })
    }

    // ---- tools -------------------------------------------------------------------------------------------------------

    fn innermost(&self) -> Option<&'a Frame> {
        self.seen.frames.last()
    }

    fn card(&self, rule: &str, line: u32, cause: String, fix: Option<Fix>) -> Card {
        self.card_with(rule, line, cause, fix.into_iter().collect())
    }

    fn card_with(&self, rule: &str, line: u32, cause: String, fix: Vec<Fix>) -> Card {
        let operands = self.failure.operands.to_vec();
        Card { rule: rule.into(), line, cause, operands, fix, lesson: lesson(rule).map(str::to_string) }
    }

    /// The card that the text alone gives, at another line and with another edit.
    fn plain(&self, mistake: &Mistake<'_>, rule: &str, line: u32, fix: Option<Fix>) -> Card {
        self.card(rule, line, super::cause::sentence(mistake, rule, self.failure), fix)
    }

    /// Tensors of the failing line that can be at fault.
    fn candidates(&self, meeting: &Meeting<'_>) -> Vec<&'a Operand> {
        let Some(frame) = self.innermost() else { return Vec::new() };
        let allowed = |o: &&Operand| meeting.elementwise && o.shape.is_empty() && meeting.wrong == "cpu";
        frame.operands.iter().filter(|o| o.device == meeting.wrong && !allowed(o)).collect()
    }

    /// How to write a device in a statement: a variable that holds it, a tensor that is there, or its name.
    fn destination(&self, item: usize, wanted: &str, there: Option<&Operand>) -> String {
        let line = self.code.line(span(self.code.items[item].stmt).start);
        if wanted.starts_with("cuda") {
            if let Some(function) = self.code.items[item].function
                && let Some(name) = ["device", "dev"].into_iter().find(|name| is_parameter(self.code, function, name))
            {
                return name.to_string();
            }
            if let Some(name) = device_variable(self.code.source, line) {
                return name.to_string();
            }
        }
        match there {
            Some(operand) if operand.about.kind == Kind::Tensor => format!("{}.device", operand.name),
            _ => format!("\"{}\"", if wanted == "cuda:0" { "cuda" } else { wanted }),
        }
    }

    // ---- two devices -------------------------------------------------------------------------------------------------

    fn met(&self, mistake: &Mistake<'_>, meeting: &Meeting<'_>) -> Option<Card> {
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
            let fits =
                |l: &&super::facts::LostMove| l.operand.device == meeting.wrong && l.to == meeting.wanted && !l.timed;
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
        let cause = format!(
            "The optimizer made its state on {} at its first step; line {} moved the parameters to {} later, and a module's move does not take an optimizer's state along.",
            state.device, parameter.moved, parameter.device
        );
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

    /// D06 and D07: what a module holds in plain attributes.
    fn hidden(&self, candidates: &[&Operand], meeting: &Meeting<'_>) -> Option<Card> {
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
            let cause = format!(
                "`{attribute}` is a plain Python container: its {} are not registered, so `Module.to` and `parameters()` pass them by.",
                if in_module { "layers" } else { "parameters" }
            );
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
        let cause =
            format!("`{attribute}` is a plain attribute: `Module.to` moves parameters and buffers, and nothing else.");
        Some(self.card("D07", line, cause, fix))
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
            let cause = format!(
                "`{loss}` keeps its `{part}` as a buffer on {}, and the predictions are on {}: a loss is a module and is moved like one.",
                meeting.wrong, meeting.wanted
            );
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
            let cause = format!(
                "This line makes a tensor on the CPU, and what the function is given is on {}: create it there, with `device=`.",
                meeting.wanted
            );
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

    /// D01, D02, D03 and their like: something was not moved.
    fn stayed(&self, mistake: &Mistake<'_>, candidates: &[&Operand], meeting: &Meeting<'_>) -> Option<Card> {
        let rule = mistake.rule(self.failure);
        let rule = if rule == "D07" { "D01" } else { rule };
        self.moved_at_use(mistake, rule, candidates, meeting)
    }

    /// Moves the tensors at fault where the outermost function uses them that has them by name.
    fn moved_at_use(
        &self,
        mistake: &Mistake<'_>,
        rule: &str,
        candidates: &[&Operand],
        meeting: &Meeting<'_>,
    ) -> Option<Card> {
        let tensors: Vec<&Operand> = candidates.iter().copied().filter(|o| o.about.kind == Kind::Tensor).collect();
        let Some(culprit) = tensors.first() else { return self.module_stayed(mistake, rule, candidates, meeting) };
        let depth = self.climb(culprit);
        let frame = &self.seen.frames[depth];
        let item = self.code.at_line(frame.line)?;
        let at_fault: Vec<&Operand> = if depth + 1 == self.seen.frames.len() {
            tensors
        } else {
            frame.operands.iter().filter(|o| o.device == meeting.wrong && o.about.kind == Kind::Tensor).collect()
        };
        let there = frame.operands.iter().find(|o| {
            o.device == meeting.wanted
                && o.about.kind == Kind::Tensor
                && self.code.exprs(item).iter().any(|e| path(e).as_deref() == Some(&o.name))
        });
        let to = self.destination(item, meeting.wanted, there);
        let fix = self
            .in_place_target(item, &at_fault, there)
            .unwrap_or_else(|| self.move_all(item, frame, &at_fault, meeting, &to));
        Some(self.plain(mistake, rule, frame.line, fix))
    }

    /// The frame, by index, of the outermost function that has the tensor by a name of its own.
    fn climb(&self, culprit: &Operand) -> usize {
        let frames = self.seen.frames;
        let mut depth = frames.len() - 1;
        let mut name = culprit.name.as_str();
        while depth > 0 {
            let Some(item) = self.code.at_line(frames[depth].line) else { break };
            let root = name.split(['.', '[']).next().unwrap_or(name);
            let given =
                self.code.items[item].function.is_some_and(|f| root != "self" && is_parameter(self.code, f, root));
            let outer = frames[depth - 1].operands.iter().find(|o| o.about.storage == culprit.about.storage);
            match outer {
                Some(o) if given => name = &o.name,
                _ => break,
            }
            depth -= 1;
        }
        depth
    }

    /// Where the tensor at fault is changed in place, its device is fixed and the other one comes.
    fn in_place_target(&self, item: usize, at_fault: &[&Operand], there: Option<&Operand>) -> Option<Option<Fix>> {
        let [tensor] = at_fault else { return None };
        let text = self.code.text_of(self.code.items[item].stmt);
        let fixed = text.lines().any(|line| super::source::is_changed_in_place(line, &tensor.name));
        if !fixed {
            return None;
        }
        let other = there?;
        let reads: Vec<&Expr> = self
            .code
            .exprs(item)
            .into_iter()
            .filter(|e| is_load(e) && path(e).as_deref() == Some(&other.name))
            .collect();
        let [read] = reads[..] else { return Some(None) };
        Some(self.code.append(read, &format!(".to({}.device)", tensor.name)))
    }

    fn move_all(
        &self,
        item: usize,
        frame: &Frame,
        at_fault: &[&Operand],
        meeting: &Meeting<'_>,
        to: &str,
    ) -> Option<Fix> {
        let code = self.code;
        let first = at_fault.first()?;
        let root = first.name.split(['.', '[']).next()?;
        // The variable of a loop: at the top of a turn, together with the others that come with it.
        let loops: Vec<usize> = std::iter::successors(code.items[item].looped, |&l| code.items[l].looped).collect();
        let of = |i: usize| -> Vec<String> { targets(code.items[i].stmt).into_iter().filter_map(path).collect() };
        let origin = loops.iter().copied().find(|&l| of(l).iter().any(|t| t == root)).or_else(|| {
            let made = code.assignments(root);
            let [made] = made[..] else { return None };
            let tuple = of(made).len() > 1 && code.items[made].function == code.items[item].function;
            let before = span(code.items[made].stmt).end <= span(code.items[item].stmt).start;
            (tuple && before && matches!(code.items[made].stmt, Stmt::Assign(_))).then_some(made)
        });
        if let Some(origin) = origin {
            let insert = |text: &str| match code.items[origin].stmt {
                Stmt::For(_) => code.insert_first(origin, text),
                _ => code.insert_after(origin, text),
            };
            if first.name.contains("['") {
                let whole = frame.operands.iter().filter(|o| o.name.starts_with(&format!("{root}['")));
                if whole.clone().all(|o| o.device == meeting.wrong) && whole.count() > 0 {
                    return insert(&format!("{root} = {{k: v.to({to}) for k, v in {root}.items()}}"));
                }
            } else if first.name == root && !code.items[item].stmt.is_for_stmt() {
                let names: Vec<String> = of(origin)
                    .into_iter()
                    .filter(|n| {
                        n == root
                            || frame.tensors.iter().any(|o| o.name == *n && o.device == meeting.wrong)
                                && code.read_after_or_in(item, n)
                    })
                    .collect();
                let self_named = to.strip_suffix(".device").is_some_and(|n| names.iter().any(|m| m == n));
                if !self_named && to.strip_suffix(".device").is_none() {
                    let values: Vec<String> = names.iter().map(|n| format!("{n}.to({to})")).collect();
                    return insert(&format!("{} = {}", names.join(", "), values.join(", ")));
                }
            }
        }
        let mut pieces = Vec::new();
        for operand in at_fault {
            let reads: Vec<&Expr> = code
                .exprs(item)
                .into_iter()
                .filter(|e| is_load(e) && path(e).as_deref() == Some(&operand.name))
                .collect();
            match reads[..] {
                [] => {}
                [read] => {
                    let end = span(read).end;
                    pieces.push((Span { start: end, end }, format!(".to({to})")));
                }
                _ => return code.insert_before(item, &format!("{0} = {0}.to({to})", operand.name)),
            }
        }
        code.edit(pieces)
    }

    /// The parameters at fault were never moved: their module is, where it is made.
    fn module_stayed(
        &self,
        mistake: &Mistake<'_>,
        rule: &str,
        candidates: &[&Operand],
        meeting: &Meeting<'_>,
    ) -> Option<Card> {
        let parameter = candidates.iter().find(|o| matches!(o.about.kind, Kind::Parameter | Kind::Buffer));
        // The outermost frame that names a module whose parameter this is.
        let found = parameter.and_then(|parameter| {
            self.seen.frames.iter().find_map(|frame| {
                let o = frame
                    .operands
                    .iter()
                    .find(|o| o.about.storage == parameter.about.storage && !o.name.starts_with("self."))?;
                Some((frame, o.name.split('.').next()?.to_string()))
            })
        });
        let Some((frame, module)) = found else {
            let mut card = diagnose(self.failure)?;
            card.rule = rule.into();
            return Some(card);
        };
        let item = self.code.at_line(frame.line)?;
        let made = self.code.assignments(&module);
        let fix = match made[..] {
            [one] => match self.code.items[one].stmt {
                Stmt::Assign(s)
                    if s.value.is_call_expr()
                        && s.targets.len() == 1
                        && path(&s.targets[0]).as_ref() == Some(&module) =>
                {
                    let to = self.destination(one, meeting.wanted, None);
                    self.code.append(&*s.value, &format!(".to({to})"))
                }
                _ => None,
            },
            _ => None,
        };
        let to = || self.destination(item, meeting.wanted, None);
        let fix = fix.or_else(|| self.code.insert_before(item, &format!("{module}.to({})", to())));
        Some(self.plain(mistake, rule, frame.line, fix))
    }

    // ---- the other errors ----------------------------------------------------------------------------------------------

    fn index(&self, mistake: &Mistake<'_>, indexed: &str) -> Option<Card> {
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
        Some(self.plain(mistake, "D10", frame.line, super::fix::find(mistake, "D10", self.failure)))
    }

    fn call_end(&self, expr: &Expr) -> Option<usize> {
        expr.is_call_expr().then(|| span(expr).end)
    }

    fn numpy(&self, mistake: &Mistake<'_>) -> Option<Card> {
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

    /// Every place that asks for a GPU without asking whether there is one.
    fn no_cuda(&self, mistake: &Mistake<'_>) -> Option<Card> {
        const AGNOSTIC: &str = "\"cuda\" if torch.cuda.is_available() else \"cpu\"";
        let code = self.code;
        let mut pieces: Vec<(Span, String)> = Vec::new();
        for i in 0..code.items.len() {
            let exprs = code.exprs(i);
            if exprs.iter().any(|e| matches!(e, Expr::Attribute(a) if a.attr.as_str() == "is_available")) {
                continue;
            }
            for e in &exprs {
                match e {
                    Expr::StringLiteral(s) if matches!(s.value.to_str(), "cuda" | "cuda:0") => {
                        let compared =
                            exprs.iter().any(|o| matches!(o, Expr::Compare(_)) && span(*o).contains(span(*e)));
                        if !compared && !pieces.iter().any(|(p, _)| *p == span(*e)) {
                            let whole = span(*e);
                            let before = code.source[..whole.start].trim_end();
                            let after = code.source[whole.end..].trim_start_matches(' ');
                            let bare = before.ends_with(['(', ',', '='])
                                && (after.is_empty() || after.starts_with([')', ',', '#', '\n', '\r']));
                            pieces.push((whole, if bare { AGNOSTIC.into() } else { format!("({AGNOSTIC})") }));
                        }
                    }
                    _ => {
                        if let Some((_, "cuda", arguments)) = method(e)
                            && arguments.is_empty()
                        {
                            pieces.push((code.tail(e)?, format!(".to({AGNOSTIC})")));
                        }
                    }
                }
            }
        }
        pieces.sort_by_key(|(place, _)| *place);
        let failing = self.innermost().map(|f| f.line).or(self.failure.line)?;
        let lines: Vec<u32> = pieces.iter().map(|(place, _)| code.line(place.start)).collect();
        let line = if lines.contains(&failing) { failing } else { lines.first().copied().unwrap_or(failing) };
        // One edit a line.
        let mut fixes: Vec<Fix> = Vec::new();
        for &l in &lines {
            if fixes.iter().all(|f| f.line != l) {
                let here = pieces.iter().filter(|(place, _)| code.line(place.start) == l).cloned().collect();
                fixes.extend(code.edit(here));
            }
        }
        let cause = super::cause::sentence(mistake, "D17", self.failure);
        Some(self.card_with("D17", line, cause, if fixes.len() <= 8 { fixes } else { Vec::new() }))
    }

    /// The string literals of the program that a test answers, those of the failing line first.
    fn literal(&self, replace: impl Fn(&str) -> Option<String>) -> Option<(u32, Fix)> {
        let failing = self.innermost().map(|f| f.line).or(self.failure.line)?;
        let mut order: Vec<usize> = self.code.at_line(failing).into_iter().collect();
        order.extend(0..self.code.items.len());
        for item in order {
            for e in self.code.exprs(item) {
                let Expr::StringLiteral(s) = e else { continue };
                if let Some(text) = replace(s.value.to_str()) {
                    return Some((
                        self.code.line(span(e).start),
                        self.code.edit(vec![(span(e), format!("\"{text}\""))])?,
                    ));
                }
            }
        }
        None
    }

    fn device_text(&self, mistake: &Mistake<'_>, name: &str) -> Option<Card> {
        let meant = match name.to_ascii_lowercase().as_str() {
            "gpu" | "nvidia" | "cuda" => "cuda",
            "cpu" => "cpu",
            "metal" | "mps" => "mps",
            _ => return None,
        };
        let found = self.literal(|text| {
            let rest = text.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(':')).then(|| format!("{meant}{rest}"))
        });
        let (line, fix) = found?;
        Some(self.plain(mistake, "D18", line, Some(fix)))
    }

    fn ordinal(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let beyond = |text: &str| {
            let index = text.strip_prefix("cuda:")?;
            (index != "0" && index.bytes().all(|b| b.is_ascii_digit())).then(|| "cuda:0".to_string())
        };
        if let Some((line, fix)) = self.literal(beyond) {
            return Some(self.plain(mistake, "D18", line, Some(fix)));
        }
        let failing = self.innermost()?.line;
        let mut order: Vec<usize> = self.code.at_line(failing).into_iter().collect();
        order.extend(0..self.code.items.len());
        for item in order {
            for e in self.code.exprs(item) {
                let Expr::Call(c) = e else { continue };
                let name = self.code.call_path(&c.func).unwrap_or_default();
                let takes = name == "torch.device"
                    || name.ends_with(".set_device")
                    || matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "cuda");
                let number =
                    c.arguments.args.iter().find(|a| a.is_number_literal_expr() && self.code.text_of(*a) != "0");
                if let (true, Some(number)) = (takes, number) {
                    let fix = self.code.edit(vec![(span(number), "0".into())]);
                    return Some(self.plain(mistake, "D18", self.code.line(span(number).start), fix));
                }
            }
        }
        None
    }

    fn out_of_memory(&self) -> Option<Card> {
        let code = self.code;
        // D22: tried again while the exception, and with it the frames that hold the memory, is alive.
        if self.seen.again {
            for frame in self.seen.frames {
                let Some(item) = code.at_line(frame.line) else { continue };
                if let Some(handler) = code.items[item].handler {
                    let cause = "The second try runs inside `except`: until that block ends, the exception keeps the frames of the first try alive, and with them its tensors.";
                    return Some(self.card("D22", frame.line, cause.into(), self.retry_outside(handler)));
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
        let cause = "`eval()` changes layers, not the recording of graphs: every activation of this evaluation is kept for a backward pass that never comes.";
        Some(self.card("D21", frame.line, cause.into(), fix))
    }

    fn no_parameters(&self) -> Option<Card> {
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

    fn non_leaf(&self) -> Option<Card> {
        let frame = self.innermost()?;
        let moved = frame.operands.iter().find(|o| o.about.made_by.as_deref() == Some("ToCopyBackward0"));
        if let Some(o) = moved.filter(|o| o.created > 0) {
            let card = silent::grad_of_moved(self.code, o.created, &o.device, &o.shape, o.bytes);
            return Some(Card { operands: vec![o.clone()], ..card });
        }
        let made = frame.operands.iter().find(|o| o.about.made_by.is_some());
        made.map(|o| {
            let cause =
                format!("`{}` is the result of an operation; an optimizer takes the leaf that it came from.", o.name);
            self.card("D13", if o.created > 0 { o.created } else { frame.line }, cause, None)
        })
    }

    fn checkpoint(&self, mistake: &Mistake<'_>, fewer: bool) -> Option<Card> {
        let to = if fewer { "\"cuda:0\"" } else { "\"cpu\"" };
        for frame in self.seen.frames.iter().rev() {
            let item = self.code.at_line(frame.line)?;
            for e in self.code.exprs(item) {
                let Expr::Call(c) = e else { continue };
                if self.code.call_path(&c.func).as_deref() != Some("torch.load") {
                    continue;
                }
                let rule = if fewer { "D16" } else { "D15" };
                let known =
                    c.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "map_location"));
                let fix = match known {
                    Some(keyword) => self.code.edit(vec![(span(&keyword.value), to.into())]),
                    None => {
                        let end = span(&c.arguments).end - 1;
                        self.code.edit(vec![(Span { start: end, end }, format!(", map_location={to}"))])
                    }
                };
                return Some(self.plain(mistake, rule, frame.line, fix));
            }
        }
        None
    }

    fn pin(&self, mistake: &Mistake<'_>) -> Option<Card> {
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
    fn fork(&self, mistake: &Mistake<'_>) -> Option<Card> {
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

    /// D28: the generator, where it is made.
    fn generator(&self, mistake: &Mistake<'_>, wanted: &str) -> Option<Card> {
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
    fn device_assert(&self) -> Option<Card> {
        let clue = self.seen.facts.clues.iter().find_map(|clue| match clue {
            Clue::OutOfBounds { line, index, size } => Some((*line, *index, *size)),
            _ => None,
        })?;
        let (line, index, size) = clue;
        let cause = format!(
            "The kernel launched in line {line} met index {index}, and only 0 to {} exist: the error is reported where the program next waits for the GPU.",
            size.saturating_sub(1)
        );
        Some(self.card("D29", line, cause, None))
    }

    /// D26: `DataParallel` over a module that is not on its first device.
    fn replica(&self, mistake: &Mistake<'_>) -> Option<Card> {
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

    fn replica_ids(&self, mistake: &Mistake<'_>) -> Option<Card> {
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
    fn state_keys(&self, mistake: &Mistake<'_>, wrapped: bool) -> Option<Card> {
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

    /// D30: the constructors of before 0.4.
    fn legacy(&self, mistake: &Mistake<'_>) -> Option<Card> {
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
