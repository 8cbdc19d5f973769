//! Processes that MPI started, and groups of them.
//!
//! Every operation is non-blocking and is polled until it's done, because MPI's own waits don't notice Ctrl-C, a timeout, or
//! a member that has left. This process checks those three between polls.
//!
//! ```text
//! join ──► operations ──► leave: "goodbye" to all ──► goodbyes of all have come ──► MPI_Finalize
//! │
//! └► who still waits for this process in an operation fails after GRACE
//! ```
//!
//! A process that fails sends no goodbye and doesn't finalize: MPI's process manager notices its end and ends the
//! others.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::time::{Duration, Instant};

use mpi::Count;
use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::request::{Request, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives, Destination, Equivalence, Group, Root, Source};

use super::reduce::{self, Element};
use super::{Combine, Communicator, Sending, Target};
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};

/// How long an operation may continue after one of its members has said goodbye, because a message from it may still be
/// on its way.
const GRACE: Duration = Duration::from_secs(3);
/// How often to check anything but the operation itself.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long an operation is polled without a pause. After that, other processes get the processor between polls.
const EAGER: Duration = Duration::from_micros(300);
const PAUSE: Duration = Duration::from_micros(50);

/// The length of the string with which a rank says what it calls.
const CALL: usize = 96;

static GOODBYE: [u8; 1] = [0];
const GOODBYE_TAG: i32 = 1;

thread_local! {
    static WORLD: RefCell<Option<Rc<World>>> = const { RefCell::new(None) };
}

/// This process among all that MPI started. MPI is initialized once per process.
struct World {
    /// Dropping it finalizes MPI, which a process that failed must not do.
    universe: RefCell<Option<ManuallyDrop<Universe>>>,
    all: SimpleCommunicator,
    /// A communicator for goodbyes, separate from the programs' messages. MPI_Finalize frees it.
    control: ManuallyDrop<SimpleCommunicator>,
    /// Who has said goodbye, and when that was noticed.
    gone: RefCell<BTreeMap<usize, Instant>>,
}

/// The group of all processes.
pub(super) fn join(timeout: Duration) -> Result<Rc<dyn Communicator>> {
    let world = match WORLD.with_borrow(Clone::clone) {
        Some(world) => world,
        None => {
            let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
                return Err(Error::runtime("MPI was initialized by someone else in this process"));
            };
            let all = universe.world();
            let control = ManuallyDrop::new(all.duplicate());
            let universe = RefCell::new(Some(ManuallyDrop::new(universe)));
            let world = Rc::new(World { universe, all, control, gone: RefCell::default() });
            WORLD.set(Some(world.clone()));
            world
        }
    };
    let members: Vec<usize> = (0..world.all.size() as usize).collect();
    // Making a communicator blocks until all members are there, so this first waits for them in a way that can be
    // interrupted.
    world.until("init_process_group", &members, timeout, world.control.immediate_barrier())?;
    let comm = ManuallyDrop::new(world.all.duplicate());
    Ok(Rc::new(Members { world, comm, members, timeout, sending: RefCell::default(), next: Cell::new(0) }))
}

/// See [`super::leave`].
pub(super) fn leave() {
    let Some(world) = WORLD.take() else { return };
    let (me, size) = (world.all.rank() as usize, world.all.size() as usize);
    let others = || (0..size).filter(|&rank| rank != me);
    let said: Vec<_> = others()
        .map(|rank| {
            let process = world.control.process_at_rank(rank as i32);
            process.immediate_send_with_tag(StaticScope, &GOODBYE[..], GOODBYE_TAG)
        })
        .collect();
    while world.gone.borrow().len() + 1 < size {
        world.look();
        std::thread::sleep(PAUSE);
    }
    said.into_iter().for_each(Request::wait_without_status);
    let universe = world.universe.take();
    drop(universe.map(ManuallyDrop::into_inner));
}

impl World {
    /// Receives the goodbyes that have arrived.
    fn look(&self) {
        while let Some((message, status)) = self.control.any_process().immediate_matched_probe_with_tag(GOODBYE_TAG) {
            let _ = message.matched_receive::<u8>();
            self.gone.borrow_mut().insert(status.source_rank() as usize, Instant::now());
        }
    }

