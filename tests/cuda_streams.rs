//! Streams, events and non-blocking copies, on a stand-in for the driver that runs work as late as CUDA allows. A
//! program with the right waits gives the right result; the same program without a wait doesn't.

#![cfg(all(feature = "cuda", feature = "cli"))]

#[macro_use]
mod card;

/// A program's output on cards that run work as late as CUDA allows; `None` without a stand-in.
fn late(name: &str, text: &str, settings: &[(&str, &str)]) -> Option<String> {
    let folder = card!(None);
    let file = card::program(name, text);
    let output = card::tensoryard(folder, settings, &["run", "--executor", "cuda", file.to_str().unwrap()]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}{err}", String::from_utf8_lossy(&output.stdout));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

const STREAMS: &str = r#"
import torch
side = torch.cuda.Stream()
x = torch.ones(8, device="cuda")
torch.cuda.synchronize()
x.mul_(3)
WAIT
with torch.cuda.stream(side):
    y = x + 1
BACK
print((y * 2).tolist() == [8.0] * 8)
"#;

#[test]
fn a_stream_that_waits_sees_what_another_one_wrote() {
    let run = |name: &str, wait: &str, back: &str, settings: &[(&str, &str)]| {
        late(name, &STREAMS.replace("WAIT", wait).replace("BACK", back), settings)
    };
    let (wait, back) =
        ("side.wait_stream(torch.cuda.current_stream())", "torch.cuda.current_stream().wait_stream(side)");
    let Some(both) = run("streams_wait", wait, back, &[]) else { return };
    assert_eq!(both, "True\n");
    let event = "e = torch.cuda.Event()\ne.record()\nside.wait_event(e)";
    assert_eq!(run("streams_event", event, "side.synchronize()", &[]).unwrap(), "True\n");
    // Without either wait, this is the race that PyTorch's documentation warns about. If work ran immediately, the race
    // would be hidden.
    let waits_late = "side.synchronize()";
    assert_eq!(run("streams_race", "", waits_late, &[]).unwrap(), "False\n");
    assert_eq!(run("streams_race_back", wait, "", &[]).unwrap(), "False\n");
    assert_eq!(run("streams_race", "", waits_late, &[("CARD_MODE", "now")]).unwrap(), "True\n");
}

#[test]
fn events_and_streams_know_whether_work_is_done() {
    let text = r#"
import torch
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
print(start.query(), torch.cuda.Stream.priority_range(), torch.cuda.Stream(priority=-9).priority)
x = torch.ones(4, device="cuda")
start.record()
y = x + 1
end.record()
print(end.query(), torch.cuda.current_stream().query())
try:
    start.elapsed_time(end)
except RuntimeError as error:
    print(str(error).splitlines()[0])
end.synchronize()
print(end.query(), start.query(), start.elapsed_time(end) > 0, torch.cuda.current_stream().query())
side = torch.cuda.Stream()
try:
    start.elapsed_time(torch.cuda.Event(enable_timing=True))
except ValueError as error:
    print(error)
# Streams come from a pool.
print(len({torch.cuda.Stream().stream_id for _ in range(40)}), torch.cuda.ExternalStream(side.cuda_stream) == side)
try:
    torch.cuda.ExternalStream(123456)
except RuntimeError as error:
    print(str(error).splitlines()[0])
print(side.cuda_stream > 1 << 16, torch.cuda.current_stream().cuda_stream, torch.cuda.ExternalStream(0) == torch.cuda.default_stream())
"#;
    let Some(out) = late("events", text, &[]) else { return };
    let expected = "True (0, -3) -3\n\
                    False False\n\
                    Both events must be completed before calculating elapsed time.\n\
                    True True True True\n\
                    Both events must be recorded before calculating elapsed time.\n\
                    32 True\n\
                    CUDA error: invalid resource handle\n\
                    True 0 True\n";
    assert_eq!(out, expected);
}

/// A program can wait for a stream that another library made, and use it. It still belongs to that library.
#[test]
fn streams_of_other_libraries_are_used_and_left_alone() {
    let told = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("foreign_{}", std::process::id()));
    let text = r#"
import torch
x = torch.ones(8, device="cuda")
torch.cuda.synchronize()
handle = int(open("TOLD").read())
other = torch.cuda.ExternalStream(handle)
print(other.cuda_stream == handle, other == torch.cuda.ExternalStream(handle, device=0), other == torch.cuda.Stream())
x.mul_(3)
WAIT
with torch.cuda.stream(other):
    print(torch.cuda.current_stream() == other)
    y = x + 1
    event = other.record_event()
print(other.query(), event.query())
BACK
print((y * 2).tolist() == [8.0] * 8)
with torch.cuda.stream(other):
    z = y + 1
torch.cuda.synchronize()
print(other.query(), z.tolist() == [5.0] * 8)
"#;
    let text = text.replace("TOLD", told.to_str().unwrap());
    let settings = [("CARD_FOREIGN", told.to_str().unwrap())];
    let run = |wait: &str, back: &str| late("foreign", &text.replace("WAIT", wait).replace("BACK", back), &settings);
    let (wait, back) =
        ("other.wait_stream(torch.cuda.current_stream())", "torch.cuda.current_stream().wait_stream(other)");
    let Some(waited) = run(wait, back) else { return };
    assert_eq!(waited, "True True False\nTrue\nFalse False\nTrue\nTrue True\n");
    // It runs in parallel with the other streams: without the wait, there's a race.
    assert_eq!(run("", "other.synchronize()").unwrap(), "True True False\nTrue\nFalse False\nFalse\nTrue False\n");
    let _ = std::fs::remove_file(told);
}

