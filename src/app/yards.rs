//! Turns the event stream into what the page draws: a yard for each device, with its tensors, memory and links.
//!
//! [`Yards`] is a pure fold over [`Event`]s: the same events give the same yards. [`Yards::picture`] chooses what is
//! worth drawing when there are thousands of tensors.

use std::collections::{BTreeMap, VecDeque};

use crate::device::Device;
use crate::dtype::DType;
use crate::machine::{Link, Machine};
use crate::protocol::{Event, EventKind, StorageId, Why};
use crate::trace::summary::{DeviceRow, Summary};

/// The number of copies that are remembered one by one. Older ones remain in the totals of their link.
const RECENT: usize = 64;

/// Every device of a machine at one moment of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Yards {
    pub yards: Vec<Yard>,
    /// The latest copies, oldest first.
    pub recent: VecDeque<Transfer>,
    /// The counts: the score, each device's memory and launches, each link's copies.
    pub summary: Summary,
    /// Microseconds that the copies of each direction would take on the machine's link.
    modeled: BTreeMap<(Device, Device), f64>,
    pub series: Vec<Series>,
    /// Events that were counted but not sent one by one.
    pub left_out: u64,
    /// The learner's line of the latest event that has one.
    pub line: u32,
    /// Microseconds since the run began, of the latest event.
    pub time: f64,
    /// Capacities of the machine's accelerators.
    capacities: Vec<u64>,
    host_link: Link,
    peer_link: Link,
}

/// One device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Yard {
    pub device: Device,
    /// Its index among the machine's accelerators. The program's index differs if `CUDA_VISIBLE_DEVICES` hides some of
    /// them.
    pub place: Option<usize>,
    /// Bytes that the allocator may take; `None` for the host, which has no allocator.
    pub capacity: Option<u64>,
    /// Bytes of each segment that the allocator holds.
    pub segments: BTreeMap<u64, usize>,
    pub tensors: BTreeMap<StorageId, Tensor>,
}

/// A live storage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    /// Variable that holds it, once known.
    pub name: Option<String>,
    pub dtype: DType,
    pub shape: Vec<usize>,
    /// Bytes of its block.
    pub bytes: usize,
    /// Bytes that the tensor itself needs.
    pub requested: usize,
    /// Where its block is; segment 0 on the host, which has no allocator.
    pub segment: u64,
    pub offset: usize,
    pub pinned: bool,
    /// The learner's line that created it; 0 if unknown.
    pub line: u32,
    /// The event that created it.
    pub made: u64,
    /// The learner's line that ran when the variable was first seen to hold it; 0 if unknown.
    pub held: u32,
    /// The device it was copied from.
    pub from: Option<Device>,
}

/// Totals of one direction of a link.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Traffic {
    pub from: Device,
    pub to: Device,
    pub copies: u64,
    pub bytes: u64,
    /// Microseconds, measured.
    pub measured: f64,
    /// Microseconds that the same copies would take on the machine's link.
    pub modeled: f64,
}

/// One copy between devices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Transfer {
    pub seq: u64,
    pub from: Device,
    pub to: Device,
    pub bytes: usize,
    pub why: Why,
    pub line: u32,
    /// Storage that was copied.
    pub source: StorageId,
    /// Variable that holds it, if it has a name.
    pub name: Option<String>,
    /// Microseconds, measured.
    pub measured: f64,
    /// Microseconds that it would take on the machine's link.
    pub modeled: f64,
}

/// The values reported under one name during the run. For a long run, a bounded number of them is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    pub name: String,
    /// The values. Once there are too many, each stretch keeps its lowest and its highest value, in order.
    pub values: Vec<f64>,
    /// How many reported values each element of `values` stands for.
    pub every: usize,
    /// Number of values so far, and the latest of them.
    pub count: usize,
    pub last: f64,
    /// The stretch that isn't complete yet.
    open: Vec<f64>,
}

