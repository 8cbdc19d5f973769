//! Shortens a long stretch of events for a reader that can't keep up with all of them.
//!
//! Events without a lasting effect are dropped and counted: kernels, waits, copies into a storage that was overwritten again,
//! and blocks that were given back before they were reported. Lasting events stay, in order, so replaying the shortened
//! stream rebuilds allocated bytes, reserved bytes and live storages exactly. One [`EventKind::Shortened`] says how many
//! events are missing and carries their totals, so the cost of a run and its peaks stay exact as well.

use std::collections::HashMap;

use super::summary::Summary;
use super::{Event, EventKind, StorageId, Why};
use crate::device::Device;

/// Collects events until somebody can take them.
#[derive(Default)]
pub struct Shortener {
    /// Kept events, in order. A hole is an event that was dropped later.
    kept: Vec<Option<Event>>,
    /// How many entries of `kept` aren't holes.
    live: usize,
    /// The position of each kept event, by its subject.
    places: HashMap<About, usize>,
    /// The positions of kept copies, by the storage that they read. Copies that were dropped may still be listed.
    readers: HashMap<StorageId, Vec<usize>>,
    /// Allocated and reserved bytes of each device before the first event that says anything about them.
    before: HashMap<Device, (Option<u64>, Option<u64>)>,
    left_out: u64,
    /// Totals of the dropped events.
    summary: Summary,
    /// Number, time and line of the latest dropped event.
    latest: Option<(u64, f64, u32)>,
}

/// The subject of an event. A later event about the same subject replaces or ends an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum About {
    Block(StorageId),
    Segment(Device, u64),
    /// The latest copy into a storage.
    Copy(StorageId),
    /// The latest variable name of a storage.
    Name(StorageId),
    /// The latest value of a name.
    Value(String),
    Error,
}

/// With fewer holes than this, closing them isn't worth the time.
const HOLES: usize = 1024;

impl Shortener {
    /// Whether there is nothing to take.
    pub fn is_empty(&self) -> bool {
        self.live == 0 && self.left_out == 0
    }

    /// Adds the next event of the stream.
    pub fn add(&mut self, event: Event) {
        match &event.kind {
            EventKind::Alloc { device, storage, bytes, allocated, .. } => {
                self.before.entry(*device).or_default().0.get_or_insert(allocated.saturating_sub(*bytes as u64));
                let about = About::Block(*storage);
                self.keep(about, event);
            }
            EventKind::Free { device, storage, bytes, allocated } => {
                self.before.entry(*device).or_default().0.get_or_insert(allocated.saturating_add(*bytes as u64));
                let storage = *storage;
                self.drop_kept(&About::Name(storage));
                self.drop_kept(&About::Copy(storage));
                self.forget_source(storage);
                match self.drop_kept(&About::Block(storage)) {
                    true => self.leave_out(&event),
                    false => self.push(event),
                }
            }
            EventKind::SegmentAlloc { device, segment, bytes, reserved } => {
                self.before.entry(*device).or_default().1.get_or_insert(reserved.saturating_sub(*bytes as u64));
                let about = About::Segment(*device, *segment);
                self.keep(about, event);
            }
            EventKind::SegmentFree { device, segment, bytes, reserved } => {
                self.before.entry(*device).or_default().1.get_or_insert(reserved.saturating_add(*bytes as u64));
                match self.drop_kept(&About::Segment(*device, *segment)) {
                    true => self.leave_out(&event),
                    false => self.push(event),
                }
            }
            EventKind::Transfer { source, target, why, .. } if *target != 0 && *why != Why::Print => {
                let (source, target) = (*source, *target);
                let at = self.keep(About::Copy(target), event);
                if source != 0 {
                    self.readers.entry(source).or_default().push(at);
                }
            }
            EventKind::Name { storage, .. } => {
                let about = About::Name(*storage);
                self.keep(about, event);
            }
            EventKind::Value { name, .. } => {
                let about = About::Value(name.clone());
                self.keep(about, event);
            }
            EventKind::Error { .. } => {
                self.keep(About::Error, event);
            }
            // An event for several dropped ones counts as all of those.
            EventKind::Shortened { events, .. } => {
                self.left_out += events.saturating_sub(1);
                self.leave_out(&event);
            }
            EventKind::Selected { .. } => self.push(event),
            EventKind::Transfer { .. }
            | EventKind::Kernel { .. }
            | EventKind::Graph { .. }
            | EventKind::Sync { .. }
            | EventKind::Print { .. }
            | EventKind::Line { .. } => self.leave_out(&event),
        }
        if self.kept.len() > 2 * self.live + HOLES {
            self.close_holes();
        }
    }

