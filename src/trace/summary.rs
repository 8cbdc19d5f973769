//! The cost of a run, computed from its events: the score, and a table row for each device, link and kernel.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Event, EventKind, Look, StorageId, Why};
use crate::device::Device;

/// The cost of a run, in the numbers that lessons check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Bytes copied from host to device.
    pub h2d_bytes: u64,
    /// Bytes copied from device to host.
    pub d2h_bytes: u64,
    /// Bytes copied from device to device.
    pub d2d_bytes: u64,
    pub copies: u64,
    /// How often the host waited for a device.
    pub synchronisations: u64,
    /// Kernels launched on accelerators; a graph counts as one.
    pub launches: u64,
    /// The most bytes allocated at one time on one accelerator.
    pub peak_bytes: u64,
}

/// What of a score happened only because the learner looked: printed, formatted, asserted, plotted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looking {
    pub copies: u64,
    pub bytes: u64,
    pub synchronisations: u64,
    pub kernels: u64,
    /// Where, in the order of first use. The first [`LINES`] are kept.
    pub lines: Vec<LookedLine>,
}

/// A line that looked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookedLine {
    pub line: u32,
    pub look: Look,
    pub copies: u64,
    pub synchronisations: u64,
    pub kernels: u64,
    /// The most bytes that it held on one accelerator.
    pub bytes_held: u64,
}

/// No message names more lines than this.
const LINES: usize = 64;

/// The score and the tables behind it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub score: Score,
    /// In the order of the devices' names: the host, then the accelerators.
    pub devices: Vec<DeviceRow>,
    /// In the order of first use.
    pub links: Vec<LinkRow>,
    /// In the order of first launch.
    pub kernels: Vec<KernelRow>,
    #[serde(default)]
    pub looking: Looking,
    /// The sizes of the blocks that are there only because the learner looks.
    #[serde(skip)]
    shown: HashMap<StorageId, u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceRow {
    pub device: Device,
    /// Bytes allocated at the end.
    pub allocated: u64,
    pub reserved: u64,
    pub peak_allocated: u64,
    pub peak_reserved: u64,
    /// As `peak_allocated`, without the blocks that are there only because the learner looks. Of a shortened stream it may be
    /// too high, because the order of these blocks and others is lost.
    #[serde(default)]
    pub peak_unlooked: u64,
    /// The bytes of those blocks now.
    #[serde(skip)]
    shown: u64,
    pub allocations: u64,
    pub frees: u64,
    pub launches: u64,
    /// Those of them that only looking caused.
    #[serde(default)]
    pub launches_looked: u64,
    pub synchronisations: u64,
    /// Microseconds that the host waited for it.
    pub waited: f64,
}

/// Copies in one direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkRow {
    pub from: Device,
    pub to: Device,
    pub copies: u64,
    pub bytes: u64,
    /// Copies that didn't make the host wait: `non_blocking`, from or to pinned memory.
    #[serde(default)]
    pub asynchronous: u64,
    /// Copies that were made only because the learner looked, and their bytes.
    #[serde(default)]
    pub looked: u64,
    #[serde(default)]
    pub bytes_looked: u64,
    /// Measured microseconds.
    pub micros: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelRow {
    pub device: Device,
    pub name: String,
    pub launches: u64,
    /// Bytes read and written.
    pub bytes: u64,
    pub flops: u64,
}

/// What an event adds to the totals. Everything that counts uses this. Most events add nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Kernels launched on a device; a graph counts as one.
    pub launches: Option<(Device, u64)>,
    /// How often the host waited for a device.
    pub waits: Option<(Device, u64)>,
    pub crossing: Option<Crossing>,
}

/// Copies from one device to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub from: Device,
    pub to: Device,
    pub copies: u64,
    pub bytes: u64,
    /// See [`LinkRow::asynchronous`].
    pub asynchronous: u64,
}

