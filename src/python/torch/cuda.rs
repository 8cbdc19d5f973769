//! The native functions behind `torch.cuda`: devices, memory statistics, streams.

use rustpython_vm::{AsObject, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, Row};
use super::device::cuda_index;
use super::error::OrRaise;
use crate::engine::{self, SyncDebug};
use crate::error::Error;
use crate::memory::history::{Action, Entry, History, Keep, Stack};
use crate::memory::{BlockInfo, SegmentInfo, Stat, StatArray, StreamId};
use crate::trace::snapshot::{self, Data};

fn device_index(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    Ok(vm.ctx.new_int(n).into())
}

fn require(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    engine::current().devices.initialize_cuda().or_raise(vm)?;
    Ok(vm.ctx.none())
}

/// `_cuda_forked(on)`: the code that runs next stands for a forked worker process.
fn forked(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["on"], 1)?;
    engine::current().devices.set_forked(a.bool_or(0, false)?);
    Ok(vm.ctx.none())
}

fn is_initialized(call: Call<'_>) -> PyResult {
    Ok(call.vm.ctx.new_bool(engine::current().devices.is_cuda_used()).into())
}

fn current_device(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    e.devices.require_cuda().or_raise(vm)?;
    Ok(vm.ctx.new_int(e.devices.current_cuda()).into())
}

fn set_device(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    if n >= 0 {
        engine::current().devices.set_current_cuda(i8::try_from(n).unwrap_or(i8::MAX)).or_raise(vm)?;
    }
    Ok(vm.ctx.none())
}

/// The accelerator with an index, or the error for a device that doesn't exist.
fn with_accelerator<T>(n: i64, f: impl FnOnce(&engine::Accelerator) -> T) -> crate::error::Result<T> {
    let e = engine::current();
    e.devices.require_cuda()?;
    if n < 0 || crate::shape::clamped(n) >= e.devices.cuda_count() {
        return Err(Error::assertion("Invalid device id"));
    }
    match e.devices.accelerator(super::device::cuda(n)) {
        Some(a) => Ok(f(a)),
        None => Err(Error::assertion("Invalid device id")),
    }
}

/// `_cuda_sync_debug(mode=None)`: sets the debug mode of waits, 0 to 2, if it's given. Returns the previous or present
/// mode.
fn sync_debug(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    if let Some(mode) = call.bind(&["mode"], 0)?.int_or_none(0)? {
        e.settings.set_sync_debug(match mode {
            0 => SyncDebug::Off,
            1 => SyncDebug::Warn,
            2 => SyncDebug::Raise,
            _ => return Err(vm.new_runtime_error("invalid value of debug_mode, expected one of 0,1,2")),
        });
    }
    Ok(vm.ctx.new_int(e.settings.sync_debug() as i32).into())
}

/// `_properties(index)`: name, total bytes, multiprocessors.
fn properties(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    let (name, memory, sms, (major, minor)) =
        with_accelerator(n, |a| (a.name(), a.spec.capacity(), a.spec.multiprocessors, a.executor.capability()))
            .or_raise(vm)?;
    Ok(vm.new_tuple((name, memory, sms, major, minor)).into())
}

fn put_stat(dict: &rustpython_vm::builtins::PyDictRef, name: &str, s: &Stat, vm: &VirtualMachine) -> PyResult<()> {
    for (what, value) in [("current", s.current), ("peak", s.peak), ("allocated", s.allocated), ("freed", s.freed)] {
        dict.set_item(&*format!("{name}.{what}"), vm.ctx.new_int(value).into(), vm)?;
    }
    Ok(())
}

fn put(dict: &rustpython_vm::builtins::PyDictRef, name: &str, s: &StatArray, vm: &VirtualMachine) -> PyResult<()> {
    for (pool, stat) in [("all", &s.all), ("small_pool", &s.small_pool), ("large_pool", &s.large_pool)] {
        put_stat(dict, &format!("{name}.{pool}"), stat, vm)?;
    }
    Ok(())
}

