//! Devices that were chosen too late (D18) or compared with something else (D19).

use rustpython_vm::compiler::ast::{CmpOp, Expr};

use super::{card, line_of};
use crate::device::Device;
use crate::diagnose::code::{Code, span};
use crate::diagnose::facts::Span;
use crate::diagnose::{Card, Cause, Fix};

// ---- D18 ------------------------------------------------------------------------------------------------------------

pub(super) fn hidden_late(code: &Code<'_>, touched: u32, value: &str) -> Option<Card> {
    let sets = |text: &str| text.contains("CUDA_VISIBLE_DEVICES");
    let places = code.items.iter().map(|item| span(item.stmt)).filter(|&place| sets(code.text(place)));
    // A block holds the statement, too.
    let place = places.min_by_key(|place| place.end - place.start)?;
    let cause = Cause::HiddenLate { line: touched, value: value.to_string() };
    Some(card("D18", line_of(code, place), cause, Vec::new(), Vec::new()))
}

// ---- D19 ------------------------------------------------------------------------------------------------------------

pub(super) fn compared(code: &Code<'_>, line: u32, device: Device, with: &str) -> Option<Card> {
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
    let device = device.to_string();
    let cause = match text {
        true => Cause::ComparedWithText { device, with: with.to_string() },
        false => Cause::ComparedWithoutIndex { device, with: shown(with) },
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