impl EventKind {
    pub fn cost(&self) -> Cost {
        match self {
            // For a line that prints, the event after these says what PyTorch does.
            EventKind::Transfer { why: Why::Print, .. } | EventKind::Sync { why: Why::Print, .. } => Cost::default(),
            EventKind::Print { device, kernels, copies, bytes, .. } => Cost {
                launches: (*kernels > 0).then_some((*device, *kernels as u64)),
                waits: Some((*device, *copies as u64)),
                crossing: Some(Crossing {
                    from: *device,
                    to: Device::CPU,
                    copies: *copies as u64,
                    bytes: *bytes as u64,
                    asynchronous: 0,
                }),
            },
            EventKind::Transfer { from, to, bytes, pinned, non_blocking, .. } => {
                let asynchronous = u64::from(*pinned && *non_blocking);
                let crossing = Crossing { from: *from, to: *to, copies: 1, bytes: *bytes as u64, asynchronous };
                Cost { crossing: Some(crossing), ..Cost::default() }
            }
            EventKind::Kernel { device, .. } | EventKind::Graph { device, automatic: false, .. } => {
                Cost { launches: Some((*device, 1)), ..Cost::default() }
            }
            EventKind::Sync { device, .. } => Cost { waits: Some((*device, 1)), ..Cost::default() },
            _ => Cost::default(),
        }
    }
}

/// Summarises a whole run.
pub fn summarize(events: &[Event]) -> Summary {
    let mut summary = Summary::default();
    events.iter().for_each(|e| summary.add(e));
    summary
}

impl Summary {
    /// Adds the next event. Totals stop at the largest number instead of wrapping.
    pub fn add(&mut self, event: &Event) {
        let cost = event.kind.cost();
        self.count(cost);
        if let Some(look) = event.look {
            self.count_look(event.line, look, cost);
        }
        match &event.kind {
            EventKind::SegmentAlloc { device, reserved, .. } | EventKind::SegmentFree { device, reserved, .. } => {
                let row = self.device(*device);
                row.reserved = *reserved;
                row.peak_reserved = row.peak_reserved.max(*reserved);
            }
            EventKind::Alloc { device, storage, bytes, allocated, .. } => {
                self.took(event, *storage, *device, *bytes as u64, *allocated);
                let row = self.device(*device);
                row.allocations += 1;
                row.allocated = *allocated;
            }
            EventKind::Free { device, storage, allocated, .. } => {
                self.freed(*storage, *device);
                let row = self.device(*device);
                row.frees += 1;
                row.allocated = *allocated;
            }
            EventKind::Transfer { from, to, micros, .. } => self.link(*from, *to).micros += micros,
            EventKind::Sync { device, micros, .. } => self.device(*device).waited += micros,
            EventKind::Print { device, kernels, repeated, .. } => {
                let row = self.device(*device);
                row.allocations += *repeated as u64;
                row.frees += *repeated as u64;
                if *kernels > 0 {
                    self.kernel(*device, "print").launches += *kernels as u64;
                }
            }
            EventKind::Kernel { device, name, bytes, flops } => {
                let row = self.kernel(*device, name);
                row.launches += 1;
                row.bytes = row.bytes.saturating_add(*bytes as u64);
                row.flops = row.flops.saturating_add(*flops);
            }
            EventKind::Graph { device, kernels, bytes, flops, automatic } => {
                let row = self.kernel(*device, &graph_name(*kernels, *automatic));
                row.launches += 1;
                row.bytes = row.bytes.saturating_add(*bytes as u64);
                row.flops = row.flops.saturating_add(*flops);
            }
            EventKind::Shortened { summary, .. } => self.merge(summary),
            EventKind::Name { .. }
            | EventKind::Value { .. }
            | EventKind::Selected { .. }
            | EventKind::Line { .. }
            | EventKind::Error { .. } => {}
        }
    }

    /// Of the score, what isn't there only because the learner looked.
    pub fn unlooked(&self) -> Score {
        let (score, looking) = (&self.score, &self.looking);
        let accelerators = self.devices.iter().filter(|row| is_accelerator(row.device));
        Score {
            copies: score.copies.saturating_sub(looking.copies),
            synchronisations: score.synchronisations.saturating_sub(looking.synchronisations),
            launches: score.launches.saturating_sub(looking.kernels),
            peak_bytes: accelerators.map(|row| row.peak_unlooked).max().unwrap_or(0),
            ..score.clone()
        }
    }

