//! Links between the accelerators of several processes, over which they combine their memory without the host.

use std::rc::Rc;

use super::{Buffer, Compute, Done, Fault, Queue};

/// Elements of a buffer, one after another.
#[derive(Clone)]
pub struct Stretch {
    pub buffer: Buffer,
    /// In elements.
    pub offset: usize,
    pub numel: usize,
}

/// How linked processes combine their elements: a `ReduceOp` of `torch.distributed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    Sum,
    /// The sum over the number of members.
    Avg,
    Product,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
}

impl Combine {
    /// By the name after `ReduceOp.`.
    pub fn named(name: &str) -> Option<Combine> {
        Some(match name {
            "SUM" => Combine::Sum,
            "AVG" => Combine::Avg,
            "PRODUCT" => Combine::Product,
            "MIN" => Combine::Min,
            "MAX" => Combine::Max,
            "BAND" => Combine::BitAnd,
            "BOR" => Combine::BitOr,
            "BXOR" => Combine::BitXor,
            _ => return None,
        })
    }
}

/// One thing that goes over links. Ranks are those of the processes that are linked. `from` and `to` may be the same memory
/// where they have one size; for [`Traffic::AllGather`] `from` may be the caller's block of `to`, and the other way about for
/// [`Traffic::ReduceScatter`].
#[derive(Clone)]
pub enum Traffic {
    AllReduce {
        from: Stretch,
        to: Stretch,
        op: Combine,
    },
    /// The `to` of others than `root` is not written.
    Reduce {
        from: Stretch,
        to: Stretch,
        op: Combine,
        root: usize,
    },
    Broadcast {
        from: Stretch,
        to: Stretch,
        root: usize,
    },
    /// `to` has room for every rank's `from`.
    AllGather {
        from: Stretch,
        to: Stretch,
    },
    /// `from` has a block like `to` for every rank.
    ReduceScatter {
        from: Stretch,
        to: Stretch,
        op: Combine,
    },
    Send {
        from: Stretch,
        peer: usize,
    },
    Receive {
        to: Stretch,
        peer: usize,
    },
}

/// One accelerator's ends of its links to those of the other processes, one each.
pub trait Links {
    /// Queues these as one, behind what the queue `after`, which is the selected one, has been given so far; what it is given
    /// later does not wait for them unless [`Queued::join`] says so. All processes queue the same in the same order.
    fn hand(&self, after: Queue, traffic: &[Traffic]) -> Done<Rc<dyn Queued>>;

    /// What has gone wrong on the links since they were made.
    fn check(&self) -> Done;

    /// Ends what is on its way, with errors at the other ends.
    fn abort(&self);
}

/// Traffic that has been queued. Its memory is kept until it has been joined or is over.
pub trait Queued {
    /// Lets what a queue, which is the selected one, is given from now on wait for it.
    fn join(&self, queue: Queue) -> Done;

    fn is_over(&self) -> Done<bool>;
}

/// Hardware that other processes' devices can be linked to. The default says that it can't be.
pub trait Linkable: Compute {
    /// Whether it can be linked to the devices of other processes; if not, a sentence that says what is missing.
    fn can_link(&self) -> std::result::Result<(), String> {
        Err(format!("the executor '{}' cannot be linked to other processes", self.name()))
    }

    /// What one of several processes makes, and all of them are given, to link their devices.
    fn link_id(&self) -> Done<Vec<u8>> {
        self.can_link().map_err(Fault::Unsupported).map(|()| Vec::new())
    }

    /// Links this device, as that of `rank` of `size` processes, to those of the others: waits for all of them.
    fn link(&self, _id: &[u8], _rank: usize, _size: usize) -> Done<Rc<dyn Links>> {
        Err(Fault::Unsupported(format!("links of the executor '{}'", self.name())))
    }
}
