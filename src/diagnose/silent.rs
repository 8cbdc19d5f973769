//! Cards for mistakes that raise nothing where they are made, from what was seen while the program ran.

use rustpython_vm::compiler::ast::{CmpOp, Expr, Stmt};

use super::code::{Code, is_load, is_move, method, path, span, targets};
use super::facts::{Alias, Alive, Kept, LostMove, Span, Timing};
use super::{Card, Fix, Operand, Seen, lesson};
use crate::device::Device;
use crate::trace::Clue;

/// The silent mistakes of a program, in the order of its lines.
pub fn cards(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
    let facts = seen.facts;
    let mut out: Vec<Card> = Vec::new();
    out.extend(facts.lost.iter().filter(|l| !l.timed && is_missed(code, l)).map(|l| lost(code, l)));
    out.extend(facts.aliases.iter().filter(|a| is_confused(code, a)).map(|a| alias(code, a.site, &a.from, &a.to)));
    out.extend(facts.kept.iter().map(|k| kept(code, k)));
    out.extend(facts.alive.iter().filter(|a| is_unexpected(code, seen, a)).map(|a| alive(code, a)));
    out.extend(facts.timings.iter().map(|t| timing(code, t)));
    out.extend(facts.pins.iter().map(|&site| pin(code, site)));
    for clue in &facts.clues {
        out.extend(match clue {
            Clue::DevicesCompared { line, device, with } => compared(code, *line, *device, with),
            Clue::GradOfMoved { created, device, shape, bytes, .. } => {
                Some(grad_of_moved(code, *created, &device.to_string(), shape, *bytes))
            }
            Clue::OutOfBounds { .. } => None,
            Clue::HiddenLate { line, value } => hidden_late(code, *line, value),
            Clue::ReadEarly { line, copied, .. } => Some(read_early(code, *line, *copied)),
            Clue::ReadPiecewise { line, device, elements, reads, .. } => {
                Some(piecewise(code, *line, *device, *elements, *reads))
            }
        });
    }
    out.sort_by(|a, b| (a.line, &a.rule).cmp(&(b.line, &b.rule)));
    out.dedup_by(|a, b| (a.line, &a.rule) == (b.line, &b.rule));
    out
}

pub fn card(rule: &str, line: u32, cause: String, operands: Vec<Operand>, fix: Vec<Fix>) -> Card {
    Card { rule: rule.into(), line, cause, operands, fix, lesson: lesson(rule).map(str::to_string) }
}

fn line_of(code: &Code<'_>, site: Span) -> u32 {
    code.line(site.start)
}

// ---- D04 -------------------------------------------------------------------------------------------------------------

