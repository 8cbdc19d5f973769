//! Device memory: PyTorch's caching allocator over segments of real device memory.
//!
//! The engine's planner decides which addresses a program sees. This one uses the same rules to decide where the bytes really
//! are. Segments come from the driver, and go back to it only when it has nothing left or when a program empties the cache. A
//! block belongs to the queue that it was taken for. After it's freed, only that queue may get it, and at once: the kernels
//! that still use it were queued there before the new ones. If other queues also use the block, it isn't reused before their
//! work so far is done.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use crate::executor::{Done, Fault, Mark, Queue};
use crate::memory::{BlockId, Planner, PoolId, StreamId};

/// Where segments come from.
pub trait Segments {
    /// The address of `bytes` bytes, aligned to 512; `None` if the device has no room.
    fn take(&self, bytes: u64) -> Done<Option<u64>>;
    /// Gives a segment back, after all queued work.
    fn give_back(&self, address: u64, bytes: u64);
    /// A mark after all work of a queue so far, with its time if `timed`; `None` if there is only one queue.
    fn mark(&self, _queue: Queue, _timed: bool) -> Done<Option<Rc<dyn Mark>>> {
        Ok(None)
    }
    /// Whether every buffer gets its own segment.
    fn apart(&self) -> bool {
        false
    }
}

/// One block of device memory. Dropping it returns it to its pool.
pub(super) struct CudaBuffer {
    address: u64,
    place: Place,
    /// The queue that it was taken for, and others that use it.
    queue: Queue,
    users: RefCell<Vec<Queue>>,
    home: Weak<Pool>,
}

/// What a buffer gives back to its pool.
enum Place {
    Block(BlockId),
    /// A segment for one buffer, of this many bytes.
    Segment(u64),
}

impl CudaBuffer {
    fn new(address: u64, place: Place, queue: Queue, home: Weak<Pool>) -> CudaBuffer {
        CudaBuffer { address, place, queue, users: RefCell::default(), home }
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// The queue that it was taken for.
    pub(super) fn queue(&self) -> Queue {
        self.queue
    }

    /// Notes that another queue uses it: see [`crate::executor::queue::Queues::share`].
    pub(super) fn share(&self, queue: Queue) {
        let mut users = self.users.borrow_mut();
        if queue != self.queue && !users.contains(&queue) {
            users.push(queue);
        }
    }

    /// Memory without an owner, for tests that only look at launches.
    #[cfg(test)]
    pub(crate) fn fake(address: u64) -> CudaBuffer {
        CudaBuffer::new(address, Place::Segment(0), Queue::default(), Weak::new())
    }
}

impl Drop for CudaBuffer {
    fn drop(&mut self) {
        let Some(home) = self.home.upgrade() else { return };
        match self.place {
            Place::Block(block) => {
                // On a lost device nothing runs any more.
                let marks: Vec<Rc<dyn Mark>> =
                    self.users.take().into_iter().filter_map(|q| home.source.mark(q, false).ok().flatten()).collect();
                let mut state = home.state.borrow_mut();
                if marks.is_empty() {
                    state.planner.free(block);
                } else {
                    state.busy.push((block, marks));
                }
            }
            Place::Segment(bytes) => home.source.give_back(self.address, bytes),
        }
    }
}

struct State {
    planner: Planner,
    /// Address and size of each segment, by its number.
    segments: HashMap<u64, (u64, u64)>,
    /// Freed blocks that queues other than their own still use.
    busy: Vec<(BlockId, Vec<Rc<dyn Mark>>)>,
}

pub(super) struct Pool {
    source: Rc<dyn Segments>,
    state: RefCell<State>,
    /// The queue that blocks are handed out to.
    queue: Cell<Queue>,
    /// Whether every buffer is a segment of its own, so that tests notice accesses past its end.
    apart: bool,
}

impl Pool {
    /// `capacity` is the device's memory in bytes. If a process may use less of it, the driver refuses.
    pub(super) fn new(source: Rc<dyn Segments>, capacity: u64) -> Rc<Pool> {
        let state = State { planner: Planner::new(capacity), segments: HashMap::new(), busy: Vec::new() };
        Rc::new(Pool { apart: source.apart(), source, state: RefCell::new(state), queue: Cell::default() })
    }

