//! The allocator's state and history, in the form that `torch.cuda.memory._snapshot` returns and
//! <https://pytorch.org/memory_viz> reads.
//!
//! Two places make one: a program, from the state of its allocator, and the page, from the events of a run. Only this module
//! knows the form of a snapshot; [`of_events`] is for the page.
//!
//! Source of the form: torch/csrc/cuda/memory_snapshot.cpp and torch/cuda/memory.py in PyTorch 2.15.

use std::collections::BTreeMap;

use super::{Event, EventKind, StorageId};
use crate::device::Device;
use crate::memory::history::{Action, Frame};
use crate::memory::{BlockState, PoolKind, SegmentId};

/// A value of a Python container.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Data>),
    Tuple(Vec<Data>),
    Dict(Vec<(&'static str, Data)>),
}

impl Data {
    /// An address or a number of bytes.
    fn bytes(n: u64) -> Data {
        Data::Int(i64::try_from(n).unwrap_or(i64::MAX))
    }

    fn text(text: &str) -> Data {
        Data::Text(text.to_string())
    }
}

/// One block of a segment.
pub struct BlockEntry<'a> {
    pub address: u64,
    pub size: u64,
    /// Bytes that the tensor requested; 0 for a free block.
    pub requested: u64,
    pub state: BlockState,
    pub frames: &'a [Frame],
}

/// One segment with its blocks, which fill it.
pub struct SegmentEntry<'a> {
    /// The device's index.
    pub device: usize,
    pub address: u64,
    pub bytes: u64,
    pub stream: u32,
    pub pool: PoolKind,
    /// The pool of a CUDA graph; 0 is the general pool.
    pub private: u32,
    pub frames: &'a [Frame],
    pub blocks: Vec<BlockEntry<'a>>,
}

/// One action of the allocator.
pub struct Deed<'a> {
    pub action: Action,
    /// For an out-of-memory error: the bytes that the device had left.
    pub address: u64,
    pub size: u64,
    pub stream: u32,
    pub micros: f64,
    pub frames: &'a [Frame],
}

fn frames(frames: &[Frame]) -> Data {
    let frame = |frame: &Frame| {
        Data::Dict(vec![
            ("name", Data::text(&frame.name)),
            ("filename", Data::text(&frame.file)),
            ("line", Data::Int(frame.line.into())),
        ])
    };
    Data::List(frames.iter().map(frame).collect())
}

impl BlockEntry<'_> {
    fn data(&self) -> Data {
        Data::Dict(vec![
            ("address", Data::bytes(self.address)),
            ("size", Data::bytes(self.size)),
            ("requested_size", Data::bytes(self.requested)),
            ("state", Data::text(self.state.name())),
            ("frames", frames(self.frames)),
        ])
    }
}

impl SegmentEntry<'_> {
    /// An entry of `segments`.
    pub fn data(&self) -> Data {
        let sum = |of: fn(&BlockEntry<'_>) -> u64, counts: fn(BlockState) -> bool| {
            Data::bytes(self.blocks.iter().filter(|block| counts(block.state)).map(of).sum())
        };
        let allocated = |state| state == BlockState::Allocated;
        Data::Dict(vec![
            ("device", Data::bytes(self.device as u64)),
            ("address", Data::bytes(self.address)),
            ("total_size", Data::bytes(self.bytes)),
            ("allocated_size", sum(|block| block.size, allocated)),
            ("active_size", sum(|block| block.size, |state| state != BlockState::Inactive)),
            ("requested_size", sum(|block| block.requested, allocated)),
            ("stream", Data::Int(self.stream.into())),
            ("segment_type", Data::text(self.pool.name())),
            ("segment_pool_id", Data::Tuple(vec![Data::Int(0), Data::Int(self.private.into())])),
            ("is_expandable", Data::Bool(false)),
            ("frames", frames(self.frames)),
            ("blocks", Data::List(self.blocks.iter().map(BlockEntry::data).collect())),
        ])
    }
}

