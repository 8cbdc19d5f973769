//! Events in a packed form until someone takes them: a training step makes a hundred of them, and handling them costs the
//! learner's time.
//!
//! Frequent events (blocks taken and given back, kernels) become about fifteen bytes. A number takes only the bytes that it
//! needs, seven bits in each, and numbers that grow from event to event are stored as differences. Packing costs less time
//! than the system needs to supply the memory pages for unpacked events. Other events are kept as they are. A time is the
//! processor's counter if that runs evenly; it's converted to microseconds when the events are taken.

use std::borrow::Cow;

use super::{Event, EventKind, Look, StorageId, now_micros};
use crate::device::Device;
use crate::dtype::DType;

/// A block that was just taken: the fields of [`EventKind::Alloc`], before the shape is copied.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    pub device: Device,
    pub storage: StorageId,
    pub dtype: DType,
    pub shape: &'a [usize],
    pub requested: usize,
    pub bytes: usize,
    pub segment: u64,
    pub offset: usize,
    pub allocated: u64,
    pub pinned: bool,
}

impl Taken<'_> {
    pub fn event(&self) -> EventKind {
        let Taken { device, storage, dtype, shape, requested, bytes, segment, offset, allocated, pinned } = *self;
        let shape = shape.to_vec();
        EventKind::Alloc { device, storage, dtype, shape, requested, bytes, segment, offset, allocated, pinned }
    }
}

/// Records, in order. They're kept in pieces, so that none is moved when the journal grows.
#[derive(Default)]
pub(super) struct Journal {
    pieces: Vec<Vec<u8>>,
    /// The events that aren't packed, in order.
    others: Vec<EventKind>,
    /// What records refer to by number. It's kept when events are taken.
    devices: Vec<Device>,
    dtypes: Vec<DType>,
    names: Vec<&'static str>,
    length: usize,
    /// The values that the differences of the next record are relative to.
    last: Last,
    anchor: Anchor,
}

#[derive(Clone, Copy, Default)]
struct Last {
    ticks: u64,
    line: u32,
    storage: StorageId,
}

/// The size of a piece in bytes.
const PIECE: usize = 64 << 10;
/// Shapes with more dimensions aren't packed.
const DIMS: usize = 8;
/// Longer than any record: four bytes, and sixteen numbers of at most ten bytes.
const RECORD: usize = 192;

const ALLOC: u8 = 0;
const PINNED: u8 = 1;
const FREE: u8 = 2;
const KERNEL: u8 = 3;
const OTHER: u8 = 4;
/// The bits of a tag with its kind. Those above say how the learner looked.
const KIND_BITS: u8 = 3;

/// One record that is being written.
struct Writer {
    bytes: [u8; RECORD],
    length: usize,
}

impl Writer {
    #[inline]
    fn byte(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// Seven bits per byte, lowest first. The highest bit says that more bytes follow.
    #[inline]
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.byte(n as u8 | 0x80);
            n >>= 7;
        }
        self.byte(n as u8);
    }

    /// The difference between `from` and `to`, with its sign in the lowest bit.
    #[inline]
    fn step(&mut self, from: u64, to: u64) {
        let by = to.wrapping_sub(from) as i64;
        self.number(((by << 1) ^ (by >> 63)) as u64);
    }
}

/// Reads what [`Writer`] wrote, in the same order.
struct Reader<'a>(std::slice::Iter<'a, u8>);

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or_default()
    }

    fn number(&mut self) -> u64 {
        let (mut n, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            n |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return n;
            }
        }
    }

    fn size(&mut self) -> usize {
        self.number() as usize
    }

    fn step(&mut self, from: u64) -> u64 {
        let n = self.number();
        from.wrapping_add((n >> 1) ^ (n & 1).wrapping_neg())
    }
}

/// The number of a value in a table. A new value is added; `None` when the table is full.
#[inline]
fn place<T: Copy>(table: &mut Vec<T>, value: T, same: impl Fn(T, T) -> bool) -> Option<u8> {
    let at = table.iter().position(|&known| same(known, value)).unwrap_or_else(|| {
        table.push(value);
        table.len() - 1
    });
    u8::try_from(at).ok()
}

