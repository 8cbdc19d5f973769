//! Groups whose tensors stay on their accelerators: the devices of the processes are linked, and nothing goes through a
//! host.
//!
//! ```text
//! first collective on a device: rank 0 makes an id ─► store ─► every rank takes it ─► the devices are linked
//! every collective:             one kernel in the trace, after the device's work so far
//! ```
//!
//! A [`Flight`] is a running collective. Once it has been joined, the device's next kernels wait for it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::roll::{Roll, Stage, gone_without};
use super::store::{Opening, Store, token};
use super::{Combine, Communicator, Sending, Target};
use crate::device::Device;
use crate::dtype::DType;
use crate::engine::{self, IsOver};
use crate::error::{Error, ErrorKind, Result};
use crate::executor::links::{Links, Queued, Stretch, Traffic};
use crate::tensor::Tensor;
use crate::trace::Why;

/// How long a wait continues after a member has ended, because its last message may still be on its way.
const GRACE: Duration = Duration::from_secs(3);
/// How often a wait checks for members that have ended.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long a collective is polled without a pause. After that, other processes get the processor between polls.
const EAGER: Duration = Duration::from_micros(300);
const PAUSE: Duration = Duration::from_micros(50);
/// With this many running collectives, those that are done are removed before another is added.
const MANY: usize = 64;

/// What the groups of one program share.
struct World {
    store: Store,
    rank: usize,
    size: usize,
    /// How many default groups have been made so far.
    groups: Cell<usize>,
}

thread_local! {
    static WORLD: RefCell<Option<Rc<World>>> = const { RefCell::new(None) };
    /// Running collectives that aren't known to be done, in order.
    static UNDER_WAY: RefCell<VecDeque<UnderWay>> = const { RefCell::new(VecDeque::new()) };
}

/// A collective that also depends on other processes, so that it may never end.
#[derive(Clone)]
struct UnderWay {
    queued: Rc<dyn Queued>,
    links: Rc<dyn Links>,
    device: Device,
    name: &'static str,
    began: Instant,
    group: Rc<Group>,
}

/// Called before the host waits for a device, as long as collectives are running there, because that wait wouldn't notice
/// Ctrl-C, a timeout or a member that has left. It waits only for what `over` is about: the others may need what this process
/// does next.
///
/// # Errors
/// Those three, and those of the links. After any of them except Ctrl-C, the device's links can't be used any more.
fn watch(device: Device, over: Option<IsOver<'_>>) -> Result<()> {
    let on_device = |one: &&UnderWay| one.device == device;
    if !UNDER_WAY.with_borrow(|all| all.iter().any(|one| on_device(&one))) {
        return Ok(());
    }
    let (started, since) = (Instant::now(), Cell::new(None));
    let mut looked = started;
    loop {
        // An error there is returned by the wait itself.
        if over.is_some_and(|over| over() != Ok(false)) {
            return Ok(());
        }
        let now = Instant::now();
        if over.is_none() || now - looked >= LOOK_EVERY {
            forget_what_is_over();
            let open: Vec<UnderWay> = UNDER_WAY.with_borrow(|all| all.iter().filter(on_device).cloned().collect());
            if open.is_empty() {
                return Ok(());
            }
            if now - looked >= LOOK_EVERY {
                looked = now;
                open.iter().try_for_each(|one| one.look(&since)).inspect_err(|error| {
                    if error.kind != ErrorKind::Interrupt {
                        open.iter().for_each(|one| one.links.abort());
                        UNDER_WAY.with_borrow_mut(|all| all.retain(|one| one.device != device));
                    }
                })?;
            }
        }
        match now - started < EAGER {
            true => std::thread::yield_now(),
            false => std::thread::sleep(PAUSE),
        }
    }
}

/// If the device has failed, the collective counts as done.
fn forget_what_is_over() {
    UNDER_WAY.with_borrow_mut(|all| all.retain(|one| one.queued.is_over() == Ok(false)));
}

impl UnderWay {
    fn look(&self, since: &Cell<Option<Instant>>) -> Result<()> {
        self.links.check().map_err(|fault| engine::current().devices.link_error(self.device, fault))?;
        self.group.poll(self.name, since)?;
        if self.began.elapsed() > self.group.timeout {
            return Err(Error::dist_backend(format!(
                "{}: rank {} timed out after waiting {} ms for the other ranks",
                self.name,
                self.group.world.rank,
                self.group.timeout.as_millis()
            )));
        }
        Ok(())
    }
}

