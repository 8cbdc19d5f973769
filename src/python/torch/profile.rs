//! The native functions behind `torch.profiler`: spans of operators, kernels, copies and waits.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::args::Call;
use super::binding::{F, Row};
use super::error::OrRaise;
use super::function;
use crate::engine;
use crate::trace::profile::{Span, SpanKind};

/// `_profile_start(shapes)`.
fn start(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["shapes"], 0)?;
    engine::current().trace.profile().start(a.bool_or(0, false)?);
    function::set_profiled(true);
    Ok(vm.ctx.none())
}

/// Ends the profile of a program that hasn't ended it itself.
pub(super) fn reset() {
    function::set_profiled(false);
    engine::current().launches.drop_profile();
}

/// `_profile_stop()`: a list of spans, each a tuple: kind, name, device or None, begin, end (microseconds), number of the
/// parent or None, flops, bytes on the host, bytes on accelerators, line, shapes, whether its device works asynchronously,
/// and if so when the device began with it and finished it (microseconds), or None if that isn't known.
fn stop(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    function::set_profiled(false);
    let spans = engine::current().launches.end_profile().or_raise(vm)?;
    let items = spans.iter().map(|span| object(span, vm)).collect::<PyResult<Vec<PyObjectRef>>>()?;
    Ok(vm.ctx.new_list(items).into())
}

fn object(span: &Span, vm: &VirtualMachine) -> PyResult {
    let none = || vm.ctx.none();
    let int = |n: i64| -> PyObjectRef { vm.ctx.new_int(n).into() };
    let shape = |s: &Vec<usize>| -> PyObjectRef {
        vm.ctx.new_list(s.iter().map(|&n| vm.ctx.new_int(n).into()).collect()).into()
    };
    let late = span.device.is_some_and(|d| engine::current().devices.executor(d).is_async());
    let fields: Vec<PyObjectRef> = vec![
        vm.ctx.new_str(span.kind.name()).into(),
        vm.ctx.new_str(&*span.name).into(),
        span.device.map_or_else(none, |d| vm.ctx.new_str(d.to_string()).into()),
        vm.ctx.new_float(span.begin).into(),
        vm.ctx.new_float(span.end).into(),
        span.parent.map_or_else(none, |p| vm.ctx.new_int(p).into()),
        vm.ctx.new_int(span.flops).into(),
        int(span.host_bytes),
        int(span.device_bytes),
        int(span.line.into()),
        vm.ctx.new_list(span.shapes.iter().map(shape).collect()).into(),
        vm.ctx.new_bool(late).into(),
        span.worked.map_or_else(none, |(begin, end)| {
            vm.ctx.new_tuple([begin, end].map(|time| vm.ctx.new_float(time).into()).to_vec()).into()
        }),
    ];
    Ok(vm.ctx.new_tuple(fields).into())
}

/// `_span_begin(name)`: opens a span that the program named; None if nothing is profiled.
fn begin(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["name"], 1)?;
    let span = engine::current().trace.begin(SpanKind::User, a.str(0)?.unwrap_or_default(), None);
    Ok(span.map_or_else(|| vm.ctx.none(), |at| vm.ctx.new_int(at).into()))
}

/// `_span_end(number)`.
fn end(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["number"], 1)?;
    let at = a.int_or_none(0)?.and_then(|at| usize::try_from(at).ok());
    engine::current().trace.end(at);
    Ok(vm.ctx.none())
}

pub(super) const ROWS: &[&[Row]] =
    &[&[("_profile_start", F, start), ("_profile_stop", F, stop), ("_span_begin", F, begin), ("_span_end", F, end)]];
