//! D15: a checkpoint with GPU tensors, on a machine without a GPU.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{keyword, span};
use crate::diagnose::facts::Span;
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    no_gpu():
        "The file holds tensors from a GPU, but PyTorch finds no GPU on this machine. Pass `map_location` to say where the tensors should go.",
        "Die Datei enthält Tensoren von einer GPU, aber PyTorch findet auf dieser Maschine keine. Sag mit `map_location`, wohin die Tensoren sollen.";
}

pub(super) struct D15;

impl Explain for D15 {
    const ABOUT: &'static str = "A tensor is saved with the device it was on, and `torch.load` puts it back there.";
    const EXAMPLE: Example = Example::new("import torch\n\nweights = torch.load(\"checkpoint.pt\")\nprint(weights)\n")
        .on("cpu")
        .after("cuda:1", "import torch\ntorch.save(torch.ones(3, device=\"cuda\"), \"checkpoint.pt\")\n");
    const LESSON: &'static str = "checkpoints";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let known = failure.runtime()?.starts_with("Attempting to deserialize object on a CUDA device but");
        known.then(|| Rule::D15.of(failure, no_gpu(), None))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        mapped(at, text, "\"cpu\"")
    }
}

/// Tells `torch.load` where to put the tensors.
pub(super) fn mapped(at: &Place<'_>, text: &Card, to: &str) -> Option<Card> {
    for frame in at.seen.frames.iter().rev() {
        let item = at.code.at_line(frame.line)?;
        for e in at.code.exprs(item) {
            let Expr::Call(call) = e else { continue };
            if at.code.call_path(&call.func).as_deref() != Some("torch.load") {
                continue;
            }
            let fix = match keyword(call, "map_location") {
                Some(keyword) => at.code.edit(vec![(span(&keyword.value), to.into())]),
                None => {
                    let end = span(&call.arguments).end - 1;
                    at.code.edit(vec![(Span { start: end, end }, format!(", map_location={to}"))])
                }
            };
            return Some(text.at(frame.line, fix));
        }
    }
    None
}
