//! D30: a constructor from before PyTorch 0.4, called with a device.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::span;
use crate::diagnose::facts::Span;
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    cpu_only():
        "`torch.FloatTensor` and its relatives create tensors only on the CPU. Use `torch.tensor`, which takes a `device`.",
        "`torch.FloatTensor` und seine Verwandten erzeugen Tensoren nur auf der CPU. Nimm `torch.tensor`: Es kennt `device`.";
}

pub(super) struct D30;

impl Explain for D30 {
    const ABOUT: &'static str = "Constructors named after a type are older than `device=`. With numbers they become \
        `torch.tensor`, with sizes `torch.empty`.";
    const EXAMPLE: Example =
        Example::new("import torch\n\nx = torch.FloatTensor([1.0, 2.0], device=\"cuda\")\nprint(x)\n");
    const LESSON: &'static str = "created-or-copied";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let classes = [failure.raised("TypeError"), failure.raised("ValueError"), failure.runtime()];
        let rest = classes.into_iter().flatten().next()?.strip_prefix("legacy constructor expects device type: ")?;
        rest.contains(" but device type: ").then(|| Rule::D30.of(failure, cpu_only(), None))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        let frame = at.innermost()?;
        let item = at.code.at_line(frame.line)?;
        for e in at.code.exprs(item) {
            let Expr::Call(c) = e else { continue };
            let Some(name) = at.code.call_path(&c.func).filter(|p| p.starts_with("torch.") && p.ends_with("Tensor"))
            else {
                continue;
            };
            let Expr::Attribute(a) = &*c.func else { continue };
            let sizes = c.arguments.args.iter().all(|a| a.is_number_literal_expr()) && !c.arguments.args.is_empty();
            let dtype = match name.rsplit('.').next()?.trim_end_matches("Tensor") {
                "Float" => "float32",
                "Double" => "float64",
                "Half" => "float16",
                "Long" => "int64",
                "Int" => "int32",
                "Byte" => "uint8",
                "Bool" => "bool",
                _ => "float32",
            };
            let make = if sizes { "empty" } else { "tensor" };
            let func = Span { start: span(&*a.value).end, end: span(&*c.func).end };
            let end = span(&c.arguments).end - 1;
            let fix = at
                .code
                .edit(vec![(func, format!(".{make}")), (Span { start: end, end }, format!(", dtype=torch.{dtype}"))]);
            return Some(text.at(frame.line, fix));
        }
        None
    }
}
