//! The allocator's history as the file that `torch.cuda.memory._dump_snapshot` writes, for
//! <https://pytorch.org/memory_viz>: a pickle of a dictionary of segments and actions.
//!
//! Our planner has no addresses, so each segment is given a made-up one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::device::Device;
use crate::protocol::{Event, EventKind, StorageId};

/// Where the first segment of a device is said to lie, and how far apart segments are.
const BASE: u64 = 0x7f00_0000_0000;
const GRAIN: u64 = 2 << 20;
/// Segments of this size hold blocks of at most 1 MiB.
const SMALL_SEGMENT: usize = 2 << 20;

/// The file's bytes; `None` if the run touched no accelerator with an allocator.
pub fn pickle(events: &[Event]) -> Option<Vec<u8>> {
    let snapshot = snapshot(events)?;
    let mut out = vec![0x80, 2];
    put(&snapshot, &mut out);
    out.push(b'.');
    Some(out)
}

#[derive(Default)]
struct Memory {
    next: u64,
    segments: BTreeMap<u64, (u64, usize)>,
    /// By segment and offset: storage, bytes of the block, bytes asked for, line.
    blocks: BTreeMap<(u64, usize), (StorageId, usize, usize, u32)>,
    trace: Vec<Value>,
}

/// The dictionary before it is pickled.
pub fn snapshot(events: &[Event]) -> Option<Value> {
    let mut devices: BTreeMap<Device, Memory> = BTreeMap::new();
    let mut names: BTreeMap<StorageId, String> = BTreeMap::new();
    let mut places: BTreeMap<StorageId, (Device, u64, usize)> = BTreeMap::new();
    for event in events {
        let time = event.time as u64;
        match &event.kind {
            EventKind::SegmentAlloc { device, segment, bytes, .. } => {
                let memory = devices.entry(*device).or_default();
                let address = BASE + memory.next;
                memory.next += (*bytes as u64).div_ceil(GRAIN) * GRAIN;
                memory.segments.insert(*segment, (address, *bytes));
                memory.trace.push(action("segment_alloc", address, *bytes, event.line, None, time));
            }
            EventKind::SegmentFree { device, segment, bytes, .. } => {
                let memory = devices.entry(*device).or_default();
                if let Some((address, _)) = memory.segments.remove(segment) {
                    memory.trace.push(action("segment_free", address, *bytes, event.line, None, time));
                }
            }
            EventKind::Alloc { device, storage, requested, bytes, segment, offset, .. } if *segment != 0 => {
                let memory = devices.entry(*device).or_default();
                let Some((address, _)) = memory.segments.get(segment) else { continue };
                let address = address + *offset as u64;
                memory.trace.push(action("alloc", address, *requested, event.line, None, time));
                memory.blocks.insert((*segment, *offset), (*storage, *bytes, *requested, event.line));
                places.insert(*storage, (*device, *segment, *offset));
            }
            EventKind::Free { storage, .. } => {
                let Some((device, segment, offset)) = places.remove(storage) else { continue };
                let memory = devices.entry(device).or_default();
                let block = memory.blocks.remove(&(segment, offset));
                if let (Some((_, _, requested, _)), Some((address, _))) = (block, memory.segments.get(&segment)) {
                    let name = names.get(storage).map(String::as_str);
                    for step in ["free_requested", "free_completed"] {
                        memory.trace.push(action(step, address + offset as u64, requested, event.line, name, time));
                    }
                }
            }
            EventKind::Name { storage, name } if !name.is_empty() => {
                names.insert(*storage, name.clone());
            }
            _ => {}
        }
    }
    devices.retain(|_, memory| !memory.trace.is_empty());
    let last = devices.keys().map(|d| d.index.unwrap_or(0)).max()?;
    let mut segments = Vec::new();
    let mut traces = vec![json!([]); last as usize + 1];
    for (device, memory) in devices {
        let index = device.index.unwrap_or(0) as usize;
        for (id, (address, bytes)) in &memory.segments {
            segments.push(segment(index, *id, *address, *bytes, &memory, &names));
        }
        traces[index] = Value::Array(memory.trace);
    }
    Some(json!({
        "segments": segments,
        "device_traces": traces,
        "allocator_settings": {
            "PYTORCH_CUDA_ALLOC_CONF": "",
            "max_split_size": -1,
            "garbage_collection_threshold": 0.0,
            "expandable_segments": false,
            "pinned_num_register_threads": 1,
            "release_lock_on_cudamalloc": false,
            "pinned_use_cuda_host_register": false,
            "roundup_power2_divisions": {},
        },
        "external_annotations": [],
    }))
}

fn frames(line: u32, name: Option<&str>) -> Value {
    if line == 0 {
        return json!([]);
    }
    json!([{ "filename": "main.py", "line": line, "name": name.unwrap_or("<module>") }])
}

fn action(what: &str, address: u64, bytes: usize, line: u32, name: Option<&str>, time: u64) -> Value {
    json!({
        "action": what, "addr": address, "size": bytes, "stream": 0, "time_us": time, "frames": frames(line, name),
    })
}

