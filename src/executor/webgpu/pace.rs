//! How far the host may be ahead of the device.
//!
//! WebGPU takes whatever it is given. A program that launches for ever and never waits would fill the queue without end, and
//! whatever waits next, even the program after it, would wait for all of that. A launch on CUDA waits once about a thousand
//! are queued; so do these. Marks are put into the queue every [`APART`] kernels, few enough to cost nothing, and none at all
//! where a program waits more often than that.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kernels that may be queued before the host waits.
pub(super) const AHEAD: u64 = 1024;

/// Kernels between two marks, at least.
const APART: u64 = 256;

/// Bytes written that count as a kernel: what is written waits in memory of its own until the queue gets there.
const WRITTEN: usize = 64 << 10;

/// Where the device is in its queue.
#[derive(Default)]
pub(crate) struct Reached {
    kernels: AtomicU64,
    /// Settles the promise that the host waits for.
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

    /// Whether the device has come to a mark, as far as is known.
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
    /// The submission that ends there. Only native adapters can wait for one; a browser keeps a promise.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a browser keeps a promise"))]
    pub submission: wgpu::SubmissionIndex,
}

/// Counts what is submitted, and what of it is done.
#[derive(Default)]
pub(super) struct Pace {
    submitted: u64,
    /// Written and not submitted yet, in kernels.
    written: u64,
    marked: u64,
    /// Those that the device may not have reached, the next one first.
    marks: VecDeque<Mark>,
    pub reached: Arc<Reached>,
}

impl Pace {
    /// Counts a write; true when it is time to submit what was written.
    pub(super) fn wrote(&mut self, bytes: usize) -> bool {
        self.written += 1 + (bytes / WRITTEN) as u64;
        self.written >= APART
    }

    /// Counts a submission of so many kernels, the last one of the queue, and marks it if it is time to.
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

    /// The host has waited for all that was submitted.
    pub(super) fn caught_up(&mut self) {
        self.reached.advance(self.submitted);
        self.marked = self.submitted;
        self.marks.clear();
    }

    /// Kernels submitted and not known to be done.
    pub(super) fn ahead(&self) -> u64 {
        self.submitted.saturating_sub(self.reached.kernels.load(Ordering::Relaxed))
    }

    /// The mark to wait for where the host is too far ahead.
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
