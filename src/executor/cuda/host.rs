//! Page-locked host memory, cached: taking it from the driver takes longer than copying it.
//!
//! As in PyTorch's caching host allocator, sizes are powers of two, and a block isn't reused before the copies that use it
//! are done.
//!
//! Source of the rules: aten/src/ATen/core/CachingHostAllocator.h in PyTorch 2.15.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::rc::{Rc, Weak};

use super::device::Device;
use crate::executor::{Done, Mark, Pinned, Queue};

/// The smallest block, in bytes.
const LEAST: usize = 64;

/// A block, its size, and the marks that must be reached before it's free.
type Busy = (NonNull<u8>, usize, Vec<Rc<dyn Mark>>);

#[derive(Default)]
struct State {
    /// Free blocks by size.
    free: HashMap<usize, Vec<NonNull<u8>>>,
    /// Blocks that were given back while queued copies still used them.
    busy: Vec<Busy>,
}

pub(super) struct HostPool {
    device: Rc<dyn Device>,
    state: RefCell<State>,
}

/// One block. Dropping it returns it to its pool.
pub(super) struct HostBlock {
    at: NonNull<u8>,
    size: usize,
    /// The queues with copies that use it.
    users: RefCell<Vec<(Weak<dyn Device>, Queue)>>,
    home: Rc<HostPool>,
}

impl HostPool {
    pub(super) fn new(device: Rc<dyn Device>) -> Rc<HostPool> {
        Rc::new(HostPool { device, state: RefCell::default() })
    }

    /// # Errors
    /// The host has no room for it, or the driver won't lock that much.
    pub(super) fn allocate(self: &Rc<HostPool>, bytes: usize) -> Done<Option<Pinned>> {
        let refuse = crate::executor::Fault::OutOfMemory { bytes };
        let size = bytes.max(LEAST).checked_next_power_of_two().ok_or(refuse)?;
        self.collect();
        let cached = self.state.borrow_mut().free.get_mut(&size).and_then(Vec::pop);
        let at = match cached {
            Some(at) => at,
            None => match self.device.take_host(size)? {
                Some(at) => at,
                None => return Ok(None),
            },
        };
        let block = HostBlock { at, size, users: RefCell::default(), home: self.clone() };
        // SAFETY: the block is the buffer's until it is dropped.
        Ok(Some(unsafe { Pinned::new(at, bytes, Rc::new(block)) }))
    }

    /// Frees the blocks that no copy uses any more.
    fn collect(&self) {
        let State { free, busy } = &mut *self.state.borrow_mut();
        busy.retain(|(at, size, marks)| {
            // On a lost device nothing runs any more.
            let done = marks.iter().all(|mark| mark.is_reached().unwrap_or(true));
            if done {
                free.entry(*size).or_default().push(*at);
            }
            !done
        });
    }
}

impl HostBlock {
    /// Notes that a copy using this block was queued.
    pub(super) fn used_by(&self, device: &Rc<dyn Device>, queue: Queue) {
        let mut users = self.users.borrow_mut();
        if !users.iter().any(|(d, q)| *q == queue && std::ptr::addr_eq(d.as_ptr(), Rc::as_ptr(device))) {
            users.push((Rc::downgrade(device), queue));
        }
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        let users = self.users.take();
        let devices = users.iter().filter_map(|(device, queue)| Some((device.upgrade()?, *queue)));
        let marks: Vec<Rc<dyn Mark>> = devices.filter_map(|(d, queue)| d.mark(queue, false).ok().flatten()).collect();
        let mut state = self.home.state.borrow_mut();
        if marks.is_empty() {
            state.free.entry(self.size).or_default().push(self.at);
        } else {
            state.busy.push((self.at, self.size, marks));
        }
    }
}

impl Drop for HostPool {
    fn drop(&mut self) {
        let State { free, busy } = self.state.take();
        for (at, _, marks) in busy {
            marks.iter().for_each(|mark| _ = mark.wait());
            self.device.give_back_host(at);
        }
        free.into_values().flatten().for_each(|at| self.device.give_back_host(at));
    }
}
