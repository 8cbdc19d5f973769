//! The event stream: replaying it rebuilds the allocator's statistics, impossible streams are refused, and the sums that
//! the page draws are right.

use std::collections::BTreeMap;

use serde_json::Value;
use tensoryard::device::Device;
use tensoryard::dtype::DType;
use tensoryard::memory::{BlockId, BlockState, Planner, SegmentId, StreamId};
use tensoryard::rng::CpuGenerator;
use tensoryard::trace::replay::{Replay, replay};
use tensoryard::trace::summary::{Score, summarize};
use tensoryard::trace::{Event, EventKind, Trace, Why, perfetto};

/// A planner whose every change is reported.
struct Reporting {
    device: Device,
    planner: Planner,
    trace: Trace,
    next: u64,
    live: Vec<(u64, Option<BlockId>, u64)>,
}

impl Reporting {
    fn new(device: Device, capacity: u64) -> Reporting {
        let trace = Trace::default();
        trace.set_on(true);
        Reporting { device, planner: Planner::new(capacity), trace, next: 1, live: Vec::new() }
    }

    fn freed(&self, freed: &[(SegmentId, u64)], mut reserved: u64) {
        for &(segment, bytes) in freed {
            reserved -= bytes;
            self.trace.emit(|| EventKind::SegmentFree {
                device: self.device,
                segment: segment.0,
                bytes: bytes as usize,
                reserved,
            });
        }
    }

    fn alloc(&mut self, requested: u64, stream: u32) {
        let before = self.planner.reserved();
        let (block, bytes, segment, offset) = match self.planner.alloc(requested, StreamId(stream)) {
            Err(oom) => return self.freed(&oom.freed_segments, before),
            Ok(None) => (None, 0, 0, 0),
            Ok(Some(p)) => {
                self.freed(&p.freed_segments, before);
                if let Some((segment, bytes)) = p.new_segment {
                    self.trace.emit(|| EventKind::SegmentAlloc {
                        device: self.device,
                        segment: segment.0,
                        bytes: bytes as usize,
                        reserved: self.planner.reserved(),
                    });
                }
                (Some(p.block), p.size, p.segment.0, p.offset)
            }
        };
        let storage = self.next;
        self.next += 1;
        self.live.push((storage, block, bytes));
        self.trace.emit(|| EventKind::Alloc {
            device: self.device,
            storage,
            dtype: DType::U8,
            shape: vec![requested as usize],
            requested: requested as usize,
            bytes: bytes as usize,
            segment,
            offset: offset as usize,
            allocated: self.planner.allocated(),
            pinned: false,
        });
    }

    fn free(&mut self, at: usize) {
        let (storage, block, bytes) = self.live.swap_remove(at);
        if let Some(block) = block {
            self.planner.free(block);
        }
        self.trace.emit(|| EventKind::Free {
            device: self.device,
            storage,
            bytes: bytes as usize,
            allocated: self.planner.allocated(),
        });
    }
}

/// Random allocations, frees and `empty_cache` calls, which sometimes run out of memory.
fn random_run(seed: u64, steps: usize, mut each: impl FnMut(&mut Reporting)) -> Vec<Event> {
    let mut g = CpuGenerator::new(seed);
    let mut run = Reporting::new(Device::cuda(0), 256 << 20);
    for _ in 0..steps {
        match g.random_u32() % 100 {
            0 => {
                let before = run.planner.reserved();
                let freed = run.planner.empty_cache();
                run.freed(&freed, before);
            }
            1..55 => {
                let magnitude = g.random_u32() % 26;
                let requested = u64::from(g.random_u32()) % (1 << magnitude);
                run.alloc(requested, g.random_u32() % 2);
            }
            _ if !run.live.is_empty() => {
                let at = g.random_u32() as usize % run.live.len();
                run.free(at);
            }
            _ => {}
        }
        each(&mut run);
    }
    run.trace.drain()
}