/// The number of values kept for one name: more than any curve is drawn with.
const VALUES: usize = 8_192;

impl Series {
    pub(crate) fn new(name: String) -> Series {
        Series { name, values: Vec::new(), every: 1, count: 0, last: f64::NAN, open: Vec::new() }
    }

    pub(crate) fn push(&mut self, value: f64) {
        self.count += 1;
        self.last = value;
        if self.every == 1 {
            self.values.push(value);
        } else {
            self.open.push(value);
            if self.open.len() >= 2 * self.every {
                self.values.extend(ends(&self.open));
                self.open.clear();
            }
        }
        if self.values.len() >= VALUES {
            self.values = self.values.chunks(4).flat_map(ends).collect();
            self.every *= 2;
        }
    }
}

/// The lowest and the highest of some values, in their order.
fn ends(values: &[f64]) -> impl Iterator<Item = f64> + use<> {
    let by_value = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
    let all = || values.iter().copied().enumerate();
    let (low, high) = (all().min_by(by_value), all().max_by(by_value));
    let mut ends = [low, high.filter(|high| low.is_none_or(|low| low.0 != high.0))];
    ends.sort_unstable_by_key(|end| end.map(|(at, _)| at));
    ends.into_iter().flatten().map(|(_, value)| value)
}

impl Yards {
    /// Empty yards for the host and then for the machine's accelerators.
    pub(crate) fn new(machine: &Machine) -> Yards {
        let mut yards = vec![Yard::new(Device::CPU, None)];
        let accelerators = machine.accelerators();
        let capacities: Vec<u64> = accelerators.iter().map(|(_, spec)| spec.capacity()).collect();
        let own = accelerators.iter().zip(&capacities).enumerate();
        yards.extend(own.map(|(place, ((device, _), capacity))| Yard::new(*device, Some((place, *capacity)))));
        Yards {
            yards,
            capacities,
            modeled: BTreeMap::new(),
            recent: VecDeque::new(),
            summary: Summary::default(),
            series: Vec::new(),
            left_out: 0,
            line: 0,
            time: 0.0,
            host_link: machine.host_link.clone(),
            peer_link: machine.peer_link.clone(),
        }
    }