impl Journal {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Drops the kept events. Time goes on.
    pub(super) fn clear(&mut self) {
        self.pieces.truncate(1);
        self.pieces.iter_mut().for_each(Vec::clear);
        self.others.clear();
        self.length = 0;
        self.last = Last::default();
    }

    /// The beginning of a record: its kind, its time and its line.
    #[inline]
    fn begin(&mut self, tag: u8, line: u32, look: Option<Look>) -> Writer {
        let now = Last { ticks: ticks(), line, ..self.last };
        let mut w = Writer { bytes: [0; RECORD], length: 0 };
        w.byte(tag | Look::code(look) << KIND_BITS);
        w.step(self.last.ticks, now.ticks);
        w.step(u64::from(self.last.line), u64::from(line));
        self.last = now;
        w
    }

    #[inline]
    fn storage(&mut self, w: &mut Writer, storage: StorageId) {
        w.step(self.last.storage, storage);
        self.last.storage = storage;
    }

    #[inline]
    fn end(&mut self, w: &Writer) {
        self.length += 1;
        let record = &w.bytes[..w.length];
        match self.pieces.last_mut() {
            Some(piece) if piece.len() + record.len() <= PIECE => piece.extend_from_slice(record),
            _ => self.begin_piece(record),
        }
    }

    #[cold]
    fn begin_piece(&mut self, record: &[u8]) {
        let mut piece = Vec::with_capacity(PIECE);
        piece.extend_from_slice(record);
        self.pieces.push(piece);
    }

    fn add_other(&mut self, line: u32, look: Option<Look>, kind: EventKind) {
        let w = self.begin(OTHER, line, look);
        self.others.push(kind);
        self.end(&w);
    }

    pub(super) fn add(&mut self, line: u32, look: Option<Look>, kind: EventKind) {
        match kind {
            EventKind::Free { device, storage, bytes, allocated } => {
                let Some(device) = place(&mut self.devices, device, |a, b| a == b) else {
                    return self.add_other(line, look, kind);
                };
                let mut w = self.begin(FREE, line, look);
                w.byte(device);
                self.storage(&mut w, storage);
                w.number(bytes as u64);
                w.number(allocated);
                self.end(&w);
            }
            EventKind::Kernel { device, name: Cow::Borrowed(name), bytes, flops } => {
                // Names are static, so the same name nearly always has the same address.
                let known = place(&mut self.names, name, |a, b| std::ptr::eq(a, b));
                let Some((device, name)) = place(&mut self.devices, device, |a, b| a == b).zip(known) else {
                    return self.add_other(line, look, kind);
                };
                let mut w = self.begin(KERNEL, line, look);
                w.byte(device);
                w.byte(name);
                w.number(bytes as u64);
                w.number(flops);
                self.end(&w);
            }
            other => self.add_other(line, look, other),
        }
    }

    pub(super) fn add_taken(&mut self, line: u32, look: Option<Look>, taken: &Taken<'_>) {
        let Taken { device, storage, dtype, shape, requested, bytes, segment, offset, allocated, pinned } = *taken;
        let known = place(&mut self.devices, device, |a, b| a == b).zip(place(&mut self.dtypes, dtype, |a, b| a == b));
        let Some((device, dtype)) = known.filter(|_| shape.len() <= DIMS) else {
            return self.add_other(line, look, taken.event());
        };
        let mut w = self.begin(if pinned { PINNED } else { ALLOC }, line, look);
        w.byte(device);
        w.byte(dtype);
        self.storage(&mut w, storage);
        w.number(requested as u64);
        w.step(requested as u64, bytes as u64);
        w.number(segment);
        w.number(offset as u64);
        w.number(allocated);
        w.byte(shape.len() as u8);
        shape.iter().for_each(|&n| w.number(n as u64));
        self.end(&w);
    }