impl Deed<'_> {
    /// An entry of a device's trace.
    pub fn data(&self) -> Data {
        let address = if self.action == Action::OutOfMemory { "device_free" } else { "addr" };
        #[expect(clippy::cast_possible_truncation, reason = "microseconds since the start")]
        let micros = self.micros as i64;
        Data::Dict(vec![
            ("action", Data::text(self.action.name())),
            (address, Data::bytes(self.address)),
            ("size", Data::bytes(self.size)),
            ("stream", Data::Int(self.stream.into())),
            ("time_us", Data::Int(micros)),
            ("frames", frames(self.frames)),
        ])
    }
}

/// The complete snapshot: every device's segments, and a trace for each device.
pub fn whole(segments: Vec<Data>, traces: Vec<Vec<Data>>) -> Data {
    let settings = vec![
        ("PYTORCH_CUDA_ALLOC_CONF", Data::text("")),
        ("max_split_size", Data::Int(-1)),
        ("garbage_collection_threshold", Data::Float(0.0)),
        ("expandable_segments", Data::Bool(false)),
        ("pinned_num_register_threads", Data::Int(1)),
        ("release_lock_on_cudamalloc", Data::Bool(false)),
        ("pinned_use_cuda_host_register", Data::Bool(false)),
        ("roundup_power2_divisions", Data::Dict(Vec::new())),
        ("graph_capture_record_stream_reuse", Data::Bool(false)),
    ];
    Data::Dict(vec![
        ("segments", Data::List(segments)),
        ("device_traces", Data::List(traces.into_iter().map(Data::List).collect())),
        ("allocator_settings", Data::Dict(settings)),
        ("external_annotations", Data::List(Vec::new())),
    ])
}

/// What the events so far say about one device.
#[derive(Default)]
struct Memory {
    /// The size of each segment, and the line that took it.
    segments: BTreeMap<u64, (usize, u32)>,
    /// By segment and offset: storage, bytes of the block, bytes requested, line.
    blocks: BTreeMap<(u64, usize), (StorageId, usize, usize, u32)>,
    trace: Vec<Data>,
}