impl World {
    /// The first of `members` whose program has ended.
    fn gone(&self, members: &[usize]) -> Result<Option<usize>> {
        let roll = Roll::here();
        let left = self.store.left()?;
        let ended = |rank: &&usize| left.contains(rank) || roll.as_ref().is_some_and(|r| r.has(Stage::Ended, **rank));
        Ok(members.iter().filter(|&&rank| rank != self.rank).find(ended).copied())
    }
}

/// Some of the processes, and how long they wait for each other.
struct Group {
    world: Rc<World>,
    members: Vec<usize>,
    timeout: Duration,
}

impl Group {
    /// # Errors
    /// Stop, or a member that ended a while ago: `since` is when this was first noticed.
    fn poll(&self, what: &str, since: &Cell<Option<Instant>>) -> Result<()> {
        engine::current().hooks.check_interrupt()?;
        let Some(gone) = self.world.gone(&self.members)? else { return Ok(()) };
        let seen = since.get().unwrap_or_else(Instant::now);
        since.set(Some(seen));
        if seen.elapsed() <= GRACE {
            return Ok(());
        }
        Err(Error::runtime(format!(
            "{what}: rank {} waits for rank {gone}, whose program has ended; every rank must make the same calls",
            self.world.rank
        )))
    }
}

/// The links of a group, which carry its tensors.
pub struct Wired {
    group: Rc<Group>,
    /// The prefix of its keys in the store.
    name: String,
    rank: usize,
    /// In the order in which they were made, which is the same on all ranks.
    links: RefCell<Vec<(Device, Rc<dyn Links>)>>,
    parts: Cell<usize>,
}

/// Where and how the processes find each other.
pub struct Meeting<'a> {
    pub host: &'a str,
    pub port: u16,
    pub rank: usize,
    pub size: usize,
    pub timeout: Duration,
}

/// The group of all processes, each of which calls this.
///
/// # Errors
/// PyTorch's errors if there is no store or if some ranks don't come; a program that has ended; Stop.
pub fn join(meeting: &Meeting<'_>) -> Result<Rc<dyn Communicator>> {
    let &Meeting { host, port, rank, size, timeout } = meeting;
    let world = match WORLD.with_borrow(Clone::clone) {
        Some(world) if world.store.port() == port && world.store.host() == host => world,
        _ => {
            let roll = Roll::here();
            if let Some(roll) = &roll {
                roll.mark(Stage::Came, rank);
            }
            let missing = || {
                engine::current().hooks.check_interrupt()?;
                let gone = |rank: &usize| {
                    roll.as_ref().is_some_and(|r| r.has(Stage::Ended, *rank) && !r.has(Stage::Came, *rank))
                };
                (0..size).find(gone).map_or(Ok(()), |gone| Err(gone_without(rank, gone)))
            };
            let token = token();
            let opening = Opening { host, port, is_master: rank == 0, rank: Some(rank), timeout, token: &token };
            let store = Store::open(&opening, &missing)?;
            store.wait_for_clients(size, &|_| missing())?;
            let world = Rc::new(World { store, rank, size, groups: Cell::new(0) });
            WORLD.set(Some(world.clone()));
            world
        }
    };
    if (world.rank, world.size) != (rank, size) {
        return Err(Error::value(format!(
            "this process is rank {} of {}, and not rank {rank} of {size}",
            world.rank, world.size
        )));
    }
    let number = world.groups.replace(world.groups.get() + 1);
    engine::current().hooks.set_watch(watch);
    Ok(Rc::new(Wired {
        group: Rc::new(Group { world, members: (0..size).collect(), timeout }),
        name: number.to_string(),
        rank,
        links: RefCell::default(),
        parts: Cell::new(0),
    }))
}

/// Called when this process's program has ended. The others learn of it once its collectives are done or can't be done
/// any more.
pub fn leave(failed: bool) {
    while let Some(device) = UNDER_WAY.with_borrow(|all| all.front().map(|one| one.device)).filter(|_| !failed) {
        if let Err(error) = watch(device, None) {
            // The program has ended, so there is nothing left in which to raise the error.
            eprintln!("tensoryard: {error}");
            break;
        }
    }
    // Otherwise the library would wait for them at its own end.
    UNDER_WAY.take().iter().for_each(|one| one.links.abort());
    WORLD.take();
}

