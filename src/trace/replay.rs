//! Rebuilds the state of memory from events alone: allocated bytes, reserved bytes, segments and live storages of every
//! device.
//!
//! An event that can't follow from those before it is refused. So a stream that replays could really have happened:
//! every free names a live storage, blocks are in live segments and don't overlap, and each total is the previous one
//! plus or minus the event's bytes.

use std::collections::BTreeMap;
use std::fmt;

use super::{Event, EventKind, StorageId};
use crate::device::Device;
use crate::dtype::DType;

/// Memory after the events so far, from an empty start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    pub devices: BTreeMap<Device, DeviceMemory>,
    /// The live storages of all devices.
    pub live: BTreeMap<StorageId, LiveStorage>,
    last_seq: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceMemory {
    /// Bytes of live blocks.
    pub allocated: u64,
    /// Bytes of segments.
    pub reserved: u64,
    pub peak_allocated: u64,
    pub peak_reserved: u64,
    /// The segments by number; there are none on the host.
    pub segments: BTreeMap<u64, Segment>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub bytes: usize,
    /// Blocks in use, by their offset. Everything else in the segment is free.
    pub blocks: BTreeMap<usize, StorageId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveStorage {
    pub device: Device,
    pub dtype: DType,
    pub shape: Vec<usize>,
    /// Bytes that the tensor needs.
    pub requested: usize,
    /// Bytes of its block.
    pub bytes: usize,
    /// 0 if there is no segment: on the host, and for 0 bytes.
    pub segment: u64,
    pub offset: usize,
    pub pinned: bool,
    /// The learner's line that created it; 0 if none.
    pub line: u32,
    /// The learner's line that last copied into it, if one did.
    pub moved: Option<u32>,
    /// The variable that holds it; empty if none does.
    pub name: String,
}

/// An event that can't follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// The event's number.
    pub seq: u64,
    pub what: String,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {}", self.seq, self.what)
    }
}

impl std::error::Error for Impossible {}

/// Replays a whole run.
///
/// # Errors
/// The first event that is impossible.
pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Replay, Impossible> {
    let mut replay = Replay::default();
    events.into_iter().try_for_each(|e| replay.apply(e))?;
    Ok(replay)
}

impl Replay {
    /// Applies the next event.
    ///
    /// # Errors
    /// The event is impossible here. The state is that before the event.
    pub fn apply(&mut self, event: &Event) -> Result<(), Impossible> {
        let checked = match self.last_seq {
            Some(last) if event.seq <= last => Err(format!("follows event {last}")),
            _ => self.take(event),
        };
        checked.map_err(|what| Impossible { seq: event.seq, what })?;
        self.last_seq = Some(event.seq);
        Ok(())
    }

