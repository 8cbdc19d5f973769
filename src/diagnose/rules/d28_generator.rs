//! D28: random numbers drawn with the generator of another device.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{keyword, path, span};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    other_device(wanted, found):
        "The random numbers are drawn on {wanted}, but the generator belongs to {found}. Create the generator on {wanted}, with `device=`.",
        "Die Zufallszahlen werden auf {wanted} gezogen, aber der Generator gehört zu {found}. Erzeug den Generator auf {wanted}, mit `device=`.";
}

pub(super) struct D28;

impl Explain for D28 {
    const ABOUT: &'static str =
        "A `torch.Generator` belongs to one device, by default to the CPU, and draws numbers only there.";
    const EXAMPLE: Example = Example::new(
        "import torch\n\ng = torch.Generator()\ng.manual_seed(0)\nprint(torch.randn(3, device=\"cuda\", generator=g))\n",
    );
    const LESSON: &'static str = "seeds-and-generators";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let (wanted, found) = devices(failure)?;
        Some(Rule::D28.of(failure, other_device(&wanted, &found), None))
    }

    /// The generator, where it is made.
    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        let (wanted, _) = devices(at.failure)?;
        let code = at.code;
        let failing = code.at_line(at.innermost()?.line)?;
        let mut places = vec![failing];
        for e in code.exprs(failing) {
            let Expr::Call(call) = e else { continue };
            let name = keyword(call, "generator").and_then(|k| path(&k.value));
            places.extend(name.map_or(Vec::new(), |name| code.assignments(&name)));
        }
        places.extend(0..code.items.len());
        for item in places {
            for e in code.exprs(item) {
                let Expr::Call(call) = e else { continue };
                if code.call_path(&call.func).as_deref() != Some("torch.Generator") {
                    continue;
                }
                let arguments = span(&call.arguments);
                let new = if wanted == "cpu" { "()".to_string() } else { format!("(device=\"{wanted}\")") };
                return Some(text.at(code.line(arguments.start), code.edit(vec![(arguments, new)])));
            }
        }
        None
    }
}

/// The device on which numbers are drawn, and that of the generator.
fn devices<'a>(failure: &Failure<'a>) -> Option<(&'a str, &'a str)> {
    let rest = failure.runtime()?.strip_prefix("Expected a '")?;
    let (wanted, rest) = rest.split_once("' device type for generator but found '")?;
    Some((wanted, rest.strip_suffix('\'')?))
}
