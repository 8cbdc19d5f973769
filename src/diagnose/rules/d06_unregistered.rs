//! D06: layers or parameters in a plain Python container, which the module does not know.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::d13_moved_leaf;
use super::{Example, Explain, Rule};
use crate::diagnose::attribute::{Attribute, Holds};
use crate::diagnose::code::{Code, is_move, method, path, span};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Fix};

words! {
    layers(attribute):
        "`{attribute}` is a plain Python container, so the module doesn't know the layers in it: `Module.to` doesn't move them and `parameters()` doesn't list them. Put them into an `nn.ModuleList` or an `nn.ModuleDict`.",
        "`{attribute}` ist ein einfacher Python-Container, also kennt das Modul die Schichten darin nicht: `Module.to` verschiebt sie nicht, und `parameters()` nennt sie nicht. Leg sie in eine `nn.ModuleList` oder ein `nn.ModuleDict`.";
    parameters(attribute):
        "`{attribute}` is a plain Python container, so the module doesn't know the parameters in it: `Module.to` doesn't move them and `parameters()` doesn't list them. Put them into an `nn.ParameterList` or an `nn.ParameterDict`.",
        "`{attribute}` ist ein einfacher Python-Container, also kennt das Modul die Parameter darin nicht: `Module.to` verschiebt sie nicht, und `parameters()` nennt sie nicht. Leg sie in eine `nn.ParameterList` oder ein `nn.ParameterDict`.";
    no_parameters():
        "The optimizer got no parameters, because the model has none registered. Layers in a plain list aren't registered; layers in an `nn.ModuleList` are.",
        "Der Optimizer hat keine Parameter bekommen, weil im Modell keine registriert sind. Schichten in einer einfachen Liste sind es nicht, Schichten in einer `nn.ModuleList` schon.";
}

pub(super) struct D06;

impl Explain for D06 {
    const ABOUT: &'static str = "A module finds its layers among its attributes, and doesn't look into lists, tuples and \
        dictionaries. So the layers stay on the CPU when the model moves, or the optimizer finds no parameters.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layers = [nn.Linear(4, 4), nn.Linear(4, 2)]\n\n    def forward(self, x):\n        for layer in self.layers:\n            x = layer(x)\n        return x\n\n\nnet = Net().to(\"cuda\")\nprint(net(torch.randn(3, 4, device=\"cuda\")).shape)\n",
    );
    const LESSON: &'static str = "lists-buffers-attributes";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let empty = failure.raised("ValueError")? == "optimizer got an empty parameter list";
        empty.then(|| Rule::D06.of(failure, no_parameters(), None))
    }

    fn explain(at: &Place<'_>, _text: &Card) -> Option<Card> {
        let code = at.code;
        // Layers, or parameters, in a plain container of a module.
        for (i, item) in code.items.iter().enumerate() {
            let Stmt::Assign(s) = item.stmt else { continue };
            let Some(attribute) = s.targets.first().and_then(path).filter(|p| p.starts_with("self.")) else { continue };
            if !code.in_module_class(i) {
                continue;
            }
            // `nn.Parameter(...).to(...)` isn't a parameter any more.
            let is_moved = |e: &Expr| match method(e) {
                Some((Expr::Call(c), name, _)) if is_move(name) => {
                    code.call_path(&c.func).is_some_and(|p| p.ends_with("Parameter"))
                }
                _ => false,
            };
            if code.exprs(i).into_iter().any(is_moved) {
                let card = d13_moved_leaf::card(code, code.line(span(item.stmt).start), "cuda:0", &[], 0);
                return Some(Card { operands: Vec::new(), ..card });
            }
            let container = matches!(
                &*s.value,
                Expr::List(_) | Expr::ListComp(_) | Expr::Dict(_) | Expr::DictComp(_) | Expr::Tuple(_)
            );
            let appended = code.calls().into_iter().any(|(_, c)| {
                matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "append" && path(&a.value).as_ref() == Some(&attribute))
            });
            let empty = matches!(&*s.value, Expr::List(l) if l.elts.is_empty());
            let modules = code.text_of(&*s.value).contains('(');
            if container && (modules || (empty && appended)) {
                let in_module = !code.text_of(&*s.value).contains("Parameter(");
                return unregistered(at, &Attribute::find(code, &attribute, in_module)?);
            }
        }
        None
    }

    fn behind(at: &Place<'_>) -> Option<Card> {
        unregistered(at, &Attribute::at_fault(at)?)
    }
}

fn unregistered(at: &Place<'_>, found: &Attribute<'_>) -> Option<Card> {
    let (cause, kind) = match found.holds {
        Holds::Layers => (layers(&found.name), "Module"),
        Holds::Parameters => (parameters(&found.name), "Parameter"),
        Holds::Tensor => return None,
    };
    let fix = found.value.and_then(|value| registered(at.code, value, kind));
    Some(at.card(Rule::D06, found.line, cause, fix.into_iter().collect()))
}

/// The container that registers its elements.
fn registered(code: &Code<'_>, value: &Expr, kind: &str) -> Option<Fix> {
    let shape = if matches!(value, Expr::Dict(_) | Expr::DictComp(_)) { "Dict" } else { "List" };
    let imported = ["import torch.nn as nn", "from torch import nn"].iter().any(|import| code.source.contains(import));
    let nn = if imported { "nn" } else { "torch.nn" };
    let whole = span(value);
    code.edit(vec![(whole, format!("{nn}.{kind}{shape}({})", code.text(whole)))])
}
