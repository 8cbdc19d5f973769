//! PyTorch's caching allocator as a planner: it decides where each tensor goes, and counts, but holds no memory itself, so
//! every executor shares it and `torch.cuda.memory_*` reports PyTorch's numbers everywhere.
//!
//! ```text
//!  request   round up to 512      small pool (<= 1 MiB)          large pool
//!  ───────►  pick the pool   ──►  segments of 2 MiB              segments of 20 MiB, or from 10 MiB on
//!                                                                the block's own size in steps of 2 MiB
//!
//!  segment   ┌─────────┬──────────────────┬───────────────┐
//!            │ in use  │ free (split off) │ in use        │     best fit among the free blocks of the stream;
//!            └─────────┴──────────────────┴───────────────┘     freeing merges free neighbors
//! ```
//!
//! Sizes are `u64`: a page's 32-bit engine still plans for devices beyond 4 GiB.
//!
//! Source of the rules: c10/cuda/CUDACachingAllocator.cpp in PyTorch 2.15, with its default settings.

#![warn(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

pub mod history;
mod message;
mod planner;
mod stats;
mod summary;

pub use message::{OutOfMemory, format_size};
pub use planner::{
    LARGE_SEGMENT, MIN_BLOCK, MIN_OWN_SEGMENT, Planner, ROUND_SEGMENT, SMALL_SEGMENT, SMALL_SIZE, SegmentRequest,
    pool_of, round_size, segment_size,
};
pub use stats::{PoolKind, Stat, StatArray, Stats};
pub use summary::memory_summary;

/// A segment: device memory that the planner took in one piece. Segments are numbered from 1 in order, and numbers are
/// never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SegmentId(pub u64);

impl SegmentId {
    /// The address of a segment of `cuda:{device}`: made up, but stable, and no two segments overlap.
    pub fn address(self, device: usize) -> u64 {
        ((device as u64 + 1) << 48) + (self.0 << 37)
    }
}

/// A stream of a device; 0 is the default stream. A block that was freed on one stream isn't used for another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub u32);

/// A pool of memory. 0 is the general pool; the others belong to CUDA graphs. The memory that a capture takes comes from
/// segments of its own pool, and nothing else uses them while the graph lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PoolId(pub u32);

impl PoolId {
    pub const GENERAL: PoolId = PoolId(0);
}

/// A block in use. After [`Planner::free`] it is no longer valid, even if its slot is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId {
    slot: u32,
    generation: u32,
}

/// Where an allocation is, and which segments were taken and given back for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub block: BlockId,
    /// Bytes of the block: the rounded request, or more if the remainder was too small to be split off.
    pub size: u64,
    pub segment: SegmentId,
    /// Bytes from the start of the segment.
    pub offset: u64,
    /// The segment that was taken for this allocation, with its size; `None` if the cache had room.
    pub new_segment: Option<(SegmentId, u64)>,
    /// Cached segments that were given back first to make room, with their sizes.
    pub freed_segments: Vec<(SegmentId, u64)>,
}

/// One segment of the memory map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentInfo {
    pub id: SegmentId,
    pub bytes: u64,
    pub pool: PoolKind,
    pub private: PoolId,
    pub stream: StreamId,
    /// In the order of their offsets. Together they fill the segment.
    pub blocks: Vec<BlockInfo>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockInfo {
    /// `None` for a free block.
    pub id: Option<BlockId>,
    /// Bytes from the start of the segment.
    pub offset: u64,
    pub size: u64,
    /// Bytes that the tensor asked for; 0 when free.
    pub requested: u64,
    pub state: BlockState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockState {
    Allocated,
    /// Freed while another stream was using it.
    Awaited,
    Inactive,
}

impl BlockState {
    /// The `state` of a block in `torch.cuda.memory_snapshot()`.
    pub const fn name(self) -> &'static str {
        match self {
            BlockState::Allocated => "active_allocated",
            BlockState::Awaited => "active_pending_free",
            BlockState::Inactive => "inactive",
        }
    }
}