/// Whether the program goes on with the tensor that it thought it had moved.
fn is_missed(code: &Code<'_>, lost: &LostMove) -> bool {
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
    let name = &lost.operand.name;
    let cause = format!(
        "`.to` makes a copy on {} and leaves `{name}` on {}: a tensor is not moved in place, and nothing keeps the copy.",
        lost.to, lost.operand.device
    );
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

// ---- D05 -------------------------------------------------------------------------------------------------------------

/// Whether the program goes on with the module under its first name as if it had stayed.
fn is_confused(code: &Code<'_>, alias: &Alias) -> bool {
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
    let name = receiver.map_or("the module", |r| code.text_of(r)).to_string();
    let fix = receiver.map_or(Vec::new(), |r| deep_copy(code, r));
    let cause = format!(
        "`Module.to` and `Module.cpu` move the module itself from {from} to {to} and return it: there is no second model, and `{name}` is on {to} now."
    );
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

// ---- D13 -------------------------------------------------------------------------------------------------------------

/// A result of `.to()` that was taken for the leaf.
pub fn grad_of_moved(code: &Code<'_>, created: u32, device: &str, shape: &[usize], bytes: usize) -> Card {
    let item = code.at_line(created);
    let name =
        item.and_then(|i| targets(code.items[i].stmt).first().and_then(|t| path(t))).unwrap_or("the tensor".into());
    let fix = item.and_then(|item| leaf(code, item));
    let cause = format!(
        "`.to()` is an operation of the graph: `{name}` is its result and no leaf, so gradients go to the tensor before the move and `{name}.grad` stays None."
    );
    let operand = Operand {
        name,
        device: device.into(),
        shape: shape.to_vec(),
        bytes,
        created,
        moved: created,
        about: super::About::default(),
    };
    card("D13", created, cause, vec![operand], fix.into_iter().collect())
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

// ---- D18 -------------------------------------------------------------------------------------------------------------

fn hidden_late(code: &Code<'_>, touched: u32, value: &str) -> Option<Card> {
    let sets = |text: &str| text.contains("CUDA_VISIBLE_DEVICES");
    let places = code.items.iter().map(|item| span(item.stmt)).filter(|&place| sets(code.text(place)));
    // A block holds the statement, too.
    let place = places.min_by_key(|place| place.end - place.start)?;
    let cause = format!(
        "CUDA looked for its devices in line {touched}: from then on the environment variable `CUDA_VISIBLE_DEVICES` is not \
         read any more, and \"{value}\" selects nothing. Set it before CUDA is first used, best of all before the program starts."
    );
    Some(card("D18", line_of(code, place), cause, Vec::new(), Vec::new()))
}

// ---- D19 -------------------------------------------------------------------------------------------------------------

fn compared(code: &Code<'_>, line: u32, device: Device, with: &str) -> Option<Card> {
    let item = code.at_line(line)?;
    let compares = code.exprs(item).into_iter().filter_map(|e| match e {
        Expr::Compare(c) => Some(c),
        _ => None,
    });
    let text = with.starts_with('\'');
    let mut fix = None;
    for c in compares {
        let mut left = &*c.left;
        for (op, right) in c.ops.iter().zip(&c.comparators) {
            if matches!(op, CmpOp::Eq | CmpOp::NotEq | CmpOp::In | CmpOp::NotIn) && fix.is_none() {
                // Two devices that are written out say nothing about the program's own.
                if is_literal(code, left) && is_literal(code, right) {
                    return None;
                }
                fix = by_type(code, left, right, text);
            }
            left = right;
        }
    }
    let cause = if text {
        format!("A `torch.device` equals no text: comparing {device} with {with} is False, whatever the device.")
    } else {
        format!("`{device}` and `{}` are not equal, because one has an index and the other none.", shown(with))
    };
    Some(card("D19", line, cause, Vec::new(), fix.into_iter().collect()))
}

/// `cuda` of `device(type='cuda')`.
fn shown(repr: &str) -> String {
    let part = |name: &str| {
        repr.split_once(&format!("{name}="))
            .map(|(_, rest)| rest.trim_end_matches(')').split(',').next().unwrap_or_default())
    };
    let kind = part("type").unwrap_or(repr).trim_matches('\'');
    match part("index") {
        Some(index) => format!("{kind}:{index}"),
        None => kind.to_string(),
    }
}

/// `"cuda"`, or `torch.device("cuda")` with nothing computed in it.
fn is_literal(code: &Code<'_>, expr: &Expr) -> bool {
    match expr {
        Expr::StringLiteral(_) => true,
        Expr::Call(c) => {
            code.call_path(&c.func).as_deref() == Some("torch.device")
                && c.arguments.args.iter().all(|a| a.is_string_literal_expr() || a.is_number_literal_expr())
        }
        _ => false,
    }
}

/// Compares types, or texts where an index was written.
fn by_type(code: &Code<'_>, left: &Expr, right: &Expr, text: bool) -> Option<Fix> {
    let literal = |e: &Expr| match e {
        Expr::StringLiteral(s) => Some(s.value.to_str().to_string()),
        _ => None,
    };
    let inner = |e: &Expr| match e {
        Expr::Call(c) if code.call_path(&c.func).as_deref() == Some("torch.device") && c.arguments.len() == 1 => {
            c.arguments.args.first().and_then(literal)
        }
        _ => None,
    };
    let end = |e: &Expr| Span { start: span(e).end, end: span(e).end };
    for (a, b) in [(left, right), (right, left)] {
        let several: Option<Vec<String>> = match b {
            Expr::Tuple(t) => t.elts.iter().map(literal).collect(),
            Expr::List(t) => t.elts.iter().map(literal).collect(),
            Expr::Set(t) => t.elts.iter().map(literal).collect(),
            other => literal(other).map(|one| vec![one]),
        };
        if let Some(names) = several {
            if names.iter().any(|n| n.contains(':')) {
                let whole = span(a);
                return code.edit(vec![(whole, format!("str({})", code.text(whole)))]);
            }
            return code.edit(vec![(end(a), ".type".into())]);
        }
        if let Some(name) = inner(b).filter(|n| !n.contains(':')) {
            return code.edit(vec![(end(a), ".type".into()), (span(b), format!("\"{name}\""))]);
        }
    }
    // Which side is the text is not written here.
    (!text).then(|| code.edit(vec![(end(left), ".type".into()), (end(right), ".type".into())]))?
}

// ---- D21 -------------------------------------------------------------------------------------------------------------

fn kept(code: &Code<'_>, kept: &Kept) -> Card {
    let item = code.at(kept.site);
    let fix = item.and_then(|item| if kept.sum { sum_fix(code, item) } else { member_fix(code, kept.site) });
    let name = &kept.operand.name;
    let cause = match (kept.sum, kept.evaluation) {
        (true, false) => format!(
            "`{name}` gathers tensors with their graphs: after {} turns it still holds the history of every one. Add the number, `.item()`.",
            kept.turns
        ),
        (true, true) => format!(
            "`{name}` gathers results whose graphs nobody will use: after {} turns every activation is still there. Evaluate under `torch.no_grad()`, or add numbers.",
            kept.turns
        ),
        (false, false) => {
            format!(
                "Each of the {} tensors gathered here keeps its graph alive. Keep it without: `.detach()` or `.item()`.",
                kept.turns
            )
        }
        (false, true) => format!(
            "Each of the {} results gathered here keeps its graph and every activation alive, and nobody will differentiate them. Evaluate under `torch.no_grad()`.",
            kept.turns
        ),
    };
    let operands = vec![Operand { name: name.clone(), ..kept.operand.clone() }];
    card("D21", line_of(code, kept.site), cause, operands, fix.into_iter().collect())
}

/// Adds a number, or a tensor without its graph where the sum is used as a tensor later.
fn sum_fix(code: &Code<'_>, item: usize) -> Option<Fix> {
    match code.items[item].stmt {
        Stmt::AugAssign(s) => {
            let target = path(&s.target)?;
            let last = target.rsplit('.').next()?.to_string();
            let as_tensor = (0..code.items.len()).any(|i| {
                code.exprs(i).iter().any(|e| {
                    matches!(e, Expr::Attribute(a) if path(&a.value).is_some_and(|p| p == target || p.ends_with(&format!(".{last}"))))
                        || matches!(e, Expr::Call(c) if code.call_path(&c.func).is_some_and(|p| p.starts_with("torch."))
                            && c.arguments.args.iter().any(|a| path(a).as_deref() == Some(&target)))
                })
            });
            // An average of the sum has methods, too: `(total / n).item()`.
            let averaged = (0..code.items.len()).any(|i| {
                code.exprs(i).iter().any(|e| matches!(e, Expr::Attribute(a) if a.value.is_bin_op_expr() && reads_in(code, &a.value, &target)))
            });
            let call = if as_tensor || averaged { ".detach()" } else { ".item()" };
            wrapped(code, &s.value, call)
        }
        Stmt::Assign(s) => wrapped(code, &s.value, ".detach()"),
        _ => None,
    }
}

fn reads_in(code: &Code<'_>, expr: &Expr, name: &str) -> bool {
    code.reads(name).iter().any(|(_, e)| span(expr).contains(span(*e)))
}

fn member_fix(code: &Code<'_>, site: Span) -> Option<Fix> {
    let item = code.at(site)?;
    let value = code.exprs(item).into_iter().find(|e| span(*e) == site && is_load(e))?;
    match value {
        Expr::Tuple(_) | Expr::List(_) | Expr::Dict(_) => None,
        other => wrapped(code, other, ".detach()"),
    }
}

/// An expression with a call behind it, in parentheses where it needs them.
fn wrapped(code: &Code<'_>, expr: &Expr, call: &str) -> Option<Fix> {
    let whole = span(expr);
    let text = match expr {
        Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_) | Expr::Subscript(_) => {
            format!("{}{call}", code.text(whole))
        }
        _ => format!("({}){call}", code.text(whole)),
    };
    code.edit(vec![(whole, text)])
}

// ---- D22 -------------------------------------------------------------------------------------------------------------

/// Whether the program expected the memory back: it looks at the memory, runs out of it, or never uses the holder again.
fn is_unexpected(code: &Code<'_>, seen: &Seen<'_>, alive: &Alive) -> bool {
    let Some(item) = code.at(alive.site) else { return false };
    let looks = ["memory_allocated", "memory_reserved", "mem_get_info", "memory_summary", "memory_stats"];
    let end = alive.site.end;
    let looked = code.calls().into_iter().any(|(_, c)| {
        span(c).start > end && code.call_path(&c.func).is_some_and(|p| looks.iter().any(|l| p.ends_with(l)))
    });
    let ran_out = seen.failure.is_some_and(|f| f.class.ends_with("OutOfMemoryError"));
    let root = root(&alive.holder);
    let forgotten = root != alive.name && !code.read_after(item, root);
    looked || ran_out || forgotten
}

fn root(holder: &str) -> &str {
    holder.split(['.', '[']).next().unwrap_or(holder)
}

fn alive(code: &Code<'_>, alive: &Alive) -> Card {
    let Alive { name, holder, .. } = alive;
    let cause = if alive.by_graph {
        format!(
            "`del {name}` removed a name, not the memory: the graph of `{holder}` keeps the tensor for the backward pass."
        )
    } else {
        format!("`del {name}` removed a name, not the memory: `{holder}` is the same tensor's memory and still there.")
    };
    let fix = code.at(alive.site).and_then(|item| release(code, item, root(holder), name));
    card("D22", line_of(code, alive.site), cause, vec![alive.operand.clone()], fix.into_iter().collect())
}

/// Deletes the holder, too, where nothing reads it later.
fn release(code: &Code<'_>, item: usize, holder: &str, name: &str) -> Option<Fix> {
    let here = code.items[item];
    let local = code.assignments(holder).iter().any(|&a| code.items[a].function == here.function);
    if holder == name || !local || code.read_after(item, holder) {
        return None;
    }
    match here.stmt {
        Stmt::Delete(_) => code.append(here.stmt, &format!(", {holder}")),
        _ => code.insert_after(item, &format!("del {holder}")),
    }
}

// ---- D23 -------------------------------------------------------------------------------------------------------------

fn timing(code: &Code<'_>, timing: &Timing) -> Card {
    let line = line_of(code, timing.stop);
    let item = code.at(timing.stop);
    let cause = format!(
        "The clock was read while {} of {} kernels were still to run: a launch returns at once, so this is the time of launching. Wait with `torch.cuda.synchronize()` first.",
        timing.waiting, timing.kernels
    );
    let fix = item.and_then(|item| {
        if timing.start != timing.stop {
            return code.insert_before(item, "torch.cuda.synchronize()");
        }
        let call = code.exprs(item).into_iter().find(|e| span(*e) == timing.stop)?.as_call_expr()?;
        let Some(Expr::Lambda(lambda)) = call.arguments.args.first() else { return None };
        let body = span(&*lambda.body);
        code.edit(vec![(body, format!("({}, torch.cuda.synchronize())", code.text(body)))])
    });
    card("D23", line, cause, Vec::new(), fix.into_iter().collect())
}

fn piecewise(code: &Code<'_>, line: u32, device: Device, elements: usize, reads: usize) -> Card {
    let item = code.at_line(line);
    // The tensor whose elements the line reads: what `.item()`, `int()` and the like are given, if they are.
    let table = item.and_then(|item| {
        let exprs = code.exprs(item);
        let is_read = |place: Span| {
            exprs.iter().any(|e| match method(e) {
                Some((receiver, "item" | "tolist", _)) => span(receiver) == place,
                _ => e.as_call_expr().is_some_and(|c| {
                    path(&c.func).is_some_and(|f| matches!(f.as_str(), "int" | "float" | "bool" | "print" | "str"))
                        && c.arguments.args.iter().any(|a| span(a) == place)
                }),
            })
        };
        let tables = || {
            exprs.iter().filter_map(|e| match e {
                Expr::Subscript(s) if is_load(e) => Some((span(*e), path(&s.value)?)),
                _ => None,
            })
        };
        tables().find(|(place, _)| is_read(*place)).or_else(|| tables().next()).map(|(_, name)| name)
    });
    let name = table.clone().unwrap_or("a tensor".into());
    let cause = format!(
        "This line read {reads} numbers of `{name}` ({elements} elements on {device}) one at a time, and each made the program wait for the GPU. Copy it once."
    );
    let fix = item.zip(table).and_then(|(item, table)| {
        // Before the outermost loop in which the tensor stays the same.
        let assigned = code.assignments(&table);
        let loops = std::iter::successors(code.items[item].looped, |&l| code.items[l].looped);
        let outer = loops.take_while(|&l| !assigned.iter().any(|&a| code.within(a, l))).last()?;
        code.insert_before(outer, &format!("{table} = {table}.cpu()"))
    });
    card("D23", line, cause, Vec::new(), fix.into_iter().collect())
}

// ---- D24 -------------------------------------------------------------------------------------------------------------

fn read_early(code: &Code<'_>, line: u32, copied: u32) -> Card {
    let cause = format!(
        "Line {line} reads a copy that may not have arrived: `non_blocking=True` from a GPU to the CPU returns before the bytes are there, so the numbers can be wrong."
    );
    let fix = code.at_line(copied).and_then(|item| {
        let blocking = code.exprs(item).into_iter().find_map(|e| {
            let call = e.as_call_expr()?;
            let keyword = call
                .arguments
                .keywords
                .iter()
                .find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "non_blocking"))?;
            Some(without(code, span(keyword), span(&call.arguments)))
        });
        match blocking {
            Some(cut) => code.edit(vec![(cut, String::new())]),
            None => code.insert_after(item, "torch.cuda.synchronize()"),
        }
    });
    card("D24", copied, cause, Vec::new(), fix.into_iter().collect())
}

fn pin(code: &Code<'_>, site: Span) -> Card {
    let cause = "Pinning copies the tensor once more on the host, and the program waits for that: for a single copy it is slower than none. Pin in the `DataLoader`, or pin once what is sent often.";
    let fix = code.at(site).and_then(|item| {
        let call = code.exprs(item).into_iter().find(|e| span(*e) == site && method(e).is_some())?;
        code.edit(vec![(code.tail(call)?, String::new())])
    });
    card("D24", line_of(code, site), cause.into(), Vec::new(), fix.into_iter().collect())
}
