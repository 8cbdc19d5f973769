//! The single stream of everything that happened: every allocation, free, transfer, kernel, synchronization and error.
//!
//! The page's pictures, `torch.cuda.memory_*`, the Perfetto file and the tests all read it. Replaying it rebuilds
//! allocated bytes, reserved bytes and live storages exactly ([`replay`]).

pub mod clue;
mod journal;
pub mod look;
pub mod perfetto;
pub mod profile;
pub mod replay;
pub mod shorten;
pub mod snapshot;
pub mod summary;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::device::Device;
use crate::dtype::DType;
use profile::SpanKind;

pub use clue::Clue;
pub use journal::Taken;
pub use look::{Extent, Look};

/// Identifies a storage for as long as the process runs; never reused.
pub type StorageId = u64;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Orders the events. Times may be equal, because a browser's clock has steps of 100 µs.
    pub seq: u64,
    /// Microseconds since the run began.
    pub time: f64,
    /// Line of the learner's file, from 1; 0 if no code of theirs is on the stack.
    pub line: u32,
    /// Set if it happened only because the learner looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<Look>,
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened. Bytes are those that PyTorch's allocator would count, not those that the executor takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventKind {
    /// The planner took a segment from the device. `reserved` is the device's total afterwards.
    SegmentAlloc { device: Device, segment: u64, bytes: usize, reserved: u64 },
    /// The planner gave a segment back.
    SegmentFree { device: Device, segment: u64, bytes: usize, reserved: u64 },
    /// A storage got a block. `requested` is the size that the tensor needs, `bytes` the block's size; `segment` and
    /// `offset` (bytes) say where it is; `allocated` is the device's total afterwards. On `cpu` and `meta` there are no
    /// segments, and `segment` is 0.
    Alloc {
        device: Device,
        storage: StorageId,
        dtype: DType,
        shape: Vec<usize>,
        requested: usize,
        bytes: usize,
        segment: u64,
        offset: usize,
        allocated: u64,
        /// Page-locked host memory.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pinned: bool,
    },
    /// The last tensor of a storage was freed.
    Free { device: Device, storage: StorageId, bytes: usize, allocated: u64 },
    /// Bytes crossed a link. `micros` is the measured time, or `0` if it couldn't be measured.
    Transfer {
        from: Device,
        to: Device,
        bytes: usize,
        source: StorageId,
        target: StorageId,
        pinned: bool,
        non_blocking: bool,
        micros: f64,
        /// The call that moved them: `to`, `item`, `print`, `numpy`, `copy_`, …
        why: Why,
    },
    /// A kernel was launched.
    Kernel { device: Device, name: KernelName, bytes: usize, flops: u64 },
    /// A captured graph was launched: this many kernels at once, with their bytes and operations. Its memory was taken when it
    /// was captured, and it doesn't move.
    Graph {
        device: Device,
        kernels: usize,
        bytes: usize,
        flops: u64,
        /// The executor made the graph on its own, from kernels whose first launches were reported one by one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        automatic: bool,
    },
    /// The host waited for a device.
    Sync { device: Device, why: Why, micros: f64 },
    /// A tensor on an accelerator was printed. PyTorch formats it there: it launches `kernels`, and makes `copies` to the host
    /// with `bytes` in total, and the host waits for each copy. That's the cost of the line. Here `fetched` bytes were copied
    /// once, which the `Sync` and the `Transfer` before this event report. The blocks that PyTorch takes meanwhile are events
    /// too, except those that a loop takes again and again: `repeated` counts them.
    Print {
        device: Device,
        source: StorageId,
        fetched: usize,
        kernels: usize,
        copies: usize,
        bytes: usize,
        repeated: usize,
    },
    /// Which variable of the learner's program holds a storage. Sent when it changes, at the latest when the run ends.
    Name { storage: StorageId, name: String },
    /// A number worth plotting, such as a loss read by `.item()`.
    Value { name: String, value: f64 },
    /// `CUDA_VISIBLE_DEVICES` decided which of the machine's accelerators, by their index there, the program sees as
    /// `cuda:0`, `cuda:1` and so on. Sent before anything happens on them, and only if they aren't all there in their order.
    /// PyTorch reads the variable when it first uses CUDA, and so does this engine. Until then a program may still set it, so
    /// showing all of the machine's devices is right. This holds even for a variable that the environment sets before the
    /// program starts: the program may change it until that first use.
    Selected { places: Vec<usize> },
    /// A line of the learner's file is about to run. Sent only if every line was requested.
    Line { number: u32 },
    /// An error that the learner sees.
    Error { class: String, message: String },
    /// This many events are missing here, because the program made them faster than the reader took them. `summary` has their
    /// totals, and [`shorten`] says which events can be missing.
    Shortened { events: u64, summary: Box<summary::Summary> },
}

