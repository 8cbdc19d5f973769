//! D25: CUDA in a forked worker.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{keyword, method, span};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    forked():
        "A worker process used CUDA, but a forked process can't use the CUDA context that it inherits. Return CPU tensors from workers, and move the batch in the main process.",
        "Ein Worker hat CUDA benutzt, aber ein Prozess, der mit `fork` entstanden ist, kann den CUDA-Kontext nicht benutzen, den er erbt. Gib aus Workern CPU-Tensoren zurück, und verschieb den Batch im Hauptprozess.";
}

const FORKED: &str = "Cannot re-initialize CUDA in forked subprocess.";

pub(super) struct D25;

impl Explain for D25 {
    const ABOUT: &'static str = "A data set that moves its samples to the GPU works with `num_workers=0` and fails with more, \
        because workers are forked from a process that has CUDA in use, on Linux up to Python 3.13.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch.utils.data import DataLoader, Dataset\n\n\nclass Squares(Dataset):\n    def __len__(self):\n        return 8\n\n    def __getitem__(self, index):\n        return torch.tensor([index * index]).to(\"cuda\")\n\n\nmodel = torch.nn.Linear(1, 1).to(\"cuda\")\nfor batch in DataLoader(Squares(), batch_size=4, num_workers=2):\n    print(batch.shape)\n",
    );
    const LESSON: &'static str = "data-loader";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let message = failure.runtime()?;
        // An error in a loader's worker arrives as text, wrapped in its traceback.
        let worker = message.starts_with("Caught RuntimeError in DataLoader worker process ");
        let known = message.starts_with(FORKED) || (worker && message.contains(FORKED));
        known.then(|| Rule::D25.of(failure, forked(), None))
    }

    /// Finds what a data set does on the GPU.
    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        let code = at.code;
        for i in 0..code.items.len() {
            if !matches!(code.function_name(i), Some("__getitem__" | "__iter__" | "collate" | "collate_fn")) {
                continue;
            }
            for e in code.exprs(i) {
                let cut = match (method(e), e) {
                    (Some((_, "to" | "cuda", _)), _) => code.tail(e)?,
                    (_, Expr::Call(call)) => match keyword(call, "device") {
                        Some(device) => code.without(span(device), span(&call.arguments)),
                        None => continue,
                    },
                    _ => continue,
                };
                return Some(text.at(code.line(span(e).start), code.edit(vec![(cut, String::new())])));
            }
        }
        None
    }
}
