//! A run's events with a playhead: which events were received, and up to which one the yards have been drawn.
//!
//! A short program ends before anyone could see what it did. So the playhead moves slowly enough to show each copy, and moves
//! faster when many events are waiting. [`Timeline::seek`] moves it back and forward.

use std::collections::{BTreeMap, VecDeque};

use super::yards::{Transfer, Yards};
use crate::device::Device;
use crate::machine::Machine;
use crate::protocol::{Event, EventKind, StorageId};

/// The number of events that are kept. The effect of older ones is folded into the first stored yards.
const KEPT: usize = 200_000;
/// The least number of events between two stored yards. A seek replays about this many.
const STRIDE: usize = 2_048;
/// The most tensors in all stored yards together. If there would be more, the yards are stored further apart.
const HELD: usize = 400_000;
/// Waiting events are shown within this many milliseconds.
const CATCH_UP: f64 = 1_800.0;

pub(crate) struct Timeline {
    events: VecDeque<Event>,
    /// The moments that a seek can start from. The first one is before the first kept event.
    stored: VecDeque<Stored>,
    /// The number of events between two of them.
    apart: usize,
    held: usize,
    head: usize,
    now: Yards,
    names: BTreeMap<StorageId, String>,
    /// Milliseconds of playback that are still to be shown.
    waiting: f64,
    /// Milliseconds of playback per millisecond of the clock.
    speed: f64,
    /// Milliseconds that the playhead was given and hasn't used yet.
    credit: f64,
    folded: usize,
    /// Whether the events say where each line begins.
    by_line: bool,
    /// The machine's accelerators; once the program has selected some of them as its CUDA devices, how many it sees.
    accelerators: Vec<Device>,
    selected: Option<usize>,
}

/// The yards before an event.
struct Stored {
    at: usize,
    yards: Yards,
}

impl Stored {
    fn tensors(&self) -> usize {
        self.yards.yards.iter().map(|yard| yard.tensors.len()).sum()
    }
}

impl Timeline {
    pub(crate) fn new(machine: &Machine) -> Timeline {
        let now = Yards::new(machine);
        Timeline {
            events: VecDeque::new(),
            stored: VecDeque::from([Stored { at: 0, yards: now.clone() }]),
            apart: STRIDE,
            held: HELD,
            head: 0,
            now,
            names: BTreeMap::new(),
            waiting: 0.0,
            speed: 1.0,
            credit: 0.0,
            folded: 0,
            by_line: false,
            accelerators: machine.accelerators().into_iter().map(|(device, _)| device).collect(),
            selected: None,
        }
    }

