//! D11: NumPy gets a tensor that is on a GPU.

use super::{Example, Explain, Rule};
use crate::diagnose::numpy::{in_line, in_program};
use crate::diagnose::place::Place;
use crate::diagnose::seen::between;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    on_device(device):
        "NumPy can read only the CPU's memory, but this tensor is on {device}. Copy it with `.cpu()` first.",
        "NumPy kann nur den Speicher der CPU lesen, aber dieser Tensor liegt auf {device}. Kopier ihn vorher mit `.cpu()`.";
    named(name, device):
        "NumPy can read only the CPU's memory, but `{name}` is on {device}. Copy it with `.cpu()` first.",
        "NumPy kann nur den Speicher der CPU lesen, aber `{name}` liegt auf {device}. Kopier `{name}` vorher mit `.cpu()`.";
}

pub(super) struct D11;

impl Explain for D11 {
    const ABOUT: &'static str = "`y.numpy()`, `np.array(y)` and plotting functions need the numbers in the CPU's memory, and \
        PyTorch doesn't copy them there unasked.";
    const EXAMPLE: Example =
        Example::new("import torch\n\ny = torch.linspace(0, 1, 5, device=\"cuda\")\nprint(y.numpy())\n");
    const LESSON: &'static str = "hidden-copies";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let device = device(failure)?;
        // A tensor on `meta` has no data to copy.
        (device != "meta").then(|| Rule::D11.of(failure, on_device(&device), in_line(failure, ".cpu()")))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        let device = device(at.failure)?;
        in_program(at, text, true, |name| named(&name, &device))
    }
}

/// The tensor's device, from the message.
fn device<'a>(failure: &Failure<'a>) -> Option<&'a str> {
    between(failure.raised("TypeError")?, "can't convert ", " device type tensor to numpy.")
}