impl Wired {
    /// The device's links. They are made if this is the group's first call on the device.
    fn links(&self, device: Device, what: &str) -> Result<Rc<dyn Links>> {
        if let Some((_, links)) = self.links.borrow().iter().find(|(on, _)| *on == device) {
            return Ok(links.clone());
        }
        let engine = engine::current();
        let (executor, store) = (engine.devices.executor(device), &self.group.world.store);
        let key = format!("{}//cuda//{}", self.name, self.links.borrow().len());
        let failed = |fault| engine.devices.link_error(device, fault);
        let id = match self.rank {
            0 => {
                let id = executor.link_id().map_err(failed)?;
                store.set(&key, &id)?;
                Some(id)
            }
            _ => None,
        };
        // The library would wait without a timeout for ranks that don't come, so this waits for them first, with one.
        store.set(&format!("{key}/{}", self.rank), b"")?;
        let since = Cell::new(None);
        let poll = |_: &Store| self.group.poll(what, &since);
        let (rank, timeout) = (self.rank, Some(self.group.timeout));
        let keys: Vec<String> = (0..self.group.members.len()).map(|rank| format!("{key}/{rank}")).collect();
        let mut all: Vec<&str> = vec![&key];
        all.extend(keys.iter().map(String::as_str));
        let came = store.wait(&all, timeout, &poll).map_err(|error| match error.kind {
            ErrorKind::DistStore => Error::dist_backend(format!(
                "[{rank}] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by \
                 key '{}', but store->get('{}') got error: {}",
                self.links.borrow().len(),
                self.links.borrow().len(),
                error.message
            )),
            _ => error,
        });
        came?;
        let id = match id {
            Some(id) => id,
            None => store.get(&key, &poll)?,
        };
        let links = executor.link(&id, rank, self.group.members.len()).map_err(failed)?;
        self.links.borrow_mut().push((device, links.clone()));
        Ok(links)
    }

    /// Passes a device's traffic to its links.
    fn queue(&self, device: Device, name: &'static str, bytes: usize, traffic: &[Traffic]) -> Result<Flight> {
        let links = self.links(device, name)?;
        let queued = engine::current().launches.linked(device, name, bytes, |after| links.hand(after, traffic))?;
        if UNDER_WAY.with_borrow(|all| all.len() >= MANY) {
            forget_what_is_over();
        }
        let (began, group) = (Instant::now(), self.group.clone());
        let one = UnderWay { queued: queued.clone(), links, device, name, began, group };
        UNDER_WAY.with_borrow_mut(|all| all.push_back(one));
        Ok(Flight { queued, device })
    }

    /// Waits on the host until all members have come here and the device is done. Uses `device` for this, or else a device that
    /// the group has used, or the one with this process's rank.
    ///
    /// # Errors
    /// A member that has ended, the group's timeout, Stop; those of the links.
    pub fn meet(&self, device: Option<Device>) -> Result<()> {
        if self.group.members.len() == 1 {
            return Ok(());
        }
        let engine = engine::current();
        let used = self.links.borrow().first().map(|(device, _)| *device);
        let guessed = || Device::cuda((self.group.world.rank % engine.devices.cuda_count().max(1)) as i8);
        let device = engine.resolve(device.or(used).unwrap_or_else(guessed))?;
        let token = Tensor::from_bytes(&0f32.to_le_bytes(), &[1], DType::F32, device)?;
        let here = span(&token)?;
        let traffic = Traffic::AllReduce { from: here.clone(), to: here, op: Combine::Sum };
        self.queue(device, "nccl:all_reduce_barrier", bytes(&token), &[traffic])?.join()?;
        engine.launches.synchronize(device, Why::Synchronize)
    }

    // ---- collectives -------------------------------------------------------------------------------------------------

    pub(super) fn broadcast(&self, t: &Tensor, root: usize) -> Result<Flight> {
        let here = span(t)?;
        let flight = self.queue(
            t.device(),
            "nccl:broadcast",
            bytes(t),
            &[Traffic::Broadcast { from: here.clone(), to: here, root }],
        )?;
        t.bump_version();
        Ok(flight)
    }

    pub(super) fn all_reduce(&self, t: &Tensor, op: Combine) -> Result<Flight> {
        let here = span(t)?;
        check_op(op, t.dtype())?;
        let traffic = Traffic::AllReduce { from: here.clone(), to: here, op };
        let flight = self.queue(t.device(), "nccl:all_reduce", bytes(t), &[traffic])?;
        t.bump_version();
        Ok(flight)
    }