    /// Takes all kept events, numbered from `first`, with times in microseconds since `start`.
    pub(super) fn take(&mut self, first: u64, start: f64) -> Vec<Event> {
        let time = self.anchor.advance();
        let mut out = Vec::with_capacity(self.length);
        let mut others = std::mem::take(&mut self.others).into_iter();
        let mut last = Last::default();
        for piece in &self.pieces {
            let mut r = Reader(piece.iter());
            while !r.0.as_slice().is_empty() {
                let first_byte = r.byte();
                let (tag, look) = (first_byte & ((1 << KIND_BITS) - 1), Look::of_code(first_byte >> KIND_BITS));
                last.ticks = r.step(last.ticks);
                last.line = r.step(u64::from(last.line)) as u32;
                let kind = match tag {
                    OTHER => others.next(),
                    _ => Some(self.read(tag, &mut r, &mut last.storage)),
                };
                let seq = first + out.len() as u64;
                let time = time(last.ticks) - start;
                out.extend(kind.map(|kind| Event { seq, time, line: last.line, look, kind }));
            }
        }
        self.clear();
        out
    }

    /// The rest of a packed record.
    fn read(&self, tag: u8, r: &mut Reader<'_>, storage: &mut StorageId) -> EventKind {
        let device = self.devices[usize::from(r.byte())];
        match tag {
            KERNEL => {
                let name = self.names[usize::from(r.byte())];
                EventKind::Kernel { device, name: name.into(), bytes: r.size(), flops: r.number() }
            }
            FREE => {
                *storage = r.step(*storage);
                EventKind::Free { device, storage: *storage, bytes: r.size(), allocated: r.number() }
            }
            _ => {
                let dtype = self.dtypes[usize::from(r.byte())];
                *storage = r.step(*storage);
                let requested = r.size();
                let bytes = r.step(requested as u64) as usize;
                let (segment, offset, allocated) = (r.number(), r.size(), r.number());
                let rank = r.byte();
                let shape = (0..rank).map(|_| r.size()).collect();
                let (storage, pinned) = (*storage, tag == PINNED);
                EventKind::Alloc { device, storage, dtype, shape, requested, bytes, segment, offset, allocated, pinned }
            }
        }
    }
}

/// One moment, in ticks and in microseconds. The counter runs evenly between two such moments, so its speed needn't be
/// measured first.
struct Anchor {
    ticks: u64,
    micros: f64,
}

impl Default for Anchor {
    fn default() -> Self {
        Anchor { ticks: ticks(), micros: now_micros() }
    }
}

impl Anchor {
    /// Sets it to now. The returned function converts ticks since the previous moment to times.
    fn advance(&mut self) -> impl Fn(u64) -> f64 + use<> {
        let then = std::mem::take(self);
        let scale = match self.ticks.saturating_sub(then.ticks) {
            0 => 0.0,
            passed => (self.micros - then.micros) / passed as f64,
        };
        move |ticks| then.micros + ticks.saturating_sub(then.ticks) as f64 * scale
    }
}

