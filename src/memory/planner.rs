use std::collections::{BTreeMap, BTreeSet};

use super::message::OutOfMemory;
use super::stats::{PoolKind, Stats};
use super::{BlockId, BlockInfo, BlockState, Placement, PoolId, SegmentId, SegmentInfo, StreamId};

/// The size of every block is a multiple of this.
pub const MIN_BLOCK: u64 = 512;
/// Largest block of the small pool; a large block is split only when more than this remains.
pub const SMALL_SIZE: u64 = 1 << 20;
/// Segment of the small pool.
pub const SMALL_SEGMENT: u64 = 2 << 20;
/// Segment for blocks above [`SMALL_SIZE`] and below [`MIN_OWN_SEGMENT`].
pub const LARGE_SEGMENT: u64 = 20 << 20;
/// A block of this size or more gets a segment of its own.
pub const MIN_OWN_SEGMENT: u64 = 10 << 20;
/// The size of such a segment is rounded up to a multiple of this.
pub const ROUND_SEGMENT: u64 = 2 << 20;
/// A request of this size is refused without asking the device.
const ONE_EXABYTE: u64 = 1 << 60;

/// The planner's requests to the device, which it makes in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentRequest {
    /// Take this many bytes. `false` means that the device has no room.
    Take { segment: SegmentId, bytes: u64 },
    /// Give the segment back. The returned value is ignored.
    Release { segment: SegmentId, bytes: u64 },
}

/// One device's caching allocator.
#[derive(Clone, Debug)]
pub struct Planner {
    capacity: u64,
    /// Set by [`Planner::set_fraction`].
    allowed: Option<u64>,
    reserved: u64,
    next_segment: u64,
    segments: BTreeMap<SegmentId, Segment>,
    /// Blocks by slot. A slot is reused with the next generation number.
    blocks: Vec<Block>,
    vacant: Vec<u32>,
    small: FreeBlocks,
    large: FreeBlocks,
    /// How many graphs use each private pool. A pool that no graph uses stays until its last segment has been given
    /// back.
    private: BTreeMap<PoolId, usize>,
    /// Streams that use a block besides its own stream, by slot.
    users: BTreeMap<u32, BTreeSet<StreamId>>,
    /// Blocks that were freed while other streams may still use them.
    awaited: Vec<u32>,
    /// The blocks freed for good since [`Planner::take_completed`]: segment, offset, bytes requested, stream.
    completed: Vec<(SegmentId, u64, u64, StreamId)>,
    stats: Stats,
}

#[derive(Clone, Debug)]
struct Segment {
    bytes: u64,
    pool: PoolKind,
    private: PoolId,
    stream: StreamId,
    /// The block at offset 0. A split keeps the slot of the front part, and a merge keeps the lower slot.
    first: u32,
}

#[derive(Clone, Debug)]
struct Block {
    size: u64,
    offset: u64,
    segment: SegmentId,
    /// Bytes requested; 0 for a free block.
    requested: u64,
    in_use: bool,
    prev: Option<u32>,
    next: Option<u32>,
    generation: u32,
}

impl Block {
    fn is_split(&self) -> bool {
        self.prev.is_some() || self.next.is_some()
    }
}

/// Sorted as PyTorch sorts a pool: by stream, size and address. Segments are numbered as they are taken, so the number
/// stands for the address. The blocks of each private pool are contiguous in this order.
type FreeBlocks = BTreeSet<FreeBlock>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FreeBlock {
    private: PoolId,
    stream: StreamId,
    size: u64,
    segment: SegmentId,
    offset: u64,
    slot: u32,
}

