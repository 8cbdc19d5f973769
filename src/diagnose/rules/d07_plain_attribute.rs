//! D07: a tensor in a plain attribute of a module, which does not move with it.

use rustpython_vm::compiler::ast::Expr;

use super::d01_two_devices::D01;
use super::{Example, Explain, Rule};
use crate::diagnose::attribute::{Attribute, Holds};
use crate::diagnose::code::span;
use crate::diagnose::line::{calls, set_in_init};
use crate::diagnose::line_edit::culprits;
use crate::diagnose::met::{Check, Met};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Fix};

words! {
    plain_attribute(attribute):
        "`{attribute}` is a plain attribute, and `Module.to` moves only parameters and buffers, so it stayed behind. Register it with `register_buffer`.",
        "`{attribute}` ist ein einfaches Attribut, und `Module.to` verschiebt nur Parameter und Puffer, also blieb es zurück. Registrier es mit `register_buffer`.";
}

pub(super) struct D07;

impl Explain for D07 {
    const ABOUT: &'static str = "A mask or a table that `__init__` stores as `self.mask = …` is neither a parameter nor a buffer. \
        When the model moves to the GPU, it stays on the CPU, and the first `forward` fails.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\n\nclass Masked(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(4, 4)\n        self.mask = torch.tensor([1.0, 0.0, 1.0, 0.0])\n\n    def forward(self, x):\n        return self.fc(x) * self.mask\n\n\nnet = Masked().to(\"cuda\")\nprint(net(torch.randn(3, 4, device=\"cuda\")).shape)\n",
    );
    const LESSON: &'static str = "buffers";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let (name, line, value) = set_and_left(failure)?;
        let before = failure.text(line)?;
        let indent = &before[..before.len() - before.trim_start().len()];
        let after = format!("{indent}self.register_buffer(\"{name}\", {value})");
        let fix = Fix { line, before: before.to_string(), after };
        Some(Rule::D07.of(failure, plain_attribute(&format!("self.{name}")), Some(fix)))
    }

    /// Here the run shows more than the line: whether a tensor in a plain attribute is on the wrong device.
    fn explain(at: &Place<'_>, _text: &Card) -> Option<Card> {
        D01::explain(at, &D01::from_text(at.failure)?)
    }

    fn behind(at: &Place<'_>) -> Option<Card> {
        let found = Attribute::at_fault(at).filter(|found| found.holds == Holds::Tensor)?;
        let name = found.name.strip_prefix("self.")?;
        let value =
            found.value.filter(|v| !matches!(v, Expr::List(_) | Expr::ListComp(_) | Expr::Dict(_) | Expr::Tuple(_)));
        let fix = value.and_then(|value| {
            let text = format!("self.register_buffer(\"{name}\", {})", at.code.text_of(value));
            at.code.edit(vec![(span(at.code.items[found.item].stmt), text)])
        });
        Some(at.card(Rule::D07, found.line, plain_attribute(&found.name), fix.into_iter().collect()))
    }
}

/// An attribute of a module that stayed on the CPU because it's neither a parameter nor a buffer: its name without
/// `self.`, and the line of `__init__` that sets it, with the value.
fn set_and_left<'a>(failure: &Failure<'a>) -> Option<(&'a str, u32, &'a str)> {
    let met = Met::read(failure).filter(|met| met.check == Check::Elementwise)?;
    if met.first != "cpu" && met.second != "cpu" {
        return None;
    }
    let [tensor] = culprits(failure, "cpu", true)[..] else { return None };
    let name = tensor.name.strip_prefix("self.").filter(|name| !name.contains('.'))?;
    let (line, value) = set_in_init(failure.source, &tensor.name)?;
    (!calls(value, "Parameter") && !calls(value, "Buffer")).then_some((name, line, value))
}
