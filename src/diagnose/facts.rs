//! What was seen at the places that [`super::plan`] chose: the provenance that silent mistakes need.

use super::Operand;
use crate::trace::{Clue, StorageId};

/// A piece of the program: bytes of its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// Everything seen in one run.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub lost: Vec<LostMove>,
    pub aliases: Vec<Alias>,
    pub kept: Vec<Kept>,
    pub alive: Vec<Alive>,
    pub timings: Vec<Timing>,
    pub pins: Vec<Span>,
    /// What the engine noticed by itself.
    pub clues: Vec<Clue>,
}

/// A copy on another device that nothing keeps. D04.
#[derive(Clone, Debug, PartialEq)]
pub struct LostMove {
    /// The call of `.to`, `.cuda` or `.cpu`.
    pub site: Span,
    /// What it was called on.
    pub source: StorageId,
    pub operand: Operand,
    pub to: String,
    /// A clock was running: the copy itself is what the program is about.
    pub timed: bool,
}

/// A module that was moved from one device to another by a call whose result got a name of its own. D05.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    pub site: Span,
    pub from: String,
    pub to: String,
}

/// A value gathered turn by turn together with its graph. D21.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    pub site: Span,
    pub turns: u32,
    pub operand: Operand,
    /// A sum, or members of a container.
    pub sum: bool,
    /// Nothing was ever differentiated: evaluation.
    pub evaluation: bool,
}

/// A tensor that outlived `del` of its name. D22.
#[derive(Clone, Debug, PartialEq)]
pub struct Alive {
    /// The `del` statement.
    pub site: Span,
    pub name: String,
    pub operand: Operand,
    /// The variable that still reaches it, and whether it does so through its graph.
    pub holder: String,
    pub by_graph: bool,
}

/// A clock that was read while kernels were still to run. D23.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    pub start: Span,
    pub stop: Span,
    pub kernels: u64,
    pub waiting: u64,
}
