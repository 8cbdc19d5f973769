//! D27: processes that haven't formed a group, and `DistributedDataParallel` over a module on another device.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{keyword, span};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    no_group():
        "This process hasn't joined a process group yet, so it can't reach the others. Call `torch.distributed.init_process_group` first.",
        "Dieser Prozess ist noch in keiner Prozessgruppe, also erreicht er die anderen nicht. Ruf zuerst `torch.distributed.init_process_group` auf.";
    elsewhere():
        "`device_ids` names a GPU, but the module's parameters aren't on it. Move the module to that GPU first.",
        "`device_ids` nennt eine GPU, aber die Parameter des Moduls liegen nicht darauf. Verschieb das Modul vorher auf diese GPU.";
}

pub(super) struct D27;

impl Explain for D27 {
    const ABOUT: &'static str = "Ranks, collectives and `DistributedDataParallel` need a process group. The wrapper also needs its \
        module on the GPU that `device_ids` names, which has its own message.";
    const EXAMPLE: Example = Example::new("import torch.distributed as dist\n\nprint(dist.get_rank())\n");
    const LESSON: &'static str = "distributed";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let value = failure.raised("ValueError");
        let group = "Default process group has not been initialized";
        let cause = if value.or(failure.runtime())?.starts_with(group) {
            no_group()
        } else if is_elsewhere(failure) {
            elsewhere()
        } else {
            return None;
        };
        Some(Rule::D27.of(failure, cause, None))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        if !is_elsewhere(at.failure) {
            return None;
        }
        for (_, call) in at.code.calls() {
            if at.code.call_path(&call.func).is_some_and(|p| p.ends_with("DistributedDataParallel")) {
                let module = call.arguments.args.first()?;
                let id = match keyword(call, "device_ids").map(|k| &k.value) {
                    Some(Expr::List(l)) => l.elts.first().map(|e| at.code.text_of(e)),
                    _ => None,
                };
                let fix = at.code.append(module, &format!(".to({})", id.unwrap_or("0")));
                return Some(text.at(at.code.line(span(call).start), fix));
            }
        }
        None
    }
}

fn is_elsewhere(failure: &Failure<'_>) -> bool {
    let text = "DistributedDataParallel device_ids and output_device arguments only work with";
    failure.raised("ValueError").is_some_and(|message| message.starts_with(text))
}