    /// Polls until `ready` returns something.
    ///
    /// # Errors
    /// Ctrl-C, a member of the operation that has left, or the timeout.
    fn poll<T>(
        &self,
        what: &str,
        members: &[usize],
        timeout: Duration,
        mut ready: impl FnMut() -> Option<T>,
    ) -> Result<T> {
        let began = Instant::now();
        let mut looked = began;
        loop {
            if let Some(answer) = ready() {
                return Ok(answer);
            }
            let now = Instant::now();
            if now - looked >= LOOK_EVERY {
                looked = now;
                engine::current().hooks.check_interrupt()?;
                self.look();
                let gone = self.gone.borrow();
                let left = gone.iter().find(|(rank, since)| members.contains(rank) && now - **since > GRACE);
                if let Some((rank, _)) = left {
                    return Err(Error::runtime(format!(
                        "{what}: rank {} waits for rank {rank}, whose program has ended; every rank must make the same calls",
                        self.all.rank(),
                    )));
                }
                if now - began > timeout {
                    return Err(Error::runtime(format!(
                        "{what}: rank {} timed out after waiting {} ms for the other ranks",
                        self.all.rank(),
                        timeout.as_millis()
                    )));
                }
            }
            if now - began < EAGER {
                std::thread::yield_now();
            } else {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Waits for an operation. After an error, MPI keeps the memory that it was lent.
    fn until<D: ?Sized>(
        &self,
        what: &str,
        members: &[usize],
        timeout: Duration,
        request: Request<'static, D>,
    ) -> Result<()> {
        let mut open = Some(request);
        let ended = self.poll(what, members, timeout, || match open.take()?.test() {
            Ok(_) => Some(()),
            Err(request) => {
                open = Some(request);
                None
            }
        });
        // Dropping an open request would panic.
        std::mem::forget(open);
        ended
    }
}

/// Memory that MPI reads or writes until an operation is done.
struct Lent<T>(*mut [T]);

impl<T: 'static> Lent<T> {
    /// # Errors
    /// More elements than MPI can count.
    fn new(data: Vec<T>) -> Result<Lent<T>> {
        match i32::try_from(data.len()) {
            Ok(_) => Ok(Lent(Box::into_raw(data.into_boxed_slice()))),
            Err(_) => {
                Err(Error::runtime(format!("MPI moves at most {} elements at once, not {}", i32::MAX, data.len())))
            }
        }
    }

    /// The memory, for one operation.
    fn memory(&self) -> &'static mut [T] {
        // SAFETY: `new` gave up the box and `back` takes it back, when its caller knows that the operation is done. Each is
        // lent to only one operation.
        unsafe { &mut *self.0 }
    }

    /// Takes the memory back after the operation. If this isn't called, the memory is never freed, because an operation
    /// may still use it.
    fn back(self) -> Vec<T> {
        // SAFETY: made by `Box::into_raw` in `new`; this takes `self`, so it happens once.
        unsafe { Box::from_raw(self.0) }.into_vec()
    }
}

/// The lengths of consecutive blocks, which MPI must be able to count, and where each begins.
fn layout(lengths: &[usize]) -> (Vec<Count>, Vec<Count>) {
    let counts: Vec<Count> = lengths.iter().map(|&length| length as Count).collect();
    let places = counts.iter().scan(0, |end, count| Some(std::mem::replace(end, *end + count))).collect();
    (counts, places)
}

/// A message that is being sent, and its memory.
type OpenSend = (Request<'static, [u8]>, Lent<u8>);

/// Some of the processes.
struct Members {
    world: Rc<World>,
    /// MPI_Finalize frees it. Freeing it earlier would be a collective call.
    comm: ManuallyDrop<SimpleCommunicator>,
    members: Vec<usize>,
    timeout: Duration,
    /// Messages that have been sent but not waited for.
    sending: RefCell<BTreeMap<u64, OpenSend>>,
    next: Cell<u64>,
}

impl Members {
    fn until<D: ?Sized>(&self, what: &str, request: Request<'static, D>) -> Result<()> {
        self.world.until(what, &self.members, self.timeout, request)
    }

    /// Begins a collective: every rank says what it calls. Without this, ranks that call different things would wait forever,
    /// or get an MPI error that nobody understands.
    ///
    /// # Errors
    /// A rank calls something else.
    fn agree(&self, call: &str) -> Result<()> {
        let mut mine = call.as_bytes().to_vec();
        mine.resize(CALL, b' ');
        let (given, all) = (Lent::new(mine)?, Lent::new(vec![b' '; CALL * self.size()])?);
        let request = self.comm.immediate_all_gather_into(StaticScope, given.memory(), all.memory());
        self.until(call.split(' ').next().unwrap_or_default(), request)?;
        let (mine, all) = (given.back(), all.back());
        match all.chunks(CALL).position(|theirs| theirs != mine) {
            None => Ok(()),
            Some(rank) => Err(Error::runtime(format!(
                "rank {} calls {call}, but rank {} calls {}; every rank must make the same calls",
                self.world.all.rank(),
                self.members[rank],
                String::from_utf8_lossy(&all[rank * CALL..(rank + 1) * CALL]).trim_end(),
            ))),
        }
    }

    /// Reduces values of a type that MPI knows.
    fn combine<T: Element>(&self, data: Vec<T>, op: SystemOperation, target: Target) -> Result<Vec<T>> {
        let (count, size) = (data.len(), self.size());
        let given = Lent::new(data)?;
        match target {
            Target::Everyone => {
                let made = Lent::new(vec![T::default(); count])?;
                let request = self.comm.immediate_all_reduce_into(StaticScope, given.memory(), made.memory(), op);
                self.until("all_reduce", request)?;
                given.back();
                Ok(made.back())
            }
            Target::Blocks => {
                let made = Lent::new(vec![T::default(); count / size])?;
                let request =
                    self.comm.immediate_reduce_scatter_block_into(StaticScope, given.memory(), made.memory(), op);
                self.until("reduce_scatter", request)?;
                given.back();
                Ok(made.back())
            }
            Target::One(rank) => {
                let root = self.comm.process_at_rank(rank as i32);
                if rank != self.rank() {
                    self.until("reduce", root.immediate_reduce_into(StaticScope, given.memory(), op))?;
                    return Ok(given.back());
                }
                let made = Lent::new(vec![T::default(); count])?;
                let request = root.immediate_reduce_into_root(StaticScope, given.memory(), made.memory(), op);
                self.until("reduce", request)?;
                given.back();
                Ok(made.back())
            }
        }
    }

    fn typed<T: Element>(&self, data: &[u8], dtype: DType, op: Combine, target: Target) -> Result<Vec<u8>> {
        let made = self.combine::<T>(reduce::values(data), reduce::operation(op, dtype)?, target)?;
        Ok(reduce::bytes(&self.mean(made, op, dtype)))
    }

    fn mean<T: Element>(&self, made: Vec<T>, op: Combine, dtype: DType) -> Vec<T> {
        if op != Combine::Avg || dtype == DType::Bool {
            return made;
        }
        made.into_iter().map(|v| v.over(self.size())).collect()
    }

    /// Takes back the memory of messages that have been sent.
    fn collect(&self) {
        let open = std::mem::take(&mut *self.sending.borrow_mut());
        for (number, (request, lent)) in open {
            match request.test() {
                Ok(_) => drop(lent.back()),
                Err(request) => drop(self.sending.borrow_mut().insert(number, (request, lent))),
            }
        }
    }
}

impl Communicator for Members {
    fn rank(&self) -> usize {
        self.comm.rank() as usize
    }

    fn size(&self) -> usize {
        self.members.len()
    }

    fn members(&self) -> &[usize] {
        &self.members
    }

    fn broadcast(&self, data: Vec<u8>, root: usize) -> Result<Vec<u8>> {
        self.agree(&format!("broadcast from rank {root} of {} bytes", data.len()))?;
        let data = Lent::new(data)?;
        let root = self.comm.process_at_rank(root as i32);
        self.until("broadcast", root.immediate_broadcast_into(StaticScope, data.memory()))?;
        Ok(data.back())
    }

    fn reduce(&self, data: &[u8], dtype: DType, op: Combine, target: Target) -> Result<Vec<u8>> {
        let name = match target {
            Target::Everyone => "all_reduce".to_string(),
            Target::One(rank) => format!("reduce to rank {rank}"),
            Target::Blocks => "reduce_scatter".to_string(),
        };
        self.agree(&format!("{name} of {} elements of {dtype} by {op:?}", data.len() / dtype.size()))?;
        match dtype {
            DType::Bool | DType::U8 => self.typed::<u8>(data, dtype, op, target),
            DType::I8 => self.typed::<i8>(data, dtype, op, target),
            DType::I16 => self.typed::<i16>(data, dtype, op, target),
            DType::U16 => self.typed::<u16>(data, dtype, op, target),
            DType::I32 => self.typed::<i32>(data, dtype, op, target),
            DType::U32 => self.typed::<u32>(data, dtype, op, target),
            DType::I64 => self.typed::<i64>(data, dtype, op, target),
            DType::F32 => self.typed::<f32>(data, dtype, op, target),
            DType::F64 => self.typed::<f64>(data, dtype, op, target),
            DType::F16 | DType::BF16 => {
                let made = self.combine(reduce::widened(data, dtype), reduce::operation(op, dtype)?, target)?;
                Ok(reduce::narrowed(&self.mean(made, op, dtype), dtype))
            }
            DType::C64 | DType::C128 => Err(Error::not_implemented(format!("{name} of tensors of {dtype}"))),
        }
    }

    fn gather(&self, data: Vec<u8>, to: Option<usize>) -> Result<Vec<u8>> {
        let count = data.len();
        match to {
            None => self.agree(&format!("all_gather of {count} bytes"))?,
            Some(rank) => self.agree(&format!("gather to rank {rank} of {count} bytes"))?,
        }
        let given = Lent::new(data)?;
        if let Some(rank) = to.filter(|&rank| rank != self.rank()) {
            let root = self.comm.process_at_rank(rank as i32);
            self.until("gather", root.immediate_gather_into(StaticScope, given.memory()))?;
            given.back();
            return Ok(Vec::new());
        }
        let all = Lent::new(vec![0; count * self.size()])?;
        match to {
            None => {
                let request = self.comm.immediate_all_gather_into(StaticScope, given.memory(), all.memory());
                self.until("all_gather", request)?;
            }
            Some(rank) => {
                let root = self.comm.process_at_rank(rank as i32);
                let request = root.immediate_gather_into_root(StaticScope, given.memory(), all.memory());
                self.until("gather", request)?;
            }
        }
        given.back();
        Ok(all.back())
    }

    fn scatter(&self, data: Option<Vec<u8>>, count: usize, root: usize) -> Result<Vec<u8>> {
        self.agree(&format!("scatter from rank {root} of {count} bytes"))?;
        let mine = Lent::new(vec![0; count])?;
        let process = self.comm.process_at_rank(root as i32);
        match data.filter(|_| root == self.rank()) {
            None => self.until("scatter", process.immediate_scatter_into(StaticScope, mine.memory()))?,
            Some(data) => {
                let given = Lent::new(data)?;
                let request = process.immediate_scatter_into_root(StaticScope, given.memory(), mine.memory());
                self.until("scatter", request)?;
                given.back();
            }
        }
        Ok(mine.back())
    }

    fn exchange(&self, data: Vec<u8>, given: &[usize], expected: &[usize]) -> Result<Vec<u8>> {
        self.agree("all_to_all")?;
        let size = self.size();
        // What every rank sends and expects, so that all of them notice a mismatch. MPI would wait, or truncate
        // messages.
        let mine: Vec<u64> = given.iter().chain(expected).map(|&bytes| bytes as u64).collect();
        let (mine, all) = (Lent::new(mine)?, Lent::new(vec![0u64; 2 * size * size])?);
        let request = self.comm.immediate_all_gather_into(StaticScope, mine.memory(), all.memory());
        self.until("all_to_all", request)?;
        mine.back();
        let all = all.back();
        for (from, to) in (0..size).flat_map(|from| (0..size).map(move |to| (from, to))) {
            let (gives, expects) = (all[2 * size * from + to], all[2 * size * to + size + from]);
            if gives != expects {
                let (from, to) = (self.members[from], self.members[to]);
                let text = format!("all_to_all: rank {from} gives {gives} bytes to rank {to}, which expects {expects}");
                return Err(Error::runtime(text));
            }
        }
        let came = Lent::new(vec![0; expected.iter().sum()])?;
        let data = Lent::new(data)?;
        // MPI reads lengths and offsets until the operation is done.
        let memory: &'static [u8] = data.memory();
        let (counts, places) = layout(given);
        let sent = Lent::new(vec![Partition::new(memory, counts, places)])?;
        let (counts, places) = layout(expected);
        let received = Lent::new(vec![PartitionMut::new(came.memory(), counts, places)])?;
        let (from, to) = (&sent.memory()[0], &mut received.memory()[0]);
        let request = self.comm.immediate_all_to_all_varcount_into(StaticScope, from, to);
        self.until("all_to_all", request)?;
        drop((sent.back(), received.back()));
        data.back();
        Ok(came.back())
    }

    fn barrier(&self) -> Result<()> {
        // The agreement itself is the barrier.
        self.agree("barrier")
    }

    fn send(&self, data: Vec<u8>, to: usize, tag: i32) -> Result<Sending> {
        self.collect();
        let data = Lent::new(data)?;
        let memory: &'static [u8] = data.memory();
        let request = self.comm.process_at_rank(to as i32).immediate_send_with_tag(StaticScope, memory, tag);
        let number = self.next.replace(self.next.get() + 1);
        self.sending.borrow_mut().insert(number, (request, data));
        Ok(Sending(number))
    }

    fn sent(&self, sending: Sending) -> Result<()> {
        let Some((request, lent)) = self.sending.borrow_mut().remove(&sending.0) else { return Ok(()) };
        self.until("send", request)?;
        lent.back();
        Ok(())
    }

    fn receive(&self, count: usize, from: Option<usize>, tag: i32) -> Result<(Vec<u8>, usize)> {
        let source = from.map_or(self.members.as_slice(), |rank| &self.members[rank..=rank]);
        let next = || match from {
            Some(rank) => self.comm.process_at_rank(rank as i32).immediate_matched_probe_with_tag(tag),
            None => self.comm.any_process().immediate_matched_probe_with_tag(tag),
        };
        let (message, status) = self.world.poll("recv", source, self.timeout, next)?;
        let came = status.count(u8::equivalent_datatype()).max(0) as usize;
        let data = Lent::new(vec![0; came])?;
        self.until("recv", message.immediate_matched_receive_into(StaticScope, data.memory()))?;
        let from = status.source_rank() as usize;
        match came == count {
            true => Ok((data.back(), from)),
            false => Err(Error::runtime(format!(
                "recv: rank {} sent {came} bytes, and the tensor has {count}",
                self.members[from]
            ))),
        }
    }

    fn arrived(&self, from: Option<usize>, tag: i32) -> bool {
        match from {
            Some(rank) => self.comm.process_at_rank(rank as i32).immediate_probe_with_tag(tag).is_some(),
            None => self.comm.any_process().immediate_probe_with_tag(tag).is_some(),
        }
    }

    fn part(&self, ranks: &[usize]) -> Result<Option<Rc<dyn Communicator>>> {
        // As in `join`.
        self.agree(&format!("new_group of {} ranks", ranks.len()))?;
        let chosen: Vec<i32> = ranks.iter().map(|&rank| rank as i32).collect();
        let comm = self.comm.split_by_subgroup_collective(&self.comm.group().include(&chosen));
        Ok(comm.map(|comm| {
            Rc::new(Members {
                world: self.world.clone(),
                comm: ManuallyDrop::new(comm),
                members: ranks.iter().map(|&rank| self.members[rank]).collect(),
                timeout: self.timeout,
                sending: RefCell::default(),
                next: Cell::new(0),
            }) as Rc<dyn Communicator>
        }))
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        // Dropping an open request would panic, and MPI may still read the memory that it was lent.
        self.collect();
        std::mem::forget(std::mem::take(&mut *self.sending.borrow_mut()));
    }
}