#[test]
fn replaying_rebuilds_the_planner_after_every_step() {
    for seed in 0..8 {
        let mut replayed = Replay::default();
        let mut kept = Vec::new();
        random_run(seed, 600, |run| {
            for event in run.trace.drain() {
                replayed.apply(&event).unwrap();
                kept.push(event);
            }
            let expected = (run.planner.allocated(), run.planner.reserved());
            assert_eq!(replayed.memory(run.device), expected);
            assert_eq!(replayed.live.keys().copied().collect::<Vec<_>>(), {
                let mut live: Vec<u64> = run.live.iter().map(|l| l.0).collect();
                live.sort_unstable();
                live
            });
            let mut map = BTreeMap::new();
            for segment in run.planner.segments() {
                let used = segment.blocks.iter().filter(|b| b.state == BlockState::Allocated);
                map.insert(segment.id.0, (segment.bytes as usize, used.map(|b| b.offset as usize).collect::<Vec<_>>()));
            }
            let rebuilt: BTreeMap<u64, (usize, Vec<usize>)> =
                replayed.devices.get(&run.device).map_or_else(BTreeMap::new, |d| {
                    d.segments.iter().map(|(id, s)| (*id, (s.bytes, s.blocks.keys().copied().collect()))).collect()
                });
            assert_eq!(rebuilt, map);
        });
        assert_eq!(replay(&kept).unwrap(), replayed);
    }
}

/// Every kind of damage to a stream that makes it inconsistent.
#[test]
fn impossible_streams_are_refused() {
    let events = random_run(11, 400, |_| {});
    assert!(replay(&events).is_ok());
    let mut refused = 0;
    for i in 0..events.len() {
        let mut damaged = events.clone();
        match &mut damaged[i].kind {
            EventKind::Alloc { allocated, .. } | EventKind::Free { allocated, .. } => *allocated += 512,
            EventKind::SegmentAlloc { reserved, .. } | EventKind::SegmentFree { reserved, .. } => *reserved += 512,
            other => panic!("unexpected {other:?}"),
        }
        assert_eq!(replay(&damaged).unwrap_err().seq, i as u64);

        let mut twice = events.clone();
        twice.insert(i, events[i].clone());
        assert!(replay(&twice).is_err(), "event {i} happens twice");
        refused += 2;

        let bytes = |e: &Event| match e.kind {
            EventKind::Alloc { bytes, .. } | EventKind::Free { bytes, .. } => bytes,
            _ => 1,
        };
        if bytes(&events[i]) > 0 && i + 1 < events.len() {
            let mut missing = events.clone();
            missing.remove(i);
            // A missing event shows as soon as the same total is given again.
            let same = |e: &Event| {
                matches!(e.kind, EventKind::Alloc { .. } | EventKind::Free { .. })
                    == matches!(events[i].kind, EventKind::Alloc { .. } | EventKind::Free { .. })
            };
            if events[i + 1..].iter().any(same) {
                assert!(replay(&missing).is_err(), "event {i} is missing");
                refused += 1;
            }
        }
    }
    println!("impossible streams refused: {refused} of {refused}");
    assert!(refused > 1000);
}

#[test]
fn refusals_say_what_is_wrong() {
    let free =
        |seq, storage| event(seq, EventKind::Free { device: Device::cuda(0), storage, bytes: 512, allocated: 0 });
    assert_eq!(replay(&[free(0, 7)]).unwrap_err().to_string(), "event 0: storage 7 is not alive");
    let copy = EventKind::Transfer {
        from: Device::CPU,
        to: Device::cuda(0),
        bytes: 4,
        source: 3,
        target: 0,
        pinned: false,
        non_blocking: false,
        micros: 0.0,
        why: Why::To,
    };
    assert_eq!(replay(&[event(0, copy)]).unwrap_err().what, "a copy names storage 3, which is not alive");
    let name = |seq| event(seq, EventKind::Name { storage: 1, name: "x".into() });
    assert_eq!(replay(&[name(4), name(4)]).unwrap_err().what, "follows event 4");
}

fn event(seq: u64, kind: EventKind) -> Event {
    Event { seq, time: seq as f64 * 10.0, line: 1 + seq as u32, look: None, kind }
}

