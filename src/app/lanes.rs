//! A run as lanes: one for each device and one for each link, from the first event to the last.
//!
//! The lanes are measured in events, not in time: a browser's clock has steps of 100 µs, and a copy of one byte deserves as
//! much room as a copy of a gigabyte. When there are more events than columns, each column stands for several events.

use super::yards::block_length;
use crate::device::Device;
use crate::protocol::{Event, EventKind};
use crate::trace::summary::{Cost, Crossing};

/// What one lane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Device(Device),
    /// A link joins two devices. Copies from the first to the second count as forward.
    Link(Device, Device),
}

/// What happened to a lane in one column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    /// Allocated bytes: the largest value within the column.
    pub allocated: u64,
    pub kernels: u64,
    /// How often the host waited for the device.
    pub waits: u64,
    pub errors: u64,
    /// Bytes and number of copies along the link's direction, and against it.
    pub forward: (u64, u64),
    pub back: (u64, u64),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lane {
    pub kind: Kind,
    pub cells: Vec<Cell>,
    /// Most bytes allocated in any column.
    pub most: u64,
}

/// Every lane of a machine. A device or a link that is not listed gets its lane when it is first used.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lanes {
    pub lanes: Vec<Lane>,
    /// Columns of each lane.
    pub columns: usize,
    pub events: usize,
}

/// Sorts events into at most `limit` columns.
pub(crate) fn lanes<'a>(
    accelerators: impl Iterator<Item = Device>,
    events: impl ExactSizeIterator<Item = &'a Event>,
    limit: usize,
) -> Lanes {
    let count = events.len();
    let columns = count.min(limit.max(1));
    let mut out = Lanes { lanes: Vec::new(), columns, events: count };
    out.lane(Kind::Device(Device::CPU));
    for device in accelerators {
        out.lane(Kind::Link(Device::CPU, device));
        out.lane(Kind::Device(device));
    }
    for (i, event) in events.enumerate() {
        out.take(event, i * columns / count.max(1));
    }
    for lane in &mut out.lanes {
        lane.level();
    }
    out
}

impl Lanes {
    fn take(&mut self, event: &Event, column: usize) {
        let Cost { launches, waits, crossing } = event.kind.cost();
        if let Some((device, launches)) = launches {
            // A CUDA graph is one launch of many kernels, and the lane shows those kernels.
            let kernels = if let EventKind::Graph { kernels, .. } = event.kind { kernels as u64 } else { launches };
            self.cell(Kind::Device(device), column).kernels += kernels;
        }
        if let Some((device, waits)) = waits {
            self.cell(Kind::Device(device), column).waits += waits;
        }
        if let Some(Crossing { from, to, copies, bytes, .. }) = crossing {
            self.crossed(from, to, bytes, copies, column);
        }
        match &event.kind {
            EventKind::Alloc { device, allocated, .. } | EventKind::Free { device, allocated, .. } => {
                let cell = self.cell(Kind::Device(*device), column);
                // Until `level` has run, zero means "unchanged". So the sum is stored plus one.
                cell.allocated = cell.allocated.max(allocated.saturating_add(1));
            }
            EventKind::Error { .. } => self.cell(Kind::Device(Device::CPU), column).errors += 1,
            EventKind::Shortened { summary, .. } => {
                for row in &summary.devices {
                    let cell = self.cell(Kind::Device(row.device), column);
                    cell.kernels += row.launches;
                    cell.waits += row.synchronisations;
                    if row.peak_allocated > 0 {
                        cell.allocated = cell.allocated.max(row.peak_allocated.saturating_add(1));
                    }
                }
                for link in &summary.links {
                    self.crossed(link.from, link.to, link.bytes, link.copies, column);
                }
            }
            _ => {}
        }
    }

    fn crossed(&mut self, from: Device, to: Device, bytes: u64, copies: u64, column: usize) {
        let forward = self.lanes.iter().any(|l| l.kind == Kind::Link(from, to));
        let known = forward || self.lanes.iter().any(|l| l.kind == Kind::Link(to, from));
        let forward = forward || !known;
        let kind = if forward { Kind::Link(from, to) } else { Kind::Link(to, from) };
        let cell = self.cell(kind, column);
        let way = if forward { &mut cell.forward } else { &mut cell.back };
        way.0 = way.0.saturating_add(bytes);
        way.1 += copies;
    }

    fn lane(&mut self, kind: Kind) -> &mut Lane {
        let at = self.lanes.iter().position(|l| l.kind == kind).unwrap_or_else(|| {
            self.lanes.push(Lane { kind, cells: vec![Cell::default(); self.columns], most: 0 });
            self.lanes.len() - 1
        });
        &mut self.lanes[at]
    }

    fn cell(&mut self, kind: Kind, column: usize) -> &mut Cell {
        &mut self.lane(kind).cells[column]
    }
}

/// The drawing of a lane in a box that is as wide as its columns and 100 high. Each field is one SVG path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Drawing {
    /// Allocated bytes, as an area.
    pub memory: String,
    pub kernels: String,
    pub waits: String,
    pub errors: String,
    pub forward: String,
    pub back: String,
}