/// `_memory_stats(index)`: the flat dictionary of `torch.cuda.memory_stats`, unsorted; empty without CUDA.
fn memory_stats(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let dict = vm.ctx.new_dict();
    let e = engine::current();
    if !e.devices.is_cuda_used() {
        return Ok(dict.into());
    }
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    let Some(a) = e.devices.accelerator(super::device::cuda(n)) else {
        return Err(vm.new_runtime_error("Invalid device argument 0: did you call init?"));
    };
    let stats = a.planner.borrow().stats().clone();
    put(&dict, "allocated_bytes", &stats.allocated_bytes, vm)?;
    put(&dict, "reserved_bytes", &stats.reserved_bytes, vm)?;
    put(&dict, "active_bytes", &stats.active_bytes, vm)?;
    put(&dict, "inactive_split_bytes", &stats.inactive_split_bytes, vm)?;
    put(&dict, "requested_bytes", &stats.requested_bytes, vm)?;
    put(&dict, "allocation", &stats.allocation, vm)?;
    put(&dict, "segment", &stats.segment, vm)?;
    put(&dict, "active", &stats.active, vm)?;
    put(&dict, "inactive_split", &stats.inactive_split, vm)?;
    // There are neither expandable segments nor a largest size that may be split, so nothing is oversize.
    put_stat(&dict, "oversize_allocations", &Stat::default(), vm)?;
    put_stat(&dict, "oversize_segments", &Stat::default(), vm)?;
    for (name, value) in [
        ("max_split_size", -1),
        ("num_alloc_retries", stats.num_alloc_retries as i64),
        ("num_device_alloc", stats.num_device_alloc as i64),
        ("num_device_free", stats.num_device_free as i64),
        ("num_oom_rejections", 0),
        ("num_ooms", stats.num_ooms as i64),
        ("num_sync_all_streams", 0),
    ] {
        dict.set_item(name, vm.ctx.new_int(value).into(), vm)?;
    }
    Ok(dict.into())
}

fn memory_summary(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "abbreviated"], 0)?;
    let n = cuda_index(a.get(0).map(|o| o.as_object()), vm)?;
    let short = a.bool_or(1, false)?;
    let text = with_accelerator(n, |a| {
        crate::memory::memory_summary(a.planner.borrow().stats(), crate::shape::clamped(n), short)
    })
    .or_raise(vm)?;
    Ok(vm.ctx.new_str(text).into())
}

fn reset_peak(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    if e.devices.cuda_count() == 0 {
        return Err(vm.new_runtime_error("invalid argument to reset_peak_memory_stats"));
    }
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    with_accelerator(n, |a| a.planner.borrow_mut().reset_peak()).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn reset_accumulated(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    with_accelerator(n, |a| a.planner.borrow_mut().reset_accumulated()).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn empty_cache(call: Call<'_>) -> PyResult {
    engine::current().devices.empty_cache().or_raise(call.vm)?;
    Ok(call.vm.ctx.none())
}

fn synchronize(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    e.devices.require_cuda().or_raise(vm)?;
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    let device = e.resolve(super::device::cuda(n)).or_raise(vm)?;
    drop(call);
    e.launches.synchronize(device, crate::trace::Why::Synchronize).or_raise(vm)?;
    Ok(vm.ctx.none())
}

fn mem_get_info(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let n = cuda_index(call.positional().first().map(|o| o.as_object()), vm)?;
    let (free, total) = with_accelerator(n, |a| {
        let total = a.spec.capacity();
        (total.saturating_sub(a.planner.borrow().reserved()), total)
    })
    .or_raise(vm)?;
    Ok(vm.new_tuple((free, total)).into())
}

/// `_cuda_set_fraction(device, fraction)`.
fn set_fraction(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "fraction"], 2)?;
    let n = cuda_index(a.get(0).map(|o| o.as_object()), vm)?;
    let fraction = a.f64(1)?;
    with_accelerator(n, |a| a.planner.borrow_mut().set_fraction(fraction)).or_raise(vm)?;
    Ok(vm.ctx.none())
}

/// `_cuda_set_stream(device, number)`: sets the stream whose blocks the device's next tensors get.
fn set_stream(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device", "stream"], 2)?;
    let n = cuda_index(a.get(0).map(|o| o.as_object()), vm)?;
    let stream = super::streams::id(a.int(1)?);
    with_accelerator(n, |a| a.set_stream(stream)).or_raise(vm)?;
    Ok(vm.ctx.none())
}

/// `_cuda_record_history(entries, limit, stacks)`; without arguments, recording stops.
fn record_history(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["entries", "limit", "stacks", "clear"], 0)?;
    let e = engine::current();
    if a.bool_or(3, false)? {
        e.devices.accelerators().iter().for_each(|a| a.history.borrow_mut().clear());
    }
    e.devices.record_memory(match a.some(0) {
        None => None,
        Some(_) => {
            let limit = crate::shape::clamped(a.int(1)?);
            Some(Keep { entries: a.bool_or(0, false)?, limit, stacks: a.bool_or(2, true)? })
        }
    });
    Ok(vm.ctx.none())
}