/// `x = torch.ones(2, 3); y = x.to("cuda"); z = y + y; print(z.sum().item())`, as the engine reports it.
fn small_program() -> Vec<Event> {
    let gpu = Device::cuda(0);
    let alloc = |device: Device, storage, shape: &[usize], bytes, segment, offset, allocated| EventKind::Alloc {
        device,
        storage,
        dtype: DType::F32,
        shape: shape.to_vec(),
        requested: shape.iter().product::<usize>() * 4,
        bytes,
        segment,
        offset,
        allocated,
        pinned: false,
    };
    let copy = |from, to, bytes, source, target, why| EventKind::Transfer {
        from,
        to,
        bytes,
        source,
        target,
        pinned: false,
        non_blocking: false,
        micros: 4.0,
        why,
    };
    let kernel = |device, name: &'static str| EventKind::Kernel { device, name: name.into(), bytes: 48, flops: 6 };
    let kinds = vec![
        alloc(Device::CPU, 1, &[2, 3], 24, 0, 0, 24),
        kernel(Device::CPU, "fill"),
        EventKind::SegmentAlloc { device: gpu, segment: 1, bytes: 2 << 20, reserved: 2 << 20 },
        alloc(gpu, 2, &[2, 3], 512, 1, 0, 512),
        copy(Device::CPU, gpu, 24, 1, 2, Why::To),
        alloc(gpu, 3, &[2, 3], 512, 1, 512, 1024),
        kernel(gpu, "add"),
        alloc(gpu, 4, &[], 512, 1, 1024, 1536),
        kernel(gpu, "sum"),
        EventKind::Sync { device: gpu, why: Why::Item, micros: 6.0 },
        copy(gpu, Device::CPU, 4, 4, 0, Why::Item),
        EventKind::Value { name: "loss".into(), value: 12.0 },
        EventKind::Free { device: gpu, storage: 4, bytes: 512, allocated: 1024 },
        EventKind::Name { storage: 2, name: "y".into() },
        EventKind::Error { class: "RuntimeError".into(), message: "no".into() },
    ];
    kinds.into_iter().enumerate().map(|(i, kind)| event(i as u64, kind)).collect()
}

#[test]
fn a_summary_adds_up() {
    let events = small_program();
    let summary = summarize(&events);
    let score = Score {
        h2d_bytes: 24,
        d2h_bytes: 4,
        d2d_bytes: 0,
        copies: 2,
        synchronisations: 1,
        launches: 2,
        peak_bytes: 1536,
    };
    assert_eq!(summary.score, score);
    let gpu = &summary.devices[1];
    assert_eq!((gpu.device, gpu.allocated, gpu.peak_allocated, gpu.reserved), (Device::cuda(0), 1024, 1536, 2 << 20));
    assert_eq!((gpu.allocations, gpu.frees, gpu.launches, gpu.waited), (3, 1, 2, 6.0));
    assert_eq!(
        summary.links.iter().map(|l| (l.bytes, l.copies, l.micros)).collect::<Vec<_>>(),
        [(24, 1, 4.0), (4, 1, 4.0)]
    );
    assert_eq!(
        summary.kernels.iter().map(|k| (k.name.as_str(), k.flops)).collect::<Vec<_>>(),
        [("fill", 6), ("add", 6), ("sum", 6)]
    );
    let replayed = replay(&events).unwrap();
    assert_eq!(replayed.memory(Device::cuda(0)), (gpu.allocated, gpu.reserved));
    assert_eq!((replayed.live[&2].name.as_str(), replayed.live[&2].moved), ("y", Some(5)));
}