/// Why the host copied or waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    To,
    Copy,
    Create,
    Item,
    Print,
    Numpy,
    Tolist,
    Index,
    Save,
    Load,
    Synchronize,
    OutOfMemory,
    Scatter,
    Gather,
    AllReduce,
    Broadcast,
    Reduce,
    Send,
    Receive,
}

impl Why {
    /// Whether the program needs a number, to compute with or to show.
    pub fn is_number(self) -> bool {
        matches!(self, Why::Item | Why::Print)
    }
}

/// A kernel's name: static in the engine, owned after it was sent as a message.
pub type KernelName = std::borrow::Cow<'static, str>;

/// The engine reports events here. While it's off, that costs one branch.
pub struct Trace {
    on: Cell<bool>,
    seq: Cell<u64>,
    start: Cell<f64>,
    journal: RefCell<journal::Journal>,
    site: Cell<fn() -> u32>,
    /// The lines with expressions that only look, and how to find the one that is running.
    looks: RefCell<Vec<bool>>,
    look_site: Cell<look::LookSite>,
    /// Whether a tensor is becoming text, and whether the host waits for a copy to a device.
    showing: Cell<bool>,
    uploading: Cell<bool>,
    profile: profile::Profile,
    /// Whether clues are wanted, and those collected.
    curious: Cell<bool>,
    clues: RefCell<Vec<Clue>>,
    /// How often each line read results of kernels, and how often it waited for them.
    waited: RefCell<HashMap<u32, (u64, u64)>>,
}

impl Default for Trace {
    fn default() -> Self {
        Trace {
            on: Cell::new(false),
            seq: Cell::new(0),
            start: Cell::new(0.0),
            journal: RefCell::default(),
            site: Cell::new(|| 0),
            looks: RefCell::default(),
            look_site: Cell::new(|| None),
            showing: Cell::new(false),
            uploading: Cell::new(false),
            profile: profile::Profile::default(),
            curious: Cell::new(false),
            clues: RefCell::default(),
            waited: RefCell::default(),
        }
    }
}

impl Trace {
    pub(crate) fn is_on(&self) -> bool {
        self.on.get()
    }

    pub fn set_on(&self, on: bool) {
        self.on.set(on);
    }

    /// Sets how to find the learner's current line; the Python layer calls it.
    pub(crate) fn set_site(&self, site: fn() -> u32) {
        self.site.set(site);
    }

    /// Sets the lines (`[n]` for line `n`) that have expressions which only look, and how to find the one that is running.
    pub(crate) fn set_looks(&self, lines: Vec<bool>, site: look::LookSite) {
        *self.looks.borrow_mut() = lines;
        self.look_site.set(site);
    }

