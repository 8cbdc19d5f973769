//! D08: a tensor made in a function that doesn't check on which device its input is.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, keyword, span};
use crate::diagnose::facts::Span;
use crate::diagnose::line_edit::join;
use crate::diagnose::met::Met;
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Kind};

words! {
    born_here(wanted):
        "This line creates a tensor on the CPU, but the function's input is on {wanted}. Create the tensor there, with `device=`.",
        "Diese Zeile erzeugt einen Tensor auf der CPU, aber die Eingabe der Funktion liegt auf {wanted}. Erzeug den Tensor dort, mit `device=`.";
    born_beside(input, wanted):
        "This line creates a tensor on the CPU, but the function's input `{input}` is on {wanted}. Create the tensor there, with `device=`.",
        "Diese Zeile erzeugt einen Tensor auf der CPU, aber die Eingabe `{input}` der Funktion liegt auf {wanted}. Erzeug den Tensor dort, mit `device=`.";
    joined(on, common):
        "The tensors to join are on two devices: one is on {on}, but those before it are on {common}. Create it there, or move it first.",
        "Die Tensoren, die verbunden werden sollen, liegen auf zwei Geräten: einer auf {on}, aber die davor auf {common}. Erzeug ihn dort, oder verschieb ihn vorher.";
}

pub(super) struct D08;

impl Explain for D08 {
    const ABOUT: &'static str = "`torch.zeros`, `torch.arange` and their like create tensors on the CPU unless `device=` says \
        otherwise. In a function whose input is on the GPU the new tensor meets it there. `torch.cat` and `torch.stack` have \
        their own message for this.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\n\nclass Positions(nn.Module):\n    def forward(self, x):\n        steps = torch.arange(x.shape[1])\n        return x + steps\n\n\nnet = Positions().to(\"cuda\")\nprint(net(torch.randn(3, 4, device=\"cuda\")).shape)\n",
    );
    const LESSON: &'static str = "born-in-forward";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let met = Met::read(failure).filter(joins)?;
        Some(Rule::D08.of(failure, joined(&met.first, &met.second), join(failure, &met)))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        at.moved(text)
    }

    fn behind(at: &Place<'_>) -> Option<Card> {
        let code = at.code;
        let met = at.met.as_ref()?;
        let mut places: Vec<(usize, u32)> = Vec::new();
        let frame = at.innermost()?;
        let failing = code.at_line(frame.line)?;
        for o in at.candidates(met).iter().filter(|o| o.about.kind == Kind::Tensor && o.created > 0) {
            if let Some(item) = code.at_line(o.created) {
                places.push((item, o.created));
            }
        }
        places.push((failing, frame.line));
        for (item, line) in places {
            let Some(function) = code.items[item].function else { continue };
            if code.function_name(item) == Some("__init__") {
                continue;
            }
            // A tensor on the other device that the caller has, seen in the frame of this function.
            let here = |f: &&crate::diagnose::Frame| {
                code.at_line(f.line).is_some_and(|i| code.items[i].function == Some(function))
            };
            let Some(running) = at.seen.frames.iter().rev().find(here) else { continue };
            let there = running.operands.iter().find(|o| {
                let root = o.name.split(['.', '[']).next().unwrap_or_default();
                o.device == met.wanted()
                    && o.about.kind == Kind::Tensor
                    && code.is_parameter(function, root)
                    && root != "self"
            });
            let in_module = code.in_module_class(item);
            if there.is_none() && !in_module {
                continue;
            }
            let Some(Expr::Call(call)) = factory(code, item) else { continue };
            let device = match there.or_else(|| running.operands.iter().find(|o| o.device == met.wanted())) {
                Some(o) => format!("{}.device", o.name),
                None => "next(self.parameters()).device".to_string(),
            };
            let end = span(&call.arguments).end - 1;
            let comma = if call.arguments.is_empty() { "" } else { ", " };
            let fix = code.edit(vec![(Span { start: end, end }, format!("{comma}device={device}"))]);
            let cause = match there {
                Some(input) => born_beside(&input.name, &met.wanted()),
                None => born_here(&met.wanted()),
            };
            return Some(at.card(Rule::D08, line, cause, fix.into_iter().collect()));
        }
        if joins(met) { at.moved(at.text?) } else { None }
    }
}

/// `torch.cat` and `torch.stack`.
fn joins(met: &Met<'_>) -> bool {
    met.method().is_some_and(|method| method.ends_with("_cat"))
}

const MAKERS: [&str; 14] = [
    "zeros",
    "ones",
    "empty",
    "full",
    "arange",
    "linspace",
    "logspace",
    "eye",
    "rand",
    "randn",
    "randint",
    "randperm",
    "tensor",
    "as_tensor",
];

/// A call in a statement that makes a tensor without naming a device.
pub(super) fn factory<'a>(code: &Code<'a>, item: usize) -> Option<&'a Expr> {
    code.exprs(item).into_iter().find(|e| {
        let Some(call) = e.as_call_expr() else { return false };
        let made = code.call_path(&call.func);
        let makes = made.is_some_and(|p| p.strip_prefix("torch.").is_some_and(|f| MAKERS.contains(&f)));
        makes && keyword(call, "device").is_none()
    })
}