    fn count(&mut self, Cost { launches, waits, crossing }: Cost) {
        if let Some((device, launches)) = launches {
            self.device(device).launches += launches;
            if !device.is_cpu() {
                self.score.launches += launches;
            }
        }
        if let Some((device, waits)) = waits {
            self.device(device).synchronisations += waits;
            self.score.synchronisations += waits;
        }
        if let Some(Crossing { from, to, copies, bytes, asynchronous }) = crossing {
            let total = match (from.is_cpu(), to.is_cpu()) {
                (true, _) => &mut self.score.h2d_bytes,
                (_, true) => &mut self.score.d2h_bytes,
                _ => &mut self.score.d2d_bytes,
            };
            *total = total.saturating_add(bytes);
            self.score.copies += copies;
            let link = self.link(from, to);
            link.copies += copies;
            link.bytes = link.bytes.saturating_add(bytes);
            link.asynchronous += asynchronous;
        }
    }

    /// Notes that a block was taken: the peaks, and whose it is.
    fn took(&mut self, event: &Event, storage: StorageId, device: Device, bytes: u64, allocated: u64) {
        if event.look.is_some() {
            self.shown.insert(storage, bytes);
            self.device(device).shown += bytes;
        }
        let shown = self.device(device).shown;
        if let Some(look) = event.look.filter(|_| is_accelerator(device))
            && let Some(row) = self.looked_line(event.line, look)
        {
            row.bytes_held = row.bytes_held.max(shown);
        }
        let row = self.device(device);
        row.peak_allocated = row.peak_allocated.max(allocated);
        row.peak_unlooked = row.peak_unlooked.max(allocated.saturating_sub(shown));
        if is_accelerator(device) {
            self.score.peak_bytes = self.score.peak_bytes.max(allocated);
        }
    }

    fn freed(&mut self, storage: StorageId, device: Device) {
        if let Some(bytes) = self.shown.remove(&storage) {
            self.device(device).shown -= bytes;
        }
    }

    fn looked_line(&mut self, line: u32, look: Look) -> Option<&mut LookedLine> {
        let lines = &mut self.looking.lines;
        let at = lines.iter().position(|l| l.line == line && l.look == look).unwrap_or_else(|| {
            if lines.len() < LINES {
                let (copies, synchronisations, kernels, bytes_held) = (0, 0, 0, 0);
                lines.push(LookedLine { line, look, copies, synchronisations, kernels, bytes_held });
                return lines.len() - 1;
            }
            LINES
        });
        lines.get_mut(at)
    }

    fn count_look(&mut self, line: u32, look: Look, Cost { launches, waits, crossing }: Cost) {
        let kernels = launches.filter(|(device, _)| !device.is_cpu()).map_or(0, |(_, launches)| launches);
        if let Some((device, launches)) = launches {
            self.device(device).launches_looked += launches;
        }
        let waits = waits.map_or(0, |(_, waits)| waits);
        let copies = crossing.map_or(0, |crossing| crossing.copies);
        if let Some(Crossing { from, to, copies, bytes, .. }) = crossing {
            self.looking.copies += copies;
            self.looking.bytes = self.looking.bytes.saturating_add(bytes);
            let link = self.link(from, to);
            link.looked += copies;
            link.bytes_looked = link.bytes_looked.saturating_add(bytes);
        }
        self.looking.synchronisations += waits;
        self.looking.kernels += kernels;
        if copies + waits + kernels == 0 {
            return;
        }
        if let Some(row) = self.looked_line(line, look) {
            row.copies += copies;
            row.synchronisations += waits;
            row.kernels += kernels;
        }
    }