    /// Bytes allocated and reserved on a device; zeros before anything has happened there.
    pub fn memory(&self, device: Device) -> (u64, u64) {
        self.devices.get(&device).map_or((0, 0), |d| (d.allocated, d.reserved))
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        match &event.kind {
            EventKind::SegmentAlloc { device, segment, bytes, reserved } => {
                let memory = self.devices.entry(*device).or_default();
                if memory.segments.contains_key(segment) {
                    return Err(format!("segment {segment} of {device} is taken twice"));
                }
                total("reserved", *device, memory.reserved.checked_add(*bytes as u64), *reserved)?;
                memory.reserved = *reserved;
                memory.peak_reserved = memory.peak_reserved.max(*reserved);
                memory.segments.insert(*segment, Segment { bytes: *bytes, blocks: BTreeMap::new() });
                Ok(())
            }
            EventKind::SegmentFree { device, segment, bytes, reserved } => {
                let memory = self.devices.entry(*device).or_default();
                match memory.segments.get(segment) {
                    None => return Err(format!("segment {segment} of {device} was never taken")),
                    Some(s) if s.bytes != *bytes => {
                        return Err(format!("segment {segment} of {device} has {} bytes, not {bytes}", s.bytes));
                    }
                    Some(s) => {
                        if let Some(storage) = s.blocks.values().next() {
                            return Err(format!("segment {segment} of {device} still holds storage {storage}"));
                        }
                    }
                }
                total("reserved", *device, memory.reserved.checked_sub(*bytes as u64), *reserved)?;
                memory.reserved = *reserved;
                memory.segments.remove(segment);
                Ok(())
            }
            EventKind::Alloc { storage, .. } if self.live.contains_key(storage) => {
                Err(format!("storage {storage} is allocated twice"))
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
                if requested > bytes {
                    return Err(format!("storage {storage} needs {requested} bytes and got {bytes}"));
                }
                let memory = self.devices.entry(*device).or_default();
                total("allocated", *device, memory.allocated.checked_add(*bytes as u64), *allocated)?;
                if *segment != 0 {
                    let Some(place) = memory.segments.get_mut(segment) else {
                        return Err(format!(
                            "storage {storage} lies in segment {segment} of {device}, which is not held"
                        ));
                    };
                    let end = offset.checked_add(*bytes).filter(|end| *end <= place.bytes);
                    let Some(end) = end else {
                        return Err(format!("storage {storage} reaches beyond segment {segment} of {device}"));
                    };
                    // Only the last block that begins before the end of this one can overlap it.
                    if let Some((at, other)) = place.blocks.range(..end).next_back() {
                        let other_bytes = self.live.get(other).map_or(0, |s| s.bytes);
                        if at.saturating_add(other_bytes) > *offset {
                            return Err(format!("storage {storage} overlaps storage {other} on {device}"));
                        }
                    }
                    place.blocks.insert(*offset, *storage);
                } else if *bytes > 0 && !device.is_cpu() && !device.is_meta() {
                    return Err(format!("storage {storage} on {device} has no segment"));
                }
                memory.allocated = *allocated;
                memory.peak_allocated = memory.peak_allocated.max(*allocated);
                let live = LiveStorage {
                    device: *device,
                    dtype: *dtype,
                    shape: shape.clone(),
                    requested: *requested,
                    bytes: *bytes,
                    segment: *segment,
                    offset: *offset,
                    pinned: *pinned,
                    line: event.line,
                    moved: None,
                    name: String::new(),
                };
                self.live.insert(*storage, live);
                Ok(())
            }
            EventKind::Free { device, storage, bytes, allocated } => {
                let live = self.live.get(storage).ok_or_else(|| format!("storage {storage} is not alive"))?;
                if live.device != *device {
                    return Err(format!("storage {storage} is freed on {device} but lives on {}", live.device));
                }
                if live.bytes != *bytes {
                    return Err(format!("storage {storage} has {} bytes, not {bytes}", live.bytes));
                }
                let memory = self.devices.entry(*device).or_default();
                total("allocated", *device, memory.allocated.checked_sub(*bytes as u64), *allocated)?;
                memory.allocated = *allocated;
                if let Some(segment) = memory.segments.get_mut(&live.segment) {
                    segment.blocks.remove(&live.offset);
                }
                self.live.remove(storage);
                Ok(())
            }
            EventKind::Transfer { from, to, source, target, .. } => {
                for (device, storage) in [(from, source), (to, target)] {
                    // 0 stands for plain host memory, such as a Python number. A meta tensor has no memory at all.
                    if *storage == 0 || device.is_meta() {
                        continue;
                    }
                    match self.live.get(storage) {
                        None => return Err(format!("a copy names storage {storage}, which is not alive")),
                        Some(live) if live.device != *device => {
                            return Err(format!(
                                "a copy has storage {storage} on {device}, but it lives on {}",
                                live.device
                            ));
                        }
                        Some(_) => {}
                    }
                }
                if let Some(target) = self.live.get_mut(target) {
                    target.moved = Some(event.line);
                }
                Ok(())
            }
            EventKind::Name { storage, name } => {
                if let Some(live) = self.live.get_mut(storage) {
                    live.name.clone_from(name);
                }
                Ok(())
            }
            EventKind::Graph { device, kernels, .. } if device.is_cpu() || device.is_meta() => {
                Err(format!("a graph of {kernels} kernels on {device}, which has none"))
            }
            EventKind::Print { device, source, .. } => match self.live.get(source) {
                Some(live) if live.device == *device => Ok(()),
                _ => Err(format!("what is printed is storage {source}, which is not on {device}")),
            },
            EventKind::Shortened { summary, .. } => {
                for row in &summary.devices {
                    let memory = self.devices.entry(row.device).or_default();
                    memory.peak_allocated = memory.peak_allocated.max(row.peak_allocated);
                    memory.peak_reserved = memory.peak_reserved.max(row.peak_reserved);
                }
                Ok(())
            }
            EventKind::Kernel { .. }
            | EventKind::Graph { .. }
            | EventKind::Sync { .. }
            | EventKind::Value { .. }
            | EventKind::Selected { .. }
            | EventKind::Line { .. }
            | EventKind::Error { .. } => Ok(()),
        }
    }
}

fn total(what: &str, device: Device, expected: Option<u64>, stated: u64) -> Result<(), String> {
    match expected {
        Some(expected) if expected == stated => Ok(()),
        Some(expected) => Err(format!("{device} has {expected} bytes {what}, not {stated}")),
        None => Err(format!("the bytes {what} on {device} cannot be")),
    }
}