    /// Until the result is dropped, a tensor becomes text, which only a learner reads.
    pub(crate) fn show(&self) -> During<'_> {
        During { before: self.showing.replace(true), flag: &self.showing }
    }

    /// Until the result is dropped, waits are for a copy from the host.
    pub(crate) fn upload(&self) -> During<'_> {
        During { before: self.uploading.replace(true), flag: &self.uploading }
    }

    /// Whether an event that covers at least `least` happens only because the learner looks.
    fn look(&self, line: u32, least: Option<Extent>) -> Option<Look> {
        let least = least?;
        let here = || match self.looks.borrow().get(line as usize) {
            Some(true) => (self.look_site.get())(),
            _ => None,
        };
        match self.showing.get() {
            true => Some(here().map_or(Look::Text, |(look, _)| look)),
            false => here().filter(|(_, extent)| *extent >= least).map(|(look, _)| look),
        }
    }

    /// Starts a run: time and numbering start again, and kept events are dropped.
    pub fn restart(&self) {
        self.seq.set(0);
        self.start.set(now_micros());
        self.journal.borrow_mut().clear();
    }

    /// Whether clues are being collected.
    #[inline]
    pub(crate) fn is_curious(&self) -> bool {
        self.curious.get()
    }

    /// Starts or stops collecting clues, and drops the earlier ones.
    pub(crate) fn set_curious(&self, curious: bool) {
        self.curious.set(curious);
        self.clues.borrow_mut().clear();
        self.waited.borrow_mut().clear();
    }

    /// Counts a wait for kernels whose results were needed as numbers, for the line that is running. Returns the line,
    /// how often it has read, and how many waits that is in PyTorch.
    pub(crate) fn count_wait(&self) -> (u32, u64, u64) {
        let line = self.line();
        let mut waited = self.waited.borrow_mut();
        let (reads, waits) = waited.entry(line).or_default();
        (*reads, *waits) = (*reads + 1, *waits + 1);
        (line, *reads, *waits)
    }

    /// The line that is running has printed. That was counted as one wait, but PyTorch makes this many.
    pub(crate) fn printed(&self, waits: usize) {
        let here = self.line();
        let mut waited = self.waited.borrow_mut();
        let Some((_, all)) = waited.get_mut(&here).filter(|_| self.curious.get()) else { return };
        *all = (*all + waits as u64).saturating_sub(1);
        let mut clues = self.clues.borrow_mut();
        let mine = clues.iter_mut().find_map(|clue| match clue {
            Clue::WaitedOften { line, waits, .. } if *line == here => Some(waits),
            _ => None,
        });
        if let Some(waits) = mine {
            *waits = *all;
        }
    }

    /// Keeps a clue, if clues are wanted. Clues that count something in a line replace each other.
    pub fn notice(&self, make: impl FnOnce() -> Clue) {
        if !self.curious.get() {
            return;
        }
        let clue = make();
        let mut clues = self.clues.borrow_mut();
        let counts = |old: &Clue| match (old, &clue) {
            (Clue::ReadPiecewise { line: l, storage: s, .. }, Clue::ReadPiecewise { line, storage, .. }) => {
                (l, s) == (line, storage)
            }
            (Clue::WaitedOften { line: l, .. }, Clue::WaitedOften { line, .. }) => l == line,
            _ => false,
        };
        if let Some(old) = clues.iter_mut().find(|old| counts(old)) {
            *old = clue;
            return;
        }
        if clues.len() < clue::KEPT && !clues.contains(&clue) {
            clues.push(clue);
        }
    }

    /// The clues collected so far.
    pub(crate) fn clues(&self) -> Vec<Clue> {
        self.clues.borrow().clone()
    }

    /// The line of the learner's file that is running; 0 if no code of theirs is on the stack.
    pub fn line(&self) -> u32 {
        (self.site.get())()
    }

    /// Microseconds since [`Trace::restart`].
    pub fn now(&self) -> f64 {
        now_micros() - self.start.get()
    }

    /// Records what `make` returns, if the trace is on.
    #[inline]
    pub fn emit(&self, make: impl FnOnce() -> EventKind) {
        if self.on.get() || self.profile.is_on() {
            self.report(make());
        }
    }

    /// Records [`EventKind::Alloc`], if the trace is on.
    #[inline]
    pub(crate) fn emit_taken<'a>(&self, make: impl FnOnce() -> Taken<'a>) {
        if self.on.get() || self.profile.is_on() {
            self.report_taken(&make());
        }
    }

    #[inline(never)]
    fn report(&self, kind: EventKind) {
        if self.profile.is_on() {
            self.profile.note(&kind, self.now(), self.line());
        }
        if self.on.get() {
            let line = self.line();
            let look = self.look(line, look::least(&kind, self.uploading.get()));
            self.journal.borrow_mut().add(line, look, kind);
        }
    }

    #[inline(never)]
    fn report_taken(&self, taken: &Taken<'_>) {
        if self.profile.is_on() {
            self.profile.note(&taken.event(), self.now(), self.line());
        }
        if self.on.get() {
            let line = self.line();
            let look = self.look(line, Some(Extent::Computes));
            self.journal.borrow_mut().add_taken(line, look, taken);
        }
    }

    /// Where the spans of a profiled program are collected.
    pub fn profile(&self) -> &profile::Profile {
        &self.profile
    }

    /// Opens a span if the program is profiled. [`Trace::end`] closes it.
    #[inline]
    pub fn begin(&self, kind: SpanKind, name: &str, device: Option<Device>) -> Option<usize> {
        if self.profile.is_on() { Some(self.profile.begin(kind, name, device, self.now(), self.line())) } else { None }
    }

    #[inline]
    pub fn end(&self, span: Option<usize>) {
        if let Some(at) = span {
            self.profile.end(at, self.now());
        }
    }

    /// Number of events waiting to be taken.
    pub fn pending(&self) -> usize {
        self.journal.borrow().len()
    }

    /// Takes the events since the last call.
    pub fn drain(&self) -> Vec<Event> {
        let first = self.seq.get();
        let events = self.journal.borrow_mut().take(first, self.start.get());
        self.seq.set(first + events.len() as u64);
        events
    }
}

