//! D29: a kernel used an index that doesn't exist, and the program learns of it later.

use super::{Example, Explain, Rule};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};
use crate::trace::Clue;

words! {
    somewhere():
        "A kernel got an index that doesn't exist, such as a label beyond the number of classes. The GPU reports that late, so the mistake may be in an earlier line than the one shown.",
        "Ein Kernel bekam einen Index, den es nicht gibt, etwa ein Label, zu dem es keine Klasse gibt. Die GPU meldet das spät, also kann der Fehler in einer früheren Zeile stecken als der gezeigten.";
    out_of_bounds(line, index, last):
        "The kernel launched in line {line} got index {index}, but only 0 to {last} exist. The GPU reports that only when the program next waits for it, which is why the error appears later.",
        "Der in Zeile {line} gestartete Kernel bekam den Index {index}, aber es gibt nur 0 bis {last}. Die GPU meldet das erst, wenn das Programm das nächste Mal auf sie wartet; deshalb erscheint der Fehler später.";
}

pub(super) struct D29;

impl Explain for D29 {
    const ABOUT: &'static str = "An index out of bounds in a kernel, most often a label that the model has no output for. On the \
        CPU the same line raises `IndexError` at once. There is no edit: whether the label or the number of classes is wrong, \
        only you know.";
    const EXAMPLE: Example = Example::new(
        "import torch\nimport torch.nn.functional as F\n\nlogits = torch.randn(2, 3, device=\"cuda\")\nlabels = torch.tensor([1, 10], device=\"cuda\")\nloss = F.cross_entropy(logits, labels)\nscaled = loss * 2\nprint(scaled.item())\n",
    );
    const LESSON: &'static str = "device-side-asserts";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let known = failure.runtime()?.starts_with("CUDA error: device-side assert triggered");
        known.then(|| Rule::D29.of(failure, somewhere(), None))
    }

    /// Finds the launch that the device's error is about.
    fn explain(at: &Place<'_>, _text: &Card) -> Option<Card> {
        at.seen.facts.clues.iter().find_map(|clue| match clue {
            Clue::OutOfBounds { line, index, size } => {
                let cause = out_of_bounds(line, index, &size.saturating_sub(1));
                Some(at.card(Rule::D29, *line, cause, Vec::new()))
            }
            _ => None,
        })
    }
}
