//! Moves that did not do what they look like: of tensors (D04), of modules (D05), of leaves (D13).

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::{card, line_of};
use crate::diagnose::code::{Code, is_move, method, path, span, targets};
use crate::diagnose::facts::{Alias, LostMove, Span};
use crate::diagnose::{About, Card, Cause, Fix, Operand};

// ---- D04 ------------------------------------------------------------------------------------------------------------

/// Whether the program goes on with the tensor that it thought it had moved.
pub(super) fn is_missed(code: &Code<'_>, lost: &LostMove) -> bool {
    let Some(item) = code.at(lost.site) else { return false };
    let Some(receiver) = receiver(code, item, lost.site) else { return false };
    let Some(name) = path(receiver) else { return false };
    if code.read_after(item, &name) {
        return true;
    }
    // The variable of a loop, or of a comprehension, over something that is used later.
    container(code, item, lost.site, &name).is_some_and(|(over, _)| {
        let mut roots = Vec::new();
        collect_roots(over, &mut roots);
        roots.iter().any(|root| code.read_after(item, root))
    })
}

/// What the call at a place is made on.
fn receiver<'a>(code: &Code<'a>, item: usize, site: Span) -> Option<&'a Expr> {
    let call = code.exprs(item).into_iter().find(|e| span(*e) == site && method(e).is_some())?;
    Some(method(call)?.0)
}

/// What a loop or comprehension whose variable is `name` goes over, and the loop's statement.
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

pub fn lost(code: &Code<'_>, lost: &LostMove) -> Card {
    let fix = code.at(lost.site).and_then(|item| keep(code, item, lost.site));
    let Operand { name, device, .. } = lost.operand.clone();
    let cause = Cause::LostMove { to: lost.to.clone(), name, on: device };
    card("D04", line_of(code, lost.site), cause, vec![lost.operand.clone()], fix.into_iter().collect())
}