    /// The accelerators that the program sees: all of the machine's, until the program selects some.
    pub(crate) fn accelerators(&self) -> impl Iterator<Item = Device> + '_ {
        let hidden = move |device: &Device| {
            device.is_cuda() && self.selected.zip(device.index).is_some_and(|(count, index)| index as usize >= count)
        };
        self.accelerators.iter().copied().filter(move |device| !hidden(device))
    }

    /// Adds a batch of events as it arrives.
    pub(crate) fn push(&mut self, batch: Vec<Event>) {
        for event in batch {
            if let EventKind::Name { storage, name } = &event.kind
                && !name.is_empty()
            {
                self.names.insert(*storage, name.clone());
            }
            self.by_line |= matches!(event.kind, EventKind::Line { .. });
            if let EventKind::Selected { places } = &event.kind {
                self.selected = Some(places.len());
            }
            self.waiting += pause(&event);
            self.events.push_back(event);
        }
        self.speed = self.speed.max(self.waiting / CATCH_UP);
        while self.events.len() > KEPT {
            self.fold();
        }
    }

    /// Drops the oldest events, after applying them to the first stored yards.
    fn fold(&mut self) {
        while self.head < STRIDE {
            self.step();
        }
        let next_is_there = self.stored.get(1).is_some_and(|next| next.at == STRIDE);
        if next_is_there {
            self.stored.pop_front();
        }
        for event in self.events.drain(..STRIDE) {
            if !next_is_there && let Some(first) = self.stored.front_mut() {
                first.yards.apply(&event);
            }
            // The storage is gone in the first stored yards, so no moment that can still be shown needs its name.
            if let EventKind::Free { storage, .. } = event.kind {
                self.names.remove(&storage);
            }
        }
        self.stored.iter_mut().for_each(|stored| stored.at = stored.at.saturating_sub(STRIDE));
        self.head -= STRIDE;
        self.folded += STRIDE;
    }

    /// Lets `millis` milliseconds of the clock pass. Returns the copies that became visible.
    pub(crate) fn advance(&mut self, millis: f64) -> Vec<Transfer> {
        self.credit += millis * self.speed;
        let mut copies = Vec::new();
        while let Some(event) = self.events.get(self.head) {
            let pause = pause(event);
            if pause > self.credit {
                return copies;
            }
            self.credit -= pause;
            self.waiting -= pause;
            copies.extend(self.step());
        }
        // The playhead has caught up: the next batch starts at the normal speed, with no saved time.
        (self.credit, self.waiting, self.speed) = (0.0, 0.0, 1.0);
        copies
    }

    /// Shows everything at once.
    pub(crate) fn finish(&mut self) -> Vec<Transfer> {
        self.advance(f64::INFINITY)
    }

    /// Moves the playhead to just before event `at` (counted from the first kept one).
    pub(crate) fn seek(&mut self, at: usize) {
        let at = at.min(self.events.len());
        let nearest = self.stored.partition_point(|stored| stored.at <= at).checked_sub(1);
        if let Some(nearest) = nearest.and_then(|i| self.stored.get(i))
            && (at < self.head || nearest.at > self.head)
        {
            self.now = nearest.yards.clone();
            self.head = nearest.at;
        }
        while self.head < at {
            self.step();
        }
        self.waiting = self.events.range(self.head..).map(pause).sum();
        self.speed = (self.waiting / CATCH_UP).max(1.0);
        self.credit = 0.0;
    }

    fn step(&mut self) -> Option<Transfer> {
        let event = self.events.get(self.head)?;
        self.now.apply(event);
        let copied = matches!(event.kind, EventKind::Transfer { .. });
        self.head += 1;
        if (self.folded + self.head).is_multiple_of(self.apart) && self.stored.back().is_none_or(|s| s.at < self.head) {
            self.stored.push_back(Stored { at: self.head, yards: self.now.clone() });
            while self.stored.len() > 1 && self.stored.iter().map(Stored::tensors).sum::<usize>() > self.held {
                self.apart *= 2;
                let (apart, folded) = (self.apart, self.folded);
                self.stored.retain(|s| s.at == 0 || (folded + s.at).is_multiple_of(apart));
            }
        }
        if copied { self.now.recent.back().cloned().map(|copy| self.named(copy)) } else { None }
    }

    /// Gives the copy the name that its source gets later, if it has none yet: `x` is only bound once the call returns.
    pub(crate) fn named(&self, mut copy: Transfer) -> Transfer {
        copy.name = copy.name.or_else(|| self.names.get(&copy.source).cloned());
        copy
    }

    pub(crate) fn now(&self) -> &Yards {
        &self.now
    }

    /// Every variable name that any received event gives to a storage.
    pub(crate) fn names(&self) -> &BTreeMap<StorageId, String> {
        &self.names
    }

    /// The kept events, oldest first.
    pub(crate) fn events(&self) -> impl ExactSizeIterator<Item = &Event> + Clone {
        self.events.iter()
    }

    /// The latest event that is shown.
    pub(crate) fn latest(&self) -> Option<&Event> {
        self.events.get(self.head.checked_sub(1)?)
    }

    /// The position of the playhead after the next line has run.
    pub(crate) fn next_line(&self) -> usize {
        (self.head + 1..self.events.len()).find(|at| self.begins_line(*at)).unwrap_or(self.events.len())
    }

    /// The position of the playhead before the latest line ran.
    pub(crate) fn previous_line(&self) -> usize {
        (1..self.head).rev().find(|at| self.begins_line(*at)).unwrap_or(0)
    }

    /// Whether this event is the first one of another line of the program.
    fn begins_line(&self, at: usize) -> bool {
        if self.by_line {
            return matches!(self.events.get(at), Some(Event { kind: EventKind::Line { .. }, .. }));
        }
        let Some(line) = self.events.get(at).map(|e| e.line).filter(|line| *line > 0) else { return false };
        let before = self.events.range(..at).rev().map(|e| e.line).find(|line| *line > 0);
        before != Some(line)
    }

    /// Index of the next event to show.
    pub(crate) fn head(&self) -> usize {
        self.head
    }

    /// Number of kept events.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.head == self.events.len()
    }

    /// Number of events too old to go back to.
    pub(crate) fn folded(&self) -> usize {
        self.folded
    }
}