    /// Applies the next event.
    pub(crate) fn apply(&mut self, event: &Event) {
        self.summary.add(event);
        self.time = event.time;
        // A name is reported when the next line begins, but the line before it bound the name.
        if event.line > 0 && !matches!(event.kind, EventKind::Name { .. }) {
            self.line = event.line;
        }
        match &event.kind {
            EventKind::SegmentAlloc { device, segment, bytes, .. } => {
                self.yard(*device).segments.insert(*segment, *bytes);
            }
            EventKind::SegmentFree { device, segment, .. } => {
                self.yard(*device).segments.remove(segment);
            }
            EventKind::Alloc { device, storage, dtype, shape, requested, bytes, segment, offset, pinned, .. } => {
                let tensor = Tensor {
                    name: None,
                    dtype: *dtype,
                    shape: shape.clone(),
                    bytes: *bytes,
                    requested: *requested,
                    segment: *segment,
                    offset: *offset,
                    pinned: *pinned,
                    line: event.line,
                    made: event.seq,
                    held: 0,
                    from: None,
                };
                self.yard(*device).tensors.insert(*storage, tensor);
            }
            EventKind::Free { device, storage, .. } => {
                self.yard(*device).tensors.remove(storage);
            }
            EventKind::Transfer { from, to, bytes, source, target, micros, why, .. } => {
                let name = self.tensor(*source).and_then(|t| t.name.clone());
                if let Some(tensor) = self.tensor_mut(*target) {
                    tensor.from = Some(*from);
                }
                let modeled = self.link(*from, *to).micros(*bytes as u64);
                let copy = Transfer {
                    seq: event.seq,
                    from: *from,
                    to: *to,
                    bytes: *bytes,
                    why: *why,
                    line: event.line,
                    source: *source,
                    name,
                    measured: *micros,
                    modeled,
                };
                *self.modeled.entry((*from, *to)).or_default() += modeled;
                if self.recent.len() == RECENT {
                    self.recent.pop_front();
                }
                self.recent.push_back(copy);
            }
            // The copy of this executor was reported before. What the line costs are the copies that PyTorch would
            // make.
            EventKind::Print { device, fetched, copies, bytes, .. } => {
                let link = self.link(*device, Device::CPU);
                let (made, cost) =
                    (link.micros(*fetched as u64), link.latency_us * *copies as f64 + link.micros(*bytes as u64));
                let cost = cost - link.latency_us;
                if let Some(modeled) = self.modeled.get_mut(&(*device, Device::CPU)) {
                    *modeled += cost - made;
                }
                if let Some(copy) = self.recent.back_mut().filter(|copy| copy.why == Why::Print) {
                    copy.modeled = cost;
                }
            }
            EventKind::Name { storage, name } => {
                if let Some(tensor) = self.tensor_mut(*storage) {
                    tensor.name = (!name.is_empty()).then(|| name.clone());
                    tensor.held = event.line;
                }
            }
            EventKind::Value { name, value } => match self.series.iter_mut().find(|s| s.name == *name) {
                Some(series) => series.push(*value),
                None => {
                    let mut series = Series::new(name.clone());
                    series.push(*value);
                    self.series.push(series);
                }
            },
            EventKind::Shortened { events, summary } => {
                self.left_out += events;
                for link in &summary.links {
                    // Each copy takes the link's latency plus the time for its bytes, so the sum over many copies has
                    // both parts.
                    let (own, latency) = (self.link(link.from, link.to), self.link(link.from, link.to).micros(0));
                    let modeled = own.micros(link.bytes) + latency * link.copies.saturating_sub(1) as f64;
                    *self.modeled.entry((link.from, link.to)).or_default() += modeled;
                }
            }
            EventKind::Selected { places } => self.select(places),
            EventKind::Kernel { .. }
            | EventKind::Graph { .. }
            | EventKind::Sync { .. }
            | EventKind::Line { .. }
            | EventKind::Error { .. } => {}
        }
    }

    /// The program's `cuda:0`, `cuda:1`, … are these of the machine's accelerators. Nothing has happened on any of them
    /// yet.
    fn select(&mut self, places: &[usize]) {
        let others = self.yards.split_off(1).into_iter().filter(|yard| !yard.device.is_cuda()).collect::<Vec<_>>();
        for (index, &place) in places.iter().enumerate() {
            if let (Ok(index), Some(&capacity)) = (i8::try_from(index), self.capacities.get(place)) {
                self.yards.push(Yard::new(Device::cuda(index), Some((place, capacity))));
            }
        }
        self.yards.extend(others);
    }

    /// The link that joins two devices: the link to the host, or the one between accelerators.
    pub(crate) fn link(&self, from: Device, to: Device) -> &Link {
        if from.is_cpu() || to.is_cpu() { &self.host_link } else { &self.peer_link }
    }

    /// One entry for each direction in which something was copied, in the order of first use.
    pub(crate) fn traffic(&self) -> impl Iterator<Item = Traffic> {
        self.summary.links.iter().map(|link| Traffic {
            from: link.from,
            to: link.to,
            copies: link.copies,
            bytes: link.bytes,
            measured: link.micros,
            modeled: self.modeled.get(&(link.from, link.to)).copied().unwrap_or(0.0),
        })
    }

    /// The bytes of a device's tensors, and the bytes that its allocator holds.
    pub(crate) fn memory(&self, device: Device) -> (u64, u64) {
        self.row(device).map_or((0, 0), |row| (row.allocated, row.reserved))
    }

    /// The counts of a device; `None` before anything happened there.
    fn row(&self, device: Device) -> Option<&DeviceRow> {
        self.summary.devices.iter().find(|row| row.device == device)
    }

