//! What a program does only so that its author can look: `print`, texts with numbers, assertions, plots, logs. PyTorch
//! counts it like everything else, and so does the score. Events say which of it was caused by looking, so that a lesson
//! needn't punish a learner for being curious.

use serde::{Deserialize, Serialize};

use super::{EventKind, Why};

/// How the learner looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    Print,
    /// `str`, `repr`, an f-string, a format.
    Text,
    Assert,
    Plot,
    /// `logging`, or the text of a progress bar.
    Log,
}

impl Look {
    /// As a number from 1.
    pub(super) fn code(look: Option<Look>) -> u8 {
        match look {
            None => 0,
            Some(Look::Print) => 1,
            Some(Look::Text) => 2,
            Some(Look::Assert) => 3,
            Some(Look::Plot) => 4,
            Some(Look::Log) => 5,
        }
    }

    pub(super) fn of_code(code: u8) -> Option<Look> {
        [Look::Print, Look::Text, Look::Assert, Look::Plot, Look::Log].get(usize::from(code).checked_sub(1)?).copied()
    }
}

/// How much of what happens in an expression is looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Copies to the host, and waits for results. Computing may be the program's own work: `print(model(x).item())`.
    Reads,
    /// Also kernels and memory: `print((a - b).abs().max())`.
    Computes,
    /// Everything, even copies to a device: an assertion changes nothing.
    All,
}

/// Says how the expression that is running looks, and how much of it.
pub type LookSite = fn() -> Option<(Look, Extent)>;

/// The smallest extent that covers what an event says; `None` for events that looking never causes. `upload` is whether a
/// wait is for a copy from the host.
pub(super) fn least(kind: &EventKind, upload: bool) -> Option<Extent> {
    match kind {
        EventKind::Transfer { to, .. } if to.is_cpu() => Some(Extent::Reads),
        EventKind::Transfer { .. } => Some(Extent::All),
        EventKind::Sync { why: Why::Synchronize | Why::OutOfMemory, .. } => None,
        EventKind::Sync { .. } if upload => Some(Extent::All),
        EventKind::Sync { .. } | EventKind::Print { .. } => Some(Extent::Reads),
        EventKind::Kernel { .. } | EventKind::Alloc { .. } => Some(Extent::Computes),
        _ => None,
    }
}
