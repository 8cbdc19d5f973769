//! A run as a file for <https://ui.perfetto.dev> or chrome://tracing.
//!
//! ```text
//!  process "python"          what the host did: waits for devices, errors, values such as a loss
//!  process "cuda:0", ...     launches; every storage from its allocation to its free; counters of memory
//!  process "links"           one lane a direction: copies as long as they took
//! ```
//!
//! An event that took time is recorded when it ended, so its bar begins that much earlier.
//! Launches are marks without length: the host does not know how long a kernel ran.
//!
//! Source of the format: the Trace Event Format (Google, 2016).

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde_json::{Value, json};

use super::{Event, EventKind, StorageId, Why};
use crate::device::Device;

const PYTHON: usize = 1;
const LINKS: usize = 2;
const FIRST_DEVICE: usize = 3;
/// The only lane of `python`, and the first lane of each device.
const MAIN_LANE: usize = 1;

/// Writes the file.
///
/// # Errors
/// Those of `out`.
pub fn write(events: &[Event], out: impl io::Write) -> io::Result<()> {
    serde_json::to_writer(out, &trace(events)).map_err(io::Error::from)
}

/// The content of the file.
pub fn trace(events: &[Event]) -> Value {
    let mut lanes = Lanes::new(events);
    let mut out = lanes.names();
    events.iter().for_each(|e| lanes.add(e, &mut out));
    // Storages that are still alive end with the run, so that their bars have an end.
    let end = events.last().map_or(0.0, |e| e.time);
    for (storage, (device, label)) in std::mem::take(&mut lanes.live) {
        out.push(lanes.lifetime("e", storage, device, &label, end, json!({})));
    }
    json!({ "traceEvents": out, "displayTimeUnit": "ms" })
}

struct Lanes {
    /// In order of first use. Each is a process.
    devices: Vec<Device>,
    /// In order of first use. Each is a lane of the process "links".
    links: Vec<(Device, Device)>,
    /// The first variable that held each storage.
    variables: BTreeMap<StorageId, String>,
    live: BTreeMap<StorageId, (Device, String)>,
    /// Allocated and reserved bytes of each device.
    memory: BTreeMap<Device, (u64, u64)>,
}

impl Lanes {
    fn new(events: &[Event]) -> Lanes {
        let (mut devices, mut links) = (BTreeSet::new(), BTreeSet::new());
        let mut variables = BTreeMap::new();
        for event in events {
            match &event.kind {
                EventKind::SegmentAlloc { device, .. }
                | EventKind::SegmentFree { device, .. }
                | EventKind::Alloc { device, .. }
                | EventKind::Free { device, .. }
                | EventKind::Kernel { device, .. }
                | EventKind::Graph { device, .. }
                | EventKind::Print { device, .. }
                | EventKind::Sync { device, .. } => {
                    devices.insert(*device);
                }
                EventKind::Transfer { from, to, .. } => {
                    links.insert((*from, *to));
                }
                EventKind::Name { storage, name } if !name.is_empty() => {
                    variables.entry(*storage).or_insert_with(|| name.clone());
                }
                EventKind::Shortened { summary, .. } => {
                    devices.extend(summary.devices.iter().map(|row| row.device));
                    links.extend(summary.links.iter().map(|link| (link.from, link.to)));
                }
                EventKind::Name { .. }
                | EventKind::Value { .. }
                | EventKind::Selected { .. }
                | EventKind::Line { .. }
                | EventKind::Error { .. } => {}
            }
        }
        Lanes {
            devices: devices.into_iter().collect(),
            links: links.into_iter().collect(),
            variables,
            live: BTreeMap::new(),
            memory: BTreeMap::new(),
        }
    }