    /// The device's yard. A device that the machine doesn't list (`meta`) gets its yard when something first happens
    /// there.
    fn yard(&mut self, device: Device) -> &mut Yard {
        let at = match self.yards.iter().position(|y| y.device == device) {
            Some(at) => at,
            None => {
                self.yards.push(Yard::new(device, None));
                self.yards.len() - 1
            }
        };
        &mut self.yards[at]
    }

    fn tensor(&self, storage: StorageId) -> Option<&Tensor> {
        self.yards.iter().find_map(|y| y.tensors.get(&storage))
    }

    fn tensor_mut(&mut self, storage: StorageId) -> Option<&mut Tensor> {
        self.yards.iter_mut().find_map(|y| y.tensors.get_mut(&storage))
    }
}

impl Yard {
    /// `of` is its index among the machine's accelerators, and its capacity.
    fn new(device: Device, of: Option<(usize, u64)>) -> Yard {
        Yard {
            device,
            place: of.map(|(place, _)| place),
            capacity: of.map(|(_, capacity)| capacity),
            segments: BTreeMap::new(),
            tensors: BTreeMap::new(),
        }
    }
}

/// What one yard shows: a bounded number of blocks, and one item for all other tensors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct YardPicture {
    pub device: Device,
    /// See [`Yard::place`].
    pub place: Option<usize>,
    pub capacity: Option<u64>,
    pub allocated: u64,
    pub reserved: u64,
    pub peak: u64,
    pub launches: u64,
    /// Number of live tensors.
    pub live: usize,
    /// The tensors that get a block of their own, in the order of creation.
    pub blocks: Vec<Block>,
    /// Number and bytes of the live tensors that don't.
    pub rest: Option<(usize, u64)>,
}

/// One drawn tensor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub storage: StorageId,
    pub tensor: Tensor,
}

impl Yards {
    /// What to draw, with at most `limit` blocks for each yard: named tensors come before unnamed ones, large before
    /// small. `names` has the variables that are named after the moment shown.
    pub(crate) fn picture(&self, limit: usize, names: &BTreeMap<StorageId, String>) -> Vec<YardPicture> {
        self.yards.iter().map(|yard| yard.picture(self.row(yard.device), limit, names)).collect()
    }
}

impl Yard {
    fn picture(&self, row: Option<&DeviceRow>, limit: usize, names: &BTreeMap<StorageId, String>) -> YardPicture {
        let mut ranked: Vec<(bool, usize, StorageId)> =
            self.tensors.iter().map(|(id, t)| (t.name.is_some() || names.contains_key(id), t.bytes, *id)).collect();
        let mut rest = None;
        if ranked.len() > limit {
            ranked.sort_unstable_by_key(|(named, bytes, id)| (std::cmp::Reverse((*named, *bytes)), *id));
            let small = ranked.split_off(limit);
            rest = Some((small.len(), small.iter().map(|(_, bytes, _)| *bytes as u64).sum()));
            ranked.sort_unstable_by_key(|(_, _, id)| *id);
        }
        let blocks = ranked
            .into_iter()
            .filter_map(|(_, _, storage)| {
                let mut tensor = self.tensors.get(&storage)?.clone();
                tensor.name = tensor.name.or_else(|| names.get(&storage).cloned());
                Some(Block { storage, tensor })
            })
            .collect();
        let counted = |of: fn(&DeviceRow) -> u64| row.map_or(0, of);
        YardPicture {
            device: self.device,
            place: self.place,
            capacity: self.capacity,
            allocated: counted(|row| row.allocated),
            reserved: counted(|row| row.reserved),
            peak: counted(|row| row.peak_allocated),
            launches: counted(|row| row.launches),
            live: self.tensors.len(),
            blocks,
            rest,
        }
    }
}