    pub(super) fn reduce(&self, t: &Tensor, root: usize, op: Combine) -> Result<Flight> {
        let here = span(t)?;
        check_op(op, t.dtype())?;
        let traffic = Traffic::Reduce { from: here.clone(), to: here, op, root };
        let flight = self.queue(t.device(), "nccl:reduce", bytes(t), &[traffic])?;
        if self.rank == root {
            t.bump_version();
        }
        Ok(flight)
    }

    /// `out` becomes its block of the combined `parts`, which are one tensor or one per rank.
    pub(super) fn reduce_scatter(&self, out: &Tensor, parts: &[Tensor], op: Combine) -> Result<Flight> {
        check_op(op, out.dtype())?;
        let to = span(out)?;
        let (name, traffic) = match parts {
            [whole] => {
                let traffic = Traffic::ReduceScatter { from: span(whole)?, to, op };
                ("nccl:_reduce_scatter_base", vec![traffic])
            }
            _ => {
                // Each rank is the root of one reduction; the other ranks write nothing in it.
                let one = |(root, part): (usize, &Tensor)| {
                    Ok(Traffic::Reduce { from: span(part)?, to: to.clone(), op, root })
                };
                ("nccl:reduce_scatter", parts.iter().enumerate().map(one).collect::<Result<_>>()?)
            }
        };
        let flight = self.queue(out.device(), name, parts.iter().map(bytes).sum(), &traffic)?;
        out.bump_version();
        Ok(flight)
    }

    /// `all`, which is one tensor or one per rank, becomes every rank's `t`.
    pub(super) fn all_gather(&self, all: &[Tensor], t: &Tensor) -> Result<Flight> {
        let from = span(t)?;
        let (name, traffic) = match all {
            [whole] => ("nccl:_all_gather_base", vec![Traffic::AllGather { from, to: span(whole)? }]),
            _ => {
                let one = |(root, part): (usize, &Tensor)| {
                    Ok(Traffic::Broadcast { from: from.clone(), to: span(part)?, root })
                };
                ("nccl:all_gather", all.iter().enumerate().map(one).collect::<Result<_>>()?)
            }
        };
        let flight = self.queue(t.device(), name, all.iter().map(bytes).sum(), &traffic)?;
        all.iter().for_each(Tensor::bump_version);
        Ok(flight)
    }

    /// `all` of rank `root` becomes every rank's `t`.
    pub(super) fn gather(&self, all: &[Tensor], t: &Tensor, root: usize) -> Result<Flight> {
        let mut traffic = vec![Traffic::Send { from: span(t)?, peer: root }];
        if self.rank == root {
            for (peer, part) in all.iter().enumerate() {
                traffic.push(Traffic::Receive { to: span(part)?, peer });
            }
        }
        let flight = self.queue(t.device(), "nccl:gather", bytes(t), &traffic)?;
        all.iter().for_each(Tensor::bump_version);
        Ok(flight)
    }

    /// `out` of every rank becomes its part of those of rank `root`.
    pub(super) fn scatter(&self, out: &Tensor, parts: &[Tensor], root: usize) -> Result<Flight> {
        let mut traffic = vec![Traffic::Receive { to: span(out)?, peer: root }];
        if self.rank == root {
            for (peer, part) in parts.iter().enumerate() {
                traffic.push(Traffic::Send { from: span(part)?, peer });
            }
        }
        let flight = self.queue(out.device(), "nccl:scatter", bytes(out), &traffic)?;
        out.bump_version();
        Ok(flight)
    }

    /// `outs[i]` becomes what rank `i` has for this rank. For single tensors, `expected` and `given` say how many elements
    /// each block has, one block after the other. Empty blocks aren't sent.
    pub(super) fn all_to_all(
        &self,
        outs: &[Tensor],
        ins: &[Tensor],
        expected: &[usize],
        given: &[usize],
    ) -> Result<Flight> {
        let (outs_by, ins_by) = (blocks(outs, expected)?, blocks(ins, given)?);
        let sends = ins_by.into_iter().enumerate().filter(|(_, from)| from.numel > 0);
        let receives = outs_by.into_iter().enumerate().filter(|(_, to)| to.numel > 0);
        let sends = sends.map(|(peer, from)| Traffic::Send { from, peer });
        let traffic: Vec<Traffic> = sends.chain(receives.map(|(peer, to)| Traffic::Receive { to, peer })).collect();
        let device = outs.first().map_or(Device::CPU, Tensor::device);
        let flight = self.queue(device, "nccl:all_to_all", ins.iter().map(bytes).sum(), &traffic)?;
        outs.iter().for_each(Tensor::bump_version);
        Ok(flight)
    }

