//! D19: a device is compared with something that it's never equal to.

use rustpython_vm::compiler::ast::{CmpOp, Expr};

use super::{Example, Explain, Rule};
use crate::device::Device;
use crate::diagnose::code::{Code, span};
use crate::diagnose::facts::Span;
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Fix, Seen};
use crate::trace::Clue;

words! {
    with_string(device, with):
        "A `torch.device` never equals a string, so {device} and {with} always count as different. Compare the device's `.type`, or its `str()`.",
        "Ein `torch.device` ist nie gleich einer Zeichenkette, also gelten {device} und {with} immer als verschieden. Vergleich `.type` des Geräts oder sein `str()`.";
    without_index(device, with):
        "`{device}` and `{with}` aren't equal, because only one of them has an index. Compare their `.type` instead.",
        "`{device}` und `{with}` sind nicht gleich, weil nur eines davon einen Index hat. Vergleich stattdessen ihren `.type`.";
}

pub(super) struct D19;

impl Explain for D19 {
    const ABOUT: &'static str = "`x.device == \"cuda\"` and `x.device == torch.device(\"cuda\")` raise nothing and are False for a \
        tensor on `cuda:0`, so the program takes the wrong branch. Two devices that are written out in the program are left \
        alone.";
    const EXAMPLE: Example = Example::new(
        "import torch\n\nx = torch.ones(3, device=\"cuda\")\nif x.device == torch.device(\"cuda\"):\n    print(\"on the GPU\")\nelse:\n    print(\"not on the GPU?\")\n",
    );
    const LESSON: &'static str = "where-a-tensor-lives";

    /// An assertion about a device.
    fn behind(at: &Place<'_>) -> Option<Card> {
        let asserts = at.text.is_none() && at.failure.class == "AssertionError";
        let line = at.failure.line.filter(|_| asserts)?;
        let compared = |clue: &Clue| matches!(clue, Clue::DevicesCompared { line: at, .. } if *at == line);
        at.seen.facts.clues.iter().any(compared).then_some(())?;
        at.silent.iter().find(|card| card.rule == Rule::D19.id() && card.line == line).cloned()
    }

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        let found = |clue: &Clue| match clue {
            Clue::DevicesCompared { line, device, with } => compared(code, *line, *device, with),
            _ => None,
        };
        seen.facts.clues.iter().filter_map(found).collect()
    }
}

fn compared(code: &Code<'_>, line: u32, device: Device, with: &str) -> Option<Card> {
    let item = code.at_line(line)?;
    let text = with.starts_with('\'');
    let mut fix = None;
    for e in code.exprs(item) {
        let Expr::Compare(c) = e else { continue };
        let mut left = &*c.left;
        for (op, right) in c.ops.iter().zip(&c.comparators) {
            if matches!(op, CmpOp::Eq | CmpOp::NotEq | CmpOp::In | CmpOp::NotIn) && fix.is_none() {
                // Two literal devices have nothing to do with the program's own device.
                if is_literal(code, left) && is_literal(code, right) {
                    return None;
                }
                fix = by_type(code, left, right, text);
            }
            left = right;
        }
    }
    let cause = match text {
        true => with_string(&device, &with),
        false => without_index(&device, &shown(with)),
    };
    Some(Rule::D19.card(line, cause, Vec::new(), fix.into_iter().collect()))
}

/// `cuda` for `device(type='cuda')`.
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

/// `"cuda"`, or `torch.device("cuda")` with a literal argument.
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

/// Compares types; or strings, if an index was written.
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
    // The clue doesn't say which side is the string.
    (!text).then(|| code.edit(vec![(end(left), ".type".into()), (end(right), ".type".into())]))?
}