/// The right end of a memory bar, in bytes: the smallest power of two that holds what is shown, but at least 2 MiB (one
/// small segment) and at most the capacity. On a bar of 80 GB, a few MiB would be invisible.
pub(crate) fn bar_scale(shown: u64, capacity: Option<u64>) -> u64 {
    let scale = shown.max(2 << 20).checked_next_power_of_two().unwrap_or(u64::MAX);
    capacity.map_or(scale, |capacity| scale.min(capacity.max(shown)))
}

/// The drawn length of a block, from 0 to 1, for 4 B to 4 GiB: each doubling of the bytes adds the same length.
pub(crate) fn block_length(bytes: u64) -> f64 {
    const SMALLEST: f64 = 2.0; // log2 of a float32 scalar
    const LARGEST: f64 = 32.0;
    (((bytes.max(4) as f64).log2() - SMALLEST) / (LARGEST - SMALLEST)).clamp(0.0, 1.0)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn event(seq: u64, line: u32, kind: EventKind) -> Event {
        Event { seq, time: seq as f64 * 10.0, line, look: None, kind }
    }

    pub(crate) fn alloc(device: Device, storage: StorageId, bytes: usize, allocated: u64) -> EventKind {
        EventKind::Alloc {
            device,
            storage,
            dtype: DType::F32,
            shape: vec![bytes / 4],
            requested: bytes,
            bytes,
            segment: 0,
            offset: 0,
            allocated,
            pinned: false,
        }
    }

    pub(crate) fn transfer(from: Device, to: Device, bytes: usize, source: StorageId, target: StorageId) -> EventKind {
        EventKind::Transfer {
            from,
            to,
            bytes,
            source,
            target,
            pinned: false,
            non_blocking: false,
            micros: 100.0,
            why: Why::To,
        }
    }

    fn run(machine: &str, kinds: Vec<EventKind>) -> Yards {
        let mut yards = Yards::new(&Machine::preset(machine).unwrap());
        for (i, kind) in kinds.into_iter().enumerate() {
            yards.apply(&event(i as u64, i as u32 + 1, kind));
        }
        yards
    }

    #[test]
    fn selected_devices_are_the_machines_cards_in_the_programs_order() {
        // `cuda:0` isn't always the machine's first card.
        let machine = Machine::from_json(
            r#"{"name": "three", "build": "cuda", "devices": [{"kind": "cuda", "memory_mib": 100},
                {"kind": "cuda", "memory_mib": 200}, {"kind": "cuda", "memory_mib": 300}]}"#,
            "three",
        )
        .unwrap();
        let cards = |yards: &Yards| yards.yards.iter().map(|y| (y.device, y.place, y.capacity)).collect::<Vec<_>>();
        let mib = |n: u64| Some(n << 20);
        let mut yards = Yards::new(&machine);
        let all = [100, 200, 300].map(mib);
        assert_eq!(cards(&yards)[1..].iter().map(|c| c.2).collect::<Vec<_>>(), all);
        yards.apply(&event(0, 1, EventKind::Selected { places: vec![2, 0] }));
        let (a, b) = (Device::cuda(0), Device::cuda(1));
        let expected = [(Device::CPU, None, None), (a, Some(2), mib(300)), (b, Some(0), mib(100))];
        assert_eq!(cards(&yards), expected);
        yards.apply(&event(1, 1, EventKind::Selected { places: Vec::new() }));
        assert_eq!(cards(&yards), expected[..1]);
    }

    #[test]
    fn a_copy_appears_on_both_sides_and_in_every_total() {
        let cuda = Device::cuda(0);
        let yards = run(
            "cuda:1",
            vec![
                alloc(Device::CPU, 1, 4096, 4096),
                EventKind::Name { storage: 1, name: "x".into() },
                EventKind::SegmentAlloc { device: cuda, segment: 1, bytes: 2 << 20, reserved: 2 << 20 },
                alloc(cuda, 2, 4096, 4096),
                transfer(Device::CPU, cuda, 4096, 1, 2),
                EventKind::Kernel { device: cuda, name: "add".into(), bytes: 0, flops: 0 },
                EventKind::Sync { device: cuda, why: Why::Item, micros: 5.0 },
                transfer(cuda, Device::CPU, 4, 2, 3),
            ],
        );
        assert_eq!(yards.yards.len(), 2);
        let gpu = &yards.picture(9, &BTreeMap::new())[1];
        assert_eq!((gpu.allocated, gpu.reserved, gpu.peak, gpu.launches), (4096, 2 << 20, 4096, 1));
        assert_eq!(yards.yards[1].tensors[&2].from, Some(Device::CPU));
        assert_eq!(yards.recent[0].name.as_deref(), Some("x"));
        // PCIe 4.0: 10 µs and 25 bytes a nanosecond.
        assert_eq!(traffic(&yards, Device::CPU, cuda).modeled, 10.0 + 4096.0 / 25_000.0);
        let score = crate::protocol::Score {
            h2d_bytes: 4096,
            d2h_bytes: 4,
            d2d_bytes: 0,
            copies: 2,
            synchronisations: 1,
            launches: 1,
            peak_bytes: 4096,
        };
        assert_eq!(yards.summary.score, score);
    }

    /// Totals from one device to another.
    fn traffic(yards: &Yards, from: Device, to: Device) -> Traffic {
        yards.traffic().find(|one| one.from == from && one.to == to).unwrap()
    }

    #[test]
    fn a_free_lowers_allocated_and_keeps_reserved_and_peak() {
        let cuda = Device::cuda(0);
        let yards = run(
            "cuda:1",
            vec![
                EventKind::SegmentAlloc { device: cuda, segment: 1, bytes: 2 << 20, reserved: 2 << 20 },
                alloc(cuda, 1, 512, 512),
                EventKind::Free { device: cuda, storage: 1, bytes: 512, allocated: 0 },
            ],
        );
        let gpu = &yards.picture(9, &BTreeMap::new())[1];
        assert_eq!((gpu.allocated, gpu.reserved, gpu.peak, gpu.live), (0, 2 << 20, 512, 0));
    }

    #[test]
    fn copies_between_accelerators_use_the_peer_link() {
        let (a, b) = (Device::cuda(0), Device::cuda(1));
        let yards = run("cuda:2", vec![transfer(a, b, 3_000_000, 1, 2)]);
        assert_eq!(traffic(&yards, a, b).modeled, 10.0 + 10.0);
        assert_eq!(yards.summary.score.d2d_bytes, 3_000_000);
    }

    #[test]
    fn meta_gets_a_yard_when_it_is_used() {
        let yards = run("cpu", vec![alloc(Device::META, 1, 0, 0)]);
        assert_eq!(yards.yards.len(), 2);
        assert_eq!(yards.yards[1].device, Device::META);
    }

    #[test]
    fn values_gather_by_name() {
        let value = |name: &str, value| EventKind::Value { name: name.into(), value };
        let yards = run("cpu", vec![value("loss", 2.0), value("acc", 0.1), value("loss", 1.0)]);
        assert_eq!((yards.series[0].name.as_str(), &yards.series[0].values[..]), ("loss", &[2.0, 1.0][..]));
    }

    #[test]
    fn a_crowded_yard_keeps_named_and_large_blocks_in_order_of_creation() {
        let mut kinds: Vec<EventKind> = (1..=100).map(|i| alloc(Device::CPU, i, 4, 4 * i)).collect();
        kinds.push(alloc(Device::CPU, 101, 4096, 0));
        kinds.push(EventKind::Name { storage: 50, name: "w".into() });
        let names = BTreeMap::from([(7, "later".to_string())]);
        let picture = &run("cpu", kinds).picture(4, &names)[0];
        let ids: Vec<StorageId> = picture.blocks.iter().map(|b| b.storage).collect();
        assert_eq!(ids, [1, 7, 50, 101]);
        assert_eq!(picture.blocks[1].tensor.name.as_deref(), Some("later"));
        assert_eq!((picture.live, picture.rest), (101, Some((97, 97 * 4))));
    }

    #[test]
    fn an_empty_name_means_that_no_variable_holds_it_any_more() {
        let named = |name: &str| EventKind::Name { storage: 1, name: name.into() };
        let yards = run("cpu", vec![alloc(Device::CPU, 1, 4, 4), named("x"), named("")]);
        assert_eq!(yards.yards[0].tensors[&1].name, None);
    }

    #[test]
    fn the_bar_grows_with_what_it_shows_and_stops_at_the_capacity() {
        assert_eq!(bar_scale(0, Some(1 << 30)), 2 << 20);
        assert_eq!(bar_scale(3 << 20, Some(1 << 30)), 4 << 20);
        assert_eq!(bar_scale(900 << 20, Some(1000 << 20)), 1000 << 20);
        assert_eq!(bar_scale(5 << 20, None), 8 << 20);
    }

    #[test]
    fn a_doubling_adds_the_same_length_everywhere() {
        let step = block_length(8) - block_length(4);
        assert!((block_length(1 << 21) - block_length(1 << 20) - step).abs() < 1e-12);
        assert_eq!(block_length(0), 0.0);
        assert_eq!(block_length(u64::MAX), 1.0);
    }

    /// An endless loop that reads its loss used to fill the page's memory, because each stored moment kept a copy.
    #[test]
    fn an_endless_series_keeps_its_ends_and_its_spikes_in_bounded_room() {
        let mut series = Series::new("loss".into());
        for i in 0..1_000_000 {
            series.push(if i == 700_001 { 9.0 } else { f64::from(i % 10) / 10.0 });
            assert!(series.values.len() < VALUES && series.open.len() <= 2 * series.every);
        }
        assert_eq!((series.count, series.last), (1_000_000, 0.9));
        assert!(series.values.len() > VALUES / 4, "{}", series.values.len());
        let at = series.values.iter().position(|v| *v == 9.0).unwrap() * series.every;
        assert!(at.abs_diff(700_001) < 4 * series.every, "at {at} of {}", series.every);
    }

    #[test]
    fn what_is_only_counted_gives_the_same_totals() {
        use crate::trace::shorten::Shortener;
        let cuda = Device::cuda(0);
        let kernel = |device| EventKind::Kernel { device, name: "add".into(), bytes: 8, flops: 2 };
        let kinds = [
            alloc(Device::CPU, 1, 256, 256),
            alloc(cuda, 2, 512, 512),
            alloc(cuda, 3, 512, 1024),
            transfer(Device::CPU, cuda, 256, 1, 2),
            transfer(Device::CPU, cuda, 128, 1, 2),
            transfer(cuda, Device::CPU, 64, 3, 1),
            kernel(cuda),
            kernel(cuda),
            EventKind::Free { device: cuda, storage: 3, bytes: 512, allocated: 512 },
        ];
        let events: Vec<Event> = (0..).zip(kinds).map(|(seq, kind)| event(seq, 1, kind)).collect();
        let mut shortener = Shortener::default();
        events.iter().for_each(|event| shortener.add(event.clone()));
        let machine = Machine::preset("cuda:1").unwrap();
        let told = |events: &[Event]| {
            let mut yards = Yards::new(&machine);
            events.iter().for_each(|event| yards.apply(event));
            yards
        };
        let (whole, short) = (told(&events), told(&shortener.take()));
        assert_eq!(short.yards, whole.yards);
        assert_eq!(short.summary, whole.summary);
        for route in whole.traffic() {
            let other = traffic(&short, route.from, route.to);
            assert_eq!((other.copies, other.bytes, other.measured), (route.copies, route.bytes, route.measured));
            assert!((other.modeled - route.modeled).abs() < 1e-9, "{} and {}", other.modeled, route.modeled);
        }
        assert_eq!((whole.left_out, short.left_out), (0, 5));
    }
}