#[test]
fn the_profiler_has_the_times_of_the_device() {
    let text = r#"
import torch
from torch.profiler import profile
x, h, side = torch.ones(4000, device="cuda"), torch.ones(4000).pin_memory(), torch.cuda.Stream()
torch.cuda.synchronize()
with profile() as prof:
    y = x + 1
    with torch.cuda.stream(side):
        z = h.to("cuda", non_blocking=True)
    y * 2
    end = torch.cuda.Event()
    end.record()
    print(end.query())
rows = {e.key: e for e in prof.key_averages()}
print(rows["aten::add"].device_time_total > 0, rows["aten::add"].self_device_time_total, rows["aten::mul"].device_time > 0)
work = [e for e in prof.events() if not e.on_host]
print([e.key for e in work if e.kind == "copy"], [e.self_device_time_total > 0 for e in work], all(e.elapsed_us > 0 for e in work))
add, copy, mul = work
# This card works when the host waits: all that the host did comes before, on the same clock. A stream's work does not overlap.
launches = [e for e in prof.events() if e.key in ("aten::add", "aten::mul")]
print(min(e.begin for e in work) >= max(e.end for e in launches), add.end <= mul.begin, len(launches))
print(abs(sum(e.self_device_time_total for e in work) - prof.total_average().self_device_time_total) < 1e-6)
print("not measured" in prof.key_averages().table())
"#;
    let log = concat!(env!("CARGO_TARGET_TMPDIR"), "/card_profiler.log");
    let Some(out) = late("profiler", text, &[("CARD_LOG", log)]) else { return };
    let expected = "False\n\
                    True 0.0 True\n\
                    ['Memcpy HtoD (Pinned -> Device)'] [True, True, True] True\n\
                    True True 2\n\
                    True\n\
                    False\n";
    assert_eq!(out, expected);
    let recorded = || std::fs::read_to_string(log).unwrap().matches("cuEventRecord").count();
    let marks = recorded();
    // Two for each of three, one at the end, and the waits of the program and its streams.
    let plain = text.replace("with profile() as prof:", "if True:").split("rows =").next().unwrap().to_string();
    assert_eq!(late("profiler_off", &plain, &[("CARD_LOG", log)]).unwrap(), "False\n");
    assert_eq!(marks - recorded(), 7, "what is not profiled is not marked");
}