/// `_cuda_snapshot()`: every device's segments and history.
fn snapshot(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    let (mut segments, mut traces) = (Vec::new(), Vec::new());
    for device in 0..e.devices.cuda_count() {
        let (infos, history) = with_accelerator(device as i64, |a| {
            let entry = |stack| e.devices.entry(Action::Snapshot, 0, 0, StreamId(0), stack);
            e.devices.remember(a, |history, keep, stack| history.add(entry(stack), keep));
            (a.planner.borrow().segments(), a.history.borrow().clone())
        })
        .or_raise(vm)?;
        segments.extend(infos.iter().map(|info| held(info, device, &history).data()));
        traces.push(history.entries().map(|entry| deed(entry).data()).collect());
    }
    object(snapshot::whole(segments, traces), vm)
}

fn held<'a>(info: &SegmentInfo, device: usize, history: &'a History) -> snapshot::SegmentEntry<'a> {
    let address = info.id.address(device);
    let frames = |stack: Option<&'a Stack>| stack.map_or(&[][..], |stack| &stack[..]);
    let block = |block: &BlockInfo| snapshot::BlockEntry {
        address: address + block.offset,
        size: block.size,
        requested: block.requested,
        state: block.state,
        frames: frames(block.id.and_then(|id| history.block(id))),
    };
    snapshot::SegmentEntry {
        device,
        address,
        bytes: info.bytes,
        stream: info.stream.0,
        pool: info.pool,
        private: info.private.0,
        frames: frames(history.segment(info.id)),
        blocks: info.blocks.iter().map(block).collect(),
    }
}

fn deed(entry: &Entry) -> snapshot::Deed<'_> {
    snapshot::Deed {
        action: entry.action,
        address: entry.address,
        size: entry.size,
        stream: entry.stream.0,
        micros: entry.micros,
        frames: &entry.stack,
    }
}

fn object(data: Data, vm: &VirtualMachine) -> PyResult {
    let all = |items: Vec<Data>| items.into_iter().map(|item| object(item, vm)).collect::<PyResult<Vec<_>>>();
    Ok(match data {
        Data::Bool(value) => vm.ctx.new_bool(value).into(),
        Data::Int(value) => vm.ctx.new_int(value).into(),
        Data::Float(value) => vm.ctx.new_float(value).into(),
        Data::Text(text) => vm.ctx.new_str(text).into(),
        Data::List(items) => vm.ctx.new_list(all(items)?).into(),
        Data::Tuple(items) => vm.ctx.new_tuple(all(items)?).into(),
        Data::Dict(entries) => {
            let dict = vm.ctx.new_dict();
            for (key, item) in entries {
                dict.set_item(key, object(item, vm)?, vm)?;
            }
            dict.into()
        }
    })
}

/// `_shell(command)`: a shell command in a cell.
fn shell(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["command"], 1)?;
    let text = crate::python::shell::run(a.str(0)?.unwrap_or_default());
    let stdout = vm.sys_module.get_attr("stdout", vm)?;
    vm.call_method(&stdout, "write", (text,))?;
    Ok(vm.ctx.none())
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_shell", F, shell),
    ("_cuda_index", F, device_index),
    ("_cuda_require", F, require),
    ("_cuda_initialized", F, is_initialized),
    ("_cuda_forked", F, forked),
    ("_cuda_current_device", F, current_device),
    ("_cuda_set_device", F, set_device),
    ("_cuda_properties", F, properties),
    ("_cuda_memory_stats", F, memory_stats),
    ("_cuda_memory_summary", F, memory_summary),
    ("_cuda_reset_peak", F, reset_peak),
    ("_cuda_reset_accumulated", F, reset_accumulated),
    ("_cuda_empty_cache", F, empty_cache),
    ("_cuda_synchronize", F, synchronize),
    ("_cuda_mem_get_info", F, mem_get_info),
    ("_cuda_set_fraction", F, set_fraction),
    ("_cuda_set_stream", F, set_stream),
    ("_cuda_sync_debug", F, sync_debug),
    ("_cuda_record_history", F, record_history),
    ("_cuda_snapshot", F, snapshot),
]];
