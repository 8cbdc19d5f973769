//! D26: `DataParallel` over a module on another device, and checkpoints that were saved inside or outside a wrapper.

use super::{Example, Explain, Rule};
use crate::diagnose::code::{method, span};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    elsewhere(wanted, found):
        "In every forward pass, `DataParallel` copies the module from its first device, {wanted}, to the other GPUs, but the module is on {found}. Move it to {wanted} first.",
        "`DataParallel` kopiert das Modul in jedem Vorwärtslauf von seinem ersten Gerät, {wanted}, auf die anderen GPUs, aber das Modul liegt auf {found}. Verschieb es vorher nach {wanted}.";
    keys_wrapped():
        "The checkpoint was saved from a model wrapped in `DataParallel`, which puts `module.` before every key, but the model here isn't wrapped. Remove the prefix from the keys.",
        "Der Checkpoint wurde aus einem Modell in `DataParallel` gespeichert, das jedem Schlüssel `module.` voranstellt, aber das Modell hier ist nicht umhüllt. Entfern `module.` am Anfang der Schlüssel.";
    keys_unwrapped():
        "The model here is wrapped, so its keys begin with `module.`, but the checkpoint was saved from the model inside. Load it into the wrapper's `.module`.",
        "Das Modell hier ist umhüllt, also beginnen seine Schlüssel mit `module.`, aber der Checkpoint wurde aus dem Modell in der Hülle gespeichert. Lad ihn in dieses Modell, `.module` der Hülle.";
}

pub(super) struct D26;

impl Explain for D26 {
    const ABOUT: &'static str = "The module must be on the first of the devices, and its keys in a checkpoint get the prefix \
        `module.`. A checkpoint whose keys differ by that prefix alone gets a card; one of another model doesn't.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\nnet = nn.DataParallel(nn.Linear(4, 2))\nx = torch.randn(6, 4, device=\"cuda\")\nprint(net(x).shape)\n",
    )
    .on("cuda:2");
    const LESSON: &'static str = "data-parallel";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let message = failure.runtime()?;
        let cause = match message.strip_prefix("module must have its parameters and buffers on device ") {
            Some(rest) => {
                let (wanted, found) = rest.split_once(" (device_ids[0]) but found one of them on device: ")?;
                elsewhere(&wanted, &found)
            }
            None if is_wrapped(message)? => keys_wrapped(),
            None => keys_unwrapped(),
        };
        Some(Rule::D26.of(failure, cause, None))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        match is_wrapped(at.failure.message) {
            Some(wrapped) => keys(at, text, wrapped),
            None => replica(at, text),
        }
    }
}

/// Whether the checkpoint's names have the wrapper's `module.`, or the model's names have it; `None` if something else
/// differs.
fn is_wrapped(message: &str) -> Option<bool> {
    if !message.starts_with("Error(s) in loading state_dict for ") {
        return None;
    }
    let keys = |what: &str| message.split_once(what).map(|(_, rest)| rest.split('\n').next().unwrap_or_default());
    let (missing, unexpected) = (keys("Missing key(s) in state_dict: ")?, keys("Unexpected key(s) in state_dict: ")?);
    let all = |keys: &str| keys.split('"').skip(1).step_by(2).all(|key| key.starts_with("module."));
    match (all(missing), all(unexpected)) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

fn replica(at: &Place<'_>, text: &Card) -> Option<Card> {
    for (_, call) in at.code.calls() {
        let path = at.code.call_path(&call.func);
        if path.is_some_and(|p| p.ends_with("DataParallel") && !p.ends_with("DistributedDataParallel")) {
            let module = call.arguments.args.first()?;
            return Some(text.at(at.code.line(span(call).start), at.code.append(module, ".to(\"cuda:0\")")));
        }
    }
    None
}

fn keys(at: &Place<'_>, text: &Card, wrapped: bool) -> Option<Card> {
    let frame = at.innermost()?;
    let item = at.code.at_line(frame.line)?;
    for e in at.code.exprs(item) {
        let Some((model, "load_state_dict", arguments)) = method(e) else { continue };
        let fix = if wrapped {
            let state = arguments.args.first()?;
            let items = format!("{}.items()", at.code.text_of(state));
            at.code.edit(vec![(span(state), format!("{{k.removeprefix(\"module.\"): v for k, v in {items}}}"))])
        } else {
            at.code.append(model, ".module")
        };
        return Some(text.at(frame.line, fix));
    }
    None
}
