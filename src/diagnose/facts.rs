//! What was seen at the places that [`super::plan`] chose: the provenance that silent mistakes need.

use super::Operand;
use crate::trace::{Clue, StorageId};

/// A piece of the program: bytes of its source.
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

/// Everything seen in one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) lost: Vec<LostMove>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) kept: Vec<Kept>,
    pub(crate) alive: Vec<Alive>,
    pub(crate) timings: Vec<Timing>,
    pub(crate) pins: Vec<Span>,
    /// What the engine noticed by itself.
    pub(crate) clues: Vec<Clue>,
}

/// A copy on another device that nothing keeps. D04.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LostMove {
    /// The call of `.to`, `.cuda` or `.cpu`.
    pub(crate) site: Span,
    /// What it was called on.
    pub(crate) source: StorageId,
    pub(crate) operand: Operand,
    pub(crate) to: String,
    /// A clock was running: the copy itself is what the program is about.
    pub(crate) timed: bool,
}

/// A module that was moved from one device to another by a call whose result got a name of its own. D05.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alias {
    pub(crate) site: Span,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A value gathered in each iteration together with its graph. D21.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) site: Span,
    pub(crate) turns: u32,
    pub(crate) operand: Operand,
    /// A sum, or members of a container.
    pub(crate) sum: bool,
    /// Nothing was ever differentiated: evaluation.
    pub(crate) evaluation: bool,
}

/// A tensor that outlived `del` of its name. D22.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alive {
    /// The `del` statement.
    pub(crate) site: Span,
    pub(crate) name: String,
    pub(crate) operand: Operand,
    /// The variable that still reaches it, and whether it does so through its graph.
    pub(crate) holder: String,
    pub(crate) by_graph: bool,
}

/// A clock that was read while kernels were still to run. D23.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Timing {
    pub(crate) start: Span,
    pub(crate) stop: Span,
    pub(crate) kernels: u64,
    pub(crate) waiting: u64,
}
