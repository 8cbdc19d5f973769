//! D16: a checkpoint of a GPU whose index this machine does not have.

use super::d15_checkpoint_without_gpu::mapped;
use super::{Example, Explain, Rule};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    fewer_gpus():
        "The file holds tensors from a GPU with a higher index than this machine has. Pass `map_location` to say where the tensors should go.",
        "Die Datei enthält Tensoren von einer GPU, deren Index es auf dieser Maschine nicht gibt. Sag mit `map_location`, wohin die Tensoren sollen.";
}

pub(super) struct D16;

impl Explain for D16 {
    const ABOUT: &'static str = "Saved on `cuda:2`, loaded where there is only `cuda:0`. In distributed training give every \
        process its own device: otherwise all of them fill the first GPU.";
    const EXAMPLE: Example =
        Example::new("import torch\n\nweights = torch.load(\"checkpoint.pt\")\nprint(weights.device)\n")
            .after("cuda:4", "import torch\ntorch.save(torch.ones(3, device=\"cuda:2\"), \"checkpoint.pt\")\n");
    const LESSON: &'static str = "checkpoints";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let known = failure.runtime()?.starts_with("Attempting to deserialize object on CUDA device ");
        known.then(|| Rule::D16.of(failure, fewer_gpus(), None))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        mapped(at, text, "\"cuda:0\"")
    }
}
