//! D13: the result of `.to()` is mistaken for a leaf.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, is_move, keyword, method, path, span, targets};
use crate::diagnose::facts::Span;
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{About, Card, Failure, Fix, Operand, Seen};
use crate::trace::Clue;

words! {
    non_leaf():
        "This tensor is the result of an operation such as `.to()`, not a leaf, and an optimizer can update only leaves. Give it the tensor that the result was computed from, or create that one on the device.",
        "Dieser Tensor ist das Ergebnis einer Operation, etwa von `.to()`, und kein Blatt; ein Optimizer kann nur Blätter ändern. Gib ihm den Tensor, aus dem das Ergebnis entstand, oder erzeug diesen gleich auf dem Gerät.";
    result(name):
        "`{name}` is the result of an operation, not a leaf, and an optimizer can update only leaves. Give it the tensor that `{name}` was computed from.",
        "`{name}` ist das Ergebnis einer Operation und kein Blatt; ein Optimizer kann nur Blätter ändern. Gib ihm den Tensor, aus dem `{name}` entstand.";
    moved(name):
        "`.to()` is an operation that autograd records, so `{name}` is its result and not a leaf: gradients go to the tensor before the move, and `{name}.grad` stays None. Move first, then call `.requires_grad_()`.",
        "`.to()` ist eine Operation, die Autograd aufzeichnet, also ist `{name}` ihr Ergebnis und kein Blatt: Gradienten gehen an den Tensor vor dem Verschieben, und `{name}.grad` bleibt None. Verschieb zuerst, dann ruf `.requires_grad_()` auf.";
    moved_unnamed():
        "`.to()` is an operation that autograd records, so its result isn't a leaf: gradients go to the tensor before the move, and the result's `.grad` stays None. Move first, then call `.requires_grad_()`.",
        "`.to()` ist eine Operation, die Autograd aufzeichnet, also ist ihr Ergebnis kein Blatt: Gradienten gehen an den Tensor vor dem Verschieben, und `.grad` des Ergebnisses bleibt None. Verschieb zuerst, dann ruf `.requires_grad_()` auf.";
}

pub(super) struct D13;

impl Explain for D13 {
    const ABOUT: &'static str = "`torch.randn(3, requires_grad=True).to(\"cuda\")` is a leaf on the CPU and a result on the GPU. \
        `.grad` of the result is None, with a warning and no error, and an optimizer refuses it.";
    const EXAMPLE: Example = Example::new(
        "import torch\n\nw = torch.randn(3, requires_grad=True).to(\"cuda\")\n(w * w).sum().backward()\nprint(w.grad)\n",
    );
    const LESSON: &'static str = "leaves-and-gradients";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let known = failure.raised("ValueError")? == "can't optimize a non-leaf Tensor";
        known.then(|| Rule::D13.of(failure, non_leaf(), None))
    }

    fn explain(at: &Place<'_>, _text: &Card) -> Option<Card> {
        let frame = at.innermost()?;
        let moved = frame.operands.iter().find(|o| o.about.made_by.as_deref() == Some("ToCopyBackward0"));
        if let Some(o) = moved.filter(|o| o.created > 0) {
            let card = card(at.code, o.created, &o.device, &o.shape, o.bytes);
            return Some(Card { operands: vec![o.clone()], ..card });
        }
        let made = frame.operands.iter().find(|o| o.about.made_by.is_some())?;
        let line = if made.created > 0 { made.created } else { frame.line };
        Some(at.card(Rule::D13, line, result(&made.name), Vec::new()))
    }

    /// An error of Python: `.grad` was None where a tensor was expected.
    fn behind(at: &Place<'_>) -> Option<Card> {
        let python = at.text.is_none() && matches!(at.failure.class, "TypeError" | "AttributeError");
        let asked = |clue: &Clue| match clue {
            Clue::GradOfMoved { line, created, .. } if at.failure.line == Some(*line) => Some(*created),
            _ => None,
        };
        let created = at.seen.facts.clues.iter().find_map(asked).filter(|_| python)?;
        at.silent.iter().find(|card| card.rule == Rule::D13.id() && card.line == created).cloned()
    }

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        let asked = |clue: &Clue| match clue {
            Clue::GradOfMoved { created, device, shape, bytes, .. } => {
                Some(card(code, *created, &device.to_string(), shape, *bytes))
            }
            _ => None,
        };
        seen.facts.clues.iter().filter_map(asked).collect()
    }
}

/// A result of `.to()` that was mistaken for the leaf.
pub(super) fn card(code: &Code<'_>, created: u32, device: &str, shape: &[usize], bytes: usize) -> Card {
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
        Some(name) => (moved(&name), vec![operand(name)]),
        // `Net(x.to("cuda"))`: a result without a name can't be found by name.
        None => (moved_unnamed(), Vec::new()),
    };
    Rule::D13.card(created, cause, operands, fix.into_iter().collect())
}

/// Makes the result of a move a leaf.
fn leaf(code: &Code<'_>, item: usize) -> Option<Fix> {
    let call = code.exprs(item).into_iter().find(|e| method(e).is_some_and(|(_, name, _)| is_move(name)))?;
    let (receiver, ..) = method(call)?;
    let end = span(call).end;
    if let Expr::Call(inner) = receiver {
        if let Some(keyword) = keyword(inner, "requires_grad") {
            let cut = code.without(span(keyword), span(&inner.arguments));
            return code.edit(vec![(cut, String::new()), (Span { start: end, end }, ".requires_grad_()".into())]);
        }
        // A parameter is made again from the moved data, so that it stays a parameter.
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