    /// Takes the remaining events since the last call.
    pub fn take(&mut self) -> Vec<Event> {
        let mut out: Vec<Event> = Vec::with_capacity(self.live + 1);
        let Shortener { kept, before, left_out, mut summary, latest, .. } = std::mem::take(self);
        let mut totals: HashMap<Device, (u64, u64)> = before
            .into_iter()
            .map(|(device, (allocated, reserved))| (device, (allocated.unwrap_or(0), reserved.unwrap_or(0))))
            .collect();
        for mut event in kept.into_iter().flatten() {
            // The total in an event is a peak, even if the events that led to it are dropped.
            summary.reached(&event);
            match &mut event.kind {
                EventKind::Alloc { device, bytes, allocated, .. } => {
                    let total = &mut totals.entry(*device).or_default().0;
                    *total = total.saturating_add(*bytes as u64);
                    *allocated = *total;
                }
                EventKind::Free { device, bytes, allocated, .. } => {
                    let total = &mut totals.entry(*device).or_default().0;
                    *total = total.saturating_sub(*bytes as u64);
                    *allocated = *total;
                }
                EventKind::SegmentAlloc { device, bytes, reserved, .. } => {
                    let total = &mut totals.entry(*device).or_default().1;
                    *total = total.saturating_add(*bytes as u64);
                    *reserved = *total;
                }
                EventKind::SegmentFree { device, bytes, reserved, .. } => {
                    let total = &mut totals.entry(*device).or_default().1;
                    *total = total.saturating_sub(*bytes as u64);
                    *reserved = *total;
                }
                _ => {}
            }
            out.push(event);
        }
        if let Some((seq, time, line)) = latest {
            summary.devices.iter_mut().for_each(|row| (row.allocated, row.reserved) = (0, 0));
            let kind = EventKind::Shortened { events: left_out, summary: Box::new(summary) };
            let at = out.partition_point(|event| event.seq < seq);
            out.insert(at, Event { seq, time, line, look: None, kind });
        }
        out
    }

    fn push(&mut self, event: Event) {
        self.kept.push(Some(event));
        self.live += 1;
    }

    /// Keeps an event in place of the earlier one with the same subject. Returns its position.
    fn keep(&mut self, about: About, event: Event) -> usize {
        self.drop_kept(&about);
        let at = self.kept.len();
        self.push(event);
        self.places.insert(about, at);
        at
    }

    /// Drops a kept event. Returns whether there was one.
    fn drop_kept(&mut self, about: &About) -> bool {
        let Some(event) = self.places.remove(about).and_then(|at| self.kept.get_mut(at)?.take()) else { return false };
        self.live -= 1;
        self.leave_out(&event);
        true
    }

    fn leave_out(&mut self, event: &Event) {
        self.left_out += 1;
        self.summary.add(event);
        if self.latest.is_none_or(|(seq, ..)| seq < event.seq) {
            self.latest = Some((event.seq, event.time, event.line));
        }
    }

    /// A storage is gone. The kept copies that read it now read plain memory, which 0 stands for, so its block may be
    /// dropped.
    fn forget_source(&mut self, storage: StorageId) {
        if !self.places.contains_key(&About::Block(storage)) {
            // Its block was reported before, and the copies come before its end.
            self.readers.remove(&storage);
            return;
        }
        for at in self.readers.remove(&storage).unwrap_or_default() {
            if let Some(Some(Event { kind: EventKind::Transfer { source, .. }, .. })) = self.kept.get_mut(at)
                && *source == storage
            {
                *source = 0;
            }
        }
    }