#[test]
fn copies_of_page_locked_memory_do_not_wait() {
    let text = r#"
import torch
from torch.utils.data import DataLoader
pinned, pageable = torch.ones(4).pin_memory(), torch.ones(4)
x, y = pinned.to("cuda", non_blocking=True), pageable.to("cuda", non_blocking=True)
pinned.fill_(7)
pageable.fill_(7)
print(x.tolist(), y.tolist())
z = pinned.to("cuda")
pinned.fill_(8)
print(z.tolist())
back = z.to("cpu", non_blocking=True)
early = back.clone()
torch.cuda.synchronize()
print(back.is_pinned(), early.tolist() == back.tolist(), back.tolist(), z.to("cpu").tolist())
# A block that a queued copy reads is not handed out again.
first = torch.full((4,), 1.0).pin_memory()
u = first.to("cuda", non_blocking=True)
del first
second = torch.full((4,), 2.0).pin_memory()
print(u.tolist(), second.tolist())
batch = next(iter(DataLoader(torch.arange(6.0), batch_size=3, pin_memory=True)))
print(batch.is_pinned(), batch.to("cuda", non_blocking=True).tolist())
"#;
    let Some(out) = late("pinned", text, &[]) else { return };
    let expected = |early: &str, x: &str| {
        format!(
            "{x} [1.0, 1.0, 1.0, 1.0]\n[7.0, 7.0, 7.0, 7.0]\nTrue {early} [7.0, 7.0, 7.0, 7.0] [7.0, 7.0, 7.0, 7.0]\n\
             [1.0, 1.0, 1.0, 1.0] [2.0, 2.0, 2.0, 2.0]\nTrue [0.0, 1.0, 2.0]\n"
        )
    };
    assert_eq!(out, expected("False", "[7.0, 7.0, 7.0, 7.0]"));
    let now = late("pinned", text, &[("CARD_MODE", "now")]).unwrap();
    assert_eq!(now, expected("True", "[1.0, 1.0, 1.0, 1.0]"));
}

/// PyTorch's copies between the host and a GPU wait for the stream in both directions, unless they're non-blocking.
#[test]
fn copies_wait_for_their_stream_where_pytorchs_do() {
    let text = r#"
import torch
g, x, p = torch.ones(8, device="cuda"), torch.ones(8), torch.ones(8).pin_memory()
def waits(copy):
    torch.cuda.synchronize()
    g.mul_(2)
    copy()
    return torch.cuda.current_stream().query()
print(waits(lambda: None), waits(lambda: p.to("cuda", non_blocking=True)), waits(lambda: g.to("cpu", non_blocking=True)))
print(waits(lambda: x.to("cuda")), waits(lambda: p.to("cuda")), waits(lambda: g.copy_(x)), waits(lambda: g.cpu()))
print(waits(lambda: x.copy_(g)), waits(lambda: p.copy_(g)), waits(lambda: repr(g)), waits(lambda: g[0].item()))
"#;
    let Some(out) = late("copies_wait", text, &[]) else { return };
    assert_eq!(out, "False False False\nTrue True True True\nTrue True True True\n");
}

#[test]
fn memory_that_a_stream_was_said_to_use_is_not_used_again_before_it_is_done() {
    let text = r#"
import torch
side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda")
torch.cuda.synchronize()
with torch.cuda.stream(side):
    y = x + 0
RECORD
del x
print(torch.cuda.memory_allocated(), torch.cuda.memory_stats()["active_bytes.all.current"])
z = torch.full((1000,), 9.0, device="cuda")
print(z[0].item(), torch.cuda.memory_stats()["active_bytes.all.current"])
side.synchronize()
print(y.sum().item())
"#;
    let run = |name: &str, record: &str| late(name, &text.replace("RECORD", record), &[]);
    let Some(recorded) = run("record_stream", "x.record_stream(side)") else { return };
    assert_eq!(recorded, "4096 8192\n9.0 8192\n1000.0\n");
    assert_eq!(run("record_nothing", "").unwrap(), "4096 4096\n9.0 8192\n9000.0\n");
}

#[test]
fn memory_freed_on_one_stream_is_not_given_to_another() {
    let text = r#"
import torch
side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda")
torch.cuda.synchronize()
y = x + 0
del x
with torch.cuda.stream(side):
    z = torch.full((1000,), 9.0, device="cuda")
side.synchronize()
print(y.sum().item())
"#;
    let Some(out) = late("freed", text, &[]) else { return };
    assert_eq!(out, "1000.0\n");
}

