//! D03: a convolution and its input on different devices.

use super::{Example, Explain, Rule};
use crate::diagnose::line_edit::{join, named};
use crate::diagnose::met::{Check, Met};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    layer(input, part, other):
        "The convolution's input is on {input}, but its {part} is on {other}. Calling a layer moves nothing, so put both on the same device first.",
        "Die Eingabe der Faltung liegt auf {input}, aber `{part}` liegt auf {other}. Eine Schicht aufzurufen verschiebt nichts, also bring beide vorher auf dasselbe Gerät.";
    two_named(a, on, b, other):
        "`{a}` is on {on}, but `{b}` is on {other}. A convolution moves neither for you, so put both on the same device first.",
        "`{a}` liegt auf {on}, aber `{b}` liegt auf {other}. Eine Faltung verschiebt keinen davon für dich, also bring beide vorher auf dasselbe Gerät.";
}

pub(super) struct D03;

impl Explain for D03 {
    const ABOUT: &'static str = "Which message you see depends on the library that PyTorch chose for the convolution: the \
        one below compares types of tensors, another names the argument `weight`. Both mean the same.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\nconv = nn.Conv2d(1, 4, 3)\nimages = torch.randn(2, 1, 8, 8, device=\"cuda\")\nprint(conv(images).shape)\n",
    );
    const LESSON: &'static str = "same-device-rule";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let met = Met::read(failure)?;
        let Met { first, second, .. } = met;
        let cause = match met.check {
            Check::Convolution { part } => layer(&first, &part, &second),
            Check::Argument { argument, method } if method.contains("conv") => {
                match (named(failure, first, false), named(failure, second, false)) {
                    (Some(a), Some(b)) => two_named(&a, &first, &b, &second),
                    _ => layer(&second, &argument, &first),
                }
            }
            _ => return None,
        };
        Some(Rule::D03.of(failure, cause, join(failure, &met)))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        at.moved(text)
    }
}
