//! What `torch.cuda.memory_stats()` counts.
//!
//! Source of names and meaning: c10/core/CachingDeviceAllocator.h and `torch.cuda.memory_stats` in PyTorch 2.15.

/// A quantity that rises and falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Now.
    pub current: u64,
    /// Highest value of `current` since the start or the last [`Stats::reset_peak`].
    pub peak: u64,
    /// Sum of all increases since the start or the last [`Stats::reset_accumulated`].
    pub allocated: u64,
    /// Sum of all decreases since the start or the last [`Stats::reset_accumulated`].
    pub freed: u64,
}

impl Stat {
    fn increase(&mut self, amount: u64) {
        self.current += amount;
        self.peak = self.peak.max(self.current);
        self.allocated += amount;
    }

    fn decrease(&mut self, amount: u64) {
        debug_assert!(self.current >= amount, "a statistic fell below zero");
        self.current = self.current.saturating_sub(amount);
        self.freed += amount;
    }
}

/// Blocks of up to 1 MiB come from the small pool, all others from the large pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PoolKind {
    Small,
    Large,
}

impl PoolKind {
    /// `small` or `large`, as in `torch.cuda.memory_snapshot()`.
    pub const fn name(self) -> &'static str {
        match self {
            PoolKind::Small => "small",
            PoolKind::Large => "large",
        }
    }
}

/// One quantity: the sum of both pools, and each pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatArray {
    pub all: Stat,
    pub small_pool: Stat,
    pub large_pool: Stat,
}

impl StatArray {
    fn pool(&mut self, pool: PoolKind) -> &mut Stat {
        match pool {
            PoolKind::Small => &mut self.small_pool,
            PoolKind::Large => &mut self.large_pool,
        }
    }

    pub(super) fn increase(&mut self, pool: PoolKind, amount: u64) {
        self.all.increase(amount);
        self.pool(pool).increase(amount);
    }

    pub(super) fn decrease(&mut self, pool: PoolKind, amount: u64) {
        self.all.decrease(amount);
        self.pool(pool).decrease(amount);
    }

    fn each(&mut self) -> [&mut Stat; 3] {
        [&mut self.all, &mut self.small_pool, &mut self.large_pool]
    }
}

/// Everything that one device's allocator counts, in bytes unless a field says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of blocks in use by tensors.
    pub allocation: StatArray,
    /// Number of segments held.
    pub segment: StatArray,
    /// Number of blocks in use by tensors or by work that still runs on another stream.
    pub active: StatArray,
    /// Number of free blocks in segments that also hold used blocks; `empty_cache` can't release them.
    pub inactive_split: StatArray,
    /// `torch.cuda.memory_allocated()`: the sizes of the blocks in use.
    pub allocated_bytes: StatArray,
    /// `torch.cuda.memory_reserved()`: the sizes of the segments.
    pub reserved_bytes: StatArray,
    pub active_bytes: StatArray,
    pub inactive_split_bytes: StatArray,
    /// The bytes that the tensors requested, before rounding.
    pub requested_bytes: StatArray,
    /// How often the device refused a segment and was asked again after the cache had been emptied.
    pub num_alloc_retries: u64,
    /// How often it refused a second time: out-of-memory errors.
    pub num_ooms: u64,
    /// Segments taken from the device (`cudaMalloc`).
    pub num_device_alloc: u64,
    /// Segments given back (`cudaFree`).
    pub num_device_free: u64,
}

impl Stats {
    fn named(&self) -> [(&'static str, &StatArray); 9] {
        [
            ("active", &self.active),
            ("active_bytes", &self.active_bytes),
            ("allocated_bytes", &self.allocated_bytes),
            ("allocation", &self.allocation),
            ("inactive_split", &self.inactive_split),
            ("inactive_split_bytes", &self.inactive_split_bytes),
            ("requested_bytes", &self.requested_bytes),
            ("reserved_bytes", &self.reserved_bytes),
            ("segment", &self.segment),
        ]
    }

    fn arrays(&mut self) -> [&mut StatArray; 9] {
        [
            &mut self.active,
            &mut self.active_bytes,
            &mut self.allocated_bytes,
            &mut self.allocation,
            &mut self.inactive_split,
            &mut self.inactive_split_bytes,
            &mut self.requested_bytes,
            &mut self.reserved_bytes,
            &mut self.segment,
        ]
    }

    /// `torch.cuda.reset_peak_memory_stats()`: every peak becomes the current value.
    pub fn reset_peak(&mut self) {
        for stat in self.arrays().into_iter().flat_map(StatArray::each) {
            stat.peak = stat.current;
        }
    }

    /// `torch.cuda.reset_accumulated_memory_stats()`: totals and event counts start again at 0.
    pub(crate) fn reset_accumulated(&mut self) {
        for stat in self.arrays().into_iter().flat_map(StatArray::each) {
            stat.allocated = 0;
            stat.freed = 0;
        }
        self.num_alloc_retries = 0;
        self.num_ooms = 0;
        self.num_device_alloc = 0;
        self.num_device_free = 0;
    }

    /// The flat dictionary of `torch.cuda.memory_stats()`, in its order (sorted by key). Some quantities change only with
    /// other settings of PyTorch's allocator (`oversize_*`, `max_split_size`, `num_sync_all_streams`, `num_oom_rejections`).
    /// They have the values that the default settings give them.
    pub fn entries(&self) -> Vec<(String, i64)> {
        let mut out = Vec::with_capacity(123);
        let mut push = |key: String, value: u64| out.push((key, i64::try_from(value).unwrap_or(i64::MAX)));
        fn four(prefix: &str, stat: &Stat, push: &mut dyn FnMut(String, u64)) {
            push(format!("{prefix}.current"), stat.current);
            push(format!("{prefix}.peak"), stat.peak);
            push(format!("{prefix}.allocated"), stat.allocated);
            push(format!("{prefix}.freed"), stat.freed);
        }
        for (name, array) in self.named() {
            four(&format!("{name}.all"), &array.all, &mut push);
            four(&format!("{name}.small_pool"), &array.small_pool, &mut push);
            four(&format!("{name}.large_pool"), &array.large_pool, &mut push);
        }
        four("oversize_allocations", &Stat::default(), &mut push);
        four("oversize_segments", &Stat::default(), &mut push);
        push("num_alloc_retries".into(), self.num_alloc_retries);
        push("num_device_alloc".into(), self.num_device_alloc);
        push("num_device_free".into(), self.num_device_free);
        push("num_ooms".into(), self.num_ooms);
        push("num_oom_rejections".into(), 0);
        push("num_sync_all_streams".into(), 0);
        out.push(("max_split_size".into(), -1));
        out.sort();
        out
    }
}
