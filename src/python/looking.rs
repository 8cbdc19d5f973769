//! Tells the trace which expressions of the learner's program only look ([`crate::diagnose::looking`]), and which of them is
//! running.

use std::cell::RefCell;

use rustpython_vm::compiler::core::SourceLocation;

use super::frames;
use crate::diagnose::code::{self, Code};
use crate::diagnose::looking::looking;
use crate::engine;
use crate::trace::{Extent, Look};

/// Line and column, as the interpreter counts them: from 1, in characters.
type Place = (usize, usize);

thread_local! {
    /// Start, end (exclusive) and meaning of the expressions that look, in the order of the source.
    static LOOKS: RefCell<Vec<(Place, Place, Look, Extent)>> = const { RefCell::new(Vec::new()) };
}

/// Notes the places of the program that is about to run.
pub(super) fn begin(source: &str) {
    let module = code::parse(source);
    let found = module.as_ref().map(|module| looking(&Code::new(source, module))).unwrap_or_default();
    let mut places = Places { source, at: 0, place: (1, 1) };
    let looks: Vec<_> = found
        .iter()
        .map(|found| (places.of(found.span.start), places.of(found.span.end), found.look, found.extent))
        .collect();
    let mut lines = vec![false; looks.iter().map(|(_, end, ..)| end.0 + 1).max().unwrap_or(0)];
    for (start, end, ..) in &looks {
        lines[start.0..=end.0].fill(true);
    }
    LOOKS.set(looks);
    engine::current().trace.set_looks(lines, running);
}

pub(super) fn end() {
    LOOKS.set(Vec::new());
    engine::current().trace.set_looks(Vec::new(), || None);
}

/// The expression of the learner's file that is running, if it only looks.
fn running() -> Option<(Look, Extent)> {
    let SourceLocation { line, character_offset } = frames::learner_place()?;
    let place = (line.get(), character_offset.get());
    LOOKS.with_borrow(|looks| {
        let next = looks.partition_point(|(start, ..)| *start <= place);
        let (_, end, look, extent) = looks.get(next.checked_sub(1)?)?;
        (place < *end).then_some((*look, *extent))
    })
}

/// Finds lines and columns of bytes, in ascending order.
struct Places<'a> {
    source: &'a str,
    at: usize,
    place: Place,
}

impl Places<'_> {
    fn of(&mut self, byte: usize) -> Place {
        if byte < self.at {
            (self.at, self.place) = (0, (1, 1));
        }
        for c in self.source[self.at..byte].chars() {
            match c {
                '\n' => self.place = (self.place.0 + 1, 1),
                _ => self.place.1 += 1,
            }
        }
        self.at = byte;
        self.place
    }
}
