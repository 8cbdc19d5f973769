//! D01: two tensors on different devices in one operation.

use super::{Example, Explain, Rule};
use crate::diagnose::line_edit::{join, named};
use crate::diagnose::met::{Check, Met};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Cause, Failure};

words! {
    two_named(a, on, b, other):
        "`{a}` is on {on}, but `{b}` is on {other}. The tensors of one operation must be on the same device, so move one of them with `.to()`.",
        "`{a}` liegt auf {on}, aber `{b}` liegt auf {other}. Die Tensoren einer Operation müssen auf demselben Gerät liegen, also verschieb einen davon mit `.to()`.";
    one_named(a, on, other):
        "`{a}` is on {on}, but another tensor of this operation is on {other}. They must be on the same device, so move one of them with `.to()`.",
        "`{a}` liegt auf {on}, aber ein anderer Tensor dieser Operation liegt auf {other}. Sie müssen auf demselben Gerät liegen, also verschieb einen davon mit `.to()`.";
    none_named(on, other):
        "One tensor of this operation is on {on}, but another is on {other}. They must be on the same device, so move one of them with `.to()`.",
        "Ein Tensor dieser Operation liegt auf {on}, aber ein anderer auf {other}. Sie müssen auf demselben Gerät liegen, also verschieb einen davon mit `.to()`.";
}

pub(super) struct D01;

impl Explain for D01 {
    const ABOUT: &'static str = "An elementwise operation, a mask or attention got tensors on two devices, and no other \
        rule knows how they got there. A CPU tensor without dimensions isn't at fault: PyTorch lets \
        it meet any device.";
    const EXAMPLE: Example =
        Example::new("import torch\n\nx = torch.ones(3)\ny = torch.ones(3, device=\"cuda\")\nprint(x + y)\n");
    const LESSON: &'static str = "same-device-rule";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let met = Met::read(failure).filter(|met| met.check == Check::Elementwise)?;
        Some(Rule::D01.of(failure, cause(failure, &met), join(failure, &met)))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        at.moved(text)
    }
}

fn cause(failure: &Failure<'_>, met: &Met<'_>) -> Cause {
    let Met { first, second, .. } = met;
    match (named(failure, first, true), named(failure, second, true)) {
        (Some(a), Some(b)) => two_named(&a, first, &b, second),
        (Some(a), None) => one_named(&a, first, second),
        (None, Some(a)) => one_named(&a, second, first),
        (None, None) => none_named(first, second),
    }
}