impl Planner {
    /// An allocator with nothing reserved on a device of `capacity` bytes.
    pub fn new(capacity: u64) -> Planner {
        Planner {
            capacity,
            allowed: None,
            reserved: 0,
            next_segment: 1,
            segments: BTreeMap::new(),
            blocks: Vec::new(),
            vacant: Vec::new(),
            small: BTreeSet::new(),
            large: BTreeSet::new(),
            private: BTreeMap::new(),
            users: BTreeMap::new(),
            awaited: Vec::new(),
            completed: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// The device's memory in bytes.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// `torch.cuda.memory_allocated()`.
    #[expect(clippy::misnamed_getters, reason = "a statistic's own `allocated` is a running total")]
    pub fn allocated(&self) -> u64 {
        self.stats.allocated_bytes.all.current
    }

    /// `torch.cuda.memory_reserved()`.
    pub fn reserved(&self) -> u64 {
        self.reserved
    }

    /// The first value of `torch.cuda.mem_get_info()`: the bytes that are in no segment.
    pub(crate) fn free_bytes(&self) -> u64 {
        self.capacity - self.reserved.min(self.capacity)
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// `torch.cuda.reset_peak_memory_stats()`.
    pub fn reset_peak(&mut self) {
        self.stats.reset_peak();
    }

    /// `torch.cuda.reset_accumulated_memory_stats()`.
    pub(crate) fn reset_accumulated(&mut self) {
        self.stats.reset_accumulated();
    }

    /// `torch.cuda.set_per_process_memory_fraction(fraction)`. The caller has checked that it's between 0 and 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the capacity")]
    pub fn set_fraction(&mut self, fraction: f64) {
        self.allowed = Some((fraction * self.capacity as f64) as u64);
    }

    /// Finds room for `requested` bytes on `stream`, or `None` for 0 bytes, which need no block.
    ///
    /// # Errors
    /// [`OutOfMemory`] when no segment fits into the capacity, even with the cache released.
    pub fn alloc(&mut self, requested: u64, stream: StreamId) -> Result<Option<Placement>, OutOfMemory> {
        self.alloc_with(requested, stream, PoolId::GENERAL, |_| true)
    }

    /// Like [`Planner::alloc`], but takes the block from a graph's private pool if one is given. While that pool is being
    /// filled, no cached segment is given back to make room: memory taken by a capture must stay in place for every replay.
    ///
    /// # Errors
    /// Those of [`Planner::alloc`].
    pub(crate) fn alloc_in(
        &mut self,
        requested: u64,
        stream: StreamId,
        private: PoolId,
    ) -> Result<Option<Placement>, OutOfMemory> {
        self.alloc_with(requested, stream, private, |_| true)
    }

    /// A graph starts using a private pool. A new pool is created.
    pub(crate) fn retain_pool(&mut self, private: PoolId) {
        *self.private.entry(private).or_default() += 1;
    }

    /// A graph stops using a private pool. After the last graph, its segments can be given back when they are empty.
    pub(crate) fn release_pool(&mut self, private: PoolId) {
        if let Some(uses) = self.private.get_mut(&private) {
            *uses = uses.saturating_sub(1);
        }
    }

    /// Like [`Planner::alloc`], but asks `device` for every segment: it may have less room than its capacity suggests.
    ///
    /// # Errors
    /// Those of [`Planner::alloc`].
    pub fn alloc_with(
        &mut self,
        requested: u64,
        stream: StreamId,
        private: PoolId,
        mut device: impl FnMut(SegmentRequest) -> bool,
    ) -> Result<Option<Placement>, OutOfMemory> {
        self.settle();
        if requested == 0 {
            return Ok(None);
        }
        if requested >= ONE_EXABYTE {
            return Err(self.out_of_memory(requested, None, Vec::new()));
        }
        let size = round_size(requested);
        let pool = pool_of(size);
        let mut new_segment = None;
        let mut freed_segments = Vec::new();
        let slot = match self.best_fit(size, pool, private, stream) {
            Some(slot) => slot,
            None => {
                let bytes = segment_size(size);
                let mut slot = self.take_segment(bytes, pool, private, stream, &mut device);
                if slot.is_none() && private == PoolId::GENERAL {
                    freed_segments = self.release_cached(&mut device);
                    self.stats.num_alloc_retries += 1;
                    slot = self.take_segment(bytes, pool, private, stream, &mut device);
                }
                let Some(slot) = slot else {
                    self.stats.num_ooms += 1;
                    return Err(self.out_of_memory(requested, Some(bytes), freed_segments));
                };
                new_segment = Some((self.block(slot).segment, bytes));
                slot
            }
        };
        self.occupy(slot, size, requested, pool);
        let block = self.block(slot);
        Ok(Some(Placement {
            block: BlockId { slot, generation: block.generation },
            size: block.size,
            segment: block.segment,
            offset: block.offset,
            new_segment,
            freed_segments,
        }))
    }

    /// Returns a block to its pool, merged with free neighbors. Returns the block's size, or `None` if `id` isn't in use
    /// because it was freed before or belongs to another planner.
    pub fn free(&mut self, id: BlockId) -> Option<u64> {
        let block = self.blocks.get(id.slot as usize)?;
        if !block.in_use || block.generation != id.generation {
            return None;
        }
        let (size, segment) = (block.size, block.segment);
        let pool = self.segments.get(&segment)?.pool;
        self.stats.allocation.decrease(pool, 1);
        self.stats.allocated_bytes.decrease(pool, size);
        if self.users.remove(&id.slot).is_some() {
            // It counts as active until the planner checks the other streams again.
            let block = self.block_mut(id.slot);
            block.generation = block.generation.wrapping_add(1);
            self.awaited.push(id.slot);
        } else {
            self.complete(id.slot);
        }
        Some(size)
    }

    /// A stream uses a block that was taken for another stream (`Tensor.record_stream`). After it's freed, the block isn't
    /// reused until that stream has done the work it had been given by then. Here that work counts as done at the next
    /// request, which is when PyTorch checks.
    pub fn record_stream(&mut self, id: BlockId, stream: StreamId) {
        if self.locate(id).is_some_and(|(_, _, _, own)| own != stream) {
            self.users.entry(id.slot).or_default().insert(stream);
        }
    }

    /// The blocks freed for good since the last call: segment, offset, bytes requested, and stream.
    pub fn take_completed(&mut self) -> Vec<(SegmentId, u64, u64, StreamId)> {
        std::mem::take(&mut self.completed)
    }

    /// Frees the blocks that were waiting for other streams.
    fn settle(&mut self) {
        for slot in std::mem::take(&mut self.awaited) {
            self.complete(slot);
        }
    }

    /// Returns a block to its pool for good.
    fn complete(&mut self, slot: u32) {
        let Block { size, requested, segment, offset, .. } = *self.block(slot);
        let Some(&Segment { pool, stream, .. }) = self.segments.get(&segment) else { return };
        self.completed.push((segment, offset, requested, stream));
        let block = self.block_mut(slot);
        block.in_use = false;
        block.requested = 0;
        block.generation = block.generation.wrapping_add(1);
        let (prev, next) = (block.prev, block.next);
        // PyTorch counts the net change of this call. So if a merge leaves as many split parts as before, the
        // accumulated totals don't change.
        let (mut parts, mut bytes) = (0_i64, 0_i64);
        let mut merged = slot;
        if let Some(next) = next.filter(|&n| !self.block(n).in_use) {
            parts -= 1;
            bytes -= self.block(next).size as i64;
            self.remove_free(next, pool);
            self.absorb_next(merged);
        }
        if let Some(prev) = prev.filter(|&p| !self.block(p).in_use) {
            parts -= 1;
            bytes -= self.block(prev).size as i64;
            self.remove_free(prev, pool);
            self.absorb_next(prev);
            merged = prev;
        }
        self.insert_free(merged, pool);
        if self.block(merged).is_split() {
            parts += 1;
            bytes += self.block(merged).size as i64;
        }
        match parts {
            1.. => self.stats.inactive_split.increase(pool, parts.unsigned_abs()),
            ..0 => self.stats.inactive_split.decrease(pool, parts.unsigned_abs()),
            0 => {}
        }
        match bytes {
            1.. => self.stats.inactive_split_bytes.increase(pool, bytes.unsigned_abs()),
            ..0 => self.stats.inactive_split_bytes.decrease(pool, bytes.unsigned_abs()),
            0 => {}
        }
        self.stats.active.decrease(pool, 1);
        self.stats.active_bytes.decrease(pool, size);
        self.stats.requested_bytes.decrease(pool, requested);
    }

    /// `torch.cuda.empty_cache()`: gives back every segment in which no block is used, and returns them with their
    /// sizes.
    pub fn empty_cache(&mut self) -> Vec<(SegmentId, u64)> {
        self.settle();
        self.release_cached(&mut |_| true)
    }

    /// Where a block in use is: its segment, its offset in bytes, the bytes requested, and its stream.
    pub(crate) fn locate(&self, id: BlockId) -> Option<(SegmentId, u64, u64, StreamId)> {
        let block = self.blocks.get(id.slot as usize)?;
        if !block.in_use || block.generation != id.generation {
            return None;
        }
        let stream = self.segments.get(&block.segment)?.stream;
        Some((block.segment, block.offset, block.requested, stream))
    }

    /// Every segment with its blocks in the order of their offsets: `torch.cuda.memory_snapshot()`.
    pub fn segments(&self) -> Vec<SegmentInfo> {
        let info = |(&id, segment): (&SegmentId, &Segment)| {
            let mut blocks = Vec::new();
            let mut at = Some(segment.first);
            while let Some(slot) = at {
                let block = self.block(slot);
                let state = match block.in_use {
                    true if self.awaited.contains(&slot) => BlockState::Awaited,
                    true => BlockState::Allocated,
                    false => BlockState::Inactive,
                };
                let generation = block.generation;
                blocks.push(BlockInfo {
                    id: (state == BlockState::Allocated).then_some(BlockId { slot, generation }),
                    offset: block.offset,
                    size: block.size,
                    requested: block.requested,
                    state,
                });
                at = block.next;
            }
            let Segment { bytes, pool, private, stream, .. } = *segment;
            SegmentInfo { id, bytes, pool, private, stream, blocks }
        };
        self.segments.iter().map(info).collect()
    }

    fn best_fit(&mut self, size: u64, pool: PoolKind, private: PoolId, stream: StreamId) -> Option<u32> {
        let least = FreeBlock { private, stream, size, segment: SegmentId(0), offset: 0, slot: 0 };
        let own = |b: &&FreeBlock| (b.private, b.stream) == (private, stream);
        let found = *self.free_blocks(pool).range(least..).next().filter(own)?;
        self.free_blocks(pool).remove(&found);
        Some(found.slot)
    }

    /// Takes a segment from the device. Returns the slot of its one block, which is in no pool yet.
    fn take_segment(
        &mut self,
        bytes: u64,
        pool: PoolKind,
        private: PoolId,
        stream: StreamId,
        device: &mut dyn FnMut(SegmentRequest) -> bool,
    ) -> Option<u32> {
        let reserved = self.reserved.checked_add(bytes)?;
        if reserved > self.capacity || self.allowed.is_some_and(|a| reserved > a) {
            return None;
        }
        let segment = SegmentId(self.next_segment);
        if !device(SegmentRequest::Take { segment, bytes }) {
            return None;
        }
        self.next_segment += 1;
        self.reserved = reserved;
        self.stats.segment.increase(pool, 1);
        self.stats.reserved_bytes.increase(pool, bytes);
        self.stats.num_device_alloc += 1;
        let first = self.add_block(bytes, 0, segment, None, None);
        self.segments.insert(segment, Segment { bytes, pool, private, stream, first });
        Some(first)
    }

    /// Marks a block as used, after splitting off the remainder if that is worth keeping.
    fn occupy(&mut self, slot: u32, size: u64, requested: u64, pool: PoolKind) {
        let was_split = self.block(slot).is_split();
        let remaining = self.block(slot).size - size;
        let split = match pool {
            PoolKind::Small => remaining >= MIN_BLOCK,
            PoolKind::Large => remaining > SMALL_SIZE,
        };
        if split {
            let Block { offset, segment, next, .. } = *self.block(slot);
            let rest = self.add_block(remaining, offset + size, segment, Some(slot), next);
            if let Some(next) = next {
                self.block_mut(next).prev = Some(rest);
            }
            let block = self.block_mut(slot);
            block.next = Some(rest);
            block.size = size;
            self.insert_free(rest, pool);
            if was_split {
                self.stats.inactive_split_bytes.decrease(pool, size);
            } else {
                self.stats.inactive_split_bytes.increase(pool, remaining);
                self.stats.inactive_split.increase(pool, 1);
            }
        } else if was_split {
            let whole = self.block(slot).size;
            self.stats.inactive_split_bytes.decrease(pool, whole);
            self.stats.inactive_split.decrease(pool, 1);
        }
        let block = self.block_mut(slot);
        block.in_use = true;
        block.requested = requested;
        let size = block.size;
        self.stats.allocation.increase(pool, 1);
        self.stats.allocated_bytes.increase(pool, size);
        self.stats.active.increase(pool, 1);
        self.stats.active_bytes.increase(pool, size);
        self.stats.requested_bytes.increase(pool, requested);
    }

    /// Releases the general pool first, then the pools that no graph uses any more. In each, large blocks come first,
    /// as in PyTorch.
    fn release_cached(&mut self, device: &mut dyn FnMut(SegmentRequest) -> bool) -> Vec<(SegmentId, u64)> {
        let mut released = Vec::new();
        let unused = self.private.iter().filter(|(_, uses)| **uses == 0).map(|(id, _)| *id);
        let pools: Vec<PoolId> = std::iter::once(PoolId::GENERAL).chain(unused).collect();
        for private in pools {
            for pool in [PoolKind::Large, PoolKind::Small] {
                self.release_whole(private, pool, device, &mut released);
            }
            if private != PoolId::GENERAL && !self.segments.values().any(|s| s.private == private) {
                self.private.remove(&private);
            }
        }
        released
    }

    fn release_whole(
        &mut self,
        private: PoolId,
        pool: PoolKind,
        device: &mut dyn FnMut(SegmentRequest) -> bool,
        released: &mut Vec<(SegmentId, u64)>,
    ) {
        let own = self.free_blocks(pool).iter().filter(|b| b.private == private).copied();
        let own: Vec<FreeBlock> = own.collect();
        for free in own.into_iter().filter(|b| !self.block(b.slot).is_split()).collect::<Vec<_>>() {
            self.free_blocks(pool).remove(&free);
            self.segments.remove(&free.segment);
            self.retire(free.slot);
            self.reserved -= free.size;
            self.stats.segment.decrease(pool, 1);
            self.stats.reserved_bytes.decrease(pool, free.size);
            self.stats.num_device_free += 1;
            device(SegmentRequest::Release { segment: free.segment, bytes: free.size });
            released.push((free.segment, free.size));
        }
    }

    fn out_of_memory(&self, requested: u64, tried: Option<u64>, freed_segments: Vec<(SegmentId, u64)>) -> OutOfMemory {
        OutOfMemory {
            requested,
            tried,
            capacity: self.capacity,
            free: self.free_bytes(),
            allowed: self.allowed,
            allocated: self.allocated(),
            reserved: self.reserved,
            freed_segments,
        }
    }

    /// Slots come from this planner's own links and pools, which hold only live slots.
    fn block(&self, slot: u32) -> &Block {
        &self.blocks[slot as usize]
    }

    fn block_mut(&mut self, slot: u32) -> &mut Block {
        &mut self.blocks[slot as usize]
    }

    fn free_blocks(&mut self, pool: PoolKind) -> &mut FreeBlocks {
        match pool {
            PoolKind::Small => &mut self.small,
            PoolKind::Large => &mut self.large,
        }
    }

    fn free_key(&self, slot: u32) -> FreeBlock {
        let Block { size, segment, offset, .. } = *self.block(slot);
        // A segment lives for as long as its blocks.
        let (private, stream) = self.segments.get(&segment).map_or_else(Default::default, |s| (s.private, s.stream));
        FreeBlock { private, stream, size, segment, offset, slot }
    }

    fn insert_free(&mut self, slot: u32, pool: PoolKind) {
        let key = self.free_key(slot);
        self.free_blocks(pool).insert(key);
    }

    fn remove_free(&mut self, slot: u32, pool: PoolKind) {
        let key = self.free_key(slot);
        self.free_blocks(pool).remove(&key);
    }

    fn add_block(&mut self, size: u64, offset: u64, segment: SegmentId, prev: Option<u32>, next: Option<u32>) -> u32 {
        let mut block = Block { size, offset, segment, requested: 0, in_use: false, prev, next, generation: 0 };
        match self.vacant.pop() {
            Some(slot) => {
                block.generation = self.block(slot).generation;
                *self.block_mut(slot) = block;
                slot
            }
            None => {
                // The host's memory would be full long before there are 2^32 blocks.
                let slot = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
                self.blocks.push(block);
                slot
            }
        }
    }

    /// Merges the block after `slot` into it.
    fn absorb_next(&mut self, slot: u32) {
        let Some(gone) = self.block(slot).next else { return };
        let Block { size, next, .. } = *self.block(gone);
        let block = self.block_mut(slot);
        block.size += size;
        block.next = next;
        if let Some(next) = next {
            self.block_mut(next).prev = Some(slot);
        }
        self.retire(gone);
    }

    fn retire(&mut self, slot: u32) {
        let block = self.block_mut(slot);
        block.in_use = false;
        block.generation = block.generation.wrapping_add(1);
        self.vacant.push(slot);
    }
}

/// Rounds a request up to a multiple of [`MIN_BLOCK`]. Requests are below 1 EB; one that can't be rounded stays huge.
pub fn round_size(requested: u64) -> u64 {
    requested.max(1).div_ceil(MIN_BLOCK).saturating_mul(MIN_BLOCK)
}

/// The pool that serves a block of `size` (rounded) bytes.
pub fn pool_of(size: u64) -> PoolKind {
    if size <= SMALL_SIZE { PoolKind::Small } else { PoolKind::Large }
}

/// The size of the segment that is taken for a block of `size` (rounded) bytes.
pub fn segment_size(size: u64) -> u64 {
    if size <= SMALL_SIZE {
        SMALL_SEGMENT
    } else if size < MIN_OWN_SEGMENT {
        LARGE_SEGMENT
    } else {
        size.div_ceil(ROUND_SEGMENT).saturating_mul(ROUND_SEGMENT)
    }
}