fn segment(
    device: usize,
    id: u64,
    address: u64,
    bytes: usize,
    memory: &Memory,
    names: &BTreeMap<StorageId, String>,
) -> Value {
    let mut blocks = Vec::new();
    let free = |at: usize, size: usize| {
        json!({
            "address": address + at as u64, "size": size, "requested_size": 0, "state": "inactive", "frames": [],
        })
    };
    let (mut at, mut active, mut asked) = (0, 0, 0);
    for ((_, offset), (storage, size, requested, line)) in memory.blocks.range((id, 0)..=(id, usize::MAX)) {
        if *offset > at {
            blocks.push(free(at, offset - at));
        }
        blocks.push(json!({
            "address": address + *offset as u64,
            "size": size,
            "requested_size": requested,
            "state": "active_allocated",
            "frames": frames(*line, names.get(storage).map(String::as_str)),
        }));
        active += size;
        asked += requested;
        at = offset + size;
    }
    if at < bytes {
        blocks.push(free(at, bytes - at));
    }
    json!({
        "device": device,
        "address": address,
        "total_size": bytes,
        "allocated_size": active,
        "active_size": active,
        "requested_size": asked,
        "stream": 0,
        "segment_type": if bytes == SMALL_SEGMENT { "small" } else { "large" },
        "segment_pool_id": [0, 0],
        "is_expandable": false,
        "frames": [],
        "blocks": blocks,
    })
}

/// Pickles a value (protocol 2, without memo): only what every reader of pickles understands.
fn put(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(b'N'),
        Value::Bool(true) => out.push(0x88),
        Value::Bool(false) => out.push(0x89),
        Value::Number(number) => match number.as_i64() {
            Some(n) => match i32::try_from(n) {
                Ok(n) => {
                    out.push(b'J');
                    out.extend_from_slice(&n.to_le_bytes());
                }
                Err(_) => {
                    out.extend_from_slice(&[0x8a, 8]);
                    out.extend_from_slice(&n.to_le_bytes());
                }
            },
            None => {
                out.push(b'G');
                out.extend_from_slice(&number.as_f64().unwrap_or(f64::NAN).to_be_bytes());
            }
        },
        Value::String(text) => put_text(text, out),
        Value::Array(items) => {
            out.extend_from_slice(b"](");
            items.iter().for_each(|item| put(item, out));
            out.push(b'e');
        }
        Value::Object(entries) => {
            out.extend_from_slice(b"}(");
            for (key, item) in entries {
                put_text(key, out);
                put(item, out);
            }
            out.push(b'u');
        }
    }
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'X');
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::super::yards::tests::event;
    use super::*;
    use crate::dtype::DType;

    fn run() -> Vec<Event> {
        let device = Device::cuda(0);
        let alloc = |storage, offset, bytes: usize| EventKind::Alloc {
            device,
            storage,
            dtype: DType::F32,
            shape: vec![1],
            requested: 4,
            bytes,
            segment: 1,
            offset,
            allocated: 0,
            pinned: false,
        };
        let kinds = vec![
            EventKind::SegmentAlloc { device, segment: 1, bytes: 2 << 20, reserved: 2 << 20 },
            alloc(1, 0, 512),
            alloc(2, 512, 512),
            EventKind::Name { storage: 2, name: "größe".into() },
            EventKind::Free { device, storage: 1, bytes: 512, allocated: 512 },
        ];
        kinds.into_iter().enumerate().map(|(i, k)| event(i as u64, i as u32 + 1, k)).collect()
    }

    #[test]
    fn the_snapshot_holds_every_block_and_every_action() {
        let snapshot = snapshot(&run()).unwrap();
        let segment = &snapshot["segments"][0];
        let states: Vec<&str> =
            segment["blocks"].as_array().unwrap().iter().map(|b| b["state"].as_str().unwrap()).collect();
        assert_eq!(states, ["inactive", "active_allocated", "inactive"]);
        assert_eq!((segment["allocated_size"].as_u64(), segment["total_size"].as_u64()), (Some(512), Some(2 << 20)));
        assert_eq!(segment["blocks"][1]["frames"][0]["line"], 3);
        let actions: Vec<&str> =
            snapshot["device_traces"][0].as_array().unwrap().iter().map(|a| a["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["segment_alloc", "alloc", "alloc", "free_requested", "free_completed"]);
    }

    #[test]
    fn python_reads_the_pickle() {
        let bytes = pickle(&run()).unwrap();
        assert_eq!((&bytes[..2], bytes.last()), (&[0x80, 2][..], Some(&b'.')));
        let Ok(mut python) = std::process::Command::new("python3")
            .args(["-c", "import sys,pickle,json; print(json.dumps(pickle.load(sys.stdin.buffer)))"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
        else {
            // Only the format's frame is checked on a machine without Python.
            return;
        };
        std::io::Write::write_all(&mut python.stdin.take().unwrap(), &bytes).unwrap();
        let output = python.wait_with_output().unwrap();
        let read: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(read, snapshot(&run()).unwrap());
    }

    #[test]
    fn a_run_on_the_host_alone_has_no_snapshot() {
        assert_eq!(pickle(&[]), None);
    }
}
