//! The records of `torch.cuda.memory._record_memory_history`: who took and gave back which memory, in order.
//!
//! Source of the format: torch/csrc/cuda/memory_snapshot.cpp and torch/cuda/_memory_viz.py in PyTorch 2.15.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::{BlockId, SegmentId, StreamId};

/// A place in the program's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub file: String,
    /// Counted from 1; 0 if unknown.
    pub line: u32,
    /// The name of the function.
    pub name: String,
}

/// The calls that led to something, innermost first.
pub type Stack = Rc<[Frame]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    OutOfMemory,
    Snapshot,
}

impl Action {
    /// The `action` of a trace entry.
    pub const fn name(self) -> &'static str {
        match self {
            Action::Alloc => "alloc",
            Action::FreeRequested => "free_requested",
            Action::FreeCompleted => "free_completed",
            Action::SegmentAlloc => "segment_alloc",
            Action::SegmentFree => "segment_free",
            Action::OutOfMemory => "oom",
            Action::Snapshot => "snapshot",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub action: Action,
    /// For an out-of-memory error: the bytes that the device had left.
    pub address: u64,
    /// Bytes: the tensor's request, or the segment's size.
    pub size: u64,
    pub stream: StreamId,
    pub stack: Stack,
    /// Microseconds, on the clock of the trace.
    pub micros: f64,
}

/// The history of one device.
#[derive(Clone, Debug, Default)]
pub struct History {
    entries: VecDeque<Entry>,
    /// The calls that took each block in use, and each segment.
    blocks: HashMap<BlockId, Stack>,
    segments: HashMap<SegmentId, Stack>,
}

/// What is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Whether entries are recorded, or only where the memory in use was taken.
    pub entries: bool,
    /// The most entries; the oldest are dropped first.
    pub limit: usize,
    /// Whether the calls that led to each are recorded.
    pub stacks: bool,
}

impl History {
    pub fn add(&mut self, entry: Entry, keep: &Keep) {
        if !keep.entries {
            return;
        }
        if self.entries.len() >= keep.limit {
            self.entries.pop_front();
        }
        if keep.limit > 0 {
            self.entries.push_back(entry);
        }
    }

    pub(crate) fn block_taken(&mut self, block: BlockId, stack: Stack) {
        self.blocks.insert(block, stack);
    }

    pub(crate) fn block_given_back(&mut self, block: BlockId) {
        self.blocks.remove(&block);
    }

    pub(crate) fn segment_taken(&mut self, segment: SegmentId, stack: Stack) {
        self.segments.insert(segment, stack);
    }

    pub(crate) fn segment_given_back(&mut self, segment: SegmentId) {
        self.segments.remove(&segment);
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The calls that took a block in use, if they were recorded.
    pub fn block(&self, block: BlockId) -> Option<&Stack> {
        self.blocks.get(&block)
    }

    pub fn segment(&self, segment: SegmentId) -> Option<&Stack> {
        self.segments.get(&segment)
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }
}
