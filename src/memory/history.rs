//! What `torch.cuda.memory._record_memory_history` keeps: who took and gave back which memory, in order.
//!
//! Source of the format: torch/csrc/cuda/memory_snapshot.cpp and torch/cuda/_memory_viz.py in PyTorch 2.15.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::{BlockId, SegmentId, StreamId};

/// A place in the program's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub file: String,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// Of the function.
    pub name: String,
}

/// The calls that led to something, the innermost first.
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
    /// Of an out-of-memory error: the bytes that the device had left.
    pub address: u64,
    /// Bytes: what the tensor asked for, or the segment's.
    pub size: u64,
    pub stream: StreamId,
    pub stack: Stack,
    /// Microseconds of the clock that the trace uses.
    pub micros: f64,
}

/// The history of one device.
#[derive(Clone, Debug, Default)]
pub struct History {
    entries: VecDeque<Entry>,
    /// Where the blocks in use, and the segments, were taken.
    blocks: HashMap<BlockId, Stack>,
    segments: HashMap<SegmentId, Stack>,
}

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Entries in order, or only where the memory in use was taken.
    pub entries: bool,
    /// At most so many; the oldest go first.
    pub limit: usize,
    /// The calls that led to each.
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

    /// Where a block in use was taken, if that was kept.
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