/// A flag that is set for a while.
pub(crate) struct During<'a> {
    flag: &'a Cell<bool>,
    before: bool,
}

impl Drop for During<'_> {
    fn drop(&mut self) {
        self.flag.set(self.before);
    }
}

/// A monotonic clock in microseconds.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn now_micros() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as f64 / 1e3
}

/// A monotonic clock in microseconds.
///
/// Without cross-origin isolation, the browser's clock has steps of 100 µs or 1 ms. Programs divide by the time between two
/// readings, so each reading is at least a nanosecond after the one before it, as on a machine whose clock counts nanoseconds.
#[cfg(target_arch = "wasm32")]
pub(crate) fn now_micros() -> f64 {
    thread_local! {
        static LAST: Rising = const { Rising::new() };
    }
    LAST.with(|last| last.reading((clock::now() * 1e6).round()) / 1e3)
}

/// A clock that is never read twice at the same time, made from one that stands still between its steps.
pub(crate) struct Rising(Cell<f64>);

impl Rising {
    pub(crate) const fn new() -> Rising {
        Rising(Cell::new(f64::NEG_INFINITY))
    }

    /// What is read when the clock below says `time`, a whole number: at least one more than before.
    pub(crate) fn reading(&self, time: f64) -> f64 {
        let reading = time.max(self.0.get() + 1.0);
        self.0.set(reading);
        reading
    }
}

#[cfg(all(target_arch = "wasm32", any(feature = "worker", feature = "app")))]
mod clock {
    use wasm_bindgen::prelude::*;
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        pub fn now() -> f64;
    }
}
#[cfg(all(target_arch = "wasm32", not(any(feature = "worker", feature = "app"))))]
mod clock {
    pub fn now() -> f64 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_stands_still_is_read_later_each_time() {
        let clock = Rising::new();
        let readings = [7.0, 7.0, 7.0, 8.0, 100.0, 100.0].map(|time| clock.reading(time));
        assert_eq!(readings, [7.0, 8.0, 9.0, 10.0, 100.0, 101.0]);
    }
}