    /// From now on, memory is for this queue.
    pub(super) fn select(&self, queue: Queue) {
        self.queue.set(queue);
    }

    /// The queue that memory is for now.
    pub(super) fn selected(&self) -> Queue {
        self.queue.get()
    }

    /// Frees the blocks that other queues are done with; with `wait`, waits for them first.
    fn collect(&self, wait: bool) {
        let busy = std::mem::take(&mut self.state.borrow_mut().busy);
        if wait {
            busy.iter().flat_map(|(_, marks)| marks).for_each(|mark| _ = mark.wait());
        }
        // On a lost device nothing runs any more.
        let is_done = |marks: &[Rc<dyn Mark>]| wait || marks.iter().all(|mark| mark.is_reached().unwrap_or(true));
        let (done, busy): (Vec<_>, Vec<_>) = busy.into_iter().partition(|(_, marks)| is_done(marks));
        let mut state = self.state.borrow_mut();
        state.busy.extend(busy);
        for (block, _) in done {
            state.planner.free(block);
        }
    }

    #[cfg(test)]
    pub(crate) fn allocate(self: &Rc<Pool>, bytes: u64) -> Done<CudaBuffer> {
        self.allocate_in(bytes, PoolId::GENERAL)
    }

    /// A block of the general pool, or of a private pool, whose segments nothing else uses.
    ///
    /// # Errors
    /// [`Fault::OutOfMemory`] if the device has no room even with the cache released.
    pub(super) fn allocate_in(self: &Rc<Pool>, bytes: u64, private: PoolId) -> Done<CudaBuffer> {
        let refuse = || Fault::OutOfMemory { bytes: bytes as usize };
        // Zero-sized buffers have an address of their own as well: a kernel may get it as an argument, though it reads
        // nothing there.
        let bytes = bytes.max(1);
        if self.apart {
            let address = self.source.take(bytes)?.ok_or_else(refuse)?;
            return Ok(CudaBuffer::new(address, Place::Segment(bytes), self.queue.get(), Rc::downgrade(self)));
        }
        for attempt in 0..2 {
            self.collect(attempt > 0);
            let queue = StreamId(self.queue.get().0);
            let placement = self.state.borrow_mut().planner.alloc_in(bytes, queue, private);
            let placement = match placement {
                Ok(Some(placement)) => placement,
                Ok(None) => return Err(refuse()),
                Err(full) => {
                    full.freed_segments.iter().for_each(|(segment, _)| self.give_back(segment.0));
                    // Before memory is refused, wait for the blocks that other queues still use.
                    if attempt == 0 && !self.state.borrow().busy.is_empty() {
                        continue;
                    }
                    return Err(refuse());
                }
            };
            for (segment, _) in &placement.freed_segments {
                self.give_back(segment.0);
            }
            if let Some((segment, size)) = placement.new_segment {
                match self.source.take(size)? {
                    Some(address) => {
                        self.state.borrow_mut().segments.insert(segment.0, (address, size));
                    }
                    None => {
                        // Other processes have taken memory that the planner counted on: forget this segment, empty the
                        // cache, and try again.
                        self.state.borrow_mut().planner.free(placement.block);
                        self.release();
                        if attempt == 1 {
                            return Err(refuse());
                        }
                        continue;
                    }
                }
            }
            let base = self.state.borrow().segments.get(&placement.segment.0).map(|s| s.0);
            let base = base.ok_or_else(refuse)?;
            let place = Place::Block(placement.block);
            return Ok(CudaBuffer::new(base + placement.offset, place, self.queue.get(), Rc::downgrade(self)));
        }
        Err(refuse())
    }

    /// A graph starts using a private pool.
    pub(super) fn retain(&self, private: PoolId) {
        self.state.borrow_mut().planner.retain_pool(private);
    }

    /// A graph stops using a private pool.
    pub(super) fn release_private(&self, private: PoolId) {
        self.state.borrow_mut().planner.release_pool(private);
    }