    /// The events that name and order processes and lanes.
    fn names(&self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut process = |pid: usize, name: String| {
            out.push(json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": name } }));
            out.push(json!({ "ph": "M", "name": "process_sort_index", "pid": pid, "args": { "sort_index": pid } }));
        };
        process(PYTHON, "python".into());
        process(LINKS, "links".into());
        self.devices.iter().enumerate().for_each(|(i, d)| process(FIRST_DEVICE + i, d.to_string()));
        let mut lane = |pid: usize, tid: usize, name: String| {
            out.push(json!({ "ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": { "name": name } }));
            let sort = json!({ "sort_index": tid });
            out.push(json!({ "ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": sort }));
        };
        lane(PYTHON, MAIN_LANE, "main".into());
        for i in 0..self.devices.len() {
            lane(FIRST_DEVICE + i, MAIN_LANE, "launches".into());
        }
        for (i, (from, to)) in self.links.iter().enumerate() {
            lane(LINKS, MAIN_LANE + i, format!("{from} → {to}"));
        }
        out
    }

    fn add(&mut self, event: &Event, out: &mut Vec<Value>) {
        let (seq, line, time) = (event.seq, event.line, event.time);
        match &event.kind {
            EventKind::SegmentAlloc { device, reserved, .. } | EventKind::SegmentFree { device, reserved, .. } => {
                self.memory.entry(*device).or_default().1 = *reserved;
                out.push(self.counter(*device, time));
            }
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
            } => {
                self.memory.entry(*device).or_default().0 = *allocated;
                let shown = format!("{}{}", dtype.name(), crate::shape::show(shape));
                let label = match self.variables.get(storage) {
                    Some(variable) => format!("{variable}: {shown}"),
                    None => shown,
                };
                let args = json!({
                    "seq": seq, "line": line, "storage": storage, "requested": requested, "bytes": bytes,
                    "segment": segment, "offset": offset, "pinned": pinned,
                });
                out.push(self.lifetime("b", *storage, *device, &label, time, args));
                self.live.insert(*storage, (*device, label));
                out.push(self.counter(*device, time));
            }
            EventKind::Free { device, storage, allocated, .. } => {
                self.memory.entry(*device).or_default().0 = *allocated;
                if let Some((device, label)) = self.live.remove(storage) {
                    out.push(self.lifetime("e", *storage, device, &label, time, json!({ "seq": seq, "line": line })));
                }
                out.push(self.counter(*device, time));
            }
            EventKind::Transfer { from, to, bytes, source, target, pinned, non_blocking, micros, why } => {
                let lane = self.links.iter().position(|l| *l == (*from, *to)).unwrap_or(0);
                let args = json!({
                    "seq": seq, "line": line, "bytes": bytes, "source": source, "target": target,
                    "pinned": pinned, "non_blocking": non_blocking,
                });
                out.push(slice(LINKS, MAIN_LANE + lane, word(*why), "copy", time, *micros, args));
            }
            EventKind::Kernel { device, name, bytes, flops } => {
                let args = json!({ "seq": seq, "line": line, "bytes": bytes, "flops": flops });
                let pid = self.process(*device);
                out.push(slice(pid, MAIN_LANE, name.to_string(), "kernel", time, 0.0, args));
            }
            EventKind::Graph { device, kernels, bytes, flops, automatic } => {
                let args = json!({ "seq": seq, "line": line, "kernels": kernels, "bytes": bytes, "flops": flops });
                let pid = self.process(*device);
                let name = super::summary::graph_name(*kernels, *automatic);
                out.push(slice(pid, MAIN_LANE, name, "graph", time, 0.0, args));
            }
            EventKind::Sync { device, why, micros } => {
                let name = format!("wait for {device} ({})", word(*why));
                let args = json!({ "seq": seq, "line": line });
                out.push(slice(PYTHON, MAIN_LANE, name, "synchronise", time, *micros, args));
            }
            EventKind::Print { device, source, fetched, kernels, copies, bytes, repeated } => {
                let args = json!({
                    "seq": seq, "line": line, "source": source, "fetched": fetched, "kernels": kernels, "copies": copies,
                    "bytes": bytes, "repeated": repeated,
                });
                out.push(slice(PYTHON, MAIN_LANE, format!("format on {device}"), "print", time, 0.0, args));
            }
            EventKind::Line { number } => {
                let args = json!({ "seq": seq });
                out.push(slice(PYTHON, MAIN_LANE, format!("line {number}"), "line", time, 0.0, args));
            }
            // JSON has no NaN, and a counter can't have gaps.
            EventKind::Value { name, value } if value.is_finite() => {
                let args = json!({ "value": value });
                out.push(json!({ "ph": "C", "name": name, "pid": PYTHON, "ts": time, "args": args }));
            }
            EventKind::Error { class, message } => {
                let args = json!({ "seq": seq, "line": line, "message": message });
                out.push(slice(PYTHON, MAIN_LANE, class.clone(), "error", time, 0.0, args));
            }
            EventKind::Shortened { events, summary } => {
                let args = json!({ "seq": seq, "line": line, "left out": events, "totals": &**summary });
                let name = format!("shortened: {events} events are left out");
                out.push(slice(PYTHON, MAIN_LANE, name, "shortened", time, 0.0, args));
            }
            EventKind::Value { .. } | EventKind::Name { .. } | EventKind::Selected { .. } => {}
        }
    }

    fn process(&self, device: Device) -> usize {
        FIRST_DEVICE + self.devices.binary_search(&device).unwrap_or(0)
    }

    fn counter(&self, device: Device, time: f64) -> Value {
        let (allocated, reserved) = self.memory.get(&device).copied().unwrap_or_default();
        // The host has no cache, so nothing is reserved there.
        let args = if device.is_cpu() {
            json!({ "allocated": allocated })
        } else {
            json!({ "allocated": allocated, "reserved": reserved })
        };
        json!({ "ph": "C", "name": "memory (bytes)", "pid": self.process(device), "ts": time, "args": args })
    }

    fn lifetime(&self, phase: &str, storage: StorageId, device: Device, name: &str, time: f64, args: Value) -> Value {
        json!({
            "ph": phase, "cat": "storage", "id": format!("{storage:#x}"), "name": name,
            "pid": self.process(device), "tid": MAIN_LANE, "ts": time, "args": args,
        })
    }
}

/// A bar for something that took `micros` and ended at `end`, or a mark if `micros` is 0.
fn slice(pid: usize, tid: usize, name: String, category: &str, end: f64, micros: f64, args: Value) -> Value {
    if micros > 0.0 {
        let start = (end - micros).max(0.0);
        json!({
            "ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid,
            "ts": start, "dur": end - start, "args": args,
        })
    } else {
        json!({ "ph": "i", "s": "t", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": end, "args": args })
    }
}

/// `all_reduce`: the word that the event stream itself uses.
fn word(why: Why) -> String {
    match serde_json::to_value(why) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}
