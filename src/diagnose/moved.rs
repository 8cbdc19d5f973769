//! The edit for something that should have been moved. It moves it where it is used, or where it is made.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::code::{is_load, path, span, targets};
use super::facts::Span;
use super::line::is_changed_in_place;
use super::place::Place;
use super::{Card, Fix, Frame, Kind, Operand};

impl Place<'_> {
    /// The message's card, with the edit that moves whatever is on the wrong device.
    pub(super) fn moved(&self, text: &Card) -> Option<Card> {
        let met = self.met.as_ref()?;
        self.moved_at_use(text, &self.candidates(met), met.sides())
    }

    /// Moves the tensors in the outermost function that has them under a name and uses them. `sides`: the device where they
    /// are, and the one where they should be.
    pub(super) fn moved_at_use(&self, text: &Card, candidates: &[&Operand], sides: (&str, &str)) -> Option<Card> {
        let (wrong, wanted) = sides;
        let tensors: Vec<&Operand> = candidates.iter().copied().filter(|o| o.about.kind == Kind::Tensor).collect();
        let Some(culprit) = tensors.first() else { return self.module_stayed(text, candidates, wanted) };
        let depth = self.climb(culprit);
        let frame = &self.seen.frames[depth];
        let item = self.code.at_line(frame.line)?;
        let at_fault: Vec<&Operand> = if depth + 1 == self.seen.frames.len() {
            tensors
        } else {
            frame.operands.iter().filter(|o| o.device == wrong && o.about.kind == Kind::Tensor).collect()
        };
        let there = frame.operands.iter().find(|o| {
            o.device == wanted
                && o.about.kind == Kind::Tensor
                && self.code.exprs(item).iter().any(|e| path(e).as_deref() == Some(&o.name))
        });
        let to = self.destination(item, wanted, there);
        let fix = self
            .in_place_target(item, &at_fault, there)
            .unwrap_or_else(|| self.move_all(item, frame, &at_fault, wrong, &to));
        Some(text.at(frame.line, fix))
    }

    /// The index of the frame of the outermost function that has the tensor under its own name.
    pub(super) fn climb(&self, culprit: &Operand) -> usize {
        let frames = self.seen.frames;
        let mut depth = frames.len() - 1;
        let mut name = culprit.name.as_str();
        while depth > 0 {
            let Some(item) = self.code.at_line(frames[depth].line) else { break };
            let root = name.split(['.', '[']).next().unwrap_or(name);
            let given =
                self.code.items[item].function.is_some_and(|f| root != "self" && self.code.is_parameter(f, root));
            let outer = frames[depth - 1].operands.iter().find(|o| o.about.storage == culprit.about.storage);
            match outer {
                Some(o) if given => name = &o.name,
                _ => break,
            }
            depth -= 1;
        }
        depth
    }

    /// If the wrong tensor is changed in place, its device is fixed and the other tensor must move.
    fn in_place_target(&self, item: usize, at_fault: &[&Operand], there: Option<&Operand>) -> Option<Option<Fix>> {
        let [tensor] = at_fault else { return None };
        let text = self.code.text_of(self.code.items[item].stmt);
        let fixed = text.lines().any(|line| is_changed_in_place(line, &tensor.name));
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

    fn move_all(&self, item: usize, frame: &Frame, at_fault: &[&Operand], wrong: &str, to: &str) -> Option<Fix> {
        let code = self.code;
        let first = at_fault.first()?;
        let root = first.name.split(['.', '[']).next()?;
        // For the variable of a loop: moves it at the top of the body, together with the loop's other variables.
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
                if whole.clone().all(|o| o.device == wrong) && whole.count() > 0 {
                    return insert(&format!("{root} = {{k: v.to({to}) for k, v in {root}.items()}}"));
                }
            } else if first.name == root && !code.items[item].stmt.is_for_stmt() {
                let names: Vec<String> = of(origin)
                    .into_iter()
                    .filter(|n| {
                        n == root
                            || frame.tensors.iter().any(|o| o.name == *n && o.device == wrong)
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

    /// The parameters were never moved: moves their module where it is made.
    fn module_stayed(&self, text: &Card, candidates: &[&Operand], wanted: &str) -> Option<Card> {
        let parameter = candidates.iter().find(|o| matches!(o.about.kind, Kind::Parameter | Kind::Buffer));
        // The outermost frame that names the module to which this parameter belongs.
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
            return Some(text.clone());
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
                    let to = self.destination(one, wanted, None);
                    self.code.append(&*s.value, &format!(".to({to})"))
                }
                _ => None,
            },
            _ => None,
        };
        let to = || self.destination(item, wanted, None);
        let fix = fix.or_else(|| self.code.insert_before(item, &format!("{module}.to({})", to())));
        Some(text.at(frame.line, fix))
    }
}