    /// Gives every unused segment back to the driver.
    pub(super) fn release(&self) {
        self.collect(true);
        let freed = self.state.borrow_mut().planner.empty_cache();
        for (segment, _) in freed {
            self.give_back(segment.0);
        }
    }

    fn give_back(&self, segment: u64) {
        // Only the planner knows a segment that the driver refused.
        let known = self.state.borrow_mut().segments.remove(&segment);
        if let Some((address, bytes)) = known {
            self.source.give_back(address, bytes);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for (_, (address, bytes)) in self.state.borrow_mut().segments.drain() {
            self.source.give_back(address, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A device with `room` bytes.
    struct Fake {
        room: Cell<u64>,
        next: Cell<u64>,
        /// Whether the queued work is done.
        done: Rc<Cell<bool>>,
    }

    struct Place(Rc<Cell<bool>>);

    impl Mark for Place {
        fn is_reached(&self) -> Done<bool> {
            Ok(self.0.get())
        }
        fn wait(&self) -> Done {
            self.0.set(true);
            Ok(())
        }
        fn since(&self, _: &dyn Mark) -> Done<f64> {
            Ok(0.0)
        }
    }

    impl Segments for Fake {
        fn take(&self, bytes: u64) -> Done<Option<u64>> {
            if bytes > self.room.get() {
                return Ok(None);
            }
            self.room.set(self.room.get() - bytes);
            self.next.set(self.next.get() + bytes);
            Ok(Some(self.next.get() - bytes))
        }
        fn mark(&self, _: Queue, _: bool) -> Done<Option<Rc<dyn Mark>>> {
            Ok(Some(Rc::new(Place(self.done.clone()))))
        }
        fn give_back(&self, _: u64, bytes: u64) {
            self.room.set(self.room.get() + bytes);
        }
    }

    fn pool(room: u64) -> (Rc<Fake>, Rc<Pool>) {
        let fake = Rc::new(Fake { room: Cell::new(room), next: Cell::new(1 << 30), done: Rc::default() });
        (fake.clone(), Pool::new(fake, 1 << 40))
    }

    #[test]
    fn cuda_blocks_lie_apart_and_are_used_again() {
        let (_, pool) = pool(1 << 30);
        let a = pool.allocate(1000).unwrap();
        let b = pool.allocate(1).unwrap();
        assert_eq!(b.address() - a.address(), 1024);
        let at = a.address();
        drop(a);
        assert_eq!(pool.allocate(512).unwrap().address(), at);
    }

    /// Streams don't take each other's blocks, and a block that another stream uses isn't handed out before that stream
    /// is done.
    #[test]
    fn cuda_blocks_stay_with_their_queue() {
        let (device, pool) = pool(1 << 30);
        let a = pool.allocate(1000).unwrap();
        let at = a.address();
        drop(a);
        pool.select(Queue(1));
        let b = pool.allocate(1000).unwrap();
        assert_ne!(b.address() >> 21, at >> 21, "another queue's segment");
        pool.select(Queue(0));
        let a = pool.allocate(1000).unwrap();
        assert_eq!(a.address(), at);
        a.share(Queue(0));
        a.share(Queue(1));
        drop(a);
        let c = pool.allocate(1000).unwrap();
        assert_ne!(c.address(), at, "queue 1 is not done with it");
        device.done.set(true);
        assert_eq!(pool.allocate(1000).unwrap().address(), at);
    }

    #[test]
    fn cuda_cache_goes_back_before_memory_is_refused() {
        let (device, pool) = pool(24 << 20);
        drop(pool.allocate(5 << 20).unwrap());
        assert_eq!(device.room.get(), 4 << 20, "a segment of 20 MiB is cached");
        let big = pool.allocate(21 << 20).unwrap();
        assert_eq!(device.room.get(), 2 << 20);
        assert_eq!(pool.allocate(21 << 20).err(), Some(Fault::OutOfMemory { bytes: 21 << 20 }));
        drop(big);
        pool.release();
        assert_eq!(device.room.get(), 24 << 20);
    }
}