    fn close_holes(&mut self) {
        let mut moved = vec![usize::MAX; self.kept.len()];
        let mut next = 0;
        for (at, event) in self.kept.iter().enumerate() {
            if event.is_some() {
                moved[at] = next;
                next += 1;
            }
        }
        self.kept.retain(Option::is_some);
        self.places.values_mut().for_each(|at| *at = moved[*at]);
        self.readers.clear();
        for (at, event) in self.kept.iter().enumerate() {
            if let Some(Event { kind: EventKind::Transfer { source, .. }, .. }) = event
                && *source != 0
            {
                self.readers.entry(*source).or_default().push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Trace;
    use super::super::replay::replay;
    use super::super::summary::summarize;
    use super::*;
    use crate::dtype::DType;

    /// A device's memory with one segment of 1 MiB, a few lasting blocks, and many short-lived ones.
    struct Program {
        events: Vec<Event>,
        allocated: HashMap<Device, u64>,
        reserved: u64,
        random: u64,
    }

    impl Program {
        fn new() -> Program {
            Program { events: Vec::new(), allocated: HashMap::new(), reserved: 0, random: 1 }
        }

        fn random(&mut self, below: u64) -> u64 {
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.random >> 33) % below
        }

        fn happen(&mut self, kind: EventKind) {
            let seq = self.events.len() as u64;
            self.events.push(Event { seq, time: seq as f64, line: (seq % 9) as u32 + 1, look: None, kind });
        }

        fn alloc(&mut self, device: Device, storage: StorageId, segment: u64, offset: usize) {
            let allocated = self.allocated.entry(device).or_default();
            *allocated += 512;
            let allocated = *allocated;
            let (dtype, shape, pinned) = (DType::F32, vec![3], false);
            self.happen(EventKind::Alloc {
                device,
                storage,
                dtype,
                shape,
                requested: 12,
                bytes: 512,
                segment,
                offset,
                allocated,
                pinned,
            });
        }

        fn free(&mut self, device: Device, storage: StorageId) {
            let allocated = self.allocated.entry(device).or_default();
            *allocated -= 512;
            let allocated = *allocated;
            self.happen(EventKind::Free { device, storage, bytes: 512, allocated });
        }

        fn segment(&mut self, segment: u64, taken: bool) {
            let (device, bytes) = (Device::cuda(0), 1 << 20);
            self.reserved = if taken { self.reserved + bytes as u64 } else { self.reserved - bytes as u64 };
            let reserved = self.reserved;
            self.happen(match taken {
                true => EventKind::SegmentAlloc { device, segment, bytes, reserved },
                false => EventKind::SegmentFree { device, segment, bytes, reserved },
            });
        }

        fn copy(&mut self, from: (Device, StorageId), to: (Device, StorageId)) {
            self.happen(EventKind::Transfer {
                from: from.0,
                to: to.0,
                bytes: 12,
                source: from.1,
                target: to.1,
                pinned: false,
                non_blocking: false,
                micros: 2.5,
                why: Why::To,
            });
        }

        /// Blocks of the host and of an accelerator are taken, copied into each other, named and given back in random
        /// order.
        fn run(mut self, steps: usize) -> Vec<Event> {
            let cuda = Device::cuda(0);
            let mut next = 1;
            let mut segments: Vec<u64> = vec![1];
            self.segment(1, true);
            // Storage, device, segment, offset in the segment.
            let mut live: Vec<(StorageId, Device, u64, usize)> = Vec::new();
            for step in 0..steps {
                match self.random(10) {
                    0..=2 => {
                        let device = if self.random(3) == 0 { Device::CPU } else { cuda };
                        let segment =
                            if device.is_cpu() { 0 } else { segments[self.random(segments.len() as u64) as usize] };
                        let taken =
                            |slot: &usize| !live.iter().any(|l| l.1 == device && l.2 == segment && l.3 == *slot);
                        let Some(slot) = (0..2048).find(|slot| device.is_cpu() || taken(slot)) else { continue };
                        self.alloc(device, next, segment, if device.is_cpu() { 0 } else { slot * 512 });
                        live.push((next, device, segment, slot));
                        next += 1;
                    }
                    3..=5 if !live.is_empty() => {
                        let at = self.random(live.len() as u64) as usize;
                        let (storage, device, ..) = live.swap_remove(at);
                        self.free(device, storage);
                    }
                    6 if live.len() > 1 => {
                        let (a, b) = (self.random(live.len() as u64) as usize, self.random(live.len() as u64) as usize);
                        let source = if self.random(4) == 0 { (Device::CPU, 0) } else { (live[a].1, live[a].0) };
                        self.copy(source, (live[b].1, live[b].0));
                    }
                    7 if !live.is_empty() => {
                        let storage = live[self.random(live.len() as u64) as usize].0;
                        self.happen(EventKind::Name { storage, name: format!("x{step}") });
                    }
                    8 => {
                        let emptied = segments.iter().position(|s| !live.iter().any(|l| l.2 == *s));
                        match emptied.filter(|_| segments.len() > 1) {
                            Some(at) => {
                                let segment = segments.swap_remove(at);
                                self.segment(segment, false);
                            }
                            None => {
                                let segment = step as u64 + 2;
                                segments.push(segment);
                                self.segment(segment, true);
                            }
                        }
                    }
                    _ => {
                        self.happen(EventKind::Kernel { device: cuda, name: "add".into(), bytes: 36, flops: 3 });
                        self.happen(EventKind::Sync { device: cuda, why: Why::Item, micros: 1.5 });
                        self.happen(EventKind::Value { name: "loss".into(), value: step as f64 });
                    }
                }
            }
            self.events
        }
    }

    /// The stream, with every other stretch of this many events shortened.
    fn shortened(events: &[Event], stretch: usize) -> Vec<Event> {
        let mut out = Vec::new();
        for (i, part) in events.chunks(stretch).enumerate() {
            if i % 2 == 0 {
                out.extend_from_slice(part);
                continue;
            }
            let mut shortener = Shortener::default();
            part.iter().for_each(|event| shortener.add(event.clone()));
            out.extend(shortener.take());
            assert!(shortener.is_empty());
        }
        out
    }

    #[test]
    fn a_shortened_stream_rebuilds_the_same_memory_and_the_same_cost() {
        let events = Program::new().run(20_000);
        let whole = replay(&events).unwrap();
        let cost = summarize(&events);
        for stretch in [1, 2, 7, 100, 5_000, events.len().div_ceil(2)] {
            let told = shortened(&events, stretch);
            let rebuilt = replay(&told).unwrap_or_else(|e| panic!("stretches of {stretch}: {e}"));
            assert_eq!(rebuilt.live, whole.live, "stretches of {stretch}");
            for (device, memory) in &whole.devices {
                let (was, is) = (memory, &rebuilt.devices[device]);
                assert_eq!((is.allocated, is.reserved, &is.segments), (was.allocated, was.reserved, &was.segments));
                assert_eq!((is.peak_allocated, is.peak_reserved), (was.peak_allocated, was.peak_reserved), "{device}");
            }
            let mut summed = summarize(&told);
            // Links and kernels are listed in the order of first use, and the first use may have been dropped.
            summed.links.sort_by_key(|l| (l.from, l.to));
            let mut expected = cost.clone();
            expected.links.sort_by_key(|l| (l.from, l.to));
            assert_eq!(summed, expected, "stretches of {stretch}");
            let left_out: u64 =
                told.iter().map(|e| if let EventKind::Shortened { events, .. } = e.kind { events } else { 0 }).sum();
            let marks = told.iter().filter(|e| matches!(e.kind, EventKind::Shortened { .. })).count();
            assert_eq!(told.len() - marks + left_out as usize, events.len());
        }
    }

    #[test]
    fn a_training_loop_is_told_in_a_few_events_however_long_it_is() {
        let cuda = Device::cuda(0);
        let mut program = Program::new();
        program.segment(1, true);
        program.alloc(cuda, 1, 1, 0);
        for step in 0..50_000 {
            program.alloc(cuda, 2 + step, 1, 512);
            program.copy((cuda, 2 + step), (cuda, 1));
            program.happen(EventKind::Name { storage: 2 + step, name: "loss".into() });
            program.happen(EventKind::Value { name: "loss".into(), value: step as f64 });
            program.free(cuda, 2 + step);
        }
        let mut shortener = Shortener::default();
        program.events.iter().for_each(|event| shortener.add(event.clone()));
        assert!(shortener.kept.len() <= 2 * shortener.live + HOLES, "{} of {}", shortener.kept.len(), shortener.live);
        assert!(shortener.readers.len() < 2 * HOLES);
        let told = shortener.take();
        // The segment, the block, the latest copy and value, and the mark.
        assert_eq!(told.len(), 5, "{told:?}");
        assert_eq!(replay(&told).unwrap().memory(cuda), (512, 1 << 20));
        assert_eq!(summarize(&told), summarize(&program.events));
    }

    #[test]
    fn what_is_taken_whole_says_nothing_of_being_shortened() {
        let mut shortener = Shortener::default();
        assert!(shortener.take().is_empty());
        let trace = Trace::default();
        trace.set_on(true);
        trace.emit(|| EventKind::Selected { places: vec![1] });
        let events = trace.drain();
        events.iter().for_each(|event| shortener.add(event.clone()));
        assert_eq!(shortener.take(), events);
    }
}
