//! D04: `.to()` made a copy, and nothing keeps it.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, is_move, method, path, span, targets};
use crate::diagnose::facts::{LostMove, Span};
use crate::diagnose::place::Place;
use crate::diagnose::plan::{Site, Watch};
use crate::diagnose::words::words;
use crate::diagnose::{Card, Fix, Operand, Seen};

words! {
    lost_move(to, name, on):
        "`.to()` made a copy on {to}, but nothing keeps it, and `{name}` itself stays on {on}. A tensor's `.to()` returns a tensor and leaves the old one alone, so assign the result.",
        "`.to()` hat eine Kopie auf {to} erzeugt, aber nichts behält sie, und `{name}` selbst bleibt auf {on}. `.to()` eines Tensors gibt einen Tensor zurück und lässt den alten in Ruhe, also weis das Ergebnis einer Variablen zu.";
}

pub(super) struct D04;

impl Explain for D04 {
    const ABOUT: &'static str = "`x.to(\"cuda\")` by itself raises nothing: the mistake shows later, as a tensor on the wrong \
        device or as an error in another line. The card speaks only if the copy really crossed devices and the program goes on \
        with the tensor that stayed. The variable of a loop over tensors is the same mistake.";
    const EXAMPLE: Example =
        Example::new("import torch\n\nx = torch.ones(3)\nx.to(\"cuda\")\nprint(x.device, x.sum())\n");
    const LESSON: &'static str = "to-returns-a-new-tensor";

    fn watch(code: &Code<'_>, out: &mut Vec<Site>) {
        let mut lost = |call: &Expr| {
            if let Some((receiver, name, _)) = method(call)
                && is_move(name)
            {
                out.push(Site { span: span(receiver), watch: Watch::Receiver });
                out.push(Site { span: span(call), watch: Watch::Lost { receiver: out.len() - 1 } });
            }
        };
        for (i, item) in code.items.iter().enumerate() {
            match item.stmt {
                Stmt::Expr(s) => match &*s.value {
                    Expr::ListComp(c) => lost(&c.elt),
                    Expr::SetComp(c) => lost(&c.elt),
                    Expr::DictComp(c) => lost(&c.value),
                    call => lost(call),
                },
                Stmt::Assign(s) if s.targets.len() == 1 => {
                    let (Some(target), Some((receiver, ..))) = (path(&s.targets[0]), method(&s.value)) else {
                        continue;
                    };
                    let Some(loop_) = item.looped else { continue };
                    let over = targets(code.items[loop_].stmt);
                    let is_same =
                        s.targets[0].is_name_expr() && over.iter().any(|t| path(t).as_deref() == Some(&target));
                    if !is_same || path(receiver).as_deref() != Some(&target) {
                        continue;
                    }
                    // If the loop's variable is read again, it has been used.
                    let again = code.reads(&target).iter().any(|(j, e)| code.reaches(i, *j, span(*e), &target));
                    if !again {
                        lost(&s.value);
                    }
                }
                _ => {}
            }
        }
    }

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        seen.facts.lost.iter().filter(|l| !l.timed && is_missed(code, l)).map(|l| card(code, l)).collect()
    }

    fn behind(at: &Place<'_>) -> Option<Card> {
        let met = at.met.as_ref()?;
        let (candidates, lost) = (at.candidates(met), &at.seen.facts.lost);
        let direct = lost.iter().rev().find(|l| candidates.iter().any(|o| o.about.storage == l.source));
        let alike = || {
            let fits = |l: &&LostMove| l.operand.device == met.wrong() && l.to == met.wanted() && !l.timed;
            lost.iter().rev().find(fits)
        };
        Some(card(at.code, direct.or_else(alike)?))
    }
}

pub(super) fn card(code: &Code<'_>, lost: &LostMove) -> Card {
    let fix = code.at(lost.site).and_then(|item| keep(code, item, lost.site));
    let Operand { name, device, .. } = &lost.operand;
    let cause = lost_move(&lost.to, name, device);
    Rule::D04.card(code.line(lost.site.start), cause, vec![lost.operand.clone()], fix.into_iter().collect())
}

/// Whether the program later uses the tensor that it should have moved.
fn is_missed(code: &Code<'_>, lost: &LostMove) -> bool {
    let Some(item) = code.at(lost.site) else { return false };
    let Some(receiver) = code.receiver(item, lost.site) else { return false };
    let Some(name) = path(receiver) else { return false };
    if code.read_after(item, &name) {
        return true;
    }
    // The variable of a loop, or of a comprehension, over a container that is used later.
    container(code, item, lost.site, &name).is_some_and(|(over, _)| {
        let mut roots = Vec::new();
        collect_roots(over, &mut roots);
        roots.iter().any(|root| code.read_after(item, root))
    })
}

