//! Memory snapshots are files that PyTorch's viewer can open.
//!
//! The viewer (torch/utils/viz/MemoryViz.js) has its own unpickler, which knows few opcodes, and it walks the actions
//! backward from the segments and blocks at the end. This test requires the same of the program's file and of the page's:
//! only those opcodes, every key that the viewer reads, and a history that leads from the final state back to nothing.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Map, Value, json};
use tensoryard::device::Device;
use tensoryard::dtype::{DType, Scalar};
use tensoryard::engine::{self, Engine};
use tensoryard::machine::Machine;
use tensoryard::ops;
use tensoryard::tensor::Tensor;
use tensoryard::trace::snapshot;

/// Reads a pickle as the viewer does.
fn unpickle(bytes: &[u8]) -> Value {
    let mut at = 0;
    let mut take = |n: usize| {
        at += n;
        &bytes[at - n..at]
    };
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |n, b| n << 8 | u64::from(*b));
    let (mut stack, mut marks, mut memo) = (Vec::<Value>::new(), Vec::<usize>::new(), BTreeMap::<u64, Value>::new());
    loop {
        let opcode = take(1)[0];
        match opcode {
            0x80 => assert!((2..=4).contains(&take(1)[0]), "the viewer reads protocols 2 to 4"),
            0x95 => drop(take(8)),
            b'.' => return stack.pop().unwrap(),
            b'(' => marks.push(stack.len()),
            b'}' => stack.push(Value::Object(Map::new())),
            b']' | b')' => stack.push(json!([])),
            b'N' => stack.push(Value::Null),
            0x88 | 0x89 => stack.push(json!(opcode == 0x88)),
            b'J' => stack.push(json!(number(take(4)) as u32 as i32)),
            b'K' => stack.push(json!(take(1)[0])),
            b'M' => stack.push(json!(number(take(2)))),
            0x8a => {
                let length = usize::from(take(1)[0]);
                let value = number(take(length));
                // It becomes a JavaScript number.
                assert!(length <= 8 && value < 1 << 53, "{value}");
                stack.push(json!(value));
            }
            b'G' => stack.push(json!(f64::from_be_bytes(take(8).try_into().unwrap()))),
            0x8c | b'X' => {
                let length = number(take(if opcode == b'X' { 4 } else { 1 })) as usize;
                stack.push(json!(std::str::from_utf8(take(length)).unwrap()));
            }
            // A memoized object is complete when it's used again: in our files, these are strings and numbers.
            0x94 => drop(memo.insert(memo.len() as u64, stack.last().unwrap().clone())),
            b'q' | b'r' => {
                drop(memo.insert(number(take(if opcode == b'r' { 4 } else { 1 })), stack.last().unwrap().clone()))
            }
            b'h' | b'j' => {
                let value = memo[&number(take(if opcode == b'j' { 4 } else { 1 }))].clone();
                assert!(!value.is_array() && !value.is_object(), "shared {value}");
                stack.push(value);
            }
            b'a' | b'e' => {
                let from = if opcode == b'a' { stack.len() - 1 } else { marks.pop().unwrap() };
                let items = stack.split_off(from);
                stack.last_mut().unwrap().as_array_mut().unwrap().extend(items);
            }
            b's' | b'u' => {
                let from = if opcode == b's' { stack.len() - 2 } else { marks.pop().unwrap() };
                let items = stack.split_off(from);
                let object = stack.last_mut().unwrap().as_object_mut().unwrap();
                for pair in items.chunks(2) {
                    // Keys of JavaScript objects are strings.
                    let key = pair[0].as_str().map_or_else(|| pair[0].to_string(), String::from);
                    object.insert(key, pair[1].clone());
                }
            }
            b't' | 0x85 | 0x86 | 0x87 => {
                let from = match opcode {
                    b't' => marks.pop().unwrap(),
                    n => stack.len() - usize::from(n - 0x84),
                };
                let items = stack.split_off(from);
                stack.push(Value::Array(items));
            }
            other => panic!("the viewer knows no opcode {other:#x} ({:?})", char::from(other)),
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

fn number(of: &Value, key: &str) -> u64 {
    of[key].as_u64().unwrap_or_else(|| panic!("{key} of {of}"))
}

fn has_frames(of: &Value) {
    for frame in list(&of["frames"]) {
        assert!(frame["filename"].is_string() && frame["name"].is_string() && frame["line"].is_u64(), "{frame}");
    }
}

/// Undoes a device's actions one by one. Returns how many there were of each kind.
fn rewind(snapshot: &Value, device: u64) -> BTreeMap<String, usize> {
    let (mut segments, mut blocks) = (BTreeMap::new(), BTreeMap::new());
    for segment in list(&snapshot["segments"]).iter().filter(|s| number(s, "device") == device) {
        let start = number(segment, "address");
        number(segment, "stream");
        segments.insert(start, number(segment, "total_size"));
        let mut at = start;
        for block in list(&segment["blocks"]) {
            has_frames(block);
            if block["state"] == "active_allocated" {
                blocks.insert(at, number(block, "requested_size"));
            }
            at += number(block, "size");
        }
        assert_eq!(at, start + number(segment, "total_size"), "blocks fill their segment");
    }
    let mut seen = BTreeMap::new();
    let mut pending = None;
    for event in list(&snapshot["device_traces"][device as usize]).iter().rev() {
        has_frames(event);
        let action = event["action"].as_str().unwrap();
        let size = number(event, "size");
        number(event, "stream");
        *seen.entry(action.to_owned()).or_default() += 1;
        if action == "oom" {
            number(event, "device_free");
            continue;
        }
        if action == "snapshot" {
            continue;
        }
        let at = number(event, "addr");
        match action {
            "free_completed" => {
                assert!(segments.iter().any(|(&start, &bytes)| start <= at && at + size <= start + bytes), "{event}");
                assert_eq!(blocks.insert(at, size), None, "{event}");
                pending = Some(at);
            }
            "free_requested" => assert_eq!(pending.take(), Some(at), "{event}"),
            "alloc" => assert_eq!(blocks.remove(&at), Some(size), "{event}"),
            "segment_free" => assert_eq!(segments.insert(at, size), None, "{event}"),
            "segment_alloc" => assert_eq!(segments.remove(&at), Some(size), "{event}"),
            other => panic!("the viewer knows no action {other}"),
        }
    }
    assert!(segments.is_empty() && blocks.is_empty(), "left at the beginning: {segments:?} {blocks:?}");
    seen
}

#[test]
fn the_program_s_file_is_what_the_viewer_reads() {
    let place = std::env::temp_dir().join(format!("tensoryard-viewer-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let program = "\
import torch

torch.cuda.memory._record_memory_history()
x = torch.ones(1000, 1000, device='cuda')
y = x @ x
del y


def make():
    return torch.zeros(300, device='cuda')


small = make()
try:
    torch.empty(1 << 50, device='cuda')
except torch.OutOfMemoryError:
    pass
torch.cuda.memory._dump_snapshot('snapshot.pickle')
";
    std::fs::write(place.join("program.py"), program).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .current_dir(&place)
        .args(["run", "program.py", "--machine", "cuda:1", "--executor", "cpu"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(place.join("snapshot.pickle")).unwrap();
    let _ = std::fs::remove_dir_all(&place);
    let seen = rewind(&unpickle(&bytes), 0);
    // x, y, small, and the workspace of one product.
    assert_eq!((seen["alloc"], seen["free_completed"], seen["oom"]), (4, 2, 1), "{seen:?}");
}

#[test]
fn the_page_s_file_is_what_the_viewer_reads() {
    let engine = engine::install(Engine::on_cpu(Machine::preset("cuda:2").unwrap()));
    engine.trace.set_on(true);
    let device = Device::cuda(1);
    let ones = |shape: &[usize]| ops::create::full(shape, Scalar::Float(1.0), DType::F32, device).unwrap();
    let x: Tensor = ones(&[1000, 1000]);
    drop(ops::matmul::mm(&x, &x).unwrap());
    let small = ones(&[3]);
    drop(x);
    engine.devices.empty_cache().unwrap();
    let events = engine.trace.drain();
    let snapshot = unpickle(&snapshot::pickle(&snapshot::of_events(&events).unwrap()));
    let seen = rewind(&snapshot, 1);
    assert_eq!((seen["alloc"], seen["free_completed"], seen["segment_free"]), (4, 3, 1), "{seen:?}");
    // The address that the program itself printed for its tensor.
    let blocks = list(&snapshot["segments"]).iter().flat_map(|segment| list(&segment["blocks"]));
    let held: Vec<u64> =
        blocks.filter(|block| block["requested_size"] == 12).map(|block| number(block, "address")).collect();
    assert_eq!(held, [small.storage().address()]);
}
