//! D02: a model and its input, or two factors, on different devices.

use super::{Example, Explain, Rule};
use crate::diagnose::line_edit::{join, named};
use crate::diagnose::met::{Check, Met};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Cause, Failure};

words! {
    layer_input(input, on, common):
        "`{input}` is on {on}, but the layer's parameters are on {common}. Calling a model moves nothing, so put both on the same device first.",
        "`{input}` liegt auf {on}, aber die Parameter der Schicht liegen auf {common}. Ein Modell aufzurufen verschiebt nichts, also bring beide vorher auf dasselbe Gerät.";
    layer_input_unnamed(on, common):
        "The layer's input is on {on}, but its parameters are on {common}. Calling a model moves nothing, so put both on the same device first.",
        "Die Eingabe der Schicht liegt auf {on}, aber ihre Parameter liegen auf {common}. Ein Modell aufzurufen verschiebt nichts, also bring beide vorher auf dasselbe Gerät.";
    product(argument, on, common):
        "In this matrix product, `{argument}` is on {on}, but the other operands are on {common}. Put them on the same device first.",
        "In diesem Matrixprodukt liegt `{argument}` auf {on}, aber die anderen Operanden liegen auf {common}. Bring sie vorher auf dasselbe Gerät.";
    recurrent(input, part, other):
        "The layer's input is on {input}, but its {part} tensors are on {other}. Calling a layer moves nothing, so put them on the same device first.",
        "Die Eingabe der Schicht liegt auf {input}, aber ihre Tensoren `{part}` liegen auf {other}. Eine Schicht aufzurufen verschiebt nichts, also bring sie vorher auf dasselbe Gerät.";
    two_named(a, on, b, other):
        "`{a}` is on {on}, but `{b}` is on {other}. PyTorch moves neither for you, so put both on the same device first.",
        "`{a}` liegt auf {on}, aber `{b}` liegt auf {other}. PyTorch verschiebt keinen davon für dich, also bring beide vorher auf dasselbe Gerät.";
    argument(argument, on, common):
        "The argument `{argument}` is on {on}, but the ones before it are on {common}. Put them on the same device first.",
        "Das Argument `{argument}` liegt auf {on}, aber die davor liegen auf {common}. Bring sie vorher auf dasselbe Gerät.";
}

pub(super) struct D02;

impl Explain for D02 {
    const ABOUT: &'static str = "Typical of a training loop that moves the model to the GPU and forgets the batch. Matrix \
        products give the same message, and recurrent layers a similar one.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\nmodel = nn.Linear(8, 4).to(\"cuda\")\nx = torch.randn(2, 8)\nprint(model(x).shape)\n",
    );
    const LESSON: &'static str = "model-and-data";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let met = Met::read(failure)?;
        let Met { first: on, second: common, .. } = met;
        let cause = match met.check {
            Check::Argument { argument, method } => checked(failure, argument, on, common, method),
            Check::Recurrent { part } => recurrent(&on, &part, &common),
            _ => return None,
        };
        let card = Rule::D02.of(failure, cause, join(failure, &met));
        let gpus = [&on, &common].iter().all(|device| device.starts_with("cuda"));
        Some(if gpus { Card { lesson: Some("two-gpus".into()), ..card } } else { card })
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        at.moved(text)
    }
}

fn checked(failure: &Failure<'_>, name: &str, on: &str, common: &str, method: &str) -> Cause {
    // A linear layer computes bias + input @ weight.
    if method.ends_with("_addmm") {
        return match (name, named(failure, on, false)) {
            ("mat1", Some(input)) => layer_input(&input, &on, &common),
            ("mat1", None) => layer_input_unnamed(&on, &common),
            _ => product(&name, &on, &common),
        };
    }
    match (named(failure, on, false), named(failure, common, false)) {
        (Some(a), Some(b)) => two_named(&a, &on, &b, &common),
        _ if method.ends_with("mm") => product(&name, &on, &common),
        _ => argument(&name, &on, &common),
    }
}