/// The container over which a loop or comprehension with the variable `name` iterates, and the loop's statement.
fn container<'a>(code: &Code<'a>, item: usize, site: Span, name: &str) -> Option<(&'a Expr, Option<usize>)> {
    for expr in code.exprs(item) {
        let generators = match expr {
            Expr::ListComp(c) => &c.generators,
            Expr::SetComp(c) => &c.generators,
            Expr::DictComp(c) => &c.generators,
            _ => continue,
        };
        if span(expr).contains(site)
            && let Some(generator) = generators.iter().find(|g| holds(&g.target, name))
        {
            return Some((&generator.iter, None));
        }
    }
    let loop_ = code.items[item].looped?;
    match code.items[loop_].stmt {
        Stmt::For(s) if holds(&s.target, name) => Some((&s.iter, Some(loop_))),
        _ => None,
    }
}

fn holds(target: &Expr, name: &str) -> bool {
    match target {
        Expr::Tuple(t) => t.elts.iter().any(|e| holds(e, name)),
        other => path(other).as_deref() == Some(name),
    }
}

/// The variables that an iterable is made from: `batch` of `batch.items()`, `x` and `y` of `(x, y)`.
fn collect_roots(expr: &Expr, out: &mut Vec<String>) {
    match expr {
        Expr::Tuple(t) => t.elts.iter().for_each(|e| collect_roots(e, out)),
        Expr::List(t) => t.elts.iter().for_each(|e| collect_roots(e, out)),
        Expr::Call(c) => {
            if let Expr::Attribute(a) = &*c.func {
                collect_roots(&a.value, out);
            }
            c.arguments.args.iter().for_each(|e| collect_roots(e, out));
        }
        other => out.extend(path(other)),
    }
}

/// Assigns the copy to the tensor's name.
fn keep(code: &Code<'_>, item: usize, site: Span) -> Option<Fix> {
    let receiver = code.receiver(item, site)?;
    let name = path(receiver)?;
    let stmt = span(code.items[item].stmt);
    let call = code.text(site);
    match container(code, item, site, &name) {
        Some((over, None)) => {
            let value = code.text_of(code.exprs(item).first()?);
            match over {
                Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                    code.edit(vec![(Span { start: stmt.start, end: stmt.start }, format!("{} = ", code.text_of(over)))])
                }
                Expr::Tuple(t) => {
                    let names: Vec<&str> = t.elts.iter().map(|e| code.text_of(e)).collect();
                    code.edit(vec![(stmt, format!("{} = {value}", names.join(", ")))])
                }
                _ => None,
            }
        }
        Some((over, Some(loop_))) => {
            let Stmt::For(s) = code.items[loop_].stmt else { return None };
            let whole = span(code.items[loop_].stmt);
            let alone = s.body.len() == 1 && s.orelse.is_empty();
            if let (Some((base, "items", _)), Expr::Tuple(t)) = (method(over), &*s.target)
                && let [key, _] = &t.elts[..]
            {
                return code.edit(vec![(stmt, format!("{}[{}] = {call}", code.text_of(base), code.text_of(key)))]);
            }
            if let (Expr::Call(c), Expr::Tuple(t)) = (over, &*s.target)
                && code.call_path(&c.func).as_deref() == Some("enumerate")
                && alone
                && let ([base, ..], [index, _]) = (&c.arguments.args[..], &t.elts[..])
            {
                return code.edit(vec![(stmt, format!("{}[{}] = {call}", code.text_of(base), code.text_of(index)))]);
            }
            if let Some((module, "parameters", _)) = method(over).filter(|_| alone) {
                let arguments = call.get(code.text_of(receiver).len()..)?;
                return code.edit(vec![(whole, format!("{}{arguments}", code.text_of(module)))]);
            }
            let target = code.text_of(&*s.target);
            let every = format!("[{call} for {target} in {}]", code.text_of(over));
            match over {
                Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) if alone => {
                    code.edit(vec![(whole, format!("{} = {every}", code.text_of(over)))])
                }
                Expr::Tuple(t) if alone => {
                    let names: Vec<&str> = t.elts.iter().map(|e| code.text_of(e)).collect();
                    code.edit(vec![(whole, format!("{} = {every}", names.join(", ")))])
                }
                // The rest of the iteration uses the variable.
                _ if !alone => assign(code, stmt, receiver),
                _ => None,
            }
        }
        None => {
            // An argument that the function neither uses again nor returns: the caller wouldn't see the copy.
            let local = code.items[item].function.is_some_and(|f| code.is_parameter(f, &name));
            if local && !code.read_after(item, &name) {
                return None;
            }
            assign(code, stmt, receiver)
        }
    }
}

fn assign(code: &Code<'_>, stmt: Span, receiver: &Expr) -> Option<Fix> {
    code.edit(vec![(Span { start: stmt.start, end: stmt.start }, format!("{} = ", code.text_of(receiver)))])
}