/// How many milliseconds an event is shown as the latest one: long for a copy, which is worth watching, short for a
/// kernel.
fn pause(event: &Event) -> f64 {
    match event.kind {
        EventKind::Transfer { .. } => 260.0,
        EventKind::Alloc { .. } | EventKind::Free { .. } => 40.0,
        EventKind::Value { .. } => 10.0,
        EventKind::Kernel { .. } | EventKind::Sync { .. } => 4.0,
        EventKind::Graph { .. } | EventKind::Shortened { .. } => 40.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::yards::tests::{alloc, event, transfer};
    use super::*;

    fn machine() -> Machine {
        Machine::preset("cuda:1").unwrap()
    }

    /// A long run: tensors are made, copied and freed.
    fn program(n: u64) -> Vec<Event> {
        let cuda = Device::cuda(0);
        (0..n)
            .map(|i| {
                let storage = i / 4 % 64 + 1;
                let kind = match i % 4 {
                    0 => alloc(Device::CPU, 2 * storage, 256, 256),
                    1 => alloc(cuda, 2 * storage + 1, 512, 512),
                    2 => transfer(Device::CPU, cuda, 256, 2 * storage, 2 * storage + 1),
                    _ if storage % 3 == 0 => alloc(cuda, 1_000_000 + storage, 512, 1024),
                    _ => EventKind::Free { device: cuda, storage: 2 * storage + 1, bytes: 512, allocated: 0 },
                };
                event(i, (i % 7) as u32, kind)
            })
            .collect()
    }

    fn folded(events: &[Event]) -> Yards {
        let mut yards = Yards::new(&machine());
        events.iter().for_each(|e| yards.apply(e));
        yards
    }

    #[test]
    fn accelerators_are_those_that_the_program_chose() {
        let mut timeline = Timeline::new(&Machine::preset("cuda:4").unwrap());
        let all: Vec<Device> = (0..4).map(Device::cuda).collect();
        assert_eq!(timeline.accelerators().collect::<Vec<_>>(), all);
        timeline.push(vec![event(0, 1, EventKind::Selected { places: vec![3, 1] })]);
        assert_eq!(timeline.accelerators().collect::<Vec<_>>(), all[..2]);
    }

    #[test]
    fn seeking_gives_what_feeding_forward_gives() {
        let events = program(9_000);
        let mut timeline = Timeline::new(&machine());
        timeline.push(events.clone());
        timeline.finish();
        for at in [9_000, 0, 1, 2_047, 2_048, 2_049, 8_999, 4_096, 5_000, 4_999] {
            timeline.seek(at);
            assert_eq!(timeline.now(), &folded(&events[..at]), "at {at}");
            assert_eq!(timeline.head(), at);
        }
    }

    #[test]
    fn seeking_ahead_of_what_was_shown_works_too() {
        let events = program(9_000);
        let mut timeline = Timeline::new(&machine());
        timeline.push(events.clone());
        timeline.seek(7_000);
        assert_eq!(timeline.now(), &folded(&events[..7_000]));
    }

    #[test]
    fn a_short_run_takes_its_time_and_a_long_one_hurries() {
        let mut short = Timeline::new(&machine());
        short.push(program(4));
        assert!(short.advance(16.0).is_empty());
        assert_eq!(short.head(), 0);
        assert_eq!(short.advance(400.0).len(), 1);
        assert!(short.is_at_end());

        let mut long = Timeline::new(&machine());
        long.push(program(8_000));
        let frames = (1..1_000).find(|_| {
            long.advance(16.0);
            long.is_at_end()
        });
        assert!((100..120).contains(&frames.unwrap()), "{frames:?}");
    }

    #[test]
    fn lines_are_walked_forward_and_back() {
        let cuda = Device::cuda(0);
        let lines = [0, 1, 1, 0, 2, 3, 3, 2];
        let events = lines.iter().enumerate().map(|(i, line)| event(i as u64, *line, alloc(cuda, i as u64, 4, 4)));
        let mut timeline = Timeline::new(&machine());
        timeline.push(events.collect());
        let mut stops = Vec::new();
        while !timeline.is_at_end() {
            timeline.seek(timeline.next_line());
            stops.push(timeline.head());
        }
        assert_eq!(stops, [1, 4, 5, 7, 8]);
        let mut back = Vec::new();
        while timeline.head() > 0 {
            timeline.seek(timeline.previous_line());
            back.push(timeline.head());
        }
        assert_eq!(back, [7, 5, 4, 1, 0]);
    }

    /// Stepping by lines used to skip every other line, because the next line reports a variable's name.
    #[test]
    fn a_run_by_lines_is_at_each_of_them() {
        let line = |number| (number, EventKind::Line { number });
        let name = |line, storage| (line, EventKind::Name { storage, name: format!("x{storage}") });
        let kinds = [line(1), line(2), name(3, 1), line(3), name(4, 2), line(4)];
        let mut timeline = Timeline::new(&machine());
        timeline.push((0..).zip(kinds).map(|(seq, (line, kind))| event(seq, line, kind)).collect());
        timeline.seek(0);
        let mut walked = Vec::new();
        while !timeline.is_at_end() {
            timeline.seek(timeline.next_line());
            walked.push(timeline.now().line);
        }
        assert_eq!(walked, [1, 2, 3, 4]);
    }

    #[test]
    fn an_endless_run_keeps_a_bounded_number_of_events() {
        let mut timeline = Timeline::new(&machine());
        let events = program(KEPT as u64 + 10_000);
        for batch in events.chunks(1_000) {
            timeline.push(batch.to_vec());
        }
        timeline.finish();
        assert!(timeline.len() <= KEPT);
        assert_eq!(timeline.folded() + timeline.len(), events.len());
        assert_eq!(timeline.now(), &folded(&events));
        timeline.seek(10);
        assert_eq!(timeline.now(), &folded(&events[..timeline.folded() + 10]));
    }

    /// Each stored moment holds every tensor that is alive then. A program that keeps all its tensors used to fill the
    /// page's memory.
    #[test]
    fn a_program_that_keeps_every_tensor_is_stored_at_fewer_moments() {
        let kept: u64 = 9_000;
        let mut events: Vec<Event> =
            (0..kept).map(|i| event(i, 1, alloc(Device::CPU, i + 1, 4, 4 * (i + 1)))).collect();
        let mut timeline = Timeline::new(&machine());
        timeline.held = 18_000;
        timeline.push(events.clone());
        timeline.finish();
        let held: usize = timeline.stored.iter().map(|s| s.yards.yards[0].tensors.len()).sum();
        assert!(held <= timeline.held && timeline.stored.len() > 2, "{held} in {}", timeline.stored.len());
        for at in [10, 8_999, 3_000, 2_048] {
            timeline.seek(at);
            assert_eq!(timeline.now(), &folded(&events[..at]), "at {at}");
        }
        timeline.finish();
        let kernel = || EventKind::Kernel { device: Device::CPU, name: "add".into(), bytes: 0, flops: 0 };
        events.extend((kept..KEPT as u64 + 10_000).map(|i| event(i, 2, kernel())));
        timeline.push(events[kept as usize..].to_vec());
        timeline.seek(5);
        assert_eq!(timeline.folded(), 5 * STRIDE);
        assert_eq!(timeline.now(), &folded(&events[..5 * STRIDE + 5]));
    }
}
