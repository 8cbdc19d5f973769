//! What was observed at the places that [`super::plan`] chose. The rules for silent mistakes need it.

use super::Operand;
use crate::trace::{Clue, StorageId};

/// A range of the program's source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    pub(crate) fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// Everything observed in one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) lost: Vec<LostMove>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) kept: Vec<Kept>,
    pub(crate) alive: Vec<Alive>,
    pub(crate) timings: Vec<Timing>,
    pub(crate) clocks: Clocks,
    pub(crate) pins: Vec<Span>,
    /// What the engine noticed on its own.
    pub(crate) clues: Vec<Clue>,
}

/// A copy on another device that was discarded. D04.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LostMove {
    /// The call of `.to`, `.cuda` or `.cpu`.
    pub(crate) site: Span,
    /// Its receiver.
    pub(crate) source: StorageId,
    pub(crate) operand: Operand,
    pub(crate) to: String,
    /// Whether the copy was being timed: then the copy itself is the purpose.
    pub(crate) timed: bool,
}

/// A module that was moved from one device to another by a call whose result got another name. D05.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alias {
    pub(crate) site: Span,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A value collected in each iteration together with its graph. D21.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) site: Span,
    pub(crate) turns: u32,
    pub(crate) operand: Operand,
    /// A running sum; otherwise elements of a container.
    pub(crate) sum: bool,
    /// Whether the program never ran a backward pass: it's an evaluation.
    pub(crate) evaluation: bool,
}

/// A tensor that was still alive after `del` of its name. D22.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alive {
    /// The `del` statement.
    pub(crate) site: Span,
    pub(crate) name: String,
    pub(crate) operand: Operand,
    /// The variable that still holds it, and whether it does so through its graph.
    pub(crate) holder: String,
    pub(crate) by_graph: bool,
}

/// How often the program read a clock or had a device note the time. For checks of lessons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clocks {
    pub(crate) readings: u64,
    /// The first reading at a moment when the host didn't know that the devices were done.
    pub(crate) early: Option<Span>,
}

impl Clocks {
    /// Notes readings at one place.
    pub(crate) fn read(&mut self, site: Span, readings: u64, early: bool) {
        self.readings += readings;
        if early {
            self.early.get_or_insert(site);
        }
    }
}

/// A clock that was read while kernels were still running. D23.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Timing {
    pub(crate) start: Span,
    pub(crate) stop: Span,
    pub(crate) kernels: u64,
    pub(crate) waiting: u64,
}
