//! D12: NumPy gets a tensor that requires gradients.

use super::{Example, Explain, Rule};
use crate::diagnose::numpy::{in_line, in_program};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    has_graph():
        "This tensor requires gradients, and a NumPy array can't carry its graph. Drop the graph with `.detach()` first.",
        "Dieser Tensor verlangt Gradienten, und ein NumPy-Array kann seinen Graphen nicht behalten. Trenn den Tensor vorher mit `.detach()` vom Graphen.";
    named(name):
        "`{name}` requires gradients, and a NumPy array can't carry its graph. Drop the graph with `.detach()` first.",
        "`{name}` verlangt Gradienten, und ein NumPy-Array kann den Graphen nicht behalten. Trenn `{name}` vorher mit `.detach()` vom Graphen.";
}

pub(super) struct D12;

impl Explain for D12 {
    const ABOUT: &'static str = "A loss, a prediction or a parameter belongs to an autograd graph. NumPy would compute on with its \
        numbers outside the graph, so PyTorch asks you to say that you want that.";
    const EXAMPLE: Example = Example::new(
        "import torch\n\nw = torch.ones(3, requires_grad=True)\nloss = (w * 2).sum()\nprint(loss.numpy())\n",
    );
    const LESSON: &'static str = "leaves-and-gradients";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let known = failure.runtime()?.starts_with("Can't call numpy() on Tensor that requires grad.");
        known.then(|| Rule::D12.of(failure, has_graph(), in_line(failure, ".detach()")))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        in_program(at, text, false, |name| named(&name))
    }
}
