//! D20: a GPU's memory is full.

use super::{Example, Explain, Rule};
use crate::diagnose::seen::between;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure};

words! {
    full(tried, free, capacity):
        "The program needed {tried} more, but only {free} of the GPU's {capacity} were free. Use a smaller batch, or keep fewer tensors.",
        "Das Programm brauchte {tried} mehr, aber von den {capacity} der GPU waren nur {free} frei. Nimm einen kleineren Batch, oder behalt weniger Tensoren.";
    over_allowance(tried, allowed, capacity):
        "The program needed {tried} more, but `set_per_process_memory_fraction` allows it only {allowed} of the GPU's {capacity}. Use a smaller batch, or allow a larger fraction.",
        "Das Programm brauchte {tried} mehr, aber `set_per_process_memory_fraction` erlaubt ihm nur {allowed} von den {capacity} der GPU. Nimm einen kleineren Batch, oder erlaub einen größeren Anteil.";
    no_free_piece(tried, capacity):
        "The program needed {tried} in one piece, but the GPU's {capacity} had no free piece of that size left. Use a smaller batch, or keep fewer tensors.",
        "Das Programm brauchte {tried} in einem Stück, aber in den {capacity} der GPU war kein so großes Stück mehr frei. Nimm einen kleineren Batch, oder behalt weniger Tensoren.";
}

pub(super) struct D20;

impl Explain for D20 {
    const ABOUT: &'static str = "The batch is too big, or activations and other tensors are kept. If the program keeps something \
        that it could drop, D21 or D22 says so instead. There is no edit: which of the sizes should be smaller is yours to \
        decide. A smaller batch with accumulated gradients, or checkpointing, need less memory at once.";
    const EXAMPLE: Example =
        Example::new("import torch\n\nx = torch.zeros(1024, 1024, 64, device=\"cuda\")\nprint(x.shape)\n").memory(128);
    const LESSON: &'static str = "out-of-memory";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let message = failure.runtime()?;
        let cause = if message.starts_with("CUDA out of memory. Tried to allocate ") {
            let tried = between(message, "Tried to allocate ", ". GPU ")?;
            let capacity = between(message, "has a total capacity of ", " of which ")
                // Before 2.1: "(GPU 0; 15.90 GiB total capacity; ... free; ...)".
                .or_else(|| between(message, "; ", " total capacity"))?;
            let allowed = message.split_once(" allowed; ").and_then(|(before, _)| before.rsplit(". ").next());
            match (allowed, between(message, " of which ", " is free.")) {
                (Some(allowed), _) => over_allowance(&tried, &allowed, &capacity),
                (None, Some(free)) => full(&tried, &free, &capacity),
                (None, None) => no_free_piece(&tried, &capacity),
            }
        } else if is_mps(message) {
            let tried = between(message, "Tried to allocate ", " on ")?;
            no_free_piece(&tried, &between(message, "max allowed: ", ")")?)
        } else {
            return None;
        };
        Some(Rule::D20.of(failure, cause, None))
    }
}

/// Whether any GPU ran out of memory.
pub(super) fn is_out_of_memory(failure: &Failure<'_>) -> bool {
    failure.class.ends_with("OutOfMemoryError") || is_mps(failure.message)
}

/// The message for an Apple GPU.
fn is_mps(message: &str) -> bool {
    message.starts_with("MPS backend out of memory (")
}
