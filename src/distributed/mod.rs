//! Process groups: several processes, each with an engine of its own, that combine their tensors.
//!
//! A [`Communicator`] carries bytes of host memory between the members of a group: [`alone`] for a group of one, `mpi` for
//! processes that Open MPI started. In one that is [`wired`] the members' accelerators are linked, and carry what they hold
//! themselves; its members meet at a [`store`]. [`collective`] is what PyTorch's collectives mean for tensors, over any of
//! them. [`roll`] is how processes that torchrun started learn who has not come and will not.
//!
//! Nothing else knows how processes reach one another, and nothing here knows of Python: the `torch.distributed` above it
//! checks arguments in PyTorch's words.

mod alone;
pub mod collective;
#[cfg(all(feature = "mpi", not(target_arch = "wasm32")))]
mod mpi;
#[cfg(all(feature = "mpi", not(target_arch = "wasm32")))]
mod reduce;
mod roll;
pub mod store;
pub mod wired;

use std::rc::Rc;
use std::time::Duration;

use crate::dtype::DType;
use crate::error::{Error, Result};

pub use alone::Alone;
pub use roll::{Roll, Stage};
pub use wired::{Flight, Wired};

pub use crate::executor::links::Combine;

/// Who receives the result of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Everyone,
    /// One rank; what the others get back means nothing.
    One(usize),
    /// Each rank its block, of as many equal blocks as there are members.
    Blocks,
}

/// Carries host memory between the members of a group. Ranks are those within the group.
///
/// Every call but the point-to-point ones is collective: all members make the same calls in the same order, with data of the
/// same length. A call returns when its data may be used again.
///
/// # Errors
/// Each returns an error if a member has ended or does not take part within the group's timeout, and after Ctrl-C.
pub trait Communicator {
    fn rank(&self) -> usize;

    fn size(&self) -> usize;

    /// The members' ranks among all processes, in the order of their ranks here.
    fn members(&self) -> &[usize];

    /// The group, where it carries memory of accelerators and none of the host's.
    fn wired(&self) -> Option<&Wired> {
        None
    }

    /// `data` of the rank `root`, on every rank.
    fn broadcast(&self, data: Vec<u8>, root: usize) -> Result<Vec<u8>>;

    /// Combines `data`, elements of `dtype`, over all ranks.
    fn reduce(&self, data: &[u8], dtype: DType, op: Combine, target: Target) -> Result<Vec<u8>>;

    /// Everyone's data, one after another by rank: on all ranks, or on one (empty on the others).
    fn gather(&self, data: Vec<u8>, to: Option<usize>) -> Result<Vec<u8>>;

    /// Gives each rank its `count` bytes of what `root` holds, one after another by rank.
    fn scatter(&self, data: Option<Vec<u8>>, count: usize, root: usize) -> Result<Vec<u8>>;

    /// Gives rank `i` the next `given[i]` bytes; answers the `expected[i]` bytes of each, by rank. The only collective whose
    /// data differs in length; ranks that do not agree on a length all get an error.
    fn exchange(&self, data: Vec<u8>, given: &[usize], expected: &[usize]) -> Result<Vec<u8>>;

    fn barrier(&self) -> Result<()>;

    /// Starts to send; [`Communicator::sent`] ends it.
    fn send(&self, data: Vec<u8>, to: usize, tag: i32) -> Result<Sending>;

    /// Waits until a sending is over.
    fn sent(&self, sending: Sending) -> Result<()>;

    /// `count` bytes from one rank, or from whoever sends first; and from whom they came.
    fn receive(&self, count: usize, from: Option<usize>, tag: i32) -> Result<(Vec<u8>, usize)>;

    /// Whether [`Communicator::receive`] would find something.
    fn arrived(&self, from: Option<usize>, tag: i32) -> bool;

    /// A group of some of the members, in this order; `None` for a caller that is not among them. All members of this group
    /// call it.
    fn part(&self, ranks: &[usize]) -> Result<Option<Rc<dyn Communicator>>>;
}

/// The number of a sending that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending(pub u64);

/// Whether this build can join processes.
pub const HAS_MPI: bool = cfg!(all(feature = "mpi", not(target_arch = "wasm32")));

/// As how many processes MPI started this one's program; `None` if it did not start it.
pub(crate) fn started_as() -> Option<usize> {
    // Open MPI, and MPICH with those that descend from it.
    let count = |name: &str| std::env::var(name).ok()?.parse().ok();
    count("OMPI_COMM_WORLD_SIZE").or_else(|| count("PMI_SIZE"))
}

/// The group of every process that MPI started with this one. Operations give up after `timeout`.
///
/// # Errors
/// A build without the feature `mpi`, a process that MPI did not start.
pub fn world(timeout: Duration) -> Result<Rc<dyn Communicator>> {
    if !HAS_MPI {
        return Err(Error::runtime(
            "several processes need MPI, which this build leaves out: build with '--features mpi' (docs/distributed.md)",
        ));
    }
    if started_as().is_none() {
        return Err(Error::runtime(
            "this process was not started by MPI: run 'tensoryard torchrun --nproc-per-node N FILE', or mpirun",
        ));
    }
    come(timeout)?;
    join(timeout)
}

/// Waits for the processes that torchrun started on this machine: MPI's own beginning waits for them without an end.
fn come(timeout: Duration) -> Result<()> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
    let told = (Roll::here(), number("RANK"), number("LOCAL_RANK"), number("LOCAL_WORLD_SIZE"));
    let (Some(roll), Some(rank), Some(local), Some(each)) = told else { return Ok(()) };
    let first = rank.saturating_sub(local);
    let engine = crate::engine::current();
    roll.call(rank, first..first.saturating_add(each), timeout, || engine.hooks.check_interrupt())
}

#[cfg(all(feature = "mpi", not(target_arch = "wasm32")))]
fn join(timeout: Duration) -> Result<Rc<dyn Communicator>> {
    mpi::join(timeout)
}

#[cfg(not(all(feature = "mpi", not(target_arch = "wasm32"))))]
fn join(_: Duration) -> Result<Rc<dyn Communicator>> {
    unreachable!("a build without MPI has refused before")
}

/// The group of all processes, whose accelerators are linked; they find one another at the meeting's address.
///
/// # Errors
/// As [`wired::join`]; in the page, which reaches no other process.
pub fn meet(meeting: &wired::Meeting<'_>) -> Result<Rc<dyn Communicator>> {
    if cfg!(target_arch = "wasm32") {
        return Err(Error::not_implemented("torch.distributed: several processes in the page"));
    }
    wired::join(meeting)
}

/// The program of this process has ended: tells the other processes, and waits for their ends, so that none is taken for one
/// that died. After a failure this does nothing, and MPI ends the others.
pub fn leave(failed: bool) {
    wired::leave(failed);
    #[cfg(all(feature = "mpi", not(target_arch = "wasm32")))]
    if !failed {
        mpi::leave();
    }
}