/// Keeps the copy under the tensor's name.
fn keep(code: &Code<'_>, item: usize, site: Span) -> Option<Fix> {
    let receiver = receiver(code, item, site)?;
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
                // The variable is used in the rest of the turn.
                _ if !alone => assign(code, stmt, receiver),
                _ => None,
            }
        }
        None => {
            // An argument that the function neither uses again nor returns: the caller would not see the copy.
            let local = code.items[item].function.is_some_and(|f| is_parameter(code, f, &name));
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

pub fn is_parameter(code: &Code<'_>, function: usize, name: &str) -> bool {
    let Stmt::FunctionDef(def) = code.items[function].stmt else { return false };
    def.parameters.iter().any(|p| p.name().as_str() == name)
}

// ---- D05 ------------------------------------------------------------------------------------------------------------

/// Whether the program goes on with the module under its first name as if it had stayed.
pub(super) fn is_confused(code: &Code<'_>, alias: &Alias) -> bool {
    let Some(item) = code.at(alias.site) else { return false };
    let Some(name) = receiver(code, item, alias.site).and_then(path) else { return false };
    let others: Vec<String> = targets(code.items[item].stmt).into_iter().filter_map(path).collect();
    let end = span(code.items[item].stmt).end;
    let after = |i: usize| {
        code.items[i].function == code.items[item].function
            && (span(code.items[i].stmt).start >= end
                || code.items[item].looped.is_some_and(|l| code.within(i, l) && i != item))
    };
    let calls = code.calls();
    let called = |name: &str| calls.iter().any(|(i, c)| after(*i) && path(&c.func).as_deref() == Some(name));
    let moved = |name: &str| {
        calls.iter().any(|(i, c)| {
            after(*i)
                && matches!(&*c.func, Expr::Attribute(a) if is_move(&a.attr) && path(&a.value).as_deref() == Some(name))
        })
    };
    alias.from != "cpu"
        && alias.from != alias.to
        && called(&name)
        && others.iter().any(|o| called(o))
        && !moved(&name)
        && !others.iter().any(|o| moved(o))
}

/// A module that was moved in place by a call whose result was meant as a copy.
pub fn alias(code: &Code<'_>, site: Span, from: &str, to: &str) -> Card {
    let item = code.at(site);
    let receiver = item.and_then(|item| receiver(code, item, site));
    let fix = receiver.map_or(Vec::new(), |r| deep_copy(code, r));
    let (from, to) = (from.to_string(), to.to_string());
    let cause = match receiver {
        Some(module) => Cause::MovedInPlace { from, to, name: code.text_of(module).to_string() },
        None => Cause::MovedInPlaceUnnamed { from, to },
    };
    card("D05", line_of(code, site), cause, Vec::new(), fix)
}

/// Moves a copy of a module instead.
pub fn deep_copy(code: &Code<'_>, module: &Expr) -> Vec<Fix> {
    let text = code.text_of(module);
    let copied = code.edit(vec![(span(module), format!("copy.deepcopy({text})"))]);
    let imported = code
        .items
        .iter()
        .any(|i| matches!(i.stmt, Stmt::Import(s) if s.names.iter().any(|n| n.name.as_str() == "copy")));
    let import = if imported {
        None
    } else {
        (0..code.items.len())
            .find(|&i| matches!(code.items[i].stmt, Stmt::Import(_) | Stmt::ImportFrom(_)))
            .and_then(|i| code.insert_before(i, "import copy"))
    };
    match (copied, import, imported) {
        (Some(fix), _, true) => vec![fix],
        (Some(fix), Some(import), false) => vec![import, fix],
        _ => Vec::new(),
    }
}

// ---- D13 ------------------------------------------------------------------------------------------------------------

/// A result of `.to()` that was taken for the leaf.
pub fn grad_of_moved(code: &Code<'_>, created: u32, device: &str, shape: &[usize], bytes: usize) -> Card {
    let item = code.at_line(created);
    let name = item.and_then(|i| targets(code.items[i].stmt).first().and_then(|t| path(t)));
    let fix = item.and_then(|item| leaf(code, item));
    let operand = |name: String| Operand {
        name,
        device: device.into(),
        shape: shape.to_vec(),
        bytes,
        created,
        moved: created,
        about: About::default(),
    };
    let (cause, operands) = match name {
        Some(name) => (Cause::GradOfMoved { name: name.clone() }, vec![operand(name)]),
        // `Net(x.to("cuda"))`: what has no name stands in no table of names.
        None => (Cause::GradOfMovedUnnamed, Vec::new()),
    };
    card("D13", created, cause, operands, fix.into_iter().collect())
}

/// Makes the result of a move a leaf.
pub fn leaf(code: &Code<'_>, item: usize) -> Option<Fix> {
    let call = code.exprs(item).into_iter().find(|e| method(e).is_some_and(|(_, name, _)| is_move(name)))?;
    let (receiver, ..) = method(call)?;
    let end = span(call).end;
    if let Expr::Call(inner) = receiver {
        let keyword =
            inner.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "requires_grad"));
        if let Some(keyword) = keyword {
            let cut = without(code, span(keyword), span(&inner.arguments));
            return code.edit(vec![(cut, String::new()), (Span { start: end, end }, ".requires_grad_()".into())]);
        }
        // A parameter is made from what is there already, so that it stays one.
        if code.call_path(&inner.func).is_some_and(|p| p.ends_with("Parameter")) && inner.arguments.args.len() == 1 {
            let moved = code.text(Span { start: span(receiver).end, end }).to_string();
            let inside = span(&inner.arguments.args[0]).end;
            return code.edit(vec![
                (Span { start: inside, end: inside }, moved),
                (Span { start: span(receiver).end, end }, String::new()),
            ]);
        }
    }
    code.edit(vec![(Span { start: end, end }, ".detach().requires_grad_()".into())])
}

/// An argument with the comma that goes with it.
pub fn without(code: &Code<'_>, argument: Span, arguments: Span) -> Span {
    let before = &code.source[arguments.start..argument.start];
    if let Some(comma) = before.rfind(',') {
        return Span { start: arguments.start + comma, end: argument.end };
    }
    let after = &code.source[argument.end..arguments.end];
    match after.find(',') {
        Some(comma) => {
            let rest = &after[comma + 1..];
            let blank = rest.len() - rest.trim_start().len();
            Span { start: argument.start, end: argument.end + comma + 1 + blank }
        }
        None => argument,
    }
}