/// The snapshot at the end of a run, from its events; `None` if it touched no accelerator with an allocator.
pub fn of_events(events: &[Event]) -> Option<Data> {
    let mut devices: BTreeMap<Device, Memory> = BTreeMap::new();
    let mut names: BTreeMap<StorageId, String> = BTreeMap::new();
    let mut places: BTreeMap<StorageId, (Device, u64, usize)> = BTreeMap::new();
    for event in events {
        let micros = event.time;
        match &event.kind {
            EventKind::SegmentAlloc { device, segment, bytes, .. } => {
                let memory = devices.entry(*device).or_default();
                memory.segments.insert(*segment, (*bytes, event.line));
                let address = address(*device, *segment, 0);
                memory.note(Action::SegmentAlloc, address, *bytes, micros, &at(event.line, None));
            }
            EventKind::SegmentFree { device, segment, bytes, .. } => {
                let memory = devices.entry(*device).or_default();
                if memory.segments.remove(segment).is_some() {
                    let address = address(*device, *segment, 0);
                    memory.note(Action::SegmentFree, address, *bytes, micros, &at(event.line, None));
                }
            }
            EventKind::Alloc { device, storage, requested, bytes, segment, offset, .. } if *segment != 0 => {
                let memory = devices.entry(*device).or_default();
                if memory.segments.contains_key(segment) {
                    let address = address(*device, *segment, *offset);
                    memory.note(Action::Alloc, address, *requested, micros, &at(event.line, None));
                    memory.blocks.insert((*segment, *offset), (*storage, *bytes, *requested, event.line));
                    places.insert(*storage, (*device, *segment, *offset));
                }
            }
            EventKind::Free { storage, .. } => {
                let Some((device, segment, offset)) = places.remove(storage) else { continue };
                let memory = devices.entry(device).or_default();
                let block = memory.blocks.remove(&(segment, offset));
                if let Some((_, _, requested, _)) = block.filter(|_| memory.segments.contains_key(&segment)) {
                    let frames = at(event.line, names.get(storage));
                    for step in [Action::FreeRequested, Action::FreeCompleted] {
                        memory.note(step, address(device, segment, offset), requested, micros, &frames);
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
    let last = devices.keys().map(|device| index(*device)).max()?;
    let mut segments = Vec::new();
    let mut traces = vec![Vec::new(); last + 1];
    for (device, memory) in devices {
        segments.extend(memory.segments.iter().map(|(id, held)| memory.segment(device, *id, *held, &names)));
        traces[index(device)] = memory.trace;
    }
    Some(whole(segments, traces))
}

impl Memory {
    fn note(&mut self, action: Action, address: u64, bytes: usize, micros: f64, frames: &[Frame]) {
        self.trace.push(Deed { action, address, size: bytes as u64, stream: 0, micros, frames }.data());
    }

    fn segment(
        &self,
        device: Device,
        id: u64,
        (bytes, line): (usize, u32),
        names: &BTreeMap<StorageId, String>,
    ) -> Data {
        let blocks = self.blocks.range((id, 0)..=(id, usize::MAX));
        let held: Vec<(usize, usize, usize, Vec<Frame>)> = blocks
            .map(|((_, offset), (storage, size, requested, line))| {
                (*offset, *size, *requested, at(*line, names.get(storage)))
            })
            .collect();
        let free = |from: usize, to: usize| {
            (to > from).then(|| BlockEntry {
                address: address(device, id, from),
                size: (to - from) as u64,
                requested: 0,
                state: BlockState::Inactive,
                frames: &[],
            })
        };
        let mut blocks = Vec::new();
        let mut end = 0;
        for (offset, size, requested, frames) in &held {
            blocks.extend(free(end, *offset));
            blocks.push(BlockEntry {
                address: address(device, id, *offset),
                size: *size as u64,
                requested: *requested as u64,
                state: BlockState::Allocated,
                frames,
            });
            end = offset + size;
        }
        blocks.extend(free(end, bytes));
        let pool = if bytes == SMALL_SEGMENT { PoolKind::Small } else { PoolKind::Large };
        let frames = at(line, None);
        let segment = SegmentEntry {
            device: index(device),
            address: address(device, id, 0),
            bytes: bytes as u64,
            stream: 0,
            pool,
            private: 0,
            frames: &frames,
            blocks,
        };
        segment.data()
    }
}

/// Segments of this size hold blocks of at most 1 MiB.
const SMALL_SEGMENT: usize = 2 << 20;

fn index(device: Device) -> usize {
    device.index.map_or(0, |index| usize::try_from(index).unwrap_or(0))
}

/// The address that `data_ptr()` returns.
fn address(device: Device, segment: u64, offset: usize) -> u64 {
    SegmentId(segment).address(index(device)) + offset as u64
}

/// A line of the learner's file. The variable's name takes the place of the function's name.
fn at(line: u32, name: Option<&String>) -> Vec<Frame> {
    let name = name.map_or("<module>", String::as_str).to_string();
    if line == 0 { Vec::new() } else { vec![Frame { file: "main.py".into(), line, name }] }
}

/// Pickles the value (protocol 2, without memo), using only opcodes that every reader of pickles understands.
pub fn pickle(data: &Data) -> Vec<u8> {
    let mut out = vec![0x80, 2];
    put(data, &mut out);
    out.push(b'.');
    out
}

fn put(data: &Data, out: &mut Vec<u8>) {
    match data {
        Data::Bool(true) => out.push(0x88),
        Data::Bool(false) => out.push(0x89),
        Data::Int(n) => match i32::try_from(*n) {
            Ok(n) => {
                out.push(b'J');
                out.extend_from_slice(&n.to_le_bytes());
            }
            Err(_) => {
                out.extend_from_slice(&[0x8a, 8]);
                out.extend_from_slice(&n.to_le_bytes());
            }
        },
        Data::Float(x) => {
            out.push(b'G');
            out.extend_from_slice(&x.to_be_bytes());
        }
        Data::Text(text) => put_text(text, out),
        Data::List(items) => {
            out.extend_from_slice(b"](");
            items.iter().for_each(|item| put(item, out));
            out.push(b'e');
        }
        Data::Tuple(items) => {
            out.push(b'(');
            items.iter().for_each(|item| put(item, out));
            out.push(b't');
        }
        Data::Dict(entries) => {
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
        (0..).zip(kinds).map(|(seq, kind)| Event { seq, time: 0.0, line: seq as u32 + 1, look: None, kind }).collect()
    }

    fn get<'a>(data: &'a Data, key: &str) -> &'a Data {
        let Data::Dict(entries) = data else { panic!("{data:?} has no keys") };
        &entries.iter().find(|(name, _)| *name == key).unwrap_or_else(|| panic!("no {key} in {data:?}")).1
    }

    fn list(data: &Data) -> &[Data] {
        let Data::List(items) = data else { panic!("{data:?} is no list") };
        items
    }

    fn texts(items: &Data, key: &str) -> Vec<String> {
        let text = |item| match get(item, key) {
            Data::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        list(items).iter().map(text).collect()
    }

    #[test]
    fn the_snapshot_holds_every_block_and_every_action() {
        let snapshot = of_events(&run()).unwrap();
        let segment = &list(get(&snapshot, "segments"))[0];
        assert_eq!(texts(get(segment, "blocks"), "state"), ["inactive", "active_allocated", "inactive"]);
        let sizes = ["allocated_size", "requested_size", "total_size"].map(|key| get(segment, key).clone());
        assert_eq!(sizes, [512, 4, 2 << 20].map(Data::Int));
        let held = &list(get(segment, "blocks"))[1];
        assert_eq!(get(&list(get(held, "frames"))[0], "line"), &Data::Int(3));
        let actions = texts(&list(get(&snapshot, "device_traces"))[0], "action");
        assert_eq!(actions, ["segment_alloc", "alloc", "alloc", "free_requested", "free_completed"]);
    }

    #[test]
    fn python_reads_the_pickle() {
        let bytes = pickle(&of_events(&run()).unwrap());
        assert_eq!((&bytes[..2], bytes.last()), (&[0x80, 2][..], Some(&b'.')));
        let Ok(mut python) = std::process::Command::new("python3")
            .args(["-c", "import sys,pickle; print(pickle.load(sys.stdin.buffer))"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
        else {
            // Without Python on this machine, only the outer form of the file is checked.
            return;
        };
        std::io::Write::write_all(&mut python.stdin.take().unwrap(), &bytes).unwrap();
        let output = python.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), written(&of_events(&run()).unwrap()));
    }

    /// The value as Python prints it.
    fn written(data: &Data) -> String {
        let all = |items: &[Data]| items.iter().map(written).collect::<Vec<_>>().join(", ");
        match data {
            Data::Bool(true) => "True".into(),
            Data::Bool(false) => "False".into(),
            Data::Int(n) => n.to_string(),
            Data::Float(x) => format!("{x:?}"),
            Data::Text(text) => format!("'{text}'"),
            Data::List(items) => format!("[{}]", all(items)),
            Data::Tuple(items) => format!("({})", all(items)),
            Data::Dict(entries) => {
                let entries: Vec<_> = entries.iter().map(|(key, item)| format!("'{key}': {}", written(item))).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    #[test]
    fn a_run_on_the_host_alone_has_no_snapshot() {
        assert_eq!(of_events(&[]), None);
    }
}
