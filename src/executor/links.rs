//! Links between the accelerators of several processes, over which they combine their memory without the host.

use std::rc::Rc;

use super::{Buffer, Done, Queue};
use crate::distributed::ReduceOp;

/// Elements of a buffer, one after another.
#[derive(Clone)]
pub struct Span {
    pub buffer: Buffer,
    /// In elements.
    pub offset: usize,
    pub numel: usize,
}

/// One thing that goes over links. Ranks are those of the processes that are linked. `from` and `to` may be the same memory
/// where they have one size; for [`Traffic::AllGather`] `from` may be the caller's block of `to`, and the other way about for
/// [`Traffic::ReduceScatter`].
#[derive(Clone)]
pub enum Traffic {
    AllReduce {
        from: Span,
        to: Span,
        op: ReduceOp,
    },
    /// The `to` of others than `root` is not written.
    Reduce {
        from: Span,
        to: Span,
        op: ReduceOp,
        root: usize,
    },
    Broadcast {
        from: Span,
        to: Span,
        root: usize,
    },
    /// `to` has room for every rank's `from`.
    AllGather {
        from: Span,
        to: Span,
    },
    /// `from` has a block like `to` for every rank.
    ReduceScatter {
        from: Span,
        to: Span,
        op: ReduceOp,
    },
    Send {
        from: Span,
        peer: usize,
    },
    Receive {
        to: Span,
        peer: usize,
    },
}

/// One accelerator's ends of its links to those of the other processes, one each.
pub trait Links {
    /// Queues these as one, behind what the queue `after`, which is the selected one, has been given so far; what it is given
    /// later does not wait for them unless [`Flight::join`] says so. All processes queue the same in the same order.
    fn hand(&self, after: Queue, traffic: &[Traffic]) -> Done<Rc<dyn Flight>>;

    /// What has gone wrong on the links since they were made.
    fn check(&self) -> Done;

    /// Ends what is on its way, with errors at the other ends.
    fn abort(&self);
}

/// Traffic that has been queued. Its memory is kept until it has been joined or is over.
pub trait Flight {
    /// Lets what a queue, which is the selected one, is given from now on wait for it.
    fn join(&self, queue: Queue) -> Done;

    fn is_over(&self) -> Done<bool>;
}