    /// Messages that are sent together, so that none waits for another: whether it is sent, the tensor, and the other
    /// rank.
    ///
    /// # Errors
    /// Those of the collectives.
    pub fn messages(&self, messages: &[(bool, Tensor, usize)]) -> Result<Flight> {
        let one = |(sent, t, peer): &(bool, Tensor, usize)| {
            let (span, peer) = (span(t)?, *peer);
            Ok(if *sent { Traffic::Send { from: span, peer } } else { Traffic::Receive { to: span, peer } })
        };
        let traffic = messages.iter().map(one).collect::<Result<Vec<_>>>()?;
        let Some((sent, first, _)) = messages.first() else { return Err(Error::value("a batch of no messages")) };
        let name = match messages.len() {
            1 if *sent => "nccl:send",
            1 => "nccl:recv",
            _ => "nccl:coalesced",
        };
        let flight = self.queue(first.device(), name, messages.iter().map(|(_, t, _)| bytes(t)).sum(), &traffic)?;
        messages.iter().filter(|(sent, ..)| !sent).for_each(|(_, t, _)| t.bump_version());
        Ok(flight)
    }
}

/// A running collective on a device.
pub struct Flight {
    queued: Rc<dyn Queued>,
    device: Device,
}

impl Flight {
    /// Makes the device's next kernels wait for it.
    ///
    /// # Errors
    /// Those of the device.
    pub fn join(&self) -> Result<()> {
        engine::current().launches.on_current_queue(self.device, |queue| self.queued.join(queue))
    }

    /// # Errors
    /// Those of the device.
    pub(crate) fn is_over(&self) -> Result<bool> {
        self.queued.is_over().map_err(|fault| engine::current().devices.link_error(self.device, fault))
    }
}

fn bytes(t: &Tensor) -> usize {
    t.numel() * t.dtype().size()
}

/// A tensor's elements, in place.
///
/// # Errors
/// PyTorch's error for tensors that NCCL can't send.
fn span(t: &Tensor) -> Result<Stretch> {
    if !t.device().is_cuda() {
        return Err(Error::value("Tensors must be CUDA and dense"));
    }
    if !t.is_contiguous() {
        return Err(Error::value("Tensors must be contiguous"));
    }
    if matches!(t.dtype(), DType::I16 | DType::U16 | DType::C64 | DType::C128) {
        return Err(Error::type_(format!(
            "Input tensor data type is not supported for NCCL process group: {}",
            t.dtype().scalar_name()
        )));
    }
    Ok(Stretch { buffer: t.storage().buffer()?.clone(), offset: t.offset(), numel: t.numel() })
}

/// The blocks of a single tensor, with this many elements for each rank; or else the tensors themselves.
fn blocks(tensors: &[Tensor], counts: &[usize]) -> Result<Vec<Stretch>> {
    let [whole] = tensors else { return tensors.iter().map(span).collect() };
    let whole = span(whole)?;
    let mut offset = whole.offset;
    let block = |&numel: &usize| {
        let span = Stretch { buffer: whole.buffer.clone(), offset, numel };
        offset += numel;
        span
    };
    Ok(counts.iter().map(block).collect())
}

fn check_op(op: Combine, dtype: DType) -> Result<()> {
    match op {
        Combine::BitAnd => Err(Error::value("Cannot use ReduceOp.BAND with NCCL")),
        Combine::BitOr => Err(Error::value("Cannot use ReduceOp.BOR with NCCL")),
        Combine::BitXor => Err(Error::value("Cannot use ReduceOp.BXOR with NCCL")),
        Combine::Avg if dtype == DType::Bool => Err(Error::type_("Cannot use ReduceOp.AVG with Boolean inputs")),
        _ => Ok(()),
    }
}

/// The error for host memory, which isn't carried.
fn on_the_host<T>() -> Result<T> {
    Err(Error::runtime("No backend type associated with device type cpu"))
}

