//! Where to look while a program runs: the few statements whose form allows a silent mistake. What happens there decides
//! whether it is one.

use super::code::Code;
use super::facts::Span;
use super::rules::Rule;

/// What to observe at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// The receiver of `.to`, if its result is discarded.
    Receiver,
    /// The discarded result, and the place of the receiver.
    Lost { receiver: usize },
    /// A module's move whose result gets another name.
    Alias,
    /// A clock, and the clocks with which it's compared.
    Clock { starts: Vec<usize> },
    /// A measurement with `timeit`.
    Timeit,
    /// A measurement with `torch.utils.benchmark`, which waits by itself.
    Benchmark,
    /// `event.record()`, which begins or ends a measurement.
    Record,
    /// A running sum, after the statement that adds to it.
    Sum,
    /// A value that is put into a container in each iteration, and whether that happens in a module's `forward`.
    Member { in_module: bool },
    /// A variable before `del`, by name.
    Deleted { name: String },
    /// `empty_cache()`.
    Emptied,
    /// A call of `.pin_memory()` whose result is copied once.
    Pinned,
}

/// A place to observe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) span: Span,
    pub(crate) watch: Watch,
}

impl Site {
    /// Whether it's observed before or after the statement at `span`. All others wrap the expression there.
    pub(crate) fn is_statement(&self) -> bool {
        matches!(self.watch, Watch::Sum | Watch::Deleted { .. })
    }
}

/// The most places that are observed in one program.
const MOST: usize = 512;

/// The places of a program.
pub(crate) fn sites(code: &Code<'_>) -> Vec<Site> {
    let mut out = Vec::new();
    Rule::ALL.iter().for_each(|rule| rule.watch(code, &mut out));
    out.truncate(MOST);
    out
}