    /// Adds the totals of events that weren't sent one by one. Allocated and reserved bytes aren't totals: the events
    /// that change them for good are always sent.
    pub(crate) fn merge(&mut self, other: &Summary) {
        let (score, more) = (&mut self.score, &other.score);
        score.h2d_bytes = score.h2d_bytes.saturating_add(more.h2d_bytes);
        score.d2h_bytes = score.d2h_bytes.saturating_add(more.d2h_bytes);
        score.d2d_bytes = score.d2d_bytes.saturating_add(more.d2d_bytes);
        score.copies += more.copies;
        score.synchronisations += more.synchronisations;
        score.launches += more.launches;
        score.peak_bytes = score.peak_bytes.max(more.peak_bytes);
        let (looking, more) = (&mut self.looking, &other.looking);
        looking.copies += more.copies;
        looking.bytes = looking.bytes.saturating_add(more.bytes);
        looking.synchronisations += more.synchronisations;
        looking.kernels += more.kernels;
        for more in &more.lines {
            if let Some(row) = self.looked_line(more.line, more.look) {
                row.copies += more.copies;
                row.synchronisations += more.synchronisations;
                row.kernels += more.kernels;
                row.bytes_held = row.bytes_held.max(more.bytes_held);
            }
        }
        for more in &other.devices {
            let row = self.device(more.device);
            row.peak_allocated = row.peak_allocated.max(more.peak_allocated);
            row.peak_unlooked = row.peak_unlooked.max(more.peak_unlooked);
            row.peak_reserved = row.peak_reserved.max(more.peak_reserved);
            row.allocations += more.allocations;
            row.frees += more.frees;
            row.launches += more.launches;
            row.launches_looked += more.launches_looked;
            row.synchronisations += more.synchronisations;
            row.waited += more.waited;
        }
        for more in &other.links {
            let link = self.link(more.from, more.to);
            link.copies += more.copies;
            link.bytes = link.bytes.saturating_add(more.bytes);
            link.asynchronous += more.asynchronous;
            link.looked += more.looked;
            link.bytes_looked = link.bytes_looked.saturating_add(more.bytes_looked);
            link.micros += more.micros;
        }
        for more in &other.kernels {
            let row = self.kernel(more.device, &more.name);
            row.launches += more.launches;
            row.bytes = row.bytes.saturating_add(more.bytes);
            row.flops = row.flops.saturating_add(more.flops);
        }
    }

    /// Notes the peaks that an event reached, and counts nothing.
    pub fn reached(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Alloc { device, storage, bytes, allocated, .. } => {
                self.took(event, *storage, *device, *bytes as u64, *allocated);
            }
            EventKind::Free { device, storage, .. } => self.freed(*storage, *device),
            EventKind::SegmentAlloc { device, reserved, .. } => {
                let row = self.device(*device);
                row.peak_reserved = row.peak_reserved.max(*reserved);
            }
            _ => {}
        }
    }

    fn device(&mut self, device: Device) -> &mut DeviceRow {
        let at = self.devices.binary_search_by_key(&device, |row| row.device).unwrap_or_else(|at| {
            let row = DeviceRow {
                device,
                allocated: 0,
                reserved: 0,
                peak_allocated: 0,
                peak_reserved: 0,
                peak_unlooked: 0,
                shown: 0,
                allocations: 0,
                frees: 0,
                launches: 0,
                launches_looked: 0,
                synchronisations: 0,
                waited: 0.0,
            };
            self.devices.insert(at, row);
            at
        });
        &mut self.devices[at]
    }

    fn link(&mut self, from: Device, to: Device) -> &mut LinkRow {
        let at = self.links.iter().position(|l| l.from == from && l.to == to).unwrap_or_else(|| {
            self.links.push(LinkRow {
                from,
                to,
                copies: 0,
                bytes: 0,
                asynchronous: 0,
                looked: 0,
                bytes_looked: 0,
                micros: 0.0,
            });
            self.links.len() - 1
        });
        &mut self.links[at]
    }

    fn kernel(&mut self, device: Device, name: &str) -> &mut KernelRow {
        let at = self.kernels.iter().position(|k| k.device == device && k.name == name).unwrap_or_else(|| {
            self.kernels.push(KernelRow { device, name: name.to_string(), launches: 0, bytes: 0, flops: 0 });
            self.kernels.len() - 1
        });
        &mut self.kernels[at]
    }
}

/// The name that a graph has in the table of kernels.
pub(super) fn graph_name(kernels: usize, automatic: bool) -> String {
    let what = if automatic { "captured step" } else { "graph replay" };
    format!("{what}, {kernels} kernel{}", if kernels == 1 { "" } else { "s" })
}

fn is_accelerator(device: Device) -> bool {
    !device.is_cpu() && !device.is_meta()
}