/// The processor's counter. Reading it takes a few nanoseconds; asking the system takes thirty.
#[cfg(all(target_arch = "x86_64", not(target_arch = "wasm32")))]
#[inline]
fn ticks() -> u64 {
    use std::sync::OnceLock;
    static EVEN: OnceLock<bool> = OnceLock::new();
    // Leaf 0x80000007, bit 8 of EDX: the counter runs evenly, whatever the processor's frequency is.
    let even = *EVEN.get_or_init(|| {
        use std::arch::x86_64::__cpuid;
        __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & (1 << 8) != 0
    });
    // SAFETY: every x86-64 processor has the counter.
    if even { unsafe { std::arch::x86_64::_rdtsc() } } else { nanoseconds() }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn ticks() -> u64 {
    nanoseconds()
}

fn nanoseconds() -> u64 {
    (now_micros() * 1e3) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Why;

    #[test]
    fn every_number_comes_back() {
        let mut journal = Journal::default();
        let mut kept = Vec::new();
        let deep = [1; DIMS + 1];
        let looks = [None, Some(Look::Print), Some(Look::Text), Some(Look::Assert), Some(Look::Plot), Some(Look::Log)];
        let numbers = [(7, 0_u64), (3, 1), (u32::MAX, 127), (0, 128), (1, 1 << 40), (2, u64::MAX)];
        for ((line, n), look) in numbers.into_iter().zip(looks) {
            let size = n as usize;
            for (pinned, shape) in [(true, &[][..]), (false, &[size, 0, 300]), (false, &[size; DIMS]), (false, &deep)] {
                let taken = Taken {
                    device: Device::CPU,
                    storage: n,
                    dtype: DType::F64,
                    shape,
                    requested: size,
                    bytes: size.wrapping_add(512),
                    segment: n,
                    offset: size,
                    allocated: size as u64,
                    pinned,
                };
                journal.add_taken(line, look, &taken);
                kept.push((line, look, taken.event()));
            }
            let device = Device::cuda(2);
            for kind in [
                EventKind::Free { device, storage: u64::MAX - n, bytes: size, allocated: size as u64 },
                EventKind::Kernel { device, name: "mul".into(), bytes: size, flops: n },
            ] {
                journal.add(line, look, kind.clone());
                kept.push((line, look, kind));
            }
        }
        let events = journal.take(0, 0.0);
        let back: Vec<_> = events.into_iter().map(|e| (e.line, e.look, e.kind)).collect();
        assert_eq!(back, kept);
    }

    #[test]
    fn more_names_than_a_byte_counts_come_back() {
        let mut journal = Journal::default();
        let names: Vec<&'static str> = (0..300).map(|i| &*format!("kernel {i}").leak()).collect();
        for &name in names.iter().chain(&names) {
            let name = name.into();
            journal.add(1, None, EventKind::Kernel { device: Device::CPU, name, bytes: 1, flops: 0 });
        }
        let back: Vec<EventKind> = journal.take(0, 0.0).into_iter().map(|e| e.kind).collect();
        assert_eq!(back.len(), 600);
        for (at, kind) in back.into_iter().enumerate() {
            assert!(matches!(kind, EventKind::Kernel { name, .. } if name == names[at % 300]));
        }
    }

    #[test]
    fn what_is_kept_comes_back_in_order_and_time() {
        let mut journal = Journal::default();
        let device = Device::cuda(1);
        let taken = Taken {
            device,
            storage: 7,
            dtype: DType::F16,
            shape: &[2, 3, 5],
            requested: 60,
            bytes: 512,
            segment: 4,
            offset: 1024,
            allocated: 2048,
            pinned: true,
        };
        let kinds = [
            EventKind::Kernel { device, name: "add".into(), bytes: 3, flops: 9 },
            EventKind::Kernel { device, name: String::from("owned").into(), bytes: 1, flops: 2 },
            EventKind::Free { device, storage: 7, bytes: 512, allocated: 0 },
            EventKind::Sync { device, why: Why::Item, micros: 1.5 },
        ];
        for round in 0..2 {
            let begin = now_micros();
            // More than fits into one piece.
            let turns = PIECE / 32;
            for line in 0..turns {
                journal.add_taken(line as u32, None, &taken);
                kinds.iter().for_each(|kind| journal.add(line as u32, None, kind.clone()));
            }
            let end = now_micros();
            assert_eq!(journal.len(), turns * 5);
            let events = journal.take(10, 0.0);
            assert_eq!((events.len(), journal.len()), (turns * 5, 0), "round {round}");
            for (at, event) in events.iter().enumerate() {
                assert_eq!((event.seq, event.line), (10 + at as u64, (at / 5) as u32));
                let expected = if at % 5 == 0 { taken.event() } else { kinds[at % 5 - 1].clone() };
                assert_eq!(event.kind, expected);
            }
            assert!(events.is_sorted_by(|a, b| a.time <= b.time));
            // The two clocks can't be read at the same moment.
            let slack = 200.0;
            assert!(events[0].time >= begin - slack && events[events.len() - 1].time <= end + slack);
        }
    }
}
