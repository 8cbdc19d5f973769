//! Links between the accelerators of several processes, through which they combine their memory without the host.

use std::rc::Rc;

use super::{Buffer, Compute, Done, Fault, Queue};

/// Contiguous elements of a buffer.
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
    /// The sum divided by the number of members.
    Avg,
    Product,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
}

impl Combine {
    /// Finds it by the name after `ReduceOp.`.
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

/// One operation on links. Ranks are those of the linked processes. `from` and `to` may be the same memory if they have the
/// same size. For [`Traffic::AllGather`], `from` may be the caller's block of `to`; for [`Traffic::ReduceScatter`], `to` may
/// be the caller's block of `from`.
#[derive(Clone)]
pub enum Traffic {
    AllReduce {
        from: Stretch,
        to: Stretch,
        op: Combine,
    },
    /// Only `root`'s `to` is written.
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
    /// `from` has a block for every rank, each like `to`.
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

/// One accelerator's ends of its links: one for each other process.
pub trait Links {
    /// Queues these operations together, after the work so far of the queue `after`, which is selected. Later work of that
    /// queue doesn't wait for them unless [`Queued::join`] is called. All processes queue the same operations in the same
    /// order.
    fn hand(&self, after: Queue, traffic: &[Traffic]) -> Done<Rc<dyn Queued>>;

    /// What has gone wrong on the links since they were made.
    fn check(&self) -> Done;

    /// Ends running operations, which gives the other processes errors.
    fn abort(&self);
}

/// Operations that have been queued. Their memory is kept until they have been joined or are done.
pub trait Queued {
    /// Makes later work of a queue, which is selected, wait for these operations.
    fn join(&self, queue: Queue) -> Done;

    fn is_over(&self) -> Done<bool>;
}

/// Hardware that other processes' devices can be linked to. The default says that it can't be.
pub trait Linkable: Compute {
    /// Whether it can be linked to the devices of other processes. If not, a sentence says what is missing.
    fn can_link(&self) -> std::result::Result<(), String> {
        Err(format!("the executor '{}' cannot be linked to other processes", self.name()))
    }

    /// The id that one process makes and all processes need to link their devices.
    fn link_id(&self) -> Done<Vec<u8>> {
        self.can_link().map_err(Fault::Unsupported).map(|()| Vec::new())
    }

    /// Links this device, which has rank `rank` of `size`, to those of the other processes. Waits for all of them.
    fn link(&self, _id: &[u8], _rank: usize, _size: usize) -> Done<Rc<dyn Links>> {
        Err(Fault::Unsupported(format!("links of the executor '{}'", self.name())))
    }
}