/// A replayed graph is one launch, however many kernels it has. A graph that an executor made on its own isn't a
/// launch, because its kernels were reported. Neither moves memory.
#[test]
fn a_graph_is_one_launch() {
    let mut events = small_program();
    let gpu = Device::cuda(0);
    let before = (summarize(&events), replay(&events).unwrap());
    for automatic in [false, true] {
        let kind = EventKind::Graph { device: gpu, kernels: 37, bytes: 96, flops: 12, automatic };
        events.push(event(events.len() as u64, kind));
    }
    let summary = summarize(&events);
    assert_eq!(summary.score.launches, before.0.score.launches + 1);
    assert_eq!(summary.devices[1].launches, before.0.devices[1].launches + 1);
    let rows: Vec<_> = summary.kernels.iter().skip(3).map(|k| (k.name.as_str(), k.launches, k.flops)).collect();
    assert_eq!(rows, [("graph replay, 37 kernels", 1, 12), ("captured step, 37 kernels", 1, 12)]);
    assert_eq!(replay(&events).unwrap().devices, before.1.devices);
    let file = perfetto::trace(&events);
    let shown =
        |name: &str| file["traceEvents"].as_array().unwrap().iter().any(|e| e["name"] == name && e["cat"] == "graph");
    assert!(shown("graph replay, 37 kernels") && shown("captured step, 37 kernels"));
    let wire = serde_json::to_string(&events).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Event>>(&wire).unwrap(), events);
    // The host has no graphs.
    let kind = EventKind::Graph { device: Device::CPU, kernels: 1, bytes: 0, flops: 0, automatic: false };
    events.push(event(events.len() as u64, kind));
    assert!(replay(&events).is_err());
}

/// The rules of the Trace Event Format on which a viewer depends.
#[test]
fn perfetto_files_keep_the_format() {
    for events in [small_program(), random_run(3, 300, |_| {}), Vec::new()] {
        let mut bytes = Vec::new();
        perfetto::write(&events, &mut bytes).unwrap();
        let file: Value = serde_json::from_slice(&bytes).unwrap();
        let (mut named, mut open) = (BTreeMap::new(), BTreeMap::new());
        let (mut begun, mut counted) = (0, 0);
        for e in file["traceEvents"].as_array().unwrap() {
            let phase = e["ph"].as_str().unwrap();
            let lane = (e["pid"].as_u64().unwrap(), e["tid"].as_u64());
            if phase == "M" {
                named.insert((e["name"].to_string(), lane), e["args"].clone());
                continue;
            }
            assert!(e["ts"].as_f64().unwrap() >= 0.0, "{e}");
            assert!(named.contains_key(&("\"process_name\"".into(), (lane.0, None))), "{e}");
            if phase != "C" {
                assert!(named.contains_key(&("\"thread_name\"".into(), lane)), "{e}");
            }
            match phase {
                "b" => {
                    begun += 1;
                    assert!(open.insert(e["id"].to_string(), e["name"].clone()).is_none(), "{e}");
                }
                "e" => assert_eq!(open.remove(&e["id"].to_string()).as_ref(), Some(&e["name"]), "{e}"),
                "X" => assert!(e["dur"].as_f64().unwrap() > 0.0, "{e}"),
                "i" => assert_eq!(e["s"], "t"),
                "C" => {
                    counted += 1;
                    assert!(e["args"].as_object().unwrap().values().all(Value::is_number), "{e}");
                }
                other => panic!("unknown phase {other}"),
            }
        }
        assert!(open.is_empty(), "storages without an end: {open:?}");
        let kinds = |want: fn(&EventKind) -> bool| events.iter().filter(|e| want(&e.kind)).count();
        assert_eq!(begun, kinds(|k| matches!(k, EventKind::Alloc { .. })));
        let memory = kinds(|k| {
            matches!(
                k,
                EventKind::Alloc { .. }
                    | EventKind::Free { .. }
                    | EventKind::SegmentAlloc { .. }
                    | EventKind::SegmentFree { .. }
            )
        });
        assert_eq!(counted, memory + kinds(|k| matches!(k, EventKind::Value { .. })));
    }
    let shown = perfetto::trace(&small_program()).to_string();
    for part in ["\"y: float32[2, 3]\"", "\"cpu → cuda:0\"", "\"wait for cuda:0 (item)\"", "\"reserved\":2097152"] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
}
