//! Process groups: several processes, each with its own engine, that combine their tensors.
//!
//! A [`Communicator`] carries bytes of host memory between the members of a group: [`alone`] for a group of one, `mpi` for
//! processes that Open MPI started. In a [`wired`] group the members' accelerators are linked, and exchange their memory
//! directly; its members find each other through a [`store`]. [`collective`] implements PyTorch's collectives for tensors
//! over any of them. Through [`roll`], processes that torchrun started learn who hasn't joined and never will.
//!
//! No other module knows how processes communicate, and this one doesn't know Python: `torch.distributed`, above it,
//! checks arguments with PyTorch's messages.

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
    /// One rank. The values that the others get have no meaning.
    One(usize),
    /// Each rank gets its block of as many equal blocks as there are members.
    Blocks,
}

/// Carries host memory between the members of a group. Ranks are those within the group.
///
/// Every call except the point-to-point ones is collective: all members make the same calls in the same order, with data of
/// the same length. When a call returns, its data may be reused.
///
/// # Errors
/// Each returns an error if a member has ended or doesn't take part within the group's timeout, and after Ctrl-C.
pub trait Communicator {
    fn rank(&self) -> usize;

    fn size(&self) -> usize;

    /// The members' ranks among all processes, in the order of their ranks here.
    fn members(&self) -> &[usize];

    /// The group, if it carries the memory of accelerators instead of the host's.
    fn wired(&self) -> Option<&Wired> {
        None
    }

    /// Returns the `data` of rank `root` on every rank.
    fn broadcast(&self, data: Vec<u8>, root: usize) -> Result<Vec<u8>>;

    /// Combines `data`, elements of `dtype`, over all ranks.
    fn reduce(&self, data: &[u8], dtype: DType, op: Combine, target: Target) -> Result<Vec<u8>>;

    /// The data of all ranks, one after the other: on all ranks, or on one (empty on the others).
    fn gather(&self, data: Vec<u8>, to: Option<usize>) -> Result<Vec<u8>>;

    /// Sends each rank its `count` bytes of `root`'s data, in the order of the ranks.
    fn scatter(&self, data: Option<Vec<u8>>, count: usize, root: usize) -> Result<Vec<u8>>;

    /// Sends the next `given[i]` bytes to rank `i`, and returns the `expected[i]` bytes from each, in the order of the
    /// ranks. This is the only collective whose data may have different lengths. If ranks disagree on a length, all of them
    /// get an error.
    fn exchange(&self, data: Vec<u8>, given: &[usize], expected: &[usize]) -> Result<Vec<u8>>;

    fn barrier(&self) -> Result<()>;

    /// Starts sending. [`Communicator::sent`] waits for the end.
    fn send(&self, data: Vec<u8>, to: usize, tag: i32) -> Result<Sending>;

    /// Waits until the message has been sent.
    fn sent(&self, sending: Sending) -> Result<()>;

    /// Receives `count` bytes from one rank, or from the first that sends. Returns the sender as well.
    fn receive(&self, count: usize, from: Option<usize>, tag: i32) -> Result<(Vec<u8>, usize)>;

    /// Whether [`Communicator::receive`] would return immediately.
    fn arrived(&self, from: Option<usize>, tag: i32) -> bool;

    /// A group of some of the members, in this order; `None` if the caller isn't one of them. All members of the present
    /// group call it.
    fn part(&self, ranks: &[usize]) -> Result<Option<Rc<dyn Communicator>>>;
}

/// The number of a message that is being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending(pub u64);

/// Whether this build can join processes.
pub const HAS_MPI: bool = cfg!(all(feature = "mpi", not(target_arch = "wasm32")));

/// The number of processes that MPI started, this one included; `None` if MPI didn't start it.
pub(crate) fn started_as() -> Option<usize> {
    // Open MPI's variable, and those of MPICH and its descendants.
    let count = |name: &str| std::env::var(name).ok()?.parse().ok();
    count("OMPI_COMM_WORLD_SIZE").or_else(|| count("PMI_SIZE"))
}

/// The group of all processes that MPI started together with this one. Operations give up after `timeout`.
///
/// # Errors
/// A build without the feature `mpi`; a process that MPI didn't start.
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

/// Waits for the processes that torchrun started on this machine, because MPI's initialization would wait for them
/// without a timeout.
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

/// The group of all processes with linked accelerators. They find each other through the address in `meeting`.
///
/// # Errors
/// Those of [`wired::join`]; in the page, which can't reach another process.
pub fn meet(meeting: &wired::Meeting<'_>) -> Result<Rc<dyn Communicator>> {
    if cfg!(target_arch = "wasm32") {
        return Err(Error::not_implemented("torch.distributed: several processes in the page"));
    }
    wired::join(meeting)
}

/// Called when this process's program has ended: tells the other processes and waits for their ends, so that no end looks
/// like a crash. After a failure it does nothing, and MPI ends the others.
pub fn leave(failed: bool) {
    wired::leave(failed);
    #[cfg(all(feature = "mpi", not(target_arch = "wasm32")))]
    if !failed {
        mpi::leave();
    }
}
