//! D14: an optimizer's state is not where its parameters are.

use rustpython_vm::compiler::ast::Stmt;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, method, path, span};
use crate::diagnose::met::{Check, Met};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Fix, Kind};

words! {
    left():
        "The optimizer created its state on one device, and its parameters were moved to another later: moving a module doesn't move the state that an optimizer already has. Move the model before the first step, or reload the state with `load_state_dict`.",
        "Der Optimizer hat seinen Zustand auf einem Gerät angelegt, und seine Parameter wurden später auf ein anderes verschoben: Wenn du ein Modul verschiebst, kommt der Zustand nicht mit, den ein Optimizer schon hat. Verschieb das Modell vor dem ersten Schritt, oder lad den Zustand neu mit `load_state_dict`.";
    left_at(state, line, parameters):
        "The optimizer created its state on {state} at its first step, and line {line} moved the parameters to {parameters} later. Moving a module doesn't move an optimizer's state, so reload it with `load_state_dict`, or move the model before the first step.",
        "Der Optimizer hat seinen Zustand beim ersten Schritt auf {state} angelegt, und Zeile {line} hat die Parameter später nach {parameters} verschoben. Wenn du ein Modul verschiebst, kommt der Zustand eines Optimizers nicht mit. Lad ihn also neu mit `load_state_dict`, oder verschieb das Modell vor dem ersten Schritt.";
}

pub(super) struct D14;

impl Explain for D14 {
    const ABOUT: &'static str = "Adam and its relatives create their averages at the first step, where the parameters are then. \
        If the model moves after that, the next step fails inside the optimizer. An optimizer that hasn't stepped yet is fine.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\nmodel = nn.Linear(4, 2)\noptimizer = torch.optim.Adam(model.parameters())\nmodel(torch.randn(3, 4)).sum().backward()\noptimizer.step()\n\nmodel.to(\"cuda\")\noptimizer.zero_grad()\nmodel(torch.randn(3, 4, device=\"cuda\")).sum().backward()\noptimizer.step()\n",
    );
    const LESSON: &'static str = "resume-training";

    /// The message is that of an elementwise operation, but the line has none: the optimizer's own tensors are on
    /// different devices.
    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let mixed = Met::read(failure).is_some_and(|met| met.check == Check::Elementwise);
        (mixed && failure.calls("step")).then(|| Rule::D14.of(failure, left(), None))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        at.moved(text)
    }

    fn behind(at: &Place<'_>) -> Option<Card> {
        let code = at.code;
        at.met.as_ref()?;
        let frame = at.innermost()?;
        let item = code.at_line(frame.line)?;
        let steps = code.exprs(item).into_iter().any(|e| matches!(method(e), Some((_, "step", _))));
        if !steps {
            return None;
        }
        let state = frame.operands.iter().find(|o| o.about.kind == Kind::State)?;
        let parameter = frame.operands.iter().find(|o| o.about.kind == Kind::Parameter && o.device != state.device)?;
        let optimizer = state.name.split(".state[").next()?;
        let fix = reload(code, item, code.at_line(parameter.moved), optimizer);
        let cause = left_at(&state.device, &parameter.moved, &parameter.device);
        Some(at.card(Rule::D14, parameter.moved, cause, fix.into_iter().collect()))
    }
}

/// Reloads the state once, right after the parameters moved. At the step itself, it would be reloaded in every step.
fn reload(code: &Code<'_>, step: usize, moved: Option<usize>, optimizer: &str) -> Option<Fix> {
    let text = |name: &str| format!("{name}.load_state_dict({name}.state_dict())");
    let Some(moved) = moved else {
        let once = code.items[step].function.is_none() && code.items[step].looped.is_none();
        return once.then(|| code.insert_before(step, &text(optimizer)))?;
    };
    if let Some(name) = known_as(code, step, moved, optimizer) {
        return code.insert_after(moved, &text(&name));
    }
    // The function that moved them doesn't have the optimizer; a caller may.
    let mover = code.function_name(moved)?;
    code.calls().into_iter().find_map(|(item, call)| {
        let calls = path(&call.func).is_some_and(|name| name.rsplit('.').next() == Some(mover));
        let once = calls && code.items[item].looped.is_none();
        let name = once.then(|| known_as(code, step, item, optimizer))??;
        code.insert_after(item, &text(&name))
    })
}

/// The name that the optimizer of statement `step` has in statement `item`.
fn known_as(code: &Code<'_>, step: usize, item: usize, optimizer: &str) -> Option<String> {
    let (there, here) = (code.items[step], code.items[item]);
    let attribute = optimizer.strip_prefix("self.");
    if here.function == there.function || (attribute.is_some() && here.class.is_some() && here.class == there.class) {
        return Some(optimizer.to_string());
    }
    let mut before = (0..code.items.len())
        .filter(|&i| code.items[i].function == here.function && span(code.items[i].stmt).end <= span(here.stmt).start);
    let Some(attribute) = attribute else {
        let made = code.assignments(optimizer);
        return before.any(|i| made.contains(&i)).then(|| optimizer.to_string());
    };
    // `trainer.optimizer`, if `trainer` is made of the class whose method steps.
    let Stmt::ClassDef(class) = code.items[there.class?].stmt else { return None };
    before.find_map(|i| {
        let Stmt::Assign(s) = code.items[i].stmt else { return None };
        let made = path(&s.value.as_call_expr()?.func)? == class.name.as_str();
        let [object] = &s.targets[..] else { return None };
        made.then(|| Some(format!("{}.{attribute}", path(object)?)))?
    })
}