#[test]
fn a_backward_pass_runs_on_the_streams_of_the_forward_pass() {
    let text = r#"
import torch
side = torch.cuda.Stream()
w = torch.full((1000,), 2.0, device="cuda", requires_grad=True)
side.wait_stream(torch.cuda.current_stream())
for step in range(3):
    with torch.cuda.stream(side):
        h = (w * w).exp().log()
    torch.cuda.current_stream().wait_stream(side)
    loss = (h * 3).sum()
    loss.backward()
    # The gradient is used on the caller's stream, while the side stream goes on with memory that the pass gave back.
    seen = w.grad.clone()
    w.grad = None
    del h, loss
    with torch.cuda.stream(side):
        junk = [torch.full((1000,), float("nan"), device="cuda") for _ in range(16)]
    side.synchronize()
    print(round(seen.sum().item()))
    side.wait_stream(torch.cuda.current_stream())
"#;
    let Some(out) = late("backward", text, &[]) else { return };
    assert_eq!(out, "12000\n12000\n12000\n");
}

#[test]
fn cards_copy_to_each_other_in_the_order_of_both() {
    let text = r#"
import torch
a = torch.full((4,), 2.0, device="cuda:0")
b = a.to("cuda:1")
a.mul_(5)
c = b + 1
d = torch.zeros(4, device="cuda:1")
d.add_(100)
d.copy_(a)
torch.cuda.synchronize(0)
a.zero_()
print(c.tolist(), d.tolist(), b.t().to("cuda:0").tolist())
"#;
    let log = concat!(env!("CARGO_TARGET_TMPDIR"), "/card_peers.log");
    let Some(out) = late("peers", text, &[("CARD_COUNT", "2"), ("CARD_LOG", log)]) else { return };
    let expected = "[3.0, 3.0, 3.0, 3.0] [10.0, 10.0, 10.0, 10.0] [2.0, 2.0, 2.0, 2.0]\n";
    assert_eq!(out, expected);
    let calls = std::fs::read_to_string(log).unwrap();
    assert_eq!(calls.lines().filter(|l| *l == "cuMemcpyPeerAsync 16 0 to 1").count(), 2, "{calls}");
    assert!(calls.contains("cuCtxEnablePeerAccess 0 to 1"), "{calls}");
    let before = &calls[calls.find("cuLaunchKernel").unwrap()..calls.find("cuMemcpyPeerAsync").unwrap()];
    assert!(!before.contains("DtoH") && !before.contains("Synchronize"), "no way through the host\n{calls}");
    assert!(!calls.contains("leaked") && calls.contains("released 1"), "{calls}");
    // Without peer access, and on one card shared by two devices.
    assert_eq!(late("peers", text, &[("CARD_COUNT", "2"), ("CARD_PEER", "0")]).unwrap(), expected);
}

#[test]
fn an_error_comes_out_at_the_next_wait_or_at_once_if_launches_wait() {
    let text = r#"
import torch
side = torch.cuda.Stream()
x = torch.ones(4, device="cuda")
try:
    with torch.cuda.stream(side):
        y = x + 1
    print("not yet")
    side.synchronize()
except RuntimeError as error:
    print(type(error).__name__, error)
try:
    print(x.sum())
except RuntimeError as error:
    print(str(error).splitlines()[0])
"#;
    let Some(out) = late("fault", text, &[("CARD_FAULT", "2")]) else { return };
    let error = "AcceleratorError CUDA error: an illegal memory access was encountered\n\
                 Search for `cudaErrorIllegalAddress' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html \
                 for more information.\n\
                 CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be \
                 incorrect.\n\
                 For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n\n\
                 CUDA error: an illegal memory access was encountered\n";
    assert_eq!(out, format!("not yet\n{error}"));
    let out = late("fault", text, &[("CARD_FAULT", "2"), ("CUDA_LAUNCH_BLOCKING", "1")]).unwrap();
    assert_eq!(out, error);
    let text = "import torch\nside = torch.cuda.Stream()\nwith torch.cuda.stream(side):\n    torch.ones(4, \
                device='cuda')[torch.tensor([9], device='cuda')]\ntry:\n    side.synchronize()\nexcept RuntimeError as \
                error:\n    print(str(error).splitlines()[0])\n";
    assert_eq!(late("side_index", text, &[]).unwrap(), "CUDA error: device-side assert triggered\n");
    let text = "import torch\nx = torch.ones(4, device='cuda')\ni = torch.tensor([9], device='cuda')\ntry:\n    x[i]\n    \
                print('not yet')\nexcept RuntimeError as error:\n    print(str(error).splitlines()[0])\n";
    let out = late("blocking", text, &[("CUDA_LAUNCH_BLOCKING", "1")]).unwrap();
    assert_eq!(out, "CUDA error: device-side assert triggered\n");
}
