//! Memory that something keeps: graphs (D21) and other names (D22).

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::{card, line_of};
use crate::diagnose::code::{Code, is_load, path, span};
use crate::diagnose::facts::{Alive, Kept, Span};
use crate::diagnose::text::MPS_FULL;
use crate::diagnose::{Card, Cause, Fix, Seen};

// ---- D21 ------------------------------------------------------------------------------------------------------------

pub(super) fn kept(code: &Code<'_>, kept: &Kept) -> Card {
    let item = code.at(kept.site);
    let fix = item.and_then(|item| if kept.sum { sum_fix(code, item) } else { member_fix(code, kept.site) });
    let (name, turns) = (kept.operand.name.clone(), kept.turns);
    let cause = match (kept.sum, kept.evaluation) {
        (true, false) => Cause::SumKept { name, turns },
        (true, true) => Cause::SumEvaluated { name, turns },
        (false, false) => Cause::MembersKept { turns },
        (false, true) => Cause::MembersEvaluated { turns },
    };
    card("D21", line_of(code, kept.site), cause, vec![kept.operand.clone()], fix.into_iter().collect())
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

// ---- D22 ------------------------------------------------------------------------------------------------------------

/// Whether the program expected the memory back: it looks at the memory, runs out of it, or never uses the holder again.
pub(super) fn is_unexpected(code: &Code<'_>, seen: &Seen<'_>, alive: &Alive) -> bool {
    let Some(item) = code.at(alive.site) else { return false };
    let looks = ["memory_allocated", "memory_reserved", "mem_get_info", "memory_summary", "memory_stats"];
    let end = alive.site.end;
    let looked = code.calls().into_iter().any(|(_, c)| {
        span(c).start > end && code.call_path(&c.func).is_some_and(|p| looks.iter().any(|l| p.ends_with(l)))
    });
    let ran_out =
        seen.failure.is_some_and(|f| f.class.ends_with("OutOfMemoryError") || f.message.starts_with(MPS_FULL));
    let root = root(&alive.holder);
    let forgotten = root != alive.name && !code.read_after(item, root);
    looked || ran_out || forgotten
}

fn root(holder: &str) -> &str {
    holder.split(['.', '[']).next().unwrap_or(holder)
}

pub(super) fn alive(code: &Code<'_>, alive: &Alive) -> Card {
    let Alive { name, holder, .. } = alive;
    let (gone, there) = (name.clone(), holder.clone());
    let cause = match alive.by_graph {
        true => Cause::AliveByGraph { name: gone, holder: there },
        false => Cause::Alive { name: gone, holder: there },
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
