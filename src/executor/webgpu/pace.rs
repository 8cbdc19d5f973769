//! How far the host may be ahead of the device.
//!
//! WebGPU accepts any amount of work. A program that keeps launching and never waits would fill the queue without limit, and
//! the next wait, even one in the next program, would wait for all of that. CUDA makes a launch wait when about a thousand
//! are queued, and so does this module. It puts a mark into the queue after every [`APART`] kernels, which is rare enough to
//! cost nothing, and no marks at all if a program waits more often than that.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many kernels may be queued before the host waits.
pub(super) const AHEAD: u64 = 1024;

/// The least number of kernels between two marks.
const APART: u64 = 256;

/// How many written bytes count as one kernel: written data waits in memory of its own until the queue gets there.
const WRITTEN: usize = 64 << 10;

/// How far the device has got in its queue.
#[derive(Default)]
pub(crate) struct Reached {
    kernels: AtomicU64,
    /// Settles the promise that the host is waiting for.
    #[cfg(all(target_arch = "wasm32", feature = "worker"))]
    waiter: std::sync::Mutex<Option<js_sys::Function>>,
}

impl Reached {
    fn advance(&self, kernels: u64) {
        self.kernels.fetch_max(kernels, Ordering::Relaxed);
        #[cfg(all(target_arch = "wasm32", feature = "worker"))]
        if let Some(settle) = self.waiter.lock().ok().and_then(|mut waiter| waiter.take()) {
            let _ = settle.call0(&wasm_bindgen::JsValue::NULL);
        }
    }

    /// Whether the device is known to have reached a mark.
    pub(crate) fn is_past(&self, mark: &Mark) -> bool {
        self.kernels.load(Ordering::Relaxed) >= mark.kernels
    }

    /// `settle` is called when the device reaches the next mark.
    #[cfg(all(target_arch = "wasm32", feature = "worker"))]
    pub(crate) fn wake(&self, settle: js_sys::Function) {
        if let Ok(mut waiter) = self.waiter.lock() {
            *waiter = Some(settle);
        }
    }
}

/// A place in the queue.
#[derive(Clone)]
pub(crate) struct Mark {
    kernels: u64,
    /// The submission that ends there. Only native adapters can wait for a submission; in a browser there is a promise.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a browser keeps a promise"))]
    pub submission: wgpu::SubmissionIndex,
}

/// Counts the work that was submitted and how much of it is done.
#[derive(Default)]
pub(super) struct Pace {
    submitted: u64,
    /// What was written and not yet submitted, counted in kernels.
    written: u64,
    marked: u64,
    /// The marks that the device may not have reached, in order.
    marks: VecDeque<Mark>,
    pub reached: Arc<Reached>,
}

impl Pace {
    /// Counts a write. Returns whether it's time to submit what was written.
    pub(super) fn wrote(&mut self, bytes: usize) -> bool {
        self.written += 1 + (bytes / WRITTEN) as u64;
        self.written >= APART
    }

    /// Counts a submission of this many kernels, the latest one of the queue, and marks it if it's time for a mark.
    pub(super) fn submitted(&mut self, kernels: usize, submission: wgpu::SubmissionIndex, queue: &wgpu::Queue) {
        self.submitted += kernels as u64 + std::mem::take(&mut self.written);
        if self.submitted - self.marked < APART {
            return;
        }
        let (reached, kernels) = (self.reached.clone(), self.submitted);
        queue.on_submitted_work_done(move || reached.advance(kernels));
        self.marks.push_back(Mark { kernels, submission });
        self.marked = kernels;
    }

    /// The host has waited for everything that was submitted.
    pub(super) fn caught_up(&mut self) {
        self.reached.advance(self.submitted);
        self.marked = self.submitted;
        self.marks.clear();
    }

    /// How many submitted kernels may not be done.
    pub(super) fn ahead(&self) -> u64 {
        self.submitted.saturating_sub(self.reached.kernels.load(Ordering::Relaxed))
    }

    /// The mark to wait for, if the host is too far ahead.
    pub(super) fn behind(&mut self) -> Option<Mark> {
        if self.ahead() <= AHEAD {
            return None;
        }
        while self.marks.front().is_some_and(|mark| self.reached.is_past(mark)) {
            self.marks.pop_front();
        }
        self.marks.front().cloned()
    }
}
