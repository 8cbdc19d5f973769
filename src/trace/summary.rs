//! The cost of a run, computed from its events: the score, and a table row for each device, link and kernel.

use serde::{Deserialize, Serialize};

use super::{Event, EventKind, Why};
use crate::device::Device;

/// The cost of a run, in the numbers that lessons check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Bytes copied from host to device.
    pub h2d_bytes: usize,
    /// Bytes copied from device to host.
    pub d2h_bytes: usize,
    /// Bytes copied from device to device.
    pub d2d_bytes: usize,
    pub copies: usize,
    /// How often the host waited for a device.
    pub synchronisations: usize,
    /// Kernels launched on accelerators; a graph counts as one.
    pub launches: usize,
    /// The most bytes allocated at one time on one accelerator.
    pub peak_bytes: usize,
}

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
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceRow {
    pub device: Device,
    /// Bytes allocated at the end.
    pub allocated: usize,
    pub reserved: usize,
    pub peak_allocated: usize,
    pub peak_reserved: usize,
    pub allocations: usize,
    pub frees: usize,
    pub launches: usize,
    pub synchronisations: usize,
    /// Microseconds that the host waited for it.
    pub waited: f64,
}

/// Copies in one direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkRow {
    pub from: Device,
    pub to: Device,
    pub copies: usize,
    pub bytes: usize,
    /// Copies that didn't make the host wait: `non_blocking`, from or to pinned memory.
    #[serde(default)]
    pub asynchronous: usize,
    /// Measured microseconds.
    pub micros: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelRow {
    pub device: Device,
    pub name: String,
    pub launches: usize,
    /// Bytes read and written.
    pub bytes: usize,
    pub flops: u64,
}

/// What an event adds to the totals. Everything that counts uses this. Most events add nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Kernels launched on a device; a graph counts as one.
    pub launches: Option<(Device, usize)>,
    /// How often the host waited for a device.
    pub waits: Option<(Device, usize)>,
    pub crossing: Option<Crossing>,
}

/// Copies from one device to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub from: Device,
    pub to: Device,
    pub copies: usize,
    pub bytes: usize,
    /// See [`LinkRow::asynchronous`].
    pub asynchronous: usize,
}

impl EventKind {
    pub fn cost(&self) -> Cost {
        match self {
            // For a line that prints, the event after these says what PyTorch does.
            EventKind::Transfer { why: Why::Print, .. } | EventKind::Sync { why: Why::Print, .. } => Cost::default(),
            EventKind::Print { device, kernels, copies, bytes, .. } => Cost {
                launches: (*kernels > 0).then_some((*device, *kernels)),
                waits: Some((*device, *copies)),
                crossing: Some(Crossing {
                    from: *device,
                    to: Device::CPU,
                    copies: *copies,
                    bytes: *bytes,
                    asynchronous: 0,
                }),
            },
            EventKind::Transfer { from, to, bytes, pinned, non_blocking, .. } => {
                let asynchronous = usize::from(*pinned && *non_blocking);
                let crossing = Crossing { from: *from, to: *to, copies: 1, bytes: *bytes, asynchronous };
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
        self.count(event.kind.cost());
        match &event.kind {
            EventKind::SegmentAlloc { device, reserved, .. } | EventKind::SegmentFree { device, reserved, .. } => {
                let row = self.device(*device);
                row.reserved = *reserved;
                row.peak_reserved = row.peak_reserved.max(*reserved);
            }
            EventKind::Alloc { device, allocated, .. } => {
                let row = self.device(*device);
                row.allocations += 1;
                row.allocated = *allocated;
                row.peak_allocated = row.peak_allocated.max(*allocated);
                if is_accelerator(*device) {
                    self.score.peak_bytes = self.score.peak_bytes.max(*allocated);
                }
            }
            EventKind::Free { device, allocated, .. } => {
                let row = self.device(*device);
                row.frees += 1;
                row.allocated = *allocated;
            }
            EventKind::Transfer { from, to, micros, .. } => self.link(*from, *to).micros += micros,
            EventKind::Sync { device, micros, .. } => self.device(*device).waited += micros,
            EventKind::Print { device, kernels, repeated, .. } => {
                let row = self.device(*device);
                row.allocations += repeated;
                row.frees += repeated;
                if *kernels > 0 {
                    self.kernel(*device, "print").launches += kernels;
                }
            }
            EventKind::Kernel { device, name, bytes, flops } => {
                let row = self.kernel(*device, name);
                row.launches += 1;
                row.bytes = row.bytes.saturating_add(*bytes);
                row.flops = row.flops.saturating_add(*flops);
            }
            EventKind::Graph { device, kernels, bytes, flops, automatic } => {
                let row = self.kernel(*device, &graph_name(*kernels, *automatic));
                row.launches += 1;
                row.bytes = row.bytes.saturating_add(*bytes);
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
        for more in &other.devices {
            let row = self.device(more.device);
            row.peak_allocated = row.peak_allocated.max(more.peak_allocated);
            row.peak_reserved = row.peak_reserved.max(more.peak_reserved);
            row.allocations += more.allocations;
            row.frees += more.frees;
            row.launches += more.launches;
            row.synchronisations += more.synchronisations;
            row.waited += more.waited;
        }
        for more in &other.links {
            let link = self.link(more.from, more.to);
            link.copies += more.copies;
            link.bytes = link.bytes.saturating_add(more.bytes);
            link.asynchronous += more.asynchronous;
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
            EventKind::Alloc { device, allocated, .. } => {
                let row = self.device(*device);
                row.peak_allocated = row.peak_allocated.max(*allocated);
                if is_accelerator(*device) {
                    self.score.peak_bytes = self.score.peak_bytes.max(*allocated);
                }
            }
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
                allocations: 0,
                frees: 0,
                launches: 0,
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
            self.links.push(LinkRow { from, to, copies: 0, bytes: 0, asynchronous: 0, micros: 0.0 });
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
