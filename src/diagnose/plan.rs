//! Where to look while a program runs: the few statements that could be a silent mistake, found by their form. What happens
//! there decides whether one is.

use super::code::Code;
use super::facts::Span;
use super::rules::Rule;

/// What to look at in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// What `.to` is called on, where nothing keeps the result.
    Receiver,
    /// That result; the place of the receiver.
    Lost { receiver: usize },
    /// A module's move that gets another name.
    Alias,
    /// A clock; those that it is compared with.
    Clock { starts: Vec<usize> },
    /// A whole measurement by `timeit`.
    Timeit,
    /// `event.record()`, which begins or ends a measurement.
    Record,
    /// A running sum, after its statement.
    Sum,
    /// What is put into a container in each iteration; whether that is in a module's `forward`.
    Member { in_module: bool },
    /// A variable before `del`, by name.
    Deleted { name: String },
    /// `empty_cache()`.
    Emptied,
    /// `.pin_memory()` that serves one copy.
    Pinned,
}

/// A place to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) span: Span,
    pub(crate) watch: Watch,
}

impl Site {
    /// Looked at before or after the statement at `span`; others wrap the expression there.
    pub(crate) fn is_statement(&self) -> bool {
        matches!(self.watch, Watch::Sum | Watch::Deleted { .. })
    }
}

/// A program needs no more places than this.
const MOST: usize = 512;

/// The places of a program.
pub(crate) fn sites(code: &Code<'_>) -> Vec<Site> {
    let mut out = Vec::new();
    Rule::ALL.iter().for_each(|rule| rule.watch(code, &mut out));
    out.truncate(MOST);
    out
}
