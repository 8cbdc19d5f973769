//! D09: a loss whose class weights, or whose targets, aren't on the device of the predictions.

use rustpython_vm::compiler::ast::Stmt;

use super::{Example, Explain, Rule};
use crate::diagnose::code::span;
use crate::diagnose::line_edit::join;
use crate::diagnose::met::{Check, Met};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Kind, Operand};

words! {
    weights(on, common):
        "The loss's class weights are on {on}, but the predictions are on {common}. Move the weights first; a loss that holds them moves like a model, with `.to()`.",
        "Die Klassengewichte der Verlustfunktion liegen auf {on}, aber die Vorhersagen liegen auf {common}. Verschieb zuerst die Gewichte; eine Verlustfunktion, die sie hält, wird wie ein Modell mit `.to()` verschoben.";
    argument(argument, on, common):
        "The loss's {argument} is on {on}, but the predictions are on {common}. Move it to the predictions' device first.",
        "`{argument}` der Verlustfunktion liegt auf {on}, aber die Vorhersagen liegen auf {common}. Verschieb es vorher auf das Gerät der Vorhersagen.";
    buffer(loss, part, on, wanted):
        "`{loss}` keeps its `{part}` on {on}, but the predictions are on {wanted}. A loss is a module, so move it like a model, with `.to()`.",
        "`{loss}` hält `{part}` auf {on}, aber die Vorhersagen liegen auf {wanted}. Eine Verlustfunktion ist ein Modul, also verschieb sie wie ein Modell, mit `.to()`.";
}

pub(super) struct D09;

impl Explain for D09 {
    const ABOUT: &'static str = "`nn.CrossEntropyLoss(weight=w)` keeps `w` as a buffer, so the loss has to be moved like a model. \
        A target that wasn't moved with its batch gives the same message.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\nloss_fn = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 1.0]))\nlogits = torch.randn(4, 3, device=\"cuda\")\ntarget = torch.tensor([0, 1, 2, 1], device=\"cuda\")\nprint(loss_fn(logits, target).item() > 0)\n",
    );
    const LESSON: &'static str = "same-device-rule";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let met = Met::read(failure).filter(is_nll)?;
        let Check::Argument { argument: name, .. } = met.check else { return None };
        let Met { first: on, second: common, .. } = met;
        let cause = match name {
            "weight" => weights(&on, &common),
            _ => argument(&name, &on, &common),
        };
        Some(Rule::D09.of(failure, cause, join(failure, &met)))
    }

    fn behind(at: &Place<'_>) -> Option<Card> {
        let met = at.met.as_ref()?;
        let frame = at.innermost()?;
        let candidates = at.candidates(met);
        // A buffer of a module without parameters: the module is a loss, not a model.
        let weight = candidates.iter().find(|o| {
            let root = o.name.split('.').next().unwrap_or_default();
            let part = format!("{root}.");
            let learns = |p: &Operand| p.about.kind == Kind::Parameter && p.name.starts_with(&part);
            o.about.kind == Kind::Buffer
                && !frame.operands.iter().any(learns)
                && (o.name.ends_with(".weight") || o.name.ends_with(".pos_weight"))
        });
        let Some(weight) = weight else { return if is_nll(met) { at.moved(at.text?) } else { None } };
        let (loss, part) = weight.name.rsplit_once('.')?;
        let made = at.code.assignments(loss);
        let item = *made.first()?;
        let line = at.code.line(span(at.code.items[item].stmt).start);
        let fix = match at.code.items[item].stmt {
            Stmt::Assign(s) if made.len() == 1 => {
                let to = at.destination(item, met.wanted(), None);
                at.code.append(&*s.value, &format!(".to({to})"))
            }
            _ => None,
        };
        let cause = buffer(&loss, &part, &met.wrong(), &met.wanted());
        Some(at.card(Rule::D09, line, cause, fix.into_iter().collect()))
    }
}

/// Cross entropy ends in the negative log-likelihood.
fn is_nll(met: &Met<'_>) -> bool {
    met.method().is_some_and(|method| method.contains("nll_loss"))
}
