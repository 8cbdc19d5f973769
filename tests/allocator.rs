//! The planner against recorded PyTorch 2.15 results: statistics after every step, texts, and the final segments.

use std::collections::HashMap;

use serde_json::Value;
use tensoryard::memory::{BlockId, BlockState, Planner, PoolId, StreamId, memory_summary};

const TRACES: &str = include_str!("oracle/allocator.json");
const STATS: &str = include_str!("oracle/memory_stats.json");

/// Bytes of the device that `memory_stats.json` was recorded on.
const RECORDED_CAPACITY: u64 = 85_094_825_984;

fn column(planner: &Planner, name: &str) -> u64 {
    let s = planner.stats();
    match name {
        "alloc" => s.allocated_bytes.all.current,
        "alloc_peak" => s.allocated_bytes.all.peak,
        "resv" => s.reserved_bytes.all.current,
        "resv_peak" => s.reserved_bytes.all.peak,
        "requested" => s.requested_bytes.all.current,
        "n_alloc" => s.allocation.all.current,
        "n_large" => s.allocation.large_pool.current,
        "n_small" => s.allocation.small_pool.current,
        "n_seg" => s.segment.all.current,
        "seg_large" => s.segment.large_pool.current,
        "seg_small" => s.segment.small_pool.current,
        "n_inactive_split" => s.inactive_split.all.current,
        "inactive_split_bytes" => s.inactive_split_bytes.all.current,
        "active" => s.active_bytes.all.current,
        "retries" => s.num_alloc_retries,
        "ooms" => s.num_ooms,
        "cudaMallocs" => s.num_device_alloc,
        "cudaFrees" => s.num_device_free,
        other => panic!("unknown column {other}"),
    }
}