impl Lane {
    /// Fills in the columns in which nothing was allocated or freed: the sum doesn't change there.
    fn level(&mut self) {
        let mut now = 0;
        for cell in &mut self.cells {
            if cell.allocated > 0 {
                now = cell.allocated - 1;
            }
            cell.allocated = now;
        }
        self.most = self.cells.iter().map(|c| c.allocated).max().unwrap_or(0);
    }

    pub(crate) fn draw(&self) -> Drawing {
        use std::fmt::Write;
        let mut out = Drawing::default();
        if self.most > 0 {
            out.memory.push_str("M0 100");
            let mut last = f64::NAN;
            for (x, cell) in self.cells.iter().enumerate() {
                let y = 100.0 - 92.0 * cell.allocated as f64 / self.most as f64;
                if y != last {
                    let _ = write!(out.memory, "L{x} {:.1}", if last.is_nan() { y } else { last });
                    let _ = write!(out.memory, "V{y:.1}");
                    last = y;
                }
            }
            let _ = write!(out.memory, "H{}V100Z", self.cells.len());
        }
        for (x, cell) in self.cells.iter().enumerate() {
            let bar = |path: &mut String, from: f64, height: f64| {
                let _ = write!(path, "M{:.2} {from:.1}h.8v{height:.1}h-.8z", x as f64 + 0.1);
            };
            if cell.kernels > 0 {
                bar(&mut out.kernels, 100.0, -(12.0 + 6.0 * (cell.kernels as f64).log2()).min(40.0));
            }
            if cell.waits > 0 {
                bar(&mut out.waits, 0.0, 26.0);
            }
            if cell.errors > 0 {
                bar(&mut out.errors, 0.0, 100.0);
            }
            let height = |bytes: u64| 12.0 + 36.0 * block_length(bytes);
            if cell.forward.1 > 0 {
                bar(&mut out.forward, 49.0, -height(cell.forward.0));
            }
            if cell.back.1 > 0 {
                bar(&mut out.back, 51.0, height(cell.back.0));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::yards::tests::{alloc, event, transfer};
    use super::*;

    fn both() -> impl Iterator<Item = Device> {
        [Device::cuda(0), Device::cuda(1)].into_iter()
    }

    fn of(kinds: Vec<EventKind>, limit: usize) -> Lanes {
        let events: Vec<Event> = kinds.into_iter().enumerate().map(|(i, k)| event(i as u64, 1, k)).collect();
        lanes(both(), events.iter(), limit)
    }

    #[test]
    fn every_device_and_link_has_its_lane_before_anything_happens() {
        let kinds: Vec<Kind> = of(Vec::new(), 10).lanes.iter().map(|l| l.kind).collect();
        let (a, b) = (Device::cuda(0), Device::cuda(1));
        let host = Device::CPU;
        let expected = [Kind::Device(host), Kind::Link(host, a), Kind::Device(a), Kind::Link(host, b), Kind::Device(b)];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn copies_go_by_the_direction_of_their_link() {
        let (a, b) = (Device::cuda(0), Device::cuda(1));
        let copy = |from, to, bytes| transfer(from, to, bytes, 1, 2);
        let all = of(vec![copy(Device::CPU, a, 8), copy(a, Device::CPU, 4), copy(b, a, 2), copy(a, b, 1)], 10);
        let cells = |kind| all.lanes.iter().find(|l| l.kind == kind).unwrap().cells.clone();
        assert_eq!(cells(Kind::Link(Device::CPU, a))[0].forward, (8, 1));
        assert_eq!(cells(Kind::Link(Device::CPU, a))[1].back, (4, 1));
        assert_eq!(cells(Kind::Link(b, a))[2].forward, (2, 1));
        assert_eq!(cells(Kind::Link(b, a))[3].back, (1, 1));
    }

    #[test]
    fn many_events_share_columns_and_none_is_lost() {
        let a = Device::cuda(0);
        let kernel = || EventKind::Kernel { device: a, name: "add".into(), bytes: 0, flops: 0 };
        let all = of((0..10_000).map(|_| kernel()).collect(), 300);
        let lane = all.lanes.iter().find(|l| l.kind == Kind::Device(a)).unwrap();
        assert_eq!(lane.cells.len(), 300);
        assert_eq!(lane.cells.iter().map(|c| c.kernels).sum::<u64>(), 10_000);
    }

    #[test]
    fn memory_stays_until_it_changes_and_a_free_to_zero_counts() {
        let a = Device::cuda(0);
        let kernel = EventKind::Kernel { device: a, name: "add".into(), bytes: 0, flops: 0 };
        let free = EventKind::Free { device: a, storage: 1, bytes: 512, allocated: 0 };
        let all = of(vec![kernel.clone(), alloc(a, 1, 512, 512), kernel.clone(), free, kernel], 10);
        let lane = all.lanes.iter().find(|l| l.kind == Kind::Device(a)).unwrap();
        assert_eq!(lane.cells.iter().map(|c| c.allocated).collect::<Vec<_>>(), [0, 512, 512, 0, 0]);
        assert_eq!(lane.most, 512);
        assert_eq!(lane.draw().memory, "M0 100L0 100.0V100.0L1 100.0V8.0L3 8.0V100.0H5V100Z");
    }
}
