//! Events as they are kept until someone takes them: packed, because a training step makes a hundred of them and what
//! they cost is the learner's time.
//!
//! What is frequent (blocks taken and given back, kernels) is a record of its own with no allocation; the rest is boxed. Time is
//! the processor's counter where it has one that runs evenly, and becomes microseconds when the events are taken.

use std::borrow::Cow;

use super::{Event, EventKind, StorageId, now_micros};
use crate::device::Device;
use crate::dtype::DType;

/// A block as it is taken: [`EventKind::Alloc`], which says what the fields are, before the shape is copied.
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
    pub allocated: usize,
    pub pinned: bool,
}

impl Taken<'_> {
    pub fn event(&self) -> EventKind {
        let Taken { device, storage, dtype, shape, requested, bytes, segment, offset, allocated, pinned } = *self;
        let shape = shape.to_vec();
        EventKind::Alloc { device, storage, dtype, shape, requested, bytes, segment, offset, allocated, pinned }
    }
}

struct Record {
    ticks: u64,
    line: u32,
    what: What,
}

enum What {
    /// `at` is where in [`Journal::numbers`] its shape begins; before the shape stand segment, offset and block size.
    Alloc {
        device: Device,
        dtype: DType,
        rank: u8,
        pinned: bool,
        at: u32,
        storage: StorageId,
        requested: usize,
        allocated: usize,
    },
    Free {
        device: Device,
        storage: StorageId,
        bytes: usize,
        allocated: usize,
    },
    Kernel {
        device: Device,
        name: &'static str,
        bytes: usize,
        flops: u64,
    },
    Other(Box<EventKind>),
}

/// Records in the order in which they came. They lie in pieces, so that growing moves none.
#[derive(Default)]
pub(super) struct Journal {
    pieces: Vec<Vec<Record>>,
    numbers: Vec<usize>,
    length: usize,
    anchor: Anchor,
}

const PIECE: usize = 2048;

impl Journal {
    pub fn len(&self) -> usize {
        self.length
    }

    /// Forgets what is kept; time goes on.
    pub fn clear(&mut self) {
        self.pieces.truncate(1);
        self.pieces.iter_mut().for_each(Vec::clear);
        self.numbers.clear();
        self.length = 0;
    }

    #[inline]
    fn push(&mut self, line: u32, what: What) {
        let record = Record { ticks: ticks(), line, what };
        self.length += 1;
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(record),
            _ => self.begin_piece(record),
        }
    }

    #[cold]
    fn begin_piece(&mut self, record: Record) {
        let mut piece = Vec::with_capacity(PIECE);
        piece.push(record);
        self.pieces.push(piece);
    }

    pub fn add(&mut self, line: u32, kind: EventKind) {
        let what = match kind {
            EventKind::Free { device, storage, bytes, allocated } => What::Free { device, storage, bytes, allocated },
            EventKind::Kernel { device, name: Cow::Borrowed(name), bytes, flops } => {
                What::Kernel { device, name, bytes, flops }
            }
            other => What::Other(Box::new(other)),
        };
        self.push(line, what);
    }

    pub fn add_taken(&mut self, line: u32, taken: &Taken<'_>) {
        let Taken { device, storage, dtype, shape, requested, bytes, segment, offset, allocated, pinned } = *taken;
        let what = match (u32::try_from(self.numbers.len()), u8::try_from(shape.len()), usize::try_from(segment)) {
            (Ok(at), Ok(rank), Ok(segment)) => {
                self.numbers.extend_from_slice(&[segment, offset, bytes]);
                self.numbers.extend_from_slice(shape);
                What::Alloc { device, dtype, rank, pinned, at, storage, requested, allocated }
            }
            _ => What::Other(Box::new(taken.event())),
        };
        self.push(line, what);
    }

    /// The kept events, numbered from `first`, in microseconds since `start`; none is kept afterwards.
    pub fn take(&mut self, first: u64, start: f64) -> Vec<Event> {
        let time = self.anchor.advance();
        let mut out = Vec::with_capacity(self.length);
        for piece in &mut self.pieces {
            for record in piece.drain(..) {
                let kind = match record.what {
                    What::Alloc { device, dtype, rank, pinned, at, storage, requested, allocated } => {
                        let at = at as usize;
                        let [segment, offset, bytes] = [0, 1, 2].map(|i| self.numbers[at + i]);
                        let shape = self.numbers[at + 3..at + 3 + usize::from(rank)].to_vec();
                        let segment = segment as u64;
                        EventKind::Alloc {
                            device,
                            storage,
                            dtype,
                            shape,
                            requested,
                            bytes,
                            segment,
                            offset,
                            allocated,
                            pinned,
                        }
                    }
                    What::Free { device, storage, bytes, allocated } => {
                        EventKind::Free { device, storage, bytes, allocated }
                    }
                    What::Kernel { device, name, bytes, flops } => {
                        EventKind::Kernel { device, name: name.into(), bytes, flops }
                    }
                    What::Other(kind) => *kind,
                };
                let seq = first + out.len() as u64;
                out.push(Event { seq, time: time(record.ticks) - start, line: record.line, kind });
            }
        }
        self.clear();
        out
    }
}

/// One moment in ticks and in microseconds. Between two of them time runs evenly, so nothing has to be measured beforehand.
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
    /// Moves to now; what comes back tells the time of ticks since the former moment.
    fn advance(&mut self) -> impl Fn(u64) -> f64 + use<> {
        let then = std::mem::take(self);
        let scale = match self.ticks.saturating_sub(then.ticks) {
            0 => 0.0,
            passed => (self.micros - then.micros) / passed as f64,
        };
        move |ticks| then.micros + ticks.saturating_sub(then.ticks) as f64 * scale
    }
}

/// The processor's counter: a few nanoseconds to read, where asking the system takes thirty.
#[cfg(all(target_arch = "x86_64", not(target_arch = "wasm32")))]
#[inline]
fn ticks() -> u64 {
    use std::sync::OnceLock;
    static EVEN: OnceLock<bool> = OnceLock::new();
    // Leaf 0x80000007, bit 8 of EDX: the counter runs evenly, whatever the processor's clock does.
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
            // More than a piece holds.
            let turns = PIECE;
            for line in 0..turns {
                journal.add_taken(line as u32, &taken);
                kinds.iter().for_each(|kind| journal.add(line as u32, kind.clone()));
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
            // The two clocks are read one after the other.
            let slack = 200.0;
            assert!(events[0].time >= begin - slack && events[events.len() - 1].time <= end + slack);
        }
    }
}