impl Communicator for Wired {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.group.members.len()
    }

    fn members(&self) -> &[usize] {
        &self.group.members
    }

    fn wired(&self) -> Option<&Wired> {
        Some(self)
    }

    fn broadcast(&self, _data: Vec<u8>, _root: usize) -> Result<Vec<u8>> {
        on_the_host()
    }

    fn reduce(&self, _data: &[u8], _dtype: DType, _op: Combine, _target: Target) -> Result<Vec<u8>> {
        on_the_host()
    }

    fn gather(&self, _data: Vec<u8>, _to: Option<usize>) -> Result<Vec<u8>> {
        on_the_host()
    }

    fn scatter(&self, _data: Option<Vec<u8>>, _count: usize, _root: usize) -> Result<Vec<u8>> {
        on_the_host()
    }

    fn exchange(&self, _data: Vec<u8>, _given: &[usize], _expected: &[usize]) -> Result<Vec<u8>> {
        on_the_host()
    }

    fn barrier(&self) -> Result<()> {
        self.meet(None)
    }

    fn send(&self, _data: Vec<u8>, _to: usize, _tag: i32) -> Result<Sending> {
        on_the_host()
    }

    fn sent(&self, _sending: Sending) -> Result<()> {
        on_the_host()
    }

    fn receive(&self, _count: usize, _from: Option<usize>, _tag: i32) -> Result<(Vec<u8>, usize)> {
        on_the_host()
    }

    fn arrived(&self, _from: Option<usize>, _tag: i32) -> bool {
        false
    }

    fn part(&self, ranks: &[usize]) -> Result<Option<Rc<dyn Communicator>>> {
        let number = self.parts.replace(self.parts.get() + 1);
        let Some(rank) = ranks.iter().position(|&rank| rank == self.rank) else { return Ok(None) };
        let members = ranks.iter().map(|&rank| self.group.members[rank]).collect();
        Ok(Some(Rc::new(Wired {
            group: Rc::new(Group { world: self.group.world.clone(), members, timeout: self.group.timeout }),
            name: format!("{}.{number}", self.name),
            rank,
            links: RefCell::default(),
            parts: Cell::new(0),
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::{Done, Queue};

    /// Traffic that ends when the test says so, on links that note when they are ended.
    #[derive(Default)]
    struct Fake {
        over: Cell<bool>,
        aborted: Cell<bool>,
    }

    impl Queued for Fake {
        fn join(&self, _: Queue) -> Done {
            Ok(())
        }

        fn is_over(&self) -> Done<bool> {
            Ok(self.over.get())
        }
    }

    impl Links for Fake {
        fn hand(&self, _: Queue, _: &[Traffic]) -> Done<Rc<dyn Queued>> {
            Ok(Rc::new(Fake::default()))
        }

        fn check(&self) -> Done {
            Ok(())
        }

        fn abort(&self) {
            self.aborted.set(true);
        }
    }

    fn store(port: u16, rank: usize) -> Store {
        let timeout = Duration::from_secs(5);
        let opening = Opening { host: "127.0.0.1", port, is_master: rank == 0, rank: Some(rank), timeout, token: "" };
        Store::open(&opening, &|| Ok(())).unwrap()
    }

    /// A collective that a member never joins ends with an error and doesn't wait forever.
    #[test]
    fn what_will_never_be_over_is_not_waited_for() {
        let world = Rc::new(World { store: store(0, 0), rank: 0, size: 2, groups: Cell::new(1) });
        let other = store(world.store.port(), 1);
        let (card, beside) = (Device::cuda(0), Device::cuda(1));
        let begin = |device, milliseconds, fake: &Rc<Fake>| {
            let timeout = Duration::from_millis(milliseconds);
            let group = Rc::new(Group { world: world.clone(), members: vec![0, 1], timeout });
            let (queued, links, name) = (fake.clone(), fake.clone(), "nccl:all_reduce");
            let one = UnderWay { queued, links, device, name, began: Instant::now(), group };
            UNDER_WAY.with_borrow_mut(|all| all.push_back(one));
        };
        let (first, second) = (Rc::new(Fake::default()), Rc::new(Fake::default()));
        begin(card, 200, &first);
        begin(beside, 60_000, &second);
        // A wait for something else doesn't wait for this collective.
        assert_eq!(watch(card, Some(&|| Ok(true))), Ok(()));
        let late = watch(card, Some(&|| Ok(false))).unwrap_err();
        let text = "nccl:all_reduce: rank 0 timed out after waiting 200 ms for the other ranks";
        assert_eq!(late, Error::dist_backend(text));
        assert_eq!((first.aborted.get(), second.aborted.get(), watch(card, None)), (true, false, Ok(())));
        drop(other);
        let gone = watch(beside, None).unwrap_err();
        let text =
            "nccl:all_reduce: rank 0 waits for rank 1, whose program has ended; every rank must make the same calls";
        assert_eq!((gone, second.aborted.get()), (Error::runtime(text), true));
        // Collectives that are done are removed.
        first.over.set(true);
        begin(card, 0, &first);
        assert_eq!(watch(card, None), Ok(()));
    }
}