#[test]
fn replays_every_recorded_scenario() {
    let recorded: Value = serde_json::from_str(TRACES).unwrap();
    let capacity = recorded["capacity"].as_u64().unwrap();
    let columns: Vec<&str> = recorded["columns"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    let (mut steps, mut scenarios) = (0, 0);
    for scenario in recorded["scenarios"].as_array().unwrap() {
        let name = scenario["name"].as_str().unwrap();
        let mut planner = Planner::new(capacity);
        let mut held: HashMap<&str, Option<BlockId>> = HashMap::new();
        for (i, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
            let op = step[0].as_array().unwrap();
            let mut oom = None;
            match op[0].as_str().unwrap() {
                kind @ ("alloc" | "alloc_s") => {
                    let stream = StreamId(u32::from(kind == "alloc_s"));
                    match planner.alloc(op[2].as_u64().unwrap(), stream) {
                        Ok(placement) => {
                            held.insert(op[1].as_str().unwrap(), placement.map(|p| p.block));
                        }
                        Err(e) => oom = Some(e.message(0)),
                    }
                }
                "free" => {
                    if let Some(block) = held.remove(op[1].as_str().unwrap()).unwrap() {
                        assert!(planner.free(block).is_some(), "{name} step {i}");
                        assert!(planner.free(block).is_none(), "{name} step {i}: freed twice");
                    }
                }
                "empty_cache" => drop(planner.empty_cache()),
                "reset_peak" => planner.reset_peak(),
                other => panic!("unknown operation {other}"),
            }
            assert_eq!(oom.as_deref(), step[2].as_str(), "{name} step {i} {op:?}");
            let got: Vec<u64> = columns.iter().map(|c| column(&planner, c)).collect();
            let expected: Vec<u64> = step[1].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
            assert_eq!(got, expected, "{name} step {i} {op:?}: {columns:?}");
            assert_consistent(&planner);
            steps += 1;
        }
        assert_eq!(layout(&planner), expected_layout(&scenario["final"]), "{name}: final segments");
        scenarios += 1;
    }
    println!("allocator: {steps} of 1712 steps, {scenarios} of 33 scenarios");
    assert_eq!((steps, scenarios), (1712, 33));
}

/// The statistics must follow from the memory map alone.
fn assert_consistent(planner: &Planner) {
    let (mut reserved, mut allocated, mut split) = (0, 0, 0);
    for segment in planner.segments() {
        reserved += segment.bytes;
        let mut at = 0;
        for block in &segment.blocks {
            assert_eq!(block.offset, at);
            at += block.size;
            match block.state {
                BlockState::Allocated => allocated += block.size,
                BlockState::Awaited => {}
                BlockState::Inactive if segment.blocks.len() > 1 => split += block.size,
                BlockState::Inactive => {}
            }
        }
        assert_eq!(at, segment.bytes);
        assert!(
            !segment.blocks.windows(2).any(|w| w.iter().all(|b| b.state == BlockState::Inactive)),
            "unmerged neighbors"
        );
    }
    let stats = planner.stats();
    assert_eq!((reserved, allocated), (planner.reserved(), planner.allocated()));
    assert_eq!(reserved, stats.reserved_bytes.all.current);
    assert_eq!(split, stats.inactive_split_bytes.all.current);
}

/// A block that another stream also used doesn't count as allocated after it's freed, but stays active until the
/// allocator checks again. Only then may it be reused.
#[test]
fn blocks_that_other_streams_use_are_freed_later() {
    let mut planner = Planner::new(1 << 30);
    let (own, other) = (StreamId(0), StreamId(1));
    let take = |planner: &mut Planner| planner.alloc(1000, own).unwrap().unwrap();
    let a = take(&mut planner);
    planner.record_stream(a.block, own);
    planner.free(a.block);
    assert_eq!(take(&mut planner).offset, a.offset, "its own stream needs no wait");
    let b = take(&mut planner);
    planner.record_stream(b.block, other);
    planner.free(b.block);
    assert_eq!((planner.allocated(), planner.stats().active_bytes.all.current), (1024, 2048));
    assert_eq!(planner.free(b.block), None, "freed once");
    assert_consistent(&planner);
    assert_eq!(planner.segments()[0].blocks[1].state, BlockState::Awaited);
    assert_eq!(planner.take_completed().len(), 1);
    // At the next request, the other stream counts as done.
    assert_eq!(take(&mut planner).offset, b.offset);
    assert_eq!((planner.allocated(), planner.stats().active_bytes.all.current), (2048, 2048));
    assert_eq!(planner.take_completed(), [(b.segment, b.offset, 1000, own)]);
    assert_consistent(&planner);
}

type Layout = Vec<(u64, String, u64, Vec<(u64, u64, bool)>)>;

fn layout(planner: &Planner) -> Layout {
    let mut out: Layout = planner
        .segments()
        .iter()
        .map(|s| {
            let blocks = s.blocks.iter().map(|b| (b.size, b.requested, b.state == BlockState::Allocated)).collect();
            (s.bytes, s.pool.name().to_string(), u64::from(s.stream.0), blocks)
        })
        .collect();
    out.sort();
    out
}

fn expected_layout(segments: &Value) -> Layout {
    let mut out: Layout = segments
        .as_array()
        .unwrap()
        .iter()
        .map(|s| {
            let blocks = s["blocks"].as_array().unwrap().iter();
            let blocks = blocks.map(|b| {
                let used = b[2] == "A";
                (b[0].as_u64().unwrap(), if used { b[1].as_u64().unwrap() } else { 0 }, used)
            });
            let stream = s["stream"].as_u64().unwrap();
            (s["total"].as_u64().unwrap(), s["type"].as_str().unwrap().to_string(), stream, blocks.collect())
        })
        .collect();
    out.sort();
    out
}

#[test]
fn statistics_dictionary_and_summary_table() {
    let recorded: Value = serde_json::from_str(STATS).unwrap();
    let mut planner = Planner::new(RECORDED_CAPACITY);
    planner.alloc(4, StreamId::default()).unwrap();
    let got: Vec<(String, String)> =
        planner.stats().entries().iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
    let expected: Vec<(String, String)> = serde_json::from_value(recorded["stats_after_one_float"].clone()).unwrap();
    assert_eq!(got, expected);
    println!("memory_stats: {} of {} entries", got.len(), expected.len());

    let mut planner = Planner::new(RECORDED_CAPACITY);
    planner.alloc(4_000_000, StreamId::default()).unwrap();
    let printed = |abbreviated| memory_summary(planner.stats(), 0, abbreviated) + "\n";
    assert_eq!(printed(false), recorded["summary"].as_str().unwrap());
    assert_eq!(printed(true), recorded["summary_abbreviated"].as_str().unwrap());
}

#[test]
fn out_of_memory_texts() {
    let recorded: Value = serde_json::from_str(STATS).unwrap();
    let mut planner = Planner::new(RECORDED_CAPACITY);
    let text = |planner: &mut Planner, n| planner.alloc(n, StreamId::default()).unwrap_err().message(0);
    assert_eq!(text(&mut planner, 4_000_000_000_000), recorded["oom_4e12"].as_str().unwrap());
    assert_eq!(text(&mut planner, u64::MAX), "CUDA out of memory. Tried to allocate more than 1EB memory.");
    planner.set_fraction(0.5);
    assert_eq!(text(&mut planner, 45 << 30), recorded["fraction_half_45_gib"].as_str().unwrap());
}

#[test]
fn a_device_that_refuses_is_out_of_memory_and_leaves_no_trace() {
    use tensoryard::memory::SegmentRequest;
    let mut planner = Planner::new(1 << 30);
    let cached = planner.alloc(30 << 20, StreamId::default()).unwrap().unwrap();
    planner.free(cached.block);
    let mut asked = Vec::new();
    let refused = planner.alloc_with(60 << 20, StreamId::default(), PoolId::GENERAL, |request| {
        asked.push(request);
        matches!(request, SegmentRequest::Release { .. })
    });
    assert_eq!(refused.unwrap_err().freed_segments, vec![(cached.segment, 30 << 20)]);
    assert!(matches!(
        asked[..],
        [SegmentRequest::Take { .. }, SegmentRequest::Release { .. }, SegmentRequest::Take { .. }]
    ));
    assert_eq!((planner.reserved(), planner.segments().len()), (0, 0));
}
